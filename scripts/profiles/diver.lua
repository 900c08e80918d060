-- Diver: prefers deep water, and is slow on land.
return {
  extends = "human",
  speed = { calm = 0.6, normal = 1, fast = 1.6 }, -- m/s; wears fins
  can_swim = true, swim_resistance_factor = 0,    -- a metre of swimming costs 1
  speed_factor = { deep_water = 2.4 },            -- 1.2 times the speed on land, since the area halves it
  -- A metre on land costs 3.
  area_factor = { ground = 2, road = 2, dirt = 2, grass = 2, unsafe = 2, door = 2, undergrowth = 6 },
  can_take = { jump = false },                    -- carries bottles
}
