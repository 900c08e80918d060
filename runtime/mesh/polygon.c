/* One convex polygon: height, area, containment, closest point. */
#include "mesh/mesh.h"
#include "mesh/slopes.h"

#include <float.h>
#include <stdatomic.h>
#include <string.h>

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

lwi_frame lwi_polygon_frame(const lwi_polygon *polygon) {
  float min_x = polygon->at[0], max_x = min_x, min_z = polygon->at[polygon->count], max_z = min_z;
  for (uint32_t i = 1; i < polygon->count; i++) {
    float x = polygon->at[i], z = polygon->at[polygon->count + i];
    min_x = x < min_x ? x : min_x;
    max_x = x > max_x ? x : max_x;
    min_z = z < min_z ? z : min_z;
    max_z = z > max_z ? z : max_z;
  }
  return (lwi_frame){min_x, min_z, max_x - min_x, max_z - min_z};
}

bool lwi_polygon_holds(const lwi_polygon *polygon, lw_vec3 point, double slack) {
  const float *x = polygon->at, *z = x + polygon->count;
  const float slack2 = (float)(slack * slack);
  float ax = x[polygon->count - 1] - point.x, az = z[polygon->count - 1] - point.z;
  for (uint32_t i = 0; i < polygon->count; i++) {
    float bx = x[i] - point.x, bz = z[i] - point.z; /* relative to the point, where floats are precise */
    float turn = az * bx - ax * bz;
    if (turn < 0) {
      float dx = bx - ax, dz = bz - az;
      if (turn * turn > slack2 * (dx * dx + dz * dz)) return false;
    }
    ax = bx;
    az = bz;
  }
  return true;
}

bool lwi_polygon_closest(const lwi_polygon *polygon, lw_vec3 point, lw_vec3 *closest) {
  bool inside = true;
  float best = INFINITY;
  lw_vec3 a = lwi_corner(polygon, polygon->count - 1);
  float ax = a.x - point.x, az = a.z - point.z; /* relative to the point, where floats are precise */
  *closest = point;
  for (uint32_t i = 0; i < polygon->count; i++) {
    lw_vec3 b = lwi_corner(polygon, i);
    float bx = b.x - point.x, bz = b.z - point.z;
    if (az * bx - ax * bz < 0) { /* right of edge ab: outside */
      inside = false;
      float dx = bx - ax, dz = bz - az;
      float t = -(ax * dx + az * dz), length2 = dx * dx + dz * dz;
      t = t <= 0 ? 0 : t >= length2 ? 1 : t / length2;
      float ex = ax + t * dx, ez = az + t * dz, distance2 = ex * ex + ez * ez;
      if (distance2 < best) {
        best = distance2;
        /* Corners exactly, so that paths through a corner meet it. */
        *closest = t <= 0 ? a : t >= 1 ? b : lwi_lerp(a, b, t);
      }
    }
    a = b;
    ax = bx;
    az = bz;
  }
  return inside;
}

/* Twice the area of the triangle of the point and edge ab, whose ends are relative to the point; >= 0: it is
   left of ab. */
static float turn_at(float ax, float az, float bx, float bz) {
  return az * bx - ax * bz;
}

/* A corner's height weighs as much as the triangle of the point and the opposite edge. */
static float interpolate(const float turn[3], float a, float b, float c) {
  return (turn[1] * a + turn[2] * b + turn[0] * c) / (turn[0] + turn[1] + turn[2]);
}

static float smallest_of(const float turn[3]) {
  float lower = turn[0] < turn[1] ? turn[0] : turn[1];
  return lower < turn[2] ? lower : turn[2];
}

/* Is the point in the triangle, or outside by rounding alone? */
static bool is_in(const float turn[3]) {
  float area = turn[0] + turn[1] + turn[2];
  return (area > 0) & (smallest_of(turn) >= -1e-4f * area);
}

/* The nearest place on an edge of a triangle so far, for a point that lies in none by rounding or outside of
   the polygon. */
typedef struct nearest_edge {
  float distance2, height;
} nearest_edge;

