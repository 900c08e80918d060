#include "allocator.h"

#include "core/memory.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static bool is_filled(const unsigned char *block, int value, size_t size) {
  for (size_t i = 0; i < size; i++)
    if (block[i] != value) return false;
  return true;
}

static void bytes_are_counted_and_return_to_zero(void **state) {
  (void)state;
  support_memory held = {.left = -1};
  const lw_allocator allocator = support_allocator(&held);
  lwi_memory memory = lwi_memory_make(&allocator);
  unsigned char *a = lwi_alloc(&memory, 100), *b = lwi_alloc_zero(&memory, 50);
  assert_int_equal(memory.bytes, 150);
  assert_true(is_filled(b, 0, 50));
  memset(a, 7, 100);
  a = lwi_resize(&memory, a, 100, 1000);
  assert_int_equal(memory.bytes, 1050);
  assert_true(is_filled(a, 7, 100));
  a = lwi_resize(&memory, a, 1000, 10);
  assert_int_equal(memory.bytes, 60);
  assert_true(is_filled(a, 7, 10));
  assert_int_equal(held.bytes, 60);
  assert_null(lwi_resize(&memory, a, 10, 0));
  lwi_free(&memory, b, 50);
  assert_int_equal(memory.bytes, 0);
  assert_int_equal(held.bytes, 0);
  assert_int_equal(held.blocks, 0);
}

static void nothing_asks_the_allocator_for_nothing(void **state) {
  (void)state;
  support_memory held = {.left = -1};
  const lw_allocator allocator = support_allocator(&held);
  lwi_memory memory = lwi_memory_make(&allocator);
  assert_null(lwi_alloc(&memory, 0));
  assert_null(lwi_alloc_zero(&memory, 0));
  assert_null(lwi_resize(&memory, NULL, 0, 0));
  lwi_free(&memory, NULL, 100);
  lwi_free_simd(&memory, 100, NULL);
  assert_int_equal(held.calls, 0);
  assert_int_equal(memory.bytes, 0);
}

static void a_refused_call_changes_nothing(void **state) {
  (void)state;
  support_memory held = {.left = 1};
  const lw_allocator allocator = support_allocator(&held);
  lwi_memory memory = lwi_memory_make(&allocator);
  unsigned char *block = lwi_alloc(&memory, 64);
  void *simd = &memory;
  memset(block, 9, 64);
  assert_null(lwi_alloc(&memory, 1));
  assert_null(lwi_alloc_zero(&memory, 1));
  assert_null(lwi_alloc_simd(&memory, 1, &simd));
  assert_null(simd);
  assert_null(lwi_resize(&memory, block, 64, 128));
  assert_int_equal(memory.bytes, 64);
  assert_true(is_filled(block, 9, 64));
  lwi_free(&memory, block, 64);
  assert_int_equal(memory.bytes, 0);
  assert_int_equal(held.bytes, 0);
}

/* The same work, with each of its allocations refused in turn. @return Whether all succeeded. */
static bool work(lwi_memory *memory) {
  int *items = NULL, capacity = 0;
  void *block, *simd = lwi_alloc_simd(memory, 100, &block);
  char *text = lwi_alloc_zero(memory, 20);
  bool good = simd && text;
  for (int i = 0; i < 200 && good; i++) {
    good = lwi_reserve(memory, &items, &capacity, i + 1, sizeof *items);
    if (good) items[i] = i;
  }
  for (int i = 0; i < 200 && good; i++) assert_int_equal(items[i], i);
  lwi_free(memory, items, (size_t)capacity * sizeof *items);
  lwi_free(memory, text, 20);
  lwi_free_simd(memory, 100, block);
  return good;
}

static void whichever_call_is_refused_nothing_leaks(void **state) {
  (void)state;
  int refused = 0;
  for (bool good = false; !good; refused++) {
    for (int once = 0; once < 2; once++) {
      support_memory held = {.left = refused, .once = once};
      const lw_allocator allocator = support_allocator(&held);
      lwi_memory memory = lwi_memory_make(&allocator);
      good = work(&memory);
      assert_int_equal(memory.bytes, 0);
      assert_int_equal(held.bytes, 0);
      assert_int_equal(held.blocks, 0);
    }
  }
  assert_true(refused > 5);
}

