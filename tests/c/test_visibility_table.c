/* The visibility table: pairs of polygons that surely see nothing of one another, or everything. */
#include "allocator.h"
#include "core/random.h"
#include "core/vec3.h"
#include "sight/exposure.h"
#include "sight/visibility_table.h"
#include "cover_scene.h"
#include "mesh/sections.h"
#include "temp_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define RANGE 60
#define WALL_HEIGHT 3.0f

/* A floor with its corner at (0, 0), and walls of boxes. */
static lw_navmesh *bake_walls(const lw_box *walls, int count, lw_cover_kind kind, lw_bake_settings settings) {
  cover_scene s = cover_begin((lw_vec3){0, 0, 0});
  for (int i = 0; i < count; i++) {
    lw_vec3 size = lwi_sub(walls[i].max, walls[i].min);
    cover_add_box(&s, (lw_vec3){walls[i].min.x + size.x / 2, walls[i].min.y, walls[i].min.z + size.z / 2}, size,
                  0, kind);
  }
  lw_navmesh *mesh = scene_bake(s.geometry, &settings, NULL);
  lw_geometry_destroy(s.geometry);
  return mesh;
}

static lw_bake_settings pair_settings(void) {
  lw_bake_settings settings = cover_settings();
  settings.visibility_table_range = RANGE;
  settings.tile_size = 5; /* more polygons */
  return settings;
}

static lw_vec3 middle_of(const lw_navmesh *mesh, uint32_t p) {
  lwi_polygon polygon = lwi_polygon_get(mesh, p);
  lw_vec3 sum = {0, 0, 0};
  for (uint32_t i = 0; i < polygon.count; i++) sum = lwi_add(sum, lwi_corner(&polygon, i));
  return lwi_scale(sum, 1 / (float)polygon.count);
}

/* --- what is known ------------------------------------------------------------------------------------------------- */

/* How many pairs with a wall along x = 10 between them, or without, are what they should be. */
typedef struct sides_count {
  int across[3], beside[3];
} sides_count;

static sides_count count_sides(const lw_navmesh *mesh) {
  sides_count counts = {{0}, {0}};
  for (uint32_t p = 0; p < mesh->polygons.count; p++)
    for (uint32_t q = 0; q < mesh->polygons.count; q++) {
      bool across = (middle_of(mesh, p).x < 10) != (middle_of(mesh, q).x < 10);
      lwi_pair_visibility pair = lwi_visibility_table_get(mesh, p, q);
      assert_int_equal(pair, lwi_visibility_table_get(mesh, q, p));
      (across ? counts.across : counts.beside)[pair] += 1;
    }
  return counts;
}

static void a_high_wall_hides_everything_behind_it_and_nothing_else(void **state) {
  (void)state;
  const lw_box wall = {{9.8f, -0.5f, -1}, {10.2f, WALL_HEIGHT, 21}};
  lw_navmesh *mesh = bake_walls(&wall, 1, LW_COVER_HARD, pair_settings());
  sides_count counts = count_sides(mesh);
  assert_true(counts.across[LWI_VISIBILITY_HIDDEN] > 100 && counts.beside[LWI_VISIBILITY_VISIBLE] > 100);
  assert_int_equal(counts.across[LWI_VISIBILITY_MIXED] + counts.across[LWI_VISIBILITY_VISIBLE], 0);
  assert_int_equal(counts.beside[LWI_VISIBILITY_MIXED] + counts.beside[LWI_VISIBILITY_HIDDEN], 0);
  lw_navmesh_stats stats = lw_navmesh_get_stats(mesh);
  assert_true(stats.visibility_table_bytes > 0);
  assert_float_equal(stats.visibility_table_range, RANGE, 0);
  assert_float_equal(stats.pairs_hidden + stats.pairs_visible, 1, 1e-5f);
  lw_navmesh_destroy(mesh);
}

/* Two walls that overlap as seen from either side hide together what neither does alone, and so do two that
   meet. */
