/* Portals of a navmesh whose tiles are known: those within a tile and between tiles of the base are copied, the others are
   found along the borders of mixed tiles. */
#include "mesh/build.h"
#include "mesh/known.h"
#include "mesh/sections.h"

#include <stdlib.h>
#include <string.h>

/* Edges that meet are nowhere further apart than this. [m] */
#define BESIDE 0.01f

/* An edge on the border of a tile that no other of the tile shares, by where it begins along the border. */
typedef struct border_edge {
  float low, high; /* along x + z, which is one of the two for a border [m] */
  lwi_edge_place at;
} border_edge;

typedef struct edge_list {
  border_edge *items;
  int count, capacity;
  float longest;
} edge_list;

typedef struct linking {
  const lwi_known *known;
  lwi_found_portal_list *found; /* portals that are not copied */
  edge_list lists[2];
} linking;

static int compare_edges(const void *left, const void *right) {
  const border_edge *a = left, *b = right;
  if (a->low != b->low) return a->low < b->low ? -1 : 1;
  return (a->at.polygon > b->at.polygon) - (a->at.polygon < b->at.polygon);
}

/* Which edges of a polygon lie wholly at others of the tile. */
static void mark_shared(const lwi_known *known, uint32_t tile, uint32_t polygon, bool *is_shared) {
  const lw_navmesh *from = known->tiles[tile].mesh;
  const lwi_tile *source = &from->tiles.items[known->tiles[tile].index];
  const uint32_t of = source->first_polygon + polygon - known->mesh->tiles.items[tile].first_polygon;
  memset(is_shared, 0, 256);
  for (uint32_t k = from->graph.first_portal[of]; k < from->graph.end_portal[of]; k++) {
    const lwi_portal *portal = &from->graph.portals[k];
    if (from->polygons.ranges[portal->to].tile == known->tiles[tile].index && portal->interval == 0)
      is_shared[portal->edge] = true;
  }
}

static bool reaches(lw_vec3 a, lw_vec3 b, const lw_box *box) {
  return lwi_min(a.x, b.x) <= box->max.x + BESIDE && lwi_max(a.x, b.x) >= box->min.x - BESIDE &&
         lwi_min(a.z, b.z) <= box->max.z + BESIDE && lwi_max(a.z, b.z) >= box->min.z - BESIDE;
}

static bool add_edge(linking *run, edge_list *list, uint32_t polygon, uint32_t edge, lw_vec3 a, lw_vec3 b) {
  const float from = a.x + a.z, to = b.x + b.z;
  const border_edge one = {lwi_min(from, to), lwi_max(from, to), {polygon, edge}};
  if (!lwi_reserve(&run->known->mesh->memory, &list->items, &list->capacity, list->count + 1, sizeof one))
    return false;
  list->items[list->count++] = one;
  list->longest = lwi_max(list->longest, one.high - one.low);
  return true;
}

/* The edges of a tile that may meet another tile. */
static bool list_edges(linking *run, edge_list *list, uint32_t tile, const lw_box *other) {
  const lw_navmesh *mesh = run->known->mesh;
  const lwi_tile *of = &mesh->tiles.items[tile];
  bool is_shared[256];
  list->count = 0;
  list->longest = 0;
  for (uint32_t p = of->first_polygon; p < of->first_polygon + of->polygon_count; p++) {
    const lwi_polygon polygon = lwi_polygon_get(mesh, p);
    const uint8_t *edges = mesh->polygons.edges + mesh->polygons.ranges[p].first_corner;
    bool is_marked = false;
    for (uint32_t i = 0; i < polygon.count; i++) {
      const lw_vec3 a = lwi_corner(&polygon, i), b = lwi_corner(&polygon, lwi_next_corner(&polygon, i));
      if (lwi_edge_border(edges[i]) == 0 || !reaches(a, b, other)) continue;
      if (!is_marked) mark_shared(run->known, tile, p, is_shared);
      is_marked = true;
      if (!is_shared[i] && !add_edge(run, list, p, i, a, b)) return false;
    }
  }
  if (list->count > 1) qsort(list->items, (size_t)list->count, sizeof *list->items, compare_edges);
  return true;
}

