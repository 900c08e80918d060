-- Car: a road is ten times as attractive as open ground, a track twice, grass less. No doors, no thickets, no jumps.
return {
  extends = "human",
  radius = 1.1, height = 1.6, climb = 0.25,           -- metres; half as wide as long
  speed = { calm = 4, normal = 8, fast = 14 },        -- m/s
  speed_factor = { dirt = 0.7, grass = 0.5, shallow_water = 0.4 }, -- rough ground; a ford at a quarter of the pace
  turn_radius = 4,                                    -- metres
  wade_depth = 0.4,                                   -- metres; deeper water drowns the engine
  can_crouch = false, can_open_doors = false,
  can_traverse = { waypoint = false },
  can_take = { jump = false, drop = false, ladder = false },
  resistance_factor = { triangular = 18, road = 0 },  -- 1 + 18 * 0.5 = 10 beside the road, 1 on it
  area_factor = { grass = 3, shallow_water = 20 },    -- fords only where there is no other path
  avoid = { "door", "deep_water", "undergrowth" },
}
