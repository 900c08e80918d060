/* Polygons that lie on each other are named; floors above each other and neighbours are not. */
#include "allocator.h"
#include "core/random.h"
#include "grid_mesh.h"
#include "leeward/leeward.h"
#include "levels.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))
#define SEED 20240818u

static lw_area_table *areas;

static int make_areas(void **state) {
  (void)state;
  static const char *const names[] = {"ground"};
  areas = support_areas(names, 1);
  return 0;
}

static int drop_areas(void **state) {
  (void)state;
  lw_area_table_destroy(areas);
  return 0;
}

/* A rectangle; `rise` is how much higher its far end in x lies. */
typedef struct slab {
  float x, y, z, width, depth, rise;
} slab;

#define SLABS_MAX 64

/* @return The status; `text` is the error's. */
static lw_status make(const slab *slabs, int count, char text[512]) {
  lw_vec3 vertices[4 * SLABS_MAX];
  int corners[4 * SLABS_MAX], counts[SLABS_MAX];
  for (int i = 0; i < count; i++) {
    slab s = slabs[i];
    vertices[4 * i + 0] = (lw_vec3){s.x, s.y, s.z};
    vertices[4 * i + 1] = (lw_vec3){s.x + s.width, s.y + s.rise, s.z};
    vertices[4 * i + 2] = (lw_vec3){s.x + s.width, s.y + s.rise, s.z + s.depth};
    vertices[4 * i + 3] = (lw_vec3){s.x, s.y, s.z + s.depth};
    for (int k = 0; k < 4; k++) corners[4 * i + k] = 4 * i + k;
    counts[i] = 4;
  }
  lw_navmesh_def def = lw_navmesh_def_default();
  def.areas = areas;
  def.vertices = vertices;
  def.vertex_count = 4 * count;
  def.corners = corners;
  def.corner_counts = counts;
  def.polygon_count = count;
  lw_navmesh *mesh;
  lw_error error = {0};
  lw_status status = lw_navmesh_create(&def, &mesh, &error);
  if (status == LW_OK && lw_navmesh_validate(mesh, &error) != LW_OK) fail_msg("%s", error.text);
  if (status != LW_OK) assert_null(mesh);
  lw_navmesh_destroy(mesh);
  memcpy(text, error.text, sizeof error.text);
  return status;
}

static void two_that_overlap_are_named_with_the_place(void **state) {
  (void)state;
  const slab slabs[] = {{0, 0, 0, 4, 4, 0}, {4, 0, 0, 4, 4, 0}, {20, 0, 0, 4, 4, 0}, {7, 0, 1, 4, 2, 0}};
  char text[512];
  assert_int_equal(make(slabs, COUNT(slabs), text), LW_INVALID);
  assert_string_equal(text,
                      "polygons 2 and 4 of 4 are both at (7.5, 0, 2), expected no overlap: cut one of them");
}

static void one_inside_another_and_twins_are_named(void **state) {
  (void)state;
  const slab inside[] = {{0, 0, 0, 40, 40, 0}, {10, 0.2f, 10, 1, 1, 0}};
  const slab twins[] = {{0, 0, 0, 4, 4, 0}, {0, 0, 0, 4, 4, 0}};
  char text[512];
  assert_int_equal(make(inside, 2, text), LW_INVALID);
  assert_non_null(strstr(text, "polygons 1 and 2 of 2 are both at"));
  assert_int_equal(make(twins, 2, text), LW_INVALID);
  assert_non_null(strstr(text, "polygons 1 and 2 of 2 are both at"));
}

static void floors_above_each_other_are_fine(void **state) {
  (void)state;
  char text[512];
  const slab apart[] = {{0, 0, 0, 8, 8, 0}, {2, 0.5f, 2, 4, 4, 0}};
  const slab near[] = {{0, 0, 0, 8, 8, 0}, {2, 0.3f, 2, 4, 4, 0}};
  assert_int_equal(make(apart, 2, text), LW_OK); /* climb is 0.4 m */
  assert_int_equal(make(near, 2, text), LW_INVALID);
}

static void a_ramp_that_rises_over_the_floor_is_fine(void **state) {
  (void)state;
  char text[512];
  const slab ramp[] = {{0, 0, 0, 8, 8, 0}, {2, 0, 2, 4, 2, 2}};
  const slab plate[] = {{0, 0, 0, 8, 8, 0}, {2, 0, 2, 4, 2, 0.3f}};
  assert_int_equal(make(ramp, 2, text), LW_OK);
  assert_int_equal(make(plate, 2, text), LW_INVALID);
}

