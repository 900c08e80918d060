-- Agents with bodies, in steps of a thirtieth of a second.
local leeward = require "leeward"

local crowd = {}

crowd.DT = 1 / 30

--- An agent that avoids others, walks 3.5 m/s, and speeds up and turns fast.
crowd.RUNNER = { extends = "human", radius = 0.4, speed = { normal = 3.5 }, avoidance = "full", acceleration = 8,
  deceleration = 10, lateral_acceleration = 8, turn_rate = 8 }

local rooms

--- The navmesh of two rooms of 24 x 24 m, and a door of 1.2 m between them at the origin, which leads along x.
function crowd.rooms()
  if rooms then return rooms end
  local level = leeward.geometry()
  level:add_box { at = { -12.2, -1, 0 }, size = { 24, 1, 24 } }
  level:add_box { at = { 12.2, -1, 0 }, size = { 24, 1, 24 } }
  level:add_box { at = { 0, -1, 0 }, size = { 0.4, 1, 1.2 } }
  rooms = leeward.bake(level, { cell_size = 0.1, agent_radius = 0.4 })
  return rooms
end

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
