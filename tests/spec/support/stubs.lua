--- What bindings/meta says of the API: classes with their fields, aliases, functions with their parameters.
local read_stub = dofile "bindings/docs/stubs.lua"

local stubs = { split = read_stub.split }

local FILES = { "leeward", "vec3", "area", "geometry", "bake", "navmesh", "import", "profile", "path", "path_changes",
  "query", "cover", "distance_field", "route_table", "regions",
  "tree", "blackboard", "agent", "danger", "fire_lane", "save", "threat",
  "obstacle", "link", "permutation", "cover_points", "world", "senses", "sandbox" }

local ADD = {}

function ADD.class(found, entry)
  local class = found.classes[entry.name] or { fields = {} }
  class.parent = entry.parent or class.parent
  table.move(entry.fields, 1, #entry.fields, #class.fields + 1, class.fields)
  found.classes[entry.name] = class
end

function ADD.alias(found, entry)
  local cases = {}
  for index, case in ipairs(entry.cases) do cases[index] = case.value end
  found.aliases[entry.name] = entry.type or table.concat(cases, "|")
end

ADD["function"] = function(found, entry) found.functions[#found.functions + 1] = entry end

--- stubs.read() --> { classes = { [name] = { parent, fields } }, aliases = { [name] = type }, functions = { ... } }
function stubs.read()
  local found = { classes = {}, aliases = {}, functions = {} }
  for _, file in ipairs(FILES) do
    for _, entry in ipairs(read_stub.read(("bindings/meta/%s.lua"):format(file))) do ADD[entry.kind](found, entry) end
  end
  return found
end

return stubs
