/// Small levels to bake in tests.
#ifndef LW_TESTS_BAKE_SCENE_H
#define LW_TESTS_BAKE_SCENE_H

#include "leeward/bake.h"
#include "leeward/world.h"

#define SCENE_GROUND 1
#define SCENE_ROAD 2

/// A table of ground and road. The caller destroys it.
lw_area_table *scene_areas(void);
/// Such a table, from scene_open() to scene_close(): a test group's setup and teardown.
extern lw_area_table *scene_table;
int scene_open(void **state);
int scene_close(void **state);
/// A table of `count` areas, ids 1..count. The caller destroys it.
lw_area_table *scene_numbered_areas(int count);
/// No triangles yet. The caller destroys it.
lw_geometry *scene_geometry(const lw_area_table *areas);
/// A level rectangle of two triangles, its corner of least x and z at `min`.
void scene_add_floor(lw_geometry *geometry, lw_vec3 min, float width, float depth, lw_area_id area);
/// A geometry that is one floor of ground from the origin.
lw_geometry *scene_floor(const lw_area_table *areas, float width, float depth);
/// Bake and validate; the test fails with the reason. The caller destroys it.
lw_navmesh *scene_bake(const lw_geometry *geometry, const lw_bake_settings *settings, lw_bake_report *report);

/// Load a saved world, and its agents, which all have that profile. @param[out] agents  [count]
void scene_load(lw_world *world, const char *file, const lw_profile *profile, lw_agent_id *agents, int count);

#endif
