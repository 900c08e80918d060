/* A visibility graph. Within a convex polygon the shortest route past capsules turns about the discs at their ends
   alone, so that the places to turn at are points of these circles: the corners of a regular polygon, and both
   ends of every arc that neither the outline nor another capsule covers. Routes are rare and polygons have few
   walls, so that the graph is not stored: Dijkstra tests a line when it would shorten a route. */
#include "search/clearance_route.h"

#include <stdlib.h>

/* The sagitta between neighbouring corners on a circle. [m] */
#define SAGITTA 0.005
/* Corners on a circle at least. */
#define CORNERS_MIN 8
/* How far places may lie within capsules or outside of the polygon: rounding. [m] */
#define PLACE_SLACK 1e-3
#define TWO_PI 6.283185307179586

enum { START, GOAL };

typedef struct routing {
  lwi_route_scratch *scratch;
  lwi_barriers walls;
  int corner_count, center_count, node_count;
  double slack;
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

/* --- places to turn at ------------------------------------------------------------------------------------ */

static bool is_inside(const routing *run, lwi_point2 at) {
  for (int i = 0; i < run->corner_count; i++) {
    lwi_point2 a = run->scratch->corners[i], b = run->scratch->corners[i + 1 < run->corner_count ? i + 1 : 0];
    if (lwi_point2_turn(a, b, at) < -PLACE_SLACK * lwi_point2_distance(a, b)) return false;
  }
  return true;
}

static bool add_node(routing *run, lwi_point2 at) {
  lwi_route_scratch *scratch = run->scratch;
  if (!lwi_reserve(scratch->memory, &scratch->nodes, &scratch->node_capacity, run->node_count + 1,
                   sizeof *scratch->nodes))
    return false;
  scratch->nodes[run->node_count++] = (lwi_route_node){.at = at, .g = INFINITY};
  return true;
}

static bool add_place(routing *run, lwi_point2 at) {
  return !is_inside(run, at) || !lwi_region_clear(&run->walls, at, at, PLACE_SLACK) || add_node(run, at);
}

static bool add_corners(routing *run, lwi_point2 center) {
  double keep = run->walls.keep, step = 2 * acos(fmax(-1, 1 - SAGITTA / keep));
  int count = (int)fmax(CORNERS_MIN, ceil(TWO_PI / step));
  for (int i = 0; i < count; i++) {
    double angle = TWO_PI * i / count;
    if (!add_place(run, (lwi_point2){center.x + keep * cos(angle), center.z + keep * sin(angle)})) return false;
  }
  return true;
}

/* Where the circle crosses the line through a and b. */
static bool add_crossings(routing *run, lwi_point2 center, lwi_point2 a, lwi_point2 b) {
  double length = lwi_point2_distance(a, b), keep = run->walls.keep;
  if (!(length > 0)) return true;
  double ux = (b.x - a.x) / length, uz = (b.z - a.z) / length;
  double along = (center.x - a.x) * ux + (center.z - a.z) * uz, off = lwi_point2_turn(a, b, center) / length;
  if (!(fabs(off) < keep)) return true;
  double half = sqrt(keep * keep - off * off);
  return add_place(run, (lwi_point2){a.x + (along - half) * ux, a.z + (along - half) * uz}) &&
         add_place(run, (lwi_point2){a.x + (along + half) * ux, a.z + (along + half) * uz});
}

/* Where two circles cross: on the line between their centers, at right angles. */
static bool add_meetings(routing *run, lwi_point2 center, lwi_point2 other) {
  double distance = lwi_point2_distance(center, other);
  if (!(distance > 0 && distance < 2 * run->walls.keep)) return true;
  lwi_point2 middle = lwi_point2_lerp(center, other, 0.5);
  lwi_point2 ahead = {middle.x - (other.z - center.z), middle.z + other.x - center.x};
  return add_crossings(run, center, middle, ahead);
}

/* Where the circle crosses the sides of a capsule. */
static bool add_side_crossings(routing *run, lwi_point2 center, const lwi_barrier *wall) {
  lwi_point2 a = {wall->ax, wall->az}, b = {wall->bx, wall->bz};
  double length = lwi_point2_distance(a, b);
  if (!(length > 0) || lwi_barrier_distance(wall, center, center) >= 2 * run->walls.keep) return true;
  double x = (b.z - a.z) / length * run->walls.keep, z = (a.x - b.x) / length * run->walls.keep;
  return add_crossings(run, center, (lwi_point2){a.x + x, a.z + z}, (lwi_point2){b.x + x, b.z + z}) &&
         add_crossings(run, center, (lwi_point2){a.x - x, a.z - z}, (lwi_point2){b.x - x, b.z - z});
}

static bool add_places_about(routing *run, lwi_point2 center) {
  const lwi_route_scratch *scratch = run->scratch;
  if (!add_corners(run, center)) return false;
  for (int i = 0; i < run->corner_count; i++)
    if (!add_crossings(run, center, scratch->corners[i],
                       scratch->corners[i + 1 < run->corner_count ? i + 1 : 0]))
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

static void relax_all(const routing *run, int from) {
  lwi_route_node *nodes = run->scratch->nodes;
  for (int i = GOAL; i < run->node_count; i++) {
    double g = nodes[from].g + lwi_point2_distance(nodes[from].at, nodes[i].at);
    if (nodes[i].closed || !(g < nodes[i].g)) continue;
    if (!lwi_region_clear(&run->walls, nodes[from].at, nodes[i].at, run->slack)) continue;
    nodes[i].g = g;
    nodes[i].parent = from;
  }
}

/* Dijkstra. */
static bool reaches_goal(const routing *run) {
  lwi_route_node *nodes = run->scratch->nodes;
  for (int i = 0; i < run->node_count; i++) {
    nodes[i].g = INFINITY;
    nodes[i].closed = false;
  }
  nodes[START].g = 0;
  for (;;) {
    int nearest = -1;
    for (int i = 0; i < run->node_count; i++)
      if (!nodes[i].closed && nodes[i].g < (nearest < 0 ? INFINITY : nodes[nearest].g)) nearest = i;
    if (nearest < 0) return false;
    if (nearest == GOAL) return true;
    nodes[nearest].closed = true;
    relax_all(run, nearest);
  }
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
  routing run = {.scratch = scratch, .walls = lwi_clearance_walls_near(clearance, polygon), .slack = slack};
  if (!add_node(&run, from) || !add_node(&run, to) || !find_places(&run, clearance->graph.mesh, polygon))
    return false;
  while (!reaches_goal(&run)) run.slack *= 2; /* everything is clear when it exceeds `keep` */
  return collect(&run);
}
