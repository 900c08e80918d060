/* Agents and links that change: other paths, waiting for a link, and what the game hears. */
#include "core/vec3.h"
#include "link_level.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define CLIMBERS 4

/* --- agents ----------------------------------------------------------------------------------------------- */

static void agents_take_another_way_when_a_link_closes(void **state) {
  const link_level *l = *state;
  const lw_agent_id agent = link_level_send(l, 1, 1, 17);
  link_level_step(l, 10);
  assert_int_equal(lw_link_enable(l->world, link_level_find(l, "jump"), false), LW_OK);
  link_level_step(l, 1);
  int count;
  const lw_path *path = lw_agent_path(l->world, agent);
  lw_path_points(path, &count);
  bool by_ladder = false;
  for (int i = 0; i < count; i++) by_ladder |= lw_path_link(path, i) == LW_LINK_LADDER;
  assert_true(by_ladder);
  assert_int_equal(lw_link_enable(l->world, link_level_find(l, "ladder"), false), LW_OK);
  link_level_step(l, 1);
  assert_int_equal(link_level_agent(l, agent).move, LW_MOVE_FAILED);
  assert_int_equal(link_level_agent(l, agent).failure, LW_NO_PATH);
}

static void agents_find_a_link_that_opens_a_better_way(void **state) {
  const link_level *l = *state;
  assert_int_equal(lw_link_enable(l->world, link_level_find(l, "jump"), false), LW_OK);
  assert_int_equal(lw_link_set_cost(l->world, link_level_find(l, "ladder"), 30), LW_OK);
  link_level_apply(l);
  lw_agent_def def = lw_agent_def_default();
  lw_agent_id agent;
  def.profile = l->profile;
  def.at = lwi_vec3(1, 0, 1);
  def.pace = LW_CALM;
  assert_int_equal(lw_agent_spawn(l->world, &def, &agent, NULL), LW_OK);
  assert_int_equal(lw_agent_move_to(l->world, agent, lwi_vec3(17, 0, 1), 0.1f), LW_OK);
  assert_int_equal(lw_link_enable(l->world, link_level_find(l, "jump"), true), LW_OK);
  link_level_step(l, 135); /* 2.25 s */
  link_level_near(lw_path_cost(lw_agent_path(l->world, agent)),
                  lw_path_length(lw_agent_path(l->world, agent))); /* without the ladder's price */
}

static void an_agent_on_a_link_finishes_it(void **state) {
  link_level *l = *state;
  const lw_agent_id agent = link_level_send(l, 6, 1, 15);
  lw_link_def def = link_level_link(LW_LINK_JUMP, NULL, 6.5f, 12.1f, 1);
  lw_link_id added;
  assert_int_equal(lw_link_enable(l->world, link_level_find(l, "jump"), false), LW_OK);
  assert_int_equal(lw_link_enable(l->world, link_level_find(l, "ladder"), false), LW_OK);
  assert_int_equal(lw_link_add(l->world, &def, &added, NULL), LW_OK);
  while (link_level_agent(l, agent).link == LW_LINK_NONE) link_level_step(l, 1);
  assert_true(lw_link_id_equal(link_level_agent(l, agent).link_id, added));
  assert_int_equal(lw_link_remove(l->world, added), LW_OK);
  link_level_step(l, 2);
  assert_int_equal(link_level_agent(l, agent).link, LW_LINK_JUMP);
  assert_true(lw_link_id_is_none(link_level_agent(l, agent).link_id));
  link_level_step(l, 300);
  assert_int_equal(link_level_agent(l, agent).move, LW_MOVE_ARRIVED);
}

/* --- reserved --------------------------------------------------------------------------------------------- */

static int on_links(const link_level *l, const lw_agent_id *agents, int *waiting) {
  int count = 0;
  *waiting = 0;
  for (int i = 0; i < CLIMBERS; i++) {
    const lw_agent_state now = link_level_agent(l, agents[i]);
    count += now.link != LW_LINK_NONE;
    *waiting += !lw_link_id_is_none(now.waits_for);
  }
  return count;
}

