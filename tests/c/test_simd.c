/* Every operation of the twin that was built (core/simd.h) against plain C, on special and on random numbers. */
#include "core/random.h"
#include "core/simd.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SEED 20261122u
#define ROUNDS 20000

static const float specials[] = {0.0f,     -0.0f,  1.0f,     -1.0f,     0.5f,        -2.5f,    255.0f,
                                 NAN,      -NAN,   INFINITY, -INFINITY, FLT_MIN,     -FLT_MIN, FLT_MAX,
                                 -FLT_MAX, 1e-45f, -1e-45f,  1e-30f,    16777216.0f, 64000.0f, 3.0517578e-5f};
#define SPECIALS (sizeof specials / sizeof *specials)

static uint32_t bits_of(float a) {
  uint32_t bits;
  memcpy(&bits, &a, sizeof bits);
  return bits;
}
static float float_of(uint32_t bits) {
  float a;
  memcpy(&a, &bits, sizeof a);
  return a;
}

/* A special number, any bits at all, or an ordinary number. */
static float draw_float(lw_random *random) {
  const uint32_t kind = (uint32_t)lwi_random_bits(random) % 3, bits = (uint32_t)lwi_random_bits(random);
  if (kind == 0) return specials[bits % SPECIALS];
  if (kind == 1 && !isnan(float_of(bits))) return float_of(bits);
  return ((float)(bits >> 8) - 8388608.0f) * 1e-4f;
}
static void draw_floats(lw_random *random, float out[4]) {
  for (int i = 0; i < 4; i++) out[i] = draw_float(random);
}

static void assert_same_bits(lwi_float4 got, const float expected[4]) {
  for (int i = 0; i < 4; i++) assert_int_equal(bits_of(lwi_get4(got, i)), bits_of(expected[i]));
}
/* Bit for bit, but for which NaN it is: no result may depend on that. */
static void assert_same(lwi_float4 got, const float expected[4]) {
  for (int i = 0; i < 4; i++)
    if (isnan(expected[i]))
      assert_true(isnan(lwi_get4(got, i)));
    else
      assert_int_equal(bits_of(lwi_get4(got, i)), bits_of(expected[i]));
}
static void assert_same_ints(lwi_int4 got, const int32_t expected[4]) {
  for (int i = 0; i < 4; i++) assert_int_equal(lwi_int_get4(got, i), expected[i]);
}

/* --- floats -------------------------------------------------------------------------------------------------------- */

static void check_making(const float a[4]) {
  float stored[5] = {0}, lanes[4];
  assert_same_bits(lwi_make4(a[0], a[1], a[2], a[3]), a);
  assert_same_bits(lwi_load4(a), a);
  assert_same_bits(lwi_splat4(a[2]), (float[]){a[2], a[2], a[2], a[2]});
  lwi_store4(stored + 1, lwi_load4(a)); /* not aligned */
  assert_memory_equal(stored + 1, a, sizeof lanes);
  lwi_float4 set = lwi_load4(a);
  lwi_set4(&set, 3, a[0]);
  lwi_set4(&set, 1, a[2]);
  assert_same_bits(set, (float[]){a[0], a[2], a[2], a[0]});
}

static void check_shuffles(const float a[4], const float b[4]) {
  const lwi_float4 x = lwi_load4(a), y = lwi_load4(b);
  assert_same_bits(lwi_shuffle4(x, x, 3, 3, 3, 3), (float[]){a[3], a[3], a[3], a[3]});
  assert_same_bits(lwi_shuffle4(x, y, 1, 2, 3, 4), (float[]){a[1], a[2], a[3], b[0]});
  assert_same_bits(lwi_shuffle4(x, y, 0, 1, 6, 7), (float[]){a[0], a[1], b[2], b[3]});
  assert_same_bits(lwi_shuffle4(x, y, 4, 5, 2, 3), (float[]){b[0], b[1], a[2], a[3]});
}

