/* What paths cost among many dangers and fire lanes, by their number: on one large polygon, on a plain of small
   ones, and on the shared levels. The first argument is the largest number, 1,000 if it is left out; then the
   number of the only scene, or -1; then the only ground: one, plain, levels, or a level. */
#include "bench_support.h"
#include "core/platform.h"
#include "core/random.h"
#include "grid_mesh.h"
#include "mesh/mesh.h"

#include "leeward/leeward.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define PATHS 15
#define SEED 11
#define FAR 20 /* dangers that matter among those that lie far away */
#define FIRST 125

typedef struct ground {
  const char *name;
  lw_area_table *areas;
  lw_navmesh *mesh;
  lw_profile *profile;
} ground;

typedef enum scene {
  ALL_OVER,    /* dangers of 1 to 10 m anywhere on the level */
  ON_THE_PATH, /* the same, all beside the path that would be taken without them */
  FAR_OFF,     /* twenty in the way, the others beside the level */
  LANES,       /* fire lanes of 10 m anywhere on the level */
  LANES_OFF,   /* twenty in the way, the others beside the level */
  SCENES
} scene;
static const char *const scene_names[] = {"dangers all over", "dangers in the way", "dangers far off", "lanes",
                                          "lanes far off"};

static void check(bool good) {
  if (good) return;
  printf("failed\n");
  abort();
}

static float between(lw_random *random, float low, float high) {
  return low + (high - low) * lwi_random_unit(random);
}

static lw_vec3 place_on(const lw_navmesh *mesh, lw_random *random) {
  lw_location at;
  lw_vec3 p = {between(random, mesh->bounds.min.x, mesh->bounds.max.x),
               between(random, mesh->bounds.min.y, mesh->bounds.max.y),
               between(random, mesh->bounds.min.z, mesh->bounds.max.z)};
  check(lw_navmesh_nearest(mesh, p, (lw_vec3){1e3f, 1e3f, 1e3f}, NULL, &at) == LW_OK);
  return at.point;
}

/* --- scenes ------------------------------------------------------------------------------------------------ */

static lw_vec3 far_from(const lw_navmesh *mesh, lw_random *random) {
  const float away = 100;
  return (lw_vec3){mesh->bounds.max.x + away + between(random, 0, 400), mesh->bounds.min.y,
                   between(random, mesh->bounds.min.z, mesh->bounds.max.z)};
}

static lw_vec3 near_path(const lw_path *path, lw_random *random) {
  int count;
  const lw_vec3 *points = lw_path_points(path, &count);
  int i = (int)between(random, 0, (float)(count - 1));
  if (i >= count - 1) i = count - 2;
  lw_vec3 at = i < 0 ? points[0] : lwi_lerp(points[i], points[i + 1], lwi_random_unit(random));
  return lwi_add(at, lwi_vec3(between(random, -5, 5), 0, between(random, -5, 5)));
}

static void add_danger(lw_world *world, lw_vec3 at, lw_random *random) {
  lw_danger_def def = lw_danger_def_default();
  lw_danger_id id;
  def.at = at;
  def.radius = between(random, 1, 10);
  def.value = between(random, 0.5f, 1.5f);
  check(lw_danger_add(world, &def, &id, NULL) == LW_OK);
}

static void add_lane(lw_world *world, lw_vec3 at, lw_random *random) {
  lw_fire_lane_def def = lw_fire_lane_def_default();
  lw_fire_lane_id id;
  float angle = between(random, 0, 6.2831853f);
  def.from = lwi_add(at, lwi_vec3(-5 * cosf(angle), 1, -5 * sinf(angle)));
  def.to = lwi_add(at, lwi_vec3(5 * cosf(angle), 1, 5 * sinf(angle)));
  def.radius = 0.7f;
  check(lw_fire_lane_add(world, &def, &id, NULL) == LW_OK);
}

static void add_regions(lw_world *world, const ground *on, scene of, int count, const lw_path *path,
                        lw_random *random) {
  for (int i = 0; i < count; i++) {
    bool off = (of == FAR_OFF || of == LANES_OFF) && i >= FAR;
    bool near = of == ON_THE_PATH || of == FAR_OFF || of == LANES_OFF;
    lw_vec3 at = off ? far_from(on->mesh, random) : near ? near_path(path, random) : place_on(on->mesh, random);
    if (of == LANES || of == LANES_OFF)
      add_lane(world, at, random);
    else
      add_danger(world, at, random);
  }
}

typedef struct sums {
  double times[PATHS], cost, nodes, adding;
  int count;
  size_t memory;
} sums;

