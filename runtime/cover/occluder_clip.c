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
  unsigned hits;         /* how often something more was hidden */
} clipping;

static inline bool is_hidden(const lwi_intervals *hidden, float t0, float t1) {
  for (int i = 0; i < hidden->count && hidden->items[i].t0 <= t0; i++)
    if (hidden->items[i].t1 >= t1) return true;
  return false;
}

/* --- facets -------------------------------------------------------------------------------------------------------- */

#define SPLAT(a, i) __builtin_shufflevector(a, a, i, i, i, i)

/* Where a line in the fan hides something: between the fan's two sides, neither too near the eye nor at the segment. Sides
   of the fan are met exactly but for rounding.
   @param from, to  Its ends' coordinates, so many times as large. @param times  Above zero. */
static bool hide(clipping *of, int plane, lwi_float4 from, lwi_float4 to, lwi_float4 times) {
  /* u, v, how far beyond the nearest, how far before the furthest: inside, none is below zero. */
  const lwi_float4 by_u = {1, 1, 1, -1}, by_v = {0, 0, 1, -1},
                   least = (lwi_float4){0, 0, -of->fan.nearest, of->fan.furthest[plane]} * times;
  const lwi_float4 a = __builtin_shufflevector(from, from, LWI_U, LWI_V, LWI_U, LWI_U) * by_u +
                       SPLAT(from, LWI_V) * by_v + least,
                   b = __builtin_shufflevector(to, to, LWI_U, LWI_V, LWI_U, LWI_U) * by_u +
                       SPLAT(to, LWI_V) * by_v + least;
  if (lwi_signs4(a) & lwi_signs4(b)) return true;
  const lwi_float4 at = a / (a - b), zero = lwi_all4(0), one = lwi_all4(1);
  const float enter = lwi_highest4(lwi_where4(a < zero, at, zero)),
              leave = -lwi_highest4(-lwi_where4(b < zero, at, one));
  if (!(enter < leave)) return true;
  const lwi_float4 ends_u =
      SPLAT(from, LWI_U) + (SPLAT(to, LWI_U) - SPLAT(from, LWI_U)) * (lwi_float4){enter, leave, 0, 0};
  const lwi_float4 ends_v =
      SPLAT(from, LWI_V) + (SPLAT(to, LWI_V) - SPLAT(from, LWI_V)) * (lwi_float4){enter, leave, 0, 0};
  const lwi_float4 t = ends_v / (ends_u + ends_v);
  const float end = 1e-6f;
  float t0 = t[0], t1 = t[1];
  t0 = t0 < end ? 0 : t0 > 1 - end ? 1 : t0;
  t1 = t1 < end ? 0 : t1 > 1 - end ? 1 : t1;
  const lwi_interval part = t0 < t1 ? (lwi_interval){t0, t1} : (lwi_interval){t1, t0};
  if (is_hidden(&of->hidden[plane], part.t0, part.t1)) return true;
  of->hits += 1;
  return lwi_intervals_add(&of->hidden[plane], part);
}

/* A facet's corners, and the first once more: heights over the planes, and coordinates, which count from the leaf's base, so
   that edges keep their directions. */
typedef struct facet_corners {
  lwi_float4 at[LWI_OCCLUDER_CORNERS + 1];
} facet_corners;

/* Where the plane cuts the edge between two corners: its coordinates, as many times as large as the corners are apart in
   height. */
static inline lwi_float4 cut_edge(lwi_float4 a, lwi_float4 b, lwi_float4 over_a, lwi_float4 over_b,
                                  lwi_float4 base) {
  return a * over_b - b * over_a + base * (over_b - over_a);
}

#define OVER(a) (plane ? SPLAT(a, LWI_OVER_TOO) : SPLAT(a, LWI_OVER))

/* @param crossing  Twice the numbers of the two edges that cross the plane, for a facet is convex. */
static inline bool clip_facet(clipping *of, const facet_corners *corners, unsigned crossing, int plane,
                              lwi_float4 base) {
  const lwi_float4 *first = &corners->at[__builtin_ctz(crossing) / 2],
                   *second = &corners->at[__builtin_ctz(crossing & (crossing - 1)) / 2];
  /* In the order that has both pairs rise, or both fall. */
  const lwi_float4 a = first[0], b = first[1], c = second[1], d = second[0];
  const lwi_float4 over_a = OVER(a), over_b = OVER(b), over_c = OVER(c), over_d = OVER(d);
  const lwi_float4 rise = over_b - over_a, rise_too = over_d - over_c;
  return hide(of, plane, cut_edge(a, b, over_a, over_b, base) * rise_too,
              cut_edge(c, d, over_c, over_d, base) * rise, rise * rise_too);
}

