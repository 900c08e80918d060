--- Reads annotated Lua (bindings/meta/*.lua, behaviors/*.lua): what the Lua language server reads, as tables.
local stubs = {}

--- The type at the start of a text: up to the first space that no bracket, quote or "fun(...)" holds.
local function leading_type(text)
  local depth, at = 0, 1
  while at <= #text do
    local c = text:sub(at, at)
    if c:match "[%(%[{<]" then depth = depth + 1 end
    if c:match "[%)%]}>]" then depth = depth - 1 end
    if c == '"' then at = text:find('"', at + 1, true) end
    if c:match "%s" and depth == 0 then return text:sub(1, at - 1), text:sub(at):match "^%s*(.*)" end
    if depth == 0 and text:sub(at, at + 1):match "^[:,]%s" then at = at + 1 end -- a function's result
    at = at + 1
  end
  return text, ""
end

--- What a file is being read into: its entries in order, and the comment that waits for what it belongs to.
local Reader = {}
Reader.__index = Reader

function Reader:add(entry)
  self.entries[#self.entries + 1] = entry
  self.class, self.alias = entry.kind == "class" and entry or nil, entry.kind == "alias" and entry or nil
  entry.text, self.text = self.text, {}
  self.open = entry
end

--- Each handler gets what follows its tag.
local TAGS = {}

--- ---@class name: parent  text
function TAGS.class(reader, rest)
  local name, parent, text = rest:match "^([%w_.]+):%s*([%w_.]+)%s*(.*)"
  if not name then name, text = rest:match "^([%w_.]+)%s*(.*)" end
  if text ~= "" then table.insert(reader.text, text) end
  reader:add { kind = "class", name = name, parent = parent, fields = {} }
end

function TAGS.alias(reader, rest)
  local name, type_text = rest:match "^([%w_.]+)%s*(.*)"
  local type_name = leading_type(type_text)
  reader:add { kind = "alias", name = name, type = type_name ~= "" and type_name or nil, cases = {} }
end

function TAGS.field(reader, rest)
  local name, optional, type_text = rest:match "^%[?([%w_]+)%]?(%??)%s+(.*)"
  if not name or not reader.class then return end
  local type_name, text = leading_type(type_text)
  local field = { name = name, optional = optional == "?", type = type_name, text = { text } }
  reader.class.fields[#reader.class.fields + 1] = field
  reader.open = field
end

function TAGS.param(reader, rest)
  local name, optional, type_text = rest:match "^([%w_.]+)(%??)%s+(.*)"
  local type_name, text = leading_type(type_text)
  local param = { name = name, optional = optional == "?", type = type_name, text = { text } }
  reader.params[#reader.params + 1] = param
  reader.open = param
end

--- ---@return type name  text
TAGS["return"] = function(reader, rest)
  local type_name, text = leading_type(rest)
  local name, more = text:match "^([%a_][%w_]*)%s*(.*)"
  if not name or not rest:find(type_name .. " " .. name, 1, true) then name, more = nil, text end
  local result = { type = type_name, name = name, text = { more } }
  reader.returns[#reader.returns + 1] = result
  reader.open = result
end

local function read_comment(reader, line)
  local tag, rest = line:match "^@(%a+)%s*(.*)"
  if tag then
    if TAGS[tag] then TAGS[tag](reader, rest) end
    return
  end
  local case, text = line:match '^| ("[^"]*")%s*#?%s*(.*)'
  if case and reader.alias then
    reader.alias.cases[#reader.alias.cases + 1] = { value = case, text = text }
  elseif reader.open then
    table.insert(reader.open.text, (line:gsub("^ ", "", 1)))
  else
    table.insert(reader.text, (line:gsub("^ ", "", 1)))
  end
end

local function read_code(reader, line)
  local holder, separator, name, arguments = line:match "^function (%a[%w_]*)([.:])([%w_]+)%((.-)%)"
  if name then
    reader:add { kind = "function", holder = holder, is_method = separator == ":", name = name, arguments = arguments,
      params = reader.params, returns = reader.returns }
  end
  reader.params, reader.returns, reader.text, reader.open = {}, {}, {}, nil
end

--- stubs.read(file) --> its classes, aliases and functions in order. Each has `kind`, `name`, `text` (its lines), and:
---   class     `parent`, `fields`
---   alias     `type`, or `cases` = { { value, text } ... }
---   function  `holder`, `is_method`, `arguments` (as written), `params`, `returns`
--- Fields, params and returns are { name, optional, type, text = { line... } }.
function stubs.read(file)
  local reader = setmetatable({ entries = {}, params = {}, returns = {}, text = {} }, Reader)
  for line in io.lines(file) do
    local comment = line:match "^%-%-%-(.*)"
    if comment then
      read_comment(reader, comment)
    else
      read_code(reader, line)
    end
  end
  return reader.entries
end

--- The parts of a union: "a|b[]|fun(x: c|d)" --> { "a", "b[]", "fun(x: c|d)" }
function stubs.split(type_name)
  local parts, depth, from, quoted = {}, 0, 1, false
  for at = 1, #type_name do
    local c = type_name:sub(at, at)
    if c == '"' then quoted = not quoted end
    if c:match "[%(%[{<]" then depth = depth + 1 end
    if c:match "[%)%]}>]" then depth = depth - 1 end
    if c == "|" and depth == 0 and not quoted then
      parts[#parts + 1] = type_name:sub(from, at - 1)
      from = at + 1
    end
  end
  parts[#parts + 1] = type_name:sub(from)
  return parts
end

return stubs
