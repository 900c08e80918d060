/* The cover that obstacles offer along their sides: compared with that of the same boxes baked into the level; when it is
   there; and what becomes of agents that rely on it. */
#include "bake_scene.h"
#include "sight_scene.h"
#include "temp_file.h"

#include "core/parallel.h"
#include "core/vec3.h"

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
#define SEGMENTS 256
#define BOXES 10

typedef struct found {
  lw_cover_segment items[SEGMENTS];
  int count;
} found;

static found find_segments(const lw_world *world, lw_vec3 around, float radius) {
  found f;
  lw_cover_segment_query query = lw_cover_segment_query_default();
  query.around = around;
  query.radius = radius;
  assert_int_equal(lw_cover_segment_find(world, &query, f.items, SEGMENTS, &f.count), LW_OK);
  assert_in_range(f.count, 0, SEGMENTS);
  return f;
}

static const lw_vec3 MIDDLE = {20, 0, 20};

/* --- the same as baked ------------------------------------------------------------------------------------ */

/* How much of a segment is beside segments of a list: within 5 cm of their lines, with heights within 15 cm. */
static float length_beside(const lw_cover_segment *of, const found *list) {
  const int samples = 64;
  int beside = 0;
  for (int i = 0; i < samples; i++) {
    const lw_vec3 at = lwi_lerp(of->a, of->b, ((float)i + 0.5f) / (float)samples);
    bool any = false;
    for (int k = 0; k < list->count && !any; k++) {
      const lw_cover_segment *other = &list->items[k];
      const float t = lwi_part_along_xz(other->a, other->b, at);
      any = t >= 0 && t <= 1 && lwi_distance(lwi_lerp(other->a, other->b, t), at) < 0.05f &&
            lwi_dot(of->normal, other->normal) > 0.999f && fabsf(of->top - other->top) < 0.15f &&
            fabsf(of->bottom - other->bottom) < 0.15f && of->kind == other->kind && of->low == other->low &&
            of->high == other->high;
    }
    beside += any;
  }
  return lwi_distance(of->a, of->b) * (float)beside / (float)samples;
}

static float sum_lengths(const found *list) {
  float sum = 0;
  for (int i = 0; i < list->count; i++) sum += lwi_distance(list->items[i].a, list->items[i].b);
  return sum;
}

/* Of both lists' length, how much is in the other one, too. */
static float share_of(const found *a, const found *b) {
  float both = 0;
  for (int i = 0; i < a->count; i++) both += length_beside(&a->items[i], b);
  return both / sum_lengths(a);
}

/* Where walls meet, a bake also counts ground beside the place where an agent would touch the wall. */
static void boxes_offer_the_cover_that_they_offer_baked(void **state) {
  (void)state;
  for (int seed = 0; seed < 8; seed++) {
    lw_random random = lwi_random_make(SEED, (uint64_t)seed);
    sight_box boxes[BOXES];
    for (int i = 0; i < BOXES; i++) boxes[i] = sight_random_box(&random);
    lw_navmesh *open = sight_bake(NULL, 0), *baked = sight_bake(boxes, BOXES);
    const sight_scene s = {.world = sight_world(open)};
    lw_world *expected = sight_world(baked);
    for (int i = 0; i < BOXES; i++) {
      lw_obstacle_def def = sight_obstacle(&boxes[i]);
      sight_add(&s, &def);
    }
    sight_step(&s, 1);
    const found here = find_segments(s.world, MIDDLE, 100), there = find_segments(expected, MIDDLE, 100);
    const float kept = share_of(&there, &here), right = share_of(&here, &there);
    if (kept < 0.85f || right < 0.95f)
      fail_msg("%g of the baked cover is there, and %g of it is right, expected 0.85 and 0.95 (seed %" PRIu64
               ", %d)",
               (double)kept, (double)right, SEED, seed);
    lw_world_destroy(s.world);
    lw_world_destroy(expected);
    lw_navmesh_destroy(open);
    lw_navmesh_destroy(baked);
  }
}

/* --- when ------------------------------------------------------------------------------------------------- */

static lw_obstacle_def truck(float x) {
  lw_obstacle_def def = lw_obstacle_def_default();
  def.at = lwi_vec3(x, 0, 20);
  def.size = lwi_vec3(3, 2.5f, 6);
  return def;
}