static void slivers_are_fine_also_far_from_the_origin(void **state) {
  (void)state;
  char text[512];
  const slab sliver[] = {{0, 0, 0, 4, 4, 0}, {3.992f, 0, 0, 4, 4, 0}};
  const slab wider[] = {{0, 0, 0, 4, 4, 0}, {3.97f, 0, 0, 4, 4, 0}};
  const slab far[] = {{50000, 0, 50000, 4.1f, 4, 0}, {50004.1f, 0, 50000, 4, 4, 0}};
  assert_int_equal(make(sliver, 2, text), LW_OK);
  assert_int_equal(make(wider, 2, text), LW_INVALID);
  assert_int_equal(make(far, 2, text), LW_OK);
}

/* Rectangles at random: whether any two overlap is plain from their numbers. */
static void random_rectangles_overlap_when_their_numbers_say_so(void **state) {
  (void)state;
  lw_random random = lwi_random_make(SEED, 0);
  int named = 0, fine = 0;
  for (int round = 0; round < 400; round++) {
    slab slabs[12];
    int count = 2 + (int)(lwi_random_bits(&random) % 11);
    bool expected = false;
    for (int i = 0; i < count; i++) {
      /* Quarter metres, so that nothing is as thin as a sliver. */
      float n[5];
      for (int k = 0; k < 5; k++) n[k] = (float)(lwi_random_bits(&random) % 64) / 4;
      slabs[i] = (slab){n[0], n[1] > 8 ? 3.0f : 0.0f, n[2], 0.25f + n[3] / 4, 0.25f + n[4] / 4, 0};
      for (int j = 0; j < i; j++) {
        const slab *a = &slabs[i], *b = &slabs[j];
        expected = expected || (a->y == b->y && a->x < b->x + b->width && b->x < a->x + a->width &&
                                a->z < b->z + b->depth && b->z < a->z + a->depth);
      }
    }
    char text[512];
    lw_status status = make(slabs, count, text);
    if ((status == LW_OK) == expected) fail_msg("seed %u, round %d: %s", SEED, round, text);
    named += expected;
    fine += !expected;
  }
  assert_true(named > 50 && fine > 50);
}

/* What is left when polygons are turned and have other corner counts: fans about one point never overlap, and any two
   neighbours of them do once one is pushed over the other. */
static void sectors_about_a_point_overlap_only_when_pushed(void **state) {
  (void)state;
  for (int sectors = 3; sectors <= 20; sectors++)
    for (int pushed = 0; pushed < 2; pushed++) {
      lw_vec3 vertices[3 * 20];
      int corners[3 * 20], counts[20];
      for (int i = 0; i < sectors; i++) {
        double a = 6.283185307 * i / sectors, b = 6.283185307 * (i + 1) / sectors;
        vertices[3 * i] = (lw_vec3){0, 0, 0};
        vertices[3 * i + 1] = (lw_vec3){(float)(9 * cos(a)), 0, (float)(9 * sin(a))};
        vertices[3 * i + 2] = (lw_vec3){(float)(9 * cos(b)), 0, (float)(9 * sin(b))};
        for (int k = 0; k < 3; k++) corners[3 * i + k] = 3 * i + k;
        counts[i] = 3;
      }
      double side = 6.283185307 / sectors;
      for (int k = 0; k < 3 && pushed;
           k++) { /* the first one, square over the edge that it shares with the second */
        vertices[k].x -= (float)(0.2 * sin(side));
        vertices[k].z += (float)(0.2 * cos(side));
      }
      lw_navmesh_def def = lw_navmesh_def_default();
      def.areas = areas;
      def.vertices = vertices;
      def.vertex_count = 3 * sectors;
      def.corners = corners;
      def.corner_counts = counts;
      def.polygon_count = sectors;
      lw_navmesh *mesh;
      lw_error error = {0};
      assert_int_equal(lw_navmesh_create(&def, &mesh, &error), pushed ? LW_INVALID : LW_OK);
      assert_true(!pushed || strstr(error.text, "are both at"));
      lw_navmesh_destroy(mesh);
    }
}

