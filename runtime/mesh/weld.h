/// Points at one place, made one.
#ifndef LW_MESH_WELD_H
#define LW_MESH_WELD_H

#include "core/memory.h"

/// Number the different places among points in the order in which they first come.
/// @param points  [count]
/// @param[out] numbers  [count] Of the place each point is at.
/// @param[out] places  [count] The first `*place_count` are filled. NULL: not wanted.
/// @return false: no memory.
bool lwi_weld(lwi_memory *memory, const lw_vec3 *points, int count, int *numbers, lw_vec3 *places,
              int *place_count);

#endif
