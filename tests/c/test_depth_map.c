/* Depth maps: what is drawn against lines of sight, what they answer against exact clipping; and who gets one when. */
#include "allocator.h"
#include "core/random.h"
#include "core/vec3.h"
#include "cover/exposure.h"
#include "levels.h"

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
#define SLABS 60

/* A few walls in a room of 40 x 10 x 40 m around the origin, or far from it. */
typedef struct scene {
  lwi_memory memory;
  lwi_occluders occluders;
  const lwi_occluders *sets[1];
  lw_vec3 vertices[4 * SLABS];
  int indices[6 * SLABS];
  uint8_t covers[2 * SLABS];
  int count; /* of slabs */
} scene;

static float between(lwi_random *random, float low, float high) {
  return low + (high - low) * lwi_random_unit(random);
}

static void add_slab(scene *s, lw_vec3 corner, lw_vec3 side, lw_vec3 up, lw_cover_kind kind) {
  const int first = 4 * s->count;
  const int corners[6] = {first, first + 1, first + 2, first, first + 2, first + 3};
  s->vertices[first] = corner;
  s->vertices[first + 1] = lwi_add(corner, side);
  s->vertices[first + 2] = lwi_add(lwi_add(corner, side), up);
  s->vertices[first + 3] = lwi_add(corner, up);
  memcpy(s->indices + 6 * s->count, corners, sizeof corners);
  s->covers[2 * s->count] = s->covers[2 * s->count + 1] = (uint8_t)kind;
  s->count++;
}

static void build(scene *s) {
  const lwi_occluder_source source = {s->vertices, s->indices, 2 * s->count, s->covers, NULL};
  s->memory = lwi_memory_make(NULL);
  assert_int_equal(lwi_occluders_build(&source, &s->memory, &s->occluders), LW_OK);
  s->sets[0] = &s->occluders;
}

static void drop(scene *s) {
  lwi_occluders_free(&s->occluders, &s->memory);
  assert_int_equal(s->memory.bytes, 0);
}

static void make_random(scene *s, lwi_random *random, lw_vec3 about) {
  s->count = 0;
  for (int i = 0; i < SLABS; i++) {
    lw_vec3 corner = {between(random, -20, 20), between(random, -5, 5), between(random, -20, 20)};
    lw_vec3 side = {between(random, -8, 8), between(random, -3, 3), between(random, -8, 8)};
    lw_vec3 up = {between(random, -3, 3), between(random, -8, 8), between(random, -3, 3)};
    add_slab(s, lwi_add(corner, about), side, up, i % 4 == 0 ? LW_COVER_SOFT : LW_COVER_HARD);
  }
  build(s);
}

/* A wall of 4 x 3 m across z = 0. */
static void make_wall(scene *s, lw_cover_kind kind) {
  s->count = 0;
  add_slab(s, lwi_vec3(-2, 0, 0), lwi_vec3(4, 0, 0), lwi_vec3(0, 3, 0), kind);
  build(s);
}

static lwi_depth_scene depth_scene(const scene *s, lwi_depth_room *room) {
  return (lwi_depth_scene){s->sets, 1, room};
}

/* --- what is drawn ------------------------------------------------------------------------------------------------- */

static double depth_of(uint16_t half) {
  if (half < 1 << 10) return INFINITY;
  return (double)LWI_DEPTH_UNIT / ldexp(1 + (half & 1023) / 1024.0, (half >> 10) - 15);
}

static lw_vec3 texel_way(unsigned face, int column, int row) {
  float way[3];
  way[face / 2] = face & 1 ? -1.0f : 1.0f;
  const int middle = LWI_DEPTH_SIDE / 2; /* there is one: the number is odd */
  const float x = (float)(column - middle) / ((float)middle + 0.5f),
              y = (float)(row - middle) / ((float)middle + 0.5f);
  /* rows of faces that look to a side lie closer about the eye's height */
  const float up = y / (1 + LWI_DEPTH_DENSER * (1 - fabsf(y)));
  way[face / 2 == 2 ? 0 : 2] = x;
  way[face / 2 == 1 ? 0 : 1] = face / 2 == 1 ? y : up;
  return lwi_vec3(way[0], way[1], way[2]);
}

