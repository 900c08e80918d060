-- Prices to the letter, continued: values of profiles, defaults of bakes, lengths on the ground. See letter_spec.
local leeward = require "leeward"

describe("7. values that mean something:", function()
  local PROFILES = { "human", "civilian", "soldier", "sniper", "medic", "dog", "diver", "car", "truck", "hovercraft" }

  --- What a metre of an area costs a profile, and how fast it is there; nil: it never enters.
  local function on(profile, area)
    for _, entry in ipairs(leeward.profile_info(profile).areas) do
      if entry.name == area then return entry.price, entry.speed and entry.speed.normal end
    end
  end

  it("all mind unsafe ground", function()
    for _, name in ipairs(PROFILES) do
      assert.is_true(on(name, "unsafe") >= on(name, "ground") + 10, name)
    end
  end)

  it("a car prefers road to dirt to ground to grass, and so does a truck", function()
    for _, name in ipairs { "car", "truck" } do
      local road, dirt, ground, grass = on(name, "road"), on(name, "dirt"), on(name, "ground"), on(name, "grass")
      assert.is_true(road < dirt and dirt < ground and ground < grass, name)
    end
    assert.equal(1, (on("car", "road")))
    assert.near(1 + 18 * 0.2, (on("car", "dirt")), 1e-5)
    assert.equal(1 + 18 * 0.5 + 3, (on("car", "grass")))
    -- As scripts/README.md has it: ten times as fond of roads; of tracks twice, a truck one and a half times.
    assert.equal(10, (on("car", "ground")))
    assert.near(2, on("car", "ground") / on("car", "dirt"), 0.2)
    assert.near(1.5, on("truck", "ground") / on("truck", "dirt"), 0.05)
  end)

  it("a waypoint edge between pieces of ground is never cheaper than ground", function()
    local walked = 0
    for _, name in ipairs(PROFILES) do
      local world = leeward.world { navmesh = leeward.navmesh {
        vertices = { { 0, 0, 0 }, { 8, 0, 0 }, { 8, 0, 8 }, { 0, 0, 8 }, { 18, 0, 0 }, { 26, 0, 0 }, { 26, 0, 8 },
          { 18, 0, 8 } },
        polygons = { { 1, 2, 3, 4 }, { 5, 6, 7, 8 } }, agent_radius = 2, openness = 0,
        links = { { kind = "waypoint", from = { 8, 0, 4 }, to = { 18, 0, 4 } } },
      } }
      local path = world:find_path { from = { 8, 0, 4 }, to = { 18, 0, 4 }, profile = name }
      if path then
        walked = walked + 1
        assert.is_true(path:cost() >= 10 * on(name, "ground") - 1e-3, name)
      else
        assert.is_false(leeward.profile(name).can_traverse.waypoint, name)
      end
    end
    assert.equal(7, walked)
  end)

  it("shallow water is slower than it is expensive, beside ground", function()
    for _, name in ipairs(PROFILES) do
      local price, speed = on(name, "shallow_water")
      local ground_price, ground_speed = on(name, "ground")
      if price then assert.is_true(ground_speed / speed >= price / ground_price - 1e-5, name) end
    end
  end)

  describe("on the courtyard, past the sniper,", function()
    local FROM, TO = { -34, 0, 2 }, { 30, 0, 20 } -- as in scripts/scenarios/courtyard_profiles.lua
    local paths, over, seen = {}, {}, {}

    setup(function()
      local level = dofile(assert(leeward.find "scripts/levels/courtyard.lua"))
      local world = leeward.world { navmesh = assert(leeward.bake(level.geometry(leeward), level.bake)), seed = 7 }
      for name in pairs(leeward.permutations "courtyard") do assert(world:permutation(name)) end
      world:apply_changes()
      local at = level.spawns.sniper[1]
      local threats = { { at = { at[1], at[2] + 1.6, at[3] } } }
      for _, name in ipairs(PROFILES) do
        local path = assert(world:find_path { from = FROM, to = TO, profile = name, threats = threats })
        paths[name], over[name], seen[name] = path, {}, 0
        for _, segment in ipairs(path:explain().segments) do
          if segment.area then over[name][segment.area] = (over[name][segment.area] or 0) + segment.length end
        end
        local points = path:points()
        for i = 2, #points do
          seen[name] = seen[name] + world:exposure { from = points[i - 1], to = points[i], threats = threats }
        end
      end
    end)
    local function metres(name, area) return over[name][area] or 0 end

    it("a human takes the shortest path, through the ford", function()
      for _, name in ipairs(PROFILES) do
        assert.is_true(paths.human:length() <= paths[name]:length() + 0.5, name)
      end
      assert.is_true(metres("human", "shallow_water") > 5)
    end)
    it("a civilian walks on roads where a human does not", function()
      assert.is_true(metres("civilian", "road") > metres("human", "road") + 20)
    end)
    it("a soldier is seen less than a human, and far less than a civilian", function()
      assert.is_true(seen.soldier < seen.human)
      assert.is_true(seen.soldier < seen.civilian / 2)
    end)
    it("a sniper hides in grass and undergrowth on a longer path, and is seen hardly more than a soldier", function()
      assert.is_true(metres("sniper", "grass") + metres("sniper", "undergrowth") >
        metres("soldier", "grass") + metres("soldier", "undergrowth") + 10)
      assert.is_true(paths.sniper:length() > paths.soldier:length())
      assert.is_true(seen.sniper <= 1.25 * seen.soldier)
    end)
    it("a medic goes as hidden as a soldier, who pays less for it", function()
      assert.is_true(paths.medic:cost() > paths.soldier:cost())
      assert.is_true(seen.medic <= seen.soldier + 0.5)
    end)
    it("a dog uses no doors", function()
      assert.equal(0, metres("dog", "door"))
    end)
    it("a diver pays for a metre of water a third of one on land", function()
      local wet = metres("diver", "shallow_water")
      assert.is_true(wet > 5)
      assert.is_true(paths.diver:cost() >= wet + 3 * (paths.diver:length() - wet) - 0.1)
    end)
    it("a car drives on track and road, and through the ford where that is shorter", function()
      assert.is_true(metres("car", "dirt") + metres("car", "road") > 0.8 * paths.car:length())
      assert.is_true(metres("car", "shallow_water") > 0)
    end)
    it("a truck enters no water: it takes the long road", function()
      assert.equal(0, metres("truck", "shallow_water"))
      assert.is_true(metres("truck", "road") > 70)
      assert.is_true(paths.truck:length() > paths.car:length() + 30)
    end)
    it("a hovercraft needs no road, but space: open ground and water at the price of a metre", function()
      assert.near(paths.hovercraft:length(), paths.hovercraft:cost(), 0.1)
      assert.is_true(metres("hovercraft", "shallow_water") > 0)
      assert.is_true(metres("hovercraft", "ground") > metres("car", "ground") + 30)
    end)
  end)
end)

