-- The tree 'civilian': a walk about, until somebody or something frightens it.
local sim = require "leeward.testing"

-- One that looks about, so that nobody comes upon it from behind.
local CIVILIAN = {
  extends = "civilian", senses = { sight = { range = 25, half_angle = math.pi }, hearing = { range = 40 }, memory = 5 },
}

describe("the tree 'civilian'", function()
  local world

  before_each(function()
    world = sim.map [[
      .....................
      .....................
      ......#####..........
      A...C.....#....E.....
      ......#####..........
      .....................
      ...................N.
    ]]
  end)

  local function spawn(at) return sim.spawn(at, { profile = CIVILIAN, tree = "civilian", team = "town" }) end

  local function robber(at) return sim.spawn(at, { name = "robber", profile = "soldier", team = "robbers" }) end

  it("wanders in peace", function()
    local civilian = spawn "C"
    sim.run(30)
    assert.is_true(civilian:stats().goals_reached > 0)
    assert.is_not.enters(civilian, "Flee", 10)
  end)

  it("runs from an enemy that it sees, and stays away", function()
    sim.seeds(12, function()
      local civilian = spawn "C"
      local enemy = robber "A"
      assert.enters(civilian, "Flee", 3)
      assert.equal("fast", civilian:pace())
      local before = civilian:position():distance(enemy:position())
      assert(sim.run_until(function() return civilian:move_state() ~= "walking" end, 15))
      local is_far = civilian:position():distance(enemy:position()) > before + 8
      assert.is_true(is_far or not sim.world():sees(enemy, civilian))
    end)
  end)

  it("runs from a noise", function()
    local civilian = spawn "C"
    sim.at(1, function() sim.world():noise { at = sim.place "A", loudness = 40 } end)
    assert.enters(civilian, "fright", 2)
    assert.enters(civilian, "Flee", 1)
    assert.is_not.reaches(civilian, "A", 10, 8)
  end)

  it("calms down when the enemy is gone", function()
    local civilian = spawn "C"
    robber "A"
    assert.enters(civilian, "Flee", 3)
    sim.at(0, function() sim.agent("robber"):despawn() end)
    assert.enters(civilian, "wander", 20)
    assert.equal("normal", civilian:pace())
  end)

  it("is the same again whenever it is run", function()
    spawn "C"
    robber "E"
    sim.at(8, function() sim.world():noise { at = sim.place "N", loudness = 40 } end)
    sim.run(25)
    assert.replays_identically(world)
    assert.same({}, sim.log())
  end)
end)
