-- Truck: wider and slower than a car, and even more expensive off the road.
return {
  extends = "car",
  radius = 1.4, height = 3, climb = 0.3,        -- metres
  speed = { calm = 3, normal = 6, fast = 10 },  -- m/s
  speed_factor = { grass = 0.3 },               -- slippery
  wade_depth = 0.8,                             -- metres; the intake is high
  turn_radius = 7,                              -- metres
  area_factor = { dirt = 2, grass = 6 },        -- soft ground
  avoid = { "door", "deep_water", "undergrowth", "shallow_water" },
}