/* Ends are relative to the point in x and z. The nearest place is on an edge that has the point on its right.
   */
static void try_edge(lw_vec3 a, lw_vec3 b, nearest_edge *best) {
  float dx = b.x - a.x, dz = b.z - a.z, length2 = dx * dx + dz * dz, turn = turn_at(a.x, a.z, b.x, b.z);
  if (turn > 0 || turn * turn >= best->distance2 * length2) return;
  float t = length2 > 0 ? -(a.x * dx + a.z * dz) / length2 : 0;
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  float x = a.x + t * dx, z = a.z + t * dz, distance2 = x * x + z * z;
  if (distance2 < best->distance2) *best = (nearest_edge){distance2, a.y + t * (b.y - a.y)};
}

static void try_edges(lw_vec3 a, lw_vec3 b, lw_vec3 c, nearest_edge *best) {
  try_edge(a, b, best);
  try_edge(b, c, best);
  try_edge(c, a, best);
}

static float fan_height_beside(const lwi_polygon *polygon, float x, float z) {
  const lw_vec3 point = {x, 0, z};
  lw_vec3 a = lwi_sub(lwi_corner(polygon, 0), point), b = lwi_sub(lwi_corner(polygon, 1), point);
  nearest_edge best = {INFINITY, a.y};
  for (uint32_t i = 2; i < polygon->count; i++) {
    lw_vec3 c = lwi_sub(lwi_corner(polygon, i), point);
    try_edges(a, b, c, &best);
    b = c;
  }
  return best.height;
}

/* The height in the triangle of the fan about corner 0 between whose sides the point lies. */
static float fan_height(const lwi_polygon *polygon, float x, float z) {
  const float *xs = polygon->at, *zs = xs + polygon->count, *ys = zs + polygon->count;
  const float ax = xs[0] - x, az = zs[0] - z;
  uint32_t i = 2;
  float to = turn_at(xs[2] - x, zs[2] - z, ax, az), from = turn_at(ax, az, xs[1] - x, zs[1] - z);
  while (to < 0 && i + 1 < polygon->count) {
    from = -to;
    i++;
    to = turn_at(xs[i] - x, zs[i] - z, ax, az);
  }
  float turn[3] = {from, turn_at(xs[i - 1] - x, zs[i - 1] - z, xs[i] - x, zs[i] - z), to};
  return is_in(turn) ? interpolate(turn, ys[0], ys[i - 1], ys[i]) : fan_height_beside(polygon, x, z);
}

/* A polygon's detail, seen from the point whose height is wanted. */
typedef struct detail_view {
  lwi_polygon polygon;
  const lw_vec3 *extra;
  const uint8_t *triangles;
  uint32_t count;
  float x, z;
} detail_view;

/* A detail vertex relative to the point in x and z. */
static lw_vec3 detail_vertex(const detail_view *view, uint32_t v) {
  const lwi_polygon *polygon = &view->polygon;
  lw_vec3 at = v < polygon->count ? lwi_corner(polygon, v) : view->extra[v - polygon->count];
  return (lw_vec3){at.x - view->x, at.y, at.z - view->z};
}

typedef struct detail_corners {
  lw_vec3 a, b, c;
  float turn[3];
} detail_corners;

static detail_corners view_triangle(const detail_view *view, uint32_t triangle) {
  const uint8_t *v = view->triangles + 3 * (size_t)triangle;
  lw_vec3 a = detail_vertex(view, v[0]), b = detail_vertex(view, v[1]), c = detail_vertex(view, v[2]);
  return (detail_corners){
      a, b, c, {turn_at(a.x, a.z, b.x, b.z), turn_at(b.x, b.z, c.x, c.z), turn_at(c.x, c.z, a.x, a.z)}};
}

static float longest2(const detail_corners *t) {
  float ab = (t->b.x - t->a.x) * (t->b.x - t->a.x) + (t->b.z - t->a.z) * (t->b.z - t->a.z);
  float bc = (t->c.x - t->b.x) * (t->c.x - t->b.x) + (t->c.z - t->b.z) * (t->c.z - t->b.z);
  float ca = (t->a.x - t->c.x) * (t->a.x - t->c.x) + (t->a.z - t->c.z) * (t->a.z - t->c.z);
  return ab > bc ? (ab > ca ? ab : ca) : (bc > ca ? bc : ca);
}

