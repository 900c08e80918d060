#include "mesh/footprint.h"

/* Corners nearer to each other, and turns that lead less far aside, do not count. [m] */
#define SLACK 1e-3

#define TWO_PI 6.283185307179586

static double cross(lwi_point2 a, lwi_point2 b) {
  return a.z * b.x - a.x * b.z; /* > 0: b is to the left of a, seen from above */
}
static lwi_point2 from_to(lwi_point2 a, lwi_point2 b) {
  return (lwi_point2){b.x - a.x, b.z - a.z};
}
static double length_of(lwi_point2 a) {
  return sqrt(a.x * a.x + a.z * a.z);
}
static lwi_point2 along(lwi_point2 at, lwi_point2 direction, double by) {
  return (lwi_point2){at.x + direction.x * by, at.z + direction.z * by};
}
static lwi_point2 unit(lwi_point2 a) {
  const double length = length_of(a);
  return (lwi_point2){a.x / length, a.z / length};
}

/* --- outlines --------------------------------------------------------------------------------------------- */

/* Does the outline turn at a corner, and how far does it lead aside there? [m, > 0 to the left] */
static double turn_at(const lwi_point2 *outline, int count, int i) {
  const lwi_point2 before = outline[(i + count - 1) % count], after = outline[(i + 1) % count];
  const lwi_point2 base = from_to(before, after);
  const double length = length_of(base);
  return length < SLACK ? 0 : cross(base, from_to(before, outline[i])) / -length;
}

static double area2_of(const lwi_point2 *outline, int count) {
  double area2 = 0;
  for (int i = 2; i < count; ++i)
    area2 += cross(from_to(outline[0], outline[i - 1]), from_to(outline[0], outline[i]));
  return area2;
}

/* Counter-clockwise, without corners that make no turn. @return How many are left. */
static int take_corners(const lwi_point2 *outline, int count, lwi_point2 *corners) {
  const bool is_left = area2_of(outline, count) > 0;
  for (int i = 0; i < count; ++i) corners[i] = outline[is_left ? i : count - 1 - i];
  for (int i = 0; i < count;) {
    if (count <= 3 || fabs(turn_at(corners, count, i)) > SLACK) {
      ++i;
      continue;
    }
    for (int k = i + 1; k < count; ++k) corners[k - 1] = corners[k];
    --count;
    i = 0;
  }
  return count;
}

/* Every corner turns left, and all together turn round once. */
static bool is_convex(const lwi_point2 *corners, int count) {
  double round = 0;
  for (int i = 0; i < count; ++i) {
    const lwi_point2 in = from_to(corners[(i + count - 1) % count], corners[i]),
                     out = from_to(corners[i], corners[(i + 1) % count]);
    if (!(turn_at(corners, count, i) > SLACK)) return false;
    round += atan2(cross(in, out), in.x * out.x + in.z * out.z);
  }
  return round < 1.5 * TWO_PI;
}

/* --- growing ---------------------------------------------------------------------------------------------- */

/* @param[out] to  [2] @return How many corners it becomes. */
static int grow_corner(lwi_point2 before, lwi_point2 at, lwi_point2 after, double by, lwi_point2 *to) {
  if (by <= 0) {
    to[0] = at;
    return 1;
  }
  const lwi_point2 in = unit(from_to(before, at)), out = unit(from_to(at, after));
  const double cosine = in.x * out.x + in.z * out.z; /* of the turn */
  /* To the right of a direction is outside: (x, z) turned so is (-z, x). */
  const lwi_point2 aside = {-in.z, in.x}, next = {-out.z, out.x};
  if (cosine >= -1e-9) {
    const double by_middle = by / (1 + cosine);
    to[0] = (lwi_point2){at.x + (aside.x + next.x) * by_middle, at.z + (aside.z + next.z) * by_middle};
    return 1;
  }
  /* Cut off square: behind the corner by the distance, and from there aside to the lines of both sides. */
  const double half = sqrt((1 + cosine) / 2), sine = sqrt((1 - cosine) / 2); /* of half the turn */
  const double beyond = by * (1 - half) / sine;
  to[0] = along(along(at, aside, by), in, beyond);
  to[1] = along(along(at, next, by), out, -beyond);
  return 2;
}

