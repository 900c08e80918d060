-- Ways to a vehicle that carries its hull: an obstacle, cut out while the vehicle rests.
local leeward = require "leeward"
local MoveTo = require "behaviors.nodes.move_to"
local Follow = require "behaviors.nodes.follow"
local HULL = { length = 7, width = 3.5 }

local function field()
  local navmesh = leeward.navmesh { vertices = { { -40, 0, -20 }, { 40, 0, -20 }, { 40, 0, 20 }, { -40, 0, 20 } },
    polygons = { { 1, 4, 3, 2 } }, agent_radius = 0.4 }
  return leeward.world { navmesh = navmesh, seed = 1 }
end

--- Distance in xz from a point to the hull of a truck at the origin that is not turned.
local function distance_to_hull(at)
  local dx = math.max(0, math.abs(at.x) - HULL.length / 2)
  local dz = math.max(0, math.abs(at.z) - HULL.width / 2)
  return math.sqrt(dx * dx + dz * dz)
end

describe("a vehicle that rests with its hull around it", function()
  local world, truck
  before_each(function()
    world = field()
    truck = world:spawn { profile = "truck", at = { 0, 0, 0 } }
    world:add_obstacle { carrier = truck, size = { HULL.length, 2.5, HULL.width } }
    world:run(0.5)
  end)

  for name, radius in pairs { soldier = 0.4, car = 1.1, truck = 1.4 } do
    it("is where a " .. name .. " comes as near as it gets", function()
      local agent = world:spawn { profile = name, at = { -20, 0, 5 } }
      assert.is_true(agent:move_to(truck:position()))
      world:run(20)
      assert.equal("arrived", agent:move_state())
      local distance = distance_to_hull(agent:position())
      assert.is_true(distance > radius - 0.05 and distance < radius + 0.5, tostring(distance))
    end)

    it("is boarded by a " .. name .. " with MoveTo, and followed with Follow", function()
      local boards = world:spawn { profile = name, at = { -20, 0, 5 }, tree = MoveTo { to = truck, within = 3 } }
      local follows = world:spawn { profile = name, at = { -20, 0, -5 }, tree = Follow { target = truck, within = 3 } }
      world:run(20)
      assert.equal("arrived", boards:move_state())
      assert.equal("arrived", follows:move_state())
      assert.is_true(distance_to_hull(boards:position()) < 3)
    end)
  end
end)

describe("a goal that nothing carries", function()
  it("is farther from ground by `within` at most", function()
    local world = field()
    world:add_obstacle { at = { 0, 0, 0 }, size = { 12, 2, 12 } }
    world:apply_changes()
    local agent = world:spawn { profile = "soldier", at = { -20, 0, 5 } }
    assert.equal("NO_GOAL", select(3, agent:move_to({ 0, 0, 0 }, { within = 3 })))
    assert.is_true(agent:move_to({ 0, 0, 0 }, { within = 6 }))
    world:run(20)
    assert.equal("arrived", agent:move_state())
    assert.is_true(agent:position():length() < 13) -- by `within` from where the path ends, 6.4 m from the goal
  end)
end)
