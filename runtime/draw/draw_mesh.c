/* Debug drawing of navmeshes with their cover and links, and of level geometry. */
#include "draw/draw_mesh.h"

#include "core/vec3.h"
#include "cover/segments.h"
#include "leeward/debug_draw.h"
#include "leeward/profile.h"
#include "mesh/mesh.h"
#include "query/cover_search.h"

#define CASING 0x0c1116c0u ///< Around bright lines.

/* --- cover: lines along the walls, with teeth on the side to stand at ------------------------------------- */

#define HIGH ((uint32_t)LW_COLOR_COVER_HIGH << 8 | 0xff) ///< Hides a standing human.
#define LOW ((uint32_t)LW_COLOR_COVER_LOW << 8 | 0xff)   ///< Hides a crouching human.
#define SOFT ((uint32_t)LW_COLOR_COVER_SOFT << 8 | 0xff)
#define OTHER 0x9aa0a6ffu  ///< Hides neither.
#define TOOTH 0.22f        ///< Length. [m]
#define TOOTH_SPACING 0.8f ///< [m]
#define FEW_SEGMENTS 64

static uint32_t color_of(const lwi_cover_segment *segment) {
  if (segment->kind == LW_COVER_SOFT) return SOFT;
  if (lwi_segment_hides(segment, lw_profile_get_stance(NULL, LW_STAND)->body)) return HIGH;
  return lwi_segment_hides(segment, lw_profile_get_stance(NULL, LW_CROUCH)->body) ? LOW : OTHER;
}

static void draw_segment(const lwi_cover_segment *segment, const lw_debug_draw *draw) {
  lw_vec3 normal = lwi_scale(lwi_segment_normal(segment), TOOTH);
  uint32_t color = color_of(segment);
  int teeth = (int)(lwi_distance_xz(segment->a, segment->b) / TOOTH_SPACING) + 1;
  draw->line(draw->user, segment->a, segment->b, 4.5f, CASING);
  draw->line(draw->user, segment->a, segment->b, 2.5f, color);
  for (int i = 0; i < teeth; i++) {
    lw_vec3 foot = lwi_lerp(segment->a, segment->b, ((float)i + 0.5f) / (float)teeth);
    draw->line(draw->user, foot, lwi_add(foot, normal), 1.5f, color);
  }
}

static void draw_cover(const lw_navmesh *navmesh, const lw_debug_draw *draw) {
  for (uint32_t i = 0; i < lwi_cover_of(navmesh)->segment_count; i++)
    draw_segment(&lwi_cover_of(navmesh)->segments[i], draw);
}

/* Copies, as what draws them may ask the world. */
static void draw_part(const lwi_scene *scene, lwi_segment_part part, const lw_debug_draw *draw) {
  lwi_cover_segment few[FEW_SEGMENTS];
  int count;
  do {
    count = lwi_cover_segments_copy(scene, &part, few, FEW_SEGMENTS);
    for (int i = 0; i < count; i++) draw_segment(&few[i], draw);
    part.first += count;
  } while (count == FEW_SEGMENTS);
}

void lwi_debug_draw_obstacle_cover(const lw_world *world, const lw_debug_draw *draw) {
  const lwi_scene *scene = lwi_scene_of(world);
  for (int i = 0; i < scene->nav_count; i++)
    for (int number = 0; number < scene->sight.screens.capacity; number++)
      draw_part(scene, (lwi_segment_part){.navmesh = i, .screen = (uint32_t)number}, draw);
}

/* --- links: arcs with a head at each end that they lead to ------------------------------------------------ */

#define PIECES 16
#define RISE 0.2f     ///< Of the arc's middle, as a part of its length.
#define SWAY 0.08f    ///< Of its middle to the left, so that links there and back lie side by side.
#define HEAD_MIN 0.4f ///< Length of a head. [m]
#define HEAD_MAX 1.5f

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

/// A head at `tip` that points away from `from`.
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

/* Of links that are disabled or barred. */
#define OFF_ALPHA 0x60u

