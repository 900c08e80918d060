/* Agents on off-mesh links: how they take them, and that nothing stops them half way. */
#include "agent/agent.h"
#include "core/vec3.h"
#include "grid_world.h"
#include "leeward/leeward.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))
#define DT (1.0f / 60)

/* Walks to random places for ever. */
static lw_node_status wander(void *user, lw_world *world, lw_agent_id agent, lw_leaf_call *call) {
  (void)user;
  lw_agent_state state;
  assert_int_equal(lw_agent_get_state(world, agent, &state), LW_OK);
  if (call->event == LW_LEAF_STOP) return LW_SUCCESS;
  if (call->event != LW_LEAF_START) return state.move == LW_MOVE_ARRIVED ? LW_SUCCESS : LW_FAILURE;
  lw_random_point_query query = lw_random_point_query_default();
  query.around = state.position;
  query.radius = 30;
  query.profile = state.profile;
  query.random = lw_agent_random_stream(world, agent);
  lw_location goal;
  assert_int_equal(lw_random_point_find(world, NULL, &query, &goal), LW_OK);
  assert_int_equal(lw_agent_move_to(world, agent, goal.point, 0.2f), LW_OK);
  call->wake = INFINITY;
  return LW_RUNNING;
}

static grid_world make_scene(const char *const *rows, int row_count, const support_link *links, int link_count,
                             uint64_t seed) {
  static const char *const names[] = {"ground"};
  lw_area_table *areas = support_areas(names, 1);
  lw_profile_def profile = lw_profile_def_default();
  lw_world_def def = lw_world_def_default();
  def.seed = seed;
  def.leaf = wander;
  return grid_world_open_on(areas, support_grid_links(areas, rows, row_count, 2, links, link_count), &profile,
                            &def);
}

static lw_agent_id spawn(grid_world *s, float x, const lw_tree *tree) {
  lw_agent_def def = lw_agent_def_default();
  lw_agent_id agent;
  def.profile = s->profile;
  def.at = (lw_vec3){x, 0, 1};
  def.tree = tree;
  assert_int_equal(lw_agent_spawn(s->world, &def, &agent, NULL), LW_OK);
  return agent;
}

static lw_agent_state step(grid_world *s, lw_agent_id agent) {
  lw_agent_state state;
  assert_int_equal(lw_world_step(s->world, DT), LW_OK);
  assert_int_equal(lw_agent_get_state(s->world, agent, &state), LW_OK);
  return state;
}

static lw_agent_state step_until_on_link(grid_world *s, lw_agent_id agent) {
  for (int i = 0; i < 600; i++) {
    lw_agent_state state = step(s, agent);
    if (state.link != LW_LINK_NONE) return state;
  }
  fail_msg("it never took the link");
  return (lw_agent_state){0};
}

static lw_agent_stats stats_of(const grid_world *s, lw_agent_id agent) {
  lw_agent_stats stats;
  assert_int_equal(lw_agent_get_stats(s->world, agent, &stats), LW_OK);
  return stats;
}

static void assert_near(float value, float expected, float slack) {
  if (fabsf(value - expected) > slack) fail_msg("%g, expected %g", (double)value, (double)expected);
}

static support_link link_to(lw_link_kind kind, float x0, float x1, float length) {
  return (support_link){kind, {x0, 0, 1}, {x1, 0, 1}, length, LW_AREA_NONE};
}

static const char *const islands[] = {"..##..", "..##.."};

