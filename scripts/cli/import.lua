-- leeward import IN OUT

local leeward = require "leeward"
local output = require "scripts.cli.output"
local scene = require "scripts.cli.scene"
local terminal = require "scripts.cli.terminal"

local spec = {
  name = "import",
  summary = "convert another program's navmesh to a navmesh file",
  positional = {
    { "IN", "Polyanya's .mesh (version 2), or Detour's tile set as RecastDemo saves it" },
    { "OUT", "the navmesh file to write (.lwn)" },
  },
  options = {
    { "--areas", "LIST", "names of Detour's areas, such as 0=ground,2=road (default: 0 and 63 are ground)" },
  },
}

-- "0=ground,2=road" --> { [0] = "ground", [2] = "road" } | nil, message
local function read_areas(text)
  local areas = {}
  for part in (text .. ","):gmatch("([^,]*),") do
    local number, name = part:match("^%s*(%d+)%s*=%s*(.-)%s*$")
    number = math.tointeger(tonumber(number))
    if not number or number > 63 or name == "" then
      return nil, ("--areas has '%s', expected NUMBER=NAME with a number from 0 to 63"):format(leeward.shown(part))
    end
    areas[number] = name
  end
  return areas
end

local function run(given)
  local settings = {}
  if given.areas then
    local areas, message = read_areas(given.areas)
    if not areas then return nil, message, "usage" end
    settings.areas = areas
  end
  local writable, problem = output.check(given.OUT, "OUT", "navmesh")
  if not writable then return nil, problem end
  local called, navmesh, reason = pcall(leeward.import_navmesh, given.IN, settings)
  if not called then return nil, navmesh end -- an area that is not defined
  if not navmesh then return nil, reason end
  local saved, message = navmesh:save(given.OUT)
  if not saved then return nil, message end
  local low, high = navmesh:bounds()
  terminal.print(scene.describe { name = given.IN:match("([^/\\]+)$"), navmesh = navmesh })
  scene.print_refused(navmesh)
  terminal.print(("bounds %s to %s; wrote %s"):format(low, high, given.OUT))
  return true
end

return { spec = spec, run = run }
