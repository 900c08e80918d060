/* What occluders hide, exactly. The triangle of eye and segment is a fan of lines of sight; a facet cuts the fan's plane in a
   straight line, and what lies behind that line is hidden.

   Within the fan a place is E + u (A - E) + v (B - E): on the line of sight to parameter v / (u + v) of the segment, at
   u + v of the way. Corners outside the plane are taken into it along the edges that cross it, so only corners are ever
   projected, four at a time. */
#include "cover/occluder.h"

#include "core/lanes.h"
#include "core/vec3.h"
#include "cover/leaf.h"

#include <string.h>

/* Nothing hides what is so near behind it or so near before the eye: surfaces that one stands at. [m] */
#define NEAR 1e-3f
#define STACK 128

static lwi_float4 lane_dot(lw_vec3 a, const lwi_lane_vec3 *b) {
  return lwi_all4(a.x) * b->x + lwi_all4(a.y) * b->y + lwi_all4(a.z) * b->z;
}

static lw_vec3 absolute(lw_vec3 a) {
  return lwi_vec3(fabsf(a.x), fabsf(a.y), fabsf(a.z));
}

typedef struct fan {
  const lwi_occluders *occluders;
  bool soft;
  lw_vec3 eye; /* relative to the origin */
  lw_vec3 normal, u,
      v; /* height over the plane (not of length 1), and the two coordinates, are products with these */
  lw_vec3 min, max;        /* about the triangle, relative to the origin */
  float nearest, furthest; /* parts of the way between which things hide */
  lwi_intervals *hidden;
} fan;

/* Does the box meet the triangle's plane, its two sides at the eye, and the near side of the segment?
   @param[out] nearest  No part of the box is nearer, as a part of the way. @return Bits of the children of which it does. */
static unsigned meet_boxes(const fan *of, const lwi_occluder_node *node, float nearest[4]) {
  lwi_lane_vec3 low = {lwi_load4(node->min[0]), lwi_load4(node->min[1]), lwi_load4(node->min[2])};
  lwi_lane_vec3 high = {lwi_load4(node->max[0]), lwi_load4(node->max[1]), lwi_load4(node->max[2])};
  lwi_float4 apart = lwi_max4(lwi_max4(low.x - lwi_all4(of->max.x), lwi_all4(of->min.x) - high.x),
                              lwi_max4(low.y - lwi_all4(of->max.y), lwi_all4(of->min.y) - high.y));
  apart = lwi_max4(apart, lwi_max4(low.z - lwi_all4(of->max.z), lwi_all4(of->min.z) - high.z));
  const lwi_float4 half = lwi_all4(0.5f);
  lwi_lane_vec3 middle = {(low.x + high.x) * half - lwi_all4(of->eye.x),
                          (low.y + high.y) * half - lwi_all4(of->eye.y),
                          (low.z + high.z) * half - lwi_all4(of->eye.z)};
  lwi_lane_vec3 reach = {(high.x - low.x) * half, (high.y - low.y) * half, (high.z - low.z) * half};
  lwi_float4 over = lane_dot(of->normal, &middle);
  apart = lwi_max4(apart, lwi_max4(over, -over) - lane_dot(absolute(of->normal), &reach));
  lwi_float4 u = lane_dot(of->u, &middle), v = lane_dot(of->v, &middle);
  lwi_float4 reach_u = lane_dot(absolute(of->u), &reach), reach_v = lane_dot(absolute(of->v), &reach);
  apart = lwi_max4(apart, lwi_max4(-u - reach_u, -v - reach_v));
  lwi_float4 least = u + v - reach_u - reach_v;
  memcpy(nearest, &least, sizeof least);
  apart = lwi_max4(apart, least - lwi_all4(1));
  return lwi_signs4(apart - lwi_all4(1e-20f)); /* apart <= 0 */
}

