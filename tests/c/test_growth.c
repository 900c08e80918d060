/* How the work of a world grows with what it may have many of. */
#include "growth.h"
#include "leeward/leeward.h"
#include "temp_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Agents in a row on a strip of squares. */
typedef struct crowd {
  lw_navmesh *mesh;
  lw_world *world;
  lw_agent_id *agents;
} crowd;

static lw_vec3 place_of(int i) {
  return (lw_vec3){(float)(i % 100) * 0.5f, 0, 0.5f + (float)(i / 100 % 40)};
}

static crowd make_crowd(int count, const lw_profile *profile, bool teams) {
  crowd made = {.mesh = growth_squares(50, 40, 0, 0, NULL, 0)};
  made.world = growth_world(made.mesh);
  made.agents = malloc((size_t)count * sizeof *made.agents);
  assert_non_null(made.agents);
  for (int i = 0; i < count; i++) {
    char team[24];
    lw_agent_def def = lw_agent_def_default();
    snprintf(team, sizeof team, "team %d", i);
    def.profile = profile;
    def.at = place_of(i);
    def.team = teams ? team : NULL;
    growth_need(lw_agent_spawn(made.world, &def, &made.agents[i], NULL));
  }
  return made;
}

static void drop_crowd(crowd *made) {
  lw_world_destroy(made->world);
  lw_navmesh_destroy(made->mesh);
  free(made->agents);
}

/* --- agents ----------------------------------------------------------------------------------------------- */

static uint64_t spawning(int count) {
  const uint64_t before = growth_count();
  crowd made = make_crowd(count, growth_profiles[0], true);
  const uint64_t after = growth_count();
  drop_crowd(&made);
  return after - before;
}

/* Halls of 12 x 11 m with lanes of 3 m between them, in each of which two vehicles meet, so that one of them waits. */
enum { MEETING_SQUARES = 2 * 12 * 11 + 3 * 20, MEETINGS_APART = 400 };

static int lay_meeting(lw_vec3 *squares, float x) {
  int count = 0;
  for (int along = 0; along < 44; along++)
    for (int across = along < 12 || along >= 32 ? -4 : 0; across < (along < 12 || along >= 32 ? 7 : 3);
         across++)
      growth_square(&squares[4 * count++], x + (float)along, 0, (float)across);
  return count;
}

static lw_profile *create_vehicle(void) {
  lw_profile_def def = lw_profile_def_default();
  lw_profile *profile;
  def.name = "vehicle";
  def.radius = 0.4f;
  def.body.avoidance = LW_AVOID_FULL;
  def.body.turn_radius = 3;
  def.body.vehicle = (lw_vehicle){.length = 3, .width = 1.6f, .wheelbase = 2, .reverse_cost = 3};
  growth_need(lw_profile_create(&def, growth_areas, &profile, NULL));
  return profile;
}

static void spawn_driver(lw_world *world, const lw_profile *profile, float x, float to, float heading) {
  lw_agent_def def = lw_agent_def_default();
  lw_agent_id agent;
  def.profile = profile;
  def.at = (lw_vec3){x, 0, 1.5f};
  growth_need(lw_agent_spawn(world, &def, &agent, NULL));
  growth_need(lw_agent_set_heading(world, agent, heading));
  growth_need(lw_agent_move_to(world, agent, (lw_vec3){to, 0, 1.5f}, 0.3f));
}

/* With as many times 400 others that have nothing to do with them. */
static uint64_t giving_way(int count) {
  lw_vec3 *squares = calloc((size_t)count * MEETING_SQUARES * 4, sizeof *squares);
  int laid = 0;
  for (int i = 0; i < count; i++) laid += lay_meeting(&squares[4 * laid], (float)(i * MEETINGS_APART));
  lw_navmesh *mesh = growth_mesh(squares, laid, NULL, 0);
  lw_world *world = growth_world(mesh);
  lw_profile *vehicle = create_vehicle();
  for (int i = 0; i < 400 * count; i++) {
    lw_agent_def def = lw_agent_def_default();
    lw_agent_id agent;
    def.profile = growth_profiles[0];
    def.at = (lw_vec3){(float)(i % count * MEETINGS_APART) + 1, 0, 1};
    growth_need(lw_agent_spawn(world, &def, &agent, NULL));
  }
  for (int i = 0; i < count; i++) {
    const float x = (float)(i * MEETINGS_APART);
    spawn_driver(world, vehicle, x + 4, x + 40, 0);
    spawn_driver(world, vehicle, x + 41, x + 3, 3.14159265f);
  }
  for (int i = 0; i < 60; i++) lw_world_step(world, 1.0f / 30);
  const uint64_t before = growth_count();
  for (int i = 0; i < 30; i++) lw_world_step(world, 1.0f / 30);
  const uint64_t after = growth_count();
  int waiting = 0;
  for (lw_agent_id id = lw_agent_next(world, lw_agent_id_none()); !lw_agent_id_is_none(id);
       id = lw_agent_next(world, id)) {
    char why[512];
    lw_agent_why(world, id, why, sizeof why);
    waiting += strstr(why, "gives way") != NULL;
  }
  assert_int_equal(waiting, count);
  lw_world_destroy(world);
  lw_profile_destroy(vehicle);
  lw_navmesh_destroy(mesh);
  free(squares);
  return after - before;
}

