/* The planner on several threads, and by job systems that run tasks late or out of order: each step leaves the same world
   behind as on one thread. The seed is printed; LEEWARD_SEED sets it. */
#include "bake_scene.h"
#include "core/parallel.h"
#include "random_level.h"
#include "sight_scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define AGENTS 50
#define REQUESTS 24
#define STEPS 60
#define DT (1.0f / 60)

/* --- job systems ---------------------------------------------------------------------------------------------- */

typedef enum job_kind {
  JOBS_NONE,
  JOBS_AT_ONCE, /* in `enqueue`, the last item first */
  JOBS_LATE,    /* in `finish`, all as one range */
  JOBS_THREADS, /* each item on whichever thread takes it */
  JOBS_KINDS
} job_kind;

typedef struct job_system {
  job_kind kind;
  lw_task *task;
  void *context;
  int count, runs, finishes;
} job_system;

static bool run_item(void *user, int item) {
  const job_system *jobs = user;
  jobs->task(item, item + 1, jobs->context);
  return true;
}

static void *enqueue(void *user, lw_task *task, int count, int min_range, void *context) {
  job_system *jobs = user;
  assert_true(count > 1 && min_range >= 1 && min_range <= count);
  jobs->task = task;
  jobs->context = context;
  jobs->count = count;
  jobs->runs += 1;
  if (jobs->kind != JOBS_AT_ONCE) return jobs;
  for (int i = count - 1; i >= 0; i--) task(i, i + 1, context);
  return NULL;
}

static void finish(void *user, void *handle) {
  job_system *jobs = user;
  assert_ptr_equal(user, handle);
  jobs->finishes += 1;
  if (jobs->kind == JOBS_LATE) {
    jobs->task(0, jobs->count, jobs->context);
    return;
  }
  const lwi_parallel parallel = {.count = jobs->count, .threads = 3, .work = run_item, .user = jobs};
  assert_true(lwi_parallel_run(&parallel));
}

/* --- a busy world --------------------------------------------------------------------------------------------- */

typedef struct setting {
  int threads;
  job_kind jobs;
} setting;

typedef struct run {
  lw_world *world;
  job_system jobs;
  lw_random random; /* the same numbers in each run */
  lw_agent_id agents[AGENTS];
  lw_request_id requests[REQUESTS];
  lw_obstacle_id obstacle;
  uint64_t answers; /* points of all paths that were requested */
} run;

static run *open_run(const lw_navmesh *navmesh, uint64_t seed, int work, setting by) {
  run *of = calloc(1, sizeof *of);
  lw_world_def def = lw_world_def_default();
  lw_error error = {.text = ""};
  *of = (run){.jobs = {.kind = by.jobs}, .random = lwi_random_make(seed, 2)};
  def.navmesh = navmesh;
  def.search_work = work;
  def.threads = by.threads;
  if (by.jobs != JOBS_NONE) def.jobs = (lw_job_system){enqueue, finish, &of->jobs};
  if (lw_world_create(&def, &of->world, &error) != LW_OK) fail_msg("%s", error.text);
  return of;
}

static void close_run(run *of) {
  lw_world_destroy(of->world);
  free(of);
}

static void add_threats(run *of) {
  for (int i = 0; i < 3; i++) {
    lw_threat_def def = lw_threat_def_default();
    lw_threat_id id;
    def.threat.at = random_level_place(&of->random, 1.6f);
    def.threat.range = 25;
    def.known_to = "";
    assert_int_equal(lw_threat_add(of->world, &def, &id, NULL), LW_OK);
  }
}

static void add_obstacle(run *of) {
  lw_obstacle_def def = lw_obstacle_def_default();
  def.at = (lw_vec3){30, 0, 30};
  def.size = (lw_vec3){2, 2, 2};
  def.min_move = 0;
  assert_int_equal(lw_obstacle_add(of->world, &def, &of->obstacle, NULL), LW_OK);
}

static void spawn_all(run *of) {
  for (int i = 0; i < AGENTS; i++) {
    lw_agent_def def = lw_agent_def_default();
    def.profile = level_profiles[i % 5 == 0 ? LEVEL_LARGE : LEVEL_SMALL];
    do def.at = random_level_place(&of->random, 0);
    while (lw_agent_spawn(of->world, &def, &of->agents[i], NULL) != LW_OK);
  }
}

static void send_some(run *of, int count) {
  for (int i = 0; i < count; i++) {
    lw_move_options options = lw_move_options_default();
    const lw_agent_id agent = of->agents[(int)(lwi_random_unit(&of->random) * AGENTS)];
    options.priority = (int)(lwi_random_unit(&of->random) * 3);
    options.quality = lwi_random_unit(&of->random) < 0.3f ? LW_QUALITY_FAST : LW_QUALITY_GOOD;
    lw_agent_move_with(of->world, agent, random_level_place(&of->random, 0), &options);
  }
}

