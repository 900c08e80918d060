-- The tree 'hunter': it goes after enemies, searches for those it has lost, and comes where others need it.
local sim = require "leeward.testing"

local HUNTER = { extends = "soldier", senses = { sight = { range = 30 }, hearing = { range = 40 }, memory = 15 } }

describe("the tree 'hunter'", function()
  local world

  before_each(function()
    world = sim.map [[
      ..............#.......
      ..............#.......
      A.....E.......#H......
      ..............#.......
      ......................
      ......................
      B.......N............C
    ]]
  end)

  local function spawn(at) return sim.spawn(at, { profile = HUNTER, tree = "hunter", team = "red" }) end

  --- Somebody who walks straight to a place, whoever looks on, when it is sent.
  local function prey(at)
    return sim.spawn(at, { name = "prey", profile = { extends = "soldier", cover_bias = 1 }, team = "blue" })
  end

  local function send(place, after)
    sim.at(after or 0, function() assert(sim.agent("prey"):move_to(sim.place(place), { pace = "fast" })) end)
  end

  it("runs up to an enemy that it sees, and keeps its eyes on it", function()
    local hunter, enemy = spawn "A", prey "E"
    assert.enters(hunter, "chase", 2)
    assert.reaches(hunter, enemy, 20, 4.5)
    assert.enters(hunter, "LookAt", 2)
    assert.is_true(hunter:perceives(enemy).seen)
  end)

  it("goes after an enemy that runs away", function()
    local hunter, enemy = spawn "A", prey "E"
    send("N", 1)
    assert.enters(hunter, "chase", 2)
    sim.run(4)
    assert.reaches(hunter, enemy, 20, 4.5)
    assert.reaches(hunter, "N", 1, 5)
    assert.replays_identically(world)
  end)

  it("searches where an enemy may be that has gone out of its sight, and finds it", function()
    local hunter, enemy = spawn "A", prey "E"
    assert.enters(hunter, "chase", 2)
    send "H"
    local function is_seen() return hunter.blackboard["sense.enemy_seen"] == true end
    assert(sim.run_until(function() return not is_seen() end, 10))
    assert.enters(hunter, "Search", 15)
    assert(sim.run_until(is_seen, 20))
    assert.reaches(hunter, enemy, 10, 4.5)
  end)

  it("gives the search up, and wanders again, when nobody is there", function()
    local hunter = spawn "A"
    prey "E"
    assert.enters(hunter, "chase", 2)
    sim.at(0, function() sim.agent("prey"):despawn() end)
    assert.enters(hunter, "wander", 30)
    assert.is_nil(hunter.blackboard["sense.enemy"])
  end)

  it("comes where a comrade has seen somebody", function()
    local hunter = spawn "B"
    hunter:set_heading(0)
    sim.at(1, function() sim.agent("B"):send("contact", sim.place "C") end)
    assert.enters(hunter, "help", 2)
    assert.reaches(hunter, "C", 20, 2)
  end)

  it("goes to noises", function()
    local hunter = spawn "B"
    sim.at(1, function() sim.world():noise { at = sim.place "N", loudness = 40 } end)
    assert.enters(hunter, "alert", 2)
    assert.reaches(hunter, "N", 15, 2)
    assert.enters(hunter, "wander", 10)
  end)
end)
