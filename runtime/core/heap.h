/// A binary heap of (key, item), smallest key first; equal keys come out by item, so that runs repeat exactly.
/// An item whose key falls is pushed again: whoever pops drops the stale one.
#ifndef LW_CORE_HEAP_H
#define LW_CORE_HEAP_H

#include "core/memory.h"

typedef struct lwi_heap_entry {
  float key;
  uint32_t item;
} lwi_heap_entry;

typedef struct lwi_heap {
  lwi_heap_entry *entries;
  int count, capacity;
} lwi_heap;

/// @return false when there is no memory; the heap then stays as it was.
bool lwi_heap_push(lwi_heap *heap, lwi_memory *memory, float key, uint32_t item);
/// @return false when the heap is empty.
bool lwi_heap_pop(lwi_heap *heap, lwi_heap_entry *entry);
void lwi_heap_free(lwi_heap *heap, lwi_memory *memory);

#endif
