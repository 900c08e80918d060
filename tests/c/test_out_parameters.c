/* What functions give through pointers when they fail: nothing of an earlier call stays there. */
#include "grid_mesh.h"
#include "leeward/leeward.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const char *const rows[] = {"....", "...."};
static const lw_vec3 here = {1, 0, 1}, nowhere = {NAN, 0, 0}, snap = {2, 4, 2};
static lw_area_table *areas;
static lw_navmesh *navmesh;
static lw_geometry *geometry;
static lw_profile *profile;
static lw_world *world, *other;
static lw_workspace *foreign; /* of the other world */
static lw_agent_id agent;

static lw_world *create_world(void) {
  lw_world_def def = lw_world_def_default();
  lw_world *created;
  def.navmesh = navmesh;
  assert_int_equal(lw_world_create(&def, &created, NULL), LW_OK);
  return created;
}

static int open_all(void **state) {
  (void)state;
  areas = support_areas((const char *const[]){"ground"}, 1);
  navmesh = support_grid(areas, rows, 2, 4);
  assert_int_equal(lw_geometry_create(areas, NULL, &geometry), LW_OK);
  lw_profile_def human = lw_profile_def_default();
  assert_int_equal(lw_profile_create(&human, areas, &profile, NULL), LW_OK);
  world = create_world();
  other = create_world();
  foreign = lw_workspace_create(other);
  lw_agent_def def = lw_agent_def_default();
  def.profile = profile;
  def.at = here;
  assert_int_equal(lw_agent_spawn(world, &def, &agent, NULL), LW_OK);
  return 0;
}

static int close_all(void **state) {
  (void)state;
  lw_workspace_destroy(foreign);
  lw_world_destroy(other);
  lw_world_destroy(world);
  lw_profile_destroy(profile);
  lw_geometry_destroy(geometry);
  lw_navmesh_destroy(navmesh);
  lw_area_table_destroy(areas);
  return 0;
}

static void check_zero(const char *call, const void *value, size_t size) {
  for (size_t i = 0; i < size; i++)
    if (((const unsigned char *)value)[i]) fail_msg("%s: byte %d of the result is not 0", call, (int)i);
}

