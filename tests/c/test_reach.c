/* Which components are reachable from which, with off-mesh links that are mostly one-way. */
#include "core/random.h"
#include "grid_mesh.h"
#include "leeward/leeward.h"
#include "query/random_point.h"
#include "search/reach.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))
#define SEED 20261121u

static lw_area_table *areas;

static int make_areas(void **state) {
  (void)state;
  static const char *const names[] = {"ground", "dirt", "grass"};
  areas = support_areas(names, COUNT(names));
  return 0;
}

static int drop_areas(void **state) {
  (void)state;
  lw_area_table_destroy(areas);
  return 0;
}

static support_link from_to(float x0, float z0, float x1, float z1) {
  return (support_link){LW_LINK_JUMP, {x0, 0, z0}, {x1, 0, z1}, -1, LW_AREA_NONE};
}

static bool connected(lw_world *world, float x0, float z0, float x1, float z1) {
  lw_path_exists_query query = lw_path_exists_query_default();
  query.from = (lw_vec3){x0, 0, z0};
  query.to = (lw_vec3){x1, 0, z1};
  query.snap = (lw_vec3){0.1f, 1, 0.1f};
  bool answer;
  assert_int_equal(lw_path_exists(world, NULL, &query, &answer), LW_OK);
  return answer;
}

static void a_one_way_link_connects_one_way(void **state) {
  (void)state;
  static const char *const rows[] = {"..#..#..#.."};
  /* Islands A B C D: A -> B <-> C, and nothing to D. */
  const support_link links[] = {from_to(1.5f, 0.5f, 3.5f, 0.5f), from_to(4.5f, 0.5f, 6.5f, 0.5f),
                                from_to(6.5f, 0.5f, 4.5f, 0.5f)};
  lw_navmesh *mesh = support_grid_links(areas, rows, 1, 1, links, COUNT(links));
  lw_world_def def = lw_world_def_default();
  def.navmesh = mesh;
  lw_world *world;
  assert_int_equal(lw_world_create(&def, &world, NULL), LW_OK);
  assert_true(connected(world, 0.5f, 0.5f, 3.5f, 0.5f));
  assert_true(connected(world, 0.5f, 0.5f, 7.5f, 0.5f));
  assert_true(connected(world, 7.5f, 0.5f, 3.5f, 0.5f));
  assert_false(connected(world, 3.5f, 0.5f, 0.5f, 0.5f));
  assert_false(connected(world, 0.5f, 0.5f, 9.5f, 0.5f));
  assert_false(connected(world, 9.5f, 0.5f, 0.5f, 0.5f));
  assert_int_equal(lw_navmesh_get_stats(mesh).islands, 4); /* which links do not change */
  lw_world_destroy(world);
  lw_navmesh_destroy(mesh);
}

static void random_points_are_reachable(void **state) {
  (void)state;
  static const char *const rows[] = {"..#.."};
  const support_link drop = from_to(1.5f, 0.5f, 3.5f, 0.5f);
  lw_navmesh *mesh = support_grid_links(areas, rows, 1, 1, &drop, 1);
  lw_world_def def = lw_world_def_default();
  def.navmesh = mesh;
  lw_world *world;
  assert_int_equal(lw_world_create(&def, &world, NULL), LW_OK);
  int below[2] = {0, 0};
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < 400; i++) {
      lw_random_point_query query = lw_random_point_query_default();
      query.random = lw_world_random_stream(world);
      query.around = (lw_vec3){side ? 4.0f : 1.0f, 0, 0.5f};
      query.radius = 10;
      lw_location found;
      assert_int_equal(lw_random_point_find(world, NULL, &query, &found), LW_OK);
      below[side] += found.point.x > 2.5f;
    }
  assert_in_range(below[0], 140, 260); /* half of all that can be reached from above */
  assert_int_equal(below[1], 400);     /* and from below nothing else */
  lw_world_destroy(world);
  lw_navmesh_destroy(mesh);
}

/* --- against walking everywhere ------------------------------------------------------------------------------- */

#define SIDE 14

/* Every polygon that can be reached from `start`, one step after the other. */
static void flood(const lw_navmesh *mesh, const lw_filter *filter, uint32_t start, bool *reached,
                  uint32_t *stack) {
  memset(reached, 0, mesh->polygons.count);
  if (!lw_filter_passes(filter, mesh->polygons.areas[start])) return;
  uint32_t depth = 0;
  stack[depth++] = start;
  reached[start] = true;
  while (depth > 0) {
    uint32_t at = stack[--depth];
    for (uint32_t k = mesh->graph.first_portal[at]; k < mesh->graph.end_portal[at]; k++) {
      uint32_t to = mesh->graph.portals[k].to;
      if (reached[to] || !lw_filter_passes(filter, mesh->polygons.areas[to])) continue;
      reached[to] = true;
      stack[depth++] = to;
    }
    for (uint32_t k = 0; k < mesh->links.count; k++) {
      const lwi_link *link = &mesh->links.items[k];
      bool fits = (filter->links & 1u << link->kind) &&
                  (link->area == LW_AREA_NONE || lw_filter_passes(filter, link->area));
      if (link->from != at || !fits || reached[link->to] ||
          !lw_filter_passes(filter, mesh->polygons.areas[link->to]))
        continue;
      reached[link->to] = true;
      stack[depth++] = link->to;
    }
  }
}

