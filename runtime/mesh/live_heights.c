/* What footprints meet of a polygon's surface: where it is level, or wholly within their heights, that is known at once. */
#include "mesh/live_parts.h"

/* More headroom than this counts as any. [m] */
#define HEADROOM_MAX ((float)LWI_HEADROOM_OPEN / LWI_HEADROOM_STEPS)

static bool is_cut_out(const lwi_live_entry *footprint) {
  return !lwi_cut_is_marked(footprint->mark);
}

/* Marks count from as far below them as agents of the bake are high. [m] */
static float min_gap(const lwi_live *live, const lwi_live_entry *footprint) {
  const float height = live->base->agent.height;
  return is_cut_out(footprint) ? lwi_min(LWI_GAP_MIN, height) : height;
}

lwi_cut_heights lwi_live_heights(const lwi_live *live, const lwi_live_entry *footprint) {
  return (lwi_cut_heights){live->join.slopes.items, live->join.slopes.count,
                           (double)footprint->low - (double)min_gap(live, footprint), (double)footprint->high};
}

/* --- how much it meets ------------------------------------------------------------------------------------ */

/* A polygon's slopes beside a footprint, of which most are not looked at closely. */
typedef struct slope_view {
  uint32_t polygon;
  lwi_slopes slopes;
  lwi_cut_heights heights;
  const lwi_cut_shape *shape;
  uint8_t sides[LWI_SURFACE_VERTICES]; /* of vertices: vertex_side */
} slope_view;

/* Where a vertex lies beyond the bounds of the shape, and of the heights. */
enum vertex_side {
  BELOW_X = 1,
  ABOVE_X = 2,
  BELOW_Z = 4,
  ABOVE_Z = 8,
  BESIDE = 15,
  BELOW_Y = 16,
  ABOVE_Y = 32
};

static void take_sides(slope_view *view) {
  const double slack = lwi_cut_height_slack(&view->heights), low = view->heights.low - slack,
               high = view->heights.high + slack;
  const lwi_cut_shape *shape = view->shape;
  const uint32_t count = lwi_slopes_vertex_count(&view->slopes);
  for (uint32_t i = 0; i < count; i++) {
    const lw_vec3 at = lwi_slopes_vertex(&view->slopes, i);
    const double x = (double)at.x, y = (double)at.y, z = (double)at.z;
    view->sides[i] = (uint8_t)((x < shape->min_x ? BELOW_X : 0) | (x > shape->max_x ? ABOVE_X : 0) |
                               (z < shape->min_z ? BELOW_Z : 0) | (z > shape->max_z ? ABOVE_Z : 0) |
                               (y < low ? BELOW_Y : 0) | (y > high ? ABOVE_Y : 0));
  }
}

/* Does a slope reach into the shape's bounds? @param[out] is_within  All its heights are among those that count. */
static bool is_near(const slope_view *view, uint32_t i, bool *is_within) {
  uint32_t v[3];
  lwi_slopes_vertices(&view->slopes, i, v);
  const uint8_t a = view->sides[v[0]], b = view->sides[v[1]], c = view->sides[v[2]];
  *is_within = ((a | b | c) & (BELOW_Y | ABOVE_Y)) == 0;
  return (a & b & c & BESIDE) == 0;
}

/* Are all heights of a slope within the shape's bounds among those that count? @return false: perhaps not. */
static bool is_within_bounds(const slope_view *view, const lwi_incline *slope) {
  const lwi_cut_shape *shape = view->shape;
  const lwi_incline_range range = lwi_incline_over(slope, (lwi_point2){shape->min_x, shape->min_z},
                                                   (lwi_point2){shape->max_x, shape->max_z});
  const double slack = lwi_cut_height_slack(&view->heights);
  return range.low >= view->heights.low - slack && range.high <= view->heights.high + slack;
}

/* List slopes near the footprint: all of them, or those of which it is not certain that all heights count.
   @return false: no memory. */
static bool list_near(lwi_live *live, const slope_view *view, bool all) {
  lwi_slope_list *list = &live->join.slopes;
  live->join.slopes_near = NULL;
  list->count = 0;
  for (uint32_t i = 0; i < view->slopes.count; i++) {
    bool is_within;
    if (!is_near(view, i, &is_within) || (is_within && !all)) continue;
    if (!lwi_reserve(live->memory, &list->items, &list->capacity, list->count + 1, sizeof *list->items))
      return false;
    const lwi_slope slope = lwi_slopes_get(&view->slopes, i);
    lwi_cut_slope *next = &list->items[list->count];
    if (!lwi_cut_slope_of(&slope, next) || (!all && is_within_bounds(view, &next->incline))) continue;
    list->count += 1;
  }
  return true;
}

/* All of them, which may be listed already. @return false: no memory. */
static bool list_all(lwi_live *live, const slope_view *view) {
  if (!list_near(live, view, true)) return false;
  live->join.slopes_near = view->shape;
  live->join.slopes_of = view->polygon;
  return true;
}

