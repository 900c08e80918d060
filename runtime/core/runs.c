#include "core/runs.h"

#define SPACE_MIN 4U

static uint32_t space_of(int size) {
  return (size % 2 == 0 ? SPACE_MIN : SPACE_MIN + SPACE_MIN / 2) << size / 2;
}

/* @return LWI_RUN_SIZES, or more: there is none that large. */
static int size_of(uint32_t count) {
  int size = 0;
  for (uint32_t space = SPACE_MIN; size < LWI_RUN_SIZES && space < count; space *= 2, size += 2)
    if (space + space / 2 >= count) return size + 1;
  return size;
}

lwi_slot_run lwi_runs_take(lwi_runs *runs, lwi_memory *memory, uint32_t count) {
  const lwi_slot_run none = {0, 0};
  const int size = size_of(count);
  if (size >= LWI_RUN_SIZES) return none;
  const uint32_t space = space_of(size);
  struct lwi_run_list *waiting = &runs->waiting[size];
  if (waiting->count > 0) return (lwi_slot_run){waiting->first[--waiting->count], space};
  if (runs->end > INT32_MAX - space) return none;
  /* So that taking back needs no memory. */
  waiting->given += 1;
  if (!lwi_reserve(memory, &waiting->first, &waiting->capacity, waiting->given, sizeof *waiting->first)) {
    waiting->given -= 1;
    return none;
  }
  const lwi_slot_run run = {runs->end, space};
  runs->end += space;
  return run;
}

void lwi_runs_give_back(lwi_runs *runs, lwi_slot_run *run) {
  if (run->space == 0) return;
  struct lwi_run_list *waiting = &runs->waiting[size_of(run->space)];
  waiting->first[waiting->count++] = run->first;
  *run = (lwi_slot_run){0, 0};
}

void lwi_runs_free(lwi_runs *runs, lwi_memory *memory) {
  for (int i = 0; i < LWI_RUN_SIZES; ++i) {
    struct lwi_run_list *waiting = &runs->waiting[i];
    lwi_free(memory, waiting->first, (size_t)waiting->capacity * sizeof *waiting->first);
  }
  *runs = (lwi_runs){0};
}
