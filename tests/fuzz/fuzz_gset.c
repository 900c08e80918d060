/* A geometry set with any contents is refused with its line, and then nothing is added; or it is read. */
#include "fuzz.h"
#include "memory_files.h"

#include "leeward/geometry.h"

void fuzz_input(const uint8_t *data, size_t size) {
  lw_geometry *geometry = NULL;
  lw_error error = {0};
  if (lw_geometry_create(fuzz_areas(), NULL, &geometry) != LW_OK) fuzz_fail("no geometry");
  memory_file_set("input.gset", data, size);
  const lw_status status = lw_geometry_load_gset(geometry, "input.gset", NULL, &error);
  if (status != LW_OK && status != LW_BAD_FILE && status != LW_LIMIT)
    fuzz_fail("status %s", lw_status_name(status));
  if (status != LW_OK && !error.text[0]) fuzz_fail("refused without a reason");
  if (status != LW_OK && (lw_geometry_link_count(geometry) > 0 || lw_geometry_mark_count(geometry) > 0))
    fuzz_fail("refused, but something is added");
  lw_geometry_destroy(geometry);
  memory_files_clear();
}
