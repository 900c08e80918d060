/* Distance fields, compared with paths that are searched one by one, and with a brute-force search over portals. */
#include "allocator.h"
#include "core/random.h"
#include "core/vec3.h"
#include "dense_path.h"
#include "grid_mesh.h"
#include "leeward/leeward.h"
#include "mesh/mesh.h"
#include "random_world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define SEED 20261126
#define SIDE 24
#define SQUARE 3.0f

static const char *const AREAS[] = {"ground", "mud", "river"};

typedef struct scene {
  lw_area_table *areas;
  lw_navmesh *mesh;
  lw_world *world;
  lw_profile *profile; /* mud costs more */
} scene;

static lw_vec3 place_in(lw_random *random) {
  const float x = SIDE * SQUARE * lwi_random_unit(random);
  return (lw_vec3){x, 0, SIDE * SQUARE * lwi_random_unit(random)};
}

/* A map with holes, mud, and one-way links. */
static void open_scene(scene *s, lw_random *random, float mud, int link_count, lw_allocator *allocator) {
  static char text[SIDE][SIDE + 1];
  const char *rows[SIDE];
  support_link links[8];
  for (int z = 0; z < SIDE; z++) {
    for (int x = 0; x < SIDE; x++) {
      const float draw = lwi_random_unit(random);
      text[z][x] = draw < 0.25f ? '#' : draw < 0.25f + mud ? '2' : '1';
    }
    rows[z] = text[z];
  }
  for (int i = 0; i < link_count; i++) {
    int ends[4];
    for (int k = 0; k < 4; k++) ends[k] = random_pick(random, SIDE);
    text[ends[0]][ends[1]] = text[ends[2]][ends[3]] = '1';
    const lw_vec3 from = {((float)ends[1] + 0.5f) * SQUARE, 0, ((float)ends[0] + 0.5f) * SQUARE},
                  to = {((float)ends[3] + 0.5f) * SQUARE, 0, ((float)ends[2] + 0.5f) * SQUARE};
    links[i] = (support_link){LW_LINK_JUMP, from, to, i % 2 ? -1 : 3, LW_AREA_NONE};
  }
  s->areas = support_areas(AREAS, 3);
  s->mesh = support_grid_links(s->areas, rows, SIDE, SQUARE, links, link_count);
  lw_world_def def = lw_world_def_default();
  def.navmesh = s->mesh;
  if (allocator) def.allocator = *allocator;
  assert_int_equal(lw_world_create(&def, &s->world, NULL), LW_OK);
  lw_profile_def human = lw_profile_def_default();
  human.area_factor[2] = 2.5f;
  human.danger_cost = 30;
  assert_int_equal(lw_profile_create(&human, s->areas, &s->profile, NULL), LW_OK);
}

static void close_scene(scene *s) {
  lw_world_destroy(s->world);
  lw_profile_destroy(s->profile);
  lw_navmesh_destroy(s->mesh);
  lw_area_table_destroy(s->areas);
}

static lw_distance_field_def field_to(const lw_vec3 *goals, int count, const lw_profile *profile) {
  lw_distance_field_def def = lw_distance_field_def_default();
  def.goals = goals;
  def.goal_count = count;
  def.profile = profile;
  return def;
}

static lw_status find_alone(const scene *s, lw_vec3 from, const lw_distance_field_def *def, float *cost) {
  lw_path_query query = lw_path_query_default();
  lw_path *path;
  query.from = from;
  query.goals = def->goals;
  query.goal_count = def->goal_count;
  query.profile = def->profile;
  const lw_status status = lw_path_find(s->world, NULL, &query, &path);
  *cost = status == LW_OK ? lw_path_cost(path) : 0;
  lw_path_destroy(path);
  return status;
}

static float length_of(const lw_vec3 *points, int count) {
  float sum = 0;
  for (int i = 1; i < count; i++) sum += lwi_distance(points[i - 1], points[i]);
  return sum;
}

/* Deviations of costs from those of paths. */
typedef struct deviations {
  double sum, max, min;
  int count, nowhere;
} deviations;

