--- Sets the state of a permutation: the agent opens the gate, or blows up the bridge.
--
--     SetPermutation { name = "gate", state = "shut" }
--
-- Succeeds when the state has taken effect, in the next step, so that a MoveTo behind it finds the ground as it is
-- then; at once if the permutation is in that state already. Fails with the reason when the world has no such
-- permutation, or that has no such state, and when another state has been set meanwhile, say by another agent.

local behaviors = require "behaviors"
local leeward = require "leeward"
local permutations = require "behaviors.permutations"

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
    local world = agent:world()
    local problem = permutations.problem(world, options.name, options.state)
    if problem then return "failure", problem end
    if #world:permutation_states(options.name) == 0 then
      return "failure", ("the permutation '%s' is one of a loaded file, and not defined yet"):format(
        leeward.shown(options.name))
    end
    world:set_permutation(options.name, options.state)
    return look(agent, options)
  end,

  tick = look,
  save = true,
}

return SetPermutation