/* Along a border edges meet that lie side by side. */
static bool match_lists(linking *run) {
  const edge_list *a = &run->lists[0], *b = &run->lists[1];
  int first = 0;
  for (int i = 0; i < a->count; i++) {
    const border_edge *edge = &a->items[i];
    while (first < b->count && b->items[first].low + b->longest < edge->low - 2 * BESIDE) first++;
    for (int k = first; k < b->count && b->items[k].low <= edge->high + 2 * BESIDE; k++)
      if (!lwi_portal_entries_match(run->found, run->known->mesh, edge->at, b->items[k].at)) return false;
  }
  return true;
}

static bool match_tiles(linking *run, uint32_t tile, uint32_t other) {
  const lwi_tile *tiles = run->known->mesh->tiles.items;
  return list_edges(run, &run->lists[0], tile, &tiles[other].bounds) &&
         list_edges(run, &run->lists[1], other, &tiles[tile].bounds) && match_lists(run);
}

/* Each pair of neighbours once, unless both are of the base. */
static bool match_all(linking *run) {
  const lwi_known *known = run->known;
  const lw_navmesh *mesh = known->mesh;
  for (uint32_t i = 0; i < mesh->tiles.count; i++) {
    const lwi_tile *tile = &mesh->tiles.items[i];
    if (known->tiles[i].mesh == known->base) continue;
    for (int z = tile->z - 1; z <= tile->z + 1; z++)
      for (int x = tile->x - 1; x <= tile->x + 1; x++)
        for (uint32_t k = lwi_known_find_tile(mesh, x, z);
             k < mesh->tiles.count && mesh->tiles.items[k].x == x && mesh->tiles.items[k].z == z; k++) {
          const bool is_other = known->tiles[k].mesh == known->base || k > i;
          if (k != i && is_other && !match_tiles(run, i, k)) return false;
        }
  }
  return true;
}

/* --- storing ---------------------------------------------------------------------------------------------- */

/* A portal of a tile's polygon as it is now. @return false: it is left out. */
static bool renumber(const lwi_known *known, uint32_t tile, lwi_portal *portal) {
  const lw_navmesh *from = known->tiles[tile].mesh, *mesh = known->mesh;
  const uint32_t before = from->polygons.ranges[portal->to].tile, own = known->tiles[tile].index,
                 now = before == own         ? tile
                       : from == known->base ? known->to[before]
                                             : LWI_NONE;
  if (now == LWI_NONE) return false;
  portal->to += mesh->tiles.items[now].first_polygon - from->tiles.items[before].first_polygon;
  return true;
}

typedef struct storing {
  const lwi_known *known;
  const lwi_found_portal_list *found;
  int next;
  uint32_t portals, intervals;
} storing;

static void store(storing *run, lwi_portal portal, lwi_portal_interval part, uint32_t polygon) {
  lw_navmesh *mesh = run->known->mesh;
  portal.interval = 0;
  if (part.t0 > 0 || part.t1 < 1) {
    portal.interval = run->intervals & LWI_MAX_INTERVALS;
    mesh->graph.intervals[run->intervals++] = part;
  }
  mesh->graph.portals[run->portals] = portal;
  lwi_graph_mark_edge(mesh, polygon, portal.edge, run->portals++);
}

static void store_found(storing *run, const lwi_found_portal *entry) {
  store(run, (lwi_portal){.to = entry->to, .edge = entry->edge & 0xff}, entry->interval, entry->from);
}

static bool is_behind(const lwi_found_portal *entry, const lwi_portal *portal, lwi_portal_interval part) {
  if (entry->edge != portal->edge) return entry->edge > portal->edge;
  if (entry->interval.t0 != part.t0) return entry->interval.t0 > part.t0;
  return entry->to > portal->to;
}

/* By edge, then by where they begin. */
static void store_polygon(storing *run, uint32_t tile, uint32_t polygon) {
  const lwi_known *known = run->known;
  const lw_navmesh *from = known->tiles[tile].mesh;
  const lwi_tile *source = &from->tiles.items[known->tiles[tile].index];
  const uint32_t of = source->first_polygon + polygon - known->mesh->tiles.items[tile].first_polygon;
  const lwi_found_portal *entries = run->found->items;
  known->mesh->graph.first_portal[polygon] = run->portals;
  for (uint32_t k = from->graph.first_portal[of]; k < from->graph.end_portal[of]; k++) {
    lwi_portal portal = from->graph.portals[k];
    const lwi_portal_interval part = from->graph.intervals[portal.interval];
    if (!renumber(known, tile, &portal)) continue;
    while (run->next < run->found->count && entries[run->next].from == polygon &&
           !is_behind(&entries[run->next], &portal, part))
      store_found(run, &entries[run->next++]);
    store(run, portal, part, polygon);
  }
  while (run->next < run->found->count && entries[run->next].from == polygon)
    store_found(run, &entries[run->next++]);
}

