#include "mesh/mesh.h"

#include "core/status.h"

#include <string.h>

lw_filter lw_filter_all(void) {
  return (lw_filter){.areas = {~0ULL, ~0ULL, ~0ULL, ~0ULL}, .links = (1U << LW_LINK_KIND_COUNT) - 1};
}

const char *lw_link_kind_name(lw_link_kind kind) {
  static const char *const names[LW_LINK_KIND_COUNT] = {"jump",     "drop", "ladder",
                                                        "teleport", "door", "waypoint"};
  return (unsigned)kind < LW_LINK_KIND_COUNT ? names[kind] : "none";
}

lw_link_def lw_link_def_default(void) {
  return (lw_link_def){.radius = 1, .length = -1, .cookie = LWI_COOKIE};
}

bool lw_filter_passes(const lw_filter *filter, lw_area_id area) {
  return !filter || (filter->areas[area >> 6] >> (area & 63) & 1);
}

/* An id: generation 16 bits, tile + 1 in 20 bits, polygon within the tile in 28 bits. */
lw_poly_id lwi_poly_id(const lw_navmesh *mesh, uint32_t index) {
  uint32_t tile = mesh->tile_of[index];
  return (uint64_t)mesh->tiles[tile].generation << 48 | (uint64_t)(tile + 1) << 28 |
         (index - mesh->tiles[tile].first_polygon);
}

uint32_t lwi_poly_index(const lw_navmesh *mesh, lw_poly_id id) {
  uint32_t tile = (uint32_t)(id >> 28 & 0xfffff) - 1; /* 0 wraps and is out of range */
  if (tile >= (uint32_t)mesh->tile_count) return LWI_NONE;
  const lwi_tile *found = &mesh->tiles[tile];
  uint32_t local = (uint32_t)(id & 0xfffffff);
  if (found->generation != id >> 48 || local >= found->polygon_count) return LWI_NONE;
  return found->first_polygon + local;
}

void lw_navmesh_destroy(lw_navmesh *mesh) {
  if (!mesh) return;
  lwi_memory *memory = &mesh->memory;
  size_t polygons = mesh->polygon_count, cells = (size_t)mesh->grid.width * (size_t)mesh->grid.height;
  lwi_free(memory, mesh->tiles, (size_t)mesh->tile_count * sizeof *mesh->tiles);
  lwi_free(memory, mesh->vertices, mesh->vertex_count * sizeof *mesh->vertices);
  lwi_free(memory, mesh->first_corner, (polygons + 1) * sizeof *mesh->first_corner);
  lwi_free(memory, mesh->corners, mesh->corner_count * sizeof *mesh->corners);
  lwi_free(memory, mesh->border, mesh->corner_count);
  lwi_free(memory, mesh->poly_areas, polygons * sizeof *mesh->poly_areas);
  lwi_free(memory, mesh->tile_of, polygons * sizeof *mesh->tile_of);
  lwi_free(memory, mesh->first_detail_vertex, (polygons + 1) * sizeof *mesh->first_detail_vertex);
  lwi_free(memory, mesh->detail_vertices, mesh->detail_vertex_count * sizeof *mesh->detail_vertices);
  lwi_free(memory, mesh->first_detail_triangle, (polygons + 1) * sizeof *mesh->first_detail_triangle);
  lwi_free(memory, mesh->detail_triangles, mesh->detail_triangle_count * (size_t)3);
  lwi_free(memory, mesh->first_portal, (polygons + 1) * sizeof *mesh->first_portal);
  lwi_free(memory, mesh->portals, mesh->portal_count * sizeof *mesh->portals);
  lwi_free(memory, mesh->islands, polygons * sizeof *mesh->islands);
  lwi_free(memory, mesh->area_sums, (polygons + 1) * sizeof *mesh->area_sums);
  lwi_free(memory, mesh->links, mesh->link_count * sizeof *mesh->links);
  if (mesh->first_link) lwi_free(memory, mesh->first_link, (polygons + 1) * sizeof *mesh->first_link);
  lwi_free(memory, mesh->heights, polygons * sizeof *mesh->heights);
  if (mesh->grid.polygons)
    lwi_free(memory, mesh->grid.polygons, mesh->grid.first[cells] * sizeof *mesh->grid.polygons);
  lwi_free(memory, mesh->grid.first, (cells + 1) * sizeof *mesh->grid.first);
  lwi_memory last = *memory;
  lwi_free(&last, mesh, sizeof *mesh);
}

lw_navmesh_stats lw_navmesh_get_stats(const lw_navmesh *mesh) {
  lw_navmesh_stats stats = {
      .polygons = (int)mesh->polygon_count,
      .vertices = (int)mesh->vertex_count,
      .tiles = mesh->tile_count,
      .portals = (int)mesh->portal_count,
      .offmesh_refused = mesh->offmesh_refused,
      .islands = (int)mesh->island_count,
      .bytes = mesh->memory.bytes,
      .area = (float)mesh->area_sums[mesh->polygon_count],
  };
  return stats;
}

lw_box lw_navmesh_bounds(const lw_navmesh *mesh) {
  return mesh->bounds;
}
const lw_area_table *lw_navmesh_area_table(const lw_navmesh *mesh) {
  return mesh->areas;
}
lw_navmesh_agent lw_navmesh_get_agent(const lw_navmesh *mesh) {
  return mesh->agent;
}

lw_poly_id lw_navmesh_next_poly(const lw_navmesh *mesh, lw_poly_id poly) {
  uint32_t next = 0;
  if (poly) {
    next = lwi_poly_index(mesh, poly);
    if (next == LWI_NONE) return 0;
    next += 1;
  }
  return next < mesh->polygon_count ? lwi_poly_id(mesh, next) : 0;
}

lw_status lw_navmesh_get_poly(const lw_navmesh *mesh, lw_poly_id poly, lw_poly *result) {
  uint32_t index = lwi_poly_index(mesh, poly);
  if (index == LWI_NONE) return LW_STALE;
  *result = (lw_poly){
      .area = mesh->poly_areas[index],
      .corner_count = (int)lwi_polygon_get(mesh, index).count,
      .neighbor_count = (int)(mesh->first_portal[index + 1] - mesh->first_portal[index]),
      .tile = (int)mesh->tile_of[index],
      .island = mesh->islands[index],
      .area_m2 = (float)(mesh->area_sums[index + 1] - mesh->area_sums[index]),
  };
  return LW_OK;
}

int lw_navmesh_poly_corners(const lw_navmesh *mesh, lw_poly_id poly, lw_vec3 *corners, int capacity) {
  uint32_t index = lwi_poly_index(mesh, poly);
  if (index == LWI_NONE) return 0;
  lwi_polygon polygon = lwi_polygon_get(mesh, index);
  for (uint32_t i = 0; i < polygon.count && (int)i < capacity; i++) corners[i] = lwi_corner(&polygon, i);
  return (int)polygon.count;
}
