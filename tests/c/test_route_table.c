/* Route tables, compared with paths that are searched one by one. */
#include "allocator.h"
#include "core/random.h"
#include "core/vec3.h"
#include "grid_mesh.h"
#include "leeward/leeward.h"
#include "random_world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define SEED 20261126
#define SIDE 20
#define SQUARE 2.0f
#define PLACES 12

static const char *const AREAS[] = {"ground", "mud"};

typedef struct scene {
  lw_area_table *areas;
  lw_navmesh *mesh;
  lw_world *world;
  lw_profile *profile;
} scene;

static void open_scene(scene *s, uint64_t stream, lw_allocator *allocator) {
  static char text[SIDE][SIDE + 1];
  const char *rows[SIDE];
  lw_random random = lwi_random_make(SEED, stream);
  for (int z = 0; z < SIDE; z++) {
    for (int x = 0; x < SIDE; x++) {
      const float draw = lwi_random_unit(&random);
      text[z][x] = draw < 0.3f ? '#' : draw < 0.5f ? '2' : '1';
    }
    rows[z] = text[z];
  }
  text[1][1] = text[SIDE - 2][SIDE - 2] = '1';
  const float far = (SIDE - 1.5f) * SQUARE;
  const support_link link = {LW_LINK_JUMP, {3, 0, 3}, {far, 0, far}, -1, LW_AREA_NONE};
  s->areas = support_areas(AREAS, 2);
  s->mesh = support_grid_links(s->areas, rows, SIDE, SQUARE, &link, 1);
  lw_world_def def = lw_world_def_default();
  def.navmesh = s->mesh;
  if (allocator) def.allocator = *allocator;
  assert_int_equal(lw_world_create(&def, &s->world, NULL), LW_OK);
  lw_profile_def human = lw_profile_def_default();
  human.area_factor[2] = 2;
  assert_int_equal(lw_profile_create(&human, s->areas, &s->profile, NULL), LW_OK);
}

static void close_scene(scene *s) {
  lw_world_destroy(s->world);
  lw_profile_destroy(s->profile);
  lw_navmesh_destroy(s->mesh);
  lw_area_table_destroy(s->areas);
}

static lw_route_table_def draw_places(lw_vec3 places[PLACES], const lw_profile *profile) {
  lw_random random = lwi_random_make(SEED, 77);
  for (int i = 0; i < PLACES; i++) {
    places[i] = (lw_vec3){SIDE * SQUARE * lwi_random_unit(&random), 0, 0};
    places[i].z = SIDE * SQUARE * lwi_random_unit(&random);
  }
  places[3] = (lw_vec3){-90, 0, 0}; /* nowhere */
  lw_route_table_def def = lw_route_table_def_default();
  def.places = places;
  def.place_count = PLACES;
  def.profile = profile;
  return def;
}

static float cost_alone(const scene *s, const lw_route_table_def *def, int from, int to) {
  lw_path_query query = lw_path_query_default();
  lw_path *path;
  query.from = def->places[from];
  query.to = def->places[to];
  query.profile = def->profile;
  const float cost = lw_path_find(s->world, NULL, &query, &path) == LW_OK ? lw_path_cost(path) : INFINITY;
  lw_path_destroy(path);
  return cost;
}

static void test_costs(void **state) {
  (void)state;
  int routes = 0, none = 0, one_way = 0;
  for (uint64_t stream = 0; stream < 4; stream++) {
    scene s;
    lw_vec3 places[PLACES];
    float costs[PLACES * PLACES];
    open_scene(&s, stream, NULL);
    const lw_route_table_def def = draw_places(places, stream % 2 ? s.profile : NULL);
    lw_route_table *table;
    assert_int_equal(lw_route_table_create(s.world, NULL, &def, &table), LW_OK);
    assert_int_equal(lw_path_costs_find(s.world, NULL, &def, costs), LW_OK);
    assert_int_equal(lw_route_table_count(table), PLACES);
    assert_true(lw_route_table_memory(table) >= 16 * PLACES * PLACES);
    assert_true(lw_route_table_memory(table) < 16 * PLACES * PLACES + 16384);
    for (int from = 0; from < PLACES; from++)
      for (int to = 0; to < PLACES; to++) {
        const float cost = lw_route_table_cost(table, from, to), alone = cost_alone(&s, &def, from, to);
        lw_vec3 next;
        assert_true(costs[from * PLACES + to] == cost);
        assert_int_equal(cost < INFINITY, alone < INFINITY);
        assert_int_equal(lw_route_table_next(table, from, to, &next), cost < INFINITY);
        one_way += cost < INFINITY && lw_route_table_cost(table, to, from) == INFINITY;
        none += cost == INFINITY;
        if (cost == INFINITY || from == to) continue;
        assert_true(cost <= alone * 1.1f + 0.01f && cost >= alone * 0.95f - 0.01f);
        routes += 1;
      }
    lw_route_table_destroy(table);
    close_scene(&s);
  }
  printf("note: %d routes, %d pairs without one, %d one way\n", routes, none, one_way);
  assert_true(routes > 200 && none > 20);
}

