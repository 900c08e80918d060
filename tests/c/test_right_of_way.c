/* Agents that meet between walls: each keeps to its right half, gives way to others where it is not, and waits for its turn
   only where two cannot pass. Halves and widths are measured here by rays of the test's own. */
#include "bake_scene.h"
#include "core/vec3.h"
#include "crowd_place.h"
#include "level_test.h"
#include "levels.h"
#include "world/world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define AGENTS 80

typedef struct place {
  crowd_place of; /* first, for crowd_place_send() and the like */
  int agents, steps;
  int in_right, in_left; /* agents seen in the halves of a corridor */
} place;

/* In the middle of the corridor, which leads along x: those that go to +x have +z to their right. */
static void count_halves(place *at) {
  for (int i = 0; i < at->agents; i++) {
    const lw_agent_state state = crowd_place_state(&at->of, i);
    if (fabsf(state.position.x) > 10 || fabsf(state.position.z) < 0.3f) continue;
    const float side = state.goal.x > state.position.x ? state.position.z : -state.position.z;
    at->in_right += side > 0;
    at->in_left += side < 0;
  }
}

static void step(void *user) {
  place *at = user;
  crowd_place_step(&at->of);
  if (++at->steps % 30 == 0) count_halves(at);
}

static place open_place(crowd_scene_kind kind) {
  const lw_profile_def profile = crowd_runner();
  return (place){.of = crowd_place_open(kind, &profile)};
}

static crowd_result run(place *at, crowd_scene_kind kind, int count, uint64_t seed) {
  crowd_scene scene = crowd_scene_open(kind, count, seed);
  crowd_place_spawn_all(&at->of, &scene);
  at->agents = count;
  const crowd_result result =
      crowd_scene_run(&scene, &(crowd_mover){"ours", at, crowd_place_send, step, crowd_place_get, NULL});
  crowd_scene_close(&scene);
  printf("note: seed %d: %d of %d arrived within %.1f s, deepest overlap %.3f m\n", (int)seed, result.arrived,
         count, result.last, result.worst);
  assert_int_equal(result.arrived, count);
  assert_int_equal(result.overlaps, 0);
  return result;
}

/* --- those who meet ----------------------------------------------------------------------------------------------- */

static void those_who_meet_in_a_corridor_keep_right(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 2; seed++) {
    place at = open_place(CROWD_CORRIDOR);
    const crowd_result result = run(&at, CROWD_CORRIDOR, AGENTS, seed);
    const double part = (double)at.in_right / (at.in_right + at.in_left);
    printf("note: %.0f %% in the right half\n", 100 * part);
    assert_true(at.in_right > 200 && part > 0.75);
    assert_true(result.last < 45);
    crowd_place_close(&at.of);
  }
}

static void those_who_meet_round_a_corner_pass(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 2; seed++) {
    place at = open_place(CROWD_BEND);
    assert_true(run(&at, CROWD_BEND, AGENTS, seed).last < 50);
    assert_int_equal(at.of.world->agents.crowd.bottleneck_count, 0); /* it is wide everywhere */
    crowd_place_close(&at.of);
  }
}

/* Both streams touch one corner, beyond which the ground is open on one side. */
static void those_who_meet_at_the_mouth_of_a_passage_pass(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 2; seed++) {
    place at = open_place(CROWD_MOUTH);
    assert_true(run(&at, CROWD_MOUTH, 120, seed).last < 37);
    crowd_place_close(&at.of);
  }
}

/* An agent alone walks the same path as one that does not avoid others. */
static void an_agent_alone_does_not_keep_right(void **state) {
  (void)state;
  const lw_profile_def profile = crowd_runner();
  crowd_place at = crowd_place_open(CROWD_BEND, &profile);
  crowd_place_spawn(&at, 0, lwi_vec3(-24, 0, 0));
  crowd_place_send(&at, 0, lwi_vec3(0, 0, 24));
  const float length = lw_path_length(lw_agent_path(at.world, at.agents[0]));
  for (int i = 0; i < 1500 && crowd_place_state(&at, 0).move == LW_MOVE_WALKING; i++) crowd_place_step(&at);
  lw_agent_stats stats;
  assert_int_equal(lw_agent_get_stats(at.world, at.agents[0], &stats), LW_OK);
  assert_int_equal(crowd_place_state(&at, 0).move, LW_MOVE_ARRIVED);
  assert_true(length > 20 && fabs(stats.walked - (double)length) < 0.02 * (double)length + 0.3);
  crowd_place_close(&at);
}

/* --- bottlenecks -------------------------------------------------------------------------------------------------- */

static float free_length(const crowd_place *at, lw_location from, float angle) {
  lw_raycast ray;
  const lw_vec3 to = {from.point.x + 5 * cosf(angle), from.point.y, from.point.z + 5 * sinf(angle)};
  assert_int_equal(lw_navmesh_raycast(at->mesh, from, to, &at->profile->prices.filter, &ray), LW_OK);
  return ray.t * 5;
}

