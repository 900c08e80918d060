-- Looking out of cover, and what the leaves do about orders from elsewhere and enemies that die.
local leeward = require "leeward"
local behaviors = require "behaviors"
local TakeCover = require "behaviors.nodes.take_cover"
local Peek = require "behaviors.nodes.peek"

-- 60 x 60 m, the enemy in the east, behind walls 3 m high and 3, 6 and 12 m long.
local function field(length)
  local geometry = leeward.geometry()
  geometry:add_box { at = { 0, -1, 0 }, size = { 60, 1, 60 } }
  geometry:add_box { at = { 0, 0, 0 }, size = { 1, 3, length }, area = false }
  return leeward.bake(geometry, { agent_radius = 0.4, cell_size = 0.2 })
end
local SHORT, MIDDLE, LONG = field(3), field(6), field(12)
local ENEMY, START = { 20, 1.6, 0 }, { -6, 0, 0 }

local errors
local function make(navmesh)
  errors = {}
  return leeward.world {
    navmesh = navmesh,
    log = function(level, message) if level == "error" then errors[#errors + 1] = message end end,
  }
end

local function spawn(world, at, blackboard, ...)
  return assert(world:spawn {
    profile = "soldier", at = at, team = "red", blackboard = blackboard, tree = behaviors.sequence { ... },
  })
end

local function rest() return behaviors.wait(1000) end

--- Run until it is so; how many steps that took.
local function run_until(world, is_so)
  for step = 1, 1200 do
    world:step()
    if is_so() then return step end
  end
  error "it was never so"
end

--- An agent that took cover in the middle of the short wall, and has just stepped out to look.
local function looking_out(options)
  local world = make(SHORT)
  world:add_threat { at = ENEMY, known_to = "red" }
  local agent = spawn(world, START, { enemy = options.enemy or ENEMY }, TakeCover {},
    Peek { at = "enemy", seconds = options.seconds or 2 }, rest())
  local home
  run_until(world, function()
    home = home or agent:why():match "Peek" and agent:position()
    return home and agent:move_state() == "arrived" and agent:position():distance(home) > 1
  end)
  return world, agent, home
end

describe("Peek", function()
  it("leaves an agent alone that is sent elsewhere while it looks", function()
    local world, agent, home = looking_out { seconds = 1 }
    agent:move_to { -25, 0, -25 }
    run_until(world, function()
      assert.equal(leeward.vec3(-25, 0, -25), agent:goal())
      return agent:move_state() == "arrived"
    end)
    assert.is_true(agent:position():distance { -25, 0, -25 } < 0.5)
    world:step()
    assert.matches("the agent was sent somewhere else", agent:why(), 1, true)
    assert.is_nil(agent.blackboard.seen)
    assert.is_nil(agent:cover())
    assert.is_true(agent:position():distance(home) > 30)
    assert.equal("normal", agent:pace())
  end)

  it("leaves an agent alone that is stopped while it looks", function()
    local world, agent, home = looking_out { seconds = 0.5 }
    agent.blackboard.cover = nil -- so that the next one does not send it anywhere
    local at = agent:position()
    agent:stop()
    world:run(0.6)
    assert.matches("the agent was stopped", agent:why(), 1, true)
    assert.is_true(at:distance(home) > 1)
  end)

  it("goes back, and then fails, when its target dies", function()
    local world = make(SHORT)
    local enemy = world:spawn { profile = "soldier", at = { 20, 0, 0 }, team = "blue" }
    world:add_threat { at = ENEMY, known_to = "red" }
    local agent = spawn(world, START, { enemy = enemy }, TakeCover {}, Peek { at = "enemy", seconds = 1 }, rest())
    run_until(world, function() return agent:is_seen() and agent:why():match "Peek: arrived" end)
    enemy:kill()
    run_until(world, function() return agent:why():match "last failure" end)
    assert.matches("agent 1 is gone", agent:why(), 1, true)
    assert.is_false(agent:is_seen())
    assert.is_false(agent.blackboard.seen)
    assert.is_true(agent:position():distance(agent.blackboard.cover.point) < 0.3)
    assert.same({}, errors)
  end)

  it("fails when its target is gone already", function()
    local world = make(SHORT)
    local threat = world:add_threat { at = ENEMY, known_to = "red" }
    local ghost = world:add_threat { at = ENEMY }
    local agent = spawn(world, START, { enemy = ghost }, TakeCover {}, behaviors.wait(1), Peek { at = "enemy" })
    ghost:remove()
    run_until(world, function() return agent:why():match "threat 2 is gone" end)
    assert.is_true(threat:exists())
    assert.same({}, errors)
  end)

  it("comes home whatever ends it", function()
    local world, agent, home = looking_out { seconds = 0.5 }
    agent.blackboard.enemy = 7 -- a mistake of a script's
    agent.blackboard.cover = nil -- so that the next one does not send it anywhere
    world:run(0.6)
    assert.matches("Peek", errors[1], 1, true)
    run_until(world, function() return agent:position():distance(home) < 0.3 end)
  end)

  it("does not overrule an order that came before it began", function()
    local world, agent, home = looking_out { seconds = 0.1 }
    local cover = agent.blackboard.cover
    agent:despawn()
    local busy = spawn(world, home, { cover = cover }, Peek { at = ENEMY }, rest())
    busy:move_to { -20, 0, 0 }
    world:step()
    assert.matches("the agent is on its way somewhere", busy:why(), 1, true)
    assert.equal(leeward.vec3(-20, 0, 0), busy:goal())
  end)

  it("keeps its cover however far it steps out, and others out of it", function()
    local world = make(MIDDLE)
    world:add_threat { at = ENEMY, known_to = "red" }
    local agent = spawn(world, { -2, 0, 0 }, { enemy = ENEMY }, TakeCover { leash = 1 }, Peek { at = "enemy" }, rest())
    local farthest = 0
    run_until(world, function()
      local cover = agent.blackboard.cover
      if cover and agent:why():match "Peek" then
        farthest = math.max(farthest, agent:position():distance(cover.point))
        assert.equal(cover.point, (agent:cover()))
      end
      return agent.blackboard.seen
    end)
    world:run(5)
    assert.is_true(farthest > 2.5, farthest .. " m out")
    local point, leash = agent:cover()
    assert.same({ agent.blackboard.cover.point, 1 }, { point, leash })
  end)

  it("works from the middle of a wall of 6 m, as both leaves come", function()
    local world = make(MIDDLE)
    world:add_threat { at = ENEMY, known_to = "red" }
    local agent = spawn(world, START, { enemy = ENEMY }, TakeCover {}, Peek { at = "enemy" }, rest())
    run_until(world, function() return agent.blackboard.seen end)
    world:run(5)
    assert.is_false(agent:is_seen())
    assert.is_nil(agent:why():match "last failure")
  end)

  it("asks the navmesh that its agent walks on", function()
    local geometry = leeward.geometry()
    geometry:add_box { at = { 0, -1, 0 }, size = { 60, 1, 60 } }
    for side = -1, 1, 2 do -- a gate of 1.2 m
      geometry:add_box { at = { side * 5.6, 0, 0 }, size = { 10, 3, 1 }, area = false }
    end
    local small = leeward.bake(geometry, { agent_radius = 0.3, cell_size = 0.1 })
    local large = leeward.bake(geometry, { agent_radius = 0.9, cell_size = 0.1 })
    local world = leeward.world { navmeshes = { small, large } }
    local from, to = leeward.vec3(0, 0, -4), leeward.vec3(0, 0, 4)
    local giant = world:spawn { profile = { extends = "soldier", radius = 0.9 }, at = from }
    local dwarf = world:spawn { profile = { extends = "soldier", radius = 0.3 }, at = from }
    assert.is_true((giant:raycast(from, to)))
    assert.is_false((dwarf:raycast(from, to)))
    local hit, _, code = dwarf:raycast({ 0, 500, 0 }, to)
    assert.same({ nil, "NO_START" }, { hit, code })
  end)
end)

describe("TakeCover", function()
  it("finds places to look out from, where it is asked to", function()
    for _, peek in ipairs { 1, 2.5 } do
      local world = make(LONG)
      world:add_threat { at = ENEMY, known_to = "red" }
      local agent = spawn(world, START, { enemy = ENEMY }, TakeCover { peek = peek },
        Peek { at = "enemy", reach = peek }, rest())
      run_until(world, function() return agent.blackboard.seen end)
      assert.is_nil(agent:why():match "last failure")
      assert.is_true(math.abs(agent.blackboard.cover.point.z) > 5.5 - peek)
    end
  end)

  it("fails where it cannot look out of any", function()
    local world = make(LONG)
    world:add_threat { at = ENEMY, known_to = "red" }
    local agent = spawn(world, { -1, 0, 0 }, {}, TakeCover { peek = 2, radius = 3 }, rest())
    world:step()
    assert.matches("no free cover there to look out from", agent:why(), 1, true)
    assert.is_nil(agent:cover())
  end)

  it("fails when the enemy that it hides from dies on the way, and again as long as it is asked to", function()
    local world = make(SHORT)
    local enemy = world:spawn { profile = "soldier", at = { 20, 0, 0 }, team = "blue" }
    local agent = spawn(world, { -16, 0, 0 }, { enemy = enemy }, TakeCover { from = "enemy" }, rest())
    world:run(1)
    assert.is_not_nil(agent:cover())
    enemy:despawn()
    world:run(10)
    assert.matches("agent 1 is gone", agent:why(), 1, true)
    assert.is_nil(agent:cover())
    assert.same({}, errors)
  end)

  it("hides from those of a list that are still there", function()
    local world = make(SHORT)
    local enemies = {}
    for number, z in ipairs { -4, 0, 4 } do
      enemies[number] = world:spawn { profile = "soldier", at = { 20, 0, z }, team = "blue" }
    end
    local agent = spawn(world, START, { enemies = enemies }, TakeCover { from = "enemies" }, rest())
    enemies[1]:kill()
    world:run(0.5)
    enemies[3]:kill()
    world:run(5)
    assert.is_false(agent:is_seen { enemies[2] })
    assert.is_not_nil(agent:cover())
    assert.is_nil(agent:why():match "last failure")

    local lonely = spawn(world, START, { enemies = {} }, TakeCover { from = "enemies" }, rest())
    world:step()
    assert.matches("there is no threat to take cover from", lonely:why(), 1, true)
    assert.same({}, errors)
  end)

  it("refuses what makes no sense", function()
    local ok, message = pcall(TakeCover, { peek = -1 })
    assert.is_false(ok)
    assert.matches("TakeCover: peek is -1, expected metres >= 0", message, 1, true)
  end)
end)

describe("agent:eye", function()
  it("tells where it would look from in another stance", function()
    local agent = make(SHORT):spawn { profile = "soldier", at = START, stance = "crouch" }
    assert.equal(agent:eye "crouch", agent:eye())
    local tall = agent:eye "stand"
    agent:set_stance "stand"
    assert.equal(tall, agent:eye())
    assert.has_error(function() agent:eye "sit" end, "eye: stance is 'sit', expected 'stand' or 'crouch'")
  end)
end)
