/* What is inside of a footprint, divided by the height of the surface there: along the lines where slopes enter and leave
   the range of heights, until each part is inside of it, or outside, but for LWI_CUT_HEIGHT_SLACK. */
#include "mesh/cut_parts.h"

/* --- one slope -------------------------------------------------------------------------------------------- */

/* The line of one height. */
static lwi_cut_side line_at(const lwi_incline *of, double height) {
  const double steep2 = of->x * of->x + of->z * of->z, steep = sqrt(steep2);
  const double up = (height - (double)of->at.y) / steep2;
  return (lwi_cut_side){{(double)of->at.x + of->x * up, (double)of->at.z + of->z * up},
                        {-of->z / steep, of->x / steep}};
}

bool lwi_cut_slope_of(const lwi_slope *slope, lwi_cut_slope *to) {
  const lw_box ends = {slope->at[0], slope->at[0]};
  to->slope = *slope;
  to->bounds = lwi_box_add(lwi_box_add(ends, slope->at[1]), slope->at[2]);
  for (int i = 0; i < 3; i++) {
    const lwi_point2 from = lwi_point2_of(slope->at[i]), end = lwi_point2_of(slope->at[i < 2 ? i + 1 : 0]);
    to->from[i] = from;
    to->along[i] = (lwi_point2){end.x - from.x, end.z - from.z};
  }
  return lwi_incline_of(slope, &to->incline);
}

/* A convex part of the surface, seen from above. */
typedef struct outline {
  const lwi_cut_corner *corners; /* [count] */
  int count;
  double min_x, min_z, max_x, max_z;
} outline;

static outline outline_of(const lwi_cut_corner *corners, int count) {
  outline of = {corners, count, INFINITY, INFINITY, -INFINITY, -INFINITY};
  for (int i = 0; i < count; i++) {
    of.min_x = lwi_smaller(of.min_x, (double)corners[i].x);
    of.min_z = lwi_smaller(of.min_z, (double)corners[i].z);
    of.max_x = lwi_larger(of.max_x, (double)corners[i].x);
    of.max_z = lwi_larger(of.max_z, (double)corners[i].z);
  }
  return of;
}

static lwi_point2 corner_at(const outline *of, int i) {
  return lwi_cut_point(&of->corners[i < of->count ? i : 0]);
}

static bool may_overlap(const outline *of, const lwi_cut_slope *slope) {
  const lw_box *bounds = &slope->bounds;
  return (double)bounds->max.x > of->min_x && (double)bounds->min.x < of->max_x &&
         (double)bounds->max.z > of->min_z && (double)bounds->min.z < of->max_z;
}

static bool holds(const outline *of, lwi_point2 at) {
  for (int i = 0; i < of->count; i++)
    if (lwi_point2_turn(corner_at(of, i), corner_at(of, i + 1), at) < 0) return false;
  return true;
}

typedef struct height_range {
  double low, high; /* low > high: there is none */
} height_range;

static void take_height(height_range *range, double height) {
  range->low = lwi_smaller(range->low, height);
  range->high = lwi_larger(range->high, height);
}

/* How far a place is on the left of an edge of a slope: times the length of the edge. */
static inline double side_of(const lwi_cut_slope *slope, int edge, lwi_point2 at) {
  return slope->along[edge].z * (at.x - slope->from[edge].x) -
         slope->along[edge].x * (at.z - slope->from[edge].z);
}

/* A corner of an outline beside a slope. */
typedef struct slope_corner {
  lwi_point2 at;
  double sides[3];  /* side_of() */
  unsigned outside; /* bits of the edges of which it is on the right */
} slope_corner;

static inline slope_corner corner_beside(const lwi_cut_slope *slope, lwi_point2 at) {
  const double a = side_of(slope, 0, at), b = side_of(slope, 1, at), c = side_of(slope, 2, at);
  return (slope_corner){at, {a, b, c}, (a < 0 ? 1U : 0U) | (b < 0 ? 2U : 0U) | (c < 0 ? 4U : 0U)};
}

/* Is all of an outline beside one edge of a slope? Many slopes that are near an outline are not below it. */
static bool is_beside(const outline *of, const lwi_cut_slope *slope) {
  for (int i = 0; i < 3; i++) {
    bool is_left = false;
    for (int k = 0; k < of->count && !is_left; k++) is_left = side_of(slope, i, corner_at(of, k)) >= 0;
    if (!is_left) return true;
  }
  return false;
}

