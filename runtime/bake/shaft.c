/* The sides of a shaft stand on the outline of both prisms seen from above, its bottom and top on their
   outline seen from the side. That holds a little more than the exact shaft, never less. */
#include "bake/shaft.h"

#include <string.h>

#define CORNERS (2 * LWI_HULL_CORNERS)

/* --- regions ---------------------------------------------------------------------------------------------- */

lwi_hull lwi_hull_of(const lw_navmesh *mesh, uint32_t polygon, const lwi_prism *prism) {
  lwi_polygon corners = lwi_polygon_get(mesh, polygon);
  lw_vec3 first = lwi_corner(&corners, 0);
  const double base = (double)prism->slope_x * first.x + (double)prism->slope_z * first.z;
  lwi_hull hull = {.slope_x = (double)prism->slope_x,
                   .slope_z = (double)prism->slope_z,
                   .low = (double)prism->low - base,
                   .high = (double)prism->high - base};
  if (corners.count > LWI_HULL_CORNERS - 8) {
    lwi_frame frame = lwi_polygon_frame(&corners);
    hull.count = 4;
    for (int i = 0; i < 4; i++) {
      hull.x[i] = (double)frame.min_x + (i == 1 || i == 2 ? (double)frame.size_x : 0);
      hull.z[i] = (double)frame.min_z + (i >= 2 ? (double)frame.size_z : 0);
    }
    return hull;
  }
  hull.count = (int)corners.count;
  for (uint32_t i = 0; i < corners.count; i++) {
    lw_vec3 corner = lwi_corner(&corners, i);
    hull.x[i] = (double)corner.x;
    hull.z[i] = (double)corner.z;
  }
  return hull;
}

/* A little off the centre, so that lines between such points seldom pass through an edge of the level. */
lw_vec3 lwi_hull_middle(const lwi_hull *hull) {
  double x = 0, z = 0, sum = 0;
  for (int i = 0; i < hull->count; i++) {
    double turn = 0.618034 * (i + 1), weight = 1 + 0.3 * (turn - floor(turn));
    x += weight * hull->x[i];
    z += weight * hull->z[i];
    sum += weight;
  }
  x /= sum;
  z /= sum;
  double y = hull->slope_x * x + hull->slope_z * z + 0.4713 * hull->low + 0.5287 * hull->high;
  return (lw_vec3){(float)x, (float)y, (float)z};
}

/* The range of a prism along an axis. */
typedef struct extent {
  double low, high;
} extent;

static extent extent_of(const lwi_hull *hull, lwi_dvec3 axis) {
  extent of = {INFINITY, -INFINITY};
  for (int i = 0; i < 2 * hull->count; i++) {
    double at = lwi_dvec3_dot(axis, lwi_hull_corner(hull, i / 2, i % 2 != 0));
    of.low = lwi_dmin(of.low, at);
    of.high = lwi_dmax(of.high, at);
  }
  return of;
}

lwi_hull_cut lwi_hull_find_cut(const lwi_hull *hull, lwi_dvec3 view) {
  double level = hypot(view.x, view.z), length = hypot(level, view.y);
  lwi_dvec3 along = level > 1e-6 ? (lwi_dvec3){view.x / level, 0, view.z / level} : (lwi_dvec3){1, 0, 0};
  const lwi_dvec3 axes[3] = {{-along.z, 0, along.x}, along, {0, 1, 0}};
  const double counts[3] = {1, length > 1e-6 ? fabs(view.y) / length : 1, length > 1e-6 ? level / length : 1};
  lwi_hull_cut best = {.size = -1};
  for (int i = 0; i < 3; i++) {
    extent of = extent_of(hull, axes[i]);
    double size = counts[i] * (i == 2 ? hull->high - hull->low : of.high - of.low);
    if (size > best.size) best = (lwi_hull_cut){axes[i], (of.low + of.high) / 2, size};
  }
  return best;
}