static uint64_t removing(int count) {
  crowd made = make_crowd(count, growth_profiles[0], true);
  const uint64_t before = growth_count();
  for (int i = 0; i < count; i++) growth_need(lw_agent_despawn(made.world, made.agents[i]));
  growth_need(lw_world_step(made.world, 0.1f));
  const uint64_t after = growth_count();
  drop_crowd(&made);
  return after - before;
}

static uint64_t walking(int count) {
  crowd made = make_crowd(count, growth_profiles[0], false);
  const uint64_t before = growth_count();
  for (int i = 0; i < count; i++)
    growth_need(lw_agent_move_to(made.world, made.agents[i], (lw_vec3){place_of(i).x, 0, 35}, 0.3f));
  for (int i = 0; i < 10; i++) growth_need(lw_world_step(made.world, 0.1f));
  const uint64_t after = growth_count();
  drop_crowd(&made);
  return after - before;
}

static uint64_t saving(int count) {
  crowd made = make_crowd(count, growth_profiles[0], true);
  char file[] = "/tmp/leeward_growth_XXXXXX";
  temp_file_make(file);
  const uint64_t before = growth_count();
  growth_need(lw_world_save(made.world, file, NULL));
  const uint64_t after = growth_count();
  remove(file);
  drop_crowd(&made);
  return after - before;
}

/* Each agent carries an obstacle; the world is saved, and another one takes it over. */
static uint64_t loading_carriers(int count) {
  crowd made = make_crowd(count, growth_profiles[0], false), other = make_crowd(0, growth_profiles[0], false);
  lw_obstacle_def def = lw_obstacle_def_default();
  for (int i = 0; i < count; i++) {
    lw_obstacle_id id;
    def.carrier = made.agents[i];
    growth_need(lw_obstacle_add(made.world, &def, &id, NULL));
  }
  char file[] = "/tmp/leeward_growth_XXXXXX";
  temp_file_make(file);
  lw_saved *saved;
  const uint64_t before = growth_count();
  growth_need(lw_world_save(made.world, file, NULL));
  growth_need(lw_saved_open(file, NULL, &saved, NULL));
  growth_need(lw_world_restore(other.world, saved, NULL));
  for (int i = 0; i < count; i++) {
    lw_saved_agent agent;
    lw_agent_id id;
    lw_agent_def spawned = lw_agent_def_default();
    growth_need(lw_saved_get_agent(saved, i, &agent));
    spawned.profile = growth_profiles[0];
    spawned.at = agent.at;
    growth_need(lw_agent_spawn(other.world, &spawned, &id, NULL));
    growth_need(lw_agent_restore(other.world, id, saved, i));
  }
  const uint64_t after = growth_count();
  remove(file);
  lw_saved_destroy(saved);
  drop_crowd(&other);
  drop_crowd(&made);
  return after - before;
}

/* --- dangers and fire lanes ------------------------------------------------------------------------------- */

#define NEWS_STEPS 10

/* One of the regions that come in a step: dangers and fire lanes in turn, all over the strip. */
static void add_region(lw_world *world, int i, lw_danger_id *danger, lw_fire_lane_id *lane) {
  const lw_vec3 at = {(float)(i * 37 % 500) * 0.1f, 0, (float)(i * 53 % 400) * 0.1f};
  if (i % 2) {
    lw_fire_lane_def def = lw_fire_lane_def_default();
    def.from = at;
    def.to = (lw_vec3){at.x + 3, 0, at.z};
    growth_need(lw_fire_lane_add(world, &def, lane, NULL));
  } else {
    lw_danger_def def = lw_danger_def_default();
    def.at = at;
    def.radius = 1;
    growth_need(lw_danger_add(world, &def, danger, NULL));
  }
}

