/* Rebuilding tiles where the geometry changed: the bytes of a whole bake, and ids that stay valid for kept
   polygons. */
#include "allocator.h"
#include "bake/rebuild_known.h"
#include "bake_scene.h"
#include "cover/segments.h"
#include "core/random.h"
#include "mesh/mesh.h"
#include "sight/cover_map.h"
#include "temp_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SEED 20241003
#define BOXES 24

#define COOKIE lw_rebuild_def_default().cookie

static lw_bake_settings settings_for_level(void) {
  lw_bake_settings settings = lw_bake_settings_default();
  settings.cell_size = 0.25f;
  settings.agent_radius = 0.25f;
  settings.tile_size = 8;
  settings.min_region_area = 6;
  settings.openness_range = 5; /* so that most of the level sees nothing of a change */
  settings.bounds = (lw_box){{0, -2, 0}, {56, 12, 40}};
  return settings;
}

static lw_geometry_box random_box(lw_random *random) {
  float high = lwi_random_unit(random);
  lw_geometry_box box = {
      .at = {2 + 50 * lwi_random_unit(random), high < 0.4f ? 4 : 0, 2 + 34 * lwi_random_unit(random)},
      .size = {1 + 3 * lwi_random_unit(random), high < 0.4f ? 0.2f : 1.5f, 1 + 3 * lwi_random_unit(random)},
      .yaw = 3 * lwi_random_unit(random),
      .area = high < 0.4f ? SCENE_ROAD : LW_AREA_NONE};
  return box;
}

/* Walls, and slabs in the air: those that are alone are islands too small to keep. @param ends  Links lead up
   to where the first of these are, or would be. NULL: no links. */
static lw_geometry *level(const lw_geometry_box *boxes, int count, const lw_geometry_box *ends) {
  lw_geometry *geometry = scene_floor(scene_table, 30, 40);
  scene_add_floor(geometry, (lw_vec3){42, 0, 0}, 14, 40, SCENE_ROAD);
  for (int i = 0; i < count; i++) assert_int_equal(lw_geometry_add_box(geometry, &boxes[i], NULL), LW_OK);
  for (int i = 0; ends && i < 6; i++) {
    lw_link_def link = lw_link_def_default();
    link.from = (lw_vec3){4 + 4 * (float)i, 0, 20};
    link.to = (lw_vec3){ends[i].at.x, ends[i].at.y + ends[i].size.y, ends[i].at.z};
    link.radius = 1.5f;
    assert_int_equal(lw_geometry_add_link(geometry, &link, NULL), LW_OK);
  }
  return geometry;
}

static void assert_same_bake(const lw_navmesh *a, const lw_navmesh *b, int round) {
  file_bytes one = navmesh_bytes(a), other = navmesh_bytes(b);
  if (one.size != other.size || memcmp(one.data, other.data, one.size) != 0)
    fail_msg("seed %d, round %d: %u polygons in %u tiles, %zu bytes; a whole bake has %u in %u, %zu bytes",
             SEED, round, a->polygons.count, a->tiles.count, one.size, b->polygons.count, b->tiles.count,
             other.size);
  free(one.data);
  free(other.data);
}

static lw_navmesh *rebuild_by(const lw_navmesh *mesh, const lw_geometry *geometry, lw_box changed,
                              const lw_bake_settings *settings, lw_bake_report *report) {
  lw_navmesh *rebuilt;
  lw_error error = {0};
  if (lw_navmesh_rebuild(&(lw_rebuild_def){mesh, geometry, settings, changed, COOKIE}, &rebuilt, report,
                         &error))
    fail_msg("%s", error.text);
  if (lw_navmesh_validate(rebuilt, &error)) fail_msg("%s", error.text);
  return rebuilt;
}

static lw_navmesh *rebuild(const lw_navmesh *mesh, const lw_geometry *geometry, lw_box changed,
                           lw_bake_report *report) {
  lw_bake_settings settings = settings_for_level();
  return rebuild_by(mesh, geometry, changed, &settings, report);
}

