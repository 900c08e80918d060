/* Profiles: what is refused, what a metre costs, speeds; and changing the profile of an agent. */
#include "agent/agent.h"
#include "grid_mesh.h"
#include "leeward/leeward.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))
#define DT (1.0f / 60)

/* --- numbers ------------------------------------------------------------------------------------------------------- */

static lw_profile *make(const lw_profile_def *def, const lw_area_table *areas) {
  lw_profile *profile;
  lw_error error = {0};
  if (lw_profile_create(def, areas, &profile, &error) != LW_OK) fail_msg("%s", error.text);
  return profile;
}

static void a_metre_costs_what_the_formula_says(void **state) {
  (void)state;
  lw_area_table *areas;
  assert_int_equal(lw_area_table_create(NULL, &areas), LW_OK);
  lw_area_def swamp = lw_area_def_default();
  swamp.name = "swamp";
  swamp.resistance = 0.75f;
  swamp.deep_water = 0.5f;
  swamp.unsafe = 0.25f;
  lw_area_id id;
  assert_int_equal(lw_area_table_set(areas, &swamp, &id, NULL), LW_OK);
  lw_profile_def def = lw_profile_def_default();
  def.resistance_factor[LW_TRIANGULAR] = 4;
  def.swim_resistance_factor = 6;
  def.safety_bias = 8;
  def.area_factor[id] = 16;
  lw_profile *dry = make(&def, areas);
  assert_true(isinf(lw_profile_price(dry, id))); /* cannot swim */
  def.can_swim = true;
  lw_profile *wet = make(&def, areas);
  assert_float_equal(lw_profile_price(wet, id), 1 + 3 + 3 + 2 + 16, 1e-6);
  def.avoid[id] = true;
  lw_profile *shy = make(&def, areas);
  assert_true(isinf(lw_profile_price(shy, id)));
  lw_profile_destroy(shy);
  lw_profile_destroy(wet);
  lw_profile_destroy(dry);
  lw_area_table_destroy(areas);
}

static void speed_is_the_paces_times_the_areas_times_the_profiles_factor(void **state) {
  (void)state;
  static const char *const names[] = {"ground", "mud"};
  lw_area_table *areas = support_areas(names, 2);
  lw_area_def mud = *lw_area_table_get(areas, 2);
  mud.speed = 0.5f;
  assert_int_equal(lw_area_table_set(areas, &mud, NULL, NULL), LW_OK);
  lw_profile_def def = lw_profile_def_default();
  def.speed_factor[2] = 3;
  lw_profile *profile = make(&def, areas);
  for (int pace = 0; pace < LW_PACE_COUNT; pace++) {
    assert_float_equal(lw_profile_speed(profile, 1, (lw_pace)pace), def.speed[pace], 1e-6);
    assert_float_equal(lw_profile_speed(profile, 2, (lw_pace)pace), def.speed[pace] * 1.5f, 1e-6);
  }
  lw_profile_destroy(profile);
  lw_area_table_destroy(areas);
}

