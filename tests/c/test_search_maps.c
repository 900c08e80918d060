/* Depth maps used by searches for watched paths: how long they are kept, and running out of memory for them. */
#include "allocator.h"
#include "cover_scene.h"
#include "sight/depth_cache.h"
#include "leeward/path.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#define MANY 9
#define KEPT 2

typedef struct watched {
  cover_scene s;
  lw_profile *profile;
  lw_threat threats[MANY];
  float from, to; /* on the left side and on the right [m] */
} watched;

static watched make_watched(void) {
  watched w = {.s = cover_begin((lw_vec3){0, 0, 0}), .from = 10, .to = 10};
  for (int i = 0; i < 5; i++)
    cover_add_box(&w.s, (lw_vec3){3 + 3 * (float)i, 0, 6 + (float)(i * 5 % 7)}, (lw_vec3){2, 2.5f, 0.5f},
                  0.4f * (float)i, LW_COVER_HARD);
  const lw_bake_settings settings = cover_settings();
  w.s.mesh = scene_bake(w.s.geometry, &settings, NULL);
  lw_profile_def profile = lw_profile_def_default();
  profile.cover_bias = 6;
  assert_int_equal(lw_profile_create(&profile, scene_table, &w.profile, NULL), LW_OK);
  for (int i = 0; i < MANY; i++) {
    w.threats[i] = lw_threat_default();
    w.threats[i].at = (lw_vec3){1 + 2 * (float)i, 1.6f, 18};
  }
  return w;
}

static void drop_watched(watched *w) {
  lw_profile_destroy(w->profile);
  lw_navmesh_destroy(w->s.mesh);
  lw_geometry_destroy(w->s.geometry);
}

static lw_status make_world(const watched *w, int maps, support_memory *memory, lw_world **world) {
  lw_world_def def = lw_world_def_default();
  def.navmesh = w->s.mesh;
  def.depth_maps = maps;
  if (memory) def.allocator = support_allocator(memory);
  return lw_world_create(&def, world, NULL);
}

static lw_status find(const watched *w, lw_world *world, int threats, float *cost) {
  lw_path_query query = lw_path_query_default();
  lw_path *path;
  query.from = (lw_vec3){1, 0, w->from};
  query.to = (lw_vec3){19, 0, w->to};
  query.profile = w->profile;
  query.accuracy = LW_ACCURACY_EXACT; /* threats get busy */
  query.threats = w->threats;
  query.threat_count = threats;
  const lw_status status = lw_path_find(world, NULL, &query, &path);
  if (status == LW_OK) *cost = lw_path_cost(path);
  lw_path_destroy(path);
  return status;
}

static void wait(lw_world *world, int steps) {
  for (int i = 0; i < steps; i++) assert_int_equal(lw_world_step(world, 0.01f), LW_OK);
}

static void maps_for_many_threats_are_freed_when_unused(void **state) {
  watched w = make_watched();
  lw_world *world;
  float few, many, again;
  (void)state;
  assert_int_equal(make_world(&w, KEPT, NULL, &world), LW_OK);
  assert_int_equal(find(&w, world, KEPT, &few), LW_OK);
  const size_t kept = lw_world_memory(world);
  assert_int_equal(find(&w, world, MANY, &many), LW_OK);
  assert_true(few < many);
  const size_t more = (MANY - KEPT) * sizeof(lwi_depth_map);
  assert_true(lw_world_memory(world) >= kept + more);
  for (int i = 0; i < 3; i++) { /* they stay while they are needed now and then */
    wait(world, LWI_SEARCH_MAPS_REST - 1);
    assert_true(lw_world_memory(world) >= kept + more);
    assert_int_equal(find(&w, world, MANY, &again), LW_OK);
    assert_true(again == many);
    assert_int_equal(find(&w, world, KEPT, &again), LW_OK);
    assert_true(again == few);
  }
  const size_t before = lw_world_memory(world);
  wait(world, LWI_SEARCH_MAPS_REST);
  assert_int_equal(before - lw_world_memory(world), more);
  assert_int_equal(find(&w, world, KEPT, &again), LW_OK);
  assert_true(again == few);
  assert_int_equal(find(&w, world, MANY, &again), LW_OK);
  assert_true(again == many);
  lw_world_destroy(world);
  drop_watched(&w);
}

/* A path that differs when there are no maps. */
static void find_path_that_needs_maps(watched *w) {
  lw_world *with, *without;
  float a = 0, b = 0;
  assert_int_equal(make_world(w, KEPT, NULL, &with), LW_OK);
  assert_int_equal(make_world(w, 0, NULL, &without), LW_OK);
  for (int i = 0; i < 81 && a == b; i++) {
    w->from = 2 + 2 * (float)(i % 9);
    w->to = 2 + 2 * (float)(i / 9);
    assert_int_equal(find(w, with, MANY, &a), LW_OK);
    assert_int_equal(find(w, without, MANY, &b), LW_OK);
  }
  assert_true(a != b);
  lw_world_destroy(with);
  lw_world_destroy(without);
}

/* Never another path than with memory: either none, or the same. */
static void without_memory_there_is_no_watched_path(void **state) {
  watched w = make_watched();
  float truth;
  int refused = 0;
  lw_world *world;
  (void)state;
  find_path_that_needs_maps(&w);
  assert_int_equal(make_world(&w, KEPT, NULL, &world), LW_OK);
  assert_int_equal(find(&w, world, MANY, &truth), LW_OK);
  lw_world_destroy(world);
  for (int left = 0; left < 40; left++) { /* more than it takes */
    support_memory memory = {.left = -1, .once = true};
    float cost = NAN;
    assert_int_equal(make_world(&w, KEPT, &memory, &world), LW_OK);
    assert_int_equal(find(&w, world, KEPT, &cost), LW_OK); /* then hardly more than maps are missing */
    memory.left = left;
    const lw_status status = find(&w, world, MANY, &cost);
    assert_true(status == LW_OK ? cost == truth : status == LW_OUT_OF_MEMORY);
    refused += status != LW_OK;
    assert_true(left < 39 || memory.left > 0);
    memory.left = -1;
    assert_int_equal(find(&w, world, MANY, &cost), LW_OK); /* and nothing is broken */
    assert_true(cost == truth);
    lw_world_destroy(world);
    assert_int_equal(memory.bytes, 0);
  }
  assert_true(refused >= MANY - KEPT);
  drop_watched(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(maps_for_many_threats_are_freed_when_unused),
      cmocka_unit_test(without_memory_there_is_no_watched_path),
  };
  setvbuf(stdout, NULL, _IOLBF, 0);
  return cmocka_run_group_tests(tests, scene_open, scene_close);
}
