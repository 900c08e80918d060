/* Many agents whose paths threats may see, and which an obstacle blocks at once: they are searched again in turn, and each walks
   round the obstacle meanwhile. */
#include "obstacle_level.h"

#include "core/vec3.h"
#include "leeward/leeward.h"
#include "world/world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define AGENTS 80
#define THREATS 4
#define ROWS 15 /* of 60 squares of a metre */

static int open_crowd(void **state) {
  static grid_world l;
  static const char row[] = "............................................................";
  const char *rows[ROWS];
  lw_profile_def profile = lw_profile_def_default();
  profile.cover_bias = 3;
  for (int i = 0; i < ROWS; i++) rows[i] = row;
  l = grid_world_open(rows, ROWS, 1, &profile, NULL);
  for (int i = 0; i < THREATS; i++) {
    lw_threat_def def = lw_threat_def_default();
    lw_threat_id id;
    def.threat.at = lwi_vec3(6 + 12 * (float)i, 1.6f, -4);
    def.known_to = "";
    assert_int_equal(lw_threat_add(l.world, &def, &id, NULL), LW_OK);
  }
  for (int i = 0; i < AGENTS; i++) { /* all meet in the middle */
    const float x = 1 + 0.7f * (float)(i % 8), z = 1 + 1.3f * (float)(i / 8);
    const lw_agent_id id = obstacle_level_spawn(&l, x, z);
    assert_int_equal(lw_agent_move_to(l.world, id, lwi_vec3(60 - x, 0, ROWS - z), 0.1f), LW_OK);
  }
  *state = &l;
  return 0;
}

static int count_stale(const grid_world *l, lwi_staleness why) {
  int count = 0;
  for (const lwi_agent *agent = NULL; (agent = lwi_next_agent(l->world, agent));)
    count += agent->route.staleness == why;
  return count;
}

static void step_until_all_are_fresh(grid_world *l) {
  int i = 0;
  do obstacle_level_step(l, 1);
  while (count_stale(l, LWI_FRESH) < AGENTS && i++ < 600);
  assert_int_equal(count_stale(l, LWI_FRESH), AGENTS);
}

static void add_box(grid_world *l) {
  obstacle_add_box(l, 30, 7.5f, 3, 3);
}

static bool leads_over_ground(const grid_world *l, const lwi_agent *agent) {
  const lw_navmesh *mesh = lw_world_navmesh(l->world);
  const lw_path *path = agent->route.path;
  lw_location at = agent->at;
  for (int i = agent->route.next_point; i < path->point_count; i++) {
    lw_raycast ray;
    if (lw_navmesh_raycast(mesh, at, path->points[i], NULL, &ray) != LW_OK || ray.hit) return false;
    if (lw_navmesh_nearest(mesh, path->points[i], lwi_vec3(0.1f, 1, 0.1f), NULL, &at) != LW_OK) return false;
  }
  return true;
}

static void all_walk_round_what_was_put_in_from_the_first_step_on(void **state) {
  grid_world *l = *state;
  step_until_all_are_fresh(l);
  add_box(l);
  obstacle_level_step(l, 1);
  assert_int_equal(count_stale(l, LWI_BLOCKED), 0);

  assert_true(count_stale(l, LWI_STALE) > AGENTS / 2); /* else nobody had to wait */
  for (const lwi_agent *agent = NULL; (agent = lwi_next_agent(l->world, agent));)
    assert_true(agent->move == LW_MOVE_WALKING && leads_over_ground(l, agent));
}

static void their_paths_are_then_searched_with_threats_in_turn(void **state) {
  grid_world *l = *state;
  step_until_all_are_fresh(l);
  add_box(l);
  obstacle_level_step(l, 1);
  const int waiting = count_stale(l, LWI_STALE);
  for (const lwi_agent *agent = NULL; (agent = lwi_next_agent(l->world, agent));)
    assert_true(agent->route.staleness == LWI_FRESH || agent->route.path->threat_count == 0);
  obstacle_level_step(l, 1);
  assert_in_range(count_stale(l, LWI_STALE), waiting * 3 / 4, waiting - 1);
  step_until_all_are_fresh(l);
  for (const lwi_agent *agent = NULL; (agent = lwi_next_agent(l->world, agent));)
    assert_true(agent->move != LW_MOVE_WALKING ||
                (agent->route.path->threat_count == THREATS && leads_over_ground(l, agent)));
}

static void who_is_shut_in_is_told_at_once(void **state) {
  grid_world *l = *state;
  step_until_all_are_fresh(l);
  obstacle_add_box(l, 30, 7.5f, 1, 20);
  obstacle_level_step(l, 1);
  for (const lwi_agent *agent = NULL; (agent = lwi_next_agent(l->world, agent));)
    assert_true(agent->move == LW_MOVE_FAILED && agent->failure == LW_NO_PATH);
}

int main(void) {
#define IN_CROWD(name) cmocka_unit_test_setup_teardown(name, open_crowd, obstacle_level_close)
  const struct CMUnitTest tests[] = {
      IN_CROWD(all_walk_round_what_was_put_in_from_the_first_step_on),
      IN_CROWD(their_paths_are_then_searched_with_threats_in_turn),
      IN_CROWD(who_is_shut_in_is_told_at_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
