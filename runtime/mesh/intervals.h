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

/// Is a place on an interval, or on the line that goes on beyond its ends by no more than the slack?
static inline bool lwi_interval_holds(const lwi_taut_interval *at, lwi_point2 place) {
  const double width2 = lwi_point2_apart2(at->left, at->right), slack = LWI_ROOT_SLACK;
  const double turn = lwi_point2_turn(at->right, at->left, place);
  if (turn * turn > slack * slack * width2) return false;
  const double along = (place.x - at->right.x) * (at->left.x - at->right.x) +
                       (place.z - at->right.z) * (at->left.z - at->right.z);
  const double beyond = slack * sqrt(width2);
  return along >= -beyond && along <= width2 + beyond;
}

static inline lwi_view lwi_view_of(const lwi_taut_interval *from) {
  const double slack2 = LWI_ROOT_SLACK * LWI_ROOT_SLACK;
  lwi_view view = {.from = *from};
  view.free_left = lwi_point2_apart2(from->root, from->left) <= slack2;
  view.free_right = lwi_point2_apart2(from->root, from->right) <= slack2;
  if (lwi_interval_holds(from, from->root)) view.free_left = view.free_right = true;
  return view;
}

/// The part of a line behind the interval that is seen, as parameters from its right end (0) to its left end
/// (1).
typedef struct lwi_seen_part {
  double from, to; ///< What lies before `from` is right of the view, behind `to` left of it.
} lwi_seen_part;