/* Which parameter a place in the fan hides. Sides of the fan are met exactly but for rounding. */
static float hidden_parameter(float u, float v) {
  const float end = 1e-6f;
  float t = v / (u + v);
  return t < end ? 0 : t > 1 - end ? 1 : t;
}

/* A line in the fan from (u0, v0) to (u1, v1), cut to where it hides something. */
static bool hide(const fan *of, float u0, float v0, float u1, float v1) {
  const float values[4][2] = {{u0, u1},
                              {v0, v1},
                              {u0 + v0 - of->nearest, u1 + v1 - of->nearest},
                              {of->furthest - u0 - v0, of->furthest - u1 - v1}};
  float from = 0, to = 1;
  for (int i = 0; i < 4; i++) {
    float a = values[i][0], b = values[i][1];
    if (a < 0 && b < 0) return true;
    float at = a / (a - b);
    if (a < 0 && at > from) from = at;
    if (b < 0 && at < to) to = at;
  }
  if (!(from < to)) return true;
  float ua = u0 + (u1 - u0) * from, va = v0 + (v1 - v0) * from, ub = u0 + (u1 - u0) * to,
        vb = v0 + (v1 - v0) * to;
  float ta = hidden_parameter(ua, va), tb = hidden_parameter(ub, vb);
  return lwi_intervals_add(of->hidden, ta < tb ? (lwi_interval){ta, tb} : (lwi_interval){tb, ta});
}

/* Corners of a facet of a leaf, relative to the eye. */
typedef struct facet_corners {
  float over[LWI_OCCLUDER_CORNERS], u[LWI_OCCLUDER_CORNERS], v[LWI_OCCLUDER_CORNERS];
} facet_corners;

static bool clip_facet(const fan *of, const lwi_leaf_facet *facet, lw_vec3 base) {
  const uint32_t count = facet->count;
  facet_corners at;
  unsigned below = 0;
  for (uint32_t i = 0; i < count; i += 4) {
    lwi_lane_vec3 corners;
    lwi_leaf_corners(facet, base, of->occluders->quantum, i, &corners);
    lwi_float4 over = lane_dot(of->normal, &corners), u = lane_dot(of->u, &corners),
               v = lane_dot(of->v, &corners);
    memcpy(at.over + i, &over, sizeof over);
    memcpy(at.u + i, &u, sizeof u);
    memcpy(at.v + i, &v, sizeof v);
    below |= lwi_signs4(over) << i;
  }
  unsigned all = (1U << count) - 1;
  below &= all;
  if (below == 0 || below == all) return true;
  float u[2], v[2];
  int found = 0;
  for (uint32_t i = 0; i < count && found < 2; i++) {
    uint32_t k = i + 1 < count ? i + 1 : 0;
    if ((below >> i & 1) == (below >> k & 1)) continue;
    float t = at.over[i] / (at.over[i] - at.over[k]);
    u[found] = at.u[i] + (at.u[k] - at.u[i]) * t;
    v[found++] = at.v[i] + (at.v[k] - at.v[i]) * t;
  }
  return hide(of, u[0], v[0], u[1], v[1]);
}

static bool clip_leaf(const fan *of, const lwi_occluder_leaf *leaf) {
  const uint16_t *at;
  lw_vec3 base = lwi_leaf_base(of->occluders, leaf, of->eye);
  for (uint32_t left = lwi_leaf_begin(of->occluders, leaf, &at); left > 0; left--) {
    lwi_leaf_facet facet = lwi_leaf_next(&at);
    if ((of->soft || !facet.soft) && !clip_facet(of, &facet, base)) return false;
  }
  return true;
}

static bool is_all_hidden(const fan *of) {
  return of->hidden->count == 1 && of->hidden->items[0].t0 <= 0 && of->hidden->items[0].t1 >= 1;
}

