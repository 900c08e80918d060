/* A visibility graph. Within a convex polygon the shortest route past capsules turns about the discs at their ends
   alone, so that the places to turn at are points of these circles: the corners of a regular polygon, and both
   ends of every arc that neither the outline nor another capsule covers. Routes are rare and polygons have few
   walls, so that the graph is not stored: A* tests a line when it would shorten a route, and if it touches the
   discs at both of its ends, as all lines of a shortest route do. */
#include "search/clearance_route.h"

#include <stdlib.h>

/* The sagitta between neighbouring corners on a circle. [m] */
#define SAGITTA 0.005
/* Corners on a circle at least. */
#define CORNERS_MIN 8
/* How far places may lie within capsules or outside of the polygon: rounding. [m] */
#define PLACE_SLACK 1e-3
/* Walls that a route may be held against, and lines looked at. */
#define WORK_MAX 8000000
#define TWO_PI 6.283185307179586

enum { START, GOAL };

typedef struct routing {
  lwi_route_scratch *scratch;
  lwi_barriers walls;
  int corner_count, center_count, node_count;
  double slack;
  uint32_t blocker; /* the wall that blocked the last line */
  int64_t work;     /* what is left of WORK_MAX */
} routing;

void lwi_route_scratch_free(lwi_route_scratch *scratch) {
  lwi_memory *memory = scratch->memory;
  if (!memory) return;
  lwi_free(memory, scratch->nodes, (size_t)scratch->node_capacity * sizeof *scratch->nodes);
  lwi_free(memory, scratch->corners, (size_t)scratch->corner_capacity * sizeof *scratch->corners);
  lwi_free(memory, scratch->centers, (size_t)scratch->center_capacity * sizeof *scratch->centers);
  lwi_free(memory, scratch->points, (size_t)scratch->point_capacity * sizeof *scratch->points);
  *scratch = (lwi_route_scratch){.memory = memory};
}

/* Do walls leave the line free? What blocked the last one often blocks the next. */
static bool is_free(routing *run, lwi_point2 a, lwi_point2 b, double slack) {
  const lwi_barriers last = {run->walls.all, run->walls.near + run->blocker, run->walls.count > 0,
                             run->walls.keep};
  run->work -= 1;
  if (!lwi_region_clear(&last, a, b, slack)) return false;
  for (uint32_t i = 0; i < run->walls.count; i++) {
    const lwi_barriers one = {run->walls.all, run->walls.near + i, 1, run->walls.keep};
    run->work -= 1;
    if (lwi_region_clear(&one, a, b, slack)) continue;
    run->blocker = i;
    return false;
  }
  return true;
}

/* --- places to turn at ------------------------------------------------------------------------------------ */

static bool is_inside(const routing *run, lwi_point2 at) {
  for (int i = 0; i < run->corner_count; i++) {
    lwi_point2 a = run->scratch->corners[i], b = run->scratch->corners[i + 1 < run->corner_count ? i + 1 : 0];
    if (lwi_point2_turn(a, b, at) < -PLACE_SLACK * lwi_point2_distance(a, b)) return false;
  }
  return true;
}

static bool add_node(routing *run, lwi_point2 at, lwi_point2 outward) {
  lwi_route_scratch *scratch = run->scratch;
  if (!lwi_reserve(scratch->memory, &scratch->nodes, &scratch->node_capacity, run->node_count + 1,
                   sizeof *scratch->nodes))
    return false;
  scratch->nodes[run->node_count++] = (lwi_route_node){.at = at, .outward = outward, .g = INFINITY};
  return true;
}

/* @param center  Of the disc that routes turn about here; NULL: two discs or the outline meet, and a route may
     come from anywhere. */
static bool add_place(routing *run, lwi_point2 at, const lwi_point2 *center) {
  if (run->work < 0 || !is_inside(run, at) || !is_free(run, at, at, PLACE_SLACK)) return true;
  const double keep = run->walls.keep;
  const lwi_point2 none = {0, 0};
  return add_node(run, at, center ? (lwi_point2){(at.x - center->x) / keep, (at.z - center->z) / keep} : none);
}

/* The angle between neighbouring corners on a circle. */
static double step_of(const routing *run) {
  const double step = 2 * acos(fmax(-1, 1 - SAGITTA / run->walls.keep));
  return TWO_PI / fmax(CORNERS_MIN, ceil(TWO_PI / step));
}

