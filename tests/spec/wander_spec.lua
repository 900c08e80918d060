-- The tree 'wander', and leaves in a real world: C executor, Lua leaves, agents that walk.
local leeward = require "leeward"
local sim = require "leeward.testing"
local behaviors = require "behaviors"
local MoveTo = require "behaviors.nodes.move_to"

describe("the tree 'wander'", function()
  local world

  -- Two rooms with a doorway, and an island.
  before_each(function()
    world = sim.map([[
      AB...#.....  ...
      C....#.....  .i.
      D..........  ...
      E....#.....  ...
      .....#.....  ...
    ]], { seed = 7 })
  end)

  local function spawn(place) return sim.spawn(place, { profile = "soldier", tree = "wander" }) end

  it("takes every agent to places, on the navmesh all the time", function()
    local agents = {}
    for _, place in ipairs { "A", "B", "C", "D", "E" } do agents[#agents + 1] = spawn(place) end
    sim.run(30, function()
      for _, agent in ipairs(agents) do assert.is_true(world:contains(agent:position())) end
    end)
    for _, agent in ipairs(agents) do
      local stats = agent:stats()
      assert.is_true(stats.goals_reached > 0, agent:why())
      assert.is_true(stats.walked > 5)
      assert.equal(0, stats.off_mesh)
    end
    assert.same({}, sim.log())
    assert.replays_identically(world)
  end)

  it("draws places within 20 m that it can reach, under any seed", function()
    sim.seeds(40, function(_, seed)
      local agent, goals, last = spawn "A", 0, nil
      sim.run(20, function()
        local goal, at = agent.blackboard.goal, agent:position()
        if goal ~= last then
          goals, last = goals + 1, goal
          assert.is_true(goal.x <= 22, "seed " .. seed .. " drew a point of the island")
          assert.is_true((goal - at):length() <= 20.5)
        end
      end)
      assert.is_true(goals > 1)
    end)
  end)

  it("waits and tries again where it cannot walk", function()
    local mock = sim.mock("MoveTo", function() return "failure", "the legs are tired" end)
    local agent = spawn "A"
    sim.run(20)
    assert.is_true(#mock.calls >= 10 and #mock.calls <= 40, #mock.calls .. " tries in 20 s, 0.5 to 2 s apart")
    assert.matches("MoveTo: the legs are tired", agent:why(), 1, true)
    assert.near(agent, "A")
  end)
end)

--- Two rooms of 10 x 10 m, joined by a doorway 2 m wide; a third, at x = 30, is connected to nothing.
local function rooms()
  return leeward.navmesh {
    vertices = {
      { 0, 0, 0 }, { 10, 0, 0 }, { 10, 0, 4 }, { 10, 0, 6 }, { 10, 0, 10 }, { 0, 0, 10 }, -- 1..6 west room
      { 12, 0, 4 }, { 12, 0, 6 }, -- 7, 8 doorway
      { 12, 0, 0 }, { 22, 0, 0 }, { 22, 0, 10 }, { 12, 0, 10 }, -- 9..12 east room
      { 30, 0, 0 }, { 40, 0, 0 }, { 40, 0, 10 }, { 30, 0, 10 }, -- 13..16 island
    },
    polygons = {
      { 1, 2, 3, 4, 5, 6 }, { 3, 7, 8, 4 }, { 9, 10, 11, 12, 8, 7 }, { 13, 14, 15, 16 },
    },
  }
end

local MIDDLE_WEST, MIDDLE_EAST, ISLAND = { 5, 0, 5 }, { 17, 0, 5 }, { 35, 0, 5 }
local navmesh = rooms()

describe("leaves in a world", function()
  local world, log

  local function new_world(seed)
    log = {}
    return leeward.world {
      navmesh = navmesh, seed = seed,
      log = function(level, message) log[#log + 1] = level .. ": " .. message end,
    }
  end

  local function wanderers(count)
    local agents = {}
    for i = 1, count do
      agents[i] = assert(world:spawn { profile = "soldier", at = { 2 + i, 0, 3 }, tree = "wander" })
    end
    return agents
  end

  before_each(function() world = new_world(7) end)
  after_each(function() world:destroy() end)

  it("waits and tries again where no point can be found", function()
    local draws = 0
    local FindNothing = behaviors.leaf {
      name = "FindNothing",
      start = function()
        draws = draws + 1
        return "failure", "there is nowhere to go"
      end,
    }
    local tree = behaviors.selector { FindNothing(), behaviors.wait(1) }
    local agent = world:spawn { profile = "soldier", at = MIDDLE_WEST, tree = tree }
    world:run(10)
    assert.is_true(draws >= 9 and draws <= 11, draws .. " draws in 10 s")
    assert.matches("there is nowhere to go", agent:why(), 1, true)
    assert.equal(0, agent:stats().walked)
  end)

  it("leaves Lua's collector little for each place that an agent goes to", function()
    local agents = wanderers(8)
    world:run(10)
    local function goals()
      local sum = 0
      for _, agent in ipairs(agents) do sum = sum + agent:stats().goals_reached end
      return sum
    end
    local before = goals()
    collectgarbage()
    collectgarbage "stop"
    local kilobytes = collectgarbage "count"
    world:run(60)
    kilobytes = collectgarbage "count" - kilobytes
    collectgarbage "restart"
    local bytes = kilobytes * 1024 / (goals() - before)
    assert.is_true(bytes < 400, bytes .. " bytes")
  end)

  it("says why a walk is impossible", function()
    local agent = world:spawn {
      profile = "soldier", at = MIDDLE_WEST, blackboard = { goal = ISLAND },
      tree = behaviors.selector { MoveTo { to = "goal" }, behaviors.wait(9) },
    }
    world:run(1)
    assert.matches("start and goal are not connected", agent:why(), 1, true)
  end)

  it("calls no leaf while the agent walks, and wakes it on arrival", function()
    local ticks = 0
    local Walk = behaviors.leaf {
      name = "Walk",
      start = function(agent)
        agent:move_to(MIDDLE_EAST)
        return "running", math.huge
      end,
      tick = function(agent)
        ticks = ticks + 1
        return agent:move_state() == "arrived" and "success" or "failure"
      end,
    }
    local tree = behaviors.sequence { Walk(), behaviors.wait(1000) }
    local agent = world:spawn { profile = "soldier", at = MIDDLE_WEST, tree = tree }
    world:run(15)
    assert.equal("arrived", (agent:move_state()))
    assert.equal(1, ticks)
  end)

  it("starts each leaf with a state of its own and stops it once, whatever the end", function()
    local running, max_running, starts, last = 0, 0, 0, nil
    local Busy = behaviors.leaf {
      name = "Busy",
      start = function(agent, _, state)
        assert.is_nil(next(state))
        state.ends = world:time() + 0.2
        running, starts = running + 1, starts + 1
        max_running = math.max(max_running, running)
        if agent:random(10) == 1 then error "no luck" end
        return "running", 0.1
      end,
      tick = function(agent, _, state)
        if world:time() < state.ends then return "running", 0.05 end
        return agent:random(2) == 1 and "success" or "failure"
      end,
      stop = function(_, _, _, how) running, last = running - 1, how end,
    }
    local tree = behaviors.sequence { behaviors.selector { Busy(), Busy() }, Busy() }
    local agent = world:spawn { profile = "soldier", at = MIDDLE_WEST, tree = tree }
    world:run(20)
    assert.is_true(starts > 50)
    assert.equal(1, max_running)
    world:run(5, function() if agent:is_alive() and running == 1 then agent:despawn() end end)
    assert.equal(0, running)
    assert.equal("aborted", last)
  end)

  describe("with a leaf that raises an error", function()
    local Broken = behaviors.leaf {
      name = "Broken",
      start = function(agent)
        local nothing = agent.blackboard.nothing
        return nothing.at
      end,
    }
    local line = debug.getinfo(1, "l").currentline - 3

    it("reports file and line, tree path and agent, and the others go on", function()
      local tree = leeward.tree("clumsy", behaviors.sequence { behaviors.wait(1), Broken() })
      local agents = wanderers(3)
      world:spawn { profile = "soldier", at = MIDDLE_EAST, tree = tree }
      world:run(30)
      assert.is_true(#log > 0)
      local message = log[1]
      assert.matches("error", message, 1, true)
      assert.matches("clumsy > sequence > Broken", message, 1, true)
      assert.matches("agent 4, step 60:", message, 1, true) -- the fourth that was spawned
      assert.matches(("wander_spec.lua:%d:"):format(line), message, 1, true)
      assert.matches("nil value (local 'nothing')", message, 1, true)
      for _, agent in ipairs(agents) do assert.is_true(agent:stats().goals_reached > 0) end
    end)

    it("fails that leaf alone, so that the tree's fallback runs", function()
      local helped = 0
      local Help = behaviors.leaf {
        name = "Help",
        start = function()
          helped = helped + 1
          return "success"
        end,
      }
      world:spawn {
        profile = "soldier", at = MIDDLE_WEST,
        tree = behaviors.sequence { behaviors.selector { Broken(), Help() }, behaviors.wait(1) },
      }
      world:run(3.5)
      assert.equal(4, helped) -- at 0, 1, 2 and 3 s
      assert.equal(1, #log) -- the same error of the same leaf
    end)
  end)
end)
