/// Detour over our own polygons, to compare answers and times with. For tests and benchmarks alone.
#ifndef LW_TESTS_DETOUR_PEER_H
#define LW_TESTS_DETOUR_PEER_H

#include "leeward/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A tile in the form in which Recast hands tiles to Detour. All arrays are borrowed for the call.
typedef struct peer_tile {
  int x, z;
  lw_box bounds;
  int vertex_count, polygon_count;
  const lw_vec3 *vertices;        ///< [vertex_count] Exactly ours: they take the place of the rounded ones.
  const unsigned short *grid;     ///< [3 * vertex_count] On the grid of cells, from bounds.min.
  const unsigned short *polygons; ///< [polygon_count * 12] Six corners, six neighbours (0x8000 | side: border).
  const unsigned *detail_meshes;  ///< [4 * polygon_count] NULL: no detail.
  const float *detail_vertices;   ///< [3 * detail_vertex_count]
  const unsigned char *detail_triangles; ///< [4 * detail_triangle_count]
  int detail_vertex_count, detail_triangle_count;
  float cell, cell_height;  ///< Of `grid`. [m]
  const float *connections; ///< [6 * connection_count] Off-mesh connections: from, to.
  int connection_count;
  const unsigned char *areas; ///< [polygon_count] Below 64. NULL: all 0.
} peer_tile;

typedef struct peer_mesh {
  int tile_count;
  const peer_tile *tiles;
  float tile_size, radius, height, climb; ///< [m]
} peer_mesh;

typedef struct peer peer;

/// @return NULL, with the reason in `message`. The caller frees it with peer_destroy().
peer *peer_create_from(const peer_mesh *mesh, char *message, size_t size);
void peer_destroy(peer *detour);
/// @return The dtNavMesh, which stays the peer's.
void *peer_navmesh(peer *detour);
/// @param area  Below 64. @return false: there is no such polygon.
bool peer_set_area(peer *detour, uint32_t polygon, unsigned char area);
/// Write a tile set as RecastDemo does. @return false: the file cannot be written.
bool peer_save(const peer *detour, const char *file);
/// @return Bytes of Detour's tiles.
size_t peer_bytes(const peer *detour);
/// @return Those of them that hold the height detail.
size_t peer_detail_bytes(const peer *detour);

/// Polygons are known by our dense index.
bool peer_nearest(peer *detour, lw_vec3 point, lw_vec3 half, uint32_t *polygon, lw_vec3 *nearest);

/// @param[out] neighbors  Polygons that Detour joined to this one, each once. [capacity] @return How many.
int peer_neighbors(peer *detour, uint32_t polygon, uint32_t *neighbors, int capacity);

typedef struct peer_path {
  bool complete;         ///< It ends at the goal.
  bool out_of_nodes;     ///< Detour ran out of its 65535 nodes: incomplete says nothing then.
  int polygon_count;     ///< Of the corridor.
  int point_count;       ///< 0: not asked for, or none.
  const lw_vec3 *points; ///< [point_count] The straight path; valid until the next call.
} peer_path;
/// Search the corridor, then pull the straight path. @return false: Detour refused.
bool peer_find_path(peer *detour, uint32_t from_polygon, lw_vec3 from, uint32_t to_polygon, lw_vec3 to,
                    peer_path *path);
/// The same between places, which it moves onto the navmesh by up to 2 m in x and z and 4 m in y.
/// @return false: also where one is farther off.
bool peer_find_between(peer *detour, lw_vec3 from, lw_vec3 to, peer_path *path);
/// What a metre costs on each area, for peer_price(). @param prices  [64] INFINITY: not to be entered; else >=
/// 1.
void peer_set_prices(peer *detour, const float *prices);
/// Search at those prices, and add up the straight path's. Detour's heuristic takes the lowest price to be 1.
/// @return Infinity: Detour found no complete path.
double peer_price(peer *detour, uint32_t from_polygon, lw_vec3 from, uint32_t to_polygon, lw_vec3 to);
/// @param[out] t  Where it hit, 0..1; 1 without a hit.
bool peer_raycast(peer *detour, uint32_t polygon, lw_vec3 from, lw_vec3 to, bool *hit, float *t);
/// Also where it ended, on the surface: raycast with its path, then getPolyHeight.
bool peer_raycast_to(peer *detour, uint32_t polygon, lw_vec3 from, lw_vec3 to, lw_vec3 *end);
bool peer_random_in_circle(peer *detour, uint32_t polygon, lw_vec3 center, float radius, uint32_t *found,
                           lw_vec3 *point);
/// From anywhere: findRandomPoint, which weighs the polygons of one tile by area, and the tiles all the same.
bool peer_random(peer *detour, uint32_t *found, lw_vec3 *point);
/// @param[out] distance  `radius` when no wall is nearer.
bool peer_wall(peer *detour, uint32_t polygon, lw_vec3 center, float radius, float *distance);
/// Polygons that findPolysAroundCircle gives. [capacity] @return How many; -1: Detour refused.
int peer_around(peer *detour, uint32_t polygon, lw_vec3 center, float radius, uint32_t *found, int capacity);
bool peer_height(peer *detour, uint32_t polygon, lw_vec3 point, float *height);
bool peer_move(peer *detour, uint32_t polygon, lw_vec3 from, lw_vec3 to, lw_vec3 *end);
/// Ends on the surface: then getPolyHeight.
bool peer_move_to(peer *detour, uint32_t polygon, lw_vec3 from, lw_vec3 to, lw_vec3 *end);

#ifdef __cplusplus
}
#endif
#endif
