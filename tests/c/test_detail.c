/* Polygons that are cut smaller: within marks for detail, and near cover. Ground, heights, islands and paths stay as they
   are. */
#include "bake_scene.h"
#include "temp_file.h"

#include "core/random.h"
#include "core/vec3.h"
#include "leeward/leeward.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SEED 20261126
#define CORNERS_MAX 255
#define SLACK 1.05f /* of the greatest edge, as the header says */

/* --- levels and marks ------------------------------------------------------------------------------------- */

static lw_bake_settings plain_settings(void) {
  lw_bake_settings settings = lw_bake_settings_default();
  settings.cell_size = 0.25f;
  settings.agent_radius = 0;
  settings.tile_size = 16;
  settings.openness_range = 0;
  settings.max_edge_length = 0;
  return settings;
}

static lw_mark_def box_at(lw_vec3 min, lw_vec3 max) {
  lw_mark_def mark = lw_mark_def_default(LW_MARK_BOX);
  mark.at = (lw_vec3){(min.x + max.x) / 2, min.y, (min.z + max.z) / 2};
  mark.size = lwi_sub(max, min);
  return mark;
}

static void mark_box(lw_geometry *geometry, lw_vec3 min, lw_vec3 max, float max_edge) {
  const lw_mark_def mark = box_at(min, max);
  lw_error error = {0};
  if (lw_geometry_mark_detail(geometry, &mark, max_edge, &error) != LW_OK) fail_msg("%s", error.text);
}

/* Hills of 30 x 30 m, with a gallery over them and some walls. */
static lw_geometry *hills(void) {
  enum { SIDE = 31 };
  static lw_vec3 vertices[SIDE * SIDE];
  static int indices[6 * (SIDE - 1) * (SIDE - 1)];
  lw_geometry *geometry = scene_geometry(scene_table);
  int count = 0;
  for (int z = 0; z < SIDE; z++)
    for (int x = 0; x < SIDE; x++)
      vertices[z * SIDE + x] =
          (lw_vec3){(float)x, 1.2f * sinf(0.5f * (float)x) * cosf(0.37f * (float)z), (float)z};
  for (int z = 0; z + 1 < SIDE; z++)
    for (int x = 0; x + 1 < SIDE; x++) {
      const int a = z * SIDE + x, quad[] = {a, a + SIDE, a + 1, a + 1, a + SIDE, a + SIDE + 1};
      memcpy(indices + count, quad, sizeof quad);
      count += 6;
    }
  const lw_geometry_mesh mesh = {.vertices = vertices,
                                 .vertex_count = SIDE * SIDE,
                                 .indices = indices,
                                 .triangle_count = count / 3,
                                 .area = SCENE_GROUND};
  assert_int_equal(lw_geometry_add_mesh(geometry, &mesh, NULL), LW_OK);
  const lw_geometry_box boxes[] = {
      {.at = {15, 5, 15}, .size = {20, 0.3f, 6}, .yaw = 0.4f, .area = SCENE_ROAD},
      {.at = {8, -2, 20}, .size = {5, 6, 0.5f}, .yaw = 0.7f, .area = LW_AREA_NONE},
      {.at = {22, -2, 8}, .size = {0.5f, 4, 6}, .yaw = 0.2f, .area = LW_AREA_NONE},
  };
  for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++)
    assert_int_equal(lw_geometry_add_box(geometry, &boxes[i], NULL), LW_OK);
  return geometry;
}

/* --- looking at polygons ---------------------------------------------------------------------------------- */

typedef struct outline {
  lw_vec3 corners[CORNERS_MAX];
  int count;
} outline;

static outline outline_of(const lw_navmesh *navmesh, lw_poly_id id) {
  outline of;
  of.count = lw_navmesh_poly_corners(navmesh, id, of.corners, CORNERS_MAX);
  assert_in_range(of.count, 3, CORNERS_MAX);
  return of;
}

static float longest_edge(const outline *of) {
  float longest = 0;
  for (int i = 0; i < of->count; i++)
    longest = lwi_max(longest, lwi_distance_xz(of->corners[i], of->corners[(i + 1) % of->count]));
  return longest;
}

