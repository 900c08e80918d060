/*
** The methods of worlds that other files than world.c define.
*/
#include "agent.h"
#include "drive.h"
#include "goals.h"
#include "planner.h"
#include "regions.h"
#include "senses.h"
#include "tree.h"
#include "tiles.h"

static const luaL_Reg *const methods[] = {lwl_path_methods,
                                          lwl_link_world_methods,
                                          lwl_link_travel_methods,
                                          lwl_tiles_methods,
                                          lwl_planner_methods,
                                          lwl_permutation_tiles_methods,
                                          lwl_query_methods,
                                          lwl_distance_field_methods,
                                          lwl_drive_methods,
                                          lwl_route_table_methods,
                                          lwl_region_methods,
                                          lwl_cover_methods,
                                          lwl_danger_methods,
                                          lwl_save_methods,
                                          lwl_threat_world_methods,
                                          lwl_cover_point_methods,
                                          lwl_fire_lane_methods,
                                          lwl_group_world_methods,
                                          lwl_obstacle_methods,
                                          lwl_permutation_methods,
                                          lwl_agent_world_methods,
                                          lwl_blackboard_world_methods,
                                          lwl_around_world_methods,
                                          lwl_senses_world_methods,
                                          lwl_history_world_methods,
                                          lwl_reload_methods,
                                          NULL};

void lwl_set_world_methods(lua_State *L) {
  for (const luaL_Reg *const *of = methods; *of; ++of) lwl_set_functions(L, *of, NULL);
}
