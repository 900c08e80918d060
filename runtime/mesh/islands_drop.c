#include "mesh/islands_drop.h"

#include "core/status.h"
#include "core/vec3.h"
#include "mesh/sources.h"

#include <string.h>

/* --- building again without some polygons ----------------------------------------------------------------- */

/* A source's arrays without const. */
typedef struct arrays {
  lw_vec3 *vertices, *detail_vertices;
  int *first_corner, *corners, *first_detail_vertex, *first_detail_triangle;
  uint8_t *border, *areas, *openness, *depths, *headrooms, *steps, *detail_triangles;
} arrays;

static arrays arrays_of(const lwi_tile_source *tile) {
  return (arrays){.vertices = (lw_vec3 *)tile->vertices,
                  .detail_vertices = (lw_vec3 *)tile->detail_vertices,
                  .first_corner = (int *)tile->first_corner,
                  .corners = (int *)tile->corners,
                  .first_detail_vertex = (int *)tile->first_detail_vertex,
                  .first_detail_triangle = (int *)tile->first_detail_triangle,
                  .border = (uint8_t *)tile->border,
                  .areas = (uint8_t *)tile->areas,
                  .openness = (uint8_t *)tile->openness,
                  .depths = (uint8_t *)tile->depths,
                  .headrooms = (uint8_t *)tile->headrooms,
                  .steps = (uint8_t *)tile->steps,
                  .detail_triangles = (uint8_t *)tile->detail_triangles};
}

/* How many elements of each array are kept. */
typedef struct kept {
  int polygons, corners, detail_vertices, detail_triangles;
} kept;

/* Elements only move down, so nothing is overwritten before it is read. */
static void keep_corners(arrays *a, int polygon, kept *k) {
  int first = a->first_corner[polygon], count = a->first_corner[polygon + 1] - first;
  memmove(a->corners + k->corners, a->corners + first, (size_t)count * sizeof(int));
  memmove(a->border + k->corners, a->border + first, (size_t)count);
  a->areas[k->polygons] = a->areas[polygon];
  a->openness[k->polygons] = a->openness[polygon];
  memmove(a->depths + 2 * k->polygons, a->depths + 2 * polygon, 2);
  a->headrooms[k->polygons] = a->headrooms[polygon];
  a->steps[k->polygons] = a->steps[polygon];
  a->first_corner[k->polygons] = k->corners;
  k->corners += count;
}

static void keep_detail(arrays *a, int polygon, kept *k) {
  int vertex = a->first_detail_vertex[polygon], vertices = a->first_detail_vertex[polygon + 1] - vertex;
  int triangle = a->first_detail_triangle[polygon];
  int triangles = a->first_detail_triangle[polygon + 1] - triangle;
  memmove(a->detail_vertices + k->detail_vertices, a->detail_vertices + vertex,
          (size_t)vertices * sizeof(lw_vec3));
  memmove(a->detail_triangles + 3 * (size_t)k->detail_triangles, a->detail_triangles + 3 * (size_t)triangle,
          (size_t)triangles * 3);
  a->first_detail_vertex[k->polygons] = k->detail_vertices;
  a->first_detail_triangle[k->polygons] = k->detail_triangles;
  k->detail_vertices += vertices;
  k->detail_triangles += triangles;
}

/* Keep the vertices that corners name, and renumber the corners. @param place  [vertex_count] Scratch. */
static void keep_vertices(lwi_tile_source *tile, arrays *a, int corners, int *place) {
  int count = 0;
  memset(place, 0, (size_t)tile->vertex_count * sizeof *place);
  for (int i = 0; i < corners; i++) place[a->corners[i]] = 1;
  for (int v = 0; v < tile->vertex_count; v++) {
    if (!place[v]) continue;
    a->vertices[count] = a->vertices[v];
    place[v] = count++;
  }
  for (int i = 0; i < corners; i++) a->corners[i] = place[a->corners[i]];
  tile->vertex_count = count;
}

