-- Lists the returns of errors that no test has taken, from what gcov counted: coverage_errors.lua OBJECTS, the folder
-- with the .gcda files. In the runtime these are the lines of public functions that return a status but LW_OK; in the
-- Lua binding the lines that raise or return an error. What tests/coverage_exceptions.txt argues is left out; fails
-- when more is left.
local EXCEPTIONS = "tests/coverage_exceptions.txt"
local FOLDERS = { "runtime", "bindings/lua" }

--- The names of lw_status but LW_OK, as a set.
local function read_statuses()
  local file = assert(io.open("runtime/include/leeward/base.h"))
  local text = file:read "a"
  file:close()
  local names = {}
  for name in text:gmatch "X%(([A-Z_]+), \"" do names["LW_" .. name] = name ~= "OK" or nil end
  assert(names.LW_INVALID, "no statuses found")
  return names
end

local statuses = read_statuses()

local function is_error(text)
  for _, name in ipairs { "lwi_fail", "lwl_raise", "lwl_fail", "luaL_error" } do
    if text:find("%f[%w_]" .. name) then return true end
  end
  for name in (text:match "%f[%w_]return%f[^%w_](.*)" or ""):gmatch "LW_[A-Z_]+" do
    if statuses[name] then return true end
  end
  return false
end

local function trim(text) return (text:gsub("^%s+", ""):gsub("%s+$", "")) end

--- Function and text -> true; how often each was used is counted in `used`.
local function read_exceptions()
  local known, function_name = {}, nil
  for line in io.lines(EXCEPTIONS) do
    if line:find "^%S" and not line:find "^#" then
      function_name = line
    elseif line:find "^  %S" and function_name and not line:find "^    " then
      known[function_name .. "\n" .. trim(line)] = 0
    end
  end
  return known
end

--- Call `visit` for each line of code: its file, number, function, text, and whether all of it was executed.
local function each_line(objects, visit)
  local folders = {}
  for i, folder in ipairs(FOLDERS) do folders[i] = "'" .. objects .. "/" .. folder .. "'" end
  local pipe = assert(io.popen("find " .. table.concat(folders, " ") .. " -name '*.gcda' | sort | xargs gcov --stdout"))
  local path, name
  for line in pipe:lines() do
    local count, number, text = line:match "^%s*([^%s:]+):%s*(%d+):(.*)$"
    if number == "0" then
      path = text:match "^Source:(.*)$" or path
    elseif number then
      if text:find "^}" then name = nil end
      name = text:match "^[%a][^;=]-([%w_]+)%(" or name
      if count ~= "-" then visit(path, number, name, text, not count:find "[#=*]") end
    end
  end
  pipe:close()
end

local function main(objects)
  local known, left, total, taken = read_exceptions(), 0, 0, 0
  each_line(objects, function(path, number, name, text, executed)
    local public = not path:find "^runtime" or tostring(name):find "^lw_"
    if not public or not is_error(text) then return end
    total = total + 1
    if executed then
      taken = taken + 1
      return
    end
    local key = tostring(name) .. "\n" .. trim(text)
    if known[key] then
      known[key] = known[key] + 1
      return
    end
    left = left + 1
    io.write(path, ":", number, ": ", tostring(name), ": no test takes '", trim(text), "'\n")
  end)
  print(("errors: %d lines return one, tests take all of %d; %d are neither taken nor in %s"):format(total, taken, left,
    EXCEPTIONS))
  os.exit(left == 0)
end

main(arg[1] or "build/coverage/obj")
