/* Walls of polygons, and which of them are near. */
#include "mesh/clearance_parts.h"

#include <string.h>

/* --- walls ------------------------------------------------------------------------------------------------ */

/* Walls whose height differs from a polygon's by more than twice `keep` and this are of another floor. [m] */
#define FLOOR_SLACK 1.0f

static uint32_t add_barrier(lwi_barrier *out, lw_vec3 a, lw_vec3 b, float from, float to) {
  if (!lwi_is_wall(a, b, from, to)) return 0;
  if (out) {
    lw_vec3 begin = from <= 0 ? a : lwi_lerp(a, b, from), end = to >= 1 ? b : lwi_lerp(a, b, to);
    *out = (lwi_barrier){begin.x, begin.z, end.x, end.z};
  }
  return 1;
}

/* The parts of a polygon's edges that no passable portal covers. @param out  NULL: only count them. */
static uint32_t read_barriers(const lw_navmesh *mesh, const lw_filter *filter, uint32_t p, lwi_barrier *out) {
  if (!lwi_passes(mesh, filter, p)) return 0;
  lwi_polygon polygon = lwi_polygon_get(mesh, p);
  uint32_t count = 0, k = mesh->graph.first_portal[p], end = mesh->graph.end_portal[p];
  for (uint32_t edge = 0; edge < polygon.count; edge++) {
    lw_vec3 a = lwi_corner(&polygon, edge), b = lwi_corner(&polygon, lwi_next_corner(&polygon, edge));
    float open_to = 0;
    for (; k < end && mesh->graph.portals[k].edge == edge; k++) {
      if (!lwi_crosses(mesh, filter, &mesh->graph.portals[k])) continue;
      lwi_portal_interval interval = lwi_interval_of_portal(mesh, &mesh->graph.portals[k]);
      count += add_barrier(out ? out + count : NULL, a, b, open_to, interval.t0);
      open_to = lwi_max(open_to, interval.t1);
    }
    count += add_barrier(out ? out + count : NULL, a, b, open_to, 1);
  }
  return count;
}

bool lwi_clearance_take(lwi_memory *memory, lwi_runs *runs, lwi_slot_run *run, uint32_t count) {
  lwi_runs_give_back(runs, run);
  if (count == 0) return true;
  *run = lwi_runs_take(runs, memory, count);
  return run->space > 0;
}

bool lwi_clearance_find_barriers(lwi_clearance_build *build, uint32_t p, bool *differ) {
  lwi_clearance *clearance = build->clearance;
  lwi_clear_polygon *of = &clearance->polygons[p];
  const uint32_t count = read_barriers(build->mesh, build->filter, p, NULL);
  if (!lwi_reserve(build->memory, &build->barriers, &build->barrier_capacity, (int)count,
                   sizeof *build->barriers))
    return false;
  if (count > 0) read_barriers(build->mesh, build->filter, p, build->barriers);
  *differ = count != of->barrier_count ||
            (count > 0 && memcmp(build->barriers, clearance->barriers + of->barriers.first,
                                 count * sizeof *build->barriers) != 0);
  if (!*differ) return true;
  of->barrier_count = count;
  if (!lwi_clearance_take(build->memory, &clearance->barrier_runs, &of->barriers, count) ||
      !lwi_reserve(build->memory, &clearance->barriers, &clearance->barrier_capacity,
                   (int)clearance->barrier_runs.end, sizeof *clearance->barriers))
    return false;
  if (count > 0)
    memcpy(clearance->barriers + of->barriers.first, build->barriers, count * sizeof *build->barriers);
  return true;
}

/* --- walls near a polygon --------------------------------------------------------------------------------- */

/* Is the wall or portal nearer to the polygon than that? */
static bool is_near(const lwi_wall_gather *gather, const lwi_barrier *piece, double distance) {
  const double low_x = (double)lwi_min(piece->ax, piece->bx), high_x = (double)lwi_max(piece->ax, piece->bx),
               low_z = (double)lwi_min(piece->az, piece->bz), high_z = (double)lwi_max(piece->az, piece->bz);
  if (high_x < gather->min_x - distance || low_x > gather->max_x + distance ||
      high_z < gather->min_z - distance || low_z > gather->max_z + distance)
    return false;
  const lwi_polygon *polygon = &gather->polygon;
  lwi_point2 a = lwi_point2_of(lwi_corner(polygon, polygon->count - 1));
  bool holds = true; /* an end lies inside: then it is near, however far the edges are */
  for (uint32_t i = 0; i < polygon->count; i++) {
    lwi_point2 b = lwi_point2_of(lwi_corner(polygon, i));
    if (lwi_barrier_is_near(piece, a, b, distance)) return true;
    holds = holds && lwi_point2_turn(a, b, (lwi_point2){piece->ax, piece->az}) >= 0;
    a = b;
  }
  return holds;
}

