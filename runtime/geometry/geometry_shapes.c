/* Boxes and ramps: hexahedra and wedges as meshes. */
#include "leeward/geometry.h"

#include "core/status.h"
#include "core/vec3.h"

static lw_status check_point(const char *shape, const char *field, lw_vec3 p, lw_error *error) {
  if (lwi_finite(p)) return LW_OK;
  return lwi_fail(error, LW_INVALID, "%s: %s is not finite: (%g, %g, %g)", shape, field, (double)p.x,
                  (double)p.y, (double)p.z);
}

static lw_status check_length(const char *shape, const char *field, float length, bool zero, lw_error *error) {
  if (isfinite(length) && (length > 0 || (zero && length == 0))) return LW_OK;
  return lwi_fail(error, LW_INVALID, "%s: %s must be a finite number %s 0, got %g", shape, field,
                  zero ? ">=" : ">", (double)length);
}

/* Corners 0..3 are the lower face, 4..7 the upper one above them, both counter-clockwise seen from above. */
static lw_status add_hexahedron(lw_geometry *geometry, const lw_vec3 corners[8], lw_area_id area,
                                lw_cover_kind cover, lw_error *error) {
  static const int indices[] = {4, 5, 6, 4, 6, 7, 0, 2, 1, 0, 3, 2, 0, 1, 5, 0, 5, 4,
                                1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7};
  lw_geometry_mesh mesh = {.vertices = corners,
                           .vertex_count = 8,
                           .indices = indices,
                           .triangle_count = 12,
                           .area = area,
                           .cover = cover};
  return lw_geometry_add_mesh(geometry, &mesh, error);
}

lw_status lw_geometry_add_box(lw_geometry *geometry, const lw_geometry_box *box, lw_error *error) {
  if (!geometry || !box) return lwi_fail(error, LW_INVALID, "box: geometry and box must not be NULL");
  lw_status status = check_point("box", "at", box->at, error);
  if (status) return status;
  if ((status = check_length("box", "size.x", box->size.x, false, error))) return status;
  if ((status = check_length("box", "size.y", box->size.y, false, error))) return status;
  if ((status = check_length("box", "size.z", box->size.z, false, error))) return status;
  if (!isfinite(box->yaw)) return lwi_fail(error, LW_INVALID, "box: yaw is not finite: %g", (double)box->yaw);

  static const float sign_x[4] = {-1, 1, 1, -1}, sign_z[4] = {1, 1, -1, -1};
  float cosine = cosf(box->yaw), sine = sinf(box->yaw);
  lw_vec3 corners[8];
  for (int i = 0; i < 4; ++i) {
    float x = sign_x[i] * box->size.x / 2, z = sign_z[i] * box->size.z / 2;
    corners[i] = lwi_add(box->at, lwi_vec3(x * cosine + z * sine, 0, z * cosine - x * sine));
    corners[i + 4] = lwi_add(corners[i], lwi_vec3(0, box->size.y, 0));
  }
  return add_hexahedron(geometry, corners, box->area, box->cover, error);
}

/* Thickness 0: the lower edge is shared by both faces, so six corners and no face there. */
static lw_status add_wedge(lw_geometry *geometry, lw_vec3 low_left, lw_vec3 low_right, lw_vec3 high_right,
                           lw_vec3 high_left, lw_area_id area, lw_cover_kind cover, lw_error *error) {
  static const int indices[] = {0, 1, 2, 0, 2, 3, 0, 5, 4, 0, 4, 1, 1, 4, 2, 0, 3, 5, 3, 2, 4, 3, 4, 5};
  lw_vec3 corners[6] = {low_left, low_right, high_right, high_left, high_right, high_left};
  corners[4].y = corners[5].y = low_left.y;
  lw_geometry_mesh mesh = {.vertices = corners,
                           .vertex_count = 6,
                           .indices = indices,
                           .triangle_count = 8,
                           .area = area,
                           .cover = cover};
  return lw_geometry_add_mesh(geometry, &mesh, error);
}

lw_status lw_geometry_add_ramp(lw_geometry *geometry, const lw_geometry_ramp *ramp, lw_error *error) {
  if (!geometry || !ramp) return lwi_fail(error, LW_INVALID, "ramp: geometry and ramp must not be NULL");
  lw_status status = check_point("ramp", "from", ramp->from, error);
  if (status) return status;
  if ((status = check_point("ramp", "to", ramp->to, error))) return status;
  if ((status = check_length("ramp", "width", ramp->width, false, error))) return status;
  if ((status = check_length("ramp", "thickness", ramp->thickness, true, error))) return status;
  float run = lwi_distance_xz(ramp->from, ramp->to);
  if (!(run > 0))
    return lwi_fail(error, LW_INVALID, "ramp: from and to must differ in x or z, both are (%g, %g)",
                    (double)ramp->from.x, (double)ramp->from.z);

  /* Climbing from `low` to `high`, `side` points to the right hand. */
  bool up = ramp->to.y >= ramp->from.y;
  lw_vec3 low = up ? ramp->from : ramp->to, high = up ? ramp->to : ramp->from;
  lw_vec3 side = lwi_scale(lwi_vec3(-(high.z - low.z), 0, high.x - low.x), ramp->width / 2 / run);
  lw_vec3 low_left = lwi_sub(low, side), low_right = lwi_add(low, side);
  lw_vec3 high_left = lwi_sub(high, side), high_right = lwi_add(high, side);
  if (ramp->thickness == 0 && high.y > low.y)
    return add_wedge(geometry, low_left, low_right, high_right, high_left, ramp->area, ramp->cover, error);
  if (ramp->thickness == 0) /* level: there is no room for a wedge, only the face */
  {
    static const int indices[] = {0, 1, 2, 0, 2, 3};
    lw_vec3 corners[4] = {low_left, low_right, high_right, high_left};
    lw_geometry_mesh mesh = {.vertices = corners,
                             .vertex_count = 4,
                             .indices = indices,
                             .triangle_count = 2,
                             .area = ramp->area,
                             .cover = ramp->cover};
    return lw_geometry_add_mesh(geometry, &mesh, error);
  }
  lw_vec3 down = lwi_vec3(0, -ramp->thickness, 0);
  lw_vec3 corners[8] = {lwi_add(low_left, down),
                        lwi_add(low_right, down),
                        lwi_add(high_right, down),
                        lwi_add(high_left, down),
                        low_left,
                        low_right,
                        high_right,
                        high_left};
  return add_hexahedron(geometry, corners, ramp->area, ramp->cover, error);
}
