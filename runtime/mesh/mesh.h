/// Inside a navmesh: polygons in flat arrays over all tiles, and the search graph over them, both by dense polygon index.
/// A tile is a range of each array. The file holds a tile as one blob (blob.h).
#ifndef LW_MESH_MESH_H
#define LW_MESH_MESH_H

#include "leeward/navmesh.h"
#include "core/memory.h"
#include "core/vec3.h"
#include "mesh/annotations.h"
#include "mesh/pairs.h"
#include "mesh/part.h"

#define LWI_NONE UINT32_MAX
/// As many as fit into polygon ids.
#define LWI_MAX_TILES 0xffffe

/// Corners and further vertices of one polygon's detail together: triangles name them by bytes.
#define LWI_SURFACE_VERTICES 256

/// A tile: its place and its range.
typedef struct lwi_tile {
  int32_t x, z;
  lw_box bounds; ///< [m]
  uint32_t first_polygon, polygon_count;
} lwi_tile;

/// Where a polygon's corners begin; those of the next follow, so there is one more than polygons.
typedef struct lwi_ranges {
  uint32_t first_corner;
  uint32_t tile;
} lwi_ranges;

/// Border flags of tiles that were not baked: any edge may meet any other.
#define LWI_BORDER_ANY 255

/// An edge by its byte: the upper three bits are its border flags, the lower five the first of the polygon's portals that
/// lead across it.
#define LWI_EDGE_WALL 31   ///< No portal.
#define LWI_EDGE_FAR 30    ///< Look among the portals.
#define LWI_EDGE_PORTAL 31 ///< The bits for it.
#define LWI_EDGE_ANY 7     ///< The border flags of LWI_BORDER_ANY.

/// A way from a polygon to the next, over one of its edges or a part of it.
typedef struct lwi_portal {
  uint32_t to;           ///< Dense index of the polygon behind it.
  uint32_t edge : 8;     ///< Edge of the polygon it leaves: from corner `edge` to the next.
  uint32_t stretch : 24; ///< Which part of the edge; 0: all of it.
} lwi_portal;
#define LWI_MAX_STRETCHES 0xffffff

/// A part of an edge, 0 <= t0 < t1 <= 1.
typedef struct lwi_stretch {
  float t0, t1;
} lwi_stretch;

/// An off-mesh link in one direction; a bidirectional one is two.
typedef struct lwi_link {
  uint32_t from, to;  ///< Dense polygon indices.
  lw_vec3 start, end; ///< On the surfaces of `from` and `to`. [m]
  float length;       ///< What it counts for. [m, >= 0]
  uint8_t kind;       ///< lw_link_kind.
  lw_area_id area;    ///< LW_AREA_NONE: priced as the average of both ends.
  uint16_t reserved;  ///< 0.
} lwi_link;

/// A polygon in a cell of the grid, and the box about what of it lies there, in 255ths of the cell (x and z) and of the
/// navmesh's height (y), rounded outwards.
typedef struct lwi_reference {
  uint32_t polygon;
  uint8_t x0, z0, y0, zero0;
  uint8_t x1, z1, y1, zero1; ///< As read four at a time.
} lwi_reference;

/// Polygons by place: a uniform grid in xz.
typedef struct lwi_grid {
  float min_x, min_z, cell; ///< [m]
  float min_y, size_y;      ///< What the boxes' heights are parts of. [m, size > 0]
  int32_t width, height;    ///< [cells]
  uint32_t reference_count;
  uint32_t *first;           ///< [width * height + 1]
  lwi_reference *references; ///< [reference_count]
  uint8_t *floors; ///< [width * height] No point of the cell lies over or under more polygons than that.
} lwi_grid;

/// One slot of Walker's alias method: the polygon itself with that chance, else the other.
typedef struct lwi_alias {
  float chance; ///< [0..1]
  uint32_t other;
} lwi_alias;

