/* Plans by rooms, beside paths and beside a search over all ways from door to door. */
#include "allocator.h"
#include "core/random.h"
#include "core/vec3.h"
#include "grid_mesh.h"
#include "leeward/leeward.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SEED 20261126
#define SIDE 40
#define STEPS 64

static const char *const AREAS[] = {"ground", "mud"};

typedef struct scene {
  lw_area_table *areas;
  lw_navmesh *mesh;
  lw_regions *regions;
  lw_world *world;
  lw_room_graph *graph;
  lw_random random;
} scene;

static void open_map(scene *s, uint64_t stream, lw_allocator *allocator) {
  char rows[SIDE][SIDE + 1];
  const char *list[SIDE];
  s->random = lwi_random_make(SEED, stream);
  for (int z = 0; z < SIDE; z++) { /* walls every eight squares, with gaps */
    for (int x = 0; x < SIDE; x++) {
      const bool is_wall = x % 8 == 7 || z % 8 == 7;
      rows[z][x] = lwi_random_unit(&s->random) < (is_wall ? 0.85f : 0.05f) ? '#' : '1';
    }
    rows[z][SIDE] = 0;
    list[z] = rows[z];
  }
  s->areas = support_areas(AREAS, 2);
  s->mesh = support_grid(s->areas, list, SIDE, 1);
  assert_int_equal(lw_regions_create(s->mesh, NULL, &s->regions, NULL), LW_OK);
  lw_world_def def = lw_world_def_default();
  def.navmesh = s->mesh;
  if (allocator) def.allocator = *allocator;
  assert_int_equal(lw_world_create(&def, &s->world, NULL), LW_OK);
  assert_int_equal(lw_world_set_regions(s->world, 0, s->regions), LW_OK);
  assert_int_equal(lw_room_graph_create(s->world, 0, NULL, &s->graph), LW_OK);
}

static void close_map(scene *s) {
  lw_room_graph_destroy(s->graph);
  lw_world_destroy(s->world);
  lw_regions_destroy(s->regions);
  lw_navmesh_destroy(s->mesh);
  lw_area_table_destroy(s->areas);
}

static lw_vec3 draw(scene *s) {
  const float x = SIDE * lwi_random_unit(&s->random);
  return (lw_vec3){x, 0, SIDE * lwi_random_unit(&s->random)};
}

/* Each step leads by a door of both rooms that is open, and enters on it. */
static void check_steps(const scene *s, const lw_room_step *steps, int count) {
  bool *open = malloc((size_t)lw_regions_door_count(s->regions) + 1);
  assert_non_null(open);
  assert_int_equal(lw_world_open_doors(s->world, 0, NULL, open), LW_OK);
  for (int i = 1; i < count; i++) {
    lw_room_door door;
    assert_int_equal(lw_regions_get_door(s->regions, steps[i].door, &door), LW_OK);
    assert_true((door.rooms[0] == steps[i - 1].room && door.rooms[1] == steps[i].room) ||
                (door.rooms[1] == steps[i - 1].room && door.rooms[0] == steps[i].room));
    assert_true(steps[i].cost >= steps[i - 1].cost);
    float off = INFINITY;
    for (int k = 0; k < door.portal_count; k++) {
      lw_door_portal portal;
      lw_regions_get_door_portal(s->regions, steps[i].door, k, &portal);
      const float t = lwi_part_along_xz(portal.left, portal.right, steps[i].at);
      const lw_vec3 on = lwi_lerp(portal.left, portal.right, t < 0 ? 0 : t > 1 ? 1 : t);
      off = fminf(off, lwi_distance(on, steps[i].at));
    }
    assert_true(off < 1e-3f);
  }
  free(open);
}

/* A plan is there exactly where a path is; its cost is near that of the path. @return Plans compared. */
static int compare(scene *s, int pairs, double *excess) {
  int compared = 0;
  for (int i = 0; i < pairs; i++) {
    lw_room_plan_query query = lw_room_plan_query_default();
    query.from = draw(s);
    query.to = draw(s);
    lw_path_query ask = lw_path_query_default();
    ask.from = query.from;
    ask.to = query.to;
    lw_path *path;
    lw_room_step steps[STEPS];
    int count;
    float cost;
    const lw_status found = lw_path_find(s->world, NULL, &ask, &path);
    const lw_status planned = lw_room_plan_find(s->graph, &query, steps, STEPS, &count, &cost);
    assert_int_equal(found, planned);
    if (planned == LW_OK) {
      check_steps(s, steps, count);
      assert_true(cost > lw_path_length(path) - 0.01f);
      *excess += (double)(cost - lw_path_length(path));
      compared++;
    }
    lw_path_destroy(path);
  }
  return compared;
}

