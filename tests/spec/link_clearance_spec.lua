-- Jumps, drops and ladders taken by agents larger than those that the navmesh was baked for: only where they fit.
local leeward = require "leeward"

local SETTINGS = { cell_size = 0.2, agent_radius = 0.4, agent_height = 1.8, agent_climb = 0.3, tile_size = 8 }
local FILE = os.tmpname()
local TOP = 2

local TALL = { extends = "soldier", height = 2.6, can_crouch = false }
local WIDE = { extends = "soldier", radius = 0.9 }

--- Two platforms with 3 m between them, and what else `add` puts there. The floor lies 2 m below.
local function level(add)
  local geometry = leeward.geometry()
  geometry:add_box { min = { 0, 0, 0 }, max = { 10, TOP, 16 } }
  geometry:add_box { min = { 13, 0, 0 }, max = { 23, TOP, 16 } }
  geometry:add_box { min = { 9, -1, -8 }, max = { 14, 0, 24 } }
  if add then add(geometry) end
  geometry:add_link { kind = "jump", name = "jump", from = { 8.8, TOP, 8 }, to = { 14.2, TOP, 8 },
    bidirectional = true }
  geometry:add_link { kind = "drop", name = "drop", from = { 8.8, TOP, 4 }, to = { 11.3, 0, 4 } }
  geometry:add_link { kind = "ladder", name = "ladder", from = { 11.5, 0, 12 }, to = { 14.5, TOP, 12 } }
  return assert(leeward.bake(geometry, SETTINGS))
end

--- The jump rises by a metre.
local function beam(geometry) geometry:add_box { min = { 11, TOP + 3.3, 6 }, max = { 12, TOP + 4, 10 } } end

local open = level()
local world
local function across(profile) return { from = { 5, TOP, 8 }, to = { 18, TOP, 8 }, profile = profile } end

before_each(function() world = leeward.world { navmesh = open, seed = 5 } end)
teardown(function() os.remove(FILE) end)

--- A box over x, y and z from and to there.
local function put(x0, x1, y0, y1, z0, z1)
  local at = { (x0 + x1) / 2, y0, (z0 + z1) / 2 }
  local obstacle = world:add_obstacle { at = at, size = { x1 - x0, y1 - y0, z1 - z0 } }
  world:apply_changes()
  return obstacle
end

--- Whether it fits along a link. Of the jump, searches and what is connected must agree.
local function fits(profile, name)
  local does = world:link(name):fits { profile = profile }
  if name == "jump" then
    world:link("drop"):disable()
    world:apply_changes()
    local query = across(profile)
    assert.equal(does, world:find_path(query) ~= nil)
    assert.equal(does, world:path_exists(query.from, query.to, { profile = profile }))
    local field = world:distance_field { to = query.to, profile = profile }
    assert.equal(does, field:cost(query.from) ~= nil)
    world:link("drop"):enable()
    world:apply_changes()
  end
  return does
end

