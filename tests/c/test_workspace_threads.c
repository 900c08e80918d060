/* Many threads ask at once, each with its own workspace: the answers are those that one thread gets. */
#include "core/hash.h"
#include "core/parallel.h"
#include "core/random.h"
#include "cover_scene.h"
#include "golden_scenes.h"
#include "leeward/leeward.h"
#include "random_world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define SEED 20261123u
#define THREADS 8
#define QUERIES 100000
#define PIECE 50 /* queries that a thread takes at once */
#define PROFILES 12
#define THREATS 4

/* Worlds that are asked, and what to ask. */
typedef struct crowd {
  int world_count, query_count;
  lw_world *worlds[2];
  lw_vec3 low, high; /* where places are drawn */
  const lw_profile *profiles[PROFILES];
  lw_threat threats[THREATS];
  lw_workspace *workspaces[THREADS][2]; /* one for each world, taken by one thread at a time */
  atomic_flag taken[THREADS];
  lw_world *stepping; /* another world, stepped by the thread that takes the first piece; NULL: none */
  uint64_t *answers;  /* [query_count] Hashes. */
} crowd;

/* One question, and where its answer is hashed. */
typedef struct asking {
  const crowd *of;
  const lw_world *world;
  lw_workspace *workspace;
  lw_random random;
  uint64_t hash;
} asking;

static void note(asking *a, const void *data, size_t size) {
  a->hash = lwi_hash(a->hash, data, size);
}

static void note_float(asking *a, float value) {
  note(a, &value, sizeof value);
}

static int pick(asking *a, int count) {
  return (int)((float)count * lwi_random_unit(&a->random));
}

static float between(asking *a, float low, float high) {
  return low + (high - low) * lwi_random_unit(&a->random);
}

static lw_vec3 place(asking *a) {
  const lw_vec3 low = a->of->low, high = a->of->high;
  const float x = between(a, low.x, high.x), y = between(a, low.y, high.y), z = between(a, low.z, high.z);
  return (lw_vec3){x, y, z};
}

static const lw_profile *profile(asking *a) {
  return a->of->profiles[pick(a, PROFILES)];
}

/* --- questions ---------------------------------------------------------------------------------------------------- */

static void find_path(asking *a, bool watched) {
  lw_path_query query = lw_path_query_default();
  query.from = place(a);
  query.to = place(a);
  query.snap = (lw_vec3){4, 8, 4};
  query.profile = profile(a);
  query.allow_partial = pick(a, 2);
  query.quality = (lw_quality)pick(a, LW_QUALITY_COUNT);
  if (watched) {
    query.threats = a->of->threats;
    query.threat_count = 1 + pick(a, THREATS);
  }
  lw_path *path;
  const lw_status status = lw_path_find(a->world, a->workspace, &query, &path);
  note(a, &status, sizeof status);
  if (!path) return;
  note_float(a, lw_path_cost(path));
  note_float(a, lw_path_exposed(path));
  int point_count;
  const lw_vec3 *points = lw_path_points(path, &point_count);
  note(a, points, (size_t)point_count * sizeof *points);
  if (pick(a, 8) == 0) {
    lw_explanation *explanation;
    char text[256];
    assert_int_equal(lw_path_explain(path, a->world, a->workspace, &query, &explanation), LW_OK);
    const int length = lw_explanation_sentence(explanation, text, sizeof text);
    note(a, text, (size_t)(length < 255 ? length : 255));
    lw_explanation_destroy(explanation);
  }
  lw_path_destroy(path);
}

static void ask_connected(asking *a) {
  lw_path_exists_query query = lw_path_exists_query_default();
  bool connected;
  query.from = place(a);
  query.to = place(a);
  query.profile = profile(a);
  const lw_status status = lw_path_exists(a->world, a->workspace, &query, &connected);
  note(a, &status, sizeof status);
  note(a, &connected, sizeof connected);
}

