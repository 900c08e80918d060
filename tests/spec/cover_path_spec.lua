local leeward = require "leeward"

-- Open ground 60 x 40 m; a wall of 40 m runs along it, its north side out of the sight of a threat in the south.
local function field(cover)
  local geometry = leeward.geometry()
  geometry:add_box { at = { 0, -1, 0 }, size = { 60, 1, 40 } }
  geometry:add_box { at = { 0, 0, 4 }, size = { 40, 3, 0.4 }, area = false, cover = cover }
  return leeward.world { navmesh = leeward.bake(geometry, { agent_radius = 0.4, cell_size = 0.2 }) }
end

local sniper = { at = { 0, 1.6, -15 } }

local function cross(world, cover_bias, more)
  local query = { from = { -25, 0, 0 }, to = { 25, 0, 0 }, threats = { sniper },
                  profile = { extends = "human", cover_bias = cover_bias } }
  for key, value in pairs(more or {}) do query[key] = value end
  return assert(world:find_path(query))
end

local function exposed_along(world, path)
  local points, sum = path:points(), 0
  for i = 2, #points do
    sum = sum + (world:exposure { from = points[i - 1], to = points[i], threats = { sniper } })
  end
  return sum
end

describe("a path that is watched", function()
  local world = field()

  it("is the shortest at cover_bias 1, and says how much of it is seen", function()
    local path = cross(world, 1)
    assert.is_near(50, path:length(), 0.01)
    assert.is_near(50, path:cost(), 0.01)
    assert.is_near(50, path:exposed(), 0.01)
  end)

  it("goes behind the wall at a higher cover_bias", function()
    local path = cross(world, 10)
    assert.is_true(path:length() > 50 and path:length() < 56)
    assert.is_true(path:exposed() < 15)
    local behind = 0
    for _, point in ipairs(path:points()) do behind = math.max(behind, point.z) end
    assert.is_true(behind > 4)
  end)

  it("costs its length and (cover_bias - 1) for each metre that is seen", function()
    for _, bias in ipairs { 1, 2, 5, 10 } do
      local path = cross(world, bias)
      assert.is_near(exposed_along(world, path), path:exposed(), 0.02)
      assert.is_near(path:length() + (bias - 1) * path:exposed(), path:cost(), 0.05)
    end
  end)

  it("never costs more than the shortest one would", function()
    for _, bias in ipairs { 1.5, 3, 10 } do
      assert.is_true(cross(world, bias):cost() <= 50 + (bias - 1) * 50 + 0.01)
    end
  end)

  it("is no other where threats of no weight look on, however many", function()
    local threats = { sniper }
    for i = 1, 80 do threats[#threats + 1] = { at = { i % 9 - 4, 1.6, i % 7 - 3 }, weight = 0 } end
    local alone, watched = cross(world, 10), cross(world, 10, { threats = threats })
    assert.is_near(alone:cost(), watched:cost(), 1e-3)
    assert.is_near(alone:nodes(), watched:nodes(), 1)
  end)

  it("minds all of a crowd that is more than a search looks by", function()
    local crowd = {}
    for i = 1, 100 do crowd[i] = { at = { sniper.at[1] + i * 0.01, sniper.at[2], sniper.at[3] }, weight = 0.01 } end
    local alone, watched = cross(world, 10), cross(world, 10, { threats = crowd })
    assert.is_near(alone:cost(), watched:cost(), 0.05 * alone:cost())
  end)

  it("bends along a shadow inside a single polygon", function()
    local geometry = leeward.geometry()
    geometry:add_box { at = { 20, -1, 10 }, size = { 40, 1, 20 } }
    -- Beside the field; its shadow widens to the north.
    geometry:add_box { at = { 20, 0, -3 }, size = { 6, 6, 0.4 }, area = false }
    local open = leeward.world {
      navmesh = leeward.bake(geometry, { agent_radius = 0.4, cell_size = 0.2, tile_size = 64, max_edge_length = 0 }),
    }
    local function go(cover_bias, threats)
      return assert(open:find_path {
        from = { 2, 0, 2 }, to = { 38, 0, 2 }, profile = { extends = "human", cover_bias = cover_bias },
        threats = threats or { { at = { 20, 1.6, -10 } } },
      })
    end
    -- The shadow's edge runs from the eye over the wall's corner at (17, -3.2). Where to enter it, by trying them all:
    local best = math.huge
    for north = 2, 18, 0.01 do
      local east = 20 - 3 * (north + 10) / 6.8
      best = math.min(best, 2 * (10 * math.sqrt((east - 2) ^ 2 + (north - 2) ^ 2) + 20 - east))
    end
    local straight, bent = go(1), go(10)
    assert.equal(1, #bent:corridor())
    assert.is_true(bent:cost() < 1.01 * best, ("%g, at best %g"):format(bent:cost(), best))
    assert.is_true(bent:cost() < 0.97 * (36 + 9 * straight:exposed()))
    assert.is_true(bent:exposed() < straight:exposed() - 1.5)

    local crowd = {}
    for i = 1, 40 do crowd[i] = { at = { 20, 1.6 + i * 0.001, -10 }, weight = 1 / 40 } end
    assert.is_near(bent:cost(), go(10, crowd):cost(), 0.01 * bent:cost())
  end)

  it("keeps to the open when the wall can be seen through", function()
    assert.is_near(50, cross(field "none", 10):length(), 0.01)
  end)

  it("minds threats of more weight, and none out of range", function()
    local path = cross(world, 10, { threats = { { at = sniper.at, range = 5 } } })
    assert.is_near(50, path:length(), 0.01)
    assert.equal(0, path:exposed())
  end)

  it("is the same again, bit for bit", function()
    local a, b = cross(world, 10), cross(field(), 10)
    assert.equal(a:cost(), b:cost())
    assert.same(a:points(), b:points())
  end)

  it("crouches behind what a standing man looks over", function()
    local geometry = leeward.geometry()
    geometry:add_box { at = { 0, -1, 0 }, size = { 60, 1, 40 } }
    geometry:add_box { at = { 0, 0, -6 }, size = { 60, 1.25, 0.4 }, area = false }
    local low = leeward.world { navmesh = leeward.bake(geometry, { cell_size = 0.2 }) }
    assert.is_near(50, cross(low, 3):exposed(), 0.01)
    assert.is_near(0, cross(low, 3, { stance = "crouch" }):exposed(), 0.01)
  end)
end)
