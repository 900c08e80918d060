#include "mesh/tile_map.h"

#include "core/hash.h"

#include <string.h>

/* --- content ---------------------------------------------------------------------------------------------- */

/* A run of an array: what a tile's polygons have of it. */
typedef struct run {
  const void *items;
  uint32_t first, count;
  size_t size; /* of an item */
} run;

static const void *begin_of(const run *r) {
  return (const char *)r->items + (size_t)r->first * r->size;
}

static bool is_same_run(run a, run b) {
  return a.count == b.count && (a.count == 0 || memcmp(begin_of(&a), begin_of(&b), a.count * a.size) == 0);
}

/* What of an array polygons have that begins where `firsts` says. */
static run run_by(const lwi_tile *tile, const void *items, const uint32_t *firsts, size_t size) {
  if (!firsts) return (run){NULL, 0, 0, size};
  const uint32_t first = firsts[tile->first_polygon];
  return (run){items, first, firsts[tile->first_polygon + tile->polygon_count] - first, size};
}

enum { CORNERS, AREAS, HEADROOM, STEPS, DETAIL_VERTICES, DETAIL_TRIANGLES, RUNS };

static void list_runs(const lw_navmesh *mesh, const lwi_tile *tile, run *runs) {
  const lwi_ranges *ranges = mesh->polygons.ranges + tile->first_polygon;
  const uint32_t corners = ranges[tile->polygon_count].first_corner - ranges->first_corner;
  runs[CORNERS] = (run){mesh->polygons.corners, ranges->first_corner, corners, 3 * sizeof(float)};
  runs[AREAS] = (run){mesh->polygons.areas, tile->first_polygon, tile->polygon_count, sizeof(lw_area_id)};
  runs[HEADROOM] = (run){mesh->polygons.headrooms, tile->first_polygon, tile->polygon_count, sizeof(uint8_t)};
  runs[STEPS] = (run){mesh->polygons.steps, tile->first_polygon, tile->polygon_count, sizeof(uint8_t)};
  runs[DETAIL_VERTICES] = run_by(tile, mesh->detail.vertices, mesh->detail.first_vertex, sizeof(lw_vec3));
  runs[DETAIL_TRIANGLES] = run_by(tile, mesh->detail.triangles, mesh->detail.first_triangle, 3);
}

/* How many of something a polygon has. */
static uint32_t count_of(const uint32_t *firsts, uint32_t polygon) {
  return firsts ? firsts[polygon + 1] - firsts[polygon] : 0;
}

static bool is_same_polygon(const lw_navmesh *a, uint32_t p, const lw_navmesh *b, uint32_t q) {
  return lwi_polygon_get(a, p).count == lwi_polygon_get(b, q).count &&
         count_of(a->detail.first_vertex, p) == count_of(b->detail.first_vertex, q) &&
         count_of(a->detail.first_triangle, p) == count_of(b->detail.first_triangle, q);
}

static bool is_same_tile(const lw_navmesh *a, const lwi_tile *tile, const lw_navmesh *b,
                         const lwi_tile *other) {
  run of_a[RUNS], of_b[RUNS];
  if (tile->polygon_count != other->polygon_count) return false;
  for (uint32_t i = 0; i < tile->polygon_count; i++)
    if (!is_same_polygon(a, tile->first_polygon + i, b, other->first_polygon + i)) return false;
  list_runs(a, tile, of_a);
  list_runs(b, other, of_b);
  for (int i = 0; i < RUNS; i++)
    if (!is_same_run(of_a[i], of_b[i])) return false;
  return true;
}

bool lwi_tile_is_as_open(const lw_navmesh *a, const lwi_tile *tile, const lw_navmesh *b,
                         const lwi_tile *other) {
  const uint32_t count = tile->polygon_count;
  return memcmp(a->polygons.openness + tile->first_polygon, b->polygons.openness + other->first_polygon,
                count) == 0 &&
         memcmp(a->polygons.depths + 2 * (size_t)tile->first_polygon,
                b->polygons.depths + 2 * (size_t)other->first_polygon, 2 * (size_t)count) == 0;
}

uint64_t lwi_tile_hash(const lw_navmesh *mesh, const lwi_tile *tile) {
  run runs[RUNS];
  uint64_t hash = lwi_hash(LWI_HASH_SEED, &tile->polygon_count, sizeof tile->polygon_count);
  for (uint32_t p = tile->first_polygon; p < tile->first_polygon + tile->polygon_count; p++) {
    const uint32_t counts[] = {lwi_polygon_get(mesh, p).count, count_of(mesh->detail.first_vertex, p),
                               count_of(mesh->detail.first_triangle, p)};
    hash = lwi_hash(hash, counts, sizeof counts);
  }
  list_runs(mesh, tile, runs);
  for (int i = 0; i < RUNS; i++)
    if (i != AREAS && runs[i].count > 0)
      hash = lwi_hash(hash, begin_of(&runs[i]), runs[i].count * runs[i].size);
  return hash;
}

/* --- the map ---------------------------------------------------------------------------------------------- */

static int compare_places(const lwi_tile *a, const lwi_tile *b) {
  if (a->z != b->z) return a->z < b->z ? -1 : 1;
  return (a->x > b->x) - (a->x < b->x);
}

/* Tiles are in the order of the grid; of several at one place each meets at most one. */
static void match(lwi_tile_map *map) {
  const lw_navmesh *before = map->before, *now = map->now;
  for (uint32_t i = 0, k = 0; i < now->tiles.count; i++) {
    const lwi_tile *tile = &now->tiles.items[i];
    while (k < before->tiles.count && compare_places(&before->tiles.items[k], tile) < 0) k++;
    if (k == before->tiles.count || compare_places(&before->tiles.items[k], tile) != 0) continue;
    map->instead[i] = k;
    if (is_same_tile(before, &before->tiles.items[k], now, tile)) {
      map->to[k] = i;
      map->from[i] = k;
    }
    k++;
  }
}

static uint32_t *make_list(lwi_memory *memory, uint32_t count) {
  uint32_t *list = lwi_alloc(memory, count * sizeof *list);
  if (list) memset(list, 0xff, count * sizeof *list);
  return list;
}

bool lwi_tile_map_make(lwi_tile_map *map, const lw_navmesh *before, const lw_navmesh *now, lwi_memory *memory) {
  *map = (lwi_tile_map){.before = before, .now = now};
  map->to = make_list(memory, before->tiles.count);
  map->from = make_list(memory, now->tiles.count);
  map->instead = make_list(memory, now->tiles.count);
  if ((map->to || before->tiles.count == 0) && ((map->from && map->instead) || now->tiles.count == 0)) {
    match(map);
    return true;
  }
  lwi_tile_map_free(map, memory);
  return false;
}

void lwi_tile_map_free(lwi_tile_map *map, lwi_memory *memory) {
  if (!map->before) return;
  lwi_free(memory, map->to, map->before->tiles.count * sizeof *map->to);
  lwi_free(memory, map->from, map->now->tiles.count * sizeof *map->from);
  lwi_free(memory, map->instead, map->now->tiles.count * sizeof *map->instead);
  *map = (lwi_tile_map){.before = NULL};
}

uint32_t lwi_tile_map_polygon(const lwi_tile_map *map, uint32_t polygon) {
  const uint32_t tile = map->before->polygons.ranges[polygon].tile, to = map->to[tile];
  if (to == LWI_NONE) return LWI_NONE;
  return map->now->tiles.items[to].first_polygon + polygon - map->before->tiles.items[tile].first_polygon;
}