/* An id that is still known means the same polygon as before. @return How many are. */
static int count_kept_ids(const lw_navmesh *before, const lw_navmesh *after) {
  int kept = 0;
  for (uint32_t p = 0; p < before->polygons.count; p++) {
    uint32_t now = lwi_poly_index(after, lwi_poly_id(before, p));
    if (now == LWI_NONE) continue;
    lwi_polygon a = lwi_polygon_get(before, p), b = lwi_polygon_get(after, now);
    assert_int_equal(a.count, b.count);
    assert_memory_equal(a.at, b.at, 3 * a.count * sizeof *a.at);
    kept += 1;
  }
  return kept;
}

static lw_box around(const lw_geometry_box *box) {
  float reach = (box->size.x + box->size.z) / 2; /* whatever its yaw */
  return (lw_box){{box->at.x - reach, -2, box->at.z - reach}, {box->at.x + reach, 12, box->at.z + reach}};
}

static lw_geometry *level_of(const lw_geometry_box *boxes, const bool *there) {
  lw_geometry_box some[BOXES];
  int count = 0;
  for (int i = 0; i < BOXES; i++)
    if (there[i]) some[count++] = boxes[i];
  return level(some, count, boxes);
}

/* Every other one of them is there. */
static void draw_boxes(lw_random *random, lw_geometry_box boxes[BOXES], bool there[BOXES]) {
  for (int i = 0; i < BOXES; i++) {
    boxes[i] = random_box(random);
    there[i] = i % 2;
  }
}

static void added_and_removed_boxes_give_the_bytes_of_a_whole_bake(void **state) {
  (void)state;
  lw_random random = lwi_random_make(SEED, 0);
  lw_geometry_box boxes[BOXES];
  bool there[BOXES];
  draw_boxes(&random, boxes, there);
  lw_bake_settings settings = settings_for_level();
  lw_geometry *geometry = level_of(boxes, there);
  lw_navmesh *mesh = scene_bake(geometry, &settings, NULL);
  lw_geometry_destroy(geometry);
  long baked = 0, kept = 0, ids = 0, dropped = 0;
  const int rounds = 40;
  for (int round = 0; round < rounds; round++) {
    int which = (int)(lwi_random_unit(&random) * BOXES);
    there[which] = !there[which];
    geometry = level_of(boxes, there);
    lw_bake_report report;
    lw_navmesh *rebuilt = rebuild(mesh, geometry, around(&boxes[which]), &report);
    lw_navmesh *whole = scene_bake(geometry, &settings, NULL);
    assert_same_bake(rebuilt, whole, round);
    baked += report.tiles;
    dropped += report.islands_dropped;
    kept += count_kept_ids(mesh, rebuilt);
    ids += mesh->polygons.count;
    lw_navmesh_destroy(whole);
    lw_navmesh_destroy(mesh);
    lw_geometry_destroy(geometry);
    mesh = rebuilt;
  }
  printf("note: seed %d: %.1f of 35 tiles baked in the mean, %.0f %% of ids kept, %ld islands dropped\n", SEED,
         (double)baked / rounds, 100.0 * (double)kept / (double)ids, dropped);
  assert_true(kept * 2 > ids);
  assert_true(dropped > rounds);
  lw_navmesh_destroy(mesh);
}

