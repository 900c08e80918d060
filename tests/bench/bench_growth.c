/* What must not grow with what a user can make many of: links between navmeshes, and profiles that take turns. */
#include "bench_support.h"
#include "core/platform.h"

#include "leeward/leeward.h"

#include <stdio.h>
#include <stdlib.h>

#define ROUNDS 9
#define TIMES 50
#define LINKED_SIDE 80   /* squares of the navmeshes with links */
#define PROFILE_SIDE 150 /* of the one for many profiles */
#define PROFILES_MAX 36

static void need(lw_status status) {
  if (status == LW_OK) return;
  printf("failed: %s\n", lw_status_text(status));
  abort();
}

static lw_area_table *make_areas(void) {
  lw_area_table *areas;
  need(lw_area_table_create(NULL, &areas));
  for (int i = 0; i <= PROFILES_MAX; i++) {
    lw_area_def def = lw_area_def_default();
    char name[32];
    snprintf(name, sizeof name, "area %d", i);
    def.name = name;
    need(lw_area_table_set(areas, &def, NULL, NULL));
  }
  return areas;
}

/* Unit squares. */
static lw_navmesh *make_grid(const lw_area_table *areas, int side, float height) {
  const int row = side + 1;
  lw_vec3 *vertices = malloc((size_t)row * (size_t)row * sizeof *vertices);
  int *corners = malloc(4 * (size_t)side * (size_t)side * sizeof *corners);
  int *counts = malloc((size_t)side * (size_t)side * sizeof *counts);
  if (!vertices || !corners || !counts) abort();
  for (int i = 0; i < row * row; i++) vertices[i] = (lw_vec3){(float)(i % row), height, (float)(i / row)};
  for (int i = 0; i < side * side; i++) {
    const int first = i / side * row + i % side;
    const int square[] = {first, first + row, first + row + 1, first + 1};
    for (int k = 0; k < 4; k++) corners[4 * i + k] = square[k];
    counts[i] = 4;
  }
  lw_navmesh_def def = lw_navmesh_def_default();
  lw_navmesh *mesh;
  def.areas = areas;
  def.vertices = vertices;
  def.vertex_count = row * row;
  def.corners = corners;
  def.corner_counts = counts;
  def.polygon_count = side * side;
  need(lw_navmesh_create(&def, &mesh, NULL));
  free(vertices);
  free(corners);
  free(counts);
  return mesh;
}

/* @return Median seconds a path. */
static double measure_path(const lw_world *world, lw_vec3 from, lw_vec3 to) {
  double values[ROUNDS];
  lw_path_query query = lw_path_query_default();
  query.from = from;
  query.to = to;
  query.snap = (lw_vec3){1, 2, 1};
  for (int round = 0; round < ROUNDS; round++) {
    const double begin = lwi_clock();
    for (int i = 0; i < TIMES; i++) {
      lw_path *path;
      need(lw_path_find(world, NULL, &query, &path));
      lw_path_destroy(path);
    }
    values[round] = (lwi_clock() - begin) / TIMES;
  }
  return bench_quantile(values, ROUNDS, 0.5);
}

static void measure_links(const lw_area_table *areas, int count) {
  lw_navmesh *meshes[] = {make_grid(areas, LINKED_SIDE, 0), make_grid(areas, LINKED_SIDE, 20)};
  lw_link_def *links = malloc((size_t)count * sizeof *links);
  if (!links) abort();
  for (int i = 0; i < count; i++) {
    const float x = 0.5f + (float)(i % LINKED_SIDE), z = 0.5f + (float)(i / LINKED_SIDE % LINKED_SIDE);
    links[i] = lw_link_def_default();
    links[i].kind = LW_LINK_LADDER;
    links[i].from = (lw_vec3){x, 0, z};
    links[i].to = (lw_vec3){x, 20, z};
    links[i].bidirectional = true;
  }
  lw_world_def def = lw_world_def_default();
  lw_world *world;
  def.navmeshes = (const lw_navmesh *const *)meshes;
  def.navmesh_count = 2;
  def.links = links;
  def.link_count = count;
  const double begin = lwi_clock();
  need(lw_world_create(&def, &world, NULL));
  const double created = lwi_clock() - begin;
  const double near = measure_path(world, (lw_vec3){40, 0, 40}, (lw_vec3){42, 0, 40});
  const double across = measure_path(world, (lw_vec3){10, 0, 10}, (lw_vec3){70, 20, 60});
  printf("%6d links %10.1f us a path of 2 m %10.1f us to the other navmesh, 78 m away %8.1f ms to create\n",
         count, near * 1e6, across * 1e6, created * 1e3);
  lw_world_destroy(world);
  for (int i = 0; i < 2; i++) lw_navmesh_destroy(meshes[i]);
  free(links);
}

static void measure_profiles(const lw_area_table *areas, lw_navmesh *mesh, int count) {
  lw_profile *profiles[PROFILES_MAX];
  lw_world_def def = lw_world_def_default();
  lw_world *world;
  double values[ROUNDS];
  def.navmesh = mesh;
  need(lw_world_create(&def, &world, NULL));
  for (int i = 0; i < count; i++) {
    lw_profile_def profile = lw_profile_def_default();
    profile.avoid[2 + i] = true; /* a filter of its own */
    need(lw_profile_create(&profile, areas, &profiles[i], NULL));
  }
  lw_path_query query = lw_path_query_default();
  query.from = (lw_vec3){75, 0, 75};
  query.to = (lw_vec3){85, 0, 80};
  for (int round = 0; round < ROUNDS; round++) {
    const double begin = lwi_clock();
    for (int i = 0; i < TIMES * count; i++) {
      lw_path *path;
      query.profile = profiles[i % count];
      need(lw_path_find(world, NULL, &query, &path));
      lw_path_destroy(path);
    }
    values[round] = (lwi_clock() - begin) / (TIMES * count);
  }
  printf("%6d profiles in turn %8.1f us a path of 11 m, world %.1f MB\n", count,
         bench_quantile(values, ROUNDS, 0.5) * 1e6, (double)lw_world_memory(world) * 1e-6);
  lw_world_destroy(world);
  for (int i = 0; i < count; i++) lw_profile_destroy(profiles[i]);
}

int main(void) {
  bench_head("growth");
  lw_area_table *areas = make_areas();
  for (int count = 400; count <= 6400; count *= 2) measure_links(areas, count);
  lw_navmesh *mesh = make_grid(areas, PROFILE_SIDE, 0);
  static const int counts[] = {1, 8, 9, 18, 36};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) measure_profiles(areas, mesh, counts[i]);
  lw_navmesh_destroy(mesh);
  lw_area_table_destroy(areas);
  return 0;
}
