/* Agents larger than the mesh was made for: how far their paths keep from walls, and what they find, against a slow and
   obvious search over points 5 cm apart. */
#include "allocator.h"
#include "core/random.h"
#include "core/vec3.h"
#include "grid_mesh.h"
#include "leeward/leeward.h"
#include "mesh/mesh.h"
#include "mesh/berth.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))
#define MESH_RADIUS 0.4
/* What the disc may cross a wall by, as the issue has it. [m] */
#define ALLOWED 0.05
#define SWEEP_STEP 0.01

enum { GROUND = 1, WATER = 2 };
static lw_area_table *areas;

static int make_areas(void **state) {
  (void)state;
  static const char *const names[] = {"ground", "deep_water"};
  areas = support_areas(names, COUNT(names));
  lw_area_def water = *lw_area_table_get(areas, WATER);
  water.deep_water = 1;
  assert_int_equal(lw_area_table_set(areas, &water, NULL, NULL), LW_OK);
  return 0;
}

static int drop_areas(void **state) {
  (void)state;
  lw_area_table_destroy(areas);
  return 0;
}

static uint64_t seed_of_run(void) {
  const char *text = getenv("LEEWARD_SEED");
  return text ? strtoull(text, NULL, 10) : 20261121;
}

/* --- walls, by brute force ---------------------------------------------------------------------------------------- */

#define MOST_WALLS 4096

typedef struct wall_list {
  lw_vec3 from[MOST_WALLS], to[MOST_WALLS];
  int count;
} wall_list;

static void add_wall(wall_list *walls, lw_vec3 a, lw_vec3 b, float from, float to) {
  if (!((to - from) * lwi_distance_xz(a, b) > 1e-4f)) return;
  assert_true(walls->count < MOST_WALLS);
  walls->from[walls->count] = lwi_lerp(a, b, from);
  walls->to[walls->count++] = lwi_lerp(a, b, to);
}

/* Every part of an edge that does not lead to a polygon of ground. */
static void find_walls(const lw_navmesh *mesh, wall_list *walls) {
  walls->count = 0;
  for (uint32_t p = 0; p < mesh->polygon_count; p++) {
    if (mesh->poly_areas[p] != GROUND) continue;
    lwi_polygon polygon = lwi_polygon_get(mesh, p);
    for (uint32_t i = 0; i < polygon.count; i++) {
      lw_vec3 a = lwi_corner(&polygon, i), b = lwi_corner(&polygon, lwi_next_corner(&polygon, i));
      float open_to = 0;
      for (uint32_t k = mesh->first_portal[p]; k < mesh->first_portal[p + 1]; k++) {
        if (mesh->portals[k].edge != i || mesh->poly_areas[mesh->portals[k].to] != GROUND) continue;
        lwi_stretch stretch = lwi_portal_stretch(mesh, &mesh->portals[k]);
        add_wall(walls, a, b, open_to, stretch.t0);
        open_to = fmaxf(open_to, stretch.t1);
      }
      add_wall(walls, a, b, open_to, 1);
    }
  }
}

static double distance_to(const wall_list *walls, double x, double z) {
  double least2 = INFINITY;
  for (int i = 0; i < walls->count; i++) {
    double ax = (double)walls->from[i].x, az = (double)walls->from[i].z;
    double dx = (double)walls->to[i].x - ax, dz = (double)walls->to[i].z - az;
    double t = ((x - ax) * dx + (z - az) * dz) / (dx * dx + dz * dz);
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    double ex = ax + dx * t - x, ez = az + dz * t - z;
    least2 = fmin(least2, ex * ex + ez * ez);
  }
  return sqrt(least2);
}

/* The least that a disc swept along the path has to any wall. */
static double sweep(const wall_list *walls, const lw_path *path) {
  int count;
  const lw_vec3 *points = lw_path_points(path, &count);
  double least = distance_to(walls, (double)points[0].x, (double)points[0].z);
  for (int i = 0; i + 1 < count; i++) {
    int steps = 1 + (int)((double)lwi_distance_xz(points[i], points[i + 1]) / SWEEP_STEP);
    for (int s = 1; s <= steps; s++) {
      lw_vec3 at = lwi_lerp(points[i], points[i + 1], (float)s / (float)steps);
      least = fmin(least, distance_to(walls, (double)at.x, (double)at.z));
    }
  }
  return least;
}

