#include "core/hash.h"
#include "core/sort.h"
#include "core/status.h"
#include "mesh/clearance.h"
#include "mesh/column.h"
#include "mesh/depths.h"
#include "mesh/shore.h"
#include "mesh/mesh.h"
#include "mesh/sections.h"

#include <stdatomic.h>

lw_filter lw_filter_all(void) {
  return (lw_filter){.areas = {~1ULL, ~0ULL, ~0ULL, ~0ULL}, /* no polygon is of LW_AREA_NONE */
                     .links = (1U << LW_LINK_KIND_COUNT) - 1,
                     .wade_depth = INFINITY,
                     .climb = INFINITY};
}

bool lw_filter_passes(const lw_filter *filter, lw_area_id area) {
  if (!filter) return true;
  return (filter->areas[area >> 6] & ~filter->deep_areas[area >> 6]) >> (area & 63) & 1;
}

/* An id: generation 16 bits, tile + 1 in 20 bits, polygon within the tile in 28 bits. Of a piece: the generation of its
   number, no tile, and its number. */
#define PIECES_TILE 0xfffffU

static uint32_t piece_index(const lw_navmesh *mesh, lw_poly_id id) {
  const uint32_t index = (uint32_t)(id & 0xfffffff);
  if (!mesh->live.origins || index < mesh->live.base_count || index >= mesh->polygons.count) return LWI_NONE;
  return lwi_is_there(mesh, index) && mesh->live.generations[index] == id >> 48 ? index : LWI_NONE;
}

lw_poly_id lwi_poly_id(const lw_navmesh *mesh, uint32_t index) {
  if (mesh->live.origins && index >= mesh->live.base_count)
    return (uint64_t)mesh->live.generations[index] << 48 | (uint64_t)PIECES_TILE << 28 | index;
  uint32_t tile = mesh->polygons.ranges[index].tile;
  return (uint64_t)mesh->tiles.generations[tile] << 48 | (uint64_t)(tile + 1) << 28 |
         (index - mesh->tiles.items[tile].first_polygon);
}

uint32_t lwi_poly_index(const lw_navmesh *mesh, lw_poly_id id) {
  uint32_t tile = (uint32_t)(id >> 28 & 0xfffff) - 1; /* 0 wraps, and is out of range */
  if (tile >= mesh->tiles.count) return tile + 1 == PIECES_TILE ? piece_index(mesh, id) : LWI_NONE;
  const lwi_tile *found = &mesh->tiles.items[tile];
  uint32_t local = (uint32_t)(id & 0xfffffff);
  if (mesh->tiles.generations[tile] != id >> 48 || local >= found->polygon_count) return LWI_NONE;
  return lwi_is_there(mesh, found->first_polygon + local) ? found->first_polygon + local : LWI_NONE;
}

bool lwi_poly_is_replaced(const lw_navmesh *mesh, lw_poly_id id) {
  const uint32_t tile = (uint32_t)(id >> 28 & 0xfffff) - 1;
  return tile + 1 != PIECES_TILE && id != 0 &&
         (tile >= mesh->tiles.count || mesh->tiles.generations[tile] != id >> 48);
}

uint64_t lwi_poly_place(const lw_navmesh *mesh, lw_poly_id id) {
  const uint32_t index = lwi_poly_index(mesh, id);
  if (index == LWI_NONE) return LWI_NO_PLACE;
  const uint32_t polygon = lwi_origin_of(mesh, index);
  lwi_part_walk walk = lwi_parts_of(mesh, polygon);
  uint64_t place = 0;
  for (uint32_t part; lwi_next_part(&walk, &part) && part != index;) place += 1;
  return place << 32 | polygon;
}

lw_poly_id lwi_poly_at_place(const lw_navmesh *mesh, uint64_t place) {
  const uint32_t polygon = (uint32_t)place, piece = (uint32_t)(place >> 32);
  if (polygon >= lwi_base_count(mesh)) return 0;
  lwi_part_walk walk = lwi_parts_of(mesh, polygon);
  uint32_t count = 0;
  for (uint32_t part; lwi_next_part(&walk, &part); count += 1)
    if (count == piece) return lwi_poly_id(mesh, part);
  return 0;
}

