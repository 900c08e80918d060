/// A world over a level of tiles, which is swapped for others.
#ifndef LW_TESTS_TILES_PLACE_H
#define LW_TESTS_TILES_PLACE_H

#include "bake_scene.h"

#include "core/random.h"
#include "leeward/leeward.h"
#include "world/world.h"

#define WIDTH 48.0f
#define DEPTH 24.0f

typedef struct tiles_place {
  lw_navmesh *open, *walled; /* a wall from 30 to 31 all across, but for a gap at its end */
  lw_profile *profile;
  lw_world *world;
} tiles_place;

lw_bake_settings tiles_settings(void);
lw_geometry_box tiles_wall_at(float x, float z, float size_x, float size_z);
/// The link that all these levels have.
void tiles_add_lift(lw_geometry *geometry);
/// A floor with walls, and a link at one end. The caller destroys it.
lw_navmesh *tiles_bake_walls(const lw_geometry_box *walls, int count);
/// That of LEEWARD_SEED, or one that is always the same.
uint64_t tiles_seed_of(void);
lw_vec3 tiles_random_at(lw_random *random);
lw_navmesh *tiles_random_mesh(lw_random *random);
lw_world *tiles_make_world(const lw_navmesh *mesh);
int tiles_open_place(void **state);
int tiles_close_place(void **state);
lw_agent_id tiles_spawn(const tiles_place *it, float x, float z);
lwi_agent tiles_state_of(const tiles_place *it, lw_agent_id id);
void tiles_step(const tiles_place *it, int count);
void tiles_swap_to(const tiles_place *it, const lw_navmesh *mesh);
/// Apply changes, and check the navmesh.
void tiles_apply(const tiles_place *it);
/// Below 0: there is no path. [m]
float tiles_length_between(const lw_world *world, const lw_profile *profile, lw_vec3 from, lw_vec3 to);

#endif
