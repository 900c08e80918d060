/* The cost breakdown of a path, compared with the same terms computed from its points: the formula of the cost
   model written out once more, and the exposure to each threat by itself. */
#include "core/vec3.h"
#include "grid_world.h"
#include "leeward/leeward.h"
#include "random_world.h"
#include "links/jump_arc.h"
#include "search/explain.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define SEED 20261121u
#define ROUNDS 300
#define QUERIES 8
#define THREATS_MAX 3

static const char *const AREAS[] = {"ground", "mud", "river"};

static float between(lw_random *random, float low, float high) {
  return low + (high - low) * lwi_random_unit(random);
}

/* --- random prices ------------------------------------------------------------------------------------------------- */

static float some(lw_random *random, float max) {
  return random_pick(random, 3) == 0 ? 0 : max * lwi_random_unit(random);
}

static void shuffle_areas(lw_random *random, lw_area_table *areas) {
  for (int i = 0; i < 3; i++) {
    lw_area_def def = lw_area_def_default();
    def.name = AREAS[i];
    def.type = (lw_link_type)random_pick(random, 2);
    def.resistance = some(random, 2);
    def.concealment = some(random, 1);
    def.deep_water = i == 2 ? some(random, 1) : 0;
    def.unsafe = some(random, 1);
    def.exposure = some(random, 1);
    assert_int_equal(lw_area_table_set(areas, &def, NULL, NULL), LW_OK);
  }
}

static lw_profile *any_profile(lw_random *random, const lw_area_table *areas) {
  lw_profile_def def = lw_profile_def_default();
  def.name = "any";
  def.radius = between(random, 0, 0.6f);
  def.can_swim = true;
  for (int i = 0; i < LW_LINK_TYPE_COUNT; i++) def.resistance_factor[i] = some(random, 20);
  def.swim_resistance_factor = some(random, 5);
  def.safety_bias = some(random, 5);
  def.danger_cost = some(random, 20);
  def.exposure_factor = some(random, 5);
  def.cover_bias = 1 + some(random, 8);
  for (int i = 1; i <= 3; i++) def.area_factor[i] = some(random, 4);
  lw_profile *profile;
  assert_int_equal(lw_profile_create(&def, areas, &profile, NULL), LW_OK);
  return profile;
}

static int any_threats(lw_random *random, lw_threat *threats) {
  int count = random_pick(random, THREATS_MAX + 1);
  for (int i = 0; i < count; i++) {
    threats[i] = lw_threat_default();
    threats[i].at = lwi_add(random_place(random, random_pick(random, 2)), (lw_vec3){0, 1.6f, 0});
    threats[i].weight = between(random, 0, 2);
    if (random_pick(random, 2) == 0) threats[i].range = between(random, 3, 30);
    if (random_pick(random, 2) == 0) continue;
    threats[i].facing = (lw_vec3){between(random, -1, 1), 0, 1};
    threats[i].half_angle = between(random, 0.2f, 1.5f);
  }
  return count;
}

static void add_dangers(lw_random *random, lw_world *world) {
  for (int i = random_pick(random, 4); i > 0; i--) {
    lw_danger_def def = lw_danger_def_default();
    lw_danger_id id;
    def.at = random_place(random, random_pick(random, 2));
    def.radius = between(random, 0.5f, 3);
    def.value = between(random, 0.1f, 2);
    assert_int_equal(lw_danger_add(world, &def, &id, NULL), LW_OK);
  }
}

static void add_lanes(lw_random *random, lw_world *world) {
  for (int i = random_pick(random, 3); i > 0; i--) {
    int navmesh = random_pick(random, 2);
    const lw_vec3 chest = {0, 1, 0};
    lw_fire_lane_def def = lw_fire_lane_def_default();
    lw_fire_lane_id id;
    def.from = lwi_add(random_place(random, navmesh), chest);
    def.to = lwi_add(random_place(random, navmesh), chest);
    def.radius = between(random, 0.3f, 1.5f);
    def.weight = between(random, 0.2f, 2);
    assert_int_equal(lw_fire_lane_add(world, &def, &id, NULL), LW_OK);
  }
}

/* --- the oracle ---------------------------------------------------------------------------------------------------- */

typedef struct expected {
  double terms[LW_COST_TERM_COUNT], length, water, exposed_to[THREATS_MAX];
} expected;

