/// Putting a navmesh together from tiles of polygons: what the bake, the file and lw_navmesh_create() all end
/// in.
#ifndef LW_MESH_BUILD_H
#define LW_MESH_BUILD_H

#include "leeward/navmesh.h"
#include "mesh/annotations.h"
#include "mesh/part.h"

/// One tile's polygons. All arrays are borrowed for the call.
typedef struct lwi_tile_source {
  int x, z;      ///< Place in the grid of tiles.
  lw_box bounds; ///< [m]
  int vertex_count, polygon_count;
  const lw_vec3 *vertices;  ///< [vertex_count] Welded.
  const int *first_corner;  ///< [polygon_count + 1]
  const int *corners;       ///< Counter-clockwise seen from above.
  const uint8_t *border;    ///< A byte a corner: the edge that begins here may meet a neighbouring tile. NULL:
                            ///< any edge may meet any other, also of the same tile.
  const lw_area_id *areas;  ///< [polygon_count] In the navmesh's area table.
  const uint8_t *exposures; ///< [polygon_count] NULL: all lie open.
  const uint8_t *deep_waters;       ///< [polygon_count] NULL: all lie dry.
  const int *first_detail_vertex;   ///< [polygon_count + 1] or NULL: no detail at all.
  const lw_vec3 *detail_vertices;   ///< Behind the polygon's own corners.
  const int *first_detail_triangle; ///< [polygon_count + 1]
  const uint8_t *detail_triangles;  ///< 3 a triangle; < corner count: a corner, else extra.
} lwi_tile_source;

typedef struct lwi_navmesh_source {
  const lw_area_table *areas;
  const lw_allocator *allocator; ///< NULL: the C library's.
  lw_navmesh_agent agent;
  float tile_size; ///< 0: no grid. [m]
  int tile_count;
  const lwi_tile_source *tiles; ///< [tile_count] Empty tiles left out.
  lwi_annotations annotations;  ///< Copied.
  lwi_part part;
} lwi_navmesh_source;

/// The source is trusted: the caller has checked it.
/// @return LW_OK; LW_LIMIT: too many tiles; LW_OUT_OF_MEMORY.
lw_status lwi_navmesh_build(const lwi_navmesh_source *source, lw_navmesh **navmesh, lw_error *error);

#endif
