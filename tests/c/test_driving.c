/* Vehicles of a world: they follow their drives within their limits, stop for what is in their route and find another route, and
   go on from a saved game as if nothing had happened. */
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
#include <unistd.h>

#include <cmocka.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))
#define DT (1.0f / 60)
#define PI 3.14159265f
#define RADIUS 4.0f
#define LATERAL 4.0f

typedef struct scene {
  lw_area_table *areas;
  lw_navmesh *mesh;
  lw_world *world;
  lw_profile *car, *human;
} scene;

/* A ring of streets 8 m wide, of 4 m a square. */
static const char *const ring[] = {
    "............", /**/
    "............", /**/
    "..########..", /**/
    "..########..", /**/
    "............", /**/
    "............", /**/
};

static lw_world *make_world(const scene *s) {
  lw_world_def def = lw_world_def_default();
  lw_world *world;
  def.navmesh = s->mesh;
  assert_int_equal(lw_world_create(&def, &world, NULL), LW_OK);
  return world;
}

static void open_scene(scene *s) {
  static const char *const names[] = {"ground"};
  s->areas = support_areas(names, 1);
  s->mesh = support_grid(s->areas, ring, COUNT(ring), 4);
  s->world = make_world(s);
  lw_profile_def def = lw_profile_def_default();
  def.name = "car";
  def.radius = 0.9f;
  def.speed[LW_NORMAL] = 10;
  def.body.acceleration = 3;
  def.body.deceleration = 5;
  def.body.lateral_acceleration = LATERAL;
  def.body.turn_radius = RADIUS;
  def.body.avoidance = LW_AVOID_FULL;
  def.body.vehicle = (lw_vehicle){2.4f, 4, 1.8f, 3};
  assert_int_equal(lw_profile_create(&def, s->areas, &s->car, NULL), LW_OK);
  lw_profile_def walker = lw_profile_def_default();
  walker.body.avoidance = LW_AVOID_FULL;
  assert_int_equal(lw_profile_create(&walker, s->areas, &s->human, NULL), LW_OK);
}

static void close_scene(scene *s) {
  lw_world_destroy(s->world);
  lw_profile_destroy(s->car);
  lw_profile_destroy(s->human);
  lw_navmesh_destroy(s->mesh);
  lw_area_table_destroy(s->areas);
}

static lw_agent_id spawn(lw_world *world, const lw_profile *profile, lw_vec3 at, float heading) {
  lw_agent_def def = lw_agent_def_default();
  lw_agent_id agent;
  def.profile = profile;
  def.at = at;
  assert_int_equal(lw_agent_spawn(world, &def, &agent, NULL), LW_OK);
  assert_int_equal(lw_agent_set_heading(world, agent, heading), LW_OK);
  return agent;
}

static lw_status park(const scene *s, lw_agent_id agent, lw_vec3 at, float heading) {
  lw_move_options options = lw_move_options_default();
  options.heading = heading;
  return lw_agent_move_with(s->world, agent, at, &options);
}

static lw_agent_state state_of(const scene *s, lw_agent_id agent) {
  lw_agent_state state;
  assert_int_equal(lw_agent_get_state(s->world, agent, &state), LW_OK);
  return state;
}

static void step(const scene *s) {
  assert_int_equal(lw_world_step(s->world, DT), LW_OK);
}

/* Drive until the move ends, at most so long, and hold each step against the limits. @return How long it took. [s] */
static float drive(const scene *s, lw_agent_id agent, float seconds, float *fastest) {
  float time = 0;
  *fastest = 0;
  for (lw_agent_state now = state_of(s, agent), before; now.move == LW_MOVE_WALKING && time < seconds;
       time += DT) {
    before = now;
    step(s);
    now = state_of(s, agent);
    const float moved = lwi_distance_xz(before.position, now.position), speed = moved / DT;
    const float turned = fabsf(remainderf(now.heading - before.heading, 2 * PI));
    assert_true(turned <= moved / RADIUS * 1.02f + 1e-4f);
    assert_true(turned / DT * speed <= LATERAL * 1.02f + 0.01f);
    if (moved > 0.02f) { /* it moves the route that it looks, or backwards */
      const float towards = atan2f(before.position.z - now.position.z, now.position.x - before.position.x);
      assert_true(fabsf(sinf(towards -
                             (before.heading + remainderf(now.heading - before.heading, 2 * PI) / 2))) < 0.05f);
    }
    *fastest = fmaxf(*fastest, speed);
  }
  return time;
}

