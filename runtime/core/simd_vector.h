/// core/simd.h by the vector extensions of gcc and clang. Include core/simd.h instead.
#ifndef LW_CORE_SIMD_VECTOR_H
#define LW_CORE_SIMD_VECTOR_H

#include <stdint.h>
#include <string.h>

typedef float lwi_v4sf __attribute__((vector_size(16)));
typedef double lwi_v2df __attribute__((vector_size(16)));
typedef int32_t lwi_v4si __attribute__((vector_size(16)));
typedef uint32_t lwi_v4su __attribute__((vector_size(16)));
typedef int32_t lwi_v2si __attribute__((vector_size(8)));
typedef float lwi_v2sf __attribute__((vector_size(8)));
typedef uint64_t lwi_v2du __attribute__((vector_size(16)));
typedef uint16_t lwi_v4hu __attribute__((vector_size(8)));
typedef uint16_t lwi_v8hu __attribute__((vector_size(16)));
typedef int16_t lwi_v8hi __attribute__((vector_size(16)));
typedef uint8_t lwi_v4qu __attribute__((vector_size(4)));
typedef uint8_t lwi_v16qu __attribute__((vector_size(16)));

typedef struct lwi_float4 {
  lwi_v4sf lanes;
} lwi_float4;
typedef struct lwi_int4 {
  lwi_v4si lanes;
} lwi_int4;
typedef struct lwi_short8 {
  lwi_v8hi lanes;
} lwi_short8;
/// In each element all bits or none.
typedef struct lwi_mask4 {
  lwi_v4si lanes;
} lwi_mask4;
typedef struct lwi_double4 {
  lwi_v2df low, high;
} lwi_double4;

/* --- making and reading ----------------------------------------------------------------------------------- */

static inline lwi_float4 lwi_splat4(float value) {
  return (lwi_float4){{value, value, value, value}};
}
static inline lwi_float4 lwi_make4(float a, float b, float c, float d) {
  return (lwi_float4){{a, b, c, d}};
}
/// @param from  [4] Need not be aligned.
static inline lwi_float4 lwi_load4(const float *from) {
  lwi_float4 a;
  memcpy(&a, from, sizeof a);
  return a;
}
static inline void lwi_store4(float *to, lwi_float4 a) {
  memcpy(to, &a, sizeof a);
}
/// @param from  [4] Each 0..255.
static inline lwi_float4 lwi_load_bytes4(const uint8_t *from) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  /* Zeros between the bytes: compilers turn the conversion below into a dozen steps. */
  uint32_t four;
  memcpy(&four, from, sizeof four);
  const lwi_v16qu zero = {0}, bytes = (lwi_v16qu)(lwi_v4su){four, 0, 0, 0};
  const lwi_v16qu shorts =
      __builtin_shufflevector(bytes, zero, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  const lwi_v8hu wide = __builtin_shufflevector((lwi_v8hu)shorts, (lwi_v8hu)zero, 0, 8, 1, 9, 2, 10, 3, 11);
  return (lwi_float4){__builtin_convertvector((lwi_v4si)wide, lwi_v4sf)};
#else
  lwi_v4qu lanes;
  memcpy(&lanes, from, sizeof lanes);
  return (lwi_float4){__builtin_convertvector(__builtin_convertvector(lanes, lwi_v4si), lwi_v4sf)};
#endif
}
static inline float lwi_get4(lwi_float4 a, int lane) {
  return a.lanes[lane];
}
static inline void lwi_set4(lwi_float4 *a, int lane, float value) {
  a->lanes[lane] = value;
}
/// Elements by number: 0..3 of a, 4..7 of b. The numbers are constants: a macro, because compilers need
/// literals.
#define lwi_shuffle4(a, b, i, j, k, l) ((lwi_float4){__builtin_shufflevector((a).lanes, (b).lanes, i, j, k, l)})

/* --- arithmetic ------------------------------------------------------------------------------------------- */

