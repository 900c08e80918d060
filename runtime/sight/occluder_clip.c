/* Which parts of a segment occluders hide. A facet cuts the plane of eye and segment (the sight triangle) in
   a straight line, and what lies behind that line is hidden. Corners are measured once; where an edge
   crosses the plane, its crossing point is interpolated. */
#include "sight/sight_triangle.h"

#include "core/simd.h"
#include "core/vec3.h"
#include "sight/end_on.h"
#include "sight/occluder.h"

/* --- intervals -------------------------------------------------------------------------------------------- */

/* Intervals closer than this are joined: facets that meet in a corner leave such gaps by rounding. */
#define GAP 1e-6f

void lwi_intervals_free(lwi_intervals *intervals) {
  if (intervals->items)
    lwi_free(intervals->memory, intervals->items, (size_t)intervals->capacity * sizeof *intervals->items);
  intervals->items = NULL;
  intervals->count = intervals->capacity = 0;
}

static bool insert(lwi_intervals *to, int at, lwi_interval interval) {
  if (to->count >= to->capacity &&
      !lwi_reserve(to->memory, &to->items, &to->capacity, to->count + 1, sizeof *to->items))
    return false;
  for (int i = to->count++; i > at; i--) to->items[i] = to->items[i - 1];
  to->items[at] = interval;
  return true;
}

bool lwi_intervals_add(lwi_intervals *intervals, lwi_interval interval) {
  int first = 0, end;
  if (!(interval.t0 < interval.t1)) return true;
  while (first < intervals->count && intervals->items[first].t1 < interval.t0 - GAP) first++;
  for (end = first; end < intervals->count && intervals->items[end].t0 <= interval.t1 + GAP; end++) {
    if (intervals->items[end].t0 < interval.t0) interval.t0 = intervals->items[end].t0;
    if (intervals->items[end].t1 > interval.t1) interval.t1 = intervals->items[end].t1;
  }
  if (end == first) return insert(intervals, first, interval);
  intervals->items[first] = interval; /* replaces all that it touches */
  const int gone = end - first - 1;
  if (gone == 0) return true;
  for (int i = end; i < intervals->count; i++) intervals->items[i - gone] = intervals->items[i];
  intervals->count -= gone;
  return true;
}

bool lwi_intervals_complement(lwi_intervals *intervals, const lwi_intervals *of) {
  float t = 0;
  intervals->count = 0;
  for (int i = 0; i <= of->count; i++) {
    float end = i < of->count ? of->items[i].t0 : 1;
    if (t < end && !insert(intervals, intervals->count, (lwi_interval){t, end})) return false;
    if (i < of->count) t = of->items[i].t1;
  }
  return true;
}

bool lwi_intervals_intersect(lwi_intervals *intervals, const lwi_intervals *with, lwi_intervals *scratch) {
  if (intervals->count == 0) return true;
  scratch->count = 0;
  for (int i = 0, k = 0; i < intervals->count && k < with->count;) {
    lwi_interval a = intervals->items[i], b = with->items[k];
    lwi_interval both = {a.t0 > b.t0 ? a.t0 : b.t0, a.t1 < b.t1 ? a.t1 : b.t1};
    if (both.t0 < both.t1 && !insert(scratch, scratch->count, both)) return false;
    if (a.t1 < b.t1)
      i++;
    else
      k++;
  }
  lwi_intervals swap = *intervals;
  *intervals = *scratch;
  *scratch = swap;
  return true;
}

float lwi_intervals_sum(const lwi_intervals *intervals) {
  float sum = 0;
  for (int i = 0; i < intervals->count; i++) sum += intervals->items[i].t1 - intervals->items[i].t0;
  return sum;
}

/* --- clipping --------------------------------------------------------------------------------------------- */

typedef struct clipping {
  lwi_sight_triangle sight;
  const lwi_occluders *occluders;
  bool soft;
  lwi_intervals *hidden; /* [2] one for each plane */
  unsigned hits;         /* how often `hidden` grew */
} clipping;

