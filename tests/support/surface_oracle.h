/// Heights of a polygon's surface, looked up in its detail triangles one by one, and a navmesh of hills.
#ifndef LW_TESTS_SURFACE_ORACLE_H
#define LW_TESTS_SURFACE_ORACLE_H

#include "mesh/mesh.h"

/// How many triangles the surface of a polygon of the base has.
uint32_t surface_oracle_count(const lw_navmesh *mesh, uint32_t polygon);
/// One of them. @param[out] at  [3]
void surface_oracle_triangle(const lw_navmesh *mesh, uint32_t polygon, uint32_t i, lw_vec3 *at);
/// The height of a triangle at a place. @return false: the place is beside it by more than rounding.
bool surface_oracle_triangle_height(const lw_vec3 at[3], double x, double z, double *height);
/// The height nearest to `y` on one polygon. @return false: the place is beside it.
bool surface_oracle_height(const lw_navmesh *mesh, uint32_t polygon, double x, double z, double y,
                           double *height);

/// Hills of 3 m, so that something is tested where the shared levels are missing.
lw_navmesh *surface_oracle_hills(const lw_area_table *areas);

#endif
