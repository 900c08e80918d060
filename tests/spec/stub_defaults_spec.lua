-- The defaults that stubs and headers promise are those that there are: what lw_*_default() sets, and what constructors
-- of nodes fill in.
local output_of = require "support.shell"
local read_stub = dofile "bindings/docs/stubs.lua"
local leeward = require "leeward"

local BUILD = os.getenv "BUILD" or "build"

local function floor()
  return leeward.navmesh {
    vertices = { { 0, 0, 0 }, { 9, 0, 0 }, { 9, 0, 9 }, { 0, 0, 9 } }, polygons = { { 1, 2, 3, 4 } },
  }
end

-- Which structure of C a class of the stubs is filled into.
local STRUCTS = {
  AgentDefinition = "lw_agent_def", AgentsQuery = "lw_agents_query", Area = "lw_area_def",
  BakeSettings = "lw_bake_settings", AutoLinks = "lw_bake_settings.auto_links",
  CoverMapCriteria = "lw_bake_settings.cover.criteria", ExposureQuery = "lw_exposure_query",
  CoverSegmentQuery = "lw_cover_segment_query", CoverWeights = "lw_cover_query.weights",
  CoverOptions = "lw_cover_query", CoverQuery = "lw_cover_query", DangerDefinition = "lw_danger_def",
  DeathDanger = "lw_danger_def", FireLaneDefinition = "lw_fire_lane_def",
  GroupDefinition = "lw_group_def", GroupMove = "lw_group_move", Import = "lw_import_settings",
  LinkDefinition = "lw_link_def", NewLink = "lw_link_def", Water = "lw_water_def", AddedCover = "lw_cover_def",
  NavmeshDefinition = "lw_navmesh_def", ObstacleDefinition = "lw_obstacle_def", RestingObstacle = "lw_obstacle_def",
  DriveQuery = "lw_drive_query", FieldQuery = "lw_distance_field_def", RouteQuery = "lw_route_table_def",
  RegionsDefinition = "lw_regions_def",
  RegionAtQuery = "lw_path_query", RegionPlanQuery = "lw_room_plan_query",
  PathQuery = "lw_path_query", Profile = "lw_profile_def", RandomPointQuery = "lw_random_point_query",
  GroundQuery = "lw_path_query", ThreatNumbers = "lw_threat", ThreatDefinition = "lw_threat_def",
  WorldDefinition = "lw_world_def", MoveOptions = "lw_move_options", Noise = "lw_noise",
  Whiskers = "lw_profile_def.body.whiskers", Trailer = "lw_profile_def.body.trailer",
  Senses = "lw_profile_def.senses", Sight = "lw_profile_def.senses.sight", Hearing = "lw_profile_def.senses.hearing",
}

-- The field of C that has another name.
local FIELDS = {
  ["BakeSettings.crouch_height"] = "lw_bake_settings.limits.crouch_height",
  ["Profile.can_crouch"] = "lw_profile_def.body.can_crouch",
  ["AddedCover.cover"] = "lw_cover_def.kind", ["BakeSettings.cover_segments"] = "lw_bake_settings.cover.segments",
  ["BakeSettings.cover_map"] = "lw_bake_settings.cover.map",
  ["BakeSettings.detail_edge"] = "lw_bake_settings.cover.detail_edge",
  ["BakeSettings.detail_near_cover"] = "lw_bake_settings.cover.detail_near",
}
for _, name in ipairs { "acceleration", "deceleration", "lateral_acceleration", "turn_rate", "caution", "turn_radius",
  "priority", "mass" } do
  FIELDS["Profile." .. name] = "lw_profile_def.body." .. name
end

for _, name in ipairs { "wheelbase", "length", "width", "reverse_cost" } do
  FIELDS["Profile." .. name] = "lw_profile_def.body.vehicle." .. name
end

