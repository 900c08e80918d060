/* Rounded paths in random levels of walls and roads: what they hold by plane geometry alone. The pieces keep the agent's
   radius from the boxes that the level was made of, arcs lie on their circles and meet the lines beside them without a
   corner, lengths, costs and dangers are those of the points. The seed is printed; LEEWARD_SEED sets it. */
#include "bake_scene.h"
#include "core/random.h"
#include "core/vec3.h"
#include "search/path.h"
#include "sight_scene.h"

#include "leeward/leeward.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#define SIDE 50.0f
#define LEVELS 5
#define PATHS 24 /* on each level, of each kind of agent, with dangers and without */
#define WALLS_MAX 14
#define DANGERS 6
/* A bake moves the navmesh's border by this much towards a wall: its greatest edge error, and cells. [m] */
#define BORDER_SLACK 0.35
/* How far a large agent may come nearer to walls than its radius (head of path.h). [m] */
#define CLEAR_SLACK 0.05
/* A point that lies no farther than half of this beside the line past it is no corner. [m] */
#define STRAIGHT 1.5e-3
/* No rounded path of these costs more than this times the taut one. */
#define COST_MAX 1.5

static const struct agent_kind {
  const char *name;
  float radius, turn_radius;
  bool minds_roads;
} KINDS[] = {{"walker", 0.4f, 0.6f, false},
             {"bicycle", 0.4f, 2, false},
             {"car", 1.1f, 4, false},
             {"cart", 0.4f, 1.5f, true}};
#define KIND_COUNT ((int)(sizeof KINDS / sizeof *KINDS))

typedef struct level {
  lw_geometry_box walls[WALLS_MAX];
  int wall_count;
  lw_danger_def dangers[DANGERS];
  int danger_count;
  lw_navmesh *navmesh;
  lw_world *world;
} level;

typedef struct counts {
  int paths, arcs, whole, in_place, dangerous;
  double longest; /* of the taut cost */
} counts;

static float between(lw_random *random, float low, float high) {
  return low + (high - low) * lwi_random_unit(random);
}

static lw_vec3 place(lw_random *random) {
  return (lw_vec3){between(random, 0, SIDE), 0, between(random, 0, SIDE)};
}

/* --- levels ------------------------------------------------------------------------------------------------- */

static void make_level(level *of, lw_random *random) {
  lw_geometry *geometry = scene_floor(scene_table, SIDE, SIDE);
  of->wall_count = 6 + (int)between(random, 0, WALLS_MAX - 6);
  for (int i = 0; i < of->wall_count; i++) {
    const float length = between(random, 1, 22);
    const bool along_x = lwi_random_unit(random) < 0.5f;
    of->walls[i] = (lw_geometry_box){.at = place(random),
                                     .size = along_x ? lwi_vec3(length, 2, 1) : lwi_vec3(1, 2, length),
                                     .area = LW_AREA_NONE};
    assert_int_equal(lw_geometry_add_box(geometry, &of->walls[i], NULL), LW_OK);
  }
  const lw_vec3 points[] = {place(random), place(random), place(random)};
  lw_mark_def mark = lw_mark_def_default(LW_MARK_PATH);
  mark.points = points;
  mark.point_count = 3;
  mark.area = SCENE_ROAD;
  mark.width = 4;
  assert_int_equal(lw_geometry_mark_area(geometry, &mark, NULL), LW_OK);
  lw_bake_settings settings = lw_bake_settings_default();
  settings.agent_radius = 0.4f;
  settings.cell_size = 0.2f;
  settings.tile_size = lwi_random_unit(random) < 0.5f ? 16 : 64;
  settings.threads = 1;
  of->navmesh = scene_bake(geometry, &settings, NULL);
  lw_geometry_destroy(geometry);
}

static void make_world(level *of, lw_random *random, bool has_dangers) {
  lw_world_def def = lw_world_def_default();
  def.navmesh = of->navmesh;
  assert_int_equal(lw_world_create(&def, &of->world, NULL), LW_OK);
  of->danger_count = has_dangers ? DANGERS : 0;
  for (int i = 0; i < of->danger_count; i++) {
    lw_danger_id id;
    of->dangers[i] = lw_danger_def_default();
    of->dangers[i].at = place(random);
    of->dangers[i].radius = between(random, 1, 5);
    assert_int_equal(lw_danger_add(of->world, &of->dangers[i], &id, NULL), LW_OK);
  }
}

