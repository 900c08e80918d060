/* Outlines of obstacles, grown: all that is nearer than that is inside, and little else. */
#include "core/random.h"
#include "mesh/footprint.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#define SEED 20261123u
#define PLACES 400

static double unit(lw_random *random) {
  return lwi_random_unit_double(random);
}

static bool is_inside(const lwi_point2 *corners, int count, lwi_point2 at, double margin) {
  for (int i = 0; i < count; i++) {
    const lwi_point2 a = corners[i], b = corners[(i + 1) % count];
    const double dx = b.x - a.x, dz = b.z - a.z;
    if ((dz * (at.x - a.x) - dx * (at.z - a.z)) / sqrt(dx * dx + dz * dz) < margin) return false;
  }
  return true;
}

/* 0 inside. */
static double distance_to(const lwi_point2 *corners, int count, lwi_point2 at) {
  double nearest = INFINITY;
  if (is_inside(corners, count, at, 0)) return 0;
  for (int i = 0; i < count; i++) {
    const lwi_point2 a = corners[i], b = corners[(i + 1) % count];
    const double dx = b.x - a.x, dz = b.z - a.z;
    const double t = fmin(1, fmax(0, ((at.x - a.x) * dx + (at.z - a.z) * dz) / (dx * dx + dz * dz)));
    nearest = fmin(nearest, hypot(at.x - a.x - t * dx, at.z - a.z - t * dz));
  }
  return nearest;
}

/* @param[out] corners  [LWI_CUT_SIDES] @return How many. */
static int corners_of(const lwi_footprint *footprint, lwi_point2 *corners) {
  for (int i = 0; i < footprint->count; i++) corners[i] = footprint->sides[i].corner;
  return footprint->count;
}

/* @param corners  [count] Counter-clockwise. */
static void assert_grown(const lwi_footprint *footprint, const lwi_point2 *corners, int count, double grow,
                         lw_random *random) {
  const lwi_cut_shape shape = lwi_footprint_shape(footprint);
  lwi_point2 grown[LWI_CUT_SIDES];
  const int sides = corners_of(footprint, grown);
  for (int i = 0; i < PLACES; i++) {
    const double x = shape.min_x - 1 + (shape.max_x - shape.min_x + 2) * unit(random);
    const lwi_point2 at = {x, shape.min_z - 1 + (shape.max_z - shape.min_z + 2) * unit(random)};
    const double distance = distance_to(corners, count, at);
    if (distance < grow - 2e-3) assert_true(is_inside(grown, sides, at, 0));
    if (distance > 1.4143 * grow + 2e-3) assert_false(is_inside(grown, sides, at, 0));
  }
}

/* Corners on an ellipse, some of them on a straight side. @return How many. */
static int random_outline(lw_random *random, lwi_point2 *corners) {
  const int count = 3 + (int)(unit(random) * 6);
  const double wide = 0.2 + 4 * unit(random), deep = 0.2 + 4 * unit(random), turn = 6.3 * unit(random);
  for (int i = 0; i < count; i++) {
    const double angle = -6.283185 * (i + 0.7 * unit(random)) / count, u = wide * cos(angle),
                 v = deep * sin(angle);
    corners[i] = (lwi_point2){u * cos(turn) - v * sin(turn), u * sin(turn) + v * cos(turn)};
  }
  return count;
}

static void grown_outlines_hold_all_that_is_near_and_little_else(void **state) {
  (void)state;
  lw_random random = lwi_random_make(SEED, 0);
  int made = 0;
  for (int scene = 0; scene < 2000; scene++) {
    lwi_point2 outline[LWI_OUTLINE_CORNERS], given[LWI_OUTLINE_CORNERS];
    const int count = random_outline(&random, outline);
    const double grow = scene % 5 == 0 ? 0 : 2 * unit(&random);
    for (int i = 0; i < count; i++) given[i] = outline[scene % 2 ? i : count - 1 - i];
    lwi_footprint footprint;
    if (!lwi_footprint_of_outline(&footprint, given, count, grow)) continue; /* too flat */
    assert_grown(&footprint, outline, count, grow, &random);
    made += 1;
  }
  printf("note: seed %u: %d outlines\n", SEED, made);
  assert_true(made > 1900);
}

static void boxes_and_cylinders_are_as_large_as_they_say(void **state) {
  (void)state;
  lw_random random = lwi_random_make(SEED, 1);
  for (int scene = 0; scene < 300; scene++) {
    const lw_vec3 at = {3, 2, -5},
                  size = {0.5f + 3 * lwi_random_unit(&random), 1, 0.5f + 3 * lwi_random_unit(&random)};
    const float yaw = 6.3f * lwi_random_unit(&random);
    const double grow = unit(&random);
    const lwi_footprint bare = lwi_footprint_of_box(at, size, yaw, 0),
                        box = lwi_footprint_of_box(at, size, yaw, grow);
    assert_float_equal(box.low, 2, 0);
    assert_float_equal(box.high, 3, 0);
    lwi_point2 corners[LWI_CUT_SIDES];
    assert_grown(&box, corners, corners_of(&bare, corners), grow, &random);
    const float radius = 0.2f + 2 * lwi_random_unit(&random);
    const lwi_footprint cylinder = lwi_footprint_of_cylinder(at, radius, 1.5f, grow);
    assert_float_equal(cylinder.high, 3.5f, 0);
    const int sides = corners_of(&cylinder, corners);
    for (int i = 0; i < PLACES; i++) {
      const double angle = 6.3 * unit(&random), off = 2 * ((double)radius + grow) * unit(&random);
      const lwi_point2 place = {3 + off * cos(angle), -5 + off * sin(angle)};
      const bool inside = is_inside(corners, sides, place, 0);
      if (off < (double)radius + grow - 1e-6) assert_true(inside);
      if (off > 1.04 * ((double)radius + grow)) assert_false(inside);
    }
  }
}

static void outlines_that_are_not_convex_are_refused(void **state) {
  (void)state;
  static const lwi_point2 arrow[] = {{0, 0}, {2, 1}, {0, 2}, {1, 1}}, bow[] = {{0, 0}, {2, 2}, {2, 0}, {0, 2}},
                          line[] = {{0, 0}, {1, 0}, {2, 0}}, point[] = {{1, 1}, {1, 1}, {1, 1}},
                          twice[] = {{0, 0}, {0, 2}, {2, 2}, {2, 0}, {0, 0}, {0, 2}, {2, 2}, {2, 0}};
  lwi_footprint footprint;
  assert_false(lwi_footprint_of_outline(&footprint, arrow, 4, 0.4));
  assert_false(lwi_footprint_of_outline(&footprint, bow, 4, 0.4));
  assert_false(lwi_footprint_of_outline(&footprint, line, 3, 0.4));
  assert_false(lwi_footprint_of_outline(&footprint, point, 3, 0.4));
  assert_false(lwi_footprint_of_outline(&footprint, twice, 8, 0.4));
  assert_false(lwi_footprint_of_outline(&footprint, bow, 2, 0.4));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(grown_outlines_hold_all_that_is_near_and_little_else),
                                     cmocka_unit_test(boxes_and_cylinders_are_as_large_as_they_say),
                                     cmocka_unit_test(outlines_that_are_not_convex_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
