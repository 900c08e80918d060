/* Groups in formation: assignment against all permutations, a door too narrow for two, which member leads, which take part, and the same
   again after loading. */
#include "agent/formation.h"
#include "bake_scene.h"
#include "core/random.h"
#include "core/vec3.h"
#include "crowd_scene.h"
#include "leeward/save.h"
#include "temp_file.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define MEMBERS 12
#define RADIUS 0.4f
#define SPEED 3.5f
#define BRAKING 1.5f /* of a heavy one [m/s2] */

/* --- assignment ----------------------------------------------------------------------------------------- */

static double cost_of(const lwi_vec2 *from, const lwi_vec2 *to, const int *place, int count) {
  double sum = 0;
  for (int i = 0; i < count; i++) {
    const double dx = (double)(from[i].x - to[place[i]].x), dz = (double)(from[i].z - to[place[i]].z);
    sum += sqrt(dx * dx + dz * dz);
  }
  return sum;
}

/* The lowest cost of all permutations of `place` from `fixed` on. */
static double lowest_cost(const lwi_vec2 *from, const lwi_vec2 *to, int *place, int fixed, int count) {
  if (fixed == count) return cost_of(from, to, place, count);
  double lowest = INFINITY;
  for (int i = fixed; i < count; i++) {
    const int a = place[fixed], b = place[i];
    place[fixed] = b, place[i] = a;
    lowest = fmin(lowest, lowest_cost(from, to, place, fixed + 1, count));
    place[fixed] = a, place[i] = b;
  }
  return lowest;
}

static lwi_vec2 anywhere(lw_random *random) {
  return lwi_vec2_of(10 * lwi_random_unit(random), 10 * lwi_random_unit(random));
}

static double side_of(lwi_vec2 a, lwi_vec2 b, lwi_vec2 c) {
  return (double)(b.x - a.x) * (double)(c.z - a.z) - (double)(b.z - a.z) * (double)(c.x - a.x);
}

static bool cross(lwi_vec2 a, lwi_vec2 b, lwi_vec2 c, lwi_vec2 d) {
  return side_of(a, b, c) * side_of(a, b, d) < 0 && side_of(c, d, a) * side_of(c, d, b) < 0;
}

static void places_are_assigned_at_the_lowest_cost(void **state) {
  (void)state;
  lw_random random = lwi_random_make(1, 1);
  for (int run = 0; run < 200; run++) {
    lwi_vec2 from[6], to[6];
    int place[6], other[6] = {0, 1, 2, 3, 4, 5};
    const int count = 1 + run % 6;
    for (int i = 0; i < count; i++) from[i] = anywhere(&random), to[i] = anywhere(&random);
    lwi_formation_assign(from, to, count, place);
    const double lowest = lowest_cost(from, to, other, 0, count);
    assert_true(cost_of(from, to, place, count) <= lowest + 1e-6);
  }
}

static void no_two_lines_cross(void **state) {
  (void)state;
  lw_random random = lwi_random_make(2, 1);
  for (int run = 0; run < 20; run++) {
    lwi_vec2 from[LW_GROUP_MEMBERS_MAX], to[LW_GROUP_MEMBERS_MAX];
    int place[LW_GROUP_MEMBERS_MAX], used[LW_GROUP_MEMBERS_MAX] = {0};
    for (int i = 0; i < LW_GROUP_MEMBERS_MAX; i++) from[i] = anywhere(&random), to[i] = anywhere(&random);
    lwi_formation_assign(from, to, LW_GROUP_MEMBERS_MAX, place);
    for (int i = 0; i < LW_GROUP_MEMBERS_MAX; i++) {
      used[place[i]] += 1;
      for (int k = 0; k < i; k++) assert_false(cross(from[i], to[place[i]], from[k], to[place[k]]));
    }
    for (int i = 0; i < LW_GROUP_MEMBERS_MAX; i++) assert_int_equal(used[i], 1);
  }
}

/* --- a group ------------------------------------------------------------------------------------------------------ */

typedef struct place {
  lw_navmesh *mesh;
  lw_profile *profile, *heavy;
  lw_world *world;
  lw_agent_id agents[MEMBERS];
  lw_group_id group;
} place;

