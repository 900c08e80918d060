/// The bytes of a file: numbers are written and read little-endian on any machine, and never past the end.
#ifndef LW_CORE_BYTES_H
#define LW_CORE_BYTES_H

#include "core/memory.h"

#include <limits.h>
#include <string.h>

/// What is being written. Start from {.memory = ...}; free `data` with lwi_free(memory, data, capacity).
typedef struct lwi_bytes {
  lwi_memory *memory;
  unsigned char *data; ///< [count]
  int count, capacity;
  bool failed; ///< Out of memory, or more than INT_MAX: what was put since is missing.
} lwi_bytes;

/// @param size  Of the number. [bytes, 1..8]
static inline void lwi_put(lwi_bytes *bytes, uint64_t value, int size) {
  bytes->failed = bytes->failed || bytes->count > INT_MAX - size;
  if (bytes->failed || !lwi_reserve(bytes->memory, &bytes->data, &bytes->capacity, bytes->count + size, 1)) {
    bytes->failed = true;
    return;
  }
  for (int i = 0; i < size; i++) bytes->data[bytes->count++] = (unsigned char)(value >> 8 * i);
}
static inline void lwi_put_u32(lwi_bytes *bytes, uint32_t value) {
  lwi_put(bytes, value, 4);
}
static inline void lwi_put_u64(lwi_bytes *bytes, uint64_t value) {
  lwi_put(bytes, value, 8);
}
static inline void lwi_put_float(lwi_bytes *bytes, float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  lwi_put_u32(bytes, bits);
}
static inline void lwi_put_double(lwi_bytes *bytes, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  lwi_put_u64(bytes, bits);
}
static inline void lwi_put_vec3(lwi_bytes *bytes, lw_vec3 v) {
  lwi_put_float(bytes, v.x);
  lwi_put_float(bytes, v.y);
  lwi_put_float(bytes, v.z);
}
/// The length in one byte, then the text. @param text  Shorter than 256 bytes.
static inline void lwi_put_text(lwi_bytes *bytes, const char *text) {
  size_t length = strlen(text);
  lwi_put(bytes, length, 1);
  for (size_t i = 0; i < length; i++) lwi_put(bytes, (unsigned char)text[i], 1);
}

/// The length in four bytes, the text, and a zero.
static inline void lwi_put_string(lwi_bytes *bytes, const char *text) {
  const size_t length = strlen(text);
  bytes->failed = bytes->failed || length > INT_MAX;
  lwi_put_u32(bytes, (uint32_t)length);
  for (size_t i = 0; i <= length && !bytes->failed; i++) lwi_put(bytes, (unsigned char)text[i], 1);
}
static inline void lwi_put_block(lwi_bytes *bytes, const void *data, size_t size) {
  for (size_t i = 0; i < size && !bytes->failed; i++) lwi_put(bytes, ((const unsigned char *)data)[i], 1);
}

/// What is left to read.
typedef struct lwi_reader {
  const unsigned char *at, *end;
  bool failed; ///< Less was left than was asked for: that number and all later ones are 0.
} lwi_reader;

/// @param size  Of the number. [bytes, 1..8]
static inline uint64_t lwi_get(lwi_reader *reader, int size) {
  uint64_t value = 0;
  if (reader->end - reader->at < size) {
    reader->failed = true;
    reader->at = reader->end;
    return 0;
  }
  for (int i = 0; i < size; i++) value |= (uint64_t)*reader->at++ << 8 * i;
  return value;
}
static inline uint32_t lwi_get_u32(lwi_reader *reader) {
  return (uint32_t)lwi_get(reader, 4);
}
static inline uint64_t lwi_get_u64(lwi_reader *reader) {
  return lwi_get(reader, 8);
}
static inline float lwi_get_float(lwi_reader *reader) {
  uint32_t bits = lwi_get_u32(reader);
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}
static inline double lwi_get_double(lwi_reader *reader) {
  uint64_t bits = lwi_get_u64(reader);
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}
static inline lw_vec3 lwi_get_vec3(lwi_reader *reader) {
  lw_vec3 v;
  v.x = lwi_get_float(reader);
  v.y = lwi_get_float(reader);
  v.z = lwi_get_float(reader);
  return v;
}
/// @param[out] text  [256] Zero-terminated. A zero within it sets `failed`.
static inline void lwi_get_text(lwi_reader *reader, char *text) {
  size_t length = (size_t)lwi_get(reader, 1);
  for (size_t i = 0; i < length; i++) text[i] = (char)lwi_get(reader, 1);
  text[length] = 0;
  if (strlen(text) != length) reader->failed = true;
}
/// @return [size] Borrowed from what is read. NULL: less is left.
static inline const void *lwi_get_block(lwi_reader *reader, size_t size) {
  const unsigned char *data = reader->at;
  if (reader->failed || (size_t)(reader->end - reader->at) < size) {
    reader->failed = true;
    reader->at = reader->end;
    return NULL;
  }
  reader->at += size;
  return data;
}
/// What lwi_put_string() has put. @return Zero-terminated, borrowed from what is read; "" if it failed.
static inline const char *lwi_get_string(lwi_reader *reader) {
  const size_t length = lwi_get_u32(reader);
  const char *text = lwi_get_block(reader, length + 1);
  if (text && memchr(text, 0, length + 1) == text + length) return text;
  reader->failed = true;
  return "";
}

#endif
