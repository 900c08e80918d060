-- Courtyard: a walled yard with a balcony, a canal south of it, and a road around both.
-- 80 x 60 m, x from -40 (west) to 40 (east), z from -30 (north) to 30 (south), y up; the ground lies at 0.
--
--              -40      -20        0        20   31  37 40
--        -30    +--------------------------------------+
--               |              ======== road ======|   |
--        -20    | thicket  +===balcony===+  shelled|   |
--               |          |  stairs     |  ground |   |
--               |  track---D    well     |         |   |
--          2    |    |     +----gate-----+         |   |
--          6    ~~~~~|~~~~~~~~~| X |~~~~~~~~~~~~~~~|r  ~   canal: ford at -27, blocked bridge at 0, culvert at 34
--         12    ~~~~~|~~~~~~~~~|   |~~~~~~~~~~~~~~~|o  ~
--               |    |  grass  | r |  house, crates|a  |
--         30    +----+-----------====== road ======|d  +
--
-- Data first, then the few lines that build it. Boxes are { x0, y0, z0, x1, y1, z1 }, two opposite corners in metres.

local WATER_BED = -2.4 -- deep enough for an agent to pass below the bridge, so the canal is connected
local FORD_BED = -0.25 -- one step down, which cars take
local WATER = -0.1     -- the canal's surface: 0.15 m deep at the ford, 2.3 m elsewhere
local LOW, TALL = 0.9, 3.0
local BALCONY = 3.2    -- its floor; 2.9 m are free below

-- The ground from above: { area, x0, z0, x1, z1, height }. Later ones lie over earlier ones; `false` is a hole.
local ground = {
  { "ground", -40, -30, 40, 30 },

  -- West and north-west: high grass with a thicket in it.
  { "grass", -39, -28, -30, 4 },
  { "undergrowth", -37, -20, -32, -6 },
  -- East of the yard: shelled ground, which agents should avoid.
  { "unsafe", 23, -16, 29, -6 },
  -- South-west: the meadow, its thicket in the middle.
  { "grass", -24, 14, -5, 23 },
  { "undergrowth", -19, 16.5, -10, 20.5 },
  { "grass", -39, 14, -30, 28 },
  -- In the yard: two beds of high grass beside the well.
  { "grass", -17, -5, -11, -1 },
  { "grass", 11, -5, 17, -1 },

  -- The track: from the road's south-west end through the ford to the west door.
  { "dirt", -29, 24, 2.5, 29 },
  { "dirt", -29, 12, -25, 24 },
  { "dirt", -29, -11, -25, 6 },
  { "dirt", -25, -11, -20.3, -7 },

  -- The canal's bed, from the west border to the culvert, and its last piece behind it.
  { "ground", -40, 6, -34, 12, WATER_BED },
  { false, -34, 6, -30, 12 }, -- the ford's western slope
  { "ground", -30, 6, -24, 12, FORD_BED },
  { false, -24, 6, -20, 12 }, -- the ford's eastern slope
  { "ground", -20, 6, 31, 12, WATER_BED },
  { "solid", 37, 6, 40, 12, WATER_BED }, -- cut off by the culvert, so unreachable

  -- Doorways. Each is as wide as its opening and a little deeper than the wall.
  { "door", -20.6, -9.9, -19.4, -8.1 }, -- the yard's west door
  { "door", 17, 20.4, 19, 21.6 },       -- the house's door
  { "door", -13.5, -9.62, -10.5, -8.42 }, -- gates at the foot of the stairs, impassable for cars
  { "door", 10.5, -9.62, 13.5, -8.42 },
}

-- Roads, 5 m wide, marked on the ground along curves through these points: from the bridge's south head round the east,
-- over the culvert at x 34, to the north gate: 114 m, against 35 m over the bridge; and from the gate to the bridge.
local road_width = 5
local roads = {
  {
    { 0, 0, 12 }, { 0, 0, 17 }, { 0, 0, 21.5 }, { 1.5, 0, 25 }, { 5, 0, 26.5 }, { 10, 0, 26.5 },
    { 24, 0, 26.5 }, { 29, 0, 26.5 }, { 32.5, 0, 25 }, { 34, 0, 21.5 }, { 34, 0, 16.5 },
    { 34, 0, -14.5 }, { 34, 0, -19.5 }, { 32.5, 0, -23 }, { 29, 0, -24.5 }, { 24, 0, -24.5 },
    { 10, 0, -24.5 }, { 5, 0, -24.5 }, { 1.5, 0, -23.3 }, { 0, 0, -19.7 },
  },
  { { 0, 0, 1.7 }, { 0, 0, 6 } },
}

