/// Detour's tiles: found in a file (import_detour.c) and read (import_detour_tile.c).
#ifndef LW_MESH_IMPORT_DETOUR_H
#define LW_MESH_IMPORT_DETOUR_H

#include "core/vec3.h"
#include "mesh/mesh.h"
#include "mesh/import.h"

#include <string.h>

/// The counts in a tile's head, in order.
typedef enum lwi_detour_count {
  LWI_DETOUR_POLYGON_COUNT,
  LWI_DETOUR_VERTEX_COUNT,
  LWI_DETOUR_LINK_COUNT,
  LWI_DETOUR_MESH_COUNT,
  LWI_DETOUR_DETAIL_VERTEX_COUNT,
  LWI_DETOUR_TRIANGLE_COUNT,
  LWI_DETOUR_NODE_COUNT,
  LWI_DETOUR_CONNECTION_COUNT,
  LWI_DETOUR_GROUND_COUNT, ///< The first polygon that is an off-mesh connection.
  LWI_DETOUR_COUNTS
} lwi_detour_count;

/// The parts after a tile's head, in order.
typedef enum lwi_detour_part {
  LWI_DETOUR_VERTICES,
  LWI_DETOUR_POLYGONS,
  LWI_DETOUR_LINKS,
  LWI_DETOUR_MESHES,
  LWI_DETOUR_DETAIL_VERTICES,
  LWI_DETOUR_TRIANGLES,
  LWI_DETOUR_TREE,
  LWI_DETOUR_CONNECTIONS,
  LWI_DETOUR_PARTS
} lwi_detour_part;

/// A tile in the file with a checked head: the parts lie within the file, the counts agree.
typedef struct lwi_detour_tile {
  int number; ///< For messages, from 1.
  int32_t x, z, layer;
  uint32_t counts[LWI_DETOUR_COUNTS];
  lw_navmesh_agent agent;
  lw_box bounds;
  const unsigned char *parts[LWI_DETOUR_PARTS];
} lwi_detour_tile;

/// Little-endian numbers.
static inline uint32_t lwi_detour_half(const unsigned char *at) {
  return (uint32_t)at[0] | (uint32_t)at[1] << 8;
}
static inline uint32_t lwi_detour_word(const unsigned char *at) {
  return lwi_detour_half(at) | lwi_detour_half(at + 2) << 16;
}
static inline float lwi_detour_float(const unsigned char *at) {
  uint32_t bits = lwi_detour_word(at);
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}
/// Three floats.
static inline lw_vec3 lwi_detour_point(const unsigned char *at) {
  return lwi_vec3(lwi_detour_float(at), lwi_detour_float(at + 4), lwi_detour_float(at + 8));
}
/// Finite and within +-1e6?
static inline bool lwi_detour_is_sane(lw_vec3 v) {
  return fabsf(v.x) <= 1e6f && fabsf(v.y) <= 1e6f && fabsf(v.z) <= 1e6f;
}

/// @return The number of off-mesh connections of the tiles.
uint32_t lwi_detour_link_count(const lwi_detour_tile *tiles, int count);
/// @param[out] links  [lwi_detour_link_count()]
lw_status lwi_detour_read_links(const lwi_import *import, const lwi_detour_tile *tiles, int count,
                                lwi_request *links);

/// Read the tiles' contents and build the navmesh.
lw_status lwi_detour_build(lwi_import *import, const lwi_detour_tile *tiles, int count, float tile_size,
                           lw_navmesh **navmesh);

#endif
