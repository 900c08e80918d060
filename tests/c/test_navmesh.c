/* The navmesh: polygons from elsewhere, portals, ids, queries, files. */
#include "allocator.h"
#include "core/random.h"
#include "core/status.h"
#include "grid_mesh.h"
#include "mesh/mesh.h"
#include "temp_file.h"

#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static lw_area_table *areas;

static int make_areas(void **state) {
  (void)state;
  static const char *const names[] = {"ground", "road", "water"};
  areas = support_areas(names, COUNT(names));
  return 0;
}

static int drop_areas(void **state) {
  (void)state;
  lw_area_table_destroy(areas);
  return 0;
}

/* Three floors in a row, 2 x 2 m each, and a gallery 3 m above the first, of its own:

     +---+---+---+
     | 0 | 1 | 2 |   polygon 2 is one metre wider in z, so that its edge meets polygon 1's only in part
     +---+---+   |
             +---+                                                                                       */
static const lw_vec3 row_vertices[] = {
    {0, 0, 0}, {2, 0, 0}, {4, 0, 0}, {0, 0, 2}, {2, 0, 2}, {4, 0, 2}, {4, 0, 0},
    {6, 0, 0}, {6, 0, 3}, {4, 0, 3}, {0, 3, 0}, {2, 3, 0}, {2, 3, 2}, {0, 3, 2},
};
static const int row_corners[] = {0, 3, 4, 1, /**/ 1, 4, 5, 2, /**/ 6, 7, 8, 9, /**/ 10, 11, 12, 13};
static const int row_counts[] = {4, 4, 4, 4};

static lw_navmesh_def row_def(void) {
  lw_navmesh_def def = lw_navmesh_def_default();
  def.areas = areas;
  def.vertices = row_vertices;
  def.vertex_count = COUNT(row_vertices);
  def.corners = row_corners;
  def.corner_counts = row_counts;
  def.polygon_count = COUNT(row_counts);
  return def;
}

static lw_navmesh *make(const lw_navmesh_def *def) {
  lw_navmesh *mesh;
  lw_error error = {0};
  if (lw_navmesh_create(def, &mesh, &error) != LW_OK) fail_msg("%s", error.text);
  if (lw_navmesh_validate(mesh, &error) != LW_OK) fail_msg("%s", error.text);
  return mesh;
}

static lw_navmesh *make_row(void) {
  lw_navmesh_def def = row_def();
  return make(&def);
}

static void refuses(const lw_navmesh_def *def, const char *text) {
  lw_navmesh *mesh;
  lw_error error = {0};
  assert_int_equal(lw_navmesh_create(def, &mesh, &error), LW_INVALID);
  assert_null(mesh);
  assert_string_equal(error.text, text);
}

static lw_location at(const lw_navmesh *mesh, float x, float y, float z) {
  lw_location location;
  assert_int_equal(lw_navmesh_nearest(mesh, (lw_vec3){x, y, z}, (lw_vec3){2, 2, 2}, NULL, &location), LW_OK);
  return location;
}

static void whole_and_partial_edges_connect(void **state) {
  (void)state;
  lw_navmesh *mesh = make_row();
  lw_navmesh_stats stats = lw_navmesh_get_stats(mesh);
  assert_int_equal(stats.polygons, 4);
  assert_int_equal(stats.portals, 4); /* 0-1 and 1-2, both ways */
  assert_int_equal(stats.islands, 2);
  assert_true(fabsf(stats.area - 18) < 1e-5f);
  assert_int_equal(mesh->graph.islands[0], mesh->graph.islands[2]);
  assert_int_not_equal(mesh->graph.islands[0], mesh->graph.islands[3]);
  lw_navmesh_destroy(mesh);
}

static void a_partial_portal_covers_just_the_common_part(void **state) {
  (void)state;
  lw_navmesh *mesh = make_row();
  for (uint32_t k = mesh->graph.first_portal[2]; k < mesh->graph.first_portal[3]; k++) {
    lw_vec3 left, right;
    lwi_portal_points(mesh, 2, &mesh->graph.portals[k], &left, &right);
    assert_int_equal(mesh->graph.portals[k].to, 1);
    assert_true(fabsf(left.x - 4) < 1e-5f && fabsf(right.x - 4) < 1e-5f);
    /* Leaving westwards, south (greater z) is on the left. */
    assert_true(fabsf(left.z - 2) < 1e-5f && fabsf(right.z) < 1e-5f);
  }
  lw_navmesh_destroy(mesh);
}

