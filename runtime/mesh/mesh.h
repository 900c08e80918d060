/// Inside a navmesh. Polygons of all tiles lie in flat arrays by dense index; a tile is a range of them. What
/// is read together is one struct: tiles, polygons, detail (heights), graph (portals), grid (lookup by place),
/// links, annotations.
///
/// The arrays are *sections* (sections.h): they are packed into one block, whose bytes the file holds as they
/// are (file.c). Other folders keep sections of their own in the same block: sight/ its occluders, cover map
/// and visibility table, cover/ its segments. The navmesh holds an opaque struct for each such group and knows
/// nothing of what is in it.
///
///     build.c     a navmesh from tiles of polygons      graph.c    portals, islands
///     sources.c, islands_drop.c   built again in part   grid.c     lookup: nearest point, containment, height
///     create.c    a navmesh from polygons               polygon.c  one polygon: height, area, closest point
///     import*.c   files of other programs               walk.c     ray cast, sliding
///     outline.c   checks on outlines                    around.c, outwards.c   polygons about a place
///     file.c      the navmesh's file                    clearance*.c, region.c   paths of larger agents
///     live*.c     a world's version of a navmesh        cut.c      convex pieces of a polygon
///     reduction.c dead ends, corners of walls           landmarks.c   distances that bound paths
#ifndef LW_MESH_MESH_H
#define LW_MESH_MESH_H

#include "leeward/navmesh.h"
#include "core/memory.h"
#include "core/vec3.h"
#include "mesh/headroom.h"
#include "mesh/portal.h"
#include "mesh/step_height.h"

#define LWI_NONE UINT32_MAX
/// As many tiles as polygon ids can name.
#define LWI_MAX_TILES 0xffffe
/// Corners and detail vertices of one polygon together: triangles name them by bytes.
#define LWI_SURFACE_VERTICES 256
/// Of a detail triangle's edge: none is behind it.
#define LWI_NEIGHBOUR_NONE 255

/// A tile: its place in the grid of tiles and its polygons.
typedef struct lwi_tile {
  int32_t x, z;
  lw_box bounds; ///< [m]
  uint32_t first_polygon, polygon_count;
} lwi_tile;

/// A polygon: where its corners begin, and its tile. The next polygon's corners follow, so there is one entry
/// more.
typedef struct lwi_ranges {
  uint32_t first_corner;
  uint32_t tile : 24;
  uint32_t surface : 8; ///< LWI_SURFACE_* (slopes.h), of polygons of the base: found by lwi_surfaces_fill().
} lwi_ranges;

/// An off-mesh link in one direction; a bidirectional one is two.
typedef struct lwi_link {
  uint32_t from, to;    ///< Dense polygon indices.
  lw_vec3 start, end;   ///< On the surfaces of `from` and `to`. [m]
  float length;         ///< What it costs at least. [m, >= 0]
  uint8_t kind;         ///< lw_link_kind.
  lw_area_id area;      ///< LW_AREA_NONE: priced as the average of both ends.
  uint8_t openness;     ///< Of a waypoint edge, along it, as of polygons. [255ths]
  uint8_t has_openness; ///< 0: it is as open as its ends, and `openness` is 0. 1: a bake looked.
} lwi_link;

/// A polygon in a cell of the grid, with the box of its part in that cell: x and z in 255ths of the cell, y in
/// 255ths of the navmesh's height, rounded outwards.
typedef struct lwi_reference {
  uint32_t polygon;
  uint8_t x0, z0, y0, zero0;
  uint8_t x1, z1, y1, zero1; ///< Zeros fill up what is read four at a time.
} lwi_reference;

/// A uniform grid in xz that lists the polygons of each cell.
typedef struct lwi_grid {
  float min_x, min_z, cell; ///< [m]
  float min_y, size_y;      ///< The range of heights, of which boxes have 255ths. [m, size > 0]
  int32_t width, height;    ///< [cells]
  uint32_t reference_count;
  uint32_t *first;           ///< [width * height + 1]
  lwi_reference *references; ///< [reference_count]
  uint8_t *floors;           ///< [width * height] Upper bound on how many polygons lie over or under one point.
} lwi_grid;

