/* The outline of a water by place gives the answers of all its edges. */
#include "mesh/shore.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static uint32_t seed = 1;
static uint32_t draw(uint32_t below) {
  seed = seed * 1664525u + 1013904223u;
  return (seed >> 8) % below;
}

static bool is_within(const lw_vec3 *points, int count, lw_vec3 p) {
  bool within = false;
  for (int i = 0; i < count; i++) within ^= lwi_shore_edge_is_right_of(lwi_shore_edge_of(points, count, i), p);
  return within;
}

/* Half of the points are corners, or level with some or below them. */
static lw_vec3 point_near(const lw_vec3 *points, int count) {
  const lw_vec3 any = {(float)draw(1400) / 50 - 14, 0, (float)draw(1400) / 50 - 14};
  const lw_vec3 x = points[draw((uint32_t)count)], z = points[draw((uint32_t)count)];
  return (lw_vec3){draw(2) ? x.x : any.x, 0, draw(2) ? z.z : any.z};
}

/* @return Points within. */
static int compare(const lw_vec3 *points, int count) {
  lwi_memory memory = lwi_memory_make(NULL);
  lwi_shore shore;
  int within = 0;
  assert_true(lwi_shore_make(&shore, points, count, &memory));
  for (int i = 0; i < 2000; i++) {
    const lw_vec3 p = point_near(points, count);
    const bool expected = is_within(points, count, p);
    if (lwi_shore_holds(&shore, p) != expected)
      fail_msg("(%.9g, %.9g) of %d corners: expected %d", (double)p.x, (double)p.z, count, expected);
    within += expected;
  }
  lwi_shore_free(&shore, &memory);
  return within;
}

#define CORNERS_MAX 300

static void stars_hold_what_counting_their_edges_says(void **state) {
  (void)state;
  lw_vec3 points[CORNERS_MAX];
  for (int run = 0; run < 100; run++) {
    const int count = 3 + (int)draw(CORNERS_MAX - 3);
    for (int i = 0; i < count; i++) {
      const float angle = 6.2831853f * (float)i / (float)count, far = 2 + (float)draw(1000) / 100;
      points[i] = (lw_vec3){far * cosf(angle), 0, far * sinf(angle)};
    }
    assert_in_range(compare(points, count), 10, 1990);
  }
}

/* Corners on whole metres: edges along the axes, through each other and of no length. */
static void outlines_on_a_grid_hold_what_counting_their_edges_says(void **state) {
  (void)state;
  lw_vec3 points[CORNERS_MAX];
  for (int run = 0; run < 100; run++) {
    const int count = 3 + (int)draw(CORNERS_MAX - 3);
    for (int i = 0; i < count; i++) points[i] = (lw_vec3){(float)draw(21) - 10, 0, (float)draw(21) - 10};
    compare(points, count);
  }
}

/* Long teeth: each edge is in many cells. */
static void combs_hold_what_counting_their_edges_says(void **state) {
  (void)state;
  lw_vec3 points[CORNERS_MAX];
  for (int turned = 0; turned < 2; turned++)
    for (int count = 4; count < CORNERS_MAX; count += 7) {
      points[0] = (lw_vec3){10, 0, -10};
      points[1] = (lw_vec3){-10, 0, -10};
      for (int i = 2; i < count; i++)
        points[i] = (lw_vec3){20 * (float)i / (float)count - 10, 0, i % 2 ? 10 : -9};
      for (int i = 0; turned && i < count; i++) points[i] = (lw_vec3){points[i].z, 0, points[i].x};
      assert_in_range(compare(points, count), 10, 1990);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stars_hold_what_counting_their_edges_says),
      cmocka_unit_test(outlines_on_a_grid_hold_what_counting_their_edges_says),
      cmocka_unit_test(combs_hold_what_counting_their_edges_says),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
