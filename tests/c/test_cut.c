/* Convex pieces of convex polygons: together with what is cut out they are the polygon. */
#include "core/random.h"
#include "mesh/cut.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define SEED 20261123u
#define CORNERS 12

static double unit(lw_random *random) {
  return lwi_random_unit_double(random);
}

/* On an ellipse, counter-clockwise seen from above. @return How many. */
static int random_outline(lw_random *random, double size, lwi_point2 *corners) {
  const int count = 3 + (int)(unit(random) * (CORNERS - 3));
  const double x = 10 * unit(random), z = 10 * unit(random), wide = size * (0.2 + unit(random)),
               deep = size * (0.2 + unit(random)), turn = 6.3 * unit(random);
  for (int i = 0; i < count; i++) {
    const double angle = -6.283185 * (i + 0.8 * unit(random)) / count;
    const double u = wide * cos(angle), v = deep * sin(angle);
    corners[i] = (lwi_point2){(double)(float)(x + u * cos(turn) - v * sin(turn)),
                              (double)(float)(z + u * sin(turn) + v * cos(turn))};
  }
  return count;
}

static lwi_cut_corner corner_of(lwi_point2 at, uint32_t origin) {
  return (lwi_cut_corner){(float)at.x, (float)at.z, origin, 0};
}

static lwi_cut_shape make_shape(lwi_cut_side *sides, const lwi_point2 *corners, int count) {
  lwi_cut_sides_make(sides, corners, count);
  return lwi_cut_shape_of(sides, count);
}

static double area_of(const lwi_cut_corner *corners, int count) {
  double area2 = 0;
  const lwi_point2 apex = lwi_cut_point(&corners[0]);
  for (int i = 2; i < count; i++) {
    const lwi_point2 a = lwi_cut_point(&corners[i - 1]), b = lwi_cut_point(&corners[i]);
    area2 += (a.z - apex.z) * (b.x - apex.x) - (a.x - apex.x) * (b.z - apex.z);
  }
  return area2 / 2;
}

static double area_of_pieces(const lwi_cut_list *list) {
  double area = 0;
  for (int i = 0; i < list->piece_count; i++)
    area += area_of(list->corners + list->pieces[i].first, list->pieces[i].count);
  return area;
}

static void assert_convex(const lwi_cut_corner *corners, int count) {
  for (int i = 0; i < count; i++) {
    const lwi_point2 a = lwi_cut_point(&corners[i]), b = lwi_cut_point(&corners[(i + 1) % count]),
                     c = lwi_cut_point(&corners[(i + 2) % count]);
    const double abx = b.x - a.x, abz = b.z - a.z;
    const double turn = abz * (c.x - a.x) - abx * (c.z - a.z);
    assert_true(turn > -2 * LWI_CUT_SLACK * sqrt(abx * abx + abz * abz));
  }
}

static bool holds(const lwi_cut_corner *corners, int count, double x, double z, double margin) {
  for (int i = 0; i < count; i++) {
    const lwi_point2 a = lwi_cut_point(&corners[i]), b = lwi_cut_point(&corners[(i + 1) % count]);
    const double abx = b.x - a.x, abz = b.z - a.z;
    if (abz * (x - a.x) - abx * (z - a.z) < margin * sqrt(abx * abx + abz * abz)) return false;
  }
  return true;
}

/* No place lies in two pieces. */
static void assert_apart(const lwi_cut_list *list, lw_random *random) {
  for (int i = 0; i < 20; i++) {
    const double x = 20 * unit(random) - 5, z = 20 * unit(random) - 5;
    int within = 0;
    for (int k = 0; k < list->piece_count; k++)
      within += holds(list->corners + list->pieces[k].first, list->pieces[k].count, x, z, 2 * LWI_CUT_SLACK);
    assert_true(within <= 1);
  }
}

