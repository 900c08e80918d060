#include "bench_place.h"

#include "bench_support.h"

#include "leeward/query.h"

#include <stdio.h>
#include <stdlib.h>

#define DETOUR_CORNERS 6

static lw_status make_world(bench_mesh *on, lw_error *error) {
  lw_world_def def = lw_world_def_default();
  def.navmesh = on->mesh;
  return lw_world_create(&def, &on->world, error);
}

static void close_mesh(bench_mesh *on) {
  lw_world_destroy(on->world);
  lw_navmesh_destroy(on->mesh);
}

static bool visit_and_close(bench_place *place, float cell, lw_status status, const lw_error *error,
                            bench_visit visit, void *user) {
  char message[256] = "";
  if (status == LW_OK) place->detour = peer_create(place->same.mesh, cell, message, sizeof message);
  if (place->detour)
    visit(place, user);
  else
    printf("%s is left out: %s%s\n", place->name, status == LW_OK ? "Detour: " : "",
           status == LW_OK ? message : error->text);
  peer_destroy(place->detour);
  close_mesh(&place->whole);
  close_mesh(&place->same);
  return place->detour != NULL;
}

static bool visit_level(const bench_level *level, bench_visit visit, void *user) {
  lw_bake_settings settings = level_settings();
  lw_error error = {0};
  bench_place place = {.name = level->name, .geometry = level->geometry};
  lw_status status = lw_navmesh_bake(level->geometry, &settings, &place.same.mesh, NULL, &error);
  if (status == LW_OK) status = make_world(&place.same, &error);
  return visit_and_close(&place, settings.cell_size, status, &error, visit, user);
}

/* @return false: it is there and fails. */
static bool visit_grid(const char *name, const lw_area_table *areas, bench_visit visit, void *user, int *done) {
  lw_error error = {0};
  bench_place place = {.name = name};
  lw_status status = grid_navmesh(name, areas, &place.whole.mesh, &error);
  if (status == LW_NOT_FOUND) {
    printf("%s\n", error.text);
    return true;
  }
  if (status == LW_OK) status = make_world(&place.whole, &error);
  if (status == LW_OK) status = grid_split(place.whole.mesh, DETOUR_CORNERS, &place.same.mesh, &error);
  if (status == LW_OK) status = make_world(&place.same, &error);
  bool visited = visit_and_close(&place, GRID_CELL, status, &error, visit, user);
  *done += visited;
  return visited;
}

int bench_places(bench_visit visit, void *user) {
  lw_area_table *areas;
  lw_error error = {0};
  bench_level levels[LEVEL_COUNT];
  if (level_areas(&areas, &error)) return 0;
  int count = bench_levels(areas, levels), done = 0;
  bool good = true;
  for (int i = 0; i < count; i++) {
    bool visited = visit_level(&levels[i], visit, user);
    done += visited;
    good = good && visited;
  }
  for (int i = 0; i < GRID_COUNT; i++) good = visit_grid(grid_names[i], areas, visit, user, &done) && good;
  bench_levels_free(levels, count);
  lw_area_table_destroy(areas);
  return good ? done : 0;
}

lw_location bench_draw(const bench_mesh *on) {
  lw_random_point_query query = lw_random_point_query_default();
  query.random = lw_world_random_stream(on->world);
  lw_location at;
  query.anywhere = true;
  if (lw_random_point_find(on->world, NULL, &query, &at) != LW_OK) abort();
  return at;
}
