/* Storage tiles: one blob each, laid out so that a file can hold it as it is. */
#include "mesh/mesh.h"

#include <string.h>

static size_t aligned(size_t size) {
  return (size + 7) & ~(size_t)7;
}

/* Sizes of the arrays behind the head, in order. */
static void array_sizes(const lwi_tile_head *head, size_t sizes[9]) {
  size_t polygons = head->polygon_count, detail = head->has_detail ? polygons + 1 : 0;
  sizes[0] = head->vertex_count * sizeof(lw_vec3);
  sizes[1] = (polygons + 1) * sizeof(uint32_t);
  sizes[2] = head->corner_count * sizeof(uint32_t);
  sizes[3] = head->corner_count;
  sizes[4] = polygons;
  sizes[5] = detail * sizeof(uint32_t);
  sizes[6] = head->detail_vertex_count * sizeof(lw_vec3);
  sizes[7] = detail * sizeof(uint32_t);
  sizes[8] = head->detail_triangle_count * (size_t)3;
}

size_t lwi_tile_size(const lwi_tile_head *head) {
  size_t sizes[9], total = aligned(sizeof *head);
  array_sizes(head, sizes);
  for (int i = 0; i < 9; i++) total += aligned(sizes[i]);
  return total;
}

bool lwi_tile_open(lwi_tile *tile) {
  if (tile->blob_size < sizeof(lwi_tile_head)) return false;
  const lwi_tile_head *head = tile->blob;
  if (lwi_tile_size(head) != tile->blob_size) return false;
  size_t sizes[9];
  array_sizes(head, sizes);
  const unsigned char *at = (const unsigned char *)tile->blob + aligned(sizeof *head);
  const void *arrays[9];
  for (int i = 0; i < 9; i++) {
    arrays[i] = at;
    at += aligned(sizes[i]);
  }
  tile->head = head;
  tile->vertices = arrays[0];
  tile->first_corner = arrays[1];
  tile->corners = arrays[2];
  tile->border = arrays[3];
  tile->areas = arrays[4];
  tile->first_detail_vertex = arrays[5];
  tile->detail_vertices = arrays[6];
  tile->first_detail_triangle = arrays[7];
  tile->detail_triangles = arrays[8];
  return true;
}

static bool finite_all(const lw_vec3 *points, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (!lwi_finite(points[i])) return false;
  return true;
}

static bool rises(const uint32_t *first, uint32_t count, uint32_t total) {
  if (first[0] != 0 || first[count] != total) return false;
  for (uint32_t i = 0; i < count; i++)
    if (first[i] > first[i + 1]) return false;
  return true;
}

static const char *check_detail(const lwi_tile *tile) {
  const lwi_tile_head *head = tile->head;
  if (!rises(tile->first_detail_vertex, head->polygon_count, head->detail_vertex_count) ||
      !rises(tile->first_detail_triangle, head->polygon_count, head->detail_triangle_count))
    return "detail ranges are out of order";
  if (!finite_all(tile->detail_vertices, head->detail_vertex_count)) return "a detail vertex is not finite";
  for (uint32_t p = 0; p < head->polygon_count; p++) {
    uint32_t corners = tile->first_corner[p + 1] - tile->first_corner[p];
    uint32_t limit = corners + tile->first_detail_vertex[p + 1] - tile->first_detail_vertex[p];
    for (uint32_t i = 3 * tile->first_detail_triangle[p]; i < 3 * tile->first_detail_triangle[p + 1]; i++)
      if (tile->detail_triangles[i] >= limit) return "a detail triangle's vertex is out of range";
  }
  return NULL;
}

const char *lwi_tile_check(const lwi_tile *tile, int area_count) {
  const lwi_tile_head *head = tile->head;
  if (!finite_all(tile->vertices, head->vertex_count)) return "a vertex is not finite";
  if (!rises(tile->first_corner, head->polygon_count, head->corner_count))
    return "corner ranges are out of order";
  for (uint32_t p = 0; p < head->polygon_count; p++) {
    if (tile->first_corner[p + 1] - tile->first_corner[p] < 3) return "a polygon has fewer than 3 corners";
    if (tile->areas[p] >= area_count) return "a polygon's area is out of range";
  }
  for (uint32_t i = 0; i < head->corner_count; i++)
    if (tile->corners[i] >= head->vertex_count) return "a corner is out of range";
  return head->has_detail ? check_detail(tile) : NULL;
}