/// One slot of Walker's alias method: the polygon itself with probability `chance`, else `other`.
typedef struct lwi_alias {
  float chance; ///< [0..1]
  uint32_t other;
} lwi_alias;

/// An end of a requested link, on the mesh.
typedef struct lwi_link_end {
  uint32_t polygon; ///< The nearest; LWI_NONE: not searched yet.
  lw_vec3 at;       ///< The nearest place. [m]
  float distance;   ///< From the requested place. [m]
} lwi_link_end;

/// The same link the other way.
static inline lwi_link lwi_link_back(const lwi_link *link) {
  lwi_link back = *link;
  back.from = link->to;
  back.to = link->from;
  back.start = link->end;
  back.end = link->start;
  return back;
}

/// A requested off-mesh link, and whether it was joined.
typedef struct lwi_request {
  lw_vec3 from, to;      ///< [m]
  float radius, length;  ///< [m] `length` is -1 for the straight distance.
  uint8_t kind;          ///< lw_link_kind.
  lw_area_id area;       ///< LW_AREA_NONE: the average of both ends.
  uint8_t bidirectional; ///< 0 or 1.
  uint8_t state;         ///< lw_link_state.
  lwi_link_end start, end;
} lwi_request;

/// What few requests have: a name, a capacity; what waypoint edges of a bake have: openness.
typedef struct lwi_link_note {
  uint32_t request;                ///< Its index.
  int16_t capacity;                ///< lw_link_def.capacity
  uint8_t openness, has_openness;  ///< As in lwi_link.
  char name[LW_LINK_NAME_MAX + 1]; ///< "": none. Zeros fill it up.
} lwi_link_note;

/// A body of water: all that lies within a simple polygon, above `bottom` and below `level`.
typedef struct lwi_water {
  float level, bottom;               ///< [m] `bottom` may be -infinity.
  uint32_t first_point, point_count; ///< Of the navmesh's water points.
} lwi_water;

/// The surface may lie this much below the ground, and so below a water's bottom. [m]
#define LWI_GROUND_SLACK 0.1f
/// Does the water cover ground of this height, within its outline? @param y  [m]
static inline bool lwi_water_wets(const lwi_water *water, float y) {
  return y < water->level && y >= water->bottom - LWI_GROUND_SLACK;
}

/// What a navmesh carries besides its polygons: requests for links, and water.
typedef struct lwi_annotations {
  uint32_t request_count, water_count, water_point_count;
  lwi_request *requests; ///< [request_count] In the order of the calls.
  lwi_water *waters;     ///< [water_count] Where they overlap, the later one counts.
  lw_vec3 *water_points; ///< [water_point_count]
  lwi_link_note *notes;  ///< [note_count] By request.
  uint32_t note_count;
} lwi_annotations;

/// @param def  Checked by lwi_link_check(). @return A request that waits to be joined.
lwi_request lwi_request_of(const lw_link_def *def);
/// Let the links of a request have the openness of its note.
void lwi_links_set_openness(lw_navmesh *mesh, const lwi_link_note *note);

/// Join a link to a navmesh as it was baked. @param[out] link  From `from` to `to`.
/// @return LW_LINK_JOINED, or why not.
lw_link_state lwi_link_place(const lw_navmesh *mesh, const lw_link_def *def, lwi_link *link);

typedef struct lwi_part {
  uint32_t first, count; ///< Its tiles, row by row over the whole grid, empty ones included.
  uint32_t total;        ///< Tiles of the whole grid. 0: not a part, but a whole navmesh.
  /// What the bake adds when parts are joined (LWI_KEEP_* of bake/bake_cover.h), and how far a visibility table
  /// reaches. [m]
  uint32_t finish;
  float finish_range;
  float min_island; ///< Smaller islands are left out when parts are joined. [m2]
  uint64_t bake;    ///< Hash of triangles and settings: equal in all parts of a bake.
} lwi_part;

/// Tiles, in the order of the grid: by z, then x.
typedef struct lwi_mesh_tiles {
  uint32_t count;
  lwi_tile *items;       ///< [count]
  uint32_t *generations; ///< [count] Part of polygon ids; grows when a tile is replaced. [1..32767] Not saved.
} lwi_mesh_tiles;