static inline lwi_float4 lwi_add4(lwi_float4 a, lwi_float4 b) {
  return (lwi_float4){a.lanes + b.lanes};
}
static inline lwi_float4 lwi_sub4(lwi_float4 a, lwi_float4 b) {
  return (lwi_float4){a.lanes - b.lanes};
}
static inline lwi_float4 lwi_mul4(lwi_float4 a, lwi_float4 b) {
  return (lwi_float4){a.lanes * b.lanes};
}
static inline lwi_float4 lwi_div4(lwi_float4 a, lwi_float4 b) {
  return (lwi_float4){a.lanes / b.lanes};
}
static inline lwi_float4 lwi_neg4(lwi_float4 a) {
  return (lwi_float4){-a.lanes};
}
static inline lwi_float4 lwi_abs4(lwi_float4 a) {
  return (lwi_float4){(lwi_v4sf)((lwi_v4si)a.lanes & 0x7fffffff)};
}
/// NaN where it is negative.
static inline lwi_float4 lwi_sqrt4(lwi_float4 a) {
#ifdef __SSE__
  return (lwi_float4){__builtin_ia32_sqrtps(a.lanes)};
#else
  for (int i = 0; i < 4; i++) a.lanes[i] = __builtin_sqrtf(a.lanes[i]);
  return a;
#endif
}

/* --- comparing -------------------------------------------------------------------------------------------- */

static inline lwi_mask4 lwi_less4(lwi_float4 a, lwi_float4 b) {
  return (lwi_mask4){a.lanes < b.lanes};
}
static inline lwi_mask4 lwi_less_equal4(lwi_float4 a, lwi_float4 b) {
  return (lwi_mask4){a.lanes <= b.lanes};
}
static inline lwi_mask4 lwi_mask_and4(lwi_mask4 a, lwi_mask4 b) {
  return (lwi_mask4){a.lanes & b.lanes};
}
static inline lwi_float4 lwi_select4(lwi_mask4 mask, lwi_float4 then, lwi_float4 otherwise) {
  return (lwi_float4){
      (lwi_v4sf)((mask.lanes & (lwi_v4si)then.lanes) | (~mask.lanes & (lwi_v4si)otherwise.lanes))};
}
/// a > b ? a : b, so b where one is NaN or both are zero.
static inline lwi_float4 lwi_max4(lwi_float4 a, lwi_float4 b) {
#ifdef __SSE__
  return (lwi_float4){__builtin_ia32_maxps(a.lanes, b.lanes)};
#else
  return lwi_select4(lwi_less4(b, a), a, b);
#endif
}
/// a < b ? a : b, so b where one is NaN or both are zero.
static inline lwi_float4 lwi_min4(lwi_float4 a, lwi_float4 b) {
#ifdef __SSE__
  return (lwi_float4){__builtin_ia32_minps(a.lanes, b.lanes)};
#else
  return lwi_select4(lwi_less4(a, b), a, b);
#endif
}
/// @return Bit i: the sign bit of element i, also of -0 and of NaN.
static inline unsigned lwi_signs4(lwi_float4 a) {
#ifdef __SSE__
  return (unsigned)__builtin_ia32_movmskps(a.lanes);
#else
  const lwi_v4si bits = (lwi_v4si)a.lanes;
  return (unsigned)(bits[0] < 0) | (unsigned)(bits[1] < 0) << 1 | (unsigned)(bits[2] < 0) << 2 |
         (unsigned)(bits[3] < 0) << 3;
#endif
}
/// @return Bit i: element i is set.
static inline unsigned lwi_mask_bits4(lwi_mask4 mask) {
  return lwi_signs4((lwi_float4){(lwi_v4sf)mask.lanes});
}

/* --- whole numbers ---------------------------------------------------------------------------------------- */

/// @param from  [4] Need not be aligned.
static inline lwi_int4 lwi_int_load4(const int32_t *from) {
  lwi_int4 a;
  memcpy(&a, from, sizeof a);
  return a;
}
/// @param from  [4] Need not be aligned.
static inline lwi_int4 lwi_int_load_shorts4(const uint16_t *from) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  uint64_t four;
  memcpy(&four, from, sizeof four);
  const lwi_v8hu zero = {0}, shorts = (lwi_v8hu)(lwi_v2du){four, 0};
  return (lwi_int4){(lwi_v4si)__builtin_shufflevector(shorts, zero, 0, 8, 1, 9, 2, 10, 3, 11)};
