/// Convex pieces of a convex polygon, from which convex footprints are taken out one after another. All in xz,
/// counter-clockwise seen from above.
///
/// A piece is split along the line of one side of the footprint after another: what lies outside of the side is
/// done, the rest goes on, and what is inside of all sides is gone, or stays as a marked piece. A corner that a
/// split makes is rounded to floats once, and both parts have it. Every edge knows where it comes from: an edge
/// of the polygon, or a side of a footprint. So pieces that meet do so along edges of equal origin, and nothing
/// needs to be matched by its place, but for what lwi_cut_merge() puts together again.
#ifndef LW_MESH_CUT_H
#define LW_MESH_CUT_H

#include "core/memory.h"
#include "core/vec3.h"
#include "leeward/area.h"
#include "mesh/slopes.h"

/// Corners nearer to a line than this lie on it: cut lines are that thick. [m]
#define LWI_CUT_SLACK 5e-4
/// No piece is narrower than this: such strips are not cut off, along a footprint, or out of a piece. [m]
#define LWI_CUT_SLIVER 5e-3

/// Where the surface is not level, heights may be off by this: fewer lines follow its bends. [m]
#define LWI_CUT_HEIGHT_SLACK 0.05

/// Corners of an outline at most.
#define LWI_CUT_SIDES 32

/// Footprints that mark split one polygon, or square, into that number of pieces more. Those that are
/// applied later count for the pieces that they find, by the share of each that they cover: n outlines that all
/// cross each other would leave n squared pieces.
#define LWI_CUT_MARKED_MAX 1024

/// Origins from here on are lines along a height of the surface: this, plus the place in lwi_cutter.lines.
#define LWI_HEIGHT_ORIGIN 0x70000000U
/// Origins from here on are sides of footprints: this, plus the footprint's number times LWI_CUT_SIDES, plus
/// the side.
#define LWI_SIDE_ORIGIN 256U
/// From here on they are lines that split a wide polygon (live_parts.h): this, plus the number of the line.
#define LWI_LINE_ORIGIN 0x80000000U
/// Are edges of that origin within the ground, and not on its border?
static inline bool lwi_cut_is_within(uint32_t origin) {
  return origin >= LWI_SIDE_ORIGIN && origin < LWI_LINE_ORIGIN;
}

/// A side of a shape: where it begins, and where it leads to.
typedef struct lwi_cut_side {
  lwi_point2 corner, direction; ///< The direction has unit length.
} lwi_cut_side;

/// A convex shape to cut by.
typedef struct lwi_cut_shape {
  const lwi_cut_side *sides; ///< [count] Counter-clockwise. Borrowed.
  int count;
  /// How thick the lines of the sides are: lwi_cut_slack(). [m]
  double slack;
  double min_x, min_z, max_x, max_z;
} lwi_cut_shape;
/// @param far  The greatest distance from the origin along an axis. [m]
/// @return How thick lines are there: floats far from the origin are coarser than LWI_CUT_SLACK. [m]
double lwi_cut_slack(double far);
/// @param corners  [count] Convex, counter-clockwise, of 3 to LWI_CUT_SIDES. @param[out] sides  [count]
void lwi_cut_sides_make(lwi_cut_side *sides, const lwi_point2 *corners, int count);
/// @param sides  [count] Used as long as the shape is.
lwi_cut_shape lwi_cut_shape_of(const lwi_cut_side *sides, int count);

/// A corner, and where the edge to the next one comes from: the polygon's edge of that number, or a side.
typedef struct lwi_cut_corner {
  float x, z; ///< [m]
  uint32_t origin;
  uint32_t vertex; ///< Equal for corners of pieces that are made of one: below lwi_cutter.vertex_count.
} lwi_cut_corner;
static inline lwi_point2 lwi_cut_point(const lwi_cut_corner *corner) {
  return (lwi_point2){(double)corner->x, (double)corner->z};
}

/// What footprints that are not cut out make of a piece.
typedef struct lwi_cut_mark {
  lw_area_id area;  ///< Of the first footprint applied that has an area; LW_AREA_NONE: the polygon's.
  uint8_t headroom; ///< What they leave below them, the least (headroom.h); 0: none hangs over it.
  float cost;       ///< Of all of them, the sum. [metre-equivalents per metre]
} lwi_cut_mark;
static inline bool lwi_cut_is_marked(lwi_cut_mark mark) {
  return mark.area != LW_AREA_NONE || mark.cost > 0 || mark.headroom > 0;
}

typedef struct lwi_cut_piece {
  int first, count; ///< Its corners.
  lwi_cut_mark mark;
  bool has_bounds;                  ///< Those behind are computed.
  bool is_merged;                   ///< In this round of lwi_cut_merge().
  float min_x, min_z, max_x, max_z; ///< [m]
} lwi_cut_piece;

typedef struct lwi_cut_list {
  lwi_cut_corner *corners;
  lwi_cut_piece *pieces;
  int corner_count, corner_capacity, piece_count, piece_capacity;
} lwi_cut_list;

/// An edge of a piece that another piece may have, too.
typedef struct lwi_cut_edge {
  uint32_t origin;
  int piece, corner; ///< That it begins at, of the piece.
  int next;          ///< Of the same list; -1: it is the last one.
} lwi_cut_edge;

