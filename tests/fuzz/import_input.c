#include "import_input.h"

#include "damage.h"
#include "fuzz.h"
#include "memory_files.h"

#include "leeward/import.h"

static void check_saved(const lw_navmesh *navmesh) {
  lw_navmesh *loaded = NULL;
  lw_error error = {0};
  if (lw_navmesh_save(navmesh, "saved.lwn", &error) != LW_OK) fuzz_fail("not saved: %s", error.text);
  if (lw_navmesh_load("saved.lwn", fuzz_areas(), NULL, &loaded, &error) != LW_OK)
    fuzz_fail("saved, but not loaded: %s", error.text);
  lw_navmesh_destroy(loaded);
}

void import_input(const uint8_t *data, size_t size) {
  lw_navmesh *navmesh = NULL;
  lw_error error = {0};
  lw_import_settings settings = lw_import_settings_default();
  for (int i = 0; i < LW_IMPORT_AREAS; i++) settings.areas[i] = (lw_area_id)(i % 4); /* 0: refused */
  memory_file_set("input", data, size);
  if (lw_navmesh_import("input", fuzz_areas(), &settings, &navmesh, &error) == LW_OK) {
    damage_probe(navmesh, size);
    check_saved(navmesh);
  } else if (!error.text[0] || navmesh) {
    fuzz_fail("refused without a reason, or with a navmesh");
  }
  lw_navmesh_destroy(navmesh);
  memory_files_clear();
}
