/* Searches in slices find what whole ones find, whatever the slices; the planner shares the work of steps among those that
   wait. The seed is printed; LEEWARD_SEED sets it. */
#include "bake_scene.h"
#include "core/vec3.h"
#include "random_level.h"
#include "sight_scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static lw_world *make_world(const lw_navmesh *navmesh, int work) {
  lw_world_def def = lw_world_def_default();
  lw_world *world;
  def.navmesh = navmesh;
  def.walk_ahead = false;
  if (work > 0) def.search_work = work;
  assert_int_equal(lw_world_create(&def, &world, NULL), LW_OK);
  return world;
}

static bool is_same_path(const lw_path *a, const lw_path *b) {
  if (!a || !b) return a == b;
  int count, others;
  const lw_vec3 *points = lw_path_points(a, &count), *other = lw_path_points(b, &others);
  return count == others && memcmp(points, other, (size_t)count * sizeof *points) == 0 &&
         lw_path_cost(a) == lw_path_cost(b) && lw_path_nodes(a) == lw_path_nodes(b) &&
         lw_path_is_partial(a) == lw_path_is_partial(b) && lw_path_exposed(a) == lw_path_exposed(b);
}

/* --- slices --------------------------------------------------------------------------------------------------- */

static lw_path_query random_query(lw_random *random, int i, lw_threat threats[3]) {
  lw_path_query query = lw_path_query_default();
  query.from = random_level_place(random, 0);
  query.to = random_level_place(random, 0);
  query.profile = level_profiles[i % LEVEL_PROFILES];
  query.quality = i % 5 == 0 ? LW_QUALITY_FAST : LW_QUALITY_GOOD;
  query.allow_partial = i % 7 == 0;
  for (int k = 0; k < 3; k++) {
    threats[k] = lw_threat_default();
    threats[k].at = random_level_place(random, 1.6f);
  }
  if (i % 3 == 0) {
    query.threats = threats;
    query.threat_count = 1 + i % 2;
  }
  return query;
}

/* @return How many slices it took. */
static int search_in_slices(const lw_world *world, const lw_path_query *query, int work, lw_status *status,
                            lw_path **path) {
  lw_search *search;
  int slices = 1;
  assert_int_equal(lw_search_begin(world, NULL, query, &search), LW_OK);
  while (lw_search_step(search, work) == LW_UNFINISHED) slices += 1;
  assert_int_equal(lw_search_step(search, work), LW_OK);
  *status = lw_search_finish(search, path);
  return slices;
}

static int compare_slices(const lw_world *world, lw_random *random, int i) {
  lw_threat threats[3];
  lw_path *whole, *sliced;
  lw_status status;
  const lw_path_query query = random_query(random, i, threats);
  const lw_status expected = lw_path_find(world, NULL, &query, &whole);
  const int work = i % 4 == 0 ? 1 : 1 + (int)(lwi_random_unit(random) * 60);
  const int slices = search_in_slices(world, &query, work, &status, &sliced);
  assert_int_equal(status, expected);
  if (!is_same_path(whole, sliced)) fail_msg("query %d in slices of %d differs", i, work);
  lw_path_destroy(whole);
  lw_path_destroy(sliced);
  return slices;
}

static void sliced_and_whole_searches_find_the_same_path(void **state) {
  const uint64_t seed = sight_seed();
  lw_random random = lwi_random_make(seed, 0);
  int slices = 0;
  (void)state;
  printf("note: seed %llu\n", (unsigned long long)seed);
  for (int level = 0; level < 4; level++) {
    lw_navmesh *navmesh = random_level_bake(&random);
    for (int extra = 0; extra < 2; extra++) {
      lw_world *world = make_world(navmesh, 0);
      if (extra == 1) random_level_add_regions(world, &random);
      for (int i = 0; i < 60; i++) slices += compare_slices(world, &random, i);
      lw_world_destroy(world);
    }
    lw_navmesh_destroy(navmesh);
  }
  assert_true(slices > 4 * 60 * 10);
}

/* --- a level to be sent across ---------------------------------------------------------------------------------- */