static void one_agent_at_a_time_is_on_a_ladder(void **state) {
  link_level *l = *state;
  const lw_link_id ladder = link_level_find(l, "ladder");
  lw_agent_id agents[CLIMBERS];
  int waiting, most = 0;
  assert_int_equal(lw_link_enable(l->world, link_level_find(l, "jump"), false), LW_OK);
  link_level_apply(l);
  for (int i = 0; i < CLIMBERS; i++) agents[i] = link_level_send(l, 5 - (float)i * 0.5f, 3, 15);
  for (int i = 0; i < 60 * 30; i++) {
    link_level_step(l, 1);
    assert_true(on_links(l, agents, &waiting) <= 1);
    assert_int_equal(link_level_info(l, ladder).waiting, waiting);
    assert_int_equal(link_level_info(l, ladder).users, on_links(l, agents, &waiting));
    most = waiting > most ? waiting : most;
  }
  assert_int_equal(most, CLIMBERS - 1);
  for (int i = 0; i < CLIMBERS; i++) {
    lw_agent_stats stats;
    assert_int_equal(link_level_agent(l, agents[i]).move, LW_MOVE_ARRIVED);
    lw_agent_get_stats(l->world, agents[i], &stats);
    assert_int_equal(stats.stuck, 0);
    assert_true(lw_agent_id_equal(l->told.agents[2 * i], agents[i])); /* the nearest came first */
  }
  assert_int_equal(l->told.count, 2 * CLIMBERS);
}

static void both_directions_share_a_link(void **state) {
  link_level *l = *state;
  lw_link_def def = link_level_link(LW_LINK_LADDER, "pole", 7, 13, 2);
  lw_link_id pole;
  char why[256];
  def.bidirectional = true;
  for (lw_link_id id = lw_link_id_none(); !lw_link_id_is_none(id = lw_link_next(l->world, id));)
    assert_int_equal(lw_link_enable(l->world, id, false), LW_OK);
  assert_int_equal(lw_link_add(l->world, &def, &pole, NULL), LW_OK);
  link_level_apply(l);
  const lw_agent_id there = link_level_send(l, 6, 2, 15), back = link_level_send(l, 14.5f, 2, 5);
  while (lw_link_id_is_none(link_level_agent(l, back).waits_for)) link_level_step(l, 1);
  assert_int_equal(link_level_agent(l, there).link, LW_LINK_LADDER);
  assert_true(lw_link_id_equal(link_level_agent(l, back).waits_for, pole));
  link_level_near(link_level_agent(l, back).position.x, 13);
  lw_agent_why(l->world, back, why, sizeof why);
  assert_non_null(strstr(why, "waits for the ladder link 'pole'"));
  /* One that is sent elsewhere no longer waits; another one that does gets its turn. */
  const lw_agent_id third = link_level_send(l, 14.8f, 2, 5);
  link_level_step(l, 45);
  assert_int_equal(lw_agent_stop(l->world, back), LW_OK);
  link_level_step(l, 1);
  assert_true(lw_link_id_is_none(link_level_agent(l, back).waits_for));
  assert_int_equal(lw_agent_despawn(l->world, there), LW_OK);
  assert_int_equal(link_level_info(l, pole).users, 0);
  link_level_step(l, 1);
  assert_int_equal(link_level_agent(l, third).link, LW_LINK_LADDER);
  link_level_step(l, 400);
  assert_int_equal(link_level_agent(l, third).move, LW_MOVE_ARRIVED);
}

static void those_who_wait_go_elsewhere_when_a_link_closes(void **state) {
  link_level *l = *state;
  const lw_link_id ladder = link_level_find(l, "ladder");
  assert_int_equal(lw_link_enable(l->world, link_level_find(l, "jump"), false), LW_OK);
  link_level_apply(l);
  link_level_send(l, 6.5f, 3, 15);
  const lw_agent_id second = link_level_send(l, 6, 3, 15);
  while (lw_link_id_is_none(link_level_agent(l, second).waits_for)) link_level_step(l, 1);
  assert_int_equal(lw_link_enable(l->world, link_level_find(l, "jump"), true), LW_OK);
  assert_int_equal(lw_link_enable(l->world, ladder, false), LW_OK);
  link_level_step(l, 1);
  assert_true(lw_link_id_is_none(link_level_agent(l, second).waits_for));
  assert_int_equal(link_level_info(l, ladder).waiting, 0);
  link_level_step(l, 600);
  assert_int_equal(link_level_agent(l, second).move, LW_MOVE_ARRIVED);
}

