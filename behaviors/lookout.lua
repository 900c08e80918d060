--- Positions from which an agent in cover can see a target, for nodes that choose cover or look out of it.

local lookout = {}

--- Distance between the positions that are tried along the wall. [m]
local STEP = 0.25

--- The position itself if the agent sees the target from there by standing up, else the nearest one along the wall, to
--- either side, that it can step out to in a straight line.
---@param agent leeward.Agent
---@param cover leeward.CoverPoint
---@param from leeward.vec3  the agent's position behind that cover
---@param target leeward.Point|leeward.Agent
---@param reach number  largest distance to step out [m]
---@return leeward.vec3?  nil: there is none
function lookout.find(agent, cover, from, target, reach)
  local world = agent:world()
  local eye = agent:eye "stand" - agent:position()
  if world:sees(from + eye, target) then return from end

  local along = cover.segment.b - cover.segment.a
  along = along / along:length()
  for distance = STEP, reach + STEP / 100, STEP do
    for side = -1, 1, 2 do
      local hit, to = agent:raycast(from, from + along * (side * distance))
      if hit == false and world:sees(to + eye, target) then return to end
    end
  end
end

return lookout
