#include "bake/bake_marks.h"

#include "core/vec3.h"

#include <math.h>

/* --- finding ---------------------------------------------------------------------------------------------- */

static bool overlap(const lw_box *a, const lw_box *b) {
  return a->min.x <= b->max.x && a->max.x >= b->min.x && a->min.z <= b->max.z && a->max.z >= b->min.z;
}

/* The bounds of a long path hold much that the path does not touch. */
static bool comes_by(const lwi_mark *mark, const lw_vec3 *points, const lw_box *box) {
  int pieces = mark->is_closed ? mark->point_count : mark->point_count - 1;
  lw_vec3 pad = lwi_vec3(mark->half_width, 0, mark->half_width);
  for (int i = 0; i < pieces; ++i) {
    lw_box piece = lwi_box_add(lwi_box_add(lwi_box_empty(), points[i]), points[(i + 1) % mark->point_count]);
    piece.min = lwi_sub(piece.min, pad);
    piece.max = lwi_add(piece.max, pad);
    if (overlap(&piece, box)) return true;
  }
  return false;
}

static bool touches(const lwi_marks *marks, int index, const lw_box *box) {
  const lwi_mark *mark = &marks->items[index];
  return overlap(&mark->bounds, box) &&
         (!mark->is_path || comes_by(mark, marks->points + mark->first_point, box));
}

bool lwi_bake_marks_find(lwi_bake_marks *found, const lw_geometry *geometry, const lw_box *box,
                         lwi_memory *memory) {
  const lwi_marks *marks = lwi_geometry_marks(geometry);
  *found = (lwi_bake_marks){0};
  int count = 0, points = 0;
  for (int i = 0; i < marks->count; ++i)
    if (touches(marks, i, box)) ++count, points += marks->items[i].point_count;
  if (count == 0) return true;
  found->count = count;
  found->point_count = points;
  found->from = lwi_alloc(memory, (size_t)count * sizeof *found->from);
  found->marks = lwi_alloc(memory, (size_t)count * sizeof *found->marks);
  found->points = lwi_alloc(memory, 3 * (size_t)points * sizeof *found->points);
  if (!found->from || !found->marks || !found->points) return lwi_bake_marks_free(found, memory), false;
  count = 0;
  for (int i = 0; count < found->count; ++i)
    if (touches(marks, i, box)) found->from[count++] = &marks->items[i];
  return true;
}

void lwi_bake_marks_place(lwi_bake_marks *found, const lw_geometry *geometry, const double origin[3],
                          const uint8_t *local) {
  const lw_vec3 *points = lwi_geometry_marks(geometry)->points;
  float *to = found->points;
  for (int i = 0; i < found->count; ++i) {
    const lwi_mark *mark = found->from[i];
    double base = mark->is_path ? 0 : origin[1]; /* a path's points have the height */
    found->marks[i] = (lwi_tile_mark){.area = mark->area == LW_AREA_NONE ? 0 : local[mark->area],
                                      .is_path = mark->is_path,
                                      .is_closed = mark->is_closed,
                                      .points = to,
                                      .point_count = mark->point_count,
                                      .is_water = mark->is_water,
                                      .deep_area = mark->is_water ? local[mark->deep_area] : 0,
                                      .deep_top = (float)(mark->top - base - mark->wade),
                                      .half_width = mark->half_width,
                                      .bottom = (float)(mark->bottom - base),
                                      .top = (float)(mark->top - base)};
    for (int k = 0; k < mark->point_count; ++k, to += 3) {
      lw_vec3 p = points[mark->first_point + k];
      to[0] = (float)(p.x - origin[0]), to[1] = (float)(p.y - origin[1]), to[2] = (float)(p.z - origin[2]);
    }
  }
}

void lwi_bake_marks_free(lwi_bake_marks *found, lwi_memory *memory) {
  lwi_free(memory, found->from, (size_t)found->count * sizeof *found->from);
  lwi_free(memory, found->marks, (size_t)found->count * sizeof *found->marks);
  lwi_free(memory, found->points, 3 * (size_t)found->point_count * sizeof *found->points);
  *found = (lwi_bake_marks){0};
}

/* --- outlines --------------------------------------------------------------------------------------------- */

#define REACH 0.75         /* how far an outline may be from a voxel's corner [cells] */
#define EDGE_MIN 0.25      /* the least length of an edge [cells] */
#define CONCAVE_SLACK 1e-4 /* how far a corner may lie inside the line through its neighbours [m] */
#define ROUNDS 2           /* attempts to move vertices that were moved back */
#define FULL_TURN 6.2832
#define ANGLE_SLACK 0.01
#define HEIGHT_SLACK 4 /* tolerance between Recast's heights and the mark's [cells of height] */

