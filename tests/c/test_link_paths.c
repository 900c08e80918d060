/* Paths over off-mesh links: what they cost, which profiles may take them, and the points at their ends. */
#include "core/random.h"
#include "core/vec3.h"
#include "grid_world.h"
#include "leeward/leeward.h"
#include "search/path.h"
#include "search/shortcuts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))
#define SEED 20261122u

enum { GROUND = 1, ROAD = 2, WATER = 3 }; /* support_road_and_water() */

static grid_world make_scene(const char *const *rows, int row_count, const support_link *links, int link_count,
                             const lw_profile_def *def) {
  lw_area_table *areas = support_road_and_water();
  return grid_world_open_on(areas, support_grid_links(areas, rows, row_count, 1, links, link_count), def, NULL);
}

static lw_status try(const grid_world *s, float x0, float x1, lw_path **path) {
  lw_path_query query = lw_path_query_default();
  query.from = (lw_vec3){x0, 0, 0.5f};
  query.to = (lw_vec3){x1, 0, 0.5f};
  query.snap = (lw_vec3){0.4f, 1, 0.4f};
  query.profile = s->profile;
  return lw_path_find(s->world, NULL, &query, path);
}

static lw_path *find(const grid_world *s, float x0, float x1) {
  lw_path *path;
  assert_int_equal(try(s, x0, x1, &path), LW_OK);
  return path;
}

static void assert_near(float value, float expected) {
  if (fabsf(value - expected) > 1e-3f) fail_msg("%g, expected %g", (double)value, (double)expected);
}

static support_link row_link(lw_link_kind kind, float x0, float x1, float length) {
  return (support_link){kind, {x0, 0, 0.5f}, {x1, 0, 0.5f}, length, LW_AREA_NONE};
}

static lw_profile_def car_def(void) {
  lw_profile_def car = lw_profile_def_default();
  car.name = "car";
  car.resistance_factor[LW_TRIANGULAR] = 18; /* ground costs 10 a metre, road 1 */
  return car;
}

static void points_name_both_ends_of_a_link_and_its_kind(void **state) {
  (void)state;
  static const char *const rows[] = {"..##.."};
  const support_link jump = row_link(LW_LINK_JUMP, 1.5f, 4.5f, -1);
  grid_world s = make_scene(rows, 1, &jump, 1, NULL);
  lw_path *path = find(&s, 0.5f, 5.5f);
  int count;
  const lw_vec3 *points = lw_path_points(path, &count);
  assert_int_equal(count, 4);
  assert_near(points[1].x, 1.5f);
  assert_near(points[2].x, 4.5f);
  assert_int_equal(lw_path_link(path, 0), LW_LINK_NONE);
  assert_int_equal(lw_path_link(path, 1), LW_LINK_JUMP);
  assert_int_equal(lw_path_link(path, 2), LW_LINK_NONE);
  assert_int_equal(lw_path_link(path, 3), LW_LINK_NONE);
  assert_int_equal(lw_path_area(path, 1), GROUND);
  assert_near(lw_path_length(path), 5);
  assert_near(lw_path_cost(path), 5);
  assert_near(lw_path_remaining(path, 1), 4);
  assert_near(lw_path_remaining(path, 2), 1);
  assert_near(lw_path_remaining(path, 3), 0);
  lw_path_corridor(path, &count);
  assert_int_equal(count, 4); /* two squares on either side */
  lw_path_destroy(path);
  assert_int_equal(try(&s, 5.5f, 0.5f, &path), LW_NO_PATH); /* one way */
  grid_world_close(&s);
}

static void a_link_counts_for_its_own_length(void **state) {
  (void)state;
  static const char *const rows[] = {"..##.."};
  const support_link teleport = row_link(LW_LINK_TELEPORT, 1.5f, 4.5f, 0.25f);
  grid_world s = make_scene(rows, 1, &teleport, 1, NULL);
  lw_path *path = find(&s, 0.5f, 5.5f);
  assert_near(lw_path_length(path), 2.25f);
  assert_near(lw_path_cost(path), 2.25f);
  lw_path_destroy(path);
  grid_world_close(&s);
}

