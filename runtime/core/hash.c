#include "core/hash.h"

#include <string.h>

#define PRIME 0x9e3779b97f4a7c15ULL

/* Xor, multiply by an odd number and rotate are each one-to-one, so two inputs of the same length that differ
   in one word can never meet again. */
static uint64_t step(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * PRIME;
  return (hash << 29) | (hash >> 35);
}

uint64_t lwi_hash(uint64_t hash, const void *data, size_t size) {
  const unsigned char *bytes = data;
  uint64_t word;
  hash = step(hash, size);
  for (; size >= sizeof word; size -= sizeof word, bytes += sizeof word) {
    memcpy(&word, bytes, sizeof word);
    hash = step(hash, word);
  }
  if (size > 0) {
    word = 0;
    memcpy(&word, bytes, size);
    hash = step(hash, word);
  }
  hash ^= hash >> 32;
  hash *= PRIME;
  return hash ^ (hash >> 29);
}
