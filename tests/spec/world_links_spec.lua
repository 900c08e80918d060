-- Links between the navmeshes of one world, in Lua.
local leeward = require "leeward"
local message = require "support.message"
local vec3 = leeward.vec3

--- A level floor from corner to corner, its top at y.
local function floor(level, x0, z0, x1, z1, y)
  level:add_box { at = { (x0 + x1) / 2, y - 0.2, (z0 + z1) / 2 }, size = { x1 - x0, 0.2, z1 - z0 } }
end

--- Step until it stands; the numbers of the navmeshes that it was on, in order.
local function travel(world, agent, seconds)
  local seen = {}
  for _ = 1, seconds * 60 do
    world:step()
    local _, number = agent:navmesh()
    if seen[#seen] ~= number then seen[#seen + 1] = number end
    if agent:move_state() ~= "walking" then break end
  end
  return seen
end

describe("a ship whose deck and hold are baked apart", function()
  local LADDER = { kind = "ladder", from = { 5, 0, 5 }, to = { 5, 3, 5 }, bidirectional = true }
  local HOLD, DECK = vec3(18, 0, 2), vec3(18, 3, 8)
  local deck, hold, ship

  setup(function()
    ship = leeward.geometry()
    floor(ship, 0, 0, 20, 10, 0)
    floor(ship, 0, 0, 20, 10, 3)
    hold = leeward.bake(ship, { cell_size = 0.2, bounds = { { 0, -1, 0 }, { 20, 2.5, 10 } } })
    deck = leeward.bake(ship, { cell_size = 0.2, bounds = { { 0, 2.6, 0 }, { 20, 6, 10 } } })
  end)

  local function sail(links)
    return leeward.world { navmeshes = { hold, deck }, links = links, seed = 3 }
  end

  it("has a ladder that joins them", function()
    local links = sail { LADDER }:links()
    assert.equal(1, #links)
    assert.equal("joined", links[1].state)
    assert.is_nil(links[1].reason)
    assert.equal(1, links[1].from_navmesh)
    assert.equal(2, links[1].to_navmesh)
    assert.near(3, links[1].length, 0.3)
    assert.near(3, links[1].to.y, 0.2)
  end)

  it("leads a path over the ladder, up and down", function()
    local world = sail { LADDER }
    local path = assert(world:find_path { from = HOLD, to = DECK, profile = "soldier" })
    local links = path:links()
    assert.equal(1, #links)
    assert.equal("ladder", links[1].kind)
    assert.equal(2, links[1].navmesh)
    assert.equal(1, path:navmesh())
    assert.equal(2, path:navmesh(#path))
    assert.is_nil(path:navmesh(#path + 1))
    local straight = HOLD:distance(links[1].from) + 3 + links[1].to:distance(DECK)
    assert.near(straight, path:length(), 0.5)
    assert.near(path:length(), path:cost(), 1e-3)
    local ids, navmeshes = path:corridor()
    assert.equal(#ids, #navmeshes)
    assert.equal(1, navmeshes[1])
    assert.equal(2, navmeshes[#navmeshes])
    local back = assert(world:find_path { from = DECK, to = HOLD, profile = "soldier" })
    assert.near(path:length(), back:length(), 1e-2)
    assert.equal(1, back:links()[1].navmesh)
  end)

  it("is two islands for profiles that cannot climb", function()
    local world = sail { LADDER }
    local lame = { extends = "soldier", can_take = { ladder = false } }
    assert.equal("NO_PATH", select(3, world:find_path { from = HOLD, to = DECK, profile = lame }))
    assert.is_false(world:path_exists(HOLD, DECK, { profile = lame }))
    assert.is_true(world:path_exists(HOLD, DECK, "soldier"))
    local path = assert(world:find_path { from = HOLD, to = DECK, profile = lame, allow_partial = true })
    assert.is_true(path:is_partial())
    assert.same({}, path:links())
    assert.equal(1, path:navmesh(#path))
  end)

  it("stays below where the query names the hold", function()
    local world = sail { LADDER }
    local path = assert(world:find_path { from = HOLD, to = { 2, 0, 2 }, navmesh = hold })
    assert.same({}, path:links())
    local snap = { 1, 1, 1 }
    assert.equal("NO_GOAL", select(3, world:find_path { from = HOLD, to = DECK, navmesh = hold, snap = snap }))
  end)

  it("is one-way over a hatch", function()
    local world = sail { { kind = "drop", from = { 10, 3, 5 }, to = { 10, 0, 5 } } }
    assert.is_true(world:path_exists(DECK, HOLD))
    assert.is_false(world:path_exists(HOLD, DECK))
    assert.truthy(world:find_path { from = DECK, to = HOLD })
    assert.equal("NO_PATH", select(3, world:find_path { from = HOLD, to = DECK }))
  end)

  it("lets a sailor climb, and knows where it is", function()
    local function watch()
      local world = sail { LADDER }
      local sailor = world:spawn { profile = "soldier", at = HOLD }
      assert(sailor:move_to(DECK))
      assert.same({ 1, 2 }, travel(world, sailor, 40))
      assert.equal("arrived", (sailor:move_state()))
      assert.equal(deck, (sailor:navmesh()))
      assert.is_true(sailor:position():distance(DECK) < 0.6)
      assert.equal(0, sailor:stats().off_mesh)
      assert(sailor:move_to(HOLD))
      assert.same({ 2, 1 }, travel(world, sailor, 40))
      assert.equal("arrived", (sailor:move_state()))
      assert.equal(0, sailor:stats().off_mesh)
      return world:hash()
    end
    assert.equal(watch(), watch())
  end)

  it("goes round by the hold where the deck is blocked", function()
    local split = leeward.navmesh {
      vertices = { { 0, 3, 0 }, { 8, 3, 0 }, { 8, 3, 10 }, { 0, 3, 10 },
        { 12, 3, 0 }, { 20, 3, 0 }, { 20, 3, 10 }, { 12, 3, 10 } },
      polygons = { { 1, 2, 3, 4 }, { 5, 6, 7, 8 } },
    }
    local fore, aft = { 2, 3, 5 }, { 18, 3, 5 }
    local function world_of(links) return leeward.world { navmeshes = { hold, split }, links = links } end
    assert.equal("NO_PATH", select(3, world_of({}):find_path { from = fore, to = aft }))
    local world = world_of { LADDER, { kind = "ladder", from = { 15, 0, 5 }, to = { 15, 3, 5 }, bidirectional = true } }
    local path = assert(world:find_path { from = fore, to = aft })
    assert.equal(2, #path:links())
    assert.equal(2, path:navmesh())
    assert.equal(2, path:navmesh(#path))
    assert.near(16 + 2 * 3, path:length(), 0.6)
    assert.is_true(world:path_exists(fore, aft))
    for _ = 1, 50 do -- these stay where they are asked
      assert.is_true(assert(world:random_point { around = fore, radius = 30 }).x <= 8)
    end
    assert.near(80, (assert(world:reachable_area { from = fore })), 0.1)
  end)

  it("finds a ladder of the level by itself", function()
    local function part(y)
      return leeward.navmesh {
        vertices = { { 0, y, 0 }, { 20, y, 0 }, { 20, y, 10 }, { 0, y, 10 } }, polygons = { { 1, 2, 3, 4 } },
        links = { LADDER },
      }
    end
    local below, above = part(0), part(3)
    assert.equal(1, #below:refused_links())
    local world = leeward.world { navmeshes = { below, above } }
    local links = world:links()
    assert.equal(1, #links)
    assert.equal("joined", links[1].state)
    assert.equal(1, links[1].asked)
    assert.truthy(world:find_path { from = HOLD, to = DECK })
    assert.same({}, leeward.world { navmesh = below }:links())
  end)

  it("says what is wrong with a link", function()
    local links = sail { { kind = "ladder", from = { 5, 0, 5 }, to = { 9, 0, 5 } },
      { kind = "ladder", from = { 5, 0, 5 }, to = { 5, 9, 5 } } }:links()
    assert.equal("refused", links[1].state)
    assert.matches("same navmesh: give it to that navmesh's geometry", links[1].reason)
    assert.equal("refused", links[2].state)
    assert.matches("the nearest navmesh is .* m from its 'to', more than its radius 1 m", links[2].reason)
    assert.is_nil(links[2].length)
    assert.matches("world: unknown key 'links%[1%].form'. Did you mean 'from'%?",
      message(sail, { { kind = "ladder", form = { 0, 0, 0 } } }))
    assert.matches("links%[1%].to is nil", message(sail, { { kind = "ladder", from = { 0, 0, 0 } } }))
    assert.matches("links%[2%] is 7, expected a table", message(sail, { LADDER, 7 }))
  end)
end)

describe("a road for trucks and a yard for infantry", function()
  local road, yard, world
  local CREW = { extends = "human", radius = 0.4, height = 1.8 }
  local TRUCK = { extends = "human", radius = 1.5, height = 2.5, can_take = { teleport = false } }

  setup(function()
    local level = leeward.geometry()
    floor(level, 0, 0, 30, 10, 0)
    floor(level, 0, 12, 30, 30, 0)
    road = leeward.bake(level, { cell_size = 0.25, agent_radius = 1.5, agent_height = 2.5,
      bounds = { { 0, -1, 0 }, { 30, 4, 10 } } })
    yard = leeward.bake(level, { cell_size = 0.2, agent_radius = 0.4, agent_height = 1.8,
      bounds = { { 0, -1, 12 }, { 30, 4, 30 } } })
    world = leeward.world {
      navmeshes = { road, yard },
      links = { { kind = "teleport", from = { 20, 0, 8 }, to = { 20, 0, 13 }, length = 0.5 } }, -- dismount
    }
  end)

  it("dismounts where it may, and does not get back on", function()
    local path = assert(world:find_path { from = { 3, 0, 4 }, to = { 15, 0, 25 }, profile = CREW })
    assert.equal("teleport", path:links()[1].kind)
    assert.equal(1, path:navmesh())
    assert.equal(2, path:navmesh(#path))
    local link = path:links()[1]
    assert.near(vec3(3, 0, 4):distance(link.from) + 0.5 + link.to:distance { 15, 0, 25 }, path:length(), 0.6)
    assert.is_true(world:path_exists({ 3, 0, 4 }, { 15, 0, 25 }, { profile = CREW }))
    assert.is_false(world:path_exists({ 15, 0, 25 }, { 3, 0, 4 }, { profile = CREW }))
  end)

  it("keeps trucks on the road", function()
    local snap = { 1, 2, 1 }
    assert.equal("NO_PATH",
      select(3, world:find_path { from = { 3, 0, 4 }, to = { 15, 0, 25 }, profile = TRUCK, snap = snap }))
    assert.truthy(world:find_path { from = { 3, 0, 4 }, to = { 27, 0, 5 }, profile = TRUCK })
  end)

  it("puts the crew into the yard at once, and never off the navmesh", function()
    local soldier = world:spawn { profile = CREW, at = { 3, 0, 4 } }
    assert(soldier:move_to { 15, 0, 25 })
    assert.same({ 1, 2 }, travel(world, soldier, 60))
    assert.equal("arrived", (soldier:move_state()))
    assert.equal(yard, (soldier:navmesh()))
    assert.equal(0, soldier:stats().off_mesh)
    assert.equal(0, soldier:stats().stuck)
  end)
end)
