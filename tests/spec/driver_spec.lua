-- The tree 'driver': trips, a route, and a bay to park in.
local sim = require "leeward.testing"

describe("the tree 'driver'", function()
  local world

  before_each(function()
    -- A block of grass with a road round it.
    world = sim.map([[
      =========================
      =1=====================2=
      =========================
      ===,,,,,,,,,,,,,,,,,,,===
      ===,,,,,,,,,,,,,,,,,,,===
      =A=,,,,,,,,,,,,,,,,,,,=B=
      ===,,,,,,,,,,,,,,,,,,,===
      ===,,,,,,,,,,,,,,,,,,,===
      =========================
      =4=====================3=
      =========================
    ]], { bake = { cell_size = 0.3, agent_radius = 1.1, agent_height = 1.6 } })
  end)

  local function spawn(blackboard)
    return sim.spawn("A", { name = "car", profile = "car", tree = "driver", blackboard = blackboard })
  end

  local function route()
    return { sim.place "1", sim.place "2", sim.place "3", sim.place "4" }
  end

  it("drives round its route, and keeps to the road", function()
    local car = spawn { route = route() }
    for _, place in ipairs { "1", "2", "3", "4", "1" } do
      assert.enters(car, "Patrol", 1)
      assert.avoids(car, ",")
      assert.reaches(car, place, 40, 3)
    end
    assert.replays_identically(world)
  end)

  it("goes to places far about where it has no route", function()
    local car = spawn {}
    assert.enters(car, "trip", 1)
    sim.run(60)
    local stats = car:stats()
    assert.is_true(stats.goals_reached >= 2, stats.goals_reached .. " goals")
    assert.is_true(stats.walked > 60)
    assert.equal(0, stats.off_mesh)
  end)

  it("parks in its bay, in the direction of that, and stays there", function()
    for _, heading in ipairs { math.pi / 2, -math.pi / 2 } do
      local van = sim.spawn("A", {
        profile = { extends = "car", radius = 1, length = 4, width = 2, wheelbase = 2.4 }, tree = "driver",
        blackboard = { bay = sim.place "B", bay_heading = heading },
      })
      assert.enters(van, "park", 1)
      assert(sim.run_until(function() return van:move_state() == "arrived" end, 60))
      assert.near(van, "B", 0.5)
      assert.near(math.cos(van:heading() - heading), 1, 0.01)
      local parked = van:position()
      sim.run(30)
      assert.near(van, parked)
      van:despawn()
    end
  end)

  it("leaves its route for a bay, and goes back when that is taken away", function()
    local car = spawn { route = route() }
    assert.reaches(car, "1", 20, 3)
    sim.at(0, function()
      sim.agent("car").blackboard.bay_heading = -math.pi / 2
      sim.agent("car").blackboard.bay = sim.place "A"
    end)
    assert.enters(car, "park", 1)
    assert.reaches(car, "A", 60)
    sim.at(5, function() sim.agent("car").blackboard.bay = nil end)
    assert.enters(car, "route", 20)
    assert.reaches(car, "2", 60, 3)
    assert.replays_identically(world)
  end)
end)
