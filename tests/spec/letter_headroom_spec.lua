-- Prices to the letter, row 5: what headroom means for profiles, their stances, queries, settings and files.
local leeward = require "leeward"

--- Strips of 10 x 4 m along x, and the headroom over each.
local function strips(headroom)
  local vertices, polygons = { { 0, 0, 0 }, { 0, 0, 4 } }, {}
  for i = 1, #headroom do
    local n = #vertices
    vertices[n + 1], vertices[n + 2] = { 10 * i, 0, 0 }, { 10 * i, 0, 4 }
    polygons[i] = { n - 1, n + 1, n + 2, n }
  end
  return leeward.world { navmesh = leeward.navmesh { vertices = vertices, polygons = polygons, headroom = headroom,
    agent_radius = 2 } }
end
local function across(world, profile, more)
  local query = { from = { 5, 0, 2 }, to = { 25, 0, 2 }, profile = profile, snap = { 1, 1, 1 } }
  for key, value in pairs(more or {}) do query[key] = value end
  return world:find_path(query)
end
local function code(world, profile) return select(3, across(world, profile)) end
--- A profile whose costs are those of length alone.
local function plain(name, more)
  local profile = { extends = name, radius = 0, resistance_factor = { triangular = 0 } }
  for key, value in pairs(more or {}) do profile[key] = value end
  return profile
end
--- A floor of 40 x 10 m, and a slab over its middle 6 m.
local function passage(height, settings)
  local level = leeward.geometry()
  level:add_box { at = { 0, -1, 0 }, size = { 40, 1, 10 } }
  level:add_box { at = { 0, height, 0 }, size = { 6, 0.3, 10 }, area = false }
  return leeward.bake(level, settings)
end

