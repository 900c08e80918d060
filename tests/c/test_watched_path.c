/* Paths that threats see, against a slow and obvious search: Dijkstra over points every 0.3 m of each portal, each way
   between two of them priced by its exact exposure. */
#include "bake_scene.h"
#include "core/random.h"
#include "core/vec3.h"
#include "leeward/query.h"
#include "leeward/world.h"
#include "mesh/mesh.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define SEED 20261121u
#define SIDE 24
#define BOXES 10
#define THREATS 2
#define SPACING 0.3f
#define ROUNDS 100
#define BIAS 4.0f

typedef struct scene {
  lw_navmesh *mesh;
  lw_world *world;
  lw_profile *profile;
  lw_threat threats[THREATS];
} scene;

static float between(lwi_random *random, float low, float high) {
  return low + (high - low) * lwi_random_unit(random);
}

static scene make_scene(lwi_random *random) {
  scene s = {0};
  lw_geometry *geometry = scene_floor(scene_table, SIDE, SIDE);
  for (int i = 0; i < BOXES; i++) {
    lw_geometry_box box = {.at = {between(random, 3, SIDE - 3), 0, between(random, 3, SIDE - 3)},
                           .size = {between(random, 0.5f, 5), between(random, 1, 3), between(random, 0.5f, 2)},
                           .yaw = between(random, 0, 3),
                           .area = LW_AREA_NONE};
    assert_int_equal(lw_geometry_add_box(geometry, &box, NULL), LW_OK);
  }
  s.mesh = scene_bake(geometry, NULL, NULL);
  lw_geometry_destroy(geometry);
  lw_world_def def = lw_world_def_default();
  def.navmesh = s.mesh;
  assert_int_equal(lw_world_create(&def, &s.world, NULL), LW_OK);
  lw_profile_def profile = lw_profile_def_default();
  profile.name = "sneak";
  profile.cover_bias = BIAS;
  assert_int_equal(lw_profile_create(&profile, scene_table, &s.profile, NULL), LW_OK);
  for (int i = 0; i < THREATS; i++) {
    s.threats[i] = lw_threat_default();
    s.threats[i].at = (lw_vec3){between(random, 1, SIDE - 1), 1.6f, between(random, 1, SIDE - 1)};
    s.threats[i].weight = between(random, 0.5f, 1.5f);
    if (i == 0) s.threats[i].range = 30;
  }
  return s;
}

static void drop_scene(scene *s) {
  lw_world_destroy(s->world);
  lw_profile_destroy(s->profile);
  lw_navmesh_destroy(s->mesh);
}

/* What a straight piece costs. */
static double piece_cost(const scene *s, lw_vec3 a, lw_vec3 b) {
  lw_exposure_query query = lw_exposure_query_default();
  lw_exposure seen;
  query.from = a;
  query.to = b;
  query.threats = s->threats;
  query.threat_count = THREATS;
  assert_int_equal(lw_exposure_find(s->world, &query, &seen), LW_OK);
  return (double)lwi_distance(a, b) + (double)((BIAS - 1) * seen.weighted);
}

/* --- the slow search ------------------------------------------------------------------------------------------- */

typedef struct dense_node {
  lw_vec3 at;
  uint32_t polygons[2]; /* the two that meet there; both the same for start and goal */
  double cost;
  bool done;
} dense_node;

static int add_nodes(const lw_navmesh *mesh, dense_node *nodes) {
  int count = 0;
  for (uint32_t p = 0; p < mesh->polygon_count; p++)
    for (uint32_t k = mesh->first_portal[p]; k < mesh->first_portal[p + 1]; k++) {
      lw_vec3 left, right;
      if (mesh->portals[k].to < p) continue;
      lwi_portal_points(mesh, p, &mesh->portals[k], &left, &right);
      int steps = 1 + (int)(lwi_distance(left, right) / SPACING);
      for (int i = 0; i <= steps; i++)
        nodes[count++] = (dense_node){
            lwi_lerp(left, right, (float)i / (float)steps), {p, mesh->portals[k].to}, INFINITY, false};
    }
  return count;
}

static bool share(const dense_node *a, const dense_node *b) {
  return a->polygons[0] == b->polygons[0] || a->polygons[0] == b->polygons[1] ||
         a->polygons[1] == b->polygons[0] || a->polygons[1] == b->polygons[1];
}