static bool drop_polygons(lwi_tile_source *tile, const bool *drop, lwi_memory *memory) {
  size_t places = (size_t)tile->vertex_count * sizeof(int);
  int *place = lwi_alloc(memory, places);
  if (!place) return false;
  arrays a = arrays_of(tile);
  kept k = {0};
  for (int p = 0; p < tile->polygon_count; p++) {
    if (drop[p]) continue;
    keep_corners(&a, p, &k);
    if (a.first_detail_vertex) keep_detail(&a, p, &k);
    k.polygons++;
  }
  a.first_corner[k.polygons] = k.corners;
  if (a.first_detail_vertex) {
    a.first_detail_vertex[k.polygons] = k.detail_vertices;
    a.first_detail_triangle[k.polygons] = k.detail_triangles;
  }
  tile->polygon_count = k.polygons;
  keep_vertices(tile, &a, k.corners, place);
  lwi_free(memory, place, places);
  return true;
}

/* Tiles that become empty are removed. @param drop  By dense polygon index. */
static bool drop_all(lwi_sources *sources, const bool *drop) {
  int tiles = 0;
  for (int i = 0; i < sources->count; i++) {
    lwi_tile_source *tile = &sources->tiles[i];
    int polygons = tile->polygon_count;
    if (!drop_polygons(tile, drop, &sources->memory)) return false;
    drop += polygons;
    if (tile->polygon_count > 0) sources->tiles[tiles++] = *tile;
  }
  sources->count = tiles;
  return true;
}

/* @param annotations  What the result has. */
static lw_status build_without(const lw_navmesh *mesh, const bool *drop, const lwi_annotations *annotations,
                               lw_navmesh **result, lw_error *error) {
  lwi_sources sources = {.memory = lwi_memory_make(&mesh->memory.allocator)};
  const bool copied = lwi_sources_add(&sources, mesh) && drop_all(&sources, drop);
  const lw_status status =
      copied ? lwi_sources_build(&sources, mesh, annotations, &mesh->memory.allocator, result, error)
             : lwi_fail_status(error, LW_OUT_OF_MEMORY);
  lwi_sources_free(&sources);
  return status;
}

/* --- small islands ---------------------------------------------------------------------------------------- */

/* Recast drops small regions within a tile, but keeps those that touch its border, since they may go on in the
   next tile. So small islands are left out when all tiles are joined. */
/* @param areas  [island_count] Zeroed. */
static void measure_islands(const lw_navmesh *mesh, float *areas) {
  for (uint32_t p = 0; p < mesh->polygons.count; p++)
    areas[mesh->graph.islands[p]] += (float)lwi_area_of(mesh, p);
}

/* Mark the polygons of small islands. @return How many islands. */
static int mark_small(const lw_navmesh *mesh, float min_area, const float *areas, bool *drop) {
  int islands = 0;
  for (uint32_t p = 0; p < mesh->polygons.count; p++) drop[p] = areas[mesh->graph.islands[p]] < min_area;
  for (uint32_t i = 0; i < mesh->graph.island_count; i++) islands += areas[i] < min_area;
  return islands;
}

/* Keep a small island that an off-mesh link leads to, unless a larger island lies within the link's radius: so
   that links do not end on lamps. @return Whether there are such islands. */
static bool keep_linked(const lw_navmesh *whole, const lw_navmesh *rest, float *areas) {
  bool any = false;
  for (uint32_t i = 0; i < whole->annotations.request_count; i++) {
    const lwi_request *with = &whole->annotations.requests[i], *without = &rest->annotations.requests[i];
    if (with->state != LW_LINK_JOINED) continue;
    bool start = without->start.distance > without->radius, end = without->end.distance > without->radius;
    if (start) areas[whole->graph.islands[with->start.polygon]] = INFINITY;
    if (end) areas[whole->graph.islands[with->end.polygon]] = INFINITY;
    any |= start || end;
  }
  return any;
}

