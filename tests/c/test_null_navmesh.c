/* NULL for every pointer of the public functions that make and read a navmesh, profiles, trees and saved worlds: a status or a neutral value, never a crash. */
#include "grid_mesh.h"
#include "leeward/leeward.h"
#include "null_probe.h"
#include "temp_file.h"
#include "tree_nodes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* --- what the probes need ---------------------------------------------------------------------------------- */

static const char file[] = "no/such/file.lwn";
static const lw_vec3 here = {1, 0, 1}, there = {6, 0, 1}, size = {1, 1, 1};
static lw_area_table *areas;
static lw_geometry *geometry;
static lw_navmesh *navmesh, *no_navmesh;
static lw_profile *profile, *no_profile;
static lw_tree *tree, *no_tree;
static lw_tree_run *run, *no_run;
static lw_location at;
static char text[64];

static int open_all(void **state) {
  (void)state;
  static const char *const names[] = {"ground"}, *const rows[] = {"........", "........", "........"};
  areas = support_areas(names, 1);
  navmesh = support_grid(areas, rows, 3, 1);
  assert_int_equal(lw_geometry_create(areas, NULL, &geometry), LW_OK);
  const lw_profile_def profile_def = lw_profile_def_default();
  assert_int_equal(lw_profile_create(&profile_def, areas, &profile, NULL), LW_OK);
  const lw_node_def node = wait_node(0, 0);
  const lw_tree_def tree_def = {.name = "tree", .nodes = &node, .node_count = 1};
  assert_int_equal(lw_tree_create(&tree_def, &tree, NULL), LW_OK);
  assert_int_equal(lw_tree_run_create(tree, NULL, &run), LW_OK);
  assert_int_equal(lw_navmesh_nearest(navmesh, here, size, NULL, &at), LW_OK);
  return 0;
}

static int close_all(void **state) {
  (void)state;
  lw_tree_run_destroy(run);
  lw_tree_destroy(tree);
  lw_profile_destroy(profile);
  lw_geometry_destroy(geometry);
  lw_navmesh_destroy(navmesh);
  lw_area_table_destroy(areas);
  return 0;
}

/* --- base.h, area.h, profile.h ----------------------------------------------------------------------------- */

static void null_for_areas(void **state) {
  (void)state;
  lw_area_table *table;
  lw_area_id id;
  lw_area_def def = lw_area_def_default();
  GIVES(random, lw_random_unit(NULL), == 0);
  GIVES(allocator, lw_area_table_create(NULL, &table), == LW_OK);
  lw_area_table_destroy(table);
  REFUSES(table, lw_area_table_create(NULL, NULL));
  IGNORES(table, lw_area_table_destroy(NULL));
  REFUSES(table, lw_area_table_set(NULL, &def, &id, probe_error));
  REFUSES(def, lw_area_table_set(areas, NULL, &id, probe_error));
  assert_int_equal(lw_area_table_set(areas, &def, &id, NULL), LW_INVALID);
  def.name = "ground";
  GIVES(id, lw_area_table_set(areas, &def, NULL, NULL), == LW_OK);
  GIVES(table, lw_area_table_find(NULL, "ground"), == LW_AREA_NONE);
  GIVES(name, lw_area_table_find(areas, NULL), == LW_AREA_NONE);
  GIVES(table, lw_area_table_get(NULL, 1), == NULL);
  GIVES(table, lw_area_table_count(NULL), == 0);
  GIVES(table, lw_area_table_version(NULL), == 0);
}

