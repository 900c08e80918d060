/// A small level that targets play on: walls and crates to hide behind, a road, water, a ledge that links lead to, and a
/// second navmesh beside it.
#ifndef LW_TESTS_FUZZ_LEVEL_H
#define LW_TESTS_FUZZ_LEVEL_H

#include "leeward/leeward.h"

#define LEVEL_PROFILES 5
#define LEVEL_TREES 4
#define LEVEL_WIDTH 26.0f ///< Along x, both navmeshes. [m]
#define LEVEL_DEPTH 14.0f ///< Along z. [m]

typedef struct fuzz_level {
  lw_navmesh *meshes[2];
  lw_navmesh *changed; ///< The first one with another wall, and without a link.
  lw_profile *profiles[LEVEL_PROFILES];
  lw_tree *trees[LEVEL_TREES]; ///< Leaves 0 to 3.
  lw_link_def link;            ///< From the first navmesh to the second one.
} fuzz_level;

/// @return The level, made once.
const fuzz_level *fuzz_level_get(void);
/// @return The profile of that name, else the first one.
const lw_profile *fuzz_level_profile(const char *name);
/// @return A world on both navmeshes, without a log. The caller changes what it likes.
lw_world_def fuzz_level_world(void);
/// Spawn the agents of a saved world, with profiles of this level, and give each its saved state. Leaves out those that
/// cannot be spawned.
void fuzz_level_restore_agents(lw_world *world, const lw_saved *saved);

#endif
