-- What the program says of mistakes in files and options: which file or option, which field, what was expected. No
-- traceback: that is for errors in code.
local mods = require "support.mods"
local shell = require "support.shell"

local BUILD = os.getenv("BUILD") or "build"
local ROUTE = "return { setup = function() end, level = 'LEVEL', seconds = 0.1, %s }"
local LEVEL = [[
return {
  geometry = function(leeward)
    local geometry = leeward.geometry()
    geometry:add_box { min = { 0, -1, 0 }, max = { 6, 0, 6 } }
    return geometry
  end,
  %s
}
]]

-- A bed that falls by one in ten under water.
local LAKE = [[
return { geometry = function(leeward)
  local geometry = leeward.geometry()
  geometry:add_ramp { from = { 30, -3, 5 }, to = { 0, 0, 5 }, width = 10 }
  geometry:add_water { polygon = { { -1, 0, -1 }, { 31, 0, -1 }, { 31, 0, 11 }, { -1, 0, 11 } }, level = 0 }
  return geometry
end }
]]

local mod
before_each(function() mod = mods.new() end)
after_each(function() mod:remove() end)

--- Exit status, standard error, standard output; MOD stands for the mod's folder, in arguments, too.
local function leeward(...)
  local status, output, errors = mod:program(...)
  return status, errors, output
end

--- What a command of the shell prints in the mod's folder.
local function in_mod(command) return shell(("cd '%s' && { %s; }"):format(mod.folder, command)) end

--- That the command fails with this status and exactly this message.
local function fails(status, message, ...)
  local got, errors = leeward(...)
  assert.equal(message .. "\n", errors)
  assert.equal(status, got)
end

--- That the command is called wrongly, and what it says first.
local function is_wrong(message, ...)
  local status, errors = leeward(...)
  assert.equal(("leeward %s: %s"):format((...), message), errors:match("^[^\n]*"))
  assert.matches("\nusage: leeward " .. ... .. " [^\n]*; %-%-help explains them\n$", errors)
  assert.equal(2, status)
end

describe("a mistake in a level", function()
  for text, message in pairs {
    ["bake = { cel_size = 3 }"] = "unknown key 'bake.cel_size'. Did you mean 'cell_size'?",
    ["bake = { cell_size = -1 }"] = "bake.cell_size is -1, expected metres > 0",
    ["bake = { threads = 1000 }"] = "bake.threads is 1000, expected a whole number from 0 to 256",
    ["bake = { bounds = { { 0, 0, 0 }, { 0, 1, 1 } } }"] =
      "bake.bounds is an empty box, expected min below max on every axis",
    ["bake = 3"] = "bake is 3, expected a table of settings",
    ["name = 3"] = "name is 3, expected a string",
    ["spawns = 'x'"] = "spawns is 'x', expected a table",
    ["geometry = 3"] = "geometry is 3, expected a function(leeward) that returns a geometry",
    ["geometry = function() end"] = "result of geometry is nil, expected a geometry",
    ["geometry = function(leeward) return leeward.load_geometry 'nope.obj' end"] =
      "cannot read 'nope.obj': No such file or directory",
    ["geometry = function(leeward) return leeward.vec3(1, 2, 3) end"] =
      "result of geometry is a userdata, expected a geometry",
  } do
    it(("names file and field: %s"):format(text), function()
      mod:write("level.lua", LEVEL:format(text))
      fails(1, "leeward bake: MOD/level.lua: " .. message, "bake", "MOD/level.lua", "MOD/x.lwn")
    end)
  end

  it("that shows only together with an option has no traceback either", function()
    mod:write("level.lua", LEVEL:format "bake = { occluders = false }")
    local status, errors = leeward("bake", "MOD/level.lua", "MOD/x.lwn", "--visibility-table-range", "5")
    assert.equal("leeward bake: cannot bake level: visibility_table_range is 5, expected 0 without occluders and "
      .. "cover_map, as nothing is hidden\n", errors)
    assert.equal(1, status)
  end)
end)

