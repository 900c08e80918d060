/* Requests and agents with one goal share a distance field: what they get is as good as what is searched for each alone, with
   all that a path has; and nobody shares one that does not fit. */
#include "bake_scene.h"
#include "core/vec3.h"
#include "query/crowd_fields.h"
#include "random_level.h"
#include "sight_scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define DT (1.0f / 60)
#define CROWD 60
#define STEPS_MAX 4000
/* How much more a path may cost than one that is searched for alone. */
#define SHARED_MAX 1.01f

static lw_profile *walker; /* all metres cost the same, but for dangers */
static const lw_vec3 goal = {30, 0, 30};

typedef struct crowd {
  lw_navmesh *navmesh;
  lw_world *world;
  lw_random random;
  lw_path_query queries[CROWD];
  lw_request_id requests[CROWD];
} crowd;

static lw_world *make_world(const lw_navmesh *navmesh, int work, int threads) {
  lw_world_def def = lw_world_def_default();
  lw_world *world;
  def.navmesh = navmesh;
  def.threads = threads;
  if (work > 0) def.search_work = work;
  assert_int_equal(lw_world_create(&def, &world, NULL), LW_OK);
  return world;
}

static crowd open_crowd(uint64_t seed, int work) {
  crowd of = {.random = lwi_random_make(seed, 1)};
  of.navmesh = random_level_bake(&of.random);
  of.world = make_world(of.navmesh, work, 1);
  return of;
}

static void close_crowd(crowd *of) {
  lw_world_destroy(of->world);
  lw_navmesh_destroy(of->navmesh);
}

static lw_planner_stats stats_of(const crowd *of) {
  lw_planner_stats stats;
  assert_int_equal(lw_world_get_planner_stats(of->world, &stats), LW_OK);
  return stats;
}

static void ask(crowd *of, int i, lw_vec3 to) {
  lw_path_query *query = &of->queries[i];
  *query = lw_path_query_default();
  query->from = random_level_place(&of->random, 0);
  query->to = to;
  query->profile = walker;
  assert_int_equal(lw_path_request(of->world, query, 0, &of->requests[i]), LW_OK);
}

static void ask_all(crowd *of, int count, lw_vec3 to) {
  for (int i = 0; i < count; i++) ask(of, i, to);
}

static void run_until_answered(const crowd *of) {
  for (int i = 0; i < STEPS_MAX && stats_of(of).waiting_requests > 0; i++)
    assert_int_equal(lw_world_step(of->world, DT), LW_OK);
  assert_int_equal(stats_of(of).waiting_requests, 0);
}

/* Take the answer and hold it against a search for that request alone. @return Whether there is a path. */
static bool compare(const crowd *of, int i) {
  lw_path *shared, *alone;
  const lw_status expected = lw_path_find(of->world, NULL, &of->queries[i], &alone);
  assert_int_equal(lw_path_request_take(of->world, of->requests[i], &shared), expected);
  if (expected == LW_OK && !(lw_path_cost(shared) <= lw_path_cost(alone) * SHARED_MAX))
    fail_msg("path %d costs %g, alone %g", i, (double)lw_path_cost(shared), (double)lw_path_cost(alone));
  lw_path_destroy(shared);
  lw_path_destroy(alone);
  return expected == LW_OK;
}

static int compare_all(const crowd *of, int count) {
  int found = 0;
  for (int i = 0; i < count; i++) found += compare(of, i);
  return found;
}

/* --- what is shared ----------------------------------------------------------------------------------------------- */

static void a_crowd_shares_one_field_and_its_paths_are_as_good_as_alone(void **state) {
  const uint64_t seed = sight_seed();
  (void)state;
  printf("note: seed %llu\n", (unsigned long long)seed);
  for (uint64_t level = 0; level < 4; level++) {
    crowd of = open_crowd(seed + level, level % 2 ? 200 : 0);
    ask_all(&of, CROWD, goal);
    run_until_answered(&of);
    const lw_planner_stats stats = stats_of(&of);
    const int found = compare_all(&of, CROWD);
    assert_int_equal(stats.fields_opened, 1);
    assert_int_equal(stats.fields, 1);
    assert_true(found > CROWD / 2);
    assert_true(stats.field_paths > (uint64_t)found / 2); /* others begin in the polygon of the goal */
    close_crowd(&of);
  }
}