static void null_for_profiles(void **state) {
  (void)state;
  lw_profile_def def = lw_profile_def_default();
  const lw_range *range = lw_profile_range("radius");
  GIVES(range, lw_range_holds(NULL, 1), == false);
  GIVES(range, lw_range_text(NULL, text, sizeof text), == 0);
  GIVES(text, lw_range_text(range, NULL, 9), > 0);
  GIVES(field, lw_profile_range(NULL), == NULL);
  REFUSES(senses, lw_senses_check(NULL, probe_error));
  GIVES(error, lw_senses_check(&(lw_senses){.memory = -1}, NULL), == LW_INVALID);
  REFUSES(def, lw_profile_create(NULL, areas, &no_profile, probe_error));
  REFUSES(areas, lw_profile_create(&def, NULL, &no_profile, probe_error));
  const lw_profile *none[] = {NULL};
  REFUSES(profiles, lw_profile_combine(NULL, 1, &def, probe_error));
  assert_int_equal(lw_profile_combine(none, 1, &def, NULL), LW_INVALID);
  REFUSES(def, lw_profile_combine(none, 1, NULL, probe_error));
  REFUSES(profile, lw_profile_create(&def, areas, NULL, probe_error));
  def.name = NULL;
  assert_int_equal(lw_profile_create(&def, areas, &no_profile, NULL), LW_INVALID);
  assert_null(no_profile);
  IGNORES(profile, lw_profile_destroy(NULL));
  GIVES(profile, lw_profile_get_def(NULL), == NULL);
  GIVES(profile, lw_profile_price(NULL, 1), > 1e30f);
  GIVES(profile, lw_profile_price_on(NULL, navmesh, at.poly), > 1e30f);
  GIVES(navmesh, lw_profile_price_on(profile, NULL, at.poly), > 1e30f);
  GIVES(profile, lw_profile_speed(NULL, 1, LW_NORMAL), == 0);
  GIVES(profile, lw_profile_find_stance(NULL, "crouch"), == LW_CROUCH);
  GIVES(name, lw_profile_find_stance(profile, NULL), == -1);
  GIVES(profile, lw_profile_get_stance(NULL, LW_STAND), != NULL);
  GIVES(profile, lw_profile_stance_height(NULL, LW_STAND), == 1.75f);
  GIVES(profile, lw_profile_filter(NULL).areas[3], == lw_filter_all().areas[3]);
}

/* --- geometry.h, bake.h, import.h -------------------------------------------------------------------------- */

static void null_for_geometries(void **state) {
  (void)state;
  lw_geometry *none;
  lw_geometry_mesh mesh = {.vertex_count = 3, .triangle_count = 1};
  const lw_geometry_box box = {here, size, 0, 1, LW_COVER_DEFAULT};
  const lw_geometry_ramp ramp = {.from = here, .to = there, .width = 1, .area = 1};
  lw_mark_def mark = lw_mark_def_default(LW_MARK_POLYGON);
  lw_water_def water = lw_water_def_default();
  const lw_link_def link = lw_link_def_default();
  const lw_cover_def cover = lw_cover_def_default();
  REFUSES(areas, lw_geometry_create(NULL, NULL, &none));
  REFUSES(geometry, lw_geometry_create(areas, NULL, NULL));
  GIVES(allocator, lw_geometry_create(areas, NULL, &none), == LW_OK);
  lw_geometry_destroy(none);
  IGNORES(geometry, lw_geometry_destroy(NULL));
  REFUSES(geometry, lw_geometry_add_mesh(NULL, &mesh, probe_error));
  REFUSES(mesh, lw_geometry_add_mesh(geometry, NULL, probe_error));
  REFUSES(geometry, lw_geometry_add_box(NULL, &box, probe_error));
  REFUSES(box, lw_geometry_add_box(geometry, NULL, probe_error));
  REFUSES(geometry, lw_geometry_add_ramp(NULL, &ramp, probe_error));
  REFUSES(ramp, lw_geometry_add_ramp(geometry, NULL, probe_error));
  REFUSES(geometry, lw_geometry_mark_area(NULL, &mark, probe_error));
  REFUSES(mark, lw_geometry_mark_area(geometry, NULL, probe_error));
  REFUSES(geometry, lw_geometry_add_water(NULL, &water, probe_error));
  REFUSES(water, lw_geometry_add_water(geometry, NULL, probe_error));
  REFUSES(geometry, lw_geometry_add_link(NULL, &link, probe_error));
  REFUSES(link, lw_geometry_add_link(geometry, NULL, probe_error));
  REFUSES(geometry, lw_geometry_forbid_cover(NULL, &mark, probe_error));
  REFUSES(where, lw_geometry_forbid_cover(geometry, NULL, probe_error));
  REFUSES(geometry, lw_geometry_mark_detail(NULL, &mark, 2, probe_error));
  REFUSES(where, lw_geometry_mark_detail(geometry, NULL, 2, probe_error));
  GIVES(geometry, lw_geometry_detail_count(NULL), == 0);
  REFUSES(geometry, lw_geometry_add_cover(NULL, &cover, probe_error));
  REFUSES(cover, lw_geometry_add_cover(geometry, NULL, probe_error));
  REFUSES(geometry, lw_geometry_add_seed(NULL, (lw_vec3){0, 0, 0}, probe_error));
  GIVES(geometry, lw_geometry_seed_count(NULL), == 0);
  IGNORES(geometry, lw_geometry_forget(NULL, 0, 0, 0));

  mark.point_count = water.point_count = 3;
  water.shallow = water.deep = 1;
  assert_int_equal(lw_geometry_add_mesh(geometry, &mesh, NULL), LW_INVALID);
  assert_int_equal(lw_geometry_mark_area(geometry, &mark, NULL), LW_INVALID);
  assert_int_equal(lw_geometry_forbid_cover(geometry, &mark, NULL), LW_INVALID);
  GIVES(error, lw_geometry_mark_detail(geometry, &mark, 2, NULL), == LW_INVALID);
  assert_int_equal(lw_geometry_add_water(geometry, &water, NULL), LW_INVALID);
}