/* Islands to be left out. */
typedef struct island_cut {
  float min_area; /* [m2] */
  float *areas;   /* [island_count] [m2] */
  bool *drop;     /* [polygons] */
  int islands;    /* how many are left out */
} island_cut;

/* @param[out] result  NULL: nothing is left out. */
static lw_status find_and_drop(const lw_navmesh *mesh, island_cut *cut, lw_navmesh **result, lw_error *error) {
  measure_islands(mesh, cut->areas);
  cut->islands = mark_small(mesh, cut->min_area, cut->areas, cut->drop);
  if (cut->islands == 0) return LW_OK;
  if (cut->islands == (int)mesh->graph.island_count)
    return lwi_fail(error, LW_EMPTY, "nothing to walk on: every island is smaller than min_region_area %g m2",
                    (double)cut->min_area);
  lw_status status = build_without(mesh, cut->drop, &mesh->annotations, result, error);
  if (status != LW_OK || !keep_linked(mesh, *result, cut->areas)) return status;
  lw_navmesh_destroy(*result);
  *result = NULL;
  cut->islands = mark_small(mesh, cut->min_area, cut->areas, cut->drop);
  return cut->islands > 0 ? build_without(mesh, cut->drop, &mesh->annotations, result, error) : LW_OK;
}

lw_status lwi_islands_drop(lw_navmesh **mesh, float min_area, int *islands, lw_error *error) {
  lw_navmesh *whole = *mesh, *rest = NULL;
  lwi_memory memory = lwi_memory_make(&whole->memory.allocator);
  size_t area_size = whole->graph.island_count * sizeof(float),
         drop_size = whole->polygons.count * sizeof(bool);
  island_cut cut = {
      .min_area = min_area, .areas = lwi_alloc_zero(&memory, area_size), .drop = lwi_alloc(&memory, drop_size)};
  lw_status status = (cut.areas || area_size == 0) && (cut.drop || drop_size == 0)
                         ? find_and_drop(whole, &cut, &rest, error)
                         : lwi_fail_status(error, LW_OUT_OF_MEMORY);
  *islands = cut.islands;
  lwi_free(&memory, cut.areas, area_size);
  lwi_free(&memory, cut.drop, drop_size);
  if (status == LW_OK && !rest) return LW_OK;
  lw_navmesh_destroy(whole);
  *mesh = rest;
  return status;
}

/* --- what nobody can reach -------------------------------------------------------------------------------- */

bool lwi_seed_polygon(const lw_navmesh *mesh, lw_vec3 seed, uint32_t *polygon) {
  const lw_vec3 half = {LW_SEED_DISTANCE, LW_SEED_DISTANCE, LW_SEED_DISTANCE};
  lw_location found;
  if (lw_navmesh_nearest(mesh, seed, half, NULL, &found) != LW_OK) return false;
  *polygon = lwi_poly_index(mesh, found.poly);
  return lwi_distance(found.point, seed) <= LW_SEED_DISTANCE;
}

/* Where agents of any profile can come from seeds, over ground and links. */
typedef struct reach {
  const lw_navmesh *mesh;
  bool *drop;            /* [polygons] Those that are not reached (yet). */
  uint32_t *stack;       /* [polygons] */
  lwi_request *requests; /* [request_count] Those that are kept. */
  uint32_t depth;
} reach;

static void enter(reach *r, uint32_t polygon) {
  if (!r->drop[polygon]) return;
  r->drop[polygon] = false;
  r->stack[r->depth++] = polygon;
}

static void spread(reach *r) {
  const lwi_mesh_links *links = &r->mesh->links;
  const uint32_t *portals = r->mesh->graph.first_portal;
  while (r->depth > 0) {
    const uint32_t polygon = r->stack[--r->depth];
    for (uint32_t k = portals[polygon]; k < portals[polygon + 1]; k++) enter(r, r->mesh->graph.portals[k].to);
    if (!links->first) continue;
    for (uint32_t k = links->first[polygon]; k < links->end[polygon]; k++) enter(r, links->items[k].to);
  }
}

