/* The form of error messages: "WHERE: FIELD is VALUE, expected RANGE", for wrong fields of all structs that fill an lw_error. */
#include "grid_world.h"
#include "leeward/leeward.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const char *const rows[] = {"....", "...."};
static lw_area_table *areas;
static lw_navmesh *navmesh;
static lw_geometry *geometry;
static lw_profile *profile;
static lw_world *world;
static grid_world grid; /* owns them, but the geometry */
static lw_error error;

static const char long_name[] = "a name of more than sixty-three bytes, which is the limit of most names here";
static const lw_vec3 square[] = {{0, 0, 0}, {4, 0, 0}, {4, 0, 4}, {0, 0, 4}};
static const lw_vec3 bad_points[] = {{0, 0, 0}, {NAN, 0, 0}, {4, 0, 4}, {0, 0, 4}};
static const lw_vec3 same_points[] = {{0, 0, 0}, {0, 0, 0}, {4, 0, 4}, {0, 0, 4}};
static const lw_vec3 crossed[] = {{0, 0, 0}, {4, 0, 4}, {4, 0, 0}, {0, 0, 4}};
static const lw_vec3 on_line[] = {{0, 0, 0}, {2, 0, 0}, {4, 0, 0}, {3, 0, 0}};

static int open_all(void **state) {
  (void)state;
  const char *const names[] = {"ground", "shallow_water", "deep_water"};
  areas = support_areas(names, 3);
  navmesh = support_grid(areas, rows, 2, 4);
  assert_int_equal(lw_geometry_create(areas, NULL, &geometry), LW_OK);
  const lw_geometry_box floor = {.at = {0, -1, 0}, .size = {10, 1, 10}, .area = 1};
  assert_int_equal(lw_geometry_add_box(geometry, &floor, NULL), LW_OK);
  const lw_profile_def human = lw_profile_def_default();
  grid = grid_world_open_on(areas, navmesh, &human, NULL);
  profile = grid.profile;
  world = grid.world;
  return 0;
}

static int close_all(void **state) {
  (void)state;
  lw_geometry_destroy(geometry);
  grid_world_close(&grid);
  return 0;
}

/* @return Whether the text is "... FIELD ... is VALUE, expected RANGE", or the same with "are". */
static bool has_form(const char *text, const char *field) {
  const char *expected = strstr(text, ", expected "), *name = strstr(text, field);
  if (!expected || !name || expected[strlen(", expected ")] == 0) return false;
  const char *is = strstr(name, " is "), *are = strstr(name, " are ");
  return (is && is < expected) || (are && are < expected);
}

/* @param change  What was changed, for the failure. */
static void check(const char *change, const char *field, lw_status status) {
  if (status == LW_OK) fail_msg("%s: accepted", change);
  assert_int_equal(error.status, status);
  if (!has_form(error.text, field))
    fail_msg("%s: '%s', expected the form 'WHERE: %s is VALUE, expected RANGE'", change, error.text, field);
}