/* Each agent meets an obstacle that moves, every 4 m along a strip. */
static uint64_t evading(int count) {
  lw_profile_def body = lw_profile_def_default();
  lw_profile *profile;
  body.body.avoidance = LW_AVOID_FULL;
  growth_need(lw_profile_create(&body, growth_areas, &profile, NULL));
  lw_navmesh *mesh = growth_squares(4 * count, 10, 0, 0, NULL, 0);
  lw_world *world = growth_world(mesh);
  for (int i = 0; i < count; i++) {
    lw_agent_def def = lw_agent_def_default();
    lw_obstacle_def box = lw_obstacle_def_default();
    lw_agent_id agent;
    lw_obstacle_id obstacle;
    const lw_vec3 velocity = {0, 0, -2};
    def.profile = profile;
    def.at = (lw_vec3){2 + 4 * (float)i, 0, 1};
    growth_need(lw_agent_spawn(world, &def, &agent, NULL));
    growth_need(lw_agent_move_to(world, agent, (lw_vec3){def.at.x, 0, 9}, 0.3f));
    box.at = (lw_vec3){def.at.x, 0, 5};
    box.max_speed = 0.1f; /* it is never cut out */
    growth_need(lw_obstacle_add(world, &box, &obstacle, NULL));
    growth_need(lw_obstacle_move(world, obstacle, box.at, 0, &velocity));
  }
  const uint64_t before = growth_count();
  for (int i = 0; i < 10; i++) growth_need(lw_world_step(world, 0.02f));
  const uint64_t after = growth_count();
  char why[256];
  lw_agent_why(world, lw_agent_next(world, lw_agent_id_none()), why, sizeof why);
  assert_non_null(strstr(why, "an obstacle that moves"));
  lw_world_destroy(world);
  lw_navmesh_destroy(mesh);
  lw_profile_destroy(profile);
  return after - before;
}

/* Agents walk; in each step all regions go, and as many others come. */
static uint64_t news(int agents, int regions) {
  lw_profile_def def = lw_profile_def_default();
  lw_profile *wary;
  def.danger_cost = 5;
  def.cover_bias = 5;
  growth_need(lw_profile_create(&def, growth_areas, &wary, NULL));
  crowd made = make_crowd(agents, wary, false);
  lw_danger_id *dangers = calloc((size_t)regions, sizeof *dangers);
  lw_fire_lane_id *lanes = calloc((size_t)regions, sizeof *lanes);
  assert_true(dangers && lanes);
  for (int i = 0; i < agents; i++)
    growth_need(lw_agent_move_to(made.world, made.agents[i], (lw_vec3){place_of(i).x, 0, 35}, 0.3f));
  const uint64_t before = growth_count();
  for (int step = 0; step < NEWS_STEPS; step++) {
    for (int i = 0; i < regions; i++) {
      if (step > 0 && i % 2) growth_need(lw_fire_lane_remove(made.world, lanes[i]));
      if (step > 0 && i % 2 == 0) growth_need(lw_danger_remove(made.world, dangers[i]));
      add_region(made.world, i + 8 * step, &dangers[i], &lanes[i]);
    }
    growth_need(lw_world_step(made.world, 0.1f));
  }
  const uint64_t after = growth_count();
  drop_crowd(&made);
  lw_profile_destroy(wary);
  free(dangers);
  free(lanes);
  return after - before;
}

static uint64_t news_of_regions(int count) {
  return news(100, count);
}

static uint64_t news_for_agents(int count) {
  return news(count, 100);
}

/* One that slants across that many squares a side. */
static uint64_t slanting_lane(int count) {
  lw_navmesh *mesh = growth_squares(count, count, 0, 0, NULL, 0);
  lw_world *world = growth_world(mesh);
  lw_fire_lane_def def = lw_fire_lane_def_default();
  lw_fire_lane_id lane;
  def.from = (lw_vec3){0.5f, 0, 0.5f};
  def.to = (lw_vec3){1, 0, 1};
  growth_need(lw_fire_lane_add(world, &def, &lane, NULL)); /* the first one takes memory for all polygons */
  def.to = (lw_vec3){(float)count - 0.5f, 0, (float)count - 0.5f};
  const uint64_t before = growth_count();
  growth_need(lw_fire_lane_add(world, &def, &lane, NULL));
  const uint64_t after = growth_count();
  lw_world_destroy(world);
  lw_navmesh_destroy(mesh);
  return after - before;
}

/* --- threats and teams ------------------------------------------------------------------------------------ */

