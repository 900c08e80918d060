/* What is checked of a level file before Assimp reads it: an OBJ, glTF, binary glTF, PLY or OFF with any contents is refused with a
   reason, or passed on. Assimp itself runs in a process of its own, and not here. */
#include "fuzz.h"
#include "memory_files.h"

#include "core/status.h"
#include "geometry/plugin_load.h"
#include "leeward/geometry.h"

#include <string.h>

/* Where the checks end. Declared as what it replaces, so that neither can change alone. */
extern __typeof__(lwi_plugin_open) __wrap_lwi_plugin_open;

lw_status __wrap_lwi_plugin_open(lwi_plugin_handle *handle, lw_error *error) {
  (void)handle;
  return lwi_fail(error, LW_NO_BAKE, "not here");
}

static const char *name_of(const uint8_t *data, size_t size) {
  if (size >= 4 && memcmp(data, "glTF", 4) == 0) return "input.glb";
  if (size >= 3 && memcmp(data, "ply", 3) == 0) return "input.ply";
  if (size >= 3 && memcmp(data, "OFF", 3) == 0) return "input.off";
  return size > 0 && data[0] == '{' ? "input.gltf" : "input.obj";
}

void fuzz_input(const uint8_t *data, size_t size) {
  lw_geometry *geometry = NULL;
  lw_error error = {0};
  if (lw_geometry_create(fuzz_areas(), NULL, &geometry) != LW_OK) fuzz_fail("no geometry");
  memory_file_set(name_of(data, size), data, size);
  const lw_status status = lw_geometry_load(geometry, name_of(data, size), NULL, &error);
  if (status == LW_OK || !error.text[0])
    fuzz_fail("status %s, reason '%s'", lw_status_name(status), error.text);
  lw_geometry_destroy(geometry);
  memory_files_clear();
}