struct lw_navmesh {
  lwi_memory memory;
  void *block; ///< Holds all arrays but `generations`, once the navmesh is done. sections.h lists them.
  size_t block_size;
  const lw_area_table *areas;
  lw_navmesh_agent agent;
  float tile_size;
  lwi_part part;
  lw_box bounds;
  double area; ///< Of all polygons, in xz. [m2]
  uint32_t tile_count;
  lwi_tile *tiles;
  uint32_t
      *generations; ///< [tile_count] Part of polygon ids; grows when a tile is replaced. [1..32767] Not saved.

  uint32_t polygon_count, corner_count;
  uint32_t vertex_count;  ///< Different corners of a tile's polygons.
  lwi_ranges *ranges;     ///< [polygon_count + 1]
  float *corners;         ///< [3 * corner_count + LWI_LANES] A polygon's x, then its z, then its y.
  uint8_t *edges;         ///< [corner_count] Of the edge that begins at the corner: see LWI_EDGE_WALL.
  lw_area_id *poly_areas; ///< [polygon_count]
  uint8_t *exposures;     ///< [polygon_count] How open it lies, before the area's own exposure. [255ths]
  uint8_t *deep_waters;   ///< [polygon_count] What part of it lies under deep water. [255ths]

  /* Heights. NULL and 0 where no tile has detail: then they come from fans over the corners. */
  uint32_t detail_vertex_count, detail_triangle_count;
  uint32_t *first_detail_vertex;   ///< [polygon_count + 1]
  lw_vec3 *detail_vertices;        ///< [detail_vertex_count] Behind the polygon's own corners.
  uint32_t *first_detail_triangle; ///< [polygon_count + 1]
  uint8_t *detail_triangles;       ///< [3 * detail_triangle_count] < corner count: a corner, else extra.
  uint32_t detail_box_count;
  uint32_t *first_detail_box; ///< [polygon_count + 1] A polygon has four bytes a triangle, or none.
  uint8_t *detail_boxes; ///< [detail_box_count + LWI_LANES] Of its frame: all low x, high x, low z, high z.

  /* The search graph. */
  uint32_t portal_count, stretch_count, island_count;
  uint32_t *first_portal; ///< [polygon_count + 1]
  lwi_portal *portals;    ///< [portal_count] By polygon, then edge, then t0.
  lwi_stretch *stretches; ///< [stretch_count] The first is a whole edge.
  uint32_t *islands;      ///< [polygon_count]
  lwi_alias *aliases;     ///< [polygon_count] To draw a polygon by its area.
  lwi_grid grid;
  uint32_t link_count;
  lwi_link *links;      ///< [link_count] By `from`, then as they were added.
  uint32_t *first_link; ///< [polygon_count + 1]; NULL: no links.

  /* Annotations. */
  uint32_t request_count, joined_count, refused_count; ///< Off-mesh links that were asked for.
  uint32_t water_count, water_point_count;
  lwi_request *requests; ///< [request_count] In the order in which they were asked for.
  lwi_water *waters;     ///< [water_count] Where they overlap, the later one counts.
  lw_vec3 *water_points; ///< [water_point_count]
  lwi_occluders occluders;
  lwi_cover cover;
  lwi_pairs pairs;
};

/// Corners may be read in steps of so many, past the polygon's end.
#define LWI_LANES 8

/// One polygon's corners, looked up once. Counter-clockwise seen from above.
typedef struct lwi_polygon {
  const float *at; ///< x of all, z of all, y of all. [3 * count]
  uint32_t count;
} lwi_polygon;

static inline lwi_polygon lwi_polygon_get(const lw_navmesh *mesh, uint32_t index) {
  uint32_t first = mesh->ranges[index].first_corner;
  return (lwi_polygon){mesh->corners + 3 * (size_t)first, mesh->ranges[index + 1].first_corner - first};
}
static inline lw_vec3 lwi_corner(const lwi_polygon *polygon, uint32_t i) {
  const float *at = polygon->at + i;
  return (lw_vec3){at[0], at[2 * polygon->count], at[polygon->count]};
}
static inline uint32_t lwi_next_corner(const lwi_polygon *polygon, uint32_t i) {
  return i + 1 < polygon->count ? i + 1 : 0;
}
static inline lwi_stretch lwi_portal_stretch(const lw_navmesh *mesh, const lwi_portal *portal) {
  return mesh->stretches[portal->stretch];
}
/// The border flags of an edge.
static inline uint8_t lwi_edge_border(uint8_t edge) {
  uint8_t flags = edge >> 5;
  return flags == LWI_EDGE_ANY ? LWI_BORDER_ANY : flags;
}

