#include "golden_scenes.h"

#include "bake_scene.h"
#include "core/hash.h"
#include "core/vec3.h"
#include "grid_mesh.h"
#include "random_world.h"
#include "tree_nodes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))
#define SEED 20270301u
#define EACH_SECOND GOLDEN_STEPS_PER_SECOND
/* Agents without a goal are looked for in turn, each twice a second. */
#define TURNS 30

/* --- what the scenes share ---------------------------------------------------------------------------------------- */

static float between(golden_run *run, float low, float high) {
  return low + (high - low) * lwi_random_unit(&run->random);
}

/* One number a statement: in which order arguments are evaluated, each compiler says for itself. */
static lw_vec3 place_between(golden_run *run, lw_vec3 low, lw_vec3 high) {
  lw_vec3 place = {.y = low.y};
  place.x = between(run, low.x, high.x);
  place.z = between(run, low.z, high.z);
  return place;
}

static lw_vec3 place_on(golden_run *run, int mesh) {
  lw_box bounds = lw_navmesh_bounds(run->meshes[mesh]);
  return place_between(run, bounds.min, bounds.max);
}

static lw_vec3 any_place(golden_run *run) {
  return place_on(run, random_pick(&run->random, run->mesh_count));
}

static lw_profile *create_profile(const golden_run *run, const lw_profile_def *def) {
  lw_profile *profile;
  lw_error error = {0};
  if (lw_profile_create(def, run->areas, &profile, &error) != LW_OK) fail_msg("%s", error.text);
  return profile;
}

static void create_world(golden_run *run, lw_world_def def) {
  lw_error error = {0};
  def.navmesh = run->meshes[0];
  def.seed = SEED;
  def.user = run;
  if (lw_world_create(&def, &run->world, &error) != LW_OK) fail_msg("%s", error.text);
}

/* Places near which there is no ground are left out: the next is tried when its turn comes. */
static void spawn(golden_run *run, lw_agent_def def) {
  if (run->agent_count == GOLDEN_AGENTS_MAX) return;
  def.at = any_place(run);
  def.profile = run->profiles[run->spawned % COUNT(run->profiles)];
  def.tree = run->tree;
  lw_status status = lw_agent_spawn(run->world, &def, &run->agents[run->agent_count], NULL);
  if (status == LW_NO_START) return;
  assert_int_equal(status, LW_OK);
  run->agent_count++;
  run->spawned++;
}

static void forget_agent(golden_run *run, int index) {
  run->agent_count--;
  memmove(run->agents + index, run->agents + index + 1,
          (size_t)(run->agent_count - index) * sizeof *run->agents);
}

static lw_agent_state state_of(const golden_run *run, int index) {
  lw_agent_state state;
  assert_int_equal(lw_agent_get_state(run->world, run->agents[index], &state), LW_OK);
  return state;
}

static void send_those_without_goal(golden_run *run) {
  for (int i = run->step % TURNS; i < run->agent_count; i += TURNS) {
    if (state_of(run, i).move == LW_MOVE_WALKING) continue;
    lw_status status = lw_agent_move_to(run->world, run->agents[i], any_place(run), 0.3f);
    assert_true(status == LW_OK || status == LW_NO_GOAL || status == LW_NO_PATH || status == LW_NO_START);
  }
}

/* --- several navmeshes and links ---------------------------------------------------------------------------------- */

static void open_links(golden_run *run) {
  static const char *const names[] = {"ground", "road", "dirt"};
  run->areas = support_areas(names, COUNT(names));
  run->mesh_count = 3;
  for (int i = 0; i < run->mesh_count; i++) run->meshes[i] = random_mesh(&run->random, run->areas, i);
  run->world = random_world(&run->random, (const lw_navmesh *const *)run->meshes, run->mesh_count);
  lw_profile_def def = lw_profile_def_default();
  run->profiles[0] = create_profile(run, &def);
  def.can_take[LW_LINK_JUMP] = false;
  def.area_factor[3] = 2;
  run->profiles[1] = create_profile(run, &def);
  def = lw_profile_def_default();
  def.radius = 0.6f;
  run->profiles[2] = create_profile(run, &def);
  for (int i = 0; i < 40; i++) spawn(run, lw_agent_def_default());
}