/* All are convex, and apart from each other. */
static void assert_pieces(const lwi_cut_list *list, lw_random *random) {
  for (int i = 0; i < list->piece_count; i++)
    assert_convex(list->corners + list->pieces[i].first, list->pieces[i].count);
  assert_apart(list, random);
}

/* Begin with a polygon drawn at random. */
static void begin_polygon(lwi_cutter *cut, lw_random *random) {
  lwi_point2 outline[CORNERS];
  lwi_cut_corner polygon[CORNERS];
  const int count = random_outline(random, 8, outline);
  for (int i = 0; i < count; i++) polygon[i] = corner_of(outline[i], (uint32_t)i);
  assert_true(lwi_cut_begin(cut, polygon, count));
}

/* A smaller shape drawn at random. @param sides  [CORNERS] Of the shape, which refers to them. */
static lwi_cut_shape random_shape(lw_random *random, lwi_cut_side *sides) {
  lwi_point2 corners[CORNERS];
  const int count = random_outline(random, 3, corners);
  return make_shape(sides, corners, count);
}

static void pieces_and_what_is_cut_out_are_the_whole(void **state) {
  (void)state;
  lwi_memory memory = lwi_memory_make(NULL);
  lwi_cutter cut = {.memory = &memory};
  lw_random random = lwi_random_make(SEED, 0);
  int cuts = 0, pieces = 0;
  for (int scene = 0; scene < 3000; scene++) {
    begin_polygon(&cut, &random);
    for (uint32_t i = 0; i < 6; i++) {
      lwi_cut_side sides[CORNERS];
      const lwi_cut_shape shape = random_shape(&random, sides);
      const double before = area_of_pieces(&cut.now);
      double common = 0;
      lwi_cutter other = {.memory = &memory};
      for (int k = 0; k < cut.now.piece_count; k++) {
        const lwi_cut_piece piece = cut.now.pieces[k];
        assert_true(lwi_cut_common(&other, cut.now.corners + piece.first, piece.count, &shape));
        common += area_of_pieces(&other.rest);
      }
      lwi_cut_free(&other);
      assert_true(lwi_cut_apply(&cut, &shape, 100 + 32 * i, (lwi_cut_mark){0}, NULL));
      /* But for cut lines, which are thick, and slivers. */
      const double lost = before - common - area_of_pieces(&cut.now);
      if (fabs(lost) > 0.05) fail_msg("seed %u: scene %d: %g m2 are lost", SEED, scene, lost);
      cuts += common > 0;
    }
    assert_pieces(&cut.now, &random);
    pieces += cut.now.piece_count;
  }
  printf("note: seed %u: %d cuts, %d pieces\n", SEED, cuts, pieces);
  assert_true(cuts > 3000);
  lwi_cut_free(&cut);
  assert_int_equal(memory.bytes, 0);
}

/* Cut squares with even sides out of a polygon. @param places  [count] Of their middles, and half their size. */
static void cut_squares(lwi_cutter *cut, const float (*places)[3], int count) {
  for (int i = 0; i < count; i++) {
    const double x = (double)places[i][0], z = (double)places[i][1], half = (double)places[i][2];
    const lwi_point2 corners[] = {
        {x - half, z - half}, {x - half, z + half}, {x + half, z + half}, {x + half, z - half}};
    lwi_cut_side sides[4];
    const lwi_cut_shape shape = make_shape(sides, corners, 4);
    assert_true(lwi_cut_apply(cut, &shape, LWI_SIDE_ORIGIN + 32 * (uint32_t)i, (lwi_cut_mark){0}, NULL));
  }
}

