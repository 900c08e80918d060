/* Occluders made of any triangles: what they hide is what the triangles hide. */
#include "core/random.h"
#include "core/vec3.h"
#include "sight/occluder.h"
#include "bake/occluder_tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define SEED 20261121

typedef struct scene {
  lw_vec3 vertices[16];
  int indices[24], triangles, count;
  bool has_place;
  lw_box place;
  lwi_memory memory;
  lwi_occluders occluders;
} scene;

static void add_quad(scene *s, lw_vec3 a, lw_vec3 b, lw_vec3 c, lw_vec3 d) {
  const lw_vec3 corners[] = {a, b, c, d};
  const int first = s->count, order[] = {0, 1, 2, 0, 2, 3};
  for (int i = 0; i < 4; i++) s->vertices[s->count++] = corners[i];
  for (int i = 0; i < 6; i++) s->indices[3 * s->triangles + i] = first + order[i];
  s->triangles += 2;
}

static void build(scene *s) {
  s->memory = lwi_memory_make(NULL);
  const lwi_occluder_source source = {.vertices = s->vertices,
                                      .indices = s->indices,
                                      .triangle_count = s->triangles,
                                      .place = s->has_place ? &s->place : NULL};
  assert_int_equal(lwi_occluders_build(&source, &s->memory, &s->occluders), LW_OK);
}

static void tear_down(scene *s) {
  lwi_occluders_free(&s->occluders, &s->memory);
  assert_int_equal(s->memory.bytes, 0);
}

/* @param[out] whole  From the first hidden place to the last, unless NULL. @return How much of the segment is
   hidden. */
static float hide(scene *s, lw_vec3 eye, lw_vec3 from, lw_vec3 to, lwi_interval *whole) {
  lwi_intervals hidden = {.memory = &s->memory};
  assert_true(lwi_occluders_clip(&(lwi_clip_query){&s->occluders, NULL, eye, from, to, true}, &hidden));
  const float sum = lwi_intervals_sum(&hidden);
  if (whole && hidden.count > 0) *whole = (lwi_interval){hidden.items[0].t0, hidden.items[hidden.count - 1].t1};
  lwi_intervals_free(&hidden);
  return sum;
}

static void add_wall(scene *s) {
  add_quad(s, lwi_vec3(-1.2344f, 0, 10), lwi_vec3(1.7653f, 0, 10), lwi_vec3(1.7653f, 3, 10),
           lwi_vec3(-1.2344f, 3, 10));
}

/* Twice as far behind the wall, what it hides is twice as wide. */
static void assert_shadow(scene *s, float slack) {
  const float left = (10 - 2 * 1.2344f) / 20, right = (10 + 2 * 1.7653f) / 20;
  lwi_interval whole = {0, 0};
  const float sum = hide(s, lwi_vec3(0, 1.5f, 0), lwi_vec3(-10, 1.5f, 20), lwi_vec3(10, 1.5f, 20), &whole);
  assert_float_equal(whole.t0, left, slack / 10);
  assert_float_equal(whole.t1, right, slack / 10);
  assert_float_equal(sum, right - left, slack / 5);
}

static void under_a_huge_sky_small_things_stay_sharp(void **state) {
  (void)state;
  scene s = {.count = 0};
  add_wall(&s);
  add_quad(&s, lwi_vec3(-130, 80, -120), lwi_vec3(130, 80, -120), lwi_vec3(130, 90, 130),
           lwi_vec3(-130, 85, 130));
  build(&s);
  assert_shadow(&s, 1e-3f);
  tear_down(&s);
}

static lw_vec3 anywhere(lw_random *random, float z) {
  const float x = -60 + 150 * lwi_random_unit(random), y = -30 + 60 * lwi_random_unit(random);
  return lwi_vec3(x, y, z);
}