/// Polygons by dense index.
typedef struct lwi_mesh_polygons {
  uint32_t count, corner_count;
  uint32_t vertex_count; ///< Different corners of a tile's polygons.
  lwi_ranges *ranges;    ///< [count + 1]
  float *corners;        ///< [3 * corner_count + LWI_SIMD_WIDTH] A polygon's x, then its z, then its y.
  uint8_t *edges;        ///< [corner_count] Byte of the edge that begins at the corner: LWI_EDGE_*.
  lw_area_id *areas;     ///< [count]
  uint8_t *openness;     ///< [count] How open a polygon lies, before its area's own exposure. [255ths]
  uint8_t *depths;       ///< [2 * count] Of the water over a polygon, least and most: depths.h. [0.01 m]
  uint8_t *headrooms;    ///< [count] The least headroom over a polygon: headroom.h. [0.05 m]
  uint8_t *steps;        ///< [count] The highest step in a polygon: step_height.h. [0.01 m]
  bool has_old_depths;   ///< There is a byte a polygon, of another meaning: an old file, while it is read.
  bool has_no_limits;    ///< There are no `headrooms` and `steps`: an old file, while it is read.
  lwi_alias *aliases;    ///< [count] To draw a random polygon by area.
} lwi_mesh_polygons;

/// Heights of polygons that are not flat. NULL and 0 where no tile has detail: heights then come from fans over
/// the corners.
typedef struct lwi_mesh_detail {
  uint32_t vertex_count, triangle_count, neighbour_count;
  uint32_t *first_vertex;    ///< [polygons.count + 1]
  lw_vec3 *vertices;         ///< [vertex_count] Numbered after the polygon's own corners.
  uint32_t *first_triangle;  ///< [polygons.count + 1]
  uint8_t *triangles;        ///< [3 * triangle_count] < corner count: a corner, else a detail vertex.
  uint32_t *first_neighbour; ///< [polygons.count + 1] A polygon has four bytes a triangle, or none.
  /// [neighbour_count + LWI_SIMD_WIDTH] Of triangle `i` those over its edges, or LWI_NEIGHBOUR_NONE, and the
  /// one that cell `i` of the polygon names: lwi_slope_cells.
  uint8_t *neighbours;
} lwi_mesh_detail;

/// Portals between polygons.
typedef struct lwi_mesh_graph {
  uint32_t portal_count, interval_count, island_count;
  uint32_t *first_portal;         ///< [polygons.count + 1]
  const uint32_t *end_portal;     ///< [polygons.count] Where a polygon's portals end.
  lwi_portal *portals;            ///< [portal_count] By polygon, then edge, then t0.
  lwi_portal_interval *intervals; ///< [interval_count] The first is a whole edge.
  /// [interval_count] How far apart in height the two edges are there at most: step_height.h. A portal with a
  /// step has an interval of its own, also if that is a whole edge. Edges that were baked have none: each tile
  /// rasterises the ground for itself, and steps lie in polygons. [0.01 m]
  uint8_t *interval_steps;
  uint8_t highest_step; ///< Of `interval_steps`.
  bool has_no_steps;    ///< There are no `interval_steps`: an old file, while it is read.
  uint32_t *islands;    ///< [polygons.count] Equal for polygons that portals connect.
} lwi_mesh_graph;

/// Off-mesh links.
typedef struct lwi_mesh_links {
  uint32_t count;
  uint32_t joined_count, refused_count; ///< Requests that became links, and that could not.
  uint32_t *first;                      ///< [polygons.count + 1]; NULL: no links.
  const uint32_t *end;                  ///< [polygons.count] Where a polygon's links end; NULL: no links.
  lwi_link *items;                      ///< [count] By `from`, then as they were added.
  const lw_link_id *ids;                ///< [count] Those of the world's links. NULL: it is no world's navmesh.
  const float *costs; ///< [count] What each costs beside its length. NULL: nothing. [metre-equivalents]
  const struct lwi_link_clearances *clearances; ///< Of link_fits.h. NULL: all agents fit.
} lwi_mesh_links;

