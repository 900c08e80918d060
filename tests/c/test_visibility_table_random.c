/* The visibility table on random yards and hills. The seed is printed; LEEWARD_SEED sets it. */
#include "core/vec3.h"
#include "sight/visibility_table.h"
#include "cover_scene.h"
#include "visibility_check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static uint64_t seed_of_run(void) {
  const char *text = getenv("LEEWARD_SEED");
  return text ? strtoull(text, NULL, 10) : 1;
}

static float between(lw_random *random, float low, float high) {
  return low + (high - low) * lwi_random_unit(random);
}

/* Boxes of all kinds, that stand in and on one another. */
static void add_boxes(const cover_scene *s, int count, lw_random *random) {
  for (int i = 0; i < count; i++) {
    bool square = i % 3 == 0; /* with the grid: faces of several lie in one plane */
    lw_vec3 at = {between(random, 0, SIZE), between(random, -0.5f, 0.2f), between(random, 0, SIZE)};
    lw_vec3 size = {between(random, 0.3f, 9), between(random, 0.8f, 4), between(random, 0.2f, 1)};
    if (square) at = (lw_vec3){floorf(at.x), 0, floorf(at.z)};
    if (square) size = (lw_vec3){ceilf(size.x), 3, 1};
    cover_add_box(s, at, size, square ? 0 : between(random, 0, 7), i % 5 == 4 ? LW_COVER_SOFT : LW_COVER_HARD);
  }
}

/* Ground in squares of two triangles; merged ones are not quite flat. */
#define SQUARES 24
static void add_hills(const cover_scene *s, float high, lw_random *random) {
  lw_vec3 vertices[(SQUARES + 1) * (SQUARES + 1)];
  int indices[6 * SQUARES * SQUARES], *index = indices;
  lw_area_id areas[2 * SQUARES * SQUARES];
  for (int i = 0; i < (SQUARES + 1) * (SQUARES + 1); i++) {
    float x = (float)(i % (SQUARES + 1)), z = (float)(i / (SQUARES + 1));
    float rise = high * sinf(0.5f * x) * cosf(0.4f * z) + between(random, 0, 0.008f);
    vertices[i] = (lw_vec3){x * SIZE / SQUARES, rise > 0 ? rise : 0.001f * rise, z * SIZE / SQUARES};
  }
  for (int i = 0; i < SQUARES * SQUARES; i++) {
    int a = i / SQUARES * (SQUARES + 1) + i % SQUARES, b = a + 1, c = a + SQUARES + 1, d = c + 1;
    const int corners[] = {a, c, b, b, c, d};
    for (int k = 0; k < 6; k++) *index++ = corners[k];
    areas[2 * i] = areas[2 * i + 1] = SCENE_GROUND;
  }
  const lw_geometry_mesh mesh = {.vertices = vertices,
                                 .vertex_count = (SQUARES + 1) * (SQUARES + 1),
                                 .indices = indices,
                                 .triangle_count = 2 * SQUARES * SQUARES,
                                 .areas = areas};
  assert_int_equal(lw_geometry_add_mesh(s->geometry, &mesh, NULL), LW_OK);
}

static pair_counts check_scene(const cover_scene *s, uint64_t seed) {
  lw_bake_settings settings = cover_settings();
  settings.visibility_table_range = 60;
  settings.tile_size = 6;
  lw_navmesh *mesh = scene_bake(s->geometry, &settings, NULL);
  pair_counts counts = pair_check(mesh, 2500, seed);
  print_message(
      "note: seed %llu: %u polygons, %d hidden pairs, %d visible ones, %d lines, %d segments (%d with seams)\n",
      (unsigned long long)seed, mesh->polygons.count, counts.hidden, counts.visible, counts.lines,
      counts.segments, counts.seams);
  assert_true(counts.seams <= 1 + counts.segments / 200);
  lw_navmesh_destroy(mesh);
  return counts;
}

static void sure_pairs_in_yards_agree_with_exact_visibility(void **state) {
  (void)state;
  int hidden = 0, visible = 0;
  for (uint64_t i = 0; i < 4; i++) {
    uint64_t seed = seed_of_run() * 100 + i;
    lw_random random = lwi_random_make(seed, 6);
    cover_scene s = cover_begin((lw_vec3){0, 0, 0});
    add_boxes(&s, 8 + 8 * (int)i, &random);
    pair_counts counts = check_scene(&s, seed);
    hidden += counts.hidden;
    visible += counts.visible;
    lw_geometry_destroy(s.geometry);
  }
  assert_true(hidden > 500 && visible > 200);
}

static void sure_pairs_over_hills_agree_with_exact_visibility(void **state) {
  (void)state;
  int hidden = 0;
  for (uint64_t i = 0; i < 3; i++) {
    uint64_t seed = seed_of_run() * 100 + 50 + i;
    lw_random random = lwi_random_make(seed, 6);
    cover_scene s = {.geometry = scene_geometry(scene_table)};
    add_hills(&s, i == 0 ? 0 : 2.5f, &random);
    add_boxes(&s, 6, &random);
    hidden += check_scene(&s, seed).hidden;
    lw_geometry_destroy(s.geometry);
  }
  assert_true(hidden > 100);
}

/* Far from the origin floats are coarse; what is sure stays so. */
static void sure_pairs_far_from_the_origin_agree_with_exact_visibility(void **state) {
  (void)state;
  lw_random random = lwi_random_make(seed_of_run(), 6);
  cover_scene s = {.geometry = scene_geometry(scene_table)};
  const lw_vec3 far = {5000, 40, -5000};
  scene_add_floor(s.geometry, far, SIZE, SIZE, SCENE_GROUND);
  for (int i = 0; i < 14; i++) {
    lw_vec3 at = {between(&random, 0, SIZE), -0.3f, between(&random, 0, SIZE)};
    cover_add_box(&s, lwi_add(far, at), (lw_vec3){between(&random, 2, 9), 3, 0.4f}, between(&random, 0, 7),
                  LW_COVER_HARD);
  }
  assert_true(check_scene(&s, seed_of_run()).hidden > 100);
  lw_geometry_destroy(s.geometry);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sure_pairs_in_yards_agree_with_exact_visibility),
      cmocka_unit_test(sure_pairs_over_hills_agree_with_exact_visibility),
      cmocka_unit_test(sure_pairs_far_from_the_origin_agree_with_exact_visibility),
  };
  return cmocka_run_group_tests_name("sure pairs", tests, scene_open, scene_close);
}
