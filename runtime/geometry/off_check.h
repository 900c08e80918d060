/// What of an OFF file is checked before Assimp reads it, which is all but colours and normals: Assimp crashes
/// on fewer or other faces than stated, leaves out faces of many corners, and takes another vertex for one that
/// does not exist.
#ifndef LW_GEOMETRY_OFF_CHECK_H
#define LW_GEOMETRY_OFF_CHECK_H

#include "core/memory.h"

/// @return LW_OK; LW_BAD_FILE; LW_EMPTY: no faces; LW_INVALID: a coordinate or an index.
lw_status lwi_off_check(const char *file, const unsigned char *data, size_t size, lw_error *error);

#endif
