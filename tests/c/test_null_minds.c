/* NULL for every pointer of the functions of blackboard.h and senses.h: a status or a neutral value, never a crash. */
#include "grid_world.h"
#include "leeward/leeward.h"
#include "null_probe.h"

static const lw_vec3 here = {1, 0, 1};
static grid_world grid;
static lw_world *world;
static lw_agent_id agent;

static int open_all(void **state) {
  (void)state;
  grid = grid_world_open_plain();
  world = grid.world;
  lw_agent_def def = lw_agent_def_default();
  def.profile = grid.profile;
  def.at = here;
  assert_int_equal(lw_agent_spawn(world, &def, &agent, NULL), LW_OK);
  return 0;
}

static int close_all(void **state) {
  (void)state;
  grid_world_close(&grid);
  return 0;
}

static void null_for_blackboards(void **state) {
  (void)state;
  const lw_value one = {.kind = LW_VALUE_NUMBER, .as.number = 1};
  GIVES(a, lw_value_equal(NULL, &one), == false);
  GIVES(b, lw_value_equal(&one, NULL), == false);
  REFUSES(world, lw_agent_set_value(NULL, agent, "key", &one));
  REFUSES(key, lw_agent_set_value(world, agent, NULL, &one));
  GIVES(value, lw_agent_set_value(world, agent, "key", NULL), == LW_OK);
  GIVES(world, lw_agent_get_value(NULL, agent, "key").kind, == LW_VALUE_NONE);
  GIVES(key, lw_agent_get_value(world, agent, NULL).kind, == LW_VALUE_NONE);
  REFUSES(world, lw_team_set_value(NULL, "red", "key", &one));
  GIVES(team, lw_team_set_value(world, NULL, "key", &one), == LW_OK);
  REFUSES(key, lw_team_set_value(world, "red", NULL, &one));
  GIVES(value, lw_team_set_value(world, "red", "key", NULL), == LW_OK);
  GIVES(world, lw_team_get_value(NULL, "red", "key").kind, == LW_VALUE_NONE);
  GIVES(team, lw_team_get_value(world, NULL, "key").kind, == LW_VALUE_NUMBER);
  GIVES(key, lw_team_get_value(world, "red", NULL).kind, == LW_VALUE_NONE);
  REFUSES(world, lw_world_set_value(NULL, "key", &one));
  REFUSES(key, lw_world_set_value(world, NULL, &one));
  GIVES(value, lw_world_set_value(world, "key", NULL), == LW_OK);
  GIVES(world, lw_world_get_value(NULL, "key").kind, == LW_VALUE_NONE);
  GIVES(key, lw_world_get_value(world, NULL).kind, == LW_VALUE_NONE);
  REFUSES(world, lw_agent_send(NULL, agent, "name", &one));
  REFUSES(name, lw_agent_send(world, agent, NULL, &one));
  GIVES(value, lw_agent_send(world, agent, "name", NULL), == LW_OK);
  REFUSES(world, lw_agent_wake(NULL, agent));
  REFUSES(world, lw_world_emit(NULL, "name", &one));
  REFUSES(name, lw_world_emit(world, NULL, &one));
  GIVES(value, lw_world_emit(world, "name", NULL), == LW_OK);
}

static void null_for_senses(void **state) {
  (void)state;
  lw_senses senses = lw_senses_default();
  lw_perceived known;
  lw_heard noise_heard;
  lw_noise noise = lw_noise_default();
  int count;
  noise.at = here;
  REFUSES(world, lw_agent_set_senses(NULL, agent, &senses, probe_error));
  GIVES(senses, lw_agent_set_senses(world, agent, NULL, NULL), == LW_OK);
  REFUSES(world, lw_agent_get_senses(NULL, agent, &senses));
  REFUSES(senses, lw_agent_get_senses(world, agent, NULL));
  GIVES(world, lw_agent_get_perceived(NULL, agent, &known, 1), == 0);
  GIVES(list, lw_agent_get_perceived(world, agent, NULL, 1), == 0);
  REFUSES(world, lw_agent_find_perceived(NULL, agent, agent, &known));
  REFUSES(perceived, lw_agent_find_perceived(world, agent, agent, NULL));
  REFUSES(world, lw_agent_forget(NULL, agent, agent));
  REFUSES(world, lw_world_noise(NULL, &noise, &count, probe_error));
  REFUSES(noise, lw_world_noise(world, NULL, &count, probe_error));
  GIVES(heard, lw_world_noise(world, &noise, NULL, NULL), == LW_OK);
  REFUSES(world, lw_agent_get_heard(NULL, agent, &noise_heard));
  REFUSES(heard, lw_agent_get_heard(world, agent, NULL));
}

static void every_pointer_of_the_headers_has_a_probe(void **state) {
  (void)state;
  probe_check_headers("minds");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(null_for_blackboards), cmocka_unit_test(null_for_senses),
      cmocka_unit_test(every_pointer_of_the_headers_has_a_probe), /* last: it reads what the others recorded */
  };
  return cmocka_run_group_tests(tests, open_all, close_all);
}