static void huge_faces_have_no_cracks(void **state) {
  (void)state;
  lw_random random = lwi_random_make(SEED, 0);
  scene s = {.count = 0};
  print_message("note: seed %d\n", SEED);
  /* Two faces of unlike pieces, with an edge in common. */
  add_quad(&s, lwi_vec3(-211, -90, 0), lwi_vec3(7, -100, 3), lwi_vec3(3, 90, 40), lwi_vec3(-200, 80, 10));
  add_quad(&s, lwi_vec3(3, 90, 40), lwi_vec3(7, -100, 3), lwi_vec3(333, -77, -20), lwi_vec3(290, 110, 9));
  build(&s);
  double sum = 0;
  for (int i = 0; i < 3000; i++) {
    const lw_vec3 eye = anywhere(&random, -60), from = anywhere(&random, 90), to = anywhere(&random, 90);
    assert_false(lwi_occluders_see(&s.occluders, eye, from, true));
    const float seen = 1 - hide(&s, eye, from, to, NULL);
    sum += fmax(0, (double)seen);
    if (seen > 5e-4f) /* a slit as narrow as the lattice, seen along it */
      fail_msg("a crack, %d: from (%g %g %g) %g of a segment is seen", i, (double)eye.x, (double)eye.y,
               (double)eye.z, (double)seen);
  }
  assert_true(sum / 3000 < 1e-6);
  tear_down(&s);
}

static void a_face_as_large_as_a_country_is_not_cut_for_ever(void **state) {
  (void)state;
  scene s = {.count = 0};
  add_wall(&s);
  add_quad(&s, lwi_vec3(-1e6f, -1, -1e6f), lwi_vec3(1e6f, -1, -1e6f), lwi_vec3(1e6f, -1, 1e6f),
           lwi_vec3(-1e6f, -1, 1e6f));
  build(&s);
  assert_in_range(s.occluders.facet_count, 3, 2000);
  assert_false(lwi_occluders_see(&s.occluders, lwi_vec3(0, 1.5f, 0), lwi_vec3(0, 1.5f, 20), true));
  tear_down(&s);
}

static void a_sky_of_any_size_is_left_out_where_there_is_a_place(void **state) {
  (void)state;
  for (float size = 6e2f; size < 1e6f; size *= 10) {
    scene s = {.has_place = true, .place = {{-20, 0, -20}, {20, 3, 30}}};
    const float h = size / 2;
    add_wall(&s);
    add_quad(&s, lwi_vec3(-h, -1, -h), lwi_vec3(h, -1, -h), lwi_vec3(h, -1, h), lwi_vec3(-h, -1, h));
    add_quad(&s, lwi_vec3(-h, -1, h), lwi_vec3(h, -1, h), lwi_vec3(h, h, h), lwi_vec3(-h, h, h));
    build(&s);
    assert_float_equal(s.occluders.quantum, 1e-3f, 0);
    assert_shadow(&s, 1e-3f);
    assert_in_range(s.occluders.facet_count, 3, 2000);
    /* The ground below hides as far as a margin about the place. */
    assert_false(lwi_occluders_see(&s.occluders, lwi_vec3(270, 1.5f, 0), lwi_vec3(271, -5, 0), true));
    assert_false(lwi_occluders_see(&s.occluders, lwi_vec3(-260, 1.5f, 279), lwi_vec3(-261, -5, 270), true));
    /* What is sky alone is gone, if it is further than that. */
    assert_true(lwi_occluders_see(&s.occluders, lwi_vec3(0, 9, h - 1), lwi_vec3(0, 9, h + 1), true) ==
                (h > 1e3f));
    tear_down(&s);
  }
}

static void a_stray_triangle_at_the_end_of_the_world_costs_nothing(void **state) {
  (void)state;
  scene s = {.has_place = true, .place = {{-20, 0, -20}, {20, 3, 30}}};
  add_wall(&s);
  add_quad(&s, lwi_vec3(9e5f, 0, 9e5f), lwi_vec3(9e5f + 4, 0, 9e5f), lwi_vec3(9e5f + 4, 4, 9e5f),
           lwi_vec3(9e5f, 4, 9e5f));
  build(&s);
  assert_int_equal(s.occluders.facet_count, 1);
  assert_float_equal(s.occluders.quantum, 1e-3f, 0);
  assert_shadow(&s, 1e-3f);
  tear_down(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(under_a_huge_sky_small_things_stay_sharp),
      cmocka_unit_test(huge_faces_have_no_cracks),
      cmocka_unit_test(a_face_as_large_as_a_country_is_not_cut_for_ever),
      cmocka_unit_test(a_sky_of_any_size_is_left_out_where_there_is_a_place),
      cmocka_unit_test(a_stray_triangle_at_the_end_of_the_world_costs_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
