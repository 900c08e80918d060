#include "mesh/known.h"

#include "mesh/build.h"
#include "mesh/grid.h"
#include "mesh/reduction.h"
#include "mesh/sections.h"

#include <string.h>

bool lwi_known_can_take(const lw_navmesh *mesh) {
  bool fine = mesh->part.total == 0 && lwi_reduction_of(mesh)->is_built;
  for (uint32_t i = 0; i < mesh->polygons.corner_count; i++)
    fine &= mesh->polygons.edges[i] >> 5 != LWI_EDGE_ANY;
  return fine;
}

static const lwi_tile *source_of(const lwi_known *known, uint32_t tile) {
  return &known->tiles[tile].mesh->tiles.items[known->tiles[tile].index];
}

/* --- which tiles are mixed -------------------------------------------------------------------------------- */

/* The navmesh of most tiles, if it has more than half of them (Boyer and Moore 1981). */
static const lw_navmesh *find_base(const lwi_known_tile *tiles, uint32_t count) {
  const lw_navmesh *base = tiles[0].mesh;
  uint32_t votes = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (votes == 0) base = tiles[i].mesh;
    votes = tiles[i].mesh == base ? votes + 1 : votes - 1;
  }
  return base;
}

static bool is_before(const lwi_tile *tile, int x, int z) {
  return tile->z != z ? tile->z < z : tile->x < x;
}

