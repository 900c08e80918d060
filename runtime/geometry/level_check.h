/// What of a level file is checked before Assimp reads it: its kind, its size, and by the checks of its format
/// (obj_check.h, gltf_check.h, ...) where Assimp would believe it. These can name the line.
#ifndef LW_GEOMETRY_LEVEL_CHECK_H
#define LW_GEOMETRY_LEVEL_CHECK_H

#include "core/memory.h"

/// @param memory_max  Largest file. [bytes] @param memory  For the time of the call.
/// @param[out] triangles  How many there must be at least, as far as the file says it.
/// @return LW_OK; LW_FILE; LW_BAD_FILE; LW_EMPTY; LW_INVALID; LW_LIMIT; LW_OUT_OF_MEMORY.
lw_status lwi_level_check(const char *file, uint64_t memory_max, lwi_memory *memory, uint64_t *triangles,
                          lw_error *error);

#endif