typedef struct place {
  double x, z;
} place;

/* What the polygons around a vertex say of it. */
typedef struct corner_view {
  float angle; /* of all polygons together; a full turn: neither wall nor border */
  float x, z;  /* the position before it was moved */
  bool moved;
  uint8_t side_in, side_out; /* the tile's sides that the edges to and from it lie on; 0: none */
  uint8_t areas[2];          /* of two polygons there; areas[1] = 0: all have one area */
} corner_view;

/* The nearest corner and the nearest point of outlines within reach of a vertex. */
typedef struct snap {
  place from;
  double corner_distance, line_distance;
  place corner, line;
} snap;

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

/* The parameter of p along the line from a to b: 0 at a, 1 at b. */
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

static void offer_side(snap *p, place a, place b) {
  double t = along(a, b, p->from);
  if (t >= 0 && t <= 1) offer(&p->line_distance, &p->line, p->from, mix(a, b, t));
}

static void offer_polygon(snap *p, const lwi_tile_mark *mark) {
  for (int i = 0; i < mark->point_count; ++i) {
    place a = place_of(mark->points, i), b = place_of(mark->points, (i + 1) % mark->point_count);
    offer_side(p, a, b);
    offer(&p->corner_distance, &p->corner, p->from, a);
  }
}

/* The point of the path's side straight out from its middle line. */
static void offer_beside(snap *p, place middle, double half_width) {
  double far = distance(middle, p->from);
  if (far > 0) offer(&p->line_distance, &p->line, p->from, mix(middle, p->from, half_width / far));
}

/* The square end at a of a path that continues to b. */
static void offer_end(snap *p, place a, place b, double half_width) {
  double scale = half_width / distance(a, b);
  place left = {a.x + (b.z - a.z) * scale, a.z - (b.x - a.x) * scale};
  place right = {a.x - (b.z - a.z) * scale, a.z + (b.x - a.x) * scale};
  offer_side(p, left, right);
  offer(&p->corner_distance, &p->corner, p->from, left);
  offer(&p->corner_distance, &p->corner, p->from, right);
}

static void offer_path(snap *p, const lwi_tile_mark *mark, float y, float slack) {
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

static snap snap_at(const lwi_tile_job *job, const float *vertex, const corner_view *view) {
  double reach = REACH * job->cell_size;
  float slack = HEIGHT_SLACK * job->cell_height;
  snap p = {.from = {vertex[0], vertex[2]}, .corner_distance = reach, .line_distance = reach};
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

/* --- the mesh --------------------------------------------------------------------------------------------- */

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

/* Is the polygon still convex and not degenerate? */
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

/* Move `to` onto the tile's border, where the outline crosses it: the outline passes `to` at a right angle
   to the line from `from`. @return false: too far. */
static bool slide(place from, bool along_x, double reach, place *to) {
  double far = distance(from, *to), offset = along_x ? to->x - from.x : to->z - from.z;
  if (far == 0) return false;
  double shift = far * far / offset;
  if (!(fabs(shift) <= 2 * reach)) return false;
  *to = along_x ? (place){from.x + shift, from.z} : (place){from.x, from.z + shift};
  return true;
}

static void snap_vertex(moving *m, int vertex) {
  const corner_view *view = &m->views[vertex];
  bool inside = (double)view->angle > FULL_TURN - ANGLE_SLACK;
  bool border = view->side_in != 0 && view->side_in == view->side_out;
  if (view->areas[1] == 0 || !(inside || border)) return;
  double reach = REACH * m->job->cell_size;
  snap p = snap_at(m->job, m->result->vertices + 3 * (size_t)vertex, view);
  if (inside && p.corner_distance < reach)
    move(m, vertex, p.corner);
  else if (p.line_distance < reach && (inside || slide(p.from, view->side_in % 2 == 0, reach, &p.line)))
    move(m, vertex, p.line);
}

/* How far a vertex was moved; -1: not at all. */
static double moved_by(const moving *m, int vertex) {
  const corner_view *view = &m->views[vertex];
  return view->moved ? distance((place){view->x, view->z}, place_of(m->result->vertices, vertex)) : -1;
}

/* Until all polygons are sound, move back the vertex of an unsound polygon that was moved furthest. */
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

/* Try again to move a vertex that was moved back, all or half the distance: its neighbours are settled now. */
static void try_again(moving *m, int vertex) {
  if (m->views[vertex].moved) return;
  snap_vertex(m, vertex);
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
  for (int i = 0; i < result->vertex_count; ++i) snap_vertex(&m, i);
  settle(&m);
  for (int i = 0; i < ROUNDS * result->vertex_count; ++i) try_again(&m, i % result->vertex_count);
  lwi_free(memory, m.views, size);
  return true;
}
