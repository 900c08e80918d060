#include "mesh/sections.h"

#include "core/hash.h"
#include "leeward/geometry.h"
#include "mesh/link_notes.h"

#include <string.h>

#define SECTION(name, field) LWI_SECTION(name, lw_navmesh, field)

static const lwi_section own_sections[LWI_SECTION_COUNT] = {
    [LWI_TILES] = SECTION("tiles", tiles.items),
    [LWI_RANGES] = SECTION("polygons", polygons.ranges),
    [LWI_CORNERS] = SECTION("corners", polygons.corners),
    [LWI_EDGES] = SECTION("edges", polygons.edges),
    [LWI_AREAS] = SECTION("areas", polygons.areas),
    [LWI_OPENNESS] = SECTION("openness", polygons.openness),
    [LWI_DEPTHS] = SECTION("depths of water", polygons.depths),
    [LWI_HEADROOMS] = SECTION("headroom", polygons.headrooms),
    [LWI_STEPS] = SECTION("steps", polygons.steps),
    [LWI_DETAIL_VERTEX_RANGES] = SECTION("ranges of detail vertices", detail.first_vertex),
    [LWI_DETAIL_VERTICES] = SECTION("detail vertices", detail.vertices),
    [LWI_DETAIL_TRIANGLE_RANGES] = SECTION("ranges of detail triangles", detail.first_triangle),
    [LWI_DETAIL_TRIANGLES] = SECTION("detail triangles", detail.triangles),
    [LWI_DETAIL_NEIGHBOUR_RANGES] = SECTION("ranges of detail neighbours", detail.first_neighbour),
    [LWI_DETAIL_NEIGHBOURS] = SECTION("detail neighbours", detail.neighbours),
    [LWI_PORTAL_RANGES] = SECTION("ranges of portals", graph.first_portal),
    [LWI_PORTALS] = SECTION("portals", graph.portals),
    [LWI_INTERVALS] = SECTION("intervals of edges", graph.intervals),
    [LWI_INTERVAL_STEPS] = SECTION("steps of edges", graph.interval_steps),
    [LWI_ISLANDS] = SECTION("islands", graph.islands),
    [LWI_ALIASES] = SECTION("aliases", polygons.aliases),
    [LWI_GRID_RANGES] = SECTION("grid cells", grid.first),
    [LWI_GRID_REFERENCES] = SECTION("grid references", grid.references),
    [LWI_GRID_FLOORS] = SECTION("grid floors", grid.floors),
    [LWI_LINK_RANGES] = SECTION("ranges of links", links.first),
    [LWI_LINKS] = SECTION("links", links.items),
    [LWI_REQUESTS] = SECTION("link requests", annotations.requests),
    [LWI_WATERS] = SECTION("waters", annotations.waters),
    [LWI_WATER_POINTS] = SECTION("outlines of waters", annotations.water_points),
};

