/* Larger agents on the shared levels: their paths keep off walls, what is connected is found, and what a mesh
   baked for their size has to say to it. */
#include "core/platform.h"
#include "level_test.h"
#include "mesh/clearance.h"
#include "search/reach.h"

#include "leeward/query.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PAIRS 200
/* Larger levels are not baked for the agent's size. [polygons] */
#define POLYGONS_TO_BAKE_MAX 2000
/* What the disc may cross a wall by. [m] */
#define ALLOWED 0.05
#define SWEEP_STEP 0.1f

typedef struct totals {
  int found, shut, stuck;
  int baked_both, baked_only, ours_only; /* pairs connected, also or only, on a mesh baked for the radius */
  double min, detour, seconds, plain_seconds;
} totals;

/* The distance to the nearest wall, no further than `max`, as the mesh answers it. */
static double scratch_at(const shared_level *level, lw_vec3 at, float max) {
  const lw_vec3 half = {0.05f, 9, 0.05f} /* pieces of a path are straight over rough ground */;
  lw_location place;
  lw_wall wall;
  if (lw_navmesh_nearest(level->mesh, at, half, NULL, &place) != LW_OK) return -1;
  place.point.x = at.x; /* the nearest place may be up to 5 cm beside it */
  place.point.z = at.z;
  if (lw_navmesh_distance_to_wall(level->mesh, place, max, NULL, &wall) != LW_OK) return -1;
  return (double)wall.distance;
}

static double sweep(const shared_level *level, const lw_path *path, float keep) {
  int count;
  const lw_vec3 *points = lw_path_points(path, &count);
  double min = scratch_at(level, points[0], keep);
  for (int i = 0; i + 1 < count; i++) {
    int steps = 1 + (int)(lwi_distance_xz(points[i], points[i + 1]) / SWEEP_STEP);
    for (int s = 1; s <= steps; s++)
      min = fmin(min, scratch_at(level, lwi_lerp(points[i], points[i + 1], (float)s / (float)steps), keep));
  }
  return min;
}

static bool draw(shared_level *level, const lw_profile *profile, lw_location *place) {
  lw_random_point_query query = lw_random_point_query_default();
  query.random = lw_world_random_stream(level->world);
  query.anywhere = true;
  query.profile = profile;
  return lw_random_point_find(level->world, NULL, &query, place) == LW_OK;
}

/* A world on the level baked for agents of that radius. NULL: it takes too long. */
static lw_world *bake_for(const shared_level *level, float radius, lw_navmesh **mesh) {
  lw_bake_settings settings = level_settings();
  lw_geometry *geometry;
  lw_world *world;
  lw_error error = {0};
  *mesh = NULL;
  if (level->mesh->polygons.count > POLYGONS_TO_BAKE_MAX) return NULL;
  settings.agent_radius = radius;
  if (level_geometry(level->name, level->areas, &geometry, &error) ||
      lw_navmesh_bake(geometry, &settings, mesh, NULL, &error))
    fail_msg("%s: %s", level->name, error.text);
  lw_geometry_destroy(geometry);
  lw_world_def def = lw_world_def_default();
  def.navmesh = *mesh;
  assert_int_equal(lw_world_create(&def, &world, NULL), LW_OK);
  return world;
}

static void compare_baked(lw_world *baked, lw_vec3 from, lw_vec3 to, bool found, totals *sums) {
  lw_path_exists_query ask = lw_path_exists_query_default();
  bool connected;
  ask.from = from;
  ask.to = to;
  ask.snap = (lw_vec3){0.6f, 1, 0.6f}; /* its border is rounded to cells of 0.3 m */
  if (lw_path_exists(baked, NULL, &ask, &connected) != LW_OK) return;
  sums->baked_both += connected && found;
  sums->baked_only += connected && !found;
  sums->ours_only += !connected && found;
}

/* max_nodes counts what lw_path_nodes() does. */
static void check_budget(const shared_level *level, lw_path_query query, const lw_path *found) {
  lw_path *path;
  query.max_nodes = lw_path_nodes(found);
  assert_int_equal(lw_path_find(level->world, NULL, &query, &path), LW_OK);
  assert_int_equal(lw_path_nodes(path), lw_path_nodes(found));
  lw_path_destroy(path);
  query.max_nodes -= 1;
  if (query.max_nodes < 1) return;
  assert_int_equal(lw_path_find(level->world, NULL, &query, &path), LW_OUT_OF_NODES);
}

