#include "bake/detail_rules.h"

#include "core/status.h"
#include "cover/segments.h"

#include <stddef.h>

/* Ground that a mark touches by no more than this is outside. [m] */
#define TOUCH 1e-3

static bool add(lwi_detail_rules *rules, const lwi_detail_rule *rule, lw_box box) {
  lwi_memory *memory = rules->memory;
  if (!lwi_reserve(memory, &rules->items, &rules->capacity, rules->count + 1, sizeof *rules->items))
    return false;
  const lwi_rectangle where = {box.min.x - rule->reach, box.min.z - rule->reach, box.max.x + rule->reach,
                               box.max.z + rule->reach};
  if (!lwi_rectangle_tree_add(&rules->tree, memory, (uint32_t)rules->count, where)) return false;
  rules->items[rules->count++] = *rule;
  return true;
}

/* How much of the bounds a mark covers at most, in xz. [m2] */
static double area_of(const lwi_mark *mark, const lw_vec3 *points, const lw_box *bounds) {
  const lw_box common = lwi_box_common(mark->bounds, *bounds);
  if (common.min.x >= common.max.x || common.min.z >= common.max.z) return 0;
  double area = 0;
  for (int i = 2; i < mark->point_count; i++) area += lwi_turn(points[0], points[i - 1], points[i]) / 2;
  return lwi_smaller(area, ((double)common.max.x - common.min.x) * ((double)common.max.z - common.min.z));
}

/* The smallest edge at which `area` gives few enough polygons, a little more. [m] */
static double smallest_edge(double area) {
  return ceil(sqrt(area / LW_BAKE_DETAIL_POLYGONS) * 1000 + 1) / 1000;
}

static lw_status check_mark(int number, double area, double max_edge, double *polygons, lw_error *error) {
  *polygons += area / (max_edge * max_edge);
  if (*polygons <= LW_BAKE_DETAIL_POLYGONS) return LW_OK;
  return lwi_fail(error, LW_LIMIT,
                  "mark for detail %d: max_edge is %g m, on %.6g m2 in the bounds: with those before it about "
                  "%.3g polygons, expected at most %d: raise max_edge, alone for this one to %g m",
                  number, max_edge, area, *polygons, LW_BAKE_DETAIL_POLYGONS, smallest_edge(area));
}

lw_status lwi_detail_rules_add_marks(lwi_detail_rules *rules, const lw_geometry *geometry, const lw_box *bounds,
                                     lw_error *error) {
  const lwi_marks *marks = lwi_geometry_details(geometry);
  double polygons = 0;
  for (int i = 0; i < marks->count; i++) {
    const lwi_mark *mark = &marks->items[i];
    const lwi_detail_rule rule = {.points = marks->points + mark->first_point,
                                  .count = mark->point_count,
                                  .bottom = mark->bottom,
                                  .top = mark->top,
                                  .max_edge = mark->max_edge};
    const double area = area_of(mark, rule.points, bounds);
    lw_status status = check_mark(i + 1, area, (double)mark->max_edge, &polygons, error);
    if (status != LW_OK) return status;
    if (!add(rules, &rule, mark->bounds)) return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  }
  return LW_OK;
}

/* The ground near a segment, seen from above. [m2] */
static double area_near(const lwi_cover_segment *segment, double near_by) {
  return 2 * near_by * (double)lwi_distance_xz(segment->a, segment->b) + 3.15 * near_by * near_by;
}

static lw_status check_cover(const lw_navmesh *navmesh, const lw_bake_cover *settings, lw_error *error) {
  const lwi_cover *cover = lwi_cover_of(navmesh);
  const double edge = (double)settings->detail_edge;
  double area = 0;
  for (uint32_t i = 0; i < cover->segment_count; i++)
    area += area_near(&cover->segments[i], (double)settings->detail_near);
  area = lwi_smaller(area, navmesh->area);
  if (area / (edge * edge) <= LW_BAKE_DETAIL_POLYGONS) return LW_OK;
  return lwi_fail(
      error, LW_LIMIT,
      "detail near cover: edges of %g m on up to %.6g m2 within %g m of cover are about %.3g polygons, "
      "expected at most %d: raise detail_edge to %g m, or lower the distance",
      edge, area, (double)settings->detail_near, area / (edge * edge), LW_BAKE_DETAIL_POLYGONS,
      smallest_edge(area));
}

