/// Counter-based random numbers: stream and counter give the number, so that a stream is two words of state
/// and one agent's draws never disturb another's. SplitMix64 (Steele, Lea, Flood 2014).
#ifndef LW_CORE_RANDOM_H
#define LW_CORE_RANDOM_H

#include <stdint.h>

typedef struct lwi_random {
  uint64_t stream, counter;
} lwi_random;

static inline uint64_t lwi_mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

/// A stream of its own for every (seed, index).
static inline lwi_random lwi_random_make(uint64_t seed, uint64_t index) {
  return (lwi_random){.stream = lwi_mix(lwi_mix(seed + 0x9e3779b97f4a7c15ULL) + index), .counter = 0};
}

static inline uint64_t lwi_random_bits(lwi_random *random) {
  random->counter += 1;
  return lwi_mix(random->stream + random->counter * 0x9e3779b97f4a7c15ULL);
}

/// Uniform in 0..1, 1 excluded.
static inline float lwi_random_unit(lwi_random *random) {
  return (float)(lwi_random_bits(random) >> 40) * 0x1p-24f;
}
static inline double lwi_random_unit_double(lwi_random *random) {
  return (double)(lwi_random_bits(random) >> 11) * 0x1p-53;
}

#endif
