/// Recast's memory, from the allocator of the bake. C++: part of libleeward_bake.so.
///
/// Recast does not check all of its allocations: its vectors write to what they were not given. So no allocation
/// of Recast returns NULL, but throws std::bad_alloc through it. What its functions then leave behind is freed
/// with the tile.
#ifndef LW_BAKE_RECAST_MEMORY_H
#define LW_BAKE_RECAST_MEMORY_H

#include "core/memory.h"

#include <cstddef>

namespace recast {

/// All memory of one tile, by one thread: while it exists, Recast's allocations on this thread come from it. One a
/// thread at a time.
class Memory {
public:
  /// @param from  Borrowed.
  explicit Memory(lwi_memory *from);
  /// Frees all that was allocated and not released.
  ~Memory();
  Memory(const Memory &) = delete;
  Memory &operator=(const Memory &) = delete;

  /// @return Never NULL. @throw std::bad_alloc
  void *allocate(std::size_t size);
  /// After a failure it waits for the destructor: the objects that are destroyed on the way may be half made.
  /// @param block  May be NULL.
  void release(void *block);
  /// Of this thread; not NULL while there is one.
  static Memory *current();

private:
  struct alignas(std::max_align_t) Block {
    Block *next, *previous;
    std::size_t size; ///< With this head. [bytes]
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
  T *allocate(std::size_t count) {
    return static_cast<T *>(Memory::current()->allocate(count * sizeof(T))); // counts are of voxels: below 2^31
  }
  void deallocate(T *items, std::size_t) { Memory::current()->release(items); }
  friend bool operator==(const Allocator &, const Allocator &) { return true; }
  friend bool operator!=(const Allocator &, const Allocator &) { return false; }
};

} // namespace recast

#endif