/* --- scenes --------------------------------------------------------------------------------------------------------- */

typedef struct scene {
  lw_navmesh *mesh;
  lw_world *world;
  lw_profile *profile;
  double keep;
  wall_list walls;
} scene;

/* What is passable, for agents of the profile, checked the slow way. */
static void check_berth(const scene *s) {
  lwi_memory memory = lwi_memory_make(NULL);
  lw_filter filter = lw_profile_filter(s->profile);
  lw_error error = {0};
  if (!(lwi_berth_keep(s->mesh, &filter) > 0)) return;
  lwi_berth *berth = lwi_berth_make(&memory, s->mesh, &filter);
  assert_non_null(berth);
  if (lwi_berth_check(berth, &error) != LW_OK) fail_msg("%s", error.text);
  lwi_berth_free(berth);
  assert_int_equal(memory.bytes, 0);
}

static void make_scene(scene *s, lw_navmesh *mesh, double keep) {
  *s = (scene){.mesh = mesh, .keep = keep};
  lw_world_def world = lw_world_def_default();
  world.navmesh = mesh;
  assert_int_equal(lw_world_create(&world, &s->world, NULL), LW_OK);
  lw_profile_def def = lw_profile_def_default();
  def.radius = (float)(MESH_RADIUS + keep);
  assert_int_equal(lw_profile_create(&def, areas, &s->profile, NULL), LW_OK);
  find_walls(mesh, &s->walls);
  check_berth(s);
}

static void drop_scene(scene *s) {
  lw_world_destroy(s->world);
  lw_profile_destroy(s->profile);
  lw_navmesh_destroy(s->mesh);
}

static lw_status find(const scene *s, float x0, float z0, float x1, float z1, lw_path **path) {
  lw_path_query query = lw_path_query_default();
  query.from = (lw_vec3){x0, 0, z0};
  query.to = (lw_vec3){x1, 0, z1};
  query.profile = s->profile;
  return lw_path_find(s->world, &query, path);
}

static bool is_connected(const scene *s, float x0, float z0, float x1, float z1) {
  lw_connected_query query = lw_connected_query_default();
  query.from = (lw_vec3){x0, 0, z0};
  query.to = (lw_vec3){x1, 0, z1};
  query.profile = s->profile;
  bool connected;
  lw_connected(s->world, &query, &connected);
  return connected;
}

/* --- examples ------------------------------------------------------------------------------------------------------- */

static void a_gap_lets_pass_whoever_fits(void **state) {
  (void)state;
  static const char *const rows[] = {"...#...", "...#...", ".......", "...#...", "...#..."};
  const double keeps[] = {0.3, 0.49, 0.499, 0.5, 0.502, 0.6, 1};
  for (int i = 0; i < COUNT(keeps); i++) {
    scene s;
    lw_path *path;
    make_scene(&s, support_grid(areas, rows, COUNT(rows), 1), keeps[i]);
    lw_status status = find(&s, 1.5f, 2.5f, 5.5f, 2.5f, &path);
    assert_int_equal(status, keeps[i] <= 0.5 ? LW_OK : LW_NO_PATH);
    assert_int_equal(is_connected(&s, 1.5f, 2.5f, 5.5f, 2.5f), keeps[i] <= 0.5);
    lw_path_destroy(path);
    drop_scene(&s);
  }
}

static void who_is_no_larger_than_the_mesh_was_made_for_walks_along_walls(void **state) {
  (void)state;
  static const char *const rows[] = {"...", ".#.", ".#."};
  scene s;
  lw_path *path;
  make_scene(&s, support_grid(areas, rows, COUNT(rows), 1), 0);
  assert_int_equal(find(&s, 0.5f, 2.5f, 2.5f, 2.5f, &path), LW_OK);
  assert_float_equal(lw_path_length(path), 2 * hypotf(0.5f, 1.5f) + 1, 1e-3f);
  lw_path_destroy(path);
  drop_scene(&s);
}

