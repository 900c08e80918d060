--- Ports: which options of a leaf are keys of the blackboard, what is in them, and whether all that a tree reads is
--- written. `leeward.tree` and `world:spawn` check each tree that they compile.

local leeward = require "leeward"
local checks = require "behaviors.checks"

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
---@param may_be_optional? boolean  a ? may follow them
---@return string?
function ports.check_types(text, may_be_optional)
  if type(text) ~= "string" then return "expected types as text, such as 'vec3' or 'vec3|agent'" end
  local types, complaint = read_types(may_be_optional and text:gsub("%?$", "") or text)
  return not types and complaint or nil
end

--- May the input be absent, as in `inputs = { route = "list?" }`?
local function is_optional(text) return type(text) == "string" and text:sub(-1) == "?" end

--- The types of an input.
local function types_of_input(text) return (tostring(text):gsub("%?$", "")) end

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

--- Whether a value is of a type. Points and covers may also be tables.
local IS_OF_TYPE = {
  number = function(value) return type(value) == "number" end,
  string = function(value) return type(value) == "string" end,
  boolean = function(value) return type(value) == "boolean" end,
  vec3 = checks.is_point,
  agent = checks.is_agent,
  threat = function(value)
    return getmetatable(value) == "leeward.threat" or (type(value) == "table" and checks.is_point(value.at))
  end,
  cover = function(value) return getmetatable(value) == "leeward.coverpoint" or type(value) == "table" end,
  list = function(value) return type(value) == "table" end,
  any = function() return true end,
}

--- What is wrong with the values that a blackboard begins with: one of another type than the tree declares. Absent ones
--- may come later, and false is what an absent one is to conditions.
---@param inputs table<string, string>  of behaviors.tree
---@param values table
---@param name string  the tree, for the message
---@return string?
function ports.check_values(inputs, values, name)
  local wrong
  for key, given in pairs(inputs) do
    local value, text, fits = rawget(values, key), types_of_input(given), false
    for expected in pairs(read_types(text) or { any = true }) do
      fits = fits or not value or IS_OF_TYPE[expected](value)
    end
    if not fits and (not wrong or key < wrong.key) then wrong = { key = key, value = value, text = text } end
  end
  return wrong and ("blackboard.%s is %s, expected %s, an input of %s"):format(
    leeward.shown(wrong.key), require "behaviors.checks".shown(wrong.value), wrong.text, name)
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

--- A node and those around it: { node =, around = the trail of its parent, or the name of the tree }. For messages.
local function trail_to(node, around) return { node = node, around = around } end

--- A node's name, else what makes such nodes.
local function name_of_node(node)
  if node.name then return node.name end
  if node.kind == "repeat" then return "repeated" end
  return (node.kind == "force" or node.kind == "until") and node.kind .. "_" .. node.status or node.kind
end

--- "guard > selector > MoveTo".
local function path_of(trail)
  if type(trail) == "string" then return leeward.shown(trail) end
  return path_of(trail.around) .. " > " .. leeward.shown(name_of_node(trail.node))
end

--- "FILE:LINE" where a node was made, or the next one around it that says so.
local function source_of(trail)
  if type(trail) == "string" then return nil end
  return require "leeward".node_source(trail.node) or source_of(trail.around)
end

