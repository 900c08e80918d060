local leeward = require "leeward"
local maps = require "support.maps"
local vec3 = leeward.vec3

local ACROSS = { from = { 1, 0, 1 }, to = { 20, 0, 1 } }

local function with(base, more)
  local query = {}
  for key, value in pairs(base) do query[key] = value end
  for key, value in pairs(more) do query[key] = value end
  return query
end

describe("world:find_path", function()
  local world

  describe("through the door", function()
    before_each(function() world = leeward.world { navmesh = maps.two_rooms() } end)

    it("is as short as can be", function()
      local path = assert(world:find_path(ACROSS))
      -- Round the door's two near corners (10, 4) and (11, 4).
      local length = vec3(1, 0, 1):distance { 10, 0, 4 } + 1 + vec3(11, 0, 4):distance { 20, 0, 1 }
      assert.near(length, path:length(), 1e-3)
      assert.near(length, path:cost(), 1e-3)
      assert.is_false(path:is_partial())
    end)

    it("begins and ends where it was asked to", function()
      local path = assert(world:find_path(ACROSS))
      local points = path:points()
      assert.equal(vec3(ACROSS.from), points[1])
      assert.equal(vec3(ACROSS.to), points[#points])
      assert.equal(#points, #path)
      assert.equal(#points - 1, #path:areas())
      assert.is_true(path:nodes() >= 2)
    end)

    it("goes through the polygons of its corridor", function()
      local path = assert(world:find_path(ACROSS))
      local corridor = path:corridor()
      assert.equal(3, #corridor)
      assert.equal(select(2, world:nearest_point(ACROSS.from)), corridor[1])
      assert.equal(select(2, world:nearest_point(ACROSS.to)), corridor[3])
    end)

    it("snaps both ends onto the navmesh", function()
      local path = assert(world:find_path { from = { -1, 1, 5 }, to = { 20, -1, 5 } })
      assert.equal(vec3(0, 0, 5), path:points()[1])
      assert.equal(vec3(20, 0, 5), path:points()[#path])
      assert.equal("NO_START", select(3, world:find_path { from = { -1, 0, 5 }, to = { 20, 0, 5 },
        snap = { 0.5, 1, 0.5 } }))
    end)

    it("says that there is no navmesh at either end", function()
      assert.same({ nil, "from is (-50, 0, 0), expected a navmesh within (2, 4, 2) m", "NO_START" },
        { world:find_path { from = { -50, 0, 0 }, to = ACROSS.to } })
      assert.same({ nil, "to is (90, 0, 0), expected a navmesh within (2, 4, 2) m", "NO_GOAL" },
        { world:find_path { from = ACROSS.from, to = { 90, 0, 0 } } })
    end)

    it("gives up at its node budget", function()
      assert.equal("OUT_OF_NODES", select(3, world:find_path(with(ACROSS, { max_nodes = 1 }))))
    end)

    it("outlives its world", function()
      local path = assert(world:find_path(ACROSS))
      world:destroy()
      collectgarbage()
      assert.is_true(path:length() > 19)
      assert.equal("ground", path:areas()[1])
    end)
  end)

  describe("with the door shut", function()
    before_each(function() world = leeward.world { navmesh = maps.two_rooms { door = false } } end)

    it("says that start and goal are not connected", function()
      local path, message, code = world:find_path(with(ACROSS, { profile = "soldier" }))
      assert.is_nil(path)
      assert.equal("start and goal are not connected for 'soldier'", message)
      assert.equal("NO_PATH", code)
    end)

    it("names nobody when there is no profile", function()
      assert.equal("start and goal are not connected", select(2, world:find_path(ACROSS)))
    end)

    it("goes as near as it can when that is allowed", function()
      local path = assert(world:find_path(with(ACROSS, { allow_partial = true })))
      assert.is_true(path:is_partial())
      assert.equal(vec3(10, 0, 1), path:points()[#path])
    end)
  end)

  describe("where the door's area is avoided", function()
    before_each(function() world = leeward.world { navmesh = maps.two_rooms { area = "door" } } end)

    it("does not go through, and others do", function()
      assert.is_truthy(world:find_path(with(ACROSS, { profile = "soldier" })))
      assert.equal("NO_PATH", select(3, world:find_path(with(ACROSS, { profile = "soldier", avoid = { "door" } }))))
      assert.equal("NO_PATH", select(3, world:find_path(with(ACROSS, { avoid = { "door" } }))))
    end)
  end)
end)

-- Squares of 3 m, of three areas that a car pays 10, 1 and 10 for on the metre, where nothing lies in rows.
local function patchwork(side)
  local vertices, polygons, areas = {}, {}, {}
  local names = { "ground", "road", "dirt" }
  for z = 0, side do
    for x = 0, side do vertices[#vertices + 1] = { 3 * x, 0, 3 * z } end
  end
  for z = 0, side - 1 do
    for x = 0, side - 1 do
      local first = z * (side + 1) + x + 1
      polygons[#polygons + 1] = { first, first + 1, first + side + 2, first + side + 1 }
      areas[#areas + 1] = names[(x * x * 5 + x * z * 3 + z * z * 7 + z) % 4 + 1]
    end
  end
  return leeward.navmesh { vertices = vertices, polygons = polygons, areas = areas }
end

describe("find_path's quality", function()
  local driver = { extends = "car", radius = 0 }
  local world
  before_each(function() world = leeward.world { navmesh = patchwork(12) } end)

  it("is good unless it is asked to be fast", function()
    local good_sum, fast_sum = 0, 0
    for z = 1, 35, 2 do
      local query = { from = { 1, 0, z }, to = { 35, 0, 36 - z }, profile = driver }
      local good = assert(world:find_path(query))
      assert.equal(good:cost(), assert(world:find_path(with(query, { quality = "good" }))):cost())
      local fast = assert(world:find_path(with(query, { quality = "fast" })))
      good_sum, fast_sum = good_sum + good:cost(), fast_sum + fast:cost()
    end
    assert.is_true(good_sum < fast_sum)
  end)

  it("makes no difference where all metres cost the same", function()
    local query = { from = { 1, 0, 2 }, to = { 35, 0, 30 } }
    local good, fast = assert(world:find_path(query)), assert(world:find_path(with(query, { quality = "fast" })))
    assert.equal(good:cost(), fast:cost())
    assert.equal(good:nodes(), fast:nodes())
  end)

  it("may ask for the shortest of all", function()
    local query = { from = { 1, 0, 2 }, to = { 35, 0, 30 } }
    local exact = assert(world:find_path(with(query, { quality = "exact" })))
    assert.is_true(math.abs(exact:length() - math.sqrt(34 ^ 2 + 28 ^ 2)) < 1e-3)
    local mixed = with(query, { profile = driver })
    assert.equal(assert(world:find_path(mixed)):cost(),
      assert(world:find_path(with(mixed, { quality = "exact" }))):cost())
  end)

  it("is one of three words", function()
    assert.has_error(function() world:find_path { from = { 1, 0, 1 }, to = { 2, 0, 2 }, quality = "best" } end,
      "find_path: quality is 'best', expected 'good', 'fast' or 'exact'")
  end)
end)

describe("a world's ground", function()
  local world
  before_each(function() world = leeward.world { navmesh = maps.two_rooms() } end)

  it("has a nearest point", function()
    local point, id = world:nearest_point { 5, 1, -1 }
    assert.equal(vec3(5, 0, 0), point)
    assert.is_true(math.type(id) == "integer")
    local none, message, code = world:nearest_point { 5, 0, -9 }
    assert.is_nil(none)
    assert.equal("point is (5, 0, -9), expected a navmesh within (2, 4, 2) m", message)
    assert.equal("NO_POINT", code)
    assert.is_truthy(world:nearest_point({ 5, 0, -9 }, { snap = { 1, 1, 10 } }))
  end)

  it("knows what is over it", function()
    assert.is_true(world:contains { 5, 0.4, 5 })
    assert.is_false(world:contains { 5, 0.6, 5 })
    assert.is_true(world:contains({ 5, 0.6, 5 }, { tolerance = 1 }))
    assert.is_false(world:contains { 10.5, 0, 1 })
  end)

  it("has a height", function()
    assert.equal(0, world:height_at { 5, 3, 5 })
    assert.equal("NO_POINT", select(3, world:height_at { 10.5, 0, 1 }))
  end)

  it("stops a ray at a wall and lets it through the door", function()
    local hit, point, normal, t = world:raycast({ 5, 0, 1 }, { 15, 0, 1 })
    assert.is_true(hit)
    assert.is_true(point:distance { 10, 0, 1 } < 1e-4)
    assert.is_true(normal:distance { -1, 0, 0 } < 1e-4)
    assert.near(0.5, t, 1e-5)
    hit, point, normal, t = world:raycast({ 5, 0, 5 }, { 15, 0, 5 })
    assert.is_false(hit)
    assert.is_true(point:distance { 15, 0, 5 } < 1e-4)
    assert.equal(vec3(0, 0, 0), normal)
    assert.equal(1, t)
    assert.same({ nil, "a is (50, 0, 1), expected a navmesh within (2, 4, 2) m", "NO_START" },
      { world:raycast({ 50, 0, 1 }, { 1, 0, 1 }) })
  end)

  it("knows how far the nearest wall is", function()
    local distance, point, normal = world:distance_to_wall { 8, 0, 5 }
    assert.near(math.sqrt(2 ^ 2 + 1), distance, 1e-5) -- the door's nearer jamb at (10, 4) or (10, 6)
    assert.near(10, point.x, 1e-5)
    assert.equal(1, normal:length())
    local none, message, code = world:distance_to_wall({ 5, 0, 5 }, { max = 2 })
    assert.is_nil(none)
    assert.equal("no wall within 2.0 m", message)
    assert.equal("NOT_FOUND", code)
  end)

  it("knows for which profiles there is a path at all", function()
    assert.is_true(world:path_exists({ 1, 0, 1 }, { 20, 0, 1 }))
    local apart = leeward.world { navmesh = maps.two_rooms { door = false } }
    assert.is_false(apart:path_exists({ 1, 0, 1 }, { 20, 0, 1 }, "soldier"))
    local water = leeward.world { navmesh = maps.two_rooms { area = "deep_water" } }
    assert.is_true(water:path_exists({ 1, 0, 1 }, { 20, 0, 1 }))
    assert.is_false(water:path_exists({ 1, 0, 1 }, { 20, 0, 1 }, { profile = "human" }))
    local none, _, code = water:path_exists({ 1, 0, 1 }, { 90, 0, 1 })
    assert.is_nil(none)
    assert.equal("NO_GOAL", code)
  end)

  it("slides along a wall", function()
    local point = world:move_along({ 9, 0, 1 }, { 12, 0, 3 })
    assert.is_true(point:distance { 10, 0, 3 } < 1e-3)
  end)

  it("gives random points inside the circle, all of them reachable", function()
    local shut = leeward.world { navmesh = maps.two_rooms { door = false }, seed = 5 }
    for _ = 1, 500 do
      local point = assert(shut:random_point { around = { 9, 0, 5 }, radius = 4 })
      assert.is_true(point:distance { 9, 0, 5 } <= 4 + 1e-4)
      assert.is_true(point.x <= 10 + 1e-4)
    end
  end)

  it("gives random points of the whole mesh", function()
    local left = 0
    for _ = 1, 500 do
      if assert(world:random_point {}).x < 10 then left = left + 1 end
    end
    assert.is_true(left > 180 and left < 320, left .. " of 500 in the left half")
  end)

  it("checks what it is asked", function()
    local function message(f, ...) return select(2, pcall(f, world, ...)) end
    assert.equal("random_point: around is given without radius, expected both or neither",
      message(world.random_point, { around = { 1, 0, 1 } }))
    assert.equal("random_point: radius is given without around, expected both or neither",
      message(world.random_point, { radius = 3 }))
    assert.equal("random_point: radius is 0, expected metres > 0",
      message(world.random_point, { around = { 1, 0, 1 }, radius = 0 }))
    assert.equal("nearest_point: snap is (1, 0, 1), expected half sizes in metres > 0",
      message(world.nearest_point, { 1, 0, 1 }, { snap = { 1, 0, 1 } }))
    assert.equal("raycast: b is nil, expected a point", message(world.raycast, { 1, 0, 1 }))
    assert.equal("contains: tolerance is -1, expected metres from 0 to 1000000",
      message(world.contains, { 1, 0, 1 }, { tolerance = -1 }))
  end)
end)
