#include "bake/detail_split.h"

#include "bake/detail_parts.h"

#include <stdlib.h>
#include <string.h>

/* Lines pass through corners that are nearer than this part of the greatest edge. */
#define SNAP 0.02
/* Polygons with too many corners are cut along multiples of half of this. [m] */
#define CORNER_STEP 0.5
/* Where a polygon with more corners than bytes can number is left, the tile is not cut. */
#define CORNERS_MAX 250

/* --- beginning -------------------------------------------------------------------------------------------- */

static bool put_corner(lwi_detail_work *work, lwi_detail_corner corner) {
  if (!lwi_reserve(work->memory, &work->corners, &work->corner_capacity, work->corner_count + 1, sizeof corner))
    return false;
  work->corners[work->corner_count++] = corner;
  return true;
}

/* @return Its number; -1: no memory. */
static int put_edge(lwi_detail_work *work, int from, int to, uint8_t border) {
  if (!lwi_reserve(work->memory, &work->edges, &work->edge_capacity, work->edge_count + 1, sizeof *work->edges))
    return -1;
  work->edges[work->edge_count] = (lwi_detail_edge){from, to, border, -1};
  return work->edge_count++;
}

static bool put_piece(lwi_memory *memory, lwi_detail_pieces *list, const lwi_detail_piece *piece) {
  if (!lwi_reserve(memory, &list->items, &list->capacity, list->count + 1, sizeof *piece)) return false;
  list->items[list->count++] = *piece;
  return true;
}

/* A side of a polygon, by the numbers of its ends. */
typedef struct side {
  int low, high, corner;
} side;

static int compare_sides(const void *left, const void *right) {
  const side *a = left, *b = right;
  if (a->low != b->low) return a->low < b->low ? -1 : 1;
  if (a->high != b->high) return a->high < b->high ? -1 : 1;
  return a->corner < b->corner ? -1 : 1;
}

/* Sides with the same ends are one edge. @param sides  [corner_count] */
static bool join_sides(lwi_detail_work *work, side *sides) {
  const int count = work->corner_count;
  qsort(sides, (size_t)count, sizeof *sides, compare_sides);
  for (int i = 0; i < count; i++) {
    const bool is_same = i > 0 && sides[i - 1].low == sides[i].low && sides[i - 1].high == sides[i].high;
    const uint8_t border = work->from->border ? work->from->border[sides[i].corner] : LWI_BORDER_ANY;
    const int edge = is_same ? work->edge_count - 1 : put_edge(work, sides[i].low, sides[i].high, border);
    if (edge < 0) return false;
    work->corners[sides[i].corner].edge = edge;
  }
  return true;
}

static bool make_edges(lwi_detail_work *work) {
  const size_t size = (size_t)work->corner_count * sizeof(side);
  side *sides = lwi_alloc(work->memory, size);
  if (!sides) return false;
  for (int p = 0; p < work->from->polygon_count; p++) {
    const int first = work->from->first_corner[p], end = work->from->first_corner[p + 1];
    for (int i = first; i < end; i++) {
      const int a = work->corners[i].vertex, b = work->corners[i + 1 < end ? i + 1 : first].vertex;
      sides[i] = (side){a < b ? a : b, a < b ? b : a, i};
    }
  }
  const bool done = join_sides(work, sides);
  lwi_free(work->memory, sides, size);
  return done;
}

/* All polygons, still whole. Equal vertices become one. */
static bool open_tile(lwi_detail_work *work) {
  const lwi_tile_source *from = work->from;
  const int vertices = from->vertex_count, corners = from->first_corner[from->polygon_count];
  const size_t size = (size_t)vertices * sizeof(int);
  int *numbers = lwi_alloc(work->memory, size);
  bool done = numbers &&
              lwi_reserve(work->memory, &work->vertices, &work->vertex_capacity, vertices, sizeof(lw_vec3)) &&
              lwi_weld(work->memory, from->vertices, vertices, numbers, work->vertices, &work->vertex_count);
  for (int i = 0; i < corners && done; i++)
    done = put_corner(work, (lwi_detail_corner){numbers[from->corners[i]], -1});
  lwi_free(work->memory, numbers, size);
  return done && make_edges(work);
}