/* Put the children onto the stack, the nearest on top: it is what hides most. @return The stack's depth. */
static int push_children(const fan *of, const lwi_occluder_node *node, uint32_t *stack, int depth) {
  float nearest[4], keys[4];
  const int bottom = depth;
  for (unsigned meets = meet_boxes(of, node, nearest); meets != 0; meets &= meets - 1) {
    int i = __builtin_ctz(meets), at = depth;
    if (node->children[i] == LWI_OCCLUDER_NONE) continue;
    for (; at > bottom && keys[at - bottom - 1] < nearest[i]; at--) {
      keys[at - bottom] = keys[at - bottom - 1];
      stack[at] = stack[at - 1];
    }
    keys[at - bottom] = nearest[i];
    stack[at] = node->children[i];
    depth++;
  }
  return depth;
}

static bool clip_list(const fan *of, lwi_leaf_list list) {
  for (uint32_t leaf = UINT32_MAX; lwi_leaf_list_next(&list, &leaf) && !is_all_hidden(of);)
    if (!clip_leaf(of, &of->occluders->leaves[leaf])) return false;
  return true;
}

/* Where there is no tree. */
static bool clip_leaves(const fan *of) {
  for (uint32_t i = 0; i < of->occluders->leaf_count && !is_all_hidden(of); i++)
    if (!clip_leaf(of, &of->occluders->leaves[i])) return false;
  return true;
}

static bool clip_tree(const fan *of) {
  uint32_t stack[STACK + 4] = {0};
  int depth = of->occluders->node_count > 0;
  while (depth > 0 && !is_all_hidden(of)) {
    uint32_t child = stack[--depth];
    if (!(child & LWI_OCCLUDER_LEAF))
      depth = depth <= STACK ? push_children(of, &of->occluders->nodes[child], stack, depth) : depth;
    else if (!clip_leaf(of, &of->occluders->leaves[child & ~LWI_OCCLUDER_LEAF]))
      return false;
  }
  return true;
}

/* --- lines of sight ------------------------------------------------------------------------------------------------ */

typedef struct sight {
  const lwi_occluders *occluders;
  bool soft;
  lw_vec3 eye, way; /* eye: relative to the origin */
  float nearest;    /* nothing nearer hides, as a part of the way */
  float reach;      /* as far as one sees */
} sight;

static unsigned cross_boxes(const sight *of, const lwi_occluder_node *node) {
  const float *eye = &of->eye.x, *way = &of->way.x;
  lwi_float4 enter = lwi_all4(0), leave = lwi_all4(of->reach);
  for (int axis = 0; axis < 3; axis++) {
    /* A way along the box's side: far outside, or through all of it. */
    float slope = fabsf(way[axis]) > 1e-12f ? 1 / way[axis] : 1e12f;
    lwi_float4 a = (lwi_load4(node->min[axis]) - lwi_all4(eye[axis] + NEAR)) * lwi_all4(slope);
    lwi_float4 b = (lwi_load4(node->max[axis]) - lwi_all4(eye[axis] - NEAR)) * lwi_all4(slope);
    enter = lwi_max4(enter, -lwi_max4(-a, -b));
    leave = -lwi_max4(-leave, -lwi_max4(a, b));
  }
  return lwi_signs4(enter - leave - lwi_all4(1e-20f));
}

/* Where the line of sight meets the facet, if nearer than what it met before. */
static void look_at_facet(sight *of, const lwi_leaf_facet *facet, lw_vec3 base) {
  const uint16_t *numbers = facet->numbers;
  const uint32_t count = facet->count;
  lw_vec3 corners[LWI_OCCLUDER_CORNERS], normal = {0, 0, 0};
  const float q = of->occluders->quantum;
  for (uint32_t i = 0; i < count; i++)
    corners[i] = lwi_vec3(base.x + (float)numbers[i] * q, base.y + (float)numbers[count + i] * q,
                          base.z + (float)numbers[2 * count + i] * q);
  for (uint32_t i = 2; i < count; i++)
    normal = lwi_add(normal, lwi_cross(lwi_sub(corners[i - 1], corners[0]), lwi_sub(corners[i], corners[0])));
  float along = lwi_dot(normal, of->way);
  if (along == 0) return;
  float t = lwi_dot(normal, corners[0]) / along;
  if (!(t > of->nearest && t < of->reach)) return;
  lw_vec3 point = lwi_scale(of->way, t);
  for (uint32_t i = 0; i < count; i++) {
    lw_vec3 a = corners[i], b = corners[i + 1 < count ? i + 1 : 0];
    if (lwi_dot(lwi_cross(lwi_sub(b, a), lwi_sub(point, a)), normal) < 0) return;
  }
  of->reach = t;
}

