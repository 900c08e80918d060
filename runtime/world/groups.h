/// Groups of agents: their members, and where their formations are.
#ifndef LW_WORLD_GROUPS_H
#define LW_WORLD_GROUPS_H

#include "agent/agent.h"
#include "agent/formation.h"
#include "core/id_pool.h"

/// A member of a group. It takes part unless its lwi_station.is_away. Then it either has a place in the
/// formation, or walks to the goal, or back to its place, on a path of its own.
typedef struct lwi_group_member {
  lwi_agent *agent; ///< NULL: of a file, and not restored.
  bool is_formed;   ///< It follows the group's path as long as lwi_agent_route.version is this:
  uint32_t version;
  bool has_arrived; ///< At its place beside the goal.
  bool has_place;   ///< One is kept for it: it is on its way, or has arrived.
  int place;        ///< In the formation; of a formed member, in the file; in a convoy.
  /// Of a convoy: lwi_agent.serial of the leader along whose drive it drives, and that drive's number.
  uint64_t lead;
  uint32_t lead_drive;
  float best_lag;   ///< The least distance from its place since it lagged. [m]
  double best_time; ///< Simulation time of that. [s]
} lwi_group_member;

/// What moves along the path. All that is formed have copies of that path.
typedef struct lwi_group_frame {
  lw_location at;
  int navmesh;
  int next_point;     ///< Of the path.
  float link_done;    ///< Of the link that it is on. [m]
  float remaining;    ///< [m]
  float heading;      ///< [rad]
  float turn;         ///< [rad/s]
  float speed;        ///< [m/s]
  float lag;          ///< Of the member that is furthest behind its place. [m]
  float narrow_until; ///< Remaining length where ground ends that is too narrow; infinity: none is ahead. [m]
  float narrow_end; ///< Remaining length where the narrow ground ends that the file leaves; infinity: none. [m]
  float wide_for;   ///< How long the formation has fitted. [s]
  bool is_file;
  lwi_formation_fit fit;
} lwi_group_frame;

typedef struct lwi_group {
  lw_formation formation;
  float spacing;   ///< As it was asked for. [m]
  lw_vec3 *points; ///< [point_count] Owned.
  int point_count;
  lwi_group_member *members; ///< [count] Owned. In the order in which they were added.
  int count, capacity;
  lw_move_state move;
  lw_status failure;
  lw_vec3 goal;
  lw_group_move options;
  lwi_group_frame frame;
  bool is_reordered;    ///< Members or formation have changed since places were given.
  lw_profile *combined; ///< Of all members. Owned. NULL: it is to be created, or they have one profile.
} lwi_group;

typedef struct lwi_groups {
  lwi_id_pool ids;
  lwi_group *items; ///< By slot.
  int capacity;
} lwi_groups;

/* --- groups.c --------------------------------------------------------------------------------------------- */

/// What the most limited member may enter and take. @return NULL: there are no members. Borrowed from members,
/// or from the group until its members change.
const lw_profile *lwi_group_profile(const lw_world *world, lwi_group *group);
/// Searches of its vehicles for drives that all of them can drive begin again.
void lwi_group_search_again(lwi_group *group);
/// The member that leads, of those that have places. @return NULL: none has.
lwi_group_member *lwi_group_leader(const lwi_group *group);
/// From centre to centre. [m]
float lwi_group_spacing(const lwi_group *group);
/// What its members are ordered.
lw_move_options lwi_group_options(const lwi_group *group);
/// The agent is gone, or joins another group.
void lwi_agent_leave_group(lw_world *world, lwi_agent *agent);
/// It got another order than its group's.
void lwi_agent_leave_formation(lwi_agent *agent);
/// It has another profile.
void lwi_group_note_profile(lw_world *world, const lwi_agent *agent);
/// @return Bytes that groups hold beside the world's memory.
size_t lwi_groups_memory(const lw_world *world);
void lwi_world_groups_free(lw_world *world);
uint64_t lwi_world_groups_hash(const lw_world *world, uint64_t hash);
/// Groups as they are put in place of those of a world, which has no agents.
typedef struct lwi_groups_state {
  const lwi_id_state *states; ///< [slot_count]
  const lwi_group *items;     ///< [slot_count] Where `states` has a generation; members without agents.
  int slot_count;
  const uint32_t *order; ///< [count] Slots.
  int count;
} lwi_groups_state;
/// @return false: no memory, and no groups.
bool lwi_world_groups_restore(lw_world *world, const lwi_groups_state *from);
/// An agent is restored that was that member of the group in a slot.
/// @param keeps_path  It has the path that it had.
void lwi_group_restore_member(lw_world *world, lwi_agent *agent, uint32_t slot, int index, bool keeps_path);

/* --- group_path.c ----------------------------------------------------------------------------------------- */

/// Search the path that all of a group can take to its goal.
/// @param[in, out] from  Where it begins: where not all may stand, the nearest ground that they may enter.
/// @param[out] path  The caller destroys it. @return As lw_path_find().
lw_status lwi_group_find_path(lw_world *world, lwi_group *group, lw_location *from, int navmesh,
                              lw_path **path);
/// Search a path for all and let them set out. @param from  Where it begins.
/// @return As lw_group_move_to(); unless LW_OK, nothing is changed.
lw_status lwi_group_set_out(lw_world *world, lwi_group *group, lw_location from, int navmesh);
/// Where paths of groups have become stale, search them again.
void lwi_world_groups_search(lw_world *world);
/// Let a member go on along the group's path again, where that is as long as what is left of its own path.
/// @return false: no memory.
bool lwi_group_rejoin(lw_world *world, lwi_group *group, lwi_group_member *member);
/// Can it walk straight to a place?
bool lwi_group_sees(const lw_world *world, const lwi_agent *agent, lw_location to, int navmesh);
/// The place of the path with that remaining length, and the heading there. @return false: on a link.
bool lwi_group_path_place(const lwi_group *group, const lw_path *path, float remaining, lw_vec3 *at,
                          float *heading);

/* --- group_convoy.c --------------------------------------------------------------------------------------- */

/// Is it a group of vehicles?
bool lwi_group_is_convoy(const lwi_group *group);
/// Search a drive for its leader and let all set out. @return As lw_group_move_to().
lw_status lwi_group_set_out_convoy(lw_world *world, lwi_group *group);
/// What paths and drives of an agent are searched for: its own profile or that of its journey, or for vehicles
/// in a convoy what all of them can drive. Borrowed from members, or from the group until these change.
const lw_profile *lwi_agent_driven_profile(const lw_world *world, const lwi_agent *agent);

/* --- convoy_order.c --------------------------------------------------------------------------------------- */

/// The members of a convoy that there are, by their indices, from the head to the end.
/// @param[out] order  [LW_GROUP_MEMBERS_MAX] @return How many.
int lwi_convoy_order(const lwi_group *group, int *order);
/// The place of a member that comes last.
int lwi_convoy_next_place(const lwi_group *group);
/// Give the members of a convoy that sets out their places. @return The one at its head; NULL: all
/// are pending removal.
lwi_agent *lwi_convoy_line_up(lw_world *world, lwi_group *group);

/* --- group_step.c ----------------------------------------------------------------------------------------- */

/// Before agents move: let frames go on, and give members their places.
void lwi_world_step_groups(lw_world *world, float dt);
/// The path is new: look how wide the ground is where it begins.
void lwi_group_begin_frame(lw_world *world, lwi_group *group);

#endif
