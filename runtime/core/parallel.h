/// Work in pieces, shared by several threads.
#ifndef LW_CORE_PARALLEL_H
#define LW_CORE_PARALLEL_H

#include "core/memory.h"
#include "core/platform.h"

typedef struct lwi_parallel {
  int count;   ///< Pieces of work, 0..count - 1. They are begun in order.
  int threads; ///< [1..LWI_THREADS_MAX] With the calling thread. Fewer work when the system gives no more.
  /// Do one piece, on any thread. false: begin no more pieces; those that have begun are finished.
  bool (*work)(void *user, int piece);
  /// May be NULL. Called on the calling thread once for every finished piece, with the number finished so far,
  /// 1..count. false: begin no more pieces and call this no more.
  bool (*done)(void *user, int count);
  void *user;
} lwi_parallel;

/// Returns when no other thread works any more. @return Whether all pieces were done and no call returned
/// false.
bool lwi_parallel_run(const lwi_parallel *parallel);

/// An allocator that several threads may call: it passes their calls on to another allocator one at a time.
typedef struct lwi_memory_guard {
  lwi_mutex mutex;
  lw_allocator inner;
} lwi_memory_guard;

/// @param inner  NULL: the C library's, which needs no guard. Copied.
/// @param[out] memory  To be copied for each thread, since it counts bytes; valid until
///   lwi_memory_guard_close().
/// @return false: the system has no more locks.
bool lwi_memory_guard_open(lwi_memory_guard *guard, const lw_allocator *inner, lwi_memory *memory);
void lwi_memory_guard_close(lwi_memory_guard *guard);

#endif