static float clamp(float value, float low, float high) {
  return lwi_min(lwi_max(value, low), high);
}

/* Does an inner place of the polygon lie in the box? Places on the lines from its middle to its edges are tried. */
static bool reaches_into(const outline *of, lw_vec3 min, lw_vec3 max) {
  lw_vec3 middle = {0, 0, 0};
  for (int i = 0; i < of->count; i++) middle = lwi_add(middle, lwi_scale(of->corners[i], 1 / (float)of->count));
  for (int i = 0; i < of->count; i++)
    for (int k = 0; k <= 32; k++)
      for (int s = 0; s < 8; s++) {
        const lw_vec3 on = lwi_lerp(of->corners[i], of->corners[(i + 1) % of->count], (float)k / 32);
        const lw_vec3 at = lwi_lerp(middle, on, 0.99f - 0.12f * (float)s);
        if (at.x > min.x && at.x < max.x && at.z > min.z && at.z < max.z && at.y >= min.y && at.y <= max.y)
          return true;
      }
  return false;
}

/* @return How many polygons reach into the box; none of them has a longer edge. */
static int check_edges(const lw_navmesh *navmesh, lw_vec3 min, lw_vec3 max, float max_edge) {
  int count = 0;
  for (lw_poly_id id = lw_navmesh_next_poly(navmesh, 0); id; id = lw_navmesh_next_poly(navmesh, id)) {
    const outline of = outline_of(navmesh, id);
    if (!reaches_into(&of, min, max)) continue;
    count++;
    if (longest_edge(&of) > max_edge * SLACK)
      fail_msg("an edge of %g m, expected at most %g m, about (%g, %g, %g)", (double)longest_edge(&of),
               (double)max_edge, (double)of.corners[0].x, (double)of.corners[0].y, (double)of.corners[0].z);
  }
  return count;
}

/* The same ground: area, islands, and heights at random places, `off` apart at most. */
static void assert_same_ground(const lw_navmesh *plain, const lw_navmesh *fine, double off) {
  const lw_navmesh_stats a = lw_navmesh_get_stats(plain), b = lw_navmesh_get_stats(fine);
  const lw_box box = lw_navmesh_bounds(plain);
  lw_random random = lwi_random_make(SEED, 1);
  double furthest = 0;
  assert_float_equal(a.area, b.area, 1e-5f * a.area);
  assert_int_equal(a.islands, b.islands);
  for (int i = 0; i < 4000; i++) {
    const lw_vec3 at = {box.min.x + (box.max.x - box.min.x) * lwi_random_unit(&random),
                        box.min.y + (box.max.y - box.min.y) * lwi_random_unit(&random),
                        box.min.z + (box.max.z - box.min.z) * lwi_random_unit(&random)};
    lw_location one, other;
    const lw_vec3 reach = {0.001f, 20, 0.001f};
    const lw_status status = lw_navmesh_nearest(plain, at, reach, NULL, &one);
    assert_int_equal(lw_navmesh_nearest(fine, at, reach, NULL, &other), status);
    if (status == LW_OK) furthest = lwi_larger(furthest, fabs((double)one.point.y - other.point.y));
  }
  if (furthest > off) fail_msg("heights are %g m apart, expected at most %g", furthest, off);
}

static float length_between(const lw_navmesh *navmesh, lw_vec3 from, lw_vec3 to) {
  lw_world_def def = lw_world_def_default();
  lw_world *world;
  def.navmesh = navmesh;
  assert_int_equal(lw_world_create(&def, &world, NULL), LW_OK);
  lw_path_query query = lw_path_query_default();
  lw_path *path;
  query.from = from;
  query.to = to;
  assert_int_equal(lw_path_find(world, NULL, &query, &path), LW_OK);
  const float length = lw_path_length(path);
  lw_path_destroy(path);
  lw_world_destroy(world);
  return length;
}

static int polygons_of(lw_geometry *geometry, const lw_bake_settings *settings) {
  lw_navmesh *navmesh = scene_bake(geometry, settings, NULL);
  const int count = lw_navmesh_get_stats(navmesh).polygons;
  lw_navmesh_destroy(navmesh);
  lw_geometry_destroy(geometry);
  return count;
}

