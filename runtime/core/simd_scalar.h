/// core/simd.h in plain C, lane by lane. Include core/simd.h instead. core/simd_vector.h has the functions'
/// contracts.
#ifndef LW_CORE_SIMD_SCALAR_H
#define LW_CORE_SIMD_SCALAR_H

#include <math.h>
#include <stdint.h>
#include <string.h>

/* As large and as aligned as the vectors, so that both twins hold as many bytes. */
typedef struct lwi_float4 {
  _Alignas(16) float lanes[4];
} lwi_float4;
typedef struct lwi_short8 {
  int16_t lanes[8];
} lwi_short8;
typedef struct lwi_int4 {
  _Alignas(16) int32_t lanes[4];
} lwi_int4;
typedef struct lwi_mask4 {
  _Alignas(16) int32_t lanes[4];
} lwi_mask4;
typedef struct lwi_double4 {
  _Alignas(16) double lanes[4];
} lwi_double4;

/* --- making and reading ----------------------------------------------------------------------------------- */

static inline lwi_float4 lwi_make4(float a, float b, float c, float d) {
  return (lwi_float4){{a, b, c, d}};
}
static inline lwi_float4 lwi_splat4(float value) {
  return lwi_make4(value, value, value, value);
}
static inline lwi_float4 lwi_load4(const float *from) {
  return lwi_make4(from[0], from[1], from[2], from[3]);
}
static inline void lwi_store4(float *to, lwi_float4 a) {
  memcpy(to, a.lanes, sizeof a.lanes);
}
static inline lwi_float4 lwi_load_bytes4(const uint8_t *from) {
  return lwi_make4(from[0], from[1], from[2], from[3]);
}
static inline float lwi_get4(lwi_float4 a, int lane) {
  return a.lanes[lane];
}
static inline void lwi_set4(lwi_float4 *a, int lane, float value) {
  a->lanes[lane] = value;
}
static inline lwi_float4 lwi_shuffle4(lwi_float4 a, lwi_float4 b, int i, int j, int k, int l) {
  float both[8];
  memcpy(both, a.lanes, sizeof a.lanes);
  memcpy(both + 4, b.lanes, sizeof b.lanes);
  return lwi_make4(both[i], both[j], both[k], both[l]);
}

/* --- arithmetic ------------------------------------------------------------------------------------------- */

static inline lwi_float4 lwi_add4(lwi_float4 a, lwi_float4 b) {
  for (int i = 0; i < 4; i++) a.lanes[i] += b.lanes[i];
  return a;
}
static inline lwi_float4 lwi_sub4(lwi_float4 a, lwi_float4 b) {
  for (int i = 0; i < 4; i++) a.lanes[i] -= b.lanes[i];
  return a;
}
static inline lwi_float4 lwi_mul4(lwi_float4 a, lwi_float4 b) {
  for (int i = 0; i < 4; i++) a.lanes[i] *= b.lanes[i];
  return a;
}
static inline lwi_float4 lwi_div4(lwi_float4 a, lwi_float4 b) {
  for (int i = 0; i < 4; i++) a.lanes[i] /= b.lanes[i];
  return a;
}
static inline lwi_float4 lwi_neg4(lwi_float4 a) {
  for (int i = 0; i < 4; i++) a.lanes[i] = -a.lanes[i];
  return a;
}
/* By the bits, so that NaN loses its sign as well. */
static inline lwi_float4 lwi_abs4(lwi_float4 a) {
  uint32_t bits[4];
  memcpy(bits, a.lanes, sizeof bits);
  for (int i = 0; i < 4; i++) bits[i] &= 0x7fffffff;
  memcpy(a.lanes, bits, sizeof bits);
  return a;
}
/// NaN where it is negative.
static inline lwi_float4 lwi_sqrt4(lwi_float4 a) {
  for (int i = 0; i < 4; i++) a.lanes[i] = sqrtf(a.lanes[i]);
  return a;
}

/* --- comparing -------------------------------------------------------------------------------------------- */

