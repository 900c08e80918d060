-- The table that a level or a scenario file returns: its fields, checked by a declaration.
--
--   local FIELDS = {
--     { "seconds", "seconds > 0", fields.is_positive },
--     { "setup", "a function(world, leeward, level)", fields.is "function", required = true },
--   }
--   local scenario, message = fields.load("pier.lua", FIELDS)
--   --> nil, "pier.lua: seconds is -1, expected seconds > 0"

local leeward = require "leeward"
local args = require "scripts.cli.args"

local fields = {}

local FILE_MAX = 300 -- of a file's name in a message [bytes]

-- fields.shown(value) --> the value as messages write it
function fields.shown(value)
  local kind = math.type(value) or type(value)
  if kind == "string" then return ("'%s'"):format(leeward.shown(value)) end
  if kind == "integer" or kind == "float" or kind == "boolean" or kind == "nil" then return tostring(value) end
  return "a " .. kind
end

-- fields.wrong(file, field, value, expected) --> message
function fields.wrong(file, field, value, expected)
  return ("%s: %s is %s, expected %s"):format(leeward.shown(file, FILE_MAX), field, fields.shown(value), expected)
end

-- fields.is(kind) --> function(value): whether its type is of that name
function fields.is(kind)
  return function(value) return type(value) == kind end
end

local function is_finite(value)
  return type(value) == "number" and value == value and math.abs(value) ~= math.huge
end

function fields.is_positive(value) return is_finite(value) and value > 0 end
function fields.is_not_negative(value) return is_finite(value) and value >= 0 end
function fields.is_whole(value) return math.type(value) ~= nil and math.tointeger(value) ~= nil end

-- fields.is_list(value, is_item): whether it is a list of such items
function fields.is_list(value, is_item)
  if type(value) ~= "table" then return false end
  local count = 0
  for _ in pairs(value) do count = count + 1 end
  for index = 1, count do
    if value[index] == nil or not is_item(value[index]) then return false end
  end
  return true
end

-- fields.check(file, given, known [, prefix]) --> nil, or what is wrong with the table's fields
function fields.check(file, given, known, prefix)
  prefix = prefix or ""
  local keys = {}
  for index, field in ipairs(known) do keys[index] = field[1] end
  for key in pairs(given) do
    local is_known = false
    for _, other in ipairs(keys) do is_known = is_known or other == key end
    if not is_known then
      local name = type(key) == "string" and leeward.shown(key) or tostring(key)
      return ("%s: unknown key '%s%s'%s"):format(leeward.shown(file, FILE_MAX), prefix, name, args.suggest(name, keys))
    end
  end
  for _, field in ipairs(known) do
    local key, expected, is_right = field[1], field[2], field[3]
    local value = given[key]
    if (value ~= nil or field.required) and not is_right(value) then
      return fields.wrong(file, prefix .. key, value, expected)
    end
    if value ~= nil and field.fields then
      local message = fields.check(file, value, field.fields, prefix .. key .. ".")
      if message then return message end
    end
  end
end

-- fields.traced(message) --> the message, and a traceback if Lua code raised it: for xpcall. A function in C says what
-- is wrong with the data that it was given, and where.
function fields.traced(message)
  local raiser = debug.getinfo(2, "Sf")
  if raiser.what == "C" and raiser.func ~= error and raiser.func ~= assert then return message end
  return debug.traceback(message, 2)
end

local function checked(file, result, known)
  if type(result) ~= "table" then return nil, fields.wrong(file, "result", result, "a table") end
  local message = fields.check(file, result, known)
  if message then return nil, message end
  return result
end

-- fields.load(file, known) --> what the Lua file returns, a table with such fields | nil, message
-- A function stands for a table with that function as `geometry`.
function fields.load(file, known)
  local chunk, message = loadfile(file)
  if not chunk then return nil, message end
  local ok, result = xpcall(chunk, fields.traced)
  if not ok then return nil, result end
  if type(result) == "function" then result = { geometry = result } end
  return checked(file, result, known)
end

-- fields.load_values(file, known) --> as fields.load(), of a file that only computes values: it runs in a sandbox
function fields.load_values(file, known)
  local handle, message = io.open(file, "rb")
  if not handle then return nil, message end
  local text
  text, message = handle:read "a"
  handle:close()
  if not text then return nil, ("%s: %s"):format(leeward.shown(file, FILE_MAX), message) end
  local ok, result, code = leeward.sandbox():run(text, file)
  if code == "OUT_OF_MEMORY" then return nil, ("%s: %s"):format(leeward.shown(file, FILE_MAX), result) end
  if not ok then return nil, result end
  return checked(file, result, known)
end

return fields
