-- Civilian: slow, prefers roads where that costs little, and avoids harmful ground.
return {
  extends = "human",
  speed = { calm = 1.2, normal = 1.8, fast = 4.5 }, -- m/s
  resistance_factor = { triangular = 1, waypoint = 1 }, -- open ground costs half as much again as a road
  area_factor = { shallow_water = 0.5, undergrowth = 1, grass = 0.3 }, -- prefers dry, open ground
  safety_bias = 20, -- a harmful metre costs 20 more
  danger_cost = 100, -- metres of detour round a place where an agent died
}
