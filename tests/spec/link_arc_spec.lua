-- Jumps, drops and ladders that obstacles bar, as they stand where one would fly or climb.
local leeward = require "leeward"

local SETTINGS = { cell_size = 0.2, agent_radius = 0.4, agent_height = 1.8, agent_climb = 0.3, tile_size = 8 }
local FILE = os.tmpname()
local TOP = 2

--- Two platforms with 3 m between them, from x 10 to x 13, over a floor 2 m below, and a second way round from z 20 on.
local function level(is_round)
  local geometry = leeward.geometry()
  geometry:add_box { min = { 0, TOP - 1, 0 }, max = { 10, TOP, 8 } }
  geometry:add_box { min = { 13, TOP - 1, 0 }, max = { 23, TOP, 8 } }
  geometry:add_box { min = { 9, -1, -8 }, max = { 14, 0, 12 } }
  if is_round then
    geometry:add_box { min = { 0, TOP - 1, 8 }, max = { 4, TOP, 40 } }
    geometry:add_box { min = { 19, TOP - 1, 8 }, max = { 23, TOP, 40 } }
    geometry:add_box { min = { 0, TOP - 1, 36 }, max = { 23, TOP, 40 } }
  end
  geometry:add_link { kind = "jump", name = "jump", from = { 9.4, TOP, 2 }, to = { 13.6, TOP, 2 },
    bidirectional = true }
  geometry:add_link { kind = "drop", name = "drop", from = { 9.4, TOP, 5 }, to = { 10.8, 0, 5 } }
  geometry:add_link { kind = "ladder", name = "ladder", from = { 12.4, 0, 7 }, to = { 13.5, TOP, 7 } }
  return assert(leeward.bake(geometry, SETTINGS))
end

local apart, round = level(false), level(true)
local world
local ACROSS = { from = { 5, TOP, 2 }, to = { 18, TOP, 2 }, profile = "soldier" }

before_each(function() world = leeward.world { navmesh = apart, seed = 5 } end)
teardown(function() os.remove(FILE) end)

--- A box over x, y and z from and to there.
local function put(x0, x1, y0, y1, z0, z1, more)
  local box = { at = { (x0 + x1) / 2, y0, (z0 + z1) / 2 }, size = { x1 - x0, y1 - y0, z1 - z0 } }
  for key, value in pairs(more or {}) do box[key] = value end
  local obstacle = world:add_obstacle(box)
  world:apply_changes()
  return obstacle
end

local function used(name)
  local link = assert(world:link(name))
  assert.equal(link:is_used(), link:is_enabled() and not link:is_blocked())
  return link:is_used()
end