#define AGENTS 60
#define WORK 300

typedef struct crowd {
  lw_navmesh *navmesh;
  lw_world *world;
  lw_agent_id agents[AGENTS];
  int count;
} crowd;

static crowd open_crowd(uint64_t seed, int work) {
  lw_random random = lwi_random_make(seed, 1);
  crowd of = {.navmesh = random_level_bake(&random)};
  of.world = make_world(of.navmesh, work);
  while (of.count < AGENTS) {
    lw_agent_def def = lw_agent_def_default();
    def.profile = level_profiles[LEVEL_SMALL];
    def.at = random_level_place(&random, 0);
    if (lw_agent_spawn(of.world, &def, &of.agents[of.count], NULL) == LW_OK) of.count += 1;
  }
  return of;
}

static void close_crowd(crowd *of) {
  lw_world_destroy(of->world);
  lw_navmesh_destroy(of->navmesh);
}

static lw_agent_state state_of(const crowd *of, int i) {
  lw_agent_state state;
  assert_int_equal(lw_agent_get_state(of->world, of->agents[i], &state), LW_OK);
  return state;
}

/* @return How many wait for their paths. */
static int send_all(const crowd *of, lw_vec3 to) {
  int waiting = 0;
  for (int i = 0; i < of->count; i++) {
    const lw_status status = lw_agent_move_to(of->world, of->agents[i], to, 0.3f);
    assert_true(status == LW_OK || status == LW_NO_PATH);
    waiting += state_of(of, i).waits_for_path;
  }
  return waiting;
}

static lw_planner_stats stats_of(const lw_world *world) {
  lw_planner_stats stats;
  assert_int_equal(lw_world_get_planner_stats(world, &stats), LW_OK);
  return stats;
}

static void who_waits_gets_the_path_that_a_whole_search_finds(void **state) {
  crowd of = open_crowd(sight_seed(), WORK);
  const int waiting = send_all(&of, (lw_vec3){50, 0, 50});
  int steps = 0;
  (void)state;
  assert_true(waiting > AGENTS / 2);
  assert_int_equal(stats_of(of.world).waiting_agents, waiting);
  while (stats_of(of.world).waiting_agents > 0) {
    bool waits[AGENTS];
    for (int i = 0; i < of.count; i++) waits[i] = state_of(&of, i).waits_for_path;
    assert_int_equal(lw_world_step(of.world, 1e-6f), LW_OK); /* they hardly move */
    steps += 1;
    assert_true(steps < 2000);
    for (int i = 0; i < of.count; i++) {
      const lw_agent_state now = state_of(&of, i);
      if (!waits[i] || now.waits_for_path || now.move != LW_MOVE_WALKING) continue;
      lw_path_query query = lw_path_query_default();
      query.from = now.position;
      query.to = now.goal;
      query.profile = level_profiles[LEVEL_SMALL];
      lw_path *path;
      assert_int_equal(lw_path_find(of.world, NULL, &query, &path), LW_OK);
      assert_true(fabsf(lw_path_cost(path) - lw_path_cost(lw_agent_path(of.world, of.agents[i]))) < 1e-2f);
      lw_path_destroy(path);
    }
  }
  assert_true(steps > 3);
  /* A node at a time: a step takes hardly more than its share, but for what one search begins with. */
  assert_true(stats_of(of.world).used_max < WORK + 200);
  assert_int_equal(stats_of(of.world).answered, waiting);
  close_crowd(&of);
}

static void a_higher_priority_is_first_and_nobody_starves(void **state) {
  crowd of = open_crowd(sight_seed(), 1);
  const lw_vec3 to = {50, 0, 50};
  (void)state;
  int last = -1;
  for (int i = 0; i < of.count; i++) {
    lw_move_options options = lw_move_options_default();
    options.priority = i == of.count - 1 ? 2 : 0;
    assert_true(lw_agent_move_with(of.world, of.agents[i], to, &options) != LW_INVALID);
    if (state_of(&of, i).waits_for_path) last = i;
  }
  assert_int_equal(last, of.count - 1);
  int before = 0, steps = 0;
  for (; state_of(&of, last).waits_for_path; steps++) {
    assert_int_equal(lw_world_step(of.world, 1e-6f), LW_OK);
    assert_true(steps < 100000);
  }
  before = (int)stats_of(of.world).answered;
  assert_true(before <= 3); /* the one whose search had begun, perhaps */
  assert_int_equal(lw_world_set_search_work(of.world, 1000000), LW_OK);
  for (int i = 0; i < 3; i++) assert_int_equal(lw_world_step(of.world, 1e-6f), LW_OK);
  assert_int_equal(stats_of(of.world).waiting_agents, 0);
  close_crowd(&of);
}

