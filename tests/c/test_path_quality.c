/* No path of good quality costs more than the fast one, and no exact one more than that, for metres cost differently: in random levels of walls and patches, for agents of all sizes, past
   dangers and fire lanes, in sight of threats. The seed is printed; LEEWARD_SEED sets it. */
#include "bake_scene.h"
#include "core/random.h"
#include "core/vec3.h"
#include "random_level.h"
#include "sight_scene.h"

#include "leeward/leeward.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#define LEVELS 8
#define PATHS 40 /* on each level, of each profile, with each of EXTRAS */
/* Costs are sums of floats. */
#define ROUNDING 1.00001

enum { PLAIN, REGIONS, THREATS, EXTRAS };

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
    query.from = random_level_place(random, 0);
    query.to = random_level_place(random, 0);
    query.profile = profile;
    for (int k = 0; k < 3; k++) {
      threats[k] = lw_threat_default();
      threats[k].at = random_level_place(random, 1.6f);
    }
    if (extra == THREATS) {
      query.threats = threats;
      query.threat_count = 1 + i % 3;
    }
    const double fast = cost_of(world, query, LW_QUALITY_FAST), good = cost_of(world, query, LW_QUALITY_GOOD);
    assert_true((fast > 0) == (good > 0));
    count += fast > 0;
    const double exact = i % 4 == 0 ? cost_of(world, query, LW_QUALITY_EXACT) : good;
    if (exact != good)
      fail_msg("from (%g, %g) to (%g, %g), %d: exact costs %.9g, good %.9g", (double)query.from.x,
               (double)query.from.z, (double)query.to.x, (double)query.to.z, extra, exact, good);
    if (good > fast * ROUNDING)
      fail_msg("from (%g, %g) to (%g, %g), %d: good costs %g, fast %g", (double)query.from.x,
               (double)query.from.z, (double)query.to.x, (double)query.to.z, extra, good, fast);
  }
  return count;
}

static void no_good_path_costs_more_than_the_fast_one(void **state) {
  const uint64_t seed = sight_seed();
  lw_random random = lwi_random_make(seed, 0);
  lw_profile *profiles[LEVEL_PROFILES];
  int counts[LEVEL_PROFILES][EXTRAS] = {0};
  (void)state;
  printf("note: seed %llu\n", (unsigned long long)seed);
  random_level_profiles(profiles);
  for (int level = 0; level < LEVELS; level++) {
    lw_navmesh *navmesh = random_level_bake(&random);
    for (int extra = 0; extra < EXTRAS; extra++) {
      lw_world_def def = lw_world_def_default();
      lw_world *world;
      def.navmesh = navmesh;
      assert_int_equal(lw_world_create(&def, &world, NULL), LW_OK);
      if (extra == REGIONS) random_level_add_regions(world, &random);
      for (int i = 0; i < LEVEL_PROFILES; i++) counts[i][extra] += compare(world, profiles[i], &random, extra);
      lw_world_destroy(world);
    }
    lw_navmesh_destroy(navmesh);
  }
  for (int i = 0; i < LEVEL_PROFILES; i++)
    for (int extra = 0; extra < EXTRAS; extra++) assert_true(counts[i][extra] >= LEVELS * PATHS / 3);
  for (int i = 0; i < LEVEL_PROFILES; i++) lw_profile_destroy(profiles[i]);
}

/* Add links that are too expensive for any path. @param length  Negative: as long as the straight line. */
static void add_links(lw_world *world, lw_random *random, float length) {
  for (int i = 0; i < 20; i++) {
    lw_link_def def = lw_link_def_default();
    lw_link_id id;
    def.from = random_level_place(random, 0);
    def.to = random_level_place(random, 0);
    def.length = length;
    if (lw_link_add(world, &def, &id, NULL) == LW_OK)
      assert_int_equal(lw_link_set_cost(world, id, 5000), LW_OK);
  }
  assert_int_equal(lw_world_apply_changes(world), LW_OK);
}

/* Paths by length alone are found by corridors, which takes no more than ground that costs the same. */
static void links_that_nobody_takes_make_no_path_longer(void **state) {
  static const float lengths[] = {-1, 0};
  lw_random random = lwi_random_make(sight_seed(), 2);
  int count = 0;
  (void)state;
  for (int level = 0; level < LEVELS; level++) {
    lw_navmesh *navmesh = random_level_bake(&random);
    lw_world *worlds[3];
    lw_world_def def = lw_world_def_default();
    def.navmesh = navmesh;
    for (int i = 0; i < 3; i++) assert_int_equal(lw_world_create(&def, &worlds[i], NULL), LW_OK);
    for (int i = 0; i < 2; i++) add_links(worlds[1 + i], &random, lengths[i]);
    for (int i = 0; i < 4 * PATHS; i++) {
      lw_path_query query = lw_path_query_default();
      query.from = random_level_place(&random, 0);
      query.to = random_level_place(&random, 0);
      const double alone = cost_of(worlds[0], query, LW_QUALITY_GOOD);
      for (int k = 1; k < 3; k++) {
        const double beside = cost_of(worlds[k], query, LW_QUALITY_GOOD);
        if (alone > 0 && beside > alone * 1.001)
          fail_msg("from (%g, %g) to (%g, %g): %g m, beside links of length %g %g m", (double)query.from.x,
                   (double)query.from.z, (double)query.to.x, (double)query.to.z, alone, (double)lengths[k - 1],
                   beside);
      }
      count += alone > 0;
    }
    for (int i = 0; i < 3; i++) lw_world_destroy(worlds[i]);
    lw_navmesh_destroy(navmesh);
  }
  assert_true(count > LEVELS * PATHS);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(no_good_path_costs_more_than_the_fast_one),
                                     cmocka_unit_test(links_that_nobody_takes_make_no_path_longer)};
  setvbuf(stdout, NULL, _IOLBF, 0);
  return cmocka_run_group_tests(tests, scene_open, scene_close);
}