static lw_profile *make_profile(const struct agent_kind *kind) {
  lw_profile_def def = lw_profile_def_default();
  lw_profile *profile;
  def.name = kind->name;
  def.radius = kind->radius;
  def.body.turn_radius = kind->turn_radius;
  def.danger_cost = 5;
  if (kind->minds_roads) def.area_factor[SCENE_GROUND] = 3;
  assert_int_equal(lw_profile_create(&def, scene_table, &profile, NULL), LW_OK);
  return profile;
}

/* --- plane geometry ----------------------------------------------------------------------------------------- */

static double distance_to_box(const lw_geometry_box *box, lw_vec3 at) {
  const double dx = fabs((double)at.x - (double)box->at.x) - (double)box->size.x / 2;
  const double dz = fabs((double)at.z - (double)box->at.z) - (double)box->size.z / 2;
  return hypot(fmax(0, dx), fmax(0, dz));
}

/* Samples every 5 cm: between them the distance changes by less than 3 cm. */
static void check_clear(const level *of, const lw_vec3 *points, int count, double radius, double slack) {
  for (int i = 0; i + 1 < count; i++) {
    const int samples = 1 + (int)(lwi_distance_xz(points[i], points[i + 1]) / 0.05f);
    for (int k = 0; k <= samples; k++) {
      const lw_vec3 at = lwi_lerp(points[i], points[i + 1], (float)k / (float)samples);
      assert_true(at.x > 0 && at.z > 0 && at.x < SIDE && at.z < SIDE);
      for (int w = 0; w < of->wall_count; w++) {
        const double distance = distance_to_box(&of->walls[w], at);
        if (distance < radius - slack)
          fail_msg("(%g, %g) is %g from wall %d", (double)at.x, (double)at.z, distance, w);
      }
    }
  }
}

/* Every piece lies on the navmesh: samples every 5 cm, but for 5 mm. */
static void check_on_ground(const level *of, const lw_vec3 *points, int count) {
  const lw_vec3 snap = {0.005f, 0.5f, 0.005f};
  for (int i = 0; i + 1 < count; i++) {
    const int samples = 1 + (int)(lwi_distance_xz(points[i], points[i + 1]) / 0.05f);
    for (int k = 0; k <= samples; k++) {
      const lw_vec3 at = lwi_lerp(points[i], points[i + 1], (float)k / (float)samples);
      lw_location on;
      if (lw_navmesh_nearest(of->navmesh, at, snap, NULL, &on) != LW_OK)
        fail_msg("(%g, %g) between point %d of %d and the next is not on the navmesh", (double)at.x,
                 (double)at.z, i, count);
    }
  }
}

static double heading(lw_vec3 a, lw_vec3 b) {
  return atan2(-((double)b.z - (double)a.z), (double)b.x - (double)a.x);
}
static double turn_between(double a, double b) {
  return remainder(b - a, 2 * acos(-1));
}

/* The arc that a point lies on; NULL: none. */
static const lw_path_arc *arc_at(const lw_path_arc *arcs, int count, int point) {
  for (int i = 0; i < count; i++)
    if (arcs[i].first <= point && point <= arcs[i].last) return &arcs[i];
  return NULL;
}

/* How far the heading may jump at the points of a range: in place by anything. */
static double max_turn(const lw_path_arc *arcs, int count, int from, int to) {
  double max = 0;
  for (int i = from; i <= to; i++) {
    const lw_path_arc *arc = arc_at(arcs, count, i);
    const double radius = arc ? (double)arc->radius : 1;
    max = fmax(max, arc ? 2 * acos(radius / (radius + (double)LW_PATH_ARC_SLACK)) : 0);
    if (radius <= 0) return 4;
  }
  return max;
}

