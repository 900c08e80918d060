/* How the work for paths grows with links and turns. */
#include "growth.h"
#include "leeward/leeward.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/* --- links ------------------------------------------------------------------------------------------------ */

/* From island to island. */
static lw_link_def *make_links(int count, float from_height, float to_height) {
  lw_link_def *links = malloc((size_t)count * sizeof *links);
  assert_non_null(links);
  for (int i = 0; i < count; i++) {
    links[i] = lw_link_def_default();
    links[i].from = (lw_vec3){2 * (float)(i % 40) + 0.5f, from_height, 2 * (float)(i / 40) + 0.5f};
    links[i].to = from_height == to_height
                      ? (lw_vec3){2 * (float)((i + 1) % 40) + 0.5f, to_height, 2 * (float)((i + 1) / 40) + 0.5f}
                      : (lw_vec3){links[i].from.x, to_height, links[i].from.z};
    links[i].radius = 0.3f;
  }
  return links;
}

static uint64_t links_of_a_navmesh(int count) {
  lw_link_def *links = make_links(count, 0, 0);
  const uint64_t before = growth_count();
  lw_navmesh *mesh = growth_squares(40, count / 40 + 1, 1, 0, links, count);
  lw_world *world = growth_world(mesh);
  lw_path_query query = lw_path_query_default();
  lw_path *path;
  query.from = links[0].from;
  query.to = links[count - 1].to;
  growth_need(lw_path_find(world, NULL, &query, &path));
  const uint64_t after = growth_count();
  lw_path_destroy(path);
  lw_world_destroy(world);
  lw_navmesh_destroy(mesh);
  free(links);
  return after - before;
}

static uint64_t links_between_navmeshes(int count) {
  lw_link_def *links = make_links(count, 0, 20);
  const lw_navmesh *meshes[] = {growth_squares(80, 2 * (count / 40 + 1), 0, 0, NULL, 0),
                                growth_squares(40, count / 40 + 1, 1, 20, NULL, 0)};
  const uint64_t before = growth_count();
  lw_world *world = growth_joined_world(meshes, links, count);
  lw_path_query query = lw_path_query_default();
  lw_path *path;
  query.from = links[0].from;
  query.to = links[count - 1].to;
  query.snap = (lw_vec3){1, 2, 1};
  growth_need(lw_path_find(world, NULL, &query, &path));
  const uint64_t after = growth_count();
  lw_path_destroy(path);
  lw_world_destroy(world);
  for (int i = 0; i < 2; i++) lw_navmesh_destroy((lw_navmesh *)meshes[i]);
  free(links);
  return after - before;
}

/* Up and down in turn, all over two floors; each counts for less than its height. */
static lw_world *make_lifts(int wide, const lw_navmesh *const floors[2]) {
  const int count = wide * wide;
  lw_link_def *links = malloc((size_t)count * sizeof *links);
  for (int i = 0; i < count; i++) {
    const float x = (float)(i % wide) + 0.5f, z = (float)(i / wide) + 0.5f;
    links[i] = lw_link_def_default();
    links[i].from = (lw_vec3){x, i % 2 ? 0 : 20, z};
    links[i].to = (lw_vec3){x, i % 2 ? 20 : 0, z};
    links[i].radius = 0.3f;
    links[i].length = 1;
  }
  lw_world *world = growth_joined_world(floors, links, count);
  free(links);
  return world;
}

static void searches_go_straight_past_very_many_lifts(void **state) {
  (void)state;
  const int wide = 40;
  const float far = (float)wide - 0.5f;
  const lw_navmesh *floors[] = {growth_squares(wide, wide, 0, 0, NULL, 0),
                                growth_squares(wide, wide, 0, 20, NULL, 0)};
  lw_world *world = make_lifts(wide, floors);
  lw_path_query query = lw_path_query_default();
  lw_path *path;
  query.from = (lw_vec3){0.5f, 0, 0.5f};
  query.to = (lw_vec3){far, 20, far};
  growth_need(lw_path_find(world, NULL, &query, &path));
  printf("note: %d nodes searched past %d lifts\n", lw_path_nodes(path), wide * wide);
  assert_true(lw_path_nodes(path) < 20000);
  assert_float_equal(lw_path_length(path), sqrtf(2) * (far - 0.5f) + 1, 0.1f);
  lw_path_destroy(path);
  lw_world_destroy(world);
  for (int i = 0; i < 2; i++) lw_navmesh_destroy((lw_navmesh *)floors[i]);
}

/* --- paths ------------------------------------------------------------------------------------------------ */

/* A path of that many links and more, found on a chain of islands. */
typedef struct long_path {
  lw_navmesh *mesh;
  lw_world *world;
  lw_path *path;
  lw_link_def *links;
} long_path;

