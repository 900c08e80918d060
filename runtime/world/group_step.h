/// A step of a group: what its parts (group_step.c, group_alone.c) share.
#ifndef LW_WORLD_GROUP_STEP_H
#define LW_WORLD_GROUP_STEP_H

#include "world/world.h"

/// What all of a group can do.
typedef struct lwi_group_limits {
  float speed, acceleration, deceleration, radius;
} lwi_group_limits;

/// A group in a step.
typedef struct lwi_group_step {
  lw_world *world;
  lwi_group *group;
  const lw_path *path; ///< Of those that are formed.
  lwi_group_limits able;
  int places;
  float spacing, extent; ///< [m]
  lwi_formation_offset offsets[LW_GROUP_MEMBERS_MAX];
  lwi_formation_ground ground;
  float dt;
  float shifting; ///< How fast the formation is moved to the right. [m/s]
  float widening; ///< How fast its width grows. [1/s]
} lwi_group_step;

/// What members catch up with at most in a second, of what they are behind. [1/s]
#define LWI_GROUP_TRAIL_GAIN 2.0f
/// A member that is further behind its place hurries. [m]
#define LWI_GROUP_HURRY 0.2f
/// At the goal others may stand where a member was to go: it has arrived so near, after so long. [m, s]
#define LWI_GROUP_BESIDE 2.0f
#define LWI_GROUP_BLOCKED 1.0f
#define LWI_GROUP_AT_END 0.05f ///< Of the path. [m]

static inline bool lwi_group_is_travelling(const lwi_group_member *member) {
  const lwi_agent *agent = member->agent;
  return agent && !agent->removal.pending && !agent->route.station.is_away && agent->move == LW_MOVE_WALKING;
}
/// Does it still follow the group's path? lwi_group_member.is_formed says whether it did in the last step:
/// since then it may have arrived, or been stopped or sent elsewhere.
static inline bool lwi_group_follows(const lwi_group_member *member) {
  return lwi_group_is_travelling(member) && member->is_formed &&
         member->version == member->agent->route.version && member->agent->route.path;
}

/* --- group_convoy.c --------------------------------------------------------------------------------------- */

/// A step of a convoy.
void lwi_group_step_convoy(lw_world *world, lwi_group *group);

/* --- group_alone.c ---------------------------------------------------------------------------------------- */

/// Members that walk alone come back when they see the frame, or the end of the file.
void lwi_group_take_back(lwi_group_step *run);
/// Those that are ahead do not arrive before the frame; the others hurry.
void lwi_group_hold_back(const lwi_group_step *run);
/// At the goal, they stop where others that have arrived stand before them.
void lwi_group_settle(lw_world *world, lwi_group *group);
/// The order ends when nobody travels any more.
void lwi_group_finish(lwi_group *group);

#endif
