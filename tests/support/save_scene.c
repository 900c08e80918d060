#include "save_scene.h"

#include "core/vec3.h"
#include "grid_mesh.h"
#include "temp_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

char save_scene_file[32];

lw_world *save_scene_world(const lw_navmesh *mesh) {
  lw_world_def def = lw_world_def_default();
  def.navmesh = mesh;
  lw_world *world;
  assert_int_equal(lw_world_create(&def, &world, NULL), LW_OK);
  return world;
}

/* The eye of one agent, known to team blue; a removed one; and one that another agent has learned of. */
static void fill_threats(level *l) {
  lw_agent_id first = lw_agent_next(l->world, lw_agent_id_none()), second = lw_agent_next(l->world, first),
              third = lw_agent_next(l->world, second);
  lw_threat_def def = lw_threat_def_default();
  lw_threat_id gone;
  assert_int_equal(lw_threat_add(l->world, &def, &gone, NULL), LW_OK);
  def.agent = second;
  def.known_to = "blue";
  def.threat.half_angle = 1;
  def.threat.facing = lwi_vec3(1, 0, 0);
  def.threat.range = 30;
  assert_int_equal(lw_threat_add(l->world, &def, &l->eye, NULL), LW_OK);
  def = lw_threat_def_default();
  def.threat.at = lwi_vec3(20, 2, 7);
  def.threat.weight = 2;
  def.tolerance = 3;
  assert_int_equal(lw_threat_add(l->world, &def, &l->learned, NULL), LW_OK);
  assert_int_equal(lw_agent_learn_threat(l->world, third, l->learned), LW_OK);
  assert_int_equal(lw_threat_remove(l->world, gone), LW_OK);
  def.threat.at.x = 3;
  assert_int_equal(lw_agent_set_threats(l->world, second, &def.threat, 1), LW_OK);
  assert_int_equal(lw_agent_reserve_cover(l->world, first, lwi_vec3(4, 0, 12), 7), LW_OK);
  assert_int_equal(lw_agent_reserve_cover(l->world, second, lwi_vec3(38, 0, 9), LW_COVER_LEASH), LW_OK);
  assert_int_equal(lw_agent_set_reason(l->world, first, "it did not want to"), LW_OK);
}

/* One that is cut, one that is removed but still cut, one that an agent carries, one that is attached to the first; and a
   permutation. */
static void fill_obstacles(level *l) {
  static const lw_vec3 corners[] = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}};
  lw_obstacle_def def = lw_obstacle_def_default();
  lw_obstacle_id first, gone, id;
  def.at = lwi_vec3(12, 0, 3);
  def.yaw = 0.4f;
  assert_int_equal(lw_obstacle_add(l->world, &def, &first, NULL), LW_OK);
  def.shape = LW_OBSTACLE_CYLINDER;
  def.at.x = 33;
  assert_int_equal(lw_obstacle_add(l->world, &def, &gone, NULL), LW_OK);
  def.shape = LW_OBSTACLE_POLYGON;
  def.at.x = 9;
  def.points = corners;
  def.point_count = 3;
  def.attached_to = first;
  assert_int_equal(lw_obstacle_add(l->world, &def, &id, NULL), LW_OK);
  def = lw_obstacle_def_default();
  def.carrier = lw_agent_next(l->world, lw_agent_id_none());
  assert_int_equal(lw_obstacle_add(l->world, &def, &id, NULL), LW_OK);
  def = lw_obstacle_def_default();
  def.at = lwi_vec3(22, 0, 12);
  def.blocks = false;
  def.area = 1;
  const lw_permutation_state_def states[] = {{.name = "dry"},
                                             {.name = "wet", .volumes = &def, .volume_count = 1}};
  lw_permutation_def permutation = lw_permutation_def_default();
  permutation.name = "ford";
  permutation.states = states;
  permutation.state_count = 2;
  permutation.initial = 1;
  assert_int_equal(lw_permutation_define(l->world, &permutation, NULL), LW_OK);
  assert_int_equal(lw_world_apply_changes(l->world), LW_OK);
  assert_int_equal(lw_obstacle_remove(l->world, gone), LW_OK);
}

