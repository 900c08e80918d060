/* The pool of ids, and the index by hash, against slow models of them: lists that are searched from end to
   end. */
#include "allocator.h"
#include "core/hash_index.h"
#include "core/id_pool.h"
#include "core/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SEED 20261122u
#define SEEDS 4
#define OPERATIONS 150000
#define MOST 400
#define WORLD 7

typedef struct any_id {
  uint64_t slot : 24, generation : 24, world : 16;
} any_id;

/* The ids in use in order of creation, and all that were ever given. */
typedef struct model {
  any_id live[MOST], *given;
  int count, given_count, given_capacity;
} model;

static void check_valid(const lwi_id_pool *pool) {
  const char *wrong = lwi_id_pool_validate(pool);
  if (wrong) fail_msg("%s", wrong);
}

static void check_order(const lwi_id_pool *pool, const model *m) {
  int i = 0;
  assert_int_equal(pool->count, m->count);
  for (uint32_t slot = pool->first; slot != LWI_NO_SLOT; slot = lwi_id_pool_next(pool, slot), i++) {
    assert_true(i < m->count);
    assert_int_equal(slot, m->live[i].slot);
    assert_int_equal(LWI_FIND(pool, m->live[i]), slot);
  }
  assert_int_equal(i, m->count);
}

static void add(lwi_id_pool *pool, lwi_memory *memory, support_memory *left, model *m, lw_random *random) {
  bool fails = lwi_random_unit(random) < 0.05f;
  left->left = fails ? 0 : -1;
  uint32_t slot = lwi_id_pool_add(pool, memory);
  left->left = -1;
  if (slot == LWI_NO_SLOT) {
    assert_true(fails);
    return;
  }
  const any_id id = LWI_ID(pool, slot);
  m->live[m->count++] = id;
  if (m->given_count == m->given_capacity) {
    m->given_capacity = 2 * m->given_capacity + 64;
    m->given = realloc(m->given, (size_t)m->given_capacity * sizeof *m->given);
  }
  m->given[m->given_count++] = id;
}

static void drop(lwi_id_pool *pool, model *m, int i) {
  const any_id id = m->live[i];
  lwi_id_pool_remove(pool, id.slot);
  assert_int_equal(LWI_FIND(pool, id), LWI_NO_SLOT);
  memmove(&m->live[i], &m->live[i + 1], (size_t)(m->count - i - 1) * sizeof *m->live);
  m->count -= 1;
}

static int pick(lw_random *random, int count) {
  int i = (int)(lwi_random_unit(random) * (float)count);
  return i < count ? i : count - 1;
}

static bool is_live(const model *m, any_id id) {
  for (int i = 0; i < m->count; i++)
    if (m->live[i].slot == id.slot && m->live[i].generation == id.generation) return true;
  return false;
}

static int compare_ids(const void *a, const void *b) {
  return memcmp(a, b, sizeof(any_id));
}

static void it_does_what_a_list_does(void **state) {
  (void)state;
  for (uint32_t seed = SEED; seed < SEED + SEEDS; seed++) {
    support_memory counted = {.left = -1};
    const lw_allocator allocator = support_allocator(&counted);
    lwi_memory memory = lwi_memory_make(&allocator);
    lwi_id_pool pool = lwi_id_pool_make(WORLD);
    lw_random random = lwi_random_make(seed, 0);
    static model m;
    m = (model){0};
    printf("note: seed %u, %d operations\n", seed, OPERATIONS);
    for (int i = 0; i < OPERATIONS; i++) {
      int most = 1 + pick(&random, MOST); /* so that it shrinks and grows */
      if (m.count == 0 || (m.count < most && lwi_random_unit(&random) < 0.6f))
        add(&pool, &memory, &counted, &m, &random);
      else
        drop(&pool, &m, pick(&random, m.count));
      const any_id old = m.given[pick(&random, m.given_count)];
      any_id foreign = old;
      foreign.world += 1;
      assert_int_equal(LWI_FIND(&pool, old) != LWI_NO_SLOT, is_live(&m, old));
      assert_int_equal(LWI_FIND(&pool, foreign), LWI_NO_SLOT);
      if (i % 100) continue;
      check_valid(&pool);
      check_order(&pool, &m);
    }
    qsort(m.given, (size_t)m.given_count, sizeof *m.given, compare_ids);
    for (int i = 1; i < m.given_count; i++) /* no id was given twice */
      assert_true(compare_ids(&m.given[i - 1], &m.given[i]) != 0);
    lwi_id_pool_free(&pool, &memory);
    assert_int_equal(counted.bytes, 0);
    free(m.given);
  }
}