/* --- a vertex on an edge ---------------------------------------------------------------------------------- */

static double along(lw_vec3 at, bool is_x) {
  return is_x ? (double)at.x : (double)at.z;
}

static lw_vec3 vertex_of(const lwi_detail_work *work, const lwi_detail_piece *piece, int k) {
  return work->vertices[work->corners[piece->first_corner + k].vertex];
}

static double length_of(const lwi_detail_work *work, const lwi_detail_edge *edge) {
  const lw_vec3 a = work->vertices[edge->from], b = work->vertices[edge->to];
  return hypot((double)b.x - a.x, (double)b.z - a.z);
}

/* Where a vertex of an edge is. [0..1] */
static double part_of(const lwi_detail_work *work, const lwi_detail_edge *edge, int vertex) {
  if (vertex == edge->from) return 0;
  for (int i = edge->first_cut; i >= 0; i = work->cuts[i].next)
    if (work->cuts[i].vertex == vertex) return work->cuts[i].t;
  return 1;
}

/* Where pieces are cut: a line along an axis. */
typedef struct cut_line {
  bool is_x; /* where x is `at`; else z */
  double at, snap;
} cut_line;

/* The nearest vertex of an edge, if it is near enough to the line. @return -1: there is none. */
static int near_vertex(const lwi_detail_work *work, const lwi_detail_edge *edge, double t, double slack) {
  int best = t < 1 - t ? edge->from : edge->to;
  double nearest = lwi_smaller(t, 1 - t);
  for (int i = edge->first_cut; i >= 0; i = work->cuts[i].next) {
    const double far = fabs(work->cuts[i].t - t);
    if (far >= nearest) continue;
    nearest = far;
    best = work->cuts[i].vertex;
  }
  return nearest <= slack ? best : -1;
}

static bool insert_cut(lwi_detail_work *work, int edge, double t, int vertex) {
  if (!lwi_reserve(work->memory, &work->cuts, &work->cut_capacity, work->cut_count + 1, sizeof *work->cuts))
    return false;
  int *place = &work->edges[edge].first_cut;
  while (*place >= 0 && work->cuts[*place].t < t) place = &work->cuts[*place].next;
  work->cuts[work->cut_count] = (lwi_detail_cut){t, vertex, *place};
  *place = work->cut_count++;
  return true;
}

/* The vertex where the edge of a piece's side meets the line. @return -1: no memory. */
static int cut_edge(lwi_detail_work *work, const lwi_detail_piece *piece, int edge, const cut_line *line) {
  const lwi_detail_edge *on = &work->edges[edge];
  const lw_vec3 a = work->vertices[on->from], b = work->vertices[on->to];
  const double t = (line->at - along(a, line->is_x)) / (along(b, line->is_x) - along(a, line->is_x));
  const int there = near_vertex(work, on, t, line->snap / length_of(work, on));
  if (there >= 0) return there;
  double x = (double)a.x + ((double)b.x - a.x) * t, z = (double)a.z + ((double)b.z - a.z) * t;
  if (line->is_x) x = line->at;
  if (!line->is_x) z = line->at;
  if (!lwi_reserve(work->memory, &work->vertices, &work->vertex_capacity, work->vertex_count + 1,
                   sizeof(lw_vec3)))
    return -1;
  const int vertex = work->vertex_count;
  if (!insert_cut(work, edge, t, vertex)) return -1;
  work->vertices[vertex] = (lw_vec3){(float)x, lwi_detail_height(work, piece, x, z), (float)z};
  work->vertex_count += 1;
  return vertex;
}

