#include "core/memory.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static void *resize_by_libc(void *user, void *block, size_t old_size, size_t size) {
  (void)user;
  (void)old_size;
  if (size > 0) return realloc(block, size);
  free(block);
  return NULL;
}

lwi_memory lwi_memory_make(const lw_allocator *allocator) {
  lwi_memory memory = {.allocator = {.resize = resize_by_libc}};
  if (allocator && allocator->resize) memory.allocator = *allocator;
  return memory;
}

void *lwi_resize(lwi_memory *memory, void *block, size_t old_size, size_t size) {
  if (!block && size == 0) return NULL;
  void *moved = memory->allocator.resize(memory->allocator.user, block, block ? old_size : 0, size);
  if (moved || size == 0) memory->bytes += size - (block ? old_size : 0);
  return moved;
}

void *lwi_alloc(lwi_memory *memory, size_t size) {
  return lwi_resize(memory, NULL, 0, size);
}

void *lwi_alloc_zero(lwi_memory *memory, size_t size) {
  void *block = lwi_alloc(memory, size);
  if (block) memset(block, 0, size);
  return block;
}

void lwi_free(lwi_memory *memory, void *block, size_t size) {
  if (block) lwi_resize(memory, block, size, 0);
}

#define SIMD_BYTES 16 /* the alignment, and what it may cost */

void *lwi_alloc_simd(lwi_memory *memory, size_t size, void **block) {
  *block = lwi_alloc(memory, size + SIMD_BYTES);
  return *block ? (char *)*block + (SIMD_BYTES - (uintptr_t)*block % SIMD_BYTES) : NULL;
}

void lwi_free_simd(lwi_memory *memory, size_t size, void *block) {
  lwi_free(memory, block, size + SIMD_BYTES);
}

bool lwi_reserve_more(lwi_memory *memory, void *items, int *capacity, int needed, size_t item_size) {
  int grown = *capacity <= INT_MAX / 3 * 2 ? *capacity + *capacity / 2 : INT_MAX;
  if (grown < needed) grown = needed;
  if (grown < 16) grown = 16;
  void *block;
  memcpy(&block, items, sizeof block);
  block = lwi_resize(memory, block, (size_t)*capacity * item_size, (size_t)grown * item_size);
  if (!block) return false;
  memcpy(items, &block, sizeof block);
  *capacity = grown;
  return true;
}

bool lwi_grow_zeroed(lwi_memory *memory, void **items, uint32_t *count, uint32_t needed, size_t size) {
  if (*count >= needed) return true;
  void *more = lwi_resize(memory, *items, *count * size, needed * size);
  if (!more) return false;
  memset((char *)more + *count * size, 0, (needed - *count) * size);
  *items = more;
  *count = needed;
  return true;
}