static void remove_all(const sight_scene *s) {
  lw_obstacle_id id;
  while (!lw_obstacle_id_is_none(id = lw_obstacle_next(s->world, lw_obstacle_id_none())))
    lw_obstacle_remove(s->world, id);
  lw_agent_id agent;
  while (!lw_agent_id_is_none(agent = lw_agent_next(s->world, lw_agent_id_none())))
    lw_agent_despawn(s->world, agent);
  sight_step(s, 1);
}

static void each_side_is_cover_while_it_rests(void **state) {
  const sight_scene *s = *state;
  const lw_obstacle_def def = truck(20);
  const lw_obstacle_id id = sight_add(s, &def);
  assert_int_equal(find_segments(s->world, MIDDLE, 10).count, 0);
  sight_step(s, 1);
  const found sides = find_segments(s->world, MIDDLE, 10);
  assert_int_equal(sides.count, 4);
  for (int i = 0; i < 4; i++) {
    const lw_cover_segment *side = &sides.items[i];
    const float length = lwi_distance(side->a, side->b);
    assert_true(fabsf(length - 3) < 1e-3f || fabsf(length - 6) < 1e-3f);
    assert_true(side->high && side->low && side->kind == LW_COVER_HARD);
    assert_float_equal(side->top, 2.5f, 0.05f);
    assert_true(lw_obstacle_id_equal(side->obstacle, id) && side->offered_by > 0);
    assert_true(lwi_dot(side->normal, lwi_sub(side->a, MIDDLE)) > 1); /* outwards */
  }
  const lw_vec3 slow = {2, 0, 0};
  lw_obstacle_move(s->world, id, lwi_vec3(20.2f, 0, 20), 0, &slow);
  sight_step(s, 1);
  assert_int_equal(find_segments(s->world, MIDDLE, 10).count, 0); /* cut, but it moves */
  sight_step(s, 20);
  assert_int_equal(find_segments(s->world, MIDDLE, 10).count, 4);
  lw_obstacle_remove(s->world, id);
  assert_int_equal(find_segments(s->world, MIDDLE, 10).count, 4);
  sight_step(s, 1);
  assert_int_equal(find_segments(s->world, MIDDLE, 10).count, 0);
}

static int count_with(const sight_scene *s, lw_obstacle_def def) {
  sight_add(s, &def);
  sight_step(s, 1);
  const int count = find_segments(s->world, MIDDLE, 10).count;
  remove_all(s);
  return count;
}

static void a_kerb_offers_none_a_low_wall_hides_a_crouching_body(void **state) {
  const sight_scene *s = *state;
  lw_obstacle_def def = truck(20);
  def.size.y = 0.5f;
  assert_int_equal(count_with(s, def), 0);
  def.size.y = 1.2f;
  sight_add(s, &def);
  sight_step(s, 1);
  const found sides = find_segments(s->world, MIDDLE, 10);
  assert_int_equal(sides.count, 4);
  for (int i = 0; i < 4; i++) assert_true(sides.items[i].low && !sides.items[i].high);
  remove_all(s);
  def = truck(20);
  def.at.y = 1.5f; /* it hangs above */
  assert_int_equal(count_with(s, def), 0);
  def = truck(20);
  def.cover = LW_COVER_NONE;
  assert_int_equal(count_with(s, def), 0);
}

/* Nobody fits between the two: both offer three sides. */
static void sides_without_ground_offer_none(void **state) {
  const sight_scene *s = *state;
  const lw_obstacle_def first = truck(18), second = truck(21.5f);
  sight_add(s, &first);
  sight_add(s, &second);
  sight_step(s, 1);
  assert_int_equal(find_segments(s->world, MIDDLE, 10).count, 6);
  remove_all(s);
}

static lw_threat sniper(void) {
  lw_threat threat = lw_threat_default();
  threat.at = lwi_vec3(3, 1.6f, 20);
  return threat;
}

static void a_place_behind_it_is_found_until_it_drives_away(void **state) {
  const sight_scene *s = *state;
  const lw_obstacle_def def = truck(15);
  const lw_obstacle_id id = sight_add(s, &def);
  const lw_threat threat = sniper();
  lw_cover_query query = lw_cover_query_default();
  lw_cover_point points[4];
  int count;
  query.around = lwi_vec3(18, 0, 20);
  query.profile = s->profile;
  query.threats = &threat;
  query.threat_count = 1;
  sight_step(s, 1);
  assert_int_equal(lw_cover_find(s->world, NULL, &query, points, 4, &count), LW_OK);
  assert_true(points[0].at.point.x > 16.5f && points[0].stance == LW_STAND &&
              lw_obstacle_id_equal(points[0].segment.obstacle, id));
  lw_obstacle_move(s->world, id, lwi_vec3(15, 0, 36), 0, NULL);
  sight_step(s, 1);
  query.radius = 8;
  assert_int_equal(lw_cover_find(s->world, NULL, &query, points, 4, &count), LW_NO_POINT);
  remove_all(s);
}

