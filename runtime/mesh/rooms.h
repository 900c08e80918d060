/// Divides a baked navmesh into rooms: parts that narrow places (doors) separate, and that are neither too
/// small nor too large. Every polygon is in one room, and the polygons of a room are connected by portals.
///
///  1. rooms_core.c: where a disc as wide as a door can be moved, by the clear portals of clearance.h, is the
///     core of a room. Polygons beside a core belong to it; what is left between cores is narrow everywhere,
///     such as a corridor, and is a room of its own.
///  2. rooms_merge.c: rooms that are too small join the neighbour that they share the longest border with.
///  3. rooms_split.c: rooms that are too large are cut where they are narrowest, near their half.
#ifndef LW_MESH_ROOMS_H
#define LW_MESH_ROOMS_H

#include "core/heap.h"
#include "mesh/mesh.h"

typedef struct lwi_room_rules {
  float door_width; ///< Of the ground that a door has for walls, at most. [m]
  float min_area;   ///< Smaller rooms join a neighbour, if they have one. [m2]
  float max_area;   ///< Larger rooms are cut. [m2]
} lwi_room_rules;

/// While rooms are found.
typedef struct lwi_room_work {
  lwi_memory *memory;
  const lw_navmesh *mesh;
  uint32_t count;    ///< Labels are below this.
  uint32_t *labels;  ///< [polygons] LWI_NONE: not known yet.
  double *areas;     ///< [polygons] [m2]
  lw_vec3 *middles;  ///< [polygons]
  uint32_t *stack;   ///< [polygons] Scratch, as all that follows.
  uint32_t *sources; ///< [polygons]
  float *distances;  ///< [polygons] [m]
  lwi_heap heap;
} lwi_room_work;

/// Find the room of each polygon. @param[out] rooms  [polygons] Numbers from 0, in the order of their first
/// polygons. @param[out] count  How many rooms there are. @return false: no memory.
bool lwi_rooms_divide(lwi_memory *memory, const lw_navmesh *mesh, const lwi_room_rules *rules, uint32_t *rooms,
                      uint32_t *count);

/* --- steps ------------------------------------------------------------------------------------------------ */

/// Label the cores, and what belongs to them. @return false: no memory.
bool lwi_rooms_find_cores(lwi_room_work *work, float door_width);
/// Join labels of less than `min_area` to neighbours. @return false: no memory.
bool lwi_rooms_merge(lwi_room_work *work, float min_area);
/// Cut labels of more than `max_area`. @return false: no memory.
bool lwi_rooms_split(lwi_room_work *work, float max_area);
/// Give connected polygons with equal labels a label of their own, by the order of the first polygons.
/// @param[in,out] labels  [polygons of `mesh`] LWI_NONE is a label as others. @param stack, scratch  [polygons]
/// @return How many labels there are now.
uint32_t lwi_rooms_separate(const lw_navmesh *mesh, uint32_t *labels, uint32_t *stack, uint32_t *scratch);

/* --- merging ---------------------------------------------------------------------------------------------- */

/// A border that two items share.
typedef struct lwi_contact {
  uint32_t a, b;
  float width; ///< [m]
} lwi_contact;

/// What is to be merged.
typedef struct lwi_merge {
  lwi_memory *memory;
  uint32_t count;
  double *areas;               ///< [count] Of items; afterwards of sets, at their first items. [m2]
  const lwi_contact *contacts; ///< [contact_count] Some pairs may be listed several times.
  uint32_t contact_count;
  double min, max;   ///< Sets below `min` grow, but not above `max`. [m2]
  uint32_t *parents; ///< [count] Result: sets, as lwi_root_of() has them.
} lwi_merge;
/// Merge the smallest set with the neighbour that it shares the longest border with, as long as one is too
/// small. @return false: no memory.
bool lwi_merge_items(lwi_merge *merge);

/// Width of a portal. [m]
static inline float lwi_portal_width(const lw_navmesh *mesh, uint32_t polygon, const lwi_portal *portal) {
  lw_vec3 left, right;
  lwi_portal_points(mesh, polygon, portal, &left, &right);
  return lwi_distance_xz(left, right);
}

#endif
