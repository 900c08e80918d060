#define _XOPEN_SOURCE 700 /* setitimer() */
#include "fuzz.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#define SECONDS_MAX 1

_Noreturn void fuzz_fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("fuzz: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  abort();
}

/* --- time ----------------------------------------------------------------------------------------------------------- */

/* Of the processor, since the machine may have other work, which libFuzzer's own limit counts. */
static double worst_seconds;

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void take_too_long(int signal) {
  (void)signal;
  fuzz_fail("the input takes more than %d s of processor time", SECONDS_MAX);
}

static void limit_seconds(int limit) {
  const struct itimerval timer = {.it_value = {.tv_sec = limit}};
  setitimer(ITIMER_VIRTUAL, &timer, NULL);
}

static void print_worst(void) {
  fprintf(stderr, "stat::slowest_unit_cpu_ms: %.0f\n", 1e3 * worst_seconds);
}

static void begin_program(void) {
  static bool begun;
  if (begun) return;
  begun = true;
  signal(SIGVTALRM, take_too_long);
  atexit(print_worst);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  begin_program();
  const double begin = seconds();
  limit_seconds(SECONDS_MAX);
  fuzz_input(data, size);
  limit_seconds(0);
  const double took = seconds() - begin;
  if (took > worst_seconds) worst_seconds = took;
  return 0;
}

/* --- inputs --------------------------------------------------------------------------------------------------------- */

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
