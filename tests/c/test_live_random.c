/* A live navmesh of small random navmeshes with links: changes, and memory that runs out in them. */
#include "allocator.h"
#include "grid_mesh.h"
#include "live_scene.h"
#include "random_world.h"
#include "wide_plain.h"

#include "mesh/live_parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define BOXES 12

static lw_area_table *areas;

static int make_areas(void **state) {
  (void)state;
  static const char *const names[] = {"ground", "dirt", "grass"};
  areas = support_areas(names, 3);
  return 0;
}

static int drop_areas(void **state) {
  (void)state;
  lw_area_table_destroy(areas);
  return 0;
}

/* Somewhere, or at an end of a link. */
static lwi_footprint random_box(lw_random *random, const lw_navmesh *mesh) {
  live_box box = {.at = random_place(random, 0)};
  const int link = random_pick(random, 2 * (int)mesh->links.count + 2);
  if (link < (int)mesh->links.count) box.at = mesh->links.items[link].end;
  box.yaw = 6.3f * lwi_random_unit(random);
  box.half_x = 0.1f + 2 * lwi_random_unit(random);
  box.half_z = 0.1f + 2 * lwi_random_unit(random);
  box.height = 1;
  return live_footprint(&box);
}

static void change(lwi_live *live, lw_random *random, const lw_navmesh *mesh) {
  const uint32_t number = (uint32_t)random_pick(random, BOXES);
  const bool is_none = random_pick(random, 3) == 0;
  const lwi_footprint box = random_box(random, mesh);
  assert_true(lwi_live_set(live, number, is_none ? NULL : &box));
}

/* @param live  Freed. */
static void drop_all(lwi_live *live) {
  for (uint32_t i = 0; i < BOXES; i++) assert_true(lwi_live_set(live, i, NULL));
  assert_true(lwi_live_apply(live));
  live_assert_is_base(live);
  lwi_live_destroy(live);
}

/* One in ten is of wide squares, which are split. */
static lw_navmesh *make_mesh(lw_random *random, int scene) {
  static const char *const rows[] = {"..", "#."};
  support_link links[6];
  if (scene % 10 != 9) return random_mesh(random, areas, 0);
  for (int i = 0; i < 6; i++) {
    const lw_vec3 from = {60 + 36 * lwi_random_unit(random), 0, 6 + 84 * lwi_random_unit(random)},
                  to = {6 + 84 * lwi_random_unit(random), 0, 6 + 36 * lwi_random_unit(random)};
    links[i] = (support_link){LW_LINK_JUMP, from, to, -1, LW_AREA_NONE};
  }
  return support_grid_links(areas, rows, 2, 50, links, 6);
}

static void links_begin_and_end_on_what_is_there(void **state) {
  (void)state;
  const uint64_t seed = 20261123;
  lw_random random = lwi_random_make(seed, 0);
  uint32_t links = 0;
  printf("note: seed %llu\n", (unsigned long long)seed);
  for (int scene = 0; scene < 100; scene++) {
    lw_navmesh *mesh = make_mesh(&random, scene);
    lwi_memory memory = lwi_memory_make(NULL);
    lwi_live *live = lwi_live_create(&memory, mesh);
    links += mesh->links.count;
    for (int step = 0; step < 60; step++) {
      lw_error error = {.text = ""};
      change(live, &random, mesh);
      assert_true(lwi_live_apply(live));
      if (lwi_live_check(live, &error) != LW_OK) fail_msg("scene %d, step %d: %s", scene, step, error.text);
      live_assert_links(live);
    }
    drop_all(live);
    assert_int_equal(memory.bytes, 0);
    lw_navmesh_destroy(mesh);
  }
  assert_true(links > 50);
}

typedef struct failing_scene {
  lw_navmesh *mesh;
  lwi_footprint boxes[BOXES];
} failing_scene;

static void assert_checked(const lwi_live *live, int failure) {
  lw_error error = {.text = ""};
  if (lwi_live_check(live, &error) != LW_OK) fail_msg("failure %d: %s", failure, error.text);
}

/* @return Whether memory ran out. */
static bool cut_with_failure(const failing_scene *scene, int failure) {
  support_memory counted = {.left = -1};
  const lw_allocator allocator = support_allocator(&counted);
  lwi_memory memory = lwi_memory_make(&allocator);
  lwi_live *live = lwi_live_create(&memory, scene->mesh);
  assert_non_null(live);
  counted.left = failure;
  bool is_set[BOXES], done = true;
  for (uint32_t i = 0; i < BOXES; i++) done &= is_set[i] = lwi_live_set(live, i, &scene->boxes[i]);
  done &= lwi_live_apply(live);
  assert_checked(live, failure);
  assert_true(done == (counted.refused == 0));
  counted.left = -1;
  for (uint32_t i = 0; i < BOXES; i++) assert_true(is_set[i] || lwi_live_set(live, i, &scene->boxes[i]));
  assert_true(lwi_live_apply(live));
  assert_checked(live, failure);
  live_assert_links(live);
  drop_all(live);
  assert_int_equal(counted.bytes, 0);
  return !done;
}

/* As soon as there is memory again, all is cut as if there had always been. */
static void nothing_is_cut_where_memory_runs_out_and_all_is_later(void **state) {
  (void)state;
  lw_random random = lwi_random_make(20261123, 1);
  int failures = 0;
  for (int i = 0; i < 30; i++) {
    failing_scene scene = {.mesh = random_mesh(&random, areas, 0)};
    for (int k = 0; k < BOXES; k++) scene.boxes[k] = random_box(&random, scene.mesh);
    for (int failure = 0; cut_with_failure(&scene, failure); failure++) failures += 1;
    lw_navmesh_destroy(scene.mesh);
  }
  failing_scene wide = {.mesh = support_wide_plain(areas)};
  for (int k = 0; k < BOXES; k++) wide.boxes[k] = random_box(&random, wide.mesh);
  for (int failure = 0; cut_with_failure(&wide, failure); failure++) failures += 1;
  lw_navmesh_destroy(wide.mesh);
  printf("note: %d allocations failed\n", failures);
  assert_true(failures > 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(links_begin_and_end_on_what_is_there),
                                     cmocka_unit_test(nothing_is_cut_where_memory_runs_out_and_all_is_later)};
  return cmocka_run_group_tests(tests, make_areas, drop_areas);
}
