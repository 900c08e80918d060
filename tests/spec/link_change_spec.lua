-- Off-mesh links that change while a world runs: handles, prices, permutations, those who wait, and what scripts hear.
local leeward = require "leeward"
local maps = require "support.maps"
local message = require "support.message"

local FROM, TO = { 5, 0, 1 }, { 15, 0, 1 }
local ACROSS = { from = FROM, to = TO }
local FILE = os.tmpname()

--- Two islands with 4 m between them.
local ISLANDS = { { 0, 0, 8, 4 }, { 12, 0, 8, 4 } }
local LINKS = {
  { kind = "jump", name = "gap", from = { 7, 0, 1 }, to = { 13, 0, 1 } },
  { kind = "ladder", name = "pole", from = { 7, 0, 3 }, to = { 13, 0, 3 }, bidirectional = true },
  { kind = "jump", name = "gap", from = { 7, 0, 2 }, to = { 13, 0, 2 } },
}

local navmesh, world, log
before_each(function()
  navmesh, log = maps.rectangles(ISLANDS, LINKS), {}
  world = leeward.world { navmesh = navmesh, log = function(level, text) log[#log + 1] = level .. ": " .. text end }
end)
teardown(function() os.remove(FILE) end)

local function cost()
  local path, _, code = world:find_path(ACROSS)
  return path and path:cost() or code
end

local function name_of_path()
  local path = assert(world:find_path(ACROSS))
  return path:links()[1].name
end

local function walker(at, to)
  local agent = assert(world:spawn { profile = "human", at = at or FROM })
  assert(agent:move_to(to or TO))
  return agent
end

describe("world:link", function()
  it("finds the first link of a name", function()
    local gap = assert(world:link "gap")
    assert.equal("gap", gap:name())
    assert.equal("jump", gap:kind())
    assert.same({ leeward.vec3(7, 0, 1), leeward.vec3(13, 0, 1) }, { gap:ends() })
    assert.is_true(rawequal(gap, world:all_links()[1]))
    assert.same({ world:all_links()[1], world:all_links()[3] }, world:all_links "gap")
  end)

  it("suggests a name that there is", function()
    assert.same({ n = 3, nil, "there is no link 'pol'. Did you mean 'pole'?", "NOT_FOUND" },
      table.pack(world:link "pol"))
    assert.equal("there is no link 'elevator'; the world has gap, pole", select(2, world:link "elevator"))
  end)

  it("finds links between navmeshes, and those that a navmesh's file has", function()
    assert(navmesh:save(FILE))
    local loaded = assert(leeward.load_navmesh(FILE))
    assert.equal("pole", loaded:links()[2].name)
    local above = maps.rectangles { { 0, 0, 8, 4, "ground", 9 } }
    local both = leeward.world { navmeshes = { loaded, above },
      links = { { kind = "teleport", name = "lift", from = { 1, 0, 1 }, to = { 1, 9, 1 }, capacity = 2 } } }
    assert.equal("pole", both:link("pole"):name())
    local lift = assert(both:link "lift")
    assert.equal(2, lift:get().capacity)
    assert.equal("lift", both:links()[1].name)
    local up = { from = { 5, 0, 1 }, to = { 5, 9, 1 } }
    assert.equal("lift", assert(both:find_path(up)):links()[1].name)
    lift:disable()
    both:apply_changes()
    assert.equal("NO_GOAL", select(3, both:find_path(up))) -- as without any link between them
    assert(both:add_link { kind = "jump", name = "spring", from = { 2, 0, 1 }, to = { 2, 9, 1 } })
    both:apply_changes()
    assert.equal("spring", assert(both:find_path(up)):links()[1].name)
  end)
end)

describe("a link", function()
  it("is not used from the next step on when it is disabled", function()
    local pole = world:link "pole"
    for _, gap in ipairs(world:all_links "gap") do assert.is_true(gap:disable()) end
    assert.near(10, cost(), 1e-3)
    world:step()
    assert.equal("pole", name_of_path())
    assert.is_true(pole:disable())
    world:step()
    assert.equal("NO_PATH", cost())
    assert.is_false(world:path_exists(FROM, TO))
    assert.is_false(pole:is_enabled() or pole:is_used())
    assert.is_true(pole:enable())
    world:step()
    assert.is_true(pole:is_enabled() and pole:is_used())
    assert.equal("pole", name_of_path())
  end)

  it("costs what was set, beside its length", function()
    local links = world:all_links()
    links[1]:set_cost(5)
    links[2]:disable()
    links[3]:disable()
    world:step()
    assert.near(15, cost(), 1e-3)
    assert.near(5, world:find_path(ACROSS):explain().total.terms.links, 1e-3)
    links[1]:set_cost(nil)
    world:step()
    assert.near(10, cost(), 1e-3)
  end)

  it("is added and removed", function()
    local door = assert(world:add_link { kind = "door", name = "door", from = { 7.9, 0, 1 }, to = { 12.1, 0, 1 },
      length = 0.5, cost = 1, bidirectional = true })
    assert.is_true(door:is_added())
    assert.is_false(door:is_used())
    world:step()
    assert.near(2.9 + 0.5 + 1 + 2.9, cost(), 1e-3)
    local other = door:get()
    assert.near(0.5, other.length, 1e-6)
    other.name = "same"
    assert(world:add_link(other))
    assert.equal(5, #world:all_links())
    assert.is_true(door:remove())
    assert.is_false(door:remove())
    assert.is_false(door:exists() or door:is_enabled() or door:enable())
    assert.is_nil(door:name())
    world:step()
    assert.equal("same", name_of_path())
  end)

  it("that was baked cannot be removed", function()
    assert.equal("remove: the link was not added with world:add_link(), expected link:disable()",
      message(world:link("gap").remove, world:link "gap"))
  end)

  it("that leads nowhere is refused", function()
    assert.same({ n = 3, nil, "link: the nearest navmesh is 80.00 m from its 'to', more than its radius 1 m",
      "NO_POINT" }, table.pack(world:add_link { kind = "jump", from = FROM, to = { 100, 0, 1 } }))
    local function refused(text, definition)
      definition.kind, definition.from, definition.to = definition.kind or "jump", FROM, definition.to or TO
      assert.equal("add_link: " .. text, message(world.add_link, world, definition))
    end
    refused("unknown key 'nmae'. Did you mean 'name'?", { nmae = "x" })
    refused("name has 0 bytes, expected 1 to 63", { name = "" })
    refused("cost is -1, expected metres from 0 to 1000000", { cost = -1 })
    refused("capacity is 256, expected a whole number from 0 to 255", { capacity = 256 })
    refused("link: both of its ends come to lie at (5.00, 0.00, 1.00)", { to = FROM })
  end)
end)

describe("a path's link", function()
  it("has its name where the path is explained", function()
    local segments = world:find_path(ACROSS):explain().segments
    assert.equal("gap", segments[2].name)
    assert.is_nil(segments[1].name)
  end)

  it("is the world's, as long as that has it", function()
    local door = world:add_link { kind = "door", from = { 7.9, 0, 1 }, to = { 12.1, 0, 1 }, length = 0 }
    world:step()
    local path = world:find_path(ACROSS)
    assert.is_true(rawequal(door, path:links()[1].link))
    door:remove()
    assert.is_nil(path:links()[1].link)
    world:destroy()
    assert.equal("door", path:links()[1].kind)
  end)
end)

describe("a permutation", function()
  local LIFT = { default = "stopped", stopped = { links = { gap = false, pole = true } }, running = {} }

  it("bars the links that its state names", function()
    world:permutation("lift", LIFT)
    world:link("pole"):set_cost(20)
    world:step()
    assert.equal("pole", name_of_path())
    local gap = world:link "gap"
    assert.is_true(gap:is_enabled())
    assert.is_false(gap:is_used())
    world:set_permutation("lift", "running")
    world:step()
    assert.equal("gap", name_of_path())
  end)

  it("leaves a link unused that somebody else bars", function()
    world:permutation("lift", LIFT)
    world:permutation("storm", { calm = {}, rough = { links = { gap = false } }, default = "rough" })
    local gap = world:link "gap"
    local function used() world:step() return gap:is_used() end
    assert.is_false(used())
    world:set_permutation("lift", "running")
    assert.is_false(used())
    world:set_permutation("storm", "calm")
    assert.is_true(used())
    gap:disable()
    assert.is_false(used())
  end)

  it("is refused where it names a link that the world does not have", function()
    assert.equal("permutation 'lift': up.links is 'pol', expected the name of a link. Did you mean 'pole'?",
      message(world.permutation, world, "lift", { up = { links = { pol = false } } }))
    assert.equal("permutation 'lift': up.links.pole is 'no', expected true or false",
      message(world.permutation, world, "lift", { up = { links = { pole = "no" } } }))
    assert.same({}, world:permutations())
  end)
end)

describe("a ladder", function()
  before_each(function()
    for _, gap in ipairs(world:all_links "gap") do gap:disable() end
    world:step()
  end)

  it("holds one agent; the next one waits where it begins", function()
    local pole = world:link "pole"
    local first, second = walker({ 6, 0, 3 }), walker({ 5, 0, 3 })
    while not second:waits_for_link() do world:step() end
    assert.is_true(first:is_on_link())
    assert.equal(pole, second:waits_for_link())
    assert.same({ 1, 1 }, { pole:users() })
    assert.matches("waits for the ladder link 'pole'", second:why(), 1, true)
    assert.is_true(second:position():distance(leeward.vec3(7, 0, 3)) < 0.01)
    world:run(20)
    assert.equal("arrived", second:move_state())
    assert.equal(0, second:stats().stuck)
  end)

  it("holds as many as it is told to", function()
    assert.equal("set_capacity: agents is 1.5, expected a whole number",
      message(world.link(world, "pole").set_capacity, world:link "pole", 1.5))
    world:link("pole"):set_capacity(0)
    local agents = { walker({ 6, 0, 3 }), walker({ 5.5, 0, 3 }), walker({ 5, 0, 3 }) }
    world:run(1.2)
    for _, agent in ipairs(agents) do assert.is_true(agent:is_on_link()) end
  end)
end)

describe("a link that ends in an obstacle at a price", function()
  it("costs what it did: what it leads over is not ground", function()
    local query = { from = FROM, to = TO, profile = "human" }
    local before = assert(world:find_path(query)):cost()
    world:add_obstacle { at = { 13.5, 0, 2 }, size = { 1.5, 1, 10 }, cost = 2 }
    world:step()
    local path = assert(world:find_path(query))
    assert.is_near(before + 2 * (14.25 - 13), path:cost(), 0.01)
    assert.is_near(path:cost(), path:explain().total.cost, 1e-3)
    assert.is_near(2 * (14.25 - 13), path:explain().total.terms.obstacles, 0.01)
  end)
end)

describe("a listener to links", function()
  it("hears that agents begin and end links", function()
    local heard = {}
    world:on_link(function(agent, event, link, kind)
      heard[#heard + 1] = { agent, event, link, kind, (agent:is_on_link()) }
    end)
    local agent, gap = walker(), world:link "gap"
    world:run(6)
    assert.same({ { agent, "begin", gap, "jump", true }, { agent, "end", gap, "jump", false } }, heard)
    world:on_link(nil)
    walker()
    world:run(6)
    assert.equal(2, #heard)
  end)

  it("holds the agent until it is said to be done", function()
    world:on_link(function(_, event) return event == "begin" and "wait" or nil end)
    local agent = walker()
    world:run(10)
    local on, kind, progress, link = agent:is_on_link()
    assert.same({ true, "jump", 0, world:link "gap" }, { on, kind, progress, link })
    assert.matches("on a jump link 'gap', which ends when the game says so", agent:why(), 1, true)
    assert.is_true(agent:finish_link())
    world:step()
    assert.is_false(agent:is_on_link())
    assert.is_true(agent:position().x >= 13)
    world:run(2)
    assert.equal("arrived", agent:move_state())
    assert.is_false(agent:finish_link())
  end)

  it("that has said so leaves nothing that a saved game would miss", function()
    local file = os.tmpname()
    local agent = walker()
    repeat world:step() until agent:is_on_link()
    assert.is_true(agent:finish_link())
    world:run(2)
    assert.is_false(agent:is_on_link())
    local hash = world:hash()
    assert(world:save(file))
    assert(world:load(file))
    os.remove(file)
    assert.equal(hash, world:hash())
  end)

  it("may give the agent another order, change links, or despawn it", function()
    world:on_link(function(agent, event, link)
      if event == "begin" then
        link:disable()
        agent:move_to { 13, 0, 3 }
      else
        agent:despawn()
      end
    end)
    local agent = walker()
    world:run(6)
    assert.is_false(agent:is_alive())
    assert.is_false(world:all_links()[1]:is_enabled())
    assert.same({}, log)
  end)

  it("that fails is reported, and the others are called", function()
    local called = 0
    world:on_link(function(_, event) if event == "begin" then error "broken rung" end end)
    world:on_link(function() called = called + 1 end)
    world:on_link(function(_, event) if event == "end" then return "wait" end end)
    local agent = walker()
    world:run(6)
    assert.equal("arrived", agent:move_state())
    assert.equal(2, called)
    assert.equal(2, #log)
    assert.matches("^error: on_link, agent 1, 'begin': tests/spec/link_change_spec.lua:%d+: broken rung$", log[1])
    assert.matches("the listener returned 'wait', expected nil at the end of a link", log[2], 1, true)
  end)

  it("may not run for ever, and may destroy the world", function()
    local small = leeward.world { navmesh = navmesh, leaf_instructions = 10000,
      log = function(_, text) log[1] = text end }
    small:on_link(function() while true do end end)
    small:spawn({ profile = "human", at = FROM }):move_to(TO)
    small:run(6)
    assert.matches("the listener to links did not return within 10000", log[1], 1, true)
    world:on_link(function() world:destroy() end)
    walker()
    world:run(6)
    assert.is_false(pcall(world.step, world))
  end)

  it("is a function", function()
    assert.equal("on_link: f is 7, expected a function or nil", message(world.on_link, world, 7))
  end)
end)

describe("a saved world", function()
  it("has its links as they were, and those who wait for them", function()
    local door = world:add_link { kind = "ladder", name = "door", from = { 7.9, 0, 1 }, to = { 12.1, 0, 1 }, cost = 3 }
    for _, gap in ipairs(world:all_links "gap") do gap:disable() end
    world:link("pole"):disable()
    world:permutation("storm", { calm = {}, rough = { links = { door = false } }, default = "calm" })
    world:on_link(function(_, event) return event == "begin" and "wait" or nil end)
    walker({ 6, 0, 1 })
    walker({ 5, 0, 1 })
    world:run(3)
    assert.same({ 1, 1 }, { door:users() })
    world:set_permutation("storm", "rough")
    assert(world:save(FILE))
    local other = leeward.world { navmesh = navmesh }
    assert(other:load(FILE))
    assert.equal(world:hash(), other:hash())
    assert.same({ 1, 1 }, { other:link("door"):users() })
    assert.near(3, other:link("door"):get().cost, 1e-6)
    assert.is_false(other:link("gap"):is_enabled())
    other:permutation("storm", { calm = {}, rough = { links = { door = false } }, default = "calm" })
    for _ = 1, 60 do
      world:step()
      other:step()
      assert.equal(world:hash(), other:hash())
    end
    assert.is_false(other:link("door"):is_used())
  end)

  it("is loaded over other links between navmeshes, which are as nobody has changed them", function()
    local above = maps.rectangles { { 0, 0, 8, 4, "ground", 9 } }
    local function floors(x)
      return leeward.world { navmeshes = { navmesh, above },
        links = { { kind = "teleport", name = "lift", from = { x, 0, 1 }, to = { x, 9, 1 } } } }
    end
    local first = floors(1)
    first:link("lift"):disable()
    assert(first:save(FILE))
    for x = 1, 2 do
      local other = floors(x)
      assert(other:load(FILE))
      assert.equal(x == 2, other:link("lift"):is_enabled())
    end
  end)
end)
