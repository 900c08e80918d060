--- Convoy: the first member of a group leads it round the points of the key `route`, and waits a moment at each. The
-- others go along. When the leader is gone, the next one goes on.

local behaviors = require "behaviors"

--- World time between two looks at the group. [s]
local PAUSE = 0.25

--- The group that the agent leads; else nil and the reason.
local function led(agent)
  local group = agent:group()
  if not group then return nil, "it is in no group" end
  if group:members()[1] ~= agent then return nil, "another one leads" end
  return group
end

---@type fun(options: { points: string, within: number?, next: string? }): leeward.Node
local LeadGroup = behaviors.leaf {
  name = "LeadGroup",

  options = {
    within = 1,            -- of its place, where a member has arrived [m, > 0]
    next = "convoy_next",  -- key of the blackboard: the number of the point to go to
  },
  required = {
    points = "a list of points or a key of the blackboard",
  },
  ports = { points = "in list", next = "inout number" },

  check = function(options) return behaviors.check(options, { { "within", "> 0", "metres" } }) end,

  start = function(agent, options)
    local group, reason = led(agent)
    if not group then return "failure", reason end
    local points, why = behaviors.point(agent, options.points)
    if why then return "failure", why end
    if type(points) ~= "table" or #points == 0 then return "failure", "there are no points to lead the group to" end
    local last = agent.blackboard[options.next]
    local number = (math.type(last) == "integer" and last or 1) % #points + 1
    agent.blackboard[options.next] = number
    local ok, message = group:move_to(points[number], { within = options.within })
    if not ok then return "failure", message end
    return "running", PAUSE
  end,

  tick = function(agent)
    local group, reason = led(agent)
    if not group then return "failure", reason end
    local state = group:get()
    if state.move == "walking" then return "running", PAUSE end
    if state.move == "arrived" then return "success" end
    return "failure", ("the group does not get there: %s"):format(state.failure or "it was stopped")
  end,

  save = true,

  stop = function(agent)
    local group = led(agent)
    if group and group:get().move == "walking" then group:stop() end
  end,
}

return behaviors.selector {
  behaviors.sequence { name = "lead", LeadGroup { points = "route" }, behaviors.wait(1, 3) },
  behaviors.wait(1, 2),
}
