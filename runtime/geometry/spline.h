/// A centripetal Catmull-Rom spline as a polyline.
#ifndef LW_GEOMETRY_SPLINE_H
#define LW_GEOMETRY_SPLINE_H

#include "leeward/base.h"

/// How far the polyline may be off. [m]
#define LWI_SPLINE_ERROR 0.01

/// Receives the polyline's points in order. @return False: stop.
typedef bool lwi_spline_visit(void *user, lw_vec3 point);

/// Visit the polyline from the first point on. Neighbouring points must differ.
/// @param points  [count >= 2] A closed spline has at least 3, without the first repeated at the end; that one is visited
///   again at the end.
/// @return False: a visit said so.
bool lwi_spline_walk(const lw_vec3 *points, int count, bool closed, lwi_spline_visit *visit, void *user);

#endif