static void test_stale(void **state) {
  (void)state;
  scene s;
  lw_vec3 places[PLACES];
  open_scene(&s, 1, NULL);
  const lw_route_table_def def = draw_places(places, NULL);
  lw_route_table *table;
  assert_int_equal(lw_route_table_create(s.world, NULL, &def, &table), LW_OK);
  lw_world_step(s.world, 0.1f);
  assert_false(lw_route_table_is_stale(table, s.world));
  lw_obstacle_def box = lw_obstacle_def_default();
  lw_obstacle_id obstacle;
  box.at = (lw_vec3){3, 0, 3};
  box.size = (lw_vec3){1, 2, 1};
  assert_int_equal(lw_obstacle_add(s.world, &box, &obstacle, NULL), LW_OK);
  lw_world_step(s.world, 0.1f);
  assert_true(lw_route_table_is_stale(table, s.world));
  lw_route_table_destroy(table);
  close_scene(&s);
}

/* A file with any byte changed, or cut anywhere, is refused; the whole one is the same table. */
static void test_files(void **state) {
  (void)state;
  scene s;
  lw_vec3 places[PLACES];
  char file[] = "build/test_route_table.lwr";
  static unsigned char data[8192], damaged[8192];
  const char *names[PLACES];
  open_scene(&s, 1, NULL);
  for (int i = 0; i < PLACES; i++) names[i] = i % 2 ? "door" : "spawn";
  lw_route_table_def def = draw_places(places, s.profile);
  def.names = names;
  lw_route_table *table, *again;
  lw_error error;
  assert_int_equal(lw_route_table_create(s.world, NULL, &def, &table), LW_OK);
  assert_int_equal(lw_route_table_save(table, file, &error), LW_OK);
  assert_int_equal(lw_route_table_load(s.world, file, &again, &error), LW_OK);
  assert_false(lw_route_table_is_stale(again, s.world));
  assert_string_equal(lw_route_table_profile(again), lw_profile_get_def(s.profile)->name);
  for (int from = 0; from < PLACES; from++)
    for (int to = 0; to < PLACES; to++) {
      lw_vec3 a, b;
      assert_true(lw_route_table_cost(table, from, to) == lw_route_table_cost(again, from, to));
      assert_int_equal(lw_route_table_next(table, from, to, &a), lw_route_table_next(again, from, to, &b));
      assert_memory_equal(&a, &b, sizeof a);
      assert_string_equal(lw_route_table_name(again, from), names[from]);
    }
  lw_route_table_destroy(again);
  FILE *in = fopen(file, "rb");
  const size_t size = fread(data, 1, sizeof data, in);
  fclose(in);
  assert_true(size > 2000 && size < sizeof data);
  for (size_t i = 0; i < 2 * size; i += i < 40 ? 1 : 37) {
    const size_t kept = i < size ? size : i - size;
    memcpy(damaged, data, size);
    if (i < size) damaged[i] ^= 0x5a;
    FILE *out = fopen(file, "wb");
    fwrite(damaged, 1, kept, out);
    fclose(out);
    const lw_status status = lw_route_table_load(s.world, file, &again, &error);
    assert_true(status == LW_BAD_FILE || status == LW_NOT_FOUND);
    assert_null(again);
    assert_true(error.text[0] != 0);
  }
  remove(file);
  assert_int_equal(lw_route_table_load(s.world, file, &again, &error), LW_FILE);
  assert_int_equal(lw_route_table_load(NULL, file, &again, &error), LW_INVALID);
  assert_int_equal(lw_route_table_load(s.world, NULL, &again, &error), LW_INVALID);
  assert_int_equal(lw_route_table_load(s.world, file, NULL, NULL), LW_INVALID);
  assert_int_equal(lw_route_table_save(NULL, file, NULL), LW_INVALID);
  assert_int_equal(lw_route_table_save(table, NULL, NULL), LW_INVALID);
  assert_string_equal(lw_route_table_name(NULL, 0), "");
  assert_string_equal(lw_route_table_name(table, PLACES), "");
  assert_string_equal(lw_route_table_profile(NULL), "");
  lw_route_table_destroy(table);
  close_scene(&s);
}

