/* What is kept of what threats see: never another path than one that is searched for again, whatever was asked before and
   whatever changes; what is kept against lines of sight; bytes; and running out of memory. */
#include "allocator.h"
#include "core/random.h"
#include "core/vec3.h"
#include "cover_scene.h"
#include "query/scene.h"

#include "leeward/obstacle.h"
#include "leeward/path.h"
#include "leeward/query.h"
#include "leeward/workspace.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define SEED 20261126u
#define THREATS 9
#define OBSTACLES 6
#define ROUNDS 60

typedef struct level {
  lw_navmesh *meshes[2]; /* without a wall across it, and with it */
  lw_profile *profile;
} level;

static float between(lw_random *random, float low, float high) {
  return low + (high - low) * lwi_random_unit(random);
}

static level make_level(void) {
  level built;
  for (int walled = 0; walled < 2; walled++) {
    cover_scene s = cover_begin((lw_vec3){0, 0, 0});
    for (int i = 0; i < 5; i++)
      cover_add_box(&s, (lw_vec3){3 + 3 * (float)i, 0, 6 + (float)(i * 5 % 7)}, (lw_vec3){2, 2.5f, 0.5f},
                    0.4f * (float)i, LW_COVER_HARD);
    if (walled) cover_add_box(&s, (lw_vec3){10, 0, 15}, (lw_vec3){8, 2.5f, 0.4f}, 0, LW_COVER_HARD);
    const lw_bake_settings settings = cover_settings();
    built.meshes[walled] = scene_bake(s.geometry, &settings, NULL);
    lw_geometry_destroy(s.geometry);
  }
  lw_profile_def profile = lw_profile_def_default();
  profile.cover_bias = 6;
  assert_int_equal(lw_profile_create(&profile, scene_table, &built.profile, NULL), LW_OK);
  return built;
}

static void drop_level(level *built) {
  lw_profile_destroy(built->profile);
  for (int i = 0; i < 2; i++) lw_navmesh_destroy(built->meshes[i]);
}

static lw_world *make_world(const level *on, size_t cache_bytes, support_memory *memory) {
  lw_world *world;
  lw_world_def def = lw_world_def_default();
  def.navmesh = on->meshes[0];
  def.cache_bytes = cache_bytes;
  if (memory) def.allocator = support_allocator(memory);
  assert_int_equal(lw_world_create(&def, &world, NULL), LW_OK);
  return world;
}

static void place_threats(lw_threat *threats, lw_random *random) {
  for (int i = 0; i < THREATS; i++) {
    threats[i] = lw_threat_default();
    threats[i].at = (lw_vec3){between(random, 0, SIZE), 1.6f, between(random, 0, SIZE)};
    if (i % 3 == 1) threats[i].range = 12;
    if (i % 3 == 2) threats[i].half_angle = 1, threats[i].facing = (lw_vec3){0, 0, -1};
  }
}

typedef struct question {
  const lw_threat *threats;
  int count;
  lw_vec3 from, to;
  lw_quality quality;
} question;

static lw_status find(const level *on, const lw_world *world, lw_workspace *workspace, const question *asked,
                      lw_path **path) {
  lw_path_query query = lw_path_query_default();
  query.from = asked->from;
  query.to = asked->to;
  query.profile = on->profile;
  query.accuracy = LW_ACCURACY_EXACT; /* threats that get busy change no answer */
  query.threats = asked->threats;
  query.threat_count = asked->count;
  query.quality = asked->quality;
  return lw_path_find(world, workspace, &query, path);
}

static question draw_question(const lw_threat *threats, lw_random *random) {
  const int first = (int)(lwi_random_bits(random) % 4);
  return (question){.threats = threats + first,
                    .count = 1 + (int)(lwi_random_bits(random) % (THREATS - 4)),
                    .from = {between(random, 1, SIZE - 1), 0, between(random, 1, SIZE - 1)},
                    .to = {between(random, 1, SIZE - 1), 0, between(random, 1, SIZE - 1)},
                    .quality = lwi_random_bits(random) % 3 ? LW_QUALITY_GOOD : LW_QUALITY_FAST};
}

static void assert_same(const lw_path *a, const lw_path *b) {
  int count_a, count_b;
  const lw_vec3 *points_a = lw_path_points(a, &count_a), *points_b = lw_path_points(b, &count_b);
  assert_int_equal(count_a, count_b);
  assert_memory_equal(points_a, points_b, (size_t)count_a * sizeof *points_a);
  assert_true(lw_path_cost(a) == lw_path_cost(b));
  assert_true(lw_path_exposed(a) == lw_path_exposed(b));
}

/* --- the same as again ------------------------------------------------------------------------------------- */

/* A world that keeps all, and one that keeps nothing and is asked little. */
typedef struct pair {
  lw_world *keeps, *forgets;
  lw_obstacle_id obstacles[2][OBSTACLES];
  bool walled;
} pair;

