/// Funnels: all taut paths from a corner through the portals of a corridor (Lee and Preparata 1984). A funnel
/// has two sides, taut paths from its apex to the ends of the last portal. Corners know the one before them, so
/// that funnels of all corridors share what their sides have in common, and leading one through a portal takes
/// the steps that a side shrinks by.
#ifndef LW_SEARCH_TAUT_FUNNEL_H
#define LW_SEARCH_TAUT_FUNNEL_H

#include "core/vec3.h"
#include "search/taut_search.h"

static inline bool lwi_taut_funnel_is_same(lw_vec3 a, lw_vec3 b) {
  const float dx = b.x - a.x, dz = b.z - a.z;
  return dx * dx + dz * dz < 1e-10F;
}

/// > 0: c is left of a -> b.
static inline float lwi_taut_funnel_turn(lw_vec3 a, lw_vec3 b, lw_vec3 c) {
  return (b.z - a.z) * (c.x - a.x) - (b.x - a.x) * (c.z - a.z);
}

/// The last corner of a side that the taut path to a point turns at.
/// @param end  Of the side. @param sign  1: it is the left one; -1: the right one.
/// @return The apex: it turns at none.
static inline uint32_t lwi_taut_funnel_tangent(const lwi_taut_corner *corners, uint32_t apex, uint32_t end,
                                               float sign, lw_vec3 to) {
  while (end != apex) {
    const lwi_taut_corner *corner = &corners[end];
    if (sign * lwi_taut_funnel_turn(corners[corner->before].at, corner->at, to) > 0) break;
    end = corner->before;
  }
  return end;
}

/// The corner before a point that is seen from the funnel's portal, or lies on it.
static inline uint32_t lwi_taut_funnel_before(const lwi_taut_corner *corners, const lwi_taut_funnel *funnel,
                                              lw_vec3 to) {
  const uint32_t at = lwi_taut_funnel_tangent(corners, funnel->apex, funnel->left, 1, to);
  return at != funnel->apex ? at : lwi_taut_funnel_tangent(corners, funnel->apex, funnel->right, -1, to);
}

/// Length of the taut path to such a point. [m]
static inline float lwi_taut_funnel_reach(const lwi_taut_corner *corners, const lwi_taut_funnel *funnel,
                                          lw_vec3 to) {
  const lwi_taut_corner *before = &corners[lwi_taut_funnel_before(corners, funnel, to)];
  return before->g + lwi_distance(before->at, to);
}

/// The end of one side of a funnel, led to a point of the next portal; the apex may move along the other side.
/// @param[in, out] count  Of the corners; there is space for one more.
static inline uint32_t lwi_taut_funnel_lead_side(lwi_taut_corner *corners, uint32_t *count,
                                                 lwi_taut_funnel *funnel, float sign, lw_vec3 to) {
  const uint32_t own = sign > 0 ? funnel->left : funnel->right, other = sign > 0 ? funnel->right : funnel->left;
  if (lwi_taut_funnel_is_same(corners[own].at, to)) return own;
  uint32_t before = lwi_taut_funnel_tangent(corners, funnel->apex, own, sign, to);
  if (before == funnel->apex)
    before = funnel->apex = lwi_taut_funnel_tangent(corners, funnel->apex, other, -sign, to);
  if (lwi_taut_funnel_is_same(corners[before].at, to)) return before;
  corners[*count] = (lwi_taut_corner){to, corners[before].g + lwi_distance(corners[before].at, to), before};
  return (*count)++;
}

/// Lead a funnel through the next portal. @param[in, out] count  Of the corners; there is space for two more.
static inline void lwi_taut_funnel_lead(lwi_taut_corner *corners, uint32_t *count, lwi_taut_funnel *funnel,
                                        lw_vec3 left, lw_vec3 right) {
  funnel->left = lwi_taut_funnel_lead_side(corners, count, funnel, 1, left);
  funnel->right = lwi_taut_funnel_lead_side(corners, count, funnel, -1, right);
}

#endif
