/* Depth maps: what is drawn against lines of sight, what they answer against exact clipping. */
#include "levels.h"
#include "bake/occluder_tree.h"
#include "slab_scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SEED 20261122u
static lwi_depth_scene depth_scene(const slab_scene *s, lwi_depth_scratch *scratch) {
  return (lwi_depth_scene){.sets = s->sets, .count = 1, .scratch = scratch};
}

/* --- what is drawn ------------------------------------------------------------------------------------------------- */

static double depth_of(uint16_t half) {
  if (half < 1 << 10) return INFINITY;
  return (double)LWI_DEPTH_UNIT / ldexp(1 + (half & 1023) / 1024.0, (half >> 10) - 15);
}

static lw_vec3 texel_direction(unsigned face, int column, int row) {
  float direction[3];
  direction[face / 2] = face & 1 ? -1.0f : 1.0f;
  const int middle = LWI_DEPTH_SIDE / 2; /* there is one: the number is odd */
  const float x = (float)(column - middle) / ((float)middle + 0.5f),
              y = (float)(row - middle) / ((float)middle + 0.5f);
  /* rows of faces that look to a side lie closer about the eye's height */
  const float up = y / (1 + LWI_DEPTH_DENSER * (1 - fabsf(y)));
  direction[face / 2 == 2 ? 0 : 2] = x;
  direction[face / 2 == 1 ? 0 : 1] = face / 2 == 1 ? y : up;
  return lwi_vec3(direction[0], direction[1], direction[2]);
}

/* @return Whether the line of sight through a texel's middle ends where the map says; within a thousandth. */
static bool is_right(const lwi_depth_map *map, const lwi_occluders *occluders, unsigned face, int column,
                     int row) {
  const float far = 300;
  lw_vec3 direction = texel_direction(face, column, row);
  double drawn = depth_of(map->faces[face][row * LWI_DEPTH_STRIDE + column]);
  float met = lwi_occluders_ray(occluders, map->eye, lwi_add(map->eye, lwi_scale(direction, far)), map->soft);
  if (met >= 1) return drawn > (double)far * 0.99;
  return fabs(drawn - (double)(met * far)) <= 2e-3 * (double)(met * far) + 1e-3;
}

static int count_wrong(lwi_depth_map *map, const slab_scene *s, lwi_depth_scratch *scratch, lw_vec3 eye,
                       bool soft, lw_random *random, int texels) {
  const lwi_depth_scene of = depth_scene(s, scratch);
  int wrong = 0;
  lwi_depth_map_begin(map, eye, soft);
  for (unsigned face = 0; face < 6; face++) {
    lwi_depth_map_draw(map, &of, face);
    for (int i = 0; i < texels; i++)
      wrong += !is_right(map, &s->occluders, face, (int)slab_between(random, 0, LWI_DEPTH_SIDE),
                         (int)slab_between(random, 0, LWI_DEPTH_SIDE));
  }
  return wrong;
}

static void texels_are_as_deep_as_lines_of_sight_through_them(void **state) {
  static slab_scene s;
  static lwi_depth_map map;
  lwi_depth_scratch *scratch = malloc(lwi_depth_scratch_size());
  lw_random random = lwi_random_make(SEED, 1);
  const int texels = 400, rounds = 12;
  int wrong = 0;
  (void)state;
  for (int i = 0; i < rounds; i++) {
    slab_random(&s, &random, i < 6 ? lwi_vec3(0, 0, 0) : lwi_vec3(5000, 50, -5000));
    lw_vec3 middle = i < 6 ? lwi_vec3(0, 0, 0) : lwi_vec3(5000, 50, -5000);
    lw_vec3 eye = lwi_add(middle, lwi_vec3(slab_between(&random, -9, 9), 1.6f, slab_between(&random, -9, 9)));
    wrong += count_wrong(&map, &s, scratch, eye, i % 2 == 0, &random, texels);
    slab_drop(&s);
  }
  free(scratch);
  printf("note: %d of %d texels are not as deep as lines of sight (seed %u)\n", wrong, 6 * texels * rounds,
         SEED);
  assert_true(wrong * 1000 <= 6 * texels * rounds); /* on an edge rounding decides */
}