/* --- cutting a piece -------------------------------------------------------------------------------------- */

/* Where the line crosses the outline of a piece. */
typedef struct crossing {
  int side;   /* the corner before it */
  int corner; /* the corner that it is at; -1: between two */
  int vertex;
} crossing;

/* @return false: no memory. */
static bool find_vertex(lwi_detail_work *work, const lwi_detail_piece *piece, const cut_line *line,
                        crossing *at) {
  const int count = piece->corner_count, k = at->side, next = k + 1 < count ? k + 1 : 0;
  const double before = fabs(along(vertex_of(work, piece, k), line->is_x) - line->at);
  const double behind = fabs(along(vertex_of(work, piece, next), line->is_x) - line->at);
  const lwi_detail_corner *corners = work->corners + piece->first_corner;
  at->corner = -1;
  if (lwi_smaller(before, behind) <= line->snap) {
    at->corner = before <= behind ? k : next;
    at->vertex = corners[at->corner].vertex;
    return true;
  }
  at->vertex = cut_edge(work, piece, corners[k].edge, line);
  if (at->vertex == work->corners[piece->first_corner + k].vertex) at->corner = k;
  if (at->vertex == work->corners[piece->first_corner + next].vertex) at->corner = next;
  return at->vertex >= 0;
}

/* Find the two crossings. @param[out] at  Where the outline goes to larger coordinates, and where it comes back.
   @return false: it does not do so just once. */
static bool find_sides(const lwi_detail_work *work, const lwi_detail_piece *piece, const cut_line *line,
                       crossing at[2]) {
  int found[2] = {0, 0};
  for (int k = 0; k < piece->corner_count; k++) {
    const int next = k + 1 < piece->corner_count ? k + 1 : 0;
    const bool here = along(vertex_of(work, piece, k), line->is_x) > line->at;
    const bool there = along(vertex_of(work, piece, next), line->is_x) > line->at;
    if (here == there) continue;
    at[here].side = k;
    found[here] += 1;
  }
  return found[0] == 1 && found[1] == 1;
}

/* The part of the piece from one crossing to the other, closed by `edge`. @return false: no memory. */
static bool put_chain(lwi_detail_work *work, const lwi_detail_piece *piece, const crossing *from,
                      const crossing *to, int edge, lwi_detail_piece *part) {
  const int count = piece->corner_count, first = piece->first_corner;
  const int begin = from->corner >= 0 ? from->corner : from->side;
  const int end = to->corner >= 0 ? to->corner : (to->side + 1) % count;
  *part = (lwi_detail_piece){.polygon = piece->polygon, .first_corner = work->corner_count};
  if (!put_corner(work, (lwi_detail_corner){from->vertex, work->corners[first + begin].edge})) return false;
  for (int k = (begin + 1) % count; k != end; k = (k + 1) % count)
    if (!put_corner(work, work->corners[first + k])) return false;
  if (!put_corner(work, (lwi_detail_corner){to->vertex, edge})) return false;
  part->corner_count = work->corner_count - part->first_corner;
  return true;
}

static double area2_of(const lwi_detail_work *work, const lwi_detail_piece *piece) {
  double area = 0;
  for (int k = 2; k < piece->corner_count; k++)
    area += lwi_turn(vertex_of(work, piece, 0), vertex_of(work, piece, k - 1), vertex_of(work, piece, k));
  return area;
}

static bool is_sound(const lwi_detail_work *work, const lwi_detail_piece *part, double snap) {
  return part->corner_count >= 3 && area2_of(work, part) > snap * snap;
}

