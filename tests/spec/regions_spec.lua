-- leeward.regions: rooms and districts of a level, and what a world says of them.
local leeward = require "leeward"

-- Two rooms above a corridor of 2.7 m, two below it; doors of 1.2 m at x = -6 and x = 6.
local level = leeward.geometry()
level:add_box { at = { 0, -1, 0 }, size = { 26, 1, 20 } }
local function wall(x0, z0, x1, z1) level:add_box { min = { x0, 0, z0 }, max = { x1, 3, z1 }, area = false } end
wall(-13, -10, 13, -9.6)
wall(-13, 9.6, 13, 10)
wall(-13, -9.6, -12.6, 9.6)
wall(12.6, -9.6, 13, 9.6)
wall(-0.15, -9.6, 0.15, -1.65)
wall(-0.15, 1.65, 0.15, 9.6)
for _, z in ipairs { -1.65, 1.35 } do
  wall(-12.6, z, -6.6, z + 0.3)
  wall(-5.4, z, 5.4, z + 0.3)
  wall(6.6, z, 12.6, z + 0.3)
end
local navmesh = assert(leeward.bake(level, { agent_radius = 0.3, cell_size = 0.1, tile_size = 8 }))

local NAMES = { kitchen = { -6, 0, -6 }, library = { 6, 0, -6 }, cellar = { -6, 0, 6 }, study = { 6, 0, 6 },
  corridor = { 0, 0, 0 } }

local function door_to(room, name)
  for _, door in ipairs(room.doors) do
    if door.name == name then return door end
  end
end