-- Ramps below water on both sides of the ford, 19 degrees, where swimmers leave the water.
local slopes = {
  { from = { -34, WATER_BED, 9 }, to = { -30, FORD_BED, 9 }, width = 6, thickness = 0.2 },
  { from = { -20, WATER_BED, 9 }, to = { -24, FORD_BED, 9 }, width = 6, thickness = 0.2 },
}

-- The water of the canal: shallow at the ford, deep elsewhere.
local water = { polygon = { { -40, 0, 6 }, { -40, 0, 12 }, { 31, 0, 12 }, { 31, 0, 6 } }, level = WATER }

-- Over the balcony's front and down into the yard, but not up again.
local drops = {
  { kind = "drop", from = { -2, BALCONY, -17 }, to = { -2, 0, -14.6 } },
  { kind = "drop", from = { 2, BALCONY, -17 }, to = { 2, 0, -14.6 } },
}

-- From the arcade up to the balcony and down again; it holds one.
local lift = { kind = "teleport", name = "lift", from = { 0, 0, -17.7 }, to = { 0, BALCONY, -17.7 },
  bidirectional = true, length = 6, capacity = 1 }

local tall_walls = {
  -- The yard's wall, x -20 to 20, z -20 to 2, 0.6 m thick.
  { -20.3, 0, -20.3, -2.5, TALL, -19.7 }, -- north, west of the gate
  { 2.5, 0, -20.3, 20.3, TALL, -19.7 },   -- north, east of the gate
  { -20.3, 0, 1.7, -2.5, TALL, 2.3 },     -- south, west of the gate
  { 2.5, 0, 1.7, 20.3, TALL, 2.3 },       -- south, east of the gate
  { -20.3, 0, -19.7, -19.7, TALL, -9.9 }, -- west, north of the door
  { -20.3, 0, -8.1, -19.7, TALL, 1.7 },   -- west, south of the door
  { -20.3, 2.3, -9.9, -19.7, TALL, -8.1 }, -- the lintel over the door
  -- The house without a roof, x 13 to 23, z 15 to 21, its door to the road.
  { 13, 0, 15, 23, TALL, 15.4 },
  { 13, 0, 20.8, 17, TALL, 21.2 },
  { 19, 0, 20.8, 23, TALL, 21.2 },
  { 17, 2.3, 20.8, 19, TALL, 21.2 },
  { 13, 0, 15.4, 13.4, TALL, 20.8 },
  { 22.6, 0, 15.4, 23, TALL, 20.8 },
}

-- The yard's wall in the east, x 19.7 to 20.3, z -19.7 to 1.7; and as it is when a piece of 4 m is shot away.
local east_wall = { { 19.7, 0, -19.7, 20.3, TALL, 1.7 } }
local breached_wall = { { 19.7, 0, -19.7, 20.3, TALL, -9 }, { 19.7, 0, -5, 20.3, TALL, 1.7 } }