/* Make the call with a result full of other bytes; it must fail with the status and leave zeros. */
#define ZEROES(result, status, call)                                                                           \
  do {                                                                                                         \
    memset(&(result), 0xab, sizeof(result));                                                                   \
    assert_int_equal(call, status);                                                                            \
    check_zero(#call, &(result), sizeof(result));                                                              \
  } while (0)

static void states_of_what_is_gone_are_zero(void **state) {
  (void)state;
  const lw_agent_id no_agent = lw_agent_id_none();
  lw_agent_state agent_state;
  ZEROES(agent_state, LW_STALE, lw_agent_get_state(world, no_agent, &agent_state));
  ZEROES(agent_state, LW_INVALID, lw_agent_get_state(NULL, agent, &agent_state));
  lw_agent_stats stats;
  ZEROES(stats, LW_STALE, lw_agent_get_stats(world, no_agent, &stats));
  ZEROES(stats, LW_INVALID, lw_agent_get_stats(NULL, agent, &stats));
  lw_danger_state danger;
  ZEROES(danger, LW_STALE, lw_danger_get_state(world, lw_danger_id_none(), &danger));
  lw_obstacle_state obstacle;
  ZEROES(obstacle, LW_STALE, lw_obstacle_get_state(world, lw_obstacle_id_none(), &obstacle));
  const lw_link_info no_link = {.def = lw_link_def_default()};
  lw_link_info link;
  memset(&link, 0xAA, sizeof link);
  assert_int_equal(lw_link_get(world, lw_link_id_none(), &link), LW_STALE);
  assert_true(link.def.capacity == no_link.def.capacity && link.def.name == NULL && link.users == 0);
  lw_fire_lane_state lane;
  ZEROES(lane, LW_STALE, lw_fire_lane_get_state(world, lw_fire_lane_id_none(), &lane));
  lw_group_state group;
  ZEROES(group, LW_STALE, lw_group_get_state(world, lw_group_id_none(), &group));
  lw_vec3 group_place;
  ZEROES(group_place, LW_NOT_FOUND, lw_group_place(world, agent, &group_place));
  lw_threat_state threat;
  ZEROES(threat, LW_STALE, lw_threat_get_state(world, lw_threat_id_none(), &threat));
  lw_vec3 at;
  float leash;
  ZEROES(at, LW_EMPTY, lw_agent_get_cover(world, agent, &at, NULL));
  ZEROES(leash, LW_STALE, lw_agent_get_cover(world, no_agent, &at, &leash));
  lw_poly poly;
  ZEROES(poly, LW_STALE, lw_navmesh_get_poly(navmesh, 0, &poly));
  lw_added_cover cover;
  ZEROES(cover, LW_NOT_FOUND, lw_navmesh_get_added_cover(navmesh, 0, &cover));
  lw_saved_agent saved;
  ZEROES(saved, LW_INVALID, lw_saved_get_agent(NULL, 0, &saved));
  bool seen;
  ZEROES(seen, LW_STALE, lw_agent_is_seen(world, NULL, no_agent, NULL, 0, &seen));
}

static void answers_of_refused_queries_are_zero(void **state) {
  (void)state;
  lw_exposure exposure;
  lw_exposure_query sight = lw_exposure_query_default();
  ZEROES(exposure, LW_INVALID, lw_exposure_find(NULL, NULL, &sight, &exposure));
  ZEROES(exposure, LW_INVALID, lw_exposure_find(world, foreign, &sight, &exposure));
  sight.from = nowhere;
  ZEROES(exposure, LW_INVALID, lw_exposure_find(world, NULL, &sight, &exposure));
  lw_location location;
  lw_random_point_query point = lw_random_point_query_default();
  ZEROES(location, LW_INVALID, lw_random_point_find(world, NULL, &point, &location)); /* no `random` */
  ZEROES(location, LW_INVALID, lw_random_point_find(NULL, NULL, &point, &location));
  int count;
  lw_cover_segment_query segments = lw_cover_segment_query_default();
  segments.around = nowhere;
  ZEROES(count, LW_INVALID, lw_cover_segment_find(world, &segments, NULL, 0, &count));
  ZEROES(count, LW_INVALID, lw_cover_segment_find(NULL, &segments, NULL, 0, &count));
  ZEROES(count, LW_INVALID, lw_navmesh_cover_map(navmesh, nowhere, NULL, 0, &count));
  ZEROES(count, LW_NOT_FOUND, lw_navmesh_cover_map(navmesh, (lw_vec3){0, 0, 0}, NULL, 0, &count));
  lw_cover_point cover;
  lw_cover_query places = lw_cover_query_default();
  ZEROES(count, LW_INVALID, lw_cover_find(world, NULL, &places, &cover, 1, &count)); /* no threat */
  ZEROES(count, LW_INVALID, lw_cover_find(NULL, NULL, &places, &cover, 1, &count));
  lw_path *path;
  lw_path_query query = lw_path_query_default();
  ZEROES(path, LW_INVALID, lw_path_find(world, foreign, &query, &path));
  bool exists;
  lw_path_exists_query ends = lw_path_exists_query_default();
  ZEROES(exists, LW_INVALID, lw_path_exists(world, foreign, &ends, &exists));
  int columns, rows_of_tiles;
  ZEROES(columns, LW_EMPTY, lw_bake_count_tiles(geometry, NULL, &columns, &rows_of_tiles, NULL));
  ZEROES(rows_of_tiles, LW_INVALID, lw_bake_count_tiles(NULL, NULL, &columns, &rows_of_tiles, NULL));
  float height;
  ZEROES(height, LW_NO_POINT, lw_navmesh_height(navmesh, (lw_vec3){-99, 0, 0}, NULL, &height));
  ZEROES(height, LW_INVALID, lw_navmesh_water_depth(NULL, here, &height));
  lw_poly_id polygons[4];
  const lw_circle circle = {{here, 0}, 1};
  ZEROES(count, LW_STALE, lw_navmesh_polygons_around(navmesh, circle, NULL, polygons, 4, &count));
  ZEROES(count, LW_INVALID, lw_navmesh_polygons_around(NULL, circle, NULL, polygons, 4, &count));
}

/* What the headers name instead of zeros. */
static void other_results_are_neutral(void **state) {
  (void)state;
  const lw_location start = {here, 0};
  lw_location at = {snap, 7};
  assert_int_equal(lw_navmesh_nearest(NULL, here, snap, NULL, &at), LW_INVALID);
  assert_true(at.point.x == here.x && at.poly == 0);
  at = (lw_location){snap, 7};
  int index = 7;
  assert_int_equal(lw_world_find_navmesh(NULL, here, snap, NULL, &index, &at), LW_INVALID);
  assert_true(index == -1 && at.point.x == here.x && at.poly == 0);
  at = (lw_location){snap, 7};
  assert_int_equal(lw_navmesh_move(NULL, start, snap, NULL, &at), LW_INVALID);
  assert_true(at.point.x == here.x && at.poly == 0);
  lw_raycast ray = {.hit = true, .t = 1};
  assert_int_equal(lw_navmesh_raycast(NULL, start, snap, NULL, &ray), LW_INVALID);
  assert_true(!ray.hit && ray.t == 0 && ray.at.point.x == here.x);
  lw_wall wall = {.found = true};
  assert_int_equal(lw_navmesh_distance_to_wall(NULL, start, 3, NULL, &wall), LW_INVALID);
  assert_true(!wall.found && wall.distance == 3);
  lw_link link = {.length = 7};
  assert_int_equal(lw_navmesh_get_link(NULL, 0, &link), LW_INVALID);
  assert_true(link.length == 0 && link.def.radius == lw_link_def_default().radius);
  lw_world_link world_link = {.requested_by = 7};
  assert_int_equal(lw_world_get_link(NULL, 0, &world_link), LW_INVALID);
  assert_true(world_link.requested_by == -1 && world_link.from_navmesh == -1);
  lw_reachable_area area = {.area = 7};
  const lw_reachable_area_query query = lw_reachable_area_query_default();
  assert_int_equal(lw_reachable_area_find(world, foreign, &query, &area), LW_INVALID);
  assert_true(area.area == 0 && area.polygon_count == 0 && area.navmesh == -1);
}

/* The contract of lw_agent_move_to(): a refused order changes nothing, a failed one ends in LW_MOVE_FAILED. */
static void a_refused_order_leaves_the_earlier_one(void **state) {
  (void)state;
  lw_agent_state now;
  assert_int_equal(lw_agent_move_to(world, agent, (lw_vec3){14, 0, 6}, 0.1f), LW_OK);
  assert_int_equal(lw_agent_move_to(world, agent, here, -1), LW_INVALID);
  assert_int_equal(lw_agent_move_to(world, agent, nowhere, 0.1f), LW_INVALID);
  assert_int_equal(lw_agent_get_state(world, agent, &now), LW_OK);
  assert_true(now.move == LW_MOVE_WALKING && now.goal.x == 14);
  assert_int_equal(lw_agent_move_to(world, agent, (lw_vec3){99, 0, 6}, 0.1f), LW_NO_GOAL);
  assert_int_equal(lw_agent_get_state(world, agent, &now), LW_OK);
  assert_true(now.move == LW_MOVE_FAILED && now.failure == LW_NO_GOAL && now.remaining == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(states_of_what_is_gone_are_zero),
      cmocka_unit_test(answers_of_refused_queries_are_zero),
      cmocka_unit_test(other_results_are_neutral),
      cmocka_unit_test(a_refused_order_leaves_the_earlier_one),
  };
  return cmocka_run_group_tests(tests, open_all, close_all);
}
