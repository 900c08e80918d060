/* Each question to a world, of which every allocation fails in turn: it is answered or not, and nothing else changes. */
#include "core/hash.h"
#include "core/vec3.h"
#include "failing_place.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void answer(place *p, const void *data, size_t size) {
  p->answer = lwi_hash(p->answer, data, size);
}

static lw_threat seer(void) {
  lw_threat threat = lw_threat_default();
  threat.at = lwi_vec3(10, 1.6f, 1);
  return threat;
}

static lw_path_query ask_for(const lw_profile *profile, lw_vec3 to) {
  lw_path_query query = lw_path_query_default();
  query.from = failing_start;
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
  const lw_path_query query = ask_for(NULL, failing_goal);
  return find(state, &query);
}

static lw_status find_exact(void *state) {
  lw_path_query query = ask_for(NULL, failing_goal);
  query.quality = LW_QUALITY_EXACT;
  return find(state, &query);
}

static lw_status find_good(void *state) {
  const lw_path_query query = ask_for(failing_it.soldier, failing_goal);
  return find(state, &query);
}

static lw_status find_fast(void *state) {
  lw_path_query query = ask_for(failing_it.soldier, failing_goal);
  query.quality = LW_QUALITY_FAST;
  return find(state, &query);
}

static lw_status find_large(void *state) {
  const lw_path_query query = ask_for(failing_it.large, failing_goal);
  return find(state, &query);
}

static lw_status find_rounded(void *state) {
  lw_path_query query = ask_for(failing_it.soldier, failing_goal);
  query.path_style = LW_PATH_ROUNDED;
  return find(state, &query);
}

static lw_status find_rounded_beyond(void *state) {
  lw_path_query query = ask_for(failing_it.soldier, failing_beyond);
  query.path_style = LW_PATH_ROUNDED;
  return find(state, &query);
}

static lw_status find_beyond(void *state) {
  const lw_path_query query = ask_for(failing_it.soldier, failing_beyond);
  return find(state, &query);
}

static lw_status find_watched(void *state, lw_accuracy accuracy, lw_vec3 to) {
  const lw_threat threat = seer();
  lw_path_query query = ask_for(failing_it.soldier, to);
  query.threats = &threat;
  query.threat_count = 1;
  query.accuracy = accuracy;
  const lw_status status = find(state, &query);
  ((place *)state)->query.threats = NULL, ((place *)state)->query.threat_count = 0;
  return status;
}

static lw_status find_exactly(void *state) {
  return find_watched(state, LW_ACCURACY_EXACT, failing_goal);
}

static lw_status find_by_depth_maps(void *state) {
  return find_watched(state, LW_ACCURACY_FAST, failing_goal);
}

static lw_status find_by_cover_map(void *state) {
  return find_watched(state, LW_ACCURACY_MAP, failing_goal);
}

static lw_status find_watched_beyond(void *state) {
  return find_watched(state, LW_ACCURACY_AUTO, failing_beyond);
}

static lw_status exists_to(place *p, const lw_profile *profile, lw_vec3 to) {
  lw_path_exists_query query = lw_path_exists_query_default();
  bool there = true;
  query.from = failing_start;
  query.to = to;
  query.profile = profile;
  const lw_status status = lw_path_exists(p->world, p->workspace, &query, &there);
  assert_true(there == (status == LW_OK));
  return status;
}

static lw_status exists(void *state) {
  return exists_to(state, failing_it.soldier, failing_beyond);
}

static lw_status exists_for_large(void *state) {
  return exists_to(state, failing_it.large, failing_goal);
}

static lw_status draw_point(place *p, const lw_profile *profile, bool anywhere) {
  lw_random random = lw_random_create(7, 1);
  lw_random_point_query query = lw_random_point_query_default();
  lw_location at;
  query.around = failing_start;
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
  return draw_point(state, failing_it.soldier, false);
}

static lw_status draw_near_large(void *state) {
  return draw_point(state, failing_it.large, false);
}

