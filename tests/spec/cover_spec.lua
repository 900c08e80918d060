local leeward = require "leeward"

local SETTINGS = { agent_radius = 0.4, cell_size = 0.2, min_region_area = 20 }

-- A yard of 40 x 40 m with what `build` puts there.
local function yard(build)
  local geometry = leeward.geometry()
  geometry:add_box { at = { 0, -1, 0 }, size = { 40, 1, 40 } }
  build(geometry)
  local navmesh, report = leeward.bake(geometry, SETTINGS)
  return leeward.world { navmesh = navmesh }, navmesh, report
end

local function crate_and_wall(geometry)
  geometry:add_box { at = { 0, 0, 0 }, size = { 2, 1, 2 }, area = false }
  geometry:add_box { at = { 8, 0, 0 }, size = { 0.4, 2.5, 6 }, area = false }
end

describe("world:cover_segments", function()
  it("gives the sides of what one can hide behind, nearest first", function()
    local world, navmesh, report = yard(crate_and_wall)
    local found = world:cover_segments { around = { 0, 0, 4 }, radius = 30 }
    assert.equal(8, #found)
    assert.equal(8, navmesh:stats().cover_segments)
    for _, part in ipairs { "tile", "occluder", "openness", "cover" } do
      assert.is_true(report[part .. "_seconds"] >= 0)
    end
    assert.is_true(report.tile_seconds > 0 and report.occluder_seconds > 0)
    local side = found[1]
    assert.is_near(-1, side.a.x, 2e-3) -- from left to right as seen facing it
    assert.is_near(1, side.b.x, 2e-3)
    assert.is_near(1, side.a.z, 2e-3)
    assert.equal(leeward.vec3(0, 0, 1), side.normal)
    assert.is_near(0, side.bottom, 1e-3)
    assert.is_near(1, side.top, 1e-3)
    assert.equal("hard", side.kind)
    assert.equal(1, side.navmesh)
    assert.is_true(side.low)
    assert.is_false(side.high)
  end)

  it("finds only what hides a stance, of the profile that is asked for", function()
    local world = yard(crate_and_wall)
    local function like(low, high) return { extends = "human", stances = { stand = { body = { low, high } } } } end
    local function count(options)
      options.around = { 4, 0, 0 }
      return #world:cover_segments(options)
    end
    assert.equal(8, count { stance = "crouch" })
    assert.equal(4, count { stance = "stand" })
    assert.equal(8, count { stance = "stand", profile = like(0.3, 0.8) })
    assert.equal(0, count { stance = "stand", profile = like(0.9, 2.8) })
    assert.equal(0, count { radius = 1 })
  end)

  it("is hidden from behind, as exposure says", function()
    local world = yard(crate_and_wall)
    for _, segment in ipairs(world:cover_segments { around = { 4, 0, 0 }, stance = "crouch" }) do
      local place = (segment.a + segment.b) * 0.5 + segment.normal * 0.5
      local eye = place - segment.normal * 12 + leeward.vec3(0, 0.9, 0)
      assert.equal(0, (world:exposure { from = place, to = place, threats = { { at = eye } }, stance = "crouch" }))
    end
  end)

  it("heeds what designers say", function()
    local world = yard(function(geometry)
      crate_and_wall(geometry)
      geometry:forbid_cover { box = { at = { 0, 0, 0 }, size = { 2, 1, 2 } } }
      geometry:forbid_cover { polygon = { { 8, 0, -9 }, { 9, 0, -9 }, { 9, 0, 9 }, { 8, 0, 9 } }, bottom = -1, top = 1 }
      geometry:add_cover { from = { -10, 0, 5 }, to = { -6, 0, 5 }, height = 1.7, side = "left", cover = "soft" }
    end)
    local found = world:cover_segments { around = { 0, 0, 0 }, radius = 30 }
    assert.equal(2, #found) -- the wall's far side, and the hedge; its ends are too short
    assert.equal("hard", found[1].kind)
    assert.is_near(7.8, found[1].a.x, 2e-3)
    assert.equal("soft", found[2].kind)
    assert.equal(leeward.vec3(0, 0, -1), found[2].normal) -- to the left of the direction +x
    assert.is_true(found[2].high)
  end)

  it("is added only where there is ground beside it, and reported where there is none", function()
    local navmesh
    local function added(...)
      local covers, world = { ... }
      world, navmesh = yard(function(geometry)
        for _, cover in ipairs(covers) do geometry:add_cover(cover) end
      end)
      return world:cover_segments { around = { 0, 0, 0 }, radius = 100 }
    end
    assert.equal(2, #added { from = { -2, 0, 3 }, to = { 2, 0, 3 } })
    assert.same({}, navmesh:refused_cover())
    -- In the air; off the level; below it: all refused, with what was asked.
    assert.equal(0, #added({ from = { -2, 5, 3 }, to = { 2, 5, 3 } }, { from = { -2, 0, 30 }, to = { 2, 0, 30 } },
      { from = { -2, -3, 3 }, to = { 2, -3, 3 }, side = "left", height = 1.5, bottom = 0.5, cover = "soft" }))
    local refused = navmesh:refused_cover()
    assert.equal(3, #refused)
    assert.equal("there is no ground beside it", refused[1].reason)
    assert.same({ 1, leeward.vec3(-2, 5, 3), leeward.vec3(2, 5, 3), 1, 0, "both", "hard" }, {
      refused[1].index, refused[1].from, refused[1].to, refused[1].height, refused[1].bottom, refused[1].side,
      refused[1].cover,
    })
    assert.same({ 3, leeward.vec3(-2, -3, 3), leeward.vec3(2, -3, 3), 1.5, 0.5, "left", "soft" }, {
      refused[3].index, refused[3].from, refused[3].to, refused[3].height, refused[3].bottom, refused[3].side,
      refused[3].cover,
    })
    -- At the edge of the level: on one side alone. Half over the edge: the half that has ground.
    local found = added({ from = { -5, 0, 20 }, to = { 5, 0, 20 } }, { from = { 15, 0, 0 }, to = { 25, 0, 0 } })
    assert.same({}, navmesh:refused_cover())
    assert.equal(3, #found)
    for _, segment in ipairs(found) do
      if segment.normal.x == 0 and segment.a.z > 19 then
        assert.equal(leeward.vec3(0, 0, -1), segment.normal)
        assert.is_near(10, (segment.b - segment.a):length(), 1e-3)
      else
        assert.is_near(5, (segment.b - segment.a):length(), 0.7)
      end
    end
    -- It is saved with the navmesh.
    added({ from = { -2, 5, 3 }, to = { 2, 5, 3 } }, { from = { -2, 0, 3 }, to = { 2, 0, 3 }, side = "right" })
    local file = os.tmpname()
    assert(navmesh:save(file))
    local loaded = assert(leeward.load_navmesh(file))
    os.remove(file)
    assert.equal(1, #loaded:refused_cover())
    assert.equal(1, loaded:refused_cover()[1].index)
  end)

  it("stays on the other storeys of a wall where one is taken away", function()
    local function storeys(edit)
      local world = yard(function(geometry)
        geometry:add_box { min = { -6, 2.8, -6 }, max = { 6, 3, 6 } }
        geometry:add_box { min = { -4, 0, -0.15 }, max = { 4, 6, 0.15 }, area = false }
        edit(geometry)
      end)
      local below, above = 0, 0
      for _, segment in ipairs(world:cover_segments { around = { 0, 0, 0 }, radius = 30 }) do
        if segment.a.y < 1 then below = below + 1 else above = above + 1 end
      end
      return below, above
    end
    local below, above = storeys(function() end)
    assert.is_true(below > 0 and above > 0)
    assert.same({ below, 0 }, { storeys(function(geometry)
      geometry:forbid_cover { box = { min = { -5, 3.01, -1 }, max = { 5, 6, 1 } } }
    end) })
    assert.same({ 0, above }, { storeys(function(geometry)
      geometry:forbid_cover { box = { min = { -5, 0, -1 }, max = { 5, 2.8, 1 } } }
    end) })
    assert.same({ 0, 0 }, { storeys(function(geometry)
      geometry:forbid_cover { polygon = { { -5, 0, -1 }, { 5, 0, -1 }, { 5, 0, 1 }, { -5, 0, 1 } } }
    end) })
    assert.same({ 0, above + 2 }, { storeys(function(geometry) -- what is added stays
      geometry:add_cover { from = { -2, 3, 3 }, to = { 2, 3, 3 } }
      geometry:forbid_cover { box = { min = { -5, 0, -1 }, max = { 5, 2.8, 5 } } }
    end) })
    assert.same({ 0, 2 }, { storeys(function(geometry)
      geometry:add_cover { from = { -2, 3, 3 }, to = { 2, 3, 3 } }
      geometry:forbid_cover { box = { min = { -5, 0, -1 }, max = { 5, 6, 5 } } }
    end) })
  end)

  it("keeps to the ground along stairs, and tells the least that a wall rises over a slope", function()
    -- Level ground, then stairs of ten steps, with a wall along all of it.
    local world = yard(function(geometry)
      for i = 0, 9 do
        geometry:add_box { min = { 0.3 * i - 3, 0, 0.15 }, max = { 0.3 * i - 2.7, 0.2 * (i + 1), 3 } }
      end
      geometry:add_box { min = { 0, 0, 0.15 }, max = { 6, 2, 3 } }
      geometry:add_box { min = { -6, 0, -0.15 }, max = { 6, 3, 0.15 }, area = false }
    end)
    local along = 0
    for _, segment in ipairs(world:cover_segments { around = { 0, 0, 0 }, radius = 30 }) do
      if segment.normal.z > 0.9 and math.abs(segment.a.z - 0.15) < 0.01 then
        along = along + 1
        for i = 0, 20 do
          local at = segment.a + (segment.b - segment.a) * (i / 20)
          if at.x < -2.95 then assert.is_near(0, at.y, 0.2) end -- STRAY, and how coarsely the mesh lies on the ground
        end
      end
    end
    assert.is_true(along > 3)
    -- A wall that ends at 4 m beside level ground that begins to rise at x = 0.
    local slope = leeward.geometry()
    slope:add_box { min = { -15, -1, -15 }, max = { 0, 0, 15 } }
    slope:add_ramp { from = { 0, 0, 0 }, to = { 15, 3, 0 }, width = 30 }
    slope:add_box { min = { -5, 0, -0.1 }, max = { 10, 4, 0.1 }, area = false }
    local found = leeward.world { navmesh = leeward.bake(slope, SETTINGS) }:cover_segments { around = { 0, 0, 0 } }
    assert.is_true(#found > 0)
    for _, segment in ipairs(found) do
      local lowest = 4 - math.max(0, segment.a.x / 5, segment.b.x / 5)
      assert.is_near(lowest, segment.top - segment.a.y, 0.25)
    end
  end)

  it("is taken away on a slope as far as the region's heights reach", function()
    local function found(top)
      local geometry = leeward.geometry()
      geometry:add_ramp { from = { -10, 0, 0 }, to = { 10, 5, 0 }, width = 10 }
      geometry:add_mesh {
        vertices = { { -10, 0, 0 }, { 10, 5, 0 }, { 10, 6.5, 0 }, { -10, 1.5, 0 } },
        indices = { 1, 2, 3, 1, 3, 4 }, area = false,
      }
      if top then
        geometry:forbid_cover { polygon = { { -20, 0, -2 }, { 20, 0, -2 }, { 20, 0, 2 }, { -20, 0, 2 } }, top = top }
      end
      local world = leeward.world { navmesh = leeward.bake(geometry, SETTINGS) }
      local low, high = math.huge, -math.huge
      for _, segment in ipairs(world:cover_segments { around = { 0, 2.5, 0 }, radius = 30 }) do
        low = math.min(low, segment.a.y, segment.b.y)
        high = math.max(high, segment.a.y, segment.b.y)
      end
      return low, high
    end
    local low, high = found()
    assert.is_true(low < 0.5 and high > 4.5)
    low, high = found(2)
    assert.is_near(2, low, 0.05)
    assert.is_true(high > 4.5)
  end)

  it("is what a cover map answers from, in place of the occluders", function()
    local function baked(settings)
      local geometry = leeward.geometry()
      geometry:add_box { at = { 0, -1, 0 }, size = { 40, 1, 40 } }
      crate_and_wall(geometry)
      for key, value in pairs(SETTINGS) do settings[key] = value end
      local navmesh, report = leeward.bake(geometry, settings)
      return leeward.world { navmesh = navmesh }, navmesh:stats(), report
    end
    local world, stats, report = baked { cover_map = true }
    local bare, less = baked { cover_map = true, occluders = false }
    assert.is_true(stats.cover_map_bytes > 0)
    assert.is_true(stats.cover_map_loss < 0.02)
    assert.is_true(report.cover_map_seconds >= 0)
    assert.is_true(less.occluders <= stats.occluders and less.bytes < stats.bytes)
    for i = 1, 9 do
      local query = { from = { -15, 0, 12 }, to = { 15, 0, 9 }, threats = { { at = { 2 * i - 10, 1.6, -12 } } } }
      local _, exact = world:exposure(query)
      local _, auto = bare:exposure(query)
      query.accuracy = "map"
      local _, map = world:exposure(query)
      assert.is_near(exact, map, 0.05)
      assert.is_near(map, auto, 1e-6)
    end
  end)

  it("is the same when pairs of polygons answer what is sure of it", function()
    local function baked(settings)
      local geometry = leeward.geometry()
      geometry:add_box { at = { 0, -1, 0 }, size = { 40, 1, 40 } }
      for i = -1, 1 do geometry:add_box { at = { 8 * i, 0, 6 * i }, size = { 0.4, 3, 26 }, area = false } end
      for key, value in pairs(SETTINGS) do settings[key] = value end
      local navmesh, report = leeward.bake(geometry, settings)
      return leeward.world { navmesh = navmesh }, navmesh, report
    end
    local plain, without = baked {}
    local world, navmesh, report = baked { visibility_table_range = 60 }
    local stats = navmesh:stats()
    assert.equal(0, without:stats().visibility_table_bytes)
    assert.is_true(stats.visibility_table_bytes > 0 and report.visibility_table_seconds > 0)
    assert.equal(60, stats.visibility_table_range)
    assert.is_true(stats.pairs_hidden > 0.2 and stats.pairs_visible > 0.02)
    leeward.profile("pair_scout", { cover_bias = 4 })
    for i = 1, 20 do
      local threats = { { at = { 2 * i - 20, 1.6, 15 - i }, range = 50 }, { at = { 15, 1.6, 2 * i - 20 } } }
      local place = { 1.5 * i - 16, 0, 12 - 1.2 * i }
      local short = { from = place, to = { place[1] + 0.3, 0, place[3] }, threats = threats, accuracy = "exact" }
      assert.is_near(plain:exposure(short), world:exposure(short), 1e-5)
      local query = { from = { -17, 0, i - 10 }, to = { 17, 0, 10 - i }, profile = "pair_scout", threats = threats,
        accuracy = "exact" }
      assert.is_near(plain:find_path(query):cost(), world:find_path(query):cost(), 1e-3)
      local around = { around = place, radius = 12, profile = "pair_scout", threats = threats }
      local points, same = plain:find_cover(around) or {}, world:find_cover(around) or {}
      assert.equal(#points, #same)
      for k = 1, #points do assert.equal(points[k].point, same[k].point) end
    end
    assert.has_error(function() baked { visibility_table_range = -1 } end,
      "bake: visibility_table_range is -1, expected metres >= 0")
  end)

  it("is empty in a navmesh from polygons, or where the bake leaves it out", function()
    local navmesh = leeward.navmesh { vertices = { { 0, 0, 0 }, { 9, 0, 0 }, { 9, 0, 9 } }, polygons = { { 1, 2, 3 } } }
    assert.same({}, leeward.world { navmesh = navmesh }:cover_segments { around = { 4, 0, 4 } })
    local geometry = leeward.geometry()
    geometry:add_box { at = { 0, -1, 0 }, size = { 40, 1, 40 } }
    crate_and_wall(geometry)
    local baked = leeward.bake(geometry, { cover_segments = false })
    assert.equal(0, baked:stats().cover_segments)
    assert.is_true(baked:stats().occluders > 0)
  end)

  it("refuses what it does not understand", function()
    local world = yard(crate_and_wall)
    local geometry = leeward.geometry()
    assert.error_matches(function() world:cover_segments { around = { 0, 0, 0 }, raduis = 3 } end,
      "unknown key 'raduis'. Did you mean 'radius'?", 1, true)
    assert.error_matches(function() world:cover_segments { around = { 0, 0, 0 }, stance = "prone" } end,
      "stance is 'prone', expected 'stand' or 'crouch'", 1, true)
    assert.error_matches(function() world:cover_segments { radius = 3 } end, "around is nil, expected a point", 1, true)
    assert.error_matches(function() geometry:forbid_cover { bottom = 0 } end,
      "no shape is given, expected box or polygon", 1, true)
    assert.error_matches(function() geometry:forbid_cover { box = {}, polygon = {} } end,
      "box and polygon are given, expected one of them", 1, true)
    assert.error_matches(function() geometry:add_cover { from = { 0, 0, 0 }, to = { 0, 0, 0 } } end,
      "m apart in xz, expected 0.25 m or more", 1, true)
    assert.error_matches(function() geometry:add_cover { from = { 0, 0, 0 }, to = { 1, 0, 0 }, side = "front" } end,
      "side is 'front', expected 'left', 'right' or 'both'", 1, true)
    assert.error_matches(function() geometry:add_cover { from = { 0, 0, 0 }, to = { 1, 0, 0 }, cover = "none" } end,
      "add_cover: cover is 'none', expected 'hard' or 'soft'", 1, true)
    assert.error_matches(function() geometry:add_cover { from = { 0, 0, 0 }, to = { 1, 0, 0 }, cover = true } end,
      "add_cover: cover is true, expected 'hard' or 'soft'", 1, true)
    assert.error_matches(function() geometry:add_cover { from = { 0, 0, 0 }, to = { 1, 0, 0 }, bottom = 2 } end,
      "expected metres > bottom 2", 1, true)
  end)
end)
