/* How open ground lies and how much of it is deep, as the bake finds it: beside an obvious ray caster and an
   obvious grid of soundings, and to the same bytes however it is baked. */
#include "bake_scene.h"
#include "core/vec3.h"
#include "grid_mesh.h"
#include "mesh/depths.h"
#include "temp_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lw_bake_settings settings_of_test(void) {
  lw_bake_settings settings = lw_bake_settings_default();
  settings.cell_size = 0.25f;
  settings.agent_radius = 0.25f;
  settings.tile_size = 16;
  return settings;
}

static void add_box(lw_geometry *geometry, lw_vec3 at, lw_vec3 size, lw_cover_kind cover) {
  lw_geometry_box box = {.at = at, .size = size, .cover = cover};
  assert_int_equal(lw_geometry_add_box(geometry, &box, NULL), LW_OK);
}

/* Walls round a rectangle from the origin. */
static void add_walls(lw_geometry *geometry, float width, float depth, float height, lw_cover_kind cover) {
  add_box(geometry, (lw_vec3){width / 2, 0, -0.5f}, (lw_vec3){width + 2, height, 1}, cover);
  add_box(geometry, (lw_vec3){width / 2, 0, depth + 0.5f}, (lw_vec3){width + 2, height, 1}, cover);
  add_box(geometry, (lw_vec3){-0.5f, 0, depth / 2}, (lw_vec3){1, height, depth}, cover);
  add_box(geometry, (lw_vec3){width + 0.5f, 0, depth / 2}, (lw_vec3){1, height, depth}, cover);
}

static float mean_of(const lw_geometry *geometry, const lw_bake_settings *settings) {
  lw_navmesh *mesh = scene_bake(geometry, settings, NULL);
  float mean = lw_navmesh_get_stats(mesh).openness;
  lw_navmesh_destroy(mesh);
  return mean;
}

/* --- an obvious ray caster ----------------------------------------------------------------------------------------- */

/* Where along the ray the triangle is hit, as a part of it; 1: nowhere (Möller and Trumbore 1997). */
static double hit(const lw_vec3 *a, const lw_vec3 *b, const lw_vec3 *c, const double from[3],
                  const double direction[3]) {
  double e1[3] = {(double)b->x - a->x, (double)b->y - a->y, (double)b->z - a->z};
  double e2[3] = {(double)c->x - a->x, (double)c->y - a->y, (double)c->z - a->z};
  double p[3] = {direction[1] * e2[2] - direction[2] * e2[1], direction[2] * e2[0] - direction[0] * e2[2],
                 direction[0] * e2[1] - direction[1] * e2[0]};
  double det = e1[0] * p[0] + e1[1] * p[1] + e1[2] * p[2];
  if (fabs(det) < 1e-12) return 1;
  double s[3] = {from[0] - a->x, from[1] - a->y, from[2] - a->z};
  double u = (s[0] * p[0] + s[1] * p[1] + s[2] * p[2]) / det;
  double q[3] = {s[1] * e1[2] - s[2] * e1[1], s[2] * e1[0] - s[0] * e1[2], s[0] * e1[1] - s[1] * e1[0]};
  double v = (direction[0] * q[0] + direction[1] * q[1] + direction[2] * q[2]) / det;
  double t = (e2[0] * q[0] + e2[1] * q[1] + e2[2] * q[2]) / det;
  return u >= 0 && v >= 0 && u + v <= 1 && t > 0 && t < 1 ? t : 1;
}

static double free_part(const lw_geometry *geometry, const double from[3], const double direction[3]) {
  const lw_vec3 *vertices = lw_geometry_vertices(geometry);
  const int *index = lw_geometry_indices(geometry);
  double nearest = 1;
  for (int i = 0; i < lw_geometry_triangle_count(geometry); i++, index += 3)
    if (lw_geometry_covers(geometry)[i] != LW_COVER_NONE)
      nearest =
          fmin(nearest, hit(&vertices[index[0]], &vertices[index[1]], &vertices[index[2]], from, direction));
  return nearest;
}