lw_status lwi_detail_rules_add_cover(lwi_detail_rules *rules, const lw_navmesh *navmesh,
                                     const lw_bake_cover *settings, lw_error *error) {
  const lwi_cover *cover = lwi_cover_of(navmesh);
  const float near_by = settings->detail_near;
  _Static_assert(offsetof(lwi_cover_segment, b) == offsetof(lwi_cover_segment, a) + sizeof(lw_vec3),
                 "the ends of a segment stand together");
  lw_status status = check_cover(navmesh, settings, error);
  for (uint32_t i = 0; i < cover->segment_count && status == LW_OK; i++) {
    const lwi_cover_segment *segment = &cover->segments[i];
    const lwi_detail_rule rule = {.points = &segment->a,
                                  .count = 2,
                                  .reach = near_by,
                                  .bottom = lwi_min(segment->a.y, segment->b.y) - near_by,
                                  .top = lwi_max(segment->a.y, segment->b.y) + near_by,
                                  .max_edge = settings->detail_edge};
    if (!add(rules, &rule, lwi_box_add(lwi_box_add(lwi_box_empty(), segment->a), segment->b)))
      status = lwi_fail_status(error, LW_OUT_OF_MEMORY);
  }
  return status;
}

void lwi_detail_rules_free(lwi_detail_rules *rules) {
  lwi_rectangle_tree_free(&rules->tree, rules->memory);
  lwi_free(rules->memory, rules->items, (size_t)rules->capacity * sizeof *rules->items);
  *rules = (lwi_detail_rules){.memory = rules->memory};
}

/* --- asking ----------------------------------------------------------------------------------------------- */

/* Do all points lie outside of one edge of the polygon, or within TOUCH of it? */
static bool is_parted_by(const lw_vec3 *polygon, int count, const lw_vec3 *points, int point_count) {
  for (int i = 0; i < count; i++) {
    const lw_vec3 a = polygon[i], b = polygon[i + 1 < count ? i + 1 : 0];
    const double length = hypot((double)b.x - a.x, (double)b.z - a.z);
    int outside = 0;
    while (outside < point_count && lwi_turn(a, b, points[outside]) <= TOUCH * length) outside++;
    if (outside == point_count) return true;
  }
  return false;
}

static bool overlaps(const lwi_detail_rule *rule, const lwi_detail_ground *ground) {
  return !is_parted_by(rule->points, rule->count, ground->corners, ground->count) &&
         !is_parted_by(ground->corners, ground->count, rule->points, rule->count);
}

static bool holds(const lwi_detail_ground *ground, lw_vec3 point) {
  for (int i = 0; i < ground->count; i++)
    if (lwi_turn(ground->corners[i], ground->corners[i + 1 < ground->count ? i + 1 : 0], point) < 0)
      return false;
  return true;
}

/* How far a point is from an edge, in xz, squared. [m2] */
static double distance2_to(lw_vec3 at, lw_vec3 a, lw_vec3 b) {
  const double x = (double)b.x - a.x, z = (double)b.z - a.z, length2 = x * x + z * z;
  const double px = (double)at.x - a.x, pz = (double)at.z - a.z;
  const double t = length2 > 0 ? lwi_smaller(1, lwi_larger(0, (px * x + pz * z) / length2)) : 0;
  return (px - t * x) * (px - t * x) + (pz - t * z) * (pz - t * z);
}

static bool cross(lw_vec3 a, lw_vec3 b, lw_vec3 c, lw_vec3 d) {
  return lwi_turn(a, b, c) * lwi_turn(a, b, d) < 0 && lwi_turn(c, d, a) * lwi_turn(c, d, b) < 0;
}

/* Is a part of the ground within reach of the line? */
static bool comes_near(const lwi_detail_rule *rule, const lwi_detail_ground *ground) {
  const lw_vec3 from = rule->points[0], to = rule->points[1];
  const double reach2 = (double)rule->reach * rule->reach;
  if (holds(ground, from) || holds(ground, to)) return true;
  for (int i = 0; i < ground->count; i++) {
    const lw_vec3 a = ground->corners[i], b = ground->corners[i + 1 < ground->count ? i + 1 : 0];
    if (cross(a, b, from, to) || distance2_to(a, from, to) < reach2 || distance2_to(from, a, b) < reach2 ||
        distance2_to(to, a, b) < reach2)
      return true;
  }
  return false;
}

float lwi_detail_rules_ask(const lwi_detail_rules *rules, const lwi_detail_ground *ground) {
  float max_edge = INFINITY;
  if (rules->count == 0) return max_edge;
  lw_box box = lwi_box_empty();
  for (int i = 0; i < ground->count; i++) box = lwi_box_add(box, ground->corners[i]);
  lwi_rectangle_walk walk =
      lwi_rectangle_walk_box(&rules->tree, (lwi_rectangle){box.min.x, box.min.z, box.max.x, box.max.z});
  for (uint32_t item; (item = lwi_rectangle_walk_next(&walk)) != UINT32_MAX;) {
    const lwi_detail_rule *rule = &rules->items[item];
    if (rule->max_edge >= max_edge || ground->low > rule->top || ground->high < rule->bottom) continue;
    if (rule->count == 2 ? comes_near(rule, ground) : overlaps(rule, ground)) max_edge = rule->max_edge;
  }
  return max_edge;
}
