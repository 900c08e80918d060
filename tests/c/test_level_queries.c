/* Queries on the shared levels' navmeshes: each on 10,000 random inputs, compared with Detour or with a
   brute-force implementation. */
#include "level_test.h"

#include "leeward/query.h"

#include <stdlib.h>
#include <string.h>

#define INPUTS 10000

static const char *seed_text(const shared_level *level) {
  static char text[40];
  snprintf(text, sizeof text, "seed %llu", (unsigned long long)level->seed);
  return text;
}

/* --- contains and height ------------------------------------------------------------------------------------------- */

/* What counts as over a polygon beside its edge. [m] */
#define EDGE_SLACK 1e-3

/* @return How far above or below the nearest floor lies; INFINITY: there is none. */
static double nearest_floor(const lw_navmesh *mesh, const lw_box *boxes, lw_vec3 point, double slack) {
  double nearest = INFINITY;
  for (uint32_t p = 0; p < mesh->polygons.count; p++) {
    const lw_box *box = &boxes[p];
    if (point.x < box->min.x - 1 || point.x > box->max.x + 1 || point.z < box->min.z - 1 ||
        point.z > box->max.z + 1)
      continue;
    if (level_outside(mesh, p, point.x, point.z) > slack) continue;
    nearest = fmin(nearest, fabs((double)lwi_polygon_height(mesh, p, point.x, point.z) - point.y));
  }
  return nearest;
}

static void finds_the_floor_nearest_in_height_of_all_polygons(shared_level *level) {
  lw_box bounds = lw_navmesh_bounds(level->mesh), *boxes = level_boxes(level->mesh);
  int on = 0, off = 0;
  for (int i = 0; i < INPUTS; i++) {
    lw_vec3 point = level_place(level).point;
    if (i % 4 == 0) point.x = level_random(level, bounds.min.x - 1, bounds.max.x + 1);
    if (i % 4 == 1) point.z = level_random(level, bounds.min.z - 1, bounds.max.z + 1);
    point.y += level_random(level, -4, 4);
    /* Whether a hair beside an edge is over it may depend on rounding. */
    double hair = 1e-4 + level_rounding(point);
    double min = nearest_floor(level->mesh, boxes, point, EDGE_SLACK + hair);
    double max = nearest_floor(level->mesh, boxes, point, EDGE_SLACK - hair);
    float height = 0, tolerance = level_random(level, 0, 3);
    lw_status status = lw_navmesh_height(level->mesh, point, NULL, &height);
    double ours = status == LW_OK ? fabs((double)height - point.y) : INFINITY;
    if (ours < min - 1e-4 || (ours > max + 1e-4 && isfinite(max)) || (!isfinite(ours) && isfinite(max)))
      fail_msg("%s: the floor nearest to (%.9g, %g, %.9g) is %g m off, but should be %g..%g (%s)", level->name,
               (double)point.x, (double)point.y, (double)point.z, ours, min, max, seed_text(level));
    bool contains = lw_navmesh_contains(level->mesh, point, tolerance, NULL);
    if (max <= (double)tolerance - 1e-4) assert_true(contains);
    if (min > (double)tolerance + 1e-4) assert_false(contains);
    on += contains;
    off += !contains;
  }
  free(boxes);
  assert_true(on > 500 && off > 500);
}

/* --- walls ---------------------------------------------------------------------------------------------------------- */

#define WALL_REACH 12.0f
#define WALL_RAYS 24

/* How far a straight walk comes. [m] */
static double walk_from(const shared_level *level, lw_location from, lw_vec3 to) {
  lw_raycast ray;
  assert_int_equal(lw_navmesh_raycast(level->mesh, from, to, NULL, &ray), LW_OK);
  return (double)ray.t * (double)lwi_distance_xz(from.point, to);
}

/* The nearest wall is where the shortest of all straight walks ends: none ends before, and the one to it ends
   there. */
