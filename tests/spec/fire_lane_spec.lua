local leeward = require "leeward"

local function field(side)
  return leeward.world { navmesh = leeward.navmesh {
    vertices = { { 0, 0, 0 }, { side, 0, 0 }, { side, 0, side }, { 0, 0, side } }, polygons = { { 1, 2, 3, 4 } } } }
end

--- The same cut into squares of 5 m.
local function squares(side)
  local vertices, polygons = {}, {}
  for z = 0, side - 5, 5 do
    for x = 0, side - 5, 5 do
      local n = #vertices
      for _, c in ipairs { { x, z }, { x + 5, z }, { x + 5, z + 5 }, { x, z + 5 } } do
        vertices[#vertices + 1] = { c[1], 0, c[2] }
      end
      polygons[#polygons + 1] = { n + 1, n + 2, n + 3, n + 4 }
    end
  end
  return leeward.world { navmesh = leeward.navmesh { vertices = vertices, polygons = polygons } }
end

local function cross(world, from, to, cover_bias)
  return assert(world:find_path { from = from, to = to, profile = { extends = "human", cover_bias = cover_bias } })
end

describe("a fire lane", function()
  it("costs cover_bias - 1 for each metre in it, times its weight, on top of the path's cost", function()
    local world = field(60)
    world:add_fire_lane { from = { 0, 1, 30 }, to = { 60, 1, 30 }, radius = 2 }
    local across = cross(world, { 30, 0, 10 }, { 30, 0, 50 }, 4)
    assert.is_near(40 + 3 * 4, across:cost(), 1e-3)
    assert.is_near(3 * 4, across:explain().total.terms.fire_lanes, 1e-3)
    assert.is_near(40, cross(world, { 30, 0, 10 }, { 30, 0, 50 }, 1):cost(), 1e-3)
    world:add_fire_lane { from = { 0, 1, 40 }, to = { 60, 1, 40 }, radius = 1, weight = 2.5 }
    assert.is_near(40 + 3 * (4 + 2 * 2.5), cross(world, { 30, 0, 10 }, { 30, 0, 50 }, 4):cost(), 1e-3)
  end)

  for name, make in pairs { ["one polygon"] = field, ["many polygons"] = squares } do
    it("is left soon by paths that would lead along it: " .. name, function()
      local world = make(60)
      world:add_fire_lane { from = { 5, 1, 31 }, to = { 55, 1, 31 }, radius = 2 }
      for _, bias in ipairs { 2, 4, 10 } do
        local path = cross(world, { 8, 0, 31 }, { 52, 0, 31 }, bias)
        local best = 44 + 2 * 2 * math.sqrt(bias ^ 2 - 1) -- out and in at the angle whose cosine is 1 / bias
        assert.is_true(path:cost() > best - 1e-3)
        assert.is_near(best, path:cost(), 0.05 * best)
      end
    end)
  end

  it("is gone round at its end where that is cheaper", function()
    local world = field(60)
    world:add_fire_lane { from = { 0, 1, 30 }, to = { 20, 1, 30 }, radius = 2 }
    local path = cross(world, { 18, 0, 20 }, { 18, 0, 40 }, 20)
    assert.is_true(path:cost() < 26 and path:cost() > 20)
    assert.is_near(0, path:explain().total.terms.fire_lanes, 0.5)
  end)

  it("passes over the heads of agents that are low enough, and under other floors", function()
    local world = field(60)
    world:add_fire_lane { from = { 0, 8, 30 }, to = { 60, 0, 30 }, radius = 1 } -- from a tower down to the ground
    assert.is_near(40, cross(world, { 10, 0, 10 }, { 10, 0, 50 }, 5):cost(), 1e-3)
    assert.is_near(40 + 0.2 * 2, cross(world, { 50, 0, 10 }, { 50, 0, 50 }, 1.2):cost(), 1e-3)
  end)

  it("ends after its time, or when it is removed", function()
    local world = field(60)
    local short = world:add_fire_lane { from = { 0, 1, 30 }, to = { 60, 1, 30 }, seconds = 2 }
    local long = world:add_fire_lane { from = { 0, 1, 40 }, to = { 60, 1, 40 } }
    assert.equal(2, short:seconds())
    assert.equal(math.huge, long:seconds())
    world:run(1)
    assert.is_near(1, short:seconds(), 1e-4)
    assert.same({ short, long }, world:fire_lanes())
    assert.is_near(40 + 9 * 4, cross(world, { 30, 0, 10 }, { 30, 0, 50 }, 10):cost(), 1e-3)
    world:run(1.1)
    assert.equal(0, short:seconds())
    assert.is_false(short:remove())
    assert.is_near(40 + 9 * 2, cross(world, { 30, 0, 10 }, { 30, 0, 50 }, 10):cost(), 1e-3)
    assert.is_true(long:remove())
    assert.same({}, world:fire_lanes())
    assert.is_near(40, cross(world, { 30, 0, 10 }, { 30, 0, 50 }, 10):cost(), 1e-3)
  end)

  it("makes agents that walk into it search again, if they mind", function()
    local world = field(60)
    local agents = {}
    for i, bias in ipairs { 1, 8 } do
      agents[i] = assert(world:spawn { profile = { extends = "human", cover_bias = bias }, at = { 2, 0, 30 } })
      assert(agents[i]:move_to { 58, 0, 30 })
    end
    world:run(1)
    world:add_fire_lane { from = { 15, 1, 30 }, to = { 45, 1, 30 }, radius = 2 }
    world:run(1)
    assert.equal(0, agents[1]:stats().replans)
    assert.equal(1, agents[2]:stats().replans)
    local off = 0
    for _, point in ipairs(agents[2]:route()) do off = math.max(off, math.abs(point.z - 30)) end
    assert.is_true(off > 2)
  end)

  it("works beside dangers", function()
    local world = field(60)
    world:add_fire_lane { from = { 0, 1, 30 }, to = { 60, 1, 30 } }
    world:add_danger { at = { 30, 0, 30 }, radius = 6 }
    local path = assert(world:find_path { from = { 30, 0, 10 }, to = { 30, 0, 50 },
                                          profile = { extends = "human", cover_bias = 3, danger_cost = 100 } })
    local around = 2 * math.sqrt(20 ^ 2 - 6 ^ 2) + 6 * 2 * math.asin(6 / 20)
    assert.equal(0, path:danger())
    assert.is_near(around + 2 * 2, path:cost(), 0.02 * around)
  end)

  it("is refused with a reason", function()
    local world = field(20)
    local function refused(message, options)
      options.from, options.to = options.from or { 1, 0, 1 }, options.to or { 5, 0, 5 }
      assert.error_matches(function() world:add_fire_lane(options) end, message, 1, true)
    end
    refused("add_fire_lane: unknown key 'second'. Did you mean 'seconds'?", { second = 3 })
    refused("add_fire_lane: radius is 0, expected metres > 0 and <= 1000", { radius = 0 })
    refused("add_fire_lane: seconds is 0, expected seconds > 0", { seconds = 0 })
    refused("add_fire_lane: weight is nan, expected a number > 0 and <= 1000000", { weight = 0 / 0 })
    refused("add_fire_lane: to is {1, inf, 1}, expected a point", { to = { 1, math.huge, 1 } })
    refused("add_fire_lane: from is {1e+20, 0, 0}, expected coordinates within +-1000000 metres",
      { from = { 1e20, 0, 0 } })
    assert.same({}, world:fire_lanes())
    local lane = world:add_fire_lane { from = { 1, 0, 1 }, to = { 5, 0, 5 } }
    assert.equal("fire lane 1", tostring(lane))
    world:destroy()
    assert.error_matches(function() lane:seconds() end, "seconds: the world was destroyed")
  end)
end)
