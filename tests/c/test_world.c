/* The world: agents walk on the mesh, runs repeat, ids go stale, memory stays put. */
#include "core/random.h"
#include "core/vec3.h"
#include "grid_world.h"
#include "leeward/leeward.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static const char *const rows[] = {"..........", ".####.###.", ".#......#.", ".#.####.#.",
                                   "..........", "..........", "",           NULL};
#define ROW_COUNT 6

typedef struct scene {
  grid_world grid;
  int starts, stops, ticks;
  lw_agent_id spawned; /* by a leaf */
  enum { LEAF_WANDER, LEAF_DESPAWN, LEAF_SPAWN, LEAF_STEP } mode;
} scene;

static lw_node_status wander(scene *s, lw_world *world, lw_agent_id agent, lw_leaf_call *call) {
  lw_agent_state state;
  assert_int_equal(lw_agent_get_state(world, agent, &state), LW_OK);
  if (call->event == LW_LEAF_START) {
    s->starts += 1;
    lw_random_point_query query = lw_random_point_query_default();
    query.around = state.position;
    query.radius = 6;
    query.profile = state.profile;
    query.random = lw_agent_random_stream(world, agent);
    lw_location goal;
    assert_int_equal(lw_random_point_find(world, NULL, &query, &goal), LW_OK);
    if (lw_agent_move_to(world, agent, goal.point, 0.2f) != LW_OK) return LW_FAILURE;
    call->wake = INFINITY;
    return LW_RUNNING;
  }
  if (call->event == LW_LEAF_STOP) {
    s->stops += 1;
    return LW_SUCCESS;
  }
  s->ticks += 1;
  return state.move == LW_MOVE_ARRIVED ? LW_SUCCESS : LW_FAILURE;
}

static lw_node_status leaf(void *user, lw_world *world, lw_agent_id agent, lw_leaf_call *call) {
  scene *s = user;
  if (s->mode == LEAF_WANDER) return wander(s, world, agent, call);
  if (call->event == LW_LEAF_STOP) return LW_SUCCESS;
  if (s->mode == LEAF_DESPAWN) assert_int_equal(lw_agent_despawn(world, agent), LW_OK);
  if (s->mode == LEAF_STEP) assert_int_equal(lw_world_step(world, 0.1f), LW_INVALID);
  if (s->mode == LEAF_SPAWN && lw_agent_id_is_none(s->spawned)) {
    lw_agent_def def = lw_agent_def_default();
    def.profile = s->grid.profile;
    assert_int_equal(lw_agent_spawn(world, &def, &s->spawned, NULL), LW_OK);
  }
  return LW_RUNNING;
}

static lw_tree *one_leaf(void) {
  const lw_node_def node = {.kind = LW_LEAF, .name = "Wander"};
  const lw_tree_def def = {.name = "wander", .nodes = &node, .node_count = 1};
  lw_tree *tree;
  assert_int_equal(lw_tree_create(&def, &tree, NULL), LW_OK);
  return tree;
}

static void make_scene(scene *s, uint64_t seed, float speed) {
  lw_profile_def profile = lw_profile_def_default();
  profile.speed[LW_NORMAL] = speed;
  lw_world_def def = lw_world_def_default();
  def.seed = seed;
  def.leaf = leaf;
  def.user = s;
  s->grid = grid_world_open(rows, ROW_COUNT, 2, &profile, &def);
}

static lw_agent_id spawn(scene *s, float x, float z, const lw_tree *tree) {
  lw_agent_def def = lw_agent_def_default();
  lw_agent_id agent;
  def.profile = s->grid.profile;
  def.at = (lw_vec3){x, 0, z};
  def.tree = tree;
  assert_int_equal(lw_agent_spawn(s->grid.world, &def, &agent, NULL), LW_OK);
  return agent;
}

static void step(scene *s, int count) {
  for (int i = 0; i < count; i++) assert_int_equal(lw_world_step(s->grid.world, 1.0f / 60), LW_OK);
}

static lw_agent_state state_of(const scene *s, lw_agent_id agent) {
  lw_agent_state state;
  assert_int_equal(lw_agent_get_state(s->grid.world, agent, &state), LW_OK);
  return state;
}

