#include "bake/bake_islands.h"

#include <string.h>

bool lwi_islands_find(const lw_navmesh *navmesh, float min_area, lwi_memory *memory, bool *drop, int *islands) {
  int count = lw_navmesh_get_stats(navmesh).islands, i = 0;
  lw_poly poly;
  float *areas = lwi_alloc_zero(memory, (size_t)count * sizeof *areas);
  *islands = 0;
  if (!areas && count > 0) return false;
  for (lw_poly_id id = lw_navmesh_next_poly(navmesh, 0); id; id = lw_navmesh_next_poly(navmesh, id)) {
    lw_navmesh_get_poly(navmesh, id, &poly);
    areas[poly.island] += poly.area_m2;
  }
  for (lw_poly_id id = lw_navmesh_next_poly(navmesh, 0); id; id = lw_navmesh_next_poly(navmesh, id)) {
    lw_navmesh_get_poly(navmesh, id, &poly);
    drop[i++] = areas[poly.island] < min_area;
  }
  for (int k = 0; k < count; k++) *islands += areas[k] < min_area;
  lwi_free(memory, areas, (size_t)count * sizeof *areas);
  return true;
}

/* Vertices that a corner still names move together; the corners follow. */
static void drop_vertices(lwi_baked_tile *tile, int *place) {
  lwi_tile_result *result = &tile->result;
  int count = 0;
  memset(place, 0, (size_t)result->vertex_count * sizeof *place);
  for (int i = 0; i < result->corner_count; i++) place[result->corners[i]] = 1;
  for (int v = 0; v < result->vertex_count; v++) {
    if (!place[v]) continue;
    tile->vertices[count] = tile->vertices[v];
    place[v] = count++;
  }
  for (int i = 0; i < result->corner_count; i++) result->corners[i] = place[result->corners[i]];
  result->vertex_count = count;
}

static void move_corners(lwi_tile_result *result, int from, int to) {
  int first = result->first_corner[from], count = result->first_corner[from + 1] - first;
  memmove(result->corners + result->corner_count, result->corners + first, (size_t)count * sizeof(int));
  memmove(result->border + result->corner_count, result->border + first, (size_t)count);
  result->corner_count += count;
  result->first_corner[to] = result->corner_count - count;
}

static void move_detail(lwi_baked_tile *tile, int from, int to) {
  lwi_tile_result *result = &tile->result;
  int vertex = result->first_detail_vertex[from], vertices = result->first_detail_vertex[from + 1] - vertex;
  int triangle = result->first_detail_triangle[from];
  int triangles = result->first_detail_triangle[from + 1] - triangle;
  memmove(tile->detail + result->detail_vertex_count, tile->detail + vertex,
          (size_t)vertices * sizeof(lw_vec3));
  memmove(result->detail_triangles + 3 * result->detail_triangle_count, result->detail_triangles + 3 * triangle,
          (size_t)triangles * 3);
  result->first_detail_vertex[to] = result->detail_vertex_count;
  result->first_detail_triangle[to] = result->detail_triangle_count;
  result->detail_vertex_count += vertices;
  result->detail_triangle_count += triangles;
}

bool lwi_baked_tile_drop(lwi_baked_tile *tile, const bool *drop, lwi_memory *memory) {
  lwi_tile_result *result = &tile->result;
  size_t places = (size_t)result->vertex_count * sizeof(int);
  int *place = lwi_alloc(memory, places);
  if (!place) return false;
  int polygons = result->polygon_count, kept = 0;
  result->corner_count = result->detail_vertex_count = result->detail_triangle_count = 0;
  for (int p = 0; p < polygons; p++) {
    if (drop[p]) continue;
    move_corners(result, p, kept);
    move_detail(tile, p, kept);
    result->areas[kept++] = result->areas[p];
  }
  result->polygon_count = kept;
  result->first_corner[kept] = result->corner_count;
  result->first_detail_vertex[kept] = result->detail_vertex_count;
  result->first_detail_triangle[kept] = result->detail_triangle_count;
  drop_vertices(tile, place);
  lwi_free(memory, place, places);
  return true;
}