static uint64_t count_own(const lw_navmesh *mesh, const void *group, int section) {
  (void)group;
  uint64_t polygons = mesh->polygons.count, cells = (uint64_t)mesh->grid.width * (uint64_t)mesh->grid.height;
  bool detail = mesh->detail.triangle_count > 0;
  switch (section) {
  case LWI_TILES: return mesh->tiles.count;
  case LWI_RANGES:
  case LWI_PORTAL_RANGES: return polygons + 1;
  case LWI_CORNERS: return 3 * (uint64_t)mesh->polygons.corner_count + LWI_SIMD_WIDTH;
  case LWI_EDGES: return mesh->polygons.corner_count;
  case LWI_DETAIL_VERTEX_RANGES:
  case LWI_DETAIL_NEIGHBOUR_RANGES:
  case LWI_DETAIL_TRIANGLE_RANGES: return detail ? polygons + 1 : 0;
  case LWI_DETAIL_VERTICES: return mesh->detail.vertex_count;
  case LWI_DETAIL_TRIANGLES: return 3 * (uint64_t)mesh->detail.triangle_count;
  case LWI_DETAIL_NEIGHBOURS: return detail ? (uint64_t)mesh->detail.neighbour_count + LWI_SIMD_WIDTH : 0;
  case LWI_PORTALS: return mesh->graph.portal_count;
  case LWI_INTERVALS: return mesh->graph.interval_count;
  case LWI_INTERVAL_STEPS: return mesh->graph.has_no_steps ? 0 : mesh->graph.interval_count;
  case LWI_AREAS:
  case LWI_OPENNESS:
  case LWI_ISLANDS:
  case LWI_ALIASES: return polygons;
  case LWI_DEPTHS: return mesh->polygons.has_old_depths ? polygons : 2 * polygons;
  case LWI_HEADROOMS:
  case LWI_STEPS: return mesh->polygons.has_no_limits ? 0 : polygons;
  case LWI_GRID_RANGES: return cells + 1;
  case LWI_GRID_REFERENCES: return mesh->grid.reference_count;
  case LWI_GRID_FLOORS: return cells;
  case LWI_LINK_RANGES: return mesh->links.count > 0 ? polygons + 1 : 0;
  case LWI_LINKS: return mesh->links.count;
  case LWI_REQUESTS: return mesh->annotations.request_count;
  case LWI_WATERS: return mesh->annotations.water_count;
  case LWI_WATER_POINTS: return mesh->annotations.water_point_count;
  default: return 0;
  }
}

/* Its struct is the navmesh itself; its numbers stand in the file's head. */
static const lwi_section_group own = {.name = "navmesh",
                                      .sections = own_sections,
                                      .section_count = LWI_SECTION_COUNT,
                                      .count = count_own,
                                      .check = lwi_own_section_check};

/* --- walking over sections -------------------------------------------------------------------------------- */

lwi_section_place lwi_section_begin(const lw_navmesh *mesh) {
  return (lwi_section_place){
      .mesh = mesh, .group = &own, .data = (void *)mesh, .slot = -1, .index = -1, .position = -1};
}

bool lwi_section_next(lwi_section_place *at) {
  at->index += 1;
  while (at->index == at->group->section_count) {
    if (++at->slot == LWI_ATTACHMENT_COUNT) return false;
    at->group = lwi_attached_groups[at->slot];
    at->data = at->mesh->attachments.slots[at->slot];
    at->index = 0;
  }
  at->position += 1;
  return true;
}

lwi_section_place lwi_section_own(const lw_navmesh *mesh, int section) {
  lwi_section_place at = lwi_section_begin(mesh);
  at.index = at.position = section;
  return at;
}

void *lwi_section_get(const lwi_section_place *at) {
  void *array;
  memcpy(&array, (const char *)at->data + lwi_section_of(at)->pointer, sizeof array);
  return array;
}

void lwi_section_set(const lwi_section_place *at, void *array) {
  memcpy((char *)at->data + lwi_section_of(at)->pointer, &array, sizeof array);
}

const char *lwi_sections_check(const lw_navmesh *mesh, lwi_section_place *which) {
  for (*which = lwi_section_begin(mesh); lwi_section_next(which);) {
    if (lwi_section_count(which) == 0) continue;
    const char *wrong = which->group->check(mesh, which->data, which->index);
    if (wrong) return wrong;
  }
  return NULL;
}

size_t lwi_attachment_bytes(const lw_navmesh *mesh, int slot) {
  const lwi_section_group *group = lwi_attached_groups[slot];
  uint64_t bytes = 0;
  for (int i = 0; i < group->section_count; i++)
    bytes += group->count(mesh, mesh->attachments.slots[slot], i) * group->sections[i].element;
  return (size_t)bytes;
}

/* --- a navmesh's memory ----------------------------------------------------------------------------------- */

/* The attachments' structs lie behind the navmesh. */
static size_t struct_size(void) {
  uint64_t size = lwi_section_padded(sizeof(lw_navmesh));
  for (int i = 0; i < LWI_ATTACHMENT_COUNT; i++) size += lwi_section_padded(lwi_attached_groups[i]->size);
  return (size_t)size;
}