/* Every number of a definition, its lower bound, and whether the bound itself is refused. */
static const struct {
  const char *name;
  size_t offset;
  float low, high;
  bool above;
} numbers[] = {
#define FIELD(name, field, low, high, above) name, offsetof(lw_profile_def, field), low, high, above
    {FIELD("radius", radius, 0, LW_PROFILE_SIZE_MAX, false)},
    {FIELD("height", height, 0, LW_PROFILE_SIZE_MAX, false)},
    {FIELD("climb", climb, 0, LW_PROFILE_SIZE_MAX, false)},
    {FIELD("turn_radius", body.turn_radius, 0, LW_PROFILE_SIZE_MAX, false)},
    {FIELD("wheelbase", body.vehicle.wheelbase, 0, LW_PROFILE_SIZE_MAX, false)},
    {FIELD("length", body.vehicle.length, 0, LW_PROFILE_SIZE_MAX, false)},
    {FIELD("width", body.vehicle.width, 0, LW_PROFILE_SIZE_MAX, false)},
    {FIELD("reverse_cost", body.vehicle.reverse_cost, 1, LW_PROFILE_FACTOR_MAX, false)},
    {FIELD("trailer.length", body.trailer.length, 0, LW_PROFILE_SIZE_MAX, false)},
    {FIELD("trailer.width", body.trailer.width, 0, LW_PROFILE_SIZE_MAX, false)},
    {FIELD("trailer.joint", body.trailer.joint, -LW_PROFILE_SIZE_MAX, LW_PROFILE_SIZE_MAX, false)},
    {FIELD("trailer.drawbar", body.trailer.drawbar, -LW_PROFILE_SIZE_MAX, LW_PROFILE_SIZE_MAX, false)},
    {FIELD("trailer.wheelbase", body.trailer.wheelbase, 0, LW_PROFILE_SIZE_MAX, false)},
    {FIELD("trailer.max_angle", body.trailer.max_angle, 0.1f, 1.5f, false)},
    {FIELD("speed.calm", speed[LW_CALM], 0, LW_PROFILE_SPEED_MAX, true)},
    {FIELD("speed.normal", speed[LW_NORMAL], 0, LW_PROFILE_SPEED_MAX, true)},
    {FIELD("speed.fast", speed[LW_FAST], 0, LW_PROFILE_SPEED_MAX, true)},
    {FIELD("speed_factor", speed_factor[7], 0, LW_PROFILE_SPEED_MAX, true)},
    {FIELD("resistance_factor.triangular", resistance_factor[LW_TRIANGULAR], 0, LW_PROFILE_FACTOR_MAX, false)},
    {FIELD("resistance_factor.road", resistance_factor[LW_ROAD], 0, LW_PROFILE_FACTOR_MAX, false)},
    {FIELD("resistance_factor.waypoint", resistance_factor[LW_WAYPOINT], 0, LW_PROFILE_FACTOR_MAX, false)},
    {FIELD("resistance_factor.volume", resistance_factor[LW_VOLUME], 0, LW_PROFILE_FACTOR_MAX, false)},
    {FIELD("swim_resistance_factor", swim_resistance_factor, 0, LW_PROFILE_FACTOR_MAX, false)},
    {FIELD("exposure_factor", exposure_factor, 0, LW_PROFILE_FACTOR_MAX, false)},
    {FIELD("danger_cost", danger_cost, 0, LW_PROFILE_FACTOR_MAX, false)},
    {FIELD("cover_bias", cover_bias, 1, LW_PROFILE_FACTOR_MAX, false)},
    {FIELD("safety_bias", safety_bias, 0, LW_PROFILE_FACTOR_MAX, false)},
    {FIELD("area_factor", area_factor[7], 0, LW_PROFILE_FACTOR_MAX, false)},
};

static float *field_of(lw_profile_def *def, int number) {
  return (float *)(void *)((char *)def + numbers[number].offset);
}

