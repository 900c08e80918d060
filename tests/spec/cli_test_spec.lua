-- `leeward new mod NAME` makes a mod whose spec passes; `leeward test` runs specs with their mods.
local program = require "support.program"
local shell = require "support.shell"

local BUILD = os.getenv "BUILD" or "build"
local HERE = shell("pwd"):gsub("\n$", "")
local PROGRAM = (BUILD:sub(1, 1) == "/" and BUILD or HERE .. "/" .. BUILD) .. "/leeward"

local folder

local function write(file, text)
  assert(os.execute(("mkdir -p '%s/%s'"):format(folder, file:match "^(.*)/" or ".")))
  local handle = assert(io.open(folder .. "/" .. file, "w"))
  handle:write(text)
  handle:close()
end

local function read(file)
  local handle = assert(io.open(folder .. "/" .. file))
  local text = handle:read "a"
  handle:close()
  return text
end

--- In the folder, without what points into the repository --> what it prints, status
local function run(words, where)
  return shell(("cd '%s/%s' && env -u LUA_PATH -u LUA_CPATH -u LEEWARD_PATH '%s' %s 2>&1"):format(folder, where or ".",
    PROGRAM, words))
end

before_each(function() folder = shell("mktemp -d"):gsub("\n$", "") end)
after_each(function() os.execute(("rm -rf '%s'"):format(folder)) end)

