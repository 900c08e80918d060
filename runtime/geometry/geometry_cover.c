/* Cover that designers take away or add. */
#include "core/status.h"
#include "core/vec3.h"
#include "geometry/geometry.h"

#define HEIGHT_DEFAULT 1.0f

lw_cover_def lw_cover_def_default(void) {
  return (lw_cover_def){
      .height = HEIGHT_DEFAULT, .side = LW_COVER_BOTH_SIDES, .kind = LW_COVER_HARD, .cookie = LWI_COOKIE};
}

static lw_status check_end(const char *end, lw_vec3 p, lw_error *error) {
  if (fabsf(p.x) <= LWI_COORDINATE_MAX && fabsf(p.y) <= LWI_COORDINATE_MAX && fabsf(p.z) <= LWI_COORDINATE_MAX)
    return LW_OK; /* NaN is not */
  return lwi_fail(error, LW_INVALID, "cover: %s must be finite and within %g m of the origin, got (%g, %g, %g)",
                  end, (double)LWI_COORDINATE_MAX, (double)p.x, (double)p.y, (double)p.z);
}

lw_status lwi_cover_check(const lw_cover_def *def, lw_error *error) {
  lw_status status = lwi_check_cookie(def->cookie, "lw_cover_def", error);
  if (status) return status;
  if ((status = check_end("from", def->from, error))) return status;
  if ((status = check_end("to", def->to, error))) return status;
  if (!(lwi_distance_xz(def->from, def->to) >= LW_COVER_LENGTH_LEAST))
    return lwi_fail(error, LW_INVALID, "cover: from and to must be at least %g m apart in xz, got %g",
                    (double)LW_COVER_LENGTH_LEAST, (double)lwi_distance_xz(def->from, def->to));
  if (!(def->bottom >= 0 && def->bottom <= LWI_COORDINATE_MAX))
    return lwi_fail(error, LW_INVALID, "cover: bottom must be a number from 0 to %g m, got %g",
                    (double)LWI_COORDINATE_MAX, (double)def->bottom);
  if (!(def->height > def->bottom && def->height <= LWI_COORDINATE_MAX))
    return lwi_fail(error, LW_INVALID, "cover: height must be a number above bottom %g and up to %g m, got %g",
                    (double)def->bottom, (double)LWI_COORDINATE_MAX, (double)def->height);
  if ((unsigned)def->side > LW_COVER_BOTH_SIDES)
    return lwi_fail(error, LW_INVALID, "cover: there is no side %d", (int)def->side);
  if (def->kind == LW_COVER_HARD || def->kind == LW_COVER_SOFT) return LW_OK;
  return lwi_fail(error, LW_INVALID, "cover: kind must be hard or soft, got %s (%d)",
                  lw_cover_kind_name(def->kind), (int)def->kind);
}
