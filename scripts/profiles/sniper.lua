-- Sniper: slow and unseen. Goes a long way round to stay in cover and off the roads.
return {
  extends = "soldier",
  speed = { calm = 1, normal = 2.2, fast = 5 }, -- m/s; stalks rather than walks
  stances = { prone = { eye = 0.3, body = { 0.1, 0.3 }, speed = 0.15 } },
  cover_bias = 10,      -- ten hidden metres rather than one exposed
  exposure_factor = 4,  -- open ground costs five times as much, enemy or not
  danger_cost = 60,     -- metres; has time to go round
  area_factor = { road = 2 },           -- roads are watched
  speed_factor = { undergrowth = 1.4 }, -- knows how to move in it: 0.84 of the pace, others 0.6
}
