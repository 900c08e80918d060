/* Polygons about a place: a walk outwards over portals that the circle reaches. A circle and a polygon are convex, so
   what they have in common hangs together, and so does what the circle covers on both sides of a portal that it
   touches: the walk finds just the part of the covered ground that the centre lies in. */
#include "mesh/mesh.h"

#include <string.h>

/* Polygons found without asking for memory. */
#define FEW 512
#define SLOTS_EACH 4

typedef struct circle_search {
  const lw_navmesh *mesh;
  const lw_filter *filter;
  lw_vec3 center;
  double radius;
  lw_poly_id *found; /* [count] in the order in which they were reached */
  int count, capacity;
  bool more;       /* than fitted */
  uint32_t *slots; /* open addressing: polygon + 1, 0: free */
  uint32_t slot_count;
} circle_search;

static bool first_seen(circle_search *search, uint32_t polygon) {
  uint32_t slot = polygon * 2654435761u % search->slot_count;
  while (search->slots[slot] != 0) {
    if (search->slots[slot] == polygon + 1) return false;
    slot = (slot + 1) % search->slot_count;
  }
  if (search->count == search->capacity) {
    search->more = true;
    return false;
  }
  search->slots[slot] = polygon + 1;
  return true;
}

static bool touches(const circle_search *search, lw_vec3 a, lw_vec3 b, lwi_stretch part) {
  double dx = (double)b.x - a.x, dz = (double)b.z - a.z, length2 = dx * dx + dz * dz;
  double px = (double)search->center.x - a.x, pz = (double)search->center.z - a.z;
  double t = length2 > 0 ? (px * dx + pz * dz) / length2 : 0;
  t = fmin((double)part.t1, fmax((double)part.t0, t));
  double ex = px - t * dx, ez = pz - t * dz;
  return ex * ex + ez * ez <= search->radius * search->radius;
}

static void leave(circle_search *search, uint32_t index) {
  const lw_navmesh *mesh = search->mesh;
  lwi_polygon polygon = lwi_polygon_get(mesh, index);
  for (uint32_t k = mesh->first_portal[index]; k < mesh->first_portal[index + 1] && !search->more; k++) {
    const lwi_portal *portal = &mesh->portals[k];
    if (!lw_filter_passes(search->filter, mesh->poly_areas[portal->to])) continue;
    lw_vec3 a = lwi_corner(&polygon, portal->edge),
            b = lwi_corner(&polygon, lwi_next_corner(&polygon, portal->edge));
    if (!touches(search, a, b, lwi_portal_stretch(mesh, portal)) || !first_seen(search, portal->to)) continue;
    search->found[search->count++] = lwi_poly_id(mesh, portal->to);
  }
}

static lw_status walk(circle_search *search, uint32_t start, int *count) {
  memset(search->slots, 0, search->slot_count * sizeof *search->slots);
  first_seen(search, start);
  search->found[search->count++] = lwi_poly_id(search->mesh, start);
  for (int i = 0; i < search->count && !search->more; i++)
    leave(search, lwi_poly_index(search->mesh, search->found[i]));
  *count = search->count;
  return search->more ? LW_LIMIT : LW_OK;
}

lw_status lw_navmesh_polygons_around(const lw_navmesh *mesh, lw_location from, float radius,
                                     const lw_filter *filter, lw_poly_id *polygons, int capacity, int *count) {
  *count = 0;
  if (!lwi_finite(from.point) || !(radius >= 0 && isfinite(radius)) || capacity < 1) return LW_INVALID;
  uint32_t start = lwi_poly_index(mesh, from.poly);
  if (start == LWI_NONE) return LW_STALE;
  /* No more are ever noted than there are, or than fit. */
  uint32_t most = (uint32_t)capacity < mesh->polygon_count ? (uint32_t)capacity : mesh->polygon_count;
  uint32_t few[FEW * SLOTS_EACH];
  circle_search search = {.mesh = mesh,
                          .filter = filter,
                          .center = from.point,
                          .radius = (double)radius,
                          .found = polygons,
                          .capacity = capacity,
                          .slots = few,
                          .slot_count = FEW * SLOTS_EACH};
  if (most <= FEW) return walk(&search, start, count);
  lwi_memory memory = lwi_memory_make(&mesh->memory.allocator);
  size_t size = (size_t)most * 2 * sizeof *search.slots;
  search.slot_count = most * 2;
  search.slots = lwi_alloc(&memory, size);
  if (!search.slots) return LW_OUT_OF_MEMORY;
  lw_status status = walk(&search, start, count);
  lwi_free(&memory, search.slots, size);
  return status;
}
