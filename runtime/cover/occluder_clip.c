/* What occluders hide, exactly: a facet cuts a fan's plane in a straight line, and what lies behind that line is hidden.
   Corners outside the plane are taken into it along the edges that cross it, so only corners are ever measured. */
#include "core/lanes.h"
#include "core/vec3.h"
#include "cover/fan.h"
#include "cover/occluder.h"

#define STACK 128

typedef struct clipping {
  lwi_fan fan;
  const lwi_occluders *occluders;
  bool soft;
  lwi_intervals *hidden; /* [2] One for each plane. */
} clipping;

/* --- facets -------------------------------------------------------------------------------------------------------- */

#define SPLAT(a, i) __builtin_shufflevector(a, a, i, i, i, i)
#define FIRST(a) __builtin_shufflevector(a, a, LWI_U, LWI_V, LWI_U, LWI_U)
#define SECOND(a) SPLAT(a, LWI_V)
#define SPREAD(a) __builtin_shufflevector(a, a, LWI_U, LWI_V, LWI_U, LWI_V)

/* Where a line in the fan hides something: between the fan's two sides, neither too near the eye nor at the segment. Sides
   of the fan are met exactly but for rounding. */
static bool hide(const clipping *of, int plane, lwi_float4 from, lwi_float4 to) {
  /* u, v, the way beyond the nearest, the way before the furthest; inside, none is below zero */
  const lwi_float4 first = {1, 1, 1, -1}, second = {0, 0, 1, -1},
                   least = {0, 0, -of->fan.nearest, of->fan.furthest[plane]};
  const lwi_float4 a = FIRST(from) * first + SECOND(from) * second + least,
                   b = FIRST(to) * first + SECOND(to) * second + least;
  if (lwi_signs4(a) & lwi_signs4(b)) return true;
  const lwi_float4 at = a / (a - b), zero = lwi_all4(0), one = lwi_all4(1);
  const float enter = lwi_highest4(lwi_where4(a < zero, at, zero)),
              leave = -lwi_highest4(-lwi_where4(b < zero, at, one));
  if (!(enter < leave)) return true;
  const lwi_float4 ends = SPREAD(from) + (SPREAD(to) - SPREAD(from)) * (lwi_float4){enter, enter, leave, leave};
  const float end = 1e-6f;
  float t0 = ends[1] / (ends[0] + ends[1]), t1 = ends[3] / (ends[2] + ends[3]);
  t0 = t0 < end ? 0 : t0 > 1 - end ? 1 : t0;
  t1 = t1 < end ? 0 : t1 > 1 - end ? 1 : t1;
  return lwi_intervals_add(&of->hidden[plane], t0 < t1 ? (lwi_interval){t0, t1} : (lwi_interval){t1, t0});
}

/* A facet's corners: heights over the planes, and coordinates, which count from the leaf's base, so that edges keep their
   directions. */
typedef struct facet_corners {
  lwi_float4 at[LWI_OCCLUDER_CORNERS];
  uint32_t count;
} facet_corners;

/* Where the plane cuts the edge from a corner to the next. */
static inline lwi_float4 cut_edge(const facet_corners *corners, uint32_t i, int plane) {
  const lwi_float4 a = corners->at[i], b = corners->at[i + 1 < corners->count ? i + 1 : 0], t = a / (a - b);
  return a + (b - a) * (plane ? SPLAT(t, LWI_OVER_TOO) : SPLAT(t, LWI_OVER));
}

/* @param crossing  Twice the numbers of the two edges that cross it, for a facet is convex. */
static inline bool clip_facet(const clipping *of, const facet_corners *corners, unsigned crossing, int plane,
                              lwi_float4 base) {
  const uint32_t first = (uint32_t)__builtin_ctz(crossing) / 2,
                 second = (uint32_t)__builtin_ctz(crossing & (crossing - 1)) / 2;
  return hide(of, plane, base + cut_edge(corners, first, plane), base + cut_edge(corners, second, plane));
}

/* Where in its block's vertices and in the fan a leaf is. */
typedef struct leaf_base {
  const uint16_t *vertices;
  lwi_int4 middle; /* one of the leaf's vertices: corners count from it, for numbers that are small are exact */
  lwi_float4 at;   /* its measures */
} leaf_base;

