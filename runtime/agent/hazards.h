/// What agents may run into although their paths do not lead there: obstacles that are not cut out where they
/// are now, vehicles, agents that are much faster, and the ends of links that an agent is on.
#ifndef LW_AGENT_HAZARDS_H
#define LW_AGENT_HAZARDS_H

#include "agent/orca.h"
#include "core/memory.h"
#include "core/rectangle_tree.h"
#include "leeward/agent.h"

/// Corners of an outline at most.
#define LWI_HAZARD_SIDES 16

/// The outside of a side is where the normal points to.
typedef struct lwi_hazard_side {
  lwi_vec2 corner; ///< Where it begins, from the hazard's middle. [m]
  lwi_vec2 normal; ///< Unit.
  float offset;    ///< From the hazard's middle. [m]
} lwi_hazard_side;

typedef struct lwi_hazard {
  lw_whisker_hit kind;
  lw_agent_id agent; ///< Whose it is: that agent does not see it. None: anybody's.
  int16_t navmesh;   ///< World index of the one that it is on; -1: any.
  lw_vec3 at;        ///< The middle of a disc that holds it. [m]
  float reach;       ///< Radius of that. [m]
  float low, high;   ///< Heights that it takes up. [m]
  lwi_vec2 velocity; ///< [m/s]
  float from;        ///< It is there after that time. [s]
  int side_count;    ///< 0: it is the disc.
  lwi_hazard_side sides[LWI_HAZARD_SIDES];
} lwi_hazard;

/// The hazards of a step.
typedef struct lwi_hazards {
  lwi_hazard *items; ///< [count]
  int count, capacity;
  lwi_rectangle_tree tree; ///< Of where they are to be in the time that whiskers look ahead, by number.
} lwi_hazards;

void lwi_hazards_clear(lwi_hazards *hazards);
void lwi_hazards_free(lwi_hazards *hazards, lwi_memory *memory);
/// @return false: no memory.
bool lwi_hazards_add(lwi_hazards *hazards, lwi_memory *memory, const lwi_hazard *hazard);
/// Give a hazard its outline.
/// @param corners  [count] Convex, either way round, up to LWI_HAZARD_SIDES. [m]
void lwi_hazard_set_outline(lwi_hazard *hazard, const lwi_vec2 *corners, int count);
/// Put them all into the tree. @param seconds  That they are looked at ahead. @return false: no memory.
bool lwi_hazards_index(lwi_hazards *hazards, lwi_memory *memory, float seconds);
/// The side that a disc is in front of, between its ends. @param[out] distance  From it, less the radius. [m]
/// @return NULL: it is in front of a corner, or the hazard is a disc.
const lwi_hazard_side *lwi_hazard_side_before(const lwi_hazard *hazard, lwi_vec2 at, float radius,
                                              float *distance);
/// When does a disc that moves straight on meet it? A disc that begins inside does at once, unless it comes
/// out.
/// @param velocity  Of the disc. [m/s] @return Infinity: not within `seconds`.
float lwi_hazard_meeting(const lwi_hazard *hazard, lwi_vec2 at, lwi_vec2 velocity, float radius, float seconds);

#endif
