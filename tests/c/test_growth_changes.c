/* That what agents can reach keeps up with a change at a cost of what the change touched, not of what there is. */
#include "growth.h"
#include "live_scene.h"

#include "mesh/live.h"
#include "search/reach.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define CHANGES 40
#define WIDE 40

/* The work to keep up, and to compute all of it again. */
typedef struct update_work {
  uint64_t kept_up, again;
} update_work;

/* A box that comes and goes amid the squares, and cuts no part off.  */
static void toggle(lwi_live *live, int i) {
  const live_box box = {.at = {WIDE / 2 + 0.3f, 0, 10.4f}, .half_x = 0.4f, .half_z = 0.4f, .height = 1};
  const lwi_footprint footprint = live_footprint(&box);
  assert_true(lwi_live_set(live, 0, i % 2 == 0 ? &footprint : NULL));
  assert_true(lwi_live_apply(live));
}

static update_work measure(int deep, float larger) {
  lw_navmesh *mesh = growth_squares(WIDE, deep, 0, 0, NULL, 0);
  lwi_memory memory = lwi_memory_make(NULL);
  lwi_live *live = lwi_live_create(&memory, mesh);
  lw_filter filter = lw_filter_all();
  if (larger > 0) filter.radius = mesh->agent.radius + larger;
  lwi_reach reach, again;
  lwi_reach_scratch scratch = {.relabel = {.memory = &memory}};
  update_work work = {0, 0};
  assert_true(lwi_reach_make(&reach, &memory, lwi_live_mesh(live), &filter));
  assert_true((reach.clearance != NULL) == (larger > 0));
  for (int i = 0; i < CHANGES + 4; i++) { /* the first ones grow arrays */
    toggle(live, i);
    const uint64_t before = growth_count();
    assert_true(lwi_reach_update(&reach, &memory, &scratch));
    if (i >= 4) work.kept_up += growth_count() - before;
  }
  const uint64_t before = growth_count();
  assert_true(lwi_reach_make(&again, &memory, lwi_live_mesh(live), &filter));
  work.again = growth_count() - before;
  work.kept_up /= CHANGES;
  lwi_reach_free(&again, &memory);
  lwi_reach_free(&reach, &memory);
  lwi_reach_scratch_free(&scratch);
  lwi_live_destroy(live);
  assert_int_equal(memory.bytes, 0);
  lw_navmesh_destroy(mesh);
  return work;
}

static void check(const char *what, float larger) {
  uint64_t first = 0;
  for (int deep = 40; deep <= 160; deep *= 2) {
    const update_work work = measure(deep, larger);
    printf("note: %s, %d polygons: %llu branches to keep up, %llu to compute all\n", what, WIDE * deep,
           (unsigned long long)work.kept_up, (unsigned long long)work.again);
    if (first == 0) first = work.kept_up;
    assert_true(work.kept_up > 0 && work.kept_up < first + first / 10);
    assert_true(work.kept_up * 5 < work.again);
  }
}

static void labels_keep_up_at_a_cost_of_what_changed(void **state) {
  (void)state;
  check("labels", 0);
}

static void clearance_keeps_up_at_a_cost_of_what_changed(void **state) {
  (void)state;
  check("clearance", 0.3f);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(labels_keep_up_at_a_cost_of_what_changed),
                                     cmocka_unit_test(clearance_keeps_up_at_a_cost_of_what_changed)};
  return cmocka_run_group_tests(tests, growth_open, growth_close);
}