/* No portal leads over the edges of a tile yet. */
static void close_edges(lw_navmesh *mesh, const lwi_tile *tile) {
  const uint32_t end = mesh->polygons.ranges[tile->first_polygon + tile->polygon_count].first_corner;
  for (uint32_t i = mesh->polygons.ranges[tile->first_polygon].first_corner; i < end; i++)
    mesh->polygons.edges[i] |= LWI_EDGE_WALL;
}

/* Upper bounds on both. */
static void count_bounds(const lwi_known *known, uint32_t *portals, uint32_t *intervals) {
  for (uint32_t i = 0; i < known->mesh->tiles.count; i++) {
    const lw_navmesh *from = known->tiles[i].mesh;
    const lwi_tile *source = &from->tiles.items[known->tiles[i].index];
    const uint32_t first = from->graph.first_portal[source->first_polygon],
                   end = from->graph.first_portal[source->first_polygon + source->polygon_count];
    *portals += end - first;
    for (uint32_t k = first; k < end; k++) *intervals += from->graph.portals[k].interval != 0;
  }
}

/* Shrink an array to its contents. @param[in,out] count  How long it is. */
static bool trim(lw_navmesh *mesh, void *array, uint32_t *count, uint32_t now, size_t element) {
  void *block;
  memcpy(&block, array, sizeof block);
  if (*count == now) return true;
  block = lwi_resize(&mesh->memory, block, *count * element, now * element);
  if (!block && now > 0) return false;
  memcpy(array, &block, sizeof block);
  *count = now;
  return true;
}

static bool store_all(const lwi_known *known, const lwi_found_portal_list *found) {
  lw_navmesh *mesh = known->mesh;
  lwi_mesh_graph *graph = &mesh->graph;
  uint32_t portals = (uint32_t)found->count, intervals = 1 + (uint32_t)found->count;
  count_bounds(known, &portals, &intervals);
  graph->first_portal = lwi_alloc(&mesh->memory, (mesh->polygons.count + 1) * sizeof *graph->first_portal);
  graph->portals = lwi_alloc(&mesh->memory, portals * sizeof *graph->portals);
  graph->intervals = lwi_alloc(&mesh->memory, intervals * sizeof *graph->intervals);
  graph->portal_count = portals;
  graph->interval_count = intervals;
  if (!graph->first_portal || !graph->intervals || (!graph->portals && portals > 0)) return false;
  graph->intervals[0] = (lwi_portal_interval){0, 1};
  storing run = {.known = known, .found = found, .intervals = 1};
  for (uint32_t i = 0; i < mesh->tiles.count; i++) {
    const lwi_tile *tile = &mesh->tiles.items[i];
    close_edges(mesh, tile);
    for (uint32_t p = 0; p < tile->polygon_count; p++) store_polygon(&run, i, tile->first_polygon + p);
  }
  graph->first_portal[mesh->polygons.count] = run.portals;
  if (!trim(mesh, &graph->portals, &graph->portal_count, run.portals, sizeof *graph->portals) ||
      !trim(mesh, &graph->intervals, &graph->interval_count, run.intervals, sizeof *graph->intervals))
    return false;
  /* Polygons that lie in a grid of tiles were baked, or imported: no portal has a step. */
  graph->interval_steps = lwi_alloc_zero(&mesh->memory, graph->interval_count);
  lwi_sections_derive(mesh);
  return graph->interval_steps != NULL;
}

bool lwi_known_link(const lwi_known *known) {
  lwi_memory *memory = &known->mesh->memory;
  lwi_found_portal_list found = {.memory = memory};
  linking run = {.known = known, .found = &found};
  bool done = match_all(&run);
  lwi_portal_entries_sort(&found);
  done = done && store_all(known, &found);
  for (int i = 0; i < 2; i++)
    lwi_free(memory, run.lists[i].items, (size_t)run.lists[i].capacity * sizeof *run.lists[i].items);
  lwi_portal_entries_free(&found);
  return done;
}
