/* What has changed under paths, among boxes that come and go at random: against the ids of polygons, and the outlines of the
   boxes. The seed is printed; LEEWARD_SEED sets it. */
#include "bake_scene.h"
#include "core/random.h"
#include "core/vec3.h"
#include "sight_scene.h"

#include "leeward/leeward.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define SIDE 40.0f
#define RADIUS 0.4f
#define PATHS 60
#define BOXES 4
/* Where a box grown by the agent's radius is so near to a piece, rounding decides. [m] */
#define UNSURE 0.12f
#define CHANGES 64

static float between(lw_random *random, float low, float high) {
  return low + (high - low) * lwi_random_unit(random);
}

static lw_navmesh *make_navmesh(lw_area_id area) {
  lw_geometry *geometry = scene_geometry(scene_table);
  scene_add_floor(geometry, (lw_vec3){0, 0, 0}, SIDE, SIDE, area);
  const lw_geometry_box wall = {.at = {20, 0, 15}, .size = {1, 2, 30}, .area = LW_AREA_NONE};
  assert_int_equal(lw_geometry_add_box(geometry, &wall, NULL), LW_OK);
  lw_bake_settings settings = lw_bake_settings_default();
  settings.agent_radius = RADIUS;
  settings.cell_size = 0.2f;
  settings.tile_size = 8;
  settings.threads = 1;
  lw_navmesh *navmesh = scene_bake(geometry, &settings, NULL);
  lw_geometry_destroy(geometry);
  return navmesh;
}

static lw_world *make_world(const lw_navmesh *navmesh) {
  lw_world_def def = lw_world_def_default();
  lw_world *world;
  def.navmesh = navmesh;
  assert_int_equal(lw_world_create(&def, &world, NULL), LW_OK);
  return world;
}

static int changes_of(const lw_path *path, const lw_world *world, const lw_path_query *query,
                      lw_path_change *changes) {
  int count;
  assert_int_equal(lw_path_changes(path, world, query, changes, CHANGES, &count), LW_OK);
  assert_true(count <= CHANGES);
  return count;
}

/* --- against ids and outlines ------------------------------------------------------------------------------- */

static bool is_stale(const lw_world *world, lw_poly_id id) {
  lw_poly poly;
  return lw_navmesh_get_poly(lw_world_navmesh(world), id, &poly) == LW_STALE;
}

/* How far a piece is from a box that rests, sampled every 2 cm. Below 0: within. [m] */
static float gap(lw_vec3 a, lw_vec3 b, lw_vec3 at, lw_vec3 size) {
  const int samples = 1 + (int)(lwi_distance_xz(a, b) / 0.02f);
  float nearest = INFINITY;
  for (int i = 0; i <= samples; i++) {
    const lw_vec3 p = lwi_lerp(a, b, (float)i / (float)samples);
    const float dx = fabsf(p.x - at.x) - size.x / 2, dz = fabsf(p.z - at.z) - size.z / 2;
    nearest = fminf(nearest, hypotf(fmaxf(dx, 0), fmaxf(dz, 0)));
  }
  return nearest;
}

typedef struct counts {
  int pieces, changed, blocked, unsure;
} counts;

static const lw_path_change *change_at(const lw_path_change *changes, int count, int point) {
  for (int i = 0; i < count; i++)
    if (changes[i].point == point) return &changes[i];
  return NULL;
}

static void check_piece(const lw_world *world, const lw_path *path, int point, const lw_path_change *change,
                        const lw_obstacle_def *boxes, counts *to) {
  int count;
  const lw_vec3 *points = lw_path_points(path, &count);
  float nearest = INFINITY;
  for (int i = 0; i < BOXES; i++)
    nearest = fminf(nearest, gap(points[point], points[point + 1], boxes[i].at, boxes[i].size));
  to->pieces += 1;
  to->changed += change != NULL;
  to->blocked += change && change->blocks;
  if (fabsf(nearest - RADIUS) < UNSURE) {
    to->unsure += 1;
    return;
  }
  if ((change && change->blocks) != (nearest < RADIUS))
    fail_msg("piece %d of %d is %g from the boxes, and %s", point, count, (double)nearest,
             change && change->blocks ? "blocked" : "not blocked");
  if (!change) return;
  const lw_poly_id *corridor = lw_path_corridor(path, &count);
  assert_int_equal(change->kind, LW_PATH_CUT);
  assert_true(change->polygon >= 0 && change->polygon < count && change->count > 0);
  assert_true(is_stale(world, corridor[change->polygon]));
}

/* Every polygon that is gone is among those of a change. */
static void check_corridor(const lw_world *world, const lw_path *path, const lw_path_change *changes,
                           int count) {
  int polygons, stale = 0, first = 0;
  const lw_poly_id *corridor = lw_path_corridor(path, &polygons);
  for (int i = polygons - 1; i >= 0; i--) {
    stale += is_stale(world, corridor[i]);
    if (is_stale(world, corridor[i])) first = i;
  }
  int listed = 0;
  for (int i = 0; i < count; i++) listed += changes[i].count;
  assert_true(listed >= stale && (stale > 0) == (count > 0));
  if (count > 0) assert_int_equal(changes[0].polygon, first);
}