/* --- marks ------------------------------------------------------------------------------------------------ */

/* The border of a floor is a cell within it: ledges. */
static bool is_on_line(float at) {
  return at == 0.25f || at == 15.75f || remainderf(at, 2) == 0;
}

/* A floor of 16 x 16 m is one polygon. Lines lie at multiples of the greatest edge, so that squares are left. */
static void a_marked_floor_becomes_squares(void **state) {
  (void)state;
  const lw_bake_settings settings = plain_settings();
  assert_int_equal(polygons_of(scene_floor(scene_table, 16, 16), &settings), 1);
  lw_geometry *geometry = scene_floor(scene_table, 16, 16);
  mark_box(geometry, (lw_vec3){0, -1, 0}, (lw_vec3){16, 1, 16}, 2);
  assert_int_equal(lw_geometry_detail_count(geometry), 1);
  lw_navmesh *navmesh = scene_bake(geometry, &settings, NULL);
  assert_int_equal(lw_navmesh_get_stats(navmesh).polygons, 64);
  for (lw_poly_id id = lw_navmesh_next_poly(navmesh, 0); id; id = lw_navmesh_next_poly(navmesh, id)) {
    const outline of = outline_of(navmesh, id);
    assert_int_equal(of.count, 4);
    for (int i = 0; i < 4; i++) assert_true(is_on_line(of.corners[i].x) && is_on_line(of.corners[i].z));
  }
  lw_navmesh_destroy(navmesh);
  lw_geometry_destroy(geometry);
}

/* 16 squares of 1 m, and 15 of 4 m round them. */
static void where_marks_overlap_the_smallest_edge_counts(void **state) {
  (void)state;
  const lw_bake_settings settings = plain_settings();
  for (int swapped = 0; swapped < 2; swapped++) {
    lw_geometry *geometry = scene_floor(scene_table, 16, 16);
    if (swapped) mark_box(geometry, (lw_vec3){4, -1, 8}, (lw_vec3){8, 1, 12}, 1);
    mark_box(geometry, (lw_vec3){0, -1, 0}, (lw_vec3){16, 1, 16}, 4);
    if (!swapped) mark_box(geometry, (lw_vec3){4, -1, 8}, (lw_vec3){8, 1, 12}, 1);
    assert_int_equal(polygons_of(geometry, &settings), 31);
  }
}

static void a_mark_counts_between_its_heights(void **state) {
  (void)state;
  const lw_bake_settings settings = plain_settings();
  lw_geometry *geometry = scene_floor(scene_table, 16, 16);
  scene_add_floor(geometry, (lw_vec3){0, 4, 0}, 16, 16, SCENE_GROUND);
  mark_box(geometry, (lw_vec3){0, 3, 0}, (lw_vec3){16, 5, 16}, 4);
  assert_int_equal(polygons_of(geometry, &settings), 1 + 16);
}

/* Of a turned box, and of a polygon: nothing that overlaps it has a longer edge. */
static void hills_stay_as_high_and_as_far(void **state) {
  (void)state;
  static const float edges[] = {4, 1, 0.3f};
  lw_bake_settings settings = plain_settings();
  settings.agent_radius = 0.25f;
  settings.tile_size = 10;
  lw_geometry *geometry = hills();
  lw_navmesh *plain = scene_bake(geometry, &settings, NULL);
  for (int i = 0; i < 3; i++) {
    lw_geometry *marked = hills();
    const lw_vec3 min = {6, -3, 5}, max = {25, 8, 24};
    mark_box(marked, min, max, edges[i]);
    lw_navmesh *fine = scene_bake(marked, &settings, NULL);
    assert_true((float)check_edges(fine, min, max, edges[i]) > 19 * 19 / 2 / (edges[i] * edges[i]));
    assert_same_ground(plain, fine, 0.02);
    const lw_vec3 from = {2, 0, 2}, to = {28, 0, 27};
    assert_float_equal(length_between(fine, from, to), length_between(plain, from, to), 0.15f);
    lw_navmesh_destroy(fine);
    lw_geometry_destroy(marked);
  }
  lw_navmesh_destroy(plain);
  lw_geometry_destroy(geometry);
}

