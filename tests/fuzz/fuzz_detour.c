/* A tile set of Detour with any contents is refused, or becomes a navmesh that holds. */
#include "fuzz.h"
#include "import_input.h"

#include <string.h>

void fuzz_input(const uint8_t *data, size_t size) {
  if (size >= 4 && memcmp(data, "TESM", 4) == 0) import_input(data, size);
}

/* The parts of a tile lie where its counts say, so mostly numbers change. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed) {
  lw_random random = lwi_random_make(seed, 0);
  if (lwi_random_unit(&random) < 0.1f) return LLVMFuzzerMutate(data, size, max_size);
  for (uint32_t left = 1 + fuzz_below(&random, 3); left > 0; left--) fuzz_damage(data, 0, size, &random);
  return size;
}
