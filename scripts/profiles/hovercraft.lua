-- Hovercraft: land or water is all the same to it, as long as it is flat and wide.
return {
  extends = "car",
  radius = 1.5, height = 2, climb = 0.15,       -- metres; the skirt gives a little
  speed = { calm = 4, normal = 9, fast = 16 },  -- m/s
  turn_radius = 12,                             -- metres; it drifts
  can_swim = true, swim_resistance_factor = 0,  -- floats over it
  resistance_factor = { triangular = 0 },       -- needs no road
  area_factor = { grass = 0, shallow_water = 0 },
  speed_factor = { shallow_water = 1.5, deep_water = 2, dirt = 1, grass = 1 }, -- water slows others, not it
  avoid = { "door", "undergrowth" },
}