describe("a link", function()
  it("is for all where nothing is in the way", function()
    for _, name in ipairs { "jump", "drop", "ladder" } do
      assert.is_true(fits(TALL, name), name)
      assert.is_true(fits(WIDE, name), name)
      assert.is_true(fits("soldier", name), name)
    end
  end)

  it("is not for the tall under a beam that the bake's agents pass under", function()
    put(11, 12, TOP + 3.3, TOP + 4, 6, 10) -- the jump rises by a metre
    assert.is_true(fits("soldier", "jump"))
    assert.is_true(fits(WIDE, "jump"))
    assert.is_false(fits(TALL, "jump"))
  end)

  it("is for those who can crouch under that", function()
    put(11, 12, TOP + 3.3, TOP + 4, 6, 10)
    assert.is_true(fits({ extends = "soldier", height = 2.6 }, "jump"))
  end)

  it("is not for the wide beside a post that the bake's agents pass by", function()
    put(11, 12, TOP, TOP + 3, 8.6, 9)
    assert.is_true(fits("soldier", "jump"))
    assert.is_true(fits(TALL, "jump"))
    assert.is_false(fits(WIDE, "jump"))
  end)

  it("is so again where that was moved away, a little too", function()
    local function is_open() return (world:path_exists({ 5, TOP, 8 }, { 18, TOP, 8 }, { profile = WIDE })) end
    world:link("drop"):disable()
    local post = put(11, 12, TOP, TOP + 3, 8.6, 9)
    assert.is_false(is_open())
    post:move({ 11.5, TOP, 10.4 }, 0)
    world:run(1)
    assert.is_true(is_open())
    post:move({ 11.5, TOP, 9 }, 0) -- 0.8 m
    world:run(1)
    assert.is_false(is_open())
    post:remove()
    world:apply_changes()
    assert.is_true(is_open())
  end)

  it("is connected or not where an obstacle changes no ground", function()
    local geometry = leeward.geometry()
    geometry:add_box { min = { 0, 0, 0 }, max = { 10, TOP, 16 } }
    geometry:add_box { min = { 13, 0, 0 }, max = { 23, TOP, 16 } }
    geometry:add_link { kind = "jump", name = "jump", from = { 8.8, TOP, 8 }, to = { 14.2, TOP, 8 } }
    world = leeward.world { navmesh = assert(leeward.bake(geometry, SETTINGS)) }
    local function is_open() return (world:path_exists({ 5, TOP, 8 }, { 18, TOP, 8 }, { profile = WIDE })) end
    assert.is_true(is_open())
    local post = put(11, 12, TOP, TOP + 3, 8.6, 9)
    assert.is_false(is_open())
    post:remove()
    world:apply_changes()
    assert.is_true(is_open())
  end)

  it("does not lead down where it is too narrow, nor up a ladder under a low roof", function()
    put(12, 12.2, 0, TOP, 3, 5)
    assert.is_true(fits("soldier", "drop"))
    assert.is_false(fits(WIDE, "drop"))
    put(11, 12, TOP + 0.6, TOP + 1, 11, 13)
    assert.is_true(fits("soldier", "ladder"))
    assert.is_false(fits(TALL, "ladder"))
  end)

  it("is checked against the level, too, also one that is added while it runs", function()
    world = leeward.world { navmesh = level(beam) }
    assert.is_true(fits("soldier", "jump"))
    assert.is_false(fits(TALL, "jump"))
    local added = world:add_link { kind = "jump", from = { 8.8, TOP, 9 }, to = { 14.2, TOP, 9 } }
    local beside = world:add_link { kind = "jump", from = { 8.8, TOP, 14 }, to = { 14.2, TOP, 14 } }
    world:apply_changes()
    assert.is_false(added:fits { profile = TALL })
    assert.is_true(added:fits "soldier" and beside:fits { profile = TALL })
    world:link("drop"):disable()
    world:apply_changes()
    local path = assert(world:find_path(across(TALL)))
    assert.equal(beside, path:links()[1].link)
  end)

  it("is checked again on another navmesh", function()
    assert.is_true(fits(TALL, "jump"))
    world:set_navmesh(level(beam))
    world:step()
    assert.is_false(fits(TALL, "jump"))
    world:set_navmesh(open)
    world:step()
    assert.is_true(fits(TALL, "jump"))
  end)

  it("is for all where it leads through no air", function()
    put(11, 12, TOP, TOP + 3, 6, 10)
    local door = world:add_link { kind = "door", from = { 8.8, TOP, 8 }, to = { 14.2, TOP, 8 } }
    world:apply_changes()
    assert.is_true(door:fits { profile = WIDE })
    door:remove()
    assert.is_false(door:fits { profile = WIDE })
  end)

  it("between navmeshes is checked for those larger than both", function()
    local function half(x0, x1)
      local geometry = leeward.geometry()
      geometry:add_box { min = { x0, TOP - 1, 0 }, max = { x1, TOP, 16 } }
      return (assert(leeward.bake(geometry, SETTINGS)))
    end
    world = leeward.world { navmeshes = { half(0, 10), half(13, 23) },
      links = { { kind = "jump", name = "jump", from = { 8.8, TOP, 8 }, to = { 14.2, TOP, 8 } } } }
    assert(world:find_path(across(TALL)))
    put(11, 12, TOP + 3.3, TOP + 4, 6, 10)
    assert.is_true(world:link("jump"):fits "soldier")
    assert.is_false(world:link("jump"):fits { profile = TALL })
    assert(world:find_path(across("soldier")))
    assert.is_nil(world:find_path(across(TALL)))
  end)

  it("asks for a profile", function()
    assert.error_matches(function() world:link("jump"):fits() end, "fits: ")
  end)
end)