/* @return Whether the line of sight through a texel's middle ends where the map says; within a thousandth. */
static bool is_right(const lwi_depth_map *map, const lwi_occluders *occluders, unsigned face, int column,
                     int row) {
  const float far = 300;
  lw_vec3 way = texel_way(face, column, row);
  double drawn = depth_of(map->faces[face][row * LWI_DEPTH_STRIDE + column]);
  float met = lwi_occluders_ray(occluders, map->eye, lwi_add(map->eye, lwi_scale(way, far)), map->soft);
  if (met >= 1) return drawn > (double)far * 0.99;
  return fabs(drawn - (double)(met * far)) <= 2e-3 * (double)(met * far) + 1e-3;
}

static int count_wrong(lwi_depth_map *map, const scene *s, lwi_depth_room *room, lw_vec3 eye, bool soft,
                       lwi_random *random, int texels) {
  const lwi_depth_scene of = depth_scene(s, room);
  int wrong = 0;
  lwi_depth_map_begin(map, eye, soft);
  for (unsigned face = 0; face < 6; face++) {
    lwi_depth_map_draw(map, &of, face);
    for (int i = 0; i < texels; i++)
      wrong += !is_right(map, &s->occluders, face, (int)between(random, 0, LWI_DEPTH_SIDE),
                         (int)between(random, 0, LWI_DEPTH_SIDE));
  }
  return wrong;
}

static void texels_are_as_deep_as_lines_of_sight_through_them(void **state) {
  static scene s;
  static lwi_depth_map map;
  lwi_depth_room *room = malloc(lwi_depth_room_size());
  lwi_random random = lwi_random_make(SEED, 1);
  const int texels = 400, rounds = 12;
  int wrong = 0;
  (void)state;
  for (int i = 0; i < rounds; i++) {
    make_random(&s, &random, i < 6 ? lwi_vec3(0, 0, 0) : lwi_vec3(5000, 50, -5000));
    lw_vec3 middle = i < 6 ? lwi_vec3(0, 0, 0) : lwi_vec3(5000, 50, -5000);
    lw_vec3 eye = lwi_add(middle, lwi_vec3(between(&random, -9, 9), 1.6f, between(&random, -9, 9)));
    wrong += count_wrong(&map, &s, room, eye, i % 2 == 0, &random, texels);
    drop(&s);
  }
  free(room);
  printf("note: %d of %d texels are not as deep as lines of sight (seed %u)\n", wrong, 6 * texels * rounds,
         SEED);
  assert_true(wrong * 1000 <= 6 * texels * rounds); /* on an edge rounding decides */
}

/* What is drawn behind what else: many occluders, most of them hidden. */
static void levels_are_as_deep_as_lines_of_sight(void **state) {
  static const char *const names[] = {"fd2_map01", "oa_kaos2", "recast_undulating"};
  static scene s;
  static lwi_depth_map map;
  static const lw_vec3 beside[] = {{-0.17f, 0, 0.23f}, {0.31f, 0.1f, -0.27f}};
  lwi_random random = lwi_random_make(SEED, 2);
  lwi_depth_room *room = malloc(lwi_depth_room_size());
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
    const lwi_occluder_source source = {vertices, lw_geometry_indices(geometry), count,
                                        lw_geometry_covers(geometry), NULL};
    s.memory = lwi_memory_make(NULL);
    assert_int_equal(lwi_occluders_build(&source, &s.memory, &s.occluders), LW_OK);
    s.sets[0] = &s.occluders;
    int wrong = 0, asked = 0;
    for (int k = 0; k < 6; k++, asked += 6 * texels) {
      /* beside a corner */
      lw_vec3 eye = vertices[lw_geometry_indices(geometry)[3 * (int)between(&random, 0, (float)count)]];
      eye = lwi_add(lwi_add(eye, beside[k % 2]), lwi_vec3(0, 1.6f, 0));
      wrong += count_wrong(&map, &s, room, eye, true, &random, texels);
    }
    printf("note: %s: %d of %d texels are not as deep as lines of sight (seed %u)\n", names[i], wrong, asked,
           SEED);
    assert_true(wrong * 1000 <= asked);
    drop(&s);
    lw_geometry_destroy(geometry);
  }
  lw_area_table_destroy(areas);
  free(room);
}

/* --- what is answered ---------------------------------------------------------------------------------------------- */

typedef struct asker {
  const scene *of;
  lwi_memory memory;
  lwi_eyes eyes;
  lwi_exposure_room room;
} asker;

static void open_asker(asker *a, const scene *s, int maps) {
  *a = (asker){.of = s, .memory = lwi_memory_make(NULL)};
  lwi_eyes_init(&a->eyes, maps, s->sets, 1, &a->memory);
}

