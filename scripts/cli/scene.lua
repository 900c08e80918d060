-- Levels by name or file: a bundled level, a level in Lua, a baked navmesh, or anything that Assimp reads.

local leeward = require "leeward"
local args = require "scripts.cli.args"
local bake_settings = require "scripts.cli.bake_settings"
local clock = require "scripts.cli.clock"
local fields = require "scripts.cli.fields"
local import_settings = require "scripts.cli.import_settings"
local progress = require "scripts.cli.progress"
local terminal = require "scripts.cli.terminal"

local scene = {}

-- For files without settings: levels in metres for people of 1.8 m.
scene.file_settings = { cell_height = 0.1, agent_radius = 0.4, agent_height = 1.8, agent_climb = 0.8, agent_slope = 45 }

local LEVEL_FIELDS = {
  { "name", "a string", fields.is "string" },
  { "geometry", "a function(leeward) that returns a geometry", fields.is "function", required = true },
  { "bake", "a table of settings", fields.is "table" },
  { "tiles", "a table from names to functions(leeward) that return a geometry", function(value)
    if type(value) ~= "table" then return false end
    for name, build in pairs(value) do
      if type(name) ~= "string" or type(build) ~= "function" then return false end
    end
    return true
  end },
  { "spawns", "a table", fields.is "table" },
  { "regions", "a table of what leeward.regions takes", fields.is "table" },
}

