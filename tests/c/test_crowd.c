/* Agents that meet. What avoidance promises is counted by brute force over all pairs (crowd_scene.h), and velocities are
   held against all others of a fine grid. */
#include "agent/orca.h"
#include "bake_scene.h"
#include "core/random.h"
#include "core/vec3.h"
#include "crowd_place.h"
#include "leeward/save.h"
#include "temp_file.h"
#include "world/world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/* --- half-planes of velocities ------------------------------------------------------------------------------------ */

static float between(lw_random *random, float low, float high) {
  return low + (high - low) * lwi_random_unit(random);
}

static float violation(const lwi_half_plane *planes, int count, lwi_vec2 v) {
  float worst = 0;
  for (int i = 0; i < count; i++)
    worst = fmaxf(worst, lwi_det2(planes[i].direction, lwi_sub2(planes[i].point, v)));
  return worst;
}

/* The nearest velocity of a grid that holds to all half-planes. @return false: none does. */
static bool search_grid(const lwi_half_plane *planes, int count, lwi_vec2 wish, float speed, float *nearest) {
  bool found = false;
  *nearest = INFINITY;
  for (int x = -100; x <= 100; x++)
    for (int z = -100; z <= 100; z++) {
      const lwi_vec2 v = {speed * (float)x / 100, speed * (float)z / 100}, off = lwi_sub2(v, wish);
      if (lwi_dot2(v, v) > speed * speed || violation(planes, count, v) > 0) continue;
      found = true;
      *nearest = fminf(*nearest, sqrtf(lwi_dot2(off, off)));
    }
  return found;
}

static void the_nearest_velocity_is_found(void **state) {
  (void)state;
  lw_random random = lwi_random_make(3, 1);
  int possible = 0, impossible = 0;
  for (int i = 0; i < 300; i++) {
    lwi_half_plane planes[6];
    const int count = 1 + i % 6;
    for (int k = 0; k < count; k++) {
      const float angle = between(&random, -3.14159f, 3.14159f);
      planes[k] = lwi_orca_wall(lwi_vec2_of(cosf(angle), sinf(angle)), between(&random, -1, 3));
    }
    const lwi_orca_problem problem = {.planes = planes,
                                      .count = count,
                                      .wish = {between(&random, -3, 3), between(&random, -3, 3)},
                                      .speed = 3};
    const lwi_vec2 got = lwi_orca_solve(&problem), off = lwi_sub2(got, problem.wish);
    float nearest;
    assert_true(lwi_dot2(got, got) <= 9.01f);
    if (!search_grid(planes, count, problem.wish, 3, &nearest)) {
      impossible++;
      continue;
    }
    possible++;
    assert_true(violation(planes, count, got) <= 1e-3f);
    assert_true(sqrtf(lwi_dot2(off, off)) <= nearest + 1e-3f);
  }
  assert_true(possible > 50 && impossible > 10);
}

/* Two that each leave their half of the effort to the other do not collide within the horizon. */
static void half_planes_of_two_keep_them_apart(void **state) {
  (void)state;
  lw_random random = lwi_random_make(4, 1);
  for (int i = 0; i < 500; i++) {
    const lwi_vec2 offset = {between(&random, 1, 4), between(&random, -2, 2)};
    const lwi_vec2 a = {between(&random, -2, 3), between(&random, -2, 2)},
                   b = {between(&random, -3, 2), between(&random, -2, 2)};
    const lwi_orca_other of_b = {offset, lwi_sub2(a, b), 0.8f, 1, 0.5f};
    const lwi_orca_other of_a = {lwi_scale2(offset, -1), lwi_sub2(b, a), 0.8f, 1, 0.5f};
    const lwi_half_plane plane_a = lwi_orca_plane(&of_b, a, 0.02f), plane_b = lwi_orca_plane(&of_a, b, 0.02f);
    const lwi_vec2 next_a = lwi_orca_solve(
                       &(lwi_orca_problem){.planes = &plane_a, .count = 1, .wish = a, .speed = 9}),
                   next_b = lwi_orca_solve(
                       &(lwi_orca_problem){.planes = &plane_b, .count = 1, .wish = b, .speed = 9});
    const lwi_vec2 closing = lwi_sub2(next_b, next_a);
    for (int step = 0; step <= 100; step++) {
      const lwi_vec2 apart = lwi_add2(offset, lwi_scale2(closing, (float)step / 100));
      assert_true(sqrtf(lwi_dot2(apart, apart)) >= 0.8f - 1e-3f);
    }
  }
}

