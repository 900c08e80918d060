/* What keeps searches small: dead ends, and bounds by landmarks, against paths that are found. */
#include "grids.h"
#include "levels.h"
#include "mesh/reduction.h"

#include "leeward/path.h"
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

static lw_vec3 middle_of(const lw_navmesh *mesh, uint32_t polygon) {
  const lwi_point2 at = lwi_polygon_middle(mesh, polygon);
  const float x = (float)at.x, z = (float)at.z;
  return lwi_vec3(x, lwi_polygon_height(mesh, polygon, x, z), z);
}

/* The longest that landmarks prove a path between the middles of two polygons to be. [m] */
static float bound_between(const lw_navmesh *mesh, uint32_t a, uint32_t b) {
  const lwi_reduction *tables = lwi_reduction_of(mesh);
  int max = 0;
  for (uint32_t i = 0; i < tables->landmark_count; i++) {
    const int apart = abs(tables->distances[a * tables->landmark_count + i] -
                          tables->distances[b * tables->landmark_count + i]);
    max = apart > max ? apart : max;
  }
  return (float)(max - 1) * tables->unit;
}

/* @return The sum of bounds over the sum of lengths. */
static double check_bounds(const lw_navmesh *mesh) {
  lw_world_def def = lw_world_def_default();
  def.navmesh = mesh;
  lw_world *world;
  assert_int_equal(lw_world_create(&def, &world, NULL), LW_OK);
  uint32_t seed = 7;
  double bounds = 0, lengths = 0;
  for (int i = 0; i < PAIRS; i++) {
    seed = seed * 1664525u + 1013904223u;
    const uint32_t a = (seed >> 8) % mesh->polygons.count;
    seed = seed * 1664525u + 1013904223u;
    const uint32_t b = (seed >> 8) % mesh->polygons.count;
    if (mesh->graph.islands[a] != mesh->graph.islands[b]) continue;
    lw_path_query query = lw_path_query_default();
    query.from = middle_of(mesh, a);
    query.to = middle_of(mesh, b);
    lw_path *path;
    assert_int_equal(lw_path_find(world, NULL, &query, &path), LW_OK);
    const float bound = bound_between(mesh, a, b);
    assert_true(bound <= lw_path_length(path) + SLACK);
    bounds += bound > 0 ? (double)bound : 0;
    lengths += (double)lw_path_length(path);
    lw_path_destroy(path);
  }
  lw_world_destroy(world);
  return bounds / lengths;
}

static void landmarks_never_say_more_than_a_path_takes(void **state) {
  (void)state;
  lw_navmesh *mesh = open_grid("den520d");
  const double part = check_bounds(mesh);
  print_message("note: den520d: bounds by landmarks are %.3f of the length\n", part);
  assert_true(part > 0.6);
  lw_navmesh_destroy(mesh);
}

static void landmarks_hold_on_a_level_with_heights(void **state) {
  (void)state;
  lw_navmesh *mesh;
  lw_error error;
  if (level_navmesh("wz_highground", areas, &mesh, &error) != LW_OK) skip();
  check_bounds(mesh);
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
      cmocka_unit_test(a_dead_end_is_left_through_its_parent_alone),
  };
  return cmocka_run_group_tests(tests, open_areas, close_areas);
}
