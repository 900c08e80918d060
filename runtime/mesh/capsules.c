#include "mesh/capsules.h"

static lwi_point2 end_of(const lwi_barrier *wall, int end) {
  return end == 0 ? (lwi_point2){wall->ax, wall->az} : (lwi_point2){wall->bx, wall->bz};
}

/* Directions along a wall, and from it into the mesh, which is on its left. */
static void axes_of(const lwi_barrier *wall, lwi_point2 *along, lwi_point2 *inward) {
  lwi_point2 a = end_of(wall, 0), b = end_of(wall, 1);
  double length = fmax(lwi_point2_distance(a, b), 1e-12);
  *along = (lwi_point2){(b.x - a.x) / length, (b.z - a.z) / length};
  *inward = (lwi_point2){along->z, -along->x};
}

bool lwi_capsule_away(const lwi_barrier *wall, lwi_point2 from, double keep, lwi_point2 *away) {
  lwi_point2 a = end_of(wall, 0), along, inward;
  axes_of(wall, &along, &inward);
  double length = lwi_point2_distance(a, end_of(wall, 1));
  double t = (from.x - a.x) * along.x + (from.z - a.z) * along.z;
  lwi_point2 foot = lwi_point2_lerp(a, end_of(wall, 1), length > 0 ? fmin(1, fmax(0, t / length)) : 0);
  double distance = lwi_point2_distance(foot, from);
  if (distance >= keep) return false;
  if (distance > 1e-6) inward = (lwi_point2){(from.x - foot.x) / distance, (from.z - foot.z) / distance};
  *away = (lwi_point2){foot.x + inward.x * keep, foot.z + inward.z * keep};
  return true;
}

/* The places at distance `keep` from two points. */
static int meet_circles(lwi_point2 a, lwi_point2 b, double keep, lwi_point2 *points) {
  double distance = lwi_point2_distance(a, b), rest = keep * keep - distance * distance / 4;
  if (rest < 0 || distance < 1e-9) return 0;
  lwi_point2 middle = lwi_point2_lerp(a, b, 0.5);
  double x = (b.z - a.z) / distance * sqrt(rest), z = -(b.x - a.x) / distance * sqrt(rest);
  points[0] = (lwi_point2){middle.x + x, middle.z + z};
  points[1] = (lwi_point2){middle.x - x, middle.z - z};
  return 2;
}

/* The places at distance `keep` from a wall's line and from a point. */
static int meet_line(const lwi_barrier *wall, lwi_point2 center, double keep, lwi_point2 *points) {
  lwi_point2 a = end_of(wall, 0), along, inward;
  axes_of(wall, &along, &inward);
  double t = (center.x - a.x) * along.x + (center.z - a.z) * along.z;
  double off = (center.x - a.x) * inward.x + (center.z - a.z) * inward.z - keep, rest = keep * keep - off * off;
  if (rest < 0) return 0;
  for (int i = 0; i < 2; i++) {
    double s = t + (i == 0 ? -1 : 1) * sqrt(rest);
    points[i] = (lwi_point2){a.x + along.x * s + inward.x * keep, a.z + along.z * s + inward.z * keep};
  }
  return 2;
}

/* The place at distance `keep` from the lines of two walls. */
static int meet_lines(const lwi_barrier *first, const lwi_barrier *second, double keep, lwi_point2 *point) {
  lwi_point2 along, inward, other_along, other_inward, a = end_of(first, 0), b = end_of(second, 0);
  axes_of(first, &along, &inward);
  axes_of(second, &other_along, &other_inward);
  lwi_point2 p = {a.x + inward.x * keep, a.z + inward.z * keep};
  double rise = along.x * other_inward.x + along.z * other_inward.z;
  if (fabs(rise) < 1e-9) return 0;
  double s = (keep - (p.x - b.x) * other_inward.x - (p.z - b.z) * other_inward.z) / rise;
  *point = (lwi_point2){p.x + along.x * s, p.z + along.z * s};
  return 1;
}

int lwi_capsules_meet(const lwi_barrier *a, const lwi_barrier *b, double keep, lwi_point2 *points) {
  int count = meet_lines(a, b, keep, points);
  for (int i = 0; i < 2; i++) {
    count += meet_line(a, end_of(b, i), keep, points + count);
    count += meet_line(b, end_of(a, i), keep, points + count);
    for (int j = 0; j < 2; j++) count += meet_circles(end_of(a, i), end_of(b, j), keep, points + count);
  }
  return count;
}