static lw_obstacle_def draw_obstacle(lw_random *random) {
  lw_obstacle_def def = lw_obstacle_def_default();
  def.at = (lw_vec3){between(random, 2, SIZE - 2), 0, between(random, 2, SIZE - 2)};
  def.size = (lw_vec3){between(random, 0.5f, 3), 2.2f, between(random, 0.3f, 2)};
  def.yaw = between(random, 0, 3);
  def.cover = lwi_random_bits(random) % 2 ? LW_COVER_HARD : LW_COVER_NONE;
  return def;
}

/* One obstacle more, elsewhere or less; or the wall comes or goes. */
static void change(const level *on, pair *of, lw_random *random) {
  const uint32_t i = (uint32_t)(lwi_random_bits(random) % OBSTACLES);
  const lw_obstacle_def def = draw_obstacle(random);
  const uint32_t kind = (uint32_t)(lwi_random_bits(random) % 4);
  if (kind == 0) of->walled = !of->walled;
  for (int w = 0; w < 2; w++) {
    lw_world *world = w ? of->forgets : of->keeps;
    lw_obstacle_id *obstacle = &of->obstacles[w][i];
    if (kind == 0)
      assert_int_equal(lw_world_set_navmesh(world, 0, on->meshes[of->walled], NULL), LW_OK);
    else if (kind == 1 && lw_obstacle_remove(world, *obstacle) == LW_OK)
      *obstacle = (lw_obstacle_id){0};
    else if (lw_obstacle_move(world, *obstacle, def.at, def.yaw, NULL) != LW_OK)
      assert_int_equal(lw_obstacle_add(world, &def, obstacle, NULL), LW_OK);
    for (int step = 0; step < 2; step++) assert_int_equal(lw_world_step(world, 0.5f), LW_OK);
  }
}

static void compare(const level *on, const pair *of, const lw_threat *threats, lw_random *random, int *found) {
  for (int i = 0; i < 6; i++) {
    const question asked = draw_question(threats, random);
    lw_path *kept, *again;
    const lw_status status = find(on, of->keeps, NULL, &asked, &kept);
    if (i % 3 == 0) {
      lw_workspace *fresh = lw_workspace_create(of->forgets);
      assert_int_equal(find(on, of->forgets, fresh, &asked, &again), status);
      if (status == LW_OK) assert_same(kept, again);
      *found += status == LW_OK && lw_path_exposed(kept) > 0;
      lw_path_destroy(again);
      lw_workspace_destroy(fresh);
    }
    lw_path_destroy(kept);
  }
}

static void paths_do_not_depend_on_what_is_kept(void **state) {
  level on = make_level();
  lw_random random = lwi_random_make(SEED, 1);
  lw_threat threats[THREATS];
  pair of = {.keeps = make_world(&on, (size_t)1 << 20, NULL), .forgets = make_world(&on, 1, NULL)};
  int found = 0;
  (void)state;
  place_threats(threats, &random);
  for (int round = 0; round < ROUNDS; round++) {
    compare(&on, &of, threats, &random, &found);
    change(&on, &of, &random);
    if (round % 8 == 7) threats[round % THREATS].at.x = between(&random, 0, SIZE);
  }
  assert_true(found > ROUNDS / 2);
  lw_world_destroy(of.keeps);
  lw_world_destroy(of.forgets);
  drop_level(&on);
}

/* --- what is kept ----------------------------------------------------------------------------------------- */

#define POINTS 60

/* The part of a cell that is seen, by points along the line through its middle. Negative: that is not in the polygon. */
static float look_at_cell(const lw_world *world, const lwi_samples *samples, const lwi_threat_view *view,
                          uint32_t polygon, uint32_t sample) {
  const lwi_sample_grid *grid = &samples->grids[polygon];
  const lwi_polygon of = lwi_polygon_get(samples->mesh, polygon);
  const uint32_t row = (sample - grid->first) / grid->columns, column = (sample - grid->first) % grid->columns;
  const bool along_x = grid->columns >= grid->rows;
  int seen = 0;
  for (int i = 0; i < POINTS; i++) {
    const float t = ((float)i + 0.5f) / POINTS;
    const float x = ((float)column + (along_x ? t : 0.5f)) / grid->per_metre[0],
                z = ((float)row + (along_x ? 0.5f : t)) / grid->per_metre[1];
    lw_vec3 at = {grid->x + x, 0, grid->z + z};
    if (!lwi_polygon_holds(&of, at, 0)) return -1;
    at.y = lwi_polygon_height(samples->mesh, polygon, at.x, at.z);
    bool any = false;
    for (int k = 0; k < view->height_count; k++)
      any = any || lw_world_sees(world, view->at, lwi_add(at, lwi_vec3(0, view->heights[k], 0)), false);
    seen += any;
  }
  return (float)seen / POINTS;
}