static void look_at_leaf(sight *of, const lwi_occluder_leaf *leaf) {
  const uint16_t *at;
  lw_vec3 base = lwi_leaf_base(of->occluders, leaf, of->eye);
  for (uint32_t left = lwi_leaf_begin(of->occluders, leaf, &at); left > 0; left--) {
    lwi_leaf_facet facet = lwi_leaf_next(&at);
    if (of->soft || !facet.soft) look_at_facet(of, &facet, base);
  }
}

/* Begin to look. @return false: the target is where the eye is. */
static bool look(const lwi_occluders *occluders, lw_vec3 eye, lw_vec3 target, bool soft, sight *of) {
  lw_vec3 way = lwi_sub(target, eye);
  float length = lwi_length(way);
  *of = (sight){occluders, soft, lwi_sub(eye, occluders->origin), way, NEAR / length, 1 - NEAR / length};
  return length > 2 * NEAR;
}

static float look_through_list(const lwi_occluders *occluders, lwi_leaf_list list, lw_vec3 eye, lw_vec3 target,
                               bool soft) {
  sight of;
  if (!look(occluders, eye, target, soft, &of)) return 1;
  const float whole = of.reach;
  for (uint32_t leaf = UINT32_MAX; lwi_leaf_list_next(&list, &leaf);)
    look_at_leaf(&of, &occluders->leaves[leaf]);
  return of.reach < whole ? of.reach : 1;
}

int lwi_occluders_pierce(const lwi_occluders *occluders, lw_vec3 eye, lw_vec3 target, bool soft,
                         uint32_t *leaves, int capacity) {
  sight of;
  if (!look(occluders, eye, target, soft, &of)) return 0;
  const float whole = of.reach;
  uint32_t stack[STACK] = {0};
  int depth = occluders->node_count > 0, count = 0;
  while (depth > 0) {
    const lwi_occluder_node *node = &occluders->nodes[stack[--depth]];
    for (unsigned meets = cross_boxes(&of, node); meets != 0; meets &= meets - 1) {
      uint32_t child = node->children[__builtin_ctz(meets)];
      if (child == LWI_OCCLUDER_NONE) continue;
      if (!(child & LWI_OCCLUDER_LEAF)) {
        if (depth < STACK) stack[depth++] = child;
        continue;
      }
      of.reach = whole;
      look_at_leaf(&of, &occluders->leaves[child & ~LWI_OCCLUDER_LEAF]);
      if (of.reach < whole && count < capacity) leaves[count++] = child & ~LWI_OCCLUDER_LEAF;
      of.reach = whole;
    }
  }
  return count;
}

float lwi_occluders_ray(const lwi_occluders *occluders, lw_vec3 eye, lw_vec3 target, bool soft) {
  sight of;
  if (!look(occluders, eye, target, soft, &of)) return 1;
  const float whole = of.reach;
  for (uint32_t i = 0; i < occluders->leaf_count && occluders->node_count == 0; i++)
    look_at_leaf(&of, &occluders->leaves[i]);
  uint32_t stack[STACK] = {0};
  int depth = occluders->node_count > 0;
  while (depth > 0) {
    const lwi_occluder_node *node = &occluders->nodes[stack[--depth]];
    for (unsigned meets = cross_boxes(&of, node); meets != 0; meets &= meets - 1) {
      uint32_t child = node->children[__builtin_ctz(meets)];
      if (child == LWI_OCCLUDER_NONE) continue;
      if (child & LWI_OCCLUDER_LEAF)
        look_at_leaf(&of, &occluders->leaves[child & ~LWI_OCCLUDER_LEAF]);
      else if (depth < STACK)
        stack[depth++] = child;
    }
  }
  return of.reach < whole ? of.reach : 1;
}