#else
  lwi_v4hu lanes;
  memcpy(&lanes, from, sizeof lanes);
  return (lwi_int4){__builtin_convertvector(lanes, lwi_v4si)};
#endif
}
/// Element i of columns[c] is rows[i][c]. @param rows  [4] of [4]: the fourth number is read and ignored.
static inline void lwi_int_load_columns4(const uint16_t *const rows[4], lwi_int4 columns[3]) {
  lwi_v4hu at[4];
  for (int i = 0; i < 4; i++) memcpy(&at[i], rows[i], sizeof at[i]);
  const lwi_v8hu left = __builtin_shufflevector(at[0], at[1], 0, 4, 1, 5, 2, 6, 3, 7),
                 right = __builtin_shufflevector(at[2], at[3], 0, 4, 1, 5, 2, 6, 3, 7);
  columns[0].lanes = __builtin_convertvector(__builtin_shufflevector(left, right, 0, 1, 8, 9), lwi_v4si);
  columns[1].lanes = __builtin_convertvector(__builtin_shufflevector(left, right, 2, 3, 10, 11), lwi_v4si);
  columns[2].lanes = __builtin_convertvector(__builtin_shufflevector(left, right, 4, 5, 12, 13), lwi_v4si);
}
static inline lwi_int4 lwi_int_splat4(int32_t value) {
  return (lwi_int4){{value, value, value, value}};
}
static inline int32_t lwi_int_get4(lwi_int4 a, int lane) {
  return a.lanes[lane];
}
/// Element i is from[at[i]].
static inline lwi_int4 lwi_int_gather4(const uint16_t *from, lwi_int4 at) {
  return (lwi_int4){{from[at.lanes[0]], from[at.lanes[1]], from[at.lanes[2]], from[at.lanes[3]]}};
}
/// a times 2^bits, modulo 2^32. @param bits  0..31.
static inline lwi_int4 lwi_int_shift_left4(lwi_int4 a, int bits) {
  return (lwi_int4){(lwi_v4si)((lwi_v4su)a.lanes << bits)};
}
/// Modulo 2^32.
static inline lwi_int4 lwi_int_add4(lwi_int4 a, lwi_int4 b) {
  return (lwi_int4){(lwi_v4si)((lwi_v4su)a.lanes + (lwi_v4su)b.lanes)};
}
/// Modulo 2^32.
static inline lwi_int4 lwi_int_sub4(lwi_int4 a, lwi_int4 b) {
  return (lwi_int4){(lwi_v4si)((lwi_v4su)a.lanes - (lwi_v4su)b.lanes)};
}
/// Rounds to the nearest float.
static inline lwi_float4 lwi_float_of_int4(lwi_int4 a) {
  return (lwi_float4){__builtin_convertvector(a.lanes, lwi_v4sf)};
}
/// Rounds towards 0. Elements must be within int32_t.
static inline lwi_int4 lwi_int_of_float4(lwi_float4 a) {
  return (lwi_int4){__builtin_convertvector(a.lanes, lwi_v4si)};
}

/* --- short integers --------------------------------------------------------------------------------------- */

