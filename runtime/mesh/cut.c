#include "mesh/cut.h"

void lwi_cut_sides_make(lwi_cut_side *sides, const lwi_point2 *corners, int count) {
  for (int i = 0; i < count; ++i) {
    const lwi_point2 a = corners[i], b = corners[i + 1 < count ? i + 1 : 0];
    const double dx = b.x - a.x, dz = b.z - a.z, length = sqrt(dx * dx + dz * dz);
    sides[i] = (lwi_cut_side){a, {dx / length, dz / length}};
  }
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
  shape.slack = fmax(LWI_CUT_SLACK, 2 * (double)FLT_EPSILON * far);
  return shape;
}

/* The line of a side. */
typedef struct cut_line {
  lwi_cut_side side;
  double slack;
  uint32_t origin; /* of edges along it */
} cut_line;

static cut_line line_of(const lwi_cut_shape *shape, int side, uint32_t first_origin) {
  return (cut_line){shape->sides[side], shape->slack, first_origin + (uint32_t)side};
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

/* The corners since `first` are a piece, if it is no sliver. */
static bool end_piece(lwi_cutter *cut, lwi_cut_list *list, int first) {
  const int count = list->corner_count - first;
  if (count < 3 || width_of(list->corners + first, count) < LWI_CUT_SLIVER) {
    list->corner_count = first;
    return true;
  }
  if (!lwi_reserve(cut->memory, &list->pieces, &list->piece_capacity, list->piece_count + 1,
                   sizeof *list->pieces))
    return false;
  list->pieces[list->piece_count++] = (lwi_cut_piece){first, count};
  return true;
}

static bool add_piece(lwi_cutter *cut, lwi_cut_list *list, const lwi_cut_corner *corners, int count) {
  const int first = list->corner_count;
  for (int i = 0; i < count; ++i)
    if (!add_corner(cut, list, corners[i])) return false;
  return end_piece(cut, list, first);
}

/* --- splitting -------------------------------------------------------------------------------------------- */

/* Where the edge from a to b crosses a line, on floats: the same for the parts on both sides. */
static lwi_cut_corner crossing(const lwi_cut_corner *a, const lwi_cut_corner *b, double side_a, double side_b) {
  const double t = side_a / (side_a - side_b);
  return (lwi_cut_corner){(double)(float)(a->x + (b->x - a->x) * t), (double)(float)(a->z + (b->z - a->z) * t),
                          0};
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
  return end_piece(cut, to, first);
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

/* By the bounds of both, then by the lines of the sides of both. */
bool lwi_cut_overlaps(const lwi_cut_corner *corners, int count, const lwi_cut_shape *shape) {
  double min_x = INFINITY, min_z = INFINITY, max_x = -INFINITY, max_z = -INFINITY;
  for (int i = 0; i < count; ++i) {
    min_x = corners[i].x < min_x ? corners[i].x : min_x;
    max_x = corners[i].x > max_x ? corners[i].x : max_x;
    min_z = corners[i].z < min_z ? corners[i].z : min_z;
    max_z = corners[i].z > max_z ? corners[i].z : max_z;
  }
  if (max_x <= shape->min_x || min_x >= shape->max_x || max_z <= shape->min_z || min_z >= shape->max_z)
    return false;
  for (int i = 0; i < shape->count; ++i) {
    const cut_line line = line_of(shape, i, 0);
    if (!(sides_of(&line, corners, count) & SIDES_LEFT)) return false;
  }
  for (int i = 0; i < count; ++i)
    if (!is_left(&corners[i], &corners[i + 1 < count ? i + 1 : 0], shape)) return false;
  return true;
}

/* What is outside of the footprint goes to `next`, what is inside stays in `rest`. */
static bool split(lwi_cutter *cut, const lwi_cut_corner *corners, int count, const lwi_cut_shape *shape,
                  uint32_t first_origin) {
  clear(&cut->rest);
  if (!add_piece(cut, &cut->rest, corners, count)) return false;
  for (int i = 0; i < shape->count && cut->rest.piece_count > 0; ++i) {
    const cut_line line = line_of(shape, i, first_origin);
    const lwi_cut_piece rest = cut->rest.pieces[0];
    if (!(sides_of(&line, cut->rest.corners + rest.first, rest.count) & SIDES_RIGHT)) continue;
    if (!add_part(cut, &cut->next, cut->rest.corners + rest.first, rest.count, &line, -1)) return false;
    /* The list's corners may move while the part behind them grows. */
    if (!lwi_reserve(cut->memory, &cut->rest.corners, &cut->rest.corner_capacity,
                     cut->rest.corner_count + rest.count + 2, sizeof *cut->rest.corners))
      return false;
    cut->rest.piece_count = 0;
    if (!add_part(cut, &cut->rest, cut->rest.corners + rest.first, rest.count, &line, 1)) return false;
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
  return add_piece(cut, &cut->now, corners, count);
}

bool lwi_cut_subtract(lwi_cutter *cut, const lwi_cut_shape *shape, uint32_t first_origin) {
  clear(&cut->next);
  for (int i = 0; i < cut->now.piece_count; ++i) {
    const lwi_cut_piece piece = cut->now.pieces[i];
    const lwi_cut_corner *corners = cut->now.corners + piece.first;
    const bool done = lwi_cut_overlaps(corners, piece.count, shape)
                          ? split(cut, corners, piece.count, shape, first_origin)
                          : add_piece(cut, &cut->next, corners, piece.count);
    if (!done) return false;
  }
  const lwi_cut_list last = cut->now;
  cut->now = cut->next;
  cut->next = last;
  return true;
}

bool lwi_cut_common(lwi_cutter *cut, const lwi_cut_corner *corners, int count, const lwi_cut_shape *shape) {
  clear(&cut->next);
  clear(&cut->rest);
  return !lwi_cut_overlaps(corners, count, shape) || split(cut, corners, count, shape, 0);
}
