#include "mesh/cut_parts.h"

#include <float.h>
#include <string.h>

void lwi_cut_sides_make(lwi_cut_side *sides, const lwi_point2 *corners, int count) {
  for (int i = 0; i < count; ++i) {
    const lwi_point2 a = corners[i], b = corners[i + 1 < count ? i + 1 : 0];
    const double dx = b.x - a.x, dz = b.z - a.z, length = sqrt(dx * dx + dz * dz);
    sides[i] = (lwi_cut_side){a, {dx / length, dz / length}};
  }
}

double lwi_cut_slack(double far) {
  return lwi_larger(LWI_CUT_SLACK, 2 * (double)FLT_EPSILON * far);
}

lwi_cut_shape lwi_cut_shape_of(const lwi_cut_side *sides, int count) {
  lwi_cut_shape shape = {sides, count, 0, INFINITY, INFINITY, -INFINITY, -INFINITY};
  for (int i = 0; i < count; ++i) {
    shape.min_x = lwi_smaller(shape.min_x, sides[i].corner.x);
    shape.max_x = lwi_larger(shape.max_x, sides[i].corner.x);
    shape.min_z = lwi_smaller(shape.min_z, sides[i].corner.z);
    shape.max_z = lwi_larger(shape.max_z, sides[i].corner.z);
  }
  const double far = lwi_larger(lwi_larger(-shape.min_x, shape.max_x), lwi_larger(-shape.min_z, shape.max_z));
  shape.slack = lwi_cut_slack(far);
  return shape;
}

static const lwi_cut_mark unmarked = {.area = LW_AREA_NONE};

static lwi_cut_line line_of(const lwi_cut_shape *shape, int side, uint32_t first_origin, lwi_cut_mark mark) {
  return (lwi_cut_line){shape->sides[side], shape->slack, first_origin + (uint32_t)side, mark};
}

/* > 0: on the left of the line, where the inside of a shape is. 0: on it. [m] */
static double side_of(const lwi_cut_line *line, lwi_point2 at) {
  const lwi_cut_side *of = &line->side;
  const double side = of->direction.z * (at.x - of->corner.x) - of->direction.x * (at.z - of->corner.z);
  return fabs(side) <= line->slack ? 0 : side;
}

/* --- lists ------------------------------------------------------------------------------------------------ */

void lwi_cut_clear(lwi_cut_list *list) {
  list->corner_count = list->piece_count = 0;
}

/* @return Where corners that are added go; NULL: no memory. */
static lwi_cut_corner *space_for(lwi_cutter *cut, lwi_cut_list *list, int count) {
  if (!lwi_reserve(cut->memory, &list->corners, &list->corner_capacity, list->corner_count + count,
                   sizeof *list->corners))
    return NULL;
  return list->corners + list->corner_count;
}

static inline bool put_piece(lwi_cutter *cut, lwi_cut_list *list, const lwi_cut_piece *piece) {
  if (!lwi_reserve(cut->memory, &list->pieces, &list->piece_capacity, list->piece_count + 1, sizeof *piece))
    return false;
  list->pieces[list->piece_count++] = *piece;
  return true;
}

/* What is measured of an outline in one go. */
typedef struct outline_size {
  double area2, longest2, shortest2; /* twice its area; of its edges, squared */
} outline_size;

static outline_size measure(const lwi_cut_corner *corners, int count) {
  const lwi_point2 at = lwi_cut_point(&corners[0]);
  outline_size size = {0, 0, INFINITY};
  lwi_point2 a = at;
  for (int i = 0; i < count; ++i) {
    const lwi_point2 b = lwi_cut_point(&corners[i + 1 < count ? i + 1 : 0]);
    const double dx = b.x - a.x, dz = b.z - a.z, length2 = dx * dx + dz * dz;
    size.area2 += (a.z - at.z) * (b.x - at.x) - (a.x - at.x) * (b.z - at.z);
    size.longest2 = lwi_larger(size.longest2, length2);
    size.shortest2 = lwi_smaller(size.shortest2, length2);
    a = b;
  }
  return size;
}

