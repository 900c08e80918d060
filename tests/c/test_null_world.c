/* NULL for every pointer of the public functions that hold a world and query it: a status or a neutral value, never a crash. */
#include "grid_world.h"
#include "leeward/leeward.h"
#include "null_probe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* --- what the probes need ---------------------------------------------------------------------------------- */

static const lw_vec3 here = {1, 0, 1}, there = {6, 0, 1}, size = {1, 1, 1};
static grid_world grid;
static lw_geometry *geometry;
static lw_navmesh *navmesh;
static lw_profile *profile;
static lw_world *world, *no_world;
static lw_workspace *workspace;
static lw_path *path, *no_path;
static lw_path_query path_query;
static lw_explanation *explanation, *no_explanation;
static lw_agent_id agent;
static lw_location at;
static char text[64];

static int open_all(void **state) {
  (void)state;
  grid = grid_world_open_plain();
  navmesh = grid.mesh;
  profile = grid.profile;
  world = grid.world;
  assert_int_equal(lw_geometry_create(grid.areas, NULL, &geometry), LW_OK);
  workspace = lw_workspace_create(world);
  assert_non_null(workspace);
  lw_agent_def agent_def = lw_agent_def_default();
  agent_def.profile = profile;
  agent_def.at = here;
  assert_int_equal(lw_agent_spawn(world, &agent_def, &agent, NULL), LW_OK);
  path_query = lw_path_query_default();
  path_query.from = here;
  path_query.to = there;
  assert_int_equal(lw_path_find(world, NULL, &path_query, &path), LW_OK);
  assert_int_equal(lw_path_explain(path, world, NULL, &path_query, &explanation), LW_OK);
  assert_int_equal(lw_navmesh_nearest(navmesh, here, size, NULL, &at), LW_OK);
  return 0;
}

static int close_all(void **state) {
  (void)state;
  lw_explanation_destroy(explanation);
  lw_path_destroy(path);
  lw_workspace_destroy(workspace);
  lw_geometry_destroy(geometry);
  grid_world_close(&grid);
  return 0;
}

/* --- world.h, workspace.h ---------------------------------------------------------------------------------- */

static void null_for_worlds(void **state) {
  (void)state;
  lw_world_def def = lw_world_def_default();
  lw_world_link link;
  int index;
  lw_location location;
  const char *no_format = NULL;
  REFUSES(def, lw_world_create(NULL, &no_world, probe_error));
  REFUSES(world, lw_world_create(&def, NULL, probe_error));
  assert_int_equal(lw_world_create(&def, &no_world, NULL), LW_INVALID);
  def.navmesh = navmesh;
  def.link_count = 1;
  assert_int_equal(lw_world_create(&def, &no_world, NULL), LW_INVALID);
  IGNORES(world, lw_world_destroy(NULL));
  REFUSES(world, lw_world_step(NULL, 0.1f));
  GIVES(world, lw_world_time(NULL), == 0);
  GIVES(world, lw_world_steps(NULL), == 0);
  GIVES(world, lw_world_number(NULL), == 0);
  GIVES(world, lw_world_hash(NULL), == 0);
  GIVES(world, lw_world_memory(NULL), == 0);
  GIVES(world, lw_world_navmesh(NULL), == NULL);
  GIVES(world, lw_world_navmesh_count(NULL), == 0);
  GIVES(world, lw_world_navmesh_at(NULL, 0), == NULL);
  GIVES(world, lw_world_navmesh_index(NULL, navmesh), == -1);
  GIVES(navmesh, lw_world_navmesh_index(world, NULL), == -1);
  REFUSES(world, lw_world_find_navmesh(NULL, here, size, profile, &index, &location));
  GIVES(profile, lw_world_find_navmesh(world, here, size, NULL, &index, &location), == LW_OK);
  GIVES(navmesh, lw_world_find_navmesh(world, here, size, profile, NULL, &location), == LW_OK);
  GIVES(at, lw_world_find_navmesh(world, here, size, profile, &index, NULL), == LW_OK);
  GIVES(world, lw_world_link_count(NULL), == 0);
  REFUSES(world, lw_world_get_link(NULL, 0, &link));
  REFUSES(link, lw_world_get_link(world, 0, NULL));
  GIVES(world, lw_world_agent_count(NULL), == 0);
  GIVES(world, lw_world_random_stream(NULL), == NULL);
  IGNORES(world, lw_world_log(NULL, LW_LOG_ERROR, "%d", 1));
  lw_world_log(world, (lw_log_level)77, "a level that there is not");
  IGNORES(format, lw_world_log(world, LW_LOG_ERROR, no_format, 1));
  GIVES(world, lw_workspace_create(NULL), == NULL);
  IGNORES(workspace, lw_workspace_destroy(NULL));
  GIVES(workspace, lw_workspace_memory(NULL), == 0);
}

