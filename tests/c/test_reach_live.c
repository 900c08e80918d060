/* What agents can reach on a live navmesh, kept up with its changes, against the same made anew. */
#include "allocator.h"
#include "grid_mesh.h"
#include "live_scene.h"
#include "random_world.h"
#include "wide_plain.h"

#include "mesh/live_parts.h"
#include "search/reach.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define BOXES 16
#define FILTERS 4

static lw_area_table *areas;

static int make_areas(void **state) {
  (void)state;
  static const char *const names[] = {"ground", "dirt", "grass"};
  areas = support_areas(names, 3);
  return 0;
}

static int drop_areas(void **state) {
  (void)state;
  lw_area_table_destroy(areas);
  return 0;
}

static lw_filter random_filter(lw_random *random) {
  lw_filter filter = lw_filter_all();
  for (int area = 1; area <= 3; area++)
    if (random_pick(random, 4) == 0) filter.areas[0] &= ~(1ULL << area);
  for (int kind = 0; kind < LW_LINK_KIND_COUNT; kind++)
    if (random_pick(random, 5) == 0) filter.links &= ~(1u << kind);
  if (random_pick(random, 3) == 0)
    filter.radius = 0.1f + (random_pick(random, 2) ? 0.6f : 2.5f) * lwi_random_unit(random);
  return filter;
}

/* Cut out, or another area. Some are as long as the navmesh is wide, and part it. */
static lwi_footprint random_box(lw_random *random, float wide) {
  live_box box = {.at = random_place(random, 0), .height = 1};
  box.at.x *= wide / 10;
  box.at.z *= wide / 10;
  box.yaw = random_pick(random, 2) ? 0 : 6.3f * lwi_random_unit(random);
  box.half_x = 0.1f + (random_pick(random, 2) ? 2 : 0.4f) * lwi_random_unit(random);
  box.half_z = random_pick(random, 6) ? 0.1f + box.half_x * lwi_random_unit(random) : wide;
  lwi_footprint footprint = live_footprint(&box);
  if (random_pick(random, 3) == 0)
    footprint.mark = (lwi_cut_mark){.area = (lw_area_id)(1 + random_pick(random, 3))};
  return footprint;
}

static void change(lwi_live *live, lw_random *random, float wide) {
  const lwi_footprint box = random_box(random, wide);
  const bool is_none = random_pick(random, 3) == 0;
  assert_true(lwi_live_set(live, (uint32_t)random_pick(random, BOXES), is_none ? NULL : &box));
}

static void change_link(lwi_live *live, lw_random *random, uint32_t count) {
  if (count == 0) return;
  const uint32_t number = (uint32_t)random_pick(random, (int)count);
  assert_true(lwi_live_change_link(live, number, random_pick(random, 2) == 0, 0));
}

/* Regions of two graphs over one navmesh that are the same: the k-th of a polygon. */
typedef struct region_pair {
  uint32_t own, other;
} region_pair;

static int list_pairs(const lwi_reach *own, const lwi_reach *other, region_pair *pairs) {
  const lw_navmesh *mesh = own->graph.mesh;
  int count = 0;
  for (uint32_t p = 0; p < mesh->polygons.count; p++) {
    if (!lwi_is_there(mesh, p)) continue;
    uint32_t a = p, b = p;
    for (; a != LWI_NONE && b != LWI_NONE;
         a = lwi_next_region(&own->graph, a), b = lwi_next_region(&other->graph, b))
      pairs[count++] = (region_pair){a, b};
    assert_true(a == LWI_NONE && b == LWI_NONE);
  }
  return count;
}

/* Equal labels here are equal labels there, and the same pairs reach each other. */
static void assert_same(const lwi_reach *own, const lwi_reach *other, lw_random *random, const char *where) {
  const size_t most = own->graph.region_count + other->graph.region_count;
  region_pair *pairs = malloc(most * sizeof *pairs);
  const int count = list_pairs(own, other, pairs);
  uint32_t *there = malloc((other->next_label + 1) * sizeof *there);
  for (uint32_t i = 0; i < other->next_label; i++) there[i] = LWI_NONE;
  for (int i = 0; i < count; i++) {
    const uint32_t a = own->labels[pairs[i].own], b = other->labels[pairs[i].other];
    if ((a == LWI_NONE) != (b == LWI_NONE))
      fail_msg("%s: region %u has label %u, not %u", where, pairs[i].own, a, b);
    if (b == LWI_NONE) continue;
    if (there[b] == LWI_NONE) there[b] = a;
    if (there[b] != a)
      fail_msg("%s: region %u has label %u, others of its part %u", where, pairs[i].own, a, there[b]);
  }
  for (uint32_t a = 0; a < other->next_label; a++)
    for (uint32_t b = 0; b < a; b++)
      if (there[a] != LWI_NONE && there[a] == there[b])
        fail_msg("%s: parts have one label, %u", where, there[a]);
  for (int i = 0; i < 500 && count > 0; i++) {
    const region_pair from = pairs[random_pick(random, count)], to = pairs[random_pick(random, count)];
    const bool is = lwi_reaches(own, own->labels[from.own], own->labels[to.own]),
               should = lwi_reaches(other, other->labels[from.other], other->labels[to.other]);
    if (is != should) fail_msg("%s: region %u to %u: %d", where, from.own, to.own, is);
  }
  free(there);
  free(pairs);
}