static void check_arcs(const lw_path *path, double turn_radius) {
  int count, arc_count;
  const lw_vec3 *points = lw_path_points(path, &count);
  const lw_path_arc *arcs = lw_path_arcs(path, &arc_count);
  for (int i = 0; i < arc_count; i++) {
    const lw_path_arc *arc = &arcs[i];
    const double radius = (double)arc->radius;
    assert_true(arc->first > 0 && arc->first <= arc->last && arc->last + 1 < count);
    assert_true(i == 0 || arcs[i - 1].last <= arc->first);
    assert_true(radius >= 0 && radius <= turn_radius);
    assert_int_equal(arc->is_reduced, radius < turn_radius * 0.999);
    if (arc->radius <= 0) continue;
    assert_true(arc->first < arc->last);
    for (int k = arc->first; k <= arc->last; k++) {
      const double out = (double)lwi_distance_xz(points[k], arc->centre) - radius;
      const bool is_end = k == arc->first || k == arc->last;
      assert_true(out > -2e-3 && out < (is_end ? 0 : (double)LW_PATH_ARC_SLACK) + 2e-3);
    }
    const double from = heading(arc->centre, points[arc->first]), to = heading(arc->centre, points[arc->last]);
    assert_true(fabs(turn_between(from, (double)arc->from)) < 0.01);
    assert_true(fabs(turn_between(to, (double)arc->to)) < 0.01);
  }
}

/* Between pieces the heading jumps where the path turns in place, and else by no more than the tangents of an arc do. */
static void check_headings(const lw_path *path, counts *to) {
  int count, arc_count;
  const lw_vec3 *points = lw_path_points(path, &count);
  const lw_path_arc *arcs = lw_path_arcs(path, &arc_count);
  for (int i = 0, k; i + 1 < count; i = k) {
    for (k = i + 1; k + 1 < count && lwi_distance_xz(points[i], points[k]) < 0.01f;) k += 1;
    if (i == 0) continue;
    int before = i - 1;
    while (before > 0 && lwi_distance_xz(points[before], points[i]) < 0.01f) before -= 1;
    const double turn = fabs(turn_between(heading(points[before], points[i]), heading(points[i], points[k])));
    const double max = max_turn(arcs, arc_count, before + 1, k - 1);
    const float min = fminf(lwi_distance_xz(points[before], points[i]), lwi_distance_xz(points[i], points[k]));
    if (turn * (double)min < STRAIGHT) continue;
    if (turn > max + 0.03) fail_msg("point %d of %d turns by %g, expected %g at max", i, count, turn, max);
  }
  to->arcs += arc_count;
  for (int i = 0; i < arc_count; i++) {
    to->whole += !arcs[i].is_reduced;
    to->in_place += arcs[i].radius <= 0;
  }
}

/* --- what it costs ------------------------------------------------------------------------------------------ */

static void check_sums(const lw_path *path) {
  int count;
  const lw_vec3 *points = lw_path_points(path, &count);
  double length = 0;
  for (int i = 0; i + 1 < count; i++) length += (double)lwi_distance(points[i], points[i + 1]);
  assert_true(fabs(length - (double)lw_path_length(path)) < 1e-3 * (1 + length));
  const double cost = (double)lw_path_cost(path), sum = (double)lwi_path_cost_sum(path);
  assert_true(fabs(cost - sum) < 1e-3 * (1 + cost));
}

/* How often the polyline enters a danger; -1: it nearly touches it, so that rounding decides. */
static int entries_of(const lw_danger_def *danger, const lw_vec3 *points, int count) {
  int entries = 0;
  bool was_inside = danger->radius > lwi_distance_xz(points[0], danger->at); /* then it does not pay */
  for (int i = 0; i + 1 < count; i++) {
    const int samples = 1 + (int)(lwi_distance_xz(points[i], points[i + 1]) / 0.01f);
    for (int k = 0; k <= samples; k++) {
      const lw_vec3 at = lwi_lerp(points[i], points[i + 1], (float)k / (float)samples);
      const float in = danger->radius - lwi_distance_xz(at, danger->at);
      entries += in > 0 && !was_inside;
      was_inside = in > 0;
    }
  }
  float nearest = INFINITY;
  for (int i = 0; i + 1 < count; i++) {
    const float t = lwi_min(1, lwi_max(0, lwi_part_along_xz(points[i], points[i + 1], danger->at)));
    nearest = fminf(nearest, lwi_distance_xz(lwi_lerp(points[i], points[i + 1], t), danger->at));
  }
  return fabsf(nearest - danger->radius) < 0.03f ? -1 : entries;
}

