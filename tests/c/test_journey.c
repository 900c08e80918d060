/* Journeys: costs, threats and pace that hold for one move of an agent, with its replans, and end with it. */
#include "core/vec3.h"
#include "grid_mesh.h"
#include "leeward/leeward.h"
#include "temp_file.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))
#define DT (1.0f / 60)

/* Two routes from the left to the right, 2 m a square: straight over mud, or round by ground. */
static const char *const two_routes[] = {
    "......", /**/
    ".####.", /**/
    ".2222.",
};
static const lw_vec3 left = {1, 0, 5}, right = {11, 0, 5};
#define STRAIGHT 10.0f
static const float round_by_ground = 8 + 2 * 3.16227766f; /* past the corners of the hole */

typedef struct scene {
  lw_area_table *areas;
  lw_navmesh *mesh;
  lw_world *world;
  lw_profile *own, *other;
  lw_agent_id agent;
} scene;

static lw_profile *make(const scene *s, const char *name, void (*edit)(lw_profile_def *)) {
  lw_profile_def def = lw_profile_def_default();
  lw_profile *profile;
  def.name = name;
  def.radius = 0;
  if (edit) edit(&def);
  assert_int_equal(lw_profile_create(&def, s->areas, &profile, NULL), LW_OK);
  return profile;
}

static lw_world *make_world(const scene *s) {
  lw_world_def def = lw_world_def_default();
  lw_world *world;
  def.navmesh = s->mesh;
  assert_int_equal(lw_world_create(&def, &world, NULL), LW_OK);
  return world;
}

static lw_agent_id spawn(lw_world *world, const lw_profile *profile, lw_vec3 at) {
  lw_agent_def def = lw_agent_def_default();
  lw_agent_id agent;
  def.profile = profile;
  def.at = at;
  assert_int_equal(lw_agent_spawn(world, &def, &agent, NULL), LW_OK);
  return agent;
}

static void open_scene(scene *s, void (*own)(lw_profile_def *), void (*other)(lw_profile_def *)) {
  static const char *const names[] = {"ground", "mud"};
  s->areas = support_areas(names, 2);
  s->mesh = support_grid(s->areas, two_routes, COUNT(two_routes), 2);
  s->world = make_world(s);
  s->own = make(s, "own", own);
  s->other = make(s, "other", other);
  s->agent = spawn(s->world, s->own, left);
}

static void close_scene(scene *s) {
  lw_world_destroy(s->world);
  lw_profile_destroy(s->own);
  lw_profile_destroy(s->other);
  lw_navmesh_destroy(s->mesh);
  lw_area_table_destroy(s->areas);
}

static void price_mud(lw_profile_def *def) {
  def->area_factor[2] = 9;
}
static void avoid_mud(lw_profile_def *def) {
  def->avoid[2] = true;
}
static void mind_threats(lw_profile_def *def) {
  def->cover_bias = 5;
}
static void mind_dangers(lw_profile_def *def) {
  def->danger_cost = 100;
}

static void go(const scene *s, lw_vec3 goal, const lw_move_options *options) {
  assert_int_equal(lw_agent_move_with(s->world, s->agent, goal, options), LW_OK);
}

static lw_move_options for_other(const scene *s) {
  lw_move_options options = lw_move_options_default();
  options.within = 0.1f;
  options.profile = s->other;
  return options;
}

static lw_agent_state state_of(const scene *s) {
  lw_agent_state state;
  assert_int_equal(lw_agent_get_state(s->world, s->agent, &state), LW_OK);
  return state;
}

static float length_of(const scene *s) {
  return lw_path_length(lw_agent_path(s->world, s->agent));
}

static int replans_of(const scene *s) {
  lw_agent_stats stats;
  assert_int_equal(lw_agent_get_stats(s->world, s->agent, &stats), LW_OK);
  return stats.replans;
}

static void steps(const scene *s, int count) {
  while (count-- > 0) assert_int_equal(lw_world_step(s->world, DT), LW_OK);
}

/* --- what holds, and until when ------------------------------------------------------------------------------- */

static void costs_hold_until_the_agent_arrives(void **state) {
  (void)state;
  scene s;
  open_scene(&s, NULL, price_mud);
  const lw_move_options options = for_other(&s);
  go(&s, right, &options);
  assert_float_equal(length_of(&s), round_by_ground, 0.01);
  assert_ptr_equal(state_of(&s).journey, s.other);
  steps(&s, 600);
  assert_int_equal(state_of(&s).move, LW_MOVE_ARRIVED);
  assert_null(state_of(&s).journey);
  go(&s, left, NULL);
  assert_float_equal(length_of(&s), STRAIGHT, 0.1);
  close_scene(&s);
}

