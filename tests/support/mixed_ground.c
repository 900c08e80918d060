#include "mixed_ground.h"

#include "core/random.h"
#include "core/vec3.h"
#include "search/path.h"

#include "leeward/query.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Square metres for each patch, as seen from above. */
#define PATCH 45.0f
#define PATCHES_MAX 4000
#define ROADS 4
#define ROAD_POINTS 5
#define CORNERS 8
#define NEAR 5.0f
#define GRID_STEPS 600

const char *const mixed_levels[MIXED_LEVELS] = {"recast_undulating", "wz_highground", "recast_nav_test",
                                                "fd1_e1m1"};

/* Those of scripts/areas.lua whose price differs for anyone; ground comes first, as everywhere. */
static const struct {
  const char *name;
  lw_link_type type;
  float resistance, exposure, deep_water, unsafe;
  float part; /* of the patches */
} area_rows[] = {
    {"ground", LW_TRIANGULAR, 0.5f, 1, 0, 0, 0.22f},
    {"road", LW_ROAD, 0, 1, 0, 0, 0.12f},
    {"dirt", LW_TRIANGULAR, 0.5f, 1, 0, 0, 0.15f},
    {"shallow_water", LW_TRIANGULAR, 0.5f, 1, 0, 0, 0.1f},
    {"deep_water", LW_TRIANGULAR, 1, 0.5f, 1, 0, 0.04f},
    {"grass", LW_TRIANGULAR, 0.5f, 0.7f, 0, 0, 0.2f},
    {"undergrowth", LW_TRIANGULAR, 0.5f, 0.3f, 0, 0, 0.12f},
    {"unsafe", LW_TRIANGULAR, 0.5f, 1, 0, 1, 0.05f},
    {"door", LW_TRIANGULAR, 0.5f, 0.5f, 0, 0, 0},
};
#define AREAS (sizeof area_rows / sizeof *area_rows)

static lw_area_table *make_areas(void) {
  lw_area_table *areas;
  if (lw_area_table_create(NULL, &areas) != LW_OK) abort();
  for (size_t i = 0; i < AREAS; i++) {
    lw_area_def def = lw_area_def_default();
    def.name = area_rows[i].name;
    def.type = area_rows[i].type;
    def.resistance = area_rows[i].resistance;
    def.exposure = area_rows[i].exposure;
    def.deep_water = area_rows[i].deep_water;
    def.unsafe = area_rows[i].unsafe;
    if (lw_area_table_set(areas, &def, NULL, NULL) != LW_OK) abort();
  }
  return areas;
}

static float between(lw_random *random, float low, float high) {
  return low + (high - low) * lwi_random_unit(random);
}

static lw_area_id draw_area(lw_random *random) {
  float at = lwi_random_unit(random);
  for (size_t i = 0; i < AREAS; i++) {
    at -= area_rows[i].part;
    if (at < 0) return (lw_area_id)(i + 1);
  }
  return 1;
}

/* --- patches ----------------------------------------------------------------------------------------------------- */

static int patch_count(lw_box bounds) {
  float area = (bounds.max.x - bounds.min.x) * (bounds.max.z - bounds.min.z);
  return (int)fminf(PATCHES_MAX, fmaxf(8, area / PATCH));
}

static lw_vec3 draw_point(lw_box bounds, lw_random *random) {
  return (lw_vec3){between(random, bounds.min.x, bounds.max.x), between(random, bounds.min.y, bounds.max.y),
                   between(random, bounds.min.z, bounds.max.z)};
}

static lw_vec3 middle_of(const lw_navmesh *mesh, uint32_t index) {
  lwi_polygon polygon = lwi_polygon_get(mesh, index);
  lw_vec3 sum = {0};
  for (uint32_t i = 0; i < polygon.count; i++) sum = lwi_add(sum, lwi_corner(&polygon, i));
  return lwi_scale(sum, 1 / (float)polygon.count);
}

/* Every polygon is of the nearest patch's area. */
static void paint(lw_navmesh *mesh, lw_random *random) {
  static lw_vec3 at[PATCHES_MAX];
  static lw_area_id areas[PATCHES_MAX];
  int count = patch_count(mesh->bounds);
  for (int i = 0; i < count; i++) {
    at[i] = draw_point(mesh->bounds, random);
    areas[i] = draw_area(random);
  }
  for (uint32_t p = 0; p < mesh->polygons.count; p++) {
    lw_vec3 middle = middle_of(mesh, p);
    int nearest = 0;
    for (int i = 1; i < count; i++)
      if (lwi_distance(at[i], middle) < lwi_distance(at[nearest], middle)) nearest = i;
    mesh->polygons.areas[p] = areas[nearest];
  }
}

static void add_mark(lw_geometry *geometry, const lw_mark_def *mark) {
  lw_error error;
  if (lw_geometry_mark_area(geometry, mark, &error) != LW_OK) abort();
}

