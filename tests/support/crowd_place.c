#include "crowd_place.h"

#include "bake_scene.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

lw_world *crowd_place_make_world(const crowd_place *at) {
  lw_world_def def = lw_world_def_default();
  lw_world *world;
  def.navmesh = at->mesh;
  assert_int_equal(lw_world_create(&def, &world, NULL), LW_OK);
  return world;
}

crowd_place crowd_place_open_on(lw_navmesh *mesh, const lw_profile_def *profile) {
  crowd_place at = {.mesh = mesh};
  assert_int_equal(lw_profile_create(profile, scene_table, &at.profile, NULL), LW_OK);
  at.world = crowd_place_make_world(&at);
  return at;
}

crowd_place crowd_place_open(crowd_scene_kind kind, const lw_profile_def *profile) {
  lw_geometry *geometry = crowd_scene_ground(scene_table, kind);
  lw_bake_settings settings = lw_bake_settings_default();
  settings.cell_size = 0.1f;
  lw_navmesh *mesh = scene_bake(geometry, &settings, NULL);
  lw_geometry_destroy(geometry);
  return crowd_place_open_on(mesh, profile);
}

void crowd_place_close(crowd_place *at) {
  lw_world_destroy(at->world);
  lw_profile_destroy(at->profile);
  lw_navmesh_destroy(at->mesh);
}

void crowd_place_spawn(crowd_place *at, int agent, lw_vec3 from) {
  lw_agent_def def = lw_agent_def_default();
  def.profile = at->profile;
  def.at = from;
  assert_true(agent < CROWD_PLACE_MAX);
  assert_int_equal(lw_agent_spawn(at->world, &def, &at->agents[agent], NULL), LW_OK);
}

void crowd_place_spawn_all(crowd_place *at, const crowd_scene *scene) {
  for (int i = 0; i < scene->count; i++) crowd_place_spawn(at, i, scene->from[i]);
}

lw_agent_state crowd_place_state(const crowd_place *at, int agent) {
  lw_agent_state state;
  assert_int_equal(lw_agent_get_state(at->world, at->agents[agent], &state), LW_OK);
  return state;
}

void crowd_place_send(void *user, int agent, lw_vec3 goal) {
  const crowd_place *at = user;
  assert_int_equal(lw_agent_move_to(at->world, at->agents[agent], goal, 0.3f), LW_OK);
}

void crowd_place_step(void *user) {
  const crowd_place *at = user;
  assert_int_equal(lw_world_step(at->world, CROWD_DT), LW_OK);
}

void crowd_place_get(void *user, int agent, lw_vec3 *at, lw_vec3 *velocity) {
  const crowd_place *in = user;
  const lw_agent_state state = crowd_place_state(in, agent);
  assert_true(lw_navmesh_contains(in->mesh, state.position, 0.02f, NULL));
  *at = state.position;
  *velocity = state.velocity;
}