-- For commands that read a level.
local OPTIONS = {
  { "--links", "FILE", "off-mesh links and volumes in RecastDemo's format (default: NAME.gset beside the level)" },
  { "--no-links", nil, "leave a NAME.gset beside the level alone" },
}
table.move(import_settings.options, 1, #import_settings.options, #OPTIONS + 1, OPTIONS)

-- scene.with_options(own) --> the options of a command that reads a level, its own ones first
function scene.with_options(own)
  return table.move(OPTIONS, 1, #OPTIONS, #own + 1, own)
end

-- scene.check(given) --> a message for wrong usage of those options, or nil
function scene.check(given)
  if given.links and given.no_links then return "--links and --no-links are given, expected one of them" end
  return import_settings.check(given)
end

-- scene.names(folder) --> the sorted names of what lies in scripts/FOLDER along the roots
function scene.names(folder)
  local names = {}
  for name in pairs(leeward.names("scripts/" .. folder)) do names[#names + 1] = name end
  table.sort(names)
  return names
end

-- scene.find(name, folder) --> file | nil, message: a file as given, else scripts/FOLDER/NAME.lua along the roots. If
-- the current folder has it, as that of a mod does, it is a root from then on.
function scene.find(name, folder)
  local is_file, other = leeward.is_file(name)
  if is_file then return name end
  if other and name:find "[/\\.]" then return nil, ("cannot read '%s': %s"):format(leeward.shown(name), other) end
  if name:find("[/\\]") then return nil, ("there is no file '%s'"):format(leeward.shown(name)) end
  local bundled = ("scripts/%s/%s.lua"):format(folder, name)
  local file = leeward.find(bundled)
  if not file and leeward.is_file(bundled) and leeward.add_root "." then
    local reloaded, message = leeward.reload() -- areas of the mod
    if not reloaded then return nil, message end
    file = leeward.find(bundled)
  end
  if file then return file end
  return nil, ("there is no file '%s' and no %s%s"):format(leeward.shown(name), leeward.shown(bundled),
    args.suggest(name, scene.names(folder)))
end

-- The gset file for a level, or nil.
local function links_of(file, given)
  if given.no_links then return nil end
  if given.links then return given.links end
  local beside = file:gsub("%.%w+$", "") .. ".gset"
  return leeward.is_file(beside) and beside or nil
end

local function stem(file) return (file:match("([^/\\]+)$"):gsub("%.%w+$", "")) end

-- try(f, ...) --> what f(...) returns | nil, the error of the library without the function's name
local function try(f, ...)
  local results = table.pack(pcall(f, ...))
  if results[1] then return table.unpack(results, 2, results.n) end
  return nil, (tostring(results[2]):gsub("^[%w_]+: ", ""))
end

-- Call a level's function. --> its geometry | nil, message
local function build(file, what, geometry_of)
  local ok, geometry, reason = xpcall(geometry_of, fields.traced, leeward)
  if not ok then return nil, geometry end
  if not geometry and type(reason) == "string" then return nil, ("%s: %s"):format(leeward.shown(file), reason) end
  if getmetatable(geometry) ~= "leeward.geometry" then
    return nil, fields.wrong(file, "result of " .. what, geometry, "a geometry")
  end
  return geometry
end

-- The geometry of each name in `tiles`. --> table, or nil if there are no names | nil, message
local function build_all(file, tiles)
  local all
  for name, geometry_of in pairs(tiles or {}) do
    local geometry, message = build(file, "tiles." .. leeward.shown(name), geometry_of)
    if not geometry then return nil, message end
    all = all or {}
    all[name] = geometry
  end
  return all
end

local function load_lua_level(file)
  local level, message = fields.load(file, LEVEL_FIELDS)
  if not level then return nil, message end
  local problem = level.bake and bake_settings.problem(level.bake)
  if problem then
    local key = problem:match("^unknown key '(.*)$")
    return nil, ("%s: %s"):format(file, key and "unknown key 'bake." .. key or "bake." .. problem)
  end
  local geometry, states
  geometry, message = build(file, "geometry", level.geometry)
  if not geometry then return nil, message end
  states, message = build_all(file, level.tiles)
  if message then return nil, message end
  return { name = level.name or stem(file), spawns = level.spawns, regions = level.regions, geometry = geometry,
    states = states, settings = level.bake or {} }
end

local function level_of(name, file, given)
  if file:match("%.lua$") then
    local level, message = load_lua_level(file)
    if level then level.links = links_of(file, given) end
    return level, message
  end
  if file:match("%.lwn$") then
    local navmesh, message = leeward.load_navmesh(file)
    if not navmesh then return nil, message end
    if given.links then return nil, ("'%s' is baked already, expected no --links"):format(leeward.shown(name)) end
    return { name = stem(file), navmesh = navmesh, file = file }
  end
  local geometry, message = try(leeward.load_geometry, file, import_settings.of(given))
  if not geometry then return nil, import_settings.explain(message) end
  return { name = stem(file), geometry = geometry, settings = scene.file_settings, links = links_of(file, given) }
end

-- scene.level(name, given) --> { name, stem, geometry, states, settings, spawns, links } or
--                              { name, stem, navmesh, file } | nil, message
-- `stem` is the file's name, by which permutations name the level; `states` has the geometry of each of its `tiles`, or
-- is nil. Uses the options above of those given to the command.
function scene.level(name, given)
  local file, message = scene.find(name, "levels")
  if not file then return nil, message end
  local level
  level, message = level_of(name, file, given or {})
  if level then level.stem = stem(file) end
  return level, message
end

-- scene.settings(level, overrides) --> the level's settings of the bake, replaced by those in `overrides`
function scene.settings(level, overrides)
  local settings = {}
  for key, value in pairs(level.settings) do settings[key] = value end
  for key, value in pairs(overrides or {}) do settings[key] = value end
  return settings
end

-- --> navmesh, report, tiles by name | nil, message
local function bake(level, settings)
  if not level.states or settings.tiles then return try(leeward.bake, level.geometry, settings) end
  local navmesh, tiles, report = try(leeward.bake_permutations, level.geometry, level.states, settings)
  if not navmesh then return nil, tiles end
  return navmesh, report, tiles
end

-- scene.bake(level, overrides) --> true, and level.navmesh, .tiles, .report and .seconds | nil, message
function scene.bake(level, overrides)
  local settings = scene.settings(level, overrides)
  settings.progress = progress("baking " .. level.name)
  settings.links = level.links
  local before = clock()
  local navmesh, report, tiles = bake(level, settings)
  if not navmesh then return nil, ("cannot bake %s: %s"):format(leeward.shown(level.name), report) end
  level.navmesh, level.tiles, level.report, level.seconds = navmesh, tiles, report, clock() - before
  for _, note in ipairs(report.notes) do terminal.warn("note: " .. note) end
  return true
end

-- scene.count_tiles(level, overrides) --> how many tiles scene.bake() would bake | nil, message
function scene.count_tiles(level, overrides)
  local tiles, message = try(leeward.count_tiles, level.geometry, scene.settings(level, overrides))
  if not tiles then return nil, ("cannot bake %s: %s"):format(leeward.shown(level.name), message) end
  return tiles
end

-- scene.permutations(level) --> sorted list of the names of those in scripts/permutations | nil, message
function scene.permutations(level)
  local definitions, message = try(leeward.permutations, level.stem)
  if not definitions then return nil, message end
  local names = {}
  for name in pairs(definitions) do names[#names + 1] = name end
  table.sort(names)
  return names
end

-- Set the states of `wanted`, a list of { name, state }. --> true | nil, message
local function set_states(world, wanted)
  for _, pair in ipairs(wanted) do
    local ok, message = try(world.set_permutation, world, pair.name, pair.state)
    if not ok and message then
      return nil, ("--permutation is '%s=%s': %s"):format(leeward.shown(pair.name), leeward.shown(pair.state), message)
    end
  end
  return true
end

-- The levels that permutations belong to, as text: 'arena', 'yard'.
local function levels_with_permutations()
  local levels, names = {}, {}
  for _, definition in pairs(leeward.permutations()) do
    local of = definition.level or {}
    for _, level in ipairs(type(of) == "table" and of or { of }) do levels[level] = true end
  end
  for level in pairs(levels) do names[#names + 1] = ("'%s'"):format(leeward.shown(level)) end
  table.sort(names)
  return names[1] and table.concat(names, ", ") or "none"
end

-- Check before the bake that the level's permutations have the wanted states: in a world of one triangle, whose
-- permutations have the same states, all empty. --> true | nil, message
local function check_states(level, wanted)
  if not wanted or not wanted[1] then return true end
  local names, message = scene.permutations(level)
  if not names then return nil, message end
  if not names[1] then
    local pair = wanted[1]
    return nil, ("--permutation is '%s=%s', but no permutation belongs to the level '%s', which is named by its file; "
      .. "levels that have some are %s"):format(leeward.shown(pair.name), leeward.shown(pair.state),
      leeward.shown(level.stem), levels_with_permutations())
  end
  local navmesh = leeward.navmesh { vertices = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 0, 1 } }, polygons = { { 1, 2, 3 } } }
  local world <close> = leeward.world { navmesh = navmesh }
  for _, name in ipairs(names) do
    local definition = leeward.permutations(level.stem)[name]
    local states = { default = definition.default }
    for key, value in pairs(definition) do
      if type(value) == "table" and key ~= "level" then states[key] = {} end
    end
    local ok
    ok, message = try(world.permutation, world, name, states)
    if not ok then return nil, message end
  end
  return set_states(world, wanted)
end

-- scene.load(name, given) --> level with its navmesh, baked if it was not | nil, message
function scene.load(name, given)
  local level, message = scene.level(name, given)
  if not level then return nil, message end
  local ok
  ok, message = check_states(level, given.permutation)
  if not ok then return nil, message end
  if level.navmesh then return level end
  ok, message = scene.bake(level)
  if not ok then return nil, message end
  return level
end

-- Where the tiles of a name are kept, beside a navmesh.
local function file_of_tiles(file, name) return ("%s.%s.lwn"):format(file:gsub("%.lwn$", ""), name) end

-- scene.save(level, file) --> list of the files written: the navmesh, and one for each name of the level's tiles
--                           | nil, message
function scene.save(level, file)
  local ok, message = level.navmesh:save(file)
  if not ok then return nil, message end
  local files, names = { file }, {}
  for name in pairs(level.tiles or {}) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do
    files[#files + 1] = file_of_tiles(file, name)
    ok, message = level.tiles[name].source:save(files[#files])
    if not ok then return nil, message end
  end
  return files
end

-- The names of tiles that states of these permutations have, each with the permutation.
local function names_of_tiles(definitions)
  local names = {}
  for permutation, definition in pairs(definitions) do
    for _, state in pairs(definition) do
      if type(state) == "table" and type(state.tiles) == "string" then names[state.tiles] = permutation end
    end
  end
  return names
end

-- Read the tiles beside a navmesh that its permutations name. --> true | nil, message
local function load_tiles(level, definitions)
  level.tiles = level.tiles or {}
  for name, permutation in pairs(names_of_tiles(definitions)) do
    if not level.tiles[name] and level.file then
      local file = file_of_tiles(level.file, name)
      local navmesh, message = leeward.load_navmesh(file)
      if not navmesh then
        return nil, ("permutation '%s': tiles '%s': %s; `leeward bake` writes that file with the level's"):format(
          leeward.shown(permutation), leeward.shown(name), message)
      end
      local base, tiles = try(leeward.bake_permutations, level.navmesh, { [name] = navmesh })
      if not base then return nil, ("'%s': %s"):format(leeward.shown(file), tiles) end
      level.tiles[name] = tiles[name]
    end
  end
  return true
end

-- The option of commands whose world has the level's permutations.
scene.permutation_option = { "--permutation", "NAME=STATE",
  "a permutation of the level and the state that it begins in; may be repeated", type = "state", many = true }

-- scene.define_permutations(world, level) --> true, and the world has the level's, each in its first state
--                                         | nil, message
function scene.define_permutations(world, level)
  local names, message = scene.permutations(level)
  if not names then return nil, message end
  local ok
  ok, message = load_tiles(level, leeward.permutations(level.stem))
  if not ok then return nil, message end
  for name, tiles in pairs(level.tiles) do world:name_tiles(name, tiles) end
  for _, name in ipairs(names) do
    ok, message = try(world.permutation, world, name)
    if not ok then return nil, message end
  end
  return true
end

-- scene.divide(world, level) --> true, and the world has the level's regions | nil, message
function scene.divide(world, level)
  local message
  if not level.divided then level.divided, message = try(leeward.regions, level.navmesh, level.regions) end
  if not level.divided then return nil, message end
  world:set_regions(level.divided)
  return true
end

-- scene.new_world(level, given, seed) --> world with the level's regions, and its permutations in the states that
--                                         --permutation gives, else their first ones | nil, message
function scene.new_world(level, given, seed)
  local world = leeward.world { navmesh = level.navmesh, seed = seed }
  local ok, message = scene.define_permutations(world, level)
  if ok then ok, message = set_states(world, given.permutation or {}) end
  if ok then ok, message = scene.divide(world, level) end
  if not ok then return nil, message end
  world:apply_changes() -- agents that are spawned now find the paths that there are
  return world
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
  local lost = level.report and level.report.islands_unreachable or 0
  if lost > 0 then line = line .. (", %s left out"):format(scene.counted(lost, "unreachable island")) end
  if stats.offmesh_links + stats.offmesh_refused > 0 then
    line = line .. (", %s, %d refused"):format(scene.counted(stats.offmesh_links, "off-mesh link"),
      stats.offmesh_refused)
  end
  local report = level.report
  if report and report.used.auto_links.drop + report.used.auto_links.jump > 0 then
    line = line .. (", %s found in %.0f ms"):format(scene.counted(report.auto_links, "link"),
      1000 * report.auto_link_seconds)
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