/* --- what the game is told -------------------------------------------------------------------------------- */

static void the_game_is_told_of_beginning_and_end(void **state) {
  link_level *l = *state;
  const lw_agent_id agent = link_level_send(l, 6, 1, 15);
  link_level_step(l, 400);
  assert_int_equal(link_level_agent(l, agent).move, LW_MOVE_ARRIVED);
  assert_int_equal(l->told.count, 2);
  assert_int_equal(l->told.steps[0].event, LW_LINK_BEGIN);
  assert_int_equal(l->told.steps[1].event, LW_LINK_END);
  assert_int_equal(l->told.steps[1].kind, LW_LINK_JUMP);
  assert_true(lw_link_id_equal(l->told.steps[0].link, link_level_find(l, "jump")));
}

static void the_game_may_say_when_a_link_ends(void **state) {
  link_level *l = *state;
  const lw_agent_id agent = link_level_send(l, 6, 1, 15);
  assert_int_equal(lw_agent_finish_link(l->world, agent), LW_NOT_FOUND);
  l->told.holds = true;
  link_level_step(l, 300);
  assert_true(link_level_agent(l, agent).is_held);
  link_level_near(link_level_agent(l, agent).position.x, 7);
  link_level_near(lwi_length(link_level_agent(l, agent).velocity), 0);
  assert_int_equal(link_level_agent(l, agent).move, LW_MOVE_WALKING); /* not stuck */
  assert_int_equal(lw_agent_finish_link(l->world, agent), LW_OK);
  link_level_step(l, 1);
  assert_int_equal(link_level_agent(l, agent).link, LW_LINK_NONE);
  assert_true(link_level_agent(l, agent).position.x >= 13);
  assert_true(link_level_agent(l, agent).position.x < 13.1f);
  link_level_step(l, 120);
  assert_int_equal(link_level_agent(l, agent).move, LW_MOVE_ARRIVED);
}

static void the_listener_may_send_the_agent_elsewhere_or_remove_it(void **state) {
  link_level *l = *state;
  const lw_agent_id agent = link_level_send(l, 6, 1, 15);
  l->told.redirects = true;
  l->told.redirect = lwi_vec3(13, 0, 3);
  link_level_step(l, 300);
  assert_int_equal(link_level_agent(l, agent).move, LW_MOVE_ARRIVED);
  assert_true(link_level_agent(l, agent).position.z > 2.85f);
  l->told.redirects = false;
  l->told.despawns = true;
  const lw_agent_id other = link_level_send(l, 6, 1, 15);
  link_level_step(l, 300);
  lw_agent_state gone;
  assert_int_equal(lw_agent_get_state(l->world, other, &gone), LW_STALE);
  assert_int_equal(link_level_info(l, link_level_find(l, "jump")).users, 0);
}

int main(void) {
#define LEVEL_TEST(name) cmocka_unit_test_setup_teardown(name, link_level_open, link_level_close)
  const struct CMUnitTest tests[] = {
      LEVEL_TEST(agents_take_another_way_when_a_link_closes),
      LEVEL_TEST(agents_find_a_link_that_opens_a_better_way),
      LEVEL_TEST(an_agent_on_a_link_finishes_it),
      LEVEL_TEST(one_agent_at_a_time_is_on_a_ladder),
      LEVEL_TEST(both_directions_share_a_link),
      LEVEL_TEST(those_who_wait_go_elsewhere_when_a_link_closes),
      LEVEL_TEST(the_game_is_told_of_beginning_and_end),
      LEVEL_TEST(the_game_may_say_when_a_link_ends),
      LEVEL_TEST(the_listener_may_send_the_agent_elsewhere_or_remove_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
