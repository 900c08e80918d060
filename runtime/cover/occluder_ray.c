/* Lines of sight through the occluders. */
#include "cover/occluder.h"

#include "core/lanes.h"
#include "core/vec3.h"
#include "cover/leaf.h"

/* Nothing hides what is so near behind it or so near before the eye: surfaces that one stands at. [m] */
#define NEAR 1e-3f
#define STACK 128

typedef struct sight {
  const lwi_occluders *occluders;
  bool soft;
  lw_vec3 eye, way;           /* eye: relative to the origin */
  lwi_lane_vec3 ways, slopes; /* the same in all lanes, and one over it */
  float nearest;              /* nothing nearer hides, as a part of the way */
  float reach;                /* as far as one sees */
} sight;

/* A way along a box's side: far outside, or through all of it. */
static float slope(float way) {
  return fabsf(way) > 1e-12f ? 1 / way : 1e12f;
}

static lwi_lane_vec3 in_lanes(float x, float y, float z) {
  return (lwi_lane_vec3){lwi_all4(x), lwi_all4(y), lwi_all4(z)};
}

static void cross_axis(lwi_float4 low, lwi_float4 high, lwi_float4 slopes, lwi_float4 *enter,
                       lwi_float4 *leave) {
  const lwi_float4 near = lwi_all4(NEAR);
  lwi_float4 a = (low - near) * slopes, b = (high + near) * slopes;
  *enter = lwi_max4(*enter, -lwi_max4(-a, -b));
  *leave = -lwi_max4(-*leave, -lwi_max4(a, b));
}

static unsigned cross_boxes(const sight *of, const lwi_occluder_node *node) {
  lwi_lane_vec3 low, high;
  lwi_float4 enter = lwi_all4(0), leave = lwi_all4(of->reach);
  lwi_node_boxes(of->occluders, node, of->eye, &low, &high);
  cross_axis(low.x, high.x, of->slopes.x, &enter, &leave);
  cross_axis(low.y, high.y, of->slopes.y, &enter, &leave);
  cross_axis(low.z, high.z, of->slopes.z, &enter, &leave);
  return lwi_signs4(enter - leave - lwi_all4(1e-20f));
}

/* --- facets -------------------------------------------------------------------------------------------------------- */

/* On which side of the way each edge from a corner to the next passes: neighbours agree to the bit. */
static lwi_float4 sides(const sight *of, const lwi_lane_vec3 *a, const lwi_lane_vec3 *b) {
  return of->ways.x * (a->y * b->z - a->z * b->y) + of->ways.y * (a->z * b->x - a->x * b->z) +
         of->ways.z * (a->x * b->y - a->y * b->x);
}

#define FOLLOW(a, b) __builtin_shufflevector(a, b, 1, 2, 3, 4)

/* Does the way, without end, go through the facet? What lies past the last corner is the first again. */
static bool goes_through(const sight *of, const lwi_lane_vec3 corners[2], uint32_t count) {
  const lwi_lane_vec3 *first = &corners[0], *then = &corners[count > 4];
  lwi_lane_vec3 next = {FOLLOW(first->x, then->x), FOLLOW(first->y, then->y), FOLLOW(first->z, then->z)};
  lwi_float4 side = sides(of, first, &next);
  unsigned negative = lwi_signs4(side + lwi_all4(0)), positive = lwi_signs4(lwi_all4(0) - side);
  if (negative && positive) return false;
  if (count <= 4) return true;
  next = (lwi_lane_vec3){FOLLOW(then->x, first->x), FOLLOW(then->y, first->y), FOLLOW(then->z, first->z)};
  side = sides(of, then, &next);
  negative |= lwi_signs4(side + lwi_all4(0));
  positive |= lwi_signs4(lwi_all4(0) - side);
  return !(negative && positive);
}

static lw_vec3 corner_of(const lwi_lane_vec3 corners[2], uint32_t i) {
  const lwi_lane_vec3 *four = &corners[i / 4];
  return lwi_vec3(four->x[i % 4], four->y[i % 4], four->z[i % 4]);
}

/* How far the facet's plane is, as a part of the way. */
static float meet_plane(const sight *of, const lwi_lane_vec3 corners[2], uint32_t count) {
  lw_vec3 normal = {0, 0, 0}, first = corner_of(corners, 0);
  for (uint32_t i = 2; i < count; i++)
    normal = lwi_add(
        normal, lwi_cross(lwi_sub(corner_of(corners, i - 1), first), lwi_sub(corner_of(corners, i), first)));
  float along = lwi_dot(normal, of->way);
  return along != 0 ? lwi_dot(normal, first) / along : -1;
}

static void look_at_leaf(sight *of, uint32_t number) {
  lwi_leaf leaf = lwi_leaf_open(of->occluders, number, of->eye);
  for (lwi_leaf_facet facet; lwi_leaf_next(&leaf, &facet);) {
    lwi_lane_vec3 corners[2];
    if (!of->soft && facet.kind != LW_COVER_HARD) continue;
    for (uint32_t i = 0; i < facet.count; i += 4)
      lwi_leaf_corners(&leaf, &facet, of->occluders->quantum, i, &corners[i / 4]);
    if (!goes_through(of, corners, facet.count)) continue;
    float t = meet_plane(of, corners, facet.count);
    if (t > of->nearest && t < of->reach) of->reach = t;
  }
}

/* --- the tree ------------------------------------------------------------------------------------------------------ */

/* Begin to look. @return false: the target is where the eye is. */
static bool look(const lwi_occluders *occluders, lw_vec3 eye, lw_vec3 target, bool soft, sight *of) {
  lw_vec3 way = lwi_sub(target, eye);
  float length = lwi_length(way);
  *of = (sight){occluders,
                soft,
                lwi_sub(eye, occluders->origin),
                way,
                in_lanes(way.x, way.y, way.z),
                in_lanes(slope(way.x), slope(way.y), slope(way.z)),
                NEAR / length,
                1 - NEAR / length};
  return length > 2 * NEAR;
}

/* Where there is no tree, or only some leaves count. */
static void look_at_leaves(sight *of, const lwi_leaf_list *some) {
  lwi_leaf_list list = some ? *some : (lwi_leaf_list){NULL, NULL};
  if (some)
    for (uint32_t leaf = UINT32_MAX; lwi_leaf_list_next(&list, &leaf);) look_at_leaf(of, leaf);
  else
    for (uint32_t i = 0; i < of->occluders->leaf_count; i++) look_at_leaf(of, i);
}

/* @param any  The first thing that is met will do, however far. */
static void look_at_tree(sight *of, bool any) {
  const float whole = of->reach;
  uint32_t stack[STACK] = {0};
  int depth = 1;
  while (depth > 0 && !(any && of->reach < whole)) {
    const lwi_occluder_node *node = &of->occluders->nodes[stack[--depth]];
    for (unsigned meets = cross_boxes(of, node); meets != 0; meets &= meets - 1) {
      uint32_t child = node->children[__builtin_ctz(meets)];
      if (child == LWI_OCCLUDER_NONE) continue;
      if (child & LWI_OCCLUDER_LEAF)
        look_at_leaf(of, child & ~LWI_OCCLUDER_LEAF);
      else if (depth < STACK)
        stack[depth++] = child;
    }
  }
}

static float see(const lwi_occluders *occluders, const lwi_leaf_list *some, lw_vec3 eye, lw_vec3 target,
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

float lwi_occluders_ray_some(const lwi_occluders *occluders, const lwi_leaf_list *some, lw_vec3 eye,
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
