-- Permutations in files: along the roots, patched by mods, edited while a game runs; and those that ship.
local leeward = require "leeward"
local mods = require "support.mods"

local mod
before_each(function() mod = mods.new() end)
after_each(function() mod:remove() end)

-- Two floors of 10 x 10 m, which only a passage at z 4..6 joins.
local WORLD = [[
local function new_world()
  return leeward.world {
    navmesh = leeward.navmesh {
      vertices = { { 0, 0, 0 }, { 10, 0, 0 }, { 10, 0, 10 }, { 0, 0, 10 }, { 11, 0, 0 }, { 21, 0, 0 }, { 21, 0, 10 },
        { 11, 0, 10 }, { 10, 0, 4 }, { 11, 0, 4 }, { 11, 0, 6 }, { 10, 0, 6 } },
      polygons = { { 1, 2, 3, 4 }, { 5, 6, 7, 8 }, { 9, 10, 11, 12 } },
    },
    log = function(level, message) print(level .. ": " .. message) end,
  }
end
local world = new_world()
local function is_open(of) return (of or world):path_exists({ 1, 0, 5 }, { 20, 0, 5 }) end
local function state(of) return ((of or world):permutation_state "door") end
local function door(default, x)
  write("scripts/permutations/door.lua", ("return { default = %q, open = {}, shut = { cut = { { box = {"
    .. " at = { %g, 0, 5 }, size = { 1, 2, 4 } } } } } }"):format(default, x or 10.5))
end
]]

local DOOR = [[return {
  level = "house", default = "shut",
  shut = { cut = { { box = { at = { 10.5, 0, 5 }, size = { 1, 2, 4 } } } } },
  open = {},
}]]

local function run(script) return (mod:run(WORLD .. script):gsub("\t", " ")) end

describe("world:permutation with a name alone", function()
  it("takes the definition from the file of that name", function()
    mod:permutation("door", DOOR)
    assert.equal("true shut false", run [[
      local ok = world:permutation "door"
      world:step()
      print(ok, state(), is_open())
    ]])
  end)

  it("says where it looked, with a suggestion", function()
    mod:permutation("door", DOOR)
    assert.matches("^nil there is no permutation 'dor'; looked for scripts/permutations/dor.lua in MOD, .*"
      .. "Did you mean 'door'%? NOT_FOUND$", run 'print(world:permutation "dor")')
    assert.matches("there is no permutation '../door'", run 'print(world:permutation "../door")', 1, true)
  end)

  it("finds a file that is written later", function()
    assert.equal("nil true", run [[
      local before = world:permutation "door"
      door "open"
      print(before, (world:permutation "door"))
    ]])
  end)
end)

