/// Inside a navmesh: storage tiles, which are immutable blobs, and the search graph over them, which has dense
/// polygon indices and flat arrays.
#ifndef LW_MESH_MESH_H
#define LW_MESH_MESH_H

#include "leeward/navmesh.h"
#include "core/memory.h"
#include "core/vec3.h"

#define LWI_NONE UINT32_MAX
/// As many as fit into polygon ids.
#define LWI_MAX_TILES 0xffffe

/// The head of a tile's blob. The arrays follow in the order of lwi_tile's pointers, each aligned to 8 bytes.
typedef struct lwi_tile_head {
  int32_t x, z;
  lw_box bounds;
  uint32_t vertex_count, polygon_count, corner_count, detail_vertex_count, detail_triangle_count;
  uint32_t has_detail; ///< 0: no detail arrays at all; heights come from fans over the corners.
} lwi_tile_head;

/// A storage tile: pointers into its blob.
typedef struct lwi_tile {
  void *blob;
  size_t blob_size;
  uint32_t first_polygon; ///< Dense index of its polygon 0.
  uint32_t generation;    ///< Part of polygon ids; grows when the tile is replaced. [1..65535]
  const lwi_tile_head *head;
  const lw_vec3 *vertices;               ///< [vertex_count]
  const uint32_t *first_corner;          ///< [polygon_count + 1]
  const uint32_t *corners;               ///< [corner_count] Vertex indices, counter-clockwise seen from above.
  const uint8_t *border;                 ///< [corner_count] The edge that begins here may meet another tile's.
  const uint8_t *areas;                  ///< [polygon_count] Index into lw_navmesh.area_ids.
  const uint32_t *first_detail_vertex;   ///< [polygon_count + 1]
  const lw_vec3 *detail_vertices;        ///< [detail_vertex_count]
  const uint32_t *first_detail_triangle; ///< [polygon_count + 1]
  const uint8_t *detail_triangles;       ///< [3 * detail_triangle_count] < corner count: a corner, else extra.
} lwi_tile;

/// Border flags of tiles that were not baked: any edge may meet any other.
#define LWI_BORDER_ANY 255

/// A way from a polygon to the next, over part of one of its edges.
typedef struct lwi_portal {
  uint32_t to;   ///< Dense index of the polygon behind it.
  uint32_t edge; ///< Edge of the polygon it leaves: from corner `edge` to the next.
  float t0, t1;  ///< The part of the edge, 0 <= t0 < t1 <= 1.
} lwi_portal;

/// Polygons by place: a uniform grid in xz.
typedef struct lwi_grid {
  float min_x, min_z, cell; ///< [m]
  int width, height;        ///< [cells]
  uint32_t *first;          ///< [width * height + 1]
  uint32_t *polygons;       ///< [first[width * height]]
} lwi_grid;

struct lw_navmesh {
  lwi_memory memory;
  const lw_area_table *areas;
  lw_navmesh_agent agent;
  float tile_size;
  int area_count;                       ///< Areas that occur.
  lw_area_id area_ids[LW_AREA_MAX + 1]; ///< Tile area index -> area of the table.
  lw_box bounds;
  int tile_count;
  lwi_tile *tiles;

  /* The search graph. */
  uint32_t polygon_count, portal_count, island_count;
  uint32_t *tile_of;      ///< [polygon_count]
  lw_area_id *poly_areas; ///< [polygon_count] In the table.
  uint32_t *first_portal; ///< [polygon_count + 1]
  lwi_portal *portals;    ///< [portal_count] By polygon, then edge, then t0.
  uint32_t *islands;      ///< [polygon_count]
  double *area_sums;      ///< [polygon_count + 1] Running sum of areas in xz. [m2]
  lwi_grid grid;
};

/// One polygon's corners, looked up once.
typedef struct lwi_polygon {
  const lw_vec3 *vertices;
  const uint32_t *corners;
  uint32_t count;
} lwi_polygon;

static inline lwi_polygon lwi_polygon_get(const lw_navmesh *mesh, uint32_t index) {
  const lwi_tile *tile = &mesh->tiles[mesh->tile_of[index]];
  const uint32_t *first = tile->first_corner + (index - tile->first_polygon);
  return (lwi_polygon){tile->vertices, tile->corners + first[0], first[1] - first[0]};
}
static inline lw_vec3 lwi_corner(const lwi_polygon *polygon, uint32_t i) {
  return polygon->vertices[polygon->corners[i]];
}
static inline uint32_t lwi_next_corner(const lwi_polygon *polygon, uint32_t i) {
  return i + 1 < polygon->count ? i + 1 : 0;
}

/// @return The id of a dense polygon index.
lw_poly_id lwi_poly_id(const lw_navmesh *mesh, uint32_t index);
/// @return The dense index, or LWI_NONE for an id that is not (any longer) in the mesh.
uint32_t lwi_poly_index(const lw_navmesh *mesh, lw_poly_id id);

/// Ends of a portal of polygon `index`, as one who leaves sees them.
void lwi_portal_points(const lw_navmesh *mesh, uint32_t index, const lwi_portal *portal, lw_vec3 *left,
                       lw_vec3 *right);
/// Height of the surface of polygon `index` at (x, z), from the detail triangle that holds it best.
float lwi_polygon_height(const lw_navmesh *mesh, uint32_t index, float x, float z);
/// Twice the area, xz. [m2]
double lwi_polygon_area2(const lwi_polygon *polygon);
/// Is (x, z) inside, or outside by no more than `slack` metres?
bool lwi_polygon_holds(const lwi_polygon *polygon, lw_vec3 point, double slack);
/// The point of the polygon nearest in xz, its height not yet set. @return Whether `point` is inside.
bool lwi_polygon_closest(const lwi_polygon *polygon, lw_vec3 point, lw_vec3 *closest);

/// Cells of the grid that a box touches, clamped to it. @return false: none.
typedef struct lwi_cells {
  int x0, z0, x1, z1;
} lwi_cells;
bool lwi_grid_cells(const lwi_grid *grid, float min_x, float min_z, float max_x, float max_z, lwi_cells *cells);

/// Steps of building, in order; each returns false when there is no memory.
bool lwi_graph_link(lw_navmesh *mesh);
bool lwi_graph_islands(lw_navmesh *mesh);
bool lwi_graph_grid(lw_navmesh *mesh);
/// Everything that is derived from the tiles. @return LW_OK or LW_OUT_OF_MEMORY.
lw_status lwi_graph_build(lw_navmesh *mesh);

/// Point the tile's pointers into its blob. @return false when the sizes do not fit the blob.
bool lwi_tile_open(lwi_tile *tile);
size_t lwi_tile_size(const lwi_tile_head *head);
/// Check that every index inside the tile is in range and every number finite. @return NULL, or what is wrong.
const char *lwi_tile_check(const lwi_tile *tile, int area_count);

/// Labels of the parts that agents with one filter can walk between.
/// @param labels  [polygon_count] LWI_NONE where the filter does not pass.
/// @param stack  [polygon_count] Room to work in.
void lwi_label_components(const lw_navmesh *mesh, const lw_filter *filter, uint32_t *labels, uint32_t *stack);

#endif