describe("an obstacle in the arc of a link", function()
  it("bars a jump, for searches and for what is connected", function()
    world:link("drop"):disable()
    world:apply_changes()
    local path = assert(world:find_path(ACROSS))
    local obstacle = put(11, 12, TOP + 0.5, TOP + 1.5, 1, 3) -- hangs over the gap
    assert.is_false(used "jump")
    assert.same({ nil, "start and goal are not connected for 'soldier'", "NO_PATH" }, { world:find_path(ACROSS) })
    assert.is_false(world:path_exists(ACROSS.from, ACROSS.to, "soldier"))
    assert.is_false(world:path_exists(ACROSS.to, ACROSS.from, "soldier"))
    assert.is_true(used "ladder")
    obstacle:remove()
    world:apply_changes()
    assert.is_true(used "jump")
    assert.same(path:points(), assert(world:find_path(ACROSS)):points())
    assert.equal(path:cost(), world:find_path(ACROSS):cost())
  end)

  it("leaves the world as it was, bit for bit", function()
    local other = leeward.world { navmesh = apart, seed = 5 }
    put(9, 14, -1, 6, 0.5, 8):remove() -- in all three
    world:run(1)
    other:apply_changes() -- as put() did
    other:run(1)
    for _, each in ipairs { world, other } do
      each:add_danger { at = { 18, TOP, 2 }, radius = 2, value = 1 }
      each:run(1)
    end
    assert.equal(other:link("jump"):is_used(), world:link("jump"):is_used())
    assert.equal(other:find_path(ACROSS):cost(), world:find_path(ACROSS):cost())
  end)

  for what, box in pairs {
    ["below the arc"] = { 11, 12, 0, TOP + 0.2, 1, 3 },
    ["above the head at its highest"] = { 11, 12, TOP + 3, TOP + 4, 1, 3 },
    ["beside it, further than the radius"] = { 11, 12, 0, TOP + 3, 2.45, 4 },
  } do
    it("does not bar what is free: " .. what, function()
      put(table.unpack(box))
      assert.is_true(used "jump")
    end)
  end

  for what, box in pairs {
    ["that stands on the ground below"] = { 11, 12, 0, TOP + 1.5, 1, 3 },
    ["that hangs over the head near its ends"] = { 9.8, 10.4, TOP + 1.9, TOP + 2.5, 1, 3 },
    ["that only its width meets"] = { 11, 12, TOP, TOP + 3, 2.35, 4 },
  } do
    it("bars a jump: " .. what, function()
      put(table.unpack(box))
      assert.is_false(used "jump")
    end)
  end

  it("bars a drop, over its edge and beside it on the way down", function()
    local beam = put(10.2, 10.6, TOP + 1, TOP + 1.3, 4, 6)
    assert.is_false(used "drop")
    beam:remove()
    put(11.3, 12, TOP - 0.8, TOP, 4.5, 5.5) -- below the edge, above a head that stands there
    assert.is_true(used "drop")
    put(10.9, 12, TOP - 0.8, TOP, 4.5, 5.5)
    assert.is_false(used "drop")
    assert.is_true(used "jump" and used "ladder")
  end)

  it("bars a ladder", function()
    put(12.6, 13.2, TOP + 0.5, TOP + 1, 6.5, 7.5)
    assert.is_false(used "ladder")
    assert.is_true(used "jump" and used "drop")
  end)

  it("bars no other kind", function()
    for _, kind in ipairs { "door", "waypoint", "teleport" } do
      world:add_link { kind = kind, name = kind, from = { 9.4, TOP, 3 }, to = { 13.6, TOP, 3 } }
    end
    put(11, 12, TOP + 0.5, TOP + 1.5, 1, 4)
    assert.is_false(used "jump")
    for _, kind in ipairs { "door", "waypoint", "teleport" } do assert.is_true(used(kind)) end
  end)

  it("does so while it is cut out, not as it flies by or when it does not block", function()
    local crate = put(11, 12, TOP + 0.5, TOP + 1.5, 1, 3)
    crate:move({ 11.5, TOP + 0.5, 2.2 }, 0, { 0, 0, 30 })
    world:step()
    assert.is_true(used "jump")
    world:run(1) -- at rest
    assert.is_false(used "jump")
    crate:move({ 11.5, TOP + 0.5, -5 }, 0)
    world:run(1)
    assert.is_true(used "jump")
    crate:remove()
    put(11, 12, TOP + 0.5, TOP + 1.5, 1, 3, { blocks = false, cost = 3 })
    assert.is_true(used "jump")
  end)

  it("counts all of them, and links that are added and removed", function()
    local first, second = put(11, 12, TOP, TOP + 2, 1, 3), put(11, 12, TOP, TOP + 2, 1, 4)
    local added = world:add_link { kind = "jump", name = "late", from = { 9.4, TOP, 3 }, to = { 13.6, TOP, 3 } }
    world:apply_changes()
    assert.is_false(used "jump" or used "late")
    second:remove()
    world:apply_changes()
    assert.is_false(used "jump")
    assert.is_true(used "late" == false) -- 0.4 m beside the first one is not enough
    first:remove()
    world:apply_changes()
    assert.is_true(used "jump" and used "late")
    added:remove()
    put(11, 12, TOP, TOP + 2, 1, 3)
    assert.is_false(used "jump")
  end)

  it("is known in a saved game, and on another navmesh", function()
    put(11, 12, TOP + 0.5, TOP + 1.5, 1, 3)
    assert(world:save(FILE))
    local loaded = leeward.world { navmesh = apart, seed = 5 }
    assert(loaded:load(FILE))
    assert.equal(world:hash(), loaded:hash())
    assert.is_false(loaded:link("jump"):is_used())
    world:run(0.5)
    loaded:run(0.5)
    assert.equal(world:hash(), loaded:hash())
    assert.is_false(loaded:link("jump"):is_used())
    world:set_navmesh(round)
    world:step()
    assert.is_false(used "jump")
    assert.is_true(used "drop")
    for _, obstacle in ipairs(loaded:obstacles()) do obstacle:remove() end
    loaded:apply_changes()
    assert.is_true(loaded:link("jump"):is_used())
  end)

  it("lets agents go round, and jump again when it is gone", function()
    world = leeward.world { navmesh = round, seed = 5 }
    world:link("drop"):disable()
    local agent = world:spawn { profile = "soldier", at = { 1, TOP, 2 } }
    assert(agent:move_to(ACROSS.to))
    world:run(0.5)
    local obstacle = put(11, 12, TOP + 0.5, TOP + 1.5, 1, 3)
    world:run(3)
    assert.equal("walking", agent:move_state())
    assert.is_true(agent:position().z > 8) -- on its way round
    obstacle:remove()
    world:run(12)
    assert.equal("arrived", agent:move_state())
  end)

  it("tells an agent that has no other way", function()
    world:link("drop"):disable()
    local agent = world:spawn { profile = "soldier", at = { 1, TOP, 2 } }
    assert(agent:move_to(ACROSS.to))
    world:run(0.5)
    put(11, 12, TOP + 0.5, TOP + 1.5, 1, 3)
    world:step()
    assert.same({ "failed", "NO_PATH" }, { agent:move_state(), (select(3, agent:move_state())) })
    assert.matches("not connected", agent:why(), 1, true)
  end)
end)

describe("an agent on a drop", function()
  it("leads straight out over the edge, then straight down, as an obstacle in its arc is tested", function()
    for _, body in ipairs { { radius = 0.4 }, { radius = 0.4, avoidance = "full" } } do
      world = leeward.world { navmesh = apart, seed = 5 }
      local profile = { extends = "soldier" }
      for key, value in pairs(body) do profile[key] = value end
      local agent = assert(world:spawn { profile = profile, at = { 5, TOP, 5 } })
      assert(agent:move_to { 10.8, 0, 5 })
      local over, below = 0, 0
      for _ = 1, 600 do
        world:step()
        local at = agent:position()
        if at.x < 10 then assert.is_true(at.y > TOP - 0.11) end -- on the platform, or over its edge
        over = over + (at.x > 10 and at.y > TOP - 1e-3 and 1 or 0)
        below = below + (at.y < TOP - 0.2 and at.y > 0.2 and 1 or 0)
      end
      assert.is_true(over > 0 and below > 0)
      assert.near(0, agent:position().y, 0.11)
    end
  end)
end)
