-- The bundled level: what its description says holds.

local leeward = require "leeward"

local level = dofile(assert(leeward.find("scripts/levels/courtyard.lua")))

local SOUTH_HEAD, NORTH_HEAD = { 0, 0, 13.5 }, { 0, 0, 4.5 } -- of the bridge
local NORTH_GATE = { 0, 0, -21 }
local ON_BALCONY, BELOW_BALCONY = { 0, 3.2, -17.7 }, { 0, 0, -17.7 }
local FORD = { -27, -0.3, 9 }

--- The world of the level with its permutations, as `leeward run` has it.
local function bake()
  local navmesh = assert(leeward.bake(level.geometry(leeward), level.bake))
  local world = leeward.world { navmesh = navmesh, seed = 1 }
  for name in pairs(leeward.permutations "courtyard") do assert(world:permutation(name)) end
  world:apply_changes()
  return world, navmesh
end

local function has(list, value)
  for _, other in ipairs(list) do
    if other == value then return true end
  end
  return false
end

-- Does the path come within `near` of the point, in xz?
local function passes(path, x, z, near)
  local points = path:points()
  for index = 2, #points do
    local a, b = points[index - 1], points[index]
    local dx, dz = b.x - a.x, b.z - a.z
    local length = dx * dx + dz * dz
    local t = length > 0 and math.max(0, math.min(1, ((x - a.x) * dx + (z - a.z) * dz) / length)) or 0
    local ex, ez = a.x + t * dx - x, a.z + t * dz - z
    if ex * ex + ez * ez <= near * near then return true end
  end
  return false
end

