/* How much of a piece lies in a shape. */
#include "mesh/cut_parts.h"

/* Twice the area of an outline. [m2] */
static double area2_of(const lwi_point2 *corners, int count) {
  double area2 = 0;
  for (int i = 2; i < count; i++)
    area2 += (corners[i - 1].z - corners[0].z) * (corners[i].x - corners[0].x) -
             (corners[i - 1].x - corners[0].x) * (corners[i].z - corners[0].z);
  return area2;
}

/* > 0: on the left, inside. [m] */
static double side_of(const lwi_cut_side *side, lwi_point2 at) {
  return side->direction.z * (at.x - side->corner.x) - side->direction.x * (at.z - side->corner.z);
}

/* What is left of a side. @param[out] to  [count + 1] @return How many corners it has. */
static int clip(const lwi_point2 *corners, int count, const lwi_cut_side *side, lwi_point2 *to) {
  int left = 0;
  for (int i = 0; i < count; i++) {
    const lwi_point2 a = corners[i], b = corners[i + 1 < count ? i + 1 : 0];
    const double side_a = side_of(side, a), side_b = side_of(side, b);
    if (side_a >= 0) to[left++] = a;
    if ((side_a > 0 && side_b < 0) || (side_a < 0 && side_b > 0)) {
      const double t = side_a / (side_a - side_b);
      to[left++] = (lwi_point2){a.x + (b.x - a.x) * t, a.z + (b.z - a.z) * t};
    }
  }
  return left;
}

bool lwi_cut_share(lwi_cutter *cut, const lwi_cut_corner *corners, int count, const lwi_cut_shape *shape,
                   double *share) {
  const int space = count + LWI_CUT_SIDES;
  if (!lwi_reserve(cut->memory, &cut->points, &cut->point_capacity, 2 * space, sizeof *cut->points))
    return false;
  lwi_point2 *now = cut->points, *next = cut->points + space;
  for (int i = 0; i < count; i++) now[i] = lwi_cut_point(&corners[i]);
  const double whole = area2_of(now, count);
  int left = count;
  for (int i = 0; i < shape->count && left > 0; i++) {
    left = clip(now, left, &shape->sides[i], next);
    lwi_point2 *last = now;
    now = next;
    next = last;
  }
  *share = left > 2 && whole != 0 ? lwi_larger(0, lwi_smaller(1, area2_of(now, left) / whole)) : 0;
  return true;
}