static void they_end_with_a_stop_a_failure_and_another_move(void **state) {
  (void)state;
  scene s;
  open_scene(&s, NULL, price_mud);
  const lw_move_options options = for_other(&s);
  go(&s, right, &options);
  assert_int_equal(lw_agent_stop(s.world, s.agent), LW_OK);
  assert_null(state_of(&s).journey);
  go(&s, right, &options);
  assert_int_equal(lw_agent_move_with(s.world, s.agent, (lw_vec3){99, 0, 0}, &options), LW_NO_GOAL);
  assert_int_equal(state_of(&s).move, LW_MOVE_FAILED);
  assert_null(state_of(&s).journey);
  go(&s, right, &options);
  go(&s, right, NULL);
  assert_null(state_of(&s).journey);
  assert_float_equal(length_of(&s), STRAIGHT, 1e-3);
  close_scene(&s);
}

static void they_hold_for_paths_that_are_searched_again(void **state) {
  (void)state;
  scene s;
  open_scene(&s, NULL, price_mud);
  const lw_move_options options = for_other(&s);
  go(&s, right, &options);
  steps(&s, 30);
  lw_obstacle_def def = lw_obstacle_def_default(); /* beside the way: it must go round */
  lw_obstacle_id obstacle;
  def.at = (lw_vec3){6, 0, 1.5f};
  def.size = (lw_vec3){1, 2, 1.5f};
  assert_int_equal(lw_obstacle_add(s.world, &def, &obstacle, NULL), LW_OK);
  for (int i = 0; i < 300 && replans_of(&s) == 0; i++) steps(&s, 1);
  assert_true(replans_of(&s) > 0);
  const lw_vec3 *points;
  int count;
  points = lw_path_points(lw_agent_path(s.world, s.agent), &count);
  for (int i = 0; i < count; i++) assert_true(points[i].z < 4.01f || points[i].x > 9.9f || points[i].x < 2.1f);
  assert_ptr_equal(state_of(&s).journey, s.other);
  close_scene(&s);
}

static void a_new_profile_of_the_body_does_not_change_them(void **state) {
  (void)state;
  scene s;
  open_scene(&s, NULL, price_mud);
  lw_profile *hungry = make(&s, "hungry", mind_threats);
  const lw_move_options options = for_other(&s);
  go(&s, right, &options);
  assert_int_equal(lw_agent_set_profile(s.world, s.agent, hungry), LW_OK);
  steps(&s, 2);
  assert_int_equal(replans_of(&s), 0);
  assert_float_equal(length_of(&s), round_by_ground, 0.01);
  lw_world_destroy(s.world);
  s.world = make_world(&s);
  lw_profile_destroy(hungry);
  close_scene(&s);
}

static void it_goes_on_for_another_profile(void **state) {
  (void)state;
  scene s;
  open_scene(&s, NULL, price_mud);
  assert_int_equal(lw_agent_set_journey_profile(s.world, s.agent, s.other), LW_NOT_FOUND); /* it stands */
  go(&s, right, NULL);
  assert_float_equal(length_of(&s), STRAIGHT, 1e-3);
  assert_int_equal(lw_agent_set_journey_profile(s.world, s.agent, s.other), LW_OK);
  assert_ptr_equal(state_of(&s).journey, s.other);
  steps(&s, 1);
  assert_float_equal(length_of(&s), round_by_ground, 0.1);
  assert_int_equal(replans_of(&s), 1);
  lw_profile *second = make(&s, "second", price_mud);
  assert_int_equal(lw_agent_set_journey_profile(s.world, s.agent, second), LW_OK); /* of the same prices */
  steps(&s, 1);
  assert_int_equal(replans_of(&s), 1);
  assert_int_equal(lw_agent_set_journey_profile(s.world, s.agent, NULL), LW_OK);
  assert_null(state_of(&s).journey);
  steps(&s, 1);
  assert_float_equal(length_of(&s), STRAIGHT, 0.1);
  steps(&s, 600);
  assert_int_equal(state_of(&s).move, LW_MOVE_ARRIVED);
  assert_int_equal(lw_agent_set_journey_profile(s.world, lw_agent_id_none(), second), LW_STALE);
  lw_profile_destroy(second);
  close_scene(&s);
}

