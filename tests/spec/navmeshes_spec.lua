local leeward = require "leeward"
local maps = require "support.maps"
local message = require "support.message"

--- A floor of 40 x 20 m with a wall at x = 15 and a gate of 2 m in it: for people, and for tanks up to x = 30.
local function yard()
  local level = leeward.geometry()
  level:add_box { at = { 20, -1, 10 }, size = { 40, 1, 20 } }
  level:add_box { at = { 15, 0, 4.5 }, size = { 1, 3, 9 }, area = false }
  level:add_box { at = { 15, 0, 15.5 }, size = { 1, 3, 9 }, area = false }
  local people = leeward.bake(level, { cell_size = 0.2, agent_radius = 0.4 })
  local tanks = leeward.bake(level, { cell_size = 0.2, agent_radius = 1.6, agent_height = 2.4,
    bounds = { { 0, -2, 0 }, { 30, 4, 20 } } })
  return people, tanks
end

local tank = { extends = "human", radius = 1.6, height = 2.4 }

describe("a world of several navmeshes", function()
  local people, tanks, world
  setup(function()
    people, tanks = yard()
    world = leeward.world { navmeshes = { people, tanks } }
  end)

  it("names them in order", function()
    assert.equal(2, #world:navmeshes())
    assert.equal(people, world:navmesh())
    assert.equal(people, world:navmeshes()[1])
    assert.equal(tanks, world:navmesh(2))
    assert.is_nil(world:navmesh(3))
  end)

  it("takes the one that fits the profile", function()
    local _, _, number = world:nearest_point({ 5, 0, 5 }, { profile = "human" })
    assert.equal(1, number)
    _, _, number = world:nearest_point({ 5, 0, 5 }, { profile = tank })
    assert.equal(2, number)
    _, _, number = world:nearest_point({ 35, 0, 5 }, { profile = tank }) -- the tanks' ends before
    assert.equal(1, number)
  end)

  it("takes the named one, by itself or by number, in every query", function()
    local wall = function(options) return (assert(world:distance_to_wall({ 5, 0, 10 }, options))) end
    assert.near(1.2, wall { navmesh = 1 } - wall { navmesh = tanks }, 0.1)
    assert.equal(wall { navmesh = tanks }, wall { profile = tank })
    local gate = { 15, 0, 10 }
    assert.is_true(world:contains(gate))
    assert.is_true(world:contains(gate, { navmesh = people, profile = tank }))
    assert.is_false(world:contains(gate, { navmesh = 2 }))
    assert.is_false(world:contains(gate, { profile = tank }))
    assert.is_number(world:height_at(gate, { navmesh = 1 }))
    assert.is_nil(world:height_at(gate, { navmesh = 2 }))
    assert.is_nil(world:height_at(gate, { profile = tank }))
    local a, b = { 5, 0, 10 }, { 22, 0, 10 }
    assert.is_false((world:raycast(a, b)))
    assert.is_true((world:raycast(a, b, { navmesh = 2 })))
    assert.is_true(world:move_along(a, b, { navmesh = 1 }).x > 21)
    assert.is_true(world:move_along(a, b, { navmesh = 2 }).x < 14)
    assert.is_true(world:path_exists(a, b))
    assert.is_false(world:path_exists(a, b, { navmesh = tanks }))
    assert.is_false(world:path_exists(a, b, { profile = tank }))
    assert.equal(1, world:find_path { from = a, to = b, profile = "human" }:navmesh())
    assert.equal(2, world:find_path { from = a, to = { 9, 0, 5 }, profile = "human", navmesh = tanks }:navmesh())
    assert.equal("NO_PATH", select(3, world:find_path { from = a, to = b, profile = tank }))
    for _ = 1, 50 do
      assert.is_true(world:contains(world:random_point { around = gate, radius = 6, navmesh = 2 }, { navmesh = 2 }))
      assert.is_true(world:contains(world:random_point { profile = tank }, { navmesh = 2 }))
    end
  end)

  it("keeps an agent on its own", function()
    local man = world:spawn { profile = "human", at = { 5, 0, 5 } }
    local heavy = world:spawn { profile = tank, at = { 5, 0, 5 } }
    local named = world:spawn { profile = "human", at = { 5, 0, 5 }, navmesh = tanks }
    assert.equal(people, (man:navmesh()))
    assert.equal(tanks, (heavy:navmesh()))
    assert.equal(2, select(2, named:navmesh()))
    assert.is_true(man:move_to { 22, 0, 10 })
    assert.equal("NO_PATH", select(3, heavy:move_to { 22, 0, 10 }))
    assert.is_true(heavy:move_to { 5, 0, 15 })
    world:run(15)
    assert.equal("arrived", (man:move_state()))
    assert.equal("arrived", (heavy:move_state()))
    assert.equal(0, heavy:stats().off_mesh)
    assert.is_true(world:contains(heavy:random_point { radius = 3 }, { navmesh = 2 }))
    for _, agent in ipairs { man, heavy, named } do agent:despawn() end
  end)

  it("holds its navmeshes as long as it needs them", function()
    local held = leeward.world { navmeshes = { maps.floor(4, 4), maps.floor(5, 5) } }
    collectgarbage()
    collectgarbage()
    assert.near(0, held:height_at { 4.5, 0, 4.5 }, 1e-6)
    held:destroy()
    assert.matches("the world was destroyed", message(held.navmesh, held))
  end)

  it("says what is wrong with a list or a name", function()
    local floor = maps.floor(4, 4)
    assert.matches("world: navmesh and navmeshes are given, expected one of them",
      message(leeward.world, { navmesh = floor, navmeshes = { floor } }))
    assert.matches("world: navmesh is nil, expected a navmesh", message(leeward.world, {}))
    assert.matches("world: navmeshes is a list of 0, expected at least 1",
      message(leeward.world, { navmeshes = {} }))
    assert.matches("world: navmeshes%[2%] is 3, expected a navmesh",
      message(leeward.world, { navmeshes = { floor, 3 } }))
    assert.matches("navmeshes: number 2 is number 1 again", message(leeward.world, { navmeshes = { floor, floor } }))
    assert.matches("find_path: navmesh is not in this world, expected one of its navmeshes",
      message(world.find_path, world, { from = { 0, 0, 0 }, to = { 1, 0, 0 }, navmesh = floor }))
    assert.matches("contains: navmesh is 3, expected a navmesh of this world or its number, 1 to 2",
      message(world.contains, world, { 0, 0, 0 }, { navmesh = 3 }))
  end)
end)
