#include "bake/sight_lines.h"

#include "core/dvec3.h"
#include "sight/bvh.h"
#include "sight/occluder.h"

/* Occluders within this distance of the eye or the target do not hide it. [m] */
#define NEAR 1e-3f
/* Facets are grown by EDGE_SLACK, and by this part of the level's size, to which their numbers are rounded.
   [m] */
#define EDGE_SLACK 1e-4
#define EDGE_SLACK_PART 3e-7

/* --- unpacking -------------------------------------------------------------------------------------------- */

static lwi_dvec3 unit(lwi_dvec3 a) {
  double length = sqrt(lwi_dvec3_dot(a, a));
  return length > 0 ? (lwi_dvec3){a.x / length, a.y / length, a.z / length} : a;
}

static void set_element(lwi_float4 axes[3], int element, lwi_dvec3 a) {
  lwi_set4(&axes[0], element, (float)a.x);
  lwi_set4(&axes[1], element, (float)a.y);
  lwi_set4(&axes[2], element, (float)a.z);
}

/* A merged facet is flat within a centimetre: the normal is the mean one. */
static void unpack_facet(const lwi_occluder_facet *facet, double slack, int element, lwi_lines_leaf *leaf,
                         lwi_lines_edge *edges) {
  const lw_vec3 *corners = facet->corners;
  lwi_dvec3 sum = {0, 0, 0}, longest = {0, 0, 0};
  for (int i = 1; i < facet->count; i++) {
    lwi_dvec3 side = lwi_dvec3_between(corners[0], corners[i]);
    if (lwi_dvec3_dot(side, side) > lwi_dvec3_dot(longest, longest)) longest = side;
    if (i == 1) continue;
    lwi_dvec3 part = lwi_dvec3_cross(lwi_dvec3_between(corners[0], corners[i - 1]), side);
    sum = (lwi_dvec3){sum.x + part.x, sum.y + part.y, sum.z + part.z};
  }
  lwi_dvec3 normal = unit(sum), v = unit(lwi_dvec3_cross(normal, longest)), u = lwi_dvec3_cross(v, normal);
  set_element(leaf->corner, element,
              (lwi_dvec3){(double)corners[0].x, (double)corners[0].y, (double)corners[0].z});
  set_element(leaf->normal, element, normal);
  set_element(leaf->u, element, u);
  set_element(leaf->v, element, v);
  if (facet->kind == LW_COVER_HARD) leaf->hard |= 1U << element;
  for (int i = 0; i < facet->count; i++) {
    lwi_dvec3 from = lwi_dvec3_between(corners[0], corners[i]);
    lwi_dvec3 along = unit(lwi_dvec3_between(corners[i], corners[i + 1 < facet->count ? i + 1 : 0]));
    double a = -lwi_dvec3_dot(along, v), b = lwi_dvec3_dot(along, u);
    lwi_set4(&edges[i].a, element, (float)a);
    lwi_set4(&edges[i].b, element, (float)b);
    lwi_set4(&edges[i].c, element, (float)(slack - a * lwi_dvec3_dot(from, u) - b * lwi_dvec3_dot(from, v)));
  }
}

static void unpack_leaf(lwi_sight_lines *lines, const lwi_occluder_facet *facets, int count, double slack,
                        lwi_lines_leaf *leaf) {
  *leaf = (lwi_lines_leaf){.first_edge = lines->edge_count};
  for (int i = 0; i < count; i++)
    if (facets[i].count > leaf->edge_count) leaf->edge_count = facets[i].count;
  lwi_lines_edge *edges = lines->edges + leaf->first_edge;
  const lwi_float4 zero = lwi_splat4(0);
  for (uint32_t i = 0; i < leaf->edge_count; i++) {
    edges[i] = (lwi_lines_edge){zero, zero, lwi_splat4(1)};
    for (int element = count; element < LWI_BVH_LEAF_FACETS; element++)
      lwi_set4(&edges[i].c, element, -1); /* no facet: nothing is inside */
  }
  for (int i = 0; i < count; i++) unpack_facet(&facets[i], slack, i, leaf, edges);
  lines->edge_count += leaf->edge_count;
}

static void unpack_leaves(lwi_sight_lines *lines, const lwi_occluders *occluders, double slack) {
  lwi_occluder_cursor at = {0};
  lwi_occluder_facet facets[LWI_BVH_LEAF_FACETS];
  for (uint32_t i = 0; i < occluders->leaf_count; i++) {
    int count = 0;
    while (at.leaf == i && lwi_occluders_next(occluders, &at, &facets[count])) count++;
    unpack_leaf(lines, facets, count, slack, &lines->leaves[i]);
  }
}

