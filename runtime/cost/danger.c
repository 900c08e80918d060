#include "cost/danger.h"

#include "core/status.h"

lw_danger_def lw_danger_def_default(void) {
  return (lw_danger_def){.radius = 3, .height = 2, .value = 1, .half_life = INFINITY, .cookie = LWI_COOKIE};
}

static lw_status check_number(const char *field, float value, float low, float high, lw_error *error) {
  if (value >= low && value <= high && isfinite(value)) return LW_OK;
  return lwi_fail(error, LW_INVALID, "%s is %g: expected a number of at least %g and at most %g", field,
                  (double)value, (double)low, (double)high);
}

lw_status lwi_danger_check(const lw_danger_def *def, lw_error *error) {
  lw_status status = lwi_check_cookie(def->cookie, "lw_danger_def", error);
  if (status == LW_OK) status = lwi_check_place("at", def->at, error);
  if (status != LW_OK) return status;
  status = check_number("value", def->value, LW_DANGER_LEAST, LW_DANGER_VALUE_MAX, error);
  if (status != LW_OK) return status;
  if (!(def->radius > 0 && def->radius <= LW_PROFILE_SIZE_MAX))
    return lwi_fail(error, LW_INVALID, "radius is %g: expected a number above 0 and at most %d",
                    (double)def->radius, LW_PROFILE_SIZE_MAX);
  if (!(def->height > 0)) /* infinity is every floor */
    return lwi_fail(error, LW_INVALID, "height is %g: expected a number above 0", (double)def->height);
  if (!(def->half_life > 0)) /* infinity stays */
    return lwi_fail(error, LW_INVALID, "half_life is %g: expected a number above 0", (double)def->half_life);
  return LW_OK;
}

float lwi_danger_left(const lw_danger_def *def, double seconds) {
  if (def->half_life == INFINITY || seconds <= 0) return def->value;
  float left = def->value * (float)exp2(-seconds / (double)def->half_life);
  return left < LW_DANGER_LEAST ? 0 : left;
}

/* Where from + t * step is between low and high, of what was between before. */
static void clip(double from, double step, double low, double high, double *t0, double *t1) {
  if (step == 0) {
    if (!(from > low && from < high)) *t1 = *t0;
    return;
  }
  double a = (low - from) / step, b = (high - from) / step;
  *t0 = fmax(*t0, fmin(a, b));
  *t1 = fmin(*t1, fmax(a, b));
}

bool lwi_disc_enters(const lwi_disc *disc, lw_vec3 from, lw_vec3 to) {
  double fx = (double)from.x - disc->at.x, fz = (double)from.z - disc->at.z;
  double dx = (double)to.x - from.x, dz = (double)to.z - from.z, r2 = (double)disc->radius * disc->radius;
  double away = fx * fx + fz * fz - r2, along = fx * dx + fz * dz;
  if (away >= 0 && along >= 0) return false; /* outside, and further away with each step */
  if (lwi_disc_holds(disc, from)) return false;
  if (lwi_disc_holds(disc, to)) return true;
  double length2 = dx * dx + dz * dz, root2 = along * along - length2 * away, t0 = 0, t1 = 1;
  if (length2 > 0) {
    if (root2 <= 0) return false;
    double root = sqrt(root2);
    t0 = fmax(t0, (-along - root) / length2);
    t1 = fmin(t1, (-along + root) / length2);
  }
  clip((double)from.y - disc->at.y, (double)to.y - from.y, -(double)disc->height, (double)disc->height, &t0,
       &t1);
  return t0 < t1;
}
