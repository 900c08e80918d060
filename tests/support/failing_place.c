#include "failing_place.h"

#include "bake_scene.h"
#include "core/hash.h"
#include "core/vec3.h"
#include "temp_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define DT (1.0f / 60)

place failing_it;
char failing_file[32];

const lw_vec3 failing_start = {1, 0, 1}, failing_goal = {18, 0, 9}, failing_beyond = {48, 0, 5};

/* --- opening and closing -------------------------------------------------------------------------------------- */

static lw_node_status run_leaf(void *user, lw_world *world, lw_agent_id agent, lw_leaf_call *call) {
  (void)user;
  if (call->event != LW_LEAF_START) return LW_RUNNING;
  return lw_agent_move_to(world, agent, failing_goal, 0.5f) == LW_OK ? LW_RUNNING : LW_FAILURE;
}

lw_status failing_create_world(void *state) {
  place *p = state;
  const lw_navmesh *const meshes[] = {p->near, p->far};
  lw_link_def link = lw_link_def_default();
  link.from = lwi_vec3(19, 0, 5);
  link.to = lwi_vec3(41, 0, 5);
  link.bidirectional = true;
  lw_world_def def = lw_world_def_default();
  def.navmeshes = meshes;
  def.navmesh_count = 2;
  def.links = &link;
  def.link_count = 1;
  def.death_danger.value = 1;
  def.leaf = run_leaf;
  def.allocator = support_allocator(&p->memory);
  const lw_status status = lw_world_create(&def, &p->world, NULL);
  assert_true((status == LW_OK) == (p->world != NULL));
  return status;
}

lw_status failing_spawn(place *p, const lw_profile *profile, const lw_tree *tree, lw_vec3 at,
                        lw_agent_id *agent) {
  lw_agent_def def = lw_agent_def_default();
  def.profile = profile;
  def.tree = tree;
  def.at = at;
  def.team = "red";
  const lw_status status = lw_agent_spawn(p->world, &def, agent, NULL);
  assert_true((status == LW_OK) != lw_agent_id_is_none(*agent));
  return status;
}

lw_status failing_add_threat(place *p, lw_agent_id eye, const char *known_to, lw_threat_id *threat) {
  lw_threat_def def = lw_threat_def_default();
  def.threat.at = lwi_vec3(10, 1.6f, 1);
  def.agent = eye;
  def.known_to = known_to;
  return lw_threat_add(p->world, &def, threat, NULL);
}

lw_status failing_add_danger(void *state) {
  place *p = state;
  lw_danger_def def = lw_danger_def_default();
  lw_danger_id id;
  def.at = lwi_vec3(8, 0, 5);
  return lw_danger_add(p->world, &def, &id, NULL);
}

lw_status failing_add_lane(void *state) {
  place *p = state;
  lw_fire_lane_def def = lw_fire_lane_def_default();
  lw_fire_lane_id id;
  def.from = lwi_vec3(12, 1, 0);
  def.to = lwi_vec3(12, 1, 9);
  return lw_fire_lane_add(p->world, &def, &id, NULL);
}

void failing_open_world(void *state) {
  place *p = state;
  p->answer = 0;
  assert_int_equal(failing_create_world(p), LW_OK);
  assert_non_null(p->workspace = lw_workspace_create(p->world));
}

void failing_open_hazards(void *state) {
  failing_open_world(state);
  assert_int_equal(failing_add_danger(state), LW_OK);
  assert_int_equal(failing_add_lane(state), LW_OK);
}

/* Agents that walk and think, a threat that one team knows of. */
void failing_open_game(void *state) {
  place *p = state;
  failing_open_hazards(p);
  assert_int_equal(failing_add_threat(p, lw_agent_id_none(), "red", &p->threat), LW_OK);
  assert_int_equal(failing_spawn(p, p->soldier, NULL, failing_start, &p->walker), LW_OK);
  assert_int_equal(failing_spawn(p, p->soldier, p->tree, lwi_vec3(3, 0, 8), &p->thinker), LW_OK);
  assert_int_equal(lw_agent_move_to(p->world, p->walker, failing_goal, 0.5f), LW_OK);
  lw_obstacle_def crate = lw_obstacle_def_default();
  lw_obstacle_id id;
  crate.at = lwi_vec3(10, 0, 2);
  assert_int_equal(lw_obstacle_add(p->world, &crate, &id, NULL), LW_OK);
  for (int i = 0; i < 5; i++) assert_int_equal(lw_world_step(p->world, DT), LW_OK);
}

void failing_close_world(void *state) {
  place *p = state;
  for (int i = 0; p->world && i < 2; i++) assert_int_equal(lw_world_step(p->world, DT), LW_OK);
  lw_explanation_destroy(p->explanation);
  lw_path_destroy(p->path);
  lw_workspace_destroy(p->workspace);
  lw_world_destroy(p->world);
  lw_saved_destroy(p->opened);
  p->explanation = NULL, p->path = NULL, p->workspace = NULL, p->world = NULL, p->opened = NULL;
}

uint64_t failing_hash_world(void *state) {
  place *p = state;
  uint64_t hash = p->world ? lw_world_hash(p->world) : 0;
  hash = lwi_hash(hash, &p->answer, sizeof p->answer);
  int count = 0;
  const lw_vec3 *points = p->path ? lw_path_points(p->path, &count) : NULL;
  return lwi_hash(hash, points, (size_t)count * sizeof *points);
}

lw_status failing_add_public_threat(void *state) {
  lw_threat_id id;
  return failing_add_threat(state, lw_agent_id_none(), "", &id);
}

