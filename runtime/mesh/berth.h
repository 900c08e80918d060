/// What is open to agents that must keep further from walls than the mesh's border already does: an agent of radius r on a
/// mesh made for radius R keeps r - R from where the mesh ends, and from what it may not enter. Made once for a filter
/// with its radius, then searched like the mesh itself.
///
/// Passages are the parts of portals where such an agent has room. Ways through a polygon, from passage to passage, are
/// open when it can be moved from one to the other within the polygon (region.h): passages that are joined so are of one
/// room, and a search goes from room to room. So what is found to be connected is, exactly.
#ifndef LW_MESH_BERTH_H
#define LW_MESH_BERTH_H

#include "mesh/mesh.h"
#include "mesh/region.h"

typedef struct lwi_berth {
  lwi_memory *memory;
  double keep; ///< From walls. [m, > 0]
  uint32_t barrier_count, near_count, passage_count;
  lwi_barrier *barriers;   ///< [barrier_count] By polygon.
  uint32_t *first_barrier; ///< [polygon_count + 1]
  uint32_t *near;          ///< [near_count] Walls that reach into a polygon, by polygon.
  uint32_t *first_near;    ///< [polygon_count + 1]
  /* The graph of rooms, and what it points to. */
  lwi_graph graph;
  lwi_portal *passages;       ///< [passage_count] By room.
  lwi_stretch *stretches;     ///< [passage_count + 1] The first is a whole edge.
  uint32_t *first_passage;    ///< [graph.room_count + 1]
  uint32_t *extra;            ///< [graph.room_count - polygon_count]
  lwi_link_rooms *link_rooms; ///< [mesh->link_count]
} lwi_berth;

/// How much further from walls than the mesh's border an agent with this filter must keep. [m; 0: no further]
float lwi_berth_keep(const lw_navmesh *mesh, const lw_filter *filter);

/// @return NULL: no memory. Freed by lwi_berth_free().
lwi_berth *lwi_berth_make(lwi_memory *memory, const lw_navmesh *mesh, const lw_filter *filter);
void lwi_berth_free(lwi_berth *berth);
/// Check passages and rooms. @return LW_OK, or LW_INVALID with the first that does not hold.
lw_status lwi_berth_check(const lwi_berth *berth, lw_error *error);

/// The next room of a polygon, after its first, which has its index. @return LWI_NONE: there are no more.
static inline uint32_t lwi_next_room(const lwi_graph *graph, uint32_t polygon, uint32_t room) {
  uint32_t polygons = graph->mesh->polygon_count, low = 0, count = graph->room_count - polygons, high = count;
  if (room >= polygons) {
    room += 1;
    return room - polygons < count && graph->polygons[room - polygons] == polygon ? room : LWI_NONE;
  }
  while (low < high) { /* those behind all polygons come in the order of their polygons */
    uint32_t middle = low + (high - low) / 2;
    if (graph->polygons[middle] < polygon)
      low = middle + 1;
    else
      high = middle;
  }
  return low < count && graph->polygons[low] == polygon ? polygons + low : LWI_NONE;
}

/// The walls that reach into a polygon.
static inline lwi_barriers lwi_berth_near(const lwi_berth *berth, uint32_t polygon) {
  uint32_t first = berth->first_near[polygon];
  return (lwi_barriers){berth->barriers, berth->near + first, berth->first_near[polygon + 1] - first,
                        berth->keep};
}

/// A way counts as clear of walls though it comes nearer than it should by so much. [m]
#define LWI_CLEAR_SLACK 0.02
/// Can the agent go straight within a polygon, but for `slack` metres? NULL: who is no larger than the mesh was made for can.
static inline bool lwi_berth_clear(const lwi_berth *berth, uint32_t polygon, lw_vec3 from, lw_vec3 to,
                                   double slack) {
  if (!berth) return true;
  lwi_barriers near = lwi_berth_near(berth, polygon);
  return lwi_region_clear(&near, lwi_spot_of(from), lwi_spot_of(to), slack);
}

#endif
