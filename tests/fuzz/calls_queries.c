/* Calls that ask. */
#include "calls.h"

#include <math.h>
#include <string.h>

static void read_path(const lw_path *path) {
  int count = 0;
  const lw_vec3 *points = lw_path_points(path, &count);
  for (int i = 0; i < count; i++)
    if (!isfinite(points[i].x + points[i].y + points[i].z)) fuzz_fail("point %d of a path is not finite", i);
  lw_path_corridor(path, &count);
  for (int i = -1; i <= count; i++) {
    lw_path_area(path, i);
    lw_path_link(path, i);
    lw_path_link_id(path, i);
    lw_path_navmesh_at(path, i);
    lw_path_corridor_navmesh(path, i);
    if (isnan(lw_path_remaining(path, i))) fuzz_fail("the rest of a path is not a number");
  }
  if (!(lw_path_cost(path) >= 0) || !(lw_path_length(path) >= 0)) fuzz_fail("a path costs less than nothing");
}

static void explain(calls *c, lw_world *world, const lw_path *path, const lw_path_query *query) {
  lw_explanation *explanation;
  char text[128];
  memset(&explanation, 0xAA, sizeof explanation);
  const lw_status status = lw_path_explain(path, calls_flag(c) ? world : NULL, NULL, query, &explanation);
  calls_check("lw_path_explain", status, &explanation, sizeof explanation);
  if (status == LW_OK) lw_explanation_table(explanation, text, sizeof text);
  lw_explanation_destroy(explanation);
}

/* @param threats  [2] What it borrows. */
static lw_path_query read_query(calls *c, lw_threat *threats) {
  lw_path_query query = lw_path_query_default();
  threats[0] = calls_threat(c);
  threats[1] = calls_threat(c);
  query.from = calls_place(c);
  query.to = calls_place(c);
  query.profile = calls_profile(c);
  query.allow_partial = calls_flag(c);
  if (calls_flag(c)) {
    query.threats = threats;
    query.threat_count = (int)calls_below(c, 3);
  }
  if (calls_flag(c)) {
    query.snap = calls_place(c);
    query.navmesh = calls_index(c, 2);
    query.quality = (lw_quality)calls_index(c, LW_QUALITY_COUNT);
    query.path_style = (lw_path_style)calls_index(c, LW_PATH_STYLE_COUNT);
    query.accuracy = (lw_accuracy)calls_index(c, LW_ACCURACY_COUNT);
    query.max_nodes = calls_index(c, 200);
    query.heights[1] = calls_number(c, 2);
    query.height_count = calls_index(c, LW_BODY_HEIGHTS_MAX);
    query.team = calls_name(c);
    query.visibility = calls_number(c, 1);
  }
  return query;
}

static void find_path(calls *c, lw_world *world) {
  lw_threat threats[2];
  const lw_path_query query = read_query(c, threats);
  lw_path *path;
  memset(&path, 0xAA, sizeof path);
  const uint32_t kept = calls_below(c, CALLS_KEPT);
  const lw_status status = lw_path_find(world, calls_workspace(c, world), &query, &path);
  calls_check("lw_path_find", status, &path, sizeof path);
  if (!path) return;
  read_path(path);
  if (calls_flag(c)) explain(c, world, path, &query);
  lw_path_destroy(c->paths[kept]);
  c->paths[kept] = path;
}

/* A field that knows how to go somewhere: then there is a path, too. */
static void check_field(const lw_world *world, lw_workspace *workspace, const lw_path_query *query,
                        lw_status found) {
  lw_distance_field_def def = lw_distance_field_def_default();
  lw_distance_field *field;
  lw_field_route route;
  memset(&field, 0xAA, sizeof field);
  def.goals = &query->to;
  def.goal_count = 1;
  def.profile = query->profile;
  const lw_status created = lw_distance_field_create(world, workspace, &def, &field);
  calls_check("lw_distance_field_create", created, &field, sizeof field);
  if (created != LW_OK) return;
  memset(&route, 0xAA, sizeof route);
  const lw_status status = lw_distance_field_get(field, world, workspace, query->from, &route);
  calls_check("lw_distance_field_get", status, &route, sizeof route);
  if (lw_distance_field_is_stale(field, world)) fuzz_fail("a new field is stale");
  if (!(route.cost >= 0)) fuzz_fail("a route costs %g", (double)route.cost);
  lw_distance_field_destroy(field);
  const bool is_path = found == LW_OK || found == LW_OUT_OF_MEMORY;
  if (status == LW_OK && !is_path && lw_world_navmesh_count(world) == 1)
    fuzz_fail("a field has a route, but the path is %s", lw_status_name(found));
}

