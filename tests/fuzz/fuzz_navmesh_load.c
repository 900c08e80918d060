/* libFuzzer: a navmesh file with any contents is refused, or answers every question. Checksums are repaired first, so that
   it is the checks behind them that are tried. `make fuzz SECONDS=60`. */
#include "damage.h"
#include "leeward/navmesh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

static const char *const names[] = {"ground", "road",  "dirt", "grass",         "undergrowth", "unsafe",
                                    "door",   "water", "a",    "shallow_water", "deep_water"};

static lw_area_table *make_areas(void) {
  lw_area_table *areas = NULL;
  if (lw_area_table_create(NULL, &areas) != LW_OK) abort();
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    lw_area_def def = lw_area_def_default();
    def.name = names[i];
    if (lw_area_table_set(areas, &def, NULL, NULL) != LW_OK) abort();
  }
  return areas;
}

static const char *write_file(const uint8_t *data, size_t size) {
  static char name[64];
  if (!name[0])
    snprintf(name, sizeof name, "%s/leeward_fuzz_%ld.lwn", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp",
             (long)getpid());
  FILE *file = fopen(name, "wb");
  if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0) abort();
  return name;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static lw_area_table *areas;
  if (!areas) areas = make_areas();
  unsigned char *copy = malloc(size + 1);
  if (!copy) abort();
  memcpy(copy, data, size);
  damage_repair(copy, size);
  const char *name = write_file(copy, size);
  free(copy);
  lw_navmesh *navmesh;
  lw_error error = {0};
  if (lw_navmesh_load(name, areas, NULL, &navmesh, &error) == LW_OK) {
    lw_navmesh_validate(navmesh, &error);
    damage_probe(navmesh, size);
  } else if (!error.text[0]) {
    abort(); /* refused without a reason */
  }
  lw_navmesh_destroy(navmesh);
  remove(name);
  return 0;
}

/* Most inputs that change size are refused by that alone, so mostly numbers change. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed) {
  lw_random random = lwi_random_make(seed, 0);
  if (size <= damage_head_size() || lwi_random_unit(&random) < 0.05f)
    return LLVMFuzzerMutate(data, size, max_size);
  size_t begin = lwi_random_unit(&random) < 0.1f ? 0 : damage_head_size();
  int changes = 1 + (int)(lwi_random_unit(&random) * 4);
  for (int i = 0; i < changes; i++) damage_number(data, begin, size, &random);
  return size;
}