lw_navmesh *lwi_navmesh_new(const lwi_memory *memory) {
  lwi_memory own_memory = *memory;
  lw_navmesh *mesh = lwi_alloc_zero(&own_memory, struct_size());
  if (!mesh) return NULL;
  mesh->memory = own_memory;
  char *at = (char *)mesh + lwi_section_padded(sizeof *mesh);
  for (int i = 0; i < LWI_ATTACHMENT_COUNT; i++) {
    const lwi_section_group *group = lwi_attached_groups[i];
    mesh->attachments.slots[i] = at;
    if (group->defaults) memcpy(at, group->defaults, group->size);
    at += lwi_section_padded(group->size);
  }
  return mesh;
}

void lw_navmesh_destroy(lw_navmesh *mesh) {
  if (!mesh) return;
  lwi_link_notes_free(mesh);
  lwi_sections_free(mesh);
  lwi_memory last = mesh->memory;
  lwi_free(&last, mesh, struct_size());
}

static bool carry_group(lw_navmesh *mesh, int slot, const void *from) {
  lwi_section_place at = {mesh, lwi_attached_groups[slot], mesh->attachments.slots[slot], slot, 0, 0};
  if (!from || !at.group->carry) return true;
  at.group->carry(from, at.data);
  for (; at.index < at.group->section_count; at.index++) {
    const size_t size = (size_t)lwi_section_size(&at);
    if (size == 0) continue;
    const lwi_section_place source = {mesh, at.group, (void *)from, slot, at.index, 0};
    void *array = lwi_alloc(&mesh->memory, size);
    if (!array) return false;
    memcpy(array, lwi_section_get(&source), size);
    lwi_section_set(&at, array);
  }
  return true;
}

bool lwi_attachments_carry(lw_navmesh *mesh, const lwi_attachments *from) {
  for (int i = 0; i < LWI_ATTACHMENT_COUNT; i++)
    if (!carry_group(mesh, i, from->slots[i])) return false;
  return true;
}

static bool in_block(const lw_navmesh *mesh, const void *array) {
  const unsigned char *block = mesh->block, *at = array;
  return block && at >= block && at < block + mesh->block_size;
}

static void free_apart(lw_navmesh *mesh, const lwi_section_place *at) {
  void *array = lwi_section_get(at);
  if (array && !in_block(mesh, array)) lwi_free(&mesh->memory, array, (size_t)lwi_section_size(at));
}

void lwi_attachment_clear(lw_navmesh *mesh, int slot) {
  lwi_section_place at = {mesh, lwi_attached_groups[slot], mesh->attachments.slots[slot], slot, 0, 0};
  for (; at.index < at.group->section_count; at.index++) free_apart(mesh, &at);
  memset(at.data, 0, at.group->size);
}

bool lwi_sections_pack(lw_navmesh *mesh) {
  uint64_t total = 0;
  for (lwi_section_place at = lwi_section_begin(mesh); lwi_section_next(&at);)
    total += lwi_section_padded(lwi_section_size(&at));
  if (total > SIZE_MAX) return false;
  unsigned char *block = lwi_alloc(&mesh->memory, (size_t)total), *place = block;
  if (!block) return false;
  for (lwi_section_place at = lwi_section_begin(mesh); lwi_section_next(&at);) {
    const size_t size = (size_t)lwi_section_size(&at), padded = (size_t)lwi_section_padded(size);
    if (size > 0) memcpy(place, lwi_section_get(&at), size);
    memset(place + size, 0, padded - size);
    free_apart(mesh, &at);
    lwi_section_set(&at, size > 0 ? place : NULL);
    place += padded;
  }
  if (mesh->block) lwi_free(&mesh->memory, mesh->block, mesh->block_size);
  mesh->block = block;
  mesh->block_size = (size_t)total;
  lwi_sections_derive(mesh);
  return true;
}