/* Where finely cut ground borders on a polygon, that one is cut, too, before it has too many corners. */
static void no_polygon_gets_too_many_corners(void **state) {
  (void)state;
  lw_bake_settings settings = plain_settings();
  settings.tile_size = 64;
  lw_geometry *geometry = scene_floor(scene_table, 64, 64);
  mark_box(geometry, (lw_vec3){0, -1, 30}, (lw_vec3){64, 1, 31}, 0.1f);
  lw_navmesh *navmesh = scene_bake(geometry, &settings, NULL);
  for (lw_poly_id id = lw_navmesh_next_poly(navmesh, 0); id; id = lw_navmesh_next_poly(navmesh, id))
    assert_true(outline_of(navmesh, id).count <= 32);
  assert_true(check_edges(navmesh, (lw_vec3){0, -1, 30}, (lw_vec3){64, 1, 31}, 0.1f) >= 6350);
  assert_int_equal(lw_navmesh_get_stats(navmesh).islands, 1);
  assert_float_equal(lw_navmesh_get_stats(navmesh).area, 63.5 * 63.5, 0.1);
  assert_float_equal(length_between(navmesh, (lw_vec3){32, 0, 2}, (lw_vec3){32, 0, 62}), 60, 1e-3);
  lw_navmesh_destroy(navmesh);
  lw_geometry_destroy(geometry);
}

static void marks_need_a_shape_and_an_edge(void **state) {
  (void)state;
  lw_geometry *geometry = scene_floor(scene_table, 10, 10);
  lw_mark_def box = box_at((lw_vec3){0, 0, 0}, (lw_vec3){1, 1, 1}), path = lw_mark_def_default(LW_MARK_PATH);
  lw_mark_def crossed = lw_mark_def_default(LW_MARK_POLYGON);
  static const lw_vec3 points[] = {{0, 0, 0}, {4, 0, 4}, {4, 0, 0}, {0, 0, 4}},
                       line[] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
  static const float edges[] = {0, -1, 0.09f, 2e6f, NAN, INFINITY};
  lw_error error;
  for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
    assert_int_equal(lw_geometry_mark_detail(geometry, &box, edges[i], &error), LW_INVALID);
  assert_int_equal(lw_geometry_mark_detail(geometry, &box, 0.01f, &error), LW_INVALID);
  assert_string_equal(error.text, "detail: max_edge is 0.01, expected metres from 0.1 to 1e+06");
  assert_int_equal(lw_geometry_mark_detail(geometry, &path, 2, &error), LW_INVALID);
  assert_string_equal(error.text, "detail: shape is a path, expected a box or a polygon");
  crossed.points = points;
  crossed.point_count = 4;
  assert_int_equal(lw_geometry_mark_detail(geometry, &crossed, 2, &error), LW_INVALID);
  assert_non_null(strstr(error.text, "not convex"));
  crossed.points = line;
  crossed.point_count = 3;
  assert_int_equal(lw_geometry_mark_detail(geometry, &crossed, 2, &error), LW_INVALID);
  box.size.x = NAN;
  assert_int_equal(lw_geometry_mark_detail(geometry, &box, 2, &error), LW_INVALID);
  assert_int_equal(lw_geometry_detail_count(geometry), 0);
  lw_geometry_destroy(geometry);
}

/* 500 x 500 m at 0.1 m would be 25 million polygons. */
static void too_many_polygons_are_refused(void **state) {
  (void)state;
  lw_geometry *geometry = scene_floor(scene_table, 500, 500);
  mark_box(geometry, (lw_vec3){0, -1, 0}, (lw_vec3){10, 1, 10}, 1);
  mark_box(geometry, (lw_vec3){0, -1, 0}, (lw_vec3){900, 1, 900}, 0.1f);
  lw_navmesh *navmesh;
  lw_error error;
  assert_int_equal(lw_navmesh_bake(geometry, NULL, &navmesh, NULL, &error), LW_LIMIT);
  assert_string_equal(
      error.text,
      "mark for detail 2: max_edge is 0.1 m, on 250000 m2 in the bounds: with those before it about "
      "2.5e+07 polygons, expected at most 1000000: raise max_edge, alone for this one to 0.501 m");
  lw_geometry_destroy(geometry);
}