/* --- agent.h, save.h --------------------------------------------------------------------------------------- */

static void null_for_agents(void **state) {
  (void)state;
  lw_agent_def def = lw_agent_def_default();
  lw_agent_id id;
  lw_agent_state now;
  lw_agent_stats stats;
  REFUSES(world, lw_agent_spawn(NULL, &def, &id, probe_error));
  REFUSES(def, lw_agent_spawn(world, NULL, &id, probe_error));
  REFUSES(agent, lw_agent_spawn(world, &def, NULL, probe_error));
  assert_int_equal(lw_agent_spawn(world, &def, &id, NULL), LW_INVALID);
  REFUSES(world, lw_agent_despawn(NULL, agent));
  REFUSES(world, lw_agent_kill(NULL, agent));
  REFUSES(world, lw_agent_get_state(NULL, agent, &now));
  REFUSES(state, lw_agent_get_state(world, agent, NULL));
  REFUSES(world, lw_agent_get_stats(NULL, agent, &stats));
  REFUSES(stats, lw_agent_get_stats(world, agent, NULL));
  lw_pose pose;
  REFUSES(world, lw_agent_pose(NULL, agent, 1, &pose));
  REFUSES(pose, lw_agent_pose(world, agent, 1, NULL));
  lw_whisker whiskers[LW_WHISKERS_MAX];
  GIVES(world, lw_agent_whiskers(NULL, agent, whiskers), == 0);
  GIVES(whiskers, lw_agent_whiskers(world, agent, NULL), == 0);
  REFUSES(world, lw_agent_set_external(NULL, agent, now.position, now.velocity));
  REFUSES(world, lw_agent_end_external(NULL, agent));
  GIVES(world, lw_agent_is_external(NULL, agent), == false);
  GIVES(world, lw_agent_blocker(NULL, agent, NULL).slot, == 0);
  GIVES(seconds, lw_agent_blocker(world, agent, NULL).slot, == 0);
  GIVES(world, lw_agent_desired_velocity(NULL, agent).x, == 0);
  GIVES(world, lw_agent_path(NULL, agent), == NULL);
  GIVES(world, lw_agent_drive(NULL, agent), == NULL);
  GIVES(world, lw_agent_tree(NULL, agent), == NULL);
  GIVES(world, lw_agent_why(NULL, agent, text, sizeof text), == 0);
  GIVES(text, lw_agent_why(world, agent, NULL, 5), > 0);
  GIVES(world, lw_agent_why_in_detail(NULL, agent, text, sizeof text), == 0);
  GIVES(text, lw_agent_why_in_detail(world, agent, NULL, 5), > 0);
  lw_history_entry entry = {.kind = LW_HISTORY_ARRIVED};
  REFUSES(world, lw_world_set_history(NULL, 3));
  GIVES(world, lw_world_get_history_size(NULL), == 0);
  GIVES(world, lw_agent_get_history(NULL, agent, 1, &entry, 1), == 0);
  GIVES(entries, lw_agent_get_history(world, agent, 1, NULL, 1), >= 0);
  GIVES(world, lw_world_get_history(NULL, 1, &entry, 1), == 0);
  GIVES(entries, lw_world_get_history(world, 1, NULL, 1), >= 0);
  GIVES(entry, lw_history_text(NULL, text, sizeof text), == 0);
  entry.kind = LW_HISTORY_ARRIVED;
  GIVES(text, lw_history_text(&entry, NULL, 5), > 0);
  GIVES(world, lw_agent_next(NULL, agent).generation, == 0);
  REFUSES(world, lw_agent_move_to(NULL, agent, there, 0));
  const lw_move_options options = lw_move_options_default();
  REFUSES(world, lw_agent_move_with(NULL, agent, there, &options));
  GIVES(options, lw_agent_move_with(world, lw_agent_id_none(), there, NULL), == LW_STALE);
  REFUSES(world, lw_agent_stop(NULL, agent));
  const lw_agents_query around = lw_agents_query_default();
  GIVES(world, lw_agents_around(NULL, &around, NULL, 0), == -1);
  GIVES(query, lw_agents_around(world, NULL, NULL, 0), == -1);
  GIVES(agents, lw_agents_around(world, &around, NULL, 1), == -1);
  GIVES(world, lw_agent_sees(NULL, agent, agent), == false);
  GIVES(world, lw_agent_is_seen_from(NULL, agent, there, false), == false);
  REFUSES(world, lw_agent_note_failure(NULL, agent, 0, "why"));
  GIVES(reason, lw_agent_note_failure(world, agent, 0, NULL), == LW_NOT_FOUND); /* it has no tree */
  REFUSES(world, lw_agent_set_tree(NULL, agent, NULL));
  GIVES(tree, lw_agent_set_tree(world, agent, NULL), == LW_OK);
  const lw_node_def wait = {.kind = LW_WAIT};
  const lw_tree_def waits = {.name = "waits", .nodes = &wait, .node_count = 1};
  lw_tree *tree;
  assert_int_equal(lw_tree_create(&waits, &tree, NULL), LW_OK);
  REFUSES(world, lw_agent_replace_tree(NULL, agent, tree, &(int){0}));
  REFUSES(tree, lw_agent_replace_tree(world, agent, NULL, &(int){0}));
  REFUSES(nodes, lw_agent_replace_tree(world, agent, tree, NULL));
  lw_tree_destroy(tree);
  GIVES(world, lw_agent_run(NULL, agent), == NULL);
  GIVES(world, lw_agent_random_stream(NULL, agent), == NULL);
}