static void a_jump_is_a_parabola_at_the_agents_speed(void **state) {
  (void)state;
  const support_link jump = link_to(LW_LINK_JUMP, 3, 9, -1);
  grid_world s = make_scene(islands, 2, &jump, 1, 1);
  lw_agent_id agent = spawn(&s, 1, NULL);
  assert_int_equal(lw_agent_move_to(s.world, agent, (lw_vec3){11, 0, 1}, 0), LW_OK);
  lw_agent_state now = step_until_on_link(&s, agent);
  assert_int_equal(now.link, LW_LINK_JUMP);
  int steps = 1;
  float highest = 0, progress = 0;
  lw_vec3 before = now.position;
  for (; now.link != LW_LINK_NONE && steps < 600; steps++) {
    assert_true(now.link_progress > progress || steps == 1);
    progress = now.link_progress;
    highest = fmaxf(highest, now.position.y);
    before = now.position;
    now = step(&s, agent);
    assert_near(lwi_distance_xz(before, now.position), 3 * DT, 1e-4f);
    assert_near(now.remaining, 11 - now.position.x, 0.01f);
  }
  assert_near((float)steps * DT, 6 / 3.0f, 2 * DT); /* 6 m at 3 m/s */
  assert_near(highest, 1, 0.01f);
  assert_near(now.position.y, 0, 1e-4f);
  for (int i = 0; i < 120; i++) now = step(&s, agent);
  assert_int_equal(now.move, LW_MOVE_ARRIVED);
  assert_near(now.position.x, 11, 1e-3f);
  assert_near((float)stats_of(&s, agent).walked, 10, 0.01f);
  assert_int_equal(stats_of(&s, agent).off_mesh, 0);
  grid_world_close(&s);
}

static void a_teleport_is_taken_at_once_and_without_speed(void **state) {
  (void)state;
  const support_link teleport = link_to(LW_LINK_TELEPORT, 3, 9, 0);
  grid_world s = make_scene(islands, 2, &teleport, 1, 1);
  lw_agent_id agent = spawn(&s, 1, NULL);
  assert_int_equal(lw_agent_move_to(s.world, agent, (lw_vec3){11, 0, 1}, 0.5f), LW_OK);
  lw_agent_state now = {0};
  for (int i = 0; i < 600 && now.move != LW_MOVE_ARRIVED; i++) {
    now = step(&s, agent);
    assert_int_equal(now.link, LW_LINK_NONE);
    assert_true(lwi_length(now.velocity) < 3.01f);
    assert_true(now.position.x <= 3 || now.position.x >= 9);
  }
  assert_near(now.position.x, 10.5f, 0.06f);
  assert_near((float)stats_of(&s, agent).walked, 3.5f, 0.06f);
  grid_world_close(&s);
}

static void near_the_goal_along_a_link_is_not_near_the_goal(void **state) {
  (void)state;
  const support_link teleport = link_to(LW_LINK_TELEPORT, 3, 9, 0);
  grid_world s = make_scene(islands, 2, &teleport, 1, 1);
  lw_agent_id agent = spawn(&s, 2.9f, NULL); /* 0.2 m of walking in all */
  assert_int_equal(lw_agent_move_to(s.world, agent, (lw_vec3){9.1f, 0, 1}, 0.5f), LW_OK);
  lw_agent_state now = {0};
  for (int i = 0; i < 60 && now.move != LW_MOVE_ARRIVED; i++) now = step(&s, agent);
  assert_int_equal(now.move, LW_MOVE_ARRIVED);
  assert_true(now.position.x >= 9);
  grid_world_close(&s);
}

static void a_link_of_length_zero_does_not_count_as_stuck(void **state) {
  (void)state;
  static const char *const far_apart[] = {"..##########.."};
  const support_link pad =
      link_to(LW_LINK_JUMP, 3, 25, 0); /* 22 m: over 7 s, and nothing of the path gets less */
  grid_world s = make_scene(far_apart, 1, &pad, 1, 1);
  lw_agent_id agent = spawn(&s, 1, NULL);
  assert_int_equal(lw_agent_move_to(s.world, agent, (lw_vec3){27, 0, 1}, 0), LW_OK);
  lw_agent_state now = {0};
  for (int i = 0; i < 720 && now.move != LW_MOVE_ARRIVED; i++) now = step(&s, agent);
  assert_int_equal(now.move, LW_MOVE_ARRIVED);
  assert_int_equal(stats_of(&s, agent).stuck, 0);
  grid_world_close(&s);
}