typedef struct asked {
  lw_world *world;
  const lw_area_table *areas;
  const lw_path_query *query;
} asked;

static void expect_ground(const asked *a, lw_area_id id, double metres, double open, expected *sum) {
  const lw_area_def *area = lw_area_table_get(a->areas, id);
  const lw_profile_def *def = lw_profile_get_def(a->query->profile);
  sum->length += metres;
  sum->terms[LW_TERM_LENGTH] += metres;
  sum->terms[LW_TERM_RESISTANCE] +=
      metres * (double)def->resistance_factor[area->type] * (double)area->resistance;
  sum->terms[LW_TERM_OPENNESS] += metres * (double)def->exposure_factor * (double)area->exposure * open;
  sum->terms[LW_TERM_WATER] += metres * (double)def->swim_resistance_factor * (double)area->deep_water;
  sum->terms[LW_TERM_UNSAFE] += metres * (double)def->safety_bias * (double)area->unsafe;
  sum->terms[LW_TERM_AREA] += metres * (double)def->area_factor[id];
  sum->water += metres * (double)area->deep_water;
}

static void expect_seen(const asked *a, lw_area_id id, lw_vec3 from, lw_vec3 to, expected *sum) {
  const lw_profile_def *def = lw_profile_get_def(a->query->profile);
  const lw_area_def *area = lw_area_table_get(a->areas, id);
  for (int i = 0; i < a->query->threat_count; i++) {
    lw_exposure_query query = lw_exposure_query_default();
    lw_exposure seen;
    query.from = from;
    query.to = to;
    query.threats = &a->query->threats[i];
    query.threat_count = 1;
    assert_int_equal(lw_exposure_find(a->world, NULL, &query, &seen), LW_OK);
    sum->exposed_to[i] += (double)seen.exposed;
    sum->terms[LW_TERM_THREATS] +=
        ((double)def->cover_bias - 1) * (double)seen.weighted * (1 - (double)area->concealment);
  }
}

static double from_center(lw_vec3 center, lw_vec3 p) {
  return hypot((double)p.x - center.x, (double)p.z - center.z);
}

/* The smallest distance to the middle of a danger along the segment from `a` to `b`. */
static double nearest_to(lw_vec3 center, lw_vec3 a, lw_vec3 b) {
  double x = (double)b.x - a.x, z = (double)b.z - a.z, length2 = x * x + z * z;
  double t = length2 > 0 ? (((double)center.x - a.x) * x + ((double)center.z - a.z) * z) / length2 : 0;
  return from_center(center, lwi_lerp(a, b, (float)fmin(1, fmax(0, t))));
}

/* A disc is convex: a straight piece enters it once at most. @return false: too near its rim to tell. */
static bool expect_dangers(const asked *a, lw_vec3 from, lw_vec3 to, bool is_teleport, expected *sum) {
  const double rim = 0.03; /* what the path was thinned by, and rounding */
  double cost = (double)lw_profile_get_def(a->query->profile)->danger_cost;
  bool clear = true;
  for (lw_danger_id id = lw_danger_next(a->world, lw_danger_id_none()); !lw_danger_id_is_none(id);
       id = lw_danger_next(a->world, id)) {
    lw_danger_state danger;
    assert_int_equal(lw_danger_get_state(a->world, id, &danger), LW_OK);
    double radius = (double)danger.def.radius, start = from_center(danger.def.at, from);
    double min = is_teleport ? from_center(danger.def.at, to) : nearest_to(danger.def.at, from, to);
    if (min > radius + rim) continue;
    if (fabs(start - radius) < rim || fabs(min - radius) < rim) clear = false;
    if (start > radius && min < radius) sum->terms[LW_TERM_DANGER] += cost * (double)danger.value;
  }
  return clear;
}

/* If the piece behind point `i` is a link: the area of the piece behind it. */
static lw_area_id area_behind(const asked *a, const lw_path *path, int i) {
  int count, polygons;
  lw_path_points(path, &count);
  if (i + 2 < count) return lw_path_area(path, i + 1);
  const lw_poly_id *corridor = lw_path_corridor(path, &polygons);
  const lw_navmesh *mesh = lw_world_navmesh_at(a->world, lw_path_corridor_navmesh(path, polygons - 1));
  lw_poly poly;
  assert_int_equal(lw_navmesh_get_poly(mesh, corridor[polygons - 1], &poly), LW_OK);
  return poly.area;
}