/* The first square bites into a rectangle, whose pieces the second one leaves side by side. */
static void pieces_that_are_convex_together_become_one(void **state) {
  (void)state;
  static const float places[][3] = {{5, 0, 0.8f}, {2, 0, 0.5f}, {8, 0, 0.5f}, {5, -9, 10}};
  const lwi_cut_corner rectangle[] = {{0, 0, 0, 0}, {0, 4, 1, 0}, {10, 4, 2, 0}, {10, 0, 3, 0}};
  lwi_memory memory = lwi_memory_make(NULL);
  lwi_cutter cut = {.memory = &memory};
  assert_true(lwi_cut_begin(&cut, rectangle, 4));
  cut_squares(&cut, places, 4);
  assert_int_equal(cut.now.piece_count, 7);
  assert_true(lwi_cut_merge(&cut));
  assert_true(lwi_cut_end(&cut));
  assert_int_equal(cut.now.piece_count, 1);
  assert_int_equal(cut.now.corner_count, 4);
  assert_true(fabs(area_of_pieces(&cut.now) - 30) < 1e-5);
  assert_convex(cut.now.corners, 4);
  lwi_cut_free(&cut);
  assert_int_equal(memory.bytes, 0);
}

static void merged_pieces_are_the_same_ground(void **state) {
  (void)state;
  lwi_memory memory = lwi_memory_make(NULL);
  lwi_cutter cut = {.memory = &memory};
  lw_random random = lwi_random_make(SEED, 5);
  int before = 0, after = 0;
  for (int scene = 0; scene < 2000; scene++) {
    begin_polygon(&cut, &random);
    for (uint32_t i = 0; i < 6; i++) {
      lwi_cut_side sides[CORNERS];
      const lwi_cut_shape shape = random_shape(&random, sides);
      const lwi_cut_mark mark = {.cost = i == 4 ? 1 : 0};
      assert_true(lwi_cut_apply(&cut, &shape, LWI_SIDE_ORIGIN + 32 * i, mark, NULL));
    }
    const double area = area_of_pieces(&cut.now);
    before += cut.now.piece_count;
    assert_true(lwi_cut_merge(&cut));
    assert_true(lwi_cut_end(&cut));
    after += cut.now.piece_count;
    const double lost = area - area_of_pieces(&cut.now);
    if (fabs(lost) > 0.01) fail_msg("seed %u: scene %d: %g m2 are lost", SEED, scene, lost);
    assert_pieces(&cut.now, &random);
  }
  printf("note: seed %u: %d pieces, merged %d\n", SEED, before, after);
  assert_true(after < before * 9 / 10);
  lwi_cut_free(&cut);
  assert_int_equal(memory.bytes, 0);
}

static void a_line_leaves_two_parts_or_the_whole(void **state) {
  (void)state;
  lw_random random = lwi_random_make(SEED, 2);
  lwi_memory memory = lwi_memory_make(NULL);
  lwi_cutter cut = {.memory = &memory};
  int halves = 0, whole = 0;
  for (int round = 0; round < 5000; round++) {
    lwi_point2 outline[CORNERS];
    lwi_cut_corner corners[CORNERS];
    const int count = random_outline(&random, 5, outline);
    for (int i = 0; i < count; i++) corners[i] = corner_of(outline[i], (uint32_t)i);
    const lwi_cut_side line = {{outline[0].x + 0.01 * unit(&random), 0}, {0, 1}};
    bool is_split;
    assert_true(lwi_cut_halve(&cut, corners, count, &line, 99, &is_split));
    halves += is_split;
    whole += !is_split;
    if (!is_split) continue;
    assert_int_equal(cut.rest.piece_count, 1);
    assert_int_equal(cut.next.piece_count, 1);
    const double parts = area_of_pieces(&cut.rest) + area_of_pieces(&cut.next);
    assert_true(fabs(parts - area_of(corners, count)) < 20 * LWI_CUT_SLACK);
    for (int i = 0; i < cut.rest.corner_count; i++)
      assert_true((double)cut.rest.corners[i].x > line.corner.x - 1e-3);
    for (int i = 0; i < cut.next.corner_count; i++)
      assert_true((double)cut.next.corners[i].x < line.corner.x + 1e-3);
  }
  assert_true(halves > 1000 && whole > 100);
  lwi_cut_free(&cut);
  assert_int_equal(memory.bytes, 0);
}