describe("leeward.permutations", function()
  it("gives the definitions of a level, or all", function()
    mod:permutation("door", DOOR)
    mod:permutation("lamp", [[return { level = { "garden", "house" }, on = {} }]])
    mod:permutation("loose", [[return { on = {} }]])
    assert.equal("door lamp/lamp/door lamp loose/", run [[
      local function names(level)
        local list = {}
        for name in pairs(leeward.permutations(level)) do
          local ships = { bridge = true, gate = true, lift = true, wall = true }
          if not ships[name] then list[#list + 1] = name end
        end
        table.sort(list)
        io.write(table.concat(list, " "), "/")
      end
      names "house" names "garden" names()
    ]])
  end)

  it("gives copies that world:permutation takes", function()
    mod:permutation("door", DOOR)
    assert.equal("shut 1 house shut false", run [[
      local found = leeward.permutations("house").door
      world:permutation("door", found)
      world:step()
      print(found.default, found.shut.cut[1].box.size[1], found.level, state(), is_open())
      found.shut.cut, found.default = nil, nil
      assert(leeward.permutations("house").door.shut.cut)
    ]])
  end)

  it("refuses what is no name", function()
    assert.error_matches(function() leeward.permutations(3) end,
      "permutations: level is 3, expected the name of a level", 1, true)
  end)
end)

describe("a patch", function()
  it("changes what it names: tables key by key, lists as a whole", function()
    local first = mods.new(mod)
    mod:permutation("door", DOOR)
    first:permutation("door", [[return { patch = true, default = "ajar", ajar = {},
      shut = { mark = { { box = { at = { 5, 0, 5 }, size = { 1, 1, 1 } }, area = "grass" } } } }]])
    assert.equal("ajar house 1 1 nil ajar", first:run(WORLD .. [[
      local door = leeward.permutations().door
      world:permutation "door"
      print(door.default, door.level, #door.shut.cut, #door.shut.mark, door.patch, state())
    ]]):gsub("\t", " "))
    first:permutation("door", [[return { patch = true, shut = { cut = {} } }]])
    assert.equal("shut true", first:run(WORLD .. [[
      world:permutation "door"
      world:step()
      print(state(), is_open())
    ]]):gsub("\t", " "))
    first:remove()
  end)

  it("may change one that ships", function()
    mod:permutation("bridge", [[return { patch = true, default = "fallen" }]])
    assert.equal("fallen true", run [[
      local bridge = leeward.permutations("courtyard").bridge
      print(bridge.default, bridge.rubble ~= nil)
    ]])
  end)

  it("needs something to change", function()
    mod:permutation("door", "return { patch = true, open = {} }")
    assert.matches("MOD/scripts/permutations/door.lua: patch is true, expected a scripts/permutations/door.lua in a "
      .. "root behind this one", run 'fails(world.permutation, world, "door")', 1, true)
  end)

  it("is named where it names a link that the world lacks, and else the file that does", function()
    local first = mods.new(mod)
    local NO_LINK = ", expected the name of a link; the world has none that has a name"
    local function message() return first:run(WORLD .. 'fails(world.permutation, world, "door")') end
    mod:permutation("door", DOOR)
    first:permutation("door", [[return { patch = true, ajar = { links = { lift = false } } }]])
    assert.equal("MOD/scripts/permutations/door.lua: ajar.links is 'lift'" .. NO_LINK, message())
    first:permutation("door", [[return { patch = true, default = "open" }]])
    mod:permutation("door", [[return { default = "shut", shut = { links = { lift = false } }, open = {} }]])
    assert.equal(mod.folder .. "/scripts/permutations/door.lua: shut.links is 'lift'" .. NO_LINK, message())
    first:remove()
  end)

  it("is named where it names a default that there is not", function()
    local first = mods.new(mod)
    mod:permutation("door", DOOR)
    first:permutation("door", [[return { patch = true, default = "opne" }]])
    assert.matches("MOD/scripts/permutations/door.lua: default is 'opne', expected 'open' or 'shut'. "
      .. "Did you mean 'open'?", first:run(WORLD .. 'fails(world.permutation, world, "door")'), 1, true)
    first:remove()
  end)

  it("is not needed to take the place of a file behind it", function()
    local first = mods.new(mod)
    mod:permutation("door", DOOR)
    first:permutation("door", "return { default = 'gone', gone = {} }")
    assert.equal("gone nil", first:run(WORLD .. [[
      print(leeward.permutations().door.default, leeward.permutations().door.shut)
    ]]):gsub("\t", " "))
    first:remove()
  end)
end)

describe("a wrong file", function()
  for text, message in pairs {
    ["return { open = 3 }"] = "open is 3, expected a table, as it is a state",
    ["return { level = 3, open = {} }"] = "level is 3, expected the name of a level or a list of names",
    ["return { level = { 3 }, open = {} }"] = "level[1] is 3, expected the name of a level",
    ["return { patch = 3, open = {} }"] = "patch is 3, expected true or false",
    ["return { level = 'house' }"] = "there is no state, expected at least one",
    ["return { default = {}, open = {} }"] = "default is a table, expected a string",
    ["return { open = { cut = { { box = { at = { 1, 0, 1 } } } } } }"] =
      "open.cut[1].box.size is nil, expected a point",
    ["return { open = { mark = { { box = { at = { 1, 0, 1 }, size = { 1, 1, 1 } }, area = 'lvaa' } } } }"] =
      "open.mark[1].area is 'lvaa', expected the name of an area",
  } do
    it("is refused with file and key: " .. message:match "^[%w_.%[%]]+ %w+", function()
      mod:permutation("door", text)
      local output = run [[
        fails(world.permutation, world, "door")
        fails(leeward.permutations, "house")
        print(#world:permutations())
      ]]
      local expected = "MOD/scripts/permutations/door.lua: " .. message
      local first, second, count = output:match "([^\n]*)\n([^\n]*)\n([^\n]*)"
      assert.equal(expected, first:sub(1, #expected))
      assert.equal(expected, second:sub(1, #expected))
      assert.equal("0", count)
    end)
  end

  it("has no functions", function()
    mod:permutation("door", "return {\n  open = os.exit() }")
    assert.matches("MOD/scripts/permutations/door.lua:2: unknown name 'os'",
      run 'fails(world.permutation, world, "door")', 1, true)
  end)
end)

describe("leeward.reload", function()
  it("defines an edited permutation again at the next step of each world that has it, in its state", function()
    assert.equal([[
MOD/scripts/permutations/door.lua 1
shut false
shut true
shut true
open true]], run [[
      door "shut"
      local other = new_world()
      for _, each in ipairs { world, other } do
        each:permutation "door"
        each:step()
      end
      other:set_permutation("door", "open")
      other:step()
      door("open", 500)
      local files = leeward.reload()
      print(files[1], #files)
      print(state(), is_open())
      world:step()
      print(state(), is_open())
      world:set_permutation("door", "shut")
      world:apply_changes()
      print(state(), is_open())
      other:step()
      print(state(other), is_open(other))
    ]])
  end)

  it("takes effect in world:apply_changes, too", function()
    assert.equal("false true", run [[
      door "shut"
      world:permutation "door"
      world:apply_changes()
      local before = is_open()
      door("shut", 500)
      leeward.reload()
      world:apply_changes()
      print(before, is_open())
    ]])
  end)

  it("leaves alone what a script has defined", function()
    assert.equal("shut false", run [[
      door "open"
      world:permutation "door"
      world:permutation("door", { shut = { cut = { { box = { at = { 10.5, 0, 5 }, size = { 1, 2, 4 } } } } } })
      door("open", 500)
      leeward.reload()
      world:step()
      print(state(), is_open())
    ]])
  end)

  it("finds nothing where nothing was edited", function()
    assert.equal("0 0", run [[
      door "shut"
      world:permutation "door"
      print(#leeward.reload(), #leeward.reload())
    ]])
  end)

  it("does not give agents new profiles", function()
    assert.equal("1 3.0 3.0", run [[
      local function speed(agent) return math.floor(agent:velocity():length() * 10 + 0.5) / 10 end
      leeward.profile("walker", { extends = "human" })
      door "open"
      world:permutation "door"
      local agent = world:spawn { profile = "walker", at = { 1, 0, 1 } }
      agent:move_to { 9, 0, 1 }
      world:step()
      local before = speed(agent)
      leeward.profile("walker", { extends = "human", speed = { normal = 1 } })
      door("open", 500)
      local files = leeward.reload()
      agent:despawn()
      local late = world:spawn { profile = { extends = "human" }, at = { 1, 0, 1 } }
      late:move_to { 9, 0, 1 }
      world:step()
      print(#files, before, speed(late))
    ]])
  end)

  it("says what is wrong, file and key, and changes nothing", function()
    assert.equal([[
nil MOD/scripts/permutations/door.lua: default is 'opne', expected 'open' or 'shut'. Did you mean 'open'? BAD_FILE
shut false
error: not reloaded, the previous data stay in use: MOD/scripts/permutations/door.lua: default is 'opne', ]]
      .. [[expected 'open' or 'shut'. Did you mean 'open'?
0]], run [[
      door "shut"
      world:permutation "door"
      door("opne", 500)
      print(leeward.reload())
      world:step()
      print(state(), is_open())
      world:reload()
      door "shut"
      print(#leeward.reload())
    ]])
  end)

  it("says that a world cannot take what a file says, and changes nothing", function()
    assert.equal([[
nil MOD/scripts/permutations/door.lua: shut.links is 'lift', ]]
      .. [[expected the name of a link; the world has none that has a name BAD_FILE
4.0 shut false
1 7.0]], run [[
      local function with_link(link, resistance)
        write("scripts/areas.lua", "return { patch = true, areas = { { name = \"mud\", resistance = "
          .. resistance .. " } } }")
        write("scripts/permutations/door.lua", "return { shut = { cut = { { box = { at = { 10.5, 0, 5 }, "
          .. "size = { 1, 2, 10 } } } }, links = { " .. link .. " } } }")
      end
      with_link("", 4)
      leeward.reload()
      world:permutation "door"
      with_link("lift = false", 7)
      print(leeward.reload())
      world:step()
      print(leeward.area("mud").resistance, state(), is_open())
      with_link("", 7)
      print(#leeward.reload(), leeward.area("mud").resistance)
    ]])
  end)

  it("says that the file of a permutation in use is removed", function()
    assert.matches("^nil permutation 'door': file is removed; looked for scripts/permutations/door.lua in MOD, .* "
      .. "BAD_FILE$", run [[
      door "shut"
      world:permutation "door"
      os.remove(MOD .. "/scripts/permutations/door.lua")
      print(leeward.reload())
    ]])
  end)

  it("forgets a file that is removed and that no world uses", function()
    assert.equal("1 MOD/scripts/permutations/door.lua nil", run [[
      door "shut"
      leeward.permutations()
      os.remove(MOD .. "/scripts/permutations/door.lua")
      local files = leeward.reload()
      print(#files, files[1], leeward.permutations().door)
    ]])
  end)

  it("forgets a removed file whose worlds are destroyed", function()
    assert.equal("1 MOD/scripts/permutations/door.lua", run [[
      door "shut"
      world:permutation "door"
      world:destroy()
      os.remove(MOD .. "/scripts/permutations/door.lua")
      local files = leeward.reload()
      print(#files, files[1])
    ]])
  end)

  it("notices a patch that comes and goes", function()
    local first = mods.new(mod)
    mod:permutation("door", DOOR)
    assert.equal("false true false", (first:run(WORLD .. [[
      world:permutation "door"
      local seen = {}
      local function look()
        leeward.reload()
        world:step()
        seen[#seen + 1] = tostring(is_open())
      end
      look()
      write("scripts/permutations/door.lua", "return { patch = true, shut = { cut = {} } }")
      look()
      os.remove(MOD .. "/scripts/permutations/door.lua")
      look()
      print(table.concat(seen, " "))
    ]])))
    first:remove()
  end)
end)

local LEVEL = [[return { geometry = function(leeward)
  local geometry = leeward.geometry()
  geometry:add_box { min = { 0, -1, 0 }, max = { 20, 0, 4 } }
  return geometry
end }]]
local BARRIER = [[return { level = "hall", default = "down", up = {},
  down = { cut = { { box = { at = { 10, 0, 2 }, size = { 1, 1, 4 } } } } } }]]

describe("leeward run", function()
  local SCENARIO = [[return { level = "MOD/hall.lua", seconds = 1,
    setup = function(world)
      print("setup", table.concat(world:permutations(), " "), world:path_exists({ 1, 0, 2 }, { 19, 0, 2 }))
      world:set_permutation("barrier", "up")
      return true
    end,
    report = function(world) return { tostring(world:path_exists({ 1, 0, 2 }, { 19, 0, 2 })) } end }]]

  before_each(function()
    mod:write("hall.lua", LEVEL)
    mod:write("pass.lua", (SCENARIO:gsub("MOD", mod.folder)))
    mod:permutation("barrier", BARRIER)
    mod:permutation("elsewhere", "return { level = 'attic', on = {} }")
  end)

  it("defines the permutations of the level, which a scenario may set", function()
    local status, output, errors = mod:program("run", "MOD/pass.lua", "--headless")
    assert.equal(0, status, errors)
    assert.truthy(output:find("setup\tbarrier\tfalse\n", 1, true), output)
    assert.truthy(output:find("\ntrue\n", 1, true), output)
  end)

  it("begins in the state that --permutation gives", function()
    local status, output, errors = mod:program("run", "MOD/pass.lua", "--headless", "--permutation", "barrier=up")
    assert.equal(0, status, errors)
    assert.truthy(output:find("setup\tbarrier\ttrue\n", 1, true), output)
  end)

  it("fails where a permutation's file is wrong", function()
    mod:permutation("barrier", "return { level = 'hall', default = 'dwon', down = {}, up = {} }")
    local status, _, errors = mod:program("run", "MOD/pass.lua", "--headless")
    assert.equal(1, status)
    assert.matches("leeward run: MOD/scripts/permutations/barrier.lua: default is 'dwon', expected 'down' or 'up'",
      errors, 1, true)
  end)

  it("shows two squads that turn when a bridge is cleared", function()
    local status, output, errors = mod:program("run", "courtyard_bridge", "--headless")
    assert.equal(0, status, errors)
    for _, squad in ipairs { "south", "north" } do
      local row = output:match("\n" .. squad .. " squad +([^\n]*)")
      local before, after, turned, arrived = row:match "([%d.]+) +([%d.]+) +([%d.]+) +(%d) of 3"
      assert.is_true(tonumber(after) < 0.8 * tonumber(before), output)
      assert.is_true(tonumber(turned) < 2.5, output)
      assert.equal("3", arrived)
    end
    assert.matches("goals reached 6, off mesh 0, stuck 0", output, 1, true)
  end)

  it("takes their picture when all of them have turned", function()
    local scenario = dofile "scripts/scenarios/courtyard_bridge.lua"
    local status, output, errors = mod:program("run", "courtyard_bridge", "--headless", "--seconds",
      tostring(scenario.picture.at))
    assert.equal(0, status, errors)
    for _, squad in ipairs { "south", "north" } do -- "-" while anyone has not
      assert.matches("\n" .. squad .. " squad +[%d.]+ +[%d.]+ +[%d.]+ +0 of 3", output)
    end
  end)

  it("says that another level has no such bridge", function()
    local status, _, errors = mod:program("run", "courtyard_bridge", "--level", "MOD/hall.lua", "--headless")
    assert.equal(1, status)
    assert.matches("level 'hall' has no permutation 'bridge' or no squads", errors, 1, true)
  end)
end)

describe("leeward path", function()
  local function path(...) return mod:program("path", "MOD/hall.lua", "1,0,2", "19,0,2", ...) end

  before_each(function()
    mod:write("hall.lua", LEVEL)
    mod:permutation("barrier", BARRIER)
    mod:permutation("flood", "return { level = 'hall', default = 'dry', dry = {}, wet = {} }")
  end)

  it("goes as the permutations of the level let it", function()
    local status, _, errors = path()
    assert.equal(1, status)
    assert.matches("leeward path: ", errors, 1, true)
    local output
    status, output, errors = path("--permutation", "flood=wet", "--permutation=barrier=up")
    assert.equal(0, status, errors)
    assert.matches("length 18.00 m", output, 1, true)
  end)

  it("says which permutation or state is unknown, before it bakes anything", function()
    for wrong, message in pairs {
      ["barier=up"] = "name is 'barier', expected the name of a permutation. Did you mean 'barrier'?",
      ["barrier=upp"] = "state is 'upp', expected 'down' or 'up'. Did you mean 'up'?",
    } do
      local status, _, errors = path("--permutation", wrong)
      assert.equal(1, status)
      assert.equal(("leeward path: --permutation is '%s': %s\n"):format(wrong, message), errors)
    end
    for _, wrong in ipairs { "up", "=up", "barrier=" } do
      local status, _, errors = path("--permutation", wrong)
      assert.equal(2, status)
      assert.matches(("leeward path: --permutation is '%s', expected NAME=STATE\n"):format(wrong), errors, 1, true)
    end
  end)

  it("says which levels have permutations where the file's name is that of another one", function()
    mod:write("renamed.lua", LEVEL)
    local status, _, errors = mod:program("path", "MOD/renamed.lua", "1,0,2", "19,0,2", "--permutation", "barrier=up")
    assert.equal(1, status)
    assert.matches("no permutation belongs to the level 'renamed', which is named by its file; "
      .. "levels that have some are 'courtyard', 'courtyard_breach', 'hall'\n", errors, 1, true)
  end)
end)

describe("the permutations that ship", function()
  local SOUTH_HEAD, NORTH_HEAD = { 0, 0, 13.5 }, { 0, 0, 4.5 } -- of the bridge
  local world
  setup(function()
    local level = dofile(assert(leeward.find("scripts/levels/courtyard.lua")))
    world = leeward.world { navmesh = assert(leeward.bake(level.geometry(leeward), level.bake)) }
    assert(world:permutation "bridge")
    assert(world:permutation "gate")
    assert(world:permutation "lift")
  end)
  teardown(function() world:destroy() end)

  local function length(from, to, profile)
    local path = world:find_path { from = from, to = to, profile = profile }
    return path and path:length() or math.huge
  end

  local function set(name, state)
    world:set_permutation(name, state)
    world:apply_changes()
  end

  it("are those of their levels", function()
    local function names(level)
      local list = {}
      for name in pairs(leeward.permutations(level)) do list[#list + 1] = name end
      table.sort(list)
      return list
    end
    assert.same({ "bridge", "gate", "lift" }, names "courtyard")
    assert.same({ "wall" }, names "courtyard_breach")
  end)

  it("begin with a bridge that is blocked, a gate that is open, and a lift that is stopped", function()
    assert.same({ "rubble", "open", "stopped" }, { (world:permutation_state "bridge"),
      (world:permutation_state "gate"), (world:permutation_state "lift") })
  end)

  it("let nobody cross a bridge in rubble or without its deck, and everybody a cleared one", function()
    for _, state in ipairs { "rubble", "cleared", "fallen" } do
      set("bridge", state)
      for _, profile in ipairs { "soldier", "car", "dog" } do
        local metres = length(SOUTH_HEAD, NORTH_HEAD, profile)
        assert.equal(state == "cleared", metres < 9.5, state .. " " .. profile)
        assert.is_true(metres < 150)
      end
      assert.is_near(30, length({ -10, -2.4, 9 }, { 20, -2.4, 9 }, "dog"), 0.5) -- the canal below it
    end
    set("bridge", "rubble")
  end)

  it("let men up to the balcony by a lift that runs, and by the stairs while it is stopped", function()
    local ARCADE, BALCONY = { 2, 0, -17.7 }, { 2, 3.2, -17.7 }
    assert.equal("stopped", (world:permutation_state "lift"))
    assert.is_true(length(ARCADE, BALCONY, "soldier") > 30)
    set("lift", "running")
    local path = assert(world:find_path { from = ARCADE, to = BALCONY, profile = "soldier" })
    assert.equal("lift", path:links()[1].name)
    assert.is_near(2 + 6 + 2, path:length(), 0.3)
    set("lift", "stopped")
    assert.is_true(length(ARCADE, BALCONY, "soldier") > 30)
  end)

  it("keep cars out of the yard by a shut gate, and let men in by the door", function()
    local OUTSIDE, INSIDE = { 0, 0, -23 }, { 0, 0, -17 }
    assert.is_true(length(OUTSIDE, INSIDE, "car") < 7)
    set("gate", "shut")
    assert.equal(math.huge, length(OUTSIDE, INSIDE, "car"))
    assert.is_true(length(OUTSIDE, INSIDE, "soldier") > 30)
    set("gate", "open")
    assert.is_true(length(OUTSIDE, INSIDE, "soldier") < 7)
  end)
end)
