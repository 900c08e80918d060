/// Checks that run on every shared level, each a cmocka test of its own.
#ifndef LW_TESTS_LEVEL_TEST_H
#define LW_TESTS_LEVEL_TEST_H

#include "core/random.h"
#include "levels.h"
#include "mesh/mesh.h"
#include "peer_mesh.h"

#include "leeward/world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

/// A level opened, with a world on it and Detour beside it.
typedef struct shared_level {
  const char *name;
  lw_area_table *areas;
  lw_navmesh *mesh;
  lw_world *world;
  peer *detour;  ///< NULL for level_run_on().
  uint64_t seed; ///< LEEWARD_SEED, default 1. Print it with every result.
  lw_random random;
} shared_level;

typedef struct level_check {
  const char *name;
  void (*run)(shared_level *level);
} level_check;

/// @return cmocka's result: 0 when all passed.
int level_run(const char *group, const level_check *checks, int count);

/// The same on a navmesh of the caller's. @param make  Makes it; the checks free it.
int level_run_on(const char *name, lw_navmesh *(*make)(const lw_area_table *areas), const level_check *checks,
                 int count);

/// Another world on the level's navmesh, with its seed. The caller destroys it.
lw_world *level_make_world(const shared_level *level);
/// A place drawn uniformly from the whole level.
lw_location level_place(shared_level *level);
/// Uniform in low..high.
float level_random(shared_level *level, float low, float high);
/// The box about each polygon. The caller frees it.
lw_box *level_boxes(const lw_navmesh *mesh);
/// How far (x, z) is outside the polygon. Written apart from the runtime's own. [m, 0 inside]
double level_outside(const lw_navmesh *mesh, uint32_t polygon, double x, double z);
/// Of all ground, areas and portals, polygon by polygon, however cut ones are numbered.
uint64_t level_ground_hash(const lw_navmesh *mesh);
/// Positions are floats: what rounding alone may move a point by, here. [m]
double level_rounding(lw_vec3 point);

#endif
