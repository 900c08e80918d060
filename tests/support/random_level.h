/// Random baked levels of walls and roads, on the areas of bake_scene.h, for properties of paths that hold on any.
#ifndef LW_TESTS_RANDOM_LEVEL_H
#define LW_TESTS_RANDOM_LEVEL_H

#include "core/random.h"
#include "leeward/leeward.h"

#define LEVEL_SIDE 60.0f ///< [m]
enum { LEVEL_SMALL, LEVEL_LARGE, LEVEL_PROFILES };

/// A place in such a level, at that height.
lw_vec3 random_level_place(lw_random *random, float y);
lw_navmesh *random_level_bake(lw_random *random);
/// Of agents no larger than the navmesh was baked for, and larger. @param[out] profiles  [LEVEL_PROFILES]
void random_level_profiles(lw_profile **profiles);
/// Those of a test, while it runs: [LEVEL_PROFILES].
extern lw_profile *level_profiles[LEVEL_PROFILES];
/// Set up of a group of tests: the scene of bake_scene.h, and the profiles; and its end.
int random_level_open(void **state);
int random_level_close(void **state);
/// Add dangers and fire lanes.
void random_level_add_regions(lw_world *world, lw_random *random);

#endif