static void an_agent_walks_to_its_goal_at_its_profiles_speed(void **state) {
  (void)state;
  scene s = {0};
  make_scene(&s, 1, 3);
  lw_agent_id agent = spawn(&s, 1, 1, NULL);
  assert_int_equal(lw_agent_move_to(s.grid.world, agent, (lw_vec3){16, 0, 1}, 0.1f), LW_OK);
  step(&s, 60);
  assert_true(fabsf(state_of(&s, agent).position.x - 4) < 1e-3f);
  assert_true(fabsf(state_of(&s, agent).velocity.x - 3) < 1e-3f);
  step(&s, 240);
  assert_int_equal(state_of(&s, agent).move, LW_MOVE_ARRIVED);
  assert_true(fabsf(state_of(&s, agent).position.x - 15.9f) < 0.1f);
  lw_agent_stats stats;
  assert_int_equal(lw_agent_get_stats(s.grid.world, agent, &stats), LW_OK);
  assert_int_equal(stats.goals_reached, 1);
  assert_int_equal(stats.searches, 1);
  assert_int_equal(stats.off_mesh, 0);
  grid_world_close(&s.grid);
}

static uint64_t wander_run(uint64_t seed, int steps, int *reached) {
  scene s = {0};
  lw_tree *tree = one_leaf();
  make_scene(&s, seed, 3);
  for (int i = 0; i < 10; i++) spawn(&s, 1 + 2 * (float)i, 9, tree);
  step(&s, steps);
  uint64_t hash = lw_world_hash(s.grid.world);
  *reached = 0;
  for (lw_agent_id agent = lw_agent_next(s.grid.world, lw_agent_id_none()); !lw_agent_id_is_none(agent);
       agent = lw_agent_next(s.grid.world, agent)) {
    lw_agent_stats stats;
    assert_int_equal(lw_agent_get_stats(s.grid.world, agent, &stats), LW_OK);
    assert_int_equal(stats.off_mesh, 0);
    assert_int_equal(stats.stuck, 0);
    *reached += stats.goals_reached;
  }
  lw_world_destroy(s.grid.world);
  assert_int_equal(s.starts, s.stops); /* whatever ran was stopped */
  s.grid.world = NULL;
  grid_world_close(&s.grid);
  lw_tree_destroy(tree);
  return hash;
}

static void the_same_seed_gives_the_same_run(void **state) {
  (void)state;
  int reached, again;
  uint64_t hash = wander_run(7, 1200, &reached);
  assert_true(reached > 20);
  assert_true(hash == wander_run(7, 1200, &again));
  assert_int_equal(reached, again);
  assert_true(hash != wander_run(8, 1200, &again));
  assert_true(hash != wander_run(7, 1201, &again));
}

static void a_sleeping_tree_is_not_ticked(void **state) {
  (void)state;
  scene s = {0};
  lw_tree *tree = one_leaf();
  make_scene(&s, 3, 3);
  spawn(&s, 1, 9, tree);
  step(&s, 1200);
  assert_true(s.starts > 5);
  assert_true(s.ticks <= s.starts); /* woken once a goal, not at each of 1,200 steps */
  grid_world_close(&s.grid);
  lw_tree_destroy(tree);
}

static void an_agent_without_progress_is_stuck_and_says_so(void **state) {
  (void)state;
  scene s = {0};
  make_scene(&s, 1, 0.001f);
  lw_agent_id agent = spawn(&s, 1, 1, NULL);
  assert_int_equal(lw_agent_move_to(s.grid.world, agent, (lw_vec3){16, 0, 1}, 0.1f), LW_OK);
  step(&s, 60 * 5);
  assert_int_equal(state_of(&s, agent).move, LW_MOVE_FAILED);
  assert_int_equal(state_of(&s, agent).failure, LW_STUCK);
  lw_agent_stats stats;
  assert_int_equal(lw_agent_get_stats(s.grid.world, agent, &stats), LW_OK);
  assert_int_equal(stats.stuck, 2);
  assert_int_equal(stats.replans, 1);
  char why[256];
  lw_agent_why(s.grid.world, agent, why, sizeof why);
  assert_string_equal(why, "no tree: cannot get to (16.0, 0.0, 1.0): the agent makes no progress");
  grid_world_close(&s.grid);
}