void lwi_sections_derive(lw_navmesh *mesh) {
  mesh->graph.end_portal = mesh->graph.first_portal ? mesh->graph.first_portal + 1 : NULL;
  mesh->links.end = mesh->links.first ? mesh->links.first + 1 : NULL;
}

void lwi_sections_free(lw_navmesh *mesh) {
  if (mesh->tiles.generations)
    lwi_free(&mesh->memory, mesh->tiles.generations, mesh->tiles.count * sizeof *mesh->tiles.generations);
  mesh->tiles.generations = NULL;
  for (lwi_section_place at = lwi_section_begin(mesh); lwi_section_next(&at);) {
    free_apart(mesh, &at);
    lwi_section_set(&at, NULL);
  }
  if (mesh->block) lwi_free(&mesh->memory, mesh->block, mesh->block_size);
  mesh->block = NULL;
}

bool lwi_generations_make(lw_navmesh *mesh) {
  size_t size = mesh->tiles.count * sizeof *mesh->tiles.generations;
  mesh->tiles.generations = lwi_alloc(&mesh->memory, size);
  if (!mesh->tiles.generations) return size == 0;
  const uint32_t counts[] = {mesh->polygons.count, mesh->polygons.vertex_count, mesh->polygons.corner_count,
                             mesh->tiles.count};
  uint64_t hash = lwi_hash(LWI_HASH_SEED, counts, sizeof counts);
  hash = lwi_hash(hash, &mesh->bounds, sizeof mesh->bounds);
  hash = lwi_hash(hash, &mesh->agent, sizeof mesh->agent);
  hash = lwi_hash(hash, &mesh->area, sizeof mesh->area);
  /* 15 bits, so that ids are positive in Lua. */
  for (uint32_t i = 0; i < mesh->tiles.count; i++) mesh->tiles.generations[i] = 1 + (uint32_t)(hash % 32767);
  return true;
}

/* --- checks ----------------------------------------------------------------------------------------------- */

/* Floats cannot hold differences of larger coordinates. [m] */
#define MAX_COORDINATE 1e7f

bool lwi_check_finite(const float *numbers, size_t count) {
  bool fine = true;
  for (size_t i = 0; i < count; i++) fine &= fabsf(numbers[i]) <= MAX_COORDINATE;
  return fine;
}

bool lwi_check_ranges(const uint32_t *first, uint64_t count, uint32_t total) {
  bool fine = first[0] == 0 && first[count] == total;
  for (uint64_t i = 0; i < count; i++) fine &= first[i] <= first[i + 1];
  return fine;
}

static bool is_size(float size) {
  return size >= 0 && size <= MAX_COORDINATE;
}

static bool is_box(const lw_box *box) {
  return lwi_check_finite(&box->min.x, 3) && lwi_check_finite(&box->max.x, 3) && box->min.x <= box->max.x &&
         box->min.y <= box->max.y && box->min.z <= box->max.z;
}

static bool is_part(const lwi_part *part) {
  return part->total == 0 ||
         (part->first < part->total && part->count <= part->total - part->first &&
          is_size(part->finish_range) && part->min_island >= 0 && part->min_island < INFINITY);
}

/* As many cells of that size as lwi_graph_grid() lays from `min` to `max`. */
static bool are_cells(float min, float max, float cell, int count) {
  const float cells = (max - min) / cell;
  return cells < (float)INT16_MAX && count == (int)cells + 1;
}

static bool is_grid(const lwi_grid *grid, const lw_box *bounds) {
  if (!lwi_check_finite(&grid->min_y, 1) || !(grid->size_y > 0 && grid->size_y <= 2 * MAX_COORDINATE) ||
      !(grid->cell > 0 && grid->cell <= 2 * MAX_COORDINATE))
    return false;
  return grid->min_x == bounds->min.x && grid->min_z == bounds->min.z &&
         are_cells(grid->min_x, bounds->max.x, grid->cell, grid->width) &&
         are_cells(grid->min_z, bounds->max.z, grid->cell, grid->height);
}

