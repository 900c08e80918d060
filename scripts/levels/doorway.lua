-- Doorway: two halls side by side, and one door between them, which is too narrow for two.

local LENGTH, DEPTH, DOOR = 50, 24, 1.2 -- metres

return {
  name = "doorway",
  geometry = function(leeward)
    local geometry = leeward.geometry()
    local beside = (DEPTH - DOOR) / 2
    geometry:add_box { at = { 0, -1, 0 }, size = { LENGTH, 1, DEPTH } }
    for side = -1, 1, 2 do
      geometry:add_box { at = { 0, 0, side * (DOOR + beside) / 2 }, size = { 0.4, 3, beside }, area = false }
    end
    return geometry
  end,
  bake = { cell_size = 0.1, agent_radius = 0.4 },
  spawns = { west = { { -6, 0, 0 } }, east = { { 6, 0, 0 } } }, -- the middles of the first rows
}
