/* lw_world_memory() is what the allocator gave the world, to the byte, whatever lives in it. */
#include "allocator.h"
#include "grid_mesh.h"
#include "leeward/leeward.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#define AGENTS 30

typedef struct scene {
  support_memory held;
  lw_allocator allocator;
  lw_area_table *areas;
  lw_navmesh *meshes[2];
  lw_profile *profiles[2]; /* the second is larger than the meshes were baked for, and minds threats */
  lw_tree *tree;
  lw_world *world;
  lw_agent_id agents[AGENTS];
} scene;

static lw_node_status go_on(void *user, lw_world *world, lw_agent_id agent, lw_leaf_call *call) {
  (void)user;
  (void)world;
  (void)agent;
  (void)call;
  return LW_RUNNING;
}

static void check(const scene *s, const char *when) {
  const long said = (long)lw_world_memory(s->world);
  if (said != s->held.bytes)
    fail_msg("%s: it says %ld bytes, the allocator gave %ld", when, said, s->held.bytes);
}

static void make_world(scene *s) {
  static const char *const rows[] = {"....................", "....................", "....................",
                                     "..........#.........", "..........#.........", "....................",
                                     "....................", "...................."};
  s->areas = support_road_and_water();
  for (int i = 0; i < 2; i++) s->meshes[i] = support_grid(s->areas, rows, 8, 1);
  lw_profile_def profile = lw_profile_def_default();
  assert_int_equal(lw_profile_create(&profile, s->areas, &s->profiles[0], NULL), LW_OK);
  profile.cover_bias = 5;
  profile.danger_cost = 20;
  profile.radius = 0.3f;
  assert_int_equal(lw_profile_create(&profile, s->areas, &s->profiles[1], NULL), LW_OK);
  const lw_node_def node = {.kind = LW_LEAF};
  const lw_tree_def tree = {.name = "tree", .nodes = &node, .node_count = 1};
  assert_int_equal(lw_tree_create(&tree, &s->tree, NULL), LW_OK);
  lw_link_def between = lw_link_def_default();
  between.kind = LW_LINK_TELEPORT;
  between.from = (lw_vec3){1, 0, 1};
  between.to = (lw_vec3){18, 0, 6};
  lw_world_def def = lw_world_def_default();
  def.navmeshes = (const lw_navmesh *const *)s->meshes;
  def.navmesh_count = 2;
  def.links = &between;
  def.link_count = 1;
  def.leaf = go_on;
  s->held = (support_memory){.left = -1};
  s->allocator = support_allocator(&s->held);
  def.allocator = s->allocator;
  assert_int_equal(lw_world_create(&def, &s->world, NULL), LW_OK);
  check(s, "created");
}

static void drop_world(scene *s) {
  lw_world_destroy(s->world);
  assert_int_equal(s->held.bytes, 0);
  assert_int_equal(s->held.blocks, 0);
  lw_tree_destroy(s->tree);
  for (int i = 0; i < 2; i++) lw_profile_destroy(s->profiles[i]);
  for (int i = 0; i < 2; i++) lw_navmesh_destroy(s->meshes[i]);
  lw_area_table_destroy(s->areas);
}

static void spawn_agents(scene *s) {
  for (int i = 0; i < AGENTS; i++) {
    char team[16];
    lw_agent_def def = lw_agent_def_default();
    snprintf(team, sizeof team, "team %d", i % 4);
    def.profile = s->profiles[i % 2];
    def.at = (lw_vec3){(float)(i % 18) + 0.5f, 0, 1.5f};
    def.tree = i % 3 == 0 ? s->tree : NULL;
    def.team = team;
    assert_int_equal(lw_agent_spawn(s->world, &def, &s->agents[i], NULL), LW_OK);
  }
  check(s, "agents spawned");
  for (int i = 0; i < AGENTS; i++)
    lw_agent_move_to(s->world, s->agents[i], (lw_vec3){18.5f - (float)(i % 9), 0, 6.5f}, 0.2f);
  check(s, "agents walking");
}