/* Far from the origin, points of an edge lie beside it by the spacing of floats there: such a point gets the
   edge's height. @return Whether the point is in the triangle, or that near. */
static bool height_in(const detail_view *view, uint32_t triangle, float *height) {
  detail_corners t = view_triangle(view, triangle);
  if (!is_in(t.turn)) {
    float outside = smallest_of(t.turn), spacing = FLT_EPSILON / 2 * (fabsf(view->x) + fabsf(view->z));
    nearest_edge best = {2 * spacing * spacing, 0};
    if (outside * outside > spacing * spacing * longest2(&t)) return false;
    try_edges(t.a, t.b, t.c, &best);
    *height = best.height;
    return best.distance2 < 2 * spacing * spacing;
  }
  *height = interpolate(t.turn, t.a.y, t.b.y, t.c.y);
  return true;
}

static float height_beside(const detail_view *view) {
  nearest_edge best = {INFINITY, detail_vertex(view, 0).y};
  for (uint32_t i = 0; i < view->count; i++) {
    detail_corners t = view_triangle(view, i);
    try_edges(t.a, t.b, t.c, &best);
  }
  return best.height;
}

/* Of a few triangles, all vertices are moved relative to the point at once. */
#define FEW_VERTICES 16

static bool height_among_few(const detail_view *view, uint32_t vertices, float *height) {
  float x[FEW_VERTICES], y[FEW_VERTICES], z[FEW_VERTICES];
  const lwi_polygon *polygon = &view->polygon;
  const uint32_t corners = polygon->count;
  for (uint32_t i = 0; i < corners; i++) {
    x[i] = polygon->at[i] - view->x;
    z[i] = polygon->at[corners + i] - view->z;
    y[i] = polygon->at[2 * corners + i];
  }
  for (uint32_t i = corners; i < vertices; i++) {
    x[i] = view->extra[i - corners].x - view->x;
    z[i] = view->extra[i - corners].z - view->z;
    y[i] = view->extra[i - corners].y;
  }
  for (const uint8_t *v = view->triangles; v < view->triangles + 3 * (size_t)view->count; v += 3) {
    const float turn[3] = {turn_at(x[v[0]], z[v[0]], x[v[1]], z[v[1]]),
                           turn_at(x[v[1]], z[v[1]], x[v[2]], z[v[2]]),
                           turn_at(x[v[2]], z[v[2]], x[v[0]], z[v[0]])};
    if (!is_in(turn)) continue;
    *height = interpolate(turn, y[v[0]], y[v[1]], y[v[2]]);
    return true;
  }
  return false;
}

static bool height_among(const detail_view *view, float *height) {
  for (uint32_t i = 0; i < view->count; i++)
    if (height_in(view, i, height)) return true;
  return false;
}

static bool height_by_walk(const lwi_slopes *slopes, const detail_view *view, float *height) {
  bool is_on;
  const uint32_t triangle = lwi_slopes_find(slopes, view->x, view->z, &is_on);
  if (!is_on) return false;
  const detail_corners t = view_triangle(view, triangle);
  *height = interpolate(t.turn, t.a.y, t.b.y, t.c.y);
  return true;
}

float lwi_polygon_height(const lw_navmesh *mesh, uint32_t index, float x, float z) {
  const uint32_t origin = lwi_origin_of(mesh, index); /* a piece lies on what it was cut from */
  if (lwi_surface_of(mesh, origin) == LWI_SURFACE_LEVEL) {
    const lwi_polygon level = lwi_polygon_get(mesh, origin);
    return level.at[2 * (size_t)level.count];
  }
  const lwi_slopes slopes = lwi_slopes_of(mesh, origin);
  const lwi_polygon *polygon = &slopes.polygon;
  if (slopes.extra_count == 0 && lwi_corners_are_level(polygon)) return polygon->at[2 * (size_t)polygon->count];
  if (!slopes.triangles) return fan_height(polygon, x, z);
  const detail_view view = {*polygon, slopes.extra, slopes.triangles, slopes.count, x, z};
  const uint32_t vertices = lwi_slopes_vertex_count(&slopes);
  float height;
  if (slopes.neighbours && height_by_walk(&slopes, &view, &height)) return height;
  const bool found =
      vertices <= FEW_VERTICES ? height_among_few(&view, vertices, &height) : height_among(&view, &height);
  return found ? height : height_beside(&view);
}