/* @return Edges that cross the first plane: even bits, and the second: odd ones. */
static inline unsigned measure_facet(const lwi_fan *fan, const leaf_base *base, const uint16_t *numbers,
                                     uint32_t count, unsigned planes, facet_corners *corners) {
  unsigned below = 0, outside = 0xf;
  corners->count = count;
  for (uint32_t i = 0; i < count; i++) {
    const lwi_float4 at =
        lwi_float_of_int4(lwi_shorts4(base->vertices + 3 * (size_t)numbers[i]) - base->middle);
    const lwi_float4 off = fan->x * SPLAT(at, 0) + fan->y * SPLAT(at, 1) + fan->z * SPLAT(at, 2),
                     sum = off + base->at;
    const unsigned signs = lwi_signs4(sum);
    corners->at[i] = __builtin_shufflevector(sum, off, 0, 1, 6, 7);
    outside &= signs;
    below |= (signs & planes) << 2 * i;
  }
  if (outside & (1 << LWI_U | 1 << LWI_V)) return 0;
  return below ^ (below >> 2 | (below & 3) << 2 * (count - 1));
}

static inline leaf_base open_leaf(const clipping *of, const uint16_t *leaf) {
  const lwi_occluder_block *block = &of->occluders->blocks[leaf[0]];
  const lwi_measures *exact = &of->fan.exact;
  leaf_base base = {.vertices = of->occluders->vertices + 3 * (size_t)block->first};
  lwi_int4 origin;
  memcpy(&origin, block->origin, sizeof origin); /* and one number more */
  base.middle = lwi_shorts4(base.vertices + 3 * (size_t)leaf[2]);
  const lwi_double4 at = __builtin_convertvector(origin + base.middle, lwi_double4);
  base.at = __builtin_convertvector(
      exact->x * SPLAT(at, 0) + exact->y * SPLAT(at, 1) + exact->z * SPLAT(at, 2) - exact->eye, lwi_float4);
  return base;
}

static bool clip_leaf(const clipping *of, uint32_t number, unsigned planes) {
  const uint16_t *at = of->occluders->numbers + of->occluders->leaves[number];
  const leaf_base base = open_leaf(of, at);
  const lwi_float4 on_map = __builtin_shufflevector(base.at, lwi_all4(0), 4, 5, 2, 3);
  for (uint32_t first = 0; !(first & LWI_FACET_LAST);) {
    facet_corners corners;
    first = *++at;
    const uint16_t *numbers = at + 1;
    at += first & LWI_FACET_COUNT;
    if (!of->soft && LWI_FACET_KIND(first) != LW_COVER_HARD) continue;
    const unsigned crossing =
        measure_facet(&of->fan, &base, numbers, first & LWI_FACET_COUNT, planes, &corners);
    if ((crossing & 0x5555) && !clip_facet(of, &corners, crossing & 0x5555, 0, on_map)) return false;
    if ((crossing & 0xaaaa) && !clip_facet(of, &corners, crossing & 0xaaaa, 1, on_map)) return false;
  }
  return true;
}

/* --- the tree ------------------------------------------------------------------------------------------------------ */

/* A part of the tree, which planes it meets, and which parameters it can hide. */
typedef struct branch {
  uint32_t child;
  unsigned planes;
  float t0, t1;
} branch;

static inline bool is_hidden(const lwi_intervals *hidden, float t0, float t1) {
  for (int i = 0; i < hidden->count && hidden->items[i].t0 <= t0; i++)
    if (hidden->items[i].t1 >= t1) return true;
  return false;
}

/* @return The planes in which something is left for it to hide. */
static inline unsigned left_for(const clipping *of, unsigned planes, float t0, float t1) {
  if ((planes & 1) && is_hidden(&of->hidden[0], t0, t1)) planes &= 2;
  if ((planes & 2) && is_hidden(&of->hidden[1], t0, t1)) planes &= 1;
  return planes;
}

/* Put the children onto the stack, the nearest on top: it is what hides most. @return The stack's depth. */
static int push_children(const clipping *of, const lwi_occluder_node *node, unsigned planes, branch *stack,
                         int depth) {
  lwi_boxes_met met;
  float keys[4];
  const int bottom = depth;
  of->fan.meet(&of->fan, node, &met);
  const unsigned first = planes & 1 ? met.first : 0, second = planes & 2 ? met.second : 0;
  for (unsigned bits = first | second; bits != 0; bits &= bits - 1) {
    const int i = __builtin_ctz(bits);
    int at = depth;
    if (node->children[i] == LWI_OCCLUDER_NONE) continue;
    for (; at > bottom && keys[at - bottom - 1] < met.least[i]; at--) {
      keys[at - bottom] = keys[at - bottom - 1];
      stack[at] = stack[at - 1];
    }
    keys[at - bottom] = met.least[i];
    stack[at] = (branch){node->children[i], (first >> i & 1) | (second >> i & 1) << 1, met.t0[i], met.t1[i]};
    depth++;
  }
  return depth;
}