static void a_small_change_bakes_few_tiles_and_keeps_other_ids(void **state) {
  (void)state;
  lw_bake_settings settings = settings_for_level();
  lw_geometry *geometry = level(NULL, 0, NULL);
  lw_navmesh *mesh = scene_bake(geometry, &settings, NULL);
  lw_location inside, far;
  assert_int_equal(lw_navmesh_nearest(mesh, (lw_vec3){12, 0, 12}, (lw_vec3){1, 1, 1}, NULL, &inside), LW_OK);
  assert_int_equal(lw_navmesh_nearest(mesh, (lw_vec3){50, 0, 36}, (lw_vec3){1, 1, 1}, NULL, &far), LW_OK);
  lw_geometry_box wall = {.at = {12, 0, 12}, .size = {2, 2, 2}, .area = LW_AREA_NONE};
  assert_int_equal(lw_geometry_add_box(geometry, &wall, NULL), LW_OK);
  lw_bake_report report;
  lw_navmesh *rebuilt = rebuild(mesh, geometry, (lw_box){{11, 0, 11}, {13, 2, 13}}, &report);
  assert_int_equal(report.tiles, 9); /* its own, and those around */
  assert_int_equal(report.tiles_total, 35);
  lw_poly poly;
  assert_int_equal(lw_navmesh_get_poly(rebuilt, inside.poly, &poly), LW_STALE);
  assert_int_equal(lw_navmesh_get_poly(rebuilt, far.poly, &poly), LW_OK);
  assert_false(lw_navmesh_contains(rebuilt, (lw_vec3){12, 0, 12}, 0.5f, NULL));
  assert_true(lw_navmesh_contains(mesh, (lw_vec3){12, 0, 12}, 0.5f, NULL)); /* the old one stays */
  lw_navmesh_destroy(rebuilt);
  lw_navmesh_destroy(mesh);
  lw_geometry_destroy(geometry);
}

/* Cover, the map of it, and how open the ground lies, by any number of threads. */
static void cover_is_that_of_a_whole_bake(void **state) {
  (void)state;
  lw_random random = lwi_random_make(SEED, 1);
  lw_geometry_box boxes[BOXES];
  bool there[BOXES];
  draw_boxes(&random, boxes, there);
  lw_bake_settings settings = settings_for_level();
  settings.cover.map = true;
  lw_geometry *geometry = level_of(boxes, there);
  lw_navmesh *mesh = scene_bake(geometry, &settings, NULL);
  lw_geometry_destroy(geometry);
  for (int round = 0; round < 4; round++) {
    settings.threads = 1 + round % 3;
    settings.occluders = round != 2; /* what is left of them says nothing of what there was */
    there[round] = !there[round];
    geometry = level_of(boxes, there);
    lw_navmesh *rebuilt = rebuild_by(mesh, geometry, around(&boxes[round]), &settings, NULL);
    settings.threads = 2;
    lw_navmesh *whole = scene_bake(geometry, &settings, NULL);
    assert_true(lwi_cover_of(whole)->segment_count > 20 && lwi_cover_map_of(whole)->size > 100);
    assert_same_bake(rebuilt, whole, round);
    lw_navmesh_destroy(whole);
    lw_navmesh_destroy(mesh);
    lw_geometry_destroy(geometry);
    mesh = rebuilt;
  }
  lw_navmesh_destroy(mesh);
}

static int count_known(const lw_navmesh *before, const lw_navmesh *now, const lwi_changes *changes,
                       float reach) {
  lwi_memory memory = lwi_memory_make(NULL);
  uint32_t *known = malloc(now->polygons.count * sizeof *known);
  int count = 0;
  assert_true(lwi_rebuild_known(before, now, changes, reach, &memory, known));
  for (uint32_t p = 0; p < now->polygons.count; p++) {
    if (known[p] == LWI_NONE) continue;
    assert_true(lwi_rebuild_same(before, known[p], now, p) && lwi_rebuild_as_high(before, known[p], now, p));
    count++;
  }
  assert_int_equal(memory.bytes, 0);
  free(known);
  return count;
}

