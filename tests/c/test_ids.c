/* Ids of agents, threats, dangers and fire lanes: what they lead to, in which world, and how the time that it
   takes to add and remove things grows with their number. */
#include "bench_support.h"
#include "grid_world.h"
#include "leeward/leeward.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define DT (1.0f / 60)
#define SIDE 64
#define NONE(kind) lw_##kind##_id_none()
/* Ids of two worlds, equal but for the world. */
#define ALIKE(a, b) ((a).slot == (b).slot && (a).generation == (b).generation && (a).world != (b).world)

_Static_assert(sizeof(lw_agent_id) == 8 && sizeof(lw_threat_id) == 8 && sizeof(lw_danger_id) == 8 &&
                   sizeof(lw_fire_lane_id) == 8,
               "ids are 8 bytes");

typedef struct scene {
  grid_world grid;
  lw_world *worlds[2]; ///< The grid's, and another on its mesh.
} scene;

static int open_scene(void **state) {
  static scene s;
  static char row[SIDE + 1];
  static const char *rows[SIDE];
  memset(row, '.', SIDE);
  for (int i = 0; i < SIDE; i++) rows[i] = row;
  lw_profile_def profile = lw_profile_def_default();
  profile.cover_bias = 3;
  profile.danger_cost = 10;
  s = (scene){.grid = grid_world_open(rows, SIDE, 4, &profile, NULL)};
  lw_world_def def = lw_world_def_default();
  def.navmesh = s.grid.mesh;
  def.allocator = support_allocator(s.grid.memory);
  s.worlds[0] = s.grid.world;
  assert_int_equal(lw_world_create(&def, &s.worlds[1], NULL), LW_OK);
  *state = &s;
  return 0;
}

static int close_scene(void **state) {
  scene *s = *state;
  lw_world_destroy(s->worlds[1]);
  grid_world_close(&s->grid);
  return 0;
}

static lw_vec3 place_of(int i) {
  return (lw_vec3){4 * (float)(i % SIDE) + 2, 0, 4 * (float)(i / SIDE % SIDE) + 2};
}

static lw_agent_id spawn(const scene *s, lw_world *world, int i) {
  lw_agent_def def = lw_agent_def_default();
  lw_agent_id id;
  def.profile = s->grid.profile;
  def.at = place_of(i);
  def.team = "red";
  assert_int_equal(lw_agent_spawn(world, &def, &id, NULL), LW_OK);
  return id;
}

static lw_threat_id add_threat(lw_world *world, const char *known_to) {
  lw_threat_def def = lw_threat_def_default();
  lw_threat_id id;
  def.threat.at = (lw_vec3){8, 2, 8};
  def.known_to = known_to;
  assert_int_equal(lw_threat_add(world, &def, &id, NULL), LW_OK);
  return id;
}

static lw_danger_id add_danger(lw_world *world, lw_vec3 at) {
  lw_danger_def def = lw_danger_def_default();
  lw_danger_id id;
  def.at = at;
  def.radius = 1;
  assert_int_equal(lw_danger_add(world, &def, &id, NULL), LW_OK);
  return id;
}

static lw_fire_lane_id add_lane(lw_world *world, lw_vec3 at) {
  lw_fire_lane_def def = lw_fire_lane_def_default();
  lw_fire_lane_id id;
  def.from = def.to = at;
  def.to.x += 1;
  assert_int_equal(lw_fire_lane_add(world, &def, &id, NULL), LW_OK);
  return id;
}

/* --- what they lead to ------------------------------------------------------------------------------------ */

static void none_is_all_zero(void **state) {
  (void)state;
  assert_true(lw_agent_id_is_none((lw_agent_id){0}) && lw_threat_id_is_none((lw_threat_id){0}));
  assert_true(lw_danger_id_is_none((lw_danger_id){0}) && lw_fire_lane_id_is_none((lw_fire_lane_id){0}));
  assert_false(lw_agent_id_is_none((lw_agent_id){.world = 1}));
  assert_true(lw_agent_id_equal((lw_agent_id){1, 2, 3}, (lw_agent_id){1, 2, 3}));
  assert_false(lw_agent_id_equal((lw_agent_id){1, 2, 3}, (lw_agent_id){1, 2, 4}));
}