static void a_goal_off_the_mesh_fails_at_once(void **state) {
  (void)state;
  scene s = {0};
  make_scene(&s, 1, 3);
  lw_agent_id agent = spawn(&s, 1, 1, NULL);
  assert_int_equal(lw_agent_move_to(s.grid.world, agent, (lw_vec3){90, 0, 1}, 0.1f), LW_NO_GOAL);
  assert_int_equal(state_of(&s, agent).move, LW_MOVE_FAILED);
  assert_int_equal(lw_agent_move_to(s.grid.world, agent, (lw_vec3){NAN, 0, 1}, 0.1f), LW_INVALID);
  lw_agent_def def = lw_agent_def_default();
  lw_error error;
  def.profile = s.grid.profile;
  def.at = (lw_vec3){90, 0, 1};
  assert_int_equal(lw_agent_spawn(s.grid.world, &def, &agent, &error), LW_NO_START);
  assert_string_equal(error.text, "no navmesh within (2, 4, 2) m of (90, 0, 1) that 'human' may enter");
  grid_world_close(&s.grid);
}

static void stale_ids_are_detected(void **state) {
  (void)state;
  scene s = {0};
  make_scene(&s, 1, 3);
  lw_agent_id first = spawn(&s, 1, 1, NULL), second = spawn(&s, 3, 1, NULL);
  assert_int_equal(lw_agent_despawn(s.grid.world, first), LW_OK);
  assert_int_equal(lw_agent_despawn(s.grid.world, first), LW_STALE);
  lw_agent_id third = spawn(&s, 5, 1, NULL); /* takes the slot, not the id */
  lw_agent_state agent_state;
  assert_true(!lw_agent_id_equal(third, first) && third.slot == first.slot);
  assert_int_equal(lw_agent_get_state(s.grid.world, first, &agent_state), LW_STALE);
  assert_int_equal(lw_agent_move_to(s.grid.world, first, (lw_vec3){0}, 0), LW_STALE);
  assert_int_equal(lw_agent_stop(s.grid.world, lw_agent_id_none()), LW_STALE);
  const lw_agent_id begin =
      lw_agent_next(s.grid.world, lw_agent_id_none()); /* in the order they were spawned */
  assert_true(lw_agent_id_equal(begin, second));
  assert_true(lw_agent_id_equal(lw_agent_next(s.grid.world, second), third));
  assert_true(lw_agent_id_is_none(lw_agent_next(s.grid.world, third)));
  grid_world_close(&s.grid);
}

static void bad_arguments_are_refused(void **state) {
  (void)state;
  scene s = {0}, other = {0};
  make_scene(&s, 1, 3);
  make_scene(&other, 1, 3);
  lw_workspace *foreign = lw_workspace_create(other.grid.world);
  assert_non_null(foreign);
  const lw_agent_id agent = spawn(&s, 1, 1, NULL);
  lw_world *world = s.grid.world;
  lw_threat threat = lw_threat_default();
  threat.range = NAN;
  lw_explanation *explanation;
  lw_world_link link;
  bool seen;
  lw_path_query query = lw_path_query_default();
  lw_path *path;
  query.from = (lw_vec3){1, 0, 1};
  query.to = (lw_vec3){5, 0, 1};
  query.snap = (lw_vec3){2, 4, 2};
  assert_int_equal(lw_path_find(world, NULL, &query, &path), LW_OK);
  assert_int_equal(lw_agent_set_pace(world, agent, (lw_pace)99), LW_INVALID);
  assert_int_equal(lw_agent_set_threats(world, agent, &threat, 1), LW_INVALID);
  assert_int_equal(lw_agent_set_threats(world, agent, &threat, -1), LW_INVALID);
  assert_int_equal(lw_world_get_link(world, 0, &link), LW_NOT_FOUND);
  assert_int_equal(lw_world_get_link(world, -1, &link), LW_NOT_FOUND);
  assert_int_equal(lw_agent_explain(world, foreign, agent, &explanation), LW_INVALID);
  assert_int_equal(lw_path_explain(path, world, foreign, NULL, &explanation), LW_INVALID);
  assert_int_equal(lw_agent_is_seen(world, foreign, agent, NULL, 0, &seen), LW_INVALID);
  assert_null(explanation);
  lw_path_destroy(path);
  lw_workspace_destroy(foreign);
  grid_world_close(&s.grid);
  grid_world_close(&other.grid);
}