uint32_t lwi_known_find_tile(const lw_navmesh *mesh, int x, int z) {
  uint32_t low = 0, high = mesh->tiles.count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (is_before(&mesh->tiles.items[middle], x, z))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static bool is_at(const lw_navmesh *mesh, uint32_t tile, int x, int z) {
  return tile < mesh->tiles.count && mesh->tiles.items[tile].x == x && mesh->tiles.items[tile].z == z;
}

/* Tiles round a place, and at it. */
static void mark_round(const lwi_known *known, int x, int z) {
  for (int row = z - 1; row <= z + 1; row++)
    for (int column = x - 1; column <= x + 1; column++)
      for (uint32_t i = lwi_known_find_tile(known->mesh, column, row); is_at(known->mesh, i, column, row); i++)
        known->is_mixed[i] = 1;
}

/* The tiles of the navmesh have their places. */
static void mark_mixed(const lwi_known *known) {
  const lw_navmesh *mesh = known->mesh, *base = known->base;
  memset(known->to, 0xff, base->tiles.count * sizeof *known->to);
  for (uint32_t i = 0; i < mesh->tiles.count; i++) {
    const lwi_known_tile *tile = &known->tiles[i];
    if (tile->mesh == base) known->to[tile->index] = i;
  }
  for (uint32_t i = 0; i < mesh->tiles.count; i++)
    if (known->tiles[i].mesh != base) mark_round(known, mesh->tiles.items[i].x, mesh->tiles.items[i].z);
  for (uint32_t i = 0; i < base->tiles.count; i++)
    if (known->to[i] == LWI_NONE) mark_round(known, base->tiles.items[i].x, base->tiles.items[i].z);
}

static void lay_tiles(const lwi_known *known) {
  lw_navmesh *mesh = known->mesh;
  uint32_t polygon = 0;
  for (uint32_t i = 0; i < mesh->tiles.count; i++) {
    lwi_tile *tile = &mesh->tiles.items[i];
    *tile = *source_of(known, i);
    tile->first_polygon = polygon;
    polygon += tile->polygon_count;
  }
}

bool lwi_known_open(lwi_known *known, lw_navmesh *mesh, const lwi_known_tile *tiles, uint32_t count) {
  *known = (lwi_known){.mesh = mesh, .tiles = tiles, .base = find_base(tiles, count)};
  known->to = lwi_alloc(&mesh->memory, known->base->tiles.count * sizeof *known->to);
  known->is_mixed = lwi_alloc_zero(&mesh->memory, count);
  if (!known->to || !known->is_mixed) return false;
  lay_tiles(known);
  mark_mixed(known);
  return true;
}

void lwi_known_close(lwi_known *known) {
  if (!known->mesh) return;
  lwi_memory *memory = &known->mesh->memory;
  lwi_free(memory, known->to, known->to ? known->base->tiles.count * sizeof *known->to : 0);
  lwi_free(memory, known->is_mixed, known->is_mixed ? known->mesh->tiles.count : 0);
  *known = (lwi_known){.mesh = NULL};
}

/* --- polygons --------------------------------------------------------------------------------------------- */

static void copy(void *to, const void *from, size_t size) {
  if (size > 0) memcpy(to, from, size);
}

/* How far arrays are filled. */
typedef struct cursor {
  uint32_t corner, detail_vertex, detail_triangle, neighbour;
} cursor;

/* Ranges of a tile's polygons begin at `to` in place of where they began. */
static void copy_ranges(uint32_t *to, const uint32_t *from, const lwi_tile *tile, const lwi_tile *source,
                        uint32_t begin) {
  const uint32_t *first = from + source->first_polygon;
  for (uint32_t i = 0; i <= tile->polygon_count; i++) to[tile->first_polygon + i] = begin + first[i] - *first;
}

static void fill_ranges(uint32_t *to, const lwi_tile *tile, uint32_t begin) {
  for (uint32_t i = 0; i <= tile->polygon_count; i++) to[tile->first_polygon + i] = begin;
}

static void copy_detail(lw_navmesh *mesh, const lwi_tile *tile, const lw_navmesh *from, const lwi_tile *source,
                        cursor *at) {
  lwi_mesh_detail *to = &mesh->detail;
  const lwi_mesh_detail *of = &from->detail;
  const uint32_t first = source->first_polygon, end = first + source->polygon_count;
  if (!of->first_vertex) { /* other tiles have detail, this one has none */
    fill_ranges(to->first_vertex, tile, at->detail_vertex);
    fill_ranges(to->first_triangle, tile, at->detail_triangle);
    fill_ranges(to->first_neighbour, tile, at->neighbour);
    return;
  }
  const uint32_t vertices = of->first_vertex[end] - of->first_vertex[first],
                 triangles = of->first_triangle[end] - of->first_triangle[first];
  copy_ranges(to->first_vertex, of->first_vertex, tile, source, at->detail_vertex);
  copy_ranges(to->first_triangle, of->first_triangle, tile, source, at->detail_triangle);
  copy_ranges(to->first_neighbour, of->first_neighbour, tile, source, at->neighbour);
  copy(to->vertices + at->detail_vertex, of->vertices + of->first_vertex[first],
       vertices * sizeof *to->vertices);
  copy(to->triangles + 3 * (size_t)at->detail_triangle, of->triangles + 3 * (size_t)of->first_triangle[first],
       3 * (size_t)triangles);
  at->detail_vertex += vertices;
  at->detail_triangle += triangles;
  at->neighbour += of->first_neighbour[end] - of->first_neighbour[first];
}

static void copy_polygons(lw_navmesh *mesh, uint32_t index, const lw_navmesh *from, const lwi_tile *source,
                          cursor *at) {
  const lwi_tile *tile = &mesh->tiles.items[index];
  const uint32_t first = source->first_polygon, end = first + source->polygon_count,
                 corner = from->polygons.ranges[first].first_corner,
                 corners = from->polygons.ranges[end].first_corner - corner;
  for (uint32_t i = 0; i < tile->polygon_count; i++) {
    const lwi_ranges before = from->polygons.ranges[first + i];
    mesh->polygons.ranges[tile->first_polygon + i] =
        (lwi_ranges){at->corner + before.first_corner - corner, index & 0xffffff, before.surface};
  }
  copy(mesh->polygons.corners + 3 * (size_t)at->corner, from->polygons.corners + 3 * (size_t)corner,
       3 * (size_t)corners * sizeof *mesh->polygons.corners);
  copy(mesh->polygons.edges + at->corner, from->polygons.edges + corner, corners);
  copy(mesh->polygons.areas + tile->first_polygon, from->polygons.areas + first, tile->polygon_count);
  copy(mesh->polygons.openness + tile->first_polygon, from->polygons.openness + first, tile->polygon_count);
  copy(mesh->polygons.depths + 2 * (size_t)tile->first_polygon, from->polygons.depths + 2 * (size_t)first,
       2 * (size_t)tile->polygon_count);
  copy(mesh->polygons.headrooms + tile->first_polygon, from->polygons.headrooms + first, tile->polygon_count);
  copy(mesh->polygons.steps + tile->first_polygon, from->polygons.steps + first, tile->polygon_count);
  at->corner += corners;
}

/* Neighbours of detail triangles follow from their polygon. @return false: no memory. */
static bool make_neighbours(const lwi_known *known) {
  lwi_mesh_detail *detail = &known->mesh->detail;
  if (!detail->first_triangle) return true;
  detail->first_neighbour =
      lwi_alloc_zero(&known->mesh->memory, (known->mesh->polygons.count + 1) * sizeof *detail->first_neighbour);
  for (uint32_t i = 0; i < known->mesh->tiles.count; i++) {
    const lw_navmesh *from = known->tiles[i].mesh;
    const lwi_tile *source = source_of(known, i);
    if (!from->detail.first_neighbour) continue;
    detail->neighbour_count += from->detail.first_neighbour[source->first_polygon + source->polygon_count] -
                               from->detail.first_neighbour[source->first_polygon];
  }
  detail->neighbours = lwi_alloc_zero(&known->mesh->memory, detail->neighbour_count + LWI_SIMD_WIDTH);
  return detail->first_neighbour && detail->neighbours;
}

static void copy_neighbours(const lwi_known *known) {
  lwi_mesh_detail *detail = &known->mesh->detail;
  for (uint32_t i = 0; i < known->mesh->tiles.count; i++) {
    const lwi_mesh_detail *from = &known->tiles[i].mesh->detail;
    const lwi_tile *source = source_of(known, i), *tile = &known->mesh->tiles.items[i];
    if (!from->first_neighbour) continue;
    const uint32_t first = from->first_neighbour[source->first_polygon];
    copy(detail->neighbours + detail->first_neighbour[tile->first_polygon], from->neighbours + first,
         from->first_neighbour[source->first_polygon + source->polygon_count] - first);
  }
}

bool lwi_known_fill(const lwi_known *known) {
  lw_navmesh *mesh = known->mesh;
  cursor at = {0};
  if (!make_neighbours(known)) return false;
  for (uint32_t i = 0; i < mesh->tiles.count; i++) {
    copy_polygons(mesh, i, known->tiles[i].mesh, source_of(known, i), &at);
    if (mesh->detail.first_vertex)
      copy_detail(mesh, &mesh->tiles.items[i], known->tiles[i].mesh, source_of(known, i), &at);
  }
  mesh->polygons.ranges[mesh->polygons.count].first_corner = at.corner;
  if (mesh->detail.first_neighbour) copy_neighbours(known);
  return true;
}

/* --- vertices --------------------------------------------------------------------------------------------- */

/* Different corners of a tile. @return false: no memory. */
static bool count_tile(lwi_memory *memory, const lw_navmesh *mesh, const lwi_tile *tile, uint32_t *count) {
  const lwi_ranges *ranges = mesh->polygons.ranges + tile->first_polygon;
  const size_t corners = ranges[tile->polygon_count].first_corner - ranges->first_corner;
  lw_vec3 *places = lwi_alloc(memory, corners * sizeof *places);
  int *numbers = lwi_alloc(memory, corners * sizeof *numbers), different = 0, at = 0;
  bool done = (places && numbers) || corners == 0;
  for (uint32_t p = tile->first_polygon; done && p < tile->first_polygon + tile->polygon_count; p++) {
    const lwi_polygon polygon = lwi_polygon_get(mesh, p);
    for (uint32_t i = 0; i < polygon.count; i++) places[at++] = lwi_corner(&polygon, i);
  }
  done = done && lwi_weld(memory, places, at, numbers, NULL, &different);
  *count = (uint32_t)different;
  lwi_free(memory, places, places ? corners * sizeof *places : 0);
  lwi_free(memory, numbers, numbers ? corners * sizeof *numbers : 0);
  return done;
}

bool lwi_known_count_vertices(const lwi_known *known, uint32_t *count) {
  lwi_memory *memory = &known->mesh->memory;
  uint32_t of_tile;
  *count = known->base->polygons.vertex_count;
  for (uint32_t i = 0; i < known->base->tiles.count; i++) {
    if (known->to[i] != LWI_NONE) continue;
    if (!count_tile(memory, known->base, &known->base->tiles.items[i], &of_tile)) return false;
    *count -= of_tile;
  }
  for (uint32_t i = 0; i < known->mesh->tiles.count; i++) {
    if (known->tiles[i].mesh == known->base) continue;
    if (!count_tile(memory, known->mesh, &known->mesh->tiles.items[i], &of_tile)) return false;
    *count += of_tile;
  }
  return true;
}

/* --- the grid --------------------------------------------------------------------------------------------- */

/* Polygons that are not of the base, cell by cell. */
static bool find_entries(const lwi_known *known, lwi_grid_work *work) {
  for (uint32_t i = 0; i < known->mesh->tiles.count; i++) {
    const lwi_tile *tile = &known->mesh->tiles.items[i];
    if (known->tiles[i].mesh == known->base) continue;
    for (uint32_t p = 0; p < tile->polygon_count; p++)
      if (!lwi_grid_add_polygon(work, tile->first_polygon + p)) return false;
  }
  lwi_grid_sort(work);
  return true;
}

/* The number of a polygon of the base now. @return LWI_NONE: it is left out. */
static uint32_t number_now(const lwi_known *known, uint32_t polygon) {
  const uint32_t before = known->base->polygons.ranges[polygon].tile, now = known->to[before];
  if (now == LWI_NONE) return LWI_NONE;
  return known->mesh->tiles.items[now].first_polygon + polygon - known->base->tiles.items[before].first_polygon;
}

/* A cell's references, in the order of their polygons. @return Whether they are not just those of the base. */
static bool fill_cell(const lwi_known *known, const lwi_grid_work *work, uint32_t cell, int *next,
                      uint32_t *to) {
  const lwi_grid *from = &known->base->grid;
  lwi_grid *grid = &known->mesh->grid;
  bool differs = false;
  for (uint32_t i = from->first[cell]; i < from->first[cell + 1]; i++) {
    lwi_reference reference = from->references[i];
    reference.polygon = number_now(known, reference.polygon);
    differs |= reference.polygon == LWI_NONE;
    if (reference.polygon == LWI_NONE) continue;
    while (*next < work->count && work->entries[*next].cell == cell &&
           work->entries[*next].reference.polygon < reference.polygon) {
      grid->references[(*to)++] = work->entries[(*next)++].reference;
      differs = true;
    }
    grid->references[(*to)++] = reference;
  }
  while (*next < work->count && work->entries[*next].cell == cell) {
    grid->references[(*to)++] = work->entries[(*next)++].reference;
    differs = true;
  }
  return differs;
}

static bool fill_grid(const lwi_known *known, const lwi_grid_work *work) {
  const lwi_grid *from = &known->base->grid;
  lwi_grid *grid = &known->mesh->grid;
  lwi_memory *memory = &known->mesh->memory;
  const uint32_t cells = (uint32_t)grid->width * (uint32_t)grid->height;
  uint32_t gone = 0, at = 0;
  int next = 0;
  for (uint32_t i = 0; i < from->reference_count; i++)
    gone += known->to[known->base->polygons.ranges[from->references[i].polygon].tile] == LWI_NONE;
  grid->reference_count = from->reference_count - gone + (uint32_t)work->count;
  grid->first = lwi_alloc(memory, ((size_t)cells + 1) * sizeof *grid->first);
  grid->floors = lwi_alloc(memory, cells);
  grid->references = lwi_alloc(memory, grid->reference_count * sizeof *grid->references);
  if (!grid->first || !grid->floors || (!grid->references && grid->reference_count > 0)) return false;
  for (uint32_t cell = 0; cell < cells; cell++) {
    grid->first[cell] = at;
    const bool differs = fill_cell(known, work, cell, &next, &at);
    grid->floors[cell] = differs ? lwi_grid_count_floors(known->mesh, grid->references + grid->first[cell],
                                                         at - grid->first[cell])
                                 : from->floors[cell];
  }
  grid->first[cells] = at;
  return true;
}

/* Is the grid of the base one for this navmesh, too? Cells may be somewhat larger or smaller than a new one's. */
static bool can_keep_grid(const lwi_known *known) {
  const lw_navmesh *mesh = known->mesh, *base = known->base;
  const float cell = lwi_grid_cell_for(mesh) / base->grid.cell;
  if (base->grid.width == 0 || mesh->bounds.min.x != base->bounds.min.x ||
      mesh->bounds.min.z != base->bounds.min.z || mesh->bounds.max.x != base->bounds.max.x ||
      mesh->bounds.max.z != base->bounds.max.z || cell < 0.7f || cell > 1.4f)
    return false;
  for (uint32_t i = 0; i < mesh->tiles.count; i++) {
    const lwi_tile *tile = &mesh->tiles.items[i];
    for (uint32_t p = 0; known->tiles[i].mesh != base && p < tile->polygon_count; p++) {
      float heights[2];
      lwi_grid_heights(mesh, tile->first_polygon + p, heights);
      if (heights[0] < base->grid.min_y || heights[1] > base->grid.min_y + base->grid.size_y) return false;
    }
  }
  return true;
}

bool lwi_known_grid(const lwi_known *known) {
  lw_navmesh *mesh = known->mesh;
  if (!can_keep_grid(known)) return lwi_graph_grid(mesh);
  mesh->grid = known->base->grid;
  mesh->grid.first = NULL;
  mesh->grid.floors = NULL;
  mesh->grid.references = NULL;
  lwi_grid_work work = lwi_grid_begin(mesh);
  const bool done = find_entries(known, &work) && fill_grid(known, &work);
  lwi_free(&mesh->memory, work.entries, (size_t)work.capacity * sizeof *work.entries);
  return done;
}

/* --- the reduction ---------------------------------------------------------------------------------------- */

static void copy_turns(const lwi_known *known, uint32_t index, uint8_t *turns) {
  const lw_navmesh *mesh = known->mesh, *base = known->base;
  const lwi_tile *tile = &mesh->tiles.items[index], *source = source_of(known, index);
  const uint32_t first = mesh->graph.first_portal[tile->first_polygon],
                 count = mesh->graph.first_portal[tile->first_polygon + tile->polygon_count] - first;
  copy(turns + first, lwi_reduction_of(base)->turns + base->graph.first_portal[source->first_polygon], count);
  for (uint32_t i = 0; i < tile->polygon_count; i++)
    lwi_reduction_mark_dead_ends(mesh, tile->first_polygon + i, turns);
}

bool lwi_known_reduction(const lwi_known *known) {
  lw_navmesh *mesh = known->mesh;
  lwi_reduction *reduction = mesh->attachments.slots[LWI_REDUCTION_SLOT];
  if (!lwi_reduction_begin(mesh)) return false;
  for (uint32_t i = 0; i < mesh->tiles.count; i++) {
    const lwi_tile *tile = &mesh->tiles.items[i];
    if (!known->is_mixed[i]) copy_turns(known, i, reduction->turns);
    for (uint32_t p = 0; known->is_mixed[i] && p < tile->polygon_count; p++)
      lwi_reduction_find_turns(mesh, tile->first_polygon + p, reduction->turns);
  }
  return true;
}
