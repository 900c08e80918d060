/* What obstacles hide: compared with lines of sight that are held against each obstacle, with the same level without them,
   and with a level in which they were baked. Random scenes print their seed when they fail. */
#include "bake_scene.h"
#include "sight_scene.h"

#include "core/vec3.h"
#include "leeward/leeward.h"

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define SEED sight_seed()
#define SCENES 3
#define OBSTACLES 24
#define QUERIES 30
#define SAMPLES 61
#define PARTS 64

typedef struct asked {
  lw_threat threats[2];
  lw_interval hidden[PARTS];
  lw_exposure_query query;
  lw_exposure exposure;
} asked;

static lw_threat random_threat(lw_random *random) {
  lw_threat threat = lw_threat_default();
  threat.at = sight_place(random, 0.3f, 3.5f);
  return threat;
}

/* A segment that an agent may walk, or of any other kind. */
static asked random_query(lw_random *random, lw_accuracy accuracy) {
  asked a = {.query = lw_exposure_query_default()};
  const bool is_short = lwi_random_bits(random) % 2;
  const lw_vec3 off = {sight_between(random, -2, 2), 0, sight_between(random, -2, 2)};
  a.query.from = sight_place(random, 0, 0);
  a.query.to = is_short ? lwi_add(a.query.from, off) : sight_place(random, 0, 1);
  a.query.accuracy = accuracy;
  a.query.shots = lwi_random_bits(random) % 4 == 0;
  a.query.heights[0] = sight_between(random, 0.2f, 1.2f);
  a.query.heights[1] = 1.6f;
  a.query.height_count = 1 + (int)(lwi_random_bits(random) % 2);
  a.query.hidden_capacity = PARTS;
  a.query.threat_count = 1;
  a.threats[0] = random_threat(random);
  return a;
}

static void ask(const lw_world *world, asked *a) {
  a->query.threats = a->threats;
  a->query.hidden = a->hidden;
  memset(a->hidden, 0, sizeof a->hidden);
  assert_int_equal(lw_exposure_find(world, NULL, &a->query, &a->exposure), LW_OK);
  assert_in_range(a->exposure.hidden_count, 0, PARTS);
}

/* Is that part of the segment hidden? -1: it is at an end of what is hidden. */
static int is_hidden(const asked *a, float t, float slack) {
  for (int i = 0; i < a->exposure.hidden_count; i++) {
    const lw_interval *part = &a->hidden[i];
    if (fabsf(t - part->t0) < slack || fabsf(t - part->t1) < slack) return -1;
    if (t > part->t0 && t < part->t1) return 1;
  }
  return 0;
}

typedef struct crowd {
  lw_obstacle_def defs[OBSTACLES];
  lw_vec3 points[OBSTACLES][LW_OBSTACLE_POINTS_MAX];
  lw_obstacle_id ids[OBSTACLES];
} crowd;

static void add_crowd(lw_world *world, lw_random *random, crowd *c) {
  lw_error error = {0};
  for (int i = 0; i < OBSTACLES; i++) {
    c->defs[i] = sight_random_obstacle(random, c->points[i]);
    if (lw_obstacle_add(world, &c->defs[i], &c->ids[i], &error)) fail_msg("%s", error.text);
  }
}

/* Where a line of sight to a place on the segment is but 2 mm from the segment: nothing behind that hides. */
static lw_vec3 before_segment(const asked *a, lw_vec3 part) {
  const lw_vec3 eye = a->threats[0].at, along = lwi_direction(lwi_sub(a->query.to, a->query.from));
  const lw_vec3 off = lwi_sub(eye, part), beside = lwi_cross(off, along);
  return lwi_lerp(part, eye, fminf(1, 2e-3f / fmaxf(1e-3f, lwi_length(beside))));
}

