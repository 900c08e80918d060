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

static lw_vec3 absolute(lw_vec3 a) {
  return lwi_vec3(fabsf(a.x), fabsf(a.y), fabsf(a.z));
}

typedef struct dvec3 {
  double x, y, z;
} dvec3;

typedef struct fan {
  const lwi_occluders *occluders;
  bool soft;
  lw_vec3 eye;          /* relative to the origin */
  lw_vec3 normal, u, v; /* height over the plane, and the two coordinates, are products with these */
  dvec3 exact_normal, exact_u, exact_v; /* the same to the last digit, for what is far from the eye */
  lw_vec3 min, max;                     /* about the triangle, relative to the eye */
  float nearest, furthest;              /* parts of the way between which things hide */
  lwi_intervals *hidden;
} fan;

/* The same for four boxes at a time: one number in all lanes. */
typedef struct fan_lanes {
  lwi_lane_vec3 min, max;
  lwi_lane_vec3 normal, u, v, normal_size, u_size, v_size;
} fan_lanes;

static lwi_lane_vec3 in_lanes(lw_vec3 a) {
  return (lwi_lane_vec3){lwi_all4(a.x), lwi_all4(a.y), lwi_all4(a.z)};
}

static lwi_float4 lanes_dot(const lwi_lane_vec3 *a, const lwi_lane_vec3 *b) {
  return a->x * b->x + a->y * b->y + a->z * b->z;
}

static fan_lanes spread(const fan *of) {
  return (fan_lanes){.min = in_lanes(of->min),
                     .max = in_lanes(of->max),
                     .normal = in_lanes(of->normal),
                     .u = in_lanes(of->u),
                     .v = in_lanes(of->v),
                     .normal_size = in_lanes(absolute(of->normal)),
                     .u_size = in_lanes(absolute(of->u)),
                     .v_size = in_lanes(absolute(of->v))};
}

/* What four boxes can hide. */
typedef struct boxes_met {
  unsigned bits;      /* of those that meet the triangle */
  float least[4];     /* no part of the box is nearer, as a part of the way */
  float t0[4], t1[4]; /* between these parameters */
} boxes_met;

/* Do the boxes meet the triangle's plane, its two sides at the eye, and the near side of the segment? */
static void meet_boxes(const fan_lanes *of, lwi_lane_vec3 low, lwi_lane_vec3 high, boxes_met *met) {
  lwi_float4 apart = lwi_max4(lwi_max4(low.x - of->max.x, of->min.x - high.x),
                              lwi_max4(low.y - of->max.y, of->min.y - high.y));
  apart = lwi_max4(apart, lwi_max4(low.z - of->max.z, of->min.z - high.z));
  const lwi_float4 half = lwi_all4(0.5f), zero = lwi_all4(0);
  lwi_lane_vec3 middle = {(low.x + high.x) * half, (low.y + high.y) * half, (low.z + high.z) * half};
  lwi_lane_vec3 reach = {(high.x - low.x) * half, (high.y - low.y) * half, (high.z - low.z) * half};
  lwi_float4 over = lanes_dot(&of->normal, &middle);
  apart = lwi_max4(apart, lwi_max4(over, -over) - lanes_dot(&of->normal_size, &reach));
  lwi_float4 u = lanes_dot(&of->u, &middle), v = lanes_dot(&of->v, &middle);
  lwi_float4 reach_u = lanes_dot(&of->u_size, &reach), reach_v = lanes_dot(&of->v_size, &reach);
  lwi_float4 u0 = u - reach_u, u1 = u + reach_u, v0 = v - reach_v, v1 = v + reach_v;
  apart = lwi_max4(apart, lwi_max4(-u1, -v1));
  lwi_float4 least = u0 + v0;
  apart = lwi_max4(apart, least - lwi_all4(1));
  met->bits = lwi_signs4(apart - lwi_all4(1e-20f)); /* apart <= 0 */
  u0 = lwi_max4(u0, zero);
  v0 = lwi_max4(v0, zero);
  lwi_float4 t0 = v0 / (v0 + u1), t1 = v1 / (v1 + u0);
  memcpy(met->least, &least, sizeof least);
  memcpy(met->t0, &t0, sizeof t0);
  memcpy(met->t1, &t1, sizeof t1);
}

