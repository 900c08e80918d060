#include "bake/bake_outline.h"

#include <math.h>

#define REACH 0.75         /* a voxel's corner lies no further from the outline [cells] */
#define EDGE_MIN 0.25      /* no edge becomes shorter [cells] */
#define CONCAVE_SLACK 1e-4 /* and no corner lies further inside the line past it [m] */
#define ROUNDS 2           /* of trying what was put back */
#define FULL_TURN 6.2832
#define ANGLE_SLACK 0.01
#define HEIGHT_SLACK 4 /* Recast's heights against the mark's [cells of height] */

typedef struct place {
  double x, z;
} place;

/* A vertex as its polygons see it. */
typedef struct corner_view {
  float angle; /* of all polygons together: a full turn, and there is neither wall nor border */
  float x, z;  /* where it was, when it has been moved */
  bool moved;
  uint8_t side_in, side_out; /* of the tile, that the edges to and from it lie on; 0: none */
  uint8_t areas[2];          /* of two polygons there; 0: there is no second area */
} corner_view;

/* The nearest points of outlines to a vertex, within reach. */
typedef struct pull {
  place from;
  double corner_distance, line_distance;
  place corner, line;
} pull;

static place place_of(const float *points, int index) {
  return (place){points[3 * index], points[3 * index + 2]};
}

static double turn(place a, place b, place c) {
  return (b.z - a.z) * (c.x - a.x) - (b.x - a.x) * (c.z - a.z);
}

static double distance(place a, place b) {
  return hypot(b.x - a.x, b.z - a.z);
}

static place mix(place a, place b, double t) {
  return (place){a.x + (b.x - a.x) * t, a.z + (b.z - a.z) * t};
}

/* How far p is on the way from a to b: 0 at a, 1 at b. */
static double along(place a, place b, place p) {
  double x = b.x - a.x, z = b.z - a.z, square = x * x + z * z;
  return square > 0 ? ((p.x - a.x) * x + (p.z - a.z) * z) / square : 0;
}

static void offer(double *best, place *to, place from, place candidate) {
  double far = distance(from, candidate);
  if (far >= *best) return;
  *best = far;
  *to = candidate;
}

static void offer_side(pull *p, place a, place b) {
  double t = along(a, b, p->from);
  if (t >= 0 && t <= 1) offer(&p->line_distance, &p->line, p->from, mix(a, b, t));
}

static void offer_polygon(pull *p, const lwi_tile_mark *mark) {
  for (int i = 0; i < mark->point_count; ++i) {
    place a = place_of(mark->points, i), b = place_of(mark->points, (i + 1) % mark->point_count);
    offer_side(p, a, b);
    offer(&p->corner_distance, &p->corner, p->from, a);
  }
}

/* Straight out from the middle line at t of the way from a to b. */
static void offer_beside(pull *p, place middle, double half_width) {
  double far = distance(middle, p->from);
  if (far > 0) offer(&p->line_distance, &p->line, p->from, mix(middle, p->from, half_width / far));
}

/* The square end at a of a path that goes on to b. */
static void offer_end(pull *p, place a, place b, double half_width) {
  double scale = half_width / distance(a, b);
  place left = {a.x + (b.z - a.z) * scale, a.z - (b.x - a.x) * scale};
  place right = {a.x - (b.z - a.z) * scale, a.z + (b.x - a.x) * scale};
  offer_side(p, left, right);
  offer(&p->corner_distance, &p->corner, p->from, left);
  offer(&p->corner_distance, &p->corner, p->from, right);
}

static void offer_path(pull *p, const lwi_tile_mark *mark, float y, float slack) {
  int count = mark->point_count, pieces = mark->is_closed ? count : count - 1;
  for (int i = 0; i < pieces; ++i) {
    int next = (i + 1) % count;
    place a = place_of(mark->points, i), b = place_of(mark->points, next);
    double t = along(a, b, p->from), on = fmin(1, fmax(0, t));
    double above = y - (mark->points[3 * i + 1] * (1 - on) + mark->points[3 * next + 1] * on);
    if (above < mark->bottom - slack || above > mark->top + slack) continue;
    bool bends = i + 1 < pieces || mark->is_closed;
    place c = place_of(mark->points, (i + 2) % count);
    if ((t >= 0 && t <= 1) || (bends && t > 1 && along(b, c, p->from) < 0))
      offer_beside(p, mix(a, b, on), mark->half_width);
    if (mark->is_closed) continue;
    if (i == 0) offer_end(p, a, b, mark->half_width);
    if (i + 1 == pieces) offer_end(p, b, a, mark->half_width);
  }
}

