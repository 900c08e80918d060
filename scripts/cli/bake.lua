-- leeward bake IN OUT

local leeward = require "leeward"
local bake_settings = require "scripts.cli.bake_settings"
local output = require "scripts.cli.output"
local routes = require "scripts.cli.routes"
local scene = require "scripts.cli.scene"
local terminal = require "scripts.cli.terminal"

local options = table.move(bake_settings.options, 1, #bake_settings.options, 1, {})
table.move({
  { "--tiles", "A:B", "bake only tiles A to B, a part for `leeward merge`; tiles count from 1, row by row; "
    .. "a B beyond the last tile means the last", type = "range" },
  { "--count-tiles", nil, "print the count of tiles and bake none" },
  { "--routes", "FILE", "also write OUT.lwr, costs and first points between the places that the Lua file FILE returns: "
    .. "{ places = { NAME = { x, y, z }, ... }, profile = NAME }" },
}, 1, 3, #options + 1, options)

local spec = {
  name = "bake",
  summary = "bake a level to a navmesh file",
  positional = {
    { "IN", "a bundled level, a level in Lua, or an OBJ, glTF or other file that Assimp reads" },
    { "OUT", "the navmesh file to write (.lwn)", optional = true },
  },
  options = scene.with_options(options),
  check = function(given)
    local wrong = scene.check(given)
    if wrong then return wrong end
    if (tonumber(given.visibility_table_range) or 0) > 0 and given.no_occluders
      and not bake_settings.of(given).cover_map then
      return ("--visibility-table-range is %g, expected 0 or --cover-map with --no-occluders"):format(
        given.visibility_table_range)
    end
    wrong = bake_settings.check(given)
    if wrong then return wrong end
    local found = (given.auto_drop and "--auto-drop") or (given.auto_jump and "--auto-jump")
    if tonumber(given.detail_near_cover) and tonumber(given.detail_near_cover) > 0 then
      if given.no_cover_segments then return "--detail-near-cover is given, expected none with --no-cover-segments" end
      found = found or "--detail-near-cover"
    end
    if found and given.tiles then return ("%s is given, expected none with --tiles"):format(found) end
    if given.routes and (given.tiles or given.count_tiles) then
      return ("--routes is given, expected none with %s"):format(given.tiles and "--tiles" or "--count-tiles")
    end
    if not given.count_tiles then
      return not given.OUT and "OUT is missing, expected a file name" or nil
    end
    if given.OUT then return "OUT is given, expected none with --count-tiles" end
    return given.tiles and "--tiles is given, expected none with --count-tiles" or nil
  end,
}

local function run(given)
  local level, message = scene.level(given.IN, given)
  if not level then return nil, message end
  if not level.geometry then return nil, ("'%s' is baked already"):format(leeward.shown(given.IN)) end
  local settings = bake_settings.of(given)
  settings.tiles = given.tiles
  if given.count_tiles then
    local tiles
    tiles, message = scene.count_tiles(level, settings)
    if not tiles then return nil, message end
    terminal.print(tiles)
    return true
  end
  local ok
  ok, message = output.check(given.OUT, "OUT", "navmesh")
  if not ok then return nil, message end
  local query, written
  if given.routes then
    query, written = routes.load(given.routes, given.OUT)
    if not query then return nil, written end
  end
  ok, message = scene.bake(level, settings)
  if not ok then return nil, message end
  local files
  files, message = scene.save(level, given.OUT)
  if not files then return nil, message end
  terminal.print(scene.describe(level))
  scene.print_refused(level.navmesh)
  if given.tiles then
    local first, report = given.tiles[1], level.report
    terminal.print(("tiles %d to %d of %d, %d of them empty; wrote %s"):format(first, first + report.tiles - 1,
      report.tiles_total, report.tiles_empty, given.OUT))
    return true
  end
  local low, high = level.navmesh:bounds()
  local triangles = level.geometry:stats().triangles
  terminal.print(("%d triangles; bounds %s to %s; wrote %s"):format(triangles, low, high, table.concat(files, ", ")))
  if not query then return true end
  local line
  line, message = routes.save(level.navmesh, query, given.routes, written)
  if not line then return nil, message end
  terminal.print(line)
  return true
end

return { spec = spec, run = run }