/* The mean over all round and up to 45 degrees. */
static double look_around(const lw_geometry *geometry, lw_vec3 at, double range) {
  enum { ROUND = 20, UP = 6 };
  double sum = 0;
  for (int i = 0; i < ROUND; i++)
    for (int k = 0; k < UP; k++) {
      double round = 2 * 3.14159265358979 * (i + 0.5 * (k % 2)) / ROUND,
             up = 3.14159265358979 / 4 * (k + 0.5) / UP;
      const double from[3] = {(double)at.x, (double)at.y, (double)at.z},
                   direction[3] = {range * cos(up) * cos(round), range * sin(up), range * cos(up) * sin(round)};
      sum += free_part(geometry, from, direction);
    }
  return sum / (ROUND * UP);
}

/* The mean over a lattice in the polygon's bounds, where that is inside. */
static double look_all_over(const lw_geometry *geometry, const lw_navmesh *mesh, uint32_t index, double range) {
  enum { SIDE = 7 };
  lwi_polygon polygon = lwi_polygon_get(mesh, index);
  lwi_frame frame = lwi_polygon_frame(&polygon);
  double sum = 0;
  int count = 0;
  for (int i = 0; i < SIDE * SIDE; i++) {
    lw_vec3 at = {frame.min_x + frame.size_x * ((float)(i % SIDE) + 0.5f) / SIDE, 0,
                  frame.min_z + frame.size_z * ((float)(i / SIDE) + 0.5f) / SIDE};
    if (!lwi_polygon_holds(&polygon, at, 0)) continue;
    at.y = lwi_polygon_height(mesh, index, at.x, at.z) + (count % 2 ? 0.9f : 0.5f) * mesh->agent.height;
    sum += look_around(geometry, at, range);
    count += 1;
  }
  return count > 0 ? sum / count : -1;
}

/* A hall with a roof over half of it, pillars, and a step. */
static lw_geometry *hall(void) {
  lw_geometry *geometry = scene_floor(scene_table, 30, 20);
  add_walls(geometry, 30, 20, 3, LW_COVER_HARD);
  add_box(geometry, (lw_vec3){7, 3, 10}, (lw_vec3){14, 0.3f, 20}, LW_COVER_HARD);
  for (int i = 0; i < 4; i++)
    add_box(geometry, (lw_vec3){5 + 6 * (float)i, 0, 10}, (lw_vec3){1, 2.5f, 3}, LW_COVER_HARD);
  add_box(geometry, (lw_vec3){22, 0, 4}, (lw_vec3){5, 1.2f, 0.5f}, LW_COVER_SOFT);
  return geometry;
}

static void add_edge(lw_geometry *geometry, lw_vec3 from, lw_vec3 to) {
  lw_link_def def = lw_link_def_default();
  def.kind = LW_LINK_WAYPOINT;
  def.from = from;
  def.to = to;
  def.bidirectional = true;
  assert_int_equal(lw_geometry_add_link(geometry, &def, NULL), LW_OK);
}

/* Through pillars, out from under the roof, along a wall. */
static const lw_vec3 edges[][2] = {
    {{2, 0, 10}, {9, 0, 10}}, {{3, 0, 3}, {27, 0, 17}}, {{20, 0, 19}, {29, 0, 19}}, {{16, 0, 6}, {27, 0, 3}}};
enum { EDGES = sizeof edges / sizeof *edges };

static lw_geometry *hall_with_edges(void) {
  lw_geometry *geometry = hall();
  for (int i = 0; i < EDGES; i++) add_edge(geometry, edges[i][0], edges[i][1]);
  return geometry;
}

/* The mean along the edge. */
static double look_along(const lw_geometry *geometry, const lw_navmesh *mesh, int edge, double range) {
  enum { POINTS = 40 };
  double sum = 0;
  for (int i = 0; i < POINTS; i++) {
    lw_vec3 at = lwi_lerp(edges[edge][0], edges[edge][1], ((float)i + 0.5f) / POINTS);
    at.y += (i % 2 ? 0.9f : 0.5f) * mesh->agent.height;
    sum += look_around(geometry, at, range);
  }
  return sum / POINTS;
}