static void null_for_reading_geometries(void **state) {
  (void)state;
  REFUSES(geometry, lw_geometry_load(NULL, file, NULL, probe_error));
  REFUSES(file, lw_geometry_load(geometry, NULL, NULL, probe_error));
  GIVES(import, lw_geometry_load(geometry, "no/such/file.obj", NULL, NULL), != LW_OK);
  REFUSES(geometry, lw_geometry_load_gset(NULL, file, NULL, probe_error));
  REFUSES(file, lw_geometry_load_gset(geometry, NULL, NULL, probe_error));
  GIVES(options, lw_geometry_load_gset(geometry, "no/such/file.gset", NULL, NULL), == LW_FILE);
  GIVES(geometry, lw_geometry_mark_count(NULL), == 0);
  GIVES(geometry, lw_geometry_link_count(NULL), == 0);
  GIVES(geometry, lw_geometry_vertex_count(NULL), == 0);
  GIVES(geometry, lw_geometry_triangle_count(NULL), == 0);
  GIVES(geometry, lw_geometry_bounds(NULL).max.x, == 0);
  GIVES(geometry, lw_geometry_indices(NULL), == NULL);
  GIVES(geometry, lw_geometry_vertices(NULL), == NULL);
  GIVES(geometry, lw_geometry_areas(NULL), == NULL);
  GIVES(geometry, lw_geometry_covers(NULL), == NULL);
  GIVES(geometry, lw_geometry_area_table(NULL), == NULL);
}

static void null_for_bakes(void **state) {
  (void)state;
  const lw_bake_settings settings = lw_bake_settings_default();
  const lw_rebuild_def def = lw_rebuild_def_default();
  lw_bake_report report;
  int columns, rows;
  REFUSES(geometry, lw_navmesh_bake(NULL, &settings, &no_navmesh, &report, probe_error));
  REFUSES(navmesh, lw_navmesh_bake(geometry, &settings, NULL, &report, probe_error));
  GIVES(settings, lw_navmesh_bake(geometry, NULL, &no_navmesh, &report, NULL), == LW_EMPTY);
  GIVES(report, lw_navmesh_bake(geometry, &settings, &no_navmesh, NULL, NULL), == LW_EMPTY);
  REFUSES(def, lw_navmesh_rebuild(NULL, &no_navmesh, &report, probe_error));
  REFUSES(rebuilt, lw_navmesh_rebuild(&def, NULL, &report, probe_error));
  GIVES(report, lw_navmesh_rebuild(&def, &no_navmesh, NULL, NULL), == LW_INVALID);
  REFUSES(geometry, lw_bake_count_tiles(NULL, &settings, &columns, &rows, probe_error));
  REFUSES(columns, lw_bake_count_tiles(geometry, &settings, NULL, &rows, probe_error));
  REFUSES(rows, lw_bake_count_tiles(geometry, &settings, &columns, NULL, probe_error));
  GIVES(settings, lw_bake_count_tiles(geometry, NULL, &columns, &rows, NULL), == LW_EMPTY);

  const lw_import_settings import = lw_import_settings_default();
  REFUSES(file, lw_navmesh_import(NULL, areas, &import, &no_navmesh, probe_error));
  REFUSES(areas, lw_navmesh_import(file, NULL, &import, &no_navmesh, probe_error));
  REFUSES(navmesh, lw_navmesh_import(file, areas, &import, NULL, probe_error));
  GIVES(settings, lw_navmesh_import("no/such/file", areas, NULL, &no_navmesh, NULL), == LW_FILE);
  assert_null(no_navmesh);
}

