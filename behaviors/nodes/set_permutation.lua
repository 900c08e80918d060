--- Sets the state of a permutation: the agent opens the gate, or blows up the bridge.
--
--     SetPermutation { name = "gate", state = "shut" }
--
-- Succeeds when the state has taken effect, in the next step, so that a MoveTo behind it finds the ground as it is
-- then; at once if the permutation is in that state already. Fails with the reason when another state has been set
-- meanwhile, say by another agent. Where the world has no such permutation or state, that is an error in the script:
-- the leaf fails, and the world's log says why.

local behaviors = require "behaviors"
local leeward = require "leeward"

local function look(agent, options)
  local state, is_applied = agent:world():permutation_state(options.name)
  if state == options.state then return is_applied and "success" or "running" end
  return "failure", ("the permutation '%s' was set to '%s' meanwhile"):format(leeward.shown(options.name),
    leeward.shown(state))
end

---@type fun(options: leeward.SetPermutationOptions): leeward.Node
local SetPermutation = behaviors.leaf {
  name = "SetPermutation",

  required = {
    name = "the name of a permutation",
    state = "the name of a state",
  },

  check = function(options)
    return behaviors.check(options, {
      { "name", "name", "the name of a permutation" }, { "state", "name", "the name of a state" },
    })
  end,

  start = function(agent, options)
    agent:world():set_permutation(options.name, options.state)
    return look(agent, options)
  end,

  tick = look,
  save = true,
}

return SetPermutation