/* The part of the prism where sign * (coordinate - cut) >= 0. */
static bool cut_half(const lwi_hull *of, const lwi_hull_cut *cut, double sign, lwi_hull *half) {
  half->count = 0;
  for (int i = 0; i < of->count; i++) {
    int next = i + 1 < of->count ? i + 1 : 0;
    double a = sign * (cut->axis.x * of->x[i] + cut->axis.z * of->z[i] - cut->at),
           b = sign * (cut->axis.x * of->x[next] + cut->axis.z * of->z[next] - cut->at);
    if (half->count + 2 > LWI_HULL_CORNERS) return false;
    if (a >= 0) {
      half->x[half->count] = of->x[i];
      half->z[half->count++] = of->z[i];
    }
    if ((a > 0 && b < 0) || (a < 0 && b > 0)) {
      double t = a / (a - b);
      half->x[half->count] = of->x[i] + (of->x[next] - of->x[i]) * t;
      half->z[half->count++] = of->z[i] + (of->z[next] - of->z[i]) * t;
    }
  }
  return half->count >= 3;
}

bool lwi_hull_split(const lwi_hull *hull, const lwi_hull_cut *cut, lwi_hull halves[2]) {
  halves[0] = halves[1] = *hull;
  if (cut->axis.y > 0) {
    halves[0].high = halves[1].low = (hull->low + hull->high) / 2;
    return true;
  }
  return cut_half(hull, cut, 1, &halves[0]) && cut_half(hull, cut, -1, &halves[1]);
}

/* --- planes ----------------------------------------------------------------------------------------------- */

static void add_plane(lwi_shaft *shaft, lwi_dvec3 normal, lwi_dvec3 at, double margin) {
  double length = sqrt(lwi_dvec3_dot(normal, normal));
  if (!(length > 1e-9) || shaft->count == LWI_SHAFT_PLANES)
    return; /* with a plane less, the shaft is larger: still correct */
  normal = (lwi_dvec3){normal.x / length, normal.y / length, normal.z / length};
  shaft->planes[shaft->count].normal = normal;
  shaft->planes[shaft->count++].distance = lwi_dvec3_dot(normal, at) + margin;
}

/* Points in a plane. */
typedef struct outline {
  int count;
  double u[CORNERS], v[CORNERS];
} outline;

static void sort_outline(outline *of) {
  for (int i = 1; i < of->count; i++) {
    double u = of->u[i], v = of->v[i];
    int at = i;
    for (; at > 0 && (of->u[at - 1] > u || (of->u[at - 1] == u && of->v[at - 1] > v)); at--) {
      of->u[at] = of->u[at - 1];
      of->v[at] = of->v[at - 1];
    }
    of->u[at] = u;
    of->v[at] = v;
  }
}

/* Keep the lower hull, from left to right; with sign -1 the upper one (Andrew's monotone chain). */
static void leave_hull(const outline *sorted, double sign, outline *hull) {
  hull->count = 0;
  for (int i = 0; i < sorted->count; i++) {
    while (hull->count >= 2) {
      double u = hull->u[hull->count - 1], v = hull->v[hull->count - 1], u0 = hull->u[hull->count - 2],
             v0 = hull->v[hull->count - 2];
      if (sign * ((u - u0) * (sorted->v[i] - v0) - (v - v0) * (sorted->u[i] - u0)) > 0) break;
      hull->count--;
    }
    hull->u[hull->count] = sorted->u[i];
    hull->v[hull->count++] = sorted->v[i];
  }
}

static void add_corners(outline *of, const lwi_hull *hull) {
  for (int i = 0; i < hull->count; i++) {
    of->u[of->count] = hull->x[i];
    of->v[of->count++] = hull->z[i];
  }
}

/* Add vertical planes on the outline from above. */
static void add_sides(lwi_shaft *shaft, outline *above, double margin) {
  outline hull;
  sort_outline(above);
  for (int side = 0; side < 2; side++) {
    double sign = side == 0 ? 1 : -1;
    leave_hull(above, sign, &hull);
    for (int i = 0; i + 1 < hull.count; i++) {
      double du = hull.u[i + 1] - hull.u[i], dv = hull.v[i + 1] - hull.v[i];
      add_plane(shaft, (lwi_dvec3){sign * dv, 0, -sign * du}, (lwi_dvec3){hull.u[i], 0, hull.v[i]}, margin);
    }
  }
}