/* --- threats, cover, fire lanes and dangers ----------------------------------------------------------------------- */

#define FIELD 40.0f /* [m] */

static void add_boxes(golden_run *run) {
  for (int i = 0; i < 24; i++) {
    lw_geometry_box box = {.area = LW_AREA_NONE, .cover = i % 4 ? LW_COVER_HARD : LW_COVER_SOFT};
    box.at = place_between(run, lwi_vec3(3, 0, 3), lwi_vec3(FIELD - 3, 0, FIELD - 3));
    box.size = place_between(run, lwi_vec3(1, i % 3 ? 2.2f : 1.1f, 0.5f), lwi_vec3(6, 0, 2));
    box.yaw = between(run, 0, 3);
    assert_int_equal(lw_geometry_add_box(run->geometry, &box, NULL), LW_OK);
  }
}

static void add_threats(golden_run *run) {
  for (int i = 0; i < GOLDEN_THREATS; i++) {
    lw_threat_def def = lw_threat_def_default();
    def.threat.at = place_between(run, lwi_vec3(0, 1.6f, 0), lwi_vec3(FIELD, 0, FIELD));
    def.threat.range = 60;
    def.known_to = "red";
    def.tolerance = 3;
    if (i == 2) def.agent = run->agents[1];
    assert_int_equal(lw_threat_add(run->world, &def, &run->threats[i], NULL), LW_OK);
  }
}

static void open_cover(golden_run *run) {
  run->areas = scene_areas();
  run->geometry = scene_floor(run->areas, FIELD, FIELD);
  add_boxes(run);
  lw_bake_settings settings = lw_bake_settings_default();
  settings.cell_size = 0.2f;
  settings.tile_size = 12.8f;
  run->mesh_count = 1;
  run->meshes[0] = scene_bake(run->geometry, &settings, NULL);
  lw_world_def def = lw_world_def_default();
  def.death_danger.value = 1;
  def.death_danger.half_life = 20;
  create_world(run, def);
  lw_profile_def profile = lw_profile_def_default();
  run->profiles[0] = create_profile(run, &profile);
  profile.cover_bias = 6;
  profile.danger_cost = 20;
  run->profiles[1] = create_profile(run, &profile);
  profile.cover_bias = 2;
  profile.exposure_factor = 1;
  run->profiles[2] = create_profile(run, &profile);
  lw_agent_def agent = lw_agent_def_default();
  for (int i = 0; i < 14; i++) {
    agent.team = i % 3 ? "red" : "blue";
    spawn(run, agent);
  }
  add_threats(run);
}

static void move_threats(golden_run *run) {
  for (int i = 0; i < 2; i++) { /* the third is an agent's eye */
    lw_threat_state state;
    assert_int_equal(lw_threat_get_state(run->world, run->threats[i], &state), LW_OK);
    float along = fabsf((float)((run->step / 3 + 400 * i) % 800) / 400 - 1) * FIELD; /* to and fro */
    if (i == 0) state.threat.at.x = along;
    if (i == 1) state.threat.at.z = along;
    assert_int_equal(lw_threat_set(run->world, run->threats[i], &state.threat), LW_OK);
  }
}

static void add_fire_lane(golden_run *run) {
  lw_fire_lane_def def = lw_fire_lane_def_default();
  lw_fire_lane_id lane;
  def.from = lwi_vec3(between(run, 0, FIELD), 1.4f, 0);
  def.to = lwi_vec3(between(run, 0, FIELD), 1.4f, FIELD);
  def.seconds = 5;
  assert_int_equal(lw_fire_lane_add(run->world, &def, &lane, NULL), LW_OK);
}

static void take_cover(golden_run *run, int index) {
  lw_agent_state state = state_of(run, index);
  lw_threat threats[GOLDEN_THREATS];
  lw_cover_query query = lw_cover_query_default();
  query.around = state.footing;
  query.radius = 12;
  query.profile = state.profile;
  query.agent = run->agents[index];
  query.threats = threats;
  query.threat_count = lw_agent_get_threats(run->world, run->agents[index], threats, COUNT(threats));
  if (query.threat_count == 0) return; /* not red */
  lw_cover_point point;
  int count;
  lw_status status = lw_cover_find(run->world, NULL, &query, &point, 1, &count);
  if (status == LW_NO_POINT) return;
  assert_int_equal(status, LW_OK);
  status = lw_agent_reserve_cover(run->world, run->agents[index], point.at.point, LW_COVER_LEASH);
  assert_int_equal(status, LW_OK);
  run->covers_reserved++;
  lw_agent_move_to(run->world, run->agents[index], point.at.point, 0.2f);
}