/// A part of 1 as a byte, and back. 0 and 1 stay what they are.
static inline uint8_t lwi_part_byte(float part) {
  return (uint8_t)(part * 255 + 0.5f);
}
static inline float lwi_byte_part(uint8_t byte) {
  return (float)byte / 255;
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
/// @param stretches  The mesh's, or those of a graph over it.
void lwi_portal_span(const lw_navmesh *mesh, const lwi_stretch *stretches, uint32_t index,
                     const lwi_portal *portal, lw_vec3 *left, lw_vec3 *right);
static inline void lwi_portal_points(const lw_navmesh *mesh, uint32_t index, const lwi_portal *portal,
                                     lw_vec3 *left, lw_vec3 *right) {
  lwi_portal_span(mesh, mesh->stretches, index, portal, left, right);
}
/// Height of the surface of polygon `index` at (x, z), from the detail triangle that holds it best.
float lwi_polygon_height(const lw_navmesh *mesh, uint32_t index, float x, float z);
/// How deep the water is over a place on the ground. [m]
float lwi_water_depth(const lw_navmesh *mesh, lw_vec3 ground);
/// Where a polygon lies in xz. [m]
typedef struct lwi_frame {
  float min_x, min_z, size_x, size_z;
} lwi_frame;
lwi_frame lwi_polygon_frame(const lwi_polygon *polygon);
/// A coordinate in 127ths of the frame. Rises with it, so that what is between is between.
static inline uint64_t lwi_frame_place(float at, float min, float size) {
  float place = (at - min) / size * 127;
  return place >= 127 ? 127 : place > 0 ? (uint64_t)place : 0; /* 0 where there is no size */
}
/// Twice the area, xz. [m2]
double lwi_polygon_area2(const lwi_polygon *polygon);
/// Area of polygon `index`, xz. [m2]
double lwi_area_of(const lw_navmesh *mesh, uint32_t index);
/// Is (x, z) inside, or outside by no more than `slack` metres?
bool lwi_polygon_holds(const lwi_polygon *polygon, lw_vec3 point, double slack);
/// The point of the polygon nearest in xz, its height not yet set. @return Whether `point` is inside.
bool lwi_polygon_closest(const lwi_polygon *polygon, lw_vec3 point, lw_vec3 *closest);

/// Is what no portal leads through of edge ab, between these parameters, a wall? Tiles' edges join over 2 cm or more: shorter
/// pieces between portals are rounding, and no wall stands alone on open ground.
#define LWI_SLIVER 0.025f
static inline bool lwi_is_wall(lw_vec3 a, lw_vec3 b, float from, float to) {
  return from < to && ((from <= 0 && to >= 1) || (to - from) * lwi_distance_xz(a, b) > LWI_SLIVER);
}

/// Cells of the grid that a box touches, clamped to it. @return false: none.
typedef struct lwi_cells {
  int x0, z0, x1, z1;
} lwi_cells;
/// Where in the grid, in cells.
static inline double lwi_grid_u(const lwi_grid *grid, double x) {
  return (x - grid->min_x) / grid->cell;
}
static inline double lwi_grid_v(const lwi_grid *grid, double z) {
  return (z - grid->min_z) / grid->cell;
}
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
  const lwi_stretch *stretches;     ///< What the portals point to.
  const uint32_t *polygons;         ///< [room_count - polygon_count] Of the rooms behind all polygons.
  const lwi_link_rooms *link_rooms; ///< [mesh->link_count] NULL: of the polygons' own indices.
} lwi_graph;

