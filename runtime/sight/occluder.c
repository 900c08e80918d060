#include "sight/occluder.h"

#include "core/simd.h"
#include "core/vec3.h"
#include "sight/bvh.h"

#include <string.h>

static bool is_same_run(const void *a, const void *b, size_t size) {
  return size == 0 || memcmp(a, b, size) == 0;
}

bool lwi_occluders_are_same(const lwi_occluders *a, const lwi_occluders *b) {
  return a->number_count == b->number_count && a->vertex_count == b->vertex_count && a->quantum == b->quantum &&
         memcmp(&a->origin, &b->origin, sizeof a->origin) == 0 &&
         is_same_run(a->vertices, b->vertices,
                     lwi_occluder_vertex_numbers(a->vertex_count) * sizeof *a->vertices) &&
         is_same_run(a->numbers, b->numbers, a->number_count * sizeof *a->numbers);
}

size_t lwi_occluders_bytes(const lwi_occluders *occluders) {
  return occluders->node_count * sizeof *occluders->nodes + occluders->leaf_count * sizeof *occluders->leaves +
         occluders->block_count * sizeof *occluders->blocks +
         occluders->number_count * sizeof *occluders->numbers +
         lwi_occluder_vertex_numbers(occluders->vertex_count) * sizeof *occluders->vertices;
}

void lwi_occluders_free(lwi_occluders *occluders, lwi_memory *memory) {
  lwi_free(memory, occluders->nodes, occluders->node_count * sizeof *occluders->nodes);
  lwi_free(memory, occluders->leaves, occluders->leaf_count * sizeof *occluders->leaves);
  lwi_free(memory, occluders->blocks, occluders->block_count * sizeof *occluders->blocks);
  lwi_free(memory, occluders->numbers, occluders->number_count * sizeof *occluders->numbers);
  lwi_free(memory, occluders->vertices,
           lwi_occluder_vertex_numbers(occluders->vertex_count) * sizeof *occluders->vertices);
  *occluders = (lwi_occluders){.quantum = 1};
}

/* --- reading ---------------------------------------------------------------------------------------------- */

/* @param vertex  Counted from the block's first. */
static lw_vec3 corner(const lwi_occluders *of, const lwi_occluder_block *block, uint32_t vertex) {
  const uint16_t *at = of->vertices + 3 * ((size_t)block->first + vertex);
  const double quantum = (double)of->quantum;
  return lwi_vec3((float)((block->origin[0] + at[0]) * quantum), (float)((block->origin[1] + at[1]) * quantum),
                  (float)((block->origin[2] + at[2]) * quantum));
}

bool lwi_occluders_next(const lwi_occluders *occluders, lwi_occluder_cursor *cursor,
                        lwi_occluder_facet *facet) {
  if (cursor->leaf == occluders->leaf_count) return false;
  const uint8_t *leaf = occluders->numbers + occluders->leaves[cursor->leaf];
  const uint8_t *at = leaf + LWI_BVH_LEAF_HEAD + cursor->at;
  const uint32_t count = at[0] & LWI_FACET_COUNT;
  facet->count = (uint8_t)count;
  facet->kind = (uint8_t)LWI_FACET_KIND(at[0]);
  for (uint32_t i = 0; i < count; i++)
    facet->corners[i] =
        corner(occluders, &occluders->blocks[LWI_BVH_LEAF_BLOCK(leaf)], LWI_BVH_LEAF_FIRST(leaf) + at[1 + i]);
  if (at[0] & LWI_FACET_LAST)
    *cursor = (lwi_occluder_cursor){cursor->leaf + 1, 0};
  else
    cursor->at += 1 + count;
  return true;
}

/* --- some of the leaves ----------------------------------------------------------------------------------- */

typedef struct thinning {
  const lwi_occluders *from;
  lwi_occluders *to;
  uint32_t *kept; /* [vertex_count] 1 + the vertex's number in the copy, 0: not copied */
} thinning;

/* Where a leaf's numbers end. */
static uint32_t leaf_end(const lwi_occluders *of, uint32_t leaf) {
  return leaf + 1 < of->leaf_count ? of->leaves[leaf + 1] : of->number_count;
}

