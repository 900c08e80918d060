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

--- What the agent's senses write.
local SENSED = {
  ["sense.enemy"] = "agent", ["sense.enemy_at"] = "vec3", ["sense.enemy_seen"] = "boolean",
  ["sense.noise_at"] = "vec3",
}

--- What the keys of a node's children are in the tree around all of it.
local function map_within(node, map)
  if node.kind ~= "subtree" or not node.ports then return map end
  local inner = {}
  for key, outer in pairs(node.ports) do inner[key] = map[outer] or outer end
  return inner
end

--- The name of the option that gave a node the key that is number i of what it reads.
local function option_of(node, i)
  if node.kind ~= "condition" or node.test == "call" then return ("reads[%d]"):format(i) end
  return i == 1 and "key" or ("reads[%d]"):format(i - 1)
end

--- Call visit(key, mode, types, text, node, option) for each key that a node names, as the tree around all of it has
--- it. Of a tree within it that declares its inputs these are read; what its nodes read, it is asked itself.
---@param around? table  the node that it is a child of
local function walk(node, map, visit, around)
  local function name_of(key) return map[key] or key end
  local declares = node.kind == "subtree" and node.inputs
  if declares and around then
    local outer, named = visit, around.kind == "subtree" and around or node
    visit = function(key, mode, ...) if mode ~= "in" then outer(key, mode, ...) end end
    for key, text in pairs(node.inputs) do
      outer(name_of(key), "in", read_types(text) or { any = true }, text, named, key)
    end
  end
  for option, port in pairs(node.ports and node.kind == "leaf" and node.ports or {}) do
    local key = (node.options or {})[option]
    if type(key) == "string" then visit(name_of(key), port.mode, port.types, port.text, node, option) end
  end
  for i, key in ipairs(node.reads or {}) do
    visit(name_of(key), "in", { any = true }, "any", node, option_of(node, i))
  end
  for i, key in ipairs(node.scores or {}) do
    if type(key) == "string" then
      visit(name_of(key), "in", { number = true }, "number", node, ("scores[%d]"):format(i))
    end
  end
  for key, text in pairs(type(node.writes) == "table" and node.writes or {}) do
    visit(name_of(key), "out", read_types(tostring(text)) or { any = true }, tostring(text), node, "writes")
  end
  for key, text in pairs(not around and node.inputs or {}) do
    visit(name_of(key), "out", read_types(text) or { any = true }, text, node, "inputs")
  end
  local inner = map_within(node, map)
  for _, child in ipairs(node) do walk(child, inner, visit, node) end
end

--- All keys that the tree writes or declares, or that senses write: key -> { types, text, who }.
local function written_by(tree)
  local written = {}
  for key, name in pairs(SENSED) do
    written[key] = { types = { [name] = true }, texts = { name }, who = "the senses" }
  end
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
  local is_port = use.node.kind == "leaf" or use.node.kind == "subtree"
  local who = (is_port and "%s: %s reads the key '%s'" or "%s: %s is '%s'"):format(
    leeward.shown(use.node.name or use.node.kind), leeward.shown(use.option), leeward.shown(use.key))
  if use.key:find "^sense%." and not known then
    local names = sorted_keys(SENSED)
    local guess = leeward.suggest(use.key, names)
    return ("%s, which no sense writes. %s"):format(who, guess and ("Did you mean '%s'?"):format(leeward.shown(guess))
      or ("Known keys: %s"):format(table.concat(names, ", ")))
  end
  if known then
    if may_be(known.types, use.types) then return nil end
    return ("%s as %s, but %s writes it as %s"):format(who, use.text, leeward.shown(known.who), known.texts[1])
  end
  if is_shared(use.key) then return nil end
  if use.node.kind == "subtree" and use.option == use.key then return nil end -- an input without a port
  local own = {}
  for key in pairs(written) do own[key] = not SENSED[key] or nil end
  local guess = leeward.suggest(use.key, sorted_keys(own))
  if guess then return ("%s, which nothing writes. Did you mean '%s'?"):format(who, leeward.shown(guess)) end
  if not is_closed then return nil end -- it may come from the script that spawns the agent
  return ("%s, which nothing writes. Known keys: %s"):format(who, table.concat(sorted_keys(own), ", "))
end

--- What is wrong with the ports of a subtree whose tree declares its inputs.
local function complain_of_ports(node, tree, is_written, is_closed)
  local leeward = require "leeward"
  local who = ("subtree '%s'"):format(leeward.shown(node.name or tree.name or "tree"))
  local own = written_by(tree) -- a port may also give what the tree writes another name
  for _, key in ipairs(sorted_keys(node.ports or {})) do
    if not own[key] then
      local guess = leeward.suggest(key, sorted_keys(own))
      local hint = guess and ("Did you mean '%s'?"):format(leeward.shown(guess))
        or ("Its inputs: %s"):format(table.concat(sorted_keys(tree.inputs), ", "))
      return ("%s: ports.%s is no key of its tree. %s"):format(who, leeward.shown(key), hint)
    end
  end
  for _, key in ipairs(sorted_keys(tree.inputs)) do
    local has_port = node.ports and node.ports[key]
    if not has_port and not is_written(key) and not is_shared(key) and (node.ports or is_closed) then
      return ("%s: ports.%s is nil, expected the key that its tree reads as '%s': nothing writes '%s' here"):format(
        who, leeward.shown(key), leeward.shown(key), leeward.shown(key))
    end
  end
end

--- Call visit(node, tree, map of the node's keys) for each node that has a tree within it which declares its inputs.
--- It does not go into such trees: their own check does.
local function each_subtree(node, map, visit)
  local inner = map_within(node, map)
  for _, child in ipairs(node) do
    if child.kind == "subtree" and child.inputs then
      visit(node, child, map)
    else
      each_subtree(child, inner, visit)
    end
  end
end

--- What is wrong with the wiring of a tree: a key that is read as another type than it is written as; one that nothing
--- writes, if a written one is spelt much alike or the tree declares its inputs; a port that a tree within it does not
--- have, or lacks.
---@param tree table  a description that is valid otherwise
---@return string?
function ports.check(tree)
  local written, uses = written_by(tree), {}
  walk(tree, {}, function(key, mode, types, text, node, option)
    if mode ~= "out" then uses[#uses + 1] = { key = key, types = types, text = text, node = node, option = option } end
  end)
  local is_closed = tree.kind == "subtree" and tree.inputs ~= nil
  local complaints = {}
  each_subtree(tree, {}, function(node, inner, map)
    local function is_written(key) return written[map[key] or key] end
    local with_ports = node.kind == "subtree" and node or {}
    complaints[#complaints + 1] = complain_of_ports(with_ports, inner, is_written, is_closed)
    complaints[#complaints + 1] = ports.check(inner)
  end)
  if complaints[1] then return complaints[1] end
  for _, use in ipairs(uses) do complaints[#complaints + 1] = complain(use, written, is_closed) end
  table.sort(complaints) -- options have no order
  return complaints[1]
end

return ports