/* Where in its block's vertices and in the fan a leaf is. */
typedef struct leaf_base {
  const uint16_t *vertices;
  lwi_int4 middle; /* one of the leaf's vertices: corners count from it, for numbers that are small are exact */
  lwi_float4 at;   /* its measures */
} leaf_base;

/* @return The signs of the corner's measures. */
static inline unsigned measure_corner(const lwi_fan *fan, const leaf_base *base, uint8_t number,
                                      lwi_float4 *corner) {
  const lwi_float4 at = lwi_float_of_int4(lwi_shorts4(base->vertices + 3 * (size_t)number) - base->middle);
  const lwi_float4 off = fan->x * SPLAT(at, 0) + fan->y * SPLAT(at, 1) + fan->z * SPLAT(at, 2),
                   sum = off + base->at;
  *corner = __builtin_shufflevector(sum, off, 0, 1, 6, 7);
  return lwi_signs4(sum);
}

/* A triangle is measured as four corners, so that most facets take the same way.
   @return Edges that cross the first plane: even bits, and the second: odd ones. */
static inline unsigned measure_facet(const lwi_fan *fan, const leaf_base *base, const uint8_t *numbers,
                                     uint32_t count, unsigned planes, facet_corners *corners) {
  const unsigned s0 = measure_corner(fan, base, numbers[0], &corners->at[0]),
                 s1 = measure_corner(fan, base, numbers[1], &corners->at[1]),
                 s2 = measure_corner(fan, base, numbers[2], &corners->at[2]),
                 s3 = measure_corner(fan, base, numbers[count > 3 ? 3 : 0], &corners->at[3]);
  unsigned outside = s0 & s1 & s2 & s3,
           below = (s0 & planes) | (s1 & planes) << 2 | (s2 & planes) << 4 | (s3 & planes) << 6;
  uint32_t last = 3;
  while (last + 1 < count) {
    last += 1;
    const unsigned signs = measure_corner(fan, base, numbers[last], &corners->at[last]);
    outside &= signs;
    below |= (signs & planes) << 2 * last;
  }
  corners->at[last + 1] = corners->at[0];
  if (outside & (1 << LWI_U | 1 << LWI_V)) return 0;
  return below ^ (below >> 2 | (below & 3) << 2 * last);
}

static inline leaf_base open_leaf(const clipping *of, const uint8_t *leaf) {
  const lwi_occluder_block *block = &of->occluders->blocks[LWI_LEAF_BLOCK(leaf)];
  const lwi_measures *exact = &of->fan.exact;
  leaf_base base = {.vertices = of->occluders->vertices + 3 * ((size_t)block->first + LWI_LEAF_FIRST(leaf))};
  lwi_int4 origin;
  memcpy(&origin, block->origin, sizeof origin); /* and one number more */
  base.middle = lwi_shorts4(base.vertices + 3 * (size_t)leaf[LWI_LEAF_HEAD + 1]);
  const lwi_double4 at =
      __builtin_convertvector((lwi_int4)((lwi_uint4)origin + (lwi_uint4)base.middle), lwi_double4);
  base.at = __builtin_convertvector(
      exact->x * SPLAT(at, 0) + exact->y * SPLAT(at, 1) + exact->z * SPLAT(at, 2) - exact->eye, lwi_float4);
  return base;
}

