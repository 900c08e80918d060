/// @file group.h
/// Groups: agents that travel in formation, on one path.
///
/// A group searches one path for all of its members, which all of them can take (lw_profile_combine()). A frame
/// moves along it at the speed of the slowest; each member has a place in that frame, and walks to where its
/// place is on the navmesh. Where the ground about the path is too narrow for the formation it is compressed,
/// moved to the free side, and at last members walk one behind the other; they form up again behind that. The
/// frame waits for members that are more than LW_GROUP_LAG behind their places; one that lags is at most
/// LW_GROUP_CATCH_UP times as fast as else. At the goal each member arrives at its own place beside it.
///
/// The leader is the member that was added first, of those that take part. It has the first place when they set
/// out; behind a narrow part of the path that is the member that came first. When it leaves, dies or is
/// despawned, the next one leads.
///
/// A member that gets another order (lw_agent_move_with(), lw_agent_stop(), a leaf that moves it), or whose
/// move fails, takes no part until the group's next order, or until it is added again. One that was pushed away
/// or is cut off walks on a path of its own, and takes part again when it sees its place; nobody waits for it.
///
/// Groups of vehicles (lw_vehicle) are convoys, in any formation. Where the member that was added first cannot
/// pass others that stand on its route, or has no space to turn round before them, those on its route go first,
/// and the last of them leads until the next order. The leader drives to the goal as fast as the
/// slowest can, by a drive (drive.h) for all of them (lw_profile_combine()); each other member drives to where
/// the leader was when it set out, and on along its drive. Between one and the next there are at least the
/// spacing, or both lengths and 2 m, and the distance that the one behind takes to brake. The leader waits for
/// members that are more than LW_GROUP_LAG behind that. At the goal they stand one behind the other. Where no
/// drive leads to the leader, a member drives to the goal by itself.
///
/// Members may have bodies and avoid each other (lw_profile_def.body), or not. An agent is in one group at
/// most.
///
/// Threads: functions that take `const lw_world *` may run together, also with queries; the others need the
/// world alone.
#ifndef LEEWARD_GROUP_H
#define LEEWARD_GROUP_H

#include "leeward/agent.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LW_GROUP_MEMBERS_MAX 64 ///< Members of a group.
#define LW_GROUP_LAG 3.0f       ///< The frame waits for members that are further behind. [m]
#define LW_GROUP_CATCH_UP 1.15f ///< Times its speed.

/// How members stand about the leader.
typedef enum lw_formation {
  LW_FORMATION_LINE,   ///< Side by side.
  LW_FORMATION_COLUMN, ///< One behind the other, at `spacing` and the distance that it takes to brake.
  LW_FORMATION_WEDGE,  ///< On both sides further back.
  LW_FORMATION_FILE,   ///< One behind the other on the path, at `spacing`.
  LW_FORMATION_POINTS, ///< As lw_group_def.points say.
  LW_FORMATION_COUNT
} lw_formation;
/// @return Its name: "line", "column", "wedge", "file", "points"; NULL: there is none.
LW_API const char *lw_formation_name(lw_formation formation);

/// A group. Start from lw_group_def_default().
typedef struct lw_group_def {
  const lw_agent_id *agents; ///< [agent_count] Members. Each leaves the group that it was in. Copied.
  int agent_count;           ///< [1..LW_GROUP_MEMBERS_MAX]
  lw_formation formation;    ///< [default LW_FORMATION_LINE]
  /// From centre to centre. At least 2.5 times the largest radius is kept. [m, >= 0, <= LW_PROFILE_SIZE_MAX,
  /// default 0: three times the largest radius]
  float spacing;
  /// [point_count] For LW_FORMATION_POINTS: places from the leader on, x ahead of it and z to its right; y does
  /// not count. Members beyond them walk in a file behind. Copied. [m, within LW_PROFILE_SIZE_MAX]
  const lw_vec3 *points;
  int point_count; ///< [0..LW_GROUP_MEMBERS_MAX]
  uint32_t cookie; ///< Set by lw_group_def_default(). Do not set.
} lw_group_def;
/// @return The defaults of all fields.
LW_API lw_group_def lw_group_def_default(void);

