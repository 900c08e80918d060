/// Looks a few seconds ahead at where others go: cells of the ground hold the sums of the directions in which
/// agents want to go, and an agent turns from its path where it would go against many.
#ifndef LW_AGENT_FLOW_H
#define LW_AGENT_FLOW_H

#include "agent/agent.h"
#include "agent/orca.h"
#include "core/memory.h"

typedef struct lwi_flow_cell {
  int32_t x, z, layer; ///< Place, in cells. Layers are halves of the distance between floors.
  uint32_t round;      ///< Of the flow: cells of earlier ones are free.
  lwi_vec2 sums[4];    ///< Of unit directions, by quadrant: those that are opposed do not cancel out.
} lwi_flow_cell;

typedef struct lwi_flow {
  lwi_flow_cell *cells; ///< [capacity] By open addressing.
  int capacity;         ///< A power of two, or 0.
  uint32_t round;
} lwi_flow;

/// Make space for that number of agents. @return false: no memory.
bool lwi_flow_reserve(lwi_flow *flow, lwi_memory *memory, int count);
void lwi_flow_clear(lwi_flow *flow);
void lwi_flow_free(lwi_flow *flow, lwi_memory *memory);
/// Add an agent that wants to go in a direction, of unit length.
void lwi_flow_add(lwi_flow *flow, lw_vec3 at, lwi_vec2 direction);
/// How many agents in the cell of a place want to go against a direction: the sum of the parts of their unit
/// directions that do.
float lwi_flow_against(const lwi_flow *flow, lw_vec3 at, lwi_vec2 direction);
/// Choose how far an agent turns from the direction that it wants to go in, among a few angles.
/// @param own  Its unit direction that was added. @param wish  Of unit length.
/// @param distance  To where it goes: cells behind that do not count. [m]
/// @return > 0: to its left. [rad]
float lwi_flow_choose(const lwi_flow *flow, lw_vec3 at, lwi_vec2 own, lwi_vec2 wish, float distance);

#endif
