#include "mesh/cut.h"

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
  return fmax(LWI_CUT_SLACK, 2 * (double)FLT_EPSILON * far);
}

lwi_cut_shape lwi_cut_shape_of(const lwi_cut_side *sides, int count) {
  lwi_cut_shape shape = {sides, count, 0, INFINITY, INFINITY, -INFINITY, -INFINITY};
  for (int i = 0; i < count; ++i) {
    shape.min_x = fmin(shape.min_x, sides[i].corner.x);
    shape.max_x = fmax(shape.max_x, sides[i].corner.x);
    shape.min_z = fmin(shape.min_z, sides[i].corner.z);
    shape.max_z = fmax(shape.max_z, sides[i].corner.z);
  }
  const double far = fmax(fmax(-shape.min_x, shape.max_x), fmax(-shape.min_z, shape.max_z));
  shape.slack = lwi_cut_slack(far);
  return shape;
}

static const lwi_cut_mark unmarked = {LW_AREA_NONE, 0};

/* The line of a side. */
typedef struct cut_line {
  lwi_cut_side side;
  double slack;
  uint32_t origin;   /* of edges along it */
  lwi_cut_mark mark; /* of the piece that it cuts */
} cut_line;

static cut_line line_of(const lwi_cut_shape *shape, int side, uint32_t first_origin, lwi_cut_mark mark) {
  return (cut_line){shape->sides[side], shape->slack, first_origin + (uint32_t)side, mark};
}

/* > 0: on the left of the line, where the inside of a shape is. 0: on it. [m] */
static double side_of(const cut_line *line, double x, double z) {
  const lwi_cut_side *of = &line->side;
  const double side = of->direction.z * (x - of->corner.x) - of->direction.x * (z - of->corner.z);
  return fabs(side) <= line->slack ? 0 : side;
}

/* --- lists ------------------------------------------------------------------------------------------------ */

static void clear(lwi_cut_list *list) {
  list->corner_count = list->piece_count = 0;
}

static bool add_corner(lwi_cutter *cut, lwi_cut_list *list, lwi_cut_corner corner) {
  if (!lwi_reserve(cut->memory, &list->corners, &list->corner_capacity, list->corner_count + 1, sizeof corner))
    return false;
  list->corners[list->corner_count++] = corner;
  return true;
}

static double width_of(const lwi_cut_corner *corners, int count) {
  double area2 = 0, longest2 = 0;
  for (int i = 0; i < count; ++i) {
    const lwi_cut_corner *a = &corners[i], *b = &corners[i + 1 < count ? i + 1 : 0];
    const double dx = b->x - a->x, dz = b->z - a->z;
    area2 += (a->z - corners[0].z) * (b->x - corners[0].x) - (a->x - corners[0].x) * (b->z - corners[0].z);
    longest2 = fmax(longest2, dx * dx + dz * dz);
  }
  return longest2 > 0 ? fabs(area2) / sqrt(longest2) : 0;
}

static bool put_piece(lwi_cutter *cut, lwi_cut_list *list, const lwi_cut_piece *piece) {
  if (!lwi_reserve(cut->memory, &list->pieces, &list->piece_capacity, list->piece_count + 1, sizeof *piece))
    return false;
  list->pieces[list->piece_count++] = *piece;
  return true;
}

/* Corners are floats, so that bounds are exact. */
static void set_bounds(lwi_cut_piece *piece, const lwi_cut_corner *corners) {
  piece->min_x = piece->max_x = (float)corners[0].x;
  piece->min_z = piece->max_z = (float)corners[0].z;
  for (int i = 1; i < piece->count; ++i) {
    const float x = (float)corners[i].x, z = (float)corners[i].z;
    piece->min_x = x < piece->min_x ? x : piece->min_x;
    piece->max_x = x > piece->max_x ? x : piece->max_x;
    piece->min_z = z < piece->min_z ? z : piece->min_z;
    piece->max_z = z > piece->max_z ? z : piece->max_z;
  }
}