describe("leeward new mod", function()
  it("makes a mod whose spec passes at once", function()
    local text, status = run "new mod night_watch"
    assert.equal(0, status, text)
    assert.equal("night_watch/.luarc.json\nnight_watch/behaviors/nodes/night_watch_look.lua\n"
      .. "night_watch/behaviors/trees/night_watch.lua\nnight_watch/scripts/profiles/night_watch.lua\n"
      .. "night_watch/spec/night_watch_spec.lua\ntest it: leeward test night_watch\n", text)
    text, status = run "test night_watch"
    assert.equal(0, status, text)
    assert.matches("2 successes / 0 failures / 0 errors / 0 pending", text)
    assert.equal("", (shell(("luacheck -q --std lua54+busted '%s' 2>/dev/null"):format(folder)):gsub("^Total: .*", "")))
  end)

  it("names folders for the language server that there are", function()
    run "new mod night"
    local count = 0
    for path in read("night/.luarc.json"):match('"workspace.library": (%b[])'):gmatch '"([^"]+)"' do
      assert.equal(0, select(2, shell(("test -d '%s'"):format(path))), path)
      count = count + 1
    end
    assert.equal(2, count)
  end)

  it("says what is wrong", function()
    assert.matches("^leeward new: KIND is 'mid', expected mod. Did you mean 'mod'%?\n", (run "new mid x"))
    assert.matches("^leeward new: NAME is 'Xx', expected lower%-case letters, digits and _ in its last part\n",
      (run "new mod Xx"))
    for name, files in pairs {
      soldier = "scripts/profiles/soldier.lua", wander = "behaviors/trees/wander.lua",
      civilian = "behaviors/trees/civilian.lua, scripts/profiles/civilian.lua",
    } do
      local text, status = run("new mod " .. name)
      local says = ("leeward new: NAME is '%s', expected a name that is not in use: there is %s\n"):format(name, files)
      assert.equal(says, text:sub(1, #says))
      assert.equal(2, status)
      assert.equal(1, select(2, run("test " .. name))) -- nothing was made
    end
    run "new mod night"
    assert.matches("^leeward new: 'night' is there already, expected a new folder\n$", (run "new mod night"))
    assert.matches("^leeward new: cannot make 'nowhere/night': No such file or directory\n$",
      (run "new mod nowhere/night"))
  end)
end)

describe("leeward run --help", function()
  it("names every scenario that ships", function()
    local _, text = program("run", "--help")
    for file in shell("ls scripts/scenarios"):gmatch "([%w_]+)%.lua\n" do
      assert.matches("[ (]" .. file .. "[,)]", text)
    end
  end)
end)

describe("leeward test", function()
  local PASSES = 'it("passes", function() require "leeward.testing" end)'

  it("runs the specs of the folder, of a folder of specs, of a file", function()
    write("spec/one_spec.lua", PASSES)
    write("spec/two_spec.lua", PASSES)
    for words, count in pairs { ["test"] = 2, ["test ."] = 2, ["test spec"] = 2, ["test spec/one_spec.lua"] = 1 } do
      local text, status = run(words)
      assert.equal(0, status, text)
      assert.matches(("%d success"):format(count), text, words)
    end
  end)

  it("fails where a spec fails, has an error, or is missing", function()
    write("bad/spec/one_spec.lua", 'it("fails", function() assert.equal(1, 2) end)')
    write("worse/spec/one_spec.lua", 'error "broken"')
    write("none/spec/readme.txt", "")
    for name, says in pairs { bad = "1 failure", worse = "1 error", none = "No test files found" } do
      local text, status = run("test " .. name)
      assert.equal(1, status, text)
      assert.matches(says, text)
    end
    local text, status = run "test nowhere"
    assert.equal(1, status)
    assert.equal("leeward test: there is no folder or file 'nowhere'\n", text)
  end)

  it("finds the mod, the mods in it, their areas, and modules beside the specs", function()
    write("scripts/profiles/tall.lua", 'return { extends = "human", radius = 0.3 }')
    write("mods/bog/scripts/areas.lua",
      'return { patch = true, areas = { { name = "bog", resistance = 2 } } }')
    write("mods/bog/scripts/profiles/tall.lua", 'return { extends = "human", radius = 0.2 }')
    write("mods/bog/scripts/profiles/wide.lua", 'return { extends = "human", radius = 0.9 }')
    write("spec/helper.lua", "return 7")
    write("spec/one_spec.lua", [[
      local leeward = require "leeward"
      it("finds", function()
        assert.equal(0.3, leeward.profile("tall").radius) -- the mod comes before its mods
        assert.equal(0.9, leeward.profile("wide").radius)
        assert.equal(7, require "helper")
        print(leeward.area("bog") and leeward.area("bog").resistance)
      end)
    ]])
    local text, status = run "test"
    assert.equal(0, status, text)
    assert.matches("^2%.0\n", text)
  end)

  it("runs the tests that the filter names", function()
    write("spec/one_spec.lua", 'it("one", function() end) it("two", function() error "no" end)')
    local text, status = run "test --filter one"
    assert.equal(0, status, text)
    assert.matches("1 success", text)
  end)

  it("is refused with two folders", function()
    local status, text = program("test", "a", "b")
    assert.equal(2, status)
    assert.matches("unexpected argument 'b'", text)
  end)
end)

describe("LEEWARD_PATH", function()
  local SPEC = [[
    local leeward = require "leeward"
    local function check()
      assert(#leeward.roots() == 2, table.concat(leeward.roots(), ";"))
      assert(leeward.profile("tall").radius == 0.25)
      assert(leeward.profile("soldier").cover_bias)
      assert(require "behaviors.nodes.hop" and require "behaviors.nodes.move_to")
      assert(leeward.tree "hopper" and leeward.tree "wander")
      assert(require("leeward.testing").map "A.B")
    end
    if it then it("finds what is in the mod, and what ships", check) else check() end
  ]]

  it("adds to what ships in the program, in plain Lua and under busted", function()
    write("mod/scripts/profiles/tall.lua", 'return { extends = "human", radius = 0.25 }')
    write("mod/behaviors/nodes/hop.lua",
      'return require("behaviors").leaf {\n  name = "Hop", tick = function() end,\n}')
    write("mod/behaviors/trees/hopper.lua",
      'local Hop = require "behaviors.nodes.hop"\nreturn require("behaviors").sequence { Hop() }')
    write("one_spec.lua", SPEC)
    local module = package.searchpath("leeward", package.cpath)
    local cpath = (module:sub(1, 1) == "/" and module or HERE .. "/" .. module):gsub("leeward%.so$", "?.so")
    for _, command in ipairs {
      ("'%s' lua one_spec.lua"):format(PROGRAM), ("'%s' test one_spec.lua"):format(PROGRAM), "lua5.4 one_spec.lua",
      "lua5.4 /usr/bin/busted one_spec.lua",
    } do
      for _, mod in ipairs { "mod", "./mod", folder .. "/mod" } do
        local text, status = shell(("cd '%s' && env -u LUA_PATH LEEWARD_PATH='%s' LUA_CPATH='%s;;' %s 2>&1"):format(
          folder, mod, cpath, command))
        assert.equal(0, status, command .. ": " .. text)
      end
    end
  end)
end)

describe("leeward test", function()
  it("fails where a spec ends the program, or leaves an error in a log behind", function()
    write("mod/spec/ends_spec.lua", [[it("ends", function() os.exit(0) end) it("fails", function() error "no" end)]])
    local text, status = run "test mod"
    assert.equal(1, status, text)
    assert.matches("os.exit() was called before all tests had run", text, 1, true)
    write("mod/spec/ends_spec.lua", [[
      local sim, behaviors = require "leeward.testing", require "behaviors"
      it("leaves an error", function()
        local world = sim.map "A..B"
        sim.spawn("A", { tree = behaviors.leaf { name = "Breaks", start = function() error "broken" end } {} })
        world:step()
      end)]])
    text, status = run "test mod"
    assert.equal(1, status, text)
    assert.matches("the world has logged an error: tree > Breaks, agent 1", text, 1, true)
  end)
end)

describe("leeward test", function()
  it("fails where no test runs", function()
    write("mod/spec/none_spec.lua", "local _ = 1")
    local text, status = run "test mod"
    assert.equal(1, status, text)
    assert.matches("leeward test: the specs have no tests", text, 1, true)
    write("mod/spec/none_spec.lua", "it('is one', function() end)")
    assert.equal(0, select(2, run "test mod"))
    text, status = run "test mod --filter two"
    assert.equal(1, status, text)
    assert.matches("leeward test: no test has 'two' in its name", text, 1, true)
  end)
end)

describe("leeward run in the folder of a mod", function()
  it("finds its scenarios", function()
    write("mod/scripts/levels/pad.lua", [[
      return { geometry = function(leeward)
        local geometry = leeward.geometry()
        geometry:add_box { min = { 0, -1, 0 }, max = { 6, 0, 6 } }
        return geometry
      end }]])
    write("mod/scripts/scenarios/stroll_of_mod.lua", [[
      return { level = "pad", seconds = 1, setup = function(world)
        world:spawn { profile = "human", at = { 3, 0, 3 }, tree = "wander" }
      end }]])
    local text, status = run("run stroll_of_mod --headless", "mod")
    assert.equal(0, status, text)
    assert.matches("stuck 0", text)
    text, status = run("run stroll_of_mod --headless")
    assert.equal(1, status)
    assert.matches("there is no file 'stroll_of_mod'", text)
  end)
end)
