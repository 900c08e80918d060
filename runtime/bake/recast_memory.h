/// Recast's memory, from the allocator of the bake. C++: part of libleeward_bake.so.
///
/// Recast does not check all of its allocations: its vectors write to what they were not given. So none of them
/// returns NULL, but throws std::bad_alloc through Recast. What its functions then leave behind is freed with
/// the tile.
#ifndef LW_BAKE_RECAST_MEMORY_H
#define LW_BAKE_RECAST_MEMORY_H

#include "core/memory.h"

#include <stddef.h>

namespace recast {

/// All memory of one tile, by one thread: while it exists, Recast's allocations on this thread come from it.
/// One a thread at a time.
class Memory {
public:
  /// @param from  Borrowed.
  explicit Memory(lwi_memory *from);
  /// Frees all that was allocated and not released.
  ~Memory();
  Memory(const Memory &) = delete;
  Memory &operator=(const Memory &) = delete;

  /// @return Never NULL. @throw std::bad_alloc
  void *allocate(size_t size);
  /// After a failure it waits for the destructor: objects that are destroyed meanwhile may be incomplete.
  /// @param block  May be NULL.
  void release(void *block);
  /// Of this thread; not NULL while there is one.
  static Memory *current();

private:
  struct alignas(max_align_t) Block {
    Block *next, *previous;
    size_t size; ///< With this head. [bytes]
  };
  void unlink(Block *block);

  lwi_memory *memory;
  Block *blocks = nullptr;
  bool failed = false;
};

/// For containers of the standard library.
template <typename T> struct Allocator {
  using value_type = T;
  Allocator() = default;
  template <typename U> Allocator(const Allocator<U> &) {}
  T *allocate(size_t count) {
    return static_cast<T *>(Memory::current()->allocate(count * sizeof(T))); // counts are of voxels: below 2^31
  }
  void deallocate(T *items, size_t) { Memory::current()->release(items); }
  friend bool operator==(const Allocator &, const Allocator &) { return true; }
  friend bool operator!=(const Allocator &, const Allocator &) { return false; }
};

} // namespace recast

#endif