static bool clip_tree(const clipping *of) {
  branch stack[STACK + 4];
  int depth = of->occluders->node_count > 0;
  stack[0] = (branch){0, of->fan.planes, 0, 1};
  while (depth > 0) {
    const branch part = stack[--depth];
    const unsigned planes = left_for(of, part.planes, part.t0, part.t1);
    if (!planes) continue;
    if (part.child & LWI_OCCLUDER_LEAF) {
      if (!clip_leaf(of, part.child & ~LWI_OCCLUDER_LEAF, planes)) return false;
    } else if (depth <= STACK)
      depth = push_children(of, &of->occluders->nodes[part.child], planes, stack, depth);
  }
  return true;
}

static bool clip_list(const clipping *of, lwi_leaf_list list) {
  for (uint32_t leaf = UINT32_MAX; lwi_leaf_list_next(&list, &leaf) && left_for(of, of->fan.planes, 0, 1);)
    if (!clip_leaf(of, leaf, of->fan.planes)) return false;
  return true;
}

/* Where there is no tree. */
static bool clip_leaves(const clipping *of) {
  for (uint32_t i = 0; i < of->occluders->leaf_count && left_for(of, of->fan.planes, 0, 1); i++)
    if (!clip_leaf(of, i, of->fan.planes)) return false;
  return true;
}

static bool clip(const clipping *of, const lwi_leaf_list *some) {
  if (some) return clip_list(of, *some);
  return of->occluders->node_count > 0 ? clip_tree(of) : clip_leaves(of);
}

/* --- segments ------------------------------------------------------------------------------------------------------ */

/* The eye looks along the segment, so there is no fan: what lies behind the first thing met is hidden, both ways. */
static bool clip_line(const lwi_occluders *occluders, const lwi_leaf_list *some, lw_vec3 eye, lw_vec3 from,
                      lw_vec3 to, bool soft, lwi_intervals *hidden) {
  lw_vec3 along = lwi_sub(to, from);
  float length2 = lwi_dot(along, along);
  float at =
      length2 > 0 ? lwi_dot(lwi_sub(eye, from), along) / length2 : 0; /* where the eye is, as a parameter */
  if (!(length2 > LWI_FAN_NEAR * LWI_FAN_NEAR)) {
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

bool lwi_occluders_clip_some(const lwi_occluders *occluders, const lwi_leaf_list *some, lw_vec3 eye,
                             lw_vec3 from, lw_vec3 to, bool soft, lwi_intervals *hidden) {
  clipping of;
  of.occluders = occluders;
  of.soft = soft;
  of.hidden = hidden;
  return lwi_fan_make(&of.fan, occluders, eye, from, to)
             ? clip(&of, some)
             : clip_line(occluders, some, eye, from, to, soft, hidden);
}

bool lwi_occluders_clip_two(const lwi_occluders *occluders, const lwi_leaf_list *some, lw_vec3 eye,
                            lw_vec3 from, lw_vec3 to, const float heights[2], bool soft,
                            lwi_intervals hidden[2]) {
  clipping of;
  of.occluders = occluders;
  of.soft = soft;
  of.hidden = hidden;
  if (lwi_fan_make_two(&of.fan, occluders, eye, from, to, heights)) return clip(&of, some);
  for (int i = 0; i < 2; i++) {
    const lw_vec3 up = {0, heights[i], 0};
    if (!lwi_occluders_clip_some(occluders, some, eye, lwi_add(from, up), lwi_add(to, up), soft, &hidden[i]))
      return false;
  }
  return true;
}

bool lwi_occluders_clip(const lwi_occluders *occluders, lw_vec3 eye, lw_vec3 from, lw_vec3 to, bool soft,
                        lwi_intervals *hidden) {
  return lwi_occluders_clip_some(occluders, NULL, eye, from, to, soft, hidden);
}