static void numbers_out_of_range_are_refused_by_name(void **state) {
  (void)state;
  static const char *const names[] = {"a", "b", "c", "d", "e", "f", "dirt"};
  lw_area_table *areas = support_areas(names, 7);
  for (int i = 0; i < COUNT(numbers); i++) {
    float low = numbers[i].low, high = numbers[i].high;
    const float wrong[] = {NAN,
                           INFINITY,
                           -INFINITY,
                           low - 1,
                           nextafterf(high, INFINITY),
                           numbers[i].above ? low : nextafterf(low, -INFINITY)};
    for (int k = 0; k < COUNT(wrong); k++) {
      lw_profile_def def = lw_profile_def_default();
      lw_profile *profile;
      lw_error error = {0};
      *field_of(&def, i) = wrong[k];
      assert_int_equal(lw_profile_create(&def, areas, &profile, &error), LW_INVALID);
      assert_null(profile);
      char expected[128];
      const bool is_by_area = strstr(numbers[i].name, "speed_factor") || strstr(numbers[i].name, "area_factor");
      snprintf(expected, sizeof expected, "profile 'human': %s%s is ", numbers[i].name,
               is_by_area ? ".dirt" : "");
      if (strncmp(error.text, expected, strlen(expected)) != 0) fail_msg("%s: %s", numbers[i].name, error.text);
    }
    const float right[] = {numbers[i].above ? nextafterf(low, 1) : low, high};
    for (int k = 0; k < COUNT(right); k++) {
      lw_profile_def def = lw_profile_def_default();
      def.body.vehicle = (lw_vehicle){.length = LW_PROFILE_SIZE_MAX, .width = 1, .reverse_cost = 1};
      def.body.turn_radius = 1;
      *field_of(&def, i) = right[k];
      lw_profile_destroy(make(&def, areas));
    }
  }
  lw_area_table_destroy(areas);
}

static void no_profile_makes_a_metre_cost_less_than_its_length(void **state) {
  (void)state;
  static const char *const names[] = {"ground", "b", "c", "d"};
  lw_area_table *areas = support_areas(names, 4);
  unsigned seed = 7;
  for (int round = 0; round < 200; round++) {
    lw_profile_def def = lw_profile_def_default();
    for (int i = 0; i < COUNT(numbers); i++) {
      seed = seed * 1664525u + 1013904223u;
      float part = (float)(seed >> 8) / (float)(1 << 24); /* also the largest that may be */
      *field_of(&def, i) = numbers[i].low + (round % 10 == 0 ? 1 : part) * (numbers[i].high - numbers[i].low);
      if (numbers[i].above && *field_of(&def, i) <= numbers[i].low) *field_of(&def, i) = numbers[i].high;
    }
    for (int id = 1; id <= 4; id++) def.area_factor[id] = def.area_factor[7];
    def.body.vehicle.length = LW_PROFILE_SIZE_MAX; /* at least its wheelbase */
    def.body.trailer.length = 0;
    if (def.body.vehicle.width <= 0) def.body.vehicle.width = 1;
    if (def.body.turn_radius <= 0) def.body.turn_radius = 1;
    lw_profile *profile = make(&def, areas);
    for (int id = 1; id <= 4; id++) {
      float price = lw_profile_price(profile, (lw_area_id)id);
      assert_true(price >= 1 && isfinite(price));
    }
    lw_profile_destroy(profile);
  }
  lw_area_table_destroy(areas);
}

/* --- of a group ----------------------------------------------------------------------------------------------------- */

/* The walker of a group with a car and a swimmer. */
static lw_profile *make_one(const lw_area_table *areas, int which) {
  lw_profile_def def = lw_profile_def_default();
  static const float radii[] = {0.4f, 1.1f, 0.3f}, climbs[] = {0.4f, 0.25f, 0.5f}, speeds[] = {3, 8, 2},
                     biases[] = {1, 2, 6}, factors[] = {0, 0, 9}, brakes[] = {0, 4, 6},
                     tops[] = {1.6f, 1.5f, 1.9f};
  def.radius = radii[which];
  def.climb = climbs[which];
  def.speed[LW_NORMAL] = speeds[which];
  def.cover_bias = biases[which];
  def.area_factor[2] = factors[which];
  def.body.deceleration = brakes[which];
  def.body.avoidance = which == 1 ? LW_AVOID_FULL : LW_AVOID_NONE;
  def.stances[LW_STAND].body[1] = tops[which];
  static const float sights[] = {0, 40, 20}, hearings[] = {30, 0, 10}, notices[] = {0.2f, 1, 0.1f},
                     memories[] = {10, 4, 20};
  def.senses.sight.range = sights[which];
  def.senses.sight.notice = notices[which];
  def.senses.hearing.range = hearings[which];
  def.senses.memory = memories[which];
  def.senses.sight.friends = which == 1;
  def.can_swim = which == 2;
  def.can_open_doors = which != 1;
  def.can_take[LW_LINK_LADDER] = which != 1;
  def.avoid[3] = which == 2;
  if (which > 0) { /* a stance that the first lacks */
    def.stances[2] = def.stances[LW_CROUCH];
    strcpy(def.stances[2].name, "prone");
    def.stance_count = 3;
  }
  return make(&def, areas);
}

