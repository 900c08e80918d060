-- Modules of behaviours and scripts: `require` finds them along LEEWARD_PATH, in the program and in plain Lua alike.
-- Plain Lua runs in the root of the repository here, where package.path finds ./behaviors.
local mods = require "support.mods"

local NODE = [[
local function tick() return "success" end
return require "behaviors".leaf { name = "MoveOfMod", optional = { "to" }, tick = tick }]]

local mod
before_each(function()
  mod = mods.new()
  assert(os.execute(("mkdir -p '%s/behaviors/nodes' '%s/scripts/cli'"):format(mod.folder, mod.folder)))
end)
after_each(function() mod:remove() end)

--- What the script prints in the program and in plain Lua.
local function outputs(script)
  local plain = mod:run(script)
  local _, output, errors = mod:program("lua", "MOD/test.lua")
  return { plain, (output:gsub("\n$", "") .. errors) }
end

describe("require", function()
  it("finds a mod's behaviours before those that ship", function()
    mod:write("behaviors/nodes/move_to.lua", NODE)
    for _, output in ipairs(outputs [[
      local wander = leeward.tree("wander")
      print(require "behaviors.nodes.move_to" {}.name, type(require "behaviors.nodes.peek"), wander:name())]]) do
      assert.equal("MoveOfMod\tfunction\twander", output)
    end
  end)

  it("finds a folder's init.lua before what ships", function()
    assert(os.execute(("mkdir '%s/behaviors/nodes/move_to'"):format(mod.folder)))
    mod:write("behaviors/nodes/move_to/init.lua", NODE)
    for _, output in ipairs(outputs [[print(require "behaviors.nodes.move_to" {}.name)]]) do
      assert.equal("MoveOfMod", output)
    end
  end)

  it("finds modules of scripts", function()
    mod:write("scripts/prices.lua", "return { road = 2 }")
    for _, output in ipairs(outputs [[print(require "scripts.prices".road)]]) do assert.equal("2", output) end
  end)

  it("leaves the program the commands that it came with", function()
    mod:write("scripts/cli/profile.lua", "error 'a command of the mod'")
    local status, output, errors = mod:program("profile")
    assert.equal("", errors)
    assert.equal(0, status)
    assert.matches("soldier", output)
  end)

  it("looks there once, however often the library is loaded", function()
    for _, output in ipairs(outputs [[
      local count = #package.searchers
      package.loaded.leeward = nil
      require "leeward"
      print(#package.searchers - count)]]) do
      assert.equal("0", output)
    end
  end)

  it("says which module a misspelt one may be", function()
    for _, output in ipairs(outputs [[print(select(2, pcall(require, "behaviors.nodes.moveto")))]]) do
      assert.matches("^MOD/test.lua:%d+: there is no node 'behaviors.nodes.moveto': no file "
        .. "'behaviors/nodes/moveto.lua' in MOD, [^\n]+. Did you mean 'behaviors.nodes.move_to'%?$", output)
    end
  end)

  it("names the file of a module that does not compile", function()
    mod:write("behaviors/nodes/move_to.lua", "return return")
    for _, output in ipairs(outputs [[fails(require, "behaviors.nodes.move_to")]]) do
      assert.equal("error loading module 'behaviors.nodes.move_to' from file 'MOD/behaviors/nodes/move_to.lua':\n\t"
        .. "MOD/behaviors/nodes/move_to.lua:1: unexpected symbol near 'return'", output)
    end
  end)
end)