static void add_threats_and_regions(scene *s) {
  for (int i = 0; i < 5; i++) {
    lw_threat_def threat = lw_threat_def_default();
    lw_threat_id id;
    threat.threat.at = (lw_vec3){(float)i * 3, 1.6f, 4};
    threat.known_to = i % 2 ? "team 1" : "";
    assert_int_equal(lw_threat_add(s->world, &threat, &id, NULL), LW_OK);
    lw_danger_def danger = lw_danger_def_default();
    lw_danger_id danger_id;
    danger.at = (lw_vec3){(float)i * 4, 0, 2};
    danger.radius = 1;
    assert_int_equal(lw_danger_add(s->world, &danger, &danger_id, NULL), LW_OK);
    lw_fire_lane_def lane = lw_fire_lane_def_default();
    lw_fire_lane_id lane_id;
    lane.from = (lw_vec3){(float)i * 4, 1, 0};
    lane.to = (lw_vec3){(float)i * 4, 1, 7};
    assert_int_equal(lw_fire_lane_add(s->world, &lane, &lane_id, NULL), LW_OK);
  }
  const lw_threat believed = lw_threat_default();
  assert_int_equal(lw_agent_set_threats(s->world, s->agents[0], &believed, 1), LW_OK);
  assert_int_equal(lw_world_set_visibility(s->world, "team 2", 0.3f), LW_OK);
  lw_agent_reserve_cover(s->world, s->agents[1], (lw_vec3){5.5f, 0, 5.5f}, 2);
  check(s, "threats and regions added");
}

/* Of agents with different profiles: each group makes one of its own. */
static void add_groups(scene *s) {
  for (int i = 0; i < AGENTS; i += 10) {
    lw_group_def def = lw_group_def_default();
    lw_group_id group;
    def.agents = &s->agents[i];
    def.agent_count = 10;
    assert_int_equal(lw_group_create(s->world, &def, &group, NULL), LW_OK);
    check(s, "a group created");
    lw_group_move_to(s->world, group, (lw_vec3){2.5f, 0, 1.5f + (float)i / 5}, NULL);
    check(s, "a group sent");
  }
}

/* A path that the caller holds is the caller's. */
static void ask(scene *s, lw_workspace *workspace) {
  lw_path_query query = lw_path_query_default();
  const lw_threat threat = {
      .at = {10, 1.6f, 4}, .facing = {1, 0, 0}, .half_angle = 3, .range = 20, .weight = 1};
  lw_path *path;
  query.from = (lw_vec3){0.5f, 0, 0.5f};
  query.to = (lw_vec3){19.5f, 0, 7.5f};
  query.profile = s->profiles[1];
  query.threats = &threat;
  query.threat_count = 1;
  assert_int_equal(lw_path_find(s->world, workspace, &query, &path), LW_OK);
  lw_path_destroy(path);
  check(s, "a path asked for");
}

static void the_world_says_what_the_allocator_gave(void **state) {
  (void)state;
  scene s;
  make_world(&s);
  spawn_agents(&s);
  add_threats_and_regions(&s);
  lw_workspace *workspace = lw_workspace_create(s.world);
  assert_non_null(workspace);
  check(&s, "a workspace created");
  ask(&s, workspace);
  ask(&s, NULL);
  for (int i = 0; i < 60; i++) {
    assert_int_equal(lw_world_step(s.world, 0.1f), LW_OK);
    check(&s, "stepped");
  }
  add_groups(&s);
  for (int i = 0; i < 60; i++) {
    assert_int_equal(lw_world_step(s.world, 0.1f), LW_OK);
    check(&s, "stepped with groups");
  }
  for (int i = 0; i < AGENTS; i += 2) assert_int_equal(lw_agent_despawn(s.world, s.agents[i]), LW_OK);
  check(&s, "agents removed");
  lw_workspace_destroy(workspace);
  check(&s, "a workspace destroyed");
  drop_world(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_world_says_what_the_allocator_gave)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