static void fewer_do_not(void **state) {
  (void)state;
  crowd of = open_crowd(1, 0);
  ask_all(&of, LWI_CROWD_MEMBERS - 1, goal);
  run_until_answered(&of);
  assert_int_equal(stats_of(&of).fields_opened, 0);
  assert_int_equal(stats_of(&of).field_paths, 0);
  close_crowd(&of);
}

static void those_that_come_later_use_it_too(void **state) {
  (void)state;
  crowd of = open_crowd(1, 0);
  ask_all(&of, CROWD, goal);
  run_until_answered(&of);
  compare_all(&of, CROWD);
  const uint64_t before = stats_of(&of).field_paths;
  ask_all(&of, 5, goal);
  run_until_answered(&of);
  assert_true(stats_of(&of).field_paths > before);
  assert_int_equal(stats_of(&of).fields_opened, 1);
  compare_all(&of, 5);
  close_crowd(&of);
}

static void it_takes_less_work_than_each_alone(void **state) {
  (void)state;
  crowd of = open_crowd(3, 1000000);
  ask_all(&of, CROWD, goal);
  assert_int_equal(lw_world_step(of.world, DT), LW_OK);
  const int shared = stats_of(&of).used;
  int alone = 0;
  for (int i = 0; i < CROWD; i++) {
    lw_path *path;
    if (lw_path_find(of.world, NULL, &of.queries[i], &path) == LW_OK) alone += lw_path_nodes(path);
    lw_path_destroy(path);
  }
  alone += 20 * CROWD;
  if (shared >= alone) fail_msg("%d for a field and its paths, %d for paths alone", shared, alone);
  close_crowd(&of);
}

/* --- what is not --------------------------------------------------------------------------------------------------- */

static void those_that_pay_for_dangers_are_searched_alone(void **state) {
  (void)state;
  crowd of = open_crowd(1, 0);
  random_level_add_regions(of.world, &of.random);
  ask_all(&of, CROWD, goal);
  run_until_answered(&of);
  compare_all(&of, CROWD);
  assert_int_equal(stats_of(&of).field_paths, 0);
  close_crowd(&of);
}

static void other_goals_and_exact_paths_are_searched_alone(void **state) {
  (void)state;
  crowd of = open_crowd(1, 0);
  for (int i = 0; i < CROWD; i++) ask(&of, i, random_level_place(&of.random, 0));
  run_until_answered(&of);
  assert_int_equal(stats_of(&of).field_paths, 0);
  compare_all(&of, CROWD);
  for (int i = 0; i < CROWD; i++) {
    lw_path_query query = lw_path_query_default();
    query.from = random_level_place(&of.random, 0);
    query.to = goal;
    query.profile = walker;
    query.quality = LW_QUALITY_EXACT;
    assert_int_equal(lw_path_request(of.world, &query, 0, &of.requests[i]), LW_OK);
  }
  run_until_answered(&of);
  assert_int_equal(stats_of(&of).field_paths, 0);
  close_crowd(&of);
}

/* --- how long it is kept -------------------------------------------------------------------------------------------- */

static void add_obstacle(crowd *of) {
  lw_obstacle_def def = lw_obstacle_def_default();
  lw_obstacle_id id;
  def.at = random_level_place(&of->random, 0);
  if (lwi_distance(def.at, goal) < 4) return;
  def.size = (lw_vec3){4 * lwi_random_unit(&of->random), 2, 0.5f};
  def.yaw = 3 * lwi_random_unit(&of->random);
  def.min_move = 0;
  assert_int_equal(lw_obstacle_add(of->world, &def, &id, NULL), LW_OK);
}

static void it_is_computed_again_where_the_ground_changes(void **state) {
  const uint64_t seed = sight_seed();
  (void)state;
  printf("note: seed %llu\n", (unsigned long long)seed);
  for (uint64_t level = 0; level < 8; level++) {
    crowd of = open_crowd(seed + level, 0);
    int found = 0;
    for (uint64_t round = 0; round < 4; round++) {
      ask_all(&of, CROWD, goal);
      run_until_answered(&of);
      assert_int_equal(stats_of(&of).fields_opened, round + 1);
      found += compare_all(&of, CROWD);
      for (int i = 0; i < 8; i++) add_obstacle(&of);
      for (int i = 0; i < 2; i++) assert_int_equal(lw_world_step(of.world, DT), LW_OK);
      assert_int_equal(stats_of(&of).fields, 0);
    }
    assert_true(found > CROWD);
    close_crowd(&of);
  }
}

