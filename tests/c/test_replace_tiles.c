/* Tiles of a navmesh that are replaced, added and removed. */
#include "tiles_place.h"

#include "mesh/tile_map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* --- replacing tiles -------------------------------------------------------------------------------------- */

/* The tiles that differ, taken from `other`. @return How many. */
static int list_differing(const lw_navmesh *mesh, const lw_navmesh *other, lw_tile_change *changes) {
  lwi_memory memory = lwi_memory_make(NULL);
  lwi_tile_map map;
  int count = 0;
  assert_true(lwi_tile_map_make(&map, mesh, other, &memory));
  for (uint32_t i = 0; i < mesh->tiles.count; i++)
    if (map.to[i] == LWI_NONE)
      changes[count++] = (lw_tile_change){mesh->tiles.items[i].x, mesh->tiles.items[i].z, other};
  for (uint32_t i = 0; i < other->tiles.count; i++)
    if (map.instead[i] == LWI_NONE)
      changes[count++] = (lw_tile_change){other->tiles.items[i].x, other->tiles.items[i].z, other};
  lwi_tile_map_free(&map, &memory);
  return count;
}

static lw_navmesh *replace(const lw_navmesh *mesh, const lw_tile_change *changes, int count) {
  lw_navmesh *result;
  lw_error error = {.text = ""};
  if (lw_navmesh_replace_tiles(mesh, changes, count, NULL, &result, &error) != LW_OK)
    fail_msg("%s", error.text);
  if (lw_navmesh_validate(result, &error) != LW_OK) fail_msg("%s", error.text);
  return result;
}

static int count_segments(const lw_world *world) {
  lw_cover_segment_query query = lw_cover_segment_query_default();
  int count;
  query.around = (lw_vec3){WIDTH / 2, 0, DEPTH / 2};
  query.radius = 100;
  assert_int_equal(lw_cover_segment_find(world, &query, NULL, 0, &count), LW_OK);
  return count;
}

static void assert_sees_as(const lw_world *a, const lw_world *b, lw_random *random) {
  int differing = 0;
  for (int i = 0; i < 200; i++) {
    const lw_vec3 eye = lwi_add(tiles_random_at(random), lwi_vec3(0, 1.6f, 0)),
                  target = lwi_add(tiles_random_at(random), lwi_vec3(0, 1, 0));
    differing += lw_world_sees(a, eye, target, false) != lw_world_sees(b, eye, target, false);
  }
  assert_in_range(differing, 0, 1); /* along a wall's face, by rounding */
}

static void replaced_tiles_are_those_of_the_other_bake(void **state) {
  tiles_place *it = *state;
  const uint64_t seed = tiles_seed_of();
  lw_random random = lwi_random_make(seed, 1);
  printf("note: seed %llu\n", (unsigned long long)seed);
  for (int round = 0; round < 6; round++) {
    lw_tile_change changes[64];
    lw_navmesh *one = tiles_random_mesh(&random), *other = tiles_random_mesh(&random);
    lw_navmesh *result = replace(one, changes, list_differing(one, other, changes));
    assert_int_equal(list_differing(result, other, changes), 0);
    lw_world *a = tiles_make_world(result), *b = tiles_make_world(other);
    for (int i = 0; i < 40; i++) {
      const lw_vec3 from = tiles_random_at(&random), to = tiles_random_at(&random);
      const float is = tiles_length_between(a, it->profile, from, to),
                  was = tiles_length_between(b, it->profile, from, to);
      if (fabsf(is - was) > 1e-3f)
        fail_msg("seed %llu: %g m, expected %g", (unsigned long long)seed, (double)is, (double)was);
    }
    assert_sees_as(a, b, &random);
    assert_in_range(count_segments(a), count_segments(b) - 4, count_segments(b) + 4); /* cut at borders */
    lw_world_destroy(a);
    lw_world_destroy(b);
    lw_navmesh_destroy(one);
    lw_navmesh_destroy(other);
    lw_navmesh_destroy(result);
  }
}

static void tiles_come_and_go(void **state) {
  const tiles_place *it = *state;
  lw_tile_change changes[3 * 6];
  lw_navmesh_tile tile;
  int count = 0;
  const int tiles = lw_navmesh_get_stats(it->open).tiles;
  for (int i = 0; i < tiles; i++) {
    assert_int_equal(lw_navmesh_get_tile(it->open, i, &tile), LW_OK);
    if (tile.x == 3) changes[count++] = (lw_tile_change){tile.x, tile.z, NULL};
  }
  assert_int_equal(lw_navmesh_get_tile(it->open, tiles, &tile), LW_NOT_FOUND);
  lw_navmesh *without = replace(it->open, changes, count);
  const lw_vec3 from = {10, 0, 12}, to = {40, 0, 12};
  assert_int_equal(lw_navmesh_get_stats(without).tiles, tiles - count);
  const lw_agent_id walker = tiles_spawn(it, 10, 12);
  assert_int_equal(lw_agent_move_to(it->world, walker, to, 0.3f), LW_OK);
  tiles_step(it, 1);
  tiles_swap_to(it, without);
  tiles_step(it, 1);
  assert_true(tiles_length_between(it->world, it->profile, from, to) < 0);
  assert_int_equal(tiles_state_of(it, walker).failure, LW_NO_PATH);
  for (int i = 0; i < count; i++) changes[i].from = it->open;
  lw_navmesh *again = replace(without, changes, count);
  assert_int_equal(list_differing(again, it->open, changes), 0);
  tiles_swap_to(it, again);
  tiles_step(it, 1);
  assert_true(tiles_length_between(it->world, it->profile, from, to) > 0);
  tiles_swap_to(it, it->open);
  tiles_step(it, 1);
  lw_navmesh_destroy(without);
  lw_navmesh_destroy(again);
}

