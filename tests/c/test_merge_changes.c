/* Rebuilds that are put onto navmeshes which have changed meanwhile. */
#include "tiles_place.h"

#include "bake/rebuild_known.h"
#include "mesh/tile_map.h"
#include "sight/occluder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ROUNDS 8
#define PATHS 30
#define LINES 200

static lw_geometry *level(const lw_geometry_box *walls, int count) {
  lw_geometry *geometry = scene_floor(scene_table, WIDTH, DEPTH);
  for (int i = 0; i < count; i++) assert_int_equal(lw_geometry_add_box(geometry, &walls[i], NULL), LW_OK);
  return geometry;
}

static lw_navmesh *bake(const lw_geometry_box *walls, int count) {
  lw_geometry *geometry = level(walls, count);
  const lw_bake_settings settings = tiles_settings();
  lw_navmesh *mesh = scene_bake(geometry, &settings, NULL);
  lw_geometry_destroy(geometry);
  return mesh;
}

static lw_box box_of(const lw_geometry_box *wall) {
  const lw_vec3 half = {wall->size.x / 2, 0, wall->size.z / 2};
  return (lw_box){lwi_sub(wall->at, half), lwi_add(lwi_add(wall->at, half), (lw_vec3){0, wall->size.y, 0})};
}

/* What a rebuild makes of a navmesh after one wall was added. */
static lw_navmesh *rebuild(const lw_navmesh *mesh, const lw_geometry_box *walls, int count, lw_box changed) {
  lw_geometry *geometry = level(walls, count);
  const lw_bake_settings settings = tiles_settings();
  lw_rebuild_def def = lw_rebuild_def_default();
  lw_navmesh *rebuilt;
  lw_error error = {.text = ""};
  def.navmesh = mesh;
  def.geometry = geometry;
  def.settings = &settings;
  def.changed = changed;
  if (lw_navmesh_rebuild(&def, &rebuilt, NULL, &error) != LW_OK) fail_msg("%s", error.text);
  lw_geometry_destroy(geometry);
  return rebuilt;
}

static lw_navmesh *merge(const lw_navmesh *before, const lw_navmesh *changed, const lw_navmesh *now) {
  lw_navmesh *result;
  lw_error error = {.text = ""};
  if (lw_navmesh_merge_changes(before, changed, now, NULL, &result, &error) != LW_OK)
    fail_msg("%s", error.text);
  if (lw_navmesh_validate(result, &error) != LW_OK) fail_msg("%s", error.text);
  return result;
}

static void assert_refused(const lw_navmesh *before, const lw_navmesh *changed, const lw_navmesh *now,
                           lw_status expected, const char *text) {
  lw_navmesh *result = NULL;
  lw_error error = {.text = ""};
  assert_int_equal(lw_navmesh_merge_changes(before, changed, now, NULL, &result, &error), expected);
  assert_null(result);
  assert_string_equal(error.text, text);
}

/* --- what two navmeshes have in common -------------------------------------------------------------------- */

static void assert_same_ground(const lw_navmesh *a, const lw_navmesh *b) {
  lwi_memory memory = lwi_memory_make(NULL);
  lwi_tile_map map;
  assert_int_equal(a->tiles.count, b->tiles.count);
  assert_true(lwi_tile_map_make(&map, a, b, &memory));
  for (uint32_t i = 0; i < b->tiles.count; i++)
    if (map.from[i] == LWI_NONE) fail_msg("tile (%d, %d) differs", b->tiles.items[i].x, b->tiles.items[i].z);
  lwi_tile_map_free(&map, &memory);
}

static void assert_as_open(const lw_navmesh *a, const lw_navmesh *b) {
  assert_int_equal(a->polygons.count, b->polygons.count);
  assert_memory_equal(a->polygons.openness, b->polygons.openness, a->polygons.count);
  assert_memory_equal(a->polygons.depths, b->polygons.depths, 2 * (size_t)a->polygons.count);
}

static void assert_lives_as(const tiles_place *it, const lw_navmesh *mesh, const lw_navmesh *other,
                            lw_random *random) {
  lw_world *a = tiles_make_world(mesh), *b = tiles_make_world(other);
  int differing = 0;
  for (int i = 0; i < PATHS; i++) {
    const lw_vec3 from = tiles_random_at(random), to = tiles_random_at(random);
    const float is = tiles_length_between(a, it->profile, from, to),
                expected = tiles_length_between(b, it->profile, from, to);
    if (fabsf(is - expected) > 1e-3f) fail_msg("%g m, expected %g", (double)is, (double)expected);
  }
  for (int i = 0; i < LINES; i++) {
    const lw_vec3 eye = lwi_add(tiles_random_at(random), lwi_vec3(0, 1.6f, 0)),
                  target = lwi_add(tiles_random_at(random), lwi_vec3(0, 1, 0));
    differing += lw_world_sees(a, eye, target, false) != lw_world_sees(b, eye, target, false);
  }
  assert_in_range(differing, 0, 1); /* along a wall's face, by rounding */
  lw_world_destroy(a);
  lw_world_destroy(b);
}