describe("a large agent", function()
  it("searches again when its link becomes too low, says why it cannot go, and goes once it can", function()
    leeward.profile("tall", TALL)
    world:link("drop"):disable()
    local agent = world:spawn { profile = "tall", at = { 2, TOP, 8 } }
    assert(agent:move_to { 18, TOP, 8 })
    world:run(0.5)
    assert.equal("walking", agent:move_state())
    local bar = put(11, 12, TOP + 3.3, TOP + 4, 6, 10)
    world:step()
    assert.same({ "failed", "NO_PATH" }, { agent:move_state(), (select(3, agent:move_state())) })
    assert.matches("it is too large for 1 link", agent:why(), 1, true)
    bar:remove()
    world:step()
    assert(agent:move_to { 18, TOP, 8 })
    world:run(12)
    assert.equal("arrived", agent:move_state())
  end)

  it("takes a link that it fits along again, where it was on a long way round", function()
    local function bridge(geometry)
      geometry:add_box { min = { 0, TOP - 1, 16 }, max = { 4, TOP, 40 } }
      geometry:add_box { min = { 19, TOP - 1, 16 }, max = { 23, TOP, 40 } }
      geometry:add_box { min = { 0, TOP - 1, 36 }, max = { 23, TOP, 40 } }
    end
    world = leeward.world { navmesh = level(bridge), seed = 5 }
    world:link("drop"):disable()
    local bar = put(11, 12, TOP + 3.3, TOP + 4, 6, 10)
    local agent = world:spawn { profile = TALL, at = { 6, TOP, 8 } }
    assert(agent:move_to { 17, TOP, 8 })
    world:run(1)
    assert.equal("walking", agent:move_state())
    bar:remove()
    world:run(7)
    assert.equal("arrived", agent:move_state())
  end)

  it("is refused the same in a saved game", function()
    put(11, 12, TOP + 3.3, TOP + 4, 6, 10)
    assert.is_false(fits(TALL, "jump"))
    assert(world:save(FILE))
    local loaded = leeward.world { navmesh = open, seed = 5 }
    assert.is_true(loaded:link("jump"):fits { profile = TALL })
    assert(loaded:load(FILE))
    assert.equal(world:hash(), loaded:hash())
    world = loaded
    assert.is_false(fits(TALL, "jump"))
    assert.is_true(fits("soldier", "jump"))
  end)

  it("does not change a run by being asked for", function()
    local other = leeward.world { navmesh = open, seed = 5 }
    for _, each in ipairs { world, other } do
      each:add_obstacle { at = { 11.5, TOP + 3.3, 8 }, size = { 1, 0.7, 4 } }
      each:spawn { profile = "soldier", at = { 2, TOP, 8 } }:move_to { 18, TOP, 8 }
    end
    for i = 1, 240 do
      world:step()
      other:step()
      if i % 7 == 0 then world:path_exists({ 5, TOP, 8 }, { 18, TOP, 8 }, { profile = TALL }) end
      assert.equal(world:hash(), other:hash())
    end
  end)
end)
