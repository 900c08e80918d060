--- Tells others of the agent's team something: an event that their trees react to.
--
--     Say { name = "contact", value = "sense.enemy_at", radius = 40 }
--
-- Conditions of the others read it as `condition { event = "contact", ... }`, and their leaves find the value in
-- `agent.blackboard["event.contact"]`. Agents without a team tell those without a team. Succeeds at once; fails where
-- the key of the value has none.

local behaviors = require "behaviors"

---@type fun(options: leeward.SayOptions): leeward.Node
local Say = behaviors.leaf {
  name = "Say",

  options = {
    radius = 30, -- straight distance up to which others hear it [m, > 0]
  },
  required = {
    name = "the name of an event",
  },
  optional = {
    "value", -- a point, an agent or a key of the blackboard. Default: true.
  },
  ports = { value = "in any" },

  check = function(options)
    return behaviors.check(options, { { "name", "name", "the name of an event" }, { "radius", "> 0" } })
  end,

  start = function(agent, options)
    local value, reason = true, nil
    if options.value ~= nil then value, reason = behaviors.point(agent, options.value) end
    if reason then return "failure", reason end
    local others = agent:world():agents_around {
      at = agent:position(), radius = options.radius, team = agent:team() or "", except = agent,
    }
    for _, other in ipairs(others) do other:send(options.name, value) end
    return "success"
  end,
}

return Say
