/// Counter-based random numbers, by SplitMix64 (Steele, Lea and Flood 2014). A number depends on stream and
/// counter alone, so that drawing from one stream never changes another.
#ifndef LW_CORE_RANDOM_H
#define LW_CORE_RANDOM_H

#include "leeward/base.h"

/// A one-to-one mixing of 64 bits.
static inline uint64_t lwi_mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

/// Different (seed, index) give different streams.
static inline lw_random lwi_random_make(uint64_t seed, uint64_t index) {
  return (lw_random){.stream = lwi_mix(lwi_mix(seed + 0x9e3779b97f4a7c15ULL) + index), .counter = 0};
}

/// Uniform over all 64 bits.
static inline uint64_t lwi_random_bits(lw_random *random) {
  random->counter += 1;
  return lwi_mix(random->stream + random->counter * 0x9e3779b97f4a7c15ULL);
}

/// Uniform in [0, 1).
static inline float lwi_random_unit(lw_random *random) {
  return (float)(lwi_random_bits(random) >> 40) * 0x1p-24f;
}
static inline double lwi_random_unit_double(lw_random *random) {
  return (double)(lwi_random_bits(random) >> 11) * 0x1p-53;
}

#endif