/* --- reserved --------------------------------------------------------------------------------------------- */

static bool has_cover(const sight_scene *s, lw_agent_id agent) {
  lw_vec3 at;
  return lw_agent_get_cover(s->world, agent, &at, NULL) == LW_OK;
}

static void a_reserved_place_goes_with_the_obstacle_that_hides_it(void **state) {
  const sight_scene *s = *state;
  const lw_obstacle_def near = truck(15), far = truck(30);
  const lw_obstacle_id id = sight_add(s, &near), other = sight_add(s, &far);
  const lw_agent_id at_side = sight_spawn(s, 17, 20), at_other = sight_spawn(s, 32, 20),
                    in_the_open = sight_spawn(s, 22, 30);
  sight_step(s, 1);
  assert_int_equal(lw_agent_reserve_cover(s->world, at_side, lwi_vec3(17, 0, 20), INFINITY), LW_OK);
  assert_int_equal(lw_agent_reserve_cover(s->world, at_other, lwi_vec3(32, 0, 20), INFINITY), LW_OK);
  assert_int_equal(lw_agent_reserve_cover(s->world, in_the_open, lwi_vec3(22, 0, 30), INFINITY), LW_OK);
  sight_step(s, 5);
  assert_true(has_cover(s, at_side) && has_cover(s, at_other) && has_cover(s, in_the_open));
  lw_obstacle_move(s->world, id, lwi_vec3(15, 0, 20.5f), 0, &(lw_vec3){0, 0, 3});
  assert_true(has_cover(s, at_side));
  sight_step(s, 1);
  assert_true(!has_cover(s, at_side) && lw_agent_lost_cover(s->world, at_side));
  assert_true(has_cover(s, at_other) && !lw_agent_lost_cover(s->world, at_other) && has_cover(s, in_the_open));
  lw_obstacle_remove(s->world, other);
  sight_step(s, 1);
  assert_true(!has_cover(s, at_other) && lw_agent_lost_cover(s->world, at_other) && has_cover(s, in_the_open));
  lw_agent_release_cover(s->world, at_other);
  assert_false(lw_agent_lost_cover(s->world, at_other));
  remove_all(s);
}

/* --- news ------------------------------------------------------------------------------------------------- */

static int searches_of(const sight_scene *s, lw_agent_id agent) {
  lw_agent_stats stats;
  assert_int_equal(lw_agent_get_stats(s->world, agent, &stats), LW_OK);
  return stats.searches;
}

static lw_agent_id walker(const sight_scene *s, float x, float z, float to_x, float to_z) {
  const lw_agent_id agent = sight_spawn(s, x, z);
  assert_int_equal(lw_agent_move_to(s->world, agent, lwi_vec3(to_x, 0, to_z), 0.1f), LW_OK);
  return agent;
}

/* A sniper in the west; one agent walks behind the truck that comes, one far from its shadow. */
static void only_agents_search_again_whose_path_it_hides(void **state) {
  const sight_scene *s = *state;
  lw_threat_def def = lw_threat_def_default();
  lw_threat_id threat;
  def.threat = sniper();
  def.known_to = "";
  assert_int_equal(lw_threat_add(s->world, &def, &threat, NULL), LW_OK);
  const lw_agent_id behind = walker(s, 30, 10, 30, 30), away = walker(s, 10, 2, 38, 2);
  sight_step(s, 2);
  const int before = searches_of(s, behind), before_away = searches_of(s, away);
  const lw_obstacle_def box = truck(15);
  const lw_obstacle_id id = sight_add(s, &box);
  sight_step(s, 2);
  assert_int_equal(searches_of(s, behind), before + 1);
  assert_int_equal(searches_of(s, away), before_away);
  lw_obstacle_move(s->world, id, lwi_vec3(15, 0, 20.3f), 0, &(lw_vec3){0, 0, 1});
  sight_step(s, 1); /* not yet a metre */
  assert_int_equal(searches_of(s, behind), before + 1);
  sight_step(s, 40); /* it rests there, and later steps search for agents again */
  assert_int_equal(searches_of(s, behind), before + 2);
  assert_int_equal(searches_of(s, away), before_away); /* once ground is back a cheaper path is looked for */
  lw_obstacle_remove(s->world, id);
  sight_step(s, 40);
  assert_int_equal(searches_of(s, behind), before + 3);
  lw_threat_remove(s->world, threat);
  remove_all(s);
}