static inline bool is_hidden(const lwi_intervals *hidden, float t0, float t1) {
  for (int i = 0; i < hidden->count && hidden->items[i].t0 <= t0; i++)
    if (hidden->items[i].t1 >= t1) return true;
  return false;
}

/* --- facets ----------------------------------------------------------------------------------------------- */

#define SPLAT(a, i) lwi_shuffle4(a, a, i, i, i, i)

/* u, v, u + v, -(u + v). */
static inline lwi_float4 measure_end(lwi_float4 at) {
  return lwi_add4(lwi_mul4(lwi_shuffle4(at, at, LWI_U, LWI_V, LWI_U, LWI_U), lwi_make4(1, 1, 1, -1)),
                  lwi_mul4(SPLAT(at, LWI_V), lwi_make4(0, 0, 1, -1)));
}

/* Hide what lies behind a line in the sight triangle, clipped to the triangle's two sides and to the
   distances in which occluders hide. @param from, to  Its ends' coordinates, multiplied by `times`, which is
   above 0. */
static bool hide(clipping *of, int plane, lwi_float4 from, lwi_float4 to, lwi_float4 times) {
  /* u, v, the distance behind `nearest`, the distance before `furthest`: inside, none is below zero. */
  const lwi_float4 limits = lwi_mul4(lwi_make4(0, 0, -of->sight.nearest, of->sight.furthest[plane]), times);
  const lwi_float4 a = lwi_add4(measure_end(from), limits), b = lwi_add4(measure_end(to), limits);
  if (lwi_signs4(a) & lwi_signs4(b)) return true;
  const lwi_float4 at = lwi_div4(a, lwi_sub4(a, b)), zero = lwi_splat4(0), one = lwi_splat4(1);
  const float enter = lwi_highest4(lwi_select4(lwi_less4(a, zero), at, zero)),
              leave = lwi_lowest4(lwi_select4(lwi_less4(b, zero), at, one));
  if (!(enter < leave)) return true;
  const lwi_float4 along = lwi_make4(enter, leave, 0, 0), across = lwi_sub4(to, from);
  const lwi_float4 ends_u = lwi_mul_add4(SPLAT(across, LWI_U), along, SPLAT(from, LWI_U)),
                   ends_v = lwi_mul_add4(SPLAT(across, LWI_V), along, SPLAT(from, LWI_V));
  const lwi_float4 t = lwi_div4(ends_v, lwi_add4(ends_u, ends_v));
  const float end = 1e-6f;
  float t0 = lwi_get4(t, 0), t1 = lwi_get4(t, 1);
  t0 = t0 < end ? 0 : t0 > 1 - end ? 1 : t0;
  t1 = t1 < end ? 0 : t1 > 1 - end ? 1 : t1;
  const lwi_interval part = t0 < t1 ? (lwi_interval){t0, t1} : (lwi_interval){t1, t0};
  if (is_hidden(&of->hidden[plane], part.t0, part.t1)) return true;
  of->hits += 1;
  return lwi_intervals_add(&of->hidden[plane], part);
}

/* A facet's corners, the first repeated at the end: heights over the planes, and coordinates, which count
   from the leaf's base, so that the directions of edges are exact. */
typedef struct facet_corners {
  lwi_float4 at[LWI_OCCLUDER_CORNERS + 1];
} facet_corners;

/* Where the plane cuts the edge between two corners: its coordinates, multiplied by the corners' difference
   in height. */
static inline lwi_float4 cut_edge(lwi_float4 a, lwi_float4 b, lwi_float4 over_a, lwi_float4 over_b,
                                  lwi_float4 base) {
  const lwi_float4 apart = lwi_sub4(lwi_mul4(a, over_b), lwi_mul4(b, over_a));
  return lwi_mul_add4(base, lwi_sub4(over_b, over_a), apart);
}

#define OVER(a) (plane ? SPLAT(a, LWI_OVER_TOO) : SPLAT(a, LWI_OVER))

