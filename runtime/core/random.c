#include "core/random.h"

lw_random lw_random_create(uint64_t seed, uint64_t index) {
  return lwi_random_make(seed, index);
}

float lw_random_unit(lw_random *random) {
  return random ? lwi_random_unit(random) : 0;
}
