#include "peer_mesh.h"

#include "mesh/sources.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CORNERS 6
#define NO_CORNER 0xffff
#define SLOTS ((size_t)2 * CORNERS)

/* What a peer_tile borrows. */
typedef struct tile_arrays {
  unsigned short *grid, *polygons;
  unsigned *detail_meshes;
  float *detail_vertices;
  unsigned char *detail_triangles;
} tile_arrays;

static void *scratch(size_t count, size_t size) {
  void *block = calloc(count + 1, size);
  if (!block) abort();
  return block;
}

/* @return The largest distance from the grid. */
static double put_on_grid(const lwi_tile_source *tile, float cell, float cell_height, unsigned short *grid) {
  double worst = 0;
  for (uint32_t i = 0; i < (uint32_t)tile->vertex_count; i++) {
    lw_vec3 v = tile->vertices[i], low = tile->bounds.min;
    double at[3] = {((double)v.x - low.x) / cell, ((double)v.y - low.y) / cell_height,
                    ((double)v.z - low.z) / cell};
    for (int k = 0; k < 3; k++) {
      double whole = round(fmin(65535, fmax(0, at[k])));
      if (k != 1) worst = fmax(worst, fabs(at[k] - whole) * cell);
      grid[3 * i + (uint32_t)k] = (unsigned short)whole;
    }
  }
  return worst;
}

typedef struct tile_edge {
  uint32_t low, high, polygon, edge;
} tile_edge;

static int compare_edges(const void *left, const void *right) {
  const tile_edge *a = left, *b = right;
  if (a->low != b->low) return a->low < b->low ? -1 : 1;
  if (a->high != b->high) return a->high < b->high ? -1 : 1;
  return (a->polygon > b->polygon) - (a->polygon < b->polygon);
}

/* Corners are wound as Recast winds them already: seen from above (x right, z down) counter-clockwise. */
static void fill_polygons(const lwi_tile_source *tile, unsigned short *polygons) {
  tile_edge *edges = scratch((size_t)tile->first_corner[tile->polygon_count], sizeof *edges);
  uint32_t count = 0;
  for (uint32_t p = 0; p < (uint32_t)tile->polygon_count; p++) {
    const int *corners = tile->corners + tile->first_corner[p];
    uint32_t corner_count = (uint32_t)(tile->first_corner[p + 1] - tile->first_corner[p]);
    unsigned short *slots = polygons + p * SLOTS;
    for (uint32_t i = 0; i < CORNERS; i++) slots[i] = slots[CORNERS + i] = NO_CORNER;
    for (uint32_t i = 0; i < corner_count; i++) {
      uint32_t a = (uint32_t)corners[i], b = (uint32_t)corners[i + 1 < corner_count ? i + 1 : 0];
      uint8_t border = tile->border[(uint32_t)tile->first_corner[p] + i];
      slots[i] = (unsigned short)a;
      if (border && border != LWI_BORDER_ANY) slots[CORNERS + i] = (unsigned short)(0x8000 | (border - 1));
      edges[count++] = (tile_edge){a < b ? a : b, a < b ? b : a, p, i};
    }
  }
  qsort(edges, count, sizeof *edges, compare_edges);
  for (uint32_t i = 0; i + 1 < count; i++) {
    const tile_edge *a = &edges[i], *b = &edges[i + 1];
    if (a->low != b->low || a->high != b->high) continue;
    polygons[a->polygon * SLOTS + CORNERS + a->edge] = (unsigned short)b->polygon;
    polygons[b->polygon * SLOTS + CORNERS + b->edge] = (unsigned short)a->polygon;
  }
  free(edges);
}

/* Detour wants to know which edges of a detail triangle lie on the polygon's outline: those that no other has. */
static unsigned char outline_flags(const uint8_t *triangles, uint32_t count, uint32_t which) {
  unsigned flags = 0;
  for (uint32_t k = 0; k < 3; k++) {
    uint8_t a = triangles[3 * which + k], b = triangles[3 * which + (k + 1) % 3];
    bool shared = false;
    for (uint32_t t = 0; t < count; t++)
      for (uint32_t j = 0; j < 3 && t != which; j++)
        if (triangles[3 * t + j] == b && triangles[3 * t + (j + 1) % 3] == a) shared = true;
    if (!shared) flags |= 1u << (2 * k);
  }
  return (unsigned char)flags;
}

