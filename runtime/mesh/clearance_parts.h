/// Inside a clearance: clearance_walls.c finds walls, clearance.c clear portals and regions, clearance_update.c
/// what changes touch.
#ifndef LW_MESH_CLEARANCE_PARTS_H
#define LW_MESH_CLEARANCE_PARTS_H

#include "mesh/clearance.h"

/// A clear portal, seen from one of its two polygons.
typedef struct lwi_clear_portal {
  uint32_t polygon, edge;
  float t0, t1;
  uint32_t to;        ///< The other polygon.
  uint32_t back;      ///< Index of the same one seen from there; LWI_NONE: it is stored, and stays so,
  uint32_t outside;   ///< there,
  uint32_t to_region; ///< as one of that region.
  uint32_t region, slot;
} lwi_clear_portal;

typedef struct lwi_clear_portal_list {
  lwi_clear_portal *items; ///< [count]
  int count, capacity;
} lwi_clear_portal_list;

/// The polygon that walls are gathered for.
typedef struct lwi_wall_gather {
  uint32_t at;
  lwi_polygon polygon;
  double min_x, min_z, max_x, max_z;
  float low, high;
  lwi_number_list queue, near;
} lwi_wall_gather;

/// What is computed: walls and clear portals of polygons that have changed, and regions of these and of those
/// beside them.
typedef struct lwi_clearance_build {
  lwi_memory *memory;
  lwi_clearance *clearance;
  const lw_navmesh *mesh;
  const lw_filter *filter;
  lwi_number_list list; ///< Polygons: first `changed` that have changed, then those beside them.
  int changed;
  uint32_t *place; ///< [polygon_space] In `list`; what is not in there has any place.
  uint32_t *seen;  ///< [polygon_space] Equal to `round`: visited.
  uint32_t round;
  lwi_wall_gather gather;
  lwi_barrier *barriers; ///< Of a polygon.
  int barrier_capacity;
  lwi_region_scratch region;
  lwi_clear_portal_list portals;
  lwi_number_list first; ///< [list.count + 1] Into `order`.
  lwi_number_list order; ///< [portals.count] By polygon, edge and t0.
  lwi_edge_interval *free_intervals;
  uint32_t *labels;
  lwi_point2 *corners;
  int free_interval_capacity, label_capacity, corner_capacity;
} lwi_clearance_build;

static inline bool lwi_clearance_is_listed(const lwi_clearance_build *build, uint32_t polygon) {
  const uint32_t place = build->place[polygon];
  return place < (uint32_t)build->list.count && build->list.items[place] == polygon;
}

/// List a polygon, if it is not. @return false: no memory.
bool lwi_clearance_list(lwi_clearance_build *build, uint32_t polygon);
/// Compute again what depends on the polygons that are listed, whose walls are found.
/// @param[out] has_links  Where links begin or end may have changed. @return false: no memory.
bool lwi_clearance_compute(lwi_clearance_build *build, bool *has_links);
/// Give back a run and take another one. @return false: no memory.
bool lwi_clearance_take(lwi_memory *memory, lwi_runs *runs, lwi_slot_run *run, uint32_t count);
/// Find the walls of a polygon. @param[out] differ  From those that it had. @return false: no memory.
bool lwi_clearance_find_barriers(lwi_clearance_build *build, uint32_t polygon, bool *differ);
/// Find the walls near a polygon, once all that differ are found. @return false: no memory.
bool lwi_clearance_find_near(lwi_clearance_build *build, uint32_t polygon);

#endif
