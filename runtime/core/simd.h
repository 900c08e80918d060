/// Vectors of four numbers, in two twins with the same results bit for bit: SIMD registers through the
/// compiler's vector extensions, or plain C (`make SIMD=no`). The types are opaque structs: users call these
/// functions and nothing else, so what compiles for one twin compiles for the other.
///
/// Each element rounds as its C type does. A comparison with NaN is false. The sign of a NaN that arithmetic
/// gives is not specified.
#ifndef LW_CORE_SIMD_H
#define LW_CORE_SIMD_H

#include <stdint.h>
#include <string.h>

#ifndef LW_SIMD
#ifdef __GNUC__
#define LW_SIMD 1
#else
#define LW_SIMD 0
#endif
#endif

#if LW_SIMD
#include "core/simd_vector.h"
#else
#include "core/simd_scalar.h"
#endif

/* Built from the functions above, for both twins. */

/// a * b + c, rounded twice: never fused.
static inline lwi_float4 lwi_mul_add4(lwi_float4 a, lwi_float4 b, lwi_float4 c) {
  return lwi_add4(lwi_mul4(a, b), c);
}
/// a[0] * b[0] + a[1] * b[1] + a[2] * b[2], in this order.
static inline lwi_float4 lwi_dot4(const lwi_float4 a[3], const lwi_float4 b[3]) {
  return lwi_add4(lwi_add4(lwi_mul4(a[0], b[0]), lwi_mul4(a[1], b[1])), lwi_mul4(a[2], b[2]));
}
/// a[0] * b[0] + a[1] * b[1] + a[2] * b[2], in this order.
static inline lwi_double4 lwi_double_dot4(const lwi_double4 a[3], const double b[3]) {
  const lwi_double4 first = lwi_double_add4(lwi_double_scale4(a[0], b[0]), lwi_double_scale4(a[1], b[1]));
  return lwi_double_add4(first, lwi_double_scale4(a[2], b[2]));
}
/// The largest element. None may be NaN.
static inline float lwi_highest4(lwi_float4 a) {
  a = lwi_max4(a, lwi_shuffle4(a, a, 2, 3, 0, 1));
  return lwi_get4(lwi_max4(a, lwi_shuffle4(a, a, 1, 0, 3, 2)), 0);
}
/// The smallest element. None may be NaN.
static inline float lwi_lowest4(lwi_float4 a) {
  return -lwi_highest4(lwi_neg4(a));
}
/// (a0 + a1) + (a2 + a3).
static inline float lwi_sum4(lwi_float4 a) {
  return (lwi_get4(a, 0) + lwi_get4(a, 1)) + (lwi_get4(a, 2) + lwi_get4(a, 3));
}

#endif