/* @param is_on  It may be taken; else it is a thin pale line. */
static void draw_arc(link_arc link, bool is_on, const lw_debug_draw *draw) {
  if (!is_on) {
    draw_line(&link, 1, lw_link_kind_color(link.kind) << 8 | OFF_ALPHA, draw);
    return;
  }
  draw_line(&link, 4, CASING, draw);
  draw_line(&link, 2, lw_link_kind_color(link.kind) << 8 | 0xff, draw);
}

/* Ends of links lie on the surface but for rounding, and pieces end that far from sides at most. [m] */
#define END_SLACK 0.01

/* Is there ground at an end of a link, on a polygon of the base? */
static bool has_ground(const lw_navmesh *navmesh, uint32_t polygon, lw_vec3 at) {
  return polygon == LWI_NONE || lwi_part_at(navmesh, polygon, at, END_SLACK) != LWI_NONE;
}

/* Does the navmesh have the link that a request became? Else it is off. */
static bool is_on(const lw_navmesh *navmesh, const lwi_request *request) {
  if (!navmesh->live.origins || request->start.polygon == LWI_NONE) return true;
  lwi_part_walk walk = lwi_parts_near(navmesh, request->start.polygon, request->start.at, request->start.at);
  for (uint32_t part; lwi_next_part(&walk, &part);)
    for (uint32_t i = navmesh->links.first[part]; i < navmesh->links.end[part]; i++) {
      const lwi_link *link = &navmesh->links.items[i];
      if (lwi_equal(link->start, request->start.at) && lwi_equal(link->end, request->end.at)) return true;
    }
  return false;
}

static void draw_links(const lw_navmesh *navmesh, const lw_debug_draw *draw) {
  for (uint32_t i = 0; i < navmesh->annotations.request_count; i++) {
    const lwi_request *link = &navmesh->annotations.requests[i];
    if (link->state != LW_LINK_JOINED || !has_ground(navmesh, link->start.polygon, link->start.at) ||
        !has_ground(navmesh, link->end.polygon, link->end.at))
      continue;
    draw_arc((link_arc){link->start.at, link->end.at, (lw_link_kind)link->kind, link->bidirectional},
             is_on(navmesh, link), draw);
  }
}

/* Is there ground near an end of a link of a world? */
static bool place_has_ground(const lw_world *world, int navmesh, lw_vec3 at) {
  const lw_vec3 near_by = {0.05f, 0.05f, 0.05f};
  lw_location found;
  return lw_navmesh_nearest(lw_world_navmesh_at(world, navmesh), at, near_by, NULL, &found) == LW_OK;
}

void lwi_debug_draw_world_links(const lw_world *world, const lw_debug_draw *draw) {
  lw_link_id id = lw_link_id_none();
  while (!lw_link_id_is_none(id = lw_link_next(world, id))) {
    lw_link_info link;
    if (lw_link_get(world, id, &link) != LW_OK) return;
    if (!link.is_added && link.from_navmesh == link.to_navmesh) continue; /* drawn with its navmesh */
    if (!place_has_ground(world, link.from_navmesh, link.from) ||
        !place_has_ground(world, link.to_navmesh, link.to))
      continue;
    draw_arc((link_arc){link.from, link.to, link.def.kind, link.def.bidirectional}, link.is_used, draw);
  }
}

/* --- navmeshes -------------------------------------------------------------------------------------------- */

#define FILL_ALPHA 0xa6u
#define OPENNESS_ALPHA 0xd8u ///< Unlike that of areas.
#define EDGE_COLOR 0x10181e70u
#define BORDER_COLOR 0x0c1116ffu
#define BARE_EDGE_COLOR 0xd5dbe250u ///< Without fill, lines must show on anything.
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
  uint32_t color =
      by_openness ? lw_openness_color(lwi_byte_part(navmesh->polygons.openness[index])) << 8 | OPENNESS_ALPHA
                  : area_color(navmesh, navmesh->polygons.areas[index]);
  for (uint32_t i = 2; i < polygon.count; i++) {
    draw->triangle(draw->user, lwi_corner(&polygon, 0), lwi_corner(&polygon, i - 1), lwi_corner(&polygon, i),
                   color);
  }
}

