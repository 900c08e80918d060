-- Watches the agents of a run: reports those that stand still while their state is "walking", and wait for no other.

local terminal = require "scripts.cli.terminal"

local STILL_SECONDS = 5 -- standing still for longer is a defect
local STILL_METRES = 0.5 -- the slowest calm pace covers this in less than a second

-- watch() --> { step = function(world), still = number }; call step after every step of the world.
return function()
  local self = { still = 0 }
  local anchors = {} -- by agent id: its position and time when it last advanced

  local function look(agent, now)
    local id = agent:id()
    if agent:move_state() ~= "walking" or agent:blocked_by() then
      anchors[id] = nil
      return
    end
    local at, anchor = agent:position(), anchors[id]
    if not anchor or anchor.at:distance(at) > STILL_METRES then
      anchors[id] = { at = at, since = now, reported = false }
    elseif not anchor.reported and now - anchor.since > STILL_SECONDS then
      anchor.reported = true
      self.still = self.still + 1
      terminal.warn(("agent %d (%s) stands still at %s: %s"):format(id, agent:profile(), at, agent:why()))
    end
  end

  function self.step(world)
    local now = world:time()
    for _, agent in ipairs(world:agents()) do look(agent, now) end
  end

  return self
end
