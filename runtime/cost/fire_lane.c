/* The lane from above is a stadium: a rectangle and a disc at each end. It is convex, so that a straight piece lies in it
   from one parameter to another. There the lane's height above the feet is linear in up to three parts: beside its
   beginning, beside itself, and beside its end. */
#include "cost/fire_lane.h"

#include "core/status.h"

lw_fire_lane_def lw_fire_lane_def_default(void) {
  return (lw_fire_lane_def){.radius = 1, .seconds = INFINITY, .weight = 1, .cookie = LWI_COOKIE};
}

lw_status lwi_lane_check(const lw_fire_lane_def *def, lw_error *error) {
  lw_status status = lwi_check_cookie(def->cookie, "lw_fire_lane_def", error);
  if (status == LW_OK) status = lwi_check_place("from", def->from, error);
  if (status == LW_OK) status = lwi_check_place("to", def->to, error);
  if (status != LW_OK) return status;
  if (!(def->radius > 0 && def->radius <= LW_PROFILE_SIZE_MAX))
    return lwi_fail(error, LW_INVALID, "radius is %g: expected a number above 0 and at most %d",
                    (double)def->radius, LW_PROFILE_SIZE_MAX);
  if (!(def->seconds > 0)) /* infinity stays */
    return lwi_fail(error, LW_INVALID, "seconds is %g: expected a number above 0", (double)def->seconds);
  if (!(def->weight > 0 && def->weight <= LW_FIRE_LANE_WEIGHT_MAX))
    return lwi_fail(error, LW_INVALID, "weight is %g: expected a number above 0 and at most %g",
                    (double)def->weight, (double)LW_FIRE_LANE_WEIGHT_MAX);
  return LW_OK;
}

/* By comparisons: fmin is a call. */
static double least(double a, double b) {
  return a < b ? a : b;
}
static double most(double a, double b) {
  return a > b ? a : b;
}

typedef struct span {
  double t0, t1; /* empty: t0 >= t1 */
} span;

/* Where a + t * b is between low and high, of a span. */
static span clip(span of, double a, double b, double low, double high) {
  if (b == 0) return a >= low && a <= high ? of : (span){1, 0};
  double t0 = (low - a) / b, t1 = (high - a) / b;
  return (span){most(of.t0, least(t0, t1)), least(of.t1, most(t0, t1))};
}

/* The part of a piece, relative to the disc's middle, that lies in the disc. */
static span in_disc(double x, double z, double dx, double dz, double radius) {
  double a = dx * dx + dz * dz, b = x * dx + z * dz, c = x * x + z * z - radius * radius;
  if (a == 0) return c < 0 ? (span){0, 1} : (span){1, 0};
  double root2 = b * b - a * c;
  if (root2 <= 0) return (span){1, 0};
  double root = sqrt(root2);
  return (span){most(0, (-b - root) / a), least(1, (-b + root) / a)};
}

static span join(span a, span b) {
  if (!(a.t0 < a.t1)) return b;
  if (!(b.t0 < b.t1)) return a;
  return (span){least(a.t0, b.t0), most(a.t1, b.t1)};
}

/* A piece as the lane sees it: metres along it from its beginning, and aside. */
typedef struct lane_piece {
  const lwi_lane *lane;
  double along, aside, step_along, step_aside; /* at t = 0, and from there to t = 1 */
  double y, step_y;
  double length; /* of the lane, in xz */
} lane_piece;

static lane_piece seen_from(const lwi_lane *lane, lw_vec3 from, lw_vec3 to) {
  double ux = (double)lane->to.x - lane->from.x, uz = (double)lane->to.z - lane->from.z,
         length = sqrt(ux * ux + uz * uz);
  double x = (double)from.x - lane->from.x, z = (double)from.z - lane->from.z;
  double dx = (double)to.x - from.x, dz = (double)to.z - from.z;
  ux = length > 0 ? ux / length : 1;
  uz = length > 0 ? uz / length : 0;
  return (lane_piece){lane,   x * ux + z * uz,       z * ux - x * uz, dx * ux + dz * uz, dz * ux - dx * uz,
                      from.y, (double)to.y - from.y, length};
}

