/// What of a glTF file is checked before Assimp reads it: lengths of a binary container, modes of primitives,
/// required extensions, that numbers of accessors and buffer views are whole and no accessor is sparse, and
/// that its nodes form trees. Assimp allocates what a length says, reads sparse accessors beyond their views,
/// and follows nodes by recursion, each as often as it is named.
#ifndef LW_GEOMETRY_GLTF_CHECK_H
#define LW_GEOMETRY_GLTF_CHECK_H

#include "core/memory.h"

/// How deep nodes may be nested. Assimp puts some of its own above.
#define LWI_GLTF_DEPTH_MAX 1000

/// @param file  Its name, for messages.
/// @param binary  A container (.glb), not JSON text.
/// @param memory  For the time of the call: 12 bytes a node.
/// @return LW_OK; LW_BAD_FILE; LW_OUT_OF_MEMORY.
lw_status lwi_gltf_check(const char *file, const unsigned char *data, size_t size, bool binary,
                         lwi_memory *memory, lw_error *error);

#endif
