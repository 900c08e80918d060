/// A world on a grid mesh, with the profile that a test asks with.
#ifndef LW_TESTS_GRID_WORLD_H
#define LW_TESTS_GRID_WORLD_H

#include "allocator.h"
#include "grid_mesh.h"

#include "leeward/world.h"

typedef struct grid_world {
  support_memory *memory; ///< Of the world.
  lw_area_table *areas;
  lw_navmesh *mesh;
  lw_profile *profile;
  lw_world *world;
} grid_world;

/// On a grid whose only area is ground (see support_grid()). The caller closes it.
/// @param profile  NULL: without a profile.
/// @param world  NULL: the defaults. Its navmesh and its allocator are set here.
grid_world grid_world_open(const char *const *rows, int row_count, float size, const lw_profile_def *profile,
                           const lw_world_def *world);
/// The same on a table and a mesh, which become the world's.
grid_world grid_world_open_on(lw_area_table *areas, lw_navmesh *mesh, const lw_profile_def *profile,
                              const lw_world_def *world);
/// On three rows of eight squares of ground, 1 m wide, with the default profile.
grid_world grid_world_open_plain(void);
/// What the cheapest path costs its profile. Fails the test where there is none.
float grid_world_cost(const grid_world *w, lw_vec3 from, lw_vec3 to);
/// Destroys all of it. Fails the test where the world leaves memory.
void grid_world_close(grid_world *w);

#endif
