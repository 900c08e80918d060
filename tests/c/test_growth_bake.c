/* How the work of a bake grows with what a level may have many of. */
#include "bake_scene.h"
#include "growth.h"
#include "leeward/leeward.h"
#include "temp_file.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/* --- bakes ------------------------------------------------------------------------------------------------ */

static uint64_t bake_with(lw_geometry *geometry, float drop, float jump) {
  lw_bake_settings settings = lw_bake_settings_default();
  settings.auto_links.drop = drop;
  settings.auto_links.jump = jump;
  lw_navmesh *mesh;
  lw_error error = {0};
  settings.threads = 1;
  settings.cell_size = 0.4f;
  const uint64_t before = growth_count();
  if (lw_navmesh_bake(geometry, &settings, &mesh, NULL, &error) != LW_OK) fail_msg("%s", error.text);
  const uint64_t after = growth_count();
  lw_navmesh_destroy(mesh);
  lw_geometry_destroy(geometry);
  return after - before;
}

static uint64_t bake(lw_geometry *geometry) {
  return bake_with(geometry, 0, 0);
}

static void add_triangles(lw_geometry *geometry, const lw_vec3 *vertices, int vertex_count, const int *indices,
                          int count) {
  const lw_geometry_mesh mesh = {.vertices = vertices,
                                 .vertex_count = vertex_count,
                                 .indices = indices,
                                 .triangle_count = count,
                                 .area = SCENE_GROUND};
  growth_need(lw_geometry_add_mesh(geometry, &mesh, NULL));
}

static uint64_t equal_quads(int count) {
  static const lw_vec3 corners[] = {{4, 0, 4}, {8, 0, 4}, {8, 2, 4}, {4, 2, 4}};
  static const int indices[] = {0, 1, 2, 0, 2, 3};
  lw_geometry *geometry = scene_floor(growth_areas, 12, 12);
  for (int i = 0; i < count; i++) add_triangles(geometry, corners, 4, indices, 2);
  return bake(geometry);
}

/* Upright quads about one edge, each in a plane of its own. */
static uint64_t walls_about_an_edge(int count) {
  static const int indices[] = {0, 1, 2, 0, 2, 3};
  lw_geometry *geometry = scene_floor(growth_areas, 12, 12);
  for (int i = 0; i < count; i++) {
    const float angle = 6.2831853f * (float)i / (float)count;
    const float x = 6 + 5 * cosf(angle), z = 6 + 5 * sinf(angle);
    const lw_vec3 corners[] = {{6, 0, 6}, {x, 0, z}, {x, 2, z}, {6, 2, 6}};
    add_triangles(geometry, corners, 4, indices, 2);
  }
  return bake(geometry);
}

/* Upright quads through one point, which is the middle of each. */
static uint64_t walls_through_a_point(int count) {
  static const int indices[] = {0, 1, 2, 0, 2, 3};
  lw_geometry *geometry = scene_floor(growth_areas, 24, 12);
  for (int i = 0; i < count; i++) {
    const float angle = 3.14159265f * (float)i / (float)count, x = 5 * cosf(angle), z = 5 * sinf(angle);
    const lw_vec3 corners[] = {{6 - x, 0, 6 - z}, {6 + x, 0, 6 + z}, {6 + x, 2, 6 + z}, {6 - x, 2, 6 - z}};
    add_triangles(geometry, corners, 4, indices, 2);
  }
  return bake(geometry);
}

/* Triangles in one plane, from one upright edge to corners of a curve, so that none covers another. */
static uint64_t triangles_at_an_edge(int count) {
  static const int indices[] = {0, 1, 2};
  lw_geometry *geometry = scene_floor(growth_areas, 12, 12);
  for (int i = 0; i < count; i++) {
    const float part = (float)(i + 1) / (float)count;
    const lw_vec3 corners[] = {{1, 0, 6}, {1, 3, 6}, {1 + 10 * part, 3 - 3 * part * part, 6}};
    add_triangles(geometry, corners, 3, indices, 1);
  }
  return bake(geometry);
}