static void check_arithmetic(const float a[4], const float b[4], const float c[4]) {
  const lwi_float4 x = lwi_load4(a), y = lwi_load4(b), z = lwi_load4(c);
  float sum[4], difference[4], product[4], quotient[4], both[4], negative[4], size[4];
  for (int i = 0; i < 4; i++) {
    sum[i] = a[i] + b[i];
    difference[i] = a[i] - b[i];
    product[i] = a[i] * b[i];
    quotient[i] = a[i] / b[i];
    both[i] = product[i] + c[i];
    negative[i] = float_of(bits_of(a[i]) ^ 0x80000000u);
    size[i] = float_of(bits_of(a[i]) & 0x7fffffffu);
  }
  assert_same(lwi_add4(x, y), sum);
  assert_same(lwi_sub4(x, y), difference);
  assert_same(lwi_mul4(x, y), product);
  assert_same(lwi_div4(x, y), quotient);
  assert_same(lwi_mul_add4(x, y, z), both);
  assert_same_bits(lwi_neg4(x), negative);
  assert_same_bits(lwi_abs4(x), size);
  float root[4];
  for (int i = 0; i < 4; i++) root[i] = sqrtf(size[i]);
  assert_same(lwi_sqrt4(lwi_abs4(x)), root);
  const float total = (a[0] + a[1]) + (a[2] + a[3]);
  assert_same(lwi_splat4(lwi_sum4(x)), (float[]){total, total, total, total});
  const lwi_float4 first[3] = {x, y, z}, second[3] = {z, x, y};
  float dot[4];
  for (int i = 0; i < 4; i++) dot[i] = (a[i] * c[i] + b[i] * a[i]) + c[i] * b[i];
  assert_same(lwi_dot4(first, second), dot);
}

static void check_comparing(const float a[4], const float b[4]) {
  const lwi_float4 x = lwi_load4(a), y = lwi_load4(b);
  unsigned less = 0, less_equal = 0, signs = 0;
  float max[4], min[4], chosen[4];
  for (int i = 0; i < 4; i++) {
    less |= (unsigned)(a[i] < b[i]) << i;
    less_equal |= (unsigned)(a[i] <= b[i]) << i;
    signs |= bits_of(a[i]) >> 31 << i;
    max[i] = a[i] > b[i] ? a[i] : b[i];
    min[i] = a[i] < b[i] ? a[i] : b[i];
    chosen[i] = a[i] < b[i] ? b[i] : a[i];
  }
  assert_int_equal(lwi_mask_bits4(lwi_less4(x, y)), less);
  assert_int_equal(lwi_mask_bits4(lwi_less_equal4(x, y)), less_equal);
  assert_int_equal(lwi_mask_bits4(lwi_mask_and4(lwi_less4(x, y), lwi_less_equal4(y, x))), 0);
  assert_int_equal(lwi_mask_bits4(lwi_mask_and4(lwi_less_equal4(x, y), lwi_less4(x, y))), less);
  assert_int_equal(lwi_signs4(x), signs);
  assert_same_bits(lwi_max4(x, y), max);
  assert_same_bits(lwi_min4(x, y), min);
  assert_same_bits(lwi_select4(lwi_less4(x, y), y, x), chosen);
}

/* Not of NaN, nor of which zero it is. */
static void check_extremes(const float a[4]) {
  float highest = -INFINITY, lowest = INFINITY;
  for (int i = 0; i < 4; i++) {
    if (isnan(a[i])) return;
    highest = a[i] > highest ? a[i] : highest;
    lowest = a[i] < lowest ? a[i] : lowest;
  }
  assert_true(lwi_highest4(lwi_load4(a)) == highest);
  assert_true(lwi_lowest4(lwi_load4(a)) == lowest);
}

static void test_floats(void **state) {
  (void)state;
  lw_random random = lwi_random_make(SEED, 0);
  for (int round = 0; round < ROUNDS; round++) {
    float a[4], b[4], c[4];
    draw_floats(&random, a);
    draw_floats(&random, b);
    draw_floats(&random, c);
    if (round % 8 == 0) memcpy(b, a, sizeof b); /* equal lanes */
    check_making(a);
    check_shuffles(a, b);
    check_arithmetic(a, b, c);
    check_comparing(a, b);
    check_extremes(a);
  }
}

/* Each special number in each lane beside each other. */
static void test_specials(void **state) {
  (void)state;
  for (size_t i = 0; i < SPECIALS; i++)
    for (size_t k = 0; k < SPECIALS; k++) {
      const float a[4] = {specials[i], specials[k], specials[i], 1},
                  b[4] = {specials[k], specials[i], 1, specials[k]};
      check_arithmetic(a, b, a);
      check_comparing(a, b);
      check_extremes(a);
    }
}

