/* One convex polygon: height, area, containment, closest point. */
#include "mesh/mesh.h"

double lwi_polygon_area2(const lwi_polygon *polygon) {
  double sum = 0;
  lw_vec3 apex = lwi_corner(polygon, 0);
  for (uint32_t i = 2; i < polygon->count; i++)
    sum += lwi_turn(apex, lwi_corner(polygon, i - 1), lwi_corner(polygon, i));
  return sum;
}

bool lwi_polygon_holds(const lwi_polygon *polygon, lw_vec3 point, double slack) {
  lw_vec3 a = lwi_corner(polygon, polygon->count - 1);
  for (uint32_t i = 0; i < polygon->count; i++) {
    lw_vec3 b = lwi_corner(polygon, i);
    double turn = lwi_turn(a, b, point);
    if (turn < 0) {
      double dx = (double)b.x - a.x, dz = (double)b.z - a.z;
      if (turn * turn > slack * slack * (dx * dx + dz * dz)) return false;
    }
    a = b;
  }
  return true;
}

bool lwi_polygon_closest(const lwi_polygon *polygon, lw_vec3 point, lw_vec3 *closest) {
  bool inside = true;
  double best = INFINITY;
  lw_vec3 a = lwi_corner(polygon, polygon->count - 1);
  *closest = point;
  for (uint32_t i = 0; i < polygon->count; i++) {
    lw_vec3 b = lwi_corner(polygon, i);
    if (lwi_turn(a, b, point) < 0) {
      inside = false;
      double dx = (double)b.x - a.x, dz = (double)b.z - a.z;
      double px = (double)point.x - a.x, pz = (double)point.z - a.z;
      double length2 = dx * dx + dz * dz;
      double t = length2 > 0 ? fmin(1, fmax(0, (px * dx + pz * dz) / length2)) : 0;
      double ex = px - t * dx, ez = pz - t * dz, distance2 = ex * ex + ez * ez;
      if (distance2 < best) {
        best = distance2;
        /* The ends exactly, so that a path through a corner meets the corner. */
        *closest = t <= 0 ? a : t >= 1 ? b : lwi_lerp(a, b, (float)t);
      }
    }
    a = b;
  }
  return inside;
}

/* How deep (x, z) lies inside triangle abc, as the smallest barycentric coordinate, and the height there.
   -INFINITY for a sliver without area. */
static double triangle_height(lw_vec3 a, lw_vec3 b, lw_vec3 c, lw_vec3 point, float *height) {
  double area = lwi_turn(a, b, c);
  if (area == 0) return -INFINITY;
  double v = lwi_turn(a, point, c) / area, w = lwi_turn(a, b, point) / area, u = 1 - v - w;
  *height = (float)(u * a.y + v * b.y + w * c.y);
  return fmin(u, fmin(v, w));
}

static float fan_height(const lwi_polygon *polygon, lw_vec3 point) {
  double best = -INFINITY;
  float height = lwi_corner(polygon, 0).y, found;
  for (uint32_t i = 2; i < polygon->count; i++) {
    double depth = triangle_height(lwi_corner(polygon, 0), lwi_corner(polygon, i - 1), lwi_corner(polygon, i),
                                   point, &found);
    if (depth <= best) continue;
    best = depth;
    height = found;
  }
  return height;
}

float lwi_polygon_height(const lw_navmesh *mesh, uint32_t index, float x, float z) {
  lwi_polygon polygon = lwi_polygon_get(mesh, index);
  lw_vec3 point = {x, 0, z};
  uint32_t first = mesh->first_detail_triangle ? mesh->first_detail_triangle[index] : 0;
  uint32_t end = mesh->first_detail_triangle ? mesh->first_detail_triangle[index + 1] : 0;
  if (first == end) return fan_height(&polygon, point);
  const lw_vec3 *extra = mesh->detail_vertices + mesh->first_detail_vertex[index];
  double best = -INFINITY;
  float height = lwi_corner(&polygon, 0).y, found;
  for (uint32_t i = first; i < end; i++) {
    lw_vec3 corner[3];
    for (int k = 0; k < 3; k++) {
      uint32_t v = mesh->detail_triangles[3 * i + (uint32_t)k];
      corner[k] = v < polygon.count ? lwi_corner(&polygon, v) : extra[v - polygon.count];
    }
    double depth = triangle_height(corner[0], corner[1], corner[2], point, &found);
    if (depth <= best) continue;
    best = depth;
    height = found;
    if (best >= 0) break;
  }
  return height;
}

void lwi_portal_points(const lw_navmesh *mesh, uint32_t index, const lwi_portal *portal, lw_vec3 *left,
                       lw_vec3 *right) {
  lwi_polygon polygon = lwi_polygon_get(mesh, index);
  lw_vec3 a = lwi_corner(&polygon, portal->edge);
  lw_vec3 b = lwi_corner(&polygon, lwi_next_corner(&polygon, portal->edge));
  *right = portal->t0 <= 0 ? a : lwi_lerp(a, b, portal->t0);
  *left = portal->t1 >= 1 ? b : lwi_lerp(a, b, portal->t1);
}
