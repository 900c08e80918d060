#include "mesh/sections.h"

#include "core/hash.h"

#include <string.h>

#define SECTION(name, field) name, offsetof(lw_navmesh, field), sizeof *((lw_navmesh *)0)->field

const lwi_section lwi_sections[LWI_SECTION_COUNT] = {
    [LWI_TILES] = {SECTION("tiles", tiles)},
    [LWI_RANGES] = {SECTION("polygons", ranges)},
    [LWI_CORNERS] = {SECTION("corners", corners)},
    [LWI_EDGES] = {SECTION("edges", edges)},
    [LWI_AREAS] = {SECTION("areas", poly_areas)},
    [LWI_EXPOSURES] = {SECTION("exposures", exposures)},
    [LWI_DEEP_WATERS] = {SECTION("deep waters", deep_waters)},
    [LWI_DETAIL_VERTEX_RANGES] = {SECTION("ranges of detail vertices", first_detail_vertex)},
    [LWI_DETAIL_VERTICES] = {SECTION("detail vertices", detail_vertices)},
    [LWI_DETAIL_TRIANGLE_RANGES] = {SECTION("ranges of detail triangles", first_detail_triangle)},
    [LWI_DETAIL_TRIANGLES] = {SECTION("detail triangles", detail_triangles)},
    [LWI_DETAIL_BOX_RANGES] = {SECTION("ranges of detail boxes", first_detail_box)},
    [LWI_DETAIL_BOXES] = {SECTION("detail boxes", detail_boxes)},
    [LWI_PORTAL_RANGES] = {SECTION("ranges of portals", first_portal)},
    [LWI_PORTALS] = {SECTION("portals", portals)},
    [LWI_STRETCHES] = {SECTION("stretches of edges", stretches)},
    [LWI_ISLANDS] = {SECTION("islands", islands)},
    [LWI_ALIASES] = {SECTION("aliases", aliases)},
    [LWI_GRID_RANGES] = {SECTION("grid cells", grid.first)},
    [LWI_GRID_REFERENCES] = {SECTION("grid references", grid.references)},
    [LWI_GRID_FLOORS] = {SECTION("grid floors", grid.floors)},
    [LWI_LINK_RANGES] = {SECTION("ranges of links", first_link)},
    [LWI_LINKS] = {SECTION("links", links)},
    [LWI_REQUESTS] = {SECTION("link requests", requests)},
    [LWI_WATERS] = {SECTION("waters", waters)},
    [LWI_WATER_POINTS] = {SECTION("outlines of waters", water_points)},
    [LWI_OCCLUDER_NODES] = {SECTION("occluder nodes", occluders.nodes)},
    [LWI_OCCLUDER_LEAVES] = {SECTION("occluder leaves", occluders.leaves)},
    [LWI_OCCLUDER_BLOCKS] = {SECTION("occluder blocks", occluders.blocks)},
    [LWI_OCCLUDER_NUMBERS] = {SECTION("occluder numbers", occluders.numbers)},
    [LWI_OCCLUDER_VERTICES] = {SECTION("occluder vertices", occluders.vertices)},
    [LWI_COVER_SEGMENTS] = {SECTION("cover segments", cover.segments)},
    [LWI_COVER_BLOCKS] = {SECTION("cover blocks", cover.blocks)},
    [LWI_COVER_VETOES] = {SECTION("cover vetoes", cover.vetoes)},
    [LWI_COVER_VETO_POINTS] = {SECTION("outlines of cover vetoes", cover.veto_points)},
    [LWI_COVER_ADDED] = {SECTION("added cover", cover.added)},
    [LWI_COVER_MAP_RANGES] = {SECTION("ranges of the cover map", cover.map_first)},
    [LWI_COVER_MAP_LEAVES] = {SECTION("cover map", cover.map_leaves)},
    [LWI_PAIR_PRISMS] = {SECTION("prisms of pairs", pairs.prisms)},
    [LWI_PAIR_ROWS] = {SECTION("rows of pairs", pairs.rows)},
    [LWI_PAIR_GROUPS] = {SECTION("groups of pairs", pairs.groups)},
    [LWI_PAIR_WORDS] = {SECTION("pairs", pairs.words)},
};

