/// @file jobs.h
/// The threads that a world's step shares its searches with: its own, or those of the program's job system.
///
/// They change nothing in what a step does: what is searched, and how far, is decided by work counted
/// (planner.h), and what threads do ahead is taken in the order in which one thread would have done it, or
/// dropped. Only the time differs, and memory: each has a workspace.
#ifndef LEEWARD_JOBS_H
#define LEEWARD_JOBS_H

#include "leeward/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Threads of a world.
#define LW_THREADS_MAX 64

/// A part of the work of a step: the items `begin` to `end` - 1. It neither waits for others nor runs scripts.
typedef void lw_task(int begin, int end, void *context);

/// The program's job system. All zero: none.
typedef struct lw_job_system {
  /// Let task(begin, end, context) be called for ranges that together have each item 0 to `count` - 1 once: on
  /// any threads, in any order, at once or later, up to the end of the call of `finish` for them.
  /// @param min_range  Smaller ranges are not worth a call. @param context  Of the task, valid until then.
  /// @return For `finish`; NULL: all calls have returned, and `finish` is not called.
  void *(*enqueue)(void *user, lw_task *task, int count, int min_range, void *context);
  /// Return when all calls for what `enqueue` has returned have returned. Called on the thread that steps.
  void (*finish)(void *user, void *handle);
  void *user;
} lw_job_system;

#ifdef __cplusplus
}
#endif
#endif