/* The corners since `first` are a piece, if it is no sliver. */
static bool end_piece(lwi_cutter *cut, lwi_cut_list *list, int first, lwi_cut_mark mark) {
  lwi_cut_piece piece = {.first = first, .count = list->corner_count - first, .mark = mark};
  if (piece.count < 3 || width_of(list->corners + first, piece.count) < LWI_CUT_SLIVER) {
    list->corner_count = first;
    return true;
  }
  set_bounds(&piece, list->corners + first);
  return put_piece(cut, list, &piece);
}

static bool add_piece(lwi_cutter *cut, lwi_cut_list *list, const lwi_cut_corner *corners, int count,
                      lwi_cut_mark mark) {
  const int first = list->corner_count;
  for (int i = 0; i < count; ++i)
    if (!add_corner(cut, list, corners[i])) return false;
  return end_piece(cut, list, first, mark);
}

/* --- splitting -------------------------------------------------------------------------------------------- */

/* Where the edge from a to b crosses a line, on floats: the same for the parts on both sides. */
static lwi_cut_corner crossing(const lwi_cut_corner *a, const lwi_cut_corner *b, double side_a, double side_b) {
  const double t = side_a / (side_a - side_b);
  return (lwi_cut_corner){(double)(float)(a->x + (b->x - a->x) * t), (double)(float)(a->z + (b->z - a->z) * t),
                          0};
}

/* Drop the corners since `first` that nearly are the next one: the direction of so short an edge says nothing, so
   that it would be wrong on which side of it a place lies. */
static void drop_short_edges(lwi_cut_list *list, int first, double shortest) {
  int kept = first;
  for (int i = first; i < list->corner_count; ++i) {
    const lwi_cut_corner *a = &list->corners[i],
                         *b = &list->corners[i + 1 < list->corner_count ? i + 1 : first];
    const double dx = b->x - a->x, dz = b->z - a->z;
    if (dx * dx + dz * dz >= shortest * shortest) list->corners[kept++] = *a;
  }
  list->corner_count = kept;
}

/* The part of a piece on one side of a line; `sign` is 1: the left one, -1: the right one. The edge on the line comes
   from there. */
static bool add_part(lwi_cutter *cut, lwi_cut_list *to, const lwi_cut_corner *corners, int count,
                     const cut_line *line, int sign) {
  const int first = to->corner_count;
  for (int i = 0; i < count; ++i) {
    const lwi_cut_corner *a = &corners[i], *b = &corners[i + 1 < count ? i + 1 : 0];
    const double side_a = sign * side_of(line, a->x, a->z), side_b = sign * side_of(line, b->x, b->z);
    if (side_a >= 0) {
      lwi_cut_corner kept = *a;
      if (side_a == 0 && side_b < 0) kept.origin = line->origin;
      if (!add_corner(cut, to, kept)) return false;
    }
    if (side_a * side_b >= 0) continue;
    lwi_cut_corner at = crossing(a, b, side_a, side_b);
    at.origin = side_a > 0 ? line->origin : a->origin;
    if (!add_corner(cut, to, at)) return false;
  }
  drop_short_edges(to, first, 2 * line->slack);
  return end_piece(cut, to, first, line->mark);
}

typedef enum cut_sides { SIDES_LEFT = 1, SIDES_RIGHT = 2 } cut_sides;

/* On which sides of the line the corners lie. */
static unsigned sides_of(const cut_line *line, const lwi_cut_corner *corners, int count) {
  unsigned sides = 0;
  for (int i = 0; i < count; ++i) {
    const double side = side_of(line, corners[i].x, corners[i].z);
    sides |= side > 0 ? SIDES_LEFT : side < 0 ? SIDES_RIGHT : 0U;
  }
  return sides;
}

/* Is any corner of the shape on the left of the edge from a to b? Without the roots that lines of unit length take. */
static bool is_left(const lwi_cut_corner *a, const lwi_cut_corner *b, const lwi_cut_shape *shape) {
  const double dx = b->x - a->x, dz = b->z - a->z, slack = shape->slack;
  const double slack2 = slack * slack * (dx * dx + dz * dz);
  for (int i = 0; i < shape->count; ++i) {
    const double side = dz * (shape->sides[i].corner.x - a->x) - dx * (shape->sides[i].corner.z - a->z);
    if (side > 0 && side * side > slack2) return true;
  }
  return false;
}