static void who_is_sent_elsewhere_while_it_waits_gets_the_path_there(void **state) {
  crowd of = open_crowd(sight_seed(), 5);
  const lw_vec3 first = {50, 0, 50}, then = {10, 0, 10};
  (void)state;
  send_all(&of, first);
  for (int i = 0; i < 5; i++) assert_int_equal(lw_world_step(of.world, 1e-6f), LW_OK);
  send_all(&of, then);
  assert_int_equal(lw_world_set_search_work(of.world, 10000000), LW_OK);
  for (int i = 0; i < 4; i++) assert_int_equal(lw_world_step(of.world, 1e-6f), LW_OK);
  for (int i = 0; i < of.count; i++) {
    const lw_path *path = lw_agent_path(of.world, of.agents[i]);
    if (!path) continue;
    int count;
    const lw_vec3 *points = lw_path_points(path, &count);
    assert_true(lwi_distance_xz(points[count - 1], then) < 4);
  }
  close_crowd(&of);
}

/* --- requests ------------------------------------------------------------------------------------------------- */

static lw_path_query across(void) {
  lw_path_query query = lw_path_query_default();
  query.from = (lw_vec3){5, 0, 5};
  query.to = (lw_vec3){55, 0, 55};
  query.profile = level_profiles[LEVEL_SMALL];
  return query;
}

static void equal_requests_are_answered_by_one_search(void **state) {
  crowd of = open_crowd(sight_seed(), 0);
  const lw_path_query query = across();
  lw_request_id ids[8];
  lw_path *whole, *path;
  (void)state;
  const lw_status expected = lw_path_find(of.world, NULL, &query, &whole);
  for (int i = 0; i < 8; i++) assert_int_equal(lw_path_request(of.world, &query, i % 3, &ids[i]), LW_OK);
  assert_int_equal(lw_path_request_status(of.world, ids[0]), LW_UNFINISHED);
  assert_int_equal(lw_path_request_take(of.world, ids[0], &path), LW_UNFINISHED);
  assert_int_equal(lw_path_request_cancel(of.world, ids[0]), LW_OK); /* another one takes its place */
  assert_int_equal(lw_path_request_cancel(of.world, ids[4]), LW_OK);
  assert_int_equal(lw_path_request_take(of.world, ids[0], &path), LW_STALE);
  assert_int_equal(lw_world_step(of.world, 1.0f / 60), LW_OK);
  for (int i = 1; i < 8; i++) {
    if (i == 4) continue;
    assert_int_equal(lw_path_request_status(of.world, ids[i]), expected);
    assert_int_equal(lw_path_request_take(of.world, ids[i], &path), expected);
    assert_true(is_same_path(path, whole));
    lw_path_destroy(path);
    assert_int_equal(lw_path_request_take(of.world, ids[i], &path), LW_STALE);
  }
  assert_int_equal(stats_of(of.world).shared, 5);
  lw_path_destroy(whole);
  close_crowd(&of);
}

/* The requests that were answered. */
typedef struct answers {
  int count;
  lw_request_id ids[8];
  lw_status statuses[8];
  uint64_t step;
} answers;

static void note_answer(void *user, lw_world *world, lw_request_id request) {
  answers *of = user;
  lw_path *path;
  assert_true(of->count < 8);
  of->ids[of->count] = request;
  of->step = lw_world_steps(world);
  const lw_status status = lw_path_request_take(world, request, &path); /* it may be taken at once */
  of->statuses[of->count++] = status;
  assert_int_equal(path != NULL, status == LW_OK);
  lw_path_destroy(path);
}

