-- Links that a bake finds, in the program: `leeward bake --auto-drop --auto-jump`.
local leeward = require "support.program"

local BLOCK = [[
return {
  geometry = function(leeward)
    local level = leeward.geometry()
    level:add_box { at = { 0, -1, 0 }, size = { 20, 1, 20 } }
    level:add_box { at = { 0, 0, 0 }, size = { 8, 2, 8 } }
    return level
  end,
  bake = { cell_size = 0.2, agent_radius = 0.4 },
}
]]

describe("leeward bake --auto-drop and --auto-jump", function()
  local folder, level, baked

  setup(function()
    folder = os.tmpname()
    os.remove(folder)
    assert(os.execute(("mkdir '%s'"):format(folder)))
    level, baked = folder .. "/block.lua", folder .. "/block.lwn"
    local handle = assert(io.open(level, "w"))
    handle:write(BLOCK)
    handle:close()
  end)

  teardown(function() os.execute(("rm -r '%s'"):format(folder)) end)

  it("find links, and say how many", function()
    local status, output = leeward("bake", level, baked, "--auto-drop", "2.5", "--auto-jump", "1")
    assert.equal(0, status, output)
    local links, found = output:match(", (%d+) off%-mesh links, 0 refused, (%d+) links found in %d+ ms, ")
    assert.equal(links, found)
    assert.is_true(tonumber(found) >= 8, output)
    output = select(2, leeward("bake", level, baked, "--auto-drop", "1"))
    assert.truthy(output:find(", 0 links found in ", 1, true), output)
    output = select(2, leeward("bake", level, baked))
    assert.falsy(output:find("links found in", 1, true), output)
  end)

  it("are checked", function()
    local function fails(expected, ...)
      local status, output = leeward("bake", level, baked, ...)
      assert.equal(2, status)
      assert.truthy(output:find(expected, 1, true), output)
    end
    fails("--auto-drop is '-1', expected metres from 0 to 100", "--auto-drop=-1")
    fails("--auto-jump is '200', expected metres from 0 to 100", "--auto-jump", "200")
    fails("--auto-jump is 'far', expected ", "--auto-jump", "far")
    fails("--auto-drop is given, expected none with --tiles", "--auto-drop", "2", "--tiles", "1:1")
  end)
end)