describe("a mistake in a scenario", function()
  for text, message in pairs {
    ["level = 3"] = "level is 3, expected the name or the file of a level",
    ["seconds = 'x'"] = "seconds is 'x', expected seconds > 0",
    ["seconds = -1"] = "seconds is -1, expected seconds > 0",
    ["seed = 'x'"] = "seed is 'x', expected a whole number",
    ["seed = 1.5"] = "seed is 1.5, expected a whole number",
    ["step = 3"] = "step is 3, expected a function(world)",
    ["report = 3"] = "report is 3, expected a function(world) that returns rows of text",
    ["picture = 3"] = "picture is 3, expected a table",
    ["picture = { at = -1 }"] = "picture.at is -1, expected seconds >= 0",
    ["picture = { titel = '' }"] = "unknown key 'picture.titel'. Did you mean 'title'?",
    ["picture = { layers = 'areas' }"] = "picture.layers is 'areas', expected a list of names",
    ["setup = true"] = "setup is true, expected a function(world, leeward, level)",
  } do
    it(("names file and field: %s"):format(text), function()
      mod:write("level.lua", LEVEL:format "")
      mod:write("route.lua", ROUTE:gsub("LEVEL", mod.folder .. "/level.lua"):format(text))
      fails(1, "leeward run: MOD/route.lua: " .. message, "run", "MOD/route.lua", "--headless")
    end)
  end

  --- What the run of such a scenario prints last on standard error, its status, and its output.
  local function last_words(text, ...)
    mod:write("level.lua", LEVEL:format "")
    mod:write("route.lua", ROUTE:gsub("LEVEL", mod.folder .. "/level.lua"):format(text))
    local status, errors, output = leeward("run", "MOD/route.lua", "--headless", ...)
    return errors:match("([^\n]*)\n$"), status, output
  end

  it("shows in what its functions return", function()
    for _, result in ipairs { "3", "{ true }", "{ { {} } }", "nil" } do
      local message, status, output = last_words(("report = function() return %s end"):format(result))
      assert.equal(("leeward run: MOD/route.lua: result of report is %s, expected a list of rows, each a text or a "
        .. "list of texts, one a column"):format(result:gsub("{.*", "a table")), message)
      assert.equal(1, status)
      assert.matches("\ngoals reached 0, ", output)
    end
    assert.equal("leeward run: scenario 'MOD/route.lua': no", (last_words "setup = function() return false, 'no' end"))
    assert.equal("leeward run: MOD/route.lua: result of setup is false, expected true, or nil and a message",
      (last_words "setup = function() return false end"))
    assert.equal(0, (select(2, last_words "report = function() return {} end")))
  end)

  it("is not a report whose rows have one column", function()
    local _, status, output = last_words "report = function() return { 'north', 7, { 'south', 'east' } } end"
    assert.equal(0, status)
    assert.matches("\nnorth\n7\nsouth  east\ngoals reached 0, ", output)
  end)

  it("shows in its picture's layers", function()
    local message, status, output = last_words("picture = { layers = { 'aeras' } }", "--picture", "MOD/x.png")
    if message:find("leeward_sdl cannot be loaded", 1, true) then pending("built without the window") end
    assert.matches("leeward run: MOD/route.lua: picture.layers[1] is 'aeras', expected 'areas'", message, 1, true)
    assert.equal("", output) -- before the bake
    assert.equal(1, status)
  end)
end)

describe("a level that is no ordinary file", function()
  it("is told so", function()
    in_mod "mkdir folder.obj"
    fails(1, "leeward bake: cannot read 'MOD/folder.obj': it is a directory", "bake", "MOD/folder.obj", "MOD/x.lwn")
    fails(1, "leeward bake: cannot read '/dev/zero': it is not an ordinary file", "bake", "/dev/zero", "MOD/x.lwn")
  end)
end)