/* The part of an edge of the outline that is above the slope. */
static void take_edge(const lwi_incline *of, const slope_corner *a, const slope_corner *b,
                      height_range *range) {
  double t0 = 0, t1 = 1;
  if (a->outside & b->outside) return;
  for (int i = 0; i < 3 && (a->outside | b->outside); i++) {
    const double side_a = a->sides[i], side_b = b->sides[i];
    if (side_a < 0) t0 = lwi_larger(t0, side_a / (side_a - side_b));
    if (side_b < 0) t1 = lwi_smaller(t1, side_a / (side_a - side_b));
  }
  if (t0 > t1) return;
  take_height(range, lwi_incline_height(of, lwi_point2_lerp(a->at, b->at, t0)));
  take_height(range, lwi_incline_height(of, lwi_point2_lerp(a->at, b->at, t1)));
}

/* Heights of a slope within an outline: those of the corners of what both have in common. */
static height_range heights_of(const outline *within, const lwi_cut_slope *slope) {
  height_range range = {INFINITY, -INFINITY};
  if (is_beside(within, slope)) return range;
  slope_corner corners[2] = {corner_beside(slope, corner_at(within, within->count - 1))};
  for (int i = 0; i < within->count; i++) {
    slope_corner *from = &corners[i % 2], *to = &corners[(i + 1) % 2];
    *to = corner_beside(slope, corner_at(within, i));
    take_edge(&slope->incline, from, to, &range);
  }
  for (int i = 0; i < 3; i++) {
    const lwi_point2 at = slope->from[i];
    if (at.x < within->min_x || at.x > within->max_x || at.z < within->min_z || at.z > within->max_z) continue;
    if (holds(within, at)) take_height(&range, (double)slope->slope.at[i].y);
  }
  return range;
}

/* --- all of an outline ------------------------------------------------------------------------------------ */

/* What slopes within an outline are. */
typedef struct view {
  bool is_inside, is_outside; /* some slope is, and cannot be taken for the other */
  bool is_crossed;            /* some slope leaves the range */
  double depth;               /* the least of how far it reaches on both sides of `line` [m] */
  lwi_cut_side line;          /* of those where slopes leave the range the one that leaves most on both sides */
} view;

/* How far a slope reaches on both sides of its line at a height. [m] */
static double depth_beside(const lwi_incline *of, const height_range *range, double height) {
  const double beyond = lwi_smaller(height - range->low, range->high - height);
  return beyond > 0 ? beyond / sqrt(of->x * of->x + of->z * of->z) : 0;
}

static void take_line(view *seen, const lwi_incline *of, const height_range *range, double height) {
  const double depth = depth_beside(of, range, height);
  if (depth <= seen->depth) return;
  seen->depth = depth;
  seen->line = line_at(of, height);
}

static void look_at(view *seen, const lwi_cut_heights *heights, const lwi_incline *of,
                    const height_range *range) {
  const double slack = lwi_cut_height_slack(heights);
  const bool inside = range->low >= heights->low - slack && range->high <= heights->high + slack;
  const bool outside = range->high <= heights->low + slack || range->low >= heights->high - slack;
  seen->is_inside |= inside && !outside;
  seen->is_outside |= outside && !inside;
  seen->is_crossed |= !inside && !outside;
  take_line(seen, of, range, heights->low);
  take_line(seen, of, range, heights->high);
}

static bool is_mixed(const view *seen) {
  return seen->is_crossed || (seen->is_inside && seen->is_outside);
}

/* What heights_of() may be off by from a plane, by rounding. [m] */
#define ROUNDING 1e-6

/* A range in which that of heights_of() lies: of the slope's plane where its bounds and those of an outline overlap. */
static height_range heights_about(const outline *within, const lwi_cut_slope *slope) {
  const lw_box *bounds = &slope->bounds;
  const lwi_point2 min = {lwi_larger((double)bounds->min.x, within->min_x),
                          lwi_larger((double)bounds->min.z, within->min_z)},
                   max = {lwi_smaller((double)bounds->max.x, within->max_x),
                          lwi_smaller((double)bounds->max.z, within->max_z)};
  const lwi_incline_range plane = lwi_incline_over(&slope->incline, min, max);
  return (height_range){lwi_larger((double)bounds->min.y, plane.low - ROUNDING),
                        lwi_smaller((double)bounds->max.y, plane.high + ROUNDING)};
}

/* Is a slope whose heights lie in that range certain to be inside, or outside, as one that was seen? */
static bool is_known(const view *seen, const lwi_cut_heights *heights, const height_range *range) {
  const double slack = lwi_cut_height_slack(heights);
  if (seen->is_inside && range->low > heights->low + slack && range->high < heights->high - slack) return true;
  return seen->is_outside && (range->high < heights->low - slack || range->low > heights->high + slack);
}

