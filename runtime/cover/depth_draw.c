/* Drawing the faces of a depth map: the nearest facets first, and nothing behind what is drawn.

   A facet covers a texel if the line of sight through its middle lies within all planes of the eye and the facet's edges, so
   facets that reach behind the eye need not be clipped first, and neighbours meet without a crack (Olano and Greer 1997).
   One over the depth is linear over a face. What lies behind is found by tiles of 8 x 8 texels, of which the furthest depth
   is known (Greene, Kass and Miller 1993). */
#include "cover/depth_map.h"

#include "core/lanes.h"
#include "core/vec3.h"
#include "cover/leaf.h"

#include <string.h>

#define SIDE LWI_DEPTH_SIDE
#define STRIDE LWI_DEPTH_STRIDE
#define TILE 8
#define TILES (STRIDE / TILE)
#define MOST (LWI_DEPTH_UNIT / LWI_DEPTH_NEAR)
/* The eye is in a facet's plane: it is seen edge-on. [m] */
#define EDGE_ON 1e-5f
#define STACK 128

struct lwi_depth_room {
  float texels[LWI_DEPTH_TEXELS]; /* LWI_DEPTH_UNIT / depth; 0: nothing */
  float lowest[TILES * TILES];    /* of each tile's texels */
  uint8_t stale[TILES * TILES];   /* drawn into since */
};

size_t lwi_depth_room_size(void) {
  return sizeof(lwi_depth_room);
}

void lwi_depth_map_begin(lwi_depth_map *map, lw_vec3 eye, bool soft) {
  map->eye = eye;
  map->soft = soft;
  map->drawn = 0;
}

/* A face as it is drawn. Its own axes: x along the columns, y along the rows, z away from the eye. */
typedef struct canvas {
  lwi_depth_room *room;
  const lwi_occluders *occluders;
  lw_vec3 eye; /* relative to the origin */
  bool soft;
  int x, y, z;  /* the face's axes, of the level's */
  float sign;   /* of z */
  float denser; /* of rows */
} canvas;

/* Texels, ends included. Empty if a maximum is below its minimum. */
typedef struct texel_box {
  int x0, y0, x1, y1;
} texel_box;

/* The first texel whose middle is not before, and the last whose middle is not past: by lwi_depth_column() and _row(). */
static inline int first_texel(float at) {
  float texel = lwi_least(lwi_most(at - 0.5f, 0), SIDE);
  int whole = (int)texel;
  return whole + ((float)whole < texel);
}
static inline int last_texel(float at) {
  float texel = lwi_least(lwi_most(at - 0.5f, -1), SIDE - 1);
  return (int)(texel + 1) - 1; /* towards 0 is down from there */
}

/* --- facets -------------------------------------------------------------------------------------------------------- */

typedef struct outline {
  int count;
  float x[LWI_OCCLUDER_CORNERS], y[LWI_OCCLUDER_CORNERS], z[LWI_OCCLUDER_CORNERS];
} outline;

static lw_vec3 corner(const outline *of, int i) {
  return lwi_vec3(of->x[i], of->y[i], of->z[i]);
}

static void load_outline(const canvas *on, const lwi_leaf *leaf, const lwi_leaf_facet *facet, outline *of) {
  of->count = (int)facet->count;
  for (uint32_t i = 0; i < facet->count; i += 4) {
    lwi_lane_vec3 corners;
    lwi_leaf_corners(leaf, facet, on->occluders->quantum, i, &corners);
    const lwi_float4 axes[3] = {corners.x, corners.y, corners.z};
    lwi_float4 z = axes[on->z] * lwi_all4(on->sign);
    memcpy(of->x + i, &axes[on->x], sizeof z);
    memcpy(of->y + i, &axes[on->y], sizeof z);
    memcpy(of->z + i, &z, sizeof z);
  }
}

static texel_box box_of(const canvas *on, float low_x, float low_y, float high_x, float high_y) {
  return (texel_box){first_texel(lwi_depth_column(low_x)), first_texel(lwi_depth_row(low_y, 1, on->denser)),
                     last_texel(lwi_depth_column(high_x)), last_texel(lwi_depth_row(high_y, 1, on->denser))};
}

