/* Lines of sight for bakes, compared with those through the occluders and with every facet by itself; and that
   what they meet does not depend on what there is elsewhere. */
#include "core/random.h"
#include "core/vec3.h"
#include "bake/sight_lines.h"
#include "sight/occluder.h"
#include "bake/occluder_tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SEED 20251121
#define BOXES 120
#define BOX_TRIANGLES 12
#define LINES 20000
#define LEAVES 256

typedef struct scene {
  lw_vec3 vertices[8 * 2 * BOXES];
  int indices[3 * BOX_TRIANGLES * 2 * BOXES];
  uint8_t covers[BOX_TRIANGLES * 2 * BOXES];
  int box_count;
} scene;

static void add_box(scene *s, lw_vec3 at, lw_vec3 half, float yaw, lw_cover_kind kind) {
  static const int faces[6][4] = {{0, 1, 3, 2}, {4, 6, 7, 5}, {0, 4, 5, 1},
                                  {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 5, 7, 3}};
  const int first = 8 * s->box_count;
  for (int i = 0; i < 8; i++) {
    lw_vec3 corner = {i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z};
    s->vertices[first + i] = lwi_vec3(at.x + corner.x * cosf(yaw) - corner.z * sinf(yaw), at.y + corner.y,
                                      at.z + corner.x * sinf(yaw) + corner.z * cosf(yaw));
  }
  for (int f = 0; f < 6; f++) {
    const int triangle = BOX_TRIANGLES * s->box_count + 2 * f;
    const int corners[6] = {faces[f][0], faces[f][1], faces[f][2], faces[f][0], faces[f][2], faces[f][3]};
    for (int k = 0; k < 6; k++) s->indices[3 * triangle + k] = first + corners[k];
    s->covers[triangle] = s->covers[triangle + 1] = (uint8_t)kind;
  }
  s->box_count++;
}

static lw_vec3 draw(lw_random *random, float size) {
  float x = lwi_random_unit(random) * size, y = lwi_random_unit(random) * size / 4;
  return lwi_vec3(x, y, lwi_random_unit(random) * size);
}

/* @param from  All lies that far from the origin. */
static void fill(scene *s, lw_vec3 from) {
  lw_random random = lwi_random_make(SEED, 0);
  s->box_count = 0;
  add_box(s, lwi_add(from, lwi_vec3(20, -0.5f, 20)), lwi_vec3(20, 0.5f, 20), 0, LW_COVER_HARD);
  while (s->box_count < BOXES) {
    lw_vec3 half = lwi_add(draw(&random, 1.5f), lwi_vec3(0.05f, 0.1f, 0.05f));
    float yaw = lwi_random_unit(&random) < 0.5f ? 0 : 3 * lwi_random_unit(&random);
    add_box(s, lwi_add(from, draw(&random, 40)), half, yaw, s->box_count % 3 ? LW_COVER_HARD : LW_COVER_SOFT);
  }
}

static lwi_occluders build(const scene *s, lwi_memory *memory) {
  const lwi_occluder_source source = {.vertices = s->vertices,
                                      .indices = s->indices,
                                      .triangle_count = BOX_TRIANGLES * s->box_count,
                                      .covers = s->covers};
  lwi_occluders occluders;
  assert_int_equal(lwi_occluders_build(&source, memory, &occluders), LW_OK);
  return occluders;
}

/* Is the place where the line meets the plane inside of the facet, by how much? Negative: outside. [m] */
static double inside_by(const lwi_occluder_facet *facet, lw_vec3 normal, lw_vec3 at) {
  double min = INFINITY;
  for (int i = 0; i < facet->count; i++) {
    lw_vec3 a = facet->corners[i], along = lwi_sub(facet->corners[i + 1 < facet->count ? i + 1 : 0], a);
    lw_vec3 inward = lwi_cross(normal, along);
    min = fmin(min, (double)lwi_dot(inward, lwi_sub(at, a)) / (double)lwi_length(inward));
  }
  return min;
}

/* The first facet that the line meets, each looked at by itself. @return 2: too close to an edge to say. */
static double meet_each(const lwi_occluders *occluders, lw_vec3 eye, lw_vec3 target, bool soft) {
  lwi_occluder_cursor cursor = {0};
  lwi_occluder_facet facet;
  double first = 1, length = (double)lwi_distance(eye, target);
  eye = lwi_sub(eye, occluders->origin);
  target = lwi_sub(target, occluders->origin);
  while (lwi_occluders_next(occluders, &cursor, &facet)) {
    if (!soft && facet.kind != LW_COVER_HARD) continue;
    lw_vec3 normal = {0, 0, 0};
    for (int i = 2; i < facet.count; i++)
      normal = lwi_add(normal, lwi_cross(lwi_sub(facet.corners[i - 1], facet.corners[0]),
                                         lwi_sub(facet.corners[i], facet.corners[0])));
    normal = lwi_scale(normal, 1 / lwi_length(normal));
    double over = (double)lwi_dot(normal, lwi_sub(eye, facet.corners[0])),
           under = (double)lwi_dot(normal, lwi_sub(target, facet.corners[0]));
    if (fabs(over - under) < 1e-3 * length) return 2; /* along the plane */
    double t = over / (over - under);
    if (t * length < -0.01 || (1 - t) * length < -0.01) continue;
    double inside = inside_by(&facet, normal, lwi_lerp(eye, target, (float)t));
    if (fabs(inside) < 5e-3) return 2;
    if (inside < 0) continue;
    if (t * length < 0.01 || (1 - t) * length < 0.01) return 2;
    first = fmin(first, t);
  }
  return first;
}