static void close_asker(asker *a) {
  lwi_eyes_free(&a->eyes);
  lwi_exposure_room_free(&a->room);
  assert_int_equal(a->memory.bytes, 0);
}

/* One height, of the points themselves. */
static float exposed(asker *a, lw_accuracy accuracy, lw_vec3 eye, lw_vec3 from, lw_vec3 to, bool shots) {
  const lwi_sight sight = {.sets = a->of->sets, .count = 1, .eyes = &a->eyes};
  lw_threat threat = lw_threat_default();
  lw_exposure_query query = lw_exposure_query_default();
  lw_exposure seen;
  threat.at = eye;
  query.from = from;
  query.to = to;
  query.threats = &threat;
  query.threat_count = 1;
  query.heights[0] = 0;
  query.height_count = 1;
  query.accuracy = accuracy;
  query.shots = shots;
  assert_true(lwi_exposure_check(&query));
  assert_int_equal(lwi_exposure_find(&sight, &query, &a->memory, &a->room, &seen), LW_OK);
  assert_true(seen.fraction >= 0 && seen.fraction <= 1); /* never NaN */
  assert_true(seen.weighted >= 0 && seen.weighted <= seen.length * 1.00001f);
  return seen.fraction;
}

static void fast_is_near_exact(void **state) {
  static scene s;
  lwi_random random = lwi_random_make(SEED, 3);
  double sum = 0;
  int count = 0;
  (void)state;
  for (int round = 0; round < 10; round++) {
    const lw_vec3 middle = round < 5 ? lwi_vec3(0, 0, 0) : lwi_vec3(5000, 0, 5000);
    asker a;
    make_random(&s, &random, middle);
    open_asker(&a, &s, 1);
    lw_vec3 eye = lwi_add(middle, lwi_vec3(between(&random, -9, 9), 1.6f, between(&random, -9, 9)));
    for (int i = 0; i < 300; i++, count++) {
      lw_vec3 from = {between(&random, -20, 20), between(&random, -5, 5), between(&random, -20, 20)};
      lw_vec3 to = {between(&random, -20, 20), between(&random, -5, 5), between(&random, -20, 20)};
      from = lwi_add(from, middle);
      to = lwi_add(to, middle);
      sum += fabs((double)(exposed(&a, LW_ACCURACY_FAST, eye, from, to, i % 2) -
                           exposed(&a, LW_ACCURACY_EXACT, eye, from, to, i % 2)));
    }
    close_asker(&a);
    drop(&s);
  }
  printf("note: off by %.5f in the mean (seed %u)\n", sum / count, SEED);
  assert_true(sum / count <= 0.01);
}

static void fast_gives_the_documented_answer_where_exact_does(void **state) {
  static scene s;
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
      {{0, 1, -10}, {3e6f, 1, 5e6f}, {3e6f, 1, 6e6f}, 1}, /* further than anything */
  };
  (void)state;
  make_wall(&s, LW_COVER_HARD);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    asker a;
    open_asker(&a, &s, 1);
    float exact = exposed(&a, LW_ACCURACY_EXACT, cases[i].eye, cases[i].from, cases[i].to, false);
    float fast = exposed(&a, LW_ACCURACY_FAST, cases[i].eye, cases[i].from, cases[i].to, false);
    if (fabsf(exact - cases[i].expected) > 0.001f || fabsf(fast - cases[i].expected) > 0.02f)
      fail_msg("case %d: exact %g, fast %g, expected %g", (int)i, (double)exact, (double)fast,
               (double)cases[i].expected);
    close_asker(&a);
  }
  drop(&s);
}

/* A man walks behind a wall that is a bit higher than the eye, on level ground, or a bit lower: at the eye's height nothing
   is between rows of texels, however far the wall. */
