-- A level that a spec builds, and its triangles by place: to hold what a navmesh says against the level itself.
local leeward = require "leeward"

local Level = {}
Level.__index = Level

--- Of the cells that triangles are listed by. [m]
local CELL = 4

local function key_of(x, z) return ("%d %d"):format(x // CELL, z // CELL) end

--- List a triangle by the cells that it touches.
function Level:keep(triangle)
  local low, high = { math.huge, math.huge }, { -math.huge, -math.huge }
  for _, p in ipairs(triangle) do
    low[1], low[2] = math.min(low[1], p[1]), math.min(low[2], p[3])
    high[1], high[2] = math.max(high[1], p[1]), math.max(high[2], p[3])
  end
  for x = low[1] // CELL, high[1] // CELL do
    for z = low[2] // CELL, high[2] // CELL do
      local key = ("%d %d"):format(x, z)
      self.cells[key] = self.cells[key] or {}
      table.insert(self.cells[key], triangle)
    end
  end
end

--- Add triangles to the geometry and list them.
function Level:add_mesh(vertices, indices, area)
  self.geometry:add_mesh { vertices = vertices, indices = indices, area = area == nil and "ground" or area }
  for i = 1, #indices, 3 do
    self:keep { vertices[indices[i]], vertices[indices[i + 1]], vertices[indices[i + 2]] }
  end
end

--- Vertices of a surface over x0..x1, z0..z1 from a function of height, and its squares of about `size` metres, each
--- as its four corners by row and column.
local function squares_of(x0, z0, x1, z1, size, height)
  local vertices, squares = {}, {}
  local columns, rows = math.ceil((x1 - x0) / size - 1e-9), math.ceil((z1 - z0) / size - 1e-9)
  for row = 0, rows do
    for column = 0, columns do
      local x, z = x0 + (x1 - x0) * column / columns, z0 + (z1 - z0) * row / rows
      vertices[#vertices + 1] = { x, height(x, z), z }
    end
  end
  for row = 0, rows - 1 do
    for column = 1, columns do
      local a = row * (columns + 1) + column
      squares[#squares + 1] = { a, a + 1, a + columns + 1, a + columns + 2 }
    end
  end
  return vertices, squares
end

--- Add two triangles for each square: `order` says by which of its corners.
function Level:add_squares(vertices, squares, order, area)
  local indices = {}
  for _, square in ipairs(squares) do
    for _, corner in ipairs(order) do indices[#indices + 1] = square[corner] end
  end
  self:add_mesh(vertices, indices, area)
end

--- Add ground from a function of height, on squares of about `size` metres, within x0..x1, z0..z1.
function Level:add_ground(x0, z0, x1, z1, size, height, area)
  local vertices, squares = squares_of(x0, z0, x1, z1, size, height)
  self:add_squares(vertices, squares, { 1, 3, 2, 2, 3, 4 }, area)
end

--- Add a ceiling in the same way: it faces downwards, and nobody walks on it.
function Level:add_ceiling(x0, z0, x1, z1, size, height)
  local vertices, squares = squares_of(x0, z0, x1, z1, size, height)
  self:add_squares(vertices, squares, { 1, 2, 3, 2, 4, 3 }, false)
end

--- Add a solid: a convex outline, counter-clockwise seen from above, each corner { x, top, z }, down to `bottom`.
function Level:add_block(outline, bottom, area)
  local count, vertices, indices = #outline, {}, {}
  for _, p in ipairs(outline) do vertices[#vertices + 1] = p end
  for _, p in ipairs(outline) do vertices[#vertices + 1] = { p[1], bottom, p[3] } end
  for k = 3, count do
    for _, corner in ipairs { 1, k - 1, k, count + 1, count + k, count + k - 1 } do indices[#indices + 1] = corner end
  end
  for k = 1, count do
    local next = k % count + 1
    for _, corner in ipairs { k, count + k, next, next, count + k, count + next } do
      indices[#indices + 1] = corner
    end
  end
  self:add_mesh(vertices, indices, area)
end

--- Add a box that may be turned about its middle.
function Level:add_box(x, z, width, depth, bottom, top, yaw)
  local outline, c, s = {}, math.cos(yaw or 0), math.sin(yaw or 0)
  for _, sign in ipairs { { -1, -1 }, { -1, 1 }, { 1, 1 }, { 1, -1 } } do
    local u, v = sign[1] * width / 2, sign[2] * depth / 2
    outline[#outline + 1] = { x + u * c + v * s, top, z - u * s + v * c }
  end
  self:add_block(outline, bottom)
end

--- Heights of all triangles over and under a place.
function Level:heights_at(x, z)
  local heights = {}
  for _, t in ipairs(self.cells[key_of(x, z)] or {}) do
    local ax, az, bx, bz = t[2][1] - t[1][1], t[2][3] - t[1][3], t[3][1] - t[1][1], t[3][3] - t[1][3]
    local px, pz, whole = x - t[1][1], z - t[1][3], ax * bz - az * bx
    if math.abs(whole) > 1e-9 then
      local u, v = (px * bz - pz * bx) / whole, (ax * pz - az * px) / whole
      if u >= -1e-4 and v >= -1e-4 and u + v <= 1 + 1e-4 then
        heights[#heights + 1] = t[1][2] + u * (t[2][2] - t[1][2]) + v * (t[3][2] - t[1][2])
      end
    end
  end
  return heights
end

--- The height of the triangle nearest in height to a place.
function Level:ground_at(place)
  local best
  for _, y in ipairs(self:heights_at(place.x, place.z)) do
    if not best or math.abs(y - place.y) < math.abs(best - place.y) then best = y end
  end
  return best
end

--- The height of the highest triangle that is no more than `reach` metres above or below a height.
function Level:top_at(x, y, z, reach)
  local best
  for _, here in ipairs(self:heights_at(x, z)) do
    if math.abs(here - y) <= reach and (not best or here > best) then best = here end
  end
  return best
end

--- A level without triangles. `geometry`: the one to add them to, else a new one.
return function(geometry) return setmetatable({ geometry = geometry or leeward.geometry(), cells = {} }, Level) end
