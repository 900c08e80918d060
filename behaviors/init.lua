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
local ports = require "behaviors.ports"

local behaviors = {}

-- --- Checks ----------------------------------------------------------------------------------------------------

local function set_of(list)
  local set = {}
  for _, key in ipairs(list) do set[key] = true end
  return set
end

--- The sorted keys of a set.
local function names_of(set)
  local names = {}
  for name in pairs(set) do names[#names + 1] = name end
  table.sort(names)
  return names
end

local getinfo = debug.getinfo
local THIS_FILE = getinfo(1, "S").source

--- Raise at the line outside this file that built the node. After `return behaviors.sequence { ... }`, a tail call, Lua
--- has forgotten that line; the loader of tree and node files has noted it.
local function fail(message, ...)
  local level = 2
  while (getinfo(level, "S") or {}).source == THIS_FILE do level = level + 1 end
  local text = leeward.shown(message:format(...), 1000)
  local place = getinfo(level - 1, "t").istailcall and leeward.loading()
  if place then error(("%s: %s"):format(place, text), 0) end
  error(text, level)
end

--- A value as text, for messages.
local function shown(value)
  if type(value) == "number" or type(value) == "boolean" then return tostring(value) end
  if type(value) == "string" then return ("'%s'"):format(leeward.shown(value)) end
  return value == nil and "nil" or "a " .. type(value)
end

local function is_finite(value)
  return type(value) == "number" and value == value and math.abs(value) ~= math.huge
end

local KINDS = set_of {
  "sequence", "selector", "wait", "leaf", "parallel", "random", "utility", "inverter", "force", "repeat", "retry",
  "until", "timeout", "cooldown", "limit", "delay", "condition", "every", "subtree",
}

local function check_table(value, who)
  if type(value) ~= "table" then fail("%s: options is %s, expected a table", who, shown(value)) end
end

local function check_key(key, known, who)
  if known[key] then return end
  local names = names_of(known)
  local guess = type(key) == "string" and not key:find "\0" and leeward.suggest(key, names)
  local hint = guess and ("Did you mean '%s'?"):format(guess)
    or ("Known keys: %s"):format(names[1] and table.concat(names, ", ") or "none")
  fail("%s: unknown key %s. %s", who, shown(key), hint)
end

local function check_child(child, position, who)
  if type(child) == "table" and KINDS[child.kind] then return end
  local hint = type(child) == "function" and ": call the constructor, as in MoveTo { to = \"goal\" }" or ""
  fail("%s: child %d is %s, expected a node%s", who, position, shown(child), hint)
end

-- --- Nodes with children ----------------------------------------------------------------------------------------

local function check_text(value, key, who)
  if value ~= nil and (type(value) ~= "string" or value == "") then
    fail("%s: %s is %s, expected a string", who, key, shown(value))
  end
end

--- Copy the children into the node, and check the keys beside them.
local function take_children(kind, definition, keys, node)
  check_table(definition, kind)
  local count = 0
  node = node or {}
  node.kind = kind
  for key in pairs(definition) do
    if math.type(key) == "integer" and key >= 1 then
      count = math.max(count, key) -- not #, so that a nil between the children is reported
    else
      check_key(key, keys, kind)
    end
  end
  if definition.name ~= nil and type(definition.name) ~= "string" then
    fail("%s: name is %s, expected a string", kind, shown(definition.name))
  end
  node.name = definition.name
  return node, count
end

local function composite(kind, definition, keys, node)
  local count
  node, count = take_children(kind, definition, keys, node)
  if count == 0 then fail("%s: has no children, expected at least one", kind) end
  for position = 1, count do
    check_child(definition[position], position, kind)
    node[position] = definition[position]
  end
  return node
end

--- @param min integer  0: it needs no child
local function decorator(kind, definition, keys, node, min)
  local count
  node, count = take_children(kind, definition, keys, node)
  if count > 1 or count < (min or 1) then
    fail("%s: has %d children, expected %s", kind, count, min == 0 and "one or none" or "one")
  end
  if count == 1 then
    check_child(definition[1], 1, kind)
    node[1] = definition[1]
  end
  return node
end

--- A whole number >= 0, or nil.
local function check_count(definition, key, who)
  local value = definition[key]
  if value ~= nil and (math.type(value) ~= "integer" or value < 0) then
    fail("%s: %s is %s, expected a whole number >= 0", who, key, shown(value))
  end
  return value
end

--- Seconds, of which there must be some.
local function check_seconds(definition, key, who, min)
  local value = definition[key]
  if not is_finite(value) or value < 0 or (min ~= 0 and value == 0) then
    fail("%s: %s is %s, expected seconds %s", who, key, shown(value), min == 0 and ">= 0" or "> 0")
  end
  return value
end

local COMPOSITE_KEYS = set_of { "name", "reactive" }

local function ordered(kind, definition)
  check_table(definition, kind)
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
  return ordered("sequence", definition)
end

--- Runs its children in order until one succeeds, and then succeeds; fails when all have failed.
--- A child that is still running continues at the next tick; those before it are not run again. With
--- `reactive = true`, conditions among the children have `abort = "both"`: one that becomes true takes over from a
--- later child, one that becomes false gives its own child up.
---@param definition leeward.Composite  the children, and an optional `name` for messages
---@return leeward.Node
function behaviors.selector(definition)
  return ordered("selector", definition)
end

local PARALLEL_KEYS = set_of { "name", "succeed", "fail" }

--- Runs all its children at once. It succeeds when `succeed` of them have (default: all), and fails when `fail` of them
--- have (default: one) or none is left; those that still run are aborted.
---@param definition leeward.Parallel
---@return leeward.Node
function behaviors.parallel(definition)
  check_table(definition, "parallel")
  local node = composite("parallel", definition, PARALLEL_KEYS,
    { succeed = check_count(definition, "succeed", "parallel"), fail = check_count(definition, "fail", "parallel") })
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

local function check_reads(definition, who)
  local reads = definition.reads
  if reads == nil then return nil end
  if type(reads) ~= "table" then fail("%s: reads is %s, expected a list of keys", who, shown(reads)) end
  for i, key in ipairs(reads) do check_text(key, ("reads[%d]"):format(i), who) end
  return reads
end

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
  if definition.every ~= nil then node.every = check_seconds(definition, "every", "utility") end
  if definition.hysteresis ~= nil and not (is_finite(definition.hysteresis) and definition.hysteresis >= 0) then
    fail("utility: hysteresis is %s, expected a number >= 0", shown(definition.hysteresis))
  end
  node.scores, node.hysteresis, node.reads = scores, definition.hysteresis, check_reads(definition, "utility")
  return node
end

-- --- Decorators --------------------------------------------------------------------------------------------------

local NAME_ALONE, TIMES_KEYS, SECONDS_KEYS = set_of { "name" }, set_of { "name", "times" }, set_of { "name", "seconds" }

--- Fails when its child succeeds, and succeeds when it fails.
---@param definition leeward.Decorator
---@return leeward.Node
function behaviors.inverter(definition) return decorator("inverter", definition, NAME_ALONE) end

--- Succeeds however its child ends.
---@param definition leeward.Decorator
---@return leeward.Node
function behaviors.force_success(definition)
  return decorator("force", definition, NAME_ALONE, { status = "success" })
end

--- Fails however its child ends.
---@param definition leeward.Decorator
---@return leeward.Node
function behaviors.force_failure(definition)
  return decorator("force", definition, NAME_ALONE, { status = "failure" })
end

local function counted(kind, definition)
  check_table(definition, kind)
  return decorator(kind, definition, TIMES_KEYS, { times = check_count(definition, "times", kind) })
end

--- Runs its child again and again, `times` times or for ever, as long as it succeeds. Each round begins at the next
--- step.
---@param definition leeward.Counted
---@return leeward.Node
function behaviors.repeated(definition) return counted("repeat", definition) end

--- Runs its child until it succeeds, at most `times` times or for ever. Each try begins at the next step.
---@param definition leeward.Counted
---@return leeward.Node
function behaviors.retry(definition) return counted("retry", definition) end

--- Runs its child until it succeeds, then succeeds. Each round begins at the next step.
---@param definition leeward.Decorator
---@return leeward.Node
function behaviors.until_success(definition)
  return decorator("until", definition, NAME_ALONE, { status = "success" })
end

--- Runs its child until it fails, then succeeds. Each round begins at the next step.
---@param definition leeward.Decorator
---@return leeward.Node
function behaviors.until_failure(definition)
  return decorator("until", definition, NAME_ALONE, { status = "failure" })
end

--- Aborts its child after so many seconds, and fails.
---@param definition leeward.Timed
---@return leeward.Node
function behaviors.timeout(definition)
  check_table(definition, "timeout")
  return decorator("timeout", definition, SECONDS_KEYS, { seconds = check_seconds(definition, "seconds", "timeout") })
end

--- Fails for so many seconds after its child has ended, or was aborted.
---@param definition leeward.Timed
---@return leeward.Node
function behaviors.cooldown(definition)
  check_table(definition, "cooldown")
  return decorator("cooldown", definition, SECONDS_KEYS,
    { seconds = check_seconds(definition, "seconds", "cooldown", 0) })
end

--- Lets its child begin so many times while an agent runs the tree, then fails.
---@param definition leeward.Counted
---@return leeward.Node
function behaviors.limit(definition)
  check_table(definition, "limit")
  if definition.times == nil then fail("limit: times is nil, expected a whole number >= 0") end
  return counted("limit", definition)
end

local DELAY_KEYS = set_of { "name", "min", "max" }

--- Sleeps as `wait` does, then runs its child.
---@param definition leeward.Delayed
---@return leeward.Node
function behaviors.delay(definition)
  check_table(definition, "delay")
  local min = check_seconds(definition, "min", "delay", 0)
  local max = definition.max == nil and min or check_seconds(definition, "max", "delay", 0)
  if max < min then fail("delay: max is %s, expected seconds >= %s", shown(max), min) end
  return decorator("delay", definition, DELAY_KEYS, { min = min, max = max })
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
--- become true, "both" does both. What runs is aborted first, in the same step.
---@param definition leeward.ConditionDefinition
---@return leeward.Node
function behaviors.condition(definition)
  check_table(definition, "condition")
  for key in pairs(definition) do
    if math.type(key) ~= "integer" then check_key(key, CONDITION_KEYS, "condition") end
  end
  for _, key in ipairs { "key", "event" } do check_text(definition[key], key, "condition") end
  local node = { abort = definition.abort, reads = check_reads(definition, "condition") }
  if definition.abort ~= nil and not ABORTS[definition.abort] then
    fail("condition: abort is %s, expected 'none', 'self', 'lower' or 'both'", shown(definition.abort))
  end
  local key = definition.key or (definition.event and "event." .. definition.event)
  if definition.test ~= nil then
    if type(definition.test) ~= "function" then
      fail("condition: test is %s, expected a function", shown(definition.test))
    end
    if key then fail("condition: key and test are given, expected one; what a test reads is in 'reads'") end
    node.test, node.call = "call", definition.test
  else
    if not key then fail("condition: key is nil, expected a key of the blackboard, or an 'event' or 'test'") end
    node.reads = { key, table.unpack(node.reads or {}) }
    read_test(definition, node)
  end
  return decorator("condition", definition, CONDITION_KEYS, node, 0)
end

local EVERY_KEYS = set_of { "name", "seconds", "update", "writes" }

--- Calls a function of the agent before its child begins, and every so many seconds while it runs, to refresh keys of
--- the blackboard.
---@param definition leeward.EveryDefinition
---@return leeward.Node
function behaviors.every(definition)
  check_table(definition, "every")
  if type(definition.update) ~= "function" then
    fail("every: update is %s, expected a function", shown(definition.update))
  end
  return decorator("every", definition, EVERY_KEYS,
    { seconds = check_seconds(definition, "seconds", "every"), update = definition.update, writes = definition.writes })
end

-- --- Subtrees ----------------------------------------------------------------------------------------------------

local SUBTREE_KEYS = set_of { "name", "tree", "ports" }

--- The description of a tree by its name.
local function tree_file(name)
  local ok, tree = pcall(require, "behaviors.trees." .. name)
  if not ok then fail("subtree: tree is '%s': %s", leeward.shown(name), tostring(tree)) end
  return tree
end

--- A tree within the tree: a description, or the name of a file in behaviors/trees/. `ports` says which key of this
--- tree each of its keys is: `ports = { goal = "post" }`.
---@param definition leeward.SubtreeDefinition
---@return leeward.Node
function behaviors.subtree(definition)
  check_table(definition, "subtree")
  for key in pairs(definition) do check_key(key, SUBTREE_KEYS, "subtree") end
  check_text(definition.name, "name", "subtree")
  local tree, name = definition.tree, definition.name
  if type(tree) == "string" then
    tree, name = tree_file(tree), name or tree
  end
  check_child(tree, 1, "subtree")
  for inner, outer in pairs(definition.ports or {}) do
    if type(inner) ~= "string" or type(outer) ~= "string" then
      fail("subtree: ports[%s] is %s, expected keys of the blackboard by keys of the tree", shown(inner), shown(outer))
    end
  end
  return { kind = "subtree", name = name, ports = definition.ports, tree }
end

local TREE_KEYS = set_of { "name", "inputs" }

--- A tree that says which keys of the blackboard it expects from outside, and what they are: then every other key
--- that a node of it reads must be one that a node writes.
---
---     behaviors.tree { inputs = { gate = "vec3", enemy = "agent" }, behaviors.sequence { ... } }
---@param definition leeward.TreeDefinition
---@return leeward.Node
function behaviors.tree(definition)
  check_table(definition, "tree")
  if type(definition.inputs) ~= "table" then
    fail("tree: inputs is %s, expected a table of types by keys", shown(definition.inputs))
  end
  for key, expected in pairs(definition.inputs) do
    local complaint = ports.check_types(expected)
    if complaint then fail("tree: inputs.%s is %s, %s", leeward.shown(tostring(key)), shown(expected), complaint) end
  end
  local node = decorator("subtree", definition, TREE_KEYS, { inputs = definition.inputs })
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
  return { kind = "wait", min = min, max = max }
end

-- --- Leaves ----------------------------------------------------------------------------------------------------

local LEAF_KEYS = set_of { "name", "options", "required", "optional", "ports", "check", "start", "tick", "stop", "run" }

local function check_field(definition, key, expected, who)
  local value = definition[key]
  if value == nil or type(value) == expected then return end
  fail("%s: %s is %s, expected a %s", who, key, shown(value), expected)
end

local function check_leaf(definition)
  check_table(definition, "leaf")
  for key in pairs(definition) do check_key(key, LEAF_KEYS, "leaf") end
  if type(definition.name) ~= "string" or definition.name == "" then
    fail("leaf: name is %s, expected a string", shown(definition.name))
  end
  local who = ("leaf '%s'"):format(leeward.shown(definition.name))
  for _, key in ipairs { "options", "required", "optional", "ports" } do check_field(definition, key, "table", who) end
  for _, key in ipairs { "check", "start", "tick", "stop", "run" } do check_field(definition, key, "function", who) end
  if definition.run then
    if definition.start or definition.tick then
      fail("%s: run is given, expected no start and no tick beside it", who)
    end
  elseif not definition.start and not definition.tick then
    fail("%s: start and tick are nil, expected one", who)
  end
end

--- The ports of a leaf, read once: option -> { mode =, types = }.
local function read_ports(definition, known)
  if not definition.ports then return nil end
  local read, who = {}, ("leaf '%s'"):format(leeward.shown(definition.name))
  for option, text in pairs(definition.ports) do
    check_key(option, known, who .. ": ports")
    local port, complaint = ports.parse(text)
    if not port then fail("%s: ports.%s is %s, %s", who, option, shown(text), complaint) end
    read[option] = port
  end
  return read
end

--- What each required option is expected to be, by its key: `required = { "to" }` or `{ to = "a point" }`.
local function required_options(definition)
  local required = {}
  for key, expected in pairs(definition.required or {}) do
    if type(key) == "string" then required[key] = expected else required[expected] = "a value" end
  end
  return required
end

--- The set of all options of a leaf.
local function known_options(definition, required)
  local known = set_of(definition.optional or {})
  for key in pairs(definition.options or {}) do known[key] = true end
  for key in pairs(required) do known[key] = true end
  return known
end

--- The default determines the type of an option.
local function check_option(name, key, value, default)
  if type(default) == "number" and not is_finite(value) then
    fail("%s: %s is %s, expected a finite number", name, key, shown(value))
  end
  if (type(default) == "string" or type(default) == "boolean") and type(value) ~= type(default) then
    fail("%s: %s is %s, expected a %s", name, key, shown(value), type(default))
  end
end

local function merge_options(definition, required, known, given)
  local name, defaults, options = definition.name, definition.options or {}, {}
  check_table(given, name)
  for key, default in pairs(defaults) do options[key] = default end
  for key, value in pairs(given) do
    check_key(key, known, name)
    check_option(name, key, value, defaults[key])
    options[key] = value
  end
  for _, key in ipairs(names_of(required)) do
    if options[key] == nil then fail("%s: %s is nil, expected %s", name, key, required[key]) end
  end
  return options
end

--- Define a kind of leaf. The result is the constructor of such nodes:
---
---     local Salute = behaviors.leaf {
---       name = "Salute",
---       options = { times = 1 },              -- the defaults of options; they determine the types
---       required = { to = "a point" },        -- options without a default that must be given, and what they are
---       optional = { "whisper" },             -- options without a default that may be absent
---       ports = { to = "in vec3" },           -- options that are keys of the blackboard: "in", "out" or "inout" and
--- type
---       check = function(options) ... end,    -- returns a message if the options are wrong
---       start = function(agent, options, state) return "running", 0.5 end,  -- once, when the leaf is entered
---       tick = function(agent, options, state) return "success" end,        -- then, while it returns "running"
---       stop = function(agent, options, state, how) end, -- once for every start; how: success, failure or aborted
---     }
---     local node = Salute { to = "captain" }
---
--- `start` and `tick` return "success"; or "failure" and the reason; or "running" and the seconds that the leaf sleeps
--- (absent: until the next step; math.huge: until the agent is woken, as when it arrives or its move fails).
--- Without `start`, `tick` is called when the leaf is entered. A leaf whose `start` returns "running" needs a `tick`.
--- Instead of `start` and `tick`, `run = function(agent, options) ... end` is a coroutine that may call
--- `agent:wait()` and `agent:move_to_and_wait()`; it succeeds when it returns, or returns "failure" and the reason.
--- When the leaf is aborted it is closed.
--- `state` is a new table for each start. Keep the data of an agent only there or in its blackboard.
---@param definition leeward.LeafDefinition
---@return fun(options?: table): leeward.Node
function behaviors.leaf(definition)
  check_leaf(definition)
  local required = required_options(definition)
  local known = known_options(definition, required)
  local leaf_ports = read_ports(definition, known)
  return function(given)
    local options = merge_options(definition, required, known, given == nil and {} or given)
    local complaint = definition.check and definition.check(options)
    if complaint then fail("%s: %s", definition.name, complaint) end
    return {
      kind = "leaf",
      name = definition.name,
      options = options,
      start = definition.start,
      tick = definition.tick,
      stop = definition.stop,
      run = definition.run,
      ports = leaf_ports,
    }
  end
end

-- --- Helpers for leaves ------------------------------------------------------------------------------------------

--- The point that an option gives: a point, or the key of one in the agent's blackboard.
---@param agent leeward.Agent
---@param where string|leeward.Point
---@return leeward.Point? point  nil: the blackboard has no such key, or false there
---@return string? reason
function behaviors.point(agent, where)
  if type(where) ~= "string" then return where end
  local point = agent.blackboard[where]
  if point == nil then return nil, ("the blackboard has no '%s'"):format(leeward.shown(where)) end
  if point == false then return nil, ("the blackboard has false for '%s'"):format(leeward.shown(where)) end
  return point
end

local PACES = set_of { "calm", "normal", "fast" }

local function is_point(value)
  return (type(value) == "table" or type(value) == "userdata") and pcall(leeward.vec3, value)
end

--- A threat of the world, an agent, or the table of a threat.
local function is_threat(value)
  if type(value) == "table" then return is_point(value.at) end
  local kind = type(value) == "userdata" and getmetatable(value)
  return kind == "leeward.threat" or kind == "leeward.agent"
end

local function is_list_of_threats(value)
  if type(value) ~= "table" or value[1] == nil then return false end
  for key, item in pairs(value) do
    if math.type(key) ~= "integer" or not is_threat(item) then return false end
  end
  return true
end

--- What an option is that may also be a key of the blackboard: whether it is one of these, and their name.
local NAMED = {
  point = { is_point, "a point or a key of the blackboard" },
  place = { function(value) return is_point(value) or is_threat(value) end,
    "a threat, an agent, a point or a key of the blackboard" },
  threats = { function(value) return is_threat(value) or is_list_of_threats(value) end,
    "a threat, an agent, a list of them or a key of the blackboard" },
}

--- What the rule expects in place of the value; nil: the value is right.
local function expectation(value, rule, unit)
  local named = NAMED[rule]
  if named then return not (type(value) == "string" or named[1](value)) and named[2] or nil end
  if rule == "name" then return not (type(value) == "string" and value ~= "") and unit or nil end
  if rule == "pace" then return not PACES[value] and "'calm', 'normal' or 'fast'" or nil end
  local fits = is_finite(value) and value >= 0 and (rule == ">= 0" or value > 0)
  return not fits and ("%s %s"):format(unit, rule) or nil
end

--- The message for the first option that breaks its rule, as a leaf's `check` returns it; absent options break none.
---@param options table
---@param rules string[][]  { key, rule [, unit] }; rule: "> 0" or ">= 0" in the unit (default "metres"), "name" (not
--- empty; the unit says of what), "pace", or what may also be a key of the blackboard: "point", "place" (a threat, an
--- agent, a point), "threats" (one or a list)
---@return string? message
function behaviors.check(options, rules)
  for _, rule in ipairs(rules) do
    local value = options[rule[1]]
    local expected = value ~= nil and expectation(value, rule[2], rule[3] or "metres")
    if expected then return ("%s is %s, expected %s"):format(rule[1], shown(value), expected) end
  end
end

--- Whether a threat was removed or an agent died.
---@param who leeward.AnyThreat|leeward.Point
---@return string? reason  nil: it still exists, as tables and points always do
function behaviors.gone(who)
  local kind = getmetatable(who)
  if kind == "leeward.agent" and not who:is_alive() then return ("%s is gone"):format(who) end
  if kind == "leeward.threat" and not who:exists() then return ("%s is gone"):format(who) end
end

--- The position that an option gives: the eye of a threat or an agent, a point, or the key of one of these in the
--- agent's blackboard.
---@param agent leeward.Agent
---@param who string|leeward.AnyThreat|leeward.Point
---@return leeward.Point? place  nil: the blackboard has no such key, or false there, or the threat or agent is gone
---@return string? reason
function behaviors.place(agent, who)
  local value, reason = behaviors.point(agent, who)
  reason = reason or behaviors.gone(value)
  if reason then return nil, reason end
  local kind = getmetatable(value)
  if kind == "leeward.agent" then return value:eye() end
  if kind == "leeward.threat" then return value:get().at end
  return type(value) == "table" and value.at or value
end

return behaviors