static void null_for_what_agents_are_given(void **state) {
  (void)state;
  REFUSES(world, lw_agent_set_profile(NULL, agent, profile));
  REFUSES(profile, lw_agent_set_profile(world, agent, NULL));
  REFUSES(world, lw_agent_set_journey_profile(NULL, agent, profile));
  GIVES(profile, lw_agent_set_journey_profile(world, agent, NULL), == LW_NOT_FOUND);
  REFUSES(world, lw_agent_set_pace(NULL, agent, LW_FAST));
  REFUSES(world, lw_agent_set_heading(NULL, agent, 1));
  REFUSES(world, lw_agent_set_stance(NULL, agent, "crouch"));
  REFUSES(stance, lw_agent_set_stance(world, agent, NULL));
  REFUSES(world, lw_agent_set_reason(NULL, agent, "reason"));
  REFUSES(reason, lw_agent_set_reason(world, agent, NULL));
}

static void null_for_threats(void **state) {
  (void)state;
  const lw_threat_def def = lw_threat_def_default();
  const lw_threat threat = lw_threat_default();
  lw_threat known;
  lw_threat_id id;
  lw_threat_state now;
  bool seen;
  REFUSES(world, lw_threat_add(NULL, &def, &id, probe_error));
  REFUSES(def, lw_threat_add(world, NULL, &id, probe_error));
  REFUSES(threat, lw_threat_add(world, &def, NULL, probe_error));
  assert_int_equal(lw_threat_count(world), 0);
  assert_int_equal(lw_threat_add(world, &def, &id, NULL), LW_OK);
  REFUSES(world, lw_threat_set(NULL, id, &threat));
  REFUSES(numbers, lw_threat_set(world, id, NULL));
  REFUSES(world, lw_threat_remove(NULL, id));
  REFUSES(world, lw_threat_get_state(NULL, id, &now));
  REFUSES(state, lw_threat_get_state(world, id, NULL));
  GIVES(world, lw_threat_next(NULL, id).generation, == 0);
  GIVES(world, lw_threat_count(NULL), == 0);
  GIVES(world, lw_threat_version(NULL), == 0);
  REFUSES(world, lw_agent_learn_threat(NULL, agent, id));
  REFUSES(world, lw_agent_forget_threat(NULL, agent, id));
  GIVES(world, lw_agent_knows_threat(NULL, agent, id), == false);
  REFUSES(world, lw_agent_set_threats(NULL, agent, &threat, 1));
  REFUSES(threats, lw_agent_set_threats(world, agent, NULL, 1));
  GIVES(world, lw_agent_get_threats(NULL, agent, &known, 1), == 0);
  GIVES(threats, lw_agent_get_threats(world, agent, NULL, 1), == 0);
  REFUSES(world, lw_agent_is_seen(NULL, workspace, agent, &threat, 1, &seen));
  REFUSES(seen, lw_agent_is_seen(world, workspace, agent, &threat, 1, NULL));
  GIVES(workspace, lw_agent_is_seen(world, NULL, agent, &threat, 1, &seen), == LW_OK);
  GIVES(threats, lw_agent_is_seen(world, workspace, agent, NULL, 0, &seen), == LW_OK);
}