static void it_goes_when_nobody_has_used_it_for_long(void **state) {
  (void)state;
  crowd of = open_crowd(2, 0);
  const size_t before = lw_world_memory(of.world);
  ask_all(&of, CROWD, goal);
  run_until_answered(&of);
  compare_all(&of, CROWD);
  const size_t with_field = lw_world_memory(of.world);
  for (int i = 0; i <= LWI_CROWD_STEPS_KEPT + 1; i++) assert_int_equal(lw_world_step(of.world, DT), LW_OK);
  assert_int_equal(stats_of(&of).fields, 0);
  assert_true(with_field > before && lw_world_memory(of.world) < with_field);
  close_crowd(&of);
}

static void there_are_no_more_than_so_many(void **state) {
  (void)state;
  crowd of = open_crowd(2, 0);
  for (int i = 0; i < LWI_CROWD_FIELDS_MAX + 3; i++) {
    const lw_vec3 to = random_level_place(&of.random, 0);
    ask_all(&of, CROWD, to);
    run_until_answered(&of);
    compare_all(&of, CROWD);
  }
  assert_true(stats_of(&of).fields <= LWI_CROWD_FIELDS_MAX);
  assert_true(stats_of(&of).fields > LWI_CROWD_FIELDS_MAX / 2);
  close_crowd(&of);
}

/* --- links ---------------------------------------------------------------------------------------------------------- */

/* Two floors, joined by jumps from the first to the second one and back elsewhere. */
static lw_navmesh *islands(void) {
  lw_geometry *geometry = scene_floor(scene_table, 12, 20);
  scene_add_floor(geometry, (lw_vec3){16, 0, 0}, 12, 20, SCENE_GROUND);
  for (int i = 0; i < 2; i++) {
    lw_link_def link = lw_link_def_default();
    link.kind = LW_LINK_JUMP;
    link.from = i ? (lw_vec3){17, 0, 18} : (lw_vec3){11, 0, 3};
    link.to = i ? (lw_vec3){11, 0, 18} : (lw_vec3){17, 0, 3};
    link.bidirectional = false;
    assert_int_equal(lw_geometry_add_link(geometry, &link, NULL), LW_OK);
  }
  lw_bake_settings settings = lw_bake_settings_default();
  lw_navmesh *navmesh = scene_bake(geometry, &settings, NULL);
  lw_geometry_destroy(geometry);
  return navmesh;
}

static int links_of(const lw_path *path) {
  int count, links = 0;
  lw_path_points(path, &count);
  for (int i = 0; i + 1 < count; i++) links += lw_path_link(path, i) == LW_LINK_JUMP;
  return links;
}

static void paths_along_a_field_take_links_in_their_direction(void **state) {
  (void)state;
  crowd of = {.random = lwi_random_make(1, 1), .navmesh = islands()};
  of.world = make_world(of.navmesh, 0, 1);
  for (int i = 0; i < CROWD; i++) {
    of.queries[i] = lw_path_query_default();
    of.queries[i].from =
        (lw_vec3){1 + 9 * lwi_random_unit(&of.random), 0, 1 + 18 * lwi_random_unit(&of.random)};
    of.queries[i].to = (lw_vec3){25, 0, 15};
    assert_int_equal(lw_path_request(of.world, &of.queries[i], 0, &of.requests[i]), LW_OK);
  }
  run_until_answered(&of);
  assert_int_equal(stats_of(&of).field_paths, CROWD);
  for (int i = 0; i < CROWD; i++) {
    lw_path *shared, *alone;
    assert_int_equal(lw_path_request_take(of.world, of.requests[i], &shared), LW_OK);
    assert_int_equal(lw_path_find(of.world, NULL, &of.queries[i], &alone), LW_OK);
    assert_int_equal(links_of(shared), 1);
    assert_int_equal(links_of(alone), 1);
    assert_true(fabsf(lw_path_cost(shared) - lw_path_cost(alone)) < 1e-3f);
    lw_path_destroy(shared);
    lw_path_destroy(alone);
  }
  close_crowd(&of);
}

/* --- agents --------------------------------------------------------------------------------------------------------- */