static void null_for_rebuild_jobs(void **state) {
  (void)state;
  const lw_rebuild_def def = lw_rebuild_def_default();
  const lw_tile_change changes[1] = {{0, 0, NULL}};
  lw_rebuild_job *job;
  lw_bake_report report;
  int done, total;
  lw_tile_change differing[4];
  REFUSES(def, lw_rebuild_job_start(NULL, &job, probe_error));
  REFUSES(job, lw_rebuild_job_start(&def, NULL, probe_error));
  GIVES(error, lw_rebuild_job_start(&def, &job, NULL), == LW_INVALID);
  assert_null(job);
  GIVES(job, lw_rebuild_job_is_done(NULL), == false);
  IGNORES(job, lw_rebuild_job_progress(NULL, &done, &total));
  IGNORES(done, lw_rebuild_job_progress(NULL, NULL, &total));
  IGNORES(total, lw_rebuild_job_progress(NULL, &done, NULL));
  IGNORES(job, lw_rebuild_job_cancel(NULL));
  REFUSES(job, lw_rebuild_job_wait(NULL, probe_error));
  REFUSES(job, lw_rebuild_job_take(NULL, &no_navmesh, &report, probe_error));
  GIVES(navmesh, lw_rebuild_job_take(NULL, NULL, &report, NULL), == LW_INVALID);
  GIVES(report, lw_rebuild_job_take(NULL, &no_navmesh, NULL, NULL), == LW_INVALID);
  IGNORES(job, lw_rebuild_job_destroy(NULL));
  REFUSES(navmesh, lw_navmesh_replace_tiles(NULL, changes, 1, NULL, &no_navmesh, probe_error));
  REFUSES(changes, lw_navmesh_replace_tiles(navmesh, NULL, 1, NULL, &no_navmesh, probe_error));
  REFUSES(result, lw_navmesh_replace_tiles(navmesh, changes, 1, NULL, NULL, probe_error));
  GIVES(allocator, lw_navmesh_replace_tiles(navmesh, changes, 1, NULL, &no_navmesh, NULL), != LW_OK);
  REFUSES(before, lw_navmesh_merge_changes(NULL, navmesh, navmesh, NULL, &no_navmesh, probe_error));
  REFUSES(changed, lw_navmesh_merge_changes(navmesh, NULL, navmesh, NULL, &no_navmesh, probe_error));
  REFUSES(now, lw_navmesh_merge_changes(navmesh, navmesh, NULL, NULL, &no_navmesh, probe_error));
  REFUSES(result, lw_navmesh_merge_changes(navmesh, navmesh, navmesh, NULL, NULL, probe_error));
  GIVES(allocator, lw_navmesh_merge_changes(navmesh, navmesh, NULL, NULL, &no_navmesh, NULL), == LW_INVALID);
  REFUSES(navmesh, lw_navmesh_differing_tiles(NULL, navmesh, differing, 4, &done, probe_error));
  REFUSES(other, lw_navmesh_differing_tiles(navmesh, NULL, differing, 4, &done, probe_error));
  REFUSES(tiles, lw_navmesh_differing_tiles(navmesh, navmesh, NULL, 4, &done, probe_error));
  REFUSES(count, lw_navmesh_differing_tiles(navmesh, navmesh, differing, 4, NULL, probe_error));
  GIVES(error, lw_navmesh_differing_tiles(navmesh, navmesh, differing, -1, NULL, NULL), == LW_INVALID);
}

