-- Prices to the letter: what the design documents say of costs, sentence by sentence. It reads as the list of what they
-- ask for; row 1 is letter_costs_spec.
local leeward = require "leeward"
local maps = require "support.maps"

describe("2. random points:", function() -- in detail: random_point_spec, seeds_spec
  --- 20 m of ground with 2 m of road in the middle, and an island of grass.
  local function world()
    return leeward.world { seed = 2, navmesh = maps.rectangles {
      { 0, 0, 9, 4, "ground" }, { 9, 0, 2, 4, "road" }, { 11, 0, 9, 4, "ground" }, { 30, 0, 10, 4, "grass" },
    } }
  end
  local function all(drawn_from, query, accepts)
    for _ = 1, 300 do assert.is_true(accepts(assert(drawn_from:random_point(query)))) end
  end
  local function some(drawn_from, query, accepts)
    for _ = 1, 300 do if accepts(assert(drawn_from:random_point(query))) then return end end
    error "none of 300"
  end
  local function is_island(p) return p.x >= 30 end

  it("without a table they are of the whole navmesh", function()
    some(world(), nil, is_island)
    some(world(), nil, function(p) return not is_island(p) end)
  end)

  it("connected_to draws none on an island", function()
    all(world(), { connected_to = { 1, 0, 1 } }, function(p) return not is_island(p) end)
  end)

  it("only and avoid are of areas, min_distance of metres", function()
    local drawn_from = world()
    all(drawn_from, { only = { "road" } }, function(p) return p.x >= 9 and p.x <= 11 end)
    all(drawn_from, { avoid = { "grass" } }, function(p) return not is_island(p) end)
    all(drawn_from, { avoid = { "road" }, connected_to = { 1, 0, 1 } }, function(p) return p.x <= 9 end)
    all(drawn_from, { connected_to = { 1, 0, 1 }, min_distance = 12 }, function(p) return p.x > 12 end)
  end)

  it("seeds at the bake drop what nobody can reach", function()
    local geometry = leeward.geometry()
    geometry:add_box { at = { 0, -1, 0 }, size = { 20, 1, 20 } }
    geometry:add_box { at = { 4, 0, 4 }, size = { 6, 3, 6 } }
    local function high(p) return p.y > 2 end
    some(leeward.world { seed = 2, navmesh = leeward.bake(geometry) }, nil, high)
    all(leeward.world { seed = 2, navmesh = leeward.bake(geometry, { seeds = { { -5, 0, -5 } } }) }, nil,
      function(p) return not high(p) end)
  end)
end)

