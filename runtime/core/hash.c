#include "core/hash.h"

#include <string.h>

#define PRIME 0x9e3779b97f4a7c15ULL

/* Xor, multiplication by an odd number and rotation are each one-to-one, so inputs of one length that differ in a single
   word keep different hashes. */
static uint64_t step(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * PRIME;
  return (hash << 29) | (hash >> 35);
}

/* Long inputs in four independent chains, which a processor computes at the same time. */
static uint64_t hash_blocks(uint64_t hash, const unsigned char *bytes, size_t blocks) {
  uint64_t chain[4] = {hash, hash ^ PRIME, ~hash, hash + PRIME}, word[4];
  for (; blocks > 0; blocks--, bytes += sizeof word) {
    memcpy(word, bytes, sizeof word);
    for (int i = 0; i < 4; i++) chain[i] = step(chain[i], word[i]);
  }
  for (int i = 0; i < 4; i++) hash = step(hash, chain[i]);
  return hash;
}

uint64_t lwi_hash(uint64_t hash, const void *data, size_t size) {
  const unsigned char *bytes = data;
  const size_t block = 4 * sizeof(uint64_t);
  uint64_t word;
  hash = step(hash, size);
  if (size >= 4 * block) {
    hash = hash_blocks(hash, bytes, size / block);
    bytes += size / block * block;
    size %= block;
  }
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
