-- Truck: a car, only wider and slower, and it leaves the road even less gladly.
return {
  extends = "car",
  radius = 1.4, height = 3, climb = 0.3,        -- metres
  speed = { calm = 3, normal = 6, fast = 10 },  -- m/s
  speed_factor = { grass = 0.3 },               -- wheels spin
  turn_radius = 7,                              -- metres
  area_factor = { dirt = 2, grass = 6 },        -- sinks in
  avoid = { "door", "deep_water", "undergrowth", "shallow_water" },
}
