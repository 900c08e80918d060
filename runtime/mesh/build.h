/// Building a navmesh from tiles of polygons: for the bake, for imports and for lw_navmesh_create().
#ifndef LW_MESH_BUILD_H
#define LW_MESH_BUILD_H

#include "leeward/navmesh.h"
#include "mesh/mesh.h"
#include "core/memory.h"

/// One tile's polygons. All arrays are borrowed for the call.
typedef struct lwi_tile_source {
  int x, z;      ///< Place in the grid of tiles.
  lw_box bounds; ///< [m]
  int vertex_count, polygon_count;
  const lw_vec3 *vertices; ///< [vertex_count] Welded.
  const int *first_corner; ///< [polygon_count + 1]
  const int *corners;      ///< Counter-clockwise seen from above.
  /// By corner: border flag of the edge that begins there, as in lwi_edge_border(). NULL: LWI_BORDER_ANY for
  /// all.
  const uint8_t *border;
  const lw_area_id *areas;          ///< [polygon_count] In the navmesh's area table.
  const uint8_t *openness;          ///< [polygon_count] In 255ths. NULL: 255.
  const uint8_t *depths;            ///< [2 * polygon_count] As lwi_mesh_polygons has them. NULL: 0.
  const uint8_t *headrooms;         ///< [polygon_count] As lwi_mesh_polygons has them. NULL: LWI_HEADROOM_OPEN.
  const uint8_t *steps;             ///< [polygon_count] As lwi_mesh_polygons has them. NULL: 0.
  const int *first_detail_vertex;   ///< [polygon_count + 1] or NULL: no detail.
  const lw_vec3 *detail_vertices;   ///< Numbered after the polygon's own corners.
  const int *first_detail_triangle; ///< [polygon_count + 1]
  const uint8_t *detail_triangles;  ///< 3 a triangle; < corner count: a corner, else a detail vertex.
} lwi_tile_source;

struct lwi_known_tile;
typedef struct lwi_navmesh_source {
  const lw_area_table *areas;
  const lw_allocator *allocator; ///< NULL: the C library's.
  lw_navmesh_agent agent;
  float tile_size; ///< 0: no grid. [m]
  int tile_count;
  const lwi_tile_source *tiles; ///< [tile_count] None empty.
  /// [tile_count] Tiles of finished navmeshes, in the order of the grid (known.h). NULL: those of `tiles`.
  const struct lwi_known_tile *known;
  lwi_annotations annotations; ///< Copied.
  lwi_attachments attachments; ///< What groups carry (lwi_section_group.carry) is copied. NULL: nothing.
  lwi_part part;
} lwi_navmesh_source;

/// @param source  Is not checked.
/// @return LW_OK; LW_LIMIT: too many tiles; LW_OUT_OF_MEMORY.
lw_status lwi_navmesh_build(const lwi_navmesh_source *source, lw_navmesh **navmesh, lw_error *error);

/// A portal that was found.
typedef struct lwi_found_portal {
  uint32_t from, to, edge;
  lwi_portal_interval interval;
  uint8_t step; ///< step_height.h
} lwi_found_portal;
/// Begin with zeros and `memory`.
typedef struct lwi_found_portal_list {
  lwi_memory *memory;
  lwi_found_portal *items; ///< [count]
  int count, capacity;
} lwi_found_portal_list;
/// An edge of a polygon.
typedef struct lwi_edge_place {
  uint32_t polygon, edge;
} lwi_edge_place;
/// Add the portals there and back, if two edges on borders of tiles meet. @return false: no memory.
bool lwi_portal_entries_match(lwi_found_portal_list *list, const lw_navmesh *mesh, lwi_edge_place e,
                              lwi_edge_place f);
/// By polygon, then edge, then where they begin.
void lwi_portal_entries_sort(lwi_found_portal_list *list);
void lwi_portal_entries_free(lwi_found_portal_list *list);
/// Let an edge know its first portal. @param portal  Its number among all.
void lwi_graph_mark_edge(lw_navmesh *mesh, uint32_t polygon, uint32_t edge, uint32_t portal);

/// Give equal points equal numbers, in the order in which the places first occur.
/// @param points  [count]
/// @param[out] numbers  [count] Each point's place.
/// @param[out] places  [count] The first `*place_count` are filled. NULL: not wanted.
/// @return false: no memory.
bool lwi_weld(lwi_memory *memory, const lw_vec3 *points, int count, int *numbers, lw_vec3 *places,
              int *place_count);

#endif