/* --- navmesh.h --------------------------------------------------------------------------------------------- */

static void null_for_navmeshes(void **state) {
  (void)state;
  lw_navmesh_def def = lw_navmesh_def_default();
  const lw_navmesh *const parts[1] = {NULL};
  GIVES(filter, lw_filter_passes(NULL, 1), == true);
  REFUSES(def, lw_navmesh_create(NULL, &no_navmesh, probe_error));
  REFUSES(navmesh, lw_navmesh_create(&def, NULL, probe_error));
  assert_int_equal(lw_navmesh_create(&def, &no_navmesh, NULL), LW_INVALID);
  def.areas = areas;
  def.vertex_count = 3;
  def.polygon_count = def.link_count = 1;
  assert_int_equal(lw_navmesh_create(&def, &no_navmesh, NULL), LW_INVALID);
  IGNORES(navmesh, lw_navmesh_destroy(NULL));
  REFUSES(navmesh, lw_navmesh_save(NULL, file, probe_error));
  REFUSES(file, lw_navmesh_save(navmesh, NULL, probe_error));
  REFUSES(file, lw_navmesh_load(NULL, areas, NULL, &no_navmesh, probe_error));
  REFUSES(areas, lw_navmesh_load(file, NULL, NULL, &no_navmesh, probe_error));
  REFUSES(navmesh, lw_navmesh_load(file, areas, NULL, NULL, probe_error));
  GIVES(allocator, lw_navmesh_load("no/such/file", areas, NULL, &no_navmesh, NULL), == LW_FILE);
  REFUSES(navmesh, lw_navmesh_validate(NULL, probe_error));
  REFUSES(parts, lw_navmesh_merge(NULL, 1, NULL, &no_navmesh, probe_error));
  REFUSES(navmesh, lw_navmesh_merge(parts, 1, NULL, NULL, probe_error));
  GIVES(allocator, lw_navmesh_merge(parts, 1, NULL, &no_navmesh, NULL), == LW_INVALID);
  GIVES(navmesh, lw_navmesh_get_stats(NULL).polygons, == 0);
  GIVES(navmesh, lw_navmesh_version(NULL), == 0);
  GIVES(navmesh, lw_navmesh_bounds(NULL).max.x, == 0);
  GIVES(navmesh, lw_navmesh_area_table(NULL), == NULL);
  GIVES(navmesh, lw_navmesh_get_agent(NULL).radius, == 0);
  lw_navmesh_tile tile;
  REFUSES(navmesh, lw_navmesh_get_tile(NULL, 0, &tile));
  REFUSES(tile, lw_navmesh_get_tile(navmesh, 0, NULL));
}

