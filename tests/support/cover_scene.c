#include "cover_scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

cover_scene cover_begin(lw_vec3 at) {
  cover_scene s = {.geometry = scene_geometry(scene_table)};
  scene_add_floor(s.geometry, at, SIZE, SIZE, SCENE_GROUND);
  return s;
}

void cover_add_box(const cover_scene *s, lw_vec3 at, lw_vec3 size, float yaw, lw_cover_kind cover) {
  lw_geometry_box box = {.at = at, .size = size, .yaw = yaw, .area = LW_AREA_NONE, .cover = cover};
  assert_int_equal(lw_geometry_add_box(s->geometry, &box, NULL), LW_OK);
}

lw_bake_settings cover_settings(void) {
  lw_bake_settings settings = lw_bake_settings_default();
  settings.cell_size = 0.2f;
  return settings;
}

void cover_ask(cover_scene *s, lw_vec3 around, float radius) {
  lw_cover_segment_query query = lw_cover_segment_query_default();
  query.around = around;
  query.radius = radius;
  assert_int_equal(lw_cover_segment_find(s->world, &query, s->found, SEGMENTS_MAX, &s->count), LW_OK);
  assert_true(s->count <= SEGMENTS_MAX);
}

void cover_open(cover_scene *s) {
  lw_world_def def = lw_world_def_default();
  def.navmesh = s->mesh;
  assert_int_equal(lw_world_create(&def, &s->world, NULL), LW_OK);
  cover_ask(s, lw_navmesh_bounds(s->mesh).min, 1000);
  assert_int_equal(s->count, lw_navmesh_get_stats(s->mesh).cover_segments);
}

void cover_bake(cover_scene *s) {
  lw_bake_settings settings = cover_settings();
  s->mesh = scene_bake(s->geometry, &settings, NULL);
  cover_open(s);
}

void cover_end(cover_scene *s) {
  lw_world_destroy(s->world);
  lw_navmesh_destroy(s->mesh);
  lw_geometry_destroy(s->geometry);
}
