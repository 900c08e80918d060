/* A facet and the eye make a pyramid. A place of the segment is hidden if the line of sight to it lies within the pyramid's
   sides and reaches the facet's plane first. All of these are linear in the segment's parameter, and stay well conditioned
   where eye and segment are in line. Facets that share an edge agree on which side of it a place is, to the bit. */
#include "sight/end_on.h"

#include "core/dvec3.h"
#include "sight/bvh.h"
#include "sight/sight_triangle.h"

#include <math.h>

/* --- facets ----------------------------------------------------------------------------------------------- */

typedef struct end_on {
  const lwi_clip_query *query;
  lwi_dvec3 origin, a, b;   /* the occluders' origin and the segment's ends, from the eye */
  lwi_dvec3 line;           /* along the longest side of the triangle [1] */
  lwi_vec3x4 slopes, reach; /* for boxes: 1 / that side, and how far they grow */
  lwi_intervals *hidden;
} end_on;

/* Keep the part in which a function is not negative. @param at_a, at_b  Its values at the segment's ends. */
static void keep(double at_a, double at_b, double *t0, double *t1) {
  if (at_a < 0 && at_b < 0) *t1 = -1;
  if (at_a < 0 && at_b >= 0) *t0 = fmax(*t0, at_a / (at_a - at_b));
  if (at_a >= 0 && at_b < 0) *t1 = fmin(*t1, at_a / (at_a - at_b));
}

/* @param corners  [count] From the eye. @return false: out of memory. */
static bool hide_behind(end_on *of, const lwi_dvec3 *corners, uint32_t count) {
  const double near = (double)LWI_SIGHT_TRIANGLE_NEAR, end = 1e-6;
  lwi_dvec3 normal = {0, 0, 0};
  double t0 = 0, t1 = 1;
  for (uint32_t i = 2; i < count; i++) {
    const lwi_dvec3 more =
        lwi_dvec3_cross(lwi_dvec3_sub(corners[i - 1], corners[0]), lwi_dvec3_sub(corners[i], corners[0]));
    normal = (lwi_dvec3){normal.x + more.x, normal.y + more.y, normal.z + more.z};
  }
  /* By the side that the facet shows. */
  const double distance = lwi_dvec3_dot(normal, corners[0]), sign = distance < 0 ? -1 : 1,
               over = sign * distance, margin = near * fabs(lwi_dvec3_dot(normal, of->line));
  if (over <= margin) return true; /* too near to the eye, or seen edge-on */
  keep(sign * lwi_dvec3_dot(normal, of->a) - margin - over, sign * lwi_dvec3_dot(normal, of->b) - margin - over,
       &t0, &t1);
  for (uint32_t i = 0; i < count && t0 <= t1; i++) {
    const lwi_dvec3 side = lwi_dvec3_cross(corners[i], corners[i + 1 < count ? i + 1 : 0]);
    keep(sign * lwi_dvec3_dot(side, of->a), sign * lwi_dvec3_dot(side, of->b), &t0, &t1);
  }
  if (t0 > t1) return true;
  return lwi_intervals_add(of->hidden,
                           (lwi_interval){(float)(t0 < end ? 0 : t0), (float)(t1 > 1 - end ? 1 : t1)});
}

static bool clip_leaf(end_on *of, uint32_t number) {
  const double quantum = (double)of->query->occluders->quantum;
  lwi_bvh_leaf leaf = lwi_bvh_leaf_open(of->query->occluders, number, (lw_vec3){0, 0, 0});
  const lwi_dvec3 base = {leaf.place[0] + of->origin.x, leaf.place[1] + of->origin.y,
                          leaf.place[2] + of->origin.z};
  for (lwi_bvh_leaf_facet facet; lwi_bvh_leaf_next(&leaf, &facet);) {
    lwi_dvec3 corners[LWI_OCCLUDER_CORNERS];
    if (!of->query->soft && facet.kind != LW_COVER_HARD) continue;
    for (uint32_t i = 0; i < facet.count; i++) {
      const uint16_t *at = leaf.vertices + 3 * (size_t)facet.corners[i], *middle = leaf.middle;
      corners[i] = (lwi_dvec3){base.x + (at[0] - middle[0]) * quantum, base.y + (at[1] - middle[1]) * quantum,
                               base.z + (at[2] - middle[2]) * quantum};
    }
    if (!hide_behind(of, corners, facet.count)) return false;
  }
  return true;
}

/* --- the tree --------------------------------------------------------------------------------------------- */

static void cross_axis(lwi_float4 low, lwi_float4 high, lwi_float4 reach, lwi_float4 slopes, lwi_float4 *enter,
                       lwi_float4 *leave) {
  const lwi_float4 a = lwi_mul4(lwi_sub4(low, reach), slopes), b = lwi_mul4(lwi_add4(high, reach), slopes);
  *enter = lwi_max4(*enter, lwi_min4(a, b));
  *leave = lwi_min4(*leave, lwi_max4(a, b));
}