static void fill_detail(const lwi_tile_source *tile, tile_arrays *arrays, peer_tile *out) {
  uint32_t polygons = (uint32_t)tile->polygon_count, vertices = 0;
  uint32_t triangles = (uint32_t)tile->first_detail_triangle[polygons];
  size_t corners = (size_t)tile->first_corner[polygons], extra = (size_t)tile->first_detail_vertex[polygons];
  arrays->detail_meshes = scratch(4 * (size_t)polygons, sizeof *arrays->detail_meshes);
  arrays->detail_vertices = scratch(3 * (corners + extra), sizeof *arrays->detail_vertices);
  arrays->detail_triangles = scratch(4 * (size_t)triangles, 1);
  for (uint32_t p = 0; p < polygons; p++) {
    unsigned *part = arrays->detail_meshes + 4 * p;
    part[0] = vertices;
    for (int i = tile->first_corner[p]; i < tile->first_corner[p + 1]; i++)
      memcpy(arrays->detail_vertices + 3 * vertices++, &tile->vertices[tile->corners[i]], sizeof(lw_vec3));
    for (int i = tile->first_detail_vertex[p]; i < tile->first_detail_vertex[p + 1]; i++)
      memcpy(arrays->detail_vertices + 3 * vertices++, &tile->detail_vertices[i], sizeof(lw_vec3));
    part[1] = vertices - part[0];
    part[2] = (unsigned)tile->first_detail_triangle[p];
    part[3] = (unsigned)tile->first_detail_triangle[p + 1] - part[2];
    const uint8_t *from = tile->detail_triangles + 3 * (size_t)part[2];
    for (uint32_t t = 0; t < part[3]; t++) {
      unsigned char *to = arrays->detail_triangles + 4 * (size_t)(part[2] + t);
      memcpy(to, from + 3 * (size_t)t, 3);
      to[3] = outline_flags(from, part[3], t);
    }
  }
  out->detail_meshes = arrays->detail_meshes;
  out->detail_vertices = arrays->detail_vertices;
  out->detail_triangles = arrays->detail_triangles;
  out->detail_vertex_count = (int)vertices;
  out->detail_triangle_count = (int)triangles;
}

static bool fits(const lwi_tile_source *tile, char *message, size_t size) {
  for (uint32_t p = 0; p < (uint32_t)tile->polygon_count; p++)
    if (tile->first_corner[p + 1] - tile->first_corner[p] > CORNERS) {
      snprintf(message, size, "a polygon has more than Detour's %d corners", CORNERS);
      return false;
    }
  if (tile->vertex_count < NO_CORNER && tile->polygon_count < 0x8000) return true;
  snprintf(message, size, "tile %d %d is larger than Detour's tiles may be", tile->x, tile->z);
  return false;
}

static bool fill_tile(const lwi_tile_source *tile, float cell, tile_arrays *arrays, peer_tile *out,
                      char *message, size_t size) {
  if (!fits(tile, message, size)) return false;
  arrays->grid = scratch(3 * (size_t)tile->vertex_count, sizeof *arrays->grid);
  arrays->polygons = scratch((size_t)tile->polygon_count * SLOTS, sizeof *arrays->polygons);
  *out = (peer_tile){.x = tile->x,
                     .z = tile->z,
                     .bounds = tile->bounds,
                     .vertex_count = tile->vertex_count,
                     .polygon_count = tile->polygon_count,
                     .vertices = tile->vertices,
                     .grid = arrays->grid,
                     .polygons = arrays->polygons,
                     .cell = cell};
  /* Heights are free: steps as fine as 16 bits allow. */
  out->cell_height = fmaxf(0.001f, (tile->bounds.max.y - tile->bounds.min.y) / 65000);
  double off = put_on_grid(tile, cell, out->cell_height, arrays->grid);
  if (off > 0.01) {
    snprintf(message, size, "tile %d %d: a corner lies %g m off the grid of cells", tile->x, tile->z, off);
    return false;
  }
  fill_polygons(tile, arrays->polygons);
  if (tile->first_detail_vertex) fill_detail(tile, arrays, out);
  return true;
}

peer *peer_create(const lw_navmesh *mesh, float cell, char *message, size_t size) {
  size_t count = (size_t)mesh->tiles.count;
  peer_tile *tiles = scratch(count, sizeof *tiles);
  tile_arrays *arrays = scratch(count, sizeof *arrays);
  bool filled = count > 0 && (count == 1 || mesh->tile_size > 0);
  if (!filled) snprintf(message, size, count > 0 ? "its tiles lie on no grid" : "the navmesh is empty");
  lwi_sources sources = {.memory = lwi_memory_make(NULL)};
  if (!lwi_sources_add(&sources, mesh)) abort();
  for (size_t i = 0; i < count && filled; i++)
    filled = fill_tile(&sources.tiles[i], cell, &arrays[i], &tiles[i], message, size);
  float tile_size = mesh->tile_size;
  lw_vec3 low = mesh->bounds.min, high = mesh->bounds.max;
  if (tile_size <= 0) tile_size = fmaxf(high.x - low.x, high.z - low.z) + 1; /* of the only tile */
  peer_mesh source = {(int)mesh->tiles.count, tiles, tile_size, mesh->agent.radius, mesh->agent.height,
                      mesh->agent.climb};
  peer *detour = filled ? peer_create_from(&source, message, size) : NULL;
  for (size_t i = 0; i < count; i++) {
    free(arrays[i].grid);
    free(arrays[i].polygons);
    free(arrays[i].detail_meshes);
    free(arrays[i].detail_vertices);
    free(arrays[i].detail_triangles);
  }
  lwi_sources_free(&sources);
  free(arrays);
  free(tiles);
  return detour;
}
