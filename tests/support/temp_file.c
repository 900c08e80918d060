#include "temp_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

void temp_file_make(char *name) {
  int handle = mkstemp(name);
  if (handle < 0) fail_msg("no file can be made by the template %s", name);
  close(handle);
}

void file_write(const char *name, const void *data, size_t size) {
  FILE *file = fopen(name, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(data, 1, size, file), size);
  assert_int_equal(fclose(file), 0);
}

file_bytes file_read(const char *name) {
  FILE *file = fopen(name, "rb");
  assert_non_null(file);
  assert_int_equal(fseek(file, 0, SEEK_END), 0);
  file_bytes bytes = {.size = (size_t)ftell(file)};
  rewind(file);
  bytes.data = malloc(bytes.size + 1);
  assert_non_null(bytes.data);
  assert_int_equal(fread(bytes.data, 1, bytes.size, file), bytes.size);
  fclose(file);
  return bytes;
}

/* Into a new file. */
static void save(const lw_navmesh *mesh, char *name) {
  lw_error error = {0};
  temp_file_make(name);
  if (lw_navmesh_save(mesh, name, &error) != LW_OK) fail_msg("%s", error.text);
}

file_bytes navmesh_bytes(const lw_navmesh *mesh) {
  char name[] = "/tmp/leeward_XXXXXX";
  save(mesh, name);
  file_bytes bytes = file_read(name);
  remove(name);
  return bytes;
}

lw_navmesh *navmesh_through_file(const lw_navmesh *mesh, const lw_area_table *areas) {
  char name[] = "/tmp/leeward_XXXXXX";
  lw_navmesh *loaded;
  lw_error error = {0};
  save(mesh, name);
  if (lw_navmesh_load(name, areas, NULL, &loaded, &error) != LW_OK) fail_msg("%s", error.text);
  remove(name);
  return loaded;
}

void assert_same_bytes(file_bytes a, file_bytes b) {
  assert_int_equal(a.size, b.size);
  assert_memory_equal(a.data, b.data, a.size);
  free(a.data);
  free(b.data);
}
