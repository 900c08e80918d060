#include "mesh/outwards.h"

#include <string.h>

/* Space for the marks of all polygons, which no walk has passed yet. */
static bool reserve_marks(lwi_outwards *walk) {
  const int before = walk->capacity;
  if (!lwi_reserve(walk->memory, &walk->passed, &walk->capacity, (int)walk->mesh->polygons.count,
                   sizeof *walk->passed))
    return false;
  memset(walk->passed + before, 0, (size_t)(walk->capacity - before) * sizeof *walk->passed);
  return true;
}

/* Numbers begin again after 2^32 walks. */
static void number(lwi_outwards *walk) {
  if (++walk->walk > 0) return;
  memset(walk->passed, 0, (size_t)walk->capacity * sizeof *walk->passed);
  walk->walk = 1;
}

bool lwi_outwards_begin(lwi_outwards *walk, const lw_navmesh *mesh, lw_location from) {
  walk->mesh = mesh;
  walk->from = from.point;
  walk->open.count = 0;
  if (!reserve_marks(walk)) return false;
  number(walk);
  return lwi_heap_push(&walk->open, walk->memory, 0, lwi_poly_index(mesh, from.poly));
}

static float distance_to(const lwi_outwards *walk, const lwi_polygon *polygon, const lwi_portal *portal) {
  const lw_vec3 a = lwi_corner(polygon, portal->edge),
                b = lwi_corner(polygon, lwi_next_corner(polygon, portal->edge));
  const lwi_portal_interval part = lwi_interval_of_portal(walk->mesh, portal);
  const float along = fminf(part.t1, fmaxf(part.t0, lwi_part_along_xz(a, b, walk->from)));
  return lwi_distance_xz(lwi_lerp(a, b, along), walk->from);
}

/* @return false: no memory. */
static bool leave(lwi_outwards *walk, lwi_heap_entry from) {
  const lwi_mesh_graph *graph = &walk->mesh->graph;
  const lwi_polygon polygon = lwi_polygon_get(walk->mesh, from.item);
  for (uint32_t k = graph->first_portal[from.item]; k < graph->end_portal[from.item]; k++) {
    const lwi_portal *portal = &graph->portals[k];
    if (walk->passed[portal->to] == walk->walk) continue;
    const float radius = fmaxf(from.key, distance_to(walk, &polygon, portal));
    if (!lwi_heap_push(&walk->open, walk->memory, radius, portal->to)) return false;
  }
  return true;
}

uint32_t lwi_outwards_next(lwi_outwards *walk, float *radius) {
  lwi_heap_entry entry;
  while (lwi_heap_pop(&walk->open, &entry)) {
    if (walk->passed[entry.item] == walk->walk) continue;
    walk->passed[entry.item] = walk->walk;
    *radius = entry.key;
    return leave(walk, entry) ? entry.item : LWI_NONE;
  }
  return LWI_NONE;
}

void lwi_outwards_free(lwi_outwards *walk) {
  if (!walk->memory) return;
  lwi_heap_free(&walk->open, walk->memory);
  lwi_free(walk->memory, walk->passed, (size_t)walk->capacity * sizeof *walk->passed);
  *walk = (lwi_outwards){.memory = walk->memory};
}
