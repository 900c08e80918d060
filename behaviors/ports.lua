--- Ports: which options of a leaf are keys of the blackboard, what is in them, and whether all that a tree reads is
--- written. `leeward.tree` and `world:spawn` check each tree that they compile.

local ports = {}

local TYPES = { "number", "string", "boolean", "vec3", "agent", "threat", "cover", "list", "any" }
local MODES = { ["in"] = true, out = true, inout = true }

local IS_TYPE = {}
for _, name in ipairs(TYPES) do IS_TYPE[name] = true end

--- The set of the types in a text such as "vec3|agent".
local function read_types(text)
  local types, count = {}, 0
  for name in (text .. "|"):gmatch "([^|]*)|" do
    if not IS_TYPE[name] then
      return nil, ("expected types out of %s, with | between them"):format(table.concat(TYPES, ", "))
    end
    types[name], count = true, count + 1
  end
  return count > 0 and types or nil
end

--- What is wrong with types as text.
---@return string?
function ports.check_types(text)
  if type(text) ~= "string" then return "expected types as text, such as 'vec3' or 'vec3|agent'" end
  local types, complaint = read_types(text)
  return not types and complaint or nil
end

--- Read a port such as "in vec3|agent".
---@return table?  { mode =, types =, text = }
---@return string? complaint
function ports.parse(text)
  local mode, types = tostring(text):match "^(%a+) ([%a%d|]+)$"
  if type(text) ~= "string" or not MODES[mode] then
    return nil, "expected 'in', 'out' or 'inout' and a type, such as 'in vec3'"
  end
  local set, complaint = read_types(types)
  if not set then return nil, complaint end
  return { mode = mode, types = set, text = types }
end

local function may_be(written, read)
  if written.any or read.any then return true end
  for name in pairs(read) do
    if written[name] then return true end
  end
  return false
end

--- Keys of teams, the world and events come from anywhere.
local function is_shared(key)
  return key:find "^team%." or key:find "^world%." or key:find "^event%."
end

--- Call visit(key, mode, types, text, node, option) for each key that a node names, as the tree around all of it has
--- it.
local function walk(node, map, visit)
  local function name_of(key) return map[key] or key end
  for option, port in pairs(node.ports and node.kind == "leaf" and node.ports or {}) do
    local key = (node.options or {})[option]
    if type(key) == "string" then visit(name_of(key), port.mode, port.types, port.text, node, option) end
  end
  for _, key in ipairs(node.reads or {}) do visit(name_of(key), "in", { any = true }, "any", node, "reads") end
  for _, key in ipairs(node.scores or {}) do
    if type(key) == "string" then visit(name_of(key), "in", { number = true }, "number", node, "scores") end
  end
  for key, text in pairs(type(node.writes) == "table" and node.writes or {}) do
    visit(name_of(key), "out", read_types(tostring(text)) or { any = true }, tostring(text), node, "writes")
  end
  for key, text in pairs(node.inputs or {}) do
    visit(name_of(key), "out", read_types(text) or { any = true }, text, node, "inputs")
  end
  local inner = map
  if node.kind == "subtree" and node.ports then
    inner = {}
    for key, outer in pairs(node.ports) do inner[key] = name_of(outer) end
  end
  for _, child in ipairs(node) do walk(child, inner, visit) end
end

--- All keys that the tree writes or declares: key -> { types, text, who }.
local function written_by(tree)
  local written = {}
  walk(tree, {}, function(key, mode, types, text, node)
    if mode == "in" then return end
    local known = written[key] or { types = {}, texts = {}, who = node.name or node.kind }
    for name in pairs(types) do known.types[name] = true end
    known.texts[#known.texts + 1] = text
    written[key] = known
  end)
  return written
end

local function sorted_keys(set)
  local keys = {}
  for key in pairs(set) do keys[#keys + 1] = key end
  table.sort(keys)
  return keys
end

--- What is wrong with one key that is read.
local function complain(use, written, is_closed)
  local leeward = require "leeward"
  local known = written[use.key]
  local who = ("%s: %s reads the key '%s'"):format(leeward.shown(use.node.name or use.node.kind), use.option,
    leeward.shown(use.key))
  if known then
    if may_be(known.types, use.types) then return nil end
    return ("%s as %s, but %s writes it as %s"):format(who, use.text, leeward.shown(known.who), known.texts[1])
  end
  if is_shared(use.key) then return nil end
  local guess = leeward.suggest(use.key, sorted_keys(written))
  if guess then return ("%s, which nothing writes. Did you mean '%s'?"):format(who, leeward.shown(guess)) end
  if not is_closed then return nil end -- it may come from the script that spawns the agent
  return ("%s, which nothing writes. Known keys: %s"):format(who, table.concat(sorted_keys(written), ", "))
end

--- What is wrong with the wiring of a tree: a key that is read as another type than it is written as; one that nothing
--- writes, if a written one is spelt much alike or the tree declares its inputs.
---@param tree table  a description that is valid otherwise
---@return string?
function ports.check(tree)
  local written, uses = written_by(tree), {}
  walk(tree, {}, function(key, mode, types, text, node, option)
    if mode ~= "out" then uses[#uses + 1] = { key = key, types = types, text = text, node = node, option = option } end
  end)
  local is_closed = tree.kind == "subtree" and tree.inputs ~= nil
  local complaints = {}
  for _, use in ipairs(uses) do complaints[#complaints + 1] = complain(use, written, is_closed) end
  table.sort(complaints) -- options have no order
  return complaints[1]
end

return ports
