-- What obstacles hide, and the cover that they offer, as games use it: parked trucks, bushes, heaps, smoke.
local leeward = require "leeward"
local behaviors = require "behaviors"
local TakeCover = require "behaviors.nodes.take_cover"
local oracle = require "support.exposure_oracle"

-- 40 x 40 m of open ground; a sniper in the west.
local geometry = leeward.geometry()
geometry:add_box { at = { 0, -1, 0 }, size = { 40, 1, 40 } }
local navmesh = leeward.bake(geometry, { agent_radius = 0.4, cell_size = 0.2 })

local SNIPER = { at = { -18, 1.6, 0 } }
local TRUCK = { at = { 0, 0, 0 }, size = { 3, 2.5, 6 } }
local BEHIND = { 2.5, 0, 0 }

local world
before_each(function() world = leeward.world { navmesh = navmesh } end)

local function add(definition)
  local made = {}
  for key, value in pairs(TRUCK) do made[key] = value end
  for key, value in pairs(definition or {}) do made[key] = value end
  local obstacle = world:add_obstacle(made)
  world:step()
  return obstacle
end

--- The part of a standing body at a point that the sniper sees.
local function seen_at(point, more)
  local query = { from = point, to = point, threats = { SNIPER } }
  for key, value in pairs(more or {}) do query[key] = value end
  return (select(2, world:exposure(query)))
end

