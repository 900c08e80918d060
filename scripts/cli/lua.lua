-- leeward lua SCRIPT [ARGS]: runs a script as the Lua interpreter does, with leeward's modules on the path.

local spec = {
  name = "lua",
  summary = "run a Lua script with leeward's modules on the path",
  positional = {
    { "SCRIPT", "the file to run; its arguments are in `arg` and `...`" },
    { "ARGS", "passed to the script", rest = true },
  },
}

local function run(given)
  local chunk, message = loadfile(given.SCRIPT)
  if not chunk then return nil, message end
  require "leeward" -- puts the roots on package.path
  _G.arg = given.ARGS
  _G.arg[0] = given.SCRIPT
  local ok
  ok, message = xpcall(chunk, function(problem)
    return debug.traceback(type(problem) == "string" and problem or tostring(problem), 2)
  end, table.unpack(given.ARGS))
  if not ok then return nil, message end
  return true
end

return { spec = spec, run = run }
