/* What dividing a navmesh into rooms takes, and what comes out: on the shared levels and grids. Then what walks by plans lose
   beside whole paths, and what their searches take. The first argument is the area above which rooms are cut. [m2] */
#include "bench_place.h"
#include "bench_support.h"

#include "core/vec3.h"

#include "leeward/path.h"
#include "leeward/room_graph.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define ROUNDS 3
#define PAIRS 300
#define STEPS_MAX 512
#define AHEAD 3
#define HERE 2.0f /* as in behaviors/nodes/move_by_rooms.lua */

static void visit(bench_place *place, void *user) {
  const lw_navmesh *mesh = place->same.mesh;
  const int polygons = (int)mesh->polygons.count;
  lw_regions_def def = lw_regions_def_default();
  if (user) def.max_area = *(const float *)user;
  double took = INFINITY;
  lw_regions *regions = NULL;
  for (int round = 0; round < ROUNDS; round++) {
    lw_regions_destroy(regions);
    const double began = bench_clock();
    if (lw_regions_create(mesh, &def, &regions, NULL) != LW_OK) abort();
    took = fmin(took, bench_clock() - began);
  }
  const int rooms = lw_regions_room_count(regions), doors = lw_regions_door_count(regions);
  double *areas = malloc((size_t)rooms * sizeof *areas), *widths = malloc((size_t)(doors + 1) * sizeof *widths);
  if (!areas || !widths) abort();
  widths[0] = 0;
  for (int i = 0; i < rooms; i++) {
    lw_room room;
    lw_regions_get_room(regions, i, &room);
    areas[i] = (double)room.area;
  }
  for (int i = 0; i < doors; i++) {
    lw_room_door door;
    lw_regions_get_door(regions, i, &door);
    widths[i] = (double)door.width;
  }
  printf("%-26s %7d %8.2f %7.2f %6d %6d %6d %8.1f %8.0f %8.1f %9.1f\n", place->name, polygons, 1e3 * took,
         1e6 * took / polygons, rooms, doors, lw_regions_district_count(regions),
         bench_quantile(areas, rooms, 0.5), bench_quantile(areas, rooms, 1), bench_quantile(widths, doors, 0.5),
         (double)lw_regions_memory(regions) / polygons);
  fflush(stdout);
  free(areas);
  free(widths);
  lw_regions_destroy(regions);
}

/* --- walks -------------------------------------------------------------------------------------------------------- */

typedef struct walk_figures {
  double excess[PAIRS]; /* of the length, as a part of the whole path's */
  int count, failed;
  double plan_time, first_time, whole_time, whole_nodes, first_nodes, nodes, searches;
} walk_figures;

/* Where a walk goes to now, and at what distance from there it goes on. @return Whether that is the goal. */
static bool next_place(const lw_room_graph *graph, lw_vec3 at, lw_vec3 goal, lw_vec3 *place, float *near) {
  lw_room_plan_query query = lw_room_plan_query_default();
  lw_room_step steps[STEPS_MAX];
  int count = 0;
  query.from = at;
  query.to = goal;
  *place = goal;
  *near = 0;
  if (lw_room_plan_find(graph, &query, steps, STEPS_MAX, &count, NULL) != LW_OK || count > STEPS_MAX)
    return true;
  int number = AHEAD;
  while (number < count && lwi_distance(at, steps[number].at) < HERE) number++;
  if (number + 1 >= count) return true;
  *place = steps[number].at;
  *near = fmaxf(1, fminf(lwi_distance(*place, steps[number - 1].at), lwi_distance(*place, at) / 2));
  return false;
}

/* Walk along a path until less than `near` is left of it. @return How far. */
static double walk_along(const lw_path *path, float near, lw_vec3 *at) {
  int count = 0;
  const lw_vec3 *points = lw_path_points(path, &count);
  double left = (double)lw_path_length(path) - (double)near, walked = 0;
  for (int i = 0; i + 1 < count; i++) {
    const double piece = (double)lwi_distance(points[i], points[i + 1]);
    *at = points[i + 1];
    if (piece > left && lw_path_link(path, i) == LW_LINK_NONE) {
      *at = lwi_lerp(points[i], points[i + 1], (float)(left / piece));
      return walked + left;
    }
    left -= piece;
    walked += piece;
    if (left <= 0) break;
  }
  return walked;
}