/* The vertex that the leaf's corners are numbered from. */
static uint32_t first_vertex(const lwi_occluders *of, uint32_t leaf) {
  const uint8_t *numbers = of->numbers + of->leaves[leaf];
  return of->blocks[LWI_BVH_LEAF_BLOCK(numbers)].first + LWI_BVH_LEAF_FIRST(numbers);
}

static void mark_vertices(const thinning *t, uint32_t leaf) {
  const uint32_t first = first_vertex(t->from, leaf);
  for (uint32_t at = t->from->leaves[leaf] + LWI_BVH_LEAF_HEAD; at < leaf_end(t->from, leaf);) {
    const uint32_t count = t->from->numbers[at++] & LWI_FACET_COUNT;
    t->to->facet_count += 1;
    for (uint32_t i = 0; i < count; i++) t->kept[first + t->from->numbers[at++]] = 1;
  }
}

/* Copy the used vertices, block by block. */
static void copy_vertices(const thinning *t) {
  const lwi_occluders *from = t->from;
  uint32_t used = 0;
  for (uint32_t b = 0; b < from->block_count; b++) {
    const uint32_t end = b + 1 < from->block_count ? from->blocks[b + 1].first : from->vertex_count;
    t->to->blocks[b] = from->blocks[b];
    t->to->blocks[b].first = used;
    for (uint32_t v = from->blocks[b].first; v < end; v++) {
      if (!t->kept[v]) continue;
      memcpy(t->to->vertices + 3 * (size_t)used, from->vertices + 3 * (size_t)v, 3 * sizeof *from->vertices);
      t->kept[v] = ++used;
    }
  }
  t->to->vertices[3 * (size_t)used] = 0;
}

/* The vertex that the copied leaf's corners are numbered from. Vertices only move closer, so numbers still
   fit a byte. */
static uint32_t first_kept(const thinning *t, uint32_t leaf) {
  const uint32_t first = first_vertex(t->from, leaf);
  uint32_t kept = UINT32_MAX;
  for (uint32_t at = t->from->leaves[leaf] + LWI_BVH_LEAF_HEAD; at < leaf_end(t->from, leaf);) {
    const uint32_t count = t->from->numbers[at++] & LWI_FACET_COUNT;
    for (uint32_t i = 0; i < count; i++) {
      const uint32_t number = t->kept[first + t->from->numbers[at++]] - 1;
      if (number < kept) kept = number;
    }
  }
  return kept;
}

/* @return Where the next leaf's numbers go. */
static uint32_t copy_leaf(const thinning *t, uint32_t leaf, uint32_t to) {
  const lwi_occluders *from = t->from;
  const uint8_t *head = from->numbers + from->leaves[leaf];
  const uint32_t first = first_vertex(from, leaf), kept = first_kept(t, leaf),
                 off = kept - t->to->blocks[LWI_BVH_LEAF_BLOCK(head)].first;
  uint8_t *numbers = t->to->numbers;
  numbers[to++] = head[0];
  numbers[to++] = head[1];
  numbers[to++] = (uint8_t)off;
  numbers[to++] = (uint8_t)(off >> 8);
  for (uint32_t at = from->leaves[leaf] + LWI_BVH_LEAF_HEAD; at < leaf_end(from, leaf);) {
    const uint32_t count = from->numbers[at] & LWI_FACET_COUNT;
    numbers[to++] = from->numbers[at++];
    for (uint32_t i = 0; i < count; i++)
      numbers[to++] = (uint8_t)(t->kept[first + from->numbers[at++]] - 1 - kept);
  }
  return to;
}

static bool make_arrays(const thinning *t, lwi_memory *memory) {
  lwi_occluders *to = t->to;
  for (uint32_t v = 0; v < t->from->vertex_count; v++) to->vertex_count += t->kept[v];
  to->block_count = t->from->block_count;
  to->leaves = lwi_alloc(memory, to->leaf_count * sizeof *to->leaves);
  to->blocks = lwi_alloc(memory, to->block_count * sizeof *to->blocks);
  to->numbers = lwi_alloc(memory, to->number_count * sizeof *to->numbers);
  to->vertices =
      lwi_alloc(memory, (size_t)lwi_occluder_vertex_numbers(to->vertex_count) * sizeof *to->vertices);
  return to->leaves && to->blocks && to->numbers && to->vertices;
}

