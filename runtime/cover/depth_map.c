/* Asking a depth map: the segment runs over a face in a straight line, and so does one over its depth. */
#include "cover/depth_map.h"

#include "core/lanes.h"
#include "core/vec3.h"

#include <string.h>

#define HALF (LWI_DEPTH_SIDE / 2.0f)

/* A place relative to the eye, in a face's own axes: z away from the eye. */
static lw_vec3 in_face(lw_vec3 at, unsigned face) {
  const float *axes = &at.x, away = axes[face / 2];
  return lwi_vec3(axes[lwi_depth_column_axis(face)], axes[lwi_depth_row_axis(face)], face & 1 ? -away : away);
}

static unsigned face_of(lw_vec3 at) {
  float x = fabsf(at.x), y = fabsf(at.y), z = fabsf(at.z);
  if (x >= y && x >= z) return at.x < 0;
  return y >= z ? 2u + (at.y < 0) : 4u + (at.z < 0);
}

/* A straight way over a face, in pieces of a texel. */
typedef struct walk {
  const uint16_t *texels;
  float denser;       /* of rows */
  float t0, t1;       /* the part of the segment that lies on this face */
  float near0, near1; /* LWI_DEPTH_UNIT / depth of its ends */
  lwi_intervals *hidden;
  bool inside; /* of what is hidden; from here: */
  float since;
  bool failed;
} walk;

/* A parameter of the way over the face to one of the segment. */
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

/* One over the depth of what is drawn in the texels of four pieces. @param x  In texels. @param y  As lwi_depth_row() takes it, 1 away. */
static inline lwi_float4 look_up(const walk *of, lwi_float4 x, lwi_float4 y) {
  const lwi_float4 slower = lwi_all4(1) + lwi_all4(of->denser) * lwi_absolute4(y);
  y = y * lwi_all4((1 + of->denser) * HALF) / slower + lwi_all4(HALF);
  lwi_int4 at = __builtin_convertvector(y, lwi_int4) * LWI_DEPTH_STRIDE + __builtin_convertvector(x, lwi_int4);
  lwi_int4 bits = {of->texels[at[0]], of->texels[at[1]], of->texels[at[2]], of->texels[at[3]]};
  return (lwi_float4)(((bits << 13) + (112 << 23)) & (bits > 0));
}

/* Pieces of which one end is hidden, or that differ from the one before. `before` and `behind`: bit i: hidden where piece i
   begins, and ends. */
static void change(walk *of, unsigned before, unsigned behind, int first, int pieces, lwi_float4 drawn,
                   float step) {
  for (int i = 0; i < 4 && first + i < pieces; i++) {
    float begin = (float)(first + i) / (float)pieces;
    bool starts = before >> i & 1, ends = behind >> i & 1;
    if (starts != of->inside) cross(of, begin);
    if (starts == ends) continue;
    float near = of->near0 + step * (float)(first + i);
    cross(of, begin + (drawn[i] - near) / (step * (float)pieces));
  }
}

/* Rounding may have left an end a little beside the face, or behind the eye. A hair within its edges, no place on a way to
   another such end is in a texel that there is not. */
static lw_vec3 onto_face(lw_vec3 at) {
  float z = lwi_most(at.z, LWI_DEPTH_NEAR), edge = z * 0.999995f;
  return lwi_vec3(lwi_most(-edge, lwi_least(edge, at.x)), lwi_most(-edge, lwi_least(edge, at.y)), z);
}

static void walk_face(walk *of, lw_vec3 a, lw_vec3 b) {
  float near_a = 1 / a.z, near_b = 1 / b.z;
  float x0 = lwi_depth_column(a.x * near_a), dx = lwi_depth_column(b.x * near_b) - x0;
  float y0 = a.y * near_a, dy = b.y * near_b - y0;
  float rows = lwi_depth_row(b.y, b.z, of->denser) - lwi_depth_row(a.y, a.z, of->denser);
  int pieces = (int)lwi_most(fabsf(dx), fabsf(rows)) + 1;
  of->near0 = LWI_DEPTH_UNIT * near_a;
  of->near1 = LWI_DEPTH_UNIT * near_b;
  float part = 1 / (float)pieces, step = (of->near1 - of->near0) * part;
  const lwi_float4 half = lwi_all4(step * 0.5f), last = lwi_all4((float)pieces - 0.5f);
  lwi_float4 middles = (lwi_float4){0.5f, 1.5f, 2.5f, 3.5f};
  for (int i = 0; i < pieces; i += 4, middles += lwi_all4(4)) {
    const lwi_float4 at = lwi_min4(middles, last);
    lwi_float4 drawn =
        look_up(of, lwi_all4(x0) + lwi_all4(dx * part) * at, lwi_all4(y0) + lwi_all4(dy * part) * at);
    lwi_float4 over = lwi_all4(of->near0) + lwi_all4(step) * at - drawn; /* < 0: hidden */
    unsigned before = lwi_signs4(over - half), behind = lwi_signs4(over + half);
    unsigned same = of->inside ? 0xf : 0;
    if (before != same || behind != same) change(of, before, behind, i, pieces, drawn, step);
  }
  if (of->inside) cross(of, 1);
}

/* The part of a segment that a face has. @return false: none. */
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
    if (from < 0) *t0 = lwi_most(*t0, from / (from - to));
    if (to < 0) *t1 = lwi_least(*t1, from / (from - to));
  }
  return *t0 < *t1;
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
    if ((!one || !(lwi_least(a.z, b.z) >= LWI_DEPTH_NEAR)) && !clip_to_face(a, b, &t0, &t1)) continue;
    if (!(map->drawn >> face & 1)) lwi_depth_map_draw(map, scene, face);
    walk of = {
        .texels = map->faces[face], .denser = lwi_depth_denser(face), .t0 = t0, .t1 = t1, .hidden = hidden};
    walk_face(&of, onto_face(t0 > 0 ? lwi_lerp(a, b, t0) : a), onto_face(t1 < 1 ? lwi_lerp(a, b, t1) : b));
    failed |= of.failed;
  }
  return !failed;
}

bool lwi_depth_map_sees(lwi_depth_map *map, const lwi_depth_scene *scene, lw_vec3 at) {
  lw_vec3 way = lwi_sub(at, map->eye);
  unsigned face = face_of(way);
  if (!(map->drawn >> face & 1)) lwi_depth_map_draw(map, scene, face);
  lw_vec3 a = onto_face(in_face(way, face));
  float near = 1 / a.z;
  int column = (int)lwi_depth_column(a.x * near), row = (int)lwi_depth_row(a.y, a.z, lwi_depth_denser(face));
  uint32_t bits = map->faces[face][row * LWI_DEPTH_STRIDE + column],
           wide = bits > 0 ? (bits << 13) + (112 << 23) : 0;
  float drawn;
  memcpy(&drawn, &wide, sizeof drawn);
  return LWI_DEPTH_UNIT * near >= drawn;
}