static void unpack_node(const lwi_occluders *occluders, const lwi_occluder_node *from, float slack,
                        lwi_lines_node *to) {
  lwi_vec3x4 low, high;
  lwi_node_boxes(occluders, from, (lw_vec3){0, 0, 0}, &low, &high);
  const lwi_float4 near = lwi_splat4(NEAR + slack);
  to->sides[0][0] = lwi_sub4(low.x, near);
  to->sides[1][0] = lwi_sub4(low.y, near);
  to->sides[2][0] = lwi_sub4(low.z, near);
  to->sides[0][1] = lwi_add4(high.x, near);
  to->sides[1][1] = lwi_add4(high.y, near);
  to->sides[2][1] = lwi_add4(high.z, near);
  memcpy(to->children, from->children, sizeof to->children);
}

static size_t max_edges(const lwi_sight_lines *lines) {
  return (size_t)lines->leaf_count * LWI_OCCLUDER_CORNERS;
}

/* A power of two, so that a level that grows a little keeps its slack. */
float lwi_lines_slack(const lwi_occluders *occluders) {
  double size = 1;
  for (int axis = 0; axis < 3 && occluders->node_count > 0; axis++)
    while (size < occluders->nodes[0].step[axis] * (double)UINT8_MAX * (double)occluders->quantum) size *= 2;
  return (float)(EDGE_SLACK + EDGE_SLACK_PART * size);
}

static bool make_arrays(lwi_sight_lines *lines) {
  lines->nodes = lwi_alloc_simd(lines->memory, lines->node_count * sizeof *lines->nodes, &lines->blocks[0]);
  lines->leaves = lwi_alloc_simd(lines->memory, lines->leaf_count * sizeof *lines->leaves, &lines->blocks[1]);
  lines->edges = lwi_alloc_simd(lines->memory, max_edges(lines) * sizeof *lines->edges, &lines->blocks[2]);
  return lines->nodes && lines->leaves && lines->edges;
}

bool lwi_lines_make(lwi_sight_lines *lines, const lwi_occluders *occluders, lwi_memory *memory) {
  *lines =
      (lwi_sight_lines){.memory = memory, .origin = occluders->origin, .node_count = occluders->node_count};
  if (occluders->node_count == 0) return true;
  lines->leaf_count = occluders->leaf_count;
  if (!make_arrays(lines)) return false;
  const float slack = lwi_lines_slack(occluders);
  for (uint32_t i = 0; i < lines->node_count; i++)
    unpack_node(occluders, &occluders->nodes[i], slack, &lines->nodes[i]);
  unpack_leaves(lines, occluders, (double)slack);
  return true;
}

/* --- some of them ----------------------------------------------------------------------------------------- */

/* The part of a BVH that is unpacked. */
typedef struct selection {
  lwi_sight_lines *lines;
  const lwi_occluders *occluders;
  lwi_occluder_filter *filter;
  const void *user;
  float slack;
  uint32_t nodes, leaves;
} selection;

static uint32_t select_leaf(selection *of, uint32_t number) {
  lwi_occluder_cursor at = {number, 0};
  lwi_occluder_facet facets[LWI_BVH_LEAF_FACETS];
  const uint32_t own = of->leaves++;
  int count = 0;
  while (at.leaf == number && lwi_occluders_next(of->occluders, &at, &facets[count])) count++;
  unpack_leaf(of->lines, facets, count, (double)of->slack, &of->lines->leaves[own]);
  return LWI_OCCLUDER_BVH_LEAF | own;
}

/* The root is always taken. @return Its number among those that are unpacked. */
static uint32_t select_node(selection *of, uint32_t number) {
  const lwi_occluder_node *node = &of->occluders->nodes[number];
  const uint32_t own = of->nodes++;
  unpack_node(of->occluders, node, of->slack, &of->lines->nodes[own]);
  for (int i = 0; i < 4; i++) {
    const uint32_t child = node->children[i];
    uint32_t *to = &of->lines->nodes[own].children[i];
    if (child == LWI_OCCLUDER_NONE) continue;
    const lw_box box = lwi_occluder_child_box(of->occluders, node, i);
    if (!of->filter(of->user, &box))
      *to = LWI_OCCLUDER_NONE;
    else
      *to = child & LWI_OCCLUDER_BVH_LEAF ? select_leaf(of, child & ~LWI_OCCLUDER_BVH_LEAF)
                                          : select_node(of, child);
  }
  return own;
}

/* There is space for all of them, which costs nothing where it is not written to. */
bool lwi_lines_make_some(lwi_sight_lines *lines, const lwi_occluders *occluders, lwi_occluder_filter *filter,
                         const void *user, lwi_memory *memory) {
  *lines =
      (lwi_sight_lines){.memory = memory, .origin = occluders->origin, .node_count = occluders->node_count};
  if (occluders->node_count == 0) return true;
  lines->leaf_count = occluders->leaf_count;
  if (!make_arrays(lines)) return false;
  selection of = {lines, occluders, filter, user, lwi_lines_slack(occluders), 0, 0};
  select_node(&of, 0);
  return true;
}