describe("5. headroom:", function()
  it("a profile's height counts: a truck of 3 m does not pass under 2.95 m, and a car does", function()
    assert.is_truthy(across(strips { 9, 3, 9 }, plain "truck"))
    assert.equal("NO_PATH", code(strips { 9, 2.95, 9 }, plain "truck"))
    assert.is_truthy(across(strips { 9, 1.6, 9 }, plain "car"))
    assert.equal("NO_PATH", code(strips { 9, 1.55, 9 }, plain "car"))
    assert.is_truthy(across(strips { 9, 0.1, 9 }), "without a profile everything is entered")
    assert.is_truthy(across(strips { 9, 1.8, 9 }, plain("human", { height = 1.8, can_crouch = false })))
    assert.equal("NO_PATH", code(strips { 9, 1.8, 9 }, plain("human", { height = 1.81, can_crouch = false })))
  end)

  it("it counts in every query", function()
    local world = strips { 9, 2, 9 }
    local truck, car = plain "truck", plain "car"
    assert.is_false((world:path_exists({ 5, 0, 2 }, { 25, 0, 2 }, { profile = truck })))
    assert.is_true((world:path_exists({ 5, 0, 2 }, { 25, 0, 2 }, { profile = car })))
    for _ = 1, 200 do
      local x = world:random_point { profile = truck }.x
      assert.is_true(x <= 10 or x >= 20)
      assert.is_true(world:random_point { around = { 5, 0, 2 }, radius = 30, profile = truck }.x <= 10)
    end
    assert.near(10, world:nearest_point({ 13, 0, 2 }, { profile = truck, snap = { 9, 1, 9 } }).x, 1e-3)
    assert.near(13, world:nearest_point({ 13, 0, 2 }, { profile = car }).x, 1e-3)
    assert.near(10, world:spawn { profile = truck, at = { 13, 0, 2 }, snap = { 9, 1, 9 } }:position().x, 1e-3)
    assert.equal("NO_GOAL", select(3, world:find_path { from = { 5, 0, 2 }, to = { 15, 0, 2 }, profile = truck,
      snap = { 1, 1, 1 } }))
    local agent = world:spawn { profile = truck, at = { 5, 0, 2 } }
    agent:move_to { 25, 0, 2 }
    world:run(5)
    assert.equal("failed", agent:move_state())
    assert.is_true(agent:position().x <= 10)
  end)

  describe("can_crouch", function()
    it("lets agents pass as high as the top of their body is lower: a man of 1.75 m under 1.05 m", function()
      assert.is_truthy(across(strips { 9, 1.05, 9 }, plain "human"))
      assert.equal("NO_PATH", code(strips { 9, 1, 9 }, plain "human"))
      assert.equal("NO_PATH", code(strips { 9, 1.7, 9 }, plain("human", { can_crouch = false })))
      assert.is_truthy(across(strips { 9, 0.5, 9 }, plain "sniper"), "lies down")
      assert.equal("NO_PATH", code(strips { 9, 1.05, 9 }, plain "car"))
    end)

    it("is walked at that stance's speed, and priced by its time: half as fast, a metre costs two", function()
      local path = across(strips { 9, 1.2, 9 }, plain "human")
      assert.near(20, path:length(), 1e-3)
      assert.near(5 + 2 * 10 + 5, path:cost(), 1e-3)
      local crawling = across(strips { 9, 0.5, 9 }, plain("sniper", { cover_bias = 1, exposure_factor = 0 }))
      assert.near(5 + 10 / 0.15 + 5, crawling:cost(), 1e-3)
      -- The fastest stance that fits is taken.
      local both = across(strips { 9, 1.2, 9 }, plain("sniper", { cover_bias = 1, exposure_factor = 0 }))
      assert.near(5 + 2 * 10 + 5, both:cost(), 1e-3)
    end)

    it("is weighed against the way round", function()
      -- 10 m under the ceiling or 20 m beside it; each metre under it costs 1 / 0.5.
      local world = leeward.world { navmesh = leeward.navmesh { agent_radius = 2,
        vertices = { { 0, 0, 0 }, { 10, 0, 0 }, { 20, 0, 0 }, { 30, 0, 0 }, { 0, 0, 2 }, { 10, 0, 2 }, { 20, 0, 2 },
          { 30, 0, 2 }, { 0, 0, 8 }, { 30, 0, 8 } },
        polygons = { { 1, 2, 6, 5 }, { 2, 3, 7, 6 }, { 3, 4, 8, 7 }, { 5, 6, 7, 8, 10, 9 } },
        headroom = { 9, 1.2, 9, 9 } } }
      local function goes_round(speed)
        local path = world:find_path { from = { 9, 0, 0 }, to = { 21, 0, 0 },
          profile = plain("human", { stances = { crouch = { speed = speed } } }) }
        return path:length() > 12.1
      end
      assert.is_false(goes_round(0.98))
      assert.is_true(goes_round(0.5))
    end)

    it("is said along the path, and in its explanation", function()
      local path = across(strips { 9, 1.2, 9 }, plain "human")
      assert.same({ "stand", "crouch", "stand" }, path:stances())
      local points = path:points()
      assert.near(10, points[2].x, 1e-3)
      assert.near(20, points[3].x, 1e-3)
      local why = path:explain()
      assert.near(10, why.total.terms.crouching, 1e-3)
      assert.near(10, why.total.low, 1e-3)
      assert.equal(3, #why.segments)
      assert.near(0, why.segments[1].low, 1e-6)
      assert.near(10, why.segments[2].low, 1e-3)
      assert.matches("10.0 m under low ceilings", tostring(why))
    end)

    it("agents take the stance there by themselves, and stand up again", function()
      local world = strips { 9, 1.2, 9 }
      local agent = world:spawn { profile = plain "human", at = { 5, 0, 2 } }
      agent:move_to { 25, 0, 2 }
      local seen, began, ended = {}, nil, nil
      for _ = 1, 30 * 30 do
        world:step(1 / 30)
        local at, stance = agent:position(), agent:stance()
        if at.x > 10.01 and at.x < 19.99 then
          assert.equal("crouch", stance)
          began, ended = began or world:time(), world:time()
        elseif at.x < 9.99 or at.x > 20.01 then
          assert.equal("stand", stance)
        end
        if stance == "crouch" then seen[#seen + 1] = agent:eye().y end
      end
      assert.equal("arrived", agent:move_state())
      assert.near(10 / (3 * 0.5), ended - began, 0.1)
      assert.near(0.9, seen[1], 1e-3)
      -- A stance that was set is taken as soon as there is headroom for it.
      local other = world:spawn { profile = plain "human", at = { 15, 0, 2 } }
      other:set_stance "stand"
      assert.equal("crouch", other:stance())
      assert.matches("crouch under a low ceiling", other:why())
      other:move_to { 25, 0, 2 }
      world:run(10)
      assert.equal("stand", other:stance())
    end)

    it("shows and sees as that stance does", function()
      local world = strips { 9, 1.2 }
      local stands = world:spawn { profile = plain "human", at = { 5, 0, 2 } }
      local crouches = world:spawn { profile = plain "human", at = { 15, 0, 2 } }
      assert.near(1.6, stands:eye().y, 1e-6)
      assert.near(0.9, crouches:eye().y, 1e-6)
    end)
  end)

  it("groups are as high as the highest, and crouch if all do", function()
    local group = leeward.combined_profile { "truck", "soldier" }
    assert.equal(3, group.height)
    assert.is_false(group.can_crouch)
    assert.is_true(leeward.combined_profile({ "human", "soldier" }).can_crouch)
    assert.near(1.8, leeward.combined_profile({ "human", "soldier" }).height, 1e-6)
  end)

  it("a bake measures it, never more than there is, and keeps low ground where crouch_height says so", function()
    local navmesh = passage(2.5, {})
    local lowest = math.huge
    for _, polygon in ipairs(navmesh:polygons()) do lowest = math.min(lowest, polygon.headroom) end
    assert.is_true(lowest <= 2.5 and lowest >= 2.25, lowest)
    local from, to = { -15, 0, 0 }, { 15, 0, 0 }
    local function passes(mesh, profile)
      return (leeward.world { navmesh = mesh }:path_exists(from, to, { profile = profile }))
    end
    assert.is_true(passes(navmesh, "hovercraft"))
    assert.is_false(passes(navmesh, "truck"))
    assert.is_false(passes(passage(1.4, {}), "human"), "there is no ground lower than agent_height")
    local low = passage(1.4, { crouch_height = 0.5 })
    assert.is_true(passes(low, "human"))
    assert.is_true(passes(low, "dog"))
    assert.is_false(passes(low, "car"))
    assert.is_false(passes(passage(0.9, { crouch_height = 0.5 }), "human"))
    assert.is_true(passes(passage(0.9, { crouch_height = 0.5 }), "dog"))
  end)

  it("heights cut polygons along ceilings that matter, so that more ground may be entered", function()
    --- Ground of at least 3 m under a roof that falls from 5 m to 1.9 m over 40 m. [m2]
    local function ground(settings)
      local level, sum = leeward.geometry(), 0
      level:add_box { at = { 0, -1, 0 }, size = { 40, 1, 10 } }
      level:add_mesh { vertices = { { -20, 5, -5 }, { 20, 1.9, -5 }, { 20, 1.9, 5 }, { -20, 5, 5 } },
        indices = { 1, 2, 3, 1, 3, 4 }, area = false }
      for _, polygon in ipairs(leeward.bake(level, settings):polygons()) do
        sum = sum + (polygon.headroom >= 3 and polygon.area_m2 or 0)
      end
      return sum
    end
    -- Up to x = 5.8: less a voxel and a part of one (2.6 m), the radius, and two cells for the border.
    local cut, whole = ground { heights = { 3 }, max_edge_length = 0 }, ground { max_edge_length = 0 }
    assert.is_true(cut <= (25.8 - 0.4) * 9.2)
    assert.is_true(cut > (25.8 - 0.4 - 2.6 - 0.4 - 0.6) * 9, cut)
    assert.is_true(whole < cut - 20, ("%g of %g"):format(whole, cut))
  end)

  it("cover is for stances that there is headroom for", function()
    local level = leeward.geometry()
    level:add_box { min = { 0, -1, 0 }, max = { 40, 0, 30 } }
    level:add_box { min = { 10, 1.4, 0 }, max = { 30, 1.9, 30 }, area = false }
    level:add_box { min = { 18, 0, 14 }, max = { 22, 1.4, 14.5 }, area = false }
    local world = leeward.world { navmesh = leeward.bake(level, { crouch_height = 0.8 }) }
    local query = { around = { 20, 0, 17 }, radius = 6, threats = { { at = { 20, 1, 5 } } }, profile = "human" }
    local places = world:find_cover(query)
    assert.is_true(#places > 0)
    for _, place in ipairs(places) do assert.equal("crouch", place.stance) end
    query.stance = "stand"
    assert.is_nil((world:find_cover(query)))
    query.profile = "dog" -- 0.7 m
    assert.equal("stand", world:find_cover(query)[1].stance)
  end)

  it("no more than 0.4 m beyond their radius is kept from agents beside a ceiling", function()
    -- A passage of `width` metres between a wall and a ceiling that is lower than a man.
    local function walks(width)
      local level = leeward.geometry()
      level:add_box { min = { 0, -1, 0 }, max = { 60, 0, 10 } }
      level:add_box { min = { 20, 1.4, 0 }, max = { 40, 1.9, 10 - width }, area = false }
      level:add_box { min = { 0, 0, 10 }, max = { 60, 3, 11 }, area = false }
      local world = leeward.world { navmesh = leeward.bake(level, { crouch_height = 0.8 }) }
      return (world:path_exists({ 5, 0, 9 }, { 55, 0, 9 }, { profile = plain("human", { can_crouch = false,
        radius = 0.4 }) }))
    end
    assert.is_true(walks(1.4))
    assert.is_false(walks(0.7))
    -- The centre of a truck of radius 1.4 beside a ceiling of 2.9 m over 10 m.
    local level = leeward.geometry()
    level:add_box { min = { 0, -1, 0 }, max = { 50, 0, 50 } }
    level:add_box { min = { 20, 2.9, 20 }, max = { 30, 3.4, 30 }, area = false }
    local world = leeward.world { navmesh = leeward.bake(level, { heights = { 3 } }) }
    local path = world:find_path { from = { 5, 0, 25 }, to = { 45, 0, 25 }, profile = plain("truck", { radius = 1.4 }) }
    local nearest = math.huge
    for _, p in ipairs(path:points()) do
      local dx, dz = math.max(20 - p.x, p.x - 30, 0), math.max(20 - p.z, p.z - 30, 0)
      nearest = math.min(nearest, math.sqrt(dx * dx + dz * dz))
    end
    assert.is_true(nearest >= 1.35 and nearest < 1.85, nearest)
  end)

  it("settings and definitions that are wrong are refused", function()
    local function refuses(settings, message)
      assert.has_error(function() passage(2, settings) end, message)
    end
    refuses({ heights = 1 }, "bake: heights is 1, expected a list of up to 8 heights, rising")
    refuses({ heights = { 2, 2 } }, "bake: heights[2] is 2, expected metres > 2 and <= 12.7")
    refuses({ heights = { 13 } }, "bake: heights[1] is 13, expected metres > 0 and <= 12.7")
    refuses({ crouch_height = -1 }, "bake: crouch_height is -1, expected metres >= 0")
    refuses({ crouch_height = 2 }, "bake: crouch_height is 2 m, expected at most agent_height, 1.8 m")
    assert.has_error(function() strips { 9, 0 } end, "navmesh: headroom[2] is 0, expected metres > 0")
    assert.has_error(function() across(strips { 9 }, { extends = "human", can_crouch = 1 }) end,
      "find_path: profile.can_crouch is 1, expected true or false")
    local _, report = passage(2, { heights = { 2, 3 }, crouch_height = 0.55 })
    assert.same({ 2, 3 }, report.used.heights)
    assert.near(0.6, report.used.crouch_height, 1e-6)
  end)

  it("definitions take what polygons say, where that is unknown, too", function()
    local polygons = strips({ 9, math.huge, 1.25, 12.75 }):navmesh():polygons()
    local headroom = {}
    for i, polygon in ipairs(polygons) do headroom[i] = polygon.headroom end
    assert.same({ 9, math.huge, 1.25, math.huge }, headroom)
    local again = strips(headroom):navmesh():polygons()
    for i, polygon in ipairs(again) do assert.equal(headroom[i], polygon.headroom) end
    assert.has_error(function() strips { -math.huge } end, "navmesh: headroom[1] is -inf, expected metres > 0")
  end)

  it("a file keeps it, ground that is cut keeps it, and in files of earlier versions it is unknown", function()
    local navmesh, file = passage(2.5, { heights = { 3 } }), os.tmpname()
    assert(navmesh:save(file))
    local loaded = assert(leeward.load_navmesh(file))
    os.remove(file)
    assert.same(navmesh:polygons(), loaded:polygons())
    local world = leeward.world { navmesh = loaded }
    world:add_obstacle { shape = "box", at = { 0, 0, 0 }, size = { 2, 1, 2 } }
    world:add_obstacle { shape = "box", at = { 0, 0, 3 }, size = { 2, 1, 2 }, blocks = false, area = "road" }
    world:step(1 / 60)
    for _ = 1, 200 do assert.is_true(math.abs(world:random_point { profile = plain "truck" }.x) > 3) end
    local old = assert(leeward.load_navmesh("tests/fuzz/corpus/navmesh_load/lake_of_version_15"))
    for _, polygon in ipairs(old:polygons()) do assert.equal(math.huge, polygon.headroom) end
  end)
end)
