--- Paths in tests: what they cross, and how much of them is seen.

local leeward = require "leeward"
local checks = require "behaviors.checks"

local paths = {}

--- The points of a path, of the rest of an agent's path, or of a list.
function paths.points(path)
  local kind = getmetatable(path)
  if kind == "leeward.path" then return path:points() end
  if kind == "leeward.agent" then
    local route = path:route()
    if not route then error(("path is %s, which follows none: %s"):format(tostring(path), path:why()), 0) end
    return route
  end
  if type(path) ~= "table" or #path < 2 then
    error(("path is %s, expected a path, an agent that walks, or a list of points"):format(tostring(path)), 0)
  end
  local points = {}
  for index, point in ipairs(path) do points[index] = leeward.vec3(point) end
  return points
end

--- Where a segment enters a box: t in 0..1; nil: it does not.
local function enters_box(a, b, low, high)
  local first, last = 0, 1
  for _, axis in ipairs { "x", "y", "z" } do
    local from, delta = a[axis], b[axis] - a[axis]
    if delta == 0 then
      if from < low[axis] or from > high[axis] then return nil end
    else
      local t0, t1 = (low[axis] - from) / delta, (high[axis] - from) / delta
      if t0 > t1 then t0, t1 = t1, t0 end
      first, last = math.max(first, t0), math.min(last, t1)
      if first > last then return nil end
    end
  end
  return first
end

--- Where it enters a circle, in xz.
local function enters_circle(a, b, at, radius)
  local dx, dz, x, z = b.x - a.x, b.z - a.z, a.x - at.x, a.z - at.z
  local length, along, distance = dx * dx + dz * dz, x * dx + z * dz, x * x + z * z - radius * radius
  if distance <= 0 then return 0 end
  local root = along * along - length * distance
  if length == 0 or root < 0 then return nil end
  local t = (-along - math.sqrt(root)) / length
  return t >= 0 and t <= 1 and t or nil
end

--- Raise for a table that is neither a circle nor a box.
local function check_volume(area)
  local known = area.at ~= nil and { at = true, radius = true } or { min = true, max = true }
  for key in pairs(area) do
    if not known[key] then
      local guess = leeward.suggest(tostring(key), checks.names_of(known))
      error(("avoids: the area has an unknown key '%s'%s"):format(leeward.shown(tostring(key)),
        guess and (". Did you mean '%s'?"):format(guess) or ", expected { at =, radius = } or { min =, max = }"), 0)
    end
  end
  if area.at == nil then return end
  if not checks.is_finite(area.radius) or area.radius <= 0 then
    error(("avoids: radius is %s, expected metres > 0"):format(checks.shown(area.radius)), 0)
  end
end

--- The function of a segment for an area that is a volume, or squares of the drawing.
local function volume_of(area, stage)
  if type(area) == "table" then check_volume(area) end
  if type(area) == "table" and area.at then
    local at, radius = stage:point(area.at), area.radius
    return function(a, b) return enters_circle(a, b, at, radius) end
  end
  if type(area) == "table" and area.min and area.max then
    local low, high = leeward.vec3(area.min), leeward.vec3(area.max)
    return function(a, b) return enters_box(a, b, low, high) end
  end
  local squares = type(area) == "string" and stage.level.squares[area]
  if not squares then return nil end
  local half, above = stage.level.size / 2, 3
  return function(a, b)
    for _, at in ipairs(squares) do
      local t = enters_box(a, b, { x = at.x - half, y = at.y - above, z = at.z - half },
        { x = at.x + half, y = at.y + above, z = at.z + half })
      if t then return t end
    end
  end
end

--- Where the path enters the area: the name of one of the world's areas, a letter of the drawing, a circle
--- { at =, radius = } or a box { min =, max = }. --> point | nil: it does not
function paths.enters(path, area, stage)
  local points, crosses = paths.points(path), volume_of(area, stage)
  if crosses then
    for i = 1, #points - 1 do
      local t = crosses(points[i], points[i + 1])
      if t then return points[i] + (points[i + 1] - points[i]) * t end
    end
    return nil
  end
  if type(area) ~= "string" or not leeward.area(area) then
    local guess = type(area) == "string" and leeward.suggest(area, leeward.areas())
    error(("area is %s, expected the name of an area, a letter of the drawing, { at =, radius = } or { min =, max = }"
      .. "%s"):format(type(area) == "string" and "'" .. leeward.shown(area) .. "'" or tostring(area),
        guess and (". Did you mean '%s'?"):format(guess) or ""), 0)
  end
  if getmetatable(path) ~= "leeward.path" then
    error(("path is %s, expected a path of world:find_path: others do not say which areas they cross"):format(
      tostring(path)), 0)
  end
  for index, name in ipairs(path:areas()) do
    if name == area then return points[index] end
  end
end

--- Threats as queries take them: names of places are eyes there.
local function threats_of(threats, stage)
  if type(threats) ~= "table" or threats.at then threats = { threats } end
  local found = {}
  for index, threat in ipairs(threats) do
    if type(threat) == "string" then threat = { at = stage:point(threat) + leeward.vec3(0, 1.6, 0) } end
    if getmetatable(threat) == "leeward.vec3" then threat = { at = threat } end
    found[index] = threat
  end
  if #found == 0 then error("threats is empty, expected threats, agents or names of places", 0) end
  return found
end

--- paths.exposed(path, threats, stage) --> metres that they see, metres in all, where the longest such piece begins
function paths.exposed(path, threats, stage)
  local points, seen, length, longest, at = paths.points(path), 0, 0, 0, nil
  local list = threats_of(threats, stage)
  for i = 1, #points - 1 do
    local metres = assert(stage.world:exposure { from = points[i], to = points[i + 1], threats = list })
    seen, length = seen + metres, length + points[i]:distance(points[i + 1])
    if metres > longest then longest, at = metres, points[i] end
  end
  return seen, length, at
end

return paths