static void a_leaf_may_despawn_spawn_but_not_step(void **state) {
  (void)state;
  lw_tree *tree = one_leaf();
  scene s = {.mode = LEAF_DESPAWN};
  make_scene(&s, 1, 3);
  spawn(&s, 1, 1, tree);
  spawn(&s, 3, 1, tree);
  step(&s, 1);
  assert_int_equal(lw_world_agent_count(s.grid.world), 0);
  s.mode = LEAF_SPAWN;
  spawn(&s, 1, 1, tree);
  step(&s, 2);
  assert_int_equal(lw_world_agent_count(s.grid.world), 2);
  s.mode = LEAF_STEP;
  step(&s, 1);
  grid_world_close(&s.grid);
  lw_tree_destroy(tree);
}

static void a_warm_world_allocates_for_paths_alone(void **state) {
  (void)state;
  scene s = {0};
  lw_tree *tree = one_leaf();
  make_scene(&s, 7, 3);
  for (int i = 0; i < 10; i++) spawn(&s, 1 + 2 * (float)i, 9, tree);
  step(&s, 600);
  long calls = s.grid.memory->calls;
  size_t memory = lw_world_memory(s.grid.world);
  int starts = s.starts;
  step(&s, 600);
  int paths = s.starts - starts;
  assert_true(paths > 10);
  assert_true(s.grid.memory->calls - calls <= 3L * paths); /* a path is three blocks */
  assert_true(lw_world_memory(s.grid.world) <= memory + 4096);
  s.mode = LEAF_STEP; /* leaves that search nothing */
  calls = s.grid.memory->calls;
  step(&s, 5);
  grid_world_close(&s.grid);
  lw_tree_destroy(tree);
}

static void bad_definitions_are_refused(void **state) {
  (void)state;
  scene s = {0};
  make_scene(&s, 1, 3);
  lw_world *world;
  lw_error error;
  lw_world_def def = lw_world_def_default();
  assert_int_equal(lw_world_create(&def, &world, &error), LW_INVALID);
  assert_string_equal(error.text, "navmesh is NULL, expected a valid pointer");
  def.navmesh = s.grid.mesh;
  def.stuck_seconds = 0;
  assert_int_equal(lw_world_create(&def, &world, &error), LW_INVALID);
  assert_string_equal(error.text, "stuck_seconds is 0, expected a number above 0");
  assert_int_equal(lw_world_step(s.grid.world, 0), LW_INVALID);
  assert_int_equal(lw_world_step(s.grid.world, NAN), LW_INVALID);
  lw_profile_def profile = lw_profile_def_default();
  lw_profile *none;
  profile.cover_bias = 0.5f;
  assert_int_equal(lw_profile_create(&profile, s.grid.areas, &none, &error), LW_INVALID);
  assert_string_equal(error.text, "profile 'human': cover_bias is 0.5, expected a number from 1 to 1000000");
  grid_world_close(&s.grid);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_agent_walks_to_its_goal_at_its_profiles_speed),
      cmocka_unit_test(the_same_seed_gives_the_same_run),
      cmocka_unit_test(a_sleeping_tree_is_not_ticked),
      cmocka_unit_test(an_agent_without_progress_is_stuck_and_says_so),
      cmocka_unit_test(a_goal_off_the_mesh_fails_at_once),
      cmocka_unit_test(stale_ids_are_detected),
      cmocka_unit_test(bad_arguments_are_refused),
      cmocka_unit_test(a_leaf_may_despawn_spawn_but_not_step),
      cmocka_unit_test(a_warm_world_allocates_for_paths_alone),
      cmocka_unit_test(bad_definitions_are_refused),
  };
  return cmocka_run_group_tests_name("world", tests, NULL, NULL);
}
