-- What is in the way on navmeshes: crates, parked cars, shut doors. obstacle_motion_spec has those that move.
local leeward = require "leeward"
local behaviors = require "behaviors"
local maps = require "support.maps"

--- A rectangle of ground, which agents of that radius may use up to its borders.
local function ground(width, depth, agent_radius)
  return leeward.navmesh { vertices = { { 0, 0, 0 }, { width, 0, 0 }, { width, 0, depth }, { 0, 0, depth } },
    polygons = { { 1, 2, 3, 4 } }, agent_radius = agent_radius or 0.4 }
end

--- 38 m straight over a field of 40 x 40 m.
local MIDDLE, ACROSS = { 20, 0, 20 }, { from = { 1, 0, 20 }, to = { 39, 0, 20 } }
local function field() return leeward.world { navmesh = ground(40, 40) } end

local function length_of(world, query) return assert(world:find_path(query or ACROSS)):length() end
local function code_of(world, query)
  local _, _, code = world:find_path(query)
  return code
end

--- The length of ACROSS round a rectangle about the middle.
local function round(half_x, half_z) return 2 * math.sqrt((19 - half_x) ^ 2 + half_z ^ 2) + 2 * half_x end

local function farthest_off(agent)
  local off = 0
  for _, point in ipairs(agent:route()) do off = math.max(off, math.abs(point.z - 20)) end
  return off
end

local function is_near(expected, point) assert.is_near(0, point:distance(expected), 1e-3) end