/// Create a group. Its members go on with what they do until its first order.
/// @param def  Copied.
/// @param[out] group  All zero on an error.
/// @return LW_OK; LW_STALE: an agent; LW_INVALID: a field is out of range, or an agent is listed twice, or some
///   are vehicles (lw_body.vehicle) and others are not, as `error` says; LW_OUT_OF_MEMORY.
LW_API lw_status lw_group_create(lw_world *world, const lw_group_def *def, lw_group_id *group, lw_error *error);
/// Disband a group. Members that walk in formation stop.
/// @return LW_OK; LW_STALE: it was removed before.
LW_API lw_status lw_group_remove(lw_world *world, lw_group_id group);
/// Add an agent, which leaves the group that it was in, or call a member back that takes no part.
/// @return LW_OK; LW_STALE: the group or the agent; LW_INVALID: vehicles and others would be in one group;
///   LW_LIMIT: there are LW_GROUP_MEMBERS_MAX; LW_OUT_OF_MEMORY: nothing is changed.
LW_API lw_status lw_group_add_agent(lw_world *world, lw_group_id group, lw_agent_id agent);
/// Let a member go. It stops if it walks in formation. A group may be without members.
/// @return LW_OK; LW_STALE: the group or the agent; LW_NOT_FOUND: it is no member.
LW_API lw_status lw_group_dismiss(lw_world *world, lw_group_id group, lw_agent_id agent);
/// Set another formation. Members change their places on the way.
/// @param spacing  As in lw_group_def. @param points  [count] As there; NULL with other formations.
/// @return LW_OK; LW_STALE; LW_INVALID: a value is out of range; LW_OUT_OF_MEMORY.
LW_API lw_status lw_group_set_formation(lw_world *world, lw_group_id group, lw_formation formation,
                                        float spacing, const lw_vec3 *points, int count);

/// How a group travels. Start from lw_group_move_default().
typedef struct lw_group_move {
  float within;       ///< Distance from its place at which a member has arrived. [m, > 0, default 0.3]
  lw_pace pace;       ///< Of its members; LW_PACE_COUNT: each its own. [default LW_PACE_COUNT]
  lw_quality quality; ///< Of its paths. [default LW_QUALITY_GOOD]
  uint32_t cookie;    ///< Set by lw_group_move_default(). Do not set.
} lw_group_move;
/// @return The defaults of all fields.
LW_API lw_group_move lw_group_move_default(void);
/// Send the group to a goal: search one path from its leader, and let all members set out, those too that took
/// no part. Paths are searched at once, and count for the work of the step (lw_world_def.search_work).
/// @param move  Borrowed for the call. NULL: the defaults.
/// @return LW_OK; LW_STALE: the group; LW_EMPTY: it has no members; LW_INVALID: `goal` is not finite, or an
///   option is out of range; any other status as of lw_path_find(): the group stands still.
LW_API lw_status lw_group_move_to(lw_world *world, lw_group_id group, lw_vec3 goal, const lw_group_move *move);
/// Let all members stop that travel with the group.
/// @return LW_OK; LW_STALE.
LW_API lw_status lw_group_stop(lw_world *world, lw_group_id group);

/// A group as it is now.
typedef struct lw_group_state {
  lw_formation formation;
  float spacing;      ///< That is kept. [m]
  int agent_count;    ///< Members.
  int formed_count;   ///< Members that have a place in the formation now.
  lw_agent_id leader; ///< None: nobody takes part.
  lw_move_state move; ///< What became of the last order.
  lw_status failure;  ///< Why it failed.
  bool is_file;       ///< They walk one behind the other.
  lw_vec3 goal;       ///< [m]
  lw_vec3 frame;      ///< Where the frame is, while they travel. [m]
  float heading;      ///< Of the frame, as lw_agent_state.heading. [rad]
  float remaining;    ///< Length of the rest of the path of the frame. [m]
} lw_group_state;
/// @param[out] state  All zero on an error.
/// @return LW_OK; LW_STALE.
LW_API lw_status lw_group_get_state(const lw_world *world, lw_group_id group, lw_group_state *state);
/// The members in the order in which they were added.
/// @param[out] agents  [capacity] May be NULL if that is 0.
/// @return How many there are, may be more than `capacity`; -1: a stale id.
LW_API int lw_group_members(const lw_world *world, lw_group_id group, lw_agent_id *agents, int capacity);
/// @return The group of an agent; all zero: none, or a stale id.
LW_API lw_group_id lw_group_of(const lw_world *world, lw_agent_id agent);
/// Where a member's place in the formation is now.
/// @param[out] at  On the navmesh. [m]
/// @return LW_OK; LW_STALE: the agent; LW_NOT_FOUND: it has none, walks in a file, or cannot see its place.
LW_API lw_status lw_group_place(const lw_world *world, lw_agent_id agent, lw_vec3 *at);
/// @return How many groups there are.
LW_API int lw_group_count(const lw_world *world);
/// Iterate over the groups in the order in which they were created.
/// @param group  All zero: begin.
/// @return The next group; all zero after the last one, and for a stale id.
LW_API lw_group_id lw_group_next(const lw_world *world, lw_group_id group);

#ifdef __cplusplus
}
#endif
#endif