static void a_waypoint_edge_is_as_open_as_the_line_that_it_leads_along(void **state) {
  (void)state;
  lw_geometry *geometry = hall_with_edges();
  lw_bake_settings settings = settings_of_test();
  lw_navmesh *mesh = scene_bake(geometry, &settings, NULL);
  assert_int_equal(mesh->links.count, 2 * EDGES);
  double worst = 0, from_ends = 0;
  for (uint32_t i = 0; i < mesh->links.count; i++) {
    const lwi_link *link = &mesh->links.items[i];
    int edge = 0;
    while (lwi_distance_xz(link->start, edges[edge][0]) > 0.5f &&
           lwi_distance_xz(link->end, edges[edge][0]) > 0.5f)
      edge += 1;
    const double expected = look_along(geometry, mesh, edge, (double)settings.openness_range),
                 ends = ((double)mesh->polygons.openness[link->from] + mesh->polygons.openness[link->to]) / 510;
    assert_int_equal(link->has_openness, 1);
    worst = fmax(worst, fabs(link->openness / 255.0 - expected));
    from_ends = fmax(from_ends, fabs(ends - expected));
  }
  printf("note: openness of waypoint edges is %.3f off at worst, that of their ends %.3f\n", worst, from_ends);
  assert_true(worst < 0.08 && from_ends > worst);
  lw_navmesh *again = navmesh_through_file(mesh, scene_table);
  assert_memory_equal(again->links.items, mesh->links.items, mesh->links.count * sizeof *mesh->links.items);
  settings.openness_range = 0;
  lw_navmesh *open = scene_bake(geometry, &settings, NULL), *bare = navmesh_through_file(open, scene_table);
  for (uint32_t i = 0; i < bare->links.count; i++) assert_int_equal(bare->links.items[i].has_openness, 0);
  lw_navmesh_destroy(bare);
  lw_navmesh_destroy(open);
  lw_navmesh_destroy(again);
  lw_navmesh_destroy(mesh);
  lw_geometry_destroy(geometry);
}

static void openness_agrees_with_a_plain_ray_caster(void **state) {
  (void)state;
  const float ranges[] = {30, 8};
  lw_geometry *geometry = hall();
  for (int r = 0; r < 2; r++) {
    lw_bake_settings settings = settings_of_test();
    settings.openness_range = ranges[r];
    lw_navmesh *mesh = scene_bake(geometry, &settings, NULL);
    double off = 0, worst = 0, bias = 0;
    int count = 0;
    for (uint32_t p = 0; p < mesh->polygons.count; p++) {
      double expected = look_all_over(geometry, mesh, p, (double)ranges[r]);
      if (expected < 0) continue; /* too narrow for the lattice */
      double error = fabs(mesh->polygons.openness[p] / 255.0 - expected);
      bias += mesh->polygons.openness[p] / 255.0 - expected;
      off += error;
      worst = fmax(worst, error);
      count += 1;
      assert_int_equal(mesh->polygons.openness[p] % 17, 0); /* 16 steps */
    }
    printf("note: range %g m: openness of %d polygons is %.3f (%+.3f) off in the mean, %.3f at worst\n",
           (double)ranges[r], count, off / count, bias / count, worst);
    assert_true(count > 15 && off / count < 0.035 && worst < 0.15 && fabs(bias / count) < 0.02);
    lw_navmesh_destroy(mesh);
  }
  lw_geometry_destroy(geometry);
}