static void arrives_in_the_pose_asked_for(void **state) {
  (void)state;
  static const lw_vec3 goals[] = {{40, 0, 21}, {3, 0, 12}, {24, 0, 5}, {45, 0, 12}};
  static const float headings[] = {PI, PI / 2, 0, -PI / 2};
  scene s;
  open_scene(&s);
  const lw_agent_id agent = spawn(s.world, s.car, (lw_vec3){6, 0, 3}, 0);
  float fastest, topmost = 0;
  for (int i = 0; i < COUNT(goals); i++) {
    assert_int_equal(park(&s, agent, goals[i], headings[i]), LW_OK);
    assert_non_null(lw_agent_drive(s.world, agent));
    assert_true(drive(&s, agent, 60, &fastest) < 60);
    const lw_agent_state now = state_of(&s, agent);
    assert_int_equal(now.move, LW_MOVE_ARRIVED);
    assert_true(lwi_distance_xz(now.position, goals[i]) < 0.1f);
    assert_true(fabsf(remainderf(now.heading - headings[i], 2 * PI)) < 0.05f);
    assert_null(lw_agent_drive(s.world, agent));
    topmost = fmaxf(topmost, fastest);
  }
  assert_true(topmost > 8 && topmost < 10.1f);
  close_scene(&s);
}

/* Someone stands in one street: it goes round by the other. */
static void go_another_way(int search_work) {
  scene s;
  open_scene(&s);
  assert_int_equal(lw_world_set_search_work(s.world, search_work), LW_OK);
  const lw_agent_id agent = spawn(s.world, s.car, (lw_vec3){10, 0, 4}, 0);
  lw_agent_id walkers[4];
  for (int i = 0; i < COUNT(walkers); i++)
    walkers[i] =
        spawn(s.world, s.car, (lw_vec3){30, 0, 1 + 2 * (float)i}, 0); /* side by side across the street */
  assert_int_equal(park(&s, agent, (lw_vec3){42, 0, 4}, 0), LW_OK);
  float fastest;
  assert_true(drive(&s, agent, 120, &fastest) < 120);
  const lw_agent_state now = state_of(&s, agent);
  lw_agent_stats stats;
  assert_int_equal(lw_agent_get_stats(s.world, agent, &stats), LW_OK);
  assert_true(stats.stuck >= 1);
  for (int i = 0; i < COUNT(walkers); i++) {
    const lw_agent_state other = state_of(&s, walkers[i]);
    assert_true(lwi_distance_xz(other.position, (lw_vec3){30, 0, 1 + 2 * (float)i}) < 1e-3f); /* not pushed */
  }
  assert_int_equal(now.move, LW_MOVE_ARRIVED);
  close_scene(&s);
}

static void takes_another_way_where_it_is_blocked(void **state) {
  (void)state;
  go_another_way(10000);
  go_another_way(500); /* it waits for the search past those that stand there */
}

/* All routes are blocked: it says by whom. */
static void says_who_is_in_its_way(void **state) {
  (void)state;
  scene s;
  open_scene(&s);
  const lw_agent_id agent = spawn(s.world, s.car, (lw_vec3){10, 0, 4}, 0);
  for (int i = 0; i < 8; i++) {
    spawn(s.world, s.car, (lw_vec3){20, 0, 1 + 2 * (float)(i % 4)}, 0);
    if (i >= 4) spawn(s.world, s.car, (lw_vec3){4, 0, 1 + 2 * (float)(i % 4)}, 0);
  }
  assert_int_equal(park(&s, agent, (lw_vec3){42, 0, 4}, 0), LW_OK);
  float fastest;
  char why[512];
  drive(&s, agent, 60, &fastest);
  assert_int_equal(state_of(&s, agent).move, LW_MOVE_FAILED);
  assert_int_equal(state_of(&s, agent).failure, LW_STUCK);
  lw_agent_why(s.world, agent, why, sizeof why);
  assert_non_null(strstr(why, "blocks it"));
  close_scene(&s);
}

