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

--- Raise at the line outside this file that built the node.
local function fail(message, ...)
  local level = 2
  while (getinfo(level, "S") or {}).source == THIS_FILE do level = level + 1 end
  error(leeward.shown(message:format(...), 1000), level)
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

local KINDS = set_of { "sequence", "selector", "wait", "leaf" }

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

-- --- Sequence and selector -------------------------------------------------------------------------------------

local COMPOSITE_KEYS = set_of { "name" }

local function composite(kind, definition)
  check_table(definition, kind)
  local node, count = { kind = kind, name = definition.name }, 0
  for key in pairs(definition) do
    if math.type(key) == "integer" and key >= 1 then
      count = math.max(count, key) -- not #, so that a nil between the children is reported
    else
      check_key(key, COMPOSITE_KEYS, kind)
    end
  end
  if node.name ~= nil and type(node.name) ~= "string" then
    fail("%s: name is %s, expected a string", kind, shown(node.name))
  end
  if count == 0 then fail("%s: has no children, expected at least one", kind) end
  for position = 1, count do
    check_child(definition[position], position, kind)
    node[position] = definition[position]
  end
  return node
end

--- Runs its children in order until one fails, and then fails; succeeds when all have succeeded.
--- A child that is still running continues at the next tick; those before it are not run again.
---@param definition leeward.Composite  the children, and an optional `name` for messages
---@return leeward.Node
function behaviors.sequence(definition)
  return composite("sequence", definition)
end

--- Runs its children in order until one succeeds, and then succeeds; fails when all have failed.
--- A child that is still running continues at the next tick; those before it are not run again.
---@param definition leeward.Composite  the children, and an optional `name` for messages
---@return leeward.Node
function behaviors.selector(definition)
  return composite("selector", definition)
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

local LEAF_KEYS = set_of { "name", "options", "required", "optional", "check", "start", "tick", "stop" }

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
  for _, key in ipairs { "options", "required", "optional" } do check_field(definition, key, "table", who) end
  for _, key in ipairs { "check", "start", "tick", "stop" } do check_field(definition, key, "function", who) end
  if not definition.start and not definition.tick then fail("%s: start and tick are nil, expected one", who) end
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
--- `state` is a new table for each start. Keep the data of an agent only there or in its blackboard.
---@param definition leeward.LeafDefinition
---@return fun(options?: table): leeward.Node
function behaviors.leaf(definition)
  check_leaf(definition)
  local required = required_options(definition)
  local known = known_options(definition, required)
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