static void a_corridor_is_hidden_a_field_open_a_yard_between(void **state) {
  (void)state;
  lw_bake_settings settings = settings_of_test();
  lw_geometry *field = scene_floor(scene_table, 40, 40), *yard = scene_floor(scene_table, 20, 20),
              *corridor = scene_floor(scene_table, 24, 2.5f);
  add_walls(yard, 20, 20, 3, LW_COVER_HARD);
  add_walls(corridor, 24, 2.5f, 2.8f, LW_COVER_HARD);
  add_box(corridor, (lw_vec3){12, 2.8f, 1.25f}, (lw_vec3){26, 0.2f, 4.5f}, LW_COVER_HARD);
  assert_float_equal(mean_of(field, &settings), 1, 1e-6);
  float between = mean_of(yard, &settings), hidden = mean_of(corridor, &settings);
  if (!(between > 0.6f && between < 0.9f)) fail_msg("a yard's openness is %g", (double)between);
  if (!(hidden < 0.15f)) fail_msg("a corridor's openness is %g", (double)hidden);
  lw_geometry_destroy(field);
  lw_geometry_destroy(yard);
  lw_geometry_destroy(corridor);
}

static void hedges_hide_and_fences_do_not(void **state) {
  (void)state;
  lw_bake_settings settings = settings_of_test();
  float means[LW_COVER_KIND_COUNT];
  for (int kind = 0; kind < LW_COVER_KIND_COUNT; kind++) {
    lw_geometry *yard = scene_floor(scene_table, 20, 20);
    add_walls(yard, 20, 20, 3, (lw_cover_kind)kind);
    means[kind] = mean_of(yard, &settings);
    lw_geometry_destroy(yard);
  }
  assert_float_equal(means[LW_COVER_NONE], 1, 1e-6);
  assert_true(means[LW_COVER_HARD] < 0.9f);
  assert_float_equal(means[LW_COVER_SOFT], means[LW_COVER_HARD], 0);
}

static void openness_can_be_left_out_and_needs_no_kept_occluders(void **state) {
  (void)state;
  lw_geometry *geometry = hall();
  lw_bake_settings settings = settings_of_test();
  lw_navmesh *kept = scene_bake(geometry, &settings, NULL);
  settings.occluders = false;
  lw_navmesh *bare = scene_bake(geometry, &settings, NULL);
  assert_int_equal(lw_navmesh_get_stats(bare).occluders, 0);
  assert_memory_equal(bare->polygons.openness, kept->polygons.openness, kept->polygons.count);
  settings.openness_range = 0;
  lw_navmesh *open = scene_bake(geometry, &settings, NULL);
  for (uint32_t p = 0; p < open->polygons.count; p++) assert_int_equal(open->polygons.openness[p], 255);
  lw_poly poly;
  lw_poly_id id = lw_navmesh_next_poly(kept, 0);
  assert_int_equal(lw_navmesh_get_poly(kept, id, &poly), LW_OK);
  assert_float_equal(poly.openness, kept->polygons.openness[0] / 255.0f, 1e-6);
  lw_navmesh_destroy(kept);
  lw_navmesh_destroy(bare);
  lw_navmesh_destroy(open);
  lw_geometry_destroy(geometry);
}

/* --- deep water ---------------------------------------------------------------------------------------------------- */

/* A bed that falls from 0 to -4 m over 40 m, under water up to 0. */
static lw_geometry *lake(const lw_area_table *areas) {
  lw_geometry *geometry = scene_geometry(areas);
  lw_geometry_ramp bed = {.from = {40, -4, 10}, .to = {0, 0, 10}, .width = 20, .area = SCENE_GROUND};
  assert_int_equal(lw_geometry_add_ramp(geometry, &bed, NULL), LW_OK);
  const lw_vec3 shore[] = {{-1, 0, -1}, {30, 0, -1}, {41, 0, 8}, {41, 0, 30}, {-1, 0, 30}};
  lw_water_def water = lw_water_def_default();
  water.points = shore;
  water.point_count = 5;
  water.level = 0;
  water.shallow = lw_area_table_find(areas, "shallow");
  water.deep = lw_area_table_find(areas, "deep");
  assert_int_equal(lw_geometry_add_water(geometry, &water, NULL), LW_OK);
  return geometry;
}