/* What is drawn behind what else: many occluders, most of them hidden. */
static void levels_are_as_deep_as_lines_of_sight(void **state) {
  static const char *const names[] = {"fd2_map01", "oa_kaos2", "recast_undulating"};
  static slab_scene s;
  static lwi_depth_map map;
  static const lw_vec3 beside[] = {{-0.17f, 0, 0.23f}, {0.31f, 0.1f, -0.27f}};
  lw_random random = lwi_random_make(SEED, 2);
  lwi_depth_scratch *scratch = malloc(lwi_depth_scratch_size());
  lw_area_table *areas = NULL;
  char file[1024];
  (void)state;
  if (!level_file(names[0], file, sizeof file)) skip();
  assert_int_equal(level_areas(&areas, NULL), LW_OK);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    lw_geometry *geometry;
    const int texels = 300;
    assert_int_equal(level_geometry(names[i], areas, &geometry, NULL), LW_OK);
    const lw_vec3 *vertices = lw_geometry_vertices(geometry);
    const int count = lw_geometry_triangle_count(geometry);
    const lwi_occluder_source source = {.vertices = vertices,
                                        .indices = lw_geometry_indices(geometry),
                                        .triangle_count = count,
                                        .covers = lw_geometry_covers(geometry)};
    s.memory = lwi_memory_make(NULL);
    assert_int_equal(lwi_occluders_build(&source, &s.memory, &s.occluders), LW_OK);
    s.sets[0] = &s.occluders;
    int wrong = 0, asked = 0;
    for (int k = 0; k < 6; k++, asked += 6 * texels) {
      /* beside a corner */
      lw_vec3 eye = vertices[lw_geometry_indices(geometry)[3 * (int)slab_between(&random, 0, (float)count)]];
      eye = lwi_add(lwi_add(eye, beside[k % 2]), lwi_vec3(0, 1.6f, 0));
      wrong += count_wrong(&map, &s, scratch, eye, true, &random, texels);
    }
    printf("note: %s: %d of %d texels are not as deep as lines of sight (seed %u)\n", names[i], wrong, asked,
           SEED);
    assert_true(wrong * 1000 <= asked);
    slab_drop(&s);
    lw_geometry_destroy(geometry);
  }
  lw_area_table_destroy(areas);
  free(scratch);
}

/* --- what is answered ---------------------------------------------------------------------------------------------- */

static void fast_is_near_exact(void **state) {
  static slab_scene s;
  lw_random random = lwi_random_make(SEED, 3);
  double sum = 0;
  int count = 0;
  (void)state;
  for (int round = 0; round < 10; round++) {
    const lw_vec3 middle = round < 5 ? lwi_vec3(0, 0, 0) : lwi_vec3(5000, 0, 5000);
    slab_asker a;
    slab_random(&s, &random, middle);
    slab_open(&a, &s, 1);
    lw_vec3 eye = lwi_add(middle, lwi_vec3(slab_between(&random, -9, 9), 1.6f, slab_between(&random, -9, 9)));
    for (int i = 0; i < 300; i++, count++) {
      lw_vec3 from = {slab_between(&random, -20, 20), slab_between(&random, -5, 5),
                      slab_between(&random, -20, 20)};
      lw_vec3 to = {slab_between(&random, -20, 20), slab_between(&random, -5, 5),
                    slab_between(&random, -20, 20)};
      from = lwi_add(from, middle);
      to = lwi_add(to, middle);
      sum += fabs((double)(slab_exposed(&a, LW_ACCURACY_FAST, eye, from, to, i % 2) -
                           slab_exposed(&a, LW_ACCURACY_EXACT, eye, from, to, i % 2)));
    }
    slab_close(&a);
    slab_drop(&s);
  }
  printf("note: off by %.5f in the mean (seed %u)\n", sum / count, SEED);
  assert_true(sum / count <= 0.01);
}

static void fast_gives_the_documented_answer_where_exact_does(void **state) {
  static slab_scene s;
  static const struct {
    lw_vec3 eye, from, to;
    float expected;
  } cases[] = {
      {{0, 1, -10}, {-10, 1, 10}, {10, 1, 10}, 0.6f},     /* the shadow is 8 m wide */
      {{0, 1, -10}, {0, 1, -8}, {0, 1, 12}, 0.4f},        /* in line: up to the wall */
      {{0, 1, -10}, {0, 1, 12}, {0, 1, -8}, 0.4f},        /* in line, towards the eye */
      {{0, 1, -10}, {0, 1, -12}, {0, 1, 8}, 0.6f},        /* the eye is on it */
      {{0, 1, -10}, {0, -5, -10}, {0, 7, -10}, 1},        /* upright through the eye */
      {{0, 9, 5}, {0, 1, 5}, {0, 1, 5}, 1},               /* straight above a point */
      {{0, 1, -10}, {0, 1, 5}, {0, 1, 5}, 0},             /* no length, behind the wall */
      {{0, 1, -10}, {9, 1, 5}, {9, 1, 5}, 1},             /* no length, beside it */
      {{0, 1, -10}, {0, 1, -10}, {0, 1, -10}, 1},         /* no length, at the eye */
      {{0, 1, 0}, {0, 1, 5}, {3, 1, 5}, 1},               /* in the wall's plane, to one side */
      {{0, 1, 0}, {-8, 1, -4}, {8, 1, -4}, 1},            /* and to the other */
      {{0, 1, 0.0005f}, {0, 1, -5}, {0.5f, 1, -5}, 1},    /* half a millimetre before it: too near to hide */
      {{0, 1, -10}, {6e5f, 1, 8e5f}, {6e5f, 1, 1e6f}, 1}, /* as far as anything may lie */
  };
  (void)state;
  slab_wall(&s, LW_COVER_HARD);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    slab_asker a;
    slab_open(&a, &s, 1);
    float exact = slab_exposed(&a, LW_ACCURACY_EXACT, cases[i].eye, cases[i].from, cases[i].to, false);
    float fast = slab_exposed(&a, LW_ACCURACY_FAST, cases[i].eye, cases[i].from, cases[i].to, false);
    if (fabsf(exact - cases[i].expected) > 0.001f || fabsf(fast - cases[i].expected) > 0.02f)
      fail_msg("case %d: exact %g, fast %g, expected %g", (int)i, (double)exact, (double)fast,
               (double)cases[i].expected);
    slab_close(&a);
  }
  slab_drop(&s);
}

