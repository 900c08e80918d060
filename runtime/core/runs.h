/// Runs of neighbouring places in arrays that grow: given, taken back, and given again. The owner keeps the
/// arrays. A run has space for 4, 6, 8, 12, 16, 24, ... places; taken back, it waits for the next one of its
/// size.
#ifndef LW_CORE_RUNS_H
#define LW_CORE_RUNS_H

#include "core/memory.h"

#define LWI_RUN_SIZES 48

typedef struct lwi_slot_run {
  uint32_t first, space; ///< `space` is 0: no run.
} lwi_slot_run;

typedef struct lwi_runs {
  uint32_t end; ///< Behind all runs that were ever given.
  struct lwi_run_list {
    uint32_t *first; ///< [count] Of the runs of this size that wait.
    int count, capacity;
    int given; ///< Runs of this size that there are.
  } waiting[LWI_RUN_SIZES];
} lwi_runs;

/// @return A run with space for `count` places, which may lie behind `end` as it was; space 0: no memory.
lwi_slot_run lwi_runs_take(lwi_runs *runs, lwi_memory *memory, uint32_t count);
/// Take a run back. Memory for it was taken as it was given, so it does not fail.
void lwi_runs_give_back(lwi_runs *runs, lwi_slot_run *run);
void lwi_runs_free(lwi_runs *runs, lwi_memory *memory);

#endif
