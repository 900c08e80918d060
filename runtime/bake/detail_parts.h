/// Between detail_split.c, which cuts polygons, and detail_surface.c, which cuts their surfaces.
#ifndef LW_BAKE_DETAIL_PARTS_H
#define LW_BAKE_DETAIL_PARTS_H

#include "bake/detail_split.h"
#include "mesh/slopes.h"

/// A corner, and the edge that its side to the next corner is a part of.
typedef struct lwi_detail_corner {
  int vertex, edge;
} lwi_detail_corner;

/// A straight edge that two pieces may have in common. All vertices that were put on it are listed.
typedef struct lwi_detail_edge {
  int from, to;
  uint8_t border;
  int first_cut; ///< From `from` to `to`. -1: none.
} lwi_detail_edge;

typedef struct lwi_detail_cut {
  double t; ///< [0..1 of the edge]
  int vertex, next;
} lwi_detail_cut;

typedef struct lwi_detail_piece {
  int polygon; ///< Of the source.
  int first_corner, corner_count;
  int first_slope, slope_count; ///< 0: it is the whole polygon, and its surface is the source's.
} lwi_detail_piece;

typedef struct lwi_detail_slopes {
  lwi_slope *items;
  int count, capacity;
} lwi_detail_slopes;
typedef struct lwi_detail_pieces {
  lwi_detail_piece *items;
  int count, capacity;
} lwi_detail_pieces;

/// A tile that is being cut.
typedef struct lwi_detail_work {
  lwi_memory *memory;
  const lwi_tile_source *from;
  const lwi_detail_rules *rules;
  lw_vec3 *vertices;
  int vertex_count, vertex_capacity;
  lwi_detail_edge *edges;
  int edge_count, edge_capacity;
  lwi_detail_cut *cuts;
  int cut_count, cut_capacity;
  lwi_detail_corner *corners; ///< Those of pieces that were cut stay in between.
  int corner_count, corner_capacity;
  lwi_detail_slopes slopes; ///< So do their slopes.
  lwi_detail_pieces done;   ///< Whose parts are small enough.
  lwi_detail_pieces open;
  lw_vec3 *outline; ///< Of the piece that is looked at.
  int outline_capacity;
} lwi_detail_work;

/// Corners of a polygon at most: those on borders of others that are cut finely make it be cut, too.
#define LWI_DETAIL_CORNERS 32

/// Give a whole polygon slopes of its own. @return false: no memory.
bool lwi_detail_take_slopes(lwi_detail_work *work, lwi_detail_piece *piece);
/// Heights of the lowest and the highest place of a piece. @param[out] range  [2] [m]
void lwi_detail_heights(const lwi_detail_work *work, const lwi_detail_piece *piece, float *range);
/// The height of its surface. @param piece  With slopes.
float lwi_detail_height(const lwi_detail_work *work, const lwi_detail_piece *piece, double x, double z);
/// Divide the surface of a piece along a line: `left` and `right` get slopes. @return false: no memory.
bool lwi_detail_divide(lwi_detail_work *work, const lwi_detail_piece *piece, const lw_vec3 line[2],
                       lwi_detail_piece *left, lwi_detail_piece *right);

/// The corners of a piece, with those that its neighbours have on its edges.
typedef struct lwi_detail_outline {
  lwi_detail_corner *corners; ///< [count]
  int *own;                   ///< [count] Which corner of the piece it is; -1: a neighbour's.
  int count, corner_capacity, own_capacity;
} lwi_detail_outline;
/// Add the surface of a piece to the tile. @return false: no memory.
bool lwi_detail_put_surface(const lwi_detail_work *work, const lwi_detail_piece *piece,
                            const lwi_detail_outline *outline, lwi_detail_tile *tile);

#endif