/// @param from  [8] Need not be aligned.
static inline lwi_short8 lwi_short_load8(const int16_t *from) {
  lwi_short8 a;
  memcpy(&a, from, sizeof a);
  return a;
}
static inline void lwi_short_store8(int16_t *to, lwi_short8 a) {
  memcpy(to, &a, sizeof a);
}
static inline lwi_short8 lwi_short_splat8(int16_t value) {
  return (lwi_short8){{value, value, value, value, value, value, value, value}};
}
/// Wraps around.
static inline lwi_short8 lwi_short_add8(lwi_short8 a, lwi_short8 b) {
  return (lwi_short8){(lwi_v8hi)((lwi_v8hu)a.lanes + (lwi_v8hu)b.lanes)};
}
/// Wraps around.
static inline lwi_short8 lwi_short_sub8(lwi_short8 a, lwi_short8 b) {
  return (lwi_short8){(lwi_v8hi)((lwi_v8hu)a.lanes - (lwi_v8hu)b.lanes)};
}
/// gcc takes four steps for what is written out below; clang takes one, and has no such function.
#if defined(__SSE2__) && !defined(__clang__)
#define LWI_HAS_SHORT_MAX 1
#else
#define LWI_HAS_SHORT_MAX 0
#endif
static inline lwi_short8 lwi_short_max8(lwi_short8 a, lwi_short8 b) {
#if LWI_HAS_SHORT_MAX
  return (lwi_short8){(lwi_v8hi)__builtin_ia32_pmaxsw128(a.lanes, b.lanes)};
#else
  const lwi_v8hi is_larger = a.lanes > b.lanes;
  return (lwi_short8){(a.lanes & is_larger) | (b.lanes & ~is_larger)};
#endif
}
static inline lwi_short8 lwi_short_min8(lwi_short8 a, lwi_short8 b) {
#if LWI_HAS_SHORT_MAX
  return (lwi_short8){(lwi_v8hi)__builtin_ia32_pminsw128(a.lanes, b.lanes)};
#else
  const lwi_v8hi is_larger = a.lanes > b.lanes;
  return (lwi_short8){(b.lanes & is_larger) | (a.lanes & ~is_larger)};
#endif
}
/// 0 for each element that is `value`, and the others.
static inline lwi_short8 lwi_short_without8(lwi_short8 a, int16_t value) {
  return (lwi_short8){a.lanes & (a.lanes != value)};
}
/// The largest element.
static inline int16_t lwi_short_highest8(lwi_short8 a) {
  a = lwi_short_max8(a, (lwi_short8){__builtin_shufflevector(a.lanes, a.lanes, 4, 5, 6, 7, 0, 1, 2, 3)});
  a = lwi_short_max8(a, (lwi_short8){__builtin_shufflevector(a.lanes, a.lanes, 2, 3, 0, 1, 6, 7, 4, 5)});
  return a.lanes[0] > a.lanes[1] ? a.lanes[0] : a.lanes[1];
}

/* --- half floats without a sign or subnormals: those of exponent 0 are normal too, except 0 itself -------- */

/// @param half  In each element 0..0x7fff.
static inline lwi_float4 lwi_float_of_half4(lwi_int4 half) {
  return (lwi_float4){(lwi_v4sf)(((half.lanes << 13) + (112 << 23)) & (half.lanes > 0))};
}
/// Rounds towards 0; up to 2^-15 becomes 0. @param to  [4] @param a  0 to below 131072.
static inline void lwi_store_half4(uint16_t *to, lwi_float4 a) {
  lwi_v4si bits = (lwi_v4si)a.lanes;
  bits = (bits >> 13) - (112 << 10);
  bits &= bits > 0;
  const lwi_v4hu half = __builtin_convertvector(bits, lwi_v4hu);
  memcpy(to, &half, sizeof half);
}

/* --- doubles ---------------------------------------------------------------------------------------------- */

static inline lwi_double4 lwi_double_make4(double a, double b, double c, double d) {
  return (lwi_double4){{a, b}, {c, d}};
}
static inline lwi_double4 lwi_double_add4(lwi_double4 a, lwi_double4 b) {
  return (lwi_double4){a.low + b.low, a.high + b.high};
}
static inline lwi_double4 lwi_double_sub4(lwi_double4 a, lwi_double4 b) {
  return (lwi_double4){a.low - b.low, a.high - b.high};
}
static inline lwi_double4 lwi_double_scale4(lwi_double4 a, double by) {
  return (lwi_double4){a.low * by, a.high * by};
}
/// Rounds to the nearest float.
static inline lwi_float4 lwi_float_of_double4(lwi_double4 a) {
  const lwi_v2sf low = __builtin_convertvector(a.low, lwi_v2sf),
                 high = __builtin_convertvector(a.high, lwi_v2sf);
  return (lwi_float4){__builtin_shufflevector(low, high, 0, 1, 2, 3)};
}

#endif
