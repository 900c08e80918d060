/// What of a PLY file is checked before Assimp reads it. Assimp reads a header that is cut off without end,
/// crashes where a vertex has no position, takes fewer elements than stated for a whole file, and makes up
/// numbers that are missing or wrong.
#ifndef LW_GEOMETRY_PLY_CHECK_H
#define LW_GEOMETRY_PLY_CHECK_H

#include "core/memory.h"

/// The header, that the file holds the elements that it states, and their numbers: each is of its property's
/// type, coordinates are finite, corners of faces are vertices.
/// @return LW_OK; LW_BAD_FILE; LW_EMPTY: no faces; LW_INVALID: a number.
lw_status lwi_ply_check(const char *file, const unsigned char *data, size_t size, lw_error *error);

#endif