static int open_place(void **state) {
  scene_open(state);
  place *at = calloc(1, sizeof *at);
  lw_geometry *geometry = crowd_scene_ground(scene_table, CROWD_DOOR);
  lw_bake_settings settings = lw_bake_settings_default();
  settings.cell_size = 0.1f;
  at->mesh = scene_bake(geometry, &settings, NULL);
  lw_geometry_destroy(geometry);
  lw_profile_def def = lw_profile_def_default();
  def.speed[LW_NORMAL] = SPEED;
  def.radius = RADIUS;
  def.body.avoidance = LW_AVOID_FULL;
  def.body.acceleration = def.body.lateral_acceleration = def.body.turn_rate = 8;
  def.body.deceleration = 10;
  assert_int_equal(lw_profile_create(&def, scene_table, &at->profile, NULL), LW_OK);
  def.body.deceleration = BRAKING;
  assert_int_equal(lw_profile_create(&def, scene_table, &at->heavy, NULL), LW_OK);
  *state = at;
  return 0;
}

static int close_place(void **state) {
  place *at = *state;
  lw_profile_destroy(at->profile);
  lw_profile_destroy(at->heavy);
  lw_navmesh_destroy(at->mesh);
  free(at);
  return scene_close(state);
}

static lw_world *create_world(const place *at) {
  lw_world_def def = lw_world_def_default();
  lw_world *world;
  def.navmesh = at->mesh;
  assert_int_equal(lw_world_create(&def, &world, NULL), LW_OK);
  return world;
}

/* Twelve in two rows before the door, in a group. */
static void begin(place *at, lw_formation formation, uint64_t seed) {
  crowd_scene scene = crowd_scene_open(CROWD_DOOR, MEMBERS, seed);
  at->world = create_world(at);
  for (int i = 0; i < MEMBERS; i++) {
    lw_agent_def def = lw_agent_def_default();
    def.profile = at->profile;
    def.at = scene.from[i];
    assert_int_equal(lw_agent_spawn(at->world, &def, &at->agents[i], NULL), LW_OK);
  }
  crowd_scene_close(&scene);
  lw_group_def def = lw_group_def_default();
  def.agents = at->agents;
  def.agent_count = MEMBERS;
  def.formation = formation;
  assert_int_equal(lw_group_create(at->world, &def, &at->group, NULL), LW_OK);
}

static lw_agent_state agent_of(const place *at, int i) {
  lw_agent_state state;
  assert_int_equal(lw_agent_get_state(at->world, at->agents[i], &state), LW_OK);
  return state;
}

static lw_group_state group_of(const place *at) {
  lw_group_state state;
  assert_int_equal(lw_group_get_state(at->world, at->group, &state), LW_OK);
  return state;
}

static void step(place *at, int steps) {
  for (int i = 0; i < steps; i++) assert_int_equal(lw_world_step(at->world, CROWD_DT), LW_OK);
}

typedef struct sights {
  bool was_file, formed_again;
  double since_wide, first, last; /* [s] */
  int arrived;
} sights;

static void check_apart(const place *at) {
  for (int i = 0; i < MEMBERS; i++)
    for (int k = 0; k < i; k++)
      assert_true(lwi_distance(agent_of(at, i).position, agent_of(at, k).position) > 2 * RADIUS - 0.05f);
}

static bool all_in_place(const place *at) {
  for (int i = 0; i < MEMBERS; i++) {
    lw_vec3 to;
    if (agent_of(at, i).move == LW_MOVE_ARRIVED) continue;
    if (lw_group_place(at->world, at->agents[i], &to) != LW_OK) return false;
    if (lwi_distance_xz(to, agent_of(at, i).position) > 0.5f) return false;
  }
  return true;
}

static void look(const place *at, sights *seen) {
  const lw_group_state group = group_of(at);
  const double now = lw_world_time(at->world);
  check_apart(at);
  for (int i = 0; i < MEMBERS; i++)
    assert_true(lwi_length(agent_of(at, i).velocity) <= LW_GROUP_CATCH_UP * SPEED + 0.01f);
  if (group.is_file) {
    seen->was_file = true;
    seen->since_wide = now;
  } else if (seen->was_file && !seen->formed_again) {
    seen->formed_again = all_in_place(at);
    assert_true(seen->formed_again || now - seen->since_wide < 10);
  }
  int arrived = 0;
  for (int i = 0; i < MEMBERS; i++) arrived += agent_of(at, i).move == LW_MOVE_ARRIVED;
  if (arrived > 0 && seen->arrived == 0) seen->first = now;
  if (arrived > seen->arrived) seen->last = now;
  seen->arrived = arrived;
}

