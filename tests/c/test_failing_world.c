/* A world with agents, trees, threats, dangers and lanes over two navmeshes: every allocation fails in turn in each call
   that changes it or saves it. */
#include "core/hash.h"
#include "core/vec3.h"
#include "failing_place.h"
#include "temp_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define DT (1.0f / 60)

/* --- changing the world --------------------------------------------------------------------------------------- */

static lw_status create_workspace(void *state) {
  place *p = state;
  lw_workspace_destroy(p->workspace);
  p->workspace = lw_workspace_create(p->world);
  return p->workspace ? LW_OK : LW_OUT_OF_MEMORY;
}

static lw_status spawn_walker(void *state) {
  lw_agent_id agent;
  return failing_spawn(state, failing_it.soldier, NULL, failing_start, &agent);
}

static lw_status spawn_thinker(void *state) {
  lw_agent_id agent;
  return failing_spawn(state, failing_it.soldier, failing_it.tree, failing_start, &agent);
}

static lw_status kill_walker(void *state) {
  place *p = state;
  const lw_status status = lw_agent_kill(p->world, p->walker);
  return status == LW_STALE ? LW_OK : status; /* the second time */
}

static lw_status move(void *state) {
  place *p = state;
  return lw_agent_move_to(p->world, p->walker, failing_beyond, 0.5f);
}

static lw_status move_with(void *state) {
  place *p = state;
  const lw_threat threats[] = {lw_threat_default(), lw_threat_default()};
  lw_move_options options = lw_move_options_default();
  options.profile = p->large;
  options.threats = threats;
  options.threat_count = 2;
  return lw_agent_move_with(p->world, p->walker, failing_beyond, &options);
}

static lw_path_query asked_for(const place *p) {
  static lw_threat threat;
  lw_path_query query = lw_path_query_default();
  threat = lw_threat_default();
  threat.at = failing_start;
  query.from = failing_start;
  query.to = failing_goal;
  query.profile = p->soldier;
  query.threats = &threat;
  query.threat_count = 1;
  return query;
}

static lw_status search_in_slices(void *state) {
  place *p = state;
  const lw_path_query query = asked_for(p);
  lw_search *search;
  lw_path *path;
  lw_status status = lw_search_begin(p->world, p->workspace, &query, &search);
  if (status != LW_OK) return status;
  while (lw_search_step(search, 3) == LW_UNFINISHED) continue;
  status = lw_search_finish(search, &path);
  assert_true((status == LW_OK) == (path != NULL));
  lw_path_destroy(path);
  return status;
}

static lw_status request_path(void *state) {
  place *p = state;
  const lw_path_query query = asked_for(p);
  lw_request_id first, second;
  const lw_status status = lw_path_request(p->world, &query, 0, &first);
  return status == LW_OK ? lw_path_request(p->world, &query, 0, &second) : status;
}

/* The planner has no work left, and then some. */
static void open_busy(void *state) {
  place *p = state;
  failing_open_game(state);
  assert_int_equal(lw_world_set_search_work(p->world, 1), LW_OK);
  assert_int_equal(lw_world_step(p->world, 1.0f / 60), LW_OK);
  assert_int_equal(lw_agent_move_to(p->world, p->walker, failing_goal, 0.3f), LW_OK);
  assert_int_equal(request_path(state), LW_OK);
  assert_int_equal(lw_world_set_search_work(p->world, 100000), LW_OK);
}

static lw_status set_profile(void *state) {
  place *p = state;
  return lw_agent_set_profile(p->world, p->walker, p->large);
}

static lw_status set_history(void *state) {
  return lw_world_set_history(((place *)state)->world, 7);
}

static lw_status add_eye(void *state) {
  place *p = state;
  lw_threat_id id;
  return failing_add_threat(p, p->thinker, "blue", &id);
}

static void open_unknown_threat(void *state) {
  place *p = state;
  failing_open_game(p);
  assert_int_equal(failing_add_threat(p, lw_agent_id_none(), NULL, &p->threat), LW_OK);
}

static lw_status add_obstacle(void *state) {
  place *p = state;
  static const lw_vec3 corners[] = {{0, 0, 0}, {2, 0, 0}, {0, 0, 2}};
  lw_obstacle_def def = lw_obstacle_def_default();
  lw_obstacle_id id;
  def.shape = LW_OBSTACLE_POLYGON;
  def.at = lwi_vec3(9, 0, 5);
  def.points = corners;
  def.point_count = 3;
  return lw_obstacle_add(p->world, &def, &id, NULL);
}

