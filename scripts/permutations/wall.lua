-- The east wall of the yard in the level `courtyard_breach`: x 20, z -19.7 to 1.7, 3 m high.
--
--   whole      as it was baked
--   breached   a piece of 4 m is gone, z -9 to -5: nothing blocks sight there, and soldiers walk through

return {
  level = "courtyard_breach",
  default = "whole",

  whole = {},

  breached = { tiles = "breached" },
}