/* @param[out] parts  Both halves. @param[out] is_cut  false: one would be a sliver. @return false: no memory. */
static bool cut_in_two(lwi_detail_work *work, lwi_detail_piece *piece, const cut_line *line,
                       lwi_detail_piece parts[2], bool *is_cut) {
  crossing at[2] = {{0, 0, 0}, {0, 0, 0}};
  *is_cut = false;
  if (!find_sides(work, piece, line, at)) return true;
  if (piece->slope_count == 0 && !lwi_detail_take_slopes(work, piece)) return false;
  if (!find_vertex(work, piece, line, &at[0]) || !find_vertex(work, piece, line, &at[1])) return false;
  if (at[0].vertex == at[1].vertex) return true;
  const int edge = put_edge(work, at[1].vertex, at[0].vertex, 0);
  if (edge < 0 || !put_chain(work, piece, &at[0], &at[1], edge, &parts[0]) ||
      !put_chain(work, piece, &at[1], &at[0], edge, &parts[1]))
    return false;
  if (!is_sound(work, &parts[0], line->snap) || !is_sound(work, &parts[1], line->snap)) return true;
  const lw_vec3 cut[2] = {work->vertices[at[1].vertex], work->vertices[at[0].vertex]};
  *is_cut = true;
  return lwi_detail_divide(work, piece, cut, &parts[0], &parts[1]);
}

/* --- where to cut ----------------------------------------------------------------------------------------- */

/* How large a piece is. */
typedef struct extent {
  double low[2], high[2]; /* along x and z */
  double edge;            /* its longest one, in xz */
} extent;

static extent extent_of(const lwi_detail_work *work, const lwi_detail_piece *piece) {
  extent of = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}, 0};
  for (int k = 0; k < piece->corner_count; k++) {
    const lw_vec3 at = vertex_of(work, piece, k);
    const lw_vec3 next = vertex_of(work, piece, k + 1 < piece->corner_count ? k + 1 : 0);
    for (int axis = 0; axis < 2; axis++) {
      of.low[axis] = lwi_smaller(of.low[axis], along(at, axis == 0));
      of.high[axis] = lwi_larger(of.high[axis], along(at, axis == 0));
    }
    of.edge = lwi_larger(of.edge, hypot((double)next.x - at.x, (double)next.z - at.z));
  }
  return of;
}

static double width(const extent *of, int axis) {
  return of->high[axis] - of->low[axis];
}

/* A multiple of the greatest edge in the middle half of the piece, or else of half that edge. */
static cut_line line_across(const extent *of, int axis, double max_edge) {
  const double middle = (of->low[axis] + of->high[axis]) / 2;
  double at = round(middle / max_edge) * max_edge;
  if (fabs(at - middle) > width(of, axis) / 4) at = round(2 * middle / max_edge) * max_edge / 2;
  return (cut_line){axis == 0, at, SNAP * max_edge};
}

/* Cut along one line, across the longer axis if that can be. @return false: no memory. */
static bool cut_across(lwi_detail_work *work, lwi_detail_piece *piece, const extent *of, double max_edge,
                       lwi_detail_piece parts[2], bool *is_cut) {
  const int longer = width(of, 0) >= width(of, 1) ? 0 : 1;
  *is_cut = false;
  for (int i = 0; i < 2 && !*is_cut; i++) {
    const cut_line line = line_across(of, i == 0 ? longer : 1 - longer, max_edge);
    if (!cut_in_two(work, piece, &line, parts, is_cut)) return false;
  }
  return true;
}

/* @return The greatest edge that rules allow; infinite: any. 0: no memory. */
static float ask(lwi_detail_work *work, const lwi_detail_piece *piece) {
  float heights[2];
  if (!lwi_reserve(work->memory, &work->outline, &work->outline_capacity, piece->corner_count, sizeof(lw_vec3)))
    return 0;
  for (int k = 0; k < piece->corner_count; k++) work->outline[k] = vertex_of(work, piece, k);
  lwi_detail_heights(work, piece, heights);
  const lwi_detail_ground ground = {work->outline, piece->corner_count, heights[0], heights[1]};
  return lwi_detail_rules_ask(work->rules, &ground);
}

