local leeward = require "leeward"
local bytes = require "support.bytes"

local settings = { cell_size = 0.25, agent_radius = 0.25, tile_size = 8, bounds = { { 0, -2, 0 }, { 40, 6, 40 } } }

local function with(more)
  local all = {}
  for key, value in pairs(settings) do all[key] = value end
  for key, value in pairs(more) do all[key] = value end
  return all
end

local function floor()
  local level = leeward.geometry()
  level:add_box { at = { 20, -1, 20 }, size = { 40, 1, 40 } }
  return level
end

describe("rebuild", function()
  it("bakes the tiles that a box touches to the bytes of a whole bake", function()
    local level = floor()
    local before = leeward.bake(level, settings)
    level:add_box { at = { 12, 0, 12 }, size = { 3, 2, 1 }, area = false }
    local steps = 0
    local after, report = leeward.rebuild(before, level,
      with { box = { { 10, 0, 11 }, { 14, 2, 13 } }, progress = function() steps = steps + 1 end })
    assert.is_true(after:validate())
    assert.equal(bytes(leeward.bake(level, settings)), bytes(after))
    assert.equal(9, report.tiles)
    assert.equal(9, steps)
    assert.equal(25, report.tiles_total)
    assert.is_true(leeward.world { navmesh = before }:contains { 12, 0, 12 })
    assert.is_false(leeward.world { navmesh = after }:contains { 12, 0, 12 })
  end)

  it("keeps the ids of polygons in other tiles", function()
    local level = floor()
    local before = leeward.bake(level, settings)
    level:add_box { at = { 12, 0, 12 }, size = { 3, 2, 1 }, area = false }
    local after = leeward.rebuild(before, level, with { box = { min = { 10, 0, 11 }, max = { 14, 2, 13 } } })
    local function id(navmesh, point) return (select(2, leeward.world { navmesh = navmesh }:nearest_point(point))) end
    assert.equal(id(before, { 36, 0, 36 }), id(after, { 36, 0, 36 }))
    assert.not_equal(id(before, { 9, 0, 9 }), id(after, { 9, 0, 9 }))
  end)

  it("says what is wrong", function()
    local level = floor()
    local navmesh = leeward.bake(level, settings)
    local function message(...)
      local ok, text = pcall(leeward.rebuild, ...)
      assert.is_false(ok)
      return text
    end
    assert.matches("rebuild: box is nil, expected two points", message(navmesh, level, settings))
    assert.matches("rebuild: unknown key 'tiles'", message(navmesh, level, with { tiles = { 1, 2 } }))
    assert.matches("the changed box is %(80, 0, 80%) to %(81, 1, 81%), expected one that touches a tile",
      message(navmesh, level, with { box = { { 80, 0, 80 }, { 81, 1, 81 } } }))
    assert.matches("navmesh is for agents of radius 0.25",
      message(navmesh, level, with { agent_radius = 1, box = { { 8, 0, 8 }, { 9, 1, 9 } } }))
  end)
end)
