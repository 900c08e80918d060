-- One navmesh for agents of all sizes: small ones go through the door, large ones round by the gate.

local leeward = require "leeward"
local vec3 = leeward.vec3

local BAKED_FOR = 0.4
--- What the disc may cross a wall by, and how far apart it is looked at. [m]
local ALLOWED, STEP = 0.05, 0.01

leeward.profile("test_tank", { extends = "human", radius = 1.5, speed = { normal = 6 } })

--- A yard 30 x 24 m. A wall with a door of 2 m at z = 5 divides it, and at its end, z > 18, is the gate.
---     +---------+-+---------+
---     |          d          |   z = 4..6
---     |         | |         |
---     |         +-+         |   z = 16
---     |         gate        |
---     +---------------------+
local function yard()
  local geometry = leeward.geometry()
  geometry:add_box { min = { 0, -1, 0 }, max = { 30, 0, 24 } }
  geometry:add_box { min = { 14.5, 0, 0 }, max = { 15.5, 3, 4 }, area = false }
  geometry:add_box { min = { 14.5, 0, 6 }, max = { 15.5, 3, 16 }, area = false }
  return leeward.bake(geometry, { agent_radius = BAKED_FOR, cell_size = 0.1 })
end

local WEST, EAST = { 5, 0, 5 }, { 25, 0, 5 }

--- The smallest distance to a wall along the segments from point to point.
local function min_clearance(world, points)
  local smallest = math.huge
  for i = 2, #points do
    local a, b = points[i - 1], points[i]
    local steps = math.max(1, math.ceil(a:distance(b) / STEP))
    for s = 0, steps do
      smallest = math.min(smallest, (world:distance_to_wall(a + (b - a) * (s / steps))))
    end
  end
  return smallest
end

describe("a tank that is shut in between the walls of one polygon", function()
  it("goes straight towards a goal that it cannot reach, as far as it fits", function()
    local garage = leeward.navmesh { vertices = { { 0, 0, 0 }, { 6, 0, 0 }, { 6, 0, 2.8 }, { 6, 0, 3.2 }, { 6, 0, 6 },
      { 0, 0, 6 }, { 20, 0, 2.8 }, { 20, 0, 3.2 } }, polygons = { { 1, 2, 3, 4, 5, 6 }, { 3, 7, 8, 4 } },
      agent_radius = BAKED_FOR }
    local world = leeward.world { navmesh = garage }
    for _, goal in ipairs { { 19, 0, 3 }, { 40, 0, 3 }, { 2, 0, 20 } } do
      local query = { from = { 2, 0, 3 }, to = goal, profile = "test_tank" }
      assert.is_nil((world:find_path(query)))
      query.allow_partial = true
      local path = assert(world:find_path(query))
      local points = path:points()
      assert.is_true(path:is_partial())
      assert.is_true(points[1]:distance(query.from) < 0.01)
      assert.is_true(path:length() > 1.8 and path:length() < 2.95, tostring(path:length()))
      assert.is_true(min_clearance(world, points) > 1.5 - BAKED_FOR - ALLOWED)
      assert.is_true(world:search(query):finish():is_partial())
    end
  end)
end)

