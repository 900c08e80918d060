/* Agents larger than the mesh was baked for: where they fit through, and how far they keep from walls. */
#include "allocator.h"
#include "grid_mesh.h"
#include "leeward/leeward.h"
#include "radius_scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static void a_gap_lets_agents_pass_that_fit(void **state) {
  (void)state;
  static const char *const rows[] = {"...#...", "...#...", ".......", "...#...", "...#..."};
  const double keeps[] = {0.3, 0.49, 0.499, 0.5, 0.502, 0.6, 1};
  for (int i = 0; i < COUNT(keeps); i++) {
    radius_scene s;
    lw_path *path;
    radius_scene_make(&s, support_grid(radius_table, rows, COUNT(rows), 1), keeps[i]);
    lw_status status = radius_path(&s, 1.5f, 2.5f, 5.5f, 2.5f, &path);
    assert_int_equal(status, keeps[i] <= 0.5 ? LW_OK : LW_NO_PATH);
    assert_int_equal(radius_connected(&s, 1.5f, 2.5f, 5.5f, 2.5f), keeps[i] <= 0.5);
    lw_path_destroy(path);
    radius_scene_drop(&s);
  }
}

static void agents_no_larger_than_the_mesh_was_baked_for_walk_along_walls(void **state) {
  (void)state;
  static const char *const rows[] = {"...", ".#.", ".#."};
  radius_scene s;
  lw_path *path;
  radius_scene_make(&s, support_grid(radius_table, rows, COUNT(rows), 1), 0);
  assert_int_equal(radius_path(&s, 0.5f, 2.5f, 2.5f, 2.5f, &path), LW_OK);
  assert_float_equal(lw_path_length(path), 2 * hypotf(0.5f, 1.5f) + 1, 1e-3f);
  lw_path_destroy(path);
  radius_scene_drop(&s);
}

static void corners_are_rounded_at_the_clearance(void **state) {
  (void)state;
  static const char *const rows[] = {"......", "......", "......", "...###", "...###", "...###"};
  radius_scene s;
  lw_path *path;
  radius_scene_make(&s, support_grid(radius_table, rows, COUNT(rows), 1), 1);
  assert_int_equal(radius_path(&s, 1.5f, 5, 5, 1.5f, &path), LW_OK);
  /* From both, 2.5 m from the corner (3, 3), a tangent to the circle of 1 m about it, and an arc between
     them. */
  float span =
      2 * atan2f(2, 1.5f) + 3.14159265f / 2; /* from one to the other about the corner, outside the wall */
  float tangent = sqrtf(2.5f * 2.5f - 1), arc = span - 2 * acosf(1 / 2.5f);
  assert_true(radius_sweep(&s.walls, path) > 1 - RADIUS_ALLOWED);
  assert_float_equal(lw_path_length(path), 2 * tangent + arc, 0.02f);
  lw_path_destroy(path);
  radius_scene_drop(&s);
}

static void what_may_not_be_entered_is_a_wall(void **state) {
  (void)state;
  static const char *const rows[] = {"1111111", "1111111", "1112111", "1112111"};
  radius_scene s;
  lw_path *path;
  radius_scene_make(&s, support_grid(radius_table, rows, COUNT(rows), 1), 0.6);
  assert_int_equal(radius_path(&s, 1, 3, 6, 3, &path), LW_OK);
  assert_true(radius_sweep(&s.walls, path) > 0.6 - RADIUS_ALLOWED);
  lw_path_destroy(path);
  radius_scene_drop(&s);
}

static void start_and_goal_beside_walls_are_moved_to_clear_places(void **state) {
  (void)state;
  static const char *const rows[] = {".....", ".....", ".....", "....."};
  radius_scene s;
  lw_path *path;
  radius_scene_make(&s, support_grid(radius_table, rows, COUNT(rows), 1), 0.8);
  assert_int_equal(radius_path(&s, 0.1f, 2, 4.95f, 3.95f, &path), LW_OK);
  int count;
  const lw_vec3 *points = lw_path_points(path, &count);
  assert_float_equal(points[0].x, 0.8f, 2e-3f);
  assert_float_equal(points[0].z, 2, 2e-3f);
  assert_float_equal(points[count - 1].x, 4.2f, 2e-3f);
  assert_float_equal(points[count - 1].z, 3.2f, 2e-3f);
  lw_path_destroy(path);
  /* In a floor of 4 m there is no place 2.1 m from every wall. */
  radius_scene_drop(&s);
  radius_scene_make(&s, support_grid(radius_table, rows, COUNT(rows), 1), 2.1);
  assert_int_equal(radius_path(&s, 1, 2, 4, 2, &path), LW_NO_START);
  radius_scene_drop(&s);
}

static void random_points_keep_the_clearance(void **state) {
  (void)state;
  static const char *const rows[] = {"......#..", "......#..", "......#..", "...#.....", "......#.."};
  radius_scene s;
  radius_scene_make(&s, support_grid(radius_table, rows, COUNT(rows), 1), 0.7);
  lw_random_point_query query = lw_random_point_query_default();
  query.random = lw_world_random_stream(s.world);
  query.profile = s.profile;
  query.around = (lw_vec3){1.5f, 0, 2};
  query.radius = 20;
  for (int i = 0; i < 400; i++) {
    lw_location place;
    query.anywhere = i % 2 == 1;
    assert_int_equal(lw_random_point_find(s.world, NULL, &query, &place), LW_OK);
    assert_true(radius_distance(&s.walls, (double)place.point.x, (double)place.point.z) > 0.7 - 0.005);
    if (!query.anywhere) assert_true(place.point.x < 6); /* the gap of 1 m is too narrow */
  }
  radius_scene_drop(&s);
}

