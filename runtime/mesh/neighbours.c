/* Which detail triangles of a polygon share edges, for polygons with many of them. */
#include "mesh/mesh.h"

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

static void fill(const uint8_t *triangles, uint32_t count, uint8_t *neighbours) {
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

void lwi_detail_neighbours_fill(lw_navmesh *mesh) {
  const lwi_mesh_detail *detail = &mesh->detail;
  if (!detail->first_neighbour) return;
  for (uint32_t p = 0; p < mesh->polygons.count; p++)
    if (detail->first_neighbour[p] < detail->first_neighbour[p + 1])
      fill(detail->triangles + 3 * (size_t)detail->first_triangle[p], triangles_of(mesh, p),
           detail->neighbours + detail->first_neighbour[p]);
}

bool lwi_graph_detail_neighbours(lw_navmesh *mesh) {
  lwi_mesh_detail *detail = &mesh->detail;
  if (!detail->first_triangle) return true;
  detail->first_neighbour =
      lwi_alloc(&mesh->memory, (mesh->polygons.count + 1) * sizeof *detail->first_neighbour);
  if (!detail->first_neighbour) return false;
  detail->first_neighbour[0] = 0;
  for (uint32_t p = 0; p < mesh->polygons.count; p++)
    detail->first_neighbour[p + 1] = detail->first_neighbour[p] + bytes_of(mesh, p);
  detail->neighbour_count = detail->first_neighbour[mesh->polygons.count];
  detail->neighbours = lwi_alloc_zero(&mesh->memory, detail->neighbour_count + LWI_SIMD_WIDTH);
  if (!detail->neighbours) return false;
  lwi_detail_neighbours_fill(mesh);
  return true;
}
