#include "core/hash.h"
#include "core/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SEED 20261203

static void fill(unsigned char *data, size_t size) {
  lw_random random = lwi_random_make(SEED, size);
  for (size_t i = 0; i < size; i++) data[i] = (unsigned char)lwi_random_bits(&random);
}

/* Sizes about the limits of its loops: words of 8 bytes, blocks of 32, four of which are hashed side by side. */
static void any_single_flipped_bit_changes_it(void **state) {
  (void)state;
  static const size_t sizes[] = {1, 2, 7, 8, 9, 31, 32, 33, 63, 127, 128, 129, 135, 136, 159, 160, 161, 1000};
  unsigned char data[1000];
  size_t flips = 0;
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    fill(data, sizes[s]);
    const uint64_t hash = lwi_hash(LWI_HASH_SEED, data, sizes[s]);
    for (size_t bit = 0; bit < 8 * sizes[s]; bit++, flips++) {
      data[bit / 8] ^= (unsigned char)(1 << bit % 8);
      if (lwi_hash(LWI_HASH_SEED, data, sizes[s]) == hash)
        fail_msg("seed %d: bit %zu of %zu bytes does not matter", SEED, bit, sizes[s]);
      data[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
    assert_true(lwi_hash(LWI_HASH_SEED, data, sizes[s]) == hash);
  }
  printf("note: seed %d: %zu flipped bits\n", SEED, flips);
}

static int compare(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* In words that follow each other two flips can cancel: bit 63 and bit 28 of the next word do. */
static void two_flipped_bits_of_one_word_change_it(void **state) {
  (void)state;
  unsigned char data[40];
  uint64_t hashes[64 * 63 / 2 + 1];
  fill(data, sizeof data);
  for (size_t word = 0; word < sizeof data; word += 8) {
    size_t count = 0;
    hashes[count++] = lwi_hash(LWI_HASH_SEED, data, sizeof data);
    for (int i = 0; i < 64; i++)
      for (int j = i + 1; j < 64; j++) {
        unsigned char changed[sizeof data];
        memcpy(changed, data, sizeof data);
        changed[word + (size_t)i / 8] ^= (unsigned char)(1 << i % 8);
        changed[word + (size_t)j / 8] ^= (unsigned char)(1 << j % 8);
        hashes[count++] = lwi_hash(LWI_HASH_SEED, changed, sizeof changed);
      }
    qsort(hashes, count, sizeof *hashes, compare);
    for (size_t i = 1; i < count; i++) assert_true(hashes[i] != hashes[i - 1]);
  }
}

static void every_length_of_zeros_differs(void **state) {
  (void)state;
  static const unsigned char zeros[300];
  uint64_t hashes[301];
  for (size_t size = 0; size <= 300; size++) hashes[size] = lwi_hash(LWI_HASH_SEED, zeros, size);
  qsort(hashes, 301, sizeof *hashes, compare);
  for (size_t i = 1; i <= 300; i++) assert_true(hashes[i] != hashes[i - 1]);
  assert_true(lwi_hash(LWI_HASH_SEED, NULL, 0) == lwi_hash(LWI_HASH_SEED, zeros, 0));
}

static void it_continues_from_any_hash(void **state) {
  (void)state;
  unsigned char data[200];
  fill(data, sizeof data);
  const uint64_t once = lwi_hash(LWI_HASH_SEED, data, sizeof data);
  for (size_t cut = 0; cut <= sizeof data; cut++) {
    const uint64_t first = lwi_hash(LWI_HASH_SEED, data, cut);
    const uint64_t both = lwi_hash(first, data + cut, sizeof data - cut);
    assert_true(both != once); /* where one call ends is part of the result */
    assert_true(both == lwi_hash(lwi_hash(LWI_HASH_SEED, data, cut), data + cut, sizeof data - cut));
    assert_true(lwi_hash(first ^ 1, data + cut, sizeof data - cut) != both);
  }
  assert_true(lwi_hash(once, NULL, 0) != once); /* no bytes continue it, too */
}

static void where_the_bytes_lie_does_not_matter(void **state) {
  (void)state;
  unsigned char data[200], moved[208];
  fill(data, sizeof data);
  const uint64_t expected = lwi_hash(LWI_HASH_SEED, data, sizeof data);
  for (size_t by = 0; by < 8; by++) {
    memcpy(moved + by, data, sizeof data);
    assert_true(lwi_hash(LWI_HASH_SEED, moved + by, sizeof data) == expected);
  }
}

/* Files and saves hold these: another result is another file version. */
static void known_texts_have_known_hashes(void **state) {
  (void)state;
  char text[256];
  for (int i = 0; i < 256; i++) text[i] = (char)i;
  assert_true(lwi_hash(LWI_HASH_SEED, "", 0) == 0x831acd4963771577ULL);
  assert_true(lwi_hash(LWI_HASH_SEED, "leeward", 7) == 0x352fca2ebfbd42b8ULL);
  assert_true(lwi_hash(LWI_HASH_SEED, text, sizeof text) == 0x8f4d4408afdc9bbbULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(any_single_flipped_bit_changes_it),
      cmocka_unit_test(two_flipped_bits_of_one_word_change_it),
      cmocka_unit_test(every_length_of_zeros_differs),
      cmocka_unit_test(it_continues_from_any_hash),
      cmocka_unit_test(where_the_bytes_lie_does_not_matter),
      cmocka_unit_test(known_texts_have_known_hashes),
  };
  return cmocka_run_group_tests_name("hash", tests, NULL, NULL);
}
