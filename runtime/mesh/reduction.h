/// What keeps searches small: dead ends, corners of walls, and distances from landmarks. All of it follows from
/// a navmesh as it was baked, and is kept in its file. It stays right where a live navmesh (live.h) is cut:
/// that makes paths longer only.
#ifndef LW_MESH_REDUCTION_H
#define LW_MESH_REDUCTION_H

#include "mesh/sections.h"

/// Where a navmesh's reduction lies among what is attached to it.
#define LWI_REDUCTION_SLOT 4
extern const lwi_section_group lwi_reduction_sections;

/// Bits of lwi_reduction.turns: paths may turn at the left or right end of a portal, for it is a corner of a
/// wall.
#define LWI_TURNS_LEFT 1u
#define LWI_TURNS_RIGHT 2u
/// Bit of lwi_reduction.turns: the polygon behind the portal is in a dead end, which is left through it alone.
#define LWI_INTO_DEAD_END 4u

/// Landmarks of a navmesh that has any. Their distances from a polygon are read together.
#define LWI_LANDMARKS 8

typedef struct lwi_reduction {
  uint32_t is_built;       ///< 0: there are no arrays.
  uint32_t landmark_count; ///< 0, or LWI_LANDMARKS.
  float unit;              ///< Of distances. [m]
  uint32_t reserved;       ///< 0.
  uint32_t *parents;       ///< [polygons] In dead ends the next polygon towards the exit; LWI_NONE: in none.
  uint8_t *turns;          ///< [portals] LWI_TURNS_LEFT, LWI_TURNS_RIGHT, LWI_INTO_DEAD_END.
  /// [polygons][landmark_count] Length of the shortest path from each landmark to the middle of the polygon,
  /// over the ground as seen from above, rounded down. UINT16_MAX: there is none. [unit]
  uint16_t *distances;
} lwi_reduction;

static inline const lwi_reduction *lwi_reduction_of(const lw_navmesh *mesh) {
  return mesh->attachments.slots[LWI_REDUCTION_SLOT];
}

/// Compute it all again, for a navmesh whose links are joined.
/// @return false: no memory; the navmesh is only good to be destroyed.
bool lwi_reduction_make(lw_navmesh *mesh);
/// Begin it: without turns, distances, landmarks. @return false: no memory.
bool lwi_reduction_begin(lw_navmesh *mesh);
/// Find the turns of a polygon's portals. @param turns  [portals]
void lwi_reduction_find_turns(const lw_navmesh *mesh, uint32_t polygon, uint8_t *turns);
/// Is an end of a portal a corner of a wall, or of ground that agents with a filter may not enter? Unlike
/// `turns` it follows the navmesh as it is cut now. @param filter  NULL: they may enter all.
bool lwi_reduction_is_corner(const lw_navmesh *mesh, const lw_filter *filter, uint32_t polygon, uint32_t portal,
                             bool is_left);
/// Set LWI_INTO_DEAD_END of a polygon's portals, whose other turns are known.
void lwi_reduction_mark_dead_ends(const lw_navmesh *mesh, uint32_t polygon, uint8_t *turns);
/// Its distances from landmarks (landmarks.c). @return false: no memory.
bool lwi_landmarks_make(lw_navmesh *mesh, lwi_reduction *reduction);

/// The place of a polygon that distances are measured to. [m]
static inline lwi_point2 lwi_polygon_middle(const lw_navmesh *mesh, uint32_t index) {
  const lwi_polygon polygon = lwi_polygon_get(mesh, index);
  const uint32_t half = polygon.count / 2;
  const float *x = polygon.at, *z = polygon.at + polygon.count;
  return (lwi_point2){0.5 * ((double)x[0] + (double)x[half]), 0.5 * ((double)z[0] + (double)z[half])};
}

/// Lower bound by landmarks on the path from the middle of a base polygon to the middle of another. [m]
/// @param distances  [LWI_LANDMARKS] Of the other one.
static inline float lwi_landmark_bound(const lwi_reduction *tables, uint32_t polygon,
                                       const uint16_t *distances) {
  const uint16_t *here = tables->distances + (size_t)polygon * LWI_LANDMARKS;
  int max = 0;
  for (int i = 0; i < LWI_LANDMARKS; i++) {
    const int apart = here[i] - distances[i], size = apart < 0 ? -apart : apart;
    max = size > max ? size : max;
  }
  return (float)(max - 1) * tables->unit;
}

#endif
