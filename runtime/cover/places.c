#include "cover/places.h"

#include "core/vec3.h"

/* A triangle of the fan by u, then in it from the corner outwards by the root of what is left of u. */
lw_vec3 lwi_place_in(const lw_navmesh *mesh, uint32_t index, double u, double v) {
  lwi_polygon polygon = lwi_polygon_get(mesh, index);
  lw_vec3 a = lwi_corner(&polygon, 0);
  double left = u * lwi_polygon_area2(&polygon), area2 = 0;
  uint32_t i = 2;
  for (;; i++) {
    area2 = fabs(lwi_turn(a, lwi_corner(&polygon, i - 1), lwi_corner(&polygon, i)));
    if (left <= area2 || i + 1 == polygon.count) break;
    left -= area2;
  }
  double root = sqrt(area2 > 0 ? fmin(1, left / area2) : 0);
  lw_vec3 b = lwi_corner(&polygon, i - 1), c = lwi_corner(&polygon, i);
  double wa = 1 - root, wb = root * (1 - v), wc = root * v;
  lw_vec3 at = {(float)(wa * a.x + wb * b.x + wc * c.x), 0, (float)(wa * a.z + wb * b.z + wc * c.z)};
  at.y = lwi_polygon_height(mesh, index, at.x, at.z);
  return at;
}