static inline lwi_mask4 lwi_less4(lwi_float4 a, lwi_float4 b) {
  lwi_mask4 mask;
  for (int i = 0; i < 4; i++) mask.lanes[i] = -(a.lanes[i] < b.lanes[i]);
  return mask;
}
static inline lwi_mask4 lwi_less_equal4(lwi_float4 a, lwi_float4 b) {
  lwi_mask4 mask;
  for (int i = 0; i < 4; i++) mask.lanes[i] = -(a.lanes[i] <= b.lanes[i]);
  return mask;
}
static inline lwi_mask4 lwi_mask_and4(lwi_mask4 a, lwi_mask4 b) {
  for (int i = 0; i < 4; i++) a.lanes[i] &= b.lanes[i];
  return a;
}
static inline lwi_float4 lwi_select4(lwi_mask4 mask, lwi_float4 then, lwi_float4 otherwise) {
  for (int i = 0; i < 4; i++) otherwise.lanes[i] = mask.lanes[i] ? then.lanes[i] : otherwise.lanes[i];
  return otherwise;
}
static inline lwi_float4 lwi_max4(lwi_float4 a, lwi_float4 b) {
  for (int i = 0; i < 4; i++) b.lanes[i] = a.lanes[i] > b.lanes[i] ? a.lanes[i] : b.lanes[i];
  return b;
}
static inline lwi_float4 lwi_min4(lwi_float4 a, lwi_float4 b) {
  for (int i = 0; i < 4; i++) b.lanes[i] = a.lanes[i] < b.lanes[i] ? a.lanes[i] : b.lanes[i];
  return b;
}
static inline unsigned lwi_signs4(lwi_float4 a) {
  uint32_t bits[4];
  memcpy(bits, a.lanes, sizeof bits);
  return bits[0] >> 31 | bits[1] >> 31 << 1 | bits[2] >> 31 << 2 | bits[3] >> 31 << 3;
}
static inline unsigned lwi_mask_bits4(lwi_mask4 mask) {
  return (unsigned)(mask.lanes[0] & 1) | (unsigned)(mask.lanes[1] & 2) | (unsigned)(mask.lanes[2] & 4) |
         (unsigned)(mask.lanes[3] & 8);
}

/* --- whole numbers ---------------------------------------------------------------------------------------- */

static inline lwi_int4 lwi_int_make4(int32_t a, int32_t b, int32_t c, int32_t d) {
  return (lwi_int4){{a, b, c, d}};
}
static inline lwi_int4 lwi_int_load4(const int32_t *from) {
  return lwi_int_make4(from[0], from[1], from[2], from[3]);
}
static inline lwi_int4 lwi_int_load_shorts4(const uint16_t *from) {
  return lwi_int_make4(from[0], from[1], from[2], from[3]);
}
static inline void lwi_int_load_columns4(const uint16_t *const rows[4], lwi_int4 columns[3]) {
  for (int i = 0; i < 3; i++) columns[i] = lwi_int_make4(rows[0][i], rows[1][i], rows[2][i], rows[3][i]);
}
static inline lwi_int4 lwi_int_splat4(int32_t value) {
  return lwi_int_make4(value, value, value, value);
}
static inline int32_t lwi_int_get4(lwi_int4 a, int lane) {
  return a.lanes[lane];
}
static inline lwi_int4 lwi_int_gather4(const uint16_t *from, lwi_int4 at) {
  return lwi_int_make4(from[at.lanes[0]], from[at.lanes[1]], from[at.lanes[2]], from[at.lanes[3]]);
}
static inline lwi_int4 lwi_int_shift_left4(lwi_int4 a, int bits) {
  for (int i = 0; i < 4; i++) a.lanes[i] = (int32_t)((uint32_t)a.lanes[i] << bits);
  return a;
}
static inline lwi_int4 lwi_int_add4(lwi_int4 a, lwi_int4 b) {
  for (int i = 0; i < 4; i++) a.lanes[i] = (int32_t)((uint32_t)a.lanes[i] + (uint32_t)b.lanes[i]);
  return a;
}
static inline lwi_int4 lwi_int_sub4(lwi_int4 a, lwi_int4 b) {
  for (int i = 0; i < 4; i++) a.lanes[i] = (int32_t)((uint32_t)a.lanes[i] - (uint32_t)b.lanes[i]);
  return a;
}
static inline lwi_float4 lwi_float_of_int4(lwi_int4 a) {
  return lwi_make4((float)a.lanes[0], (float)a.lanes[1], (float)a.lanes[2], (float)a.lanes[3]);
}
static inline lwi_int4 lwi_int_of_float4(lwi_float4 a) {
  return lwi_int_make4((int32_t)a.lanes[0], (int32_t)a.lanes[1], (int32_t)a.lanes[2], (int32_t)a.lanes[3]);
}

