/* Depth maps: faces are drawn front to back and then asked along segments.

   A facet covers a texel if the line of sight through the texel's middle lies within all planes through the eye and an edge
   of the facet. So facets that reach behind the eye need no clipping, and neighbours meet without a crack (Olano and Greer
   1997). The reciprocal of depth is linear over a face. Parts of the BVH behind what is drawn are skipped by the furthest
   depth of tiles of 8 x 8 texels (Greene, Kass and Miller 1993). */
#include "sight/depth_map.h"

#include "core/simd.h"
#include "core/vec3.h"
#include "sight/bvh.h"

#include <string.h>

#define SIDE LWI_DEPTH_SIDE
#define STRIDE LWI_DEPTH_STRIDE
#define TILE 8
#define TILES (STRIDE / TILE)
#define NEARNESS_MAX (LWI_DEPTH_UNIT / LWI_DEPTH_NEAR)
/* A facet whose plane is nearer to the eye is seen edge-on and not drawn. [m] */
#define EDGE_ON 1e-5f

struct lwi_depth_scratch {
  float texels[LWI_DEPTH_TEXELS]; /* LWI_DEPTH_UNIT / depth; 0: nothing drawn */
  float lowest[TILES * TILES];    /* the least of each tile's texels */
  uint8_t stale[TILES * TILES];   /* drawn into since `lowest` was found */
};

size_t lwi_depth_scratch_size(void) {
  return sizeof(lwi_depth_scratch);
}

void lwi_depth_map_begin(lwi_depth_map *map, lw_vec3 eye, bool soft) {
  map->eye = eye;
  map->soft = soft;
  atomic_store_explicit(&map->drawn, 0, memory_order_relaxed);
}

/* A face being drawn. Its axes: x along the columns, y along the rows, z away from the eye. */
typedef struct canvas {
  lwi_depth_scratch *scratch;
  const lwi_occluders *occluders;
  lw_vec3 eye; /* relative to the occluders' origin */
  bool soft;
  int x, y, z;  /* which axes of the level the face's are */
  float sign;   /* of z */
  float denser; /* lwi_depth_denser() */
} canvas;

/* A rectangle of texels, both ends included. Empty if a maximum is below its minimum. */
typedef struct texel_box {
  int x0, y0, x1, y1;
} texel_box;

/* The first texel whose middle is at or behind `at`, and the last whose middle is at or before it. [texels] */
static inline int first_texel(float at) {
  float texel = lwi_min(lwi_max(at - 0.5f, 0), SIDE);
  int whole = (int)texel;
  return whole + ((float)whole < texel);
}
static inline int last_texel(float at) {
  float texel = lwi_min(lwi_max(at - 0.5f, -1), SIDE - 1);
  return (int)(texel + 1) - 1; /* rounds down: texel + 1 >= 0 */
}

/* --- facets ----------------------------------------------------------------------------------------------- */

typedef struct outline {
  int count;
  float x[LWI_OCCLUDER_CORNERS], y[LWI_OCCLUDER_CORNERS], z[LWI_OCCLUDER_CORNERS];
} outline;

static lw_vec3 corner(const outline *of, int i) {
  return lwi_vec3(of->x[i], of->y[i], of->z[i]);
}

static void load_outline(const canvas *on, const lwi_bvh_leaf *leaf, const lwi_bvh_leaf_facet *facet,
                         outline *of) {
  of->count = (int)facet->count;
  for (uint32_t i = 0; i < facet->count; i += 4) {
    lwi_vec3x4 corners;
    lwi_bvh_leaf_corners(leaf, facet, on->occluders->quantum, i, &corners);
    const lwi_float4 axes[3] = {corners.x, corners.y, corners.z};
    lwi_float4 z = lwi_mul4(axes[on->z], lwi_splat4(on->sign));
    lwi_store4(of->x + i, axes[on->x]);
    lwi_store4(of->y + i, axes[on->y]);
    lwi_store4(of->z + i, z);
  }
}

static texel_box box_of(const canvas *on, float low_x, float low_y, float high_x, float high_y) {
  return (texel_box){first_texel(lwi_depth_column(low_x)), first_texel(lwi_depth_row(low_y, 1, on->denser)),
                     last_texel(lwi_depth_column(high_x)), last_texel(lwi_depth_row(high_y, 1, on->denser))};
}

