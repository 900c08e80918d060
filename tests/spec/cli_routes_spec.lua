-- Route tables that the program writes beside a navmesh: `leeward bake --routes`.
local program = require "support.program"
local leeward = require "leeward"

local LEVEL = [[
return {
  geometry = function(leeward)
    local level = leeward.geometry()
    level:add_box { at = { 0, -1, 0 }, size = { 20, 1, 20 } }
    return level
  end,
  bake = { cell_size = 0.2, agent_radius = 0.4, occluders = false, cover_segments = false },
}
]]
local PLACES = [[
return { profile = "soldier", places = { spawn = { -8, 0, 0 }, flag = { 8, 0, 0 } } }
]]

describe("leeward bake --routes", function()
  local folder, level, baked, places

  local function write(file, text)
    local handle = assert(io.open(file, "w"))
    handle:write(text)
    handle:close()
  end

  setup(function()
    folder = os.tmpname()
    os.remove(folder)
    assert(os.execute(("mkdir '%s'"):format(folder)))
    level, baked, places = folder .. "/level.lua", folder .. "/level.lwn", folder .. "/places.lua"
    write(level, LEVEL)
    write(places, PLACES)
  end)

  teardown(function() os.execute(("rm -r '%s'"):format(folder)) end)

  it("writes a table that worlds with the navmesh load", function()
    local status, output = program("bake", level, baked, "--routes", places)
    assert.equal(0, status, output)
    assert.matches("routes between 2 places, %d+ bytes; wrote .*level%.lwr", output)
    local world = leeward.world { navmesh = assert(leeward.load_navmesh(baked)) }
    local routes = assert(world:load_routes(folder .. "/level.lwr"))
    local path = world:find_path { from = { -8, 0, 0 }, to = { 8, 0, 0 }, profile = "soldier" }
    assert.near(path:cost(), routes:cost("spawn", "flag"), 0.01 * path:cost())
    assert.is_false(routes:is_stale())
  end)

  it("says what is wrong with the file, before it bakes", function()
    write(folder .. "/wrong.lua", "return { plces = {} }")
    local status, output = program("bake", level, baked, "--routes", folder .. "/wrong.lua")
    assert.not_equal(0, status)
    assert.matches("wrong%.lua: unknown key 'plces'. Did you mean 'places'", output)
    status, output = program("bake", level, "--count-tiles", "--routes", places)
    assert.not_equal(0, status)
    assert.matches("%-%-routes is given, expected none with %-%-count%-tiles", output)
  end)

  it("ends with a message where the file computes for ever, asks for all memory, or for files", function()
    local texts = {
      ["wrong%.lua:2: .*instructions"] = "local n = 0\nwhile true do n = n + 1 end",
      ["wrong%.lua.*memory"] = "local all = {}\nfor i = 1, 1e9 do all[i] = { i } end",
      ["wrong%.lua:1: .*'io'"] = "io.open('/etc/passwd')",
      ["wrong%.lua:1: .*near"] = "return {",
      ["wrong%.lua: result is nil, expected a table"] = "local places = 1",
    }
    for expected, text in pairs(texts) do
      write(folder .. "/wrong.lua", text)
      local status, output = program("bake", level, baked, "--routes", folder .. "/wrong.lua")
      assert.not_equal(0, status)
      assert.matches(expected, output)
    end
  end)
end)
