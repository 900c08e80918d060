/// Finds numbered items by a hash of what they are looked up by. The owner compares what it finds: different
/// items may have equal hashes.
#ifndef LW_CORE_HASH_INDEX_H
#define LW_CORE_HASH_INDEX_H

#include "core/memory.h"

#define LWI_NO_ITEM UINT32_MAX

typedef struct lwi_hash_entry {
  uint64_t hash;
  uint32_t next; ///< Of the same bucket.
} lwi_hash_entry;

typedef struct lwi_hash_index {
  uint32_t *buckets; ///< [bucket_count] The first item.
  int bucket_count;  ///< A power of two, or 0.
  int count;
  lwi_hash_entry *entries; ///< [entry_capacity] By item.
  int entry_capacity;
} lwi_hash_index;

/// @param item  Not in the index. Its entry takes memory for all items below it. @return false: no memory,
/// nothing changed.
bool lwi_hash_index_add(lwi_hash_index *index, lwi_memory *memory, uint64_t hash, uint32_t item);
/// @param item  In the index, with that hash.
void lwi_hash_index_remove(lwi_hash_index *index, uint64_t hash, uint32_t item);
/// Remove all items; memory stays. Takes as long as there are buckets.
void lwi_hash_index_clear(lwi_hash_index *index);
void lwi_hash_index_free(lwi_hash_index *index, lwi_memory *memory);

/// @return An item with that very hash, the only one if hashes differ; LWI_NO_ITEM: there is none.
uint32_t lwi_hash_index_find(const lwi_hash_index *index, uint64_t hash);
/// Items that may be what is looked for. @return LWI_NO_ITEM behind the last one.
static inline uint32_t lwi_hash_index_first(const lwi_hash_index *index, uint64_t hash) {
  return index->bucket_count ? index->buckets[hash & (uint64_t)(index->bucket_count - 1)] : LWI_NO_ITEM;
}
static inline uint32_t lwi_hash_index_next(const lwi_hash_index *index, uint32_t item) {
  return index->entries[item].next;
}

#endif