static void check_lines(lw_vec3 from, float slack) {
  static scene s;
  lwi_memory memory = lwi_memory_make(NULL);
  lw_random random = lwi_random_make(SEED, 1);
  lwi_sight_lines lines;
  uint32_t leaves[LEAVES];
  int checked = 0, hidden = 0;
  fill(&s, from);
  lwi_occluders occluders = build(&s, &memory);
  assert_true(lwi_lines_make(&lines, &occluders, &memory));
  for (int i = 0; i < LINES; i++) {
    lw_vec3 eye = lwi_add(from, draw(&random, 40)), target = lwi_add(from, draw(&random, 40));
    bool soft = i % 2;
    if (i % 5 == 0) target.y = eye.y; /* level, or along an axis */
    if (i % 10 == 0) target.x = eye.x;
    double truth = meet_each(&occluders, eye, target, soft);
    if (truth > 1) continue;
    float seen = lwi_lines_ray(&lines, eye, target, soft);
    if (fabs((double)seen - truth) * (double)lwi_distance(eye, target) > (double)slack)
      fail_msg("seed %d, line %d: %g, not %g", SEED, i, (double)seen, truth);
    assert_true(lwi_lines_see(&lines, eye, target, soft) == (truth >= 1));
    int count = lwi_lines_pierce(&lines, eye, target, soft, leaves, LEAVES);
    assert_true((count == 0) == (truth >= 1));
    for (int k = 0; k < count; k++) assert_true(lwi_lines_hide(&lines, &leaves[k], 1, eye, target, soft));
    assert_true(lwi_lines_hide(&lines, leaves, count, eye, target, soft) == (count > 0));
    checked++;
    hidden += count > 0;
  }
  print_message("note: %d lines checked, %d of them hidden\n", checked, hidden);
  assert_true(checked > LINES / 2 && hidden > checked / 8 && hidden < checked);
  lwi_lines_free(&lines);
  lwi_occluders_free(&occluders, &memory);
  assert_int_equal(memory.bytes, 0);
}

static void lines_end_at_the_first_facet_that_they_meet(void **state) {
  (void)state;
  check_lines((lw_vec3){0, 0, 0}, 2e-3f);
}

static void lines_far_from_the_origin_end_at_the_first_facet_too(void **state) {
  (void)state;
  check_lines((lw_vec3){5000, 100, -5000}, 5e-3f);
}

static void hits_do_not_depend_on_facets_elsewhere(void **state) {
  (void)state;
  static scene s;
  lwi_memory memory = lwi_memory_make(NULL);
  lw_random random = lwi_random_make(SEED, 2);
  lwi_sight_lines lines[2];
  lwi_occluders occluders[2];
  fill(&s, (lw_vec3){0, 0, 0});
  add_box(&s, (lw_vec3){-40, 30, -40}, (lw_vec3){1, 1, 1}, 0,
          LW_COVER_HARD); /* the corner and the end of both */
  add_box(&s, (lw_vec3){140, 30, 140}, (lw_vec3){1, 1, 1}, 0, LW_COVER_HARD);
  for (int k = 0; k < 2; k++) {
    if (k == 1)
      for (int i = 0; i < BOXES / 2; i++)
        add_box(&s, lwi_add(draw(&random, 30), lwi_vec3(90, 0, 90)), draw(&random, 3), 1, LW_COVER_HARD);
    occluders[k] = build(&s, &memory);
    assert_true(lwi_lines_make(&lines[k], &occluders[k], &memory));
  }
  assert_true(occluders[0].leaf_count < occluders[1].leaf_count);
  for (int i = 0; i < LINES; i++) {
    lw_vec3 eye = draw(&random, 40), target = draw(&random, 40);
    float a = lwi_lines_ray(&lines[0], eye, target, i % 2), b = lwi_lines_ray(&lines[1], eye, target, i % 2);
    assert_memory_equal(&a, &b, sizeof a);
  }
  for (int k = 0; k < 2; k++) {
    lwi_lines_free(&lines[k]);
    lwi_occluders_free(&occluders[k], &memory);
  }
}

static void without_facets_every_line_is_free(void **state) {
  (void)state;
  const lwi_occluders none = {.quantum = 1};
  lwi_memory memory = lwi_memory_make(NULL);
  lwi_sight_lines lines;
  assert_true(lwi_lines_make(&lines, &none, &memory));
  const lw_vec3 eye = {0, 0, 0}, target = {3, 1, 2};
  uint32_t leaf;
  assert_true(lwi_lines_ray(&lines, eye, target, true) >= 1 && lwi_lines_see(&lines, eye, target, true));
  assert_int_equal(lwi_lines_pierce(&lines, eye, target, true, &leaf, 1), 0);
  assert_false(lwi_lines_hide(&lines, &leaf, 0, eye, target, true));
  lwi_lines_free(&lines);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lines_end_at_the_first_facet_that_they_meet),
      cmocka_unit_test(lines_far_from_the_origin_end_at_the_first_facet_too),
      cmocka_unit_test(hits_do_not_depend_on_facets_elsewhere),
      cmocka_unit_test(without_facets_every_line_is_free),
  };
  return cmocka_run_group_tests_name("lines of sight", tests, NULL, NULL);
}
