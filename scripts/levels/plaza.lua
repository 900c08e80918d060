-- Plaza: an open square with a fountain off its middle.

return {
  name = "plaza",
  geometry = function(leeward)
    local geometry = leeward.geometry()
    geometry:add_box { at = { 0, -1, 0 }, size = { 60, 1, 60 } }
    geometry:add_box { at = { 3, 0, 2 }, size = { 3, 1.2, 3 }, area = false }
    return geometry
  end,
  bake = { cell_size = 0.2, agent_radius = 0.4 },
}