/* A strip 1.5 m wide that two squares adjoin, with 2 m of wall between them: an agent that must keep 0.8 m
   cannot get past it, so the strip is two regions. */
static lw_navmesh *pinched_strip(void) {
  static const lw_vec3 vertices[] = {{0, 0, 0}, {10, 0, 0}, {10, 0, 1.5f}, {0, 0, 1.5f}, {4, 0, 1.5f},
                                     {4, 0, 6}, {0, 0, 6},  {6, 0, 1.5f},  {10, 0, 6},   {6, 0, 6}};
  static const int corners[] = {0, 1, 2, 3, 3, 4, 5, 6, 7, 2, 8, 9}, counts[] = {4, 4, 4};
  lw_navmesh_def def = lw_navmesh_def_default();
  def.areas = radius_table;
  def.vertices = vertices;
  def.vertex_count = COUNT(vertices);
  def.corners = corners;
  def.corner_counts = counts;
  def.polygon_count = COUNT(counts);
  lw_navmesh *mesh;
  lw_error error = {0};
  if (lw_navmesh_create(&def, &mesh, &error) != LW_OK) fail_msg("%s", error.text);
  return mesh;
}

static void a_polygon_may_be_several_regions(void **state) {
  (void)state;
  radius_scene s;
  lw_path *path;
  radius_scene_make(&s, pinched_strip(), 0.8);
  assert_false(radius_connected(&s, 2, 4, 8, 4));
  assert_int_equal(radius_path(&s, 2, 1, 8, 1, &path), LW_NO_PATH); /* both in the strip */
  assert_int_equal(radius_path(&s, 2, 4, 1, 1, &path), LW_OK);
  lw_path_destroy(path);
  assert_int_equal(radius_path(&s, 8, 4, 9, 1, &path), LW_OK);
  lw_path_destroy(path);
  lw_random_point_query query = lw_random_point_query_default();
  query.random = lw_world_random_stream(s.world);
  query.profile = s.profile;
  query.radius = 20;
  for (int side = 0; side < 2; side++) {
    int in_strip = 0;
    query.around = (lw_vec3){side == 0 ? 2 : 8, 0, 4};
    for (int i = 0; i < 200; i++) {
      lw_location place;
      assert_int_equal(lw_random_point_find(s.world, NULL, &query, &place), LW_OK);
      assert_int_equal(place.point.x > 5, side);
      in_strip += place.point.z < 1.5f;
    }
    assert_true(in_strip > 5);
  }
  radius_scene_drop(&s);
  radius_scene_make(&s, pinched_strip(), 0.7);
  assert_true(radius_connected(&s, 2, 4, 8, 4));
  assert_int_equal(radius_path(&s, 2, 4, 8, 4, &path), LW_OK);
  assert_true(radius_sweep(&s.walls, path) > 0.7 - RADIUS_ALLOWED);
  lw_path_destroy(path);
  radius_scene_drop(&s);
}

static void memory_may_run_out_at_any_time(void **state) {
  (void)state;
  static const char *const rows[] = {"........", "...##...", "........", "......#.", "...#...."};
  lw_navmesh *mesh = support_grid(radius_table, rows, COUNT(rows), 1);
  lw_profile_def def = lw_profile_def_default();
  lw_profile *profile;
  def.radius = (float)RADIUS_OF_MESH + 0.3f;
  assert_int_equal(lw_profile_create(&def, radius_table, &profile, NULL), LW_OK);
  bool done = false;
  int failures = 0;
  for (int calls = 0; !done; calls++) {
    support_memory memory = {.left = -1};
    lw_world_def world_def = lw_world_def_default();
    lw_world *world;
    world_def.navmesh = mesh;
    world_def.allocator = support_allocator(&memory);
    assert_int_equal(lw_world_create(&world_def, &world, NULL), LW_OK);
    lw_path_query query = lw_path_query_default();
    query.from = (lw_vec3){1, 0, 4};
    query.to = (lw_vec3){6, 0, 0.2f};
    query.profile = profile;
    memory.left = calls;
    lw_path *path;
    lw_status status = lw_path_find(world, NULL, &query, &path);
    assert_true(status == LW_OK || status == LW_OUT_OF_MEMORY);
    done = status == LW_OK;
    failures += !done;
    if (!done) { /* and afterwards it works */
      memory.left = -1;
      assert_int_equal(lw_path_find(world, NULL, &query, &path), LW_OK);
    }
    lw_path_destroy(path);
    lw_world_destroy(world);
    assert_int_equal(memory.bytes, 0);
  }
  assert_true(failures > 20);
  lw_profile_destroy(profile);
  lw_navmesh_destroy(mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_gap_lets_agents_pass_that_fit),
      cmocka_unit_test(agents_no_larger_than_the_mesh_was_baked_for_walk_along_walls),
      cmocka_unit_test(corners_are_rounded_at_the_clearance),
      cmocka_unit_test(what_may_not_be_entered_is_a_wall),
      cmocka_unit_test(start_and_goal_beside_walls_are_moved_to_clear_places),
      cmocka_unit_test(random_points_keep_the_clearance),
      cmocka_unit_test(a_polygon_may_be_several_regions),
      cmocka_unit_test(memory_may_run_out_at_any_time),
  };
  return cmocka_run_group_tests(tests, radius_open, radius_close);
}