/* The lane's height above the feet. */
static double height_at(const lane_piece *piece, double t) {
  double along = least(piece->length, most(0, piece->along + t * piece->step_along));
  double part = piece->length > 0 ? along / piece->length : 0;
  double y = (double)piece->lane->from.y + part * ((double)piece->lane->to.y - piece->lane->from.y);
  return y - (piece->y + t * piece->step_y);
}

/* How much of a part in which that is linear lies at a height that counts. */
static double at_height(const lane_piece *piece, double t0, double t1) {
  if (!(t0 < t1)) return 0;
  double radius = (double)piece->lane->radius, a = height_at(piece, t0), b = height_at(piece, t1);
  span part = clip((span){0, 1}, a, b - a, -radius, (double)LW_FIRE_LANE_BODY + radius);
  return part.t0 < part.t1 ? (part.t1 - part.t0) * (t1 - t0) : 0;
}

/* Are both more than the root of `reach2` away from zero, to the same side? */
static bool are_beyond(double a, double b, double reach2) {
  return a * b > 0 && a * a > reach2 && b * b > reach2;
}

/* Does the lane pass by the piece, seen from above? Then some line divides them: one along the lane, one along the piece, or
   one across the lane at either end. */
static bool is_past(const lwi_lane *lane, lw_vec3 from, lw_vec3 to) {
  double ux = (double)lane->to.x - lane->from.x, uz = (double)lane->to.z - lane->from.z,
         length2 = ux * ux + uz * uz;
  double dx = (double)to.x - from.x, dz = (double)to.z - from.z;
  double x = (double)from.x - lane->from.x, z = (double)from.z - lane->from.z;
  double radius2 = (double)lane->radius * lane->radius, aside = z * ux - x * uz, across = x * dz - z * dx;
  if (are_beyond(aside, aside + (dz * ux - dx * uz), radius2 * length2) ||
      are_beyond(across, across - (ux * dz - uz * dx), radius2 * (dx * dx + dz * dz)))
    return true;
  double along = x * ux + z * uz, end = along + (dx * ux + dz * uz);
  return along < 0 ? end < 0 && are_beyond(along, end, radius2 * length2)
                   : are_beyond(most(0, along - length2), most(0, end - length2), radius2 * length2);
}

float lwi_lane_metres(const lwi_lane *lane, lw_vec3 from, lw_vec3 to) {
  if (is_past(lane, from, to)) return 0;
  lane_piece piece = seen_from(lane, from, to);
  double radius = (double)lane->radius;
  span beside = clip((span){0, 1}, piece.aside, piece.step_aside, -radius, radius);
  if (!(beside.t0 < beside.t1)) return 0;
  span inside = clip(beside, piece.along, piece.step_along, 0, piece.length);
  inside = join(inside, in_disc(piece.along, piece.aside, piece.step_along, piece.step_aside, radius));
  inside = join(inside,
                in_disc(piece.along - piece.length, piece.aside, piece.step_along, piece.step_aside, radius));
  if (!(inside.t0 < inside.t1)) return 0;
  /* Where it passes the lane's ends. */
  double first = inside.t0, second = inside.t0;
  if (piece.step_along != 0) {
    double begin = -piece.along / piece.step_along, end = (piece.length - piece.along) / piece.step_along;
    first = least(inside.t1, most(inside.t0, least(begin, end)));
    second = least(inside.t1, most(inside.t0, most(begin, end)));
  }
  double part = at_height(&piece, inside.t0, first) + at_height(&piece, first, second) +
                at_height(&piece, second, inside.t1);
  return (float)(part * (double)lwi_distance(from, to));
}
