/// Readers of other programs' navmesh files, and what they share.
#ifndef LW_MESH_IMPORT_H
#define LW_MESH_IMPORT_H

#include "core/memory.h"
#include "leeward/import.h"

/// A file that is being imported.
typedef struct lwi_import {
  const char *name; ///< For messages.
  const unsigned char *data;
  size_t size; ///< <= INT32_MAX
  const lw_area_table *areas;
  const lw_import_settings *settings;
  lwi_memory *memory; ///< Scratch.
  lw_error *error;
} lwi_import;

/// Is it a Polyanya mesh, of whatever version?
bool lwi_polyanya_is(const unsigned char *data, size_t size);
lw_status lwi_polyanya_import(lwi_import *import, lw_navmesh **navmesh);

/// Is it a Detour tile set, a single tile or a tile cache, in either byte order?
bool lwi_detour_is(const unsigned char *data, size_t size);
lw_status lwi_detour_import(lwi_import *import, lw_navmesh **navmesh);

/// What a file says of an edge, besides the index of the polygon behind it.
#define LWI_BEHIND_NOTHING (-1)
#define LWI_BEHIND_ANYTHING (-2)
/// Compare the portals with the neighbours in the file.
/// @param behind  By corner of all polygons: what is behind the edge that begins there.
/// @return LW_OK, or LW_BAD_FILE with the first polygon that differs.
lw_status lwi_import_check_neighbors(const lwi_import *import, const lw_navmesh *navmesh, const int *behind);

#endif