/* Area ids are those of one table: what holds them is left out. */
static uint64_t hash_of(const lw_navmesh *mesh) {
  static const int sections[] = {LWI_CORNERS, LWI_EDGES, LWI_PORTALS, LWI_INTERVALS, LWI_DETAIL_VERTICES};
  uint64_t hash = LWI_HASH_SEED;
  for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
    const lwi_section_place at = lwi_section_own(mesh, sections[i]);
    hash = lwi_hash(hash, lwi_section_get(&at), (size_t)lwi_section_size(&at));
  }
  for (uint32_t i = 0; i < mesh->links.count; i++) {
    const lwi_link *link = &mesh->links.items[i];
    const float numbers[] = {link->start.x, link->start.y, link->start.z, link->end.x,
                             link->end.y,   link->end.z,   link->length,  (float)link->kind};
    hash = lwi_hash(hash, numbers, sizeof numbers);
  }
  return hash;
}

/* Threads that ask at the same time compute the same number. */
uint64_t lwi_navmesh_identity(const lw_navmesh *mesh) {
  _Atomic uint64_t *identity = &((lw_navmesh *)mesh)->identity;
  uint64_t known = atomic_load_explicit(identity, memory_order_relaxed);
  if (known != 0) return known;
  known = hash_of(lwi_base_of(mesh));
  atomic_store_explicit(identity, known, memory_order_relaxed);
  return known;
}

static int compare_labels(const void *left, const void *right) {
  const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  return (a > b) - (a < b);
}

/* Islands of a navmesh that was cut; without memory those that it was baked with. */
static int count_islands(const lw_navmesh *mesh) {
  lwi_memory memory = lwi_memory_make(NULL); /* not the mesh's allocator, which may be counted */
  const size_t size = mesh->polygons.count * sizeof(uint32_t);
  uint32_t *labels = mesh->live.origins ? lwi_alloc(&memory, size) : NULL;
  int islands = 0;
  size_t count = 0;
  if (!labels) return (int)mesh->graph.island_count;
  for (uint32_t p = 0; p < mesh->polygons.count; p++)
    if (lwi_is_there(mesh, p)) labels[count++] = mesh->graph.islands[p];
  lwi_sort(labels, count, sizeof *labels, compare_labels);
  for (size_t i = 0; i < count; i++) islands += i == 0 || labels[i] != labels[i - 1];
  lwi_free(&memory, labels, size);
  return islands;
}

/* What is there, polygon by polygon. */
static void add_polygons(const lw_navmesh *mesh, lw_navmesh_stats *stats) {
  double ground = 0, exposed = 0, deep = 0;
  for (uint32_t polygon = 0; polygon < lwi_base_count(mesh); polygon++) {
    lwi_part_walk walk = lwi_parts_of(mesh, polygon);
    for (uint32_t p; lwi_next_part(&walk, &p);) {
      const double area = lwi_area_of(mesh, p);
      ground += area;
      exposed += area * mesh->polygons.openness[p];
      deep += area * (double)lwi_deep_part(lwi_depth_of(mesh, p), LW_WADE_DEPTH);
      stats->polygons += 1;
      stats->portals += (int)(mesh->graph.end_portal[p] - mesh->graph.first_portal[p]);
    }
  }
  stats->area = mesh->live.origins ? (float)ground : (float)mesh->area;
  if (!(stats->area > 0)) return;
  stats->openness = (float)fmin(1, exposed / (255 * ground));
  stats->deep_water = (float)fmin(1, deep / ground);
}

lw_navmesh_stats lw_navmesh_get_stats(const lw_navmesh *mesh) {
  if (!mesh) return (lw_navmesh_stats){0};
  lw_navmesh_stats stats = {
      .vertices = (int)mesh->polygons.vertex_count,
      .tiles = (int)mesh->tiles.count,
      .offmesh_links = (int)mesh->links.joined_count,
      .offmesh_refused = (int)mesh->links.refused_count,
      .islands = count_islands(mesh),
      .bytes = mesh->memory.bytes,
  };
  for (int i = 0; i < LWI_ATTACHMENT_COUNT; i++)
    if (lwi_attached_groups[i]->add_stats)
      lwi_attached_groups[i]->add_stats(mesh, mesh->attachments.slots[i], &stats);
  add_polygons(mesh, &stats);
  return stats;
}