/// @param width2  The square of the line's width. [m2]
static inline lwi_seen_part lwi_view_clip(const lwi_view *view, const lwi_portal_line *line, double width2) {
  lwi_seen_part part = {0, 1};
  const lwi_taut_interval *from = &view->from;
  const double slack = LWI_ROOT_SLACK;
  /* Straight lines leave a convex polygon through edges that face the root alone. */
  const double facing = lwi_point2_turn(line->right, line->left, from->root);
  const bool faces_away = facing < 0 && facing * facing > slack * slack * width2;
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
  const double width2 = lwi_point2_apart2(line->left, line->right), slack = LWI_INTERVAL_SLACK;
  if (width2 <= slack * slack) return 0;
  lwi_seen_part part = lwi_view_clip(view, line, width2);
  int count = 0;
  double shortest = 0; /* interval that counts, as a part of the line */
  if (part.to < 1 || part.from > 0) {
    shortest = slack / sqrt(width2);
    if (part.to > 1 - shortest) part.to = 1;
    if (part.from < shortest) part.from = 0;
  }
  if (part.to - part.from > shortest)
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
/// @param length  Of the path through the interval to there.
static inline bool lwi_interval_is_beaten(lwi_point2 end, double known, lwi_point2 far, double length) {
  return length > known && length > known + lwi_point2_distance(end, far) + lwi_length_slack(known);
}

/// Does an interval lie within another one of its portal that is seen from the same root, to which the path is
/// no longer?
static inline bool lwi_interval_lies_in(const lwi_taut_interval *at, const lwi_taut_interval *other) {
  if (at->root.x != other->root.x || at->root.z != other->root.z || other->g > at->g + lwi_length_slack(at->g))
    return false;
  const double dx = other->left.x - other->right.x, dz = other->left.z - other->right.z,
               width2 = dx * dx + dz * dz, beyond = LWI_ROOT_SLACK * sqrt(width2);
  const double right = (at->right.x - other->right.x) * dx + (at->right.z - other->right.z) * dz,
               left = (at->left.x - other->right.x) * dx + (at->left.z - other->right.z) * dz;
  return right >= -beyond && left <= width2 + beyond;
}

/* --- what came through a portal before -------------------------------------------------------------------- */

/// What a search knows of paths through a portal.
typedef struct lwi_portal_entry {
  uint32_t stamp;    ///< Of the search that wrote it.
  float left, right; ///< Length of the shortest to its ends. [m]
  /// Length of the shortest path whose root is an end of the portal, and which sees all of it. [m]
  float root_left, root_right;
  /// The last root where a path turned right before it: lwi_taut_interval.turned (0: there is none), where,
  /// and the length to there. [m]
  uint32_t root_kind;
  float root_x, root_z, root_g;
} lwi_portal_entry;

/// A path with a root at an end of the portal must be shorter by this part than one before to count: else paths
/// would come back round their roots.
#define LWI_SHORTER (1 - 1e-6F)

static inline bool lwi_interval_is_whole(const lwi_taut_interval *at, const lwi_portal_line *line) {
  return at->left.x == line->left.x && at->left.z == line->left.z && at->right.x == line->right.x &&
         at->right.z == line->right.z;
}

/// Of an interval whose root is an end of its portal: did one see all of the portal from there, to which the
/// path was no longer?
/// @param[in, out] known  Of that end.
static inline bool lwi_root_is_seen(float *known, const lwi_portal_line *line, const lwi_taut_interval *at) {
  if ((float)at->g >= *known * LWI_SHORTER) return true;
  if (lwi_interval_is_whole(at, line)) *known = (float)at->g;
  return false;
}

/// Did a path turn where another one that was no longer had turned right before this portal? What only one of
/// the two reaches by turning there is nearer by other paths.
static inline bool lwi_root_is_known(lwi_portal_entry *entry, const lwi_portal_line *line,
                                     const lwi_taut_interval *at) {
  const double slack2 = LWI_ROOT_SLACK * LWI_ROOT_SLACK;
  if (lwi_point2_apart2(at->root, line->left) <= slack2) return lwi_root_is_seen(&entry->root_left, line, at);
  if (lwi_point2_apart2(at->root, line->right) <= slack2) return lwi_root_is_seen(&entry->root_right, line, at);
  const float x = (float)at->root.x, z = (float)at->root.z, g = (float)at->g;
  const uint32_t kind = at->turned;
  if (kind == 0) return false;
  if (entry->root_kind == kind && entry->root_x == x && entry->root_z == z && g >= entry->root_g * LWI_SHORTER)
    return true;
  entry->root_kind = kind;
  entry->root_x = x;
  entry->root_z = z;
  entry->root_g = g;
  return false;
}

/// Lengths of the paths through an interval to its ends. [m]
typedef struct lwi_end_lengths {
  double left, right;
} lwi_end_lengths;
static inline lwi_end_lengths lwi_interval_lengths(const lwi_taut_interval *at) {
  return (lwi_end_lengths){at->g + lwi_point2_distance(at->root, at->left),
                           at->g + lwi_point2_distance(at->root, at->right)};
}

/// Length of a path to an end of a portal by way of an end of an interval, most of which are the same. [m]
static inline double lwi_along_portal(lwi_point2 end, lwi_point2 by, double length) {
  return end.x == by.x && end.z == by.z ? length : length + lwi_point2_distance(end, by);
}

/// Can an interval of a portal be no better than what came there before? Else it is noted.
static inline bool lwi_portal_meet(lwi_portal_entry *entry, uint32_t stamp, const lwi_portal_line *line,
                                   const lwi_taut_interval *at, const lwi_end_lengths *lengths) {
  if (entry->stamp != stamp)
    *entry = (lwi_portal_entry){stamp, INFINITY, INFINITY, INFINITY, INFINITY, 0, 0, 0, 0};
  else if (lwi_interval_is_beaten(line->left, (double)entry->left, at->right, lengths->right) ||
           lwi_interval_is_beaten(line->right, (double)entry->right, at->left, lengths->left))
    return true;
  if (lwi_root_is_known(entry, line, at)) return true;
  entry->left = lwi_min(entry->left, (float)lwi_along_portal(line->left, at->left, lengths->left));
  entry->right = lwi_min(entry->right, (float)lwi_along_portal(line->right, at->right, lengths->right));
  return false;
}

#endif
