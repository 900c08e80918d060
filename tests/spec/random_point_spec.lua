-- world:random_point: where points are drawn from.
local leeward = require "leeward"

--- 40 x 20 m of ground with a road of 4 m along it, a pond at its east end with ground behind it, and an island.
local function make_world()
  local function strip(x0, x1, z0, z1) return { { x0, 0, z0 }, { x1, 0, z0 }, { x1, 0, z1 }, { x0, 0, z1 } } end
  local vertices, polygons, areas = {}, {}, {}
  local function add(area, x0, x1, z0, z1)
    local first = #vertices
    for _, corner in ipairs(strip(x0, x1, z0, z1)) do vertices[#vertices + 1] = corner end
    polygons[#polygons + 1] = { first + 1, first + 2, first + 3, first + 4 }
    areas[#areas + 1] = area
  end
  add("ground", 0, 30, 0, 8)
  add("road", 0, 30, 8, 12)
  add("ground", 0, 30, 12, 20)
  add("deep_water", 30, 34, 0, 20)
  add("ground", 34, 40, 0, 20)
  add("ground", 60, 70, 0, 20)
  return leeward.world { seed = 7,
    navmesh = leeward.navmesh { vertices = vertices, polygons = polygons, areas = areas } }
end

local HOME = { 5, 0, 5 }
local DRAWS = 2000

describe("world:random_point", function()
  local world
  before_each(function() world = make_world() end)

  --- How many of so many points lie where a function says.
  local function count(query, is_there)
    local found = 0
    for _ = 1, DRAWS do
      if is_there(assert(world:random_point(query))) then found = found + 1 end
    end
    return found
  end

  --- A share of the points, with a bound that one in a billion runs of another seed would break.
  local function is_share(expected, found)
    local deviation = 6 * math.sqrt(DRAWS * expected * (1 - expected))
    assert.is_near(expected * DRAWS, found, deviation)
  end

  it("of an agent, without a circle, draws from all that it can get to", function()
    local human = assert(world:spawn { profile = "human", at = HOME })
    local dog = assert(world:spawn { profile = "dog", at = HOME })
    local function share_behind(draw)
      local behind = 0
      for _ = 1, DRAWS do
        local point = assert(draw())
        assert.is_true(point.x <= 40)
        if point.x > 30 then behind = behind + 1 end
      end
      return behind
    end
    assert.equal(0, share_behind(function() return human:random_point() end))
    assert.equal(0, share_behind(function() return human:random_point(nil) end))
    assert.equal(0, share_behind(function() return human:random_point { min_distance = 3 } end))
    is_share(10 / 40, share_behind(function() return dog:random_point() end)) -- it swims
    assert.is_true(assert(human:random_point { connected_to = { 65, 0, 5 }, only = { "ground" } }).x > 50)
    assert.has_error(function() human:random_point { around = HOME } end,
      "random_point: radius is nil, expected metres > 0")
    assert.has_error(function() human:random_point(5) end, "random_point: options is 5, expected a table")
  end)

  it("draws from all ground without a table", function()
    is_share(10 / 50, count(nil, function(p) return p.x > 50 end))
  end)

  describe("with connected_to", function()
    it("draws no point on an island", function()
      assert.equal(0, count({ connected_to = HOME }, function(p) return p.x > 50 end))
    end)

    it("draws all of what can be reached by area, water too for those who swim", function()
      is_share(4 / 40, count({ connected_to = HOME, profile = "dog" }, function(p) return p.x > 30 and p.x < 34 end))
      assert.equal(0, count({ connected_to = HOME, profile = "human" }, function(p) return p.x > 30 end))
    end)

    it("takes the place of the circle's centre", function()
      local query = { around = { 65, 0, 10 }, radius = 40, connected_to = HOME, profile = "human" }
      assert.equal(0, count(query, function(p) return p.x > 30 end))
    end)

    it("says what is not near it", function()
      local point, message, code = world:random_point { connected_to = { 50, 0, 10 } }
      assert.is_nil(point)
      assert.equal("NO_START", code)
      assert.matches("connected_to", message, 1, true)
    end)
  end)

  describe("with only", function()
    it("draws from those areas, and walks over others to them", function()
      assert.equal(DRAWS, count({ only = { "road" }, around = HOME, radius = 15 }, function(p)
        return p.z >= 8 and p.z <= 12
      end))
    end)

    it("draws from several by area", function()
      local query = { only = { "road", "deep_water" } }
      is_share(80 / 200, count(query, function(p) return p.x > 30 end))
    end)

    it("says that there is no such ground", function()
      assert.same({ nil, "no ground of these areas", "NO_POINT" }, { world:random_point { only = { "grass" } } })
      assert.same({ nil, "no ground of these areas within the radius that 'human' may enter and reach", "NO_POINT" },
        { world:random_point {
          only = { "grass" }, around = HOME, radius = 15, connected_to = HOME, profile = "human",
        } })
    end)

    it("is not given empty", function()
      local ok, message = pcall(world.random_point, world, { only = {} })
      assert.is_false(ok)
      assert.matches("random_point: only is empty, expected names of areas, or nil for all", message, 1, true)
      assert.truthy(world:random_point { avoid = {} })
    end)
  end)

  describe("with avoid", function()
    it("neither draws from those areas nor walks through them", function()
      local query = { avoid = { "deep_water" }, connected_to = HOME, profile = "dog" }
      assert.equal(0, count(query, function(p) return p.x > 30 end))
    end)

    it("adds to what the profile avoids", function()
      local query = { avoid = { "road" }, around = HOME, radius = 30, profile = "human" }
      assert.equal(0, count(query, function(p) return p.x > 30 or p.z > 8 end))
    end)
  end)

  describe("with min_distance", function()
    local function distance(p, from) return math.sqrt((p.x - from[1]) ^ 2 + (p.z - from[3]) ^ 2) end

    it("draws from a ring about the centre, by area", function()
      local centre = { 10, 0, 10 }
      local query = { around = centre, radius = 8, min_distance = 4 }
      assert.equal(0, count(query, function(p) return distance(p, centre) < 4 or distance(p, centre) > 8 end))
      is_share((36 - 16) / (64 - 16), count(query, function(p) return distance(p, centre) < 6 end))
    end)

    it("draws from a ring that is a hair wide", function()
      local centre = { 10, 0, 10 }
      local query = { around = centre, radius = 8, min_distance = 7.99 }
      assert.equal(0, count(query, function(p) return distance(p, centre) < 7.99 - 1e-5 end))
      is_share(0.5, count(query, function(p) return p.x < 10 end))
    end)

    it("counts from connected_to where there is no circle", function()
      local query = { connected_to = HOME, min_distance = 20, profile = "human" }
      assert.equal(0, count(query, function(p) return distance(p, HOME) < 20 end))
    end)

    it("says that nothing is so far away", function()
      assert.same({ nil, "no ground at least 200.0 m away that can be reached", "NO_POINT" },
        { world:random_point { connected_to = HOME, min_distance = 200 } })
    end)
  end)

  it("is drawn for an agent by the same options", function()
    local agent = world:spawn { profile = "human", at = HOME }
    for _ = 1, 200 do
      local point = assert(agent:random_point { radius = 12, min_distance = 6, only = { "road" } })
      assert.is_true(point.z >= 8 and point.z <= 12 and point:distance(agent:position()) >= 6)
    end
  end)

  it("refuses what makes no sense, and says why", function()
    local cases = {
      { { min_distance = 5 }, "min_distance is given without a place, expected around or connected_to beside it" },
      { { around = HOME, radius = 5, min_distance = 5 }, "random_point: min_distance is 5.0, expected less" },
      { { only = "road" }, "random_point: only is 'road', expected a list of names of areas" },
      { { only = { "raod" } }, "'raod', expected the name of an area. Did you mean 'road'?" },
      { { avoid = { [2] = "road" } }, "random_point: avoid" },
      { { connected_to = 3 }, "random_point: connected_to is 3" },
      { { min_distance = -1 }, "random_point: min_distance is -1" },
    }
    for _, case in ipairs(cases) do
      local ok, message = pcall(world.random_point, world, case[1])
      assert.is_false(ok)
      assert.matches(case[2], message, 1, true)
    end
  end)
end)
