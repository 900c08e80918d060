/* What dividing a navmesh into rooms takes, and what comes out: on the shared levels and grids. The first argument is the
   area above which rooms are cut. [m2] */
#include "bench_place.h"
#include "bench_support.h"

#include "leeward/regions.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define ROUNDS 3

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

int main(int argc, char **argv) {
  float max_area = argc > 1 ? (float)atof(argv[1]) : 0;
  bench_head("rooms");
  printf("the least of %d; rooms, doors and districts; median and greatest area; median width of doors\n",
         ROUNDS);
  printf("%-26s %7s %8s %7s %6s %6s %6s %8s %8s %8s %9s\n", "place", "polys", "ms", "us/poly", "rooms", "doors",
         "distr.", "m2", "max m2", "door m", "bytes/poly");
  return bench_places(visit, argc > 1 ? &max_area : NULL) == 0;
}