static void walls_hide_together(void **state) {
  (void)state;
  const lw_box staggered[] = {{{9, -0.5f, -1}, {9.3f, WALL_HEIGHT, 14}},
                              {{10.7f, -0.5f, 6}, {11, WALL_HEIGHT, 21}}};
  const lw_box meeting[] = {{{9.8f, -0.5f, -1}, {10.2f, WALL_HEIGHT, 10}},
                            {{9.8f, -0.5f, 10}, {10.2f, WALL_HEIGHT, 21}}};
  lw_navmesh *mesh = bake_walls(meeting, 2, LW_COVER_HARD, pair_settings());
  sides_count counts = count_sides(mesh);
  assert_int_equal(counts.across[LWI_VISIBILITY_MIXED] + counts.across[LWI_VISIBILITY_VISIBLE], 0);
  lw_navmesh_destroy(mesh);
  mesh = bake_walls(staggered, 2, LW_COVER_HARD, pair_settings());
  int hidden = 0, mixed = 0;
  for (uint32_t p = 0; p < mesh->polygons.count; p++)
    for (uint32_t q = 0; q < mesh->polygons.count; q++) {
      lw_vec3 a = middle_of(mesh, p), b = middle_of(mesh, q);
      if (a.x > 6 || b.x < 14) continue;
      lwi_pair_visibility pair = lwi_visibility_table_get(mesh, p, q);
      assert_int_not_equal(pair, LWI_VISIBILITY_VISIBLE);
      hidden += pair == LWI_VISIBILITY_HIDDEN;
      mixed += pair == LWI_VISIBILITY_MIXED;
    }
  print_message("note: behind staggered walls %d pairs hidden, %d mixed\n", hidden, mixed);
  assert_true(hidden > 3 * mixed);
  lw_navmesh_destroy(mesh);
}

static void what_can_be_seen_over_or_past_a_wall_is_not_hidden(void **state) {
  (void)state;
  const lw_box low = {{9.8f, -0.5f, -1}, {10.2f, 1.2f, 21}};
  const lw_box door[] = {{{9.8f, -0.5f, -1}, {10.2f, WALL_HEIGHT, 9}},
                         {{9.8f, -0.5f, 11}, {10.2f, WALL_HEIGHT, 21}}};
  lw_navmesh *mesh = bake_walls(&low, 1, LW_COVER_HARD, pair_settings());
  sides_count counts = count_sides(mesh);
  assert_int_equal(counts.across[LWI_VISIBILITY_HIDDEN] + counts.across[LWI_VISIBILITY_VISIBLE], 0);
  lw_navmesh_destroy(mesh);
  mesh = bake_walls(door, 2, LW_COVER_HARD, pair_settings());
  counts = count_sides(mesh);
  assert_true(counts.across[LWI_VISIBILITY_HIDDEN] > 0 && counts.across[LWI_VISIBILITY_MIXED] > 0);
  assert_int_equal(lwi_visibility_table_get(mesh, lwi_visibility_table_over(mesh, (lw_vec3){8, 1.6f, 10}),
                                            lwi_visibility_table_over(mesh, (lw_vec3){12, 1.6f, 10})),
                   LWI_VISIBILITY_MIXED);
  lw_navmesh_destroy(mesh);
}

/* Shots go through it, looks do not. */
static void a_hedge_makes_nothing_sure(void **state) {
  (void)state;
  const lw_box hedge = {{9.8f, -0.5f, -1}, {10.2f, WALL_HEIGHT, 21}};
  lw_navmesh *mesh = bake_walls(&hedge, 1, LW_COVER_SOFT, pair_settings());
  sides_count counts = count_sides(mesh);
  assert_int_equal(counts.across[LWI_VISIBILITY_HIDDEN] + counts.across[LWI_VISIBILITY_VISIBLE], 0);
  assert_true(counts.across[LWI_VISIBILITY_MIXED] > 0 && counts.beside[LWI_VISIBILITY_VISIBLE] > 0);
  lw_navmesh_destroy(mesh);
}

static void pairs_further_apart_than_the_range_are_not_known(void **state) {
  (void)state;
  const lw_box wall = {{9.8f, -0.5f, -1}, {10.2f, WALL_HEIGHT, 21}};
  lw_bake_settings settings = pair_settings();
  settings.visibility_table_range = 2;
  lw_navmesh *mesh = bake_walls(&wall, 1, LW_COVER_HARD, settings);
  for (uint32_t p = 0; p < mesh->polygons.count; p++)
    for (uint32_t q = 0; q < mesh->polygons.count; q++)
      if (lwi_distance(middle_of(mesh, p), middle_of(mesh, q)) > 2 + 10)
        assert_int_equal(lwi_visibility_table_get(mesh, p, q), LWI_VISIBILITY_MIXED);
  assert_int_equal(lwi_visibility_table_get(mesh, 0, LWI_NONE), LWI_VISIBILITY_MIXED);
  lw_navmesh_destroy(mesh);
}