describe("the courtyard", function()
  local world, navmesh

  setup(function() world, navmesh = bake() end)
  teardown(function() world:destroy() end)

  local function find(from, to, profile) return assert(world:find_path { from = from, to = to, profile = profile }) end

  it("is about 80 x 60 m", function()
    local low, high = navmesh:bounds()
    assert.is_true(high.x - low.x > 78 and high.x - low.x <= 80.5)
    assert.is_true(high.z - low.z > 58 and high.z - low.z <= 60.5)
  end)

  it("is connected: no place is without a path out", function()
    assert.equal(1, navmesh:stats().islands)
    assert.is_true(navmesh:validate())
  end)

  it("has every area that ships, but for that of edges between waypoints", function()
    local found = { waypoint = true }
    for _, polygon in ipairs(navmesh:polygons()) do found[polygon.area] = true end
    for _, area in ipairs(leeward.areas()) do assert.is_true(found[area], area) end
  end)

  it("has two floors above each other at the balcony", function()
    assert.is_true(world:contains(ON_BALCONY))
    assert.is_true(world:contains(BELOW_BALCONY))
    assert.is_true(math.abs(world:nearest_point(ON_BALCONY).y - 3.2) < 0.15)
    assert.is_true(math.abs(world:nearest_point(BELOW_BALCONY).y) < 0.15)
  end)

  it("joins them by the stairs, through a gate", function()
    local path = find(BELOW_BALCONY, ON_BALCONY, "soldier")
    assert.is_true(path:length() > 30) -- out of the arcade, to a gate, up, and back: not the 3.2 m between them
    assert.is_true(has(path:areas(), "door"))
  end)

  it("has a way down over the balcony's front, and none up but the lift, which is stopped", function()
    assert.equal(3, navmesh:stats().offmesh_links)
    assert.equal(0, navmesh:stats().offmesh_refused)
    local down = find(ON_BALCONY, { 0, 0, -13 }, "soldier")
    assert.is_true(down:length() < 10, tostring(down:length()))
    local up = find({ 0, 0, -13 }, ON_BALCONY, "soldier")
    assert.is_true(up:length() > 30)
  end)

  it("lets no car up the stairs", function()
    local path, _, code = world:find_path { from = NORTH_GATE, to = ON_BALCONY, profile = "car" }
    assert.is_nil(path)
    assert.is_truthy(code == "NO_PATH" or code == "NO_GOAL")
  end)

  it("keeps the stairs alike on both sides", function()
    local west = find({ -6, 3.2, -17.7 }, { -6, 0, -6 }, "soldier"):length()
    local east = find({ 6, 3.2, -17.7 }, { 6, 0, -6 }, "soldier"):length()
    assert.is_true(math.abs(west - east) < 1, ("%g and %g"):format(west, east))
  end)

  it("has a bridge that is blocked", function()
    local path = find(SOUTH_HEAD, NORTH_HEAD)
    assert.is_false(passes(path, 0, 9, 3))
    assert.is_true(path:length() > 40)
  end)

  it("has a bridge that is short without the rubble", function()
    finally(function()
      world:set_permutation("bridge", "rubble")
      world:apply_changes()
    end)
    world:set_permutation("bridge", "cleared")
    world:apply_changes()
    assert.is_true(find(SOUTH_HEAD, NORTH_HEAD):length() < 9.5) -- 9 m straight
  end)

  it("has a ford that is waded, so soldiers need not go round", function()
    assert.is_true(world:contains(FORD))
    local path = find(SOUTH_HEAD, NORTH_HEAD, "soldier")
    assert.is_true(has(path:areas(), "shallow_water"))
    assert.is_false(has(path:areas(), "deep_water"))
    assert.is_true(path:length() < 75)
  end)

  it("has a canal that only swimmers enter", function()
    local swum = find({ -10, -2.4, 9 }, { 20, -2.4, 9 }, "dog")
    assert.is_true(swum:length() < 31) -- straight below the bridge
    assert.is_true(has(swum:areas(), "deep_water"))
    local bed = { 10, -2.4, 9 }
    assert.is_nil(world:find_path { from = SOUTH_HEAD, to = bed, profile = "soldier", snap = { 1, 0.5, 1 } })
  end)

  it("has a canal that is deep but for its ford", function()
    assert.is_true(math.abs(navmesh:water_depth { 10, -2.4, 9 } - 2.3) < 0.1)
    assert.is_true(math.abs(navmesh:water_depth { -27, -0.3, 9 } - 0.2) < 0.1)
    assert.equal(0, navmesh:water_depth { 0, 0, 4.5 })
    assert.equal(0, navmesh:water_depth { 34, 0, 9 }) -- on the culvert
  end)

  it("lets swimmers out at the ford", function()
    local path = find({ 10, -2.4, 9 }, SOUTH_HEAD, "dog")
    assert.is_true(passes(path, -27, 9, 5))
  end)

  it("has a road that takes the long way round", function()
    local path = find(SOUTH_HEAD, NORTH_GATE, "car")
    for index, area in ipairs(path:areas()) do
      if index < #path then assert.equal("road", area) end
    end
    assert.is_true(passes(path, 34, 9, 3)) -- the culvert
    assert.is_true(path:length() > 110)
  end)

  it("has a shorter path for profiles that do not care", function()
    local car, soldier = find(SOUTH_HEAD, NORTH_GATE, "car"), find(SOUTH_HEAD, NORTH_GATE, "soldier")
    assert.is_true(soldier:length() < car:length() - 10)
    assert.is_true(math.abs(soldier:cost() - soldier:length()) < 0.01)
    assert.is_true(math.abs(car:cost() - car:length()) < 0.01) -- a road metre costs a metre
  end)

  it("has a door that men take and cars do not", function()
    local path = find({ -22, 0, -9 }, { -18, 0, -9 }, "soldier")
    assert.is_true(path:length() < 4.5)
    assert.is_true(has(path:areas(), "door"))
    local driven = find({ -22, 0, -9 }, { -18, 0, -9 }, "car")
    assert.is_false(has(driven:areas(), "door"))
    assert.is_true(driven:length() > 30)
  end)

  it("has a house that is entered by its door", function()
    assert.is_true(has(find({ 18, 0, 25 }, { 18, 0, 18 }, "civilian"):areas(), "door"))
    assert.is_nil(world:find_path { from = { 18, 0, 25 }, to = { 18, 0, 18 }, profile = "car" })
  end)

  it("has walls, crates and trees that nobody stands on", function()
    for _, top in ipairs {
      { -10, 3, 2 }, { 18, 3, 15.2 },      -- tall walls
      { -7, 0.9, -10.8 }, { 10, 0.9, 5.6 }, -- low walls
      { 6, 2.4, 15 }, { -18.4, 1.2, 0.6 }, -- crates
      { 0, 0.8, -6 }, { -33, 4, 20 },      -- the well, a tree
    } do
      assert.is_false(world:contains(top, { tolerance = 0.3 }), table.concat(top, ", "))
    end
  end)

  it("has walls that stop a straight walk", function()
    assert.is_true(world:raycast({ -10, 0, 0.5 }, { -10, 0, 3.5 })) -- the yard's south wall
    assert.is_true(world:raycast({ -7, 0, -12 }, { -7, 0, -9 }))    -- a low wall in the yard
    assert.is_false(world:raycast({ 0, 0, -1 }, { 0, 0, 4 }))       -- the south gate is open
  end)

  it("has high grass on the straight path through the meadow", function()
    local path = find({ -22, 0, 19 }, { -6, 0, 19 })
    assert.is_true(has(path:areas(), "grass"))
    assert.is_true(has(path:areas(), "undergrowth"))
  end)

  it("has free ground at every spawn", function()
    for name, places in pairs(level.spawns) do
      for number, at in ipairs(places) do
        local point = world:nearest_point(at)
        assert.is_true(point:distance(leeward.vec3(at)) < 0.3, ("%s[%d] is %s"):format(name, number, tostring(point)))
      end
    end
  end)

  it("is reached everywhere from everywhere by a dog that opens doors", function()
    local seed = os.time()
    local wide <close> = leeward.world { navmesh = navmesh, seed = seed }
    for pair = 1, 100 do
      local from, to = wide:random_point {}, wide:random_point {}
      assert.is_truthy(wide:find_path { from = from, to = to }, ("seed %d, pair %d"):format(seed, pair))
    end
  end)
end)

