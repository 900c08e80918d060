-- The program as a user calls it: a process, its two outputs, its exit status.

local BUILD = os.getenv("BUILD") or "build"
local COMMANDS = { "run", "bake", "merge", "import", "path", "exposure", "profile", "view", "lua", "test", "new" }

local function quote(word) return "'" .. word:gsub("'", "'\\''") .. "'" end

local folder -- a temporary one, for every test

local function file(name, text)
  local path = folder .. "/" .. name
  if text then
    local handle = assert(io.open(path, "wb"))
    handle:write(text)
    handle:close()
  end
  return path
end

local function contents(path)
  local handle = io.open(path, "rb")
  if not handle then return nil end
  local text = handle:read("a")
  handle:close()
  return text
end

-- leeward(word, ...) --> exit status, standard output, standard error
local function leeward(...)
  local words = {}
  for _, word in ipairs { BUILD .. "/leeward", ... } do words[#words + 1] = quote(word) end
  local errors = file("stderr")
  local handle = assert(io.popen(table.concat(words, " ") .. " 2>" .. quote(errors)))
  local output = handle:read("a")
  local _, _, status = handle:close()
  return status, output, contents(errors)
end

local function last_line(text) return text:match("([^\n]*)\n*$") end

-- A floor of 10 x 6 m with a wall across it that leaves 2 m free at one end.
local TINY = [[
return {
  name = "tiny",
  geometry = function(leeward)
    local geometry = leeward.geometry()
    geometry:add_mesh {
      vertices = { { 0, 0, 0 }, { 0, 0, 8 }, { 10, 0, 8 }, { 10, 0, 0 } }, indices = { 1, 2, 3, 1, 3, 4 },
    }
    geometry:add_box { min = { 4.8, 0, 0 }, max = { 5.2, 2, 4 }, area = false }
    return geometry
  end,
  bake = { cell_size = 0.2, agent_radius = 0.4 },
}
]]

-- The same floor without the wall, one half road, as another program would export it.
local FLOOR_OBJ = [[
v 0 0 0
v 0 0 6
v 5 0 6
v 5 0 0
v 10 0 6
v 10 0 0
usemtl floor
f 1 2 3 4
usemtl Road.001
f 4 3 5 6
]]

local STROLL = [[
return {
  seed = 3, seconds = 2,
  setup = function(world)
    for _, z in ipairs { 2, 3, 4 } do
      local agent = assert(world:spawn { profile = "soldier", at = { 1, 0, z } })
      assert(agent:move_to { 3, 0, z })
    end
  end,
}
]]

describe("leeward", function()
  setup(function()
    local handle = assert(io.popen("mktemp -d"))
    folder = handle:read("l")
    handle:close()
  end)
  teardown(function() os.execute("rm -rf " .. quote(folder)) end)

  describe("the program", function()
    it("lists its commands", function()
      local status, output = leeward("--help")
      assert.equal(0, status)
      for _, command in ipairs(COMMANDS) do assert.truthy(output:find("\n  " .. command .. " ", 1, true), command) end
    end)

    it("says how it is called when it is called without anything", function()
      local status, output, errors = leeward()
      assert.equal(2, status)
      assert.equal("", output)
      assert.truthy(errors:find("usage: leeward COMMAND", 1, true))
    end)

    it("lets Lua's collector work in small steps", function()
      local status, output = leeward("lua", file("steps.lua", 'print(collectgarbage("setstepmul", 100))'))
      assert.equal(0, status)
      assert.equal("4\n", output)
    end)

    it("tells its version", function()
      local status, output = leeward("--version")
      assert.equal(0, status)
      assert.truthy(output:match("^leeward %d+%.%d+%.%d+\n$"))
    end)

    it("suggests the command that was meant", function()
      local status, _, errors = leeward("bak")
      assert.equal(2, status)
      assert.truthy(errors:find("unknown command 'bak'. Did you mean 'bake'?", 1, true))
    end)
  end)

  for _, command in ipairs(COMMANDS) do
    it(command .. " --help says what it takes", function()
      local status, output = leeward(command, "--help")
      assert.equal(0, status)
      assert.equal("usage: leeward " .. command, output:match("^usage: leeward %l+"))
      assert.truthy(output:find("--help", 1, true))
    end)

    it(command .. " refuses an option that it does not have", function()
      local status, output, errors = leeward(command, "--colour")
      assert.equal(2, status)
      assert.equal("", output)
      assert.truthy(errors:find(command .. ": unknown option '--colour'", 1, true))
    end)
  end

  describe("options", function()
    it("are suggested when misspelt", function()
      local _, _, errors = leeward("run", "courtyard", "--secnds", "3")
      assert.truthy(errors:find("Did you mean '--seconds'?", 1, true))
    end)

    it("are checked", function()
      for _, value in ipairs { "-1", "0", "nan", "inf", "soon" } do
        local status, _, errors = leeward("run", "courtyard", "--seconds", value)
        assert.equal(2, status)
        assert.truthy(errors:find(("--seconds is '%s', expected seconds > 0 and <= 1000000"):format(value), 1, true))
      end
    end)

    it("need their value", function()
      local status, _, errors = leeward("run", "courtyard", "--seed")
      assert.equal(2, status)
      assert.truthy(errors:find("--seed is missing its value, expected N", 1, true))
    end)

    it("are given once", function()
      local status, _, errors = leeward("run", "courtyard", "--seed", "1", "--seed=2")
      assert.equal(2, status)
      assert.truthy(errors:find("--seed is given twice", 1, true))
    end)

    it("do not replace arguments", function()
      local status, _, errors = leeward("bake", "courtyard")
      assert.equal(2, status)
      assert.truthy(errors:find("OUT is missing", 1, true))
      status, _, errors = leeward("bake", "a", "b", "c")
      assert.equal(2, status)
      assert.truthy(errors:find("unexpected argument 'c'", 1, true))
    end)
  end)

  describe("bake and path", function()
    local navmesh

    setup(function()
      navmesh = file("tiny.lwn")
      local status, output = leeward("bake", file("tiny.lua", TINY), navmesh)
      assert.equal(0, status)
      assert.truthy(output:find("^tiny: %d+ polygons"))
    end)

    it("walk round the wall", function()
      local status, output = leeward("path", navmesh, "1,0,1", "9,0,1")
      assert.equal(0, status)
      -- Straight it is 8 m; round the wall's end at z 4, 0.4 m away from it: twice hypot(3.4, 3.4) and 1.2 m beyond.
      local length = tonumber(last_line(output):match("length ([%d.]+) m"))
      assert.is_true(length > 10 and length < 12, tostring(length))
    end)

    it("take a profile", function()
      local status, output = leeward("path", navmesh, "1,0,1", "9,0,1", "--profile", "car")
      assert.equal(0, status)
      local length, cost = last_line(output):match("length ([%d.]+) m, cost ([%d.]+)")
      -- Its radius is 0.7 m more than the mesh was baked for: it starts at 1.1, 1.1 and keeps so far from the wall's
      -- end. Two tangents of 4.61 m, two arcs of 0.66 m and 1.2 m between; less where the bake cuts corners.
      assert.is_true(tonumber(length) > 11.1 and tonumber(length) < 11.8)
      assert.is_true(math.abs(10 * tonumber(length) - tonumber(cost)) < 0.2) -- 1 + 18 * 0.5 a metre
    end)

    it("measure exposure only where something hides", function()
      local plain = file("plain.lua", TINY:gsub("agent_radius", "occluders = false, agent_radius"))
      local status, _, errors = leeward("exposure", plain)
      assert.equal(1, status)
      assert.truthy(errors:find("leeward exposure: tiny: the navmesh has no occluders: it hides nothing", 1, true))
      status, _, errors = leeward("exposure", plain, "--stance", "prone")
      assert.equal(2, status)
      assert.truthy(errors:find("--stance is 'prone', expected stand or crouch", 1, true))
    end)

    it("take a quality", function()
      assert.equal(0, (leeward("path", navmesh, "1,0,1", "9,0,1", "--profile", "car", "--quality", "fast")))
      local status, _, errors = leeward("path", navmesh, "1,0,1", "9,0,1", "--quality", "best")
      assert.equal(2, status)
      assert.truthy(errors:find("--quality is 'best', expected good, fast or exact", 1, true), errors)
    end)

    it("say why there is no path", function()
      local status, output, errors = leeward("path", navmesh, "1,0,1", "90,0,1")
      assert.equal(1, status)
      assert.equal("", output)
      assert.truthy(errors:find("^leeward path: to is %(90, 0, 1%), expected a navmesh"))
    end)

    it("know which profiles there are", function()
      local status, _, errors = leeward("path", navmesh, "1,0,1", "9,0,1", "--profile", "soldeir")
      assert.equal(1, status)
      assert.truthy(errors:find("soldeir", 1, true))
    end)

    it("take points with a minus", function()
      local status, _, errors = leeward("path", navmesh, "-1,0,1", "9,0,1")
      assert.equal(0, status, errors)
    end)

    it("refuse what is no point", function()
      for _, text in ipairs { "1,0", "1,0,nan", "1,0,2,3", "a,b,c" } do
        local status, _, errors = leeward("path", navmesh, text, "9,0,1")
        assert.equal(2, status)
        assert.truthy(errors:find(("FROM is '%s', expected a point x,y,z"):format(text), 1, true))
      end
    end)

    it("read what other programs export", function()
      local status, _, errors = leeward("bake", file("floor.obj", FLOOR_OBJ), file("floor.lwn"))
      assert.equal(0, status, errors)
      local output
      status, output = leeward("path", file("floor.lwn"), "1,0,3", "9,0,3")
      assert.equal(0, status)
      assert.truthy(output:find("  ground\n", 1, true))
      assert.truthy(output:find("  road\n", 1, true))
    end)

    it("hand settings to the bake and print what it rounded", function()
      local status, _, errors = leeward("bake", file("tiny.lua"), file("fine.lwn"), "--agent-climb", "0.75",
        "--cell-height", "0.2")
      assert.equal(0, status)
      assert.truthy(errors:find("\nnote: [^\n]*climb"), errors)
    end)

    it("refuse settings that make no sense", function()
      local status, _, errors = leeward("bake", file("tiny.lua"), file("x.lwn"), "--cell-size", "0")
      assert.equal(2, status)
      assert.truthy(errors:find("--cell-size is '0', expected metres > 0", 1, true), errors)
    end)

    it("name the file that is missing", function()
      local status, _, errors = leeward("bake", "nowhere.obj", file("x.lwn"))
      assert.equal(1, status)
      assert.truthy(errors:find("nowhere.obj", 1, true))
    end)

    it("show where a level's code fails", function()
      local broken = file("broken.lua", "return {\n  geometry = function() error('no walls') end,\n}\n")
      local status, _, errors = leeward("bake", broken, file("x.lwn"))
      assert.equal(1, status)
      assert.truthy(errors:find("broken.lua:2: no walls", 1, true))
    end)
  end)

  describe("bake with links", function()
    local LINKS = "c 1 0 3  1 4 3  0.5 0 5 8\nc 1 0 2  9 0 2  0.5 1 5 8\n"

    setup(function()
      file("linked.obj", FLOOR_OBJ)
      file("linked.gset", LINKS)
      file("other.gset", "c 1 0 2  9 0 2  0.5 1 8 8\n")
      file("bad.gset", "c 1 0 2\n")
    end)

    it("reads NAME.gset beside the level, and says why links are refused", function()
      local status, output = leeward("bake", file "linked.obj", file "linked.lwn")
      assert.equal(0, status)
      assert.truthy(output:find(", 1 off-mesh link, 1 refused, ", 1, true), output)
      assert.truthy(output:find("\nlink 1, a jump from (1, 0, 3) to (1, 4, 3), is refused: the nearest navmesh is"
        .. " 4.00 m from its 'to', more than its radius 0.5 m\n", 1, true), output)
    end)

    it("reads another file, or none", function()
      local _, output = leeward("bake", file "linked.obj", file "linked.lwn", "--links", file "other.gset")
      assert.truthy(output:find(", 1 off-mesh link, 0 refused", 1, true), output)
      _, output = leeward("bake", file "linked.obj", file "linked.lwn", "--no-links")
      assert.falsy(output:find("off-mesh", 1, true), output)
      _, output = leeward("run", "roam", "--level", file "linked.obj", "--seconds", "1", "--headless")
      assert.truthy(output:find(", 1 off-mesh link, 1 refused", 1, true), output)
    end)

    it("joins the links of parts when they are merged", function()
      local _, tiles = leeward("bake", file "linked.obj", "--count-tiles", "--tile-size", "4")
      local middle = tonumber(tiles) // 2
      leeward("bake", file "linked.obj", file "whole.lwn", "--tile-size", "4")
      leeward("bake", file "linked.obj", file "a.lwn", "--tile-size", "4", "--tiles", "1:" .. middle)
      leeward("bake", file "linked.obj", file "b.lwn", "--tile-size", "4", "--tiles", middle + 1 .. ":999")
      local status, output, errors = leeward("merge", file "joined.lwn", file "a.lwn", file "b.lwn")
      assert.equal(0, status, errors)
      assert.truthy(output:find(", 1 off-mesh link, 1 refused", 1, true), output)
      assert.equal(contents(file "whole.lwn"), contents(file "joined.lwn"))
    end)

    it("names the line that is wrong", function()
      local status, _, errors = leeward("bake", file "linked.obj", file "linked.lwn", "--links", file "bad.gset")
      assert.equal(1, status)
      assert.truthy(errors:find("bad.gset:1: x of the end is missing", 1, true), errors)
      status, _, errors = leeward("bake", file "linked.obj", file "x.lwn", "--links", file "bad.gset", "--no-links")
      assert.equal(2, status)
      assert.truthy(errors:find("--links and --no-links are given, expected one of them", 1, true), errors)
      _, _, errors = leeward("run", "roam", "--level", file "linked.lwn", "--links", file "other.gset")
      assert.truthy(errors:find("is baked already, expected no --links", 1, true), errors)
    end)
  end)

  describe("bake --tiles and merge", function()
    -- Four tiles by three of 6 m; a slab of 4 m2 over the corner where four of them meet.
    local TILED = [[
return function(leeward)
  local geometry = leeward.geometry()
  geometry:add_box { at = { 12, -1, 9 }, size = { 24, 1, 18 } }
  geometry:add_box { at = { 14, 0, 10 }, size = { 1, 1, 9 }, area = false }
  geometry:add_box { at = { 6, 4.9, 6 }, size = { 2, 0.1, 2 }, area = "road" }
  return geometry
end
]]
    local SETTINGS = { "--tile-size", "6", "--cell-size", "0.2", "--agent-radius", "0", "--min-region-area", "10" }
    local level

    local function bake(...)
      local words = { "bake", level, ... }
      return leeward(table.unpack(table.move(SETTINGS, 1, #SETTINGS, #words + 1, words)))
    end

    setup(function()
      level = file("tiled.lua", TILED)
      for name, tiles in pairs { a = "1:5", b = "6:6", c = "7:12" } do
        local status, output = bake(file(name .. ".lwn"), "--tiles", tiles)
        assert.equal(0, status)
        local expected = ("\ntiles %s of 12, 0 of them empty"):format((tiles:gsub(":", " to ")))
        assert.truthy(output:find(expected, 1, true), output)
      end
    end)

    it("count the tiles", function()
      local status, output = bake("--count-tiles")
      assert.equal(0, status)
      assert.equal("12\n", output)
    end)

    it("make the bytes of a whole bake", function()
      local whole, merged = file("whole.lwn"), file("merged.lwn")
      local status, output = bake(whole)
      assert.equal(0, status)
      assert.truthy(output:find("1 small island left out", 1, true), output)
      status, output = leeward("merge", merged, file("c.lwn"), file("a.lwn"), file("b.lwn"))
      assert.equal(0, status)
      assert.truthy(output:find("\n3 parts; bounds", 1, true), output)
      assert.is_true(contents(whole) == contents(merged))
      assert.is_false(contents(whole) == contents(file("a.lwn")))
    end)

    it("name the files that do not fit", function()
      local a, b, c, out = file("a.lwn"), file("b.lwn"), file("c.lwn"), file("out.lwn")
      local status, _, errors = leeward("merge", out, a, c)
      assert.equal(1, status)
      assert.equal("leeward merge: tile 6 of 12 is in no part, expected in one\n", errors)
      status, _, errors = leeward("merge", out, b, a, b, c)
      assert.equal(1, status)
      assert.equal(("leeward merge: tile 6 is in '%s' and in '%s', expected in one\n"):format(b, b), errors)
      assert.equal(0, leeward("bake", level, file("whole.lwn")))
      status, _, errors = leeward("merge", out, a, file("whole.lwn"))
      assert.equal(1, status)
      local whole = ("'%s' is a whole navmesh, expected a part of a bake"):format(file("whole.lwn"))
      assert.truthy(errors:find(whole, 1, true), errors)
      assert.is_nil(contents(out))
    end)

    it("refuse wrong calls", function()
      local function wrong(expected, status, _, errors)
        assert.truthy(errors:find(expected, 1, true), errors)
        return status
      end
      for _, text in ipairs { "0:3", "3:2", "3", "a:b", "1:2:3", "-1:2" } do
        assert.equal(2, wrong(("--tiles is '%s', expected a range A:B of whole numbers, 1 <= A <= B")
          :format(text), bake(file("x.lwn"), "--tiles", text)))
      end
      assert.equal(1, wrong("tiles: the first is tile 13, expected 1 to 12 (4 x 3)",
        bake(file("x.lwn"), "--tiles", "13:20")))
      assert.equal(2, wrong("OUT is missing", bake("--tiles", "1:2")))
      assert.equal(2, wrong("OUT is given, expected none with --count-tiles", bake(file("x.lwn"), "--count-tiles")))
      assert.equal(2, wrong("--tiles is given, expected none with --count-tiles", bake("--count-tiles", "--tiles=1:2")))
      assert.equal(2, wrong("PART is missing", leeward("merge", file("x.lwn"))))
      assert.is_nil(contents(file("x.lwn")))
    end)
  end)

  describe("import", function()
    local MESH = "mesh\n2\n4 1\n0 0 2 0 -1\n9 0 2 0 -1\n9 4 2 0 -1\n0 4 2 0 -1\n4 0 1 2 3 -1 -1 -1 -1\n"

    it("writes a navmesh that the other commands take", function()
      local status, output, errors = leeward("import", file("square.mesh", MESH), file("square.lwn"))
      assert.equal(0, status, errors)
      assert.truthy(output:find("^square.mesh: 1 polygon in 1 tile, 0 portals, 1 island, "))
      status, output = leeward("path", file("square.lwn"), "1,0,1", "8,0,1")
      assert.equal(0, status)
      assert.equal("7.00", last_line(output):match("length ([%d.]+) m"))
    end)

    it("says what is wrong with the file", function()
      local status, output, errors = leeward("import", file("bad.mesh", "mesh\n3\n"), file("bad.lwn"))
      assert.equal(1, status)
      assert.equal("", output)
      assert.truthy(errors:find("bad.mesh:2: the version is '3', expected 2", 1, true))
      assert.is_nil(contents(file("bad.lwn")))
    end)

    it("takes names of areas", function()
      local mesh = file("square.mesh", MESH)
      local status, _, errors = leeward("import", mesh, file("x.lwn"), "--areas", "0=road, 5=grass")
      assert.equal(0, status, errors)
      status, _, errors = leeward("import", mesh, file("x.lwn"), "--areas", "64=road")
      assert.equal(2, status)
      assert.truthy(errors:find("--areas has '64=road', expected NUMBER=NAME with a number from 0 to 63", 1, true))
      status, _, errors = leeward("import", mesh, file("x.lwn"), "--areas", "1=raod")
      assert.equal(1, status)
      assert.truthy(errors:find("Did you mean 'road'?", 1, true))
    end)
  end)

  describe("run", function()
    it("ends with goals reached, off mesh and stuck", function()
      local status, output, errors = leeward("run", file("stroll.lua", STROLL), "--level", file("tiny.lua", TINY),
        "--headless")
      assert.equal(0, status, errors)
      assert.equal("goals reached 3, off mesh 0, stuck 0", last_line(output))
      local rows = 0
      for _ in output:gmatch("\n%s*%d+%s+soldier%s") do rows = rows + 1 end
      assert.equal(3, rows)
    end)

    it("is the same again with the same seed, and another with another", function()
      local roam = { "run", "roam", "--level", file("tiny.lua", TINY), "--headless", "--seconds", "5" }
      local function walked(seed)
        local _, output = leeward(roam[1], roam[2], roam[3], roam[4], roam[5], roam[6], roam[7], "--seed", seed)
        local metres = {}
        for row in output:gmatch("\n%s*%d+%s+%l+%s+([%d.]+)") do metres[#metres + 1] = row end
        return table.concat(metres, " ")
      end
      local first = walked("11")
      assert.truthy(first:find(" "))
      assert.equal(first, walked("11"))
      assert.not_equal(first, walked("12"))
    end)

    it("stops on request", function()
      local _, output = leeward("run", file("stroll.lua", STROLL), "--level", file("tiny.lua", TINY),
        "--headless", "--seconds", "0.1")
      assert.equal("goals reached 0, off mesh 0, stuck 0", last_line(output))
    end)

    it("shows plain lines of progress where there is no terminal", function()
      local _, _, errors = leeward("run", file("stroll.lua", STROLL), "--level", file("tiny.lua", TINY), "--headless")
      assert.truthy(errors:find("running: 100 %\n", 1, true))
      assert.falsy(errors:find("\r", 1, true))
    end)

    it("writes a picture", function()
      local picture = file("end.png")
      local status, _, errors = leeward("run", file("stroll.lua", STROLL), "--level", file("tiny.lua", TINY),
        "--headless", "--picture", picture)
      assert.equal(0, status, errors)
      if errors:find("leeward_sdl cannot be loaded", 1, true) then pending("built without the window") end
      assert.equal("\137PNG", contents(picture):sub(1, 4))
    end)

    it("takes the picture when the scenario says, and prints what the scenario reports", function()
      local scenario = file("report.lua", STROLL:gsub("return {", [[
local steps = 0
return {
  step = function() steps = steps + 1 end,
  report = function() return { { "what", "steps" }, { "all", tostring(steps) } } end,
  picture = { at = 0.5, title = "half a second", layers = { "areas" } },]], 1))
      local status, output, errors = leeward("run", scenario, "--level", file("tiny.lua", TINY), "--headless",
        "--seconds", "2", "--picture", file("half.png"))
      assert.equal(0, status, errors)
      assert.truthy(output:find("\nwhat  steps\nall     120\n", 1, true), output)
      if errors:find("leeward_sdl cannot be loaded", 1, true) then pending("built without the window") end
      assert.truthy(errors:find("wrote [^\n]*half.png\n.*running: 100 %%"), errors)
    end)

    it("shows what a squad pays to stay out of a sniper's sight", function()
      local status, output, errors = leeward("run", "courtyard_sniper", "--headless")
      assert.equal(0, status, errors)
      local metres, exposed = {}, {}
      for bias, walked, seen in output:gmatch("\ncover_bias (%d+) +([%d.]+) +([%d.]+) ") do
        metres[bias], exposed[bias] = tonumber(walked), tonumber(seen)
      end
      assert.is_true(metres["1"] < metres["3"] and metres["3"] < metres["10"], output)
      assert.is_true(exposed["1"] > 2 * exposed["3"] and exposed["3"] > 2 * exposed["10"], output)
      assert.equal("goals reached 9, off mesh 0, stuck 0", last_line(output))
    end)

    it("fails before it begins when the picture cannot be written", function()
      local status, output, errors = leeward("run", file("stroll.lua", STROLL), "--level", file("tiny.lua", TINY),
        "--headless", "--picture", folder .. "/nowhere/end.png")
      assert.equal(1, status)
      assert.equal("", output)
      local message = "leeward run: cannot write '%s/nowhere/end.png': its folder does not exist\n"
      assert.equal(message:format(folder), errors)
    end)

    it("names a scenario that does not exist", function()
      local status, _, errors = leeward("run", "courtyrad")
      assert.equal(1, status)
      assert.truthy(errors:find("there is no file 'courtyrad' and no scripts/scenarios/courtyrad.lua. "
        .. "Did you mean 'courtyard'?", 1, true))
    end)

    it("asks for a level when the scenario names none", function()
      local status, _, errors = leeward("run", file("stroll.lua", STROLL))
      assert.equal(1, status)
      assert.truthy(errors:find("has no level, expected --level", 1, true))
    end)

    it("says which agent has no place in another level", function()
      local status, _, errors = leeward("run", "courtyard", "--level", file("tiny.lua", TINY), "--headless")
      assert.equal(1, status)
      assert.truthy(errors:find("level 'tiny' has no spawns.soldiers", 1, true))
    end)

    it("refuses a scenario with a key that means nothing", function()
      local odd = file("odd.lua", "return { sede = 1, setup = function() end }")
      local status, _, errors = leeward("run", odd)
      assert.equal(1, status)
      assert.truthy(errors:find("odd.lua: unknown key 'sede'. Did you mean 'seed'?", 1, true))
      odd = file("odd.lua", "return { secs = 1, setup = function() end }")
      status, _, errors = leeward("run", odd)
      assert.equal(1, status)
      assert.truthy(errors:find("odd.lua: unknown key 'secs'. Did you mean 'seconds'?", 1, true))
    end)
  end)

  describe("lua", function()
    it("runs a script with its arguments and our modules", function()
      local script = file("hello.lua", [[
        local leeward = require "leeward"
        local behaviors = require "behaviors"
        print(arg[0]:match("[^/]+$"), arg[1], type(leeward.bake), type(behaviors.sequence), select("#", ...), ...)
      ]])
      local status, output = leeward("lua", script, "a b", "--help")
      assert.equal(0, status)
      assert.equal("hello.lua\ta b\tfunction\tfunction\t2\ta b\t--help\n", output)
    end)

    it("looks along LEEWARD_PATH first, and still finds what ships", function()
      local mod = file("mod")
      os.execute(("mkdir -p '%s/scripts/profiles'"):format(mod))
      file("mod/scripts/profiles/goat.lua", "return { extends = 'dog', climb = 0.6 }")
      local script = file("goat.lua", "local goat = require('leeward').profile('goat') print(goat.climb, goat.height)")
      local handle = assert(io.popen(("LEEWARD_PATH='%s' '%s/leeward' lua '%s' 2>&1"):format(mod, BUILD, script)))
      local output = handle:read("a")
      handle:close()
      assert.equal("0.6\t0.7\n", output)
    end)

    it("shows where a script fails", function()
      local status, _, errors = leeward("lua", file("fails.lua", "local x\nx()\n"))
      assert.equal(1, status)
      assert.truthy(errors:find("fails.lua:2: attempt to call a nil value", 1, true))
      assert.truthy(errors:find("stack traceback:", 1, true))
    end)

    it("names a script that is missing", function()
      local status, _, errors = leeward("lua", "nowhere.lua")
      assert.equal(1, status)
      assert.truthy(errors:find("nowhere.lua", 1, true))
    end)
  end)
end)