static void connected(calls *c, lw_world *world) {
  lw_path_exists_query query = lw_path_exists_query_default();
  lw_path_query path_query = lw_path_query_default();
  bool exists = true;
  lw_path *path = NULL;
  path_query.from = query.from = calls_place(c);
  path_query.to = query.to = calls_place(c);
  path_query.profile = query.profile = calls_profile(c);
  lw_workspace *workspace = calls_workspace(c, world);
  const lw_status status = lw_path_exists(world, workspace, &query, &exists);
  calls_check("lw_path_exists", status, &exists, sizeof exists);
  const lw_status found = lw_path_find(world, workspace, &path_query, &path);
  lw_path_destroy(path);
  check_field(world, workspace, &path_query, found);
  if (status != LW_OK || found == LW_OUT_OF_MEMORY) return;
  if (exists != (found == LW_OK)) fuzz_fail("connected: %d, but the path is %s", exists, lw_status_name(found));
}

static void reach(calls *c, lw_world *world) {
  lw_reachable_area_query query = lw_reachable_area_query_default();
  lw_reachable_area area;
  lw_poly_id polygons[4];
  query.from = calls_place(c);
  query.profile = calls_profile(c);
  if (calls_flag(c)) query.max_cost = calls_number(c, 20);
  if (calls_flag(c)) query.navmesh = calls_index(c, 2);
  query.polygons = polygons;
  query.capacity = calls_below(c, 4) == 3 ? -1 : 4;
  const lw_status status = lw_reachable_area_find(world, calls_workspace(c, world), &query, &area);
  calls_check("lw_reachable_area_find", status, &area.polygon_count, sizeof area.polygon_count);
  if (!(area.area >= 0)) fuzz_fail("a reachable area is %g", area.area);
}

static void random_point(calls *c, lw_world *world) {
  lw_random_point_query query = lw_random_point_query_default();
  lw_location at;
  memset(&at, 0xAA, sizeof at);
  query.anywhere = calls_flag(c);
  query.around = calls_place(c);
  query.radius = calls_number(c, 20);
  query.profile = calls_profile(c);
  query.random = calls_flag(c) ? lw_agent_random_stream(world, calls_agent(c)) : lw_world_random_stream(world);
  if (calls_flag(c)) query.navmesh = calls_index(c, 2);
  const lw_status status = lw_random_point_find(world, calls_workspace(c, world), &query, &at);
  calls_check("lw_random_point_find", status, &at, sizeof at);
}

static void exposure(calls *c, lw_world *world) {
  lw_exposure_query query = lw_exposure_query_default();
  lw_exposure seen;
  lw_interval hidden[2];
  float exposed_to[2];
  memset(&seen, 0xAA, sizeof seen);
  const lw_threat threats[2] = {calls_threat(c), calls_threat(c)};
  query.from = calls_place(c);
  query.to = calls_place(c);
  query.threats = threats;
  query.threat_count = (int)calls_below(c, 3);
  query.accuracy = (lw_accuracy)calls_index(c, LW_ACCURACY_COUNT);
  query.shots = calls_flag(c);
  if (calls_flag(c)) {
    query.heights[0] = calls_number(c, 2);
    query.height_count = calls_index(c, LW_BODY_HEIGHTS_MAX);
    query.hidden = hidden;
    query.hidden_capacity = 2;
    query.exposed_to = exposed_to;
  }
  const lw_status status = lw_exposure_find(world, calls_workspace(c, world), &query, &seen);
  calls_check("lw_exposure_find", status, &seen, sizeof seen);
  if (status == LW_OK && !(seen.fraction >= 0 && seen.fraction <= 1))
    fuzz_fail("fraction %g", (double)seen.fraction);
  lw_world_sees(world, calls_place(c), calls_place(c), query.shots);
}

static void cover(calls *c, lw_world *world) {
  lw_cover_query query = lw_cover_query_default();
  lw_cover_point points[3];
  int count = 1;
  const lw_threat threats[2] = {calls_threat(c), calls_threat(c)};
  query.around = calls_place(c);
  query.radius = calls_number(c, 10);
  query.profile = calls_profile(c);
  query.threats = threats;
  query.threat_count = (int)calls_below(c, 3);
  query.agent = calls_agent(c);
  if (calls_flag(c)) {
    query.stance = calls_index(c, 2);
    query.hard = calls_flag(c);
    query.watched = calls_flag(c);
    query.max_cost = calls_number(c, 20);
    query.navmesh = calls_index(c, 2);
    query.weights.cost = calls_number(c, 1);
  }
  const lw_status status = lw_cover_find(world, calls_workspace(c, world), &query, points, 3, &count);
  calls_check("lw_cover_find", status, &count, sizeof count);
}