static void mark_patch(lw_geometry *geometry, lw_box bounds, lw_random *random) {
  lw_vec3 points[CORNERS], at = draw_point(bounds, random);
  lw_mark_def mark = lw_mark_def_default(LW_MARK_POLYGON);
  float radius = between(random, 2, 6), stretch = between(random, 0.4f, 1);
  for (int i = 0; i < CORNERS; i++) {
    float angle = (float)i * 6.2831853f / CORNERS;
    points[i] = (lw_vec3){at.x + radius * cosf(angle), at.y, at.z + radius * stretch * sinf(angle)};
  }
  mark.points = points;
  mark.point_count = CORNERS;
  mark.area = draw_area(random);
  add_mark(geometry, &mark);
}

static void mark_road(lw_geometry *geometry, lw_box bounds, lw_random *random) {
  lw_vec3 points[ROAD_POINTS];
  lw_mark_def mark = lw_mark_def_default(LW_MARK_PATH);
  for (int i = 0; i < ROAD_POINTS; i++) points[i] = draw_point(bounds, random);
  mark.points = points;
  mark.point_count = ROAD_POINTS;
  mark.area = 2;
  mark.width = between(random, 2, 4);
  mark.bottom = -1000;
  mark.top = 1000;
  add_mark(geometry, &mark);
}

static lw_status bake_marked(const char *level, lw_random *random, mixed_ground *ground, lw_error *error) {
  lw_geometry *geometry;
  lw_status status = level_geometry(level, ground->areas, &geometry, error);
  if (status != LW_OK) return status;
  lw_box bounds = lw_geometry_bounds(geometry);
  int patches = patch_count(bounds);
  for (int i = 0; i < patches; i++) mark_patch(geometry, bounds, random);
  for (int i = 0; i < ROADS; i++) mark_road(geometry, bounds, random);
  lw_bake_settings settings = level_settings();
  status = lw_navmesh_bake(geometry, &settings, &ground->mesh, NULL, error);
  lw_geometry_destroy(geometry);
  return status;
}

/* --- profiles ---------------------------------------------------------------------------------------------------- */

static void mind(lw_profile_def *def, const lw_area_table *areas, const char *area, float factor) {
  def->area_factor[lw_area_table_find(areas, area)] = factor;
}

static lw_profile_def civilian(const lw_area_table *areas) {
  lw_profile_def def = lw_profile_def_default();
  def.name = "civilian";
  def.resistance_factor[LW_TRIANGULAR] = 1;
  mind(&def, areas, "shallow_water", 2);
  mind(&def, areas, "undergrowth", 1);
  mind(&def, areas, "grass", 0.3f);
  def.safety_bias = 20;
  return def;
}

static lw_profile_def car(const lw_area_table *areas) {
  lw_profile_def def = lw_profile_def_default();
  def.name = "car";
  def.resistance_factor[LW_TRIANGULAR] = 18;
  mind(&def, areas, "grass", 3);
  mind(&def, areas, "shallow_water", 20);
  return def;
}

static lw_profile_def dog(const lw_area_table *areas) {
  lw_profile_def def = lw_profile_def_default();
  (void)areas;
  def.name = "dog";
  def.can_swim = true;
  def.swim_resistance_factor = 3;
  return def;
}

static lw_profile_def medic(const lw_area_table *areas) {
  lw_profile_def def = lw_profile_def_default();
  (void)areas;
  def.name = "medic";
  def.safety_bias = 4;
  def.resistance_factor[LW_TRIANGULAR] = 0.5f;
  return def;
}

static lw_profile_def diver(const lw_area_table *areas) {
  lw_profile_def def = lw_profile_def_default();
  static const char *const land[] = {"ground", "road", "dirt", "grass"};
  def.name = "diver";
  def.can_swim = true;
  for (size_t i = 0; i < sizeof land / sizeof *land; i++) mind(&def, areas, land[i], 2);
  mind(&def, areas, "undergrowth", 6);
  return def;
}

static lw_profile_def drawn(const lw_area_table *areas, lw_random *random) {
  lw_profile_def def = lw_profile_def_default();
  def.name = "drawn";
  def.can_swim = true;
  for (int area = 1; area <= lw_area_table_count(areas); area++) {
    float factor = between(random, 0, 3);
    def.area_factor[area] = factor * factor;
  }
  return def;
}

static lw_status make_profiles(mixed_ground *ground, lw_random *random, lw_error *error) {
  const lw_area_table *areas = ground->areas;
  lw_profile_def defs[MIXED_PROFILES] = {civilian(areas), car(areas),   dog(areas),
                                         medic(areas),    diver(areas), drawn(areas, random)};
  lw_status status = LW_OK;
  for (int i = 0; i < MIXED_PROFILES && status == LW_OK; i++)
    status = lw_profile_create(&defs[i], areas, &ground->profiles[i], error);
  return status;
}

/* --- open and ask ------------------------------------------------------------------------------------------------ */