/* A level that grows: boxes on a floor. */
static uint64_t level(int count) {
  const int side = 8;
  lw_geometry *geometry = scene_floor(growth_areas, (float)(3 * side), (float)(3 * (count / side + 1)));
  for (int i = 0; i < count; i++) {
    const lw_vec3 at = {3 * (float)(i % side) + 1.5f, 0, 3 * (float)(i / side) + 1.5f};
    const lw_geometry_box box = {.at = at, .size = {0.5f, 2, 0.5f}, .area = LW_AREA_NONE};
    growth_need(lw_geometry_add_box(geometry, &box, NULL));
  }
  return bake(geometry);
}

static uint64_t marks(int count) {
  const int side = 8;
  lw_geometry *geometry = scene_floor(growth_areas, (float)(3 * side), (float)(3 * (count / side + 1)));
  for (int i = 0; i < count; i++) {
    lw_mark_def mark = lw_mark_def_default(LW_MARK_BOX);
    mark.area = SCENE_ROAD;
    mark.at = (lw_vec3){3 * (float)(i % side) + 1.5f, -1, 3 * (float)(i / side) + 1.5f};
    mark.size = (lw_vec3){1.5f, 2, 1.5f};
    growth_need(lw_geometry_mark_area(geometry, &mark, NULL));
  }
  return bake(geometry);
}

static uint64_t marks_of_one_place(int count) {
  lw_geometry *geometry = scene_floor(growth_areas, 12, 12);
  for (int i = 0; i < count; i++) {
    lw_mark_def mark = lw_mark_def_default(LW_MARK_BOX);
    mark.area = SCENE_ROAD;
    mark.at = (lw_vec3){6, -1, 6};
    mark.size = (lw_vec3){4, 2, 4};
    growth_need(lw_geometry_mark_area(geometry, &mark, NULL));
  }
  return bake(geometry);
}

static uint64_t points_of_a_road(int count) {
  lw_geometry *geometry = scene_floor(growth_areas, 24, 24);
  lw_vec3 *points = malloc((size_t)count * sizeof *points);
  for (int i = 0; i < count; i++) {
    const float angle = 6.2f * (float)i / (float)count;
    points[i] = (lw_vec3){12 + 8 * cosf(angle), 0, 12 + 8 * sinf(angle)};
  }
  lw_mark_def mark = lw_mark_def_default(LW_MARK_PATH);
  mark.area = SCENE_ROAD;
  mark.points = points;
  mark.point_count = count;
  mark.width = 2;
  const uint64_t before = growth_count();
  growth_need(lw_geometry_mark_area(geometry, &mark, NULL));
  const uint64_t added = growth_count() - before;
  free(points);
  return added + bake(geometry);
}

static uint64_t corners_of_a_water(int count) {
  lw_geometry *geometry = scene_floor(growth_areas, 12, 12);
  lw_vec3 *points = malloc((size_t)count * sizeof *points);
  for (int i = 0; i < count; i++) {
    const float angle = 6.2831853f * (float)i / (float)count;
    points[i] = (lw_vec3){6 + 4 * cosf(angle), 0, 6 + 4 * sinf(angle)};
  }
  lw_water_def water = lw_water_def_default();
  water.points = points;
  water.point_count = count;
  water.level = 1;
  water.shallow = water.deep = SCENE_ROAD;
  const uint64_t before = growth_count();
  growth_need(lw_geometry_add_water(geometry, &water, NULL));
  const uint64_t added = growth_count() - before;
  free(points);
  return added + bake(geometry);
}

static uint64_t waters(int count) {
  const int side = 8;
  lw_geometry *geometry = scene_floor(growth_areas, (float)(3 * side), (float)(3 * (count / side + 1)));
  for (int i = 0; i < count; i++) {
    const float x = 3 * (float)(i % side), z = 3 * (float)(i / side);
    const lw_vec3 points[] = {{x, 0, z}, {x + 1.5f, 0, z}, {x + 1.5f, 0, z + 1.5f}, {x, 0, z + 1.5f}};
    lw_water_def water = lw_water_def_default();
    water.points = points;
    water.point_count = 4;
    water.level = 0.4f;
    water.shallow = water.deep = SCENE_ROAD;
    growth_need(lw_geometry_add_water(geometry, &water, NULL));
  }
  return bake(geometry);
}