static void drive_cover(golden_run *run) {
  send_those_without_goal(run);
  if (run->step % 6 == 0) move_threats(run);
  if (run->step % (4 * EACH_SECOND) == 0) add_fire_lane(run);
  if (run->step % EACH_SECOND == 10) take_cover(run, random_pick(&run->random, run->agent_count));
  if (run->step % (9 * EACH_SECOND) == 100) { /* not the second, whose eye is a threat */
    assert_int_equal(lw_agent_kill(run->world, run->agents[2]), LW_OK);
    forget_agent(run, 2);
    lw_agent_def def = lw_agent_def_default();
    def.team = "red";
    spawn(run, def);
  }
  if (run->step == 30 * EACH_SECOND) assert_int_equal(lw_world_set_visibility(run->world, "red", 0.5f), LW_OK);
}

/* --- a grid of mixed ground, with many agents --------------------------------------------------------------------- */

#define MIXED_SIDE 48   /* squares */
#define MIXED_CELL 1.5f /* [m] */

static void add_mixed_areas(golden_run *run) {
  const lw_area_def numbers[] = {
      {.name = "road", .type = LW_ROAD, .resistance = 0, .exposure = 1, .speed = 1.2f},
      {.name = "dirt", .resistance = 2, .exposure = 1, .speed = 0.8f},
      {.name = "water", .resistance = 1, .exposure = 1, .deep_water = 1, .speed = 0.4f},
      {.name = "grass", .resistance = 1, .exposure = 0.5f, .concealment = 0.5f, .speed = 0.9f},
  };
  static const char *const names[] = {"ground"};
  run->areas = support_areas(names, 1);
  for (int i = 0; i < COUNT(numbers); i++) {
    lw_area_def def = numbers[i];
    def.color = lw_area_def_default().color;
    def.cookie = lw_area_def_default().cookie;
    assert_int_equal(lw_area_table_set(run->areas, &def, NULL, NULL), LW_OK);
  }
}

/* Patches of several squares: ground of one price is what polygons usually adjoin. */
static void mixed_rows(golden_run *run, char rows[MIXED_SIDE][MIXED_SIDE + 1]) {
  for (int z = 0; z < MIXED_SIDE; z++)
    for (int x = 0; x <= MIXED_SIDE; x++) rows[z][x] = x < MIXED_SIDE ? '.' : '\0';
  for (int i = 0; i < 120; i++) {
    int x = random_pick(&run->random, MIXED_SIDE), z = random_pick(&run->random, MIXED_SIDE);
    int width = 1 + random_pick(&run->random, 8), depth = 1 + random_pick(&run->random, 8);
    char area = (char)(i % 5 ? '1' + i % 5 : '#');
    if (area == '#') width = depth = 2;
    for (int row = z; row < z + depth && row < MIXED_SIDE; row++)
      for (int column = x; column < x + width && column < MIXED_SIDE; column++) rows[row][column] = area;
  }
}

static void open_mixed(golden_run *run) {
  char text[MIXED_SIDE][MIXED_SIDE + 1];
  const char *rows[MIXED_SIDE];
  add_mixed_areas(run);
  mixed_rows(run, text);
  for (int i = 0; i < MIXED_SIDE; i++) rows[i] = text[i];
  run->mesh_count = 1;
  run->meshes[0] = support_grid(run->areas, rows, MIXED_SIDE, MIXED_CELL);
  create_world(run, lw_world_def_default());
  lw_profile_def def = lw_profile_def_default();
  def.resistance_factor[LW_TRIANGULAR] = 4;
  run->profiles[0] = create_profile(run, &def);
  def.can_swim = true;
  def.swim_resistance_factor = 3;
  def.body.turn_radius = 1;
  run->profiles[1] = create_profile(run, &def);
  def = lw_profile_def_default();
  def.radius = 0.9f;
  def.avoid[3] = true;
  run->profiles[2] = create_profile(run, &def);
  for (int i = 0; i < 240; i++) spawn(run, lw_agent_def_default());
}