static void a_shape_that_only_touches_cuts_nothing(void **state) {
  (void)state;
  lwi_memory memory = lwi_memory_make(NULL);
  lwi_cutter cut = {.memory = &memory};
  const lwi_cut_corner square[] = {{0, 0, 0, 0}, {0, 4, 1, 0}, {4, 4, 2, 0}, {4, 0, 3, 0}};
  const lwi_point2 beside[] = {{4, 0}, {4, 4}, {8, 4}, {8, 0}}, over[] = {{-1, -1}, {-1, 5}, {5, 5}, {5, -1}};
  lwi_cut_side sides[4];
  lwi_cut_shape shape = make_shape(sides, beside, 4);
  assert_true(lwi_cut_begin(&cut, square, 4) && lwi_cut_apply(&cut, &shape, 100, (lwi_cut_mark){0}, NULL));
  assert_int_equal(cut.now.piece_count, 1);
  for (int i = 0; i < 4; i++) {
    assert_true(cut.now.corners[i].x == square[i].x && cut.now.corners[i].z == square[i].z);
    assert_int_equal(cut.now.corners[i].origin, square[i].origin);
  }
  shape = make_shape(sides, over, 4);
  assert_true(lwi_cut_apply(&cut, &shape, 100, (lwi_cut_mark){0}, NULL));
  assert_int_equal(cut.now.piece_count, 0);
  lwi_cut_free(&cut);
}

/* Prices that all cross each other split the polygon only so far; all of what they cost is charged. */
static void prices_beyond_the_limit_are_spread_over_pieces(void **state) {
  (void)state;
  enum { COUNT = 150 };
  lwi_memory memory = lwi_memory_make(NULL);
  lwi_cutter cut = {.memory = &memory};
  lw_random random = lwi_random_make(SEED, 0);
  const lwi_cut_corner square[] = {{0, 0, 0, 0}, {0, 40, 1, 0}, {40, 40, 2, 0}, {40, 0, 3, 0}};
  double charged = 0, expected = 0;
  assert_true(lwi_cut_begin(&cut, square, 4));
  for (uint32_t i = 0; i < COUNT; i++) {
    const double x = 15 + 4 * unit(&random), z = 15 + 4 * unit(&random), turn = 6.3 * unit(&random);
    lwi_point2 corners[4];
    lwi_cut_side sides[4];
    for (int k = 0; k < 4; k++) {
      const double angle = turn - 1.5707963 * k;
      corners[k] = (lwi_point2){x + 4 * cos(angle), z + 4 * sin(angle)};
    }
    const lwi_cut_shape shape = make_shape(sides, corners, 4);
    expected += 32.0 * (1 + i % 3);
    assert_true(lwi_cut_apply(&cut, &shape, 100 + 4 * i, (lwi_cut_mark){.cost = (float)(1 + i % 3)}, NULL));
  }
  assert_in_range(cut.now.piece_count, LWI_CUT_MARKED_MAX, 2 * LWI_CUT_MARKED_MAX);
  for (int i = 0; i < cut.now.piece_count; i++) {
    const lwi_cut_piece *piece = &cut.now.pieces[i];
    charged += (double)piece->mark.cost * area_of(cut.now.corners + piece->first, piece->count);
  }
  printf("note: %d prices, %d pieces: %.1f of %.1f charged\n", COUNT, cut.now.piece_count, charged, expected);
  assert_true(fabs(charged - expected) < 0.002 * expected);
  lwi_cut_free(&cut);
  assert_int_equal(memory.bytes, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(pieces_and_what_is_cut_out_are_the_whole),
                                     cmocka_unit_test(pieces_that_are_convex_together_become_one),
                                     cmocka_unit_test(merged_pieces_are_the_same_ground),
                                     cmocka_unit_test(a_line_leaves_two_parts_or_the_whole),
                                     cmocka_unit_test(a_shape_that_only_touches_cuts_nothing),
                                     cmocka_unit_test(prices_beyond_the_limit_are_spread_over_pieces)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