/* --- parts, rebuilds, threads ----------------------------------------------------------------------------- */

static void parts_and_rebuilds_are_cut_alike(void **state) {
  (void)state;
  lw_bake_settings settings = plain_settings();
  settings.agent_radius = 0.25f;
  settings.tile_size = 10;
  settings.bounds = (lw_box){{0, -3, 0}, {30, 9, 30}};
  lw_geometry *geometry = hills();
  lw_navmesh *before = scene_bake(geometry, &settings, NULL), *whole, *merged, *rebuilt, *parts[2];
  mark_box(geometry, (lw_vec3){8, -3, 8}, (lw_vec3){13, 8, 18}, 1);
  settings.threads = 3;
  whole = scene_bake(geometry, &settings, NULL);
  settings.threads = 1;
  for (int i = 0; i < 2; i++) {
    settings.tiles = (lw_tile_range){4 * i, i == 0 ? 4 : 5};
    parts[i] = scene_bake(geometry, &settings, NULL);
  }
  settings.tiles = (lw_tile_range){0, 0};
  assert_int_equal(lw_navmesh_merge((const lw_navmesh *const *)parts, 2, NULL, &merged, NULL), LW_OK);
  assert_same_bytes(navmesh_bytes(merged), navmesh_bytes(whole));
  lw_rebuild_def def = lw_rebuild_def_default();
  def.navmesh = before;
  def.geometry = geometry;
  def.settings = &settings;
  def.changed = (lw_box){{8, 0, 8}, {13, 0, 18}};
  assert_int_equal(lw_navmesh_rebuild(&def, &rebuilt, NULL, NULL), LW_OK);
  assert_same_bytes(navmesh_bytes(rebuilt), navmesh_bytes(whole));
  lw_navmesh *const all[] = {before, whole, merged, rebuilt, parts[0], parts[1]};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) lw_navmesh_destroy(all[i]);
  lw_geometry_destroy(geometry);
}

/* --- near cover ------------------------------------------------------------------------------------------- */

static float distance_to(lw_vec3 at, lw_vec3 a, lw_vec3 b) {
  const float t = clamp(lwi_part_along_xz(a, b, at), 0, 1);
  return lwi_distance_xz(at, lwi_lerp(a, b, t));
}

static lw_bake_settings near_settings(float near_by, float edge) {
  lw_bake_settings settings = plain_settings();
  settings.agent_radius = 0.25f;
  settings.tile_size = 10;
  settings.cover.detail_near = near_by;
  settings.cover.detail_edge = edge;
  return settings;
}

static lw_geometry *floor_with_wall(void) {
  const lw_geometry_box wall = {.at = {20, 0, 20}, .size = {6, 2, 0.5f}, .area = LW_AREA_NONE};
  lw_geometry *geometry = scene_floor(scene_table, 40, 40);
  assert_int_equal(lw_geometry_add_box(geometry, &wall, NULL), LW_OK);
  return geometry;
}

/* Polygons with a corner or a middle that near the wall have short edges; far from it some are long. */
static void ground_near_cover_is_finer(void **state) {
  (void)state;
  lw_geometry *geometry = floor_with_wall();
  const lw_bake_settings plain = near_settings(0, 2), near_by = near_settings(3, 1);
  lw_navmesh *coarse = scene_bake(geometry, &plain, NULL), *fine = scene_bake(geometry, &near_by, NULL);
  int count = 0, far = 0;
  for (lw_poly_id id = lw_navmesh_next_poly(fine, 0); id; id = lw_navmesh_next_poly(fine, id)) {
    const outline of = outline_of(fine, id);
    float nearest = INFINITY;
    for (int i = 0; i < of.count; i++)
      for (int side = -1; side <= 1; side += 2) {
        const float z = 20 + 0.25f * (float)side;
        nearest = lwi_min(nearest, distance_to(of.corners[i], (lw_vec3){17, 0, z}, (lw_vec3){23, 0, z}));
      }
    if (nearest < 2.9f) assert_true(longest_edge(&of) <= SLACK);
    count += nearest < 2.9f;
    far += nearest > 5 && longest_edge(&of) > 3;
  }
  assert_true(count > 60 && far > 3);
  assert_same_ground(coarse, fine, 1e-4);
  assert_int_equal(lw_navmesh_get_stats(fine).cover_segments, lw_navmesh_get_stats(coarse).cover_segments);
  lw_navmesh_destroy(coarse);
  lw_navmesh_destroy(fine);
  lw_geometry_destroy(geometry);
}

