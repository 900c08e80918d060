/// @file import.h
/// Import: navmeshes of other programs.
///
/// lw_navmesh_import() recognises the format by the content of the file, not by its name:
///
/// - Polyanya's `.mesh`, version 2. The plane's x and y become x and z, so a map whose rows go down the page
///   lies as it is printed, seen from above with x to the right and z down; one unit is one metre, y is 0.
///   Every polygon is of the table's first area. Polygon i of the file is polygon i of the navmesh, with 3 to
///   255 corners.
/// - Detour's tile sets as RecastDemo saves them: 'MSET' version 1 with tiles of version 7, 32-bit polygon
///   references, little-endian. Polygons keep their order, areas and heights, and tiles join as Detour joins
///   them; polygon flags are dropped. Off-mesh connections become jumps, priced as the area that `settings`
///   give for theirs (LW_AREA_NONE: as the average of both ends); their ends are moved onto the mesh again.
///
/// Neither format says where steps are, and so lw_profile_def.climb bars nobody: edges of a Detour tile set
/// differ in height where two tiles meet because each is rasterised for itself.
///
/// Neighbours in the file must be those of its geometry, or the file is refused. Messages count polygons,
/// vertices and tiles from 1.
///
/// Threads: the functions of this header may run on any thread.
#ifndef LEEWARD_IMPORT_H
#define LEEWARD_IMPORT_H

#include "leeward/navmesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Areas in a Detour tile: it keeps six bits for each polygon.
#define LW_IMPORT_AREAS 64

/// How to import a file. Start from lw_import_settings_default().
typedef struct lw_import_settings {
  /// The area for each area number of Detour. LW_AREA_NONE: a file with such polygons is refused. [default: 1
  /// for 0 and for 63 (RC_WALKABLE_AREA), LW_AREA_NONE for all others]
  lw_area_id areas[LW_IMPORT_AREAS];
  const lw_allocator *allocator; ///< Copied. NULL: the C library's. [default NULL]
  uint32_t cookie;               ///< Set by lw_import_settings_default(). Do not set.
} lw_import_settings;

/// @return The defaults of all fields.
LW_API lw_import_settings lw_import_settings_default(void);

/// Read a navmesh file of another program; the head of this header lists the formats.
/// @param file  Not NULL.
/// @param areas  Not NULL, at least one area; it must outlive the navmesh.
/// @param settings  NULL: the defaults.
/// @param[out] navmesh  The caller frees it with lw_navmesh_destroy(); it passes lw_navmesh_validate(). NULL on
///   an error.
/// @return LW_OK; LW_FILE: missing or unreadable; LW_BAD_FILE: another format, version or byte order, truncated
///   or wrong, with what and where; LW_EMPTY: no polygons; LW_NOT_FOUND: an area that `settings` lack, named in
///   `error`; LW_INVALID: `areas` or `settings`; LW_OUT_OF_MEMORY.
LW_API lw_status lw_navmesh_import(const char *file, const lw_area_table *areas,
                                   const lw_import_settings *settings, lw_navmesh **navmesh, lw_error *error);

#ifdef __cplusplus
}
#endif
#endif
