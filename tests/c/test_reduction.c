/* What keeps searches small: dead ends, and bounds by landmarks, against paths that are found. */
#include "grids.h"
#include "levels.h"
#include "core/random.h"
#include "mesh/landmarks.h"
#include "mesh/reduction.h"

#include "leeward/obstacle.h"
#include "leeward/path.h"
#include "leeward/query.h"
#include "leeward/world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#define PAIRS 400
/* Rounding of lengths. [m] */
#define SLACK 0.01f

static lw_area_table *areas;

static int open_areas(void **state) {
  (void)state;
  lw_error error;
  return level_areas(&areas, &error) != LW_OK;
}

static int close_areas(void **state) {
  (void)state;
  lw_area_table_destroy(areas);
  return 0;
}

static lw_navmesh *open_grid(const char *name) {
  lw_navmesh *mesh;
  lw_error error;
  lw_status status = grid_navmesh(name, areas, &mesh, &error);
  if (status == LW_NOT_FOUND) skip();
  assert_int_equal(status, LW_OK);
  return mesh;
}

/* A random place on the navmesh. */
static lw_location draw(const lw_world *world, lw_random *random) {
  lw_random_point_query query = lw_random_point_query_default();
  lw_location at;
  query.random = random;
  query.anywhere = true;
  assert_int_equal(lw_random_point_find(world, NULL, &query, &at), LW_OK);
  return at;
}

static float length_between(const lw_world *world, lw_vec3 from, lw_vec3 to) {
  lw_path_query query = lw_path_query_default();
  lw_path *path;
  query.from = from;
  query.to = to;
  assert_int_equal(lw_path_find(world, NULL, &query, &path), LW_OK);
  const float length = lw_path_length(path);
  lw_path_destroy(path);
  return length;
}

/* From the middles of all portals of a polygon. */
static void check_portals(const lw_world *world, const lw_navmesh *mesh, uint32_t polygon, lw_vec3 to,
                          const lwi_landmark_place *goal) {
  const lwi_landmarks *landmarks = lwi_landmarks_of(mesh);
  for (uint32_t k = mesh->graph.first_portal[polygon]; k < mesh->graph.end_portal[polygon]; k++) {
    lw_vec3 left, right;
    lwi_portal_points(mesh, polygon, &mesh->graph.portals[k], &left, &right);
    const float bound = lwi_landmark_bound(landmarks, landmarks->rows[k], goal);
    assert_true(bound <= length_between(world, lwi_lerp(left, right, 0.5f), to) + SLACK);
  }
}

/* @return The sum of bounds over the sum of lengths. */
static double check_bounds(const lw_navmesh *mesh) {
  lw_world_def def = lw_world_def_default();
  lw_random random = lwi_random_make(7, 0);
  lw_world *world;
  def.navmesh = mesh;
  assert_int_equal(lw_world_create(&def, &world, NULL), LW_OK);
  assert_int_equal(lwi_landmarks_of(mesh)->count, LWI_LANDMARKS);
  double bounds = 0, lengths = 0;
  for (int i = 0; i < PAIRS; i++) {
    const lw_location a = draw(world, &random), b = draw(world, &random);
    const uint32_t from = lwi_poly_index(mesh, a.poly), to = lwi_poly_index(mesh, b.poly);
    if (mesh->graph.islands[from] != mesh->graph.islands[to]) continue;
    const lwi_landmark_place start = lwi_landmark_place_of(mesh, from, a.point),
                             goal = lwi_landmark_place_of(mesh, to, b.point);
    const float bound = lwi_landmark_bound_between(lwi_landmarks_of(mesh), &start, &goal),
                length = length_between(world, a.point, b.point);
    assert_true(bound <= length + SLACK);
    check_portals(world, mesh, from, b.point, &goal);
    bounds += (double)bound;
    lengths += (double)length;
  }
  lw_world_destroy(world);
  return bounds / lengths;
}

static void landmarks_never_say_more_than_a_path_takes(void **state) {
  (void)state;
  lw_navmesh *mesh = open_grid("den520d");
  const double part = check_bounds(mesh);
  print_message("note: den520d: bounds by landmarks are %.3f of the length\n", part);
  assert_true(part > 0.9);
  lw_navmesh_destroy(mesh);
}