static void null_for_navmesh_queries(void **state) {
  (void)state;
  lw_location location;
  lw_raycast raycast;
  lw_wall wall;
  lw_poly_id polygons[1];
  float number;
  int count;
  const lw_circle circle = {at, 1};
  const lw_filter all = lw_filter_all();
  REFUSES(navmesh, lw_navmesh_nearest(NULL, here, size, &all, &location));
  REFUSES(location, lw_navmesh_nearest(navmesh, here, size, &all, NULL));
  GIVES(filter, lw_navmesh_nearest(navmesh, here, size, NULL, &location), == LW_OK);
  GIVES(navmesh, lw_navmesh_contains(NULL, here, 1, &all), == false);
  GIVES(filter, lw_navmesh_contains(navmesh, here, 1, NULL), == true);
  REFUSES(navmesh, lw_navmesh_height(NULL, here, &all, &number));
  REFUSES(height, lw_navmesh_height(navmesh, here, &all, NULL));
  GIVES(filter, lw_navmesh_height(navmesh, here, NULL, &number), == LW_OK);
  REFUSES(navmesh, lw_navmesh_raycast(NULL, at, there, &all, &raycast));
  REFUSES(result, lw_navmesh_raycast(navmesh, at, there, &all, NULL));
  GIVES(filter, lw_navmesh_raycast(navmesh, at, there, NULL, &raycast), == LW_OK);
  REFUSES(navmesh, lw_navmesh_move(NULL, at, there, &all, &location));
  REFUSES(end, lw_navmesh_move(navmesh, at, there, &all, NULL));
  GIVES(filter, lw_navmesh_move(navmesh, at, there, NULL, &location), == LW_OK);
  REFUSES(navmesh, lw_navmesh_distance_to_wall(NULL, at, 5, &all, &wall));
  REFUSES(wall, lw_navmesh_distance_to_wall(navmesh, at, 5, &all, NULL));
  GIVES(filter, lw_navmesh_distance_to_wall(navmesh, at, 5, NULL, &wall), == LW_OK);
  REFUSES(navmesh, lw_navmesh_polygons_around(NULL, circle, &all, polygons, 1, &count));
  REFUSES(polygons, lw_navmesh_polygons_around(navmesh, circle, &all, NULL, 1, &count));
  REFUSES(count, lw_navmesh_polygons_around(navmesh, circle, &all, polygons, 1, NULL));
  GIVES(filter, lw_navmesh_polygons_around(navmesh, circle, NULL, polygons, 1, &count), == LW_LIMIT);
}

static void null_for_parts_of_navmeshes(void **state) {
  (void)state;
  lw_link link = {.state = LW_LINK_NO_START};
  lw_poly poly;
  lw_vec3 corner;
  float number;
  GIVES(navmesh, lw_navmesh_link_count(NULL), == 0);
  REFUSES(navmesh, lw_navmesh_get_link(NULL, 0, &link));
  REFUSES(link, lw_navmesh_get_link(navmesh, 0, NULL));
  IGNORES(link, lw_link_reason(NULL, text, sizeof text));
  assert_string_equal(text, "");
  IGNORES(text, lw_link_reason(&link, NULL, 9));
  REFUSES(navmesh, lw_navmesh_water_depth(NULL, here, &number));
  REFUSES(depth, lw_navmesh_water_depth(navmesh, here, NULL));
  GIVES(navmesh, lw_navmesh_water_count(NULL), == 0);
  GIVES(navmesh, lw_navmesh_next_poly(NULL, 0), == 0);
  REFUSES(navmesh, lw_navmesh_get_poly(NULL, at.poly, &poly));
  REFUSES(result, lw_navmesh_get_poly(navmesh, at.poly, NULL));
  GIVES(navmesh, lw_navmesh_poly_corners(NULL, at.poly, &corner, 1), == 0);
  GIVES(corners, lw_navmesh_poly_corners(navmesh, at.poly, NULL, 1), == 4);
}

/* --- tree.h ------------------------------------------------------------------------------------------------ */