static bool thin_out(const thinning *t, const uint32_t *numbers, lwi_memory *memory) {
  for (uint32_t i = 0; i < t->from->leaf_count; i++) {
    if (numbers[i] == UINT32_MAX) continue;
    t->to->leaf_count += 1;
    t->to->number_count += leaf_end(t->from, i) - t->from->leaves[i];
    mark_vertices(t, i);
  }
  if (t->to->leaf_count == 0) return true;
  if (!make_arrays(t, memory)) return false;
  copy_vertices(t);
  for (uint32_t i = 0, at = 0; i < t->from->leaf_count; i++) {
    if (numbers[i] == UINT32_MAX) continue;
    t->to->leaves[numbers[i]] = at;
    at = copy_leaf(t, i, at);
  }
  return true;
}

bool lwi_occluders_thin(const lwi_occluders *occluders, const uint32_t *numbers, lwi_memory *memory,
                        lwi_occluders *thin) {
  const size_t size = occluders->vertex_count * sizeof(uint32_t);
  *thin = (lwi_occluders){.origin = occluders->origin, .quantum = occluders->quantum};
  if (occluders->leaf_count == 0) return true;
  const thinning t = {occluders, thin, lwi_alloc_zero(memory, size)};
  bool done = t.kept && thin_out(&t, numbers, memory);
  lwi_free(memory, t.kept, size);
  if (!done) lwi_occluders_free(thin, memory);
  return done;
}

/* --- lines of sight --------------------------------------------------------------------------------------- */

/* Lines of sight through the occluders. */

/* Occluders within this distance of the eye or the target do not hide it: surfaces that an agent stands at.
   [m] */
#define NEAR 1e-3f

typedef struct sight {
  const lwi_occluders *occluders;
  bool soft;
  lw_vec3 eye, ray;        /* eye: relative to the occluders' origin; ray: from eye to target */
  lwi_vec3x4 ray4, slopes; /* the ray in all elements, and its reciprocal */
  float nearest;           /* occluders nearer than this part of the ray do not hide */
  float reach;             /* how far the view reaches, as a part of the ray */
  uint32_t leaf;           /* that of the occluder there */
} sight;

/* A ray parallel to a side of the box: far outside, or through all of it. */
static float slope(float ray) {
  return fabsf(ray) > 1e-12f ? 1 / ray : 1e12f;
}

static lwi_vec3x4 in_simd(float x, float y, float z) {
  return (lwi_vec3x4){lwi_splat4(x), lwi_splat4(y), lwi_splat4(z)};
}

static void cross_axis(lwi_float4 low, lwi_float4 high, lwi_float4 slopes, lwi_float4 *enter,
                       lwi_float4 *leave) {
  const lwi_float4 near = lwi_splat4(NEAR);
  const lwi_float4 a = lwi_mul4(lwi_sub4(low, near), slopes), b = lwi_mul4(lwi_add4(high, near), slopes);
  *enter = lwi_max4(*enter, lwi_min4(a, b));
  *leave = lwi_min4(*leave, lwi_max4(a, b));
}

static unsigned cross_boxes(const sight *of, const lwi_occluder_node *node) {
  lwi_vec3x4 low, high;
  lwi_float4 enter = lwi_splat4(0), leave = lwi_splat4(of->reach);
  lwi_node_boxes(of->occluders, node, of->eye, &low, &high);
  cross_axis(low.x, high.x, of->slopes.x, &enter, &leave);
  cross_axis(low.y, high.y, of->slopes.y, &enter, &leave);
  cross_axis(low.z, high.z, of->slopes.z, &enter, &leave);
  return lwi_signs4(lwi_sub4(lwi_sub4(enter, leave), lwi_splat4(1e-20f)));
}

/* --- facets ----------------------------------------------------------------------------------------------- */

/* a * b - c * d */
static inline lwi_float4 turn(lwi_float4 a, lwi_float4 b, lwi_float4 c, lwi_float4 d) {
  return lwi_sub4(lwi_mul4(a, b), lwi_mul4(c, d));
}

/* The side on which each edge, from a corner to the next, passes the ray. Facets that share an edge agree to
   the bit. */
