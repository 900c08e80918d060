--- Waits until a permutation is in a state.
--
--     WaitForPermutation { name = "gate", state = "open" }
--
-- Succeeds when that state has taken effect, at once if it has already. Fails with the reason when the world has no
-- such permutation, or that has no such state. Meanwhile the agent does what it did before, and the leaf looks ten
-- times a second: it may miss a state that is set for a moment.

local behaviors = require "behaviors"
local leeward = require "leeward"

--- World time between two looks. [s]
local PAUSE = 0.1

local function has(list, value)
  for _, other in ipairs(list) do
    if other == value then return true end
  end
  return false
end

---@type fun(options: leeward.WaitForPermutationOptions): leeward.Node
local WaitForPermutation = behaviors.leaf {
  name = "WaitForPermutation",

  required = {
    name = "the name of a permutation",
    state = "the name of a state",
  },

  check = function(options)
    return behaviors.check(options, {
      { "name", "name", "the name of a permutation" }, { "state", "name", "the name of a state" },
    })
  end,

  tick = function(agent, options)
    local state, is_applied = agent:world():permutation_state(options.name)
    if not state then return "failure", ("there is no permutation '%s'"):format(leeward.shown(options.name)) end
    if state == options.state then
      if is_applied then return "success" end
      return "running"
    end
    local states = agent:world():permutation_states(options.name)
    if #states > 0 and not has(states, options.state) then
      local guess = leeward.suggest(options.state, states)
      local hint = guess and (". Did you mean '%s'?"):format(guess) or ""
      return "failure", ("the permutation '%s' has no state '%s', expected '%s'%s"):format(leeward.shown(options.name),
        leeward.shown(options.state), table.concat(states, "' or '"), hint)
    end
    return "running", PAUSE
  end,
}

return WaitForPermutation