/* Metres in a lane, by steps: the parts whose middles lie in it. */
#define PARTS 200
static void expect_lanes(const asked *a, lw_vec3 from, lw_vec3 to, expected *sum) {
  double cost = (double)lw_profile_get_def(a->query->profile)->cover_bias - 1;
  double part = (double)lwi_distance(from, to) / PARTS;
  for (lw_fire_lane_id id = lw_fire_lane_next(a->world, lw_fire_lane_id_none()); !lw_fire_lane_id_is_none(id);
       id = lw_fire_lane_next(a->world, id)) {
    lw_fire_lane_state lane;
    assert_int_equal(lw_fire_lane_get_state(a->world, id, &lane), LW_OK);
    for (int i = 0; i < PARTS; i++) {
      lw_vec3 at = lwi_lerp(from, to, ((float)i + 0.5f) / PARTS);
      if (nearest_to(at, lane.def.from, lane.def.to) < (double)lane.def.radius)
        sum->terms[LW_TERM_FIRE_LANES] += cost * (double)lane.def.weight * part;
    }
  }
}

/* What is seen of a link and lies in lanes, along the line that feet take, for the metres that it counts for. */
static void expect_over_link(const asked *a, const lw_path *path, int i, double metres, expected *sum) {
  int count, pieces = lw_path_link(path, i) == LW_LINK_JUMP ? 8 : 1;
  const lw_vec3 *ends = lw_path_points(path, &count) + i;
  const float rise = pieces > 1 ? lwi_jump_rise(ends[0], ends[1]) : 0;
  expected over = {0};
  double length = 0;
  for (int k = 0; k < pieces; k++) {
    const lw_vec3 from = lwi_jump_point(ends[0], ends[1], rise, (float)k / (float)pieces),
                  to = lwi_jump_point(ends[0], ends[1], rise, (float)(k + 1) / (float)pieces);
    length += (double)lwi_distance(from, to);
    expect_seen(a, lw_path_area(path, i), from, to, &over);
    expect_lanes(a, from, to, &over);
  }
  for (int k = 0; k < LW_COST_TERM_COUNT; k++) sum->terms[k] += metres / length * over.terms[k];
  for (int k = 0; k < a->query->threat_count; k++) sum->exposed_to[k] += metres / length * over.exposed_to[k];
}

/* @return false: a link of no area of its own, of which one cannot tell from outside what it averages; or the
   rim of a danger. */
static bool expect_piece(const asked *a, const lw_path *path, int i, expected *sum) {
  int count;
  const lw_vec3 *points = lw_path_points(path, &count);
  lw_area_id area = lw_path_area(path, i);
  if (lw_path_link(path, i) == LW_LINK_NONE) {
    expect_ground(a, area, (double)lwi_distance(points[i], points[i + 1]), 1, sum); /* all is open */
    expect_seen(a, area, points[i], points[i + 1], sum);
    expect_lanes(a, points[i], points[i + 1], sum);
    return expect_dangers(a, points[i], points[i + 1], false, sum);
  }
  double metres = (double)(lw_path_remaining(path, i) - lw_path_remaining(path, i + 1));
  const bool is_teleport = lw_path_link(path, i) == LW_LINK_TELEPORT;
  expect_ground(a, area, metres, is_teleport ? 0 : 1, sum); /* nowhere between its ends */
  if (!is_teleport) expect_over_link(a, path, i, metres, sum);
  return expect_dangers(a, points[i], points[i + 1], is_teleport, sum) && area == area_behind(a, path, i);
}

/* --- the checks ---------------------------------------------------------------------------------------------------- */

typedef struct totals {
  int paths, segments, links, crossed, unclear, longer, partial, endangered, in_lanes;
  double worst; /* of sum against cost */
} totals;

#define NEAR(a, b) assert_true(fabs((double)(a) - (double)(b)) <= 1e-3 * (1 + fabs((double)(b))))