static void add_seen(outline *of, const lwi_hull *hull, bool top, lwi_dvec3 along) {
  for (int i = 0; i < hull->count; i++) {
    lwi_dvec3 corner = lwi_hull_corner(hull, i, top);
    of->u[of->count] = lwi_dvec3_dot(along, corner);
    of->v[of->count++] = corner.y;
  }
}

/* Add planes under or over both prisms, level across the direction from one to the other. */
static void add_cap(lwi_shaft *shaft, const lwi_hull *a, const lwi_hull *b, bool top, lwi_dvec3 along,
                    double margin) {
  outline seen = {0}, hull;
  double sign = top ? -1 : 1;
  add_seen(&seen, a, top, along);
  add_seen(&seen, b, top, along);
  sort_outline(&seen);
  leave_hull(&seen, sign, &hull);
  for (int i = 0; i + 1 < hull.count; i++) {
    double du = hull.u[i + 1] - hull.u[i], dv = hull.v[i + 1] - hull.v[i];
    if (!(du > 1e-9)) continue;
    lwi_dvec3 at = {along.x * hull.u[i], hull.v[i], along.z * hull.u[i]};
    add_plane(shaft, (lwi_dvec3){sign * dv * along.x, -sign * du, sign * dv * along.z}, at, margin);
  }
}

static void widen(lwi_shaft *shaft, const lwi_hull *hull, double margin) {
  for (int i = 0; i < 2 * hull->count; i++) {
    lwi_dvec3 at = lwi_hull_corner(hull, i / 2, i % 2 != 0);
    shaft->min = (lwi_dvec3){lwi_dmin(shaft->min.x, at.x - margin), lwi_dmin(shaft->min.y, at.y - margin),
                             lwi_dmin(shaft->min.z, at.z - margin)};
    shaft->max = (lwi_dvec3){lwi_dmax(shaft->max.x, at.x + margin), lwi_dmax(shaft->max.y, at.y + margin),
                             lwi_dmax(shaft->max.z, at.z + margin)};
  }
}

static void begin(lwi_shaft *shaft) {
  shaft->count = 0;
  shaft->min = (lwi_dvec3){INFINITY, INFINITY, INFINITY};
  shaft->max = (lwi_dvec3){-INFINITY, -INFINITY, -INFINITY};
}

void lwi_shaft_about(lwi_shaft *shaft, const lwi_hull *hull, double margin) {
  outline above = {0};
  begin(shaft);
  add_corners(&above, hull);
  add_sides(shaft, &above, margin);
  lwi_dvec3 up = {-hull->slope_x, 1, -hull->slope_z}, down = {hull->slope_x, -1, hull->slope_z};
  add_plane(shaft, down, lwi_hull_corner(hull, 0, false), margin);
  add_plane(shaft, up, lwi_hull_corner(hull, 0, true), margin);
  widen(shaft, hull, margin);
}

void lwi_shaft_between(lwi_shaft *shaft, const lwi_hull *a, const lwi_hull *b, double margin) {
  outline above = {0};
  begin(shaft);
  add_corners(&above, a);
  add_corners(&above, b);
  add_sides(shaft, &above, margin);
  lwi_dvec3 from = lwi_dvec3_of(lwi_hull_middle(a)), to = lwi_dvec3_of(lwi_hull_middle(b));
  double dx = to.x - from.x, dz = to.z - from.z, length = hypot(dx, dz);
  lwi_dvec3 along = length > 1e-6 ? (lwi_dvec3){dx / length, 0, dz / length} : (lwi_dvec3){1, 0, 0};
  add_cap(shaft, a, b, false, along, margin);
  add_cap(shaft, a, b, true, along, margin);
  widen(shaft, a, margin);
  widen(shaft, b, margin);
}

/* --- meeting ---------------------------------------------------------------------------------------------- */

