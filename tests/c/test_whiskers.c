/* Whiskers: agents keep clear of what their paths cannot know. How deep they get into it is measured against the outline
   itself, and what they do against the same agents without whiskers. */
#include "agent/hazards.h"
#include "bake_scene.h"
#include "core/random.h"
#include "core/vec3.h"
#include "crowd_scene.h"
#include "leeward/obstacle.h"
#include "temp_file.h"
#include "world/world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* --- meetings, by sampling ---------------------------------------------------------------------------------------- */

static float between(lw_random *random, float low, float high) {
  return low + (high - low) * lwi_random_unit(random);
}

/* How far a place is from the outside of an outline of mitred sides; > 0: inside. */
static float depth_in(const lwi_hazard *hazard, lwi_vec2 at, float radius) {
  const lwi_vec2 offset = lwi_sub2(at, lwi_vec2_of(hazard->at.x, hazard->at.z));
  float depth = hazard->reach + radius - sqrtf(lwi_dot2(offset, offset));
  for (int i = 0; i < hazard->side_count; i++)
    depth = fminf(depth, hazard->sides[i].offset + radius - lwi_dot2(hazard->sides[i].normal, offset));
  return depth;
}

static lwi_hazard random_hazard(lw_random *random) {
  lwi_vec2 corners[8];
  const int count = 3 + (int)(lwi_random_unit(random) * 5);
  const float x = between(random, -3, 3), z = between(random, -3, 3), size = between(random, 0.3f, 2);
  for (int i = 0; i < count; i++) {
    const float angle = 6.2831853f * (float)i / (float)count;
    corners[i] = lwi_vec2_of(x + size * cosf(angle), z + size * sinf(angle));
  }
  lwi_hazard hazard = {.velocity = {between(random, -4, 4), between(random, -4, 4)}};
  lwi_hazard_set_outline(&hazard, corners, count);
  return hazard;
}

static void a_meeting_is_when_samples_say(void **state) {
  (void)state;
  lw_random random = lwi_random_make(9, 1);
  int met = 0;
  for (int i = 0; i < 2000; i++) {
    const lwi_hazard hazard = random_hazard(&random);
    const lwi_vec2 at = {between(&random, -6, 6), between(&random, -6, 6)},
                   velocity = {between(&random, -4, 4), between(&random, -4, 4)};
    if (depth_in(&hazard, at, 0.4f) > -0.01f) continue;
    const float time = lwi_hazard_meeting(&hazard, at, velocity, 0.4f, 2);
    const lwi_vec2 relative = lwi_sub2(velocity, hazard.velocity);
    float first = INFINITY;
    for (int k = 0; k <= 2000 && isinf(first); k++) {
      const float t = (float)k / 1000;
      if (depth_in(&hazard, lwi_add2(at, lwi_scale2(relative, t)), 0.4f) > 0.001f) first = t;
    }
    met += isfinite(first);
    if (isfinite(first)) assert_true(fabsf(time - first) < 0.02f);
    if (isinf(first) && isfinite(time)) /* grazed between two samples */
      assert_true(depth_in(&hazard, lwi_add2(at, lwi_scale2(relative, time + 0.001f)), 0.4f) < 0.02f);
  }
  printf("note: %d of 2000 meet\n", met);
  assert_true(met > 200);
}

static void an_agent_inside_may_come_out(void **state) {
  (void)state;
  lwi_hazard hazard = {.kind = LW_WHISKER_OBSTACLE};
  const lwi_vec2 corners[] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  lwi_hazard_set_outline(&hazard, corners, 4);
  const lwi_vec2 at = {1.2f, 0};
  assert_true(lwi_hazard_meeting(&hazard, at, lwi_vec2_of(-1, 0), 0.4f, 1) <= 0);
  assert_true(isinf(lwi_hazard_meeting(&hazard, at, lwi_vec2_of(1, 0.5f), 0.4f, 1)));
  hazard.velocity = lwi_vec2_of(2, 0); /* faster than the agent */
  assert_true(lwi_hazard_meeting(&hazard, at, lwi_vec2_of(1, 0), 0.4f, 1) <= 0);
}

/* --- scenes ------------------------------------------------------------------------------------------------------- */

