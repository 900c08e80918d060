/// Between cut.c, which takes out footprints, and cut_heights.c, which divides what is inside of one by the
/// height of the surface.
#ifndef LW_MESH_CUT_PARTS_H
#define LW_MESH_CUT_PARTS_H

#include "mesh/cut.h"

/// A line to cut along.
typedef struct lwi_cut_line {
  lwi_cut_side side;
  double slack;
  uint32_t origin;   ///< Of edges along it.
  lwi_cut_mark mark; ///< Of the piece that it cuts.
} lwi_cut_line;

/// How much there is in a list.
typedef struct lwi_cut_place {
  int corners, pieces;
} lwi_cut_place;
static inline lwi_cut_place lwi_cut_end_of(const lwi_cut_list *list) {
  return (lwi_cut_place){list->corner_count, list->piece_count};
}
/// Leave out what was added to a list since.
static inline void lwi_cut_go_back(lwi_cut_list *list, lwi_cut_place to) {
  list->corner_count = to.corners;
  list->piece_count = to.pieces;
}

void lwi_cut_clear(lwi_cut_list *list);
/// Add a piece, unless it is a sliver. @return false: no memory.
bool lwi_cut_add(lwi_cutter *cut, lwi_cut_list *list, const lwi_cut_corner *corners, int count,
                 lwi_cut_mark mark);
/// Add a piece that is known to be no sliver. @return false: no memory.
bool lwi_cut_keep(lwi_cutter *cut, lwi_cut_list *list, const lwi_cut_corner *corners, int count,
                  lwi_cut_mark mark);
/// How much of the area of a piece lies in a shape. @param[out] share  [0..1] @return false: no memory.
bool lwi_cut_share(lwi_cutter *cut, const lwi_cut_corner *corners, int count, const lwi_cut_shape *shape,
                   double *share);
/// Where what is on either side of a line goes.
typedef struct lwi_cut_halves {
  lwi_cut_list *left, *right;
  bool is_split; ///< false: both lists are as they were.
} lwi_cut_halves;
/// Add to one list what is on the left of a line and to another one what is on the right, each one piece, if
/// neither is a sliver. @return false: no memory.
bool lwi_cut_in_two(lwi_cutter *cut, const lwi_cut_corner *corners, int count, const lwi_cut_line *line,
                    lwi_cut_halves *halves);
/// Divide the piece in `rest` by whether its surface has such a height, and add to `next` what has not, with
/// `outside`, and what has, with `inside`.
/// @param slack  How thick the lines are. [m] @param inside  NULL: it is gone.
/// @param[out] is_met  false: none of it has such a height, and nothing is added. @return false: no memory.
bool lwi_cut_by_heights(lwi_cutter *cut, const lwi_cut_heights *heights, double slack, lwi_cut_mark outside,
                        const lwi_cut_mark *inside, bool *is_met);

#endif
