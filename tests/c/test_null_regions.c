/* NULL for each pointer of the functions of regions. */
#include "grid_world.h"
#include "null_probe.h"

static grid_world grid;
static lw_world *world;
static lw_navmesh *navmesh;
static lw_regions *regions;
static const lw_vec3 here = {1, 0, 1}, snap = {2, 4, 2};

static int open_all(void **state) {
  (void)state;
  grid = grid_world_open_plain();
  world = grid.world;
  navmesh = grid.mesh;
  assert_int_equal(lw_regions_create(navmesh, NULL, &regions, NULL), LW_OK);
  return 0;
}

static int close_all(void **state) {
  (void)state;
  lw_regions_destroy(regions);
  grid_world_close(&grid);
  return 0;
}

static void null_for_rooms(void **state) {
  (void)state;
  const lw_regions_def def = lw_regions_def_default();
  lw_regions *created;
  lw_room room;
  lw_room_door door;
  lw_door_portal portal;
  lw_district district;
  REFUSES(navmesh, lw_regions_create(NULL, &def, &created, probe_error));
  GIVES(def, lw_regions_create(navmesh, NULL, &created, NULL), == LW_OK);
  lw_regions_destroy(created);
  REFUSES(regions, lw_regions_create(navmesh, &def, NULL, probe_error));
  IGNORES(regions, lw_regions_destroy(NULL));
  GIVES(regions, lw_regions_memory(NULL), == 0);
  GIVES(regions, lw_regions_room_count(NULL), == 0);
  REFUSES(regions, lw_regions_get_room(NULL, 0, &room));
  REFUSES(room, lw_regions_get_room(regions, 0, NULL));
  GIVES(regions, lw_regions_room_door(NULL, 0, 0), == -1);
  GIVES(regions, lw_regions_find_room(NULL, "hall"), == -1);
  GIVES(name, lw_regions_find_room(regions, NULL), == -1);
  GIVES(regions, lw_regions_room_at(NULL, here, snap), == -1);
  GIVES(regions, lw_regions_room_of(NULL, 1), == -1);
  GIVES(regions, lw_regions_door_count(NULL), == 0);
  REFUSES(regions, lw_regions_get_door(NULL, 0, &door));
  REFUSES(door, lw_regions_get_door(regions, 0, NULL));
  REFUSES(regions, lw_regions_get_door_portal(NULL, 0, 0, &portal));
  REFUSES(portal, lw_regions_get_door_portal(regions, 0, 0, NULL));
  GIVES(regions, lw_regions_district_count(NULL), == 0);
  REFUSES(regions, lw_regions_get_district(NULL, 0, &district));
  REFUSES(district, lw_regions_get_district(regions, 0, NULL));
  GIVES(regions, lw_regions_find_district(NULL, "west"), == -1);
  GIVES(name, lw_regions_find_district(regions, NULL), == -1);
}

static void null_for_edits(void **state) {
  (void)state;
  const int rooms[] = {0};
  const lw_vec3 outline[] = {{0, 0, 0}, {9, 0, 0}, {9, 0, 9}};
  const lw_region_volume volume = {outline, 3, -1, 1};
  int room;
  REFUSES(regions, lw_regions_name_room(NULL, 0, "hall", probe_error));
  GIVES(name, lw_regions_name_room(regions, 0, NULL, NULL), == LW_OK);
  GIVES(error, lw_regions_name_room(regions, 7, "hall", NULL), == LW_NOT_FOUND);
  REFUSES(regions, lw_regions_merge_rooms(NULL, rooms, 1, &room, probe_error));
  REFUSES(rooms, lw_regions_merge_rooms(regions, NULL, 1, &room, probe_error));
  GIVES(room, lw_regions_merge_rooms(regions, rooms, 1, NULL, NULL), == LW_OK);
  REFUSES(regions, lw_regions_carve_room(NULL, &volume, "hall", &room, probe_error));
  REFUSES(volume, lw_regions_carve_room(regions, NULL, "hall", &room, probe_error));
  GIVES(name, lw_regions_carve_room(regions, &volume, NULL, &room, NULL), == LW_OK);
  GIVES(room, lw_regions_carve_room(regions, &volume, "hall", NULL, NULL), == LW_OK);
  REFUSES(regions, lw_regions_set_district(NULL, rooms, 1, "west", probe_error));
  REFUSES(rooms, lw_regions_set_district(regions, NULL, 1, "west", probe_error));
  REFUSES(name, lw_regions_set_district(regions, rooms, 1, NULL, probe_error));
}