bool lwi_shaft_meets_box(const lwi_shaft *shaft, lwi_dvec3 min, lwi_dvec3 max) {
  if (min.x > shaft->max.x || max.x < shaft->min.x || min.y > shaft->max.y || max.y < shaft->min.y ||
      min.z > shaft->max.z || max.z < shaft->min.z)
    return false;
  for (int i = 0; i < shaft->count; i++) {
    lwi_dvec3 n = shaft->planes[i].normal;
    lwi_dvec3 inner = {n.x > 0 ? min.x : max.x, n.y > 0 ? min.y : max.y, n.z > 0 ? min.z : max.z};
    if (lwi_dvec3_dot(n, inner) > shaft->planes[i].distance) return false;
  }
  return true;
}

bool lwi_shaft_meets_line(const lwi_shaft *shaft, lwi_dvec3 a, lwi_dvec3 b) {
  if (lwi_dmin(a.x, b.x) > shaft->max.x || lwi_dmax(a.x, b.x) < shaft->min.x ||
      lwi_dmin(a.z, b.z) > shaft->max.z || lwi_dmax(a.z, b.z) < shaft->min.z ||
      lwi_dmin(a.y, b.y) > shaft->max.y || lwi_dmax(a.y, b.y) < shaft->min.y)
    return false;
  double from = 0, to = 1;
  for (int i = 0; i < shaft->count; i++) {
    double over_a = lwi_dvec3_dot(shaft->planes[i].normal, a) - shaft->planes[i].distance,
           over_b = lwi_dvec3_dot(shaft->planes[i].normal, b) - shaft->planes[i].distance;
    if (over_a > 0 && over_b > 0) return false;
    if (over_a > 0) from = lwi_dmax(from, over_a / (over_a - over_b));
    if (over_b > 0) to = lwi_dmin(to, over_a / (over_a - over_b));
    if (from > to) return false;
  }
  return true;
}

#define CUT_CORNERS (LWI_OCCLUDER_CORNERS + LWI_SHAFT_PLANES)

/* Cut a polygon to the inner side of a plane. @return How many corners are left. */
static int cut_facet(const lwi_dvec3 *from, int count, lwi_dvec3 normal, double distance, lwi_dvec3 *to) {
  int left = 0;
  for (int i = 0; i < count; i++) {
    lwi_dvec3 a = from[i], b = from[i + 1 < count ? i + 1 : 0];
    double over_a = lwi_dvec3_dot(normal, a) - distance, over_b = lwi_dvec3_dot(normal, b) - distance;
    if (over_a <= 0) to[left++] = a;
    if ((over_a < 0 && over_b > 0) || (over_a > 0 && over_b < 0)) {
      double t = over_a / (over_a - over_b);
      to[left++] = (lwi_dvec3){a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t, a.z + (b.z - a.z) * t};
    }
  }
  return left;
}

bool lwi_shaft_meets_facet(const lwi_shaft *shaft, const lwi_dvec3 *corners, int count) {
  lwi_dvec3 regions[2][CUT_CORNERS];
  lwi_dvec3 min = corners[0], max = corners[0];
  for (int i = 1; i < count; i++) {
    min = (lwi_dvec3){lwi_dmin(min.x, corners[i].x), lwi_dmin(min.y, corners[i].y),
                      lwi_dmin(min.z, corners[i].z)};
    max = (lwi_dvec3){lwi_dmax(max.x, corners[i].x), lwi_dmax(max.y, corners[i].y),
                      lwi_dmax(max.z, corners[i].z)};
  }
  if (!lwi_shaft_meets_box(shaft, min, max)) return false;
  memcpy(regions[0], corners, (size_t)count * sizeof *corners);
  for (int i = 0; i < shaft->count && count > 0; i++) {
    if (2 * count > CUT_CORNERS) return true; /* bent more than a facet may be: assume that it touches */
    count = cut_facet(regions[i % 2], count, shaft->planes[i].normal, shaft->planes[i].distance,
                      regions[1 - i % 2]);
  }
  return count > 0;
}
