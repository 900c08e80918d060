-- Courtyard with an open bridge: the level `courtyard` without the rubble on its bridge, and with a lift to its
-- balcony. Here the rubble is a state of scripts/permutations/bridge.lua: a permutation cuts ground that was baked, and
-- gives it back. That of scripts/permutations/lift.lua stops and starts the lift.

local courtyard = require "scripts.levels.courtyard"

-- Two squads of scenario `courtyard_bridge` on either side of the canal, and their goals on the other.
local spawns = {
  ["south squad"] = { { 20, 0, 13.4 }, { 21.2, 0, 13.8 }, { 22.2, 0, 13.2 } },
  ["south squad's goals"] = { { -1, 0, -2 }, { 1, 0, -2 }, { 0, 0, -0.6 } },
  ["north squad"] = { { 15.6, 0, -12 }, { 16.8, 0, -11.2 }, { 17, 0, -12.8 } },
  ["north squad's goals"] = { { -0.8, 0, 20 }, { 0.8, 0, 20 }, { 0, 0, 21.4 } },
}
for name, places in pairs(courtyard.spawns) do spawns[name] = places end

return {
  name = "courtyard with an open bridge",
  geometry = function(leeward) return courtyard.geometry(leeward, { rubble = false, lift = true }) end,
  bake = courtyard.bake,
  spawns = spawns,
}