/* --- short integers --------------------------------------------------------------------------------------- */

static inline lwi_short8 lwi_short_load8(const int16_t *from) {
  lwi_short8 a;
  memcpy(a.lanes, from, sizeof a.lanes);
  return a;
}
static inline void lwi_short_store8(int16_t *to, lwi_short8 a) {
  memcpy(to, a.lanes, sizeof a.lanes);
}
static inline lwi_short8 lwi_short_splat8(int16_t value) {
  lwi_short8 a;
  for (int i = 0; i < 8; i++) a.lanes[i] = value;
  return a;
}
static inline lwi_short8 lwi_short_add8(lwi_short8 a, lwi_short8 b) {
  for (int i = 0; i < 8; i++) a.lanes[i] = (int16_t)((uint16_t)a.lanes[i] + (uint16_t)b.lanes[i]);
  return a;
}
static inline lwi_short8 lwi_short_sub8(lwi_short8 a, lwi_short8 b) {
  for (int i = 0; i < 8; i++) a.lanes[i] = (int16_t)((uint16_t)a.lanes[i] - (uint16_t)b.lanes[i]);
  return a;
}
static inline lwi_short8 lwi_short_max8(lwi_short8 a, lwi_short8 b) {
  for (int i = 0; i < 8; i++) a.lanes[i] = a.lanes[i] > b.lanes[i] ? a.lanes[i] : b.lanes[i];
  return a;
}
static inline lwi_short8 lwi_short_min8(lwi_short8 a, lwi_short8 b) {
  for (int i = 0; i < 8; i++) a.lanes[i] = a.lanes[i] < b.lanes[i] ? a.lanes[i] : b.lanes[i];
  return a;
}
static inline lwi_short8 lwi_short_without8(lwi_short8 a, int16_t value) {
  for (int i = 0; i < 8; i++) a.lanes[i] = a.lanes[i] == value ? 0 : a.lanes[i];
  return a;
}
static inline int16_t lwi_short_highest8(lwi_short8 a) {
  int16_t highest = a.lanes[0];
  for (int i = 1; i < 8; i++) highest = a.lanes[i] > highest ? a.lanes[i] : highest;
  return highest;
}

/* --- half floats ------------------------------------------------------------------------------------------ */

static inline lwi_float4 lwi_float_of_half4(lwi_int4 half) {
  lwi_float4 a;
  uint32_t bits[4];
  for (int i = 0; i < 4; i++) bits[i] = half.lanes[i] > 0 ? ((uint32_t)half.lanes[i] << 13) + (112U << 23) : 0;
  memcpy(a.lanes, bits, sizeof bits);
  return a;
}
static inline void lwi_store_half4(uint16_t *to, lwi_float4 a) {
  int32_t bits[4];
  memcpy(bits, a.lanes, sizeof bits);
  for (int i = 0; i < 4; i++) {
    const int32_t half = (bits[i] >> 13) - (112 << 10);
    to[i] = (uint16_t)(half > 0 ? half : 0);
  }
}

/* --- doubles ---------------------------------------------------------------------------------------------- */

static inline lwi_double4 lwi_double_make4(double a, double b, double c, double d) {
  return (lwi_double4){{a, b, c, d}};
}
static inline lwi_double4 lwi_double_add4(lwi_double4 a, lwi_double4 b) {
  for (int i = 0; i < 4; i++) a.lanes[i] += b.lanes[i];
  return a;
}
static inline lwi_double4 lwi_double_sub4(lwi_double4 a, lwi_double4 b) {
  for (int i = 0; i < 4; i++) a.lanes[i] -= b.lanes[i];
  return a;
}
static inline lwi_double4 lwi_double_scale4(lwi_double4 a, double by) {
  for (int i = 0; i < 4; i++) a.lanes[i] *= by;
  return a;
}
static inline lwi_float4 lwi_float_of_double4(lwi_double4 a) {
  return lwi_make4((float)a.lanes[0], (float)a.lanes[1], (float)a.lanes[2], (float)a.lanes[3]);
}

#endif