static void null_for_trees(void **state) {
  (void)state;
  const lw_node_def leaf = leaf_node(1);
  lw_tree_def def = {.name = "tree", .node_count = 1};
  const lw_tree_host host = {.now = 0};
  REFUSES(def, lw_tree_create(NULL, &no_tree, probe_error));
  REFUSES(tree, lw_tree_create(&def, NULL, probe_error));
  assert_int_equal(lw_tree_create(&def, &no_tree, NULL), LW_INVALID);
  def.nodes = &leaf;
  def.name = "";
  assert_int_equal(lw_tree_create(&def, &no_tree, NULL), LW_INVALID);
  IGNORES(tree, lw_tree_destroy(NULL));
  GIVES(tree, lw_tree_name(NULL)[0], == 0);
  GIVES(tree, lw_tree_node_count(NULL), == 0);
  lw_node_info info;
  REFUSES(tree, lw_tree_get_node(NULL, 0, &info));
  REFUSES(info, lw_tree_get_node(tree, 0, NULL));
  REFUSES(from, lw_tree_match(NULL, tree, &(int){0}));
  REFUSES(to, lw_tree_match(tree, NULL, &(int){0}));
  REFUSES(nodes, lw_tree_match(tree, tree, NULL));
  GIVES(tree, lw_tree_reads(NULL, "key"), == false);
  GIVES(key, lw_tree_reads(tree, NULL), == false);
  GIVES(tree, lw_tree_node_path(NULL, 0, text, sizeof text), == 0);
  GIVES(text, lw_tree_node_path(tree, 0, NULL, 9), > 0);
  REFUSES(tree, lw_tree_run_create(NULL, NULL, &no_run));
  REFUSES(run, lw_tree_run_create(tree, NULL, NULL));
  GIVES(allocator, lw_tree_run_create(tree, NULL, &no_run), == LW_OK);
  lw_tree_run_destroy(no_run);
  IGNORES(run, lw_tree_run_destroy(NULL));
  GIVES(run, lw_tree_run_tick(NULL, &host), == LW_FAILURE);
  GIVES(host, lw_tree_run_tick(run, NULL), == LW_FAILURE);
  GIVES(run, lw_tree_run_react(NULL, &host), == LW_FAILURE);
  GIVES(host, lw_tree_run_react(run, NULL), == LW_FAILURE);
  GIVES(run, lw_tree_run_notify(NULL, "key"), == false);
  GIVES(key, lw_tree_run_notify(run, NULL), == false);
  GIVES(run, lw_tree_run_is_active(NULL, 0), == false);
  REFUSES(run, lw_tree_run_track(NULL, true));
  lw_node_state node_state;
  REFUSES(run, lw_tree_run_get_node(NULL, 0, &node_state));
  REFUSES(state, lw_tree_run_get_node(run, 0, NULL));
  IGNORES(run, lw_tree_run_abort(NULL, &host));
  IGNORES(host, lw_tree_run_abort(run, NULL));
  IGNORES(run, lw_tree_run_wake(NULL));
  GIVES(run, lw_tree_run_wake_time(NULL), == 0);
  GIVES(run, lw_tree_run_current(NULL), == -1);
  GIVES(run, lw_tree_run_hash(NULL), != 0);

  def.name = "tree";
  assert_int_equal(lw_tree_create(&def, &no_tree, NULL), LW_OK);
  assert_int_equal(lw_tree_run_create(no_tree, NULL, &no_run), LW_OK);
  assert_int_equal(lw_tree_run_tick(no_run, &host), LW_FAILURE);
  lw_tree_run_destroy(no_run);
  lw_tree_destroy(no_tree);
}

/* --- save.h ------------------------------------------------------------------------------------------------- */

