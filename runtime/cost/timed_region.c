#include "cost/timed_region.h"

#include "core/status.h"

/* --- definitions ------------------------------------------------------------------------------------------ */

lw_danger_def lw_danger_def_default(void) {
  return (lw_danger_def){.radius = 3, .height = 2, .value = 1, .half_life = INFINITY, .cookie = LWI_COOKIE};
}

lw_fire_lane_def lw_fire_lane_def_default(void) {
  return (lw_fire_lane_def){.radius = 1, .seconds = INFINITY, .weight = 1, .cookie = LWI_COOKIE};
}

static lw_status check_radius(float radius, lw_error *error) {
  if (radius > 0 && radius <= LW_PROFILE_SIZE_MAX) return LW_OK;
  return lwi_fail(error, LW_INVALID, "radius is %g, expected a number above 0 and at most %d", (double)radius,
                  LW_PROFILE_SIZE_MAX);
}

/* Infinity is allowed. */
static lw_status check_positive(const char *field, float value, lw_error *error) {
  if (value > 0) return LW_OK;
  return lwi_fail(error, LW_INVALID, "%s is %g, expected a number above 0", field, (double)value);
}

lw_status lwi_danger_check(const lw_danger_def *def, lw_error *error) {
  lw_status status = lwi_check_cookie(def->cookie, "lw_danger_def", error);
  if (status == LW_OK) status = lwi_check_place("at", def->at, error);
  if (status != LW_OK) return status;
  if (!(def->value >= LW_DANGER_MIN && def->value <= LW_DANGER_VALUE_MAX))
    return lwi_fail(error, LW_INVALID, "value is %g, expected a number of at least %g and at most %g",
                    (double)def->value, (double)LW_DANGER_MIN, (double)LW_DANGER_VALUE_MAX);
  status = check_radius(def->radius, error);
  if (status == LW_OK) status = check_positive("height", def->height, error);
  return status == LW_OK ? check_positive("half_life", def->half_life, error) : status;
}

lw_status lwi_fire_lane_check(const lw_fire_lane_def *def, lw_error *error) {
  lw_status status = lwi_check_cookie(def->cookie, "lw_fire_lane_def", error);
  if (status == LW_OK) status = lwi_check_place("from", def->from, error);
  if (status == LW_OK) status = lwi_check_place("to", def->to, error);
  if (status == LW_OK) status = check_radius(def->radius, error);
  if (status == LW_OK) status = check_positive("seconds", def->seconds, error);
  if (status != LW_OK) return status;
  if (!(def->weight > 0 && def->weight <= LW_FIRE_LANE_WEIGHT_MAX))
    return lwi_fail(error, LW_INVALID, "weight is %g, expected a number above 0 and at most %g",
                    (double)def->weight, (double)LW_FIRE_LANE_WEIGHT_MAX);
  return LW_OK;
}

/* --- places ----------------------------------------------------------------------------------------------- */

lwi_rectangle lwi_timed_rectangle(const lwi_timed_shape *region) {
  const lw_vec3 a = region->from, b = region->to;
  const lwi_rectangle box = {fminf(a.x, b.x), fminf(a.z, b.z), fmaxf(a.x, b.x), fmaxf(a.z, b.z)};
  const float far = fmaxf(fmaxf(-box.min_x, box.max_x), fmaxf(-box.min_z, box.max_z));
  const float reach =
      region->radius * (1 + LWI_RECTANGLE_MARGIN_PART) + LWI_RECTANGLE_MARGIN + LWI_RECTANGLE_MARGIN_PART * far;
  return (lwi_rectangle){box.min_x - reach, box.min_z - reach, box.max_x + reach, box.max_z + reach};
}

/* --- time ------------------------------------------------------------------------------------------------- */

static float danger_left(float value, float half_life, double elapsed) {
  if (half_life == INFINITY || elapsed <= 0) return value;
  float left = value * (float)exp2(-elapsed / (double)half_life);
  return left < LW_DANGER_MIN ? 0 : left;
}

float lwi_timed_left(lwi_timed_kind kind, float strength, float seconds, double elapsed) {
  if (kind == LWI_DANGER) return danger_left(strength, seconds, elapsed);
  return elapsed < (double)seconds ? strength : 0;
}

/* By comparison: fmin is a call. */
static double smaller(double a, double b) {
  return a < b ? a : b;
}
static double larger(double a, double b) {
  return a > b ? a : b;
}

/* --- discs ------------------------------------------------------------------------------------------------ */

/* Narrow t0..t1 to where from + t * step lies between low and high. */
static void narrow(double from, double step, double low, double high, double *t0, double *t1) {
  if (step == 0) {
    if (!(from > low && from < high)) *t1 = *t0;
    return;
  }
  double a = (low - from) / step, b = (high - from) / step;
  *t0 = larger(*t0, smaller(a, b));
  *t1 = smaller(*t1, larger(a, b));
}

