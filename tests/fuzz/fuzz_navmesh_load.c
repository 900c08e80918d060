/* A navmesh file with any contents is refused, or answers every question. Checksums are repaired first, so that it is
   the checks behind them that are tried. */
#include "damage.h"
#include "fuzz.h"
#include "memory_files.h"

#include <stdlib.h>
#include <string.h>

void fuzz_input(const uint8_t *data, size_t size) {
  unsigned char *copy = malloc(size + 1);
  if (!copy) abort();
  memcpy(copy, data, size);
  damage_repair(copy, size);
  memory_file_set("input.lwn", copy, size);
  lw_navmesh *navmesh;
  lw_error error = {0};
  if (lw_navmesh_load("input.lwn", fuzz_areas(), NULL, &navmesh, &error) == LW_OK) {
    lw_navmesh_validate(navmesh, &error);
    damage_probe(navmesh, size);
  } else if (!error.text[0]) {
    fuzz_fail("refused without a reason");
  }
  lw_navmesh_destroy(navmesh);
  memory_files_clear();
  free(copy);
}

/* Most inputs that change size are refused by that alone, so mostly numbers change. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed) {
  lw_random random = lwi_random_make(seed, 0);
  if (size <= damage_head_size() || lwi_random_unit(&random) < 0.05f)
    return LLVMFuzzerMutate(data, size, max_size);
  const size_t begin = lwi_random_unit(&random) < 0.1f ? 0 : damage_head_size();
  for (uint32_t left = 1 + fuzz_below(&random, 4); left > 0; left--) damage_number(data, begin, size, &random);
  return size;
}