/* --- merging ---------------------------------------------------------------------------------------------- */

/* A wall in the left, middle or right third, away from the borders of the thirds. */
static lw_geometry_box draw_wall(int third, lw_random *random) {
  const float x = 16.0f * (float)third + 3 + 2 * lwi_random_unit(random), z = 4 + 16 * lwi_random_unit(random);
  return tiles_wall_at(x, z, 0.5f + 3 * lwi_random_unit(random), 1 + 6 * lwi_random_unit(random));
}

/* Walls 0 and 1 are there from the start; 2 is added in one rebuild, 3 in the other one, and 0 is taken away with 2,
   each from the level as it is without the other change. */
static void rebuilds_side_by_side_come_out_as_one(void **state) {
  const tiles_place *it = *state;
  const uint64_t seed = tiles_seed_of();
  lw_random random = lwi_random_make(seed, 3);
  printf("note: seed %llu\n", (unsigned long long)seed);
  for (int round = 0; round < ROUNDS; round++) {
    const lw_geometry_box gone = draw_wall(0, &random), kept = draw_wall(1, &random),
                          one = draw_wall(0, &random), two = draw_wall(2, &random);
    const lw_geometry_box at_first[] = {gone, kept}, with_one[] = {one, kept}, with_two[] = {gone, kept, two},
                          with_both[] = {one, kept, two};
    const lw_box left = lwi_box_add(lwi_box_add(box_of(&one), box_of(&gone).min), box_of(&gone).max),
                 right = box_of(&two), around = lwi_box_add(lwi_box_add(left, right.min), right.max);
    lw_navmesh *before = bake(at_first, 2), *whole = bake(with_both, 3);
    lw_navmesh *first = rebuild(before, with_one, 2, left), *second = rebuild(before, with_two, 3, right),
               *both = rebuild(before, with_both, 3, around);
    lw_navmesh *onto_second = merge(before, first, second), *onto_first = merge(before, second, first);
    assert_same_ground(onto_second, whole);
    assert_same_ground(onto_first, whole);
    assert_same_ground(both, whole);
    assert_as_open(onto_first, onto_second);
    assert_as_open(onto_first, whole); /* they are too far apart to be open to each other */
    assert_lives_as(it, onto_second, whole, &random);
    assert_lives_as(it, onto_first, whole, &random);
    lw_navmesh *const all[] = {before, whole, first, second, both, onto_second, onto_first};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) lw_navmesh_destroy(all[i]);
  }
}

/* What has no ground hides all the same: a tower that fills tiles, taken away while others are replaced. */
static void what_hides_without_ground_changes_too(void **state) {
  const tiles_place *it = *state;
  const lw_geometry_box tower = tiles_wall_at(12, 12, 22, 22), wall = tiles_wall_at(40, 12, 1, 10);
  lw_navmesh *open = bake(NULL, 0), *before = bake(&tower, 1), *with_wall = bake(&wall, 1);
  const lw_geometry_box both[] = {tower, wall};
  lw_navmesh *fallen = rebuild(before, NULL, 0, box_of(&tower)), *now = rebuild(before, both, 2, box_of(&wall));
  lw_navmesh *merged = merge(before, fallen, now);
  lw_random random = lwi_random_make(tiles_seed_of(), 4);
  assert_same_ground(merged, with_wall);
  assert_lives_as(it, merged, with_wall, &random);
  lw_navmesh *const all[] = {open, before, with_wall, fallen, now, merged};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) lw_navmesh_destroy(all[i]);
}

/* A tower on a block that nobody walks on falls, while a tile is removed: then the half of the floor that was
   one facet under both is cut. */
static void what_hides_changes_also_where_facets_are_cut(void **state) {
  const tiles_place *it = *state;
  const lw_geometry_box block = {.at = {13, 0, 13}, .size = {16, 0.5f, 16}, .area = LW_AREA_NONE},
                        tower = {.at = {13, 0.5f, 13}, .size = {10, 2, 10}, .area = LW_AREA_NONE},
                        both[] = {block, tower};
  lw_navmesh *low = bake(&block, 1), *before = bake(both, 2), *now, *expected;
  lw_navmesh *fallen = rebuild(before, &block, 1, box_of(&tower));
  const lw_tile_change gone = {0, 0, NULL};
  assert_same_ground(before, low);
  assert_int_equal(lw_navmesh_replace_tiles(before, &gone, 1, NULL, &now, NULL), LW_OK);
  assert_int_equal(lw_navmesh_replace_tiles(low, &gone, 1, NULL, &expected, NULL), LW_OK);
  lw_navmesh *merged = merge(before, fallen, now), *other = merge(before, now, fallen);
  lw_random random = lwi_random_make(tiles_seed_of(), 5);
  assert_same_ground(merged, expected);
  assert_same_ground(other, expected);
  assert_lives_as(it, merged, expected, &random);
  assert_lives_as(it, other, expected, &random);
  lw_navmesh *const all[] = {low, before, fallen, now, expected, merged, other};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) lw_navmesh_destroy(all[i]);
}