lw_status lw_navmesh_get_tile(const lw_navmesh *mesh, int index, lw_navmesh_tile *tile) {
  if (tile) *tile = (lw_navmesh_tile){0};
  if (!mesh || !tile) return LW_INVALID;
  if (index < 0 || (uint32_t)index >= mesh->tiles.count) return LW_NOT_FOUND;
  const lwi_tile *from = &mesh->tiles.items[index];
  *tile = (lw_navmesh_tile){from->x, from->z, from->bounds, (int)from->polygon_count};
  return LW_OK;
}

uint64_t lw_navmesh_version(const lw_navmesh *mesh) {
  return mesh ? mesh->live.version : 0;
}
lw_box lw_navmesh_bounds(const lw_navmesh *mesh) {
  return mesh ? mesh->bounds : (lw_box){{0, 0, 0}, {0, 0, 0}};
}
const lw_area_table *lw_navmesh_area_table(const lw_navmesh *mesh) {
  return mesh ? mesh->areas : NULL;
}
lw_navmesh_agent lw_navmesh_get_agent(const lw_navmesh *mesh) {
  return mesh ? mesh->agent : (lw_navmesh_agent){0};
}

lw_poly_id lw_navmesh_next_poly(const lw_navmesh *mesh, lw_poly_id poly) {
  if (!mesh) return 0;
  uint32_t next = 0;
  if (poly) {
    next = lwi_poly_index(mesh, poly);
    if (next == LWI_NONE) return 0;
    next += 1;
  }
  while (next < mesh->polygons.count && !lwi_is_there(mesh, next)) next += 1;
  return next < mesh->polygons.count ? lwi_poly_id(mesh, next) : 0;
}

lw_status lw_navmesh_get_poly(const lw_navmesh *mesh, lw_poly_id poly, lw_poly *result) {
  if (result) *result = (lw_poly){0};
  if (!mesh || !result) return LW_INVALID;
  uint32_t index = lwi_poly_index(mesh, poly);
  if (index == LWI_NONE) return LW_STALE;
  *result = (lw_poly){
      .area = mesh->polygons.areas[index],
      .corner_count = (int)lwi_polygon_get(mesh, index).count,
      .neighbor_count = (int)(mesh->graph.end_portal[index] - mesh->graph.first_portal[index]),
      .tile = (int)mesh->polygons.ranges[index].tile,
      .island = mesh->graph.islands[index],
      .area_m2 = (float)lwi_area_of(mesh, index),
      .openness = lwi_byte_part(mesh->polygons.openness[index]),
      .depth = {(float)lwi_depth_of(mesh, index).min / 100, (float)lwi_depth_of(mesh, index).max / 100},
      .headroom = lwi_headroom_of(mesh->polygons.headrooms[index]),
      .step = (float)mesh->polygons.steps[index] / LWI_STEP_PARTS,
  };
  return LW_OK;
}

int lw_navmesh_poly_corners(const lw_navmesh *mesh, lw_poly_id poly, lw_vec3 *corners, int capacity) {
  if (!mesh) return 0;
  uint32_t index = lwi_poly_index(mesh, poly);
  if (index == LWI_NONE) return 0;
  lwi_polygon polygon = lwi_polygon_get(mesh, index);
  for (uint32_t i = 0; corners && i < polygon.count && (int)i < capacity; i++)
    corners[i] = lwi_corner(&polygon, i);
  return (int)polygon.count;
}

/* --- water ------------------------------------------------------------------------------------------------ */

static bool is_within(const lw_vec3 *points, uint32_t count, lw_vec3 p) {
  bool within = false;
  for (uint32_t i = 0; i < count; i++)
    within ^= lwi_shore_edge_is_right_of(lwi_shore_edge_of(points, (int)count, (int)i), p);
  return within;
}

static float water_depth(const lw_navmesh *mesh, lw_vec3 ground) {
  for (uint32_t i = mesh->annotations.water_count; i-- > 0;) { /* the later one counts */
    const lwi_water *water = &mesh->annotations.waters[i];
    if (lwi_water_wets(water, ground.y) &&
        is_within(mesh->annotations.water_points + water->first_point, water->point_count, ground))
      return water->level - ground.y;
  }
  return 0;
}

lw_status lw_navmesh_water_depth(const lw_navmesh *mesh, lw_vec3 point, float *depth) {
  if (depth) *depth = 0;
  if (!mesh || !depth) return LW_INVALID;
  lw_status status = lw_navmesh_height(mesh, point, NULL, &point.y);
  if (status == LW_OK) *depth = water_depth(mesh, point);
  return status;
}