static void a_group_has_all_limits_and_mean_factors(void **state) {
  (void)state;
  static const char *const names[] = {"ground", "mud", "swamp"};
  lw_area_table *areas = support_areas(names, 3);
  lw_profile *members[3];
  for (int i = 0; i < 3; i++) members[i] = make_one(areas, i);
  lw_profile_def def;
  assert_int_equal(lw_profile_combine((const lw_profile *const *)members, 3, &def, NULL), LW_OK);
  assert_string_equal(def.name, "custom");
  assert_float_equal(def.radius, 1.1, 1e-6);
  assert_float_equal(def.climb, 0.25, 1e-6);
  assert_float_equal(def.speed[LW_NORMAL], 2, 1e-6);
  assert_float_equal(def.cover_bias, 3, 1e-6);
  assert_float_equal(def.area_factor[2], 3, 1e-6);
  assert_float_equal(def.area_factor[1], 0, 1e-6);
  assert_float_equal(def.body.deceleration, 4, 1e-6); /* 0 is no limit */
  assert_int_equal(def.body.avoidance, LW_AVOID_FULL);
  assert_int_equal(def.stance_count, 2);
  assert_float_equal(def.stances[LW_STAND].body[1], 1.9, 1e-6);
  assert_float_equal(def.stances[LW_STAND].body[0], 0.9, 1e-6);
  assert_false(def.can_swim || def.can_open_doors || def.can_take[LW_LINK_LADDER]);
  assert_true(def.can_take[LW_LINK_JUMP] && def.avoid[3] && !def.avoid[2]);
  assert_float_equal(def.senses.sight.range, 40, 0);
  assert_float_equal(def.senses.sight.notice, 0.1f, 0);
  assert_float_equal(def.senses.hearing.range, 30, 0);
  assert_float_equal(def.senses.memory, 20, 0);
  assert_true(def.senses.sight.friends);
  lw_profile *group = make(&def, areas);
  assert_float_equal(lw_profile_price(group, 2), 1 + 3, 1e-6);
  assert_true(isinf(lw_profile_price(group, 3)));
  /* Of one it is that one. */
  assert_int_equal(lw_profile_combine((const lw_profile *const *)members, 1, &def, NULL), LW_OK);
  def.name = lw_profile_get_def(members[0])->name;
  def.cookie = lw_profile_get_def(members[0])->cookie;
  assert_memory_equal(&def, lw_profile_get_def(members[0]), sizeof def);
  assert_int_equal(lw_profile_combine((const lw_profile *const *)members, 0, &def, NULL), LW_INVALID);
  assert_float_equal(def.cover_bias, 1, 1e-6);
  lw_profile_destroy(group);
  for (int i = 0; i < 3; i++) lw_profile_destroy(members[i]);
  lw_area_table_destroy(areas);
}

