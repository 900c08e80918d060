/* Threads ask a world on which everything changes, between its steps, while another thread bakes: the answers are those that
   one thread gets. */
#include "changing_world.h"
#include "core/hash.h"
#include "core/parallel.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define THREADS 4
#define ROUNDS 20
#define CHANGES_MAX 12 /* from one round to the next */
#define STEPS_MAX 3
#define QUERIES 240 /* of a round */
#define PIECE 10    /* queries that a thread takes at once */
#define THREATS 3
#define AGENTS 8
#define DT (1.0f / 30)
#define EYE 1.6f

typedef struct crowd {
  changing_world it;
  int round;
  lw_threat threats[THREATS];
  lw_workspace *workspaces[THREADS]; /* each taken by one thread at a time */
  atomic_flag taken[THREADS];
  uint64_t answers[QUERIES]; /* hashes */
  lw_agent_id agents[AGENTS];
  lw_geometry *geometry; /* that is baked beside */
  lw_bake_settings settings;
  lw_rebuild_job *job;
  lw_navmesh *rebuilt[2]; /* that the world has or had */
  int rebuilds, asked_beside;
  int found[8]; /* answers that are not "no", by kind */
} crowd;

/* One question. */
typedef struct asking {
  const crowd *of;
  lw_workspace *workspace;
  lw_random random;
  uint64_t hash;
  bool is_found;
} asking;

static int pick(asking *a, int count) {
  return (int)((float)count * lwi_random_unit(&a->random));
}

static void note(asking *a, const void *data, size_t size) {
  a->hash = lwi_hash(a->hash, data, size);
}

static void note_status(asking *a, lw_status status) {
  note(a, &status, sizeof status);
  a->is_found = status == LW_OK;
}

static void note_place(asking *a, lw_location place) {
  note(a, &place.point, sizeof place.point);
  note(a, &place.poly, sizeof place.poly);
}

static const lw_profile *profile(asking *a) {
  return a->of->it.profiles[pick(a, CHANGING_PROFILES)];
}

/* --- questions ---------------------------------------------------------------------------------------------------- */

static void ask_path(asking *a) {
  lw_path_query query = lw_path_query_default();
  query.from = changing_place(&a->random);
  query.to = changing_place(&a->random);
  query.profile = profile(a);
  query.quality = (lw_quality)pick(a, LW_QUALITY_COUNT);
  query.threats = a->of->threats;
  query.threat_count = pick(a, 6) == 0 ? THREATS : 0;
  lw_path *path;
  note_status(a, lw_path_find(a->of->it.world, a->workspace, &query, &path));
  if (!path) return;
  const float cost = lw_path_cost(path);
  int count;
  const lw_vec3 *points = lw_path_points(path, &count);
  note(a, &cost, sizeof cost);
  note(a, points, (size_t)count * sizeof *points);
  lw_path_destroy(path);
}

static void ask_connected(asking *a) {
  lw_path_exists_query query = lw_path_exists_query_default();
  query.from = changing_place(&a->random);
  query.to = changing_place(&a->random);
  query.profile = profile(a);
  lw_path_exists(a->of->it.world, a->workspace, &query, &a->is_found);
  note(a, &a->is_found, sizeof a->is_found);
}

static void ask_nearest(asking *a) {
  lw_location found;
  const lw_vec3 at = changing_place(&a->random);
  note_status(a, lw_navmesh_nearest(lw_world_navmesh(a->of->it.world), at, (lw_vec3){2, 2, 2}, NULL, &found));
  note_place(a, found);
}

static void ask_random_point(asking *a) {
  lw_random_point_query query = lw_random_point_query_default();
  lw_location found;
  query.anywhere = pick(a, 3) == 0;
  query.around = changing_place(&a->random);
  query.radius = 1 + (float)pick(a, 15);
  query.profile = profile(a);
  query.random = &a->random;
  note_status(a, lw_random_point_find(a->of->it.world, a->workspace, &query, &found));
  note_place(a, found);
}

static void ask_reachable(asking *a) {
  lw_reachable_area_query query = lw_reachable_area_query_default();
  lw_reachable_area result;
  query.from = changing_place(&a->random);
  query.profile = profile(a);
  query.max_cost = (float)pick(a, 40);
  note_status(a, lw_reachable_area_find(a->of->it.world, a->workspace, &query, &result));
  note(a, &result.area, sizeof result.area);
}