/* What lies over tiles of several navmeshes, and is the same in each, is not cut. */
static void equal_facets_stay_whole(void **state) {
  const tiles_place *it = *state;
  const lw_geometry_box wall = tiles_wall_at(30.5f, 11, 1, 20);
  lw_navmesh *twin = tiles_bake_walls(&wall, 1), *result;
  const lw_tile_change changes[] = {{3, 0, twin}, {2, 1, twin}, {5, 2, twin}};
  assert_int_equal(lw_navmesh_replace_tiles(it->walled, changes, 3, NULL, &result, NULL), LW_OK);
  lwi_memory memory = lwi_memory_make(NULL);
  lwi_changes differing = {.memory = &memory};
  assert_true(lwi_changes_find(&differing, lwi_occluders_of(it->walled), lwi_occluders_of(result)));
  assert_false(differing.all);
  assert_int_equal(differing.count, 0);
  assert_int_equal(lwi_occluders_of(result)->facet_count, lwi_occluders_of(it->walled)->facet_count);
  lwi_changes_free(&differing);
  lw_navmesh_destroy(twin);
  lw_navmesh_destroy(result);
}

static void links_and_water_are_merged_by_themselves(void **state) {
  const tiles_place *it = *state;
  lw_navmesh_tile tile;
  const lw_geometry_box wall = tiles_wall_at(36, 12, 1, 4);
  lw_navmesh *walled = tiles_bake_walls(&wall, 1);
  assert_int_equal(lw_navmesh_get_tile(it->open, 0, &tile), LW_OK);
  const lw_tile_change gone = {tile.x, tile.z, NULL};
  lw_navmesh *without;
  assert_int_equal(lw_navmesh_replace_tiles(it->open, &gone, 1, NULL, &without, NULL), LW_OK);
  lw_navmesh *merged = merge(it->open, walled, without), *other = merge(it->open, without, walled);
  assert_int_equal(lw_navmesh_link_count(it->open), 1);
  assert_int_equal(lw_navmesh_link_count(merged), 0);
  assert_int_equal(lw_navmesh_link_count(other), 0);
  assert_same_ground(merged, other);
  lw_navmesh *back = merge(without, it->open, merged); /* the link comes back with its tile */
  assert_int_equal(lw_navmesh_link_count(back), 1);
  assert_same_ground(back, walled);
  lw_navmesh *const all[] = {walled, without, merged, other, back};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) lw_navmesh_destroy(all[i]);
}

static void equal_changes_are_no_conflict(void **state) {
  const tiles_place *it = *state;
  lw_navmesh *merged = merge(it->open, it->walled, it->walled), *none = merge(it->open, it->open, it->walled),
             *taken = merge(it->open, it->walled, it->open);
  assert_same_ground(merged, it->walled);
  assert_same_ground(none, it->walled);
  assert_same_ground(taken, it->walled);
  assert_as_open(merged, it->walled);
  assert_as_open(none, it->walled);
  assert_as_open(taken, it->walled);
  lw_navmesh_destroy(merged);
  lw_navmesh_destroy(none);
  lw_navmesh_destroy(taken);
}

static void changes_of_one_tile_are_refused(void **state) {
  const tiles_place *it = *state;
  const lw_geometry_box other = tiles_wall_at(30.5f, 4, 6, 1);
  lw_navmesh *crossed = tiles_bake_walls(&other, 1);
  assert_refused(
      it->open, it->walled, crossed, LW_STALE,
      "tile (3, 0) has been changed by others meanwhile, expected changes of other tiles: rebuild it "
      "again");
  lw_navmesh_destroy(crossed);
}

static void navmeshes_that_do_not_fit_are_refused(void **state) {
  const tiles_place *it = *state;
  lw_geometry *geometry = scene_floor(scene_table, WIDTH, DEPTH);
  lw_bake_settings settings = tiles_settings();
  settings.tile_size = 16;
  lw_navmesh *coarse = scene_bake(geometry, &settings, NULL);
  assert_refused(it->open, it->walled, coarse, LW_INVALID, "now: it is of 16 m, expected 8 m as in navmesh");
  assert_refused(it->open, coarse, it->walled, LW_INVALID,
                 "changed: it is of 16 m, expected 8 m as in navmesh");
  assert_refused(NULL, it->walled, it->open, LW_INVALID, "before is NULL, expected a valid pointer");
  lw_navmesh_destroy(coarse);
  lw_geometry_destroy(geometry);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, tiles_open_place, tiles_close_place)

int main(void) {
  const struct CMUnitTest tests[] = {TEST(rebuilds_side_by_side_come_out_as_one),
                                     TEST(what_hides_without_ground_changes_too),
                                     TEST(what_hides_changes_also_where_facets_are_cut),
                                     TEST(equal_facets_stay_whole),
                                     TEST(links_and_water_are_merged_by_themselves),
                                     TEST(equal_changes_are_no_conflict),
                                     TEST(changes_of_one_tile_are_refused),
                                     TEST(navmeshes_that_do_not_fit_are_refused)};
  return cmocka_run_group_tests(tests, scene_open, scene_close);
}
