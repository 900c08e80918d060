#include "allocator.h"

#include <stdlib.h>

static void *resize(void *user, void *block, size_t old_size, size_t size) {
  support_memory *memory = user;
  if (size > 0 && memory->left == 0) {
    memory->refused += 1;
    if (memory->once) memory->left = -1;
    return NULL;
  }
  if (size > 0 && memory->left > 0) memory->left -= 1;
  memory->bytes += (long)size - (block ? (long)old_size : 0);
  memory->calls += size > 0;
  memory->blocks += (size > 0) - (block != NULL);
  if (size > 0) return realloc(block, size);
  free(block);
  return NULL;
}

lw_allocator support_allocator(support_memory *memory) {
  return (lw_allocator){.resize = resize, .user = memory};
}