static void fast_looks_level_along_the_tops_of_walls(void **state) {
  static const float tops[] = {1.61f, 1.65f, 1.75f, 1.9f}, lower[] = {1.4f, 1.5f, 1.55f, 1.59f};
  static scene s;
  int differ = 0, asked = 0;
  (void)state;
  for (int i = 0; i < 8; i++)
    for (int turn = 0; turn < 4; turn++) { /* towards each of the faces that look to a side */
      const float top = i < 4 ? tops[i] : lower[i - 4];
      const lw_vec3 along = turn % 2 ? lwi_vec3(0, 0, 1) : lwi_vec3(1, 0, 0);
      const lw_vec3 away = lwi_scale(lwi_vec3(along.z, 0, along.x), turn < 2 ? 1.0f : -1.0f);
      s.count = 0;
      add_slab(&s, lwi_scale(along, -12), lwi_scale(along, 24), lwi_vec3(0, top, 0), LW_COVER_HARD);
      build(&s);
      for (float far = 3; far < 90; far *= 1.13f, asked++) {
        asker a;
        open_asker(&a, &s, 1);
        const lw_vec3 eye = lwi_add(lwi_scale(away, -far), lwi_vec3(0, 1.6f, 0));
        const lw_vec3 behind = lwi_add(away, lwi_vec3(0, 1.6f, 0));
        const lw_vec3 from = lwi_add(behind, lwi_scale(along, -8)), to = lwi_add(behind, lwi_scale(along, 8));
        assert_true(exposed(&a, LW_ACCURACY_EXACT, eye, from, to, false) == (i < 4 ? 0 : 1));
        differ += exposed(&a, LW_ACCURACY_FAST, eye, from, to, false) != (i < 4 ? 0 : 1);
        close_asker(&a);
      }
      drop(&s);
    }
  assert_true(asked > 500);
  assert_int_equal(differ, 0);
}

static void fast_knows_what_stops_a_look_and_what_a_shot(void **state) {
  static const lw_vec3 eye = {0, 1, -10}, from = {-1, 1, 5}, to = {1, 1, 5};
  static scene s;
  (void)state;
  for (int kind = LW_COVER_HARD; kind <= LW_COVER_SOFT; kind++) {
    asker a;
    make_wall(&s, (lw_cover_kind)kind);
    open_asker(&a, &s, 2);
    assert_true(exposed(&a, LW_ACCURACY_FAST, eye, from, to, false) == 0);
    assert_true(exposed(&a, LW_ACCURACY_FAST, eye, from, to, true) == (kind == LW_COVER_SOFT ? 1 : 0));
    close_asker(&a);
    drop(&s);
  }
}

static void random_segments_never_give_nonsense(void **state) {
  static scene s;
  lwi_random random = lwi_random_make(SEED, 4);
  asker a;
  (void)state;
  make_random(&s, &random, lwi_vec3(0, 0, 0));
  open_asker(&a, &s, 4);
  for (int i = 0; i < 4000; i++) { /* places on a coarse lattice: in walls, in line, without a length */
    lw_vec3 at[3];
    for (int k = 0; k < 3; k++)
      at[k] = i % 3 == 0 ? s.vertices[(int)between(&random, 0, 4 * SLABS)]
                         : lwi_vec3(roundf(between(&random, -2, 2)), roundf(between(&random, -2, 2)),
                                    roundf(between(&random, -2, 2)));
    exposed(&a, i % 2 ? LW_ACCURACY_FAST : LW_ACCURACY_EXACT, at[0], at[1], at[2], false);
  }
  close_asker(&a);
  drop(&s);
}

/* --- who gets a map ------------------------------------------------------------------------------------------------ */

/* Where fast is measurably not exact: the shadow's ends lie between texels. */
static const lw_vec3 here = {0.13f, 1.07f, -7.3f}, walk_from = {-9.1f, 1, 4.4f}, walk_to = {11.3f, 1.2f, 5.1f};

static float ask_from(asker *a, lw_accuracy accuracy, lw_vec3 eye) {
  return exposed(a, accuracy, eye, walk_from, walk_to, false);
}

static void ask_often(asker *a, lw_vec3 eye) {
  for (int i = 0; i < LWI_EYE_BREAK_EVEN; i++) ask_from(a, LW_ACCURACY_AUTO, eye);
}

static void auto_is_exact_until_the_step_after_the_eye_was_asked_about_often(void **state) {
  static scene s;
  asker a;
  (void)state;
  make_wall(&s, LW_COVER_HARD);
  open_asker(&a, &s, 4);
  float exact = ask_from(&a, LW_ACCURACY_EXACT, here), fast;
  for (int i = 0; i < 2 * LWI_EYE_BREAK_EVEN; i++) assert_true(ask_from(&a, LW_ACCURACY_AUTO, here) == exact);
  assert_int_equal(a.eyes.map_count, 0);
  assert_true(lwi_eyes_settle(&a.eyes));
  fast = ask_from(&a, LW_ACCURACY_AUTO, here);
  assert_int_equal(a.eyes.map_count, 1);
  assert_true(fast != exact && fabsf(fast - exact) < 0.01f);
  assert_true(ask_from(&a, LW_ACCURACY_FAST, here) == fast);
  assert_true(ask_from(&a, LW_ACCURACY_EXACT, here) == exact);
  close_asker(&a);
  drop(&s);
}