static inline lwi_graph lwi_graph_of(const lw_navmesh *mesh) {
  return (lwi_graph){
      mesh, mesh->polygon_count, mesh->portal_count, mesh->first_portal, mesh->portals, mesh->stretches, NULL,
      NULL};
}
static inline uint32_t lwi_room_polygon(const lwi_graph *graph, uint32_t room) {
  uint32_t polygons = graph->mesh->polygon_count;
  return room < polygons ? room : graph->polygons[room - polygons];
}
/// Ends of a portal of a room, as one who leaves sees them.
static inline void lwi_graph_points(const lwi_graph *graph, uint32_t room, const lwi_portal *portal,
                                    lw_vec3 *left, lw_vec3 *right) {
  lwi_portal_span(graph->mesh, graph->stretches, lwi_room_polygon(graph, room), portal, left, right);
}
static inline lwi_link_rooms lwi_graph_link_rooms(const lwi_graph *graph, uint32_t link) {
  if (graph->link_rooms) return graph->link_rooms[link];
  return (lwi_link_rooms){graph->mesh->links[link].from, graph->mesh->links[link].to};
}
static inline lw_area_id lwi_room_area(const lwi_graph *graph, uint32_t room) {
  return graph->mesh->poly_areas[lwi_room_polygon(graph, room)];
}

/// What the grid knows of a vertical line.
typedef struct lwi_column {
  uint32_t first, end; ///< Of the references of its cell.
  uint8_t x, z;        ///< Where in the cell, in 255ths.
  uint8_t floors;      ///< Of the cell.
} lwi_column;
/// @return false: it passes the navmesh by. Lines up to 2 mm beside a polygon still find it.
static inline bool lwi_grid_column(const lwi_grid *grid, float x, float z, lwi_column *column) {
  double u = lwi_grid_u(grid, x), v = lwi_grid_v(grid, z);
  const double beside = 0.01; /* of a cell: the border cells hold what lies beside the grid by less */
  if (!(u >= -beside && v >= -beside && u < grid->width + beside && v < grid->height + beside)) return false;
  int cx = u < 0 ? 0 : u >= grid->width ? grid->width - 1 : (int)u;
  int cz = v < 0 ? 0 : v >= grid->height ? grid->height - 1 : (int)v;
  size_t cell = (size_t)cz * (size_t)grid->width + (size_t)cx;
  double part_x = (u - cx) * 255, part_z = (v - cz) * 255;
  column->first = grid->first[cell];
  column->end = grid->first[cell + 1];
  column->x = part_x <= 0 ? 0 : part_x >= 255 ? 255 : (uint8_t)part_x;
  column->z = part_z <= 0 ? 0 : part_z >= 255 ? 255 : (uint8_t)part_z;
  column->floors = grid->floors[cell];
  return true;
}
/// May the polygon be above or below that line?
static inline bool lwi_column_meets(const lwi_column *column, const lwi_reference *box) {
  return (box->x0 <= column->x) & (column->x <= box->x1) & (box->z0 <= column->z) & (column->z <= box->z1);
}

/// Steps of building, in order; each returns false when there is no memory.
/// @param vertices  [corner_count] Corners of one tile at one place have the same number.
bool lwi_graph_link(lw_navmesh *mesh, const uint32_t *vertices);
bool lwi_graph_islands(lw_navmesh *mesh);
bool lwi_graph_detail_boxes(lw_navmesh *mesh);
bool lwi_graph_aliases(lw_navmesh *mesh);
bool lwi_graph_grid(lw_navmesh *mesh);
/// Make links of the requests, unless the mesh is a part of a bake; last.
bool lwi_graph_join(lw_navmesh *mesh);
/// Are `requests`, `links` and `first_link` what they should be?
lw_status lwi_graph_check_joins(const lw_navmesh *mesh, lw_error *error);
/// What the mesh carries, borrowed.
static inline lwi_annotations lwi_annotations_of(const lw_navmesh *mesh) {
  return (lwi_annotations){mesh->request_count, mesh->water_count,  mesh->water_point_count, mesh->requests,
                           mesh->waters,        mesh->water_points, mesh->occluders,         mesh->cover};
}
/// Labels of the rooms that agents with one filter can walk between.
/// @param labels  [room_count] LWI_NONE where the filter does not pass.
/// @param stack  [room_count] Room to work in.
void lwi_label_components(const lwi_graph *graph, const lw_filter *filter, uint32_t *labels, uint32_t *stack);

#endif
