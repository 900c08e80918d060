--- Behaviour trees in Lua: constructors for the nodes of a tree.
--
--     local behaviors = require "behaviors"
--     local MoveTo = require "behaviors.nodes.move_to"
--
--     return behaviors.sequence {
--       MoveTo { to = "gate" },   -- a key of the agent's blackboard
--       behaviors.wait(2, 4),     -- seconds
--       MoveTo { to = "tower" },
--     }
--
-- A node is a plain table. `leeward.tree(name, node)` and `world:spawn { tree = node }` compile it; the runtime then
-- traverses the tree in C and calls Lua only at the leaves. Any number of agents may share a tree: the data of one
-- agent are in its blackboard, or in the `state` table of a leaf.
--
-- A mistake in a description raises an error at the line that builds the node.

local leeward = require "leeward"
local checks = require "behaviors.checks"
local leaf = require "behaviors.leaf"
local options = require "behaviors.options"
local ports = require "behaviors.ports"

local behaviors = {}
local fail, shown, set_of, is_finite = checks.fail, checks.shown, checks.set_of, checks.is_finite

checks.note_builder()

behaviors.leaf = leaf.leaf
behaviors.check, behaviors.point, behaviors.place = options.check, options.point, options.place
behaviors.target = options.target
behaviors.gone, behaviors.existing, behaviors.threats = options.gone, options.existing, options.threats
behaviors.at_pace = options.at_pace

-- --- Nodes with children ----------------------------------------------------------------------------------------

-- What the functions return that scripts call to make a node is in parentheses, as in `return (ordered(...))`: so it is
-- no tail call, and the frame of the function says whether the script's call was one.

--- Copy the children into the node, and check the keys beside them.
--- @param who? string  the function that makes the node, for messages; default: the kind
local function take_children(kind, definition, keys, node, who)
  who = who or kind
  checks.children(definition, who, keys)
  local count = 0
  node = node or {}
  node.kind = kind
  for key in pairs(definition) do
    if math.type(key) == "integer" then count = math.max(count, key) end -- not #: a nil between children is reported
  end
  if definition.name ~= nil and type(definition.name) ~= "string" then
    fail("%s: name is %s, expected a string", who, shown(definition.name))
  end
  node.name = definition.name
  return checks.note_source(node), count
end

local function composite(kind, definition, keys, node)
  local count
  node, count = take_children(kind, definition, keys, node)
  if count == 0 then fail("%s: has no children, expected at least one", kind) end
  for position = 1, count do
    checks.child(definition[position], position, kind)
    node[position] = definition[position]
  end
  return node
end

--- @param min? integer  0: it needs no child
--- @param who? string  as of take_children()
local function decorator(kind, definition, keys, node, min, who)
  local count
  node, count = take_children(kind, definition, keys, node, who)
  if count > 1 or count < (min or 1) then
    fail("%s: has %d children, expected %s", who or kind, count, min == 0 and "one or none" or "one")
  end
  if count == 1 then
    checks.child(definition[1], 1, who or kind)
    node[1] = definition[1]
  end
  return node
end

local COMPOSITE_KEYS = set_of { "name", "reactive" }

local function ordered(kind, definition)
  checks.children(definition, kind)
  if definition.reactive ~= nil and type(definition.reactive) ~= "boolean" then
    fail("%s: reactive is %s, expected true or false", kind, shown(definition.reactive))
  end
  return composite(kind, definition, COMPOSITE_KEYS, { reactive = definition.reactive })
end

--- Runs its children in order until one fails, and then fails; succeeds when all have succeeded.
--- A child that is still running continues at the next tick; those before it are not run again. With
--- `reactive = true`, conditions among the children are tested again when what they read has changed: one before the
--- child that runs which has become false ends the sequence, and one with a child aborts that.
---@param definition leeward.Composite  the children, and an optional `name` for messages
---@return leeward.Node
function behaviors.sequence(definition)
  return (ordered("sequence", definition))
end

--- Runs its children in order until one succeeds, and then succeeds; fails when all have failed.
--- A child that is still running continues at the next tick; those before it are not run again. With
--- `reactive = true`, conditions among the children have `abort = "both"`: one that becomes true takes over from a
--- later child, one that becomes false gives its own child up.
---@param definition leeward.Composite  the children, and an optional `name` for messages
---@return leeward.Node
function behaviors.selector(definition)
  return (ordered("selector", definition))
