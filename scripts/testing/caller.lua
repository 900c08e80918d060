--- Errors of these files are about the line of the test that called them.

local caller = {}

local OWN = "[/\\]?scripts[/\\]testing[/\\][%w_]+%.lua"

--- The message without the place in these files that Lua or a function of C has put before it.
function caller.stripped(message)
  return (message:gsub("^[^\n:]*" .. OWN .. ":%d+: ", ""))
end

--- Raise what an assertion has run into, at the nearest line that is of neither these files nor luassert.
function caller.raise(problem)
  if type(problem) ~= "string" then error(problem, 0) end
  local level = 2
  while true do
    local info = debug.getinfo(level, "S")
    if not info then error(caller.stripped(problem), 0) end
    if info.what ~= "C" and not info.source:find(OWN .. "$") and not info.source:find "luassert[/\\][^/\\]*$" then
      error(caller.stripped(problem), level)
    end
    level = level + 1
  end
end

return caller
