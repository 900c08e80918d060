/// Funnels: all taut paths from a corner through the portals of a corridor (Lee and Preparata 1984). A funnel
/// has two sides, taut paths from its apex to the ends of the last portal. Corners know the one before them, so
/// that funnels of all corridors share what their sides have in common, and leading one through a portal takes
/// the steps that a side shrinks by.
#ifndef LW_SEARCH_TAUT_FUNNEL_H
#define LW_SEARCH_TAUT_FUNNEL_H

#include "mesh/mesh.h"
#include "search/taut_search.h"

/// How far coordinates of a navmesh may be off by rounding, squared: `slack2` of funnels over it. [m2]
static inline float lwi_taut_funnel_slack2(const lw_navmesh *mesh) {
  const lw_box *bounds = &mesh->bounds;
  const lw_vec3 farthest = {lwi_max(-bounds->min.x, bounds->max.x), 0, lwi_max(-bounds->min.z, bounds->max.z)};
  const float slack = lwi_line_rounding(farthest);
  return slack * slack;
}

/// Whether two places are one, but for rounding: a line between them would have any direction.
static inline bool lwi_taut_funnel_is_same(lw_vec3 a, lw_vec3 b, float slack2) {
  const float dx = b.x - a.x, dz = b.z - a.z;
  return dx * dx + dz * dz <= slack2;
}

/// > 0: c is left of a -> b.
static inline float lwi_taut_funnel_turn(lw_vec3 a, lw_vec3 b, lw_vec3 c) {
  return (b.z - a.z) * (c.x - a.x) - (b.x - a.x) * (c.z - a.z);
}

/// Whether a point lies on a portal, as exactly as its coordinates tell: the portal then constrains nothing.
static inline bool lwi_taut_funnel_is_on(lw_vec3 point, lw_vec3 left, lw_vec3 right) {
  const double dx = (double)left.x - (double)right.x, dz = (double)left.z - (double)right.z;
  const double turn = dx * ((double)left.z - (double)point.z) - dz * ((double)left.x - (double)point.x);
  const double slack = (double)lwi_line_rounding(point);
  if (turn * turn > slack * slack * (dx * dx + dz * dz)) return false;
  const float reach = lwi_distance_xz(left, right) + lwi_rounding(point);
  return lwi_distance_xz(point, left) <= reach && lwi_distance_xz(point, right) <= reach;
}

/// The last corner of a side that the taut path to a point turns at.
/// @param end  Of the side. @param is_left  Which side it is.
/// @return The apex: it turns at none.
static inline __attribute__((always_inline)) uint32_t
lwi_taut_funnel_tangent(const lwi_taut_corner *corners, uint32_t apex, uint32_t end, bool is_left, lw_vec3 to) {
  while (end != apex) {
    const lwi_taut_corner *corner = &corners[end];
    const float turn = lwi_taut_funnel_turn(corners[corner->before].at, corner->at, to);
    if (is_left ? turn > 0 : turn < 0) break;
    end = corner->before;
  }
  return end;
}

/// The corner before a point that is seen from the funnel's portal, or lies on it.
static inline uint32_t lwi_taut_funnel_before(const lwi_taut_corner *corners, const lwi_taut_funnel *funnel,
                                              lw_vec3 to) {
  const uint32_t at = lwi_taut_funnel_tangent(corners, funnel->apex, funnel->left, true, to);
  return at != funnel->apex ? at : lwi_taut_funnel_tangent(corners, funnel->apex, funnel->right, false, to);
}

/// Length of the taut path to such a point. [m]
static inline float lwi_taut_funnel_reach(const lwi_taut_corner *corners, const lwi_taut_funnel *funnel,
                                          lw_vec3 to) {
  const lwi_taut_corner *before = &corners[lwi_taut_funnel_before(corners, funnel, to)];
  return before->g + lwi_distance(before->at, to);
}

/// The end of one side of a funnel, led to a point of the next portal; the apex may move along the other side.
/// @param[in, out] count  Of the corners; there is space for one more.
static inline __attribute__((always_inline)) uint32_t
lwi_taut_funnel_lead_side(lwi_taut_corner *corners, uint32_t *count, lwi_taut_funnel *funnel, bool is_left,
                          lw_vec3 to, float slack2) {
  const uint32_t own = is_left ? funnel->left : funnel->right, other = is_left ? funnel->right : funnel->left;
  if (lwi_taut_funnel_is_same(corners[own].at, to, slack2)) return own;
  uint32_t before = lwi_taut_funnel_tangent(corners, funnel->apex, own, is_left, to);
  if (before == funnel->apex)
    before = funnel->apex = lwi_taut_funnel_tangent(corners, funnel->apex, other, !is_left, to);
  const lwi_taut_corner *from = &corners[before];
  if (lwi_taut_funnel_is_same(from->at, to, slack2)) return before;
  const float g = from->g + lwi_distance(to, from->at);
  corners[*count] = (lwi_taut_corner){.at = to, .g = g, .before = before};
  return (*count)++;
}

/// Whether a portal is seen end-on from a corner, with its right end nearer than its left one.
static inline bool lwi_taut_funnel_is_end_on(lw_vec3 corner, lw_vec3 left, lw_vec3 right, float slack2) {
  const float ax = left.x - corner.x, az = left.z - corner.z, bx = right.x - corner.x, bz = right.z - corner.z;
  const float turn = az * bx - ax * bz, length2 = ax * ax + az * az;
  if (turn * turn > slack2 * length2) return false;
  const float along = ax * bx + az * bz;
  return along > 0 && along < length2;
}

/// Lead a funnel through the next portal. @param[in, out] count  Of the corners; there is space for two more.
static inline __attribute__((always_inline)) void lwi_taut_funnel_lead(lwi_taut_corner *corners,
                                                                       uint32_t *count, lwi_taut_funnel *funnel,
                                                                       lw_vec3 left, lw_vec3 right,
                                                                       float slack2) {
  const uint32_t first = *count;
  const uint32_t end = lwi_taut_funnel_lead_side(corners, count, funnel, true, left, slack2);
  funnel->left = end;
  /* The path to the right end passes no left end that lies behind it, whatever the sign of a turn near 0. */
  if (end >= first && lwi_taut_funnel_is_end_on(corners[corners[end].before].at, left, right, slack2))
    funnel->left = corners[end].before;
  funnel->right = lwi_taut_funnel_lead_side(corners, count, funnel, false, right, slack2);
  funnel->left = end;
}

#endif
