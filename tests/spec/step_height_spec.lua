-- How high the steps are that a bake finds, and that a profile's climb counts in every query.
local leeward = require "leeward"

describe("step height:", function()
  --- A floor of 20 x 20 m, and beyond x = 20 a pavement that is `height` metres higher.
  local function kerb(height, settings)
    local level = leeward.geometry()
    level:add_box { min = { 0, -1, 0 }, max = { 40, 0, 20 } }
    level:add_box { min = { 20, 0, 0 }, max = { 40, height, 20 } }
    local all = { cover_segments = false, occluders = false, openness_range = 0 }
    for key, value in pairs(settings or {}) do all[key] = value end
    return assert(leeward.bake(level, all))
  end
  local function climber(climb) return { extends = "human", radius = 0, climb = climb } end
  local BELOW, ABOVE = { 10, 0, 10 }, { 30, 0.35, 10 }

  it("a car of climb 0.25 takes no step of 0.35 m, and a man of climb 0.4 does", function()
    local world = leeward.world { navmesh = kerb(0.35) }
    assert.is_true(world:path_exists(BELOW, ABOVE, "human"))
    assert.is_true(world:path_exists(ABOVE, BELOW, "human"))
    for _, profile in ipairs { "car", "truck", "hovercraft" } do
      assert.is_false(world:path_exists(BELOW, ABOVE, profile))
      assert.is_false(world:path_exists(ABOVE, BELOW, profile))
      local path = assert(world:find_path { from = BELOW, to = ABOVE, profile = profile, allow_partial = true })
      assert.is_true(path:is_partial())
      for _, point in ipairs(path:points()) do assert.is_true(point.x < 20) end
    end
  end)

  it("the height is that of the level's triangles, to a centimetre and rounded up", function()
    local steps = { [0.35] = 0.35, [0.351] = 0.36, [0.27] = 0.27, [0.251] = 0.26, [0.25] = 0, [0.4] = 0.4 }
    for height, step in pairs(steps) do
      local heights = {}
      for _, polygon in ipairs(kerb(height):polygons()) do heights[#heights + 1] = polygon.step end
      assert.near(step, math.max(table.unpack(heights)), 1e-6)
    end
  end)

  it("decides on the very height: 0.3 is not above 0.3", function()
    local world = leeward.world { navmesh = kerb(0.3) }
    assert.is_true(world:path_exists(BELOW, { 30, 0.3, 10 }, { profile = climber(0.3) }))
    assert.is_false(world:path_exists(BELOW, { 30, 0.3, 10 }, { profile = climber(0.29) }))
  end)

  it("polygons are cut beside it: the ground is as free as before, but for a strip of a cell or two", function()
    local world = leeward.world { navmesh = kerb(0.35) }
    local car = climber(0.25)
    for _ = 1, 300 do
      local x = world:random_point { profile = car }.x
      assert.is_true(x < 19.9 or x > 20.1, x)
    end
    assert.is_true(world:contains({ 19.5, 0, 10 }, { profile = car }))
    assert.is_true(world:contains({ 20.5, 0.35, 10 }, { profile = car }))
    assert.is_false(world:contains({ 20.05, 0.35, 10 }, { profile = car }))
  end)

  it("a riser that leans, steeper than agent_slope and as wide as a cell, is a wall; a narrower one a step", function()
    local function leaning(width)
      local level = leeward.geometry()
      local function face(x0, y0, x1, y1)
        level:add_mesh { vertices = { { x0, y0, 0 }, { x0, y0, 20 }, { x1, y1, 20 }, { x1, y1, 0 } },
          indices = { 1, 2, 3, 1, 3, 4 } }
      end
      face(0, 0, 20, 0)
      face(20, 0, 20 + width, 0.3)
      face(20 + width, 0.3, 40, 0.3)
      return leeward.world { navmesh = assert(leeward.bake(level, { cell_size = 0.2 })) }
    end
    assert.is_true(leaning(0.1):path_exists(BELOW, { 30, 0.3, 10 }, { profile = "human" }))
    assert.is_false(leaning(0.25):path_exists(BELOW, { 30, 0.3, 10 }, { profile = "human" })) -- 50 degrees
    assert.is_true(leaning(0.4):path_exists(BELOW, { 30, 0.3, 10 }, { profile = "human" })) -- 37 degrees
  end)

  it("a slope of 40 degrees has no step, though it rises as much from cell to cell", function()
    local level = leeward.geometry()
    level:add_box { min = { 0, -1, 0 }, max = { 40, 0, 20 } }
    local rise = 5 * math.tan(math.rad(40))
    level:add_ramp { from = { 10, 0, 10 }, to = { 15, rise, 10 }, width = 20 }
    level:add_box { min = { 15, 0, 0 }, max = { 40, rise, 20 } }
    local navmesh = assert(leeward.bake(level, { cover_segments = false, occluders = false, openness_range = 0 }))
    for _, polygon in ipairs(navmesh:polygons()) do assert.equal(0, polygon.step) end
    assert.is_true(leeward.world { navmesh = navmesh }:path_exists({ 3, 0, 10 }, { 30, rise, 10 }, "car"))
  end)

  it("a lip over a side that leans inwards is a step, too", function()
    local level = leeward.geometry()
    level:add_box { min = { 0, -1, 0 }, max = { 40, 0, 20 } }
    -- A plate from x = 20 on, whose side leans 60 degrees under it.
    local vertices = { { 20, 0.3, 0 }, { 20, 0.3, 20 }, { 40, 0.3, 20 }, { 40, 0.3, 0 },
      { 21, -1.4, 0 }, { 21, -1.4, 20 } }
    level:add_mesh { vertices = vertices, indices = { 1, 2, 3, 1, 3, 4, 1, 5, 2, 2, 5, 6 } }
    local navmesh = assert(leeward.bake(level, { cover_segments = false, occluders = false, openness_range = 0 }))
    local world = leeward.world { navmesh = navmesh }
    assert.is_true(world:path_exists(BELOW, { 30, 0.3, 10 }, "human"))
    assert.is_false(world:path_exists(BELOW, { 30, 0.3, 10 }, { profile = climber(0.25) }))
  end)

  it("what is higher than the bake's climb is a wall, though voxels do not tell them apart", function()
    local bold, middle = climber(2.5), 0.1 -- half the cells are above the step's own
    local world = leeward.world { navmesh = kerb(0.44) }
    assert.is_false(world:path_exists(BELOW, { 30, 0.44, 10 }, { profile = bold }))
    for _, polygon in ipairs(world:navmesh():polygons()) do
      assert.equal(0, polygon.step)
      for _, corner in ipairs(polygon.corners) do assert.is_true(math.abs(corner.x - 20) > 0.4 - middle) end
    end
    local higher = leeward.world { navmesh = kerb(0.44, { agent_climb = 0.5 }) }
    assert.is_true(higher:path_exists(BELOW, { 30, 0.44, 10 }, { profile = bold }))
    -- Without climbs nothing is measured: voxels decide.
    local coarse = leeward.world { navmesh = kerb(0.44, { climbs = {} }) }
    assert.is_true(coarse:path_exists(BELOW, { 30, 0.44, 10 }, { profile = bold }))
  end)

  it("treads that are smaller than an island are no polygons of their own", function()
    local level = leeward.geometry()
    level:add_box { min = { 0, -1, 0 }, max = { 40, 0, 20 } }
    for i = 1, 10 do level:add_box { min = { 10 + i, 0, 8 }, max = { 40, 0.35 * i, 9.8 } } end
    local function count(min_region_area)
      local navmesh = assert(leeward.bake(level, { min_region_area = min_region_area, cover_segments = false,
        occluders = false, openness_range = 0 }))
      local treads = 0
      for _, polygon in ipairs(navmesh:polygons()) do
        local at = polygon.corners[1]
        if at.x > 11 and at.x < 20 and at.z > 8 and at.z < 10 and polygon.step == 0 then treads = treads + 1 end
      end
      local world = leeward.world { navmesh = navmesh }
      assert.is_true(world:path_exists({ 5, 0, 9 }, { 30, 3.5, 9 }, "human"))
      assert.is_false(world:path_exists({ 5, 0, 9 }, { 30, 3.5, 9 }, { profile = climber(0.3) }))
      return treads
    end
    assert.equal(0, count(2))
    assert.is_true(count(0.1) >= 9)
  end)

  it("stairs are as high as each of their steps", function()
    local level = leeward.geometry()
    level:add_box { min = { 0, -1, 0 }, max = { 40, 0, 20 } }
    for i = 1, 10 do level:add_box { min = { 10 + 0.3 * i, 0, 0 }, max = { 40, 0.18 * i, 20 } } end
    local navmesh = assert(leeward.bake(level, { climbs = { 0.15, 0.25 }, cover_segments = false, occluders = false,
      openness_range = 0 }))
    local highest = 0
    for _, polygon in ipairs(navmesh:polygons()) do highest = math.max(highest, polygon.step) end
    assert.near(0.18, highest, 1e-6)
    local world = leeward.world { navmesh = navmesh }
    assert.is_true(world:path_exists({ 3, 0, 10 }, { 30, 1.8, 10 }, "car"))
    assert.is_false(world:path_exists({ 3, 0, 10 }, { 30, 1.8, 10 }, { profile = climber(0.15) }))
  end)

  it("random points, nearest points, rays, slides and what is connected mind it, too", function()
    local world, car = leeward.world { navmesh = kerb(0.35) }, climber(0.25)
    for _ = 1, 100 do assert.is_true(world:random_point { profile = car, connected_to = BELOW }.x < 20) end
    local hit, at = world:raycast(BELOW, ABOVE, { profile = car })
    assert.is_true(hit and at.x < 20 and at.x > 19.3)
    assert.is_false((world:raycast(BELOW, ABOVE, { profile = climber(0.4) })))
    assert.is_true(world:move_along(BELOW, ABOVE, { profile = car }).x < 20)
    local near = world:nearest_point({ 20, 0.35, 10 }, { profile = car })
    assert.is_true(near.x < 19.9 or near.x > 20.1)
    local agent = assert(world:spawn { profile = "car", at = BELOW })
    agent:move_to(ABOVE)
    world:run(8)
    assert.is_true(agent:position().x < 20)
    agent:set_profile "human"
    agent:move_to(ABOVE)
    world:run(16)
    assert.is_true(agent:position().x > 29)
  end)

  it("a file keeps it, and so does ground that is cut", function()
    local navmesh, file = kerb(0.35), os.tmpname()
    assert(navmesh:save(file))
    local loaded = assert(leeward.load_navmesh(file))
    os.remove(file)
    assert.same(navmesh:polygons(), loaded:polygons())
    local world = leeward.world { navmesh = loaded }
    world:add_obstacle { shape = "box", at = { 20, 0, 4 }, size = { 3, 2, 3 } }
    world:add_obstacle { shape = "box", at = { 20, 0, 14 }, size = { 3, 2, 3 }, blocks = false, area = "road" }
    world:step(1 / 60)
    assert.is_true(world:path_exists(BELOW, ABOVE, "human"))
    assert.is_false(world:path_exists(BELOW, ABOVE, { profile = climber(0.25) }))
    -- A file of an earlier version does not know of steps: they bar nobody.
    local old = assert(leeward.load_navmesh("tests/fuzz/corpus/navmesh_load/lake_of_version_15"))
    for _, polygon in ipairs(old:polygons()) do assert.equal(0, polygon.step) end
  end)

  it("a group goes where the one of the lowest climb can go", function()
    local world = leeward.world { navmesh = kerb(0.28) }
    assert.is_true(world:path_exists(BELOW, { 30, 0.28, 10 }, { profile = climber(0.3) }))
    local group = leeward.combined_profile { "truck", "car" }
    assert.is_false(world:path_exists(BELOW, { 30, 0.28, 10 }, { profile = group }))
  end)

  it("a navmesh from polygons may say it", function()
    local function strips(step)
      local vertices = {}
      for x = 0, 12, 4 do
        for z = 0, 4, 4 do vertices[#vertices + 1] = { x, 0, z } end
      end
      local polygons = { { 1, 2, 4, 3 }, { 3, 4, 6, 5 }, { 5, 6, 8, 7 } }
      return leeward.navmesh { step = step, agent_radius = 2, polygons = polygons, vertices = vertices }
    end
    local world = leeward.world { navmesh = strips { 0, 0.333, 0 } }
    assert.near(0.34, world:navmesh():polygons()[2].step, 1e-6)
    assert.is_true(world:path_exists({ 1, 0, 1 }, { 11, 0, 1 }, "human"))
    assert.is_false(world:path_exists({ 1, 0, 1 }, { 11, 0, 1 }, "car"))
    assert.has_error(function() strips { 0, -1, 0 } end, "navmesh: step[2] is -1, expected metres >= 0")
    assert.has_error(function() strips "high" end,
      "navmesh: step is 'high', expected metres, or a list of them, one for each polygon")
  end)

  it("says of its settings what is wrong", function()
    local function refuses(climbs, message)
      assert.has_error(function() kerb(0.3, { climbs = climbs }) end, message)
    end
    refuses(1, "bake: climbs is 1, expected a list of up to 8 climbs, rising")
    refuses({ 0.3, 0.2 }, "bake: climbs[2] is 0.2, expected metres > 0.3 and <= 2.5")
    local level = leeward.geometry()
    level:add_box { min = { 0, 0, 0 }, max = { 9, 1, 9 } }
    local used = {}
    for i, climb in ipairs(select(2, leeward.bake(level)).used.climbs) do used[i] = ("%.2f"):format(climb) end
    assert.same({ "0.25", "0.30", "0.40" }, used)
  end)
end)

-- Levels of random boxes and wedges, turned and sunk into each other, against their triangles.
describe("steps of random levels", function()
  local level_triangles = require "support.level_triangles"
  local SEEDS, APART, CLIMBS = 4, 0.02, { 0.1, 0.2, 0.3 }

  local function random_level(random)
    local function between(low, high) return low + (high - low) * random() end
    local level = level_triangles()
    level:add_box(15, 15, 30, 30, -1, 0)
    for _ = 1, 14 do
      local x, z, width, depth = between(2, 28), between(2, 28), between(0.2, 9), between(0.2, 9)
      level:add_box(x, z, width, depth, -0.3, between(0.02, 0.5), between(0, 3))
    end
    for _ = 1, 4 do
      local x, z, length, width, top = between(4, 20), between(4, 20), between(1, 6), between(1, 5), between(0.1, 0.6)
      local foot, back = z + width, x + length
      level:add_block({ { x, 0, z }, { x, 0, foot }, { back, top, foot }, { back, top, z } }, -0.5)
    end
    return level
  end

  --- Is a place in a crack that is narrower than a cell? Agents stand on both its sides, not in it.
  local function is_crack(level, x, y, z)
    local function rises(away, angle)
      local here = level:top_at(x + away * math.cos(angle), y, z + away * math.sin(angle), 0.7)
      return here and here > y + 0.05
    end
    for turn = 0, 7 do
      local angle = turn * math.pi / 8
      for away = 0.05, 0.2, 0.05 do
        if rises(away, angle) and rises(away - 0.25, angle) then return true end
      end
    end
    return false
  end

  --- The highest step of the ground along a line, and where it is. Rises over `width` looks count as one.
  --- @param passes  What is left out: is_crack, or nothing.
  local function highest_along(level, from, x1, z1, width, passes)
    local looks = math.max(1, math.ceil(math.sqrt((x1 - from.x) ^ 2 + (z1 - from.z) ^ 2) / APART))
    local heights, highest, at, y = {}, 0, "", from.y
    for k = 0, looks do
      local x, z = from.x + k / looks * (x1 - from.x), from.z + k / looks * (z1 - from.z)
      local here = level:top_at(x, y, z, 0.7)
      if not here or (passes and y - here > 0.05 and passes(level, x, here, z)) then here = y end
      local rise = math.abs(here - (heights[math.max(1, #heights - width + 1)] or here))
      if rise > highest then highest, at = rise, ("%.3f, %.3f"):format(x, z) end
      heights[#heights + 1], y = here, here
    end
    return highest, at
  end

  --- That agents of a climb take no higher step on straight ways.
  local function holds(level, world, climb)
    local profile, walked = { extends = "human", radius = 0, climb = climb }, 0
    for k = 1, 150 do
      local from = world:random_point { profile = profile }
      local to = { from.x + 5 * math.cos(k * 2.4), from.y, from.z + 5 * math.sin(k * 2.4) }
      local _, at = world:raycast(from, to, { profile = profile })
      local step, where = highest_along(level, from, at.x, at.z, 1, is_crack)
      local message = ("a step of %.3f m at (%s) for climb %g"):format(step, where, climb)
      assert.is_true(step <= climb + APART + 0.005, message)
      walked = walked + from:distance(at)
    end
    assert.is_true(walked > 100)
  end

  --- That in or beside a polygon the ground rises by as much as its step, within the 5 cm that no foot stands on.
  local function is_found(level, polygon)
    local low, high = { math.huge, math.huge }, { -math.huge, -math.huge }
    for _, p in ipairs(polygon.corners) do
      low[1], low[2] = math.min(low[1], p.x - 0.2), math.min(low[2], p.z - 0.2)
      high[1], high[2] = math.max(high[1], p.x + 0.2), math.max(high[2], p.z + 0.2)
    end
    local found, y = 0, polygon.corners[1].y
    for x = low[1], high[1], 0.06 do
      found = math.max(found, (highest_along(level, { x = x, y = y, z = low[2] }, x, high[2], 4)))
    end
    for z = low[2], high[2], 0.06 do
      found = math.max(found, (highest_along(level, { x = low[1], y = y, z = z }, high[1], z, 4)))
    end
    assert.is_true(polygon.step <= found + 0.03, ("a step of %g m of which %.3f m are found near (%g, %g)"):format(
      polygon.step, found, low[1], low[2]))
  end

  for seed = 1, SEEDS do
    it("are as high as their triangles say: seed " .. seed, function()
      math.randomseed(seed)
      local level = random_level(math.random)
      local navmesh = assert(leeward.bake(level.geometry, { climbs = CLIMBS, cover_segments = false, occluders = false,
        openness_range = 0 }))
      local world = leeward.world { navmesh = navmesh, seed = seed }
      for _, climb in ipairs(CLIMBS) do holds(level, world, climb) end
      local count = 0
      for _, polygon in ipairs(navmesh:polygons()) do
        if polygon.step > 0 and polygon.area_m2 < 3 then
          count = count + 1
          if count % 4 == 0 then is_found(level, polygon) end
        end
      end
      assert.is_true(count > 20)
    end)
  end
end)
