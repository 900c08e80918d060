-- What holds for the whole Lua API: documented, clear about mistakes, sound whatever the collector does.
local leeward = require "leeward"
local maps = require "support.maps"
local shell = require "support.shell"

local function output_of(command) return (shell(command):gsub("\n$", "")) end

local HERE = output_of "pwd"
local MODULE = output_of(("realpath '%s'"):format(package.searchpath("leeward", package.cpath)))

local TYPES = { "vec3", "geometry", "navmesh", "path", "tree", "agent", "danger", "firelane", "group",
  "threat", "obstacle", "link", "coverpoint", "world", "rebuildjob", "sandbox",
  "distancefield", "drive", "routetable", "regions", "search", "pathrequest" }

local STUBS = { "leeward", "vec3", "area", "geometry", "bake", "navmesh", "import", "profile", "path",
  "path_changes", "explain", "query", "distance_field", "drive", "route_table", "regions", "cover", "tree",
  "blackboard",
  "agent", "danger",
  "fire_lane", "save", "threat", "obstacle", "link", "permutation", "cover_points", "world", "tiles",
  "senses", "sandbox", "history", "planner", "group" }

local function read(name)
  local handle = assert(io.open(("bindings/meta/%s.lua"):format(name)))
  local text = handle:read("a")
  handle:close()
  return text
end

--- Every name that the stubs document: "leeward.find", "agent:stop", ...
local function documented()
  local names = {}
  for _, file in ipairs(STUBS) do
    for name, separator, method in read(file):gmatch "function (%a[%w_]*)([.:])([%w_]+)%(" do
      names[(separator == ":" and name:lower() or name) .. separator .. method] = true
    end
    for name in read(file):gmatch "%-%-%-@field (version) " do names["leeward." .. name] = true end
  end
  return names
end

--- Every name that there is.
local function existing()
  local names = {}
  for name in pairs(leeward) do names["leeward." .. name] = true end
  for _, type_name in ipairs(TYPES) do
    local methods = debug.getregistry()["leeward." .. type_name].__index
    if type(methods) == "function" then methods = select(2, debug.getupvalue(methods, 1)) end
    for name in pairs(methods) do names[type_name .. ":" .. name] = true end
  end
  return names
end

describe("bindings/meta", function()
  it("documents every function and method, and nothing else", function()
    assert.same(existing(), documented())
  end)

  it("explains every function in a comment", function()
    for _, file in ipairs(STUBS) do
      for before, name in read(file):gmatch "([^\n]*)\nfunction ([%w_.:]+)" do
        assert.matches("^%-%-%-", before, 1, false, name)
      end
    end
  end)
end)