static void compare(const scene *s, const lw_distance_field *field, const lw_distance_field_def *def,
                    lw_vec3 at, deviations *found) {
  lw_field_route route;
  float cost;
  const lw_status wanted = find_alone(s, at, def, &cost);
  const lw_status status = lw_distance_field_get(field, s->world, NULL, at, &route);
  if (wanted != LW_OK) {
    assert_int_equal(status, wanted);
    found->nowhere += 1;
    return;
  }
  assert_int_equal(status, LW_OK);
  if (cost < 1) return;
  const double off = (double)route.cost / (double)cost - 1;
  found->sum += fabs(off);
  found->max = fmax(found->max, off);
  found->min = fmin(found->min, off);
  found->count += 1;
}

static deviations compare_many(float mud, const lw_profile *(*profile_of)(const scene *), uint64_t stream) {
  lw_random random = lwi_random_make(SEED, stream);
  deviations found = {0};
  for (int round = 0; round < 8; round++) {
    scene s;
    open_scene(&s, &random, mud, round % 2 ? 6 : 0, NULL);
    lw_vec3 goals[3];
    for (int i = 0; i < 3; i++) goals[i] = place_in(&random);
    const lw_distance_field_def def = field_to(goals, 1 + round % 3, profile_of(&s));
    lw_distance_field *field;
    const lw_status status = lw_distance_field_create(s.world, NULL, &def, &field);
    for (int i = 0; i < 100 && status == LW_OK; i++) compare(&s, field, &def, place_in(&random), &found);
    lw_distance_field_destroy(field);
    close_scene(&s);
  }
  printf("note: %d routes deviate by %.3f %% in the mean, by %.2f to %.2f %%; %d places without "
         "one\n",
         found.count, 100 * found.sum / found.count, 100 * found.min, 100 * found.max, found.nowhere);
  return found;
}

static const lw_profile *no_profile(const scene *s) {
  (void)s;
  return NULL;
}
static const lw_profile *own_profile(const scene *s) {
  return s->profile;
}

static void test_costs_of_one_price(void **state) {
  (void)state;
  const deviations found = compare_many(0, no_profile, 1);
  assert_true(found.count > 300 && found.nowhere > 10);
  assert_true(found.sum / found.count < 0.002 && found.max < 0.01);
}

static void test_costs_of_several_prices(void **state) {
  (void)state;
  const deviations found = compare_many(0.3f, own_profile, 2);
  assert_true(found.count > 300);
  assert_true(found.sum / found.count < 0.01 && found.max < 0.1);
}

/* Against Dijkstra over points 5 cm apart, which shares no code. */
static void test_brute_force(void **state) {
  (void)state;
  lw_random random = lwi_random_make(SEED, 3);
  double sums[2] = {0}, worst[2] = {0};
  int counts[2] = {0};
  for (int mixed = 0; mixed < 2; mixed++) {
    scene s;
    open_scene(&s, &random, mixed ? 0.3f : 0, 0, NULL);
    dense_graph *dense = dense_make(s.mesh, 0.05f);
    lw_location to = {0};
    while (lw_navmesh_nearest(s.mesh, place_in(&random), (lw_vec3){2, 4, 2}, NULL, &to) != LW_OK) {
    }
    const lw_distance_field_def def = field_to(&to.point, 1, s.profile);
    lw_distance_field *field;
    assert_int_equal(lw_distance_field_create(s.world, NULL, &def, &field), LW_OK);
    for (int i = 0; i < 40; i++) {
      lw_location from;
      lw_field_route route;
      if (lw_navmesh_nearest(s.mesh, place_in(&random), (lw_vec3){2, 4, 2}, NULL, &from) != LW_OK) continue;
      if (lw_distance_field_get(field, s.world, NULL, from.point, &route) != LW_OK || route.cost < 2) continue;
      const double best = dense_cost(dense, &s.profile->prices, from, to, 1e9);
      const double off = (double)route.cost / best - 1;
      assert_true(off > -0.002);
      sums[mixed] += off;
      worst[mixed] = fmax(worst[mixed], off);
      counts[mixed] += 1;
    }
    lw_distance_field_destroy(field);
    dense_free(dense);
    close_scene(&s);
  }
  for (int mixed = 0; mixed < 2; mixed++)
    printf("note: %d routes over %s: %.3f %% above the best in the mean, %.2f %% at max\n", counts[mixed],
           mixed ? "ground and mud" : "ground", 100 * sums[mixed] / counts[mixed], 100 * worst[mixed]);
  assert_true(counts[0] > 15 && counts[1] > 15);
  assert_true(worst[0] < 0.01 && sums[1] / counts[1] < 0.01 && worst[1] < 0.04);
}