static void ask_random_point(asking *a) {
  lw_random_point_query query = lw_random_point_query_default();
  lw_location found;
  query.anywhere = pick(a, 3) == 0;
  query.around = place(a);
  query.radius = between(a, 1, 15);
  query.profile = profile(a);
  query.random = &a->random;
  const lw_status status = lw_random_point_find(a->world, a->workspace, &query, &found);
  note(a, &status, sizeof status);
  note(a, &found.point, sizeof found.point);
}

static void ask_reachable(asking *a) {
  lw_reachable_area_query query = lw_reachable_area_query_default();
  lw_reachable_area result;
  query.from = place(a);
  query.profile = profile(a);
  query.max_cost = between(a, 2, 30);
  const lw_status status = lw_reachable_area_find(a->world, a->workspace, &query, &result);
  note(a, &status, sizeof status);
  note(a, &result.area, sizeof result.area);
}

static void ask_exposure(asking *a) {
  static const lw_accuracy accuracies[] = {LW_ACCURACY_AUTO, LW_ACCURACY_AUTO, LW_ACCURACY_FAST,
                                           LW_ACCURACY_EXACT};
  lw_exposure_query query = lw_exposure_query_default();
  lw_exposure seen;
  query.from = place(a);
  query.to = place(a);
  query.threats = a->of->threats;
  query.threat_count = 1 + pick(a, THREATS);
  query.accuracy = accuracies[pick(a, 4)];
  query.shots = pick(a, 4) == 0;
  assert_int_equal(lw_exposure_find(a->world, a->workspace, &query, &seen), LW_OK);
  note_float(a, seen.exposed);
  note_float(a, seen.weighted);
}

static void ask_cover(asking *a) {
  lw_cover_query query = lw_cover_query_default();
  lw_cover_point points[3];
  int count;
  query.around = place(a);
  query.radius = 8;
  query.profile = profile(a);
  query.threats = a->of->threats;
  query.threat_count = 1 + pick(a, 2);
  const lw_status status = lw_cover_find(a->world, a->workspace, &query, points, 3, &count);
  note(a, &status, sizeof status);
  for (int i = 0; i < count; i++) note(a, &points[i].at.point, sizeof points[i].at.point);
}

static uint64_t ask(const crowd *of, int index, lw_workspace *const workspaces[2]) {
  const int world = index % of->world_count;
  asking a = {.of = of,
              .world = of->worlds[world],
              .workspace = workspaces ? workspaces[world] : NULL,
              .random = lwi_random_make(SEED, (uint64_t)(index / of->world_count)),
              .hash = LWI_HASH_SEED};
  const int kind = pick(&a, 200);
  if (kind == 0)
    find_path(&a, true);
  else if (kind == 1)
    ask_cover(&a);
  else if (kind < 60)
    find_path(&a, false);
  else if (kind < 90)
    ask_connected(&a);
  else if (kind < 120)
    ask_random_point(&a);
  else if (kind < 130)
    ask_reachable(&a);
  else
    ask_exposure(&a);
  return a.hash;
}

/* --- by many threads ---------------------------------------------------------------------------------------------- */

#define STEPS_ASIDE 20

static bool ask_piece(void *user, int piece) {
  crowd *of = user;
  int mine = 0;
  for (int i = 0; of->stepping && piece == 0 && i < STEPS_ASIDE; i++)
    if (lw_world_step(of->stepping, 0.02f) != LW_OK) return false;
  while (atomic_flag_test_and_set(&of->taken[mine])) mine = (mine + 1) % THREADS;
  for (int i = piece * PIECE; i < (piece + 1) * PIECE && i < of->query_count; i++)
    of->answers[i] = ask(of, i, of->workspaces[mine]);
  atomic_flag_clear(&of->taken[mine]);
  return true;
}

static void ask_by_threads(crowd *of) {
  const lwi_parallel work = {
      .count = (of->query_count + PIECE - 1) / PIECE, .threads = THREADS, .work = ask_piece, .user = of};
  assert_true(lwi_parallel_run(&work));
}

