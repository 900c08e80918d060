/// The triangles of a file as read, and how they come from another process: as bytes that are checked.
#ifndef LW_GEOMETRY_IMPORT_SCENE_H
#define LW_GEOMETRY_IMPORT_SCENE_H

#include "core/memory.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LWI_PLUGIN_MESSAGE 256

typedef enum lwi_plugin_status {
  LWI_PLUGIN_OK,
  LWI_PLUGIN_OUT_OF_MEMORY,
  LWI_PLUGIN_FAILED, ///< `message` says why.
  LWI_PLUGIN_LIMIT,  ///< The file needs more memory than it may use.
  LWI_PLUGIN_STATUS_COUNT
} lwi_plugin_status;

/// A file as read, with the nodes' transforms applied.
typedef struct lwi_import_scene {
  int vertex_count, triangle_count, material_count, name_bytes;
  float *vertices; ///< [3 * vertex_count]
  int *triangles;  ///< [3 * triangle_count]
  int *materials;  ///< [triangle_count] Index of the triangle's material.
  char *names;     ///< [name_bytes] Of the materials, one after the other, each with a final zero.
  char message[LWI_PLUGIN_MESSAGE];
} lwi_import_scene;

/// Make the arrays for the counts that are set. @return false: out of memory; lwi_import_scene_free() frees the
/// others.
bool lwi_import_scene_alloc(lwi_memory *memory, lwi_import_scene *scene);
/// @param scene  May be empty or partly allocated.
void lwi_import_scene_free(lwi_memory *memory, lwi_import_scene *scene);

/// Write a scene, or only the message of one that failed.
/// @param put  Writes all bytes. @return What `put` returned last.
bool lwi_import_scene_send(const lwi_import_scene *scene, lwi_plugin_status status,
                           bool (*put)(const void *data, size_t size));

typedef enum lwi_import_scene_result {
  LWI_IMPORT_RECEIVED,
  LWI_IMPORT_CUT,          ///< `get` failed.
  LWI_IMPORT_MALFORMED,    ///< No scene, or one of another version.
  LWI_IMPORT_TOO_LARGE,    ///< Larger than `memory_max`.
  LWI_IMPORT_OUT_OF_MEMORY ///< Of `memory`.
} lwi_import_scene_result;
/// Read what lwi_import_scene_send() wrote. What is received may come from a process that a file took over:
/// indices of triangles are as they were sent, all else is checked.
/// @param get  Reads all bytes; false ends it. @param memory_max  Of all arrays. [bytes]
/// @param[out] scene  To be freed with lwi_import_scene_free() in any case. @param[out] status  As it was sent.
lwi_import_scene_result lwi_import_scene_receive(bool (*get)(void *user, void *data, size_t size), void *user,
                                                 uint64_t memory_max, lwi_memory *memory,
                                                 lwi_import_scene *scene, lwi_plugin_status *status);

#ifdef __cplusplus
}
#endif
#endif