static uint64_t threats(int count) {
  crowd made = make_crowd(20, growth_profiles[1], false);
  lw_threat_id *ids = malloc((size_t)count * sizeof *ids);
  for (int i = 0; i < 20; i++)
    growth_need(lw_agent_move_to(made.world, made.agents[i], (lw_vec3){49, 0, 20}, 0.3f));
  const uint64_t before = growth_count();
  for (int i = 0; i < count; i++) {
    lw_threat_def def = lw_threat_def_default();
    char team[24];
    snprintf(team, sizeof team, "team %d", i);
    def.threat.at = place_of(i);
    def.known_to = team;
    growth_need(lw_threat_add(made.world, &def, &ids[i], NULL));
  }
  for (int i = 0; i < count; i++) growth_need(lw_threat_remove(made.world, ids[i]));
  growth_need(lw_world_step(made.world, 0.1f));
  const uint64_t after = growth_count();
  free(ids);
  drop_crowd(&made);
  return after - before;
}

static uint64_t path_among_threats(int count) {
  crowd made = make_crowd(1, growth_profiles[1], false);
  lw_threat *list = malloc((size_t)count * sizeof *list);
  for (int i = 0; i < count; i++) {
    list[i] = lw_threat_default();
    list[i].at = (lw_vec3){25, 1.6f, 20 + (float)i * 0.001f};
    list[i].range = 6;
  }
  lw_path_query query = lw_path_query_default();
  lw_path *path;
  query.from = (lw_vec3){1, 0, 1};
  query.to = (lw_vec3){48, 0, 38};
  query.profile = growth_profiles[1];
  query.threats = list;
  query.threat_count = count;
  const uint64_t before = growth_count();
  growth_need(lw_path_find(made.world, NULL, &query, &path));
  const uint64_t after = growth_count();
  lw_path_destroy(path);
  free(list);
  drop_crowd(&made);
  return after - before;
}

static uint64_t visibility_of_teams(int count) {
  crowd made = make_crowd(count, growth_profiles[1], true);
  for (int i = 0; i < count; i++)
    growth_need(lw_agent_move_to(made.world, made.agents[i], place_of(i + 1), 0.1f));
  const uint64_t before = growth_count();
  for (int i = 0; i < count; i++) {
    char team[24];
    snprintf(team, sizeof team, "team %d", i);
    growth_need(lw_world_set_visibility(made.world, team, 0.95f));
  }
  growth_need(lw_world_step(made.world, 0.01f));
  const uint64_t after = growth_count();
  drop_crowd(&made);
  return after - before;
}

static uint64_t reservations(int count) {
  crowd made = make_crowd(count, growth_profiles[0], false);
  const uint64_t before = growth_count();
  for (int i = 0; i < count; i++) {
    lw_status status = lw_agent_reserve_cover(made.world, made.agents[i], place_of(2 * i), 1);
    assert_true(status == LW_OK || status == LW_TAKEN);
  }
  const uint64_t after = growth_count();
  drop_crowd(&made);
  return after - before;
}

/* --- profiles ---------------------------------------------------------------------------------------------- */

static uint64_t profiles_that_take_turns(int count) {
  crowd made = make_crowd(1, growth_profiles[0], false);
  lw_profile **list = malloc((size_t)count * sizeof *list);
  for (int i = 0; i < count; i++) {
    lw_profile_def def = lw_profile_def_default();
    def.radius = 0.7f + 0.001f * (float)i;
    growth_need(lw_profile_create(&def, growth_areas, &list[i], NULL));
  }
  const uint64_t before = growth_count();
  for (int i = 0; i < 2 * count; i++) {
    lw_path_exists_query query = lw_path_exists_query_default();
    bool connected;
    query.from = (lw_vec3){2, 0, 2};
    query.to = (lw_vec3){48, 0, 38};
    query.profile = list[i % count];
    growth_need(lw_path_exists(made.world, NULL, &query, &connected));
  }
  const uint64_t after = growth_count();
  for (int i = 0; i < count; i++) lw_profile_destroy(list[i]);
  free(list);
  drop_crowd(&made);
  return after - before;
}

/* --- trees ------------------------------------------------------------------------------------------------ */

static lw_node_status succeed(void *user, lw_leaf_call *call) {
  (void)user;
  (void)call;
  return LW_SUCCESS;
}

static uint64_t run_tree(const lw_node_def *nodes, int count) {
  const lw_tree_def def = {.name = "tree", .nodes = nodes, .node_count = count};
  const lw_tree_host host = {.leaf = succeed};
  lw_tree *tree;
  lw_tree_run *run;
  const uint64_t before = growth_count();
  growth_need(lw_tree_create(&def, &tree, NULL));
  growth_need(lw_tree_run_create(tree, NULL, &run));
  assert_int_equal(lw_tree_run_tick(run, &host), LW_SUCCESS);
  lw_tree_run_destroy(run);
  lw_tree_destroy(tree);
  return growth_count() - before;
}

