#include "core/heap.h"

static bool before(lwi_heap_entry a, lwi_heap_entry b) {
  return a.key < b.key;
}

bool lwi_heap_push(lwi_heap *heap, lwi_memory *memory, float key, uint32_t item) {
  if (!lwi_reserve(memory, &heap->entries, &heap->capacity, heap->count + 1, sizeof *heap->entries))
    return false;
  lwi_heap_entry entry = {key, item};
  int at = heap->count++;
  while (at > 0 && before(entry, heap->entries[(at - 1) / 2])) {
    heap->entries[at] = heap->entries[(at - 1) / 2];
    at = (at - 1) / 2;
  }
  heap->entries[at] = entry;
  return true;
}

bool lwi_heap_pop(lwi_heap *heap, lwi_heap_entry *entry) {
  if (heap->count == 0) return false;
  *entry = heap->entries[0];
  lwi_heap_entry last = heap->entries[--heap->count];
  int at = 0;
  for (;;) {
    int child = 2 * at + 1;
    if (child >= heap->count) break;
    if (child + 1 < heap->count && before(heap->entries[child + 1], heap->entries[child])) child += 1;
    if (!before(heap->entries[child], last)) break;
    heap->entries[at] = heap->entries[child];
    at = child;
  }
  heap->entries[at] = last;
  return true;
}

void lwi_heap_free(lwi_heap *heap, lwi_memory *memory) {
  lwi_free(memory, heap->entries, (size_t)heap->capacity * sizeof *heap->entries);
  *heap = (lwi_heap){0};
}
