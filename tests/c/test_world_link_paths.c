/* Paths over links between the navmeshes of one world: the cheapest of all, compared with a brute-force
   search. */
#include "core/random.h"
#include "core/vec3.h"
#include "grid_mesh.h"
#include "leeward/leeward.h"
#include "random_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define LINKS_MAX 12 /* in one direction each, bidirectional ones twice */

static const char *const AREAS[] = {"ground", "mud", "river"};

/* Ends of links are taken as they are, so queries to and from them must not move either. */
static const lw_vec3 HERE = {0.0002f, 0.0002f, 0.0002f};
/* But paths lead through ends of links that are nearer to walls by 0.8 mm than queries may begin and end, which are moved
   0.2 mm farther than they must. */
static const lw_vec3 BESIDE = {0.001f, 0.0002f, 0.001f};
/* Nearer still by up to 1 mm, the slack of places that were rounded, it depends on the portals of the polygon. */
static const lw_vec3 DOUBT = {0.0021f, 0.0002f, 0.0021f};
/* What a path over a few ends of links costs more or less because the queries to and from them were moved so. */
#define BESIDE_COST 5e-3

/* --- the oracle: all paths from link to link, by queries that name a navmesh, and Floyd and Warshall over them -------- */

typedef struct hop {
  int from, to; /* navmeshes */
  lw_vec3 start, end;
  float link_cost;
} hop;

typedef struct oracle {
  lw_world *world;
  const lw_profile *profile;
  int count;
  hop hops[LINKS_MAX];
  double costs[LINKS_MAX + 2][LINKS_MAX + 2]; /* from behind one hop to behind the next */
  bool is_beside;                             /* a leg begins or ends beside the end of a link */
} oracle;

/* Queries move what is shut in by up to 0.5 m, whatever they snap to; ends of links stay. */
static bool was_moved(const lw_path *path, const lw_path_query *query) {
  int count;
  const lw_vec3 *points = lw_path_points(path, &count);
  return lwi_distance(points[0], query->from) > 0.003f || lwi_distance(points[count - 1], query->to) > 0.003f;
}

static double leg_cost(const oracle *o, int navmesh, lw_vec3 from, lw_vec3 to, lw_vec3 snap) {
  lw_path_query query = lw_path_query_default();
  query.from = from;
  query.to = to;
  query.snap = snap;
  query.profile = o->profile;
  query.navmesh = navmesh;
  lw_path *path;
  if (lw_path_find(o->world, NULL, &query, &path) != LW_OK) return INFINITY;
  double cost = was_moved(path, &query) ? INFINITY : (double)lw_path_cost(path);
  lw_path_destroy(path);
  return cost;
}

/* Of a leg to or from the end of a link. */
static double link_leg_cost(oracle *o, int navmesh, lw_vec3 from, lw_vec3 to) {
  double cost = leg_cost(o, navmesh, from, to, HERE);
  if (cost < INFINITY) return cost;
  cost = leg_cost(o, navmesh, from, to, BESIDE);
  o->is_beside |= cost < INFINITY;
  return cost;
}

static lw_area_id area_at(const lw_navmesh *mesh, lw_location at) {
  lw_poly poly;
  assert_int_equal(lw_navmesh_get_poly(mesh, at.poly, &poly), LW_OK);
  return poly.area;
}

static void add_hop(oracle *o, const lw_world_link *link, bool back) {
  const lw_link *l = &link->link;
  float before =
      lw_profile_price(o->profile, area_at(lw_world_navmesh_at(o->world, link->from_navmesh), l->from));
  float behind = lw_profile_price(o->profile, area_at(lw_world_navmesh_at(o->world, link->to_navmesh), l->to));
  float price = l->def.area == LW_AREA_NONE ? (before + behind) / 2 : lw_profile_price(o->profile, l->def.area);
  bool taken = lw_profile_get_def(o->profile)->can_take[l->def.kind] && isfinite(before) && isfinite(behind) &&
               isfinite(price);
  hop *p = &o->hops[o->count++];
  *p = (hop){link->from_navmesh, link->to_navmesh, l->from.point, l->to.point,
             taken ? price * l->length : INFINITY};
  if (!back) return;
  *p = (hop){p->to, p->from, p->end, p->start, p->link_cost};
}

static bool is_in_doubt(const oracle *o, int navmesh, lw_vec3 end) {
  return leg_cost(o, navmesh, end, end, BESIDE) == INFINITY && leg_cost(o, navmesh, end, end, DOUBT) < INFINITY;
}

/* Does any link end where the oracle cannot tell whether the agent may take it? */
static bool has_doubts(const oracle *o) {
  for (int i = 0; i < o->count; i++)
    if (is_in_doubt(o, o->hops[i].from, o->hops[i].start) || is_in_doubt(o, o->hops[i].to, o->hops[i].end))
      return true;
  return false;
}