static bool clip_leaf(clipping *of, uint32_t number, unsigned planes) {
  const uint8_t *at = of->occluders->numbers + of->occluders->leaves[number];
  const leaf_base base = open_leaf(of, at);
  at += LWI_LEAF_HEAD;
  const lwi_float4 on_map = __builtin_shufflevector(base.at, lwi_all4(0), 4, 5, 2, 3);
  for (uint32_t first = 0; !(first & LWI_FACET_LAST);) {
    facet_corners corners;
    first = at[0];
    const uint8_t *numbers = at + 1;
    at = numbers + (first & LWI_FACET_COUNT);
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

/* @param[out] found  The leaves that hid something, the last first, unless there are more than it holds. */
static bool clip_tree(clipping *of, lwi_clip_hint *found) {
  unsigned hits = 0;
  int count = 0;
  branch stack[STACK + 4];
  int depth = of->occluders->node_count > 0;
  stack[0] = (branch){0, of->fan.planes, 0, 1};
  while (depth > 0) {
    const branch part = stack[--depth];
    const unsigned planes = left_for(of, part.planes, part.t0, part.t1);
    if (!planes) continue;
    if (part.child & LWI_OCCLUDER_LEAF) {
      if (!clip_leaf(of, part.child & ~LWI_OCCLUDER_LEAF, planes)) return false;
      if (of->hits == hits) continue;
      hits = of->hits;
      for (int i = LWI_HINT_LEAVES - 1; i > 0; i--) found->leaves[i] = found->leaves[i - 1];
      found->leaves[0] = count++ < LWI_HINT_LEAVES ? 1 + (part.child & ~LWI_OCCLUDER_LEAF) : 0;
    } else if (depth <= STACK)
      depth = push_children(of, &of->occluders->nodes[part.child], planes, stack, depth);
  }
  return true;
}

static bool clip_list(clipping *of, lwi_leaf_list list) {
  for (uint32_t leaf = UINT32_MAX; lwi_leaf_list_next(&list, &leaf) && left_for(of, of->fan.planes, 0, 1);)
    if (!clip_leaf(of, leaf, of->fan.planes)) return false;
  return true;
}

/* Where there is no tree. */
static bool clip_leaves(clipping *of) {
  for (uint32_t i = 0; i < of->occluders->leaf_count && left_for(of, of->fan.planes, 0, 1); i++)
    if (!clip_leaf(of, i, of->fan.planes)) return false;
  return true;
}

static bool clip(clipping *of, const lwi_leaf_list *some) {
  lwi_clip_hint found = {{0}};
  if (some) return clip_list(of, *some);
  return of->occluders->node_count > 0 ? clip_tree(of, &found) : clip_leaves(of);
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
  if (is_hidden(hidden, 0, 1)) return true; /* out of range, say */
  of.occluders = occluders;
  of.soft = soft;
  of.hidden = hidden;
  of.hits = 0;
  return lwi_fan_make(&of.fan, occluders, eye, from, to)
             ? clip(&of, some)
             : clip_line(occluders, some, eye, from, to, soft, hidden);
}

/* Do these leaves hide all of both heights? If not, nothing is hidden yet. @param[out] done  false: no memory. */
static bool hide_all(clipping *of, const lwi_clip_hint *hint, bool *done) {
  unsigned planes = 3;
  *done = true;
  for (int i = 0; i < LWI_HINT_LEAVES && planes; i++) {
    const uint32_t leaf = hint->leaves[i] - 1;
    if (leaf >= of->occluders->leaf_count) break;
    *done = clip_leaf(of, leaf, planes);
    if (!*done) return false;
    planes = left_for(of, planes, 0, 1);
  }
  if (!planes) return true;
  of->hidden[0].count = of->hidden[1].count = 0;
  of->hits = 0;
  return false;
}

/* What some leaves hide all of is all hidden, whichever else there are: so a hint never changes an answer. */
static bool clip_by_hint(clipping *of, lwi_clip_hint *hint) {
  lwi_clip_hint found = {{0}};
  bool done;
  if (of->hidden[0].count > 0 || of->hidden[1].count > 0) return clip_tree(of, &found);
  if (hide_all(of, hint, &done) || !done) return done;
  done = clip_tree(of, &found);
  if (!left_for(of, 3, 0, 1)) *hint = found;
  return done;
}

bool lwi_occluders_clip_two(const lwi_occluders *occluders, const lwi_leaf_list *some, lw_vec3 eye,
                            lw_vec3 from, lw_vec3 to, const float heights[2], bool soft, lwi_clip_hint *hint,
                            lwi_intervals hidden[2]) {
  clipping of;
  if (is_hidden(&hidden[0], 0, 1) && is_hidden(&hidden[1], 0, 1)) return true;
  of.occluders = occluders;
  of.soft = soft;
  of.hidden = hidden;
  of.hits = 0;
  if (lwi_fan_make_two(&of.fan, occluders, eye, from, to, heights))
    return hint && !some && occluders->node_count > 0 ? clip_by_hint(&of, hint) : clip(&of, some);
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