/* Facets are compared however the trees group them: only those of the new wall are other ones. */
static void polygons_that_cannot_see_the_change_are_known(void **state) {
  (void)state;
  lw_random random = lwi_random_make(SEED, 2);
  lw_bake_settings settings = settings_for_level();
  lw_geometry_box boxes[BOXES];
  for (int i = 0; i < BOXES; i++) boxes[i] = random_box(&random);
  lw_geometry *geometry = level(boxes, BOXES, NULL);
  lw_navmesh *before = scene_bake(geometry, &settings, NULL);
  const lw_geometry_box wall = {.at = {12, 0, 12}, .size = {2, 2, 2}, .area = LW_AREA_NONE};
  assert_int_equal(lw_geometry_add_box(geometry, &wall, NULL), LW_OK);
  lw_navmesh *now = scene_bake(geometry, &settings, NULL);
  lwi_memory memory = lwi_memory_make(NULL);
  lwi_changes changes = {.memory = &memory};
  assert_true(lwi_changes_find(&changes, lwi_occluders_of(now), lwi_occluders_of(now)));
  assert_true(!changes.all && changes.count == 0);
  assert_int_equal(count_known(before, before, &changes, 5), before->polygons.count);
  for (int back = 0; back < 2; back++) {
    assert_true(lwi_changes_find(&changes, back ? lwi_occluders_of(now) : lwi_occluders_of(before),
                                 back ? lwi_occluders_of(before) : lwi_occluders_of(now)));
    assert_true(!changes.all && changes.count >= 5);
    for (int i = 0; i < changes.count; i++) {
      const lw_box *box = &changes.boxes[i];
      assert_true(box->min.x >= 10.99f && box->max.x <= 13.01f && box->min.z >= 10.99f && box->max.z <= 13.01f);
    }
  }
  int known = count_known(before, now, &changes, 5);
  print_message("note: %d of %u polygons see nothing of a change\n", known, now->polygons.count);
  assert_true(2 * (uint32_t)known > now->polygons.count && (uint32_t)known + 4 < now->polygons.count);
  lwi_changes_free(&changes);
  assert_int_equal(memory.bytes, 0);
  lw_navmesh_destroy(before);
  lw_navmesh_destroy(now);
  lw_geometry_destroy(geometry);
}

typedef struct watch {
  int last, total, stop_at;
} watch;

static bool count_tiles(void *user, int done, int total) {
  watch *seen = user;
  assert_true(done == seen->last + 1 && done <= total);
  seen->last = done;
  seen->total = total;
  return done != seen->stop_at;
}

static void progress_is_reported_for_every_tile_and_may_cancel(void **state) {
  (void)state;
  lw_bake_settings settings = settings_for_level();
  lw_geometry *geometry = level(NULL, 0, NULL);
  lw_navmesh *mesh = scene_bake(geometry, &settings, NULL), *rebuilt;
  const lw_box box = {{11, 0, 11}, {13, 2, 13}};
  settings.progress.report = count_tiles;
  for (settings.threads = 1; settings.threads <= 3; settings.threads++) {
    watch seen = {0};
    settings.progress.user = &seen;
    rebuilt = rebuild_by(mesh, geometry, box, &settings, NULL);
    assert_true(seen.last == 9 && seen.total == 9);
    lw_navmesh_destroy(rebuilt);
    lw_error error = {0};
    seen = (watch){.stop_at = 3};
    assert_int_equal(
        lw_navmesh_rebuild(&(lw_rebuild_def){mesh, geometry, &settings, box, COOKIE}, &rebuilt, NULL, &error),
        LW_CANCELLED);
    assert_string_equal(error.text, "the rebuild was cancelled after tile 3 of 9");
    assert_true(!rebuilt && seen.last == 3);
  }
  lw_navmesh_destroy(mesh);
  lw_geometry_destroy(geometry);
}

/* A long and narrow slab, too small to keep, which a plank then joins to one that is large enough. Its far end
   is two tiles from there. */