static void corners_are_rounded_at_the_distance_to_be_kept(void **state) {
  (void)state;
  static const char *const rows[] = {"......", "......", "......", "...###", "...###", "...###"};
  scene s;
  lw_path *path;
  make_scene(&s, support_grid(areas, rows, COUNT(rows), 1), 1);
  assert_int_equal(find(&s, 1.5f, 5, 5, 1.5f, &path), LW_OK);
  /* From both, 2.5 m from the corner (3, 3), a tangent to the circle of 1 m about it, and an arc between them. */
  float span =
      2 * atan2f(2, 1.5f) + 3.14159265f / 2; /* from one to the other about the corner, outside the wall */
  float tangent = sqrtf(2.5f * 2.5f - 1), arc = span - 2 * acosf(1 / 2.5f);
  assert_true(sweep(&s.walls, path) > 1 - ALLOWED);
  assert_float_equal(lw_path_length(path), 2 * tangent + arc, 0.02f);
  lw_path_destroy(path);
  drop_scene(&s);
}

static void what_may_not_be_entered_is_a_wall(void **state) {
  (void)state;
  static const char *const rows[] = {"1111111", "1111111", "1112111", "1112111"};
  scene s;
  lw_path *path;
  make_scene(&s, support_grid(areas, rows, COUNT(rows), 1), 0.6);
  assert_int_equal(find(&s, 1, 3, 6, 3, &path), LW_OK);
  assert_true(sweep(&s.walls, path) > 0.6 - ALLOWED);
  lw_path_destroy(path);
  drop_scene(&s);
}

static void start_and_goal_beside_walls_are_moved_to_where_there_is_room(void **state) {
  (void)state;
  static const char *const rows[] = {".....", ".....", ".....", "....."};
  scene s;
  lw_path *path;
  make_scene(&s, support_grid(areas, rows, COUNT(rows), 1), 0.8);
  assert_int_equal(find(&s, 0.1f, 2, 4.95f, 3.95f, &path), LW_OK);
  int count;
  const lw_vec3 *points = lw_path_points(path, &count);
  assert_float_equal(points[0].x, 0.8f, 2e-3f);
  assert_float_equal(points[0].z, 2, 2e-3f);
  assert_float_equal(points[count - 1].x, 4.2f, 2e-3f);
  assert_float_equal(points[count - 1].z, 3.2f, 2e-3f);
  lw_path_destroy(path);
  /* In a floor of 4 m there is no place 2.1 m from every wall. */
  drop_scene(&s);
  make_scene(&s, support_grid(areas, rows, COUNT(rows), 1), 2.1);
  assert_int_equal(find(&s, 1, 2, 4, 2, &path), LW_NO_START);
  drop_scene(&s);
}

static void random_points_are_where_there_is_room(void **state) {
  (void)state;
  static const char *const rows[] = {"......#..", "......#..", "......#..", "...#.....", "......#.."};
  scene s;
  make_scene(&s, support_grid(areas, rows, COUNT(rows), 1), 0.7);
  lw_random_point_query query = lw_random_point_query_default();
  query.profile = s.profile;
  query.around = (lw_vec3){1.5f, 0, 2};
  query.radius = 20;
  for (int i = 0; i < 400; i++) {
    lw_location place;
    query.anywhere = i % 2 == 1;
    assert_int_equal(lw_random_point_find(s.world, &query, &place), LW_OK);
    assert_true(distance_to(&s.walls, (double)place.point.x, (double)place.point.z) > 0.7 - 0.005);
    if (!query.anywhere) assert_true(place.point.x < 6); /* the gap of 1 m is too narrow */
  }
  drop_scene(&s);
}

static void memory_may_run_out_at_any_time(void **state) {
  (void)state;
  static const char *const rows[] = {"........", "...##...", "........", "......#.", "...#...."};
  lw_navmesh *mesh = support_grid(areas, rows, COUNT(rows), 1);
  lw_profile_def def = lw_profile_def_default();
  lw_profile *profile;
  def.radius = (float)MESH_RADIUS + 0.3f;
  assert_int_equal(lw_profile_create(&def, areas, &profile, NULL), LW_OK);
  bool done = false;
  int failures = 0;
  for (int calls = 0; !done; calls++) {
    support_memory memory = {.left = -1};
    lw_world_def world_def = lw_world_def_default();
    lw_world *world;
    world_def.navmesh = mesh;
    world_def.allocator = support_allocator(&memory);
    assert_int_equal(lw_world_create(&world_def, &world, NULL), LW_OK);
    lw_path_query query = lw_path_query_default();
    query.from = (lw_vec3){1, 0, 4};
    query.to = (lw_vec3){6, 0, 0.2f};
    query.profile = profile;
    memory.left = calls;
    lw_path *path;
    lw_status status = lw_path_find(world, &query, &path);
    assert_true(status == LW_OK || status == LW_OUT_OF_MEMORY);
    done = status == LW_OK;
    failures += !done;
    if (!done) { /* and afterwards it works */
      memory.left = -1;
      assert_int_equal(lw_path_find(world, &query, &path), LW_OK);
    }
    lw_path_destroy(path);
    lw_world_destroy(world);
    assert_int_equal(memory.bytes, 0);
  }
  assert_true(failures > 20);
  lw_profile_destroy(profile);
  lw_navmesh_destroy(mesh);
}

