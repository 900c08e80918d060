/* Cover maps: what is seen, by the few occluders that matter. */
#include "cover_scene.h"
#include "temp_file.h"

#include "core/vec3.h"
#include "leeward/obstacle.h"
#include "sight/cover_map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void add_walls(const cover_scene *s) {
  for (int i = 0; i < 6; i++)
    cover_add_box(s, (lw_vec3){3 + 2.7f * (float)i, 0, 4 + 2.3f * (float)(i * 5 % 6)}, (lw_vec3){3, 2, 0.4f},
                  (float)i, i % 3 == 0 ? LW_COVER_SOFT : LW_COVER_HARD);
}

static float exposed(const cover_scene *s, lw_vec3 eye, lw_accuracy accuracy, bool shots) {
  lw_threat threat = lw_threat_default();
  lw_exposure_query query = lw_exposure_query_default();
  lw_exposure seen;
  threat.at = eye;
  query.from = (lw_vec3){2, 0, 3};
  query.to = (lw_vec3){17, 0, 16};
  query.threats = &threat;
  query.threat_count = 1;
  query.accuracy = accuracy;
  query.shots = shots;
  assert_int_equal(lw_exposure_find(s->world, NULL, &query, &seen), LW_OK);
  return seen.fraction;
}

/* With all occluders or with those alone that the map names, the map says the same, and about what is so. */
static void a_cover_map_answers_in_place_of_occluders(void **state) {
  (void)state;
  cover_scene full = cover_begin((lw_vec3){0, 0, 0}), bare = cover_begin((lw_vec3){0, 0, 0});
  lw_bake_settings settings = cover_settings();
  settings.cover.map = true;
  add_walls(&full);
  add_walls(&bare);
  full.mesh = scene_bake(full.geometry, &settings, NULL);
  settings.occluders = false;
  bare.mesh = scene_bake(bare.geometry, &settings, NULL);
  cover_open(&full);
  cover_open(&bare);
  double off = 0;
  int count = 0;
  for (int i = 0; i < 400; i++) {
    lw_vec3 eye = {0.6f + (float)(i % 20), 1.6f, 0.6f + (float)(i / 20)};
    bool shots = i % 2;
    float exact = exposed(&full, eye, LW_ACCURACY_EXACT, shots),
          map = exposed(&full, eye, LW_ACCURACY_MAP, shots);
    assert_true(map >= exact - 1e-5f); /* a map names some of the occluders: it hides no more */
    assert_float_equal(exposed(&bare, eye, LW_ACCURACY_MAP, shots), map, 1e-6f);
    assert_float_equal(exposed(&bare, eye, LW_ACCURACY_AUTO, shots), map, 1e-6f);
    off += (double)(map - exact);
    count++;
  }
  lw_navmesh_stats stats = lw_navmesh_get_stats(full.mesh);
  print_message("note: cover map of %zu bytes, off by %.4f here, %.4f as the bake measured\n",
                stats.cover_map_bytes, off / count, (double)stats.cover_map_loss);
  assert_true(off / count <= 0.02 && stats.cover_map_loss <= 0.02f);
  assert_true(lw_navmesh_get_stats(bare.mesh).bytes < stats.bytes);
  cover_end(&full);
  cover_end(&bare);
}

#define EYES 60

/* What is seen from each eye of a short way beside it: by tables, maps and occluders. */
static void look_about(const cover_scene *s, float seen[3 * EYES]) {
  for (int i = 0; i < 3 * EYES; i++) {
    lw_threat threat = lw_threat_default();
    lw_exposure_query query = lw_exposure_query_default();
    lw_exposure exposure;
    threat.at = lwi_vec3(1 + (float)(i % 10) * 2, 1.5f, 1 + (float)(i / 10 % 6) * 3);
    query.from = lwi_vec3(19 - (float)(i % 6) * 3, 0, 1 + (float)(i / 6 % 10) * 1.8f);
    query.to = lwi_add(query.from, lwi_vec3(-0.5f, 0, 0.4f));
    query.threats = &threat;
    query.threat_count = 1;
    query.accuracy = (lw_accuracy[]){LW_ACCURACY_EXACT, LW_ACCURACY_MAP, LW_ACCURACY_AUTO}[i / EYES];
    assert_int_equal(lw_exposure_find(s->world, NULL, &query, &exposure), LW_OK);
    seen[i] = exposure.fraction;
  }
}

