#include "core/hash_index.h"

#include <limits.h>
#include <string.h>

static uint32_t *bucket_of(const lwi_hash_index *index, uint64_t hash) {
  return &index->buckets[hash & (uint64_t)(index->bucket_count - 1)];
}

/* Twice as many buckets. @return false: no memory. */
static bool grow(lwi_hash_index *index, lwi_memory *memory) {
  if (index->bucket_count > INT_MAX / 2) return true; /* chains become longer */
  const lwi_hash_index old = *index;
  size_t old_size = (size_t)old.bucket_count * sizeof *old.buckets;
  index->bucket_count = old.bucket_count ? old.bucket_count * 2 : 16;
  size_t size = (size_t)index->bucket_count * sizeof *index->buckets;
  index->buckets = lwi_alloc(memory, size);
  if (!index->buckets) {
    *index = old;
    return false;
  }
  memset(index->buckets, 0xff, size);
  for (int i = 0; i < old.bucket_count; i++) {
    for (uint32_t item = old.buckets[i], next; item != LWI_NO_ITEM; item = next) {
      lwi_hash_entry *entry = &index->entries[item];
      uint32_t *bucket = bucket_of(index, entry->hash);
      next = entry->next;
      entry->next = *bucket;
      *bucket = item;
    }
  }
  lwi_free(memory, old.buckets, old_size);
  return true;
}

bool lwi_hash_index_add(lwi_hash_index *index, lwi_memory *memory, uint64_t hash, uint32_t item) {
  if (item >= INT_MAX ||
      !lwi_reserve(memory, &index->entries, &index->entry_capacity, (int)item + 1, sizeof *index->entries))
    return false;
  if (index->count >= index->bucket_count && !grow(index, memory)) return false;
  uint32_t *bucket = bucket_of(index, hash);
  index->entries[item] = (lwi_hash_entry){hash, *bucket};
  *bucket = item;
  index->count += 1;
  return true;
}

void lwi_hash_index_remove(lwi_hash_index *index, uint64_t hash, uint32_t item) {
  uint32_t *link = bucket_of(index, hash);
  while (*link != item) link = &index->entries[*link].next;
  *link = index->entries[item].next;
  index->count -= 1;
}

uint32_t lwi_hash_index_find(const lwi_hash_index *index, uint64_t hash) {
  uint32_t item = lwi_hash_index_first(index, hash);
  while (item != LWI_NO_ITEM && index->entries[item].hash != hash) item = lwi_hash_index_next(index, item);
  return item;
}

void lwi_hash_index_clear(lwi_hash_index *index) {
  if (index->count > 0) memset(index->buckets, 0xff, (size_t)index->bucket_count * sizeof *index->buckets);
  index->count = 0;
}

void lwi_hash_index_free(lwi_hash_index *index, lwi_memory *memory) {
  lwi_free(memory, index->buckets, (size_t)index->bucket_count * sizeof *index->buckets);
  lwi_free(memory, index->entries, (size_t)index->entry_capacity * sizeof *index->entries);
  *index = (lwi_hash_index){0};
}
