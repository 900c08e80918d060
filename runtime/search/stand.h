/// Standing: where agents with one filter and radius can be, and in which room that is.
#ifndef LW_SEARCH_STAND_H
#define LW_SEARCH_STAND_H

#include "search/reach.h"

/// Move a place to the nearest one where the agents can stand; those no larger than the mesh was made for stay.
/// @param about, half  They must stay within this box, in xz. [m]
/// @param[out] room  The room there; LWI_NONE: shut in between walls.
/// @return LW_OK; LW_NO_POINT: nowhere in the box; LW_OUT_OF_MEMORY.
lw_status lwi_stand(const lwi_reach *reach, lwi_region_room *work, const lw_filter *filter, lw_vec3 about,
                    lw_vec3 half, lw_location *place, uint32_t *room);

/// The place nearest to `goal` that can be reached from a room with that label; for large agents, of those near the polygons
/// that are nearest to it.
/// @return LW_OK; LW_NO_POINT: nowhere; LW_OUT_OF_MEMORY.
lw_status lwi_stand_nearest(const lwi_reach *reach, lwi_region_room *work, const lw_filter *filter,
                            uint32_t label, lw_vec3 goal, lw_location *place, uint32_t *room);

/// Can the agents go straight from one place to another, in one polygon?
bool lwi_stand_straight(const lwi_reach *reach, lw_location from, lw_location to);

#endif
