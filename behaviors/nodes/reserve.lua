--- Runs its child while the agent has something to itself: a seat, a post, a door.
--
--     Reserve { what = "post", MoveTo { to = "post" }, ... }      -- of the team
--     Reserve { what = "well", scope = "world", child }
--
-- Fails with the reason while another agent has it. It is given back when the child ends or is aborted, and when the
-- agent goes. `what` is a name; the key "SCOPE.reserved.NAME" of the blackboard has the agent.

local behaviors = require "behaviors"
local checks = require "behaviors.checks"

local SCOPES = { team = true, world = true }

local function key_of(options) return ("%s.reserved.%s"):format(options.scope, options.what) end

local Hold = behaviors.leaf {
  name = "Reserve",

  options = {
    scope = "team", -- "team" or "world": among whom
  },
  required = {
    what = "a name",
  },

  check = function(options)
    if not SCOPES[options.scope] then return ("scope is '%s', expected 'team' or 'world'"):format(options.scope) end
    return behaviors.check(options, { { "what", "name", "a name" } })
  end,

  start = function(agent, options, state)
    local key = key_of(options)
    local other = agent.blackboard[key]
    local is_held = checks.is_agent(other) and other ~= agent and other:is_alive()
    if is_held then return "failure", ("%s has it"):format(other) end
    agent.blackboard[key] = agent
    state.has = true
    return "running", math.huge
  end,

  tick = function() return "running", math.huge end,
  save = true,

  stop = function(agent, options, state)
    local key = key_of(options)
    if state.has and agent.blackboard[key] == agent then agent.blackboard[key] = nil end
  end,
}

---@type fun(options: leeward.ReserveDefinition): leeward.Node
local function Reserve(options)
  checks.children(options, "Reserve")
  local child, own = options[1], {}
  if not child or options[2] then checks.fail("Reserve: has %d children, expected one", #options) end
  for key, value in pairs(options) do
    if key ~= 1 then own[key] = value end
  end
  -- The child's end ends the other, which gives it back.
  return behaviors.parallel { name = "Reserve", succeed = 1, fail = 1, Hold(own), child }
end

checks.note_builder()

return Reserve