static void measures_walls_as_straight_walks_find_them(shared_level *level) {
  int found = 0, differences = 0;
  double worst = 0;
  for (int i = 0; i < INPUTS; i++) {
    lw_location from = level_place(level);
    lw_wall wall;
    lw_status status = lw_navmesh_distance_to_wall(level->mesh, from, WALL_REACH, NULL, &wall);
    assert_int_equal(status, LW_OK);
    double slack = 2e-3 + 4 * level_rounding(from.point), ours = (double)wall.distance;
    found += wall.found;
    float turn = level_random(level, 0, 6.2831853f);
    for (int k = 0; k < WALL_RAYS; k++) {
      double angle = (double)turn + 6.2831853 * k / WALL_RAYS;
      lw_vec3 to = {from.point.x + WALL_REACH * (float)cos(angle), from.point.y,
                    from.point.z + WALL_REACH * (float)sin(angle)};
      double far = walk_from(level, from, to);
      if (far < ours - slack)
        fail_msg("%s: from (%.9g, %g, %.9g) the nearest wall is %g m away, but a straight walk to (%.9g, %.9g) "
                 "ends after %g m (%s)",
                 level->name, (double)from.point.x, (double)from.point.y, (double)from.point.z, ours,
                 (double)to.x, (double)to.z, far, seed_text(level));
    }
    if (wall.found && ours > 0.02) {
      lw_vec3 beyond = lwi_lerp(from.point, wall.point, (float)((ours + 0.02) / ours));
      double far = walk_from(level, from, beyond);
      /* At an inner corner of the walls, and along one, the walk may slip by. */
      if (fabs(far - ours) > 0.02 + slack)
        fail_msg(
            "%s: from (%.9g, %g, %.9g) the nearest wall is %g m away, at (%.9g, %g, %.9g), but a straight walk "
            "there comes %g m (%s)",
            level->name, (double)from.point.x, (double)from.point.y, (double)from.point.z, ours,
            (double)wall.point.x, (double)wall.point.y, (double)wall.point.z, far, seed_text(level));
    }
    float theirs;
    if (!peer_wall(level->detour, lwi_poly_index(level->mesh, from.poly), from.point, WALL_REACH, &theirs))
      continue;
    double off = fabs((double)theirs - ours);
    if (off <= 0.01) continue;
    differences += 1;
    worst = fmax(worst, off);
  }
  printf("note: %s: %d of %d have a wall within %g m; Detour differs on %d, by %.2f m at most, where straight "
         "walks say "
         "ours\n",
         level->name, found, INPUTS, (double)WALL_REACH, differences, worst);
}

/* --- polygons about a place ---------------------------------------------------------------------------------------- */

#define AROUND_MAX 4096

static double portal_distance(const lw_navmesh *mesh, uint32_t polygon, const lwi_portal *portal,
                              lw_vec3 point) {
  lw_vec3 left, right;
  lwi_portal_points(mesh, polygon, portal, &left, &right);
  double dx = (double)left.x - right.x, dz = (double)left.z - right.z;
  double t = (((double)point.x - right.x) * dx + ((double)point.z - right.z) * dz) / (dx * dx + dz * dz);
  t = fmin(1, fmax(0, t));
  return hypot(right.x + dx * t - point.x, right.z + dz * t - point.z);
}

static bool *walk_within(const lw_navmesh *mesh, uint32_t start, lw_vec3 center, double radius, bool *reached,
                         uint32_t *queue) {
  int count = 1;
  memset(reached, 0, mesh->polygons.count * sizeof *reached);
  reached[start] = true;
  queue[0] = start;
  for (int i = 0; i < count; i++)
    for (uint32_t k = mesh->graph.first_portal[queue[i]]; k < mesh->graph.first_portal[queue[i] + 1]; k++) {
      uint32_t to = mesh->graph.portals[k].to;
      if (reached[to] || portal_distance(mesh, queue[i], &mesh->graph.portals[k], center) > radius) continue;
      reached[to] = true;
      queue[count++] = to;
    }
  return reached;
}

