#include "allocator.h"

#include "core/bucket_queue.h"
#include "core/heap.h"
#include "core/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SEED 20261201
#define MODEL_MAX 4096

/* The shadow model: a sorted array. */
typedef struct model {
  lwi_heap_entry entries[MODEL_MAX];
  int count;
} model;

static bool precedes(lwi_heap_entry a, lwi_heap_entry b) {
  return a.key < b.key;
}

static void model_push(model *m, float key, uint32_t item) {
  const lwi_heap_entry entry = {key, item};
  int at = m->count++;
  for (; at > 0 && precedes(entry, m->entries[at - 1]); at--) m->entries[at] = m->entries[at - 1];
  m->entries[at] = entry;
}

/* Take out an entry with the least key. @return false: there is none with that item. */
static bool model_pop(model *m, lwi_heap_entry entry) {
  for (int i = 0; i < m->count && m->entries[i].key == m->entries[0].key; i++) {
    if (m->entries[i].key != entry.key || m->entries[i].item != entry.item) continue;
    memmove(m->entries + i, m->entries + i + 1, (size_t)(--m->count - i) * sizeof entry);
    return true;
  }
  return false;
}

static void pop_and_compare(lwi_heap *heap, model *m) {
  lwi_heap_entry entry;
  assert_int_equal(lwi_heap_pop(heap, &entry), m->count > 0);
  if (m->count == 0) return;
  if (!model_pop(m, entry))
    fail_msg("seed %d: popped (%g, %u), expected the key %g and one of its items", SEED, (double)entry.key,
             entry.item, (double)m->entries[0].key);
}

/* Few different keys, so that many are equal; phases that grow and phases that shrink. */
static void pops_in_the_order_of_a_sorted_array(void **state) {
  (void)state;
  static model m;
  lwi_memory memory = lwi_memory_make(NULL);
  lwi_heap heap = {0};
  lw_random random = lwi_random_make(SEED, 0);
  int pushes = 0;
  for (int i = 0; i < 40000; i++) {
    const bool grows = i / 2000 % 2 == 0;
    if (m.count < MODEL_MAX && lwi_random_unit(&random) < (grows ? 0.7f : 0.3f)) {
      const float key = (float)(lwi_random_bits(&random) % 50) - 25;
      const uint32_t item = (uint32_t)(lwi_random_bits(&random) % 100);
      model_push(&m, key, item);
      assert_true(lwi_heap_push(&heap, &memory, key, item));
      pushes++;
    } else {
      pop_and_compare(&heap, &m);
    }
    assert_int_equal(heap.count, m.count);
  }
  while (m.count > 0) pop_and_compare(&heap, &m);
  pop_and_compare(&heap, &m);
  lwi_heap_free(&heap, &memory);
  assert_int_equal(memory.bytes, 0);
  printf("note: seed %d: %d pushes compared with a sorted array\n", SEED, pushes);
}

/* What is searched may be numbered otherwise in a run that is to be the same. */
static void the_order_of_equal_keys_does_not_depend_on_items(void **state) {
  (void)state;
  lwi_memory memory = lwi_memory_make(NULL);
  lwi_heap heaps[2] = {{0}, {0}};
  lw_random random = lwi_random_make(SEED, 1);
  for (uint32_t i = 0; i < 257; i++) {
    const float key = (float)(lwi_random_bits(&random) % 4);
    assert_true(lwi_heap_push(&heaps[0], &memory, key, i));
    assert_true(lwi_heap_push(&heaps[1], &memory, key, i * 101 % 257));
  }
  for (uint32_t i = 0; i < 257; i++) {
    lwi_heap_entry a, b;
    assert_true(lwi_heap_pop(&heaps[0], &a) && lwi_heap_pop(&heaps[1], &b));
    assert_int_equal(a.item * 101 % 257, b.item);
  }
  for (int i = 0; i < 2; i++) lwi_heap_free(&heaps[i], &memory);
}

static void infinite_keys_and_both_zeros_are_ordered(void **state) {
  (void)state;
  static const float keys[] = {INFINITY, 0.0f, -INFINITY, -0.0f, 1e-45f, -1e38f};
  static const float expected[] = {-INFINITY, -1e38f, 0, 0, 1e-45f, INFINITY};
  lwi_memory memory = lwi_memory_make(NULL);
  lwi_heap heap = {0};
  for (uint32_t i = 0; i < 6; i++) assert_true(lwi_heap_push(&heap, &memory, keys[i], i));
  for (uint32_t i = 0; i < 6; i++) {
    lwi_heap_entry entry;
    assert_true(lwi_heap_pop(&heap, &entry));
    assert_true(entry.key == expected[i]);
  }
  lwi_heap_free(&heap, &memory);
}

static void a_push_without_memory_leaves_the_heap_as_it_was(void **state) {
  (void)state;
  support_memory held = {.left = 2};
  const lw_allocator allocator = support_allocator(&held);
  lwi_memory memory = lwi_memory_make(&allocator);
  lwi_heap heap = {0};
  uint32_t pushed = 0;
  while (lwi_heap_push(&heap, &memory, (float)(1000 - pushed), pushed)) pushed++;
  assert_int_equal(held.calls, 2);
  assert_int_equal(heap.count, pushed);
  for (int tries = 0; tries < 3; tries++) assert_false(lwi_heap_push(&heap, &memory, 0, 0));
  for (uint32_t i = pushed; i-- > 0;) {
    lwi_heap_entry entry;
    assert_true(lwi_heap_pop(&heap, &entry));
    assert_int_equal(entry.item, i);
  }
  lwi_heap_free(&heap, &memory);
  assert_int_equal(held.bytes, 0);
  assert_int_equal(held.blocks, 0);
}