/* Its width is its area by its longest edge. Most are so wide that no root needs to be taken. */
static bool is_sliver(const outline_size *size) {
  const double limit2 = LWI_CUT_SLIVER * LWI_CUT_SLIVER * size->longest2;
  if (size->area2 * size->area2 > 1.01 * limit2) return false;
  return !(size->longest2 > 0) || fabs(size->area2) / sqrt(size->longest2) < LWI_CUT_SLIVER;
}

/* `count` corners behind the list's are a piece, if it is no sliver. */
static bool end_piece(lwi_cutter *cut, lwi_cut_list *list, int count, const outline_size *size,
                      lwi_cut_mark mark) {
  if (count < 3 || is_sliver(size)) return true;
  const lwi_cut_piece piece = {.first = list->corner_count, .count = count, .mark = mark};
  list->corner_count += count;
  return put_piece(cut, list, &piece);
}

bool lwi_cut_add(lwi_cutter *cut, lwi_cut_list *list, const lwi_cut_corner *corners, int count,
                 lwi_cut_mark mark) {
  lwi_cut_corner *to = space_for(cut, list, count);
  if (!to) return false;
  memcpy(to, corners, (size_t)count * sizeof *to);
  const outline_size size = measure(to, count);
  return end_piece(cut, list, count, &size, mark);
}

bool lwi_cut_keep(lwi_cutter *cut, lwi_cut_list *list, const lwi_cut_corner *corners, int count,
                  lwi_cut_mark mark) {
  lwi_cut_corner *to = space_for(cut, list, count);
  if (!to) return false;
  memcpy(to, corners, (size_t)count * sizeof *to);
  const lwi_cut_piece piece = {.first = list->corner_count, .count = count, .mark = mark};
  list->corner_count += count;
  return put_piece(cut, list, &piece);
}

/* --- splitting -------------------------------------------------------------------------------------------- */

typedef enum cut_sides { SIDES_LEFT = 1, SIDES_RIGHT = 2 } cut_sides;

/* Write to `sides` on which side of the line each corner lies. @return cut_sides of all; 0: no memory, too. */
static bool take_sides(lwi_cutter *cut, const lwi_cut_line *line, const lwi_cut_corner *corners, int count,
                       unsigned *found) {
  *found = 0;
  if (!lwi_reserve(cut->memory, &cut->sides, &cut->side_capacity, count, sizeof *cut->sides)) return false;
  for (int i = 0; i < count; ++i) {
    const double side = side_of(line, lwi_cut_point(&corners[i]));
    cut->sides[i] = side;
    *found |= side > 0 ? SIDES_LEFT : side < 0 ? SIDES_RIGHT : 0U;
  }
  return true;
}

/* Where the edge from a to b crosses a line. */
static lwi_cut_corner crossing(lwi_cutter *cut, const lwi_cut_corner *a, const lwi_cut_corner *b, double side_a,
                               double side_b) {
  const lwi_point2 from = lwi_cut_point(a), to = lwi_cut_point(b);
  const double t = side_a / (side_a - side_b);
  return (lwi_cut_corner){(float)(from.x + (to.x - from.x) * t), (float)(from.z + (to.z - from.z) * t), 0,
                          cut->vertex_count++};
}

/* What is on either side of a line. */
typedef struct cut_parts {
  lwi_cut_corner *left, *right; /* Each has space for two corners more than the piece has. */
  int left_count, right_count;
} cut_parts;