describe("a mistake in a mod", function()
  it("has no traceback where areas.lua has it", function()
    mod:write("scripts/areas.lua", "return { patch = true, areas = { { name = 'x', speed = 0 } } }")
    fails(1, "leeward: MOD/scripts/areas.lua: areas[1].speed is 0, expected a number > 0 and <= 1000", "profile")
  end)

  it("has no traceback where a level misses an area of it", function()
    mod:write("scripts/areas.lua", "return { areas = { { name = 'x' } } }")
    local status, errors = leeward("bake", "courtyard", "MOD/x.lwn")
    assert.matches("known are x; MOD/scripts/areas.lua replaces the areas of other roots, as it does not say `patch = "
      .. "true`\n$", errors)
    assert.equal(1, status)
  end)

  it("has a traceback where Lua code raises it", function()
    for _, code in ipairs { "error 'here'", "assert(false, 'here')", "local here; here()" } do
      mod:write("level.lua", ("return function() %s end"):format(code))
      local status, errors = leeward("bake", "MOD/level.lua", "MOD/x.lwn")
      assert.matches("leeward bake: .*here.*\nstack traceback:\n.*MOD/level.lua:1: in function", errors)
      assert.equal(1, status)
    end
  end)

  it("has no traceback where a profile has it", function()
    mod:profile("bad", "return { radius = -1 }")
    fails(1, "leeward path: --profile is 'bad': MOD/scripts/profiles/bad.lua: radius is -1, expected metres from 0 to "
      .. "1000", "path", "courtyard", "0,0,0", "1,0,0", "--profile", "bad")
  end)
end)

describe("an option out of range", function()
  it("of a bake is told with the range that the library has", function()
    local threads = "expected a whole number from 0 to 256"
    for option, cases in pairs {
      ["--threads"] = { { "1000", threads }, { "-1", threads }, { "1.5", threads }, { "x", threads } },
      ["--agent-slope"] = { { "95", "expected degrees from 0 to 90" }, { "nan", "expected degrees from 0 to 90" } },
      ["--cell-size"] = { { "0", "expected metres > 0" }, { "x", "expected metres > 0" } },
      ["--depths"] = {
        { "-1", "expected metres > 0 and <= 2.5" }, { "0.4,x", "expected metres > 0.4 and <= 2.5" },
        { "1,1", "expected metres > 1 and <= 2.5" }, { "1,", "expected metres > 1 and <= 2.5" },
        { "0,1", "expected metres > 0 and <= 2.5" },
        { ".1,.2,.3,.4,.5,.6,.7,.8,.9", "expected a list of up to 8 depths, rising" },
      },
      ["--heights"] = { { "2,x", "expected metres > 2 and <= 12.7" }, { "13", "expected metres > 0 and <= 12.7" } },
      ["--crouch-height"] = { { "-1", "expected metres >= 0" } },
      ["--climbs"] = {
        { "3", "expected metres > 0 and <= 2.5" }, { "0.3,0.2", "expected metres > 0.3 and <= 2.5" },
        { ".1,.2,.3,.4,.5,.6,.7,.8,.9", "expected a list of up to 8 climbs, rising" },
      },
      ["--openness-range"] = { { "-1", "expected metres >= 0" } },
      ["--bounds"] = {
        { "1,2,3", "expected two points x,y,z:x,y,z within +-1000000 metres" },
        { "1,2,3:4,5", "expected two points x,y,z:x,y,z within +-1000000 metres" },
      },
    } do
      for _, case in ipairs(cases) do
        is_wrong(("%s is '%s', %s"):format(option, case[1], case[2]), "bake", "courtyard", "MOD/x.lwn", option, case[1])
      end
    end
    is_wrong("--bounds is '1,2,3:0,5,6', expected min below max on every axis", "bake", "courtyard", "MOD/x.lwn",
      "--bounds", "1,2,3:0,5,6")
  end)

  it("of a path is told, too", function()
    mod:write("level.lua", LEVEL:format "")
    local status, errors = leeward("path", "MOD/level.lua", "1,0,1", "5,0,1", "--threat", "1,2,3", "--threat",
      "1,2,1e9")
    assert.matches("leeward path: --threat is '1,2,1e9', expected a point x,y,z within +-1000000 metres\nusage:",
      errors, 1, true)
    assert.falsy(errors:find("traceback", 1, true))
    assert.equal(2, status)
  end)
end)