-- Defaults that no structure of C has: the file that has them, and where in it, as a pattern of Lua around VALUE.
local ELSEWHERE = {
  ["pose.alpha"] = { "bindings/lua/pose.c", "lua_isnil%(L, 2%) %? VALUE :" },
  ["CoverOptions.limit"] = { "bindings/lua/cover_points.c", "LIMIT = VALUE," },
  ["ReserveOptions.leash"] = { "runtime/include/leeward/cover_points.h", "LW_COVER_LEASH VALUE" },
  ["Import.memory"] = { "runtime/include/leeward/geometry.h", "LW_IMPORT_MEMORY_DEFAULT VALUE" },
  ["Import.seconds"] = { "runtime/include/leeward/geometry.h", "LW_IMPORT_SECONDS_DEFAULT VALUE" },
  ["Water.shallow"] = { "runtime/geometry/geometry.c", '"shallow", "VALUE"' },
  ["Water.deep"] = { "runtime/geometry/geometry.c", '"deep", "VALUE"' },
  ["PictureOptions.width"] = { "bindings/sdl/picture.c", '"width", &side_range, VALUE%)' },
  ["GraphOptions.width"] = { "bindings/sdl/graph.c", '"width", &side, VALUE%)' },
  ["GraphOptions.height"] = { "bindings/sdl/graph.c", '"height", &side, VALUE%)' },
  ["PixelOptions.x"] = { "bindings/sdl/picture.c", '"x", &pixel_range, VALUE%)' },
  ["PixelOptions.y"] = { "bindings/sdl/picture.c", '"y", &pixel_range, VALUE%)' },
  ["NewLink.cost"] = { "bindings/lua/link.c", "float cost = VALUE;" },
  ["Profile.speed_factor"] = { "runtime/cost/profile.c", "speed_factor%[area%] = VALUE;" },
  ["WallQuery.max"] = { "bindings/lua/query.c", "float max = VALUE;" },
  ["set_regions.navmesh"] = { "bindings/lua/region_world.c", "lua_Integer navmesh = VALUE;" },
  ["step.work"] = { "bindings/lua/planner.c", "lua_Integer work = VALUE;" },
  ["PathRequestQuery.priority"] = { "bindings/lua/planner.c", "int priority = VALUE;" },
  ["RebuildOptions.threads"] = { "bindings/lua/tiles.c", "settings.threads = VALUE;" },
  ["WorldDefinition.leaf_instructions"] = { "bindings/lua/world.c", "LEAF_INSTRUCTIONS = VALUE" },
  ["WorldDefinition.leaf_seconds"] = { "bindings/lua/world.c", "LEAF_SECONDS = VALUE" },
  ["WhyOptions.details"] = { "bindings/lua/history.c", "bool details = VALUE;" },
  ["AgentDefinition.stance"] = { "runtime/cost/profile.c", 'human_stances%[%] = {{"VALUE"' },
  ["ExposureQuery.stance"] = { "runtime/cost/profile.c", 'human_stances%[%] = {{"VALUE"' },
  ["PathQuery.stance"] = { "runtime/cost/profile.c", 'human_stances%[%] = {{"VALUE"' },
  ["move_to.options"] = { "bindings/lua/agent.c", "float within = VALUE;" },
  ["move_to_and_wait.options"] = { "bindings/lua/agent.c", "float within = VALUE;" }, -- it calls agent:move_to
  ["contains.options"] = { "bindings/lua/query.c", "float tolerance = VALUE;" },
  ["shown.bytes"] = { "bindings/lua/lwl.h", "LWL_SHOWN_MAX VALUE" },
  ["set_cost.metres"] = { "bindings/lua/link.c", "lua_isnoneornil%(L, 2%) %? VALUE : lwl_check_number" },
  ["navmesh.index"] = { "bindings/lua/path.c", "lua_Integer index = VALUE;" },
  ["navmesh_version.number"] = { "bindings/lua/world.c", "lua_Integer number = VALUE;" },
  ["navmesh.number"] = { "bindings/lua/world.c", "lua_Integer number = VALUE;" },
  ["run_until.seconds"] = { "scripts/testing/init.lua", "seconds or VALUE%)" },
  ["reaches.within"] = { "scripts/testing/assertions.lua", "SECONDS = VALUE" },
  ["reaches.distance"] = { "scripts/testing/assertions.lua", "NEAR = VALUE" },
  ["enters.within"] = { "scripts/testing/assertions.lua", "SECONDS = VALUE" },
  ["near.tolerance"] = {
    "scripts/testing/assertions.lua", "tolerance = arguments%[1%], arguments%[2%], arguments%[3%] or VALUE",
  },
  ["CoverQuery.profile"] = {
    "runtime/include/leeward/cover_points.h", "default NULL: `VALUE`%]\n  const lw_profile",
  },
  ["InvestigateOptions.at"] = { "behaviors/nodes/investigate.lua", 'options.at or "VALUE"' },
  ["SearchOptions.around"] = { "behaviors/nodes/search.lua", 'options.around or "VALUE"' },
  ["ReserveDefinition.scope"] = { "behaviors/nodes/reserve.lua", 'scope = "VALUE", %-%-' },
  ["SandboxOptions.instructions"] = { "bindings/lua/sandbox.c", "instructions = VALUE;" },
  ["SandboxOptions.seconds"] = { "bindings/lua/sandbox.c", "float seconds = VALUE;" },
  ["SandboxOptions.seed"] = { "bindings/lua/sandbox.c", "uint64_t seed = VALUE;" },
  ["run.chunkname"] = { "bindings/lua/sandbox.c", 'lua_isnil%(L, NAME%) %? "VALUE"' },
  ["testing.Options.seed"] = { "scripts/testing/stage.lua", "options.seed or VALUE" },
  ["testing.MapOptions.square"] = { "scripts/testing/map.lua", "options.square or VALUE" },
  ["testing.SpawnOptions.profile"] = { "scripts/testing/stage.lua", 'given.profile or "VALUE"' },
}

