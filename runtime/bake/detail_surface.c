/* The surface of polygons that are cut smaller: slopes are divided along the same lines. */
#include "bake/detail_parts.h"

#include <string.h>

/* Points nearer to a line than this are on it. [m] */
#define ON_LINE 1e-4
/* Points of a surface nearer to a corner than this are that corner. [m] */
#define AT_CORNER 2e-3
/* Surfaces no further from a plane than this are that plane, and need no points but corners. [m] */
#define FLAT 2e-3
/* Corners and points of a surface at most. */
#define POINTS_MAX 255

static bool put_slope(lwi_detail_work *work, lw_vec3 a, lw_vec3 b, lw_vec3 c) {
  lwi_detail_slopes *list = &work->slopes;
  if (lwi_turn(a, b, c) <= 0) return true;
  if (!lwi_reserve(work->memory, &list->items, &list->capacity, list->count + 1, sizeof *list->items))
    return false;
  list->items[list->count++] = (lwi_slope){{a, b, c}};
  return true;
}

/* --- taking ----------------------------------------------------------------------------------------------- */

/* A polygon of the source. */
typedef struct source_view {
  const lwi_tile_source *from;
  const int *corners;
  int count;
  int first_vertex, first_triangle, end_triangle; /* of its detail; no triangle: a fan */
} source_view;

static source_view view_of(const lwi_tile_source *from, int polygon) {
  source_view view = {from,
                      from->corners + from->first_corner[polygon],
                      from->first_corner[polygon + 1] - from->first_corner[polygon],
                      0,
                      0,
                      0};
  if (!from->first_detail_vertex) return view;
  view.first_vertex = from->first_detail_vertex[polygon];
  view.first_triangle = from->first_detail_triangle[polygon];
  view.end_triangle = from->first_detail_triangle[polygon + 1];
  return view;
}

static lw_vec3 point_of(const source_view *view, int v) {
  if (v < view->count) return view->from->vertices[view->corners[v]];
  return view->from->detail_vertices[view->first_vertex + v - view->count];
}

bool lwi_detail_take_slopes(lwi_detail_work *work, lwi_detail_piece *piece) {
  const source_view view = view_of(work->from, piece->polygon);
  piece->first_slope = work->slopes.count;
  for (int i = view.first_triangle; i < view.end_triangle; i++) {
    const uint8_t *v = work->from->detail_triangles + 3 * (size_t)i;
    if (!put_slope(work, point_of(&view, v[0]), point_of(&view, v[1]), point_of(&view, v[2]))) return false;
  }
  for (int i = 2; i < view.count && view.first_triangle == view.end_triangle; i++)
    if (!put_slope(work, point_of(&view, 0), point_of(&view, i - 1), point_of(&view, i))) return false;
  piece->slope_count = work->slopes.count - piece->first_slope;
  return true;
}

static void take_height(float *range, float y) {
  range[0] = lwi_min(range[0], y);
  range[1] = lwi_max(range[1], y);
}

void lwi_detail_heights(const lwi_detail_work *work, const lwi_detail_piece *piece, float *range) {
  range[0] = INFINITY;
  range[1] = -INFINITY;
  for (int i = 0; i < piece->slope_count; i++)
    for (int k = 0; k < 3; k++) take_height(range, work->slopes.items[piece->first_slope + i].at[k].y);
  if (piece->slope_count > 0) return;
  const source_view view = view_of(work->from, piece->polygon);
  for (int i = 0; i < view.count; i++) take_height(range, point_of(&view, i).y);
  if (!work->from->first_detail_vertex) return;
  for (int i = view.first_vertex; i < work->from->first_detail_vertex[piece->polygon + 1]; i++)
    take_height(range, work->from->detail_vertices[i].y);
}

float lwi_detail_height(const lwi_detail_work *work, const lwi_detail_piece *piece, double x, double z) {
  double best = -INFINITY, height = 0;
  const lw_vec3 at = {(float)x, 0, (float)z};
  for (int i = 0; i < piece->slope_count; i++) {
    const lwi_slope *slope = &work->slopes.items[piece->first_slope + i];
    const double all = lwi_turn(slope->at[0], slope->at[1], slope->at[2]);
    const double a = lwi_turn(slope->at[1], slope->at[2], at) / all,
                 b = lwi_turn(slope->at[2], slope->at[0], at) / all, c = 1 - a - b;
    const double inside = lwi_smaller(a, lwi_smaller(b, c));
    if (inside <= best) continue;
    best = inside;
    height = a * (double)slope->at[0].y + b * (double)slope->at[1].y + c * (double)slope->at[2].y;
  }
  return (float)height;
}

/* --- dividing --------------------------------------------------------------------------------------------- */

/* How far a point is on the left of the line. */
static double side_of(const lw_vec3 line[2], lw_vec3 point) {
  const double length = hypot((double)line[1].x - line[0].x, (double)line[1].z - line[0].z);
  const double side = lwi_turn(line[0], line[1], point) / length;
  return fabs(side) < ON_LINE ? 0 : side;
}

