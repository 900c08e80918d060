/* Paths of agents larger than the mesh was baked for, against a brute-force search over points 5 cm apart. */
#include "core/random.h"
#include "core/vec3.h"
#include "leeward/leeward.h"
#include "radius_scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

#define SIDE 12
#define FINE 0.05
#define CELLS 240
#define REACH 3 /* cells that one step may span */

/* Squares with holes, their corners moved about: SIDE by SIDE metres. */
static lw_navmesh *random_mesh(lw_random *random, float holes, float shift) {
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
      poly_areas[squares] = pick > 0.97f ? RADIUS_WATER : RADIUS_GROUND;
      counts[squares++] = 4;
    }
  lw_navmesh_def def = lw_navmesh_def_default();
  def.areas = radius_table;
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
  lw_filter ground = {.areas = {1ULL << RADIUS_GROUND}};
  return lw_navmesh_contains(mesh, (lw_vec3){(float)x, 0, (float)z}, 1, &ground);
}

static void fill_grid(fine_grid *grid, const radius_scene *s) {
  for (int z = 0; z < CELLS; z++)
    for (int x = 0; x < CELLS; x++) {
      double px = (x + 0.5) * FINE, pz = (z + 0.5) * FINE;
      grid->clear[z * CELLS + x] = on_ground(s->mesh, px, pz) ? radius_distance(&s->walls, px, pz) : -1;
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

/* Length of the shortest path over cells of one part. */
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

typedef struct totals {
  int pairs, found, shut, in_between; /* `in_between`: passable by less than the cells can tell */
  double min, over, worst;
} totals;

static void compare(const radius_scene *s, fine_grid *grid, lw_random *random, uint64_t seed, bool with_length,
                    totals *sums) {
  lw_random_point_query draw = lw_random_point_query_default();
  draw.random = lw_world_random_stream(s->world);
  draw.anywhere = true;
  draw.profile = s->profile;
  lw_location from, to;
  (void)random;
  if (lw_random_point_find(s->world, NULL, &draw, &from) != LW_OK ||
      lw_random_point_find(s->world, NULL, &draw, &to) != LW_OK)
    return;
  lw_path *path;
  lw_status status = radius_path(s, from.point.x, from.point.z, to.point.x, to.point.z, &path);
  bool connected = radius_connected(s, from.point.x, from.point.z, to.point.x, to.point.z);
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
  double min = radius_sweep(&s->walls, path);
  if (min < s->keep - RADIUS_ALLOWED)
    fail_msg("comes within %g of a wall: from (%g, %g) to (%g, %g), keeping %g (seed %llu)", min,
             (double)from.point.x, (double)from.point.z, (double)to.point.x, (double)to.point.z, s->keep,
             (unsigned long long)seed);
  sums->min = fmin(sums->min, min - s->keep);
  if (with_length) {
    label_grid(grid, s->keep + 0.01);
    double other = grid->part[a] >= 0 && grid->part[a] == grid->part[b] ? grid_length(grid, a, b) : INFINITY;
    double over = other < INFINITY && other > 1 ? (double)lw_path_length(path) / other - 1 : 0;
    sums->over += over;
    sums->worst = fmax(sums->worst, over);
  }
  lw_path_destroy(path);
}

static void large_agents_reach_all_clear_places_and_keep_the_clearance(void **state) {
  (void)state;
  static const double keeps[] = {0.1, 0.3, 0.45, 0.7, 1.1, 1.6};
  static fine_grid grid;
  static radius_scene s;
  uint64_t seed = radius_seed();
  totals sums = {.min = INFINITY};
  int lengths = 0;
  for (int m = 0; m < 36; m++) {
    lw_random random = lwi_random_make(seed, (uint64_t)m);
    double keep = keeps[m % COUNT(keeps)];
    float shift = (m / 6) % 2 == 0 ? 0.5f : 0;
    radius_scene_make(&s, random_mesh(&random, keep > 1 ? 0.03f : keep > 0.5 ? 0.1f : 0.25f, shift), keep);
    fill_grid(&grid, &s);
    for (int i = 0; i < 25; i++) {
      bool with_length = i < 3;
      int found = sums.found;
      compare(&s, &grid, &random, seed, with_length, &sums);
      lengths += with_length && sums.found > found;
    }
    radius_scene_drop(&s);
  }
  printf(
      "note: %d pairs: %d paths found, %d not, %d that only just pass or do not; smallest distance to a wall "
      "%.4f m more than "
      "to be kept; length %.4f above the cells' in the mean of %d, %.4f at most (seed %llu)\n",
      sums.pairs, sums.found, sums.shut, sums.in_between, sums.min, sums.over / lengths, lengths, sums.worst,
      (unsigned long long)seed);
  assert_true(sums.found > 100 && sums.shut > 50);
  assert_true(sums.over / lengths < 0.01);
  assert_true(sums.worst < 0.08);
}

#define SNAP 2

/* The nearest cell in the snap box where such an agent may surely stand. @return Metres; INFINITY: there is none. */
static double nearest_clear(const fine_grid *grid, double keep, double x, double z) {
  double best = INFINITY;
  for (int i = 0; i < CELLS * CELLS; i++) {
    const double dx = (i % CELLS + 0.5) * FINE - x, dz = (double)(i / CELLS) * FINE + 0.5 * FINE - z;
    if (grid->clear[i] < keep || fabs(dx) > SNAP - 0.01 || fabs(dz) > SNAP - 0.01) continue;
    best = fmin(best, hypot(dx, dz));
  }
  return best;
}

/* How often starts were asked for, and how often there was none. */
typedef struct start_counts {
  int starts, none;
} start_counts;

static void check_start(const radius_scene *s, const fine_grid *grid, float x, float z, start_counts *counts) {
  const double nearest = nearest_clear(grid, s->keep + 0.02, (double)x, (double)z);
  lw_path *path;
  const lw_status status = radius_path(s, x, z, x, z, &path);
  counts->starts += 1;
  counts->none += status == LW_NO_START;
  if (status == LW_NO_START && nearest < INFINITY)
    fail_msg("(%g, %g) keeping %g: %s, but there is space at %g m", (double)x, (double)z, s->keep,
             lw_status_name(status), nearest);
  if (!path) return;
  int count;
  const lw_vec3 *points = lw_path_points(path, &count);
  assert_true(fabs((double)(points[0].x - x)) <= SNAP + 1e-3 && fabs((double)(points[0].z - z)) <= SNAP + 1e-3);
  assert_true(radius_distance(&s->walls, (double)points[0].x, (double)points[0].z) > s->keep - 0.005);
  lw_path_destroy(path);
}

static void large_agents_start_wherever_there_is_space_for_them_within_snap(void **state) {
  (void)state;
  static const double keeps[] = {0.3, 0.45, 0.7, 1.1, 1.6};
  static fine_grid grid;
  static radius_scene s;
  const uint64_t seed = radius_seed();
  start_counts counts = {0, 0};
  for (int m = 0; m < 40; m++) {
    lw_random random = lwi_random_make(seed, 1000 + (uint64_t)m);
    const double keep = keeps[m % COUNT(keeps)];
    const float shift = (m / 5) % 2 == 0 ? 0.5f : 0;
    radius_scene_make(&s, random_mesh(&random, keep > 1 ? 0.03f : keep > 0.5 ? 0.1f : 0.25f, shift), keep);
    fill_grid(&grid, &s);
    for (int i = 0; i < 200; i++) {
      const float x = lwi_random_unit(&random) * SIDE, z = lwi_random_unit(&random) * SIDE;
      check_start(&s, &grid, x, z, &counts);
    }
    radius_scene_drop(&s);
  }
  printf("note: %d starts, for %d there is no space (seed %llu)\n", counts.starts, counts.none,
         (unsigned long long)seed);
  assert_true(counts.none > 0 && counts.none < counts.starts / 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(large_agents_reach_all_clear_places_and_keep_the_clearance),
      cmocka_unit_test(large_agents_start_wherever_there_is_space_for_them_within_snap),
  };
  return cmocka_run_group_tests(tests, radius_open, radius_close);
}