static void no_memory_while_looking_leaks_nothing(void **state) {
  (void)state;
  lw_navmesh_def def = lw_navmesh_def_default();
  static const lw_vec3 vertices[] = {{0, 0, 0}, {4, 0, 0}, {4, 0, 4}, {0, 0, 4}, {8, 0, 0}, {8, 0, 4}};
  static const int corners[] = {0, 1, 2, 3, 1, 4, 5, 2}, counts[] = {4, 4};
  support_memory memory = {0};
  lw_allocator allocator = support_allocator(&memory);
  def.areas = areas;
  def.vertices = vertices;
  def.vertex_count = COUNT(vertices);
  def.corners = corners;
  def.corner_counts = counts;
  def.polygon_count = 2;
  def.allocator = &allocator;
  lw_status status = LW_OUT_OF_MEMORY;
  for (int left = 0; status != LW_OK; left++) {
    lw_navmesh *mesh;
    memory.left = left;
    status = lw_navmesh_create(&def, &mesh, NULL);
    assert_true(status == LW_OK || status == LW_OUT_OF_MEMORY);
    lw_navmesh_destroy(mesh);
    assert_int_equal(memory.bytes, 0);
  }
}

/* A baked level's polygons as polygons from elsewhere. */
static void recreate(const lw_navmesh *baked, const char *name) {
  lw_navmesh_stats stats = lw_navmesh_get_stats(baked);
  lw_vec3 *vertices = malloc((size_t)stats.polygons * 6 * sizeof *vertices);
  int *corners = malloc((size_t)stats.polygons * 6 * sizeof *corners);
  int *counts = malloc((size_t)stats.polygons * sizeof *counts), total = 0, polygons = 0;
  for (lw_poly_id id = lw_navmesh_next_poly(baked, 0); id; id = lw_navmesh_next_poly(baked, id)) {
    counts[polygons] = lw_navmesh_poly_corners(baked, id, vertices + total, 6);
    assert_in_range(counts[polygons], 3, 6);
    for (int i = 0; i < counts[polygons]; i++) corners[total + i] = total + i;
    total += counts[polygons++];
  }
  lw_navmesh_def def = lw_navmesh_def_default();
  def.areas = lw_navmesh_area_table(baked);
  def.vertices = vertices;
  def.vertex_count = total;
  def.corners = corners;
  def.corner_counts = counts;
  def.polygon_count = polygons;
  def.climb = lw_navmesh_get_agent(baked).climb;
  lw_navmesh *mesh;
  lw_error error;
  if (lw_navmesh_create(&def, &mesh, &error) != LW_OK) fail_msg("%s: %s", name, error.text);
  lw_navmesh_destroy(mesh);
  free(vertices);
  free(corners);
  free(counts);
}

static void baked_levels_do_not_overlap(void **state) {
  (void)state;
  lw_area_table *table;
  int found = 0;
  assert_int_equal(level_areas(&table, NULL), LW_OK);
  for (int i = 0; i < LEVEL_COUNT; i++) {
    char file[1024];
    if (!level_file(level_names[i], file, sizeof file)) continue;
    lw_navmesh *baked;
    lw_error error;
    if (level_navmesh(level_names[i], table, &baked, &error) != LW_OK) fail_msg("%s", error.text);
    recreate(baked, level_names[i]);
    lw_navmesh_destroy(baked);
    found += 1;
  }
  lw_area_table_destroy(table);
  if (found == LEVEL_COUNT) return;
  printf("skipped: %d of %d shared levels are missing\n", LEVEL_COUNT - found, LEVEL_COUNT);
  if (found == 0) skip();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(two_that_overlap_are_named_with_the_place),
      cmocka_unit_test(one_inside_another_and_twins_are_named),
      cmocka_unit_test(floors_above_each_other_are_fine),
      cmocka_unit_test(a_ramp_that_rises_over_the_floor_is_fine),
      cmocka_unit_test(slivers_are_fine_also_far_from_the_origin),
      cmocka_unit_test(random_rectangles_overlap_when_their_numbers_say_so),
      cmocka_unit_test(sectors_about_a_point_overlap_only_when_pushed),
      cmocka_unit_test(no_memory_while_looking_leaks_nothing),
      cmocka_unit_test(baked_levels_do_not_overlap),
  };
  return cmocka_run_group_tests_name("overlap", tests, make_areas, drop_areas);
}
