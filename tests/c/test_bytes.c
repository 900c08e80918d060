#include "allocator.h"

#include "core/bytes.h"
#include "core/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define SEED 20261202

static lwi_reader reader_of(const lwi_bytes *bytes) {
  return (lwi_reader){.at = bytes->data, .end = bytes->data + bytes->count};
}

static void numbers_are_written_little_endian(void **state) {
  (void)state;
  static const unsigned char expected[] = {0x04, 0x03, 0x02, 0x01, 0x08, 0x07, 0x06, 0x05, 0x04, 0x03,
                                           0x02, 0x01, 0xcd, 0xab, 0x00, 0x00, 0x80, 0x3f, 0,    0,
                                           0,    0,    0,    0,    0xf0, 0xbf, 2,    'h',  'i'};
  lwi_memory memory = lwi_memory_make(NULL);
  lwi_bytes bytes = {.memory = &memory};
  lwi_put_u32(&bytes, 0x01020304);
  lwi_put_u64(&bytes, 0x0102030405060708);
  lwi_put(&bytes, 0xabcd, 2);
  lwi_put_float(&bytes, 1);
  lwi_put_double(&bytes, -1);
  lwi_put_text(&bytes, "hi");
  assert_false(bytes.failed);
  assert_int_equal(bytes.count, sizeof expected);
  assert_memory_equal(bytes.data, expected, sizeof expected);
  lwi_free(&memory, bytes.data, (size_t)bytes.capacity);
  assert_int_equal(memory.bytes, 0);
}

static void every_bit_comes_back(void **state) {
  (void)state;
  static const float floats[] = {0.0f, -0.0f, 1e-45f, INFINITY, -INFINITY, 3.4028235e38f};
  lwi_memory memory = lwi_memory_make(NULL);
  lwi_bytes bytes = {.memory = &memory};
  for (int i = 0; i < 6; i++) lwi_put_float(&bytes, floats[i]);
  lwi_put_float(&bytes, NAN);
  lwi_put_double(&bytes, 0x1.fffffffffffffp-1022);
  lwi_put_vec3(&bytes, (lw_vec3){1, -2, 3});
  lwi_put_u64(&bytes, UINT64_MAX);
  lwi_reader reader = reader_of(&bytes);
  for (int i = 0; i < 6; i++) {
    const float got = lwi_get_float(&reader);
    assert_memory_equal(&got, &floats[i], sizeof got);
  }
  assert_true(isnan(lwi_get_float(&reader)));
  assert_true(lwi_get_double(&reader) == 0x1.fffffffffffffp-1022);
  const lw_vec3 v = lwi_get_vec3(&reader);
  assert_true(v.x == 1 && v.y == -2 && v.z == 3);
  assert_true(lwi_get_u64(&reader) == UINT64_MAX);
  assert_true(reader.at == reader.end && !reader.failed);
  lwi_free(&memory, bytes.data, (size_t)bytes.capacity);
}

/* Puts what its numbers say, or gets and compares. */
static void random_records(lwi_bytes *to, lwi_reader *from, int count) {
  lw_random random = lwi_random_make(SEED, 0);
  for (int i = 0; i < count; i++) {
    const int size = 1 + (int)(lwi_random_bits(&random) % 8);
    const uint64_t value = lwi_random_bits(&random) >> (64 - 8 * size);
    if (to)
      lwi_put(to, value, size);
    else if (lwi_get(from, size) != value)
      fail_msg("seed %d: number %d of %d bytes is another one", SEED, i, size);
  }
}

static void random_numbers_of_every_size_come_back(void **state) {
  (void)state;
  lwi_memory memory = lwi_memory_make(NULL);
  lwi_bytes bytes = {.memory = &memory};
  random_records(&bytes, NULL, 5000);
  lwi_reader reader = reader_of(&bytes);
  random_records(NULL, &reader, 5000);
  assert_true(reader.at == reader.end && !reader.failed);
  lwi_free(&memory, bytes.data, (size_t)bytes.capacity);
  printf("note: seed %d\n", SEED);
}

static void reading_past_the_end_gives_zeros_and_stays_failed(void **state) {
  (void)state;
  static const unsigned char data[7] = {1, 2, 3, 4, 5, 6, 7};
  for (int length = 0; length < 8; length++) {
    lwi_reader reader = {.at = data, .end = data + length};
    assert_true(lwi_get_u64(&reader) == 0);
    assert_true(reader.failed && reader.at == reader.end);
    assert_true(lwi_get(&reader, 1) == 0);
    assert_true(lwi_get_float(&reader) == 0 && lwi_get_double(&reader) == 0);
    char text[256];
    lwi_get_text(&reader, text);
    assert_string_equal(text, "");
  }
  lwi_reader exact = {.at = data, .end = data + 4};
  assert_int_equal(lwi_get_u32(&exact), 0x04030201);
  assert_false(exact.failed);
}

static void texts_of_every_length_come_back(void **state) {
  (void)state;
  lwi_memory memory = lwi_memory_make(NULL);
  char text[256], got[256];
  for (int length = 0; length < 256; length++) {
    lwi_bytes bytes = {.memory = &memory};
    memset(text, 'a' + length % 26, (size_t)length);
    text[length] = 0;
    lwi_put_text(&bytes, text);
    assert_int_equal(bytes.count, length + 1);
    lwi_reader reader = reader_of(&bytes);
    lwi_get_text(&reader, got);
    assert_string_equal(got, text);
    assert_false(reader.failed);
    if (length > 0) { /* cut short by a byte */
      reader = reader_of(&bytes);
      reader.end -= 1;
      lwi_get_text(&reader, got);
      assert_true(reader.failed);
    }
    lwi_free(&memory, bytes.data, (size_t)bytes.capacity);
  }
  const unsigned char with_zero[] = {3, 'a', 0, 'b'};
  lwi_reader reader = {.at = with_zero, .end = with_zero + sizeof with_zero};
  lwi_get_text(&reader, got);
  assert_true(reader.failed);
  assert_int_equal(memory.bytes, 0);
}

static void a_failed_allocation_is_remembered(void **state) {
  (void)state;
  for (int left = 0; left < 6; left++) {
    support_memory held = {.left = left, .once = true};
    const lw_allocator allocator = support_allocator(&held);
    lwi_memory memory = lwi_memory_make(&allocator);
    lwi_bytes bytes = {.memory = &memory};
    for (int i = 0; i < 1000; i++) lwi_put_u32(&bytes, (uint32_t)i);
    assert_true(bytes.failed);
    assert_true(bytes.count < 4000 && bytes.count <= bytes.capacity);
    for (int i = 0; i < bytes.count; i++) assert_int_equal(bytes.data[i], i / 4 >> i % 4 * 8 & 0xff);
    lwi_free(&memory, bytes.data, (size_t)bytes.capacity);
    assert_int_equal(held.bytes, 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_are_written_little_endian),
      cmocka_unit_test(every_bit_comes_back),
      cmocka_unit_test(random_numbers_of_every_size_come_back),
      cmocka_unit_test(reading_past_the_end_gives_zeros_and_stays_failed),
      cmocka_unit_test(texts_of_every_length_come_back),
      cmocka_unit_test(a_failed_allocation_is_remembered),
  };
  return cmocka_run_group_tests_name("bytes", tests, NULL, NULL);
}