static void null_for_worlds(void **state) {
  (void)state;
  lw_world_room found;
  lw_room_visit visit;
  lw_room_link link;
  bool open[64];
  int count;
  lw_path_query query = lw_path_query_default();
  lw_path *path;
  query.from = here;
  query.to = (lw_vec3){6, 0, 2};
  assert_int_equal(lw_path_find(world, NULL, &query, &path), LW_OK);
  REFUSES(world, lw_world_set_regions(NULL, 0, regions));
  GIVES(regions, lw_world_set_regions(world, 0, NULL), == LW_OK);
  assert_int_equal(lw_world_set_regions(world, 0, regions), LW_OK);
  GIVES(world, lw_world_regions(NULL, 0), == NULL);
  REFUSES(world, lw_world_room_at(NULL, here, snap, grid.profile, &found));
  GIVES(profile, lw_world_room_at(world, here, snap, NULL, &found), == LW_OK);
  REFUSES(found, lw_world_room_at(world, here, snap, grid.profile, NULL));
  REFUSES(world, lw_world_open_doors(NULL, 0, grid.profile, open));
  GIVES(profile, lw_world_open_doors(world, 0, NULL, open), == LW_OK);
  REFUSES(open, lw_world_open_doors(world, 0, grid.profile, NULL));
  REFUSES(world, lw_world_room_links(NULL, 0, grid.profile, &link, 1, &count));
  GIVES(profile, lw_world_room_links(world, 0, NULL, &link, 1, &count), == LW_OK);
  GIVES(links, lw_world_room_links(world, 0, grid.profile, NULL, 0, &count), == LW_OK);
  REFUSES(links, lw_world_room_links(world, 0, grid.profile, NULL, 1, &count));
  REFUSES(count, lw_world_room_links(world, 0, grid.profile, &link, 1, NULL));
  REFUSES(path, lw_path_rooms(NULL, world, &visit, 1, &count));
  REFUSES(world, lw_path_rooms(path, NULL, &visit, 1, &count));
  GIVES(visits, lw_path_rooms(path, world, NULL, 0, &count), == LW_OK);
  REFUSES(visits, lw_path_rooms(path, world, NULL, 1, &count));
  REFUSES(count, lw_path_rooms(path, world, &visit, 1, NULL));
  lw_path_destroy(path);
}

static void null_for_plans(void **state) {
  (void)state;
  lw_room_graph *graph, *other;
  lw_room_step step;
  lw_room_plan_query query = lw_room_plan_query_default();
  int count;
  float cost;
  query.from = here;
  query.to = (lw_vec3){6, 0, 2};
  assert_int_equal(lw_world_set_regions(world, 0, regions), LW_OK);
  REFUSES(world, lw_room_graph_create(NULL, 0, grid.profile, &graph));
  REFUSES(graph, lw_room_graph_create(world, 0, grid.profile, NULL));
  GIVES(profile, lw_room_graph_create(world, 0, NULL, &other), == LW_OK);
  lw_room_graph_destroy(other);
  assert_int_equal(lw_room_graph_create(world, 0, grid.profile, &graph), LW_OK);
  GIVES(graph, lw_room_graph_is_stale(NULL), == false);
  REFUSES(graph, lw_room_graph_refresh(NULL));
  GIVES(graph, lw_room_graph_memory(NULL), == 0);
  REFUSES(graph, lw_room_plan_find(NULL, &query, &step, 1, &count, &cost));
  REFUSES(query, lw_room_plan_find(graph, NULL, &step, 1, &count, &cost));
  REFUSES(steps, lw_room_plan_find(graph, &query, NULL, 1, &count, &cost));
  REFUSES(count, lw_room_plan_find(graph, &query, &step, 1, NULL, &cost));
  GIVES(cost, lw_room_plan_find(graph, &query, &step, 1, &count, NULL), == LW_OK);
  IGNORES(graph, lw_room_graph_destroy(NULL));
  lw_room_graph_destroy(graph);
}

static void every_pointer_is_probed(void **state) {
  (void)state;
  probe_check_headers("regions");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(null_for_rooms), cmocka_unit_test(null_for_edits),
                                     cmocka_unit_test(null_for_worlds), cmocka_unit_test(null_for_plans),
                                     cmocka_unit_test(every_pointer_is_probed)};
  return cmocka_run_group_tests(tests, open_all, close_all);
}
