-- Exposure, by a plain implementation: each polygon cuts the triangle of eye and segment, one by one, in doubles.
local oracle = {}

local NEAR = 0.001 -- nothing hides that is so near the eye, or so near the segment's line [m],
local BEFORE = 0.001 -- or this part of the distance, if that is less

local function sub(a, b) return { a[1] - b[1], a[2] - b[2], a[3] - b[3] } end
local function dot(a, b) return a[1] * b[1] + a[2] * b[2] + a[3] * b[3] end
local function cross(a, b)
  return { a[2] * b[3] - a[3] * b[2], a[3] * b[1] - a[1] * b[3], a[1] * b[2] - a[2] * b[1] }
end
local function length(a) return math.sqrt(dot(a, a)) end

-- The part of the line from p to q, in places { u, v }, where each of the functions is at least 0; nil: none.
local function clip(p, q, functions)
  local from, to = 0, 1
  for _, f in ipairs(functions) do
    local a, b = f(p), f(q)
    if a < 0 and b < 0 then return nil end
    if a < 0 then from = math.max(from, a / (a - b)) end
    if b < 0 then to = math.min(to, a / (a - b)) end
  end
  if from >= to then return nil end
  local function at(t) return { p[1] + (q[1] - p[1]) * t, p[2] + (q[2] - p[2]) * t } end
  return at(from), at(to)
end

-- Which parameters a polygon hides of the segment from `a` to `b` (both relative to the eye): { t0, t1 } or nil.
local function hidden_by(polygon, eye, a, b)
  local normal = cross(a, b)
  local area2 = dot(normal, normal)
  local cut = {}
  for i, corner in ipairs(polygon) do
    local p, q = sub(corner, eye), sub(polygon[i % #polygon + 1], eye)
    local over, over_next = dot(normal, p), dot(normal, q)
    if (over < 0) ~= (over_next < 0) then
      local t = over / (over - over_next)
      local place = { p[1] + (q[1] - p[1]) * t, p[2] + (q[2] - p[2]) * t, p[3] + (q[3] - p[3]) * t }
      -- place = u a + v b
      cut[#cut + 1] = { dot(cross(place, b), normal) / area2, dot(cross(a, place), normal) / area2 }
    end
  end
  if #cut < 2 then return nil end
  local nearest = NEAR / math.max(length(a), length(b))
  local furthest = 1 - math.min(NEAR * length(sub(b, a)) / math.sqrt(area2), BEFORE)
  local p, q = clip(cut[1], cut[2], {
    function(x) return x[1] end, function(x) return x[2] end,
    function(x) return x[1] + x[2] - nearest end, function(x) return furthest - x[1] - x[2] end,
  })
  if not p then return nil end
  local t0, t1 = p[2] / (p[1] + p[2]), q[2] / (q[1] + q[2])
  return { math.min(t0, t1), math.max(t0, t1) }
end

-- Which parts of the segment are out of a threat's range or behind it: pieces so small that what they begin with holds.
local function out_of_sight(threat, eye, from, to, add)
  if not threat.range and not threat.facing then return end
  local function hides(t)
    local sight = sub({ from[1] + (to[1] - from[1]) * t, from[2] + (to[2] - from[2]) * t,
      from[3] + (to[3] - from[3]) * t }, eye)
    if threat.range and length(sight) > threat.range then return true end
    return threat.facing ~= nil and
      dot(threat.facing, sight) < math.cos(threat.half_angle) * length(sight) * length(threat.facing)
  end
  local steps, since, was = 300, 0, hides(0)
  for i = 1, steps do
    local low, high = (i - 1) / steps, i / steps
    if hides(high) ~= was then
      for _ = 1, 40 do
        local middle = (low + high) / 2
        if hides(middle) == was then low = middle else high = middle end
      end
      if was then add { since, low } end
      since, was = low, not was
    end
  end
  if was then add { since, 1 } end
end

-- Parts hidden at one height from one threat, in order and apart.
local function hidden_at(height, threat, query, polygons)
  local eye, parts = threat.at, {}
  local from = { query.from[1], query.from[2] + height, query.from[3] }
  local to = { query.to[1], query.to[2] + height, query.to[3] }
  local a, b = sub(from, eye), sub(to, eye)
  local function add(part) parts[#parts + 1] = part end
  out_of_sight(threat, eye, from, to, add)
  for _, polygon in ipairs(polygons) do
    if polygon.cover == "hard" or polygon.cover == "soft" and not query.shots then
      local part = hidden_by(polygon, eye, a, b)
      if part then add(part) end
    end
  end
  table.sort(parts, function(left, right) return left[1] < right[1] end)
  local united = {}
  for _, part in ipairs(parts) do
    local last = united[#united]
    if last and part[1] <= last[2] then
      last[2] = math.max(last[2], part[2])
    else
      united[#united + 1] = { part[1], part[2] }
    end
  end
  return united
end

local function holds(parts, t)
  for _, part in ipairs(parts) do
    if part[1] <= t and t <= part[2] then return true end
  end
  return false
end

-- The intervals that each threat does not see at any height, and where any of their ends are.
local function hidden_from(polygons, query, threats)
  local all, breaks = {}, { 0, 1 }
  for _, threat in ipairs(threats) do
    for _, height in ipairs(query.heights) do
      local parts = hidden_at(height, threat, query, polygons)
      all[#all + 1] = parts
      for _, part in ipairs(parts) do
        breaks[#breaks + 1] = math.min(1, math.max(0, part[1]))
        breaks[#breaks + 1] = math.min(1, math.max(0, part[2]))
      end
    end
  end
  table.sort(breaks)
  return all, breaks
end

-- Call `use(t0, t1)` for each part that is seen.
local function for_seen(polygons, query, threats, use)
  local all, breaks = hidden_from(polygons, query, threats)
  for i = 2, #breaks do
    local middle, anyone = (breaks[i - 1] + breaks[i]) / 2, false
    for _, parts in ipairs(all) do anyone = anyone or not holds(parts, middle) end
    if anyone then use(breaks[i - 1], breaks[i]) end
  end
end

-- oracle.exposed(polygons, query) --> exposed part of the segment, 0..1: seen by any threat at any height
-- polygons: { { corner, ..., cover = "hard"|"soft"|"none" }, ... }
function oracle.exposed(polygons, query)
  local seen = 0
  for_seen(polygons, query, query.threats, function(t0, t1) seen = seen + t1 - t0 end)
  return seen
end

local PIECES = 200 -- of each part that is seen

-- oracle.weighted(polygons, query) --> metres: over the threats, fall-off at the mean of the heights x what each sees
function oracle.weighted(polygons, query)
  local middle, sum = 0, 0
  for _, height in ipairs(query.heights) do middle = middle + height / #query.heights end
  local along = sub(query.to, query.from)
  for _, threat in ipairs(query.threats) do
    for_seen(polygons, query, { threat }, function(t0, t1)
      for i = 1, PIECES do
        local t = t0 + (t1 - t0) * (i - 0.5) / PIECES
        local at = { query.from[1] + along[1] * t, query.from[2] + along[2] * t + middle, query.from[3] + along[3] * t }
        local part = threat.range and math.max(0, 1 - length(sub(at, threat.at)) / threat.range) or 1
        sum = sum + part * (t1 - t0) / PIECES * length(along)
      end
    end)
  end
  return sum
end

return oracle