static void null_for_timed_regions(void **state) {
  (void)state;
  const lw_danger_def danger_def = lw_danger_def_default();
  lw_danger_id danger;
  lw_danger_state danger_now;
  REFUSES(world, lw_danger_add(NULL, &danger_def, &danger, probe_error));
  REFUSES(def, lw_danger_add(world, NULL, &danger, probe_error));
  REFUSES(danger, lw_danger_add(world, &danger_def, NULL, probe_error));
  assert_int_equal(lw_danger_count(world), 0);
  assert_int_equal(lw_danger_add(world, &danger_def, &danger, NULL), LW_OK);
  REFUSES(world, lw_danger_remove(NULL, danger));
  REFUSES(world, lw_danger_get_state(NULL, danger, &danger_now));
  REFUSES(state, lw_danger_get_state(world, danger, NULL));
  GIVES(world, lw_danger_count(NULL), == 0);
  GIVES(world, lw_danger_next(NULL, danger).generation, == 0);

  lw_fire_lane_def lane_def = lw_fire_lane_def_default();
  lw_fire_lane_id lane;
  lw_fire_lane_state lane_now;
  lane_def.to = there;
  REFUSES(world, lw_fire_lane_add(NULL, &lane_def, &lane, probe_error));
  REFUSES(def, lw_fire_lane_add(world, NULL, &lane, probe_error));
  REFUSES(lane, lw_fire_lane_add(world, &lane_def, NULL, probe_error));
  assert_int_equal(lw_fire_lane_count(world), 0);
  assert_int_equal(lw_fire_lane_add(world, &lane_def, &lane, NULL), LW_OK);
  REFUSES(world, lw_fire_lane_remove(NULL, lane));
  REFUSES(world, lw_fire_lane_get_state(NULL, lane, &lane_now));
  REFUSES(state, lw_fire_lane_get_state(world, lane, NULL));
  GIVES(world, lw_fire_lane_count(NULL), == 0);
  GIVES(world, lw_fire_lane_next(NULL, lane).generation, == 0);
}

/* --- obstacle.h, permutation.h ------------------------------------------------------------------------------ */

static void null_for_obstacles(void **state) {
  (void)state;
  const lw_obstacle_def def = lw_obstacle_def_default();
  lw_obstacle_id obstacle;
  lw_obstacle_state now;
  lw_vec3 corners[LW_OBSTACLE_POINTS_MAX];
  float height;
  REFUSES(world, lw_obstacle_add(NULL, &def, &obstacle, probe_error));
  REFUSES(def, lw_obstacle_add(world, NULL, &obstacle, probe_error));
  REFUSES(obstacle, lw_obstacle_add(world, &def, NULL, probe_error));
  assert_int_equal(lw_obstacle_count(world), 0);
  assert_int_equal(lw_obstacle_add(world, &def, &obstacle, NULL), LW_OK);
  REFUSES(world, lw_obstacle_move(NULL, obstacle, there, 0, &there));
  GIVES(velocity, lw_obstacle_move(world, obstacle, there, 0, NULL), == LW_OK);
  REFUSES(world, lw_obstacle_get_state(NULL, obstacle, &now));
  REFUSES(state, lw_obstacle_get_state(world, obstacle, NULL));
  GIVES(world, lw_obstacle_outline(NULL, obstacle, corners, &height), == 0);
  GIVES(corners, lw_obstacle_outline(world, obstacle, NULL, &height), == 0);
  GIVES(height, lw_obstacle_outline(world, obstacle, corners, NULL), == 4);
  GIVES(world, lw_obstacle_count(NULL), == 0);
  GIVES(world, lw_obstacle_next(NULL, obstacle).generation, == 0);
  REFUSES(world, lw_world_apply_changes(NULL));
  REFUSES(world, lw_world_set_navmesh(NULL, 0, navmesh, NULL));
  REFUSES(navmesh, lw_world_set_navmesh(world, 0, NULL, NULL));
  GIVES(error, lw_world_set_navmesh(world, 0, navmesh, NULL), == LW_OK);
  GIVES(world, lw_world_base_navmesh(NULL, 0), == NULL);
  GIVES(world, lw_world_uses_navmesh(NULL, navmesh), == false);
  GIVES(navmesh, lw_world_uses_navmesh(world, NULL), == false);
  REFUSES(world, lw_obstacle_remove(NULL, obstacle));
  assert_int_equal(lw_obstacle_remove(world, obstacle), LW_OK);
  assert_int_equal(lw_world_apply_changes(world), LW_OK);
}

