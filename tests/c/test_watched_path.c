/* Paths that threats see, against a brute-force search: Dijkstra over points every 0.3 m of each portal and
   every 0.65 m within each polygon, each segment between two of them priced by its exact exposure. */
#include "allocator.h"
#include "bake_scene.h"
#include "core/random.h"
#include "core/vec3.h"
#include "leeward/query.h"
#include "leeward/world.h"
#include "mesh/mesh.h"
#include "radius_scene.h"
#include "world/world.h"

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
#define INSIDE 0.65f
#define ROUNDS 120
#define ROUNDS_OPEN 30 /* where the slow search takes longer */
#define BIAS 4.0f
#define MANY 12000
#define KEEP 0.5
#define KEEP_SLACK 0.02

typedef struct scene {
  lw_navmesh *mesh;
  lw_world *world;
  lw_profile *profile, *careless; /* cover_bias 1 */
  lw_threat threats[THREATS];
  double keep; /* from walls: the agent's radius less that of the bake [m] */
  radius_walls walls;
} scene;

static float between(lw_random *random, float low, float high) {
  return low + (high - low) * lwi_random_unit(random);
}

typedef enum scene_kind {
  CLUTTERED, /* boxes stand about, and threats among them */
  OPEN,      /* one open field; threats stand to one side of it, behind boxes whose shadows fall across */
  LARGE,     /* cluttered, for an agent larger than the mesh was baked for */
  LARGE_OPEN,
} scene_kind;

static const char *const KINDS[] = {"among boxes", "in the open", "of a large agent among boxes",
                                    "of a large agent in the open"};

static bool is_open(scene_kind kind) {
  return kind == OPEN || kind == LARGE_OPEN;
}

static lw_geometry_box draw_box(lw_random *random, scene_kind kind) {
  bool open = is_open(kind);
  float x = open ? between(random, -6, -2) : between(random, 3, SIDE - 3), z = between(random, 3, SIDE - 3);
  float width = between(random, 0.5f, open ? 2 : 5), height = between(random, 1, 3) + (open ? 3 : 0);
  return (lw_geometry_box){.at = {x, 0, z},
                           .size = {width, height, between(random, 0.5f, 2)},
                           .yaw = between(random, 0, 3),
                           .area = LW_AREA_NONE};
}

/* A world, a profile with cover_bias above 1, and threats without a place yet. */
static void finish_scene(scene *s, lw_random *random) {
  lw_world_def def = lw_world_def_default();
  def.navmesh = s->mesh;
  def.seed = lwi_random_bits(random);
  assert_int_equal(lw_world_create(&def, &s->world, NULL), LW_OK);
  lw_profile_def profile = lw_profile_def_default();
  profile.name = "sneak";
  profile.cover_bias = BIAS;
  if (s->keep > 0) profile.radius = s->mesh->agent.radius + (float)s->keep;
  assert_int_equal(lw_profile_create(&profile, scene_table, &s->profile, NULL), LW_OK);
  profile.cover_bias = 1;
  assert_int_equal(lw_profile_create(&profile, scene_table, &s->careless, NULL), LW_OK);
  for (int i = 0; i < THREATS; i++) {
    s->threats[i] = lw_threat_default();
    s->threats[i].weight = between(random, 0.5f, 1.5f);
  }
}

static scene make_scene(lw_random *random, scene_kind kind) {
  scene s = {.keep = kind == LARGE || kind == LARGE_OPEN ? KEEP : 0};
  lw_geometry *geometry = scene_floor(scene_table, SIDE, SIDE);
  for (int i = 0; i < BOXES; i++) {
    lw_geometry_box box = draw_box(random, kind);
    assert_int_equal(lw_geometry_add_box(geometry, &box, NULL), LW_OK);
  }
  lw_bake_settings settings = lw_bake_settings_default();
  settings.cell_size = 0.3f;
  s.mesh = scene_bake(geometry, &settings, NULL);
  lw_geometry_destroy(geometry);
  radius_find_walls(s.mesh, &s.walls);
  finish_scene(&s, random);
  for (int i = 0; i < THREATS; i++) {
    float x = is_open(kind) ? between(random, -30, -8) : between(random, 1, SIDE - 1);
    s.threats[i].at = (lw_vec3){x, 1.6f, between(random, 1, SIDE - 1)};
    if (i == 0) s.threats[i].range = 30;
  }
  return s;
}

static void drop_scene(scene *s) {
  lw_world_destroy(s->world);
  lw_profile_destroy(s->profile);
  lw_profile_destroy(s->careless);
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
  assert_int_equal(lw_exposure_find(s->world, NULL, &query, &seen), LW_OK);
  return (double)lwi_distance(a, b) + (double)((BIAS - 1) * seen.weighted);
}