/// Begin with zeros and `memory`.
typedef struct lwi_cutter {
  lwi_memory *memory;
  lwi_cut_list now; ///< The pieces.
  lwi_cut_list next;
  lwi_cut_list rest; ///< What is left of the piece that is being split, after each line.
  double *sides;     ///< Of its corners, how far each is on the left of the line. [m]
  int side_capacity;
  uint32_t vertex_count;
  lwi_cut_list parts, half; ///< For heights: parts that are not decided yet, and one of the two last ones.
  int unmarked_count;       ///< Pieces before the first footprint that marks; -1: before it.
  lwi_point2 *points;       ///< Of parts of pieces.
  int point_capacity;
  lwi_cut_side *lines; ///< [line_count] Along heights of the surface, since lwi_cut_begin().
  int line_count, line_capacity;
  lwi_cut_edge *edges; ///< [edge_count] For merging,
  int *first_edges;    ///< [edge_lists] in lists.
  int edge_count, edge_capacity, edge_lists, first_edge_capacity;
} lwi_cutter;

/// A slope, and what each piece asks of it.
typedef struct lwi_cut_slope {
  lwi_slope slope;
  lwi_incline incline;
  lw_box bounds;
  lwi_point2 from[3], along[3]; ///< Its edges, seen from above.
} lwi_cut_slope;
/// @return false: the slope has no area.
bool lwi_cut_slope_of(const lwi_slope *slope, lwi_cut_slope *to);

/// What of a surface counts: that between two heights.
typedef struct lwi_cut_heights {
  const lwi_cut_slope *slopes; ///< [count] All of the surface that may be looked at. Borrowed.
  int count;
  double low, high; ///< [m]
} lwi_cut_heights;
/// What heights may be off, so that thin ranges are not lost in it. [m]
static inline double lwi_cut_height_slack(const lwi_cut_heights *heights) {
  return lwi_smaller(LWI_CUT_HEIGHT_SLACK, (heights->high - heights->low) / 4);
}

void lwi_cut_free(lwi_cutter *cut);
/// Begin with a whole polygon. @param corners  [count] @return false: no memory.
bool lwi_cut_begin(lwi_cutter *cut, const lwi_cut_corner *corners, int count);
/// Let pieces that are convex together, and have one mark, be one piece; after the last footprint.
/// @return false: no memory.
bool lwi_cut_merge(lwi_cutter *cut);
/// Put the corners of all pieces one after another, in the order of the pieces; after the last footprint.
/// @return false: no memory.
bool lwi_cut_end(lwi_cutter *cut);
/// Take a footprint out of all pieces, or mark what is inside of it. Where it only touches a piece, the piece
/// stays as it is.
/// @param first_origin  Of side 0; side i has `i` more. @param mark  What is inside stays, with this mark, but
///   for the area of a mark that was applied before; none: it is gone.
/// @param heights  What is inside counts only where the surface has such a height, but for
///   LWI_CUT_HEIGHT_SLACK. NULL: all of it. Beyond LWI_CUT_MARKED_MAX a mark counts for whole pieces: its cost
///   by the share that it covers, its area and headroom where that is more than half.
/// @return false: no memory.
bool lwi_cut_apply(lwi_cutter *cut, const lwi_cut_shape *shape, uint32_t first_origin, lwi_cut_mark mark,
                   const lwi_cut_heights *heights);
/// Split a polygon along a line, if neither part is a sliver: what is on the left of it becomes `rest`, what is
/// on the right `next`, each one piece.
/// @param origin  Of the edges on the line. @param[out] is_split  false: the polygon stays whole.
/// @return false: no memory.
bool lwi_cut_halve(lwi_cutter *cut, const lwi_cut_corner *corners, int count, const lwi_cut_side *side,
                   uint32_t origin, bool *is_split);
/// Do the insides of a polygon and of a shape overlap?
bool lwi_cut_overlaps(const lwi_cut_corner *corners, int count, const lwi_cut_shape *shape);
/// What a polygon and a footprint have in common becomes `rest`: one piece, or none. @return false: no memory.
bool lwi_cut_common(lwi_cutter *cut, const lwi_cut_corner *corners, int count, const lwi_cut_shape *shape);

/// How much of an outline there is.
typedef enum lwi_cut_amount { LWI_CUT_NOTHING, LWI_CUT_SOME, LWI_CUT_ALL } lwi_cut_amount;
/// How much of the surface within a convex outline has such a height, but for LWI_CUT_HEIGHT_SLACK?
/// @param heights  With all slopes that reach into the outline.
lwi_cut_amount lwi_cut_within(const lwi_cut_corner *corners, int count, const lwi_cut_heights *heights);
/// The heights of the surface within a convex outline. @param slopes  [count] All that reach into it.
/// @return false: no slope does.
bool lwi_cut_range_within(const lwi_cut_corner *corners, int corner_count, const lwi_cut_slope *slopes,
                          int count, double *low, double *high);
/// Has each of the given slopes only such heights within the outline, but for LWI_CUT_HEIGHT_SLACK, or does not
/// reach into it?
bool lwi_cut_none_leaves(const lwi_cut_corner *corners, int count, const lwi_cut_heights *heights);

#endif
