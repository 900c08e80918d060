#include "mesh/sources.h"

#include "core/status.h"
#include "mesh/build.h"

#include <string.h>

/* Lays out a tile's arrays one after the other in a block. */
typedef struct copier {
  unsigned char *at; /* NULL: only measure the block */
  size_t size;
} copier;

static void *take(copier *copy, size_t size) {
  void *array = copy->at ? copy->at + copy->size : NULL;
  copy->size += (size + 7) & ~(size_t)7;
  return array;
}

typedef struct tile_arrays {
  lw_vec3 *places, *vertices, *detail_vertices;
  int *first_corner, *corners, *first_detail_vertex, *first_detail_triangle;
  uint8_t *border, *areas, *openness, *depths, *headrooms, *steps, *detail_triangles;
} tile_arrays;

static tile_arrays make_arrays(copier *copy, const lw_navmesh *mesh, const lwi_tile *tile) {
  uint32_t first = tile->first_polygon, end = first + tile->polygon_count;
  size_t polygons = tile->polygon_count,
         corners = mesh->polygons.ranges[end].first_corner - mesh->polygons.ranges[first].first_corner;
  tile_arrays arrays = {.places = take(copy, corners * sizeof(lw_vec3)),
                        .vertices = take(copy, corners * sizeof(lw_vec3)),
                        .first_corner = take(copy, (polygons + 1) * sizeof(int)),
                        .corners = take(copy, corners * sizeof(int)),
                        .border = take(copy, corners),
                        .areas = take(copy, polygons),
                        .openness = take(copy, polygons),
                        .depths = take(copy, 2 * polygons),
                        .headrooms = take(copy, polygons),
                        .steps = take(copy, polygons)};
  if (!mesh->detail.first_vertex) return arrays;
  size_t vertices = mesh->detail.first_vertex[end] - mesh->detail.first_vertex[first];
  size_t triangles = mesh->detail.first_triangle[end] - mesh->detail.first_triangle[first];
  arrays.first_detail_vertex = take(copy, (polygons + 1) * sizeof(int));
  arrays.detail_vertices = take(copy, vertices * sizeof(lw_vec3));
  arrays.first_detail_triangle = take(copy, (polygons + 1) * sizeof(int));
  arrays.detail_triangles = take(copy, 3 * triangles);
  return arrays;
}

static void copy_polygons(const tile_arrays *to, const lw_navmesh *mesh, const lwi_tile *tile) {
  uint32_t first = tile->first_polygon, corner = mesh->polygons.ranges[first].first_corner;
  for (uint32_t p = 0; p < tile->polygon_count; p++) {
    lwi_polygon polygon = lwi_polygon_get(mesh, first + p);
    uint32_t at = mesh->polygons.ranges[first + p].first_corner - corner;
    to->first_corner[p] = (int)at;
    for (uint32_t i = 0; i < polygon.count; i++) {
      to->places[at + i] = lwi_corner(&polygon, i);
      to->border[at + i] = lwi_edge_border(mesh->polygons.edges[corner + at + i]);
    }
  }
  to->first_corner[tile->polygon_count] =
      (int)(mesh->polygons.ranges[first + tile->polygon_count].first_corner - corner);
  memcpy(to->areas, mesh->polygons.areas + first, tile->polygon_count);
  memcpy(to->openness, mesh->polygons.openness + first, tile->polygon_count);
  memcpy(to->depths, mesh->polygons.depths + 2 * (size_t)first, 2 * (size_t)tile->polygon_count);
  memcpy(to->headrooms, mesh->polygons.headrooms + first, tile->polygon_count);
  memcpy(to->steps, mesh->polygons.steps + first, tile->polygon_count);
}

static void copy_detail(const tile_arrays *to, const lw_navmesh *mesh, const lwi_tile *tile) {
  uint32_t first = tile->first_polygon, end = first + tile->polygon_count;
  uint32_t vertex = mesh->detail.first_vertex[first], triangle = mesh->detail.first_triangle[first];
  for (uint32_t p = 0; p <= tile->polygon_count; p++) {
    to->first_detail_vertex[p] = (int)(mesh->detail.first_vertex[first + p] - vertex);
    to->first_detail_triangle[p] = (int)(mesh->detail.first_triangle[first + p] - triangle);
  }
  if (mesh->detail.first_vertex[end] > vertex)
    memcpy(to->detail_vertices, mesh->detail.vertices + vertex,
           (mesh->detail.first_vertex[end] - vertex) * sizeof(lw_vec3));
  memcpy(to->detail_triangles, mesh->detail.triangles + 3 * (size_t)triangle,
         3 * (size_t)(mesh->detail.first_triangle[end] - triangle));
}

