-- Mocks of leeward.testing: what stands for leaves, and what is said where it stands for none.
local behaviors = require "behaviors"
local sim = require "leeward.testing"
local MoveTo = require "behaviors.nodes.move_to"

local YARD = [[
  A..#...
  ...#..B
  ..=====
]]

--- What the call fails with, without the place.
local function failure(f, ...)
  local good, message = pcall(f, ...)
  assert.is_false(good)
  return (tostring(message):gsub("^[%w_/.]+:%d+: ", ""))
end

local function walk(goal) return behaviors.sequence { name = "walk", MoveTo { to = goal }, behaviors.wait(9) } end

describe("sim.mock", function()
  it("stands for the leaves of that name, and notes its calls", function()
    local world = sim.map(YARD)
    local mock = sim.mock("MoveTo", function(agent) agent.blackboard.mocked = true return "success" end)
    local scout = sim.spawn("A", { tree = "wander" })
    sim.run(3)
    assert.near(scout, "A")
    assert.is_true(scout.blackboard.mocked)
    assert.equal(1, mock.replaced)
    assert.equal("goal", mock.calls[1].options.to)
    assert.equal(scout, mock.calls[1].agent)
    assert.matches("^wander > ", scout:why())
    assert.replays_identically(world)
  end)

  it("stands for leaves that are saved", function()
    sim.map(YARD)
    local mock = sim.mock("MoveTo", { run = function(agent) agent:wait(1) end })
    sim.spawn("A", { tree = walk { 5, 0, 1 } })
    sim.run(2)
    assert.equal(1, #mock.calls)
  end)

  it("says so where it stands for nothing, and where its function gives no answer", function()
    sim.map(YARD)
    sim.spawn("A", { tree = walk { 5, 0, 1 } })
    sim.mock("MoveTo", function() return "success" end)
    assert.equal("mock: 'MoveTo' stands for no leaf: it counts for agents of sim.spawn that are spawned after it",
      failure(sim.run, 1))
    local world = sim.map(YARD)
    sim.mock("MoveTo", function() return "success" end)
    assert(world:spawn { profile = "human", at = sim.place "A", tree = "wander" })
    assert.matches("'MoveTo' stands for no leaf", failure(sim.run, 1))
    sim.map(YARD)
    sim.mock("MoveTo", function() return "sucess" end)
    sim.spawn("A", { tree = walk { 5, 0, 1 } })
    assert.matches("testing_mock_spec.lua:%d+: the mock of 'MoveTo' returned sucess, expected", failure(sim.run, 1))
  end)

  it("leaves the lines of other nodes as they are", function()
    sim.map(YARD)
    sim.mock("MoveTo", function() return "success" end)
    local Nothing = behaviors.leaf { name = "Nothing", start = function() end }
    local line = debug.getinfo(1, "l").currentline - 1
    sim.spawn("A", { tree = behaviors.sequence { walk { 5, 0, 1 }, Nothing {} } })
    sim.spawn("B", { tree = behaviors.sequence { Nothing {} } })
    assert.matches(("testing_mock_spec.lua:%d: returned nil"):format(line), failure(sim.run, 20))
  end)

  it("ends with its world, and spares other spawns", function()
    sim.map(YARD)
    sim.mock("MoveTo", function() return "success" end)
    sim.spawn("A", { tree = "wander" })
    local plain = assert(sim.world():spawn { profile = "human", at = { 1, 0, 5 }, tree = "wander" })
    sim.run(3)
    assert.is_true(plain:stats().walked > 1)
    sim.map(YARD)
    local scout = sim.spawn("A", { tree = "wander" })
    sim.run(3)
    assert.is_true(scout:stats().walked > 1)
  end)

  it("says what is wrong", function()
    sim.map(YARD)
    assert.equal("mock: 'MoveTo' is nil, expected a function or a table with start, tick, stop or run",
      failure(sim.mock, "MoveTo"))
    assert.equal("mock: 'MoveTo' has no start, tick or run", failure(sim.mock, "MoveTo", {}))
    local function succeed() return "success" end
    sim.mock("MoveToo", succeed)
    sim.run(0.1) -- a tree may come later
    sim.spawn("A", { tree = "wander" })
    local text = "mock: no tree that was spawned after it has a leaf 'MoveToo'. Did you mean 'MoveTo'?"
    assert.equal(text, failure(sim.run, 0.1))
    sim.map(YARD)
    sim.mock("MoveToo", succeed)
    assert.equal(text, failure(assert.is_not.reaches, sim.spawn("A", { tree = "wander" }), "B", 0.1))
  end)
end)