/* --- the slow search ------------------------------------------------------------------------------------------- */

typedef struct dense_node {
  lw_vec3 at;
  uint32_t polygons[2]; /* the two that meet there; both the same for start and goal */
  double cost;
  bool done;
} dense_node;

/* Does the agent fit all along a straight piece? */
static bool fits(const scene *s, lw_vec3 a, lw_vec3 b) {
  return s->keep == 0 || radius_piece(&s->walls, a, b) >= s->keep - KEEP_SLACK;
}

static int add_portals(const scene *s, uint32_t p, dense_node *nodes, int count) {
  const lw_navmesh *mesh = s->mesh;
  for (uint32_t k = mesh->graph.first_portal[p]; k < mesh->graph.end_portal[p]; k++) {
    lw_vec3 left, right;
    if (mesh->graph.portals[k].to < p) continue;
    lwi_portal_points(mesh, p, &mesh->graph.portals[k], &left, &right);
    int steps = 1 + (int)(lwi_distance(left, right) / SPACING);
    for (int i = 0; i <= steps; i++) {
      lw_vec3 at = lwi_lerp(left, right, (float)i / (float)steps);
      if (fits(s, at, at)) nodes[count++] = (dense_node){at, {p, mesh->graph.portals[k].to}, INFINITY, false};
    }
  }
  return count;
}

static int add_inside(const scene *s, uint32_t p, dense_node *nodes, int count) {
  const lw_navmesh *mesh = s->mesh;
  const lwi_polygon polygon = lwi_polygon_get(mesh, p);
  const lwi_frame frame = lwi_polygon_frame(&polygon);
  for (float x = INSIDE / 2; x < frame.size_x; x += INSIDE)
    for (float z = INSIDE / 2; z < frame.size_z; z += INSIDE) {
      lw_vec3 at = {frame.min_x + x, 0, frame.min_z + z};
      if (!lwi_polygon_holds(&polygon, at, 0) || !fits(s, at, at)) continue;
      at.y = lwi_polygon_height(mesh, p, at.x, at.z);
      nodes[count++] = (dense_node){at, {p, p}, INFINITY, false};
    }
  return count;
}