/* Is the place hidden by some obstacle at all heights? -1: hardly to be said. */
static int is_behind(const crowd *c, const asked *a, lw_vec3 feet) {
  int all = 1;
  for (int h = 0; h < a->query.height_count; h++) {
    const lw_vec3 part = lwi_add(feet, lwi_vec3(0, a->query.heights[h], 0)), before = before_segment(a, part);
    int any = 0;
    for (int i = 0; i < OBSTACLES && any != 1; i++) {
      if (a->query.shots && c->defs[i].cover == LW_COVER_SOFT) continue;
      int meets = sight_meets(&c->defs[i], a->threats[0].at, part);
      if (meets == 1) meets = sight_meets(&c->defs[i], a->threats[0].at, before) == 1 ? 1 : -1;
      any = meets == 0 ? any : meets;
    }
    if (any == 0) return 0;
    if (any < 0) all = -1;
  }
  return all;
}

/* What is hidden is what the level hides without obstacles, by the same accuracy, and what is behind them. Parts that are
   hidden at one height by the level and at another by an obstacle are not held against this. */
static int compare_parts(const crowd *c, const asked *with, const asked *without, const char *what) {
  int compared = 0;
  for (int i = 0; i < SAMPLES; i++) {
    const float t = ((float)i + 0.5f) / SAMPLES;
    const int hidden = is_hidden(with, t, 2e-3f), before = is_hidden(without, t, 2e-3f);
    const int behind = is_behind(c, with, lwi_lerp(with->query.from, with->query.to, t));
    if (hidden < 0 || before < 0 || behind < 0) continue;
    if (before == 1 || behind == 1) {
      if (hidden != 1)
        fail_msg("%s: %g of the segment is seen, expected hidden (seed %" PRIu64 ")", what, (double)t, SEED);
      compared++;
    } else if (with->query.height_count == 1) {
      if (hidden != 0)
        fail_msg("%s: %g of the segment is hidden, expected seen (seed %" PRIu64 ")", what, (double)t, SEED);
      compared++;
    }
  }
  return compared;
}

static void what_is_behind_one_is_hidden_whichever_accuracy_answers(void **state) {
  (void)state;
  lw_random random = lwi_random_make(SEED, 1);
  int compared = 0;
  for (int scene = 0; scene < SCENES; scene++) {
    sight_scene s = sight_scene_create(&random);
    lw_world *plain = sight_world(s.navmesh);
    crowd c;
    add_crowd(s.world, &random, &c);
    assert_int_equal(lw_world_apply_changes(s.world), LW_OK);
    for (int i = 0; i < QUERIES * LW_ACCURACY_COUNT; i++) {
      asked with = random_query(&random, (lw_accuracy)(i % LW_ACCURACY_COUNT)), without = with;
      char what[64];
      snprintf(what, sizeof what, "scene %d, query %d, %s", scene, i,
               lw_accuracy_name((lw_accuracy)(i % LW_ACCURACY_COUNT)));
      ask(s.world, &with);
      ask(plain, &without);
      compared += compare_parts(&c, &with, &without, what);
    }
    lw_world_destroy(plain);
    sight_scene_destroy(&s);
  }
  assert_in_range(compared, SCENES * QUERIES * SAMPLES, INT32_MAX);
}

static void a_line_of_sight_ends_at_one(void **state) {
  (void)state;
  lw_random random = lwi_random_make(SEED, 2);
  int hidden = 0;
  for (int scene = 0; scene < SCENES; scene++) {
    sight_scene s = sight_scene_create(&random);
    lw_world *plain = sight_world(s.navmesh);
    crowd c;
    add_crowd(s.world, &random, &c);
    lw_world_apply_changes(s.world);
    for (int i = 0; i < 2000; i++) {
      const lw_vec3 eye = sight_place(&random, 0.1f, 3), target = sight_place(&random, 0.1f, 3);
      const bool shots = i % 2;
      int met = 0;
      for (int k = 0; k < OBSTACLES && met != 1; k++) {
        const bool counts = !shots || c.defs[k].cover == LW_COVER_HARD;
        const int meets = counts ? sight_meets(&c.defs[k], eye, target) : 0;
        met = meets == 0 ? met : meets;
      }
      if (met < 0) continue;
      const bool sees = lw_world_sees(plain, eye, target, shots) && met == 0;
      if (lw_world_sees(s.world, eye, target, shots) != sees)
        fail_msg("line %d of scene %d (seed %" PRIu64 ")", i, scene, SEED);
      hidden += met;
    }
    lw_world_destroy(plain);
    sight_scene_destroy(&s);
  }
  assert_in_range(hidden, 1000, INT32_MAX);
}

