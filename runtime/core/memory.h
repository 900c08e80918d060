/// Memory through the caller's allocator, counted.
#ifndef LW_CORE_MEMORY_H
#define LW_CORE_MEMORY_H

#include "leeward/base.h"

typedef struct lwi_memory {
  lw_allocator allocator;
  size_t bytes; ///< Held now.
} lwi_memory;

/// @param allocator  NULL: the C library's.
lwi_memory lwi_memory_make(const lw_allocator *allocator);
/// @return NULL when there is no memory. `size` 0 gives NULL too.
void *lwi_alloc(lwi_memory *memory, size_t size);
void *lwi_alloc_zero(lwi_memory *memory, size_t size);
void lwi_free(lwi_memory *memory, void *block, size_t size);
/// @return NULL when there is no memory; `block` then stays.
void *lwi_resize(lwi_memory *memory, void *block, size_t old_size, size_t size);

/// Memory that begins where 16 bytes do, as lanes are read. @param[out] block  What it lies in, to be freed.
void *lwi_alloc_lanes(lwi_memory *memory, size_t size, void **block);
/// @param size  The same. @param block  May be NULL.
void lwi_free_lanes(lwi_memory *memory, size_t size, void *block);

/// Make room for `needed` elements in an array that grows by half. On failure the array stays as it was.
/// @param items  Address of the array's pointer.
bool lwi_reserve(lwi_memory *memory, void *items, int *capacity, int needed, size_t item_size);

#endif
