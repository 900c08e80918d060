#include "mesh/blob.h"

#include <limits.h>
#include <string.h>

_Static_assert(sizeof(lwi_blob_head) == 56, "a blob's head has no gaps");
_Static_assert(sizeof(int) == sizeof(uint32_t), "indices are read where they lie");

enum {
  VERTICES,
  FIRST_CORNER,
  CORNERS,
  BORDER,
  AREAS,
  FIRST_DETAIL_VERTEX,
  DETAIL_VERTICES,
  FIRST_DETAIL_TRIANGLE,
  DETAIL_TRIANGLES,
  ARRAYS
};

static size_t aligned(size_t size) {
  return (size + 7) & ~(size_t)7;
}

static void array_sizes(const lwi_blob_head *head, size_t sizes[ARRAYS]) {
  size_t polygons = head->polygon_count, detail = head->has_detail ? polygons + 1 : 0;
  sizes[VERTICES] = head->vertex_count * sizeof(lw_vec3);
  sizes[FIRST_CORNER] = (polygons + 1) * sizeof(uint32_t);
  sizes[CORNERS] = head->corner_count * sizeof(uint32_t);
  sizes[BORDER] = head->corner_count;
  sizes[AREAS] = polygons;
  sizes[FIRST_DETAIL_VERTEX] = detail * sizeof(uint32_t);
  sizes[DETAIL_VERTICES] = head->detail_vertex_count * sizeof(lw_vec3);
  sizes[FIRST_DETAIL_TRIANGLE] = detail * sizeof(uint32_t);
  sizes[DETAIL_TRIANGLES] = head->detail_triangle_count * (size_t)3;
}

size_t lwi_blob_size(const lwi_blob_head *head) {
  size_t sizes[ARRAYS], total = aligned(sizeof *head);
  array_sizes(head, sizes);
  for (int i = 0; i < ARRAYS; i++) total += aligned(sizes[i]);
  return total;
}

/* --- writing ---------------------------------------------------------------------------------------------------- */

lwi_blob_head lwi_blob_head_of(const lw_navmesh *mesh, const lwi_tile *tile) {
  uint32_t first = tile->first_polygon, end = first + tile->polygon_count;
  lwi_blob_head head = {
      .x = tile->x,
      .z = tile->z,
      .bounds = tile->bounds,
      .vertex_count = tile->vertex_count,
      .polygon_count = tile->polygon_count,
      .corner_count = mesh->first_corner[end] - mesh->first_corner[first],
  };
  if (!mesh->first_detail_vertex) return head;
  head.has_detail = 1;
  head.detail_vertex_count = mesh->first_detail_vertex[end] - mesh->first_detail_vertex[first];
  head.detail_triangle_count = mesh->first_detail_triangle[end] - mesh->first_detail_triangle[first];
  return head;
}

static void *put(unsigned char **at, const void *data, size_t size) {
  void *start = *at;
  if (size > 0) memcpy(start, data, size);
  *at += aligned(size);
  return start;
}

/* Numbers counted from `base` on. */
static void put_from(unsigned char **at, const uint32_t *numbers, uint32_t count, uint32_t base) {
  uint32_t *out = put(at, numbers, count * sizeof *numbers);
  for (uint32_t i = 0; i < count; i++) out[i] -= base;
}

void lwi_blob_write(const lw_navmesh *mesh, const lwi_tile *tile, const uint8_t *slots, void *blob) {
  lwi_blob_head head = lwi_blob_head_of(mesh, tile);
  uint32_t first = tile->first_polygon, corner = mesh->first_corner[first];
  unsigned char *at = blob;
  memset(blob, 0, lwi_blob_size(&head));
  put(&at, &head, sizeof head);
  put(&at, mesh->vertices + tile->first_vertex, head.vertex_count * sizeof(lw_vec3));
  put_from(&at, mesh->first_corner + first, head.polygon_count + 1, corner);
  put_from(&at, mesh->corners + corner, head.corner_count, tile->first_vertex);
  put(&at, mesh->border + corner, head.corner_count);
  uint8_t *areas = put(&at, mesh->poly_areas + first, head.polygon_count);
  for (uint32_t i = 0; i < head.polygon_count; i++) areas[i] = slots[areas[i]];
  if (!head.has_detail) return;
  uint32_t vertex = mesh->first_detail_vertex[first], triangle = mesh->first_detail_triangle[first];
  put_from(&at, mesh->first_detail_vertex + first, head.polygon_count + 1, vertex);
  put(&at, mesh->detail_vertices + vertex, head.detail_vertex_count * sizeof(lw_vec3));
  put_from(&at, mesh->first_detail_triangle + first, head.polygon_count + 1, triangle);
  put(&at, mesh->detail_triangles + 3 * (size_t)triangle, head.detail_triangle_count * (size_t)3);
}

