/// What is checked before a rebuild begins.
#ifndef LW_BAKE_REBUILD_H
#define LW_BAKE_REBUILD_H

#include "leeward/bake.h"

/// Check the navmesh, the geometry, the settings and the box against each other, without baking.
/// @param def  Not NULL. @return As lw_navmesh_rebuild(): LW_INVALID; LW_EMPTY; LW_LIMIT.
lw_status lwi_rebuild_check(const lw_rebuild_def *def, lw_error *error);

#endif