/* --- scenes ------------------------------------------------------------------------------------------------------- */

/* Everybody arrives, nobody overlaps by more than 5 cm, and nobody leaves the navmesh. */
static void run_scene(crowd_scene_kind kind, int count) {
  const lw_profile_def def = crowd_runner();
  crowd_place at = crowd_place_open(kind, &def);
  crowd_scene scene = crowd_scene_open(kind, count, 1);
  crowd_place_spawn_all(&at, &scene);
  const crowd_result result = crowd_scene_run(
      &scene, &(crowd_mover){"ours", &at, crowd_place_send, crowd_place_step, crowd_place_get, NULL});
  printf("note: %d of %d arrived within %.1f s, deepest overlap %.3f m\n", result.arrived, count, result.last,
         result.worst);
  assert_int_equal(result.arrived, count);
  assert_int_equal(result.overlaps, 0);
  for (int i = 0; i < count; i++) {
    lw_agent_stats stats;
    assert_int_equal(lw_agent_get_stats(at.world, at.agents[i], &stats), LW_OK);
    assert_int_equal(stats.off_mesh, 0);
    assert_int_equal(stats.stuck, 0);
  }
  crowd_scene_close(&scene);
  crowd_place_close(&at);
}

static void agents_cross_a_circle(void **state) {
  (void)state;
  run_scene(CROWD_CIRCLE, 30);
}
static void agents_go_through_a_door(void **state) {
  (void)state;
  run_scene(CROWD_DOOR, 20);
}
static void agents_go_through_a_door_from_both_sides(void **state) {
  (void)state;
  run_scene(CROWD_DOOR_BOTH, 20);
}
static void agents_meet_in_a_corridor(void **state) {
  (void)state;
  run_scene(CROWD_CORRIDOR, 20);
}

/* --- the same again ----------------------------------------------------------------------------------------------- */

static uint64_t run_for(crowd_place *at, const crowd_scene *scene, int steps, int saved_at) {
  at->world = crowd_place_make_world(at);
  crowd_place_spawn_all(at, scene);
  for (int i = 0; i < scene->count; i++) crowd_place_send(at, i, scene->to[i]);
  for (int i = 0; i < steps; i++) {
    crowd_place_step(at);
    if (i != saved_at) continue;
    char file[] = "/tmp/leeward_crowd_XXXXXX";
    temp_file_make(file);
    assert_int_equal(lw_world_save(at->world, file, NULL), LW_OK);
    lw_world_destroy(at->world);
    at->world = crowd_place_make_world(at);
    scene_load(at->world, file, at->profile, at->agents, scene->count);
    remove(file);
  }
  const uint64_t hash = lw_world_hash(at->world);
  lw_world_destroy(at->world);
  return hash;
}

static void the_same_happens_again_and_after_loading(void **state) {
  (void)state;
  const crowd_scene_kind kinds[] = {CROWD_CIRCLE, CROWD_DOOR_BOTH, CROWD_CORRIDOR};
  for (int k = 0; k < 3; k++) {
    const lw_profile_def def = crowd_runner();
    crowd_place at = crowd_place_open(kinds[k], &def);
    lw_world_destroy(at.world);
    crowd_scene scene = crowd_scene_open(kinds[k], 30, 2);
    const uint64_t first = run_for(&at, &scene, 900, -1);
    assert_true(run_for(&at, &scene, 900, -1) == first);
    for (int saved_at = 200; saved_at < 900; saved_at += 137)
      assert_true(run_for(&at, &scene, 900, saved_at) == first);
    crowd_scene_close(&scene);
    at.world = NULL;
    crowd_place_close(&at);
  }
}

/* --- profiles ----------------------------------------------------------------------------------------------------- */

