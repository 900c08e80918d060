/// What of a PLY file is checked before Assimp reads it. Assimp reads a header that is cut off without end,
/// crashes where a vertex has no position, and takes fewer elements than stated for a whole file.
#ifndef LW_GEOMETRY_PLY_CHECK_H
#define LW_GEOMETRY_PLY_CHECK_H

#include "core/memory.h"

/// The header, and that the file holds the elements that it states.
/// @return LW_OK; LW_BAD_FILE; LW_EMPTY: no faces.
lw_status lwi_ply_check(const char *file, const unsigned char *data, size_t size, lw_error *error);

#endif