/* The edges on the line come from there. `sides` are those of the corners: take_sides(). */
static void divide(lwi_cutter *cut, const lwi_cut_corner *corners, int count, const lwi_cut_line *line,
                   cut_parts *parts) {
  lwi_cut_corner *left = parts->left, *right = parts->right;
  for (int i = 0; i < count; ++i) {
    const int next = i + 1 < count ? i + 1 : 0;
    const double side_a = cut->sides[i], side_b = cut->sides[next];
    if (side_a >= 0) {
      *left = corners[i];
      if (side_a <= 0 && side_b < 0) left->origin = line->origin;
      left++;
    }
    if (side_a <= 0) {
      *right = corners[i];
      if (side_a >= 0 && side_b > 0) right->origin = line->origin;
      right++;
    }
    if (side_a * side_b >= 0) continue;
    *left = *right = crossing(cut, &corners[i], &corners[next], side_a, side_b);
    left->origin = side_a > 0 ? line->origin : corners[i].origin;
    right->origin = side_a < 0 ? line->origin : corners[i].origin;
    left++;
    right++;
  }
  parts->left_count = (int)(left - parts->left);
  parts->right_count = (int)(right - parts->right);
}

/* Drop corners that nearly are the next one: the direction of so short an edge says nothing, so that it would be wrong
   on which side of it a place lies. @return How many are left. */
static int drop_short_edges(lwi_cut_corner *corners, int count, double shortest) {
  int kept = 0;
  for (int i = 0; i < count; ++i) {
    const lwi_point2 a = lwi_cut_point(&corners[i]), b = lwi_cut_point(&corners[i + 1 < count ? i + 1 : 0]);
    const double dx = b.x - a.x, dz = b.z - a.z;
    if (dx * dx + dz * dz >= shortest * shortest) corners[kept++] = corners[i];
  }
  return kept;
}

/* The corners behind the list's are one side of what a line has split. */
static bool end_part(lwi_cutter *cut, lwi_cut_list *list, int count, const lwi_cut_line *line) {
  lwi_cut_corner *corners = list->corners + list->corner_count;
  const double shortest = 2 * line->slack;
  if (count < 3) return true;
  outline_size size = measure(corners, count);
  if (!(size.shortest2 >= shortest * shortest)) {
    count = drop_short_edges(corners, count, shortest);
    if (count < 3) return true;
    size = measure(corners, count);
  }
  return end_piece(cut, list, count, &size, line->mark);
}

/* --- what overlaps ---------------------------------------------------------------------------------------- */

static bool any_left(const lwi_cut_line *line, const lwi_cut_corner *corners, int count) {
  for (int i = 0; i < count; ++i)
    if (side_of(line, lwi_cut_point(&corners[i])) > 0) return true;
  return false;
}

/* Is any corner of the shape on the left of the edge from a to b? Without the roots that lines of unit length take. */
static bool is_left(lwi_point2 a, lwi_point2 b, const lwi_cut_shape *shape) {
  const double dx = b.x - a.x, dz = b.z - a.z, slack = shape->slack;
  const double slack2 = slack * slack * (dx * dx + dz * dz);
  for (int i = 0; i < shape->count; ++i) {
    const double side = dz * (shape->sides[i].corner.x - a.x) - dx * (shape->sides[i].corner.z - a.z);
    if (side > 0 && side * side > slack2) return true;
  }
  return false;
}

/* Is some of the shape on the left of each edge? */
static bool is_left_of_all(const lwi_cut_corner *corners, int count, const lwi_cut_shape *shape) {
  lwi_point2 a = lwi_cut_point(&corners[count - 1]);
  for (int i = 0; i < count; ++i) {
    const lwi_point2 b = lwi_cut_point(&corners[i]);
    if (!is_left(a, b, shape)) return false;
    a = b;
  }
  return true;
}

/* Most pieces are met by no other footprint, so that their bounds are not needed. */
static void take_bounds(lwi_cut_piece *piece, const lwi_cut_corner *corners) {
  piece->has_bounds = true;
  piece->min_x = piece->max_x = corners[0].x;
  piece->min_z = piece->max_z = corners[0].z;
  for (int i = 1; i < piece->count; ++i) {
    piece->min_x = lwi_min(piece->min_x, corners[i].x);
    piece->max_x = lwi_max(piece->max_x, corners[i].x);
    piece->min_z = lwi_min(piece->min_z, corners[i].z);
    piece->max_z = lwi_max(piece->max_z, corners[i].z);
  }
}