#define FLOOR 40.0f

typedef struct place {
  lw_navmesh *mesh;
  lw_profile *profile;
  lw_world *world;
  lw_agent_id walker;
} place;

static lw_world *create_world(const place *at) {
  lw_world_def def = lw_world_def_default();
  lw_world *world;
  def.navmesh = at->mesh;
  assert_int_equal(lw_world_create(&def, &world, NULL), LW_OK);
  return world;
}

/* Open ground of 40 x 40 m, and a walker of 3.5 m/s on it. */
static place open_place(int rays) {
  place at = {0};
  lw_geometry *geometry = scene_floor(scene_table, FLOOR, FLOOR);
  lw_bake_settings settings = lw_bake_settings_default();
  at.mesh = scene_bake(geometry, &settings, NULL);
  lw_geometry_destroy(geometry);
  lw_profile_def def = crowd_runner();
  def.body.whiskers.rays = rays;
  assert_int_equal(lw_profile_create(&def, scene_table, &at.profile, NULL), LW_OK);
  at.world = create_world(&at);
  return at;
}

static void close_place(place *at) {
  lw_world_destroy(at->world);
  lw_profile_destroy(at->profile);
  lw_navmesh_destroy(at->mesh);
}

static lw_agent_id spawn(place *at, const lw_profile *profile, lw_vec3 where) {
  lw_agent_def def = lw_agent_def_default();
  lw_agent_id id;
  def.profile = profile;
  def.at = where;
  assert_int_equal(lw_agent_spawn(at->world, &def, &id, NULL), LW_OK);
  return id;
}

static lw_agent_state state_of(const place *at, lw_agent_id id) {
  lw_agent_state state;
  assert_int_equal(lw_agent_get_state(at->world, id, &state), LW_OK);
  return state;
}

/* A box that a game moves each frame, too fast to be cut out. */
typedef struct mover {
  float x, z, size_x, size_z, speed_x, speed_z;
  lw_obstacle_id id;
} mover;

static void add_mover(place *at, mover *box) {
  lw_obstacle_def def = lw_obstacle_def_default();
  def.at = lwi_vec3(box->x, 0, box->z);
  def.size = lwi_vec3(box->size_x, 2, box->size_z);
  def.max_speed = 0.1f;
  assert_int_equal(lw_obstacle_add(at->world, &def, &box->id, NULL), LW_OK);
}

static void move(place *at, mover *box) {
  const lw_vec3 velocity = {box->speed_x, 0, box->speed_z};
  box->x += box->speed_x * CROWD_DT;
  box->z += box->speed_z * CROWD_DT;
  assert_int_equal(lw_obstacle_move(at->world, box->id, lwi_vec3(box->x, 0, box->z), 0, &velocity), LW_OK);
}

/* How deep a disc is in the box. [m] */
static float overlap(const mover *box, lw_vec3 at) {
  const float x = fabsf(at.x - box->x) - box->size_x / 2, z = fabsf(at.z - box->z) - box->size_z / 2;
  const float away = x > 0 || z > 0 ? hypotf(fmaxf(x, 0), fmaxf(z, 0)) : fmaxf(x, z);
  return CROWD_RADIUS - away;
}

typedef struct outcome {
  float deepest; /* [m] */
  double arrived;
  float slowest, aside; /* [m/s, m] */
  bool said;
} outcome;

/* The walker goes from (5, 20) to (35, 20). */
static outcome walk_past(int rays, mover box) {
  place at = open_place(rays);
  at.walker = spawn(&at, at.profile, lwi_vec3(5, 0, 20));
  add_mover(&at, &box);
  assert_int_equal(lw_agent_move_to(at.world, at.walker, lwi_vec3(35, 0, 20), 0.3f), LW_OK);
  outcome out = {.deepest = -INFINITY, .slowest = INFINITY};
  for (int i = 0; i < 60 * 40 && out.arrived <= 0; i++) {
    char why[256];
    move(&at, &box);
    assert_int_equal(lw_world_step(at.world, CROWD_DT), LW_OK);
    const lw_agent_state now = state_of(&at, at.walker);
    lw_agent_why(at.world, at.walker, why, sizeof why);
    out.said |= strstr(why, "an obstacle that moves") != NULL;
    out.deepest = fmaxf(out.deepest, overlap(&box, now.position));
    out.aside = fmaxf(out.aside, fabsf(now.position.z - 20));
    if (i > 60 && now.move == LW_MOVE_WALKING && now.remaining > 3)
      out.slowest = fminf(out.slowest, lwi_length(now.velocity));
    if (now.move == LW_MOVE_ARRIVED) out.arrived = lw_world_time(at.world);
    assert_int_not_equal(now.move, LW_MOVE_FAILED);
  }
  close_place(&at);
  return out;
}