/// What other folders keep in a navmesh: by slot the struct of a group of sections (mesh/sections.h), which its
/// folder reads through an accessor of its own (lwi_occluders_of(), lwi_cover_of(), ...).
#define LWI_ATTACHMENT_COUNT 6
typedef struct lwi_attachments {
  void *slots[LWI_ATTACHMENT_COUNT];
} lwi_attachments;

/// A range of polygons.
typedef struct lwi_span {
  uint32_t first, count; ///< `first` is LWI_NONE: none, not even an empty one.
} lwi_span;

/// `first` of the lwi_span of a wide polygon that is cut: `count` is the number of its lwi_split.
#define LWI_SPLIT (LWI_NONE - 1)
/// A wide polygon of the base that is cut is split along fixed lines, and what is in each square between them
/// is cut apart from the others.
typedef struct lwi_split {
  uint32_t polygon;
  uint32_t first, count; ///< Squares, by their numbers behind the polygons of the base.
  uint32_t space;        ///< Numbers that are theirs.
  float min_x, min_z;    ///< Of the first cell. [m]
  float size;            ///< Of a cell. [m]
  int columns, rows;
  uint32_t *at;                   ///< [rows * columns] The square that each cell belongs to.
  struct lwi_square *squares;     ///< [count] live_parts.h
  struct lwi_cut_corner *corners; ///< [corner_count] Theirs.
  int square_capacity, corner_count, corner_capacity;
} lwi_split;

/// What a live navmesh (live.h) has besides: polygons behind `base_count` are pieces. All zero in a baked one.
typedef struct lwi_mesh_live {
  const lw_navmesh *base;                 ///< As it was baked.
  uint64_t version;                       ///< Grows with each change.
  const struct lwi_live_journal *journal; ///< What changes touched: live_journal.h.
  uint32_t base_count, split_count, first_interval;
  uint32_t own_portals; ///< In use, beside those of `base`.
  uint32_t *origins;    ///< [polygons.count] A polygon of the base, whole or in part; LWI_NONE: there is none.
  lwi_span *pieces; ///< [base_count, then squares] Of what is cut; `first` LWI_NONE: it is whole, or LWI_SPLIT.
  const lwi_split *splits;    ///< [split_count]
  uint16_t *generations;      ///< [polygons.count] Of the ids of pieces.
  uint32_t *tile_generations; ///< [tiles of `base`] In place of its own. Owned. NULL: its own count.
  uint16_t first_generation;  ///< Of the ids of pieces whose numbers were not used yet; 0: 1.
  const float *costs; ///< [polygons.count] What a metre costs more than elsewhere; NULL: nowhere does it.
  lwi_portal_heights *portal_heights; ///< [intervals behind those of the base, `first_interval` on]
  const uint32_t *lowered; ///< [LWI_HEADROOM_OPEN] Pieces by their headroom, where obstacles lower it.
} lwi_mesh_live;

struct lw_navmesh {
  lwi_memory memory;
  void *block; ///< Holds all sections once the navmesh is done.
  size_t block_size;
  const lw_area_table *areas;
  lw_navmesh_agent agent;
  float tile_size;
  lwi_part part;
  lw_box bounds;
  double area; ///< Sum of the polygons', in xz. [m2]
  lwi_mesh_tiles tiles;
  lwi_mesh_polygons polygons;
  lwi_mesh_detail detail;
  lwi_mesh_graph graph;
  lwi_grid grid;
  lwi_mesh_links links;
  lwi_annotations annotations;
  lwi_attachments attachments;
  lwi_mesh_live live;
  _Atomic uint64_t identity; ///< Of lwi_navmesh_identity(); 0: not asked for yet.
};

/// The same navmesh, baked or loaded, has the same number. It is computed once, by whichever thread asks first.
uint64_t lwi_navmesh_identity(const lw_navmesh *mesh);

/// Is a polygon of that number there? In a live navmesh it may be cut, or be no piece.
static inline bool lwi_is_there(const lw_navmesh *mesh, uint32_t index) {
  return !mesh->live.origins || mesh->live.origins[index] != LWI_NONE;
}
/// The polygon of the base that a polygon is, or a piece of.
static inline uint32_t lwi_origin_of(const lw_navmesh *mesh, uint32_t index) {
  return mesh->live.origins && index >= mesh->live.base_count ? mesh->live.origins[index] : index;
}