static inline bool bounds_overlap(lwi_cut_piece *piece, const lwi_cut_corner *corners,
                                  const lwi_cut_shape *shape) {
  if (!piece->has_bounds) take_bounds(piece, corners);
  return (double)piece->max_x > shape->min_x && (double)piece->min_x < shape->max_x &&
         (double)piece->max_z > shape->min_z && (double)piece->min_z < shape->max_z;
}

/* By the lines of the sides of both. */
bool lwi_cut_overlaps(const lwi_cut_corner *corners, int count, const lwi_cut_shape *shape) {
  for (int i = 0; i < shape->count; ++i) {
    const lwi_cut_line line = line_of(shape, i, 0, unmarked);
    if (!any_left(&line, corners, count)) return false;
  }
  return is_left_of_all(corners, count, shape);
}

/* Is a shape, all of it left of its line, narrower there than what may be left out? */
static bool is_narrow(const lwi_cut_shape *shape, const lwi_cut_line *line) {
  for (int i = 0; i < shape->count; ++i)
    if (side_of(line, shape->sides[i].corner) >= LWI_CUT_SLIVER) return false;
  return true;
}

/* How far corners reach to both sides of a line. [m] */
typedef struct cut_reach {
  double left, right;
} cut_reach;

static cut_reach reach_beside(const lwi_cut_line *line, const lwi_cut_corner *corners, int count) {
  cut_reach reach = {0, 0};
  for (int i = 0; i < count; ++i) {
    const double side = side_of(line, lwi_cut_point(&corners[i]));
    reach.left = lwi_larger(reach.left, side);
    reach.right = lwi_larger(reach.right, -side);
  }
  return reach;
}

/* The sides along which corners are split. */
typedef struct cut_order {
  int count, sides[LWI_CUT_SIDES];
} cut_order;

/* First those that leave much on both sides. A side near an edge comes last, because what it cuts off would be a strip as
   long as the edge, and is one as long as the footprint then. @return false: no corner is inside of one of them. */
static bool order_sides(const lwi_cut_shape *shape, const lwi_cut_corner *corners, int count,
                        cut_order *order) {
  double reaches[LWI_CUT_SIDES];
  order->count = 0;
  for (int i = 0; i < shape->count; ++i) {
    const lwi_cut_line line = line_of(shape, i, 0, unmarked);
    const cut_reach reach = reach_beside(&line, corners, count);
    if (!(reach.left > 0)) return false;
    if (!(reach.right > 0)) continue;
    const double less = lwi_smaller(reach.left, reach.right);
    int at = order->count++;
    for (; at > 0 && reaches[at - 1] < less; --at) {
      reaches[at] = reaches[at - 1];
      order->sides[at] = order->sides[at - 1];
    }
    reaches[at] = less;
    order->sides[at] = i;
  }
  return true;
}

/* --- taking out ------------------------------------------------------------------------------------------- */

typedef struct cut_by {
  const lwi_cut_shape *shape;
  const lwi_cut_heights *heights; /* NULL: all */
  uint32_t first_origin;
  bool marks; /* what is inside becomes a piece */
} cut_by;

/* Split what is left in `rest` along a side. A sliver is not cut off, so that no portal along an edge goes with it: on the
   outside it stays with the rest, on the inside the rest stays whole, outside.
   @param[out] rest  What is left: the list's last piece, or nothing with 0 corners. @return false: no memory. */
static bool split_rest(lwi_cutter *cut, const cut_by *by, const lwi_cut_line *line, lwi_cut_piece *rest) {
  lwi_cut_list *list = &cut->rest, *next = &cut->next;
  const lwi_cut_piece whole = *rest;
  const int outside = next->piece_count;
  unsigned sides;
  if (!take_sides(cut, line, list->corners + whole.first, whole.count, &sides)) return false;
  if (!(sides & SIDES_RIGHT)) return true;
  cut_parts parts = {.left = space_for(cut, list, whole.count + 2),
                     .right = space_for(cut, next, whole.count + 2)};
  if (!parts.left || !parts.right) return false;
  divide(cut, list->corners + whole.first, whole.count, line, &parts);
  if (!end_part(cut, next, parts.right_count, line)) return false;
  if (next->piece_count == outside) return true;
  list->piece_count = 0;
  if (!end_part(cut, list, parts.left_count, line)) return false;
  rest->count = 0;
  if (list->piece_count > 0) *rest = list->pieces[0];
  if (rest->count > 0 || (is_narrow(by->shape, line) && !by->marks)) return true;
  next->corner_count = next->pieces[--next->piece_count].first;
  return lwi_cut_keep(cut, next, list->corners + whole.first, whole.count, line->mark);
}