/* @param crossing  Twice the numbers of the two edges that cross the plane; a convex facet has two. */
static inline bool clip_facet(clipping *of, const facet_corners *corners, unsigned crossing, int plane,
                              lwi_float4 base) {
  const lwi_float4 *first = &corners->at[__builtin_ctz(crossing) / 2],
                   *second = &corners->at[__builtin_ctz(crossing & (crossing - 1)) / 2];
  /* In the order in which both pairs rise, or both fall. */
  const lwi_float4 a = first[0], b = first[1], c = second[1], d = second[0];
  const lwi_float4 over_a = OVER(a), over_b = OVER(b), over_c = OVER(c), over_d = OVER(d);
  const lwi_float4 rise = lwi_sub4(over_b, over_a), rise_too = lwi_sub4(over_d, over_c);
  return hide(of, plane, lwi_mul4(cut_edge(a, b, over_a, over_b, base), rise_too),
              lwi_mul4(cut_edge(c, d, over_c, over_d, base), rise), lwi_mul4(rise, rise_too));
}

/* A BVH leaf's vertices and its base in the sight triangle's coordinates. */
typedef struct leaf_base {
  const uint16_t *vertices;
  lwi_int4 middle; /* the vertex that corners count from, because floats are exact for small numbers */
  lwi_float4 at;   /* its measures */
} leaf_base;

/* @return The signs of the corner's measures. */
static inline unsigned measure_corner(const lwi_sight_triangle *sight, const leaf_base *base, uint8_t number,
                                      lwi_float4 *corner) {
  const lwi_float4 at =
      lwi_float_of_int4(lwi_int_sub4(lwi_int_load_shorts4(base->vertices + 3 * (size_t)number), base->middle));
  const lwi_float4 axes[3] = {SPLAT(at, 0), SPLAT(at, 1), SPLAT(at, 2)};
  const lwi_float4 off = lwi_dot4(sight->axes, axes), sum = lwi_add4(off, base->at);
  *corner = lwi_shuffle4(sum, off, 0, 1, 6, 7);
  return lwi_signs4(sum);
}

/* A triangle is measured as four corners, so that most facets take the same branch. @return Edges that cross
   the first plane: even bits, and the second: odd bits. */
static inline unsigned measure_facet(const lwi_sight_triangle *sight, const leaf_base *base,
                                     const uint8_t *numbers, uint32_t count, unsigned planes,
                                     facet_corners *corners) {
  const unsigned s0 = measure_corner(sight, base, numbers[0], &corners->at[0]),
                 s1 = measure_corner(sight, base, numbers[1], &corners->at[1]),
                 s2 = measure_corner(sight, base, numbers[2], &corners->at[2]),
                 s3 = measure_corner(sight, base, numbers[count > 3 ? 3 : 0], &corners->at[3]);
  unsigned outside = s0 & s1 & s2 & s3,
           below = (s0 & planes) | (s1 & planes) << 2 | (s2 & planes) << 4 | (s3 & planes) << 6;
  uint32_t last = 3;
  while (last + 1 < count) {
    last += 1;
    const unsigned signs = measure_corner(sight, base, numbers[last], &corners->at[last]);
    outside &= signs;
    below |= (signs & planes) << 2 * last;
  }
  corners->at[last + 1] = corners->at[0];
  if (outside & (1 << LWI_U | 1 << LWI_V)) return 0;
  return below ^ (below >> 2 | (below & 3) << 2 * last);
}