/* A runner whom mud slows most, and a walker: on the road the walker is the slower one, in mud the runner. */
static void a_group_is_as_fast_as_who_is_slowest_there(void **state) {
  (void)state;
  static const char *const names[] = {"road", "mud", "ice"};
  lw_area_table *areas = support_areas(names, 3);
  lw_profile_def walker = lw_profile_def_default(), runner = lw_profile_def_default();
  walker.speed_factor[3] = runner.speed_factor[3] = 900;
  runner.speed[LW_NORMAL] = 6;
  runner.speed_factor[2] = 0.25f;
  walker.speed[LW_NORMAL] = 2;
  walker.speed_factor[1] = 2;
  walker.speed_factor[2] = 0.9f;
  lw_profile *both[2] = {make(&walker, areas), make(&runner, areas)};
  for (int first = 0; first < 2; first++) {
    const lw_profile *members[2] = {both[first], both[1 - first]};
    lw_profile_def def;
    assert_int_equal(lw_profile_combine(members, 2, &def, NULL), LW_OK);
    lw_profile *group = make(&def, areas);
    assert_float_equal(lw_profile_speed(group, 1, LW_NORMAL), 2 * 2, 1e-6);
    assert_float_equal(lw_profile_speed(group, 2, LW_NORMAL), 6 * 0.25, 1e-6);
    assert_float_equal(lw_profile_speed(group, 3, LW_NORMAL), 2 * 900, 1e-3);
    lw_profile_destroy(group);
  }
  for (int i = 0; i < 2; i++) lw_profile_destroy(both[i]);
  lw_area_table_destroy(areas);
}

/* --- another profile ------------------------------------------------------------------------------------------------ */

typedef struct scene {
  lw_area_table *areas;
  lw_navmesh *mesh;
  lw_world *world;
  lw_profile *before, *after;
  lw_agent_id agent;
} scene;

/* Two routes from the left to the right: straight over area 2, or round by area 1. */
static const char *const two_routes[] = {
    "......", /**/
    ".####.", /**/
    ".2222.",
};

static void make_scene(scene *s, const support_link *links, int link_count) {
  static const char *const names[] = {"ground", "mud"};
  s->areas = support_areas(names, 2);
  s->mesh = support_grid_links(s->areas, two_routes, COUNT(two_routes), 2, links, link_count);
  lw_world_def def = lw_world_def_default();
  def.navmesh = s->mesh;
  assert_int_equal(lw_world_create(&def, &s->world, NULL), LW_OK);
  lw_profile_def human = lw_profile_def_default();
  human.radius = 0;
  s->before = make(&human, s->areas);
  s->after = NULL;
}

static void spawn(scene *s, lw_vec3 at) {
  lw_agent_def def = lw_agent_def_default();
  def.profile = s->before;
  def.at = at;
  assert_int_equal(lw_agent_spawn(s->world, &def, &s->agent, NULL), LW_OK);
}

static void drop_scene(scene *s) {
  lw_world_destroy(s->world);
  lw_profile_destroy(s->before);
  lw_profile_destroy(s->after);
  lw_navmesh_destroy(s->mesh);
  lw_area_table_destroy(s->areas);
}

static void change(scene *s, void (*edit)(lw_profile_def *)) {
  lw_profile_def def = *lw_profile_get_def(s->before);
  def.cookie = lw_profile_def_default().cookie;
  edit(&def);
  s->after = make(&def, s->areas);
  assert_int_equal(lw_agent_set_profile(s->world, s->agent, s->after), LW_OK);
}

static void avoid_mud(lw_profile_def *def) {
  def->avoid[2] = true;
}
static void price_mud(lw_profile_def *def) {
  def->area_factor[2] = 9;
}
static void hurry(lw_profile_def *def) {
  def->speed[LW_NORMAL] = 6;
}
static void avoid_all(lw_profile_def *def) {
  def->avoid[1] = def->avoid[2] = true;
}

static lw_agent_state state_of(const scene *s) {
  lw_agent_state state;
  assert_int_equal(lw_agent_get_state(s->world, s->agent, &state), LW_OK);
  return state;
}

static lw_agent_stats stats_of(const scene *s) {
  lw_agent_stats stats;
  assert_int_equal(lw_agent_get_stats(s->world, s->agent, &stats), LW_OK);
  return stats;
}

static void steps(scene *s, int count) {
  while (count-- > 0) assert_int_equal(lw_world_step(s->world, DT), LW_OK);
}

