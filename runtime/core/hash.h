/// A 64-bit hash for checksums of files and fingerprints of runs. It does not withstand an adversary.
#ifndef LW_CORE_HASH_H
#define LW_CORE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define LWI_HASH_SEED 0x6c656577617264ULL

/// Continue `hash` with `size` bytes. Any single flipped bit changes the result, and so does where one call
/// ends and the next begins: hashing in two parts gives another result than hashing at once.
/// @param data  May be NULL when `size` is 0.
uint64_t lwi_hash(uint64_t hash, const void *data, size_t size);

#endif