-- The scenario on that level: a truck closes the north gate from 19 s to 40 s.
describe("the scenario courtyard", function()
  local ON_ROAD, IN_YARD = { 4, 0, -26 }, { 0, 0, -13 }
  local navmesh

  setup(function() navmesh = assert(leeward.bake(level.geometry(leeward), level.bake)) end)

  local function start()
    local scenario = dofile(assert(leeward.find("scripts/scenarios/courtyard.lua")))
    local world = leeward.world { navmesh = navmesh, seed = scenario.seed }
    assert(scenario.setup(world, leeward, level))
    local function run_to(seconds)
      while world:time() < seconds - 1e-3 do
        world:step()
        scenario.step(world)
      end
    end
    return world, run_to
  end

  local function through_gate(world)
    return passes(assert(world:find_path { from = ON_ROAD, to = IN_YARD }), 0, -20, 2.5)
  end

  it("has a truck that is in the way while it is slow", function()
    local world <close>, run_to = start()
    local truck = world:obstacles()[1]
    run_to(5)
    assert.is_true(truck:is_cut() and through_gate(world)) -- at the roadside
    run_to(16.5)
    assert.is_true(truck:velocity():length() > 7)
    assert.is_false(truck:is_cut())
    run_to(30)
    assert.is_true(truck:is_cut())
    assert.is_false(through_gate(world))
    run_to(45)
    assert.is_true(truck:velocity():length() > 3)
    assert.is_true(truck:is_cut() and through_gate(world)) -- on its way back
    run_to(60)
    assert.is_near(0, truck:position():distance(leeward.vec3(24, 0, -28.3)), 1e-3)
    for _, agent in ipairs(world:agents()) do assert.is_true(world:contains(agent:position()), tostring(agent)) end
  end)

  it("is the same each time", function()
    local world <close>, run_to = start()
    local other <close>, run_other_to = start()
    run_to(45)
    run_other_to(45)
    assert.equal(world:hash(), other:hash())
  end)
end)
