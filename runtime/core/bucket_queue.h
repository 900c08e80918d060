/// A queue of (key, item) for label-correcting searches (Dial 1969): keys fall into buckets of equal width,
/// which come one after another. In which order those of a bucket come depends on the pushes and pops before.
/// It is much faster than a heap where there are many entries.
#ifndef LW_CORE_BUCKET_QUEUE_H
#define LW_CORE_BUCKET_QUEUE_H

#include "core/memory.h"

typedef struct lwi_bucket_entry {
  float key; ///< [>= 0, finite]
  uint32_t item;
  uint32_t next; ///< In its bucket.
} lwi_bucket_entry;

/// Start from {0}, and lwi_bucket_queue_begin().
typedef struct lwi_bucket_queue {
  lwi_bucket_entry *entries; ///< [count]
  int count, capacity;
  uint32_t *heads; ///< [head_count] The newest entry of each bucket.
  int head_count, head_capacity;
  int at;        ///< The bucket that is being emptied.
  float per_key; ///< Buckets to 1.
} lwi_bucket_queue;

/// Empty it. @param width  Of a bucket. [> 0]
void lwi_bucket_queue_begin(lwi_bucket_queue *queue, float width);
/// Let there be a bucket of that number, and space for an entry. @return false: no memory.
bool lwi_bucket_queue_reserve(lwi_bucket_queue *queue, lwi_memory *memory, int number);

/// Of an empty bucket, and of the last entry of one.
#define LWI_BUCKET_NONE UINT32_MAX
/// Keys beyond that many buckets fall into the last one.
#define LWI_BUCKETS_MAX (1 << 20)

/// @param key  In no bucket before that of the last entry taken.
/// @return false: no memory, and the queue is as it was.
static inline bool lwi_bucket_queue_push(lwi_bucket_queue *queue, lwi_memory *memory, float key,
                                         uint32_t item) {
  const float place = key * queue->per_key;
  const int number = place < (float)LWI_BUCKETS_MAX ? (int)place : LWI_BUCKETS_MAX;
  if ((number >= queue->head_count || queue->count == queue->capacity) &&
      !lwi_bucket_queue_reserve(queue, memory, number))
    return false;
  queue->entries[queue->count] = (lwi_bucket_entry){key, item, queue->heads[number]};
  queue->heads[number] = (uint32_t)queue->count++;
  return true;
}

/// @param[out] entry  One of the first bucket that is not empty. @return false: the queue is empty.
static inline bool lwi_bucket_queue_pop(lwi_bucket_queue *queue, lwi_bucket_entry *entry) {
  while (queue->at < queue->head_count && queue->heads[queue->at] == LWI_BUCKET_NONE) queue->at += 1;
  if (queue->at >= queue->head_count) return false;
  *entry = queue->entries[queue->heads[queue->at]];
  queue->heads[queue->at] = entry->next;
  return true;
}

/// Free the entries; the queue is as {0}.
void lwi_bucket_queue_free(lwi_bucket_queue *queue, lwi_memory *memory);

#endif
