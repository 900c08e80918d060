#include "fuzz.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn void fuzz_fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("fuzz: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  abort();
}

lw_area_table *fuzz_areas(void) {
  static const char *const names[] = {"ground", "road",  "dirt", "grass",         "undergrowth", "unsafe",
                                      "door",   "water", "a",    "shallow_water", "deep_water"};
  static lw_area_table *areas;
  if (areas) return areas;
  if (lw_area_table_create(NULL, &areas) != LW_OK) abort();
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    lw_area_def def = lw_area_def_default();
    def.name = names[i];
    if (strcmp(names[i], "road") != 0) def.resistance = 0.5f;
    if (strcmp(names[i], "deep_water") == 0) def.deep_water = 1;
    if (strcmp(names[i], "unsafe") == 0) def.unsafe = 1;
    if (lw_area_table_set(areas, &def, NULL, NULL) != LW_OK) abort();
  }
  return areas;
}

uint32_t fuzz_below(lw_random *random, uint32_t count) {
  return (uint32_t)(lwi_random_unit_double(random) * count);
}

static uint64_t odd_number(lw_random *random) {
  static const uint64_t numbers[] = {0,          1,          2,          255,        256,           0x7fffffff,
                                     0x80000000, 0xffffffff, 0xfffffffe, 0x7f800000, 0xff800000,    0x7fc00000,
                                     0x7f7fffff, 0x3f800000, 0xbf800000, 0x49742400, 0xc9742400,    0xffff,
                                     UINT64_MAX, INT64_MAX,  1ULL << 63, 1ULL << 52, 0x7ffULL << 52};
  return numbers[fuzz_below(random, sizeof numbers / sizeof *numbers)];
}

void fuzz_damage(uint8_t *data, size_t begin, size_t size, lw_random *random) {
  static const size_t sizes[] = {1, 4, 4, 8};
  const size_t width = sizes[fuzz_below(random, 4)];
  if (size < begin + width) return;
  uint8_t *at = data + begin + fuzz_below(random, (uint32_t)(size - begin - width + 1));
  uint64_t number = 0;
  memcpy(&number, at, width);
  switch (fuzz_below(random, 5)) {
  case 0: number ^= 1ULL << fuzz_below(random, 8 * (uint32_t)width); break;
  case 1: number += 1 + fuzz_below(random, 4); break;
  case 2: number -= 1 + fuzz_below(random, 4); break;
  case 3: number = odd_number(random); break;
  default: memcpy(&number, data + begin + fuzz_below(random, (uint32_t)(size - begin - width + 1)), width);
  }
  memcpy(at, &number, width);
}
