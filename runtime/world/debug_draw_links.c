/// Off-mesh links as arcs with a head where they may be left.
#include "world/debug_draw_links.h"
#include "mesh/mesh.h"

#define PIECES 16
#define RISE 0.2f  ///< Of the arc's middle, in parts of its length.
#define SWAY 0.08f ///< The same to the left, so that links there and back lie side by side.
#define HEAD_MIN 0.4f
#define HEAD_MAX 1.5f ///< [m]
#define CASING 0x0c1116c0u

uint32_t lw_link_kind_color(lw_link_kind kind) {
  static const uint32_t colors[LW_LINK_KIND_COUNT] = {0xe274ff, 0xff8f66, 0x5fe0c0,
                                                      0x9d8cff, 0xffd447, 0xd5dbe2};
  return (unsigned)kind < LW_LINK_KIND_COUNT ? colors[kind] : 0;
}

static lw_vec3 point_at(lw_vec3 from, lw_vec3 to, float t) {
  lw_vec3 p = lwi_lerp(from, to, t);
  float bulge = 4 * t * (1 - t);
  p.x += (to.z - from.z) * SWAY * bulge;
  p.z -= (to.x - from.x) * SWAY * bulge;
  p.y += lwi_distance(from, to) * RISE * bulge;
  return p;
}

/// A head at `tip` for one who comes from `from`.
static void draw_head(lw_vec3 from, lw_vec3 tip, float length, float width, uint32_t color,
                      const lw_debug_draw *draw) {
  float x = tip.x - from.x, z = tip.z - from.z, far = sqrtf(x * x + z * z);
  if (far == 0) x = 1, z = 0, far = 1; /* straight up or down */
  x *= length / far, z *= length / far;
  for (int side = -1; side <= 1; side += 2) {
    lw_vec3 end = {tip.x - x + (float)side * 0.5f * z, tip.y, tip.z - z - (float)side * 0.5f * x};
    draw->line(draw->user, end, tip, width, color);
  }
}

typedef struct link_arc {
  lw_vec3 from, to;
  lw_link_kind kind;
  bool bidirectional;
} link_arc;

static void draw_line(const link_arc *link, float width, uint32_t color, const lw_debug_draw *draw) {
  lw_vec3 from = link->from, to = link->to;
  float head = fminf(HEAD_MAX, fmaxf(HEAD_MIN, 0.08f * lwi_distance(from, to)));
  const float step = 1.0f / PIECES;
  for (int i = 0; i < PIECES; i++)
    draw->line(draw->user, point_at(from, to, step * (float)i), point_at(from, to, step * (float)(i + 1)),
               width, color);
  draw_head(point_at(from, to, 1 - step), to, head, width, color, draw);
  if (link->bidirectional) draw_head(point_at(from, to, step), from, head, width, color, draw);
}

static void draw_arc(link_arc link, const lw_debug_draw *draw) {
  draw_line(&link, 4, CASING, draw);
  draw_line(&link, 2, lw_link_kind_color(link.kind) << 8 | 0xff, draw);
}

void lwi_debug_draw_links(const lw_navmesh *navmesh, const lw_debug_draw *draw) {
  for (uint32_t i = 0; i < navmesh->request_count; i++) {
    const lwi_request *link = &navmesh->requests[i];
    if (link->state != LW_LINK_JOINED) continue;
    draw_arc((link_arc){link->start.at, link->end.at, (lw_link_kind)link->kind, link->bidirectional}, draw);
  }
}

void lwi_debug_draw_world_links(const lw_world *world, const lw_debug_draw *draw) {
  for (int i = 0; i < lw_world_link_count(world); i++) {
    lw_world_link link;
    if (lw_world_get_link(world, i, &link) != LW_OK || link.link.state != LW_LINK_JOINED) continue;
    const lw_link_def *def = &link.link.def;
    draw_arc((link_arc){link.link.from.point, link.link.to.point, def->kind, def->bidirectional}, draw);
  }
}
