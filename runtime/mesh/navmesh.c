#include "mesh/sections.h"

#include "core/status.h"

lw_filter lw_filter_all(void) {
  return (lw_filter){.areas = {~0ULL, ~0ULL, ~0ULL, ~0ULL}, .links = (1U << LW_LINK_KIND_COUNT) - 1};
}

bool lw_filter_passes(const lw_filter *filter, lw_area_id area) {
  return !filter || (filter->areas[area >> 6] >> (area & 63) & 1);
}

/* An id: generation 16 bits, tile + 1 in 20 bits, polygon within the tile in 28 bits. */
lw_poly_id lwi_poly_id(const lw_navmesh *mesh, uint32_t index) {
  uint32_t tile = mesh->ranges[index].tile;
  return (uint64_t)mesh->generations[tile] << 48 | (uint64_t)(tile + 1) << 28 |
         (index - mesh->tiles[tile].first_polygon);
}

uint32_t lwi_poly_index(const lw_navmesh *mesh, lw_poly_id id) {
  uint32_t tile = (uint32_t)(id >> 28 & 0xfffff) - 1; /* 0 wraps and is out of range */
  if (tile >= mesh->tile_count) return LWI_NONE;
  const lwi_tile *found = &mesh->tiles[tile];
  uint32_t local = (uint32_t)(id & 0xfffffff);
  if (mesh->generations[tile] != id >> 48 || local >= found->polygon_count) return LWI_NONE;
  return found->first_polygon + local;
}

void lw_navmesh_destroy(lw_navmesh *mesh) {
  if (!mesh) return;
  lwi_sections_free(mesh);
  lwi_memory last = mesh->memory;
  lwi_free(&last, mesh, sizeof *mesh);
}

lw_navmesh_stats lw_navmesh_get_stats(const lw_navmesh *mesh) {
  lw_navmesh_stats stats = {
      .polygons = (int)mesh->polygon_count,
      .vertices = (int)mesh->vertex_count,
      .tiles = (int)mesh->tile_count,
      .portals = (int)mesh->portal_count,
      .offmesh_links = (int)mesh->joined_count,
      .offmesh_refused = (int)mesh->refused_count,
      .islands = (int)mesh->island_count,
      .cover_segments = (int)mesh->cover.segment_count,
      .cover_map_bytes = (size_t)(lwi_section_size(mesh, LWI_COVER_MAP_RANGES) + mesh->cover.map_size),
      .cover_map_loss = mesh->cover.map_loss,
      .pair_bytes = (size_t)(lwi_section_size(mesh, LWI_PAIR_PRISMS) + lwi_section_size(mesh, LWI_PAIR_ROWS) +
                             lwi_section_size(mesh, LWI_PAIR_GROUPS) + lwi_section_size(mesh, LWI_PAIR_WORDS)),
      .pair_range = mesh->pairs.range,
      .pairs_hidden = mesh->pairs.hidden,
      .pairs_visible = mesh->pairs.visible,
      .occluders = (int)mesh->occluders.facet_count,
      .bytes = mesh->memory.bytes,
      .area = (float)mesh->area,
  };
  double exposed = 0, deep = 0;
  for (uint32_t p = 0; p < mesh->polygon_count; p++) {
    double area = lwi_area_of(mesh, p);
    exposed += area * mesh->exposures[p];
    deep += area * mesh->deep_waters[p];
  }
  if (mesh->area > 0) {
    stats.exposure = (float)fmin(1, exposed / (255 * mesh->area));
    stats.deep_water = (float)fmin(1, deep / (255 * mesh->area));
  }
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
      .tile = (int)mesh->ranges[index].tile,
      .island = mesh->islands[index],
      .area_m2 = (float)lwi_area_of(mesh, index),
      .exposure = lwi_byte_part(mesh->exposures[index]),
      .deep_water = lwi_byte_part(mesh->deep_waters[index]),
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