describe("every setting of a bake", function()
  it("is an option", function()
    local _, _, help = leeward("bake", "--help")
    local stub = assert(io.open("bindings/meta/bake.lua"))
    local text = stub:read("a"):match("class leeward%.BakeSettings\n(.-)\n\n")
    stub:close()
    local without = { tiles = true, links = true, progress = true, auto_links = true }
    for _, name in ipairs { "--auto-drop", "--auto-jump" } do assert.matches("  " .. name, help, 1, true) end
    local count = 0
    for key in text:gmatch("@field (%l[%l_]*)") do
      local name = key:gsub("_", "-")
      assert.truthy(without[key] or help:find("  --" .. name, 1, true) or help:find("  --no-" .. name, 1, true), key)
      count = count + 1
    end
    assert.is_true(count > 20)
  end)

  it("reaches the bake", function()
    mod:write("level.lua", LEVEL:format "")
    local status, errors, output = leeward("bake", "MOD/level.lua", "MOD/x.lwn", "--bounds", "0,-2,0:3,2,3",
      "--openness-range", "0", "--depths", "0.5")
    assert.equal(0, status, errors)
    assert.matches("bounds (0.6, 0, 0.6) to (3, 0, 3);", output, 1, true)
    assert.matches(", openness 1%.00,", output)
  end)

  it("reaches the bake as a list", function()
    mod:write("level.lua", LAKE)
    local count = {}
    for i, depths in ipairs { "0", "0.5", "0.5,1.5" } do
      local status, errors = leeward("bake", "MOD/level.lua", "MOD/x.lwn", "--depths", depths)
      assert.equal(0, status, errors)
      count[i] = #assert(require "leeward".load_navmesh(mod.folder .. "/x.lwn")):polygons()
    end
    assert.is_true(count[1] < count[2] and count[2] < count[3], table.concat(count, " "))
  end)
end)

describe("seeds of a bake", function()
  it("are options", function()
    mod:write("level.lua", LEVEL:format "")
    local status, errors, output = leeward("bake", "MOD/level.lua", "MOD/x.lwn", "--seeds", "1,0,1",
      "--seeds", "9,90,9")
    assert.equal(0, status, errors)
    assert.matches("seed 2 at (9, 90, 9) does not count: no ground is within 2 m of it", output .. errors, 1, true)
    is_wrong("--seeds is '1,2', expected a point x,y,z within +-1000000 metres", "bake", "MOD/level.lua", "MOD/x.lwn",
      "--seeds", "1,2")
  end)
end)

describe("leeward help", function()
  it("explains a command", function()
    local status, _, output = leeward("help", "bake")
    assert.equal(0, status)
    assert.equal(select(3, leeward("bake", "--help")), output)
  end)

  it("refuses a command that does not exist", function()
    fails(2, "leeward: unknown command 'bkae'. Did you mean 'bake'? `leeward --help` lists them all", "help", "bkae")
  end)
end)

describe("leeward run", function()
  it("says what its microseconds are of", function()
    mod:write("level.lua", LEVEL:format "")
    mod:write("route.lua", ROUTE:gsub("LEVEL", mod.folder .. "/level.lua"):format "")
    local _, _, output = leeward("run", "MOD/route.lua", "--headless")
    assert.matches("  worst search us  mean search us\n", output)
  end)
end)

describe("an empty word", function()
  it("names nothing", function()
    is_wrong("IN is '', expected a name", "bake", "", "x.lwn")
    is_wrong("OUT is '', expected a name", "bake", "courtyard", "")
    is_wrong("PART is '', expected a name", "merge", "x.lwn", "")
    is_wrong("--picture is '', expected a name", "run", "roam", "--picture", "")
    is_wrong("--level is '', expected a name", "run", "roam", "--level=")
  end)
end)