/* Distances are divided by it: 0 / 0 is no number. */
static void a_file_whose_landmarks_have_no_unit_is_refused(void **state) {
  (void)state;
  const lwi_landmarks none = {0}, good = {.count = LWI_LANDMARKS, .unit = 0.1F},
                      no_unit = {.count = LWI_LANDMARKS}, endless = {.count = LWI_LANDMARKS, .unit = INFINITY};
  assert_null(lwi_landmark_sections.check_head(&none));
  assert_null(lwi_landmark_sections.check_head(&good));
  assert_non_null(lwi_landmark_sections.check_head(&no_unit));
  assert_non_null(lwi_landmark_sections.check_head(&endless));
}

static void landmarks_hold_on_a_level_with_heights(void **state) {
  (void)state;
  lw_navmesh *mesh;
  lw_error error;
  if (level_navmesh("wz_highground", areas, &mesh, &error) != LW_OK) skip();
  check_bounds(mesh);
  lw_navmesh_destroy(mesh);
}

/* How much of the lengths of paths from the middles of the portals of pieces the bounds are. */
static void check_cut_portals(const lw_world *world, uint32_t polygon, lw_location goal, double *bounds,
                              double *lengths) {
  const lw_navmesh *mesh = lw_world_navmesh(world);
  const lwi_landmark_goal to = lwi_landmark_goal_of(mesh, lwi_poly_index(mesh, goal.poly), goal.point);
  for (uint32_t k = mesh->graph.first_portal[polygon]; k < mesh->graph.end_portal[polygon]; k++) {
    if (k < to.base_portals) continue;
    lw_vec3 left, right;
    lwi_portal_points(mesh, polygon, &mesh->graph.portals[k], &left, &right);
    const lw_vec3 middle = lwi_lerp(left, right, 0.5f);
    const float bound = lwi_landmark_left(&to, k, mesh->graph.portals[k].to, middle),
                length = length_between(world, middle, goal.point);
    assert_true(bound <= length + SLACK);
    *bounds += (double)bound;
    *lengths += (double)length;
  }
}

/* From all portals of the polygon that a piece was cut from, not from the nearest one less the way to it: that would be 0.942
   of the length. */
static void bounds_of_portals_that_were_cut_are_as_tight(void **state) {
  (void)state;
  lw_world_def def = lw_world_def_default();
  lw_random random = lwi_random_make(8, 0);
  lw_navmesh *mesh;
  lw_world *world;
  lw_error error;
  double bounds = 0, lengths = 0;
  if (level_navmesh("wz_highground", areas, &mesh, &error) != LW_OK) skip();
  def.navmesh = mesh;
  assert_int_equal(lw_world_create(&def, &world, NULL), LW_OK);
  for (int i = 0; i < 200; i++) {
    lw_obstacle_def box = lw_obstacle_def_default();
    lw_obstacle_id id;
    box.at = draw(world, &random).point;
    assert_int_equal(lw_obstacle_add(world, &box, &id, NULL), LW_OK);
  }
  assert_int_equal(lw_world_apply_changes(world), LW_OK);
  const lw_navmesh *live = lw_world_navmesh(world);
  for (int i = 0; i < PAIRS; i++) {
    const lw_location a = draw(world, &random), b = draw(world, &random);
    const uint32_t from = lwi_poly_index(live, a.poly), to = lwi_poly_index(live, b.poly);
    if (live->graph.islands[from] == live->graph.islands[to])
      check_cut_portals(world, from, b, &bounds, &lengths);
  }
  print_message("note: wz_highground: bounds at pieces are %.3f of the length\n", bounds / lengths);
  assert_true(bounds > 0.947 * lengths);
  lw_world_destroy(world);
  lw_navmesh_destroy(mesh);
}

/* Both directions of a portal have the same distances, those of different portals mostly not. */
static void a_portal_has_one_row_both_ways(void **state) {
  (void)state;
  lw_navmesh *mesh = open_grid("AR0011SR");
  const lwi_landmarks *landmarks = lwi_landmarks_of(mesh);
  assert_int_equal(2 * landmarks->row_count, mesh->graph.portal_count);
  lw_navmesh_destroy(mesh);
}