/* --- against points 5 cm apart ------------------------------------------------------------------------------------- */

#define SIDE 12
#define FINE 0.05
#define CELLS 240
#define REACH 3 /* cells that one step may span */

/* Squares with holes, their corners moved about: SIDE by SIDE metres. */
static lw_navmesh *random_mesh(lwi_random *random, float holes, float shift) {
  static lw_vec3 vertices[(SIDE + 1) * (SIDE + 1)];
  static int corners[SIDE * SIDE * 4], counts[SIDE * SIDE];
  static lw_area_id poly_areas[SIDE * SIDE];
  int squares = 0;
  for (int z = 0; z <= SIDE; z++)
    for (int x = 0; x <= SIDE; x++) {
      float dx = x % SIDE == 0 ? 0 : (lwi_random_unit(random) - 0.5f) * shift;
      float dz = z % SIDE == 0 ? 0 : (lwi_random_unit(random) - 0.5f) * shift;
      vertices[z * (SIDE + 1) + x] = (lw_vec3){(float)x + dx, 0, (float)z + dz};
    }
  for (int z = 0; z < SIDE; z++)
    for (int x = 0; x < SIDE; x++) {
      float pick = lwi_random_unit(random);
      if (pick < holes) continue;
      int first = z * (SIDE + 1) + x, below = first + SIDE + 1;
      const int around[] = {first, below, below + 1, first + 1};
      memcpy(corners + 4 * squares, around, sizeof around);
      poly_areas[squares] = pick > 0.97f ? WATER : GROUND;
      counts[squares++] = 4;
    }
  lw_navmesh_def def = lw_navmesh_def_default();
  def.areas = areas;
  def.vertices = vertices;
  def.vertex_count = (SIDE + 1) * (SIDE + 1);
  def.corners = corners;
  def.corner_counts = counts;
  def.polygon_count = squares;
  def.poly_areas = poly_areas;
  lw_navmesh *mesh;
  lw_error error = {0};
  if (lw_navmesh_create(&def, &mesh, &error) != LW_OK) fail_msg("%s", error.text);
  return mesh;
}

typedef struct fine_grid {
  double clear[CELLS * CELLS]; /* distance to walls; < 0: off the mesh */
  int part[CELLS * CELLS];     /* of those clear enough; -1: not */
  double cost[CELLS * CELLS];
  int heap[CELLS * CELLS * 8];
  double keys[CELLS * CELLS * 8];
  int heap_count;
  int stack[CELLS * CELLS];
} fine_grid;

static bool on_ground(const lw_navmesh *mesh, double x, double z) {
  lw_filter ground = {.areas = {1ULL << GROUND}};
  return lw_navmesh_contains(mesh, (lw_vec3){(float)x, 0, (float)z}, 1, &ground);
}

static void fill_grid(fine_grid *grid, const scene *s) {
  for (int z = 0; z < CELLS; z++)
    for (int x = 0; x < CELLS; x++) {
      double px = (x + 0.5) * FINE, pz = (z + 0.5) * FINE;
      grid->clear[z * CELLS + x] = on_ground(s->mesh, px, pz) ? distance_to(&s->walls, px, pz) : -1;
    }
}