/* The texels whose middles the outline may cover. */
static texel_box bound_outline(const canvas *on, const outline *of) {
  float low_x = INFINITY, low_y = INFINITY, high_x = -INFINITY, high_y = -INFINITY, low_z = INFINITY;
  unsigned outside = 0xf;
  for (int i = 0; i < of->count; i++) {
    float x = of->x[i], y = of->y[i], z = of->z[i];
    outside &= (unsigned)(x > z) | (unsigned)(-x > z) << 1 | (unsigned)(y > z) << 2 | (unsigned)(-y > z) << 3;
    low_z = lwi_min(low_z, z);
  }
  if (outside) return (texel_box){0, 0, -1, -1};
  if (!(low_z > LWI_DEPTH_NEAR)) return (texel_box){0, 0, SIDE - 1, SIDE - 1};
  for (int i = 0; i < of->count; i++) {
    float scale = 1 / of->z[i], x = of->x[i] * scale, y = of->y[i] * scale;
    low_x = lwi_min(low_x, x);
    high_x = lwi_max(high_x, x);
    low_y = lwi_min(low_y, y);
    high_y = lwi_max(high_y, y);
  }
  return box_of(on, low_x, low_y, high_x, high_y);
}

/* A facet's edges and plane as functions of the position on the face. */
typedef struct drawing {
  int rights, lefts, levels;
  float left[LWI_OCCLUDER_CORNERS][2], right[LWI_OCCLUDER_CORNERS][2]; /* edge: x = [0] + [1] y */
  float level[LWI_OCCLUDER_CORNERS][2];                                /* inside: [0] + [1] y >= 0 */
  float near[3]; /* LWI_DEPTH_UNIT / depth = [0] + [1] x + [2] y */
} drawing;

/* @return false: the facet is seen edge-on. */
static bool prepare(const outline *of, drawing *out) {
  lw_vec3 normal = {0, 0, 0}, first = corner(of, 0);
  for (int i = 2; i < of->count; i++)
    normal = lwi_add(normal, lwi_cross(lwi_sub(corner(of, i - 1), first), lwi_sub(corner(of, i), first)));
  float over = lwi_dot(normal, first), scale = LWI_DEPTH_UNIT / over;
  if (!(over * over > EDGE_ON * EDGE_ON * lwi_dot(normal, normal))) return false;
  out->near[0] = normal.z * scale;
  out->near[1] = normal.x * scale;
  out->near[2] = normal.y * scale;
  out->lefts = out->rights = out->levels = 0;
  for (int i = 0; i < of->count; i++) {
    lw_vec3 edge = lwi_cross(corner(of, i), corner(of, i + 1 < of->count ? i + 1 : 0));
    if (edge.x == 0) {
      float side = over > 0 ? 1.0f : -1.0f;
      out->level[out->levels][0] = edge.z * side;
      out->level[out->levels++][1] = edge.y * side;
      continue;
    }
    float(*line)[2] = (edge.x > 0) == (over > 0) ? &out->left[out->lefts++] : &out->right[out->rights++];
    (*line)[0] = -edge.z / edge.x;
    (*line)[1] = -edge.y / edge.x;
  }
  return true;
}

/* Draw texels x0..x1 of a row where the facet is nearer than what is drawn. */
static void draw_span(float *row, int x0, int x1, float near, float step) {
  int x = x0;
  near += step * ((float)x0 + 0.5f);
  lwi_float4 value = lwi_mul_add4(lwi_splat4(step), lwi_make4(0, 1, 2, 3), lwi_splat4(near));
  const lwi_float4 steps = lwi_splat4(4 * step);
  for (; x + 3 <= x1; x += 4) {
    const lwi_float4 old = lwi_load4(row + x);
    const lwi_mask4 nearer =
        lwi_mask_and4(lwi_less4(old, value), lwi_less_equal4(value, lwi_splat4(NEARNESS_MAX)));
    lwi_store4(row + x, lwi_select4(nearer, value, old));
    value = lwi_add4(value, steps);
  }
  float rest[4];
  lwi_store4(rest, value);
  for (int i = 0; x <= x1; x++, i++)
    if (rest[i] > row[x] && rest[i] <= NEARNESS_MAX) row[x] = rest[i];
}