static inline leaf_base open_leaf(const clipping *of, const uint8_t *leaf) {
  const lwi_occluder_block *block = &of->occluders->blocks[LWI_BVH_LEAF_BLOCK(leaf)];
  const lwi_measures *exact = &of->sight.exact;
  leaf_base base = {.vertices =
                        of->occluders->vertices + 3 * ((size_t)block->first + LWI_BVH_LEAF_FIRST(leaf))};
  base.middle = lwi_int_load_shorts4(base.vertices + 3 * (size_t)leaf[LWI_BVH_LEAF_HEAD + 1]);
  const lwi_int4 whole = lwi_int_add4(lwi_int_load4(block->origin), base.middle); /* and one number more */
  const double at[3] = {lwi_int_get4(whole, 0), lwi_int_get4(whole, 1), lwi_int_get4(whole, 2)};
  base.at = lwi_float_of_double4(lwi_double_sub4(lwi_double_dot4(exact->axes, at), exact->eye));
  return base;
}

static bool clip_leaf(clipping *of, uint32_t number, unsigned planes) {
  const uint8_t *at = of->occluders->numbers + of->occluders->leaves[number];
  const leaf_base base = open_leaf(of, at);
  at += LWI_BVH_LEAF_HEAD;
  const lwi_float4 on_map = lwi_shuffle4(base.at, lwi_splat4(0), 4, 5, 2, 3);
  for (uint32_t first = 0; !(first & LWI_FACET_LAST);) {
    facet_corners corners;
    first = at[0];
    const uint8_t *numbers = at + 1;
    at = numbers + (first & LWI_FACET_COUNT);
    if (!of->soft && LWI_FACET_KIND(first) != LW_COVER_HARD) continue;
    const unsigned crossing =
        measure_facet(&of->sight, &base, numbers, first & LWI_FACET_COUNT, planes, &corners);
    if ((crossing & 0x5555) && !clip_facet(of, &corners, crossing & 0x5555, 0, on_map)) return false;
    if ((crossing & 0xaaaa) && !clip_facet(of, &corners, crossing & 0xaaaa, 1, on_map)) return false;
  }
  return true;
}

/* --- the tree --------------------------------------------------------------------------------------------- */

/* A subtree, the planes that it meets, and the parameters that it can hide. */
typedef struct branch {
  uint32_t child;
  unsigned planes;
  float t0, t1;
} branch;

/* @return The planes in which part of t0..t1 is not hidden yet. */
static inline unsigned left_for(const clipping *of, unsigned planes, float t0, float t1) {
  if ((planes & 1) && is_hidden(&of->hidden[0], t0, t1)) planes &= 2;
  if ((planes & 2) && is_hidden(&of->hidden[1], t0, t1)) planes &= 1;
  return planes;
}

/* Push the children, the nearest on top, because near facets hide most. @return The stack's depth. */
static int push_children(const clipping *of, const lwi_occluder_node *node, unsigned planes, branch *stack,
                         int depth) {
  lwi_boxes_met met;
  float keys[4];
  const int bottom = depth;
  of->sight.meet(&of->sight, node, &met);
  const unsigned first = planes & 1 ? met.first : 0, second = planes & 2 ? met.second : 0;
  for (unsigned bits = first | second; bits != 0; bits &= bits - 1) {
    const int i = __builtin_ctz(bits);
    int at = depth;
    if (node->children[i] == LWI_OCCLUDER_NONE) continue;
    for (; at > bottom && keys[at - bottom - 1] < met.nearest[i]; at--) {
      keys[at - bottom] = keys[at - bottom - 1];
      stack[at] = stack[at - 1];
    }
    keys[at - bottom] = met.nearest[i];
    stack[at] = (branch){node->children[i], (first >> i & 1) | (second >> i & 1) << 1, met.t0[i], met.t1[i]};
    depth++;
  }
  return depth;
}

