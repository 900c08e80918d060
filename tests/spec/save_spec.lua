local leeward = require "leeward"
local maps = require "support.maps"
local shell = require "support.shell"

local FILE = os.tmpname()

local function make(navmesh)
  return leeward.world { navmesh = navmesh, seed = 3 }
end

describe("a saved world", function()
  local navmesh, world
  before_each(function()
    navmesh = maps.two_rooms()
    world = make(navmesh)
  end)
  teardown(function() os.remove(FILE) end)

  local function spawn(options)
    options.profile = options.profile or "soldier"
    options.at = options.at or { 1, 0, 1 }
    return assert(world:spawn(options))
  end

  it("comes back with its clock, random numbers, dangers and fire lanes", function()
    world:add_danger { at = { 5, 0, 5 }, radius = 2, value = 2, half_life = 10 }
    world:add_fire_lane { from = { 0, 1, 5 }, to = { 9, 1, 5 }, seconds = 20 }
    world:run(2)
    world:random()
    assert.is_true(world:save(FILE))
    local hash, next_random = world:hash(), world:random()
    local other = make(navmesh)
    other:add_danger { at = { 1, 0, 1 } }
    other:run(5)
    assert.same({}, other:load(FILE))
    assert.equal(hash, other:hash())
    assert.is_near(2, other:time(), 1e-4)
    assert.equal(next_random, other:random())
    assert.equal(1, #other:dangers())
    assert.is_near(2 * 2 ^ -0.2, other:dangers()[1]:value(), 1e-4)
    assert.is_near(18, other:fire_lanes()[1]:seconds(), 1e-3)
  end)

  it("comes back by the light that it was saved in", function()
    world:set_visibility(0.5)
    world:set_visibility { team = "red", visibility = 0.25 }
    assert.is_true(world:save(FILE))
    local hash = world:hash()
    local other = make(navmesh)
    other:set_visibility { team = "blue", visibility = 0.1 }
    other:set_visibility { team = "red", visibility = 0.1 }
    assert.same({}, other:load(FILE))
    assert.equal(0.5, other:visibility())
    assert.equal(0.125, other:visibility "red")
    assert.equal(0.5, other:visibility "blue")
    assert.equal(hash, other:hash())
  end)

  it("comes back with its agents, which go on to their goals", function()
    local a, b = spawn { team = "red", pace = "fast" }, spawn { profile = "sniper", at = { 2, 0, 5 } }
    assert(a:move_to { 20, 0, 9 })
    world:run(1)
    world:save(FILE)
    local other = make(navmesh)
    local old = assert(other:spawn { profile = "soldier", at = { 1, 0, 1 } })
    local agents = assert(other:load(FILE))
    assert.is_false(old:is_alive())
    assert.same(agents, other:agents())
    assert.equal("red", agents[1]:team())
    assert.equal("fast", agents[1]:pace())
    assert.equal("sniper", agents[2]:profile())
    assert.is_true(agents[1]:position():distance(a:position()) < 1e-3)
    assert.is_true(agents[2]:position():distance(b:position()) < 1e-3)
    assert.equal("walking", (agents[1]:move_state()))
    assert.equal(a:goal(), agents[1]:goal())
    assert.equal(a:random(), agents[1]:random())
    for _, each in ipairs { world, other } do each:run(20) end
    assert.equal("arrived", (agents[1]:move_state()))
    assert.is_true(agents[1]:position():distance(a:position()) < 0.05)
  end)

  it("comes back with the threats, and with what agents know of them", function()
    local hunted, sniper = spawn { team = "red" }, spawn { profile = "sniper", at = { 2, 0, 5 }, team = "blue" }
    local tower = world:add_threat { at = { 12, 6, 3 }, facing = { 1, 0, 0 }, half_angle = 1, range = 40, weight = 2 }
    world:add_threat { agent = sniper, known_to = "red", tolerance = 2 }
    hunted:learn_threat(tower)
    hunted:set_threats { { at = { 8, 1.6, 8 } } }
    assert.equal(3, #hunted:threats())
    world:save(FILE)
    local hash = world:hash()

    local other = make(navmesh)
    local agents = assert(other:load(FILE))
    assert.equal(hash, other:hash())
    assert.equal(3, #agents[1]:threats())
    assert.equal(0, #agents[2]:threats())
    local threats = other:threats()
    assert.is_true(agents[1]:knows_threat(threats[1]))
    assert.same(tower:get(), threats[1]:get())
    assert.equal(agents[2], threats[2]:get().agent)
    assert.same({ "red", 2 }, { threats[2]:get().known_to, threats[2]:get().tolerance })

    -- The world that was saved: what a script holds of it is good again.
    tower:remove()
    local later = world:add_threat { at = { 1, 2, 1 } }
    assert(world:load(FILE))
    assert.is_true(tower:exists())
    assert.is_false(later:exists())
    world:add_threat { at = { 1, 2, 1 } }
    assert.is_false(later:exists())
  end)

  it("comes back with the cover that agents have reserved", function()
    local a = spawn {}
    a:reserve_cover { 9, 0, 9 }
    world:save(FILE)
    local other = make(navmesh)
    local agents = assert(other:load(FILE))
    assert.equal(a:cover(), agents[1]:cover())
    local late = assert(other:spawn { profile = "soldier", at = { 2, 0, 2 } })
    assert.equal("TAKEN", select(3, late:reserve_cover { 9, 0, 9.2 }))
    agents[1]:despawn()
    assert.is_true(late:reserve_cover { 9, 0, 9.2 })
  end)

  it("goes on bit for bit", function()
    local runner = spawn { profile = { extends = "soldier", cover_bias = 4 }, team = "red" }
    spawn { at = { 2, 0, 5 }, team = "blue" }:move_to { 20, 0, 2 }
    world:add_threat { agent = world:agents()[2], known_to = "red" }
    world:add_danger { at = { 5, 0, 5 }, radius = 1, half_life = 2 }
    world:add_fire_lane { from = { 6, 1, 0 }, to = { 6, 1, 9 }, seconds = 1.5 }
    assert(runner:move_to { 20, 0, 9 })
    world:run(0.7)
    world:save(FILE)
    local other = make(navmesh)
    assert(other:load(FILE, { agent = function(options)
      if options.team == "red" then options.profile = { extends = "soldier", cover_bias = 4 } end
      return options
    end }))
    for step = 1, 300 do
      for _, each in ipairs { world, other } do each:step(1 / 60) end
      assert.equal(world:hash(), other:hash(), "step " .. step)
    end
    assert.is_true(runner:stats().replans > 0)
  end)

  it("is the same after it was saved, and comes back with the profile that an agent was given last", function()
    local agent = spawn {}
    agent:set_profile "civilian"
    local hash = world:hash()
    assert.equal("civilian", agent:profile())
    assert.is_true(world:save(FILE))
    assert.equal(hash, world:hash())
    local other = make(navmesh)
    local loaded = assert(other:load(FILE))[1]
    assert.equal("civilian", loaded:profile())
    world:step()
    other:step()
    assert.equal(world:hash(), other:hash())
  end)

  it("has the same hash while a link that a permutation bars is about to be removed", function()
    local function barring()
      local made = make(navmesh)
      made:add_link { kind = "jump", name = "hatch", from = { 1, 0, 1 }, to = { 8, 0, 1 } }
      made:permutation("gate", { default = "open", open = {}, shut = { links = { hatch = false } } })
      made:step()
      return made
    end
    for _, order in ipairs { "permutation first", "link first" } do
      world = barring()
      local link = world:add_link { kind = "jump", name = "hatch", from = { 1, 0, 3 }, to = { 8, 0, 3 } }
      world:step()
      if order == "link first" then link:remove() end
      world:set_permutation("gate", "shut")
      if order ~= "link first" then link:remove() end
      world:save(FILE)
      local other = barring()
      assert(other:load(FILE))
      assert.equal(world:hash(), other:hash(), order)
      world:step()
      other:step()
      assert.equal(world:hash(), other:hash(), order)
    end
  end)

  it("spawns agents with the trees of their names", function()
    spawn { tree = "wander" }
    world:run(3)
    world:save(FILE)
    local other = make(navmesh)
    local agents = assert(other:load(FILE))
    assert.matches("^wander", agents[1]:why())
    other:run(5)
    assert.is_true(agents[1]:stats().walked > 0)
  end)

  it("lets the script give back what no file can hold", function()
    spawn { profile = { extends = "human", danger_cost = 100 }, blackboard = { ammo = 7 } }
    world:save(FILE)
    local other, given = make(navmesh), nil
    local agents = assert(other:load(FILE, { agent = function(options)
      given = options
      options.profile = { extends = "human", danger_cost = 100 }
      options.blackboard = { ammo = 7 }
      return options
    end }))
    assert.same({ 1, "normal" }, { given.navmesh, given.pace })
    assert.equal(7, agents[1].blackboard.ammo)
  end)

  it("is refused where it does not fit, and the world stays as it was", function()
    spawn { profile = "human" }
    world:save(FILE)
    local other = make(maps.floor(20, 10))
    other:add_danger { at = { 1, 0, 1 } }
    local hash = other:hash()
    local agents, message, code = other:load(FILE)
    assert.is_nil(agents)
    assert.matches("it was saved over other navmeshes than the world's", message, 1, true)
    assert.equal("BAD_FILE", code)
    assert.equal(hash, other:hash())
    local handle = assert(io.open(FILE, "wb"))
    handle:write("LWWORLD\0nonsense")
    handle:close()
    agents, message, code = other:load(FILE)
    assert.is_nil(agents)
    assert.equal("BAD_FILE", code)
    assert.matches(FILE, message, 1, true)
    assert.equal("FILE", select(3, other:load("/no/such/file.lws")))
    assert.equal("FILE", select(3, other:save("/no/such/folder/x.lws")))
    assert.equal(hash, other:hash())
  end)

  it("has every part of a world, or saved.h says why not", function()
    local function read(file)
      local handle = assert(io.open(file))
      local text = handle:read "a"
      handle:close()
      return text
    end
    local world_h, regions_h = read "runtime/world/world.h", read "runtime/world/timed_regions.h"
    local parts = world_h:match "\nstruct lw_world {\n(.-)\n};"
      .. "\n" .. world_h:match "\ntypedef struct lwi_agents {\n(.-)\n} lwi_agents;"
      .. "\n" .. world_h:match "\ntypedef struct lwi_threats {\n(.-)\n} lwi_threats;"
      .. "\n" .. regions_h:match "\ntypedef struct lwi_timed_regions {\n(.-)\n} lwi_timed_regions;"
      .. "\n" .. read "runtime/query/scene.h":match "\ntypedef struct lwi_scene {\n(.-)\n} lwi_scene;"
    local documented = read "runtime/save/saved.h":match "What becomes of each part of an lw_world.-#ifndef"
    local seen = 0
    for line in parts:gmatch "[^\n]+" do
      local names = line:gsub("//.*", ""):gsub("const ", ""):gsub("%b[]", ""):match "^  [%w_]+ (.*);"
      for name in (names or ""):gmatch "[%a][%w_]*" do
        local plain = name:match "_count$" or name:match "_capacity$" or name == "capacity"
        seen = seen + 1
        assert.is_true(plain ~= nil or documented:find("%f[%w_]" .. name .. "%f[^%w_]") ~= nil, name)
      end
    end
    assert.is_true(seen > 50, seen)
  end)

  it("knows which paths were searched less closely among many dangers", function()
    leeward.profile("spec_wary", { extends = "human", danger_cost = 10 })
    for i = 0, 2999 do world:add_danger { at = { 2 + 0.3 * (i % 60), 0, 0.2 * (i // 60) }, radius = 2 } end
    local agent = spawn { profile = "spec_wary" }
    assert(agent:move_to { 20, 0, 9 })
    local words = "there may be a cheaper path"
    assert.matches(words, agent:explain().sentence)
    world:save(FILE)
    local agents = assert(make(navmesh):load(FILE))
    assert.matches(words, agents[1]:explain().sentence)
  end)

  it("needs its profiles, and says so before anything changes", function()
    leeward.profile("spec_saved", { extends = "human" })
    spawn { profile = "spec_saved" }
    world:save(FILE)
    local other = make(navmesh)
    assert.error_matches(function()
      other:load(FILE, { agent = function(options) options.profile = "spec_savd" return options end })
    end, "load: .*spec_savd")
    assert.error_matches(function() other:load(FILE, { agent = function() return 7 end }) end,
      "load: result of agent is 7, expected a table or nil", 1, true)
    assert.error_matches(function() other:load(FILE, { agents = 1 }) end, "load: unknown key 'agents'", 1, true)
    assert.error_matches(function() other:load() end, "load: ")
    assert.same({}, other:agents())
  end)

  it("changes nothing where what agents are spawned with is wrong", function()
    for _ = 1, 3 do spawn { profile = "human" } end
    world:step()
    world:save(FILE)
    world:run(0.5)
    local hash = world:hash()
    for wrong, message in pairs {
      ["at is 'x', expected a point"] = { at = "x" }, ["unknown key 'foo'"] = { foo = 1 },
      ["stance is 'fly', expected"] = { stance = "fly" }, ["expected at most 31 bytes"] = { team = ("x"):rep(32) },
      ["at"] = { at = { 0 / 0, 0, 0 } }, ["profile is 'zz'"] = { profile = "zz" }, ["tree is 'zz'"] = { tree = "zz" },
    } do
      local number = 0
      local ok, text = pcall(world.load, world, FILE, { agent = function(options)
        number = number + 1
        for key, value in pairs(number == 2 and message or {}) do options[key] = value end
        return options
      end })
      assert.is_false(ok)
      assert.matches("load: agent 2 (the option 'agent' may replace what it is spawned with): ", text, 1, true)
      assert.matches(wrong, text, 1, true)
      assert.equal(hash, world:hash())
    end
  end)

  it("says where an agent was on a navmesh that the world does not have", function()
    local both = leeward.world { navmeshes = { navmesh, maps.floor(10, 10) } }
    assert(both:spawn { profile = "human", at = { 1, 0, 1 }, navmesh = 2 })
    assert(both:save(FILE))
    local hash = world:hash()
    assert.same({ nil, "load: agent 1 (the option 'agent' may replace what it is spawned with): "
      .. "it was on navmesh 2, and this world has 1", "NOT_FOUND" }, { world:load(FILE) })
    assert.equal(hash, world:hash())
  end)

  it("says how an agent whose tree has no name is loaded", function()
    local behaviors = require "behaviors"
    local tree = behaviors.sequence { behaviors.wait(5) }
    spawn { profile = "human", tree = tree }
    world:step()
    world:save(FILE)
    leeward.tree("tree", behaviors.wait(1)) -- is another one
    local hash = world:hash()
    local agents, message, code = world:load(FILE)
    assert.same({ nil, "load: agent 1 (the option 'agent' may replace what it is spawned with): its tree has no name",
      "NOT_FOUND" }, { agents, message, code })
    assert.equal(hash, world:hash())
    local function again(options)
      assert.is_nil(options.tree)
      options.tree = tree
      return options
    end
    assert.equal(1, #world:load(FILE, { agent = again }))
    assert.equal(1, #world:load(FILE, { agent = function(options) return options end }))
  end)

  it("says how an agent whose profile was a table is loaded, and never takes what it extends for it", function()
    local quick = { extends = "human", speed = { normal = 6 } }
    local runner, changed, plain = spawn { profile = quick }, spawn { profile = "human" },
      spawn { profile = { extends = "human" } }
    changed:set_profile(quick)
    assert.same({ "custom", "custom", "human" }, { runner:profile(), changed:profile(), plain:profile() })
    assert.same({ plain }, world:agents_around { at = { 1, 0, 1 }, radius = 5, profile = "human" })
    assert(runner:move_to { 8, 0, 8 })
    assert.equal("custom", runner:explain().profile)
    world:save(FILE)
    local other = make(navmesh)
    assert.same({ nil, "load: agent 1 (the option 'agent' may replace what it is spawned with): its profile was a "
      .. "table, which has no name", "NOT_FOUND" }, { other:load(FILE) })
    local agents = assert(other:load(FILE, { agent = function(options)
      if options.profile == "custom" then options.profile = quick end
      return options
    end }))
    assert.equal(world:hash(), other:hash())
    world:run(1)
    other:run(1)
    assert.near(6, agents[1]:velocity():length(), 1e-3)
    assert.equal(world:hash(), other:hash())
  end)

  it("comes back with an agent whose profile may not enter the ground that it stands on", function()
    local level = leeward.geometry()
    level:add_box { min = { -15, -1, -15 }, max = { 15, 0, 15 } }
    level:add_box { min = { -15, 2, -15 }, max = { 15, 3, 15 }, area = false }
    local hall, file = assert(leeward.bake(level)), os.tmpname()
    leeward.profile("save_giant", { extends = "soldier", height = 2.6, can_crouch = false })
    local first, other = leeward.world { navmesh = hall }, leeward.world { navmesh = hall }
    local agent = first:spawn { profile = "soldier", at = { 3, 0, 2 } }
    agent:set_profile "save_giant"
    first:run(1)
    assert(first:save(file))
    local loaded = other:load(file)[1]
    os.remove(file)
    assert.equal("save_giant", loaded:profile())
    assert.same(agent:position(), loaded:position())
    assert.equal(first:hash(), other:hash())
  end)

  it("comes back with a journey for the agent's own profile by name", function()
    local level = leeward.geometry()
    level:add_box { min = { -9, -1, -9 }, max = { 9, 0, 9 } }
    local hall, file = assert(leeward.bake(level)), os.tmpname()
    local first, other = leeward.world { navmesh = hall }, leeward.world { navmesh = hall }
    local agent = first:spawn { profile = "soldier", at = { -8, 0, -3 } }
    assert(agent:move_to({ 8, 0, 3 }, { profile = "soldier" }))
    first:run(0.5)
    assert(first:save(file))
    local loaded = other:load(file)[1]
    os.remove(file)
    assert.equal(agent:why(), loaded:why())
    assert.truthy(agent:why():find("by the costs of 'soldier'", 1, true))
    assert.equal(1, loaded:stats().searches)
    assert.equal(first:hash(), other:hash())
    -- What was said for one journey only is forgotten.
    assert(agent:move_to({ 8, 0, 3 }, { cost = { safety_bias = 2 } }))
    assert.truthy(agent:why():find("on this journey by other costs", 1, true))
    assert(first:save(file))
    loaded = leeward.world({ navmesh = hall }):load(file)[1]
    os.remove(file)
    assert.is_nil(loaded:why():find("on this journey", 1, true))
  end)

  it("has 'custom' for profiles that are given as tables alone", function()
    local what = "'custom' is what profiles are called that are given as tables"
    assert.has_error(function() leeward.profile("custom", {}) end,
      "profile: name is 'custom', expected another one: " .. what)
    assert.same({ nil, what, "NOT_FOUND" }, { leeward.profile "custom" })
    assert.has_error(function() spawn { profile = "custom" } end,
      "spawn: profile is 'custom', expected the name of a profile")
  end)

  it("is refused where a profile or a tree that it names is not there", function()
    local _, status = shell(([[LUA_PATH='tests/spec/?.lua;;' lua5.4 -e '
      local leeward, maps = require "leeward", require "support.maps"
      leeward.profile("spec_elsewhere", { extends = "human" })
      local tree = leeward.tree("spec_elsewhere", { kind = "wait", min = 1, max = 1 })
      local world = leeward.world { navmesh = maps.two_rooms(), seed = 3 }
      assert(world:spawn { at = { 1, 0, 1 }, profile = "spec_elsewhere", tree = tree })
      assert(world:save "%s")']]):format(FILE))
    assert.equal(0, status)
    local agents, message, code = world:load(FILE)
    assert.same({ nil, "NOT_FOUND" }, { agents, code })
    assert.matches("load: agent 1 (the option 'agent' may replace what it is spawned with): there is no profile "
      .. "'spec_elsewhere'; looked for", message, 1, true)
    leeward.profile("spec_elsewhere", { extends = "human" })
    agents, message, code = world:load(FILE)
    assert.same({ nil, "NOT_FOUND" }, { agents, code })
    assert.matches(": there is no tree 'spec_elsewhere'; looked for", message, 1, true)
    leeward.tree("spec_elsewhere", { kind = "wait", min = 1, max = 1 })
    assert.equal(1, #world:load(FILE))
  end)

  it("searches as before where something that has a cost hangs over the ground and marks none of it", function()
    local level = leeward.geometry()
    level:add_box { min = { -20, -1, -20 }, max = { 20, 0, 20 } }
    local floor = assert(leeward.bake(level, { agent_radius = 0.4, cell_size = 0.2, tile_size = 12 }))
    local function nodes(of)
      local found = {}
      for x = -18, 18, 6 do
        local path = of:find_path { from = { x, 0, 19 }, to = { -x, 0, -19 }, profile = "soldier", quality = "exact" }
        found[#found + 1] = path:nodes()
      end
      return found
    end
    world = make(floor)
    world:add_obstacle { at = { 12, 0, 12 }, radius = 1.4, height = 3 }
    world:step()
    local before = nodes(world)
    world:add_obstacle { at = { -15, 3.4, 15 }, size = { 4, 1.5, 14 }, cost = 4 }
    world:step()
    assert(world:save(FILE))
    local other = make(floor)
    other:load(FILE)
    assert.same(before, nodes(world))
    assert.same(before, nodes(other))
  end)
end)
