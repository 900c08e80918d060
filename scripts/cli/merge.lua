-- leeward merge OUT PART...

local leeward = require "leeward"
local output = require "scripts.cli.output"
local scene = require "scripts.cli.scene"
local terminal = require "scripts.cli.terminal"

local spec = {
  name = "merge",
  summary = "join the parts of a level that `leeward bake --tiles` wrote",
  positional = {
    { "OUT", "the navmesh file to write (.lwn): the same bytes as from a whole bake" },
    { "PART", "all parts of the level, in any order", many = true },
  },
}

local function run(given)
  local writable, problem = output.check(given.OUT, "OUT", "navmesh")
  if not writable then return nil, problem end
  local parts = {}
  for i, file in ipairs(given.PART) do
    local message
    parts[i], message = leeward.load_navmesh(file)
    if not parts[i] then return nil, message end
  end
  local navmesh, message = leeward.merge_navmeshes(parts)
  if not navmesh then
    -- The message numbers the parts; name their files instead.
    message = message:gsub("part (%d+)", function(number)
      return ("'%s'"):format(leeward.shown(given.PART[tonumber(number)]))
    end)
    return nil, message
  end
  local ok
  ok, message = navmesh:save(given.OUT)
  if not ok then return nil, message end
  terminal.print(scene.describe { name = given.OUT:match("([^/\\]+)$"), navmesh = navmesh })
  scene.print_refused(navmesh)
  local low, high = navmesh:bounds()
  terminal.print(("%s; bounds %s to %s; wrote %s"):format(scene.counted(#parts, "part"), low, high, given.OUT))
  return true
end

return { spec = spec, run = run }
