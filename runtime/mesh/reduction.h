/// What keeps searches small, beside landmarks (landmarks.h): dead ends and corners of walls. All of it
/// follows from a navmesh as it was baked, and is kept in its file. It stays right where a live navmesh
/// (live.h) is cut: that makes paths longer only.
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
/// The bits from this one on: the only portal, but for those back and into dead ends, that leads on from the
/// polygon behind, counted from 1 among that polygon's portals. 0: there are none or several, or many portals.
#define LWI_ONLY_EXIT_SHIFT 3
#define LWI_MAX_ONLY_EXIT 31

typedef struct lwi_reduction {
  uint32_t is_built;           ///< 0: there are no arrays.
  uint32_t old_landmark_count; ///< Of `old_distances`.
  float old_unit;
  uint32_t reserved; ///< 0.
  uint32_t *parents; ///< [polygons] In dead ends the next polygon towards the exit; LWI_NONE: in none.
  uint8_t *turns;    ///< [portals] LWI_TURNS_LEFT, LWI_TURNS_RIGHT, LWI_INTO_DEAD_END, only exits.
  /// [polygons][old_landmark_count] Of files up to LWI_FILE_VERSION_MIDDLES, and not used: landmarks.h.
  uint16_t *old_distances;
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
/// Set LWI_INTO_DEAD_END and the only exits of a polygon's portals, whose other turns are known.
void lwi_reduction_mark_dead_ends(const lw_navmesh *mesh, uint32_t polygon, uint8_t *turns);
/// The same for all polygons of a navmesh that has been loaded: files of older builds have no only exits.
void lwi_reduction_mark_all(lw_navmesh *mesh);

#endif