/* Whoever walks to `next` again and again comes to the goal, and walks what the route costs. */
static void test_walking(void **state) {
  (void)state;
  lw_random random = lwi_random_make(SEED, 4);
  scene s;
  int walks = 0;
  open_scene(&s, &random, 0, 4, NULL);
  const lw_vec3 goals[] = {place_in(&random), {-500, 0, 0}, place_in(&random)};
  const lw_distance_field_def def = field_to(goals, 3, NULL);
  lw_distance_field *field;
  assert_int_equal(lw_distance_field_create(s.world, NULL, &def, &field), LW_OK);
  for (int i = 0; i < 60; i++) {
    lw_field_route route;
    lw_vec3 at = place_in(&random), points[64];
    if (lw_distance_field_get(field, s.world, NULL, at, &route) != LW_OK) continue;
    int steps = 0;
    lw_field_path path = {.points = points, .capacity = 64};
    assert_int_equal(lw_distance_field_path(field, s.world, NULL, at, &path), LW_OK);
    const int count = path.count;
    assert_true(count >= 1 && count <= 64);
    assert_int_equal(lwi_equal(points[0], route.from), true);
    if (count > 1) assert_int_equal(lwi_equal(points[1], route.next), true);
    assert_true(route.goal == 0 || route.goal == 2);
    const lw_vec3 end = points[count - 1];
    assert_true(lwi_distance(end, goals[route.goal]) < 6);
    if (length_of(points, count) > route.cost * 1.001f) assert_true(count > 2); /* over a short link */
    float before = route.cost;
    while (lwi_distance(route.from, end) > 0.02f && steps++ < 64) {
      assert_int_equal(lw_distance_field_get(field, s.world, NULL, route.next, &route), LW_OK);
      assert_true(route.cost <= before + 0.01f);
      before = route.cost;
    }
    assert_true(lwi_distance(route.from, end) <= 0.02f);
    walks += 1;
  }
  assert_true(walks > 30);
  lw_field_path none = {.count = 7};
  assert_int_equal(lw_distance_field_path(field, s.world, NULL, (lw_vec3){900, 0, 0}, &none), LW_NO_START);
  assert_int_equal(none.count, 0);
  lw_distance_field_destroy(field);
  close_scene(&s);
}

static void expect_equal(const scene *s, const lw_distance_field *a, const lw_distance_field *b,
                         lw_random random) {
  for (int i = 0; i < 200; i++) {
    const lw_vec3 at = place_in(&random);
    lw_field_route one, other;
    const lw_status status = lw_distance_field_get(a, s->world, NULL, at, &one);
    assert_int_equal(lw_distance_field_get(b, s->world, NULL, at, &other), status);
    assert_memory_equal(&one, &other, sizeof one);
  }
}

/* After a change a field is stale, and a refreshed one equals a new one. */
static void expect_refreshed(const scene *s, lw_distance_field *field, const lw_distance_field_def *def) {
  lw_random random = lwi_random_make(SEED, 9);
  lw_distance_field *fresh;
  lw_field_route route;
  int answers = 0;
  assert_true(lw_distance_field_is_stale(field, s->world));
  for (int i = 0; i < 100; i++) /* it still answers by what it knows */
    answers += lw_distance_field_get(field, s->world, NULL, place_in(&random), &route) == LW_OK;
  assert_true(answers > 10);
  assert_int_equal(lw_distance_field_refresh(field, s->world, NULL), LW_OK);
  assert_false(lw_distance_field_is_stale(field, s->world));
  assert_int_equal(lw_distance_field_create(s->world, NULL, def, &fresh), LW_OK);
  expect_equal(s, field, fresh, random);
  lw_distance_field_destroy(fresh);
}