/* A danger, a lane and a threat lie on the straight path, which costs its length until they count. */
static void what_counts_on_it_from_now_on_is_gone_round(void **state) {
  (void)state;
  for (int kind = 0; kind < 3; kind++) {
    scene s;
    open_scene(&s, NULL, kind == 0 ? mind_dangers : mind_threats);
    lw_danger_def danger = lw_danger_def_default();
    lw_fire_lane_def lane = lw_fire_lane_def_default();
    lw_threat threat = lw_threat_default();
    danger.at = (lw_vec3){6, 0, 5};
    danger.radius = 1.5f;
    lane.from = (lw_vec3){2, 1, 5};
    lane.to = (lw_vec3){10, 1, 5};
    threat.at = (lw_vec3){6, 3, 5};
    threat.range = 3.5f;
    if (kind == 0) assert_int_equal(lw_danger_add(s.world, &danger, &(lw_danger_id){0}, NULL), LW_OK);
    if (kind == 1) assert_int_equal(lw_fire_lane_add(s.world, &lane, &(lw_fire_lane_id){0}, NULL), LW_OK);
    if (kind == 2) assert_int_equal(lw_agent_set_threats(s.world, s.agent, &threat, 1), LW_OK);
    steps(&s, 1);
    for (int own = 0; own < 2; own++) { /* the profile of the journey, and the agent's own */
      go(&s, right, NULL);
      assert_float_equal(length_of(&s), STRAIGHT, 0.1);
      assert_int_equal(own ? lw_agent_set_profile(s.world, s.agent, s.other)
                           : lw_agent_set_journey_profile(s.world, s.agent, s.other),
                       LW_OK);
      steps(&s, 1);
      if (length_of(&s) < round_by_ground - 1)
        fail_msg("kind %d, own %d: %g m", kind, own, (double)length_of(&s));
    }
    close_scene(&s);
  }
}

static void the_body_enters_nothing_that_its_own_profile_may_not(void **state) {
  (void)state;
  scene s;
  open_scene(&s, avoid_mud, NULL); /* the other one would walk straight through it */
  const lw_move_options options = for_other(&s);
  go(&s, right, &options);
  assert_float_equal(length_of(&s), round_by_ground, 0.01);
  lw_explanation *e;
  assert_int_equal(lw_agent_explain(s.world, NULL, s.agent, &e), LW_OK);
  assert_int_equal(lw_explanation_comparison(e)->status, LW_OK);
  assert_float_equal(lw_explanation_comparison(e)->shortest.length, round_by_ground, 0.01);
  lw_explanation_destroy(e);
  steps(&s, 600);
  assert_int_equal(state_of(&s).move, LW_MOVE_ARRIVED);
  close_scene(&s);
}

static void it_leaves_ground_that_the_journey_avoids(void **state) {
  (void)state;
  scene s;
  open_scene(&s, NULL, avoid_mud);
  lw_move_options options = for_other(&s);
  const lw_vec3 in_mud = {3, 0, 5}; /* 1 m from the ground */
  s.agent = spawn(s.world, s.own, in_mud);
  go(&s, right, &options);
  assert_float_equal(lw_path_cost(lw_agent_path(s.world, s.agent)), length_of(&s),
                     1e-3); /* 1 a metre, there too */
  assert_true(length_of(&s) > round_by_ground);
  steps(&s, 600);
  assert_int_equal(state_of(&s).move, LW_MOVE_ARRIVED);
  close_scene(&s);
}

static void dangers_cost_what_the_journeys_profile_says(void **state) {
  (void)state;
  scene s;
  open_scene(&s, NULL, mind_dangers);
  const lw_move_options options = for_other(&s);
  go(&s, right, &options);
  assert_float_equal(length_of(&s), STRAIGHT, 1e-3);
  lw_danger_def def = lw_danger_def_default();
  lw_danger_id danger;
  def.at = (lw_vec3){6, 0, 5};
  def.radius = 1.5f;
  assert_int_equal(lw_danger_add(s.world, &def, &danger, NULL), LW_OK);
  steps(&s, 2);
  assert_true(length_of(&s) > round_by_ground - 1);
  close_scene(&s);
}

/* --- threats -------------------------------------------------------------------------------------------------- */

static lw_threat above(lw_vec3 at) {
  lw_threat threat = lw_threat_default();
  threat.at = at;
  threat.at.y = 20;
  return threat;
}

