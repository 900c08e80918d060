/* Curves of Dubins and of Reeds and Shepp, against their definition: they end where they are to, no sampled curve is shorter,
   and they have the symmetries that follow from it. */
#include "core/random.h"
#include "search/curves.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define PI 3.14159265358979323846
#define ROUNDS 4000

static const lwi_curve_prices plain = {1, 0, 9};

static double between(lw_random *random, double low, double high) {
  return low + (high - low) * (double)lwi_random_unit(random);
}

static lwi_curve_pose random_pose(lw_random *random) {
  const double x = between(random, -5, 5), z = between(random, -5, 5);
  return (lwi_curve_pose){x, z, between(random, -PI, PI)};
}

static lwi_curve_pose end_of(lwi_curve_pose from, double radius, const lwi_curve *curve) {
  for (int i = 0; i < curve->count; i++)
    from = lwi_curve_move(from, radius, curve->turns[i], curve->lengths[i]);
  return from;
}

static void expect_pose(lwi_curve_pose a, lwi_curve_pose b) {
  assert_true(hypot(a.x - b.x, a.z - b.z) < 1e-6);
  assert_true(fabs(remainder(a.heading - b.heading, 2 * PI)) < 1e-6);
}

static void curves_end_at_their_target(void **state) {
  (void)state;
  lw_random random = lwi_random_make(1, 1);
  for (int i = 0; i < ROUNDS; i++) {
    const lwi_curve_pose from = random_pose(&random), to = random_pose(&random);
    const double radius = between(&random, 0.3, 4);
    lwi_curve forwards, any;
    lwi_curve_forwards(from, to, radius, &forwards);
    assert_true(lwi_curve_any(from, to, radius, &plain, &any));
    expect_pose(end_of(from, radius, &forwards), to);
    expect_pose(end_of(from, radius, &any), to);
    for (int k = 0; k < forwards.count; k++) assert_true(forwards.lengths[k] >= 0);
    assert_true(any.length <= forwards.length + 1e-6);
    assert_true(any.length >= hypot(from.x - to.x, from.z - to.z) - 1e-6);
    for (int turn = -1; turn <= 1; turn += 2)
      for (int gear = -1; gear <= 1; gear += 2) {
        lwi_curve place;
        if (!lwi_curve_to_place(from, to, radius, turn, gear, &place)) continue;
        const lwi_curve_pose end = end_of(from, radius, &place);
        assert_true(hypot(end.x - to.x, end.z - to.z) < 1e-6);
      }
  }
}

/* The route back, and the mirrored one, are as long. */
static void lengths_are_symmetric(void **state) {
  (void)state;
  lw_random random = lwi_random_make(2, 1);
  for (int i = 0; i < ROUNDS; i++) {
    const lwi_curve_pose from = random_pose(&random), to = random_pose(&random);
    const lwi_curve_pose from_mirrored = {from.x, -from.z, -from.heading},
                         to_mirrored = {to.x, -to.z, -to.heading};
    const lwi_curve_pose from_turned = {from.x, from.z, from.heading + PI},
                         to_turned = {to.x, to.z, to.heading + PI};
    lwi_curve curve, back, mirrored, turned;
    assert_true(lwi_curve_any(from, to, 1, &plain, &curve));
    assert_true(lwi_curve_any(to, from, 1, &plain, &back));
    assert_true(lwi_curve_any(from_mirrored, to_mirrored, 1, &plain, &mirrored));
    assert_true(lwi_curve_any(from_turned, to_turned, 1, &plain, &turned));
    assert_true(fabs(curve.length - back.length) < 1e-6);
    assert_true(fabs(curve.length - mirrored.length) < 1e-6);
    assert_true(fabs(curve.length - turned.length) < 1e-6);
    lwi_curve forwards, there;
    lwi_curve_forwards(from, to, 1, &forwards);
    lwi_curve_forwards(to_turned, from_turned, 1, &there);
    assert_true(fabs(forwards.length - there.length) < 1e-6);
  }
}

/* No curve of random pieces is shorter than the one found to where it ends. */
static void no_sampled_curve_is_shorter(void **state) {
  (void)state;
  lw_random random = lwi_random_make(3, 1);
  const lwi_curve_pose start = {0, 0, 0};
  double longest = 0;
  for (int i = 0; i < 40 * ROUNDS; i++) {
    lwi_curve_pose end = start;
    double length = 0;
    const int count = 1 + i % 5;
    const bool is_forwards = i % 2;
    for (int k = 0; k < count; k++) {
      const double piece = between(&random, is_forwards ? 0 : -2, 2);
      end = lwi_curve_move(end, 1, (int)(between(&random, 0, 3)) - 1, piece);
      length += fabs(piece);
    }
    lwi_curve curve;
    if (is_forwards)
      lwi_curve_forwards(start, end, 1, &curve);
    else
      assert_true(lwi_curve_any(start, end, 1, &plain, &curve));
    assert_true(curve.length <= length + 1e-6);
    longest = fmax(longest, curve.length);
  }
  assert_true(longest > 4);
}

/* Where the price of backing grows, less is backed; and there are no more changes of direction than allowed. */
static void prices_count(void **state) {
  (void)state;
  lw_random random = lwi_random_make(4, 1);
  double backed[2] = {0, 0};
  for (int i = 0; i < ROUNDS; i++) {
    const lwi_curve_pose from = random_pose(&random), to = random_pose(&random);
    const lwi_curve_prices dear = {5, 3, 1};
    lwi_curve curves[2];
    assert_true(lwi_curve_any(from, to, 1, &plain, &curves[0]));
    if (!lwi_curve_any(from, to, 1, &dear, &curves[1])) continue;
    int cusps = 0;
    double before = 0;
    for (int k = 0; k < curves[1].count; k++) {
      if (fabs(curves[1].lengths[k]) < 1e-9) continue;
      cusps += before * curves[1].lengths[k] < 0;
      before = curves[1].lengths[k];
    }
    assert_true(cusps <= 1);
    for (int c = 0; c < 2; c++)
      for (int k = 0; k < curves[c].count; k++) backed[c] += fmax(0, -curves[c].lengths[k]);
  }
  assert_true(backed[1] < backed[0] / 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(curves_end_at_their_target),
      cmocka_unit_test(lengths_are_symmetric),
      cmocka_unit_test(no_sampled_curve_is_shorter),
      cmocka_unit_test(prices_count),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
