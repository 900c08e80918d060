#include "tiles_place.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define WALLS 6

/* --- levels ----------------------------------------------------------------------------------------------- */

lw_bake_settings tiles_settings(void) {
  lw_bake_settings settings = lw_bake_settings_default();
  settings.cell_size = 0.25f;
  settings.agent_radius = 0.25f;
  settings.tile_size = 8;
  settings.openness_range = 5;
  settings.threads = 1;
  settings.bounds = (lw_box){{-1, -2, -1}, {WIDTH + 1, 12, DEPTH + 1}};
  return settings;
}

lw_geometry_box tiles_wall_at(float x, float z, float size_x, float size_z) {
  return (lw_geometry_box){.at = {x, 0, z}, .size = {size_x, 2, size_z}, .area = LW_AREA_NONE};
}

void tiles_add_lift(lw_geometry *geometry) {
  lw_link_def def = lw_link_def_default();
  def.name = "lift";
  def.from = (lw_vec3){2, 0, 2};
  def.to = (lw_vec3){6, 0, 2};
  def.bidirectional = true;
  assert_int_equal(lw_geometry_add_link(geometry, &def, NULL), LW_OK);
}

/* A floor with walls, and a link from end to end. */
lw_navmesh *tiles_bake_walls(const lw_geometry_box *walls, int count) {
  lw_geometry *geometry = scene_floor(scene_table, WIDTH, DEPTH);
  for (int i = 0; i < count; i++) assert_int_equal(lw_geometry_add_box(geometry, &walls[i], NULL), LW_OK);
  tiles_add_lift(geometry);
  const lw_bake_settings of = tiles_settings();
  lw_navmesh *mesh = scene_bake(geometry, &of, NULL);
  lw_geometry_destroy(geometry);
  return mesh;
}

uint64_t tiles_seed_of(void) {
  const char *seed = getenv("LEEWARD_SEED");
  return seed ? strtoull(seed, NULL, 10) : 20261124;
}

lw_vec3 tiles_random_at(lw_random *random) {
  return (lw_vec3){1 + (WIDTH - 2) * lwi_random_unit(random), 0, 1 + (DEPTH - 2) * lwi_random_unit(random)};
}

lw_navmesh *tiles_random_mesh(lw_random *random) {
  lw_geometry_box walls[WALLS];
  for (int i = 0; i < WALLS; i++) {
    const float x = 4 + (WIDTH - 8) * lwi_random_unit(random), z = 4 + (DEPTH - 8) * lwi_random_unit(random);
    walls[i] = tiles_wall_at(x, z, /* on the floor, so that all grids are the same */
                             1 + 6 * lwi_random_unit(random), 1 + 6 * lwi_random_unit(random));
  }
  return tiles_bake_walls(walls, WALLS);
}

/* --- a place ---------------------------------------------------------------------------------------------- */

static lw_profile *make_profile(void) {
  lw_profile_def def = lw_profile_def_default();
  lw_profile *profile;
  def.radius = 0.25f;
  assert_int_equal(lw_profile_create(&def, scene_table, &profile, NULL), LW_OK);
  return profile;
}

lw_world *tiles_make_world(const lw_navmesh *mesh) {
  lw_world_def def = lw_world_def_default();
  lw_world *world;
  def.navmesh = mesh;
  assert_int_equal(lw_world_create(&def, &world, NULL), LW_OK);
  return world;
}

int tiles_open_place(void **state) {
  static tiles_place it;
  const lw_geometry_box wall = tiles_wall_at(30.5f, 11, 1, 20);
  it = (tiles_place){
      .open = tiles_bake_walls(NULL, 0), .walled = tiles_bake_walls(&wall, 1), .profile = make_profile()};
  it.world = tiles_make_world(it.open);
  *state = &it;
  return 0;
}

int tiles_close_place(void **state) {
  tiles_place *it = *state;
  lw_world_destroy(it->world);
  lw_profile_destroy(it->profile);
  lw_navmesh_destroy(it->open);
  lw_navmesh_destroy(it->walled);
  return 0;
}

lw_agent_id tiles_spawn(const tiles_place *it, float x, float z) {
  lw_agent_def def = lw_agent_def_default();
  lw_agent_id id;
  def.profile = it->profile;
  def.at = (lw_vec3){x, 0, z};
  assert_int_equal(lw_agent_spawn(it->world, &def, &id, NULL), LW_OK);
  return id;
}

lwi_agent tiles_state_of(const tiles_place *it, lw_agent_id id) {
  const lwi_agent *agent = lwi_world_agent(it->world, id);
  assert_non_null(agent);
  return *agent;
}

void tiles_step(const tiles_place *it, int count) {
  for (int i = 0; i < count; i++) assert_int_equal(lw_world_step(it->world, 1.0f / 60), LW_OK);
}

void tiles_swap_to(const tiles_place *it, const lw_navmesh *mesh) {
  lw_error error = {.text = ""};
  if (lw_world_set_navmesh(it->world, 0, mesh, &error) != LW_OK) fail_msg("%s", error.text);
}

void tiles_apply(const tiles_place *it) {
  lw_error error = {.text = ""};
  assert_int_equal(lw_world_apply_changes(it->world), LW_OK);
  if (lw_navmesh_validate(lw_world_navmesh(it->world), &error) != LW_OK) fail_msg("%s", error.text);
}

float tiles_length_between(const lw_world *world, const lw_profile *profile, lw_vec3 from, lw_vec3 to) {
  lw_path_query query = lw_path_query_default();
  lw_path *path;
  query.from = from;
  query.to = to;
  query.profile = profile;
  query.quality =
      LW_QUALITY_EXACT; /* good paths depend on landmarks, which navmeshes of replaced tiles do not have */
  if (lw_path_find(world, NULL, &query, &path) != LW_OK) return -1;
  const float length = lw_path_length(path);
  lw_path_destroy(path);
  return length;
}