/* Something for the step to search. */
void failing_open_alarmed(void *state) {
  place *p = state;
  failing_open_game(p);
  assert_int_equal(failing_add_public_threat(p), LW_OK);
  for (int i = 0; i < 3; i++)
    assert_int_equal(failing_spawn(p, p->soldier, p->tree, failing_start, &p->thinker), LW_OK);
  const lw_value friend = {.kind = LW_VALUE_AGENT, .as.agent = p->walker},
                 post = {.kind = LW_VALUE_STRING, .as.string = "north"};
  assert_int_equal(lw_agent_set_value(p->world, p->thinker, "friend", &friend), LW_OK);
  assert_int_equal(lw_agent_set_value(p->world, p->thinker, "team.post", &post), LW_OK);
  assert_int_equal(lw_world_set_value(p->world, "wind", &post), LW_OK);
  assert_int_equal(lw_world_emit(p->world, "alarm", NULL), LW_OK);
}

/* --- running -------------------------------------------------------------------------------------------------- */

/* @param wall_count  1: without the second wall. */
static lw_navmesh *bake_level(int wall_count) {
  lw_geometry *geometry = scene_floor(scene_table, 20, 10);
  const lw_geometry_box walls[] = {{.at = {7, 0, 3}, .size = {0.4f, 2, 5}, .area = LW_AREA_NONE},
                                   {.at = {13, 0, 7}, .size = {0.4f, 1, 5}, .area = LW_AREA_NONE}};
  static const lw_vec3 bend[] = {{0, 0, 5}, {10, 0, 8}, {20, 0, 5}};
  lw_mark_def mark = lw_mark_def_default(LW_MARK_PATH);
  mark.points = bend;
  mark.point_count = 3;
  mark.width = 2;
  mark.area = SCENE_ROAD;
  lw_bake_settings settings = lw_bake_settings_default();
  settings.agent_radius = 0.3f;
  settings.tile_size = 12;
  settings.cover.map = true;
  assert_int_equal(lw_geometry_mark_area(geometry, &mark, NULL), LW_OK);
  for (int i = 0; i < wall_count; i++) assert_int_equal(lw_geometry_add_box(geometry, &walls[i], NULL), LW_OK);
  lw_navmesh *mesh = scene_bake(geometry, &settings, NULL);
  lw_geometry_destroy(geometry);
  return mesh;
}

/* Shares nothing with the other one but the area table. */
static lw_navmesh *bake_island(void) {
  lw_geometry *geometry = scene_geometry(scene_table);
  scene_add_floor(geometry, lwi_vec3(40, 0, 0), 10, 10, SCENE_GROUND);
  lw_bake_settings settings = lw_bake_settings_default();
  settings.agent_radius = 0.3f;
  lw_navmesh *mesh = scene_bake(geometry, &settings, NULL);
  lw_geometry_destroy(geometry);
  return mesh;
}

static lw_profile *make_profile(float radius, float danger_cost, float cover_bias, lw_avoidance avoidance) {
  lw_profile_def def = lw_profile_def_default();
  lw_profile *profile;
  def.radius = radius;
  def.danger_cost = danger_cost;
  def.cover_bias = cover_bias;
  def.resistance_factor[LW_TRIANGULAR] = 0.5f;
  def.body.turn_radius = 1.5f;
  def.body.avoidance = avoidance;
  assert_int_equal(lw_profile_create(&def, scene_table, &profile, NULL), LW_OK);
  return profile;
}

int failing_place_open(void **state) {
  const lw_node_def nodes[] = {{.kind = LW_SEQUENCE, .child_count = 2}, {.kind = LW_LEAF}, {.kind = LW_WAIT}};
  scene_open(state);
  failing_it = (place){.memory = {.left = -1}};
  failing_it.near = bake_level(2);
  failing_it.changed = bake_level(1);
  failing_it.far = bake_island();
  failing_it.soldier = make_profile(0.3f, 10, 5, LW_AVOID_NONE);
  failing_it.large = make_profile(0.6f, 0, 1, LW_AVOID_NONE);
  failing_it.runner = make_profile(0.3f, 0, 1, LW_AVOID_FULL);
  assert_int_equal(lw_tree_create(&(lw_tree_def){"tree", nodes, 3, NULL}, &failing_it.tree, NULL), LW_OK);
  strcpy(failing_file, "/tmp/leeward_fail_XXXXXX");
  temp_file_make(failing_file);
  failing_open_alarmed(&failing_it);
  assert_int_equal(lw_world_save(failing_it.world, failing_file, NULL), LW_OK);
  failing_close_world(&failing_it);
  assert_int_equal(lw_saved_open(failing_file, NULL, &failing_it.saved, NULL), LW_OK);
  *state = &failing_it;
  return 0;
}

int failing_place_close(void **state) {
  remove(failing_file);
  lw_saved_destroy(failing_it.saved);
  lw_tree_destroy(failing_it.tree);
  lw_profile_destroy(failing_it.soldier);
  lw_profile_destroy(failing_it.large);
  lw_profile_destroy(failing_it.runner);
  lw_navmesh_destroy(failing_it.near);
  lw_navmesh_destroy(failing_it.changed);
  lw_navmesh_destroy(failing_it.far);
  return scene_close(state);
}

void failing_place_run(place *p, const failing_call *calls, int count) {
  const int failed = failing_run(calls, count, p, &p->memory);
  printf("note: %d allocations and file operations failed\n", failed);
  assert_int_equal(p->memory.bytes, 0);
  assert_int_equal(p->memory.blocks, 0);
}
failing_call failing_in_world(const char *name, void (*open)(void *), lw_status (*call)(void *),
                              failing_kind kind) {
  return (failing_call){.name = name,
                        .kind = kind,
                        .open = open,
                        .call = call,
                        .hash = failing_hash_world,
                        .close = failing_close_world};
}
