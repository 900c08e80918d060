--- The files of behaviors/nodes/ as the spec of their README sees them: what their leaves declare, how they say that
--- they fail, and which of these ways a scene has taken.
local behaviors = require "behaviors"
local leeward = require "leeward"

local node_files = {}

--- The name of a node that says it nowhere, by its file: run_subtree -> RunSubtree.
local function name_of(file)
  return ("_" .. file):gsub("_(%l)", string.upper)
end

--- The text with each `return "failure"` noting that it was reached; all lines stay where they are.
local function instrumented(text, returns)
  local lines, number = {}, 0
  for line in text:gmatch "([^\n]*)\n" do
    number = number + 1
    lines[number] = line:gsub('return "failure"', function()
      returns[number] = line:match "^%s*(.*)$"
      return ("return failed(%d)"):format(number)
    end)
  end
  return table.concat(lines, "\n") .. "\n"
end

--- Run a file of the folder --> { name, file, text, constructor, definition, returns, taken }: `definition` is what it
--- gives to behaviors.leaf, nil for one that makes no leaf; `returns` are the lines with a failure by number, `taken`
--- those that have run since. Whatever requires the file from now on gets this one.
local function read(file)
  local path = ("behaviors/nodes/%s.lua"):format(file)
  local handle = assert(io.open(path))
  local found = { file = path, text = handle:read("a"), returns = {}, taken = {} }
  handle:close()
  local function failed(line)
    found.taken[line] = true
    return "failure"
  end
  local text = instrumented(found.text, found.returns)
  local chunk = assert(load(text, "@" .. path, "t", setmetatable({ failed = failed }, { __index = _G })))
  local leaf = behaviors.leaf
  behaviors.leaf = function(definition)
    found.definition = definition
    return leaf(definition)
  end
  found.constructor = chunk()
  behaviors.leaf = leaf
  found.name = found.definition and found.definition.name or name_of(file)
  package.loaded["behaviors.nodes." .. file] = found.constructor
  return found
end

--- node_files.read() --> all of them by name
function node_files.read()
  local nodes = {}
  for file in pairs(leeward.names "behaviors/nodes") do
    local found = read(file)
    nodes[found.name] = found
  end
  return nodes
end

--- Texts of failures in a source: those behind "failure", and behind the nil or false of a function that gives a
--- reason. What is filled in is `...`.
function node_files.reasons_in(text)
  local reasons = {}
  local function add(reason) reasons[#reasons + 1] = (reason:gsub("%%[sdg]", "...")) end
  for line in text:gmatch "[^\n]+" do
    for _, before in ipairs { '"failure", ', "return nil, ", "return false, " } do
      local at = select(2, line:find(before, 1, true))
      local reason = at and (line:match('^%(?"([^"]+)"', at + 1) or line:match('or "([^"]+)"$', at + 1))
      if reason then add(reason) end
      local both = at and { line:match('^[%w_. ]+ and "([^"]+)" or "([^"]+)"', at + 1) } or {}
      for _, one in ipairs(both) do add(one) end
    end
  end
  return reasons
end

return node_files