static void movers_are_evaded(void **state) {
  (void)state;
  const mover movers[] = {
      {.x = 20, .z = 4, .size_x = 2, .size_z = 2, .speed_z = 3.7f},   /* it crosses the path */
      {.x = 36, .z = 20, .size_x = 4, .size_z = 2.4f, .speed_x = -8}, /* it comes head on, */
      {.x = -20, .z = 20, .size_x = 4, .size_z = 2.4f, .speed_x = 8}, /* or from behind */
      {.x = 20, .z = 20.3f, .size_x = 3, .size_z = 3, .speed_x = -0.3f}};
  for (size_t i = 0; i < sizeof movers / sizeof *movers; i++) {
    assert_true(walk_past(0, movers[i]).deepest > 1);
    const outcome out = walk_past(3, movers[i]);
    assert_true(out.deepest < 0.05f);
    assert_true(out.arrived > 0 && out.arrived < 10);
    assert_true(out.said);
  }
}

static void an_agent_waits_for_what_is_long(void **state) {
  (void)state;
  const mover train = {.x = 20, .z = -6, .size_x = 2, .size_z = 30, .speed_z = 6};
  assert_true(walk_past(0, train).deepest > 1);
  const outcome out = walk_past(3, train);
  assert_true(out.deepest < 0.05f && out.slowest < 0.1f && out.aside < 1.5f);
  assert_true(out.arrived > 10 && out.arrived < 13);
}

static void few_are_hit_by_random_movers(void **state) {
  (void)state;
  lw_random random = lwi_random_make(18, 3);
  int hit[2] = {0, 0};
  for (int i = 0; i < 60; i++) {
    mover box = {.size_x = between(&random, 0.8f, 3), .size_z = between(&random, 0.8f, 3)};
    const float angle = between(&random, 0, 6.2831853f), speed = between(&random, 1, 6),
                when = between(&random, 2, 6);
    box.speed_x = speed * cosf(angle);
    box.speed_z = speed * sinf(angle);
    box.x = 5 + 3.5f * when - box.speed_x * when; /* both are there then */
    box.z = 20 - box.speed_z * when;
    for (int k = 0; k < 2; k++) hit[k] += walk_past(3 * k, box).deepest > 0.05f;
  }
  printf("note: of 60 without whiskers %d are hit, with whiskers %d\n", hit[0], hit[1]);
  assert_true(hit[0] > 50);
  assert_true(hit[1] <= 6);
}

/* --- what is no hazard -------------------------------------------------------------------------------------------- */

/* @return How far the walker left its straight path. [m] */
static float walk_by(place *at, mover *box) {
  float aside = 0;
  assert_int_equal(lw_agent_move_to(at->world, at->walker, lwi_vec3(35, 0, 20), 0.3f), LW_OK);
  for (int i = 0; i < 60 * 9; i++) {
    if (box) move(at, box);
    assert_int_equal(lw_world_step(at->world, CROWD_DT), LW_OK);
    aside = fmaxf(aside, fabsf(state_of(at, at->walker).position.z - 20));
  }
  return aside;
}