/* Which texels' middles can lie on it. */
static texel_box bound_outline(const canvas *on, const outline *of) {
  float low_x = INFINITY, low_y = INFINITY, high_x = -INFINITY, high_y = -INFINITY, low_z = INFINITY;
  unsigned outside = 0xf;
  for (int i = 0; i < of->count; i++) {
    float x = of->x[i], y = of->y[i], z = of->z[i];
    outside &= (unsigned)(x > z) | (unsigned)(-x > z) << 1 | (unsigned)(y > z) << 2 | (unsigned)(-y > z) << 3;
    low_z = lwi_least(low_z, z);
  }
  if (outside) return (texel_box){0, 0, -1, -1};
  if (!(low_z > LWI_DEPTH_NEAR)) return (texel_box){0, 0, SIDE - 1, SIDE - 1};
  for (int i = 0; i < of->count; i++) {
    float scale = 1 / of->z[i], x = of->x[i] * scale, y = of->y[i] * scale;
    low_x = lwi_least(low_x, x);
    high_x = lwi_most(high_x, x);
    low_y = lwi_least(low_y, y);
    high_y = lwi_most(high_y, y);
  }
  return box_of(on, low_x, low_y, high_x, high_y);
}

/* A facet's plane and edges over the face: where they cross each row, and how near the plane is. */
typedef struct drawing {
  int rights, lefts, levels;
  float left[LWI_OCCLUDER_CORNERS][2], right[LWI_OCCLUDER_CORNERS][2]; /* x = [0] + [1] y */
  float level[LWI_OCCLUDER_CORNERS][2];                                /* [0] + [1] y >= 0 */
  float near[3];                                                       /* [0] + [1] x + [2] y */
} drawing;

/* @return false: it is seen edge-on. */
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

/* From texel x0 to x1 of a row, what is nearer than what is there. */
static void draw_span(float *row, int x0, int x1, float near, float step) {
  int x = x0;
  near += step * ((float)x0 + 0.5f);
  lwi_float4 value = lwi_all4(near) + lwi_all4(step) * (lwi_float4){0, 1, 2, 3};
  const lwi_float4 steps = lwi_all4(4 * step);
  for (; x + 3 <= x1; x += 4) {
    lwi_float4 old = lwi_load4(row + x);
    lwi_int4 nearer = (value > old) & (value <= lwi_all4(MOST));
    lwi_float4 both = (lwi_float4)((nearer & (lwi_int4)value) | (~nearer & (lwi_int4)old));
    memcpy(row + x, &both, sizeof both);
    value += steps;
  }
  for (int lane = 0; x <= x1; x++, lane++)
    if (value[lane] > row[x] && value[lane] <= MOST) row[x] = value[lane];
}

static void draw_rows(const canvas *on, const drawing *of, texel_box box) {
  const float texel = 2.0f / SIDE;
  for (int row = box.y0; row <= box.y1; row++) {
    float y = lwi_depth_row_middle(row, on->denser), left = -1, right = 1;
    for (int i = 0; i < of->lefts; i++) left = lwi_most(left, of->left[i][0] + of->left[i][1] * y);
    for (int i = 0; i < of->rights; i++) right = lwi_least(right, of->right[i][0] + of->right[i][1] * y);
    for (int i = 0; i < of->levels; i++)
      if (of->level[i][0] + of->level[i][1] * y < 0) right = -2;
    if (!(left <= right)) continue;
    int x0 = first_texel(lwi_depth_column(left)), x1 = last_texel(lwi_depth_column(right));
    x0 = x0 > box.x0 ? x0 : box.x0;
    x1 = x1 < box.x1 ? x1 : box.x1;
    if (x0 <= x1)
      draw_span(on->room->texels + row * STRIDE, x0, x1, of->near[0] - of->near[1] + of->near[2] * y,
                of->near[1] * texel);
  }
}

static void draw_facet(const canvas *on, const lwi_leaf *leaf, const lwi_leaf_facet *facet) {
  outline of;
  drawing with;
  load_outline(on, leaf, facet, &of);
  texel_box box = bound_outline(on, &of);
  if (box.x0 > box.x1 || box.y0 > box.y1 || !prepare(&of, &with)) return;
  draw_rows(on, &with, box);
  for (int y = box.y0 / TILE; y <= box.y1 / TILE; y++)
    memset(on->room->stale + y * TILES + box.x0 / TILE, 1, (size_t)(box.x1 / TILE - box.x0 / TILE) + 1);
}

static void draw_leaf(const canvas *on, uint32_t number) {
  lwi_leaf leaf = lwi_leaf_open(on->occluders, number, on->eye);
  for (lwi_leaf_facet facet; lwi_leaf_next(&leaf, &facet);)
    if (on->soft || facet.kind == LW_COVER_HARD) draw_facet(on, &leaf, &facet);
}

/* --- what is hidden ------------------------------------------------------------------------------------------------ */