/* Which parameter a place in the fan hides. Sides of the fan are met exactly but for rounding. */
static float hidden_parameter(float u, float v) {
  const float end = 1e-6f;
  float t = v / (u + v);
  return t < end ? 0 : t > 1 - end ? 1 : t;
}

/* A line in the fan from (u0, v0) to (u1, v1), cut to where it hides something: within the fan's two sides, neither too near
   the eye nor at the segment. */
static bool hide(const fan *of, float u0, float v0, float u1, float v1) {
  lwi_float4 a = {u0, v0, u0 + v0 - of->nearest, of->furthest - u0 - v0},
             b = {u1, v1, u1 + v1 - of->nearest, of->furthest - u1 - v1}, at = a / (a - b);
  unsigned enters = lwi_signs4(a), leaves = lwi_signs4(b);
  if (enters & leaves) return true;
  float from = 0, to = 1;
  for (; enters != 0; enters &= enters - 1) from = lwi_most(from, at[__builtin_ctz(enters)]);
  for (; leaves != 0; leaves &= leaves - 1) to = lwi_least(to, at[__builtin_ctz(leaves)]);
  if (!(from < to)) return true;
  float ua = u0 + (u1 - u0) * from, va = v0 + (v1 - v0) * from, ub = u0 + (u1 - u0) * to,
        vb = v0 + (v1 - v0) * to;
  float ta = hidden_parameter(ua, va), tb = hidden_parameter(ub, vb);
  return lwi_intervals_add(of->hidden, ta < tb ? (lwi_interval){ta, tb} : (lwi_interval){tb, ta});
}

/* Where a leaf's corners count from, in the fan: rounded once for all, so that edges keep their directions. */
typedef struct leaf_base {
  float over, u, v;
} leaf_base;

/* Where the plane cuts the edge between two corners, in the fan. */
static void cut_edge(const fan *of, const leaf_base *base, lw_vec3 a, lw_vec3 b, float over_a, float over_b,
                     float *u, float *v) {
  float t = over_a / (over_a - over_b), ua = lwi_dot(of->u, a), va = lwi_dot(of->v, a);
  *u = base->u + (ua + (lwi_dot(of->u, b) - ua) * t);
  *v = base->v + (va + (lwi_dot(of->v, b) - va) * t);
}

/* Corners of a facet, relative to its leaf's base. */
typedef struct facet_corners {
  float x[LWI_OCCLUDER_CORNERS], y[LWI_OCCLUDER_CORNERS], z[LWI_OCCLUDER_CORNERS], over[LWI_OCCLUDER_CORNERS];
} facet_corners;

static bool clip_facet(const fan *of, const fan_lanes *lanes, const lwi_leaf *leaf, const leaf_base *base,
                       const lwi_leaf_facet *facet) {
  const uint32_t count = facet->count;
  facet_corners at;
  unsigned below = 0;
  for (uint32_t i = 0; i < count; i += 4) {
    lwi_lane_vec3 corners;
    lwi_leaf_offsets(leaf, facet, of->occluders->quantum, i, &corners);
    lwi_float4 over = lwi_all4(base->over) + lanes_dot(&lanes->normal, &corners);
    memcpy(at.x + i, &corners.x, sizeof over);
    memcpy(at.y + i, &corners.y, sizeof over);
    memcpy(at.z + i, &corners.z, sizeof over);
    memcpy(at.over + i, &over, sizeof over);
    below |= lwi_signs4(over) << i;
  }
  unsigned all = (1U << count) - 1;
  below &= all;
  if (below == 0 || below == all) return true;
  /* Edges that cross the plane: two, for a facet is convex. */
  unsigned crossing = below ^ ((below >> 1 | below << (count - 1)) & all);
  float u[2], v[2];
  for (int k = 0; k < 2; k++, crossing &= crossing - 1) {
    uint32_t i = (uint32_t)__builtin_ctz(crossing), next = i + 1 < count ? i + 1 : 0;
    cut_edge(of, base, lwi_vec3(at.x[i], at.y[i], at.z[i]), lwi_vec3(at.x[next], at.y[next], at.z[next]),
             at.over[i], at.over[next], &u[k], &v[k]);
  }
  return hide(of, u[0], v[0], u[1], v[1]);
}