static void assert_same_walls(const lwi_clearance *own, const lwi_clearance *other, uint32_t p,
                              const char *where) {
  const lwi_barriers a = lwi_clearance_walls_near(own, p), b = lwi_clearance_walls_near(other, p);
  if (a.count != b.count) fail_msg("%s: %u walls are near polygon %u, not %u", where, a.count, p, b.count);
  for (uint32_t i = 0; i < a.count; i++)
    if (memcmp(&a.all[a.near[i]], &b.all[b.near[i]], sizeof *a.all) != 0)
      fail_msg("%s: wall %u near polygon %u differs", where, i, p);
}

static void assert_same_portals(const lwi_graph *own, const lwi_graph *other, region_pair pair,
                                const char *where) {
  const uint32_t a = own->first_portal[pair.own], b = other->first_portal[pair.other],
                 count = own->end_portal[pair.own] - a;
  if (count != other->end_portal[pair.other] - b)
    fail_msg("%s: region %u has %u portals", where, pair.own, count);
  for (uint32_t i = 0; i < count; i++) {
    const lwi_portal *is = &own->portals[a + i], *should = &other->portals[b + i];
    if (is->edge != should->edge || lwi_region_polygon(own, is->to) != lwi_region_polygon(other, should->to) ||
        memcmp(&own->intervals[is->interval], &other->intervals[should->interval], sizeof *own->intervals) != 0)
      fail_msg("%s: portal %u of region %u differs", where, i, pair.own);
  }
}

/* Walls that are near are those that polygons have now, and not what was there before. */
static void assert_walls_are_there(const lwi_clearance *clearance, const char *where) {
  const lw_navmesh *mesh = clearance->graph.mesh;
  bool *is_wall = calloc((size_t)clearance->barrier_capacity + 1, sizeof *is_wall);
  for (uint32_t p = 0; p < mesh->polygons.count; p++) {
    const lwi_clear_polygon *of = &clearance->polygons[p];
    for (uint32_t i = 0; lwi_is_there(mesh, p) && i < of->barrier_count; i++)
      is_wall[of->barriers.first + i] = true;
  }
  for (uint32_t p = 0; p < mesh->polygons.count; p++) {
    const lwi_barriers near = lwi_clearance_walls_near(clearance, p);
    for (uint32_t i = 0; lwi_is_there(mesh, p) && i < near.count; i++)
      if (!is_wall[near.near[i]]) fail_msg("%s: wall %u near polygon %u is gone", where, i, p);
  }
  free(is_wall);
}

/* Bit for bit, but for numbers. */
static void assert_same_clearance(const lwi_reach *own, const lwi_reach *other, const char *where) {
  const lw_navmesh *mesh = own->graph.mesh;
  region_pair *pairs = malloc((own->graph.region_count + other->graph.region_count) * sizeof *pairs);
  const int count = list_pairs(own, other, pairs);
  assert_walls_are_there(own->clearance, where);
  for (uint32_t p = 0; p < mesh->polygons.count; p++)
    if (lwi_is_there(mesh, p)) assert_same_walls(own->clearance, other->clearance, p, where);
  for (int i = 0; i < count; i++) assert_same_portals(&own->graph, &other->graph, pairs[i], where);
  for (uint32_t i = 0; i < mesh->links.count; i++) {
    if (!lwi_is_there(mesh, mesh->links.items[i].from) || !lwi_is_there(mesh, mesh->links.items[i].to))
      continue;
    const lwi_link_regions a = lwi_graph_link_regions(&own->graph, i),
                           b = lwi_graph_link_regions(&other->graph, i);
    if ((a.from == LWI_NONE) != (b.from == LWI_NONE) || (a.to == LWI_NONE) != (b.to == LWI_NONE))
      fail_msg("%s: link %u begins or ends elsewhere", where, i);
  }
  free(pairs);
}

typedef struct followed {
  const lw_navmesh *mesh;
  lwi_memory memory;
  lwi_reach reaches[FILTERS];
  lwi_reach_scratch scratch;
} followed;

static void follow(followed *all, lw_random *random) {
  all->memory = lwi_memory_make(NULL);
  all->scratch = (lwi_reach_scratch){.relabel = {.memory = &all->memory}};
  for (int i = 0; i < FILTERS; i++) {
    const lw_filter filter = random_filter(random);
    assert_true(lwi_reach_make(&all->reaches[i], &all->memory, all->mesh, &filter));
  }
}

