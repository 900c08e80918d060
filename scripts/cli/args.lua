-- Command-line arguments, parsed by a declaration.
--
--   local spec = {
--     name = "run", summary = "let agents live in a level",
--     positional = { { "SCENARIO", "a bundled name or a file" }, { "ARGS", "passed to the script", rest = true } },
--     options = { { "--seconds", "N", "how long", type = "positive" }, { "--headless", nil, "no window" } },
--   }
--   local given, message = args.parse(spec, { "courtyard", "--seconds", "5" })
--   --> { SCENARIO = "courtyard", seconds = 5, texts = { seconds = "5" } }
--   or   nil, "unknown option '--secnds'. Did you mean '--seconds'?"
--
-- A positional with `optional` may be absent; one with `rest` takes all words that follow, options included. The last
-- positional and any option may be `many`: then the value is a list. `check(given)` returns a message for wrong usage.
-- `texts` has the options' values as they were given.

local leeward = require "leeward"
local terminal = require "scripts.cli.terminal"

local args = {}

-- Whether the word is the other one cut short, or with letters left out: "sec", "secs" and "seconds". The first two
-- letters are the same.
local function is_short_for(word, other)
  word, other = word:gsub("^%-%-", ""), other:gsub("^%-%-", "")
  if #word < 2 or other:sub(1, 2) ~= word:sub(1, 2) then return false end
  local at = 2
  for letter in word:sub(3):gmatch "." do
    at = other:find(letter, at + 1, true)
    if not at then return false end
  end
  return true
end

-- args.suggest(word, words) --> ". Did you mean 'x'?" or ""; a word that was shortened counts as misspelt, too.
function args.suggest(word, words)
  local best = leeward.suggest(word, words)
  local is_best_longer = best and is_short_for(word, best)
  for _, other in ipairs(words) do
    if not is_best_longer and is_short_for(word, other) then best, is_best_longer = other, true end
  end
  return best and (". Did you mean '%s'?"):format(best) or ""
end

local function finite(text)
  local number = tonumber(text)
  if number and number == number and math.abs(number) ~= math.huge then return number end
end

-- What a coordinate may be (LW_COORDINATE_MAX). [m]
local COORDINATE_MAX = 1e6
local WITHIN = (" within +-%d metres"):format(COORDINATE_MAX)

local function to_point(text)
  local x, y, z, rest = text:match("^%s*([^,%s]+)%s*,%s*([^,%s]+)%s*,%s*([^,%s]+)%s*(.*)$")
  x, y, z = x and finite(x), y and finite(y), z and finite(z)
  if not (x and y and z and rest == "") then return nil end
  return math.max(math.abs(x), math.abs(y), math.abs(z)) <= COORDINATE_MAX and { x, y, z } or nil
end