static int count_searches(const place *at) {
  int sum = 0;
  for (int i = 0; i < MEMBERS; i++) {
    lw_agent_stats stats;
    assert_int_equal(lw_agent_get_stats(at->world, at->agents[i], &stats), LW_OK);
    sum += stats.searches;
  }
  return sum;
}

static void they_form_up_behind_a_door(void **state) {
  place *at = *state;
  const lw_formation formations[] = {LW_FORMATION_LINE, LW_FORMATION_WEDGE};
  for (int k = 0; k < 2; k++) {
    sights seen = {0};
    begin(at, formations[k], 1 + (uint64_t)k);
    assert_int_equal(lw_group_move_to(at->world, at->group, lwi_vec3(14, 0, 0), NULL), LW_OK);
    assert_int_equal(count_searches(at), 1); /* for all */
    for (int i = 0; i < 1800 && group_of(at).move == LW_MOVE_WALKING; i++) step(at, 1), look(at, &seen);
    assert_int_equal(group_of(at).move, LW_MOVE_ARRIVED);
    assert_int_equal(seen.arrived, MEMBERS);
    assert_true(seen.was_file && seen.formed_again);
    assert_true(seen.last - seen.first < 3);
    for (int i = 0; i < MEMBERS; i++) {
      lw_agent_stats stats;
      assert_int_equal(lw_agent_get_stats(at->world, at->agents[i], &stats), LW_OK);
      assert_int_equal(stats.off_mesh, 0);
      assert_int_equal(stats.goals_reached, 1);
    }
    lw_world_destroy(at->world);
  }
}

static void places_stand_as_the_formation_says(void **state) {
  (void)state;
  lwi_formation_offset places[5];
  const lw_vec3 points[] = {{0, 0, 0}, {-2, 9, 3}};
  lwi_formation_places(&(lwi_formation_shape){LW_FORMATION_LINE, 2, NULL, 0, 5}, places);
  assert_true(places[1].right == 2 && places[2].right == -2 && places[4].right == -4 && places[4].ahead == 0);
  lwi_formation_places(&(lwi_formation_shape){LW_FORMATION_WEDGE, 2, NULL, 0, 5}, places);
  assert_true(places[3].ahead == -3 && places[3].right == 3 && places[4].right == -3);
  lwi_formation_places(&(lwi_formation_shape){LW_FORMATION_FILE, 2, NULL, 0, 5}, places);
  assert_true(places[3].ahead == -6 && places[3].right == 0);
  lwi_formation_places(&(lwi_formation_shape){LW_FORMATION_POINTS, 2, points, 2, 5}, places);
  assert_true(places[1].ahead == -2 && places[1].right == 3 && places[2].ahead == -4 && places[4].ahead == -8);
}

/* --- members ----------------------------------------------------------------------------------------------- */

static void the_next_one_leads(void **state) {
  place *at = *state;
  begin(at, LW_FORMATION_WEDGE, 1);
  assert_true(lw_agent_id_is_none(group_of(at).leader));
  assert_int_equal(lw_group_move_to(at->world, at->group, lwi_vec3(14, 0, 0), NULL), LW_OK);
  step(at, 30);
  assert_true(lw_agent_id_equal(group_of(at).leader, at->agents[0]));
  assert_int_equal(lw_agent_despawn(at->world, at->agents[0]), LW_OK);
  step(at, 1);
  assert_true(lw_agent_id_equal(group_of(at).leader, at->agents[1]));
  assert_int_equal(group_of(at).agent_count, MEMBERS - 1);
  for (int i = 0; i < 1800 && group_of(at).move == LW_MOVE_WALKING; i++) step(at, 1);
  assert_int_equal(group_of(at).move, LW_MOVE_ARRIVED);
  for (int i = 1; i < MEMBERS; i++) assert_int_equal(agent_of(at, i).move, LW_MOVE_ARRIVED);
  lw_world_destroy(at->world);
}

