/// A binary heap of (key, item), smallest key first. In which order equal keys come depends on the pushes and
/// pops before, but not on the items: numbers of what is searched may differ between runs that are to be the
/// same. There is no decrease-key: push the item again, and drop the outdated entry when it is popped.
#ifndef LW_CORE_HEAP_H
#define LW_CORE_HEAP_H

#include "core/memory.h"

typedef struct lwi_heap_entry {
  float key; ///< Not NaN.
  uint32_t item;
} lwi_heap_entry;

/// Start from {0}.
typedef struct lwi_heap {
  lwi_heap_entry *entries;
  int count, capacity;
} lwi_heap;

/// @return false: out of memory, and the heap is as it was.
bool lwi_heap_push(lwi_heap *heap, lwi_memory *memory, float key, uint32_t item);
/// @param[out] entry  The smallest, which leaves the heap. @return false: the heap is empty.
bool lwi_heap_pop(lwi_heap *heap, lwi_heap_entry *entry);
/// Free the entries; the heap is empty and may be used again.
void lwi_heap_free(lwi_heap *heap, lwi_memory *memory);

#endif