static bool is_before(lw_vec3 a, lw_vec3 b) {
  return a.x != b.x ? a.x < b.x : a.z != b.z ? a.z < b.z : a.y < b.y;
}

/* Where an edge meets the line: the same for both slopes that it bounds. */
static lw_vec3 meet(lw_vec3 a, double side_a, lw_vec3 b, double side_b) {
  if (is_before(b, a)) {
    const lw_vec3 point = a;
    const double side = side_a;
    a = b, side_a = side_b;
    b = point, side_b = side;
  }
  const double t = side_a / (side_a - side_b);
  return (lw_vec3){(float)((double)a.x + ((double)b.x - a.x) * t),
                   (float)((double)a.y + ((double)b.y - a.y) * t),
                   (float)((double)a.z + ((double)b.z - a.z) * t)};
}

/* Add what of the slope is on one side of the line. @param sign  1: on its left; -1: on its right. */
static bool put_part(lwi_detail_work *work, const lwi_slope *slope, const lw_vec3 line[2], int sign) {
  double sides[3];
  lw_vec3 part[4];
  int count = 0, inside = 0;
  for (int k = 0; k < 3; k++) {
    sides[k] = sign * side_of(line, slope->at[k]);
    inside += sides[k] > 0;
  }
  if (inside == 0) return true;
  for (int k = 0; k < 3; k++) {
    const int next = k < 2 ? k + 1 : 0;
    if (sides[k] >= 0) part[count++] = slope->at[k];
    if (sides[k] * sides[next] < 0) part[count++] = meet(slope->at[k], sides[k], slope->at[next], sides[next]);
  }
  for (int k = 2; k < count; k++)
    if (!put_slope(work, part[0], part[k - 1], part[k])) return false;
  return true;
}

static bool put_side(lwi_detail_work *work, const lwi_detail_piece *piece, const lw_vec3 line[2], int sign,
                     lwi_detail_piece *to) {
  to->first_slope = work->slopes.count;
  for (int i = 0; i < piece->slope_count; i++) {
    const lwi_slope slope = work->slopes.items[piece->first_slope + i];
    if (!put_part(work, &slope, line, sign)) return false;
  }
  to->slope_count = work->slopes.count - to->first_slope;
  return true;
}

bool lwi_detail_divide(lwi_detail_work *work, const lwi_detail_piece *piece, const lw_vec3 line[2],
                       lwi_detail_piece *left, lwi_detail_piece *right) {
  return put_side(work, piece, line, 1, left) && put_side(work, piece, line, -1, right);
}

/* --- putting ---------------------------------------------------------------------------------------------- */

/* What is put into the tile. */
typedef struct putter {
  const lwi_detail_work *work;
  const lwi_detail_outline *outline;
  lwi_detail_tile *tile;
  int first_point; /* in the tile's detail vertices */
} putter;

static lw_vec3 corner_at(const putter *p, int k) {
  return p->work->vertices[p->outline->corners[k].vertex];
}

static bool put_triangle(const putter *p, int a, int b, int c) {
  lwi_detail_tile *tile = p->tile;
  const int at = 3 * tile->detail_triangle_count;
  if (!lwi_reserve(tile->memory, &tile->detail_triangles, &tile->detail_triangle_capacity, at + 3, 1))
    return false;
  tile->detail_triangles[at] = (uint8_t)a;
  tile->detail_triangles[at + 1] = (uint8_t)b;
  tile->detail_triangles[at + 2] = (uint8_t)c;
  tile->detail_triangle_count += 1;
  return true;
}

static bool put_point(const putter *p, lw_vec3 point) {
  lwi_detail_tile *tile = p->tile;
  if (!lwi_reserve(tile->memory, &tile->detail_vertices, &tile->detail_vertex_capacity,
                   tile->detail_vertex_count + 1, sizeof point))
    return false;
  tile->detail_vertices[tile->detail_vertex_count++] = point;
  return true;
}

/* About a corner that no two others are in line with, if there is one: no triangle lacks an area then. */
static int apex_of(const putter *p) {
  const int count = p->outline->count;
  int best = 0;
  double widest = -1;
  for (int k = 0; k < count; k++) {
    const double turn = lwi_turn(corner_at(p, k > 0 ? k - 1 : count - 1), corner_at(p, k),
                                 corner_at(p, k + 1 < count ? k + 1 : 0));
    if (turn > widest) widest = turn, best = k;
  }
  return best;
}

static bool put_fan(const putter *p) {
  const int count = p->outline->count, apex = apex_of(p);
  for (int k = 1; k + 1 < count; k++) {
    const int b = (apex + k) % count, c = (apex + k + 1) % count;
    if (lwi_turn(corner_at(p, apex), corner_at(p, b), corner_at(p, c)) <= 0) continue;
    if (!put_triangle(p, apex, b, c)) return false;
  }
  return true;
}