static void the_program_hears_of_each_answer_once(void **state) {
  lw_random random = lwi_random_make(sight_seed(), 1);
  lw_navmesh *navmesh = random_level_bake(&random);
  answers of = {.count = 0};
  lw_world_def def = lw_world_def_default();
  lw_world *world;
  lw_path *path;
  (void)state;
  def.navmesh = navmesh;
  def.answered = note_answer;
  def.user = &of;
  assert_int_equal(lw_world_create(&def, &world, NULL), LW_OK);
  lw_path_query query = across();
  const lw_status expected = lw_path_find(world, NULL, &query, &path);
  lw_request_id ids[4];
  lw_path_destroy(path);
  for (int i = 0; i < 4; i++) assert_int_equal(lw_path_request(world, &query, 0, &ids[i]), LW_OK);
  assert_int_equal(lw_path_request_cancel(world, ids[2]), LW_OK);
  for (int i = 0; i < 3; i++) assert_int_equal(lw_world_step(world, 1.0f / 60), LW_OK);
  assert_int_equal(of.count, 3);
  assert_int_equal(of.step, 1);
  for (int i = 0; i < 3; i++) {
    assert_int_equal(of.statuses[i], expected);
    assert_int_equal(lw_path_request_status(world, of.ids[i]), LW_STALE);
    assert_false(lw_request_id_equal(of.ids[i], ids[2]));
  }
  assert_true(lw_request_id_equal(of.ids[0], ids[0]));
  lw_world_destroy(world);
  lw_navmesh_destroy(navmesh);
}

static void requests_out_of_range_are_refused(void **state) {
  crowd of = open_crowd(sight_seed(), 0);
  lw_path_query query = across();
  lw_request_id id;
  lw_search *search;
  (void)state;
  assert_int_equal(lw_path_request(of.world, &query, 101, &id), LW_INVALID);
  assert_int_equal(lw_path_request(of.world, &query, -101, &id), LW_INVALID);
  query.to.x = NAN;
  assert_int_equal(lw_path_request(of.world, &query, 0, &id), LW_INVALID);
  assert_true(lw_request_id_is_none(id));
  assert_int_equal(lw_search_begin(of.world, NULL, &query, &search), LW_INVALID);
  assert_null(search);
  assert_int_equal(lw_world_set_search_work(of.world, 0), LW_INVALID);
  close_crowd(&of);
}

static void a_workspace_serves_a_search_alone(void **state) {
  crowd of = open_crowd(sight_seed(), 0);
  lw_workspace *workspace = lw_workspace_create(of.world);
  const lw_path_query query = across();
  lw_search *search, *other;
  lw_path *path;
  (void)state;
  assert_int_equal(lw_search_begin(of.world, workspace, &query, &search), LW_OK);
  assert_int_equal(lw_search_begin(of.world, workspace, &query, &other), LW_INVALID);
  assert_int_equal(lw_path_find(of.world, workspace, &query, &path), LW_INVALID);
  lw_search_step(search, 3);
  lw_search_cancel(search);
  const lw_status status = lw_path_find(of.world, workspace, &query, &path);
  assert_true(status == LW_OK || status == LW_NO_PATH);
  lw_path_destroy(path);
  lw_workspace_destroy(workspace);
  close_crowd(&of);
}

