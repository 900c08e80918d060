#include "mesh/sources.h"

#include "core/status.h"
#include "mesh/build.h"

#include <string.h>

/* Lays out a tile's arrays one after the other in a block. */
typedef struct copier {
  unsigned char *at; /* NULL: only measure the block */
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
  uint8_t *border, *areas, *openness, *depths, *headrooms, *steps, *detail_triangles;
} tile_arrays;

static tile_arrays make_arrays(copier *copy, const lw_navmesh *mesh, const lwi_tile *tile) {
  uint32_t first = tile->first_polygon, end = first + tile->polygon_count;
  size_t polygons = tile->polygon_count,
         corners = mesh->polygons.ranges[end].first_corner - mesh->polygons.ranges[first].first_corner;
  tile_arrays arrays = {.places = take(copy, corners * sizeof(lw_vec3)),
                        .vertices = take(copy, corners * sizeof(lw_vec3)),
                        .first_corner = take(copy, (polygons + 1) * sizeof(int)),
                        .corners = take(copy, corners * sizeof(int)),
                        .border = take(copy, corners),
                        .areas = take(copy, polygons),
                        .openness = take(copy, polygons),
                        .depths = take(copy, 2 * polygons),
                        .headrooms = take(copy, polygons),
                        .steps = take(copy, polygons)};
  if (!mesh->detail.first_vertex) return arrays;
  size_t vertices = mesh->detail.first_vertex[end] - mesh->detail.first_vertex[first];
  size_t triangles = mesh->detail.first_triangle[end] - mesh->detail.first_triangle[first];
  arrays.first_detail_vertex = take(copy, (polygons + 1) * sizeof(int));
  arrays.detail_vertices = take(copy, vertices * sizeof(lw_vec3));
  arrays.first_detail_triangle = take(copy, (polygons + 1) * sizeof(int));
  arrays.detail_triangles = take(copy, 3 * triangles);
  return arrays;
}

static void copy_polygons(const tile_arrays *to, const lw_navmesh *mesh, const lwi_tile *tile) {
  uint32_t first = tile->first_polygon, corner = mesh->polygons.ranges[first].first_corner;
  for (uint32_t p = 0; p < tile->polygon_count; p++) {
    lwi_polygon polygon = lwi_polygon_get(mesh, first + p);
    uint32_t at = mesh->polygons.ranges[first + p].first_corner - corner;
    to->first_corner[p] = (int)at;
    for (uint32_t i = 0; i < polygon.count; i++) {
      to->places[at + i] = lwi_corner(&polygon, i);
      to->border[at + i] = lwi_edge_border(mesh->polygons.edges[corner + at + i]);
    }
  }
  to->first_corner[tile->polygon_count] =
      (int)(mesh->polygons.ranges[first + tile->polygon_count].first_corner - corner);
  memcpy(to->areas, mesh->polygons.areas + first, tile->polygon_count);
  memcpy(to->openness, mesh->polygons.openness + first, tile->polygon_count);
  memcpy(to->depths, mesh->polygons.depths + 2 * (size_t)first, 2 * (size_t)tile->polygon_count);
  memcpy(to->headrooms, mesh->polygons.headrooms + first, tile->polygon_count);
  memcpy(to->steps, mesh->polygons.steps + first, tile->polygon_count);
}

static void copy_detail(const tile_arrays *to, const lw_navmesh *mesh, const lwi_tile *tile) {
  uint32_t first = tile->first_polygon, end = first + tile->polygon_count;
  uint32_t vertex = mesh->detail.first_vertex[first], triangle = mesh->detail.first_triangle[first];
  for (uint32_t p = 0; p <= tile->polygon_count; p++) {
    to->first_detail_vertex[p] = (int)(mesh->detail.first_vertex[first + p] - vertex);
    to->first_detail_triangle[p] = (int)(mesh->detail.first_triangle[first + p] - triangle);
  }
  if (mesh->detail.first_vertex[end] > vertex)
    memcpy(to->detail_vertices, mesh->detail.vertices + vertex,
           (mesh->detail.first_vertex[end] - vertex) * sizeof(lw_vec3));
  memcpy(to->detail_triangles, mesh->detail.triangles + 3 * (size_t)triangle,
         3 * (size_t)(mesh->detail.first_triangle[end] - triangle));
}

static bool add_tile(lwi_sources *sources, const lw_navmesh *mesh, const lwi_tile *tile) {
  copier copy = {0};
  make_arrays(&copy, mesh, tile);
  lwi_tile_copy block = {.size = copy.size};
  if (!(block.block = lwi_alloc(&sources->memory, block.size))) return false;
  sources->copies[sources->copy_count++] = block;
  copy = (copier){.at = block.block};
  tile_arrays arrays = make_arrays(&copy, mesh, tile);
  copy_polygons(&arrays, mesh, tile);
  if (mesh->detail.first_vertex) copy_detail(&arrays, mesh, tile);
  lwi_tile_source source = {.x = tile->x,
                            .z = tile->z,
                            .bounds = tile->bounds,
                            .polygon_count = (int)tile->polygon_count,
                            .vertices = arrays.vertices,
                            .first_corner = arrays.first_corner,
                            .corners = arrays.corners,
                            .border = arrays.border,
                            .areas = arrays.areas,
                            .openness = arrays.openness,
                            .depths = arrays.depths,
                            .headrooms = arrays.headrooms,
                            .steps = arrays.steps,
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

bool lwi_sources_add_some(lwi_sources *sources, const lw_navmesh *mesh,
                          bool (*wanted)(const void *user, const lw_navmesh *mesh, const lwi_tile *tile),
                          const void *user) {
  for (uint32_t i = 0; i < mesh->tiles.count; i++) {
    const int needed = sources->count + 1;
    if (wanted && !wanted(user, mesh, &mesh->tiles.items[i])) continue;
    if (!lwi_reserve(&sources->memory, &sources->tiles, &sources->tile_capacity, needed,
                     sizeof *sources->tiles) ||
        !lwi_reserve(&sources->memory, &sources->copies, &sources->copy_capacity, needed,
                     sizeof *sources->copies) ||
        !add_tile(sources, mesh, &mesh->tiles.items[i]))
      return false;
  }
  return true;
}

bool lwi_sources_add(lwi_sources *sources, const lw_navmesh *mesh) {
  return lwi_sources_add_some(sources, mesh, NULL, NULL);
}

void lwi_sources_free(lwi_sources *sources) {
  lwi_memory *memory = &sources->memory;
  for (int i = 0; i < sources->copy_count; i++)
    lwi_free(memory, sources->copies[i].block, sources->copies[i].size);
  lwi_free(memory, sources->copies, (size_t)sources->copy_capacity * sizeof *sources->copies);
  lwi_free(memory, sources->tiles, (size_t)sources->tile_capacity * sizeof *sources->tiles);
}

lw_status lwi_sources_build(const lwi_sources *sources, const lw_navmesh *like,
                            const lwi_annotations *annotations, const lw_allocator *allocator,
                            lw_navmesh **navmesh, lw_error *error) {
  const lwi_navmesh_source source = {.areas = like->areas,
                                     .allocator = allocator,
                                     .agent = like->agent,
                                     .tile_size = like->tile_size,
                                     .tile_count = sources->count,
                                     .tiles = sources->tiles,
                                     .annotations = annotations ? *annotations : like->annotations,
                                     .attachments = like->attachments};
  return lwi_navmesh_build(&source, navmesh, error);
}
