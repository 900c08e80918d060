#include "hostile_level.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

static lw_area_table *areas;
char hostile_root[] = "/tmp/leeward_hostile_XXXXXX";
char hostile_file[256];

/* --- files ------------------------------------------------------------------------------------------------ */

const char *hostile_path(const char *name) {
  static char path[512];
  snprintf(path, sizeof path, "%s/%s", hostile_root, name);
  return path;
}

void hostile_write(const char *name, const void *data, size_t size) {
  FILE *to = fopen(hostile_path(name), "wb");
  assert_non_null(to);
  assert_int_equal(fwrite(data, 1, size, to), size);
  assert_int_equal(fclose(to), 0);
}

const float hostile_triangle[9] = {0, 0, 0, 1, 0, 1, 1, 0, 0};

void hostile_write_gltf(const char *nodes, const char *uri) {
  snprintf(hostile_file, sizeof hostile_file, "%s/level/level.gltf", hostile_root);
  FILE *to = fopen(hostile_file, "wb");
  assert_non_null(to);
  fprintf(to,
          "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":%s,"
          "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
          "\"buffers\":[{\"byteLength\":36,\"uri\":\"%s\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],"
          "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\","
          "\"min\":[0,0,0],\"max\":[1,0,1]}]}",
          nodes, uri);
  assert_int_equal(fclose(to), 0);
}

void hostile_write_level(const char *name, const void *data, size_t size) {
  snprintf(hostile_file, sizeof hostile_file, "%s/level/%s", hostile_root, name);
  char inside[64];
  snprintf(inside, sizeof inside, "level/%s", name);
  hostile_write(inside, data, size);
}

void hostile_put(hostile_text *to, const char *format, ...) {
  va_list arguments;
  if (to->size + 256 > to->capacity) {
    to->capacity = 2 * to->capacity + 4096;
    assert_non_null(to->data = realloc(to->data, to->capacity));
  }
  va_start(arguments, format);
  to->size += (size_t)vsnprintf(to->data + to->size, 256, format, arguments);
  va_end(arguments);
}

int hostile_set_up(void **state) {
  (void)state;
  lw_area_def def = lw_area_def_default();
  def.name = "ground";
  if (!mkdtemp(hostile_root) || lw_area_table_create(NULL, &areas)) return -1;
  if (lw_area_table_set(areas, &def, NULL, NULL)) return -1;
  return mkdir(hostile_path("level"), 0700) || mkdir(hostile_path("level/parts"), 0700) ||
         mkdir(hostile_path("shared"), 0700);
}

int hostile_tear_down(void **state) {
  (void)state;
  char command[256];
  lw_area_table_destroy(areas);
  snprintf(command, sizeof command, "rm -rf '%s'", hostile_root);
  return system(command);
}

/* --- loading ---------------------------------------------------------------------------------------------- */

lw_error hostile_error;

lw_status hostile_load(const lw_geometry_import *import) {
  lw_geometry *geometry = NULL;
  assert_int_equal(lw_geometry_create(areas, NULL, &geometry), LW_OK);
  hostile_error = (lw_error){0};
  lw_status status = lw_geometry_load(geometry, hostile_file, import, &hostile_error);
  assert_int_equal(status == LW_OK, lw_geometry_triangle_count(geometry) > 0);
  lw_geometry_destroy(geometry);
  return status;
}

void hostile_expect(lw_status expected, const char *message, const lw_geometry_import *import) {
  const lw_status status = hostile_load(import);
  if (status != expected || (message && !strstr(hostile_error.text, message)))
    fail_msg("%s: got %s '%s', expected %s '%s'", hostile_file, lw_status_name(status), hostile_error.text,
             lw_status_name(expected), message);
}

void hostile_expect_both(lw_status status, const char *message) {
  const lw_geometry_import here = {.in_process = true};
  hostile_expect(status, message, NULL);
  hostile_expect(status, message, &here);
}

static void expect_triangles(const float *corners, int triangle_count, const lw_geometry_import *import) {
  lw_geometry *geometry = NULL;
  lw_error error = {0};
  assert_int_equal(lw_geometry_create(areas, NULL, &geometry), LW_OK);
  const lw_status status = lw_geometry_load(geometry, hostile_file, import, &error);
  if (status || lw_geometry_triangle_count(geometry) != triangle_count)
    fail_msg("%s: %s '%s', %d triangles", hostile_file, lw_status_name(status), error.text,
             lw_geometry_triangle_count(geometry));
  for (int i = 0; i < 3 * triangle_count; ++i) {
    const lw_vec3 at = lw_geometry_vertices(geometry)[lw_geometry_indices(geometry)[i]];
    if (at.x != corners[3 * i] || at.y != corners[3 * i + 1] || at.z != corners[3 * i + 2])
      fail_msg("%s: corner %d of triangle %d is (%g, %g, %g)", hostile_file, i % 3, i / 3, (double)at.x,
               (double)at.y, (double)at.z);
  }
  lw_geometry_destroy(geometry);
}

void hostile_expect_triangles(const float *corners, int triangle_count) {
  const lw_geometry_import here = {.in_process = true};
  expect_triangles(corners, triangle_count, NULL);
  expect_triangles(corners, triangle_count, &here);
}