/* A busy threat has a depth map of the level, which obstacles clip all the same. */
static void behind_one_no_depth_map_of_a_busy_threat_sees_anything(void **state) {
  (void)state;
  lw_random random = lwi_random_make(SEED, 3);
  sight_scene s = sight_scene_create(&random);
  lw_world *plain = sight_world(s.navmesh);
  crowd c;
  add_crowd(s.world, &random, &c);
  asked with = random_query(&random, LW_ACCURACY_AUTO), without = with;
  for (int i = 0; i < 2 * LW_BUSY_SEGMENTS; i++) {
    ask(s.world, &with);
    ask(plain, &without);
  }
  assert_int_equal(lw_world_step(s.world, 1 / 60.0f), LW_OK);
  assert_int_equal(lw_world_step(plain, 1 / 60.0f), LW_OK);
  int compared = 0;
  for (int i = 0; i < QUERIES; i++) {
    const lw_threat busy = with.threats[0];
    with = random_query(&random, LW_ACCURACY_AUTO);
    with.threats[0] = busy;
    without = with;
    ask(s.world, &with);
    ask(plain, &without);
    compared += compare_parts(&c, &with, &without, "busy threat");
  }
  assert_in_range(compared, QUERIES, INT32_MAX);
  lw_world_destroy(plain);
  sight_scene_destroy(&s);
}

/* Bakes know the same boxes to a millimetre. */
static void boxes_hide_what_they_hide_in_a_level_that_they_were_baked_into(void **state) {
  (void)state;
  lw_random random = lwi_random_make(SEED, 4);
  sight_box boxes[SIGHT_WALLS + 12];
  for (int i = 0; i < SIGHT_WALLS + 12; i++) boxes[i] = sight_random_box(&random);
  lw_navmesh *open = sight_bake(boxes, SIGHT_WALLS), *baked = sight_bake(boxes, SIGHT_WALLS + 12);
  lw_world *world = sight_world(open), *expected = sight_world(baked);
  for (int i = SIGHT_WALLS; i < SIGHT_WALLS + 12; i++) {
    const lw_obstacle_def def = sight_obstacle(&boxes[i]);
    lw_obstacle_id id;
    assert_int_equal(lw_obstacle_add(world, &def, &id, NULL), LW_OK);
  }
  lw_world_apply_changes(world);
  for (int i = 0; i < 20 * QUERIES; i++) {
    asked a = random_query(&random, LW_ACCURACY_EXACT), b;
    bool is_inside = false;
    for (int k = 0; k < SIGHT_WALLS + 12; k++) {
      const lw_obstacle_def def = sight_obstacle(&boxes[k]);
      const lw_vec3 far = {-100, 50, -100};
      is_inside |= sight_meets(&def, far, a.threats[0].at) != 0 && sight_meets(&def, a.threats[0].at, far) != 1;
    }
    if (is_inside) continue; /* an eye in an obstacle sees out, one in a wall does not */
    b = a;
    ask(world, &a);
    ask(expected, &b);
    if (fabsf(a.exposure.fraction - b.exposure.fraction) > 0.02f)
      fail_msg("query %d: %g is seen, expected %g (seed %" PRIu64 ")", i, (double)a.exposure.fraction,
               (double)b.exposure.fraction, SEED);
  }
  lw_world_destroy(world);
  lw_world_destroy(expected);
  lw_navmesh_destroy(open);
  lw_navmesh_destroy(baked);
}