bool lwi_disc_enters(const lwi_timed_shape *disc, lw_vec3 from, lw_vec3 to) {
  lw_vec3 at = disc->from;
  double fx = (double)from.x - at.x, fz = (double)from.z - at.z;
  double dx = (double)to.x - from.x, dz = (double)to.z - from.z, r2 = (double)disc->radius * disc->radius;
  double away = fx * fx + fz * fz - r2, along = fx * dx + fz * dz;
  if (away >= 0 && along >= 0) return false; /* it begins outside and leads away */
  if (lwi_disc_holds(disc, from)) return false;
  if (lwi_disc_holds(disc, to)) return true;
  double length2 = dx * dx + dz * dz, root2 = along * along - length2 * away, t0 = 0, t1 = 1;
  if (length2 > 0) {
    if (root2 <= 0) return false;
    double root = sqrt(root2);
    t0 = larger(t0, (-along - root) / length2);
    t1 = smaller(t1, (-along + root) / length2);
  }
  double y = (double)from.y - at.y, height = (double)disc->height;
  if (fabs(y) < height && fabs((double)to.y - at.y) < height) return t0 < t1; /* all of it at that height */
  narrow(y, (double)to.y - from.y, -height, height, &t0, &t1);
  return t0 < t1;
}

/* --- lanes ---------------------------------------------------------------------------------------------------

   From above a lane is a stadium: a rectangle with a half disc at each end. It is convex, so a straight piece
   lies in it over one interval of its parameter. There the lane's height above the feet is linear in up to
   three parts: beside the lane's beginning, beside the lane itself, and beside its end. */

typedef struct span {
  double t0, t1; /* empty where t0 >= t1 */
} span;

/* The part of a span in which a + t * b lies between low and high. */
static span clip(span of, double a, double b, double low, double high) {
  if (b == 0) return a >= low && a <= high ? of : (span){1, 0};
  double t0 = (low - a) / b, t1 = (high - a) / b;
  return (span){larger(of.t0, smaller(t0, t1)), smaller(of.t1, larger(t0, t1))};
}

/* The part of a piece that lies in a disc. @param x, z  The beginning of the piece, from the center of the
   disc. */
static span in_disc(double x, double z, double dx, double dz, double radius) {
  double a = dx * dx + dz * dz, b = x * dx + z * dz, c = x * x + z * z - radius * radius;
  if (a == 0) return c < 0 ? (span){0, 1} : (span){1, 0};
  double root2 = b * b - a * c;
  if (root2 <= 0) return (span){1, 0};
  double root = sqrt(root2);
  return (span){larger(0, (-b - root) / a), smaller(1, (-b + root) / a)};
}

static span join(span a, span b) {
  if (!(a.t0 < a.t1)) return b;
  if (!(b.t0 < b.t1)) return a;
  return (span){smaller(a.t0, b.t0), larger(a.t1, b.t1)};
}

/* A piece in the coordinates of the lane: metres along it from its beginning, and to the side of it. */
typedef struct lane_piece {
  const lwi_timed_shape *lane;
  double along, aside, step_along, step_aside; /* at t = 0, and from there to t = 1 */
  double y, step_y;
  double length; /* of the lane, in xz */
} lane_piece;

static lane_piece seen_from(const lwi_timed_shape *lane, lw_vec3 from, lw_vec3 to) {
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
  double along = smaller(piece->length, larger(0, piece->along + t * piece->step_along));
  double part = piece->length > 0 ? along / piece->length : 0;
  double y = (double)piece->lane->from.y + part * ((double)piece->lane->to.y - piece->lane->from.y);
  return y - (piece->y + t * piece->step_y);
}

/* How much of t0..t1, where the height is linear, passes the body of an agent. */
static double at_height(const lane_piece *piece, double t0, double t1) {
  if (!(t0 < t1)) return 0;
  double radius = (double)piece->lane->radius, a = height_at(piece, t0), b = height_at(piece, t1);
  span part = clip((span){0, 1}, a, b - a, -radius, (double)LW_FIRE_LANE_BODY + radius);
  return part.t0 < part.t1 ? (part.t1 - part.t0) * (t1 - t0) : 0;
}

/* Do both lie further from zero than the root of `reach2`, on the same side? */
static bool are_beyond(double a, double b, double reach2) {
  return a * b > 0 && a * a > reach2 && b * b > reach2;
}

/* Are lane and piece apart, seen from above? Then some line separates them: one along the lane, one along the
   piece, or one across the lane at either end. */
static bool are_apart(const lwi_timed_shape *lane, lw_vec3 from, lw_vec3 to) {
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
                   : are_beyond(larger(0, along - length2), larger(0, end - length2), radius2 * length2);
}

float lwi_lane_metres(const lwi_timed_shape *lane, lw_vec3 from, lw_vec3 to) {
  if (are_apart(lane, from, to)) return 0;
  lane_piece piece = seen_from(lane, from, to);
  double radius = (double)lane->radius;
  span beside = clip((span){0, 1}, piece.aside, piece.step_aside, -radius, radius);
  if (!(beside.t0 < beside.t1)) return 0;
  span inside = clip(beside, piece.along, piece.step_along, 0, piece.length);
  inside = join(inside, in_disc(piece.along, piece.aside, piece.step_along, piece.step_aside, radius));
  inside = join(inside,
                in_disc(piece.along - piece.length, piece.aside, piece.step_along, piece.step_aside, radius));
  if (!(inside.t0 < inside.t1)) return 0;
  /* The parameters at which the piece passes the lane's ends. */
  double first = inside.t0, second = inside.t0;
  if (piece.step_along != 0) {
    double begin = -piece.along / piece.step_along, end = (piece.length - piece.along) / piece.step_along;
    first = smaller(inside.t1, larger(inside.t0, smaller(begin, end)));
    second = smaller(inside.t1, larger(inside.t0, larger(begin, end)));
  }
  double part = at_height(&piece, inside.t0, first) + at_height(&piece, first, second) +
                at_height(&piece, second, inside.t1);
  return (float)(part * (double)lwi_distance(from, to));
}
