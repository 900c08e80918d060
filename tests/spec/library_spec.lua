-- The library's nodes that walk, watch, flee, search and speak: each does what it says, or says why not. Its trees have
-- specs of their own.
local leeward = require "leeward"
local behaviors = require "behaviors"
local maps = require "support.maps"

local function node(name) return require("behaviors.nodes." .. name) end

local world, log

--- A floor of 40 x 30 m with a wall to hide behind.
local function with_wall()
  local level = leeward.geometry()
  level:add_box { min = { 0, -1, 0 }, max = { 40, 0, 30 } }
  level:add_box { at = { 20, 0, 12 }, size = { 1, 2, 6 }, area = false }
  return assert(leeward.bake(level))
end

local function open(navmesh)
  log = {}
  world = leeward.world {
    navmesh = navmesh or maps.floor(40, 40), seed = 4,
    log = function(level, message) if level == "error" then log[#log + 1] = message end end,
  }
end

local function spawn(tree, at, more)
  local options = { profile = "soldier", at = at or { 5, 0, 5 }, tree = tree }
  for key, value in pairs(more or {}) do options[key] = value end
  return assert(world:spawn(options))
end

--- The node, then a rest without end; where it fails, another one.
local function once(child)
  return behaviors.selector { behaviors.sequence { child, behaviors.wait(1000) }, behaviors.wait(1000) }
end

local function near(agent, place, within)
  return agent:position():distance(leeward.vec3(place)) <= within
end

after_each(function()
  assert.same({}, log)
  if world then world:destroy() end
end)

describe("MoveTo", function()
  local MoveTo = node "move_to"

  it("goes after an agent, wherever that goes", function()
    open()
    local leader = spawn(nil, { 10, 0, 10 }, { pace = "calm" })
    local agent = spawn(once(MoveTo { to = "leader", within = 1 }), { 35, 0, 35 },
      { pace = "fast", blackboard = { leader = leader } })
    assert(leader:move_to { 35, 0, 5 })
    while agent:move_state() ~= "arrived" do world:run(0.1) end
    assert.is_true(near(agent, leader:position(), 1.6))
    agent = spawn(once(MoveTo { to = "leader", within = 1 }), { 35, 0, 35 }, { blackboard = { leader = leader } })
    world:run(1)
    leader:despawn()
    world:run(1)
    assert.matches("MoveTo: agent %S+ is gone", agent:why())
  end)

  it("goes where a key leads, if it is to track that", function()
    open()
    local board = { goal = { 35, 0, 5 } }
    local tracks = spawn(once(MoveTo { to = "goal", track = true }), nil, { blackboard = board })
    local stays = spawn(once(MoveTo { to = "goal" }), nil, { blackboard = board })
    world:run(3)
    for _, agent in ipairs { tracks, stays } do agent.blackboard.goal = { 5, 0, 35 } end
    world:run(30)
    assert.is_true(near(tracks, { 5, 0, 35 }, 0.5))
    assert.is_true(near(stays, { 35, 0, 5 }, 0.5))
  end)
end)

describe("FindRandomPointOnNavMesh", function()
  local FindRandomPointOnNavMesh = node "find_random_point_on_navmesh"

  --- Two floors side by side, 4 m apart: draw 40 points for an agent on the western one.
  local function draw(options, expected)
    local level = leeward.geometry()
    level:add_box { min = { 0, -1, 0 }, max = { 10, 0, 10 } }
    level:add_box { min = { 14, -1, 0 }, max = { 24, 0, 10 }, area = "grass" }
    level:mark_area { area = "road", box = { at = { 2, 0, 5 }, size = { 4, 4, 10 } } }
    open(assert(leeward.bake(level)))
    local agent = spawn(behaviors.sequence { FindRandomPointOnNavMesh(options) }, { 7, 0, 5 })
    local points = {}
    for i = 1, 40 do
      world:step()
      points[i] = agent.blackboard.goal
    end
    assert.equal(expected or 40, #points)
    return points
  end

  it("draws what the agent can reach, also about a point elsewhere", function()
    for _, point in ipairs(draw { around = { 12, 0, 5 }, radius = 9 }) do assert.is_true(point.x < 10) end
    for _, point in ipairs(draw { around = { 12, 0, 5 }, radius = 9, connected_to = { 20, 0, 5 } }) do
      assert.is_true(point.x > 14)
    end
  end)

  it("draws on the areas that it is to", function()
    for _, point in ipairs(draw { only = { "road" } }) do assert.is_true(point.x < 4.5) end
    for _, point in ipairs(draw { avoid = { "road" } }) do assert.is_true(point.x > 3.5) end
    draw({ only = { "grass" } }, 0)
  end)
end)

describe("Patrol", function()
  local Patrol = node "patrol"
  local ROUTE = { { 5, 0, 5 }, { 15, 0, 5 }, { 15, 0, 15 } }

  it("walks round, and goes on where it was aborted", function()
    open()
    local agent = spawn(behaviors.selector {
      behaviors.condition { key = "alarm", abort = "both", behaviors.wait(1000) },
      Patrol { points = "route", wait = 0.5, pace = "fast" },
    }, nil, { blackboard = { route = ROUTE } })
    world:run(20)
    assert.is_true(agent:stats().goals_reached >= 5)
    while agent.blackboard.patrol_next ~= 3 do world:step() end
    agent.blackboard.alarm = true
    world:step()
    assert.equal("idle", agent:move_state()) -- an aborted run does not walk on
    assert.equal("normal", agent:pace())
    agent.blackboard.alarm = nil
    world:step()
    assert.equal(leeward.vec3(ROUTE[3]), agent:goal())
  end)

  it("end where the game stops the agent, in the next step", function()
    open()
    local MoveTo = node "move_to"
    local moving = spawn(once(MoveTo { to = { 30, 0, 30 } }))
    local told
    local waiting = spawn(once(behaviors.leaf { name = "Errand", run = function(agent)
      local arrived, reason = agent:move_to_and_wait { 30, 0, 30 }
      told = { arrived, reason }
      return "failure", reason
    end } {}))
    world:run(1)
    moving:stop()
    waiting:stop()
    world:step()
    assert.matches("MoveTo: the agent was stopped", moving:why(), 1, true)
    assert.is_not_nil(told)
    assert.is_falsy(told[1])
  end)

  it("leaves points out that it cannot reach, and fails where it reaches none", function()
    open()
    local agent = spawn(once(Patrol { points = { { 900, 0, 5 }, { 15, 0, 5 } } }))
    world:run(8)
    assert.is_true(near(agent, { 15, 0, 5 }, 0.5))
    agent = spawn(once(Patrol { points = { { 900, 0, 5 } } }))
    world:step()
    assert.matches("Patrol: goal is %(900, 0, 5%), expected a navmesh", agent:why())
    agent = spawn(once(Patrol { points = {} }))
    world:step()
    assert.matches("Patrol: there are no points to patrol between", agent:why())
    agent = spawn(once(Patrol { points = "nowhere" }))
    world:step()
    assert.matches("Patrol: the blackboard has no 'nowhere'", agent:why())
  end)
end)

describe("Flee", function()
  local Flee = node "flee"

  it("runs to where the threat is further, or does not see it", function()
    open(with_wall())
    local threat = world:add_threat { at = { 10, 1.6, 12 } }
    local agent = spawn(once(Flee { from = "enemy", distance = 15 }), { 14, 0, 12 },
      { blackboard = { enemy = threat } })
    world:run(10)
    local at = agent:position()
    assert.is_true(at:distance { 10, 0, 12 } > 12 or not world:sees({ 10, 1.6, 12 }, agent))
    assert.equal("normal", agent:pace())
  end)

  it("fails without a threat", function()
    open()
    local agent = spawn(once(Flee {}))
    world:step()
    assert.matches("Flee: there is no threat to flee from", agent:why())
  end)
end)

describe("Investigate and LookAt", function()
  it("go to a noise and turn to something", function()
    open()
    local agent = spawn(behaviors.selector {
      behaviors.condition { event = "heard", abort = "lower", node "investigate" { seconds = 1 } },
      behaviors.wait(1000),
    })
    agent:senses { hearing = { range = 50 } }
    world:step()
    assert.equal(1, world:noise { at = { 15, 0, 10 }, loudness = 30 })
    world:run(8)
    assert.is_true(near(agent, { 15, 0, 10 }, 1.8))
    agent:set_tree(once(node "look_at" { at = { 15, 0, 30 }, rate = 2 }))
    world:run(2.5)
    local to = leeward.vec3(15, 0, 30) - agent:position()
    assert.is_true(math.abs(math.atan(-to.z, to.x) - agent:heading()) < 0.01)
  end)

  it("turns no faster than `rate`", function()
    open()
    local agent = spawn(once(node "look_at" { at = { 1, 0, 5 }, rate = 1 }))
    world:run(1)
    assert.is_true(math.abs(agent:heading()) < 1.05 and math.abs(agent:heading()) > 0.9)
  end)
end)

describe("Search", function()
  local Search = node "search"

  it("goes to where one who hides may be seen, and finds it", function()
    open(with_wall())
    local hunter = spawn(once(Search { around = { 21.5, 0, 12 }, radius = 5 }), { 8, 0, 12 }, { team = "red" })
    local hidden = spawn(nil, { 22, 0, 12 }, { team = "blue" })
    hunter:senses { sight = { range = 40, half_angle = 3.14 } }
    assert.is_false(world:sees(hunter, hidden))
    world:run(15)
    assert.is_true(hunter:perceives(hidden) ~= nil)
    assert.is_nil(hunter:why():find("last failure", 1, true))
  end)

  it("says how many places it has looked at in vain", function()
    open(with_wall())
    local hunter = spawn(once(Search { around = { 21.5, 0, 12 }, radius = 5 }), { 8, 0, 12 }, { team = "red" })
    world:run(60)
    assert.matches("Search: it has looked at %d places? and seen nobody", hunter:why())
  end)
end)

describe("TakeCover", function()
  local TakeCover = node "take_cover"

  it("chooses another place when its cover stops hiding, on the way too", function()
    open(with_wall())
    local threat = world:add_threat { at = { 5, 1.6, 12 }, known_to = true }
    local agent = spawn(once(TakeCover { radius = 25, stay = true }), { 30, 0, 12 })
    world:run(0.5)
    local first = agent.blackboard.cover
    assert.is_true(first.point.x > 20)
    threat:move { 36, 1.6, 12 }
    world:run(6)
    local second = agent.blackboard.cover
    assert.is_true(second.point.x < 20)
    assert.is_false(agent:is_seen())
    threat:move { 5, 1.6, 12 } -- round to the other side, with the agent in its place
    world:run(6)
    assert.is_true(agent.blackboard.cover.point.x > 20)
    assert.is_false(agent:is_seen())
    threat:remove()
    world:run(1)
    assert.is_truthy(agent:why():find("> wait", 1, true))
  end)
end)

describe("a part of a try of TakeCover", function()
  it("is none", function()
    open(with_wall())
    local threat = world:add_threat { at = { 5, 1.6, 12 }, known_to = true }
    local agent = spawn(once(node "take_cover" { radius = 25, tries = 0.5 }), { 30, 0, 12 })
    world:run(0.5)
    threat:move { 36, 1.6, 12 }
    world:run(1)
    assert.matches("TakeCover: the cover no longer hides", agent:why())
  end)
end)

describe("IsInDanger", function()
  it("knows dangers, fire lanes and those who see", function()
    open()
    local agent = spawn(once(node "is_in_danger" {}))
    local function is_in_danger()
      agent:set_tree(once(node "is_in_danger" {}))
      world:step()
      return agent:why():find("IsInDanger: nothing endangers it", 1, true) == nil
    end
    assert.is_false(is_in_danger())
    local danger = world:add_danger { at = { 6, 0, 5 }, radius = 3, value = 1 }
    assert.is_true(is_in_danger())
    danger:remove()
    local lane = world:add_fire_lane { from = { 0, 1.5, 5 }, to = { 30, 1.5, 5 }, radius = 1 }
    assert.is_true(is_in_danger())
    lane:remove()
    world:step()
    assert.is_false(is_in_danger())
    world:add_threat { at = { 15, 1.6, 5 }, known_to = true }
    assert.is_true(is_in_danger())
  end)
end)

describe("Say and Reserve", function()
  it("tell the team near by", function()
    open()
    local heard = {}
    local function listener()
      return behaviors.selector {
        behaviors.condition { event = "contact", abort = "lower", behaviors.leaf {
          name = "Note",
          start = function(agent) heard[#heard + 1] = { agent, agent.blackboard["event.contact"] } return "success" end,
        } () },
        behaviors.wait(1000),
      }
    end
    local mate = spawn(listener(), { 10, 0, 5 }, { team = "red" })
    spawn(listener(), { 38, 0, 38 }, { team = "red" })
    spawn(listener(), { 8, 0, 5 }, { team = "blue" })
    spawn(behaviors.sequence {
      behaviors.wait(0.5), node "say" { name = "contact", value = "place", radius = 20 }, behaviors.wait(1000),
    }, nil, { team = "red", blackboard = { place = leeward.vec3(1, 2, 3) } })
    world:run(1)
    assert.equal(1, #heard)
    assert.equal(mate, heard[1][1])
    assert.equal(leeward.vec3(1, 2, 3), heard[1][2])
  end)

  it("let one have a thing at a time, and give it back", function()
    open()
    local Reserve = node "reserve"
    local function sitter() return behaviors.selector {
      behaviors.sequence { Reserve { what = "bench", behaviors.wait(1) }, behaviors.wait(1000) }, behaviors.wait(0.1),
    } end
    local one, two = spawn(sitter(), nil, { team = "red" }), spawn(sitter(), nil, { team = "red" })
    world:run(0.5)
    assert.equal(one, two.blackboard["team.reserved.bench"])
    assert.matches("Reserve: agent %S+ has it", two:why())
    world:run(0.8)
    assert.equal(two, one.blackboard["team.reserved.bench"])
    two:despawn()
    world:step()
    assert.is_nil(one.blackboard["team.reserved.bench"])
    assert.error_matches(function() Reserve { what = "bench", scope = "all", behaviors.wait(1) } end,
      "scope is 'all', expected 'team' or 'world'", 1, true)
    assert.has_error(function() Reserve { what = "bench" } end)
  end)
end)

describe("the options of these nodes", function()
  it("are refused where they cannot be right", function()
    for _, case in ipairs {
      { "patrol", { points = "x", wait = -1 }, "Patrol: wait is -1, expected seconds >= 0" },
      { "patrol", {}, "Patrol: points is nil, expected a list of points" },
      { "flee", { distance = 0 }, "Flee: distance is 0, expected metres > 0" },
      { "investigate", { pace = "run" }, "Investigate: pace is 'run', expected 'calm', 'normal' or 'fast'" },
      { "search", { places = 0 }, "Search: places is 0, expected a number > 0" },
      { "follow", { target = { 1, 2, 3 } }, "Follow: target is a table, expected an agent or a key of the blackboard" },
      { "find_random_point_on_navmesh", { connected_to = 1 },
        "FindRandomPointOnNavMesh: connected_to is 1, expected a point or a key of the blackboard" },
      { "look_at", {}, "LookAt: at is nil, expected a threat, an agent, a point" },
      { "look_at", { at = "x", rate = 0 }, "LookAt: rate is 0, expected radians per second > 0" },
      { "is_in_danger", { value = 0 }, "IsInDanger: value is 0, expected a number > 0" },
      { "say", {}, "Say: name is nil, expected the name of an event" },
      { "move_to", { to = "x", track = 1 }, "MoveTo: track is 1, expected a boolean" },
      { "take_cover", { tries = -1 }, "TakeCover: tries is -1, expected a number >= 0" },
      { "run_subtree", { tre = "wander" }, "tre" },
    } do
      local ok, message = pcall(node(case[1]), case[2])
      assert.is_false(ok, case[3])
      assert.is_truthy(message:find(case[3], 1, true), message)
    end
  end)
end)