static asked kept[QUERIES * LW_ACCURACY_COUNT];

static void assert_same_answers(const lw_world *world, const char *when) {
  for (int i = 0; i < QUERIES * LW_ACCURACY_COUNT; i++) {
    asked again = kept[i];
    ask(world, &again);
    if (memcmp(&again.exposure, &kept[i].exposure, sizeof again.exposure) != 0 ||
        memcmp(again.hidden, kept[i].hidden, sizeof again.hidden) != 0)
      fail_msg("%s, answer %d differs (seed %" PRIu64 ")", when, i, SEED);
  }
}

static void keep_answers(const lw_world *world, lw_random *random) {
  for (int i = 0; i < QUERIES * LW_ACCURACY_COUNT; i++) {
    kept[i] = random_query(random, (lw_accuracy)(i % LW_ACCURACY_COUNT));
    ask(world, &kept[i]);
  }
}

static void change_at_random(lw_world *world, lw_random *random, crowd *c) {
  lw_vec3 points[LW_OBSTACLE_POINTS_MAX];
  for (int i = 0; i < 300; i++) {
    const int which = (int)(lwi_random_bits(random) % OBSTACLES);
    if (lwi_random_bits(random) % 3 == 0) {
      lw_obstacle_remove(world, c->ids[which]);
      const lw_obstacle_def def = sight_random_obstacle(random, points);
      assert_int_equal(lw_obstacle_add(world, &def, &c->ids[which], NULL), LW_OK);
    } else {
      lw_obstacle_move(world, c->ids[which], sight_place(random, 0, 0), sight_between(random, -3, 3), NULL);
    }
    if (lwi_random_bits(random) % 4 == 0) assert_int_equal(lw_world_apply_changes(world), LW_OK);
  }
}

static void without_them_every_answer_is_as_before_bit_for_bit(void **state) {
  (void)state;
  lw_random random = lwi_random_make(SEED, 5);
  sight_scene s = sight_scene_create(&random);
  crowd c;
  keep_answers(s.world, &random);
  add_crowd(s.world, &random, &c);
  change_at_random(s.world, &random, &c);
  for (int i = 0; i < OBSTACLES; i++) lw_obstacle_remove(s.world, c.ids[i]);
  assert_int_equal(lw_world_apply_changes(s.world), LW_OK);
  assert_same_answers(s.world, "without obstacles");
  sight_scene_destroy(&s);
}

/* Their order, and what came and went before, do not matter. */
static void the_same_obstacles_hide_the_same_bit_for_bit(void **state) {
  (void)state;
  lw_random random = lwi_random_make(SEED, 6);
  sight_scene s = sight_scene_create(&random);
  lw_world *other = sight_world(s.navmesh);
  crowd c;
  add_crowd(s.world, &random, &c);
  lw_world_apply_changes(s.world);
  keep_answers(s.world, &random);
  crowd second = c;
  for (int i = 0; i < OBSTACLES; i++) {
    lw_vec3 points[LW_OBSTACLE_POINTS_MAX];
    const lw_obstacle_def def = sight_random_obstacle(&random, points);
    assert_int_equal(lw_obstacle_add(other, &def, &second.ids[i], NULL), LW_OK);
  }
  change_at_random(other, &random, &second);
  for (int i = 0; i < OBSTACLES; i++) lw_obstacle_remove(other, second.ids[i]);
  lw_world_apply_changes(other);
  for (int i = OBSTACLES; i-- > 0;) {
    lw_obstacle_def def = c.defs[i];
    lw_obstacle_id id;
    if (def.shape == LW_OBSTACLE_POLYGON) def.points = c.points[i];
    assert_int_equal(lw_obstacle_add(other, &def, &id, NULL), LW_OK);
  }
  lw_world_apply_changes(other);
  assert_same_answers(other, "added in another order");
  lw_world_destroy(other);
  sight_scene_destroy(&s);
}