static void an_agent_on_a_link_ends_it_before_anything_else(void **state) {
  (void)state;
  const support_link links[] = {link_to(LW_LINK_JUMP, 3, 9, -1), link_to(LW_LINK_JUMP, 9, 3, -1)};
  grid_world s = make_scene(islands, 2, links, 2, 1);
  lw_agent_id agent = spawn(&s, 1, NULL);
  assert_int_equal(lw_agent_move_to(s.world, agent, (lw_vec3){11, 0, 1}, 0), LW_OK);
  step_until_on_link(&s, agent);
  for (int i = 0; i < 20; i++) step(&s, agent);
  char why[256];
  lw_agent_why(s.world, agent, why, sizeof why);
  assert_non_null(strstr(why, "on a jump link ("));
  /* Sent back: it lands first, and takes the other link from there. */
  assert_int_equal(lw_agent_move_to(s.world, agent, (lw_vec3){1, 0, 1}, 0), LW_OK);
  lw_agent_state now = step(&s, agent);
  assert_int_equal(now.link, LW_LINK_JUMP);
  float furthest = 0;
  for (int i = 0; i < 600 && now.move != LW_MOVE_ARRIVED; i++) {
    now = step(&s, agent);
    furthest = fmaxf(furthest, now.position.x);
  }
  assert_int_equal(now.move, LW_MOVE_ARRIVED);
  assert_near(furthest, 9, 0.06f);
  assert_near(now.position.x, 1, 1e-3f);
  /* Stopped: it lands first, and then stands. */
  assert_int_equal(lw_agent_move_to(s.world, agent, (lw_vec3){11, 0, 1}, 0), LW_OK);
  step_until_on_link(&s, agent);
  assert_int_equal(lw_agent_stop(s.world, agent), LW_OK);
  now = step(&s, agent);
  assert_int_equal(now.link, LW_LINK_JUMP);
  for (int i = 0; i < 150; i++) now = step(&s, agent);
  assert_int_equal(now.link, LW_LINK_NONE);
  assert_near(now.position.x, 9, 1e-3f);
  assert_near(lwi_length(now.velocity), 0, 1e-6f);
  assert_int_equal(stats_of(&s, agent).off_mesh, 0);
  grid_world_close(&s);
}

static void links_one_after_the_other_are_all_taken(void **state) {
  (void)state;
  static const char *const stones[] = {".#.#.#."};
  const support_link links[] = {link_to(LW_LINK_JUMP, 1, 5, -1), link_to(LW_LINK_TELEPORT, 5, 13, 0),
                                link_to(LW_LINK_LADDER, 13, 9, -1)};
  grid_world s = make_scene(stones, 1, links, 3, 1);
  lw_agent_id agent = spawn(&s, 1, NULL);
  assert_int_equal(lw_agent_move_to(s.world, agent, (lw_vec3){9, 0, 1}, 0), LW_OK);
  lw_agent_state now = {0};
  bool seen[LW_LINK_KIND_COUNT + 1] = {false};
  for (int i = 0; i < 600 && now.move != LW_MOVE_ARRIVED; i++) {
    now = step(&s, agent);
    seen[now.link] = true;
  }
  assert_int_equal(now.move, LW_MOVE_ARRIVED);
  assert_near(now.position.x, 9, 1e-3f);
  assert_true(seen[LW_LINK_JUMP] && seen[LW_LINK_LADDER]);
  grid_world_close(&s);
}

typedef struct drawn {
  int count;
  float gap; /* between lines that follow one another, in all [m] */
  lw_vec3 end;
} drawn;

static void draw_line(void *user, lw_vec3 from, lw_vec3 to, float width, uint32_t color) {
  drawn *d = user;
  (void)width, (void)color;
  if (d->count > 0) d->gap += lwi_distance(d->end, from);
  d->count += 1;
  d->end = to;
}

static drawn draw_path_of(const grid_world *s) {
  drawn result = {.count = 0};
  lw_debug_draw draw = {.line = draw_line, .user = &result};
  lw_world_debug_draw(s->world, LW_DRAW_PATHS, lw_agent_id_none(), &draw);
  return result;
}

static void links_ahead_are_drawn_dashed(void **state) {
  (void)state;
  const support_link jump = link_to(LW_LINK_JUMP, 3, 9, 0);
  grid_world s = make_scene(islands, 2, &jump, 1, 1);
  lw_agent_id agent = spawn(&s, 1, NULL);
  assert_int_equal(lw_agent_move_to(s.world, agent, (lw_vec3){11, 0, 1}, 0), LW_OK);
  drawn before = draw_path_of(&s); /* twice, for the casing: a line, the dashes, a line */
  assert_true(before.count > 6);
  assert_near(before.gap, 2 * 6 * 5 / 11.0f + 10,
              0.1f); /* five gaps among eleven parts of the link; and back once */
  lw_agent_state now = step_until_on_link(&s, agent);
  for (int i = 0; i < 30; i++) now = step(&s, agent);
  drawn during = draw_path_of(&s);
  assert_int_equal(during.count, before.count - 2); /* what is behind it is not drawn */
  for (int i = 0; now.link != LW_LINK_NONE && i < 600; i++) now = step(&s, agent);
  assert_int_equal(draw_path_of(&s).count, 2);
  grid_world_close(&s);
}

