#include "mesh/build.h"

#include "core/hash.h"
#include "core/status.h"
#include "mesh/mesh.h"

#include <string.h>

typedef struct totals {
  uint64_t polygons, vertices, corners, detail_vertices, detail_triangles;
  bool has_detail;
} totals;

static totals count_all(const lwi_navmesh_source *source) {
  totals sum = {0};
  for (int i = 0; i < source->tile_count; i++) {
    const lwi_tile_source *tile = &source->tiles[i];
    sum.polygons += (uint64_t)tile->polygon_count;
    sum.vertices += (uint64_t)tile->vertex_count;
    sum.corners += (uint64_t)tile->first_corner[tile->polygon_count];
    if (!tile->first_detail_vertex) continue;
    sum.has_detail = true;
    sum.detail_vertices += (uint64_t)tile->first_detail_vertex[tile->polygon_count];
    sum.detail_triangles += (uint64_t)tile->first_detail_triangle[tile->polygon_count];
  }
  return sum;
}

/* An array of at least one element, so that NULL always means that there is no memory. */
static bool make_array(lw_navmesh *mesh, void *array, uint64_t count, size_t size) {
  void *block = lwi_alloc(&mesh->memory, (size_t)count * size);
  memcpy(array, &block, sizeof block);
  return block != NULL || count == 0;
}

static bool make_arrays(lw_navmesh *mesh, const totals *sum, int tile_count) {
  uint64_t polygons = sum->polygons;
  mesh->polygon_count = (uint32_t)polygons;
  mesh->vertex_count = (uint32_t)sum->vertices;
  mesh->corner_count = (uint32_t)sum->corners;
  mesh->detail_vertex_count = (uint32_t)sum->detail_vertices;
  mesh->detail_triangle_count = (uint32_t)sum->detail_triangles;
  mesh->tile_count = tile_count;
  bool made = make_array(mesh, &mesh->tiles, (uint64_t)tile_count, sizeof *mesh->tiles) &&
              make_array(mesh, &mesh->vertices, sum->vertices, sizeof *mesh->vertices) &&
              make_array(mesh, &mesh->first_corner, polygons + 1, sizeof *mesh->first_corner) &&
              make_array(mesh, &mesh->corners, sum->corners, sizeof *mesh->corners) &&
              make_array(mesh, &mesh->border, sum->corners, 1) &&
              make_array(mesh, &mesh->poly_areas, polygons, sizeof *mesh->poly_areas) &&
              make_array(mesh, &mesh->tile_of, polygons, sizeof *mesh->tile_of) &&
              make_array(mesh, &mesh->heights, polygons, sizeof *mesh->heights) &&
              make_array(mesh, &mesh->area_sums, polygons + 1, sizeof *mesh->area_sums);
  if (!made || !sum->has_detail) return made;
  return make_array(mesh, &mesh->first_detail_vertex, polygons + 1, sizeof *mesh->first_detail_vertex) &&
         make_array(mesh, &mesh->detail_vertices, sum->detail_vertices, sizeof *mesh->detail_vertices) &&
         make_array(mesh, &mesh->first_detail_triangle, polygons + 1, sizeof *mesh->first_detail_triangle) &&
         make_array(mesh, &mesh->detail_triangles, sum->detail_triangles * 3, 1);
}

/* How much of each array is filled. */
typedef struct cursor {
  uint32_t polygon, vertex, corner, detail_vertex, detail_triangle;
} cursor;

static void copy_from(uint32_t *to, const int *from, int count, uint32_t base) {
  for (int i = 0; i < count; i++) to[i] = (uint32_t)from[i] + base;
}

static void copy_bytes(void *to, const void *from, size_t size) {
  if (size > 0) memcpy(to, from, size);
}

static void copy_detail(lw_navmesh *mesh, const lwi_tile_source *source, cursor *at) {
  int polygons = source->polygon_count;
  if (!source->first_detail_vertex) { /* among tiles that have some, a tile without */
    for (int i = 0; i <= polygons; i++) {
      mesh->first_detail_vertex[at->polygon + (uint32_t)i] = at->detail_vertex;
      mesh->first_detail_triangle[at->polygon + (uint32_t)i] = at->detail_triangle;
    }
    return;
  }
  uint32_t vertices = (uint32_t)source->first_detail_vertex[polygons];
  uint32_t triangles = (uint32_t)source->first_detail_triangle[polygons];
  copy_from(mesh->first_detail_vertex + at->polygon, source->first_detail_vertex, polygons + 1,
            at->detail_vertex);
  copy_from(mesh->first_detail_triangle + at->polygon, source->first_detail_triangle, polygons + 1,
            at->detail_triangle);
  copy_bytes(mesh->detail_vertices + at->detail_vertex, source->detail_vertices, vertices * sizeof(lw_vec3));
  copy_bytes(mesh->detail_triangles + 3 * (size_t)at->detail_triangle, source->detail_triangles,
             triangles * (size_t)3);
  at->detail_vertex += vertices;
  at->detail_triangle += triangles;
}

