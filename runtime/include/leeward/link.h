/// @file link.h
/// Off-mesh links: jumps, drops, ladders, teleports, doors and waypoints.
///
/// A link costs its length at the prices of its area, or of the ground at its ends, and pays for openness,
/// threats, dangers and fire lanes along its line, a jump's arc, as the ground does. A teleport has no line: it
/// pays for none of these but dangers where it ends.
///
/// All links of a world that have joined have ids: those that were baked into its navmeshes, those between its
/// navmeshes, and those that were added to it. Links may have names, several of them the same one: a lift that
/// was baked into the navmeshes of soldiers and of tanks is a link in each of them.
///
/// A link is used if it is enabled and no permutation bars it (permutation.h). Links are added, removed,
/// enabled, disabled and priced at any time, also inside lw_world_step(). All of it takes effect together, and
/// with obstacles and permutations, when the next step begins, or in lw_world_apply_changes(): until then
/// queries see the links as they were. An added link is moved onto the navmeshes as they were baked, like a
/// baked one: where an obstacle is cut out at one of its ends it is used again once that ground is back.
///
/// A jump, a drop or a ladder is not used while an obstacle that is cut out stands where the body would be: the
/// arc of the jump, out over the end of the drop and straight down, along the ladder, as wide and as high as
/// the agents that the navmesh was baked for, without what these step over (the smaller of their climb and half
/// of their height). A link that is on several navmeshes is checked for the largest of their agents. All other
/// kinds lead through what stands there.
///
/// Agents that are wider or higher than these take such a link only where they fit, to 1 cm, between obstacles
/// that are cut out and the level's walls, ceilings and ground (lw_link_fits()). The level is known as far as
/// the navmesh keeps occluders (lw_bake_settings.occluders); what hides softly stops nobody. What the agents of
/// the bake touch as they take the link belongs to it, as a ladder's wall does.
///
/// Agents whose path leads over a link that is no longer used search again in that step, or one soon after it
/// if there are very many; so do agents whose path could be a tenth cheaper over a link that is new, used again
/// or cheaper, within two seconds, spread over the steps, or soon after where there are tens of thousands. An
/// agent that is on a link takes it to its end, whatever becomes of the link. If ground was cut away there it
/// is moved as where an obstacle is put down (obstacle.h), or its move fails with LW_TRAPPED when it lands.
///
/// No more agents than its capacity are on a link at a time, in either direction. Others wait where it begins,
/// and take it in the order of their arrival; meanwhile they do not count as stuck. A path does not cost more
/// because agents wait.
///
/// When an agent begins or ends a link, lw_world_def.linked is called. It may hold the agent where the link
/// begins, until lw_agent_finish_link() puts it down at the end: so a game plays an animation of its own.
///
/// Threads: functions that take `lw_world *` need the world alone. Functions that take `const lw_world *` may
/// run together, also with queries. The others may run on any thread.
#ifndef LEEWARD_LINK_H
#define LEEWARD_LINK_H

#include "leeward/area.h"
#include "leeward/id.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LW_LINK_NAME_MAX 63      ///< Bytes of a name at most.
#define LW_LINK_COST_MAX 1e6f    ///< Greatest price of a link. [metre-equivalents]
#define LW_LINK_CAPACITY_MAX 255 ///< Greatest capacity.

/// What an off-mesh link is, and so how an agent takes it.
typedef enum lw_link_kind {
  LW_LINK_JUMP, ///< On a parabola.
  LW_LINK_DROP, ///< Straight out, then straight down.
  LW_LINK_LADDER,
  LW_LINK_TELEPORT,
  LW_LINK_DOOR,
  LW_LINK_WAYPOINT,
  LW_LINK_KIND_COUNT,
  LW_LINK_NONE = LW_LINK_KIND_COUNT ///< No link: over the surface.
} lw_link_kind;
/// @return "jump", "drop", "ladder", "teleport", "door", "waypoint" or "none". Static storage.
LW_API const char *lw_link_kind_name(lw_link_kind kind);

/// A connection between two places that no ground joins. Start from lw_link_def_default().
typedef struct lw_link_def {
  lw_link_kind kind;  ///< [default LW_LINK_JUMP]
  lw_vec3 from;       ///< Where it starts, moved onto the navmesh within `radius`. [m]
  lw_vec3 to;         ///< Where it ends, moved onto the navmesh within `radius`. [m]
  bool bidirectional; ///< Also leads from `to` to `from`. [default false]
  float radius;       ///< How far, in 3D, each end may be moved. [m, > 0, default 1]
  float length;       ///< What it adds to the length of a path. [m, >= 0; default -1: the straight distance]
  /// Priced as this area, and only for agents that may enter it. [default LW_AREA_NONE: priced as the average
  /// of both ends]
  lw_area_id area;
  const char *name; ///< Copied. [1..LW_LINK_NAME_MAX bytes; default NULL: none]
  /// How many agents may be on it at a time; 0: any number. [0..LW_LINK_CAPACITY_MAX; default -1: 1 for a
  /// ladder, 0 for all others]
  int capacity;
  uint32_t cookie; ///< Set by lw_link_def_default(). Do not set.
} lw_link_def;
/// @return The defaults of all fields.
LW_API lw_link_def lw_link_def_default(void);