local low_walls = {
  -- In the yard: two angles open towards the well on each side.
  { -9, 0, -11, -5, LOW, -10.6 }, { -9, 0, -10.6, -8.6, LOW, -8 },
  { 5, 0, -11, 9, LOW, -10.6 }, { 8.6, 0, -10.6, 9, LOW, -8 },
  { -9, 0, -1.4, -5, LOW, -1 }, { -9, 0, -4, -8.6, LOW, -1.4 },
  { 5, 0, -1.4, 9, LOW, -1 }, { 8.6, 0, -4, 9, LOW, -1.4 },
  -- Along the canal, open at the ford and the bridge.
  { -40, 0, 5.4, -30.2, LOW, 5.8 }, { -23.8, 0, 5.4, -2.5, LOW, 5.8 }, { 2.5, 0, 5.4, 31, LOW, 5.8 },
  { -40, 0, 12.2, -30.2, LOW, 12.6 }, { -23.8, 0, 12.2, -2.5, LOW, 12.6 }, { 2.5, 0, 12.2, 31, LOW, 12.6 },
  -- The bridge's parapets and the culvert's.
  { -2.5, 0, 5.8, -2.2, LOW, 12.2 }, { 2.2, 0, 5.8, 2.5, LOW, 12.2 },
  { 31, 0, 5.4, 31.4, LOW, 12.6 }, { 36.6, 0, 5.4, 37, LOW, 12.6 },
  -- In the meadow: two ranks to creep along.
  { -23, 0, 15, -17, LOW, 15.4 }, { -12, 0, 15, -6, LOW, 15.4 },
  { -23, 0, 21.6, -17, LOW, 22 }, { -12, 0, 21.6, -6, LOW, 22 },
  -- Round the shelled ground, open to the west.
  { 22.6, 0, -16.8, 29.4, LOW, -16.4 }, { 29.4, 0, -16.8, 29.8, LOW, -5.2 }, { 22.6, 0, -5.6, 29.4, LOW, -5.2 },
  -- On the balcony: its back, its ends, and its front between the stairs.
  { -14, BALCONY, -19.7, 14, BALCONY + LOW, -19.4 },
  { -14, BALCONY, -19.4, -13.7, BALCONY + LOW, -15.7 }, { 13.7, BALCONY, -19.4, 14, BALCONY + LOW, -15.7 },
  { -10.2, BALCONY, -16, 10.2, BALCONY + LOW, -15.7 },
}

-- The balcony, x -14 to 14, z -19.7 to -15.7. The arcade below it is walkable, too.
local balcony = { -14, BALCONY - 0.3, -19.7, 14, BALCONY, -15.7 }
local columns = { size = 0.6, height = BALCONY - 0.3, z = -16.1, x = { -9, -5.5, 5.5, 9 } }

-- Two stairs of 19 steps from the balcony's front down to z -9.62, one on each side; the balcony is the twentieth step.
local stairs = { x = { -12, 12 }, width = 3, top = -15.7, steps = 19, tread = 0.32, rise = BALCONY / 20 }

-- Over the canal, x -2.5 to 2.5. scripts/permutations/bridge.lua puts rubble on it, and takes its deck away.
local bridge = { -2.5, -0.3, 6, 2.5, 0, 12 }

-- Crates of 1.2 m, stacked where `levels` is 2: { x, z, levels, yaw }.
local crate_size = 1.2
local crates = {
  { -18.6, -18.4, 2, 0 }, { -17.2, -18.5, 1, 0.2 }, { 18.6, -18.4, 2, 0 }, { 17.2, -18.5, 1, -0.2 }, -- yard, north
  { -18.4, 0.6, 1, 0.1 }, { 18.4, 0.6, 1, -0.1 },                         -- yard, south
  { -5, -15, 1, 0.5 }, { 5, -15, 1, -0.5 },                                  -- before the arcade
  { 6, 15, 2, 0 }, { 7.4, 15.2, 1, 0.15 }, { 6.2, 16.6, 1, -0.1 },            -- south of the canal, by the street
  { 9, 20, 1, 0.3 }, { 26, 15.2, 2, 0 }, { 27.4, 15.2, 1, 0 }, { 26.4, 21, 1, 0.6 }, -- beside the house
  { 14.6, 19.6, 1, 0 }, { 21.4, 16.6, 1, 0.4 },                              -- in the house
  { 24, 3.8, 1, 0.2 }, { -12, 3.8, 1, -0.2 }, { 12, 3.8, 1, 0.2 },           -- on the quay
}

-- The well in the yard's middle, and craters' rims on the shelled ground.
local blocks = {
  { -1.5, 0, -7.5, 1.5, 0.8, -4.5 },
  { 25, 0, -13.4, 26.4, 0.6, -12.6 }, { 26.6, 0, -9.6, 27.8, 0.6, -8.8 },
}

-- Trees: trunks of 0.7 m.
local trees = {
  { -36, -26 }, { -32, -23 }, { -34.5, -3 }, { -31.5, 1 }, -- north-west
  { -37, 17 }, { -33, 20 }, { -36.5, 25 }, { -32, 26.5 },  -- south-west
  { -8, -27 }, { -16, -24 }, { -23, -27 },                -- north
  { 24, -20 }, { 28.5, -19.5 }, { 25, -2 }, { 29, 0 },     -- east
}