static void segments(calls *c, lw_world *world) {
  lw_cover_segment_query query = lw_cover_segment_query_default();
  lw_cover_segment found[2];
  int count = 1;
  query.around = calls_place(c);
  query.radius = calls_number(c, 10);
  query.profile = calls_profile(c);
  query.stance = calls_index(c, 2);
  query.navmesh = calls_index(c, 2);
  const lw_status status = lw_cover_segment_find(world, &query, found, 2, &count);
  calls_check("lw_cover_segment_find", status, &count, sizeof count);
}

static void cover_map(calls *c, lw_world *world) {
  lw_cover_map_segment listed[3];
  int count = 1;
  const lw_navmesh *navmesh = lw_world_navmesh_at(world, calls_index(c, 2));
  const lw_status status =
      lw_navmesh_cover_map(navmesh, calls_place(c), listed, (int)calls_below(c, 4), &count);
  calls_check("lw_navmesh_cover_map", status, &count, sizeof count);
}

static void ask_history(calls *c, const lw_world *world, lw_agent_id agent) {
  lw_history_entry entries[3];
  char text[32];
  const int capacity = (int)calls_below(c, 4);
  const double seconds = (double)calls_number(c, 5);
  const int own = lw_agent_get_history(world, agent, seconds, entries, capacity);
  const int all = lw_world_get_history(world, seconds, entries, capacity);
  if (own < 0 || all < own) fuzz_fail("ask_history: %d entries of an agent, %d of all", own, all);
  for (int i = 0; i < all && i < capacity; ++i) lw_history_text(&entries[i], text, sizeof text);
  lw_node_state state;
  lw_tree_run_get_node(lw_agent_run(world, agent), calls_index(c, 4), &state);
}

static void read_agent(calls *c, lw_world *world) {
  const lw_agent_id agent = calls_agent(c);
  lw_agent_state state;
  lw_threat threats[2];
  lw_explanation *explanation;
  char text[32];
  bool seen = true;
  memset(&state, 0xAA, sizeof state);
  memset(&explanation, 0xAA, sizeof explanation);
  calls_check("lw_agent_get_state", lw_agent_get_state(world, agent, &state), &state.position,
              sizeof state.position);
  lw_agent_why(world, agent, text, sizeof text);
  lw_agent_why_in_detail(world, agent, text, calls_below(c, sizeof text + 1));
  ask_history(c, world, agent);
  lw_agent_get_threats(world, agent, threats, 2);
  lw_status status = lw_agent_is_seen(world, calls_workspace(c, world), agent, NULL, 0, &seen);
  calls_check("lw_agent_is_seen", status, &seen, sizeof seen);
  status = lw_agent_explain(world, calls_workspace(c, world), agent, &explanation);
  calls_check("lw_agent_explain", status, &explanation, sizeof explanation);
  if (status == LW_OK) lw_explanation_sentence(explanation, text, sizeof text);
  lw_explanation_destroy(explanation);
  const lw_path *path = lw_agent_path(world, agent);
  if (path) read_path(path);
}

static void read_regions(calls *c, lw_world *world) {
  const uint32_t kept = calls_below(c, CALLS_KEPT);
  lw_threat_state threat;
  lw_danger_state danger;
  lw_fire_lane_state lane;
  lw_threat_get_state(world, c->threats[kept], &threat);
  lw_danger_get_state(world, c->dangers[kept], &danger);
  lw_fire_lane_get_state(world, c->lanes[kept], &lane);
  lw_threat_next(world, c->threats[kept]);
  lw_danger_next(world, c->dangers[kept]);
  lw_fire_lane_next(world, c->lanes[kept]);
  lw_obstacle_state obstacle;
  lw_vec3 corners[LW_OBSTACLE_POINTS_MAX];
  lw_obstacle_get_state(world, c->obstacles[kept], &obstacle);
  lw_obstacle_next(world, c->obstacles[kept]);
  lw_obstacle_outline(world, c->obstacles[kept], corners, NULL);
  lw_link_info link;
  lw_link_get(world, c->links[kept], &link);
  bool fits;
  lw_link_fits(world, c->links[kept], fuzz_level_get()->profiles[calls_below(c, LEVEL_PROFILES)], &fits);
  lw_link_next(world, c->links[kept]);
  lw_link_find(world, calls_name(c), c->links[kept]);
  for (int i = 0; i < lw_permutation_count(world); i++)
    if (!lw_permutation_state(world, lw_permutation_name(world, i))) fuzz_fail("a permutation has no state");
}