/* What many threads get, then what one gets: so it is the many that fill what they share. @return How many answers differ. */
static int compare(crowd *of) {
  uint64_t *alone = malloc((size_t)of->query_count * sizeof *alone);
  assert_non_null(alone);
  ask_by_threads(of);
  for (int i = 0; i < of->query_count; i++) alone[i] = ask(of, i, NULL);
  int different = 0;
  for (int i = 0; i < of->query_count; i++) different += alone[i] != of->answers[i];
  free(alone);
  return different;
}

static void open_crowd(crowd *of, int queries) {
  of->query_count = queries;
  of->answers = malloc((size_t)queries * sizeof *of->answers);
  assert_non_null(of->answers);
  for (int i = 0; i < THREADS; i++) {
    atomic_flag_clear(&of->taken[i]);
    for (int k = 0; k < of->world_count; k++) {
      of->workspaces[i][k] = lw_workspace_create(of->worlds[k]);
      assert_non_null(of->workspaces[i][k]);
    }
  }
}

static void close_crowd(crowd *of) {
  for (int i = 0; i < THREADS; i++)
    for (int k = 0; k < of->world_count; k++) lw_workspace_destroy(of->workspaces[i][k]);
  free(of->answers);
}

/* Of many sizes, so that labels and clearances are found for many filters. */
static void make_profiles(crowd *of, const lw_area_table *areas, lw_profile **profiles) {
  for (int i = 0; i < PROFILES; i++) {
    lw_profile_def def = lw_profile_def_default();
    def.radius = i % 2 ? 0.4f : 0.4f + 0.05f * (float)i;
    def.cover_bias = i % 2 ? 4 : 1;
    def.exposure_factor = i % 4 == 3 ? 1 : 0;
    assert_int_equal(lw_profile_create(&def, areas, &profiles[i], NULL), LW_OK);
    of->profiles[i] = profiles[i];
  }
}

static void make_threats(crowd *of) {
  asking a = {.of = of, .random = lwi_random_make(SEED, 1u << 30)};
  for (int i = 0; i < THREATS; i++) {
    of->threats[i] = lw_threat_default();
    of->threats[i].at = place(&a);
    of->threats[i].at.y += 1.6f;
    of->threats[i].range = 40;
  }
}

static void add_walls(const cover_scene *s) {
  lw_random random = lwi_random_make(SEED, 2);
  for (int i = 0; i < 12; i++) {
    const float x = 3 + (SIZE - 6) * lwi_random_unit(&random), z = 3 + (SIZE - 6) * lwi_random_unit(&random);
    const float width = 1 + 3 * lwi_random_unit(&random), yaw = 3 * lwi_random_unit(&random);
    cover_add_box(s, (lw_vec3){x, 0, z}, (lw_vec3){width, i % 3 ? 2.2f : 1.2f, 0.4f}, yaw, LW_COVER_HARD);
  }
}

/* --- tests -------------------------------------------------------------------------------------------------------- */

static void threads_get_the_answers_that_one_thread_gets(void **state) {
  lw_profile *profiles[PROFILES];
  (void)state;
  cover_scene s = cover_begin((lw_vec3){0, 0, 0});
  add_walls(&s);
  cover_bake(&s);
  crowd of = {.world_count = 1, .worlds = {s.world}, .high = {SIZE, 0.2f, SIZE}};
  make_profiles(&of, scene_table, profiles);
  make_threats(&of);
  open_crowd(&of, QUERIES);
  assert_int_equal(compare(&of), 0);
  /* The next step makes depth maps for the eyes that were asked about. */
  assert_int_equal(lw_world_step(s.world, 0.02f), LW_OK);
  of.query_count = QUERIES / 10;
  assert_int_equal(compare(&of), 0);
  printf("note: %d threads, %d queries: no answer differs; workspaces hold %.1f MB\n", THREADS, QUERIES,
         (double)lw_workspace_memory(of.workspaces[0][0]) * 1e-6);
  close_crowd(&of);
  for (int i = 0; i < PROFILES; i++) lw_profile_destroy(profiles[i]);
  cover_end(&s);
}

