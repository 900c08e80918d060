-- Hovercraft: crosses land and water alike, if they are flat and wide.
return {
  extends = "car",
  radius = 1.5, height = 2, climb = 0.25,       -- metres; the skirt is flexible
  speed = { calm = 4, normal = 9, fast = 16 },  -- m/s
  turn_radius = 12,                             -- metres; drifts in turns
  can_swim = true, swim_resistance_factor = 0,  -- floats over water
  resistance_factor = { triangular = 0 },       -- needs no road
  area_factor = { grass = 0, shallow_water = 0 },
  speed_factor = { shallow_water = 1.5, deep_water = 2, dirt = 1, grass = 1 }, -- cancels the areas' own speeds on water
  avoid = { "door", "undergrowth" },
}
