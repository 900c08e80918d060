--- The definition of leaves: kinds of nodes whose functions act.

local leeward = require "leeward"
local checks = require "behaviors.checks"
local ports = require "behaviors.ports"

local behaviors = {}
local fail, shown, is_finite = checks.fail, checks.shown, checks.is_finite
local set_of, names_of = checks.set_of, checks.names_of

checks.note_builder()

local LEAF_KEYS = set_of { "name", "options", "required", "optional", "ports", "check", "start", "tick", "stop", "run",
  "save", "load" }

local function check_field(definition, key, expected, who)
  local value = definition[key]
  if value == nil or type(value) == expected then return end
  fail("%s: %s is %s, expected a %s", who, key, shown(value), expected)
end

local function check_leaf(definition)
  checks.table(definition, "leaf")
  for key in pairs(definition) do checks.key(key, LEAF_KEYS, "leaf") end
  if type(definition.name) ~= "string" or definition.name == "" then
    fail("leaf: name is %s, expected a string", shown(definition.name))
  end
  local who = ("leaf '%s'"):format(leeward.shown(definition.name))
  for _, key in ipairs { "options", "required", "optional", "ports" } do check_field(definition, key, "table", who) end
  for _, key in ipairs { "check", "start", "tick", "stop", "run", "load" } do
    check_field(definition, key, "function", who)
  end
  if definition.save ~= true then check_field(definition, "save", "function", who) end
  if definition.load and not definition.save then fail("%s: load is given, expected save beside it", who) end
  if definition.run and definition.save then
    fail("%s: save is given, expected none beside run: where a coroutine is cannot be saved", who)
  end
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
    checks.key(option, known, who .. ": ports")
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
  checks.table(given, name)
  for key, default in pairs(defaults) do options[key] = default end
  for key, value in pairs(given) do
    checks.key(key, known, name)
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
---                                             -- type
---       check = function(options) ... end,    -- returns a message if the options are wrong
---       start = function(agent, options, state) return "running", 0.5 end,  -- once, when the leaf is entered
---       tick = function(agent, options, state) return "success" end,        -- then, while it returns "running"
---       stop = function(agent, options, state, how) end, -- once for every start; how: success, failure or aborted
---       save = true,                          -- a saved world has the state, so that the leaf goes on where it was
---     }
---     local node = Salute { to = "captain" }
---
--- `start` and `tick` return "success"; or "failure" and the reason; or "running" and the seconds that the leaf sleeps
--- (absent: until the next step; math.huge: until the agent is woken, as when it arrives or its move fails).
--- Without `start`, `tick` is called when the leaf is entered. A leaf whose `start` returns "running" needs a `tick`.
--- Instead of `start` and `tick`, `run = function(agent, options) ... end` is a coroutine that may call
--- `agent:wait()` and `agent:move_to_and_wait()`; it succeeds when it returns, or returns "failure" and the reason.
--- When the leaf is aborted it is closed.
--- In a loaded world, a leaf that runs starts again unless it has `save`. With `save = true` its state is saved as it
--- is: plain data, that is numbers, strings, booleans, points, agents, threats and other objects of the world, covers,
--- and tables of these. `save = function(agent, options, state) ... end` returns what is saved instead, nil to start
--- again, and `load = function(agent, options, state, saved) ... end` fills the new state from it, or returns false to
--- start again. Both must change nothing.
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
    return (checks.note_source {
      kind = "leaf",
      name = definition.name,
      options = options,
      start = definition.start,
      tick = definition.tick,
      stop = definition.stop,
      run = definition.run,
      save = definition.save,
      load = definition.load,
      ports = leaf_ports,
    })
  end
end

return behaviors
