/// Clearance: the graph for agents larger than the mesh was baked for. An agent of radius r on a mesh baked for
/// radius R keeps r - R from walls: from where the mesh ends, and from areas that it may not enter. The graph
/// is built once for a filter with its radius, then searched like the mesh's own, and follows changes of a live
/// navmesh.
///
/// A clear portal is an interval of a portal where such an agent fits. Two clear portals of a polygon belong to
/// one region when it can be moved from one to the other within the polygon (region.h). So regions that the
/// graph connects are connected exactly.
#ifndef LW_MESH_CLEARANCE_H
#define LW_MESH_CLEARANCE_H

#include "core/runs.h"
#include "mesh/mesh.h"
#include "mesh/region.h"
#include "mesh/relabel.h"

/// Walls of a polygon: its own, and those nearer to it than lwi_clearance_place_keep().
typedef struct lwi_clear_polygon {
  lwi_slot_run barriers, near;
  uint32_t barrier_count, near_count;
} lwi_clear_polygon;

/// Places of portals and intervals are slots, of which each region has a run.
typedef struct lwi_clearance {
  lwi_memory *memory;
  double keep;                 ///< Distance that paths keep from walls. [m, > 0]
  uint32_t polygon_space;      ///< Polygons may have so high numbers; further regions come behind.
  lwi_clear_polygon *polygons; ///< [polygon_space]
  lwi_barrier *barriers;       ///< By runs of polygons.
  uint32_t *near;              ///< By runs of polygons: indices into `barriers`.
  int barrier_capacity, near_capacity;
  lwi_runs barrier_runs, near_runs, slot_runs;
  lwi_graph graph;
  uint32_t *first_portal, *end_portal, *next; ///< [region] Of the graph.
  lwi_slot_run *runs;                         ///< [region] Of slots.
  uint32_t *extra;                            ///< [region - polygon_space] Of the graph.
  lwi_number_list free_extra;                 ///< Regions that are not used.
  lwi_portal *clear_portals;                  ///< [slot]
  lwi_portal_interval *intervals;             ///< [slot + 1] The first is a whole edge.
  uint32_t *twins;                            ///< [slot] That of the same clear portal in the other polygon.
  int capacities[8];              ///< Of the eight arrays above that are by region or slot, in their order.
  lwi_link_regions *link_regions; ///< [link_count]
  int link_count, link_capacity;
  struct lwi_clearance_build *build; ///< Scratch.
} lwi_clearance;

/// Distance that an agent with this filter must keep from walls. [m; 0: the mesh was baked for it]
float lwi_clearance_extra(const lw_navmesh *mesh, const lw_filter *filter);

/// What paths may be nearer to walls than places, at most. With what is subtracted for gaps of exactly an
/// agent's width it stays below the 2 mm by which a gap may be too narrow. [m]
#define LWI_PATH_SLACK 8e-4
/// Distance that places where an agent may stand keep from walls: more than `keep`, so that a path can leave
/// each that was computed, rounding or not, and that places a few centimetres apart are connected. [m]
static inline double lwi_clearance_place_keep(const lwi_clearance *clearance) {
  return clearance->keep + fmin(LWI_PATH_SLACK, clearance->keep);
}

/// @return NULL: no memory. Freed by lwi_clearance_destroy().
lwi_clearance *lwi_clearance_create(lwi_memory *memory, const lw_navmesh *mesh, const lw_filter *filter);
void lwi_clearance_destroy(lwi_clearance *clearance);
/// Is there space for all polygons of the navmesh as it is now? Else it has to be created again.
static inline bool lwi_clearance_fits(const lwi_clearance *clearance) {
  return clearance->graph.mesh->polygons.count <= clearance->polygon_space;
}
/// Ground that changed: lwi_ground_touch.
typedef struct lwi_changed_grounds {
  const uint32_t *grounds; ///< [count] Each once.
  const uint32_t *is_new;  ///< [count] 1: it was cut, or put back.
  int count;
} lwi_changed_grounds;
/// Keep up with changes of the navmesh, for which there is space.
/// @param[out] has_links  Where links begin or end may have changed. @return false: no memory, and it is only
///   good to be destroyed.
bool lwi_clearance_update(lwi_clearance *clearance, const lw_filter *filter, const lwi_changed_grounds *changed,
                          bool *has_links);
/// The polygons whose regions the last update has computed. Valid until the next one.
const uint32_t *lwi_clearance_updated(const lwi_clearance *clearance, int *count);
/// Is the polygon one of these?
bool lwi_clearance_is_updated(const lwi_clearance *clearance, uint32_t polygon);
/// Check clear portals and regions. @return LW_OK, or LW_INVALID with the first that does not hold.
lw_status lwi_clearance_check(const lwi_clearance *clearance, lw_error *error);

/// The next region of a polygon after `region`; the first has the polygon's index. @return LWI_NONE: there are
/// no more.
static inline uint32_t lwi_next_region(const lwi_graph *graph, uint32_t region) {
  return graph->next ? graph->next[region] : LWI_NONE;
}

/// The walls nearer to a polygon than lwi_clearance_place_keep(), with `keep`.
static inline lwi_barriers lwi_clearance_walls_near(const lwi_clearance *clearance, uint32_t polygon) {
  const lwi_clear_polygon *of = &clearance->polygons[polygon];
  return (lwi_barriers){clearance->barriers, clearance->near + of->near.first, of->near_count, clearance->keep};
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

/// Places that were stored and read may be nearer to walls than `keep` by this much. [m]
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

/// As lwi_clearance_place(). Where no straight line leads to such a place: to the nearest place reached over
/// ground in the box, else to the nearest place in the box.
/// @param about, half  Here also in y. [m]
lw_status lwi_clearance_place_in(const lwi_clearance *clearance, lwi_region_scratch *scratch,
                                 const lw_filter *filter, lw_vec3 about, lw_vec3 half, lw_location *place);

/// Added to the distance from walls where places are computed, against rounding. [m]
#define LWI_PLACEMENT_MARGIN 2e-4
/// Where a place is looked for.
typedef struct lwi_clearance_box {
  const lw_filter *filter;
  lw_vec3 about, half; ///< [m]
  double slack;        ///< By how much places may be nearer to walls, for rounding. [m]
} lwi_clearance_box;
/// Inside: what lwi_clearance_place_in() does where no straight line leads to a place (clearance_box.c).
lw_status lwi_clearance_search_box(const lwi_clearance *clearance, lwi_region_scratch *scratch,
                                   const lwi_clearance_box *box, lw_location *place);

/// Where lwi_clearance_place() may move a place to that is shut in: not only the nearest place counts.
typedef struct lwi_clearance_wish {
  bool (*accepts)(const void *user, uint32_t region); ///< Asked for regions of places that are clear of walls.
  const void *user;
  double near; ///< At most so far from where the place is now. [m]
} lwi_clearance_wish;
/// Move a place to the nearest one with a region that is accepted. The straight line to it comes nearer to
/// walls by LWI_CLEAR_SLACK at most than the place itself, so that no agent gets through a gap that it does not
/// fit.
/// @param[out] region  Its region. @return As lwi_clearance_place().
lw_status lwi_clearance_leave(const lwi_clearance *clearance, lwi_region_scratch *scratch,
                              const lw_filter *filter, const lwi_clearance_wish *wish, lw_location *place,
                              uint32_t *region);

#endif