static void a_link_between_unlike_ends_pays_their_average_or_its_own_area(void **state) {
  (void)state;
  static const char *const rows[] = {"1##2"};
  support_link jump = row_link(LW_LINK_JUMP, 0.5f, 3.5f, -1);
  lw_profile_def car = car_def();
  grid_world s = make_scene(rows, 1, &jump, 1, &car);
  lw_path *path = find(&s, 0.5f, 3.5f);
  assert_near(lw_path_cost(path), 3 * (10 + 1) / 2.0f);
  int count;
  lw_path_points(path, &count); /* start and goal are both ends: no step is walked */
  assert_int_equal(count, 2);
  assert_int_equal(lw_path_link(path, 0), LW_LINK_JUMP);
  lw_path_destroy(path);
  grid_world_close(&s);
  jump.area = ROAD;
  s = make_scene(rows, 1, &jump, 1, &car);
  path = find(&s, 0.5f, 3.5f);
  assert_near(lw_path_cost(path), 3);
  assert_int_equal(lw_path_area(path, 0), ROAD);
  lw_path_destroy(path);
  grid_world_close(&s);
}

static bool takes(lw_link_kind kind, lw_area_id area, const lw_profile_def *def) {
  static const char *const rows[] = {"..##.."};
  support_link link = row_link(kind, 1.5f, 4.5f, -1);
  link.area = area;
  grid_world s = make_scene(rows, 1, &link, 1, def);
  lw_path *path;
  lw_status status = try(&s, 0.5f, 5.5f, &path);
  assert_true(status == LW_OK || status == LW_NO_PATH);
  lw_path_destroy(path);
  grid_world_close(&s);
  return status == LW_OK;
}

static void a_profile_says_which_links_it_takes(void **state) {
  (void)state;
  const lw_profile_def human = lw_profile_def_default();
  for (int kind = 0; kind < LW_LINK_KIND_COUNT; kind++) {
    lw_profile_def def = human;
    assert_true(takes((lw_link_kind)kind, LW_AREA_NONE, &def));
    assert_true(takes((lw_link_kind)kind, LW_AREA_NONE, NULL));
    def.can_take[kind] = false;
    assert_false(takes((lw_link_kind)kind, LW_AREA_NONE, &def));
    assert_true(takes((lw_link_kind)((kind + 1) % LW_LINK_KIND_COUNT), LW_AREA_NONE, &def));
  }
  lw_profile_def shy = human;
  shy.can_open_doors = false;
  assert_false(takes(LW_LINK_DOOR, LW_AREA_NONE, &shy));
  assert_true(takes(LW_LINK_LADDER, LW_AREA_NONE, &shy));
  lw_profile_def car = human;
  car.can_traverse[LW_WAYPOINT] = false;
  assert_false(takes(LW_LINK_WAYPOINT, LW_AREA_NONE, &car));
  assert_true(takes(LW_LINK_DROP, LW_AREA_NONE, &car));
  assert_false(takes(LW_LINK_JUMP, WATER, &human)); /* a profile that cannot swim takes no link through water */
  lw_profile_def swimmer = human;
  swimmer.can_swim = true;
  assert_true(takes(LW_LINK_JUMP, WATER, &swimmer));
}

static void links_are_taken_one_after_the_other(void **state) {
  (void)state;
  static const char *const rows[] = {".#.#.#."};
  const support_link links[] = {row_link(LW_LINK_JUMP, 0.5f, 2.5f, -1),
                                row_link(LW_LINK_TELEPORT, 2.5f, 6.5f, 0),
                                row_link(LW_LINK_DROP, 6.5f, 4.5f, -1)};
  grid_world s = make_scene(rows, 1, links, COUNT(links), NULL);
  lw_path *path = find(&s, 0.5f, 4.5f);
  int count;
  lw_path_points(path, &count);
  assert_int_equal(count, 4); /* every landing is the start of the next */
  assert_int_equal(lw_path_link(path, 0), LW_LINK_JUMP);
  assert_int_equal(lw_path_link(path, 1), LW_LINK_TELEPORT);
  assert_int_equal(lw_path_link(path, 2), LW_LINK_DROP);
  assert_near(lw_path_length(path), 4);
  lw_path_destroy(path);
  grid_world_close(&s);
}