describe("one navmesh for infantry and tanks", function()
  local world, navmesh
  setup(function() navmesh = yard() end)
  before_each(function() world = leeward.world { navmesh = navmesh, seed = 3 } end)

  it("lets infantry through the door", function()
    local path = assert(world:find_path { from = WEST, to = EAST, profile = "soldier" })
    assert.near(20, path:length(), 0.1)
  end)

  it("sends the tank round by the gate", function()
    local path = assert(world:find_path { from = WEST, to = EAST, profile = "test_tank" })
    -- To the wall's end, on a circle of 1.5 m about each of its corners, and on.
    assert.is_true(path:length() > 31 and path:length() < 34, tostring(path:length()))
    assert.is_true(navmesh:validate())
  end)

  it("sweeps the tank past every wall", function()
    local path = assert(world:find_path { from = WEST, to = EAST, profile = "test_tank" })
    local smallest = min_clearance(world, path:points())
    assert.is_true(BAKED_FOR + smallest > 1.5 - ALLOWED, tostring(smallest))
  end)

  it("keeps cars off corners, too", function()
    local path = assert(world:find_path { from = { 10, 0, 20 }, to = { 20, 0, 10 }, profile = "car" })
    local smallest = min_clearance(world, path:points())
    assert.is_true(BAKED_FOR + smallest > leeward.profile("car").radius - ALLOWED, tostring(smallest))
    assert.is_true(smallest < leeward.profile("car").radius - BAKED_FOR + 0.05) -- but no further than need be
  end)

  it("takes the size of a profile that is only a table", function()
    local path = assert(world:find_path { from = WEST, to = EAST, profile = { extends = "soldier", radius = 1.1 } })
    assert.is_true(path:length() > 25)
    path = assert(world:find_path { from = WEST, to = EAST, profile = { extends = "soldier", radius = 0.8 } })
    assert.near(20, path:length(), 0.2)
  end)

  it("agrees on what is connected", function()
    local shut = leeward.geometry()
    shut:add_box { min = { 0, -1, 0 }, max = { 30, 0, 24 } }
    shut:add_box { min = { 14.5, 0, 0 }, max = { 15.5, 3, 4 }, area = false }
    shut:add_box { min = { 14.5, 0, 6 }, max = { 15.5, 3, 24 }, area = false }
    world = leeward.world { navmesh = leeward.bake(shut, { agent_radius = BAKED_FOR, cell_size = 0.1 }) }
    assert.is_true(world:path_exists(WEST, EAST, { profile = "soldier" }))
    assert.is_false(world:path_exists(WEST, EAST, { profile = "test_tank" }))
    local path, message, code = world:find_path { from = WEST, to = EAST, profile = "test_tank" }
    assert.is_nil(path)
    assert.equal("start and goal are not connected for 'test_tank'", message)
    assert.equal("NO_PATH", code)
    path = assert(world:find_path { from = WEST, to = EAST, profile = "test_tank", allow_partial = true })
    local points = path:points()
    assert.is_true(points[#points].x < 14)
  end)

  it("draws points where the tank can stand", function()
    for i = 1, 200 do
      local radius = i % 2 == 0 and 12 or 40
      local point = assert(world:random_point { around = WEST, radius = radius, profile = "test_tank" })
      assert.is_true(BAKED_FOR + world:distance_to_wall(point) > 1.5 - ALLOWED)
    end
  end)

  it("moves start and goal to places with enough clearance", function()
    local path = assert(world:find_path { from = { 0.6, 0, 5 }, to = { 5, 0, 0.6 }, profile = "test_tank" })
    local points = path:points()
    assert.near(0, points[1]:distance { 1.5, 0, 5 }, 0.15)
    assert.near(0, points[#points]:distance { 5, 0, 1.5 }, 0.15)
  end)

  it("drives a tank that stands beside a wall off it first, and keeps it clear from then on", function()
    local agent = world:spawn { profile = "test_tank", at = { 0.6, 0, 5 } }
    assert(agent:move_to(EAST))
    assert.near(0, agent:route()[1]:distance { 0.6, 0, 5 }, 0.1)
    local clear, smallest = false, math.huge
    for _ = 1, 60 * 20 do
      world:step(1 / 60)
      local clearance = BAKED_FOR + world:distance_to_wall(agent:position())
      clear = clear or clearance > 1.5 - ALLOWED
      if clear then smallest = math.min(smallest, clearance) end
      if agent:move_state() ~= "walking" then break end
    end
    assert.equal("arrived", agent:move_state())
    assert.near(0, agent:position():distance(vec3(EAST)), 0.3) -- it may stop 0.25 m before
    assert.is_true(clear and smallest > 1.5 - ALLOWED, tostring(smallest))
  end)
end)