/* @param[out] found  The leaves that hid something, the last first; 0 where there are more than it holds. */
static bool clip_tree(clipping *of, lwi_clip_hint *found) {
  unsigned hits = 0;
  int count = 0;
  branch stack[LWI_OCCLUDER_STACK];
  int depth = of->occluders->node_count > 0;
  stack[0] = (branch){0, of->sight.planes, 0, 1};
  while (depth > 0) {
    const branch part = stack[--depth];
    const unsigned planes = left_for(of, part.planes, part.t0, part.t1);
    if (!planes) continue;
    if (part.child & LWI_OCCLUDER_BVH_LEAF) {
      if (!clip_leaf(of, part.child & ~LWI_OCCLUDER_BVH_LEAF, planes)) return false;
      if (of->hits == hits) continue;
      hits = of->hits;
      for (int i = LWI_HINT_LEAVES - 1; i > 0; i--) found->leaves[i] = found->leaves[i - 1];
      found->leaves[0] = count++ < LWI_HINT_LEAVES ? 1 + (part.child & ~LWI_OCCLUDER_BVH_LEAF) : 0;
    } else
      depth = push_children(of, &of->occluders->nodes[part.child], planes, stack, depth);
  }
  return true;
}

static bool clip_list(clipping *of, lwi_bvh_leaf_list list) {
  for (uint32_t leaf = UINT32_MAX;
       lwi_bvh_leaf_list_next(&list, &leaf) && left_for(of, of->sight.planes, 0, 1);)
    if (!clip_leaf(of, leaf, of->sight.planes)) return false;
  return true;
}

/* Without a BVH. */
static bool clip_leaves(clipping *of) {
  for (uint32_t i = 0; i < of->occluders->leaf_count && left_for(of, of->sight.planes, 0, 1); i++)
    if (!clip_leaf(of, i, of->sight.planes)) return false;
  return true;
}

static bool clip(clipping *of, const lwi_bvh_leaf_list *some) {
  lwi_clip_hint found = {{0}};
  if (some) return clip_list(of, *some);
  return of->occluders->node_count > 0 ? clip_tree(of, &found) : clip_leaves(of);
}

/* --- segments --------------------------------------------------------------------------------------------- */

static void clip_begin(clipping *of, const lwi_clip_query *query, lwi_intervals *hidden) {
  of->occluders = query->occluders;
  of->soft = query->soft;
  of->hidden = hidden;
  of->hits = 0;
}

bool lwi_occluders_clip(const lwi_clip_query *query, lwi_intervals *hidden) {
  clipping of;
  if (is_hidden(hidden, 0, 1)) return true;
  clip_begin(&of, query, hidden);
  return lwi_sight_triangle_make(&of.sight, query->occluders, query->eye, query->from, query->to)
             ? clip(&of, query->some)
             : lwi_occluders_clip_end_on(query, hidden);
}

/* Do the hint's leaves hide all of both heights? If not, `hidden` is left empty. @param[out] done  false:
   out of memory. */
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

/* Leaves that hide all of a segment do so whichever others there are, so a hint never changes an answer. */
static bool clip_by_hint(clipping *of, lwi_clip_hint *hint) {
  lwi_clip_hint found = {{0}};
  bool done;
  if (of->hidden[0].count > 0 || of->hidden[1].count > 0) return clip_tree(of, &found);
  if (hide_all(of, hint, &done) || !done) return done;
  done = clip_tree(of, &found);
  if (!left_for(of, 3, 0, 1)) *hint = found;
  return done;
}

bool lwi_occluders_clip_two(const lwi_clip_query *query, const float heights[2], lwi_clip_hint *hint,
                            lwi_intervals hidden[2]) {
  clipping of;
  if (is_hidden(&hidden[0], 0, 1) && is_hidden(&hidden[1], 0, 1)) return true;
  clip_begin(&of, query, hidden);
  if (lwi_sight_triangle_make_two(&of.sight, query->occluders, query->eye, query->from, query->to, heights))
    return hint && !query->some && query->occluders->node_count > 0 ? clip_by_hint(&of, hint)
                                                                    : clip(&of, query->some);
  for (int i = 0; i < 2; i++) {
    const lw_vec3 up = {0, heights[i], 0};
    lwi_clip_query raised = *query;
    raised.from = lwi_add(query->from, up);
    raised.to = lwi_add(query->to, up);
    if (!lwi_occluders_clip(&raised, &hidden[i])) return false;
  }
  return true;
}
