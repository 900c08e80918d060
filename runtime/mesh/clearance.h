/// Clearance: the graph for agents larger than the mesh was baked for. An agent of radius r on a mesh baked for
/// radius R keeps r - R from walls: from where the mesh ends, and from areas that it may not enter. The graph
/// is built once for a filter with its radius, and then searched like the mesh's own.
///
/// A clear portal is an interval of a portal where such an agent fits. Two clear portals of a polygon belong to
/// one region when it can be moved from one to the other within the polygon (region.h). So regions that the
/// graph connects are connected exactly.
#ifndef LW_MESH_CLEARANCE_H
#define LW_MESH_CLEARANCE_H

#include "mesh/mesh.h"
#include "mesh/region.h"

typedef struct lwi_clearance {
  lwi_memory *memory;
  double keep;                        ///< Distance to keep from walls. [m, > 0]
  uint32_t polygon_count, link_count; ///< Of the navmesh when this was built.
  uint32_t barrier_count, near_count, clear_portal_count;
  lwi_barrier *barriers;   ///< [barrier_count] By polygon.
  uint32_t *first_barrier; ///< [polygons + 1]
  uint32_t *near;          ///< [near_count] By polygon: walls nearer to it than `keep`.
  uint32_t *first_near;    ///< [polygons + 1]
  lwi_graph graph;
  lwi_portal *clear_portals;      ///< [clear_portal_count] By region.
  lwi_portal_interval *intervals; ///< [clear_portal_count + 1] The first is a whole edge.
  uint32_t *first_clear_portal;   ///< [graph.region_count + 1]
  uint32_t *extra; ///< [graph.region_count - polygons] Polygons of the regions behind all polygons.
  lwi_link_regions *link_regions; ///< [mesh->links.count]
} lwi_clearance;

/// Distance that an agent with this filter must keep from walls. [m; 0: the mesh was baked for it]
float lwi_clearance_extra(const lw_navmesh *mesh, const lw_filter *filter);

/// @return NULL: no memory. Freed by lwi_clearance_destroy().
lwi_clearance *lwi_clearance_create(lwi_memory *memory, const lw_navmesh *mesh, const lw_filter *filter);
void lwi_clearance_destroy(lwi_clearance *clearance);
/// Check clear portals and regions. @return LW_OK, or LW_INVALID with the first that does not hold.
lw_status lwi_clearance_check(const lwi_clearance *clearance, lw_error *error);

/// The next region of a polygon after `region`; the first has the polygon's index. @return LWI_NONE: there are
/// no more.
static inline uint32_t lwi_next_region(const lwi_graph *graph, uint32_t polygon, uint32_t region) {
  uint32_t polygons = graph->mesh->polygons.count, low = 0, count = graph->region_count - polygons,
           high = count;
  if (region >= polygons) {
    region += 1;
    return region - polygons < count && graph->polygons[region - polygons] == polygon ? region : LWI_NONE;
  }
  while (low < high) { /* regions behind all polygons are in the order of their polygons */
    uint32_t middle = low + (high - low) / 2;
    if (graph->polygons[middle] < polygon)
      low = middle + 1;
    else
      high = middle;
  }
  return low < count && graph->polygons[low] == polygon ? polygons + low : LWI_NONE;
}

/// The walls nearer to a polygon than `keep`.
static inline lwi_barriers lwi_clearance_walls_near(const lwi_clearance *clearance, uint32_t polygon) {
  uint32_t first = clearance->first_near[polygon];
  return (lwi_barriers){clearance->barriers, clearance->near + first,
                        clearance->first_near[polygon + 1] - first, clearance->keep};
}

/// Paths may come nearer to walls than `keep` by this much. [m]
#define LWI_CLEAR_SLACK 0.02
/// Can the agent go straight from `from` to `to` within a polygon, but for `slack` metres? @param clearance
/// NULL: yes.
static inline bool lwi_clearance_is_free(const lwi_clearance *clearance, uint32_t polygon, lw_vec3 from,
                                         lw_vec3 to, double slack) {
  if (!clearance) return true;
  lwi_barriers near = lwi_clearance_walls_near(clearance, polygon);
  return lwi_region_clear(&near, lwi_point2_of(from), lwi_point2_of(to), slack);
}

/// Places that were computed may be nearer to walls than `keep` by this much. [m]
#define LWI_PLACEMENT_SLACK 1e-3

/// @param[out] region  Of a point in a polygon; LWI_NONE: the point is too near to a wall, or no clear portal
///   or link can be reached from it within the polygon.
/// @return false: no memory.
bool lwi_clearance_region(const lwi_clearance *clearance, lwi_region_scratch *work, uint32_t polygon,
                          lw_vec3 point, uint32_t *region);

/// Move a place, straight over the surface, to the nearest one where the agent is clear of walls.
/// @param half  Half size, in xz, of the box about `about` that it must stay in. [m]
/// @return LW_OK; LW_NO_POINT: there is no such place; LW_OUT_OF_MEMORY.
lw_status lwi_clearance_place(const lwi_clearance *clearance, lwi_region_scratch *scratch,
                              const lw_filter *filter, lw_vec3 about, lw_vec3 half, lw_location *place);

#endif