static void an_order_of_its_own_takes_a_member_out(void **state) {
  place *at = *state;
  const lw_vec3 aside = {-20, 0, 5};
  begin(at, LW_FORMATION_LINE, 1);
  assert_int_equal(lw_group_move_to(at->world, at->group, lwi_vec3(14, 0, 0), NULL), LW_OK);
  step(at, 10);
  assert_int_equal(group_of(at).formed_count, MEMBERS);
  assert_int_equal(lw_agent_move_to(at->world, at->agents[5], aside, 0.3f), LW_OK);
  assert_int_equal(lw_agent_stop(at->world, at->agents[6]), LW_OK);
  step(at, 1);
  assert_int_equal(group_of(at).formed_count, MEMBERS - 2);
  assert_int_equal(group_of(at).agent_count, MEMBERS);
  for (int i = 0; i < 1800 && group_of(at).move == LW_MOVE_WALKING; i++) step(at, 1);
  assert_true(lwi_distance(agent_of(at, 5).position, aside) < 0.5f);
  assert_int_equal(agent_of(at, 6).move, LW_MOVE_IDLE);
  assert_int_equal(lw_group_move_to(at->world, at->group, lwi_vec3(10, 0, 4), NULL), LW_OK);
  for (int i = 0; i < 2400 && group_of(at).move == LW_MOVE_WALKING; i++) step(at, 1);
  for (int i = 0; i < MEMBERS; i++) assert_true(agent_of(at, i).position.x > 0); /* these, too */
  lw_world_destroy(at->world);
}

static void groups_come_and_go(void **state) {
  place *at = *state;
  begin(at, LW_FORMATION_LINE, 1);
  lw_group_id other;
  lw_agent_id members[MEMBERS];
  lw_group_def def = lw_group_def_default();
  def.agents = &at->agents[8];
  def.agent_count = 4;
  assert_int_equal(lw_group_create(at->world, &def, &other, NULL), LW_OK);
  assert_int_equal(lw_group_count(at->world), 2);
  assert_true(lw_group_id_equal(lw_group_next(at->world, lw_group_id_none()), at->group));
  assert_true(lw_group_id_equal(lw_group_next(at->world, at->group), other));
  assert_int_equal(lw_group_members(at->world, at->group, members, MEMBERS), 8);
  assert_true(lw_group_id_equal(lw_group_of(at->world, at->agents[9]), other));
  assert_int_equal(lw_group_dismiss(at->world, at->group, at->agents[9]), LW_NOT_FOUND);
  assert_int_equal(lw_group_dismiss(at->world, other, at->agents[9]), LW_OK);
  assert_true(lw_group_id_is_none(lw_group_of(at->world, at->agents[9])));
  assert_int_equal(lw_group_add_agent(at->world, at->group, at->agents[9]), LW_OK);
  assert_int_equal(lw_group_members(at->world, at->group, NULL, 0), 9);
  assert_int_equal(lw_group_remove(at->world, other), LW_OK);
  assert_int_equal(lw_group_remove(at->world, other), LW_STALE);
  assert_int_equal(lw_group_move_to(at->world, other, lwi_vec3(0, 0, 0), NULL), LW_STALE);
  assert_int_equal(lw_group_members(at->world, other, members, MEMBERS), -1);
  assert_int_equal(lw_group_count(at->world), 1);
  for (int i = 0; i < MEMBERS; i++) lw_group_dismiss(at->world, at->group, at->agents[i]);
  assert_int_equal(lw_group_move_to(at->world, at->group, lwi_vec3(0, 0, 0), NULL), LW_EMPTY);
  lw_world_destroy(at->world);
}

static void without_a_path_nobody_goes(void **state) {
  place *at = *state;
  begin(at, LW_FORMATION_LINE, 1);
  assert_int_equal(lw_group_move_to(at->world, at->group, lwi_vec3(500, 0, 0), NULL), LW_NO_GOAL);
  assert_int_equal(group_of(at).move, LW_MOVE_FAILED);
  assert_int_equal(group_of(at).failure, LW_NO_GOAL);
  step(at, 5);
  for (int i = 0; i < MEMBERS; i++) assert_true(lwi_length(agent_of(at, i).velocity) == 0);
  lw_world_destroy(at->world);
}

static void expect_error(lw_world *world, const lw_group_def *def, const char *text) {
  lw_group_id id;
  lw_error error;
  assert_int_equal(lw_group_create(world, def, &id, &error), LW_INVALID);
  assert_string_equal(error.text, text);
  assert_true(lw_group_id_is_none(id));
}