static void draw_rows(const canvas *on, const drawing *of, texel_box box) {
  const float texel = 2.0f / SIDE;
  for (int row = box.y0; row <= box.y1; row++) {
    float y = lwi_depth_row_middle(row, on->denser), left = -1, right = 1;
    for (int i = 0; i < of->lefts; i++) left = lwi_max(left, of->left[i][0] + of->left[i][1] * y);
    for (int i = 0; i < of->rights; i++) right = lwi_min(right, of->right[i][0] + of->right[i][1] * y);
    for (int i = 0; i < of->levels; i++)
      if (of->level[i][0] + of->level[i][1] * y < 0) right = -2;
    if (!(left <= right)) continue;
    int x0 = first_texel(lwi_depth_column(left)), x1 = last_texel(lwi_depth_column(right));
    x0 = x0 > box.x0 ? x0 : box.x0;
    x1 = x1 < box.x1 ? x1 : box.x1;
    if (x0 <= x1)
      draw_span(on->scratch->texels + row * STRIDE, x0, x1, of->near[0] - of->near[1] + of->near[2] * y,
                of->near[1] * texel);
  }
}

static void draw_facet(const canvas *on, const lwi_bvh_leaf *leaf, const lwi_bvh_leaf_facet *facet) {
  outline of;
  drawing with;
  load_outline(on, leaf, facet, &of);
  texel_box box = bound_outline(on, &of);
  if (box.x0 > box.x1 || box.y0 > box.y1 || !prepare(&of, &with)) return;
  draw_rows(on, &with, box);
  for (int y = box.y0 / TILE; y <= box.y1 / TILE; y++)
    memset(on->scratch->stale + y * TILES + box.x0 / TILE, 1, (size_t)(box.x1 / TILE - box.x0 / TILE) + 1);
}

static void draw_leaf(const canvas *on, uint32_t number) {
  lwi_bvh_leaf leaf = lwi_bvh_leaf_open(on->occluders, number, on->eye);
  for (lwi_bvh_leaf_facet facet; lwi_bvh_leaf_next(&leaf, &facet);)
    if (on->soft || facet.kind == LW_COVER_HARD) draw_facet(on, &leaf, &facet);
}

/* --- the BVH ---------------------------------------------------------------------------------------------- */

static float tile_lowest(lwi_depth_scratch *scratch, int x, int y) {
  int tile = y * TILES + x;
  if (!scratch->stale[tile]) return scratch->lowest[tile];
  const float *texels = scratch->texels + (y * STRIDE + x) * TILE;
  lwi_float4 lowest = lwi_load4(texels);
  for (int row = 0; row < TILE; row++)
    for (int k = 0; k < TILE; k += 4) lowest = lwi_min4(lowest, lwi_load4(texels + row * STRIDE + k));
  scratch->stale[tile] = 0;
  scratch->lowest[tile] = lwi_lowest4(lowest);
  return scratch->lowest[tile];
}

static bool is_behind(lwi_depth_scratch *scratch, texel_box box, float near) {
  for (int y = box.y0 / TILE; y <= box.y1 / TILE; y++)
    for (int x = box.x0 / TILE; x <= box.x1 / TILE; x++)
      if (tile_lowest(scratch, x, y) < near) return false;
  return true;
}

/* A subtree: LWI_DEPTH_UNIT / its least depth, and the texels whose middles it may cover. */
typedef struct branch {
  uint32_t child;
  float near;
  texel_box box;
} branch;

/* @return false: the box lies beside the face, or covers no texel's middle. */
static bool bound_child(const canvas *on, const lwi_float4 *low, const lwi_float4 *high, int i, branch *out) {
  float low_x = lwi_get4(low[on->x], i), high_x = lwi_get4(high[on->x], i);
  float low_y = lwi_get4(low[on->y], i), high_y = lwi_get4(high[on->y], i);
  float a = lwi_get4(low[on->z], i), b = lwi_get4(high[on->z], i);
  float low_z = on->sign > 0 ? a : -b, high_z = on->sign > 0 ? b : -a;
  if (high_z <= 0 || low_x > high_z || low_y > high_z || -high_x > high_z || -high_y > high_z) return false;
  if (!(low_z > LWI_DEPTH_NEAR)) {
    out->near = NEARNESS_MAX;
    out->box = (texel_box){0, 0, SIDE - 1, SIDE - 1};
    return true;
  }
  const float less = 1 / high_z, more = 1 / low_z;
  out->near = LWI_DEPTH_UNIT * more;
  out->box = box_of(on, low_x * (low_x < 0 ? more : less), low_y * (low_y < 0 ? more : less),
                    high_x * (high_x > 0 ? more : less), high_y * (high_y > 0 ? more : less));
  return out->box.x0 <= out->box.x1 && out->box.y0 <= out->box.y1;
}