/* Index 0 is the start; the goal comes after the hops. */
static double cheapest(oracle *o, int from, lw_vec3 start, int to, lw_vec3 goal) {
  int n = o->count + 2;
  o->is_beside = false;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++) {
      const hop *a = i > 0 ? &o->hops[i - 1] : NULL, *b = k > 0 ? &o->hops[k - 1] : NULL;
      int left = a ? a->to : from, entered = k == n - 1 ? to : b ? b->from : -1;
      o->costs[i][k] = INFINITY;
      if (i == n - 1 || k == 0 || left != entered || (k < n - 1 && b->link_cost == INFINITY)) continue;
      o->costs[i][k] = link_leg_cost(o, left, a ? a->end : start, k == n - 1 ? goal : b->start);
      if (k < n - 1) o->costs[i][k] += (double)b->link_cost;
    }
  for (int via = 0; via < n; via++)
    for (int i = 0; i < n; i++)
      for (int k = 0; k < n; k++) o->costs[i][k] = fmin(o->costs[i][k], o->costs[i][via] + o->costs[via][k]);
  return o->costs[0][n - 1];
}

/* What a path says of itself must hold together, and lie where it says. */
static void check_path(const oracle *o, const lw_path *path, const lw_path_query *query) {
  int count, polygons;
  const lw_vec3 *points = lw_path_points(path, &count);
  const lw_poly_id *corridor = lw_path_corridor(path, &polygons);
  double length = 0;
  int crossed = 0;
  for (int i = 0; i < count; i++) {
    int navmesh = lw_path_navmesh_at(path, i);
    assert_true(lw_navmesh_contains(lw_world_navmesh_at(o->world, navmesh), points[i], 0.02f, NULL));
    if (i + 1 == count) break;
    if (navmesh != lw_path_navmesh_at(path, i + 1)) {
      assert_int_not_equal(lw_path_link(path, i), LW_LINK_NONE);
      crossed += 1;
    }
    if (lw_path_link(path, i) == LW_LINK_NONE)
      length += (double)lwi_distance(points[i], points[i + 1]);
    else
      length += (double)(lw_path_remaining(path, i) - lw_path_remaining(path, i + 1));
  }
  assert_float_equal(length, lw_path_length(path), 1e-3f * (1 + lw_path_length(path)));
  assert_float_equal(lw_path_remaining(path, 0), lw_path_length(path), 1e-3f * (1 + lw_path_length(path)));
  assert_true(lwi_distance(points[0], query->from) < 0.01f);
  assert_true(lwi_distance(points[count - 1], query->to) < 0.01f);
  for (int i = 0; i < polygons; i++) {
    lw_poly poly;
    int navmesh = lw_path_corridor_navmesh(path, i);
    assert_int_equal(lw_navmesh_get_poly(lw_world_navmesh_at(o->world, navmesh), corridor[i], &poly), LW_OK);
    crossed -= i > 0 && navmesh != lw_path_corridor_navmesh(path, i - 1);
  }
  assert_int_equal(crossed, 0);
  assert_int_equal(lw_path_corridor_navmesh(path, 0), lw_path_navmesh(path));
  assert_int_equal(lw_path_corridor_navmesh(path, polygons - 1), lw_path_navmesh_at(path, count - 1));
}

static void check_budget(const oracle *o, lw_path_query query, int nodes) {
  lw_path *path;
  query.max_nodes = nodes;
  assert_int_equal(lw_path_find(o->world, NULL, &query, &path), LW_OK);
  lw_path_destroy(path);
  query.max_nodes = nodes - 1;
  assert_int_equal(query.max_nodes > 0 ? lw_path_find(o->world, NULL, &query, &path) : LW_OUT_OF_NODES,
                   LW_OUT_OF_NODES);
}

typedef struct outcomes {
  int found, none, crossed, round_about;
  int doubtful; /* worlds that were left out */
} outcomes;