/* Cut what is open until no rule asks for more. */
static bool cut_open(lwi_detail_work *work) {
  while (work->open.count > 0) {
    const lwi_detail_piece before = work->open.items[--work->open.count];
    lwi_detail_piece piece = before, parts[2];
    const float max_edge = ask(work, &piece);
    if (max_edge == 0) return false;
    const extent of = extent_of(work, &piece);
    const double limit = (double)max_edge * (1 + (double)LWI_DETAIL_SLACK);
    bool is_cut = false;
    if ((width(&of, 0) > limit || width(&of, 1) > limit || of.edge > limit) &&
        !cut_across(work, &piece, &of, (double)max_edge, parts, &is_cut))
      return false;
    if (!is_cut && !put_piece(work->memory, &work->done, &before)) return false;
    for (int i = 1; i >= 0 && is_cut; i--)
      if (!put_piece(work->memory, &work->open, &parts[i])) return false;
  }
  return true;
}

static bool cut_polygons(lwi_detail_work *work) {
  for (int p = 0; p < work->from->polygon_count; p++) {
    const int first = work->from->first_corner[p];
    const lwi_detail_piece whole = {
        .polygon = p, .first_corner = first, .corner_count = work->from->first_corner[p + 1] - first};
    if (!put_piece(work->memory, &work->open, &whole) || !cut_open(work)) return false;
  }
  return true;
}

/* --- corners of neighbours -------------------------------------------------------------------------------- */

static bool put_outline(lwi_detail_outline *outline, lwi_memory *memory, lwi_detail_corner corner, int own) {
  if (!lwi_reserve(memory, &outline->corners, &outline->corner_capacity, outline->count + 1, sizeof corner) ||
      !lwi_reserve(memory, &outline->own, &outline->own_capacity, outline->count + 1, sizeof own))
    return false;
  outline->corners[outline->count] = corner;
  outline->own[outline->count++] = own;
  return true;
}

/* The vertices on a side that lie between its ends, as they come. */
static bool put_between(const lwi_detail_work *work, int edge, int from, int to, lwi_detail_outline *outline) {
  const lwi_detail_edge *on = &work->edges[edge];
  const double begin = part_of(work, on, from), end = part_of(work, on, to);
  const int first = outline->count;
  for (int i = on->first_cut; i >= 0; i = work->cuts[i].next) {
    const lwi_detail_cut *cut = &work->cuts[i];
    if (cut->t <= lwi_smaller(begin, end) || cut->t >= lwi_larger(begin, end)) continue;
    if (!put_outline(outline, work->memory, (lwi_detail_corner){cut->vertex, edge}, -1)) return false;
  }
  for (int i = first, k = outline->count - 1; begin > end && i < k; i++, k--) {
    const lwi_detail_corner corner = outline->corners[i];
    outline->corners[i] = outline->corners[k];
    outline->corners[k] = corner;
  }
  return true;
}

static bool find_outline(const lwi_detail_work *work, const lwi_detail_piece *piece,
                         lwi_detail_outline *outline) {
  outline->count = 0;
  for (int k = 0; k < piece->corner_count; k++) {
    const lwi_detail_corner *corner = &work->corners[piece->first_corner + k];
    const lwi_detail_corner *next =
        &work->corners[piece->first_corner + (k + 1 < piece->corner_count ? k + 1 : 0)];
    if (!put_outline(outline, work->memory, *corner, k)) return false;
    if (work->edges[corner->edge].first_cut < 0) continue;
    if (!put_between(work, corner->edge, corner->vertex, next->vertex, outline)) return false;
  }
  return true;
}

