--- What bindings/meta says of the API: classes with their fields, aliases, functions with their parameters.
local stubs = {}

local FILES = { "leeward", "vec3", "area", "geometry", "bake", "navmesh", "import", "profile", "path", "query", "cover",
  "survey", "tree", "agent", "danger", "fire_lane", "save", "threat",
  "cover_points", "world" }

--- The type at the start of a text: up to the first space that no bracket, quote or "fun(...)" holds.
local function leading_type(text)
  local depth, at = 0, 1
  while at <= #text do
    local c = text:sub(at, at)
    if c:match "[%(%[{<]" then depth = depth + 1 end
    if c:match "[%)%]}>]" then depth = depth - 1 end
    if c == '"' then at = text:find('"', at + 1, true) end
    local colon = text:sub(at, at + 1):match "^[:,]%s"
    if c:match "%s" and depth == 0 then return text:sub(1, at - 1) end
    if colon and depth == 0 then at = at + 1 end -- a function's result
    at = at + 1
  end
  return text
end

local function read_lines(found, lines)
  local class, params, alias = nil, {}, nil
  for line in lines do
    local name = line:match "^%-%-%-@class ([%w_.]+)"
    local field, optional, rest = line:match "^%-%-%-@field ([%w_]+)(%??)%s+(.*)"
    local param, may_lack, of = line:match "^%-%-%-@param ([%w_.]+)(%??)%s+(.*)"
    local alias_name, alias_type = line:match "^%-%-%-@alias ([%w_.]+)%s*(.*)"
    local case = line:match '^%-%-%-| (".-")'
    local holder, separator, method = line:match "^function (%a[%w_]*)([.:])([%w_]+)%("
    if name then
      class = found.classes[name] or { fields = {} }
      class.parent = line:match "^%-%-%-@class [%w_.]+: ([%w_.]+)" or class.parent
      found.classes[name] = class
    elseif field and class then
      class.fields[#class.fields + 1] = { name = field, optional = optional == "?", type = leading_type(rest) }
    elseif param then
      params[#params + 1] = { name = param, optional = may_lack == "?", type = leading_type(of) }
    elseif alias_name then
      alias = alias_name
      found.aliases[alias] = alias_type ~= "" and alias_type or nil
    elseif case and alias then
      found.aliases[alias] = (found.aliases[alias] and found.aliases[alias] .. "|" or "") .. case
    elseif method then
      found.functions[#found.functions + 1] = { holder = holder, is_method = separator == ":", name = method,
        params = params }
      params, class = {}, nil
    end
  end
end

function stubs.read()
  local found = { classes = {}, aliases = {}, functions = {} }
  for _, file in ipairs(FILES) do read_lines(found, io.lines(("bindings/meta/%s.lua"):format(file))) end
  return found
end

--- The parts of a union, "a|b[]|fun(x: c|d)" to { "a", "b[]", "fun(x: c|d)" }.
function stubs.split(type)
  local parts, depth, from, quoted = {}, 0, 1, false
  for at = 1, #type do
    local c = type:sub(at, at)
    if c == '"' then quoted = not quoted end
    if c:match "[%(%[{<]" then depth = depth + 1 end
    if c:match "[%)%]}>]" then depth = depth - 1 end
    if c == "|" and depth == 0 and not quoted then
      parts[#parts + 1] = type:sub(from, at - 1)
      from = at + 1
    end
  end
  parts[#parts + 1] = type:sub(from)
  return parts
end

return stubs