/* --- reading ---------------------------------------------------------------------------------------------------- */

/* Numbers, and none so large that their differences are not. */
static bool finite_all(const lw_vec3 *points, uint32_t count) {
  const float most = 1e7f;
  for (uint32_t i = 0; i < count; i++)
    if (!(fabsf(points[i].x) <= most && fabsf(points[i].y) <= most && fabsf(points[i].z) <= most)) return false;
  return true;
}

static bool rises(const int *first, uint32_t count, uint32_t total) {
  if (first[0] != 0 || (uint32_t)first[count] != total) return false;
  for (uint32_t i = 0; i < count; i++)
    if (first[i] > first[i + 1]) return false;
  return true;
}

static const char *check_detail(const lwi_blob_head *head, const lwi_tile_source *source) {
  if (!rises(source->first_detail_vertex, head->polygon_count, head->detail_vertex_count) ||
      !rises(source->first_detail_triangle, head->polygon_count, head->detail_triangle_count))
    return "detail ranges are out of order";
  if (!finite_all(source->detail_vertices, head->detail_vertex_count)) return "a detail vertex is no place";
  for (uint32_t p = 0; p < head->polygon_count; p++) {
    int corners = source->first_corner[p + 1] - source->first_corner[p];
    int limit = corners + source->first_detail_vertex[p + 1] - source->first_detail_vertex[p];
    if (limit > LWI_SURFACE_VERTICES && source->first_detail_triangle[p] < source->first_detail_triangle[p + 1])
      return "a polygon's detail has too many vertices";
    for (int i = 3 * source->first_detail_triangle[p]; i < 3 * source->first_detail_triangle[p + 1]; i++)
      if (source->detail_triangles[i] >= limit) return "a detail triangle's vertex is out of range";
  }
  return NULL;
}

static const char *check(const lwi_blob_head *head, int area_count, const lwi_tile_source *source) {
  if (!finite_all(source->vertices, head->vertex_count)) return "a vertex is no place";
  if (!rises(source->first_corner, head->polygon_count, head->corner_count))
    return "corner ranges are out of order";
  for (uint32_t p = 0; p < head->polygon_count; p++) {
    if (source->first_corner[p + 1] - source->first_corner[p] < 3) return "a polygon has fewer than 3 corners";
    if (source->areas[p] >= area_count) return "a polygon's area is out of range";
  }
  for (uint32_t i = 0; i < head->corner_count; i++)
    if ((uint32_t)source->corners[i] >= head->vertex_count) return "a corner is out of range";
  return head->has_detail ? check_detail(head, source) : NULL;
}

const char *lwi_blob_read(const void *blob, size_t size, int area_count, lwi_tile_source *source) {
  const lwi_blob_head *head = blob;
  if (size < sizeof *head || lwi_blob_size(head) != size) return "a tile's size does not fit its contents";
  if (head->vertex_count > INT_MAX || head->polygon_count >= INT_MAX || head->corner_count > INT_MAX ||
      head->detail_vertex_count > INT_MAX || head->detail_triangle_count > INT_MAX / 3)
    return "a tile is too large";
  size_t sizes[ARRAYS];
  const void *arrays[ARRAYS];
  const unsigned char *at = (const unsigned char *)blob + aligned(sizeof *head);
  array_sizes(head, sizes);
  for (int i = 0; i < ARRAYS; i++) {
    arrays[i] = at;
    at += aligned(sizes[i]);
  }
  *source = (lwi_tile_source){
      .x = head->x,
      .z = head->z,
      .bounds = head->bounds,
      .vertex_count = (int)head->vertex_count,
      .polygon_count = (int)head->polygon_count,
      .vertices = arrays[VERTICES],
      .first_corner = arrays[FIRST_CORNER],
      .corners = arrays[CORNERS],
      .border = arrays[BORDER],
      .areas = arrays[AREAS],
      .first_detail_vertex = head->has_detail ? arrays[FIRST_DETAIL_VERTEX] : NULL,
      .detail_vertices = arrays[DETAIL_VERTICES],
      .first_detail_triangle = head->has_detail ? arrays[FIRST_DETAIL_TRIANGLE] : NULL,
      .detail_triangles = arrays[DETAIL_TRIANGLES],
  };
  return check(head, area_count, source);
}