static void eyes_count_within_the_prism_alone(void **state) {
  (void)state;
  const lw_box wall = {{9.8f, -0.5f, -1}, {10.2f, WALL_HEIGHT, 21}};
  lw_navmesh *mesh = bake_walls(&wall, 1, LW_COVER_HARD, pair_settings());
  const lw_vec3 below = {5, 0.3f, 5}, above = {5, 2.2f, 5}, in_it = {5, 1.6f, 5}, off = {-4, 1.6f, 5};
  uint32_t over = lwi_visibility_table_over(mesh, in_it);
  assert_int_not_equal(over, LWI_NONE);
  lwi_polygon polygon = lwi_polygon_get(mesh, over);
  assert_true(lwi_polygon_holds(&polygon, in_it, 1e-3));
  assert_int_equal(lwi_visibility_table_over(mesh, below), LWI_NONE);
  assert_int_equal(lwi_visibility_table_over(mesh, above), LWI_NONE);
  assert_int_equal(lwi_visibility_table_over(mesh, off), LWI_NONE);
  lw_navmesh_destroy(mesh);
}

static void without_occluders_no_table_is_built(void **state) {
  (void)state;
  lw_geometry *geometry = scene_floor(scene_table, 10, 10);
  lw_bake_settings settings = pair_settings();
  lw_navmesh *mesh;
  lw_error error;
  settings.occluders = false;
  assert_int_equal(lw_navmesh_bake(geometry, &settings, &mesh, NULL, &error), LW_INVALID);
  assert_string_equal(
      error.text,
      "visibility_table_range is 60, expected 0 without occluders and cover_map, as nothing is hidden");
  settings.visibility_table_range = NAN;
  assert_int_equal(lw_navmesh_bake(geometry, &settings, &mesh, NULL, &error), LW_INVALID);
  settings.visibility_table_range = 0;
  assert_int_equal(lw_navmesh_bake(geometry, &settings, &mesh, NULL, &error), LW_OK);
  assert_int_equal(lw_navmesh_get_stats(mesh).visibility_table_bytes, 0);
  assert_int_equal(lwi_visibility_table_get(mesh, 0, 0), LWI_VISIBILITY_MIXED);
  assert_int_equal(lwi_visibility_table_over(mesh, (lw_vec3){5, 1.6f, 5}), LWI_NONE);
  lw_navmesh_destroy(mesh);
  lw_geometry_destroy(geometry);
}

/* --- what is asked ------------------------------------------------------------------------------------------------- */

/* What hides nothing by itself is hidden by another navmesh's walls all the same. */
static void another_navmesh_s_occluders_may_hide(void **state) {
  (void)state;
  const lw_box wall = {{9.8f, -0.5f, -1}, {10.2f, WALL_HEIGHT, 21}};
  lw_navmesh *open = bake_walls(NULL, 0, LW_COVER_HARD, pair_settings()),
             *walled = bake_walls(&wall, 1, LW_COVER_HARD, pair_settings());
  const lwi_occluders *sets[] = {lwi_occluders_of(open), lwi_occluders_of(walled)};
  lw_threat threat = lw_threat_default();
  lw_exposure_query query = lw_exposure_query_default();
  lwi_memory memory = lwi_memory_make(NULL);
  lwi_exposure_scratch scratch = {.sure = 0};
  lw_exposure seen;
  threat.at = (lw_vec3){2, 1.6f, 5};
  query.from = (lw_vec3){17, 0, 6};
  query.to = (lw_vec3){18, 0, 6};
  query.threats = &threat;
  query.threat_count = 1;
  const uint32_t over = lwi_visibility_table_over(open, threat.at);
  lwi_sight sight = {.sets = sets, .count = 1, .over = &over, .ground = open};
  sight.polygon = lwi_visibility_table_over(open, (lw_vec3){17.5f, 1, 6});
  assert_int_equal(lwi_exposure_find(&sight, &query, &memory, &scratch, &seen), LW_OK);
  assert_float_equal(seen.fraction, 1, 0);
  assert_int_equal(scratch.sure, 1);
  sight.count = 2;
  assert_int_equal(lwi_exposure_find(&sight, &query, &memory, &scratch, &seen), LW_OK);
  assert_float_equal(seen.fraction, 0, 0);
  assert_int_equal(scratch.sure, 1);
  lwi_exposure_scratch_free(&scratch);
  lw_navmesh_destroy(open);
  lw_navmesh_destroy(walled);
}

