local leeward = require "leeward"

-- Two platforms of a definition, the second one 0.35 m higher, with a ramp beside them where `ramp` is set.
describe("a step between polygons of a navmesh", function()
  local BELOW, ABOVE = { 5, 0, 5 }, { 15, 0.35, 5 }

  local function platforms(height, definition)
    local all = {
      vertices = { { 0, 0, 0 }, { 10, 0, 0 }, { 10, 0, 10 }, { 0, 0, 10 },
        { 10, height, 0 }, { 20, height, 0 }, { 20, height, 10 }, { 10, height, 10 } },
      polygons = { { 1, 2, 3, 4 }, { 5, 6, 7, 8 } }, agent_radius = 1.1,
    }
    for key, value in pairs(definition or {}) do all[key] = value end
    return leeward.navmesh(all)
  end
  local function climber(climb) return { extends = "human", climb = climb } end
  local function world_of(navmesh) return leeward.world { navmesh = navmesh, seed = 5 } end

  -- What a car of climb 0.25 and a man of climb 0.4 are answered, from below and from above.
  local function bars_cars_alone(world)
    for _, ends in ipairs { { BELOW, ABOVE }, { ABOVE, BELOW } } do
      local from, to = ends[1], ends[2]
      local is_mine = from == BELOW and function(at) return at.x <= 10.001 end or function(at) return at.x >= 9.999 end
      assert.is_false(world:path_exists(from, to, "car"))
      assert.is_true(world:path_exists(from, to, "human"))
      local path, message, code = world:find_path { from = from, to = to, profile = "car" }
      assert.is_nil(path)
      assert.equal("start and goal are not connected for 'car'", message)
      assert.equal("NO_PATH", code)
      assert.is_true(assert(world:find_path { from = from, to = to, profile = "human" }):length() >= 10)
      path = assert(world:find_path { from = from, to = to, profile = "car", allow_partial = true })
      for _, point in ipairs(path:points()) do assert.is_true(is_mine(point)) end

      local hit, at = world:raycast(from, to, { profile = "car" })
      assert.is_true(hit and is_mine(at))
      assert.near(10, at.x, 1e-3)
      assert.is_false((world:raycast(from, to, { profile = "human" })))
      assert.is_true(is_mine(world:move_along(from, to, { profile = "car" })))
      assert.near(to[1], world:move_along(from, to, { profile = "human" }).x, 1e-3)
      assert.equal(1, #assert(world:polygons_around(from, 6, { profile = "car" })))
      for _ = 1, 50 do
        assert.is_true(is_mine(world:random_point { profile = "car", connected_to = from }))
        assert.is_true(is_mine(world:random_point { profile = "car", around = from, radius = 9 }))
      end
      assert.near(100, world:reachable_area { from = from, profile = "car" }, 0.01)
      assert.near(100, world:reachable_area { from = from, profile = "car", max_cost = 1000 }, 0.01)
      assert.near(200, world:reachable_area { from = from, profile = "human" }, 0.01)
    end
    local near_step = { 8, 0, 5 }
    assert.near(2, world:distance_to_wall(near_step, { profile = "car" }), 1e-3)
    assert.near(5, world:distance_to_wall(near_step, { profile = "human" }), 1e-3)
  end

  it("bars those whose climb is lower, in every query and both ways", function()
    bars_cars_alone(world_of(platforms(0.35)))
  end)

  it("does so in a file, too", function()
    local file = os.tmpname()
    assert(platforms(0.35):save(file))
    bars_cars_alone(world_of(assert(leeward.load_navmesh(file))))
    os.remove(file)
    -- A file of an earlier version does not know of steps: these bar nobody.
    local old = world_of(assert(leeward.load_navmesh("tests/fuzz/corpus/navmesh_load/platforms_of_version_17")))
    assert.is_true(old:path_exists({ 5, 0, 7 }, { 15, 0.35, 7 }, { profile = climber(0) }))
    assert.is_true(world_of(old:navmesh()):path_exists({ 15, 0.35, 7 }, { 5, 0, 7 }, { profile = climber(0) }))
  end)

  it("is as high as the edges are apart, rounded up to a centimetre; up to one is no step", function()
    local function crosses(height, climb)
      return world_of(platforms(height)):path_exists(BELOW, { 15, height, 5 }, { profile = climber(climb) })
    end
    assert.is_true(crosses(0.35, 0.35))
    assert.is_false(crosses(0.35, 0.34))
    assert.is_true(crosses(-0.35, 0.35))
    assert.is_false(crosses(-0.35, 0.34))
    assert.is_false(crosses(0.351, 0.35))
    assert.is_true(crosses(0.351, 0.36))
    assert.is_true(crosses(0.01, 0))
    assert.is_false(crosses(0.02, 0.01))
    assert.is_true(world_of(platforms(0.35)):path_exists(BELOW, ABOVE)) -- nobody in particular
  end)

  it("does not depend on slopes: edges at one height have none, however steep the polygons are", function()
    local world = world_of(platforms(0, { vertices = { { 0, 20, 0 }, { 10, 0, 0 }, { 10, 0, 10 }, { 0, 20, 10 },
      { 10, 0, 0 }, { 20, 30, 0 }, { 20, 30, 10 }, { 10, 0, 10 } } }))
    assert.is_true(world:path_exists({ 5, 10, 5 }, { 15, 15, 5 }, { profile = climber(0) }))
  end)

  it("is crossed where it is low, if edges drift apart, and steps within polygons stay what they are", function()
    local wedge = { { 0, 0, 0 }, { 10, 0, 0 }, { 10, 0, 10 }, { 0, 0, 10 },
      { 10, 0, 0 }, { 20, 0, 0 }, { 20, 0.3, 10 }, { 10, 0.3, 10 } }
    local navmesh = platforms(0, { vertices = wedge, step = { 0, 0.1 } })
    local from, to = { 8, 0, 9 }, { 12, 0.27, 9 }
    -- Parts are as high as their highest place: to 0.1, 0.2 and 0.3 m.
    for climb, z in pairs { [0.3] = 9, [0.29] = 2 / 0.3, [0.2] = 2 / 0.3, [0.19] = 1 / 0.3, [0.1] = 1 / 0.3 } do
      local profile = { extends = "human", radius = 0, climb = climb }
      local path = assert(world_of(navmesh):find_path { from = from, to = to, profile = profile })
      assert.near(2 * math.sqrt(4 + (9 - z) ^ 2), path:length(), 0.35)
    end
    assert.is_false(world_of(platforms(0, { vertices = wedge })):path_exists(from, to, { profile = climber(0.09) }))
    assert.equal(0, navmesh:polygons()[1].step)
    assert.near(0.1, navmesh:polygons()[2].step, 1e-6)
  end)

  it("leaves the way round it, for narrow and wide agents", function()
    -- A ramp from the lower platform to the higher one, along z = 10 to 16.
    local world = world_of(leeward.navmesh { agent_radius = 0, climb = 0.4,
      vertices = { { 0, 0, 0 }, { 10, 0, 0 }, { 10, 0, 10 }, { 0, 0, 10 },
        { 10, 0.35, 0 }, { 20, 0.35, 0 }, { 20, 0.35, 10 }, { 10, 0.35, 10 },
        { 5, 0, 10 }, { 5, 0, 16 }, { 0, 0, 16 }, { 15, 0.35, 10 }, { 15, 0.35, 16 }, { 20, 0.35, 16 } },
      polygons = { { 1, 2, 3, 9, 4 }, { 5, 6, 7, 12, 8 }, { 4, 9, 10, 11 }, { 12, 7, 14, 13 }, { 9, 12, 13, 10 } } })
    local function length(profile)
      return assert(world:find_path { from = { 9, 0, 1 }, to = { 11, 0.35, 1 }, profile = profile }):length()
    end
    assert.near(2, length(climber(0.4)), 0.1)
    -- Over the sides of the ramp, half as high, where both end.
    assert.near(2 * math.sqrt(1 ^ 2 + 9 ^ 2), length { extends = "human", climb = 0.3, radius = 0 }, 0.35)
    -- To (5, 10), to (15, 10) and back.
    local round = 2 * math.sqrt(4 ^ 2 + 9 ^ 2) + math.sqrt(10 ^ 2 + 0.35 ^ 2)
    assert.near(round, length { extends = "human", climb = 0.05, radius = 0 }, 0.1)
    local wide = length { extends = "human", climb = 0.05, radius = 1 }
    assert.is_true(wide > round + 0.5 and wide < round + 6, wide)
  end)

  it("still bars where obstacles cut both polygons, and where they leave a gap", function()
    local world = world_of(platforms(0.35, { agent_radius = 0 }))
    local car, man = { extends = "car", radius = 0 }, { extends = "human", radius = 0 }
    local boxes = {}
    for i = 0, 4 do
      local at = { 10, 0, 2 * i + 0.4 }
      boxes[#boxes + 1] = world:add_obstacle { shape = "box", at = at, size = { 3, 2, 1 }, yaw = 0.1 * i }
    end
    world:add_obstacle { shape = "cylinder", at = { 10, 0, 3.6 }, radius = 0.3, height = 2, blocks = false,
      area = "road" }
    world:apply_changes()
    for _, ends in ipairs { { BELOW, ABOVE }, { ABOVE, BELOW } } do
      assert.is_false(world:path_exists(ends[1], ends[2], { profile = car }))
      assert.is_true(world:path_exists(ends[1], ends[2], { profile = man }))
      assert.is_nil((world:find_path { from = ends[1], to = ends[2], profile = car }))
      assert(world:find_path { from = ends[1], to = ends[2], profile = man })
    end
    assert.is_true((world:raycast({ 9.8, 0, 1.4 }, { 10.4, 0.35, 1.4 }, { profile = car })))
    assert.is_false((world:raycast({ 9.8, 0, 1.4 }, { 10.4, 0.35, 1.4 }, { profile = man })))
    for _, box in ipairs(boxes) do box:remove() end
    world:apply_changes()
    assert.is_false(world:path_exists(BELOW, ABOVE, { profile = car }))
    assert.is_true(world:path_exists(BELOW, ABOVE, { profile = man }))
  end)

  it("is not taken by agents, who search again when their climb changes", function()
    local world = world_of(platforms(0.35))
    local agent = assert(world:spawn { profile = "car", at = BELOW })
    agent:move_to(ABOVE)
    world:run(8)
    assert.is_true(agent:position().x < 10.001)
    agent:set_profile "human"
    agent:move_to(ABOVE)
    world:run(1)
    agent:set_profile(climber(0.2))
    world:run(12)
    assert.is_true(agent:position().x < 10.001)
    agent:set_profile "human"
    agent:move_to(ABOVE)
    world:run(12)
    assert.near(15, agent:position().x, 0.5)
    assert.near(0.35, agent:position().y, 1e-3)
  end)

  it("parts cover from those who cannot reach it", function()
    local world = world_of(platforms(0.35, { agent_radius = 0.4 }))
    world:add_obstacle { shape = "box", at = { 15, 0.35, 5 }, size = { 1, 2, 4 } }
    world:apply_changes()
    local query = { around = { 9, 0, 5 }, radius = 12, threats = { { at = { 19.5, 2, 5 } } } }
    query.profile = { extends = "human", radius = 0.4 }
    local found = assert(world:find_cover(query))
    assert.is_true(#found > 0 and found[1].point.x > 13)
    query.profile = { extends = "human", radius = 0.4, climb = 0.3 }
    assert.same({}, world:find_cover(query) or {})
  end)
end)
