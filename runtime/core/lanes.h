/// Four numbers at a time. Plain C for the compiler to map onto what the processor has; each lane rounds as a float does,
/// so results are the same everywhere.
#ifndef LW_CORE_LANES_H
#define LW_CORE_LANES_H

#include <stdint.h>
#include <string.h>

typedef float lwi_float4 __attribute__((vector_size(16)));
typedef double lwi_double4 __attribute__((vector_size(32)));
typedef int32_t lwi_int4 __attribute__((vector_size(16)));
typedef uint16_t lwi_short4 __attribute__((vector_size(8)));
typedef uint16_t lwi_short8 __attribute__((vector_size(16)));
typedef uint8_t lwi_byte4 __attribute__((vector_size(4)));
typedef uint8_t lwi_byte16 __attribute__((vector_size(16)));
typedef uint64_t lwi_ulong2 __attribute__((vector_size(16)));
typedef uint32_t lwi_uint4 __attribute__((vector_size(16)));

static inline lwi_float4 lwi_load4(const float *from) {
  lwi_float4 lanes;
  memcpy(&lanes, from, sizeof lanes);
  return lanes;
}
static inline lwi_float4 lwi_bytes4(const uint8_t *from) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  /* Zeros between the bytes: compilers turn the conversion below into a dozen steps. */
  uint32_t four;
  memcpy(&four, from, sizeof four);
  const lwi_byte16 zero = {0}, bytes = (lwi_byte16)(lwi_uint4){four, 0, 0, 0};
  const lwi_byte16 shorts =
      __builtin_shufflevector(bytes, zero, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  const lwi_short8 wide =
      __builtin_shufflevector((lwi_short8)shorts, (lwi_short8)zero, 0, 8, 1, 9, 2, 10, 3, 11);
  return __builtin_convertvector((lwi_int4)wide, lwi_float4);
#else
  lwi_byte4 lanes;
  memcpy(&lanes, from, sizeof lanes);
  return __builtin_convertvector(__builtin_convertvector(lanes, lwi_int4), lwi_float4);
#endif
}
static inline lwi_int4 lwi_int_of_short4(lwi_short4 a) {
  return __builtin_convertvector(a, lwi_int4);
}
/// Four numbers that lie one behind the other.
static inline lwi_int4 lwi_shorts4(const uint16_t *from) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  uint64_t four;
  memcpy(&four, from, sizeof four);
  const lwi_short8 zero = {0}, shorts = (lwi_short8)(lwi_ulong2){four, 0};
  return (lwi_int4)__builtin_shufflevector(shorts, zero, 0, 8, 1, 9, 2, 10, 3, 11);
#else
  lwi_short4 lanes;
  memcpy(&lanes, from, sizeof lanes);
  return __builtin_convertvector(lanes, lwi_int4);
#endif
}
static inline lwi_float4 lwi_float_of_int4(lwi_int4 a) {
  return __builtin_convertvector(a, lwi_float4);
}
static inline lwi_float4 lwi_all4(float value) {
  return (lwi_float4){value, value, value, value};
}
static inline lwi_float4 lwi_max4(lwi_float4 a, lwi_float4 b) {
#ifdef __SSE__
  return __builtin_ia32_maxps(a, b); /* the same, zeros and NaN included */
#endif
  lwi_int4 greater = a > b;
  return (lwi_float4)((greater & (lwi_int4)a) | (~greater & (lwi_int4)b));
}
static inline lwi_float4 lwi_min4(lwi_float4 a, lwi_float4 b) {
#ifdef __SSE__
  return __builtin_ia32_minps(a, b);
#endif
  return -lwi_max4(-a, -b);
}
static inline lwi_float4 lwi_absolute4(lwi_float4 a) {
  return (lwi_float4)((lwi_int4)a & 0x7fffffff);
}
/// @param mask  In each lane all bits or none, as comparisons give them.
static inline lwi_float4 lwi_where4(lwi_int4 mask, lwi_float4 then, lwi_float4 otherwise) {
  return (lwi_float4)((mask & (lwi_int4)then) | (~mask & (lwi_int4)otherwise));
}
static inline float lwi_highest4(lwi_float4 a) {
  a = lwi_max4(a, __builtin_shufflevector(a, a, 2, 3, 0, 1));
  return lwi_max4(a, __builtin_shufflevector(a, a, 1, 0, 3, 2))[0];
}
static inline float lwi_sum4(lwi_float4 a) {
  return (a[0] + a[1]) + (a[2] + a[3]);
}
/// @return Bit i: lane i is less than zero, or -0.
static inline unsigned lwi_signs4(lwi_float4 a) {
#ifdef __SSE__
  return (unsigned)__builtin_ia32_movmskps(a);
#else
  lwi_int4 bits = (lwi_int4)a;
  return (bits[0] < 0) | (unsigned)(bits[1] < 0) << 1 | (unsigned)(bits[2] < 0) << 2 |
         (unsigned)(bits[3] < 0) << 3;
#endif
}

#endif