static void check_segment(const asked *a, const lw_path *path, const lw_path_segment *segment, totals *t) {
  expected sum = {0};
  double cost = 0;
  bool clear = true;
  assert_true(segment->first < segment->last);
  assert_int_equal(segment->navmesh, lw_path_navmesh_at(path, segment->first));
  assert_int_equal(segment->type, segment->link == LW_LINK_WAYPOINT
                                      ? LW_WAYPOINT
                                      : lw_area_table_get(a->areas, segment->area)->type);
  for (int i = segment->first; i < segment->last; i++) {
    assert_int_equal(segment->area, lw_path_area(path, i));
    assert_int_equal(segment->link, lw_path_link(path, i));
    if (!expect_piece(a, path, i, &sum)) clear = false;
  }
  if (segment->link != LW_LINK_NONE) assert_int_equal(segment->last, segment->first + 1);
  for (int k = 0; k < LW_COST_TERM_COUNT; k++) {
    assert_true(segment->terms[k] >= 0);
    cost += (double)segment->terms[k];
    /* Points within a centimetre of the line are left out: what is seen begins and ends there a little off. */
    double slack = k == LW_TERM_THREATS ? 0.1 : k == LW_TERM_FIRE_LANES ? 1 : 1e-3;
    if (clear && fabs((double)segment->terms[k] - sum.terms[k]) >
                     slack + (k == LW_TERM_FIRE_LANES ? 0.02 : 1e-3) * sum.terms[k])
      fail_msg("%s: %g, expected %g", lw_cost_term_name((lw_cost_term)k), (double)segment->terms[k],
               sum.terms[k]);
  }
  NEAR(segment->cost, cost);
  NEAR(segment->length, sum.length);
  if (clear) NEAR(segment->water, sum.water);
  for (int k = 0; k < a->query->threat_count; k++)
    assert_true(fabs((double)segment->exposed_to[k] - sum.exposed_to[k]) < 0.02 + 1e-3 * sum.exposed_to[k]);
  t->unclear += !clear;
  t->in_lanes += clear && segment->terms[LW_TERM_FIRE_LANES] > 1;
  t->endangered += clear && segment->terms[LW_TERM_DANGER] > 0;
  t->links += segment->link != LW_LINK_NONE;
}

static void check_segments(const asked *a, const lw_path *path, const lw_explanation *e, totals *t) {
  int count, points;
  const lw_path_segment *segments = lw_explanation_segments(e, &count);
  double cost = 0, length = 0, exposed = 0;
  lw_path_points(path, &points);
  for (int i = 0; i < count; i++) {
    check_segment(a, path, &segments[i], t);
    assert_int_equal(segments[i].first, i > 0 ? segments[i - 1].last : 0);
    if (i > 0 && segments[i].link == LW_LINK_NONE && segments[i - 1].link == LW_LINK_NONE)
      assert_int_not_equal(segments[i].area, segments[i - 1].area); /* else they were one */
    cost += (double)segments[i].cost;
    length += (double)segments[i].length;
    exposed += (double)segments[i].exposed;
  }
  assert_int_equal(count > 0 ? segments[count - 1].last : 0, points - 1);
  NEAR(cost, lw_path_cost(path));
  NEAR(length, lw_path_length(path));
  NEAR(exposed, lw_path_exposed(path));
  t->segments += count;
}

static void check_total(const lw_path *path, const lw_path_segment *total, totals *t) {
  double sum = 0;
  for (int k = 0; k < LW_COST_TERM_COUNT; k++) sum += (double)total->terms[k];
  double off = fabs(sum - (double)lw_path_cost(path)) / fmax(1, (double)lw_path_cost(path));
  t->worst = fmax(t->worst, off);
  if (off > 1e-3) fail_msg("the terms sum up to %g, the path costs %g", sum, (double)lw_path_cost(path));
  NEAR(total->cost, sum);
  NEAR(total->length, lw_path_length(path));
  NEAR(total->terms[LW_TERM_LENGTH], lw_path_length(path));
}