static void islands_that_were_left_out_come_back_when_they_are_joined(void **state) {
  (void)state;
  lw_bake_settings settings = settings_for_level();
  lw_geometry *geometry = level(NULL, 0, NULL);
  /* 1 m wide, half of it walkable, over 11 m: less than 6 m2, in three tiles. */
  const lw_geometry_box thin = {.at = {20.5f, 6, 20}, .size = {11, 0.2f, 1}, .area = SCENE_ROAD};
  const lw_geometry_box large = {.at = {8, 6, 20}, .size = {8, 0.2f, 8}, .area = SCENE_ROAD};
  const lw_geometry_box plank = {.at = {13, 6, 20}, .size = {5, 0.2f, 1}, .area = SCENE_ROAD};
  assert_int_equal(lw_geometry_add_box(geometry, &thin, NULL), LW_OK);
  assert_int_equal(lw_geometry_add_box(geometry, &large, NULL), LW_OK);
  lw_navmesh *mesh = scene_bake(geometry, &settings, NULL);
  assert_false(lw_navmesh_contains(mesh, (lw_vec3){24, 6.2f, 20}, 0.5f, NULL));
  assert_int_equal(lw_geometry_add_box(geometry, &plank, NULL), LW_OK);
  lw_navmesh *rebuilt = rebuild(mesh, geometry, (lw_box){{11, 6, 19.5f}, {15, 6.2f, 20.5f}}, NULL);
  lw_navmesh *whole = scene_bake(geometry, &settings, NULL);
  assert_true(lw_navmesh_contains(rebuilt, (lw_vec3){24, 6.2f, 20}, 0.5f, NULL));
  assert_same_bake(rebuilt, whole, 0);
  lw_navmesh_destroy(whole);
  lw_navmesh_destroy(rebuilt);
  lw_navmesh_destroy(mesh);
  lw_geometry_destroy(geometry);
}

static void assert_refused(const lw_navmesh *mesh, const lw_geometry *geometry,
                           const lw_bake_settings *settings, lw_box box, const char *text) {
  lw_navmesh *rebuilt;
  lw_error error = {0};
  assert_int_equal(
      lw_navmesh_rebuild(&(lw_rebuild_def){mesh, geometry, settings, box, COOKIE}, &rebuilt, NULL, &error),
      LW_INVALID);
  assert_null(rebuilt);
  if (!strstr(error.text, text)) fail_msg("'%s' is not in '%s'", text, error.text);
}

static void invalid_rebuilds_are_refused(void **state) {
  (void)state;
  const lw_box box = {{11, 0, 11}, {13, 2, 13}};
  lw_bake_settings settings = settings_for_level(), other = settings;
  lw_geometry *geometry = level(NULL, 0, NULL);
  lw_navmesh *mesh = scene_bake(geometry, &settings, NULL);
  assert_refused(mesh, geometry, &settings, (lw_box){{90, 0, 90}, {95, 2, 95}},
                 "expected one that touches a tile");
  assert_refused(mesh, geometry, &settings, (lw_box){{5, 0, 5}, {4, 2, 5}},
                 ", expected finite numbers, min not above max");
  other.agent_radius = 1;
  assert_refused(mesh, geometry, &other, box, "navmesh is for agents of radius 0.25");
  other = settings;
  other.bounds.min.x = 3;
  assert_refused(mesh, geometry, &other, box, "have moved the grid");
  other = settings;
  other.bounds.max.x -= settings.tile_size;
  assert_refused(mesh, geometry, &other, box, "is outside of the bounds, which hold ");
  other = settings;
  other.tiles.count = 1;
  assert_refused(mesh, geometry, &other, box, "expected 0, 0, as `changed` says which tiles");
  lw_navmesh *part;
  assert_int_equal(lw_navmesh_bake(geometry, &other, &part, NULL, NULL), LW_OK);
  assert_refused(part, geometry, &settings, box, "navmesh is a part of a bake");
  lw_navmesh_destroy(part);
  lw_navmesh_destroy(mesh);
  lw_geometry_destroy(geometry);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(added_and_removed_boxes_give_the_bytes_of_a_whole_bake),
      cmocka_unit_test(a_small_change_bakes_few_tiles_and_keeps_other_ids),
      cmocka_unit_test(islands_that_were_left_out_come_back_when_they_are_joined),
      cmocka_unit_test(cover_is_that_of_a_whole_bake),
      cmocka_unit_test(polygons_that_cannot_see_the_change_are_known),
      cmocka_unit_test(progress_is_reported_for_every_tile_and_may_cancel),
      cmocka_unit_test(invalid_rebuilds_are_refused),
  };
  return cmocka_run_group_tests(tests, scene_open, scene_close);
}
