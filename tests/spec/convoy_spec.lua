-- The tree 'convoy': a column that keeps its order and its distance, whoever leads it.
local sim = require "leeward.testing"

local VEHICLE = { avoidance = "full", acceleration = 3, deceleration = 5, lateral_acceleration = 4, turn_rate = 2 }

describe("the tree 'convoy'", function()
  local world, cars

  before_each(function()
    -- A road round a field, and a column on its way up the western side.
    world = sim.map([[
      ===1=======================2===
      ===============================
      ===============================
      ======,,,,,,,,,,,,,,,,,,,======
      ===A==,,,,,,,,,,,,,,,,,,,======
      ======,,,,,,,,,,,,,,,,,,,======
      ======,,,,,,,,,,,,,,,,,,,======
      ===B==,,,,,,,,,,,,,,,,,,,======
      ======,,,,,,,,,,,,,,,,,,,======
      ======,,,,,,,,,,,,,,,,,,,======
      ===C==,,,,,,,,,,,,,,,,,,,======
      ===============================
      ===============================
      ===4=======================3===
    ]], { bake = { cell_size = 0.3, agent_radius = 1.1, agent_height = 1.6 } })
    cars = {}
    local route = { sim.place "4", sim.place "1", sim.place "2", sim.place "3" } -- it begins with the second
    for number, kind in ipairs { "car", "truck", "car" } do
      local profile = { extends = kind }
      for key, value in pairs(VEHICLE) do profile[key] = value end
      cars[number] = sim.spawn(({ "A", "B", "C" })[number], {
        profile = profile, tree = "convoy", blackboard = { route = route },
      })
    end
    sim.at(0, function(where)
      where:group { agents = { sim.agent "A", sim.agent "B", sim.agent "C" }, formation = "column", spacing = 6 }
    end)
  end)

  local function distance(a, b) return cars[a]:position():distance(cars[b]:position()) end

  it("drives up a road one behind the other, as far apart as it takes to brake", function()
    assert.enters(cars[1], "LeadGroup", 1)
    assert(sim.run_until(function()
      local first, second, third = cars[1]:position().z, cars[2]:position().z, cars[3]:position().z
      assert.is_true(first < second and second < third)
      return first < 4
    end, 20))
    assert.is_true(distance(1, 2) > 5 and distance(2, 3) > 5)
    assert.is_true(distance(1, 3) < 25)
  end)

  it("comes to the points of the route in turn, all together, and nobody touches another one", function()
    local nearest = math.huge
    assert.enters(cars[1], "LeadGroup", 1)
    for _, place in ipairs { "1", "2", "3" } do
      assert(sim.run_until(function()
        nearest = math.min(nearest, distance(1, 2), distance(2, 3), distance(1, 3))
        local group = cars[1]:group():get()
        return group.move == "arrived" and cars[1]:goal():distance(sim.place(place)) < 1
      end, 60))
      assert.enters(cars[1], "wait", 0.5) -- a moment at each point
      for number in ipairs(cars) do assert.reaches(cars[number], place, 1, 20) end
    end
    assert.is_true(nearest > 3, nearest .. " m apart")
    assert.replays_identically(world)
  end)

  it("lets nobody lead but the first, and the next one when that is gone", function()
    assert.enters(cars[1], "lead", 1)
    assert.is_not.enters(cars[2], "lead", 5)
    sim.at(0, function() sim.agent("A"):despawn() end)
    assert.enters(cars[2], "lead", 5)
    assert.is_not.enters(cars[3], "lead", 0)
    assert.reaches(cars[2], "1", 30, 8)
  end)

  it("waits where it is in no group", function()
    sim.at(1, function() sim.agent("A"):group():remove() end)
    sim.run(3)
    assert.matches("LeadGroup: it is in no group", cars[1]:why(), 1, true)
    assert.same({}, sim.log())
  end)
end)