/* It stops behind one that stands there, and touches nobody. */
static void stops_for_others(void **state) {
  (void)state;
  scene s;
  open_scene(&s);
  const lw_agent_id agent = spawn(s.world, s.car, (lw_vec3){6, 0, 4}, 0);
  const lw_agent_id other = spawn(s.world, s.human, (lw_vec3){30, 0, 4}, 0);
  assert_int_equal(park(&s, agent, (lw_vec3){42, 0, 4}, 0), LW_OK);
  float nearest = INFINITY;
  for (int i = 0; i < 60 * 5; i++) {
    step(&s);
    const lw_agent_state now = state_of(&s, agent), him = state_of(&s, other);
    const lw_vec3 nose = {now.position.x + 3.2f * cosf(now.heading), 0,
                          now.position.z - 3.2f * sinf(now.heading)};
    nearest = fminf(nearest, lwi_distance_xz(nose, him.position));
  }
  assert_true(nearest > 0.4f && nearest < 3);
  assert_true(lwi_distance_xz(state_of(&s, other).position, (lw_vec3){30, 0, 4}) < 0.01f);
  assert_int_equal(lw_agent_despawn(s.world, other), LW_OK);
  float fastest;
  drive(&s, agent, 60, &fastest);
  assert_int_equal(state_of(&s, agent).move, LW_MOVE_ARRIVED);
  close_scene(&s);
}

/* A wall that comes into the route on ground that the drive leads over. */
static void finds_another_way_round_an_obstacle(void **state) {
  (void)state;
  scene s;
  open_scene(&s);
  const lw_agent_id agent = spawn(s.world, s.car, (lw_vec3){6, 0, 4}, 0);
  assert_int_equal(park(&s, agent, (lw_vec3){42, 0, 4}, 0), LW_OK);
  for (int i = 0; i < 60; i++) step(&s);
  lw_obstacle_def def = lw_obstacle_def_default();
  lw_obstacle_id obstacle;
  def.at = (lw_vec3){28, 0, 4};
  def.size = (lw_vec3){1, 2, 9};
  assert_int_equal(lw_obstacle_add(s.world, &def, &obstacle, NULL), LW_OK);
  float fastest;
  drive(&s, agent, 90, &fastest);
  assert_int_equal(state_of(&s, agent).move, LW_MOVE_ARRIVED);
  close_scene(&s);
}

/* --- saved games -------------------------------------------------------------------------------------------------- */

static void load(const scene *s, const char *file, lw_world **world, lw_agent_id *agent) {
  lw_saved *saved;
  lw_saved_agent as;
  assert_int_equal(lw_saved_open(file, NULL, &saved, NULL), LW_OK);
  *world = make_world(s);
  assert_int_equal(lw_world_restore(*world, saved, NULL), LW_OK);
  assert_int_equal(lw_saved_get_agent(saved, 0, &as), LW_OK);
  lw_agent_def def = lw_agent_def_default();
  def.profile = s->car;
  def.at = as.at;
  def.pace = as.pace;
  assert_int_equal(lw_agent_spawn(*world, &def, agent, NULL), LW_OK);
  assert_int_equal(lw_agent_restore(*world, *agent, saved, 0), LW_OK);
  lw_saved_destroy(saved);
}

static void save_on_the_way(const scene *s, lw_vec3 from, lw_vec3 to, float heading) {
  char file[] = "/tmp/leeward_driving_XXXXXX";
  temp_file_make(file);
  const lw_agent_id agent = spawn(s->world, s->car, from, 0);
  assert_int_equal(park(s, agent, to, heading), LW_OK);
  for (int saves = 0; saves < 3; saves++) {
    for (int i = 0; i < 80; i++) step(s);
    lw_world *again;
    lw_agent_id loaded;
    assert_int_equal(lw_world_save(s->world, file, NULL), LW_OK);
    load(s, file, &again, &loaded);
    assert_true(lw_world_hash(again) == lw_world_hash(s->world));
    for (int i = 0; i < 60; i++) {
      step(s);
      assert_int_equal(lw_world_step(again, DT), LW_OK);
    }
    assert_true(lw_world_hash(again) == lw_world_hash(s->world));
    lw_world_destroy(again);
  }
  unlink(file);
}

static void goes_on_from_a_saved_game(void **state) {
  (void)state;
  scene s;
  open_scene(&s);
  save_on_the_way(&s, lwi_vec3(6, 0, 3), lwi_vec3(24, 0, 21), PI);
  close_scene(&s);
}

/* --- trailers ----------------------------------------------------------------------------------------------------- */

#define JOINT 1.0f
#define TRAILER_WHEELBASE 2.6f

static void hitch_trailer(scene *s) {
  lw_profile_def def = *lw_profile_get_def(s->car);
  lw_profile *profile;
  def.name = "truck";
  def.body.trailer = (lw_trailer){.length = 3.4f,
                                  .width = 1.8f,
                                  .joint = JOINT,
                                  .drawbar = 0.6f,
                                  .wheelbase = TRAILER_WHEELBASE,
                                  .max_angle = 1};
  assert_int_equal(lw_profile_create(&def, s->areas, &profile, NULL), LW_OK);
  lw_profile_destroy(s->car);
  s->car = profile;
}

