/* What it costs a world to switch a permutation that touches a tenth of the tiles: one box in each, cut out while the state
   is set, with nothing that it hides and with what it hides; and the tiles themselves removed, the navmesh without them
   given as it is, or put together from tiles when it is first needed. */
#include "bench_place.h"
#include "bench_support.h"

#include "leeward/leeward.h"

#include <stdio.h>
#include <stdlib.h>

#define SWITCHES 200
#define BOXES_MAX 256
#define DRAWS 100000

static void need(lw_status status) {
  if (status == LW_OK) return;
  printf("failed: %s\n", lw_status_text(status));
  exit(1);
}

/* A box in each of a tenth of the tiles that have ground, at least one. @return How many. */
static int draw_boxes(const bench_place *place, lw_obstacle_def *boxes, lw_cover_kind cover) {
  const lw_navmesh *mesh = place->same.mesh;
  bool *has = calloc(mesh->tiles.count, sizeof *has);
  int wanted = 0, count = 0;
  if (!has) abort();
  for (uint32_t i = 0; i < mesh->tiles.count; i++) wanted += mesh->tiles.items[i].polygon_count > 0;
  wanted = wanted < 20 ? 1 : wanted / 10 < BOXES_MAX ? wanted / 10 : BOXES_MAX;
  for (int draw = 0; draw < DRAWS && count < wanted; draw++) {
    const lw_location at = bench_draw(&place->same);
    const uint32_t tile = mesh->polygons.ranges[lwi_poly_index(mesh, at.poly)].tile;
    if (has[tile]) continue;
    has[tile] = true;
    boxes[count] = lw_obstacle_def_default();
    boxes[count].at = at.point;
    boxes[count].size = (lw_vec3){3, 2, 3};
    boxes[count++].cover = cover;
  }
  free(has);
  return count;
}

/* [us] */
static double set(lw_world *world, const char *state) {
  const double begin = bench_time();
  need(lw_permutation_set(world, "gates", state, NULL));
  need(lw_world_apply_changes(world));
  return (bench_time() - begin) * 1e6;
}

static void measure(const bench_place *place, lw_cover_kind cover) {
  static lw_obstacle_def boxes[BOXES_MAX];
  static double shut[SWITCHES], open[SWITCHES];
  const int count = draw_boxes(place, boxes, cover);
  const lw_permutation_state_def states[] = {{.name = "open"},
                                             {.name = "shut", .volumes = boxes, .volume_count = count}};
  lw_permutation_def def = lw_permutation_def_default();
  lw_world_def world_def = lw_world_def_default();
  lw_world *world;
  def.name = "gates";
  def.states = states;
  def.state_count = 2;
  world_def.navmesh = place->same.mesh;
  need(lw_world_create(&world_def, &world, NULL));
  need(lw_permutation_define(world, &def, NULL));
  need(lw_world_apply_changes(world));
  const double first = set(world, "shut");
  set(world, "open");
  for (int i = 0; i < SWITCHES; i++) {
    shut[i] = set(world, "shut");
    open[i] = set(world, "open");
  }
  printf("%-18s %3d boxes, %-11s  first %7.1f us; again %7.1f (99 %%: %7.1f); back %6.1f (99 %%: %6.1f)\n",
         place->name, count, cover == LW_COVER_NONE ? "hide nothing" : "hide", first,
         bench_quantile(shut, SWITCHES, 0.5), bench_quantile(shut, SWITCHES, 0.99),
         bench_quantile(open, SWITCHES, 0.5), bench_quantile(open, SWITCHES, 0.99));
  lw_world_destroy(world);
}

/* Every tenth tile, removed; or all in which another navmesh differs. @return How many. */
static int list_tiles(const lw_navmesh *mesh, const lw_navmesh *from, lw_permutation_tile *tiles) {
  static lw_tile_change changes[BOXES_MAX];
  lw_navmesh_tile tile;
  int count = 0;
  if (from) {
    need(lw_navmesh_differing_tiles(mesh, from, changes, BOXES_MAX, &count, NULL));
    if (count > BOXES_MAX) count = BOXES_MAX;
    for (int i = 0; i < count; i++) tiles[i] = (lw_permutation_tile){0, changes[i]};
    return count;
  }
  for (int i = 5; count < BOXES_MAX && lw_navmesh_get_tile(mesh, i, &tile) == LW_OK; i += 10)
    tiles[count++] = (lw_permutation_tile){0, {tile.x, tile.z, from}};
  return count;
}

static lw_navmesh *without(const lw_navmesh *mesh) {
  lw_permutation_tile tiles[BOXES_MAX];
  lw_tile_change changes[BOXES_MAX];
  lw_navmesh *result = NULL;
  const int count = list_tiles(mesh, NULL, tiles);
  for (int i = 0; i < count; i++) changes[i] = tiles[i].tile;
  if (count > 0 && lw_navmesh_replace_tiles(mesh, changes, count, NULL, &result, NULL) != LW_OK) return NULL;
  return result;
}

static void measure_tiles(const bench_place *place, const lw_navmesh *from, const char *how) {
  static double gone[SWITCHES], back[SWITCHES];
  lw_permutation_tile tiles[BOXES_MAX];
  const int count = list_tiles(place->same.mesh, from, tiles);
  const lw_permutation_state_def states[] = {{.name = "open"},
                                             {.name = "shut", .tiles = tiles, .tile_count = count}};
  lw_permutation_def def = lw_permutation_def_default();
  lw_world_def world_def = lw_world_def_default();
  lw_world *world;
  def.name = "gates";
  def.states = states;
  def.state_count = 2;
  world_def.navmesh = place->same.mesh;
  need(lw_world_create(&world_def, &world, NULL));
  need(lw_permutation_define(world, &def, NULL));
  need(lw_world_apply_changes(world));
  const double first = set(world, "shut");
  set(world, "open");
  for (int i = 0; i < SWITCHES; i++) {
    gone[i] = set(world, "shut");
    back[i] = set(world, "open");
  }
  printf("%-18s %3d tiles, %-11s  first %7.1f us; again %7.1f (99 %%: %7.1f); back %6.1f (99 %%: %6.1f)\n",
         place->name, count, how, first, bench_quantile(gone, SWITCHES, 0.5),
         bench_quantile(gone, SWITCHES, 0.99), bench_quantile(back, SWITCHES, 0.5),
         bench_quantile(back, SWITCHES, 0.99));
  lw_world_destroy(world);
}

static void visit(bench_place *place, void *user) {
  (void)user;
  lw_navmesh *removed = without(place->same.mesh);
  if (removed) measure_tiles(place, removed, "whole");
  if (removed) measure_tiles(place, NULL, "together");
  lw_navmesh_destroy(removed);
  measure(place, LW_COVER_NONE);
  measure(place, LW_COVER_HARD);
  fflush(stdout);
}

int main(void) {
  bench_head("permutations");
  return bench_places(visit, NULL) > 0 ? 0 : 1;
}