/* A body that lies down or stands on a box is outside the heights of the pair. */
static void only_bodies_within_the_prism_are_sure(void **state) {
  (void)state;
  const lw_box wall = {{9.8f, -0.5f, -1}, {10.2f, WALL_HEIGHT, 21}};
  lw_navmesh *mesh = bake_walls(&wall, 1, LW_COVER_HARD, pair_settings());
  const lwi_occluders *sets[] = {lwi_occluders_of(mesh)};
  lw_threat threat = lw_threat_default();
  lw_exposure_query query = lw_exposure_query_default();
  lwi_memory memory = lwi_memory_make(NULL);
  lwi_exposure_scratch scratch = {.sure = 0};
  threat.at = (lw_vec3){2, 1.6f, 5};
  query.threats = &threat;
  query.threat_count = 1;
  const uint32_t over = lwi_visibility_table_over(mesh, threat.at);
  const lwi_sight sight = {.sets = sets,
                           .count = 1,
                           .over = &over,
                           .ground = mesh,
                           .polygon = lwi_visibility_table_over(mesh, (lw_vec3){17, 1, 6})};
  const lw_vec3 places[] = {{17, 0, 6}, {17, -0.7f, 6}, {17, 3.2f, 6}, {2, 0, 6}};
  for (int i = 0; i < 4; i++) {
    lw_exposure seen;
    query.from = query.to = places[i];
    assert_int_equal(lwi_exposure_find(&sight, &query, &memory, &scratch, &seen), LW_OK);
    assert_float_equal(seen.fraction, i < 2 ? 0 : 1, 0); /* over the wall; on this side of it */
    assert_int_equal(scratch.sure, 1);
  }
  lwi_exposure_scratch_free(&scratch);
  lw_navmesh_destroy(mesh);
}

/* --- files --------------------------------------------------------------------------------------------------------- */

static void add_yard(const cover_scene *s) {
  for (int i = 0; i < 7; i++)
    cover_add_box(s, (lw_vec3){3 + 2.3f * (float)i, -0.2f, 4 + 2.3f * (float)(i * 5 % 6)},
                  (lw_vec3){4, WALL_HEIGHT, 0.4f}, 0.6f * (float)i, i == 3 ? LW_COVER_SOFT : LW_COVER_HARD);
}

/* As files, which give both tables back. */
static void assert_same_saved(const lw_navmesh *a, const lw_navmesh *b) {
  for (int i = 0; i < 2; i++) {
    const lw_navmesh *mesh = i ? b : a;
    lw_navmesh *loaded = navmesh_through_file(mesh, scene_table);
    for (uint32_t p = 0; p < mesh->polygons.count; p++)
      for (uint32_t q = 0; q < mesh->polygons.count; q++)
        assert_int_equal(lwi_visibility_table_get(mesh, p, q), lwi_visibility_table_get(loaded, p, q));
    assert_memory_equal(&lwi_visibility_of(mesh)->range, &lwi_visibility_of(loaded)->range, 3 * sizeof(float));
    lw_navmesh_destroy(loaded);
  }
  assert_same_bytes(navmesh_bytes(a), navmesh_bytes(b));
}

static void threads_parts_and_files_change_no_byte(void **state) {
  (void)state;
  cover_scene s = cover_begin((lw_vec3){0, 0, 0});
  lw_bake_settings settings = pair_settings();
  add_yard(&s);
  settings.threads = 1;
  settings.cover.map = true;
  settings.occluders = false; /* the table is still built from all of them */
  s.mesh = scene_bake(s.geometry, &settings, NULL);
  assert_true(lwi_visibility_of(s.mesh)->word_count > 0);
  settings.threads = 7;
  lw_navmesh *by_threads = scene_bake(s.geometry, &settings, NULL), *parts[2], *merged;
  assert_same_saved(s.mesh, by_threads);
  for (int i = 0; i < 2; i++) {
    settings.tiles.first = 6 * i;
    settings.tiles.count = i == 0 ? 6 : 100;
    assert_int_equal(lw_navmesh_bake(s.geometry, &settings, &parts[i], NULL, NULL), LW_OK);
    assert_int_equal(lwi_visibility_of(parts[i])->has, 0);
  }
  assert_int_equal(lw_navmesh_merge((const lw_navmesh *const *)parts, 2, NULL, &merged, NULL), LW_OK);
  assert_same_saved(s.mesh, merged);
  for (int i = 0; i < 2; i++) lw_navmesh_destroy(parts[i]);
  lw_navmesh_destroy(merged);
  lw_navmesh_destroy(by_threads);
  lw_navmesh_destroy(s.mesh);
  lw_geometry_destroy(s.geometry);
}