static lw_vec3 beside(lw_vec3 at, float heading, float along) {
  return lwi_vec3(at.x + along * cosf(heading), at.y, at.z - along * sinf(heading));
}

static lw_vec3 axle_of(const lw_agent_state *now) {
  return beside(beside(now->position, now->heading, -JOINT), now->trailer_heading, -TRAILER_WHEELBASE);
}

/* Drive until the move ends. The trailer's wheels roll: they do not slip sideways. @return The most that it was turned. */
static float tow(const scene *s, lw_agent_id agent) {
  float most = 0;
  lw_agent_state now = state_of(s, agent), before;
  for (int i = 0; i < 60 * 60 && now.move == LW_MOVE_WALKING; i++) {
    before = now;
    step(s);
    now = state_of(s, agent);
    const lw_vec3 from = axle_of(&before), to = axle_of(&now);
    const float turned = remainderf(now.trailer_heading - before.trailer_heading, 2 * PI);
    const float middle = before.trailer_heading + turned / 2, angle = now.trailer_heading - now.heading;
    const float slip = (to.x - from.x) * sinf(middle) + (to.z - from.z) * cosf(middle);
    assert_true(fabsf(slip) < 2e-4f);
    most = fmaxf(most, fabsf(remainderf(angle, 2 * PI)));
  }
  assert_int_equal(now.move, LW_MOVE_ARRIVED);
  return most;
}

static void trailers_follow(void **state) {
  (void)state;
  static const lw_vec3 goals[] = {{40, 0, 21}, {34, 0, 20}, {3, 0, 12}, {24, 0, 5}};
  static const float headings[] = {PI, PI - 0.4f, PI / 2, 0};
  scene s;
  open_scene(&s);
  hitch_trailer(&s);
  const lw_agent_id agent = spawn(s.world, s.car, (lw_vec3){12, 0, 3}, 0);
  float most = 0;
  for (int i = 0; i < COUNT(goals); i++) {
    assert_int_equal(park(&s, agent, goals[i], headings[i]), LW_OK);
    most = fmaxf(most, tow(&s, agent));
    const lw_agent_state now = state_of(&s, agent);
    assert_true(lwi_distance_xz(now.position, goals[i]) < 0.1f);
    assert_true(fabsf(remainderf(now.heading - headings[i], 2 * PI)) < 0.05f);
  }
  assert_true(most > 0.4f && most <= 1);
  close_scene(&s);
}

/* Where it backs, the trailer comes to where the drive says, although it is pushed. @return How far it backed. [m] */
static float back_to(const scene *s, lw_agent_id agent, lw_vec3 to, float heading) {
  assert_int_equal(park(s, agent, to, heading), LW_OK);
  for (int i = 0; i < 60 && !lw_agent_drive(s->world, agent); i++) step(s);
  const lw_drive *drive = lw_agent_drive(s->world, agent);
  assert_non_null(drive);
  int count;
  const lw_drive_point *points = lw_drive_points(drive, &count);
  const float planned = points[count - 1].trailer_heading, reversed = lw_drive_reversed(drive);
  tow(s, agent);
  assert_true(fabsf(remainderf(state_of(s, agent).trailer_heading - planned, 2 * PI)) < 0.05f);
  return reversed;
}

static void backs_with_a_trailer(void **state) {
  (void)state;
  scene s;
  open_scene(&s);
  hitch_trailer(&s);
  const lw_agent_id agent = spawn(s.world, s.car, (lw_vec3){30, 0, 4}, 0);
  assert_true(back_to(&s, agent, lwi_vec3(16, 0, 4), 0) > 13);
  assert_true(back_to(&s, agent, lwi_vec3(9, 0, 5), -0.35f) > 6);
  close_scene(&s);
}