static void fast_does_not_change_what_auto_answers_in_the_same_step(void **state) {
  static scene s;
  asker a;
  (void)state;
  make_wall(&s, LW_COVER_HARD);
  open_asker(&a, &s, 1);
  float exact = ask_from(&a, LW_ACCURACY_EXACT, here);
  assert_true(ask_from(&a, LW_ACCURACY_AUTO, here) == exact);
  float fast = ask_from(&a, LW_ACCURACY_FAST, here);
  assert_true(fast != exact);
  assert_true(ask_from(&a, LW_ACCURACY_AUTO, here) == exact);
  assert_true(lwi_eyes_settle(&a.eyes));
  assert_true(ask_from(&a, LW_ACCURACY_AUTO, here) == fast); /* it is there now */
  close_asker(&a);
  drop(&s);
}

static void rare_questions_add_up(void **state) {
  static scene s;
  asker a;
  (void)state;
  make_wall(&s, LW_COVER_HARD);
  open_asker(&a, &s, 4);
  for (int i = 0; i < LWI_EYE_BREAK_EVEN; i++) {
    assert_int_equal(a.eyes.map_count, 0);
    ask_from(&a, LW_ACCURACY_AUTO, here);
    assert_true(lwi_eyes_settle(&a.eyes));
  }
  assert_int_equal(a.eyes.map_count, 1);
  close_asker(&a);
  drop(&s);
}

static void a_map_serves_its_eye_while_it_moves_less_than_a_quarter_metre(void **state) {
  static scene s;
  asker a;
  (void)state;
  make_wall(&s, LW_COVER_HARD);
  open_asker(&a, &s, 4);
  ask_often(&a, here);
  assert_true(lwi_eyes_settle(&a.eyes));
  float at_first = ask_from(&a, LW_ACCURACY_AUTO, here);
  lw_vec3 near = lwi_add(here, lwi_vec3(0.24f, 0, 0)), off = lwi_add(here, lwi_vec3(0.26f, 0, 0));
  assert_true(ask_from(&a, LW_ACCURACY_AUTO, near) == at_first); /* as seen from where the map was made */
  assert_true(ask_from(&a, LW_ACCURACY_AUTO, off) == ask_from(&a, LW_ACCURACY_EXACT, off));
  assert_int_equal(a.eyes.count, 2);
  close_asker(&a);
  drop(&s);
}

static void maps_are_bounded_and_go_to_who_is_asked_about(void **state) {
  static scene s;
  asker a;
  lw_vec3 eyes[3];
  (void)state;
  make_wall(&s, LW_COVER_HARD);
  open_asker(&a, &s, 2);
  for (int i = 0; i < 3; i++) {
    eyes[i] = lwi_add(here, lwi_vec3((float)i, 0, 0));
    ask_often(&a, eyes[i]);
  }
  assert_true(lwi_eyes_settle(&a.eyes));
  assert_int_equal(a.eyes.map_count, 2);
  assert_true(ask_from(&a, LW_ACCURACY_AUTO, eyes[2]) == ask_from(&a, LW_ACCURACY_EXACT, eyes[2]));
  for (int step = 0; step <= LWI_EYE_REST + 1; step++) { /* the second is not asked about any more */
    ask_from(&a, LW_ACCURACY_AUTO, eyes[0]);
    ask_from(&a, LW_ACCURACY_AUTO, eyes[2]);
    assert_true(lwi_eyes_settle(&a.eyes));
  }
  assert_true(ask_from(&a, LW_ACCURACY_AUTO, eyes[2]) != ask_from(&a, LW_ACCURACY_EXACT, eyes[2]));
  assert_true(ask_from(&a, LW_ACCURACY_AUTO, eyes[0]) != ask_from(&a, LW_ACCURACY_EXACT, eyes[0]));
  assert_true(ask_from(&a, LW_ACCURACY_AUTO, eyes[1]) == ask_from(&a, LW_ACCURACY_EXACT, eyes[1]));
  for (int i = 0; i < 500; i++) /* never more than there may be, however many eyes */
    ask_from(&a, i % 2 ? LW_ACCURACY_FAST : LW_ACCURACY_AUTO, lwi_add(here, lwi_vec3((float)i, 2, 0)));
  assert_int_equal(a.eyes.map_count, 2);
  assert_true(a.memory.bytes < 3 * sizeof(lwi_depth_map));
  close_asker(&a);
  drop(&s);
}

