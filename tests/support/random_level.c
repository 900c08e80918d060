#include "random_level.h"

#include "bake_scene.h"
#include "core/vec3.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static float between(lw_random *random, float low, float high) {
  return low + (high - low) * lwi_random_unit(random);
}

lw_vec3 random_level_place(lw_random *random, float y) {
  return (lw_vec3){between(random, 0, LEVEL_SIDE), y, between(random, 0, LEVEL_SIDE)};
}

static void add_walls(lw_geometry *geometry, lw_random *random) {
  const int count = 1 + (int)between(random, 0, 12);
  for (int i = 0; i < count; i++) {
    const float length = between(random, 1, 30);
    const bool along_x = lwi_random_unit(random) < 0.5f;
    const lw_geometry_box wall = {.at = random_level_place(random, 0),
                                  .size = along_x ? lwi_vec3(length, 2, 1) : lwi_vec3(1, 2, length),
                                  .area = LW_AREA_NONE};
    lw_error error = {0};
    if (lw_geometry_add_box(geometry, &wall, &error) != LW_OK) fail_msg("%s", error.text);
  }
}

static void add_roads(lw_geometry *geometry, lw_random *random) {
  const int count = (int)between(random, 0, 4);
  for (int i = 0; i < count; i++) {
    const lw_vec3 points[] = {random_level_place(random, 0), random_level_place(random, 0),
                              random_level_place(random, 0)};
    lw_mark_def mark = lw_mark_def_default(LW_MARK_PATH);
    mark.points = points;
    mark.point_count = 3;
    mark.area = SCENE_ROAD;
    mark.width = between(random, 2, 5);
    lw_error error = {0};
    if (lw_geometry_mark_area(geometry, &mark, &error) != LW_OK) fail_msg("%s", error.text);
  }
}

lw_navmesh *random_level_bake(lw_random *random) {
  lw_geometry *geometry = scene_floor(scene_table, LEVEL_SIDE, LEVEL_SIDE);
  add_walls(geometry, random);
  add_roads(geometry, random);
  lw_bake_settings settings = lw_bake_settings_default();
  settings.agent_radius = 0.4f;
  settings.cell_size = 0.2f;
  settings.tile_size = lwi_random_unit(random) < 0.5f ? 16 : 64;
  settings.threads = 1;
  lw_navmesh *navmesh = scene_bake(geometry, &settings, NULL);
  lw_geometry_destroy(geometry);
  return navmesh;
}

void random_level_profiles(lw_profile **profiles) {
  lw_profile_def def = lw_profile_def_default();
  def.name = "walker";
  def.danger_cost = 20;
  def.cover_bias = 6;
  def.area_factor[SCENE_GROUND] = 1;
  def.exposure_factor = 3;
  lw_error error = {0};
  if (lw_profile_create(&def, scene_table, &profiles[LEVEL_SMALL], &error) != LW_OK) fail_msg("%s", error.text);
  def.name = "car";
  def.radius = 1.1f;
  def.area_factor[SCENE_GROUND] = 9;
  def.exposure_factor = 0;
  if (lw_profile_create(&def, scene_table, &profiles[LEVEL_LARGE], &error) != LW_OK) fail_msg("%s", error.text);
}

void random_level_add_regions(lw_world *world, lw_random *random) {
  for (int i = 0; i < 8; i++) {
    lw_danger_def danger = lw_danger_def_default();
    lw_danger_id danger_id;
    danger.at = random_level_place(random, 0);
    danger.radius = between(random, 1, 8);
    assert_int_equal(lw_danger_add(world, &danger, &danger_id, NULL), LW_OK);
    lw_fire_lane_def lane = lw_fire_lane_def_default();
    lw_fire_lane_id lane_id;
    lane.from = random_level_place(random, 1);
    lane.to = random_level_place(random, 1);
    if (i % 2 == 0) assert_int_equal(lw_fire_lane_add(world, &lane, &lane_id, NULL), LW_OK);
  }
}

lw_profile *level_profiles[LEVEL_PROFILES];

int random_level_open(void **state) {
  scene_open(state);
  random_level_profiles(level_profiles);
  return 0;
}

int random_level_close(void **state) {
  for (int i = 0; i < LEVEL_PROFILES; i++) lw_profile_destroy(level_profiles[i]);
  return scene_close(state);
}
