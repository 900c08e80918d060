/// A navmesh's arrays: which there are, in the order in which memory and file hold them.
#ifndef LW_MESH_SECTIONS_H
#define LW_MESH_SECTIONS_H

#include "mesh/mesh.h"

/// Sections begin at multiples of this in memory and file. [bytes]
#define LWI_SECTION_ALIGNMENT 16

typedef struct lwi_section {
  const char *name; ///< As messages say it.
  size_t pointer;   ///< Offset of the array's pointer in lw_navmesh.
  size_t element;   ///< [bytes]
} lwi_section;

enum {
  LWI_TILES,
  LWI_RANGES,
  LWI_CORNERS,
  LWI_EDGES,
  LWI_AREAS,
  LWI_EXPOSURES,
  LWI_DEEP_WATERS,
  LWI_DETAIL_VERTEX_RANGES,
  LWI_DETAIL_VERTICES,
  LWI_DETAIL_TRIANGLE_RANGES,
  LWI_DETAIL_TRIANGLES,
  LWI_DETAIL_BOX_RANGES,
  LWI_DETAIL_BOXES,
  LWI_PORTAL_RANGES,
  LWI_PORTALS,
  LWI_STRETCHES,
  LWI_ISLANDS,
  LWI_ALIASES,
  LWI_GRID_RANGES,
  LWI_GRID_REFERENCES,
  LWI_GRID_FLOORS,
  LWI_LINK_RANGES,
  LWI_LINKS,
  LWI_REQUESTS,
  LWI_WATERS,
  LWI_WATER_POINTS,
  LWI_OCCLUDER_NODES,
  LWI_OCCLUDER_LEAVES,
  LWI_OCCLUDER_BLOCKS,
  LWI_OCCLUDER_NUMBERS,
  LWI_OCCLUDER_VERTICES,
  LWI_COVER_SEGMENTS,
  LWI_COVER_BLOCKS,
  LWI_COVER_VETOES,
  LWI_COVER_VETO_POINTS,
  LWI_COVER_ADDED,
  LWI_COVER_MAP_RANGES,
  LWI_COVER_MAP_LEAVES,
  LWI_PAIR_PRISMS,
  LWI_PAIR_ROWS,
  LWI_PAIR_GROUPS,
  LWI_PAIR_WORDS,
  LWI_SECTION_COUNT
};

extern const lwi_section lwi_sections[LWI_SECTION_COUNT];

/// @return How many elements section `which` has, by the navmesh's counts.
uint64_t lwi_section_count(const lw_navmesh *mesh, int which);
/// [bytes]
static inline uint64_t lwi_section_size(const lw_navmesh *mesh, int which) {
  return lwi_section_count(mesh, which) * lwi_sections[which].element;
}
static inline uint64_t lwi_section_room(const lw_navmesh *mesh, int which) {
  return (lwi_section_size(mesh, which) + LWI_SECTION_ALIGNMENT - 1) / LWI_SECTION_ALIGNMENT *
         LWI_SECTION_ALIGNMENT;
}
void *lwi_section_get(const lw_navmesh *mesh, int which);
void lwi_section_set(lw_navmesh *mesh, int which, void *array);

/// Move arrays that were allocated one by one, and those of the block that there is, into a block of the navmesh's own.
/// @return false: no memory.
bool lwi_sections_pack(lw_navmesh *mesh);
/// Free all arrays, packed or not.
void lwi_sections_free(lw_navmesh *mesh);
/// Is every number within what it may be, so that no question can read outside the arrays or never end? Cheap enough to
/// be asked of each file that is loaded. @return NULL, or what is wrong with section `*which`.
const char *lwi_sections_check(const lw_navmesh *mesh, int *which);
/// Generations of tiles that were never replaced. Those of different navmeshes begin differently, so that an id of one is
/// stale in another (but for one pair of navmeshes in 32,767); the same navmesh, baked or loaded, always has the same ids.
/// @return false: no memory.
bool lwi_generations_make(lw_navmesh *mesh);

#endif
