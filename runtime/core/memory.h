/// Memory from the caller's allocator, counted.
#ifndef LW_CORE_MEMORY_H
#define LW_CORE_MEMORY_H

#include "leeward/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lwi_memory {
  lw_allocator allocator;
  size_t bytes; ///< Held now.
} lwi_memory;

/// @param allocator  Copied. NULL, or without a function: the C library's.
lwi_memory lwi_memory_make(const lw_allocator *allocator);
/// @return NULL: out of memory, or `size` is 0. Contents are undefined. The caller frees it with lwi_free().
void *lwi_alloc(lwi_memory *memory, size_t size);
/// The same, filled with zeros.
void *lwi_alloc_zero(lwi_memory *memory, size_t size);
/// @param block  May be NULL. @param size  What it was allocated with.
void lwi_free(lwi_memory *memory, void *block, size_t size);
/// Change a block's size; NULL allocates, `size` 0 frees.
/// @return The block, which may have moved; NULL: freed, or out of memory and `block` is as it was.
void *lwi_resize(lwi_memory *memory, void *block, size_t old_size, size_t size);

/// Memory that begins at a multiple of 16 bytes, for SIMD. @param[out] block  To be passed to lwi_free_simd().
/// @return NULL: out of memory.
void *lwi_alloc_simd(lwi_memory *memory, size_t size, void **block);
/// @param size  What it was allocated with. @param block  From lwi_alloc_simd(), may be NULL.
void lwi_free_simd(lwi_memory *memory, size_t size, void *block);

/// Grow an array to `needed` items of that size; the new ones are zeros.
/// @param[in,out] items, count  Of the array. @return false: out of memory, and the array is as it was.
bool lwi_grow_zeroed(lwi_memory *memory, void **items, uint32_t *count, uint32_t needed, size_t size);

/// lwi_reserve() where there is too little space.
bool lwi_reserve_more(lwi_memory *memory, void *items, int *capacity, int needed, size_t item_size);
/// Make space for `needed` items in an array, which grows by half and by 16 items at least.
/// @param items  Address of the pointer to the array. @param[in,out] capacity  In items.
/// @return false: out of memory, and the array is as it was.
static inline bool lwi_reserve(lwi_memory *memory, void *items, int *capacity, int needed, size_t item_size) {
  return needed <= *capacity || lwi_reserve_more(memory, items, capacity, needed, item_size);
}

#ifdef __cplusplus
}
#endif
#endif