static inline lwi_float4 sides(const sight *of, const lwi_vec3x4 *a, const lwi_vec3x4 *b) {
  const lwi_float4 x = turn(a->y, b->z, a->z, b->y), y = turn(a->z, b->x, a->x, b->z),
                   z = turn(a->x, b->y, a->y, b->x);
  return lwi_mul_add4(of->ray4.z, z, lwi_mul_add4(of->ray4.x, x, lwi_mul4(of->ray4.y, y)));
}

#define FOLLOW(a, b) lwi_shuffle4(a, b, 1, 2, 3, 4)

/* Does the infinite ray pass through the facet? Elements behind the last corner repeat the first. */
static bool goes_through(const sight *of, const lwi_vec3x4 corners[2], uint32_t count) {
  const lwi_vec3x4 *first = &corners[0], *then = &corners[count > 4];
  lwi_vec3x4 next = {FOLLOW(first->x, then->x), FOLLOW(first->y, then->y), FOLLOW(first->z, then->z)};
  lwi_float4 side = sides(of, first, &next);
  unsigned negative = lwi_signs4(lwi_add4(side, lwi_splat4(0))),
           positive = lwi_signs4(lwi_sub4(lwi_splat4(0), side));
  if (negative && positive) return false;
  if (count <= 4) return true;
  next = (lwi_vec3x4){FOLLOW(then->x, first->x), FOLLOW(then->y, first->y), FOLLOW(then->z, first->z)};
  side = sides(of, then, &next);
  negative |= lwi_signs4(lwi_add4(side, lwi_splat4(0)));
  positive |= lwi_signs4(lwi_sub4(lwi_splat4(0), side));
  return !(negative && positive);
}

static inline lw_vec3 corner_of(const lwi_vec3x4 corners[2], uint32_t i) {
  const lwi_vec3x4 *four = &corners[i / 4];
  return lwi_vec3(lwi_get4(four->x, (int)i % 4), lwi_get4(four->y, (int)i % 4), lwi_get4(four->z, (int)i % 4));
}

/* Where the ray meets the facet's plane, as a part of the ray. */
static float meet_plane(const sight *of, const lwi_vec3x4 corners[2], uint32_t count) {
  lw_vec3 normal = {0, 0, 0}, first = corner_of(corners, 0);
  for (uint32_t i = 2; i < count; i++)
    normal = lwi_add(
        normal, lwi_cross(lwi_sub(corner_of(corners, i - 1), first), lwi_sub(corner_of(corners, i), first)));
  float along = lwi_dot(normal, of->ray);
  return along != 0 ? lwi_dot(normal, first) / along : -1;
}

static void look_at_leaf(sight *of, uint32_t number) {
  lwi_bvh_leaf leaf = lwi_bvh_leaf_open(of->occluders, number, of->eye);
  for (lwi_bvh_leaf_facet facet; lwi_bvh_leaf_next(&leaf, &facet);) {
    lwi_vec3x4 corners[2];
    if (!of->soft && facet.kind != LW_COVER_HARD) continue;
    for (uint32_t i = 0; i < facet.count; i += 4)
      lwi_bvh_leaf_corners(&leaf, &facet, of->occluders->quantum, i, &corners[i / 4]);
    if (!goes_through(of, corners, facet.count)) continue;
    float t = meet_plane(of, corners, facet.count);
    if (t > of->nearest && t < of->reach) of->reach = t, of->leaf = number;
  }
}

/* --- the tree --------------------------------------------------------------------------------------------- */

/* @return false: the target is at the eye. */
static bool look(const lwi_occluders *occluders, lw_vec3 eye, lw_vec3 target, bool soft, sight *of) {
  lw_vec3 ray = lwi_sub(target, eye);
  float length = lwi_length(ray);
  *of = (sight){occluders,
                soft,
                lwi_sub(eye, occluders->origin),
                ray,
                in_simd(ray.x, ray.y, ray.z),
                in_simd(slope(ray.x), slope(ray.y), slope(ray.z)),
                NEAR / length,
                1 - NEAR / length,
                0};
  return length > 2 * NEAR;
}