/* --- trees, spawning and despawning ------------------------------------------------------------------------------- */

static lw_node_status start_walk(golden_run *run, lw_world *world, lw_agent_id agent, lw_leaf_call *call) {
  lw_agent_state state;
  lw_location goal;
  lw_random_point_query query = lw_random_point_query_default();
  assert_int_equal(lw_agent_get_state(world, agent, &state), LW_OK);
  query.around = state.footing;
  query.radius = 10;
  query.profile = state.profile;
  query.random = lw_agent_random_stream(world, agent);
  lw_status status = lw_random_point_find(world, NULL, &query, &goal);
  assert_true(status == LW_OK || status == LW_NO_POINT || status == LW_NO_START);
  if (lw_random_unit(lw_agent_random_stream(world, agent)) < 0.2f)
    lw_agent_set_stance(world, agent, state.stance ? "stand" : "crouch");
  if (status != LW_OK || lw_agent_move_to(world, agent, goal.point, 0.2f) != LW_OK) {
    run->leaves_failed++;
    return LW_FAILURE;
  }
  call->wake = INFINITY;
  return LW_RUNNING;
}

/* Leaf 0 walks somewhere; leaf 1 fails by chance, and seldom despawns its own agent inside the step. */
static lw_node_status run_leaf(void *user, lw_world *world, lw_agent_id agent, lw_leaf_call *call) {
  golden_run *run = user;
  if (call->event == LW_LEAF_STOP) return LW_SUCCESS;
  if (call->leaf == 1) {
    float chance = lw_random_unit(lw_agent_random_stream(world, agent));
    if (chance < 0.02f) assert_int_equal(lw_agent_despawn(world, agent), LW_OK);
    return chance < 0.3f ? LW_FAILURE : LW_SUCCESS;
  }
  if (call->event == LW_LEAF_START) return start_walk(run, world, agent, call);
  lw_agent_state state;
  assert_int_equal(lw_agent_get_state(world, agent, &state), LW_OK);
  if (state.move == LW_MOVE_WALKING) return LW_RUNNING;
  return state.move == LW_MOVE_ARRIVED ? LW_SUCCESS : LW_FAILURE;
}

static void open_trees(golden_run *run) {
  static const char *const names[] = {"ground", "dirt"};
  static const char *const rows[] = {
      "....................", ".##..222....####....", ".#...222..#.#..#....", ".#..#222..#....#.##.",
      "....#....##.#..#..#.", "..###....#..####..#.", "..........#.......#.", ".22222.####.##.####.",
      ".22222......#.......", "....................",
  };
  const lw_node_def nodes[] = {selector_node(2), sequence_node(3),   leaf_node(1),
                               leaf_node(0),     wait_node(0.2f, 1), wait_node(0.5f, 2)};
  const lw_tree_def tree = {.name = "golden", .nodes = nodes, .node_count = COUNT(nodes)};
  assert_int_equal(lw_tree_create(&tree, &run->tree, NULL), LW_OK);
  run->areas = support_areas(names, COUNT(names));
  run->mesh_count = 1;
  run->meshes[0] = support_grid(run->areas, rows, COUNT(rows), 2);
  lw_world_def def = lw_world_def_default();
  def.leaf = run_leaf;
  def.death_danger.value = 2;
  def.death_danger.half_life = 10;
  create_world(run, def);
  for (int i = 0; i < COUNT(run->profiles); i++) {
    lw_profile_def profile = lw_profile_def_default();
    profile.speed[LW_NORMAL] = 2 + (float)i;
    profile.area_factor[2] = (float)i;
    profile.danger_cost = 5;
    run->profiles[i] = create_profile(run, &profile);
  }
}