/* Two that meet head on; the first one's profile is given. @return How far it left the straight line. [m] */
static float meet(const lw_profile_def *first, float *deepest) {
  crowd_place at = crowd_place_open(CROWD_CIRCLE, first);
  const lw_profile_def def = crowd_runner();
  lw_profile *other;
  assert_int_equal(lw_profile_create(&def, scene_table, &other, NULL), LW_OK);
  for (int i = 0; i < 2; i++) {
    lw_agent_def agent = lw_agent_def_default();
    agent.profile = i == 0 ? at.profile : other;
    agent.at = lwi_vec3(i == 0 ? -8 : 8, 0, 0);
    assert_int_equal(lw_agent_spawn(at.world, &agent, &at.agents[i], NULL), LW_OK);
    crowd_place_send(&at, i, lwi_vec3(-agent.at.x, 0, 0));
  }
  float left = 0;
  *deepest = 0;
  for (int i = 0; i < 600; i++) {
    lw_vec3 a, b, velocity;
    crowd_place_step(&at);
    crowd_place_get(&at, 0, &a, &velocity);
    crowd_place_get(&at, 1, &b, &velocity);
    left = fmaxf(left, fabsf(a.z));
    *deepest = fmaxf(*deepest, 2 * CROWD_RADIUS - lwi_distance(a, b));
  }
  lw_agent_state end;
  assert_int_equal(lw_agent_get_state(at.world, at.agents[0], &end), LW_OK);
  assert_int_equal(end.move, LW_MOVE_ARRIVED);
  lw_world_destroy(at.world);
  at.world = NULL;
  lw_profile_destroy(other);
  crowd_place_close(&at);
  return left;
}

static void profiles_say_who_yields(void **state) {
  (void)state;
  lw_profile_def def = crowd_runner();
  float deepest;
  const float equal = meet(&def, &deepest);
  assert_true(equal > 0.2f && deepest < 0.05f);
  def.body.mass = 8000;
  assert_true(meet(&def, &deepest) < 0.7f * equal && deepest < 0.05f);
  def.body.mass = 80;
  def.body.priority = 9;
  assert_true(meet(&def, &deepest) < 0.7f * equal && deepest < 0.05f);
  def.body.avoidance = LW_AVOID_NONE;
  assert_true(meet(&def, &deepest) < 1e-3f && deepest > 0.7f); /* straight through */
}

static void bodies_keep_to_their_limits(void **state) {
  (void)state;
  lw_profile_def def = crowd_runner();
  def.speed[LW_NORMAL] = 8;
  def.body.acceleration = 3;
  def.body.deceleration = 4;
  def.body.lateral_acceleration = 5;
  def.body.turn_rate = 2;
  crowd_place at = crowd_place_open(CROWD_CIRCLE, &def);
  lw_agent_def agent = lw_agent_def_default();
  agent.profile = at.profile;
  agent.at = lwi_vec3(-20, 0, 0);
  assert_int_equal(lw_agent_spawn(at.world, &agent, &at.agents[0], NULL), LW_OK);
  crowd_place_send(&at, 0, lwi_vec3(20, 0, 0));
  lw_agent_state before, now;
  assert_int_equal(lw_agent_get_state(at.world, at.agents[0], &before), LW_OK);
  float fastest = 0;
  for (int i = 0; i < 1200; i++, before = now) {
    if (i == 240)
      crowd_place_send(&at, 0, lwi_vec3(-20, 0, 3)); /* back: nobody turns on the spot at full speed */
    crowd_place_step(&at);
    assert_int_equal(lw_agent_get_state(at.world, at.agents[0], &now), LW_OK);
    const float change = lwi_length(lwi_sub(now.velocity, before.velocity)) / CROWD_DT;
    assert_true(change <= sqrtf(4 * 4 + 5 * 5) + 0.05f);
    assert_true(fabs(remainder((double)(now.heading - before.heading), 6.283185307)) <= 2.0 / 60 + 1e-4);
    fastest = fmaxf(fastest, lwi_length(now.velocity));
  }
  assert_true(fastest > 7);
  assert_int_equal(now.move, LW_MOVE_ARRIVED);
  assert_true(lwi_distance(now.position, lwi_vec3(-20, 0, 3)) < 0.5f);
  crowd_place_close(&at);
}

/* Two that are spawned in each other are apart after a step, and stay there. */
static void agents_spawned_in_each_other_are_not_flung(void **state) {
  (void)state;
  lw_profile_def def = crowd_runner();
  def.body.deceleration = 2;
  crowd_place at = crowd_place_open(CROWD_CIRCLE, &def);
  lw_agent_state states[2];
  for (int i = 0; i < 2; i++) {
    lw_agent_def agent = lw_agent_def_default();
    agent.profile = at.profile;
    agent.at = lwi_vec3(0.1f * (float)i, 0, 0);
    assert_int_equal(lw_agent_spawn(at.world, &agent, &at.agents[i], NULL), LW_OK);
  }
  for (int step = 0; step < 120; step++) {
    crowd_place_step(&at);
    for (int i = 0; i < 2; i++) {
      assert_int_equal(lw_agent_get_state(at.world, at.agents[i], &states[i]), LW_OK);
      assert_true(lwi_length(states[i].velocity) < 0.01f);
    }
    assert_true(lwi_distance(states[0].position, states[1].position) >= 2 * def.radius - 1e-3f);
    assert_true(lwi_distance(states[0].position, lwi_vec3(0, 0, 0)) < 2 * def.radius);
  }
  crowd_place_close(&at);
}

