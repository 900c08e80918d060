/* Searches in flight while everything changes: each ends with the path that a search of the whole finds on the navmesh as it
   is by then, bit for bit, never with one that leads over ground of before. */
#include "changing_world.h"
#include "level_test.h"

#include <stdlib.h>
#include <string.h>

#define SEARCHES 12
#define REQUESTS 12
#define GOALS 3
#define THREATS 2
#define ROUNDS 3000
#define SLICES 8 /* between two changes, at most */
#define WORK 8   /* of a slice, at most */
#define DT (1.0f / 30)

/* One in flight. */
typedef struct flight {
  lw_path_query query;
  lw_vec3 goals[GOALS];
  lw_threat threats[THREATS];
  lw_search *search;
  lw_request_id request; /* none: `search` is by hand */
  int changes, steps;    /* since it began */
} flight;

typedef struct run {
  changing_world it;
  lw_random random; /* of what is asked */
  flight searches[SEARCHES], requests[REQUESTS];
  int round;
  int found, none, changed, changed_twice, waited; /* answers */
} run;

static int below(run *r, int count) {
  return (int)(lwi_random_unit(&r->random) * (float)count);
}

/* --- questions ---------------------------------------------------------------------------------------------------- */

/* What the maps of busy threats say depends on the workspace: only exact sight is the same for all. */
static void watch(run *r, flight *f) {
  for (int i = 0; i < THREATS; i++) {
    f->threats[i] = lw_threat_default();
    f->threats[i].at = changing_place(&r->random);
    f->threats[i].at.y = 1.6f;
  }
  f->query.threats = f->threats;
  f->query.threat_count = THREATS;
  f->query.accuracy = LW_ACCURACY_EXACT;
}

static void draw_query(run *r, flight *f) {
  const int kind = below(r, 10);
  f->query = lw_path_query_default();
  f->query.from = changing_place(&r->random);
  f->query.to = changing_place(&r->random);
  f->query.profile = r->it.profiles[below(r, CHANGING_PROFILES)];
  f->query.quality = (lw_quality)below(r, LW_QUALITY_COUNT);
  f->query.allow_partial = kind == 0;
  f->changes = f->steps = 0;
  if (kind == 1 && f->query.profile) watch(r, f);
  if (kind != 2) return;
  for (int i = 0; i < GOALS; i++) f->goals[i] = changing_place(&r->random);
  f->query.goals = f->goals;
  f->query.goal_count = GOALS;
}

static void compare(run *r, const flight *f, lw_status status, lw_path *path, const char *what) {
  lw_path *whole;
  const lw_status expected = lw_path_find(r->it.world, NULL, &f->query, &whole);
  int count = 0, others = 0;
  const lw_vec3 *points = path ? lw_path_points(path, &count) : NULL,
                *other = whole ? lw_path_points(whole, &others) : NULL;
  const bool is_same = status == expected && count == others &&
                       (count == 0 || memcmp(points, other, (size_t)count * sizeof *points) == 0);
  if (!is_same)
    fail_msg(
        "seed %llu, round %d: %s that %d changes met ended with %s, a path of %g by %d points, expected %s, "
        "%g by %d",
        (unsigned long long)r->it.seed, r->round, what, f->changes, lw_status_text(status),
        path ? (double)lw_path_cost(path) : 0, count, lw_status_text(expected),
        whole ? (double)lw_path_cost(whole) : 0, others);
  *(path ? &r->found : &r->none) += 1;
  r->changed += f->changes > 0;
  r->changed_twice += f->changes > 1;
  lw_path_destroy(whole);
  lw_path_destroy(path);
}

/* --- in flight ---------------------------------------------------------------------------------------------------- */

static void search_on(run *r, flight *f) {
  lw_path *path;
  if (!f->search) {
    draw_query(r, f);
    assert_int_equal(lw_search_begin(r->it.world, NULL, &f->query, &f->search), LW_OK);
  }
  if (lw_search_step(f->search, 1 + below(r, WORK)) == LW_UNFINISHED && below(r, 60) > 0) return;
  const lw_status status = lw_search_finish(f->search, &path);
  f->search = NULL;
  compare(r, f, status, path, "a search");
}

static void take_answers(run *r) {
  for (int i = 0; i < REQUESTS; i++) {
    flight *f = &r->requests[i];
    lw_path *path;
    const lw_status status = lw_path_request_take(r->it.world, f->request, &path);
    if (status == LW_UNFINISHED) {
      f->steps += 1;
      continue;
    }
    if (status != LW_STALE) {
      r->waited += f->steps > 0;
      compare(r, f, status, path, "a request");
    }
    draw_query(r, f);
    f->query.threats = NULL; /* the planner keeps maps of its own */
    f->query.threat_count = 0;
    assert_int_equal(lw_path_request(r->it.world, &f->query, below(r, 3), &f->request), LW_OK);
  }
}

/* Some together, which take effect now, or with the next step. */
static void change(run *r) {
  for (int i = below(r, 3); i >= 0; i--) changing_change(&r->it);
  for (int i = 0; i < SEARCHES; i++) r->searches[i].changes += r->searches[i].search != NULL;
  for (int i = 0; i < REQUESTS; i++) r->requests[i].changes += 1;
  if (below(r, 3) == 0) assert_int_equal(lw_world_apply_changes(r->it.world), LW_OK);
}

static void step(run *r) {
  assert_int_equal(lw_world_step(r->it.world, DT), LW_OK);
  take_answers(r);
}

static void searches_in_flight_end_on_what_is_there(void **state) {
  (void)state;
  static run all;
  run *r = &all;
  const char *seed = getenv("LEEWARD_SEED");
  *r = (run){.random = lwi_random_make(11, 1)};
  changing_open(&r->it, seed ? strtoull(seed, NULL, 10) : 20261128);
  assert_int_equal(lw_world_set_search_work(r->it.world, 60), LW_OK);
  for (r->round = 0; r->round < ROUNDS; r->round++) {
    for (int i = below(r, SLICES); i >= 0; i--) search_on(r, &r->searches[below(r, SEARCHES)]);
    if (below(r, 2) == 0) change(r);
    if (below(r, 2) == 0) step(r);
  }
  for (int i = 0; i < SEARCHES; i++) lw_search_cancel(r->searches[i].search);
  print_message(
      "note: seed %llu: %d paths, %d times none; %d after a change on their way, %d after several; %d "
      "requests waited\n",
      (unsigned long long)r->it.seed, r->found, r->none, r->changed, r->changed_twice, r->waited);
  assert_true(r->found > ROUNDS / 4 && r->none > 50 && r->changed_twice > ROUNDS / 20 && r->waited > 50);
  changing_close(&r->it);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(searches_in_flight_end_on_what_is_there)};
  return cmocka_run_group_tests(tests, scene_open, scene_close);
}
