#include "bake_scene.h"

#include "grid_mesh.h"

#include "leeward/save.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

lw_area_table *scene_areas(void) {
  static const char *const names[] = {"ground", "road"};
  return support_areas(names, 2);
}

lw_area_table *scene_table;

int scene_open(void **state) {
  (void)state;
  scene_table = scene_areas();
  return 0;
}

int scene_close(void **state) {
  (void)state;
  lw_area_table_destroy(scene_table);
  return 0;
}

lw_area_table *scene_numbered_areas(int count) {
  lw_area_table *table = NULL;
  assert_int_equal(lw_area_table_create(NULL, &table), LW_OK);
  for (int i = 0; i < count; i++) {
    char name[16];
    snprintf(name, sizeof name, "a%d", i);
    lw_area_def def = lw_area_def_default();
    def.name = name;
    assert_int_equal(lw_area_table_set(table, &def, NULL, NULL), LW_OK);
  }
  return table;
}

lw_geometry *scene_geometry(const lw_area_table *areas) {
  lw_geometry *geometry = NULL;
  assert_int_equal(lw_geometry_create(areas, NULL, &geometry), LW_OK);
  return geometry;
}

void scene_add_floor(lw_geometry *geometry, lw_vec3 min, float width, float depth, lw_area_id area) {
  lw_vec3 corners[4] = {
      {min.x, min.y, min.z + depth}, {min.x + width, min.y, min.z + depth}, {min.x + width, min.y, min.z}, min};
  int indices[6] = {0, 1, 2, 0, 2, 3};
  lw_geometry_mesh mesh = {
      .vertices = corners, .vertex_count = 4, .indices = indices, .triangle_count = 2, .area = area};
  lw_error error = {0};
  if (lw_geometry_add_mesh(geometry, &mesh, &error)) fail_msg("%s", error.text);
}

lw_geometry *scene_floor(const lw_area_table *areas, float width, float depth) {
  lw_geometry *geometry = scene_geometry(areas);
  scene_add_floor(geometry, (lw_vec3){0, 0, 0}, width, depth, SCENE_GROUND);
  return geometry;
}

lw_navmesh *scene_bake(const lw_geometry *geometry, const lw_bake_settings *settings, lw_bake_report *report) {
  lw_navmesh *navmesh = NULL;
  lw_error error = {0};
  if (lw_navmesh_bake(geometry, settings, &navmesh, report, &error)) fail_msg("%s", error.text);
  if (lw_navmesh_validate(navmesh, &error)) fail_msg("%s", error.text);
  return navmesh;
}

void scene_load(lw_world *world, const char *file, const lw_profile *profile, lw_agent_id *agents, int count) {
  lw_saved *saved;
  lw_error error;
  if (lw_saved_open(file, NULL, &saved, &error) != LW_OK) fail_msg("%s", error.text);
  if (lw_world_restore(world, saved, &error) != LW_OK) fail_msg("%s", error.text);
  for (int i = 0; i < count; i++) {
    lw_saved_agent of;
    lw_agent_def def = lw_agent_def_default();
    assert_int_equal(lw_saved_get_agent(saved, i, &of), LW_OK);
    def.profile = profile;
    def.at = of.at;
    assert_int_equal(lw_agent_spawn(world, &def, &agents[i], NULL), LW_OK);
    assert_int_equal(lw_agent_restore(world, agents[i], saved, i), LW_OK);
  }
  lw_saved_destroy(saved);
}
