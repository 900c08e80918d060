/* Islands that are smaller than asked for. Recast drops small regions within a tile, but keeps those that touch the
   tile's border, because they may go on behind it: that is known only when the tiles are joined. */
#include "core/status.h"
#include "mesh/sources.h"

#include <string.h>

/* @param areas  [island_count] Zeroed. */
static void measure(const lw_navmesh *mesh, float *areas) {
  for (uint32_t p = 0; p < mesh->polygon_count; p++) areas[mesh->islands[p]] += (float)lwi_area_of(mesh, p);
}

/* Mark what to drop. @return How many islands. */
static int mark(const lw_navmesh *mesh, float min_area, const float *areas, bool *drop) {
  int islands = 0;
  for (uint32_t p = 0; p < mesh->polygon_count; p++) drop[p] = areas[mesh->islands[p]] < min_area;
  for (uint32_t i = 0; i < mesh->island_count; i++) islands += areas[i] < min_area;
  return islands;
}

/* A source's arrays, to be written to. */
typedef struct arrays {
  lw_vec3 *vertices, *detail_vertices;
  int *first_corner, *corners, *first_detail_vertex, *first_detail_triangle;
  uint8_t *border, *areas, *exposures, *deep_waters, *detail_triangles;
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
                  .exposures = (uint8_t *)tile->exposures,
                  .deep_waters = (uint8_t *)tile->deep_waters,
                  .detail_triangles = (uint8_t *)tile->detail_triangles};
}

/* How much of each array is kept. */
typedef struct kept {
  int polygons, corners, vertices, triangles; /* the last two of the detail */
} kept;

/* What is kept never moves up, so that nothing is overwritten that is still to be read. */
static void keep_corners(arrays *a, int polygon, kept *k) {
  int first = a->first_corner[polygon], count = a->first_corner[polygon + 1] - first;
  memmove(a->corners + k->corners, a->corners + first, (size_t)count * sizeof(int));
  memmove(a->border + k->corners, a->border + first, (size_t)count);
  a->areas[k->polygons] = a->areas[polygon];
  a->exposures[k->polygons] = a->exposures[polygon];
  a->deep_waters[k->polygons] = a->deep_waters[polygon];
  a->first_corner[k->polygons] = k->corners;
  k->corners += count;
}

static void keep_detail(arrays *a, int polygon, kept *k) {
  int vertex = a->first_detail_vertex[polygon], vertices = a->first_detail_vertex[polygon + 1] - vertex;
  int triangle = a->first_detail_triangle[polygon];
  int triangles = a->first_detail_triangle[polygon + 1] - triangle;
  memmove(a->detail_vertices + k->vertices, a->detail_vertices + vertex, (size_t)vertices * sizeof(lw_vec3));
  memmove(a->detail_triangles + 3 * (size_t)k->triangles, a->detail_triangles + 3 * (size_t)triangle,
          (size_t)triangles * 3);
  a->first_detail_vertex[k->polygons] = k->vertices;
  a->first_detail_triangle[k->polygons] = k->triangles;
  k->vertices += vertices;
  k->triangles += triangles;
}

/* Vertices that a corner still names move together; the corners follow. @param place  [vertex_count] */
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
    a.first_detail_vertex[k.polygons] = k.vertices;
    a.first_detail_triangle[k.polygons] = k.triangles;
  }
  tile->polygon_count = k.polygons;
  keep_vertices(tile, &a, k.corners, place);
  lwi_free(memory, place, places);
  return true;
}

/* In the order in which the navmesh numbers its polygons; tiles that become empty go. */
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

static lw_status build_without(const lw_navmesh *mesh, const bool *drop, lw_navmesh **result, lw_error *error) {
  const lw_allocator *allocator = &mesh->memory.allocator;
  lwi_sources sources = {.memory = lwi_memory_make(allocator)};
  bool made = lwi_sources_add(&sources, mesh) && drop_all(&sources, drop);
  lwi_navmesh_source source = {.areas = mesh->areas,
                               .allocator = allocator,
                               .agent = mesh->agent,
                               .tile_size = mesh->tile_size,
                               .tile_count = sources.count,
                               .tiles = sources.tiles,
                               .annotations = lwi_annotations_of(mesh)};
  lw_status status =
      made ? lwi_navmesh_build(&source, result, error) : lwi_fail_status(error, LW_OUT_OF_MEMORY);
  lwi_sources_free(&sources);
  return status;
}

/* A platform that an off-mesh link leads to is no decor, however small. Only where there is no larger island within the
   link's radius, so that links do not end on lamps. @return Whether there is anything to keep. */
static bool keep_linked(const lw_navmesh *whole, const lw_navmesh *rest, float *areas) {
  bool any = false;
  for (uint32_t i = 0; i < whole->request_count; i++) {
    const lwi_request *with = &whole->requests[i], *without = &rest->requests[i];
    if (with->state != LW_LINK_JOINED) continue;
    bool start = without->start.distance > without->radius, end = without->end.distance > without->radius;
    if (start) areas[whole->islands[with->start.polygon]] = INFINITY;
    if (end) areas[whole->islands[with->end.polygon]] = INFINITY;
    any |= start || end;
  }
  return any;
}

static lw_status find_and_drop(const lw_navmesh *mesh, float min_area, float *areas, bool *drop, int *islands,
                               lw_navmesh **result, lw_error *error) {
  measure(mesh, areas);
  *islands = mark(mesh, min_area, areas, drop);
  if (*islands == 0) return LW_OK;
  if (*islands == (int)mesh->island_count)
    return lwi_fail(error, LW_EMPTY, "nothing to walk on: every island is smaller than min_region_area %g m2",
                    (double)min_area);
  lw_status status = build_without(mesh, drop, result, error);
  if (status != LW_OK || !keep_linked(mesh, *result, areas)) return status;
  lw_navmesh_destroy(*result);
  *result = NULL;
  *islands = mark(mesh, min_area, areas, drop);
  return *islands > 0 ? build_without(mesh, drop, result, error) : LW_OK;
}

lw_status lwi_islands_drop(lw_navmesh **mesh, float min_area, int *islands, lw_error *error) {
  lw_navmesh *whole = *mesh, *rest = NULL;
  lwi_memory memory = lwi_memory_make(&whole->memory.allocator);
  size_t area_size = whole->island_count * sizeof(float), drop_size = whole->polygon_count * sizeof(bool);
  float *areas = lwi_alloc_zero(&memory, area_size);
  bool *drop = lwi_alloc(&memory, drop_size);
  *islands = 0;
  lw_status status = (areas || area_size == 0) && (drop || drop_size == 0)
                         ? find_and_drop(whole, min_area, areas, drop, islands, &rest, error)
                         : lwi_fail_status(error, LW_OUT_OF_MEMORY);
  lwi_free(&memory, areas, area_size);
  lwi_free(&memory, drop, drop_size);
  if (status == LW_OK && !rest) return LW_OK;
  lw_navmesh_destroy(whole);
  *mesh = rest;
  return status;
}