static void what_is_above_or_does_not_block_is_not_evaded(void **state) {
  (void)state;
  for (int kind = 0; kind < 3; kind++) {
    place at = open_place(3);
    at.walker = spawn(&at, at.profile, lwi_vec3(5, 0, 20));
    mover box = {.x = 20, .z = 20.3f, .size_x = 3, .size_z = 3, .speed_x = -0.3f};
    lw_obstacle_def def = lw_obstacle_def_default();
    def.size = lwi_vec3(3, 2, 3);
    def.max_speed = 0.1f;
    def.at = lwi_vec3(20, kind == 0 ? 1.9f : 0, 20.3f); /* higher than the walker */
    def.blocks = kind != 1;
    def.cost = kind == 1;
    if (kind == 2) def.carrier = at.walker; /* it carries it */
    assert_int_equal(lw_obstacle_add(at.world, &def, &box.id, NULL), LW_OK);
    if (kind == 0) { /* it stays up there */
      const lw_vec3 velocity = {-0.3f, 0, 0};
      assert_int_equal(lw_obstacle_move(at.world, box.id, def.at, 0, &velocity), LW_OK);
    }
    assert_true(walk_by(&at, kind == 1 ? &box : NULL) < 0.01f);
    close_place(&at);
  }
}

/* --- agents ------------------------------------------------------------------------------------------------------- */

/* A body that the game moves fast across the path of the walker. @return How deep they overlap. [m] */
static float cross_runner(int rays, float later) {
  place at = open_place(rays);
  at.walker = spawn(&at, at.profile, lwi_vec3(5, 0, 20));
  lw_profile_def def = crowd_runner();
  lw_profile *runner;
  def.radius = 1;
  def.body.mass = 100000;
  def.body.avoidance = LW_AVOID_SOFT; /* the contact pass leaves it alone */
  assert_int_equal(lw_profile_create(&def, scene_table, &runner, NULL), LW_OK);
  lw_vec3 body = {20, 0, 20 - (4.3f + later) * 12};
  const lw_agent_id other = spawn(&at, runner, lwi_vec3(20, 0, 1));
  assert_int_equal(lw_agent_move_to(at.world, at.walker, lwi_vec3(35, 0, 20), 0.3f), LW_OK);
  float deepest = -INFINITY;
  for (int i = 0; i < 60 * 6; i++) {
    body.z += 12 * CROWD_DT;
    if (body.z > 1 && body.z < 39)
      assert_int_equal(lw_agent_set_external(at.world, other, body, lwi_vec3(0, 0, 12)), LW_OK);
    assert_int_equal(lw_world_step(at.world, CROWD_DT), LW_OK);
    deepest = fmaxf(deepest,
                    1.4f - lwi_distance_xz(state_of(&at, at.walker).position, state_of(&at, other).position));
  }
  lw_world_destroy(at.world);
  at.world = NULL;
  lw_profile_destroy(runner);
  close_place(&at);
  return deepest;
}

static void much_faster_agents_are_evaded(void **state) {
  (void)state;
  float without = 0, with = 0;
  for (float later = -0.3f; later < 0.35f; later += 0.1f) {
    without = fmaxf(without, cross_runner(0, later));
    with = fmaxf(with, cross_runner(3, later));
  }
  printf("note: overlap with a runner of 12 m/s: %.2f m, with whiskers %.2f m\n", (double)without,
         (double)with);
  assert_true(without > 1);
  assert_true(with < 0.15f);
}

/* A truck that stands across the path, or its trailer. @return How deep the walker gets into it. [m] */
static float pass_truck(int rays, bool has_trailer) {
  place at = open_place(rays);
  lw_profile_def def = crowd_runner();
  lw_profile *profile;
  def.radius = 1.2f;
  def.body.turn_radius = 5;
  def.body.vehicle = (lw_vehicle){.wheelbase = 4, .length = 6, .width = 2.4f, .reverse_cost = 3};
  if (has_trailer) /* from z = 18 to 24 */
    def.body.trailer =
        (lw_trailer){.length = 6, .width = 2.4f, .joint = 1, .drawbar = 1, .wheelbase = 4, .max_angle = 1};
  assert_int_equal(lw_profile_create(&def, scene_table, &profile, NULL), LW_OK);
  at.walker = spawn(&at, at.profile, lwi_vec3(5, 0, 20));
  const lw_agent_id truck = spawn(&at, profile, lwi_vec3(20, 0, has_trailer ? 26 : 17)); /* from z = 16 to 22 */
  assert_int_equal(lw_agent_set_heading(at.world, truck, -1.5707963f), LW_OK);
  assert_int_equal(lw_agent_move_to(at.world, at.walker, lwi_vec3(35, 0, 20), 0.3f), LW_OK);
  const mover outline = {.x = 20, .z = has_trailer ? 21 : 19, .size_x = 2.4f, .size_z = 6};
  float deepest = -INFINITY;
  for (int i = 0; i < 60 * 20; i++) {
    assert_int_equal(lw_world_step(at.world, CROWD_DT), LW_OK);
    deepest = fmaxf(deepest, overlap(&outline, state_of(&at, at.walker).position));
  }
  assert_int_equal(state_of(&at, at.walker).move, LW_MOVE_ARRIVED);
  lw_world_destroy(at.world);
  at.world = NULL;
  lw_profile_destroy(profile);
  close_place(&at);
  return deepest;
}