/* --- when, and for which eyes ----------------------------------------------------------------------------- */

static const lw_vec3 EYE = {5, 1.5f, 20}, BEHIND = {25, 1, 20};

static lw_obstacle_def truck(float x) {
  lw_obstacle_def def = lw_obstacle_def_default();
  def.at = lwi_vec3(x, 0, 20);
  def.size = lwi_vec3(3, 2.5f, 6);
  return def;
}

static void it_hides_from_the_step_on_in_which_it_comes(void **state) {
  sight_scene *s = *state;
  const lw_obstacle_def def = truck(15);
  const lw_obstacle_id id = sight_add(s, &def);
  assert_true(lw_world_sees(s->world, EYE, BEHIND, false));
  sight_step(s, 1);
  assert_false(lw_world_sees(s->world, EYE, BEHIND, false));
  lw_obstacle_remove(s->world, id);
  assert_false(lw_world_sees(s->world, EYE, BEHIND, false));
  sight_step(s, 1);
  assert_true(lw_world_sees(s->world, EYE, BEHIND, false));
}

static void a_fast_one_hides_where_it_is_in_each_step(void **state) {
  sight_scene *s = *state;
  const lw_obstacle_def def = truck(15);
  const lw_obstacle_id id = sight_add(s, &def);
  const lw_vec3 fast = {0, 0, 30};
  sight_step(s, 1);
  for (int i = 0; i <= 12; i++) {
    const float z = 14 + (float)i;
    lw_obstacle_state now;
    lw_obstacle_move(s->world, id, lwi_vec3(15, 0, z), 0, &fast);
    sight_step(s, 1);
    lw_obstacle_get_state(s->world, id, &now);
    assert_false(now.is_cut);
    assert_int_equal(lw_world_sees(s->world, EYE, BEHIND, false), fabsf(z - 20) >= 3);
  }
  lw_obstacle_remove(s->world, id);
  sight_step(s, 1);
}

/* Takes a step. */
static bool is_outdated(const sight_scene *s) {
  const uint32_t before = lw_threat_version(s->world);
  sight_step(s, 1);
  return lw_threat_version(s->world) != before;
}

/* Also where it is not cut out of the ground, whose version does not change then. */
static void callers_notice_that_another_thing_hides(void **state) {
  sight_scene *s = *state;
  lw_obstacle_def def = truck(15);
  def.blocks = false;
  def.cover = LW_COVER_SOFT;
  sight_step(s, 20);
  assert_false(is_outdated(s));
  const lw_obstacle_id id = sight_add(s, &def);
  const uint64_t ground = lw_navmesh_version(lw_world_navmesh(s->world));
  assert_true(is_outdated(s));
  sight_step(s, 20);
  assert_false(is_outdated(s));
  lw_obstacle_move(s->world, id, lwi_vec3(15, 0, 20.5f), 0, &(lw_vec3){0, 0, 1});
  assert_true(is_outdated(s)); /* it offers no cover while it moves */
  lw_obstacle_move(s->world, id, lwi_vec3(15, 0, 20.9f), 0, &(lw_vec3){0, 0, 1});
  assert_false(is_outdated(s)); /* not yet a metre */
  lw_obstacle_move(s->world, id, lwi_vec3(15, 0, 21.1f), 0, &(lw_vec3){0, 0, 1});
  assert_true(is_outdated(s));
  sight_step(s, 20); /* at rest */
  assert_false(is_outdated(s));
  assert_int_equal(lw_obstacle_remove(s->world, id), LW_OK);
  assert_true(is_outdated(s));
  assert_true(lw_navmesh_version(lw_world_navmesh(s->world)) == ground);
}

