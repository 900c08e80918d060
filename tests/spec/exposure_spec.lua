local leeward = require "leeward"

local function world_of(build, settings)
  local geometry = leeward.geometry()
  geometry:add_box { at = { 0, -1, 0 }, size = { 40, 1, 40 } }
  build(geometry)
  return leeward.world { navmesh = leeward.bake(geometry, settings or { agent_radius = 0.4, cell_size = 0.2 }) }
end

-- A wall of 4 x 3 m across the middle.
local function walled(cover)
  return world_of(function(geometry)
    geometry:add_box { at = { 0, 0, 0 }, size = { 4, 3, 0.2 }, area = false, cover = cover }
  end)
end

local sniper = { at = { 0, 1.6, -10 } }
local behind = { from = { -10, 0, 10 }, to = { 10, 0, 10 }, threats = { sniper } }

describe("exposure", function()
  it("is what a wall does not hide", function()
    local metres, fraction, hidden, weighted = walled():exposure(behind)
    -- The wall's near face is 9.9 m from the eye and 4 m wide: 20 m away its shadow is 4 * 20 / 9.9 m wide.
    assert.is_near(20 - 80 / 9.9, metres, 0.01)
    assert.is_near(metres / 20, fraction, 1e-6)
    assert.equal(1, #hidden)
    assert.is_near(0.5 - 2 / 9.9, hidden[1][1], 1e-3)
    assert.is_near(0.5 + 2 / 9.9, hidden[1][2], 1e-3)
    assert.is_near(metres, weighted, 1e-4)
  end)

  it("counts shadows that overlap once", function()
    local world = world_of(function(geometry)
      for z = -2, 2 do geometry:add_box { at = { 0, 0, z }, size = { 4, 3, 0.2 }, area = false } end
    end)
    local metres = world:exposure(behind)
    assert.is_near(20 - 4 * 20 / 7.9, metres, 0.01) -- the nearest wall's shadow holds all the others
  end)

  it("of a crouching man is less behind a low wall", function()
    local world = world_of(function(geometry)
      geometry:add_box { at = { 0, 0, 8 }, size = { 30, 1.2, 0.2 }, area = false }
    end)
    local query = { from = { -5, 0, 10 }, to = { 5, 0, 10 }, threats = { sniper }, stance = "stand" }
    assert.equal(10, (world:exposure(query)))
    query.stance = "crouch"
    assert.equal(0, (world:exposure(query)))
  end)

  it("ends with the threat's range, and weighs less with distance", function()
    local world = walled()
    local query = { from = { -5, 0, -10 }, to = { -25, 0, -10 },
                    threats = { { at = { -5, 1.25, -10 }, range = 10, weight = 2 } } }
    local metres, fraction, hidden, weighted = world:exposure(query)
    assert.is_near(10, metres, 0.02) -- of eyes and bodies not at the same height, the lower body is a little nearer
    assert.is_near(0.5, fraction, 1e-3)
    assert.is_near(1, hidden[#hidden][2], 1e-6)
    assert.is_near(2 * 5, weighted, 0.02) -- from 1 down to 0: half of ten metres
  end)

  it("falls off evenly with the distance, however near the segment comes to the threat", function()
    local world = world_of(function() end)
    for _, aside in ipairs { 0, 1e-4, 0.01, 0.3, 3, 9, 9.999 } do
      local function weighted(from, to)
        return (select(4, world:exposure { from = { from, 0, 10 }, to = { to, 0, 10 }, heights = { 1.25 },
          threats = { { at = { 0, 1.25, 10 + aside }, range = 10 } } }))
      end
      local steps, truth = 20000, 0
      for i = 1, steps do
        local x = -12 + 24 * (i - 0.5) / steps
        truth = truth + math.max(0, 1 - math.sqrt(x * x + aside * aside) / 10) * 24 / steps
      end
      assert.is_near(truth, weighted(-12, 12), 1e-4)
      assert.is_near(truth, weighted(12, -12), 1e-4)
      assert.is_near(truth, weighted(-12, -3) + weighted(-3, 0) + weighted(0, 2) + weighted(2, 12), 1e-4)
    end
  end)

  it("is only what lies within the threat's angle", function()
    local world = world_of(function() end)
    local query = { from = { -10, 0, 0 }, to = { 10, 0, 0 }, heights = { 1.6 },
                    threats = { { at = { 0, 1.6, -10 }, facing = { 0, 0, 1 }, half_angle = math.pi / 8 } } }
    assert.is_near(2 * 10 * math.tan(math.pi / 8), (world:exposure(query)), 1e-3)
    query.threats[1].facing = { 0, 0, -1 }
    assert.equal(0, (world:exposure(query)))
    for _, length in ipairs { 1e-30, 1e-20, 1e18, 1e38 } do -- a direction of any length
      query.threats[1].facing = { 0, 0, length }
      assert.is_near(2 * 10 * math.tan(math.pi / 8), (world:exposure(query)), 1e-3)
    end
  end)

  it("to several threats is what any of them sees, weighted is their sum", function()
    local world = walled()
    local query = { from = behind.from, to = behind.to, threats = { sniper, { at = { 0, 1.6, 18 } } } }
    local metres, _, hidden, weighted = world:exposure(query)
    assert.is_near(20, metres, 1e-3)
    assert.same({}, hidden)
    assert.is_near(20 + 20 - 80 / 9.9, weighted, 0.01)
  end)

  it("without a threat is 0, and all is hidden", function()
    local metres, fraction, hidden = walled():exposure { from = { 0, 0, 1 }, to = { 0, 0, 5 }, threats = {} }
    assert.equal(0, metres)
    assert.equal(0, fraction)
    assert.same({ { 0, 1 } }, hidden)
  end)

  it("counts every shadow, however many there are", function()
    local world = world_of(function(geometry)
      for i = -90, 90 do
        geometry:add_box { at = { 0.2 * i, 0, 0 }, size = { 0.05, 3, 0.05 }, area = false }
      end
    end)
    local metres, _, hidden = world:exposure { from = { -17, 0, 0.5 }, to = { 17, 0, 0.5 }, heights = { 1 },
      threats = { { at = { 0, 1, -19 } } } }
    local sum, last = 0, 0
    for _, part in ipairs(hidden) do
      assert.is_true(part[1] >= last and part[2] > part[1])
      sum, last = sum + part[2] - part[1], part[2]
    end
    -- Posts up to 16.5 m to either side hide: the segment is 19.5 m away, they are 19 m.
    assert.is_true(#hidden >= 164 and #hidden <= 168, #hidden)
    assert.is_near(34 * (1 - sum), metres, 1e-3)
    assert.is_true(metres > 17 and metres < 26) -- a quarter and more: seen at a slant, posts of 5 cm are wider
  end)

  for _, accuracy in ipairs { "exact", "fast" } do
    it("has an answer for every threat, " .. accuracy, function()
      local world = walled()
      local function seen(at, from, to)
        return select(2, world:exposure { from = from, to = to or from, heights = { 0.01 }, accuracy = accuracy,
          threats = { { at = at } } })
      end
      -- In the wall, which is 0.2 m thick: what lies on its own side of the faces, up to them, and nothing beyond.
      assert.equal(0, seen({ 0, 1, 0 }, { -1, 0, 5 }, { 1, 0, 5 }))
      assert.equal(1, seen({ 0, 1, 0 }, { -1, 1, 0 }, { 1, 1, 0 }))
      -- On the segment, in line with it, and above it: as far as the wall.
      assert.is_near(0.99, seen({ 0, 1.01, -5 }, { 0, 1, -10 }, { 0, 1, 0 }), 0.01)
      assert.is_near(0.495, seen({ 0, 1.01, -15 }, { 0, 1, -10 }, { 0, 1, 10 }), 0.01)
      assert.equal(1, seen({ 5, 9, 5 }, { 5, 0, 5 }))
      assert.equal(1, seen({ 5, 0.01, 5 }, { 5, 0, 5 })) -- at the eye itself
      assert.equal(0, seen({ 0, 1, -5 }, { 0, 1, 5 }))
      assert.equal(1, seen({ 9, 1, -5 }, { 9, 1, 5 }))
    end)
  end

  it("of a place without a length is one or nothing", function()
    local world = walled()
    local function at(x)
      return select(2, world:exposure { from = { x, 0, 5 }, to = { x, 0, 5 }, threats = { sniper } })
    end
    assert.equal(0, at(0))
    assert.equal(1, at(12))
  end)

  it("along the line of sight ends at the first wall", function()
    local world = walled()
    local metres = world:exposure { from = { 0, 0, -8 }, to = { 0, 0, 12 }, heights = { 1.6 }, threats = { sniper } }
    assert.is_near(7.9, metres, 0.01)
  end)

  it("goes through what is see-through, and shots through what only hides", function()
    assert.is_near(20, (walled("none"):exposure(behind)), 1e-3)
    local hedge = walled("soft")
    assert.is_near(20 - 80 / 9.9, (hedge:exposure(behind)), 0.01)
    local shot = { from = behind.from, to = behind.to, threats = behind.threats, shots = true }
    assert.is_near(20, (hedge:exposure(shot)), 1e-3)
  end)

  it("is everything where the bake kept no occluders", function()
    local world = world_of(function(geometry)
      geometry:add_box { at = { 0, 0, 0 }, size = { 4, 3, 0.2 }, area = false }
    end, { cell_size = 0.2, occluders = false })
    assert.is_near(20, (world:exposure(behind)), 1e-3)
  end)

  it("is the same from a saved navmesh", function()
    local geometry = leeward.geometry()
    geometry:add_box { at = { 0, -1, 0 }, size = { 40, 1, 40 } }
    geometry:add_box { at = { 0, 0, 0 }, size = { 4, 3, 0.2 }, area = false, yaw = 0.3 }
    local navmesh = leeward.bake(geometry, { cell_size = 0.2 })
    local file = os.tmpname()
    navmesh:save(file)
    local loaded = leeward.load_navmesh(file)
    os.remove(file)
    assert.is_true(navmesh:stats().occluders >= 10)
    assert.equal(navmesh:stats().occluders, loaded:stats().occluders)
    assert.equal((leeward.world { navmesh = navmesh }:exposure(behind)),
                 (leeward.world { navmesh = loaded }:exposure(behind)))
  end)

  it("does not take one threat for none", function()
    local world = walled()
    local agent = world:spawn { profile = "soldier", at = { 0, 0, 5 } }
    local query = { from = { 0, 0, 5 }, to = { 1, 0, 5 }, threats = sniper }
    assert.error_matches(function() world:exposure(query) end,
      "exposure: threats is a table with the key 'at', expected a list; write { x } for one element x", 1, true)
    assert.error_matches(function() world:find_path(query) end,
      "find_path: threats is a table with the key 'at', expected a list", 1, true)
    assert.error_matches(function() agent:is_seen(sniper) end,
      "is_seen: threats is a table with the key 'at', expected a list", 1, true)
    query.threats = { sniper.at }
    assert.error_matches(function() world:exposure(query) end,
      "exposure: threats[1] is {0, 1.6, -10}, expected a table with 'at'", 1, true)
  end)

  it("refuses what it cannot make sense of, with its name", function()
    local world = walled()
    local function refuses(text, change)
      local query = { from = { 0, 0, 0 }, to = { 1, 0, 0 }, threats = { { at = { 0, 1, 0 } } } }
      change(query)
      assert.has_error(function() world:exposure(query) end, text)
    end
    refuses("exposure: unknown key 'stanse'. Did you mean 'stance'?", function(q) q.stanse = "crouch" end)
    refuses("exposure: stance is 'prone', expected 'stand' or 'crouch'", function(q) q.stance = "prone" end)
    refuses("exposure: threats[1].half_angle is 1.0, expected pi without 'facing'",
      function(q) q.threats[1].half_angle = 1 end)
    refuses("exposure: threats[1].facing is (0, 0, 0), expected a direction", function(q) q.threats[1].facing = { 0,
      0, 0 } end)
    refuses("exposure: accuracy is 'best', expected 'auto', 'exact', 'fast' or 'map'",
      function(q) q.accuracy = "best" end)
    refuses("exposure: heights is a list of 5, expected at most 4", function(q) q.heights = { 1, 1, 1, 1, 1 } end)
    refuses("exposure: from is {1e+20, 0, 0}, expected coordinates within +-1000000 metres",
      function(q) q.from, q.threats = { 1e20, 0, 0 }, {} end)
    refuses("exposure: to is {1, 0, -1000001}, expected coordinates within +-1000000 metres",
      function(q) q.to[3] = -1000001 end)
    refuses("exposure: threats[1].at is {0, 3e+38, 0}, expected coordinates within +-1000000 metres",
      function(q) q.threats[1].at[2] = 3e38 end)
    refuses("exposure: threats[1].weight is 1e+38, expected a number from 0 to 1000000",
      function(q) q.threats[1].weight = 1e38 end)
  end)

  it("is answered for segments as far out as geometry may lie", function()
    local metres, fraction, _, weighted = walled():exposure { from = { -1e6, 0, 5 }, to = { 1e6, 0, 5 },
      threats = { { at = { 0, 1.6, 5 }, range = 100 } } }
    assert.is_near(200, metres, 1)
    assert.is_near(1e-4, fraction, 1e-6)
    assert.is_near(100, weighted, 1)
  end)
end)

describe("sight", function()
  it("ends at walls, and goes past them", function()
    local world = walled()
    assert.is_false(world:sees({ 0, 1.6, -10 }, { 0, 1.6, 10 }))
    assert.is_true(world:sees({ 0, 4, -10 }, { 0, 4, 10 }))
    assert.is_true(world:sees({ 5, 1.6, -10 }, { 5, 1.6, 10 }))
    assert.is_false(world:sees({ 5, 1.6, 0 }, { 5, -3, 0 })) -- through the floor
    assert.has_error(function() world:sees({ 5, 1.6, 0 }, { 1e20, 0, 0 }) end,
      "sees: target is {1e+20, 0, 0}, expected coordinates within +-1000000 metres")
  end)

  it("goes through a hedge for a bullet, and through glass for all", function()
    local a, b = { 0, 1.6, -10 }, { 0, 1.6, 10 }
    assert.is_false(walled("soft"):sees(a, b))
    assert.is_true(walled("soft"):sees(a, b, { shots = true }))
    assert.is_true(walled("none"):sees(a, b))
  end)
end)