static uint64_t wide_tree(int count) {
  lw_node_def *nodes = calloc((size_t)count + 1, sizeof *nodes);
  nodes[0] = (lw_node_def){.kind = LW_SEQUENCE, .child_count = count};
  for (int i = 1; i <= count; i++) nodes[i].kind = LW_LEAF;
  const uint64_t work = run_tree(nodes, count + 1);
  free(nodes);
  return work;
}

/* Each node is the first child of its parent, and a leaf follows it. */
static uint64_t deep_tree(int count) {
  lw_node_def *nodes = calloc(2 * (size_t)count + 1, sizeof *nodes);
  for (int i = 0; i < count; i++) nodes[i] = (lw_node_def){.kind = LW_SEQUENCE, .child_count = 2};
  for (int i = count; i <= 2 * count; i++) nodes[i].kind = LW_LEAF;
  const uint64_t work = run_tree(nodes, 2 * count + 1);
  free(nodes);
  return work;
}

/* --- queries ---------------------------------------------------------------------------------------------- */

static uint64_t creating(int count) {
  const uint64_t before = growth_count();
  lw_navmesh *mesh = growth_squares(20, count / 20, 0, 0, NULL, 0);
  const uint64_t after = growth_count();
  lw_navmesh_destroy(mesh);
  return after - before;
}

static uint64_t random_points(int count) {
  lw_navmesh *mesh = growth_squares(20, count / 20, 0, 0, NULL, 0);
  lw_world *world = growth_world(mesh);
  const uint64_t before = growth_count();
  for (int i = 0; i < count; i++) {
    lw_random_point_query query = lw_random_point_query_default();
    lw_location at;
    query.random = lw_world_random_stream(world);
    query.anywhere = true;
    growth_need(lw_random_point_find(world, NULL, &query, &at));
  }
  const uint64_t after = growth_count();
  lw_world_destroy(world);
  lw_navmesh_destroy(mesh);
  return after - before;
}

/* --- the test --------------------------------------------------------------------------------------------- */

/* All between the same two polygons, in one change, and removed in the order in which they came. */
static uint64_t links_of_two_polygons(int count) {
  lw_navmesh *mesh = growth_squares(50, 1, 1, 0, NULL, 0);
  lw_world *world = growth_world(mesh);
  lw_link_id *ids = malloc((size_t)count * sizeof *ids);
  assert_non_null(ids);
  const uint64_t before = growth_count();
  for (int i = 0; i < count; i++) {
    lw_link_def def = lw_link_def_default();
    def.from = (lw_vec3){0.5f, 0, 0.5f};
    def.to = (lw_vec3){8.5f, 0, 0.5f};
    growth_need(lw_link_add(world, &def, &ids[i], NULL));
  }
  growth_need(lw_world_apply_changes(world));
  for (int i = 0; i < count; i++) growth_need(lw_link_remove(world, ids[i]));
  growth_need(lw_world_apply_changes(world));
  const uint64_t after = growth_count();
  free(ids);
  lw_world_destroy(world);
  lw_navmesh_destroy(mesh);
  return after - before;
}

static const growth_subject subjects[] = {
    {"agents spawned", spawning, 500},
    {"agents removed", removing, 500},
    {"agents walking", walking, 100},
    {"agents evading", evading, 50},
    {"vehicles that give way", giving_way, 4},
    {"agents saved", saving, 200},
    {"carriers saved and loaded", loading_carriers, 100},
    {"regions that come and go", news_of_regions, 1000},
    {"agents among them", news_for_agents, 400},
    {"squares that a lane crosses", slanting_lane, 50},
    {"threats added and removed", threats, 500},
    {"threats of a path", path_among_threats, 20},
    {"teams given a visibility", visibility_of_teams, 100},
    {"places reserved", reservations, 200},
    {"profiles that take turns", profiles_that_take_turns, 4},
    {"nodes of a wide tree", wide_tree, 500},
    {"nodes of a deep tree", deep_tree, 500},
    {"polygons created", creating, 1000},
    {"random points", random_points, 500},
    {"links of two polygons", links_of_two_polygons, 500},
};

static void work_grows_by_less_than_the_power_of_1_3(void **state) {
  (void)state;
  growth_check(subjects, (int)(sizeof subjects / sizeof *subjects));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(work_grows_by_less_than_the_power_of_1_3)};
  return cmocka_run_group_tests(tests, growth_open, growth_close);
}