/* A place in one of the squares, never twice the same. */
static lw_vec3 random_square(lw_random *random, const char *const *rows) {
  for (;;) {
    float x = lwi_random_unit(random) * SIDE, z = lwi_random_unit(random) * SIDE;
    if (rows[(int)z][(int)x] != '#') return (lw_vec3){x, 0, z};
  }
}

static lw_navmesh *random_mesh(lw_random *random, float holes, int link_count) {
  char text[SIDE][SIDE + 1];
  const char *rows[SIDE];
  for (int z = 0; z < SIDE; z++) {
    for (int x = 0; x < SIDE; x++)
      text[z][x] = lwi_random_unit(random) < holes ? '#' : (char)('1' + (int)(lwi_random_unit(random) * 2.3f));
    text[z][SIDE] = 0;
    rows[z] = text[z];
  }
  support_link links[64];
  for (int i = 0; i < link_count; i++)
    links[i] = (support_link){(lw_link_kind)(lwi_random_unit(random) * LW_LINK_KIND_COUNT),
                              random_square(random, rows), random_square(random, rows), -1,
                              (lw_area_id)(lwi_random_unit(random) * 4)};
  return support_grid_links(areas, rows, SIDE, 1, links, link_count);
}

static lw_filter random_filter(lw_random *random) {
  lw_filter filter = lw_filter_all();
  for (int area = 1; area <= 3; area++)
    if (lwi_random_unit(random) < 0.2f) filter.areas[0] &= ~(1ULL << area);
  for (int kind = 0; kind < LW_LINK_KIND_COUNT; kind++)
    if (lwi_random_unit(random) < 0.2f) filter.links &= ~(1u << kind);
  return filter;
}

static void random_meshes_agree_with_a_flood_fill(void **state) {
  (void)state;
  lw_random random = lwi_random_make(SEED, 0);
  bool reached[SIDE * SIDE];
  uint32_t stack[SIDE * SIDE];
  int pairs = 0, yes = 0, one_way = 0, max_linked = 0;
  for (int round = 0; round < 60; round++) {
    lw_navmesh *mesh = random_mesh(&random, 0.3f + 0.4f * lwi_random_unit(&random), 4 + round);
    lw_filter filter = random_filter(&random);
    lwi_memory memory = lwi_memory_make(NULL);
    lwi_reach reach;
    assert_true(lwi_reach_make(&reach, &memory, mesh, &filter));
    if ((int)reach.linked_count > max_linked) max_linked = (int)reach.linked_count;
    for (uint32_t a = 0; a < mesh->polygons.count; a++) {
      flood(mesh, &filter, a, reached, stack);
      for (uint32_t b = 0; b < mesh->polygons.count; b++, pairs++) {
        bool there = lwi_reaches(&reach, reach.labels[a], reach.labels[b]);
        if (there != reached[b])
          fail_msg("seed %u, round %d: %u to %u is %d, walking says %d", SEED, round, a, b, there, reached[b]);
        yes += there;
        one_way += there && !lwi_reaches(&reach, reach.labels[b], reach.labels[a]);
      }
    }
    lwi_reach_free(&reach, &memory);
    assert_int_equal(memory.bytes, 0);
    lw_navmesh_destroy(mesh);
  }
  printf("note: seed %u: %d pairs, %d reach, %d of them one way; up to %d components with links\n", SEED, pairs,
         yes, one_way, max_linked);
  assert_true(one_way > 10000 && max_linked > 15);
}

static void a_thousand_islands_in_a_row_are_no_deep_recursion(void **state) {
  (void)state;
  enum { ISLANDS = 2000 };
  static char row[2 * ISLANDS + 1];
  static support_link links[ISLANDS];
  for (int i = 0; i < ISLANDS; i++) {
    row[2 * i] = '.';
    row[2 * i + 1] = '#';
    links[i] = from_to((float)(2 * i) + 0.5f, 0.5f, (float)(2 * i + 2) + 0.5f, 0.5f);
  }
  const char *rows[] = {row};
  lw_navmesh *mesh = support_grid_links(areas, rows, 1, 1, links, ISLANDS - 1);
  lwi_memory memory = lwi_memory_make(NULL);
  lwi_reach reach;
  lw_filter all = lw_filter_all();
  assert_true(lwi_reach_make(&reach, &memory, mesh, &all));
  assert_int_equal(reach.linked_count, ISLANDS);
  assert_true(lwi_reaches(&reach, reach.labels[0], reach.labels[ISLANDS - 1]));
  assert_false(lwi_reaches(&reach, reach.labels[ISLANDS - 1], reach.labels[0]));
  assert_true(memory.bytes < ISLANDS * (ISLANDS / 8 + 100));
  lwi_reach_free(&reach, &memory);
  lw_navmesh_destroy(mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_one_way_link_connects_one_way),
      cmocka_unit_test(random_points_are_reachable),
      cmocka_unit_test(random_meshes_agree_with_a_flood_fill),
      cmocka_unit_test(a_thousand_islands_in_a_row_are_no_deep_recursion),
  };
  return cmocka_run_group_tests_name("reach", tests, make_areas, drop_areas);
}
