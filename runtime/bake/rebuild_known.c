#include "bake/rebuild_known.h"

#include "cover/beside.h"

#include <string.h>

bool lwi_rebuild_same(const lw_navmesh *a, uint32_t p, const lw_navmesh *b, uint32_t q) {
  lwi_polygon one = lwi_polygon_get(a, p), other = lwi_polygon_get(b, q);
  return one.count == other.count && a->poly_areas[p] == b->poly_areas[q] &&
         memcmp(one.at, other.at, 3 * (size_t)one.count * sizeof *one.at) == 0;
}

/* A polygon's range in an array of which there may be none. */
typedef struct range {
  uint32_t first, count;
} range;

static range range_of(const uint32_t *firsts, uint32_t polygon) {
  if (!firsts) return (range){0, 0};
  return (range){firsts[polygon], firsts[polygon + 1] - firsts[polygon]};
}

bool lwi_rebuild_as_high(const lw_navmesh *a, uint32_t p, const lw_navmesh *b, uint32_t q) {
  range one = range_of(a->first_detail_vertex, p), other = range_of(b->first_detail_vertex, q);
  range from = range_of(a->first_detail_triangle, p), to = range_of(b->first_detail_triangle, q);
  if (one.count != other.count || from.count != to.count) return false;
  if (one.count > 0 && memcmp(a->detail_vertices + one.first, b->detail_vertices + other.first,
                              one.count * sizeof *a->detail_vertices) != 0)
    return false;
  return from.count == 0 || memcmp(a->detail_triangles + 3 * (size_t)from.first,
                                   b->detail_triangles + 3 * (size_t)to.first, 3 * (size_t)from.count) == 0;
}

/* A tile's polygons keep their order, but some may be left out or come in. */
static void match_tile(const lw_navmesh *before, const lwi_tile *old, const lw_navmesh *now,
                       const lwi_tile *tile, uint32_t *known) {
  uint32_t from = old->first_polygon;
  const uint32_t end = from + old->polygon_count;
  for (uint32_t i = 0; i < tile->polygon_count; i++) {
    const uint32_t p = tile->first_polygon + i;
    uint32_t q = from;
    while (q < end && !lwi_rebuild_same(now, p, before, q)) q++;
    if (q == end) continue;
    if (lwi_rebuild_as_high(now, p, before, q)) known[p] = q;
    from = q + 1;
  }
}

static bool is_behind(const lwi_tile *a, const lwi_tile *b) {
  return a->z != b->z ? a->z > b->z : a->x > b->x;
}

/* Tiles are in the order of the grid. */
static void match(const lw_navmesh *before, const lw_navmesh *now, uint32_t *known) {
  for (uint32_t i = 0, k = 0; i < now->tile_count; i++) {
    const lwi_tile *tile = &now->tiles[i];
    while (k < before->tile_count && is_behind(tile, &before->tiles[k])) k++;
    if (k < before->tile_count && !is_behind(&before->tiles[k], tile))
      match_tile(before, &before->tiles[k], now, tile, known);
  }
}

bool lwi_rebuild_known(const lw_navmesh *before, const lw_navmesh *now, const lwi_changes *changes, float reach,
                       lwi_memory *memory, uint32_t *known) {
  const size_t size = now->polygon_count * sizeof(lw_box);
  lw_box *boxes = lwi_alloc(memory, size);
  if (!boxes && size > 0) return false;
  lwi_beside_boxes(now, boxes);
  for (uint32_t p = 0; p < now->polygon_count; p++) known[p] = LWI_NONE;
  if (!changes->all) match(before, now, known);
  for (uint32_t p = 0; p < now->polygon_count; p++)
    if (known[p] != LWI_NONE && lwi_changes_near(changes, &boxes[p], reach)) known[p] = LWI_NONE;
  lwi_free(memory, boxes, size);
  return true;
}