-- Starting points for scenarios.
local spawns = {
  soldiers = { { -3, 0, -8.5 }, { 3, 0, -8.5 }, { -12, 0, 14 }, { 8, 0, 3.8 } },
  balcony = { { -6, BALCONY, -17.7 }, { 6, BALCONY, -17.7 } },
  civilians = { { -16, 0, -12 }, { 16, 0, -12 }, { -4, 0, 18 }, { 18, 0, 18 }, { -27, 0, 2 } },
  cars = { { 0, 0, 20 }, { 34, 0, 20 }, { 20, 0, -24.5 } },
  trucks = { { 34, 0, -10 } },
  dogs = { { -20, 0, 13.5 }, { 0, 0, 3.5 } },
  -- A sniper with a view of the yard and, over its wall, the south; three squads in the south-west, and their goals.
  sniper = { { 0, BALCONY, -16.6 } },
  ["squad 1"] = { { -31, 0, 26 }, { -31, 0, 24.6 }, { -32.4, 0, 25.2 } },
  ["squad 2"] = { { -33, 0, 23.4 }, { -34.4, 0, 23.8 }, { -34, 0, 22.2 } },
  ["squad 3"] = { { -35.4, 0, 20.6 }, { -36.6, 0, 21.6 }, { -37, 0, 20.2 } },
  ["rally 1"] = { { 28.5, 0, 19.5 }, { 29.5, 0, 20.4 }, { 27.6, 0, 20.2 } },
  ["rally 2"] = { { 28.6, 0, 18 }, { 29.6, 0, 18.8 }, { 27.6, 0, 18.6 } },
  ["rally 3"] = { { 29.2, 0, 16.4 }, { 30.2, 0, 17.2 }, { 30.4, 0, 16 } },
  -- Two squads on either side of the canal, and their goals on the other.
  ["south squad"] = { { 15, 0, 13.4 }, { 16.2, 0, 13.8 }, { 17.2, 0, 13.2 } },
  ["south squad's goals"] = { { -1, 0, -2 }, { 1, 0, -2 }, { 0, 0, -0.6 } },
  ["north squad"] = { { 15.6, 0, -12 }, { 16.8, 0, -11.2 }, { 17, 0, -12.8 } },
  ["north squad's goals"] = { { -0.8, 0, 20 }, { 0.8, 0, 20 }, { 0, 0, 21.4 } },
}

-- ---------------------------------------------------------------------------------------------------------------

