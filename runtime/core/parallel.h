/// Work in pieces, by several threads.
#ifndef LW_CORE_PARALLEL_H
#define LW_CORE_PARALLEL_H

#include "core/memory.h"

#include <pthread.h>

#define LWI_THREADS_MAX 256

typedef struct lwi_parallel {
  int count;   ///< Pieces of work, 0..count - 1. They are begun in order.
  int threads; ///< 1..LWI_THREADS_MAX, the calling thread among them. Fewer work when the system gives no more.
  /// Do one piece, on any thread. False: begin no more pieces; those under way are finished.
  bool (*work)(void *user, int piece);
  /// Called on the calling thread for every finished piece with how many have been so far, 1..count. False: begin no
  /// more pieces, call it no more. NULL: nothing.
  bool (*done)(void *user, int count);
  void *user;
} lwi_parallel;

/// Returns when no thread works any more. @return Whether all was done: nothing said false.
bool lwi_parallel_run(const lwi_parallel *what);

/// @return How many processors this process may use, 1..LWI_THREADS_MAX.
int lwi_processor_count(void);

/// An allocator that several threads may use: it calls another from one thread at a time.
typedef struct lwi_memory_guard {
  pthread_mutex_t lock;
  lw_allocator inner;
} lwi_memory_guard;

/// @param inner  NULL: the C library's, which needs no guard. Copied.
/// @param[out] memory  To be copied for each thread, since it counts; valid until lwi_memory_guard_close().
/// @return False: the system has no lock to give.
bool lwi_memory_guard_open(lwi_memory_guard *guard, const lw_allocator *inner, lwi_memory *memory);
void lwi_memory_guard_close(lwi_memory_guard *guard);

#endif