static void either_winding_is_taken(void **state) {
  (void)state;
  static const int backwards[] = {1, 4, 3, 0, 2, 5, 4, 1, 9, 8, 7, 6, 13, 12, 11, 10};
  lw_navmesh_def def = row_def();
  def.corners = backwards;
  lw_navmesh *mesh = make(&def);
  assert_int_equal(lw_navmesh_get_stats(mesh).portals, 4);
  lw_navmesh_destroy(mesh);
}

static void bad_polygons_are_named(void **state) {
  (void)state;
  lw_navmesh_def def = row_def();
  static const int out_of_range[] = {0, 3, 4, 1, 1, 4, 99, 2, 6, 7, 8, 9, 10, 11, 12, 13};
  def.corners = out_of_range;
  refuses(&def, "polygon 2 of 4: corner 3 is vertex 100, expected 1 to 14");
  static const int greatest[] = {INT_MAX, 3, 4, 1, 1, 4, 5, 2, 6, 7, 8, 9, 10, 11, 12, 13};
  def.corners = greatest;
  refuses(&def, "polygon 1 of 4: corner 1 is vertex 2147483648, expected 1 to 14");
  static const int twice[] = {0, 3, 3, 1, 1, 4, 5, 2, 6, 7, 8, 9, 10, 11, 12, 13};
  def.corners = twice;
  refuses(&def, "polygon 1 of 4 is degenerate, expected a convex polygon: its corners 2 and 3 are one place "
                "seen from above");
  static const int line[] = {0, 1, 2};
  static const int three[] = {3};
  def.corners = line;
  def.corner_counts = three;
  def.polygon_count = 1;
  refuses(&def, "polygon 1 of 1 is degenerate, expected a convex polygon: it has no area seen from above");
  static const lw_vec3 arrow[] = {{0, 0, 0}, {4, 0, 2}, {0, 0, 4}, {1, 0, 2}};
  static const int arrow_corners[] = {0, 1, 2, 3}, four[] = {4};
  def.vertices = arrow;
  def.vertex_count = 4;
  def.corners = arrow_corners;
  def.corner_counts = four;
  lw_navmesh *mesh;
  lw_error error = {0};
  assert_int_equal(lw_navmesh_create(&def, &mesh, &error), LW_INVALID);
  assert_non_null(strstr(error.text, "polygon 1 of 1 is concave at its corner"));
  assert_non_null(strstr(error.text, "(1, 0, 2)"));
  static const int two[] = {2};
  def.corner_counts = two;
  refuses(&def, "polygon 1 of 1: its number of corners is 2, expected 3 to 255");
}

static void stars_are_refused(void **state) {
  (void)state;
  lw_vec3 points[5];
  static const int star[] = {0, 2, 4, 1, 3}, five[] = {5};
  for (int i = 0; i < 5; i++) {
    float angle = (float)i * 1.2566371f;
    points[i] = (lw_vec3){cosf(angle), 0, sinf(angle)};
  }
  lw_navmesh_def def = row_def();
  def.vertices = points;
  def.vertex_count = 5;
  def.corners = star;
  def.corner_counts = five;
  def.polygon_count = 1;
  refuses(&def, "polygon 1 of 1 is not simple, expected a convex polygon: its edges cross");
}

static void numbers_that_are_not_finite_are_refused(void **state) {
  (void)state;
  lw_vec3 vertices[COUNT(row_vertices)];
  memcpy(vertices, row_vertices, sizeof vertices);
  vertices[4].y = NAN;
  lw_navmesh_def def = row_def();
  def.vertices = vertices;
  refuses(&def, "vertex 5 of 14 is (2, nan, 2), expected finite numbers within +-1e+06 m");
  def = row_def();
  def.climb = -1;
  refuses(&def, "climb is -1, expected metres >= 0");
}

