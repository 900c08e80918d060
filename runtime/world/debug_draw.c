/// Debug drawing of a navmesh.
#include "leeward/debug_draw.h"
#include "mesh/mesh.h"
#include "world/debug_draw_cover.h"
#include "world/debug_draw_links.h"

#define FILL_ALPHA 0xa6u
#define OPENNESS_ALPHA 0xd8u ///< The colours of areas and of openness must not be taken for one another.
#define EDGE_COLOR 0x10181e70u
#define BORDER_COLOR 0x0c1116ffu
#define BARE_EDGE_COLOR 0xd5dbe250u ///< Without fill, lines must show on whatever is below.
#define BARE_BORDER_COLOR 0xd5dbe2ffu
#define TILE_COLOR 0xffffff5eu

static uint32_t area_color(const lw_navmesh *navmesh, lw_area_id area) {
  const lw_area_def *def = lw_area_table_get(navmesh->areas, area);
  return (def ? def->color & 0xffffffu : 0x9aa58bu) << 8 | FILL_ALPHA;
}

uint32_t lw_openness_color(float exposure) {
  static const float hidden[] = {0x12, 0x4e, 0x45}, open[] = {0xfb, 0xf0, 0x8c};
  float t = exposure >= 0 ? fminf(1, exposure) : 0; /* NaN is hidden */
  uint32_t color = 0;
  for (int i = 0; i < 3; i++) color = color << 8 | (uint32_t)(hidden[i] + (open[i] - hidden[i]) * t + 0.5f);
  return color;
}

static void draw_fill(const lw_navmesh *navmesh, uint32_t index, bool by_openness, const lw_debug_draw *draw) {
  lwi_polygon polygon = lwi_polygon_get(navmesh, index);
  uint32_t color = by_openness
                       ? lw_openness_color(lwi_byte_part(navmesh->exposures[index])) << 8 | OPENNESS_ALPHA
                       : area_color(navmesh, navmesh->poly_areas[index]);
  for (uint32_t i = 2; i < polygon.count; i++) {
    draw->triangle(draw->user, lwi_corner(&polygon, 0), lwi_corner(&polygon, i - 1), lwi_corner(&polygon, i),
                   color);
  }
}

static void draw_edge_piece(lw_vec3 from, lw_vec3 to, lwi_stretch p, uint32_t layers,
                            const lw_debug_draw *draw) {
  uint32_t color = layers & (LW_DRAW_AREAS | LW_DRAW_OPENNESS) ? EDGE_COLOR : BARE_EDGE_COLOR;
  draw->line(draw->user, lwi_lerp(from, to, p.t0), lwi_lerp(from, to, p.t1), 1, color);
}

static void draw_border_piece(lw_vec3 from, lw_vec3 to, float t0, float t1, uint32_t layers,
                              const lw_debug_draw *draw) {
  uint32_t color = layers & (LW_DRAW_AREAS | LW_DRAW_OPENNESS) ? BORDER_COLOR : BARE_BORDER_COLOR;
  draw->line(draw->user, lwi_lerp(from, to, t0), lwi_lerp(from, to, t1), 1.8f, color);
}

/// One edge: pieces with a portal are shared, the gaps between them are border.
/// @param portal  The first of the polygon's portals on this edge or behind it. @return The next edge's.
static uint32_t draw_edge(const lw_navmesh *navmesh, uint32_t index, uint32_t edge, uint32_t portal,
                          uint32_t layers, const lw_debug_draw *draw) {
  lwi_polygon polygon = lwi_polygon_get(navmesh, index);
  lw_vec3 from = lwi_corner(&polygon, edge), to = lwi_corner(&polygon, lwi_next_corner(&polygon, edge));
  float length = lwi_distance_xz(from, to), slack = length > 0 ? 0.01f / length : 1;
  float done = 0;
  for (; portal < navmesh->first_portal[index + 1] && navmesh->portals[portal].edge == edge; portal++) {
    lwi_stretch p = lwi_portal_stretch(navmesh, &navmesh->portals[portal]);
    if ((layers & LW_DRAW_BORDERS) && p.t0 - done > slack)
      draw_border_piece(from, to, done, p.t0, layers, draw);
    /* Both polygons have the portal: the one with the lower index draws it. */
    if ((layers & LW_DRAW_EDGES) && index < navmesh->portals[portal].to)
      draw_edge_piece(from, to, p, layers, draw);
    done = fmaxf(done, p.t1);
  }
  if ((layers & LW_DRAW_BORDERS) && 1 - done > slack) draw_border_piece(from, to, done, 1, layers, draw);
  return portal;
}

static void draw_outline(const lw_navmesh *navmesh, uint32_t index, uint32_t layers,
                         const lw_debug_draw *draw) {
  lwi_polygon polygon = lwi_polygon_get(navmesh, index);
  uint32_t portal = navmesh->first_portal[index];
  for (uint32_t edge = 0; edge < polygon.count; edge++) {
    portal = draw_edge(navmesh, index, edge, portal, layers, draw);
  }
}

static void draw_tile(const lwi_tile *tile, const lw_debug_draw *draw) {
  lw_box box = tile->bounds;
  lw_vec3 corners[] = {{box.min.x, box.max.y, box.min.z},
                       {box.max.x, box.max.y, box.min.z},
                       {box.max.x, box.max.y, box.max.z},
                       {box.min.x, box.max.y, box.max.z}};
  for (int i = 0; i < 4; i++) draw->line(draw->user, corners[i], corners[(i + 1) & 3], 1, TILE_COLOR);
}

void lw_navmesh_debug_draw(const lw_navmesh *navmesh, uint32_t layers, const lw_debug_draw *draw) {
  if (!navmesh || !draw) return;
  bool filled = layers & (LW_DRAW_AREAS | LW_DRAW_OPENNESS);
  for (uint32_t i = 0; filled && draw->triangle && i < navmesh->polygon_count; i++) {
    draw_fill(navmesh, i, layers & LW_DRAW_OPENNESS, draw);
  }
  if (!draw->line) return;
  for (uint32_t i = 0; (layers & (LW_DRAW_EDGES | LW_DRAW_BORDERS)) && i < navmesh->polygon_count; i++) {
    draw_outline(navmesh, i, layers, draw);
  }
  for (uint32_t i = 0; (layers & LW_DRAW_TILES) && i < navmesh->tile_count; i++)
    draw_tile(&navmesh->tiles[i], draw);
  if (layers & LW_DRAW_COVER) lwi_debug_draw_cover(navmesh, draw);
  if (layers & LW_DRAW_LINKS) lwi_debug_draw_links(navmesh, draw);
}
