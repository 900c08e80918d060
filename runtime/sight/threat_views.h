/// What a threat that rests sees of a navmesh: for each sample of the ground the part of its cell in which any
/// height of a body is seen. Found line by line, exactly, when searches ask for it, and kept for all threads
/// and agents: it follows from the eye, the heights and the occluders alone. Weight, range, facing and
/// obstacles are not in it.
#ifndef LW_SIGHT_THREAT_VIEWS_H
#define LW_SIGHT_THREAT_VIEWS_H

#include "core/platform.h"
#include "sight/exposure.h"
#include "sight/samples.h"

#include <stdatomic.h>

/// What is seen from one eye.
typedef struct lwi_threat_view {
  lw_vec3 at;
  float heights[LW_BODY_HEIGHTS_MAX]; ///< [height_count] Of the body over the ground. [m]
  int height_count;
  uint32_t count;
  /// [count] By sample: 1 + the part that is seen, 0: not found yet. [254ths] Threads that find the same store
  /// the same.
  atomic_uchar *parts;
  int pins;                              ///< Searches that hold it.
  struct lwi_threat_view *older, *newer; ///< By when each was last asked for.
} lwi_threat_view;

/// Those that were asked for last, bounded in bytes, shared by all threads that ask.
typedef struct lwi_threat_views {
  lwi_mutex lock; ///< For everything below.
  lwi_memory memory;
  size_t limit; ///< Bytes to keep. Views in use stay beyond it.
  lwi_threat_view *oldest, *newest;
} lwi_threat_views;

/// @return false: the system has no lock to give, and nothing is to be freed.
bool lwi_threat_views_init(lwi_threat_views *views, size_t limit, const lw_allocator *allocator);
void lwi_threat_views_free(lwi_threat_views *views);
/// Forget all, for what blocks sight or the ground has changed. None may be in use.
void lwi_threat_views_clear(lwi_threat_views *views);
/// @return Bytes held.
size_t lwi_threat_views_memory(lwi_threat_views *views);
/// The view from an eye.
/// @param query  Its heights. @param samples  Always the same ones until all is forgotten.
/// @return Valid until lwi_threat_views_release(); NULL: no memory.
lwi_threat_view *lwi_threat_views_acquire(lwi_threat_views *views, const lwi_samples *samples, lw_vec3 at,
                                          const lw_exposure_query *query);
/// @param view  May be NULL.
void lwi_threat_views_release(lwi_threat_views *views, lwi_threat_view *view);

/// With what to find what is not known yet. Borrowed.
typedef struct lwi_view_finder {
  const lwi_samples *samples;
  lwi_sight sight; ///< Occluders, and the visibility table; nothing else counts.
  lwi_memory *memory;
  lwi_exposure_scratch *scratch; ///< Its counts stay as they are.
} lwi_view_finder;
/// Find all samples on the line through one.
/// @param over  The polygon that the eye is over, as lwi_sight_over() has it; NULL: not known.
/// @return false: no memory.
bool lwi_threat_view_find(lwi_threat_view *view, const lwi_view_finder *finder, const uint32_t *over,
                          uint32_t polygon, uint32_t sample);

/// What is seen of a sample of a polygon. [0..1] @return Negative: no memory.
static inline float lwi_threat_view_part(lwi_threat_view *view, const lwi_view_finder *finder,
                                         const uint32_t *over, uint32_t polygon, uint32_t sample) {
  unsigned part = atomic_load_explicit(&view->parts[sample], memory_order_relaxed);
  if (part == 0) {
    if (!lwi_threat_view_find(view, finder, over, polygon, sample)) return -1;
    part = atomic_load_explicit(&view->parts[sample], memory_order_relaxed);
  }
  return (float)(part - 1) * (1 / 254.0f);
}

#endif
