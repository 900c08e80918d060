/// What blocks sight in a navmesh whose tiles come from several.
#ifndef LW_BAKE_REPLACED_SIGHT_H
#define LW_BAKE_REPLACED_SIGHT_H

#include "bake/replace_tiles.h"
#include "sight/occluder.h"

/// Take from each navmesh what of its occluders lies over its tiles, cut along their borders.
/// @param[out] occluders  The caller frees them. @return LW_OK, LW_LIMIT, LW_OUT_OF_MEMORY.
lw_status lwi_replaced_sight(const lwi_replaced *replaced, lwi_memory *memory, lwi_occluders *occluders);

#endif