/* A man walks behind a wall that is a bit higher than the eye, on level ground, or a bit lower: at the eye's
   height nothing is between rows of texels, however far the wall. */
static void fast_looks_level_along_the_tops_of_walls(void **state) {
  static const float tops[] = {1.61f, 1.65f, 1.75f, 1.9f}, lower[] = {1.4f, 1.5f, 1.55f, 1.59f};
  static slab_scene s;
  int differ = 0, asked = 0;
  (void)state;
  for (int i = 0; i < 8; i++)
    for (int turn = 0; turn < 4; turn++) { /* towards each of the faces that look to a side */
      const float top = i < 4 ? tops[i] : lower[i - 4];
      const lw_vec3 along = turn % 2 ? lwi_vec3(0, 0, 1) : lwi_vec3(1, 0, 0);
      const lw_vec3 away = lwi_scale(lwi_vec3(along.z, 0, along.x), turn < 2 ? 1.0f : -1.0f);
      s.count = 0;
      slab_add(&s, lwi_scale(along, -12), lwi_scale(along, 24), lwi_vec3(0, top, 0), LW_COVER_HARD);
      slab_build(&s);
      for (float far = 3; far < 90; far *= 1.13f, asked++) {
        slab_asker a;
        slab_open(&a, &s, 1);
        const lw_vec3 eye = lwi_add(lwi_scale(away, -far), lwi_vec3(0, 1.6f, 0));
        const lw_vec3 behind = lwi_add(away, lwi_vec3(0, 1.6f, 0));
        const lw_vec3 from = lwi_add(behind, lwi_scale(along, -8)), to = lwi_add(behind, lwi_scale(along, 8));
        assert_true(slab_exposed(&a, LW_ACCURACY_EXACT, eye, from, to, false) == (i < 4 ? 0 : 1));
        differ += slab_exposed(&a, LW_ACCURACY_FAST, eye, from, to, false) != (i < 4 ? 0 : 1);
        slab_close(&a);
      }
      slab_drop(&s);
    }
  assert_true(asked > 500);
  assert_int_equal(differ, 0);
}

static void fast_tells_soft_cover_from_hard(void **state) {
  static const lw_vec3 eye = {0, 1, -10}, from = {-1, 1, 5}, to = {1, 1, 5};
  static slab_scene s;
  (void)state;
  for (int kind = LW_COVER_HARD; kind <= LW_COVER_SOFT; kind++) {
    slab_asker a;
    slab_wall(&s, (lw_cover_kind)kind);
    slab_open(&a, &s, 2);
    assert_true(slab_exposed(&a, LW_ACCURACY_FAST, eye, from, to, false) == 0);
    assert_true(slab_exposed(&a, LW_ACCURACY_FAST, eye, from, to, true) == (kind == LW_COVER_SOFT ? 1 : 0));
    slab_close(&a);
    slab_drop(&s);
  }
}

static void random_segments_never_give_nonsense(void **state) {
  static slab_scene s;
  lw_random random = lwi_random_make(SEED, 4);
  slab_asker a;
  (void)state;
  slab_random(&s, &random, lwi_vec3(0, 0, 0));
  slab_open(&a, &s, 4);
  for (int i = 0; i < 4000; i++) { /* places on a coarse lattice: in walls, in line, without a length */
    lw_vec3 at[3];
    for (int k = 0; k < 3; k++)
      at[k] = i % 3 == 0 ? s.vertices[(int)slab_between(&random, 0, 4 * SLABS)]
                         : lwi_vec3(roundf(slab_between(&random, -2, 2)), roundf(slab_between(&random, -2, 2)),
                                    roundf(slab_between(&random, -2, 2)));
    slab_exposed(&a, i % 2 ? LW_ACCURACY_FAST : LW_ACCURACY_EXACT, at[0], at[1], at[2], false);
  }
  slab_close(&a);
  slab_drop(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(texels_are_as_deep_as_lines_of_sight_through_them),
      cmocka_unit_test(levels_are_as_deep_as_lines_of_sight),
      cmocka_unit_test(fast_is_near_exact),
      cmocka_unit_test(fast_gives_the_documented_answer_where_exact_does),
      cmocka_unit_test(fast_looks_level_along_the_tops_of_walls),
      cmocka_unit_test(fast_tells_soft_cover_from_hard),
      cmocka_unit_test(random_segments_never_give_nonsense),
  };
  setvbuf(stdout, NULL, _IOLBF, 0);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