static double dense_cost(const scene *s, lw_location from, lw_location to) {
  static dense_node nodes[20000];
  uint32_t start = lwi_poly_index(s->mesh, from.poly), goal = lwi_poly_index(s->mesh, to.poly);
  int count = add_nodes(s->mesh, nodes);
  assert_true(count < 19990);
  nodes[count] = (dense_node){to.point, {goal, goal}, INFINITY, false};
  nodes[count + 1] = (dense_node){from.point, {start, start}, 0, false};
  for (;;) {
    int at = -1;
    for (int i = 0; i < count + 2; i++)
      if (!nodes[i].done && nodes[i].cost < INFINITY && (at < 0 || nodes[i].cost < nodes[at].cost)) at = i;
    if (at < 0 || at == count) return nodes[count].cost;
    nodes[at].done = true;
    for (int i = 0; i <= count; i++) {
      if (nodes[i].done || !share(&nodes[at], &nodes[i])) continue;
      if (nodes[at].cost + (double)lwi_distance(nodes[at].at, nodes[i].at) >= nodes[i].cost) continue;
      nodes[i].cost = fmin(nodes[i].cost, nodes[at].cost + piece_cost(s, nodes[at].at, nodes[i].at));
    }
  }
}

/* --- tests ----------------------------------------------------------------------------------------------------- */

static lw_path *find(const scene *s, lw_vec3 from, lw_vec3 to, const lw_profile *profile) {
  lw_path_query query = lw_path_query_default();
  lw_path *path = NULL;
  query.from = from;
  query.to = to;
  query.profile = profile;
  query.threats = s->threats;
  query.threat_count = THREATS;
  lw_path_find(s->world, &query, &path);
  return path;
}

static double cost_along(const scene *s, const lw_path *path) {
  int count;
  const lw_vec3 *points = lw_path_points(path, &count);
  double sum = 0;
  for (int i = 1; i < count; i++) sum += piece_cost(s, points[i - 1], points[i]);
  return sum;
}

static int compare_doubles(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void paths_cost_little_more_than_the_best(void **state) {
  lwi_random random = lwi_random_make(SEED, 0);
  double sum = 0, saved = 0, excess[ROUNDS];
  int found = 0;
  (void)state;
  for (int round = 0; round < ROUNDS; round++) {
    scene s = make_scene(&random);
    lw_location from, to;
    lw_random_point_query anywhere = lw_random_point_query_default();
    anywhere.anywhere = true;
    assert_int_equal(lw_random_point_find(s.world, &anywhere, &from), LW_OK);
    assert_int_equal(lw_random_point_find(s.world, &anywhere, &to), LW_OK);
    lw_path *path = find(&s, from.point, to.point, s.profile), *plain = find(&s, from.point, to.point, NULL);
    assert_int_equal(path != NULL, plain != NULL);
    if (path) {
      double best = dense_cost(&s, from, to), cost = (double)lw_path_cost(path),
             without = cost_along(&s, plain);
      assert_true(fabs(cost - cost_along(&s, path)) < 1e-2 * cost + 0.05);
      if (cost > 1.03 * without + 0.05)
        fail_msg("round %d: %g is more than the shortest one's %g", round, cost, without);
      if (cost < best * 0.9)
        fail_msg("round %d: %g is less than the best of the dense search, %g", round, cost, best);
      sum += fmax(0, cost / best - 1);
      excess[found++] = cost / best - 1;
      saved += 1 - cost / without;
    }
    lw_path_destroy(path);
    lw_path_destroy(plain);
    drop_scene(&s);
  }
  assert_true(found >= ROUNDS / 2);
  qsort(excess, (size_t)found, sizeof *excess, compare_doubles);
  double late = excess[(found * 99 + 99) / 100 - 1], worst = excess[found - 1];
  printf("note: %d watched paths (seed %u): cost above the dense optimum %.1f %% in the mean, %.1f %% in "
         "the worst hundredth, %.1f %% at worst; %.0f %% below "
         "the shortest path's in the mean\n",
         found, SEED, 100 * sum / found, 100 * late, 100 * worst, 100 * saved / found);
  assert_true(sum / found < 0.03);
  assert_true(late < 0.12);
}

static void threats_that_make_no_sense_are_refused(void **state) {
  lwi_random random = lwi_random_make(SEED, 1);
  scene s = make_scene(&random);
  lw_path_query query = lw_path_query_default();
  lw_path *path;
  (void)state;
  query.from = (lw_vec3){1, 0, 1};
  query.to = (lw_vec3){SIDE - 1, 0, SIDE - 1};
  query.threats = s.threats;
  query.threat_count = THREATS;
  s.threats[1].at.x = NAN;
  assert_int_equal(lw_path_find(s.world, &query, &path), LW_INVALID);
  s.threats[1] = lw_threat_default();
  s.threats[1].weight = -1;
  assert_int_equal(lw_path_find(s.world, &query, &path), LW_INVALID);
  query.threat_count = -1;
  assert_int_equal(lw_path_find(s.world, &query, &path), LW_INVALID);
  query.threat_count = 0;
  query.height_count = 0;
  assert_int_equal(lw_path_find(s.world, &query, &path), LW_INVALID);
  assert_null(path);
  drop_scene(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(paths_cost_little_more_than_the_best),
                                     cmocka_unit_test(threats_that_make_no_sense_are_refused)};
  setvbuf(stdout, NULL, _IOLBF, 0);
  return cmocka_run_group_tests(tests, scene_open, scene_close);
}
