#include "allocator.h"

#include <execinfo.h>
#include <stdlib.h>

/* Calls above it make no other allocation of it. */
#define DEPTH 10

static uint64_t hash_of_stack(void) {
  void *frames[DEPTH];
  const int count = backtrace(frames, DEPTH);
  uint64_t hash = 1469598103934665603ULL; /* FNV-1a */
  for (int i = 0; i < count; i++) hash = (hash ^ (uint64_t)(uintptr_t)frames[i]) * 1099511628211ULL;
  return hash;
}

static void *resize(void *user, void *block, size_t old_size, size_t size) {
  support_memory *memory = user;
  if (size > 0 && memory->left == 0) {
    memory->refused += 1;
    if (memory->once) memory->left = -1;
    return NULL;
  }
  if (size > 0 && memory->left > 0) memory->left -= 1;
  memory->bytes += (long)size - (block ? (long)old_size : 0);
  if (size > 0 && memory->calls < memory->stack_capacity) memory->stacks[memory->calls] = hash_of_stack();
  memory->calls += size > 0;
  memory->blocks += (size > 0) - (block != NULL);
  if (size > 0) return realloc(block, size);
  free(block);
  return NULL;
}

lw_allocator support_allocator(support_memory *memory) {
  return (lw_allocator){.resize = resize, .user = memory};
}