static void on_navmesh(calls *c, lw_world *world) {
  const lw_navmesh *navmesh = lw_world_navmesh_at(world, calls_index(c, 2));
  lw_location at, end;
  lw_raycast ray;
  lw_wall wall;
  lw_poly_id polygons[4];
  int count, index;
  float number;
  const lw_vec3 from = calls_place(c), to = calls_place(c),
                snap = calls_flag(c) ? calls_place(c) : (lw_vec3){2, 4, 2};
  const lw_filter filter = lw_profile_filter(fuzz_level_get()->profiles[calls_below(c, LEVEL_PROFILES)]);
  calls_check("lw_world_find_navmesh", lw_world_find_navmesh(world, from, snap, calls_profile(c), &index, &at),
              NULL, 0);
  if (!navmesh) return;
  calls_check("lw_navmesh_height", lw_navmesh_height(navmesh, from, &filter, &number), NULL, 0);
  calls_check("lw_navmesh_water_depth", lw_navmesh_water_depth(navmesh, to, &number), NULL, 0);
  calls_check("lw_navmesh_nearest", lw_navmesh_nearest(navmesh, from, snap, &filter, &at), NULL, 0);
  calls_check("lw_navmesh_raycast", lw_navmesh_raycast(navmesh, at, to, &filter, &ray), NULL, 0);
  calls_check("lw_navmesh_move", lw_navmesh_move(navmesh, at, to, &filter, &end), NULL, 0);
  number = calls_number(c, 10);
  calls_check("lw_navmesh_distance_to_wall", lw_navmesh_distance_to_wall(navmesh, at, number, NULL, &wall),
              NULL, 0);
  const lw_circle circle = {at, number};
  const lw_status status = lw_navmesh_polygons_around(navmesh, circle, &filter, polygons, 4, &count);
  calls_check("lw_navmesh_polygons_around", status, NULL, 0);
}

static void draw_line(void *user, lw_vec3 a, lw_vec3 b, float width, uint32_t color) {
  (void)user, (void)a, (void)b, (void)width, (void)color;
}

/* Without what threats see, cell by cell. */
static void draw(calls *c, lw_world *world) {
  const lw_debug_draw to = {.line = draw_line};
  lw_world_debug_draw(world, LW_DRAW_ALL & ~(uint32_t)LW_DRAW_EXPOSURE, calls_agent(c), &to);
}

static void search_in_slices(calls *c, lw_world *world) {
  lw_threat threats[2];
  const lw_path_query query = read_query(c, threats);
  lw_search *search;
  lw_path *path;
  memset(&search, 0xAA, sizeof search);
  memset(&path, 0xAA, sizeof path);
  lw_status status = lw_search_begin(world, calls_flag(c) ? calls_workspace(c, world) : NULL, &query, &search);
  calls_check("lw_search_begin", status, &search, sizeof search);
  if (status != LW_OK) return;
  for (int i = 0; i < 20 && lw_search_step(search, calls_index(c, 30)) == LW_UNFINISHED; i++) continue;
  if (calls_flag(c)) {
    lw_search_cancel(search);
    return;
  }
  status = lw_search_finish(search, &path);
  calls_check("lw_search_finish", status, &path, sizeof path);
  if (path) read_path(path);
  lw_path_destroy(path);
}

static void request_path(calls *c, lw_world *world) {
  lw_threat threats[2];
  const lw_path_query query = read_query(c, threats);
  const uint32_t kept = calls_below(c, CALLS_KEPT);
  lw_path *path;
  memset(&path, 0xAA, sizeof path);
  const lw_status status = lw_path_request_take(world, c->requests[kept], &path);
  calls_check("lw_path_request_take", status, &path, sizeof path);
  if (path) read_path(path);
  lw_path_destroy(path);
  lw_path_request_cancel(world, c->requests[kept]);
  for (int i = 0; i < CALLS_WORLDS; i++) lw_path_request_cancel(c->worlds[i], c->requests[kept]);
  calls_check("lw_path_request", lw_path_request(world, &query, calls_index(c, 100), &c->requests[kept]), NULL,
              0);
  if (calls_flag(c)) lw_world_set_search_work(world, calls_index(c, 500));
}

calls_run *const calls_queries[] = {
    find_path, find_path, search_in_slices, request_path, connected,  reach, random_point,    exposure, cover,
    segments,  cover_map, read_agent,       read_regions, on_navmesh, draw,  calls_read_group};
const uint32_t calls_query_count = sizeof calls_queries / sizeof *calls_queries;