static bool bounds_overlap(const lwi_cut_piece *piece, const lwi_cut_shape *shape) {
  return (double)piece->max_x > shape->min_x && (double)piece->min_x < shape->max_x &&
         (double)piece->max_z > shape->min_z && (double)piece->min_z < shape->max_z;
}

/* By the lines of the sides of both. */
static bool overlaps(const lwi_cut_corner *corners, int count, const lwi_cut_shape *shape) {
  for (int i = 0; i < shape->count; ++i) {
    const cut_line line = line_of(shape, i, 0, unmarked);
    if (!(sides_of(&line, corners, count) & SIDES_LEFT)) return false;
  }
  for (int i = 0; i < count; ++i)
    if (!is_left(&corners[i], &corners[i + 1 < count ? i + 1 : 0], shape)) return false;
  return true;
}

bool lwi_cut_overlaps(const lwi_cut_corner *corners, int count, const lwi_cut_shape *shape) {
  lwi_cut_piece piece = {.count = count};
  set_bounds(&piece, corners);
  return bounds_overlap(&piece, shape) && overlaps(corners, count, shape);
}

/* Is a shape, all of it left of its line, narrower there than what may be left out? */
static bool is_narrow(const lwi_cut_shape *shape, const cut_line *line) {
  for (int i = 0; i < shape->count; ++i)
    if (side_of(line, shape->sides[i].corner.x, shape->sides[i].corner.z) >= LWI_CUT_SLIVER) return false;
  return true;
}

static bool add_rest(lwi_cutter *cut, lwi_cut_piece rest, const cut_line *line, bool *is_there) {
  /* The list's corners may move while the part behind them grows. */
  if (!lwi_reserve(cut->memory, &cut->rest.corners, &cut->rest.corner_capacity,
                   cut->rest.corner_count + rest.count + 2, sizeof *cut->rest.corners))
    return false;
  cut->rest.piece_count = 0;
  if (!add_part(cut, &cut->rest, cut->rest.corners + rest.first, rest.count, line, 1)) return false;
  *is_there = cut->rest.piece_count > 0;
  return true;
}

static void drop_last(lwi_cut_list *list) {
  list->corner_count = list->pieces[--list->piece_count].first;
}

/* How far the corners reach to the side of a line where they reach less far. 0: none is on the right of it. [m] */
static double reach_beside(const cut_line *line, const lwi_cut_corner *corners, int count) {
  double left = 0, right = 0;
  for (int i = 0; i < count; ++i) {
    const double side = side_of(line, corners[i].x, corners[i].z);
    left = fmax(left, side);
    right = fmax(right, -side);
  }
  return right > 0 ? fmax(fmin(left, right), DBL_MIN) : 0;
}

/* The sides along which the corners are split: those first that leave much on both sides. A side near an edge comes last,
   because what it cuts off would be a strip as long as the edge, and is one as long as the footprint then.
   @param[out] order  @return Their count. */
static int order_sides(const lwi_cut_shape *shape, const lwi_cut_corner *corners, int count,
                       int order[LWI_CUT_SIDES]) {
  double reaches[LWI_CUT_SIDES];
  int found = 0;
  for (int i = 0; i < shape->count; ++i) {
    const cut_line line = line_of(shape, i, 0, unmarked);
    const double reach = reach_beside(&line, corners, count);
    if (!(reach > 0)) continue;
    int at = found++;
    for (; at > 0 && reaches[at - 1] < reach; --at) {
      reaches[at] = reaches[at - 1];
      order[at] = order[at - 1];
    }
    reaches[at] = reach;
    order[at] = i;
  }
  return found;
}

typedef struct cut_by {
  const lwi_cut_shape *shape;
  uint32_t first_origin;
  bool marks; /* what is inside becomes a piece */
} cut_by;

/* What is outside of the footprint goes to `next`, what is inside stays in `rest`. A sliver is not cut off along a line,
   so that no portal along an edge goes with it: on the outside it stays with the rest, on the inside the rest stays whole.
   @param mark  Of the piece. */