/* --- permutations and saves ------------------------------------------------------------------------------- */

static void define_heap(const sight_scene *s) {
  const lw_obstacle_def volume = truck(15);
  const lw_permutation_state_def states[] = {{.name = "cleared"},
                                             {.name = "rubble", .volumes = &volume, .volume_count = 1}};
  lw_permutation_def def = lw_permutation_def_default();
  lw_error error = {0};
  def.name = "heap";
  def.states = states;
  def.state_count = 2;
  if (lw_permutation_define(s->world, &def, &error)) fail_msg("%s", error.text);
}

static void a_permutation_hides_from_the_step_on_in_which_its_state_takes_effect(void **state) {
  const sight_scene *s = *state;
  const lw_vec3 eye = {5, 1.5f, 20}, behind = {25, 1, 20}, beside = {17, 0, 20};
  define_heap(s);
  sight_step(s, 1);
  assert_true(lw_world_sees(s->world, eye, behind, false));
  assert_int_equal(lw_permutation_set(s->world, "heap", "rubble", NULL), LW_OK);
  assert_true(lw_world_sees(s->world, eye, behind, false));
  sight_step(s, 1);
  assert_false(lw_world_sees(s->world, eye, behind, false));
  const found sides = find_segments(s->world, beside, 10);
  assert_int_equal(sides.count, 4);
  assert_true(lw_obstacle_id_is_none(sides.items[0].obstacle) && sides.items[0].offered_by > 0);
  const lw_agent_id agent = sight_spawn(s, 17, 20);
  assert_int_equal(lw_agent_reserve_cover(s->world, agent, beside, 3), LW_OK);
  assert_int_equal(lw_permutation_set(s->world, "heap", "cleared", NULL), LW_OK);
  sight_step(s, 1);
  assert_true(lw_world_sees(s->world, eye, behind, false));
  assert_int_equal(find_segments(s->world, beside, 10).count, 0);
  assert_true(lw_agent_lost_cover(s->world, agent));
  remove_all(s);
}

static void assert_same_segments(const found *here, const found *there) {
  assert_int_equal(here->count, there->count);
  assert_in_range(here->count, 1, SEGMENTS);
  for (int i = 0; i < here->count; i++) {
    const lw_cover_segment *p = &here->items[i], *q = &there->items[i];
    assert_memory_equal(&p->a, &q->a, sizeof p->a);
    assert_memory_equal(&p->b, &q->b, sizeof p->b);
    assert_true(p->index == q->index && p->offered_by == q->offered_by && p->kind == q->kind);
  }
}

static void assert_same_world(const lw_world *a, const lw_world *b) {
  lw_random random = lwi_random_make(SEED, 9);
  const found here = find_segments(a, MIDDLE, 30), there = find_segments(b, MIDDLE, 30);
  assert_same_segments(&here, &there);
  for (int i = 0; i < 500; i++) {
    const lw_threat threat = {sight_place(&random, 0.5f, 3), {0, 0, 0}, 3.1415927f, INFINITY, 1};
    lw_exposure_query query = lw_exposure_query_default();
    lw_exposure before, after;
    query.threats = &threat;
    query.threat_count = 1;
    query.from = sight_place(&random, 0, 0);
    query.to = sight_place(&random, 0, 0);
    assert_int_equal(lw_exposure_find(a, NULL, &query, &before), LW_OK);
    assert_int_equal(lw_exposure_find(b, NULL, &query, &after), LW_OK);
    assert_memory_equal(&before, &after, sizeof before);
  }
}