static const char *check_own_head(const lw_navmesh *mesh) {
  const lw_box empty = lwi_box_empty();
  if (!is_part(&mesh->part)) return "its part of a bake is out of range";
  if (!is_size(mesh->agent.radius) || !is_size(mesh->agent.height) || !is_size(mesh->agent.climb) ||
      !is_size(mesh->tile_size))
    return "a size of agent or tile is not finite or below 0";
  if (!(mesh->area >= 0 && mesh->area < INFINITY)) return "its area is not finite or below 0";
  if (mesh->polygons.count == 0) {
    const bool none =
        memcmp(&mesh->bounds, &empty, sizeof empty) == 0 && mesh->grid.width == 0 && mesh->grid.height == 0;
    return none ? NULL : "it has bounds or a grid, but no polygons";
  }
  if (!is_box(&mesh->bounds)) return "its bounds are not finite, or a minimum is above its maximum";
  return is_grid(&mesh->grid, &mesh->bounds) ? NULL : "its grid does not cover its bounds";
}

static const char *check_tiles(const lw_navmesh *mesh) {
  uint64_t polygons = 0;
  for (uint32_t i = 0; i < mesh->tiles.count; i++) {
    const lwi_tile *tile = &mesh->tiles.items[i];
    if (!is_box(&tile->bounds)) return "a tile's bounds are not finite, or a minimum is above its maximum";
    if (tile->first_polygon != polygons) return "a tile's polygons do not follow those of the tile before it";
    polygons += tile->polygon_count;
  }
  return polygons == mesh->polygons.count ? NULL : "the tiles do not hold all polygons";
}

static const char *check_ranges(const lw_navmesh *mesh) {
  const lwi_ranges *last = &mesh->polygons.ranges[mesh->polygons.count];
  if (mesh->polygons.ranges[0].first_corner != 0 || last->first_corner != mesh->polygons.corner_count)
    return "the polygons' ranges do not cover all corners";
  for (uint32_t i = 0; i < mesh->polygons.count; i++) {
    const lwi_ranges *at = &mesh->polygons.ranges[i], *next = at + 1;
    if (next->first_corner < at->first_corner + 3 || next->first_corner > at->first_corner + 255)
      return "a polygon has fewer than 3 or more than 255 corners";
    if (at->tile >= mesh->tiles.count ||
        i - mesh->tiles.items[at->tile].first_polygon >= mesh->tiles.items[at->tile].polygon_count)
      return "a polygon names a tile that does not hold it";
  }
  return NULL;
}

/* [min, max] of `count` numbers, and of what it holds already. */
static void add_range(const float *numbers, uint32_t count, float range[2]) {
  for (uint32_t i = 0; i < count; i++) {
    range[0] = numbers[i] < range[0] ? numbers[i] : range[0];
    range[1] = numbers[i] > range[1] ? numbers[i] : range[1];
  }
}

/* The box of all corners. */
static lw_box measure(const lw_navmesh *mesh) {
  float x[2] = {INFINITY, -INFINITY}, z[2] = {INFINITY, -INFINITY}, y[2] = {INFINITY, -INFINITY};
  for (uint32_t p = 0; p < mesh->polygons.count; p++) {
    const lwi_polygon polygon = lwi_polygon_get(mesh, p);
    add_range(polygon.at, polygon.count, x);
    add_range(polygon.at + polygon.count, polygon.count, z);
    add_range(polygon.at + 2 * (size_t)polygon.count, polygon.count, y);
  }
  return (lw_box){{x[0], y[0], z[0]}, {x[1], y[1], z[1]}};
}

static const char *check_corners(const lw_navmesh *mesh) {
  if (!lwi_check_finite(mesh->polygons.corners, 3 * (size_t)mesh->polygons.corner_count + LWI_SIMD_WIDTH))
    return "a corner is not finite or too far out";
  const lw_box box = measure(mesh);
  return lwi_equal(box.min, mesh->bounds.min) && lwi_equal(box.max, mesh->bounds.max)
             ? NULL
             : "they do not fill the bounds that the head says";
}