static void vehicles_are_gone_round(void **state) {
  (void)state;
  assert_true(pass_truck(0, false) > 1);
  assert_true(pass_truck(3, false) < 0.05f);
}

static void trailers_are_gone_round(void **state) {
  (void)state;
  assert_true(pass_truck(0, true) > 1);
  assert_true(pass_truck(3, true) < 0.05f);
}

/* A car of 4 m drives along z = 20, and a cart crosses before it. @return How near they come, by the car's outline;
   below 0: they overlap. [m] */
static float drive_past(int rays, float later, bool *has_arrived) {
  place at = open_place(3);
  lw_profile_def def = crowd_runner();
  lw_profile *profile;
  def.radius = 1;
  def.speed[LW_NORMAL] = 8;
  def.body.turn_radius = 4;
  def.body.whiskers.rays = rays;
  def.body.vehicle = (lw_vehicle){.wheelbase = 2.6f, .length = 4, .width = 2, .reverse_cost = 3};
  assert_int_equal(lw_profile_create(&def, scene_table, &profile, NULL), LW_OK);
  const lw_agent_id car = spawn(&at, profile, lwi_vec3(3, 0, 20));
  mover cart = {.x = 20, .z = 20 - 3 * (2.6f + later), .size_x = 2, .size_z = 2, .speed_z = 3};
  add_mover(&at, &cart);
  assert_int_equal(lw_agent_move_to(at.world, car, lwi_vec3(35, 0, 20), 0.3f), LW_OK);
  float nearest = INFINITY;
  for (int i = 0; i < 60 * 12; i++) {
    move(&at, &cart);
    assert_int_equal(lw_world_step(at.world, CROWD_DT), LW_OK);
    const lw_agent_state now = state_of(&at, car);
    for (int k = 0; k <= 40; k++) /* its middle line, from the back to the front */
      nearest =
          fminf(nearest, -overlap(&cart, lwi_vec3(now.position.x - 0.7f + 0.1f * (float)k, 0, now.position.z)) -
                             1 + CROWD_RADIUS);
  }
  *has_arrived = state_of(&at, car).move == LW_MOVE_ARRIVED;
  lw_world_destroy(at.world);
  at.world = NULL;
  lw_profile_destroy(profile);
  close_place(&at);
  return nearest;
}

static void vehicles_brake_for_what_crosses(void **state) {
  (void)state;
  float without = INFINITY, with = INFINITY;
  for (float later = -0.6f; later < 0.65f; later += 0.2f) {
    bool has_arrived;
    without = fminf(without, drive_past(0, later, &has_arrived));
    assert_true(has_arrived);
    with = fminf(with, drive_past(3, later, &has_arrived));
    assert_true(has_arrived);
  }
  printf("note: a car comes as near as %.2f m to a cart, with whiskers %.2f m\n", (double)without,
         (double)with);
  assert_true(without < -1);
  assert_true(with > -0.05f);
}