end

local PARALLEL_KEYS = set_of { "name", "succeed", "fail" }

--- Runs all its children at once. It succeeds when `succeed` of them have (default: all), and fails when `fail` of them
--- have (default: one) or none is left; those that still run are aborted.
---@param definition leeward.Parallel
---@return leeward.Node
function behaviors.parallel(definition)
  checks.children(definition, "parallel")
  local node = composite("parallel", definition, PARALLEL_KEYS,
    { succeed = checks.count(definition, "succeed", "parallel"), fail = checks.count(definition, "fail", "parallel") })
  for _, key in ipairs { "succeed", "fail" } do
    if node[key] and (node[key] > #node or node[key] < 1) then
      fail("parallel: %s is %d, expected 1 to %d, the number of children", key, node[key], #node)
    end
  end
  return node
end

local RANDOM_KEYS = set_of { "name", "weights" }

--- Runs one of its children, drawn from the agent's own random numbers by `weights` (default: all alike); when it
--- fails, another one of the rest. Succeeds when one does, fails when all have failed.
---@param definition leeward.RandomChoice
---@return leeward.Node
function behaviors.random(definition)
  local node = composite("random", definition, RANDOM_KEYS)
  local weights = definition.weights
  if weights == nil then return node end
  if type(weights) ~= "table" or #weights ~= #node then
    fail("random: weights is %s, expected a list of %d numbers, one a child",
      type(weights) == "table" and ("a list of %d"):format(#weights) or shown(weights), #node)
  end
  for i, weight in ipairs(weights) do
    if not is_finite(weight) or weight <= 0 then
      fail("random: weights[%d] is %s, expected a number > 0", i, shown(weight))
    end
  end
  node.weights = weights
  return node
end

local UTILITY_KEYS = set_of { "name", "scores", "every", "hysteresis", "reads" }

--- Runs the child with the highest score; when it fails, the best of the rest. A score is a key of the blackboard or a
--- function of the agent; a child whose score is nil is left out. Scores are compared again `every` so many seconds,
--- and when a key changes that is a score or in `reads`: another child takes over whose score is higher by more than
--- `hysteresis`.
---@param definition leeward.Utility
---@return leeward.Node
function behaviors.utility(definition)
  local node = composite("utility", definition, UTILITY_KEYS)
  local scores = definition.scores
  if type(scores) ~= "table" or #scores ~= #node then
    fail("utility: scores is %s, expected a list of %d keys or functions, one a child",
      type(scores) == "table" and ("a list of %d"):format(#scores) or shown(scores), #node)
  end
  for i, score in ipairs(scores) do
    if type(score) ~= "function" and (type(score) ~= "string" or score == "") then
      fail("utility: scores[%d] is %s, expected a key of the blackboard or a function", i, shown(score))
    end
  end
  if definition.every ~= nil then node.every = checks.seconds(definition, "every", "utility") end
  if definition.hysteresis ~= nil and not (is_finite(definition.hysteresis) and definition.hysteresis >= 0) then
    fail("utility: hysteresis is %s, expected a number >= 0", shown(definition.hysteresis))
  end
  node.scores, node.hysteresis, node.reads = scores, definition.hysteresis, checks.reads(definition, "utility")
  return node
end

-- --- Decorators --------------------------------------------------------------------------------------------------

local NAME_ALONE, TIMES_KEYS, SECONDS_KEYS = set_of { "name" }, set_of { "name", "times" }, set_of { "name", "seconds" }

--- Fails when its child succeeds, and succeeds when it fails.
---@param definition leeward.Decorator
---@return leeward.Node
function behaviors.inverter(definition) return (decorator("inverter", definition, NAME_ALONE)) end

--- Succeeds however its child ends.
---@param definition leeward.Decorator
---@return leeward.Node
function behaviors.force_success(definition)
  return (decorator("force", definition, NAME_ALONE, { status = "success" }, 1, "force_success"))
end

--- Fails however its child ends.
---@param definition leeward.Decorator
---@return leeward.Node
function behaviors.force_failure(definition)
  return (decorator("force", definition, NAME_ALONE, { status = "failure" }, 1, "force_failure"))
end

local function counted(kind, definition, who)
  who = who or kind
  checks.children(definition, who, TIMES_KEYS)
  return decorator(kind, definition, TIMES_KEYS, { times = checks.count(definition, "times", who) }, 1, who)
end

--- Runs its child again and again, `times` times or for ever, as long as it succeeds. Each round begins at the next
--- step.
---@param definition leeward.Counted
---@return leeward.Node
function behaviors.repeated(definition) return (counted("repeat", definition, "repeated")) end

--- Runs its child until it succeeds, at most `times` times or for ever. Each try begins at the next step.
---@param definition leeward.Counted
---@return leeward.Node
function behaviors.retry(definition) return (counted("retry", definition)) end

--- Runs its child until it succeeds, then succeeds. Each round begins at the next step.
---@param definition leeward.Decorator
---@return leeward.Node
function behaviors.until_success(definition)
  return (decorator("until", definition, NAME_ALONE, { status = "success" }, 1, "until_success"))
end

--- Runs its child until it fails, then succeeds. Each round begins at the next step.
---@param definition leeward.Decorator
---@return leeward.Node
function behaviors.until_failure(definition)
  return (decorator("until", definition, NAME_ALONE, { status = "failure" }, 1, "until_failure"))
end

--- Aborts its child after so many seconds, and fails.
---@param definition leeward.Timed
---@return leeward.Node
function behaviors.timeout(definition)
  checks.children(definition, "timeout", SECONDS_KEYS)
  return (decorator("timeout", definition, SECONDS_KEYS,
    { seconds = checks.seconds(definition, "seconds", "timeout") }))
end

--- Fails for so many seconds after its child has ended, or was aborted. A child that fails as a condition is false does
--- not count. When the cooldown ends, a condition that it kept from aborting later children is tested again.
---@param definition leeward.Timed
---@return leeward.Node
function behaviors.cooldown(definition)
  checks.children(definition, "cooldown", SECONDS_KEYS)
  return (decorator("cooldown", definition, SECONDS_KEYS,
    { seconds = checks.seconds(definition, "seconds", "cooldown", 0) }))
end

--- Lets its child begin so many times while an agent runs the tree, then fails. A child that fails as a condition is
--- false does not count.
---@param definition leeward.Counted
---@return leeward.Node
function behaviors.limit(definition)
  checks.children(definition, "limit", TIMES_KEYS)
  if definition.times == nil then fail("limit: times is nil, expected a whole number >= 0") end
  return (counted("limit", definition))
end

local DELAY_KEYS = set_of { "name", "min", "max" }

--- Sleeps as `wait` does, then runs its child.
---@param definition leeward.Delayed
---@return leeward.Node
function behaviors.delay(definition)
  checks.children(definition, "delay", DELAY_KEYS)
  local min = checks.seconds(definition, "min", "delay", 0)
  local max = definition.max == nil and min or checks.seconds(definition, "max", "delay", 0)
  if max < min then fail("delay: max is %s, expected seconds >= %s", shown(max), min) end
  return (decorator("delay", definition, DELAY_KEYS, { min = min, max = max }))
end

-- --- Conditions and services -------------------------------------------------------------------------------------

--- How an option of a condition compares the key, and what it may be compared with.
local TESTS = {
  equals = "equal", differs = "differs", below = "below", at_most = "at_most", above = "above", at_least = "at_least",
}
local NUMBERS_ALONE = set_of { "below", "at_most", "above", "at_least" }
local CONDITION_KEYS = set_of {
  "name", "key", "event", "unset", "equals", "differs", "below", "at_most", "above", "at_least", "reads", "test",
  "abort",
}
local ABORTS = set_of { "none", "self", "lower", "both" }

--- Set how the node tests, by the one option that says so.
local function read_test(definition, node)
  local given = {}
  for option in pairs(TESTS) do
    if definition[option] ~= nil then given[#given + 1] = option end
  end
  if definition.unset then given[#given + 1] = "unset" end
  if #given > 1 then
    table.sort(given)
    fail("condition: '%s' and '%s' are given, expected one test", given[1], given[2])
  end
  local option = given[1]
  node.test = option and (TESTS[option] or option) or "set"
  if option == nil or option == "unset" then return end
  local value = definition[option]
  if NUMBERS_ALONE[option] and not is_finite(value) then
    fail("condition: %s is %s, expected a finite number", option, shown(value))
  end
  if type(value) == "table" or type(value) == "function" then
    fail("condition: %s is %s, expected a number, string, boolean, vec3 or agent", option, shown(value))
  end
  node.value = value
end

--- Runs its child, or succeeds without one, if its test is true; else fails.
---
---     condition { key = "enemy", TakeCover() }                  -- the key has a value other than false
---     condition { key = "health", below = 30, abort = "both", Flee() }
---     condition { event = "shot", abort = "lower", TakeCover() } -- agent:send "shot" has come in this step
---     condition { reads = { "ammo", "enemy" }, test = function(agent) return ... end, Attack() }
---
--- It is tested when it is entered, and again when a key that it reads has changed, where `abort` says so: "self" gives
--- its own child up when it has become false, "lower" takes over from the later child of the selector above when it has
--- become true, "both" does both. What runs is aborted first, in the same step. Without a child in a sequence it guards
--- the later children there: "self" gives these up. "lower" and "both" are for where a child of a selector begins:
--- below the selector, or in a sequence there with nothing but conditions before it.
---@param definition leeward.ConditionDefinition
---@return leeward.Node
function behaviors.condition(definition)
  checks.children(definition, "condition")
  for key in pairs(definition) do
    if math.type(key) ~= "integer" then checks.key(key, CONDITION_KEYS, "condition") end
  end
  for _, key in ipairs { "key", "event" } do checks.text(definition[key], key, "condition") end
  local node = { abort = definition.abort, reads = checks.reads(definition, "condition") }
  if definition.abort ~= nil and not ABORTS[definition.abort] then
    fail("condition: abort is %s, expected 'none', 'self', 'lower' or 'both'", shown(definition.abort))
  end
  local key = definition.key or (definition.event and "event." .. definition.event)
  if definition.key and definition.event then fail("condition: key and event are given, expected one") end
  if definition.test ~= nil then
    if type(definition.test) ~= "function" then
      fail("condition: test is %s, expected a function", shown(definition.test))
    end
    if key then fail("condition: key and test are given, expected one; what a test reads is in 'reads'") end
    if (node.abort or "none") ~= "none" and #(node.reads or {}) == 0 then
      fail("condition: reads is %s, expected the keys on whose change its test is called again: abort is '%s'",
        node.reads and "empty" or "nil", node.abort)
    end
    node.test, node.call = "call", definition.test
  else
    if not key then fail("condition: key is nil, expected a key of the blackboard, or an 'event' or 'test'") end
    node.reads = { key, table.unpack(node.reads or {}) }
    read_test(definition, node)
  end
  return (decorator("condition", definition, CONDITION_KEYS, node, 0))
end

--- Whether a table says of keys which types they are.
local function check_types(types, who, option, may_be_optional)
  if types ~= nil and type(types) ~= "table" then
    fail("%s: %s is %s, expected a table of types by keys", who, option, shown(types))
  end
  for key, expected in pairs(types or {}) do
    local complaint = ports.check_types(expected, may_be_optional)
    if complaint then
      fail("%s: %s.%s is %s, %s", who, option, leeward.shown(tostring(key)), shown(expected), complaint)
    end
  end
end

local EVERY_KEYS = set_of { "name", "seconds", "update", "writes" }

--- Calls a function of the agent before its child begins, and every so many seconds while it runs, to refresh keys of
--- the blackboard.
---@param definition leeward.EveryDefinition
---@return leeward.Node
function behaviors.every(definition)
  checks.children(definition, "every", EVERY_KEYS)
  if type(definition.update) ~= "function" then
    fail("every: update is %s, expected a function", shown(definition.update))
  end
  local seconds = checks.seconds(definition, "seconds", "every")
  check_types(definition.writes, "every", "writes")
  return (decorator("every", definition, EVERY_KEYS,
    { seconds = seconds, update = definition.update, writes = definition.writes }))
end

-- --- Subtrees ----------------------------------------------------------------------------------------------------

local SUBTREE_KEYS = set_of { "name", "tree", "ports" }

--- The names of the trees whose files run, each within the one before it; and whether one was in itself.
local running, is_endless = {}, false

--- Raise if the file of that tree runs already: it would run for ever.
local function refuse_itself(name)
  for i, outer in ipairs(running) do
    if outer == name then
      is_endless = true
      fail("subtree: a tree contains itself: %s > %s", table.concat(running, " > ", i), name)
    end
  end
  is_endless = false
end

--- The description of a tree by its name.
local function tree_file(name)
  refuse_itself(name)
  running[#running + 1] = name
  local ok, tree = pcall(require, "behaviors.trees." .. name)
  running[#running] = nil
  if ok then return tree end
  if is_endless then error(tree, 0) end -- said once, not again by each file on the way
  local names = leeward.names "behaviors/trees"
  if names[name] then fail("subtree: tree is '%s': %s", leeward.shown(name), tostring(tree)) end
  local guess = leeward.suggest(name, checks.names_of(names))
  local hint = guess and (". Did you mean '%s'?"):format(guess) or ""
  if leeward.tree(name) then hint = "; a tree that leeward.tree has named is compiled: hand over its description" end
  fail("subtree: tree is %s, expected the name of a tree in behaviors/trees%s", shown(name), hint)
end

--- A tree within the tree: a description, or the name of a file in behaviors/trees/. `ports` says which key of this
--- tree each of its keys is: `ports = { goal = "post" }`.
---@param definition leeward.SubtreeDefinition
---@return leeward.Node
function behaviors.subtree(definition)
  checks.table(definition, "subtree")
  for key in pairs(definition) do checks.key(key, SUBTREE_KEYS, "subtree") end
  checks.text(definition.name, "name", "subtree")
  local tree, name = definition.tree, definition.name
  if type(tree) == "string" then
    tree, name = tree_file(tree), name or tree
  end
  checks.child(tree, 1, "subtree")
  for inner, outer in pairs(definition.ports or {}) do
    if type(inner) ~= "string" or type(outer) ~= "string" then
      fail("subtree: ports[%s] is %s, expected keys of the blackboard by keys of the tree", shown(inner), shown(outer))
    end
  end
  return (checks.note_source { kind = "subtree", name = name, ports = definition.ports, tree })
end

local TREE_KEYS = set_of { "name", "inputs" }

--- A tree that says which keys of the blackboard it expects from outside, and what they are: then every other key
--- that a node of it reads must be one that a node writes.
---
---     behaviors.tree { inputs = { gate = "vec3", enemy = "agent?" }, behaviors.sequence { ... } } -- ?: may be absent
---@param definition leeward.TreeDefinition
---@return leeward.Node
function behaviors.tree(definition)
  checks.children(definition, "tree", TREE_KEYS)
  if type(definition.inputs) ~= "table" then
    fail("tree: inputs is %s, expected a table of types by keys", shown(definition.inputs))
  end
  check_types(definition.inputs, "tree", "inputs", true)
  local node = decorator("subtree", definition, TREE_KEYS, { inputs = definition.inputs }, 1, "tree")
  node.name = definition.name
  return node
end

-- --- Wait ------------------------------------------------------------------------------------------------------

--- Sleeps for some time, then succeeds. Each sleep is drawn uniformly from min..max.
---@param min number  world time [s, >= 0]
---@param max? number  [s, >= min, default min]
---@return leeward.Node
function behaviors.wait(min, max)
  if max == nil then max = min end
  if not is_finite(min) or min < 0 then fail("wait: min is %s, expected seconds >= 0", shown(min)) end
  if not is_finite(max) or max < min then
    fail("wait: max is %s, expected seconds >= %s", shown(max), min)
  end
  return (checks.note_source { kind = "wait", min = min, max = max })
end

--- A misspelt constructor is an error that names the one that is meant.
local function refuse_unknown(_, key)
  local guess = type(key) == "string" and leeward.suggest(key, checks.names_of(behaviors))
  fail("behaviors has no %s%s", shown(key), guess and (". Did you mean '%s'?"):format(guess) or "")
end

return setmetatable(behaviors, { __index = refuse_unknown })