static void request_some(run *of) {
  lw_threat threat = lw_threat_default();
  for (int i = 0; i < REQUESTS; i++) {
    lw_path_query query = lw_path_query_default();
    threat.at = random_level_place(&of->random, 1.6f);
    query.from = random_level_place(&of->random, 0);
    query.to = random_level_place(&of->random, 0);
    query.profile = level_profiles[i % LEVEL_PROFILES];
    query.allow_partial = i % 3 == 0;
    query.threats = i % 4 == 0 ? &threat : NULL;
    query.threat_count = i % 4 == 0;
    assert_int_equal(lw_path_request(of->world, &query, i % 2, &of->requests[i]), LW_OK);
  }
}

static void take_answers(run *of) {
  for (int i = 0; i < REQUESTS; i++) {
    lw_path *path = NULL;
    const lw_status status = lw_path_request_take(of->world, of->requests[i], &path);
    of->answers = of->answers * 31 + (uint64_t)status;
    if (path) {
      int count;
      const lw_vec3 *points = lw_path_points(path, &count);
      for (int k = 0; k < count; k++)
        of->answers = of->answers * 31 + (uint64_t)(points[k].x * 1e4f) + (uint64_t)(points[k].z * 1e3f);
    }
    lw_path_destroy(path);
  }
}

/* What is done before step `i`. */
static void act(run *of, int i) {
  if (i == 0) {
    add_threats(of);
    add_obstacle(of);
    spawn_all(of);
    request_some(of);
    send_some(of, 2 * AGENTS);
  }
  if (i == 30) random_level_add_regions(of->world, &of->random);
  if (i % 20 == 10) send_some(of, AGENTS / 2);
  if (i % 7 == 3) {
    const lw_vec3 to = {30 + 0.5f * (float)(i % 9), 0, 30};
    assert_int_equal(lw_obstacle_move(of->world, of->obstacle, to, 0, NULL), LW_OK);
  }
  if (i % 11 == 5) take_answers(of);
}

static lw_planner_stats stats_of(const run *of) {
  lw_planner_stats stats;
  assert_int_equal(lw_world_get_planner_stats(of->world, &stats), LW_OK);
  return stats;
}

static const setting settings[] = {
    {2, JOBS_NONE}, {4, JOBS_NONE}, {3, JOBS_AT_ONCE}, {3, JOBS_LATE}, {4, JOBS_THREADS}};
#define SETTINGS ((int)(sizeof settings / sizeof *settings))

static void compare(const run *alone, const run *other, setting by, int step) {
  const lw_planner_stats expected = stats_of(alone), stats = stats_of(other);
  if (lw_world_hash(alone->world) != lw_world_hash(other->world) || alone->answers != other->answers)
    fail_msg("step %d differs with %d threads, jobs %d", step, by.threads, (int)by.jobs);
  assert_int_equal(stats.threads, by.threads);
  assert_int_equal(stats.used, expected.used);
  assert_int_equal(stats.answered, expected.answered);
  assert_int_equal(stats.waiting_agents, expected.waiting_agents);
  assert_int_equal(stats.waiting_requests, expected.waiting_requests);
  assert_int_equal(stats.waited, expected.waited);
}

static void run_level(const lw_navmesh *navmesh, uint64_t seed, int work) {
  run *alone = open_run(navmesh, seed, work, (setting){1, JOBS_NONE}), *others[SETTINGS];
  int waited = 0;
  for (int k = 0; k < SETTINGS; k++) others[k] = open_run(navmesh, seed, work, settings[k]);
  for (int i = 0; i < STEPS; i++) {
    act(alone, i);
    assert_int_equal(lw_world_step(alone->world, DT), LW_OK);
    waited += stats_of(alone).waiting_agents > 0;
    for (int k = 0; k < SETTINGS; k++) {
      act(others[k], i);
      assert_int_equal(lw_world_step(others[k]->world, DT), LW_OK);
      compare(alone, others[k], settings[k], i);
    }
  }
  assert_true(waited > 3);
  for (int k = 0; k < SETTINGS; k++) {
    const job_system *jobs = &others[k]->jobs;
    assert_true(jobs->kind == JOBS_NONE || jobs->runs > 0);
    assert_int_equal(jobs->finishes, jobs->kind == JOBS_NONE || jobs->kind == JOBS_AT_ONCE ? 0 : jobs->runs);
    close_run(others[k]);
  }
  close_run(alone);
}