/* Every allocation fails in turn. */
static void test_memory(void **state) {
  (void)state;
  support_memory memory = {.left = -1};
  lw_allocator allocator = support_allocator(&memory);
  scene s;
  lw_vec3 places[PLACES];
  open_scene(&s, 1, &allocator);
  const lw_route_table_def def = draw_places(places, NULL);
  int failures = 0;
  for (lw_status status = LW_OUT_OF_MEMORY; status != LW_OK; failures++) {
    lw_route_table *table;
    memory.left = failures;
    memory.once = true;
    status = lw_route_table_create(s.world, NULL, &def, &table);
    assert_true(status == LW_OK || (status == LW_OUT_OF_MEMORY && !table));
    memory.left = -1;
    lw_route_table_destroy(table);
  }
  assert_true(failures > 8);
  close_scene(&s);
  assert_int_equal(memory.bytes, 0);
}

static void test_bad_input(void **state) {
  (void)state;
  scene s;
  lw_vec3 places[PLACES], point = {1, 1, 1};
  float costs[PLACES * PLACES];
  open_scene(&s, 0, NULL);
  lw_route_table_def def = draw_places(places, NULL);
  lw_route_table *table;
  assert_int_equal(lw_route_table_create(NULL, NULL, &def, &table), LW_INVALID);
  assert_int_equal(lw_route_table_create(s.world, NULL, NULL, &table), LW_INVALID);
  assert_int_equal(lw_route_table_create(s.world, NULL, &def, NULL), LW_INVALID);
  assert_int_equal(lw_path_costs_find(s.world, NULL, &def, NULL), LW_INVALID);
  assert_int_equal(lw_path_costs_find(NULL, NULL, &def, costs), LW_INVALID);
  assert_int_equal(lw_route_table_create(s.world, NULL, &def, &table), LW_OK);
  assert_true(lw_route_table_cost(table, -1, 0) == INFINITY &&
              lw_route_table_cost(table, 0, PLACES) == INFINITY);
  assert_true(lw_route_table_cost(NULL, 0, 0) == INFINITY);
  assert_false(lw_route_table_next(table, 0, PLACES, &point));
  assert_true(point.x == 0 && point.y == 0 && point.z == 0);
  assert_false(lw_route_table_next(table, 0, 1, NULL));
  assert_false(lw_route_table_is_stale(NULL, s.world) || lw_route_table_is_stale(table, NULL));
  assert_int_equal(lw_route_table_count(NULL), 0);
  assert_int_equal(lw_route_table_memory(NULL), 0);
  lw_route_table_destroy(table);
  lw_route_table_destroy(NULL);
#define REFUSES(change)                                                                                        \
  do {                                                                                                         \
    def = draw_places(places, NULL);                                                                           \
    change;                                                                                                    \
    assert_int_equal(lw_route_table_create(s.world, NULL, &def, &table), LW_INVALID);                          \
    assert_null(table);                                                                                        \
  } while (0)
  REFUSES(def.places = NULL);
  REFUSES(def.place_count = 0);
  REFUSES(def.place_count = LW_ROUTE_PLACES_MAX + 1);
  REFUSES(places[2].y = NAN);
  REFUSES(def.snap.z = -1);
  REFUSES(def.visibility = 3);
  REFUSES(def.navmesh = 4);
  REFUSES(def.cookie = 0);
  close_scene(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_costs),  cmocka_unit_test(test_stale),     cmocka_unit_test(test_files),
      cmocka_unit_test(test_memory), cmocka_unit_test(test_bad_input),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