/* The shortest path is what a profile with the same filter and no prices finds. */
static void check_comparison(const asked *a, const lw_explanation *e, totals *t) {
  const lw_path_comparison *beside = lw_explanation_comparison(e);
  const lw_path_segment *total = lw_explanation_total(e);
  lw_profile_def def = lw_profile_def_default();
  const lw_profile_def *own = lw_profile_get_def(a->query->profile);
  def.name = "plain";
  def.radius = own->radius;
  def.can_swim = own->can_swim;
  lw_profile *profile;
  assert_int_equal(lw_profile_create(&def, a->areas, &profile, NULL), LW_OK);
  lw_path_query query = *a->query;
  query.profile = profile;
  query.threat_count = 0;
  lw_path *plain;
  lw_status status = lw_path_find(a->world, NULL, &query, &plain);
  assert_true(status == LW_OK || status == LW_PARTIAL);
  assert_int_equal(beside->status, LW_OK);
  NEAR(beside->shortest.length, lw_path_length(plain));
  NEAR(beside->longer, total->length - lw_path_length(plain));
  NEAR(beside->saves, beside->shortest.cost - total->cost);
  expected sum = {0};
  int count;
  bool clear = true;
  lw_path_points(plain, &count);
  for (int i = 0; i + 1 < count; i++)
    if (!expect_piece(a, plain, i, &sum)) clear = false;
  for (int k = 0; k < LW_COST_TERM_COUNT && clear; k++)
    if (k != LW_TERM_THREATS && k != LW_TERM_FIRE_LANES) NEAR(beside->shortest.terms[k], sum.terms[k]);
  for (int k = 0; k < a->query->threat_count; k++) NEAR(beside->shortest.exposed_to[k], sum.exposed_to[k]);
  t->longer += beside->longer > 0.1f && beside->saves > 0.1f;
  lw_path_destroy(plain);
  lw_profile_destroy(profile);
}

static void explain_one(const asked *a, totals *t) {
  lw_path *path;
  lw_status status = lw_path_find(a->world, NULL, a->query, &path);
  if (status != LW_OK && status != LW_PARTIAL) return;
  lw_explanation *e;
  assert_int_equal(lw_path_explain(path, a->world, NULL, a->query, &e), LW_OK);
  check_segments(a, path, e, t);
  check_total(path, lw_explanation_total(e), t);
  check_comparison(a, e, t);
  int points;
  lw_path_points(path, &points);
  t->paths += 1;
  t->partial += status == LW_PARTIAL;
  t->crossed += lw_path_navmesh_at(path, points - 1) != lw_path_navmesh(path);
  lw_explanation_destroy(e);
  lw_path_destroy(path);
}

static void explain_world(lw_random *random, totals *t) {
  lw_area_table *areas = support_areas(AREAS, 3);
  shuffle_areas(random, areas);
  lw_navmesh *meshes[2];
  for (int i = 0; i < 2; i++) meshes[i] = random_mesh(random, areas, i);
  lw_world *world = random_world(random, (const lw_navmesh *const *)meshes, 2);
  lw_profile *profile = any_profile(random, areas);
  add_dangers(random, world);
  add_lanes(random, world);
  lw_threat threats[THREATS_MAX];
  lw_path_query query = lw_path_query_default();
  query.profile = profile;
  query.threats = threats;
  for (int i = 0; i < QUERIES; i++) {
    query.from = random_place(random, random_pick(random, 2));
    query.to = random_place(random, random_pick(random, 2));
    query.threat_count = any_threats(random, threats);
    query.allow_partial = random_pick(random, 4) == 0;
    explain_one(&(asked){world, areas, &query}, t);
  }
  lw_world_destroy(world);
  lw_profile_destroy(profile);
  for (int i = 0; i < 2; i++) lw_navmesh_destroy(meshes[i]);
  lw_area_table_destroy(areas);
}

static void terms_add_up_to_the_cost_of_any_path(void **state) {
  (void)state;
  lw_random random = lwi_random_make(SEED, 0);
  totals t = {0};
  for (int i = 0; i < ROUNDS; i++) explain_world(&random, &t);
  print_message("seed %u: %d paths of %d segments, %d links, %d unclear, %d in danger, %d in lanes, %d cross, "
                "%d partial, "
                "%d go round for"
                " a reason; sum off by %.2g at worst\n",
                SEED, t.paths, t.segments, t.links, t.unclear, t.endangered, t.in_lanes, t.crossed, t.partial,
                t.longer, t.worst);
  assert_true(t.paths > 500 && t.links > 200 && t.crossed > 100 && t.longer > 100);
  assert_true(t.unclear < t.segments / 5 && t.endangered > 50 && t.in_lanes > 200);
}

/* --- by hand ------------------------------------------------------------------------------------------------------- */