/* Make the call with a struct that has one wrong field; the message must name the field. */
#define WRONG(first, change, field, call)                                                                      \
  do {                                                                                                         \
    def = first;                                                                                               \
    def.change;                                                                                                \
    error = (lw_error){0};                                                                                     \
    check(#change, field, call);                                                                               \
  } while (0)

/* --- areas and profiles --- */

static lw_area_def good_area(void) {
  lw_area_def def = lw_area_def_default();
  def.name = "mud";
  return def;
}

static void of_areas(void **state) {
  (void)state;
  lw_area_def def;
#define AREA(change, field) WRONG(good_area(), change, field, lw_area_table_set(areas, &def, NULL, &error))
  AREA(cookie = 0, "lw_area_def");
  AREA(name = NULL, "name");
  AREA(name = "", "name");
  AREA(name = long_name, "name");
  AREA(type = LW_LINK_TYPE_COUNT, "type");
  AREA(resistance = -1, "resistance");
  AREA(exposure = 2, "exposure");
  AREA(concealment = NAN, "concealment");
  AREA(deep_water = -1, "deep_water");
  AREA(unsafe = 2, "unsafe");
  AREA(speed = 0, "speed");
  AREA(cover = LW_COVER_KIND_COUNT, "cover");
  check("no table", "table", lw_area_table_set(NULL, &def, NULL, &error));
  check("no def", "def", lw_area_table_set(areas, NULL, NULL, &error));
}

static lw_profile_def good_profile(void) {
  lw_profile_def def = lw_profile_def_default();
  def.name = "human";
  return def;
}

static void of_profiles(void **state) {
  (void)state;
  lw_profile_def def;
  lw_profile *created;
#define PROFILE(change, field)                                                                                 \
  WRONG(good_profile(), change, field, lw_profile_create(&def, areas, &created, &error))
  PROFILE(cookie = 0, "lw_profile_def");
  PROFILE(name = NULL, "name");
  PROFILE(name = "", "name");
  PROFILE(name = long_name, "name");
  PROFILE(radius = -1, "radius");
  PROFILE(height = NAN, "height");
  PROFILE(climb = -1, "climb");
  PROFILE(speed[LW_CALM] = 0, "speed.calm");
  PROFILE(speed_factor[1] = 0, "speed_factor.ground");
  PROFILE(speed_factor[200] = 0, "speed_factor[200]");
  PROFILE(body.turn_radius = -1, "turn_radius");
  PROFILE(body.vehicle.wheelbase = 2, "length");
  PROFILE(body.vehicle = ((lw_vehicle){2, 3, 0, 1}), "width");
  PROFILE(body.vehicle = ((lw_vehicle){2, 3, 1, 1}), "turn_radius");
  PROFILE(body.vehicle.reverse_cost = 0, "reverse_cost");
  PROFILE(body.trailer.length = -1, "trailer.length");
  PROFILE(body.trailer.joint = NAN, "trailer.joint");
  PROFILE(body.trailer.max_angle = 2, "trailer.max_angle");
  PROFILE(stance_count = 1, "stance_count");
  PROFILE(stance_count = 3, "stances[2].name");
  PROFILE(stances[1].name[0] = 'x', "stances[1].name");
  PROFILE(stances[1].name[0] = 0, "stances[1].name");
  PROFILE(stances[0].eye = 0, "stances.stand.eye");
  PROFILE(stances[0].body[0] = 3, "stances.stand.body");
  PROFILE(stances[0].speed = 0, "stances.stand.speed");
  PROFILE(resistance_factor[LW_ROAD] = -1, "resistance_factor.road");
  PROFILE(swim_resistance_factor = -1, "swim_resistance_factor");
  PROFILE(exposure_factor = -1, "exposure_factor");
  PROFILE(danger_cost = -1, "danger_cost");
  PROFILE(cover_bias = 0, "cover_bias");
  PROFILE(safety_bias = -1, "safety_bias");
  PROFILE(area_factor[1] = -1, "area_factor.ground");
  check("no areas", "areas", lw_profile_create(&def, NULL, &created, &error));
  check("no profile", "profile", lw_profile_create(&def, areas, NULL, &error));
}

/* --- geometry --- */

static const int triangle[] = {0, 1, 2}, wrong_triangle[] = {0, 1, 4};
static const lw_area_id area_77[] = {77};
static const uint8_t cover_9[] = {9};
static const lw_geometry_mesh good_mesh = {
    .vertices = square, .vertex_count = 4, .indices = triangle, .triangle_count = 1, .area = 1};
static const lw_geometry_box good_box = {.size = {1, 1, 1}, .area = 1};
static const lw_geometry_ramp good_ramp = {.to = {1, 1, 1}, .width = 1, .area = 1};

static void of_triangles(void **state) {
  (void)state;
  {
    lw_geometry_mesh def;
#define MESH(change, field) WRONG(good_mesh, change, field, lw_geometry_add_mesh(geometry, &def, &error))
    MESH(vertices = NULL, "vertices");
    MESH(vertices = bad_points, "mesh: vertex 1");
    MESH(vertex_count = 2, "vertex_count");
    MESH(vertex_count = INT32_MAX, "vertex_count");
    MESH(indices = NULL, "indices");
    MESH(indices = wrong_triangle, "mesh: triangle 0: index");
    MESH(triangle_count = 0, "triangle_count");
    MESH(triangle_count = INT32_MAX, "triangle_count");
    MESH(area = 77, "mesh: area");
    MESH(areas = area_77, "mesh: triangle 0: area");
    MESH(cover = LW_COVER_KIND_COUNT, "mesh: cover");
    MESH(covers = cover_9, "mesh: triangle 0: cover");
  }
  {
    lw_geometry_box def;
#define BOX(change, field) WRONG(good_box, change, field, lw_geometry_add_box(geometry, &def, &error))
    BOX(at.x = NAN, "box: at");
    BOX(size.y = 0, "box: size.y");
    BOX(yaw = INFINITY, "box: yaw");
    BOX(area = 77, "box: area");
    BOX(cover = LW_COVER_KIND_COUNT, "box: cover");
  }
  {
    lw_geometry_ramp def;
#define RAMP(change, field) WRONG(good_ramp, change, field, lw_geometry_add_ramp(geometry, &def, &error))
    RAMP(from.x = NAN, "ramp: from");
    RAMP(to = def.from, "ramp: from and to");
    RAMP(width = 0, "ramp: width");
    RAMP(thickness = -1, "ramp: thickness");
    RAMP(area = 77, "ramp: area");
    RAMP(cover = LW_COVER_KIND_COUNT, "ramp: cover");
  }
}

static lw_mark_def good_mark(lw_mark_shape shape) {
  lw_mark_def def = lw_mark_def_default(shape);
  def.area = 1;
  def.size = (lw_vec3){1, 1, 1};
  def.points = square;
  def.point_count = 4;
  def.width = 1;
  return def;
}

static void of_marks(void **state) {
  (void)state;
  lw_mark_def def;
#define MARK(shape, change, field)                                                                             \
  WRONG(good_mark(LW_MARK_##shape), change, field, lw_geometry_mark_area(geometry, &def, &error))
  MARK(BOX, cookie = 0, "lw_mark_def");
  MARK(BOX, shape = (lw_mark_shape)9, "mark: shape");
  MARK(BOX, area = 77, "mark: area");
  MARK(BOX, at.y = NAN, "mark: at");
  MARK(BOX, size.x = 0, "mark: size.x");
  MARK(BOX, yaw = NAN, "mark: yaw");
  MARK(POLYGON, points = NULL, "mark: points");
  MARK(POLYGON, points = bad_points, "mark: point 2");
  MARK(POLYGON, points = same_points, "mark: points 1 and 2");
  MARK(POLYGON, points = crossed, "mark: the polygon");
  MARK(POLYGON, points = on_line, "mark: the polygon");
  MARK(POLYGON, point_count = 2, "mark: point_count");
  MARK(POLYGON, bottom = INFINITY, "mark: bottom");
  MARK(PATH, width = 0, "mark: width");
  MARK(PATH, point_count = 1, "mark: point_count");
  WRONG(good_mark(LW_MARK_PATH), area = 1, "shape", lw_geometry_forbid_cover(geometry, &def, &error));
}

static lw_water_def good_water(void) {
  lw_water_def def = lw_water_def_default();
  def.points = square;
  def.point_count = 4;
  def.level = 1;
  return def;
}

static lw_cover_def good_cover(void) {
  lw_cover_def def = lw_cover_def_default();
  def.to.x = 4;
  return def;
}

static void of_waters_and_cover(void **state) {
  (void)state;
  {
    lw_water_def def;
#define WATER(change, field) WRONG(good_water(), change, field, lw_geometry_add_water(geometry, &def, &error))
    WATER(cookie = 0, "lw_water_def");
    WATER(points = NULL, "water: points");
    WATER(points = bad_points, "water: point 2");
    WATER(points = same_points, "water: points 1 and 2");
    WATER(points = crossed, "water: the outline");
    WATER(points = on_line, "water: the outline");
    WATER(point_count = 2, "water: point_count");
    WATER(point_count = 5000, "water: point_count");
    WATER(level = NAN, "water: level");
    WATER(bottom = 2, "water: bottom");
    WATER(wade = -1, "water: wade");
    WATER(shallow = 77, "water: shallow");
    WATER(deep = 77, "water: deep");
  }
  {
    lw_cover_def def;
#define COVER(change, field) WRONG(good_cover(), change, field, lw_geometry_add_cover(geometry, &def, &error))
    COVER(cookie = 0, "lw_cover_def");
    COVER(from.x = NAN, "cover: from");
    COVER(to = def.from, "cover: from and to");
    COVER(bottom = -1, "cover: bottom");
    COVER(height = 0, "cover: height");
    COVER(side = (lw_cover_side)9, "cover: side");
    COVER(kind = LW_COVER_NONE, "cover: kind");
  }
  {
    lw_link_def def;
#define LINK(change, field)                                                                                    \
  WRONG(lw_link_def_default(), change, field, lw_geometry_add_link(geometry, &def, &error))
    LINK(cookie = 0, "lw_link_def");
    LINK(kind = LW_LINK_KIND_COUNT, "link: kind");
    LINK(from.x = NAN, "link: from");
    LINK(to.x = NAN, "link: to");
    LINK(radius = 0, "link: radius");
    LINK(length = -2, "link: length");
    LINK(area = 77, "link: area");
  }
}

/* --- navmeshes --- */

static const int corners[] = {0, 1, 2, 3}, wrong_corners[] = {0, 1, 2, 7}, twisted[] = {0, 2, 1, 3};
static const int corner_counts[] = {4}, two_corners[] = {2};
static const float above_one[] = {2}, falling[] = {2, 1}, below_zero[] = {-1};

static lw_navmesh_def good_navmesh(void) {
  lw_navmesh_def def = lw_navmesh_def_default();
  def.areas = areas;
  def.vertices = square;
  def.vertex_count = 4;
  def.corners = corners;
  def.corner_counts = corner_counts;
  def.polygon_count = 1;
  return def;
}

static void of_navmeshes(void **state) {
  (void)state;
  lw_navmesh_def def;
  lw_navmesh *created;
  static const lw_link_def unfilled[1];
#define NAVMESH(change, field) WRONG(good_navmesh(), change, field, lw_navmesh_create(&def, &created, &error))
  NAVMESH(cookie = 0, "lw_navmesh_def");
  NAVMESH(areas = NULL, "areas");
  NAVMESH(vertices = NULL, "vertices");
  NAVMESH(vertices = bad_points, "vertex 2 of 4");
  NAVMESH(vertices = on_line, "polygon 1 of 1");
  NAVMESH(vertex_count = 2, "vertex_count");
  NAVMESH(corners = NULL, "corners");
  NAVMESH(corners = wrong_corners, "polygon 1 of 1: corner 4");
  NAVMESH(corners = twisted, "polygon 1 of 1");
  NAVMESH(corner_counts = NULL, "corner_counts");
  NAVMESH(corner_counts = two_corners, "polygon 1 of 1: its number of corners");
  NAVMESH(polygon_count = 0, "polygon_count");
  NAVMESH(poly_areas = area_77, "polygon 1 of 1: area");
  NAVMESH(openness = above_one, "openness");
  NAVMESH(depths = falling, "polygon 1 of 1: depth is 2 to 1");
  NAVMESH(steps = below_zero, "polygon 1 of 1: step is -1, expected metres >= 0");
  NAVMESH(climb = -1, "climb");
  NAVMESH(agent_radius = NAN, "agent_radius");
  NAVMESH(link_count = 1, "link_count");
  NAVMESH(link_count = (def.links = unfilled, 1), "lw_link_def");
}

static void of_bakes(void **state) {
  (void)state;
  lw_bake_settings def;
  lw_navmesh *created;
#define BAKE(change, field)                                                                                    \
  WRONG(lw_bake_settings_default(), change, field, lw_navmesh_bake(geometry, &def, &created, NULL, &error))
  BAKE(cookie = 0, "lw_bake_settings");
  BAKE(cell_size = -1, "cell_size");
  BAKE(cell_size = 1e-6f, "agent_radius");
  BAKE(cell_height = 0, "cell_height");
  BAKE(cell_height = 1e-6f, "agent_height");
  BAKE(agent_radius = -1, "agent_radius");
  BAKE(agent_height = 0, "agent_height");
  BAKE(agent_climb = -1, "agent_climb");
  BAKE(agent_slope = 91, "agent_slope");
  BAKE(tile_size = 0, "tile_size");
  BAKE(min_region_area = -1, "min_region_area");
  BAKE(merge_region_area = -1, "merge_region_area");
  BAKE(max_edge_error = -1, "max_edge_error");
  BAKE(max_edge_length = -1, "max_edge_length");
  BAKE(detail_distance = -1, "detail_distance");
  BAKE(detail_error = -1, "detail_error");
  BAKE(openness_range = -1, "openness_range");
  BAKE(limits.depths.items[0] = NAN, "depths[1]");
  BAKE(limits.depths.items[1] = 0.3f, "depths[2] is 0.3, expected a number > 0.4 and <= 2.5 m");
  BAKE(limits.depths.count = 9, "depths.count is 9, expected 0 to 8");
  BAKE(limits.climbs.items[1] = 0.1f, "climbs[2] is 0.1, expected a number > 0.25 and <= 2.5 m");
  BAKE(limits.climbs.items[2] = 3, "climbs[3] is 3, expected a number > 0.3 and <= 2.5 m");
  BAKE(visibility_table_range = -1, "visibility_table_range");
  BAKE(visibility_table_range = (def.occluders = false, 9), "visibility_table_range");
  BAKE(auto_links.drop = -1, "auto_links.drop");
  BAKE(auto_links.jump = 101, "auto_links.jump");
  BAKE(auto_links.jump = (def.tiles.count = 1, 2), "auto_links.jump");
  BAKE(bounds.min.x = INFINITY - INFINITY, "bounds along x");
  BAKE(bounds = ((lw_box){{-INFINITY, 0, 0}, {1, 1, 1}}), "bounds along x");
  BAKE(bounds = ((lw_box){{50, 0, 50}, {60, 1, 60}}), "bounds along x");
  BAKE(bounds = ((lw_box){{0, -1, 0}, {0.1f, 1, 0.1f}}), "bounds along x");
  BAKE(threads = -1, "threads");
  BAKE(threads = 500, "threads");
  BAKE(tiles.first = -1, "tiles.first");
  BAKE(tiles.first = 1, "tiles.count");
  BAKE(tiles.count = -1, "tiles.count");
  BAKE(tiles = ((lw_tile_range){9, 1}), "tiles");
}

static void of_joined_and_rebuilt_navmeshes(void **state) {
  (void)state;
  lw_navmesh *created;
  const lw_navmesh *parts[] = {navmesh, NULL};
  check("no part", "count", lw_navmesh_merge(parts, 0, NULL, &created, &error));
  check("a part that is NULL", "part 2", lw_navmesh_merge(parts, 2, NULL, &created, &error));
  check("a whole navmesh", "part 1", lw_navmesh_merge(parts, 1, NULL, &created, &error));
  lw_geometry *empty;
  assert_int_equal(lw_geometry_create(areas, NULL, &empty), LW_OK);
  lw_bake_settings settings = lw_bake_settings_default();
  settings.tiles.count = 1;
  lw_rebuild_def def, good = lw_rebuild_def_default();
  good.navmesh = navmesh;
  good.geometry = geometry;
  good.changed = (lw_box){{0, 0, 0}, {1, 1, 1}};
#define REBUILD(change, field) WRONG(good, change, field, lw_navmesh_rebuild(&def, &created, NULL, &error))
  REBUILD(cookie = 0, "lw_rebuild_def");
  REBUILD(navmesh = NULL, "navmesh");
  REBUILD(geometry = NULL, "geometry");
  REBUILD(geometry = empty, "geometry");
  REBUILD(changed.min.x = NAN, "changed");
  REBUILD(changed.min.x = 2, "changed");
  REBUILD(settings = NULL, "navmesh"); /* for agents of another size */
  REBUILD(settings = &settings, "tiles");
  lw_geometry_destroy(empty);
  lw_import_settings import = lw_import_settings_default();
  import.areas[7] = 77;
  check("areas[7] = 77", "areas[7]", lw_navmesh_import("file", areas, &import, &created, &error));
  check("no areas", "areas", lw_navmesh_import("file", NULL, NULL, &created, &error));
  check("no file", "file", lw_navmesh_load(NULL, areas, NULL, &created, &error));
}

/* --- worlds --- */

static void of_worlds(void **state) {
  (void)state;
  lw_world_def def, good = lw_world_def_default();
  lw_world *created;
  const lw_navmesh *const twice[] = {navmesh, navmesh}, *const none[] = {NULL};
  const lw_link_def unfilled = {.radius = 1};
  good.navmesh = navmesh;
#define WORLD(change, field) WRONG(good, change, field, lw_world_create(&def, &created, &error))
  WORLD(cookie = 0, "lw_world_def");
  WORLD(navmesh = NULL, "navmesh");
  WORLD(navmeshes = twice, "navmesh and navmeshes");
  good.navmesh = NULL;
  WORLD(navmeshes = twice, "navmesh_count");
  good.navmesh_count = 1;
  WORLD(navmeshes = none, "navmesh 1 of 1");
  good.navmesh_count = 2;
  WORLD(navmeshes = twice, "navmesh 2 of 2");
  good.navmesh = navmesh;
  WORLD(link_count = -1, "link_count");
  WORLD(link_count = (def.links = &unfilled, 1), "lw_link_def");
  WORLD(depth_maps = 33, "depth_maps");
  WORLD(stuck_seconds = 0, "stuck_seconds");
  WORLD(death_danger.value = -1, "death_danger: value");
  WORLD(death_danger.radius = (def.death_danger.value = 1, -1), "death_danger: radius");
}

static lw_agent_def good_agent(void) {
  lw_agent_def def = lw_agent_def_default();
  def.profile = profile;
  def.at = (lw_vec3){1, 0, 1};
  return def;
}

static void of_agents(void **state) {
  (void)state;
  lw_agent_def def;
  lw_agent_id id;
#define AGENT(change, field) WRONG(good_agent(), change, field, lw_agent_spawn(world, &def, &id, &error))
  AGENT(cookie = 0, "lw_agent_def");
  AGENT(profile = NULL, "profile");
  AGENT(at.x = NAN, "at");
  AGENT(snap.y = 0, "snap");
  AGENT(navmesh = 3, "navmesh");
  AGENT(navmesh = -2, "navmesh");
  AGENT(pace = (lw_pace)9, "pace");
  AGENT(stance = "fly", "stance");
  AGENT(team = long_name, "team");
}

static void of_threats(void **state) {
  (void)state;
  lw_threat_def def;
  lw_threat_id id;
#define THREAT(change, field)                                                                                  \
  WRONG(lw_threat_def_default(), change, field, lw_threat_add(world, &def, &id, &error))
  THREAT(cookie = 0, "lw_threat_def");
  THREAT(threat.at.x = NAN, "at");
  THREAT(threat.facing.x = INFINITY, "facing");
  THREAT(threat.half_angle = 9, "half_angle");
  THREAT(threat.half_angle = 1, "facing");
  THREAT(threat.range = 0, "range");
  THREAT(threat.weight = -1, "weight");
  THREAT(agent = ((lw_agent_id){1, 2, 3}), "agent");
  THREAT(known_to = long_name, "known_to");
  THREAT(tolerance = -1, "tolerance");
}

static void of_timed_regions(void **state) {
  (void)state;
  {
    lw_danger_def def;
    lw_danger_id id;
#define DANGER(change, field)                                                                                  \
  WRONG(lw_danger_def_default(), change, field, lw_danger_add(world, &def, &id, &error))
    DANGER(cookie = 0, "lw_danger_def");
    DANGER(at.x = NAN, "at");
    DANGER(radius = 0, "radius");
    DANGER(height = 0, "height");
    DANGER(value = 0, "value");
    DANGER(half_life = -1, "half_life");
  }
  {
    lw_fire_lane_def def;
    lw_fire_lane_id id;
#define LANE(change, field)                                                                                    \
  WRONG(lw_fire_lane_def_default(), change, field, lw_fire_lane_add(world, &def, &id, &error))
    LANE(cookie = 0, "lw_fire_lane_def");
    LANE(from.x = NAN, "from");
    LANE(to.x = NAN, "to");
    LANE(radius = 0, "radius");
    LANE(seconds = 0, "seconds");
    LANE(weight = 0, "weight");
  }
}

/* --- trees --- */

static void of_trees(void **state) {
  (void)state;
  static const lw_node_def leaf[] = {{.kind = LW_LEAF}, {.kind = LW_LEAF}};
  static const lw_node_def kinds[] = {{.kind = (lw_node_kind)LW_NODE_KIND_COUNT}};
  static const lw_node_def childless[] = {{.kind = LW_SEQUENCE}};
  static const lw_node_def too_many[] = {{.kind = LW_SEQUENCE, .child_count = 3}};
  static const lw_node_def parent[] = {{.kind = LW_LEAF, .child_count = 1}};
  static const lw_node_def early[] = {{.kind = LW_WAIT, .wait_min = -1}};
  static const lw_node_def late[] = {{.kind = LW_WAIT, .wait_min = 2, .wait_max = 1}};
  static const lw_node_def open[] = {
      {.kind = LW_SEQUENCE, .child_count = 2}, {.kind = LW_SEQUENCE, .child_count = 1}, {.kind = LW_LEAF}};
  lw_tree_def def;
  const lw_tree_def good = {.name = "tree", .nodes = leaf, .node_count = 1};
  lw_tree *tree;
#define TREE(change, field) WRONG(good, change, field, lw_tree_create(&def, &tree, &error))
  TREE(name = "", "name");
  TREE(nodes = NULL, "nodes");
  TREE(node_count = 0, "node_count");
  TREE(node_count = 2, "node_count");
  TREE(nodes = kinds, "kind");
  TREE(nodes = childless, "child_count");
  TREE(nodes = too_many, "child_count");
  TREE(nodes = parent, "child_count");
  TREE(nodes = early, "wait_min");
  TREE(nodes = late, "wait_max");
  TREE(nodes = (def.node_count = 3, open), "child_count");
}

/* Names of files, areas and nodes that would do something to a terminal, or are too long for a message. */
static void are_one_line_whatever_names_they_hold(void **state) {
  (void)state;
  static char long_file[10001];
  memset(long_file, 'x', sizeof long_file - 1);
  lw_navmesh *loaded;
  assert_int_equal(lw_navmesh_load("a\n\33[31mred\a\r\377", areas, NULL, &loaded, &error), LW_FILE);
  assert_string_equal(error.text, "cannot read 'a\\n\\x1B[31mred\\x07\\r\\xFF': No such file or directory");
  assert_int_equal(lw_navmesh_load(long_file, areas, NULL, &loaded, &error), LW_FILE);
  assert_non_null(strstr(error.text, "xxx...xxx"));
  assert_non_null(strstr(error.text, "xxx': File name too long"));
  lw_area_def area = lw_area_def_default();
  area.name = "a\nb";
  area.speed = -1;
  assert_int_equal(lw_area_table_set(areas, &area, NULL, &error), LW_INVALID);
  assert_string_equal(error.text, "area 'a\\nb': speed is -1, expected a number > 0");
  const lw_node_def node = {.kind = LW_WAIT, .name = "\33c", .wait_min = -1};
  const lw_tree_def def = {.name = "\342\200\256", .nodes = &node, .node_count = 1};
  lw_tree *tree;
  assert_int_equal(lw_tree_create(&def, &tree, &error), LW_INVALID);
  assert_non_null(strstr(error.text, "tree '\\xE2\\x80\\xAE', node 0 '\\x1Bc': wait_min is -1, "));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(of_areas),
      cmocka_unit_test(of_profiles),
      cmocka_unit_test(of_triangles),
      cmocka_unit_test(of_marks),
      cmocka_unit_test(of_waters_and_cover),
      cmocka_unit_test(of_navmeshes),
      cmocka_unit_test(of_bakes),
      cmocka_unit_test(of_joined_and_rebuilt_navmeshes),
      cmocka_unit_test(of_worlds),
      cmocka_unit_test(of_agents),
      cmocka_unit_test(of_threats),
      cmocka_unit_test(of_timed_regions),
      cmocka_unit_test(of_trees),
      cmocka_unit_test(are_one_line_whatever_names_they_hold),
  };
  return cmocka_run_group_tests(tests, open_all, close_all);
}