/* Least and most depth of the water by a lattice of soundings. @return How many there are. */
static int sound(const lw_navmesh *mesh, uint32_t index, double *least, double *most) {
  enum { SIDE = 40 };
  lwi_polygon polygon = lwi_polygon_get(mesh, index);
  lwi_frame frame = lwi_polygon_frame(&polygon);
  int count = 0;
  *least = INFINITY;
  *most = 0;
  for (int i = 0; i < SIDE * SIDE; i++) {
    lw_vec3 at = {frame.min_x + frame.size_x * ((float)(i % SIDE) + 0.5f) / SIDE, 0,
                  frame.min_z + frame.size_z * ((float)(i / SIDE) + 0.5f) / SIDE};
    float here = 0;
    if (!lwi_polygon_holds(&polygon, at, 0) || lw_navmesh_water_depth(mesh, at, &here) != LW_OK) continue;
    count += 1;
    *least = fmin(*least, (double)here);
    *most = fmax(*most, (double)here);
  }
  return count;
}

/* On a bed of one in ten, what is wadeable ends this far before the contour at most: a voxel's height, two cells for the
   border, and a cell of rounding. [m] */
#define LOST 2.2

static void depths_agree_with_soundings_and_ground_is_cut_along_them(void **state) {
  (void)state;
  static const char *const names[] = {"ground", "shallow", "deep"};
  lw_area_table *areas = support_areas(names, 3);
  lw_geometry *geometry = lake(areas);
  const float wades[] = {LW_WADE_DEPTH, 0.4f, 1.7f};
  for (int i = 0; i < 3; i++) {
    lw_bake_settings settings = settings_of_test();
    if (i == 2) settings.limits.depths = (lw_bake_list){{1.7f}, 1};
    lw_navmesh *mesh = scene_bake(geometry, &settings, NULL);
    double wadeable = 0, within = 0;
    for (uint32_t p = 0; p < mesh->polygons.count; p++) {
      double least, most;
      if (sound(mesh, p, &least, &most) < 20) continue;
      const lwi_depth found = lwi_depth_of(mesh, p);
      if (found.max < 255 && (most > found.max / 100.0 + 1e-4 || most < found.max / 100.0 - 0.15))
        fail_msg("polygon %u: %d cm, by soundings %g m", p, found.max, most);
      if (least < found.min / 100.0 - 1e-4)
        fail_msg("polygon %u: from %d cm, by soundings %g", p, found.min, least);
      const bool may = lwi_can_wade(wades[i], found.max);
      wadeable += may ? lwi_area_of(mesh, p) : 0;
      within += may ? 0 : fmax(0, (double)wades[i] - least) / fmax(1e-9, most - least) * lwi_area_of(mesh, p);
    }
    const double width = 20 - 2 * 0.4;
    assert_true(wadeable > 0);
    if (within > LOST * width * 1.5)
      fail_msg("%g m2 that are wadeable are not kept at %g m", within, (double)wades[i]);
    assert_true(wadeable >= (10 * (double)wades[i] - LOST) * width * 0.9);
    lw_navmesh_destroy(mesh);
  }
  lw_geometry_destroy(geometry);
  lw_area_table_destroy(areas);
}

/* --- the same however it is baked ------------------------------------------------------------------------------------ */

static void assert_same(const lw_navmesh *a, const lw_navmesh *b) {
  assert_int_equal(a->polygons.count, b->polygons.count);
  assert_memory_equal(a->polygons.openness, b->polygons.openness, a->polygons.count);
  assert_memory_equal(a->polygons.depths, b->polygons.depths, 2 * (size_t)a->polygons.count);
  assert_memory_equal(a->polygons.headrooms, b->polygons.headrooms, a->polygons.count);
  assert_int_equal(a->links.count, b->links.count);
  assert_true(a->links.count > 0);
  for (uint32_t i = 0; i < a->links.count; i++) {
    assert_int_equal(a->links.items[i].openness, b->links.items[i].openness);
    assert_int_equal(a->links.items[i].has_openness, 1);
  }
}

