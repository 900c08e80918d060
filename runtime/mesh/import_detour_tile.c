/* The contents of Detour's tiles; the layout is in import_detour.c. */
#include "mesh/import_detour.h"

#include "core/status.h"
#include "mesh/build.h"
#include "mesh/outline.h"

#include <stdio.h>

#define CORNERS_MAX 6
#define POLYGON_SIZE 32
#define BORDER 0x8000u
#define UNUSED (-1)
/* Detour's corners are rounded to a grid and then to floats. [m] */
#define CONVEX_SLACK 0.01

/* Memory for the arrays of all tiles; each tile's source points into it. */
typedef struct detour_scratch {
  size_t polygons, vertices, detail_vertices, triangles; /* sums over all tiles */
  size_t tiles;                                          /* those that have polygons */
  lwi_tile_source *sources;                              /* [tiles] */
  lw_vec3 *points;                                       /* [vertices] */
  int *renumbered;                                       /* [vertices] vertex to its index in the source */
  int *first_corner;                                     /* [polygons + tiles] */
  int *corners;                                          /* [6 * polygons] */
  int *behind;                               /* [6 * polygons] what the file says is behind each edge */
  uint8_t *border;                           /* [6 * polygons] */
  lw_area_id *areas;                         /* [polygons] */
  int *first_detail_vertex, *first_triangle; /* [polygons + tiles] */
  lw_vec3 *detail;                           /* [detail_vertices] */
  uint8_t *corners_of_triangles;             /* [3 * triangles] */
  size_t link_count;                         /* off-mesh connections */
  lwi_request *links;                        /* [link_count] */
} detour_scratch;

/* A tile being read. */
typedef struct tile_reader {
  const lwi_import *import;
  const lwi_detour_tile *tile;
  lwi_tile_source *source;
  int first_polygon; /* the tile's first polygon in the whole mesh */
  int *renumbered;   /* [vertex_count] */
  int *behind;       /* from the tile's first corner on */
  lw_vec3 *points;
  int *first_corner, *corners;
  uint8_t *border;
  lw_area_id *areas;
  int *first_detail_vertex, *first_triangle;
  lw_vec3 *detail;
  uint8_t *triangles;
} tile_reader;

/* "'file': tile 2, polygon 7 has ..." */
static lw_status wrong(const tile_reader *reader, int polygon, const char *what) {
  return lwi_fail(reader->import->error, LW_BAD_FILE, "'%s': tile %d, polygon %d %s", reader->import->name,
                  reader->tile->number, polygon + 1, what);
}

static lw_status check_points(const tile_reader *reader, lwi_detour_part part, uint32_t count,
                              const char *what) {
  for (uint32_t i = 0; i < count; i++) {
    lw_vec3 at = lwi_detour_point(reader->tile->parts[part] + 12 * (size_t)i);
    if (!lwi_detour_is_sane(at))
      return lwi_fail(reader->import->error, LW_BAD_FILE,
                      "'%s': tile %d: %s %u is (%g, %g, %g), expected numbers within +-1e+06",
                      reader->import->name, reader->tile->number, what, (unsigned)i + 1, (double)at.x,
                      (double)at.y, (double)at.z);
  }
  return LW_OK;
}

/* --- polygons --------------------------------------------------------------------------------------------- */

/* The border flag of the side, as the bake numbers them. @return 0: there is no such side. */
static uint8_t border_of(uint32_t side) {
  switch (side) {
  case 4: return 1; /* -x */
  case 2: return 2; /* +z */
  case 0: return 3; /* +x */
  case 6: return 4; /* -z */
  default: return 0;
  }
}

static lw_status read_neighbor(tile_reader *reader, int polygon, int corner, uint32_t neighbor) {
  char text[96];
  int at = reader->first_corner[polygon] + corner, ground = reader->source->polygon_count;
  reader->border[at] = 0;
  if (neighbor & BORDER) {
    reader->behind[at] = LWI_BEHIND_ANYTHING;
    reader->border[at] = border_of(neighbor & ~BORDER);
    if (reader->border[at] != 0) return LW_OK;
    snprintf(text, sizeof text, "has edge %d on side %u of the tile, expected 0, 2, 4 or 6", corner + 1,
             (unsigned)(neighbor & ~BORDER));
    return wrong(reader, polygon, text);
  }
  if (neighbor > (uint32_t)ground) {
    snprintf(text, sizeof text, "has polygon %u behind its edge %d, expected 1 to %d", (unsigned)neighbor,
             corner + 1, ground);
    return wrong(reader, polygon, text);
  }
  reader->behind[at] = neighbor == 0 ? LWI_BEHIND_NOTHING : reader->first_polygon + (int)neighbor - 1;
  return LW_OK;
}