/// What a link costs beside its length. [metre-equivalents]
static inline float lwi_link_cost(const lw_navmesh *mesh, const lwi_link *link) {
  return mesh->links.costs ? mesh->links.costs[link - mesh->links.items] : 0;
}

/// The navmesh as it was baked.
static inline const lw_navmesh *lwi_base_of(const lw_navmesh *mesh) {
  return mesh->live.base ? mesh->live.base : mesh;
}
/// Polygons that a navmesh was baked with: all of them, but for the pieces of a live one.
static inline uint32_t lwi_base_count(const lw_navmesh *mesh) {
  return mesh->live.origins ? mesh->live.base_count : mesh->polygons.count;
}
/// Is a polygon of the base as it was baked, and not cut?
static inline bool lwi_is_whole(const lw_navmesh *mesh, uint32_t polygon) {
  return !mesh->live.pieces || mesh->live.pieces[polygon].first == LWI_NONE;
}

/// A walk over what is there of a polygon of the base: itself, or its pieces.
typedef struct lwi_part_walk {
  const lw_navmesh *mesh;
  uint32_t part, end;           ///< Of the parts that come next.
  uint32_t square, squares_end; ///< Whose pieces come after these,
  const lwi_split *split;       ///< or, unless NULL, those of its cells from (x, z) on.
  int x, z, x0, x1, z1;
} lwi_part_walk;
static inline lwi_part_walk lwi_parts_of(const lw_navmesh *mesh, uint32_t polygon) {
  if (lwi_is_whole(mesh, polygon)) return (lwi_part_walk){.mesh = mesh, .part = polygon, .end = polygon + 1};
  const lwi_span span = mesh->live.pieces[polygon];
  if (span.first != LWI_SPLIT)
    return (lwi_part_walk){.mesh = mesh, .part = span.first, .end = span.first + span.count};
  const lwi_split *split = &mesh->live.splits[span.count];
  return (lwi_part_walk){.mesh = mesh, .square = split->first, .squares_end = split->first + split->count};
}
/// The same, but of a polygon that is split only squares near a rectangle, some of them perhaps twice.
lwi_part_walk lwi_parts_near(const lw_navmesh *mesh, uint32_t polygon, lw_vec3 min, lw_vec3 max);
/// The next square of the walk. @return false: there is none.
static inline bool lwi_next_square(lwi_part_walk *walk, uint32_t *square) {
  if (!walk->split) {
    *square = walk->square++;
    return *square < walk->squares_end;
  }
  if (walk->x > walk->x1) {
    walk->x = walk->x0;
    walk->z += 1;
  }
  if (walk->z > walk->z1) return false;
  *square = walk->split->at[walk->z * walk->split->columns + walk->x++];
  return true;
}
/// @return false: there are no more.
static inline bool lwi_next_part(lwi_part_walk *walk, uint32_t *part) {
  while (walk->part == walk->end) {
    uint32_t square;
    if (!lwi_next_square(walk, &square)) return false;
    walk->part = walk->mesh->live.pieces[square].first;
    walk->end = walk->part + walk->mesh->live.pieces[square].count;
  }
  *part = walk->part++;
  return true;
}

/// Corners may be read in groups of this many, past the polygon's end.
#define LWI_SIMD_WIDTH 8

/// One polygon's corners, counter-clockwise seen from above.
typedef struct lwi_polygon {
  const float *at; ///< x of all, z of all, y of all. [3 * count]
  uint32_t count;
} lwi_polygon;

static inline lwi_polygon lwi_polygon_get(const lw_navmesh *mesh, uint32_t index) {
  uint32_t first = mesh->polygons.ranges[index].first_corner;
  return (lwi_polygon){mesh->polygons.corners + 3 * (size_t)first,
                       mesh->polygons.ranges[index + 1].first_corner - first};
}
static inline lw_vec3 lwi_corner(const lwi_polygon *polygon, uint32_t i) {
  const float *at = polygon->at + i;
  return (lw_vec3){at[0], at[2 * polygon->count], at[polygon->count]};
}
static inline uint32_t lwi_next_corner(const lwi_polygon *polygon, uint32_t i) {
  return i + 1 < polygon->count ? i + 1 : 0;
}
static inline lwi_portal_interval lwi_interval_of_portal(const lw_navmesh *mesh, const lwi_portal *portal) {
  return mesh->graph.intervals[portal->interval];
}
/// Can agents that wade so deep stand in water of that depth?
/// @param wade_depth  [m] @param deepest  As polygons have it: 255 stands for all that is deeper.
static inline bool lwi_can_wade(float wade_depth, uint8_t deepest) {
  return deepest == 255 ? wade_depth == INFINITY : (float)deepest <= 100 * wade_depth + 0.01f;
}