describe("a parked truck", function()
  it("hides a soldier behind it, who is seen when it drives away", function()
    local soldier = world:spawn { profile = "soldier", at = BEHIND }
    assert.is_true(soldier:is_seen { SNIPER })
    local truck = add()
    assert.is_false(soldier:is_seen { SNIPER })
    for step = 1, 120 do -- at 10 m/s it is not cut out, but hides all the same
      truck:move({ 0, 0, step / 6 }, 0, { 0, 0, 10 })
      world:step()
      if step ~= 18 then assert.equal(step > 18, soldier:is_seen { SNIPER }, step) end -- its end is at z = 0 there
    end
    assert.is_false(truck:is_cut())
  end)

  it("hides from every accuracy alike", function()
    add()
    for _, accuracy in ipairs { "auto", "exact", "fast" } do
      local metres, _, hidden = world:exposure {
        from = { 2.5, 0, -10 }, to = { 2.5, 0, 10 }, threats = { SNIPER }, heights = { 1 }, accuracy = accuracy,
      }
      -- its near corners, 16.5 m away and 3 m aside, or its far ones, 19.5 m away
      local half = 3 * 20.5 / 16.5
      assert.is_near(20 - 2 * half, metres, 0.01)
      assert.is_near((10 - half) / 20, hidden[1][1], 1e-3)
      assert.is_near((10 + half) / 20, hidden[1][2], 1e-3)
    end
  end)

  it("hides what a plain clip by its faces says", function()
    math.randomseed(20261123)
    add { yaw = 0.7 }
    local c, s, faces, corners = math.cos(0.7), math.sin(0.7), {}, {}
    for number, corner in ipairs { { -1.5, -3 }, { 1.5, -3 }, { 1.5, 3 }, { -1.5, 3 } } do
      corners[number] = { corner[1] * c + corner[2] * s, corner[2] * c - corner[1] * s }
    end
    for number, a in ipairs(corners) do
      local b = corners[number % 4 + 1]
      faces[number] = { { a[1], 0, a[2] }, { b[1], 0, b[2] }, { b[1], 2.5, b[2] }, { a[1], 2.5, a[2] } }
    end
    faces[5], faces[6] = {}, {}
    for number, a in ipairs(corners) do
      faces[5][number], faces[6][number] = { a[1], 0, a[2] }, { a[1], 2.5, a[2] }
    end
    for _, face in ipairs(faces) do face.cover = "hard" end
    local function place(height) return { math.random() * 30 - 15, height, math.random() * 30 - 15 } end
    for try = 1, 200 do
      local threat = { at = place(0.5 + 3 * math.random()) }
      local inside = math.abs(threat.at[1] * c - threat.at[3] * s) < 1.6
        and math.abs(threat.at[1] * s + threat.at[3] * c) < 3.1 and threat.at[2] < 2.6
      local query = { from = place(0), to = place(0), threats = { threat }, heights = { 0.9, 1.6 }, accuracy = "exact" }
      if not inside then
        assert.is_near(oracle.exposed(faces, query), (select(2, world:exposure(query))), 0.02, try)
      end
    end
  end)

  it("offers cover on its four sides", function()
    local truck = add()
    local sides = world:cover_segments { around = { 0, 0, 0 }, radius = 10 }
    assert.equal(4, #sides)
    for _, side in ipairs(sides) do
      assert.equal(truck, side.obstacle)
      assert.same({ "hard", true, true }, { side.kind, side.low, side.high })
      assert.is_near(2.5, side.top, 0.1)
    end
    local cover = assert(world:find_cover { around = BEHIND, radius = 8, threats = { SNIPER }, profile = "soldier" })[1]
    assert.equal(truck, cover.segment.obstacle)
    assert.is_true(cover.point.x > 1.5)
    truck:remove()
    world:step()
    assert.same({}, world:cover_segments { around = { 0, 0, 0 }, radius = 10 })
    assert.is_nil(world:find_cover { around = BEHIND, radius = 8, threats = { SNIPER }, profile = "soldier" })
  end)

  it("offers cover along its sides also where one may walk through it", function()
    for _, more in ipairs { { blocks = false }, { area = "undergrowth" } } do
      more.cover = "soft"
      local smoke = add(more)
      assert.is_true(world:contains { 0, 0, 0 })
      local segments = world:cover_segments { around = { 0, 0, 0 }, radius = 10 }
      assert.equal(4, #segments)
      for _, segment in ipairs(segments) do assert.same({ "soft", smoke }, { segment.kind, segment.obstacle }) end
      smoke:move({ 0.1, 0, 0 }, 0, { 1, 0, 0 })
      world:step()
      assert.same({}, world:cover_segments { around = { 0, 0, 0 }, radius = 10 })
      smoke:remove()
      world:step()
    end
  end)

  it("offers none while it moves", function()
    local truck = add()
    truck:move({ 0.1, 0, 0 }, 0, { 1, 0, 0 })
    world:step()
    assert.is_true(truck:is_cut())
    assert.same({}, world:cover_segments { around = { 0, 0, 0 }, radius = 10 })
    world:run(1)
    assert.equal(4, #world:cover_segments { around = { 0, 0, 0 }, radius = 10 })
  end)

  it("does not blind its driver, nor hide it", function()
    local driver = world:spawn { profile = "soldier", at = { 0, 0, 0 } }
    add { carrier = driver }
    assert.is_true(world:sees(driver:eye(), SNIPER.at))
    assert.is_true(driver:is_seen { SNIPER })
    assert.is_false(world:sees(SNIPER.at, { 2.5, 1, 0 }))
    assert.is_nil(driver:find_cover { radius = 10, threats = { SNIPER } })
    local guard = world:spawn { profile = "soldier", at = { -10, 0, 0 } }
    assert.is_true(driver:is_seen { guard })
    assert.is_true(world:sees(guard, driver))
    assert.is_true(world:sees(SNIPER.at, driver, { shots = true }))
    assert.is_false(world:sees(guard, driver:eye())) -- a point inside
  end)
end)

describe("`cover`", function()
  it("is hard unless it says otherwise, and soft cover stops no shots", function()
    assert.equal("hard", add():get().cover)
    local bush = add { at = { 0, 0, 10 }, cover = "soft" }
    assert.equal("soft", bush:get().cover)
    local beyond = { 2.5, 0, 10 }
    local sniper = { at = { -18, 1.6, 10 } }
    assert.equal(0, seen_at(beyond, { threats = { sniper } }))
    assert.equal(1, seen_at(beyond, { threats = { sniper }, shots = true }))
    assert.equal("soft", world:cover_segments { around = { 2, 0, 10 }, radius = 1 }[1].kind)
  end)

  it("is none for a fence of wire, and for what one walks through", function()
    for _, more in ipairs { { cover = "none" }, { cover = false }, { area = "grass" } } do
      local obstacle = add(more)
      assert.equal("none", obstacle:get().cover)
      assert.equal(1, seen_at(BEHIND))
      assert.same({}, world:cover_segments { around = { 0, 0, 0 }, radius = 10 })
      obstacle:remove()
    end
  end)

  it("refuses what it is not", function()
    local ok, message = pcall(world.add_obstacle, world, { at = { 0, 0, 0 }, cover = "softt" })
    assert.is_false(ok)
    assert.matches("cover is 'softt', expected 'hard', 'soft' or 'none'. Did you mean 'soft'?", message, 1, true)
    assert.is_false((pcall(world.add_obstacle, world, { at = { 0, 0, 0 }, cover = true })))
  end)
end)

describe("smoke", function()
  it("may be walked through at no price", function()
    assert.is_true(seen_at(BEHIND) > 0)
    local smoke = add { blocks = false, cover = "soft" }
    assert.equal(0, seen_at(BEHIND))
    assert.is_true(world:contains(TRUCK.at))
    local through = world:find_path { from = { 0, 0, -15 }, to = { 0, 0, 15 }, profile = "soldier" }
    assert.is_near(30, through:cost(), 1e-3)
    assert.equal(navmesh:stats().polygons, world:navmesh():stats().polygons)
    local file = os.tmpname()
    assert(world:save(file))
    smoke:remove()
    world:step()
    assert.is_true(seen_at(BEHIND) > 0)
    assert(world:load(file))
    os.remove(file)
    assert.equal(0, seen_at(BEHIND))
  end)

  it("hides who stands in it, and blinds nobody inside", function()
    world:add_obstacle { at = { 2, 0, 0 }, radius = 3, height = 3, area = "grass", cover = "soft" }
    world:step()
    assert.equal(0, seen_at(BEHIND))
    assert.equal(1, seen_at(BEHIND, { shots = true }))
    assert.is_true(world:sees({ 2.5, 1.6, 0 }, SNIPER.at))
    assert.is_truthy(world:find_path { from = { -10, 0, 0 }, to = { 10, 0, 0 } })
  end)
end)

describe("a path under threats", function()
  it("leads through the shadow of a parked truck", function()
    local profile = leeward.profile("careful truck guest", { extends = "soldier", cover_bias = 8 })
    local function exposed()
      local query = { from = { 3, 0, -12 }, to = { 3, 0, 12 }, profile = profile, threats = { SNIPER } }
      return world:find_path(query):exposed()
    end
    local before = exposed()
    local truck = add { size = { 3, 2.5, 12 } }
    local behind = exposed()
    assert.is_true(behind < before - 12)
    truck:remove()
    world:step()
    assert.is_near(before, exposed(), 1e-4)
  end)
end)

describe("TakeCover", function()
  local function spawn()
    world:add_threat { at = SNIPER.at, known_to = "red" }
    return assert(world:spawn {
      profile = "soldier", at = { 5, 0, 6 }, team = "red",
      tree = behaviors.sequence { TakeCover { radius = 15 }, behaviors.wait(1000) },
    })
  end

  it("runs behind a truck", function()
    local truck = add()
    local agent = spawn()
    world:run(8)
    assert.is_false(agent:is_seen())
    assert.equal(truck, agent.blackboard.cover.segment.obstacle)
    assert.equal(agent.blackboard.cover.point, agent:cover())
  end)

  it("fails when the truck drives away, and the place is free again", function()
    local truck = add()
    local agent = spawn()
    world:run(0.2)
    local point = agent:cover()
    assert.is_table(agent.blackboard.cover)
    truck:move({ 0, 0, -14 })
    world:step()
    assert.is_nil(agent:cover())
    assert.is_true(agent:lost_cover())
    assert.matches("the cover is gone: what offered it moved or was removed, or something stands there",
      agent:why(), 1, true)
    local other = world:spawn { profile = "soldier", at = { 8, 0, 8 } }
    assert.is_true(other:reserve_cover(point))
    assert.is_false(other:lost_cover())
  end)

  it("wakes the tree of an agent that has long been there", function()
    local truck = add()
    local woken = 0
    local agent = world:spawn {
      profile = "soldier", at = BEHIND,
      tree = behaviors.leaf {
        name = "Count", tick = function() woken = woken + 1 return "running", math.huge end,
      } {},
    }
    world:step()
    assert.is_true(agent:reserve_cover(agent:position()))
    local before = woken
    world:run(1)
    assert.equal(before, woken)
    truck:remove()
    world:step()
    world:step()
    assert.equal(before + 1, woken)
  end)
end)

describe("a heap of a permutation", function()
  local HEAP = { box = { min = { -1.5, 0, -3 }, max = { 1.5, 2.5, 3 } } }

  it("hides from the step on in which it is there, and no longer", function()
    world:permutation("heap", { default = "cleared", cleared = {}, rubble = { cut = { HEAP } } })
    world:step()
    assert.equal(1, seen_at(BEHIND))
    world:set_permutation("heap", "rubble")
    assert.equal(1, seen_at(BEHIND))
    world:step()
    assert.equal(0, seen_at(BEHIND))
    local side = world:cover_segments { around = BEHIND, radius = 2 }[1]
    assert.is_nil(side.obstacle)
    world:set_permutation("heap", "cleared")
    world:step()
    assert.equal(1, seen_at(BEHIND))
    assert.same({}, world:cover_segments { around = BEHIND, radius = 2 })
  end)

  it("hides nothing where it is a hole, or has no top", function()
    local polygon = { { -1.5, 0, -3 }, { 1.5, 0, -3 }, { 1.5, 0, 3 }, { -1.5, 0, 3 } }
    world:permutation("heap", {
      default = "hole",
      hole = { cut = { { box = HEAP.box, cover = "none" } } },
      outline = { cut = { { polygon = polygon } } },
      column = { cut = { { polygon = polygon, bottom = 0, top = 3 } } },
      bush = { mark = { { box = HEAP.box, area = "grass", cover = "soft" } } },
      grass = { mark = { { box = HEAP.box, area = "grass" } } },
      crate = { obstacles = { { at = { 0, 0, 0 }, size = { 3, 2.5, 6 }, cover = "soft" } } },
    })
    for state, seen in pairs { hole = 1, outline = 1, column = 0, bush = 0, grass = 1, crate = 0 } do
      world:set_permutation("heap", state)
      world:step()
      assert.equal(seen, seen_at(BEHIND), state)
    end
  end)

  it("says what its cover may be", function()
    local function refused(expected, volume)
      local ok, message = pcall(world.permutation, world, "heap", { only = { cut = { volume } } })
      assert.is_false(ok)
      assert.matches(expected, message, 1, true)
    end
    refused("only.cut[1].cover is 'hrad', expected 'hard', 'soft' or 'none'. Did you mean 'hard'?",
      { box = HEAP.box, cover = "hrad" })
    refused("Did you mean 'cover'?", { box = HEAP.box, covr = "hard" })
  end)
end)

describe("what is put at a wall of the level", function()
  local walled
  before_each(function()
    local level = leeward.geometry()
    level:add_box { at = { 0, -1, 0 }, size = { 40, 1, 40 } }
    level:add_box { at = { 0, 0, 0 }, size = { 1, 2, 8 } }
    walled = leeward.world { navmesh = leeward.bake(level, { agent_radius = 0.4, cell_size = 0.2 }) }
  end)

  --- Of the segments of the level.
  local function count()
    local segments = 0
    for _, segment in ipairs(walled:cover_segments { around = { 0, 0, 0 }, radius = 10 }) do
      if not segment.obstacle then segments = segments + 1 end
    end
    return segments
  end

  it("takes the cover away whose ground it covers, and gives it back", function()
    assert.equal(4, count())
    local crate = walled:add_obstacle { at = { 2, 0, 0 }, size = { 3, 1, 14 } }
    walled:step()
    assert.equal(3, count())
    crate:move { 12, 0, 0 }
    walled:step()
    assert.equal(4, count())
    walled:add_obstacle { at = { 2, 0, 0 }, size = { 3, 1, 4 } } -- ground is left at both ends
    walled:step()
    assert.equal(4, count())
  end)

  it("takes the place away from whom it is put on", function()
    local soldier = walled:spawn { profile = "soldier", at = { 3, 0, 0 } }
    local query = { around = { 2, 0, 0 }, radius = 6, threats = { SNIPER }, agent = soldier }
    local place = assert(walled:find_cover(query))[1]
    assert(place:reserve(soldier))
    walled:add_obstacle { at = place.point + leeward.vec3(0, 0, 4), size = { 1, 1, 1 } }
    walled:step()
    assert.is_false(soldier:lost_cover())
    walled:add_obstacle { at = place.point, size = { 1, 1, 1 } }
    walled:step()
    assert.is_true(soldier:lost_cover())
    assert.is_nil(soldier:cover())
  end)
end)

describe("an obstacle on a deck", function()
  it("leaves no places of the deck's wall on the floor below", function()
    local level = leeward.geometry()
    level:add_box { min = { -20, -1, -10 }, max = { 20, 0, 10 } }
    level:add_box { min = { -8, 3, -6 }, max = { 8, 3.4, 6 } }
    level:add_ramp { from = { 14, 0, 0 }, to = { 8, 3.4, 0 }, width = 3 }
    level:add_box { at = { 0, 3.4, 0 }, size = { 8, 1.2, 0.5 }, area = false }
    world = leeward.world { navmesh = leeward.bake(level, { agent_radius = 0.4, cell_size = 0.2 }) }
    add { at = { 0, 3.4, 1.5 }, size = { 4, 0.5, 2.6 }, cover = "none" } -- beside the middle of that wall
    local places = assert(world:find_cover {
      around = { 0, 3.4, 2 }, from = { 0, 3.4, 5 }, radius = 6, threats = { { at = { 0, 5, -5.5 } } }, limit = 50,
    })
    for _, place in ipairs(places) do assert.is_near(place.segment.a.y, place.point.y, 0.5) end
    assert.is_true(#places > 0)
  end)
end)

describe("a saved world", function()
  it("hides as before", function()
    add { yaw = 0.4 }
    local bush = add { at = { 6, 0, 8 }, cover = "soft" }
    bush:move { 7, 0, 8 } -- not yet seen
    local file = os.tmpname()
    assert(world:save(file))
    local loaded = leeward.world { navmesh = navmesh }
    assert(loaded:load(file))
    os.remove(file)
    local function answers(of)
      local list = {}
      for z = -10, 10 do
        list[#list + 1] = of:exposure { from = { 3, 0, z }, to = { 12, 0, z + 1 }, threats = { SNIPER } }
      end
      for _, side in ipairs(of:cover_segments { around = { 3, 0, 3 }, radius = 20 }) do
        list[#list + 1] = tostring(side.a) .. tostring(side.b) .. side.kind
      end
      return list
    end
    assert.same(answers(world), answers(loaded))
    assert.equal(world:hash(), loaded:hash())
  end)
end)
