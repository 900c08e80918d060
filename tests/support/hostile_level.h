/// Level files that are written to a folder of their own, and what loading them says.
#ifndef LW_TESTS_HOSTILE_LEVEL_H
#define LW_TESTS_HOSTILE_LEVEL_H

#include "leeward/geometry.h"

#include <stddef.h>

/// The folder, which holds `level`, the level's own, `level/parts` and `shared`.
extern char hostile_root[];
/// The level written last, which is loaded.
extern char hostile_file[256];
/// Of the last load.
extern lw_error hostile_error;

/// Three vertices, and the URI that holds them.
extern const float hostile_triangle[9];
#define HOSTILE_IN_FILE "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAIA/AACAPwAAAAAAAAAA"
/// A list of nodes for hostile_write_gltf().
#define HOSTILE_ONE_NODE "[{\"mesh\":0}]"

/// A group's setup and teardown.
int hostile_set_up(void **state);
int hostile_tear_down(void **state);

/// @return A path below the folder; valid until the next call.
const char *hostile_path(const char *name);
/// Write a file below the folder.
void hostile_write(const char *name, const void *data, size_t size);
/// Write a level into its folder.
void hostile_write_level(const char *name, const void *data, size_t size);
/// Write a glTF file of one triangle. @param nodes  Their list. @param uri  Of the triangle.
void hostile_write_gltf(const char *nodes, const char *uri);

/// A text that grows. The caller frees `data`.
typedef struct hostile_text {
  char *data;
  size_t size, capacity;
} hostile_text;
/// Append at most 255 bytes.
void hostile_put(hostile_text *to, const char *format, ...) LW_PRINTF(2, 3);

/// Load the level.
lw_status hostile_load(const lw_geometry_import *import);
/// Load it and expect a status. @param message  Part of the error's text. NULL: any.
void hostile_expect(lw_status status, const char *message, const lw_geometry_import *import);
/// The same, read by a process of its own and by this one: for what is checked before Assimp sees the file, or
/// between its steps.
void hostile_expect_both(lw_status status, const char *message);
/// The same, and expect triangles. @param corners  [9 * triangle_count] Their positions, in order.
void hostile_expect_triangles(const float *corners, int triangle_count);

#endif