static float path_cost(const scene *s) {
  return lw_path_cost(lw_agent_path(s->world, s->agent));
}

static void a_walking_agent_replans_at_new_prices(void **state) {
  (void)state;
  scene s;
  make_scene(&s, NULL, 0);
  spawn(&s, (lw_vec3){1, 0, 5});
  assert_int_equal(lw_agent_move_to(s.world, s.agent, (lw_vec3){11, 0, 5}, 0.1f), LW_OK);
  assert_float_equal(path_cost(&s), 10, 1e-3);
  change(&s, price_mud);
  assert_int_equal(stats_of(&s).replans, 0);
  steps(&s, 1);
  assert_int_equal(stats_of(&s).replans, 1);
  assert_float_equal(path_cost(&s), 8 + 2 * hypotf(1, 3), 0.05); /* round the hole */
  steps(&s, 600);
  assert_int_equal(state_of(&s).move, LW_MOVE_ARRIVED);
  assert_int_equal(stats_of(&s).off_mesh, 0);
  drop_scene(&s);
}

static void new_speeds_do_not_change_the_path(void **state) {
  (void)state;
  scene s;
  make_scene(&s, NULL, 0);
  spawn(&s, (lw_vec3){1, 0, 5});
  assert_int_equal(lw_agent_move_to(s.world, s.agent, (lw_vec3){11, 0, 5}, 0.1f), LW_OK);
  const lw_path *path = lw_agent_path(s.world, s.agent);
  change(&s, hurry);
  assert_ptr_equal(lw_agent_path(s.world, s.agent), path);
  assert_int_equal(stats_of(&s).replans, 0);
  steps(&s, 1);
  assert_float_equal(state_of(&s).velocity.x, 6, 0.01);
  drop_scene(&s);
}

static void a_path_that_stays_the_best_is_kept(void **state) {
  (void)state;
  scene s;
  make_scene(&s, NULL, 0);
  spawn(&s, (lw_vec3){1, 0, 1});
  assert_int_equal(lw_agent_move_to(s.world, s.agent, (lw_vec3){11, 0, 1}, 0.1f), LW_OK);
  const lw_path *path = lw_agent_path(s.world, s.agent);
  change(&s, price_mud); /* which it does not cross */
  steps(&s, 1);
  assert_ptr_equal(lw_agent_path(s.world, s.agent), path);
  assert_int_equal(stats_of(&s).replans, 0);
  assert_int_equal(lw_agent_set_profile(s.world, s.agent, s.before), LW_OK); /* mud is cheaper again */
  steps(&s, 1);
  assert_int_equal(stats_of(&s).replans, 1);
  drop_scene(&s);
}

static lw_agent_id spawn_another(scene *s, lw_vec3 at) {
  spawn(s, at);
  assert_int_equal(lw_agent_move_to(s->world, s->agent, (lw_vec3){11, 0, 5}, 0.1f), LW_OK);
  return s->agent;
}

static void twelve_thousand_agents_replan_within_a_few_steps(void **state) {
  (void)state;
  enum { AGENTS = 12000 };
  scene s;
  make_scene(&s, NULL, 0);
  assert_int_equal(lw_world_set_search_work(s.world, INT32_MAX), LW_OK); /* all have their paths at once */
  steps(&s, 1);
  lw_agent_id *agents = malloc(AGENTS * sizeof *agents);
  for (int i = 0; i < AGENTS; i++) agents[i] = spawn_another(&s, (lw_vec3){1, 0, 5});
  change(&s, price_mud);
  for (int i = 0; i < AGENTS; i++) lw_agent_set_profile(s.world, agents[i], s.after);
  int done = 0, before = -1, taken = 0;
  for (; done < AGENTS && done > before; taken++) {
    before = done;
    steps(&s, 1);
    done = 0;
    for (int i = 0; i < AGENTS; i++) {
      s.agent = agents[i];
      done += stats_of(&s).replans;
    }
  }
  assert_int_equal(done, AGENTS);
  assert_true(taken > 1 && taken < 10);
  free(agents);
  drop_scene(&s);
}

