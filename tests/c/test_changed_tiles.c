/* Tiles that are replaced again and again, at random: what is kept of the navmesh before, and found
   again where it was touched, is equal to what is found in all of it. */
#include "levels.h"
#include "tiles_place.h"

#include "bake/rebuild_known.h"
#include "bake/replace_tiles.h"
#include "cover/segments.h"
#include "mesh/reduction.h"
#include "sight/occluder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define TILES_MAX 64
#define ROUNDS 10

/* --- comparing -------------------------------------------------------------------------------------------- */

/* Where it failed. */
typedef struct place {
  const char *name;
  uint64_t seed;
  int round;
} place;

static void assert_same(const place *at, const char *what, const void *a, const void *b, size_t size) {
  if (size > 0 && memcmp(a, b, size) != 0)
    fail_msg("%s, seed %llu, round %d: %s differ", at->name, (unsigned long long)at->seed, at->round, what);
}

static void assert_count(const place *at, const char *what, uint64_t is, uint64_t expected) {
  if (is != expected)
    fail_msg("%s, seed %llu, round %d: %llu %s, expected %llu", at->name, (unsigned long long)at->seed,
             at->round, (unsigned long long)is, what, (unsigned long long)expected);
}

static void assert_same_ground(const place *at, const lw_navmesh *a, const lw_navmesh *b) {
  const size_t polygons = b->polygons.count, corners = b->polygons.corner_count;
  assert_count(at, "tiles", a->tiles.count, b->tiles.count);
  assert_count(at, "polygons", a->polygons.count, polygons);
  assert_count(at, "corners", a->polygons.corner_count, corners);
  assert_count(at, "vertices", a->polygons.vertex_count, b->polygons.vertex_count);
  assert_same(at, "tiles", a->tiles.items, b->tiles.items, b->tiles.count * sizeof *b->tiles.items);
  assert_same(at, "ids", a->tiles.generations, b->tiles.generations, b->tiles.count * sizeof(uint32_t));
  assert_same(at, "polygons", a->polygons.ranges, b->polygons.ranges, (polygons + 1) * sizeof(lwi_ranges));
  assert_same(at, "corners", a->polygons.corners, b->polygons.corners, 3 * corners * sizeof(float));
  assert_same(at, "edges", a->polygons.edges, b->polygons.edges, corners);
  assert_same(at, "areas", a->polygons.areas, b->polygons.areas, polygons);
  assert_same(at, "openness", a->polygons.openness, b->polygons.openness, polygons);
  assert_same(at, "deep waters", a->polygons.deep_waters, b->polygons.deep_waters, polygons);
  assert_same(at, "aliases", a->polygons.aliases, b->polygons.aliases, polygons * sizeof(lwi_alias));
  assert_same(at, "bounds", &a->bounds, &b->bounds, sizeof a->bounds);
  assert_same(at, "area", &a->area, &b->area, sizeof a->area);
}

static void assert_same_detail(const place *at, const lw_navmesh *a, const lw_navmesh *b) {
  const lwi_mesh_detail *is = &a->detail, *expected = &b->detail;
  const size_t ranges = expected->first_vertex ? (b->polygons.count + 1) * sizeof(uint32_t) : 0;
  assert_count(at, "detail triangles", is->triangle_count, expected->triangle_count);
  assert_count(at, "detail neighbours", is->neighbour_count, expected->neighbour_count);
  assert_same(at, "ranges of detail vertices", is->first_vertex, expected->first_vertex, ranges);
  assert_same(at, "ranges of detail triangles", is->first_triangle, expected->first_triangle, ranges);
  assert_same(at, "ranges of detail neighbours", is->first_neighbour, expected->first_neighbour, ranges);
  assert_same(at, "detail vertices", is->vertices, expected->vertices,
              expected->vertex_count * sizeof(lw_vec3));
  assert_same(at, "detail triangles", is->triangles, expected->triangles, 3 * (size_t)expected->triangle_count);
  assert_same(at, "detail neighbours", is->neighbours, expected->neighbours, expected->neighbour_count);
}

static void assert_same_graph(const place *at, const lw_navmesh *a, const lw_navmesh *b) {
  const lwi_mesh_graph *is = &a->graph, *expected = &b->graph;
  const size_t polygons = b->polygons.count, portals = expected->portal_count;
  assert_count(at, "portals", is->portal_count, portals);
  assert_count(at, "intervals", is->interval_count, expected->interval_count);
  assert_count(at, "islands", is->island_count, expected->island_count);
  assert_same(at, "ranges of portals", is->first_portal, expected->first_portal,
              (polygons + 1) * sizeof(uint32_t));
  assert_same(at, "portals", is->portals, expected->portals, portals * sizeof(lwi_portal));
  assert_same(at, "intervals", is->intervals, expected->intervals,
              expected->interval_count * sizeof(lwi_portal_interval));
  assert_same(at, "islands", is->islands, expected->islands, polygons * sizeof(uint32_t));
  assert_same(at, "dead ends", lwi_reduction_of(a)->parents, lwi_reduction_of(b)->parents,
              polygons * sizeof(uint32_t));
  assert_same(at, "corners of walls", lwi_reduction_of(a)->turns, lwi_reduction_of(b)->turns, portals);
  assert_count(at, "links", a->links.count, b->links.count);
  assert_same(at, "links", a->links.items, b->links.items, b->links.count * sizeof(lwi_link));
}

