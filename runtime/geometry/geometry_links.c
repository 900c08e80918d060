/* Off-mesh links as they are asked for. */
#include "core/status.h"
#include "core/vec3.h"
#include "geometry/geometry.h"

const char *lw_link_kind_name(lw_link_kind kind) {
  static const char *const names[LW_LINK_KIND_COUNT] = {"jump",     "drop", "ladder",
                                                        "teleport", "door", "waypoint"};
  return (unsigned)kind < LW_LINK_KIND_COUNT ? names[kind] : "none";
}

lw_link_def lw_link_def_default(void) {
  return (lw_link_def){.radius = 1, .length = -1, .cookie = LWI_COOKIE};
}

static lw_status check_end(const char *name, const char *end, lw_vec3 p, lw_error *error) {
  if (fabsf(p.x) <= LWI_COORDINATE_MAX && fabsf(p.y) <= LWI_COORDINATE_MAX && fabsf(p.z) <= LWI_COORDINATE_MAX)
    return LW_OK; /* NaN is not */
  return lwi_fail(error, LW_INVALID, "%s: %s must be finite and within %g m of the origin, got (%g, %g, %g)",
                  name, end, (double)LWI_COORDINATE_MAX, (double)p.x, (double)p.y, (double)p.z);
}

lw_status lwi_link_check(const lw_link_def *def, const lw_area_table *areas, const char *name,
                         lw_error *error) {
  lw_status status = lwi_check_cookie(def->cookie, "lw_link_def", error);
  if (status) return status;
  if ((unsigned)def->kind >= LW_LINK_KIND_COUNT)
    return lwi_fail(error, LW_INVALID, "%s: there is no kind %d", name, (int)def->kind);
  if ((status = check_end(name, "from", def->from, error))) return status;
  if ((status = check_end(name, "to", def->to, error))) return status;
  if (!(def->radius > 0 && def->radius <= LWI_COORDINATE_MAX))
    return lwi_fail(error, LW_INVALID, "%s: radius must be a number > 0 and <= %g m, got %g", name,
                    (double)LWI_COORDINATE_MAX, (double)def->radius);
  if (!(def->length == -1 || (def->length >= 0 && def->length <= LWI_COORDINATE_MAX)))
    return lwi_fail(error, LW_INVALID, "%s: length must be -1 (the straight distance) or 0 to %g m, got %g",
                    name, (double)LWI_COORDINATE_MAX, (double)def->length);
  if (def->area != LW_AREA_NONE && !lw_area_table_get(areas, def->area))
    return lwi_fail(error, LW_INVALID, "%s: there is no area %d, the area table has 1..%d", name, def->area,
                    lw_area_table_count(areas));
  return LW_OK;
}
