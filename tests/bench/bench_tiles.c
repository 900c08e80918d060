/* Navmeshes that are swapped: another one whose tiles are almost all the same, without agents and with a thousand that
   walk; tiles that are replaced, one and a tenth of them; and one on levels that are twice and four times as wide and
   deep. */
#include "bench_support.h"

#include "core/random.h"
#include "leeward/leeward.h"

#include <stdio.h>
#include <stdlib.h>

#define AGENTS 1000
#define SWAPS 60
#define REPLACES 9
#define CHANGES_MAX 64
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

/* One tile in the middle, or every tenth. @return How many. */
static int list_tiles(const lw_navmesh *mesh, bool is_tenth, const lw_navmesh *from, lw_tile_change *changes) {
  const int tiles = lw_navmesh_get_stats(mesh).tiles;
  int count = 0;
  lw_navmesh_tile tile;
  for (int i = is_tenth ? 5 : tiles / 2; i < tiles && count < CHANGES_MAX && (is_tenth || count == 0);
       i += 10) {
    need(lw_navmesh_get_tile(mesh, i, &tile), NULL);
    changes[count++] = (lw_tile_change){tile.x, tile.z, from};
  }
  return count;
}

/* The same navmesh without some tiles. */
static lw_navmesh *without_tiles(const lw_navmesh *mesh, bool is_tenth) {
  lw_tile_change changes[CHANGES_MAX];
  lw_navmesh *result;
  lw_error error = {.text = ""};
  const int count = list_tiles(mesh, is_tenth, NULL, changes);
  need(lw_navmesh_replace_tiles(mesh, changes, count, NULL, &result, &error), &error);
  return result;
}

/* The median time to put those tiles back, in milliseconds. */
static double time_replace(const lw_navmesh *mesh, const lw_navmesh *without, bool is_tenth) {
  double took[REPLACES];
  lw_tile_change changes[CHANGES_MAX];
  const int count = list_tiles(mesh, is_tenth, mesh, changes);
  for (int i = 0; i < REPLACES; i++) {
    lw_navmesh *result;
    const double begin = bench_time();
    need(lw_navmesh_replace_tiles(without, changes, count, NULL, &result, NULL), NULL);
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
  lw_navmesh *without = without_tiles(mesh, false), *without_tenth = without_tiles(mesh, true);
  const lw_navmesh *const meshes[] = {mesh, without};
  const lw_profile_def profile_def = lw_profile_def_default();
  need(lw_profile_create(&profile_def, areas, &profile, &error), &error);
  lw_world_def def = lw_world_def_default();
  def.navmesh = mesh;
  need(lw_world_create(&def, &world, &error), &error);
  const double alone = time_swaps(world, meshes, agents, 0, &random);
  spawn(world, profile, agents, &random);
  const double crowded = time_swaps(world, meshes, agents, AGENTS, &random);
  printf("%-16s %6d %9d %12.0f us %14.0f us %14.1f ms %14.1f ms %7d kB\n", level->name,
         lw_navmesh_get_stats(mesh).tiles, lw_navmesh_get_stats(mesh).polygons, alone, crowded,
         time_replace(mesh, without, false), time_replace(mesh, without_tenth, true),
         (int)(lw_navmesh_get_stats(without).bytes / 1000));
  lw_world_destroy(world);
  lw_profile_destroy(profile);
  lw_navmesh_destroy(mesh);
  lw_navmesh_destroy(without);
  lw_navmesh_destroy(without_tenth);
}

/* --- growth ----------------------------------------------------------------------------------------------- */

/* A floor with a house on each square of 8 m: walls on three sides. */
static lw_geometry *make_town(const lw_area_table *areas, lw_area_id ground, int blocks) {
  const float size = 8.0f * (float)blocks;
  const lw_geometry_box floor = {
      .at = {size / 2, -1, size / 2}, .size = {size + 2, 1, size + 2}, .area = ground};
  lw_geometry *town;
  need(lw_geometry_create(areas, NULL, &town), NULL);
  need(lw_geometry_add_box(town, &floor, NULL), NULL);
  for (int z = 0; z < blocks; z++)
    for (int x = 0; x < blocks; x++) {
      const float at_x = 8 * (float)x + 4, at_z = 8 * (float)z + 4;
      const lw_geometry_box walls[] = {
          {.at = {at_x, 0, at_z - 1.5f}, .size = {3, 2, 0.3f}, .area = LW_AREA_NONE},
          {.at = {at_x - 1.5f, 0, at_z}, .size = {0.3f, 2, 3}, .area = LW_AREA_NONE},
          {.at = {at_x + 1.5f, 0, at_z}, .size = {0.3f, 1, 3}, .area = LW_AREA_NONE}};
      for (int i = 0; i < 3; i++) need(lw_geometry_add_box(town, &walls[i], NULL), NULL);
    }
  return town;
}

static void run_town(const lw_area_table *areas, lw_area_id ground, int blocks) {
  lw_geometry *town = make_town(areas, ground, blocks);
  lw_bake_settings settings = lw_bake_settings_default();
  lw_navmesh *mesh;
  lw_error error = {.text = ""};
  settings.tile_size = 16;
  need(lw_navmesh_bake(town, &settings, &mesh, NULL, &error), &error);
  lw_navmesh *without = without_tiles(mesh, false);
  printf("%3d x %-10d %6d %9d %68.2f ms\n", 8 * blocks, 8 * blocks, lw_navmesh_get_stats(mesh).tiles,
         lw_navmesh_get_stats(mesh).polygons, time_replace(mesh, without, false));
  fflush(stdout);
  lw_navmesh_destroy(without);
  lw_navmesh_destroy(mesh);
  lw_geometry_destroy(town);
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
  printf("%-16s %6s %9s %15s %17s %17s %17s %10s\n", "level", "tiles", "polygons", "swap", "with 1,000 agents",
         "one tile replaced", "a tenth", "a state");
  for (int i = 0; i < count; i++) run(&levels[i], areas);
  for (int blocks = 16; blocks <= 64; blocks *= 2) run_town(areas, id, blocks);
  bench_levels_free(levels, count);
  lw_area_table_destroy(areas);
  return count > 0 ? 0 : 1;
}