static void assert_same_sight(const place *at, const lw_navmesh *a, const lw_navmesh *b) {
  const lwi_cover *is = lwi_cover_of(a), *expected = lwi_cover_of(b);
  lwi_memory memory = lwi_memory_make(NULL);
  lwi_changes changes = {.memory = &memory};
  assert_count(at, "facets", lwi_occluders_of(a)->facet_count, lwi_occluders_of(b)->facet_count);
  assert_true(lwi_changes_find(&changes, lwi_occluders_of(a), lwi_occluders_of(b)));
  assert_false(changes.all);
  assert_count(at, "boxes in which facets differ", (uint64_t)changes.count, 0);
  lwi_changes_free(&changes);
  assert_count(at, "cover segments", is->segment_count, expected->segment_count);
  assert_same(at, "cover segments", is->segments, expected->segments,
              expected->segment_count * sizeof *expected->segments);
  assert_same(at, "blocks of cover segments", is->blocks, expected->blocks,
              lwi_cover_blocks(expected->segment_count) * sizeof *expected->blocks);
}

/* However the grids are laid, places are found. */
static void assert_finds_same(const place *at, const lw_navmesh *a, const lw_navmesh *b, lw_random *random) {
  const lw_vec3 size = lwi_sub(b->bounds.max, b->bounds.min), snap = {3, 4, 3};
  for (int i = 0; i < 100; i++) {
    const lw_vec3 point = {b->bounds.min.x + size.x * lwi_random_unit(random),
                           b->bounds.min.y + size.y * lwi_random_unit(random),
                           b->bounds.min.z + size.z * lwi_random_unit(random)};
    lw_location is = {.poly = 0}, expected = {.poly = 0};
    const lw_status status = lw_navmesh_nearest(a, point, snap, NULL, &is),
                    other = lw_navmesh_nearest(b, point, snap, NULL, &expected);
    assert_count(at, "is the status", status, other);
    if (status != LW_OK) continue;
    const float here = lwi_distance(is.point, point), there = lwi_distance(expected.point, point);
    if (here != there)
      fail_msg("%s, round %d: %g m to the nearest place, expected %g", at->name, at->round, (double)here,
               (double)there);
  }
}

static void assert_all_same(const place *at, const lw_navmesh *is, const lw_navmesh *expected,
                            lw_random *random) {
  lw_error error = {.text = ""};
  if (lw_navmesh_validate(is, &error) != LW_OK) fail_msg("%s: %s", at->name, error.text);
  assert_same_ground(at, is, expected);
  assert_same_detail(at, is, expected);
  assert_same_graph(at, is, expected);
  assert_same_sight(at, is, expected);
  assert_finds_same(at, is, expected, random);
}

/* --- changing --------------------------------------------------------------------------------------------- */

/* Tiles of three bakes of one grid. */
typedef struct variants {
  const char *name;
  lw_navmesh *meshes[3];
} variants;

static int compare_places(const void *left, const void *right) {
  const lwi_replaced_tile *a = left, *b = right;
  if (a->z != b->z) return a->z < b->z ? -1 : 1;
  return (a->x > b->x) - (a->x < b->x);
}

/* Some tiles, alone or side by side, from any of the bakes, or none. */
static int draw_tiles(const variants *of, lw_random *random, lwi_replaced_tile *tiles) {
  const int wanted = 1 + (int)(lwi_random_unit(random) * (lwi_random_unit(random) < 0.3f ? 30 : 3));
  const lw_navmesh *from = NULL;
  lw_navmesh_tile tile = {.x = 0};
  int count = 0;
  for (int i = 0; i < wanted; i++) {
    const lw_navmesh *first = of->meshes[0];
    if (i == 0 || lwi_random_unit(random) < 0.4f)
      lw_navmesh_get_tile(first, (int)(lwi_random_unit(random) * (float)first->tiles.count * 0.999f), &tile);
    else
      *(lwi_random_unit(random) < 0.5f ? &tile.x : &tile.z) += 1;
    if (i == 0 || lwi_random_unit(random) < 0.3f) {
      const int which = (int)(lwi_random_unit(random) * 3.4f);
      from = which < 3 ? of->meshes[which] : NULL;
    }
    bool is_new = true;
    for (int k = 0; k < count; k++) is_new &= tiles[k].x != tile.x || tiles[k].z != tile.z;
    if (is_new && count < TILES_MAX) tiles[count++] = (lwi_replaced_tile){tile.x, tile.z, from, from, from};
  }
  qsort(tiles, (size_t)count, sizeof *tiles, compare_places);
  return count;
}

