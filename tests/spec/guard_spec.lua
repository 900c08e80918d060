-- The tree 'guard': its rounds, and what it does about enemies and noises.
local sim = require "leeward.testing"

local GUARD = { extends = "soldier", senses = { sight = { range = 30 }, hearing = { range = 40 }, memory = 12 } }

describe("the tree 'guard'", function()
  local world

  before_each(function()
    -- Walls to hide behind; the enemy comes to E, and may go to H, where nobody on the route sees it.
    world = sim.map [[
      1............2.......
      .....................
      ....##....##...####..
      ...............#..#..
      ...............#..#..
      ..##....##......H.#..
      3......E.......####..
    ]]
  end)

  local function spawn(at)
    return sim.spawn(at or "1", {
      name = "guard", profile = GUARD, tree = "guard", team = "red",
      blackboard = { route = { sim.place "1", sim.place "2", sim.place "3" } },
    })
  end

  local function enemy_at(seconds)
    sim.at(seconds, function() sim.spawn("E", { name = "enemy", profile = "soldier", team = "blue" }) end)
  end

  --- Until it does that, behind cover.
  local function in_cover(guard, enemy)
    return function() return guard:cover() ~= nil and not guard:is_seen { enemy } end
  end

  it("goes round its route, at a calm pace", function()
    local guard = spawn()
    for _, place in ipairs { "2", "3", "1", "2" } do assert.reaches(guard, place, 25) end
    assert.equal("calm", guard:pace())
    assert.same({}, sim.log())
  end)

  it("stands up when it goes on from behind a low wall", function()
    world = sim.map [[
      1........2
      ..........
      ++++..++++
      ....3.....
      ....E.....
    ]]
    local guard = spawn()
    local enemy = sim.spawn("E", { profile = "soldier", team = "blue" })
    assert(sim.run_until(function() return guard:stance() == "crouch" end, 15))
    enemy:despawn()
    assert(sim.run_until(function() return not guard:cover() and guard:move_state() == "walking" end, 40))
    assert.equal("stand", guard:stance())
  end)

  it("wanders where it has no route", function()
    local guard = sim.spawn("1", { profile = GUARD, tree = "guard" })
    assert.enters(guard, "FindRandomPointOnNavMesh", 1)
  end)

  it("takes cover from an enemy that it notices, looks out, and goes back to its route", function()
    local guard = spawn "2"
    enemy_at(3)
    assert.enters(guard, "TakeCover", 15)
    local enemy = sim.agent "enemy"
    assert.is_truthy(guard:perceives(enemy))
    assert(sim.run_until(in_cover(guard, enemy), 10))
    assert.enters(guard, "Peek", 2)
    assert(sim.run_until(function() return guard.blackboard.seen end, 5))
    assert.near(guard.blackboard.seen, "E", 0.5)
    assert(sim.run_until(in_cover(guard, enemy), 5))

    sim.at(0, function() sim.agent("enemy"):despawn() end)
    assert.enters(guard, "Patrol", 2)
    assert.reaches(guard, "3", 30)
    assert.replays_identically(world)
  end)

  it("runs to its cover on a way that the enemy hardly sees", function()
    local guard = spawn "2"
    enemy_at(3)
    assert.enters(guard, "TakeCover", 15)
    assert.exposed_below(guard, sim.agent "enemy", 0.5)
  end)

  it("takes cover elsewhere when the enemy comes round", function()
    local guard = spawn "2"
    enemy_at(3)
    assert.enters(guard, "TakeCover", 15)
    local enemy = sim.agent "enemy"
    assert(sim.run_until(in_cover(guard, enemy), 10))
    local first = guard:cover()
    sim.at(0, function() sim.agent("enemy"):move_to(sim.place "2", { cost = { cover_bias = 1 } }) end)
    assert(sim.run_until(function() return guard:cover() and guard:cover() ~= first end, 30))
    assert(sim.run_until(in_cover(guard, enemy), 10))
  end)

  it("searches for an enemy that it has lost", function()
    local guard = spawn "2"
    enemy_at(3)
    assert.enters(guard, "Peek", 20)
    sim.at(2, function() sim.agent("enemy"):move_to(sim.place "H", { pace = "fast", cost = { cover_bias = 1 } }) end)
    assert.enters(guard, "Search", 15)
  end)

  it("tells its team what it has seen", function()
    local guard = spawn "2"
    local mate = sim.spawn("1", { name = "mate", profile = "soldier", tree = "hunter", team = "red" })
    enemy_at(3)
    assert.enters(guard, "Say", 15)
    assert.enters(mate, "help", 1)
  end)

  it("goes to a noise, and back to its route", function()
    local guard = spawn "1"
    sim.at(3, function(where) where:noise { at = sim.place "E", loudness = 40 } end)
    assert.enters(guard, "Investigate", 4)
    assert.reaches(guard, "E", 20, 2)
    assert.enters(guard, "Patrol", 10)
  end)
end)
