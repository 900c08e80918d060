/// Small random worlds of several navmeshes, for properties that hold for any world.
#ifndef LW_TESTS_RANDOM_WORLD_H
#define LW_TESTS_RANDOM_WORLD_H

#include "core/random.h"
#include "leeward/leeward.h"

/// 0..count - 1
int random_pick(lw_random *random, int count);
/// About a navmesh of such a world.
lw_vec3 random_place(lw_random *random, int navmesh);
/// Squares with holes, of areas 1 to 3, and links of its own. @param number  Where it lies.
lw_navmesh *random_mesh(lw_random *random, const lw_area_table *areas, int number);
/// Of such navmeshes, with links between them; the last two may have both ends on one.
lw_world *random_world(lw_random *random, const lw_navmesh *const *meshes, int count);

#endif