static long_path make_long_path(int count) {
  long_path made = {.links = make_links(count, 0, 0)};
  made.mesh = growth_squares(40, count / 40 + 1, 1, 0, made.links, count);
  made.world = growth_world(made.mesh);
  lw_path_query query = lw_path_query_default();
  query.from = made.links[0].from;
  query.to = made.links[count - 1].to;
  growth_need(lw_path_find(made.world, NULL, &query, &made.path));
  return made;
}

static void drop_long_path(long_path *made) {
  lw_path_destroy(made->path);
  lw_world_destroy(made->world);
  lw_navmesh_destroy(made->mesh);
  free(made->links);
}

static uint64_t asking_a_path(int count) {
  long_path made = make_long_path(count);
  int points, polygons;
  lw_path_points(made.path, &points);
  lw_path_corridor(made.path, &polygons);
  assert_true(points > count);
  const uint64_t before = growth_count();
  for (int i = 0; i < points; i++) {
    lw_path_link(made.path, i);
    lw_path_area(made.path, i);
    lw_path_remaining(made.path, i);
    lw_path_navmesh_at(made.path, i);
  }
  for (int i = 0; i < polygons; i++) lw_path_corridor_navmesh(made.path, i);
  const uint64_t after = growth_count();
  drop_long_path(&made);
  return after - before;
}

static uint64_t explaining_a_path(int count) {
  long_path made = make_long_path(count);
  lw_explanation *explanation;
  const uint64_t before = growth_count();
  growth_need(lw_path_explain(made.path, NULL, NULL, NULL, &explanation));
  const uint64_t after = growth_count();
  lw_explanation_destroy(explanation);
  drop_long_path(&made);
  return after - before;
}

static uint64_t walking_a_path(int count) {
  long_path made = make_long_path(count);
  lw_agent_def def = lw_agent_def_default();
  lw_agent_id agent;
  def.profile = growth_profiles[0];
  def.at = made.links[0].from;
  growth_need(lw_agent_spawn(made.world, &def, &agent, NULL));
  growth_need(lw_agent_move_to(made.world, agent, made.links[count - 1].to, 0.1f));
  const uint64_t before = growth_count();
  for (int i = 0; i < count; i++) growth_need(lw_world_step(made.world, 0.5f));
  const uint64_t after = growth_count();
  drop_long_path(&made);
  return after - before;
}

/* --- turns ------------------------------------------------------------------------------------------------ */

/* A passage that turns at every square or two. */
static lw_navmesh *make_serpentine(int turns) {
  const int rows = 4;
  lw_vec3 *squares = malloc(4 * (size_t)(turns * (rows + 1)) * sizeof *squares);
  int count = 0;
  assert_non_null(squares);
  for (int x = 0; x < 2 * turns; x++) {
    for (int row = 0; row < rows; row++) {
      if (x % 2 && row != (x / 2 % 2 ? 0 : rows - 1)) continue;
      growth_square(&squares[4 * count++], (float)x, 0, (float)row);
    }
  }
  lw_navmesh *mesh = growth_mesh(squares, count, NULL, 0);
  free(squares);
  return mesh;
}

static uint64_t turns_in_sight(int count) {
  lw_navmesh *mesh = make_serpentine(count);
  lw_world *world = growth_world(mesh);
  lw_threat threat = lw_threat_default();
  lw_path_query query = lw_path_query_default();
  lw_path *path;
  threat.at = (lw_vec3){0, 1.6f, -5};
  threat.range = 10;
  query.from = (lw_vec3){0.5f, 0, 0.5f};
  query.to = (lw_vec3){(float)(2 * count) - 0.5f, 0, count % 2 ? 3.5f : 0.5f};
  query.profile = growth_profiles[1];
  query.threats = &threat;
  query.threat_count = 1;
  const uint64_t before = growth_count();
  growth_need(lw_path_find(world, NULL, &query, &path));
  const uint64_t after = growth_count();
  lw_path_destroy(path);
  lw_world_destroy(world);
  lw_navmesh_destroy(mesh);
  return after - before;
}

/* --- the test --------------------------------------------------------------------------------------------- */

static const growth_subject subjects[] = {
    {"links of a navmesh", links_of_a_navmesh, 400},
    {"links between navmeshes", links_between_navmeshes, 200},
    {"points of a path asked for", asking_a_path, 200},
    {"points of a path explained", explaining_a_path, 200},
    {"points of a path walked", walking_a_path, 100},
    {"turns in sight of a threat", turns_in_sight, 1000},
};

static void work_grows_by_less_than_the_power_of_1_3(void **state) {
  (void)state;
  growth_check(subjects, (int)(sizeof subjects / sizeof *subjects));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(work_grows_by_less_than_the_power_of_1_3),
                                     cmocka_unit_test(searches_go_straight_past_very_many_lifts)};
  return cmocka_run_group_tests(tests, growth_open, growth_close);
}