static void check_pair(shared_level *level, lw_world *baked, const lw_profile *profile, float keep,
                       lw_vec3 from, lw_vec3 to, totals *sums) {
  lw_path_query query = lw_path_query_default();
  lw_path_exists_query ask = lw_path_exists_query_default();
  query.from = ask.from = from;
  query.to = ask.to = to;
  query.profile = ask.profile = profile;
  lw_path *path, *plain;
  double began = lwi_clock();
  lw_status status = lw_path_find(level->world, NULL, &query, &path);
  double took = lwi_clock() - began;
  bool connected;
  assert_int_equal(lw_path_exists(level->world, NULL, &ask, &connected), LW_OK);
  sums->shut += status == LW_NO_PATH;
  sums->stuck += status == LW_NO_PATH && connected;
  if (status != LW_OK && status != LW_NO_PATH) fail_msg("%s: %s", level->name, lw_status_text(status));
  if (baked) compare_baked(baked, from, to, status == LW_OK, sums);
  if (status == LW_OK && !connected) fail_msg("%s: a path, but not connected", level->name);
  if (status != LW_OK) return;
  sums->found += 1;
  sums->seconds += took;
  double min = sweep(level, path, keep) - (double)keep;
  if (min < -ALLOWED)
    fail_msg("%s: %g m too near to a wall, keeping %g: from (%g, %g, %g) to (%g, %g, %g) (seed %llu)",
             level->name, -min, (double)keep, (double)from.x, (double)from.y, (double)from.z, (double)to.x,
             (double)to.y, (double)to.z, (unsigned long long)level->seed);
  sums->min = fmin(sums->min, min);
  check_budget(level, query, path);
  query.profile = NULL;
  began = lwi_clock();
  assert_int_equal(lw_path_find(level->world, NULL, &query, &plain), LW_OK);
  sums->plain_seconds += lwi_clock() - began;
  sums->detour += (double)lw_path_length(path) / fmax(1, (double)lw_path_length(plain));
  lw_path_destroy(plain);
  lw_path_destroy(path);
}

static void check_radius(shared_level *level, float radius) {
  lw_profile_def def = lw_profile_def_default();
  lw_profile *profile;
  totals sums = {.min = INFINITY};
  def.radius = radius;
  def.can_swim = true;
  assert_int_equal(lw_profile_create(&def, level->areas, &profile, NULL), LW_OK);
  lw_filter filter = lw_profile_filter(profile);
  float keep = lwi_clearance_extra(level->mesh, &filter);
  lwi_memory memory = lwi_memory_make(NULL);
  double began = lwi_clock();
  lwi_clearance *clearance = lwi_clearance_create(&memory, level->mesh, &filter);
  double took = lwi_clock() - began;
  assert_non_null(clearance);
  uint32_t regions = clearance->graph.region_count;
  size_t bytes = memory.bytes;
  lw_error error = {0};
  if (lwi_clearance_check(clearance, &error) != LW_OK)
    fail_msg("%s, radius %g: %s", level->name, (double)radius, error.text);
  lwi_clearance_destroy(clearance);
  assert_int_equal(memory.bytes, 0);
  lw_navmesh *mesh;
  lw_world *baked = bake_for(level, radius, &mesh);
  for (int i = 0; i < PAIRS; i++) {
    lw_location from, to;
    if (draw(level, profile, &from) && draw(level, profile, &to))
      check_pair(level, baked, profile, keep, from.point, to.point, &sums);
  }
  lw_world_destroy(baked);
  lw_navmesh_destroy(mesh);
  uint32_t polygons = level->mesh->polygons.count;
  double paths = fmax(1, sums.found);
  printf("note: %s, radius %g, keeping %g m more: computed in %.2f ms (%.1f us and %.0f bytes a polygon, %u "
         "regions "
         "more)\n",
         level->name, (double)radius, (double)keep, took * 1e3, took * 1e6 / polygons, (double)bytes / polygons,
         (unsigned)(regions - polygons));
  printf(
      "note:   %d paths found, %d not; smallest distance %+.3f m; %.1f us a path (%.1f without); %.3f of the "
      "length; on a mesh "
      "baked for them %d as well, %d only there, %d only here (seed %llu)\n",
      sums.found, sums.shut, sums.min, sums.seconds * 1e6 / paths, sums.plain_seconds * 1e6 / paths,
      sums.detour / paths, sums.baked_both, sums.baked_only, sums.ours_only, (unsigned long long)level->seed);
  assert_int_equal(sums.stuck, 0);
  lw_profile_destroy(profile);
}

static void larger_agents_keep_off_walls(shared_level *level) {
  check_radius(level, 0.8f);
  check_radius(level, 1.5f);
}

/* Cuts do not clear these of walls. */
static void what_is_connected_has_a_path(shared_level *level) {
  static const lw_vec3 pairs[][2] = {
      {{-9.74984932f, -2.36842704f, -14.4009466f}, {18.832777f, -2.36771679f, 5.87751341f}},
      {{-14.3873968f, -2.36851478f, -14.317647f}, {-7.04794407f, -2.3658042f, 2.73869801f}},
      {{-14.5693521f, -2.36865854f, -14.761405f}, {20.5982819f, -2.36836529f, 10.8503628f}},
      {{-11.8870773f, -2.36854792f, -14.6179266f}, {22.0186367f, -2.36908841f, 10.9223185f}},
  };
  if (strcmp(level->name, "recast_nav_test") != 0) return;
  lw_profile_def def = lw_profile_def_default();
  lw_profile *profile;
  totals sums = {.min = INFINITY};
  def.radius = 2.5f;
  def.can_swim = true;
  assert_int_equal(lw_profile_create(&def, level->areas, &profile, NULL), LW_OK);
  const lw_filter filter = lw_profile_filter(profile);
  for (int i = 0; i < (int)(sizeof pairs / sizeof *pairs); i++)
    check_pair(level, NULL, profile, lwi_clearance_extra(level->mesh, &filter), pairs[i][0], pairs[i][1],
               &sums);
  assert_int_equal(sums.found, sizeof pairs / sizeof *pairs);
  lw_profile_destroy(profile);
}

int main(void) {
  static const level_check checks[] = {{"larger_agents_keep_off_walls", larger_agents_keep_off_walls},
                                       {"what_is_connected_has_a_path", what_is_connected_has_a_path}};
  return level_run("level radius", checks, sizeof checks / sizeof *checks);
}