static bool add_tile(lwi_sources *sources, const lw_navmesh *mesh, const lwi_tile *tile) {
  copier copy = {0};
  make_arrays(&copy, mesh, tile);
  lwi_tile_copy block = {.size = copy.size};
  if (!(block.block = lwi_alloc(&sources->memory, block.size))) return false;
  sources->copies[sources->copy_count++] = block;
  copy = (copier){.at = block.block};
  tile_arrays arrays = make_arrays(&copy, mesh, tile);
  copy_polygons(&arrays, mesh, tile);
  if (mesh->detail.first_vertex) copy_detail(&arrays, mesh, tile);
  lwi_tile_source source = {.x = tile->x,
                            .z = tile->z,
                            .bounds = tile->bounds,
                            .polygon_count = (int)tile->polygon_count,
                            .vertices = arrays.vertices,
                            .first_corner = arrays.first_corner,
                            .corners = arrays.corners,
                            .border = arrays.border,
                            .areas = arrays.areas,
                            .openness = arrays.openness,
                            .depths = arrays.depths,
                            .headrooms = arrays.headrooms,
                            .steps = arrays.steps,
                            .first_detail_vertex = arrays.first_detail_vertex,
                            .detail_vertices = arrays.detail_vertices,
                            .first_detail_triangle = arrays.first_detail_triangle,
                            .detail_triangles = arrays.detail_triangles};
  if (!lwi_weld(&sources->memory, arrays.places, arrays.first_corner[tile->polygon_count], arrays.corners,
                arrays.vertices, &source.vertex_count))
    return false;
  sources->tiles[sources->count++] = source;
  return true;
}

bool lwi_sources_add_some(lwi_sources *sources, const lw_navmesh *mesh,
                          bool (*wanted)(const void *user, const lw_navmesh *mesh, const lwi_tile *tile),
                          const void *user) {
  for (uint32_t i = 0; i < mesh->tiles.count; i++) {
    const int needed = sources->count + 1;
    if (wanted && !wanted(user, mesh, &mesh->tiles.items[i])) continue;
    if (!lwi_reserve(&sources->memory, &sources->tiles, &sources->tile_capacity, needed,
                     sizeof *sources->tiles) ||
        !lwi_reserve(&sources->memory, &sources->copies, &sources->copy_capacity, needed,
                     sizeof *sources->copies) ||
        !add_tile(sources, mesh, &mesh->tiles.items[i]))
      return false;
  }
  return true;
}

bool lwi_sources_add(lwi_sources *sources, const lw_navmesh *mesh) {
  return lwi_sources_add_some(sources, mesh, NULL, NULL);
}

void lwi_sources_free(lwi_sources *sources) {
  lwi_memory *memory = &sources->memory;
  for (int i = 0; i < sources->copy_count; i++)
    lwi_free(memory, sources->copies[i].block, sources->copies[i].size);
  lwi_free(memory, sources->copies, (size_t)sources->copy_capacity * sizeof *sources->copies);
  lwi_free(memory, sources->tiles, (size_t)sources->tile_capacity * sizeof *sources->tiles);
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

static lw_status build_without(const lw_navmesh *mesh, const bool *drop, lw_navmesh **result, lw_error *error) {
  const lw_allocator *allocator = &mesh->memory.allocator;
  lwi_sources sources = {.memory = lwi_memory_make(allocator)};
  bool copied = lwi_sources_add(&sources, mesh) && drop_all(&sources, drop);
  lwi_navmesh_source source = {.areas = mesh->areas,
                               .allocator = allocator,
                               .agent = mesh->agent,
                               .tile_size = mesh->tile_size,
                               .tile_count = sources.count,
                               .tiles = sources.tiles,
                               .annotations = mesh->annotations,
                               .attachments = mesh->attachments};
  lw_status status =
      copied ? lwi_navmesh_build(&source, result, error) : lwi_fail_status(error, LW_OUT_OF_MEMORY);
  lwi_sources_free(&sources);
  return status;
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
  lw_status status = build_without(mesh, cut->drop, result, error);
  if (status != LW_OK || !keep_linked(mesh, *result, cut->areas)) return status;
  lw_navmesh_destroy(*result);
  *result = NULL;
  cut->islands = mark_small(mesh, cut->min_area, cut->areas, cut->drop);
  return cut->islands > 0 ? build_without(mesh, cut->drop, result, error) : LW_OK;
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