/* 12 m across: the river (r) or a bridge of road round about. */
static const char *const RIVER[] = {
    "..rr..", //
    "..rr..", //
    "..rr..", //
    "..dd..",
};

typedef struct scene {
  grid_world grid;
  lw_path_query query;
  lw_path *path;
} scene;

static scene make_scene(float swim) {
  static const char *const names[] = {"ground", "road", "river"};
  char rows[4][8];
  const char *lines[4];
  lw_area_table *areas = support_areas(names, 3);
  for (int i = 0; i < 4; i++) {
    snprintf(rows[i], sizeof rows[i], "%s", RIVER[i]);
    for (char *c = rows[i]; *c; c++) *c = *c == 'r' ? '3' : *c == 'd' ? '2' : *c;
    lines[i] = rows[i];
  }
  lw_area_def river = lw_area_def_default();
  river.name = "river";
  river.deep_water = 1;
  assert_int_equal(lw_area_table_set(areas, &river, NULL, NULL), LW_OK);
  lw_profile_def profile = lw_profile_def_default();
  profile.name = "swimmer";
  profile.radius = 0;
  profile.can_swim = true;
  profile.swim_resistance_factor = swim;
  scene s = {.grid = grid_world_open_on(areas, support_grid(areas, lines, 4, 2), &profile, NULL)};
  s.query = lw_path_query_default();
  s.query.from = (lw_vec3){1, 0, 1};
  s.query.to = (lw_vec3){11, 0, 1};
  s.query.profile = s.grid.profile;
  assert_int_equal(lw_path_find(s.grid.world, NULL, &s.query, &s.path), LW_OK);
  return s;
}

static void drop_scene(scene *s) {
  lw_path_destroy(s->path);
  grid_world_close(&s->grid);
}

static void assert_sentence(const lw_explanation *e, const char *wanted) {
  char text[256];
  int length = lw_explanation_sentence(e, text, sizeof text);
  assert_int_equal(length, strlen(text));
  assert_string_equal(text, wanted);
}

static void a_path_round_the_water_says_what_it_saves(void **state) {
  (void)state;
  scene s = make_scene(3);
  lw_explanation *e;
  assert_int_equal(lw_path_explain(s.path, s.grid.world, NULL, &s.query, &e), LW_OK);
  const lw_path_comparison *beside = lw_explanation_comparison(e);
  double round = 2 * hypot(3, 5) + 4; /* over the bridge's near corners (4, 6) and (8, 6) */
  assert_float_equal(lw_explanation_total(e)->length, (float)round, 1e-3);
  assert_float_equal(beside->shortest.length, 10, 1e-3);
  assert_float_equal(beside->shortest.water, 4, 1e-3);
  assert_float_equal(beside->shortest.terms[LW_TERM_WATER], 12, 1e-3);
  assert_float_equal(beside->saves, (float)(22 - round), 1e-3);
  assert_sentence(e, "5.7 m longer, saves 6.3: 4.0 m of water");
  int count;
  const lw_path_segment *segments = lw_explanation_segments(e, &count);
  assert_int_equal(count, 3);
  assert_int_equal(segments[1].area, 2);
  assert_float_equal(segments[1].length, 4, 1e-3);
  lw_explanation_destroy(e);
  drop_scene(&s);
}

/* The search by length alone finds nearly the shortest path: the path explained may be shorter. */
static void a_path_shorter_than_the_plain_one_is_not_called_longer(void **state) {
  (void)state;
  scene s = make_scene(3);
  lw_explanation *e;
  char text[1024];
  assert_int_equal(lw_path_explain(s.path, s.grid.world, NULL, &s.query, &e), LW_OK);
  e->comparison.longer = -5.9f;
  assert_sentence(e, "5.9 m shorter than the path searched by length, saves 6.3: 4.0 m of water");
  lw_explanation_table(e, text, sizeof text);
  assert_null(strstr(text, "shortest"));
  assert_non_null(strstr(text, "\nby length  "));
  e->comparison.saves = -2;
  assert_sentence(e, "5.9 m shorter than the path searched by length, and costs 2.0 more");
  e->comparison.longer = 0.01f;
  assert_sentence(e, "as long as the shortest path, and costs 2.0 more");
  e->comparison.longer = 3;
  assert_sentence(e, "3.0 m longer, and costs 2.0 more than the shortest path");
  lw_explanation_destroy(e);
  drop_scene(&s);
}