describe("an obstacle", function()
  describe("in a doorway", function()
    local THROUGH = { from = { 1, 0, 5 }, to = { 20, 0, 5 } }
    local DOOR = { at = { 10.5, 0, 5 }, size = { 1, 2, 2 } }
    local world
    before_each(function() world = leeward.world { navmesh = maps.two_rooms() } end)

    it("shuts it when the next step begins, and not before", function()
      local door = world:add_obstacle(DOOR)
      assert.is_false(door:is_cut())
      assert.is_near(19, length_of(world, THROUGH), 1e-3)
      world:step()
      assert.is_true(door:is_cut())
      assert.equal("NO_PATH", code_of(world, THROUGH))
    end)

    it("shuts it at once for those who do not step", function()
      local door = world:add_obstacle(DOOR)
      world:apply_changes()
      assert.is_true(door:is_cut())
      assert.equal("NO_PATH", code_of(world, THROUGH))
      assert.equal(0, world:steps())
    end)

    it("gives back exactly the same path when it is removed", function()
      local before = assert(world:find_path(THROUGH))
      local door = world:add_obstacle(DOOR)
      world:step()
      assert.is_true(door:remove())
      assert.is_false(door:exists())
      assert.equal("NO_PATH", code_of(world, THROUGH)) -- until the step
      world:step()
      local after = assert(world:find_path(THROUGH))
      assert.same(before:points(), after:points())
      assert.equal(before:cost(), after:cost())
    end)

    it("shuts it however often it opens and shuts", function()
      for _ = 1, 20 do
        local door = world:add_obstacle(DOOR)
        world:step()
        assert.equal("NO_PATH", code_of(world, THROUGH))
        door:move { 5, 0, 9 }
        world:apply_changes()
        assert.is_near(19, length_of(world, THROUGH), 1e-3)
        door:remove()
      end
    end)
  end)

  describe("on open ground", function()
    it("is gone round at the distance that the navmesh was baked for", function()
      local world = field()
      local crate = world:add_obstacle { at = MIDDLE, size = { 2, 1, 2 } }
      world:step()
      assert.is_near(round(1.4, 1.4), length_of(world), 1e-3)
      crate:remove()
      world:step()
      assert.equal(38, length_of(world))
    end)

    it("may be a box that is turned", function()
      local world = field()
      local wall = world:add_obstacle { at = MIDDLE, size = { 10, 2, 0.5 } }
      world:apply_changes()
      assert.is_near(round(5.4, 0.65), length_of(world), 1e-3)
      wall:move(MIDDLE, math.pi / 2)
      world:apply_changes()
      assert.is_near(round(0.65, 5.4), length_of(world), 1e-3)
    end)

    it("may be a cylinder", function()
      local world = field()
      world:add_obstacle { at = MIDDLE, radius = 1, height = 2 }
      world:step()
      local best = 2 * math.sqrt(19 ^ 2 - 1.4 ^ 2) + 1.4 * 2 * math.asin(1.4 / 19)
      assert.is_true(length_of(world) >= best - 1e-3)
      assert.is_near(best, length_of(world), 0.01 * best)
    end)

    it("may be a convex polygon, its corners either way round", function()
      local corners = { { -1, 0, -1 }, { -1, 0, 1 }, { 1, 0, 1 }, { 1, 0, -1 } }
      local lengths = {}
      for i, points in ipairs { corners, { corners[4], corners[3], corners[2], corners[1] } } do
        local world = field()
        world:add_obstacle { at = MIDDLE, points = points, yaw = 0.3 }
        world:step()
        lengths[i] = length_of(world)
      end
      local world = field()
      world:add_obstacle { at = MIDDLE, size = { 2, 2, 2 }, yaw = 0.3 }
      world:step()
      assert.is_near(length_of(world), lengths[1], 1e-3)
      assert.is_near(length_of(world), lengths[2], 1e-3)
    end)

    it("tells its outline, counter-clockwise seen from above", function()
      local world = field()
      local box = world:add_obstacle { at = { 20, 1, 20 }, size = { 2, 3, 4 } }
      local corners, height = box:outline()
      assert.same({ 4, 3 }, { #corners, height })
      local area = 0
      for i, a in ipairs(corners) do
        local b = corners[i % 4 + 1]
        assert.same({ 1, 1, 2 }, { math.abs(a.x - 20), a.y, math.abs(a.z - 20) })
        area = area + (a.x * b.z - b.x * a.z) / 2
      end
      assert.is_near(-8, area, 1e-3) -- from x to -z is counter-clockwise
      local drop = {} -- a round back, and a sharp tip
      for i = 0, 14 do drop[i + 1] = { math.cos(math.pi * i / 14), 0, math.sin(math.pi * i / 14) } end
      drop[16] = { 0, 0, -4 }
      assert.equal(16, #world:add_obstacle { points = drop }:outline())
      assert.equal(3, #world:add_obstacle { points = { { 0, 0, 0 }, { 4, 0, 0 }, { 0, 0, 4 } } }:outline())
      local boom = world:add_obstacle { at = MIDDLE, yaw = math.pi / 2, height = 1,
        points = { { 0, 0, -1 }, { 0, 0, 1 }, { 6, 0, 1 }, { 6, 0, -1 } } }
      local north = math.huge
      for _, corner in ipairs(boom:outline()) do north = math.min(north, corner.z) end
      assert.is_near(14, north, 1e-3)
    end)

    it("is in nobody's way beside the navmesh", function()
      local world = field()
      local crate = world:add_obstacle { at = { 500, 0, 500 }, size = { 9, 9, 9 } }
      world:step()
      assert.equal(38, length_of(world))
      is_near({ 500, 0, 500 }, crate:position())
      assert.is_true(crate:remove())
      world:step()
      assert.equal(38, length_of(world))
    end)
  end)

  it("shuts a corridor for tanks and leaves it open for infantry", function()
    local world = leeward.world { navmeshes = { ground(40, 4, 0.4), ground(40, 4, 1.5) } }
    local function along(navmesh)
      return { from = { 1, 0, 2 }, to = { 39, 0, 2 }, navmesh = navmesh }
    end
    world:add_obstacle { at = { 20, 0, 2 }, size = { 1.2, 1, 1.2 } } -- leaves 1.4 m on either side
    world:step()
    assert.is_near(round(1, 1), length_of(world, along(1)), 1e-3)
    assert.equal("NO_PATH", code_of(world, along(2)))
  end)

  it("leaves the floors above and below alone", function()
    local world = leeward.world { navmesh = maps.rectangles { { 0, 0, 40, 4 }, { 0, 0, 40, 4, "ground", 4 } } }
    world:add_obstacle { at = { 20, 4, 2 }, size = { 1, 2, 9 } }
    world:step()
    assert.is_near(38, length_of(world, { from = { 1, 0, 2 }, to = { 39, 0, 2 } }), 1e-3)
    assert.equal("NO_PATH", code_of(world, { from = { 1, 4, 2 }, to = { 39, 4, 2 } }))
  end)

  it("counts up to the height of a head", function()
    local level = leeward.geometry()
    level:add_box { min = { 0, -1, 0 }, max = { 12, 0, 4 } }
    local world = leeward.world { navmesh = assert(leeward.bake(level, { cell_size = 0.2, agent_radius = 0.4,
      agent_height = 1.8 })) }
    local along = { from = { 1, 0, 2 }, to = { 11, 0, 2 }, profile = { extends = "human", can_crouch = false } }
    local beam = world:add_obstacle { at = { 6, 2.4, 2 }, size = { 1, 0.5, 9 } }
    world:step()
    assert.is_near(10, length_of(world, along), 0.1)
    beam:move { 6, 1.2, 2 }
    world:apply_changes()
    assert.equal("NO_PATH", code_of(world, along))
  end)

  describe("that does not block", function()
    local WARY = { extends = "human", area_factor = { grass = 5 } }

    it("makes the ground what it says, and is walked through at that price", function()
      local world = field()
      local query = { from = ACROSS.from, to = ACROSS.to, profile = WARY }
      local mud = world:add_obstacle { at = MIDDLE, size = { 4, 0.5, 60 }, area = "grass" }
      world:step()
      assert.is_true(mud:is_cut())
      local path = assert(world:find_path(query))
      assert.is_near(38, path:length(), 1e-3)
      assert.is_near(38 + 5 * 4, path:cost(), 1e-2)
      assert.truthy(table.concat(path:areas(), " "):find("grass", 1, true))
      query.avoid = { "grass" }
      assert.equal("NO_PATH", code_of(world, query))
      mud:remove()
      world:step()
      assert.is_near(38, assert(world:find_path(query)):cost(), 1e-3)
    end)

    it("may cost more on whatever ground it is, for those who have a profile", function()
      local world = field()
      local query = { from = ACROSS.from, to = ACROSS.to, profile = "human" }
      local before = assert(world:find_path(query)):cost()
      local smoke = world:add_obstacle { at = MIDDLE, size = { 4, 0.5, 60 }, cost = 3 }
      world:add_obstacle { at = { 21, 0, 20 }, size = { 4, 0.5, 60 }, cost = 2 } -- 3 m of both
      world:step()
      assert.same({ false, 3 }, { smoke:get().blocks, smoke:get().cost })
      local path = assert(world:find_path(query))
      assert.is_near(38, path:length(), 1e-3)
      assert.is_near(before + 3 * 4 + 2 * 4, path:cost(), 1e-2)
      assert.is_near(3 * 4 + 2 * 4, path:explain().total.terms.obstacles, 1e-3)
      assert.equal("the shortest path, costs 20.0 more than its length: obstacles worth 20.0", path:explain().sentence)
      assert.is_near(38, assert(world:find_path(ACROSS)):cost(), 1e-3)
      smoke:remove()
      world:step()
      assert.is_near(before + 2 * 4, assert(world:find_path(query)):cost(), 1e-2)
    end)

    it("is gone round where that costs less than walking through", function()
      local world = field()
      world:add_obstacle { at = MIDDLE, size = { 4, 0.5, 4 }, cost = 10 }
      world:step()
      local path = assert(world:find_path { from = ACROSS.from, to = ACROSS.to, profile = "human" })
      assert.is_near(round(2, 2), path:length(), 0.05)
      assert.is_near(0, path:explain().total.terms.obstacles, 1e-3)
    end)

    it("costs the same when the world is loaded", function()
      local world = field()
      world:add_obstacle { at = MIDDLE, size = { 4, 0.5, 60 }, cost = 3, area = "grass" }
      world:step()
      local query = { from = ACROSS.from, to = ACROSS.to, profile = WARY }
      local file = os.tmpname()
      assert(world:save(file))
      local loaded = field()
      assert(loaded:load(file))
      os.remove(file)
      assert.is_near(38 + (3 + 5) * 4, assert(loaded:find_path(query)):cost(), 1e-2)
    end)

    it("leaves the area of the latest one where several overlap, however old obstacles have gone", function()
      local world = field()
      local gone = world:add_obstacle { at = { 2, 0, 2 }, size = { 1, 1, 1 } }
      world:add_obstacle { at = MIDDLE, size = { 4, 1, 4 }, area = "road" }
      world:step()
      gone:remove()
      world:step()
      world:add_obstacle { at = MIDDLE, size = { 4, 1, 4 }, area = "grass" }
      world:step()
      local areas = {}
      local function areas_of(in_world)
        return assert(in_world:find_path { from = { 19, 0, 20 }, to = { 21, 0, 20 }, profile = "human" }):areas()
      end
      for _, area in ipairs(areas_of(world)) do areas[area] = true end
      assert.same({ grass = true }, areas)
      local file = os.tmpname()
      assert(world:save(file))
      local loaded = field()
      assert(loaded:load(file))
      os.remove(file)
      assert.same(areas_of(world), areas_of(loaded))
    end)

    it("may be a polygon with sharp corners", function()
      local world = field()
      world:add_obstacle { at = MIDDLE, points = { { -3, 0, 9 }, { 0, 0, -1 }, { 3, 0, 9 } }, area = "grass" }
      world:step()
      local path = assert(world:find_path { from = ACROSS.from, to = ACROSS.to,
        profile = { extends = "human", avoid = { "grass" } } })
      assert.is_near(round(0, 1), path:length(), 1e-2)
    end)

    it("is gone round by agents that avoid it, close by: it is not grown", function()
      local world = field()
      world:add_obstacle { at = MIDDLE, size = { 4, 0.5, 4 }, blocks = false, area = "grass" }
      world:step()
      local path = assert(world:find_path { from = ACROSS.from, to = ACROSS.to,
        profile = { extends = "human", avoid = { "grass" } } })
      assert.is_near(round(2, 2), path:length(), 0.05)
      assert.is_true(path:cost() > 38)
      assert.is_near(38, length_of(world), 1e-3) -- nobody in particular walks through
    end)
  end)

  describe("to agents", function()
    local WALL = { at = { 30, 0, 20 }, size = { 1, 2, 20 } }
    local world, walker
    before_each(function()
      world = field()
      walker = assert(world:spawn { profile = "human", at = ACROSS.from })
      assert(walker:move_to(ACROSS.to))
      world:run(1)
    end)

    it("on the way is a reason to search again, and they arrive", function()
      assert.equal(0, farthest_off(walker))
      world:add_obstacle(WALL)
      world:step()
      assert.is_true(farthest_off(walker) > 10)
      assert.equal(1, walker:stats().replans)
      world:run(30)
      assert.equal("arrived", (walker:move_state()))
      assert.is_true(walker:position():distance(ACROSS.to) < 0.4)
    end)

    it("beside the way is no reason", function()
      world:add_obstacle { at = { 20, 0, 30 }, size = { 30, 2, 4 } }
      world:run(1)
      assert.equal(0, walker:stats().replans)
    end)

    it("that goes lets them take the shorter way within some two seconds", function()
      local wall = world:add_obstacle(WALL)
      world:step()
      wall:remove()
      world:run(2.5)
      assert.is_true(farthest_off(walker) < 10)
      world:run(30)
      assert.equal("arrived", (walker:move_state()))
    end)

    it("that goes lets a thousand take the shorter way within two seconds, a few in each step", function()
      local wall, agents = world:add_obstacle(WALL), {}
      for i = 1, 1000 do
        agents[i] = assert(world:spawn { profile = "human", at = { 1 + i % 10 / 10, 0, 18 + i // 10 / 25 } })
        assert(agents[i]:move_to(ACROSS.to))
      end
      world:step()
      wall:remove()
      local function searches(count)
        for _, agent in ipairs(agents) do count = count + agent:stats().replans end
        return count
      end
      local most, before = 0, searches(0)
      for _ = 1, 2 * 60 do
        world:step()
        local now = searches(0)
        most, before = math.max(most, now - before), now
      end
      for _, agent in ipairs(agents) do assert.is_true(farthest_off(agent) < 10) end
      assert.is_true(most < 30, most)
    end)

    it("that shuts the only way is why they fail", function()
      world = leeward.world { navmesh = maps.two_rooms() }
      walker = assert(world:spawn { profile = "human", at = { 1, 0, 5 } })
      assert(walker:move_to { 20, 0, 5 })
      world:run(0.5)
      world:add_obstacle { at = { 10.5, 0, 5 }, size = { 1, 2, 2 } }
      world:run(1)
      local state, _, code = walker:move_state()
      assert.same({ "failed", "NO_PATH" }, { state, code })
    end)

    it("that appears where they stand moves them out", function()
      walker:stop()
      local at = walker:position()
      world:add_obstacle { at = at, size = { 2, 2, 2 } }
      world:step()
      local moved = walker:position():distance(at)
      assert.is_true(moved > 1.39 and moved <= 4)
      assert.is_true(world:contains(walker:position()))
      assert(walker:move_to(ACROSS.to))
      world:run(30)
      assert.equal("arrived", (walker:move_state()))
    end)

    it("that appears where they stand traps them where no ground is near, until it goes", function()
      local hall = world:add_obstacle { at = MIDDLE, size = { 60, 2, 60 } }
      world:step()
      local state, message, code = walker:move_state()
      assert.same({ "failed", "TRAPPED" }, { state, code })
      assert.equal("the ground under the agent was cut away, and there is none near by", message)
      hall:remove()
      world:step()
      assert(walker:move_to(ACROSS.to))
      world:run(30)
      assert.equal("arrived", (walker:move_state()))
    end)

    it("that takes all ground leaves them where they were, also in a saved game", function()
      local file = os.tmpname()
      local hall = world:add_obstacle { at = MIDDLE, size = { 500, 2, 500 } }
      world:step()
      assert(world:save(file))
      local loaded = leeward.world { navmesh = world:navmesh() }
      local agents = loaded:load(file)
      os.remove(file)
      assert.equal(world:hash(), loaded:hash())
      assert.equal("TRAPPED", (select(3, agents[1]:move_state())))
      assert.equal(0, agents[1]:position():distance(walker:position()))
      hall:remove()
      loaded:obstacles()[1]:remove()
      for _, each in ipairs { world, loaded } do
        each:step()
        assert(each:agents()[1]:move_to(ACROSS.to))
        each:run(30)
        assert.equal("arrived", (each:agents()[1]:move_state()))
      end
      assert.equal(world:hash(), loaded:hash())
    end)
  end)

  it("that a leaf adds takes effect when the next step begins", function()
    local world, seen = field(), {}
    local Build = behaviors.leaf { name = "Build", start = function(agent)
      local at_work = agent:world()
      seen.wall = at_work:add_obstacle { at = MIDDLE, size = { 1, 2, 20 } }
      seen.length = length_of(at_work)
      seen.message = select(2, pcall(at_work.apply_changes, at_work))
      return "running"
    end, tick = function() return "running" end }
    assert(world:spawn { profile = "human", at = { 1, 0, 1 }, tree = Build() })
    world:step()
    assert.equal(38, seen.length)
    assert.matches("apply_changes: called from inside a step or a leaf", seen.message, 1, true)
    assert.is_false(seen.wall:is_cut())
    world:step()
    assert.is_true(seen.wall:is_cut())
    assert.is_true(length_of(world) > 40)
  end)

  it("is listed in the order in which it was added", function()
    local world = field()
    local first, second, third = world:add_obstacle { at = MIDDLE }, world:add_obstacle { at = MIDDLE },
      world:add_obstacle { at = MIDDLE }
    second:remove()
    assert.same({ first, third }, world:obstacles())
  end)

  it("is part of what a world's hash is over", function()
    local one, other = field(), field()
    one:add_obstacle { at = MIDDLE }
    assert.not_equal(one:hash(), other:hash())
    other:add_obstacle { at = MIDDLE }
    assert.equal(one:hash(), other:hash())
  end)

  describe("tells what adds another one like it", function()
    local world
    before_each(function() world = field() end)

    --- @return what the obstacle tells, which its copy tells, too
    local function copied(obstacle)
      local definition = obstacle:get()
      assert.same(definition, world:add_obstacle(definition):get())
      return definition
    end

    it("with the defaults", function()
      local box = copied(world:add_obstacle { at = MIDDLE })
      assert.same({ "box", leeward.vec3(1, 1, 1), leeward.vec3(20, 0, 20), 0, true, 1 },
        { box.shape, box.size, box.at, box.yaw, box.blocks, box.min_move })
      assert.is_near(5.56, box.max_speed, 1e-6) -- 20 km/h
      assert.is_true(box.radius == nil and box.height == nil and box.points == nil and box.area == nil)
      local pillar = copied(world:add_obstacle { shape = "cylinder", at = MIDDLE })
      assert.same({ "cylinder", 0.5, 2 }, { pillar.shape, pillar.radius, pillar.height })
    end)

    it("where it is now", function()
      local box = world:add_obstacle { at = MIDDLE, yaw = 1, size = { 1, 2, 3 }, min_move = 0, max_speed = math.huge }
      box:move({ 5, 1, 6 }, 0.5)
      local now = copied(box)
      assert.same({ leeward.vec3(5, 1, 6), 0.5, leeward.vec3(1, 2, 3), 0, math.huge },
        { now.at, now.yaw, now.size, now.min_move, now.max_speed })
    end)

    it("of every shape, and what it is attached to or carried by", function()
      local points = { leeward.vec3(0, 0, 0), leeward.vec3(2, 0, 0), leeward.vec3(0, 0, 2) }
      local rubble = copied(world:add_obstacle { points = points, height = 1, area = "grass" })
      assert.same({ "polygon", points, 1, false, "grass", leeward.vec3(0, 0, 0) },
        { rubble.shape, rubble.points, rubble.height, rubble.blocks, rubble.area, rubble.at })
      local truck = world:add_obstacle { at = MIDDLE }
      assert.equal(truck, copied(world:add_obstacle { radius = 2, at = MIDDLE, attached_to = truck }).attached_to)
      local agent = assert(world:spawn { profile = "human", at = MIDDLE })
      local carried = copied(world:add_obstacle { carrier = agent, yaw = 0.25 })
      assert.same({ agent, 0.25 }, { carried.carrier, carried.yaw })
    end)

    it("and nothing once it is removed", function()
      local box = world:add_obstacle { at = MIDDLE }
      box:remove()
      for _, name in ipairs { "get", "position", "yaw", "velocity", "outline" } do
        assert.is_nil(box[name](box), name)
      end
      assert.is_false(box:is_cut())
      assert.is_false(box:move(MIDDLE))
      assert.is_false(box:remove())
    end)
  end)
end)

describe("an obstacle that cannot be", function()
  local world, other
  before_each(function() world, other = field(), field() end)

  local function refused(message, options)
    assert.error_matches(function() world:add_obstacle(options) end, "add_obstacle: " .. message, 1, true)
    assert.same({}, world:obstacles())
  end

  it("is refused with the key that is wrong", function()
    local corners = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 0, 1 } }
    refused("unknown key 'raduis'. Did you mean 'radius'?", { at = MIDDLE, raduis = 3 })
    refused("unknown key 'user'", { at = MIDDLE, user = 3 })
    refused("shape is 'sphere', expected 'box', 'cylinder' or 'polygon'", { at = MIDDLE, shape = "sphere" })
    refused("at is nil, expected a point, or a carrier", { size = { 1, 1, 1 } })
    refused("at is {1, ", { at = { 1, 0 / 0, 1 } })
    refused("size[2] is -1, expected metres > 0 and <= 1000", { at = MIDDLE, size = { 1, -1, 1 } })
    refused("size[3] is 1001, expected metres > 0 and <= 1000", { at = MIDDLE, size = { x = 1, y = 1, z = 1001 } })
    refused("size is 3, expected a point", { at = MIDDLE, size = 3 })
    refused("radius is 0, expected metres > 0 and <= 1000", { at = MIDDLE, radius = 0 })
    refused("height is nan, expected metres > 0 and <= 1000", { at = MIDDLE, radius = 1, height = 0 / 0 })
    refused("yaw is inf, expected radians from -10000 to 10000", { at = MIDDLE, yaw = math.huge })
    refused("min_move is -1, expected metres >= 0", { at = MIDDLE, min_move = -1 })
    refused("max_speed is -1, expected metres per second >= 0", { at = MIDDLE, max_speed = -1 })
    refused("max_speed is nan, expected metres per second >= 0", { at = MIDDLE, max_speed = 0 / 0 })
    refused("points is a list of 2, expected at least 3", { points = { corners[1], corners[2] } })
    local many = {}
    for i = 1, 17 do many[i] = { math.cos(i), 0, math.sin(i) } end
    refused("points is a list of 17, expected at most 16", { points = many })
    refused("points[2] is 5, expected a point", { points = { corners[1], 5, corners[3] } })
    refused("points[3] is {2000, 0, 0}, expected a point within 1000 metres of (0, 0, 0), to which 'at' is added",
      { points = { corners[1], corners[2], { 2000, 0, 0 } } })
    refused("points", { points = { { 0, 0, 0 }, { 4, 0, 0 }, { 1, 0, 1 }, { 0, 0, 4 } } }) -- is not convex
  end)

  it("is refused with the shape that has the key", function()
    refused("radius is 2, expected nil for a box: it belongs to a cylinder", { shape = "box", at = MIDDLE, radius = 2 })
    refused("height is 2, expected nil for a box: it belongs to a cylinder or a polygon", { at = MIDDLE, height = 2 })
    refused("size is {1, 1, 1}, expected nil for a cylinder: it belongs to a box",
      { at = MIDDLE, radius = 1, size = { 1, 1, 1 } })
    refused("points is a table, expected nil for a cylinder: it belongs to a polygon",
      { shape = "cylinder", at = MIDDLE, points = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 0, 1 } } })
  end)

  it("is refused with an area that it blocks, or without one", function()
    refused("blocks is true, expected false or nil with 'area'", { at = MIDDLE, blocks = true, area = "grass" })
    refused("area is nil, expected the name of an area, a cost above 0, or a cover, as 'blocks' is false",
      { at = MIDDLE, blocks = false })
    refused("area is nil, expected the name of an area, a cost above 0, or a cover, as 'blocks' is false",
      { at = MIDDLE, blocks = false, cover = "none" })
    refused("blocks is true, expected false or nil with 'cost'", { at = MIDDLE, blocks = true, cost = 1 })
    refused("cost is -1, expected metre-equivalents a metre from 0 to 10000", { at = MIDDLE, cost = -1 })
    refused("area is 'gras', expected the name of an area. Did you mean 'grass'?", { at = MIDDLE, area = "gras" })
  end)

  it("is refused with what it cannot be tied to", function()
    local agent = assert(world:spawn { profile = "human", at = MIDDLE })
    local stranger = assert(other:spawn { profile = "human", at = MIDDLE })
    refused("carrier is 5, expected an agent", { carrier = 5 })
    refused("carrier is in another world, expected an agent of this one", { carrier = stranger })
    refused("attached_to is a leeward.agent, expected an obstacle", { at = MIDDLE, attached_to = agent })
    refused("attached_to is in another world, expected an obstacle of this one",
      { at = MIDDLE, attached_to = other:add_obstacle { at = MIDDLE } })
    local truck = world:add_obstacle { at = MIDDLE }
    truck:remove()
    refused("attached_to is gone: it was removed", { at = MIDDLE, attached_to = truck })
    agent:despawn()
    refused("carrier is gone: it died or was despawned", { carrier = agent })

    truck = world:add_obstacle { at = MIDDLE }
    local trailer = world:add_obstacle { at = MIDDLE, attached_to = truck }
    local carrier = assert(world:spawn { profile = "human", at = MIDDLE })
    assert.error_matches(function() world:add_obstacle { at = MIDDLE, attached_to = trailer } end, "attached")
    assert.error_matches(function() world:add_obstacle { carrier = carrier, attached_to = truck } end,
      "add_obstacle: carrier and attached_to are given, expected one of them", 1, true)
  end)

  it("is not moved to where nothing can be", function()
    local crate = world:add_obstacle { at = MIDDLE }
    local function cannot(message, ...)
      local arguments = table.pack(...)
      assert.error_matches(function() crate:move(table.unpack(arguments, 1, arguments.n)) end, message, 1, true)
    end
    cannot("move: at is nil, expected a point")
    cannot("move: at is {2000000, 0, 0}, expected coordinates within +-1000000 metres", { 2000000, 0, 0 })
    cannot("move: yaw is nan, expected radians from -10000 to 10000", MIDDLE, 0 / 0)
    cannot("move: velocity is 5, expected a point", MIDDLE, 0, 5)
    is_near(MIDDLE, crate:position())
  end)
end)
