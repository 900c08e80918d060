-- Options by declaration.
--
--   local spec = {
--     name = "run", summary = "let agents live in a level",
--     positional = { { "SCENARIO", "a bundled name or a file" }, { "ARGS", "handed on", rest = true } },
--     options = { { "--seconds", "N", "how long", type = "positive" }, { "--headless", nil, "no window" } },
--   }
--   local given, message = args.parse(spec, { "courtyard", "--seconds", "5" })
--   --> { SCENARIO = "courtyard", seconds = 5 }   or   nil, "unknown option '--secnds'. Did you mean '--seconds'?"
--
-- A positional may be `optional`; one with `rest` takes all that follows, options of others included; the last may be
-- `many`: a list of one word or more; so may an option, which then is given as often as one likes. What the spec's
-- `check(given)` returns is the message of a wrong call.

local args = {}

-- Levenshtein's distance.
local function distance(a, b)
  local row = {}
  for j = 0, #b do row[j] = j end
  for i = 1, #a do
    local diagonal = row[0]
    row[0] = i
    for j = 1, #b do
      local above = row[j]
      local change = a:byte(i) == b:byte(j) and 0 or 1
      row[j] = math.min(above + 1, row[j - 1] + 1, diagonal + change)
      diagonal = above
    end
  end
  return row[#b]
end

-- args.suggest(word, words) --> " Did you mean 'x'?" or ""
function args.suggest(word, words)
  local best, best_distance = nil, math.max(2, #word // 3) + 1
  for _, other in ipairs(words) do
    local d = distance(word, other)
    if other:sub(1, #word) == word and #word >= 2 then d = math.min(d, 1) end
    if d < best_distance then best, best_distance = other, d end
  end
  return best and (" Did you mean '%s'?"):format(best) or ""
end

local function finite(text)
  local number = tonumber(text)
  if number and number == number and math.abs(number) ~= math.huge then return number end
end

-- Each takes the text and returns a value, or nil and what was expected.
local readers = {
  text = function(text) return text end,
  number = function(text)
    local number = finite(text)
    return number, number == nil and "a number" or nil
  end,
  positive = function(text)
    local number = finite(text)
    if number and number > 0 then return number end
    return nil, "a number above 0"
  end,
  not_negative = function(text)
    local number = finite(text)
    if number and number >= 0 then return number end
    return nil, "a number, 0 or more"
  end,
  integer = function(text)
    local number = math.tointeger(tonumber(text))
    if number and number >= 0 then return number end
    return nil, "a whole number, 0 or more"
  end,
  positive_integer = function(text)
    local number = math.tointeger(tonumber(text))
    if number and number > 0 then return number end
    return nil, "a whole number, 1 or more"
  end,
  quality = function(text)
    if text == "good" or text == "fast" then return text end
    return nil, "good or fast"
  end,
  -- A first and a last, counted from 1.
  range = function(text)
    local first, last = text:match("^(%d+):(%d+)$")
    first, last = math.tointeger(tonumber(first)), math.tointeger(tonumber(last))
    if first and last and first >= 1 and last >= first then return { first, last } end
    return nil, "a range A:B of whole numbers, 1 <= A <= B"
  end,
  point = function(text)
    local x, y, z, rest = text:match("^%s*([^,%s]+)%s*,%s*([^,%s]+)%s*,%s*([^,%s]+)%s*(.*)$")
    x, y, z = x and finite(x), y and finite(y), z and finite(z)
    if x and y and z and rest == "" then return { x, y, z } end
    return nil, "a point x,y,z"
  end,
}

local function read(what, kind, text)
  local value, expected = readers[kind or "text"](text)
  if value == nil then return nil, ("%s expected %s, got '%s'"):format(what, expected, text) end
  return value
end

-- The key under which an option's value is found: --cell-size -> cell_size.
local function key_of(option) return (option[1]:gsub("^%-%-", ""):gsub("%-", "_")) end

local function names_of(spec)
  local names = { "--help" }
  for _, option in ipairs(spec.options or {}) do names[#names + 1] = option[1] end
  return names
end

local function find_option(spec, name)
  for _, option in ipairs(spec.options or {}) do
    if option[1] == name then return option end
  end
end

-- A word that begins with a minus and then a digit or a point is a number, not an option.
local function is_option(word) return word:match("^%-[^%d.]") ~= nil end

-- Takes the option at list[index] into `given`. Returns the index of the next word.
local function take_option(spec, given, list, index)
  local name, value = list[index]:match("^(%-%-[^=]+)=(.*)$")
  name = name or list[index]
  if name == "--help" or name == "-h" then
    given.help = true
    return index + 1
  end
  local option = find_option(spec, name)
  if not option then
    return nil, ("unknown option '%s'.%s"):format(name, args.suggest(name, names_of(spec)))
  end
  local key = key_of(option)
  if given[key] ~= nil and not option.many then return nil, ("option '%s' is given twice"):format(name) end
  if not option[2] then
    if value then return nil, ("option '%s' takes no value"):format(name) end
    given[key] = true
    return index + 1
  end
  if not value then
    index = index + 1
    value = list[index]
    if not value then return nil, ("option '%s' expects %s"):format(name, option[2]) end
  end
  local message
  value, message = read(("option '%s'"):format(name), option.type, value)
  if message then return nil, message end
  if option.many then
    given[key] = given[key] or {}
    table.insert(given[key], value)
  else
    given[key] = value
  end
  return index + 1
end

local function take_positional(spec, given, word, count)
  local places = spec.positional or {}
  local last = places[#places]
  local place = places[count] or last and last.many and last
  if not place then return nil, ("unexpected argument '%s'"):format(word) end
  local value, message = read(place[1], place.type, word)
  if message then return nil, message end
  if place.many then
    given[place[1]] = given[place[1]] or {}
    table.insert(given[place[1]], value)
  else
    given[place[1]] = value
  end
  return true
end

-- args.parse(spec, list) --> table | nil, message
function args.parse(spec, list)
  local given, count, index, options_end = {}, 0, 1, false
  while index <= #list do
    local word = list[index]
    local place = (spec.positional or {})[count + 1]
    local message
    if place and place.rest then
      given[place[1]] = table.move(list, index, #list, 1, {})
      break
    elseif word == "--" and not options_end then
      options_end, index = true, index + 1
    elseif not options_end and is_option(word) then
      index, message = take_option(spec, given, list, index)
      if not index then return nil, message end
    else
      count, index = count + 1, index + 1
      local ok
      ok, message = take_positional(spec, given, word, count)
      if not ok then return nil, message end
    end
  end
  if given.help then return given end
  for _, place in ipairs(spec.positional or {}) do
    if place.rest then
      given[place[1]] = given[place[1]] or {}
    elseif given[place[1]] == nil and not place.optional then
      return nil, ("%s is missing"):format(place[1])
    end
  end
  local wrong = spec.check and spec.check(given)
  if wrong then return nil, wrong end
  return given
end

local function columns(rows)
  local width = 0
  for _, row in ipairs(rows) do width = math.max(width, #row[1]) end
  local lines = {}
  for _, row in ipairs(rows) do lines[#lines + 1] = ("  %-" .. width .. "s  %s"):format(row[1], row[2]) end
  return lines
end
args.columns = columns

-- args.usage(spec) --> one line
function args.usage(spec)
  local words = { "usage: leeward " .. spec.name }
  for _, place in ipairs(spec.positional or {}) do
    local word = place.many and place[1] .. "..." or place[1]
    words[#words + 1] = (place.rest or place.optional) and ("[%s]"):format(word) or word
  end
  if #(spec.options or {}) > 0 then words[#words + 1] = "[options]" end
  return table.concat(words, " ")
end

-- args.help(spec) --> text
function args.help(spec)
  local lines = { args.usage(spec), "", spec.summary, "" }
  local rows = {}
  for _, place in ipairs(spec.positional or {}) do rows[#rows + 1] = { place[1], place[2] } end
  for _, option in ipairs(spec.options or {}) do
    rows[#rows + 1] = { option[2] and option[1] .. " " .. option[2] or option[1], option[3] }
  end
  rows[#rows + 1] = { "--help", "show this" }
  table.move(columns(rows), 1, #rows, #lines + 1, lines)
  return table.concat(lines, "\n")
end

return args
