/// What a navmesh of some of a bake's tiles remembers, so that it can be joined with the others.
#ifndef LW_MESH_PART_H
#define LW_MESH_PART_H

#include <stdint.h>

/// What becomes of it when parts are joined.
#define LWI_KEEP_OCCLUDERS 1u
#define LWI_KEEP_COVER 2u
#define LWI_KEEP_MAP 4u
#define LWI_KEEP_PAIRS 8u

typedef struct lwi_part {
  uint32_t first, count; ///< Its tiles, row by row over the whole grid, empty ones too.
  uint32_t total;        ///< Tiles of the whole grid. 0: this is no part.
  uint32_t keep;         ///< LWI_KEEP_*, or-ed together.
  float pair_range;      ///< Of a table of pairs that is to be made. [m]
  float min_island;      ///< Smaller islands are left out when parts are joined. [m2]
  uint64_t bake; ///< Hash of the geometry's triangles and of the settings: the same in all parts of a bake.
} lwi_part;

#endif
