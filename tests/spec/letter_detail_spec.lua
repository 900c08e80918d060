-- Prices to the letter, continued: ground that is finer where it matters, and what cover maps list. See letter_spec.
local leeward = require "leeward"
local program = require "support.program"

-- Of agents without a radius, so that a floor keeps its size but for a cell at its ledges.
local FLAT = {
  cell_size = 0.25, agent_radius = 0, tile_size = 16, max_edge_length = 0, openness_range = 0, threads = 1,
}

local function with(settings, more)
  local result = {}
  for key, value in pairs(settings) do result[key] = value end
  for key, value in pairs(more or {}) do result[key] = value end
  return result
end

--- A floor from (0, 0, 0) to (size, 0, size).
local function floor(size)
  local level = leeward.geometry()
  level:add_box { min = { 0, -1, 0 }, max = { size, 0, size } }
  return level
end

local function longest_edge(polygon)
  local longest, corners = 0, polygon.corners
  for i, a in ipairs(corners) do
    local b = corners[i % #corners + 1]
    longest = math.max(longest, math.sqrt((b.x - a.x) ^ 2 + (b.z - a.z) ^ 2))
  end
  return longest
end

local function middle_of(polygon)
  local x, z, n = 0, 0, #polygon.corners
  for _, corner in ipairs(polygon.corners) do x, z = x + corner.x / n, z + corner.z / n end
  return x, z
end

describe("6. finer where it matters:", function()
  describe("geometry:mark_detail", function()
    it("cuts what overlaps a box into polygons with edges of at most max_edge", function()
      local level = floor(16)
      assert.equal(1, leeward.bake(level, FLAT):stats().polygons)
      level:mark_detail { box = { min = { 0, -1, 0 }, max = { 16, 1, 16 } }, max_edge = 2 }
      assert.equal(8 * 8, leeward.bake(level, FLAT):stats().polygons)
    end)

    it("takes a convex polygon between two heights, and the least edge where marks overlap", function()
      local level = floor(16)
      level:mark_detail { polygon = { { 0, 0, 0 }, { 16, 0, 0 }, { 16, 0, 16 }, { 0, 0, 16 } }, max_edge = 4 }
      level:mark_detail { polygon = { { 4, 0, 8 }, { 4, 0, 12 }, { 8, 0, 12 }, { 8, 0, 8 } }, max_edge = 1 }
      level:mark_detail { polygon = { { 0, 0, 0 }, { 0, 0, 16 }, { 16, 0, 0 } }, bottom = 2, max_edge = 0.5 }
      assert.equal(15 + 4 * 4, leeward.bake(level, FLAT):stats().polygons)
    end)

    it("keeps ground, heights, areas and ways as they are", function()
      local level = floor(32)
      level:add_ramp { from = { 6, 0, 10 }, to = { 14, 3, 10 }, width = 5 }
      level:add_box { at = { 16, 0, 16 }, size = { 14, 2, 0.5 }, yaw = 0.5, area = false }
      level:mark_area { area = "road", path = { { 2, 0, 20 }, { 16, 0, 25 }, { 30, 0, 20 } }, width = 4 }
      local settings = { cell_size = 0.2, tile_size = 12, threads = 1 }
      local plain = assert(leeward.bake(level, settings))
      level:mark_detail { box = { at = { 15, -1, 15 }, size = { 21, 6, 17 }, yaw = 0.4 }, max_edge = 1 }
      local fine = assert(leeward.bake(level, settings))
      assert(fine:validate())
      assert.is_true(fine:stats().polygons > 21 * 17)
      assert.near(plain:stats().area, fine:stats().area, 0.01)
      assert.equal(plain:stats().islands, fine:stats().islands)
      local one, other = leeward.world { navmesh = plain, seed = 1 }, leeward.world { navmesh = fine, seed = 1 }
      local function by_area(navmesh)
        local areas = {}
        for _, polygon in ipairs(navmesh:polygons()) do
          areas[polygon.area] = (areas[polygon.area] or 0) + polygon.area_m2
        end
        return areas
      end
      local before, now = by_area(plain), by_area(fine)
      for name, area in pairs(before) do assert.near(area, now[name], 0.01, name) end
      local from = { 2, 0, 2 }
      for _ = 1, 40 do
        local to = one:random_point { connected_to = from }
        local height = other:nearest_point(to)
        assert.near(to.y, height.y, 0.01)
        local long, short = one:find_path { from = from, to = to }, other:find_path { from = from, to = to }
        assert.is_true(short:length() <= long:length() + 0.02)
      end
    end)

    it("says what is wrong with a mark", function()
      local level = floor(4)
      local box = { at = { 0, 0, 0 }, size = { 1, 1, 1 } }
      local function refuses(expected, mark)
        local ok, message = pcall(level.mark_detail, level, mark)
        assert.is_false(ok)
        assert.matches(expected, message, 1, true)
      end
      refuses("mark_detail: max_edge is nil, expected metres > 0", { box = box })
      refuses("mark_detail: detail: max_edge is 0.05, expected metres from 0.1 to 1e+06",
        { box = box, max_edge = 0.05 })
      refuses("mark_detail: max_edge is nan, expected", { box = box, max_edge = 0 / 0 })
      refuses("mark_detail: no shape is given, expected box or polygon", { max_edge = 2 })
      refuses("mark_detail: unknown key 'width'", { box = box, width = 2, max_edge = 2 })
      refuses("the polygon is not convex",
        { polygon = { { 0, 0, 0 }, { 1, 0, 1 }, { 1, 0, 0 }, { 0, 0, 1 } }, max_edge = 2 })
      refuses("the polygon is a line", { polygon = { { 0, 0, 0 }, { 1, 0, 0 }, { 2, 0, 0 } }, max_edge = 2 })
      level:add_box { min = { 0, -1, 0 }, max = { 200, 0, 200 } }
      level:mark_detail { box = { min = { 0, -1, 0 }, max = { 200, 1, 200 } }, max_edge = 0.1 }
      local navmesh, message, code = leeward.bake(level)
      assert.is_nil(navmesh)
      assert.equal("LIMIT", code)
      assert.matches("^mark for detail 1: max_edge is 0.1 m, on 40000 m2 in the bounds: .* raise max_edge", message)
    end)
  end)

  describe("detail_near_cover", function()
    local function level()
      local result = floor(40)
      result:add_box { at = { 20, 0, 20 }, size = { 6, 2, 0.5 }, area = false }
      return result
    end

    --- How far (x, z) is from the wall, seen from above.
    local function distance(x, z)
      local beside = math.max(math.abs(x - 20) - 3, 0)
      return math.sqrt(beside ^ 2 + math.max(math.abs(z - 20) - 0.25, 0) ^ 2)
    end

    it("cuts polygons near cover smaller, and no others", function()
      local coarse = assert(leeward.bake(level(), FLAT))
      local fine = assert(leeward.bake(level(), with(FLAT, { detail_near_cover = 3, detail_edge = 1 })))
      local near, long = 0, 0
      for _, polygon in ipairs(fine:polygons()) do
        if distance(middle_of(polygon)) < 3 then
          near = near + 1
          assert.is_true(longest_edge(polygon) <= 1.05)
        elseif longest_edge(polygon) > 4 then
          long = long + 1
        end
      end
      -- The band round the wall has 2 * 3 * (6 + 0.5) + pi * 3^2 m2.
      assert.is_true(near >= 67 and long >= 4, ("%d near, %d long"):format(near, long))
      assert.near(coarse:stats().area, fine:stats().area, 0.01)
      assert.equal(coarse:stats().cover_segments, fine:stats().cover_segments)
    end)

    it("is 0 by default, and says what else it needs", function()
      local _, report = leeward.bake(level(), FLAT)
      assert.equal(0, report.used.detail_near_cover)
      assert.equal(2, report.used.detail_edge)
      local function refuses(expected, more)
        local ok, message = pcall(leeward.bake, level(), with(FLAT, more))
        assert.is_false(ok)
        assert.matches(expected, message, 1, true)
      end
      refuses("detail near cover is 3 m, expected 0 without cover segments",
        { detail_near_cover = 3, cover_segments = false })
      refuses("detail near cover is 3 m, expected 0 for a part", { detail_near_cover = 3, tiles = { 1, 1 } })
      refuses("detail_near_cover is -1, expected metres >= 0", { detail_near_cover = -1 })
      refuses("detail_edge is 0.05, expected", { detail_near_cover = 3, detail_edge = 0.05 })
    end)

    it("is found again by a rebuild, to the bytes of a whole bake", function()
      local settings = with(FLAT, { detail_near_cover = 2, detail_edge = 1, bounds = { { 0, -1, 0 }, { 40, 5, 40 } } })
      local changed = level()
      local before = assert(leeward.bake(changed, settings))
      changed:add_box { at = { 9, 0, 33 }, size = { 0.5, 2, 3 }, area = false }
      changed:mark_detail { box = { at = { 33, -1, 8 }, size = { 4, 2, 4 } }, max_edge = 0.5 }
      local names = { os.tmpname(), os.tmpname() }
      assert(assert(leeward.bake(changed, settings)):save(names[1]))
      local again = with(settings, { box = { { 8, 0, 4 }, { 37, 2, 36 } } })
      assert(assert(leeward.rebuild(before, changed, again)):save(names[2]))
      local bytes = {}
      for i, name in ipairs(names) do
        local file = assert(io.open(name, "rb"))
        bytes[i] = file:read "a"
        file:close()
        os.remove(name)
      end
      assert.is_true(bytes[1] == bytes[2])
    end)
  end)

  describe("the cover map", function()
    --- Seen from the middle: walls of 2 m in the east (4 m away), 3 m in the west (8 m), 1 m in the north (6 m).
    local function walls()
      local level = floor(20)
      level:add_box { min = { 14, 0, 8 }, max = { 14.5, 2, 12 }, area = false }
      level:add_box { min = { 1.5, 0, 6 }, max = { 2, 3, 14 }, area = false }
      level:add_box { min = { 9, 0, 3.5 }, max = { 11, 1, 4 }, area = false }
      return level
    end
    local SETTINGS = { cell_size = 0.2, agent_radius = 0.4, threads = 1 }

    --- The upright one of these heights that is nearest.
    local function wall(list, height)
      for _, segment in ipairs(list) do
        if math.abs(segment.height - height) < 0.01 and segment.bottom < 0.1 then return segment end
      end
    end

    it("tells its segments with bearing, distance and height", function()
      local navmesh = assert(leeward.bake(walls(), with(SETTINGS, { cover_map = true })))
      local list = navmesh:cover_map { 10, 0, 10 }
      local east, west, north = wall(list, 2), wall(list, 3), wall(list, 1)
      assert.near(4, east.distance, 0.01)
      assert.near(0, east.bearing, 0.001)
      assert.near(8, west.distance, 0.01)
      assert.near(math.pi, math.abs(west.bearing), 0.001)
      assert.near(6, north.distance, 0.01)
      assert.near(math.pi / 2, north.bearing, 0.001)
      -- Seen from there, the north end (z = 8) of the wall in the east is on the left.
      assert.near(8, east.a.z, 0.01)
      assert.near(12, east.b.z, 0.01)
      assert.equal("hard", east.kind)
      for i = 2, #list do assert.is_true(list[i - 1].distance <= list[i].distance) end
      local elsewhere = wall(navmesh:cover_map { 12, 0, 14 }, 2)
      assert.near(math.sqrt(2 ^ 2 + 2 ^ 2), elsewhere.distance, 0.01)
      assert.near(math.pi / 4, elsewhere.bearing, 0.01)
    end)

    it("lists the tops of walls, too: flat, with their bottom at their height", function()
      local level = leeward.geometry()
      level:add_box { min = { 0, -1, 0 }, max = { 60, 0, 60 } }
      level:add_box { at = { 30, 0, 26 }, size = { 3, 1.1, 1 }, area = false }
      local navmesh = assert(leeward.bake(level, { cover_map = true }))
      for point, distance in pairs { [{ 26, 0, 26 }] = 2.5, [{ 30, 0, 30 }] = 3.5, [{ 34, 0, 26 }] = 2.5 } do
        local tops, nearest = 0, nil
        for _, face in ipairs(navmesh:cover_map(point)) do
          assert.near(1.1, face.height, 0.01)
          if face.bottom < face.height then nearest = nearest or face else tops = tops + 1 end
        end
        assert.equal(1, tops)
        assert.near(0, nearest.bottom, 0.01)
        assert.near(distance, nearest.distance, 0.1)
      end
    end)

    it("says why it tells nothing", function()
      local navmesh = assert(leeward.bake(walls(), with(SETTINGS, { cover_map = true })))
      local list, message, code = navmesh:cover_map { 50, 0, 50 }
      assert.is_nil(list)
      assert.equal("there is no ground at (50.0, 0.0, 50.0)", message)
      assert.equal("NOT_FOUND", code)
      assert.equal("the navmesh has no cover map: bake it with cover_map",
        select(2, assert(leeward.bake(walls(), SETTINGS)):cover_map { 10, 0, 10 }))
      assert.has_error(function() navmesh:cover_map(3) end)
    end)

    it("has target and cap as settings", function()
      local function listed(map)
        local navmesh, report = assert(leeward.bake(walls(), with(SETTINGS, { cover_map = map })))
        return #navmesh:cover_map { 10, 0, 10 }, report.used.cover_map, navmesh:stats().cover_map_loss
      end
      local all, used = listed(true)
      assert.near(0.99, used.target, 1e-6)
      assert.equal(64, used.cap)
      assert.same({ 0, 0, 1 }, { used.direction, used.distance, used.occlusion })
      local one, limited, loss = listed { cap = 1 }
      assert.equal(1, limited.cap)
      assert.is_true(one <= 4 and one < all)
      assert.is_true(loss > 0.001)
      assert.equal(0, (listed { target = 0 }))
    end)

    it("has weights of direction, distance and occlusion as settings", function()
      local function listed_by(map)
        local level = walls()
        level:mark_detail { box = { min = { 8, -1, 4.5 }, max = { 12, 1, 8 } }, max_edge = 1 }
        return assert(leeward.bake(level, with(SETTINGS, { cover_map = map }))):cover_map { 10, 0, 5.5 }
      end
      local function spread(list)
        local least, greatest = math.huge, -math.huge
        for _, segment in ipairs(list) do
          least, greatest = math.min(least, segment.bearing), math.max(greatest, segment.bearing)
        end
        return greatest - least
      end
      -- With one group of occluders, by distance alone it is at the low wall in the north, 1.5 m away; by what they
      -- hide it is at a tall one.
      local near, hides = listed_by { cap = 1, occlusion = 0, distance = 1 }, listed_by { cap = 1 }
      assert.is_true(near[1].distance < hides[1].distance + 1e-3)
      assert.near(1.5, near[1].distance, 0.1)
      local height = 0
      for _, segment in ipairs(hides) do height = math.max(height, segment.height) end
      assert.is_true(height > 1.5)
      -- By direction the second group is not where the first is.
      local around = listed_by { cap = 2, occlusion = 0, direction = 1 }
      assert.is_true(spread(around) >= math.pi / 2)
    end)

    it("keeps them for parts that are merged, and refuses what makes no sense", function()
      local settings = with(SETTINGS, { cover_map = { cap = 1, distance = 2 }, tile_size = 10 })
      local whole = assert(leeward.bake(walls(), settings))
      local parts = {}
      for i = 1, 4 do parts[i] = assert(leeward.bake(walls(), with(settings, { tiles = { i, i } }))) end
      local merged = assert(leeward.merge_navmeshes(parts))
      assert.same(whole:cover_map { 10, 0, 6 }, merged:cover_map { 10, 0, 6 })
      local function refuses(expected, map)
        local ok, message = pcall(leeward.bake, walls(), { cover_map = map })
        assert.is_false(ok)
        assert.matches(expected, message, 1, true)
      end
      refuses("cover_map is 3, expected true, false or a table of criteria", 3)
      refuses("cover_map.cap is 65, expected", { cap = 65 })
      refuses("cover_map.target is 1.5, expected", { target = 1.5 })
      refuses("cover_map.distance is -1, expected", { distance = -1 })
      refuses("unknown key 'cover_map.weight'", { weight = 1 })
      refuses("criteria of the cover map: direction, distance and occlusion are all 0", { occlusion = 0 })
    end)

    it("is shown in pictures, at the selected agent, and named in the legend", function()
      local sdl = require "leeward_sdl"
      local navmesh = assert(leeward.bake(walls(), with(SETTINGS, { cover_map = true })))
      local world = leeward.world { navmesh = navmesh, seed = 1 }
      local agent = world:spawn { profile = "human", at = { 10, 0, 10 } }
      local name = os.tmpname()
      local function drawn(layers, selected)
        assert(sdl.picture { file = name, world = world, width = 500, height = 500, layers = layers,
          selected = selected })
        local file = assert(io.open(name, "rb"))
        local bytes = file:read "a"
        file:close()
        return bytes
      end
      local bare = drawn({ "cover_map" }, nil)
      assert.is_true(bare == drawn({}, nil))
      assert.is_true(drawn({ "cover_map" }, agent) ~= drawn({}, agent))
      os.remove(name)
    end)
  end)

  it("leeward bake has all of it as options", function()
    local name = os.tmpname()
    local _, output = program("bake", "courtyard", name, "--detail-near-cover", "2", "--detail-edge", "1.5",
      "--cover-map-cap", "4", "--cover-map-distance", "0.5")
    assert.matches("cover map of", output, 1, true)
    assert.is_true(assert(leeward.load_navmesh(name)):stats().polygons > 2000)
    os.remove(name)
    local function refuses(expected, ...)
      local status, message = program("bake", "courtyard", "x.lwn", ...)
      assert.is_true(status ~= 0)
      assert.matches(expected, message, 1, true)
    end
    refuses("--cover-map-cap is '99', expected", "--cover-map-cap", "99")
    refuses("--detail-edge is '0.01', expected", "--detail-edge", "0.01")
    refuses("--detail-near-cover is given, expected none with --tiles", "--detail-near-cover", "2", "--tiles", "1:1")
  end)
end)
