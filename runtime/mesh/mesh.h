/// Inside a navmesh: polygons in flat arrays over all tiles, and the search graph over them, both by dense polygon index.
/// A tile is a range of each array. The file holds a tile as one blob (blob.h).
#ifndef LW_MESH_MESH_H
#define LW_MESH_MESH_H

#include "leeward/navmesh.h"
#include "core/memory.h"
#include "core/vec3.h"
#include "mesh/part.h"

#define LWI_NONE UINT32_MAX
/// As many as fit into polygon ids.
#define LWI_MAX_TILES 0xffffe

/// Corners and further vertices of one polygon's detail together: triangles name them by bytes.
#define LWI_SURFACE_VERTICES 256

/// A tile: its place and its ranges.
typedef struct lwi_tile {
  int x, z;
  lw_box bounds;
  uint32_t generation; ///< Part of polygon ids; grows when the tile is replaced. [1..32767]
  uint32_t first_polygon, polygon_count;
  uint32_t first_vertex, vertex_count;
} lwi_tile;

/// Border flags of tiles that were not baked: any edge may meet any other.
#define LWI_BORDER_ANY 255

/// A way from a polygon to the next, over part of one of its edges.
typedef struct lwi_portal {
  uint32_t to;   ///< Dense index of the polygon behind it.
  uint32_t edge; ///< Edge of the polygon it leaves: from corner `edge` to the next.
  float t0, t1;  ///< The part of the edge, 0 <= t0 < t1 <= 1.
} lwi_portal;

/// An off-mesh link in one direction; a bidirectional one is two.
typedef struct lwi_link {
  uint32_t from, to;  ///< Dense polygon indices.
  lw_vec3 start, end; ///< On the surfaces of `from` and `to`. [m]
  float length;       ///< What it counts for. [m, >= 0]
  uint8_t kind;       ///< lw_link_kind.
  lw_area_id area;    ///< LW_AREA_NONE: priced as the average of both ends.
  uint16_t reserved;  ///< 0.
} lwi_link;

/// The lowest and the highest of a polygon's surface. [m]
typedef struct lwi_heights {
  float low, high;
} lwi_heights;

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
  int offmesh_refused; ///< Off-mesh links that did not join.
  lwi_part part;
  lw_box bounds;
  int tile_count;
  lwi_tile *tiles;

  uint32_t polygon_count, vertex_count, corner_count;
  lw_vec3 *vertices;      ///< [vertex_count]
  uint32_t *first_corner; ///< [polygon_count + 1]
  uint32_t *corners;      ///< [corner_count] Vertices, counter-clockwise seen from above.
  uint8_t *border;        ///< [corner_count] The edge that begins here may meet another tile's.
  lw_area_id *poly_areas; ///< [polygon_count]
  uint32_t *tile_of;      ///< [polygon_count]

  /* Heights. NULL and 0 where no tile has detail: then they come from fans over the corners. */
  uint32_t detail_vertex_count, detail_triangle_count;
  uint32_t *first_detail_vertex;   ///< [polygon_count + 1]
  lw_vec3 *detail_vertices;        ///< [detail_vertex_count] Behind the polygon's own corners.
  uint32_t *first_detail_triangle; ///< [polygon_count + 1]
  uint8_t *detail_triangles;       ///< [3 * detail_triangle_count] < corner count: a corner, else extra.

  /* The search graph. */
  uint32_t portal_count, island_count;
  uint32_t *first_portal; ///< [polygon_count + 1]
  lwi_portal *portals;    ///< [portal_count] By polygon, then edge, then t0.
  uint32_t *islands;      ///< [polygon_count]
  double *area_sums;      ///< [polygon_count + 1] Running sum of areas in xz. [m2]
  lwi_heights *heights;   ///< [polygon_count]
  lwi_grid grid;
  uint32_t link_count;
  lwi_link *links;      ///< [link_count] By `from`, then as they were added.
  uint32_t *first_link; ///< [polygon_count + 1]; NULL: no links.
};

/// One polygon's corners, looked up once.
typedef struct lwi_polygon {
  const lw_vec3 *vertices;
  const uint32_t *corners;
  uint32_t count;
} lwi_polygon;

static inline lwi_polygon lwi_polygon_get(const lw_navmesh *mesh, uint32_t index) {
  uint32_t first = mesh->first_corner[index];
  return (lwi_polygon){mesh->vertices, mesh->corners + first, mesh->first_corner[index + 1] - first};
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

/// May agents with this filter take the link? NULL: all may. That they may stand where it begins is theirs to know.
static inline bool lwi_link_passes(const lw_navmesh *mesh, const lwi_link *link, const lw_filter *filter) {
  if (!filter) return true;
  return (filter->links >> link->kind & 1) &&
         (link->area == LW_AREA_NONE || lw_filter_passes(filter, link->area)) &&
         lw_filter_passes(filter, mesh->poly_areas[link->to]);
}

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

/// The rooms that a link leaves and enters. LWI_NONE: none, the agents are too large to stand there.
typedef struct lwi_link_rooms {
  uint32_t from, to;
} lwi_link_rooms;

/// What a search runs over: rooms, and portals from room to room. Of the mesh itself every polygon is one room. For
/// agents that are larger than it was made for, a polygon may be several rooms with walls between them that are too near
/// to one another to pass; then the first of them has the polygon's index, the others follow behind all polygons.
typedef struct lwi_graph {
  const lw_navmesh *mesh;
  uint32_t room_count, portal_count;
  const uint32_t *first_portal;     ///< [room_count + 1]
  const lwi_portal *portals;        ///< [portal_count] `to` is a room.
  const uint32_t *polygons;         ///< [room_count - polygon_count] Of the rooms behind all polygons.
  const lwi_link_rooms *link_rooms; ///< [mesh->link_count] NULL: of the polygons' own indices.
} lwi_graph;

static inline lwi_graph lwi_graph_of(const lw_navmesh *mesh) {
  return (lwi_graph){mesh, mesh->polygon_count, mesh->portal_count, mesh->first_portal, mesh->portals, NULL,
                     NULL};
}
static inline uint32_t lwi_room_polygon(const lwi_graph *graph, uint32_t room) {
  uint32_t polygons = graph->mesh->polygon_count;
  return room < polygons ? room : graph->polygons[room - polygons];
}
static inline lwi_link_rooms lwi_graph_link_rooms(const lwi_graph *graph, uint32_t link) {
  if (graph->link_rooms) return graph->link_rooms[link];
  return (lwi_link_rooms){graph->mesh->links[link].from, graph->mesh->links[link].to};
}
static inline lw_area_id lwi_room_area(const lwi_graph *graph, uint32_t room) {
  return graph->mesh->poly_areas[lwi_room_polygon(graph, room)];
}

/// Steps of building, in order; each returns false when there is no memory.
bool lwi_graph_link(lw_navmesh *mesh);
bool lwi_graph_islands(lw_navmesh *mesh);
bool lwi_graph_grid(lw_navmesh *mesh);
/// Labels of the parts that agents with one filter can walk between.
/// @param labels  [polygon_count] LWI_NONE where the filter does not pass.
/// @param stack  [polygon_count] Room to work in.
void lwi_label_components(const lw_navmesh *mesh, const lw_filter *filter, uint32_t *labels, uint32_t *stack);

#endif