/* @param from  Where the longest side begins, from the occluders' origin. @return Bits of the boxes that may meet the
   triangle. */
static unsigned cross_boxes(const end_on *of, const lwi_occluder_node *node, lw_vec3 from) {
  lwi_vec3x4 low, high;
  lwi_float4 enter = lwi_splat4(0), leave = lwi_splat4(1);
  lwi_node_boxes(of->query->occluders, node, from, &low, &high);
  cross_axis(low.x, high.x, of->reach.x, of->slopes.x, &enter, &leave);
  cross_axis(low.y, high.y, of->reach.y, of->slopes.y, &enter, &leave);
  cross_axis(low.z, high.z, of->reach.z, of->slopes.z, &enter, &leave);
  return lwi_signs4(lwi_sub4(lwi_sub4(enter, leave), lwi_splat4(1e-20f)));
}

static float slope(double along) {
  return fabs(along) > 1e-9 ? (float)(1 / along) : 1e9f;
}

/* The triangle lies around its longest side, no further from it than the triangle is wide. @param[out] from  Where that side
   begins, from the occluders' origin. @return false: all of it is at the eye. */
static bool find_line(end_on *of, lw_vec3 *from) {
  const double near = (double)LWI_SIGHT_TRIANGLE_NEAR;
  const lwi_dvec3 normal = lwi_dvec3_cross(of->a, of->b), along = lwi_dvec3_sub(of->b, of->a), none = {0, 0, 0};
  lwi_dvec3 first = none, side = lwi_dvec3_dot(of->b, of->b) > lwi_dvec3_dot(of->a, of->a) ? of->b : of->a;
  if (lwi_dvec3_dot(along, along) > lwi_dvec3_dot(side, side)) first = of->a, side = along;
  const double length = sqrt(lwi_dvec3_dot(side, side));
  if (!(length > 2 * near)) return false;
  const lwi_dvec3 at = lwi_dvec3_sub(first, of->origin);
  const double far = fmax(fmax(fabs(at.x), fabs(at.y)), fabs(at.z)) + length;
  const lwi_float4 reach =
      lwi_splat4((float)(sqrt(lwi_dvec3_dot(normal, normal)) / length + near + 1e-6 * far));
  *from = (lw_vec3){(float)at.x, (float)at.y, (float)at.z};
  of->line = (lwi_dvec3){side.x / length, side.y / length, side.z / length};
  of->reach = (lwi_vec3x4){reach, reach, reach};
  of->slopes = (lwi_vec3x4){lwi_splat4(slope(side.x)), lwi_splat4(slope(side.y)), lwi_splat4(slope(side.z))};
  return true;
}

static bool is_all_hidden(const end_on *of) {
  return of->hidden->count == 1 && of->hidden->items[0].t0 <= 0 && of->hidden->items[0].t1 >= 1;
}

static bool clip_tree(end_on *of, lw_vec3 from) {
  uint32_t stack[LWI_OCCLUDER_STACK] = {0};
  int depth = of->query->occluders->node_count > 0;
  while (depth > 0 && !is_all_hidden(of)) {
    const lwi_occluder_node *node = &of->query->occluders->nodes[stack[--depth]];
    for (unsigned meets = cross_boxes(of, node, from); meets != 0; meets &= meets - 1) {
      const uint32_t child = node->children[__builtin_ctz(meets)];
      if (child == LWI_OCCLUDER_NONE) continue;
      if (!(child & LWI_OCCLUDER_BVH_LEAF))
        stack[depth++] = child;
      else if (!clip_leaf(of, child & ~LWI_OCCLUDER_BVH_LEAF))
        return false;
    }
  }
  return true;
}

bool lwi_occluders_clip_end_on(const lwi_clip_query *query, lwi_intervals *hidden) {
  const lwi_occluders *occluders = query->occluders;
  end_on of = {.query = query,
               .origin = lwi_dvec3_between(query->eye, occluders->origin),
               .a = lwi_dvec3_between(query->eye, query->from),
               .b = lwi_dvec3_between(query->eye, query->to),
               .hidden = hidden};
  lw_vec3 from;
  if (!find_line(&of, &from)) return true;
  if (query->some) {
    lwi_bvh_leaf_list list = *query->some;
    for (uint32_t leaf = UINT32_MAX; !is_all_hidden(&of) && lwi_bvh_leaf_list_next(&list, &leaf);)
      if (!clip_leaf(&of, leaf)) return false;
    return true;
  }
  if (occluders->node_count > 0) return clip_tree(&of, from);
  for (uint32_t i = 0; i < occluders->leaf_count && !is_all_hidden(&of); i++)
    if (!clip_leaf(&of, i)) return false;
  return true;
}
