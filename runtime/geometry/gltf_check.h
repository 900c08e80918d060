/// What of a glTF file is checked before Assimp reads it: lengths of a binary container, required extensions,
/// nodes that form trees, and that buffers, views, accessors and primitives fit each other. Assimp allocates
/// what a length says, reads accessors beyond their views, leaves out what it does not understand, and follows
/// nodes by recursion, each as often as it is named.
#ifndef LW_GEOMETRY_GLTF_CHECK_H
#define LW_GEOMETRY_GLTF_CHECK_H

#include "core/memory.h"

/// How deep nodes may be nested. Assimp puts some of its own above.
#define LWI_GLTF_DEPTH_MAX 1000

/// @param file  Its name, for messages.
/// @param memory  For the time of the call: in proportion to the JSON text.
/// @param[out] triangles  How many its scene places. Assimp leaves out those with an index that is no vertex.
/// @return LW_OK; LW_BAD_FILE; LW_OUT_OF_MEMORY.
lw_status lwi_gltf_check(const char *file, const unsigned char *data, size_t size, lwi_memory *memory,
                         uint64_t *triangles, lw_error *error);
/// Check a container (.glb) and the text in it.
lw_status lwi_glb_check(const char *file, const unsigned char *data, size_t size, lwi_memory *memory,
                        uint64_t *triangles, lw_error *error);

#endif