static void a_link_behind_the_agent_that_shortens_the_path_is_taken(void **state) {
  (void)state;
  static const char *const rows[] = {"........................................"};
  const support_link teleport = row_link(LW_LINK_TELEPORT, 2.5f, 38.5f, 0);
  grid_world s = make_scene(rows, 1, &teleport, 1, NULL);
  lw_path *path = find(&s, 8.5f, 36.5f);
  assert_near(lw_path_length(path), 6 + 2);
  lw_path_destroy(path);
  path = find(&s, 8.5f, 15.5f); /* and not taken where it does not pay */
  assert_near(lw_path_length(path), 7);
  lw_path_destroy(path);
  grid_world_close(&s);
}

static void running_out_of_memory_is_a_status_and_leaks_nothing(void **state) {
  (void)state;
  static const char *const rows[] = {"..#..#.."};
  const support_link links[] = {row_link(LW_LINK_JUMP, 1.5f, 3.5f, 0),
                                row_link(LW_LINK_TELEPORT, 4.5f, 6.5f, -1)};
  grid_world s = make_scene(rows, 1, links, COUNT(links), NULL);
  int refused = 0;
  for (int left = 0;; left++) {
    support_memory memory = {.left = left};
    lw_world_def def = lw_world_def_default();
    def.navmesh = s.mesh;
    def.allocator = support_allocator(&memory);
    grid_world starved = s;
    lw_path *path = NULL;
    lw_status status = lw_world_create(&def, &starved.world, NULL);
    if (status == LW_OK) {
      status = try(&starved, 0.5f, 7.5f, &path);
      if (status == LW_OUT_OF_MEMORY) { /* and with memory again the same world answers */
        memory.left = -1;
        assert_int_equal(try(&starved, 0.5f, 7.5f, &path), LW_OK);
      }
      assert_int_equal(path->link_count, 2);
      lw_path_destroy(path);
      lw_world_destroy(starved.world);
    }
    assert_int_equal(memory.bytes, 0);
    if (status == LW_OK) break;
    assert_int_equal(status, LW_OUT_OF_MEMORY);
    refused += 1;
  }
  assert_true(refused > 15);
  grid_world_close(&s);
}

/* --- against a slow and obvious search: Dijkstra over points every tenth of each portal, and links ------------------- */

#define SIDE 11
#define PER_EDGE 11
#define LINKS_MAX 130 /* with more than 64 short ones the lower bound is another */

typedef struct oracle {
  const lw_navmesh *mesh;
  const lwi_prices *prices;
  uint32_t count, link_base; /* points of portals, then ends of links */
  lw_vec3 *points;
  double *cost;
  bool *done;
  double waypoint; /* the profile's factor */
} oracle;

static double price_in(const oracle *o, uint32_t polygon) {
  return (double)o->prices->per_metre[o->mesh->polygons.areas[polygon]];
}

/* On a waypoint edge it is its own factor that counts, whatever type the ground has. */
static double metre(const oracle *o, const lwi_link *link, lw_area_id area) {
  double price = (double)o->prices->per_metre[area];
  if (link->kind != LW_LINK_WAYPOINT || !isfinite(price)) return price;
  return 1 + o->waypoint * (double)lw_area_table_get(o->mesh->areas, area)->resistance;
}

/* INFINITY: it cannot be taken. */
static double link_cost(const oracle *o, const lwi_link *link) {
  const lw_area_id *ground = o->mesh->polygons.areas;
  double price = (metre(o, link, ground[link->from]) + metre(o, link, ground[link->to])) / 2;
  if (link->area != LW_AREA_NONE && isfinite(price)) price = metre(o, link, link->area);
  if (!(o->prices->filter.links & 1u << link->kind) || !isfinite(price)) return INFINITY;
  return (double)link->length * price;
}

static void reach_from(oracle *o, uint32_t polygon, lw_vec3 at, double so_far) {
  const lw_navmesh *mesh = o->mesh;
  double price = price_in(o, polygon);
  for (uint32_t k = mesh->graph.first_portal[polygon]; k < mesh->graph.end_portal[polygon]; k++) {
    if (!isfinite(price_in(o, mesh->graph.portals[k].to))) continue;
    for (uint32_t i = k * PER_EDGE; i < (k + 1) * PER_EDGE; i++)
      o->cost[i] = fmin(o->cost[i], so_far + (double)lwi_distance(at, o->points[i]) * price);
  }
  for (uint32_t k = 0; k < mesh->links.count; k++) {
    const lwi_link *link = &mesh->links.items[k];
    if (link->from != polygon) continue;
    double cost = so_far + (double)lwi_distance(at, link->start) * price + link_cost(o, link);
    o->cost[o->link_base + k] = fmin(o->cost[o->link_base + k], cost);
  }
}