describe("the module", function()
  it("finds its roots and files", function()
    assert.is_true(#leeward.roots() >= 1)
    assert.is_true(leeward.names("scripts/scenarios").courtyard_sniper)
    assert.same({}, leeward.names("scripts/nowhere"))
    assert.matches("scripts/areas.lua$", leeward.find "scripts/areas.lua")
    assert.is_true(leeward.is_file(leeward.find "scripts/areas.lua"))
    assert.is_false(leeward.is_file "scripts")
    assert.is_false(leeward.is_file "scripts/nothing.lua")
    assert.equal("it is a directory", select(2, leeward.is_file "scripts"))
    assert.equal("it is not an ordinary file", select(2, leeward.is_file "/dev/null"))
    assert.is_nil(select(2, leeward.is_file "scripts/nothing.lua"))
    assert.is_nil(select(2, leeward.is_file(leeward.find "scripts/areas.lua")))
    local path, message, code = leeward.find "scripts/nothing.lua"
    assert.is_nil(path)
    assert.matches("scripts/nothing.lua", message, 1, true)
    assert.equal("NOT_FOUND", code)
  end)

  it("lets require find the behaviours", function()
    assert.is_table(require "behaviors")
  end)

  it("makes no globals", function()
    local before = {}
    for name in pairs(_G) do before[name] = true end
    package.loaded.leeward = nil
    require "leeward"
    package.loaded.leeward = leeward
    for name in pairs(_G) do assert.is_true(before[name], name) end
  end)

  it("hides its metatables", function()
    assert.equal("leeward.navmesh", getmetatable(maps.floor(1, 1)))
    assert.equal("leeward.vec3", getmetatable(leeward.vec3(1, 2, 3)))
  end)
end)

describe("a mistake", function()
  local world
  before_each(function() world = leeward.world { navmesh = maps.floor(10, 10), log = function() end } end)

  it("is raised at the caller's line", function()
    local line = debug.getinfo(1, "l").currentline + 1
    local _, message = pcall(function() world:find_path { from = { 1, 0, 1 }, profle = "soldier" } end)
    assert.matches(("api_spec.lua:%d: find_path: unknown key 'profle'. Did you mean 'profile'?"):format(line), message,
      1, true)
  end)

  it("names the function, the key, what was expected and what came", function()
    local function message(query) return select(2, pcall(world.find_path, world, query)) end
    assert.equal("find_path: from is nil, expected a point", message { to = { 1, 0, 1 } })
    assert.equal("find_path: to is 'there', expected a point", message { from = { 1, 0, 1 }, to = "there" })
    assert.equal("find_path: max_nodes is 0, expected a whole number from 1 to 2147483647",
      message { from = { 1, 0, 1 }, to = { 2, 0, 2 }, max_nodes = 0 })
    assert.equal("find_path: allow_partial is 'yes', expected true or false",
      message { from = { 1, 0, 1 }, to = { 2, 0, 2 }, allow_partial = "yes" })
    assert.equal("find_path: options is nil, expected a table", message(nil))
    assert.matches("^find_path: unknown key 'xyzzy'. Known keys: from, to, profile", message { xyzzy = 1 })
    assert.equal("find_path: unknown key '[1]'. Known keys: from, to, profile, snap, allow_partial, max_nodes, cost,"
      .. " avoid, can_take, navmesh, threats, stance, heights, accuracy, team, visibility, quality, path_style",
      message { { 1, 0, 1 } })
  end)

  it("is not a number", function()
    for _, bad in ipairs { 0 / 0, math.huge, -math.huge, 1e300 } do
      assert.is_false(pcall(world.find_path, world, { from = { bad, 0, 1 }, to = { 1, 0, 1 } }))
      assert.is_false(pcall(world.nearest_point, world, { 1, bad, 1 }))
      assert.is_false(pcall(world.step, world, bad))
      assert.is_false(pcall(world.run, world, bad))
      assert.is_false(pcall(leeward.vec3, 1, 2, bad))
      assert.is_false(pcall(leeward.bake, leeward.geometry(), { cell_size = bad }))
    end
    assert.equal(0, world:steps())
  end)

  it("is a number out of the range that the message states", function()
    local here, huge = { 1, 0, 1 }, 1 << 40
    local function message(call, ...) return select(2, pcall(call, ...)) end
    local query = { from = here, to = here, max_nodes = huge }
    assert.equal("find_path: max_nodes is 1099511627776, expected a whole number from 1 to 2147483647",
      message(world.find_path, world, query))
    local colors = "color is %s, expected a whole number from 0x000000 to 0xffffff"
    for _, color in ipairs { 1 << 32, 1 << 24, -1 } do
      local expected = colors:format(color)
      local soldier = { profile = "soldier", at = here, color = color }
      assert.equal("spawn: " .. expected, message(world.spawn, world, soldier))
      assert.equal("area: " .. expected, message(leeward.area, "ground", { color = color }))
    end
    assert.equal("bake: threads is 257, expected a whole number from 0 to 256",
      message(leeward.bake, leeward.geometry(), { threads = 257 }))
    assert.equal("world: depth_maps is 1099511627776, expected a whole number from 0 to 32",
      message(leeward.world, { navmesh = maps.floor(1, 1), depth_maps = huge }))
    assert.equal("add_danger: height is 1e+39, expected metres > 0 and <= 3.4028234663853e+38",
      message(world.add_danger, world, { at = here, height = 1e39 }))
  end)

  it("is a text that C would cut at a zero byte", function()
    local here = { 1, 0, 1 }
    local soldier = world:spawn { profile = "soldier", at = here }
    local function refuses(text, call, ...)
      local ok, message = pcall(call, ...)
      assert.is_false(ok, text)
      assert.matches(text .. " without zero bytes", message, 1, true)
    end
    local function spawn(options)
      options.at, options.profile = here, options.profile or "soldier"
      return world:spawn(options)
    end
    local profiles, areas = ": profile is 'soldier\\0x', expected the name of a profile", "expected the name of an area"
    refuses("spawn" .. profiles, spawn, { profile = "soldier\0x" })
    refuses("find_path" .. profiles, world.find_path, world, { from = here, to = here, profile = "soldier\0x" })
    refuses("load_navmesh: file is 'a.lwn\\0001', expected a file name", leeward.load_navmesh, "a.lwn\0" .. "1")
    refuses("save: file is 'a\\0', expected a file name", world.save, world, "a\0")
    refuses("find: file is 'scripts/areas.lua\\0', expected a file name", leeward.find, "scripts/areas.lua\0")
    refuses("bake: links is 'a\\0', expected the name of a gset file", leeward.bake, leeward.geometry(),
      { links = "a\0" })
    refuses("profile: name is 'a\\0', expected 1 to 63 bytes", leeward.profile, "a\0")
    refuses("profile 'zero': extends is 'human\\0', expected the name of a profile", leeward.profile, "zero",
      { extends = "human\0" })
    refuses("spawn: profile.extends is 'human\\0', expected the name of a profile", spawn,
      { profile = { extends = "human\0" } })
    refuses("profile 'zero': stances has the key 'prone\\0', expected names of stances", leeward.profile, "zero",
      { stances = { ["prone\0"] = {} } })
    refuses("profile 'zero': area_factor has the key 'road\\0', expected names of areas", leeward.profile, "zero",
      { area_factor = { ["road\0"] = 2 } })
    refuses("spawn: avoid[1] is 'road\\0', " .. areas, spawn, { avoid = { "road\0" } })
    refuses("mark_area: area is 'road\\0', " .. areas, function()
      leeward.geometry():mark_area { area = "road\0", box = { at = here, size = here } }
    end)
    refuses("area: name is 'road\\0', expected 1 to 63 bytes", leeward.area, "road\0")
    refuses("tree: name is 'wander\\0', expected 1 to 63 bytes", leeward.tree, "wander\0")
    refuses("spawn: tree is 'wander\\0', expected the name of a tree", spawn, { tree = "wander\0" })
    refuses("tree 'zero': sequence[1].name is 'a\\0', expected a string", leeward.tree, "zero",
      { kind = "sequence", { kind = "wait", min = 1, name = "a\0" } })
    refuses("spawn: team is 'red\\0', expected a string", spawn, { team = "red\0" })
    refuses("find_path: team is 'red\\0', expected a string", world.find_path, world,
      { from = here, to = here, team = "red\0" })
    refuses("visibility: team is 'red\\0', expected a name", world.visibility, world, "red\0")
    refuses("set_visibility: team is 'red\\0', expected a string", world.set_visibility, world,
      { team = "red\0", visibility = 1 })
    refuses("add_threat: known_to is 'red\\0blue', expected a team's name", world.add_threat, world,
      { at = here, known_to = "red\0blue" })
    refuses("suggest: word is 'a\\0', expected a string", leeward.suggest, "a\0", { "ab" })
    refuses("suggest: words[1] is 'ab\\0', expected a string", leeward.suggest, "a", { "ab\0" })

    local function message(call, ...) return select(2, pcall(call, ...)) end
    assert.matches("spawn: unknown key 'team\\0'. Did you mean", message(spawn, { ["team\0"] = "red" }), 1, true)
    assert.matches("spawn: stance is 'crouch\\0', expected 'stand'", message(spawn, { stance = "crouch\0" }), 1, true)
    assert.matches("set_pace: pace is 'fast\\0', expected", message(soldier.set_pace, soldier, "fast\0"), 1, true)
    assert.is_nil(soldier["blackboard\0"])
    assert.is_nil(leeward.vec3(1, 2, 3)["x\0"])
  end)

  it("of a leaf is reported to its end", function()
    local function reason_of(leaf)
      local agent = world:spawn { profile = "soldier", at = { 1, 0, 1 }, tree = { kind = "leaf", start = leaf } }
      world:step()
      return agent:why()
    end
    assert.matches("no\\0 way", reason_of(function() return "failure", "no\0 way" end), 1, true)
    assert.matches("no\\0 way", reason_of(function() error "no\0 way" end), 1, true)
    assert.matches("returned 'success\\0', expected 'success'", reason_of(function() return "success\0" end), 1, true)
  end)

  it("is a number written as text", function()
    assert.is_false(pcall(world.step, world, "1"))
    assert.is_false(pcall(leeward.vec3, "1", 2, 3))
  end)

  it("is a call on something else", function()
    assert.is_false(pcall(world.find_path, {}, {}))
    assert.is_false(pcall(world.find_path))
    assert.is_false(pcall(world.step, maps.floor(1, 1)))
  end)
end)

describe("the collector", function()
  after_each(function() collectgarbage "incremental" collectgarbage("setpause", 200) end)

  local function exercise()
    local log = {}
    local world = leeward.world { navmesh = maps.two_rooms(), log = function(_, text) log[#log + 1] = text end }
    for i = 1, 10 do
      world:spawn { profile = { extends = "soldier", radius = 0.3 + i / 100 }, at = { i, 0, i - 0.5 },
        tree = { kind = "sequence",
          { kind = "leaf", name = "Go", start = function(agent, _, state)
            state.garbage = { {}, {} }
            agent:move_to(assert(agent:random_point { radius = 20 }))
            return "running", 0.2
          end, tick = function(agent) if agent:id() % 3 == 0 then agent:despawn() end return "success" end,
            stop = function(agent) agent.blackboard.stopped = agent:position() end },
          { kind = "leaf", name = "Bad", start = function() error("bad") end } } }
    end
    for _ = 1, 30 do
      world:step()
      local path = world:find_path { from = { 1, 0, 1 }, to = { 20, 0, 9 }, cost = { danger_cost = 1 } }
      assert(#path:points() >= 2)
      leeward.profile("spec_churn", { radius = 0.5 })
    end
    assert(#log > 0 and #world:agents() > 0)
  end

  it("may run at any time", function()
    collectgarbage("setpause", 0)
    for _ = 1, 3 do exercise() end
    collectgarbage "generational"
    for _ = 1, 3 do exercise() end
  end)

  it("gets everything back", function()
    local function settle() for _ = 1, 4 do collectgarbage() end return collectgarbage "count" end
    exercise()
    local before = settle()
    for _ = 1, 20 do exercise() end
    assert.near(before, settle(), 40) -- kilobytes; one world alone is more
  end)

  it("closes a state whatever is still alive", function()
    local script = os.tmpname()
    local handle = assert(io.open(script, "w"))
    handle:write [[
local leeward = require "leeward"
local navmesh = leeward.navmesh { vertices = {{0,0,0},{9,0,0},{9,0,9},{0,0,9}}, polygons = {{1,2,3,4}} }
world = leeward.world { navmesh = navmesh }
early = setmetatable({}, { __gc = function() pcall(leeward.area, "ground") pcall(world.step, world) end })
agent = world:spawn { profile = { extends = "human" }, at = {1,0,1}, tree = { kind = "leaf", name = "Stay",
  tick = function() return "running" end,
  stop = function(a, _, _, how) io.write(how, " ", a:profile(), " ", tostring(a:position()), "\n") end } }
world:step()
late = setmetatable({}, { __gc = function() pcall(world.find_path, world, { from = {1,0,1}, to = {2,0,2} }) end })
]]
    handle:close()
    local pipe = assert(io.popen(("LUA_CPATH='%s' lua5.4 %s 2>&1"):format(package.cpath, script)))
    local output = pipe:read("a")
    local ok = pipe:close()
    os.remove(script)
    assert.equal("aborted human (1, 0, 1)\n", output)
    assert.is_true(ok)
  end)
end)

describe("a tree of scripts", function()
  local folder
  before_each(function()
    folder = os.tmpname()
    os.remove(folder)
    assert(os.execute(("mkdir -p '%s/scripts/profiles' '%s/behaviors/trees'"):format(folder, folder)))
  end)
  after_each(function() os.execute(("rm -r '%s'"):format(folder)) end)

  local function write(file, text)
    local handle = assert(io.open(folder .. "/" .. file, "w"))
    handle:write(text)
    handle:close()
  end

  --- What a Lua prints that runs in another folder. @param alone  The module lies where nothing ships beside it.
  local function run_elsewhere(chunk, alone)
    local beside = MODULE:match "^(.*)/"
    local modules = alone and folder .. "/modules" or beside
    if alone then assert(os.execute(("mkdir -p '%s' && cp '%s' '%s'"):format(modules, MODULE, modules))) end
    local command = "cd '%s' && LEEWARD_PATH='%s' LUA_CPATH='%s/?.so' LD_LIBRARY_PATH='%s/..' lua5.4 -e '%s' 2>&1"
    return output_of(command:format(folder, folder, modules, beside,
      "local ok, leeward = pcall(require, \"leeward\") if not ok then print(leeward) os.exit() end " .. chunk))
  end
  --- What a Lua with only these scripts prints.
  local function run(chunk) return run_elsewhere(chunk, true) end

  local AREAS = [[return { areas = { { name = "ground", resistance = 0.5 } } }]]

  it("without areas is refused, with where it looked", function()
    assert.matches("leeward: cannot find scripts/areas.lua; looked in " .. folder, run "", 1, true)
  end)

  it("whose areas only change others is refused", function()
    write("scripts/areas.lua", "return { patch = true }")
    assert.matches("scripts/areas.lua: patch is true, expected a scripts/areas.lua in a root behind this one", run "",
      1, true)
  end)

  it("with a file of a tree that is none is refused", function()
    write("scripts/areas.lua", AREAS)
    write("behaviors/trees/five.lua", "return 5")
    assert.matches("behaviors/trees/five.lua:1: result is 5, expected a tree",
      run "print(pcall(leeward.tree, \"five\"))", 1, true)
  end)

  it("is what LEEWARD_PATH says", function()
    write("scripts/areas.lua", AREAS)
    write("scripts/profiles/ant.lua", "return { radius = 0.01 }")
    write("behaviors/trees/rest.lua", [[return { kind = "wait", min = 1 }]])
    assert.equal(folder, run "print(table.concat(leeward.roots(), \" \"))")
    assert.equal("ground", run "print(table.concat(leeward.areas(), \" \"))")
    assert.equal("ant", run "print(table.concat(leeward.profiles(), \" \"))")
    assert.equal("0.01", run "print(leeward.profile(\"ant\").radius)")
    assert.equal("rest", run "print(leeward.tree(\"rest\"):name())")
  end)

  it("of one's own comes before the shipped ones, which are always searched", function()
    write("scripts/profiles/ant.lua", "return { radius = 0.01 }")
    write("behaviors/trees/rest.lua", [[return { kind = "wait", min = 1 }]])
    assert.equal(folder .. " " .. HERE, run_elsewhere "print(table.concat(leeward.roots(), \" \"))")
    assert.equal("0.01 18.0 rest wander", (run_elsewhere [[
      print(leeward.profile("ant").radius, leeward.profile("car").resistance_factor.triangular,
        leeward.tree("rest"):name(), leeward.tree("wander"):name())]]:gsub("\t", " ")))
    write("scripts/areas.lua", AREAS)
    assert.equal("ground", run_elsewhere "print(table.concat(leeward.areas(), \" \"))")
  end)

  it("whose areas.lua hides the shipped one is named where an area is missing", function()
    write("scripts/areas.lua", "return { areas = { { name = 'lava' } } }")
    assert.matches("avoid[1] is 'road', expected the name of an area; known are lava; " .. folder
      .. "/scripts/areas.lua replaces the areas of other roots, as it does not say `patch = true`",
      run_elsewhere "print(pcall(leeward.profile, \"x\", { avoid = { \"road\" } }))", 1, true)
  end)

  it("is data: it has no globals, and mistakes name file and key", function()
    write("scripts/areas.lua", "return { areas = { { name = \"ground\", resistence = 1 } } }")
    assert.matches("scripts/areas.lua: unknown key 'areas[1].resistence'. Did you mean 'resistance'?", run "", 1,
      true)
    write("scripts/areas.lua", [[return {
      areas = { { name = "ground" } }, materials = { { pattern = "[", area = false } } }]])
    assert.matches("materials[1].pattern is '[', expected a Lua pattern: ", run "", 1, true)
    write("scripts/areas.lua", "os.exit()")
    assert.matches("areas.lua:1: unknown name 'os'", run "", 1, true)
    write("scripts/areas.lua", "return {")
    assert.matches("areas.lua:1:", run "", 1, true)
    write("scripts/areas.lua", AREAS)
    write("scripts/profiles/ant.lua", "return { radius = -1 }")
    assert.matches("scripts/profiles/ant.lua: radius is -1, expected metres from 0 to 1000",
      run "print(pcall(leeward.profile, \"ant\"))", 1, true)
  end)
end)
