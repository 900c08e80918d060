/* Navmeshes that are swapped: another one whose tiles are almost all the same, without agents and with a thousand that
   walk; and tiles that are replaced. */
#include "bench_support.h"

#include "core/random.h"
#include "leeward/leeward.h"

#include <stdio.h>
#include <stdlib.h>

#define AGENTS 1000
#define SWAPS 60
#define REPLACES 9
#define DT (1.0f / 60)

static void need(lw_status status, const lw_error *error) {
  if (status == LW_OK) return;
  printf("failed: %s\n", error ? error->text : lw_status_text(status));
  exit(1);
}

static lw_vec3 draw(const lw_world *world, lw_random *random) {
  lw_random_point_query query = lw_random_point_query_default();
  lw_location at;
  query.random = random;
  query.anywhere = true;
  need(lw_random_point_find(world, NULL, &query, &at), NULL);
  return at.point;
}

/* Let agents walk to places at random. */
static void send(lw_world *world, const lw_agent_id *agents, int count, lw_random *random) {
  for (int i = 0; i < count; i++) lw_agent_move_to(world, agents[i], draw(world, random), 0.5f);
}

static void spawn(lw_world *world, const lw_profile *profile, lw_agent_id *agents, lw_random *random) {
  for (int i = 0; i < AGENTS; i++) {
    lw_agent_def def = lw_agent_def_default();
    def.profile = profile;
    def.at = draw(world, random);
    need(lw_agent_spawn(world, &def, &agents[i], NULL), NULL);
  }
}

/* The median time of lw_world_apply_changes() with a swap, in microseconds. */
static double time_swaps(lw_world *world, const lw_navmesh *const *meshes, const lw_agent_id *agents, int count,
                         lw_random *random) {
  double took[SWAPS];
  for (int i = 0; i < SWAPS; i++) {
    if (i % 10 == 0) send(world, agents, count, random);
    for (int k = 0; k < 10; k++) need(lw_world_step(world, DT), NULL);
    need(lw_world_set_navmesh(world, 0, meshes[(i + 1) % 2], NULL), NULL);
    const double begin = bench_time();
    need(lw_world_apply_changes(world), NULL);
    took[i] = (bench_time() - begin) * 1e6;
  }
  return bench_quantile(took, SWAPS, 0.5);
}

/* The same navmesh with one tile less. */
static lw_navmesh *without_tile(const lw_navmesh *mesh) {
  lw_navmesh_tile tile;
  lw_navmesh *result;
  lw_error error = {.text = ""};
  need(lw_navmesh_get_tile(mesh, lw_navmesh_get_stats(mesh).tiles / 2, &tile), NULL);
  const lw_tile_change change = {tile.x, tile.z, NULL};
  need(lw_navmesh_replace_tiles(mesh, &change, 1, NULL, &result, &error), &error);
  return result;
}

/* The median time to put that tile back, in milliseconds. */
static double time_replace(const lw_navmesh *mesh, const lw_navmesh *without) {
  double took[REPLACES];
  lw_navmesh_tile tile;
  need(lw_navmesh_get_tile(mesh, lw_navmesh_get_stats(mesh).tiles / 2, &tile), NULL);
  const lw_tile_change change = {tile.x, tile.z, mesh};
  for (int i = 0; i < REPLACES; i++) {
    lw_navmesh *result;
    const double begin = bench_time();
    need(lw_navmesh_replace_tiles(without, &change, 1, NULL, &result, NULL), NULL);
    took[i] = (bench_time() - begin) * 1e3;
    lw_navmesh_destroy(result);
  }
  return bench_quantile(took, REPLACES, 0.5);
}

static void run(const bench_level *level, const lw_area_table *areas) {
  lw_bake_settings settings = lw_bake_settings_default();
  lw_navmesh *mesh;
  lw_world *world;
  lw_profile *profile;
  static lw_agent_id agents[AGENTS];
  lw_random random = lwi_random_make(1, 0);
  lw_error error = {.text = ""};
  settings.tile_size = 16;
  need(lw_navmesh_bake(level->geometry, &settings, &mesh, NULL, &error), &error);
  lw_navmesh *without = without_tile(mesh);
  const lw_navmesh *const meshes[] = {mesh, without};
  const lw_profile_def profile_def = lw_profile_def_default();
  need(lw_profile_create(&profile_def, areas, &profile, &error), &error);
  lw_world_def def = lw_world_def_default();
  def.navmesh = mesh;
  need(lw_world_create(&def, &world, &error), &error);
  const double alone = time_swaps(world, meshes, agents, 0, &random);
  spawn(world, profile, agents, &random);
  const double crowded = time_swaps(world, meshes, agents, AGENTS, &random);
  printf("%-16s %6d %9d %12.0f us %14.0f us %14.1f ms\n", level->name, lw_navmesh_get_stats(mesh).tiles,
         lw_navmesh_get_stats(mesh).polygons, alone, crowded, time_replace(mesh, without));
  lw_world_destroy(world);
  lw_profile_destroy(profile);
  lw_navmesh_destroy(mesh);
  lw_navmesh_destroy(without);
}

int main(void) {
  bench_level levels[LEVEL_COUNT];
  lw_area_table *areas;
  lw_area_def ground = lw_area_def_default();
  lw_area_id id;
  bench_head("tiles");
  need(lw_area_table_create(NULL, &areas), NULL);
  ground.name = "ground";
  need(lw_area_table_set(areas, &ground, &id, NULL), NULL);
  const int count = bench_levels(areas, levels);
  printf("%-16s %6s %9s %15s %17s %17s\n", "level", "tiles", "polygons", "swap", "with 1,000 agents",
         "one tile replaced");
  for (int i = 0; i < count; i++) run(&levels[i], areas);
  bench_levels_free(levels, count);
  lw_area_table_destroy(areas);
  return count > 0 ? 0 : 1;
}
