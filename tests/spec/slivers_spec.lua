-- Levels of which Recast makes polygons without area, or wound the other way.
local leeward = require "leeward"

local function floor()
  local level = leeward.geometry()
  level:add_box { min = { -12, -1, -12 }, max = { 12, 0, 12 } }
  return level
end

--- That a navmesh is valid, and can be loaded again.
local function is_whole(navmesh)
  assert(navmesh:validate())
  local file = os.tmpname()
  assert(navmesh:save(file))
  local loaded = assert(leeward.load_navmesh(file))
  os.remove(file)
  for _, polygon in ipairs(loaded:polygons()) do assert.is_true(polygon.area_m2 > 0) end
end

describe("navmeshes of levels with slivers", function()
  it("part the polygon beside one that has as many corners as it may have", function()
    local level = floor()
    level:add_box { min = { -8, 0, -2 }, max = { -7.7, 0.4, 1 } }
    level:add_box { min = { -6.99, 0, -9 }, max = { -6, 0.44, -3.7 } }
    level:add_box { min = { -6.5, 0, -9 }, max = { -6, 0.87, -3.7 } }
    local navmesh = assert(leeward.bake(level, { max_edge_error = 0.39 }))
    is_whole(navmesh)
    local world, low = leeward.world { navmesh = navmesh }, { climb = 0.1 }
    for i = 1, 200 do
      local at = assert(world:move_along({ -7.2, 0, -8.5 + i * 0.02 }, { -3, 0, -30 }, { profile = low }))
      assert.is_true(world:contains(at), tostring(at))
    end
  end)

  it("have no polygon that a border which crosses itself turned over", function()
    local level = floor()
    level:add_ramp { from = { 6.5, 0, 3.66 }, to = { 11.6, 2.3, 5 }, width = 1.53461135, thickness = 0.172093542 }
    level:add_ramp { from = { -2.3, 0, 0.6 }, to = { 0.28, 1.8, 1.34 }, width = 3.02291718, thickness = 0.202934675 }
    is_whole(assert(leeward.bake(level, { agent_climb = 0.38, heights = { 1.31645283, 1.70797676 }, crouch_height = 1,
      cell_height = 0.078, climbs = {}, cell_size = 0.168, max_edge_error = 0.39 })))
  end)
end)
