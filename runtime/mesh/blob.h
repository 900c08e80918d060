/// A tile as the file holds it: one blob, its vertices numbered from 0, everything aligned to 8 bytes.
#ifndef LW_MESH_BLOB_H
#define LW_MESH_BLOB_H

#include "mesh/build.h"
#include "mesh/mesh.h"

/// The head of a blob. The arrays follow in the order of lwi_tile_source's, areas as indices into the file's names.
typedef struct lwi_blob_head {
  int32_t x, z;
  lw_box bounds;
  uint32_t vertex_count, polygon_count, corner_count, detail_vertex_count, detail_triangle_count;
  uint32_t has_detail; ///< 0: no detail arrays at all.
} lwi_blob_head;

lwi_blob_head lwi_blob_head_of(const lw_navmesh *mesh, const lwi_tile *tile);
size_t lwi_blob_size(const lwi_blob_head *head);
/// Write the tile into `blob`, which has lwi_blob_size() bytes. @param slots  By area id: index into the file's names.
void lwi_blob_write(const lw_navmesh *mesh, const lwi_tile *tile, const uint8_t *slots, void *blob);
/// Read a blob: afterwards `source` points into it; areas are still indices into the file's names.
/// Every index inside is checked. @return NULL, or what is wrong with it.
const char *lwi_blob_read(const void *blob, size_t size, int area_count, lwi_tile_source *source);

#endif
