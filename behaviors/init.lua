--- Behaviour trees in Lua: what makes the nodes of a tree.
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
-- walks the tree in C and calls Lua at the leaves alone. One tree serves any number of agents: what belongs to one
-- agent is kept in its blackboard, or in the `state` that a leaf gets.
--
-- A mistake in a description is raised here, at the line that makes it.

local behaviors = {}

-- --- Checks ----------------------------------------------------------------------------------------------------

--- Insertions, deletions, changes and swaps of neighbours that lead from `a` to `b`.
local function edit_distance(a, b)
  local rows = {}
  for i = 0, #a do rows[i] = { [0] = i } end
  for j = 0, #b do rows[0][j] = j end
  for i = 1, #a do
    for j = 1, #b do
      local change = rows[i - 1][j - 1] + (a:byte(i) == b:byte(j) and 0 or 1)
      local best = math.min(change, rows[i - 1][j] + 1, rows[i][j - 1] + 1)
      local swapped = i > 1 and j > 1 and a:byte(i) == b:byte(j - 1) and a:byte(i - 1) == b:byte(j)
      rows[i][j] = swapped and math.min(best, rows[i - 2][j - 2] + 1) or best
    end
  end
  return rows[#a][#b]
end

--- The known word nearest to `word`; nil: none is near.
local function nearest(word, known)
  local best, best_distance
  for candidate in pairs(known) do
    local distance = edit_distance(word, candidate)
    local nearer = not best or distance < best_distance or (distance == best_distance and candidate < best)
    if distance <= 1 + #word // 4 and distance < #candidate and nearer then
      best, best_distance = candidate, distance
    end
  end
  return best
end

local function set_of(list)
  local set = {}
  for _, key in ipairs(list) do set[key] = true end
  return set
end

local function listing(set)
  local names = {}
  for name in pairs(set) do names[#names + 1] = name end
  table.sort(names)
  return #names > 0 and table.concat(names, ", ") or "none"
end

local getinfo = debug.getinfo
local THIS_FILE = getinfo(1, "S").source

--- Raise at the line outside this file that made the mistake.
local function fail(message, ...)
  local level = 2
  while (getinfo(level, "S") or {}).source == THIS_FILE do level = level + 1 end
  error(message:format(...), level)
end

--- What came, for "expected a number, got ...".
local function shown(value)
  if type(value) == "number" or type(value) == "boolean" then return tostring(value) end
  if type(value) == "string" then return ("'%s'"):format(value) end
  return type(value)
end

local function is_finite(value)
  return type(value) == "number" and value == value and math.abs(value) ~= math.huge
end

local KINDS = set_of { "sequence", "selector", "wait", "leaf" }

local function check_table(value, who)
  if type(value) ~= "table" then fail("%s: expected a table, got %s", who, shown(value)) end
end

local function check_key(key, known, who)
  if known[key] then return end
  local guess = type(key) == "string" and nearest(key, known)
  local hint = guess and ("Did you mean '%s'?"):format(guess) or ("Known keys: %s"):format(listing(known))
  fail("%s: unknown key %s. %s", who, shown(key), hint)
end

local function check_child(child, position, who)
  if type(child) == "table" and KINDS[child.kind] then return end
  local hint = type(child) == "function" and ". A leaf is made by a call: MoveTo { to = \"goal\" }" or ""
  fail("%s: child %d expected a node, got %s%s", who, position, shown(child), hint)
end

-- --- Sequence and selector -------------------------------------------------------------------------------------

local COMPOSITE_KEYS = set_of { "name" }

local function composite(kind, definition)
  check_table(definition, kind)
  local node, count = { kind = kind, name = definition.name }, 0
  for key in pairs(definition) do
    if math.type(key) == "integer" and key >= 1 then
      count = math.max(count, key) -- not #: a nil between the children is a mistake to report, not an end
    else
      check_key(key, COMPOSITE_KEYS, kind)
    end
  end
  if node.name ~= nil and type(node.name) ~= "string" then
    fail("%s: 'name' expected a string, got %s", kind, shown(node.name))
  end
  if count == 0 then fail("%s: expected at least one child, got none", kind) end
  for position = 1, count do
    check_child(definition[position], position, kind)
    node[position] = definition[position]
  end
  return node
end

--- Runs its children in order until one fails, and then fails; succeeds when all have succeeded.
--- A child that is still running is gone on with at the next tick: those before it are not asked again.
---@param definition leeward.Composite  children, and `name` (shown in messages) if you like
---@return leeward.Node
function behaviors.sequence(definition)
  return composite("sequence", definition)
end

--- Runs its children in order until one succeeds, and then succeeds; fails when all have failed.
--- A child that is still running is gone on with at the next tick: those before it are not asked again.
---@param definition leeward.Composite  children, and `name` (shown in messages) if you like
---@return leeward.Node
function behaviors.selector(definition)
  return composite("selector", definition)
end

-- --- Wait ------------------------------------------------------------------------------------------------------

--- Sleeps for a while, then succeeds. With two numbers the time is drawn anew each time, uniformly between them.
---@param min number  simulation time [s]
---@param max? number  [s] default: the same
---@return leeward.Node
function behaviors.wait(min, max)
  if max == nil then max = min end
  if not is_finite(min) or min < 0 then fail("wait: expected seconds >= 0, got %s", shown(min)) end
  if not is_finite(max) or max < min then
    fail("wait: the longest time expected seconds >= %s, got %s", min, shown(max))
  end
  return { kind = "wait", min = min, max = max }
end

-- --- Leaves ----------------------------------------------------------------------------------------------------

local LEAF_KEYS = set_of { "name", "options", "required", "optional", "check", "start", "tick", "stop" }

local function check_field(definition, key, expected, who)
  local value = definition[key]
  if value == nil or type(value) == expected then return end
  fail("%s: '%s' expected a %s, got %s", who, key, expected, shown(value))
end

local function check_leaf(definition)
  check_table(definition, "leaf")
  for key in pairs(definition) do check_key(key, LEAF_KEYS, "leaf") end
  if type(definition.name) ~= "string" or definition.name == "" then
    fail("leaf: 'name' expected a string, got %s", shown(definition.name))
  end
  local who = ("leaf '%s'"):format(definition.name)
  for _, key in ipairs { "options", "required", "optional" } do check_field(definition, key, "table", who) end
  for _, key in ipairs { "check", "start", "tick", "stop" } do check_field(definition, key, "function", who) end
  if not definition.start and not definition.tick then fail("%s: expected 'start' or 'tick', got neither", who) end
end

--- Every option that a leaf knows, as a set.
local function known_options(definition)
  local known = {}
  for key in pairs(definition.options or {}) do known[key] = true end
  for _, list in ipairs { definition.required or {}, definition.optional or {} } do
    for _, key in ipairs(list) do known[key] = true end
  end
  return known
end

--- A default says of what type an option is.
local function check_option(name, key, value, default)
  if type(default) == "number" and not is_finite(value) then
    fail("%s: '%s' expected a finite number, got %s", name, key, shown(value))
  end
  if (type(default) == "string" or type(default) == "boolean") and type(value) ~= type(default) then
    fail("%s: '%s' expected a %s, got %s", name, key, type(default), shown(value))
  end
end

local function merge_options(definition, known, given)
  local name, defaults, options = definition.name, definition.options or {}, {}
  check_table(given, name)
  for key, default in pairs(defaults) do options[key] = default end
  for key, value in pairs(given) do
    check_key(key, known, name)
    check_option(name, key, value, defaults[key])
    options[key] = value
  end
  for _, key in ipairs(definition.required or {}) do
    if options[key] == nil then fail("%s: '%s' is required", name, key) end
  end
  return options
end

--- Define a kind of leaf. What comes back makes nodes of that kind:
---
---     local Salute = behaviors.leaf {
---       name = "Salute",
---       options = { times = 1 },              -- with their defaults; a default also says of what type an option is
---       required = { "to" },                  -- options without a default that must be given
---       optional = { "whisper" },             -- options without a default that need not
---       check = function(options) ... end,    -- returns a message if the options make no sense together
---       start = function(agent, options, state) return "running", 0.5 end,  -- once, when the leaf is entered
---       tick = function(agent, options, state) return "success" end,        -- then until it no longer runs
---       stop = function(agent, options, state, how) end, -- once for every start; how: success, failure or aborted
---     }
---     local node = Salute { to = "captain" }
---
--- `start` and `tick` return "success"; or "failure" and the reason; or "running" and for how many seconds the leaf
--- sleeps (nothing: until the next step; math.huge: until the agent is woken, as it is when it arrives or cannot).
--- Without `start`, `tick` serves for the first time too. A leaf whose `start` may return "running" needs a `tick`.
--- `state` is a fresh table for each start; put nothing of an agent's anywhere else but there or in its blackboard.
---@param definition leeward.LeafDefinition
---@return fun(options?: table): leeward.Node
function behaviors.leaf(definition)
  check_leaf(definition)
  local known = known_options(definition)
  return function(given)
    local options = merge_options(definition, known, given == nil and {} or given)
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

-- --- For those who write leaves --------------------------------------------------------------------------------

--- A place that an option names: a key of the agent's blackboard, or the point itself.
---@param agent leeward.Agent
---@param where string|leeward.Point
---@return leeward.Point? point  nil: the blackboard holds nothing there
---@return string? reason
function behaviors.point(agent, where)
  if type(where) ~= "string" then return where end
  local point = agent.blackboard[where]
  if point == nil then return nil, ("the blackboard has no '%s'"):format(where) end
  return point
end

--- Why somebody who may be gone no longer counts: a threat that was removed, an agent that died.
---@param who leeward.AnyThreat|leeward.Point
---@return string? reason  nil: it is there; tables and points always are
function behaviors.gone(who)
  local kind = getmetatable(who)
  if kind == "leeward.agent" and not who:is_alive() then return ("%s is gone"):format(who) end
  if kind == "leeward.threat" and not who:exists() then return ("%s is gone"):format(who) end
end

--- Where somebody is whom an option names: the eye of a threat or an agent, or a point; or a key of the agent's
--- blackboard that holds one.
---@param agent leeward.Agent
---@param who string|leeward.AnyThreat|leeward.Point
---@return leeward.Point? place  nil: the blackboard holds nothing there, or who was there is gone
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