static void null_for_saved_worlds(void **state) {
  (void)state;
  char saved_file[] = "/tmp/leeward_null_XXXXXX";
  lw_saved_agent read;
  lw_saved *saved, *no_saved;
  lw_world *world;
  lw_agent_id agent;
  lw_world_def def = lw_world_def_default();
  lw_agent_def agent_def = lw_agent_def_default();
  def.navmesh = navmesh;
  agent_def.profile = profile;
  agent_def.at = here;
  temp_file_make(saved_file);
  assert_int_equal(lw_world_create(&def, &world, NULL), LW_OK);
  assert_int_equal(lw_agent_spawn(world, &agent_def, &agent, NULL), LW_OK);
  assert_int_equal(lw_world_save(world, saved_file, NULL), LW_OK);
  assert_int_equal(lw_saved_open(saved_file, NULL, &saved, NULL), LW_OK);
  REFUSES(world, lw_world_save(NULL, saved_file, probe_error));
  REFUSES(file, lw_world_save(world, NULL, probe_error));
  REFUSES(world, lw_world_save_with(NULL, saved_file, NULL, 0, probe_error));
  REFUSES(file, lw_world_save_with(world, NULL, NULL, 0, probe_error));
  REFUSES(data, lw_world_save_with(world, saved_file, NULL, 1, probe_error));
  GIVES(data, lw_world_save_with(world, saved_file, NULL, 0, NULL), == LW_OK);
  REFUSES(world, lw_world_restore_trees(NULL, saved, probe_error));
  REFUSES(saved, lw_world_restore_trees(world, NULL, probe_error));
  GIVES(saved, lw_saved_data(NULL, NULL), == NULL);
  GIVES(size, lw_saved_data(saved, NULL), == NULL);
  REFUSES(file, lw_saved_open(NULL, NULL, &no_saved, probe_error));
  REFUSES(saved, lw_saved_open(saved_file, NULL, NULL, probe_error));
  GIVES(allocator, lw_saved_open("no/such/file", NULL, &no_saved, NULL), == LW_FILE);
  IGNORES(saved, lw_saved_destroy(NULL));
  GIVES(saved, lw_saved_agent_count(NULL), == 0);
  REFUSES(saved, lw_saved_get_agent(NULL, 0, &read));
  REFUSES(agent, lw_saved_get_agent(saved, 0, NULL));
  REFUSES(world, lw_world_restore(NULL, saved, probe_error));
  REFUSES(saved, lw_world_restore(world, NULL, probe_error));
  REFUSES(world, lw_agent_restore(NULL, agent, saved, 0));
  REFUSES(saved, lw_agent_restore(world, agent, NULL, 0));
  REFUSES(world, lw_agent_restore_journey(NULL, agent, saved, 0, profile));
  REFUSES(saved, lw_agent_restore_journey(world, agent, NULL, 0, profile));
  GIVES(journey, lw_agent_restore_journey(world, lw_agent_id_none(), saved, 0, NULL), == LW_STALE);
  lw_saved_destroy(saved);
  lw_world_destroy(world);
  unlink(saved_file);
}

/* --- path_changes.h ------------------------------------------------------------------------------------------ */

static void null_for_path_changes(void **state) {
  (void)state;
  lw_world *world;
  lw_path *path;
  lw_path_piece piece;
  lw_path_change changes[1];
  int count;
  lw_world_def def = lw_world_def_default();
  lw_path_query query = lw_path_query_default();
  def.navmesh = navmesh;
  query.from = here;
  query.to = there;
  assert_int_equal(lw_world_create(&def, &world, NULL), LW_OK);
  assert_int_equal(lw_path_find(world, NULL, &query, &path), LW_OK);
  REFUSES(path, lw_path_get_piece(NULL, 0, &piece));
  REFUSES(piece, lw_path_get_piece(path, 0, NULL));
  REFUSES(path, lw_path_changes(NULL, world, &query, changes, 1, &count));
  REFUSES(world, lw_path_changes(path, NULL, &query, changes, 1, &count));
  GIVES(query, lw_path_changes(path, world, NULL, changes, 1, &count), == LW_OK);
  REFUSES(changes, lw_path_changes(path, world, &query, NULL, 1, &count));
  GIVES(changes, lw_path_changes(path, world, &query, NULL, 0, &count), == LW_OK);
  REFUSES(count, lw_path_changes(path, world, &query, changes, 1, NULL));
  lw_path_destroy(path);
  lw_world_destroy(world);
}

static void every_pointer_of_the_headers_has_a_probe(void **state) {
  (void)state;
  probe_check_headers("navmesh");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(null_for_areas),
      cmocka_unit_test(null_for_profiles),
      cmocka_unit_test(null_for_geometries),
      cmocka_unit_test(null_for_reading_geometries),
      cmocka_unit_test(null_for_bakes),
      cmocka_unit_test(null_for_rebuild_jobs),
      cmocka_unit_test(null_for_navmeshes),
      cmocka_unit_test(null_for_navmesh_queries),
      cmocka_unit_test(null_for_parts_of_navmeshes),
      cmocka_unit_test(null_for_trees),
      cmocka_unit_test(null_for_saved_worlds),
      cmocka_unit_test(null_for_path_changes),
      cmocka_unit_test(every_pointer_of_the_headers_has_a_probe), /* last: it reads what the others recorded */
  };
  return cmocka_run_group_tests(tests, open_all, close_all);
}
