-- leeward profile NAME: every value, its unit, and the file that sets it.

local leeward = require "leeward"
local args = require "scripts.cli.args"
local terminal = require "scripts.cli.terminal"

local spec = {
  name = "profile",
  summary = "print a profile: each value, its unit, and the file that sets it",
  positional = { { "NAME", "such as soldier (default: list them all)", optional = true } },
}

-- 0.4 rather than 0.40000000596, 18 rather than 18.0.
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

-- The file, relative to the current folder where it is below that; with the line where a script sets the value.
local function source_of(row)
  if not row.file then return "" end
  local here = os.getenv("PWD")
  local file = row.file
  if here and file:sub(1, #here + 1) == here .. "/" then file = file:sub(#here + 2) end
  return row.line and ("%s:%d"):format(file, row.line) or file
end

local function print_values(info)
  local rows = {}
  for _, row in ipairs(info.values) do
    rows[#rows + 1] = { row.key, text_of(row.value), row.unit or "", row.profile or "default", source_of(row) }
  end
  args.print_rows(rows)
end

local function print_areas(info)
  local rows = { { "area", "price a metre without exposure", "calm", "normal", "fast (m/s)" } }
  for _, area in ipairs(info.areas) do
    local speed = area.speed
    rows[#rows + 1] = speed
      and { area.name, number(area.price), number(speed.calm), number(speed.normal), number(speed.fast) }
      or { area.name, "never enters", "", "", "" }
  end
  args.print_rows(rows, { false, true, true, true, true })
end

local function list()
  local rows = {}
  for _, name in ipairs(leeward.profiles()) do
    local good, info = pcall(leeward.profile_info, name)
    local extends = good and table.concat(info.lineage, " > ", 2) or ""
    rows[#rows + 1] = { name, good and (extends ~= "" and "extends " .. extends or "") or "is wrong: " .. info }
  end
  args.print_rows(rows)
  return true
end

local function run(given)
  if not given.NAME then return list() end
  local good, info, message = pcall(leeward.profile_info, given.NAME)
  if not good then return nil, info end
  if not info then return nil, message end
  terminal.print(table.concat(info.lineage, " extends "))
  print()
  print_values(info)
  print()
  print_areas(info)
  return true
end

return { spec = spec, run = run }
