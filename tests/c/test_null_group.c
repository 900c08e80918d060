/* NULL for every pointer of the functions of group.h: a status or a neutral value, never a crash. */
#include "grid_world.h"
#include "leeward/leeward.h"
#include "null_probe.h"

static grid_world grid;
static lw_world *world;
static lw_agent_id agent;

static int open_all(void **state) {
  (void)state;
  grid = grid_world_open_plain();
  world = grid.world;
  lw_agent_def spawned = lw_agent_def_default();
  spawned.profile = grid.profile;
  spawned.at = (lw_vec3){1, 0, 1};
  assert_int_equal(lw_agent_spawn(world, &spawned, &agent, NULL), LW_OK);
  return 0;
}

static int close_all(void **state) {
  (void)state;
  grid_world_close(&grid);
  return 0;
}

static void null_for_groups(void **state) {
  (void)state;
  const lw_vec3 goal = {6, 0, 1};
  const lw_group_move move = lw_group_move_default();
  lw_group_def def = lw_group_def_default();
  def.agents = &agent;
  def.agent_count = 1;
  lw_group_id group;
  lw_group_state now;
  lw_vec3 at;
  REFUSES(world, lw_group_create(NULL, &def, &group, probe_error));
  REFUSES(def, lw_group_create(world, NULL, &group, probe_error));
  REFUSES(group, lw_group_create(world, &def, NULL, probe_error));
  assert_int_equal(lw_group_count(world), 0);
  assert_int_equal(lw_group_create(world, &def, &group, NULL), LW_OK);
  REFUSES(world, lw_group_add_agent(NULL, group, agent));
  REFUSES(world, lw_group_dismiss(NULL, group, agent));
  REFUSES(world, lw_group_set_formation(NULL, group, LW_FORMATION_LINE, 0, NULL, 0));
  GIVES(points, lw_group_set_formation(world, group, LW_FORMATION_LINE, 0, NULL, 0), == LW_OK);
  assert_int_equal(lw_group_set_formation(world, group, LW_FORMATION_POINTS, 0, NULL, 2), LW_INVALID);
  REFUSES(world, lw_group_move_to(NULL, group, goal, &move));
  GIVES(move, lw_group_move_to(world, group, goal, NULL), == LW_OK);
  REFUSES(world, lw_group_get_state(NULL, group, &now));
  REFUSES(state, lw_group_get_state(world, group, NULL));
  GIVES(world, lw_group_members(NULL, group, &agent, 1), == -1);
  GIVES(agents, lw_group_members(world, group, NULL, 1), == -1);
  GIVES(world, lw_group_of(NULL, agent).generation, == 0);
  REFUSES(world, lw_group_place(NULL, agent, &at));
  REFUSES(at, lw_group_place(world, agent, NULL));
  GIVES(world, lw_group_count(NULL), == 0);
  GIVES(world, lw_group_next(NULL, group).generation, == 0);
  REFUSES(world, lw_group_stop(NULL, group));
  REFUSES(world, lw_group_remove(NULL, group));
  assert_int_equal(lw_group_remove(world, group), LW_OK);
}

static void every_pointer_of_the_header_has_a_probe(void **state) {
  (void)state;
  probe_check_headers("group");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(null_for_groups),
      cmocka_unit_test(every_pointer_of_the_header_has_a_probe), /* last: it reads what the other recorded */
  };
  return cmocka_run_group_tests(tests, open_all, close_all);
}
