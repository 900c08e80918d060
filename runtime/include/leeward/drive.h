/// @file drive.h
/// Drives: paths that a vehicle can drive (lw_vehicle), with headings, curvature and gears.
///
/// A drive consists of arcs of the profile's `turn_radius` and of straight lines, so that its curvature never
/// exceeds 1 / turn_radius. It is of the middle of the rear axle, which is its agent's position, over one
/// navmesh, and uses no off-mesh links. Everywhere on it the vehicle's rectangle, with corners rounded by the
/// radius that the navmesh was baked for, stands free of walls, but for LW_DRIVE_SLACK ahead and behind. (Where
/// it does not fit at the start, this holds from where it has driven its own length.)
///
/// It is found in this order. lw_path_find() finds a rounded path, with corners offset outward; from the start
/// pose curves to poses further along it, the longest first, are driven as they fit. Where that fails, and for
/// the ends, a search over position and heading, wide cells of these first, drives arcs and straight lines, and
/// from poses the shortest curve to the goal: of Dubins forwards, of Reeds and Shepp also backwards. It is led
/// by what it costs to walk to the goal. Prices of areas count; dangers, fire lanes and threats count for the
/// rounded path alone.
///
/// A trailer (lw_trailer) stands free of walls like the vehicle, and is turned by no more than its `max_angle`;
/// where it is pushed, by no more than the vehicle can straighten again. With one, arcs are a tenth wider than
/// `turn_radius`, so that the vehicle can steer against it. How it is turned at the goal is left open.
///
/// A drive leads backwards only where no route forwards is found, or where that exceeds LW_DRIVE_FORWARDS
/// lengths of the one with backing. A metre backwards counts as `reverse_cost` metres, and each change of
/// direction as `turn_radius` metres. There are at most three changes of direction, up to nine only where there
/// is no other route.
///
/// LW_INVALID: world, query or drive is NULL; the workspace is of another world; the query was not filled by
/// lw_drive_query_default(); the profile is NULL or not of a vehicle; a place is not finite, or `snap` not
/// above 0; `from_heading` or `trailer_angle` is not finite, or `heading` neither finite nor NAN; `within` is
/// below 0 or not finite; `max_nodes` is below 1; or the world has no such navmesh.
///
/// Threads: as lw_path_find(). A drive never changes, does not need the world any more, and may be read by any
/// number of threads.
#ifndef LEEWARD_DRIVE_H
#define LEEWARD_DRIVE_H

#include "leeward/navmesh.h"
#include "leeward/profile.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A route forwards is preferred to this number of lengths of one with backing.
#define LW_DRIVE_FORWARDS 3
/// How far the vehicle may extend past the navmesh ahead and behind. [m]
#define LW_DRIVE_SLACK 0.1f

/// What to search for. Start from lw_drive_query_default().
typedef struct lw_drive_query {
  lw_vec3 from;       ///< Middle of the rear axle; moved onto the navmesh within `snap`. [m]
  float from_heading; ///< Counter-clockwise from +x as seen from above. [rad, default 0]
  lw_vec3 to;         ///< Moved onto the navmesh likewise. [m]
  float heading;      ///< At the goal. NAN: any. [rad, default NAN]
  /// It may end so far from `to` where `heading` is NAN. [m, >= 0, default 0.3]
  float within;
  lw_vec3 snap; ///< Half size of the snap box. [m, > 0, default 2 4 2]
  /// How far the trailer is turned out of the vehicle's line at `from`; > 0: its front points to the left of
  /// that. At most the profile's `max_angle` counts. [rad, default 0]
  float trailer_angle;
  /// Not NULL: of a vehicle. Borrowed for the call.
  const lw_profile *profile;
  int navmesh;     ///< Index in the world, or LW_NAVMESH_FITTING. [default LW_NAVMESH_FITTING]
  int max_nodes;   ///< Poses to go on from before giving up. [>= 1, default 20000]
  uint32_t cookie; ///< Set by lw_drive_query_default(). Do not set.
} lw_drive_query;
/// @return The defaults of all fields.
LW_API lw_drive_query lw_drive_query_default(void);

/// A drive that was found.
typedef struct lw_drive lw_drive;

/// Find a drive; the head of this header says how. Leaves may call it inside lw_world_step().
/// @param workspace  NULL: the world's own.
/// @param[out] drive  The caller frees it with lw_drive_destroy(). NULL unless LW_OK.
/// @return LW_OK; LW_NO_START, LW_NO_GOAL: no place within `snap`, or no space for the vehicle at the goal with
///   its heading; LW_NO_PATH; LW_OUT_OF_NODES; LW_INVALID: the head of this header says why; LW_OUT_OF_MEMORY.
LW_API lw_status lw_drive_find(const lw_world *world, lw_workspace *workspace, const lw_drive_query *query,
                               lw_drive **drive);
/// Free a drive. @param drive  NULL: nothing happens.
LW_API void lw_drive_destroy(lw_drive *drive);

/// A point of a drive.
typedef struct lw_drive_point {
  lw_vec3 at;      ///< On the surface. [m]
  float heading;   ///< Of the vehicle, counter-clockwise from +x as seen from above. [rad]
  float curvature; ///< Of the piece that begins here; > 0: the steering is to the left. 0 at the last. [1/m]
  float along;     ///< Length from the start, in either direction. [m]
  int gear;        ///< Of the piece that begins here: 1: forwards, -1: backwards.
  float trailer_heading; ///< Of its trailer (lw_trailer); without one, as `heading`. [rad]
} lw_drive_point;
/// Read the points in order, a metre apart or less, on arcs half a metre. Where the gear changes, the vehicle
/// stops.
/// @param[out] count  [>= 1]
/// @return [count] Borrowed from the drive.
LW_API const lw_drive_point *lw_drive_points(const lw_drive *drive, int *count);
/// @return Its length, in both directions. [m]
LW_API float lw_drive_length(const lw_drive *drive);
/// @return How much of it leads backwards. [m]
LW_API float lw_drive_reversed(const lw_drive *drive);
/// @return How often the direction changes.
LW_API int lw_drive_cusps(const lw_drive *drive);
/// @return What it costs, with what backing costs. [metre-equivalents]
LW_API float lw_drive_cost(const lw_drive *drive);
/// @return How many poses the search went on from.
LW_API int lw_drive_nodes(const lw_drive *drive);
/// @return Index in the world of its navmesh.
LW_API int lw_drive_navmesh(const lw_drive *drive);

#ifdef __cplusplus
}
#endif
#endif