static void test_changes(void **state) {
  (void)state;
  lw_random random = lwi_random_make(SEED, 5);
  scene s;
  open_scene(&s, &random, 0.2f, 4, NULL);
  lw_location to;
  while (lw_navmesh_nearest(s.mesh, place_in(&random), (lw_vec3){2, 4, 2}, NULL, &to) != LW_OK) {
  }
  const lw_distance_field_def def = field_to(&to.point, 1, s.profile);
  lw_distance_field *field;
  assert_int_equal(lw_distance_field_create(s.world, NULL, &def, &field), LW_OK);
  assert_false(lw_distance_field_is_stale(field, s.world));
  lw_world_step(s.world, 0.1f);
  assert_false(lw_distance_field_is_stale(field, s.world));
  lw_obstacle_def box = lw_obstacle_def_default();
  lw_obstacle_id obstacle;
  box.at = lwi_add(to.point, (lw_vec3){4, 0, 0});
  box.size = (lw_vec3){2, 2, 5};
  assert_int_equal(lw_obstacle_add(s.world, &box, &obstacle, NULL), LW_OK);
  lw_world_step(s.world, 0.1f);
  expect_refreshed(&s, field, &def);
  assert_int_equal(lw_obstacle_remove(s.world, obstacle), LW_OK);
  lw_world_step(s.world, 0.1f);
  expect_refreshed(&s, field, &def);
  const lw_link_id link = lw_link_next(s.world, lw_link_id_none());
  assert_int_equal(lw_link_enable(s.world, link, false), LW_OK);
  lw_world_step(s.world, 0.1f);
  expect_refreshed(&s, field, &def);
  lw_danger_def danger = lw_danger_def_default();
  lw_danger_id id;
  danger.at = lwi_add(to.point, (lw_vec3){-3, 0, 0});
  danger.radius = 3;
  assert_int_equal(lw_danger_add(s.world, &danger, &id, NULL), LW_OK);
  lw_world_step(s.world, 0.1f);
  expect_refreshed(&s, field, &def);
  lw_distance_field_destroy(field);
  close_scene(&s);
}

static void test_max_cost(void **state) {
  (void)state;
  lw_random random = lwi_random_make(SEED, 6);
  for (int mixed = 0; mixed < 2; mixed++) {
    scene s;
    open_scene(&s, &random, mixed ? 0.3f : 0, 2, NULL);
    const lw_vec3 goal = {30, 0, 30};
    lw_distance_field_def def = field_to(&goal, 1, s.profile);
    lw_distance_field *all, *near;
    assert_int_equal(lw_distance_field_create(s.world, NULL, &def, &all), LW_OK);
    def.max_cost = 20;
    assert_int_equal(lw_distance_field_create(s.world, NULL, &def, &near), LW_OK);
    int within = 0, beyond = 0;
    for (int i = 0; i < 300; i++) {
      lw_field_route route, other;
      const lw_vec3 at = place_in(&random);
      if (lw_distance_field_get(all, s.world, NULL, at, &route) != LW_OK) continue;
      const lw_status status = lw_distance_field_get(near, s.world, NULL, at, &other);
      within += status == LW_OK;
      beyond += status == LW_NO_PATH;
      if (route.cost > 20) assert_int_equal(status, LW_NO_PATH);
      if (route.cost < 19) assert_int_equal(status, LW_OK);
    }
    assert_true(within > 5 && beyond > 20);
    assert_true(lw_distance_field_memory(near) < lw_distance_field_memory(all));
    lw_distance_field_destroy(all);
    lw_distance_field_destroy(near);
    close_scene(&s);
  }
}

/* Every allocation fails in turn. */
static void test_memory(void **state) {
  (void)state;
  lw_random random = lwi_random_make(SEED, 7);
  for (int mixed = 0; mixed < 2; mixed++) {
    support_memory memory = {.left = -1};
    lw_allocator allocator = support_allocator(&memory);
    scene s;
    open_scene(&s, &random, mixed ? 0.3f : 0, 3, &allocator);
    const lw_vec3 goal = {30, 0, 30};
    const lw_distance_field_def def = field_to(&goal, 1, s.profile);
    int failures = 0;
    for (lw_status status = LW_OUT_OF_MEMORY; status != LW_OK; failures++) {
      lw_distance_field *field;
      memory.left = failures;
      memory.once = true;
      status = lw_distance_field_create(s.world, NULL, &def, &field);
      assert_true(status == LW_OK || (status == LW_OUT_OF_MEMORY && !field));
      memory.left = -1;
      lw_distance_field_destroy(field);
    }
    assert_true(failures > 8);
    lw_distance_field *field;
    assert_int_equal(lw_distance_field_create(s.world, NULL, &def, &field), LW_OK);
    lw_danger_def danger = lw_danger_def_default();
    lw_danger_id id;
    danger.at = goal;
    assert_int_equal(lw_danger_add(s.world, &danger, &id, NULL), LW_OK);
    lw_world_step(s.world, 0.1f);
    assert_int_equal(lw_distance_field_refresh(field, s.world, NULL), LW_OK);
    lw_distance_field_destroy(field);
    close_scene(&s);
    assert_int_equal(memory.bytes, 0);
  }
}