static void draw_edge_piece(lw_vec3 from, lw_vec3 to, lwi_portal_interval p, uint32_t layers,
                            const lw_debug_draw *draw) {
  uint32_t color = layers & (LW_DRAW_AREAS | LW_DRAW_OPENNESS) ? EDGE_COLOR : BARE_EDGE_COLOR;
  draw->line(draw->user, lwi_lerp(from, to, p.t0), lwi_lerp(from, to, p.t1), 1, color);
}

static void draw_border_piece(lw_vec3 from, lw_vec3 to, float t0, float t1, uint32_t layers,
                              const lw_debug_draw *draw) {
  uint32_t color = layers & (LW_DRAW_AREAS | LW_DRAW_OPENNESS) ? BORDER_COLOR : BARE_BORDER_COLOR;
  draw->line(draw->user, lwi_lerp(from, to, t0), lwi_lerp(from, to, t1), 1.8f, color);
}

/// Draw one edge: intervals with a portal are shared, the gaps between them are border.
/// @param portal  The first of the polygon's portals on this edge or behind it. @return The next edge's.
static uint32_t draw_edge(const lw_navmesh *navmesh, uint32_t index, uint32_t edge, uint32_t portal,
                          uint32_t layers, const lw_debug_draw *draw) {
  lwi_polygon polygon = lwi_polygon_get(navmesh, index);
  lw_vec3 from = lwi_corner(&polygon, edge), to = lwi_corner(&polygon, lwi_next_corner(&polygon, edge));
  float length = lwi_distance_xz(from, to), slack = length > 0 ? 0.01f / length : 1;
  float done = 0;
  for (; portal < navmesh->graph.end_portal[index] && navmesh->graph.portals[portal].edge == edge; portal++) {
    const lwi_portal *at = &navmesh->graph.portals[portal];
    lwi_portal_interval p = lwi_interval_of_portal(navmesh, at);
    if ((layers & LW_DRAW_BORDERS) && p.t0 - done > slack)
      draw_border_piece(from, to, done, p.t0, layers, draw);
    /* the polygon with the lower index draws the portal; at a step both draw theirs */
    if ((layers & LW_DRAW_EDGES) && (index < at->to || navmesh->graph.interval_steps[at->interval] > 0))
      draw_edge_piece(from, to, p, layers, draw);
    done = fmaxf(done, p.t1);
  }
  if ((layers & LW_DRAW_BORDERS) && 1 - done > slack) draw_border_piece(from, to, done, 1, layers, draw);
  return portal;
}

static void draw_outline(const lw_navmesh *navmesh, uint32_t index, uint32_t layers,
                         const lw_debug_draw *draw) {
  lwi_polygon polygon = lwi_polygon_get(navmesh, index);
  uint32_t portal = navmesh->graph.first_portal[index];
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
  for (uint32_t i = 0; filled && draw->triangle && i < navmesh->polygons.count; i++) {
    if (lwi_is_there(navmesh, i)) draw_fill(navmesh, i, layers & LW_DRAW_OPENNESS, draw);
  }
  if (!draw->line) return;
  for (uint32_t i = 0; (layers & (LW_DRAW_EDGES | LW_DRAW_BORDERS)) && i < navmesh->polygons.count; i++) {
    if (lwi_is_there(navmesh, i)) draw_outline(navmesh, i, layers, draw);
  }
  for (uint32_t i = 0; (layers & LW_DRAW_TILES) && i < navmesh->tiles.count; i++)
    draw_tile(&navmesh->tiles.items[i], draw);
  if (layers & LW_DRAW_COVER) draw_cover(navmesh, draw);
  if (layers & LW_DRAW_LINKS) draw_links(navmesh, draw);
}

/* --- geometry: a shaded relief seen from above ------------------------------------------------------------ */

#define BINS 64

/// The heights that the shading spans, without tall towers and deep shafts.
typedef struct relief {
  float low, high;
} relief;

typedef struct facet {
  lw_vec3 a, b, c, normal; ///< `normal` of unit length.
  float ground;            ///< Area seen from above; negative: it faces down. [m2]
} facet;