--- Call visit(key, mode, types, text, trail, option) for each key that a node names, as the tree around all of it has
--- it. Of a tree within it that declares its inputs these are read; what its nodes read, it is asked itself.
---@param trail table
---@param around? table  the node that it is a child of
local function walk(trail, map, visit, around)
  local node = trail.node
  local function name_of(key) return map[key] or key end
  local declares = node.kind == "subtree" and node.inputs
  if declares and around then
    local outer, named = visit, around.kind == "subtree" and trail.around or trail
    visit = function(key, mode, ...) if mode ~= "in" then outer(key, mode, ...) end end
    for key, given in pairs(node.inputs) do
      local text = types_of_input(given)
      outer(name_of(key), "in", read_types(text) or { any = true }, text, named, key)
    end
  end
  for option, port in pairs(node.ports and node.kind == "leaf" and node.ports or {}) do
    local key = (node.options or {})[option]
    if type(key) == "string" then visit(name_of(key), port.mode, port.types, port.text, trail, option) end
  end
  for i, key in ipairs(node.reads or {}) do
    visit(name_of(key), "in", { any = true }, "any", trail, option_of(node, i))
  end
  for i, key in ipairs(node.scores or {}) do
    if type(key) == "string" then
      visit(name_of(key), "in", { number = true }, "number", trail, ("scores[%d]"):format(i))
    end
  end
  for key, text in pairs(type(node.writes) == "table" and node.writes or {}) do
    visit(name_of(key), "out", read_types(tostring(text)) or { any = true }, tostring(text), trail, "writes")
  end
  for key, given in pairs(not around and node.inputs or {}) do
    local text = types_of_input(given)
    visit(name_of(key), "out", read_types(text) or { any = true }, text, trail, "inputs")
  end
  local inner = map_within(node, map)
  for _, child in ipairs(node) do walk(trail_to(child, trail), inner, visit, node) end
end