static void threads_and_parts_give_the_same_bytes(void **state) {
  (void)state;
  lw_geometry *geometry = hall_with_edges();
  lw_bake_settings settings = settings_of_test();
  settings.tile_size = 8;
  settings.threads = 1;
  lw_navmesh *whole = scene_bake(geometry, &settings, NULL);
  int seen[16] = {0}, steps = 0;
  for (uint32_t p = 0; p < whole->polygons.count; p++) seen[whole->polygons.openness[p] / 17] = 1;
  for (int i = 0; i < 16; i++) steps += seen[i];
  assert_true(steps > 4);
  settings.threads = 5;
  lw_navmesh *threaded = scene_bake(geometry, &settings, NULL);
  assert_same(threaded, whole);
  lw_navmesh *parts[16];
  int columns, rows, count = 0;
  assert_int_equal(lw_bake_count_tiles(geometry, &settings, &columns, &rows, NULL), LW_OK);
  settings.tiles.count = 5;
  for (; settings.tiles.first < columns * rows; settings.tiles.first += 5)
    assert_int_equal(lw_navmesh_bake(geometry, &settings, &parts[count++], NULL, NULL), LW_OK);
  assert_true(count > 1);
  lw_navmesh *merged;
  assert_int_equal(lw_navmesh_merge((const lw_navmesh *const *)parts, count, NULL, &merged, NULL), LW_OK);
  assert_same(merged, whole);
  for (int i = 0; i < count; i++) lw_navmesh_destroy(parts[i]);
  lw_navmesh_destroy(merged);
  lw_navmesh_destroy(threaded);
  lw_navmesh_destroy(whole);
  lw_geometry_destroy(geometry);
}

static void a_new_wall_changes_the_openness_of_tiles_that_are_kept(void **state) {
  (void)state;
  lw_bake_settings settings = settings_of_test();
  settings.tile_size = 8;
  lw_geometry *before = scene_floor(scene_table, 56, 24), *now = scene_floor(scene_table, 56, 24);
  add_box(now, (lw_vec3){52, 0, 12}, (lw_vec3){1, 20, 24}, LW_COVER_HARD);
  add_edge(before, (lw_vec3){5, 0, 5}, (lw_vec3){40, 0, 8});
  add_edge(now, (lw_vec3){5, 0, 5}, (lw_vec3){40, 0, 8});
  settings.bounds = (lw_box){{0, -1, 0}, {56, 30, 24}};
  lw_navmesh *old = scene_bake(before, &settings, NULL), *whole = scene_bake(now, &settings, NULL), *rebuilt;
  lw_box changed = {{51, 0, 0}, {53, 20, 24}};
  lw_bake_report report;
  assert_int_equal(
      lw_navmesh_rebuild(&(lw_rebuild_def){old, now, &settings, changed, lw_rebuild_def_default().cookie},
                         &rebuilt, &report, NULL),
      LW_OK);
  assert_true(report.tiles <= 15); /* of 21 */
  assert_same(rebuilt, whole);
  lw_location far;
  assert_int_equal(lw_navmesh_nearest(rebuilt, (lw_vec3){36, 0, 12}, (lw_vec3){2, 2, 2}, NULL, &far), LW_OK);
  assert_true(rebuilt->polygons.openness[lwi_poly_index(rebuilt, far.poly)] < 255);
  lw_navmesh_destroy(old);
  lw_navmesh_destroy(whole);
  lw_navmesh_destroy(rebuilt);
  lw_geometry_destroy(before);
  lw_geometry_destroy(now);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(openness_agrees_with_a_plain_ray_caster),
      cmocka_unit_test(a_waypoint_edge_is_as_open_as_the_line_that_it_leads_along),
      cmocka_unit_test(a_corridor_is_hidden_a_field_open_a_yard_between),
      cmocka_unit_test(hedges_hide_and_fences_do_not),
      cmocka_unit_test(openness_can_be_left_out_and_needs_no_kept_occluders),
      cmocka_unit_test(depths_agree_with_soundings_and_ground_is_cut_along_them),
      cmocka_unit_test(threads_and_parts_give_the_same_bytes),
      cmocka_unit_test(a_new_wall_changes_the_openness_of_tiles_that_are_kept),
  };
  return cmocka_run_group_tests_name("ground parts", tests, scene_open, scene_close);
}
