#include "mesh/slopes.h"

lwi_slopes lwi_slopes_of(const lw_navmesh *mesh, uint32_t polygon) {
  const lwi_mesh_detail *detail = &mesh->detail;
  lwi_slopes slopes = {.polygon = lwi_polygon_get(mesh, polygon)};
  slopes.count = slopes.polygon.count - 2;
  if (!detail->first_vertex) return slopes;
  const uint32_t first = detail->first_triangle[polygon], end = detail->first_triangle[polygon + 1];
  if (first == end) return slopes;
  slopes.extra = detail->vertices + detail->first_vertex[polygon];
  slopes.extra_count = detail->first_vertex[polygon + 1] - detail->first_vertex[polygon];
  slopes.triangles = detail->triangles + 3 * (size_t)first;
  slopes.count = end - first;
  if (detail->first_neighbour[polygon] < detail->first_neighbour[polygon + 1])
    slopes.neighbours = detail->neighbours + detail->first_neighbour[polygon];
  return slopes;
}

/* Twice the area of the triangle of the origin and edge ab; >= 0: the origin is left of it. */
static inline float turn_of(lw_vec3 a, lw_vec3 b) {
  return a.z * b.x - a.x * b.z;
}

/* A walk begins at the nearest of these. */
#define STARTS 4

/* One of a few slopes spread over the list: the one whose first vertex is nearest (Muecke, Saias and Zhu 1996). */
static uint32_t near_slope(const lwi_slopes *slopes, float x, float z) {
  float nearest = INFINITY;
  uint32_t best = 0;
  for (uint32_t i = 0; i < STARTS; i++) {
    const uint32_t slope = i * slopes->count / STARTS;
    const lw_vec3 at = lwi_slopes_vertex(slopes, slopes->triangles[3 * (size_t)slope]);
    const float off = (at.x - x) * (at.x - x) + (at.z - z) * (at.z - z);
    if (off >= nearest) continue;
    nearest = off;
    best = slope;
  }
  return best;
}

uint32_t lwi_slopes_find(const lwi_slopes *slopes, float x, float z, bool *is_on) {
  uint32_t slope = near_slope(slopes, x, z);
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
