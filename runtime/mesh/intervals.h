/// Intervals of portals that are seen from one point, and what is seen through them: the steps of exact
/// searches for shortest paths over the ground as seen from above (Cui, Harabor and Grastien 2017; Mitchell,
/// Mount and Papadimitriou 1987).
#ifndef LW_MESH_INTERVALS_H
#define LW_MESH_INTERVALS_H

#include "core/vec3.h"

/// Shorter intervals are left out. [m]
#define LWI_INTERVAL_SLACK 1e-5
/// A root this near to an end of its interval, or to the interval, lies on it. [m]
#define LWI_ROOT_SLACK 1e-4

/// An interval of a portal, as an agent sees it that crosses it from its root, where the path to it turned
/// last.
typedef struct lwi_taut_interval {
  lwi_point2 root, left, right; ///< [m]
  double g;                     ///< Length of the path to the root. [m]
  bool turns_left, turns_right; ///< Paths may turn at that end: it is a corner of a wall.
  /// How the path turned at the root, to the left (1) or right (2), right before; 0: it did not turn since the
  /// portal before.
  uint8_t turned;
} lwi_taut_interval;

/// A portal, or what of it is looked at.
typedef struct lwi_portal_line {
  lwi_point2 left, right;
  bool turns_left, turns_right;
} lwi_portal_line;

/// What of the ground behind an interval its root sees: what is neither left of `left` nor right of `right`.
typedef struct lwi_view {
  lwi_taut_interval from;
  bool free_left, free_right; ///< The root lies on that end, or on the interval: it sees all on that side.
} lwi_view;

static inline lwi_view lwi_view_of(const lwi_taut_interval *from) {
  lwi_view view = {.from = *from};
  const double width = lwi_point2_distance(from->left, from->right);
  const double to_left = lwi_point2_distance(from->root, from->left),
               to_right = lwi_point2_distance(from->root, from->right);
  view.free_left = to_left <= LWI_ROOT_SLACK;
  view.free_right = to_right <= LWI_ROOT_SLACK;
  if (to_left + to_right <= width + 2 * LWI_ROOT_SLACK &&
      fabs(lwi_point2_turn(from->right, from->left, from->root)) <= LWI_ROOT_SLACK * width)
    view.free_left = view.free_right = true;
  return view;
}

/// The part of a line behind the interval that is seen, as parameters from its right end (0) to its left end
/// (1).
typedef struct lwi_seen_part {
  double from, to; ///< What lies before `from` is right of the view, behind `to` left of it.
} lwi_seen_part;

static inline lwi_seen_part lwi_view_clip(const lwi_view *view, const lwi_portal_line *line, double width) {
  lwi_seen_part part = {0, 1};
  const lwi_taut_interval *from = &view->from;
  /* Straight lines leave a convex polygon through edges that face the root alone. */
  const bool faces_away = lwi_point2_turn(line->right, line->left, from->root) < -LWI_ROOT_SLACK * width;
  if (!view->free_left) {
    const double a = lwi_point2_turn(from->root, from->left, line->left),
                 b = lwi_point2_turn(from->root, from->left, line->right);
    if (faces_away && (a > 0 || b > 0)) return (lwi_seen_part){0, 0};
    if (a > 0) part.to = b >= 0 ? 0 : b / (b - a);
  }
  if (faces_away) return (lwi_seen_part){1, 1};
  if (!view->free_right) {
    const double a = lwi_point2_turn(from->root, from->right, line->left),
                 b = lwi_point2_turn(from->root, from->right, line->right);
    if (b < 0) part.from = a <= 0 ? 1 : b / (b - a);
  }
  return part;
}

/// A part of a line as an interval that is seen from `root`.
static inline lwi_taut_interval lwi_interval_cut(lwi_point2 root, double g, const lwi_portal_line *line,
                                                 double from, double to) {
  lwi_taut_interval cut = {.root = root, .g = g, .left = line->left, .right = line->right};
  if (to < 1) cut.left = lwi_point2_lerp(line->right, line->left, to);
  if (from > 0) cut.right = lwi_point2_lerp(line->right, line->left, from);
  cut.turns_left = to >= 1 && line->turns_left;
  cut.turns_right = from <= 0 && line->turns_right;
  return cut;
}

/// The intervals of a line behind an interval: the part that the root sees, and beside it those that the path
/// reaches by turning at an end. @param[out] out  [3] @return Their count.
static inline int lwi_view_spread(const lwi_view *view, const lwi_portal_line *line, lwi_taut_interval *out) {
  const lwi_taut_interval *from = &view->from;
  const double width = lwi_point2_distance(line->left, line->right), slack = LWI_INTERVAL_SLACK;
  if (width <= slack) return 0;
  lwi_seen_part part = lwi_view_clip(view, line, width);
  if (part.to > 1 - slack / width) part.to = 1;
  if (part.from < slack / width) part.from = 0;
  int count = 0;
  if ((part.to - part.from) * width > slack)
    out[count++] = lwi_interval_cut(from->root, from->g, line, part.from, part.to);
  if (part.to < 1 && from->turns_left && !view->free_left)
    out[count] =
        lwi_interval_cut(from->left, from->g + lwi_point2_distance(from->root, from->left), line, part.to, 1),
    out[count++].turned = 1;
  if (part.from > 0 && from->turns_right && !view->free_right)
    out[count] = lwi_interval_cut(from->right, from->g + lwi_point2_distance(from->root, from->right), line, 0,
                                  part.from),
    out[count++].turned = 2;
  return count;
}

