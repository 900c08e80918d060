/// Work that is shared with other threads: a world's own, or those of the program's job system. The threads
/// wait between two runs.
#ifndef LW_CORE_JOBS_H
#define LW_CORE_JOBS_H

#include "core/memory.h"
#include "core/platform.h"
#include "leeward/jobs.h"

struct lwi_thread_pool;

typedef struct lwi_jobs {
  lw_job_system system;         ///< With `enqueue`: that one.
  struct lwi_thread_pool *pool; ///< Owned. NULL: there are no threads but the caller's.
  int threads;                  ///< With the caller's. [1..LW_THREADS_MAX]
} lwi_jobs;

/// @param threads  With the caller's. [1..LW_THREADS_MAX] @param system  Copied.
/// @return false: no memory; nothing is to be freed. Where the system gives fewer threads, they do all.
bool lwi_jobs_init(lwi_jobs *jobs, int threads, const lw_job_system *system, lwi_memory *memory);
/// May be all zero.
void lwi_jobs_free(lwi_jobs *jobs, lwi_memory *memory);
/// Call task(user, item) for the items 0 to count - 1, and wait for all of them. One caller at a time.
void lwi_jobs_run(lwi_jobs *jobs, int count, void (*task)(void *user, int item), void *user);

#endif
