#include "mesh/sources.h"

#include "mesh/weld.h"

#include <string.h>

/* A copy of a tile: its source's arrays one behind the other in a block. */
typedef struct copier {
  unsigned char *at; /* NULL: only measure */
  size_t size;
} copier;

static void *take(copier *copy, size_t size) {
  void *array = copy->at ? copy->at + copy->size : NULL;
  copy->size += (size + 7) & ~(size_t)7;
  return array;
}

typedef struct tile_arrays {
  lw_vec3 *places, *vertices, *detail_vertices;
  int *first_corner, *corners, *first_detail_vertex, *first_detail_triangle;
  uint8_t *border, *areas, *exposures, *deep_waters, *detail_triangles;
} tile_arrays;

static tile_arrays make_arrays(copier *copy, const lw_navmesh *mesh, const lwi_tile *tile) {
  uint32_t first = tile->first_polygon, end = first + tile->polygon_count;
  size_t polygons = tile->polygon_count,
         corners = mesh->ranges[end].first_corner - mesh->ranges[first].first_corner;
  tile_arrays arrays = {.places = take(copy, corners * sizeof(lw_vec3)),
                        .vertices = take(copy, corners * sizeof(lw_vec3)),
                        .first_corner = take(copy, (polygons + 1) * sizeof(int)),
                        .corners = take(copy, corners * sizeof(int)),
                        .border = take(copy, corners),
                        .areas = take(copy, polygons),
                        .exposures = take(copy, polygons),
                        .deep_waters = take(copy, polygons)};
  if (!mesh->first_detail_vertex) return arrays;
  size_t vertices = mesh->first_detail_vertex[end] - mesh->first_detail_vertex[first];
  size_t triangles = mesh->first_detail_triangle[end] - mesh->first_detail_triangle[first];
  arrays.first_detail_vertex = take(copy, (polygons + 1) * sizeof(int));
  arrays.detail_vertices = take(copy, vertices * sizeof(lw_vec3));
  arrays.first_detail_triangle = take(copy, (polygons + 1) * sizeof(int));
  arrays.detail_triangles = take(copy, 3 * triangles);
  return arrays;
}

static void copy_polygons(const tile_arrays *to, const lw_navmesh *mesh, const lwi_tile *tile) {
  uint32_t first = tile->first_polygon, corner = mesh->ranges[first].first_corner;
  for (uint32_t p = 0; p < tile->polygon_count; p++) {
    lwi_polygon polygon = lwi_polygon_get(mesh, first + p);
    uint32_t at = mesh->ranges[first + p].first_corner - corner;
    to->first_corner[p] = (int)at;
    for (uint32_t i = 0; i < polygon.count; i++) {
      to->places[at + i] = lwi_corner(&polygon, i);
      to->border[at + i] = lwi_edge_border(mesh->edges[corner + at + i]);
    }
  }
  to->first_corner[tile->polygon_count] =
      (int)(mesh->ranges[first + tile->polygon_count].first_corner - corner);
  memcpy(to->areas, mesh->poly_areas + first, tile->polygon_count);
  memcpy(to->exposures, mesh->exposures + first, tile->polygon_count);
  memcpy(to->deep_waters, mesh->deep_waters + first, tile->polygon_count);
}

static void copy_detail(const tile_arrays *to, const lw_navmesh *mesh, const lwi_tile *tile) {
  uint32_t first = tile->first_polygon, end = first + tile->polygon_count;
  uint32_t vertex = mesh->first_detail_vertex[first], triangle = mesh->first_detail_triangle[first];
  for (uint32_t p = 0; p <= tile->polygon_count; p++) {
    to->first_detail_vertex[p] = (int)(mesh->first_detail_vertex[first + p] - vertex);
    to->first_detail_triangle[p] = (int)(mesh->first_detail_triangle[first + p] - triangle);
  }
  if (mesh->first_detail_vertex[end] > vertex)
    memcpy(to->detail_vertices, mesh->detail_vertices + vertex,
           (mesh->first_detail_vertex[end] - vertex) * sizeof(lw_vec3));
  memcpy(to->detail_triangles, mesh->detail_triangles + 3 * (size_t)triangle,
         3 * (size_t)(mesh->first_detail_triangle[end] - triangle));
}

static bool add_tile(lwi_sources *sources, const lw_navmesh *mesh, const lwi_tile *tile) {
  copier copy = {0};
  make_arrays(&copy, mesh, tile);
  lwi_tile_copy made = {.size = copy.size};
  if (!(made.block = lwi_alloc(&sources->memory, made.size))) return false;
  sources->copies[sources->copy_count++] = made;
  copy = (copier){.at = made.block};
  tile_arrays arrays = make_arrays(&copy, mesh, tile);
  copy_polygons(&arrays, mesh, tile);
  if (mesh->first_detail_vertex) copy_detail(&arrays, mesh, tile);
  lwi_tile_source source = {.x = tile->x,
                            .z = tile->z,
                            .bounds = tile->bounds,
                            .polygon_count = (int)tile->polygon_count,
                            .vertices = arrays.vertices,
                            .first_corner = arrays.first_corner,
                            .corners = arrays.corners,
                            .border = arrays.border,
                            .areas = arrays.areas,
                            .exposures = arrays.exposures,
                            .deep_waters = arrays.deep_waters,
                            .first_detail_vertex = arrays.first_detail_vertex,
                            .detail_vertices = arrays.detail_vertices,
                            .first_detail_triangle = arrays.first_detail_triangle,
                            .detail_triangles = arrays.detail_triangles};
  if (!lwi_weld(&sources->memory, arrays.places, arrays.first_corner[tile->polygon_count], arrays.corners,
                arrays.vertices, &source.vertex_count))
    return false;
  sources->tiles[sources->count++] = source;
  return true;
}

bool lwi_sources_add(lwi_sources *sources, const lw_navmesh *mesh) {
  int needed = sources->count + (int)mesh->tile_count;
  if (mesh->tile_count == 0) return true;
  if (!lwi_reserve(&sources->memory, &sources->tiles, &sources->tile_capacity, needed,
                   sizeof *sources->tiles) ||
      !lwi_reserve(&sources->memory, &sources->copies, &sources->copy_capacity, needed,
                   sizeof *sources->copies))
    return false;
  for (uint32_t i = 0; i < mesh->tile_count; i++)
    if (!add_tile(sources, mesh, &mesh->tiles[i])) return false;
  return true;
}

void lwi_sources_free(lwi_sources *sources) {
  lwi_memory *memory = &sources->memory;
  for (int i = 0; i < sources->copy_count; i++)
    lwi_free(memory, sources->copies[i].block, sources->copies[i].size);
  lwi_free(memory, sources->copies, (size_t)sources->copy_capacity * sizeof *sources->copies);
  lwi_free(memory, sources->tiles, (size_t)sources->tile_capacity * sizeof *sources->tiles);
}
