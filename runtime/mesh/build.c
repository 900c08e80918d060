#include "mesh/build.h"

#include "core/status.h"
#include "mesh/mesh.h"

#include <string.h>

static void copy_indices(const uint32_t *to, const int *from, uint32_t count) {
  uint32_t *out = (uint32_t *)(uintptr_t)to; /* the blob is ours until the tile is built */
  for (uint32_t i = 0; i < count; i++) out[i] = (uint32_t)from[i];
}

static void copy_bytes(const void *to, const void *from, size_t size) {
  if (size > 0) memcpy((void *)(uintptr_t)to, from, size);
}

static uint8_t area_slot(lw_navmesh *mesh, lw_area_id area) {
  for (int i = 0; i < mesh->area_count; i++)
    if (mesh->area_ids[i] == area) return (uint8_t)i;
  mesh->area_ids[mesh->area_count] = area;
  return (uint8_t)mesh->area_count++;
}

static lwi_tile_head head_of(const lwi_tile_source *source) {
  lwi_tile_head head = {
      .x = source->x,
      .z = source->z,
      .bounds = source->bounds,
      .vertex_count = (uint32_t)source->vertex_count,
      .polygon_count = (uint32_t)source->polygon_count,
      .corner_count = (uint32_t)source->first_corner[source->polygon_count],
  };
  if (!source->first_detail_vertex) return head;
  head.has_detail = 1;
  head.detail_vertex_count = (uint32_t)source->first_detail_vertex[source->polygon_count];
  head.detail_triangle_count = (uint32_t)source->first_detail_triangle[source->polygon_count];
  return head;
}

static bool make_tile(lw_navmesh *mesh, const lwi_tile_source *source, lwi_tile *tile) {
  lwi_tile_head head = head_of(source);
  tile->blob_size = lwi_tile_size(&head);
  tile->blob = lwi_alloc_zero(&mesh->memory, tile->blob_size);
  if (!tile->blob) return false;
  memcpy(tile->blob, &head, sizeof head);
  lwi_tile_open(tile);
  tile->generation = 1;
  copy_bytes(tile->vertices, source->vertices, head.vertex_count * sizeof(lw_vec3));
  copy_indices(tile->first_corner, source->first_corner, head.polygon_count + 1);
  copy_indices(tile->corners, source->corners, head.corner_count);
  if (source->border)
    copy_bytes(tile->border, source->border, head.corner_count);
  else
    memset((void *)(uintptr_t)tile->border, LWI_BORDER_ANY, head.corner_count);
  uint8_t *areas = (uint8_t *)(uintptr_t)tile->areas;
  for (uint32_t i = 0; i < head.polygon_count; i++) areas[i] = area_slot(mesh, source->areas[i]);
  if (!head.has_detail) return true;
  copy_indices(tile->first_detail_vertex, source->first_detail_vertex, head.polygon_count + 1);
  copy_bytes(tile->detail_vertices, source->detail_vertices, head.detail_vertex_count * sizeof(lw_vec3));
  copy_indices(tile->first_detail_triangle, source->first_detail_triangle, head.polygon_count + 1);
  copy_bytes(tile->detail_triangles, source->detail_triangles, head.detail_triangle_count * (size_t)3);
  return true;
}

/* Dense indices, areas and sums: what needs nothing but the tiles. */
static bool number_polygons(lw_navmesh *mesh) {
  uint32_t count = 0;
  for (int t = 0; t < mesh->tile_count; t++) {
    mesh->tiles[t].first_polygon = count;
    count += mesh->tiles[t].head->polygon_count;
  }
  mesh->polygon_count = count;
  mesh->tile_of = lwi_alloc(&mesh->memory, count * sizeof *mesh->tile_of);
  mesh->poly_areas = lwi_alloc(&mesh->memory, count * sizeof *mesh->poly_areas);
  mesh->area_sums = lwi_alloc(&mesh->memory, (count + 1) * sizeof *mesh->area_sums);
  if ((count > 0 && (!mesh->tile_of || !mesh->poly_areas)) || !mesh->area_sums) return false;
  mesh->area_sums[0] = 0;
  mesh->bounds = lwi_box_empty();
  for (uint32_t t = 0; t < (uint32_t)mesh->tile_count; t++) {
    const lwi_tile *tile = &mesh->tiles[t];
    for (uint32_t local = 0; local < tile->head->polygon_count; local++) {
      uint32_t index = tile->first_polygon + local;
      mesh->tile_of[index] = t;
      mesh->poly_areas[index] = mesh->area_ids[tile->areas[local]];
      lwi_polygon polygon = lwi_polygon_get(mesh, index);
      mesh->area_sums[index + 1] = mesh->area_sums[index] + lwi_polygon_area2(&polygon) / 2;
      for (uint32_t i = 0; i < polygon.count; i++)
        mesh->bounds = lwi_box_add(mesh->bounds, lwi_corner(&polygon, i));
    }
  }
  return true;
}

lw_status lwi_graph_build(lw_navmesh *mesh) {
  bool done = number_polygons(mesh) && lwi_graph_link(mesh) && lwi_graph_islands(mesh) && lwi_graph_grid(mesh);
  return done ? LW_OK : LW_OUT_OF_MEMORY;
}

static lw_status build_tiles(lw_navmesh *mesh, const lwi_navmesh_source *source) {
  size_t size = (size_t)source->tile_count * sizeof *mesh->tiles;
  mesh->tiles = lwi_alloc_zero(&mesh->memory, size);
  if (!mesh->tiles && size > 0) return LW_OUT_OF_MEMORY;
  mesh->tile_count = source->tile_count;
  for (int i = 0; i < source->tile_count; i++)
    if (!make_tile(mesh, &source->tiles[i], &mesh->tiles[i])) return LW_OUT_OF_MEMORY;
  return lwi_graph_build(mesh);
}

lw_status lwi_navmesh_build(const lwi_navmesh_source *source, lw_navmesh **navmesh, lw_error *error) {
  *navmesh = NULL;
  if (source->tile_count > LWI_MAX_TILES)
    return lwi_fail(error, LW_LIMIT, "%d tiles are more than %d: raise tile_size", source->tile_count,
                    LWI_MAX_TILES);
  lwi_memory memory = lwi_memory_make(source->allocator);
  lw_navmesh *mesh = lwi_alloc_zero(&memory, sizeof *mesh);
  if (!mesh) return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  mesh->memory = memory;
  mesh->areas = source->areas;
  mesh->agent = source->agent;
  mesh->tile_size = source->tile_size;
  lw_status status = build_tiles(mesh, source);
  if (status != LW_OK) {
    lw_navmesh_destroy(mesh);
    return lwi_fail_status(error, status);
  }
  *navmesh = mesh;
  return LW_OK;
}