static uint64_t links_in_a_bake(int count) {
  const int side = 8;
  lw_geometry *geometry = scene_floor(growth_areas, (float)(3 * side), (float)(3 * (count / side + 1)));
  for (int i = 0; i < count; i++) {
    lw_link_def link = lw_link_def_default();
    link.from = (lw_vec3){3 * (float)(i % side) + 1, 0, 3 * (float)(i / side) + 1};
    link.to = (lw_vec3){3 * (float)(i % side) + 2, 0, 3 * (float)(i / side) + 1};
    link.radius = 0.5f;
    growth_need(lw_geometry_add_link(geometry, &link, NULL));
  }
  return bake(geometry);
}

/* Blocks with a drop on each side, and jumps from one to the next. */
static uint64_t links_found(int count) {
  const int side = 8;
  lw_geometry *geometry = scene_floor(growth_areas, (float)(6 * side), (float)(6 * (count / side + 1)));
  for (int i = 0; i < count; i++) {
    const lw_vec3 at = {6 * (float)(i % side) + 3, 0, 6 * (float)(i / side) + 3};
    const lw_geometry_box box = {.at = at, .size = {4.5f, 2, 4.5f}, .area = SCENE_GROUND};
    growth_need(lw_geometry_add_box(geometry, &box, NULL));
  }
  return bake_with(geometry, 3, 2);
}

/* Thin walls all through the place that a jump leads over. */
static uint64_t triangles_under_a_jump(int count) {
  lw_geometry *geometry = scene_floor(growth_areas, 12, 12);
  scene_add_floor(geometry, (lw_vec3){14, 0, 0}, 12, 12, SCENE_GROUND);
  for (int i = 0; i < count; i++) {
    const lw_geometry_box box = {.at = {13, -2, 12 * (float)i / (float)count}, .size = {1, 1, 0.001f}};
    growth_need(lw_geometry_add_box(geometry, &box, NULL));
  }
  return bake_with(geometry, 3, 2);
}

static uint64_t gset_lines(int count) {
  char file[] = "/tmp/leeward_growth_XXXXXX";
  temp_file_make(file);
  FILE *to = fopen(file, "w");
  assert_non_null(to);
  for (int i = 0; i < count; i++) fprintf(to, "c %d 0 1 %d 0 2 0.5 1 0 0\n", i, i);
  fclose(to);
  lw_geometry *geometry = scene_floor(growth_areas, 12, 12);
  const uint64_t before = growth_count();
  growth_need(lw_geometry_load_gset(geometry, file, NULL, NULL));
  const uint64_t after = growth_count();
  remove(file);
  lw_geometry_destroy(geometry);
  return after - before;
}

static const growth_subject subjects[] = {
    {"equal quads in a bake", equal_quads, 500},
    {"walls about an edge", walls_about_an_edge, 250},
    {"walls through a point", walls_through_a_point, 1000},
    {"triangles at an edge", triangles_at_an_edge, 125},
    {"boxes of a level", level, 64},
    {"marks of a level", marks, 64},
    {"marks of one place", marks_of_one_place, 100},
    {"points of a road", points_of_a_road, 100},
    {"corners of a water", corners_of_a_water, 100},
    {"waters of a level", waters, 64},
    {"links in a bake", links_in_a_bake, 64},
    {"links that a bake finds", links_found, 32},
    {"triangles under a jump", triangles_under_a_jump, 500},
    {"lines of a geometry set", gset_lines, 500},
};

static void work_grows_by_less_than_the_power_of_1_3(void **state) {
  (void)state;
  growth_check(subjects, (int)(sizeof subjects / sizeof *subjects));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(work_grows_by_less_than_the_power_of_1_3)};
  return cmocka_run_group_tests(tests, growth_open, growth_close);
}
