/* What is seen where tiles change: threats that stay where they are, about whom very much is asked, so that depth maps, the
   cover map and the visibility table answer. After each change all of them answer as in a world that begins with it. */
#include "sight_scene.h"
#include "tiles_place.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define WALLS 6
#define SOURCES 4
#define PATCHES 3
#define STATES 3
#define ROUNDS 60
#define EYES 3
#define BUSY 2 /* of them: of the others a workspace keeps its own maps */
#define QUERIES 150
#define MANY (LW_BUSY_SEGMENTS + 50)
#define TABLE 30.0f /* m */
#define NEAR 0.02   /* m on the mean that maps may be off */

typedef struct run {
  uint64_t seed;
  lw_random random, questions;
  lw_navmesh *sources[SOURCES], *patches[PATCHES];
  lw_world *world;
  lw_workspace *workspace;
  lw_vec3 eyes[EYES];
  int state, round;
  double seen[LW_ACCURACY_COUNT], off[LW_ACCURACY_COUNT], changed; /* m */
} run;

static int below(lw_random *random, int count) {
  return (int)(lwi_random_unit(random) * (float)count);
}

/* --- levels ------------------------------------------------------------------------------------------------------- */

static void draw_walls(lw_random *random, lw_geometry_box walls[WALLS]) {
  for (int i = 0; i < WALLS; i++) {
    const lw_vec3 at = tiles_random_at(random);
    walls[i] =
        tiles_wall_at(at.x, at.z, 0.5f + 4 * lwi_random_unit(random), 0.5f + 4 * lwi_random_unit(random));
  }
}

static lw_geometry *level_of(const lw_geometry_box walls[WALLS]) {
  lw_geometry *geometry = scene_floor(scene_table, WIDTH, DEPTH);
  for (int i = 0; i < WALLS; i++) assert_int_equal(lw_geometry_add_box(geometry, &walls[i], NULL), LW_OK);
  return geometry;
}

static lw_bake_settings settings_of(void) {
  lw_bake_settings settings = tiles_settings();
  settings.openness_range = 0;
  settings.cover.map = true;
  settings.visibility_table_range = TABLE;
  return settings;
}

/* The last one is what a rebuild makes of the first, with another wall. */
static void bake_sources(run *r) {
  const lw_bake_settings settings = settings_of();
  lw_geometry_box walls[WALLS], first[WALLS];
  lw_error error = {.text = ""};
  for (int i = 0; i < SOURCES - 1; i++) {
    draw_walls(&r->random, walls);
    if (i == 0) memcpy(first, walls, sizeof first);
    lw_geometry *geometry = level_of(walls);
    r->sources[i] = scene_bake(geometry, &settings, NULL);
    lw_geometry_destroy(geometry);
  }
  first[0] = tiles_wall_at(24, 12, 1, 12);
  lw_geometry *geometry = level_of(first);
  lw_rebuild_def def = lw_rebuild_def_default();
  def.navmesh = r->sources[0];
  def.geometry = geometry;
  def.settings = &settings;
  def.changed = (lw_box){{0, -2, 0}, {WIDTH, 12, DEPTH}};
  if (lw_navmesh_rebuild(&def, &r->sources[SOURCES - 1], NULL, &error) != LW_OK) fail_msg("%s", error.text);
  lw_geometry_destroy(geometry);
}

/* Its states have two columns of tiles as they are, of the second source, and none. */
static void define_wall(const run *r, lw_world *world, int initial) {
  lw_permutation_tile tiles[STATES - 1][8];
  lw_permutation_state_def states[STATES] = {{.name = "own"}, {.name = "other"}, {.name = "gone"}};
  lw_permutation_def def = lw_permutation_def_default();
  lw_error error = {.text = ""};
  for (int i = 0; i < 2; i++) {
    for (int k = 0; k < 8; k++)
      tiles[i][k] = (lw_permutation_tile){0, {2 + k / 4, k % 4, i == 0 ? r->sources[1] : NULL}};
    states[i + 1].tiles = tiles[i];
    states[i + 1].tile_count = 8;
  }
  def.name = "wall";
  def.states = states;
  def.state_count = STATES;
  def.initial = initial;
  if (lw_permutation_define(world, &def, &error) != LW_OK) fail_msg("%s", error.text);
}

/* --- changes ------------------------------------------------------------------------------------------------------ */

/* Some tiles of a source come from another one. */
static lw_navmesh *make_patch(run *r) {
  lw_tile_change changes[6];
  lw_error error = {.text = ""};
  lw_navmesh **free_one = NULL;
  for (int i = 0; i < PATCHES; i++)
    if (!r->patches[i] || !lw_world_uses_navmesh(r->world, r->patches[i])) free_one = &r->patches[i];
  assert_non_null(free_one);
  lw_navmesh_destroy(*free_one);
  for (int i = 0; i < 6; i++)
    changes[i] = (lw_tile_change){i, below(&r->random, 3), r->sources[below(&r->random, 3)]};
  if (lw_navmesh_replace_tiles(r->sources[below(&r->random, 3)], changes, 6, NULL, free_one, &error) != LW_OK)
    fail_msg("%s", error.text);
  return *free_one;
}

