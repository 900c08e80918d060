#include "mesh/build.h"

#include "core/hash.h"
#include "core/status.h"
#include "mesh/sections.h"
#include "mesh/weld.h"

#include <string.h>

typedef struct totals {
  uint64_t polygons, corners, detail_vertices, detail_triangles;
} totals;

static totals count_all(const lwi_navmesh_source *source) {
  totals sum = {0};
  for (int i = 0; i < source->tile_count; i++) {
    const lwi_tile_source *tile = &source->tiles[i];
    sum.polygons += (uint64_t)tile->polygon_count;
    sum.corners += (uint64_t)tile->first_corner[tile->polygon_count];
    if (!tile->first_detail_vertex) continue;
    sum.detail_vertices += (uint64_t)tile->first_detail_vertex[tile->polygon_count];
    sum.detail_triangles += (uint64_t)tile->first_detail_triangle[tile->polygon_count];
  }
  return sum;
}

static bool make_array(lw_navmesh *mesh, int which) {
  size_t size = (size_t)lwi_section_size(mesh, which);
  void *array = lwi_alloc_zero(&mesh->memory, size);
  lwi_section_set(mesh, which, array);
  return array != NULL || size == 0;
}

static bool make_arrays(lw_navmesh *mesh, const totals *sum, int tile_count) {
  static const int sections[] = {LWI_TILES,
                                 LWI_RANGES,
                                 LWI_CORNERS,
                                 LWI_EDGES,
                                 LWI_AREAS,
                                 LWI_EXPOSURES,
                                 LWI_DEEP_WATERS,
                                 LWI_DETAIL_VERTEX_RANGES,
                                 LWI_DETAIL_VERTICES,
                                 LWI_DETAIL_TRIANGLE_RANGES,
                                 LWI_DETAIL_TRIANGLES,
                                 LWI_REQUESTS,
                                 LWI_WATERS,
                                 LWI_WATER_POINTS,
                                 LWI_OCCLUDER_NODES,
                                 LWI_OCCLUDER_LEAVES,
                                 LWI_OCCLUDER_BLOCKS,
                                 LWI_OCCLUDER_NUMBERS,
                                 LWI_OCCLUDER_VERTICES,
                                 LWI_COVER_VETOES,
                                 LWI_COVER_VETO_POINTS,
                                 LWI_COVER_ADDED};
  mesh->polygon_count = (uint32_t)sum->polygons;
  mesh->corner_count = (uint32_t)sum->corners;
  mesh->tile_count = (uint32_t)tile_count;
  if (sum->detail_triangles > 0) {
    mesh->detail_vertex_count = (uint32_t)sum->detail_vertices;
    mesh->detail_triangle_count = (uint32_t)sum->detail_triangles;
  }
  for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
    if (!make_array(mesh, sections[i])) return false;
  return true;
}

