-- Soldier: takes the shortest path on any ground, but avoids threats and places where others died.
return {
  extends = "human",
  height = 1.8,
  speed = { calm = 1.5, normal = 3.2, fast = 5.8 }, -- m/s
  cover_bias = 3,   -- an exposed metre costs 3
  danger_cost = 20, -- metres of detour round a place where an agent died
}