static void check_senses_are_stale(lw_world *world, lw_agent_id id) {
  lw_senses senses = lw_senses_default();
  lw_perceived known;
  lw_heard heard;
  assert_int_equal(lw_agent_set_heading(world, id, 1), LW_STALE);
  assert_int_equal(lw_agent_set_senses(world, id, &senses, NULL), LW_STALE);
  assert_int_equal(lw_agent_get_senses(world, id, &senses), LW_STALE);
  assert_int_equal(lw_agent_get_perceived(world, id, &known, 1), 0);
  assert_int_equal(lw_agent_find_perceived(world, id, id, &known), LW_STALE);
  assert_int_equal(lw_agent_forget(world, id, lw_agent_id_none()), LW_STALE);
  assert_int_equal(lw_agent_get_heard(world, id, &heard), LW_STALE);
}

/* Each function that takes an id. */
static void check_agent_is_stale(const scene *s, lw_world *world, lw_agent_id id) {
  lw_agent_state agent;
  lw_agent_stats stats;
  lw_vec3 at = {2, 0, 2};
  float leash;
  bool seen;
  lw_explanation *explanation;
  assert_int_equal(lw_agent_get_state(world, id, &agent), LW_STALE);
  assert_int_equal(lw_agent_get_stats(world, id, &stats), LW_STALE);
  assert_int_equal(lw_agent_move_to(world, id, at, 1), LW_STALE);
  assert_int_equal(lw_agent_stop(world, id), LW_STALE);
  assert_int_equal(lw_agent_set_profile(world, id, s->grid.profile), LW_STALE);
  assert_int_equal(lw_agent_set_pace(world, id, LW_FAST), LW_STALE);
  assert_int_equal(lw_agent_set_stance(world, id, "stand"), LW_STALE);
  check_senses_are_stale(world, id);
  assert_int_equal(lw_agent_set_reason(world, id, ""), LW_STALE);
  assert_int_equal(lw_agent_set_threats(world, id, NULL, 0), LW_STALE);
  assert_int_equal(lw_agent_is_seen(world, NULL, id, NULL, 0, &seen), LW_STALE);
  assert_int_equal(lw_agent_explain(world, NULL, id, &explanation), LW_STALE);
  assert_int_equal(lw_agent_reserve_cover(world, id, at, 1), LW_STALE);
  assert_int_equal(lw_agent_release_cover(world, id), LW_STALE);
  assert_false(lw_agent_lost_cover(world, id));
  assert_int_equal(lw_agent_get_cover(world, id, &at, &leash), LW_STALE);
  assert_null(lw_agent_path(world, id));
  assert_null(lw_agent_tree(world, id));
  assert_null(lw_agent_random_stream(world, id));
  assert_int_equal(lw_agent_why(world, id, NULL, 0), 0);
  assert_int_equal(lw_agent_why_in_detail(world, id, NULL, 0), 0);
  assert_int_equal(lw_agent_get_threats(world, id, NULL, 0), 0);
  assert_int_equal(lw_agent_despawn(world, id), LW_STALE);
  assert_int_equal(lw_agent_kill(world, id), LW_STALE);
  if (!lw_agent_id_is_none(id)) assert_true(lw_agent_id_is_none(lw_agent_next(world, id)));
}

static void check_threat_is_stale(lw_world *world, lw_threat_id id, lw_agent_id agent) {
  lw_threat_state threat;
  const lw_threat numbers = lw_threat_default();
  assert_int_equal(lw_threat_get_state(world, id, &threat), LW_STALE);
  assert_int_equal(lw_threat_set(world, id, &numbers), LW_STALE);
  assert_int_equal(lw_threat_remove(world, id), LW_STALE);
  assert_int_equal(lw_agent_learn_threat(world, agent, id), LW_STALE);
  assert_int_equal(lw_agent_forget_threat(world, agent, id), LW_STALE);
  assert_false(lw_agent_knows_threat(world, agent, id));
  if (!lw_threat_id_is_none(id)) assert_true(lw_threat_id_is_none(lw_threat_next(world, id)));
}

static void check_danger_is_stale(lw_world *world, lw_danger_id id) {
  lw_danger_state danger;
  assert_int_equal(lw_danger_get_state(world, id, &danger), LW_STALE);
  assert_int_equal(lw_danger_remove(world, id), LW_STALE);
  if (!lw_danger_id_is_none(id)) assert_true(lw_danger_id_is_none(lw_danger_next(world, id)));
}

static void check_lane_is_stale(lw_world *world, lw_fire_lane_id id) {
  lw_fire_lane_state lane;
  assert_int_equal(lw_fire_lane_get_state(world, id, &lane), LW_STALE);
  assert_int_equal(lw_fire_lane_remove(world, id), LW_STALE);
  if (!lw_fire_lane_id_is_none(id)) assert_true(lw_fire_lane_id_is_none(lw_fire_lane_next(world, id)));
}

