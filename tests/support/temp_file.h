/// Files of tests: temporary ones, what files hold, and navmeshes as files.
#ifndef LW_TESTS_TEMP_FILE_H
#define LW_TESTS_TEMP_FILE_H

#include "leeward/navmesh.h"

typedef struct file_bytes {
  unsigned char *data;
  size_t size;
} file_bytes;

/// Make an empty file. The caller removes it.
/// @param name  Ends with XXXXXX, where a name that is not taken is written.
void temp_file_make(char *name);
/// Make or replace a file.
void file_write(const char *name, const void *data, size_t size);
/// All that a file holds. The caller frees the data.
file_bytes file_read(const char *name);
/// What the navmesh is as a file. The caller frees the data.
file_bytes navmesh_bytes(const lw_navmesh *mesh);
/// As another process would load it. The caller destroys it.
lw_navmesh *navmesh_through_file(const lw_navmesh *mesh, const lw_area_table *areas);
/// Fails the test where the two are not the same file. Frees both.
void assert_same_bytes(file_bytes a, file_bytes b);

#endif
