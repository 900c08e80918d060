-- Dog: fast and low. Swims at a high cost, and cannot open doors.
return {
  extends = "human",
  radius = 0.25, height = 0.7, climb = 0.4,         -- metres
  speed = { calm = 1.6, normal = 4.0, fast = 9.0 }, -- m/s
  stances = {
    stand = { eye = 0.6, body = { 0.3, 0.6 } },
    crouch = { eye = 0.3, body = { 0.1, 0.3 } },
  },
  can_open_doors = false,
  can_take = { ladder = false },
  wade_depth = 0.4,                            -- metres
  can_swim = true, swim_resistance_factor = 3, -- a metre of swimming costs 4
}
