/// @file import.h
/// Import: navmeshes that other programs made.
#ifndef LEEWARD_IMPORT_H
#define LEEWARD_IMPORT_H

#include "leeward/navmesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Detour keeps six bits of area a polygon.
#define LW_IMPORT_AREAS 64

/// Start from lw_import_settings_default().
typedef struct lw_import_settings {
  /// By Detour's number of an area, what it is called here. LW_AREA_NONE: a polygon that has it is refused.
  /// [default: 1 for 0 and 63 (RC_WALKABLE_AREA), none for all others]
  lw_area_id areas[LW_IMPORT_AREAS];
  const lw_allocator *allocator; ///< Copied. NULL: the C library's.
  uint32_t cookie;               ///< Set by lw_import_settings_default(). Do not set.
} lw_import_settings;

LW_API lw_import_settings lw_import_settings_default(void);

/// Read a navmesh of another program. The kind is told by what is in the file, not by its name:
///
/// - Polyanya's `.mesh`, version 2. The plane's x and y become x and z, so a map whose rows go down the page lies as
///   it is printed, seen from above with x to the right and z down; lengths stay (one unit is one metre), y is 0.
///   Every polygon is of the table's first area. Polygon i of the file is polygon i of the navmesh, with 3 to 255
///   corners.
/// - Detour's tile sets as RecastDemo saves them: 'MSET' version 1 with tiles of version 7, 32-bit polygon references,
///   little-endian. Polygons keep their order, areas and heights, and tiles join as Detour joins them; their flags are
///   not taken over. Off-mesh connections become jumps, priced as the area that `settings` have for theirs (none: as
///   the average of both ends); their ends are moved onto the mesh anew.
///
/// The neighbours in the file count: a file whose neighbours are not those of its geometry is refused. In messages
/// polygons, vertices and tiles count from 1.
/// @param file  Not NULL.
/// @param areas  Not NULL, at least one area; must outlive the navmesh.
/// @param settings  NULL: the defaults.
/// @param[out] navmesh  The caller frees it with lw_navmesh_destroy(); it passes lw_navmesh_validate().
/// @return LW_OK; LW_FILE; LW_BAD_FILE: foreign, of another version or byte order, truncated or wrong, with what and
///   where; LW_EMPTY: no polygons; LW_NOT_FOUND: an area that `settings` lack, named; LW_INVALID: `areas` or
///   `settings`; LW_OUT_OF_MEMORY.
LW_API lw_status lw_navmesh_import(const char *file, const lw_area_table *areas,
                                   const lw_import_settings *settings, lw_navmesh **navmesh, lw_error *error);

#ifdef __cplusplus
}
#endif
#endif
