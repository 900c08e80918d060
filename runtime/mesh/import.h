/// What the readers of foreign navmeshes share.
#ifndef LW_MESH_IMPORT_H
#define LW_MESH_IMPORT_H

#include "core/memory.h"
#include "leeward/import.h"

/// A file in memory, being imported.
typedef struct lwi_import {
  const char *name; ///< For messages.
  const unsigned char *data;
  size_t size; ///< <= INT32_MAX
  const lw_area_table *areas;
  const lw_import_settings *settings;
  lwi_memory *memory; ///< To work in.
  lw_error *error;
} lwi_import;

/// Is it one, whatever its version?
bool lwi_polyanya_is(const unsigned char *data, size_t size);
lw_status lwi_polyanya_import(lwi_import *import, lw_navmesh **navmesh);

/// Is it a tile set, a single tile or a tile cache, in either byte order?
bool lwi_detour_is(const unsigned char *data, size_t size);
lw_status lwi_detour_import(lwi_import *import, lw_navmesh **navmesh);

/// What a file says of an edge, besides the number of the polygon behind it.
#define LWI_BEHIND_NOTHING (-1)
#define LWI_BEHIND_ANYTHING (-2)
/// Compare the portals with the neighbours that the file gives.
/// @param behind  One for each corner of each polygon, in order: of the edge that begins there.
/// @return LW_OK, or LW_BAD_FILE with the first polygon that differs.
lw_status lwi_import_check_neighbors(const lwi_import *import, const lw_navmesh *navmesh, const int *behind);

#endif