/* What is outside of the footprint goes to `next`, what is inside stays in `rest`.
   @param corners  Those of the piece. */
static bool split(lwi_cutter *cut, const lwi_cut_corner *corners, const lwi_cut_piece *piece, const cut_by *by,
                  const cut_order *order) {
  lwi_cut_clear(&cut->rest);
  lwi_cut_corner *copy = space_for(cut, &cut->rest, piece->count);
  if (!copy) return false;
  memcpy(copy, corners, (size_t)piece->count * sizeof *copy);
  cut->rest.corner_count = piece->count;
  lwi_cut_piece rest = *piece;
  rest.first = 0;
  if (!put_piece(cut, &cut->rest, &rest)) return false;
  for (int i = 0; i < order->count && rest.count > 0; ++i) {
    const lwi_cut_line line = line_of(by->shape, order->sides[i], by->first_origin, piece->mark);
    if (!split_rest(cut, by, &line, &rest)) return false;
  }
  return true;
}

/* --- calls ------------------------------------------------------------------------------------------------ */

static void free_list(lwi_memory *memory, lwi_cut_list *list) {
  lwi_free(memory, list->corners, (size_t)list->corner_capacity * sizeof *list->corners);
  lwi_free(memory, list->pieces, (size_t)list->piece_capacity * sizeof *list->pieces);
}

void lwi_cut_free(lwi_cutter *cut) {
  if (!cut->memory) return;
  free_list(cut->memory, &cut->now);
  free_list(cut->memory, &cut->next);
  free_list(cut->memory, &cut->rest);
  free_list(cut->memory, &cut->parts);
  free_list(cut->memory, &cut->half);
  lwi_free(cut->memory, cut->lines, (size_t)cut->line_capacity * sizeof *cut->lines);
  lwi_free(cut->memory, cut->edges, (size_t)cut->edge_capacity * sizeof *cut->edges);
  lwi_free(cut->memory, cut->first_edges, (size_t)cut->first_edge_capacity * sizeof *cut->first_edges);
  lwi_free(cut->memory, cut->points, (size_t)cut->point_capacity * sizeof *cut->points);
  lwi_free(cut->memory, cut->sides, (size_t)cut->side_capacity * sizeof *cut->sides);
  *cut = (lwi_cutter){.memory = cut->memory};
}

bool lwi_cut_begin(lwi_cutter *cut, const lwi_cut_corner *corners, int count) {
  lwi_cut_clear(&cut->now);
  cut->vertex_count = (uint32_t)count;
  cut->line_count = 0;
  cut->unmarked_count = -1;
  if (!lwi_cut_add(cut, &cut->now, corners, count, unmarked)) return false;
  for (int i = 0; i < cut->now.corner_count; ++i) cut->now.corners[i].vertex = (uint32_t)i;
  return true;
}

/* Does a mark leave less headroom than there is? */
static bool is_lower(lwi_cut_mark of_piece, lwi_cut_mark mark) {
  return mark.headroom > 0 && (of_piece.headroom == 0 || mark.headroom < of_piece.headroom);
}

/* A mark on ground that has one already. */
static lwi_cut_mark mark_over(lwi_cut_mark of_piece, lwi_cut_mark mark) {
  if (of_piece.area != LW_AREA_NONE) mark.area = of_piece.area;
  if (!is_lower(of_piece, mark)) mark.headroom = of_piece.headroom;
  mark.cost += of_piece.cost;
  return mark;
}