static void null_for_permutations(void **state) {
  (void)state;
  const lw_permutation_state_def states[] = {{.name = "shut"}};
  lw_permutation_def def = lw_permutation_def_default();
  def.name = "door";
  def.states = states;
  def.state_count = 1;
  REFUSES(world, lw_permutation_check(NULL, &def, probe_error));
  REFUSES(def, lw_permutation_check(world, NULL, probe_error));
  REFUSES(world, lw_permutation_define(NULL, &def, probe_error));
  REFUSES(def, lw_permutation_define(world, NULL, probe_error));
  assert_int_equal(lw_permutation_count(world), 0);
  assert_int_equal(lw_permutation_define(world, &def, NULL), LW_OK);
  REFUSES(world, lw_permutation_set(NULL, "door", "shut", probe_error));
  REFUSES(name, lw_permutation_set(world, NULL, "shut", probe_error));
  REFUSES(state, lw_permutation_set(world, "door", NULL, probe_error));
  GIVES(world, lw_permutation_state(NULL, "door"), == NULL);
  GIVES(name, lw_permutation_state(world, NULL), == NULL);
  GIVES(world, lw_permutation_is_applied(NULL, "door"), == false);
  GIVES(name, lw_permutation_is_applied(world, NULL), == false);
  GIVES(world, lw_permutation_count(NULL), == 0);
  GIVES(world, lw_permutation_name(NULL, 0), == NULL);
  GIVES(world, lw_permutation_state_count(NULL, "door"), == 0);
  GIVES(name, lw_permutation_state_count(world, NULL), == 0);
  GIVES(world, lw_permutation_state_name(NULL, "door", 0), == NULL);
  GIVES(name, lw_permutation_state_name(world, NULL, 0), == NULL);
}

/* --- cover.h, cover_points.h, query.h ---------------------------------------------------------------------- */

static void null_for_sight(void **state) {
  (void)state;
  lw_exposure_query query = lw_exposure_query_default();
  lw_exposure exposure;
  REFUSES(world, lw_exposure_find(NULL, workspace, &query, &exposure));
  REFUSES(query, lw_exposure_find(world, workspace, NULL, &exposure));
  REFUSES(exposure, lw_exposure_find(world, workspace, &query, NULL));
  GIVES(workspace, lw_exposure_find(world, NULL, &query, &exposure), == LW_OK);
  query.hidden_capacity = 1;
  assert_int_equal(lw_exposure_find(world, NULL, &query, &exposure), LW_OK);
  query.threat_count = 1;
  assert_int_equal(lw_exposure_find(world, NULL, &query, &exposure), LW_INVALID);
  GIVES(world, lw_world_sees(NULL, here, there, false), == false);
  REFUSES(world, lw_world_set_visibility(NULL, "team", 1));
  GIVES(team, lw_world_set_visibility(world, NULL, 1), == LW_OK);
  GIVES(world, lw_world_get_visibility(NULL, "team"), == 0);
  GIVES(team, lw_world_get_visibility(world, NULL), == 1);
}