--- All keys that the tree writes or declares, or that senses write: key -> { types, text, who }.
local function written_by(tree)
  local written = {}
  for key, name in pairs(SENSED) do
    written[key] = { types = { [name] = true }, texts = { name }, who = "the senses" }
  end
  walk(trail_to(tree, "tree"), {}, function(key, mode, types, text, trail, option)
    if mode == "in" then return end
    local known = written[key] or { types = {}, texts = {}, who = name_of_node(trail.node) }
    for name in pairs(types) do known.types[name] = true end
    known.texts[#known.texts + 1] = text
    known.is_input = known.is_input or (option == "inputs" and trail.node.kind == "subtree")
    written[key] = known
  end)
  return written
end

--- The name that is spelt much like the key, else those of `listed`.
---@return string? hint  nil: there are none
local function hint_at(key, names, what, listed)
  local guess = leeward.suggest(key, names)
  if guess then return ("Did you mean '%s'?"):format(leeward.shown(guess)) end
  return listed[1] and ("%s: %s"):format(what, table.concat(listed, ", ")) or nil
end

--- The outermost tree within the tree at that trail whose node the other trail leads to; nil: there is none.
local function subtree_around(trail, tree_trail)
  local found
  while trail ~= tree_trail do
    if trail.node.kind == "subtree" then found = trail end
    trail = trail.around
  end
  return found
end

--- What is wrong with one key that is read.
local function complain(use, written, is_closed)
  local known = written[use.key]
  local node = use.trail.node
  local is_port = node.kind == "leaf" or node.kind == "subtree"
  local name = leeward.shown(use.key)
  local who = (is_port and "%s reads the key '%s'" or "%s is '%s'"):format(leeward.shown(use.option), name)
  if use.is_within then who = ("its tree reads the key '%s'"):format(name) end
  if use.key:find "^sense%." and not known then
    local names = checks.names_of(SENSED)
    return ("%s, which no sense writes. %s"):format(who, hint_at(use.key, names, "Known keys", names))
  end
  if known then
    if may_be(known.types, use.types) then return nil end
    local writer = known.is_input and "the tree's inputs have" or leeward.shown(known.who) .. " writes"
    return ("%s as %s, but %s it as %s"):format(who, use.text, writer, known.texts[1])
  end
  if is_shared(use.key) then return nil end
  if node.kind == "subtree" and use.option == use.key then return nil end -- an input without a port
  local own = {}
  for key in pairs(written) do own[key] = not SENSED[key] or nil end
  local names = checks.names_of(own)
  local hint = hint_at(use.key, names, "Known keys", is_closed and names or {})
  if not hint and not is_closed then return nil end -- it may come from the script that spawns the agent
  return ("%s, which nothing writes. %s"):format(who, hint or "No node writes a key, and the tree has no inputs")
end

--- What is wrong with a port of a subtree: its tree neither declares the key, nor has a node that reads or writes it.
local function complain_of_unknown_port(node)
  if node.kind ~= "subtree" or not node.ports then return nil end
  local own = {}
  for _, child in ipairs(node) do
    walk(trail_to(child, "tree"), {}, function(key) own[key] = true end)
  end
  local names = checks.names_of(own)
  for _, key in ipairs(checks.names_of(node.ports)) do
    if not own[key] then
      local hint = hint_at(key, names, "Its ports", names)
      return ("its tree has no port '%s'. %s"):format(leeward.shown(key), hint or "It has none")
    end
  end
end

--- What is wrong with the ports of a subtree whose tree declares its inputs.
local function complain_of_ports(node, tree, is_written, is_closed)
  for _, key in ipairs(checks.names_of(tree.inputs)) do
    local has_port = (node.ports and node.ports[key]) or is_optional(tree.inputs[key])
    if not has_port and not is_written(key) and not is_shared(key) and (node.ports or is_closed) then
      return ("ports.%s is nil, expected the key that its tree reads as '%s': nothing writes '%s' here"):format(
        leeward.shown(key), leeward.shown(key), leeward.shown(key))
    end
  end
end

--- Call visit(trail) for each node, but not in trees within it that declare their inputs: their own check does.
local function each_node(trail, visit, is_within)
  if is_within and trail.node.kind == "subtree" and trail.node.inputs then return end
  visit(trail)
  for _, child in ipairs(trail.node) do each_node(trail_to(child, trail), visit, true) end
end

--- Call visit(trail, inner trail, map of the node's keys) for each node that has a tree within it which declares its
--- inputs. It does not go into such trees: their own check does.
local function each_subtree(trail, map, visit)
  local inner = map_within(trail.node, map)
  for _, child in ipairs(trail.node) do
    local below = trail_to(child, trail)
    if child.kind == "subtree" and child.inputs then
      visit(trail, below, map)
    else
      each_subtree(below, inner, visit)
    end
  end
end

--- Add what is wrong with the wiring of a tree to the complaints: { text =, trail = }.
local function collect(tree_trail, complaints)
  local tree = tree_trail.node
  local written, uses = written_by(tree), {}
  local function add(text, trail)
    if text then complaints[#complaints + 1] = { text = ("%s: %s"):format(path_of(trail), text), trail = trail } end
  end
  walk(tree_trail, {}, function(key, mode, types, text, trail, option)
    if mode == "out" then return end
    uses[#uses + 1] = { key = key, types = types, text = text, trail = trail, option = option }
  end)
  local is_closed = tree.kind == "subtree" and tree.inputs ~= nil
  each_node(tree_trail, function(trail) add(complain_of_unknown_port(trail.node), trail) end)
  each_subtree(tree_trail, {}, function(trail, inner, map)
    local function is_written(key) return written[map[key] or key] end
    local has_ports = trail.node.kind == "subtree"
    add(complain_of_ports(has_ports and trail.node or {}, inner.node, is_written, is_closed),
      has_ports and trail or inner)
    collect(inner, complaints)
  end)
  if complaints[1] then return end
  for _, use in ipairs(uses) do
    local subtree = is_closed and not written[use.key] and subtree_around(use.trail, tree_trail)
    use.is_within = subtree and subtree ~= use.trail -- then a port is missing, not a node of that tree wrong
    add(complain(use, written, is_closed), use.is_within and subtree or use.trail)
  end
end

--- What is wrong with the wiring of a tree: a key that is read as another type than it is written as; one that nothing
--- writes, if a written one is spelt much alike or the tree declares its inputs; a port that a tree within it does not
--- have, or lacks.
---@param tree table  a description that is valid otherwise
---@param name string  of the tree, with which paths to nodes begin
---@return string? message
---@return string? source  "FILE:LINE" of the node
function ports.check(tree, name)
  local complaints = {}
  collect(trail_to(tree, name), complaints)
  table.sort(complaints, function(a, b) return a.text < b.text end) -- options have no order
  local first = complaints[1]
  if first then return first.text, source_of(first.trail) end
end

return ports