static void walks_from_or_to_nowhere_are_refused(void **state) {
  (void)state;
  lw_navmesh *mesh = make_row();
  const lw_vec3 to = {3, 0, 1}, nowhere = {NAN, 0, 1};
  const lw_location good = {.poly = lw_navmesh_next_poly(mesh, 0), .point = {1, 0, 1}};
  const lw_location lost = {.poly = good.poly, .point = {INFINITY, 0, 1}}, stale = {.point = {1, 0, 1}};
  lw_raycast ray;
  lw_location end;
  assert_int_equal(lw_navmesh_raycast(mesh, good, nowhere, NULL, &ray), LW_INVALID);
  assert_int_equal(lw_navmesh_raycast(mesh, lost, to, NULL, &ray), LW_INVALID);
  assert_int_equal(lw_navmesh_raycast(mesh, stale, to, NULL, &ray), LW_STALE);
  assert_int_equal(lw_navmesh_move(mesh, good, nowhere, NULL, &end), LW_INVALID);
  assert_int_equal(lw_navmesh_move(mesh, lost, to, NULL, &end), LW_INVALID);
  assert_int_equal(lw_navmesh_move(mesh, stale, to, NULL, &end), LW_STALE);
  lw_navmesh_destroy(mesh);
}

static void stale_and_foreign_ids_are_detected(void **state) {
  (void)state;
  lw_navmesh *mesh = make_row();
  lw_poly poly;
  lw_poly_id id = lw_navmesh_next_poly(mesh, 0);
  assert_int_equal(lw_navmesh_get_poly(mesh, id, &poly), LW_OK);
  assert_int_equal(lw_navmesh_get_poly(mesh, 0, &poly), LW_STALE);
  assert_int_equal(lw_navmesh_get_poly(mesh, id + 4, &poly), LW_STALE);
  assert_int_equal(lw_navmesh_get_poly(mesh, id + (1ULL << 28), &poly), LW_STALE);
  mesh->tiles.generations[0] += 1; /* as if the tile had been replaced */
  assert_int_equal(lw_navmesh_get_poly(mesh, id, &poly), LW_STALE);
  int count = 0;
  for (id = lw_navmesh_next_poly(mesh, 0); id; id = lw_navmesh_next_poly(mesh, id)) count += 1;
  assert_int_equal(count, 4);
  lw_navmesh_destroy(mesh);
}

static void nearest_tells_floors_apart(void **state) {
  (void)state;
  lw_navmesh *mesh = make_row();
  assert_true(at(mesh, 1, 0.4f, 1).point.y == 0);
  assert_true(at(mesh, 1, 2.2f, 1).point.y == 3);
  lw_location location = at(mesh, 1, 0, -1);
  assert_true(location.point.x == 1 && location.point.z == 0);
  assert_int_equal(lw_navmesh_nearest(mesh, (lw_vec3){1, 0, -9}, (lw_vec3){2, 2, 2}, NULL, &location),
                   LW_NO_POINT);
  assert_int_equal(lw_navmesh_nearest(mesh, (lw_vec3){NAN, 0, 0}, (lw_vec3){2, 2, 2}, NULL, &location),
                   LW_INVALID);
  assert_true(lw_navmesh_contains(mesh, (lw_vec3){1, 0.1f, 1}, 0.2f, NULL));
  assert_false(lw_navmesh_contains(mesh, (lw_vec3){1, 1.5f, 1}, 0.2f, NULL));
  assert_false(lw_navmesh_contains(mesh, (lw_vec3){5, 0, 3.1f}, 0.2f, NULL));
  lw_navmesh_destroy(mesh);
}

/* The least distance in the box to a triangle on the ground, by points of the box. @return INFINITY: none is in it. */
static double scan_box(const lw_vec3 triangle[3], lw_vec3 point, lw_vec3 half, double step) {
  double best = INFINITY;
  for (double x = -(double)half.x; x <= (double)half.x; x += step)
    for (double z = -(double)half.z; z <= (double)half.z; z += step) {
      bool inside = true;
      for (int i = 0; i < 3; i++) {
        const lw_vec3 a = triangle[i], b = triangle[(i + 1) % 3];
        inside = inside &&
                 ((double)b.z - a.z) * (point.x + x - a.x) - ((double)b.x - a.x) * (point.z + z - a.z) >= 0;
      }
      if (inside) best = fmin(best, hypot(x, z));
    }
  return best;
}

