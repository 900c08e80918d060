-- The visibility table in the program: `leeward bake --visibility-table-range` and `leeward exposure`.
local leeward = require "support.program"

local SHARES = "([%d.]+) %% hidden, ([%d.]+) %% visible"

-- Two rooms with a door between them.
local ROOMS = [[
return {
  name = "rooms",
  geometry = function(leeward)
    local geometry = leeward.geometry()
    geometry:add_box { at = { 0, -1, 0 }, size = { 20, 1, 12 } }
    geometry:add_box { min = { -0.2, 0, -6 }, max = { 0.2, 3, 3 }, area = false }
    geometry:add_box { min = { -0.2, 0, 4.5 }, max = { 0.2, 3, 6 }, area = false }
    return geometry
  end,
  bake = { cell_size = 0.2, agent_radius = 0.4, tile_size = 4 },
}
]]

local folder

describe("leeward with pairs of polygons", function()
  local level, baked

  setup(function()
    folder = os.tmpname()
    os.remove(folder)
    assert(os.execute(("mkdir '%s'"):format(folder)))
    level, baked = folder .. "/rooms.lua", folder .. "/rooms.lwn"
    local handle = assert(io.open(level, "w"))
    handle:write(ROOMS)
    handle:close()
  end)

  teardown(function() os.execute(("rm -r '%s'"):format(folder)) end)

  it("bakes them, and says what is known of them", function()
    local status, output = leeward("bake", level, baked, "--visibility-table-range", "40")
    assert.equal(0, status)
    local hidden, visible = output:match(", visibility table up to 40 m of [%d.]+ KiB: " .. SHARES
      .. ", [%d.]+ %% mixed, baked in %d+ ms")
    assert.truthy(hidden, output)
    assert.is_true(tonumber(hidden) > 5 and tonumber(visible) > 20 and hidden + visible <= 100)
  end)

  it("bakes none where nothing is kept that hides", function()
    local status, output = leeward("bake", level, baked, "--visibility-table-range", "40", "--no-occluders")
    assert.equal(2, status)
    assert.matches("--visibility-table-range is 40, expected 0 or --cover-map with --no-occluders", output, 1, true)
    assert.equal(0, (leeward("bake", level, baked, "--visibility-table-range", "40", "--no-occluders", "--cover-map")))
    assert.equal(0, (leeward("bake", level, baked, "--visibility-table-range", "0", "--no-occluders")))
  end)

  it("says how much they decide, where there are any", function()
    assert.equal(0, (leeward("bake", level, baked, "--visibility-table-range", "40")))
    local status, output = leeward("exposure", baked, "--eyes", "9", "--segments", "40")
    assert.equal(0, status)
    local hidden, visible = output:match("\nvisibility of polygons up to 40 m apart: " .. SHARES
      .. ", which needs no occluders\n")
    assert.truthy(hidden, output)
    local stats = require "leeward".load_navmesh(baked):stats()
    assert.is_near(100 * stats.pairs_hidden, tonumber(hidden), 0.051)
    assert.is_near(100 * stats.pairs_visible, tonumber(visible), 0.051)
    assert.equal(0, (leeward("bake", level, baked)))
    status, output = leeward("exposure", baked, "--eyes", "1", "--segments", "1")
    assert.equal(0, status)
    assert.is_nil(output:find("visibility of polygons", 1, true))
  end)
end)
