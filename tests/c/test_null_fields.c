/* NULL for each pointer of the functions of distance fields and route tables. */
#include "grid_world.h"
#include "null_probe.h"

#include <math.h>
#include <stdio.h>

static grid_world grid;
static lw_world *world;
static lw_workspace *workspace;
static const lw_vec3 here = {1, 0, 1}, there = {6, 0, 1};
static lw_distance_field_def field_def;
static lw_route_table_def table_def;
static lw_distance_field *field;
static lw_route_table *table;

static int open_all(void **state) {
  (void)state;
  grid = grid_world_open_plain();
  world = grid.world;
  workspace = lw_workspace_create(world);
  assert_non_null(workspace);
  field_def = lw_distance_field_def_default();
  field_def.goals = &there;
  field_def.goal_count = 1;
  table_def = lw_route_table_def_default();
  table_def.places = &here;
  table_def.place_count = 1;
  assert_int_equal(lw_distance_field_create(world, NULL, &field_def, &field), LW_OK);
  assert_int_equal(lw_route_table_create(world, NULL, &table_def, &table), LW_OK);
  return 0;
}

static int close_all(void **state) {
  (void)state;
  lw_distance_field_destroy(field);
  lw_route_table_destroy(table);
  lw_workspace_destroy(workspace);
  grid_world_close(&grid);
  return 0;
}

static void null_for_fields(void **state) {
  (void)state;
  lw_distance_field *created;
  lw_field_route route;
  lw_field_path path = {0};
  REFUSES(world, lw_distance_field_create(NULL, workspace, &field_def, &created));
  REFUSES(def, lw_distance_field_create(world, workspace, NULL, &created));
  REFUSES(field, lw_distance_field_create(world, workspace, &field_def, NULL));
  GIVES(workspace, lw_distance_field_create(world, NULL, &field_def, &created), == LW_OK);
  lw_distance_field_destroy(created);
  IGNORES(field, lw_distance_field_destroy(NULL));
  GIVES(field, lw_distance_field_is_stale(NULL, world), == false);
  GIVES(world, lw_distance_field_is_stale(field, NULL), == false);
  REFUSES(field, lw_distance_field_refresh(NULL, world, workspace));
  REFUSES(world, lw_distance_field_refresh(field, NULL, workspace));
  GIVES(workspace, lw_distance_field_refresh(field, world, NULL), == LW_OK);
  REFUSES(field, lw_distance_field_get(NULL, world, workspace, here, &route));
  REFUSES(world, lw_distance_field_get(field, NULL, workspace, here, &route));
  GIVES(workspace, lw_distance_field_get(field, world, NULL, here, &route), == LW_OK);
  REFUSES(route, lw_distance_field_get(field, world, workspace, here, NULL));
  REFUSES(field, lw_distance_field_path(NULL, world, workspace, here, &path));
  REFUSES(world, lw_distance_field_path(field, NULL, workspace, here, &path));
  GIVES(workspace, lw_distance_field_path(field, world, NULL, here, &path), == LW_OK);
  REFUSES(path, lw_distance_field_path(field, world, workspace, here, NULL));
  GIVES(field, lw_distance_field_memory(NULL), == 0);
}

static void null_for_drives(void **state) {
  (void)state;
  lw_profile_def def = lw_profile_def_default();
  lw_profile *cart;
  lw_drive *found, *created;
  int count;
  def.radius = 0;
  def.body.turn_radius = 0.5f;
  def.body.vehicle = (lw_vehicle){0.3f, 0.5f, 0.3f, 3};
  assert_int_equal(lw_profile_create(&def, grid.areas, &cart, NULL), LW_OK);
  lw_drive_query query = lw_drive_query_default();
  query.from = here;
  query.to = there;
  query.profile = cart;
  assert_int_equal(lw_drive_find(world, workspace, &query, &found), LW_OK);
  REFUSES(world, lw_drive_find(NULL, workspace, &query, &created));
  REFUSES(query, lw_drive_find(world, workspace, NULL, &created));
  REFUSES(drive, lw_drive_find(world, workspace, &query, NULL));
  GIVES(workspace, lw_drive_find(world, NULL, &query, &created), == LW_OK);
  lw_drive_destroy(created);
  IGNORES(drive, lw_drive_destroy(NULL));
  GIVES(drive, lw_drive_points(NULL, &count), == NULL);
  GIVES(count, lw_drive_points(found, NULL), != NULL);
  GIVES(drive, lw_drive_length(NULL), == 0);
  GIVES(drive, lw_drive_reversed(NULL), == 0);
  GIVES(drive, lw_drive_cusps(NULL), == 0);
  GIVES(drive, lw_drive_cost(NULL), == 0);
  GIVES(drive, lw_drive_nodes(NULL), == 0);
  GIVES(drive, lw_drive_navmesh(NULL), == -1);
  lw_drive_destroy(found);
  lw_profile_destroy(cart);
}

static void null_for_route_tables(void **state) {
  (void)state;
  lw_route_table *created;
  float costs[1];
  lw_vec3 point;
  REFUSES(world, lw_path_costs_find(NULL, workspace, &table_def, costs));
  REFUSES(def, lw_path_costs_find(world, workspace, NULL, costs));
  REFUSES(costs, lw_path_costs_find(world, workspace, &table_def, NULL));
  GIVES(workspace, lw_path_costs_find(world, NULL, &table_def, costs), == LW_OK);
  REFUSES(world, lw_route_table_create(NULL, workspace, &table_def, &created));
  REFUSES(def, lw_route_table_create(world, workspace, NULL, &created));
  REFUSES(table, lw_route_table_create(world, workspace, &table_def, NULL));
  GIVES(workspace, lw_route_table_create(world, NULL, &table_def, &created), == LW_OK);
  lw_route_table_destroy(created);
  IGNORES(table, lw_route_table_destroy(NULL));
  GIVES(table, lw_route_table_count(NULL), == 0);
  GIVES(table, lw_route_table_cost(NULL, 0, 0), == INFINITY);
  GIVES(table, lw_route_table_next(NULL, 0, 0, &point), == false);
  GIVES(point, lw_route_table_next(table, 0, 0, NULL), == false);
  GIVES(table, lw_route_table_name(NULL, 0)[0], == 0);
  GIVES(table, lw_route_table_profile(NULL)[0], == 0);
  GIVES(table, lw_route_table_is_stale(NULL, world), == false);
  GIVES(world, lw_route_table_is_stale(table, NULL), == false);
  GIVES(table, lw_route_table_memory(NULL), == 0);
}

static void null_for_files(void **state) {
  (void)state;
  char file[] = "build/test_null_fields.lwr";
  lw_route_table *read;
  REFUSES(table, lw_route_table_save(NULL, file, probe_error));
  REFUSES(file, lw_route_table_save(table, NULL, probe_error));
  assert_int_equal(lw_route_table_save(table, file, NULL), LW_OK);
  REFUSES(world, lw_route_table_load(NULL, file, &read, probe_error));
  REFUSES(file, lw_route_table_load(world, NULL, &read, probe_error));
  REFUSES(table, lw_route_table_load(world, file, NULL, probe_error));
  remove(file);
}

static void every_pointer_of_the_headers_has_a_probe(void **state) {
  (void)state;
  probe_check_headers("fields");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(null_for_fields),
      cmocka_unit_test(null_for_drives),
      cmocka_unit_test(null_for_route_tables),
      cmocka_unit_test(null_for_files),
      cmocka_unit_test(every_pointer_of_the_headers_has_a_probe),
  };
  return cmocka_run_group_tests(tests, open_all, close_all);
}
