/// An allocator for tests: counts what is held, and fails after a given number of calls.
#ifndef LW_TESTS_ALLOCATOR_H
#define LW_TESTS_ALLOCATOR_H

#include "leeward/base.h"

typedef struct support_memory {
  int left;     ///< Allocations until there is no memory; < 0: never.
  bool once;    ///< And for the one after it there is memory again.
  long bytes;   ///< Held now...
  long blocks;  ///< How many blocks that is.
  long calls;   ///< Allocations that succeeded...
  long refused; ///< and those that did not.
  uint64_t *
      stacks; ///< [stack_capacity] Of each that succeeded, a hash of the calls that led to it; NULL: not noted.
  long stack_capacity;
} support_memory;

/// @param memory  Borrowed by whatever uses the allocator.
lw_allocator support_allocator(support_memory *memory);

#endif
