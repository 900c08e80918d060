/* The shared grid maps: imported as they are, and paths on them beside the exact any-angle lengths. */
#include "grids.h"
#include "leeward/leeward.h"
#include "mesh/mesh.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

/* A grid, and what its paths may cost more than the exact ones in the mean: about twice what was measured. */
typedef struct grid {
  const char *name;
  double mean_excess;
} grid;

static const grid grids[] = {
    {"arena", 0.0005}, {"den312d", 0.0002}, {"AR0011SR", 0.0016}, {"den520d", 0.0015}, {"Aurora", 0.008}};

static lw_area_table *areas;

static int make_areas(void **state) {
  (void)state;
  lw_area_def def = lw_area_def_default();
  def.name = "ground";
  return lw_area_table_create(NULL, &areas) != LW_OK || lw_area_table_set(areas, &def, NULL, NULL) != LW_OK;
}

static int drop_areas(void **state) {
  (void)state;
  lw_area_table_destroy(areas);
  return 0;
}

static FILE *open_shared(const char *name, const char *ending, char *path, size_t size) {
  const char *folder = getenv("LEEWARD_SHARED");
  snprintf(path, size, "%s/grids/%s%s", folder && *folder ? folder : "../shared", name, ending);
  return fopen(path, "r");
}

/* Skips the test plainly where the maps are missing. */
static lw_navmesh *import_grid(const char *name) {
  char path[1024];
  FILE *file = open_shared(name, "-merged.mesh", path, sizeof path);
  if (!file) {
    printf("skipped: %s is missing (LEEWARD_SHARED says where to look)\n", path);
    skip();
  }
  fclose(file);
  lw_navmesh *mesh;
  lw_error error;
  if (lw_navmesh_import(path, areas, NULL, &mesh, &error) != LW_OK) fail_msg("%s", error.text);
  if (lw_navmesh_validate(mesh, &error) != LW_OK) fail_msg("%s", error.text);
  return mesh;
}

/* --- neighbours ------------------------------------------------------------------------------------------------ */

static int next_int(FILE *file) {
  int number;
  assert_int_equal(fscanf(file, "%d", &number), 1);
  return number;
}

/* Is there a portal from `polygon` to `to` that is the edge from a to b? */
static bool has_portal(const lw_navmesh *mesh, uint32_t polygon, int to, const float *a, const float *b) {
  for (uint32_t k = mesh->graph.first_portal[polygon]; k < mesh->graph.end_portal[polygon]; k++) {
    lw_vec3 left, right;
    lwi_portal_points(mesh, polygon, &mesh->graph.portals[k], &left, &right);
    if (mesh->graph.portals[k].to != (uint32_t)to) continue;
    if (left.x == a[0] && left.z == a[1] && right.x == b[0] && right.z == b[1]) return true;
    if (left.x == b[0] && left.z == b[1] && right.x == a[0] && right.z == a[1]) return true;
  }
  return false;
}

/* @return How many of the polygon's edges have a neighbour; each must be a portal. */
static uint32_t read_polygon(FILE *file, const lw_navmesh *mesh, uint32_t polygon, const float *points) {
  int corners[255], count = next_int(file);
  uint32_t neighbors = 0;
  assert_in_range(count, 3, 255);
  for (int i = 0; i < count; i++) corners[i] = next_int(file);
  for (int i = 0; i < count; i++) {
    int to = next_int(file), before = corners[(i + count - 1) % count];
    if (to < 0) continue;
    neighbors += 1;
    if (!has_portal(mesh, polygon, to, points + 2 * before, points + 2 * corners[i]))
      fail_msg("polygon %u has no portal to its neighbour %d", (unsigned)polygon, to);
  }
  return neighbors;
}

