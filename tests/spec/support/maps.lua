--- Small scenes that specs share. Each is drawn from above: x to the right, z downwards, one square a metre or more.
local leeward = require "leeward"

local maps = {}

--- A rectangle of ground.
function maps.floor(width, depth)
  return leeward.navmesh {
    vertices = { { 0, 0, 0 }, { width, 0, 0 }, { width, 0, depth }, { 0, 0, depth } },
    polygons = { { 1, 2, 3, 4 } },
  }
end

--- Rectangles { x, z, width, depth, area, y } side by side; edges that touch connect. And links, if any.
function maps.rectangles(list, links)
  local vertices, polygons, areas = {}, {}, {}
  for i, r in ipairs(list) do
    local x, z, w, d, y = r[1], r[2], r[3], r[4], r[6] or 0
    local first = #vertices
    for _, corner in ipairs { { x, y, z }, { x + w, y, z }, { x + w, y, z + d }, { x, y, z + d } } do
      vertices[#vertices + 1] = corner
    end
    polygons[i] = { first + 1, first + 2, first + 3, first + 4 }
    areas[i] = r[5] or "ground"
  end
  return leeward.navmesh { vertices = vertices, polygons = polygons, areas = areas, links = links }
end

--- Two rooms of 10 x 10 m with a wall of 1 m between them, and a door of 2 m at z = 4..6.
---     +----------+ +----------+
---     |          +-+          |
---     |           d           |
---     |          +-+          |
---     +----------+ +----------+
function maps.two_rooms(options)
  local rooms = { { 0, 0, 10, 10 }, { 11, 0, 10, 10 } }
  if not options or options.door ~= false then rooms[3] = { 10, 4, 1, 2, options and options.area or "ground" } end
  return maps.rectangles(rooms)
end

--- A field 40 m long and, along its far side, a road that takes the long way round.
---     +--+----------------+--+
---     |  | (nothing)      |  |   road: z = 10..14 and both ends
---     +--+----------------+--+
---     |        field         |   z = 0..4
---     +----------------------+
function maps.field_and_road()
  return maps.rectangles {
    { 0, 0, 40, 4, "ground" },
    { 0, 4, 4, 6, "road" },
    { 36, 4, 4, 6, "road" },
    { 0, 10, 40, 4, "road" },
  }
end

return maps