/// A number 0..1 in 255ths, and back. 0 and 1 are exact.
static inline uint8_t lwi_part_byte(float part) {
  return (uint8_t)(part * 255 + 0.5f);
}
static inline float lwi_byte_part(uint8_t byte) {
  return (float)byte / 255;
}

/// @return The id of a dense polygon index.
lw_poly_id lwi_poly_id(const lw_navmesh *mesh, uint32_t index);
/// @return The dense index, or LWI_NONE: the id is stale or of another navmesh.
uint32_t lwi_poly_index(const lw_navmesh *mesh, lw_poly_id id);

/// Whether an id is of a polygon whose tile has been replaced since, as a whole.
bool lwi_poly_is_replaced(const lw_navmesh *mesh, lw_poly_id id);

/// No polygon, as lwi_poly_place() names them.
#define LWI_NO_PLACE UINT64_MAX
/// A polygon by the polygon of the base that it is or a piece of, and which piece: this does not depend on what
/// was cut before. @return LWI_NO_PLACE: the id is stale.
uint64_t lwi_poly_place(const lw_navmesh *mesh, lw_poly_id id);
/// @param place  Any number. @return 0: there is none.
lw_poly_id lwi_poly_at_place(const lw_navmesh *mesh, uint64_t place);

/// May agents with this filter enter a polygon? NULL: all may.
static inline bool lwi_passes(const lw_navmesh *mesh, const lw_filter *filter, uint32_t polygon) {
  if (!filter) return true;
  const lw_area_id area = mesh->polygons.areas[polygon];
  if (!(filter->areas[area >> 6] >> (area & 63) & 1)) return false;
  if (!lwi_has_headroom(mesh->polygons.headrooms[polygon], filter->height, mesh->agent.height)) return false;
  if (!lwi_can_climb(filter->climb, mesh->polygons.steps[polygon])) return false;
  const uint8_t deepest = mesh->polygons.depths[2 * (size_t)polygon + 1];
  if (deepest == 0) return !(filter->deep_areas[area >> 6] >> (area & 63) & 1);
  return lwi_can_wade(filter->wade_depth, deepest);
}
/// May agents with this filter cross a portal, and enter the polygon behind? NULL: all may.
static inline bool lwi_crosses(const lw_navmesh *mesh, const lw_filter *filter, const lwi_portal *portal) {
  return lwi_passes(mesh, filter, portal->to) &&
         (!filter || lwi_can_climb(filter->climb, mesh->graph.interval_steps[portal->interval]));
}
/// Ends of a portal of polygon `index`, left and right for an agent that leaves the polygon.
/// @param intervals  The mesh's, or those of a graph over it.
void lwi_portal_span(const lw_navmesh *mesh, const lwi_portal_interval *intervals, uint32_t index,
                     const lwi_portal *portal, lw_vec3 *left, lw_vec3 *right);
static inline void lwi_portal_points(const lw_navmesh *mesh, uint32_t index, const lwi_portal *portal,
                                     lw_vec3 *left, lw_vec3 *right) {
  lwi_portal_span(mesh, mesh->graph.intervals, index, portal, left, right);
}
/// The same as seen from above, where y is 0: heights may take long.
void lwi_portal_ends_xz(const lw_navmesh *mesh, uint32_t index, const lwi_portal *portal, lw_vec3 *left,
                        lw_vec3 *right);