/* How much of each array is filled. */
typedef struct cursor {
  uint32_t polygon, corner, detail_vertex, detail_triangle;
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

static uint8_t edge_byte(const lwi_tile_source *source, uint32_t corner) {
  uint32_t flags = source->border ? source->border[corner] : LWI_BORDER_ANY;
  return (uint8_t)((flags == LWI_BORDER_ANY ? LWI_EDGE_ANY : flags) << 5 | LWI_EDGE_WALL);
}

static void copy_corners(lw_navmesh *mesh, const lwi_tile_source *source, uint32_t polygon, uint32_t at) {
  uint32_t first = (uint32_t)source->first_corner[polygon];
  uint32_t count = (uint32_t)source->first_corner[polygon + 1] - first;
  float *to = mesh->corners + 3 * (size_t)at;
  for (uint32_t i = 0; i < count; i++) {
    lw_vec3 v = source->vertices[source->corners[first + i]];
    to[i] = v.x;
    to[count + i] = v.z;
    to[2 * count + i] = v.y;
    mesh->edges[at + i] = edge_byte(source, first + i);
  }
}

static void copy_tile(lw_navmesh *mesh, const lwi_tile_source *source, uint32_t index, cursor *at) {
  uint32_t polygons = (uint32_t)source->polygon_count;
  mesh->tiles[index] = (lwi_tile){.x = source->x,
                                  .z = source->z,
                                  .bounds = source->bounds,
                                  .first_polygon = at->polygon,
                                  .polygon_count = polygons};
  for (uint32_t p = 0; p < polygons; p++) {
    uint32_t corner = at->corner + (uint32_t)source->first_corner[p];
    mesh->ranges[at->polygon + p] = (lwi_ranges){.first_corner = corner, .tile = index};
    copy_corners(mesh, source, p, corner);
  }
  copy_bytes(mesh->poly_areas + at->polygon, source->areas, polygons);
  if (source->exposures)
    copy_bytes(mesh->exposures + at->polygon, source->exposures, polygons);
  else
    memset(mesh->exposures + at->polygon, 255, polygons);
  if (source->deep_waters) copy_bytes(mesh->deep_waters + at->polygon, source->deep_waters, polygons);
  if (mesh->first_detail_vertex) copy_detail(mesh, source, at);
  at->polygon += polygons;
  at->corner += (uint32_t)source->first_corner[polygons];
}

static void copy_annotations(lw_navmesh *mesh, const lwi_annotations *from) {
  copy_bytes(mesh->requests, from->requests, from->request_count * sizeof *from->requests);
  copy_bytes(mesh->waters, from->waters, from->water_count * sizeof *from->waters);
  copy_bytes(mesh->water_points, from->water_points, from->water_point_count * sizeof *from->water_points);
  const lwi_occluders *blind = &from->occluders;
  copy_bytes(mesh->occluders.nodes, blind->nodes, blind->node_count * sizeof *blind->nodes);
  copy_bytes(mesh->occluders.leaves, blind->leaves, blind->leaf_count * sizeof *blind->leaves);
  copy_bytes(mesh->occluders.blocks, blind->blocks, blind->block_count * sizeof *blind->blocks);
  copy_bytes(mesh->occluders.vertices, blind->vertices,
             lwi_occluder_vertex_numbers(blind->vertex_count) * sizeof *blind->vertices);
  copy_bytes(mesh->occluders.numbers, blind->numbers, blind->number_count * sizeof *blind->numbers);
  const lwi_cover *cover = &from->cover;
  copy_bytes(mesh->cover.vetoes, cover->vetoes, cover->veto_count * sizeof *cover->vetoes);
  copy_bytes(mesh->cover.veto_points, cover->veto_points, cover->veto_point_count * sizeof *cover->veto_points);
  copy_bytes(mesh->cover.added, cover->added, cover->added_count * sizeof *cover->added);
}

/* Bounds and area. */
static void measure(lw_navmesh *mesh) {
  mesh->bounds = lwi_box_empty();
  for (uint32_t p = 0; p < mesh->polygon_count; p++) {
    lwi_polygon polygon = lwi_polygon_get(mesh, p);
    mesh->area += lwi_polygon_area2(&polygon) / 2;
    for (uint32_t i = 0; i < polygon.count; i++)
      mesh->bounds = lwi_box_add(mesh->bounds, lwi_corner(&polygon, i));
  }
}

/* Corners of one tile at one place get the same number, whatever their sources numbered them. */
static bool number_corners(lw_navmesh *mesh, uint32_t *numbers) {
  lw_vec3 *places = lwi_alloc(&mesh->memory, mesh->corner_count * sizeof *places);
  bool done = places != NULL;
  for (uint32_t t = 0; done && t < mesh->tile_count; t++) {
    uint32_t first = mesh->tiles[t].first_polygon, end = first + mesh->tiles[t].polygon_count;
    uint32_t corner = mesh->ranges[first].first_corner;
    int count = 0, different;
    for (uint32_t p = first; p < end; p++) {
      lwi_polygon polygon = lwi_polygon_get(mesh, p);
      for (uint32_t i = 0; i < polygon.count; i++) places[count++] = lwi_corner(&polygon, i);
    }
    int *out = (int *)(numbers + corner);
    done = lwi_weld(&mesh->memory, places, count, out, NULL, &different);
    for (int i = 0; done && i < count; i++) out[i] += (int)mesh->vertex_count;
    mesh->vertex_count += (uint32_t)different;
  }
  lwi_free(&mesh->memory, places, mesh->corner_count * sizeof *places);
  return done;
}

static lw_status link(lw_navmesh *mesh) {
  size_t size = mesh->corner_count * sizeof(uint32_t);
  uint32_t *numbers = lwi_alloc(&mesh->memory, size);
  bool done = size == 0 || (numbers && number_corners(mesh, numbers));
  done = done && lwi_graph_link(mesh, numbers);
  lwi_free(&mesh->memory, numbers, size);
  if (!done) return LW_OUT_OF_MEMORY;
  return mesh->stretch_count > LWI_MAX_STRETCHES ? LW_LIMIT : LW_OK;
}

static lw_status build(lw_navmesh *mesh, const lwi_navmesh_source *source, lw_error *error) {
  totals sum = count_all(source);
  if (source->tile_count > LWI_MAX_TILES)
    return lwi_fail(error, LW_LIMIT, "%d tiles are more than %d: raise tile_size", source->tile_count,
                    LWI_MAX_TILES);
  if (sum.polygons >= LWI_NONE || sum.detail_vertices >= LWI_NONE || sum.detail_triangles >= LWI_NONE ||
      sum.corners >= INT32_MAX)
    return lwi_fail(error, LW_LIMIT, "the navmesh has more polygons than 32 bits can number");
  if (!make_arrays(mesh, &sum, source->tile_count)) return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  cursor at = {0};
  for (int i = 0; i < source->tile_count; i++) copy_tile(mesh, &source->tiles[i], (uint32_t)i, &at);
  mesh->ranges[at.polygon].first_corner = at.corner;
  copy_annotations(mesh, &source->annotations);
  measure(mesh);
  lw_status status = link(mesh);
  if (status == LW_LIMIT)
    return lwi_fail(error, LW_LIMIT, "more than %d edges meet only in part", LWI_MAX_STRETCHES);
  bool done = status == LW_OK && lwi_generations_make(mesh) && lwi_graph_islands(mesh) &&
              lwi_graph_detail_boxes(mesh) && lwi_graph_aliases(mesh) && lwi_graph_grid(mesh) &&
              lwi_graph_join(mesh) && lwi_sections_pack(mesh);
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
  mesh->request_count = source->annotations.request_count;
  mesh->water_count = source->annotations.water_count;
  mesh->water_point_count = source->annotations.water_point_count;
  mesh->occluders = source->annotations.occluders; /* the arrays are made below */
  mesh->occluders.nodes = NULL;
  mesh->occluders.leaves = NULL;
  mesh->occluders.blocks = NULL;
  mesh->occluders.vertices = NULL;
  mesh->occluders.numbers = NULL;
  const lwi_cover *cover = &source->annotations.cover; /* segments are found when the mesh is done */
  mesh->cover = (lwi_cover){.veto_count = cover->veto_count,
                            .veto_point_count = cover->veto_point_count,
                            .added_count = cover->added_count};
  mesh->part = source->part;
  lw_status status = build(mesh, source, error);
  if (status == LW_OK)
    *navmesh = mesh;
  else
    lw_navmesh_destroy(mesh);
  return status;
}
