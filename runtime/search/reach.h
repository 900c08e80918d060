/// What agents with one filter can reach from where, and where they can stand. Portals join ground in both
/// directions, off-mesh links mostly in one. Regions that can reach each other share a label; a bitset says
/// which label reaches which.
#ifndef LW_SEARCH_REACH_H
#define LW_SEARCH_REACH_H

#include "core/platform.h"
#include "mesh/clearance.h"
#include "mesh/relabel.h"

/* --- what reaches what ------------------------------------------------------------------------------------ */

/// A label that links lead from or to, and the strongly connected component that its regions are in.
typedef struct lwi_linked_label {
  uint32_t label, component;
} lwi_linked_label;

typedef struct lwi_reach {
  lw_filter filter;
  uint64_t version;         ///< Of the navmesh that it is of.
  bool is_open;             ///< All ground and portals that were baked pass the filter.
  lwi_clearance *clearance; ///< Owned. NULL: the agents are no larger than the mesh was baked for.
  lwi_graph graph;          ///< Of the clearance, or of the mesh.
  uint32_t *labels;         ///< [graph.region_count] By portals alone. LWI_NONE where the filter does not pass.
  int label_count, label_capacity;
  uint32_t next_label; ///< Labels from here on were not used yet.
  uint32_t linked_count;
  lwi_linked_label *linked; ///< [linked_count] By label.
  uint32_t component_count;
  uint32_t row_words; ///< Of the closure.
  /// [component_count * row_words] Row `from`: a bit for each component that it reaches.
  uint64_t *closure;
} lwi_reach;

/// Whether regions of different labels can be reached by links.
bool lwi_reaches_by_links(const lwi_reach *reach, uint32_t from, uint32_t to);

/// Whether regions labelled `to` can be reached from those labelled `from`.
static inline bool lwi_reaches(const lwi_reach *reach, uint32_t from, uint32_t to) {
  if (from == to) return from != LWI_NONE;
  return reach->linked_count > 0 && lwi_reaches_by_links(reach, from, to);
}

/// Whether any region of a polygon can be reached from regions labelled `from`.
static inline bool lwi_reaches_polygon(const lwi_reach *reach, uint32_t from, uint32_t polygon) {
  for (uint32_t region = polygon; region != LWI_NONE; region = lwi_next_region(&reach->graph, region))
    if (lwi_reaches(reach, from, reach->labels[region])) return true;
  return false;
}

/// Scratch to keep up with a navmesh that changes, for any number of filters.
typedef struct lwi_reach_scratch {
  lwi_relabel relabel;     ///< Its clusters are `grounds`.
  lwi_number_list grounds; ///< That changes touched, each once.
  lwi_number_list numbers; ///< [ground] Its place in `grounds`; what is not in there has any number.
  lwi_number_list is_new;  ///< [grounds.count] 1: it was cut, or put back.
} lwi_reach_scratch;

/// @return false: no memory, and nothing is held.
bool lwi_reach_make(lwi_reach *reach, lwi_memory *memory, const lw_navmesh *mesh, const lw_filter *filter);
/// Keep up with the navmesh (reach_update.c): it costs what changes touched since, and to compute what links
/// connect where they touched links, or parted or joined ground.
/// @return false: no memory, and nothing is held.
bool lwi_reach_update(lwi_reach *reach, lwi_memory *memory, lwi_reach_scratch *scratch);
void lwi_reach_free(lwi_reach *reach, lwi_memory *memory);
/// Inside: make space for the labels of all regions. @return false: no memory.
bool lwi_reach_reserve_labels(lwi_reach *reach, lwi_memory *memory);
/// Inside: compute again what links connect. @return false: no memory.
bool lwi_reach_join_by_links(lwi_reach *reach, lwi_memory *memory);
void lwi_reach_scratch_free(lwi_reach_scratch *scratch);

/* --- by filter -------------------------------------------------------------------------------------------- */

/// What agents with one filter can reach.
typedef struct lwi_component_set {
  lw_filter filter;
  lwi_reach reach;                         ///< Without labels: there was no memory to keep up.
  int pins;                                ///< Queries that use it now; it is not freed meanwhile.
  struct lwi_component_set *next;          ///< With the same hash.
  struct lwi_component_set *older, *newer; ///< By when each was last asked for.
} lwi_component_set;

#define LWI_COMPONENT_SLOTS 256

