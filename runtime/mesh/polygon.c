/* One convex polygon: height, area, containment, closest point. */
#include "mesh/mesh.h"

double lwi_polygon_area2(const lwi_polygon *polygon) {
  double sum = 0;
  lw_vec3 apex = lwi_corner(polygon, 0);
  for (uint32_t i = 2; i < polygon->count; i++)
    sum += lwi_turn(apex, lwi_corner(polygon, i - 1), lwi_corner(polygon, i));
  return sum;
}

double lwi_area_of(const lw_navmesh *mesh, uint32_t index) {
  lwi_polygon polygon = lwi_polygon_get(mesh, index);
  return lwi_polygon_area2(&polygon) / 2;
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
  float best = INFINITY;
  lw_vec3 a = lwi_corner(polygon, polygon->count - 1);
  float ax = a.x - point.x, az = a.z - point.z; /* relative to the point, so that floats are enough */
  *closest = point;
  for (uint32_t i = 0; i < polygon->count; i++) {
    lw_vec3 b = lwi_corner(polygon, i);
    float bx = b.x - point.x, bz = b.z - point.z;
    if (az * bx - ax * bz < 0) { /* the point is right of edge ab: outside */
      inside = false;
      float dx = bx - ax, dz = bz - az;
      float t = -(ax * dx + az * dz), length2 = dx * dx + dz * dz;
      t = t <= 0 ? 0 : t >= length2 ? 1 : t / length2;
      float ex = ax + t * dx, ez = az + t * dz, distance2 = ex * ex + ez * ez;
      if (distance2 < best) {
        best = distance2;
        /* The ends exactly, so that a path through a corner meets the corner. */
        *closest = t <= 0 ? a : t >= 1 ? b : lwi_lerp(a, b, t);
      }
    }
    a = b;
    ax = bx;
    az = bz;
  }
  return inside;
}

/* Twice the area of a triangle and the edge from a to b, all relative to the point; >= 0: the point is left of it. */
static float turn_at(float ax, float az, float bx, float bz) {
  return az * bx - ax * bz;
}

/* Heights of corners weigh what the point cuts off opposite to them. */
static float weigh(const float turn[3], float a, float b, float c) {
  return (turn[1] * a + turn[2] * b + turn[0] * c) / (turn[0] + turn[1] + turn[2]);
}

/* The best triangle so far for a point that lies in none, by rounding or because it is off the polygon: the one that
   it is least far outside of. */
typedef struct beside {
  float depth, height;
} beside;

/* @return Whether the point is inside; either way `best` is the best so far. */
static bool try_triangle(const float turn[3], float a, float b, float c, beside *best) {
  float area = turn[0] + turn[1] + turn[2];
  float least = fminf(turn[0], fminf(turn[1], turn[2]));
  if (!(area > 0) || least <= best->depth * area) return false;
  *best = (beside){least / area, weigh(turn, a, b, c)};
  return least >= 0;
}

static float fan_height(const lwi_polygon *polygon, float x, float z) {
  lw_vec3 a = lwi_corner(polygon, 0), b = lwi_corner(polygon, 1);
  beside best = {-INFINITY, a.y};
  for (uint32_t i = 2; i < polygon->count; i++) {
    lw_vec3 c = lwi_corner(polygon, i);
    float turn[3] = {turn_at(a.x - x, a.z - z, b.x - x, b.z - z), turn_at(b.x - x, b.z - z, c.x - x, c.z - z),
                     turn_at(c.x - x, c.z - z, a.x - x, a.z - z)};
    if (try_triangle(turn, a.y, b.y, c.y, &best)) break;
    b = c;
  }
  return best.height;
}

/* The detail's vertices relative to a point. */
typedef struct detail_view {
  float x[LWI_SURFACE_VERTICES], z[LWI_SURFACE_VERTICES];
  lwi_polygon polygon;
  const lw_vec3 *extra;
} detail_view;

static void see_detail(detail_view *view, const lw_navmesh *mesh, uint32_t index, float x, float z) {
  uint32_t first = mesh->first_detail_vertex[index], count = mesh->first_detail_vertex[index + 1] - first;
  uint32_t corners = view->polygon.count;
  view->extra = mesh->detail_vertices + first;
  for (uint32_t i = 0; i < corners; i++) {
    lw_vec3 corner = lwi_corner(&view->polygon, i);
    view->x[i] = corner.x - x;
    view->z[i] = corner.z - z;
  }
  for (uint32_t i = 0; i < count; i++) {
    view->x[corners + i] = view->extra[i].x - x;
    view->z[corners + i] = view->extra[i].z - z;
  }
}

static float detail_turn(const detail_view *view, uint32_t a, uint32_t b) {
  return turn_at(view->x[a], view->z[a], view->x[b], view->z[b]);
}

static float detail_y(const detail_view *view, uint32_t v) {
  return v < view->polygon.count ? lwi_corner(&view->polygon, v).y : view->extra[v - view->polygon.count].y;
}

static float height_beside(const detail_view *view, const uint8_t *triangles, uint32_t count) {
  beside best = {-INFINITY, detail_y(view, 0)};
  for (const uint8_t *v = triangles; v < triangles + 3 * (size_t)count; v += 3) {
    float turn[3] = {detail_turn(view, v[0], v[1]), detail_turn(view, v[1], v[2]),
                     detail_turn(view, v[2], v[0])};
    try_triangle(turn, detail_y(view, v[0]), detail_y(view, v[1]), detail_y(view, v[2]), &best);
  }
  return best.height;
}

float lwi_polygon_height(const lw_navmesh *mesh, uint32_t index, float x, float z) {
  lwi_polygon polygon = lwi_polygon_get(mesh, index);
  uint32_t first = mesh->first_detail_triangle ? mesh->first_detail_triangle[index] : 0;
  uint32_t end = mesh->first_detail_triangle ? mesh->first_detail_triangle[index + 1] : 0;
  if (first == end) return fan_height(&polygon, x, z);
  detail_view view;
  view.polygon = polygon;
  see_detail(&view, mesh, index, x, z);
  const uint8_t *triangles = mesh->detail_triangles + 3 * (size_t)first;
  for (const uint8_t *v = triangles; v < triangles + 3 * (size_t)(end - first); v += 3) {
    float turn[3];
    if ((turn[0] = detail_turn(&view, v[0], v[1])) < 0) continue;
    if ((turn[1] = detail_turn(&view, v[1], v[2])) < 0) continue;
    if ((turn[2] = detail_turn(&view, v[2], v[0])) < 0) continue;
    if (turn[0] + turn[1] + turn[2] > 0)
      return weigh(turn, detail_y(&view, v[0]), detail_y(&view, v[1]), detail_y(&view, v[2]));
  }
  return height_beside(&view, triangles, end - first);
}

void lwi_portal_points(const lw_navmesh *mesh, uint32_t index, const lwi_portal *portal, lw_vec3 *left,
                       lw_vec3 *right) {
  lwi_polygon polygon = lwi_polygon_get(mesh, index);
  lw_vec3 a = lwi_corner(&polygon, portal->edge);
  lw_vec3 b = lwi_corner(&polygon, lwi_next_corner(&polygon, portal->edge));
  if (portal->stretch == 0) {
    *right = a;
    *left = b;
    return;
  }
  lwi_stretch stretch = lwi_portal_stretch(mesh, portal);
  *right = stretch.t0 <= 0 ? a : lwi_lerp(a, b, stretch.t0);
  *left = stretch.t1 >= 1 ? b : lwi_lerp(a, b, stretch.t1);
}