/* The height at the end of a portal of polygon `index`. @param kept  Of lwi_portal_heights. */
static float height_at_end(const lw_navmesh *mesh, uint32_t index, lw_vec3 at, _Atomic float *kept) {
  float height = atomic_load_explicit(kept, memory_order_relaxed);
  if (!isinf(height)) return height;
  height = lwi_polygon_height(mesh, index, at.x, at.z);
  atomic_store_explicit(kept, height, memory_order_relaxed);
  return height;
}

void lwi_portal_span(const lw_navmesh *mesh, const lwi_portal_interval *intervals, uint32_t index,
                     const lwi_portal *portal, lw_vec3 *left, lw_vec3 *right) {
  lwi_polygon polygon = lwi_polygon_get(mesh, index);
  lw_vec3 a = lwi_corner(&polygon, portal->edge);
  lw_vec3 b = lwi_corner(&polygon, lwi_next_corner(&polygon, portal->edge));
  if (portal->interval == 0) {
    *right = a;
    *left = b;
    return;
  }
  lwi_portal_interval interval = intervals[portal->interval];
  *right = interval.t0 <= 0 ? a : lwi_lerp(a, b, interval.t0);
  *left = interval.t1 >= 1 ? b : lwi_lerp(a, b, interval.t1);
  if (!mesh->live.portal_heights || portal->interval < mesh->live.first_interval ||
      intervals != mesh->graph.intervals)
    return;
  lwi_portal_heights *heights = &mesh->live.portal_heights[portal->interval - mesh->live.first_interval];
  const float y0 = height_at_end(mesh, index, *right, &heights->y0),
              y1 = height_at_end(mesh, index, *left, &heights->y1);
  if (!isnan(y0)) right->y = y0;
  if (!isnan(y1)) left->y = y1;
}

void lwi_portal_ends_xz(const lw_navmesh *mesh, uint32_t index, const lwi_portal *portal, lw_vec3 *left,
                        lw_vec3 *right) {
  const lwi_polygon of = lwi_polygon_get(mesh, index);
  const uint32_t begin = portal->edge, end = lwi_next_corner(&of, begin);
  const lw_vec3 a = {of.at[begin], 0, of.at[of.count + begin]}, b = {of.at[end], 0, of.at[of.count + end]};
  *right = a;
  *left = b;
  if (portal->interval == 0) return;
  const lwi_portal_interval interval = lwi_interval_of_portal(mesh, portal);
  if (interval.t0 > 0) *right = lwi_lerp(a, b, interval.t0);
  if (interval.t1 < 1) *left = lwi_lerp(a, b, interval.t1);
}

const lwi_portal *lwi_portal_back(const lw_navmesh *mesh, uint32_t index, const lwi_portal *portal) {
  const lwi_portal *best = NULL;
  float nearest = INFINITY;
  lw_vec3 left, right, back_left, back_right;
  lwi_portal_points(mesh, index, portal, &left, &right);
  for (uint32_t k = mesh->graph.first_portal[portal->to]; k < mesh->graph.end_portal[portal->to]; k++) {
    const lwi_portal *back = &mesh->graph.portals[k];
    if (back->to != index) continue;
    lwi_portal_points(mesh, portal->to, back, &back_left, &back_right);
    const float offset = lwi_distance_xz(left, back_right) + lwi_distance_xz(right, back_left);
    if (offset >= nearest) continue;
    nearest = offset;
    best = back;
  }
  return best;
}