static void two_worlds_share_a_navmesh(void **state) {
  lw_profile *profiles[PROFILES];
  lw_world_def def = lw_world_def_default();
  (void)state;
  cover_scene s = cover_begin((lw_vec3){0, 0, 0});
  add_walls(&s);
  cover_bake(&s);
  crowd of = {.world_count = 2, .worlds = {s.world}, .high = {SIZE, 0.2f, SIZE}};
  def.navmesh = s.mesh;
  def.cache_bytes = 1; /* every filter throws out the one before */
  assert_int_equal(lw_world_create(&def, &of.worlds[1], NULL), LW_OK);
  make_profiles(&of, scene_table, profiles);
  make_threats(&of);
  open_crowd(&of, QUERIES / 5);
  assert_int_equal(compare(&of), 0);
  for (int i = 0; i + 1 < of.query_count; i += 2) assert_true(of.answers[i] == of.answers[i + 1]);
  close_crowd(&of);
  lw_world_destroy(of.worlds[1]);
  for (int i = 0; i < PROFILES; i++) lw_profile_destroy(profiles[i]);
  cover_end(&s);
}

static void paths_over_several_navmeshes_are_found_by_many_threads(void **state) {
  lw_random random = lwi_random_make(SEED, 3);
  lw_navmesh *meshes[3];
  lw_profile *profiles[PROFILES];
  lw_area_table *areas = scene_numbered_areas(3);
  (void)state;
  for (int i = 0; i < 3; i++) meshes[i] = random_mesh(&random, areas, i);
  crowd of = {.world_count = 1};
  of.worlds[0] = random_world(&random, (const lw_navmesh *const *)meshes, 3);
  of.low = lw_navmesh_bounds(meshes[0]).min;
  of.high = lw_navmesh_bounds(meshes[2]).max;
  make_profiles(&of, areas, profiles);
  make_threats(&of);
  open_crowd(&of, QUERIES / 5);
  assert_int_equal(compare(&of), 0);
  close_crowd(&of);
  lw_world_destroy(of.worlds[0]);
  for (int i = 0; i < PROFILES; i++) lw_profile_destroy(profiles[i]);
  for (int i = 0; i < 3; i++) lw_navmesh_destroy(meshes[i]);
  lw_area_table_destroy(areas);
}

/* Of a golden scene, which has threats, dangers and fire lanes, and agents that search. */
static void ask_of_run(crowd *of, const golden_run *run) {
  *of = (crowd){.world_count = 1, .worlds = {run->world}};
  of->low = lw_navmesh_bounds(run->meshes[0]).min;
  of->high = lw_navmesh_bounds(run->meshes[run->mesh_count - 1]).max;
  for (int i = 0; i < PROFILES; i++) of->profiles[i] = run->profiles[i % 3];
  make_threats(of);
  open_crowd(of, QUERIES / 50);
}

static void a_run_goes_on_alike_while_threads_ask_between_its_steps(void **state) {
  (void)state;
  static golden_run asked, alone;
  for (int scene = 0; scene < 2; scene++) { /* several navmeshes with links; threats and cover */
    crowd of;
    golden_open(&asked, &golden_scenes[scene]);
    golden_open(&alone, &golden_scenes[scene]);
    ask_of_run(&of, &asked);
    for (int round = 0; round < 5; round++) {
      assert_int_equal(compare(&of), 0);
      for (int i = 0; i < 40; i++) {
        golden_step(&asked, &golden_scenes[scene]);
        golden_step(&alone, &golden_scenes[scene]);
      }
      assert_true(golden_agents_hash(&asked) == golden_agents_hash(&alone));
      assert_true(lw_world_hash(asked.world) == lw_world_hash(alone.world));
    }
    close_crowd(&of);
    golden_close(&asked);
    golden_close(&alone);
  }
}

