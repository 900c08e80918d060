-- Ten thousand agents that wander on a level, for bench_wander.c: how many, where, and what lets a step pass.
local leeward = require "leeward"

local SHARED = os.getenv "LEEWARD_SHARED" or "../shared"

local function open()
  local file = SHARED .. "/levels/wz_highground.obj"
  local handle = io.open(file)
  if handle then
    handle:close()
    local geometry = assert(leeward.load_geometry(file))
    return "wz_highground", assert(leeward.bake(geometry, { cell_size = 0.3, agent_radius = 0.4 }))
  end
  local level = assert(require "scripts.cli.scene".load("courtyard", {}))
  return "courtyard, as " .. file .. " is not there", level.navmesh
end

local name, navmesh = open()
local world = leeward.world { navmesh = navmesh, seed = 1, history = 0 }
local count = 10000
for _ = 1, count do
  assert(world:spawn { profile = "civilian", at = assert(world:random_point {}), tree = "wander" })
end

return name, count, function() world:step(1 / 60) end