static void change(run *r) {
  static const char *const names[] = {"own", "other", "gone"};
  lw_error error = {.text = ""};
  if (below(&r->random, 2) == 0) {
    r->state = below(&r->random, STATES);
    assert_int_equal(lw_permutation_set(r->world, "wall", names[r->state], NULL), LW_OK);
    return;
  }
  const lw_navmesh *mesh = below(&r->random, 3) == 0 ? make_patch(r) : r->sources[below(&r->random, SOURCES)];
  if (lw_world_set_navmesh(r->world, 0, mesh, &error) != LW_OK) fail_msg("%s", error.text);
}

/* --- answers ------------------------------------------------------------------------------------------------------ */

/* So that in the next step there are maps for all. */
static void ask_often(const run *r, const lw_world *world, lw_workspace *workspace) {
  for (int i = 0; i < MANY * BUSY; i++) {
    const lw_vec3 from = {1 + (float)(i % 40), 0, 2}, to = {2 + (float)(i % 37), 0, 20};
    sight_exposed(world, i % 4 < 2 ? NULL : workspace, r->eyes[i % BUSY], from, to, LW_ACCURACY_AUTO);
  }
}

static void step(lw_world *world) {
  assert_int_equal(lw_world_step(world, 1.0f / 60), LW_OK);
}

static lw_world *begin_with_it(const run *r) {
  lw_world *fresh = tiles_make_world(lw_world_base_navmesh(r->world, 0));
  define_wall(r, fresh, r->state);
  assert_int_equal(lw_world_apply_changes(fresh), LW_OK);
  ask_often(r, fresh, NULL);
  step(fresh);
  return fresh;
}

static void compare(run *r, const lw_world *fresh) {
  for (int i = 0; i < QUERIES; i++) {
    const lw_vec3 from = tiles_random_at(&r->questions), to = tiles_random_at(&r->questions);
    const lw_vec3 eye = r->eyes[i % EYES];
    const double exact = (double)sight_exposed(fresh, NULL, eye, from, to, LW_ACCURACY_EXACT);
    for (int k = 0; k < LW_ACCURACY_COUNT; k++) {
      const float mine =
                      sight_exposed(r->world, i % 4 < 2 ? NULL : r->workspace, eye, from, to, (lw_accuracy)k),
                  expected = sight_exposed(fresh, NULL, eye, from, to, (lw_accuracy)k);
      if (fabsf(mine - expected) > 1e-4f)
        fail_msg("seed %llu, round %d: %s: of (%g, %g) to (%g, %g) %g m are seen, expected %g",
                 (unsigned long long)r->seed, r->round, lw_accuracy_name((lw_accuracy)k), (double)from.x,
                 (double)from.z, (double)to.x, (double)to.z, (double)mine, (double)expected);
      r->seen[k] += (double)mine;
      r->off[k] += fabs((double)mine - exact);
    }
  }
}

/* Metres that are seen otherwise than before the change. */
static double note(const run *r) {
  double sum = 0;
  for (int i = 0; i < 40; i++)
    sum += (double)sight_exposed(r->world, r->workspace, r->eyes[0], (lw_vec3){1 + (float)i, 0, 1},
                                 (lw_vec3){1 + (float)i, 0, 23}, LW_ACCURACY_EXACT);
  return sum;
}

static void all_answers_are_those_of_the_new_tiles(void **state) {
  (void)state;
  static run all;
  run *r = &all;
  *r = (run){.seed = tiles_seed_of(), .random = lwi_random_make(tiles_seed_of(), 7)};
  r->questions = lwi_random_make(r->seed, 8);
  bake_sources(r);
  r->world = tiles_make_world(r->sources[0]);
  r->workspace = lw_workspace_create(r->world);
  define_wall(r, r->world, 0);
  for (int i = 0; i < EYES; i++) {
    r->eyes[i] = tiles_random_at(&r->random);
    r->eyes[i].y = 1.7f;
  }
  for (; r->round < ROUNDS; r->round++) {
    if (r->round % 3 == 0) r->eyes[BUSY] = lwi_add(tiles_random_at(&r->random), lwi_vec3(0, 1.7f, 0));
    const double before = note(r);
    ask_often(r, r->world, r->workspace);
    change(r);
    step(r->world);
    r->changed += fabs(note(r) - before);
    lw_world *fresh = begin_with_it(r);
    compare(r, fresh);
    lw_world_destroy(fresh);
  }
  for (int k = 0; k < LW_ACCURACY_COUNT; k++)
    print_message("note: seed %llu: %s: %.0f m seen, off by %.1f m\n", (unsigned long long)r->seed,
                  lw_accuracy_name((lw_accuracy)k), r->seen[k], r->off[k]);
  assert_true(r->changed > 10 * ROUNDS);
  assert_true(r->off[LW_ACCURACY_AUTO] > 0 && r->off[LW_ACCURACY_AUTO] < NEAR * r->seen[LW_ACCURACY_EXACT]);
  assert_true(r->off[LW_ACCURACY_MAP] > 0);
  lw_workspace_destroy(r->workspace);
  lw_world_destroy(r->world);
  for (int i = 0; i < PATCHES; i++) lw_navmesh_destroy(r->patches[i]);
  for (int i = 0; i < SOURCES; i++) lw_navmesh_destroy(r->sources[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_answers_are_those_of_the_new_tiles)};
  return cmocka_run_group_tests(tests, scene_open, scene_close);
}
