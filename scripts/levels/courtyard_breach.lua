-- Courtyard with an east wall that may be shot away: the state `breached` of scripts/permutations/wall.lua. A cut gives
-- no ground back, so that state has tiles of its own, baked without that piece of the wall.

local courtyard = require "scripts.levels.courtyard"

-- The squad of scenario `courtyard_breach` east of the wall, its goals in the yard, and who watches from there.
local spawns = {
  ["assault squad"] = { { 24, 0, -3 }, { 25.2, 0, -2 }, { 26.4, 0, -3.2 } },
  ["assault squad's goals"] = { { 13, 0, -7 }, { 14, 0, -8.4 }, { 14, 0, -5.6 } },
  sentry = { { 10.5, 0, -7 } },
}
for name, places in pairs(courtyard.spawns) do spawns[name] = places end

return {
  name = "courtyard with a wall to breach",
  geometry = function(leeward) return courtyard.geometry(leeward) end,
  tiles = { breached = function(leeward) return courtyard.geometry(leeward, { breach = true }) end },
  bake = courtyard.bake,
  spawns = spawns,
}