/* Vertices are copied when a corner first names them, so those of off-mesh connections are left out. */
static lw_status read_corner(tile_reader *reader, int polygon, int corner, uint32_t vertex) {
  if (vertex >= reader->tile->counts[LWI_DETOUR_VERTEX_COUNT]) {
    char text[96];
    snprintf(text, sizeof text, "has vertex %u at its corner %d, expected 1 to %u", (unsigned)vertex + 1,
             corner + 1, (unsigned)reader->tile->counts[LWI_DETOUR_VERTEX_COUNT]);
    return wrong(reader, polygon, text);
  }
  int *number = &reader->renumbered[vertex];
  if (*number == UNUSED) {
    *number = reader->source->vertex_count++;
    reader->points[*number] = lwi_detour_point(reader->tile->parts[LWI_DETOUR_VERTICES] + 12 * (size_t)vertex);
  }
  reader->corners[reader->first_corner[polygon] + corner] = *number;
  return LW_OK;
}

static lw_status check_outline(const tile_reader *reader, int polygon, int count) {
  int corner;
  lwi_outline outline = {reader->points, reader->corners + reader->first_corner[polygon], count};
  lwi_outline_fault fault = lwi_outline_check(&outline, CONVEX_SLACK, &corner);
  if (fault == LWI_OUTLINE_CONVEX) return LW_OK;
  char text[160];
  lwi_outline_describe(&outline, fault, corner, text, sizeof text);
  return wrong(reader, polygon, text);
}

static lw_status read_area(tile_reader *reader, int polygon, unsigned area) {
  reader->areas[polygon] = reader->import->settings->areas[area];
  if (reader->areas[polygon] != LW_AREA_NONE) return LW_OK;
  return lwi_fail(reader->import->error, LW_NOT_FOUND,
                  "'%s': tile %d, polygon %d is of area %u, for which no name was given", reader->import->name,
                  reader->tile->number, polygon + 1, area);
}

static lw_status read_polygon(tile_reader *reader, int polygon) {
  const unsigned char *from = reader->tile->parts[LWI_DETOUR_POLYGONS] + POLYGON_SIZE * (size_t)polygon;
  int count = from[30];
  if (from[31] >> 6 != 0)
    return wrong(reader, polygon, "is not ground, but stands before the off-mesh connections");
  if (count < 3 || count > CORNERS_MAX) {
    char text[64];
    snprintf(text, sizeof text, "has %d corners, expected 3 to %d", count, CORNERS_MAX);
    return wrong(reader, polygon, text);
  }
  reader->first_corner[polygon + 1] = reader->first_corner[polygon] + count;
  lw_status status = read_area(reader, polygon, from[31] & 63u);
  for (int i = 0; i < count && status == LW_OK; i++) {
    status = read_corner(reader, polygon, i, lwi_detour_half(from + 4 + 2 * i));
    if (status == LW_OK) status = read_neighbor(reader, polygon, i, lwi_detour_half(from + 16 + 2 * i));
  }
  return status == LW_OK ? check_outline(reader, polygon, count) : status;
}

/* --- detail ----------------------------------------------------------------------------------------------- */

static lw_status read_detail(tile_reader *reader, int polygon) {
  const unsigned char *mesh = reader->tile->parts[LWI_DETOUR_MESHES] + 12 * (size_t)polygon;
  uint64_t vertex = lwi_detour_word(mesh), triangle = lwi_detour_word(mesh + 4);
  uint32_t vertices = mesh[8], triangles = mesh[9];
  uint32_t corners = (uint32_t)(reader->first_corner[polygon + 1] - reader->first_corner[polygon]);
  if (vertex + vertices > reader->tile->counts[LWI_DETOUR_DETAIL_VERTEX_COUNT])
    return wrong(reader, polygon, "has detail vertices that do not exist");
  if (triangle + triangles > reader->tile->counts[LWI_DETOUR_TRIANGLE_COUNT])
    return wrong(reader, polygon, "has detail triangles that do not exist");
  const unsigned char *from = reader->tile->parts[LWI_DETOUR_DETAIL_VERTICES] + 12 * (size_t)vertex;
  lw_vec3 *detail = reader->detail + reader->first_detail_vertex[polygon];
  for (uint32_t i = 0; i < vertices; i++) detail[i] = lwi_detour_point(from + 12 * (size_t)i);
  from = reader->tile->parts[LWI_DETOUR_TRIANGLES] + 4 * (size_t)triangle;
  uint8_t *to = reader->triangles + 3 * (size_t)reader->first_triangle[polygon];
  for (uint32_t i = 0; i < 3 * triangles; i++) {
    to[i] = from[i / 3 * 4 + i % 3];
    if (to[i] >= corners + vertices)
      return wrong(reader, polygon, "has a detail triangle whose corner does not exist");
  }
  reader->first_detail_vertex[polygon + 1] = reader->first_detail_vertex[polygon] + (int)vertices;
  reader->first_triangle[polygon + 1] = reader->first_triangle[polygon] + (int)triangles;
  return LW_OK;
}