/* A second world on a run's navmesh, with agents of its own. */
static lw_world *create_neighbour(const crowd *of, const golden_run *run) {
  lw_world_def def = lw_world_def_default();
  lw_world *world;
  asking a = {.of = of, .random = lwi_random_make(SEED, 4)};
  def.navmesh = run->meshes[0];
  assert_int_equal(lw_world_create(&def, &world, NULL), LW_OK);
  for (int i = 0; i < 12; i++) {
    lw_agent_def agent = lw_agent_def_default();
    lw_agent_id id;
    agent.profile = profile(&a);
    agent.at = place(&a);
    lw_vec3 goal = place(&a);
    if (lw_agent_spawn(world, &agent, &id, NULL) == LW_OK) lw_agent_move_to(world, id, goal, 0.3f);
  }
  return world;
}

static void a_world_is_asked_while_another_on_its_navmesh_steps(void **state) {
  (void)state;
  static golden_run run;
  crowd of;
  golden_open(&run, &golden_scenes[1]);
  ask_of_run(&of, &run);
  lw_world *alone = create_neighbour(&of, &run), *beside = create_neighbour(&of, &run);
  of.stepping = beside;
  for (int round = 0; round < 5; round++) {
    assert_int_equal(compare(&of), 0);
    for (int i = 0; i < STEPS_ASIDE; i++) assert_int_equal(lw_world_step(alone, 0.02f), LW_OK);
    assert_true(lw_world_hash(alone) == lw_world_hash(beside));
  }
  close_crowd(&of);
  lw_world_destroy(alone);
  lw_world_destroy(beside);
  golden_close(&run);
}

static void a_workspace_of_another_world_is_refused(void **state) {
  (void)state;
  cover_scene a = cover_begin((lw_vec3){0, 0, 0}), b = cover_begin((lw_vec3){0, 0, 0});
  cover_bake(&a);
  cover_bake(&b);
  lw_workspace *workspace = lw_workspace_create(a.world);
  lw_path_query query = lw_path_query_default();
  lw_path *path;
  query.from = (lw_vec3){2, 0, 2};
  query.to = (lw_vec3){9, 0, 9};
  assert_int_equal(lw_path_find(b.world, workspace, &query, &path), LW_INVALID);
  assert_null(path);
  assert_int_equal(lw_path_find(a.world, workspace, &query, &path), LW_OK);
  lw_path_destroy(path);
  lw_workspace_destroy(workspace);
  cover_end(&a);
  cover_end(&b);
}

static void a_workspace_counts_into_the_memory_of_its_world(void **state) {
  (void)state;
  cover_scene s = cover_begin((lw_vec3){0, 0, 0});
  cover_bake(&s);
  const size_t before = lw_world_memory(s.world);
  lw_workspace *workspace = lw_workspace_create(s.world);
  lw_path_query query = lw_path_query_default();
  lw_path *path;
  query.from = (lw_vec3){2, 0, 2};
  query.to = (lw_vec3){9, 0, 9};
  assert_int_equal(lw_path_find(s.world, workspace, &query, &path), LW_OK);
  lw_path_destroy(path);
  assert_true(lw_world_memory(s.world) >= before + lw_workspace_memory(workspace));
  lw_workspace_destroy(workspace);
  lw_workspace_destroy(NULL);
  cover_end(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(threads_get_the_answers_that_one_thread_gets),
      cmocka_unit_test(two_worlds_share_a_navmesh),
      cmocka_unit_test(paths_over_several_navmeshes_are_found_by_many_threads),
      cmocka_unit_test(a_run_goes_on_alike_while_threads_ask_between_its_steps),
      cmocka_unit_test(a_world_is_asked_while_another_on_its_navmesh_steps),
      cmocka_unit_test(a_workspace_of_another_world_is_refused),
      cmocka_unit_test(a_workspace_counts_into_the_memory_of_its_world),
  };
  setvbuf(stdout, NULL, _IOLBF, 0);
  return cmocka_run_group_tests(tests, scene_open, scene_close);
}
