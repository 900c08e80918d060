--- Waits until a permutation is in a state.
--
--     WaitForPermutation { name = "gate", state = "open" }
--
-- Succeeds when that state has taken effect, at once if it has already. Fails with the reason when the world has no
-- such permutation, or that has no such state. Meanwhile the agent does what it did before; a condition on the key
-- "world.permutation.NAME" waits for the state, so that nobody polls.

local behaviors = require "behaviors"
local checks = require "behaviors.checks"
local leeward = require "leeward"

local function has(list, value)
  for _, other in ipairs(list) do
    if other == value then return true end
  end
  return false
end

--- Looks once, and sleeps until the condition beside it takes over.
local Look = behaviors.leaf {
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

  start = function(agent, options)
    local state, is_applied = agent:world():permutation_state(options.name)
    if not state then return "failure", ("there is no permutation '%s'"):format(leeward.shown(options.name)) end
    if state == options.state and is_applied then return "success" end
    local states = agent:world():permutation_states(options.name)
    if state ~= options.state and #states > 0 and not has(states, options.state) then
      local guess = leeward.suggest(options.state, states)
      local hint = guess and (". Did you mean '%s'?"):format(guess) or ""
      return "failure", ("the permutation '%s' has no state '%s', expected '%s'%s"):format(leeward.shown(options.name),
        leeward.shown(options.state), table.concat(states, "' or '"), hint)
    end
    return "running", math.huge
  end,

  tick = function() return "running", math.huge end,
  save = true,
}

---@type fun(options: leeward.WaitForPermutationOptions): leeward.Node
local function WaitForPermutation(options)
  local look = Look(options)
  return behaviors.selector {
    name = "WaitForPermutation",
    behaviors.condition {
      key = "world.permutation." .. look.options.name, equals = look.options.state, abort = "lower",
      behaviors.wait(0),
    },
    look,
  }
end

checks.note_builder()

return WaitForPermutation