describe("a file of another kind", function()
  local OBJ = "v 0 0 0\nv 9 0 0\nv 9 0 9\nf 3 2 1\n"

  it("is not replaced by a navmesh, least of all the level itself", function()
    mod:write("a.obj", OBJ)
    in_mod "ln -s a.obj link.obj; mkdir -p b scripts/levels; echo 's 1 1 1' > a.gset"
    mod:write("scripts/levels/own.lua", LEVEL:format "name = 'own'")
    local levels = { "MOD/a.obj", "own" }
    local before = in_mod "cat a.obj a.gset scripts/levels/own.lua"
    for _, name in ipairs { "MOD/a.obj", "MOD/./a.obj", "MOD/b/../a.obj", "MOD/link.obj", "MOD/a.gset",
      "MOD/scripts/levels/own.lua" } do
      for _, level in ipairs(levels) do
        fails(1, ("leeward bake: OUT is '%s', a file of another kind, expected a new file or a navmesh file to replace")
          :format(name), "bake", level, name)
      end
    end
    local text = "leeward %s: OUT is 'MOD/a.obj', a file of another kind, "
      .. "expected a new file or a navmesh file to replace"
    fails(1, text:format "import", "import", "MOD/a.obj", "MOD/a.obj")
    fails(1, text:format "merge", "merge", "MOD/a.obj", "MOD/part.lwn")
    assert.equal(before, in_mod "cat a.obj a.gset scripts/levels/own.lua")
  end)

  it("is not replaced by a picture", function()
    mod:write("a.obj", OBJ)
    fails(1, "leeward run: --picture is 'MOD/a.obj', a file of another kind, expected a new file or a PNG picture to "
      .. "replace", "run", "roam", "--headless", "--seconds", "1", "--picture", "MOD/a.obj")
    assert.equal(OBJ, (in_mod "cat a.obj"))
  end)

  it("does not stand for an empty file or an older navmesh, which are replaced", function()
    in_mod "touch x.lwn"
    for _ = 1, 2 do assert.equal(0, (leeward("bake", "courtyard", "MOD/x.lwn"))) end
  end)
end)

describe("a navmesh file that cannot be written", function()
  it("is refused before the bake", function()
    in_mod "ln -s nowhere/x.lwn link.lwn; mkfifo pipe.lwn; mkdir folder.lwn; touch file"
    for name, reason in pairs {
      ["/dev/full"] = "it is not an ordinary file",
      ["MOD/pipe.lwn"] = "it is not an ordinary file",
      ["MOD/folder.lwn"] = "it is a directory",
      ["MOD/nowhere/x.lwn"] = "its folder does not exist",
      ["MOD/link.lwn"] = "it is a link into a folder that does not exist",
      ["MOD/file/x.lwn"] = "Not a directory",
    } do
      fails(1, ("leeward bake: cannot write '%s': %s"):format(name, reason), "bake", "courtyard", name)
    end
    assert.equal("file\nfolder.lwn\nlink.lwn\npipe.lwn\n", (in_mod "ls | grep -v -e scripts -e stderr"))
  end)
end)

describe("standard output that cannot be written", function()
  it("is a failure", function()
    for _, redirection in ipairs { ">/dev/full", ">&-" } do
      local pipe = assert(io.popen(("{ '%s/leeward' profile soldier %s; } 2>&1; echo $?"):format(BUILD, redirection)))
      assert.equal("leeward: cannot write the standard output: its disk is full, or it is closed\n1\n", pipe:read "a")
      pipe:close()
    end
  end)
end)

describe("a misspelt folder in LEEWARD_PATH", function()
  it("is named once", function()
    for _, program in ipairs { BUILD .. "/leeward lua", ("LUA_CPATH='%s' lua5.4"):format(package.cpath) } do
      mod:write("twice.lua", "require 'leeward' package.loaded.behaviors = nil require 'behaviors' print 'done'")
      local command = "LEEWARD_PATH='MOD;MOD/mods/x:MOD/twice.lua:MOD/scripts' %s 'MOD/twice.lua' 2>&1"
      local pipe = assert(io.popen((command:gsub("MOD", mod.folder):format(program))))
      local output = pipe:read("a"):gsub(mod.folder:gsub("%p", "%%%0"), "MOD")
      pipe:close()
      local warning = "leeward: LEEWARD_PATH: '%s' is not a folder, expected folders separated by ';' or ':'\n"
      local inner = "leeward: LEEWARD_PATH: 'MOD/scripts' has no folder scripts or behaviors, expected one of them "
        .. "in it\n"
      assert.equal(warning:format "MOD/mods/x" .. warning:format "MOD/twice.lua" .. inner .. "done\n", output)
    end
  end)
end)