void lwi_lines_free(lwi_sight_lines *lines) {
  lwi_free_simd(lines->memory, lines->node_count * sizeof *lines->nodes, lines->blocks[0]);
  lwi_free_simd(lines->memory, lines->leaf_count * sizeof *lines->leaves, lines->blocks[1]);
  lwi_free_simd(lines->memory, max_edges(lines) * sizeof *lines->edges, lines->blocks[2]);
  *lines = (lwi_sight_lines){.memory = lines->memory};
}

/* --- looking ---------------------------------------------------------------------------------------------- */

typedef struct line {
  const lwi_sight_lines *lines;
  unsigned soft;             /* all bits or none */
  lwi_float4 eye[3], ray[3]; /* eye relative to the origin, ray to the target; in all elements */
  lwi_float4 slopes[3];      /* reciprocals of the ray */
  unsigned first[3];         /* the side of a box that it meets first: 0 the lower, 1 the upper */
  float nearest, reach;      /* as parts of the ray */
} line;

/* A ray along a box's side: far outside, or through all of it. */
static float slope(float ray) {
  return fabsf(ray) > 1e-12f ? 1 / ray : 1e12f;
}

/* @return false: the target is at the eye, or there are no occluders. */
static bool begin(const lwi_sight_lines *lines, lw_vec3 eye, lw_vec3 target, bool soft, line *of) {
  lw_vec3 ray = lwi_sub(target, eye), at = lwi_sub(eye, lines->origin);
  float length = lwi_length(ray);
  *of = (line){.lines = lines,
               .soft = soft ? ~0U : 0,
               .eye = {lwi_splat4(at.x), lwi_splat4(at.y), lwi_splat4(at.z)},
               .ray = {lwi_splat4(ray.x), lwi_splat4(ray.y), lwi_splat4(ray.z)},
               .slopes = {lwi_splat4(slope(ray.x)), lwi_splat4(slope(ray.y)), lwi_splat4(slope(ray.z))},
               .first = {slope(ray.x) < 0, slope(ray.y) < 0, slope(ray.z) < 0},
               .nearest = NEAR / length,
               .reach = 1 - NEAR / length};
  return length > 2 * NEAR && lines->node_count > 0;
}

/* Where the line meets one side of each box, as a part of the ray. */
static inline lwi_float4 meet_sides(const line *of, const lwi_lines_node *node, int axis, unsigned side) {
  return lwi_mul4(lwi_sub4(node->sides[axis][side], of->eye[axis]), of->slopes[axis]);
}

/* @param[out] enters  Where the line enters each box. @return Bits of the boxes that it meets. */
static inline unsigned meet_boxes(const line *of, const lwi_lines_node *node, lwi_float4 *enters) {
  lwi_float4 enter = lwi_max4(meet_sides(of, node, 0, of->first[0]), meet_sides(of, node, 1, of->first[1]));
  lwi_float4 leave =
      lwi_min4(meet_sides(of, node, 0, 1 - of->first[0]), meet_sides(of, node, 1, 1 - of->first[1]));
  enter = lwi_max4(lwi_max4(enter, meet_sides(of, node, 2, of->first[2])), lwi_splat4(0));
  leave = lwi_min4(lwi_min4(leave, meet_sides(of, node, 2, 1 - of->first[2])), lwi_splat4(of->reach));
  *enters = enter;
  return lwi_signs4(lwi_sub4(lwi_sub4(enter, leave), lwi_splat4(1e-20f)));
}

/* @param[out] at  Where the line meets each facet's plane. @return Bits of the facets that it passes
   through, within its reach. */
static inline unsigned meet_facets(const line *of, const lwi_lines_leaf *leaf, lwi_float4 *at) {
  const lwi_float4 from[3] = {lwi_sub4(leaf->corner[0], of->eye[0]), lwi_sub4(leaf->corner[1], of->eye[1]),
                              lwi_sub4(leaf->corner[2], of->eye[2])};
  const lwi_float4 t = lwi_div4(lwi_dot4(leaf->normal, from), lwi_dot4(leaf->normal, of->ray));
  const lwi_mask4 within = /* false where t is NaN */
      lwi_mask_and4(lwi_less4(lwi_splat4(of->nearest), t), lwi_less4(t, lwi_splat4(of->reach)));
  const unsigned bits = lwi_mask_bits4(within) & (leaf->hard | of->soft);
  if (bits == 0) return 0;
  const lwi_float4 place[3] = {lwi_sub4(lwi_mul4(of->ray[0], t), from[0]),
                               lwi_sub4(lwi_mul4(of->ray[1], t), from[1]),
                               lwi_sub4(lwi_mul4(of->ray[2], t), from[2])};
  const lwi_float4 u = lwi_dot4(leaf->u, place), v = lwi_dot4(leaf->v, place);
  lwi_float4 inside = lwi_splat4(1);
  const lwi_lines_edge *edges = of->lines->edges + leaf->first_edge;
  for (uint32_t i = 0; i < leaf->edge_count; i++)
    inside = lwi_min4(inside, lwi_add4(lwi_mul_add4(u, edges[i].a, lwi_mul4(v, edges[i].b)), edges[i].c));
  *at = t;
  return bits & ~lwi_signs4(inside);
}