describe("8. defaults:", function()
  --- Two rooms of 10 x 8 m, and a gap in the wall between them.
  local function rooms(gap)
    local level = leeward.geometry()
    level:add_box { at = { 10, -1, 4 }, size = { 21, 1, 8 } }
    local wall = (8 - gap) / 2
    level:add_box { at = { 10, 0, wall / 2 }, size = { 1, 3, wall }, area = false }
    level:add_box { at = { 10, 0, 8 - wall / 2 }, size = { 1, 3, wall }, area = false }
    return level
  end

  it("a bake without settings keeps agents of 0.4 m, passes a gap of 1.2 m, and says nothing", function()
    local navmesh, report = assert(leeward.bake(rooms(1.2)))
    assert.near(0.4, report.used.agent_radius, 1e-6)
    assert.near(0.2, report.used.cell_size, 1e-6)
    assert.same({}, report.notes)
    assert.equal(1, navmesh:stats().islands)
    assert.equal(2, assert(leeward.bake(rooms(0.7))):stats().islands)
  end)

  it("cell_size follows from radius and climb", function()
    local function cell(settings)
      local _, report = assert(leeward.bake(rooms(2), settings))
      assert.same({}, report.notes)
      return report.used.cell_size
    end
    assert.near(0.15, cell { agent_radius = 0.3 }, 1e-6)
    -- A slope of 45 degrees rises by a cell's width from cell to cell, one of 30 degrees by 0.58 of that, and by
    -- rounding 0.1 m: of a climb of 0.2 m that leaves 0.1 m.
    assert.near(0.1, cell { agent_radius = 0.3, agent_climb = 0.2 }, 1e-6)
    assert.near(0.15, cell { agent_radius = 0.3, agent_climb = 0.2, agent_slope = 30 }, 1e-6)
  end)
end)