/* Two links that were added, one of which was removed, and a permutation that bars the other one; agents that wait for it. */
static void fill_links(level *l) {
  lw_link_def def = lw_link_def_default();
  lw_link_id gone, id;
  def.kind = LW_LINK_LADDER;
  def.from = lwi_vec3(3, 0, 13);
  def.to = lwi_vec3(37, 0, 13);
  def.length = 1;
  def.name = "ladder";
  assert_int_equal(lw_link_add(l->world, &def, &id, NULL), LW_OK);
  def.kind = LW_LINK_JUMP;
  def.area = 1;
  def.name = NULL;
  def.to = lwi_vec3(4, 0, 3);
  assert_int_equal(lw_link_add(l->world, &def, &gone, NULL), LW_OK);
  assert_int_equal(lw_link_set_cost(l->world, id, 0.5f), LW_OK);
  for (int i = 0; i < 2; i++) {
    lw_agent_def agent_def = lw_agent_def_default();
    lw_agent_id agent;
    agent_def.profile = l->profile;
    agent_def.at = lwi_vec3(2.5f - (float)i, 0, 13);
    assert_int_equal(lw_agent_spawn(l->world, &agent_def, &agent, NULL), LW_OK);
    assert_int_equal(lw_world_apply_changes(l->world), LW_OK);
    assert_int_equal(lw_agent_move_to(l->world, agent, lwi_vec3(37, 0, 12), 0.1f), LW_OK);
  }
  for (int i = 0; i < 60; i++) assert_int_equal(lw_world_step(l->world, 1.0f / 60), LW_OK);
  lw_link_info now;
  assert_int_equal(lw_link_get(l->world, id, &now), LW_OK);
  assert_true(now.users == 1 && now.waiting == 1);
  const lw_permutation_link barred = {"ladder", false};
  const lw_permutation_state_def states[] = {{.name = "stopped", .links = &barred, .link_count = 1}};
  lw_permutation_def permutation = lw_permutation_def_default();
  permutation.name = "lift";
  permutation.states = states;
  permutation.state_count = 1;
  assert_int_equal(lw_permutation_define(l->world, &permutation, NULL), LW_OK);
  assert_int_equal(lw_link_remove(l->world, gone), LW_OK);
}

static lw_node_status run_leaf(lw_leaf_call *call) {
  *(double *)call->state += 1;
  call->wake = lw_world_time(call->world) + 0.5;
  return LW_RUNNING;
}

static lw_node_status save_leaf(lw_leaf_call *call) {
  call->data = call->state;
  call->size = sizeof(double);
  return LW_SUCCESS;
}

static lw_node_status load_leaf(lw_leaf_call *call) {
  if (call->size != sizeof(double)) return LW_FAILURE;
  memcpy(call->state, call->data, call->size);
  return LW_SUCCESS;
}

/* A leaf with state beside a timeout and a condition, which reads an event. Without a name. */
static lw_tree *make_tree(void) {
  static const char *const key = "event.alarm";
  static const lw_leaf_def leaf = {
      .tick = run_leaf, .state_size = sizeof(double), .save = save_leaf, .load = load_leaf};
  const lw_node_def nodes[] = {
      {.kind = LW_PARALLEL, .child_count = 2},
      {.kind = LW_LEAF, .native = &leaf},
      {.kind = LW_SELECTOR, .child_count = 2},
      {.kind = LW_CONDITION, .child_count = 1, .keys = &key, .key_count = 1, .abort = LW_ABORT_LOWER},
      {.kind = LW_COOLDOWN, .child_count = 1, .seconds = 3},
      {.kind = LW_WAIT, .wait_min = 1, .wait_max = 2},
      {.kind = LW_TIMEOUT, .child_count = 1, .seconds = 40},
      {.kind = LW_WAIT, .wait_min = 100, .wait_max = 200}};
  const lw_tree_def def = {.nodes = nodes, .node_count = 8};
  lw_tree *tree;
  assert_int_equal(lw_tree_create(&def, &tree, NULL), LW_OK);
  return tree;
}

/* Keys of an agent, a team and the world, and an event that is still to be read. */
static void fill_boards(level *l) {
  const lw_agent_id first = lw_agent_next(l->world, lw_agent_id_none()),
                    second = lw_agent_next(l->world, first);
  const lw_value agent = {.kind = LW_VALUE_AGENT, .as.agent = second},
                 text = {.kind = LW_VALUE_STRING, .as.string = "north"},
                 point = {.kind = LW_VALUE_VEC3, .as.vec3 = {3, 0, 7}},
                 object = {.kind = LW_VALUE_OBJECT, .as.object = 17};
  assert_int_equal(lw_agent_set_value(l->world, first, "friend", &agent), LW_OK);
  assert_int_equal(lw_team_set_value(l->world, "red", "post", &point), LW_OK);
  assert_int_equal(lw_world_set_value(l->world, "wind", &text), LW_OK);
  assert_int_equal(lw_world_set_value(l->world, "thing", &object), LW_OK);
  assert_int_equal(lw_agent_send(l->world, second, "alarm", NULL), LW_OK);
}

