-- Medic: a soldier who goes where others fell, and carries them back without climbing.
return {
  extends = "soldier",
  cover_bias = 5,  -- who is carried cannot dodge
  danger_cost = 0, -- the dangerous place is where he is needed
  safety_bias = 4, -- but mines help nobody: a harmful metre costs four more
  resistance_factor = { triangular = 0.5 },                  -- 1.25 beside the road, 1 on it: stretchers like roads
  can_take = { jump = false, drop = false, ladder = false }, -- not with a stretcher
}