/* Does a mark leave a piece as it is? */
static bool changes_nothing(lwi_cut_mark of_piece, lwi_cut_mark mark) {
  return !(mark.cost > 0) && (mark.area == LW_AREA_NONE || of_piece.area != LW_AREA_NONE) &&
         !is_lower(of_piece, mark);
}

/* What is left of a piece inside of the footprint stays with that mark. */
static bool keep_rest(lwi_cutter *cut, lwi_cut_mark mark) {
  if (cut->rest.piece_count == 0) return true;
  const lwi_cut_piece rest = cut->rest.pieces[0];
  return lwi_cut_keep(cut, &cut->next, cut->rest.corners + rest.first, rest.count, mark);
}

/* Of what is left of a piece inside of the footprint, only what has such a height counts. */
static bool sort_rest(lwi_cutter *cut, const lwi_cut_piece *piece, const cut_by *by, lwi_cut_mark mark,
                      lwi_cut_place before) {
  if (cut->rest.piece_count == 0) return true;
  bool is_met;
  if (!lwi_cut_by_heights(cut, by->heights, by->shape->slack, piece->mark, by->marks ? &mark : NULL, &is_met))
    return false;
  if (is_met) return true;
  lwi_cut_go_back(&cut->next, before);
  return put_piece(cut, &cut->next, piece);
}

static void swap_corners(lwi_cut_list *a, lwi_cut_list *b) {
  const lwi_cut_list old = *a;
  a->corners = b->corners;
  a->corner_count = b->corner_count;
  a->corner_capacity = b->corner_capacity;
  b->corners = old.corners;
  b->corner_count = old.corner_count;
  b->corner_capacity = old.corner_capacity;
}

static bool apply_to(lwi_cutter *cut, lwi_cut_piece *piece, const cut_by *by, lwi_cut_mark mark) {
  const lwi_cut_corner *corners = cut->next.corners + piece->first;
  cut_order order;
  if (!order_sides(by->shape, corners, piece->count, &order) ||
      !is_left_of_all(corners, piece->count, by->shape))
    return put_piece(cut, &cut->next, piece);
  const lwi_cut_place before = lwi_cut_end_of(&cut->next);
  mark = mark_over(piece->mark, mark);
  if (!split(cut, corners, piece, by, &order)) return false;
  if (by->heights) return sort_rest(cut, piece, by, mark, before);
  return !by->marks || keep_rest(cut, mark);
}

/* Mark a piece as it is. */
static bool spread_over(lwi_cutter *cut, lwi_cut_piece *piece, const cut_by *by, lwi_cut_mark mark) {
  const lwi_cut_corner *corners = cut->next.corners + piece->first;
  double share;
  if (!is_left_of_all(corners, piece->count, by->shape) ||
      (by->heights && lwi_cut_within(corners, piece->count, by->heights) == LWI_CUT_NOTHING))
    return put_piece(cut, &cut->next, piece);
  if (!lwi_cut_share(cut, corners, piece->count, by->shape, &share)) return false;
  mark.cost *= (float)share;
  if (!(share > 0.5)) mark = (lwi_cut_mark){.area = LW_AREA_NONE, .cost = mark.cost};
  piece->mark = mark_over(piece->mark, mark);
  return put_piece(cut, &cut->next, piece);
}

/* Have marks split as much as they may? */
static bool is_full(lwi_cutter *cut) {
  if (cut->unmarked_count < 0) cut->unmarked_count = cut->now.piece_count;
  return cut->now.piece_count - cut->unmarked_count >= LWI_CUT_MARKED_MAX;
}

