/* Unions of intervals: few at a time, so a sorted array. */
#include "cover/occluder.h"

/* Gaps so small are none: neighbours that meet in a corner leave them by rounding. */
#define GAP 1e-6f

void lwi_intervals_free(lwi_intervals *intervals) {
  if (intervals->items)
    lwi_free(intervals->memory, intervals->items, (size_t)intervals->capacity * sizeof *intervals->items);
  intervals->items = NULL;
  intervals->count = intervals->capacity = 0;
}

static bool insert(lwi_intervals *to, int at, lwi_interval interval) {
  if (to->count >= to->capacity &&
      !lwi_reserve(to->memory, &to->items, &to->capacity, to->count + 1, sizeof *to->items))
    return false;
  for (int i = to->count++; i > at; i--) to->items[i] = to->items[i - 1];
  to->items[at] = interval;
  return true;
}

bool lwi_intervals_add(lwi_intervals *intervals, lwi_interval interval) {
  int first = 0, end;
  if (!(interval.t0 < interval.t1)) return true;
  while (first < intervals->count && intervals->items[first].t1 < interval.t0 - GAP) first++;
  for (end = first; end < intervals->count && intervals->items[end].t0 <= interval.t1 + GAP; end++) {
    if (intervals->items[end].t0 < interval.t0) interval.t0 = intervals->items[end].t0;
    if (intervals->items[end].t1 > interval.t1) interval.t1 = intervals->items[end].t1;
  }
  if (end == first) return insert(intervals, first, interval);
  intervals->items[first] = interval; /* takes the place of all that it touches */
  const int gone = end - first - 1;
  if (gone == 0) return true;
  for (int i = end; i < intervals->count; i++) intervals->items[i - gone] = intervals->items[i];
  intervals->count -= gone;
  return true;
}

bool lwi_intervals_complement(lwi_intervals *intervals, const lwi_intervals *of) {
  float t = 0;
  intervals->count = 0;
  for (int i = 0; i <= of->count; i++) {
    float end = i < of->count ? of->items[i].t0 : 1;
    if (t < end && !insert(intervals, intervals->count, (lwi_interval){t, end})) return false;
    if (i < of->count) t = of->items[i].t1;
  }
  return true;
}

bool lwi_intervals_intersect(lwi_intervals *intervals, const lwi_intervals *with, lwi_intervals *room) {
  room->count = 0;
  for (int i = 0, k = 0; i < intervals->count && k < with->count;) {
    lwi_interval a = intervals->items[i], b = with->items[k];
    lwi_interval both = {a.t0 > b.t0 ? a.t0 : b.t0, a.t1 < b.t1 ? a.t1 : b.t1};
    if (both.t0 < both.t1 && !insert(room, room->count, both)) return false;
    if (a.t1 < b.t1)
      i++;
    else
      k++;
  }
  lwi_intervals swap = *intervals;
  *intervals = *room;
  *room = swap;
  return true;
}

float lwi_intervals_sum(const lwi_intervals *intervals) {
  float sum = 0;
  for (int i = 0; i < intervals->count; i++) sum += intervals->items[i].t1 - intervals->items[i].t0;
  return sum;
}