/* Only that portals exist: lw_navmesh_validate() checks that they lie on the edges. */
static const char *check_edges(const lw_navmesh *mesh) {
  for (uint32_t p = 0; p < mesh->polygons.count; p++) {
    uint32_t portals = mesh->graph.first_portal[p + 1] - mesh->graph.first_portal[p];
    bool fine = true;
    for (uint32_t i = mesh->polygons.ranges[p].first_corner; i < mesh->polygons.ranges[p + 1].first_corner;
         i++) {
      uint32_t place = mesh->polygons.edges[i] & LWI_EDGE_PORTAL;
      fine &= (place >= LWI_EDGE_FAR) | (place < portals);
    }
    if (!fine) return "an edge names a portal that its polygon does not have";
  }
  return NULL;
}

static const char *check_detail_triangles(const lw_navmesh *mesh) {
  for (uint32_t p = 0; p < mesh->polygons.count; p++) {
    uint32_t corners = mesh->polygons.ranges[p + 1].first_corner - mesh->polygons.ranges[p].first_corner;
    uint32_t limit = corners + mesh->detail.first_vertex[p + 1] - mesh->detail.first_vertex[p];
    uint32_t first = mesh->detail.first_triangle[p], end = mesh->detail.first_triangle[p + 1];
    if (limit > LWI_SURFACE_VERTICES && first < end) return "a polygon has too many detail vertices";
    bool fine = true;
    for (size_t i = 3 * (size_t)first; i < 3 * (size_t)end; i++) fine &= mesh->detail.triangles[i] < limit;
    if (!fine) return "a triangle names a vertex that its polygon does not have";
  }
  return NULL;
}

static const char *check_neighbour_ranges(const lw_navmesh *mesh) {
  if (!lwi_check_ranges(mesh->detail.first_neighbour, mesh->polygons.count, mesh->detail.neighbour_count))
    return "ranges fall, or do not cover all elements";
  for (uint32_t p = 0; p < mesh->polygons.count; p++) {
    uint32_t triangles = mesh->detail.first_triangle[p + 1] - mesh->detail.first_triangle[p];
    uint32_t bytes = mesh->detail.first_neighbour[p + 1] - mesh->detail.first_neighbour[p];
    if (bytes != 0 && (bytes != 4 * (uint64_t)triangles || triangles > LWI_NEIGHBOUR_NONE))
      return "a polygon has not neighbours for each triangle";
  }
  return NULL;
}

static const char *check_portals(const lw_navmesh *mesh) {
  for (uint32_t p = 0; p < mesh->polygons.count; p++) {
    uint32_t corners = mesh->polygons.ranges[p + 1].first_corner - mesh->polygons.ranges[p].first_corner;
    bool fine = true;
    for (uint32_t k = mesh->graph.first_portal[p]; k < mesh->graph.end_portal[p]; k++) {
      lwi_portal portal = mesh->graph.portals[k];
      fine &= (portal.to < mesh->polygons.count) & (portal.edge < corners) &
              (portal.interval < mesh->graph.interval_count);
    }
    if (!fine) return "a portal's polygon, edge or interval is out of range";
  }
  return NULL;
}

static const char *check_intervals(const lw_navmesh *mesh) {
  if (mesh->graph.interval_count < 1) return "there are no intervals";
  for (uint32_t i = 0; i < mesh->graph.interval_count; i++) {
    lwi_portal_interval s = mesh->graph.intervals[i];
    if (!(s.t0 >= 0 && s.t0 < s.t1 && s.t1 <= 1)) return "an interval is outside 0..1";
  }
  return NULL;
}

