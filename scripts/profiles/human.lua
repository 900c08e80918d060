-- Human: the base of other profiles. Only length counts, and harmful ground.
return {
  radius = 0.4, height = 1.75, climb = 0.4,          -- metres
  speed = { calm = 1.4, normal = 3.0, fast = 5.5 },  -- m/s: stroll, jog, sprint
  turn_radius = 0,                                   -- turns on the spot
  stances = {
    stand = { eye = 1.6, body = { 0.9, 1.6 }, speed = 1 },    -- eye and visible part of the body, metres above ground
    crouch = { eye = 0.9, body = { 0.5, 0.9 }, speed = 0.5 }, -- half as fast
  },
  wade_depth = 0.9, can_swim = false, -- metres; never enters deeper water
  can_crouch = true, -- under ceilings lower than its height
  can_open_doors = true,
  can_traverse = { triangular = true, road = true, waypoint = true, volume = false }, -- does not fly
  can_take = { jump = true, drop = true, ladder = true, teleport = true, door = true, waypoint = true }, -- links
  resistance_factor = { triangular = 0, road = 0, waypoint = 0, volume = 0 },
  swim_resistance_factor = 0,
  exposure_factor = 0,
  danger_cost = 0,
  cover_bias = 1, -- an exposed metre costs as much as any other
  safety_bias = 10, -- a harmful metre costs 10 more
}
