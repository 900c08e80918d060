#include "core/runs.h"

#define ROOM_MIN 4U

static int size_of(uint32_t count) {
  int size = 0;
  while (size < LWI_RUN_SIZES && ROOM_MIN << size < count) ++size;
  return size;
}

lwi_run lwi_runs_take(lwi_runs *runs, lwi_memory *memory, uint32_t count) {
  const lwi_run none = {0, 0};
  const int size = size_of(count);
  if (size == LWI_RUN_SIZES) return none;
  const uint32_t room = ROOM_MIN << size;
  struct lwi_run_list *waiting = &runs->waiting[size];
  if (waiting->count > 0) return (lwi_run){waiting->first[--waiting->count], room};
  if (runs->end > INT32_MAX - room) return none;
  /* So that taking back needs no memory. */
  waiting->given += 1;
  if (!lwi_reserve(memory, &waiting->first, &waiting->capacity, waiting->given, sizeof *waiting->first)) {
    waiting->given -= 1;
    return none;
  }
  const lwi_run run = {runs->end, room};
  runs->end += room;
  return run;
}

void lwi_runs_give_back(lwi_runs *runs, lwi_run *run) {
  if (run->room == 0) return;
  struct lwi_run_list *waiting = &runs->waiting[size_of(run->room)];
  waiting->first[waiting->count++] = run->first;
  *run = (lwi_run){0, 0};
}

void lwi_runs_free(lwi_runs *runs, lwi_memory *memory) {
  for (int i = 0; i < LWI_RUN_SIZES; ++i) {
    struct lwi_run_list *waiting = &runs->waiting[i];
    lwi_free(memory, waiting->first, (size_t)waiting->capacity * sizeof *waiting->first);
  }
  *runs = (lwi_runs){0};
}