/* Push the children, the nearest on top. @return The stack's depth. */
static int push_children(const canvas *on, const lwi_occluder_node *node, branch *stack, int depth) {
  const int bottom = depth;
  lwi_vec3x4 low, high;
  lwi_node_boxes(on->occluders, node, on->eye, &low, &high);
  for (int i = 0; i < 4; i++) {
    branch part = {.child = node->children[i]};
    if (part.child == LWI_OCCLUDER_NONE || !bound_child(on, &low.x, &high.x, i, &part)) continue;
    int at = depth++;
    for (; at > bottom && stack[at - 1].near > part.near; at--) stack[at] = stack[at - 1];
    stack[at] = part;
  }
  return depth;
}

static void draw_tree(const canvas *on) {
  branch stack[LWI_OCCLUDER_STACK];
  int depth = 0;
  if (on->occluders->node_count > 0) depth = push_children(on, &on->occluders->nodes[0], stack, 0);
  while (depth > 0) {
    branch part = stack[--depth];
    if (is_behind(on->scratch, part.box, part.near)) continue;
    if (part.child & LWI_OCCLUDER_BVH_LEAF)
      draw_leaf(on, part.child & ~LWI_OCCLUDER_BVH_LEAF);
    else
      depth = push_children(on, &on->occluders->nodes[part.child], stack, depth);
  }
}

/* --- a face ----------------------------------------------------------------------------------------------- */

/* Rounded towards 0: what is drawn moves away a little, never nearer. */
static void pack(const float *texels, uint16_t *halves) {
  for (int i = 0; i < LWI_DEPTH_TEXELS; i += 4) lwi_store_half4(halves + i, lwi_load4(texels + i));
}

/* The last column and row are no texels: they count as drawn at the least depth, so they never keep a tile open. */
static void clear(lwi_depth_scratch *scratch) {
  memset(scratch, 0, sizeof *scratch);
  for (int i = 0; i < STRIDE; i++)
    scratch->texels[i * STRIDE + SIDE] = scratch->texels[SIDE * STRIDE + i] = NEARNESS_MAX;
}

void lwi_depth_map_draw(lwi_depth_map *map, const lwi_depth_scene *scene, unsigned face) {
  canvas on = {.scratch = scene->scratch,
               .soft = map->soft,
               .x = lwi_depth_column_axis(face),
               .y = lwi_depth_row_axis(face),
               .z = (int)face / 2,
               .sign = face & 1 ? -1.0f : 1.0f,
               .denser = lwi_depth_denser(face)};
  clear(on.scratch);
  for (int i = 0; i < scene->count; i++) {
    on.occluders = scene->sets[i];
    on.eye = lwi_sub(map->eye, on.occluders->origin);
    draw_tree(&on);
  }
  pack(on.scratch->texels, map->faces[face]);
  atomic_fetch_or_explicit(&map->drawn, 1U << face, memory_order_release);
}

/* --- asking ----------------------------------------------------------------------------------------------- */

/* A segment is a straight line on a face, and the reciprocal of its depth is linear along that line. */

#define HALF (LWI_DEPTH_SIDE / 2.0f)

/* A point relative to the eye, along the face's axes: z away from the eye. */
static lw_vec3 in_face(lw_vec3 at, unsigned face) {
  const float *axes = &at.x, away = axes[face / 2];
  return lwi_vec3(axes[lwi_depth_column_axis(face)], axes[lwi_depth_row_axis(face)], face & 1 ? -away : away);
}

static unsigned face_of(lw_vec3 at) {
  float x = fabsf(at.x), y = fabsf(at.y), z = fabsf(at.z);
  if (x >= y && x >= z) return at.x < 0;
  return y >= z ? 2u + (at.y < 0) : 4u + (at.z < 0);
}