static void the_nearest_place_is_found_wherever_ground_reaches_into_the_box(void **state) {
  (void)state;
  lw_random random = lwi_random_make(14, 3);
  int found = 0, outside = 0;
  for (int i = 0; i < 300; i++) {
    lw_vec3 triangle[3];
    for (int k = 0; k < 3; k++)
      triangle[k] = (lw_vec3){10 * lwi_random_unit(&random), 0, 10 * lwi_random_unit(&random)};
    static const int corners[] = {0, 1, 2}, count = 3;
    if (((triangle[1].z - triangle[0].z) * (triangle[2].x - triangle[0].x) -
         (triangle[1].x - triangle[0].x) * (triangle[2].z - triangle[0].z)) < 0)
      continue;
    lw_navmesh_def def = lw_navmesh_def_default();
    def.areas = areas;
    def.vertices = triangle;
    def.vertex_count = 3;
    def.corners = corners;
    def.corner_counts = &count;
    def.polygon_count = 1;
    lw_navmesh *mesh;
    if (lw_navmesh_create(&def, &mesh, NULL) != LW_OK) continue; /* it is too thin */
    const lw_vec3 point = {10 * lwi_random_unit(&random), 0, 10 * lwi_random_unit(&random)},
                  half = {0.5f + 2 * lwi_random_unit(&random), 1, 0.5f + 2 * lwi_random_unit(&random)};
    const double nearest = scan_box(triangle, point, half, 0.02);
    lw_location location;
    const lw_status status = lw_navmesh_nearest(mesh, point, half, NULL, &location);
    const double x = (double)(location.point.x - point.x), z = (double)(location.point.z - point.z);
    if (nearest < INFINITY) {
      assert_int_equal(status, LW_OK);
      assert_true(hypot(x, z) <= nearest + 1e-4);
    }
    if (status == LW_OK) {
      assert_true(fabs(x) <= (double)half.x + 1e-5 && fabs(z) <= (double)half.z + 1e-5);
      assert_true(lw_navmesh_contains(mesh, location.point, 0.1f, NULL));
    }
    found += status == LW_OK;
    outside += status == LW_NO_POINT;
    lw_navmesh_destroy(mesh);
  }
  assert_true(found > 50 && outside > 20);
}

static void rays_stop_at_the_border_and_at_what_may_not_be_entered(void **state) {
  (void)state;
  static const lw_area_id poly_areas[] = {1, 1, 3, 1};
  lw_navmesh_def def = row_def();
  def.poly_areas = poly_areas;
  lw_navmesh *mesh = make(&def);
  lw_raycast ray;
  assert_int_equal(lw_navmesh_raycast(mesh, at(mesh, 1, 0, 1), (lw_vec3){5, 0, 1}, NULL, &ray), LW_OK);
  assert_false(ray.hit);
  assert_int_equal(ray.crossed, 3);
  assert_true(ray.t == 1 && ray.at.point.x == 5);
  assert_int_equal(lw_navmesh_raycast(mesh, at(mesh, 1, 0, 1), (lw_vec3){9, 0, 1}, NULL, &ray), LW_OK);
  assert_true(ray.hit && fabsf(ray.at.point.x - 6) < 1e-5f && fabsf(ray.t - 0.625f) < 1e-5f);
  assert_true(ray.normal.x == -1 && ray.normal.z == 0);
  lw_filter dry = lw_filter_all();
  dry.areas[0] &= ~(1ULL << 3);
  assert_int_equal(lw_navmesh_raycast(mesh, at(mesh, 1, 0, 1), (lw_vec3){5, 0, 1}, &dry, &ray), LW_OK);
  assert_true(ray.hit && fabsf(ray.at.point.x - 4) < 1e-5f);
  /* Past the partial portal's end there is wall: z = 2..3 of x = 4. */
  assert_int_equal(lw_navmesh_raycast(mesh, at(mesh, 5, 0, 2.5f), (lw_vec3){3, 0, 2.5f}, NULL, &ray), LW_OK);
  assert_true(ray.hit && fabsf(ray.at.point.x - 4) < 1e-5f && ray.normal.x == 1);
  lw_navmesh_destroy(mesh);
}

