-- Diver: at home in the water, and slow out of it.
return {
  extends = "human",
  speed = { calm = 0.6, normal = 1, fast = 1.6 }, -- m/s; in fins
  can_swim = true, swim_resistance_factor = 0,    -- a swum metre costs one
  speed_factor = { deep_water = 2.4 },            -- swims a little faster than it walks: half of 2.4
  area_factor = { ground = 2, road = 2, dirt = 2, grass = 2, undergrowth = 6 }, -- a metre on land costs three
  can_take = { jump = false },                    -- with bottles on the back
}