/* Also what has been moved since the last step, and hides where it was. */
static void a_loaded_world_answers_the_same(void **state) {
  const sight_scene *s = *state;
  lw_random random = lwi_random_make(SEED, 8);
  lw_vec3 points[LW_OBSTACLE_POINTS_MAX];
  char path[] = "/tmp/leeward_obstacle_cover_XXXXXX";
  lw_error error = {0};
  for (int i = 0; i < 20; i++) {
    const lw_obstacle_def def = sight_random_obstacle(&random, points);
    const lw_obstacle_id id = sight_add(s, &def);
    sight_step(s, 1);
    if (i % 3 == 0) lw_obstacle_move(s->world, id, sight_place(&random, 0, 0), 1, NULL);
    if (i % 7 == 6) lw_obstacle_remove(s->world, id);
  }
  temp_file_make(path);
  if (lw_world_save(s->world, path, &error)) fail_msg("%s", error.text);
  lw_saved *saved = NULL;
  if (lw_saved_open(path, NULL, &saved, &error)) fail_msg("%s", error.text);
  lw_world *loaded = sight_world(s->navmesh);
  if (lw_world_restore(loaded, saved, &error)) fail_msg("%s", error.text);
  if (lw_world_restore_trees(loaded, saved, &error)) fail_msg("%s", error.text); /* and keys of permutations */
  assert_same_world(s->world, loaded);
  assert_true(lw_world_hash(s->world) == lw_world_hash(loaded));
  for (int i = 0; i < 30; i++) {
    sight_step(s, 1);
    assert_int_equal(lw_world_step(loaded, 1 / 60.0f), LW_OK);
    assert_true(lw_world_hash(s->world) == lw_world_hash(loaded));
  }
  assert_same_world(s->world, loaded);
  lw_saved_destroy(saved);
  remove(path);
  lw_world_destroy(loaded);
  remove_all(s);
}

/* --- threads ---------------------------------------------------------------------------------------------- */

typedef struct asking {
  const sight_scene *scene;
  lw_workspace *workspaces[4];
  float exposed[4];
  found sides[4];
} asking;

static bool ask_alone(void *user, int piece) {
  asking *a = user;
  lw_random random = lwi_random_make(SEED, 11);
  for (int i = 0; i < 300; i++) {
    const lw_threat threat = {sight_place(&random, 0.5f, 3), {0, 0, 0}, 3.1415927f, INFINITY, 1};
    lw_exposure_query query = lw_exposure_query_default();
    lw_exposure seen;
    query.threats = &threat;
    query.threat_count = 1;
    query.from = sight_place(&random, 0, 0);
    query.to = sight_place(&random, 0, 0);
    if (lw_exposure_find(a->scene->world, a->workspaces[piece], &query, &seen) != LW_OK) return false;
    a->exposed[piece] += seen.exposed;
  }
  lw_cover_segment_query query = lw_cover_segment_query_default();
  query.around = MIDDLE;
  query.radius = 30;
  found *to = &a->sides[piece];
  return lw_cover_segment_find(a->scene->world, &query, to->items, SEGMENTS, &to->count) == LW_OK;
}

/* The first thread that asks finds the cover for all. */
static void many_threads_get_the_same_answers(void **state) {
  const sight_scene *s = *state;
  static asking a;
  lw_random random = lwi_random_make(SEED, 10);
  lw_vec3 points[LW_OBSTACLE_POINTS_MAX];
  a = (asking){.scene = s};
  for (int i = 0; i < 20; i++) {
    const lw_obstacle_def def = sight_random_obstacle(&random, points);
    sight_add(s, &def);
  }
  for (int i = 0; i < 4; i++) a.workspaces[i] = lw_workspace_create(s->world);
  sight_step(s, 1);
  const lwi_parallel pieces = {.count = 4, .threads = 4, .work = ask_alone, .user = &a};
  assert_true(lwi_parallel_run(&pieces));
  for (int i = 0; i < 4; i++) {
    assert_true(a.exposed[i] == a.exposed[0]);
    assert_same_segments(&a.sides[i], &a.sides[0]);
    lw_workspace_destroy(a.workspaces[i]);
  }
  remove_all(s);
}

int main(void) {
  const struct CMUnitTest baked[] = {cmocka_unit_test(boxes_offer_the_cover_that_they_offer_baked)};
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_side_is_cover_while_it_rests),
      cmocka_unit_test(a_kerb_offers_none_a_low_wall_hides_a_crouching_body),
      cmocka_unit_test(sides_without_ground_offer_none),
      cmocka_unit_test(a_place_behind_it_is_found_until_it_drives_away),
      cmocka_unit_test(a_reserved_place_goes_with_the_obstacle_that_hides_it),
      cmocka_unit_test(only_agents_search_again_whose_path_it_hides),
      cmocka_unit_test(a_permutation_hides_from_the_step_on_in_which_its_state_takes_effect),
      cmocka_unit_test(a_loaded_world_answers_the_same),
      cmocka_unit_test(many_threads_get_the_same_answers),
  };
  const int failed = cmocka_run_group_tests_name("baked", baked, scene_open, scene_close);
  return failed + cmocka_run_group_tests_name("rules", tests, sight_scene_open, sight_scene_close);
}