static const char *check_islands(const lw_navmesh *mesh) {
  bool fine = true;
  for (uint32_t i = 0; i < mesh->polygons.count; i++) fine &= mesh->graph.islands[i] < mesh->graph.island_count;
  return fine ? NULL : "an island's number is out of range";
}

static const char *check_aliases(const lw_navmesh *mesh) {
  bool fine = true;
  for (uint32_t i = 0; i < mesh->polygons.count; i++)
    fine &= (mesh->polygons.aliases[i].other < mesh->polygons.count) & (mesh->polygons.aliases[i].chance >= 0) &
            (mesh->polygons.aliases[i].chance <= 1);
  return fine ? NULL : "a polygon's number or chance is out of range";
}

static const char *check_grid(const lw_navmesh *mesh) {
  const lwi_grid *grid = &mesh->grid;
  if (!lwi_check_ranges(grid->first, (uint64_t)grid->width * (uint64_t)grid->height, grid->reference_count))
    return "a cell's references are out of order";
  return NULL;
}

static const char *check_references(const lw_navmesh *mesh) {
  bool fine = true;
  for (uint32_t i = 0; i < mesh->grid.reference_count; i++)
    fine &= mesh->grid.references[i].polygon < mesh->polygons.count;
  return fine ? NULL : "a polygon's number is out of range";
}

static const char *check_links(const lw_navmesh *mesh) {
  for (uint32_t i = 0; i < mesh->links.count; i++) {
    const lwi_link *link = &mesh->links.items[i];
    if (link->from >= mesh->polygons.count || link->to >= mesh->polygons.count)
      return "a link names a polygon that does not exist";
    if (i < mesh->links.first[link->from] || i >= mesh->links.first[link->from + 1])
      return "a link is out of order";
    const float numbers[] = {link->start.x, link->start.y, link->start.z, link->end.x,
                             link->end.y,   link->end.z,   link->length};
    if (!lwi_check_finite(numbers, 7) || link->length < 0)
      return "a link's ends or length are not finite or too large";
    if (link->kind >= LW_LINK_KIND_COUNT) return "a link's kind is out of range";
  }
  return NULL;
}

static bool is_end(const lw_navmesh *mesh, const lwi_link_end *end, bool joined) {
  const float numbers[] = {end->at.x, end->at.y, end->at.z, end->distance};
  bool on_mesh = end->polygon < mesh->polygons.count || (end->polygon == LWI_NONE && !joined);
  return on_mesh && lwi_check_finite(numbers, 4) && end->distance >= 0;
}

static const char *check_requests(const lw_navmesh *mesh) {
  uint32_t joined = 0, refused = 0;
  for (uint32_t i = 0; i < mesh->annotations.request_count; i++) {
    const lwi_request *r = &mesh->annotations.requests[i];
    const float numbers[] = {r->from.x, r->from.y, r->from.z, r->to.x, r->to.y, r->to.z, r->radius, r->length};
    if (!lwi_check_finite(numbers, 8) || !(r->radius > 0) || !(r->length >= 0 || r->length == -1))
      return "a link's ends, radius or length are out of range";
    if (r->kind >= LW_LINK_KIND_COUNT || r->bidirectional > 1 || r->state > LW_LINK_WAITING)
      return "a link's kind or state is out of range";
    bool is_joined = r->state == LW_LINK_JOINED;
    if (!is_end(mesh, &r->start, is_joined) || !is_end(mesh, &r->end, is_joined))
      return "a link's ends or length are not finite or too large";
    joined += is_joined;
    refused += !is_joined && r->state != LW_LINK_WAITING;
  }
  if (joined != mesh->links.joined_count || refused != mesh->links.refused_count)
    return "joined and refused links are not as many as the head says";
  return NULL;
}

static const char *check_depths(const lw_navmesh *mesh) {
  bool fine = true;
  for (uint32_t p = 0; p < mesh->polygons.count && !mesh->polygons.has_old_depths; p++)
    fine &= mesh->polygons.depths[2 * (size_t)p] <= mesh->polygons.depths[2 * (size_t)p + 1];
  return fine ? NULL : "the least depth over a polygon is above the most";
}