static void every_failed_allocation_is_reported_and_leaks_no_byte(void **state) {
  (void)state;
  cover_scene s = cover_begin((lw_vec3){0, 0, 0});
  lw_bake_settings settings = pair_settings();
  int calls = 0;
  add_yard(&s);
  for (bool done = false; !done; calls++) {
    support_memory memory = {.left = calls};
    lw_allocator allocator = support_allocator(&memory);
    lw_navmesh *mesh = NULL;
    settings.allocator = &allocator;
    settings.threads = 1 + calls % 3;
    lw_status status = lw_navmesh_bake(s.geometry, &settings, &mesh, NULL, NULL);
    done = status == LW_OK;
    if (!done) assert_int_equal(status, LW_OUT_OF_MEMORY);
    if (done) assert_true(lwi_visibility_of(mesh)->word_count > 0);
    lw_navmesh_destroy(mesh);
    assert_int_equal(memory.bytes, 0);
  }
  assert_true(calls > 100);
  lw_geometry_destroy(s.geometry);
}

/* A new wall is known to pairs far from it. */
static void a_rebuild_updates_the_table(void **state) {
  (void)state;
  cover_scene s = cover_begin((lw_vec3){0, 0, 0});
  lw_bake_settings settings = pair_settings();
  lw_navmesh *rebuilt, *whole;
  s.mesh = scene_bake(s.geometry, &settings, NULL);
  const lw_vec3 from = {2, 1.6f, 2}, to = {18, 1, 2};
  assert_int_equal(lwi_visibility_table_get(s.mesh, lwi_visibility_table_over(s.mesh, from),
                                            lwi_visibility_table_over(s.mesh, to)),
                   LWI_VISIBILITY_VISIBLE);
  cover_add_box(&s, (lw_vec3){10, 0, 4.6f}, (lw_vec3){0.4f, WALL_HEIGHT, 9}, 0, LW_COVER_HARD);
  const lw_box changed = {{9, 0, 0}, {11, 3, 10}};
  assert_int_equal(lw_navmesh_rebuild(&(lw_rebuild_def){s.mesh, s.geometry, &settings, changed,
                                                        lw_rebuild_def_default().cookie},
                                      &rebuilt, NULL, NULL),
                   LW_OK);
  assert_int_equal(lwi_visibility_table_get(rebuilt, lwi_visibility_table_over(rebuilt, from),
                                            lwi_visibility_table_over(rebuilt, to)),
                   LWI_VISIBILITY_HIDDEN);
  whole = scene_bake(s.geometry, &settings, NULL);
  assert_same_saved(rebuilt, whole);
  lw_navmesh_destroy(whole);
  lw_navmesh_destroy(rebuilt);
  lw_navmesh_destroy(s.mesh);
  lw_geometry_destroy(s.geometry);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_high_wall_hides_everything_behind_it_and_nothing_else),
      cmocka_unit_test(walls_hide_together),
      cmocka_unit_test(what_can_be_seen_over_or_past_a_wall_is_not_hidden),
      cmocka_unit_test(a_hedge_makes_nothing_sure),
      cmocka_unit_test(pairs_further_apart_than_the_range_are_not_known),
      cmocka_unit_test(eyes_count_within_the_prism_alone),
      cmocka_unit_test(without_occluders_no_table_is_built),
      cmocka_unit_test(another_navmesh_s_occluders_may_hide),
      cmocka_unit_test(only_bodies_within_the_prism_are_sure),
      cmocka_unit_test(threads_parts_and_files_change_no_byte),
      cmocka_unit_test(every_failed_allocation_is_reported_and_leaks_no_byte),
      cmocka_unit_test(a_rebuild_updates_the_table),
  };
  return cmocka_run_group_tests_name("pairs", tests, scene_open, scene_close);
}
