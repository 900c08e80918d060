/* The linear programs are solved incrementally, one half-plane after the other: in the plane, then, where they have no
   point in common, with the distance from the worst one as the third dimension. */
#include "agent/orca.h"

#include <math.h>

#define EPSILON 1e-5f

/* --- half-planes ------------------------------------------------------------------------------------------ */

/* Leave the cone of colliding velocities by its leg. @param far2  Square of the distance. */
static lwi_half_plane plane_by_leg(const lwi_orca_other *other, float far2, lwi_vec2 w, lwi_vec2 *change) {
  const float leg = sqrtf(far2 - other->radius * other->radius), r = other->radius;
  const lwi_vec2 p = other->offset;
  lwi_half_plane plane;
  if (lwi_det2(p, w) > 0)
    plane.direction = lwi_scale2(lwi_vec2_of(p.x * leg - p.z * r, p.x * r + p.z * leg), 1 / far2);
  else
    plane.direction = lwi_scale2(lwi_vec2_of(p.x * leg + p.z * r, -p.x * r + p.z * leg), -1 / far2);
  const float along = lwi_dot2(other->relative, plane.direction);
  *change = lwi_sub2(lwi_scale2(plane.direction, along), other->relative);
  return plane;
}

/* Leave it by the arc at its tip, which is `time` away. */
static lwi_half_plane plane_by_arc(const lwi_orca_other *other, lwi_vec2 w, float time, lwi_vec2 *change) {
  lwi_half_plane plane;
  const float length = sqrtf(lwi_dot2(w, w));
  /* Exactly on top of each other, without any motion: aside, whichever comes first. */
  const lwi_vec2 unit = length > EPSILON ? lwi_scale2(w, 1 / length) : lwi_vec2_of(1, 0);
  plane.direction = lwi_vec2_of(unit.z, -unit.x);
  *change = lwi_scale2(unit, other->radius / time - length);
  return plane;
}

lwi_half_plane lwi_orca_plane(const lwi_orca_other *other, lwi_vec2 velocity, float dt) {
  const float far2 = lwi_dot2(other->offset, other->offset), radius2 = other->radius * other->radius;
  lwi_half_plane plane;
  lwi_vec2 change;
  if (far2 > radius2) {
    const lwi_vec2 w = lwi_sub2(other->relative, lwi_scale2(other->offset, 1 / other->horizon));
    const float along = lwi_dot2(w, other->offset);
    if (along < 0 && along * along > radius2 * lwi_dot2(w, w))
      plane = plane_by_arc(other, w, other->horizon, &change);
    else
      plane = plane_by_leg(other, far2, w, &change);
  } else {
    const lwi_vec2 w = lwi_sub2(other->relative, lwi_scale2(other->offset, 1 / dt));
    plane = plane_by_arc(other, w, dt, &change);
  }
  plane.point = lwi_add2(velocity, lwi_scale2(change, other->share));
  return plane;
}

lwi_half_plane lwi_orca_wall(lwi_vec2 normal, float speed) {
  return (lwi_half_plane){lwi_scale2(normal, -speed), {normal.z, -normal.x}};
}

/* --- linear programs -------------------------------------------------------------------------------------- */

/* What is sought: the point of the disc nearest to `target`, or the furthest one in that direction. */
typedef struct goal {
  lwi_vec2 target;
  float radius;
  bool is_direction;
} goal;

