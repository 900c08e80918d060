-- leeward COMMAND ...: each command is a file beside this one that returns { spec =, run = }.
-- run(given) --> true | nil, message [, "usage"]: the message is about wrong usage.
-- Exit status: 0 success, 1 failure, 2 wrong usage.

local loaded, leeward = pcall(require, "leeward") -- reads scripts/areas.lua
if not loaded then
  io.stderr:write("leeward: ", (tostring(leeward):gsub("^leeward: ", "")), "\n")
  return 1
end

local args = require "scripts.cli.args"
local terminal = require "scripts.cli.terminal"

local COMMANDS = { "run", "bake", "merge", "import", "path", "exposure", "profile", "view", "lua", "test", "new" }

-- Writes "leeward COMMAND: message", without the command where there is none.
local function complain(command, message)
  terminal.warn(("leeward%s: %s"):format(command and " " .. command or "", message))
end

local function complain_of_usage(command, message)
  complain(command.name, ("%s\n%s; --help explains them"):format(message, args.usage(command)))
  return 2
end

local function overview()
  local rows = {}
  for _, name in ipairs(COMMANDS) do
    rows[#rows + 1] = { name, require("scripts.cli." .. name).spec.summary }
  end
  local lines = args.columns(rows)
  table.insert(lines, 1, "usage: leeward COMMAND [arguments]\n\nNavigation and behaviour for game AI.\n")
  lines[#lines + 1] = "\n`leeward COMMAND --help` explains a command; `leeward --version` prints the version."
  return table.concat(lines, "\n")
end

local function is_command(name)
  for _, command in ipairs(COMMANDS) do
    if command == name then return true end
  end
  return false
end

local function main(name, ...)
  if not name then
    io.stderr:write(overview(), "\n")
    return 2
  end
  if name == "help" and ... then return main(..., "--help") end
  if name == "--help" or name == "-h" or name == "help" then
    print(overview())
    return 0
  end
  if name == "--version" then
    print("leeward " .. leeward.version)
    return 0
  end
  if not is_command(name) then
    local what, suggestion = name:sub(1, 1) == "-" and "option" or "command", args.suggest(name, COMMANDS)
    complain(nil, ("unknown %s '%s'%s `leeward --help` lists them all"):format(what, leeward.shown(name),
      suggestion ~= "" and suggestion or "."))
    return 2
  end
  local command = require("scripts.cli." .. name)
  local given, message = args.parse(command.spec, { ... })
  if not given then return complain_of_usage(command.spec, message) end
  if given.help then
    print(args.help(command.spec))
    return 0
  end
  local ok, what
  ok, message, what = command.run(given)
  if ok then return 0 end
  if what == "usage" then return complain_of_usage(command.spec, message) end
  complain(name, message)
  return 1
end

return main(...)