/* Portals that lead on from a polygon, which was entered from another one, not into dead ends. */
static uint32_t count_exits(const lw_navmesh *mesh, uint32_t from, uint32_t polygon, uint32_t *last) {
  uint32_t count = 0;
  for (uint32_t k = mesh->graph.first_portal[polygon]; k < mesh->graph.end_portal[polygon]; k++) {
    const uint32_t to = mesh->graph.portals[k].to;
    if (to == from || lwi_reduction_of(mesh)->parents[to] == polygon) continue;
    count += 1;
    *last = k;
  }
  return count;
}

static void an_only_exit_is_the_only_one(void **state) {
  (void)state;
  lw_navmesh *mesh = open_grid("AR0011SR");
  uint32_t known = 0;
  for (uint32_t i = 0; i < mesh->polygons.count; i++)
    for (uint32_t k = mesh->graph.first_portal[i]; k < mesh->graph.end_portal[i]; k++) {
      const uint32_t to = mesh->graph.portals[k].to,
                     only = lwi_reduction_of(mesh)->turns[k] >> LWI_ONLY_EXIT_SHIFT;
      uint32_t last = LWI_NONE;
      const uint32_t count = count_exits(mesh, i, to, &last);
      assert_int_equal(only > 0, count == 1 && last - mesh->graph.first_portal[to] < LWI_MAX_ONLY_EXIT);
      if (only > 0) assert_int_equal(mesh->graph.first_portal[to] + only - 1, last);
      known += only > 0;
    }
  assert_true(known > mesh->graph.portal_count / 8);
  lw_navmesh_destroy(mesh);
}

/* Flood from a polygon over all that is no dead end, seen from it. */
static uint32_t count_reached(const lw_navmesh *mesh, uint32_t from, bool *seen, uint32_t *stack,
                              uint32_t shut) {
  uint32_t count = 0, depth = 0;
  stack[depth++] = from;
  seen[from] = true;
  while (depth > 0) {
    const uint32_t at = stack[--depth];
    count += 1;
    for (uint32_t k = mesh->graph.first_portal[at]; k < mesh->graph.end_portal[at]; k++) {
      const uint32_t to = mesh->graph.portals[k].to;
      if (seen[to] || to == shut) continue;
      seen[to] = true;
      stack[depth++] = to;
    }
  }
  return count;
}

static void a_dead_end_is_left_through_its_parent_alone(void **state) {
  (void)state;
  lw_navmesh *mesh = open_grid("AR0011SR");
  const uint32_t count = mesh->polygons.count;
  const lwi_reduction *tables = lwi_reduction_of(mesh);
  bool *seen = test_calloc(count, sizeof *seen);
  uint32_t *stack = test_malloc(count * sizeof *stack);
  uint32_t dead = 0;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t parent = tables->parents[i];
    if (parent == LWI_NONE) continue;
    dead += 1;
    for (uint32_t k = 0; k < count; k++) seen[k] = false;
    count_reached(mesh, i, seen, stack, parent);
    /* Without the parent nothing is reached but what hangs on this polygon. */
    for (uint32_t k = 0; k < count; k++) {
      uint32_t at = k;
      while (seen[k] && at != i && at != LWI_NONE) at = tables->parents[at];
      if (seen[k]) assert_int_equal(at, i);
    }
  }
  print_message("note: AR0011SR: %u of %u polygons lie in dead ends\n", dead, count);
  assert_true(dead > count / 4 && dead < count);
  test_free(seen);
  test_free(stack);
  lw_navmesh_destroy(mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(landmarks_never_say_more_than_a_path_takes),
      cmocka_unit_test(landmarks_hold_on_a_level_with_heights),
      cmocka_unit_test(bounds_of_portals_that_were_cut_are_as_tight),
      cmocka_unit_test(a_file_whose_landmarks_have_no_unit_is_refused),
      cmocka_unit_test(a_portal_has_one_row_both_ways),
      cmocka_unit_test(an_only_exit_is_the_only_one),
      cmocka_unit_test(a_dead_end_is_left_through_its_parent_alone),
  };
  return cmocka_run_group_tests(tests, open_areas, close_areas);
}