static lw_status add_link(void *state) {
  place *p = state;
  lw_link_def def = lw_link_def_default();
  lw_link_id id;
  def.from = lwi_vec3(3, 0, 8);
  def.to = lwi_vec3(9, 0, 8);
  def.bidirectional = true;
  def.name = "lift";
  return lw_link_add(p->world, &def, &id, NULL);
}

/* A game in which links wait to be added, priced and disabled. */
static void open_linked(void *state) {
  place *p = state;
  failing_open_game(state);
  lw_link_id id = lw_link_id_none();
  for (bool on = false; !lw_link_id_is_none(id = lw_link_next(p->world, id)); on = !on) {
    assert_int_equal(lw_link_enable(p->world, id, on), LW_OK);
    assert_int_equal(lw_link_set_cost(p->world, id, 2), LW_OK);
  }
  assert_int_equal(add_link(state), LW_OK);
}

static lw_status bar_link(void *state) {
  place *p = state;
  const lw_permutation_link link = {"lift", false};
  const lw_permutation_state_def states[] = {{.name = "stopped", .links = &link, .link_count = 1}};
  lw_permutation_def def = lw_permutation_def_default();
  def.name = "lift";
  def.states = states;
  def.state_count = 1;
  return lw_permutation_define(p->world, &def, NULL);
}

static lw_status define_permutation(void *state) {
  place *p = state;
  lw_obstacle_def gate = lw_obstacle_def_default();
  gate.at = lwi_vec3(10, 0, 8);
  const lw_permutation_state_def states[] = {{.name = "shut", .volumes = &gate, .volume_count = 1},
                                             {.name = "open"}};
  lw_permutation_def def = lw_permutation_def_default();
  def.name = "gate";
  def.states = states;
  def.state_count = 2;
  return lw_permutation_define(p->world, &def, NULL);
}

/* A game in which obstacles wait to be cut out. */
static void open_blocked(void *state) {
  failing_open_game(state);
  assert_int_equal(add_obstacle(state), LW_OK);
  assert_int_equal(define_permutation(state), LW_OK);
}

/* A runner sees obstacles that move on its whiskers. */
static void open_evading(void *state) {
  place *p = state;
  lw_agent_id runner;
  failing_open_game(state);
  assert_int_equal(failing_spawn(p, p->runner, NULL, lwi_vec3(3, 0, 7), &runner), LW_OK);
  assert_int_equal(lw_agent_move_to(p->world, runner, failing_goal, 0.5f), LW_OK);
  for (int i = 0; i < 3; i++) {
    lw_obstacle_def def = lw_obstacle_def_default();
    lw_obstacle_id id;
    const lw_vec3 velocity = {-2, 0, 0};
    def.at = lwi_vec3(5 + (float)i, 0, 7);
    def.max_speed = 0.1f;
    assert_int_equal(lw_obstacle_add(p->world, &def, &id, NULL), LW_OK);
    assert_int_equal(lw_obstacle_move(p->world, id, def.at, 0, &velocity), LW_OK);
  }
}

static lw_status apply_changes(void *state) {
  place *p = state;
  return lw_world_apply_changes(p->world);
}

/* A navmesh waits to be replaced, with links of all kinds, obstacles and a place behind cover. */
static void open_swapped(void *state) {
  place *p = state;
  open_linked(state);
  assert_int_equal(add_obstacle(state), LW_OK);
  assert_int_equal(lw_world_apply_changes(p->world), LW_OK);
  assert_int_equal(lw_agent_reserve_cover(p->world, p->walker, failing_start, 5), LW_OK);
  assert_int_equal(failing_add_danger(state), LW_OK);
  assert_int_equal(lw_world_set_navmesh(p->world, 0, p->changed, NULL), LW_OK);
}