/* The width of the ground at a place, in the direction in which it is narrowest. */
static float width_at(const crowd_place *at, lw_location from) {
  float narrowest = INFINITY;
  for (int i = 0; i < 32; i++) {
    const float angle = 3.14159265f * (float)i / 32;
    narrowest = fminf(narrowest, free_length(at, from, angle) + free_length(at, from, angle + 3.14159265f));
  }
  return narrowest;
}

static float length_of(const lwi_bottleneck *at) {
  float length = 0;
  for (int i = 0; i + 1 < at->point_count; i++) length += lwi_distance(at->points[i], at->points[i + 1]);
  return length;
}

/* How much of a bottleneck's line is on wide ground, in one piece. Agents of 0.4 m pass each other on ground of 0.8 m, on a
   navmesh baked for them. */
static float wide_part(const crowd_place *at, const lwi_bottleneck *bottleneck) {
  const lw_vec3 snap = {0.5f, 2, 0.5f};
  float longest = 0, wide = 0;
  for (int i = 0; i + 1 < bottleneck->point_count; i++) {
    const float part = lwi_distance(bottleneck->points[i], bottleneck->points[i + 1]);
    for (float along = 0; along < part; along += 0.2f) {
      lw_location on;
      const lw_vec3 between = lwi_lerp(bottleneck->points[i], bottleneck->points[i + 1], along / part);
      const bool is_on = lw_navmesh_nearest(at->mesh, between, snap, &at->profile->prices.filter, &on) == LW_OK;
      wide = is_on && width_at(at, on) < 1 ? 0 : wide + 0.2f;
      longest = fmaxf(longest, wide);
    }
  }
  return longest;
}

/* Through a door, which leads along x: all have turns, those too whose paths lead along its walls, or that were pushed back. */
static void those_who_meet_at_a_door_have_turns(void **state) {
  (void)state;
  for (uint64_t seed = 10; seed <= 13; seed++) {
    place at = open_place(CROWD_DOOR_BOTH);
    assert_true(run(&at, CROWD_DOOR_BOTH, 50, seed).last < 45);
    const lwi_crowd *crowd = &at.of.world->agents.crowd;
    assert_int_equal(crowd->bottleneck_count, 1);
    const lwi_bottleneck *door = &crowd->bottlenecks[0];
    assert_int_equal(door->point_count, 2);
    const lw_vec3 along = lwi_sub(door->points[1], door->points[0]);
    assert_true(fabsf(along.z) < 0.2f * fabsf(along.x));
    assert_true(fabsf(door->points[0].z) < 0.1f && fabsf(door->points[1].z) < 0.1f); /* in its middle */
    crowd_place_close(&at.of);
  }
}

/* Side by side they would wedge each other. */
static void those_who_go_through_a_door_follow_each_other(void **state) {
  (void)state;
  double sum = 0;
  for (uint64_t seed = 1; seed <= 4; seed++) {
    place at = open_place(CROWD_DOOR);
    sum += run(&at, CROWD_DOOR, 50, seed).last;
    crowd_place_close(&at.of);
  }
  assert_true(sum < 4 * 32);
}

/* From room to room through two doors, 8 m apart, which lead along x. */
static crowd_place open_rooms(void) {
  const lw_profile_def profile = crowd_runner();
  lw_geometry *geometry = scene_geometry(scene_table);
  lw_bake_settings settings = lw_bake_settings_default();
  scene_add_floor(geometry, lwi_vec3(-10, 0, -10), 9.8f, 20, SCENE_GROUND);
  scene_add_floor(geometry, lwi_vec3(-0.2f, 0, -0.6f), 0.4f, 1.2f, SCENE_GROUND);
  scene_add_floor(geometry, lwi_vec3(0.2f, 0, -10), 7.6f, 20, SCENE_GROUND);
  scene_add_floor(geometry, lwi_vec3(7.8f, 0, -0.6f), 0.4f, 1.2f, SCENE_GROUND);
  scene_add_floor(geometry, lwi_vec3(8.2f, 0, -10), 11.8f, 20, SCENE_GROUND);
  settings.cell_size = 0.1f;
  lw_navmesh *mesh = scene_bake(geometry, &settings, NULL);
  lw_geometry_destroy(geometry);
  return crowd_place_open_on(mesh, &profile);
}

static void doors_one_behind_the_other_have_turns_of_their_own(void **state) {
  (void)state;
  crowd_place at = open_rooms();
  crowd_place_spawn(&at, 0, lwi_vec3(-8, 0, 0.3f));
  crowd_place_send(&at, 0, lwi_vec3(16, 0, -0.3f));
  const lwi_crowd *crowd = &at.world->agents.crowd;
  for (int i = 0; i < 900 && crowd_place_state(&at, 0).move == LW_MOVE_WALKING; i++) {
    crowd_place_step(&at);
    for (int k = 0; k < crowd->bottleneck_count; k++) assert_true(length_of(&crowd->bottlenecks[k]) < 4);
  }
  assert_int_equal(crowd_place_state(&at, 0).move, LW_MOVE_ARRIVED);
  assert_int_equal(crowd->bottleneck_count, 2);
  crowd_place_close(&at);
}