static void rays_pass_a_corner_however_many_polygons_meet_there(void **state) {
  (void)state;
  enum { SLICES = 200 };
  lw_vec3 vertices[SLICES + 1] = {{0, 0, 0}};
  int corners[3 * SLICES], counts[SLICES];
  for (int i = 0; i < SLICES; i++) {
    const float angle = 6.2831853f * (float)i / SLICES;
    vertices[i + 1] = (lw_vec3){10 * cosf(angle), 0, 10 * sinf(angle)};
    corners[3 * i] = 0;
    corners[3 * i + 1] = i + 1;
    corners[3 * i + 2] = (i + 1) % SLICES + 1;
    counts[i] = 3;
  }
  lw_navmesh_def def = lw_navmesh_def_default();
  lw_navmesh *mesh;
  def.areas = areas;
  def.vertices = vertices;
  def.vertex_count = SLICES + 1;
  def.corners = corners;
  def.corner_counts = counts;
  def.polygon_count = SLICES;
  assert_int_equal(lw_navmesh_create(&def, &mesh, NULL), LW_OK);
  for (int i = 0; i < SLICES; i++) {
    const float angle = 6.2831853f * ((float)i + 0.5f) / SLICES;
    const lw_vec3 from = {5 * cosf(angle), 0, 5 * sinf(angle)}, to = {-from.x, 0, -from.z};
    lw_location start, end;
    lw_raycast ray;
    assert_int_equal(lw_navmesh_nearest(mesh, from, (lw_vec3){1, 1, 1}, NULL, &start), LW_OK);
    assert_int_equal(lw_navmesh_raycast(mesh, start, to, NULL, &ray), LW_OK);
    assert_false(ray.hit);
    assert_int_equal(lw_navmesh_move(mesh, start, to, NULL, &end), LW_OK);
    assert_true(lwi_distance_xz(end.point, to) < 0.01f);
  }
  lw_navmesh_destroy(mesh);
}

static void a_move_slides_along_walls_and_stops_in_corners(void **state) {
  (void)state;
  lw_navmesh *mesh = make_row();
  lw_location end;
  assert_int_equal(lw_navmesh_move(mesh, at(mesh, 1, 0, 1), (lw_vec3){3, 0, -1}, NULL, &end), LW_OK);
  assert_true(fabsf(end.point.x - 3) < 1e-4f && fabsf(end.point.z) < 1e-4f);
  assert_int_equal(lw_navmesh_move(mesh, at(mesh, 1, 0, 1), (lw_vec3){-5, 0, -7}, NULL, &end), LW_OK);
  assert_true(fabsf(end.point.x) < 1e-3f && fabsf(end.point.z) < 1e-3f);
  lw_navmesh_destroy(mesh);
}

static void assert_wall(const lw_navmesh *mesh, float x, float z, const lw_filter *filter, float distance,
                        float at_x, float at_z) {
  lw_wall wall;
  assert_int_equal(lw_navmesh_distance_to_wall(mesh, at(mesh, x, 0, z), 10, filter, &wall), LW_OK);
  assert_true(wall.found);
  if (fabsf(wall.distance - distance) > 1e-5f)
    fail_msg("%g m, expected %g", (double)wall.distance, (double)distance);
  assert_true(fabsf(wall.point.x - at_x) < 1e-5f && fabsf(wall.point.z - at_z) < 1e-5f);
}

static void the_nearest_wall_is_found_past_portals_and_partial_edges(void **state) {
  (void)state;
  static const lw_area_id poly_areas[] = {1, 1, 3, 1};
  lw_navmesh_def def = row_def();
  def.poly_areas = poly_areas;
  lw_navmesh *mesh = make(&def);
  assert_wall(mesh, 1.9f, 0.5f, NULL, 0.5f, 1.9f, 0);
  assert_wall(mesh, 3.8f, 1.3f, NULL, 0.7f, 3.8f, 2);
  assert_wall(mesh, 4.2f, 2.5f, NULL, 0.2f, 4, 2.5f); /* the part of x = 4 that polygon 1 does not reach */
  assert_wall(mesh, 4.2f, 1.2f, NULL, hypotf(0.2f, 0.8f), 4, 2);
  lw_filter dry = lw_filter_all();
  dry.areas[0] &= ~(1ULL << 3);
  assert_wall(mesh, 3.8f, 1, &dry, 0.2f, 4, 1); /* water is a wall where the filter forbids it */
  lw_wall wall;
  assert_int_equal(lw_navmesh_distance_to_wall(mesh, at(mesh, 1, 0, 1), 0.5f, NULL, &wall), LW_OK);
  assert_true(!wall.found && wall.distance == 0.5f);
  assert_int_equal(lw_navmesh_distance_to_wall(mesh, (lw_location){{1, 0, 1}, 77}, 1, NULL, &wall), LW_STALE);
  assert_int_equal(lw_navmesh_distance_to_wall(mesh, at(mesh, 1, 0, 1), NAN, NULL, &wall), LW_INVALID);
  lw_navmesh_destroy(mesh);
}