static bool gives(const lwi_tile_mark *mark, uint8_t area) {
  return area != 0 && (mark->area == area || (mark->is_water && mark->deep_area == area));
}

static pull pull_at(const lwi_tile_job *job, const float *vertex, const corner_view *view) {
  double reach = REACH * job->cell_size;
  float slack = HEIGHT_SLACK * job->cell_height;
  pull p = {.from = {vertex[0], vertex[2]}, .corner_distance = reach, .line_distance = reach};
  for (int i = 0; i < job->mark_count; ++i) {
    const lwi_tile_mark *mark = &job->marks[i];
    if (!gives(mark, view->areas[0]) && !gives(mark, view->areas[1])) continue;
    if (mark->is_path)
      offer_path(&p, mark, vertex[1], slack);
    else if (vertex[1] >= mark->bottom - slack && vertex[1] <= mark->top + slack)
      offer_polygon(&p, mark);
  }
  return p;
}

/* --- the mesh --- */

static int corners_of(const lwi_tile_result *result, int polygon, const int **corners) {
  *corners = result->corners + result->first_corner[polygon];
  return result->first_corner[polygon + 1] - result->first_corner[polygon];
}

static void view_polygon(const lwi_tile_result *result, int polygon, corner_view *views) {
  const int *corners;
  int count = corners_of(result, polygon, &corners);
  for (int k = 0; k < count; ++k) {
    place here = place_of(result->vertices, corners[k]);
    place next = place_of(result->vertices, corners[(k + 1) % count]);
    place last = place_of(result->vertices, corners[(k + count - 1) % count]);
    double dot = (next.x - here.x) * (last.x - here.x) + (next.z - here.z) * (last.z - here.z);
    corner_view *view = &views[corners[k]];
    uint8_t side_out = result->border[result->first_corner[polygon] + k];
    uint8_t side_in = result->border[result->first_corner[polygon] + (k + count - 1) % count];
    if (side_out) view->side_out = side_out;
    if (side_in) view->side_in = side_in;
    view->angle += (float)fabs(atan2(turn(here, next, last), dot));
    if (view->areas[0] == 0)
      view->areas[0] = result->areas[polygon];
    else if (view->areas[0] != result->areas[polygon])
      view->areas[1] = result->areas[polygon];
  }
}

/* Is the polygon one still, and convex? */
static bool is_sound(const lwi_tile_result *result, int polygon, double shortest) {
  const int *corners;
  int count = corners_of(result, polygon, &corners);
  double area = 0;
  for (int k = 0; k < count; ++k) {
    place a = place_of(result->vertices, corners[k]), b = place_of(result->vertices, corners[(k + 1) % count]);
    place c = place_of(result->vertices, corners[(k + 2) % count]);
    double length = distance(a, b);
    if (length < shortest || turn(a, b, c) < -CONCAVE_SLACK * length) return false;
    area += turn(place_of(result->vertices, corners[0]), a, b);
  }
  return area > 2 * shortest * shortest;
}

static bool has_corner(const lwi_tile_result *result, int polygon, int vertex) {
  const int *corners;
  int count = corners_of(result, polygon, &corners);
  for (int k = 0; k < count; ++k)
    if (corners[k] == vertex) return true;
  return false;
}

typedef struct moving {
  const lwi_tile_job *job;
  lwi_tile_result *result;
  corner_view *views;
} moving;

static bool put_back(moving *m, int vertex) {
  corner_view *view = &m->views[vertex];
  if (!view->moved) return false;
  float *v = m->result->vertices + 3 * (size_t)vertex;
  v[0] = view->x, v[2] = view->z;
  view->moved = false;
  return true;
}

