/* No path of good quality costs more than the fast one: in random levels of walls and patches, for agents of all sizes, past
   dangers and fire lanes, in sight of threats. The seed is printed; LEEWARD_SEED sets it. */
#include "bake_scene.h"
#include "core/random.h"
#include "core/vec3.h"
#include "sight_scene.h"

#include "leeward/leeward.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#define SIDE 60.0f
#define LEVELS 8
#define PATHS 40 /* on each level, of each profile, with each of EXTRAS */
/* Costs are sums of floats. */
#define ROUNDING 1.00001

enum { PLAIN, REGIONS, THREATS, EXTRAS };
enum { SMALL, LARGE, PROFILES };

static float between(lw_random *random, float low, float high) {
  return low + (high - low) * lwi_random_unit(random);
}

static lw_vec3 place(lw_random *random, float y) {
  return (lw_vec3){between(random, 0, SIDE), y, between(random, 0, SIDE)};
}

static void add_walls(lw_geometry *geometry, lw_random *random) {
  const int count = 1 + (int)between(random, 0, 12);
  for (int i = 0; i < count; i++) {
    const float length = between(random, 1, 30);
    const bool along_x = lwi_random_unit(random) < 0.5f;
    const lw_geometry_box wall = {.at = place(random, 0),
                                  .size = along_x ? lwi_vec3(length, 2, 1) : lwi_vec3(1, 2, length),
                                  .area = LW_AREA_NONE};
    lw_error error = {0};
    if (lw_geometry_add_box(geometry, &wall, &error) != LW_OK) fail_msg("%s", error.text);
  }
}

static void add_roads(lw_geometry *geometry, lw_random *random) {
  const int count = (int)between(random, 0, 4);
  for (int i = 0; i < count; i++) {
    const lw_vec3 points[] = {place(random, 0), place(random, 0), place(random, 0)};
    lw_mark_def mark = lw_mark_def_default(LW_MARK_PATH);
    mark.points = points;
    mark.point_count = 3;
    mark.area = SCENE_ROAD;
    mark.width = between(random, 2, 5);
    lw_error error = {0};
    if (lw_geometry_mark_area(geometry, &mark, &error) != LW_OK) fail_msg("%s", error.text);
  }
}

static lw_navmesh *make_level(lw_random *random) {
  lw_geometry *geometry = scene_floor(scene_table, SIDE, SIDE);
  add_walls(geometry, random);
  add_roads(geometry, random);
  lw_bake_settings settings = lw_bake_settings_default();
  settings.agent_radius = 0.4f;
  settings.cell_size = 0.2f;
  settings.tile_size = lwi_random_unit(random) < 0.5f ? 16 : 64;
  settings.threads = 1;
  lw_navmesh *navmesh = scene_bake(geometry, &settings, NULL);
  lw_geometry_destroy(geometry);
  return navmesh;
}

static void make_profiles(lw_profile **profiles) {
  lw_profile_def def = lw_profile_def_default();
  def.name = "walker";
  def.danger_cost = 20;
  def.cover_bias = 6;
  def.area_factor[SCENE_GROUND] = 1;
  def.exposure_factor = 3;
  lw_error error = {0};
  if (lw_profile_create(&def, scene_table, &profiles[SMALL], &error) != LW_OK) fail_msg("%s", error.text);
  def.name = "car";
  def.radius = 1.1f;
  def.area_factor[SCENE_GROUND] = 9;
  def.exposure_factor = 0;
  if (lw_profile_create(&def, scene_table, &profiles[LARGE], &error) != LW_OK) fail_msg("%s", error.text);
}

static void add_regions(lw_world *world, lw_random *random) {
  for (int i = 0; i < 8; i++) {
    lw_danger_def danger = lw_danger_def_default();
    lw_danger_id danger_id;
    danger.at = place(random, 0);
    danger.radius = between(random, 1, 8);
    assert_int_equal(lw_danger_add(world, &danger, &danger_id, NULL), LW_OK);
    lw_fire_lane_def lane = lw_fire_lane_def_default();
    lw_fire_lane_id lane_id;
    lane.from = place(random, 1);
    lane.to = place(random, 1);
    if (i % 2 == 0) assert_int_equal(lw_fire_lane_add(world, &lane, &lane_id, NULL), LW_OK);
  }
}

/* @return The path's cost; 0: there is none. */
static double cost_of(const lw_world *world, lw_path_query query, lw_quality quality) {
  lw_path *path;
  query.quality = quality;
  const lw_status status = lw_path_find(world, NULL, &query, &path);
  const double cost = status == LW_OK ? (double)lw_path_cost(path) : 0;
  assert_true(status == LW_OK || status == LW_NO_PATH || status == LW_NO_START || status == LW_NO_GOAL);
  lw_path_destroy(path);
  return cost;
}

/* @return How many paths there were. */
static int compare(const lw_world *world, const lw_profile *profile, lw_random *random, int extra) {
  int count = 0;
  for (int i = 0; i < PATHS; i++) {
    lw_threat threats[3];
    lw_path_query query = lw_path_query_default();
    query.from = place(random, 0);
    query.to = place(random, 0);
    query.profile = profile;
    for (int k = 0; k < 3; k++) {
      threats[k] = lw_threat_default();
      threats[k].at = place(random, 1.6f);
    }
    if (extra == THREATS) {
      query.threats = threats;
      query.threat_count = 1 + i % 3;
    }
    const double fast = cost_of(world, query, LW_QUALITY_FAST), good = cost_of(world, query, LW_QUALITY_GOOD);
    assert_true((fast > 0) == (good > 0));
    count += fast > 0;
    if (good > fast * ROUNDING)
      fail_msg("from (%g, %g) to (%g, %g), %d: good costs %g, fast %g", (double)query.from.x,
               (double)query.from.z, (double)query.to.x, (double)query.to.z, extra, good, fast);
  }
  return count;
}

static void no_good_path_costs_more_than_the_fast_one(void **state) {
  const uint64_t seed = sight_seed();
  lw_random random = lwi_random_make(seed, 0);
  lw_profile *profiles[PROFILES];
  int counts[PROFILES][EXTRAS] = {0};
  (void)state;
  printf("note: seed %llu\n", (unsigned long long)seed);
  make_profiles(profiles);
  for (int level = 0; level < LEVELS; level++) {
    lw_navmesh *navmesh = make_level(&random);
    for (int extra = 0; extra < EXTRAS; extra++) {
      lw_world_def def = lw_world_def_default();
      lw_world *world;
      def.navmesh = navmesh;
      assert_int_equal(lw_world_create(&def, &world, NULL), LW_OK);
      if (extra == REGIONS) add_regions(world, &random);
      for (int i = 0; i < PROFILES; i++) counts[i][extra] += compare(world, profiles[i], &random, extra);
      lw_world_destroy(world);
    }
    lw_navmesh_destroy(navmesh);
  }
  for (int i = 0; i < PROFILES; i++)
    for (int extra = 0; extra < EXTRAS; extra++) assert_true(counts[i][extra] >= LEVELS * PATHS / 3);
  for (int i = 0; i < PROFILES; i++) lw_profile_destroy(profiles[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(no_good_path_costs_more_than_the_fast_one)};
  setvbuf(stdout, NULL, _IOLBF, 0);
  return cmocka_run_group_tests(tests, scene_open, scene_close);
}
