/* A world with agents, trees, threats, dangers and lanes over two navmeshes: every allocation fails in turn in each call
   that changes it, asks it or saves it. */
#include "bake_scene.h"
#include "core/hash.h"
#include "core/vec3.h"
#include "failing.h"
#include "leeward/leeward.h"
#include "temp_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define DT (1.0f / 60)

typedef struct place {
  support_memory memory;
  lw_navmesh *near, *far; ///< A link leads from one to the other.
  lw_profile *soldier, *large;
  lw_tree *tree;
  lw_saved *saved, *opened;
  lw_world *world;
  lw_workspace *workspace;
  lw_agent_id walker, thinker;
  lw_threat_id threat;
  lw_path *path;
  lw_path_query query; ///< Of the path.
  lw_explanation *explanation;
  uint64_t answer;
} place;

static place it;
static char file[32];

static const lw_vec3 start = {1, 0, 1}, goal = {18, 0, 9}, beyond = {48, 0, 5};

static void answer(place *p, const void *data, size_t size) {
  p->answer = lwi_hash(p->answer, data, size);
}

/* --- opening and closing -------------------------------------------------------------------------------------- */

static lw_node_status run_leaf(void *user, lw_world *world, lw_agent_id agent, lw_leaf_call *call) {
  (void)user;
  if (call->event != LW_LEAF_START) return LW_RUNNING;
  return lw_agent_move_to(world, agent, goal, 0.5f) == LW_OK ? LW_RUNNING : LW_FAILURE;
}

