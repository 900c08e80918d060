local leeward = require "leeward"
local maps = require "support.maps"
local message = require "support.message"

describe("polygons_around", function()
  it("gives the polygons that the circle covers, as far as one can walk inside it", function()
    local world = leeward.world { navmesh = maps.two_rooms() }
    local around = assert(world:polygons_around({ 9, 0, 2 }, 2.1))
    assert.same({ (select(2, world:nearest_point { 5, 0, 5 })) }, around) -- the other room is near, but behind the wall
    assert.equal(3, #world:polygons_around({ 9.5, 0, 5 }, 2)) -- through the door
    assert.equal(2, #world:polygons_around({ 9.5, 0, 5 }, 1))
    assert.equal(1, select(2, world:polygons_around({ 9.5, 0, 5 }, 1)))
    assert.equal("NO_START", select(3, world:polygons_around({ 90, 0, 5 }, 2)))
    assert.equal("polygons_around: radius is -1, expected metres >= 0",
      message(world.polygons_around, world, { 1, 0, 1 }, -1))
  end)

  it("keeps to the floor of its centre and to what the profile may enter", function()
    local world = leeward.world { navmesh = maps.rectangles {
      { 0, 0, 10, 10 }, { 10, 0, 10, 10, "road" }, { 0, 0, 10, 10, "ground", 4 } } }
    local function heights(point, options)
      local list = {}
      for _, id in ipairs(assert(world:polygons_around(point, 8, options))) do
        for _, polygon in ipairs(world:navmesh():polygons()) do
          if polygon.id == id then list[#list + 1] = polygon.corners[1].y end
        end
      end
      return list
    end
    assert.same({ 0, 0 }, heights { 8, 0, 5 })
    assert.same({ 4 }, heights { 8, 4, 5 })
    assert.same({ 0 }, heights({ 8, 0, 5 }, { profile = { extends = "human", avoid = { "road" } } }))
  end)
end)

describe("reachable_area", function()
  local world
  setup(function() world = leeward.world { navmesh = maps.two_rooms() } end)

  it("is all that is connected without a limit", function()
    local area, count = world:reachable_area { from = { 5, 0, 5 } }
    assert.near(202, area, 1e-3)
    assert.equal(3, count)
    local closed = leeward.world { navmesh = maps.two_rooms { door = false } }
    assert.near(100, (closed:reachable_area { from = { 5, 0, 5 } }), 1e-3)
  end)

  it("is a circle on open ground, and goes through a door", function()
    local area, polygons = world:reachable_area { from = { 5, 0, 5 }, max_cost = 4, polygons = true }
    assert.near(math.pi * 16, area, 0.2)
    assert.same({ (select(2, world:nearest_point { 5, 0, 5 })) }, polygons)
    area, polygons = world:reachable_area { from = { 9, 0, 5 }, max_cost = 4, polygons = true }
    assert.equal(3, #polygons)
    local _, only = world:reachable_area { from = { 9, 0, 5 }, max_cost = 4 }
    assert.equal(3, only)
    -- Half a circle of 4 m and what is left of it on the left, the door, and what is seen through it.
    assert.is_true(area > math.pi * 8 + 4 and area < math.pi * 16)
  end)

  it("counts by the profile's prices", function()
    local road = leeward.world { navmesh = maps.rectangles { { 0, 0, 40, 40, "road" } } }
    local field = leeward.world { navmesh = maps.rectangles { { 0, 0, 40, 40, "ground" } } }
    local query = { from = { 20, 0, 20 }, max_cost = 18, profile = "car" }
    local price = road:find_path { from = { 1, 0, 1 }, to = { 9, 0, 1 }, profile = "car" }:cost() / 8
    local other = field:find_path { from = { 1, 0, 1 }, to = { 9, 0, 1 }, profile = "car" }:cost() / 8
    assert.is_true(other > price)
    assert.near(math.pi * (18 / price) ^ 2, (road:reachable_area(query)), 3)
    assert.near(math.pi * (18 / other) ^ 2, (field:reachable_area(query)), 3)
  end)

  it("says what is wrong", function()
    assert.equal("NO_START", select(3, world:reachable_area { from = { 90, 0, 5 } }))
    assert.matches("max_cost is %-1, expected a number >= 0",
      message(world.reachable_area, world, { from = { 5, 0, 5 }, max_cost = -1 }))
    assert.matches("unknown key 'maxcost'. Did you mean 'max_cost'",
      message(world.reachable_area, world, { from = { 5, 0, 5 }, maxcost = 1 }))
  end)
end)
