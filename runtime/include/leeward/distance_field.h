/// @file distance_field.h
/// Distance fields: what it costs to go to the nearest of some goals from everywhere, and where to go next. For
/// crowds: a field is computed once, and then asked by any number of agents.
///
/// A field is a search backwards from its goals (Dijkstra), so that one-way links count in their direction.
/// It knows no threats; dangers and fire lanes count where paths cross them between portals, but no path turns
/// inside a polygon to go round one, as those of lw_path_find() do.
///
/// Where every metre costs the same, costs are those of the shortest paths, but for slopes, which are measured
/// along lines near by. Where prices differ, or dangers lie about, paths turn at points of portals a metre
/// apart or less, which takes several times longer. tests/README.md has figures for both.
///
/// A field is of one navmesh: that of its first goal that has a place. Goals elsewhere are passed over, and it
/// takes no links between navmeshes. Where an agent larger than the navmesh was baked for is shut in between
/// the walls of one polygon is no place for goals, and from there is no route.
///
/// A field is of the world as it was when it was computed. lw_distance_field_is_stale() says whether obstacles,
/// permutations, links, tiles, visibility, or dangers and fire lanes that came or went have changed since then;
/// lw_distance_field_refresh() then computes it again. (Dangers that fade do not make it stale.) A stale field
/// answers by what it knows: places on ground that has changed may have no answer.
///
/// LW_INVALID: an argument is NULL, or the world or the workspace is another one than the field's; the
/// definition was not filled by lw_distance_field_def_default(); there is no goal; a goal, a place or `snap` is
/// not finite, or `snap` not above 0; `max_cost` is below 0 or not a number; `visibility` is neither -1 nor
/// 0..1; the world has no such navmesh; `capacity` is below 0, or `points` NULL where it is above.
///
/// Threads: functions that take a field as const may run on any number of threads between steps, each with its
/// own workspace. A field must not be asked after its world was destroyed.
#ifndef LEEWARD_DISTANCE_FIELD_H
#define LEEWARD_DISTANCE_FIELD_H

#include "leeward/navmesh.h"
#include "leeward/profile.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What a field is of. Start from lw_distance_field_def_default().
typedef struct lw_distance_field_def {
  /// [goal_count] Where paths lead. Each is moved as lw_path_query.to; those without a place are passed over.
  /// Borrowed for the call. [m]
  const lw_vec3 *goals;
  int goal_count; ///< [>= 1]
  lw_vec3 snap;   ///< Half size of the snap box, of goals and of places asked about. [m, > 0, default 2 4 2]
  /// It must outlive the field. NULL: length only, all areas may be entered. [default NULL]
  const lw_profile *profile;
  int navmesh; ///< Index in the world, or LW_NAVMESH_FITTING. [default LW_NAVMESH_FITTING]
  /// Places from where it costs more have no answer. [metre-equivalents, >= 0, default infinity]
  float max_cost;
  float visibility; ///< Replaces that of the world. [0..1, default -1: does not replace it]
  uint32_t cookie;  ///< Set by lw_distance_field_def_default(). Do not set.
} lw_distance_field_def;

/// @return The defaults of all fields.
LW_API lw_distance_field_def lw_distance_field_def_default(void);

typedef struct lw_distance_field lw_distance_field;

/// Compute a field.
/// @param world  Not NULL. @param workspace  NULL: the world's own. @param def  Borrowed for the call.
/// @param[out] field  The caller frees it with lw_distance_field_destroy(). NULL unless LW_OK.
/// @return LW_OK; LW_NO_GOAL: no goal has a place; LW_INVALID; LW_OUT_OF_MEMORY.
LW_API lw_status lw_distance_field_create(const lw_world *world, lw_workspace *workspace,
                                          const lw_distance_field_def *def, lw_distance_field **field);
/// Free a field. @param field  NULL: nothing happens.
LW_API void lw_distance_field_destroy(lw_distance_field *field);

/// @return Whether the world has changed so that the field may be out of date. false also for another world, or
///   NULL.
LW_API bool lw_distance_field_is_stale(const lw_distance_field *field, const lw_world *world);
/// Compute a field again if it is stale. It keeps its memory, so that a warm one allocates nothing.
/// @return LW_OK; LW_NO_GOAL: no goal has a place any more, and the field answers nothing; LW_INVALID;
///   LW_OUT_OF_MEMORY: it answers nothing.
LW_API lw_status lw_distance_field_refresh(lw_distance_field *field, const lw_world *world,
                                           lw_workspace *workspace);

/// The route from a place.
typedef struct lw_field_route {
  lw_vec3 from; ///< The place, moved onto the navmesh. [m]
  lw_vec3 next; ///< Where to walk to next, straight in xz; at the start of a link, its end. [m]
  float cost;   ///< To the goal. [metre-equivalents]
  int goal;     ///< Index of the goal that it leads to.
} lw_field_route;

/// Ask for the route from a place to the nearest goal.
/// @param[out] route  All zero unless LW_OK.
/// @return LW_OK; LW_NO_START: no place within `snap` to stand; LW_NO_PATH: none, or one that costs more than
///   max_cost; LW_INVALID; LW_OUT_OF_MEMORY.
LW_API lw_status lw_distance_field_get(const lw_distance_field *field, const lw_world *world,
                                       lw_workspace *workspace, lw_vec3 at, lw_field_route *route);
/// Space for a path.
typedef struct lw_field_path {
  lw_vec3 *points; ///< [capacity] To be filled with the first ones. May be NULL where `capacity` is 0. [m]
  int capacity;    ///< [>= 0]
  int count;       ///< How many there are, also beyond `capacity`.
} lw_field_path;

/// Ask for the whole path from a place: where to turn, both ends of links, and the goal.
/// @param[in, out] path  `count` is 0 unless LW_OK.
/// @return As lw_distance_field_get().
LW_API lw_status lw_distance_field_path(const lw_distance_field *field, const lw_world *world,
                                        lw_workspace *workspace, lw_vec3 at, lw_field_path *path);

/// @return Bytes that the field holds. NULL: 0.
LW_API size_t lw_distance_field_memory(const lw_distance_field *field);

#ifdef __cplusplus
}
#endif
#endif