/// What lw_world_def.linked is called for.
typedef enum lw_link_event { LW_LINK_BEGIN, LW_LINK_END } lw_link_event;
/// What an agent does with a link.
typedef struct lw_link_step {
  lw_link_event event; ///< It begins the link, or is at its end.
  lw_link_id link;     ///< Stale where it was removed meanwhile.
  lw_link_kind kind;   ///< Its kind.
} lw_link_step;

/* --- links of a world --- */

/// Add a link. It may lead from one navmesh to another: each end is moved to the nearest place of all navmeshes
/// as they were baked.
/// @param def  Copied.
/// @param[out] link  All zero on an error.
/// @return LW_OK; LW_INVALID: a field is out of range, or both ends come to lie at one place, named in `error`;
///   LW_NO_POINT: an end has no navmesh within the radius, as `error` says; LW_OUT_OF_MEMORY.
LW_API lw_status lw_link_add(lw_world *world, const lw_link_def *def, lw_link_id *link, lw_error *error);
/// Remove a link that was added with lw_link_add(). Its id is stale at once.
/// @return LW_OK; LW_STALE: it has been removed; LW_INVALID: it was not added with lw_link_add(): such a link
///   can only be disabled.
LW_API lw_status lw_link_remove(lw_world *world, lw_link_id link);
/// Enable or disable a link.
/// @return LW_OK; LW_STALE: it has been removed.
LW_API lw_status lw_link_enable(lw_world *world, lw_link_id link, bool enabled);
/// Set what a link costs in addition to its length, for all agents.
/// @param cost  [metre-equivalents, 0..LW_LINK_COST_MAX, 0 to begin with]
/// @return LW_OK; LW_STALE: it has been removed; LW_INVALID: the cost is out of range.
LW_API lw_status lw_link_set_cost(lw_world *world, lw_link_id link, float cost);
/// Set how many agents may be on a link at a time, from now on. Those that are on it stay.
/// @param capacity  [0..LW_LINK_CAPACITY_MAX; 0: any number]
/// @return LW_OK; LW_STALE: it has been removed; LW_INVALID: the capacity is out of range.
LW_API lw_status lw_link_set_capacity(lw_world *world, lw_link_id link, int capacity);

/// A link as it is now.
typedef struct lw_link_info {
  lw_link_def def;  ///< As it was asked for. `name` is borrowed while the link is there.
  lw_vec3 from;     ///< Where it begins; as in `def` while an end has no ground within the radius. [m]
  lw_vec3 to;       ///< Where it ends, likewise. [m]
  int from_navmesh; ///< Index in the world of the navmesh that it begins on,
  int to_navmesh;   ///< and of the one that it ends on.
  float length;     ///< What it adds to the length of a path. [m]
  float cost;       ///< As it was set last. [metre-equivalents]
  int capacity;     ///< 0: any number.
  int users;        ///< How many agents are on it,
  int waiting;      ///< and how many wait for it.
  bool is_added;    ///< By lw_link_add().
  bool is_enabled;  ///< As it was set last; permutations may bar it all the same.
  bool is_barred;   ///< By the state that a permutation was set to last.
  bool is_blocked;  ///< An obstacle stands in its arc, since changes were last applied.
  /// As queries see it: enabled, neither barred nor blocked, and there is ground at both ends.
  bool is_used;
} lw_link_info;
/// @param[out] info  All zero on an error, but for `def`, which is as from lw_link_def_default().
/// @return LW_OK; LW_STALE: it has been removed.
LW_API lw_status lw_link_get(const lw_world *world, lw_link_id link, lw_link_info *info);
/// Do agents of a profile fit along a link, in their lowest stance, since changes were last applied? The ground
/// at its ends is not looked at.
/// @param[out] fits  Also true for kinds that lead through no air, whatever stands there.
/// @return LW_OK; LW_STALE: it has been removed, and `fits` is false.
LW_API lw_status lw_link_fits(const lw_world *world, lw_link_id link, const lw_profile *profile, bool *fits);
/// @return How many links there are.
LW_API int lw_link_count(const lw_world *world);
/// Iterate over the links: those of the navmeshes as they were baked, those between navmeshes, then those that
/// were added, in that order.
/// @param link  All zero: begin.
/// @return The next link; all zero after the last one, and for a stale id.
LW_API lw_link_id lw_link_next(const lw_world *world, lw_link_id link);
/// Find the links of a name, in the order of lw_link_next().
/// @param after  All zero: begin.
/// @return The next link of that name; all zero after the last one, and for a stale id.
LW_API lw_link_id lw_link_find(const lw_world *world, const char *name, lw_link_id after);

#ifdef __cplusplus
}
#endif
#endif