/* Parts of cells that are so far from walls, joined to their eight neighbours. */
static void label_grid(fine_grid *grid, double keep) {
  int label = 0;
  for (int i = 0; i < CELLS * CELLS; i++) grid->part[i] = -1;
  for (int seed = 0; seed < CELLS * CELLS; seed++) {
    if (grid->part[seed] >= 0 || grid->clear[seed] < keep) continue;
    int depth = 0;
    grid->stack[depth++] = seed;
    grid->part[seed] = label;
    while (depth > 0) {
      int at = grid->stack[--depth], x = at % CELLS, z = at / CELLS;
      for (int dz = -1; dz <= 1; dz++)
        for (int dx = -1; dx <= 1; dx++) {
          int nx = x + dx, nz = z + dz, next = nz * CELLS + nx;
          if (nx < 0 || nz < 0 || nx >= CELLS || nz >= CELLS || grid->part[next] >= 0 ||
              grid->clear[next] < keep)
            continue;
          grid->part[next] = label;
          grid->stack[depth++] = next;
        }
    }
    label += 1;
  }
}

static int cell_at(lw_vec3 point) {
  int x = (int)((double)point.x / FINE), z = (int)((double)point.z / FINE);
  return (z < CELLS ? z : CELLS - 1) * CELLS + (x < CELLS ? x : CELLS - 1);
}

static void push(fine_grid *grid, double key, int cell) {
  int i = grid->heap_count++;
  assert_true(i < CELLS * CELLS * 8);
  for (; i > 0 && grid->keys[(i - 1) / 2] > key; i = (i - 1) / 2) {
    grid->keys[i] = grid->keys[(i - 1) / 2];
    grid->heap[i] = grid->heap[(i - 1) / 2];
  }
  grid->keys[i] = key;
  grid->heap[i] = cell;
}

static int pop(fine_grid *grid, double *key) {
  int top = grid->heap[0], count = --grid->heap_count, last = grid->heap[count], i = 0;
  double last_key = grid->keys[count];
  *key = grid->keys[0];
  for (;;) {
    int child = 2 * i + 1;
    if (child >= count) break;
    if (child + 1 < count && grid->keys[child + 1] < grid->keys[child]) child += 1;
    if (grid->keys[child] >= last_key) break;
    grid->keys[i] = grid->keys[child];
    grid->heap[i] = grid->heap[child];
    i = child;
  }
  grid->keys[i] = last_key;
  grid->heap[i] = last;
  return top;
}

/* Length of the shortest way over cells of one part. */
static double grid_length(fine_grid *grid, int from, int to) {
  for (int i = 0; i < CELLS * CELLS; i++) grid->cost[i] = INFINITY;
  grid->heap_count = 0;
  grid->cost[from] = 0;
  push(grid, 0, from);
  while (grid->heap_count > 0) {
    double key;
    int at = pop(grid, &key), x = at % CELLS, z = at / CELLS;
    if (key > grid->cost[at]) continue;
    if (at == to) return key;
    for (int dz = -REACH; dz <= REACH; dz++)
      for (int dx = -REACH; dx <= REACH; dx++) {
        int nx = x + dx, nz = z + dz, next = nz * CELLS + nx;
        if ((dx % 2 == 0 && dz % 2 == 0) || (dx % 3 == 0 && dz % 3 == 0)) continue;
        if (nx < 0 || nz < 0 || nx >= CELLS || nz >= CELLS || grid->part[next] < 0) continue;
        double cost = key + hypot(dx, dz) * FINE;
        if (cost >= grid->cost[next] - 1e-9) continue;
        grid->cost[next] = cost;
        push(grid, cost, next);
      }
  }
  return INFINITY;
}

typedef struct tally {
  int pairs, found, shut, in_between; /* `in_between`: passable by less than the cells can tell */
  double least, over, worst;
} tally;