static void poses_of_trailers_are_interpolated(void **state) {
  (void)state;
  scene s;
  open_scene(&s);
  hitch_trailer(&s);
  const lw_agent_id agent = spawn(s.world, s.car, (lw_vec3){36, 0, 4}, 0);
  assert_int_equal(park(&s, agent, lwi_vec3(44, 0, 14), -PI / 2), LW_OK);
  float most = 0;
  for (int i = 0; i < 200; i++) {
    lw_pose pose;
    const float before = state_of(&s, agent).trailer_heading;
    step(&s);
    const float turn = remainderf(state_of(&s, agent).trailer_heading - before, 2 * PI);
    assert_int_equal(lw_agent_pose(s.world, agent, 0.25f, &pose), LW_OK);
    assert_true(fabsf(remainderf(pose.trailer_heading - before - 0.25f * turn, 2 * PI)) < 1e-5f);
    most = fmaxf(most, fabsf(turn));
  }
  assert_true(most > 0.01f);
  close_scene(&s);
}

static void stops_for_who_stands_behind_its_trailer(void **state) {
  (void)state;
  scene s;
  open_scene(&s);
  hitch_trailer(&s);
  const lw_agent_id agent = spawn(s.world, s.car, (lw_vec3){34, 0, 4}, 0);
  assert_int_equal(park(&s, agent, lwi_vec3(20, 0, 4), 0), LW_OK);
  const lw_agent_id walker = spawn(s.world, s.human, (lw_vec3){20, 0, 4}, 0);
  float nearest = INFINITY;
  for (int i = 0; i < 60 * 12; i++) {
    step(&s);
    const lw_agent_state now = state_of(&s, agent);
    const lw_vec3 rear = beside(axle_of(&now), now.trailer_heading, TRAILER_WHEELBASE - 0.6f - 3.4f);
    nearest = fminf(nearest, lwi_distance_xz(rear, state_of(&s, walker).position));
  }
  assert_true(nearest > 0.4f && nearest < 2.2f); /* points of a drive are up to a metre apart */
  close_scene(&s);
}

static void goes_on_with_its_trailer_from_a_saved_game(void **state) {
  (void)state;
  scene s;
  open_scene(&s);
  hitch_trailer(&s);
  save_on_the_way(&s, lwi_vec3(12, 0, 3), lwi_vec3(24, 0, 21), PI);
  close_scene(&s);
}

/* --- searching in slices ------------------------------------------------------------------------------------------ */

/* Work of a step for about two poses, and of what a search does at once: its begin, a field, and its last pose. */
#define LITTLE_WORK 100
#define AT_ONCE 150

static void park_in_a_lane(const scene *s, lw_agent_id *agent, int search_work) {
  assert_int_equal(lw_world_set_search_work(s->world, search_work), LW_OK);
  step(s); /* from the next one on it counts */
  *agent = spawn(s->world, s->car, (lw_vec3){6, 0, 3}, 0);
  assert_int_equal(park(s, *agent, (lw_vec3){4, 0, 3}, PI), LW_OK); /* it has to turn round */
}

/* @return The steps until it has a drive. It stands meanwhile. */
static int wait_for_drive(const scene *s, lw_agent_id agent) {
  int steps = 0;
  for (; !lw_agent_drive(s->world, agent) && steps < 2000; steps++) {
    const lw_agent_state now = state_of(s, agent);
    assert_int_equal(now.move, LW_MOVE_WALKING);
    assert_true(now.waits_for_path && now.position.x == 6 && now.position.z == 3);
    step(s);
  }
  return steps;
}

static void finds_the_same_in_slices(void **state) {
  (void)state;
  scene whole, sliced;
  lw_agent_id first, second;
  int count, again;
  open_scene(&whole);
  open_scene(&sliced);
  park_in_a_lane(&whole, &first, 10000000);
  park_in_a_lane(&sliced, &second, LITTLE_WORK);
  assert_int_equal(wait_for_drive(&whole, first), 0);
  assert_true(wait_for_drive(&sliced, second) > 3);
  const lw_drive_point *points = lw_drive_points(lw_agent_drive(whole.world, first), &count);
  const lw_drive_point *others = lw_drive_points(lw_agent_drive(sliced.world, second), &again);
  assert_int_equal(count, again);
  for (int i = 0; i < count; i++) {
    assert_true(lwi_equal(points[i].at, others[i].at));
    assert_true(points[i].heading == others[i].heading && points[i].gear == others[i].gear);
  }
  lw_planner_stats stats;
  assert_int_equal(lw_world_get_planner_stats(sliced.world, &stats), LW_OK);
  assert_true(stats.used_max <= LITTLE_WORK + AT_ONCE);
  close_scene(&whole);
  close_scene(&sliced);
}