/* --- files ------------------------------------------------------------------------------------------------------ */

static char file_name[] = "/tmp/leeward_test_navmesh_XXXXXX";

static lw_status load(lw_error *error) {
  lw_navmesh *mesh;
  lw_status status = lw_navmesh_load(file_name, areas, NULL, &mesh, error);
  lw_navmesh_destroy(mesh);
  return status;
}

static file_bytes save_row(void) {
  lw_navmesh *mesh = make_row();
  temp_file_make(file_name);
  assert_int_equal(lw_navmesh_save(mesh, file_name, NULL), LW_OK);
  lw_navmesh_destroy(mesh);
  return file_read(file_name);
}

static int drop_file(void **state) {
  (void)state;
  remove(file_name);
  memcpy(file_name + sizeof file_name - 7, "XXXXXX", 6);
  return 0;
}

/* Of 1600 squares, about 1250 are nearer to the middle than the border is. */
static void what_does_not_fit_a_search_is_said(void **state) {
  (void)state;
  enum { WIDE = 40 };
  static char row[WIDE + 1];
  const char *grid[WIDE];
  memset(row, '.', WIDE);
  for (int i = 0; i < WIDE; i++) grid[i] = row;
  lw_navmesh *mesh = support_grid(areas, grid, WIDE, 1);
  lw_location middle;
  lw_wall wall;
  lw_poly_id found[600];
  int count = 0;
  assert_int_equal(lw_navmesh_nearest(mesh, (lw_vec3){20.5f, 0, 20.5f}, (lw_vec3){1, 1, 1}, NULL, &middle),
                   LW_OK);
  assert_int_equal(lw_navmesh_distance_to_wall(mesh, middle, 30, NULL, &wall), LW_LIMIT);
  support_memory memory = {0};
  const lw_allocator own = mesh->memory.allocator;
  mesh->memory.allocator = support_allocator(&memory);
  const lw_circle circle = {middle, 10};
  assert_int_equal(lw_navmesh_polygons_around(mesh, circle, NULL, found, COUNT(found), &count),
                   LW_OUT_OF_MEMORY);
  assert_int_equal(count, 0);
  memory.left = -1;
  assert_int_equal(lw_navmesh_polygons_around(mesh, circle, NULL, found, COUNT(found), &count), LW_OK);
  assert_true(count > 300);
  mesh->memory.allocator = own;
  lw_navmesh_destroy(mesh);
}

static void a_saved_mesh_comes_back_and_saves_to_the_same_bytes(void **state) {
  (void)state;
  file_bytes row = save_row();
  lw_navmesh *mesh;
  assert_int_equal(lw_navmesh_load(file_name, areas, NULL, &mesh, NULL), LW_OK);
  assert_int_equal(lw_navmesh_validate(mesh, NULL), LW_OK);
  assert_int_equal(lw_navmesh_get_stats(mesh).portals, 4);
  assert_int_equal(lw_navmesh_save(mesh, file_name, NULL), LW_OK);
  assert_same_bytes(row, file_read(file_name));
  lw_navmesh_destroy(mesh);
}

static void every_flipped_bit_is_refused_with_a_reason(void **state) {
  (void)state;
  file_bytes row = save_row();
  for (size_t bit = 0; bit < row.size * 8; bit++) {
    row.data[bit / 8] ^= (unsigned char)(1u << bit % 8);
    file_write(file_name, row.data, row.size);
    lw_error error = {0};
    lw_status status = load(&error);
    if (status != LW_BAD_FILE) fail_msg("bit %zu: status %s", bit, lw_status_name(status));
    assert_true(strlen(error.text) > 0);
    row.data[bit / 8] ^= (unsigned char)(1u << bit % 8);
  }
  file_write(file_name, row.data, row.size);
  assert_int_equal(load(NULL), LW_OK);
  free(row.data);
}

static void every_truncation_is_refused_with_a_reason(void **state) {
  (void)state;
  file_bytes row = save_row();
  lw_error error;
  for (size_t cut = 0; cut < row.size; cut++) {
    file_write(file_name, row.data, cut);
    assert_int_equal(load(&error), LW_BAD_FILE);
    if (cut > 64) assert_non_null(strstr(error.text, "is cut short"));
  }
  free(row.data);
}

