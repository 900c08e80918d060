#include "mesh/obstacle_shape.h"

#include "core/status.h"

#include <string.h>

lw_obstacle_def lw_obstacle_def_default(void) {
  return (lw_obstacle_def){.size = {1, 1, 1},
                           .radius = 0.5f,
                           .height = 2,
                           .blocks = true,
                           .min_move = 1,
                           .max_speed = 5.56f,
                           .cookie = LWI_COOKIE};
}

/* --- points ----------------------------------------------------------------------------------------------- */

bool lwi_obstacle_own_points(lwi_memory *memory, lw_obstacle_def *def) {
  const lw_vec3 *borrowed = def->points;
  const int count = def->shape == LW_OBSTACLE_POLYGON ? def->point_count : 0;
  def->points = NULL;
  def->point_count = 0;
  if (count == 0) return true;
  lw_vec3 *points = lwi_alloc(memory, (size_t)count * sizeof *points);
  if (!points) return false;
  memcpy(points, borrowed, (size_t)count * sizeof *points);
  def->points = points;
  def->point_count = count;
  return true;
}

void lwi_obstacle_free_points(lwi_memory *memory, const lw_obstacle_def *def) {
  lwi_free(memory, (lw_vec3 *)def->points, (size_t)def->point_count * sizeof *def->points);
}

/* --- checking --------------------------------------------------------------------------------------------- */

static lw_status check_size(const char *field, float value, lw_error *error) {
  if (value > 0 && value <= LW_OBSTACLE_SIZE_MAX) return LW_OK;
  return lwi_fail(error, LW_INVALID, "%s is %g, expected a number above 0 and at most %g", field, (double)value,
                  (double)LW_OBSTACLE_SIZE_MAX);
}

static lw_status check_box(const lw_obstacle_def *def, lw_error *error) {
  lw_status status = check_size("size.x", def->size.x, error);
  if (status == LW_OK) status = check_size("size.y", def->size.y, error);
  return status == LW_OK ? check_size("size.z", def->size.z, error) : status;
}

static lw_status check_points(const lw_obstacle_def *def, lw_error *error) {
  lwi_point2 corners[LWI_OUTLINE_CORNERS];
  lwi_footprint footprint;
  if (!def->points || def->point_count < 3 || def->point_count > LW_OBSTACLE_POINTS_MAX)
    return lwi_fail(error, LW_INVALID, "point_count is %d, expected 3 to %d, and that many points",
                    def->point_count, LW_OBSTACLE_POINTS_MAX);
  for (int i = 0; i < def->point_count; i++) {
    const lw_vec3 p = def->points[i];
    if (!(fabsf(p.x) <= LW_OBSTACLE_SIZE_MAX && fabsf(p.y) <= 1e6f && fabsf(p.z) <= LW_OBSTACLE_SIZE_MAX))
      return lwi_fail(error, LW_INVALID, "point %d is (%g, %g, %g), expected finite numbers, x and z up to %g",
                      i + 1, (double)p.x, (double)p.y, (double)p.z, (double)LW_OBSTACLE_SIZE_MAX);
    corners[i] = lwi_point2_of(p);
  }
  if (lwi_footprint_of_outline(&footprint, corners, def->point_count, 0)) return LW_OK;
  return lwi_fail(error, LW_INVALID, "points: the outline is not convex or has no area, expected a convex one");
}

static lw_status check_shape(const lw_obstacle_def *def, lw_error *error) {
  if ((unsigned)def->shape >= LW_OBSTACLE_SHAPE_COUNT)
    return lwi_fail(error, LW_INVALID, "shape is %d, expected 0 to %d", (int)def->shape,
                    LW_OBSTACLE_SHAPE_COUNT - 1);
  if (def->shape == LW_OBSTACLE_BOX) return check_box(def, error);
  lw_status status = check_size("height", def->height, error);
  if (status != LW_OK) return status;
  return def->shape == LW_OBSTACLE_CYLINDER ? check_size("radius", def->radius, error)
                                            : check_points(def, error);
}

