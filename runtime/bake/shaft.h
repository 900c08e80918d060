/// Shafts: the volume of all straight lines between two convex regions (prisms), bounded by planes.
#ifndef LW_BAKE_SHAFT_H
#define LW_BAKE_SHAFT_H

#include "core/dvec3.h"
#include "sight/occluder.h"
#include "sight/visibility_table.h"

#define LWI_HULL_CORNERS 20
#define LWI_SHAFT_PLANES 64

/// By comparison, as lwi_min(): fmin() and fmax() are function calls.
static inline double lwi_dmin(double a, double b) {
  return a < b ? a : b;
}
static inline double lwi_dmax(double a, double b) {
  return a > b ? a : b;
}

/// A prism: over a convex polygon, between two parallel planes.
typedef struct lwi_hull {
  int count;
  double x[LWI_HULL_CORNERS], z[LWI_HULL_CORNERS]; ///< Corners of the polygon, in either order. [m]
  double slope_x, slope_z, low, high; ///< The planes: height = slope_x x + slope_z z + low or high.
} lwi_hull;

/// The prism over a polygon. A polygon with too many corners is replaced by its bounding rectangle.
lwi_hull lwi_hull_of(const lw_navmesh *mesh, uint32_t polygon, const lwi_prism *prism);
static inline lwi_dvec3 lwi_hull_corner(const lwi_hull *hull, int i, bool top) {
  double x = hull->x[i], z = hull->z[i];
  return (lwi_dvec3){x, hull->slope_x * x + hull->slope_z * z + (top ? hull->high : hull->low), z};
}
/// A point near the centre.
lw_vec3 lwi_hull_middle(const lwi_hull *hull);
/// A plane that cuts a prism in two.
typedef struct lwi_hull_cut {
  lwi_dvec3 axis; ///< The plane's normal: level, or straight up to cut midway between the planes.
  double at;      ///< The plane's position along the axis. [m]
  double size;    ///< The prism's apparent width along the axis. [m]
} lwi_hull_cut;
/// The cut across the prism's greatest apparent width in a direction of view.
lwi_hull_cut lwi_hull_find_cut(const lwi_hull *hull, lwi_dvec3 view);
/// @return false: a half has too many corners.
bool lwi_hull_split(const lwi_hull *hull, const lwi_hull_cut *cut, lwi_hull halves[2]);

/// The points with normal . point <= distance for all planes, and within the bounds.
typedef struct lwi_shaft {
  int count;
  struct {
    lwi_dvec3 normal;
    double distance;
  } planes[LWI_SHAFT_PLANES];
  lwi_dvec3 min, max;
} lwi_shaft;

/// The points within `margin` of the prism; a little more. [m]
void lwi_shaft_about(lwi_shaft *shaft, const lwi_hull *hull, double margin);
/// The points within `margin` of a line between the two; a little more. [m]
void lwi_shaft_between(lwi_shaft *shaft, const lwi_hull *a, const lwi_hull *b, double margin);
/// Does the line from a to b pass through the shaft?
bool lwi_shaft_meets_line(const lwi_shaft *shaft, lwi_dvec3 a, lwi_dvec3 b);
/// Does a flat convex polygon of at most LWI_OCCLUDER_CORNERS corners touch the shaft?
bool lwi_shaft_meets_facet(const lwi_shaft *shaft, const lwi_dvec3 *corners, int count);
/// May the box touch the shaft? Never false if it does.
bool lwi_shaft_meets_box(const lwi_shaft *shaft, lwi_dvec3 min, lwi_dvec3 max);

#endif
