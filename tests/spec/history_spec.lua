-- What happened to agents, what their nodes do, and agent:why{ details = true }.
local leeward = require "leeward"
local behaviors = require "behaviors"
local sim = require "leeward.testing"
local trees = require "support.trees"

local function texts(entries)
  local lines = {}
  for i, entry in ipairs(entries) do lines[i] = entry.text end
  return table.concat(lines, "; ")
end

describe("agent:history", function()
  local world, log, agent

  before_each(function()
    world, log = trees.open()
    agent = trees.spawn(world, behaviors.selector {
      behaviors.condition { name = "alarm", key = "alarm", abort = "both", behaviors.wait(60) },
      behaviors.leaf { name = "Stand", start = function(who)
        if who.blackboard.tired then return "failure", "too tired" end
        return "running", math.huge
      end, tick = function() return "success" end } (),
      behaviors.wait(60),
    })
  end)

  after_each(function()
    assert.same({}, log)
    world:destroy()
  end)

  it("tells which node began, and by what it was aborted", function()
    world:run(0.5)
    agent.blackboard.alarm = true
    world:step()
    local entries = agent:history()
    assert.equal("Stand starts; Stand is aborted by alarm (alarm); alarm starts; wait starts", texts(entries))
    assert.same({ "started", 0, "Stand", agent }, {
      entries[1].kind, entries[1].time, entries[1].node, entries[1].agent,
    })
    assert.same({ "aborted", 0.5, "Stand", "alarm (alarm)" }, {
      entries[2].kind, entries[2].time, entries[2].node, entries[2].by,
    })
    assert.is_true(entries[1].number < entries[2].number)
  end)

  it("gives the reason of a leaf that failed", function()
    agent.blackboard.tired = true
    world:step()
    local entries = agent:history()
    assert.equal("Stand fails: too tired; wait starts", texts(entries))
    assert.equal("too tired", entries[1].reason)
  end)

  it("takes a span of time, and a count of the newest", function()
    world:run(5)
    agent.blackboard.alarm = true
    world:run(5)
    assert.equal("Stand is aborted by alarm (alarm); alarm starts; wait starts", texts(agent:history { seconds = 6 }))
    assert.equal("alarm starts; wait starts", texts(agent:history { count = 2 }))
    assert.equal("wait starts", texts(agent:history { seconds = 6, count = 1 }))
    assert.equal("", texts(agent:history { seconds = 1 }))
    assert.equal(4, #agent:history { seconds = math.huge })
  end)

  it("tells of moves", function()
    agent:move_to { 9, 0, 1 }
    world:run(10)
    local found, arrived = agent:history()[1], agent:history()[3]
    assert.equal("path_found", found.kind)
    assert.near(8, found.length, 0.01)
    assert.equal(leeward.vec3(9, 0, 1), found.at)
    assert.equal("arrived", arrived.kind)
    agent:move_to { 900, 0, 0 }
    local failed = agent:history { count = 1 }[1]
    assert.same({ "move_failed", "NO_GOAL" }, { failed.kind, failed.code })
    assert.matches("^cannot get to %(900.0, 0.0, 0.0%): no navmesh near the goal", failed.text)
  end)

  it("is still there when the agent is gone", function()
    world:step()
    agent:despawn()
    assert.equal("Stand starts; Stand is aborted", texts(agent:history()))
    assert.is_nil(agent:history()[1].agent)
    assert.equal(texts(agent:history()), texts(world:history()))
  end)

  it("is kept in the length that the world says", function()
    for i = 1, 50 do
      agent.blackboard.alarm = i % 2 == 0
      world:step()
    end
    assert.equal(32, #agent:history())
    world:set_history(5)
    assert.equal(0, #agent:history())
    for i = 1, 50 do
      agent.blackboard.alarm = i % 2 == 0
      world:step()
    end
    assert.equal(5, #agent:history())
    world:set_history(0)
    assert.error_matches(function() agent:history() end,
      "history: agents of this world keep no history: its 'history' is 0", 1, true)
  end)

  it("refuses what is wrong", function()
    assert.error_matches(function() agent:history { second = 1 } end,
      "history: unknown key 'second'. Did you mean 'seconds'?", 1, true)
    assert.error_matches(function() agent:history { seconds = -1 } end, "history: seconds is -1", 1, true)
    assert.error_matches(function() agent:history { count = 1.5 } end, "history: count is 1.5", 1, true)
    assert.error_matches(function() world:set_history(5000) end,
      "set_history: count is 5000, expected a whole number 0 to 4096", 1, true)
    assert.error_matches(function() leeward.world { navmesh = agent:navmesh(), history = -1 } end,
      "world: history is -1", 1, true)
    local good, message
    trees.spawn(world, { kind = "leaf", tick = function()
      good, message = pcall(world.set_history, world, 1)
      return "success"
    end })
    world:step()
    assert.is_false(good)
    assert.matches("set_history: called from inside a step or a leaf", message, 1, true)
  end)
end)

describe("world:history", function()
  it("tells of all agents in the order in which it happened", function()
    local world = trees.open()
    local leaf = behaviors.leaf { name = "Stand", start = function() return "running", 0.1 end,
      tick = function() return "success" end }
    local tree = behaviors.sequence { leaf(), behaviors.wait(0.1) }
    local first, second = trees.spawn(world, tree), trees.spawn(world, tree)
    world:run(1)
    local all = world:history()
    assert.equal(#first:history() + #second:history(), #all)
    for i = 2, #all do
      assert.is_true(all[i - 1].number < all[i].number)
      assert.is_true(all[i - 1].time <= all[i].time)
    end
    assert.equal(texts { table.unpack(all, #all - 3) }, texts(world:history { count = 4 }))
  end)
end)

describe("senses and cover", function()
  it("are told of", function()
    local world = sim.map [[
      A.........
      ....##...E
      ..........
    ]]
    local agent = sim.spawn("A", { profile = { extends = "soldier", senses = {
      sight = { range = 30, half_angle = math.pi }, hearing = { range = 40 }, memory = 20 } }, team = "red" })
    local enemy = sim.spawn("E", { profile = "soldier", team = "blue" })
    sim.run(0.5)
    world:noise { at = enemy:position(), loudness = 40 }
    enemy:move_to { 17, 0, 1 }
    assert.is_truthy(sim.run_until(function() return #agent:perceived() > 0 end, 5))
    local seen = agent:history { count = 1 }[1]
    assert.same({ "seen", enemy }, { seen.kind, seen.other })
    assert(agent:reserve_cover { 5, 0, 3 })
    assert(agent:reserve_cover { 5, 0, 3 }) -- which it has
    assert(agent:reserve_cover { 5, 0, 5 })
    agent:release_cover()
    local taken = agent:history { count = 4 }
    assert.same({ "cover_taken", "cover_left", "cover_taken", "cover_left" }, {
      taken[1].kind, taken[2].kind, taken[3].kind, taken[4].kind,
    })
    assert.equal(leeward.vec3(5, 0, 5), taken[4].at)
    enemy:move_to { 19, 0, 5 }
    assert.is_truthy(sim.run_until(function() return agent:history { count = 1 }[1].kind == "lost" end, 5))
    local kinds = {}
    for _, entry in ipairs(agent:history()) do kinds[entry.kind] = true end
    assert.is_true(kinds.heard)
  end)
end)

describe("agent:nodes", function()
  it("has structure and state of each node of the tree", function()
    local world = trees.open()
    local agent = trees.spawn(world, behaviors.selector {
      behaviors.condition { key = "alarm", abort = "both", behaviors.wait(60) },
      behaviors.sequence { name = "walk", behaviors.wait(0.5), behaviors.wait(60) },
    })
    assert.equal("idle", agent:nodes()[1].outcome)
    world:run(1)
    local nodes = agent:nodes()
    local lines = {}
    for i, node in ipairs(nodes) do
      lines[i] = ("%s/%s/%s/%s/%s"):format(node.name, node.kind, node.parent, node.outcome, node.key)
    end
    assert.same({
      "selector/selector/nil/running/nil", "condition/condition/1/failed/alarm", "wait/wait/2/idle/nil",
      "walk/sequence/1/running/nil", "wait/wait/4/succeeded/nil", "wait/wait/4/running/nil",
    }, lines)
    assert.near(0.5, nodes[5].since, 0.02)
    assert.equal(0, nodes[4].since)
    world:set_history(0)
    world:step()
    assert.same({ "running", "idle" }, { agent:nodes()[1].outcome, agent:nodes()[2].outcome })
    agent:set_tree(nil)
    assert.same({}, agent:nodes())
  end)
end)

describe("agent:why", function()
  it("has nodes, failures and blackboards below its line, if details are asked for", function()
    local world = trees.open()
    world:blackboard().weather = "rain"
    local agent = trees.spawn(world, behaviors.selector {
      behaviors.leaf { name = "Try", tick = function() return "failure", "no luck" end } (),
      behaviors.wait(60),
    }, { team = "red", blackboard = { goal = leeward.vec3(1, 2, 3), name = "a\nb", big = {} } })
    agent.blackboard["team.order"] = 7
    world:run(2)
    local text = agent:why { details = true }
    assert.equal(agent:why(), text:match "^[^\n]*")
    assert.equal(agent:why(), agent:why { details = false })
    assert.matches("\ntree:\n  selector: running for 2.00 s\n    Try: failed 2.00 s ago\n    wait: running for 2.00 s\n"
      .. "last failures:\n  2.00 s ago: Try fails: no luck\nblackboard:\n", text, 1, true)
    for _, line in ipairs { "goal = (1.00, 2.00, 3.00)", [[name = 'a\nb']], "big = an object", "team.order = 7",
      "world.weather = 'rain'" } do
      assert.matches("\n  " .. line, text, 1, true)
    end
    assert.error_matches(function() agent:why { detail = true } end,
      "why: unknown key 'detail'. Did you mean 'details'?", 1, true)
  end)
end)