static void null_for_cover(void **state) {
  (void)state;
  const lw_cover_segment_query segment_query = lw_cover_segment_query_default();
  lw_cover_segment segment;
  int count;
  REFUSES(world, lw_cover_segment_find(NULL, &segment_query, &segment, 1, &count));
  REFUSES(query, lw_cover_segment_find(world, NULL, &segment, 1, &count));
  REFUSES(segments, lw_cover_segment_find(world, &segment_query, NULL, 1, &count));
  REFUSES(count, lw_cover_segment_find(world, &segment_query, &segment, 1, NULL));

  lw_cover_query query = lw_cover_query_default();
  const lw_threat threat = lw_threat_default();
  lw_cover_point point;
  query.around = here;
  query.threat_count = 1;
  assert_int_equal(lw_cover_find(world, NULL, &query, &point, 1, &count), LW_INVALID);
  query.threats = &threat;
  REFUSES(world, lw_cover_find(NULL, workspace, &query, &point, 1, &count));
  REFUSES(query, lw_cover_find(world, workspace, NULL, &point, 1, &count));
  REFUSES(points, lw_cover_find(world, workspace, &query, NULL, 1, &count));
  REFUSES(count, lw_cover_find(world, workspace, &query, &point, 1, NULL));
  GIVES(workspace, lw_cover_find(world, NULL, &query, &point, 1, &count), == LW_NO_POINT);

  lw_added_cover added;
  GIVES(navmesh, lw_navmesh_added_cover_count(NULL), == 0);
  REFUSES(navmesh, lw_navmesh_get_added_cover(NULL, 0, &added));
  REFUSES(added, lw_navmesh_get_added_cover(navmesh, 0, NULL));
  lw_cover_map_segment listed;
  REFUSES(navmesh, lw_navmesh_cover_map(NULL, here, &listed, 1, &count));
  REFUSES(segments, lw_navmesh_cover_map(navmesh, here, NULL, 1, &count));
  REFUSES(count, lw_navmesh_cover_map(navmesh, here, &listed, 1, NULL));

  lw_vec3 place;
  float leash;
  REFUSES(world, lw_agent_reserve_cover(NULL, agent, here, 1));
  assert_int_equal(lw_agent_reserve_cover(world, agent, here, 1), LW_OK);
  REFUSES(world, lw_agent_get_cover(NULL, agent, &place, &leash));
  REFUSES(at, lw_agent_get_cover(world, agent, NULL, &leash));
  GIVES(leash, lw_agent_get_cover(world, agent, &place, NULL), == LW_OK);
  REFUSES(world, lw_agent_set_cover_stance(NULL, agent, "crouch"));
  REFUSES(stance, lw_agent_set_cover_stance(world, agent, NULL));
  REFUSES(world, lw_agent_release_cover(NULL, agent));
  GIVES(world, lw_agent_lost_cover(NULL, agent), == false);
}

static void null_for_queries(void **state) {
  (void)state;
  lw_location location;
  lw_random random = lw_random_create(1, 0);
  lw_random_point_query point_query = lw_random_point_query_default();
  point_query.anywhere = true;
  assert_int_equal(lw_random_point_find(world, NULL, &point_query, &location), LW_INVALID);
  point_query.random = &random;
  REFUSES(world, lw_random_point_find(NULL, workspace, &point_query, &location));
  REFUSES(query, lw_random_point_find(world, workspace, NULL, &location));
  REFUSES(location, lw_random_point_find(world, workspace, &point_query, NULL));
  GIVES(workspace, lw_random_point_find(world, NULL, &point_query, &location), == LW_OK);

  lw_path_exists_query exists_query = lw_path_exists_query_default();
  bool exists;
  exists_query.from = here;
  exists_query.to = there;
  REFUSES(world, lw_path_exists(NULL, workspace, &exists_query, &exists));
  REFUSES(query, lw_path_exists(world, workspace, NULL, &exists));
  REFUSES(exists, lw_path_exists(world, workspace, &exists_query, NULL));
  GIVES(workspace, lw_path_exists(world, NULL, &exists_query, &exists), == LW_OK);

  lw_reachable_area_query area_query = lw_reachable_area_query_default();
  lw_reachable_area area;
  area_query.from = here;
  area_query.capacity = 1;
  REFUSES(world, lw_reachable_area_find(NULL, workspace, &area_query, &area));
  REFUSES(query, lw_reachable_area_find(world, workspace, NULL, &area));
  REFUSES(result, lw_reachable_area_find(world, workspace, &area_query, NULL));
  GIVES(workspace, lw_reachable_area_find(world, NULL, &area_query, &area), == LW_OK);
}