/* A permutation that has a tile of the other navmesh, and one of its own: tiles have to be put together. */
static lw_status define_tiles(void *state) {
  place *p = state;
  lw_navmesh_tile at, beside;
  assert_int_equal(lw_navmesh_get_tile(p->changed, 0, &at), LW_OK);
  assert_int_equal(lw_navmesh_get_tile(p->near, 1, &beside), LW_OK);
  const lw_permutation_tile tiles[] = {{0, {at.x, at.z, p->changed}}, {0, {beside.x, beside.z, p->near}}};
  const lw_permutation_state_def states[] = {{.name = "old", .tiles = tiles, .tile_count = 2}, {.name = "new"}};
  lw_permutation_def def = lw_permutation_def_default();
  def.name = "house";
  def.states = states;
  def.state_count = 2;
  return lw_permutation_define(p->world, &def, NULL);
}

static void open_tiles(void *state) {
  open_linked(state);
  assert_int_equal(define_tiles(state), LW_OK);
}

static lw_status learn(void *state) {
  place *p = state;
  return lw_agent_learn_threat(p->world, p->walker, p->threat);
}

static lw_status believe(void *state) {
  place *p = state;
  lw_threat threats[3] = {lw_threat_default(), lw_threat_default(), lw_threat_default()};
  for (int i = 0; i < 3; i++) threats[i].at = lwi_vec3((float)i, 2, 5);
  return lw_agent_set_threats(p->world, p->walker, threats, 3);
}

static lw_status set_visibility(void *state) {
  place *p = state;
  return lw_world_set_visibility(p->world, "red", 0.5f);
}

static lw_status step(void *state) {
  place *p = state;
  return lw_world_step(p->world, DT);
}

/* Both agents, which have one profile. */
static lw_status create_group(void *state) {
  place *p = state;
  const lw_agent_id agents[] = {p->walker, p->thinker};
  const lw_vec3 points[] = {{0, 0, 0}, {-1, 0, 1}};
  lw_group_def def = lw_group_def_default();
  lw_group_id group;
  def.agents = agents;
  def.agent_count = def.point_count = 2;
  def.formation = LW_FORMATION_POINTS;
  def.points = points;
  return lw_group_create(p->world, &def, &group, NULL);
}

static void open_group(void *state) {
  place *p = state;
  failing_open_game(p);
  assert_int_equal(create_group(p), LW_OK);
}

static lw_status move_group(void *state) {
  place *p = state;
  return lw_group_move_to(p->world, lw_group_next(p->world, lw_group_id_none()), failing_goal, NULL);
}

static void open_travelling(void *state) {
  open_group(state);
  assert_int_equal(move_group(state), LW_OK);
}

/* --- saving --------------------------------------------------------------------------------------------------- */

static lw_status save(void *state) {
  place *p = state;
  lw_error error = {0};
  const lw_status status = lw_world_save(p->world, failing_file, &error);
  if (status == LW_FILE) assert_non_null(strstr(error.text, "': No space left on device"));
  return status;
}

static uint64_t hash_file(void *state) {
  const file_bytes held = file_read(failing_file);
  const uint64_t hash = lwi_hash(failing_hash_world(state), held.data, held.size);
  free(held.data);
  return hash;
}

static lw_status open_saved(void *state) {
  place *p = state;
  const lw_allocator allocator = support_allocator(&p->memory);
  const lw_status status = lw_saved_open(failing_file, &allocator, &p->opened, NULL);
  assert_true((status == LW_OK) == (p->opened != NULL));
  return status;
}

/* A world that is restored in part is emptied by the next restoring. */
static lw_status restore(void *state) {
  place *p = state;
  lw_status status = lw_world_restore(p->world, p->saved, NULL);
  for (int i = 0; status == LW_OK && i < lw_saved_agent_count(p->saved); i++) {
    lw_saved_agent from;
    lw_agent_id agent;
    assert_int_equal(lw_saved_get_agent(p->saved, i, &from), LW_OK);
    status = failing_spawn(p, p->soldier, from.tree[0] ? p->tree : NULL, from.at, &agent);
    if (status == LW_OK) status = lw_agent_restore(p->world, agent, p->saved, i);
  }
  return status == LW_OK ? lw_world_restore_trees(p->world, p->saved, NULL) : status;
}

/* --- running -------------------------------------------------------------------------------------------------- */

#define RUN(calls) failing_place_run(*state, calls, sizeof(calls) / sizeof *(calls))

