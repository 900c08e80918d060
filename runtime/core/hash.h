/// A 64-bit hash over words: for files' checksums and for runs' fingerprints, not against an adversary.
#ifndef LW_CORE_HASH_H
#define LW_CORE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define LWI_HASH_SEED 0x6c656577617264ULL

/// Continue `hash` with `size` bytes. Any single flipped bit changes the result.
uint64_t lwi_hash(uint64_t hash, const void *data, size_t size);

#endif