static void a_freed_heap_can_be_used_again(void **state) {
  (void)state;
  lwi_memory memory = lwi_memory_make(NULL);
  lwi_heap heap = {0};
  lwi_heap_entry entry;
  lwi_heap_free(&heap, &memory);
  assert_false(lwi_heap_pop(&heap, &entry));
  for (int round = 0; round < 2; round++) {
    assert_true(lwi_heap_push(&heap, &memory, 3, 7));
    assert_true(lwi_heap_pop(&heap, &entry));
    assert_int_equal(entry.item, 7);
    lwi_heap_free(&heap, &memory);
    assert_int_equal(memory.bytes, 0);
  }
}

/* --- buckets ---------------------------------------------------------------------------------------------- */

/* As searches push them: a key is that of an entry taken before, and more. */
static void buckets_come_in_order_and_lose_nothing(void **state) {
  (void)state;
  lwi_memory memory = lwi_memory_make(NULL);
  lwi_bucket_queue queue = {0};
  lw_random random = lwi_random_make(SEED, 2);
  for (int round = 0; round < 20; round++) {
    const float width = 0.01f + 3 * lwi_random_unit(&random);
    static bool is_in[5000];
    uint32_t pushed = 0, popped = 0;
    float low = 0;
    lwi_bucket_queue_begin(&queue, width);
    for (; pushed < 100; pushed++) {
      is_in[pushed] = true;
      assert_true(lwi_bucket_queue_push(&queue, &memory, 50 * lwi_random_unit(&random), pushed));
    }
    for (lwi_bucket_entry entry; lwi_bucket_queue_pop(&queue, &entry); popped++) {
      assert_true(is_in[entry.item]);
      assert_true(entry.key > low - width * 1.0001f);
      is_in[entry.item] = false;
      low = fmaxf(low, entry.key);
      for (uint32_t more = (uint32_t)(lwi_random_bits(&random) % 3); more > 0 && pushed < 5000; more--) {
        is_in[pushed] = true;
        assert_true(
            lwi_bucket_queue_push(&queue, &memory, entry.key + 20 * lwi_random_unit(&random), pushed++));
      }
    }
    assert_int_equal(pushed, popped);
    if (round == 0) assert_true(pushed > 100);
  }
  lwi_bucket_queue_free(&queue, &memory);
  assert_int_equal(memory.bytes, 0);
}

static void keys_beyond_the_last_bucket_are_kept(void **state) {
  (void)state;
  lwi_memory memory = lwi_memory_make(NULL);
  lwi_bucket_queue queue = {0};
  lwi_bucket_entry entry;
  lwi_bucket_queue_begin(&queue, 1e-6f);
  assert_true(lwi_bucket_queue_push(&queue, &memory, 1e30f, 1));
  assert_true(lwi_bucket_queue_push(&queue, &memory, 0, 2));
  assert_true(lwi_bucket_queue_push(&queue, &memory, 1e20f, 3));
  assert_true(lwi_bucket_queue_pop(&queue, &entry) && entry.item == 2);
  assert_true(lwi_bucket_queue_pop(&queue, &entry) && lwi_bucket_queue_pop(&queue, &entry));
  assert_false(lwi_bucket_queue_pop(&queue, &entry));
  lwi_bucket_queue_free(&queue, &memory);
}

static void buckets_without_memory_stay_as_they_were(void **state) {
  (void)state;
  support_memory held = {.left = 3};
  const lw_allocator allocator = support_allocator(&held);
  lwi_memory memory = lwi_memory_make(&allocator);
  lwi_bucket_queue queue = {0};
  lwi_bucket_entry entry;
  uint32_t pushed = 0, popped = 0;
  lwi_bucket_queue_begin(&queue, 1);
  while (lwi_bucket_queue_push(&queue, &memory, (float)pushed, pushed)) pushed++;
  assert_true(pushed > 0);
  for (; lwi_bucket_queue_pop(&queue, &entry); popped++) assert_int_equal(entry.item, popped);
  assert_int_equal(popped, pushed);
  lwi_bucket_queue_free(&queue, &memory);
  assert_int_equal(held.bytes, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pops_in_the_order_of_a_sorted_array),
      cmocka_unit_test(the_order_of_equal_keys_does_not_depend_on_items),
      cmocka_unit_test(infinite_keys_and_both_zeros_are_ordered),
      cmocka_unit_test(a_push_without_memory_leaves_the_heap_as_it_was),
      cmocka_unit_test(a_freed_heap_can_be_used_again),
      cmocka_unit_test(buckets_come_in_order_and_lose_nothing),
      cmocka_unit_test(keys_beyond_the_last_bucket_are_kept),
      cmocka_unit_test(buckets_without_memory_stay_as_they_were),
  };
  return cmocka_run_group_tests_name("heap", tests, NULL, NULL);
}
