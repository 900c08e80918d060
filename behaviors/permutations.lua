--- What is wrong with the names that a node has of a permutation and of its state.

local leeward = require "leeward"

local permutations = {}

local function has(list, value)
  for _, other in ipairs(list) do
    if other == value then return true end
  end
  return false
end

local function hint(name, known)
  local guess = leeward.suggest(name, known)
  return guess and (". Did you mean '%s'?"):format(leeward.shown(guess)) or ""
end

--- permutations.problem(world, name, state) --> the reason why the world cannot have that state | nil: it can. Of a
--- permutation that only a loaded file has named, the states are not known yet.
function permutations.problem(world, name, state)
  local states = world:permutation_states(name)
  if not states then
    return ("there is no permutation '%s'%s"):format(leeward.shown(name), hint(name, world:permutations()))
  end
  if #states == 0 or has(states, state) then return nil end
  return ("the permutation '%s' has no state '%s', expected '%s'%s"):format(leeward.shown(name), leeward.shown(state),
    table.concat(states, "' or '"), hint(state, states))
end

return permutations