static bool add_corners(routing *run, lwi_point2 center) {
  const double keep = run->walls.keep;
  const int count = (int)lround(TWO_PI / step_of(run));
  for (int i = 0; i < count; i++) {
    double angle = TWO_PI * i / count;
    const lwi_point2 at = {center.x + keep * cos(angle), center.z + keep * sin(angle)};
    if (!add_place(run, at, &center)) return false;
  }
  return true;
}

/* Where the circle crosses the line through a and b. @param touches  The line leaves the circle along a tangent. */
static bool add_crossings(routing *run, lwi_point2 center, lwi_point2 a, lwi_point2 b, bool touches) {
  double length = lwi_point2_distance(a, b), keep = run->walls.keep;
  if (!(length > 0)) return true;
  double ux = (b.x - a.x) / length, uz = (b.z - a.z) / length;
  double along = (center.x - a.x) * ux + (center.z - a.z) * uz, off = lwi_point2_turn(a, b, center) / length;
  if (!(fabs(off) < keep)) return true;
  double half = sqrt(keep * keep - off * off);
  const lwi_point2 *about = touches ? &center : NULL;
  return add_place(run, (lwi_point2){a.x + (along - half) * ux, a.z + (along - half) * uz}, about) &&
         add_place(run, (lwi_point2){a.x + (along + half) * ux, a.z + (along + half) * uz}, about);
}

/* Where two circles cross: on the line between their centers, at right angles. */
static bool add_meetings(routing *run, lwi_point2 center, lwi_point2 other) {
  double distance = lwi_point2_distance(center, other);
  if (!(distance > 0 && distance < 2 * run->walls.keep)) return true;
  lwi_point2 middle = lwi_point2_lerp(center, other, 0.5);
  lwi_point2 ahead = {middle.x - (other.z - center.z), middle.z + other.x - center.x};
  return add_crossings(run, center, middle, ahead, false);
}

/* Where the circle crosses the sides of a capsule. */
static bool add_side_crossings(routing *run, lwi_point2 center, const lwi_barrier *wall) {
  lwi_point2 a = {wall->ax, wall->az}, b = {wall->bx, wall->bz};
  double length = lwi_point2_distance(a, b);
  if (!(length > 0) || lwi_barrier_distance(wall, center, center) >= 2 * run->walls.keep) return true;
  const bool own = (a.x == center.x && a.z == center.z) || (b.x == center.x && b.z == center.z);
  double x = (b.z - a.z) / length * run->walls.keep, z = (a.x - b.x) / length * run->walls.keep;
  return add_crossings(run, center, (lwi_point2){a.x + x, a.z + z}, (lwi_point2){b.x + x, b.z + z}, own) &&
         add_crossings(run, center, (lwi_point2){a.x - x, a.z - z}, (lwi_point2){b.x - x, b.z - z}, own);
}

static bool add_places_about(routing *run, lwi_point2 center) {
  const lwi_route_scratch *scratch = run->scratch;
  if (!add_corners(run, center)) return false;
  for (int i = 0; i < run->corner_count; i++)
    if (!add_crossings(run, center, scratch->corners[i],
                       scratch->corners[i + 1 < run->corner_count ? i + 1 : 0], false))
      return false;
  for (int i = 0; i < run->center_count; i++)
    if (!add_meetings(run, center, scratch->centers[i])) return false;
  for (uint32_t i = 0; i < run->walls.count; i++)
    if (!add_side_crossings(run, center, &run->walls.all[run->walls.near[i]])) return false;
  return true;
}

static int compare_points(const void *left, const void *right) {
  const lwi_point2 *a = left, *b = right;
  if (a->x != b->x) return a->x < b->x ? -1 : 1;
  return (a->z > b->z) - (a->z < b->z);
}

/* The ends of the walls, each once. */
static bool find_centers(routing *run) {
  lwi_route_scratch *scratch = run->scratch;
  int count = 0;
  if (!lwi_reserve(scratch->memory, &scratch->centers, &scratch->center_capacity, 2 * (int)run->walls.count,
                   sizeof *scratch->centers))
    return false;
  for (uint32_t i = 0; i < run->walls.count; i++) {
    const lwi_barrier *wall = &run->walls.all[run->walls.near[i]];
    scratch->centers[count++] = (lwi_point2){wall->ax, wall->az};
    scratch->centers[count++] = (lwi_point2){wall->bx, wall->bz};
  }
  if (count > 0) qsort(scratch->centers, (size_t)count, sizeof *scratch->centers, compare_points);
  run->center_count = 0;
  for (int i = 0; i < count; i++)
    if (i == 0 || compare_points(&scratch->centers[i], &scratch->centers[i - 1]) != 0)
      scratch->centers[run->center_count++] = scratch->centers[i];
  return true;
}

