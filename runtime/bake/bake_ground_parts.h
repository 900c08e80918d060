/// What a bake finds out about each polygon beside its shape: how open it lies, and what part of it is deep.
#ifndef LW_BAKE_BAKE_GROUND_PARTS_H
#define LW_BAKE_BAKE_GROUND_PARTS_H

#include "cover/lines.h"
#include "mesh/mesh.h"

typedef struct lwi_ground_parts {
  const lwi_lines *lines; ///< By what hides, of the whole level.
  float range;            ///< Of the rays. [m] 0: nothing is looked at, all lie open.
  float swim_depth;       ///< Deeper water is deep. [m]
  int threads;
  const uint32_t *
      known; ///< [polygon_count] Polygons of another mesh that see the same; LWI_NONE: none does. NULL: none at all.
  const uint8_t *exposures; ///< That mesh's.
} lwi_ground_parts;

/// Fill the navmesh's exposures and deep waters. They depend on each polygon, the occluders and the waters alone, so that
/// parts of a bake find what the whole finds, by any number of threads.
/// @return false: no memory.
bool lwi_bake_ground_parts(lw_navmesh *mesh, const lwi_ground_parts *what, lwi_memory *memory);

#endif