/* A segment on a face, walked in pieces no longer than a texel. */
typedef struct walk {
  const uint16_t *texels;
  float denser;       /* lwi_depth_denser() */
  float t0, t1;       /* the part of the segment that lies on this face */
  float near0, near1; /* LWI_DEPTH_UNIT / depth at its ends */
  lwi_intervals *hidden;
  bool inside; /* behind what is drawn */
  float since; /* where that began */
  bool failed; /* out of memory */
} walk;

/* The parameter of the segment for one of the line on the face. */
static float unproject(const walk *of, float at) {
  if (at <= 0) return of->t0;
  if (at >= 1) return of->t1;
  float behind = at * of->near1, before = (1 - at) * of->near0;
  return of->t0 + (of->t1 - of->t0) * (behind / (before + behind));
}

static void cross(walk *of, float at) {
  if (of->inside) {
    lwi_interval part = {unproject(of, of->since), unproject(of, at)};
    of->failed |= !lwi_intervals_add(of->hidden, part);
  }
  of->inside = !of->inside;
  of->since = at;
}

/* LWI_DEPTH_UNIT / depth of what is drawn at four places. @param x  [texels] @param y  -1..1, as for lwi_depth_row(). */
static inline lwi_float4 look_up(const walk *of, lwi_float4 x, lwi_float4 y) {
  const lwi_float4 slower = lwi_mul_add4(lwi_splat4(of->denser), lwi_abs4(y), lwi_splat4(1));
  y = lwi_add4(lwi_div4(lwi_mul4(y, lwi_splat4((1 + of->denser) * HALF)), slower), lwi_splat4(HALF));
  const lwi_int4 at =
      lwi_int_add4(lwi_int_shift_left4(lwi_int_of_float4(y), LWI_DEPTH_STRIDE_BITS), lwi_int_of_float4(x));
  return lwi_float_of_half4(lwi_int_gather4(of->texels, at));
}

/* Four pieces of a walk that are looked up together. */
typedef struct four_pieces {
  int first, all;          /* the first of them, and how many the walk has */
  unsigned before, behind; /* bit i: piece i is hidden where it begins, where it ends */
  float step;              /* of one over the depth, from piece to piece */
} four_pieces;

/* Note where the walk goes behind what is drawn or comes out: between two pieces, or within one. */
static void cross_pieces(walk *of, const four_pieces *four, lwi_float4 drawn) {
  const float step = four->step, pieces = (float)four->all;
  for (int i = 0; i < 4 && four->first + i < four->all; i++) {
    const float begin = (float)(four->first + i) / pieces;
    const bool starts = four->before >> i & 1, ends = four->behind >> i & 1;
    if (starts != of->inside) cross(of, begin);
    if (starts == ends) continue;
    const float near = of->near0 + step * (float)(four->first + i);
    cross(of, begin + (lwi_get4(drawn, i) - near) / (step * pieces));
  }
}

/* Rounding may have left an end a little beside the face or behind the eye. Both ends are moved just within its edges, so
   that no point between them lies outside the texels. */
static lw_vec3 onto_face(lw_vec3 at) {
  float z = lwi_max(at.z, LWI_DEPTH_NEAR), edge = z * 0.999995f;
  return lwi_vec3(lwi_max(-edge, lwi_min(edge, at.x)), lwi_max(-edge, lwi_min(edge, at.y)), z);
}

static void walk_face(walk *of, lw_vec3 a, lw_vec3 b) {
  float near_a = 1 / a.z, near_b = 1 / b.z;
  float x0 = lwi_depth_column(a.x * near_a), dx = lwi_depth_column(b.x * near_b) - x0;
  float y0 = a.y * near_a, dy = b.y * near_b - y0;
  float rows = lwi_depth_row(b.y, b.z, of->denser) - lwi_depth_row(a.y, a.z, of->denser);
  int pieces = (int)lwi_max(fabsf(dx), fabsf(rows)) + 1;
  of->near0 = LWI_DEPTH_UNIT * near_a;
  of->near1 = LWI_DEPTH_UNIT * near_b;
  float part = 1 / (float)pieces, step = (of->near1 - of->near0) * part;
  const lwi_float4 half = lwi_splat4(step * 0.5f), last = lwi_splat4((float)pieces - 0.5f);
  lwi_float4 middles = lwi_make4(0.5f, 1.5f, 2.5f, 3.5f);
  for (int i = 0; i < pieces; i += 4, middles = lwi_add4(middles, lwi_splat4(4))) {
    const lwi_float4 at = lwi_min4(middles, last);
    const lwi_float4 drawn = look_up(of, lwi_mul_add4(lwi_splat4(dx * part), at, lwi_splat4(x0)),
                                     lwi_mul_add4(lwi_splat4(dy * part), at, lwi_splat4(y0)));
    const lwi_float4 over = /* below 0: hidden */
        lwi_sub4(lwi_mul_add4(lwi_splat4(step), at, lwi_splat4(of->near0)), drawn);
    const unsigned before = lwi_signs4(lwi_sub4(over, half)), behind = lwi_signs4(lwi_add4(over, half));
    const unsigned same = of->inside ? 0xf : 0;
    if (before == same && behind == same) continue;
    const four_pieces four = {i, pieces, before, behind, step};
    cross_pieces(of, &four, drawn);
  }
  if (of->inside) cross(of, 1);
}