/* Without a BVH, or when only some leaves count. */
static void look_at_leaves(sight *of, const lwi_bvh_leaf_list *some) {
  lwi_bvh_leaf_list list = some ? *some : (lwi_bvh_leaf_list){NULL, NULL};
  if (some)
    for (uint32_t leaf = UINT32_MAX; lwi_bvh_leaf_list_next(&list, &leaf);) look_at_leaf(of, leaf);
  else
    for (uint32_t i = 0; i < of->occluders->leaf_count; i++) look_at_leaf(of, i);
}

/* @param any  Stop at the first occluder, however far it is. */
static void look_at_tree(sight *of, bool any) {
  const float whole = of->reach;
  uint32_t stack[LWI_OCCLUDER_STACK] = {0};
  int depth = 1;
  while (depth > 0 && !(any && of->reach < whole)) {
    const lwi_occluder_node *node = &of->occluders->nodes[stack[--depth]];
    for (unsigned meets = cross_boxes(of, node); meets != 0; meets &= meets - 1) {
      uint32_t child = node->children[__builtin_ctz(meets)];
      if (child == LWI_OCCLUDER_NONE) continue;
      if (child & LWI_OCCLUDER_BVH_LEAF)
        look_at_leaf(of, child & ~LWI_OCCLUDER_BVH_LEAF);
      else
        stack[depth++] = child;
    }
  }
}

static float see(const lwi_occluders *occluders, const lwi_bvh_leaf_list *some, lw_vec3 eye, lw_vec3 target,
                 bool soft, bool any) {
  sight of;
  if (!look(occluders, eye, target, soft, &of)) return 1;
  const float whole = of.reach;
  if (some || occluders->node_count == 0)
    look_at_leaves(&of, some);
  else
    look_at_tree(&of, any);
  return of.reach < whole ? of.reach : 1;
}

float lwi_occluders_ray_some(const lwi_occluders *occluders, const lwi_bvh_leaf_list *some, lw_vec3 eye,
                             lw_vec3 target, bool soft) {
  return see(occluders, some, eye, target, soft, false);
}

float lwi_occluders_ray(const lwi_occluders *occluders, lw_vec3 eye, lw_vec3 target, bool soft) {
  return see(occluders, NULL, eye, target, soft, false);
}

bool lwi_occluders_see(const lwi_occluders *occluders, lw_vec3 eye, lw_vec3 target, bool soft) {
  return see(occluders, NULL, eye, target, soft, true) >= 1;
}

bool lwi_sets_see(const lwi_occluders *const *sets, int count, lw_vec3 eye, lw_vec3 target, bool soft) {
  for (int i = 0; i < count; i++)
    if (!lwi_occluders_see(sets[i], eye, target, soft)) return false;
  return true;
}

/* A hint is the number of the set above HINT_LEAF bits for 1 + the leaf. */
#define HINT_LEAF 26
_Static_assert(LW_NAVMESHES_MAX <= 1 << (32 - HINT_LEAF), "a hint has bits for all sets");

/* Does the leaf hide the target? */
static bool hides(const lwi_occluders *occluders, uint32_t leaf, lw_vec3 eye, lw_vec3 target, bool soft) {
  sight of;
  if (leaf >= occluders->leaf_count || !look(occluders, eye, target, soft, &of)) return false;
  const float whole = of.reach;
  look_at_leaf(&of, leaf);
  return of.reach < whole;
}

bool lwi_sets_see_again(const lwi_occluders *const *sets, int count, lw_vec3 eye, lw_vec3 target, bool soft,
                        uint32_t *hint) {
  const uint32_t set = *hint >> HINT_LEAF, leaf = *hint & ((1u << HINT_LEAF) - 1);
  if (leaf && set < (uint32_t)count && hides(sets[set], leaf - 1, eye, target, soft)) return false;
  for (int i = 0; i < count; i++) {
    sight of;
    if (!look(sets[i], eye, target, soft, &of)) continue;
    const float whole = of.reach;
    if (sets[i]->node_count == 0)
      look_at_leaves(&of, NULL);
    else
      look_at_tree(&of, true);
    if (!(of.reach < whole)) continue;
    *hint = of.leaf + 1 < 1u << HINT_LEAF ? (uint32_t)i << HINT_LEAF | (of.leaf + 1) : 0;
    return false;
  }
  return true;
}
