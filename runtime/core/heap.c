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

/* The place of the last entry is searched for from below (Wegener 1993): most belong near there, and on the way down there
   is nothing to compare it with. */
bool lwi_heap_pop(lwi_heap *heap, lwi_heap_entry *entry) {
  if (heap->count == 0) return false;
  lwi_heap_entry *entries = heap->entries;
  *entry = entries[0];
  const int count = --heap->count;
  const lwi_heap_entry last = entries[count];
  int at = 0, child = 1;
  for (; child + 1 < count; child = 2 * at + 1) {
    child += before(entries[child + 1], entries[child]);
    entries[at] = entries[child];
    at = child;
  }
  if (child < count) {
    entries[at] = entries[child];
    at = child;
  }
  while (at > 0 && !before(entries[(at - 1) / 2], last)) {
    entries[at] = entries[(at - 1) / 2];
    at = (at - 1) / 2;
  }
  entries[at] = last;
  return true;
}

void lwi_heap_free(lwi_heap *heap, lwi_memory *memory) {
  lwi_free(memory, heap->entries, (size_t)heap->capacity * sizeof *heap->entries);
  *heap = (lwi_heap){0};
}