/// Length of the shortest path through an interval to a point on the ground right behind it.
static inline double lwi_view_reach(const lwi_view *view, lwi_point2 point) {
  const lwi_taut_interval *from = &view->from;
  if (!view->free_left && lwi_point2_turn(from->root, from->left, point) > 0)
    return from->g + lwi_point2_distance(from->root, from->left) + lwi_point2_distance(from->left, point);
  if (!view->free_right && lwi_point2_turn(from->root, from->right, point) < 0)
    return from->g + lwi_point2_distance(from->root, from->right) + lwi_point2_distance(from->right, point);
  return from->g + lwi_point2_distance(from->root, point);
}

/// Lower bound on the length of paths through an interval to a point anywhere, from the root on: the straight
/// lines to and from the interval, where a point on the root's side counts as mirrored behind it. [m]
static inline double lwi_interval_bound(const lwi_taut_interval *from, lwi_point2 point) {
  const double dx = from->left.x - from->right.x, dz = from->left.z - from->right.z;
  double there = lwi_point2_turn(from->right, from->left, point);
  const double here = lwi_point2_turn(from->right, from->left, from->root);
  if ((there > 0) == (here > 0)) { /* mirror it */
    const double by = 2 * there / (dx * dx + dz * dz);
    point = (lwi_point2){point.x - by * dz, point.z + by * dx};
    there = -there;
  }
  /* Where the line from the root to the point crosses that of the interval. */
  const double left = lwi_point2_turn(from->root, point, from->left),
               right = lwi_point2_turn(from->root, point, from->right);
  if ((left > 0 && right < 0) || (left < 0 && right > 0)) return lwi_point2_distance(from->root, point);
  const double by_left = lwi_point2_distance(from->root, from->left) + lwi_point2_distance(from->left, point),
               by_right =
                   lwi_point2_distance(from->root, from->right) + lwi_point2_distance(from->right, point);
  return by_left < by_right ? by_left : by_right;
}

/// How much longer a path must be to count as longer, for lengths are noted as floats.
static inline double lwi_length_slack(double length) {
  return 1e-5 + 1e-6 * length;
}

/// Are all paths through an interval longer than those by way of an end of its portal, and along it?
/// @param known  The length of a path to that end. @param far  The end of the interval that is further from it.
static inline bool lwi_interval_is_beaten(const lwi_taut_interval *at, lwi_point2 end, double known,
                                          lwi_point2 far) {
  return at->g + lwi_point2_distance(at->root, far) >
         known + lwi_point2_distance(end, far) + lwi_length_slack(known);
}

/* --- what came through a portal before -------------------------------------------------------------------- */

/// What a search knows of paths through a portal.
typedef struct lwi_portal_entry {
  uint32_t stamp;    ///< Of the search that wrote it.
  float left, right; ///< Length of the shortest to its ends. [m]
  /// The last root that was an end of the portal, or where a path turned right before it: which of these,
  /// where, and the length to there. [m]
  uint32_t root_kind;
  float root_x, root_z, root_g;
} lwi_portal_entry;

/// lwi_portal_entry.root_kind: an end of the portal; else it is lwi_taut_interval.turned, and 0: none of these.
#define LWI_ROOT_AT_END 3U

static inline uint32_t lwi_root_kind(const lwi_portal_line *line, const lwi_taut_interval *at) {
  const bool at_end = lwi_point2_distance(at->root, line->left) <= LWI_ROOT_SLACK ||
                      lwi_point2_distance(at->root, line->right) <= LWI_ROOT_SLACK;
  return at_end ? LWI_ROOT_AT_END : at->turned;
}

/// Did a path turn where another one that was no longer had turned right before this portal? What only one of
/// the two reaches by turning there is nearer by other paths. The same holds for paths that come back round
/// their root.
static inline bool lwi_root_is_known(lwi_portal_entry *entry, uint32_t kind, const lwi_taut_interval *at) {
  const float x = (float)at->root.x, z = (float)at->root.z, g = (float)at->g;
  if (kind == 0) return false;
  if (entry->root_kind == kind && entry->root_x == x && entry->root_z == z && g >= entry->root_g * (1 - 1e-6f))
    return true;
  entry->root_kind = kind;
  entry->root_x = x;
  entry->root_z = z;
  entry->root_g = g;
  return false;
}

/// Can an interval of a portal be no better than what came there before? Else it is noted.
static inline bool lwi_portal_meet(lwi_portal_entry *entry, uint32_t stamp, const lwi_portal_line *line,
                                   const lwi_taut_interval *at) {
  if (entry->stamp != stamp) *entry = (lwi_portal_entry){.stamp = stamp, .left = INFINITY, .right = INFINITY};
  if (lwi_interval_is_beaten(at, line->left, (double)entry->left, at->right) ||
      lwi_interval_is_beaten(at, line->right, (double)entry->right, at->left) ||
      lwi_root_is_known(entry, lwi_root_kind(line, at), at))
    return true;
  const double left =
                   at->g + lwi_point2_distance(at->root, at->left) + lwi_point2_distance(at->left, line->left),
               right = at->g + lwi_point2_distance(at->root, at->right) +
                       lwi_point2_distance(at->right, line->right);
  entry->left = lwi_min(entry->left, (float)left);
  entry->right = lwi_min(entry->right, (float)right);
  return false;
}

#endif