static void beside_paths(void **state) {
  (void)state;
  for (uint64_t i = 0; i < 4; i++) {
    scene s;
    double excess = 0;
    open_map(&s, i, NULL);
    assert_true(lw_regions_room_count(s.regions) > 15);
    const int compared = compare(&s, 150, &excess);
    assert_true(compared > 50);
    if (excess / compared >= 4)
      fail_msg("plans cost %g m more than paths in the mean of %d", excess / compared, compared);
    close_map(&s);
  }
}

static void after_changes(void **state) {
  (void)state;
  scene s;
  double excess = 0;
  open_map(&s, 9, NULL);
  for (int round = 0; round < 6; round++) {
    lw_obstacle_def def = lw_obstacle_def_default();
    lw_obstacle_id id;
    def.at = draw(&s);
    def.size = (lw_vec3){5, 2, 1.5f};
    assert_int_equal(lw_obstacle_add(s.world, &def, &id, NULL), LW_OK);
    assert_int_equal(lw_world_apply_changes(s.world), LW_OK);
    assert_true(lw_room_graph_is_stale(s.graph));
    lw_room_plan_query query = lw_room_plan_query_default();
    int count;
    assert_int_equal(lw_room_plan_find(s.graph, &query, NULL, 0, &count, NULL), LW_STALE);
    assert_int_equal(lw_room_graph_refresh(s.graph), LW_OK);
    compare(&s, 40, &excess);
  }
  const int pair[] = {0, 1};
  assert_int_equal(lw_regions_merge_rooms(s.regions, pair, 2, NULL, NULL), LW_OK);
  assert_true(lw_room_graph_is_stale(s.graph));
  assert_int_equal(lw_room_graph_refresh(s.graph), LW_OK);
  close_map(&s);
}

static void avoided_rooms(void **state) {
  (void)state;
  scene s;
  open_map(&s, 3, NULL);
  int changed = 0;
  for (int i = 0; i < 100; i++) {
    lw_room_plan_query query = lw_room_plan_query_default();
    lw_room_step steps[STEPS];
    int count, less;
    float cost, more;
    query.from = draw(&s);
    query.to = draw(&s);
    if (lw_room_plan_find(s.graph, &query, steps, STEPS, &count, &cost) != LW_OK || count < 3) continue;
    const int avoid[] = {steps[1].room};
    if (avoid[0] == steps[0].room || avoid[0] == steps[count - 1].room) continue;
    query.avoid = avoid;
    query.avoid_count = 1;
    if (lw_room_plan_find(s.graph, &query, steps, STEPS, &less, &more) != LW_OK) continue;
    for (int k = 0; k < less; k++) assert_int_not_equal(steps[k].room, avoid[0]);
    assert_true(more >= cost - 1e-3f);
    changed++;
  }
  assert_true(changed > 10);
  const int none[] = {100000};
  lw_room_plan_query query = lw_room_plan_query_default();
  int count;
  query.from = query.to = (lw_vec3){1, 0, 1};
  query.avoid = none;
  query.avoid_count = 1;
  assert_int_equal(lw_room_plan_find(s.graph, &query, NULL, 0, &count, NULL), LW_INVALID);
  close_map(&s);
}

static void no_memory(void **state) {
  (void)state;
  support_memory memory = {.left = -1};
  lw_allocator allocator = support_allocator(&memory);
  scene s;
  open_map(&s, 1, &allocator);
  const long before = memory.bytes;
  lw_room_graph *graph = NULL;
  lw_status status = LW_OUT_OF_MEMORY;
  for (int left = 0; status != LW_OK; left++) {
    memory.left = left;
    status = lw_room_graph_create(s.world, 0, NULL, &graph);
    if (status == LW_OK) break;
    assert_int_equal(status, LW_OUT_OF_MEMORY);
    assert_true(memory.bytes == before && !graph);
  }
  assert_true(memory.bytes - before == (long)lw_room_graph_memory(graph));
  const long whole = memory.bytes;
  lw_room_plan_query query = lw_room_plan_query_default();
  query.from = (lw_vec3){1, 0, 1};
  query.to = (lw_vec3){SIDE - 2, 0, SIDE - 2};
  int count;
  status = LW_OUT_OF_MEMORY;
  for (int left = 0; status == LW_OUT_OF_MEMORY; left++) {
    memory.left = left;
    status = lw_room_plan_find(graph, &query, NULL, 0, &count, NULL);
    assert_int_equal(memory.bytes, whole);
  }
  assert_true(status == LW_OK || status == LW_NO_PATH);
  memory.left = -1;
  lw_room_graph_destroy(graph);
  close_map(&s);
  assert_int_equal(memory.bytes, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(beside_paths), cmocka_unit_test(after_changes),
                                     cmocka_unit_test(avoided_rooms), cmocka_unit_test(no_memory)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