-- Each returns the value of a text, or nil and what is expected.
local readers = {
  text = function(text) return text end,
  number = function(text)
    local number = finite(text)
    return number, number == nil and "a number" or nil
  end,
  positive = function(text)
    local number = finite(text)
    if number and number > 0 then return number end
    return nil, "a number > 0"
  end,
  not_negative = function(text)
    local number = finite(text)
    if number and number >= 0 then return number end
    return nil, "a number >= 0"
  end,
  integer = function(text)
    local number = math.tointeger(tonumber(text))
    if number and number >= 0 then return number end
    return nil, "a whole number >= 0"
  end,
  -- The library checks the value, and messages show it as it was given.
  setting = function(text) return tonumber(text) or text end,
  -- A list of them.
  settings = function(text)
    local list = {}
    for item in (text .. ","):gmatch "([^,]*)," do list[#list + 1] = tonumber(item) or item end
    return list
  end,
  -- Simulated time. The longest is eleven days, 60 million steps.
  seconds = function(text)
    local number = finite(text)
    if number and number > 0 and number <= 1e6 then return number end
    return nil, "seconds > 0 and <= 1000000"
  end,
  positive_integer = function(text)
    local number = math.tointeger(tonumber(text))
    if number and number > 0 then return number end
    return nil, "a whole number >= 1"
  end,
  path_style = function(text)
    if text == "taut" or text == "rounded" then return text end
    return nil, "taut or rounded"
  end,
  quality = function(text)
    if text == "good" or text == "fast" or text == "exact" then return text end
    return nil, "good, fast or exact"
  end,
  -- The first and the last, counted from 1.
  range = function(text)
    local first, last = text:match("^(%d+):(%d+)$")
    first, last = math.tointeger(tonumber(first)), math.tointeger(tonumber(last))
    if first and last and first >= 1 and last >= first then return { first, last } end
    return nil, "a range A:B of whole numbers, 1 <= A <= B"
  end,
  point = function(text)
    local point = to_point(text)
    return point, point == nil and "a point x,y,z" .. WITHIN or nil
  end,
  -- Of a permutation.
  state = function(text)
    local name, state = text:match("^([^=]+)=(.+)$")
    if name then return { name = name, state = state } end
    return nil, "NAME=STATE"
  end,
  -- Two opposite corners.
  box = function(text)
    local low, high = text:match("^([^:]*):([^:]*)$")
    low, high = low and to_point(low), high and to_point(high)
    if low and high then return { low, high } end
    return nil, "two points x,y,z:x,y,z" .. WITHIN
  end,
}

local function read(what, kind, text)
  if text == "" and not kind then return nil, ("%s is '', expected a name"):format(what) end
  local value, expected = readers[kind or "text"](text)
  if value == nil then return nil, ("%s is '%s', expected %s"):format(what, leeward.shown(text), expected) end
  return value
end

-- The key of an option's value: --cell-size -> cell_size.
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

-- A minus followed by a digit or a point begins a number, not an option.
local function is_option(word) return word:match("^%-[^%d.]") ~= nil end

-- Reads the option at list[index] into `given`. Returns the index of the next word, or nil and a message.
local function take_option(spec, given, list, index)
  local name, value = list[index]:match("^(%-%-[^=]+)=(.*)$")
  name = name or list[index]
  if name == "--help" or name == "-h" then
    given.help = true
    return index + 1
  end
  local option = find_option(spec, name)
  if not option then
    return nil, ("unknown option '%s'%s"):format(leeward.shown(name), args.suggest(name, names_of(spec)))
  end
  local key = key_of(option)
  if given[key] ~= nil and not option.many then return nil, ("%s is given twice, expected once"):format(name) end
  if not option[2] then
    if value then return nil, ("%s is '%s', expected no value"):format(name, leeward.shown(value)) end
    given[key] = true
    return index + 1
  end
  if not value then
    index = index + 1
    value = list[index]
    if not value then return nil, ("%s is missing its value, expected %s"):format(name, option[2]) end
  end
  local message
  given.texts[key] = value
  value, message = read(name, option.type, value)
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
  if not place then return nil, ("unexpected argument '%s'"):format(leeward.shown(word)) end
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
  local given, count, index, options_end = { texts = {} }, 0, 1, false
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
      return nil, ("%s is missing, expected %s"):format(place[1], place[2])
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

-- args.print_rows(rows [, right]): prints rows of text in aligned columns; those with right[column] are aligned to the
-- right.
function args.print_rows(rows, right)
  local widths = {}
  for _, row in ipairs(rows) do
    for column, text in ipairs(row) do
      row[column] = terminal.line(text)
      widths[column] = math.max(widths[column] or 0, utf8.len(row[column]))
    end
  end
  for _, row in ipairs(rows) do
    local cells = {}
    for column, text in ipairs(row) do
      local blanks = (" "):rep(widths[column] - utf8.len(text))
      cells[column] = right and right[column] and blanks .. text or text .. blanks
    end
    terminal.print((table.concat(cells, "  "):gsub("%s+$", "")))
  end
end

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