static bool add_near(lwi_clearance_build *build, uint32_t polygon) {
  const lwi_clearance *clearance = build->clearance;
  const lwi_clear_polygon *of = &clearance->polygons[polygon];
  lwi_wall_gather *gather = &build->gather;
  for (uint32_t i = of->barriers.first; i < of->barriers.first + of->barrier_count; i++) {
    if (polygon != gather->at && !is_near(gather, &clearance->barriers[i], lwi_clearance_place_keep(clearance)))
      continue;
    if (!lwi_reserve(build->memory, &gather->near.items, &gather->near.capacity, gather->near.count + 1,
                     sizeof *gather->near.items))
      return false;
    gather->near.items[gather->near.count++] = i;
  }
  return true;
}

/* Does the disc about some point of the polygon reach through the portal? */
static bool reaches_through(const lwi_clearance_build *build, uint32_t from, const lwi_portal *portal) {
  const lwi_wall_gather *gather = &build->gather;
  const double keep = lwi_clearance_place_keep(build->clearance);
  lw_vec3 left, right;
  if (build->seen[portal->to] == build->round) return false;
  if (!lwi_crosses(build->mesh, build->filter, portal)) return false;
  lwi_portal_points(build->mesh, from, portal, &left, &right);
  float reach = 2 * (float)keep + FLOOR_SLACK;
  if (lwi_min(left.y, right.y) > gather->high + reach || lwi_max(left.y, right.y) < gather->low - reach)
    return false;
  lwi_barrier piece = {right.x, right.z, left.x, left.z};
  return from == gather->at || is_near(gather, &piece, keep);
}

static void begin(lwi_clearance_build *build, uint32_t p) {
  lwi_wall_gather *gather = &build->gather;
  gather->at = p;
  gather->polygon = lwi_polygon_get(build->mesh, p);
  gather->min_x = gather->min_z = INFINITY;
  gather->max_x = gather->max_z = -INFINITY;
  gather->low = INFINITY;
  gather->high = -INFINITY;
  for (uint32_t i = 0; i < gather->polygon.count; i++) {
    lw_vec3 corner = lwi_corner(&gather->polygon, i);
    gather->min_x = lwi_smaller(gather->min_x, (double)corner.x);
    gather->max_x = lwi_larger(gather->max_x, (double)corner.x);
    gather->min_z = lwi_smaller(gather->min_z, (double)corner.z);
    gather->max_z = lwi_larger(gather->max_z, (double)corner.z);
    gather->low = lwi_min(gather->low, corner.y);
    gather->high = lwi_max(gather->high, corner.y);
  }
}

static bool see(lwi_clearance_build *build, uint32_t polygon) {
  lwi_number_list *queue = &build->gather.queue;
  if (!lwi_reserve(build->memory, &queue->items, &queue->capacity, queue->count + 1, sizeof *queue->items))
    return false;
  build->seen[polygon] = build->round;
  queue->items[queue->count++] = polygon;
  return true;
}

static void next_round(lwi_clearance_build *build) {
  build->round += 1;
  if (build->round > 0) return;
  memset(build->seen, 0, build->clearance->polygon_space * sizeof *build->seen);
  build->round = 1;
}

/* Search outwards over portals, as far as the disc reaches. */
static bool gather_near(lwi_clearance_build *build, uint32_t p) {
  const lw_navmesh *mesh = build->mesh;
  begin(build, p);
  next_round(build);
  build->gather.queue.count = 0;
  if (!see(build, p)) return false;
  for (int i = 0; i < build->gather.queue.count; i++) {
    uint32_t polygon = build->gather.queue.items[i];
    if (!add_near(build, polygon)) return false;
    for (uint32_t k = mesh->graph.first_portal[polygon]; k < mesh->graph.end_portal[polygon]; k++) {
      if (!reaches_through(build, polygon, &mesh->graph.portals[k])) continue;
      if (!see(build, mesh->graph.portals[k].to)) return false;
    }
  }
  return true;
}

static bool store_near(lwi_clearance_build *build, uint32_t p) {
  lwi_clearance *clearance = build->clearance;
  lwi_clear_polygon *of = &clearance->polygons[p];
  of->near_count = (uint32_t)build->gather.near.count;
  if (!lwi_clearance_take(build->memory, &clearance->near_runs, &of->near, of->near_count) ||
      !lwi_reserve(build->memory, &clearance->near, &clearance->near_capacity, (int)clearance->near_runs.end,
                   sizeof *clearance->near))
    return false;
  for (uint32_t i = 0; i < of->near_count; i++)
    clearance->near[of->near.first + i] = build->gather.near.items[i];
  return true;
}

bool lwi_clearance_find_near(lwi_clearance_build *build, uint32_t p) {
  build->gather.near.count = 0;
  if (lwi_passes(build->mesh, build->filter, p) && !gather_near(build, p)) return false;
  return store_near(build, p);
}