static void move(moving *m, int vertex, place to) {
  corner_view *view = &m->views[vertex];
  float *v = m->result->vertices + 3 * (size_t)vertex;
  view->x = v[0], view->z = v[2];
  v[0] = (float)to.x, v[2] = (float)to.z;
  view->moved = true;
}

/* Along the tile's border no further than it takes to meet the outline, which passes `to` at a right angle to the way
   there. */
static bool slide(place from, bool along_x, double reach, place *to) {
  double far = distance(from, *to), way = along_x ? to->x - from.x : to->z - from.z;
  if (far == 0) return false;
  double shift = far * far / way;
  if (!(fabs(shift) <= 2 * reach)) return false;
  *to = along_x ? (place){from.x + shift, from.z} : (place){from.x, from.z + shift};
  return true;
}

static void pull_vertex(moving *m, int vertex) {
  const corner_view *view = &m->views[vertex];
  bool inside = (double)view->angle > FULL_TURN - ANGLE_SLACK;
  bool border = view->side_in != 0 && view->side_in == view->side_out;
  if (view->areas[1] == 0 || !(inside || border)) return;
  double reach = REACH * m->job->cell_size;
  pull p = pull_at(m->job, m->result->vertices + 3 * (size_t)vertex, view);
  if (inside && p.corner_distance < reach)
    move(m, vertex, p.corner);
  else if (p.line_distance < reach && (inside || slide(p.from, view->side_in % 2 == 0, reach, &p.line)))
    move(m, vertex, p.line);
}

/* How far a vertex has been moved; -1: not at all. */
static double moved_by(const moving *m, int vertex) {
  const corner_view *view = &m->views[vertex];
  return view->moved ? distance((place){view->x, view->z}, place_of(m->result->vertices, vertex)) : -1;
}

/* Put back, of a polygon that has not stood it, the vertex that went furthest; until all polygons are sound. */
static void settle(moving *m) {
  double shortest = EDGE_MIN * m->job->cell_size;
  for (bool again = true; again;) {
    again = false;
    for (int i = 0; i < m->result->polygon_count; ++i) {
      if (is_sound(m->result, i, shortest)) continue;
      const int *corners;
      int count = corners_of(m->result, i, &corners), furthest = 0;
      for (int k = 1; k < count; ++k)
        if (moved_by(m, corners[k]) > moved_by(m, corners[furthest])) furthest = k;
      again |= put_back(m, corners[furthest]);
    }
  }
}

/* Are all polygons at the vertex sound? */
static bool stands(const moving *m, int vertex) {
  for (int i = 0; i < m->result->polygon_count; ++i)
    if (has_corner(m->result, i, vertex) && !is_sound(m->result, i, EDGE_MIN * m->job->cell_size)) return false;
  return true;
}

/* Now that its neighbours have settled a vertex that was put back may go all the way, or half of it. */
static void try_again(moving *m, int vertex) {
  if (m->views[vertex].moved) return;
  pull_vertex(m, vertex);
  if (!m->views[vertex].moved || stands(m, vertex)) return;
  float *v = m->result->vertices + 3 * (size_t)vertex;
  v[0] = (v[0] + m->views[vertex].x) / 2, v[2] = (v[2] + m->views[vertex].z) / 2;
  if (!stands(m, vertex)) put_back(m, vertex);
}

bool lwi_bake_outline(const lwi_tile_job *job, lwi_tile_result *result, lwi_memory *memory) {
  if (job->mark_count == 0) return true;
  size_t size = (size_t)result->vertex_count * sizeof(corner_view);
  moving m = {job, result, lwi_alloc_zero(memory, size)};
  if (!m.views) return false;
  for (int i = 0; i < result->polygon_count; ++i) view_polygon(result, i, m.views);
  for (int i = 0; i < result->vertex_count; ++i) pull_vertex(&m, i);
  settle(&m);
  for (int i = 0; i < ROUNDS * result->vertex_count; ++i) try_again(&m, i % result->vertex_count);
  lwi_free(memory, m.views, size);
  return true;
}