static float project(dvec3 axis, const double place[3]) {
  return (float)(axis.x * place[0] + axis.y * place[1] + axis.z * place[2]);
}

static bool clip_leaf(const fan *of, const fan_lanes *lanes, uint32_t number) {
  lwi_leaf leaf = lwi_leaf_open(of->occluders, number, of->eye);
  const leaf_base base = {project(of->exact_normal, leaf.place), project(of->exact_u, leaf.place),
                          project(of->exact_v, leaf.place)};
  for (lwi_leaf_facet facet; lwi_leaf_next(&leaf, &facet);)
    if ((of->soft || facet.kind == LW_COVER_HARD) && !clip_facet(of, lanes, &leaf, &base, &facet)) return false;
  return true;
}

/* A part of the tree, and which parameters it can hide. */
typedef struct branch {
  uint32_t child;
  float t0, t1;
} branch;

/* Nothing is left for it to hide, give or take what its parameters are rounded by. */
static bool is_hidden(const lwi_intervals *hidden, float t0, float t1) {
  const float slack = 2e-5f;
  t0 = lwi_most(t0 - slack, 0);
  t1 = lwi_least(t1 + slack, 1);
  for (int i = 0; i < hidden->count && hidden->items[i].t0 <= t0; i++)
    if (hidden->items[i].t1 >= t1) return true;
  return false;
}

/* Put the children onto the stack, the nearest on top: it is what hides most. @return The stack's depth. */
static int push_children(const fan *of, const fan_lanes *lanes, const lwi_occluder_node *node, branch *stack,
                         int depth) {
  boxes_met met;
  float keys[4];
  const int bottom = depth;
  lwi_lane_vec3 low, high;
  lwi_node_boxes(of->occluders, node, of->eye, &low, &high);
  meet_boxes(lanes, low, high, &met);
  for (unsigned bits = met.bits; bits != 0; bits &= bits - 1) {
    int i = __builtin_ctz(bits), at = depth;
    if (node->children[i] == LWI_OCCLUDER_NONE || is_hidden(of->hidden, met.t0[i], met.t1[i])) continue;
    for (; at > bottom && keys[at - bottom - 1] < met.least[i]; at--) {
      keys[at - bottom] = keys[at - bottom - 1];
      stack[at] = stack[at - 1];
    }
    keys[at - bottom] = met.least[i];
    stack[at] = (branch){node->children[i], met.t0[i], met.t1[i]};
    depth++;
  }
  return depth;
}

static bool clip_list(const fan *of, lwi_leaf_list list) {
  const fan_lanes lanes = spread(of);
  for (uint32_t leaf = UINT32_MAX; lwi_leaf_list_next(&list, &leaf) && !is_hidden(of->hidden, 0, 1);)
    if (!clip_leaf(of, &lanes, leaf)) return false;
  return true;
}

/* Where there is no tree. */
static bool clip_leaves(const fan *of) {
  const fan_lanes lanes = spread(of);
  for (uint32_t i = 0; i < of->occluders->leaf_count && !is_hidden(of->hidden, 0, 1); i++)
    if (!clip_leaf(of, &lanes, i)) return false;
  return true;
}

static bool clip_tree(const fan *of) {
  branch stack[STACK + 4];
  const fan_lanes lanes = spread(of);
  int depth = of->occluders->node_count > 0;
  stack[0] = (branch){0, 0, 1};
  while (depth > 0) {
    const branch part = stack[--depth];
    if (is_hidden(of->hidden, part.t0, part.t1)) continue;
    if (!(part.child & LWI_OCCLUDER_LEAF))
      depth =
          depth <= STACK ? push_children(of, &lanes, &of->occluders->nodes[part.child], stack, depth) : depth;
    else if (!clip_leaf(of, &lanes, part.child & ~LWI_OCCLUDER_LEAF))
      return false;
  }
  return true;
}

/* --- fans ---------------------------------------------------------------------------------------------------------- */

