/// Detour's tiles, found in a file (import_detour.c) and read (import_detour_tile.c).
#ifndef LW_MESH_IMPORT_DETOUR_H
#define LW_MESH_IMPORT_DETOUR_H

#include "core/vec3.h"
#include "mesh/annotations.h"
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

/// What stands behind the head, in order.
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

/// A tile in the file, its head checked: the parts lie within the file, the counts fit each other.
typedef struct lwi_detour_tile {
  int number; ///< For messages, from 1.
  int32_t x, z, layer;
  uint32_t counts[LWI_DETOUR_COUNTS];
  lw_navmesh_agent agent;
  lw_box bounds;
  const unsigned char *parts[LWI_DETOUR_PARTS];
} lwi_detour_tile;

static inline float lwi_detour_float(const unsigned char *at) {
  uint32_t bits = (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}
static inline bool lwi_detour_is_sane(lw_vec3 v) {
  return fabsf(v.x) <= 1e6f && fabsf(v.y) <= 1e6f && fabsf(v.z) <= 1e6f;
}

/// How many off-mesh connections the tiles have.
uint32_t lwi_detour_link_count(const lwi_detour_tile *tiles, int count);
/// @param[out] links  [lwi_detour_link_count()]
lw_status lwi_detour_read_links(const lwi_import *import, const lwi_detour_tile *tiles, int count,
                                lwi_request *links);

/// Read the tiles' contents and put the navmesh together.
lw_status lwi_detour_build(lwi_import *import, const lwi_detour_tile *tiles, int count, float tile_size,
                           lw_navmesh **navmesh);

#endif