/* Maps and tables are about the polygons that were baked; eyes and bodies may be over pieces of them. */
static void obstacles_change_nothing_of_what_is_seen(void **state) {
  (void)state;
  cover_scene s = cover_begin((lw_vec3){0, 0, 0});
  lw_bake_settings settings = cover_settings();
  float before[3 * EYES], after[3 * EYES];
  settings.cover.map = true;
  settings.visibility_table_range = 30;
  add_walls(&s);
  s.mesh = scene_bake(s.geometry, &settings, NULL);
  cover_open(&s);
  look_about(&s, before);
  for (int i = 0; i < 100; i++) {
    lw_obstacle_def def = lw_obstacle_def_default();
    lw_obstacle_id id;
    def.at = lwi_vec3(1 + 2 * (float)(i % 10), 0, 1 + 2 * (float)(i / 10));
    def.size = lwi_vec3(0.2f, 1, 0.2f);
    def.blocks = false;
    def.area = 1;
    assert_int_equal(lw_obstacle_add(s.world, &def, &id, NULL), LW_OK);
  }
  assert_int_equal(lw_world_apply_changes(s.world), LW_OK);
  assert_true(lw_navmesh_get_stats(lw_world_navmesh(s.world)).polygons > lw_navmesh_get_stats(s.mesh).polygons);
  look_about(&s, after);
  for (int i = 0; i < 3 * EYES; i++) assert_float_equal(after[i], before[i], 1e-6f);
  cover_end(&s);
}

static void an_eye_that_is_not_over_the_mesh_is_answered_exactly(void **state) {
  (void)state;
  cover_scene s = cover_begin((lw_vec3){0, 0, 0});
  lw_bake_settings settings = cover_settings();
  settings.cover.map = true;
  add_walls(&s);
  s.mesh = scene_bake(s.geometry, &settings, NULL);
  cover_open(&s);
  const lw_vec3 eyes[] = {{-6, 2, 4}, {10, 25, 10}, {10, -3, 10}};
  for (int i = 0; i < 3; i++)
    assert_float_equal(exposed(&s, eyes[i], LW_ACCURACY_MAP, false),
                       exposed(&s, eyes[i], LW_ACCURACY_EXACT, false), 1e-6f);
  cover_end(&s);
}

static void without_a_cover_map_accuracy_map_is_refused(void **state) {
  (void)state;
  cover_scene s = cover_begin((lw_vec3){0, 0, 0});
  cover_bake(&s);
  lw_exposure_query query = lw_exposure_query_default();
  lw_exposure seen;
  query.accuracy = LW_ACCURACY_MAP;
  assert_int_equal(lw_exposure_find(s.world, NULL, &query, &seen), LW_NOT_FOUND);
  assert_int_equal(lw_navmesh_get_stats(s.mesh).cover_map_bytes, 0);
  cover_end(&s);
}

/* The map of merged parts is that of the whole, to the byte, and the bake gives the same twice. */
static void parts_get_their_map_when_they_are_merged(void **state) {
  (void)state;
  cover_scene s = cover_begin((lw_vec3){0, 0, 0});
  add_walls(&s);
  lw_bake_settings settings = cover_settings();
  settings.cover.map = true;
  settings.occluders = false;
  settings.tile_size = 10;
  s.mesh = scene_bake(s.geometry, &settings, NULL);
  lw_navmesh *parts[2], *merged;
  for (int i = 0; i < 2; i++) {
    settings.tiles.first = 2 * i;
    settings.tiles.count = 2;
    assert_int_equal(lw_navmesh_bake(s.geometry, &settings, &parts[i], NULL, NULL), LW_OK);
    assert_int_equal(lw_navmesh_get_stats(parts[i]).cover_map_bytes, 0);
  }
  assert_int_equal(lw_navmesh_merge((const lw_navmesh *const *)parts, 2, NULL, &merged, NULL), LW_OK);
  assert_true(lw_navmesh_get_stats(merged).cover_map_bytes > 0);
  assert_same_bytes(navmesh_bytes(s.mesh), navmesh_bytes(merged));
  for (int i = 0; i < 2; i++) lw_navmesh_destroy(parts[i]);
  lw_navmesh_destroy(merged);
  cover_open(&s);
  cover_end(&s);
}