static void what_is_kept_is_what_is_seen(void **state) {
  level on = make_level();
  lw_random random = lwi_random_make(SEED, 2);
  lw_threat threats[THREATS];
  lw_world *world = make_world(&on, (size_t)1 << 20, NULL);
  (void)state;
  place_threats(threats, &random);
  for (int i = 0; i < 12; i++) {
    const question asked = draw_question(threats, &random);
    lw_path *path;
    assert_int_equal(find(&on, world, NULL, &asked, &path), LW_OK);
    lw_path_destroy(path);
  }
  const lwi_shared *shared = lwi_scene_of(world)->navs[0].shared;
  int known = 0;
  double sum = 0;
  for (const lwi_threat_view *view = shared->threat_views.oldest; view; view = view->newer)
    for (uint32_t polygon = 0; polygon < shared->samples.mesh->polygons.count; polygon++) {
      const lwi_sample_grid *grid = &shared->samples.grids[polygon];
      for (uint32_t k = grid->first; k < grid->first + (uint32_t)grid->columns * grid->rows; k += 3) {
        const unsigned part = atomic_load(&view->parts[k]);
        const float truth = part == 0 ? -1 : look_at_cell(world, &shared->samples, view, polygon, k);
        if (truth < 0) continue;
        known += 1;
        sum += fabs((double)truth - (part - 1) / 254.0);
      }
    }
  printf("note: %d parts of cells are %.4f off what points along them see in the mean\n", known, sum / known);
  assert_true(known > 1000);
  assert_true(sum / known < 0.005);
  lw_world_destroy(world);
  drop_level(&on);
}

static void what_is_kept_is_bounded_and_counted(void **state) {
  level on = make_level();
  lw_random random = lwi_random_make(SEED, 3);
  lw_threat threats[THREATS];
  (void)state;
  for (int small = 0; small < 2; small++) {
    lw_world *world = make_world(&on, small ? 1 : (size_t)1 << 20, NULL);
    lwi_threat_views *views = &lwi_scene_of(world)->navs[0].shared->threat_views;
    question asked = draw_question(threats, &random);
    size_t before = 0;
    asked.threats = threats;
    asked.count = 2;
    for (int i = 0; i < 20; i++) {
      lw_path *path;
      place_threats(threats, &random);
      assert_int_equal(find(&on, world, NULL, &asked, &path), LW_OK);
      lw_path_destroy(path);
      if (i == 0) before = lw_world_memory(world) - lwi_threat_views_memory(views);
    }
    int count = 0;
    for (const lwi_threat_view *view = views->oldest; view; view = view->newer) count += 1;
    assert_int_equal(count, small ? 2 : 40); /* those of the last search are in use */
    assert_true(lw_world_memory(world) >= before + lwi_threat_views_memory(views));
    assert_true(lwi_threat_views_memory(views) >= (size_t)count * views->newest->count);
    lw_world_destroy(world);
  }
  drop_level(&on);
}

/* --- out of memory ---------------------------------------------------------------------------------------- */

/* Never another path than with memory: either none, or the same. */
static void without_memory_there_is_no_watched_path(void **state) {
  level on = make_level();
  lw_random random = lwi_random_make(SEED, 4);
  lw_threat threats[THREATS];
  int refused = 0;
  (void)state;
  place_threats(threats, &random);
  const question asked = {threats, THREATS, {1, 0, 10}, {19, 0, 10}, LW_QUALITY_GOOD};
  for (int left = 0, spare = 0; spare <= 0; left++) {
    support_memory memory = {.left = -1, .once = true};
    lw_world *world = make_world(&on, (size_t)1 << 20, &memory);
    lw_path *path, *again;
    memory.left = left;
    const lw_status status = find(&on, world, NULL, &asked, &path);
    spare = (int)memory.left;
    memory.left = -1;
    assert_true(status == LW_OK || status == LW_OUT_OF_MEMORY);
    assert_int_equal(find(&on, world, NULL, &asked, &again), LW_OK); /* and nothing is broken */
    if (path) assert_same(path, again);
    refused += status != LW_OK;
    lw_path_destroy(path);
    lw_path_destroy(again);
    lw_world_destroy(world);
    assert_int_equal(memory.bytes, 0);
  }
  assert_true(refused > 40);
  drop_level(&on);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(paths_do_not_depend_on_what_is_kept),
      cmocka_unit_test(what_is_kept_is_what_is_seen),
      cmocka_unit_test(what_is_kept_is_bounded_and_counted),
      cmocka_unit_test(without_memory_there_is_no_watched_path),
  };
  setvbuf(stdout, NULL, _IOLBF, 0);
  return cmocka_run_group_tests(tests, scene_open, scene_close);
}
