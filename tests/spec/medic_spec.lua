-- The tree 'medic': the wounded first, then its own skin, then its leader.
local sim = require "leeward.testing"

local MEDIC = { extends = "medic", senses = { sight = { range = 25, half_angle = math.pi }, memory = 4 } }

describe("the tree 'medic'", function()
  local world

  before_each(function()
    world = sim.map [[
      A..........#..........
      B..........#....W.....
      ...........#..........
      ......................
      L.....................
      ...........#........E.
    ]]
  end)

  local function spawn(at, blackboard)
    return sim.spawn(at, { profile = MEDIC, tree = "medic", team = "red", blackboard = blackboard })
  end

  --- A comrade that does nothing but note that it was treated.
  local function comrade(at)
    return sim.spawn(at, { name = "comrade", profile = "soldier", team = "red" })
  end

  local function wound(after)
    sim.at(after, function()
      local wounded = sim.agent "comrade"
      wounded.blackboard["team.wounded"] = wounded
    end)
  end

  it("runs to who is wounded, treats it crouching for five seconds, and clears the key", function()
    local medic, wounded = spawn "A", comrade "W"
    wound(2)
    assert.enters(medic, "treat", 3)
    assert.reaches(medic, wounded, 30, 1.5)
    assert.enters(medic, "Treat", 2)
    local began = world:time()
    assert.equal("crouch", medic:stance())
    assert(sim.run_until(function() return wounded.blackboard["team.wounded"] == nil end, 6))
    assert.near(world:time() - began, 5, 0.1)
    assert.equal("stand", medic:stance())
    assert.enters(medic, "wander", 2)
    assert.replays_identically(world)
  end)

  it("takes as long as the blackboard says", function()
    local medic, wounded = spawn("A", { heal_seconds = 1 }), comrade "W"
    wound(0)
    assert.enters(medic, "Treat", 30)
    assert(sim.run_until(function() return wounded.blackboard["team.wounded"] == nil end, 1.1))
  end)

  it("leaves the wounded to one medic at a time", function()
    local first, second = spawn "A", spawn "B"
    comrade "W"
    wound(0)
    assert(sim.run_until(function()
      assert.is_false(sim.runs(first, "Reserve") and sim.runs(second, "Reserve"))
      return sim.runs(first, "Treat") or sim.runs(second, "Treat")
    end, 30))
    assert(sim.run_until(function() return first.blackboard["team.wounded"] == nil end, 6))
    assert.is_nil(first.blackboard["team.reserved.wounded"])
  end)

  it("stops the treatment when the wounded is gone", function()
    local medic = spawn "A"
    comrade "W"
    wound(0)
    assert.enters(medic, "Treat", 30)
    sim.at(1, function() sim.agent("comrade"):despawn() end)
    assert(sim.run_until(function() return medic.blackboard["team.wounded"] == nil end, 8))
    assert.enters(medic, "wander", 3)
    assert.equal("stand", medic:stance())
    assert.same({}, sim.log())
  end)

  it("flees from an enemy that it sees", function()
    local medic = spawn "W"
    sim.at(1, function() sim.spawn("E", { profile = "soldier", team = "blue" }) end)
    assert.enters(medic, "escape", 3)
    assert.enters(medic, "Flee", 1)
  end)

  it("follows its leader", function()
    local leader = sim.spawn("L", { profile = "soldier", team = "red" })
    local medic = spawn("A", { leader = leader })
    assert.enters(medic, "follow", 1)
    sim.at(1, function() assert(sim.agent("L"):move_to(sim.place "W")) end)
    assert.reaches(leader, "W", 30)
    assert.reaches(medic, leader, 10, 4)
    sim.at(0, function() sim.agent("L"):despawn() end)
    assert.enters(medic, "wander", 3)
  end)
end)
