-- Watches the agents of a run from outside: who stands still although it says that it walks?

local STILL_SECONDS = 5 -- longer than that is a defect, whatever the cause
local STILL_METRES = 0.5 -- the slowest calm pace goes this far in well under a second

-- watch() --> { step = function(world), still = number }; call step after every step of the world.
return function()
  local self = { still = 0 }
  local anchors = {} -- by agent id: where it was when it last got anywhere, and when

  local function look(agent, now)
    local id = agent:id()
    if agent:move_state() ~= "walking" then
      anchors[id] = nil
      return
    end
    local at, anchor = agent:position(), anchors[id]
    if not anchor or anchor.at:distance(at) > STILL_METRES then
      anchors[id] = { at = at, since = now, told = false }
    elseif not anchor.told and now - anchor.since > STILL_SECONDS then
      anchor.told = true
      self.still = self.still + 1
      io.stderr:write(("agent %d (%s) stands still at %s: %s\n"):format(id, agent:profile(), at, agent:why()))
    end
  end

  function self.step(world)
    local now = world:time()
    for _, agent in ipairs(world:agents()) do look(agent, now) end
  end

  return self
end
