#include "core/bucket_queue.h"

void lwi_bucket_queue_begin(lwi_bucket_queue *queue, float width) {
  queue->count = queue->head_count = queue->at = 0;
  queue->per_key = 1 / width;
}

bool lwi_bucket_queue_reserve(lwi_bucket_queue *queue, lwi_memory *memory, int number) {
  if (!lwi_reserve(memory, &queue->entries, &queue->capacity, queue->count + 1, sizeof *queue->entries) ||
      !lwi_reserve(memory, &queue->heads, &queue->head_capacity, number + 1, sizeof *queue->heads))
    return false;
  while (queue->head_count <= number) queue->heads[queue->head_count++] = LWI_BUCKET_NONE;
  return true;
}

void lwi_bucket_queue_free(lwi_bucket_queue *queue, lwi_memory *memory) {
  lwi_free(memory, queue->entries, (size_t)queue->capacity * sizeof *queue->entries);
  lwi_free(memory, queue->heads, (size_t)queue->head_capacity * sizeof *queue->heads);
  *queue = (lwi_bucket_queue){0};
}