static void foreign_and_missing_files_are_refused(void **state) {
  (void)state;
  free(save_row().data);
  lw_error error;
  file_write(file_name, "solid cube\n facet normal 0 0 0 and much more text that is no navmesh at all\n", 76);
  assert_int_equal(load(&error), LW_BAD_FILE);
  assert_non_null(strstr(error.text, "is not a leeward navmesh"));
  remove(file_name);
  assert_int_equal(load(&error), LW_FILE);
  assert_non_null(strstr(error.text, "No such file"));
  lw_navmesh *mesh = make_row();
  assert_int_equal(lw_navmesh_save(mesh, "/nonexistent/folder/x.lwn", &error), LW_FILE);
  assert_string_equal(error.text, "cannot write '/nonexistent/folder/x.lwn': its folder does not exist");
  lw_navmesh_destroy(mesh);
}

static void an_unknown_area_is_named(void **state) {
  (void)state;
  free(save_row().data);
  lw_area_table *other;
  lw_navmesh *mesh;
  lw_error error;
  assert_int_equal(lw_area_table_create(NULL, &other), LW_OK);
  assert_int_equal(lw_navmesh_load(file_name, other, NULL, &mesh, &error), LW_NOT_FOUND);
  assert_non_null(strstr(error.text, "uses the area 'ground', which is not defined"));
  lw_area_table_destroy(other);
}

/* --- memory ----------------------------------------------------------------------------------------------------- */

static void every_failed_allocation_is_reported_and_leaks_nothing(void **state) {
  (void)state;
  free(save_row().data);
  for (int failing = 0; failing < 200; failing++) {
    support_memory memory = {.left = failing};
    lw_allocator allocator = support_allocator(&memory);
    lw_navmesh_def def = row_def();
    def.allocator = &allocator;
    lw_navmesh *mesh;
    lw_status created = lw_navmesh_create(&def, &mesh, NULL);
    assert_true(created == LW_OK || created == LW_OUT_OF_MEMORY);
    lw_navmesh_destroy(mesh);
    memory.left = failing;
    lw_status loaded = lw_navmesh_load(file_name, areas, &allocator, &mesh, NULL);
    assert_true(loaded == LW_OK || loaded == LW_OUT_OF_MEMORY);
    lw_navmesh_destroy(mesh);
    assert_int_equal(memory.bytes, 0);
    if (created == LW_OK && loaded == LW_OK) return;
  }
  fail_msg("it never succeeded");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(whole_and_partial_edges_connect),
      cmocka_unit_test(a_partial_portal_covers_just_the_common_part),
      cmocka_unit_test(either_winding_is_taken),
      cmocka_unit_test(bad_polygons_are_named),
      cmocka_unit_test(stars_are_refused),
      cmocka_unit_test(numbers_that_are_not_finite_are_refused),
      cmocka_unit_test(walks_from_or_to_nowhere_are_refused),
      cmocka_unit_test(stale_and_foreign_ids_are_detected),
      cmocka_unit_test(nearest_tells_floors_apart),
      cmocka_unit_test(the_nearest_place_is_found_wherever_ground_reaches_into_the_box),
      cmocka_unit_test(rays_stop_at_the_border_and_at_what_may_not_be_entered),
      cmocka_unit_test(rays_pass_a_corner_however_many_polygons_meet_there),
      cmocka_unit_test(a_move_slides_along_walls_and_stops_in_corners),
      cmocka_unit_test(the_nearest_wall_is_found_past_portals_and_partial_edges),
      cmocka_unit_test(what_does_not_fit_a_search_is_said),
      cmocka_unit_test_teardown(a_saved_mesh_comes_back_and_saves_to_the_same_bytes, drop_file),
      cmocka_unit_test_teardown(every_flipped_bit_is_refused_with_a_reason, drop_file),
      cmocka_unit_test_teardown(every_truncation_is_refused_with_a_reason, drop_file),
      cmocka_unit_test_teardown(foreign_and_missing_files_are_refused, drop_file),
      cmocka_unit_test_teardown(an_unknown_area_is_named, drop_file),
      cmocka_unit_test_teardown(every_failed_allocation_is_reported_and_leaks_nothing, drop_file),
  };
  return cmocka_run_group_tests_name("navmesh", tests, make_areas, drop_areas);
}