static void check_path(lw_world *world, lw_random *random, counts *to) {
  lw_path_query query = lw_path_query_default();
  lw_path *path;
  lw_path_change changes[CHANGES];
  lw_obstacle_def boxes[BOXES];
  lw_obstacle_id ids[BOXES];
  query.from = (lw_vec3){between(random, 1, SIDE - 1), 0, between(random, 1, SIDE - 1)};
  query.to = (lw_vec3){between(random, 1, SIDE - 1), 0, between(random, 1, SIDE - 1)};
  if (lw_path_find(world, NULL, &query, &path) != LW_OK) return;
  int count;
  lw_path_points(path, &count);
  assert_int_equal(changes_of(path, world, &query, changes), 0);
  for (int i = 0; i < BOXES; i++) {
    boxes[i] = lw_obstacle_def_default();
    boxes[i].at = (lw_vec3){between(random, 0, SIDE), 0, between(random, 0, SIDE)};
    boxes[i].size = (lw_vec3){between(random, 0.5f, 5), 2, between(random, 0.5f, 5)};
    assert_int_equal(lw_obstacle_add(world, &boxes[i], &ids[i], NULL), LW_OK);
  }
  assert_int_equal(lw_world_step(world, 0.1f), LW_OK);
  const int changed = changes_of(path, world, &query, changes);
  for (int i = 0; i + 1 < count; i++) check_piece(world, path, i, change_at(changes, changed, i), boxes, to);
  check_corridor(world, path, changes, changed);
  for (int i = 0; i < BOXES; i++) assert_int_equal(lw_obstacle_remove(world, ids[i]), LW_OK);
  assert_int_equal(lw_world_step(world, 0.1f), LW_OK);
  assert_int_equal(changes_of(path, world, &query, changes), 0); /* the ground is what it was */
  lw_path_destroy(path);
}

static void boxes_are_found_under_paths(void **state) {
  const uint64_t seed = sight_seed();
  lw_random random = lwi_random_make(seed, 0);
  counts of = {0};
  lw_navmesh *navmesh = make_navmesh(SCENE_GROUND);
  lw_world *world = make_world(navmesh);
  (void)state;
  for (int i = 0; i < PATHS; i++) check_path(world, &random, &of);
  printf("note: seed %llu: %d pieces, %d changed, %d blocked; %d too near to a box to tell\n",
         (unsigned long long)seed, of.pieces, of.changed, of.blocked, of.unsure);
  assert_true(of.blocked > 10 && of.changed > of.blocked && of.pieces > of.changed);
  lw_world_destroy(world);
  lw_navmesh_destroy(navmesh);
}

/* --- tiles, prices, and the end of the world ---------------------------------------------------------------- */

static void tiles_and_prices_are_not_cuts(void **state) {
  (void)state;
  lw_navmesh *navmesh = make_navmesh(SCENE_GROUND), *roads = make_navmesh(SCENE_ROAD);
  lw_world *world = make_world(navmesh);
  lw_profile_def def = lw_profile_def_default();
  lw_profile *before, *after;
  lw_path_query query = lw_path_query_default();
  lw_path *path;
  lw_path_change changes[CHANGES];
  lw_path_piece piece;
  def.name = "walker";
  def.area_factor[SCENE_GROUND] = 1;
  assert_int_equal(lw_profile_create(&def, scene_table, &before, NULL), LW_OK);
  def.area_factor[SCENE_GROUND] = 4;
  assert_int_equal(lw_profile_create(&def, scene_table, &after, NULL), LW_OK);
  query.from = (lw_vec3){5, 0, 5};
  query.to = (lw_vec3){15, 0, 25};
  query.profile = before;
  assert_int_equal(lw_path_find(world, NULL, &query, &path), LW_OK);
  assert_int_equal(changes_of(path, world, &query, changes), 0);

  query.profile = after;
  assert_int_equal(changes_of(path, world, &query, changes), 1);
  assert_int_equal(changes[0].kind, LW_PATH_PRICED);
  assert_false(changes[0].blocks);
  assert_float_equal(changes[0].before, 2, 1e-4);
  assert_float_equal(changes[0].after, 5, 1e-4);
  int polygons;
  lw_path_corridor(path, &polygons);
  assert_int_equal(changes[0].count, polygons);
  assert_int_equal(changes_of(path, world, NULL, changes), 0);

  query.profile = before;
  assert_int_equal(lw_world_set_navmesh(world, 0, roads, NULL), LW_OK);
  assert_int_equal(lw_world_step(world, 0.1f), LW_OK);
  assert_int_equal(changes_of(path, world, &query, changes), 1);
  assert_int_equal(changes[0].kind, LW_PATH_REPLACED);
  assert_int_equal(changes[0].count, polygons);
  assert_false(changes[0].blocks);

  lw_world_destroy(world); /* the path stays readable */
  lw_navmesh_destroy(navmesh);
  lw_navmesh_destroy(roads);
  assert_int_equal(lw_path_get_piece(path, 0, &piece), LW_OK);
  assert_float_equal(piece.price, 2, 1e-4);
  assert_int_equal(piece.polygon, lw_path_corridor(path, &polygons)[0]);
  assert_int_equal(piece.navmesh, 0);
  assert_int_equal(lw_path_get_piece(path, 99, &piece), LW_INVALID);
  lw_path_destroy(path);
  lw_profile_destroy(before);
  lw_profile_destroy(after);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(boxes_are_found_under_paths),
                                     cmocka_unit_test(tiles_and_prices_are_not_cuts)};
  setvbuf(stdout, NULL, _IOLBF, 0);
  return cmocka_run_group_tests(tests, scene_open, scene_close);
}
