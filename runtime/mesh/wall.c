/* The nearest wall: a search outwards over portals, never further than the nearest wall found so far. */
#include "mesh/mesh.h"

#include <string.h>

/* Polygons looked at, at most. */
#define MAX_POLYGONS 1024
#define SLOTS (4 * MAX_POLYGONS)

typedef struct wall_search {
  const lw_navmesh *mesh;
  const lw_filter *filter;
  lw_vec3 point;
  lw_wall *wall;
  uint32_t queue[MAX_POLYGONS];
  int count;
  uint32_t seen[SLOTS]; /* open addressing; polygon + 1, 0: free */
} wall_search;

static bool first_seen(wall_search *search, uint32_t polygon) {
  uint32_t slot = polygon * 2654435761u % SLOTS;
  while (search->seen[slot] != 0) {
    if (search->seen[slot] == polygon + 1) return false;
    slot = (slot + 1) % SLOTS;
  }
  search->seen[slot] = polygon + 1;
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

/* @return false: too many polygons. */
static bool step_through(wall_search *search, const lwi_portal *portal, lw_vec3 a, lw_vec3 b) {
  lw_vec3 nearest;
  lwi_stretch stretch = lwi_portal_stretch(search->mesh, portal);
  if (nearest_on(a, b, stretch.t0, stretch.t1, search->point, &nearest) >= search->wall->distance) return true;
  if (!first_seen(search, portal->to)) return true;
  if (search->count == MAX_POLYGONS) return false;
  search->queue[search->count++] = portal->to;
  return true;
}

/* What of the edge no portal leads through is wall. Portals come in order along it. */
static bool try_edge(wall_search *search, const lwi_polygon *polygon, uint32_t edge, uint32_t *k,
                     uint32_t end) {
  const lw_navmesh *mesh = search->mesh;
  lw_vec3 a = lwi_corner(polygon, edge), b = lwi_corner(polygon, lwi_next_corner(polygon, edge));
  float open_to = 0;
  for (; *k < end && mesh->portals[*k].edge == edge; *k += 1) {
    const lwi_portal *portal = &mesh->portals[*k];
    if (!lw_filter_passes(search->filter, mesh->poly_areas[portal->to])) continue;
    lwi_stretch stretch = lwi_portal_stretch(mesh, portal);
    try_wall(search, a, b, open_to, stretch.t0);
    open_to = fmaxf(open_to, stretch.t1);
    if (!step_through(search, portal, a, b)) return false;
  }
  try_wall(search, a, b, open_to, 1);
  return true;
}

lw_status lw_navmesh_distance_to_wall(const lw_navmesh *mesh, lw_location from, float max_distance,
                                      const lw_filter *filter, lw_wall *wall) {
  *wall = (lw_wall){.distance = max_distance, .point = from.point};
  if (!lwi_finite(from.point) || !(max_distance > 0)) return LW_INVALID;
  uint32_t start = lwi_poly_index(mesh, from.poly);
  if (start == LWI_NONE) return LW_STALE;
  wall_search search = {.mesh = mesh, .filter = filter, .point = from.point, .wall = wall, .count = 1};
  search.queue[0] = start;
  first_seen(&search, start);
  for (int i = 0; i < search.count; i++) {
    lwi_polygon polygon = lwi_polygon_get(mesh, search.queue[i]);
    uint32_t k = mesh->first_portal[search.queue[i]], end = mesh->first_portal[search.queue[i] + 1];
    for (uint32_t edge = 0; edge < polygon.count; edge++)
      if (!try_edge(&search, &polygon, edge, &k, end)) return LW_LIMIT;
  }
  return LW_OK;
}