static void compare(const scene *s, fine_grid *grid, lwi_random *random, uint64_t seed, bool with_length,
                    tally *sums) {
  lw_random_point_query draw = lw_random_point_query_default();
  draw.anywhere = true;
  draw.profile = s->profile;
  lw_location from, to;
  (void)random;
  if (lw_random_point_find(s->world, &draw, &from) != LW_OK ||
      lw_random_point_find(s->world, &draw, &to) != LW_OK)
    return;
  lw_path *path;
  lw_status status = find(s, from.point.x, from.point.z, to.point.x, to.point.z, &path);
  bool connected = is_connected(s, from.point.x, from.point.z, to.point.x, to.point.z);
  sums->pairs += 1;
  if (connected != (status == LW_OK))
    fail_msg("connected says %d, find_path %s: from (%g, %g) to (%g, %g), keeping %g (seed %llu)", connected,
             lw_status_name(status), (double)from.point.x, (double)from.point.z, (double)to.point.x,
             (double)to.point.z, s->keep, (unsigned long long)seed);
  int a = cell_at(from.point), b = cell_at(to.point);
  label_grid(grid, s->keep - 0.04);
  bool perhaps = grid->part[a] >= 0 && grid->part[a] == grid->part[b];
  label_grid(grid, s->keep + 0.04);
  bool surely = grid->part[a] >= 0 && grid->part[a] == grid->part[b];
  if ((status == LW_OK && !perhaps) || (status != LW_OK && surely))
    fail_msg("%s, but the cells say %s: from (%g, %g) to (%g, %g), keeping %g (seed %llu)",
             lw_status_name(status), surely ? "surely" : "no", (double)from.point.x, (double)from.point.z,
             (double)to.point.x, (double)to.point.z, s->keep, (unsigned long long)seed);
  sums->in_between += perhaps != surely;
  sums->found += status == LW_OK;
  sums->shut += status == LW_NO_PATH;
  if (status != LW_OK) return;
  double least = sweep(&s->walls, path);
  if (least < s->keep - ALLOWED)
    fail_msg("comes within %g of a wall: from (%g, %g) to (%g, %g), keeping %g (seed %llu)", least,
             (double)from.point.x, (double)from.point.z, (double)to.point.x, (double)to.point.z, s->keep,
             (unsigned long long)seed);
  sums->least = fmin(sums->least, least - s->keep);
  if (with_length) {
    label_grid(grid, s->keep + 0.01);
    double other = grid->part[a] >= 0 && grid->part[a] == grid->part[b] ? grid_length(grid, a, b) : INFINITY;
    double over = other < INFINITY && other > 1 ? (double)lw_path_length(path) / other - 1 : 0;
    sums->over += over;
    sums->worst = fmax(sums->worst, over);
  }
  lw_path_destroy(path);
}

static void large_agents_go_wherever_there_is_room_and_keep_off_walls(void **state) {
  (void)state;
  static const double keeps[] = {0.1, 0.3, 0.45, 0.7, 1.1, 1.6};
  static fine_grid grid;
  static scene s;
  uint64_t seed = seed_of_run();
  tally sums = {.least = INFINITY};
  int lengths = 0;
  for (int m = 0; m < 36; m++) {
    lwi_random random = lwi_random_make(seed, (uint64_t)m);
    double keep = keeps[m % COUNT(keeps)];
    float shift = (m / 6) % 2 == 0 ? 0.5f : 0;
    make_scene(&s, random_mesh(&random, keep > 1 ? 0.03f : keep > 0.5 ? 0.1f : 0.25f, shift), keep);
    fill_grid(&grid, &s);
    for (int i = 0; i < 25; i++) {
      bool with_length = i < 3;
      int found = sums.found;
      compare(&s, &grid, &random, seed, with_length, &sums);
      lengths += with_length && sums.found > found;
    }
    drop_scene(&s);
  }
  printf("note: %d pairs: %d ways found, %d not, %d that only just pass or do not; least distance to a wall "
         "%.4f m more than "
         "to be kept; length %.4f above the cells' in the mean of %d, %.4f at most (seed %llu)\n",
         sums.pairs, sums.found, sums.shut, sums.in_between, sums.least, sums.over / lengths, lengths,
         sums.worst, (unsigned long long)seed);
  assert_true(sums.found > 100 && sums.shut > 50);
  assert_true(sums.over / lengths < 0.01);
  assert_true(sums.worst < 0.08);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_gap_lets_pass_whoever_fits),
      cmocka_unit_test(who_is_no_larger_than_the_mesh_was_made_for_walks_along_walls),
      cmocka_unit_test(corners_are_rounded_at_the_distance_to_be_kept),
      cmocka_unit_test(what_may_not_be_entered_is_a_wall),
      cmocka_unit_test(start_and_goal_beside_walls_are_moved_to_where_there_is_room),
      cmocka_unit_test(random_points_are_where_there_is_room),
      cmocka_unit_test(memory_may_run_out_at_any_time),
      cmocka_unit_test(large_agents_go_wherever_there_is_room_and_keep_off_walls),
  };
  return cmocka_run_group_tests(tests, make_areas, drop_areas);
}