-- The sorted set of coordinates at which pieces of ground begin or end.
local function borders(first, second)
  local seen, list = {}, {}
  for _, piece in ipairs(ground) do
    for _, at in ipairs { piece[first], piece[second] } do
      if not seen[at] then
        seen[at] = true
        list[#list + 1] = at
      end
    end
  end
  table.sort(list)
  return list
end

-- The piece on top at a point.
local function piece_at(x, z)
  local found
  for _, piece in ipairs(ground) do
    if x > piece[2] and x < piece[4] and z > piece[3] and z < piece[5] then found = piece end
  end
  return found
end

-- The ground without overlaps: a grid along all borders, so that a voxel has one area. Equal neighbouring cells of a
-- row become one quad.
local function add_ground(geometry)
  local xs, zs = borders(2, 4), borders(3, 5)
  for j = 1, #zs - 1 do
    local i = 1
    while i < #xs do
      local middle = (zs[j] + zs[j + 1]) / 2
      local piece = piece_at((xs[i] + xs[i + 1]) / 2, middle)
      local area, height = piece[1], piece[6] or 0
      local last = i + 1
      while last < #xs do
        local next_piece = piece_at((xs[last] + xs[last + 1]) / 2, middle)
        if next_piece[1] ~= area or (next_piece[6] or 0) ~= height then break end
        last = last + 1
      end
      if area then
        geometry:add_mesh {
          vertices = {
            { xs[i], height, zs[j] }, { xs[i], height, zs[j + 1] },
            { xs[last], height, zs[j + 1] }, { xs[last], height, zs[j] },
          },
          indices = { 1, 2, 3, 1, 3, 4 },
          area = area ~= "solid" and area,
        }
      end
      i = last
    end
  end
end

-- The canal's banks: upright faces towards the water, x0 to x1 at z, or z0 to z1 at x.
local banks = {
  { { -40, 6 }, { 31, 6 } }, { { 31, 6 }, { 31, 12 } }, { { 31, 12 }, { -40, 12 } },
  { { 40, 12 }, { 37, 12 } }, { { 37, 12 }, { 37, 6 } }, { { 37, 6 }, { 40, 6 } },
}

local function add_banks(geometry)
  for _, bank in ipairs(banks) do
    local a, b = bank[1], bank[2]
    geometry:add_mesh {
      vertices = { { a[1], 0, a[2] }, { b[1], 0, b[2] }, { b[1], WATER_BED, b[2] }, { a[1], WATER_BED, a[2] } },
      indices = { 1, 3, 2, 1, 4, 3 },
      area = false,
    }
  end
end

local function add_box(geometry, box, area)
  geometry:add_box { min = { box[1], box[2], box[3] }, max = { box[4], box[5], box[6] }, area = area }
end

local function add_stairs(geometry)
  local bottom = stairs.top + stairs.steps * stairs.tread
  local half = stairs.width / 2
  for _, x in ipairs(stairs.x) do
    for step = 1, stairs.steps do
      local back = bottom - step * stairs.tread
      add_box(geometry, { x - half, 0, back, x + half, step * stairs.rise, back + stairs.tread }, "ground")
    end
    for _, side in ipairs { x - half - 0.15, x + half + 0.15 } do
      -- A balustrade along the steps, and a post beside the gate at its foot.
      geometry:add_ramp {
        from = { side, LOW, bottom }, to = { side, BALCONY + LOW, stairs.top },
        width = 0.3, thickness = 1.4, area = false,
      }
      add_box(geometry, { side - 0.15, 0, bottom, side + 0.15, 2, bottom + 1.2 }, false)
    end
  end
end

local function add_crates(geometry)
  for _, crate in ipairs(crates) do
    for level = 1, crate[3] do
      geometry:add_box {
        at = { crate[1], (level - 1) * crate_size, crate[2] },
        size = { crate_size, crate_size, crate_size },
        yaw = crate[4], area = false,
      }
    end
  end
end

-- options.breach = true leaves a piece of the east wall out.
local function build(leeward, options)
  local geometry = leeward.geometry()
  add_ground(geometry)
  add_banks(geometry)
  for _, slope in ipairs(slopes) do geometry:add_ramp(slope) end
  for _, list in ipairs { tall_walls, options and options.breach and breached_wall or east_wall, low_walls, blocks } do
    for _, box in ipairs(list) do add_box(geometry, box, false) end
  end
  add_box(geometry, balcony, "ground")
  for _, x in ipairs(columns.x) do
    geometry:add_box {
      at = { x, 0, columns.z }, size = { columns.size, columns.height, columns.size }, area = false,
    }
  end
  add_stairs(geometry)
  add_box(geometry, bridge, "road")
  add_crates(geometry)
  geometry:add_water(water)
  for _, drop in ipairs(drops) do geometry:add_link(drop) end
  geometry:add_link(lift)
  for _, road in ipairs(roads) do geometry:mark_area { area = "road", path = road, width = road_width } end
  for _, tree in ipairs(trees) do
    geometry:add_box { at = { tree[1], 0, tree[2] }, size = { 0.7, 4, 0.7 }, yaw = tree[1], area = false }
  end
  return geometry
end

-- Rooms. The gates of the yard are 5 m wide; what lies within its walls is one room each.
local regions = {
  door_width = 6.5,
  min_area = 25,
  names = {
    yard = { box = { min = { -19.8, -0.5, -19.8 }, max = { 19.8, 2, 1.8 } } },
    balcony = { 0, BALCONY, -17 },
    house = { box = { min = { 13, -0.5, 15 }, max = { 23, 2, 21.5 } } },
    ford = { -27, -0.3, 9 },
    canal = { 4, -2.4, 9 },
    woods = { -30, 0, -12 },
    meadow = { 0, 0, 24 },
  },
  districts = { castle = { "yard", "balcony" }, south = { "meadow", "house" } },
}

return {
  name = "courtyard",
  geometry = build,
  -- Cells of 0.2 m: the radius is two cells, and a doorway of 1.8 m keeps 1 m to walk on.
  bake = {
    cell_size = 0.2, cell_height = 0.1, agent_radius = 0.4, agent_height = 1.8, agent_climb = 0.4, agent_slope = 45,
    tile_size = 16,
  },
  spawns = spawns,
  regions = regions,
}
