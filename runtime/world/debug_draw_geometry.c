/// Debug drawing of a level's triangles: a shaded relief seen from above.
#include "leeward/debug_draw.h"
#include "core/vec3.h"

#define BINS 64

/// Heights between which the shading runs; a tall tower or a deep shaft must not take all of it.
typedef struct relief {
  float low, high;
} relief;

typedef struct facet {
  lw_vec3 a, b, c, normal; ///< `normal` of unit length.
  float ground;            ///< Area seen from above, < 0: it faces down. [m2]
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

/// Lower is darker, steep is dark, and the light falls from the upper left, as on a map.
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

/// A wall has no width from above: its longest edge stands for it.
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