static void has_the_neighbours_of_its_file(void **state) {
  const grid *of = *state;
  lw_navmesh *mesh = import_grid(of->name);
  char path[1024];
  FILE *file = open_shared(of->name, "-merged.mesh", path, sizeof path);
  int vertex_count, polygon_count;
  assert_int_equal(fscanf(file, " mesh 2 %d %d", &vertex_count, &polygon_count), 2);
  assert_int_equal(mesh->polygons.count, polygon_count);
  float *points = malloc((size_t)vertex_count * 2 * sizeof *points);
  assert_non_null(points);
  for (int i = 0; i < vertex_count; i++) {
    assert_int_equal(fscanf(file, "%f %f", &points[2 * i], &points[2 * i + 1]), 2);
    for (int around = next_int(file); around > 0; around--) next_int(file);
  }
  for (uint32_t p = 0; p < mesh->polygons.count; p++) {
    uint32_t neighbors = read_polygon(file, mesh, p, points),
             portals = mesh->graph.end_portal[p] - mesh->graph.first_portal[p];
    if (neighbors != portals)
      fail_msg("polygon %u has %u portals, but %u neighbours", (unsigned)p, (unsigned)portals,
               (unsigned)neighbors);
  }
  free(points);
  fclose(file);
  lw_navmesh_destroy(mesh);
}

/* --- pieces ---------------------------------------------------------------------------------------------------- */

/* Benches hand the pieces to Detour. */
static void splits_into_pieces_over_the_same_ground(void **state) {
  const grid *of = *state;
  lw_navmesh *mesh = import_grid(of->name), *split;
  lw_error error;
  for (int max = 3; max <= 6; max += 3) {
    if (grid_split(mesh, max, &split, &error) != LW_OK) fail_msg("%s", error.text);
    if (lw_navmesh_validate(split, &error) != LW_OK) fail_msg("%s", error.text);
    for (uint32_t p = 0; p < split->polygons.count; p++)
      assert_in_range(lwi_polygon_get(split, p).count, 3, max);
    assert_true(fabs(split->area - mesh->area) < 1e-9 * mesh->area);
    assert_int_equal(split->graph.island_count, mesh->graph.island_count);
    assert_int_equal(split->polygons.vertex_count, mesh->polygons.vertex_count);
    lw_navmesh_destroy(split);
  }
  lw_navmesh_destroy(mesh);
}

/* --- paths ----------------------------------------------------------------------------------------------------- */

/* A scenario, in corners of the map's cells. */
typedef struct scenario {
  int from_x, from_y, to_x, to_y;
  double exact; /* < 0: there is no path */
} scenario;

static bool next_scenario(FILE *scenarios, FILE *lengths, scenario *next) {
  int index;
  char line[256];
  do {
    if (!fgets(line, sizeof line, lengths)) return false;
  } while (line[0] == '#');
  assert_int_equal(sscanf(line, "%d %lf", &index, &next->exact), 2);
  assert_int_equal(fscanf(scenarios, "%*d %*s %*d %*d %d %d %d %d %*f", &next->from_x, &next->from_y,
                          &next->to_x, &next->to_y),
                   4);
  return true;
}

typedef struct totals {
  int searched, unreachable;
  double excess, worst; /* sum of and greatest, as a part of the exact length */
  scenario worst_case;
} totals;

/* The shortest of all is as long as the exact one. */
static void search_exactly(const lw_world *world, const scenario *known) {
  lw_path_query query = lw_path_query_default();
  lw_path *path;
  query.from = (lw_vec3){(float)known->from_x, 0, (float)known->from_y};
  query.to = (lw_vec3){(float)known->to_x, 0, (float)known->to_y};
  query.quality = LW_QUALITY_EXACT;
  const lw_status status = lw_path_find(world, NULL, &query, &path);
  assert_int_equal(status, known->exact < 0 ? LW_NO_PATH : LW_OK);
  const double length = path ? (double)lw_path_length(path) : known->exact;
  lw_path_destroy(path);
  if (fabs(length - known->exact) > 1e-4 * known->exact + 1e-6)
    fail_msg("%d %d -> %d %d: %.6f m, the shortest has %.6f m", known->from_x, known->from_y, known->to_x,
             known->to_y, length, known->exact);
}