/// The portal back to polygon `index` from the polygon behind one of its portals: that with the nearest ends.
/// @return NULL: there is none.
const lwi_portal *lwi_portal_back(const lw_navmesh *mesh, uint32_t index, const lwi_portal *portal);
/// Height of the surface of polygon `index` at (x, z). Outside of the polygon: the height of its nearest place.
float lwi_polygon_height(const lw_navmesh *mesh, uint32_t index, float x, float z);
/// Check a polygon's corners, portals and edges. @return LW_OK, or LW_INVALID with what does not hold.
lw_status lwi_polygon_check(const lw_navmesh *mesh, uint32_t index, lw_error *error);
/// A polygon's bounds in xz. [m]
typedef struct lwi_frame {
  float min_x, min_z, size_x, size_z;
} lwi_frame;
lwi_frame lwi_polygon_frame(const lwi_polygon *polygon);
/// Twice the area in xz. [m2]
double lwi_polygon_area2(const lwi_polygon *polygon);
/// Area of polygon `index` in xz. [m2]
double lwi_area_of(const lw_navmesh *mesh, uint32_t index);
/// Is (x, z) inside, or outside by no more than `slack` metres?
bool lwi_polygon_holds(const lwi_polygon *polygon, lw_vec3 point, double slack);
/// @param[out] closest  The polygon's nearest point in xz; its y is not the surface's. @return Whether `point`
///   is inside.
bool lwi_polygon_closest(const lwi_polygon *polygon, lw_vec3 point, lw_vec3 *closest);

/// Is a part of edge ab that no portal covers a wall? Edges of tiles join over 2 cm or more, so shorter pieces
/// between portals are rounding.
#define LWI_SLIVER 0.025f
static inline bool lwi_is_wall(lw_vec3 a, lw_vec3 b, float from, float to) {
  return from < to && ((from <= 0 && to >= 1) || (to - from) * lwi_distance_xz(a, b) > LWI_SLIVER);
}

/// What is there at (x, z), but for `slack` metres, of a polygon of the base. @return LWI_NONE: nothing.
uint32_t lwi_part_at(const lw_navmesh *mesh, uint32_t polygon, lw_vec3 point, double slack);

/// A range of cells of a grid, both ends included.
typedef struct lwi_cells {
  int x0, z0, x1, z1;
} lwi_cells;
/// Coordinates in cells of the grid.
static inline double lwi_grid_u(const lwi_grid *grid, double x) {
  return (x - grid->min_x) / grid->cell;
}
static inline double lwi_grid_v(const lwi_grid *grid, double z) {
  return (z - grid->min_z) / grid->cell;
}
/// The cell that holds a coordinate, clamped to 0..count - 1.
static inline int lwi_cell_of(float value, float origin, float cell, int count) {
  int i = (int)floorf((value - origin) / cell);
  return i < 0 ? 0 : i >= count ? count - 1 : i;
}
/// Is (x, z) the first cell that two ranges share? Pairs that share several cells are looked at in that one
/// only.
static inline bool lwi_cells_first_shared(lwi_cells a, lwi_cells b, int x, int z) {
  return x == (a.x0 > b.x0 ? a.x0 : b.x0) && z == (a.z0 > b.z0 ? a.z0 : b.z0);
}
/// Cells of the grid that a box touches. @return false: none.
bool lwi_grid_cells(const lwi_grid *grid, float min_x, float min_z, float max_x, float max_z, lwi_cells *cells);

/// The regions that a link leaves and enters. LWI_NONE: the agents are too large to stand there.
typedef struct lwi_link_regions {
  uint32_t from, to;
} lwi_link_regions;

/// What a search runs over: regions, and portals from region to region. Without clearance every polygon is one
/// region. For agents larger than the mesh was baked for, a polygon may fall into several regions, between
/// whose walls they do not fit: the first has the polygon's index, the others have indices behind all polygons.
typedef struct lwi_graph {
  const lw_navmesh *mesh;
  uint32_t region_count, portal_count;
  const uint32_t *first_portal;         ///< [region_count]
  const uint32_t *end_portal;           ///< [region_count]
  const lwi_portal *portals;            ///< [portal_count] `to` is a region.
  const lwi_portal_interval *intervals; ///< What lwi_portal.interval counts in.
  const uint8_t *interval_steps;        ///< As in lwi_mesh_graph. NULL: no portal has a step.
  uint32_t first_extra;                 ///< Regions from here on are not the first ones of their polygons.
  const uint32_t *polygons;             ///< [region_count - first_extra] Of these.
  const uint32_t *next; ///< [region_count] Of the same polygon; LWI_NONE: none. NULL: none has any.
  const lwi_link_regions *link_regions; ///< [mesh->links.count] NULL: as the links' polygons.
} lwi_graph;