static void an_agent_on_ground_that_became_impassable_is_moved(void **state) {
  (void)state;
  scene s;
  make_scene(&s, NULL, 0);
  spawn(&s, (lw_vec3){3, 0, 5}); /* on mud, 1 m from the ground */
  change(&s, avoid_mud);
  assert_float_equal(state_of(&s).position.x, 2, 0.02);
  steps(&s, 1);
  assert_int_equal(stats_of(&s).off_mesh, 0);
  drop_scene(&s);
}

static void an_agent_without_passable_ground_stays_and_reports_it(void **state) {
  (void)state;
  scene s;
  make_scene(&s, NULL, 0);
  spawn(&s, (lw_vec3){5, 0, 5});
  assert_int_equal(lw_agent_move_to(s.world, s.agent, (lw_vec3){11, 0, 5}, 0.1f), LW_OK);
  change(&s, avoid_all);
  steps(&s, 1);
  assert_int_equal(state_of(&s).move, LW_MOVE_FAILED);
  assert_int_equal(state_of(&s).failure, LW_NO_START);
  assert_float_equal(state_of(&s).position.x, 5, 1e-6);
  assert_int_equal(lw_agent_move_to(s.world, s.agent, (lw_vec3){1, 0, 1}, 0.1f), LW_NO_START);
  steps(&s, 2);
  assert_int_equal(stats_of(&s).off_mesh, 3);
  drop_scene(&s);
}

static void a_link_is_taken_to_its_end(void **state) {
  (void)state;
  scene s;
  const support_link jump = {LW_LINK_JUMP, {1, 0, 1}, {5, 0, 5}, -1, 1}; /* ends on mud */
  make_scene(&s, &jump, 1);
  spawn(&s, (lw_vec3){1, 0, 1});
  assert_int_equal(lw_agent_move_to(s.world, s.agent, (lw_vec3){5, 0, 5}, 0.1f), LW_OK);
  steps(&s, 20);
  assert_int_equal(state_of(&s).link, LW_LINK_JUMP);
  change(&s, avoid_mud);
  steps(&s, 1);
  assert_int_equal(state_of(&s).link, LW_LINK_JUMP);
  assert_int_equal(state_of(&s).move, LW_MOVE_FAILED);
  steps(&s, 120);
  assert_int_equal(state_of(&s).link, LW_LINK_NONE);
  assert_float_equal(state_of(&s).position.x, 5, 0.01);
  /* From there it finds ground again as soon as it is sent. */
  assert_int_equal(lw_agent_move_to(s.world, s.agent, (lw_vec3){1, 0, 1}, 0.1f), LW_NO_START); /* 3 m away */
  drop_scene(&s);
}

static void expect_stance_refused(lw_profile_def def, const char *says) {
  lw_profile *profile;
  lw_error error = {0};
  lw_area_table *areas;
  assert_int_equal(lw_area_table_create(NULL, &areas), LW_OK);
  assert_int_equal(lw_profile_create(&def, areas, &profile, &error), LW_INVALID);
  assert_string_equal(error.text, says);
  lw_area_table_destroy(areas);
}