static void what_is_no_id_is_not_found(void **state) {
  (void)state;
  lwi_memory memory = lwi_memory_make(NULL);
  lwi_id_pool pool = lwi_id_pool_make(WORLD);
  const any_id none = {0, 0, 0};
  assert_int_equal(LWI_FIND(&pool, none), LWI_NO_SLOT);
  assert_int_equal(lwi_id_pool_add(&pool, &memory), 0);
  const any_id first = LWI_ID(&pool, 0);
  assert_true(first.generation == 1 && first.world == WORLD);
  const any_id wrong[] = {none,     {0, 0, WORLD}, {0, 2, WORLD}, {1, 1, WORLD}, {LWI_MAX_SLOTS, 1, WORLD},
                          {0, 1, 0}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    assert_int_equal(LWI_FIND(&pool, wrong[i]), LWI_NO_SLOT);
  assert_int_equal(LWI_FIND(&pool, first), 0);
  lwi_id_pool_free(&pool, &memory);
}

static void a_slot_with_no_generation_left_is_not_used_again(void **state) {
  (void)state;
  lwi_memory memory = lwi_memory_make(NULL);
  lwi_id_pool pool = lwi_id_pool_make(WORLD);
  for (int i = 1; i <= (int)LWI_MAX_GENERATION; i++) {
    assert_int_equal(lwi_id_pool_add(&pool, &memory), 0);
    assert_int_equal(pool.slots[0].generation, i);
    lwi_id_pool_remove(&pool, 0);
  }
  check_valid(&pool);
  assert_int_equal(lwi_id_pool_add(&pool, &memory), 1);
  const any_id last = {0, LWI_MAX_GENERATION, WORLD};
  assert_int_equal(LWI_FIND(&pool, last), LWI_NO_SLOT);
  check_valid(&pool);
  assert_int_equal(pool.slot_count, 2);
  lwi_id_pool_free(&pool, &memory);
}

static void without_memory_it_stays_as_it_was(void **state) {
  (void)state;
  support_memory counted = {.left = 0};
  const lw_allocator allocator = support_allocator(&counted);
  lwi_memory memory = lwi_memory_make(&allocator);
  lwi_id_pool pool = lwi_id_pool_make(WORLD);
  assert_int_equal(lwi_id_pool_add(&pool, &memory), LWI_NO_SLOT);
  counted.left = -1;
  int count = 0;
  for (; count < 5000; count++) {
    counted.left = 0;
    uint32_t slot = lwi_id_pool_add(&pool, &memory);
    counted.left = -1;
    if (slot == LWI_NO_SLOT) slot = lwi_id_pool_add(&pool, &memory);
    assert_int_equal(slot, count);
  }
  check_valid(&pool);
  assert_int_equal(pool.count, count);
  assert_true(counted.calls < 40); /* it grows by a part of itself */
  lwi_id_pool_free(&pool, &memory);
  assert_int_equal(counted.bytes, 0);
}

/* Saved and restored: into an empty pool, and into one that has given other ids since. */
static void a_restored_pool_has_the_same_ids_and_gives_none_twice(void **state) {
  (void)state;
  lwi_memory memory = lwi_memory_make(NULL);
  lw_random random = lwi_random_make(SEED, 1);
  lwi_id_pool pools[2] = {lwi_id_pool_make(WORLD), lwi_id_pool_make(WORLD + 1)};
  static lwi_id_state states[MOST];
  static uint32_t order[MOST];
  int count = 0;
  for (int i = 0; i < 2000; i++) {
    if (pools[0].count < MOST / 2 && lwi_random_unit(&random) < 0.6f)
      lwi_id_pool_add(&pools[0], &memory);
    else if (pools[0].count > 0)
      lwi_id_pool_remove(&pools[0], i % 2 ? pools[0].first : pools[0].last);
  }
  const int slots = pools[0].slot_count;
  assert_in_range(slots, 2, MOST);
  for (int i = 0; i < slots; i++)
    states[i] = (lwi_id_state){pools[0].slots[i].generation, pools[0].slots[i].newest, false};
  for (uint32_t i = pools[0].first; i != LWI_NO_SLOT; i = lwi_id_pool_next(&pools[0], i)) order[count++] = i;
  const any_id saved = LWI_ID(&pools[0], pools[0].first);
  while (pools[0].count > 0) lwi_id_pool_remove(&pools[0], pools[0].first);
  for (int i = 0; i < slots + 10; i++) lwi_id_pool_add(&pools[0], &memory);
  const any_id later = LWI_ID(&pools[0], saved.slot), beyond = LWI_ID(&pools[0], (uint32_t)slots + 5);
  for (int k = 0; k < 2; k++) {
    lwi_id_pool *pool = &pools[k];
    assert_true(lwi_id_pool_restore(pool, &memory, states, slots, order, count));
    check_valid(pool);
    assert_int_equal(pool->count, count);
    int i = 0;
    for (uint32_t slot = pool->first; slot != LWI_NO_SLOT; slot = lwi_id_pool_next(pool, slot), i++) {
      assert_int_equal(slot, order[i]);
      assert_int_equal(pool->slots[slot].generation, states[slot].generation);
    }
  }
  assert_int_equal(LWI_FIND(&pools[0], saved), saved.slot);
  assert_int_equal(LWI_FIND(&pools[1], saved), LWI_NO_SLOT);
  assert_int_equal(LWI_FIND(&pools[0], later), LWI_NO_SLOT);
  assert_int_equal(LWI_FIND(&pools[0], beyond), LWI_NO_SLOT);
  lwi_id_pool_remove(&pools[0], saved.slot);
  for (int i = 0; i < 2 * slots; i++) lwi_id_pool_add(&pools[0], &memory);
  check_valid(&pools[0]);
  assert_int_equal(LWI_FIND(&pools[0], saved), LWI_NO_SLOT);
  assert_int_equal(LWI_FIND(&pools[0], later), LWI_NO_SLOT);
  assert_int_equal(LWI_FIND(&pools[0], beyond), LWI_NO_SLOT);
  for (int k = 0; k < 2; k++) lwi_id_pool_free(&pools[k], &memory);
}

static void worlds_have_different_numbers(void **state) {
  (void)state;
  static bool seen[UINT16_MAX + 1];
  for (int i = 0; i < UINT16_MAX; i++) {
    uint16_t number = lwi_world_number();
    assert_true(number > 0 && !seen[number]);
    seen[number] = true;
  }
}

/* Items in few different hashes, so that chains are long; against an array of flags. */
static void an_index_finds_what_was_added(void **state) {
  (void)state;
  support_memory counted = {.left = -1};
  const lw_allocator allocator = support_allocator(&counted);
  lwi_memory memory = lwi_memory_make(&allocator);
  lw_random random = lwi_random_make(SEED, 2);
  lwi_hash_index index = {0};
  static uint64_t hashes[1000]; /* 0: not in the index */
  for (int i = 0; i < OPERATIONS; i++) {
    int item = pick(&random, 1000);
    if (hashes[item]) {
      lwi_hash_index_remove(&index, hashes[item], (uint32_t)item);
      hashes[item] = 0;
    } else {
      bool fails = lwi_random_unit(&random) < 0.1f;
      uint64_t hash = (uint64_t)(1 + pick(&random, 200)) * 0x100000001u;
      counted.left = fails ? 0 : -1;
      if (lwi_hash_index_add(&index, &memory, hash, (uint32_t)item))
        hashes[item] = hash;
      else
        assert_true(fails);
      counted.left = -1;
    }
    item = pick(&random, 1000);
    uint64_t hash = hashes[item] ? hashes[item] : 5;
    uint32_t found = lwi_hash_index_first(&index, hash);
    while (found != LWI_NO_ITEM && found != (uint32_t)item) found = lwi_hash_index_next(&index, found);
    assert_int_equal(found != LWI_NO_ITEM, hashes[item] != 0);
    found = lwi_hash_index_find(&index, hash);
    assert_true(found == LWI_NO_ITEM ? hashes[item] == 0 : hashes[found] == hash);
  }
  lwi_hash_index_free(&index, &memory);
  assert_int_equal(counted.bytes, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_does_what_a_list_does),
      cmocka_unit_test(what_is_no_id_is_not_found),
      cmocka_unit_test(a_slot_with_no_generation_left_is_not_used_again),
      cmocka_unit_test(without_memory_it_stays_as_it_was),
      cmocka_unit_test(a_restored_pool_has_the_same_ids_and_gives_none_twice),
      cmocka_unit_test(worlds_have_different_numbers),
      cmocka_unit_test(an_index_finds_what_was_added),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