static bool are_listed(const lwi_live *live, uint32_t polygon, const lwi_cut_shape *shape) {
  return live->join.slopes_near == shape && live->join.slopes_of == polygon;
}

bool lwi_live_take_slopes(lwi_live *live, uint32_t polygon, const lwi_cut_shape *shape) {
  slope_view view;
  if (are_listed(live, polygon, shape)) return true;
  view.polygon = polygon;
  view.slopes = lwi_slopes_of(live->base, polygon);
  view.heights = (lwi_cut_heights){.low = -INFINITY, .high = INFINITY};
  view.shape = shape;
  take_sides(&view);
  return list_all(live, &view);
}

/* Where slopes near the footprint have to be looked at one by one. @return false: no memory. */
static bool look_at_slopes(lwi_live *live, slope_view *view, lwi_cut_amount *amount) {
  take_sides(view);
  *amount = LWI_CUT_ALL;
  if (!list_near(live, view, false)) return false;
  if (live->join.slopes.count == 0) return true;
  *amount = LWI_CUT_NOTHING;
  if (!lwi_cut_common(&live->cut, live->outline.corners, live->outline.count, view->shape)) return false;
  const lwi_cut_list *common = &live->cut.rest;
  if (common->piece_count == 0) return true;
  const lwi_cut_corner *corners = common->corners + common->pieces[0].first;
  const int count = common->pieces[0].count;
  view->heights.slopes = live->join.slopes.items;
  view->heights.count = live->join.slopes.count;
  *amount = LWI_CUT_ALL;
  if (lwi_cut_none_leaves(corners, count, &view->heights)) return true;
  if (!list_all(live, view)) return false;
  view->heights.slopes = live->join.slopes.items;
  view->heights.count = live->join.slopes.count;
  *amount = lwi_cut_within(corners, count, &view->heights);
  return true;
}

/* Does a footprint leave more than min_gap() above a part of a surface, and less than is there without it? Within these
   heights of the whole surface it may. */
static bool may_hang(const lwi_live *live, const lwi_live_entry *footprint, uint32_t polygon, float low,
                     float high) {
  const float whole = lwi_headroom_of(live->base->polygons.headrooms[polygon]);
  return is_cut_out(footprint) && footprint->low - low > min_gap(live, footprint) &&
         footprint->low - high < lwi_min(whole, HEADROOM_MAX);
}

/* Of what is within the outline. @return false: no memory. */
static bool look_below(lwi_live *live, const lwi_live_entry *footprint, uint32_t polygon,
                       lwi_live_meeting *meeting) {
  lwi_live_gap *gap = &meeting->gap;
  bool is_there;
  if (!lwi_live_take_slopes(live, polygon, &footprint->shape) ||
      !lwi_live_gap_below(live, footprint, polygon, gap, &is_there))
    return false;
  meeting->hangs = is_there && may_hang(live, footprint, polygon, footprint->low - (float)gap->max,
                                        footprint->low - (float)gap->min);
  meeting->is_met |= meeting->hangs && gap->min < (double)live->base->agent.height;
  return true;
}

/* How much is cut out, or marked. @return false: no memory. */
static bool look_at(lwi_live *live, slope_view *view, const lwi_live_entry *footprint, float low, float high,
                    lwi_cut_amount *amount) {
  const float limit = min_gap(live, footprint);
  *amount = LWI_CUT_NOTHING;
  if (footprint->low > high + limit) return true;
  *amount = LWI_CUT_ALL;
  if (footprint->low <= low + limit && footprint->high >= high) return true;
  view->heights = lwi_live_heights(live, footprint);
  return look_at_slopes(live, view, amount);
}

bool lwi_live_meets(lwi_live *live, const lwi_live_entry *footprint, uint32_t polygon,
                    lwi_live_meeting *meeting) {
  slope_view view;
  float low, high;
  *meeting = (lwi_live_meeting){.amount = LWI_CUT_NOTHING};
  if (!lwi_live_take_outline(live, polygon)) return false;
  if (!lwi_cut_overlaps(live->outline.corners, live->outline.count, &footprint->shape)) return true;
  view.shape = &footprint->shape;
  view.polygon = polygon;
  view.slopes = lwi_slopes_of(live->base, polygon);
  lwi_slopes_heights(&view.slopes, &low, &high);
  if (footprint->high < low) return true;
  if (!look_at(live, &view, footprint, low, high, &meeting->amount)) return false;
  meeting->is_met = meeting->amount != LWI_CUT_NOTHING;
  if (meeting->amount == LWI_CUT_ALL || !may_hang(live, footprint, polygon, low, high)) return true;
  return look_below(live, footprint, polygon, meeting);
}

/* --- between two places ----------------------------------------------------------------------------------- */