lw_status lwi_obstacle_check(const lw_obstacle_def *def, lw_error *error) {
  lw_status status = lwi_check_cookie(def->cookie, "lw_obstacle_def", error);
  if (status == LW_OK) status = lwi_check_place("at", def->at, error);
  if (status == LW_OK) status = check_shape(def, error);
  if (status != LW_OK) return status;
  if (!lwi_pose_is_good((lwi_pose){def->at, 0}))
    return lwi_fail(error, LW_INVALID, "at is (%g, %g, %g), expected numbers from %g to %g", (double)def->at.x,
                    (double)def->at.y, (double)def->at.z, (double)-LW_COORDINATE_MAX,
                    (double)LW_COORDINATE_MAX);
  if (!lwi_pose_is_good((lwi_pose){def->at, def->yaw}))
    return lwi_fail(error, LW_INVALID, "yaw is %g, expected a number from %g to %g", (double)def->yaw,
                    (double)-LW_OBSTACLE_YAW_MAX, (double)LW_OBSTACLE_YAW_MAX);
  if (!(def->min_move >= 0 && isfinite(def->min_move)))
    return lwi_fail(error, LW_INVALID, "min_move is %g, expected a number of at least 0",
                    (double)def->min_move);
  if (!(def->max_speed >= 0))
    return lwi_fail(error, LW_INVALID, "max_speed is %g, expected a number of at least 0",
                    (double)def->max_speed);
  if (!(def->cost >= 0 && def->cost <= LW_OBSTACLE_COST_MAX))
    return lwi_fail(error, LW_INVALID, "cost is %g, expected a number from 0 to %g", (double)def->cost,
                    (double)LW_OBSTACLE_COST_MAX);
  if ((unsigned)def->cover >= LW_COVER_KIND_COUNT)
    return lwi_fail(error, LW_INVALID, "cover is %d, expected 0 to %d", (int)def->cover,
                    LW_COVER_KIND_COUNT - 1);
  if (def->blocks && def->area != LW_AREA_NONE)
    return lwi_fail(error, LW_INVALID, "area is given, expected none for an obstacle that blocks");
  if (def->blocks && def->cost > 0)
    return lwi_fail(error, LW_INVALID, "cost is %g, expected 0 for an obstacle that blocks", (double)def->cost);
  return LW_OK;
}

lw_cover_kind lwi_obstacle_cover(const lw_obstacle_def *def) {
  if (def->cover != LW_COVER_DEFAULT) return def->cover;
  return def->blocks ? LW_COVER_HARD : LW_COVER_NONE;
}

/* --- footprints ------------------------------------------------------------------------------------------- */

/* Of a polygon, by its pose. @param[out] low  Its bottom. */
static void place_points(const lw_obstacle_def *def, lwi_pose pose, lwi_point2 *corners, float *low) {
  *low = INFINITY;
  for (int i = 0; i < def->point_count; i++) {
    const lw_vec3 corner = lwi_add(pose.at, lwi_turned(def->points[i], pose.yaw));
    corners[i] = lwi_point2_of(corner);
    *low = fminf(*low, corner.y);
  }
}

lwi_footprint lwi_obstacle_footprint(const lw_obstacle_def *def, lwi_pose pose, double grow) {
  lwi_footprint footprint = {.count = 0};
  lwi_point2 corners[LWI_OUTLINE_CORNERS];
  switch (def->shape) {
  case LW_OBSTACLE_CYLINDER:
    footprint = lwi_footprint_of_cylinder(pose.at, def->radius, def->height, grow);
    break;
  case LW_OBSTACLE_POLYGON:
    place_points(def, pose, corners, &footprint.low);
    /* Turned and moved, a narrow outline may be convex no longer. */
    if (!lwi_footprint_of_outline(&footprint, corners, def->point_count, grow)) footprint.count = 0;
    footprint.high = footprint.low + def->height;
    break;
  default: footprint = lwi_footprint_of_box(pose.at, def->size, pose.yaw, grow);
  }
  footprint.mark =
      def->blocks ? (lwi_cut_mark){.area = LW_AREA_NONE} : (lwi_cut_mark){.area = def->area, .cost = def->cost};
  return footprint;
}

float lwi_obstacle_reach(const lw_obstacle_def *def) {
  if (def->shape == LW_OBSTACLE_BOX) return hypotf(def->size.x, def->size.z) / 2;
  float reach = def->shape == LW_OBSTACLE_CYLINDER ? def->radius * 1.1f : 0;
  for (int i = 0; i < def->point_count; i++) reach = fmaxf(reach, hypotf(def->points[i].x, def->points[i].z));
  return reach;
}
