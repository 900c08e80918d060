--- Mods as players install them: a folder in front of what ships, seen by a Lua of its own.
local leeward = require "leeward"

local mods = {}
local mod = {}
mod.__index = mod

--- What scripts of the mod find before their own lines.
local PRELUDE = [[
local leeward = require "leeward"
local MOD = "%s"
local function write(file, text)
  local handle = assert(io.open(MOD .. "/" .. file, "w"))
  handle:write(text)
  handle:close()
end
local function fails(f, ...)
  local good, message = pcall(f, ...)
  print(good and "no error" or message)
end
]]

--- An empty mod in a folder of its own; others stand behind it.
function mods.new(...)
  local folder = os.tmpname()
  os.remove(folder)
  assert(os.execute(("mkdir -p '%s/scripts/profiles' '%s/scripts/permutations'"):format(folder, folder)))
  local path = { folder }
  for _, other in ipairs { ... } do path[#path + 1] = other.folder end
  path[#path + 1] = leeward.roots()[1]
  return setmetatable({ folder = folder, path = table.concat(path, ";") }, mod)
end

function mod:remove() os.execute(("rm -rf '%s'"):format(self.folder)) end

function mod:write(file, text)
  local handle = assert(io.open(self.folder .. "/" .. file, "wb"))
  handle:write(text)
  handle:close()
end

function mod:profile(name, text) self:write(("scripts/profiles/%s.lua"):format(name), text) end

function mod:permutation(name, text) self:write(("scripts/permutations/%s.lua"):format(name), text) end

--- What the script prints, with MOD for the mod's folder. Its own file is MOD/test.lua.
function mod:run(script)
  self:write("test.lua", (PRELUDE:format(self.folder):gsub("\n", " ")) .. "\n" .. script)
  local pipe = assert(io.popen(("LEEWARD_PATH='%s' LUA_CPATH='%s' lua5.4 '%s/test.lua' 2>&1"):format(self.path,
    package.cpath, self.folder)))
  local output = pipe:read("a")
  pipe:close()
  return (output:gsub(self.folder:gsub("%p", "%%%0"), "MOD"):gsub("\n$", ""))
end

--- The program with this mod: exit status, standard output, standard error. MOD stands for the mod's folder, in the
--- arguments, too.
function mod:program(...)
  local words = {}
  for index, word in ipairs { ... } do
    words[index] = "'" .. word:gsub("MOD", self.folder):gsub("'", "'\\''") .. "'"
  end
  local pipe = assert(io.popen(("LEEWARD_PATH='%s' '%s/leeward' %s 2>'%s/stderr'"):format(self.folder,
    os.getenv("BUILD") or "build", table.concat(words, " "), self.folder)))
  local output = pipe:read("a")
  local _, _, status = pipe:close()
  local handle = assert(io.open(self.folder .. "/stderr"))
  local errors = handle:read("a")
  handle:close()
  local folder = self.folder:gsub("%p", "%%%0")
  return status, (output:gsub(folder, "MOD")), (errors:gsub(folder, "MOD"))
end

return mods