static double oracle_cost(oracle *o, lw_vec3 from, uint32_t from_poly, lw_vec3 to, uint32_t to_poly) {
  for (uint32_t i = 0; i < o->count; i++) {
    o->cost[i] = INFINITY;
    o->done[i] = false;
  }
  double best = INFINITY, so_far = 0;
  uint32_t at_poly = from_poly;
  lw_vec3 at = from;
  for (;;) {
    if (at_poly == to_poly) best = fmin(best, so_far + (double)lwi_distance(at, to) * price_in(o, at_poly));
    reach_from(o, at_poly, at, so_far);
    uint32_t next = LWI_NONE;
    for (uint32_t i = 0; i < o->count; i++)
      if (!o->done[i] && isfinite(o->cost[i]) && (next == LWI_NONE || o->cost[i] < o->cost[next])) next = i;
    if (next == LWI_NONE || o->cost[next] >= best) return best;
    o->done[next] = true;
    so_far = o->cost[next];
    at = o->points[next];
    at_poly = next < o->link_base ? o->mesh->graph.portals[next / PER_EDGE].to
                                  : o->mesh->links.items[next - o->link_base].to;
  }
}

static oracle make_oracle(const lw_navmesh *mesh, const lwi_prices *prices) {
  uint32_t portal_points = mesh->graph.portal_count * PER_EDGE, count = portal_points + mesh->links.count;
  oracle o = {mesh,
              prices,
              count,
              portal_points,
              malloc(count * sizeof *o.points),
              malloc(count * sizeof *o.cost),
              malloc(count),
              0};
  assert_true(o.points && o.cost && o.done);
  for (uint32_t p = 0; p < mesh->polygons.count; p++)
    for (uint32_t k = mesh->graph.first_portal[p]; k < mesh->graph.end_portal[p]; k++) {
      lw_vec3 left, right;
      lwi_portal_points(mesh, p, &mesh->graph.portals[k], &left, &right);
      for (uint32_t i = 0; i < PER_EDGE; i++)
        o.points[k * PER_EDGE + i] = lwi_lerp(right, left, (float)i / (PER_EDGE - 1));
    }
  for (uint32_t k = 0; k < mesh->links.count; k++) o.points[portal_points + k] = mesh->links.items[k].end;
  return o;
}

static void drop_oracle(oracle *o) {
  free(o->points);
  free(o->cost);
  free(o->done);
}

static lw_vec3 random_place(lw_random *random) {
  return (lw_vec3){lwi_random_unit(random) * SIDE, 0, lwi_random_unit(random) * SIDE};
}

/* Of any kind, anywhere, also from a polygon into itself; some count for nothing, some for less or more than
   they are long. */
static int random_links(lw_random *random, bool many, const char (*text)[SIDE + 1], support_link *links) {
  int wanted = many ? LINKS_MAX : 1 + (int)(lwi_random_unit(random) * 24), count = 0;
  while (count < wanted) {
    support_link *link = &links[count];
    *link =
        (support_link){.kind = (lw_link_kind)(lwi_random_unit(random) * (int)LW_LINK_KIND_COUNT), .length = -1};
    link->from = random_place(random);
    link->to =
        lwi_random_unit(random) < 0.1f ? lwi_add(link->from, (lw_vec3){0.5f, 0, 0}) : random_place(random);
    float pick = lwi_random_unit(random), straight = lwi_distance(link->from, link->to);
    if (pick < 0.8f) link->length = pick < 0.3f ? 0 : straight * 2 * (pick - 0.25f);
    if (lwi_random_unit(random) < 0.2f) link->area = (lw_area_id)(1 + lwi_random_unit(random) * 3);
    if (link->to.x >= SIDE) continue;
    if (text[(int)link->from.z][(int)link->from.x] == '#' || text[(int)link->to.z][(int)link->to.x] == '#')
      continue;
    count += 1;
  }
  return count;
}