static const char *check_waters(const lw_navmesh *mesh) {
  uint32_t point = 0;
  for (uint32_t i = 0; i < mesh->annotations.water_count; i++) {
    const lwi_water *water = &mesh->annotations.waters[i];
    if (!lwi_check_finite(&water->level, 1) || !(water->bottom < water->level))
      return "a water's level is not above its bottom";
    if (water->first_point != point || water->point_count < 3 ||
        water->point_count > mesh->annotations.water_point_count - point)
      return "a water has fewer than 3 points, or points out of order";
    point += water->point_count;
  }
  return point == mesh->annotations.water_point_count ? NULL : "there are points of no water";
}

const char *lwi_own_section_check(const lw_navmesh *mesh, const void *group, int section) {
  (void)group;
  switch (section) {
  case LWI_TILES: return check_tiles(mesh);
  case LWI_RANGES: return check_ranges(mesh);
  case LWI_CORNERS: return check_corners(mesh);
  case LWI_EDGES: return check_edges(mesh);
  case LWI_DEPTHS: return check_depths(mesh);
  case LWI_DETAIL_VERTEX_RANGES:
    return lwi_check_ranges(mesh->detail.first_vertex, mesh->polygons.count, mesh->detail.vertex_count)
               ? NULL
               : "ranges fall, or do not cover all elements";
  case LWI_DETAIL_VERTICES:
    return lwi_check_finite(&mesh->detail.vertices[0].x, 3 * (size_t)mesh->detail.vertex_count)
               ? NULL
               : "a vertex is not finite or too far out";
  case LWI_DETAIL_TRIANGLE_RANGES:
    return lwi_check_ranges(mesh->detail.first_triangle, mesh->polygons.count, mesh->detail.triangle_count)
               ? NULL
               : "ranges fall, or do not cover all elements";
  case LWI_DETAIL_TRIANGLES: return check_detail_triangles(mesh);
  case LWI_DETAIL_NEIGHBOUR_RANGES: return check_neighbour_ranges(mesh);
  case LWI_PORTAL_RANGES:
    return lwi_check_ranges(mesh->graph.first_portal, mesh->polygons.count, mesh->graph.portal_count)
               ? NULL
               : "ranges fall, or do not cover all elements";
  case LWI_PORTALS: return check_portals(mesh);
  case LWI_INTERVALS: return check_intervals(mesh);
  case LWI_INTERVAL_STEPS: return mesh->graph.interval_steps[0] > 0 ? "a whole edge has a step" : NULL;
  case LWI_ISLANDS: return check_islands(mesh);
  case LWI_ALIASES: return check_aliases(mesh);
  case LWI_GRID_RANGES: return check_grid(mesh);
  case LWI_GRID_REFERENCES: return check_references(mesh);
  case LWI_LINK_RANGES:
    return lwi_check_ranges(mesh->links.first, mesh->polygons.count, mesh->links.count)
               ? NULL
               : "ranges fall, or do not cover all elements";
  case LWI_LINKS: return check_links(mesh);
  case LWI_REQUESTS: return check_requests(mesh);
  case LWI_WATERS: return check_waters(mesh);
  case LWI_WATER_POINTS:
    return lwi_check_finite(&mesh->annotations.water_points[0].x,
                            3 * (size_t)mesh->annotations.water_point_count)
               ? NULL
               : "a corner is not finite or too far out";
  default: return NULL; /* any byte is valid */
  }
}

const char *lwi_heads_check(const lw_navmesh *mesh, const char **whose) {
  *whose = "head";
  const char *wrong = check_own_head(mesh);
  for (int i = 0; i < LWI_ATTACHMENT_COUNT && !wrong; i++) {
    const lwi_section_group *group = lwi_attached_groups[i];
    *whose = group->name;
    wrong = group->check_head ? group->check_head(mesh->attachments.slots[i]) : NULL;
  }
  return wrong;
}