static void set_sides(lwi_footprint *footprint, const lwi_point2 *corners, int count) {
  lwi_cut_sides_make(footprint->sides, corners, count);
  footprint->count = count;
}

bool lwi_footprint_of_outline(lwi_footprint *footprint, const lwi_point2 *outline, int count, double grow) {
  lwi_point2 corners[LWI_OUTLINE_CORNERS], grown[LWI_CUT_SIDES];
  if (count < 3 || count > LWI_OUTLINE_CORNERS) return false;
  count = take_corners(outline, count, corners);
  if (!is_convex(corners, count)) return false;
  int sides = 0;
  for (int i = 0; i < count; ++i)
    sides += grow_corner(corners[(i + count - 1) % count], corners[i], corners[(i + 1) % count], grow,
                         grown + sides);
  set_sides(footprint, grown, sides);
  return true;
}

/* --- shapes ----------------------------------------------------------------------------------------------- */

lwi_footprint lwi_footprint_of_box(lw_vec3 at, lw_vec3 size, float yaw, double grow) {
  static const int signs[4][2] = {{-1, -1}, {-1, 1}, {1, 1}, {1, -1}};
  const double c = cos((double)yaw), s = sin((double)yaw), half_x = (double)size.x / 2 + grow,
               half_z = (double)size.z / 2 + grow;
  lwi_footprint box = {.low = at.y, .high = at.y + size.y};
  lwi_point2 corners[4];
  for (int i = 0; i < 4; ++i) {
    const double x = signs[i][0] * half_x, z = signs[i][1] * half_z;
    corners[i] = (lwi_point2){(double)at.x + x * c + z * s, (double)at.z - x * s + z * c};
  }
  set_sides(&box, corners, 4);
  return box;
}

/* About the circle, so that nothing of it is left out. */
lwi_footprint lwi_footprint_of_cylinder(lw_vec3 at, float radius, float height, double grow) {
  const double reach = ((double)radius + grow) / cos(TWO_PI / 2 / LWI_CIRCLE_SIDES);
  lwi_footprint cylinder = {.low = at.y, .high = at.y + height};
  lwi_point2 corners[LWI_CIRCLE_SIDES];
  for (int i = 0; i < LWI_CIRCLE_SIDES; ++i) {
    const double angle = -TWO_PI * i / LWI_CIRCLE_SIDES;
    corners[i] = (lwi_point2){(double)at.x + reach * cos(angle), (double)at.z + reach * sin(angle)};
  }
  set_sides(&cylinder, corners, LWI_CIRCLE_SIDES);
  return cylinder;
}

/* The part of a piece that is further inside of a side than the slack. */
static void clip_by_side(const lwi_cut_side *side, lwi_point2 from, lwi_point2 to, double *t0, double *t1) {
  const double slack = 5e-3, dx = side->direction.x, dz = side->direction.z;
  const double a = dz * (from.x - side->corner.x) - dx * (from.z - side->corner.z) - slack,
               b = dz * (to.x - side->corner.x) - dx * (to.z - side->corner.z) - slack;
  if (a <= 0 && b <= 0) *t1 = *t0;
  if (a < 0 && b > 0) *t0 = lwi_larger(*t0, a / (a - b));
  if (a > 0 && b < 0) *t1 = lwi_smaller(*t1, a / (a - b));
}

bool lwi_shape_crosses(const lwi_cut_shape *shape, lwi_point2 from, lwi_point2 to, double *t0, double *t1) {
  *t0 = 0;
  *t1 = 1;
  if (lwi_larger(from.x, to.x) <= shape->min_x || lwi_smaller(from.x, to.x) >= shape->max_x ||
      lwi_larger(from.z, to.z) <= shape->min_z || lwi_smaller(from.z, to.z) >= shape->max_z)
    return false;
  for (int i = 0; i < shape->count && *t0 < *t1; i++) clip_by_side(&shape->sides[i], from, to, t0, t1);
  return *t0 < *t1;
}