static void null_for_paths(void **state) {
  (void)state;
  int count = 9;
  REFUSES(world, lw_path_find(NULL, workspace, &path_query, &no_path));
  REFUSES(query, lw_path_find(world, workspace, NULL, &no_path));
  REFUSES(path, lw_path_find(world, workspace, &path_query, NULL));
  GIVES(workspace, lw_path_find(world, NULL, &path_query, &no_path), == LW_OK);
  lw_path_destroy(no_path);
  IGNORES(path, lw_path_destroy(NULL));
  GIVES(path, lw_path_points(NULL, &count), == NULL);
  assert_int_equal(count, 0);
  GIVES(count, lw_path_points(path, NULL), != NULL);
  count = 9;
  GIVES(path, lw_path_arcs(NULL, &count), == NULL);
  GIVES(count, lw_path_arcs(path, NULL), == NULL);
  GIVES(path, lw_path_corridor(NULL, &count), == NULL);
  assert_int_equal(count, 0);
  GIVES(count, lw_path_corridor(path, NULL), != NULL);
  GIVES(path, lw_path_area(NULL, 0), == LW_AREA_NONE);
  GIVES(path, lw_path_stance(NULL, 0), == LW_STAND);
  GIVES(path, lw_path_link(NULL, 0), == LW_LINK_NONE);
  GIVES(path, lw_path_link_id(NULL, 0).generation, == 0);
  GIVES(path, lw_path_remaining(NULL, 0), == 0);
  GIVES(path, lw_path_length(NULL), == 0);
  GIVES(path, lw_path_cost(NULL), == 0);
  GIVES(path, lw_path_is_partial(NULL), == false);
  GIVES(path, lw_path_is_reduced(NULL), == false);
  GIVES(path, lw_path_goal(NULL), == 0);
  GIVES(path, lw_path_navmesh(NULL), == -1);
  GIVES(path, lw_path_navmesh_at(NULL, 0), == -1);
  GIVES(path, lw_path_corridor_navmesh(NULL, 0), == -1);
  GIVES(path, lw_path_exposed(NULL), == 0);
  GIVES(path, lw_path_danger(NULL), == 0);
  GIVES(path, lw_path_nodes(NULL), == 0);
}

static void null_for_explanations(void **state) {
  (void)state;
  int count = 9;
  REFUSES(path, lw_path_explain(NULL, world, workspace, &path_query, &no_explanation));
  REFUSES(explanation, lw_path_explain(path, world, workspace, &path_query, NULL));
  GIVES(world, lw_path_explain(path, NULL, NULL, &path_query, &no_explanation), == LW_OK);
  lw_explanation_destroy(no_explanation);
  GIVES(workspace, lw_path_explain(path, world, NULL, &path_query, &no_explanation), == LW_OK);
  lw_explanation_destroy(no_explanation);
  GIVES(query, lw_path_explain(path, world, workspace, NULL, &no_explanation), == LW_OK);
  lw_explanation_destroy(no_explanation);
  REFUSES(world, lw_agent_explain(NULL, workspace, agent, &no_explanation));
  REFUSES(explanation, lw_agent_explain(world, workspace, agent, NULL));
  GIVES(workspace, lw_agent_explain(world, NULL, agent, &no_explanation), == LW_EMPTY);
  IGNORES(explanation, lw_explanation_destroy(NULL));
  GIVES(explanation, lw_explanation_segments(NULL, &count), == NULL);
  assert_int_equal(count, 0);
  GIVES(count, lw_explanation_segments(explanation, NULL), != NULL);
  GIVES(explanation, lw_explanation_total(NULL), == NULL);
  GIVES(explanation, lw_explanation_comparison(NULL), == NULL);
  GIVES(explanation, lw_explanation_threat_count(NULL), == 0);
  GIVES(explanation, lw_explanation_sentence(NULL, text, sizeof text), == 0);
  GIVES(text, lw_explanation_sentence(explanation, NULL, 9), > 0);
  GIVES(explanation, lw_explanation_table(NULL, text, sizeof text), == 0);
  GIVES(text, lw_explanation_table(explanation, NULL, 9), > 0);
}