/* One wall, 4 m in the east of the place: two faces upright, two ends, and its top. */
static void a_cover_map_lists_what_it_holds(void **state) {
  (void)state;
  cover_scene s = cover_begin((lw_vec3){0, 0, 0});
  lw_bake_settings settings = cover_settings();
  lw_cover_map_segment listed[8], first;
  const lw_vec3 at = {10, 1, 10};
  int count, all;
  settings.cover.map = true;
  settings.cover.criteria =
      (lw_cover_map_criteria){.direction = 1, .distance = 2, .occlusion = 3, .target = 0.5f, .cap = 2};
  cover_add_box(&s, (lw_vec3){14.5f, 0, 10}, (lw_vec3){1, 2, 6}, 0, LW_COVER_SOFT);
  s.mesh = scene_bake(s.geometry, &settings, NULL);
  cover_open(&s);
  assert_int_equal(lw_navmesh_cover_map(s.mesh, at, NULL, 0, &all), LW_OK);
  assert_in_range(all, 1, 8);
  assert_int_equal(lw_navmesh_cover_map(s.mesh, at, &first, 1, &count), LW_OK);
  assert_int_equal(count, all);
  assert_int_equal(lw_navmesh_cover_map(s.mesh, at, listed, 8, &count), LW_OK);
  assert_memory_equal(&first, &listed[0], sizeof first);
  for (int i = 1; i < count; i++) assert_true(listed[i - 1].distance <= listed[i].distance);
  int upright = 0;
  while (upright < count && !(listed[upright].height > 1 && listed[upright].bottom < 0.1f)) upright++;
  assert_in_range(upright, 0, count - 1);
  assert_float_equal(listed[upright].distance, 4, 0.01);
  assert_float_equal(listed[upright].bearing, 0, 1e-3);
  assert_float_equal(listed[upright].height, 2, 0.01);
  assert_float_equal(listed[upright].a.z, 7, 0.01); /* the left end, seen from the west */
  assert_int_equal(listed[upright].kind, LW_COVER_SOFT);
  assert_int_equal(lw_navmesh_cover_map(s.mesh, (lw_vec3){10, 30, 10}, listed, 8, &count), LW_NOT_FOUND);
  assert_int_equal(lw_navmesh_cover_map(s.mesh, (lw_vec3){NAN, 0, 10}, listed, 8, &count), LW_INVALID);
  assert_int_equal(lw_navmesh_cover_map(s.mesh, at, listed, -1, &count), LW_INVALID);
  assert_int_equal(count, 0);
  lw_navmesh *loaded = navmesh_through_file(s.mesh, scene_table);
  assert_memory_equal(&lwi_cover_map_of(loaded)->criteria, &settings.cover.criteria,
                      sizeof(lw_cover_map_criteria));
  assert_int_equal(lw_navmesh_cover_map(loaded, at, &first, 1, &count), LW_OK);
  assert_memory_equal(&first, &listed[0], sizeof first);
  lw_navmesh_destroy(loaded);
  cover_end(&s);
}

static void criteria_have_ranges(void **state) {
  (void)state;
  cover_scene s = cover_begin((lw_vec3){0, 0, 0});
  static const lw_cover_map_criteria wrong[] = {{.occlusion = -1, .target = 1, .cap = 1},
                                                {.direction = NAN, .target = 1, .cap = 1},
                                                {.distance = 1001, .target = 1, .cap = 1},
                                                {.occlusion = 1, .target = 1.01f, .cap = 1},
                                                {.occlusion = 1, .target = 1, .cap = 0},
                                                {.occlusion = 1, .target = 1, .cap = LW_COVER_MAP_CAP + 1},
                                                {.target = 1, .cap = 1}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    lw_bake_settings settings = cover_settings();
    lw_error error;
    settings.cover.criteria = wrong[i];
    assert_int_equal(lw_navmesh_bake(s.geometry, &settings, &s.mesh, NULL, &error), LW_INVALID);
    assert_non_null(strstr(error.text, i < 6 ? "cover.criteria." : "criteria of the cover map: "));
  }
  cover_end(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_cover_map_answers_in_place_of_occluders),
      cmocka_unit_test(obstacles_change_nothing_of_what_is_seen),
      cmocka_unit_test(an_eye_that_is_not_over_the_mesh_is_answered_exactly),
      cmocka_unit_test(without_a_cover_map_accuracy_map_is_refused),
      cmocka_unit_test(a_cover_map_lists_what_it_holds),
      cmocka_unit_test(criteria_have_ranges),
      cmocka_unit_test(parts_get_their_map_when_they_are_merged),
  };
  return cmocka_run_group_tests_name("cover map", tests, scene_open, scene_close);
}