static void unfollow(followed *all) {
  for (int i = 0; i < FILTERS; i++) lwi_reach_free(&all->reaches[i], &all->memory);
  lwi_reach_scratch_free(&all->scratch);
  assert_int_equal(all->memory.bytes, 0);
}

static void compare_one(followed *all, int i, lw_random *random, const char *where) {
  lwi_memory memory = lwi_memory_make(NULL);
  lwi_reach anew;
  lw_error error = {.text = ""};
  assert_true(lwi_reach_update(&all->reaches[i], &all->memory, &all->scratch));
  assert_true(lwi_reach_make(&anew, &memory, all->mesh, &all->reaches[i].filter));
  const lwi_clearance *clearance = all->reaches[i].clearance;
  if (clearance && lwi_clearance_check(clearance, &error) != LW_OK) fail_msg("%s: %s", where, error.text);
  if (clearance) assert_same_clearance(&all->reaches[i], &anew, where);
  assert_same(&all->reaches[i], &anew, random, where);
  lwi_reach_free(&anew, &memory);
  assert_int_equal(memory.bytes, 0);
}

#define SIDE 16

/* So many squares that changes touch few of them. */
static lw_navmesh *make_yard(lw_random *random) {
  char text[SIDE][SIDE + 1];
  const char *rows[SIDE];
  support_link links[8];
  for (int z = 0; z < SIDE; z++) {
    for (int x = 0; x < SIDE; x++)
      text[z][x] = random_pick(random, 5) == 0 ? '#' : (char)('1' + random_pick(random, 3));
    text[z][SIDE] = 0;
    rows[z] = text[z];
  }
  for (int i = 0; i < 8; i++) {
    int at[4];
    do
      for (int k = 0; k < 4; k++) at[k] = random_pick(random, SIDE);
    while (text[at[1]][at[0]] == '#' || text[at[3]][at[2]] == '#' || (at[0] == at[2] && at[1] == at[3]));
    const lw_vec3 from = {2 * (float)at[0] + 1, 0, 2 * (float)at[1] + 1},
                  to = {2 * (float)at[2] + 1, 0, 2 * (float)at[3] + 1};
    links[i] = (support_link){LW_LINK_JUMP, from, to, -1, LW_AREA_NONE};
  }
  return support_grid_links(areas, rows, SIDE, 2, links, 8);
}

static lw_navmesh *make_mesh(lw_random *random, int scene, float *wide) {
  static const char *const rows[] = {"..", "#."};
  *wide = 12;
  if (scene % 10 == 8) {
    *wide = 100;
    return support_wide_plain(areas);
  }
  if (scene % 10 < 4) {
    *wide = 2 * SIDE;
    return make_yard(random);
  }
  if (scene % 10 != 9) return random_mesh(random, areas, 0);
  support_link links[6];
  for (int i = 0; i < 6; i++) {
    const lw_vec3 from = {60 + 36 * lwi_random_unit(random), 0, 6 + 84 * lwi_random_unit(random)},
                  to = {6 + 84 * lwi_random_unit(random), 0, 6 + 36 * lwi_random_unit(random)};
    links[i] = (support_link){LW_LINK_JUMP, from, to, -1, LW_AREA_NONE};
  }
  *wide = 100;
  return support_grid_links(areas, rows, 2, 50, links, 6);
}

/* Filters ask now and then, so that they have missed some changes. */
static void what_can_be_reached_keeps_up(void **state) {
  (void)state;
  const char *given = getenv("LEEWARD_SEED");
  const uint64_t seed = given ? strtoull(given, NULL, 10) : 20261125;
  lw_random random = lwi_random_make(seed, 0);
  int compared = 0;
  for (int scene = 0; scene < 120; scene++) {
    float wide;
    lw_navmesh *mesh = make_mesh(&random, scene, &wide);
    lwi_memory memory = lwi_memory_make(NULL);
    lwi_live *live = lwi_live_create(&memory, mesh);
    followed all = {.mesh = lwi_live_mesh(live)};
    follow(&all, &random);
    for (int step = 0; step < 60; step++) {
      char where[64];
      for (int k = random_pick(&random, 3); k >= 0; k--) change(live, &random, wide);
      if (random_pick(&random, 3) == 0) change_link(live, &random, mesh->links.count);
      assert_true(lwi_live_apply(live));
      for (int i = 0; i < FILTERS; i++) {
        if (random_pick(&random, 3) > 0) continue;
        snprintf(where, sizeof where, "seed %llu, scene %d, step %d, filter %d", (unsigned long long)seed,
                 scene, step, i);
        compare_one(&all, i, &random, where);
        compared += 1;
      }
    }
    unfollow(&all);
    lwi_live_destroy(live);
    assert_int_equal(memory.bytes, 0);
    lw_navmesh_destroy(mesh);
  }
  printf("note: seed %llu: %d compared\n", (unsigned long long)seed, compared);
  assert_true(compared > 5000);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_can_be_reached_keeps_up)};
  return cmocka_run_group_tests(tests, make_areas, drop_areas);
}
