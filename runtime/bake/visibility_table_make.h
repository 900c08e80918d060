/// Making the visibility table of a navmesh.
#ifndef LW_BAKE_VISIBILITY_TABLE_MAKE_H
#define LW_BAKE_VISIBILITY_TABLE_MAKE_H

#include "bake/sight_lines.h"
#include "sight/visibility_table.h"

/// What to make.
typedef struct lwi_visibility_table_def {
  const lwi_sight_lines *lines; ///< Of the mesh's occluders.
  float range;                  ///< [m, > 0]
  int threads;                  ///< [1..LWI_THREADS_MAX]
} lwi_visibility_table_def;
/// Make the visibility table of a mesh without one. The same for any number of threads.
/// @param memory  For scratch memory; threads use it one at a time. @return false: out of memory.
bool lwi_visibility_table_make(lw_navmesh *mesh, const lwi_visibility_table_def *def, lwi_memory *memory);

#endif