static lw_status put_beside(mixed_ground *ground, lw_error *error) {
  char message[200] = "";
  float cell = level_settings().cell_size / GRID_STEPS; /* corners on marks lie between the cells of the bake */
  ground->detour = peer_create(ground->mesh, cell, message, sizeof message);
  if (!ground->detour) {
    snprintf(error->text, sizeof error->text, "Detour: %s", message);
    return LW_INVALID;
  }
  for (uint32_t p = 0; p < ground->mesh->polygons.count; p++)
    if (!peer_set_area(ground->detour, p, ground->mesh->polygons.areas[p])) abort();
  return LW_OK;
}

lw_status mixed_open(const char *level, mixed_kind kind, uint64_t seed, mixed_ground *ground, lw_error *error) {
  lw_random random = lwi_random_make(seed, (uint64_t)kind);
  *ground = (mixed_ground){.areas = make_areas()};
  lw_status status = kind == MIXED_MARKS ? bake_marked(level, &random, ground, error)
                                         : level_navmesh(level, ground->areas, &ground->mesh, error);
  if (status == LW_OK && kind == MIXED_POLYGONS) paint(ground->mesh, &random);
  if (status == LW_OK) status = make_profiles(ground, &random, error);
  if (status == LW_OK) status = put_beside(ground, error);
  lw_world_def def = lw_world_def_default();
  def.navmesh = ground->mesh;
  def.seed = seed;
  if (status == LW_OK) status = lw_world_create(&def, &ground->world, error);
  if (status == LW_OK) ground->dense = dense_make(ground->mesh, MIXED_SPACING);
  if (status != LW_OK) mixed_close(ground);
  return status;
}

void mixed_close(mixed_ground *ground) {
  dense_free(ground->dense);
  peer_destroy(ground->detour);
  lw_world_destroy(ground->world);
  for (int i = 0; i < MIXED_PROFILES; i++) lw_profile_destroy(ground->profiles[i]);
  lw_navmesh_destroy(ground->mesh);
  lw_area_table_destroy(ground->areas);
  *ground = (mixed_ground){0};
}

bool mixed_draw(mixed_ground *ground, const lw_profile *profile, lw_location *from, lw_location *to) {
  lw_random_point_query anywhere = lw_random_point_query_default();
  anywhere.random = lw_world_random_stream(ground->world);
  lw_path_exists_query connected = lw_path_exists_query_default();
  bool is = false;
  anywhere.anywhere = true;
  anywhere.profile = connected.profile = profile;
  if (lw_random_point_find(ground->world, NULL, &anywhere, from) != LW_OK ||
      lw_random_point_find(ground->world, NULL, &anywhere, to) != LW_OK)
    return false;
  connected.from = from->point;
  connected.to = to->point;
  if (lw_path_exists(ground->world, NULL, &connected, &is) != LW_OK) return false;
  return is && lwi_distance(from->point, to->point) >= NEAR;
}

/* The points say of which area each piece is. */
static double cost_along(const lw_path *path, const lw_profile *profile) {
  int count;
  const lw_vec3 *points = lw_path_points(path, &count);
  double sum = 0;
  for (int i = 0; i + 1 < count; i++)
    sum += (double)lwi_distance(points[i], points[i + 1]) *
           (double)lw_profile_price(profile, lw_path_area(path, i));
  return sum;
}

double mixed_chord_cost(const lw_path *path, const lw_profile *profile) {
  const int *polygons = path->ground.polygons;
  double sum = 0;
  for (int i = 0, next; i + 1 < path->point_count; i = next) {
    for (next = i + 1; next + 1 < path->point_count && polygons[next] == polygons[i];) next += 1;
    sum += (double)lwi_distance(path->points[i], path->points[next]) *
           (double)lw_profile_price(profile, path->areas[i]);
  }
  return sum;
}

void mixed_set_prices(mixed_ground *ground, const lw_profile *profile) {
  float prices[64];
  for (int area = 0; area < 64; area++) prices[area] = lw_profile_price(profile, (lw_area_id)area);
  peer_set_prices(ground->detour, prices);
}

static double detour_cost(mixed_ground *ground, const lw_profile *profile, lw_location from, lw_location to) {
  mixed_set_prices(ground, profile);
  return peer_price(ground->detour, lwi_poly_index(ground->mesh, from.poly), from.point,
                    lwi_poly_index(ground->mesh, to.poly), to.point);
}

bool mixed_ask(mixed_ground *ground, const lw_profile *profile, mixed_result *result) {
  lw_location from, to;
  lw_path_query query = lw_path_query_default();
  lw_path *path;
  if (!mixed_draw(ground, profile, &from, &to)) return false;
  query.from = from.point;
  query.to = to.point;
  query.profile = profile;
  if (lw_path_find(ground->world, NULL, &query, &path) != LW_OK) return false;
  *result = (mixed_result){.ours = (double)lw_path_cost(path),
                           .along = cost_along(path, profile),
                           .chords = mixed_chord_cost(path, profile)};
  lw_path_destroy(path);
  result->best = dense_cost(ground->dense, &profile->prices, from, to, 1.1 * result->ours + 1);
  result->detour = detour_cost(ground, profile, from, to);
  return true;
}
