#include "mesh/slopes.h"

bool lwi_corners_are_plane(const lwi_polygon *polygon) {
  const float *x = polygon->at, *z = x + polygon->count, *y = z + polygon->count;
  float off = 0;
  lwi_plane plane;
  if (!lwi_plane_of(polygon, &plane)) return false;
  for (uint32_t i = 1; i < polygon->count; i++)
    off = lwi_max(off, fabsf(y[i] - y[0] - plane.x * (x[i] - x[0]) - plane.z * (z[i] - z[0])));
  return off <= LWI_IN_PLANE;
}

/* Twice the area of the triangle of the origin and edge ab; >= 0: the origin is left of it. */
static inline float turn_of(lw_vec3 a, lw_vec3 b) {
  return a.z * b.x - a.x * b.z;
}

uint32_t lwi_slopes_find_from(const lwi_slopes *slopes, uint32_t slope, float x, float z, bool *is_on) {
  for (uint32_t step = 0; step < slopes->count; step++) {
    const uint8_t *v = slopes->triangles + 3 * (size_t)slope;
    lw_vec3 a = lwi_slopes_vertex(slopes, v[0]), b = lwi_slopes_vertex(slopes, v[1]),
            c = lwi_slopes_vertex(slopes, v[2]);
    a.x -= x, a.z -= z, b.x -= x, b.z -= z, c.x -= x, c.z -= z;
    const float ab = turn_of(a, b), bc = turn_of(b, c), ca = turn_of(c, a), area = ab + bc + ca;
    const uint32_t edge = ab < bc ? (ab < ca ? 0 : 2) : (bc < ca ? 1 : 2); /* the one most on the wrong side */
    *is_on = area > 0 && lwi_min(ab, lwi_min(bc, ca)) >= -1e-4f * area;
    if (*is_on) return slope;
    const uint32_t next = slopes->neighbours[4 * (size_t)slope + edge];
    if (next == LWI_NEIGHBOUR_NONE) return slope;
    slope = next;
  }
  return slope;
}

lwi_slope_cells lwi_slope_cells_of(const lwi_slopes *slopes) {
  return (lwi_slope_cells){lwi_polygon_frame(&slopes->polygon), (uint32_t)sqrtf((float)slopes->count)};
}

static inline uint32_t cell_of(float from_min, float size, uint32_t side) {
  const float cell = from_min * (float)side / size;
  return cell > 0 ? (uint32_t)lwi_min(cell, (float)(side - 1)) : 0;
}

uint32_t lwi_slopes_find(const lwi_slopes *slopes, float x, float z, bool *is_on) {
  const lwi_slope_cells cells = lwi_slope_cells_of(slopes);
  const uint32_t column = cell_of(x - cells.frame.min_x, cells.frame.size_x, cells.side),
                 row = cell_of(z - cells.frame.min_z, cells.frame.size_z, cells.side);
  const size_t cell = row * (size_t)cells.side + column;
  return lwi_slopes_find_from(slopes, slopes->neighbours[4 * cell + 3], x, z, is_on);
}

lwi_slope lwi_slopes_get(const lwi_slopes *slopes, uint32_t i) {
  uint32_t v[3];
  lwi_slopes_vertices(slopes, i, v);
  return (lwi_slope){
      {lwi_slopes_vertex(slopes, v[0]), lwi_slopes_vertex(slopes, v[1]), lwi_slopes_vertex(slopes, v[2])}};
}

void lwi_slopes_heights(const lwi_slopes *slopes, float *low, float *high) {
  const uint32_t corners = slopes->polygon.count;
  const float *y = slopes->polygon.at + 2 * (size_t)corners;
  *low = *high = y[0];
  for (uint32_t i = 1; i < corners; i++) {
    *low = lwi_min(*low, y[i]);
    *high = lwi_max(*high, y[i]);
  }
  for (uint32_t i = 0; i < slopes->extra_count; i++) {
    *low = lwi_min(*low, slopes->extra[i].y);
    *high = lwi_max(*high, slopes->extra[i].y);
  }
}
