--- Two rooms, and the door between them as a permutation.
local leeward = require "leeward"
local maps = require "support.maps"

local SHUT = { cut = { { box = { at = { 10.5, 0, 5 }, size = { 1, 2, 4 } } } } }

local door = {
  SHUT = SHUT,
  DOOR = { default = "open", open = {}, shut = SHUT },
  --- From one room to the other: 19 m straight.
  THROUGH = { from = { 1, 0, 5 }, to = { 20, 0, 5 } },
}

--- A world of the two rooms, without the permutation, and the list of what it logs.
function door.world()
  local log = {}
  local world = leeward.world { navmesh = maps.two_rooms(), leaf_instructions = 100000,
    log = function(level, text) log[#log + 1] = level .. ": " .. text end }
  return world, log
end

return door