-- What an absent option is by itself: nothing is set, or no pass is made.
local ABSENT = {
  ["Composite.reactive"] = "false", ["SightOptions.shots"] = "false", ["Import.in_process"] = "false",
  ["NamedProfile.patch"] = "false", ["ReachableQuery.polygons"] = "false", ["Box.yaw"] = "0", ["Ramp.thickness"] = "0",
  ["MarkBox.yaw"] = "0", ["Utility.hysteresis"] = "0", ["ConditionDefinition.abort"] = "none", ["Parallel.fail"] = "1",
  ["emit.value"] = "true", ["send.value"] = "true",
}

-- Of one number for all polygons, or each: what a navmesh without them says, and a query without a snap box.
local ASKED = {
  ["NavmeshDefinition.openness"] = function() return floor():polygons()[1].openness end,
  ["NavmeshDefinition.depth"] = function() return floor():polygons()[1].depth[2] end,
  ["NavmeshDefinition.step"] = function() return floor():polygons()[1].step end,
}

-- --- Defaults in C --------------------------------------------------------------------------------------------------

local PROGRAM = [[
#include <leeward/leeward.h>
#include <stdio.h>
static void show_float(const void *v) { printf("number %%.9g\n", (double)*(const float *)v); }
static void show_double(const void *v) { printf("number %%.17g\n", *(const double *)v); }
static void show_int(const void *v) { printf("number %%d\n", *(const int *)v); }
static void show_unsigned(const void *v) { printf("number %%u\n", *(const unsigned *)v); }
static void show_size(const void *v) { printf("number %%llu\n", (unsigned long long)*(const uint64_t *)v); }
static void show_bool(const void *v) { printf("boolean %%s\n", *(const bool *)v ? "true" : "false"); }
static void show_text(const void *v) {
  const char *text = *(const char *const *)v;
  printf("text %%s\n", text ? text : "");
}
static void show_vec3(const void *v) {
  const lw_vec3 *at = v;
  printf("vec3 %%.9g %%.9g %%.9g\n", (double)at->x, (double)at->y, (double)at->z);
}
static void show_three(const void *v) {
  const float *three = v;
  printf("vec3 %%.9g %%.9g %%.9g\n", (double)three[0], (double)three[1], (double)three[2]);
}
static void show_other(const void *v) { (void)v; printf("other\n"); }
#define SHOW(path, value)                                                                                            \
  printf("%%s ", path), _Generic(&(value), float *: show_float, double *: show_double, int *: show_int,              \
    unsigned *: show_unsigned, uint64_t *: show_size, bool *: show_bool, const char **: show_text,                   \
    lw_vec3 *: show_vec3, float (*)[3]: show_three, default: show_other)(&(value))
int main(void) {
%s
  return 0;
}
]]

