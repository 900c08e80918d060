/* The work where many obstacles lie at one place, or many prices overlap. */
#include "growth.h"
#include "live_scene.h"

#include "leeward/leeward.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define FLOOR 60.0F
#define PILE 200

/* One square polygon. */
static lw_navmesh *make_floor(void) {
  const lw_vec3 square[] = {{0, 0, 0}, {0, 0, FLOOR}, {FLOOR, 0, FLOOR}, {FLOOR, 0, 0}};
  return growth_mesh(square, 1, NULL, 0);
}

/* --- cover behind a pile ---------------------------------------------------------------------------------- */

/* Long boxes about one middle, turned by the golden angle, so that the pile has hundreds of spikes. */
static void put_pile(lw_world *world, int count) {
  for (int i = 0; i < count; i++) {
    lw_obstacle_def def = lw_obstacle_def_default();
    lw_obstacle_id id;
    def.at = (lw_vec3){FLOOR / 2, 0, FLOOR / 2};
    def.size = (lw_vec3){0.3F, 1.2F, 10};
    def.yaw = (float)i * 2.4F;
    growth_need(lw_obstacle_add(world, &def, &id, NULL));
  }
  growth_need(lw_world_apply_changes(world));
}

static void find_cover(const lw_world *world) {
  lw_threat threat = lw_threat_default();
  lw_cover_query query = lw_cover_query_default();
  lw_cover_point points[8];
  int count = 0;
  threat.at = (lw_vec3){FLOOR / 2 - 15, 1.6F, FLOOR / 2 + 3};
  query.around = (lw_vec3){FLOOR / 2 - 6, 0, FLOOR / 2 + 3};
  query.threats = &threat;
  query.threat_count = 1;
  growth_need(lw_cover_find(world, NULL, &query, points, 8, &count));
  assert_int_equal(count, 8);
}

static uint64_t path_work(const lw_world *world) {
  lw_path_query query = lw_path_query_default();
  lw_path *path;
  query.from = (lw_vec3){FLOOR / 2 - 10, 0, FLOOR / 2 + 1};
  query.to = (lw_vec3){FLOOR / 2 + 10, 0, FLOOR / 2 + 2};
  const uint64_t before = growth_count();
  growth_need(lw_path_find(world, NULL, &query, &path));
  const uint64_t work = growth_count() - before;
  lw_path_destroy(path);
  return work;
}

/* Hundreds of places behind the spikes look near, and are far: there is not a search for each of them. */
static void cover_behind_a_pile_takes_few_searches(void **state) {
  (void)state;
  lw_navmesh *mesh = make_floor();
  lw_world *world = growth_world(mesh);
  put_pile(world, PILE);
  find_cover(world); /* finds the segments, too */
  path_work(world);
  const uint64_t before = growth_count();
  find_cover(world);
  const uint64_t cover = growth_count() - before, path = path_work(world);
  printf("note: %d obstacles at one place: find_cover takes as much as %.1f paths\n", PILE,
         (double)cover / (double)path);
  assert_true(cover < 30 * path);
  lw_world_destroy(world);
  lw_navmesh_destroy(mesh);
}

/* --- prices that overlap ---------------------------------------------------------------------------------- */

/* Squares of 5 m, strewn so that each crosses nearly all others. */
static uint64_t price_work(int count) {
  lw_navmesh *mesh = make_floor();
  lwi_memory memory = lwi_memory_make(NULL);
  lwi_live *live = lwi_live_create(&memory, mesh);
  for (int i = 0; i < count; i++) {
    const live_box box = {
        .at = {FLOOR / 2 + (float)(i * 37 % 101) * 0.02F, 0, FLOOR / 2 + (float)(i * 53 % 97) * 0.02F},
        .yaw = (float)i * 2.4F,
        .half_x = 2.5F,
        .half_z = 2.5F,
        .height = 1};
    lwi_footprint footprint = live_footprint(&box);
    footprint.mark.cost = 1;
    footprint.order = (uint64_t)i + 1;
    assert_true(lwi_live_set(live, (uint32_t)i, &footprint));
  }
  const uint64_t before = growth_count();
  assert_true(lwi_live_apply(live));
  const uint64_t work = growth_count() - before;
  lwi_live_destroy(live);
  assert_int_equal(memory.bytes, 0);
  lw_navmesh_destroy(mesh);
  return work;
}

static void prices_that_overlap_take_work_for_each(void **state) {
  (void)state;
  const growth_subject subjects[] = {{"prices that overlap", price_work, 100}};
  growth_check(subjects, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(cover_behind_a_pile_takes_few_searches),
                                     cmocka_unit_test(prices_that_overlap_take_work_for_each)};
  return cmocka_run_group_tests(tests, growth_open, growth_close);
}
