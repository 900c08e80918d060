/// Reading a leaf of the occluders' tree.
#ifndef LW_COVER_LEAF_H
#define LW_COVER_LEAF_H

#include "core/lanes.h"
#include "leeward/geometry.h"
#include "mesh/occluders.h"

/// Four numbers for each of three axes.
typedef struct lwi_lane_vec3 {
  lwi_float4 x, y, z;
} lwi_lane_vec3;

/// A facet of a leaf: corner i of axis a is numbers[a * count + i].
typedef struct lwi_leaf_facet {
  const uint16_t *numbers;
  uint32_t count;
  bool soft;
} lwi_leaf_facet;

/// From the first number of a leaf: how many facets. @param[out] at  The first facet's numbers.
static inline uint32_t lwi_leaf_begin(const lwi_occluders *occluders, const lwi_occluder_leaf *leaf,
                                      const uint16_t **at) {
  const uint16_t *first = occluders->numbers + leaf->first;
  *at = first + 1;
  return *first;
}
/// @param[in,out] at  Moves on to the next.
static inline lwi_leaf_facet lwi_leaf_next(const uint16_t **at) {
  uint32_t count = **at & 0xffu;
  lwi_leaf_facet facet = {*at + 1, count, **at >> 8 != LW_COVER_HARD};
  *at += 1 + 3 * count;
  return facet;
}

/// Where a leaf's numbers count from, relative to an eye. @param eye  Relative to the occluders' origin.
static inline lw_vec3 lwi_leaf_base(const lwi_occluders *occluders, const lwi_occluder_leaf *leaf,
                                    lw_vec3 eye) {
  const double quantum = (double)occluders->quantum;
  return (lw_vec3){(float)(leaf->origin[0] * quantum - eye.x), (float)(leaf->origin[1] * quantum - eye.y),
                   (float)(leaf->origin[2] * quantum - eye.z)};
}

/// Corners `first` to `first` + 3 relative to the eye; past the last comes the first again.
static inline void lwi_leaf_corners(const lwi_leaf_facet *facet, lw_vec3 base, float quantum, uint32_t first,
                                    lwi_lane_vec3 *corners) {
  float x[4], y[4], z[4];
  for (uint32_t i = 0; i < 4; i++) {
    uint32_t k = first + i < facet->count ? first + i : 0;
    x[i] = facet->numbers[k];
    y[i] = facet->numbers[facet->count + k];
    z[i] = facet->numbers[2 * facet->count + k];
  }
  const lwi_float4 q = lwi_all4(quantum);
  corners->x = lwi_all4(base.x) + lwi_load4(x) * q;
  corners->y = lwi_all4(base.y) + lwi_load4(y) * q;
  corners->z = lwi_all4(base.z) + lwi_load4(z) * q;
}

#endif