/// @return false: the triangle has no area.
static bool facet_get(const lw_geometry *geometry, int triangle, facet *result) {
  const int *corner = lw_geometry_indices(geometry) + 3 * (size_t)triangle;
  const lw_vec3 *vertices = lw_geometry_vertices(geometry);
  facet f = {.a = vertices[corner[0]], .b = vertices[corner[1]], .c = vertices[corner[2]]};
  lw_vec3 cross = lwi_cross(lwi_sub(f.b, f.a), lwi_sub(f.c, f.a));
  float length = lwi_length(cross);
  if (!(length > 0) || !isfinite(length)) return false;
  f.normal = lwi_scale(cross, 1 / length);
  f.ground = cross.y / 2;
  *result = f;
  return true;
}

static int bin_of(lw_box bounds, float height) {
  float span = bounds.max.y - bounds.min.y;
  int bin = span > 0 ? (int)((height - bounds.min.y) / span * BINS) : 0;
  return bin < 0 ? 0 : bin >= BINS ? BINS - 1 : bin;
}

/// From the 3rd to the 97th percentile of the ground by height.
static relief relief_measure(const lw_geometry *geometry) {
  lw_box bounds = lw_geometry_bounds(geometry);
  double bins[BINS] = {0}, total = 0;
  facet f;
  for (int i = 0; i < lw_geometry_triangle_count(geometry); i++) {
    if (!facet_get(geometry, i, &f) || f.normal.y < 0.5f) continue;
    bins[bin_of(bounds, (f.a.y + f.b.y + f.c.y) / 3)] += (double)f.ground;
    total += (double)f.ground;
  }
  int low = 0, high = BINS - 1;
  for (double sum = bins[0]; low < high && sum < total * 0.03; sum += bins[low]) low++;
  for (double sum = bins[high]; high > low && sum < total * 0.03; sum += bins[high]) high--;
  float step = (bounds.max.y - bounds.min.y) / BINS;
  return (relief){bounds.min.y + step * (float)low, bounds.min.y + step * (float)(high + 1)};
}

static float clamp01(float x) {
  return x < 0 ? 0 : x > 1 ? 1 : x;
}

static uint32_t channel(float low, float high, float t, float light) {
  float value = (low + (high - low) * t) * light;
  return (uint32_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

/// Low and steep ground is dark, and the light falls from the upper left, as on a map.
static uint32_t shade(const relief *heights, const facet *f, bool walkable) {
  const lw_vec3 sun = {-0.39f, 0.85f, -0.35f};
  float span = heights->high - heights->low;
  float t = span > 0 ? clamp01(((f->a.y + f->b.y + f->c.y) / 3 - heights->low) / span) : 0.5f;
  float light = 0.4f + 0.6f * fmaxf(0, lwi_dot(f->normal, sun)) / sun.y;
  light *= 0.4f + 0.6f * clamp01((f->normal.y - 0.25f) / 0.45f);
  if (!walkable) light *= 0.8f;
  return channel(52, 158, t, light) << 24 | channel(58, 164, t, light) << 16 | channel(68, 172, t, light) << 8 |
         0xff;
}

/// A wall has no width from above: draw its longest edge.
static void draw_wall(const facet *f, const lw_debug_draw *draw) {
  const lw_vec3 *from = &f->a, *to = &f->b;
  if (lwi_distance_xz(f->b, f->c) > lwi_distance_xz(*from, *to)) from = &f->b, to = &f->c;
  if (lwi_distance_xz(f->c, f->a) > lwi_distance_xz(*from, *to)) from = &f->c, to = &f->a;
  float top = fmaxf(from->y, to->y);
  draw->line(draw->user, lwi_vec3(from->x, top, from->z), lwi_vec3(to->x, top, to->z), 1.2f, 0x0e1115ff);
}

void lw_geometry_debug_draw(const lw_geometry *geometry, const lw_debug_draw *draw) {
  if (!geometry || !draw) return;
  const lw_area_id *areas = lw_geometry_areas(geometry);
  relief heights = relief_measure(geometry);
  facet f;
  for (int i = 0; i < lw_geometry_triangle_count(geometry); i++) {
    if (!facet_get(geometry, i, &f)) continue;
    bool wall = fabsf(f.normal.y) < 0.02f;
    if (wall && draw->line) draw_wall(&f, draw);
    if (wall || f.normal.y < 0 || !draw->triangle) continue;
    draw->triangle(draw->user, f.a, f.b, f.c, shade(&heights, &f, areas[i] != LW_AREA_NONE));
  }
}
