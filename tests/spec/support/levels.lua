-- The shared levels: real ones, from other projects. They lie outside the repository; specs that need
-- them are pending, with a message, where they are missing.
local leeward = require "leeward"

local levels = {
  names = {
    "recast_nav_test", "recast_undulating", "recast_dungeon", "fd1_e1m1", "fd2_map01",
    "oa_aggressor", "oa_kaos2", "oa_wrackdm17", "wz_highground",
  },
  settings = {
    cell_size = 0.3, cell_height = 0.1, agent_radius = 0.4, agent_height = 1.75, agent_climb = 0.8, agent_slope = 45,
  },
}

function levels.file(name)
  return (os.getenv("LEEWARD_SHARED") or "../shared") .. "/levels/" .. name .. ".obj"
end

function levels.has(name)
  local file = io.open(levels.file(name), "rb")
  if file then file:close() end
  return file ~= nil
end

function levels.bake(name)
  local geometry = assert(leeward.load_geometry(levels.file(name)))
  return assert(leeward.bake(geometry, levels.settings))
end

return levels