static bool split(lwi_cutter *cut, const lwi_cut_corner *corners, int count, const cut_by *by,
                  lwi_cut_mark mark) {
  const lwi_cut_shape *shape = by->shape;
  int order[LWI_CUT_SIDES];
  const int sides = order_sides(shape, corners, count, order);
  clear(&cut->rest);
  if (!add_piece(cut, &cut->rest, corners, count, mark)) return false;
  for (int i = 0; i < sides && cut->rest.piece_count > 0; ++i) {
    const cut_line line = line_of(shape, order[i], by->first_origin, mark);
    const lwi_cut_piece rest = cut->rest.pieces[0];
    const int outside = cut->next.piece_count;
    bool is_there;
    if (!(sides_of(&line, cut->rest.corners + rest.first, rest.count) & SIDES_RIGHT)) continue;
    if (!add_part(cut, &cut->next, cut->rest.corners + rest.first, rest.count, &line, -1)) return false;
    if (cut->next.piece_count == outside) continue;
    if (!add_rest(cut, rest, &line, &is_there)) return false;
    if (is_there || (is_narrow(shape, &line) && !by->marks)) continue;
    drop_last(&cut->next);
    return add_piece(cut, &cut->next, cut->rest.corners + rest.first, rest.count, mark);
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
  *cut = (lwi_cutter){.memory = cut->memory};
}

bool lwi_cut_begin(lwi_cutter *cut, const lwi_cut_corner *corners, int count) {
  clear(&cut->now);
  return add_piece(cut, &cut->now, corners, count, unmarked);
}

/* What is left of a piece inside of the footprint becomes one with both their marks. */
static bool keep_rest(lwi_cutter *cut, lwi_cut_mark of_piece, lwi_cut_mark mark) {
  if (cut->rest.piece_count == 0) return true;
  const lwi_cut_piece rest = cut->rest.pieces[0];
  if (mark.area == LW_AREA_NONE) mark.area = of_piece.area;
  mark.cost += of_piece.cost;
  return add_piece(cut, &cut->next, cut->rest.corners + rest.first, rest.count, mark);
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

static bool apply_to(lwi_cutter *cut, const lwi_cut_piece *piece, const cut_by *by, lwi_cut_mark mark) {
  const lwi_cut_corner *corners = cut->next.corners + piece->first;
  if (!bounds_overlap(piece, by->shape) || !overlaps(corners, piece->count, by->shape))
    return put_piece(cut, &cut->next, piece);
  return split(cut, corners, piece->count, by, piece->mark) &&
         (!by->marks || keep_rest(cut, piece->mark, mark));
}

bool lwi_cut_apply(lwi_cutter *cut, const lwi_cut_shape *shape, uint32_t first_origin, lwi_cut_mark mark) {
  const cut_by by = {shape, first_origin, lwi_cut_is_marked(mark)};
  clear(&cut->next);
  /* Pieces that stay keep their corners; those of new pieces come behind all of them. */
  swap_corners(&cut->now, &cut->next);
  for (int i = 0; i < cut->now.piece_count; ++i)
    if (!apply_to(cut, &cut->now.pieces[i], &by, mark)) return false;
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

bool lwi_cut_halve(lwi_cutter *cut, const lwi_cut_corner *corners, int count, const lwi_cut_side *side,
                   uint32_t origin, bool *is_split) {
  double far = 0;
  for (int i = 0; i < count; ++i) far = fmax(far, fmax(fabs(corners[i].x), fabs(corners[i].z)));
  const cut_line line = {*side, lwi_cut_slack(far), origin, unmarked};
  clear(&cut->next);
  clear(&cut->rest);
  *is_split = false;
  if (sides_of(&line, corners, count) != (SIDES_LEFT | SIDES_RIGHT)) return true;
  if (!add_part(cut, &cut->next, corners, count, &line, -1) ||
      !add_part(cut, &cut->rest, corners, count, &line, 1))
    return false;
  *is_split = cut->next.piece_count > 0 && cut->rest.piece_count > 0;
  return true;
}

bool lwi_cut_common(lwi_cutter *cut, const lwi_cut_corner *corners, int count, const lwi_cut_shape *shape) {
  const cut_by by = {shape, 0, false};
  clear(&cut->next);
  clear(&cut->rest);
  return !lwi_cut_overlaps(corners, count, shape) || split(cut, corners, count, &by, unmarked);
}