static void given_threats_count_in_place_of_known_ones(void **state) {
  (void)state;
  scene s;
  open_scene(&s, mind_threats, NULL);
  const lw_threat known = above(left), given[] = {above(right), above(left)};
  assert_int_equal(lw_agent_set_threats(s.world, s.agent, &known, 1), LW_OK);
  lw_move_options options = lw_move_options_default();
  go(&s, right, &options);
  assert_float_equal(lw_path_cost(lw_agent_path(s.world, s.agent)), 5 * STRAIGHT, 1e-2);
  options.threats = given;
  options.threat_count = 2;
  go(&s, right, &options);
  assert_float_equal(lw_path_cost(lw_agent_path(s.world, s.agent)), 9 * STRAIGHT, 1e-2);
  options.threat_count = 0;
  go(&s, right, &options);
  assert_float_equal(lw_path_cost(lw_agent_path(s.world, s.agent)), STRAIGHT, 1e-3);
  /* What it learns meanwhile does not count before the next journey. */
  assert_int_equal(lw_agent_set_threats(s.world, s.agent, given, 2), LW_OK);
  steps(&s, 2);
  assert_int_equal(replans_of(&s), 0);
  go(&s, right, NULL);
  assert_true(lw_path_cost(lw_agent_path(s.world, s.agent)) > 8 * STRAIGHT);
  close_scene(&s);
}

/* --- pace ----------------------------------------------------------------------------------------------------- */

static void a_pace_holds_for_the_journey_or_until_another_is_set(void **state) {
  (void)state;
  scene s;
  open_scene(&s, NULL, NULL);
  lw_move_options options = lw_move_options_default();
  options.pace = LW_FAST;
  go(&s, right, &options);
  steps(&s, 1);
  assert_int_equal(state_of(&s).pace, LW_FAST);
  assert_float_equal(state_of(&s).velocity.x, 5.5, 0.01);
  steps(&s, 600);
  assert_int_equal(state_of(&s).pace, LW_NORMAL);
  go(&s, left, &options);
  assert_int_equal(lw_agent_set_pace(s.world, s.agent, LW_CALM), LW_OK);
  steps(&s, 1);
  assert_float_equal(state_of(&s).velocity.x, -1.4, 0.01);
  close_scene(&s);
}

/* --- text, mistakes ------------------------------------------------------------------------------------------- */

static void why_says_by_what_it_goes(void **state) {
  (void)state;
  scene s;
  char text[512];
  open_scene(&s, NULL, price_mud);
  const lw_threat threat = above(left);
  lw_move_options options = for_other(&s);
  go(&s, right, &options);
  lw_agent_why(s.world, s.agent, text, sizeof text);
  assert_non_null(strstr(text, ", on this journey by the costs of 'other'"));
  options.profile = NULL;
  options.threats = &threat;
  options.threat_count = 1;
  go(&s, right, &options);
  lw_agent_why(s.world, s.agent, text, sizeof text);
  assert_non_null(strstr(text, ", on this journey by 1 given threat"));
  lw_agent_stop(s.world, s.agent);
  lw_agent_why(s.world, s.agent, text, sizeof text);
  assert_null(strstr(text, "journey"));
  close_scene(&s);
}

static void wrong_options_are_refused_and_the_agent_goes_on(void **state) {
  (void)state;
  scene s;
  open_scene(&s, NULL, NULL);
  go(&s, right, NULL);
  lw_threat threat = above(left);
  threat.weight = NAN;
  const lw_move_options good = lw_move_options_default();
  lw_move_options bad[7];
  for (int i = 0; i < COUNT(bad); i++) bad[i] = good;
  bad[0].cookie = 0;
  bad[1].within = -1;
  bad[2].within = NAN;
  bad[3].quality = LW_QUALITY_COUNT;
  bad[4].pace = (lw_pace)(LW_PACE_COUNT + 1);
  bad[5].threat_count = 1; /* but none */
  bad[6].threat_count = 1, bad[6].threats = &threat;
  for (int i = 0; i < COUNT(bad); i++)
    assert_int_equal(lw_agent_move_with(s.world, s.agent, left, &bad[i]), LW_INVALID);
  assert_int_equal(lw_agent_move_with(s.world, s.agent, (lw_vec3){NAN, 0, 0}, &good), LW_INVALID);
  assert_int_equal(state_of(&s).move, LW_MOVE_WALKING);
  assert_float_equal(state_of(&s).goal.x, right.x, 1e-6);
  assert_int_equal(lw_agent_move_with(s.world, (lw_agent_id){.slot = 77}, left, &good), LW_STALE);
  close_scene(&s);
}

