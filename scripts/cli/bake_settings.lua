-- The settings of a bake: as options of a command, and checked. Which values are right only the library knows.

local leeward = require "leeward"

local bake_settings = {}

-- As options of a command; --no-NAME turns a setting off. Values of type "setting" are not checked here.
bake_settings.options = {
  { "--cell-size", "M", "width of a voxel", type = "setting" },
  { "--cell-height", "M", "height of a voxel", type = "setting" },
  { "--agent-radius", "M", "distance to keep from walls", type = "setting" },
  { "--agent-height", "M", "headroom needed", type = "setting" },
  { "--crouch-height", "M", "keep ground with less headroom, too, down to this; 0: none", type = "setting" },
  { "--agent-climb", "M", "highest step", type = "setting" },
  { "--agent-slope", "DEG", "steepest slope, in degrees", type = "setting" },
  { "--tile-size", "M", "width of a tile", type = "setting" },
  { "--min-region-area", "M2", "leave out islands smaller than this", type = "setting" },
  { "--merge-region-area", "M2", "merge regions smaller than this with their neighbours", type = "setting" },
  { "--max-edge-error", "M", "largest distance of a border from the voxels (default 1.3 cells)", type = "setting" },
  { "--max-edge-length", "M", "cut border edges at this length; 0: never", type = "setting" },
  { "--detail-distance", "M", "distance between height samples; 0: none", type = "setting" },
  { "--detail-error", "M", "largest distance of the surface from the samples", type = "setting" },
  { "--openness-range", "M", "length of the rays that measure how open a place lies; 0: not measured",
    type = "setting" },
  { "--depths", "M,M...", "cut polygons under water along these depths, up to eight, rising; 0: along none",
    type = "settings" },
  { "--heights", "M,M...", "cut polygons under ceilings along these headrooms, up to eight, rising; 0: along none",
    type = "settings" },
  { "--climbs", "M,M...", "cut polygons round steps that are higher than these, up to eight, rising; 0: measure none",
    type = "settings" },
  { "--seeds", "X,Y,Z", "where agents begin: leave out what nobody can reach from there; may be repeated",
    type = "point", many = true },
  { "--bounds", "A:B", "bake only what lies between two corners x,y,z:x,y,z", type = "box" },
  { "--visibility-table-range", "M", "bake a visibility table of the polygons up to this distance apart; 0: none",
    type = "setting" },
  { "--auto-drop", "M", "find drops from ledges up to this high; 0: none", type = "setting" },
  { "--auto-jump", "M", "find jumps over gaps up to this wide; 0: none", type = "setting" },
  { "--detail-near-cover", "M", "cut polygons smaller this near to cover; 0: nowhere", type = "setting" },
  { "--detail-edge", "M", "longest edge there", type = "setting" },
  { "--cover-map", nil, "bake a cover map, for accuracy = \"map\"; the next five options bake one, too" },
  { "--cover-map-direction", "W", "weight of new directions in choosing what it lists", type = "setting" },
  { "--cover-map-distance", "W", "weight of what is near", type = "setting" },
  { "--cover-map-occlusion", "W", "weight of what hides much", type = "setting" },
  { "--cover-map-target", "P", "part of what is hidden that it is to hide, 0 to 1", type = "setting" },
  { "--cover-map-cap", "N", "groups of occluders of a polygon at most", type = "setting" },
  { "--no-occluders", nil, "leave out what blocks sight, except for what a cover map needs" },
  { "--no-cover-segments", nil, "find no walls to take cover at" },
  { "--threads", "N", "count of threads that bake tiles; 0: one per processor", type = "setting" },
}

local CRITERIA = { "direction", "distance", "occlusion", "target", "cap" }

-- Options of a cover map become one table.
local function gather_criteria(settings)
  local criteria = {}
  for _, name in ipairs(CRITERIA) do
    criteria[name], settings["cover_map_" .. name] = settings["cover_map_" .. name], nil
  end
  if next(criteria) then settings.cover_map = criteria end
end

-- bake_settings.of(given) --> the settings among the options that were given
function bake_settings.of(given)
  local settings = {}
  for _, option in ipairs(bake_settings.options) do
    local key = option[1]:sub(3):gsub("%-", "_")
    local name = key:match("^no_(.+)")
    if given[key] ~= nil then settings[name or key] = not name and given[key] end
  end
  for _, key in ipairs { "depths", "heights", "climbs" } do
    local limits = settings[key]
    if limits and #limits == 1 and limits[1] == 0 then settings[key] = {} end
  end
  gather_criteria(settings)
  if settings.auto_drop or settings.auto_jump then
    settings.auto_links = { drop = settings.auto_drop, jump = settings.auto_jump }
    settings.auto_drop, settings.auto_jump = nil, nil
  end
  return settings
end

-- bake_settings.problem(settings) --> nil, or what the library says of them: "cell_size is 0, expected metres > 0"
function bake_settings.problem(settings)
  local everywhere = leeward.geometry()
  everywhere:add_box { at = { 0, 0, 0 }, size = { 1e6, 1e6, 1e6 } }
  local called, message = pcall(leeward.count_tiles, everywhere, settings)
  if called then return nil end -- what else may be wrong depends on the level
  return (tostring(message):gsub("^count_tiles: ", ""))
end

-- bake_settings.check(given) --> nil, or what is wrong with the options that were given: "--cell-size is '0', ..."
function bake_settings.check(given)
  local problem = bake_settings.problem(bake_settings.of(given))
  if not problem then return nil end
  local key, rest = problem:gsub("^auto_links%.", "auto_"):gsub("^cover_map%.", "cover_map_"):match("^([%w_]+)(.*)$")
  for _, option in ipairs(bake_settings.options) do
    if option[1] == "--" .. key:gsub("_", "-") then
      local value, expected = given.texts[key], rest:match("(, expected .+)$")
      if not value or not expected then return option[1] .. rest end
      return ("%s is '%s'%s"):format(option[1], leeward.shown(value), expected)
    end
  end
  return problem
end

return bake_settings