static void mistakes_are_named(void **state) {
  place *at = *state;
  begin(at, LW_FORMATION_LINE, 1);
  const lw_agent_id twice[] = {at->agents[0], at->agents[1], at->agents[0]};
  lw_group_def def = lw_group_def_default(), good = lw_group_def_default();
  good.agents = twice;
  good.agent_count = 2;
  expect_error(at->world, &def, "agent_count is 0, expected 1 to 64");
  def = good, def.agent_count = 3;
  expect_error(at->world, &def, "agent 3 of 3 is agent 1 again, expected another");
  def = good, def.spacing = -1;
  expect_error(at->world, &def, "spacing is -1, expected 0 to 1000");
  def = good, def.formation = LW_FORMATION_POINTS;
  expect_error(at->world, &def, "point_count is 0, expected 1 to 64 for the formation 'points'");
  const lw_vec3 far = {0, 0, 1e9f};
  def.points = &far, def.point_count = 1;
  expect_error(at->world, &def, "point 1 is (0, 0, 1e+09), expected x and z within +-1000");
  lw_group_move move = lw_group_move_default();
  move.within = 0;
  assert_int_equal(lw_group_move_to(at->world, at->group, lwi_vec3(1, 0, 0), &move), LW_INVALID);
  assert_int_equal(lw_group_move_to(at->world, at->group, lwi_vec3(NAN, 0, 0), NULL), LW_INVALID);
  lw_world_destroy(at->world);
}

/* --- what is on the path ------------------------------------------------------------------------------------------ */

static void arrive(place *at, int seconds) {
  for (int i = 0; i < 60 * seconds && group_of(at).move == LW_MOVE_WALKING; i++) step(at, 1), check_apart(at);
  assert_int_equal(group_of(at).move, LW_MOVE_ARRIVED);
  for (int i = 0; i < MEMBERS; i++) assert_int_equal(agent_of(at, i).move, LW_MOVE_ARRIVED);
}

static void a_blocked_path_is_searched_once_for_all(void **state) {
  place *at = *state;
  begin(at, LW_FORMATION_WEDGE, 1);
  assert_int_equal(lw_group_move_to(at->world, at->group, lwi_vec3(14, 0, 0), NULL), LW_OK);
  step(at, 20);
  assert_int_equal(count_searches(at), 1);
  lw_obstacle_def def = lw_obstacle_def_default();
  lw_obstacle_id wall;
  def.at = lwi_vec3(7, 0, 0);
  def.size = lwi_vec3(1, 2, 9);
  assert_int_equal(lw_obstacle_add(at->world, &def, &wall, NULL), LW_OK);
  step(at, 2);
  assert_int_equal(count_searches(at), 2);
  assert_int_equal(group_of(at).formed_count, MEMBERS);
  arrive(at, 40);
  lw_world_destroy(at->world);
}

static void a_group_takes_a_link_one_by_one(void **state) {
  place *at = *state;
  lw_navmesh *with_door = at->mesh;
  lw_geometry *geometry = crowd_scene_ground(scene_table, CROWD_CIRCLE); /* 70 x 70 m, and 4 m above it: */
  const lw_geometry_box upper = {.at = {-15, 3, 0}, .size = {20, 1, 20}, .area = 1};
  assert_int_equal(lw_geometry_add_box(geometry, &upper, NULL), LW_OK);
  lw_link_def link = lw_link_def_default();
  link.kind = LW_LINK_DROP;
  link.from = lwi_vec3(-5.6f, 4, 0);
  link.to = lwi_vec3(-3.5f, 0, 0);
  assert_int_equal(lw_geometry_add_link(geometry, &link, NULL), LW_OK);
  at->mesh = scene_bake(geometry, NULL, NULL);
  lw_geometry_destroy(geometry);
  at->world = create_world(at);
  for (int i = 0; i < MEMBERS; i++) {
    lw_agent_def def = lw_agent_def_default();
    def.profile = at->profile;
    def.at = lwi_vec3(-10 - 1.2f * (float)(i % 3), 4, 1.2f * (float)(i / 3) - 2);
    assert_int_equal(lw_agent_spawn(at->world, &def, &at->agents[i], NULL), LW_OK);
  }
  lw_group_def def = lw_group_def_default();
  def.agents = at->agents;
  def.agent_count = MEMBERS;
  assert_int_equal(lw_group_create(at->world, &def, &at->group, NULL), LW_OK);
  assert_int_equal(lw_group_move_to(at->world, at->group, lwi_vec3(15, 0, 5), NULL), LW_OK);
  for (int i = 0; i < 60 * 60 && group_of(at).move == LW_MOVE_WALKING; i++) step(at, 1);
  assert_int_equal(group_of(at).move, LW_MOVE_ARRIVED);
  for (int i = 0; i < MEMBERS; i++) assert_true(fabsf(agent_of(at, i).position.y) < 0.5f);
  lw_world_destroy(at->world);
  lw_navmesh_destroy(at->mesh);
  at->mesh = with_door;
}

/* --- convoys ------------------------------------------------------------------------------------------------------ */

