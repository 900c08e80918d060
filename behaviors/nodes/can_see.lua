--- Whether the agent sees something now: a threat, an agent, a point, or the key of one of these.
--
--     CanSee { target = "enemy" }
--     CanSee { target = "enemy", into = "last_seen" } -- writes where that is
--
-- Ends at once: it succeeds, or fails with the reason. Of an agent, and of a threat that is an agent's eye, any part of
-- the body counts, and what it carries does not hide it. The agent looks to all sides.

local behaviors = require "behaviors"

---@type fun(options: leeward.CanSeeOptions): leeward.Node
local CanSee = behaviors.leaf {
  name = "CanSee",

  required = {
    target = "a threat, an agent, a point or a key of the blackboard",
  },
  optional = {
    "range", -- distance beyond which it sees nothing [m, > 0]. Default: any distance.
    "into",  -- key of the blackboard to write the position to
  },
  ports = { target = "in vec3|agent|threat", into = "out vec3" },

  check = function(options)
    return behaviors.check(options, { { "target", "place" }, { "range", "> 0" }, { "into", "name", "a key" } })
  end,

  start = function(agent, options)
    local place, reason = behaviors.place(agent, options.target)
    if not place then return "failure", reason end
    local target = behaviors.target(agent, options.target)
    local is_agent = getmetatable(target) == "leeward.agent"
    local position = is_agent and target:position() or place
    if options.range and agent:position():distance(position) > options.range then return "failure", "it is too far" end
    if not agent:world():sees(agent, target) then return "failure", "it is hidden" end
    if options.into then agent.blackboard[options.into] = position end
    return "success"
  end,
}

return CanSee
