/* Paths on the shared levels, beside Detour's on the same polygons. */
#include "level_test.h"

#include "leeward/path.h"

#include <math.h>

#define PAIRS 500
/* How far a path may be beside the mesh, and how far before its end a ray along a segment may stop. [m] */
#define WALL_SLACK 0.01

/* What came out over the pairs of one level. */
typedef struct totals {
  int found, unconnected, segments;
  int our_grazes, their_grazes; /* rays that stopped early where the segment touches a wall */
  double ratio;                 /* sum of our length / Detour's */
  double worst;
} totals;

static double straight_length(const lw_vec3 *points, int count) {
  double length = 0;
  for (int i = 0; i + 1 < count; i++)
    length += hypot((double)points[i + 1].x - points[i].x, (double)points[i + 1].z - points[i].z);
  return length;
}

static double off_corridor(const lw_navmesh *mesh, const lw_poly_id *corridor, int first, int last, double x,
                           double z) {
  double off = INFINITY;
  for (int i = first; i <= last; i++)
    off = fmin(off, level_outside(mesh, lwi_poly_index(mesh, corridor[i]), x, z));
  return off;
}

/* Does the segment, from `begin` metres on, stay over the polygons that the path takes there? By steps of a
   centimetre, with the distance to each polygon: what a ray says plays no part in it. */
static bool stays_over(const lw_navmesh *mesh, const lw_poly_id *corridor, int first, int last, lw_vec3 a,
                       lw_vec3 b, double begin) {
  double length = hypot((double)b.x - a.x, (double)b.z - a.z);
  for (double at = begin; at < length; at += 0.01) {
    double x = a.x + ((double)b.x - a.x) * at / length, z = a.z + ((double)b.z - a.z) * at / length;
    if (off_corridor(mesh, corridor, first, last, x, z) > WALL_SLACK) return false;
  }
  return true;
}

/* The last polygon of the corridor, from `from` on, that still holds the point without a break. -1: not even
   `from` nor the one behind it does. */
static int last_that_holds(const lw_navmesh *mesh, const lw_poly_id *corridor, int count, int from,
                           lw_vec3 point) {
  int found = -1;
  double slack = 1e-4 + level_rounding(point);
  for (int i = from; i < count; i++) {
    bool holds = level_outside(mesh, lwi_poly_index(mesh, corridor[i]), point.x, point.z) <= slack;
    if (holds) found = i;
    if (!holds && found >= 0) break;
  }
  return found;
}

/* A string pulled taut lies against the corners of walls, and where walls run along it, in them. So a ray along
   it may stop there by a rounding error that no agent can see. It counts as free when the ray comes to within 1
   cm of the segment's end, or else when the rest of the segment stays within 1 cm of the polygons that the path
   takes. */
static void check_segment(shared_level *level, const lw_poly_id *corridor, int first, int last, lw_vec3 a,
                          lw_vec3 b, totals *sums) {
  double length = hypot((double)b.x - a.x, (double)b.z - a.z);
  uint32_t polygon = lwi_poly_index(level->mesh, corridor[first]);
  lw_raycast ray;
  bool hit;
  float t;
  assert_int_equal(lw_navmesh_raycast(level->mesh, (lw_location){a, corridor[first]}, b, NULL, &ray), LW_OK);
  assert_true(peer_raycast(level->detour, polygon, a, b, &hit, &t));
  sums->segments++;
  double ours = (double)ray.t * length, theirs = (double)t * length;
  bool our_stop = length - ours > WALL_SLACK, their_stop = length - theirs > WALL_SLACK;
  sums->our_grazes += our_stop;
  sums->their_grazes += their_stop;
  if ((our_stop && !stays_over(level->mesh, corridor, first, last, a, b, ours)) ||
      (their_stop && !stays_over(level->mesh, corridor, first, last, a, b, theirs)))
    fail_msg(
        "%s: the segment (%.9g, %g, %.9g) .. (%.9g, %g, %.9g) goes through a wall after %g m (Detour: %g m) "
        "(seed %llu)",
        level->name, (double)a.x, (double)a.y, (double)a.z, (double)b.x, (double)b.y, (double)b.z, ours, theirs,
        (unsigned long long)level->seed);
}

static bool joined(const lw_navmesh *mesh, lw_poly_id from, lw_poly_id to) {
  uint32_t a = lwi_poly_index(mesh, from), b = lwi_poly_index(mesh, to);
  for (uint32_t k = mesh->graph.first_portal[a]; k < mesh->graph.end_portal[a]; k++)
    if (mesh->graph.portals[k].to == b) return true;
  return false;
}

