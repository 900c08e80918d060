-- The tree 'patrol': points in their order, and what a patrol reports.
local sim = require "leeward.testing"

local WATCH = { extends = "soldier", senses = { sight = { range = 20 }, hearing = { range = 40 }, memory = 4 } }

describe("the tree 'patrol'", function()
  local world

  before_each(function()
    world = sim.map [[
      1.......2....
      .............
      ....###......
      .............
      4.......3....
      .............
      ......E....N.
    ]]
  end)

  local function spawn(route)
    return sim.spawn("1", { profile = WATCH, tree = "patrol", team = "red", blackboard = { route = route } })
  end

  local function square() return { sim.place "1", sim.place "2", sim.place "3", sim.place "4" } end

  it("visits its points in order, round and round, and waits at each", function()
    local watch, visits = spawn(square()), {}
    sim.run(90, function()
      for _, name in ipairs { "1", "2", "3", "4" } do
        local is_there = watch:position():distance(sim.place(name)) < 0.5 and watch:move_state() == "arrived"
        if is_there and visits[#visits] ~= name then visits[#visits + 1] = name end
      end
    end)
    assert.equal("1234123", table.concat(visits):sub(1, 7))
    assert.is_true(watch:stats().walked < 90 * 1.5, "it walks at a calm pace")
    assert.replays_identically(world)
  end)

  it("leaves out a point that it cannot reach", function()
    local watch = spawn { sim.place "1", { 500, 0, 500 }, sim.place "4" }
    assert.reaches(watch, "4", 20)
    assert.reaches(watch, "1", 20)
  end)

  it("wanders where it has no route", function()
    assert.enters(spawn(nil), "wander", 1)
  end)

  it("stops to look at an enemy, tells its team, and goes on when the enemy is gone", function()
    local watch = spawn(square())
    local mate = sim.spawn("N", { name = "mate", profile = "soldier", tree = "hunter", team = "red" })
    assert.reaches(watch, "2", 30)
    sim.at(0, function() sim.spawn("E", { name = "enemy", profile = "soldier", team = "blue" }) end)
    assert.enters(watch, "watch", 10)
    assert.enters(mate, "help", 1)
    assert.enters(watch, "LookAt", 1)
    local stood = watch:position()
    sim.run(5)
    assert.near(watch, stood, 0.5)
    sim.at(0, function() sim.agent("enemy"):despawn() end)
    assert.enters(watch, "round", 2)
    assert.reaches(watch, "3", 30)
  end)

  it("goes to see what makes a noise, and back to where it was going", function()
    local watch = spawn(square())
    sim.at(4, function() sim.world():noise { at = sim.place "N", loudness = 40 } end)
    assert.enters(watch, "alert", 5)
    assert.reaches(watch, "N", 20, 2)
    assert.reaches(watch, "2", 30)
  end)
end)
