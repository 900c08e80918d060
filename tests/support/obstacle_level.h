/// Open ground with obstacles, for tests.
#ifndef LW_TESTS_OBSTACLE_LEVEL_H
#define LW_TESTS_OBSTACLE_LEVEL_H

#include "grid_world.h"

#include "leeward/obstacle.h"

/// 40 x 15 m of open ground in squares of 5 m, for agents of 0.4 m. @param[out] state  A grid_world.
int obstacle_level_open(void **state);
int obstacle_level_close(void **state);
/// A box on the ground, 2 m high.
lw_obstacle_def obstacle_box(float x, float z, float size_x, float size_z);
lw_obstacle_id obstacle_add(grid_world *l, const lw_obstacle_def *def);
lw_obstacle_id obstacle_add_box(grid_world *l, float x, float z, float size_x, float size_z);
bool obstacle_is_cut(const grid_world *l, lw_obstacle_id id);
/// @param speed  Along x. [m/s]
void obstacle_move(grid_world *l, lw_obstacle_id id, float x, float z, float yaw, float speed);
bool obstacle_level_has_ground(const grid_world *l, float x, float z);
/// Steps of a sixtieth of a second.
void obstacle_level_step(grid_world *l, int count);
lw_agent_id obstacle_level_spawn(grid_world *l, float x, float z);
lw_agent_state obstacle_level_agent(const grid_world *l, lw_agent_id id);

#endif