static void check_dangers(const level *of, const lw_path *path, const lw_profile *profile, counts *to) {
  int count;
  const lw_vec3 *points = lw_path_points(path, &count);
  double sum = 0;
  for (int i = 0; i < of->danger_count; i++) {
    const int entries = entries_of(&of->dangers[i], points, count);
    if (entries < 0) return;
    sum += entries * (double)of->dangers[i].value * (double)lw_profile_get_def(profile)->danger_cost;
  }
  to->dangerous += sum > 0;
  if (fabs(sum - (double)lw_path_danger(path)) > 1e-3 * (1 + sum))
    fail_msg("dangers cost %g, expected %g", (double)lw_path_danger(path), sum);
}

/* --- the test ----------------------------------------------------------------------------------------------- */

static void check_path(const level *of, const struct agent_kind *kind, const lw_path_query *query, counts *to) {
  lw_path_query taut_query = *query;
  lw_path *taut, *path;
  taut_query.path_style = LW_PATH_TAUT;
  const lw_status status = lw_path_find(of->world, NULL, query, &path);
  assert_int_equal(lw_path_find(of->world, NULL, &taut_query, &taut), status);
  if (status != LW_OK) return;
  int count, taut_count, arc_count;
  const lw_vec3 *points = lw_path_points(path, &count), *ends = lw_path_points(taut, &taut_count);
  assert_true(lwi_equal(points[0], ends[0]) && lwi_equal(points[count - 1], ends[taut_count - 1]));
  assert_null(lw_path_arcs(taut, &arc_count));
  assert_int_equal(arc_count, 0);
  check_clear(of, points, count, (double)kind->radius, BORDER_SLACK + (kind->radius > 0.4f ? CLEAR_SLACK : 0));
  check_on_ground(of, points, count);
  check_arcs(path, (double)kind->turn_radius);
  check_headings(path, to);
  check_sums(path);
  check_dangers(of, path, query->profile, to);
  const double part = lw_path_cost(taut) > 0.1f ? (double)(lw_path_cost(path) / lw_path_cost(taut)) : 1;
  to->longest = fmax(to->longest, part);
  if (part >= COST_MAX)
    fail_msg("%s: costs %g over %g m, the taut one %g over %g m", kind->name, (double)lw_path_cost(path),
             (double)lw_path_length(path), (double)lw_path_cost(taut), (double)lw_path_length(taut));
  if (!kind->minds_roads && of->danger_count == 0) assert_true(part > 0.999);
  to->paths += 1;
  lw_path_destroy(path);
  lw_path_destroy(taut);
}

static void rounded_paths_hold_what_they_promise(void **state) {
  const uint64_t seed = sight_seed();
  lw_random random = lwi_random_make(seed, 0);
  counts of[KIND_COUNT][2] = {{{0}}};
  lw_profile *profiles[KIND_COUNT];
  (void)state;
  for (int i = 0; i < KIND_COUNT; i++) profiles[i] = make_profile(&KINDS[i]);
  for (int i = 0; i < LEVELS; i++) {
    level at = {0};
    make_level(&at, &random);
    for (int dangers = 0; dangers < 2; dangers++) {
      make_world(&at, &random, dangers == 1);
      for (int k = 0; k < KIND_COUNT * PATHS; k++) {
        lw_path_query query = lw_path_query_default();
        query.from = place(&random);
        query.to = place(&random);
        query.profile = profiles[k % KIND_COUNT];
        query.path_style = LW_PATH_ROUNDED;
        check_path(&at, &KINDS[k % KIND_COUNT], &query, &of[k % KIND_COUNT][dangers]);
      }
      lw_world_destroy(at.world);
    }
    lw_navmesh_destroy(at.navmesh);
  }
  for (int i = 0; i < KIND_COUNT; i++) {
    for (int k = 0; k < 2; k++) {
      const counts *all = &of[i][k];
      printf("note: seed %llu, %s%s: %d paths, %d arcs, %d of the whole radius, %d in place, %d in dangers; at "
             "max %.2f times the taut cost\n",
             (unsigned long long)seed, KINDS[i].name, k ? ", dangers" : "", all->paths, all->arcs, all->whole,
             all->in_place, all->dangerous, all->longest);
      assert_true(all->paths > LEVELS * PATHS / 2 && all->whole > all->arcs / (k ? 8 : 4));
    }
    lw_profile_destroy(profiles[i]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rounded_paths_hold_what_they_promise)};
  setvbuf(stdout, NULL, _IOLBF, 0);
  return cmocka_run_group_tests(tests, scene_open, scene_close);
}