/* A subtree, and where the line enters it. */
typedef struct branch {
  uint32_t child;
  float enter;
} branch;

/* Push the children that the line meets, the nearest on top. */
static int push_children(const line *of, const lwi_lines_node *node, branch *stack, int depth) {
  lwi_float4 enters;
  const int bottom = depth;
  for (unsigned bits = meet_boxes(of, node, &enters); bits != 0; bits &= bits - 1) {
    const int i = __builtin_ctz(bits);
    int at = depth;
    const branch one = {node->children[i], lwi_get4(enters, i)};
    if (one.child == LWI_OCCLUDER_NONE) continue;
    for (; at > bottom && stack[at - 1].enter < one.enter; at--) stack[at] = stack[at - 1];
    stack[at] = one;
    depth++;
  }
  return depth;
}

float lwi_lines_ray(const lwi_sight_lines *lines, lw_vec3 eye, lw_vec3 target, bool soft) {
  line of;
  branch stack[LWI_OCCLUDER_STACK];
  if (!begin(lines, eye, target, soft, &of)) return 1;
  const float whole = of.reach;
  stack[0] = (branch){0, 0};
  for (int depth = 1; depth > 0;) {
    const branch part = stack[--depth];
    lwi_float4 at;
    if (part.enter > of.reach) continue;
    if (!(part.child & LWI_OCCLUDER_BVH_LEAF)) {
      depth = push_children(&of, &lines->nodes[part.child], stack, depth);
      continue;
    }
    for (unsigned hits = meet_facets(&of, &lines->leaves[part.child & ~LWI_OCCLUDER_BVH_LEAF], &at); hits != 0;
         hits &= hits - 1)
      of.reach = lwi_min(of.reach, lwi_get4(at, __builtin_ctz(hits)));
  }
  return of.reach < whole ? of.reach : 1;
}

/* @param[out] leaves  NULL: stop at the first. @return How many were found. */
static int find_leaves(const lwi_sight_lines *lines, lw_vec3 eye, lw_vec3 target, bool soft, uint32_t *leaves,
                       int capacity) {
  line of;
  uint32_t stack[LWI_OCCLUDER_STACK];
  int count = 0;
  if (!begin(lines, eye, target, soft, &of)) return 0;
  stack[0] = 0;
  for (int depth = 1; depth > 0;) {
    const lwi_lines_node *node = &lines->nodes[stack[--depth]];
    lwi_float4 at;
    for (unsigned bits = meet_boxes(&of, node, &at); bits != 0; bits &= bits - 1) {
      const uint32_t child = node->children[__builtin_ctz(bits)], leaf = child & ~LWI_OCCLUDER_BVH_LEAF;
      if (child == LWI_OCCLUDER_NONE) continue;
      if (!(child & LWI_OCCLUDER_BVH_LEAF)) {
        stack[depth++] = child;
        continue;
      }
      if (meet_facets(&of, &lines->leaves[leaf], &at) == 0) continue;
      if (leaves) leaves[count] = leaf;
      if (++count == capacity) return count;
    }
  }
  return count;
}

bool lwi_lines_see(const lwi_sight_lines *lines, lw_vec3 eye, lw_vec3 target, bool soft) {
  return find_leaves(lines, eye, target, soft, NULL, 1) == 0;
}

int lwi_lines_pierce(const lwi_sight_lines *lines, lw_vec3 eye, lw_vec3 target, bool soft, uint32_t *leaves,
                     int capacity) {
  return find_leaves(lines, eye, target, soft, leaves, capacity);
}

bool lwi_lines_hide(const lwi_sight_lines *lines, const uint32_t *leaves, int count, lw_vec3 eye,
                    lw_vec3 target, bool soft) {
  line of;
  lwi_float4 at;
  if (!begin(lines, eye, target, soft, &of)) return false;
  for (int i = 0; i < count; i++)
    if (meet_facets(&of, &lines->leaves[leaves[i]], &at) != 0) return true;
  return false;
}