/* Cut pieces with too many corners. @param[out] any  Some were. @return false: no memory. */
static bool cut_many(lwi_detail_work *work, lwi_detail_outline *outline, bool *any) {
  *any = false;
  for (int i = 0; i < work->done.count; i++) {
    lwi_detail_piece piece = work->done.items[i], parts[2];
    bool is_cut = false;
    if (!find_outline(work, &piece, outline)) return false;
    if (outline->count <= LWI_DETAIL_CORNERS) continue;
    const extent of = extent_of(work, &piece);
    if (!cut_across(work, &piece, &of, CORNER_STEP, parts, &is_cut)) return false;
    if (!is_cut) continue;
    *any = true;
    work->done.items[i--] = parts[0];
    if (!put_piece(work->memory, &work->done, &parts[1])) return false;
  }
  return true;
}

static int compare_pieces(const void *left, const void *right) {
  const lwi_detail_piece *a = left, *b = right;
  if (a->polygon != b->polygon) return a->polygon < b->polygon ? -1 : 1;
  return (a->first_corner > b->first_corner) - (a->first_corner < b->first_corner);
}

/* --- putting it together ---------------------------------------------------------------------------------- */

/* The arrays of a tile whose lengths are known. */
typedef struct arrays {
  int *first_corner, *corners, *first_detail_vertex, *first_detail_triangle;
  uint8_t *border, *areas, *headrooms, *steps;
} arrays;

static bool allocate(lwi_detail_tile *tile, size_t polygons, size_t corners, arrays *to) {
  tile->block_size = (3 * (polygons + 1) + corners) * sizeof(int) + corners + 3 * polygons;
  int *numbers = tile->block = lwi_alloc_zero(tile->memory, tile->block_size);
  if (!numbers) return false;
  to->first_corner = numbers;
  to->first_detail_vertex = to->first_corner + polygons + 1;
  to->first_detail_triangle = to->first_detail_vertex + polygons + 1;
  to->corners = to->first_detail_triangle + polygons + 1;
  to->border = (uint8_t *)(to->corners + corners);
  to->areas = to->border + corners;
  to->headrooms = to->areas + polygons;
  to->steps = to->headrooms + polygons;
  return true;
}

static bool put_polygon(const lwi_detail_work *work, int index, lwi_detail_outline *outline, const arrays *to,
                        lwi_detail_tile *tile) {
  const lwi_detail_piece *piece = &work->done.items[index];
  if (!find_outline(work, piece, outline)) return false;
  const int first = to->first_corner[index];
  for (int k = 0; k < outline->count; k++) {
    to->corners[first + k] = outline->corners[k].vertex;
    to->border[first + k] = work->edges[outline->corners[k].edge].border;
  }
  to->first_corner[index + 1] = first + outline->count;
  to->areas[index] = work->from->areas[piece->polygon];
  if (work->from->headrooms) to->headrooms[index] = work->from->headrooms[piece->polygon];
  if (work->from->steps) to->steps[index] = work->from->steps[piece->polygon];
  if (work->from->first_detail_vertex && !lwi_detail_put_surface(work, piece, outline, tile)) return false;
  to->first_detail_vertex[index + 1] = tile->detail_vertex_count;
  to->first_detail_triangle[index + 1] = tile->detail_triangle_count;
  return true;
}

/* @param[out] corners  All of them. @param[out] max  Of a polygon. @return false: no memory. */
static bool count_corners(const lwi_detail_work *work, lwi_detail_outline *outline, size_t *corners, int *max) {
  *corners = 0;
  *max = 0;
  for (int i = 0; i < work->done.count; i++) {
    if (!find_outline(work, &work->done.items[i], outline)) return false;
    *corners += (size_t)outline->count;
    if (outline->count > *max) *max = outline->count;
  }
  return true;
}