/* Agents are sent to one goal, and again later. @return A hash of all that happened. */
static uint64_t run_agents(const lw_navmesh *navmesh, int threads, uint64_t *led) {
  lw_world *world = make_world(navmesh, 120, threads);
  lw_random random = lwi_random_make(7, 3);
  lw_agent_id agents[CROWD];
  uint64_t hash = 0;
  for (int i = 0; i < CROWD; i++) {
    lw_agent_def def = lw_agent_def_default();
    def.profile = walker;
    do def.at = random_level_place(&random, 0);
    while (lw_agent_spawn(world, &def, &agents[i], NULL) != LW_OK);
  }
  for (int step = 0; step < 150; step++) {
    if (step % 60 == 0)
      for (int i = 0; i < CROWD; i++) {
        const lw_vec3 to = i % 3 ? goal : random_level_place(&random, 0);
        lw_agent_move_to(world, agents[i], to, 0.5f);
      }
    assert_int_equal(lw_world_step(world, DT), LW_OK);
    hash = hash * 31 + lw_world_hash(world);
  }
  lw_planner_stats stats;
  assert_int_equal(lw_world_get_planner_stats(world, &stats), LW_OK);
  *led = stats.field_paths;
  lw_world_destroy(world);
  return hash;
}

static void agents_get_the_same_paths_on_any_number_of_threads(void **state) {
  (void)state;
  lw_random random = lwi_random_make(5, 1);
  lw_navmesh *navmesh = random_level_bake(&random);
  uint64_t led[3];
  const uint64_t expected = run_agents(navmesh, 1, &led[0]);
  assert_true(led[0] > CROWD / 3);
  assert_true(run_agents(navmesh, 2, &led[1]) == expected);
  assert_true(run_agents(navmesh, 4, &led[2]) == expected);
  assert_int_equal(led[1], led[0]);
  assert_int_equal(led[2], led[0]);
  lw_navmesh_destroy(navmesh);
}

/* The work lasts for all: none waits. */
static void agents_that_are_sent_at_once_share_one_too(void **state) {
  (void)state;
  lw_random random = lwi_random_make(5, 1);
  lw_navmesh *navmesh = random_level_bake(&random);
  lw_world *world = make_world(navmesh, 100000, 1);
  lw_planner_stats stats;
  for (int i = 0; i < 100; i++) {
    lw_agent_def def = lw_agent_def_default();
    lw_agent_id agent;
    def.profile = walker;
    do def.at = random_level_place(&random, 0);
    while (lw_agent_spawn(world, &def, &agent, NULL) != LW_OK);
    lw_agent_move_to(world, agent, goal, 0.5f);
  }
  assert_int_equal(lw_world_get_planner_stats(world, &stats), LW_OK);
  assert_int_equal(stats.waiting_agents, 0);
  assert_int_equal(stats.fields_opened, 1);
  assert_true(stats.field_paths > 30);
  lw_world_destroy(world);
  lw_navmesh_destroy(navmesh);
}

static int open_all(void **state) {
  lw_profile_def def = lw_profile_def_default();
  def.name = "walker";
  def.danger_cost = 20;
  return random_level_open(state) || lw_profile_create(&def, scene_table, &walker, NULL) != LW_OK;
}

static int close_all(void **state) {
  lw_profile_destroy(walker);
  return random_level_close(state);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_crowd_shares_one_field_and_its_paths_are_as_good_as_alone),
      cmocka_unit_test(fewer_do_not),
      cmocka_unit_test(those_that_come_later_use_it_too),
      cmocka_unit_test(it_takes_less_work_than_each_alone),
      cmocka_unit_test(those_that_pay_for_dangers_are_searched_alone),
      cmocka_unit_test(other_goals_and_exact_paths_are_searched_alone),
      cmocka_unit_test(it_is_computed_again_where_the_ground_changes),
      cmocka_unit_test(it_goes_when_nobody_has_used_it_for_long),
      cmocka_unit_test(there_are_no_more_than_so_many),
      cmocka_unit_test(paths_along_a_field_take_links_in_their_direction),
      cmocka_unit_test(agents_get_the_same_paths_on_any_number_of_threads),
      cmocka_unit_test(agents_that_are_sent_at_once_share_one_too),
  };
  return cmocka_run_group_tests_name("crowd fields", tests, open_all, close_all);
}
