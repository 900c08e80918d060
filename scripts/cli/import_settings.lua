-- How a level file is read: as options of a command, and checked. Which values are right only the library knows.

local leeward = require "leeward"

local import_settings = {}

-- As options of a command. Values of type "setting" are not checked here.
import_settings.options = {
  { "--import-memory", "BYTES", "what reading a level file may take (default 900e6)", type = "setting" },
  { "--import-seconds", "N", "processor time that reading it may take (default 60)", type = "setting" },
  { "--import-allowed", "PATH", "a file or folder elsewhere that a glTF level may refer to; may be repeated",
    many = true },
  { "--import-in-process", nil, "read it in this process, which a hostile file may then crash" },
}

-- import_settings.of(given) --> the options of leeward.load_geometry among those that were given
function import_settings.of(given)
  return { memory = given.import_memory, seconds = given.import_seconds, allowed = given.import_allowed,
    in_process = given.import_in_process }
end

-- import_settings.check(given) --> nil, or what is wrong with the options: "--import-seconds is '0', expected ..."
function import_settings.check(given)
  local called, message = pcall(leeward.load_geometry, "/", import_settings.of(given)) -- which is no level
  if called then return nil end
  local key, expected = tostring(message):match "^load_geometry: ([%l_]+) .*(, expected .+)$"
  if not key then return message end
  return ("--import-%s is '%s'%s"):format(key, leeward.shown(given.texts["import_" .. key]), expected)
end

-- import_settings.explain(message) --> a message of leeward.load_geometry with the names of options for those of keys
function import_settings.explain(message)
  local function option(key) return "--import-" .. key:gsub("_", "-") end
  local text = message:gsub("^import: ([%l_]+)", option):gsub("the import's `([%l_]+)`", option)
  return (text:gsub("`(allowed)`", option):gsub("the setting `(in_process)`", option))
end

return import_settings
