--- Checks of what nodes are built from. A mistake raises an error at the line that builds the node.

local leeward = require "leeward"

local checks = {}

function checks.set_of(list)
  local set = {}
  for _, key in ipairs(list) do set[key] = true end
  return set
end

--- The sorted keys of a set.
function checks.names_of(set)
  local names = {}
  for name in pairs(set) do names[#names + 1] = name end
  table.sort(names)
  return names
end

local getinfo = debug.getinfo

--- The files that build nodes for others.
local BUILDERS = {}

--- Name the calling file as one of those whose lines no message is about.
function checks.note_builder()
  BUILDERS[getinfo(2, "S").source] = true
end

--- Raise at the line outside of these files that built the node. After `return behaviors.sequence { ... }`, a tail
--- call, Lua has forgotten that line; the loader of tree and node files has noted it.
function checks.fail(message, ...)
  local level = 2
  while BUILDERS[(getinfo(level, "S") or {}).source] do level = level + 1 end
  local text = leeward.shown(message:format(...), 1000)
  local place = getinfo(level - 1, "t").istailcall and leeward.loading()
  if place then error(("%s: %s"):format(place, text), 0) end
  error(text, level)
end

--- Note for messages which line outside of these files builds the node.
---@return table node
function checks.note_source(node)
  leeward.node_source(node, BUILDERS)
  return node
end

--- A value as text, for messages.
function checks.shown(value)
  if type(value) == "number" or type(value) == "boolean" then return tostring(value) end
  if type(value) == "string" then return ("'%s'"):format(leeward.shown(value)) end
  return value == nil and "nil" or "a " .. type(value)
end

function checks.is_finite(value)
  return type(value) == "number" and value == value and math.abs(value) ~= math.huge
end

--- Is it an agent, not a table that says so of itself?
function checks.is_agent(value) return type(value) == "userdata" and getmetatable(value) == "leeward.agent" end

--- Does leeward.vec3 take it for a point?
function checks.is_point(value)
  return (type(value) == "table" or type(value) == "userdata") and pcall(leeward.vec3, value)
end

local KINDS = checks.set_of {
  "sequence", "selector", "wait", "leaf", "parallel", "random", "utility", "inverter", "force", "repeat", "retry",
  "until", "timeout", "cooldown", "limit", "delay", "condition", "every", "subtree",
}

function checks.table(value, who)
  if type(value) ~= "table" then checks.fail("%s: options is %s, expected a table", who, checks.shown(value)) end
end

--- What a node with children is built from: not a child in place of a table of them.
---@param known? table<string, boolean>  the keys that there may be beside the children
function checks.children(value, who, known)
  checks.table(value, who)
  if KINDS[value.kind] then
    checks.fail("%s: options is a node, expected children in a table: %s { child, ... }", who, who)
  end
  for key in pairs(known and value or {}) do
    if math.type(key) ~= "integer" or key < 1 then checks.key(key, known, who) end
  end
end

function checks.key(key, known, who)
  if known[key] then return end
  local names = checks.names_of(known)
  local guess = type(key) == "string" and not key:find "\0" and leeward.suggest(key, names)
  local hint = guess and ("Did you mean '%s'?"):format(guess)
    or ("Known keys: %s"):format(names[1] and table.concat(names, ", ") or "none")
  checks.fail("%s: unknown key %s. %s", who, checks.shown(key), hint)
end

function checks.child(child, position, who)
  if type(child) == "table" and KINDS[child.kind] then return end
  local hint = type(child) == "function" and ": call the constructor, as in MoveTo { to = \"goal\" }" or ""
  checks.fail("%s: child %d is %s, expected a node%s", who, position, checks.shown(child), hint)
end

function checks.text(value, key, who)
  if value ~= nil and (type(value) ~= "string" or value == "") then
    checks.fail("%s: %s is %s, expected a string", who, key, checks.shown(value))
  end
end

--- A whole number >= 0, or nil.
function checks.count(definition, key, who)
  local value = definition[key]
  if value ~= nil and (math.type(value) ~= "integer" or value < 0) then
    checks.fail("%s: %s is %s, expected a whole number >= 0", who, key, checks.shown(value))
  end
  return value
end

--- Seconds, of which there must be some.
function checks.seconds(definition, key, who, min)
  local value = definition[key]
  if not checks.is_finite(value) or value < 0 or (min ~= 0 and value == 0) then
    checks.fail("%s: %s is %s, expected seconds %s", who, key, checks.shown(value), min == 0 and ">= 0" or "> 0")
  end
  return value
end

function checks.reads(definition, who)
  local reads = definition.reads
  if reads == nil then return nil end
  if type(reads) ~= "table" then checks.fail("%s: reads is %s, expected a list of keys", who, checks.shown(reads)) end
  for i, key in ipairs(reads) do checks.text(key, ("reads[%d]"):format(i), who) end
  return reads
end

checks.note_builder()

return checks