static int add_nodes(const scene *s, dense_node *nodes) {
  int count = 0;
  for (uint32_t p = 0; p < s->mesh->polygons.count; p++) {
    count = add_portals(s, p, nodes, count);
    count = add_inside(s, p, nodes, count);
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
  int count = add_nodes(s, nodes);
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
      if (!fits(s, nodes[at].at, nodes[i].at)) continue;
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
  lw_path_find(s->world, NULL, &query, &path);
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

/* @return What the found path costs above the best, as a part of it; NAN: there is no path. */
static double compare_paths(const scene *s, int round, double *saved) {
  lw_location from, to;
  lw_random_point_query anywhere = lw_random_point_query_default();
  anywhere.random = lw_world_random_stream(s->world);
  anywhere.anywhere = true;
  anywhere.profile = s->profile;
  assert_int_equal(lw_random_point_find(s->world, NULL, &anywhere, &from), LW_OK);
  assert_int_equal(lw_random_point_find(s->world, NULL, &anywhere, &to), LW_OK);
  lw_path *path = find(s, from.point, to.point, s->profile),
          *plain = find(s, from.point, to.point, s->careless);
  double above = NAN;
  assert_int_equal(path != NULL, plain != NULL);
  if (path) {
    if (s->keep > 0) assert_true(radius_sweep(&s->walls, path) >= s->keep - RADIUS_ALLOWED);
    double best = dense_cost(s, from, to), cost = (double)lw_path_cost(path), without = cost_along(s, plain);
    assert_true(fabs(cost - cost_along(s, path)) < 1e-2 * cost + 0.05);
    if (cost > 1.001 * without + 0.01)
      fail_msg("round %d: %g is more than the shortest one's %g", round, cost, without);
    if (s->keep == 0 && cost < best * 0.9) /* large agents: narrow gaps lie between the dense search's points */
      fail_msg("round %d: %g is less than the best of the dense search, %g", round, cost, best);
    above = cost / best - 1;
    *saved += 1 - cost / without;
  }
  lw_path_destroy(path);
  lw_path_destroy(plain);
  return above;
}

/* @param late  What so large a part of the paths stays below. */
static void compare_scenes(scene_kind kind, int rounds, double late) {
  lw_random random = lwi_random_make(SEED, kind);
  double sum = 0, saved = 0, excess[ROUNDS];
  int found = 0;
  for (int round = 0; round < rounds; round++) {
    scene s = make_scene(&random, kind);
    double above = compare_paths(&s, round, &saved);
    if (!isnan(above)) {
      sum += fmax(0, above);
      excess[found++] = above;
    }
    drop_scene(&s);
  }
  assert_true(found >= rounds / 2);
  qsort(excess, (size_t)found, sizeof *excess, compare_doubles);
  double late_excess = excess[(int)ceil(found * late) - 1], worst = excess[found - 1];
  printf("note: %d watched paths %s (seed %u): cost above the dense optimum %.1f %% in the mean, %g %% of them "
         "within %.1f %%, %.1f %% at worst; %.0f %% below the shortest path's in the mean\n",
         found, KINDS[kind], SEED, 100 * sum / found, 100 * late, 100 * late_excess, 100 * worst,
         100 * saved / found);
  assert_true(sum / found < 0.03);
  assert_true(late_excess < 0.12);
}

static void paths_cost_little_more_than_the_best(void **state) {
  (void)state;
  compare_scenes(CLUTTERED, ROUNDS, 0.99);
}

static void paths_of_large_agents_cost_little_more_than_the_best(void **state) {
  (void)state;
  compare_scenes(LARGE, ROUNDS, 0.99);
}

static void paths_of_large_agents_turn_inside_a_polygon(void **state) {
  (void)state;
  compare_scenes(LARGE_OPEN, ROUNDS_OPEN, 0.95);
}

static void paths_turn_along_shadows_inside_a_polygon(void **state) {
  (void)state;
  compare_scenes(OPEN, ROUNDS_OPEN, 0.95);
}

/* What was kept from searches before must not matter. */
static void a_world_s_first_path_equals_its_later_ones(void **state) {
  lw_random random = lwi_random_make(SEED, 3);
  (void)state;
  for (int round = 0; round < ROUNDS; round++) {
    scene s = make_scene(&random, CLUTTERED);
    lw_vec3 from = {between(&random, 1, SIDE - 1), 0, between(&random, 1, SIDE - 1)};
    lw_vec3 to = {between(&random, 1, SIDE - 1), 0, between(&random, 1, SIDE - 1)};
    lw_path *first = find(&s, from, to, s.profile), *second = find(&s, from, to, s.profile);
    assert_int_equal(first != NULL, second != NULL);
    if (first)
      assert_memory_equal(&(float){lw_path_cost(first)}, &(float){lw_path_cost(second)}, sizeof(float));
    lw_path_destroy(first);
    lw_path_destroy(second);
    drop_scene(&s);
  }
}

/* The path from corner to corner, with no memory after `left` allocations. @return Its cost; NAN: out of
   memory. */
static double cost_with(const scene *s, int calls, lw_path_query *query) {
  support_memory memory = {.left = -1};
  lw_world_def def = lw_world_def_default();
  lw_world *world;
  lw_path *path, *again;
  def.navmesh = s->mesh;
  def.allocator = support_allocator(&memory);
  assert_int_equal(lw_world_create(&def, &world, NULL), LW_OK);
  memory.left = calls;
  lw_status status = lw_path_find(world, NULL, query, &path);
  double cost = status == LW_OK ? (double)lw_path_cost(path) : (double)NAN;
  assert_true(status == LW_OK || status == LW_OUT_OF_MEMORY);
  memory.left = -1;
  assert_int_equal(lw_path_find(world, NULL, query, &again), LW_OK); /* and afterwards it works */
  if (path) assert_true(lw_path_cost(path) == lw_path_cost(again));
  lw_path_destroy(path);
  lw_path_destroy(again);
  lw_world_destroy(world);
  assert_int_equal(memory.bytes, 0);
  return cost;
}

static void memory_may_run_out_at_any_time(void **state) {
  lw_random random = lwi_random_make(SEED, 4);
  (void)state;
  for (int large = 0; large < 2; large++) {
    scene s = make_scene(&random, large ? LARGE : CLUTTERED);
    lw_path_query query = lw_path_query_default();
    query.from = (lw_vec3){1.5f, 0, 1.5f};
    query.to = (lw_vec3){SIDE - 1.5f, 0, SIDE - 1.5f};
    query.profile = s.profile;
    query.threats = s.threats;
    query.threat_count = THREATS;
    double enough = cost_with(&s, -1, &query), cost = (double)NAN;
    int calls = 0;
    for (; isnan(cost); calls++) cost = cost_with(&s, calls, &query);
    assert_true(cost == enough);
    assert_true(calls > 40);
    drop_scene(&s);
  }
}

static uint32_t samples_version_after(const scene *s, lw_vec3 from, lw_vec3 to) {
  lw_path_destroy(find(s, from, to, s->profile));
  return s->world->scene.own->navs[0].visibility.stamp;
}

static void visibility_samples_are_kept_while_the_threats_stay(void **state) {
  lw_random random = lwi_random_make(SEED, 5);
  scene s = make_scene(&random, CLUTTERED);
  const lw_vec3 corners[] = {{1, 0, 1}, {SIDE - 1, 0, 1}, {SIDE - 1, 0, SIDE - 1}, {1, 0, SIDE - 1}};
  (void)state;
  for (int i = 0; i < THREATS; i++) s.threats[i].weight = 1;
  uint32_t first = samples_version_after(&s, corners[0], corners[2]);
  assert_true(first > 0);
  for (int i = 0; i < 4; i++)
    assert_int_equal(samples_version_after(&s, corners[i], corners[(i + 1) % 4]), first);
  s.threats[0].at.x += 0.1f;
  assert_int_not_equal(samples_version_after(&s, corners[0], corners[2]), first);
  drop_scene(&s);
}

/* --- over hills ------------------------------------------------------------------------------------------------ */

#define HILLS 40
#define HILL_HEIGHT 1.5f

static lw_navmesh *bake_hills(void) {
  static lw_vec3 vertices[(HILLS + 1) * (HILLS + 1)];
  static int indices[6 * HILLS * HILLS];
  int count = 0;
  for (int i = 0; i < (HILLS + 1) * (HILLS + 1); i++) {
    float x = (float)(i % (HILLS + 1)), z = (float)(i / (HILLS + 1));
    vertices[i] = (lw_vec3){x, HILL_HEIGHT * sinf(x / 3) * cosf(z / 4), z};
  }
  for (int i = 0; i < HILLS * HILLS; i++) {
    int a = i / HILLS * (HILLS + 1) + i % HILLS, b = a + HILLS + 1;
    const int square[] = {a, b, a + 1, a + 1, b, b + 1};
    for (int k = 0; k < 6; k++) indices[count++] = square[k];
  }
  lw_geometry *geometry = scene_geometry(scene_table);
  const lw_geometry_mesh mesh = {.vertices = vertices,
                                 .vertex_count = (HILLS + 1) * (HILLS + 1),
                                 .indices = indices,
                                 .triangle_count = 2 * HILLS * HILLS,
                                 .area = SCENE_GROUND};
  assert_int_equal(lw_geometry_add_mesh(geometry, &mesh, NULL), LW_OK);
  lw_navmesh *baked = scene_bake(geometry, NULL, NULL);
  lw_geometry_destroy(geometry);
  return baked;
}

/* How far a path is from the ground at worst. [m] */
static double off_ground(const scene *s, const lw_path *path) {
  int count;
  const lw_vec3 *points = lw_path_points(path, &count);
  double worst = 0;
  for (int i = 1; i < count; i++)
    for (float t = 0; t <= 1; t += 0.1f) {
      lw_vec3 at = lwi_lerp(points[i - 1], points[i], t);
      float ground;
      if (lw_navmesh_height(s->mesh, at, NULL, &ground) == LW_OK)
        worst = fmax(worst, fabs((double)(at.y - ground)));
    }
  return worst;
}

/* Straight through a hill a segment would seem to be hidden. */
static void follow_hills(double keep) {
  lw_random random = lwi_random_make(SEED, 2);
  scene s = {.mesh = bake_hills(), .keep = keep};
  finish_scene(&s, &random);
  for (int i = 0; i < THREATS; i++) s.threats[i].at = (lw_vec3){10.0f + 20.0f * (float)i, 4, HILLS / 2};
  double worst = 0;
  for (int round = 0; round < 30; round++) {
    lw_vec3 from = {between(&random, 1, HILLS - 1), 0, between(&random, 1, HILLS - 1)};
    lw_vec3 to = {between(&random, 1, HILLS - 1), 0, between(&random, 1, HILLS - 1)};
    lw_path *path = find(&s, from, to, s.profile), *careless = find(&s, from, to, s.careless);
    assert_non_null(path);
    assert_non_null(careless);
    worst = fmax(worst, fmax(off_ground(&s, path), off_ground(&s, careless)));
    double cost = (double)lw_path_cost(path);
    assert_true(fabs(cost - cost_along(&s, path)) < 1e-2 * cost + 0.05);
    assert_true(cost <= 1.001 * cost_along(&s, careless) + 0.01);
    lw_path_destroy(path);
    lw_path_destroy(careless);
  }
  printf("note: watched paths%s over hills of %g m are off the ground by %.2f m at worst\n",
         keep > 0 ? " of a large agent" : "", 2 * (double)HILL_HEIGHT, worst);
  assert_true(worst < 0.5);
  drop_scene(&s);
}

static void watched_paths_follow_the_ground_over_hills(void **state) {
  (void)state;
  follow_hills(0);
  follow_hills(KEEP);
}

static void invalid_threats_are_refused(void **state) {
  lw_random random = lwi_random_make(SEED, 1);
  scene s = make_scene(&random, CLUTTERED);
  lw_path_query query = lw_path_query_default();
  lw_path *path;
  (void)state;
  query.from = (lw_vec3){1, 0, 1};
  query.to = (lw_vec3){SIDE - 1, 0, SIDE - 1};
  query.threats = s.threats;
  query.threat_count = THREATS;
  s.threats[1].at.x = NAN;
  assert_int_equal(lw_path_find(s.world, NULL, &query, &path), LW_INVALID);
  s.threats[1] = lw_threat_default();
  s.threats[1].weight = -1;
  assert_int_equal(lw_path_find(s.world, NULL, &query, &path), LW_INVALID);
  query.threat_count = -1;
  assert_int_equal(lw_path_find(s.world, NULL, &query, &path), LW_INVALID);
  query.threat_count = 0;
  query.height_count = 0;
  assert_int_equal(lw_path_find(s.world, NULL, &query, &path), LW_INVALID);
  assert_null(path);
  drop_scene(&s);
}

/* @param[out] looks  Threats that were looked at, a piece at a time. */
static bool is_reduced(const scene *s, const lw_threat *threats, int count, uint64_t *looks) {
  lw_path_query query = lw_path_query_default();
  lw_path *path;
  query.from = (lw_vec3){1, 0, 1};
  query.to = (lw_vec3){SIDE - 10, 0, SIDE - 10}; /* near enough to be smoothed by exact costs */
  query.profile = s->profile;
  query.threats = threats;
  query.threat_count = count;
  const uint64_t before = s->world->scene.own->exposure.looks;
  assert_int_equal(lw_path_find(s->world, NULL, &query, &path), LW_OK);
  *looks = s->world->scene.own->exposure.looks - before;
  const bool reduced = lw_path_is_reduced(path);
  lw_path_destroy(path);
  return reduced;
}

/* Past a limit a path is smoothed no more; and threats out of range are not looked at. */
static void very_many_threats_take_limited_work(void **state) {
  (void)state;
  static lw_threat threats[MANY];
  lw_random random = lwi_random_make(SEED, 12);
  scene s = make_scene(&random, CLUTTERED);
  uint64_t few, many, far;
  for (int i = 0; i < MANY; i++) {
    threats[i] = lw_threat_default();
    threats[i].at = (lw_vec3){between(&random, 0, SIDE), 2, between(&random, 0, SIDE)};
  }
  assert_false(is_reduced(&s, threats, 10, &few));
  assert_true(is_reduced(&s, threats, MANY, &many));
  for (int i = 10; i < MANY; i++) {
    threats[i].range = 10;
    threats[i].at.x += 10 * SIDE;
  }
  assert_false(is_reduced(&s, threats, MANY, &far));
  printf(
      "note: threats looked at for a path: %llu of 10, %llu of %d, %llu of as many of which 10 are in range\n",
      (unsigned long long)few, (unsigned long long)many, MANY, (unsigned long long)far);
  assert_true((double)many < 0.9 * (double)few / 10 * MANY);
  assert_true(far == few);
  drop_scene(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(paths_cost_little_more_than_the_best),
                                     cmocka_unit_test(paths_turn_along_shadows_inside_a_polygon),
                                     cmocka_unit_test(paths_of_large_agents_cost_little_more_than_the_best),
                                     cmocka_unit_test(paths_of_large_agents_turn_inside_a_polygon),
                                     cmocka_unit_test(a_world_s_first_path_equals_its_later_ones),
                                     cmocka_unit_test(memory_may_run_out_at_any_time),
                                     cmocka_unit_test(visibility_samples_are_kept_while_the_threats_stay),
                                     cmocka_unit_test(watched_paths_follow_the_ground_over_hills),
                                     cmocka_unit_test(very_many_threats_take_limited_work),
                                     cmocka_unit_test(invalid_threats_are_refused)};
  setvbuf(stdout, NULL, _IOLBF, 0);
  return cmocka_run_group_tests(tests, scene_open, scene_close);
}
