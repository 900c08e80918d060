#include "geometry/spline.h"

#include "core/vec3.h"

#define DEPTH_MAX 12 /* of halving the piece between two points */

typedef struct point {
  double x, y, z;
} point;

static point widen(lw_vec3 p) {
  return (point){p.x, p.y, p.z};
}

static point mix(point a, point b, double t) {
  return (point){a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t, a.z + (b.z - a.z) * t};
}

static double distance(point a, point b) {
  double x = b.x - a.x, y = b.y - a.y, z = b.z - a.z;
  return sqrt(x * x + y * y + z * z);
}

/* One piece, from p[1] to p[2], with a knot for each of its four points. */
typedef struct piece {
  point p[4];
  double knot[4];
  lwi_spline_visit *visit;
  void *user;
} piece;

/* Barry and Goldman's pyramid (1988). With knots at the square roots of distances the spline has no loops or
   cusps. */
static point evaluate(const piece *s, double t) {
  point row[4] = {s->p[0], s->p[1], s->p[2], s->p[3]};
  for (int level = 1; level <= 3; ++level)
    for (int i = 0; i + level <= 3; ++i) {
      /* The last step is between the middle knots, so the curve passes through the points. */
      int low = level == 3 ? 1 : i, high = level == 3 ? 2 : i + level;
      row[i] = mix(row[i], row[i + 1], (t - s->knot[low]) / (s->knot[high] - s->knot[low]));
    }
  return row[0];
}

static double off_line(point a, point b, point p) {
  point d = {b.x - a.x, b.y - a.y, b.z - a.z};
  double square = d.x * d.x + d.y * d.y + d.z * d.z;
  double t = square > 0 ? ((p.x - a.x) * d.x + (p.y - a.y) * d.y + (p.z - a.z) * d.z) / square : 0;
  return distance(mix(a, b, t), p);
}

/* Three samples, since an S-shaped piece crosses its chord in the middle. */
static bool is_straight(const piece *s, double t0, double t1, point a, point b) {
  for (int i = 1; i <= 3; ++i)
    if (off_line(a, b, evaluate(s, t0 + (t1 - t0) * i / 4)) > LWI_SPLINE_ERROR / 2) return false;
  return true;
}

/* Visit all points after a, up to b. */
static bool walk(const piece *s, double t0, double t1, point a, point b, int depth) {
  if (depth == DEPTH_MAX || is_straight(s, t0, t1, a, b))
    return s->visit(s->user, lwi_vec3((float)b.x, (float)b.y, (float)b.z));
  double middle = (t0 + t1) / 2;
  point between = evaluate(s, middle);
  return walk(s, t0, middle, a, between, depth + 1) && walk(s, middle, t1, between, b, depth + 1);
}

/* The end pieces of an open spline are extended beyond its first and last point. */
static point at(const lw_vec3 *points, int count, bool closed, int index) {
  if (closed) return widen(points[(index + count) % count]);
  if (index < 0) return mix(widen(points[1]), widen(points[0]), 2);
  if (index >= count) return mix(widen(points[count - 2]), widen(points[count - 1]), 2);
  return widen(points[index]);
}

bool lwi_spline_walk(const lw_vec3 *points, int count, bool closed, lwi_spline_visit *visit, void *user) {
  if (!visit(user, points[0])) return false;
  int pieces = closed ? count : count - 1;
  for (int i = 0; i < pieces; ++i) {
    piece s = {.visit = visit, .user = user};
    for (int k = 0; k < 4; ++k) s.p[k] = at(points, count, closed, i + k - 1);
    for (int k = 1; k < 4; ++k) s.knot[k] = s.knot[k - 1] + sqrt(distance(s.p[k - 1], s.p[k]));
    if (!walk(&s, s.knot[1], s.knot[2], s.p[1], s.p[2], 0)) return false;
  }
  return true;
}
