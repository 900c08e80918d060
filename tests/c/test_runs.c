/* Runs of places: none overlaps another, and what is taken back is given again. */
#include "core/random.h"
#include "core/runs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define HELD 40
#define PLACES 20000

static void mark(uint8_t *places, const lwi_slot_run *run, uint8_t before, uint8_t after) {
  for (uint32_t i = run->first; i < run->first + run->space; i++) {
    assert_true(i < PLACES);
    assert_int_equal(places[i], before);
    places[i] = after;
  }
}

static void runs_do_not_overlap(void **state) {
  (void)state;
  static uint8_t places[PLACES];
  lwi_memory memory = lwi_memory_make(NULL);
  lwi_runs runs = {0};
  lwi_slot_run held[HELD] = {{0, 0}};
  lw_random random = lwi_random_make(20261123, 0);
  uint32_t end = 0;
  for (int step = 0; step < 20000; step++) {
    lwi_slot_run *run = &held[lwi_random_bits(&random) % HELD];
    const uint32_t count = (uint32_t)(lwi_random_bits(&random) % 100);
    mark(places, run, 1, 0);
    lwi_runs_give_back(&runs, run);
    assert_int_equal(run->space, 0);
    *run = lwi_runs_take(&runs, &memory, count);
    assert_true(run->space >= count && run->space <= 2 * count + 4);
    assert_true(run->first + run->space <= runs.end);
    mark(places, run, 0, 1);
    if (step == 2000) end = runs.end;
  }
  assert_true(runs.end <= 2 * end); /* it does not grow for ever */
  lwi_runs_free(&runs, &memory);
  assert_int_equal(memory.bytes, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(runs_do_not_overlap)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