/* With this seed some wait for half a minute. When it is their turn they have as much time as others. */
static void those_who_have_waited_long_do_not_fail(void **state) {
  (void)state;
  place at = open_place(CROWD_DOOR_BOTH);
  run(&at, CROWD_DOOR_BOTH, 50, 3);
  crowd_place_close(&at.of);
}

/* Agents on their ways over a level, for 20 s. */
static crowd_place roam(lw_navmesh *mesh) {
  const lw_profile_def profile = crowd_runner();
  crowd_place at = crowd_place_open_on(mesh, &profile);
  lw_random random = lwi_random_make(1, 5);
  for (int i = 0; i < 2 * AGENTS; i++) {
    lw_random_point_query query = lw_random_point_query_default();
    lw_location found;
    query.anywhere = true;
    query.random = &random;
    query.profile = at.profile;
    assert_int_equal(lw_random_point_find(at.world, NULL, &query, &found), LW_OK);
    if (i < AGENTS)
      crowd_place_spawn(&at, i, found.point);
    else
      lw_agent_move_to(at.world, at.agents[i - AGENTS], found.point, 0.3f); /* some have no path */
  }
  for (int i = 0; i < 1200; i++) crowd_place_step(&at);
  return at;
}

/* A bottleneck is narrow from one end to the other: what follows beyond wide ground is another one. */
static void wide_ground_is_no_bottleneck(void **state) {
  (void)state;
  static const char *const levels[] = {"recast_dungeon", "oa_kaos2"};
  for (int l = 0; l < 2; l++) {
    lw_navmesh *mesh;
    lw_error error;
    if (level_navmesh(levels[l], scene_table, &mesh, &error) != LW_OK) skip();
    crowd_place at = roam(mesh);
    const lwi_crowd *crowd = &at.world->agents.crowd;
    for (int i = 0; i < crowd->bottleneck_count; i++) {
      if (crowd->bottlenecks[i].navmesh < 0) continue;
      const float wide = wide_part(&at, &crowd->bottlenecks[i]), length = length_of(&crowd->bottlenecks[i]);
      printf("note: a bottleneck of %.1f m, %.1f m of it wide\n", (double)length, (double)wide);
      assert_true(wide < 3);
    }
    crowd_place_close(&at);
  }
}

static float distance_to(const lwi_bottleneck *at, lw_vec3 from) {
  float nearest = INFINITY;
  for (int i = 0; i + 1 < at->point_count; i++)
    nearest = fminf(nearest, lwi_distance(lwi_nearest_on(at->points[i], at->points[i + 1], from), from));
  return nearest;
}

/* It has one direction at a time, from whichever end it was found. */
static void narrow_ground_round_a_corner_is_one_bottleneck(void **state) {
  (void)state;
  const lw_vec3 ends[] = {{21, 12, -3.6f}, {26.4f, 12, -8.5f}}, corner = {26, 12, -3.6f};
  lw_navmesh *mesh;
  lw_error error;
  if (level_navmesh("oa_kaos2", scene_table, &mesh, &error) != LW_OK) skip();
  crowd_place at = roam(mesh);
  const lwi_crowd *crowd = &at.world->agents.crowd;
  int found = 0;
  for (int i = 0; i < crowd->bottleneck_count; i++) {
    const lwi_bottleneck *one = &crowd->bottlenecks[i];
    if (one->navmesh < 0 || !(distance_to(one, corner) < 1)) continue;
    found += 1;
    assert_true(distance_to(one, ends[0]) < 1 && distance_to(one, ends[1]) < 1);
  }
  assert_int_equal(found, 1);
  crowd_place_close(&at);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(those_who_meet_in_a_corridor_keep_right),
      cmocka_unit_test(those_who_meet_round_a_corner_pass),
      cmocka_unit_test(those_who_meet_at_the_mouth_of_a_passage_pass),
      cmocka_unit_test(an_agent_alone_does_not_keep_right),
      cmocka_unit_test(those_who_meet_at_a_door_have_turns),
      cmocka_unit_test(those_who_go_through_a_door_follow_each_other),
      cmocka_unit_test(doors_one_behind_the_other_have_turns_of_their_own),
      cmocka_unit_test(those_who_have_waited_long_do_not_fail),
      cmocka_unit_test(wide_ground_is_no_bottleneck),
      cmocka_unit_test(narrow_ground_round_a_corner_is_one_bottleneck),
  };
  return cmocka_run_group_tests_name("right of way", tests, scene_open, scene_close);
}
