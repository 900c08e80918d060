-- leeward test [DIR]: runs the specs of a mod under busted. The mod is in front of the roots, after what lies in its
-- folder `mods`.

local leeward = require "leeward"

local spec = {
  name = "test",
  summary = "run the specs of a mod under busted",
  positional = {
    { "DIR", "the mod's folder, its folder of specs or a spec (default: the current folder)", optional = true },
  },
  options = {
    { "--filter", "PATTERN", "only tests whose names have this pattern of Lua" },
    { "--verbose", nil, "show where errors come from" },
  },
}

-- Errors of the system are nil and a message.
local function exists(file)
  local handle = io.open(file, "rb")
  if handle then handle:close() end
  return handle ~= nil
end

-- find(given) --> folder of the mod, what busted is to run | nil, message
local function find(given)
  local is_file, other = leeward.is_file(given)
  if is_file then
    local folder = given:match "^(.*)[/\\][^/\\]*$" or "."
    return folder:gsub("[/\\]spec$", ""):gsub("^spec$", "."), given
  end
  if not exists(given) or other ~= "it is a directory" then
    return nil, ("there is no folder or file '%s'"):format(leeward.shown(given))
  end
  local folder = given:gsub("(.)[/\\]+$", "%1")
  if exists(folder .. "/spec") then return folder, folder .. "/spec" end
  local parent = folder:match "^(.+)[/\\]spec$" or (folder == "spec" and ".") or folder
  return parent, folder
end

-- Put the mod's folder and those in its `mods` in front of the roots.
local function add_roots(folder)
  local dir = require "pl.dir"
  local mods = exists(folder .. "/mods") and dir.getdirectories(folder .. "/mods") or {}
  table.sort(mods, function(a, b) return a > b end) -- the last one added is the first root
  local added = false
  for _, mod in ipairs(mods) do added = leeward.add_root(mod) or added end
  added = leeward.add_root(folder) or added
  if not added then return true end
  local files, message = leeward.reload() -- areas of the mods
  if not files then return nil, message end
  return true
end

local function run(given)
  local folder, specs = find(given.DIR or ".")
  if not folder then return nil, specs end
  local found, runner = pcall(require, "busted.runner")
  if not found then
    return nil, "busted cannot be loaded, expected it where Lua 5.4 finds modules (Debian: lua-busted)"
  end
  local ok, message = add_roots(folder)
  if not ok then return nil, message end
  local words = {
    [0] = "leeward test", "--helper=scripts.cli.test_count",
    "--lpath=" .. folder .. "/?.lua;" .. folder .. "/spec/?.lua",
  }
  if given.filter then words[#words + 1] = "--filter=" .. given.filter end
  if given.verbose then words[#words + 1] = "--verbose" end
  words[#words + 1] = specs
  _G.arg = words
  local exit = os.exit
  os.exit = function(code, ...) -- luacheck: ignore 122
    if code == nil or code == true or code == 0 then
      io.stderr:write "leeward test: os.exit() was called before all tests had run\n"
      code = 1
    end
    exit(code, ...)
  end
  runner { standalone = false } -- ends the program with status 1 where a test fails
  os.exit = exit -- luacheck: ignore 122
  if require("scripts.cli.test_count").tests > 0 then return true end
  return nil, given.filter and ("no test has '%s' in its name"):format(leeward.shown(given.filter))
    or "the specs have no tests"
end

return { spec = spec, run = run }