static float tile_lowest(lwi_depth_room *room, int x, int y) {
  int tile = y * TILES + x;
  if (!room->stale[tile]) return room->lowest[tile];
  const float *texels = room->texels + (y * STRIDE + x) * TILE;
  lwi_float4 highest = -lwi_load4(texels);
  for (int row = 0; row < TILE; row++)
    for (int k = 0; k < TILE; k += 4) highest = lwi_max4(highest, -lwi_load4(texels + row * STRIDE + k));
  room->stale[tile] = 0;
  room->lowest[tile] = -lwi_most(lwi_most(highest[0], highest[1]), lwi_most(highest[2], highest[3]));
  return room->lowest[tile];
}

static bool is_behind(lwi_depth_room *room, texel_box box, float near) {
  for (int y = box.y0 / TILE; y <= box.y1 / TILE; y++)
    for (int x = box.x0 / TILE; x <= box.x1 / TILE; x++)
      if (tile_lowest(room, x, y) < near) return false;
  return true;
}

/* Part of the tree: with how near it is at most, and which texels' middles it may cover. */
typedef struct branch {
  uint32_t child;
  float near;
  texel_box box;
} branch;

/* @return false: not on this face, or between the texels' middles. */
static bool bound_child(const canvas *on, const lwi_float4 *low, const lwi_float4 *high, int i, branch *out) {
  float low_x = low[on->x][i], high_x = high[on->x][i], low_y = low[on->y][i], high_y = high[on->y][i];
  float a = low[on->z][i], b = high[on->z][i];
  float low_z = on->sign > 0 ? a : -b, high_z = on->sign > 0 ? b : -a;
  if (high_z <= 0 || low_x > high_z || low_y > high_z || -high_x > high_z || -high_y > high_z) return false;
  if (!(low_z > LWI_DEPTH_NEAR)) {
    out->near = MOST;
    out->box = (texel_box){0, 0, SIDE - 1, SIDE - 1};
    return true;
  }
  const float less = 1 / high_z, more = 1 / low_z;
  out->near = LWI_DEPTH_UNIT * more;
  out->box = box_of(on, low_x * (low_x < 0 ? more : less), low_y * (low_y < 0 ? more : less),
                    high_x * (high_x > 0 ? more : less), high_y * (high_y > 0 ? more : less));
  return out->box.x0 <= out->box.x1 && out->box.y0 <= out->box.y1;
}

/* Put the children onto the stack, the nearest on top. @return The stack's depth. */
static int push_children(const canvas *on, const lwi_occluder_node *node, branch *stack, int depth) {
  const int bottom = depth;
  lwi_lane_vec3 low, high;
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
  branch stack[STACK + 4];
  int depth = 0;
  if (on->occluders->node_count > 0) depth = push_children(on, &on->occluders->nodes[0], stack, 0);
  while (depth > 0) {
    branch part = stack[--depth];
    if (is_behind(on->room, part.box, part.near)) continue;
    if (part.child & LWI_OCCLUDER_LEAF)
      draw_leaf(on, part.child & ~LWI_OCCLUDER_LEAF);
    else if (depth <= STACK)
      depth = push_children(on, &on->occluders->nodes[part.child], stack, depth);
  }
}

/* --- a face -------------------------------------------------------------------------------------------------------- */

/* To half floats, towards 0: what is drawn moves away a little, never nearer. */
static void pack(const float *texels, uint16_t *halves) {
  for (int i = 0; i < LWI_DEPTH_TEXELS; i += 4) {
    lwi_int4 bits;
    memcpy(&bits, texels + i, sizeof bits);
    bits = (bits >> 13) - (112 << 10);
    bits &= bits > 0;
    typedef uint16_t half4 __attribute__((vector_size(8)));
    half4 packed = __builtin_convertvector(bits, half4);
    memcpy(halves + i, &packed, sizeof packed);
  }
}

/* Nothing is drawn yet, nor ever behind what is no texel. */
static void clear(lwi_depth_room *room) {
  memset(room, 0, sizeof *room);
  for (int i = 0; i < STRIDE; i++) room->texels[i * STRIDE + SIDE] = room->texels[SIDE * STRIDE + i] = MOST;
}

void lwi_depth_map_draw(lwi_depth_map *map, const lwi_depth_scene *scene, unsigned face) {
  canvas on = {.room = scene->room,
               .soft = map->soft,
               .x = lwi_depth_column_axis(face),
               .y = lwi_depth_row_axis(face),
               .z = (int)face / 2,
               .sign = face & 1 ? -1.0f : 1.0f,
               .denser = lwi_depth_denser(face)};
  clear(on.room);
  for (int i = 0; i < scene->count; i++) {
    on.occluders = scene->sets[i];
    on.eye = lwi_sub(map->eye, on.occluders->origin);
    draw_tree(&on);
  }
  pack(on.room->texels, map->faces[face]);
  map->drawn |= 1U << face;
}