static inline lwi_graph lwi_graph_of(const lw_navmesh *mesh) {
  return (lwi_graph){.mesh = mesh,
                     .region_count = mesh->polygons.count,
                     .portal_count = mesh->graph.portal_count,
                     .first_portal = mesh->graph.first_portal,
                     .end_portal = mesh->graph.end_portal,
                     .portals = mesh->graph.portals,
                     .intervals = mesh->graph.intervals,
                     .interval_steps = mesh->graph.highest_step > 0 ? mesh->graph.interval_steps : NULL,
                     .first_extra = mesh->polygons.count};
}
static inline uint32_t lwi_region_polygon(const lwi_graph *graph, uint32_t region) {
  return region < graph->first_extra ? region : graph->polygons[region - graph->first_extra];
}
/// Can agents with that climb step over a portal? @param climb  [m]
static inline bool lwi_climbs_over(const lwi_graph *graph, float climb, const lwi_portal *portal) {
  return !graph->interval_steps || lwi_can_climb(climb, graph->interval_steps[portal->interval]);
}
/// May agents with this filter cross a portal, and enter the region behind? NULL: all may.
static inline bool lwi_graph_crosses(const lwi_graph *graph, const lw_filter *filter,
                                     const lwi_portal *portal) {
  return lwi_passes(graph->mesh, filter, lwi_region_polygon(graph, portal->to)) &&
         (!filter || lwi_climbs_over(graph, filter->climb, portal));
}
/// Ends of a portal of a region, left and right for an agent that leaves the region.
static inline void lwi_graph_points(const lwi_graph *graph, uint32_t region, const lwi_portal *portal,
                                    lw_vec3 *left, lw_vec3 *right) {
  lwi_portal_span(graph->mesh, graph->intervals, lwi_region_polygon(graph, region), portal, left, right);
}
static inline lwi_link_regions lwi_graph_link_regions(const lwi_graph *graph, uint32_t link) {
  if (graph->link_regions) return graph->link_regions[link];
  return (lwi_link_regions){graph->mesh->links.items[link].from, graph->mesh->links.items[link].to};
}
static inline lw_area_id lwi_region_area(const lwi_graph *graph, uint32_t region) {
  return graph->mesh->polygons.areas[lwi_region_polygon(graph, region)];
}

/// Steps of building, in this order. Each returns false when memory runs out.
/// @param vertices  [corner_count] Equal numbers for corners of one tile at one place.
bool lwi_graph_link(lw_navmesh *mesh, const uint32_t *vertices);
bool lwi_graph_islands(lw_navmesh *mesh);
bool lwi_graph_surfaces(lw_navmesh *mesh);
/// Only what it fills in, of a navmesh that has space for it.
void lwi_surfaces_fill(lw_navmesh *mesh);
bool lwi_graph_aliases(lw_navmesh *mesh);
bool lwi_graph_grid(lw_navmesh *mesh);
/// Find the highest step of any portal, once the portals are there. It needs no memory.
void lwi_graph_measure_steps(lw_navmesh *mesh);
/// Join the requested links (links/offmesh.c); those of a part of a bake wait. The last step.
bool lwi_graph_join(lw_navmesh *mesh);
/// Add requests, behind those that there are, to a navmesh that is done, and join all. @return false: no
/// memory; the navmesh is only good to be destroyed.
bool lwi_graph_add_links(lw_navmesh *mesh, const lwi_request *requests, uint32_t count);
/// Check requests and links against each other.
lw_status lwi_graph_check_joins(const lw_navmesh *mesh, lw_error *error);
/// Label connected regions: equal labels where agents with the filter can walk from one to the other.
/// @param labels  [region_count] LWI_NONE where the filter does not pass.
/// @param stack  [region_count] Scratch. @return How many labels there are, from 0 on.
uint32_t lwi_label_components(const lwi_graph *graph, const lw_filter *filter, uint32_t *labels,
                              uint32_t *stack);

#endif