static lw_status draw_anywhere(void *state) {
  return draw_point(state, failing_it.large, true);
}

static lw_status reach(place *p, float cost) {
  lw_reachable_area_query query = lw_reachable_area_query_default();
  lw_reachable_area area;
  query.from = failing_start;
  query.profile = failing_it.large;
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
  query.from = failing_start;
  query.to = failing_goal;
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
  query.around = failing_start;
  query.from = &failing_start;
  query.profile = failing_it.soldier;
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
  failing_open_hazards(state);
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

#define RUN(calls) failing_place_run(*state, calls, sizeof(calls) / sizeof *(calls))

static failing_call slow(failing_call call) {
  call.brief = true;
  return call;
}

static void a_question_is_answered_or_not(void **state) {
  const failing_call calls[] = {
      failing_in_world("find the shortest path", failing_open_world, find_short, FAILING_WHOLE),
      failing_in_world("find the shortest path exactly", failing_open_world, find_exact, FAILING_WHOLE),
      failing_in_world("find a path past dangers", failing_open_hazards, find_good, FAILING_SLOWER),
      failing_in_world("find a path fast", failing_open_hazards, find_fast, FAILING_SLOWER),
      failing_in_world("find a path for large agents", failing_open_hazards, find_large, FAILING_SLOWER),
      failing_in_world("find a rounded path", failing_open_hazards, find_rounded, FAILING_SLOWER),
      failing_in_world("find a rounded path to another navmesh", failing_open_hazards, find_rounded_beyond,
                       FAILING_SLOWER),
      failing_in_world("find a path to another navmesh", failing_open_hazards, find_beyond, FAILING_SLOWER),
      slow(failing_in_world("find a watched path", failing_open_world, find_exactly, FAILING_WHOLE)),
      slow(failing_in_world("find a watched path by depth maps", failing_open_world, find_by_depth_maps,
                            FAILING_WHOLE)),
      slow(failing_in_world("find a watched path by the cover map", failing_open_world, find_by_cover_map,
                            FAILING_WHOLE)),
      slow(failing_in_world("find a watched path to another navmesh", failing_open_hazards, find_watched_beyond,
                            FAILING_SLOWER)),
      failing_in_world("ask for a path", failing_open_hazards, exists, FAILING_WHOLE),
      failing_in_world("ask for a path for large agents", failing_open_hazards, exists_for_large,
                       FAILING_WHOLE),
      failing_in_world("draw a point", failing_open_hazards, draw_near, FAILING_WHOLE),
      failing_in_world("draw a point for large agents", failing_open_hazards, draw_near_large, FAILING_WHOLE),
      failing_in_world("draw a point anywhere", failing_open_hazards, draw_anywhere, FAILING_WHOLE),
      failing_in_world("reach all", failing_open_hazards, reach_all, FAILING_WHOLE),
      failing_in_world("reach some", failing_open_hazards, reach_some, FAILING_WHOLE),
      failing_in_world("find exposure", failing_open_hazards, expose_exactly, FAILING_WHOLE),
      failing_in_world("find exposure by depth maps", failing_open_hazards, expose_fast, FAILING_WHOLE),
      failing_in_world("find exposure by what is at hand", failing_open_hazards, expose_by_auto, FAILING_WHOLE),
      slow(failing_in_world("find cover", failing_open_world, find_cover, FAILING_WHOLE)),
      failing_in_world("ask whether an agent is seen", failing_open_game, is_seen, FAILING_WHOLE),
      failing_in_world("explain a path", open_path, explain, FAILING_ELSE),
      failing_in_world("explain an agent's path", failing_open_game, explain_agent, FAILING_ELSE),
      failing_in_world("draw the world", failing_open_game, draw, FAILING_PARTLY),
  };
  RUN(calls);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_question_is_answered_or_not)};
  return cmocka_run_group_tests(tests, failing_place_open, failing_place_close);
}