typedef struct excess {
  double sum, worst;
  int count, found, linked;
} excess;

static void check_pieces(const lw_path *path) {
  int count;
  const lw_vec3 *points = lw_path_points(path, &count);
  double length = 0;
  for (int i = 0; i + 1 < count; i++) {
    const lwi_path_link *link = lwi_path_link_at(path, i);
    length += link ? (double)link->length : (double)lwi_distance(points[i], points[i + 1]);
    /* Unit squares: a straight walk never skips one. */
    if (!link) assert_true(lwi_distance(points[i], points[i + 1]) < 1.5f * SIDE);
  }
  assert_near((float)length, lw_path_length(path));
  assert_near(lw_path_remaining(path, 0), lw_path_length(path));
}

static void compare(const grid_world *s, oracle *o, lw_vec3 a, lw_vec3 b, int round, excess *result) {
  lw_path_query query = lw_path_query_default();
  query.from = a;
  query.to = b;
  query.snap = (lw_vec3){0.5f, 1, 0.5f};
  query.profile = s->profile;
  lw_location from, to;
  const lw_filter *filter = &s->profile->prices.filter;
  if (lw_navmesh_nearest(s->mesh, a, query.snap, filter, &from) != LW_OK ||
      lw_navmesh_nearest(s->mesh, b, query.snap, filter, &to) != LW_OK)
    return;
  double expected = oracle_cost(o, from.point, lwi_poly_index(s->mesh, from.poly), to.point,
                                lwi_poly_index(s->mesh, to.poly));
  lw_path *path;
  lw_status status = lw_path_find(s->world, NULL, &query, &path);
  assert_int_equal(status, isfinite(expected) ? LW_OK : LW_NO_PATH);
  result->count += 1;
  if (!path) return;
  check_pieces(path);
  result->found += 1;
  result->linked += path->link_count > 0;
  double cost = (double)lw_path_cost(path), over = expected > 0.1 ? cost / expected - 1 : 0;
  /* Nothing is cheaper than the optimum, but for the oracle's own steps of 10 cm. */
  if (over < -0.03 || cost < expected - 0.2 - 0.03 * expected)
    fail_msg("seed %u, round %d: cost %g, but the optimum is %g", SEED, round, cost, expected);
  result->sum += over;
  result->worst = fmax(result->worst, over);
  lw_path_destroy(path);
}

static void play_round(lw_random *random, int round, excess *result) {
  char text[SIDE][SIDE + 1];
  const char *rows[SIDE];
  float holes = 0.25f + 0.4f * lwi_random_unit(random);
  for (int z = 0; z < SIDE; z++) {
    for (int x = 0; x < SIDE; x++) {
      float pick = lwi_random_unit(random);
      text[z][x] = pick < holes ? '#' : round % 2 == 0 || pick < 0.8f ? '1' : pick < 0.95f ? '2' : '3';
    }
    text[z][SIDE] = 0;
    rows[z] = text[z];
  }
  support_link links[LINKS_MAX];
  int link_count = random_links(random, round % 10 >= 8, (const char(*)[SIDE + 1]) text, links);
  lw_profile_def def = lw_profile_def_default();
  def.resistance_factor[LW_TRIANGULAR] = round % 2 ? 4.0f : 0.0f;
  def.resistance_factor[LW_WAYPOINT] = round % 2 ? 2.0f : 0.0f;
  def.can_swim = round % 3 == 0;
  def.can_take[round % LW_LINK_KIND_COUNT] = false;
  grid_world s = make_scene(rows, SIDE, links, link_count, &def);
  oracle o = make_oracle(s.mesh, &s.profile->prices);
  o.waypoint = (double)def.resistance_factor[LW_WAYPOINT];
  for (int i = 0; i < 12; i++) {
    lw_vec3 from = random_place(random), to = random_place(random);
    if (i % 4 == 1) from = links[i % link_count].from;
    if (i % 4 == 2) to = links[i % link_count].to;
    compare(&s, &o, from, to, round, result);
  }
  drop_oracle(&o);
  grid_world_close(&s);
}