static void saves_a_search_that_has_begun(void **state) {
  (void)state;
  char file[] = "/tmp/leeward_driving_XXXXXX";
  scene s;
  lw_agent_id agent, loaded;
  lw_world *again;
  open_scene(&s);
  temp_file_make(file);
  park_in_a_lane(&s, &agent, LITTLE_WORK);
  for (int i = 0; i < 3; i++) step(&s);
  assert_null(lw_agent_drive(s.world, agent));
  assert_int_equal(lw_world_save(s.world, file, NULL), LW_OK);
  load(&s, file, &again, &loaded);
  for (int i = 0, driven = 0; i < 2000 && driven < 100; i++) {
    driven += lw_agent_drive(s.world, agent) != NULL;
    assert_true(lw_world_hash(again) == lw_world_hash(s.world));
    step(&s);
    assert_int_equal(lw_world_step(again, DT), LW_OK);
    assert_int_equal(!lw_agent_drive(s.world, agent), !lw_agent_drive(again, loaded));
  }
  assert_non_null(lw_agent_drive(s.world, agent));
  lw_world_destroy(again);
  unlink(file);
  close_scene(&s);
}

/* It is sent elsewhere at full speed: until its new drive is found it brakes along the earlier one. */
static void brakes_while_it_is_sent_elsewhere(void **state) {
  (void)state;
  scene s;
  float fastest;
  open_scene(&s);
  const lw_agent_id agent = spawn(s.world, s.car, (lw_vec3){6, 0, 3}, 0);
  assert_int_equal(park(&s, agent, (lw_vec3){45, 0, 3}, 0), LW_OK);
  assert_true(drive(&s, agent, 3, &fastest) >= 3);
  assert_true(fastest > 7);
  assert_int_equal(lw_world_set_search_work(s.world, LITTLE_WORK), LW_OK);
  step(&s);
  assert_int_equal(park(&s, agent, (lw_vec3){6, 0, 5}, PI), LW_OK);
  const lw_agent_state before = state_of(&s, agent);
  assert_true(before.waits_for_path && lw_agent_drive(s.world, agent));
  assert_true(lw_drive_length(lw_agent_drive(s.world, agent)) < 39); /* it ends where the vehicle can stand */
  assert_true(drive(&s, agent, 120, &fastest) < 120);
  const lw_agent_state now = state_of(&s, agent);
  assert_int_equal(now.move, LW_MOVE_ARRIVED);
  assert_true(lwi_distance_xz(now.position, (lw_vec3){6, 0, 5}) < 0.1f);
  close_scene(&s);
}

/* --- other profiles ----------------------------------------------------------------------------------------------- */

static void becomes_a_walker_and_a_vehicle_again(void **state) {
  (void)state;
  scene s;
  open_scene(&s);
  const lw_agent_id agent = spawn(s.world, s.car, (lw_vec3){6, 0, 3}, 0);
  assert_int_equal(park(&s, agent, (lw_vec3){42, 0, 21}, 0), LW_OK);
  for (int i = 0; i < 60; i++) step(&s);
  assert_int_equal(lw_agent_set_profile(s.world, agent, s.human), LW_OK);
  for (int i = 0; i < 60; i++) step(&s);
  assert_null(lw_agent_drive(s.world, agent));
  assert_int_equal(lw_agent_set_profile(s.world, agent, s.car), LW_OK);
  for (int i = 0; i < 60 && !lw_agent_drive(s.world, agent); i++) step(&s);
  assert_non_null(lw_agent_drive(s.world, agent));
  float fastest;
  drive(&s, agent, 60, &fastest);
  assert_int_equal(state_of(&s, agent).move, LW_MOVE_ARRIVED);
  close_scene(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arrives_in_the_pose_asked_for),
      cmocka_unit_test(takes_another_way_where_it_is_blocked),
      cmocka_unit_test(says_who_is_in_its_way),
      cmocka_unit_test(stops_for_others),
      cmocka_unit_test(finds_another_way_round_an_obstacle),
      cmocka_unit_test(goes_on_from_a_saved_game),
      cmocka_unit_test(trailers_follow),
      cmocka_unit_test(backs_with_a_trailer),
      cmocka_unit_test(poses_of_trailers_are_interpolated),
      cmocka_unit_test(stops_for_who_stands_behind_its_trailer),
      cmocka_unit_test(goes_on_with_its_trailer_from_a_saved_game),
      cmocka_unit_test(finds_the_same_in_slices),
      cmocka_unit_test(saves_a_search_that_has_begun),
      cmocka_unit_test(brakes_while_it_is_sent_elsewhere),
      cmocka_unit_test(becomes_a_walker_and_a_vehicle_again),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
