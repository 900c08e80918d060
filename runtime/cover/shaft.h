/// Shafts: all straight lines from one convex region to another.
#ifndef LW_COVER_SHAFT_H
#define LW_COVER_SHAFT_H

#include "mesh/mesh.h"

#define LWI_REGION_CORNERS 20
#define LWI_SHAFT_PLANES 64

/// A place in metres, to the last digit.
typedef struct lwi_dvec3 {
  double x, y, z;
} lwi_dvec3;
static inline lwi_dvec3 lwi_dvec3_sub(lwi_dvec3 a, lwi_dvec3 b) {
  return (lwi_dvec3){a.x - b.x, a.y - b.y, a.z - b.z};
}
static inline double lwi_dvec3_dot(lwi_dvec3 a, lwi_dvec3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline double lwi_dvec3_length(lwi_dvec3 a) {
  return sqrt(lwi_dvec3_dot(a, a));
}
static inline lwi_dvec3 lwi_dvec3_cross(lwi_dvec3 a, lwi_dvec3 b) {
  return (lwi_dvec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline lwi_dvec3 lwi_dvec3_of(lw_vec3 a) {
  return (lwi_dvec3){(double)a.x, (double)a.y, (double)a.z};
}

/// By comparison, as lwi_least(): fmin() and fmax() are calls.
static inline double lwi_dleast(double a, double b) {
  return a < b ? a : b;
}
static inline double lwi_dmost(double a, double b) {
  return a > b ? a : b;
}

/// A prism: over a convex polygon, between two planes of one slope.
typedef struct lwi_region {
  int count;
  double x[LWI_REGION_CORNERS], z[LWI_REGION_CORNERS]; ///< Of its sides' corners, in either order.
  double slope_x, slope_z, low, high;                  ///< Of the planes' heights, at x = z = 0.
} lwi_region;

/// The region over a polygon. One of too many corners gets that over a rectangle about it.
lwi_region lwi_region_of(const lw_navmesh *mesh, uint32_t polygon, const lwi_prism *prism);
static inline lwi_dvec3 lwi_region_corner(const lwi_region *region, int i, bool top) {
  double x = region->x[i], z = region->z[i];
  return (lwi_dvec3){x, region->slope_x * x + region->slope_z * z + (top ? region->high : region->low), z};
}
/// A place in the middle of it.
lw_vec3 lwi_region_middle(const lwi_region *region);
/// Where to cut a region in two.
typedef struct lwi_region_cut {
  lwi_dvec3 axis; ///< Level, or straight up: then midway between both planes.
  double at;      ///< Along the axis. [m]
  double size;    ///< How wide it looks along the axis. [m]
} lwi_region_cut;
/// Across where it looks widest to one who looks that way.
lwi_region_cut lwi_region_find_cut(const lwi_region *region, lwi_dvec3 view);
/// @return false: it has too many corners.
bool lwi_region_split(const lwi_region *region, const lwi_region_cut *cut, lwi_region halves[2]);

/// What is on the inner sides of all planes, normal . place <= distance, and in a box.
typedef struct lwi_shaft {
  int count;
  struct {
    lwi_dvec3 normal;
    double distance;
  } planes[LWI_SHAFT_PLANES];
  lwi_dvec3 min, max;
} lwi_shaft;

/// What is no further from the region than `margin`, and a little more. [m]
void lwi_shaft_about(lwi_shaft *shaft, const lwi_region *region, double margin);
/// What is no further than that from a line between the two, and a little more.
void lwi_shaft_between(lwi_shaft *shaft, const lwi_region *a, const lwi_region *b, double margin);
/// Does the line from a to b pass through?
bool lwi_shaft_meets_line(const lwi_shaft *shaft, lwi_dvec3 a, lwi_dvec3 b);
/// Does a flat convex polygon of at most LWI_OCCLUDER_CORNERS corners?
bool lwi_shaft_meets_facet(const lwi_shaft *shaft, const lwi_dvec3 *corners, int count);
/// May a box? Never no where it does.
bool lwi_shaft_meets_box(const lwi_shaft *shaft, lwi_dvec3 min, lwi_dvec3 max);

#endif