static void a_change_happens_or_not(void **state) {
  failing_call calls[] = {
      failing_in_world("create a world", NULL, failing_create_world, FAILING_WHOLE),
      failing_in_world("create a workspace", failing_open_world, create_workspace, FAILING_WHOLE),
      failing_in_world("spawn an agent", failing_open_game, spawn_walker, FAILING_WHOLE),
      failing_in_world("spawn an agent with a tree", failing_open_game, spawn_thinker, FAILING_WHOLE),
      failing_in_world("kill an agent", failing_open_game, kill_walker, FAILING_PARTLY),
      failing_in_world("move to another navmesh", failing_open_game, move, FAILING_PARTLY),
      failing_in_world("move by other costs", failing_open_game, move_with, FAILING_PARTLY),
      failing_in_world("search in slices", failing_open_game, search_in_slices, FAILING_SLOWER),
      failing_in_world("request paths", failing_open_game, request_path, FAILING_PARTLY),
      failing_in_world("move while the planner is busy", open_busy, move_with, FAILING_PARTLY),
      failing_in_world("step with those that wait", open_busy, step, FAILING_PARTLY),
      failing_in_world("set another profile", failing_open_game, set_profile, FAILING_PARTLY),
      failing_in_world("set the length of histories", failing_open_game, set_history, FAILING_PARTLY),
      failing_in_world("add a danger", failing_open_game, failing_add_danger, FAILING_ELSE),
      failing_in_world("add a fire lane", failing_open_game, failing_add_lane, FAILING_ELSE),
      failing_in_world("add a threat to all", failing_open_game, failing_add_public_threat, FAILING_WHOLE),
      failing_in_world("add an agent's eye", failing_open_game, add_eye, FAILING_WHOLE),
      failing_in_world("add an obstacle", failing_open_game, add_obstacle, FAILING_WHOLE),
      failing_in_world("add a link", failing_open_game, add_link, FAILING_WHOLE),
      failing_in_world("bar a link", open_linked, bar_link, FAILING_WHOLE),
      failing_in_world("apply changes of links", open_linked, apply_changes, FAILING_PARTLY),
      failing_in_world("step with links that change", open_linked, step, FAILING_PARTLY),
      failing_in_world("define a permutation", failing_open_game, define_permutation, FAILING_WHOLE),
      failing_in_world("apply changes", open_blocked, apply_changes, FAILING_PARTLY),
      failing_in_world("step with obstacles to cut", open_blocked, step, FAILING_PARTLY),
      failing_in_world("step with obstacles to evade", open_evading, step, FAILING_PARTLY),
      failing_in_world("swap a navmesh", open_swapped, apply_changes, FAILING_PARTLY),
      failing_in_world("step with a navmesh to swap", open_swapped, step, FAILING_PARTLY),
      failing_in_world("define a permutation with tiles", failing_open_game, define_tiles, FAILING_WHOLE),
      failing_in_world("apply tiles of permutations", open_tiles, apply_changes, FAILING_PARTLY),
      failing_in_world("learn of a threat", open_unknown_threat, learn, FAILING_WHOLE),
      failing_in_world("believe in threats", failing_open_game, believe, FAILING_WHOLE),
      failing_in_world("set a team's visibility", failing_open_game, set_visibility, FAILING_WHOLE),
      failing_in_world("create a group", failing_open_game, create_group, FAILING_WHOLE),
      failing_in_world("move a group", open_group, move_group, FAILING_PARTLY),
      failing_in_world("step with a group", open_travelling, step, FAILING_PARTLY),
      failing_in_world("step", failing_open_game, step, FAILING_PARTLY),
      failing_in_world("step with paths to search", failing_open_alarmed, step, FAILING_PARTLY),
  };
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
    calls[i].brief = calls[i].open == open_swapped || calls[i].open == open_tiles;
  RUN(calls);
}

static void a_save_is_whole_or_the_old_one(void **state) {
  failing_call calls[] = {
      failing_in_world("save a world", failing_open_alarmed, save, FAILING_WHOLE),
      failing_in_world("read a saved world", failing_open_world, open_saved, FAILING_WHOLE),
      failing_in_world("restore a world", failing_open_game, restore, FAILING_PARTLY),
  };
  calls[0].hash = hash_file;
  calls[0].files = calls[1].files = true;
  RUN(calls);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_change_happens_or_not),
      cmocka_unit_test(a_save_is_whole_or_the_old_one),
  };
  return cmocka_run_group_tests(tests, failing_place_open, failing_place_close);
}