uint64_t lwi_section_count(const lw_navmesh *mesh, int which) {
  uint64_t polygons = mesh->polygon_count, cells = (uint64_t)mesh->grid.width * (uint64_t)mesh->grid.height;
  bool detail = mesh->detail_triangle_count > 0;
  switch (which) {
  case LWI_TILES: return mesh->tile_count;
  case LWI_RANGES:
  case LWI_PORTAL_RANGES: return polygons + 1;
  case LWI_CORNERS: return 3 * (uint64_t)mesh->corner_count + LWI_LANES;
  case LWI_EDGES: return mesh->corner_count;
  case LWI_DETAIL_VERTEX_RANGES:
  case LWI_DETAIL_BOX_RANGES:
  case LWI_DETAIL_TRIANGLE_RANGES: return detail ? polygons + 1 : 0;
  case LWI_DETAIL_VERTICES: return mesh->detail_vertex_count;
  case LWI_DETAIL_TRIANGLES: return 3 * (uint64_t)mesh->detail_triangle_count;
  case LWI_DETAIL_BOXES: return detail ? (uint64_t)mesh->detail_box_count + LWI_LANES : 0;
  case LWI_PORTALS: return mesh->portal_count;
  case LWI_STRETCHES: return mesh->stretch_count;
  case LWI_AREAS:
  case LWI_EXPOSURES:
  case LWI_DEEP_WATERS:
  case LWI_ISLANDS:
  case LWI_ALIASES: return polygons;
  case LWI_GRID_RANGES: return cells + 1;
  case LWI_GRID_REFERENCES: return mesh->grid.reference_count;
  case LWI_GRID_FLOORS: return cells;
  case LWI_LINK_RANGES: return mesh->link_count > 0 ? polygons + 1 : 0;
  case LWI_LINKS: return mesh->link_count;
  case LWI_REQUESTS: return mesh->request_count;
  case LWI_WATERS: return mesh->water_count;
  case LWI_WATER_POINTS: return mesh->water_point_count;
  case LWI_OCCLUDER_NODES: return mesh->occluders.node_count;
  case LWI_OCCLUDER_LEAVES: return mesh->occluders.leaf_count;
  case LWI_OCCLUDER_BLOCKS: return mesh->occluders.block_count;
  case LWI_OCCLUDER_NUMBERS: return mesh->occluders.number_count;
  case LWI_OCCLUDER_VERTICES: return lwi_occluder_vertex_numbers(mesh->occluders.vertex_count);
  case LWI_COVER_SEGMENTS: return mesh->cover.segment_count;
  case LWI_COVER_BLOCKS: return lwi_cover_blocks(mesh->cover.segment_count);
  case LWI_COVER_VETOES: return mesh->cover.veto_count;
  case LWI_COVER_VETO_POINTS: return mesh->cover.veto_point_count;
  case LWI_COVER_ADDED: return mesh->cover.added_count;
  case LWI_COVER_MAP_RANGES: return mesh->cover.has_map ? polygons + 1 : 0;
  case LWI_COVER_MAP_LEAVES: return mesh->cover.map_size;
  case LWI_PAIR_PRISMS: return mesh->pairs.has ? polygons : 0;
  case LWI_PAIR_ROWS: return mesh->pairs.has ? polygons + 1 : 0;
  case LWI_PAIR_GROUPS: return mesh->pairs.group_count;
  case LWI_PAIR_WORDS: return mesh->pairs.word_count;
  default: return 0;
  }
}

void *lwi_section_get(const lw_navmesh *mesh, int which) {
  void *array;
  memcpy(&array, (const char *)mesh + lwi_sections[which].pointer, sizeof array);
  return array;
}

void lwi_section_set(lw_navmesh *mesh, int which, void *array) {
  memcpy((char *)mesh + lwi_sections[which].pointer, &array, sizeof array);
}

static bool in_block(const lw_navmesh *mesh, const void *array) {
  const unsigned char *block = mesh->block, *at = array;
  return block && at >= block && at < block + mesh->block_size;
}

static void free_apart(lw_navmesh *mesh) {
  for (int i = 0; i < LWI_SECTION_COUNT; i++) {
    void *array = lwi_section_get(mesh, i);
    if (array && !in_block(mesh, array)) lwi_free(&mesh->memory, array, (size_t)lwi_section_size(mesh, i));
    lwi_section_set(mesh, i, NULL);
  }
}

bool lwi_sections_pack(lw_navmesh *mesh) {
  uint64_t size = 0;
  for (int i = 0; i < LWI_SECTION_COUNT; i++) size += lwi_section_room(mesh, i);
  if (size > SIZE_MAX) return false;
  unsigned char *block = lwi_alloc(&mesh->memory, (size_t)size), *at = block;
  if (!block) return false;
  void *places[LWI_SECTION_COUNT] = {0};
  for (int i = 0; i < LWI_SECTION_COUNT; i++) {
    size_t used = (size_t)lwi_section_size(mesh, i), room = (size_t)lwi_section_room(mesh, i);
    if (room == 0) continue;
    memcpy(at, lwi_section_get(mesh, i), used);
    memset(at + used, 0, room - used);
    places[i] = at;
    at += room;
  }
  free_apart(mesh);
  if (mesh->block) lwi_free(&mesh->memory, mesh->block, mesh->block_size);
  for (int i = 0; i < LWI_SECTION_COUNT; i++) lwi_section_set(mesh, i, places[i]);
  mesh->block = block;
  mesh->block_size = (size_t)size;
  return true;
}

void lwi_sections_free(lw_navmesh *mesh) {
  if (mesh->generations)
    lwi_free(&mesh->memory, mesh->generations, mesh->tile_count * sizeof *mesh->generations);
  mesh->generations = NULL;
  free_apart(mesh);
  if (mesh->block) lwi_free(&mesh->memory, mesh->block, mesh->block_size);
}

bool lwi_generations_make(lw_navmesh *mesh) {
  size_t size = mesh->tile_count * sizeof *mesh->generations;
  mesh->generations = lwi_alloc(&mesh->memory, size);
  if (!mesh->generations) return size == 0;
  const uint32_t counts[] = {mesh->polygon_count, mesh->vertex_count, mesh->corner_count, mesh->tile_count};
  uint64_t hash = lwi_hash(LWI_HASH_SEED, counts, sizeof counts);
  hash = lwi_hash(hash, &mesh->bounds, sizeof mesh->bounds);
  hash = lwi_hash(hash, &mesh->agent, sizeof mesh->agent);
  hash = lwi_hash(hash, &mesh->area, sizeof mesh->area);
  /* 15 bits, so that ids are positive in Lua. */
  for (uint32_t i = 0; i < mesh->tile_count; i++) mesh->generations[i] = 1 + (uint32_t)(hash % 32767);
  return true;
}