static double walk(const lw_world *world, const lw_room_graph *graph, lw_vec3 at, lw_vec3 goal,
                   walk_figures *of) {
  double length = 0;
  for (int searches = 0; searches < 200; searches++) {
    lw_path_query query = lw_path_query_default();
    lw_path *path;
    float near;
    const double began = bench_time();
    const bool is_last = next_place(graph, at, goal, &query.to, &near);
    const double planned = bench_time();
    query.from = at;
    if (lw_path_find(world, NULL, &query, &path) != LW_OK) return INFINITY;
    of->plan_time += searches == 0 ? planned - began : 0;
    of->first_time += searches == 0 ? bench_time() - began : 0;
    of->first_nodes += searches == 0 ? lw_path_nodes(path) : 0;
    of->nodes += lw_path_nodes(path);
    of->searches += 1;
    length += walk_along(path, near, &at);
    lw_path_destroy(path);
    if (is_last) return length;
  }
  return INFINITY;
}

static void walk_pairs(const bench_mesh *on, const lw_room_graph *graph, walk_figures *of) {
  for (int i = 0; i < PAIRS; i++) {
    lw_path_query query = lw_path_query_default();
    lw_path *path;
    query.from = bench_draw(on).point;
    query.to = bench_draw(on).point;
    lw_path_find(on->world, NULL, &query, &path); /* warm */
    lw_path_destroy(path);
    const double began = bench_time();
    if (lw_path_find(on->world, NULL, &query, &path) != LW_OK) continue;
    of->whole_time += bench_time() - began;
    of->whole_nodes += lw_path_nodes(path);
    const double whole = (double)lw_path_length(path),
                 length = walk(on->world, graph, query.from, query.to, of);
    lw_path_destroy(path);
    if (!(length < INFINITY)) of->failed++;
    if (whole > 0 && length < INFINITY) of->excess[of->count++] = length / whole - 1;
  }
}

static void visit_walks(bench_place *place, void *user) {
  lw_regions_def def = lw_regions_def_default();
  lw_regions *regions;
  lw_room_graph *graph;
  walk_figures of = {.count = 0};
  if (user) def.max_area = *(const float *)user;
  if (lw_regions_create(place->same.mesh, &def, &regions, NULL) != LW_OK) abort();
  if (lw_world_set_regions(place->same.world, 0, regions) != LW_OK) abort();
  const double began = bench_clock();
  if (lw_room_graph_create(place->same.world, 0, NULL, &graph) != LW_OK) abort();
  const double built = bench_clock() - began;
  walk_pairs(&place->same, graph, &of);
  const double count = of.count;
  printf("%-26s %8.2f %7.1f %5d %7.2f %7.2f %7.1f | %7.1f %7.1f %7.1f | %7.0f %7.0f %7.0f %6.1f\n", place->name,
         1e3 * built, (double)lw_room_graph_memory(graph) / place->same.mesh->polygons.count, of.failed,
         100 * bench_mean(of.excess, of.count), 100 * bench_quantile(of.excess, of.count, 0.99),
         100 * bench_quantile(of.excess, of.count, 1), 1e6 * of.plan_time / count, 1e6 * of.first_time / count,
         1e6 * of.whole_time / count, of.first_nodes / count, of.nodes / count, of.whole_nodes / count,
         of.searches / count);
  fflush(stdout);
  lw_room_graph_destroy(graph);
  lw_world_set_regions(place->same.world, 0, NULL);
  lw_regions_destroy(regions);
}

int main(int argc, char **argv) {
  float max_area = argc > 1 ? (float)atof(argv[1]) : 0;
  bench_head("rooms");
  printf("the least of %d; rooms, doors and districts; median and greatest area; median width of doors\n",
         ROUNDS);
  printf("%-26s %7s %8s %7s %6s %6s %6s %8s %8s %8s %9s\n", "place", "polys", "ms", "us/poly", "rooms", "doors",
         "distr.", "m2", "max m2", "door m", "bytes/poly");
  const bool all = bench_places(visit, argc > 1 ? &max_area : NULL) > 0;
  printf("\nthe room graph: ms, bytes a polygon; walks by plans that failed; their length above whole paths', "
         "mean, 99th "
         "percentile, worst [%%];\na plan, a plan and the first search, a whole path [us]; nodes of the first "
         "search, of all "
         "of a walk, of a whole path; searches\n");
  printf("%-26s %8s %7s %5s %7s %7s %7s | %7s %7s %7s | %7s %7s %7s %6s\n", "place", "ms", "bytes", "fail",
         "mean", "p99", "worst", "plan", "first", "whole", "first", "walk", "whole", "srch");
  return !all || bench_places(visit_walks, argc > 1 ? &max_area : NULL) == 0;
}
