/* Crowds of requests with one goal on the shared levels: paths along a distance field beside paths that are searched for each
   alone. */
#include "level_test.h"

#include "leeward/leeward.h"

#include <math.h>

#define CROWD 120
#define GOALS 4
#define DT (1.0f / 60)
/* How much more a path may cost than one that is searched for alone. */
#define SHARED_MAX 1.01f

/* Are both on the same ground from end to end? */
static bool is_whole(const lw_path *path, const lw_path_query *query) {
  int count;
  const lw_vec3 *points = lw_path_points(path, &count);
  return count > 0 && !lw_path_is_partial(path) &&
         hypotf(points[count - 1].x - query->to.x, points[count - 1].z - query->to.z) < 0.01f;
}

static void compare(const shared_level *level, const lw_path_query *query, lw_request_id request, int *found) {
  lw_path *shared, *alone;
  const lw_status expected = lw_path_find(level->world, NULL, query, &alone);
  assert_int_equal(lw_path_request_take(level->world, request, &shared), expected);
  if (expected == LW_OK) {
    *found += 1;
    assert_true(is_whole(shared, query));
    if (!(lw_path_cost(shared) <= lw_path_cost(alone) * SHARED_MAX))
      fail_msg("%s: %g along a field, %g alone (seed %llu)", level->name, (double)lw_path_cost(shared),
               (double)lw_path_cost(alone), (unsigned long long)level->seed);
  }
  lw_path_destroy(shared);
  lw_path_destroy(alone);
}

/* @return How many paths were led along a field. */
static uint64_t send_crowd(shared_level *level, int *found) {
  static lw_path_query queries[CROWD];
  static lw_request_id requests[CROWD];
  const lw_vec3 goal = level_place(level).point;
  lw_planner_stats stats;
  for (int i = 0; i < CROWD; i++) {
    queries[i] = lw_path_query_default();
    queries[i].from = level_place(level).point;
    queries[i].to = goal;
    assert_int_equal(lw_path_request(level->world, &queries[i], 0, &requests[i]), LW_OK);
  }
  do {
    assert_int_equal(lw_world_step(level->world, DT), LW_OK);
    assert_int_equal(lw_world_get_planner_stats(level->world, &stats), LW_OK);
  } while (stats.waiting_requests > 0);
  for (int i = 0; i < CROWD; i++) compare(level, &queries[i], requests[i], found);
  return stats.field_paths;
}

static void paths_along_a_field_are_as_good_as_alone(shared_level *level) {
  int found = 0;
  uint64_t led = 0;
  for (int i = 0; i < GOALS; i++) led = send_crowd(level, &found);
  printf("note: %s: %llu of %d paths along a field\n", level->name, (unsigned long long)led, found);
}

int main(void) {
  static const level_check checks[] = {
      {"paths_along_a_field_are_as_good_as_alone", paths_along_a_field_are_as_good_as_alone},
  };
  return level_run("level crowds", checks, sizeof checks / sizeof *checks);
}