static void without_maps_every_answer_is_exact(void **state) {
  static scene s;
  asker a;
  (void)state;
  make_wall(&s, LW_COVER_HARD);
  open_asker(&a, &s, 0);
  ask_often(&a, here);
  assert_true(lwi_eyes_settle(&a.eyes));
  assert_true(ask_from(&a, LW_ACCURACY_FAST, here) == ask_from(&a, LW_ACCURACY_EXACT, here));
  assert_true(ask_from(&a, LW_ACCURACY_AUTO, here) == ask_from(&a, LW_ACCURACY_EXACT, here));
  close_asker(&a);
  drop(&s);
}

static void the_same_questions_get_the_same_answers(void **state) {
  static scene s;
  lwi_random random = lwi_random_make(SEED, 5);
  float first[600] = {0};
  uint64_t hash = 0;
  (void)state;
  make_random(&s, &random, lwi_vec3(0, 0, 0));
  for (int round = 0; round < 2; round++) {
    asker a;
    lwi_random places = lwi_random_make(SEED, 6);
    open_asker(&a, &s, 2);
    for (int step = 0; step < 60; step++) {
      for (int i = 0; i < 10; i++) {
        float answer = 0;
        lw_vec3 eye = lwi_add(here, lwi_vec3((float)(i % 4) + (float)step * 0.01f, 0, 0));
        lw_vec3 to = {between(&places, -10, 10), 1, between(&places, -10, 10)};
        for (int k = 0; k < 20; k++) answer += exposed(&a, LW_ACCURACY_AUTO, eye, walk_from, to, false);
        if (round == 0) first[step * 10 + i] = answer;
        assert_true(first[step * 10 + i] == answer);
      }
      assert_true(lwi_eyes_settle(&a.eyes));
    }
    if (round == 0) hash = lwi_eyes_hash(&a.eyes, 1);
    assert_true(lwi_eyes_hash(&a.eyes, 1) == hash);
    assert_true(a.eyes.map_count == 2);
    close_asker(&a);
  }
  drop(&s);
}

static void running_out_of_memory_leaks_nothing(void **state) {
  static scene s;
  bool done = false;
  (void)state;
  make_wall(&s, LW_COVER_HARD);
  for (int left = 0; left < 20 && !done; left++) {
    support_memory counted = {.left = left};
    lw_allocator allocator = support_allocator(&counted);
    asker a = {.of = &s, .memory = lwi_memory_make(&allocator)};
    lwi_depth_map *map;
    lwi_eyes_init(&a.eyes, 2, s.sets, 1, &a.memory);
    done = lwi_eyes_ask(&a.eyes, here, true, LW_ACCURACY_FAST, &map);
    assert_true(done == (map != NULL));
    for (int i = 0; i < LWI_EYE_BREAK_EVEN; i++)
      assert_true(lwi_eyes_ask(&a.eyes, walk_from, true, LW_ACCURACY_AUTO, &map) && !map);
    done = lwi_eyes_settle(&a.eyes) && done;
    close_asker(&a);
    assert_int_equal(counted.bytes, 0);
  }
  assert_true(done);
  drop(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(texels_are_as_deep_as_lines_of_sight_through_them),
      cmocka_unit_test(levels_are_as_deep_as_lines_of_sight),
      cmocka_unit_test(fast_is_near_exact),
      cmocka_unit_test(fast_gives_the_documented_answer_where_exact_does),
      cmocka_unit_test(fast_looks_level_along_the_tops_of_walls),
      cmocka_unit_test(fast_knows_what_stops_a_look_and_what_a_shot),
      cmocka_unit_test(random_segments_never_give_nonsense),
      cmocka_unit_test(auto_is_exact_until_the_step_after_the_eye_was_asked_about_often),
      cmocka_unit_test(fast_does_not_change_what_auto_answers_in_the_same_step),
      cmocka_unit_test(rare_questions_add_up),
      cmocka_unit_test(a_map_serves_its_eye_while_it_moves_less_than_a_quarter_metre),
      cmocka_unit_test(maps_are_bounded_and_go_to_who_is_asked_about),
      cmocka_unit_test(without_maps_every_answer_is_exact),
      cmocka_unit_test(the_same_questions_get_the_same_answers),
      cmocka_unit_test(running_out_of_memory_leaks_nothing),
  };
  setvbuf(stdout, NULL, _IOLBF, 0);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