static void the_shortest_path_says_what_it_costs_beyond_its_length(void **state) {
  (void)state;
  scene s = make_scene(1);
  lw_explanation *e;
  assert_int_equal(lw_path_explain(s.path, s.grid.world, NULL, &s.query, &e), LW_OK);
  assert_sentence(e, "the shortest path, costs 4.0 more than its length: 4.0 m of water");
  lw_explanation_destroy(e);
  drop_scene(&s);
  s = make_scene(0);
  assert_int_equal(lw_path_explain(s.path, s.grid.world, NULL, &s.query, &e), LW_OK);
  assert_sentence(e, "the shortest path");
  lw_explanation_destroy(e);
  drop_scene(&s);
}

static void an_explanation_needs_no_world(void **state) {
  (void)state;
  scene s = make_scene(3);
  lw_explanation *e, *without;
  assert_int_equal(lw_path_explain(s.path, s.grid.world, NULL, &s.query, &e), LW_OK);
  assert_int_equal(lw_path_explain(s.path, NULL, NULL, &s.query, &without), LW_OK);
  lw_world_destroy(s.grid.world);
  lw_profile_destroy(s.grid.profile);
  s.grid.world = NULL;
  s.grid.profile = NULL;
  lw_path_destroy(s.path);
  s.path = NULL;
  assert_memory_equal(lw_explanation_total(e)->terms, lw_explanation_total(without)->terms,
                      sizeof lw_explanation_total(e)->terms);
  assert_int_equal(lw_explanation_comparison(without)->status, LW_EMPTY);
  assert_sentence(without, "costs its length");
  assert_sentence(e, "5.7 m longer, saves 6.3: 4.0 m of water");
  lw_explanation_destroy(e);
  lw_explanation_destroy(without);
  drop_scene(&s);
}

static void an_explanation_for_other_threats_has_no_comparison(void **state) {
  (void)state;
  scene s = make_scene(3);
  lw_threat threat = lw_threat_default();
  lw_explanation *e;
  s.query.threats = &threat;
  s.query.threat_count = 1;
  assert_int_equal(lw_path_explain(s.path, s.grid.world, NULL, &s.query, &e), LW_OK);
  assert_int_equal(lw_explanation_comparison(e)->status, LW_INVALID);
  assert_sentence(e,
                  "costs its length; not compared with the shortest path: it was searched with other threats");
  lw_explanation_destroy(e);
  drop_scene(&s);
}

static void the_table_is_aligned_and_leaves_out_terms_of_zero(void **state) {
  (void)state;
  scene s = make_scene(3);
  lw_explanation *e;
  char text[1024], cut[40];
  assert_int_equal(lw_path_explain(s.path, s.grid.world, NULL, &s.query, &e), LW_OK);
  int length = lw_explanation_table(e, text, sizeof text);
  assert_int_equal(length, strlen(text));
  assert_string_equal(text, "points    area    link        length  water  cost  m of water\n"
                            "1-2       ground  triangular     5.8    0.0   5.8         0.0\n"
                            "2-3       road    triangular     4.0    0.0   4.0         0.0\n"
                            "3-4       ground  triangular     5.8    0.0   5.8         0.0\n"
                            "all                             15.7    0.0  15.7         0.0\n"
                            "shortest                        10.0   12.0  22.0         4.0\n"
                            "5.7 m longer, saves 6.3: 4.0 m of water");
  assert_int_equal(lw_explanation_table(e, cut, sizeof cut), length);
  assert_int_equal(strlen(cut), sizeof cut - 1);
  assert_int_equal(lw_explanation_table(e, NULL, 0), length);
  lw_explanation_destroy(e);
  drop_scene(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(terms_add_up_to_the_cost_of_any_path),
      cmocka_unit_test(a_path_round_the_water_says_what_it_saves),
      cmocka_unit_test(a_path_shorter_than_the_plain_one_is_not_called_longer),
      cmocka_unit_test(the_shortest_path_says_what_it_costs_beyond_its_length),
      cmocka_unit_test(an_explanation_needs_no_world),
      cmocka_unit_test(an_explanation_for_other_threats_has_no_comparison),
      cmocka_unit_test(the_table_is_aligned_and_leaves_out_terms_of_zero),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