static void soft_cover_stops_no_shots_and_none_hides_nothing(void **state) {
  sight_scene *s = *state;
  lw_obstacle_def def = truck(15);
  def.cover = LW_COVER_SOFT;
  lw_obstacle_id id = sight_add(s, &def);
  sight_step(s, 1);
  assert_true(!lw_world_sees(s->world, EYE, BEHIND, false) && lw_world_sees(s->world, EYE, BEHIND, true));
  lw_obstacle_remove(s->world, id);
  def.cover = LW_COVER_NONE;
  id = sight_add(s, &def);
  sight_step(s, 1);
  assert_true(lw_world_sees(s->world, EYE, BEHIND, false));
  lw_obstacle_remove(s->world, id);
  def = truck(15);
  def.blocks = false;
  def.area = SCENE_ROAD;
  id = sight_add(s, &def);
  sight_step(s, 1);
  assert_true(lw_world_sees(s->world, EYE, BEHIND, false));
  lw_obstacle_remove(s->world, id);
  sight_step(s, 1);
}

static void an_eye_inside_sees_out_and_is_hidden_itself(void **state) {
  sight_scene *s = *state;
  const lw_obstacle_def def = truck(15);
  const lw_obstacle_id id = sight_add(s, &def);
  const lw_vec3 inside = {15, 1.6f, 21};
  sight_step(s, 1);
  assert_true(lw_world_sees(s->world, inside, BEHIND, false) && lw_world_sees(s->world, inside, EYE, true));
  assert_false(lw_world_sees(s->world, EYE, inside, false));
  lw_obstacle_remove(s->world, id);
  sight_step(s, 1);
}

static bool is_seen(sight_scene *s, lw_agent_id agent) {
  lw_threat threat = lw_threat_default();
  bool seen = false;
  threat.at = EYE;
  assert_int_equal(lw_agent_is_seen(s->world, NULL, agent, &threat, 1, &seen), LW_OK);
  return seen;
}

/* The truck is seen, and so is its driver; a passer-by is not. */
static void what_an_agent_carries_does_not_hide_it(void **state) {
  sight_scene *s = *state;
  const lw_agent_id driver = sight_spawn(s, 15, 20), other = sight_spawn(s, 20, 20);
  lw_obstacle_def def = truck(15);
  assert_true(is_seen(s, driver) && is_seen(s, other));
  def.carrier = driver;
  const lw_obstacle_id id = sight_add(s, &def);
  sight_step(s, 1);
  assert_true(is_seen(s, driver));
  assert_false(is_seen(s, other));
  assert_true(lw_agent_is_seen_from(s->world, driver, EYE, true));
  assert_false(lw_agent_is_seen_from(s->world, other, EYE, true));
  assert_true(lw_agent_sees(s->world, other, driver) && lw_agent_sees(s->world, driver, other));
  lw_obstacle_remove(s->world, id);
  lw_agent_despawn(s->world, driver);
  lw_agent_despawn(s->world, other);
  sight_step(s, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_behind_one_is_hidden_whichever_accuracy_answers),
      cmocka_unit_test(a_line_of_sight_ends_at_one),
      cmocka_unit_test(behind_one_no_depth_map_of_a_busy_threat_sees_anything),
      cmocka_unit_test(boxes_hide_what_they_hide_in_a_level_that_they_were_baked_into),
      cmocka_unit_test(without_them_every_answer_is_as_before_bit_for_bit),
      cmocka_unit_test(the_same_obstacles_hide_the_same_bit_for_bit),
  };
  const struct CMUnitTest rules[] = {
      cmocka_unit_test(it_hides_from_the_step_on_in_which_it_comes),
      cmocka_unit_test(a_fast_one_hides_where_it_is_in_each_step),
      cmocka_unit_test(callers_notice_that_another_thing_hides),
      cmocka_unit_test(soft_cover_stops_no_shots_and_none_hides_nothing),
      cmocka_unit_test(an_eye_inside_sees_out_and_is_hidden_itself),
      cmocka_unit_test(what_an_agent_carries_does_not_hide_it),
  };
  const int failed = cmocka_run_group_tests_name("oracles", tests, scene_open, scene_close);
  return failed + cmocka_run_group_tests_name("rules", rules, sight_scene_open, sight_scene_close);
}