/* @return false: one of the ends is too near to a wall. */
static bool compare(oracle *o, lw_random *random, int meshes, outcomes *totals) {
  lw_path_query query = lw_path_query_default();
  lw_location ends[2];
  int navmeshes[2];
  for (int i = 0; i < 2; i++) {
    int navmesh = random_pick(random, meshes);
    lw_filter filter = lw_profile_filter(o->profile);
    if (lw_navmesh_nearest(lw_world_navmesh_at(o->world, navmesh), random_place(random, navmesh), query.snap,
                           &filter, &ends[i]) != LW_OK)
      return false;
    if (leg_cost(o, navmesh, ends[i].point, ends[i].point, HERE) == INFINITY) return false;
    navmeshes[i] = navmesh;
  }
  query.from = ends[0].point;
  query.to = ends[1].point;
  query.profile = o->profile;
  query.snap = HERE;
  double expected = cheapest(o, navmeshes[0], query.from, navmeshes[1], query.to);
  lw_path_exists_query ask = lw_path_exists_query_default();
  ask.from = query.from;
  ask.to = query.to;
  ask.snap = query.snap;
  ask.profile = o->profile;
  bool connected;
  lw_path *path;
  lw_status status = lw_path_find(o->world, NULL, &query, &path);
  assert_int_equal(status, isinf(expected) ? LW_NO_PATH : LW_OK);
  assert_int_equal(lw_path_exists(o->world, NULL, &ask, &connected), LW_OK);
  assert_int_equal(connected, status == LW_OK);
  totals->none += status != LW_OK;
  if (status != LW_OK) return true;
  if (fabs((double)lw_path_cost(path) - expected) > 1e-4 * expected + (o->is_beside ? BESIDE_COST : 1e-4))
    fail_msg("costs %g, expected %g", (double)lw_path_cost(path), expected);
  check_path(o, path, &query);
  check_budget(o, query, lw_path_nodes(path));
  int count;
  lw_path_points(path, &count);
  totals->found += 1;
  totals->crossed += lw_path_navmesh(path) != lw_path_navmesh_at(path, count - 1);
  if (navmeshes[0] == navmeshes[1])
    totals->round_about += leg_cost(o, navmeshes[0], query.from, query.to, HERE) > expected * 1.001;
  lw_path_destroy(path);
  return true;
}

static lw_profile *any_profile(lw_random *random, const lw_area_table *areas, float radius) {
  lw_profile_def def = lw_profile_def_default();
  def.name = "test";
  def.radius = radius;
  def.area_factor[2] = 3 * lwi_random_unit(random);
  def.avoid[3] = random_pick(random, 2) == 0;
  def.can_take[LW_LINK_LADDER] = random_pick(random, 3) > 0;
  lw_profile *profile;
  assert_int_equal(lw_profile_create(&def, areas, &profile, NULL), LW_OK);
  return profile;
}

static void compare_worlds(uint64_t seed, float radius, int rounds, outcomes *totals) {
  print_message("seed %llu, radius %g\n", (unsigned long long)seed, (double)radius);
  lw_area_table *areas = support_areas(AREAS, 3);
  lw_random random = lwi_random_make(seed, 0);
  for (int round = 0; round < rounds; round++) {
    int count = 2 + random_pick(&random, 2);
    lw_navmesh *meshes[3];
    for (int i = 0; i < count; i++) meshes[i] = random_mesh(&random, areas, i);
    lw_profile *profile = any_profile(&random, areas, radius);
    oracle o = {.world = random_world(&random, (const lw_navmesh *const *)meshes, count), .profile = profile};
    for (int i = 0; i < lw_world_link_count(o.world); i++) {
      lw_world_link link;
      assert_int_equal(lw_world_get_link(o.world, i, &link), LW_OK);
      if (link.link.state != LW_LINK_JOINED) continue;
      assert_int_not_equal(link.from_navmesh, link.to_navmesh);
      add_hop(&o, &link, false);
      if (link.link.def.bidirectional) add_hop(&o, &link, true);
    }
    const bool doubts = has_doubts(&o);
    totals->doubtful += doubts;
    for (int i = 0; i < 6 && o.count > 0 && !doubts; i++) compare(&o, &random, count, totals);
    lw_world_destroy(o.world);
    lw_profile_destroy(profile);
    for (int i = 0; i < count; i++) lw_navmesh_destroy(meshes[i]);
  }
  lw_area_table_destroy(areas);
  print_message("%d worlds in doubt\n", totals->doubtful);
  assert_true(totals->doubtful <= rounds / 50);
}

static void paths_are_the_cheapest_over_any_sequence_of_links(void **state) {
  (void)state;
  outcomes totals = {0};
  compare_worlds(20261121, 0.4f, 1000, &totals);
  print_message("%d found, %d not, %d end on another navmesh, %d go round\n", totals.found, totals.none,
                totals.crossed, totals.round_about);
  assert_true(totals.found > 200 && totals.none > 100 && totals.crossed > 100 && totals.round_about > 20);
}

static void paths_of_large_agents_are_the_cheapest_too(void **state) {
  (void)state;
  outcomes totals = {0};
  compare_worlds(7, 0.7f, 800, &totals);
  print_message("%d found, %d not, %d end on another navmesh, %d go round\n", totals.found, totals.none,
                totals.crossed, totals.round_about);
  assert_true(totals.found > 50 && totals.none > 20 && totals.crossed > 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(paths_are_the_cheapest_over_any_sequence_of_links),
      cmocka_unit_test(paths_of_large_agents_are_the_cheapest_too),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
