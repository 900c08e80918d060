/// What occluders hide of a segment that the eye sees end-on: eye and segment lie almost in one line, so that
/// the sight triangle is too slender for the measures of sight_triangle.h.
#ifndef LW_SIGHT_END_ON_H
#define LW_SIGHT_END_ON_H

#include "sight/occluder.h"

/// Unite `hidden` with the parts of such a segment that the occluders hide: where lwi_sight_triangle_make()
/// makes no triangle. @return false: out of memory.
bool lwi_occluders_clip_end_on(const lwi_clip_query *query, lwi_intervals *hidden);

#endif