static void each_step_is_the_same_on_any_number_of_threads(void **state) {
  static const int works[] = {150, 6000};
  const uint64_t seed = sight_seed();
  lw_random random = lwi_random_make(seed, 0);
  (void)state;
  printf("note: seed %llu\n", (unsigned long long)seed);
  for (int level = 0; level < 2; level++) {
    lw_navmesh *navmesh = random_level_bake(&random);
    run_level(navmesh, seed + (uint64_t)level, works[level]);
    lw_navmesh_destroy(navmesh);
  }
}

/* --- memory that runs out ------------------------------------------------------------------------------------- */

static atomic_long allocations_left;

static void *resize_or_fail(void *user, void *block, size_t old_size, size_t size) {
  (void)user;
  (void)old_size;
  if (size == 0) {
    free(block);
    return NULL;
  }
  return atomic_fetch_sub(&allocations_left, 1) > 0 ? realloc(block, size) : NULL;
}

/* Whatever fails, the world goes on, and all who wait are answered. */
static void memory_may_run_out_on_any_thread(void **state) {
  lw_random random = lwi_random_make(sight_seed(), 3);
  lw_navmesh *navmesh = random_level_bake(&random);
  int failed = 0;
  (void)state;
  for (long left = 0; left < 400; left += 1 + left / 6) {
    lw_world_def def = lw_world_def_default();
    run of = {.random = lwi_random_make(sight_seed(), 4)};
    def.navmesh = navmesh;
    def.threads = 3;
    def.allocator = (lw_allocator){resize_or_fail, NULL};
    atomic_store(&allocations_left, 1L << 40);
    assert_int_equal(lw_world_create(&def, &of.world, NULL), LW_OK);
    add_threats(&of);
    request_some(&of);
    atomic_store(&allocations_left, left);
    failed += lw_world_step(of.world, DT) != LW_OK;
    for (int i = 0; i < REQUESTS; i++)
      failed += lw_path_request_status(of.world, of.requests[i]) == LW_OUT_OF_MEMORY;
    atomic_store(&allocations_left, 1L << 40);
    for (int i = 0; stats_of(&of).waiting_requests > 0; i++) {
      const lw_status status = lw_world_step(of.world, DT); /* it may say what was missed before */
      assert_true(status == LW_OK || (status == LW_OUT_OF_MEMORY && i < 2));
      assert_true(i < 50);
    }
    lw_world_destroy(of.world);
  }
  assert_true(failed > 20);
  atomic_store(&allocations_left, 0);
  lw_world_def def = lw_world_def_default();
  lw_world *world;
  def.navmesh = navmesh;
  def.threads = 3;
  def.allocator = (lw_allocator){resize_or_fail, NULL};
  for (long left = 0; lw_world_create(&def, &world, NULL) == LW_OUT_OF_MEMORY; left++) {
    assert_null(world);
    assert_true(left < 1000);
    atomic_store(&allocations_left, left);
  }
  lw_world_destroy(world);
  lw_navmesh_destroy(navmesh);
}

/* --- what is refused ------------------------------------------------------------------------------------------ */

static void refuse(const lw_world_def *def, const char *expected) {
  lw_error error = {.text = ""};
  lw_world *world;
  assert_int_equal(lw_world_create(def, &world, &error), LW_INVALID);
  assert_null(world);
  assert_string_equal(error.text, expected);
}

static void threads_and_jobs_out_of_range_are_refused(void **state) {
  lw_random random = lwi_random_make(sight_seed(), 0);
  lw_navmesh *navmesh = random_level_bake(&random);
  lw_world_def def = lw_world_def_default();
  job_system jobs = {.kind = JOBS_LATE};
  (void)state;
  def.navmesh = navmesh;
  def.threads = 0;
  refuse(&def, "threads is 0, expected 1 to 64");
  def.threads = 65;
  refuse(&def, "threads is 65, expected 1 to 64");
  def.threads = 1;
  def.jobs = (lw_job_system){enqueue, finish, &jobs};
  refuse(&def, "threads is 1 with jobs, expected 2 or more: how many tasks there are at once");
  def.threads = 2;
  def.jobs.finish = NULL;
  refuse(&def, "jobs.finish is NULL, expected a valid pointer");
  def.jobs = (lw_job_system){.finish = finish};
  refuse(&def, "jobs.enqueue is NULL, expected a valid pointer");
  lw_navmesh_destroy(navmesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_step_is_the_same_on_any_number_of_threads),
      cmocka_unit_test(memory_may_run_out_on_any_thread),
      cmocka_unit_test(threads_and_jobs_out_of_range_are_refused),
  };
  setvbuf(stdout, NULL, _IOLBF, 0);
  return cmocka_run_group_tests(tests, random_level_open, random_level_close);
}
