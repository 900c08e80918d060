#include "obstacle_level.h"

#include "core/vec3.h"
#include "leeward/leeward.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define DT (1.0f / 60)

/* 40 x 15 m of open ground in squares of 5 m, for agents of 0.4 m. */
int obstacle_level_open(void **state) {
  static grid_world l;
  static const char *const rows[] = {"........", "........", "........"};
  lw_profile_def profile = lw_profile_def_default();
  profile.speed[LW_NORMAL] = 4;
  profile.danger_cost = 10;
  l = grid_world_open(rows, 3, 5, &profile, NULL);
  *state = &l;
  return 0;
}

int obstacle_level_close(void **state) {
  grid_world_close(*state);
  return 0;
}

lw_obstacle_def obstacle_box(float x, float z, float size_x, float size_z) {
  lw_obstacle_def def = lw_obstacle_def_default();
  def.at = lwi_vec3(x, 0, z);
  def.size = lwi_vec3(size_x, 2, size_z);
  return def;
}

lw_obstacle_id obstacle_add(grid_world *l, const lw_obstacle_def *def) {
  lw_obstacle_id id;
  lw_error error = {.text = ""};
  if (lw_obstacle_add(l->world, def, &id, &error) != LW_OK) fail_msg("%s", error.text);
  return id;
}

lw_obstacle_id obstacle_add_box(grid_world *l, float x, float z, float size_x, float size_z) {
  const lw_obstacle_def def = obstacle_box(x, z, size_x, size_z);
  return obstacle_add(l, &def);
}

bool obstacle_level_has_ground(const grid_world *l, float x, float z) {
  return lw_navmesh_contains(lw_world_navmesh(l->world), lwi_vec3(x, 0, z), 1, NULL);
}

bool obstacle_is_cut(const grid_world *l, lw_obstacle_id id) {
  lw_obstacle_state state;
  assert_int_equal(lw_obstacle_get_state(l->world, id, &state), LW_OK);
  return state.is_cut;
}

void obstacle_level_step(grid_world *l, int count) {
  while (count-- > 0) assert_int_equal(lw_world_step(l->world, DT), LW_OK);
}

void obstacle_move(grid_world *l, lw_obstacle_id id, float x, float z, float yaw, float speed) {
  const lw_vec3 velocity = {speed, 0, 0};
  assert_int_equal(lw_obstacle_move(l->world, id, lwi_vec3(x, 0, z), yaw, &velocity), LW_OK);
}

lw_agent_id obstacle_level_spawn(grid_world *l, float x, float z) {
  lw_agent_def def = lw_agent_def_default();
  lw_agent_id id;
  def.profile = l->profile;
  def.at = lwi_vec3(x, 0, z);
  assert_int_equal(lw_agent_spawn(l->world, &def, &id, NULL), LW_OK);
  return id;
}

lw_agent_state obstacle_level_agent(const grid_world *l, lw_agent_id id) {
  lw_agent_state state;
  assert_int_equal(lw_agent_get_state(l->world, id, &state), LW_OK);
  return state;
}