/* Another agent jumps down to where the walker passes. @return How near they come to each other. [m] */
static float pass_landing(int rays, float later) {
  place at = open_place(rays);
  lw_profile_def fast = crowd_runner();
  lw_profile *jumper;
  fast.speed[LW_NORMAL] = 8;
  assert_int_equal(lw_profile_create(&fast, scene_table, &jumper, NULL), LW_OK);
  lw_link_def link = lw_link_def_default();
  link.kind = LW_LINK_JUMP;
  link.from = lwi_vec3(20, 0, 8);
  link.to = lwi_vec3(20, 0, 20);
  link.length = 0.1f;
  lw_link_id id;
  assert_int_equal(lw_link_add(at.world, &link, &id, NULL), LW_OK);
  at.walker = spawn(&at, at.profile, lwi_vec3(5, 0, 20));
  const lw_agent_id other = spawn(&at, jumper, lwi_vec3(20, 0, 6));
  assert_int_equal(lw_agent_move_to(at.world, at.walker, lwi_vec3(35, 0, 20), 0.3f), LW_OK);
  float nearest = INFINITY;
  for (int i = 0; i < 60 * 12; i++) {
    if (i == (int)((2.2f + later) * 60))
      assert_int_equal(lw_agent_move_to(at.world, other, lwi_vec3(20, 0, 20), 0.3f), LW_OK);
    assert_int_equal(lw_world_step(at.world, CROWD_DT), LW_OK);
    const lw_agent_state a = state_of(&at, at.walker), b = state_of(&at, other);
    if (b.position.y < 0.5f) nearest = fminf(nearest, lwi_distance_xz(a.position, b.position));
  }
  if (rays > 0) assert_int_equal(state_of(&at, at.walker).move, LW_MOVE_ARRIVED);
  assert_int_equal(state_of(&at, other).move, LW_MOVE_ARRIVED);
  lw_world_destroy(at.world);
  at.world = NULL;
  lw_profile_destroy(jumper);
  close_place(&at);
  return nearest;
}

static void ends_of_links_are_left_free(void **state) {
  (void)state;
  float without = INFINITY, with = INFINITY;
  for (float later = -0.5f; later < 0.55f; later += 0.1f) {
    without = fminf(without, pass_landing(0, later));
    with = fminf(with, pass_landing(3, later));
  }
  printf("note: landing %.2f m from the walker, with whiskers %.2f m\n", (double)without, (double)with);
  assert_true(without < 0.3f);
  assert_true(with > 0.75f);
}

/* Without hazards whiskers change nothing. */
static uint64_t run_crowd(int rays, bool with_mover, int saved_at) {
  place at = open_place(rays);
  lw_agent_id agents[24];
  mover box = {.x = 20, .z = 4, .size_x = 3, .size_z = 6, .speed_z = 3};
  if (with_mover) add_mover(&at, &box);
  for (int i = 0; i < 24; i++) {
    const float x = i % 2 ? 5 : 35, z = 14 + (float)(i / 2);
    agents[i] = spawn(&at, at.profile, lwi_vec3(x, 0, z));
    assert_int_equal(lw_agent_move_to(at.world, agents[i], lwi_vec3(40 - x, 0, z), 0.3f), LW_OK);
  }
  for (int i = 0; i < 480; i++) {
    if (with_mover) move(&at, &box);
    assert_int_equal(lw_world_step(at.world, CROWD_DT), LW_OK);
    if (i != saved_at) continue;
    char file[] = "/tmp/leeward_whiskers_XXXXXX";
    temp_file_make(file);
    assert_int_equal(lw_world_save(at.world, file, NULL), LW_OK);
    lw_world_destroy(at.world);
    at.world = create_world(&at);
    scene_load(at.world, file, at.profile, agents, 24);
    box.id = lw_obstacle_next(at.world, lw_obstacle_id_none());
    remove(file);
  }
  const uint64_t hash = lw_world_hash(at.world);
  close_place(&at);
  return hash;
}

static void a_crowd_without_hazards_moves_as_before(void **state) {
  (void)state;
  assert_true(run_crowd(0, false, -1) == run_crowd(3, false, -1));
}

static void the_same_happens_again_and_after_loading(void **state) {
  (void)state;
  const uint64_t first = run_crowd(3, true, -1);
  assert_true(first != run_crowd(0, true, -1));
  assert_true(first == run_crowd(3, true, -1));
  for (int saved_at = 100; saved_at < 480; saved_at += 77) assert_true(first == run_crowd(3, true, saved_at));
}

/* --- what is seen ------------------------------------------------------------------------------------------------- */

