/* Navmeshes of other programs: whose, and what holds for all. */
#include "mesh/import.h"

#include "core/file.h"
#include "core/status.h"
#include "mesh/mesh.h"

#include <string.h>

#define WALKABLE_AREA 63 /* RC_WALKABLE_AREA */

lw_import_settings lw_import_settings_default(void) {
  return (lw_import_settings){.areas = {[0] = 1, [WALKABLE_AREA] = 1}, .cookie = LWI_COOKIE};
}

/* An edge is named by its ends: its number would be ours, not the file's. */
static lw_status differs(const lwi_import *import, const lw_navmesh *mesh, uint32_t polygon, uint32_t edge,
                         uint32_t other, bool they_meet) {
  lwi_polygon outline = lwi_polygon_get(mesh, polygon);
  lw_vec3 a = lwi_corner(&outline, edge), b = lwi_corner(&outline, lwi_next_corner(&outline, edge));
  return lwi_fail(
      import->error, LW_BAD_FILE,
      "'%s': polygon %u %s polygon %u behind its edge from (%g, %g, %g) to (%g, %g, %g), but the two %s "
      "there",
      import->name, (unsigned)polygon + 1, they_meet ? "does not have" : "has", (unsigned)other + 1,
      (double)a.x, (double)a.y, (double)a.z, (double)b.x, (double)b.y, (double)b.z,
      they_meet ? "meet" : "do not meet");
}

static lw_status check_edge(const lwi_import *import, const lw_navmesh *mesh, uint32_t polygon, uint32_t edge,
                            uint32_t *portal, int behind) {
  uint32_t end = mesh->first_portal[polygon + 1], first = *portal;
  while (*portal < end && mesh->portals[*portal].edge == edge) *portal += 1;
  if (behind == LWI_BEHIND_ANYTHING) return LW_OK;
  for (uint32_t k = first; k < *portal; k++)
    if (behind == LWI_BEHIND_NOTHING || mesh->portals[k].to != (uint32_t)behind)
      return differs(import, mesh, polygon, edge, mesh->portals[k].to, true);
  if (*portal > first || behind == LWI_BEHIND_NOTHING) return LW_OK;
  return differs(import, mesh, polygon, edge, (uint32_t)behind, false);
}

lw_status lwi_import_check_neighbors(const lwi_import *import, const lw_navmesh *mesh, const int *behind) {
  for (uint32_t p = 0; p < mesh->polygon_count; p++) {
    uint32_t portal = mesh->first_portal[p], corners = lwi_polygon_get(mesh, p).count;
    for (uint32_t edge = 0; edge < corners; edge++) {
      lw_status status = check_edge(import, mesh, p, edge, &portal, *behind++);
      if (status != LW_OK) return status;
    }
  }
  return LW_OK;
}

static lw_status check_settings(const lw_area_table *areas, const lw_import_settings *settings,
                                lw_error *error) {
  if (!areas || lw_area_table_count(areas) == 0)
    return lwi_fail(error, LW_INVALID, "areas: expected a table with at least one area");
  lw_status status = lwi_check_cookie(settings->cookie, "lw_import_settings", error);
  if (status != LW_OK) return status;
  for (int i = 0; i < LW_IMPORT_AREAS; i++)
    if (settings->areas[i] != LW_AREA_NONE && !lw_area_table_get(areas, settings->areas[i]))
      return lwi_fail(error, LW_INVALID, "areas[%d] is %d, but the area table has %d areas", i,
                      settings->areas[i], lw_area_table_count(areas));
  return LW_OK;
}

static lw_status read_kind(lwi_import *import, lw_navmesh **navmesh) {
  static const char ours[] = "LWNMESH";
  if (import->size == 0) return lwi_fail(import->error, LW_BAD_FILE, "'%s' is an empty file", import->name);
  if (import->size > INT32_MAX)
    return lwi_fail(import->error, LW_LIMIT, "'%s' is larger than 2 GiB", import->name);
  if (lwi_polyanya_is(import->data, import->size)) return lwi_polyanya_import(import, navmesh);
  if (lwi_detour_is(import->data, import->size)) return lwi_detour_import(import, navmesh);
  if (import->size >= sizeof ours && memcmp(import->data, ours, sizeof ours) == 0)
    return lwi_fail(import->error, LW_BAD_FILE, "'%s' is a leeward navmesh already: load it", import->name);
  return lwi_fail(import->error, LW_BAD_FILE,
                  "'%s' is of no kind that can be imported: Polyanya's mesh or Detour's tile set",
                  import->name);
}

lw_status lw_navmesh_import(const char *file, const lw_area_table *areas, const lw_import_settings *settings,
                            lw_navmesh **navmesh, lw_error *error) {
  *navmesh = NULL;
  lw_import_settings defaults = lw_import_settings_default();
  if (!settings) settings = &defaults;
  if (!file) return lwi_fail(error, LW_INVALID, "file: expected a name, got NULL");
  lw_status status = check_settings(areas, settings, error);
  if (status != LW_OK) return status;
  lwi_memory memory = lwi_memory_make(settings->allocator);
  unsigned char *data;
  size_t size;
  status = lwi_file_read(file, &memory, &data, &size, error);
  if (status != LW_OK) return status;
  lwi_import import = {file, data, size, areas, settings, &memory, error};
  lw_navmesh *made = NULL;
  status = read_kind(&import, &made);
  lwi_free(&memory, data, size);
  lw_error wrong;
  if (status == LW_OK && lw_navmesh_validate(made, &wrong) != LW_OK)
    status = lwi_fail(error, LW_BAD_FILE, "'%s': %.400s", file, wrong.text);
  if (status == LW_OK)
    *navmesh = made;
  else
    lw_navmesh_destroy(made);
  return status;
}