/* The distance that it takes to stop is kept to the one before, but for what the speeds change in a step. */
static void a_column_keeps_the_distance_to_brake(void **state) {
  place *at = *state;
  lw_agent_id members[4];
  at->world = create_world(at);
  for (int i = 0; i < 4; i++) {
    lw_agent_def def = lw_agent_def_default();
    def.profile = at->heavy;
    def.at = lwi_vec3(-8 - 1.5f * (float)i, 0, 0);
    assert_int_equal(lw_agent_spawn(at->world, &def, &members[i], NULL), LW_OK);
  }
  lw_group_def def = lw_group_def_default();
  def.agents = members;
  def.agent_count = 4;
  def.formation = LW_FORMATION_COLUMN;
  assert_int_equal(lw_group_create(at->world, &def, &at->group, NULL), LW_OK);
  assert_int_equal(lw_group_move_to(at->world, at->group, lwi_vec3(20, 0, 0), NULL), LW_OK);
  float fastest = 0;
  for (int i = 0; i < 1200 && group_of(at).move == LW_MOVE_WALKING; i++) {
    step(at, 1);
    for (int k = 1; k < 4; k++) {
      lw_agent_state before, after;
      assert_int_equal(lw_agent_get_state(at->world, members[k - 1], &before), LW_OK);
      assert_int_equal(lw_agent_get_state(at->world, members[k], &after), LW_OK);
      const float speed = lwi_length(after.velocity),
                  gap = lwi_distance(before.position, after.position) - 2 * RADIUS;
      assert_true(gap >= 0.85f * speed * speed / (2 * BRAKING));
      fastest = fmaxf(fastest, speed);
    }
  }
  assert_true(fastest > 0.95f * SPEED);
  assert_int_equal(group_of(at).move, LW_MOVE_ARRIVED);
  lw_world_destroy(at->world);
}

/* --- the same again ----------------------------------------------------------------------------------------------- */

static uint64_t run_for(place *at, lw_formation formation, int steps, int saved_at) {
  begin(at, formation, 2);
  assert_int_equal(lw_group_move_to(at->world, at->group, lwi_vec3(14, 0, 0), NULL), LW_OK);
  for (int i = 0; i < steps; i++) {
    step(at, 1);
    if (i == 60) assert_int_equal(lw_agent_stop(at->world, at->agents[7]), LW_OK);
    if (i != saved_at) continue;
    char file[] = "/tmp/leeward_group_XXXXXX";
    temp_file_make(file);
    assert_int_equal(lw_world_save(at->world, file, NULL), LW_OK);
    const uint64_t before = lw_world_hash(at->world);
    lw_world_destroy(at->world);
    at->world = create_world(at);
    scene_load(at->world, file, at->profile, at->agents, MEMBERS);
    at->group = lw_group_next(at->world, lw_group_id_none());
    assert_true(lw_world_hash(at->world) == before);
    remove(file);
  }
  const uint64_t hash = lw_world_hash(at->world);
  lw_world_destroy(at->world);
  return hash;
}

static void the_same_happens_again_and_after_loading(void **state) {
  place *at = *state;
  const lw_formation formations[] = {LW_FORMATION_LINE, LW_FORMATION_COLUMN};
  for (int k = 0; k < 2; k++) {
    const uint64_t first = run_for(at, formations[k], 720, -1);
    assert_true(run_for(at, formations[k], 720, -1) == first);
    for (int saved_at = 20; saved_at < 720; saved_at += 97)
      assert_true(run_for(at, formations[k], 720, saved_at) == first);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(places_are_assigned_at_the_lowest_cost),
      cmocka_unit_test(no_two_lines_cross),
      cmocka_unit_test(places_stand_as_the_formation_says),
      cmocka_unit_test(they_form_up_behind_a_door),
      cmocka_unit_test(the_next_one_leads),
      cmocka_unit_test(an_order_of_its_own_takes_a_member_out),
      cmocka_unit_test(groups_come_and_go),
      cmocka_unit_test(without_a_path_nobody_goes),
      cmocka_unit_test(mistakes_are_named),
      cmocka_unit_test(a_blocked_path_is_searched_once_for_all),
      cmocka_unit_test(a_group_takes_a_link_one_by_one),
      cmocka_unit_test(a_column_keeps_the_distance_to_brake),
      cmocka_unit_test(the_same_happens_again_and_after_loading),
  };
  return cmocka_run_group_tests_name("group", tests, open_place, close_place);
}