static void ask_exposure(asking *a) {
  static const lw_accuracy accuracies[] = {LW_ACCURACY_AUTO, LW_ACCURACY_FAST, LW_ACCURACY_EXACT};
  lw_exposure_query query = lw_exposure_query_default();
  lw_exposure seen;
  query.from = changing_place(&a->random);
  query.to = changing_place(&a->random);
  query.threats = a->of->threats;
  query.threat_count = 1 + pick(a, THREATS);
  query.accuracy = accuracies[pick(a, 3)];
  query.shots = pick(a, 4) == 0;
  assert_int_equal(lw_exposure_find(a->of->it.world, a->workspace, &query, &seen), LW_OK);
  note(a, &seen.exposed, sizeof seen.exposed);
  a->is_found = seen.exposed > 0;
}

static void ask_cover(asking *a) {
  lw_cover_query query = lw_cover_query_default();
  lw_cover_point points[3];
  int count;
  query.around = changing_place(&a->random);
  query.radius = 8;
  query.profile = profile(a);
  query.threats = a->of->threats;
  query.threat_count = 1;
  note_status(a, lw_cover_find(a->of->it.world, a->workspace, &query, points, 3, &count));
  for (int i = 0; i < count; i++) note(a, &points[i].at.point, sizeof points[i].at.point);
}

static int kind_of(int index) {
  static const int kinds[] = {0, 0, 0, 0, 1, 1, 2, 3, 3, 4, 5, 5, 5, 6}; /* few of those that take long */
  return kinds[index % 14];
}

static asking ask(const crowd *of, int index, lw_workspace *workspace) {
  static void (*const questions[])(asking *) = {ask_path,      ask_connected, ask_nearest, ask_random_point,
                                                ask_reachable, ask_exposure,  ask_cover};
  asking a = {.of = of,
              .workspace = workspace,
              .random = lwi_random_make(of->it.seed, (uint64_t)(of->round * QUERIES + index + 1)),
              .hash = LWI_HASH_SEED};
  questions[kind_of(index)](&a);
  return a;
}

static bool ask_piece(void *user, int piece) {
  crowd *of = user;
  int mine = 0;
  while (atomic_flag_test_and_set(&of->taken[mine])) mine = (mine + 1) % THREADS;
  for (int i = piece * PIECE; i < (piece + 1) * PIECE; i++)
    of->answers[i] = ask(of, i, of->workspaces[mine]).hash;
  atomic_flag_clear(&of->taken[mine]);
  return true;
}

/* First by all threads, so that it is they who fill what they share. */
static void ask_round(crowd *of) {
  const lwi_parallel work = {.count = QUERIES / PIECE, .threads = THREADS, .work = ask_piece, .user = of};
  of->asked_beside += of->job && !lw_rebuild_job_is_done(of->job);
  assert_true(lwi_parallel_run(&work));
  for (int i = 0; i < QUERIES; i++) {
    const asking alone = ask(of, i, NULL);
    if (alone.hash != of->answers[i])
      fail_msg("seed %llu, round %d: question %d of kind %d has another answer among threads",
               (unsigned long long)of->it.seed, of->round, i, kind_of(i));
    of->found[kind_of(i)] += alone.is_found;
  }
}

/* --- a rebuild beside --------------------------------------------------------------------------------------------- */

static void start_rebuild(crowd *of) {
  lw_rebuild_def def = lw_rebuild_def_default();
  lw_error error = {.text = ""};
  def.navmesh = of->it.sources[0];
  def.geometry = of->geometry;
  def.settings = &of->settings;
  def.changed = (lw_box){{0, -2, 0}, {WIDTH, 12, DEPTH}};
  if (lw_rebuild_job_start(&def, &of->job, &error) != LW_OK) fail_msg("%s", error.text);
}