/* --- wandering ---------------------------------------------------------------------------------------------------- */

typedef struct crossings {
  int east, west, stuck, off_mesh, goals;
  uint64_t hash;
} crossings;

static crossings wander_for_a_minute(uint64_t seed) {
  static const char *const level[] = {"....##....", "....##....", "....##....", "....##...."};
  const support_link links[] = {link_to(LW_LINK_JUMP, 7, 13, -1),
                                {LW_LINK_DROP, {13, 0, 5}, {7, 0, 5}, -1, LW_AREA_NONE},
                                {LW_LINK_TELEPORT, {17, 0, 7}, {1, 0, 7}, 0.5f, LW_AREA_NONE}};
  const lw_node_def node = {.kind = LW_LEAF, .name = "Wander"};

  const lw_tree_def tree_def = {.name = "wander", .nodes = &node, .node_count = 1};
  lw_tree *tree;
  assert_int_equal(lw_tree_create(&tree_def, &tree, NULL), LW_OK);
  grid_world s = make_scene(level, 4, links, COUNT(links), seed);
  enum { AGENTS = 6 };
  lw_agent_id agents[AGENTS];
  float before[AGENTS];
  for (int i = 0; i < AGENTS; i++) {
    agents[i] = spawn(&s, 1 + (float)i, tree);
    before[i] = 1;
  }
  crossings result = {0};
  for (int frame = 0; frame < 3600; frame++) {
    assert_int_equal(lw_world_step(s.world, DT), LW_OK);
    for (int i = 0; i < AGENTS; i++) {
      lw_agent_state state;
      assert_int_equal(lw_agent_get_state(s.world, agents[i], &state), LW_OK);
      if (state.link != LW_LINK_NONE) continue;
      assert_true(lw_navmesh_contains(s.mesh, state.position, 0.02f, NULL));
      result.east += before[i] < 10 && state.position.x > 10;
      result.west += before[i] > 10 && state.position.x < 10;
      before[i] = state.position.x;
    }
  }
  for (int i = 0; i < AGENTS; i++) {
    lw_agent_stats stats = stats_of(&s, agents[i]);
    result.stuck += stats.stuck;
    result.off_mesh += stats.off_mesh;
    result.goals += stats.goals_reached;
  }
  result.hash = lw_world_hash(s.world);
  grid_world_close(&s);
  lw_tree_destroy(tree);
  return result;
}

static void wanderers_cross_between_islands_both_ways(void **state) {
  (void)state;
  crossings first = wander_for_a_minute(3), again = wander_for_a_minute(3), other = wander_for_a_minute(4);
  printf("note: 6 agents for a minute: %d goals, %d crossings east, %d west, %d stuck, %d steps off the mesh\n",
         first.goals, first.east, first.west, first.stuck, first.off_mesh);
  assert_true(first.east >= 5 && first.west >= 5 && first.goals >= 20);
  assert_int_equal(first.stuck, 0);
  assert_int_equal(first.off_mesh, 0);
  assert_true(first.hash == again.hash);
  assert_true(first.hash != other.hash);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_jump_is_a_parabola_at_the_agents_speed),
      cmocka_unit_test(a_teleport_is_taken_at_once_and_without_speed),
      cmocka_unit_test(near_the_goal_along_a_link_is_not_near_the_goal),
      cmocka_unit_test(a_link_of_length_zero_does_not_count_as_stuck),
      cmocka_unit_test(an_agent_on_a_link_ends_it_before_anything_else),
      cmocka_unit_test(links_one_after_the_other_are_all_taken),
      cmocka_unit_test(links_ahead_are_drawn_dashed),
      cmocka_unit_test(wanderers_cross_between_islands_both_ways),
  };
  return cmocka_run_group_tests_name("link_agents", tests, NULL, NULL);
}
