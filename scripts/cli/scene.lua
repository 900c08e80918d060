-- Levels by name or file: a bundled level, a level in Lua, a baked navmesh, or anything that Assimp reads.

local leeward = require "leeward"
local args = require "scripts.cli.args"
local clock = require "scripts.cli.clock"
local progress = require "scripts.cli.progress"

local scene = {}

-- Every setting of the bake, as options of a command; --no-NAME turns a setting off.
scene.bake_options = {
  { "--cell-size", "M", "width of a voxel", type = "positive" },
  { "--cell-height", "M", "height of a voxel", type = "positive" },
  { "--agent-radius", "M", "distance to keep from walls", type = "not_negative" },
  { "--agent-height", "M", "headroom needed", type = "positive" },
  { "--agent-climb", "M", "highest step", type = "not_negative" },
  { "--agent-slope", "DEG", "steepest slope, in degrees", type = "not_negative" },
  { "--tile-size", "M", "width of a tile", type = "positive" },
  { "--min-region-area", "M2", "leave out islands smaller than this", type = "not_negative" },
  { "--merge-region-area", "M2", "merge regions smaller than this with their neighbours", type = "not_negative" },
  { "--max-edge-error", "M", "largest distance of a border from the voxels", type = "positive" },
  { "--max-edge-length", "M", "cut border edges at this length; 0: never", type = "not_negative" },
  { "--detail-distance", "M", "distance between height samples; 0: none", type = "not_negative" },
  { "--detail-error", "M", "largest distance of the surface from the samples", type = "not_negative" },
  { "--visibility-table-range", "M", "bake a visibility table of the polygons up to this distance apart; 0: none",
    type = "not_negative" },
  { "--cover-map", nil, "bake a cover map, for accuracy = \"map\"" },
  { "--no-occluders", nil, "leave out what blocks sight, except for what a cover map needs" },
  { "--no-cover-segments", nil, "find no walls to take cover at" },
  { "--threads", "N", "count of threads that bake tiles; 0: one per processor", type = "integer" },
}

-- For files without settings: levels in metres for people of 1.75 m.
scene.file_settings = {
  cell_size = 0.3, cell_height = 0.1, agent_radius = 0.4, agent_height = 1.75, agent_climb = 0.8, agent_slope = 45,
}

local LEVEL_KEYS = { "name", "geometry", "bake", "spawns" }

local function exists(file)
  local handle = io.open(file, "rb")
  if not handle then return false end
  -- A folder can be opened, but not read.
  local readable = handle:read(0) ~= nil or handle:seek("end") == 0
  handle:close()
  return readable
end

-- For commands that read a level.
scene.link_options = {
  { "--links", "FILE", "off-mesh links and volumes in RecastDemo's format (default: NAME.gset beside the level)" },
  { "--no-links", nil, "leave a NAME.gset beside the level alone" },
}

-- scene.check_links(given) --> a message for wrong usage, or nil
function scene.check_links(given)
  return given.links and given.no_links and "--links and --no-links are given, expected one of them" or nil
end