/* In the file detail meshes may share vertices and triangles; here each polygon has its own, for which there
   may be too little memory. */
static lw_status check_detail_size(const tile_reader *reader) {
  uint64_t vertices = 0, triangles = 0;
  for (int i = 0; i < reader->source->polygon_count; i++) {
    const unsigned char *mesh = reader->tile->parts[LWI_DETOUR_MESHES] + 12 * (size_t)i;
    vertices += mesh[8];
    triangles += mesh[9];
  }
  if (vertices <= reader->tile->counts[LWI_DETOUR_DETAIL_VERTEX_COUNT] &&
      triangles <= reader->tile->counts[LWI_DETOUR_TRIANGLE_COUNT])
    return LW_OK;
  return lwi_fail(
      reader->import->error, LW_BAD_FILE,
      "'%s': tile %d: its polygons have %llu detail vertices and %llu triangles, but there are %u and %u",
      reader->import->name, reader->tile->number, (unsigned long long)vertices, (unsigned long long)triangles,
      (unsigned)reader->tile->counts[LWI_DETOUR_DETAIL_VERTEX_COUNT],
      (unsigned)reader->tile->counts[LWI_DETOUR_TRIANGLE_COUNT]);
}

static lw_status read_details(tile_reader *reader) {
  const uint32_t *counts = reader->tile->counts;
  lw_status status = check_detail_size(reader);
  if (status == LW_OK)
    status = check_points(reader, LWI_DETOUR_DETAIL_VERTICES, counts[LWI_DETOUR_DETAIL_VERTEX_COUNT],
                          "detail vertex");
  reader->first_detail_vertex[0] = reader->first_triangle[0] = 0;
  for (int i = 0; i < reader->source->polygon_count && status == LW_OK; i++) status = read_detail(reader, i);
  reader->source->first_detail_vertex = reader->first_detail_vertex;
  reader->source->detail_vertices = reader->detail;
  reader->source->first_detail_triangle = reader->first_triangle;
  reader->source->detail_triangles = reader->triangles;
  return status;
}

/* --- tiles ------------------------------------------------------------------------------------------------ */

static lw_status read_tile(tile_reader *reader) {
  const lwi_detour_tile *tile = reader->tile;
  uint32_t vertices = tile->counts[LWI_DETOUR_VERTEX_COUNT];
  *reader->source = (lwi_tile_source){
      .x = tile->x,
      .z = tile->z,
      .bounds = tile->bounds,
      .polygon_count = (int)tile->counts[LWI_DETOUR_GROUND_COUNT],
      .vertices = reader->points,
      .first_corner = reader->first_corner,
      .corners = reader->corners,
      .border = reader->border,
      .areas = reader->areas,
  };
  lw_status status = check_points(reader, LWI_DETOUR_VERTICES, vertices, "vertex");
  for (uint32_t i = 0; i < vertices; i++) reader->renumbered[i] = UNUSED;
  reader->first_corner[0] = 0;
  for (int i = 0; i < reader->source->polygon_count && status == LW_OK; i++) status = read_polygon(reader, i);
  if (status == LW_OK && tile->counts[LWI_DETOUR_MESH_COUNT] > 0) status = read_details(reader);
  return status;
}

/* Move on to the memory after what the tile has used. */
static void advance(tile_reader *reader) {
  const lwi_tile_source *source = reader->source;
  const uint32_t *counts = reader->tile->counts;
  int corners = source->first_corner[source->polygon_count];
  reader->first_polygon += source->polygon_count;
  reader->behind += corners;
  reader->points += source->vertex_count;
  reader->first_corner += source->polygon_count + 1;
  reader->corners += corners;
  reader->border += corners;
  reader->areas += source->polygon_count;
  reader->first_detail_vertex += source->polygon_count + 1;
  reader->first_triangle += source->polygon_count + 1;
  reader->detail += counts[LWI_DETOUR_DETAIL_VERTEX_COUNT];
  reader->triangles += 3 * (size_t)counts[LWI_DETOUR_TRIANGLE_COUNT];
  reader->source += 1;
}

static void count_all(const lwi_detour_tile *tiles, int count, detour_scratch *scratch) {
  for (int i = 0; i < count; i++) {
    const uint32_t *counts = tiles[i].counts;
    if (counts[LWI_DETOUR_GROUND_COUNT] == 0) continue;
    scratch->tiles += 1;
    scratch->polygons += counts[LWI_DETOUR_GROUND_COUNT];
    scratch->vertices += counts[LWI_DETOUR_VERTEX_COUNT];
    scratch->detail_vertices += counts[LWI_DETOUR_DETAIL_VERTEX_COUNT];
    scratch->triangles += counts[LWI_DETOUR_TRIANGLE_COUNT];
  }
}