static void search(lw_world *world, const scenario *known, totals *sum) {
  lw_path_query query = lw_path_query_default();
  query.from = (lw_vec3){(float)known->from_x, 0, (float)known->from_y};
  query.to = (lw_vec3){(float)known->to_x, 0, (float)known->to_y};
  lw_path *path;
  lw_status status = lw_path_find(world, NULL, &query, &path);
  sum->searched += 1;
  if (known->exact < 0) {
    sum->unreachable += 1;
    if (status != LW_NO_PATH)
      fail_msg("%d %d -> %d %d: expected no path, got %s", known->from_x, known->from_y, known->to_x,
               known->to_y, lw_status_name(status));
    return;
  }
  if (status != LW_OK)
    fail_msg("%d %d -> %d %d: %s, but %.3f m are known", known->from_x, known->from_y, known->to_x, known->to_y,
             lw_status_name(status), known->exact);
  double length = (double)lw_path_length(path);
  lw_path_destroy(path);
  if (length < known->exact - 1e-3)
    fail_msg("%d %d -> %d %d: %.6f m, but none is shorter than %.6f m", known->from_x, known->from_y,
             known->to_x, known->to_y, length, known->exact);
  double excess = known->exact > 0 ? length / known->exact - 1 : 0;
  sum->excess += excess;
  if (excess <= sum->worst) return;
  sum->worst = excess;
  sum->worst_case = *known;
}

static void has_no_path_shorter_than_the_exact_one(void **state) {
  const grid *of = *state;
  lw_navmesh *mesh = import_grid(of->name);
  lw_world_def def = lw_world_def_default();
  def.navmesh = mesh;
  lw_world *world;
  assert_int_equal(lw_world_create(&def, &world, NULL), LW_OK);
  char path[1024];
  FILE *scenarios = open_shared(of->name, ".map.scen", path, sizeof path);
  FILE *lengths = open_shared(of->name, ".anyangle.txt", path, sizeof path);
  assert_non_null(scenarios);
  assert_non_null(lengths);
  assert_non_null(fgets(path, sizeof path, scenarios)); /* version 1 */
  totals sum = {0};
  scenario known;
  clock_t before = clock();
  while (next_scenario(scenarios, lengths, &known)) search(world, &known, &sum);
  double seconds = (double)(clock() - before) / CLOCKS_PER_SEC,
         mean = sum.excess / (sum.searched - sum.unreachable);
  printf(
      "note: %s: %d polygons, %d paths (%d not connected), excess over the exact length: mean %.3f %%, worst "
      "%.1f %% (%d,%d to %d,%d), %.0f us a path\n",
      of->name, (int)mesh->polygons.count, sum.searched, sum.unreachable, 100 * mean, 100 * sum.worst,
      sum.worst_case.from_x, sum.worst_case.from_y, sum.worst_case.to_x, sum.worst_case.to_y,
      1e6 * seconds / sum.searched);
  rewind(lengths);
  rewind(scenarios);
  assert_non_null(fgets(path, sizeof path, scenarios));
  while (next_scenario(scenarios, lengths, &known)) search_exactly(world, &known);
  fclose(lengths);
  fclose(scenarios);
  lw_world_destroy(world);
  lw_navmesh_destroy(mesh);
  assert_true(sum.searched > 100);
  assert_true(mean < of->mean_excess);
  assert_true(sum.worst < 0.3); /* no path runs ahead and back */
}

#define TESTS(i, map)                                                                                          \
  {"the_neighbours_of_" map "_are_those_of_its_file", has_the_neighbours_of_its_file, NULL, NULL,              \
   (void *)(uintptr_t)&grids[i]},                                                                              \
      {"the_pieces_of_" map "_lie_over_the_same_ground", splits_into_pieces_over_the_same_ground, NULL, NULL,  \
       (void *)(uintptr_t)&grids[i]},                                                                          \
  {                                                                                                            \
    "no_path_on_" map "_is_shorter_than_the_exact_one", has_no_path_shorter_than_the_exact_one, NULL, NULL,    \
        (void *)(uintptr_t)&grids[i]                                                                           \
  }

int main(void) {
  const struct CMUnitTest tests[] = {
      TESTS(0, "arena"), TESTS(1, "den312d"), TESTS(2, "AR0011SR"), TESTS(3, "den520d"), TESTS(4, "Aurora"),
  };
  return cmocka_run_group_tests_name("grids", tests, make_areas, drop_areas);
}