static void describe(const lwi_detail_work *work, const arrays *of, lwi_detail_tile *tile) {
  tile->source = *work->from;
  tile->source.openness = tile->source.depths = NULL;
  tile->source.vertices = tile->vertices;
  tile->source.vertex_count = work->vertex_count;
  tile->source.polygon_count = work->done.count;
  tile->source.first_corner = of->first_corner;
  tile->source.corners = of->corners;
  tile->source.border = work->from->border ? of->border : NULL;
  tile->source.areas = of->areas;
  tile->source.headrooms = work->from->headrooms ? of->headrooms : NULL;
  tile->source.steps = work->from->steps ? of->steps : NULL;
  tile->is_cut = true;
  if (!work->from->first_detail_vertex) return;
  tile->source.first_detail_vertex = of->first_detail_vertex;
  tile->source.detail_vertices = tile->detail_vertices;
  tile->source.first_detail_triangle = of->first_detail_triangle;
  tile->source.detail_triangles = tile->detail_triangles;
}

static bool put_tile(lwi_detail_work *work, lwi_detail_outline *outline, lwi_detail_tile *tile) {
  size_t corners;
  int max;
  arrays to;
  if (!count_corners(work, outline, &corners, &max)) return false;
  if (max > CORNERS_MAX) return true;
  qsort(work->done.items, (size_t)work->done.count, sizeof *work->done.items, compare_pieces);
  if (!allocate(tile, (size_t)work->done.count, corners, &to)) return false;
  for (int i = 0; i < work->done.count; i++)
    if (!put_polygon(work, i, outline, &to, tile)) return false;
  tile->vertices = work->vertices;
  tile->vertex_capacity = work->vertex_capacity;
  describe(work, &to, tile);
  work->vertices = NULL;
  work->vertex_capacity = 0;
  return true;
}

static bool run(lwi_detail_work *work, lwi_detail_tile *tile) {
  lwi_detail_outline outline = {0};
  bool done = open_tile(work) && cut_polygons(work), any = work->done.count > work->from->polygon_count;
  const bool is_cut = any;
  while (done && any) done = cut_many(work, &outline, &any);
  done = done && (!is_cut || put_tile(work, &outline, tile));
  lwi_free(work->memory, outline.corners, (size_t)outline.corner_capacity * sizeof *outline.corners);
  lwi_free(work->memory, outline.own, (size_t)outline.own_capacity * sizeof *outline.own);
  return done;
}

bool lwi_detail_split(const lwi_tile_source *from, const lwi_detail_rules *rules, lwi_memory *memory,
                      lwi_detail_tile *tile) {
  lwi_detail_work work = {.memory = memory, .from = from, .rules = rules};
  *tile = (lwi_detail_tile){.memory = memory};
  if (rules->count == 0 || from->polygon_count == 0) return true;
  const bool done = run(&work, tile);
  lwi_free(memory, work.vertices, (size_t)work.vertex_capacity * sizeof *work.vertices);
  lwi_free(memory, work.edges, (size_t)work.edge_capacity * sizeof *work.edges);
  lwi_free(memory, work.cuts, (size_t)work.cut_capacity * sizeof *work.cuts);
  lwi_free(memory, work.corners, (size_t)work.corner_capacity * sizeof *work.corners);
  lwi_free(memory, work.slopes.items, (size_t)work.slopes.capacity * sizeof *work.slopes.items);
  lwi_free(memory, work.done.items, (size_t)work.done.capacity * sizeof *work.done.items);
  lwi_free(memory, work.open.items, (size_t)work.open.capacity * sizeof *work.open.items);
  lwi_free(memory, work.outline, (size_t)work.outline_capacity * sizeof *work.outline);
  return done;
}

void lwi_detail_tile_free(lwi_detail_tile *tile) {
  lwi_memory *memory = tile->memory;
  lwi_free(memory, tile->vertices, (size_t)tile->vertex_capacity * sizeof *tile->vertices);
  lwi_free(memory, tile->detail_vertices, (size_t)tile->detail_vertex_capacity * sizeof *tile->detail_vertices);
  lwi_free(memory, tile->detail_triangles, (size_t)tile->detail_triangle_capacity);
  lwi_free(memory, tile->block, tile->block_size);
  *tile = (lwi_detail_tile){.memory = memory};
}
