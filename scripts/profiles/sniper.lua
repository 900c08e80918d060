-- Sniper: slow and hidden. Takes long detours to stay in cover and off roads.
return {
  extends = "soldier",
  speed = { calm = 1, normal = 2.2, fast = 5 }, -- m/s
  stances = { prone = { eye = 0.3, body = { 0.1, 0.3 }, speed = 0.15 } },
  cover_bias = 10,      -- an exposed metre costs 10
  exposure_factor = 4,  -- open ground costs 5 times as much, also without threats
  danger_cost = 60,     -- metres of detour
  area_factor = { road = 2 },           -- roads are dangerous
  speed_factor = { undergrowth = 1.4 }, -- 0.84 of the pace in undergrowth, other profiles 0.6
}