/* The part of the line between two places that is above a slope. @return false: there is none. */
static bool clip_by_slope(const lwi_slope *slope, lwi_point2 from, lwi_point2 to, double *t0, double *t1) {
  *t0 = 0;
  *t1 = 1;
  for (int i = 0; i < 3; i++) {
    const lwi_point2 a = lwi_point2_of(slope->at[i]), b = lwi_point2_of(slope->at[i < 2 ? i + 1 : 0]);
    const double side_from = lwi_point2_turn(a, b, from), side_to = lwi_point2_turn(a, b, to);
    if (side_from < 0 && side_to < 0) return false;
    if (side_from < 0) *t0 = lwi_larger(*t0, side_from / (side_from - side_to));
    if (side_to < 0) *t1 = lwi_smaller(*t1, side_from / (side_from - side_to));
  }
  return *t0 <= *t1;
}

bool lwi_live_meets_between(const lwi_live *live, const lwi_live_entry *footprint, uint32_t polygon,
                            lwi_point2 from, lwi_point2 to, float height) {
  const lwi_slopes slopes = lwi_slopes_of(live->base, polygon);
  lwi_cut_heights heights = lwi_live_heights(live, footprint);
  if (footprint->hangs) heights.low = lwi_smaller(heights.low, (double)footprint->low - (double)height);
  const double slack = lwi_cut_height_slack(&heights), low = heights.low - slack, high = heights.high + slack;
  for (uint32_t i = 0; i < slopes.count; i++) {
    const lwi_slope slope = lwi_slopes_get(&slopes, i);
    lwi_incline on;
    double t0, t1;
    if (!clip_by_slope(&slope, from, to, &t0, &t1) || !lwi_incline_of(&slope, &on)) continue;
    const double a = lwi_incline_height(&on, lwi_point2_lerp(from, to, t0)),
                 b = lwi_incline_height(&on, lwi_point2_lerp(from, to, t1));
    if (lwi_smaller(a, b) <= high && lwi_larger(a, b) >= low) return true;
  }
  return false;
}

/* --- below a footprint ------------------------------------------------------------------------------------ */

/* @return false: no memory. */
static bool gap_within(lwi_live *live, const lwi_live_entry *footprint, lwi_live_gap *gap, bool *is_there) {
  double low, high;
  *is_there = false;
  if (!lwi_cut_common(&live->cut, live->outline.corners, live->outline.count, &footprint->shape)) return false;
  const lwi_cut_list *common = &live->cut.rest;
  if (common->piece_count == 0) return true;
  *is_there = lwi_cut_range_within(common->corners + common->pieces[0].first, common->pieces[0].count,
                                   live->join.slopes.items, live->join.slopes.count, &low, &high);
  *gap = (lwi_live_gap){(double)footprint->low - high, (double)footprint->low - low};
  return true;
}

bool lwi_live_gap_below(lwi_live *live, const lwi_live_entry *footprint, uint32_t polygon, lwi_live_gap *gap,
                        bool *is_there) {
  const lwi_polygon whole = lwi_polygon_get(live->base, polygon);
  *is_there = footprint->gap_of == polygon;
  *gap = *is_there ? footprint->gap : (lwi_live_gap){INFINITY, -INFINITY};
  if (*is_there) return true;
  if (lwi_surface_of(live->base, polygon) != LWI_SURFACE_LEVEL)
    return lwi_live_take_outline(live, polygon) && gap_within(live, footprint, gap, is_there);
  gap->min = gap->max = (double)footprint->low - (double)lwi_corner(&whole, 0).y;
  *is_there = true;
  return true;
}

/* The next gap along which ground is divided. Small ones lie closer together, from that on below which all is cut out: on
   slopes most boxes leave little more than it. The height of the bake is one. [m] */
static double next_gap(const lwi_live *live, double gap) {
  const double near = 1e-3, height = (double)live->base->agent.height, far = 2;
  const double step = gap < far - near       ? 0.25
                      : gap < 2 * far - near ? 0.5
                                             : 1,
               first = gap < far - near ? (double)LWI_GAP_MIN : 0;
  double next = first + (floor((gap - first) / step + near) + 1) * step;
  if (gap < far - near) next = lwi_smaller(next, far);
  return gap < height - near && height < next - near ? height : next;
}

bool lwi_live_next_band(const lwi_live *live, const lwi_live_entry *footprint, uint32_t polygon,
                        const lwi_live_gap *gap, lwi_live_band *band) {
  const double min = lwi_larger(gap->min, (double)min_gap(live, footprint)),
               below = band->headroom == 0 ? -INFINITY : (double)footprint->low - band->heights.low;
  const double from = lwi_larger(min, below);
  if (from > gap->max && band->headroom > 0) return false;
  const uint8_t headroom = lwi_headroom_byte(lwi_larger(from, 1.0 / LWI_HEADROOM_STEPS));
  if (headroom >= live->base->polygons.headrooms[polygon]) return false;
  const bool is_last = gap->max - from <= 2 * LWI_CUT_HEIGHT_SLACK || next_gap(live, from) >= gap->max;
  band->heights = lwi_live_heights(live, footprint);
  band->heights.low = is_last ? -INFINITY : (double)footprint->low - next_gap(live, from);
  band->all = is_last && band->headroom == 0 && gap->min >= (double)min_gap(live, footprint);
  band->headroom = headroom;
  return true;
}
