/// The shared levels (LEEWARD_SHARED, default ../shared): real geometry to bake, test and measure with.
#ifndef LW_TESTS_LEVELS_H
#define LW_TESTS_LEVELS_H

#include "leeward/bake.h"

#define LEVEL_COUNT 9
extern const char *const level_names[LEVEL_COUNT];

/// Where a level's triangles are. @return false: the folder or the file is missing.
bool level_file(const char *name, char *file, size_t size);
/// What to say when a level is missing.
void level_missing(const char *name, char *text, size_t size);

/// The areas that the levels use. @param[out] table  The caller destroys it.
lw_status level_areas(lw_area_table **table, lw_error *error);
/// What a material of the levels is, as their README says.
lw_material_rule level_rule(const lw_area_table *areas, const char *material);
/// Settings that suit the levels.
lw_bake_settings level_settings(void);
/// The triangles. @param[out] geometry  The caller destroys it.
lw_status level_geometry(const char *name, const lw_area_table *areas, lw_geometry **geometry, lw_error *error);
/// The level baked: from $BUILD/levels/NAME.lwn if it is there, else baked and put there, so that test programs share
/// one bake. @param[out] navmesh  The caller destroys it.
lw_status level_navmesh(const char *name, const lw_area_table *areas, lw_navmesh **navmesh, lw_error *error);

#endif