static bool is_at(lw_vec3 a, lw_vec3 b, double slack) {
  return fabs((double)a.x - b.x) <= slack && fabs((double)a.z - b.z) <= slack;
}

/* The number of a point: a corner, or one that was put. @return POINTS_MAX: there are too many; -1: no memory. */
static int number_of(const putter *p, lw_vec3 point) {
  const int corners = p->outline->count, points = p->tile->detail_vertex_count - p->first_point;
  for (int k = 0; k < corners; k++)
    if (is_at(corner_at(p, k), point, AT_CORNER)) return k;
  for (int k = 0; k < points; k++)
    if (is_at(p->tile->detail_vertices[p->first_point + k], point, ON_LINE)) return corners + k;
  if (corners + points >= POINTS_MAX) return POINTS_MAX;
  return put_point(p, point) ? corners + points : -1;
}

typedef struct plane {
  lw_vec3 at;
  double x, z; /* how much it rises along x and z */
} plane;

/* That of its largest slope. */
static plane plane_of(const lwi_detail_work *work, const lwi_detail_piece *piece) {
  plane of = {work->slopes.items[piece->first_slope].at[0], 0, 0};
  double largest = 0;
  for (int i = 0; i < piece->slope_count; i++) {
    const lwi_slope *slope = &work->slopes.items[piece->first_slope + i];
    const double area = lwi_turn(slope->at[0], slope->at[1], slope->at[2]);
    lwi_incline on;
    if (area <= largest || !lwi_incline_of(slope, &on)) continue;
    largest = area;
    of = (plane){on.at, on.x, on.z};
  }
  return of;
}

static bool is_on(const plane *of, lw_vec3 point) {
  const double height =
      (double)of->at.y + ((double)point.x - of->at.x) * of->x + ((double)point.z - of->at.z) * of->z;
  return fabs((double)point.y - height) <= FLAT;
}

static bool is_flat(const putter *p, const lwi_detail_piece *piece) {
  const plane of = plane_of(p->work, piece);
  for (int k = 0; k < p->outline->count; k++)
    if (!is_on(&of, corner_at(p, k))) return false;
  for (int i = 0; i < piece->slope_count; i++)
    for (int k = 0; k < 3; k++)
      if (!is_on(&of, p->work->slopes.items[piece->first_slope + i].at[k])) return false;
  return true;
}

/* @param[out] too_many  There are more points than can be numbered. @return false: no memory. */
static bool put_slopes(const putter *p, const lwi_detail_piece *piece, bool *too_many) {
  for (int i = 0; i < piece->slope_count; i++) {
    const lwi_slope *slope = &p->work->slopes.items[piece->first_slope + i];
    int v[3];
    for (int k = 0; k < 3; k++) {
      v[k] = number_of(p, slope->at[k]);
      if (v[k] < 0) return false;
      *too_many |= v[k] == POINTS_MAX;
    }
    if (*too_many) return true;
    if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0]) continue;
    if (!put_triangle(p, v[0], v[1], v[2])) return false;
  }
  return true;
}

/* The polygon's own triangles: its corners have other numbers now. */
static bool put_whole(const putter *p, int polygon) {
  const source_view view = view_of(p->work->from, polygon);
  int numbers[POINTS_MAX + 1];
  for (int k = 0; k < p->outline->count; k++)
    if (p->outline->own[k] >= 0) numbers[p->outline->own[k]] = k;
  const int points = p->work->from->first_detail_vertex[polygon + 1] - view.first_vertex;
  if (p->outline->count + points > POINTS_MAX) return put_fan(p);
  for (int k = 0; k < points; k++) {
    numbers[view.count + k] = p->outline->count + k;
    if (!put_point(p, point_of(&view, view.count + k))) return false;
  }
  for (int i = view.first_triangle; i < view.end_triangle; i++) {
    const uint8_t *v = p->work->from->detail_triangles + 3 * (size_t)i;
    if (!put_triangle(p, numbers[v[0]], numbers[v[1]], numbers[v[2]])) return false;
  }
  return true;
}

bool lwi_detail_put_surface(const lwi_detail_work *work, const lwi_detail_piece *piece,
                            const lwi_detail_outline *outline, lwi_detail_tile *tile) {
  const putter p = {work, outline, tile, tile->detail_vertex_count};
  const int first_triangle = tile->detail_triangle_count;
  if (piece->slope_count == 0) return put_whole(&p, piece->polygon);
  bool too_many = is_flat(&p, piece);
  if (!too_many && !put_slopes(&p, piece, &too_many)) return false;
  if (!too_many && tile->detail_triangle_count > first_triangle) return true;
  tile->detail_vertex_count = p.first_point;
  tile->detail_triangle_count = first_triangle;
  return put_fan(&p);
}