/* Links that the bake found, and that begin where nobody comes, are left out. Designers' stay, and are refused. */
static uint32_t keep_requests(reach *r, uint32_t found) {
  const lwi_annotations *all = &r->mesh->annotations;
  uint32_t count = 0;
  for (uint32_t i = 0; i < all->request_count; i++) {
    const lwi_request *request = &all->requests[i];
    const bool is_lost = i >= found && request->state == LW_LINK_JOINED && r->drop[request->start.polygon];
    if (!is_lost) r->requests[count++] = *request;
  }
  return count;
}

/* The polygons of an island share a fate. */
static int count_lost(const reach *r) {
  int islands = 0;
  uint32_t next = 0; /* islands are numbered in the order of their first polygons */
  for (uint32_t p = 0; p < r->mesh->polygons.count; p++) {
    if (r->mesh->graph.islands[p] != next) continue;
    islands += r->drop[p];
    next += 1;
  }
  return islands;
}

static lw_status find_reach(reach *r, const lwi_seeds *seeds, lw_error *error) {
  uint32_t polygon;
  for (uint32_t p = 0; p < r->mesh->polygons.count; p++) r->drop[p] = true;
  for (int i = 0; i < seeds->count; i++)
    if (lwi_seed_polygon(r->mesh, seeds->items[i], &polygon)) enter(r, polygon);
  if (r->depth == 0)
    return lwi_fail(error, LW_EMPTY, "no seed is within %g m of the ground: the first of %d is (%g, %g, %g)",
                    (double)LW_SEED_DISTANCE, seeds->count, (double)seeds->items[0].x,
                    (double)seeds->items[0].y, (double)seeds->items[0].z);
  spread(r);
  return LW_OK;
}

static lw_status drop_unreached(reach *r, const lwi_seeds *seeds, uint32_t found, lw_navmesh **rest,
                                lw_error *error) {
  lw_status status = find_reach(r, seeds, error);
  if (status != LW_OK || count_lost(r) == 0) return status;
  lwi_annotations annotations = r->mesh->annotations;
  annotations.request_count = keep_requests(r, found);
  annotations.requests = r->requests;
  return build_without(r->mesh, r->drop, &annotations, rest, error);
}

lw_status lwi_unreachable_drop(lw_navmesh **mesh, const lwi_seeds *seeds, uint32_t found, int *islands,
                               lw_error *error) {
  *islands = 0;
  if (seeds->count == 0) return LW_OK;
  lw_navmesh *whole = *mesh, *rest = NULL;
  lwi_memory memory = lwi_memory_make(&whole->memory.allocator);
  const uint32_t polygons = whole->polygons.count, requests = whole->annotations.request_count;
  reach r = {.mesh = whole,
             .drop = lwi_alloc(&memory, polygons * sizeof *r.drop),
             .stack = lwi_alloc(&memory, polygons * sizeof *r.stack),
             .requests = lwi_alloc(&memory, requests * sizeof *r.requests)};
  const bool has_memory = r.drop && r.stack && (r.requests || requests == 0);
  lw_status status =
      has_memory ? drop_unreached(&r, seeds, found, &rest, error) : lwi_fail_status(error, LW_OUT_OF_MEMORY);
  if (rest) *islands = count_lost(&r);
  lwi_free(&memory, r.drop, polygons * sizeof *r.drop);
  lwi_free(&memory, r.stack, polygons * sizeof *r.stack);
  lwi_free(&memory, r.requests, requests * sizeof *r.requests);
  if (status == LW_OK && !rest) return LW_OK;
  lw_navmesh_destroy(whole);
  *mesh = rest;
  return status;
}
