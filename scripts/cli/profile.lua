-- leeward profile NAME: every value, its unit, and who set it where.

local leeward = require "leeward"

local spec = {
  name = "profile",
  summary = "print a profile: each value, its unit, and which file set it",
  positional = { { "NAME", "such as soldier (default: list them all)", optional = true } },
}

-- 0.4 as it was written, 18 rather than 18.0.
local function number(value)
  if math.type(value) == "float" and value == math.floor(value) and math.abs(value) < 1e15 then
    return ("%d"):format(value)
  end
  return ("%.6g"):format(value)
end

local function text_of(value)
  if type(value) == "number" then return number(value) end
  if type(value) ~= "table" then return tostring(value) end
  if #value == 0 then return "none" end
  local words = {}
  for index, item in ipairs(value) do words[index] = text_of(item) end
  return table.concat(words, ", ")
end

-- Files below the folder that the user is in are shorter that way.
local function source_of(row)
  if not row.file then return "" end
  local here = os.getenv("PWD")
  local file = row.file
  if here and file:sub(1, #here + 1) == here .. "/" then file = file:sub(#here + 2) end
  return row.line and ("%s:%d"):format(file, row.line) or file
end

-- Rows in columns as wide as they must be; those named in `right` are set to the right.
local function print_columns(rows, right)
  local widths = {}
  for _, row in ipairs(rows) do
    for column, text in ipairs(row) do widths[column] = math.max(widths[column] or 0, utf8.len(text) or #text) end
  end
  for _, row in ipairs(rows) do
    local cells = {}
    for column, text in ipairs(row) do
      local blanks = (" "):rep(widths[column] - (utf8.len(text) or #text))
      cells[column] = right[column] and blanks .. text or text .. blanks
    end
    print((table.concat(cells, "  "):gsub("%s+$", "")))
  end
end

local function print_values(info)
  local rows = {}
  for _, row in ipairs(info.values) do
    rows[#rows + 1] = { row.key, text_of(row.value), row.unit or "", row.profile or "default", source_of(row) }
  end
  print_columns(rows, {})
end

local function print_areas(info)
  local rows = { { "area", "price a metre", "calm", "normal", "fast (m/s)" } }
  for _, area in ipairs(info.areas) do
    local speed = area.speed
    rows[#rows + 1] = speed
      and { area.name, number(area.price), number(speed.calm), number(speed.normal), number(speed.fast) }
      or { area.name, "never enters", "", "", "" }
  end
  print_columns(rows, { false, true, true, true, true })
end

local function list()
  local rows = {}
  for _, name in ipairs(leeward.profiles()) do
    local good, info = pcall(leeward.profile_info, name)
    local extends = good and table.concat(info.lineage, " > ", 2) or ""
    rows[#rows + 1] = { name, good and (extends ~= "" and "extends " .. extends or "") or "is wrong: " .. info }
  end
  print_columns(rows, {})
  return true
end

local function run(given)
  if not given.NAME then return list() end
  local good, info, message = pcall(leeward.profile_info, given.NAME)
  if not good then return nil, info end
  if not info then return nil, message end
  print(table.concat(info.lineage, " extends "))
  print()
  print_values(info)
  print()
  print_areas(info)
  return true
end

return { spec = spec, run = run }