static void finds_the_polygons_about_a_place_that_detour_finds(shared_level *level) {
  static lw_poly_id ours[AROUND_MAX];
  static uint32_t theirs[AROUND_MAX], queue[AROUND_MAX];
  static bool min[AROUND_MAX], max[AROUND_MAX], found[AROUND_MAX];
  const lw_navmesh *mesh = level->mesh;
  assert_true(mesh->polygons.count <= AROUND_MAX);
  int differences = 0;
  long total = 0;
  for (int i = 0; i < INPUTS; i++) {
    lw_location from = level_place(level);
    uint32_t start = lwi_poly_index(mesh, from.poly);
    float radius = level_random(level, 0, 12);
    int count;
    assert_int_equal(
        lw_navmesh_polygons_around(mesh, (lw_circle){from, radius}, NULL, ours, AROUND_MAX, &count), LW_OK);
    total += count;
    /* Rounding decides about portals that the circle just touches. */
    double hair = 1e-4 + level_rounding(from.point);
    walk_within(mesh, start, from.point, (double)radius - hair, min, queue);
    walk_within(mesh, start, from.point, (double)radius + hair, max, queue);
    memset(found, 0, sizeof found);
    for (int k = 0; k < count; k++) found[lwi_poly_index(mesh, ours[k])] = true;
    for (uint32_t p = 0; p < mesh->polygons.count; p++)
      if (found[p] ? !max[p] : min[p])
        fail_msg("%s: polygon %u is%s among those within %g m of (%.9g, %g, %.9g) (%s)", level->name, p,
                 found[p] ? "" : " not", (double)radius, (double)from.point.x, (double)from.point.y,
                 (double)from.point.z, seed_text(level));
    int their_count = peer_around(level->detour, start, from.point, radius, theirs, AROUND_MAX), common = 0;
    for (int k = 0; k < their_count; k++) common += found[theirs[k]];
    differences += their_count != count || common != count;
  }
  /* Detour keeps the parts of tile borders that portals cover in 255ths, and tells distances to those. */
  printf("note: %s: %.1f polygons in a circle; Detour differs on %d of %d\n", level->name,
         (double)total / INPUTS, differences, INPUTS);
  assert_in_range(differences, 0, INPUTS / 100);
}

/* --- random points --------------------------------------------------------------------------------------------------- */

static void draws_points_in_the_circle_on_the_mesh_and_reachable(shared_level *level) {
  const lw_navmesh *mesh = level->mesh;
  for (int i = 0; i < INPUTS; i++) {
    lw_location center = level_place(level), at;
    lw_random_point_query query = lw_random_point_query_default();
    query.random = lw_world_random_stream(level->world);
    query.around = center.point;
    query.radius = level_random(level, 0.05f, 15);
    lw_status status = lw_random_point_find(level->world, NULL, &query, &at);
    if (status != LW_OK) fail_msg("%s: %s (%s)", level->name, lw_status_name(status), seed_text(level));
    double dx = (double)at.point.x - center.point.x, dz = (double)at.point.z - center.point.z;
    uint32_t index = lwi_poly_index(mesh, at.poly);
    assert_true(hypot(dx, dz) <= (double)query.radius);
    assert_true(level_outside(mesh, index, at.point.x, at.point.z) <= level_rounding(at.point));
    assert_true(at.point.y == lwi_polygon_height(mesh, index, at.point.x, at.point.z));
    lw_location snapped;
    assert_int_equal(lw_navmesh_nearest(mesh, center.point, query.snap, NULL, &snapped), LW_OK);
    assert_int_equal(mesh->graph.islands[index], mesh->graph.islands[lwi_poly_index(mesh, snapped.poly)]);
  }
}

int main(void) {
  static const level_check checks[] = {
      {"finds_the_floor_nearest_in_height_of_all_polygons", finds_the_floor_nearest_in_height_of_all_polygons},
      {"measures_walls_as_straight_walks_find_them", measures_walls_as_straight_walks_find_them},
      {"finds_the_polygons_about_a_place_that_detour_finds",
       finds_the_polygons_about_a_place_that_detour_finds},
      {"draws_points_in_the_circle_on_the_mesh_and_reachable",
       draws_points_in_the_circle_on_the_mesh_and_reachable},
  };
  return level_run("level_queries", checks, sizeof checks / sizeof *checks);
}