static void measure_one(const ground *on, scene of, int count, lw_random *random, sums *to) {
  lw_world_def def = lw_world_def_default();
  lw_world *world;
  lw_path *path;
  def.navmesh = on->mesh;
  check(lw_world_create(&def, &world, NULL) == LW_OK);
  lw_path_query query = lw_path_query_default();
  query.profile = on->profile;
  do {
    query.from = place_on(on->mesh, random);
    query.to = place_on(on->mesh, random);
  } while (lwi_distance_xz(query.from, query.to) < 20 || lw_path_find(world, NULL, &query, &path) != LW_OK);
  lw_random own = lwi_random_make(SEED, (uint64_t)to->count);
  double begin = bench_clock();
  add_regions(world, on, of, count, path, &own);
  to->adding += bench_clock() - begin;
  lw_path_destroy(path);
  for (int i = 0; i < 2; i++) { /* the first one warms up */
    begin = bench_clock();
    check(lw_path_find(world, NULL, &query, &path) == LW_OK);
    to->times[to->count] = bench_clock() - begin;
    if (i == 0 && to->times[to->count] < 1) {
      lw_path_destroy(path);
      continue;
    }
    to->cost += (double)lw_path_cost(path);
    to->nodes += lw_path_nodes(path);
    lw_path_destroy(path);
    break;
  }
  to->memory = lw_world_memory(world);
  to->count += 1;
  lw_world_destroy(world);
}

static void measure_scene(const ground *on, scene of, int max) {
  for (int count = FIRST; count <= max; count *= 2) {
    lw_random random = lwi_random_make(SEED, 1);
    sums of_all = {0};
    while (of_all.count < PATHS) measure_one(on, of, count, &random, &of_all);
    double median = bench_quantile(of_all.times, PATHS, 0.5), worst = of_all.times[PATHS - 1];
    printf("%-18s %-18s %6d: median %9.3f ms, worst %9.3f; cost %8.1f, nodes %7.0f; adding %7.2f ms, world "
           "%6.1f MB\n",
           on->name, scene_names[of], count, median * 1e3, worst * 1e3, of_all.cost / PATHS,
           of_all.nodes / PATHS, of_all.adding / PATHS * 1e3, (double)of_all.memory * 1e-6);
    fflush(stdout);
  }
}

/* --- grounds ----------------------------------------------------------------------------------------------- */

static lw_profile *make_profile(const lw_area_table *areas) {
  lw_profile_def def = lw_profile_def_default();
  lw_profile *profile;
  def.name = "careful";
  def.danger_cost = 10;
  def.cover_bias = 5;
  check(lw_profile_create(&def, areas, &profile, NULL) == LW_OK);
  return profile;
}

static ground open_plain(const char *name, int side, float size) {
  ground on = {.name = name};
  char *row = malloc((size_t)side + 1);
  const char **rows = malloc((size_t)side * sizeof *rows);
  check(row && rows);
  memset(row, '.', (size_t)side);
  row[side] = 0;
  for (int i = 0; i < side; i++) rows[i] = row;
  check(lw_area_table_create(NULL, &on.areas) == LW_OK);
  lw_area_def ground_area = lw_area_def_default();
  ground_area.name = "ground";
  check(lw_area_table_set(on.areas, &ground_area, NULL, NULL) == LW_OK);
  on.mesh = support_grid(on.areas, rows, side, size);
  on.profile = make_profile(on.areas);
  free(rows);
  free(row);
  return on;
}

static ground open_level(const char *name) {
  ground on = {.name = name};
  lw_error error = {0};
  if (level_areas(&on.areas, &error) != LW_OK || level_navmesh(name, on.areas, &on.mesh, &error) != LW_OK) {
    printf("%s: %s\n", name, error.text);
    abort();
  }
  on.profile = make_profile(on.areas);
  return on;
}

static void measure_ground(ground on, int max, int only) {
  for (int of = 0; of < SCENES; of++)
    if (only < 0 || only == of) measure_scene(&on, (scene)of, max);
  lw_profile_destroy(on.profile);
  lw_navmesh_destroy(on.mesh);
  lw_area_table_destroy(on.areas);
}

int main(int count, char **arguments) {
  int max = count > 1 ? atoi(arguments[1]) : 1000, only = count > 2 ? atoi(arguments[2]) : -1;
  const char *where = count > 3 ? arguments[3] : NULL;
  bench_head("regions");
  if (!where || !strcmp(where, "one")) measure_ground(open_plain("one polygon", 1, 60), max, only);
  if (!where || !strcmp(where, "plain")) measure_ground(open_plain("plain", 30, 4), max, only);
  for (int i = 0; i < LEVEL_COUNT; i++) {
    char file[512];
    if (where && strcmp(where, level_names[i]) != 0 && strcmp(where, "levels") != 0) continue;
    if (level_file(level_names[i], file, sizeof file)) measure_ground(open_level(level_names[i]), max, only);
  }
  return 0;
}