/* Would a slope change nothing of what was seen? */
static bool adds_nothing(const view *seen, const lwi_cut_heights *heights, const outline *within,
                         const lwi_cut_slope *slope) {
  if (!seen->is_inside && !seen->is_outside && !seen->is_crossed) return false;
  const height_range all = {(double)slope->bounds.min.y, (double)slope->bounds.max.y};
  if (is_known(seen, heights, &all)) return true;
  const height_range about = heights_about(within, slope);
  if (is_known(seen, heights, &about)) return true;
  return is_mixed(seen) && depth_beside(&slope->incline, &about, heights->low) <= seen->depth &&
         depth_beside(&slope->incline, &about, heights->high) <= seen->depth;
}

/* Look at the slopes within an outline. @param wants_line  false: only until the outline is known to be mixed. */
static view look(const outline *within, const lwi_cut_heights *heights, bool wants_line) {
  view seen = {.depth = 0};
  for (int i = 0; i < heights->count && (wants_line || !is_mixed(&seen)); i++) {
    const lwi_cut_slope *slope = &heights->slopes[i];
    if (!may_overlap(within, slope)) continue;
    if (adds_nothing(&seen, heights, within, slope)) continue;
    const height_range range = heights_of(within, slope);
    if (range.low <= range.high) look_at(&seen, heights, &slope->incline, &range);
  }
  return seen;
}

/* Does the middle of an outline have such a height? */
static bool is_middle_within(const outline *of, const lwi_cut_heights *heights) {
  lwi_point2 middle = {0, 0};
  double deepest = -INFINITY, height = heights->low;
  for (int i = 0; i < of->count; i++) {
    middle.x += corner_at(of, i).x / of->count;
    middle.z += corner_at(of, i).z / of->count;
  }
  for (int i = 0; i < heights->count; i++) {
    const lwi_cut_slope *slope = &heights->slopes[i];
    const double depth = lwi_smaller(side_of(slope, 0, middle),
                                     lwi_smaller(side_of(slope, 1, middle), side_of(slope, 2, middle)));
    if (depth <= deepest) continue;
    deepest = depth;
    height = lwi_incline_height(&slope->incline, middle);
  }
  return heights->low <= height && height <= heights->high;
}

static bool is_within(const outline *of, const view *seen, const lwi_cut_heights *heights) {
  if (seen->is_crossed || seen->is_inside == seen->is_outside) return is_middle_within(of, heights);
  return seen->is_inside;
}

lwi_cut_amount lwi_cut_within(const lwi_cut_corner *corners, int count, const lwi_cut_heights *heights) {
  const outline of = outline_of(corners, count);
  const view seen = look(&of, heights, false);
  if (is_mixed(&seen)) return LWI_CUT_SOME;
  return is_within(&of, &seen, heights) ? LWI_CUT_ALL : LWI_CUT_NOTHING;
}

bool lwi_cut_range_within(const lwi_cut_corner *corners, int corner_count, const lwi_cut_slope *slopes,
                          int count, double *low, double *high) {
  const outline within = outline_of(corners, corner_count);
  height_range all = {INFINITY, -INFINITY};
  for (int i = 0; i < count; i++) {
    const lw_box *bounds = &slopes[i].bounds;
    if ((double)bounds->min.y > all.low && (double)bounds->max.y < all.high) continue;
    if (!may_overlap(&within, &slopes[i])) continue;
    const height_range about = heights_about(&within, &slopes[i]);
    if (about.low > all.low && about.high < all.high) continue;
    const height_range range = heights_of(&within, &slopes[i]);
    all.low = lwi_smaller(all.low, range.low);
    all.high = lwi_larger(all.high, range.high);
  }
  *low = all.low;
  *high = all.high;
  return all.low <= all.high;
}

bool lwi_cut_none_leaves(const lwi_cut_corner *corners, int count, const lwi_cut_heights *heights) {
  const outline of = outline_of(corners, count);
  const view seen = look(&of, heights, false);
  return !seen.is_crossed && !seen.is_outside;
}

/* --- dividing --------------------------------------------------------------------------------------------- */

/* Divides the piece in `rest`: its left part goes to `parts`, its right one to `half`. */
typedef struct divider {
  lwi_cutter *cut;
  const lwi_cut_heights *heights;
  double slack;
} divider;

/* @return false: no memory. */
static bool divide_at(const divider *by, const lwi_cut_side *side, bool *is_split) {
  lwi_cutter *cut = by->cut;
  const lwi_cut_piece *piece = &cut->rest.pieces[0];
  const lwi_cut_line line = {*side, by->slack, LWI_HEIGHT_ORIGIN + (uint32_t)cut->line_count, piece->mark};
  lwi_cut_halves halves = {.left = &cut->parts, .right = &cut->half};
  if (!lwi_reserve(cut->memory, &cut->lines, &cut->line_capacity, cut->line_count + 1, sizeof *cut->lines) ||
      !lwi_cut_in_two(cut, cut->rest.corners + piece->first, piece->count, &line, &halves))
    return false;
  *is_split = halves.is_split;
  if (halves.is_split) cut->lines[cut->line_count++] = *side;
  return true;
}