static void drive_trees(golden_run *run) {
  if (run->step % 20 == 0) spawn(run, lw_agent_def_default());
  if (run->agent_count > 20 && run->step % 35 == 0) {
    assert_int_equal(lw_agent_despawn(run->world, run->agents[0]), LW_OK);
    forget_agent(run, 0);
  }
  if (run->step % (3 * EACH_SECOND) == 0 && run->agent_count > 0) {
    int index = random_pick(&run->random, run->agent_count);
    assert_int_equal(lw_agent_kill(run->world, run->agents[index]), LW_OK);
    forget_agent(run, index);
  }
}

/* --- running ------------------------------------------------------------------------------------------------------ */

const golden_scene golden_scenes[GOLDEN_SCENES] = {
    {"links", open_links, send_those_without_goal},
    {"cover", open_cover, drive_cover},
    {"mixed", open_mixed, send_those_without_goal},
    {"trees", open_trees, drive_trees},
};

void golden_open(golden_run *run, const golden_scene *scene) {
  *run = (golden_run){.random = lwi_random_make(SEED, (uint64_t)(scene - golden_scenes))};
  scene->open(run);
}

void golden_step(golden_run *run, const golden_scene *scene) {
  scene->drive(run);
  assert_int_equal(lw_world_step(run->world, 1.0f / GOLDEN_STEPS_PER_SECOND), LW_OK);
  run->step++;
  for (int i = run->agent_count - 1; i >= 0; i--) {
    lw_agent_state state;
    if (lw_agent_get_state(run->world, run->agents[i], &state) == LW_STALE) forget_agent(run, i);
  }
}

void golden_close(golden_run *run) {
  lw_world_destroy(run->world);
  if (run->tree) lw_tree_destroy(run->tree);
  for (int i = 0; i < COUNT(run->profiles); i++) lw_profile_destroy(run->profiles[i]);
  for (int i = 0; i < run->mesh_count; i++) lw_navmesh_destroy(run->meshes[i]);
  if (run->geometry) lw_geometry_destroy(run->geometry);
  lw_area_table_destroy(run->areas);
}

/* --- hashes ------------------------------------------------------------------------------------------------------- */

uint64_t golden_navmesh_hash(const golden_run *run) {
  uint64_t hash = LWI_HASH_SEED;
  for (int i = 0; i < run->mesh_count; i++) {
    const lw_navmesh *mesh = run->meshes[i];
    const int polygons = lw_navmesh_get_stats(mesh).polygons;
    lw_poly_id id = {0};
    for (int k = 0; k < polygons; k++) {
      lw_poly poly;
      lw_vec3 corners[255];
      id = lw_navmesh_next_poly(mesh, id);
      assert_int_equal(lw_navmesh_get_poly(mesh, id, &poly), LW_OK);
      int count = lw_navmesh_poly_corners(mesh, id, corners, COUNT(corners));
      hash = lwi_hash(hash, corners, (size_t)count * sizeof *corners);
      hash = lwi_hash(hash, &poly.area, sizeof poly.area);
      hash = lwi_hash(hash, &poly.openness, sizeof poly.openness);
    }
  }
  return hash;
}

uint64_t golden_agents_hash(const golden_run *run) {
  uint64_t hash = LWI_HASH_SEED;
  for (int i = 0; i < run->agent_count; i++) {
    lw_agent_state state = state_of(run, i);
    const lw_vec3 places[] = {state.position, state.velocity, state.goal, state.footing};
    const float numbers[] = {state.heading, state.remaining, state.link_progress};
    const int words[] = {state.navmesh,     (int)state.move, (int)state.failure, state.next_point,
                         (int)state.stance, (int)state.link, (int)state.pace};
    hash = lwi_hash(hash, places, sizeof places);
    hash = lwi_hash(hash, numbers, sizeof numbers);
    hash = lwi_hash(hash, words, sizeof words);
  }
  return hash;
}

lw_agent_stats golden_stats(const golden_run *run) {
  lw_agent_stats sum = {0};
  for (int i = 0; i < run->agent_count; i++) {
    lw_agent_stats stats;
    assert_int_equal(lw_agent_get_stats(run->world, run->agents[i], &stats), LW_OK);
    sum.walked += stats.walked;
    sum.goals_reached += stats.goals_reached;
    sum.replans += stats.replans;
    sum.searches += stats.searches;
    sum.stuck += stats.stuck;
    sum.off_mesh += stats.off_mesh;
  }
  return sum;
}