-- scene.find(name, folder) --> file | nil, message: a file as given, else scripts/FOLDER/NAME.lua along the roots.
function scene.find(name, folder)
  if exists(name) then return name end
  if name:find("[/\\]") then return nil, ("there is no file '%s'"):format(name) end
  local bundled = ("scripts/%s/%s.lua"):format(folder, name)
  local file = leeward.find(bundled)
  if file then return file end
  local names = {}
  for bundled_name in pairs(leeward.names("scripts/" .. folder)) do names[#names + 1] = bundled_name end
  table.sort(names)
  return nil, ("there is no file '%s' and no %s%s"):format(name, bundled, args.suggest(name, names))
end

-- scene.kind_of(value) --> "nil", "a number", ..., for messages
function scene.kind_of(value) return value == nil and "nil" or "a " .. type(value) end

-- scene.load_table(file, keys) --> what the Lua file returns, checked to be a table with these keys | nil, message
function scene.load_table(file, keys)
  local chunk, message = loadfile(file)
  if not chunk then return nil, message end
  local ok, result = xpcall(chunk, debug.traceback)
  if not ok then return nil, result end
  if type(result) == "function" then result = { geometry = result } end
  if type(result) ~= "table" then
    return nil, ("%s: result is %s, expected a table"):format(file, scene.kind_of(result))
  end
  local known = {}
  for _, key in ipairs(keys) do known[key] = true end
  for key in pairs(result) do
    if not known[key] then
      return nil, ("%s: unknown key '%s'%s"):format(file, key, args.suggest(tostring(key), keys))
    end
  end
  return result
end

-- The gset file for a level, or nil.
local function links_of(file, given)
  if given.no_links then return nil end
  if given.links then return given.links end
  local beside = file:gsub("%.%w+$", "") .. ".gset"
  return exists(beside) and beside or nil
end

local function stem(file) return (file:match("([^/\\]+)$"):gsub("%.%w+$", "")) end

local function load_lua_level(file)
  local level, message = scene.load_table(file, LEVEL_KEYS)
  if not level then return nil, message end
  if type(level.geometry) ~= "function" then
    return nil, ("%s: geometry is %s, expected a function(leeward) that returns a geometry"):format(file,
      scene.kind_of(level.geometry))
  end
  local ok, geometry = xpcall(level.geometry, debug.traceback, leeward)
  if not ok then return nil, geometry end
  if type(geometry) ~= "userdata" then
    return nil, ("%s: result of geometry is %s, expected a geometry"):format(file, scene.kind_of(geometry))
  end
  return { name = level.name or stem(file), spawns = level.spawns, geometry = geometry, settings = level.bake or {} }
end

-- scene.level(name, given) --> { name, geometry, settings, spawns, links } or { name, navmesh } | nil, message
-- Uses the options above of those given to the command.
function scene.level(name, given)
  given = given or {}
  local file, message = scene.find(name, "levels")
  if not file then return nil, message end
  if file:match("%.lua$") then
    local level
    level, message = load_lua_level(file)
    if level then level.links = links_of(file, given) end
    return level, message
  end
  if file:match("%.lwn$") then
    local navmesh
    navmesh, message = leeward.load_navmesh(file)
    if not navmesh then return nil, message end
    if given.links then return nil, ("'%s' is baked already, expected no --links"):format(name) end
    return { name = stem(file), navmesh = navmesh }
  end
  local geometry
  geometry, message = leeward.load_geometry(file)
  if not geometry then return nil, message end
  return { name = stem(file), geometry = geometry, settings = scene.file_settings, links = links_of(file, given) }
end

-- scene.settings(level, overrides) --> the level's settings of the bake, replaced by those in `overrides`
function scene.settings(level, overrides)
  local settings = {}
  for key, value in pairs(level.settings) do settings[key] = value end
  for key, value in pairs(overrides or {}) do settings[key] = value end
  return settings
end

-- scene.bake(level, overrides) --> true, and level.navmesh, .report and .seconds | nil, message
function scene.bake(level, overrides)
  local settings = scene.settings(level, overrides)
  settings.progress = progress("baking " .. level.name)
  settings.links = level.links
  local before = clock()
  local navmesh, report = leeward.bake(level.geometry, settings)
  if not navmesh then return nil, ("cannot bake %s: %s"):format(level.name, report) end
  level.navmesh, level.report, level.seconds = navmesh, report, clock() - before
  for _, note in ipairs(report.notes) do io.stderr:write("note: ", note, "\n") end
  return true
end

-- scene.load(name, given) --> level with its navmesh, baked if it was not | nil, message
function scene.load(name, given)
  local level, message = scene.level(name, given)
  if not level then return nil, message end
  if level.navmesh then return level end
  local ok
  ok, message = scene.bake(level)
  if not ok then return nil, message end
  return level
end

-- scene.counted(1, "island") --> "1 island"; scene.counted(2, "island") --> "2 islands"
function scene.counted(count, noun) return ("%d %s%s"):format(count, noun, count == 1 and "" or "s") end

-- scene.describe(level) --> one line
function scene.describe(level)
  local stats = level.navmesh:stats()
  local line = ("%s: %s in %s, %s, %s, %.1f KiB"):format(level.name, scene.counted(stats.polygons, "polygon"),
    scene.counted(stats.tiles, "tile"), scene.counted(stats.portals, "portal"), scene.counted(stats.islands, "island"),
    stats.bytes / 1024)
  local dropped = level.report and level.report.islands_dropped or 0
  if dropped > 0 then line = line .. (", %s left out"):format(scene.counted(dropped, "small island")) end
  if stats.offmesh_links + stats.offmesh_refused > 0 then
    line = line .. (", %s, %d refused"):format(scene.counted(stats.offmesh_links, "off-mesh link"),
      stats.offmesh_refused)
  end
  line = line .. (", openness %.2f"):format(stats.openness)
  if stats.deep_water > 0 then line = line .. (", %.1f %% deep water"):format(100 * stats.deep_water) end
  if stats.cover_segments > 0 then
    line = line .. (", %s"):format(scene.counted(stats.cover_segments, "cover segment"))
    if level.report then line = line .. (" found in %.0f ms"):format(1000 * level.report.cover_seconds) end
  end
  if stats.cover_map_bytes > 0 then
    line = line .. (", cover map of %.1f KiB with a mean error of %.2f %%"):format(stats.cover_map_bytes / 1024,
      100 * stats.cover_map_loss)
    if level.report then line = line .. (", baked in %.0f ms"):format(1000 * level.report.cover_map_seconds) end
  end
  if stats.visibility_table_bytes > 0 then
    line = line .. (", visibility table up to %g m of %.1f KiB: "):format(stats.visibility_table_range,
      stats.visibility_table_bytes / 1024)
    line = line .. ("%.1f %% hidden, %.1f %% visible, %.1f %% mixed"):format(100 * stats.pairs_hidden,
      100 * stats.pairs_visible, 100 * (1 - stats.pairs_hidden - stats.pairs_visible))
    if level.report then line = line .. (", baked in %.0f ms"):format(1000 * level.report.visibility_table_seconds) end
  end
  if level.seconds then line = line .. (", baked in %.2f s"):format(level.seconds) end
  return line
end

-- Print a line for each refused link and each refused added cover, with the reason.
function scene.print_refused(navmesh)
  for _, cover in ipairs(navmesh:refused_cover()) do
    print(("added cover %d, from %s to %s, is refused: %s"):format(cover.index, cover.from, cover.to, cover.reason))
  end
  if navmesh:stats().offmesh_refused == 0 then return end -- the links of a part are joined by merging
  for _, link in ipairs(navmesh:refused_links()) do
    print(("link %d, a %s from %s to %s, is refused: %s"):format(link.index, link.kind, link.from, link.to,
      link.reason))
  end
end

return scene
