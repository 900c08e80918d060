/// Where an agent that must keep off walls is, and where it could stand instead.
#ifndef LW_MESH_BERTH_PLACE_H
#define LW_MESH_BERTH_PLACE_H

#include "mesh/berth.h"

/// How far a place found by calculation may be too near to a wall. [m]
#define LWI_STAND_SLACK 1e-3

/// The room of a point in a polygon. LWI_NONE: too near to a wall, or shut in where neither passage nor link leads.
/// @param[out] room  @return false: no memory.
bool lwi_berth_room(const lwi_berth *berth, lwi_region_room *work, uint32_t polygon, lw_vec3 point,
                    uint32_t *room);

/// Move a place to the nearest one, going straight over the surface, where the agent is clear of walls.
/// @param half  Half size of the box about `about` that it must stay in, in xz. [m]
/// @return LW_OK; LW_NO_POINT: nowhere.
lw_status lwi_berth_stand(const lwi_berth *berth, const lw_filter *filter, lw_vec3 about, lw_vec3 half,
                          lw_location *place);

#endif
