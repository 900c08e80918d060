-- Saved worlds over navmeshes that have other off-mesh links than then: links are known by their ends, kind and name.
local leeward = require "leeward"

local SETTINGS = { cell_size = 0.2, agent_radius = 0.4, agent_height = 1.8, agent_climb = 0.3, tile_size = 8 }
local FILE = os.tmpname()

--- Two grounds with 2 m between them, and a long way round.
local LINKS = {
  gate = { kind = "door", from = { 9, 0, 2 }, to = { 13, 0, 2 } },
  lift = { kind = "door", from = { 9, 0, 6 }, to = { 13, 0, 6 }, capacity = 1 },
  jump = { kind = "jump", from = { 9, 0, 10 }, to = { 13, 0, 10 }, bidirectional = true },
  back = { kind = "door", from = { 13, 0, 14 }, to = { 9, 0, 14 } },
}

local function ground(names, mirrored)
  local geometry = leeward.geometry()
  geometry:add_box { min = { 0, -1, 0 }, max = { 10, 0, 40 } }
  geometry:add_box { min = { 12, -1, 0 }, max = { 22, 0, 40 } }
  geometry:add_box { min = { 0, -1, 36 }, max = { 22, 0, 40 } }
  for _, name in ipairs(names) do
    local link = LINKS[name]
    geometry:add_link { name = name, kind = link.kind, from = mirrored and link.to or link.from,
      to = mirrored and link.from or link.to, capacity = link.capacity, bidirectional = link.bidirectional }
  end
  return assert(leeward.bake(geometry, SETTINGS))
end

local ALL = ground { "gate", "lift", "jump", "back" }
teardown(function() os.remove(FILE) end)

local function world_over(navmesh) return leeward.world { navmesh = navmesh, seed = 3 } end

--- Save a world, and load it over another navmesh.
local function moved(world, navmesh)
  assert(world:save(FILE))
  local other = world_over(navmesh)
  local agents = assert(other:load(FILE))
  return other, agents
end

--- Let no two links be set alike.
local function set_all(world)
  for number, name in ipairs { "gate", "lift", "jump", "back" } do
    local link = world:link(name)
    if number % 2 == 0 then link:disable() end
    link:set_cost(number)
    link:set_capacity(10 + number)
  end
  world:apply_changes()
end

local function is_set_alike(a, b)
  assert.equal(a:is_enabled(), b:is_enabled())
  assert.equal(a:is_used(), b:is_used())
  assert.same({ a:get().cost, a:get().capacity }, { b:get().cost, b:get().capacity })
end

