/// A centripetal Catmull-Rom spline as a polyline.
#ifndef LW_GEOMETRY_SPLINE_H
#define LW_GEOMETRY_SPLINE_H

#include "leeward/base.h"

/// Largest distance between spline and polyline. [m]
#define LWI_SPLINE_ERROR 0.01

/// Receives the polyline's points in order. @return False: stop.
typedef bool lwi_spline_visit(void *user, lw_vec3 point);

/// Visit the polyline from the first point on. Neighbouring points must differ.
/// @param points  [count >= 2] Of a closed spline 3 or more, the first not repeated; it is visited again at the
///   end.
/// @return False: a visit returned false.
bool lwi_spline_walk(const lw_vec3 *points, int count, bool closed, lwi_spline_visit *visit, void *user);

#endif