/* No part is much larger than a file of 2 GiB, so a size_t holds the sum. @return NULL without a block. */
static void *slice(char *block, size_t *used, size_t count, size_t size) {
  size_t at = *used;
  *used += (count * size + 7) & ~(size_t)7;
  return block ? block + at : NULL;
}

/* @param block  NULL: only measure. @return The block's size. */
static size_t lay_out(detour_scratch *scratch, char *block) {
  size_t firsts = scratch->polygons + scratch->tiles, corners = CORNERS_MAX * scratch->polygons, used = 0;
  scratch->sources = slice(block, &used, scratch->tiles, sizeof *scratch->sources);
  scratch->points = slice(block, &used, scratch->vertices, sizeof *scratch->points);
  scratch->renumbered = slice(block, &used, scratch->vertices, sizeof *scratch->renumbered);
  scratch->first_corner = slice(block, &used, firsts, sizeof *scratch->first_corner);
  scratch->corners = slice(block, &used, corners, sizeof *scratch->corners);
  scratch->behind = slice(block, &used, corners, sizeof *scratch->behind);
  scratch->border = slice(block, &used, corners, 1);
  scratch->areas = slice(block, &used, scratch->polygons, sizeof *scratch->areas);
  scratch->first_detail_vertex = slice(block, &used, firsts, sizeof *scratch->first_detail_vertex);
  scratch->first_triangle = slice(block, &used, firsts, sizeof *scratch->first_triangle);
  scratch->detail = slice(block, &used, scratch->detail_vertices, sizeof *scratch->detail);
  scratch->corners_of_triangles = slice(block, &used, 3 * scratch->triangles, 1);
  scratch->links = slice(block, &used, scratch->link_count, sizeof *scratch->links);
  return used;
}

static lw_status read_tiles(const lwi_import *import, const lwi_detour_tile *tiles, int count,
                            const detour_scratch *scratch) {
  tile_reader reader = {
      .import = import,
      .source = scratch->sources,
      .renumbered = scratch->renumbered,
      .behind = scratch->behind,
      .points = scratch->points,
      .first_corner = scratch->first_corner,
      .corners = scratch->corners,
      .border = scratch->border,
      .areas = scratch->areas,
      .first_detail_vertex = scratch->first_detail_vertex,
      .first_triangle = scratch->first_triangle,
      .detail = scratch->detail,
      .triangles = scratch->corners_of_triangles,
  };
  for (int i = 0; i < count; i++) {
    if (tiles[i].counts[LWI_DETOUR_GROUND_COUNT] == 0) continue;
    reader.tile = &tiles[i];
    lw_status status = read_tile(&reader);
    if (status != LW_OK) return status;
    advance(&reader);
  }
  return LW_OK;
}

static lw_status build(const lwi_import *import, const lwi_detour_tile *tiles, int count, float tile_size,
                       const detour_scratch *scratch, lw_navmesh **navmesh) {
  lw_status status = read_tiles(import, tiles, count, scratch);
  if (status != LW_OK) return status;
  lwi_navmesh_source source = {
      .areas = import->areas,
      .allocator = import->settings->allocator,
      .agent = tiles[0].agent,
      .tile_size = tile_size,
      .tile_count = (int)scratch->tiles,
      .tiles = scratch->sources,
      .annotations = {.request_count = (uint32_t)scratch->link_count, .requests = scratch->links},
  };
  status = lwi_detour_read_links(import, tiles, count, scratch->links);
  if (status == LW_OK) status = lwi_navmesh_build(&source, navmesh, import->error);
  return status == LW_OK ? lwi_import_check_neighbors(import, *navmesh, scratch->behind) : status;
}

lw_status lwi_detour_build(lwi_import *import, const lwi_detour_tile *tiles, int count, float tile_size,
                           lw_navmesh **navmesh) {
  detour_scratch scratch = {0};
  count_all(tiles, count, &scratch);
  scratch.link_count = lwi_detour_link_count(tiles, count);
  if (scratch.polygons == 0)
    return lwi_fail(import->error, LW_EMPTY, "'%s' holds no polygons to walk on", import->name);
  size_t size = lay_out(&scratch, NULL);
  char *block = lwi_alloc(import->memory, size);
  if (!block) return lwi_fail_status(import->error, LW_OUT_OF_MEMORY);
  lay_out(&scratch, block);
  lw_status status = build(import, tiles, count, tile_size, &scratch, navmesh);
  lwi_free(import->memory, block, size);
  return status;
}