int lw_navmesh_water_count(const lw_navmesh *mesh) {
  return mesh ? (int)mesh->annotations.water_count : 0;
}

/* --- validation ------------------------------------------------------------------------------------------- */

/* Baked corners are rounded to the voxel grid and then to floats. [m] */
#define CONVEX_SLACK 0.01
#define MEET_SLACK 0.01

static lw_status check_polygon(const lw_navmesh *mesh, uint32_t index, lw_error *error) {
  lwi_polygon polygon = lwi_polygon_get(mesh, index);
  if (!(lwi_polygon_area2(&polygon) > 0))
    return lwi_fail(error, LW_INVALID, "polygon %u has no area, or is wound clockwise", (unsigned)index);
  for (uint32_t i = 0; i < polygon.count; i++) {
    uint32_t next = lwi_next_corner(&polygon, i);
    lw_vec3 a = lwi_corner(&polygon, i), b = lwi_corner(&polygon, next);
    lw_vec3 c = lwi_corner(&polygon, lwi_next_corner(&polygon, next));
    if (lwi_turn(a, b, c) < -CONVEX_SLACK * (double)lwi_distance_xz(a, c)) /* by how far the corner is dented */
      return lwi_fail(error, LW_INVALID, "polygon %u is concave at its corner %u", (unsigned)index,
                      (unsigned)next);
  }
  if (lwi_poly_index(mesh, lwi_poly_id(mesh, index)) != index)
    return lwi_fail(error, LW_INVALID, "polygon %u is not found by its id", (unsigned)index);
  return LW_OK;
}

static bool meets(lw_vec3 a, lw_vec3 b) {
  return (double)lwi_distance_xz(a, b) <= MEET_SLACK;
}

/* Does the polygon behind the portal have a portal back over the same interval, with the same step? */
static bool is_mutual(const lw_navmesh *mesh, uint32_t from, const lwi_portal *portal) {
  lw_vec3 left, right, back_left, back_right;
  const uint8_t step = mesh->graph.interval_steps[portal->interval];
  lwi_portal_points(mesh, from, portal, &left, &right);
  for (uint32_t k = mesh->graph.first_portal[portal->to]; k < mesh->graph.end_portal[portal->to]; k++) {
    if (mesh->graph.portals[k].to != from) continue;
    lwi_portal_points(mesh, portal->to, &mesh->graph.portals[k], &back_left, &back_right);
    const bool is_alike = mesh->graph.interval_steps[mesh->graph.portals[k].interval] == step;
    if (is_alike && meets(left, back_right) && meets(right, back_left)) return true;
  }
  return false;
}

static lw_status check_portals(const lw_navmesh *mesh, uint32_t index, lw_error *error) {
  uint32_t corners = lwi_polygon_get(mesh, index).count;
  for (uint32_t k = mesh->graph.first_portal[index]; k < mesh->graph.end_portal[index]; k++) {
    const lwi_portal *portal = &mesh->graph.portals[k];
    if (portal->to >= mesh->polygons.count || portal->to == index || portal->edge >= corners)
      return lwi_fail(error, LW_INVALID, "portal %u of polygon %u names a polygon or edge that does not exist",
                      (unsigned)k, (unsigned)index);
    lwi_portal_interval interval = lwi_interval_of_portal(mesh, portal);
    if (!(interval.t0 >= 0 && interval.t0 < interval.t1 && interval.t1 <= 1))
      return lwi_fail(error, LW_INVALID, "portal %u of polygon %u is not within its edge", (unsigned)k,
                      (unsigned)index);
    if (!is_mutual(mesh, index, portal))
      return lwi_fail(error, LW_INVALID, "polygon %u has a portal to %u, which has none back", (unsigned)index,
                      (unsigned)portal->to);
    if (mesh->graph.islands[index] != mesh->graph.islands[portal->to])
      return lwi_fail(error, LW_INVALID, "polygons %u and %u are connected, but on different islands",
                      (unsigned)index, (unsigned)portal->to);
  }
  return LW_OK;
}