describe("3. off-mesh pieces pay", function()
  --- Two pieces of ground, 10 m wide, with `gap` metres between them and a link over the gap.
  local function world_with(link, gap)
    link.from, link.to = { 8, 0, 5 }, { 8 + gap, 0, 5 }
    return leeward.world { navmesh = leeward.navmesh {
      vertices = { { 0, 0, 0 }, { 8, 0, 0 }, { 8, 0, 10 }, { 0, 0, 10 },
        { 8 + gap, 0, 0 }, { 16 + gap, 0, 0 }, { 16 + gap, 0, 10 }, { 8 + gap, 0, 10 } },
      polygons = { { 1, 2, 3, 4 }, { 5, 6, 7, 8 } }, links = { link },
    } }
  end
  local function over(gap, more)
    local query = { from = { 8, 0, 5 }, to = { 8 + gap, 0, 5 },
      profile = { extends = "human", radius = 0, cover_bias = 10, danger_cost = 50 } }
    for key, value in pairs(more or {}) do query[key] = value end
    return query
  end
  local function cost(world, query) return assert(world:find_path(query)):cost() end
  local ABOVE = { { at = { 23, 60, 5 } } }

  it("exposure: a waypoint edge of 30 m in full view costs 300, as on the ground", function()
    local world = world_with({ kind = "waypoint" }, 30)
    local path = assert(world:find_path(over(30, { threats = ABOVE })))
    assert.near(30 * (1 + 9), path:cost(), 1e-2)
    assert.near(30, path:exposed(), 1e-3)
    local e = path:explain()
    assert.near(270, e.total.terms.threats, 1e-2)
    assert.near(30, e.total.exposed_to[1], 1e-3)
    local ground = leeward.world { navmesh = maps.rectangles { { 8, 0, 30, 10 } } }
    assert.near(cost(ground, over(30, { threats = ABOVE })), path:cost(), 1e-2)
  end)

  it("exposure: only the part that is seen", function()
    -- The threat lies at a body's height beside the middle of the edge: of the sphere of its range, 13 m, a chord lies
    -- on each height of the body.
    local threat = { at = { 23, 0.9, 10 }, range = 13 }
    local world = world_with({ kind = "waypoint" }, 30)
    local path = assert(world:find_path(over(30, { threats = { threat } })))
    local seen, _, _, weighted =
      world:exposure { from = { 8, 0, 5 }, to = { 38, 0, 5 }, threats = { threat }, accuracy = "exact" }
    assert.near(24, seen, 0.1) -- the lower end of the body: 2 * sqrt(13^2 - 5^2)
    assert.near(seen, path:exposed(), 1e-2)
    assert.near(30 + 9 * weighted, path:cost(), 0.05)
  end)

  it("exposure: jumps, ladders and drops alike, teleports not; a link that counts as short for that", function()
    for kind, metres in pairs { jump = 4, drop = 4, ladder = 4, teleport = 0 } do
      assert.near(4 + 9 * metres, cost(world_with({ kind = kind }, 4), over(4, { threats = ABOVE })), 1e-2, kind)
    end
    local world = world_with({ kind = "ladder", length = 1 }, 4)
    assert.near(1 + 9, cost(world, over(4, { threats = ABOVE })), 1e-2)
  end)

  it("openness: all but teleports, which lead over nothing; within a navmesh and between two", function()
    local open = { extends = "human", radius = 0, exposure_factor = 2 }
    for kind, factor in pairs { jump = 3, drop = 3, ladder = 3, waypoint = 3, teleport = 1 } do
      local path = assert(world_with({ kind = kind }, 4):find_path(over(4, { profile = open })))
      assert.near(4 * factor, path:cost(), 1e-3, kind)
      assert.near(4 * (factor - 1), path:explain().total.terms.openness or 0, 1e-3, kind)
      local own = world_with({ kind = kind, area = "ground" }, 4)
      assert.near(4 * factor, cost(own, over(4, { profile = open })), 1e-3, kind)
    end
    local function floor(x)
      return leeward.navmesh { vertices = { { x, 0, 0 }, { x + 8, 0, 0 }, { x + 8, 0, 10 }, { x, 0, 10 } },
        polygons = { { 1, 2, 3, 4 } } }
    end
    for kind, factor in pairs { jump = 3, teleport = 1 } do
      local world = leeward.world { navmeshes = { floor(0), floor(12) },
        links = { { kind = kind, from = { 8, 0, 5 }, to = { 12, 0, 5 } } } }
      local path = assert(world:find_path(over(4, { profile = open })))
      assert.near(4 * factor, path:cost(), 1e-3, kind)
      assert.near(4 * (factor - 1), path:explain().total.terms.openness or 0, 1e-3, kind)
    end
  end)

  it("exposure: high grass at its ends hides what it does on the ground", function()
    local world = world_with({ kind = "waypoint", area = "grass" }, 10)
    assert.near(10 + 9 * 10 * 0.5, cost(world, over(10, { threats = ABOVE })), 1e-2)
  end)

  it("a fire lane across it: its metres, at cover_bias", function()
    local world = world_with({ kind = "waypoint" }, 30)
    local lane = world:add_fire_lane { from = { 20, 1, -10 }, to = { 20, 1, 20 }, radius = 1.5, seconds = 60 }
    world:step(1 / 60)
    assert.near(30 + 9 * 3, cost(world, over(30)), 1e-2)
    lane:remove()
    world:step(1 / 60)
    assert.near(30, cost(world, over(30)), 1e-3)
  end)

  it("a danger under a jump's arc, a ladder or a waypoint edge, once", function()
    for _, kind in ipairs { "jump", "ladder", "waypoint" } do
      local world = world_with({ kind = kind }, 6)
      world:add_danger { at = { 11, 0, 5 }, radius = 1 }
      world:add_danger { at = { 11, 0, 9 }, radius = 1 } -- beside it
      world:add_danger { at = { 11, 30, 5 }, radius = 1 } -- above it
      world:step(1 / 60)
      assert.near(6 + 50, cost(world, over(6)), 1e-2, kind)
    end
    local world = world_with({ kind = "teleport" }, 6)
    world:add_danger { at = { 11, 0, 5 }, radius = 1 }
    world:step(1 / 60)
    assert.near(6, cost(world, over(6)), 1e-3)
    world:add_danger { at = { 14, 0, 5 }, radius = 1 } -- it lands there
    world:step(1 / 60)
    assert.near(6 + 50, cost(world, over(6)), 1e-2)
  end)

  it("and so is gone round where that is cheaper", function()
    -- 20 m straight over a link, or 28 m round by ground that nobody sees.
    local world = leeward.world { navmesh = leeward.navmesh {
      vertices = { { 0, 0, 0 }, { 2, 0, 0 }, { 2, 0, 8 }, { 0, 0, 8 }, { 22, 0, 0 }, { 24, 0, 0 }, { 24, 0, 8 },
        { 22, 0, 8 }, { 2, 0, 6 }, { 22, 0, 6 } },
      polygons = { { 1, 2, 9, 3, 4 }, { 5, 6, 7, 8, 10 }, { 9, 10, 8, 3 } },
      links = { { kind = "waypoint", from = { 2, 0, 1 }, to = { 22, 0, 1 } } },
    } }
    local query = { from = { 1, 0, 1 }, to = { 23, 0, 1 },
      profile = { extends = "human", radius = 0, cover_bias = 10 } }
    assert.near(22, cost(world, query), 1e-3)
    world:add_fire_lane { from = { 12, 1, -20 }, to = { 12, 1, 3 }, radius = 1, seconds = 60 }
    world:step(1 / 60)
    local path = assert(world:find_path(query))
    assert.same({}, path:links())
    assert.is_true(path:cost() < 22 + 9 * 2)
    query.cost = { cover_bias = 1.1 }
    assert.equal(1, #assert(world:find_path(query)):links())
  end)

  it("an agent that is to take it searches again when a danger appears there", function()
    local world = world_with({ kind = "waypoint" }, 10)
    local agent = assert(world:spawn { at = { 1, 0, 5 }, profile = over(1).profile })
    assert(agent:move_to { 20, 0, 5 })
    world:add_danger { at = { 13, 0, 5 }, radius = 1 }
    world:run(0.1)
    assert.equal(1, agent:stats().replans)
    assert.near(50, agent:explain().total.terms.danger, 1e-3)
  end)

  it("the same between two navmeshes", function()
    local function floor(x)
      return leeward.navmesh { vertices = { { x, 0, 0 }, { x + 8, 0, 0 }, { x + 8, 0, 10 }, { x, 0, 10 } },
        polygons = { { 1, 2, 3, 4 } } }
    end
    local world = leeward.world { navmeshes = { floor(0), floor(38) },
      links = { { kind = "waypoint", from = { 8, 0, 5 }, to = { 38, 0, 5 } } } }
    local path = assert(world:find_path(over(30, { threats = ABOVE })))
    assert.near(300, path:cost(), 1e-2)
    assert.near(30, path:exposed(), 1e-3)
    assert.near(270, path:explain().total.terms.threats, 1e-2)
    assert.near(30, path:explain().total.exposed_to[1], 1e-3)
    world:add_fire_lane { from = { 20, 1, -10 }, to = { 20, 1, 20 }, radius = 1.5, seconds = 60 }
    world:add_danger { at = { 30, 0, 5 }, radius = 1 }
    world:step(1 / 60)
    assert.near(30 + 27 + 50, cost(world, over(30)), 1e-2)
  end)

  it("a waypoint edge is as open as the line that it leads along, not as its ends", function()
    -- The edge runs 20 m between walls of 6 m that stand 1 m apart, from open ground to open ground.
    local level = leeward.geometry()
    level:add_box { at = { 0, -1, 0 }, size = { 60, 1, 30 } }
    level:add_box { at = { 0, 0, -1 }, size = { 20, 6, 1 }, area = false }
    level:add_box { at = { 0, 0, 1 }, size = { 20, 6, 1 }, area = false }
    level:add_link { kind = "waypoint", from = { -11, 0, 0 }, to = { 11, 0, 0 } }
    local world = leeward.world { navmesh = leeward.bake(level, { agent_radius = 0.6, cell_size = 0.2 }) }
    local path = assert(world:find_path { from = { -11, 0, 0 }, to = { 11, 0, 0 },
      profile = { extends = "human", exposure_factor = 4 } })
    local total = path:explain().total
    assert.equal(1, #path:links())
    local steps = total.terms.openness / 4 / total.length * 15
    assert.near(math.floor(steps + 0.5), steps, 1e-3) -- openness comes in fifteenths
    assert.is_true(steps <= 4, ("%g fifteenths"):format(steps))
    assert.near(total.length * (1 + 4 * steps / 15), path:cost(), 1e-2)
  end)
end)

describe("4. water:", function()
  --- Strips of 10 x 4 m along x, of one area, and the depth of the water over each.
  local function strips(depths, area)
    local vertices, polygons, areas = { { 0, 0, 0 }, { 0, 0, 4 } }, {}, {}
    for i = 1, #depths do
      local n = #vertices
      vertices[n + 1], vertices[n + 2] = { 10 * i, 0, 0 }, { 10 * i, 0, 4 }
      polygons[i], areas[i] = { n - 1, n + 1, n + 2, n }, i == 1 and "ground" or area or "shallow_water"
    end
    return leeward.world { navmesh = leeward.navmesh { vertices = vertices, polygons = polygons, areas = areas,
      depth = depths, agent_radius = 2 } }
  end
  local function across(world, profile)
    return world:find_path { from = { 5, 0, 2 }, to = { 25, 0, 2 }, profile = profile }
  end
  local function code(world, profile) return select(3, across(world, profile)) end
  --- A bed of 10 m that falls by 3 m over 30 m, from x = 0 to x = 30, under water up to 0.
  local function lake(settings, area)
    local level = leeward.geometry()
    level:add_ramp { from = { 30, -3, 5 }, to = { 0, 0, 5 }, width = 10 }
    level:add_water { polygon = { { -1, 0, -1 }, { 31, 0, -1 }, { 31, 0, 11 }, { -1, 0, 11 } }, level = 0,
      shallow = area, deep = area }
    return assert(leeward.bake(level, settings))
  end
  local SWIMMER = { extends = "human", radius = 0, can_swim = true, swim_resistance_factor = 3 }
  local function without_radius(name) return { extends = name, radius = 0, resistance_factor = { triangular = 0 } } end

  it("who cannot swim enters none that is deeper than it wades, whatever the mark of the area says", function()
    for _, area in ipairs { "ground", "road", "shallow_water", "deep_water" } do
      local deep, knee, thigh = strips({ 0, 2, 0 }, area), strips({ 0, 0.9, 0 }, area), strips({ 0, 0.91, 0 }, area)
      -- The last strip is dry: where no depth is known, an area of deep water is what it says.
      local ends = area == "deep_water" and { 12, 0, 2 } or { 25, 0, 2 }
      local function goes(world)
        return world:find_path { from = { 5, 0, 2 }, to = ends, profile = without_radius "human", snap = { 1, 1, 1 } }
      end
      assert.is_nil(goes(deep))
      assert.is_truthy(goes(knee))
      assert.is_nil(goes(thigh))
    end
  end)

  it("wade_depth is the profile's: a car 0.4 m, a truck 0.8 m, a man 0.9 m, who swims as deep as it likes", function()
    for _, row in ipairs { { "car", 0.4 }, { "human", 0.9 }, { "soldier", 0.9 } } do
      assert.is_truthy(across(strips { 0, row[2], 0 }, without_radius(row[1])), row[1])
      assert.equal("NO_PATH", code(strips { 0, row[2] + 0.01, 0 }, without_radius(row[1])), row[1])
    end
    local truck = { extends = "truck", radius = 0 }
    assert.is_truthy(across(strips({ 0, 0.8, 0 }, "road"), truck))
    assert.equal("NO_PATH", code(strips({ 0, 0.81, 0 }, "road"), truck))
    assert.is_truthy(across(strips { 0, 50, 0 }, SWIMMER))
    assert.equal("NO_PATH", code(strips { 0, 50, 0 }, { extends = "human", radius = 0, wade_depth = 2.5 }))
    assert.is_truthy(across(strips { 0, 2.5, 0 }, { extends = "human", radius = 0, wade_depth = 2.5 }))
    assert.has_error(function() across(strips { 0 }, { extends = "human", wade_depth = 3 }) end,
      "find_path: profile.wade_depth is 3, expected metres from 0 to 2.5")
  end)

  it("a swum metre costs 1 + swim_resistance_factor times the part that is deep", function()
    assert.near(5 + 10 * (1 + 3) + 5, across(strips { 0, 2, 0 }, SWIMMER):cost(), 1e-3)
    assert.near(5 + 10 + 5, across(strips { 0, 0.9, 0 }, SWIMMER):cost(), 1e-3)
    -- Of 0.5 to 1.3 m half is deeper than 0.9 m, for who wades 0.4 m all of it.
    assert.near(5 + 10 * (1 + 3 * 0.5) + 5, across(strips { 0, { 0.5, 1.3 }, 0 }, SWIMMER):cost(), 1e-3)
    local low = { extends = "human", radius = 0, can_swim = true, swim_resistance_factor = 3, wade_depth = 0.4 }
    local path = across(strips { 0, { 0.5, 1.3 }, 0 }, low)
    assert.near(5 + 10 * (1 + 3) + 5, path:cost(), 1e-3)
    assert.near(30, path:explain().total.terms.water, 1e-3)
    assert.near(10, path:explain().total.water, 1e-3)
  end)

  it("the bake keeps depth, and cuts along the contours that matter", function()
    local navmesh = lake({}, "shallow_water")
    -- The bed falls by one in ten: 0.9 m deep at x = 9, 0.4 m at x = 4. A cut lies up to 2 m before that: a voxel's
    -- height is 1 m there, and borders of two cells 0.6 m.
    local world = leeward.world { navmesh = navmesh }
    for name, contour in pairs { human = 9, car = 4 } do
      local path = assert(world:find_path { from = { 1.5, 0, 5 }, to = { 28, -3, 5 }, allow_partial = true,
        profile = without_radius(name) })
      local points = path:points()
      local last = points[#points].x
      assert.is_true(last <= contour and last > contour - 2, ("%s: %g"):format(name, last))
    end
    assert.is_false(assert(world:find_path { from = { 1.5, 0, 5 }, to = { 28, -3, 5 }, profile = "dog" }):is_partial())
    local function shares(of)
      local dry, all = 0, 0
      for _, p in ipairs(of:polygons()) do
        all = all + p.area_m2
        if p.depth[2] <= 0.9 then dry = dry + p.area_m2 end
      end
      return dry / all
    end
    assert.is_true(shares(navmesh) > 0.2)
    assert.is_true(shares((lake({ depths = { 0.6 } }, "shallow_water"))) < shares(navmesh))
  end)

  it("says of its settings what is wrong", function()
    local level = leeward.geometry()
    level:add_box { at = { 0, -1, 0 }, size = { 10, 1, 10 } }
    local function refuses(depths, message)
      assert.has_error(function() leeward.bake(level, { depths = depths }) end, message)
    end
    refuses(1, "bake: depths is 1, expected a list of up to 8 depths, rising")
    refuses({ 1, 1 }, "bake: depths[2] is 1, expected metres > 1 and <= 2.5")
    refuses({ 3 }, "bake: depths[1] is 3, expected metres > 0 and <= 2.5")
    assert.same({ 0.5, 1 }, select(2, leeward.bake(level, { depths = { 0.5, 1 } })).used.depths)
  end)

  it("random points, nearest points, rays and what is connected mind it, too", function()
    local world, man = leeward.world { navmesh = lake({}, "shallow_water") }, without_radius "human"
    for _ = 1, 200 do assert.is_true(world:random_point { profile = man }.x <= 9) end
    assert.is_true(assert(world:nearest_point({ 12, -1.2, 5 }, { profile = man, snap = { 9, 4, 9 } })).x <= 9)
    assert.is_nil((world:nearest_point({ 20, -2, 5 }, { profile = man, snap = { 1, 1, 1 } })))
    local hit, at = world:raycast({ 2, -0.2, 5 }, { 28, -2.8, 5 }, { profile = man })
    assert.is_true(hit and at.x <= 9)
    assert.is_false((world:raycast({ 2, -0.2, 5 }, { 28, -2.8, 5 }, { profile = SWIMMER })))
    assert.is_false(world:contains({ 20, -2, 5 }, { profile = man }))
    assert.is_falsy((world:path_exists({ 2, -0.2, 5 }, { 25, -2.5, 5 }, { profile = man, snap = { 1, 1, 1 } })))
  end)

  it("a file keeps it, and so does ground that is cut", function()
    local navmesh, file = lake({}, "shallow_water"), os.tmpname()
    assert(navmesh:save(file))
    local loaded = assert(leeward.load_navmesh(file))
    os.remove(file)
    assert.same(navmesh:polygons(), loaded:polygons())
    -- A file of an earlier version, of the same bed, which was cut at 0.6 m: depths are measured when it is loaded.
    local old = assert(leeward.load_navmesh("tests/fuzz/corpus/navmesh_load/lake_of_version_15"))
    local depths = {}
    for i, polygon in ipairs(old:polygons()) do depths[i] = ("%.2f %.2f"):format(table.unpack(polygon.depth)) end
    table.sort(depths)
    assert.same({ "0.09 0.63", "0.63 1.77", "1.77 2.55" }, depths)
    local world = leeward.world { navmesh = loaded }
    world:add_obstacle { shape = "box", at = { 18, -1.8, 3 }, size = { 1, 4, 1 } }
    world:add_obstacle { shape = "box", at = { 6, -0.6, 3 }, size = { 1, 4, 1 }, blocks = false, area = "road" }
    world:step(1 / 60)
    for _ = 1, 200 do assert.is_true(world:random_point { profile = without_radius "human" }.x <= 9) end
  end)
end)

describe("5. step height:", function()
  it("a car of climb 0.25 takes no step of 0.35 m, and a man of climb 0.4 does", function() -- step_height_spec has more
    local level = leeward.geometry()
    level:add_box { min = { 0, -1, 0 }, max = { 40, 0, 20 } }
    level:add_box { min = { 20, 0, 0 }, max = { 40, 0.35, 20 } }
    local world = leeward.world { navmesh = leeward.bake(level) }
    assert.is_true(world:path_exists({ 10, 0, 10 }, { 30, 0.35, 10 }, "human"))
    assert.is_false(world:path_exists({ 10, 0, 10 }, { 30, 0.35, 10 }, "car"))
  end)
end)