static void reserve_grows_by_half_and_keeps_what_is_there(void **state) {
  (void)state;
  support_memory held = {.left = -1};
  const lw_allocator allocator = support_allocator(&held);
  lwi_memory memory = lwi_memory_make(&allocator);
  double *items = NULL;
  int capacity = 0;
  assert_true(lwi_reserve(&memory, &items, &capacity, 0, sizeof *items));
  assert_null(items);
  assert_true(lwi_reserve(&memory, &items, &capacity, 1, sizeof *items));
  assert_int_equal(capacity, 16);
  for (int i = 0; i < 100000; i++) {
    assert_true(lwi_reserve(&memory, &items, &capacity, i + 1, sizeof *items));
    items[i] = i;
  }
  for (int i = 0; i < 100000; i++) assert_true(items[i] == i);
  assert_true(capacity >= 100000 && capacity < 150000);
  assert_true(held.calls < 30);
  assert_int_equal(memory.bytes, (size_t)capacity * sizeof *items);
  const long calls = held.calls;
  assert_true(lwi_reserve(&memory, &items, &capacity, capacity, sizeof *items));
  assert_int_equal(held.calls, calls);
  const int before = capacity;
  assert_true(lwi_reserve(&memory, &items, &capacity, 3 * before, sizeof *items));
  assert_int_equal(capacity, 3 * before); /* more than half as many more: as many as are needed */
  lwi_free(&memory, items, (size_t)capacity * sizeof *items);
  assert_int_equal(held.bytes, 0);
}

static void *refuse(void *user, void *block, size_t old_size, size_t size) {
  (void)block, (void)old_size;
  *(size_t *)user = size;
  return NULL;
}

static void reserve_never_overflows(void **state) {
  (void)state;
  size_t asked = 0;
  lwi_memory memory = lwi_memory_make(&(lw_allocator){refuse, &asked});
  char *items = NULL;
  int capacity = INT_MAX - 10;
  assert_false(lwi_reserve(&memory, &items, &capacity, INT_MAX, 8));
  assert_true(asked == (size_t)INT_MAX * 8);
  assert_int_equal(capacity, INT_MAX - 10);
  assert_null(items);
  assert_int_equal(memory.bytes, 0);
}

static void simd_memory_begins_at_16_bytes(void **state) {
  (void)state;
  lwi_memory memory = lwi_memory_make(NULL);
  for (size_t size = 1; size < 200; size++) {
    void *block;
    unsigned char *simd = lwi_alloc_simd(&memory, size, &block);
    assert_int_equal((uintptr_t)simd % 16, 0);
    assert_true(simd >= (unsigned char *)block && simd + size <= (unsigned char *)block + memory.bytes);
    memset(simd, 1, size);
    lwi_free_simd(&memory, size, block);
    assert_int_equal(memory.bytes, 0);
  }
}

static void an_allocator_without_a_function_is_the_c_librarys(void **state) {
  (void)state;
  const lw_allocator none = {0};
  lwi_memory memory = lwi_memory_make(&none);
  char *block = lwi_alloc(&memory, 1000);
  assert_non_null(block);
  block = lwi_resize(&memory, block, 1000, 2000);
  lwi_free(&memory, block, 2000);
  assert_int_equal(memory.bytes, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bytes_are_counted_and_return_to_zero),
      cmocka_unit_test(nothing_asks_the_allocator_for_nothing),
      cmocka_unit_test(a_refused_call_changes_nothing),
      cmocka_unit_test(whichever_call_is_refused_nothing_leaks),
      cmocka_unit_test(reserve_grows_by_half_and_keeps_what_is_there),
      cmocka_unit_test(reserve_never_overflows),
      cmocka_unit_test(simd_memory_begins_at_16_bytes),
      cmocka_unit_test(an_allocator_without_a_function_is_the_c_librarys),
  };
  return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
