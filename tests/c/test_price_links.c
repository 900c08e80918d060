/* Bounds at prices where links were added or ground is marked: they stay below what paths cost, and paths are as good as
   without bounds, by fewer nodes. */
#include "mixed_ground.h"

#include "core/vec3.h"
#include "query/workspace.h"

#include "leeward/area.h"
#include "leeward/link.h"
#include "leeward/obstacle.h"
#include "leeward/query.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "world/world.h"

#define SEED 20261128u
#define PAIRS 100
#define LINKS 8 /* one way */

/* @param length  0: a teleport. Else far more than any path. [m] */
static void add_links(mixed_ground *ground, int count, float length) {
  for (int i = 0; i < count; i++) {
    lw_link_def def = lw_link_def_default();
    lw_link_id link;
    lw_location from, to;
    while (!mixed_draw(ground, ground->profiles[0], &from, &to)) continue;
    def.from = from.point;
    def.to = to.point;
    def.length = length;
    assert_int_equal(lw_link_add(ground->world, &def, &link, NULL), LW_OK);
  }
  assert_int_equal(lw_world_apply_changes(ground->world), LW_OK);
}

typedef struct pair {
  const lw_profile *profile;
  lw_vec3 from, to;
  float bound; /* without links */
  float cost;
} pair;

typedef struct sums {
  int nodes, links;
  float bounds, costs;
} sums;

static lw_path *find(const mixed_ground *ground, const pair *of) {
  lw_path_query query = lw_path_query_default();
  lw_path *path;
  query.from = of->from;
  query.to = of->to;
  query.profile = of->profile;
  assert_int_equal(lw_path_find(ground->world, NULL, &query, &path), LW_OK);
  return path;
}

/* What the search knows to be left at the start of a path. */
static float bound_of(const mixed_ground *ground, const pair *of, const lw_path *path) {
  const lwi_scene *scene = &ground->world->scene;
  const lwi_nav *nav = &scene->navs[0];
  int count;
  const lw_poly_id *corridor = lw_path_corridor(path, &count);
  const lwi_price_table *table = lwi_workspace_price_table(scene->own, nav, &of->profile->prices);
  lwi_price_goal goal;
  const uint32_t first = lwi_origin_of(nav->mesh, lwi_poly_index(nav->mesh, corridor[0])),
                 last = lwi_origin_of(nav->mesh, lwi_poly_index(nav->mesh, corridor[count - 1]));
  lwi_price_goal_begin(&goal, table, lwi_workspace_price_links(scene->own, nav), last, of->to);
  const lwi_price_row row = lwi_price_row_at(table, first, of->from);
  return lwi_price_left(&goal, row.from);
}

static sums ask_bounded(const mixed_ground *ground, pair *pairs, int count) {
  sums all = {0};
  for (int i = 0; i < count; i++) {
    lw_path *path = find(ground, &pairs[i]);
    const float bound = bound_of(ground, &pairs[i], path);
    int points;
    pairs[i].cost = lw_path_cost(path);
    assert_true(bound <= pairs[i].bound + 0.01f);
    /* Paths may leave the points that the bounds are measured over, also without links. */
    assert_true(bound <= 1.1f * pairs[i].cost + 0.5f || bound >= 0.95f * pairs[i].bound);
    all.bounds += fmaxf(bound, 0);
    all.costs += pairs[i].cost;
    all.nodes += lw_path_nodes(path);
    lw_path_points(path, &points);
    for (int k = 0; k + 1 < points; k++) all.links += lw_path_link(path, k) != LW_LINK_NONE;
    lw_path_destroy(path);
  }
  return all;
}

/* Search the same paths without bounds: those that were found with them cost little more. @return The nodes that this takes. */
static int count_nodes_without(const mixed_ground *ground, const pair *pairs, int count) {
  int nodes = 0;
  for (int i = 0; i < count; i++) {
    lw_path *path = find(ground, &pairs[i]);
    assert_true(pairs[i].cost < 1.04f * lw_path_cost(path) + 0.5f);
    nodes += lw_path_nodes(path);
    lw_path_destroy(path);
  }
  return nodes;
}

static void note_bounds(const mixed_ground *ground, pair *pairs, int count) {
  for (int i = 0; i < count; i++) {
    lw_path *path = find(ground, &pairs[i]);
    pairs[i].bound = bound_of(ground, &pairs[i], path);
    lw_path_destroy(path);
  }
}

static int draw_pairs(mixed_ground *ground, pair *pairs) {
  int count = 0;
  for (int i = 0; i < 10 * PAIRS && count < PAIRS; i++) {
    lw_location from, to;
    const lw_profile *profile = ground->profiles[i % MIXED_PROFILES];
    if (!mixed_draw(ground, profile, &from, &to)) continue;
    pairs[count++] = (pair){.profile = profile, .from = from.point, .to = to.point};
  }
  return count;
}