/// What the filters that were asked for last can reach on one navmesh: found by content, bounded in bytes,
/// shared by all threads that ask. Nobody asks while the navmesh changes, and each asks again once it has
/// changed; so the first one brings what was there up to date.
typedef struct lwi_components {
  lwi_mutex lock; ///< For everything below.
  lwi_memory memory;
  const lw_navmesh *mesh;
  lwi_reach_scratch scratch;
  uint8_t deepest;      ///< Of the water over any polygon, as polygons have it.
  uint8_t lowest;       ///< Headroom over any polygon, as polygons have it.
  size_t limit;         ///< Bytes to keep. The set that was asked for last and sets in use stay beyond it.
  uint8_t highest_step; ///< In polygons and portals, as they have it.
  lwi_component_set *slots[LWI_COMPONENT_SLOTS];
  lwi_component_set *oldest, *newest;
} lwi_components;

/// @return false: the system has no lock to give, and nothing is to be freed.
bool lwi_components_init(lwi_components *components, const lw_navmesh *mesh, size_t limit,
                         const lw_allocator *allocator);
void lwi_components_free(lwi_components *components);
/// Computed when a filter first asks, then kept up with the navmesh.
/// @return Valid until lwi_components_release(); NULL: no memory.
const lwi_reach *lwi_components_acquire(lwi_components *components, const lw_filter *filter);
/// @param reach  May be NULL.
void lwi_components_release(lwi_components *components, const lwi_reach *reach);
/// @return Bytes held.
size_t lwi_components_memory(lwi_components *components);

/* --- placement -------------------------------------------------------------------------------------------- */

/// Move a place to the nearest one where the agents fit: straight over the ground, else round corners, else
/// behind walls. Agents no larger than the mesh was baked for stay.
/// @param about, half  They must stay within this box. [m]
/// @param[out] region  The region there; LWI_NONE: shut in between walls.
/// @return LW_OK; LW_NO_POINT: nowhere in the box; LW_OUT_OF_MEMORY.
lw_status lwi_placement_find(const lwi_reach *reach, lwi_region_scratch *work, lw_vec3 about, lw_vec3 half,
                             lw_location *place, uint32_t *region);

/// Where lwi_placement_find() moved a place to a shut-in place: the nearest from where a path leads to regions
/// with that label, if it is hardly farther and the line there is hardly narrower than the place.
/// @param to  LWI_NONE: from where a path leads anywhere. @param from  Where the place was moved from.
/// @param[in, out] place  Where it was moved to. @return LW_OK; LW_NO_POINT: there is none, and nothing is
///   changed; LW_OUT_OF_MEMORY.
lw_status lwi_placement_leave(const lwi_reach *reach, lwi_region_scratch *work, uint32_t to, lw_location from,
                              lw_location *place, uint32_t *region);
/// The same to where a path leads from regions with the label `from`.
/// @param wanted  Where the place was moved from.
lw_status lwi_placement_come(const lwi_reach *reach, lwi_region_scratch *work, uint32_t from,
                             lw_location wanted, lw_location *place, uint32_t *region);
/// As lwi_placement_find(), from where a path leads somewhere if there is such a place near by.
lw_status lwi_placement_start(const lwi_reach *reach, lwi_region_scratch *work, lw_vec3 about, lw_vec3 half,
                              lw_location *place, uint32_t *region);

/// The same straight over the ground alone, for agents that stand there.
/// @param half  Half size of the box about the place. [m]
lw_status lwi_placement_push(const lwi_reach *reach, lwi_region_scratch *work, lw_vec3 half, lw_location *place,
                             uint32_t *region);

/// The last place on the straight line from a place to what of its polygon is nearest to `goal`, up to where
/// agents fit.
lw_location lwi_placement_towards(const lwi_reach *reach, lw_location from, lw_vec3 goal);
/// The place nearest to `goal` that can be reached from regions with that label. Large agents look beside the
/// polygons nearest to the goal alone. @return LW_OK; LW_NO_POINT: nowhere; LW_OUT_OF_MEMORY.
lw_status lwi_placement_nearest(const lwi_reach *reach, lwi_region_scratch *work, uint32_t label, lw_vec3 goal,
                                lw_location *place, uint32_t *region);

/// Whether the agents can go straight from one place to another within one polygon.
bool lwi_placement_straight(const lwi_reach *reach, lw_location from, lw_location to);

#endif