static lw_status create_world(void *state) {
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

static lw_status spawn(place *p, const lw_profile *profile, const lw_tree *tree, lw_vec3 at,
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

static lw_status add_threat(place *p, lw_agent_id eye, const char *known_to, lw_threat_id *threat) {
  lw_threat_def def = lw_threat_def_default();
  def.threat.at = lwi_vec3(10, 1.6f, 1);
  def.agent = eye;
  def.known_to = known_to;
  return lw_threat_add(p->world, &def, threat, NULL);
}

static lw_status add_danger(void *state) {
  place *p = state;
  lw_danger_def def = lw_danger_def_default();
  lw_danger_id id;
  def.at = lwi_vec3(8, 0, 5);
  return lw_danger_add(p->world, &def, &id, NULL);
}

static lw_status add_lane(void *state) {
  place *p = state;
  lw_fire_lane_def def = lw_fire_lane_def_default();
  lw_fire_lane_id id;
  def.from = lwi_vec3(12, 1, 0);
  def.to = lwi_vec3(12, 1, 9);
  return lw_fire_lane_add(p->world, &def, &id, NULL);
}

static void open_world(void *state) {
  place *p = state;
  p->answer = 0;
  assert_int_equal(create_world(p), LW_OK);
  assert_non_null(p->workspace = lw_workspace_create(p->world));
}

static void open_hazards(void *state) {
  open_world(state);
  assert_int_equal(add_danger(state), LW_OK);
  assert_int_equal(add_lane(state), LW_OK);
}

/* Agents that walk and think, a threat that one team knows of. */
static void open_game(void *state) {
  place *p = state;
  open_hazards(p);
  assert_int_equal(add_threat(p, lw_agent_id_none(), "red", &p->threat), LW_OK);
  assert_int_equal(spawn(p, p->soldier, NULL, start, &p->walker), LW_OK);
  assert_int_equal(spawn(p, p->soldier, p->tree, lwi_vec3(3, 0, 8), &p->thinker), LW_OK);
  assert_int_equal(lw_agent_move_to(p->world, p->walker, goal, 0.5f), LW_OK);
  for (int i = 0; i < 5; i++) assert_int_equal(lw_world_step(p->world, DT), LW_OK);
}

static void close_world(void *state) {
  place *p = state;
  for (int i = 0; p->world && i < 2; i++) assert_int_equal(lw_world_step(p->world, DT), LW_OK);
  lw_explanation_destroy(p->explanation);
  lw_path_destroy(p->path);
  lw_workspace_destroy(p->workspace);
  lw_world_destroy(p->world);
  lw_saved_destroy(p->opened);
  p->explanation = NULL, p->path = NULL, p->workspace = NULL, p->world = NULL, p->opened = NULL;
}

static uint64_t hash_world(void *state) {
  place *p = state;
  uint64_t hash = p->world ? lw_world_hash(p->world) : 0;
  hash = lwi_hash(hash, &p->answer, sizeof p->answer);
  int count = 0;
  const lw_vec3 *points = p->path ? lw_path_points(p->path, &count) : NULL;
  return lwi_hash(hash, points, (size_t)count * sizeof *points);
}

/* --- changing the world --------------------------------------------------------------------------------------- */

static lw_status create_workspace(void *state) {
  place *p = state;
  lw_workspace_destroy(p->workspace);
  p->workspace = lw_workspace_create(p->world);
  return p->workspace ? LW_OK : LW_OUT_OF_MEMORY;
}

static lw_status spawn_walker(void *state) {
  lw_agent_id agent;
  return spawn(state, it.soldier, NULL, start, &agent);
}

static lw_status spawn_thinker(void *state) {
  lw_agent_id agent;
  return spawn(state, it.soldier, it.tree, start, &agent);
}

static lw_status kill_walker(void *state) {
  place *p = state;
  const lw_status status = lw_agent_kill(p->world, p->walker);
  return status == LW_STALE ? LW_OK : status; /* the second time */
}

static lw_status move(void *state) {
  place *p = state;
  return lw_agent_move_to(p->world, p->walker, beyond, 0.5f);
}

static lw_status set_profile(void *state) {
  place *p = state;
  return lw_agent_set_profile(p->world, p->walker, p->large);
}

static lw_status add_public_threat(void *state) {
  lw_threat_id id;
  return add_threat(state, lw_agent_id_none(), "", &id);
}

static lw_status add_eye(void *state) {
  place *p = state;
  lw_threat_id id;
  return add_threat(p, p->thinker, "blue", &id);
}

static void open_unknown_threat(void *state) {
  place *p = state;
  open_game(p);
  assert_int_equal(add_threat(p, lw_agent_id_none(), NULL, &p->threat), LW_OK);
}

static lw_status learn(void *state) {
  place *p = state;
  return lw_agent_learn_threat(p->world, p->walker, p->threat);
}

static lw_status believe(void *state) {
  place *p = state;
  lw_threat threats[3] = {lw_threat_default(), lw_threat_default(), lw_threat_default()};
  for (int i = 0; i < 3; i++) threats[i].at = lwi_vec3((float)i, 2, 5);
  return lw_agent_set_threats(p->world, p->walker, threats, 3);
}

static lw_status set_visibility(void *state) {
  place *p = state;
  return lw_world_set_visibility(p->world, "red", 0.5f);
}

static lw_status step(void *state) {
  place *p = state;
  return lw_world_step(p->world, DT);
}

/* Something for the step to search. */
static void open_alarmed(void *state) {
  place *p = state;
  open_game(p);
  assert_int_equal(add_public_threat(p), LW_OK);
  for (int i = 0; i < 3; i++) assert_int_equal(spawn(p, p->soldier, p->tree, start, &p->thinker), LW_OK);
}

/* --- asking --------------------------------------------------------------------------------------------------- */

static lw_threat seer(void) {
  lw_threat threat = lw_threat_default();
  threat.at = lwi_vec3(10, 1.6f, 1);
  return threat;
}

static lw_path_query ask_for(const lw_profile *profile, lw_vec3 to) {
  lw_path_query query = lw_path_query_default();
  query.from = start;
  query.to = to;
  query.profile = profile;
  return query;
}

static lw_status find(place *p, const lw_path_query *query) {
  lw_path_destroy(p->path);
  p->query = *query;
  const lw_status status = lw_path_find(p->world, p->workspace, query, &p->path);
  assert_true((status == LW_OK) == (p->path != NULL));
  return status;
}

static lw_status find_short(void *state) {
  const lw_path_query query = ask_for(NULL, goal);
  return find(state, &query);
}

static lw_status find_good(void *state) {
  const lw_path_query query = ask_for(it.soldier, goal);
  return find(state, &query);
}

static lw_status find_fast(void *state) {
  lw_path_query query = ask_for(it.soldier, goal);
  query.quality = LW_QUALITY_FAST;
  return find(state, &query);
}

static lw_status find_large(void *state) {
  const lw_path_query query = ask_for(it.large, goal);
  return find(state, &query);
}

static lw_status find_beyond(void *state) {
  const lw_path_query query = ask_for(it.soldier, beyond);
  return find(state, &query);
}

static lw_status find_watched(void *state, lw_accuracy accuracy, lw_vec3 to) {
  const lw_threat threat = seer();
  lw_path_query query = ask_for(it.soldier, to);
  query.threats = &threat;
  query.threat_count = 1;
  query.accuracy = accuracy;
  const lw_status status = find(state, &query);
  ((place *)state)->query.threats = NULL, ((place *)state)->query.threat_count = 0;
  return status;
}

static lw_status find_exactly(void *state) {
  return find_watched(state, LW_ACCURACY_EXACT, goal);
}

static lw_status find_by_depth_maps(void *state) {
  return find_watched(state, LW_ACCURACY_FAST, goal);
}

static lw_status find_by_cover_map(void *state) {
  return find_watched(state, LW_ACCURACY_MAP, goal);
}

static lw_status find_watched_beyond(void *state) {
  return find_watched(state, LW_ACCURACY_AUTO, beyond);
}

static lw_status exists_to(place *p, const lw_profile *profile, lw_vec3 to) {
  lw_path_exists_query query = lw_path_exists_query_default();
  bool there = true;
  query.from = start;
  query.to = to;
  query.profile = profile;
  const lw_status status = lw_path_exists(p->world, p->workspace, &query, &there);
  assert_true(there == (status == LW_OK));
  return status;
}

static lw_status exists(void *state) {
  return exists_to(state, it.soldier, beyond);
}

static lw_status exists_for_large(void *state) {
  return exists_to(state, it.large, goal);
}

static lw_status draw_point(place *p, const lw_profile *profile, bool anywhere) {
  lw_random random = lw_random_create(7, 1);
  lw_random_point_query query = lw_random_point_query_default();
  lw_location at;
  query.around = start;
  query.radius = 6;
  query.anywhere = anywhere;
  query.profile = profile;
  query.random = &random;
  const lw_status status = lw_random_point_find(p->world, p->workspace, &query, &at);
  if (status == LW_OK)
    answer(p, &at.point, sizeof at.point);
  else
    assert_int_equal(at.poly, 0);
  return status;
}

static lw_status draw_near(void *state) {
  return draw_point(state, it.soldier, false);
}

static lw_status draw_near_large(void *state) {
  return draw_point(state, it.large, false);
}

static lw_status draw_anywhere(void *state) {
  return draw_point(state, it.large, true);
}

static lw_status reach(place *p, float cost) {
  lw_reachable_area_query query = lw_reachable_area_query_default();
  lw_reachable_area area;
  query.from = start;
  query.profile = it.large;
  query.max_cost = cost;
  const lw_status status = lw_reachable_area_find(p->world, p->workspace, &query, &area);
  if (status == LW_OK)
    answer(p, &area, sizeof area);
  else
    assert_true(area.area == 0);
  return status;
}

static lw_status reach_all(void *state) {
  return reach(state, INFINITY);
}

static lw_status reach_some(void *state) {
  return reach(state, 15);
}

static lw_status expose(place *p, lw_accuracy accuracy) {
  const lw_threat threat = seer();
  lw_exposure_query query = lw_exposure_query_default();
  lw_exposure seen;
  query.from = start;
  query.to = goal;
  query.threats = &threat;
  query.threat_count = 1;
  query.accuracy = accuracy;
  const lw_status status = lw_exposure_find(p->world, p->workspace, &query, &seen);
  if (status == LW_OK)
    answer(p, &seen, sizeof seen);
  else
    assert_true(seen.length == 0);
  return status;
}

static lw_status expose_exactly(void *state) {
  return expose(state, LW_ACCURACY_EXACT);
}

static lw_status expose_fast(void *state) {
  return expose(state, LW_ACCURACY_FAST);
}

static lw_status expose_by_auto(void *state) {
  return expose(state, LW_ACCURACY_AUTO);
}

static lw_status find_cover(void *state) {
  place *p = state;
  const lw_threat threat = seer();
  lw_cover_query query = lw_cover_query_default();
  lw_cover_point points[4];
  int count = 3;
  query.around = start;
  query.from = &start;
  query.profile = it.soldier;
  query.threats = &threat;
  query.threat_count = 1;
  query.watched = true;
  const lw_status status = lw_cover_find(p->world, p->workspace, &query, points, 4, &count);
  if (status == LW_OK)
    answer(p, &count, sizeof count);
  else
    assert_int_equal(count, 0);
  return status;
}

static lw_status is_seen(void *state) {
  place *p = state;
  const lw_threat threat = seer();
  bool seen = true;
  const lw_status status = lw_agent_is_seen(p->world, p->workspace, p->walker, &threat, 1, &seen);
  if (status == LW_OK)
    answer(p, &seen, sizeof seen);
  else
    assert_false(seen);
  return status;
}

static void open_path(void *state) {
  open_hazards(state);
  assert_int_equal(find_good(state), LW_OK);
}

static lw_status explain(void *state) {
  place *p = state;
  lw_explanation_destroy(p->explanation);
  const lw_status status = lw_path_explain(p->path, p->world, p->workspace, &p->query, &p->explanation);
  assert_true((status == LW_OK) == (p->explanation != NULL));
  return status;
}

static lw_status explain_agent(void *state) {
  place *p = state;
  lw_explanation_destroy(p->explanation);
  const lw_status status = lw_agent_explain(p->world, p->workspace, p->walker, &p->explanation);
  assert_true((status == LW_OK) == (p->explanation != NULL));
  return status;
}

static void draw_triangle(void *user, lw_vec3 a, lw_vec3 b, lw_vec3 c, uint32_t color) {
  (void)user, (void)a, (void)b, (void)c, (void)color;
}

static void draw_line(void *user, lw_vec3 a, lw_vec3 b, float width, uint32_t color) {
  (void)user, (void)a, (void)b, (void)width, (void)color;
}

static lw_status draw(void *state) {
  place *p = state;
  const lw_debug_draw to = {.triangle = draw_triangle, .line = draw_line};
  lw_world_debug_draw(p->world, LW_DRAW_ALL, p->walker, &to);
  lw_navmesh_debug_draw(p->near, LW_DRAW_ALL, &to);
  return LW_OK;
}

/* --- saving --------------------------------------------------------------------------------------------------- */

static lw_status save(void *state) {
  place *p = state;
  lw_error error = {0};
  const lw_status status = lw_world_save(p->world, file, &error);
  if (status == LW_FILE) assert_non_null(strstr(error.text, "': No space left on device"));
  return status;
}

static uint64_t hash_file(void *state) {
  const file_bytes held = file_read(file);
  const uint64_t hash = lwi_hash(hash_world(state), held.data, held.size);
  free(held.data);
  return hash;
}

static lw_status open_saved(void *state) {
  place *p = state;
  const lw_allocator allocator = support_allocator(&p->memory);
  const lw_status status = lw_saved_open(file, &allocator, &p->opened, NULL);
  assert_true((status == LW_OK) == (p->opened != NULL));
  return status;
}

/* A world that is restored in part is emptied by the next restoring. */
static lw_status restore(void *state) {
  place *p = state;
  lw_status status = lw_world_restore(p->world, p->saved, NULL);
  for (int i = 0; status == LW_OK && i < lw_saved_agent_count(p->saved); i++) {
    lw_saved_agent from;
    lw_agent_id agent;
    assert_int_equal(lw_saved_get_agent(p->saved, i, &from), LW_OK);
    status = spawn(p, p->soldier, from.tree[0] ? p->tree : NULL, from.at, &agent);
    if (status == LW_OK) status = lw_agent_restore(p->world, agent, p->saved, i);
  }
  return status;
}

/* --- running -------------------------------------------------------------------------------------------------- */

static lw_navmesh *bake_level(void) {
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
  settings.cover_map = true;
  assert_int_equal(lw_geometry_mark_area(geometry, &mark, NULL), LW_OK);
  for (int i = 0; i < 2; i++) assert_int_equal(lw_geometry_add_box(geometry, &walls[i], NULL), LW_OK);
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

static lw_profile *make_profile(float radius, float danger_cost, float cover_bias) {
  lw_profile_def def = lw_profile_def_default();
  lw_profile *profile;
  def.radius = radius;
  def.danger_cost = danger_cost;
  def.cover_bias = cover_bias;
  def.resistance_factor[LW_TRIANGULAR] = 0.5f;
  assert_int_equal(lw_profile_create(&def, scene_table, &profile, NULL), LW_OK);
  return profile;
}

static int open_place(void **state) {
  const lw_node_def nodes[] = {{.kind = LW_SEQUENCE, .child_count = 2}, {.kind = LW_LEAF}, {.kind = LW_WAIT}};
  scene_open(state);
  it = (place){.memory = {.left = -1}};
  it.near = bake_level();
  it.far = bake_island();
  it.soldier = make_profile(0.3f, 10, 5);
  it.large = make_profile(0.6f, 0, 1);
  assert_int_equal(lw_tree_create(&(lw_tree_def){"tree", nodes, 3, NULL}, &it.tree, NULL), LW_OK);
  strcpy(file, "/tmp/leeward_fail_XXXXXX");
  temp_file_make(file);
  open_alarmed(&it);
  assert_int_equal(lw_world_save(it.world, file, NULL), LW_OK);
  close_world(&it);
  assert_int_equal(lw_saved_open(file, NULL, &it.saved, NULL), LW_OK);
  *state = &it;
  return 0;
}

static int close_place(void **state) {
  remove(file);
  lw_saved_destroy(it.saved);
  lw_tree_destroy(it.tree);
  lw_profile_destroy(it.soldier);
  lw_profile_destroy(it.large);
  lw_navmesh_destroy(it.near);
  lw_navmesh_destroy(it.far);
  return scene_close(state);
}

static void run(place *p, const failing_call *calls, int count) {
  const int failed = failing_run(calls, count, p, &p->memory);
  printf("note: %d allocations and file operations failed\n", failed);
  assert_int_equal(p->memory.bytes, 0);
  assert_int_equal(p->memory.blocks, 0);
}
#define RUN(calls) run(*state, calls, sizeof(calls) / sizeof *(calls))

static failing_call in_world(const char *name, void (*open)(void *), lw_status (*call)(void *),
                             failing_kind kind) {
  return (failing_call){
      .name = name, .kind = kind, .open = open, .call = call, .hash = hash_world, .close = close_world};
}

static failing_call slow(failing_call call) {
  call.brief = true;
  return call;
}

static void a_change_happens_or_not(void **state) {
  const failing_call calls[] = {
      in_world("create a world", NULL, create_world, FAILING_WHOLE),
      in_world("create a workspace", open_world, create_workspace, FAILING_WHOLE),
      in_world("spawn an agent", open_game, spawn_walker, FAILING_WHOLE),
      in_world("spawn an agent with a tree", open_game, spawn_thinker, FAILING_WHOLE),
      in_world("kill an agent", open_game, kill_walker, FAILING_PARTLY),
      in_world("move to another navmesh", open_game, move, FAILING_PARTLY),
      in_world("set another profile", open_game, set_profile, FAILING_PARTLY),
      in_world("add a danger", open_game, add_danger, FAILING_ELSE),
      in_world("add a fire lane", open_game, add_lane, FAILING_ELSE),
      in_world("add a threat to all", open_game, add_public_threat, FAILING_WHOLE),
      in_world("add an agent's eye", open_game, add_eye, FAILING_WHOLE),
      in_world("learn of a threat", open_unknown_threat, learn, FAILING_WHOLE),
      in_world("believe in threats", open_game, believe, FAILING_WHOLE),
      in_world("set a team's visibility", open_game, set_visibility, FAILING_WHOLE),
      in_world("step", open_game, step, FAILING_PARTLY),
      in_world("step with paths to search", open_alarmed, step, FAILING_PARTLY),
  };
  RUN(calls);
}

static void a_question_is_answered_or_not(void **state) {
  const failing_call calls[] = {
      in_world("find the shortest path", open_world, find_short, FAILING_WHOLE),
      in_world("find a path past dangers", open_hazards, find_good, FAILING_WHOLE),
      in_world("find a path fast", open_hazards, find_fast, FAILING_WHOLE),
      in_world("find a path for large agents", open_hazards, find_large, FAILING_WHOLE),
      in_world("find a path to another navmesh", open_hazards, find_beyond, FAILING_WHOLE),
      slow(in_world("find a watched path", open_world, find_exactly, FAILING_WHOLE)),
      slow(in_world("find a watched path by depth maps", open_world, find_by_depth_maps, FAILING_WHOLE)),
      slow(in_world("find a watched path by the cover map", open_world, find_by_cover_map, FAILING_WHOLE)),
      slow(
          in_world("find a watched path to another navmesh", open_hazards, find_watched_beyond, FAILING_WHOLE)),
      in_world("ask for a path", open_hazards, exists, FAILING_WHOLE),
      in_world("ask for a path for large agents", open_hazards, exists_for_large, FAILING_WHOLE),
      in_world("draw a point", open_hazards, draw_near, FAILING_WHOLE),
      in_world("draw a point for large agents", open_hazards, draw_near_large, FAILING_WHOLE),
      in_world("draw a point anywhere", open_hazards, draw_anywhere, FAILING_WHOLE),
      in_world("reach all", open_hazards, reach_all, FAILING_WHOLE),
      in_world("reach some", open_hazards, reach_some, FAILING_WHOLE),
      in_world("find exposure", open_hazards, expose_exactly, FAILING_WHOLE),
      in_world("find exposure by depth maps", open_hazards, expose_fast, FAILING_WHOLE),
      in_world("find exposure by what is at hand", open_hazards, expose_by_auto, FAILING_WHOLE),
      slow(in_world("find cover", open_world, find_cover, FAILING_WHOLE)),
      in_world("ask whether an agent is seen", open_game, is_seen, FAILING_WHOLE),
      in_world("explain a path", open_path, explain, FAILING_ELSE),
      in_world("explain an agent's path", open_game, explain_agent, FAILING_ELSE),
      in_world("draw the world", open_game, draw, FAILING_PARTLY),
  };
  RUN(calls);
}

static void a_save_is_whole_or_the_old_one(void **state) {
  failing_call calls[] = {
      in_world("save a world", open_alarmed, save, FAILING_WHOLE),
      in_world("read a saved world", open_world, open_saved, FAILING_WHOLE),
      in_world("restore a world", open_game, restore, FAILING_PARTLY),
  };
  calls[0].hash = hash_file;
  calls[0].files = calls[1].files = true;
  RUN(calls);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_change_happens_or_not),
      cmocka_unit_test(a_question_is_answered_or_not),
      cmocka_unit_test(a_save_is_whole_or_the_old_one),
  };
  return cmocka_run_group_tests(tests, open_place, close_place);
}