/* The best point on the line of half-plane `number` that lies in those before it. @return false: there is none. */
static bool solve_line(const lwi_half_plane *planes, int number, const goal *for_goal, lwi_vec2 *best) {
  const lwi_half_plane *line = &planes[number];
  const float dot = lwi_dot2(line->point, line->direction);
  const float square = dot * dot + for_goal->radius * for_goal->radius - lwi_dot2(line->point, line->point);
  if (square < 0) return false;
  const float half = sqrtf(square);
  float left = -dot - half, right = -dot + half;
  for (int i = 0; i < number; i++) {
    const float denominator = lwi_det2(line->direction, planes[i].direction);
    const float numerator = lwi_det2(planes[i].direction, lwi_sub2(line->point, planes[i].point));
    if (fabsf(denominator) <= EPSILON) {
      if (numerator < 0) return false;
      continue;
    }
    const float t = numerator / denominator;
    if (denominator >= 0)
      right = t < right ? t : right;
    else
      left = t > left ? t : left;
    if (left > right) return false;
  }
  float t;
  if (for_goal->is_direction)
    t = lwi_dot2(for_goal->target, line->direction) > 0 ? right : left;
  else
    t = lwi_dot2(line->direction, lwi_sub2(for_goal->target, line->point));
  t = t < left ? left : t > right ? right : t;
  *best = lwi_add2(line->point, lwi_scale2(line->direction, t));
  return true;
}

/* @return The number of the first half-plane that cannot be satisfied with those before it; `count`: all are. */
static int solve_plane(const lwi_half_plane *planes, int count, const goal *for_goal, lwi_vec2 *best) {
  const float length2 = lwi_dot2(for_goal->target, for_goal->target), radius = for_goal->radius;
  if (for_goal->is_direction)
    *best = lwi_scale2(for_goal->target, radius);
  else if (length2 > radius * radius)
    *best = lwi_scale2(for_goal->target, radius / sqrtf(length2));
  else
    *best = for_goal->target;
  for (int i = 0; i < count; i++) {
    if (lwi_det2(planes[i].direction, lwi_sub2(planes[i].point, *best)) <= 0) continue;
    const lwi_vec2 before = *best;
    if (!solve_line(planes, i, for_goal, best)) {
      *best = before;
      return i;
    }
  }
  return count;
}

/* The half-plane in which plane `i` is violated less than plane `k`. @return false: parallel, the same direction. */
static bool less_violated(const lwi_half_plane *i, const lwi_half_plane *k, lwi_half_plane *plane) {
  const float determinant = lwi_det2(i->direction, k->direction);
  if (fabsf(determinant) <= EPSILON) {
    if (lwi_dot2(i->direction, k->direction) > 0) return false;
    plane->point = lwi_scale2(lwi_add2(i->point, k->point), 0.5f);
  } else {
    const float t = lwi_det2(k->direction, lwi_sub2(i->point, k->point)) / determinant;
    plane->point = lwi_add2(i->point, lwi_scale2(i->direction, t));
  }
  const lwi_vec2 direction = lwi_sub2(k->direction, i->direction);
  const float length = sqrtf(lwi_dot2(direction, direction));
  if (!(length > 0)) return false;
  plane->direction = lwi_scale2(direction, 1 / length);
  return true;
}

/* From half-plane `begin` on, violate the worst one least; the hard ones hold. */
static void solve_violated(const lwi_orca_problem *problem, int begin, lwi_vec2 *best) {
  const lwi_half_plane *planes = problem->planes;
  lwi_half_plane projected[LWI_ORCA_PLANES_MAX];
  float distance = 0;
  for (int i = begin; i < problem->count; i++) {
    if (lwi_det2(planes[i].direction, lwi_sub2(planes[i].point, *best)) <= distance) continue;
    int count = 0;
    for (; count < problem->hard; count++) projected[count] = planes[count];
    for (int k = problem->hard; k < i; k++)
      if (less_violated(&planes[i], &planes[k], &projected[count])) count++;
    const goal away = {{-planes[i].direction.z, planes[i].direction.x}, problem->speed, true};
    const lwi_vec2 before = *best;
    if (solve_plane(projected, count, &away, best) < count) *best = before; /* by rounding alone */
    distance = lwi_det2(planes[i].direction, lwi_sub2(planes[i].point, *best));
  }
}

lwi_vec2 lwi_orca_solve(const lwi_orca_problem *problem) {
  lwi_vec2 best;
  const goal near = {problem->wish, problem->speed, false};
  const int failed = solve_plane(problem->planes, problem->count, &near, &best);
  if (failed < problem->count) solve_violated(problem, failed < problem->hard ? problem->hard : failed, &best);
  return best;
}