/* --- whole numbers, halves, doubles -------------------------------------------------------------------------------- */

static void check_ints(const int32_t a[4], const int32_t b[4]) {
  const lwi_int4 x = lwi_int_load4(a), y = lwi_int_load4(b);
  int32_t sum[4], difference[4], shifted[4];
  float converted[4];
  for (int i = 0; i < 4; i++) {
    sum[i] = (int32_t)((uint32_t)a[i] + (uint32_t)b[i]);
    difference[i] = (int32_t)((uint32_t)a[i] - (uint32_t)b[i]);
    shifted[i] = (int32_t)((uint32_t)a[i] << 7);
    converted[i] = (float)a[i];
  }
  assert_same_ints(x, a);
  assert_same_ints(lwi_int_splat4(a[1]), (int32_t[]){a[1], a[1], a[1], a[1]});
  assert_same_ints(lwi_int_add4(x, y), sum);
  assert_same_ints(lwi_int_sub4(x, y), difference);
  assert_same_ints(lwi_int_shift_left4(x, 7), shifted);
  assert_same_bits(lwi_float_of_int4(x), converted);
}

static void test_ints(void **state) {
  (void)state;
  static const int32_t edges[] = {0, 1, -1, INT32_MAX, INT32_MIN, 16777217, -16777217};
  lw_random random = lwi_random_make(SEED, 0);
  for (int round = 0; round < ROUNDS; round++) {
    int32_t a[4], b[4], truncated[4];
    float values[4];
    for (int i = 0; i < 4; i++) {
      const uint32_t at = (uint32_t)lwi_random_bits(&random);
      a[i] = at % 4 == 0 ? edges[at / 4 % 7] : (int32_t)at;
      b[i] = (int32_t)(uint32_t)lwi_random_bits(&random);
      values[i] = (float)(b[i] / 2) * (at % 2 ? 1.0f : 1e-6f);
      truncated[i] = (int32_t)values[i];
    }
    check_ints(a, b);
    assert_same_ints(lwi_int_of_float4(lwi_load4(values)), truncated);
  }
}

static void test_small_ints(void **state) {
  (void)state;
  uint8_t bytes[260];
  uint16_t shorts[260];
  lw_random random = lwi_random_make(SEED, 0);
  for (int i = 0; i < 260; i++) {
    bytes[i] = (uint8_t)i;
    shorts[i] = (uint16_t)(i < 4 ? UINT16_MAX - (uint32_t)i : (uint32_t)lwi_random_bits(&random));
  }
  for (int i = 0; i < 256; i++) {
    assert_same_bits(lwi_load_bytes4(bytes + i), (float[]){bytes[i], bytes[i + 1], bytes[i + 2], bytes[i + 3]});
    assert_same_ints(lwi_int_load_shorts4(shorts + i),
                     (int32_t[]){shorts[i], shorts[i + 1], shorts[i + 2], shorts[i + 3]});
    const int32_t at[4] = {i, 259 - i, i / 2, 3};
    assert_same_ints(lwi_int_gather4(shorts, lwi_int_load4(at)),
                     (int32_t[]){shorts[at[0]], shorts[at[1]], shorts[at[2]], shorts[at[3]]});
    const uint16_t *rows[4] = {shorts + i, shorts + 256 - i, shorts, shorts + i / 2};
    lwi_int4 columns[3];
    lwi_int_load_columns4(rows, columns);
    for (int c = 0; c < 3; c++)
      assert_same_ints(columns[c], (int32_t[]){rows[0][c], rows[1][c], rows[2][c], rows[3][c]});
  }
}