static void whiskers_say_what_they_end_at(void **state) {
  (void)state;
  place at = open_place(5);
  lw_whisker rays[LW_WHISKERS_MAX];
  at.walker = spawn(&at, at.profile, lwi_vec3(5, 0, 38));
  assert_int_equal(lw_agent_whiskers(at.world, at.walker, rays), 0); /* it stands */
  assert_int_equal(lw_agent_move_to(at.world, at.walker, lwi_vec3(35, 0, 38), 0.3f), LW_OK);
  for (int i = 0; i < 60; i++) assert_int_equal(lw_world_step(at.world, CROWD_DT), LW_OK);
  assert_int_equal(lw_agent_whiskers(at.world, at.walker, rays), 5);
  assert_int_equal(rays[0].hit, LW_WHISKER_WALL); /* at z = 40, to its right */
  assert_int_equal(rays[2].hit, LW_WHISKER_FREE);
  assert_int_equal(rays[4].hit, LW_WHISKER_FREE);
  const lw_vec3 from = state_of(&at, at.walker).position;
  assert_true(rays[0].to.z > 39 && rays[4].to.z < 37);
  assert_true(fabsf(lwi_distance(rays[2].to, lwi_vec3(from.x + 3.5f * 1.2f, from.y, from.z))) < 0.02f);
  mover box = {.x = from.x + 3.5f, .z = 38, .size_x = 1, .size_z = 3, .speed_x = -0.2f};
  add_mover(&at, &box);
  move(&at, &box);
  assert_int_equal(lw_world_step(at.world, CROWD_DT), LW_OK);
  assert_int_equal(lw_agent_whiskers(at.world, at.walker, rays), 5);
  assert_int_equal(rays[2].hit, LW_WHISKER_OBSTACLE);
  assert_true(rays[2].seconds > 0.5f && rays[2].seconds < 0.9f);
  close_place(&at);
}

static void wrong_whiskers_are_refused(void **state) {
  (void)state;
  const int rays[] = {-1, 2, 4, 6, 8, 9};
  lw_profile *profile;
  lw_error error;
  for (size_t i = 0; i < sizeof rays / sizeof *rays; i++) {
    lw_profile_def def = lw_profile_def_default();
    def.body.whiskers.rays = rays[i];
    assert_int_equal(lw_profile_create(&def, scene_table, &profile, &error), LW_INVALID);
    assert_non_null(strstr(error.text, "whiskers.rays"));
  }
  lw_profile_def def = lw_profile_def_default();
  assert_int_equal(def.body.whiskers.rays, 3);
  def.body.whiskers.seconds = 5.1f;
  assert_int_equal(lw_profile_create(&def, scene_table, &profile, &error), LW_INVALID);
  assert_non_null(strstr(error.text, "whiskers.seconds is 5.1, expected seconds from 0 to 5"));
  def.body.whiskers = (lw_whiskers){3, 1, -0.1f};
  assert_int_equal(lw_profile_create(&def, scene_table, &profile, &error), LW_INVALID);
  assert_non_null(strstr(error.text, "whiskers.spread"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_meeting_is_when_samples_say),
      cmocka_unit_test(an_agent_inside_may_come_out),
      cmocka_unit_test(movers_are_evaded),
      cmocka_unit_test(an_agent_waits_for_what_is_long),
      cmocka_unit_test(few_are_hit_by_random_movers),
      cmocka_unit_test(what_is_above_or_does_not_block_is_not_evaded),
      cmocka_unit_test(much_faster_agents_are_evaded),
      cmocka_unit_test(vehicles_are_gone_round),
      cmocka_unit_test(trailers_are_gone_round),
      cmocka_unit_test(vehicles_brake_for_what_crosses),
      cmocka_unit_test(ends_of_links_are_left_free),
      cmocka_unit_test(a_crowd_without_hazards_moves_as_before),
      cmocka_unit_test(the_same_happens_again_and_after_loading),
      cmocka_unit_test(whiskers_say_what_they_end_at),
      cmocka_unit_test(wrong_whiskers_are_refused),
  };
  return cmocka_run_group_tests_name("whiskers", tests, scene_open, scene_close);
}