static void a_rebuild_finds_what_is_near_cover_again(void **state) {
  (void)state;
  lw_bake_settings settings = near_settings(2, 1);
  settings.bounds = (lw_box){{0, -1, 0}, {40, 9, 40}};
  lw_geometry *geometry = floor_with_wall();
  lw_navmesh *before = scene_bake(geometry, &settings, NULL), *whole, *rebuilt;
  const lw_geometry_box wall = {.at = {9, 0, 33}, .size = {0.5f, 2, 3}, .area = LW_AREA_NONE};
  assert_int_equal(lw_geometry_add_box(geometry, &wall, NULL), LW_OK);
  settings.threads = 3;
  whole = scene_bake(geometry, &settings, NULL);
  lw_rebuild_def def = lw_rebuild_def_default();
  def.navmesh = before;
  def.geometry = geometry;
  def.settings = &settings;
  def.changed = (lw_box){{8, 0, 31}, {10, 2, 35}};
  assert_int_equal(lw_navmesh_rebuild(&def, &rebuilt, NULL, NULL), LW_OK);
  assert_same_bytes(navmesh_bytes(rebuilt), navmesh_bytes(whole));
  lw_navmesh_destroy(before);
  lw_navmesh_destroy(whole);
  lw_navmesh_destroy(rebuilt);
  lw_geometry_destroy(geometry);
}

static void near_cover_is_refused_where_it_cannot_be(void **state) {
  (void)state;
  lw_geometry *geometry = floor_with_wall();
  lw_navmesh *navmesh;
  lw_error error;
  lw_bake_settings settings = near_settings(2, 1);
  settings.tiles.count = 1;
  assert_int_equal(lw_navmesh_bake(geometry, &settings, &navmesh, NULL, &error), LW_INVALID);
  assert_string_equal(error.text,
                      "detail near cover is 2 m, expected 0 for a part: cover near its border is not known");
  settings = near_settings(2, 1);
  settings.cover.segments = false;
  assert_int_equal(lw_navmesh_bake(geometry, &settings, &navmesh, NULL, &error), LW_INVALID);
  assert_string_equal(error.text, "detail near cover is 2 m, expected 0 without cover segments");
  settings = near_settings(2, 0.05f);
  assert_int_equal(lw_navmesh_bake(geometry, &settings, &navmesh, NULL, &error), LW_INVALID);
  settings = near_settings(NAN, 1);
  assert_int_equal(lw_navmesh_bake(geometry, &settings, &navmesh, NULL, &error), LW_INVALID);
  assert_null(navmesh);
  lw_geometry_destroy(geometry);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_marked_floor_becomes_squares),
                                     cmocka_unit_test(where_marks_overlap_the_smallest_edge_counts),
                                     cmocka_unit_test(a_mark_counts_between_its_heights),
                                     cmocka_unit_test(hills_stay_as_high_and_as_far),
                                     cmocka_unit_test(no_polygon_gets_too_many_corners),
                                     cmocka_unit_test(marks_need_a_shape_and_an_edge),
                                     cmocka_unit_test(too_many_polygons_are_refused),
                                     cmocka_unit_test(parts_and_rebuilds_are_cut_alike),
                                     cmocka_unit_test(ground_near_cover_is_finer),
                                     cmocka_unit_test(a_rebuild_finds_what_is_near_cover_again),
                                     cmocka_unit_test(near_cover_is_refused_where_it_cannot_be)};
  return cmocka_run_group_tests(tests, scene_open, scene_close);
}