/* An obstacle across the way comes while a search has paused: it begins anew. */
static void a_search_begins_again_where_the_ground_changes(void **state) {
  crowd of = open_crowd(sight_seed(), 0);
  const lw_path_query query = across();
  lw_search *search;
  lw_path *whole, *sliced;
  (void)state;
  assert_int_equal(lw_search_begin(of.world, NULL, &query, &search), LW_OK);
  for (int i = 0; i < 8; i++) {
    lw_obstacle_def def = lw_obstacle_def_default();
    lw_obstacle_id id;
    def.at = (lw_vec3){20 + 2 * (float)i, 0, 30};
    def.size = (lw_vec3){1, 2, 1};
    lw_search_step(search, 2);
    assert_int_equal(lw_obstacle_add(of.world, &def, &id, NULL), LW_OK);
    assert_int_equal(lw_world_step(of.world, 1.0f / 60), LW_OK);
  }
  const lw_status expected = lw_path_find(of.world, NULL, &query, &whole);
  /* After the fourth beginning it ended: what it found then holds for that ground. */
  const lw_status status = lw_search_finish(search, &sliced);
  assert_int_equal(status == LW_OK, expected == LW_OK);
  if (status == LW_OK) assert_true(lw_path_cost(sliced) <= lw_path_cost(whole) * 1.05f);
  lw_path_destroy(whole);
  lw_path_destroy(sliced);
  close_crowd(&of);
}

/* An obstacle that moves in every step ends the searches of agents, too: each ends all the same. */
static void who_waits_while_obstacles_move_gets_its_path(void **state) {
  crowd of = open_crowd(sight_seed(), 3);
  lw_obstacle_def def = lw_obstacle_def_default();
  lw_obstacle_id id;
  int steps = 0;
  (void)state;
  def.at = (lw_vec3){30, 0, 30};
  def.size = (lw_vec3){1, 2, 1};
  def.min_move = 0;
  assert_int_equal(lw_obstacle_add(of.world, &def, &id, NULL), LW_OK);
  const int waiting = send_all(&of, (lw_vec3){50, 0, 50});
  assert_true(waiting > 3);
  while (stats_of(of.world).waiting_agents > 0) {
    assert_int_equal(lw_obstacle_move(of.world, id, (lw_vec3){30 + 0.1f * (float)(steps % 9), 0, 30}, 0, NULL),
                     LW_OK);
    assert_int_equal(lw_world_step(of.world, 1.0f / 60), LW_OK);
    steps += 1;
    assert_true(steps < 30 * 4 * AGENTS);
  }
  close_crowd(&of);
}

/* A search among dangers is not interrupted. What it took too much keeps others waiting for a while, not for ever. */
static void a_long_search_is_paid_for_by_the_next_steps_alone(void **state) {
  crowd of = open_crowd(sight_seed(), 1);
  lw_random random = lwi_random_make(sight_seed(), 9);
  const lw_path_query query = across();
  lw_request_id first, second;
  lw_path *path;
  int steps = 0;
  (void)state;
  random_level_add_regions(of.world, &random);
  assert_int_equal(lw_path_request(of.world, &query, 1, &first), LW_OK);
  lw_path_query back = query;
  back.from = query.to;
  back.to = query.from;
  assert_int_equal(lw_path_request(of.world, &back, 0, &second), LW_OK);
  while (lw_path_request_take(of.world, second, &path) == LW_UNFINISHED) {
    assert_int_equal(lw_world_step(of.world, 1.0f / 60), LW_OK);
    steps += 1;
    assert_true(steps < 100);
  }
  lw_path_destroy(path);
  assert_int_equal(lw_path_request_cancel(of.world, first), LW_OK);
  assert_true(steps >= 2);
  close_crowd(&of);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sliced_and_whole_searches_find_the_same_path),
      cmocka_unit_test(who_waits_gets_the_path_that_a_whole_search_finds),
      cmocka_unit_test(a_higher_priority_is_first_and_nobody_starves),
      cmocka_unit_test(who_is_sent_elsewhere_while_it_waits_gets_the_path_there),
      cmocka_unit_test(equal_requests_are_answered_by_one_search),
      cmocka_unit_test(the_program_hears_of_each_answer_once),
      cmocka_unit_test(requests_out_of_range_are_refused),
      cmocka_unit_test(a_workspace_serves_a_search_alone),
      cmocka_unit_test(who_waits_while_obstacles_move_gets_its_path),
      cmocka_unit_test(a_long_search_is_paid_for_by_the_next_steps_alone),
      cmocka_unit_test(a_search_begins_again_where_the_ground_changes),
  };
  setvbuf(stdout, NULL, _IOLBF, 0);
  return cmocka_run_group_tests(tests, random_level_open, random_level_close);
}