static void an_id_of_another_world_is_stale(void **state) {
  const scene *s = *state;
  lw_world *here = s->worlds[0], *there = s->worlds[1];
  const lw_agent_id agents[] = {spawn(s, here, 0), spawn(s, there, 0)};
  const lw_threat_id threats[] = {add_threat(here, ""), add_threat(there, "")};
  const lw_danger_id dangers[] = {add_danger(here, place_of(5)), add_danger(there, place_of(5))};
  const lw_fire_lane_id lanes[] = {add_lane(here, place_of(9)), add_lane(there, place_of(9))};
  assert_true(ALIKE(agents[0], agents[1]) && ALIKE(threats[0], threats[1]));
  assert_true(ALIKE(dangers[0], dangers[1]) && ALIKE(lanes[0], lanes[1]));
  check_agent_is_stale(s, here, agents[1]);
  check_threat_is_stale(here, threats[1], agents[0]);
  check_danger_is_stale(here, dangers[1]);
  check_lane_is_stale(here, lanes[1]);
  check_agent_is_stale(s, here, NONE(agent));
  check_threat_is_stale(here, NONE(threat), agents[0]);
  check_danger_is_stale(here, NONE(danger));
  check_lane_is_stale(here, NONE(fire_lane));
  assert_int_equal(lw_agent_learn_threat(here, agents[1], threats[0]), LW_STALE);
  lw_threat_def def = lw_threat_def_default();
  lw_threat_id id;
  def.agent = agents[1];
  assert_int_equal(lw_threat_add(here, &def, &id, NULL), LW_STALE);
  assert_true(lw_threat_id_is_none(id));
  assert_int_equal(lw_world_agent_count(here), 1);
  assert_int_equal(lw_threat_count(here) + lw_danger_count(here) + lw_fire_lane_count(here), 3);
}

static void an_id_is_stale_after_removal_also_when_its_slot_is_used_again(void **state) {
  const scene *s = *state;
  lw_world *world = s->worlds[0];
  const lw_agent_id agent = spawn(s, world, 0), other = spawn(s, world, 1);
  const lw_threat_id threat = add_threat(world, "");
  const lw_danger_id danger = add_danger(world, place_of(5));
  const lw_fire_lane_id lane = add_lane(world, place_of(9));
  assert_int_equal(lw_agent_despawn(world, agent), LW_OK);
  assert_int_equal(lw_threat_remove(world, threat), LW_OK);
  assert_int_equal(lw_danger_remove(world, danger), LW_OK);
  assert_int_equal(lw_fire_lane_remove(world, lane), LW_OK);
  for (int i = 0; i < 2; i++) {
    check_agent_is_stale(s, world, agent);
    check_threat_is_stale(world, threat, other);
    check_danger_is_stale(world, danger);
    check_lane_is_stale(world, lane);
    if (i) break;
    assert_int_equal(spawn(s, world, 0).slot, agent.slot);
    assert_int_equal(add_threat(world, "").slot, threat.slot);
    assert_int_equal(add_danger(world, place_of(5)).slot, danger.slot);
    assert_int_equal(add_lane(world, place_of(9)).slot, lane.slot);
  }
}

