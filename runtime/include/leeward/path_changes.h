/// @file path_changes.h
/// What a path was found on, and what of that has changed since.
///
/// A path holds no pointer into its world: it notes for each piece the polygon and the link, for each polygon
/// the price of a metre, and the version of the navmesh. These stay readable when the world is gone, and are
/// compared with the world as it is now.
///
/// Threads: as queries: they may run on any number of threads between steps.
#ifndef LEEWARD_PATH_CHANGES_H
#define LEEWARD_PATH_CHANGES_H

#include "leeward/path.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A piece of a path, from one point to the next, as it was when the path was found.
typedef struct lw_path_piece {
  lw_poly_id polygon; ///< Where it begins; 0: the agent was led to the path there, from elsewhere.
  int navmesh;        ///< Index in the world of the navmesh that it begins on.
  lw_link_id link;    ///< The off-mesh link that it is; none: it leads over ground.
  /// Of a metre on that polygon, for the query's profile; of a link, what was set on it (lw_link_set_cost()).
  /// [metre-equivalents]
  float price;
  uint64_t version; ///< Of that navmesh: lw_navmesh_version().
} lw_path_piece;
/// Read a piece.
/// @param index  Of the point where it begins. @param[out] piece  All zero on an error.
/// @return LW_OK; LW_INVALID: a pointer is NULL, or no piece begins at that point.
LW_API lw_status lw_path_get_piece(const lw_path *path, int index, lw_path_piece *piece);

/// What may have changed under a piece.
typedef enum lw_path_change_kind {
  /// An obstacle or a permutation cuts the ground, or marks a part of it with an area or a cost, or no longer
  /// does: it consists of other polygons. What a metre costs on these is not compared.
  LW_PATH_CUT,
  LW_PATH_REPLACED,      ///< Its tiles are others: rebuilt, of another permutation, of another navmesh.
  LW_PATH_PRICED,        ///< A metre on it costs the profile something else, or it may not enter it any more.
  LW_PATH_LINK_REMOVED,  ///< The link is not there any more.
  LW_PATH_LINK_DISABLED, ///< The link is disabled, barred by a permutation, or an end of it has no ground.
  LW_PATH_LINK_PRICED,   ///< Something else is set on the link (lw_link_set_cost()).
  LW_PATH_CHANGE_KIND_COUNT
} lw_path_change_kind;
/// @return "cut", "replaced", "priced", "link_removed", "link_disabled", "link_priced"; NULL: out of range.
LW_API const char *lw_path_change_name(lw_path_change_kind kind);

/// A change under a piece.
typedef struct lw_path_change {
  lw_path_change_kind kind;
  int point;       ///< Where the piece begins.
  int polygon;     ///< In the corridor: the first polygon of the piece that has changed so. -1: it is a link.
  int count;       ///< How many of its polygons have; 1 for a link.
  lw_link_id link; ///< None: it leads over ground.
  /// Of LW_PATH_PRICED and LW_PATH_LINK_PRICED, the price as in lw_path_piece. [metre-equivalents]
  float before;
  float after; ///< The same now. INFINITY: it may not be entered any more. [metre-equivalents]
  bool blocks; ///< The piece cannot be walked any more, even by an agent without width.
} lw_path_change;
/// Compare a path with the world as it is now. Of each piece each kind is listed once; a polygon that a piece
/// ends in counts as one of its polygons. Ground elsewhere that has become cheaper is no change under the path.
/// @param world  That found the path, or one that was restored from its save.
/// @param query  As the path was searched: its profile, team and visibility count. NULL: prices are not
///   compared, and all ground counts as ground that may be entered.
/// @param[out] changes  [capacity] In the order of the path. May be NULL if `capacity` is 0.
/// @param[out] count  How many there are, also above `capacity`; 0 on an error.
/// @return LW_OK; LW_INVALID: a pointer is NULL, `capacity` is below 0, the query was not filled by
///   lw_path_query_default(), its `visibility` is neither -1 nor 0..1, or the world has no such navmesh.
LW_API lw_status lw_path_changes(const lw_path *path, const lw_world *world, const lw_path_query *query,
                                 lw_path_change *changes, int capacity, int *count);

#ifdef __cplusplus
}
#endif
#endif