static void null_for_drawing(void **state) {
  (void)state;
  const lw_debug_draw draw = {0};
  IGNORES(geometry, lw_geometry_debug_draw(NULL, &draw));
  IGNORES(draw, lw_geometry_debug_draw(geometry, NULL));
  IGNORES(navmesh, lw_navmesh_debug_draw(NULL, LW_DRAW_ALL, &draw));
  IGNORES(draw, lw_navmesh_debug_draw(navmesh, LW_DRAW_ALL, NULL));
  IGNORES(world, lw_world_debug_draw(NULL, LW_DRAW_ALL, agent, &draw));
  IGNORES(draw, lw_world_debug_draw(world, LW_DRAW_ALL, agent, NULL));
  lw_geometry_debug_draw(geometry, &draw);
  lw_world_debug_draw(world, LW_DRAW_ALL, agent, &draw);
}

/* --- link.h ------------------------------------------------------------------------------------------------- */

static void null_for_links(void **state) {
  (void)state;
  const lw_link_id none = lw_link_id_none();
  lw_link_def def = lw_link_def_default();
  lw_link_id link;
  lw_link_info info;
  bool fits;
  def.from = there;
  def.to = (lw_vec3){there.x + 3, there.y, there.z};
  def.name = "link";
  REFUSES(world, lw_link_add(NULL, &def, &link, probe_error));
  REFUSES(def, lw_link_add(world, NULL, &link, probe_error));
  REFUSES(link, lw_link_add(world, &def, NULL, probe_error));
  assert_int_equal(lw_link_add(world, &def, &link, NULL), LW_OK);
  REFUSES(world, lw_link_enable(NULL, link, false));
  REFUSES(world, lw_link_set_cost(NULL, link, 1));
  REFUSES(world, lw_link_set_capacity(NULL, link, 1));
  REFUSES(world, lw_link_get(NULL, link, &info));
  REFUSES(info, lw_link_get(world, link, NULL));
  REFUSES(world, lw_link_fits(NULL, link, profile, &fits));
  REFUSES(profile, lw_link_fits(world, link, NULL, &fits));
  REFUSES(fits, lw_link_fits(world, link, profile, NULL));
  GIVES(world, lw_link_count(NULL), == 0);
  GIVES(world, lw_link_next(NULL, none).generation, == 0);
  GIVES(world, lw_link_find(NULL, "link", none).generation, == 0);
  GIVES(name, lw_link_find(world, NULL, none).generation, == 0);
  REFUSES(world, lw_agent_finish_link(NULL, lw_agent_id_none()));
  REFUSES(world, lw_link_remove(NULL, link));
  assert_int_equal(lw_link_remove(world, link), LW_OK);
  assert_int_equal(lw_world_apply_changes(world), LW_OK);
}

static void null_for_crowds(void **state) {
  (void)state;
  lw_crowd_stats crowd;
  REFUSES(world, lw_world_get_crowd_stats(NULL, &crowd));
  REFUSES(stats, lw_world_get_crowd_stats(world, NULL));
}

static void every_pointer_of_the_headers_has_a_probe(void **state) {
  (void)state;
  probe_check_headers("world");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(null_for_worlds),
      cmocka_unit_test(null_for_agents),
      cmocka_unit_test(null_for_crowds),
      cmocka_unit_test(null_for_what_agents_are_given),
      cmocka_unit_test(null_for_threats),
      cmocka_unit_test(null_for_timed_regions),
      cmocka_unit_test(null_for_obstacles),
      cmocka_unit_test(null_for_permutations),
      cmocka_unit_test(null_for_links),
      cmocka_unit_test(null_for_sight),
      cmocka_unit_test(null_for_cover),
      cmocka_unit_test(null_for_queries),
      cmocka_unit_test(null_for_paths),
      cmocka_unit_test(null_for_explanations),
      cmocka_unit_test(null_for_drawing),
      cmocka_unit_test(every_pointer_of_the_headers_has_a_probe), /* last: it reads what the others recorded */
  };
  return cmocka_run_group_tests(tests, open_all, close_all);
}