/* The third agent goes on with a group; the others are in one without an order. */
static void fill_groups(level *l) {
  lw_agent_id agents[3] = {lw_agent_next(l->world, lw_agent_id_none())};
  for (int i = 1; i < 3; i++) agents[i] = lw_agent_next(l->world, agents[i - 1]);
  const lw_vec3 points[] = {{0, 0, 0}, {-1, 0, 1}};
  lw_group_def def = lw_group_def_default();
  lw_group_id gone, group;
  def.agents = agents;
  def.agent_count = 1;
  assert_int_equal(lw_group_create(l->world, &def, &gone, NULL), LW_OK);
  assert_int_equal(lw_group_remove(l->world, gone), LW_OK);
  def.agents = &agents[2];
  def.formation = LW_FORMATION_POINTS;
  def.points = points;
  def.point_count = 2;
  assert_int_equal(lw_group_create(l->world, &def, &group, NULL), LW_OK);
  assert_int_equal(lw_group_move_to(l->world, group, lwi_vec3(38, 0, 5), NULL), LW_OK);
  def.agents = agents;
  def.agent_count = 2;
  assert_int_equal(lw_group_create(l->world, &def, &gone, NULL), LW_OK);
  for (int i = 0; i < 3; i++) assert_int_equal(lw_world_step(l->world, 1.0f / 60), LW_OK);
}

static void fill_world(level *l) {
  lw_danger_def danger = lw_danger_def_default();
  lw_fire_lane_def lane = lw_fire_lane_def_default();
  lw_danger_id gone, id;
  lw_fire_lane_id lane_id;
  danger.at = lwi_vec3(20, 0, 7);
  danger.half_life = 30;
  assert_int_equal(lw_danger_add(l->world, &danger, &gone, NULL), LW_OK);
  danger.at.x = 12;
  danger.value = 3;
  assert_int_equal(lw_danger_add(l->world, &danger, &id, NULL), LW_OK);
  assert_int_equal(lw_danger_remove(l->world, gone), LW_OK);
  lane.from = lwi_vec3(30, 1, -2);
  lane.to = lwi_vec3(30, 1, 20);
  lane.seconds = 60;
  assert_int_equal(lw_fire_lane_add(l->world, &lane, &lane_id, NULL), LW_OK);
  assert_int_equal(lw_world_set_visibility(l->world, NULL, 0.5f), LW_OK);
  assert_int_equal(lw_world_set_visibility(l->world, "red", 0.75f), LW_OK);
  for (int i = 0; i < 3; i++) {
    lw_agent_def def = lw_agent_def_default();
    lw_agent_id agent;
    def.profile = l->profile;
    def.at = lwi_vec3(2, 0, 2 + 4 * (float)i);
    def.team = i ? "red" : NULL;
    def.user = 100 + (uint64_t)i;
    if (i < 2) def.tree = l->tree;
    assert_int_equal(lw_agent_spawn(l->world, &def, &agent, NULL), LW_OK);
    if (i) assert_int_equal(lw_agent_move_to(l->world, agent, lwi_vec3(38, 0, 13 - 4 * (float)i), 0.5f), LW_OK);
  }
  fill_threats(l);
  for (int i = 0; i < 100; i++) assert_int_equal(lw_world_step(l->world, 1.0f / 60), LW_OK);
  lw_random_unit(lw_world_random_stream(l->world));
  fill_groups(l);
  fill_obstacles(l);
  fill_links(l);
  fill_boards(l);
}

int save_scene_open(void **state) {
  static level l;
  static const char *const names[] = {"ground"}, *const rows[] = {"........", "...#....", "........"},
                           *const others[] = {"........", "........", "........"};
  l = (level){.areas = support_areas(names, 1)};
  strcpy(save_scene_file, "/tmp/leeward_save_XXXXXX");
  temp_file_make(save_scene_file);
  l.mesh = support_grid(l.areas, rows, 3, 5);
  l.other = support_grid(l.areas, others, 3, 5);
  lw_profile_def profile = lw_profile_def_default();
  profile.danger_cost = 10;
  assert_int_equal(lw_profile_create(&profile, l.areas, &l.profile, NULL), LW_OK);
  l.tree = make_tree();
  l.world = save_scene_world(l.mesh);
  fill_world(&l);
  assert_int_equal(lw_world_save(l.world, save_scene_file, NULL), LW_OK);
  const file_bytes saved = file_read(save_scene_file);
  assert_in_range(saved.size, 200, sizeof l.data - 1);
  memcpy(l.data, saved.data, l.size = saved.size);
  free(saved.data);
  *state = &l;
  return 0;
}

int save_scene_close(void **state) {
  level *l = *state;
  remove(save_scene_file);
  lw_world_destroy(l->world);
  lw_tree_destroy(l->tree);
  lw_profile_destroy(l->profile);
  lw_navmesh_destroy(l->mesh);
  lw_navmesh_destroy(l->other);
  lw_area_table_destroy(l->areas);
  return 0;
}
