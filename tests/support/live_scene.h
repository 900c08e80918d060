/// What tests and benchmarks cut out of navmeshes.
#ifndef LW_TESTS_LIVE_SCENE_H
#define LW_TESTS_LIVE_SCENE_H

#include "mesh/live.h"

/// A box that stands on the ground.
typedef struct live_box {
  lw_vec3 at; ///< The middle of its bottom. [m]
  float yaw, half_x, half_z, height;
} live_box;
lwi_footprint live_footprint(const live_box *box);

/// Fails the test where a link of the base is lost, or does not begin and end on what is there.
void live_assert_links(const lwi_live *live);
/// Fails the test where what is read differs from the base: nothing is cut out.
void live_assert_is_base(const lwi_live *live);

#endif