static lw_navmesh *change(const place *at, const lw_navmesh *mesh, lwi_replaced_tile *tiles, int count,
                          lw_random *random) {
  lw_navmesh *is, *expected;
  lw_error error = {.text = ""};
  if (lwi_replace_tiles(mesh, tiles, count, NULL, &is, &error) != LW_OK)
    fail_msg("%s: %s", at->name, error.text);
  if (lwi_replace_tiles_whole(mesh, tiles, count, NULL, &expected, &error) != LW_OK)
    fail_msg("%s: %s", at->name, error.text);
  assert_all_same(at, is, expected, random);
  lw_navmesh_destroy(expected);
  return is;
}

static void change_at_random(const variants *of, uint64_t seed) {
  lw_random random = lwi_random_make(seed, 1);
  lw_navmesh *mesh = NULL;
  printf("note: %s, seed %llu\n", of->name, (unsigned long long)seed);
  for (int round = 0; round < ROUNDS; round++) {
    lwi_replaced_tile tiles[TILES_MAX];
    const place at = {of->name, seed, round};
    const int count = draw_tiles(of, &random, tiles);
    lw_navmesh *next = change(&at, mesh ? mesh : of->meshes[0], tiles, count, &random);
    lw_navmesh_destroy(mesh);
    mesh = next;
  }
  lw_navmesh_destroy(mesh);
}

static void changes_of_plain_levels(void **state) {
  (void)state;
  for (uint64_t i = 0; i < 12; i++) {
    const uint64_t seed = tiles_seed_of() + i;
    lw_random random = lwi_random_make(seed, 2);
    variants of = {.name = "walls"};
    for (int k = 0; k < 3; k++) of.meshes[k] = tiles_random_mesh(&random);
    change_at_random(&of, seed);
    for (int k = 0; k < 3; k++) lw_navmesh_destroy(of.meshes[k]);
  }
}

/* --- shared levels ---------------------------------------------------------------------------------------- */

static lw_navmesh *bake_with_boxes(const char *name, const lw_area_table *areas, lw_box bounds,
                                   lw_random *random, int count) {
  lw_geometry *geometry;
  lw_navmesh *mesh;
  lw_bake_settings settings = level_settings();
  lw_error error = {.text = ""};
  if (level_geometry(name, areas, &geometry, &error) != LW_OK) fail_msg("%s", error.text);
  for (int i = 0; i < count; i++) {
    const lw_geometry_box box = {
        .at = {bounds.min.x + (bounds.max.x - bounds.min.x) * (0.1f + 0.8f * lwi_random_unit(random)),
               bounds.min.y + (bounds.max.y - bounds.min.y) * 0.9f * lwi_random_unit(random),
               bounds.min.z + (bounds.max.z - bounds.min.z) * (0.1f + 0.8f * lwi_random_unit(random))},
        .size = {1 + 5 * lwi_random_unit(random), (bounds.max.y - bounds.min.y) * 0.1f,
                 1 + 5 * lwi_random_unit(random)},
        .yaw = lwi_random_unit(random) < 0.5f ? 0 : lwi_random_unit(random),
        .area = LW_AREA_NONE};
    assert_int_equal(lw_geometry_add_box(geometry, &box, &error), LW_OK);
  }
  settings.tile_size = 16;
  settings.threads = 1;
  settings.bounds = lwi_box_grow(bounds, 2);
  if (lw_navmesh_bake(geometry, &settings, &mesh, NULL, &error) != LW_OK) fail_msg("%s", error.text);
  lw_geometry_destroy(geometry);
  return mesh;
}

static void changes_of_level(const char *name) {
  lw_area_table *areas;
  lw_error error;
  char file[512], text[512];
  lw_navmesh *whole;
  if (!level_file(name, file, sizeof file)) {
    level_missing(name, text, sizeof text);
    printf("note: %s\n", text);
    skip();
  }
  assert_int_equal(level_areas(&areas, &error), LW_OK);
  assert_int_equal(level_navmesh(name, areas, &whole, &error), LW_OK);
  const lw_box bounds = whole->bounds;
  lw_navmesh_destroy(whole);
  lw_random random = lwi_random_make(tiles_seed_of(), 3);
  variants of = {.name = name};
  for (int k = 0; k < 3; k++) of.meshes[k] = bake_with_boxes(name, areas, bounds, &random, 12 * k);
  for (uint64_t i = 0; i < 3; i++) change_at_random(&of, tiles_seed_of() + i);
  for (int k = 0; k < 3; k++) lw_navmesh_destroy(of.meshes[k]);
  lw_area_table_destroy(areas);
}

static void changes_of_a_hilly_level(void **state) {
  (void)state;
  changes_of_level("wz_highground");
}

static void changes_of_a_dungeon(void **state) {
  (void)state;
  changes_of_level("recast_dungeon");
}

static void changes_of_an_arena(void **state) {
  (void)state;
  changes_of_level("oa_wrackdm17");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(changes_of_plain_levels), cmocka_unit_test(changes_of_a_hilly_level),
      cmocka_unit_test(changes_of_a_dungeon), cmocka_unit_test(changes_of_an_arena)};
  return cmocka_run_group_tests(tests, scene_open, scene_close);
}
