/* Searches outwards from a place over portals: the polygons that a circle reaches, and the nearest wall. */
#include "mesh/mesh.h"

#include <string.h>

/* Polygons that were reached, by open addressing. */
typedef struct reached_set {
  uint32_t *slots; /* [mask + 1] polygon + 1; 0: free */
  uint32_t mask;   /* of at least twice as many slots as polygons are added */
} reached_set;

/* @return The polygon's slot; 0 in it: the polygon was not reached before. */
static uint32_t *slot_of(const reached_set *set, uint32_t polygon) {
  uint32_t slot = polygon * 2654435761u & set->mask;
  while (set->slots[slot] != 0 && set->slots[slot] != polygon + 1) slot = (slot + 1) & set->mask;
  return &set->slots[slot];
}

/* --- polygons around a place ------------------------------------------------------------------------------ */

/* A circle and a polygon are convex, so their common part is connected, and so are the circle's parts on both
   sides of a portal that it touches. The search therefore finds exactly the part of the covered ground that the
   centre lies in. */

/* Polygons whose set fits on the stack, and its slots. */
#define FEW_POLYGONS 512
#define FEW_SLOTS 2048

typedef struct circle_search {
  const lw_navmesh *mesh;
  const lw_filter *filter;
  lw_vec3 center;
  double radius;
  lw_poly_id *found; /* [count] in the order in which they were reached */
  int count, capacity;
  bool overflow; /* more polygons than `capacity` */
  reached_set reached;
} circle_search;

static bool touches(const circle_search *search, lw_vec3 a, lw_vec3 b, lwi_portal_interval part) {
  double dx = (double)b.x - a.x, dz = (double)b.z - a.z, length2 = dx * dx + dz * dz;
  double px = (double)search->center.x - a.x, pz = (double)search->center.z - a.z;
  double t = length2 > 0 ? (px * dx + pz * dz) / length2 : 0;
  t = fmin((double)part.t1, fmax((double)part.t0, t));
  double ex = px - t * dx, ez = pz - t * dz;
  return ex * ex + ez * ez <= search->radius * search->radius;
}

static void add_polygon(circle_search *search, uint32_t polygon) {
  uint32_t *slot = slot_of(&search->reached, polygon);
  if (*slot != 0) return;
  search->overflow = search->count == search->capacity;
  if (search->overflow) return;
  *slot = polygon + 1;
  search->found[search->count++] = lwi_poly_id(search->mesh, polygon);
}

static void leave(circle_search *search, uint32_t index) {
  const lw_navmesh *mesh = search->mesh;
  lwi_polygon polygon = lwi_polygon_get(mesh, index);
  for (uint32_t k = mesh->graph.first_portal[index]; k < mesh->graph.end_portal[index] && !search->overflow;
       k++) {
    const lwi_portal *portal = &mesh->graph.portals[k];
    if (!lwi_crosses(mesh, search->filter, portal)) continue;
    lw_vec3 a = lwi_corner(&polygon, portal->edge),
            b = lwi_corner(&polygon, lwi_next_corner(&polygon, portal->edge));
    if (touches(search, a, b, lwi_interval_of_portal(mesh, portal))) add_polygon(search, portal->to);
  }
}

static lw_status search_circle(circle_search *search, uint32_t start, int *count) {
  memset(search->reached.slots, 0, ((size_t)search->reached.mask + 1) * sizeof *search->reached.slots);
  add_polygon(search, start);
  for (int i = 0; i < search->count && !search->overflow; i++)
    leave(search, lwi_poly_index(search->mesh, search->found[i]));
  *count = search->count;
  return search->overflow ? LW_LIMIT : LW_OK;
}

lw_status lw_navmesh_polygons_around(const lw_navmesh *mesh, lw_circle circle, const lw_filter *filter,
                                     lw_poly_id *polygons, int capacity, int *count) {
  if (count) *count = 0;
  if (!mesh || !polygons || !count) return LW_INVALID;
  if (!lwi_finite(circle.center.point) || !(circle.radius >= 0 && isfinite(circle.radius)) || capacity < 1)
    return LW_INVALID;
  uint32_t start = lwi_poly_index(mesh, circle.center.poly);
  if (start == LWI_NONE) return LW_STALE;
  uint32_t few[FEW_SLOTS];
  circle_search search = {.mesh = mesh,
                          .filter = filter,
                          .center = circle.center.point,
                          .radius = (double)circle.radius,
                          .found = polygons,
                          .capacity = capacity,
                          .reached = {few, FEW_SLOTS - 1}};
  /* The set never holds more polygons than the mesh has, or than `capacity`. */
  const uint32_t limit = (uint32_t)capacity < mesh->polygons.count ? (uint32_t)capacity : mesh->polygons.count;
  if (limit <= FEW_POLYGONS) return search_circle(&search, start, count);
  uint64_t slots = FEW_SLOTS;
  while (slots < 2 * (uint64_t)limit) slots *= 2;
  lwi_memory memory = lwi_memory_make(&mesh->memory.allocator);
  search.reached.mask = (uint32_t)(slots - 1);
  search.reached.slots = lwi_alloc(&memory, (size_t)slots * sizeof(uint32_t));
  if (!search.reached.slots) return LW_OUT_OF_MEMORY;
  lw_status status = search_circle(&search, start, count);
  lwi_free(&memory, search.reached.slots, (size_t)slots * sizeof(uint32_t));
  return status;
}