/* --- saved ---------------------------------------------------------------------------------------------------- */

/* The scene with its world as the file has it. */
static void reload(scene *s, const char *file, const lw_profile *journey) {
  lw_saved *saved;
  lw_saved_agent from;
  assert_int_equal(lw_saved_open(file, NULL, &saved, NULL), LW_OK);
  lw_world_destroy(s->world);
  s->world = make_world(s);
  assert_int_equal(lw_world_restore(s->world, saved, NULL), LW_OK);
  assert_int_equal(lw_saved_get_agent(saved, 0, &from), LW_OK);
  assert_string_equal(from.profile, "own");
  assert_string_equal(from.journey, "other");
  assert_int_equal(from.pace, LW_NORMAL);
  s->agent = spawn(s->world, s->own, from.at);
  assert_int_equal(lw_agent_restore_journey(s->world, s->agent, saved, 0, journey), LW_OK);
  lw_saved_destroy(saved);
}

static void a_journey_goes_on_from_a_file(void **state) {
  (void)state;
  scene s;
  char file[] = "/tmp/leeward_XXXXXX";
  temp_file_make(file);
  open_scene(&s, NULL, price_mud);
  const lw_threat threat = above(left);
  lw_move_options options = for_other(&s);
  options.pace = LW_FAST;
  options.quality = LW_QUALITY_EXACT;
  options.threats = &threat;
  options.threat_count = 1;
  go(&s, right, &options);
  steps(&s, 20);
  const uint64_t then = lw_world_hash(s.world);
  assert_int_equal(lw_world_save(s.world, file, NULL), LW_OK);
  steps(&s, 60);
  const uint64_t later = lw_world_hash(s.world);
  reload(&s, file, s.other);
  assert_true(lw_world_hash(s.world) == then);
  assert_int_equal(state_of(&s).pace, LW_FAST);
  steps(&s, 60);
  assert_true(lw_world_hash(s.world) == later);
  /* Without its profile it goes on by its own costs, at its pace. */
  reload(&s, file, NULL);
  assert_null(state_of(&s).journey);
  assert_int_equal(state_of(&s).pace, LW_FAST);
  assert_int_equal(state_of(&s).move, LW_MOVE_WALKING);
  assert_true(length_of(&s) < round_by_ground);
  /* With another one of that name, by that. */
  lw_profile *another = make(&s, "other", mind_threats);
  reload(&s, file, another);
  assert_ptr_equal(state_of(&s).journey, another);
  assert_true(length_of(&s) < round_by_ground);
  lw_world_destroy(s.world);
  s.world = NULL;
  lw_profile_destroy(another);
  remove(file);
  close_scene(&s);
}

static void the_hash_knows_of_journeys(void **state) {
  (void)state;
  scene s;
  open_scene(&s, NULL, NULL); /* of the same costs */
  go(&s, right, NULL);
  const uint64_t plain = lw_world_hash(s.world);
  lw_move_options options = lw_move_options_default();
  options.pace = LW_FAST;
  go(&s, right, &options);
  assert_true(lw_world_hash(s.world) != plain);
  options = for_other(&s);
  options.within = lw_move_options_default().within;
  go(&s, right, &options);
  assert_true(lw_world_hash(s.world) != plain);
  go(&s, right, NULL);
  assert_true(lw_world_hash(s.world) == plain);
  close_scene(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(costs_hold_until_the_agent_arrives),
      cmocka_unit_test(they_end_with_a_stop_a_failure_and_another_move),
      cmocka_unit_test(they_hold_for_paths_that_are_searched_again),
      cmocka_unit_test(a_new_profile_of_the_body_does_not_change_them),
      cmocka_unit_test(it_goes_on_for_another_profile),
      cmocka_unit_test(what_counts_on_it_from_now_on_is_gone_round),
      cmocka_unit_test(the_body_enters_nothing_that_its_own_profile_may_not),
      cmocka_unit_test(it_leaves_ground_that_the_journey_avoids),
      cmocka_unit_test(dangers_cost_what_the_journeys_profile_says),
      cmocka_unit_test(given_threats_count_in_place_of_known_ones),
      cmocka_unit_test(a_pace_holds_for_the_journey_or_until_another_is_set),
      cmocka_unit_test(why_says_by_what_it_goes),
      cmocka_unit_test(wrong_options_are_refused_and_the_agent_goes_on),
      cmocka_unit_test(a_journey_goes_on_from_a_file),
      cmocka_unit_test(the_hash_knows_of_journeys),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