static void paths_over_random_links_agree_with_a_plain_search(void **state) {
  (void)state;
  lw_random random = lwi_random_make(SEED, 0);
  excess of[2] = {{.sum = 0}, {.sum = 0}};
  for (int round = 0; round < 70; round++) play_round(&random, round, &of[round % 2]);
  printf("note: seed %u: %d paths, %d and %d over links; cost above the optimum, one price: mean %.2f %%, "
         "worst %.1f "
         "%%; two "
         "prices: mean %.2f %%, worst %.1f %%\n",
         SEED, of[0].found + of[1].found, of[0].linked, of[1].linked, 100 * of[0].sum / of[0].found,
         100 * of[0].worst, 100 * of[1].sum / of[1].found, 100 * of[1].worst);
  assert_true(of[0].linked > 60 && of[1].linked > 60 && of[0].found < of[0].count);
  assert_true(of[0].sum / of[0].found < 0.01 && of[1].sum / of[1].found < 0.02);
}

/* What the heuristic promises: never more than the exact path over links on open ground. */
static void the_lower_bound_holds(void **state) {
  (void)state;
  lw_random random = lwi_random_make(SEED, 1);
  static const char *const rows[] = {"...........", "...........", "...........", "...........",
                                     "...........", "...........", "...........", "...........",
                                     "...........", "...........", "..........."};
  double tight[2] = {0, 0};
  int count[2] = {0, 0};
  for (int round = 0; round < 12; round++) {
    char text[SIDE][SIDE + 1];
    for (int z = 0; z < SIDE; z++) memcpy(text[z], rows[z], SIDE + 1);
    support_link links[LINKS_MAX];
    int link_count = random_links(&random, round % 2, (const char(*)[SIDE + 1]) text, links);
    lw_profile_def def = lw_profile_def_default();
    grid_world s = make_scene(rows, SIDE, links, link_count, &def);
    oracle o = make_oracle(s.mesh, &s.profile->prices);
    lw_location goal, from;
    assert_int_equal(lw_navmesh_nearest(s.mesh, random_place(&random), (lw_vec3){1, 1, 1}, NULL, &goal), LW_OK);
    lwi_memory memory = lwi_memory_make(NULL);
    lwi_shortcuts shortcuts = {0};
    uint32_t to = lwi_poly_index(s.mesh, goal.poly);
    assert_true(lwi_shortcuts_begin(&shortcuts, &memory, s.mesh, &s.profile->prices, goal.point, to));
    for (int i = 0; i < 12; i++) {
      assert_int_equal(lw_navmesh_nearest(s.mesh, random_place(&random), (lw_vec3){1, 1, 1}, NULL, &from),
                       LW_OK);
      double exact = oracle_cost(&o, from.point, lwi_poly_index(s.mesh, from.poly), goal.point, to);
      double bound = (double)lwi_shortcuts_bound(&shortcuts, from.point);
      if (bound > exact + 1e-4) fail_msg("seed %u, round %d: bound %g of %g", SEED, round, bound, exact);
      tight[round % 2] += exact > 0 ? bound / exact : 1;
      count[round % 2] += 1;
    }
    lwi_shortcuts_free(&shortcuts, &memory);
    drop_oracle(&o);
    grid_world_close(&s);
  }
  printf("note: seed %u: the lower bound is %.0f %% of the path over few links, %.0f %% over many\n", SEED,
         100 * tight[0] / count[0], 100 * tight[1] / count[1]);
  assert_true(tight[0] / count[0] > 0.97 && tight[1] / count[1] > 0.3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(points_name_both_ends_of_a_link_and_its_kind),
      cmocka_unit_test(a_link_counts_for_its_own_length),
      cmocka_unit_test(a_link_between_unlike_ends_pays_their_average_or_its_own_area),
      cmocka_unit_test(a_profile_says_which_links_it_takes),
      cmocka_unit_test(links_are_taken_one_after_the_other),
      cmocka_unit_test(a_link_behind_the_agent_that_shortens_the_path_is_taken),
      cmocka_unit_test(running_out_of_memory_is_a_status_and_leaks_nothing),
      cmocka_unit_test(paths_over_random_links_agree_with_a_plain_search),
      cmocka_unit_test(the_lower_bound_holds),
  };
  return cmocka_run_group_tests_name("link_paths", tests, NULL, NULL);
}
