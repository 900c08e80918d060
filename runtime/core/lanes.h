/// Four numbers at a time. Plain C for the compiler to map onto what the processor has; each lane rounds as a float does,
/// so results are the same everywhere.
#ifndef LW_CORE_LANES_H
#define LW_CORE_LANES_H

#include <stdint.h>
#include <string.h>

typedef float lwi_float4 __attribute__((vector_size(16)));
typedef int32_t lwi_int4 __attribute__((vector_size(16)));
typedef uint16_t lwi_short4 __attribute__((vector_size(8)));
typedef uint16_t lwi_short8 __attribute__((vector_size(16)));
typedef uint8_t lwi_byte4 __attribute__((vector_size(4)));

static inline lwi_float4 lwi_load4(const float *from) {
  lwi_float4 lanes;
  memcpy(&lanes, from, sizeof lanes);
  return lanes;
}
static inline lwi_float4 lwi_bytes4(const uint8_t *from) {
  lwi_byte4 lanes;
  memcpy(&lanes, from, sizeof lanes);
  return __builtin_convertvector(__builtin_convertvector(lanes, lwi_int4), lwi_float4);
}
static inline lwi_int4 lwi_int_of_short4(lwi_short4 a) {
  return __builtin_convertvector(a, lwi_int4);
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