/* The grid must list the polygon in the cell of its every corner. */
static lw_status check_grid(const lw_navmesh *mesh, uint32_t index, lw_error *error) {
  lwi_polygon polygon = lwi_polygon_get(mesh, index);
  for (uint32_t i = 0; i < polygon.count; i++) {
    lw_vec3 corner = lwi_corner(&polygon, i);
    lwi_column column;
    bool found = false;
    if (lwi_grid_column(&mesh->grid, corner.x, corner.z, &column))
      for (uint32_t k = column.first; k < column.end; k++)
        found = found || (mesh->grid.references[k].polygon == index &&
                          lwi_column_meets(&column, &mesh->grid.references[k]));
    if (!found)
      return lwi_fail(error, LW_INVALID, "the grid does not find polygon %u at its corner %u", (unsigned)index,
                      (unsigned)i);
  }
  return LW_OK;
}

/* The byte of each edge must name the first of its portals. */
static lw_status check_edges(const lw_navmesh *mesh, uint32_t index, lw_error *error) {
  lwi_polygon polygon = lwi_polygon_get(mesh, index);
  uint32_t k = mesh->graph.first_portal[index], end = mesh->graph.end_portal[index];
  for (uint32_t i = 0; i < polygon.count; i++) {
    uint32_t place = k - mesh->graph.first_portal[index];
    uint32_t expected = k == end || mesh->graph.portals[k].edge != i ? LWI_EDGE_WALL
                        : place < LWI_EDGE_FAR                       ? place
                                                                     : LWI_EDGE_FAR;
    if ((mesh->polygons.edges[mesh->polygons.ranges[index].first_corner + i] & LWI_EDGE_PORTAL) != expected)
      return lwi_fail(error, LW_INVALID, "edge %u of polygon %u does not name its first portal", (unsigned)i,
                      (unsigned)index);
    while (k < end && mesh->graph.portals[k].edge == i) k++;
  }
  if (k == end) return LW_OK;
  return lwi_fail(error, LW_INVALID, "portals of polygon %u are out of order", (unsigned)index);
}

lw_status lwi_polygon_check(const lw_navmesh *mesh, uint32_t index, lw_error *error) {
  lw_status status = check_polygon(mesh, index, error);
  if (status == LW_OK) status = check_portals(mesh, index, error);
  return status == LW_OK ? check_edges(mesh, index, error) : status;
}

/* Clearance is checked for agents this much larger than the mesh was baked for. [m] */
#define LARGER 0.5f

static lw_status check_clearances(const lw_navmesh *mesh, lw_error *error) {
  lwi_memory memory = lwi_memory_make(NULL); /* not the mesh's allocator, which may be counted */
  lw_filter filter = lw_filter_all();
  filter.radius = mesh->agent.radius + LARGER;
  lwi_clearance *clearance = lwi_clearance_create(&memory, mesh, &filter);
  if (!clearance) return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  lw_status status = lwi_clearance_check(clearance, error);
  lwi_clearance_destroy(clearance);
  return status;
}

/* Of one that was cut: what it was baked with is not checked again. */
static lw_status check_live(const lw_navmesh *mesh, lw_error *error) {
  lw_status status = LW_OK;
  for (uint32_t i = 0; i < mesh->polygons.count && status == LW_OK; i++)
    if (lwi_is_there(mesh, i)) status = lwi_polygon_check(mesh, i, error);
  return status == LW_OK ? check_clearances(mesh, error) : status;
}

lw_status lw_navmesh_validate(const lw_navmesh *mesh, lw_error *error) {
  if (!mesh) return lwi_fail_null(error, "navmesh");
  if (mesh->live.origins) return check_live(mesh, error);
  lwi_section_place section;
  const char *whose, *wrong = lwi_heads_check(mesh, &whose);
  if (wrong) return lwi_fail(error, LW_INVALID, "%s: %s", whose, wrong);
  wrong = lwi_sections_check(mesh, &section);
  if (wrong) return lwi_fail(error, LW_INVALID, "%s: %s", lwi_section_of(&section)->name, wrong);
  for (uint32_t i = 0; i < mesh->polygons.count; i++) {
    lw_status status = lwi_polygon_check(mesh, i, error);
    if (status == LW_OK) status = check_grid(mesh, i, error);
    if (status != LW_OK) return status;
  }
  lw_status status = check_clearances(mesh, error);
  return status == LW_OK ? lwi_graph_check_joins(mesh, error) : status;
}
