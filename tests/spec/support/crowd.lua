-- Agents with bodies, in steps of a thirtieth of a second.
local leeward = require "leeward"

local crowd = {}

crowd.DT = 1 / 30

--- Step a world. @param each  After each step; true ends the run. @return Whether it did.
function crowd.run(world, seconds, each)
  for _ = 1, math.floor(seconds / crowd.DT + 0.5) do
    world:step(crowd.DT)
    if each and each() then return true end
  end
  return false
end

--- A profile of agents that avoid each other, and one of agents that they cannot push aside.
function crowd.profiles(walker, rock)
  leeward.profile(walker, { extends = "human", avoidance = "full", radius = 0.4, acceleration = 8 })
  leeward.profile(rock, { extends = walker, mass = 5000 })
end

return crowd