/* --- fans ---------------------------------------------------------------------------------------------------------- */

/* The eye looks along the segment, so there is no fan: what lies behind the first thing met is hidden, both ways. */
static float see(const lwi_occluders *occluders, const lwi_leaf_list *some, lw_vec3 eye, lw_vec3 target,
                 bool soft) {
  if (some) return look_through_list(occluders, *some, eye, target, soft);
  return lwi_occluders_ray(occluders, eye, target, soft);
}

static bool clip_line(const lwi_occluders *occluders, const lwi_leaf_list *some, lw_vec3 eye, lw_vec3 from,
                      lw_vec3 to, bool soft, lwi_intervals *hidden) {
  lw_vec3 along = lwi_sub(to, from);
  float length2 = lwi_dot(along, along);
  float at =
      length2 > 0 ? lwi_dot(lwi_sub(eye, from), along) / length2 : 0; /* where the eye is, as a parameter */
  if (!(length2 > NEAR * NEAR)) {
    if (see(occluders, some, eye, from, soft) >= 1) return true;
    return lwi_intervals_add(hidden, (lwi_interval){0, 1});
  }
  if (at > 0) { /* towards `from` */
    float seen = see(occluders, some, eye, from, soft), edge = at - at * seen;
    if (seen < 1 && !lwi_intervals_add(hidden, (lwi_interval){0, edge < 1 ? edge : 1})) return false;
  }
  if (at < 1) {
    float seen = see(occluders, some, eye, to, soft), edge = at + (1 - at) * seen;
    if (seen < 1 && !lwi_intervals_add(hidden, (lwi_interval){edge > 0 ? edge : 0, 1})) return false;
  }
  return true;
}

bool lwi_occluders_clip_some(const lwi_occluders *occluders, const lwi_leaf_list *some, lw_vec3 eye,
                             lw_vec3 from, lw_vec3 to, bool soft, lwi_intervals *hidden) {
  lw_vec3 a = lwi_sub(from, eye), b = lwi_sub(to, eye), normal = lwi_cross(a, b);
  float area2 = lwi_dot(normal, normal), longest = fmaxf(lwi_length(a), lwi_length(b));
  float length = lwi_distance(from, to);
  /* The eye within a millimetre of the segment's line, or the segment a point. */
  if (!(area2 > NEAR * NEAR * length * length) || !(length > NEAR))
    return clip_line(occluders, some, eye, from, to, soft, hidden);
  fan of = {.occluders = occluders, .soft = soft, .eye = lwi_sub(eye, occluders->origin), .hidden = hidden};
  of.u = lwi_scale(lwi_cross(b, normal), 1 / area2);
  of.v = lwi_scale(lwi_cross(normal, a), 1 / area2);
  of.normal = lwi_scale(normal, 1 / sqrtf(area2));
  of.nearest = NEAR / longest;
  of.furthest = 1 - NEAR * length / sqrtf(area2); /* as far as the eye is from the segment's line */
  lw_box box =
      lwi_box_add(lwi_box_add(lwi_box_add(lwi_box_empty(), of.eye), lwi_add(of.eye, a)), lwi_add(of.eye, b));
  of.min = box.min;
  of.max = box.max;
  if (some) return clip_list(&of, *some);
  return occluders->node_count > 0 ? clip_tree(&of) : clip_leaves(&of);
}

bool lwi_occluders_clip(const lwi_occluders *occluders, lw_vec3 eye, lw_vec3 from, lw_vec3 to, bool soft,
                        lwi_intervals *hidden) {
  return lwi_occluders_clip_some(occluders, NULL, eye, from, to, soft, hidden);
}