static void test_shorts(void **state) {
  (void)state;
  lw_random random = lwi_random_make(SEED, 0);
  for (int round = 0; round < 1000; round++) {
    int16_t a[8], b[8], got[8], highest = INT16_MIN;
    for (int i = 0; i < 8; i++) {
      const uint32_t at = (uint32_t)lwi_random_bits(&random);
      a[i] = at % 8 == 0 ? INT16_MIN : at % 8 == 1 ? INT16_MAX : (int16_t)(uint16_t)(at >> 8);
      b[i] = (int16_t)(uint16_t)lwi_random_bits(&random);
      highest = a[i] > highest ? a[i] : highest;
    }
    const lwi_short8 x = lwi_short_load8(a), y = lwi_short_load8(b);
    const lwi_short8 difference = lwi_short_sub8(x, y), larger = lwi_short_max8(x, y);
    const lwi_short8 sum = lwi_short_add8(x, lwi_short_splat8(b[0])), smaller = lwi_short_min8(x, y),
                     without = lwi_short_without8(x, INT16_MAX);
    memcpy(got, &difference, sizeof got);
    for (int i = 0; i < 8; i++) assert_int_equal(got[i], (int16_t)(uint16_t)(a[i] - b[i]));
    memcpy(got, &larger, sizeof got);
    for (int i = 0; i < 8; i++) assert_int_equal(got[i], a[i] > b[i] ? a[i] : b[i]);
    lwi_short_store8(got, sum);
    for (int i = 0; i < 8; i++) assert_int_equal(got[i], (int16_t)(uint16_t)(a[i] + b[0]));
    lwi_short_store8(got, smaller);
    for (int i = 0; i < 8; i++) assert_int_equal(got[i], a[i] < b[i] ? a[i] : b[i]);
    lwi_short_store8(got, without);
    for (int i = 0; i < 8; i++) assert_int_equal(got[i], a[i] == INT16_MAX ? 0 : a[i]);
    assert_int_equal(lwi_short_highest8(x), highest);
  }
}

/* Exponents of 0 are normal, except 0 itself: what a half float is, in plain words. */
static float value_of_half(uint16_t half) {
  return half == 0 ? 0 : ldexpf(1 + (float)(half & 1023) / 1024, (half >> 10) - 15);
}

static void test_halves(void **state) {
  (void)state;
  for (int32_t half = 0; half < 0x8000; half += 4) {
    const int32_t bits[4] = {half, half + 1, half + 2, half + 3};
    float expected[4], above[4];
    uint16_t stored[4], truncated[4];
    for (int i = 0; i < 4; i++) {
      expected[i] = value_of_half((uint16_t)bits[i]);
      above[i] = bits[i] == 0 ? ldexpf(1, -15) : nextafterf(value_of_half((uint16_t)(bits[i] + 1)), 0);
    }
    if (half == 0x7ffc) above[3] = expected[3];
    assert_same_bits(lwi_float_of_half4(lwi_int_load4(bits)), expected);
    lwi_store_half4(stored, lwi_load4(expected));
    lwi_store_half4(truncated, lwi_load4(above));
    for (int i = 0; i < 4; i++) {
      assert_int_equal(stored[i], bits[i]);
      assert_int_equal(truncated[i], bits[i]);
    }
  }
}

static void test_doubles(void **state) {
  (void)state;
  lw_random random = lwi_random_make(SEED, 0);
  for (int round = 0; round < ROUNDS; round++) {
    double a[3][4], by[3];
    for (int i = 0; i < 3; i++) {
      by[i] = (double)draw_float(&random) * 1.1;
      for (int k = 0; k < 4; k++) a[i][k] = (double)draw_float(&random) * 0.9;
    }
    lwi_double4 x[3];
    for (int i = 0; i < 3; i++) x[i] = lwi_double_make4(a[i][0], a[i][1], a[i][2], a[i][3]);
    float sum[4], difference[4], scaled[4], dot[4];
    for (int k = 0; k < 4; k++) {
      sum[k] = (float)(a[0][k] + a[1][k]);
      difference[k] = (float)(a[0][k] - a[1][k]);
      scaled[k] = (float)(a[0][k] * by[0]);
      dot[k] = (float)((a[0][k] * by[0] + a[1][k] * by[1]) + a[2][k] * by[2]);
    }
    assert_same(lwi_float_of_double4(lwi_double_add4(x[0], x[1])), sum);
    assert_same(lwi_float_of_double4(lwi_double_sub4(x[0], x[1])), difference);
    assert_same(lwi_float_of_double4(lwi_double_scale4(x[0], by[0])), scaled);
    assert_same(lwi_float_of_double4(lwi_double_dot4(x, by)), dot);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_floats),     cmocka_unit_test(test_specials), cmocka_unit_test(test_ints),
      cmocka_unit_test(test_small_ints), cmocka_unit_test(test_shorts),   cmocka_unit_test(test_halves),
      cmocka_unit_test(test_doubles),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