static bool has_table(const mixed_ground *ground, const lw_profile *profile) {
  const lwi_scene *scene = &ground->world->scene;
  return lwi_scene_has_price_table(scene, &scene->navs[0], &profile->prices);
}

static void compare(const char *level, mixed_kind kind) {
  mixed_ground ground;
  lw_error error;
  pair pairs[PAIRS];
  if (mixed_open(level, kind, SEED, &ground, &error) != LW_OK) skip();
  const int count = draw_pairs(&ground, pairs);
  note_bounds(&ground, pairs, count);
  add_links(&ground, LINKS, 0);
  assert_true(
      lwi_scene_has_price_table(&ground.world->scene, &ground.world->scene.navs[0], &pairs[0].profile->prices));
  const sums bounded = ask_bounded(&ground, pairs, count);
  add_links(&ground, LWI_PRICE_LINKS_MAX - LINKS + 1, 1e6f);
  assert_false(
      lwi_scene_has_price_table(&ground.world->scene, &ground.world->scene.navs[0], &pairs[0].profile->prices));
  const int nodes = count_nodes_without(&ground, pairs, count);
  print_message("note: %s: %d paths over %d links, bounds %.0f %% of their cost; %d nodes, %d without bounds\n",
                level, count, bounded.links, (double)(100 * bounded.bounds / bounded.costs), bounded.nodes,
                nodes);
  assert_true(bounded.links > count / 10);
  assert_true(bounded.bounds > 0.5f * bounded.costs);
  assert_true(3 * bounded.nodes < nodes);
  mixed_close(&ground);
}

static void added_links_count_in_halls(void **state) {
  (void)state;
  compare("recast_nav_test", MIXED_MARKS);
}

static void added_links_count_over_hills(void **state) {
  (void)state;
  compare("recast_undulating", MIXED_POLYGONS);
}

static void added_links_count_in_the_open(void **state) {
  (void)state;
  compare("wz_highground", MIXED_POLYGONS);
}

static lw_obstacle_id mark(mixed_ground *ground, lw_vec3 at, lw_area_id area) {
  lw_obstacle_def def = lw_obstacle_def_default();
  lw_obstacle_id id;
  def.at = at;
  def.size = (lw_vec3){4, 2, 4};
  def.blocks = false;
  def.area = area;
  assert_int_equal(lw_obstacle_add(ground->world, &def, &id, NULL), LW_OK);
  assert_int_equal(lw_world_apply_changes(ground->world), LW_OK);
  return id;
}

static void marks_that_make_nothing_cheaper_leave_them(void **state) {
  mixed_ground ground;
  lw_error error;
  pair pairs[PAIRS];
  (void)state;
  if (mixed_open("recast_nav_test", MIXED_MARKS, SEED, &ground, &error) != LW_OK) skip();
  const int count = draw_pairs(&ground, pairs);
  const lw_area_id road = lw_area_table_find(ground.areas, "road"),
                   deep = lw_area_table_find(ground.areas, "deep_water");
  const lw_profile *wader = NULL;
  for (int i = 0; i < MIXED_PROFILES && !wader; i++)
    if (ground.profiles[i]->prices.per_metre[deep] == INFINITY) wader = ground.profiles[i];
  assert_true(wader && has_table(&ground, wader));
  lw_obstacle_id id = mark(&ground, pairs[1].from, road);
  assert_false(has_table(&ground, wader));
  assert_int_equal(lw_obstacle_remove(ground.world, id), LW_OK);
  mark(&ground, pairs[1].from, deep);
  assert_true(has_table(&ground, wader));
  int compared = 0;
  for (int i = 0; i < count; i++) {
    if (pairs[i].profile != wader) continue;
    compared += 1;
    lw_path *bounded = find(&ground, &pairs[i]);
    pairs[i].cost = lw_path_cost(bounded);
    lw_path_destroy(bounded);
  }
  assert_true(compared > 5);
  mark(&ground, (lw_vec3){0, 1000, 0}, road); /* it meets no ground */
  assert_false(has_table(&ground, wader));
  for (int i = 0; i < count; i++) {
    if (pairs[i].profile != wader) continue;
    lw_path *path = find(&ground, &pairs[i]);
    assert_true(fabsf(pairs[i].cost - lw_path_cost(path)) < 0.04f * pairs[i].cost + 0.5f);
    lw_path_destroy(path);
  }
  mixed_close(&ground);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(added_links_count_in_halls),
      cmocka_unit_test(added_links_count_over_hills),
      cmocka_unit_test(added_links_count_in_the_open),
      cmocka_unit_test(marks_that_make_nothing_cheaper_leave_them),
  };
  return cmocka_run_group_tests_name("price_links", tests, NULL, NULL);
}