describe("9. on the ground:", function()
  -- A square of 10 m whose surface is folded along the diagonal from its corner 1: 3 m high there, 0 at the others.
  local FOLDED = { polygons = { { 1, 2, 3, 4 } },
    vertices = { { 0, 3, 0 }, { 0, 0, 10 }, { 10, 3, 10 }, { 10, 0, 0 } } }
  local ACROSS = { from = { 10, 0, 0 }, to = { 0, 0, 10 }, profile = { extends = "human", radius = 0 } }
  -- Seen from above each half of the way is 5 x sqrt(2) m long, and it rises or falls by 3 m.
  local LENGTH = 2 * math.sqrt(50 + 9)

  it("a path that nobody watches follows the surface inside a polygon: points, length and cost", function()
    local world = leeward.world { navmesh = leeward.navmesh(FOLDED) }
    local path = assert(world:find_path(ACROSS))
    assert.near(LENGTH, path:length(), 1e-4)
    assert.near(LENGTH, path:cost(), 1e-4)
    local points = path:points()
    assert.equal(3, #points)
    assert.near(5, points[2].x, 1e-4)
    assert.near(3, points[2].y, 1e-4)
    assert.near(5, points[2].z, 1e-4)
  end)

  it("prices are of those metres: 2 for each", function()
    FOLDED.areas = { "grass" }
    local world = leeward.world { navmesh = leeward.navmesh(FOLDED) }
    local query = { from = ACROSS.from, to = ACROSS.to,
      profile = { extends = "human", radius = 0, area_factor = { grass = 1 } } }
    assert.near(2 * LENGTH, assert(world:find_path(query)):cost(), 1e-3)
  end)

  it("a watched path is as long", function()
    local world = leeward.world { navmesh = leeward.navmesh(FOLDED) }
    local path = assert(world:find_path { from = ACROSS.from, to = ACROSS.to, profile = ACROSS.profile,
      threats = { { at = { 5, 30, 5 } } } })
    assert.near(LENGTH, path:length(), 1e-3)
    assert.near(LENGTH, path:exposed(), 1e-3)
  end)

  it("an agent walks that length", function()
    local world = leeward.world { navmesh = leeward.navmesh(FOLDED) }
    local agent = assert(world:spawn { profile = ACROSS.profile, at = ACROSS.from })
    assert(agent:move_to(ACROSS.to))
    local walked, last = 0, agent:position()
    while agent:move_state() == "walking" do
      world:step(1 / 60)
      local at = agent:position()
      walked, last = walked + last:distance(at), at
    end
    assert.near(LENGTH, walked, 0.35) -- it arrives 0.3 m before the end, and steps over the fold
  end)

  it("world:time() after run(10) is 10", function()
    local world = leeward.world { navmesh = leeward.navmesh(FOLDED) }
    world:run(10)
    assert.equal(10, world:time())
  end)
end)