/* Many are sent to one place: they stand about it. */
static void arriving_agents_stand_about_their_goal(void **state) {
  (void)state;
  const lw_profile_def def = crowd_runner();
  crowd_place at = crowd_place_open(CROWD_CIRCLE, &def);
  crowd_scene scene = crowd_scene_open(CROWD_CIRCLE, 20, 1);
  crowd_place_spawn_all(&at, &scene);
  for (int i = 0; i < 20; i++) crowd_place_send(&at, i, lwi_vec3(1, 0, 1));
  for (int i = 0; i < 60 * 20; i++) crowd_place_step(&at);
  for (int i = 0; i < 20; i++) {
    lw_agent_state now;
    assert_int_equal(lw_agent_get_state(at.world, at.agents[i], &now), LW_OK);
    assert_int_equal(now.move, LW_MOVE_ARRIVED);
    assert_true(lwi_distance(now.position, lwi_vec3(1, 0, 1)) < 4);
    for (int k = 0; k < i; k++) {
      lw_agent_state other;
      assert_int_equal(lw_agent_get_state(at.world, at.agents[k], &other), LW_OK);
      assert_true(lwi_distance(now.position, other.position) > 2 * CROWD_RADIUS - 0.05f);
    }
  }
  crowd_scene_close(&scene);
  crowd_place_close(&at);
}

/* One of the places of a scene. */
typedef struct draw {
  const crowd_scene *scene;
  lw_random random;
} draw;

static lw_vec3 draw_place(void *user) {
  draw *own = user;
  const uint64_t place = lwi_random_bits(&own->random) % (2 * (uint64_t)own->scene->count);
  const int agent = (int)(place / 2);
  return place % 2 ? own->scene->to[agent] : own->scene->from[agent];
}

static bool stops(void *user, int agent) {
  return crowd_place_state(user, agent).move != LW_MOVE_WALKING;
}

#define JAMMED 100

/* More want to go through a door, all the time and from both sides, than get through: those that do not get on give up, so that
   more of them arrive. */
static void agents_of_a_jam_give_up(void **state) {
  (void)state;
  const lw_profile_def def = crowd_runner();
  crowd_place at = crowd_place_open(CROWD_DOOR_BOTH, &def);
  crowd_scene scene = crowd_scene_open(CROWD_DOOR_BOTH, JAMMED, 1);
  draw places = {&scene, lwi_random_make(5, 1)};
  crowd_place_spawn_all(&at, &scene);
  const crowd_mover mover = {"ours", &at, crowd_place_send, crowd_place_step, crowd_place_get, stops};
  const crowd_result result = crowd_roam(&mover, JAMMED, 300, draw_place, &places);
  printf("note: near one place for up to %.1f s, %ld arrived, %ld gave up, deepest overlap %.3f m\n",
         result.longest, result.arrivals, result.gave_up, result.worst);
  assert_true(result.longest < 52);
  assert_true(result.arrivals > 400 && result.gave_up > 0 && result.gave_up < result.arrivals);
  assert_true(result.worst < 0.05);
  crowd_scene_close(&scene);
  crowd_place_close(&at);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_nearest_velocity_is_found),
      cmocka_unit_test(half_planes_of_two_keep_them_apart),
      cmocka_unit_test(agents_cross_a_circle),
      cmocka_unit_test(agents_go_through_a_door),
      cmocka_unit_test(agents_go_through_a_door_from_both_sides),
      cmocka_unit_test(agents_meet_in_a_corridor),
      cmocka_unit_test(the_same_happens_again_and_after_loading),
      cmocka_unit_test(profiles_say_who_yields),
      cmocka_unit_test(bodies_keep_to_their_limits),
      cmocka_unit_test(agents_spawned_in_each_other_are_not_flung),
      cmocka_unit_test(arriving_agents_stand_about_their_goal),
      cmocka_unit_test(agents_of_a_jam_give_up),
  };
  return cmocka_run_group_tests_name("crowd", tests, scene_open, scene_close);
}