static void stances_are_checked_one_by_one(void **state) {
  (void)state;
  lw_profile_def def = lw_profile_def_default();
  def.stances[LW_CROUCH].body[0] = 2;
  expect_stance_refused(def,
                        "profile 'human': stances.crouch.body is 2 to 0.9, expected the lower height first");
  def = lw_profile_def_default();
  def.stances[LW_STAND].eye = NAN;
  expect_stance_refused(def, "profile 'human': stances.stand.eye is nan, expected metres > 0 and <= 1000");
  def = lw_profile_def_default();
  def.stances[def.stance_count++] = def.stances[LW_CROUCH];
  expect_stance_refused(def, "profile 'human': stances[2].name is 'crouch', expected a name that no other has");
  def.stances[2].name[0] = 0;
  expect_stance_refused(def, "profile 'human': stances[2].name is '', expected 1 to 31 bytes");
  memset(def.stances[2].name, 'x', sizeof def.stances[2].name);
  expect_stance_refused(
      def, "profile 'human': stances[2].name is 'xxxxxxxxxxxxxxxxxxxx...', expected 1 to 31 bytes");
  def.stance_count = LW_STANCES_MAX + 1;
  expect_stance_refused(def, "profile 'human': stance_count is 9, expected 2 to 8");
  def = lw_profile_def_default();
  strcpy(def.stances[LW_STAND].name, "lie");
  expect_stance_refused(def, "profile 'human': stances[0].name is 'lie', expected 'stand'");
}

static void a_stance_is_set_by_name(void **state) {
  (void)state;
  scene s;
  make_scene(&s, NULL, 0);
  spawn(&s, (lw_vec3){1, 0, 1});
  assert_int_equal(lw_agent_set_stance(s.world, s.agent, "crouch"), LW_OK);
  assert_int_equal(state_of(&s).stance, LW_CROUCH);
  assert_int_equal(lw_agent_set_stance(s.world, s.agent, "prone"), LW_NOT_FOUND);
  assert_int_equal(lw_agent_set_stance(s.world, lw_agent_id_none(), "crouch"), LW_STALE);
  assert_int_equal(lw_agent_move_to(s.world, s.agent, (lw_vec3){11, 0, 1}, 0.1f), LW_OK);
  steps(&s, 1);
  assert_float_equal(state_of(&s).velocity.x, 1.5, 1e-4); /* half of normal */
  assert_float_equal(lw_profile_get_stance(NULL, LW_CROUCH)->eye, 0.9, 1e-6);
  assert_string_equal(lw_profile_get_stance(s.before, 7)->name, "stand");
  drop_scene(&s);
}

static void invalid_calls_are_refused(void **state) {
  (void)state;
  scene s;
  make_scene(&s, NULL, 0);
  spawn(&s, (lw_vec3){1, 0, 1});
  assert_int_equal(lw_agent_set_profile(s.world, s.agent, NULL), LW_INVALID);
  assert_int_equal(lw_agent_set_profile(s.world, lw_agent_id_none(), s.before), LW_STALE);
  assert_int_equal(lw_agent_despawn(s.world, s.agent), LW_OK);
  assert_int_equal(lw_agent_set_profile(s.world, s.agent, s.before), LW_STALE);
  drop_scene(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_metre_costs_what_the_formula_says),
      cmocka_unit_test(speed_is_the_paces_times_the_areas_times_the_profiles_factor),
      cmocka_unit_test(numbers_out_of_range_are_refused_by_name),
      cmocka_unit_test(no_profile_makes_a_metre_cost_less_than_its_length),
      cmocka_unit_test(a_group_has_all_limits_and_mean_factors),
      cmocka_unit_test(a_group_is_as_fast_as_who_is_slowest_there),
      cmocka_unit_test(a_walking_agent_replans_at_new_prices),
      cmocka_unit_test(new_speeds_do_not_change_the_path),
      cmocka_unit_test(a_path_that_stays_the_best_is_kept),
      cmocka_unit_test(twelve_thousand_agents_replan_within_a_few_steps),
      cmocka_unit_test(an_agent_on_ground_that_became_impassable_is_moved),
      cmocka_unit_test(an_agent_without_passable_ground_stays_and_reports_it),
      cmocka_unit_test(a_link_is_taken_to_its_end),
      cmocka_unit_test(stances_are_checked_one_by_one),
      cmocka_unit_test(a_stance_is_set_by_name),
      cmocka_unit_test(invalid_calls_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
