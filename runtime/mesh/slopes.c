#include "mesh/slopes.h"

lwi_slopes lwi_slopes_of(const lw_navmesh *mesh, uint32_t polygon) {
  const lwi_mesh_detail *detail = &mesh->detail;
  lwi_slopes slopes = {.polygon = lwi_polygon_get(mesh, polygon)};
  slopes.count = slopes.polygon.count - 2;
  if (!detail->first_vertex) return slopes;
  slopes.extra = detail->vertices + detail->first_vertex[polygon];
  slopes.extra_count = detail->first_vertex[polygon + 1] - detail->first_vertex[polygon];
  const uint32_t first = detail->first_triangle[polygon], end = detail->first_triangle[polygon + 1];
  if (first == end) return slopes;
  slopes.triangles = detail->triangles + 3 * (size_t)first;
  slopes.count = end - first;
  return slopes;
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