static void check_path(shared_level *level, const lw_path *path, lw_location from, lw_location to,
                       totals *sums) {
  int count, polygons;
  const lw_vec3 *points = lw_path_points(path, &count);
  const lw_poly_id *corridor = lw_path_corridor(path, &polygons);
  assert_true(count >= 1 && polygons >= 1);
  for (int i = 0; i + 1 < polygons; i++) assert_true(joined(level->mesh, corridor[i], corridor[i + 1]));
  assert_true(lwi_distance_xz(points[0], from.point) <= 1e-3f + (float)level_rounding(from.point));
  assert_true(lwi_distance_xz(points[count - 1], to.point) <= 1e-3f + (float)level_rounding(to.point));
  double sum = 0;
  int at = last_that_holds(level->mesh, corridor, polygons, 0, points[0]);
  assert_int_not_equal(at, -1);
  for (int i = 0; i + 1 < count; i++) {
    int next = last_that_holds(level->mesh, corridor, polygons, at, points[i + 1]);
    if (next < 0)
      fail_msg("%s: point %d of the path from (%g, %g, %g) to (%g, %g, %g) is not in the corridor (seed %llu)",
               level->name, i + 1, (double)from.point.x, (double)from.point.y, (double)from.point.z,
               (double)to.point.x, (double)to.point.y, (double)to.point.z, (unsigned long long)level->seed);
    check_segment(level, corridor, at, next, points[i], points[i + 1], sums);
    sum += (double)lwi_distance(points[i], points[i + 1]);
    at = next;
  }
  assert_int_equal(at, polygons - 1);
  /* The length follows the surface; the points leave out what strays from the line by less than a
     centimetre. */
  double length = (double)lw_path_length(path);
  assert_true(length >= sum * (1 - 1e-5) - 1e-4 && length <= sum * 1.01 + 0.02 * count);
  assert_float_equal(lw_path_cost(path), lw_path_length(path), 1e-6f * lw_path_length(path));
}

static void compare_lengths(const lw_path *path, const peer_path *theirs, totals *sums) {
  int count;
  const lw_vec3 *points = lw_path_points(path, &count);
  double ours = straight_length(points, count), other = straight_length(theirs->points, theirs->point_count);
  double ratio = other > 0.01 ? ours / other : 1;
  sums->ratio += ratio;
  sums->worst = fmax(sums->worst, ratio);
}

static void check_pair(shared_level *level, lw_location from, lw_location to, totals *sums) {
  lw_path_query query = lw_path_query_default();
  query.from = from.point;
  query.to = to.point;
  lw_path *path;
  lw_status status = lw_path_find(level->world, NULL, &query, &path);
  peer_path theirs;
  assert_true(peer_find_path(level->detour, lwi_poly_index(level->mesh, from.poly), from.point,
                             lwi_poly_index(level->mesh, to.poly), to.point, &theirs));
  assert_false(theirs.out_of_nodes);
  if (status != LW_OK && status != LW_NO_PATH) fail_msg("%s: %s", level->name, lw_status_text(status));
  if ((status == LW_OK) != theirs.complete)
    fail_msg("%s: from (%g, %g, %g) to (%g, %g, %g): %s, Detour %s (seed %llu)", level->name,
             (double)from.point.x, (double)from.point.y, (double)from.point.z, (double)to.point.x,
             (double)to.point.y, (double)to.point.z, lw_status_name(status),
             theirs.complete ? "finds a path" : "finds none", (unsigned long long)level->seed);
  sums->unconnected += status == LW_NO_PATH;
  if (status != LW_OK) return;
  sums->found++;
  check_path(level, path, from, to, sums);
  compare_lengths(path, &theirs, sums);
  lw_path_destroy(path);
}

static void agrees_with_detour_on_what_can_be_reached_and_never_walks_through_walls(shared_level *level) {
  totals sums = {0};
  for (int i = 0; i < PAIRS; i++) check_pair(level, level_place(level), level_place(level), &sums);
  printf(
      "note: %s: %d of %d pairs connected, for us and for Detour; length %.4f of Detour's in the mean, %.3f at "
      "most; "
      "of %d segments %d of our rays and %d of Detour's stop at a wall that the segment touches (seed %llu)\n",
      level->name, sums.found, PAIRS, sums.ratio / sums.found, sums.worst, sums.segments, sums.our_grazes,
      sums.their_grazes, (unsigned long long)level->seed);
  assert_true(sums.found >= PAIRS / 20);
  assert_true(sums.ratio / sums.found <= 1.03);
}

/* Reachability by the islands, from every polygon to one of every island, and not for random pairs alone. */
static void joins_polygons_into_the_islands_that_detour_finds(shared_level *level) {
  const lw_navmesh *mesh = level->mesh;
  uint32_t first[LW_AREA_MAX + 1],
      islands = mesh->graph.island_count < LW_AREA_MAX ? mesh->graph.island_count : LW_AREA_MAX;
  for (uint32_t p = mesh->polygons.count; p-- > 0;)
    if (mesh->graph.islands[p] < islands) first[mesh->graph.islands[p]] = p;
  for (int i = 0; i < 2000; i++) {
    uint32_t island = (uint32_t)(level_random(level, 0, 1) * (float)islands), to = first[island];
    uint32_t from = (uint32_t)(level_random(level, 0, 1) * (float)mesh->polygons.count);
    lwi_polygon a = lwi_polygon_get(mesh, from), b = lwi_polygon_get(mesh, to);
    peer_path theirs;
    assert_true(peer_find_path(level->detour, from, lwi_corner(&a, 0), to, lwi_corner(&b, 0), &theirs));
    if (theirs.complete != (mesh->graph.islands[from] == island))
      fail_msg("%s: polygons %u and %u: Detour says %sconnected, we do not (seed %llu)", level->name, from, to,
               theirs.complete ? "" : "un", (unsigned long long)level->seed);
  }
}

int main(void) {
  static const level_check checks[] = {
      {"agrees_with_detour_on_what_can_be_reached_and_never_walks_through_walls",
       agrees_with_detour_on_what_can_be_reached_and_never_walks_through_walls},
      {"joins_polygons_into_the_islands_that_detour_finds", joins_polygons_into_the_islands_that_detour_finds},
  };
  return level_run("level paths", checks, sizeof checks / sizeof *checks);
}