/* The world takes every third one: in rounds that are the same however long it took. */
static void take_rebuild(crowd *of) {
  lw_error error = {.text = ""};
  for (int i = 0; of->round % 3 == 2 && i < 2; i++) {
    if (of->rebuilt[i] && lw_world_uses_navmesh(of->it.world, of->rebuilt[i])) continue;
    lw_navmesh_destroy(of->rebuilt[i]);
    if (lw_rebuild_job_take(of->job, &of->rebuilt[i], NULL, &error) != LW_OK ||
        lw_world_set_navmesh(of->it.world, 0, of->rebuilt[i], &error) != LW_OK)
      fail_msg("%s", error.text);
    of->rebuilds += 1;
    break;
  }
  if (lw_rebuild_job_wait(of->job, &error) != LW_OK) fail_msg("%s", error.text);
  lw_rebuild_job_destroy(of->job);
  start_rebuild(of);
}

/* --- the run ------------------------------------------------------------------------------------------------------ */

static void open_crowd(crowd *of, uint64_t seed) {
  changing_open(&of->it, seed);
  for (int i = 0; i < THREADS; i++) {
    of->workspaces[i] = lw_workspace_create(of->it.world);
    assert_non_null(of->workspaces[i]);
    atomic_flag_clear(&of->taken[i]);
  }
  for (int i = 0; i < AGENTS; i++) {
    lw_agent_def def = lw_agent_def_default();
    def.profile = of->it.profiles[1 + i % 3];
    def.at = (lw_vec3){2 + (float)i, 0, 12};
    assert_int_equal(lw_agent_spawn(of->it.world, &def, &of->agents[i], NULL), LW_OK);
  }
  const lw_geometry_box wall = tiles_wall_at(28, 6, 1, 9);
  of->settings = tiles_settings();
  of->settings.threads = 2;
  of->geometry = scene_floor(scene_table, WIDTH, DEPTH);
  assert_int_equal(lw_geometry_add_box(of->geometry, &wall, NULL), LW_OK);
  tiles_add_lift(of->geometry);
  start_rebuild(of);
}

static void close_crowd(crowd *of) {
  lw_rebuild_job_destroy(of->job);
  for (int i = 0; i < THREADS; i++) lw_workspace_destroy(of->workspaces[i]);
  changing_close(&of->it);
  for (int i = 0; i < 2; i++) lw_navmesh_destroy(of->rebuilt[i]);
  lw_geometry_destroy(of->geometry);
}

/* Nothing asks meanwhile. */
static void change(crowd *of, lw_random *random) {
  take_rebuild(of);
  for (int i = (int)(CHANGES_MAX * lwi_random_unit(random)); i >= 0; i--) changing_change(&of->it);
  lw_agent_move_to(of->it.world, of->agents[of->round % AGENTS], changing_place(random), 0.5f);
  for (int i = 0; i < THREATS; i++) {
    of->threats[i] = lw_threat_default();
    of->threats[i].at = changing_place(random);
    of->threats[i].at.y = EYE;
  }
  for (int i = (int)(STEPS_MAX * lwi_random_unit(random)); i >= 0; i--)
    assert_int_equal(lw_world_step(of->it.world, DT), LW_OK);
}

static void threads_ask_what_changes(void **state) {
  (void)state;
  static crowd of;
  const char *seed = getenv("LEEWARD_SEED");
  of = (crowd){.round = 0};
  open_crowd(&of, seed ? strtoull(seed, NULL, 10) : 20261125);
  lw_random random = lwi_random_make(of.it.seed, 0);
  for (; of.round < ROUNDS; of.round++) {
    change(&of, &random);
    ask_round(&of);
  }
  print_message(
      "note: seed %llu: %d rounds of %d questions, %d beside a rebuild, %d rebuilds taken; found: %d paths, "
      "%d connected, %d nearest, %d random points, %d reachable, %d seen, %d cover\n",
      (unsigned long long)of.it.seed, ROUNDS, QUERIES, of.asked_beside, of.rebuilds, of.found[0], of.found[1],
      of.found[2], of.found[3], of.found[4], of.found[5], of.found[6]);
  assert_true(of.asked_beside > 0 && of.rebuilds > 0);
  for (int i = 0; i < 7; i++) assert_true(of.found[i] > ROUNDS);
  close_crowd(&of);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(threads_ask_what_changes)};
  return cmocka_run_group_tests(tests, scene_open, scene_close);
}
