#include "core/random.h"

#include "chi_square.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define SEED 20261204

static void the_same_stream_gives_the_same_numbers(void **state) {
  (void)state;
  lw_random a = lwi_random_make(SEED, 5), b = lwi_random_make(SEED, 5), other = lwi_random_make(SEED, 6);
  for (int i = 0; i < 1000; i++) {
    const uint64_t bits = lwi_random_bits(&a);
    lwi_random_bits(&other); /* drawing elsewhere in between */
    assert_true(lwi_random_bits(&b) == bits);
  }
}

/* Runs of other builds and other machines must repeat: these numbers never change. */
static void known_streams_have_known_numbers(void **state) {
  (void)state;
  lw_random random = lwi_random_make(0, 0);
  assert_true(random.stream == lwi_mix(lwi_mix(0x9e3779b97f4a7c15ULL)));
  random = (lw_random){0};
  assert_true(lwi_random_bits(&random) == 0xe220a8397b1dcdafULL); /* SplitMix64 of seed 0 */
  assert_true(lwi_random_bits(&random) == 0x6e789e6aa1b965f4ULL);
  assert_true(lwi_random_bits(&random) == 0x06c45d188009454fULL);
}

static void a_stream_can_be_taken_up_at_any_number(void **state) {
  (void)state;
  lw_random all = lwi_random_make(SEED, 1);
  for (uint64_t i = 0; i < 500; i++) {
    lw_random late = {.stream = all.stream, .counter = i};
    assert_true(lwi_random_bits(&late) == lwi_random_bits(&all));
  }
}

static int compare(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static void streams_of_neighbouring_seeds_and_indices_differ(void **state) {
  (void)state;
  enum { SIDE = 128, COUNT = SIDE * SIDE };
  static uint64_t first[COUNT];
  for (uint64_t seed = 0; seed < SIDE; seed++)
    for (uint64_t index = 0; index < SIDE; index++) {
      lw_random random = lwi_random_make(seed, index);
      first[seed * SIDE + index] = lwi_random_bits(&random);
    }
  qsort(first, COUNT, sizeof *first, compare);
  for (int i = 1; i < COUNT; i++) assert_true(first[i] != first[i - 1]);
}

static void units_lie_in_0_to_1_and_are_uniform(void **state) {
  (void)state;
  enum { CELLS = 64, DRAWS = 64000 };
  int counts[CELLS] = {0}, fine[CELLS] = {0};
  lw_random random = lwi_random_make(SEED, 2);
  for (int i = 0; i < DRAWS; i++) {
    const float unit = lwi_random_unit(&random);
    const double fine_unit = lwi_random_unit_double(&random);
    assert_true(unit >= 0 && unit < 1 && fine_unit >= 0 && fine_unit < 1);
    counts[(int)(unit * CELLS)] += 1;
    fine[(int)(fine_unit * CELLS)] += 1;
  }
  double expected[CELLS], chi2;
  int degrees;
  for (int i = 0; i < CELLS; i++) expected[i] = 1;
  assert_true(chi_square_test(counts, expected, CELLS, &degrees, &chi2) > 1e-3);
  assert_true(chi_square_test(fine, expected, CELLS, &degrees, &chi2) > 1e-3);
  printf("note: seed %d: %d draws\n", SEED, DRAWS);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_same_stream_gives_the_same_numbers),
      cmocka_unit_test(known_streams_have_known_numbers),
      cmocka_unit_test(a_stream_can_be_taken_up_at_any_number),
      cmocka_unit_test(streams_of_neighbouring_seeds_and_indices_differ),
      cmocka_unit_test(units_lie_in_0_to_1_and_are_uniform),
  };
  return cmocka_run_group_tests_name("random", tests, NULL, NULL);
}
