#include "bake/recast_memory.h"

#include <RecastAlloc.h>

#include <cstdint>
#include <cstdlib>
#include <new>

namespace recast {
namespace {

/* Recast has one allocator for the process, which knows no context. */
thread_local Memory *of_this_thread = nullptr;

/* Threads that bake no tile get what Recast gives them by itself: a program may use the same library. */
void *allocate_for_recast(size_t size, rcAllocHint) {
  return of_this_thread ? of_this_thread->allocate(size) : std::malloc(size);
}

void release_for_recast(void *block) {
  if (of_this_thread)
    of_this_thread->release(block);
  else
    std::free(block);
}

bool install() {
  rcAllocSetCustom(allocate_for_recast, release_for_recast);
  return true;
}

} // namespace

Memory::Memory(lwi_memory *from) : memory(from) {
  static const bool installed = install(); // once: other threads may be in Recast
  static_cast<void>(installed);
  of_this_thread = this;
}

Memory::~Memory() {
  while (blocks) {
    Block *next = blocks->next;
    lwi_free(memory, blocks, blocks->size);
    blocks = next;
  }
  of_this_thread = nullptr;
}

Memory *Memory::current() {
  return of_this_thread;
}

void *Memory::allocate(size_t size) {
  const bool fits = size <= SIZE_MAX - sizeof(Block);
  Block *block = fits ? static_cast<Block *>(lwi_alloc(memory, size + sizeof(Block))) : nullptr;
  if (!block) {
    failed = true;
    throw std::bad_alloc();
  }
  *block = {blocks, nullptr, size + sizeof(Block)};
  if (blocks) blocks->previous = block;
  blocks = block;
  return block + 1;
}

void Memory::unlink(Block *block) {
  if (block->next) block->next->previous = block->previous;
  if (block->previous)
    block->previous->next = block->next;
  else
    blocks = block->next;
}

void Memory::release(void *released) {
  if (!released || failed) return;
  Block *block = static_cast<Block *>(released) - 1;
  unlink(block);
  lwi_free(memory, block, block->size);
}

} // namespace recast
