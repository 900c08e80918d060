/// A convex polygon cut by a disc: its area, and points uniform in it.
#ifndef LW_QUERY_DISC_POLYGON_H
#define LW_QUERY_DISC_POLYGON_H

#include "core/random.h"
#include "mesh/mesh.h"

/// @return The area of polygon and disc together. [m2]
double lwi_disc_area(const lwi_polygon *polygon, lw_vec3 center, double radius);
/// A point uniform in the common part, which must have an area. Its height is not set.
lw_vec3 lwi_disc_sample(const lwi_polygon *polygon, lw_vec3 center, double radius, lw_random *random);

#endif