static void test_bad_input(void **state) {
  (void)state;
  lw_random random = lwi_random_make(SEED, 8);
  scene s;
  open_scene(&s, &random, 0, 0, NULL);
  const lw_vec3 goals[] = {{30, 0, 30}, {NAN, 0, 0}}, nowhere = {900, 0, 0};
  lw_distance_field_def def = field_to(goals, 1, NULL);
  lw_distance_field *field;
  assert_int_equal(lw_distance_field_create(NULL, NULL, &def, &field), LW_INVALID);
  assert_int_equal(lw_distance_field_create(s.world, NULL, NULL, &field), LW_INVALID);
  assert_int_equal(lw_distance_field_create(s.world, NULL, &def, NULL), LW_INVALID);
#define REFUSES(change)                                                                                        \
  do {                                                                                                         \
    def = field_to(goals, 1, NULL);                                                                            \
    change;                                                                                                    \
    assert_int_equal(lw_distance_field_create(s.world, NULL, &def, &field), LW_INVALID);                       \
    assert_null(field);                                                                                        \
  } while (0)
  REFUSES(def.goals = NULL);
  REFUSES(def.goal_count = 0);
  REFUSES(def.goal_count = 2);
  REFUSES(def.snap.x = 0);
  REFUSES(def.max_cost = -1);
  REFUSES(def.max_cost = NAN);
  REFUSES(def.visibility = 2);
  REFUSES(def.navmesh = 7);
  REFUSES(def.cookie = 0);
  def = field_to(&nowhere, 1, NULL);
  assert_int_equal(lw_distance_field_create(s.world, NULL, &def, &field), LW_NO_GOAL);
  def = field_to(goals, 1, NULL);
  assert_int_equal(lw_distance_field_create(s.world, NULL, &def, &field), LW_OK);
  lw_field_route route;
  lw_field_path path = {.capacity = 1};
  const lw_vec3 at = {10, 0, 10};
  assert_int_equal(lw_distance_field_get(NULL, s.world, NULL, at, &route), LW_INVALID);
  assert_int_equal(lw_distance_field_get(field, NULL, NULL, at, &route), LW_INVALID);
  assert_int_equal(lw_distance_field_get(field, s.world, NULL, goals[1], &route), LW_INVALID);
  assert_int_equal(lw_distance_field_get(field, s.world, NULL, at, NULL), LW_INVALID);
  assert_int_equal(lw_distance_field_path(field, s.world, NULL, at, &path), LW_INVALID);
  path.capacity = -1;
  assert_int_equal(lw_distance_field_path(field, s.world, NULL, at, &path), LW_INVALID);
  assert_int_equal(lw_distance_field_path(field, s.world, NULL, at, NULL), LW_INVALID);
  assert_int_equal(lw_distance_field_refresh(NULL, s.world, NULL), LW_INVALID);
  assert_int_equal(lw_distance_field_refresh(field, NULL, NULL), LW_INVALID);
  assert_false(lw_distance_field_is_stale(NULL, s.world));
  assert_false(lw_distance_field_is_stale(field, NULL));
  assert_int_equal(lw_distance_field_memory(NULL), 0);
  lw_distance_field_destroy(NULL);
  lw_distance_field_destroy(field);
  close_scene(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_costs_of_one_price),
      cmocka_unit_test(test_costs_of_several_prices),
      cmocka_unit_test(test_brute_force),
      cmocka_unit_test(test_walking),
      cmocka_unit_test(test_changes),
      cmocka_unit_test(test_max_cost),
      cmocka_unit_test(test_memory),
      cmocka_unit_test(test_bad_input),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
