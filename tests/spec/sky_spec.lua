local leeward = require "leeward"
local bytes = require "support.bytes"

-- A box is solid, so the sky is six sides: a mesh.
local function add_sky(geometry, min, max)
  local x0, y0, z0 = min[1], min[2], min[3]
  local x1, y1, z1 = max[1], max[2], max[3]
  geometry:add_mesh {
    vertices = {
      { x0, y0, z1 }, { x1, y0, z1 }, { x1, y0, z0 }, { x0, y0, z0 },
      { x0, y1, z1 }, { x1, y1, z1 }, { x1, y1, z0 }, { x0, y1, z0 },
    },
    indices = {
      5, 6, 7, 5, 7, 8, 1, 3, 2, 1, 4, 3, 1, 2, 6, 1, 6, 5,
      2, 3, 7, 2, 7, 6, 3, 4, 8, 3, 8, 7, 4, 1, 5, 4, 5, 8,
    },
    area = false,
  }
end

-- A yard of 50 m with a wall and a row of posts, alone or in a sky box, baked within bounds or not.
local function bake(sky, settings)
  local geometry = leeward.geometry()
  geometry:add_box { min = { -25, -1, -25 }, max = { 25, 0, 25 } }
  geometry:add_box { min = { -3, 0, -0.1 }, max = { 3, 1.25, 0.1 }, area = false }
  for i = 0, 9 do
    geometry:add_box { min = { 0.3 * i - 3, 0, -4 }, max = { 0.3 * i - 2.94, 2, -3.94 }, area = false }
  end
  if sky then add_sky(geometry, { -sky, -20, -sky }, { sky, sky, sky }) end
  local navmesh, report = assert(leeward.bake(geometry, settings))
  return leeward.world { navmesh = navmesh }, report, navmesh
end

local BOUNDS = { { -26, -5, -26 }, { 26, 5, 26 } }

local function notes(report) return table.concat(report.notes, "\n") end

describe("A level in a sky box", function()
  local alone = bake()

  it("keeps its occluders to a millimetre, however large the sky is", function()
    for _, sky in ipairs { 100, 2000, 10000, 50000 } do
      local world, report = bake(sky, { bounds = BOUNDS })
      assert.equal(sky > 500, notes(report):find("occluders: what is more than", 1, true) ~= nil)
      assert.is_nil(notes(report):find("instead of 1 mm", 1, true))
      local worst = 0
      for i = 1, 60 do
        local query = {
          from = { i / 3 - 10, 0, 1 }, to = { 10 - i / 3, 0, 6 }, accuracy = "exact",
          threats = { { at = { i / 6 - 5, 0.4 + i / 30, -7 } } },
        }
        local _, want = alone:exposure(query)
        local _, got = world:exposure(query)
        worst = math.max(worst, math.abs(got - want))
      end
      assert.is_true(worst < 2e-3, ("sky of %g m: off by %g"):format(2 * sky, worst))
      local segments = world:cover_segments { around = { 0, 0, 0 }, radius = 3 }
      assert.is_true(#segments > 0)
      for _, segment in ipairs(segments) do assert.is_near(1.25, segment.top, 2e-3) end
    end
  end)

  it("says so where a level is too large for that", function()
    local geometry = leeward.geometry()
    geometry:add_box { min = { -9000, -1, -9000 }, max = { 9000, 0, 9000 } }
    local coarse = { cell_size = 200, agent_radius = 0, tile_size = 9000, detail_distance = 0 }
    local navmesh, report = leeward.bake(geometry, coarse)
    assert.is_truthy(navmesh)
    assert.matches("occluders: kept to %d+ mm instead of 1 mm", notes(report))
  end)

  it("is rebuilt to the same bytes", function()
    local settings = { bounds = BOUNDS, tile_size = 16 }
    local function level(extra)
      local geometry = leeward.geometry()
      geometry:add_box { min = { -25, -1, -25 }, max = { 25, 0, 25 } }
      add_sky(geometry, { -2e4, -20, -2e4 }, { 2e4, 2e4, 2e4 })
      if extra then geometry:add_box { at = { 5, 0, 5 }, size = { 2, 2, 2 }, area = false } end
      return geometry
    end
    local before = leeward.bake(level(false), settings)
    local whole = leeward.bake(level(true), settings)
    settings.box = { { 3, -1, 3 }, { 7, 3, 7 } }
    local again, report = leeward.rebuild(before, level(true), settings)
    assert.matches("occluders: what is more than", notes(report))
    assert.is_true(bytes(whole) == bytes(again))
  end)
end)
