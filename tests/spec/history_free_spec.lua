-- What a world does next depends on what it has, and not on how it came to it: nor do agents wait for ever.
local leeward = require "leeward"

local SETTINGS = { cell_size = 0.4, agent_radius = 0.4, tile_size = 16, bounds = { { -34, -2, -34 }, { 34, 8, 34 } } }

local function yard(has_wall, links)
  local geometry = leeward.geometry()
  geometry:add_box { min = { -32, -1, -32 }, max = { 32, 0, 32 } }
  if has_wall then geometry:add_box { min = { 0, 0, -32 }, max = { 1, 3, -4 }, area = false } end
  for _, name in ipairs(links or { "gate", "lift" }) do
    local x = name == "gate" and -20 or 20
    geometry:add_link { kind = "door", name = name, from = { x, 0, -20 }, to = { x, 0, 20 }, bidirectional = true }
  end
  return geometry
end

local function flat(agent_radius)
  return leeward.navmesh {
    vertices = { { 0, 0, 0 }, { 60, 0, 0 }, { 60, 0, 40 }, { 0, 0, 40 } }, polygons = { { 1, 2, 3, 4 } },
    agent_radius = agent_radius,
  }
end

local VAN = {
  extends = "human", radius = 1, length = 4, width = 2, wheelbase = 2.4, turn_radius = 4, acceleration = 2,
  deceleration = 2, speed = { calm = 2, normal = 8, fast = 8 },
}

describe("tiles of a permutation", function()
  local before, tiles

  setup(function()
    local function with_roof(has_wall)
      local geometry = yard(has_wall)
      geometry:add_box { min = { 8, 0, -16 }, max = { 20, 2.6, 8 } }
      geometry:add_ramp { from = { 2, 0, 0 }, to = { 8, 2.6, 0 }, width = 4 }
      return geometry
    end
    local settings, whole = { auto_links = { drop = 3 } }, with_roof(true)
    for key, value in pairs(SETTINGS) do settings[key] = value end
    before, tiles = leeward.bake_permutations(whole, { whole = whole, breached = with_roof(false) }, settings)
  end)

  local function start()
    local world = leeward.world { navmesh = before, seed = 3 }
    world:permutation("wall", {
      default = "whole", whole = { tiles = tiles.whole }, breached = { tiles = tiles.breached },
    })
    world:apply_changes()
    return world
  end

  it("are those of the state as it was baked, also where the world had another navmesh meanwhile", function()
    local fresh, old = start(), start()
    local other = assert(leeward.replace_tiles(before, nil, { { 0, 0 } }))
    old:set_navmesh(other)
    old:apply_changes()
    old:set_navmesh(before)
    old:apply_changes()
    for _, world in ipairs { fresh, old } do
      world:set_permutation("wall", "breached")
      world:apply_changes()
    end
    local links, same = fresh:all_links(), old:all_links()
    assert.is_true(#links > 10)
    for number, link in ipairs(links) do assert.equal((link:ends()), (same[number]:ends())) end
  end)
end)

describe("a saved world", function()
  it("sets the same links where they were baked in another order", function()
    local file = os.tmpname()
    local one = leeward.world { navmesh = leeward.bake(yard(true, { "gate", "lift" }), SETTINGS) }
    one:link("lift"):disable()
    one:step()
    assert(one:save(file))
    local two = leeward.world { navmesh = leeward.bake(yard(true, { "lift", "gate" }), SETTINGS) }
    assert(two:load(file))
    os.remove(file)
    assert.is_false(two:link("lift"):is_enabled())
    assert.is_true(two:link("gate"):is_enabled())
  end)
end)

describe("the search for an agent", function()
  it("is found in slices again after changes of the ground had ended earlier ones", function()
    local comb = yard(false)
    for x = -28, 28, 4 do
      local shift = x % 8 == 0 and 2 or -2
      comb:add_box { min = { x, 0, -30 + shift }, max = { x + 0.5, 3, 30 + shift }, area = false }
    end
    local world = leeward.world { navmesh = leeward.bake(comb, SETTINGS), seed = 3, search_work = 21 }
    local agent = assert(world:spawn { profile = "soldier", at = { -30, 0, -30 } })
    local function change()
      local crate = world:add_obstacle { at = { -30, 0, 30 } }
      world:step()
      crate:remove()
    end
    assert(agent:move_to { 30, 0, -30 })
    for _ = 1, 12 do change() end
    world:run(10)
    assert.is_false(agent:waits_for_path())
    assert(agent:move_to { 30, 0, 30 })
    assert.is_true(agent:waits_for_path())
    local slices = 0
    while agent:waits_for_path() do
      world:step()
      slices = slices + 1
    end
    assert.is_true(slices > 1)
  end)

  it("takes the same work whatever the ground was cut into before", function()
    local lane = yard(false)
    lane:add_box { min = { 0, 0, -32 }, max = { 1, 3, 10 }, area = false }
    lane:add_box { min = { 5, 0, -32 }, max = { 6, 3, 20 }, area = false }
    local navmesh, used = leeward.bake(lane, SETTINGS), {}
    for _, changes in ipairs { 0, 200 } do
      local world = leeward.world { navmesh = navmesh, seed = 3, search_work = 1000000 }
      for number = 1, changes do
        local at = { -25 + number % 7, 0, -20 + number // 20 }
        local crate = world:add_obstacle { at = at, size = { 6.5, 1, 0.5 }, yaw = number }
        world:apply_changes()
        crate:remove()
        world:apply_changes()
      end
      local van = assert(world:spawn { profile = VAN, at = { -10, 0, 0 } })
      van:move_to({ 3, 0, -28 }, { heading = -1.57 })
      used[#used + 1] = world:stats().planner.used
    end
    assert.is_true(used[1] > 1000)
    assert.equal(used[1], used[2])
  end)

  it("begins once its vehicle stands, though nobody else waits", function()
    local world = leeward.world { navmesh = flat(0.4), seed = 7, search_work = 5 }
    local van = assert(world:spawn { profile = VAN, at = { 5, 0, 20 } })
    assert(van:move_to { 55, 0, 20 })
    repeat world:step() until van:velocity().x > 4
    assert(van:move_to({ 5, 0, 5 }, { heading = 0.5 }))
    world:step()
    assert.is_true(van:waits_for_path())
    -- Where it would come to a stand there is no ground any more: it brakes, and passes its turn meanwhile.
    local crate = world:add_obstacle { at = van:position() + { 9.5, 0, 0 }, size = { 12, 2, 12 } }
    world:run(1)
    crate:remove()
    world:run(30)
    assert.equal("arrived", van:move_state(), van:why())
  end)
end)