describe("leeward.regions", function()
  local regions
  before_each(function()
    regions = leeward.regions(navmesh, { names = NAMES, districts = { west = { "kitchen", "cellar" } } })
  end)

  it("finds the rooms and the corridor of a house", function()
    assert.equal(5, #regions)
    local corridor = regions:room "corridor"
    assert.equal(4, #corridor.doors)
    assert.near(26, corridor.max.x - corridor.min.x, 2)
    for name in pairs(NAMES) do
      local room = regions:room(name)
      assert.equal(name, room.name)
      assert.equal(room.number, (regions:at(room.middle)))
      if name ~= "corridor" then
        assert.near(87, room.area, 3)
        assert.equal(1, #room.doors)
        assert.equal("corridor", room.doors[1].name)
        assert.near(0.6, room.doors[1].width, 0.15) -- less the agents' radius on both sides
        assert.equal(2, #room.doors[1].portals[1])
      end
    end
  end)

  it("has every room in a district, by name or by number", function()
    assert.equal("west", regions:room("kitchen").district)
    assert.equal("west", regions:room("cellar").district)
    assert.equal("number", math.type(regions:room("study").district) and "number")
    local rooms = 0
    for number, district in ipairs(regions:districts()) do
      assert.equal(number, district.number)
      rooms = rooms + #district.rooms
    end
    assert.equal(5, rooms)
    regions:district("all", { "kitchen", "library", "cellar", "study", { 0, 0, 0 } })
    assert.equal(1, #regions:districts())
    assert.equal("all", regions:districts()[1].name)
  end)

  it("merges rooms, and makes one of a volume", function()
    local merged = regions:merge({ "study", "library" }, "east wing")
    assert.equal(4, #regions)
    assert.equal(merged, (regions:at { 6, 0, 6 }))
    assert.equal("east wing", select(2, regions:at { 6, 0, -6 }))
    local number = regions:name("landing", { box = { at = { 0, -0.5, 0 }, size = { 8, 2, 3 } } })
    assert.equal("landing", regions:room(number).name)
    assert.equal(number, (regions:at { 0, 0, 0 }))
    assert.is_nil(regions:at { 100, 0, 0 })
  end)

  it("does the same again", function()
    local again = leeward.regions(navmesh, { names = NAMES, districts = { west = { "kitchen", "cellar" } } })
    assert.same(regions:rooms(), again:rooms())
    assert.is_true(regions:bytes() > 0)
  end)

  it("follows its settings", function()
    assert.equal(1, #leeward.regions(navmesh, { door_width = 0.5 }))
    assert.is_true(#leeward.regions(navmesh, { max_area = 30 }) > 8)
    assert.equal(5, #leeward.regions(navmesh, { district_area = 20 }):districts())
  end)

  it("takes one name for each room", function()
    assert.error_matches(function() leeward.regions(navmesh, { names = { a = { -6, 0, -6 }, b = { -6, 0, -7 } } }) end,
      "regions: names has 'a' and another name for one room, expected one name for each", 1, true)
  end)

  it("says what is wrong", function()
    assert.error_matches(function() regions:room "kitchn" end,
      "room: room is 'kitchn', expected the name of a room. Did you mean 'kitchen'?", 1, true)
    assert.error_matches(function() regions:room(9) end,
      "room: room is 9, expected a room: its name, its number, 1 to 5, or a point in it", 1, true)
    assert.error_matches(function() regions:name("kitchen", { 0, 0, 0 }) end, "name is 'kitchen', which another room")
    assert.error_matches(function() regions:name("x", { size = 3 }) end, "unknown key 'size'", 1, true)
    assert.error_matches(function() regions:merge {} end, "merge: rooms is empty, expected a list of rooms", 1, true)
    assert.error_matches(function() leeward.regions(navmesh, { max_area = 2 }) end,
      "regions: max_area is 2, expected square metres above min_area, which is 6", 1, true)
    assert.error_matches(function() leeward.regions(navmesh, { names = { a = { 90, 0, 0 } } }) end,
      "where no ground is near", 1, true)
  end)
end)

describe("world:regions", function()
  local world, regions
  before_each(function()
    world = leeward.world { navmesh = navmesh }
    regions = leeward.regions(navmesh, { names = NAMES })
    world:set_regions(regions)
  end)

  it("gives the room graph, in which a door that is blocked is not open", function()
    local rooms, same = world:regions()
    assert.equal(regions, same)
    assert.is_true(door_to(rooms[regions:room("kitchen").number], "corridor").is_open)
    local crate = world:add_obstacle { shape = "box", at = { -6, 0, -1.5 }, size = { 3, 2, 1 } }
    world:step(1 / 60)
    rooms = world:regions { profile = "soldier" }
    assert.is_false(door_to(rooms[regions:room("kitchen").number], "corridor").is_open)
    assert.is_true(door_to(rooms[regions:room("study").number], "corridor").is_open)
    crate:remove()
    world:step(1 / 60)
    assert.is_true(door_to(world:regions()[regions:room("kitchen").number], "corridor").is_open)
  end)

  it("has ladders and jumps as doors", function()
    local link = world:add_link { kind = "ladder", from = { -1, 0, -6 }, to = { 1, 0, -6 } }
    world:step(1 / 60)
    local ladder = door_to(world:regions()[regions:room("kitchen").number], "library")
    assert.equal("ladder", ladder.kind)
    assert.equal(link, ladder.link)
    assert.is_nil(door_to(world:regions()[regions:room("library").number], "kitchen"))
    link:disable()
    world:step(1 / 60)
    assert.is_nil(door_to(world:regions()[regions:room("kitchen").number], "library"))
  end)

  it("says which room a point is in", function()
    local number, name, of = world:region_at { 6, 0, 6 }
    assert.equal(regions:room("study").number, number)
    assert.equal("study", name)
    assert.equal(1, of)
    assert.equal("NO_START", select(3, world:region_at { 90, 0, 0 }))
  end)

  it("divides by itself where nothing was set", function()
    local other = leeward.world { navmesh = navmesh }
    assert.equal(5, #other:regions())
    assert.is_false(select(2, other:region_at { 6, 0, 6 }))
  end)

  it("lists the rooms of a path, and where it enters them", function()
    local path = assert(world:find_path { from = { -10, 0, -8 }, to = { 10, 0, 8 } })
    local names = {}
    for i, visit in ipairs(path:regions()) do
      names[i] = visit.name
      assert.is_true(visit.at:distance(world:nearest_point(visit.at)) < 0.1)
    end
    assert.same({ "kitchen", "corridor", "study" }, names)
    assert.near(-1.5, path:regions()[2].at.z, 0.6)
    world:destroy()
    assert.equal("STALE", select(3, path:regions()))
  end)
end)

describe("MoveByRooms", function()
  local behaviors = require "behaviors"
  local MoveByRooms = require "behaviors.nodes.move_by_rooms"
  local GOAL = leeward.vec3(10, 0, 8)
  local tree = leeward.tree("far", behaviors.sequence { MoveByRooms { to = GOAL, ahead = 1 }, behaviors.wait(1e6) })

  local function begin(make)
    local world = leeward.world { navmesh = navmesh, seed = 3 }
    world:set_regions(leeward.regions(navmesh, { names = NAMES }))
    return world, make and world:spawn { profile = "human", at = { -10, 0, -8 }, tree = tree }
  end
  --- Until the agent is there, or for 60 s.
  local function walk(world, agent)
    while world:time() < 60 and agent:position():distance(GOAL) > 0.5 do world:step(1 / 60) end
    return agent:position():distance(GOAL) <= 0.5
  end

  it("searches its path a room ahead, and again on the way", function()
    local world, agent = begin(true)
    world:step(1 / 60)
    local goal = agent:goal()
    assert.is_true(goal:distance(GOAL) > 1)
    assert.near(-1.8, goal.z, 0.5) -- the door to the corridor
    assert.is_true(walk(world, agent))
    assert.is_true(agent:stats().searches >= 2)
    local whole = world:find_path { from = { -10, 0, -8 }, to = GOAL, profile = "human" }
    assert.is_true(agent:stats().walked < 1.05 * whole:length() + 0.5)
  end)

  it("goes another way when the door ahead is shut", function()
    local world, agent = begin(true)
    world:add_link { kind = "jump", from = { -1, 0, -6 }, to = { 1, 0, -6 } }
    world:run(1)
    world:add_obstacle { shape = "box", at = { -6, 0, -1.5 }, size = { 3, 2, 1 } }
    assert.is_true(walk(world, agent))
  end)

  it("goes on in a saved game", function()
    local file = os.tmpname()
    local world, agent = begin(true)
    world:run(2)
    assert.is_true(world:save(file))
    local again = begin(false)
    assert.is_table(again:load(file, { agent = function(options)
      options.profile, options.tree = "human", tree
      return options
    end }))
    os.remove(file)
    for _ = 1, 600 do
      world:step(1 / 60)
      again:step(1 / 60)
    end
    assert.equal(world:hash(), again:hash())
    assert.is_true(walk(world, agent))
  end)
end)

describe("world:plan_regions", function()
  local world
  local ACROSS = { from = { -10, 0, -8 }, to = { 10, 0, 8 } }
  local function names(steps)
    local list = {}
    for i, step in ipairs(steps) do list[i] = step.name end
    return list
  end
  before_each(function()
    world = leeward.world { navmesh = navmesh }
    world:set_regions(leeward.regions(navmesh, { names = NAMES }))
  end)

  it("says which rooms to go through, where, and what that costs about", function()
    local steps, cost = world:plan_regions(ACROSS)
    assert.same({ "kitchen", "corridor", "study" }, names(steps))
    assert.near(world:find_path(ACROSS):length(), cost, 2)
    assert.near(-6, steps[2].at.x, 0.7)
    assert.near(6, steps[3].at.x, 0.7)
    assert.is_true(steps[2].cost < steps[3].cost and steps[3].cost < cost)
  end)

  it("goes by a link, and round a door that is shut or a room to avoid", function()
    world:add_link { kind = "jump", name = "hatch", from = { -1, 0, -6 }, to = { 1, 0, -6 } }
    local crate = world:add_obstacle { shape = "box", at = { -6, 0, -1.5 }, size = { 3, 2, 1 } }
    world:step(1 / 60)
    local steps = world:plan_regions(ACROSS)
    assert.same({ "kitchen", "library", "corridor", "study" }, names(steps))
    assert.equal("hatch", steps[2].link:name())
    world:link("hatch"):disable()
    world:step(1 / 60)
    local none, message, code = world:plan_regions(ACROSS)
    assert.is_nil(none)
    assert.equal("NO_PATH", code)
    assert.is_string(message)
    crate:remove()
    world:step(1 / 60)
    assert.same({ "kitchen", "corridor", "study" }, names(world:plan_regions(ACROSS)))
    local avoiding = { from = ACROSS.from, to = ACROSS.to, avoid = { "corridor" } }
    assert.equal("NO_PATH", select(3, world:plan_regions(avoiding)))
  end)

  it("tells parts of rooms apart that obstacles cut off", function()
    local vertices, polygons = {}, {}
    for x = 0, 6 do for z = 0, 4 do vertices[#vertices + 1] = { 2 * x, 0, 2 * z } end end
    for x = 0, 5 do
      for z = 0, 3 do
        local first = 5 * x + z + 1
        polygons[#polygons + 1] = { first, first + 1, first + 6, first + 5 }
      end
    end
    local hall = leeward.navmesh { vertices = vertices, polygons = polygons }
    local function half(low) return { box = { min = { 0, -1, low }, max = { 12, 1, low + 4 } } } end
    local halls = leeward.world { navmesh = hall }
    halls:set_regions(leeward.regions(hall, { names = { near = half(0), far = half(4) } }))
    local function rooms_to(from, to)
      local steps, _, code = halls:plan_regions { from = from, to = to, profile = "human" }
      local path = halls:find_path { from = from, to = to, profile = "human" }
      if not steps then return assert.is_nil(path) or code end
      local list, walked = {}, {}
      for _, step in ipairs(steps) do list[#list + 1] = step.name end
      for _, visit in ipairs(path:regions()) do walked[#walked + 1] = visit.name end
      assert.same(walked, list)
      return table.concat(list, " ")
    end
    local left, right, across = { 1, 0, 1 }, { 11, 0, 1 }, { 11, 0, 7 }
    assert.equal("near", rooms_to(left, right))
    halls:add_obstacle { shape = "box", at = { 6, 0, 1.5 }, size = { 1, 2, 5 } } -- it reaches into the far half
    halls:apply_changes()
    assert.equal("near far near", rooms_to(left, right))
    assert.equal("near far", rooms_to(left, across))
    halls:add_obstacle { shape = "box", at = { 6, 0, 6 }, size = { 1, 2, 5 } }
    halls:apply_changes()
    assert.equal("NO_PATH", rooms_to(left, right))
    assert.equal("NO_PATH", rooms_to(left, across))
  end)

  it("stays in a room, and says where there is none", function()
    local steps, cost = world:plan_regions { from = { -10, 0, -8 }, to = { -3, 0, -8 }, profile = "human" }
    assert.same({ "kitchen" }, names(steps))
    assert.near(7, cost, 0.5)
    assert.equal("NO_GOAL", select(3, world:plan_regions { from = { -10, 0, -8 }, to = { 90, 0, 0 } }))
    assert.error_matches(function() world:plan_regions { from = { 0, 0, 0 }, to = { 0, 0, 0 }, avoid = { "hal" } } end,
      "avoid[1] is 'hal', expected the name of a room", 1, true)
  end)
end)
