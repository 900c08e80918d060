-- Medic: a soldier for places where others died, who carries the wounded and does not climb.
return {
  extends = "soldier",
  cover_bias = 5,  -- the wounded cannot dodge
  danger_cost = 0, -- dangerous places are the medic's task
  safety_bias = 15, -- a harmful metre costs 15 more: the wounded lie longer on it
  resistance_factor = { triangular = 0.5, waypoint = 0.5 },  -- 1.25 off the road, 1 on it: prefers roads for the litter
  can_take = { jump = false, drop = false, ladder = false }, -- not with a litter
}