static bool find_places(routing *run, const lw_navmesh *mesh, uint32_t index) {
  lwi_route_scratch *scratch = run->scratch;
  lwi_polygon polygon = lwi_polygon_get(mesh, index);
  if (!lwi_reserve(scratch->memory, &scratch->corners, &scratch->corner_capacity, (int)polygon.count,
                   sizeof *scratch->corners) ||
      !find_centers(run))
    return false;
  run->corner_count = (int)polygon.count;
  for (int i = 0; i < run->corner_count; i++)
    scratch->corners[i] = lwi_point2_of(lwi_corner(&polygon, (uint32_t)i));
  for (int i = 0; i < run->center_count; i++)
    if (!add_places_about(run, scratch->centers[i])) return false;
  return true;
}

/* --- the search ------------------------------------------------------------------------------------------- */

/* How far a line may turn away from the tangent of a disc that it touches: a step of the circle, and what may be
   cut off it. [sine] */
static double steepest(const routing *run) {
  const double turn = step_of(run) + acos(fmax(0, 1 - run->slack / run->walls.keep));
  return turn < TWO_PI / 4 ? sin(turn) : 1;
}

static bool is_touching(const lwi_route_node *node, double dx, double dz, double limit) {
  return fabs(dx * node->outward.x + dz * node->outward.z) <= limit;
}

static void relax_all(routing *run, int from, double steep) {
  lwi_route_node *nodes = run->scratch->nodes;
  run->work -= run->node_count;
  for (int i = GOAL; i < run->node_count; i++) {
    if (nodes[i].closed) continue;
    const double dx = nodes[i].at.x - nodes[from].at.x, dz = nodes[i].at.z - nodes[from].at.z;
    const double distance = lwi_point2_distance(nodes[from].at, nodes[i].at), g = nodes[from].g + distance;
    if (!(g < nodes[i].g) || !is_touching(&nodes[from], dx, dz, steep * distance) ||
        !is_touching(&nodes[i], dx, dz, steep * distance))
      continue;
    if (!is_free(run, nodes[from].at, nodes[i].at, run->slack)) continue;
    nodes[i].g = g;
    nodes[i].parent = from;
    nodes[i].f = g + lwi_point2_distance(nodes[i].at, nodes[GOAL].at);
  }
}

/* A*. @return Also true when it takes too long: then straight. */
static bool reaches_goal(routing *run) {
  lwi_route_node *nodes = run->scratch->nodes;
  const double steep = steepest(run);
  for (int i = 0; i < run->node_count; i++) {
    nodes[i].g = nodes[i].f = INFINITY;
    nodes[i].closed = false;
  }
  nodes[START].g = nodes[START].f = 0;
  while (run->work >= 0) {
    int nearest = -1;
    for (int i = 0; i < run->node_count; i++)
      if (!nodes[i].closed && nodes[i].f < (nearest < 0 ? INFINITY : nodes[nearest].f)) nearest = i;
    if (nearest < 0) return false;
    if (nearest == GOAL) return true;
    nodes[nearest].closed = true;
    relax_all(run, nearest, steep);
  }
  nodes[GOAL].parent = START;
  return true;
}

static bool collect(const routing *run) {
  lwi_route_scratch *scratch = run->scratch;
  int count = 0;
  for (int at = scratch->nodes[GOAL].parent; at != START; at = scratch->nodes[at].parent) count += 1;
  scratch->point_count = count;
  if (!lwi_reserve(scratch->memory, &scratch->points, &scratch->point_capacity, count, sizeof *scratch->points))
    return false;
  for (int at = scratch->nodes[GOAL].parent; at != START; at = scratch->nodes[at].parent)
    scratch->points[--count] = scratch->nodes[at].at;
  return true;
}

bool lwi_clearance_route(const lwi_clearance *clearance, lwi_route_scratch *scratch, uint32_t polygon,
                         lwi_point2 from, lwi_point2 to, double slack) {
  routing run = {.scratch = scratch,
                 .walls = lwi_clearance_walls_near(clearance, polygon),
                 .slack = slack,
                 .work = WORK_MAX};
  const lwi_point2 none = {0, 0};
  if (!add_node(&run, from, none) || !add_node(&run, to, none) ||
      !find_places(&run, clearance->graph.mesh, polygon))
    return false;
  while (!reaches_goal(&run)) run.slack *= 2; /* everything is clear when it exceeds `keep` */
  return collect(&run);
}