/* The eye looks along the segment, so there is no fan: what lies behind the first thing met is hidden, both ways. */
static bool clip_line(const lwi_occluders *occluders, const lwi_leaf_list *some, lw_vec3 eye, lw_vec3 from,
                      lw_vec3 to, bool soft, lwi_intervals *hidden) {
  lw_vec3 along = lwi_sub(to, from);
  float length2 = lwi_dot(along, along);
  float at =
      length2 > 0 ? lwi_dot(lwi_sub(eye, from), along) / length2 : 0; /* where the eye is, as a parameter */
  if (!(length2 > NEAR * NEAR)) {
    if (lwi_occluders_ray_some(occluders, some, eye, from, soft) >= 1) return true;
    return lwi_intervals_add(hidden, (lwi_interval){0, 1});
  }
  if (at > 0) { /* towards `from` */
    float seen = lwi_occluders_ray_some(occluders, some, eye, from, soft), edge = at - at * seen;
    if (seen < 1 && !lwi_intervals_add(hidden, (lwi_interval){0, edge < 1 ? edge : 1})) return false;
  }
  if (at < 1) {
    float seen = lwi_occluders_ray_some(occluders, some, eye, to, soft), edge = at + (1 - at) * seen;
    if (seen < 1 && !lwi_intervals_add(hidden, (lwi_interval){edge > 0 ? edge : 0, 1})) return false;
  }
  return true;
}

static float lowest(float a, float b) {
  return lwi_least(0, lwi_least(a, b));
}

static dvec3 between(lw_vec3 from, lw_vec3 to) {
  return (dvec3){(double)to.x - from.x, (double)to.y - from.y, (double)to.z - from.z};
}
static dvec3 cross(dvec3 a, dvec3 b) {
  return (dvec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static double length2(dvec3 a) {
  return a.x * a.x + a.y * a.y + a.z * a.z;
}
static dvec3 shrink(dvec3 a, double by) {
  return (dvec3){a.x / by, a.y / by, a.z / by};
}
static lw_vec3 rounded(dvec3 a) {
  return lwi_vec3((float)a.x, (float)a.y, (float)a.z);
}

/* The fan's axes in doubles: a fan may be slender, and all that it meets is measured by them. */
bool lwi_occluders_clip_some(const lwi_occluders *occluders, const lwi_leaf_list *some, lw_vec3 eye,
                             lw_vec3 from, lw_vec3 to, bool soft, lwi_intervals *hidden) {
  dvec3 a = between(eye, from), b = between(eye, to), normal = cross(a, b);
  double area2 = length2(normal), length = sqrt(length2(between(from, to))), area = sqrt(area2);
  /* The eye within a millimetre of the segment's line, or the segment a point. */
  if (!(area > (double)NEAR * length) || !(length > (double)NEAR))
    return clip_line(occluders, some, eye, from, to, soft, hidden);
  fan of = {.occluders = occluders, .soft = soft, .eye = lwi_sub(eye, occluders->origin), .hidden = hidden};
  of.exact_u = shrink(cross(b, normal), area2);
  of.exact_v = shrink(cross(normal, a), area2);
  of.exact_normal = shrink(normal, area);
  of.u = rounded(of.exact_u);
  of.v = rounded(of.exact_v);
  of.normal = rounded(of.exact_normal);
  of.nearest = (float)((double)NEAR / sqrt(fmax(length2(a), length2(b))));
  of.furthest = (float)(1 - (double)NEAR * length / area); /* as far as the eye is from the segment's line */
  lw_vec3 left = lwi_sub(from, eye), right = lwi_sub(to, eye);
  of.min = lwi_vec3(lowest(left.x, right.x), lowest(left.y, right.y), lowest(left.z, right.z));
  of.max = lwi_vec3(-lowest(-left.x, -right.x), -lowest(-left.y, -right.y), -lowest(-left.z, -right.z));
  if (some) return clip_list(&of, *some);
  return occluders->node_count > 0 ? clip_tree(&of) : clip_leaves(&of);
}

bool lwi_occluders_clip(const lwi_occluders *occluders, lw_vec3 eye, lw_vec3 from, lw_vec3 to, bool soft,
                        lwi_intervals *hidden) {
  return lwi_occluders_clip_some(occluders, NULL, eye, from, to, soft, hidden);
}
