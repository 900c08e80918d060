-- Hall: a building with four rooms along a corridor, and an exit at each end: a wide one in the west, a narrow one in
-- the east.

local HALF, DEPTH, HEIGHT = 30, 34, 3 -- metres
local CORRIDOR, ROOM_DOOR = 5, 2
local EXITS = { west = { x = -HALF, width = 3 }, east = { x = HALF, width = 2.4 } }

local function add_wall(geometry, x0, z0, x1, z1)
  geometry:add_box { min = { x0, 0, z0 }, max = { x1, HEIGHT, z1 }, area = false }
end

-- Walls between the corridor and the rooms on one side of it, each room with a door in its middle.
local function add_rooms(geometry, side)
  local near, far = side * CORRIDOR / 2, side * (CORRIDOR / 2 + 0.3)
  for room = -1, 1, 2 do
    local middle, half = room * HALF / 2, HALF / 2
    for part = -1, 1, 2 do
      local door, corner = middle + part * ROOM_DOOR / 2, middle + part * half
      add_wall(geometry, math.min(door, corner), math.min(near, far), math.max(door, corner), math.max(near, far))
    end
  end
  add_wall(geometry, -0.15, math.min(near, side * DEPTH / 2), 0.15, math.max(near, side * DEPTH / 2))
end

return {
  name = "hall",
  geometry = function(leeward)
    local geometry = leeward.geometry()
    geometry:add_box { at = { 0, -1, 0 }, size = { 2 * HALF + 30, 1, DEPTH } }
    for side = -1, 1, 2 do add_rooms(geometry, side) end
    for _, exit in pairs(EXITS) do
      for side = -1, 1, 2 do
        local near, far = side * exit.width / 2, side * DEPTH / 2
        add_wall(geometry, exit.x - 0.2, math.min(near, far), exit.x + 0.2, math.max(near, far))
      end
    end
    return geometry
  end,
  bake = { cell_size = 0.1, agent_radius = 0.4 },
  spawns = {
    rooms = { { -15, 0, -9.75 }, { 15, 0, -9.75 }, { -15, 0, 9.75 }, { 15, 0, 9.75 } }, -- their middles
    exits = { { -HALF - 8, 0, 0 }, { HALF + 8, 0, 0 } },                                -- outside of them
  },
}
