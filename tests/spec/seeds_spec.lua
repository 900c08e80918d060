-- Seeds: where agents begin. A bake leaves out the ground that they can never reach from there.
local leeward = require "leeward"
local levels = require "support.levels"

--- A yard, a roof over a part of it, and a terrace to which a ladder leads.
local function yard()
  local geometry = leeward.geometry()
  geometry:add_box { at = { 0, -1, 0 }, size = { 40, 1, 40 } }
  geometry:add_box { at = { -10, 0, 0 }, size = { 8, 3, 8 } }
  geometry:add_box { at = { 10, 0, 0 }, size = { 8, 3, 8 } }
  geometry:add_link { kind = "ladder", from = { 5, 0, 0 }, to = { 7, 3, 0 }, bidirectional = true }
  return geometry
end
local GATE, ROOF, TERRACE = { 0, 0, -15 }, { -10, 3, 0 }, { 10, 3, 0 }

local function is_ground(world, at, size) return world:nearest_point(at, { snap = { size, size, size } }) ~= nil end

local function stands(navmesh, at) return is_ground(leeward.world { navmesh = navmesh }, at, 1) end

describe("a bake with seeds", function()
  it("leaves out a roof that nothing leads to, and keeps a terrace with a ladder", function()
    local navmesh, report = leeward.bake(yard(), { seeds = { GATE } })
    assert.equal(1, report.islands_unreachable)
    assert.is_false(stands(navmesh, ROOF))
    assert.is_true(stands(navmesh, TERRACE))
    assert.is_true(stands(navmesh, GATE))
    assert.same({}, report.notes)
  end)

  it("keeps the roof without them", function()
    local navmesh, report = leeward.bake(yard())
    assert.equal(0, report.islands_unreachable)
    assert.is_true(stands(navmesh, ROOF))
  end)

  it("has them from the geometry, too", function()
    local geometry = yard()
    geometry:add_seed(GATE)
    assert.equal(1, geometry:stats().seeds)
    local navmesh = leeward.bake(geometry)
    assert.is_false(stands(navmesh, ROOF))
    assert.is_true(stands(leeward.bake(geometry, { seeds = { ROOF } }), ROOF))
    assert.equal(1, geometry:stats().seeds) -- those of a bake are for that bake alone
  end)

  it("has them from a gset file", function()
    local file = os.tmpname()
    local out = assert(io.open(file, "w"))
    out:write("f yard.obj\np 0 0.1 -15\n")
    out:close()
    local navmesh, report = leeward.bake(yard(), { links = file })
    assert.equal(1, report.islands_unreachable)
    assert.is_false(stands(navmesh, ROOF))
    local links, volumes, seeds = leeward.geometry():load_gset(file)
    assert.same({ 0, 0, 1 }, { links, volumes, seeds })
    os.remove(file)
  end)

  it("opens the roof by a rebuild once a ramp leads to it", function()
    local settings = { bounds = { { -20, -1, -20 }, { 20, 8, 20 } } }
    local geometry = yard()
    geometry:add_seed(GATE)
    local navmesh = assert(leeward.bake(geometry, settings))
    assert.is_false(stands(navmesh, ROOF))
    geometry:add_ramp { from = { -10, 0, 14 }, to = { -10, 3, 4 }, width = 4 }
    settings.box = { { -12, 0, 4 }, { -8, 3, 14 } }
    local again = assert(leeward.rebuild(navmesh, geometry, settings))
    assert.is_true(stands(again, ROOF))
  end)

  it("says which of them have no ground", function()
    local _, report = leeward.bake(yard(), { seeds = { GATE, { 0, 9, 0 } } })
    assert.same({ "seed 2 at (0, 9, 0) does not count: no ground is within 2 m of it" }, report.notes)
    assert.same({ nil, "no seed is within 2 m of the ground: the first of 1 is (0, 9, 0)", "EMPTY" },
      { leeward.bake(yard(), { seeds = { { 0, 9, 0 } } }) })
  end)

  it("refuses what is no list of points", function()
    local cases = {
      { { seeds = {} }, "bake: seeds is a list of 0, expected at least 1" },
      { { seeds = GATE }, "bake: seeds[1] is 0, expected a point" },
      { { seeds = "gate" }, "bake: seeds is 'gate'" },
      { { seeds = { { 0, 0 / 0, 0 } } }, "seed" },
    }
    for _, case in ipairs(cases) do
      local ok, message = pcall(leeward.bake, yard(), case[1])
      assert.is_false(ok)
      assert.matches(case[2], message, 1, true)
    end
    assert.has_error(function() yard():add_seed "gate" end)
  end)

  --- What is kept is what a path leads to, for somebody who may enter everything and take every link.
  for _, name in ipairs { "oa_wrackdm17", "fd2_map01", "recast_dungeon" } do
    it("keeps of a level exactly what paths lead to: " .. name, function()
      if not levels.has(name) then return pending(levels.file(name) .. " is missing") end
      local settings = { occluders = false, cover_segments = false, openness_range = 0, auto_links = { drop = 4 } }
      for key, value in pairs(levels.settings) do settings[key] = value end
      local geometry = assert(leeward.load_geometry(levels.file(name)))
      local whole = leeward.world { navmesh = assert(leeward.bake(geometry, settings)), seed = 5 }
      local anybody = { extends = "human", radius = 0, climb = 2, can_swim = true, avoid = {} }
      local from = whole:random_point()
      settings.seeds = { from }
      local navmesh, report = leeward.bake(geometry, settings)
      local seeded = leeward.world { navmesh = navmesh, seed = 6 }
      local lost = 0
      for _ = 1, 300 do
        local to = seeded:random_point()
        assert.truthy(seeded:find_path { from = from, to = to, profile = anybody })
        to = whole:random_point()
        local is_reached = whole:find_path { from = from, to = to, profile = anybody } ~= nil
        assert.equal(is_reached, is_ground(seeded, to, 0.05), ("(%g, %g, %g)"):format(to.x, to.y, to.z))
        if not is_reached then lost = lost + 1 end
      end
      print(("note: %s: %d islands left out, %d of 300 points"):format(name, report.islands_unreachable, lost))
    end)
  end
end)