static void copy_tile(lw_navmesh *mesh, const lwi_tile_source *source, uint32_t index, cursor *at) {
  uint32_t polygons = (uint32_t)source->polygon_count, vertices = (uint32_t)source->vertex_count;
  uint32_t corners = (uint32_t)source->first_corner[polygons];
  mesh->tiles[index] = (lwi_tile){
      .x = source->x,
      .z = source->z,
      .bounds = source->bounds,
      .generation = 1,
      .first_polygon = at->polygon,
      .polygon_count = polygons,
      .first_vertex = at->vertex,
      .vertex_count = vertices,
  };
  copy_bytes(mesh->vertices + at->vertex, source->vertices, vertices * sizeof(lw_vec3));
  copy_from(mesh->first_corner + at->polygon, source->first_corner, source->polygon_count + 1, at->corner);
  copy_from(mesh->corners + at->corner, source->corners, (int)corners, at->vertex);
  if (source->border)
    copy_bytes(mesh->border + at->corner, source->border, corners);
  else
    memset(mesh->border + at->corner, LWI_BORDER_ANY, corners);
  copy_bytes(mesh->poly_areas + at->polygon, source->areas, polygons);
  for (uint32_t i = 0; i < polygons; i++) mesh->tile_of[at->polygon + i] = index;
  if (mesh->first_detail_vertex) copy_detail(mesh, source, at);
  at->polygon += polygons;
  at->vertex += vertices;
  at->corner += corners;
}

static lwi_heights heights_of(const lw_navmesh *mesh, uint32_t index) {
  lwi_polygon polygon = lwi_polygon_get(mesh, index);
  lwi_heights heights = {INFINITY, -INFINITY};
  for (uint32_t i = 0; i < polygon.count; i++) {
    heights.low = fminf(heights.low, lwi_corner(&polygon, i).y);
    heights.high = fmaxf(heights.high, lwi_corner(&polygon, i).y);
  }
  if (!mesh->first_detail_vertex) return heights;
  for (uint32_t i = mesh->first_detail_vertex[index]; i < mesh->first_detail_vertex[index + 1]; i++) {
    heights.low = fminf(heights.low, mesh->detail_vertices[i].y);
    heights.high = fmaxf(heights.high, mesh->detail_vertices[i].y);
  }
  return heights;
}

/* Bounds, heights, and the running sum of areas. */
static void measure(lw_navmesh *mesh) {
  mesh->bounds = lwi_box_empty();
  mesh->area_sums[0] = 0;
  for (uint32_t p = 0; p < mesh->polygon_count; p++) {
    lwi_polygon polygon = lwi_polygon_get(mesh, p);
    mesh->heights[p] = heights_of(mesh, p);
    mesh->area_sums[p + 1] = mesh->area_sums[p] + lwi_polygon_area2(&polygon) / 2;
    for (uint32_t i = 0; i < polygon.count; i++)
      mesh->bounds = lwi_box_add(mesh->bounds, lwi_corner(&polygon, i));
  }
}

/* Tiles of different navmeshes begin with different generations, so that an id of one is stale in another (but for one
   pair of navmeshes in 32,767); the same navmesh, baked or loaded, always has the same ids. 15 bits, so that ids are positive in Lua. */
static void number_generations(lw_navmesh *mesh) {
  const uint32_t counts[] = {mesh->polygon_count, mesh->vertex_count, mesh->corner_count,
                             (uint32_t)mesh->tile_count};
  uint64_t hash = lwi_hash(LWI_HASH_SEED, counts, sizeof counts);
  hash = lwi_hash(hash, &mesh->bounds, sizeof mesh->bounds);
  hash = lwi_hash(hash, &mesh->agent, sizeof mesh->agent);
  hash = lwi_hash(hash, &mesh->area_sums[mesh->polygon_count], sizeof *mesh->area_sums);
  for (int i = 0; i < mesh->tile_count; i++) mesh->tiles[i].generation = 1 + (uint32_t)(hash % 32767);
}

static lw_status build(lw_navmesh *mesh, const lwi_navmesh_source *source, lw_error *error) {
  totals sum = count_all(source);
  if (source->tile_count > LWI_MAX_TILES)
    return lwi_fail(error, LW_LIMIT, "%d tiles are more than %d: raise tile_size", source->tile_count,
                    LWI_MAX_TILES);
  if (sum.polygons >= LWI_NONE || sum.corners >= LWI_NONE || sum.detail_vertices >= LWI_NONE ||
      sum.detail_triangles >= LWI_NONE)
    return lwi_fail(error, LW_LIMIT, "the navmesh has more polygons than 32 bits can number");
  bool done = make_arrays(mesh, &sum, source->tile_count);
  if (done) {
    cursor at = {0};
    mesh->first_corner[0] = 0;
    for (int i = 0; i < source->tile_count; i++) copy_tile(mesh, &source->tiles[i], (uint32_t)i, &at);
    measure(mesh);
    number_generations(mesh);
    done = lwi_graph_link(mesh) && lwi_graph_islands(mesh) && lwi_graph_grid(mesh);
  }
  return done ? LW_OK : lwi_fail_status(error, LW_OUT_OF_MEMORY);
}

lw_status lwi_navmesh_build(const lwi_navmesh_source *source, lw_navmesh **navmesh, lw_error *error) {
  *navmesh = NULL;
  lwi_memory memory = lwi_memory_make(source->allocator);
  lw_navmesh *mesh = lwi_alloc_zero(&memory, sizeof *mesh);
  if (!mesh) return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  mesh->memory = memory;
  mesh->areas = source->areas;
  mesh->agent = source->agent;
  mesh->tile_size = source->tile_size;
  mesh->offmesh_refused = source->offmesh_refused;
  mesh->part = source->part;
  lw_status status = build(mesh, source, error);
  if (status == LW_OK)
    *navmesh = mesh;
  else
    lw_navmesh_destroy(mesh);
  return status;
}