--- Structures and enumerations of the public headers: name -> list of { name, type, text }, name -> list of names.
local function read_headers()
  local text = output_of "cat runtime/include/leeward/*.h"
  local structs, enums = {}, {}
  for body, name in text:gmatch "typedef struct [%w_]+ (%b{}) ([%w_]+);" do
    local fields, comment = {}, ""
    for line in body:gmatch "[^\n]+" do
      local own = line:match "///[<]? ?(.*)$" or ""
      local code = line:gsub("///.*", ""):gsub("^[{%s]+", ""):gsub("%s+$", "")
      if code == "" then
        comment = comment .. " " .. own
      elseif code:match ";$" and not code:find("(", 1, true) then
        local type_name, names = code:match "^([%w_ ]-[ *]+)([%w_,%[%] ]+);$"
        for field in (names or ""):gmatch "[%w_]+%[?[%w_]*%]?" do
          table.insert(fields, { name = field:match "^[%w_]+", is_list = field:find "%[" ~= nil,
            type = type_name:gsub("%s+$", ""), text = own ~= "" and own or comment })
        end
        comment = ""
      elseif own ~= "" and fields[#fields] then
        fields[#fields].text = fields[#fields].text .. " " .. own
      end
    end
    structs[name] = fields
  end
  for body, name in text:gmatch "typedef enum [%w_]+ (%b{}) ([%w_]+);" do
    local names, value = {}, 0
    for code in (body:gsub("///[^\n]*", ""):sub(2, -2) .. ","):gmatch "(.-)," do
      local enumerator, number = code:match "^%s*([%w_]+)%s*=?%s*(%d*)"
      if enumerator then
        value = tonumber(number) or value
        names[value] = enumerator
        value = value + 1
      end
    end
    enums[name] = names
  end
  return structs, enums, text
end

local structs, enums, headers = read_headers()

--- The lines that show all fields of a value, also of structures in it.
local function add_fields(lines, path, value, struct)
  for _, field in ipairs(structs[struct] or {}) do
    local inner, at = path .. "." .. field.name, value .. "." .. field.name
    if structs[field.type] and field.type ~= "lw_vec3" and not field.is_list then
      add_fields(lines, inner, at, field.type)
    else
      lines[#lines + 1] = ('  SHOW("%s", %s);'):format(inner, at)
    end
  end
end

--- "lw_danger_def.radius" -> { kind, value }, for all structures with defaults.
local function read_defaults()
  local lines = {}
  for struct, name in headers:gmatch "LW_API ([%w_]+) ([%w_]+_default)%(void%);" do
    lines[#lines + 1] = ("  %s %s_value = %s();"):format(struct, struct, name)
    add_fields(lines, struct, struct .. "_value", struct)
  end
  local folder = output_of("mktemp -d"):gsub("\n$", "")
  local handle = assert(io.open(folder .. "/defaults.c", "w"))
  handle:write(PROGRAM:format(table.concat(lines, "\n")))
  handle:close()
  local text, status = output_of(("gcc -std=c17 -Wall -Wno-unused-value -Iruntime/include '%s/defaults.c' -L'%s' "
    .. "-lleeward -lm -o '%s/defaults' 2>&1 && LD_LIBRARY_PATH='%s' '%s/defaults'"):format(folder, BUILD, folder, BUILD,
    folder))
  os.execute(("rm -rf '%s'"):format(folder))
  assert(status == 0, text)
  local defaults = {}
  for path, kind, value in text:gmatch "([%w_.]+) (%l[%w]+) ?([^\n]*)\n" do
    defaults[path] = { kind = kind, value = value }
  end
  return defaults
end

-- --- Comparing -------------------------------------------------------------------------------------------------------

--- What a text says behind `default`: one word, a text in quotes, or numbers; nil: nothing, or words about it.
local function promised(text)
  text = text:gsub("%s+", " ")
  local said = text:match "[%[,; ]default ([^,;%]:]+)"
  if not said then return nil end
  said = said:gsub("%s+$", "")
  local quoted = said:match '^"([^"]*)"'
  if quoted then return quoted, "text" end
  if said == "true" or said == "false" then return said, "boolean" end
  if said:match "^pi" then return tostring(math.pi), "number" end
  if said:match "^[%d.+-][%d.exa-f+-]*$" and tonumber(said) then return said, "number" end
  if said:match "^[%d.-]+ [%d.-]+ [%d.-]+$" then return said, "vec3" end
  return nil
end

local function is_number(value, other)
  value, other = tonumber(value), tonumber(other)
  return value and other and math.abs(value - other) <= 1e-6 * math.max(1, math.abs(other))
end

--- Is what was promised what C has? The type is of the C field.
local function is_same(value, kind, found, type_name)
  if found.kind == "vec3" or kind == "vec3" then
    local a, b = {}, {}
    for word in value:gmatch "%S+" do a[#a + 1] = word end
    for word in found.value:gmatch "%S+" do b[#b + 1] = word end
    return #a == #b and is_number(a[1], b[1]) and is_number(a[2], b[2]) and is_number(a[3], b[3])
  end
  if found.kind == "number" and kind == "text" and enums[type_name] then
    local name = enums[type_name][math.tointeger(tonumber(found.value))] or ""
    return name == "LW_COVER_DEFAULT" or (name:lower() .. "_"):find("_" .. value .. "_", 1, true) ~= nil
  end
  if found.kind == "number" then return is_number(value, found.value) end
  return value == found.value
end

local function type_of(path)
  local struct, rest = path:match "^([%w_]+)%.(.*)$"
  for name in rest:gmatch "[%w_]+" do
    for _, field in ipairs(structs[struct] or {}) do
      if field.name == name then struct = field.type break end
    end
  end
  return struct
end

local defaults = read_defaults()

describe("the default in a header", function()
  it("is what lw_*_default() sets", function()
    local wrong, count = {}, 0
    for struct in headers:gmatch "LW_API ([%w_]+) [%w_]+_default%(void%);" do
      for _, field in ipairs(structs[struct]) do
        local value, kind = promised(field.text)
        local path = struct .. "." .. field.name
        local found = defaults[path]
        if value and found and found.kind ~= "other" then
          count = count + 1
          if not is_same(value, kind, found, field.type) then
            wrong[#wrong + 1] = ("%s: default %s, is %s"):format(path, value, found.value)
          end
        end
      end
    end
    assert.same({}, wrong)
    assert.is_true(count > 100, count)
  end)
end)

--- For each field of the stubs with a default: class, name, text.
local function each_stub_field(f)
  local list = assert(io.popen "ls bindings/meta/*.lua")
  for file in list:lines() do
    for _, entry in ipairs(read_stub.read(file)) do
      for _, field in ipairs(entry.kind == "class" and entry.fields or {}) do
        f(entry.name:gsub("^leeward%.", ""), field.name, table.concat(field.text, " "))
      end
      for _, param in ipairs(entry.params or {}) do f(entry.name, param.name, table.concat(param.text, " ")) end
    end
  end
  list:close()
end

--- The options of a node of that kind, filled in by its constructor: "MoveToOptions" -> { within = 0.3, ... }.
local function options_of_node(class)
  local name = class:match "^(%u%w+)Options$"
  if not name then return nil end
  local module = name:gsub("(%l)(%u)", "%1_%2"):gsub("nav_mesh", "navmesh"):lower():gsub("nav_mesh", "navmesh")
  local found, constructor = pcall(require, "behaviors.nodes." .. module)
  local given = {}
  for _ = 1, found and 9 or 0 do
    local good, node = pcall(constructor, given)
    if good then return node.options end
    given[node:match ": ([%w_]+) is nil, expected" or "?"] = "key"
  end
end

--- Whether the file has the value where the pattern says.
local function has_value(place, value)
  local text = output_of(("cat '%s'"):format(place[1]))
  local found = text:match((place[2]:gsub("VALUE", "([%%w_.]+)")))
  return found ~= nil and (found == value or is_number((found:gsub("^(%d[%d.]*)[ful]+$", "%1")), value))
end

--- What is wrong with a default; nil: nothing. Second: whether it was looked up.
local function problem(class, name, value, kind)
  local key = class .. "." .. name
  if ABSENT[key] then return ABSENT[key] ~= value and "is " .. ABSENT[key] or nil end
  if ELSEWHERE[key] then return not has_value(ELSEWHERE[key], value) and "is not in " .. ELSEWHERE[key][1] or nil end
  if ASKED[key] then return not is_number(ASKED[key](), value) and "is " .. ASKED[key]() or nil end
  local options = options_of_node(class)
  if options then return tostring(options[name]) ~= value and "is " .. tostring(options[name]) or nil end
  local path = FIELDS[key] or (STRUCTS[class] and STRUCTS[class] .. "." .. name)
  local found = path and defaults[path]
  if not found or found.kind == "other" then return "is nowhere" end
  return not is_same(value, kind, found, type_of(path)) and "is " .. found.value or nil
end

describe("the default in a stub", function()
  it("is the one that there is", function()
    local wrong, count = {}, 0
    each_stub_field(function(class, name, text)
      local value, kind = promised(text)
      if not value then return end
      count = count + 1
      local complaint = problem(class, name, value, kind)
      if complaint then wrong[#wrong + 1] = ("%s.%s: default %s, %s"):format(class, name, value, complaint) end
    end)
    assert.same({}, wrong)
    assert.is_true(count > 140, count)
  end)
end)