/* --- the nearest wall ------------------------------------------------------------------------------------- */

/* The search goes no further than the nearest wall found so far. */

#define WALL_POLYGONS 1024 /* looked at, at most */
#define WALL_SLOTS (4 * WALL_POLYGONS)

typedef struct wall_search {
  const lw_navmesh *mesh;
  const lw_filter *filter;
  lw_vec3 point;
  lw_wall *wall; /* the nearest so far */
  uint32_t queue[WALL_POLYGONS];
  int count;
  uint32_t slots[WALL_SLOTS];
} wall_search;

/* @return false: too many polygons. */
static bool queue_polygon(wall_search *search, uint32_t polygon) {
  const reached_set reached = {search->slots, WALL_SLOTS - 1};
  uint32_t *slot = slot_of(&reached, polygon);
  if (*slot != 0) return true;
  if (search->count == WALL_POLYGONS) return false;
  *slot = polygon + 1;
  search->queue[search->count++] = polygon;
  return true;
}

/* The point of ab between parameters t0 and t1 that is nearest in xz. @return Its distance. */
static float nearest_on(lw_vec3 a, lw_vec3 b, float t0, float t1, lw_vec3 point, lw_vec3 *nearest) {
  *nearest = lwi_lerp(a, b, fminf(t1, fmaxf(t0, lwi_part_along_xz(a, b, point))));
  return lwi_distance_xz(*nearest, point);
}

static void try_wall(wall_search *search, lw_vec3 a, lw_vec3 b, float t0, float t1) {
  lw_vec3 nearest;
  if (!lwi_is_wall(a, b, t0, t1)) return;
  float distance = nearest_on(a, b, t0, t1, search->point, &nearest);
  if (distance >= search->wall->distance) return;
  float dx = b.x - a.x, dz = b.z - a.z, length = sqrtf(dx * dx + dz * dz);
  *search->wall = (lw_wall){true, distance, nearest, lwi_vec3(dz / length, 0, -dx / length)};
}

/* Walls are the parts of the edge that no passable portal covers. @param[in,out] k  The edge's first portal;
   then the next edge's. @return false: too many polygons. */
static bool search_edge(wall_search *search, const lwi_polygon *polygon, uint32_t edge, uint32_t *k,
                        uint32_t end) {
  const lw_navmesh *mesh = search->mesh;
  lw_vec3 a = lwi_corner(polygon, edge), b = lwi_corner(polygon, lwi_next_corner(polygon, edge)), nearest;
  float open_to = 0;
  for (; *k < end && mesh->graph.portals[*k].edge == edge; *k += 1) {
    const lwi_portal *portal = &mesh->graph.portals[*k];
    if (!lwi_crosses(mesh, search->filter, portal)) continue;
    lwi_portal_interval interval = lwi_interval_of_portal(mesh, portal);
    try_wall(search, a, b, open_to, interval.t0);
    open_to = fmaxf(open_to, interval.t1);
    if (nearest_on(a, b, interval.t0, interval.t1, search->point, &nearest) >= search->wall->distance) continue;
    if (!queue_polygon(search, portal->to)) return false;
  }
  try_wall(search, a, b, open_to, 1);
  return true;
}

lw_status lw_navmesh_distance_to_wall(const lw_navmesh *mesh, lw_location from, float max_distance,
                                      const lw_filter *filter, lw_wall *wall) {
  if (wall) *wall = (lw_wall){.distance = max_distance, .point = from.point};
  if (!mesh || !wall) return LW_INVALID;
  if (!lwi_finite(from.point) || !(max_distance > 0)) return LW_INVALID;
  uint32_t start = lwi_poly_index(mesh, from.poly);
  if (start == LWI_NONE) return LW_STALE;
  wall_search search = {.mesh = mesh, .filter = filter, .point = from.point, .wall = wall};
  queue_polygon(&search, start);
  for (int i = 0; i < search.count; i++) {
    lwi_polygon polygon = lwi_polygon_get(mesh, search.queue[i]);
    uint32_t k = mesh->graph.first_portal[search.queue[i]], end = mesh->graph.end_portal[search.queue[i]];
    for (uint32_t edge = 0; edge < polygon.count; edge++)
      if (!search_edge(&search, &polygon, edge, &k, end)) return LW_LIMIT;
  }
  return LW_OK;
}