describe("what was set of links", function()
  it("is that of the same link where they were baked in another order", function()
    local world = world_over(ALL)
    set_all(world)
    local other = moved(world, ground { "back", "lift", "gate", "jump" })
    for name in pairs(LINKS) do is_set_alike(world:link(name), other:link(name)) end
    other:step()
    for name in pairs(LINKS) do is_set_alike(world:link(name), other:link(name)) end
  end)

  it("is kept where some are gone and others are new, which are as nobody has changed them", function()
    local world = world_over(ground { "gate", "lift", "jump" })
    for number, name in ipairs { "gate", "lift", "jump" } do
      world:link(name):set_cost(number)
      world:link(name):disable()
    end
    world:apply_changes()
    local other = moved(world, ground { "back", "jump", "lift" })
    assert.is_nil(other:link "gate")
    for _, name in ipairs { "lift", "jump" } do is_set_alike(world:link(name), other:link(name)) end
    assert.is_true(other:link("back"):is_enabled() and other:link("back"):is_used())
    assert.is_false(other:link("lift"):is_used())
  end)

  it("is not that of a link of the same name that leads elsewhere", function()
    local world = world_over(ground { "gate" })
    world:link("gate"):disable()
    local other = moved(world, ground({ "gate" }, true))
    assert.is_true(other:link("gate"):is_enabled())
  end)

  it("goes to equal ones in turn", function()
    local function twice(names)
      local geometry = leeward.geometry()
      geometry:add_box { min = { 0, -1, 0 }, max = { 10, 0, 10 } }
      for _ = 1, 2 do geometry:add_link { name = "lift", kind = "door", from = { 1, 0, 1 }, to = { 9, 0, 9 } } end
      for _, z in ipairs(names) do geometry:add_link { kind = "door", from = { 1, 0, z }, to = { 9, 0, z } } end
      return assert(leeward.bake(geometry, SETTINGS))
    end
    local world = world_over(twice {})
    world:all_links("lift")[2]:disable()
    local other = moved(world, twice { 4, 6 })
    local lifts = other:all_links "lift"
    assert.same({ true, false }, { lifts[1]:is_enabled(), lifts[2]:is_enabled() })
  end)

  it("of those that were added stays, whatever was baked", function()
    local world = world_over(ALL)
    local added = world:add_link { name = "rope", kind = "door", from = { 9, 0, 20 }, to = { 13, 0, 20 } }
    added:set_cost(7)
    world:apply_changes()
    local other = moved(world, ground { "jump" })
    assert.equal(7, other:link("rope"):get().cost)
    assert.is_true(other:link("rope"):is_used() and other:link("rope"):is_added())
    assert.equal(2, #other:all_links())
  end)

  it("stays between navmeshes that are listed in another order", function()
    local function parts()
      local geometry = leeward.geometry()
      geometry:add_box { min = { 0, -1, 0 }, max = { 10, 0, 20 } }
      local other = leeward.geometry()
      other:add_box { min = { 12, -1, 0 }, max = { 22, 0, 20 } }
      return (assert(leeward.bake(geometry, SETTINGS))), (assert(leeward.bake(other, SETTINGS)))
    end
    local first, second = parts()
    local function joined(names)
      local links = {}
      for number, name in ipairs(names) do
        links[number] = { name = name, kind = "door", from = LINKS[name].from, to = LINKS[name].to }
      end
      return leeward.world { navmeshes = { first, second }, links = links }
    end
    local world = joined { "gate", "lift", "back" }
    world:link("lift"):disable()
    assert(world:save(FILE))
    local other = joined { "back", "lift" }
    assert(other:load(FILE))
    assert.is_false(other:link("lift"):is_enabled())
    assert.is_true(other:link("back"):is_enabled())
    other:step()
  end)

  it("is told by a permutation as before", function()
    local world = world_over(ALL)
    local states = { default = "open", open = {}, shut = { links = { gate = false } } }
    world:permutation("doors", states)
    world:set_permutation("doors", "shut")
    world:apply_changes()
    assert(world:save(FILE))
    local other = world_over(ground { "back", "gate" })
    other:permutation("doors", states)
    assert(other:load(FILE))
    assert.is_false(other:link("gate"):is_used())
    other:set_permutation("doors", "open")
    other:step()
    assert.is_true(other:link("gate"):is_used())
  end)
end)

describe("an agent of a saved world", function()
  local function walking(names)
    local world = world_over(ground(names))
    local agent = world:spawn { profile = "soldier", at = { 5, 0, 2 } }
    assert(agent:move_to { 18, 0, 2 })
    return world, agent
  end

  it("goes on over a link that has another number now", function()
    local world, agent = walking { "gate", "jump" }
    world:run(0.5)
    local other, agents = moved(world, ground { "jump", "back", "gate" })
    for _ = 1, 240 do
      world:step()
      other:step()
      assert.same({ agent:position():unpack() }, { agents[1]:position():unpack() })
    end
    assert.equal("arrived", agents[1]:move_state())
  end)

  it("is on it with its number", function()
    local world, agent = walking { "gate", "jump" }
    while not agent:is_on_link() do world:step() end
    local other = moved(world, ground { "jump", "gate" })
    assert.equal(1, (other:link("gate"):users()))
    assert.equal(0, (other:link("jump"):users()))
  end)

  it("takes another way where its link is gone", function()
    local world = walking { "gate", "jump" }
    world:run(0.5)
    local other, agents = moved(world, ground { "jump" })
    assert.equal("walking", agents[1]:move_state())
    local kinds = {}
    other:on_link(function(_, event, _, kind) if event == "begin" then kinds[#kinds + 1] = kind end end)
    other:run(12)
    assert.equal("arrived", agents[1]:move_state())
    assert.same({ "jump" }, kinds)
  end)

  it("ends a link that is gone, as where it was removed", function()
    local world, agent = walking { "gate", "jump" }
    while not agent:is_on_link() do world:step() end
    world:run(0.2)
    local other, agents = moved(world, ground { "jump" })
    assert.is_not_nil(agents[1]:is_on_link())
    other:run(6)
    assert.equal("arrived", agents[1]:move_state())
    assert.near(18, agents[1]:position().x, 0.3)
  end)

  it("no longer waits for a link that is gone", function()
    local world = world_over(ground { "lift", "jump" })
    local agents = {}
    for number = 1, 3 do
      agents[number] = world:spawn { profile = "soldier", at = { 8, 0, 4 + number } }
      assert(agents[number]:move_to { 14, 0, 6 })
    end
    local function waits()
      for _, agent in ipairs(agents) do if agent:waits_for_link() then return true end end
      return false
    end
    for _ = 1, 600 do if not waits() then world:step() end end
    assert.is_true(waits())
    local other, loaded = moved(world, ground { "jump", "back" })
    for _, agent in ipairs(loaded) do assert.is_nil(agent:waits_for_link()) end
    other:run(15)
    for _, agent in ipairs(loaded) do assert.equal("arrived", agent:move_state()) end
  end)
end)
