-- Soldier: takes the shortest way, whatever is underfoot, but not through fire or where comrades fell.
return {
  extends = "human",
  height = 1.8,
  speed = { calm = 1.5, normal = 3.2, fast = 5.8 }, -- m/s, in training
  cover_bias = 3,   -- under fire an exposed metre costs three
  danger_cost = 20, -- metres of detour round a place where someone died
}
