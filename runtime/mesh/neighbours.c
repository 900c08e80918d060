/* What follows from the surface of a polygon: whether it is one plane, and which detail triangles share edges, for polygons
   with many of them. */
#include "mesh/slopes.h"

#include <string.h>

/* So few triangles are faster looked at one by one. */
#define FEW_TRIANGLES 8

static uint32_t triangles_of(const lw_navmesh *mesh, uint32_t polygon) {
  return mesh->detail.first_triangle[polygon + 1] - mesh->detail.first_triangle[polygon];
}

static uint32_t bytes_of(const lw_navmesh *mesh, uint32_t polygon) {
  const uint32_t triangles = triangles_of(mesh, polygon);
  return triangles > FEW_TRIANGLES && triangles <= LWI_NEIGHBOUR_NONE ? 4 * triangles : 0;
}

/* Edges 3 * triangle + k from each vertex. */
typedef struct edge_lists {
  uint16_t first[LWI_SURFACE_VERTICES]; /* 1 + edge; 0: none */
  uint16_t next[3 * LWI_NEIGHBOUR_NONE];
} edge_lists;

static uint32_t end_of(const uint8_t *triangles, uint32_t edge) {
  return triangles[edge % 3 == 2 ? edge - 2 : edge + 1];
}

static void fill_neighbours(const uint8_t *triangles, uint32_t count, uint8_t *neighbours) {
  edge_lists lists;
  memset(lists.first, 0, sizeof lists.first);
  memset(neighbours, LWI_NEIGHBOUR_NONE, 4 * (size_t)count);
  for (uint32_t edge = 3 * count; edge-- > 0;) {
    lists.next[edge] = lists.first[triangles[edge]];
    lists.first[triangles[edge]] = (uint16_t)(edge + 1);
  }
  for (uint32_t edge = 0; edge < 3 * count; edge++)
    for (uint32_t back = lists.first[end_of(triangles, edge)]; back != 0; back = lists.next[back - 1]) {
      if (end_of(triangles, back - 1) != triangles[edge]) continue;
      neighbours[4 * (edge / 3) + edge % 3] = (uint8_t)((back - 1) / 3);
      break;
    }
}

/* Let each cell name the slope on its middle, or one by that if the middle is beside the polygon. */
static void fill_cells(const lwi_slopes *slopes, uint8_t *neighbours) {
  const lwi_slope_cells cells = lwi_slope_cells_of(slopes);
  const float wide = cells.frame.size_x / (float)cells.side, deep = cells.frame.size_z / (float)cells.side;
  uint32_t first = 0; /* of the row */
  for (uint32_t row = 0; row < cells.side; row++) {
    uint32_t slope = first;
    for (uint32_t column = 0; column < cells.side; column++) {
      bool is_on;
      slope = lwi_slopes_find_from(slopes, slope, cells.frame.min_x + ((float)column + 0.5f) * wide,
                                   cells.frame.min_z + ((float)row + 0.5f) * deep, &is_on);
      neighbours[4 * (row * (size_t)cells.side + column) + 3] = (uint8_t)slope;
      if (column == 0) first = slope;
    }
  }
}

static uint32_t surface_of(const lw_navmesh *mesh, uint32_t polygon) {
  const lwi_slopes slopes = lwi_slopes_of(mesh, polygon);
  if (slopes.extra_count > 0) return LWI_SURFACE_BENT;
  if (lwi_corners_are_level(&slopes.polygon)) return LWI_SURFACE_LEVEL;
  return lwi_corners_are_plane(&slopes.polygon) ? LWI_SURFACE_PLANE : LWI_SURFACE_BENT;
}

void lwi_surfaces_fill(lw_navmesh *mesh) {
  const lwi_mesh_detail *detail = &mesh->detail;
  for (uint32_t p = 0; p < mesh->polygons.count; p++) {
    mesh->polygons.ranges[p].surface = surface_of(mesh, p) & 0xff;
    const lwi_slopes slopes = lwi_slopes_of(mesh, p);
    if (!slopes.neighbours) continue;
    uint8_t *neighbours = detail->neighbours + detail->first_neighbour[p];
    fill_neighbours(slopes.triangles, slopes.count, neighbours);
    fill_cells(&slopes, neighbours);
  }
}

static bool make_neighbours(lw_navmesh *mesh) {
  lwi_mesh_detail *detail = &mesh->detail;
  detail->first_neighbour =
      lwi_alloc(&mesh->memory, (mesh->polygons.count + 1) * sizeof *detail->first_neighbour);
  if (!detail->first_neighbour) return false;
  detail->first_neighbour[0] = 0;
  for (uint32_t p = 0; p < mesh->polygons.count; p++)
    detail->first_neighbour[p + 1] = detail->first_neighbour[p] + bytes_of(mesh, p);
  detail->neighbour_count = detail->first_neighbour[mesh->polygons.count];
  detail->neighbours = lwi_alloc_zero(&mesh->memory, detail->neighbour_count + LWI_SIMD_WIDTH);
  return detail->neighbours != NULL;
}

bool lwi_graph_surfaces(lw_navmesh *mesh) {
  if (mesh->detail.first_triangle && !make_neighbours(mesh)) return false;
  lwi_surfaces_fill(mesh);
  return true;
}
