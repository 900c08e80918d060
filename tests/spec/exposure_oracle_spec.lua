-- Exposure against a plain implementation, in a hall full of walls, hedges and windows. EXPOSURE_CALLS=100000 asks
-- as often; EXPOSURE_SEED asks something else.
local leeward = require "leeward"
local oracle = require "support.exposure_oracle"

local CALLS = tonumber(os.getenv "EXPOSURE_CALLS") or 3000
local SEED = tonumber(os.getenv "EXPOSURE_SEED") or 1
local ROUND = 3000 -- calls in one hall
local COVERS = { "hard", "hard", "soft", "none" }

-- The library keeps corners on a lattice of whole millimetres from the level's corner, as far as a float can say that
-- (coarser for triangles of more than 32 m).
local QUANTUM = string.unpack("f", string.pack("f", 0.001))
local CORNER = { -20, -1, -20 }

local function lattice(low, high) return math.random(low * 1000, high * 1000) end
local function place(p)
  return { CORNER[1] + p[1] * QUANTUM, CORNER[2] + p[2] * QUANTUM, CORNER[3] + p[3] * QUANTUM }
end
-- Numbers that a float has exactly, also 5 km away.
local function exact(low, high) return math.random(low * 64, high * 64) / 64 end

--- Thirty triangles at all angles and ten boxes on a floor of 40 x 40 m, as geometry (moved by `far`) and as polygons.
local function furnish(far)
  local geometry, polygons = leeward.geometry(), {}
  local function add(corners, cover, area)
    local vertices, list = {}, { cover = cover }
    for i, corner in ipairs(corners) do
      list[i] = place(corner)
      vertices[i] = { list[i][1] + far, list[i][2], list[i][3] + far }
    end
    local indices = {}
    for i = 3, #corners do table.move({ 1, i - 1, i }, 1, 3, #indices + 1, indices) end
    geometry:add_mesh { vertices = vertices, indices = indices, cover = cover, area = area or false }
    polygons[#polygons + 1] = list
  end
  for x = 0, 20000, 20000 do
    for z = 0, 20000, 20000 do
      add({ { x, 0, z }, { x, 0, z + 20000 }, { x + 20000, 0, z + 20000 }, { x + 20000, 0, z } }, "hard", "ground")
    end
  end
  for i = 1, 30 do
    local middle, corners = { lattice(2, 38), lattice(0, 4), lattice(2, 38) }, {}
    for k = 1, 3 do
      corners[k] = {}
      for axis = 1, 3 do corners[k][axis] = math.max(0, middle[axis] + lattice(-3, 3)) end
    end
    add(corners, COVERS[i % 4 + 1])
  end
  for i = 1, 10 do
    local x, z, w, h, d = lattice(2, 35), lattice(2, 35), lattice(0.2, 3), lattice(0.8, 3), lattice(0.2, 3)
    local cover = COVERS[i % 4 + 1]
    add({ { x, 1000, z }, { x + w, 1000, z }, { x + w, 1000 + h, z }, { x, 1000 + h, z } }, cover)
    add({ { x, 1000, z + d }, { x, 1000 + h, z + d }, { x + w, 1000 + h, z + d }, { x + w, 1000, z + d } }, cover)
    add({ { x, 1000, z }, { x, 1000 + h, z }, { x, 1000 + h, z + d }, { x, 1000, z + d } }, cover)
    add({ { x + w, 1000, z }, { x + w, 1000, z + d }, { x + w, 1000 + h, z + d }, { x + w, 1000 + h, z } }, cover)
    add({ { x, 1000 + h, z }, { x + w, 1000 + h, z }, { x + w, 1000 + h, z + d }, { x, 1000 + h, z + d } }, cover)
  end
  local navmesh = leeward.bake(geometry, { cell_size = 1, cell_height = 0.5, agent_radius = 1 })
  return leeward.world { navmesh = navmesh }, polygons
end

local function draw_threat()
  local threat = { at = { exact(-18, 18), exact(0, 4), exact(-18, 18) } }
  if math.random(20) == 1 then threat.range = math.random(3, 25) end
  if math.random(20) == 1 then
    threat.facing, threat.half_angle = { exact(-1, 1), exact(-1, 1), 1 }, 0.3 + 2 * math.random()
  end
  return threat
end

local function draw_query()
  local query = {
    from = { exact(-18, 18), exact(-1, 2), exact(-18, 18) }, to = { exact(-18, 18), exact(-1, 2), exact(-18, 18) },
    heights = math.random(3) == 1 and { 0.5, 0.875 } or { 0.875, 1.625 }, threats = { draw_threat() },
    shots = math.random(3) == 1, accuracy = "exact",
  }
  if math.random(4) == 1 then query.threats[2] = draw_threat() end
  return query
end

local function moved(query, by)
  local copy = { heights = query.heights, shots = query.shots, accuracy = query.accuracy, threats = {} }
  local function move(p) return { p[1] + by, p[2], p[3] + by } end
  copy.from, copy.to = move(query.from), move(query.to)
  for i, threat in ipairs(query.threats) do
    copy.threats[i] = { at = move(threat.at), range = threat.range, facing = threat.facing,
      half_angle = threat.half_angle }
  end
  return copy
end

-- A question whose true answer jumps when the eyes move by a hundredth of a millimetre, a few roundings of a float 30 m
-- away, has no answer to be held to: an edge lies in the plane of eye and segment, or nearly. Is `answer` one that eyes
-- near by would get?
local function is_answer_near_by(polygons, query, answer)
  local low, high = math.huge, -math.huge
  for axis = 1, 3 do
    for _, by in ipairs { -1e-5, -2e-6, 0, 2e-6, 1e-5 } do
      local copy = moved(query, 0)
      for _, threat in ipairs(copy.threats) do threat.at[axis] = threat.at[axis] + by end
      local truth = oracle.exposed(polygons, copy)
      low, high = math.min(low, truth), math.max(high, truth)
    end
  end
  return answer >= low - 1e-5 and answer <= high + 1e-5
end

--- Ask `calls` questions of halls that lie `far` from the origin.
--- @return how many were in doubt, the largest difference of the others, and that of their weighted metres
local function compare(calls, far)
  local doubtful, worst, worst_weighted = 0, 0, 0
  math.randomseed(SEED)
  for first = 1, calls, ROUND do
    local world, polygons = furnish(far)
    for _ = first, math.min(first + ROUND - 1, calls) do
      local query = draw_query()
      local truth = oracle.exposed(polygons, query)
      local _, answer, _, weighted = world:exposure(far == 0 and query or moved(query, far))
      local off = math.abs(answer - truth)
      if off <= 1e-5 then
        worst = math.max(worst, off)
        if query.threats[1].range and off < 1e-6 then -- of several what each is seen may be in doubt all the same
          worst_weighted = math.max(worst_weighted, math.abs(weighted - oracle.weighted(polygons, query)))
        end
      else
        doubtful = doubtful + 1
        assert.is_true(is_answer_near_by(polygons, query, answer), ("%.9f, not %.9f"):format(answer, truth))
      end
    end
  end
  return doubtful, worst, worst_weighted
end

describe("exposure in a hall full of things", function()
  it("is what an obvious implementation says", function()
    local doubtful, worst, weighted = compare(CALLS, 0)
    print(("note: %d calls: off by %.1e at most, weighted by %.1e m, %d in doubt by an edge (seed %d)"):format(CALLS,
      worst, weighted, doubtful, SEED))
    assert.is_true(doubtful <= CALLS / 500)
    assert.is_true(weighted < 2e-3)
  end)

  it("is the same 5 km away", function()
    local doubtful, worst = compare(CALLS // 3, 5000)
    print(("note: %d calls: off by %.1e at most, %d in doubt by an edge"):format(CALLS // 3, worst, doubtful))
    assert.is_true(doubtful <= CALLS / 500)
  end)
end)