static void a_link_comes_with_the_tile_that_it_begins_on(void **state) {
  const tiles_place *it = *state;
  lw_navmesh_tile tile;
  assert_int_equal(lw_navmesh_get_tile(it->open, 0, &tile), LW_OK);
  const lw_tile_change gone = {tile.x, tile.z, NULL}, back = {tile.x, tile.z, it->open};
  lw_navmesh *without = replace(it->open, &gone, 1), *with = replace(without, &back, 1);
  lw_link link;
  assert_int_equal(lw_navmesh_link_count(without), 0);
  assert_int_equal(lw_navmesh_link_count(with), 1);
  assert_int_equal(lw_navmesh_get_link(with, 0, &link), LW_OK);
  assert_string_equal(link.def.name, "lift");
  assert_int_equal(link.state, LW_LINK_JOINED);
  lw_navmesh_destroy(without);
  lw_navmesh_destroy(with);
}

static void assert_change_refused(const lw_navmesh *mesh, const lw_tile_change *changes, int count,
                                  lw_status expected, const char *text) {
  lw_navmesh *result = NULL;
  lw_error error = {.text = ""};
  assert_int_equal(lw_navmesh_replace_tiles(mesh, changes, count, NULL, &result, &error), expected);
  assert_null(result);
  assert_string_equal(error.text, text);
}

static void tiles_that_do_not_fit_are_refused(void **state) {
  const tiles_place *it = *state;
  lw_geometry *geometry = scene_geometry(scene_table);
  scene_add_floor(geometry, (lw_vec3){-1, 0, 0}, WIDTH, DEPTH, SCENE_GROUND);
  lw_bake_settings other = tiles_settings();
  other.bounds.min.x = -2;
  lw_navmesh *moved = scene_bake(geometry, &other, NULL);
  const lw_tile_change twice[] = {{1, 1, NULL}, {1, 1, it->walled}}, foreign = {1, 1, moved};
  lw_tile_change all[64];
  int count = 0;
  lw_navmesh_tile tile;
  while (lw_navmesh_get_tile(it->open, count, &tile) == LW_OK)
    all[count++] = (lw_tile_change){tile.x, tile.z, NULL};
  assert_change_refused(it->open, twice, 2, LW_INVALID, "tile (1, 1) is given twice");
  assert_change_refused(
      it->open, &foreign, 1, LW_INVALID,
      "tile 1: its grid begins at (-2, -1), expected (-1, -1) as in navmesh: give both bakes the "
      "same bounds");
  assert_change_refused(it->open, twice, -1, LW_INVALID, "count is -1, expected 0 or more");
  assert_change_refused(it->open, all, count, LW_EMPTY, "nothing to walk on is left");
  assert_change_refused(NULL, all, count, LW_INVALID, "navmesh is NULL, expected a valid pointer");
  lw_navmesh_destroy(moved);
  lw_geometry_destroy(geometry);
}

/* A house that is added at the lower end of the level moves no tile. */
static void ground_that_grows_within_bounds_stays_on_its_grid(void **state) {
  const tiles_place *it = *state;
  lw_geometry *geometry = scene_geometry(scene_table);
  scene_add_floor(geometry, (lw_vec3){-0.9f, 0, -0.9f}, WIDTH, DEPTH, SCENE_GROUND);
  const lw_bake_settings same = tiles_settings();
  lw_navmesh *grown = scene_bake(geometry, &same, NULL);
  const lw_tile_change corner = {0, 0, grown};
  lw_navmesh *result = replace(it->open, &corner, 1);
  assert_int_equal(lw_navmesh_validate(result, NULL), LW_OK);
  lw_navmesh_destroy(result);
  lw_navmesh_destroy(grown);
  lw_geometry_destroy(geometry);
}

static void cover_that_cannot_be_found_again_is_not_lost(void **state) {
  const tiles_place *it = *state;
  lw_geometry *geometry = scene_floor(scene_table, WIDTH, DEPTH);
  const lw_geometry_box wall = tiles_wall_at(20, 12, 1, 10);
  assert_int_equal(lw_geometry_add_box(geometry, &wall, NULL), LW_OK);
  lw_bake_settings settings = tiles_settings();
  settings.occluders = false;
  lw_navmesh *bare = scene_bake(geometry, &settings, NULL);
  const lw_tile_change gone = {0, 0, NULL}, taken = {0, 0, bare};
  assert_change_refused(bare, &gone, 1, LW_INVALID,
                        "navmesh has cover, but no occluders to find it again: bake with occluders");
  assert_change_refused(
      it->open, &taken, 1, LW_INVALID,
      "tile 1: its navmesh has cover, but no occluders to find it again: bake with occluders");
  lw_navmesh_destroy(bare);
  lw_geometry_destroy(geometry);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, tiles_open_place, tiles_close_place)

int main(void) {
  const struct CMUnitTest tests[] = {TEST(replaced_tiles_are_those_of_the_other_bake),
                                     TEST(tiles_come_and_go),
                                     TEST(a_link_comes_with_the_tile_that_it_begins_on),
                                     TEST(tiles_that_do_not_fit_are_refused),
                                     TEST(ground_that_grows_within_bounds_stays_on_its_grid),
                                     TEST(cover_that_cannot_be_found_again_is_not_lost)};
  return cmocka_run_group_tests(tests, scene_open, scene_close);
}