#define CHECK_ORDER(kind, expected, count)                                                                     \
  do {                                                                                                         \
    lw_##kind##_id id = NONE(kind);                                                                            \
    for (int k = 0; k < (count); k++)                                                                          \
      assert_true(lw_##kind##_id_equal(id = lw_##kind##_next(world, id), (expected)[k]));                      \
    assert_true(lw_##kind##_id_is_none(lw_##kind##_next(world, id)));                                          \
  } while (0)

static void all_come_in_the_order_in_which_they_were_added(void **state) {
  const scene *s = *state;
  lw_world *world = s->worlds[0];
  lw_agent_id agents[4];
  lw_threat_id threats[4];
  lw_danger_id dangers[4];
  lw_fire_lane_id lanes[4];
  for (int i = 0; i < 4; i++) {
    agents[i] = spawn(s, world, i);
    threats[i] = add_threat(world, NULL);
    dangers[i] = add_danger(world, place_of(i));
    lanes[i] = add_lane(world, place_of(i));
  }
  for (int i = 0; i < 4; i += 2) { /* the first and the third one go, and come back last */
    lw_agent_despawn(world, agents[i]);
    lw_threat_remove(world, threats[i]);
    lw_danger_remove(world, dangers[i]);
    lw_fire_lane_remove(world, lanes[i]);
  }
  const lw_agent_id agents_now[] = {agents[1], agents[3], spawn(s, world, 8), spawn(s, world, 9)};
  const lw_threat_id threats_now[] = {threats[1], threats[3], add_threat(world, ""), add_threat(world, "")};
  const lw_danger_id dangers_now[] = {dangers[1], dangers[3], add_danger(world, place_of(8)),
                                      add_danger(world, place_of(9))};
  const lw_fire_lane_id lanes_now[] = {lanes[1], lanes[3], add_lane(world, place_of(8)),
                                       add_lane(world, place_of(9))};
  CHECK_ORDER(agent, agents_now, 4);
  CHECK_ORDER(threat, threats_now, 4);
  CHECK_ORDER(danger, dangers_now, 4);
  CHECK_ORDER(fire_lane, lanes_now, 4);
}

/* --- news reaches agents once ----------------------------------------------------------------------------- */

static int replans_of(lw_world *world, lw_agent_id id) {
  lw_agent_stats stats;
  assert_int_equal(lw_agent_get_stats(world, id, &stats), LW_OK);
  return stats.replans;
}

/* So many steps that all alarmed agents have had their turn. */
static void step(lw_world *world) {
  for (int i = 0; i < 40; i++) assert_int_equal(lw_world_step(world, DT), LW_OK);
}

static void an_agent_that_has_searched_since_is_not_alarmed_again(void **state) {
  const scene *s = *state;
  lw_world *world = s->worlds[0];
  const lw_agent_id walking = spawn(s, world, 0), fresh = spawn(s, world, 1), told = spawn(s, world, 2);
  const lw_vec3 goal = place_of(SIDE * SIDE - 1);
  for (int round = 0; round < 3; round++) {
    assert_int_equal(lw_agent_move_to(world, walking, goal, 1), LW_OK);
    assert_int_equal(lw_agent_move_to(world, told, goal, 1), LW_OK);
    int before = replans_of(world, walking), other = replans_of(world, fresh), third = replans_of(world, told);
    const lw_threat_id threat = add_threat(world, "red"), secret = add_threat(world, NULL);
    if (round == 0) add_danger(world, place_of(20));
    assert_int_equal(lw_agent_learn_threat(world, told, secret), LW_OK);
    assert_int_equal(lw_agent_move_to(world, fresh, goal, 1), LW_OK); /* knows of all that */
    step(world);
    assert_int_equal(replans_of(world, walking), before + 1);
    assert_int_equal(replans_of(world, fresh), other);
    assert_int_equal(replans_of(world, told), third + 1);
    assert_int_equal(lw_threat_remove(world, secret), LW_OK);
    step(world);
    assert_int_equal(replans_of(world, walking), before + 1); /* never knew of that one */
    assert_int_equal(replans_of(world, told), third + 2);
    assert_int_equal(lw_agent_stop(world, fresh), LW_OK);
    assert_int_equal(lw_threat_remove(world, threat), LW_OK);
    step(world);
    assert_int_equal(replans_of(world, walking), before + 2);
    assert_int_equal(replans_of(world, told), third + 3);
    assert_int_equal(replans_of(world, fresh), other);
  }
}

/* More regions than are noted one by one, and regions without memory to note them. */
static void no_news_of_regions_is_lost(void **state) {
  scene *s = *state;
  lw_world *world = s->worlds[0];
  const lw_agent_id agent = spawn(s, world, 0), away = spawn(s, world, SIDE * (SIDE - 1));
  for (int round = 0; round < 2; round++) {
    assert_int_equal(lw_agent_move_to(world, agent, place_of(30), 1), LW_OK);
    assert_int_equal(lw_agent_move_to(world, away, place_of(SIDE * (SIDE - 1) + 30), 1), LW_OK);
    int before = replans_of(world, agent), other = replans_of(world, away);
    if (round == 0) {
      lw_danger_id ids[2500];
      ids[0] = add_danger(world, place_of(15));
      for (int i = 1; i < 2500; i++) ids[i] = add_danger(world, place_of(SIDE * 8 + i % (SIDE * 8)));
      for (int i = 0; i < 2500; i++) assert_int_equal(lw_danger_remove(world, ids[i]), LW_OK);
    } else {
      lw_fire_lane_def def = lw_fire_lane_def_default();
      lw_fire_lane_id id;
      def.from = def.to = place_of(15);
      def.from.z -= 2;
      def.to.z += 2;
      for (int left = 0;; left++) { /* the last allocation that it tries is the one for the news */
        s->grid.memory->left = left;
        lw_status status = lw_fire_lane_add(world, &def, &id, NULL);
        s->grid.memory->left = -1;
        if (status == LW_OK) break;
      }
    }
    step(world);
    assert_int_equal(replans_of(world, agent), before + 1);
    assert_int_equal(replans_of(world, away), other);
  }
}

/* --- growth ----------------------------------------------------------------------------------------------- */

typedef struct cost {
  double seconds;
  long allocations;
} cost;

static cost begin(const scene *s) {
  return (cost){bench_clock(), s->grid.memory->calls};
}

static cost end(const scene *s, cost begun) {
  return (cost){bench_clock() - begun.seconds, s->grid.memory->calls - begun.allocations};
}

/* Time is for those who look: what is asserted are allocations, and that nothing takes as long as it would if
   each of so many passed over all others. */
static void compare(const char *what, int count, cost half, cost whole) {
  printf("note: %-28s %6d: %.3f s, %6d: %.3f s; allocations %ld, %ld\n", what, count / 2, half.seconds, count,
         whole.seconds, half.allocations, whole.allocations);
  assert_true(whole.allocations <= 2 * half.allocations + 64);
  assert_true(whole.seconds < 10);
}

static void measure(const scene *s, int count, cost costs[8]) {
  lw_world *world;
  lw_world_def def = lw_world_def_default();
  def.navmesh = s->grid.mesh;
  def.allocator = support_allocator(s->grid.memory);
  assert_int_equal(lw_world_create(&def, &world, NULL), LW_OK);
  lw_agent_id *agents = malloc((size_t)count * sizeof *agents);
  lw_threat_id *threats = malloc((size_t)count * sizeof *threats);
  lw_danger_id *dangers = malloc((size_t)count * sizeof *dangers);
  assert_true(agents && threats && dangers);
  costs[0] = begin(s);
  for (int i = 0; i < count; i++) agents[i] = spawn(s, world, i);
  costs[0] = end(s, costs[0]);
  costs[1] = begin(s);
  for (int i = 0; i < count; i++) threats[i] = add_threat(world, i % 2 ? "red" : NULL);
  costs[1] = end(s, costs[1]);
  costs[2] = begin(s);
  for (int i = 0; i < count; i++) assert_int_equal(lw_agent_learn_threat(world, agents[0], threats[i]), LW_OK);
  costs[2] = end(s, costs[2]);
  costs[3] = begin(s);
  for (int i = 0; i < count; i++) assert_int_equal(lw_threat_remove(world, threats[i]), LW_OK);
  costs[3] = end(s, costs[3]);
  costs[4] = begin(s);
  for (int i = 0; i < count; i++) dangers[i] = add_danger(world, place_of(i));
  costs[4] = end(s, costs[4]);
  costs[5] = begin(s);
  for (int i = 0; i < count; i++) assert_int_equal(lw_danger_remove(world, dangers[i]), LW_OK);
  costs[5] = end(s, costs[5]);
  costs[6] = begin(s);
  for (int i = 0; i < count / 2; i++) assert_int_equal(lw_agent_despawn(world, agents[i]), LW_OK);
  costs[6] = end(s, costs[6]);
  costs[7] = begin(s);
  lw_world_destroy(world);
  costs[7] = end(s, costs[7]);
  free(agents);
  free(threats);
  free(dangers);
}

static void twice_as_many_take_twice_as_long(void **state) {
  static const char *const names[] = {"agents spawned",   "threats added",  "threats learned of",
                                      "threats removed",  "dangers added",  "dangers removed",
                                      "agents despawned", "world destroyed"};
  const scene *s = *state;
  enum { COUNT = 40000 };
  cost half[8], whole[8];
  measure(s, COUNT / 2, half);
  measure(s, COUNT, whole);
  for (int i = 0; i < 8; i++) compare(names[i], COUNT, half[i], whole[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(none_is_all_zero),
      cmocka_unit_test_setup_teardown(an_id_of_another_world_is_stale, open_scene, close_scene),
      cmocka_unit_test_setup_teardown(an_id_is_stale_after_removal_also_when_its_slot_is_used_again, open_scene,
                                      close_scene),
      cmocka_unit_test_setup_teardown(all_come_in_the_order_in_which_they_were_added, open_scene, close_scene),
      cmocka_unit_test_setup_teardown(an_agent_that_has_searched_since_is_not_alarmed_again, open_scene,
                                      close_scene),
      cmocka_unit_test_setup_teardown(no_news_of_regions_is_lost, open_scene, close_scene),
      cmocka_unit_test_setup_teardown(twice_as_many_take_twice_as_long, open_scene, close_scene),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