/* Along any line at which a slope leaves the range, or along any edge of a slope that is inside of it. */
static bool divide_somewhere(const divider *by, const outline *within, bool *is_split) {
  const lwi_cut_heights *heights = by->heights;
  *is_split = false;
  for (int i = 0; i < heights->count && !*is_split; i++) {
    const lwi_cut_slope *slope = &heights->slopes[i];
    view seen = {.depth = 0};
    if (!may_overlap(within, slope)) continue;
    const height_range range = heights_of(within, slope);
    if (range.low > range.high) continue;
    look_at(&seen, heights, &slope->incline, &range);
    if (seen.depth > 0 && !divide_at(by, &seen.line, is_split)) return false;
    for (int k = 0; k < 3 && seen.is_inside && !*is_split; k++) {
      const lw_vec3 *at = slope->slope.at;
      const lwi_point2 pair[2] = {lwi_point2_of(at[k]), lwi_point2_of(at[k < 2 ? k + 1 : 0])};
      lwi_cut_side sides[2];
      lwi_cut_sides_make(sides, pair, 2);
      if (!divide_at(by, &sides[0], is_split)) return false;
    }
  }
  return true;
}

/* @param[out] is_split  false: nothing divides it, as all parts would be slivers. @return false: no memory. */
static bool divide_rest(const divider *by, const outline *within, const view *seen, bool *is_split) {
  *is_split = false;
  if (seen->depth > 0 && !divide_at(by, &seen->line, is_split)) return false;
  return *is_split || divide_somewhere(by, within, is_split);
}

/* Take the last part that is not decided yet to `rest`. */
static bool take_part(lwi_cutter *cut) {
  const lwi_cut_piece part = cut->parts.pieces[--cut->parts.piece_count];
  lwi_cut_clear(&cut->rest);
  cut->parts.corner_count = part.first;
  return lwi_cut_keep(cut, &cut->rest, cut->parts.corners + part.first, part.count, part.mark);
}

/* Both halves are to be decided. */
static bool put_half(lwi_cutter *cut) {
  const lwi_cut_piece part = cut->half.pieces[0];
  return lwi_cut_keep(cut, &cut->parts, cut->half.corners + part.first, part.count, part.mark);
}

/* Where the pieces of `rest` go. */
typedef struct destination {
  lwi_cut_mark outside;
  const lwi_cut_mark *inside; /* NULL: it is gone */
} destination;

/* Divide the piece in `rest`, or add it to `next`. */
static bool decide(const divider *by, const destination *to, const view *seen) {
  lwi_cutter *cut = by->cut;
  const lwi_cut_piece piece = cut->rest.pieces[0];
  const lwi_cut_corner *corners = cut->rest.corners + piece.first;
  const outline within = outline_of(corners, piece.count);
  bool is_split = false;
  lwi_cut_clear(&cut->half);
  if (is_mixed(seen) && !divide_rest(by, &within, seen, &is_split)) return false;
  if (is_split) return put_half(cut);
  const bool counts = is_within(&within, seen, by->heights);
  if (counts && !to->inside) return true;
  return lwi_cut_keep(cut, &cut->next, corners, piece.count, counts ? *to->inside : to->outside);
}

static view look_at_rest(const divider *by) {
  const lwi_cut_piece piece = by->cut->rest.pieces[0];
  const outline within = outline_of(by->cut->rest.corners + piece.first, piece.count);
  return look(&within, by->heights, true);
}

bool lwi_cut_by_heights(lwi_cutter *cut, const lwi_cut_heights *heights, double slack, lwi_cut_mark outside,
                        const lwi_cut_mark *inside, bool *is_met) {
  const divider by = {cut, heights, slack};
  const destination to = {outside, inside};
  lwi_cut_piece *first = &cut->rest.pieces[0];
  const outline within = outline_of(cut->rest.corners + first->first, first->count);
  view seen = look(&within, heights, true);
  first->mark = outside;
  lwi_cut_clear(&cut->parts);
  *is_met = is_mixed(&seen) || is_within(&within, &seen, heights);
  if (!*is_met) return true;
  if (!decide(&by, &to, &seen)) return false;
  while (cut->parts.piece_count > 0) {
    if (!take_part(cut)) return false;
    seen = look_at_rest(&by);
    if (!decide(&by, &to, &seen)) return false;
  }
  return true;
}
