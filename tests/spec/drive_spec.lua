-- Drives of vehicles, and agents that follow them.

local leeward = require "leeward"

local CAR = { extends = "human", radius = 1, length = 4, width = 2, wheelbase = 2.4, turn_radius = 4,
  speed = { normal = 8 }, acceleration = 3, deceleration = 5, lateral_acceleration = 4 }

--- A lot of 60 x 40 m.
local function lot()
  local navmesh = leeward.navmesh { vertices = { { 0, 0, 0 }, { 60, 0, 0 }, { 60, 0, 40 }, { 0, 0, 40 } },
    polygons = { { 1, 2, 3, 4 } } }
  return leeward.world { navmesh = navmesh, seed = 3 }
end

local function turned(from, to)
  return math.abs((to - from + math.pi) % (2 * math.pi) - math.pi)
end

describe("world:find_drive", function()
  it("leads from pose to pose within the turn radius", function()
    local world = lot()
    local drive = assert(world:find_drive {
      from = { 10, 0, 20 }, from_heading = 0, to = { 40, 0, 20 }, heading = math.pi, profile = CAR,
    })
    local points = drive:points()
    local last = points[#points]
    assert.equal(#points, #drive)
    assert.near(0, last.at:distance(leeward.vec3(40, 0, 20)), 0.01)
    assert.near(0, turned(last.heading, math.pi), 0.01)
    assert.near(last.along, drive:length(), 1e-6)
    assert.is_true(drive:length() > 30 and drive:cost() >= drive:length() and drive:nodes() >= 1)
    for _, point in ipairs(points) do
      assert.is_true(math.abs(point.curvature) <= 0.25 + 1e-6)
      assert.is_true(point.gear == 1 or point.gear == -1)
    end
  end)

  it("backs where that is far shorter, at the profile's price", function()
    local world = lot()
    local query = { from = { 30, 0, 20 }, to = { 26, 0, 20 }, heading = 0, profile = CAR }
    local drive = assert(world:find_drive(query))
    assert.near(4, drive:reversed(), 0.01)
    assert.equal(0, drive:cusps())
    assert.near(12, drive:cost(), 0.1)
  end)

  it("says why there is none", function()
    local world = lot()
    local drive, message, code = world:find_drive {
      from = { 30, 0, 20 }, to = { 59.5, 0, 20 }, heading = 0, profile = CAR,
    }
    assert.is_nil(drive)
    assert.equal("NO_GOAL", code)
    assert.is_string(message)
  end)

  it("names what is wrong", function()
    local world = lot()
    local query = { from = { 30, 0, 20 }, to = { 20, 0, 20 }, profile = CAR }
    local function with(key, value)
      local changed = {}
      for k, v in pairs(query) do changed[k] = v end
      changed[key] = value
      return function() world:find_drive(changed) end
    end
    assert.has_error(with("profile", "human"), "find_drive: profile 'human' has no wheelbase, expected a vehicle's")
    assert.has_error(with("heading", "north"), "find_drive: heading is 'north', expected radians from -1000 to 1000")
    assert.error_matches(with("headin", 1), "find_drive: unknown key 'headin'")
    local bad = { extends = "human", wheelbase = 2 }
    assert.error_matches(function() world:spawn { at = { 5, 0, 5 }, profile = bad } end,
      "length is 0, expected at least its wheelbase, 2")
  end)
end)

describe("a vehicle", function()
  it("parks where and how it is asked to", function()
    local world = lot()
    local agent = world:spawn { at = { 10, 0, 10 }, profile = CAR }
    assert.is_nil(agent:drive())
    assert(agent:move_to({ 40, 0, 30 }, { heading = math.pi / 2 }))
    assert.equal(1, agent:drive()[1].gear)
    assert.truthy(agent:why():find("drives to", 1, true))
    world:run(30)
    assert.equal("arrived", agent:move_state())
    assert.near(0, agent:position():distance(leeward.vec3(40, 0, 30)), 0.1)
    assert.near(0, turned(agent:heading(), math.pi / 2), 0.05)
  end)
end)

describe("a vehicle among agents that stand", function()
  local function copy(changes)
    local profile = {}
    for key, value in pairs(CAR) do profile[key] = value end
    for key, value in pairs(changes) do profile[key] = value end
    return profile
  end
  local function post(radius)
    return { extends = "human", radius = radius, avoidance = "full", acceleration = 8, deceleration = 10 }
  end
  local trailer = { length = 3, width = 2, joint = 1, drawbar = 0.6, wheelbase = 2.2 }

  it("gets past one wherever it stands", function()
    for _, tows in ipairs { false, true } do
      local profile = copy { avoidance = "full", trailer = tows and trailer or nil }
      for _, radius in ipairs { 0.4, 0.8, 1.5 } do
        for off = 3.6, 6.8, 0.4 do
          local world = lot()
          local agent = assert(world:spawn { at = { 20, 0, 20 }, profile = profile })
          assert(world:spawn { at = { 20 + off + radius, 0, 20.5 }, profile = post(radius) })
          assert(agent:move_to({ 40, 0, 20 }, { heading = 0 }))
          world:run(25)
          assert.equal("arrived", agent:move_state(), ("%s %g %g"):format(tows, radius, off))
        end
      end
    end
  end)

  it("meets another one and gets past it, with a trailer too", function()
    for _, tows in ipairs { false, true } do
      local world = lot()
      local profile = copy { avoidance = "full", trailer = tows and trailer or nil }
      local one = assert(world:spawn { at = { 8, 0, 20 }, profile = profile })
      local other = assert(world:spawn { at = { 52, 0, 20 }, profile = profile })
      other:set_heading(math.pi)
      assert(one:move_to { 50, 0, 20 })
      assert(other:move_to { 10, 0, 20 })
      local nearest = math.huge
      for _ = 1, 40 * 60 do
        world:step(1 / 60)
        nearest = math.min(nearest, one:position():distance(other:position()))
      end
      assert.equal("arrived", one:move_state())
      assert.equal("arrived", other:move_state())
      assert.is_true(nearest > 2, nearest) -- their width
    end
  end)

  it("says who stands at its goal", function()
    local world = lot()
    local agent = assert(world:spawn { at = { 20, 0, 20 }, profile = copy { avoidance = "full" } })
    assert(world:spawn { at = { 36, 0, 20 }, profile = post(0.4) })
    assert(agent:move_to({ 35, 0, 20 }, { heading = 0 }))
    world:run(15)
    assert.equal("failed", agent:move_state())
    assert.truthy(agent:why():find("makes no progress; a custom at (36.0, 0.0, 20.0) blocks it", 1, true))
  end)
end)

describe("a trailer", function()
  local function truck(trailer)
    return { extends = "human", radius = 1, length = 4, width = 2, wheelbase = 2.4, turn_radius = 4,
      speed = { normal = 8, calm = 3 }, acceleration = 3, deceleration = 5, lateral_acceleration = 4,
      trailer = trailer or { length = 3, width = 2, joint = 1, drawbar = 0.6, wheelbase = 2.2 } }
  end

  it("comes after its vehicle, and is where its drive says", function()
    local world = lot()
    local agent = world:spawn { at = { 10, 0, 10 }, profile = truck() }
    assert(agent:move_to({ 40, 0, 30 }, { heading = math.pi / 2 }))
    local points = agent:drive()
    assert.near(0, turned(points[1].trailer_heading, points[1].heading), 1e-6)
    local most = 0
    for _ = 1, 30 * 60 do
      world:step(1 / 60)
      local pose = agent:pose()
      most = math.max(most, turned(pose.trailer_heading, pose.heading))
    end
    assert.equal("arrived", agent:move_state())
    assert.is_true(most > 0.3 and most <= 1)
    assert.near(0, turned(agent:pose().trailer_heading, points[#points].trailer_heading), 0.05)
  end)

  it("is pushed back straight, or from where it is turned to", function()
    local world = lot()
    local query = { from = { 40, 0, 20 }, to = { 30, 0, 20 }, heading = 0, profile = truck() }
    local drive = assert(world:find_drive(query))
    assert.near(10, drive:reversed(), 0.01)
    query.trailer_angle = 0.4
    local turning = assert(world:find_drive(query)):points()
    assert.near(0.4, turning[1].trailer_heading, 1e-5)
    assert.is_true(#turning > #drive:points())
  end)

  it("whose axle lies on the vehicle's is pushed back straight", function()
    local world = lot()
    local trailer = { length = 3, width = 2, joint = -2.2, drawbar = 0.6, wheelbase = 2.2 }
    local agent = assert(world:spawn { at = { 40, 0, 20 }, profile = truck(trailer) })
    assert(agent:move_to({ 30, 0, 20 }, { heading = 0 }))
    world:run(15)
    assert.equal("arrived", agent:move_state())
    assert.near(20, agent:position().z, 1e-3)
    assert.near(0, turned(agent:heading(), 0), 1e-3)
  end)

  it("is none where its profile has none", function()
    local agent = lot():spawn { at = { 10, 0, 10 }, profile = CAR }
    assert.is_nil(agent:pose().trailer_heading)
  end)

  it("names what is wrong with it", function()
    local world = lot()
    local function spawn(trailer)
      return function() world:spawn { at = { 10, 0, 10 }, profile = truck(trailer) } end
    end
    assert.error_matches(spawn { length = 3 }, "trailer.width is 0, expected metres > 0 beside trailer.length", 1, true)
    assert.error_matches(spawn { length = 3, width = 2, drawbar = 1, wheelbase = 5 },
      "trailer.wheelbase is 5, expected metres > 0 from its front, at 1, to its end, at 4", 1, true)
    assert.error_matches(spawn { length = 3, width = 2, wheelbase = 2, max_angle = 3 },
      "profile.trailer.max_angle is 3, expected radians from 0.1 to 1.5", 1, true)
    assert.error_matches(spawn { long = 3 }, "unknown key 'profile.trailer.long'", 1, true)
    assert.error_matches(spawn(7), "profile.trailer is 7, expected a table", 1, true)
  end)
end)

describe("a vehicle and an agent that stands within its body", function()
  it("go on in a loaded game as in the saved one, step by step", function()
    local van = { extends = "human", radius = 1, length = 4, width = 2, wheelbase = 2.4, turn_radius = 4,
      acceleration = 3, deceleration = 5, avoidance = "full" }
    leeward.profile("drive_van", van)
    leeward.profile("drive_post", { extends = "human", avoidance = "full", acceleration = 8, deceleration = 10 })
    local file = os.tmpname()
    local world, twin = lot(), lot()
    local driver = assert(world:spawn { profile = "drive_van", at = { 10, 0, 20 } })
    assert(world:spawn { profile = "drive_post", at = { 11.5, 0, 20 } })
    assert(driver:move_to { 50, 0, 25 })
    for _ = 1, 8 do
      for _ = 1, 7 do world:step(1 / 60) end
      assert(world:save(file))
      assert(twin:load(file))
      for step = 1, 5 do
        world:step(1 / 60)
        twin:step(1 / 60)
        assert.equal(world:hash(), twin:hash(), step)
      end
    end
    os.remove(file)
  end)
end)