bool lwi_cut_apply(lwi_cutter *cut, const lwi_cut_shape *shape, uint32_t first_origin, lwi_cut_mark mark,
                   const lwi_cut_heights *heights) {
  const cut_by by = {shape, heights, first_origin, lwi_cut_is_marked(mark)};
  const bool spreads = by.marks && is_full(cut);
  lwi_cut_clear(&cut->next);
  /* Pieces that stay keep their corners; those of new pieces come behind all of them. */
  swap_corners(&cut->now, &cut->next);
  for (int i = 0; i < cut->now.piece_count; ++i) {
    lwi_cut_piece *piece = &cut->now.pieces[i];
    const bool stays = (by.marks && !spreads && changes_nothing(piece->mark, mark)) ||
                       !bounds_overlap(piece, cut->next.corners + piece->first, shape);
    if (!(stays ? put_piece(cut, &cut->next, piece)
                : (spreads ? spread_over : apply_to)(cut, piece, &by, mark)))
      return false;
  }
  const lwi_cut_list last = cut->now;
  cut->now = cut->next;
  cut->next = last;
  return true;
}

bool lwi_cut_end(lwi_cutter *cut) {
  lwi_cut_list *now = &cut->now, *next = &cut->next;
  int count = 0;
  for (int i = 0; i < now->piece_count; ++i) count += now->pieces[i].count;
  if (!lwi_reserve(cut->memory, &next->corners, &next->corner_capacity, count, sizeof *next->corners))
    return false;
  next->corner_count = 0;
  for (int i = 0; i < now->piece_count; ++i) {
    lwi_cut_piece *piece = &now->pieces[i];
    memcpy(next->corners + next->corner_count, now->corners + piece->first,
           (size_t)piece->count * sizeof *next->corners);
    piece->first = next->corner_count;
    next->corner_count += piece->count;
  }
  swap_corners(now, next);
  return true;
}

bool lwi_cut_in_two(lwi_cutter *cut, const lwi_cut_corner *corners, int count, const lwi_cut_line *line,
                    lwi_cut_halves *halves) {
  lwi_cut_list *left = halves->left, *right = halves->right;
  const lwi_cut_place left_end = lwi_cut_end_of(left), right_end = lwi_cut_end_of(right);
  unsigned sides;
  halves->is_split = false;
  if (!take_sides(cut, line, corners, count, &sides)) return false;
  if (sides != (SIDES_LEFT | SIDES_RIGHT)) return true;
  cut_parts parts = {.left = space_for(cut, left, count + 2), .right = space_for(cut, right, count + 2)};
  if (!parts.left || !parts.right) return false;
  divide(cut, corners, count, line, &parts);
  if (!end_part(cut, right, parts.right_count, line) || !end_part(cut, left, parts.left_count, line))
    return false;
  halves->is_split = left->piece_count > left_end.pieces && right->piece_count > right_end.pieces;
  if (halves->is_split) return true;
  lwi_cut_go_back(left, left_end);
  lwi_cut_go_back(right, right_end);
  return true;
}

bool lwi_cut_halve(lwi_cutter *cut, const lwi_cut_corner *corners, int count, const lwi_cut_side *side,
                   uint32_t origin, bool *is_split) {
  double far = 0;
  for (int i = 0; i < count; ++i)
    far = lwi_larger(far, (double)lwi_max(fabsf(corners[i].x), fabsf(corners[i].z)));
  const lwi_cut_line line = {*side, lwi_cut_slack(far), origin, unmarked};
  lwi_cut_halves halves = {.left = &cut->rest, .right = &cut->next};
  lwi_cut_clear(&cut->next);
  lwi_cut_clear(&cut->rest);
  if (!lwi_cut_in_two(cut, corners, count, &line, &halves)) return false;
  *is_split = halves.is_split;
  return true;
}

bool lwi_cut_common(lwi_cutter *cut, const lwi_cut_corner *corners, int count, const lwi_cut_shape *shape) {
  const cut_by by = {.shape = shape};
  cut_order order;
  lwi_cut_clear(&cut->next);
  lwi_cut_clear(&cut->rest);
  const outline_size size = measure(corners, count);
  const lwi_cut_piece whole = {.count = count, .mark = unmarked};
  return is_sliver(&size) || !order_sides(shape, corners, count, &order) ||
         !is_left_of_all(corners, count, shape) || split(cut, corners, &whole, &by, &order);
}