/* The part of a segment that lies on a face. @return false: none. */
static bool clip_to_face(lw_vec3 a, lw_vec3 b, float *t0, float *t1) {
  const float values[5][2] = {{a.z - a.x, b.z - b.x},
                              {a.z + a.x, b.z + b.x},
                              {a.z - a.y, b.z - b.y},
                              {a.z + a.y, b.z + b.y},
                              {a.z - LWI_DEPTH_NEAR, b.z - LWI_DEPTH_NEAR}};
  *t0 = 0;
  *t1 = 1;
  for (int i = 0; i < 5; i++) {
    float from = values[i][0], to = values[i][1];
    if (from < 0 && to < 0) return false;
    if (from < 0) *t0 = lwi_max(*t0, from / (from - to));
    if (to < 0) *t1 = lwi_min(*t1, from / (from - to));
  }
  return *t0 < *t1;
}

/* Draw a face unless it has been drawn. */
static void require_face(lwi_depth_map *map, const lwi_depth_scene *scene, unsigned face) {
  if (atomic_load_explicit(&map->drawn, memory_order_acquire) >> face & 1) return;
  if (scene->lock) lwi_mutex_lock(scene->lock);
  if (!(atomic_load_explicit(&map->drawn, memory_order_relaxed) >> face & 1))
    lwi_depth_map_draw(map, scene, face);
  if (scene->lock) lwi_mutex_unlock(scene->lock);
}

bool lwi_depth_map_hide(lwi_depth_map *map, const lwi_depth_scene *scene, lw_vec3 from, lw_vec3 to,
                        lwi_intervals *hidden) {
  lw_vec3 start = lwi_sub(from, map->eye), end = lwi_sub(to, map->eye);
  const unsigned first = face_of(start), last = face_of(end);
  const bool one = first == last; /* a face's cone is convex */
  bool failed = false;
  for (unsigned face = one ? first : 0; face < (one ? first + 1 : 6); face++) {
    lw_vec3 a = in_face(start, face), b = in_face(end, face);
    float t0 = 0, t1 = 1;
    if ((!one || !(lwi_min(a.z, b.z) >= LWI_DEPTH_NEAR)) && !clip_to_face(a, b, &t0, &t1)) continue;
    require_face(map, scene, face);
    walk of = {
        .texels = map->faces[face], .denser = lwi_depth_denser(face), .t0 = t0, .t1 = t1, .hidden = hidden};
    walk_face(&of, onto_face(t0 > 0 ? lwi_lerp(a, b, t0) : a), onto_face(t1 < 1 ? lwi_lerp(a, b, t1) : b));
    failed |= of.failed;
  }
  return !failed;
}

bool lwi_depth_map_sees(lwi_depth_map *map, const lwi_depth_scene *scene, lw_vec3 at) {
  lw_vec3 offset = lwi_sub(at, map->eye);
  unsigned face = face_of(offset);
  require_face(map, scene, face);
  lw_vec3 a = onto_face(in_face(offset, face));
  float near = 1 / a.z;
  int column = (int)lwi_depth_column(a.x * near), row = (int)lwi_depth_row(a.y, a.z, lwi_depth_denser(face));
  const lwi_int4 half = lwi_int_splat4(map->faces[face][row * LWI_DEPTH_STRIDE + column]);
  return LWI_DEPTH_UNIT * near >= lwi_get4(lwi_float_of_half4(half), 0);
}
