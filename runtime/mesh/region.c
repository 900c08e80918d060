#include "mesh/region.h"

#include <stdlib.h>

/* Openings shorter than this are none. [m] */
#define SHORTEST 1e-3
/* Capsules that come this near to each other on the outline meet: rounding at corners. [m] */
#define MEET_SLACK 1e-4

/* What of a line a capsule covers, in metres from its beginning. */
typedef struct lwi_cover {
  double from, to;
  uint32_t barrier; /* of those near */
} cover;

void lwi_region_room_free(lwi_region_room *room) {
  if (!room->memory) return;
  lwi_free(room->memory, room->covers, (size_t)room->cover_capacity * sizeof *room->covers);
  lwi_free(room->memory, room->parents, (size_t)room->parent_capacity * sizeof *room->parents);
  lwi_free(room->memory, room->openings, (size_t)room->opening_capacity * sizeof *room->openings);
  *room = (lwi_region_room){.memory = room->memory};
}

/* A line: where it begins, which way it goes, how far. */
typedef struct ray {
  lwi_spot from;
  double ux, uz, length;
} ray;

static ray ray_of(lwi_spot a, lwi_spot b) {
  double length = lwi_spot_distance(a, b), scale = length > 0 ? 1 / length : 0;
  return (ray){a, (b.x - a.x) * scale, (b.z - a.z) * scale, length};
}

static void widen(cover *part, double from, double to) {
  if (!(from <= to && from > -INFINITY)) return;
  part->from = fmin(part->from, from);
  part->to = fmax(part->to, to);
}

static void cover_disc(const ray *line, double x, double z, double radius, cover *part) {
  double dx = x - line->from.x, dz = z - line->from.z;
  double along = dx * line->ux + dz * line->uz, off = dx * line->uz - dz * line->ux;
  double half2 = radius * radius - off * off;
  if (half2 > 0) widen(part, along - sqrt(half2), along + sqrt(half2));
}

/* Where low < origin + slope * s < high, within [*from, *to]. */
static void clip(double origin, double slope, double low, double high, double *from, double *to) {
  if (fabs(slope) < 1e-12) {
    if (origin <= low || origin >= high) *to = -INFINITY;
    return;
  }
  double first = (low - origin) / slope, second = (high - origin) / slope;
  *from = fmax(*from, fmin(first, second));
  *to = fmin(*to, fmax(first, second));
}

/* A capsule is two discs and a rectangle; what a line crosses of each is an interval, and all of them together is one. */
static bool cover_of(const ray *line, const lwi_barrier *barrier, double keep, cover *part) {
  double wx = (double)barrier->bx - barrier->ax, wz = (double)barrier->bz - barrier->az;
  double width = sqrt(wx * wx + wz * wz);
  part->from = INFINITY;
  part->to = -INFINITY;
  cover_disc(line, barrier->ax, barrier->az, keep, part);
  cover_disc(line, barrier->bx, barrier->bz, keep, part);
  if (width > 0) {
    wx /= width;
    wz /= width;
    double dx = line->from.x - barrier->ax, dz = line->from.z - barrier->az, from = -INFINITY, to = INFINITY;
    clip(dx * wx + dz * wz, line->ux * wx + line->uz * wz, 0, width, &from, &to);
    clip(dx * wz - dz * wx, line->ux * wz - line->uz * wx, -keep, keep, &from, &to);
    widen(part, from, to);
  }
  part->from = fmax(part->from, 0);
  part->to = fmin(part->to, line->length);
  return part->from <= part->to;
}

static int compare_covers(const void *left, const void *right) {
  const cover *a = left, *b = right;
  if (a->from != b->from) return a->from < b->from ? -1 : 1;
  return (a->barrier > b->barrier) - (a->barrier < b->barrier);
}

/* By where they begin; nearly always they are few. */
static void sort_covers(cover *covers, int count) {
  if (count > 32) {
    qsort(covers, (size_t)count, sizeof *covers, compare_covers);
    return;
  }
  for (int i = 1; i < count; i++) {
    cover moved = covers[i];
    int at = i;
    for (; at > 0 && compare_covers(&moved, &covers[at - 1]) < 0; at--) covers[at] = covers[at - 1];
    covers[at] = moved;
  }
}

/* @return How many; -1: no memory. */
static int find_covers(lwi_region_room *room, const lwi_barriers *barriers, const ray *line) {
  if (!lwi_reserve(room->memory, &room->covers, &room->cover_capacity, (int)barriers->count + 1,
                   sizeof *room->covers))
    return -1;
  int count = 0;
  for (uint32_t i = 0; i < barriers->count; i++) {
    room->covers[count].barrier = i;
    count += cover_of(line, &barriers->all[barriers->near[i]], barriers->keep, &room->covers[count]);
  }
  sort_covers(room->covers, count);
  return count;
}

static bool add_stretch(lwi_region_room *room, uint32_t edge, double from, double to, double length) {
  if (to - from < SHORTEST) return true;
  if (!lwi_reserve(room->memory, &room->openings, &room->opening_capacity, room->opening_count + 1,
                   sizeof *room->openings))
    return false;
  room->openings[room->opening_count++] = (lwi_opening){edge, from / length, to / length};
  return true;
}

bool lwi_region_free(lwi_region_room *room, const lwi_barriers *barriers, const lwi_spot line[2], uint32_t edge,
                     double t0, double t1) {
  ray along = ray_of(line[0], line[1]);
  int count = find_covers(room, barriers, &along);
  if (count < 0) return false;
  double at = t0 * along.length, end = t1 * along.length;
  for (int i = 0; i < count && at < end; i++) {
    if (!add_stretch(room, edge, at, fmin(end, room->covers[i].from), along.length)) return false;
    at = fmax(at, room->covers[i].to);
  }
  return add_stretch(room, edge, at, end, along.length);
}

static uint32_t root_of(uint32_t *parents, uint32_t i) {
  while (parents[i] != i) i = parents[i] = parents[parents[i]];
  return i;
}

static void join(uint32_t *parents, uint32_t a, uint32_t b) {
  a = root_of(parents, a);
  b = root_of(parents, b);
  if (a < b)
    parents[b] = a;
  else
    parents[a] = b;
}

/* --- distances ------------------------------------------------------------------------------------------------- */

/* The pair of nearest points so far. */
typedef struct nearest_pair {
  double distance2;
  lwi_spot a, b;
} nearest_pair;

static void try_point(nearest_pair *best, lwi_spot point, lwi_spot a, lwi_spot b) {
  double dx = b.x - a.x, dz = b.z - a.z, length2 = dx * dx + dz * dz;
  double t = length2 > 0 ? ((point.x - a.x) * dx + (point.z - a.z) * dz) / length2 : 0;
  lwi_spot foot = lwi_spot_between(a, b, fmin(1, fmax(0, t)));
  double ex = foot.x - point.x, ez = foot.z - point.z, distance2 = ex * ex + ez * ez;
  if (distance2 < best->distance2) *best = (nearest_pair){distance2, point, foot};
}

static nearest_pair nearest_of(lwi_spot a, lwi_spot b, lwi_spot c, lwi_spot d) {
  double side_c = lwi_spot_turn(a, b, c), side_d = lwi_spot_turn(a, b, d);
  double side_a = lwi_spot_turn(c, d, a), side_b = lwi_spot_turn(c, d, b);
  if (side_c * side_d < 0 && side_a * side_b < 0) {
    lwi_spot crossing = lwi_spot_between(a, b, side_a / (side_a - side_b));
    return (nearest_pair){0, crossing, crossing};
  }
  nearest_pair best = {INFINITY, a, a};
  try_point(&best, a, c, d);
  try_point(&best, b, c, d);
  try_point(&best, c, a, b);
  try_point(&best, d, a, b);
  return best;
}

static lwi_spot begin_of(const lwi_barrier *barrier) {
  return (lwi_spot){barrier->ax, barrier->az};
}
static lwi_spot end_of(const lwi_barrier *barrier) {
  return (lwi_spot){barrier->bx, barrier->bz};
}

double lwi_barrier_distance(const lwi_barrier *barrier, lwi_spot a, lwi_spot b) {
  return sqrt(nearest_of(begin_of(barrier), end_of(barrier), a, b).distance2);
}

void lwi_region_nearest(const lwi_barriers *barriers, lwi_spot a, lwi_spot b, lwi_spot *at, lwi_spot *wall) {
  double least = INFINITY;
  *at = *wall = a;
  for (uint32_t i = 0; i < barriers->count; i++) {
    const lwi_barrier *barrier = &barriers->all[barriers->near[i]];
    nearest_pair pair = nearest_of(begin_of(barrier), end_of(barrier), a, b);
    if (pair.distance2 >= least) continue;
    least = pair.distance2;
    bool swapped =
        lwi_barrier_distance(barrier, pair.a, pair.a) > lwi_barrier_distance(barrier, pair.b, pair.b);
    *at = swapped ? pair.a : pair.b;
    *wall = swapped ? pair.b : pair.a;
  }
}

bool lwi_region_clear(const lwi_barriers *barriers, lwi_spot a, lwi_spot b, double slack) {
  double least = barriers->keep - slack;
  for (uint32_t i = 0; least > 0 && i < barriers->count; i++) {
    const lwi_barrier *barrier = &barriers->all[barriers->near[i]];
    if (nearest_of(begin_of(barrier), end_of(barrier), a, b).distance2 < least * least) return false;
  }
  return true;
}

double lwi_outline_exit(const lwi_spot *corners, uint32_t count, lwi_spot point, lwi_spot direction,
                        lwi_spot *where) {
  lwi_spot ahead = {point.x + direction.x, point.z + direction.z};
  double best = 0, furthest = -INFINITY;
  for (uint32_t i = 0; i < count; i++) {
    lwi_spot a = corners[i], b = corners[i + 1 < count ? i + 1 : 0];
    double side_a = lwi_spot_turn(point, ahead, a), side_b = lwi_spot_turn(point, ahead, b);
    if (!(side_a <= 0 && side_b > 0)) continue; /* it is left from its right to its left */
    double t = side_a / (side_a - side_b);
    lwi_spot on = lwi_spot_between(a, b, t);
    double along = (on.x - point.x) * direction.x + (on.z - point.z) * direction.z;
    if (along <= furthest) continue;
    furthest = along;
    best = i + t;
    *where = on;
  }
  return best;
}

/* --- joining --------------------------------------------------------------------------------------------------- */

/* Nodes are the capsules, and behind them the gaps between one free opening and the next. */
typedef struct joining {
  lwi_region_room *room;
  const lwi_barriers *barriers;
  const lwi_spot *corners;
  uint32_t count;
  const lwi_opening *openings;
  uint32_t opening_count;
} joining;

/* What is covered and what is free overlap by rounding at most, so their middles say which comes first. */
static bool lies_before(const lwi_opening *opening, uint32_t edge, double middle) {
  return opening->edge == edge && (opening->t0 + opening->t1) / 2 <= middle;
}

/* Join what covers the outline to its gap, and what meets there. @param next  The first opening on this edge or later. */
static bool join_edge(const joining *work, uint32_t edge, uint32_t *next) {
  uint32_t *parents = work->room->parents, walls = work->barriers->count, openings = work->opening_count;
  ray line = ray_of(work->corners[edge], work->corners[edge + 1 < work->count ? edge + 1 : 0]);
  if (!(line.length > 0)) return true;
  int count = find_covers(work->room, work->barriers, &line);
  if (count < 0) return false;
  double reach = -INFINITY;
  for (int i = 0; i < count; i++) {
    const cover *part = &work->room->covers[i];
    double middle = (part->from + part->to) / 2 / line.length;
    while (*next < openings && lies_before(&work->openings[*next], edge, middle)) *next += 1;
    join(parents, part->barrier, walls + (*next + openings - 1) % openings);
    if (i > 0 && part->from <= reach + MEET_SLACK) join(parents, part->barrier, part[-1].barrier);
    reach = fmax(reach, part->to);
  }
  while (*next < openings && work->openings[*next].edge == edge) *next += 1;
  return true;
}

static bool holds(const joining *work, lwi_spot point) {
  for (uint32_t i = 0; i < work->count; i++)
    if (lwi_spot_turn(work->corners[i], work->corners[i + 1 < work->count ? i + 1 : 0], point) < 0)
      return false;
  return true;
}

static void join_inside(const joining *work) {
  uint32_t *parents = work->room->parents;
  double both = 2 * work->barriers->keep;
  for (uint32_t i = 0; i < work->barriers->count; i++) {
    const lwi_barrier *a = &work->barriers->all[work->barriers->near[i]];
    for (uint32_t j = i + 1; j < work->barriers->count; j++) {
      if (root_of(parents, i) == root_of(parents, j)) continue;
      const lwi_barrier *b = &work->barriers->all[work->barriers->near[j]];
      nearest_pair pair = nearest_of(begin_of(a), end_of(a), begin_of(b), end_of(b));
      if (pair.distance2 < both * both && holds(work, lwi_spot_between(pair.a, pair.b, 0.5)))
        join(parents, i, j);
    }
  }
}

bool lwi_region_join(lwi_region_room *room, const lwi_barriers *barriers, const lwi_spot *corners,
                     uint32_t count, const lwi_opening *openings, uint32_t opening_count, uint32_t *labels) {
  joining work = {room, barriers, corners, count, openings, opening_count};
  uint32_t walls = barriers->count, nodes = walls + opening_count, next = 0;
  if (opening_count == 0) return true;
  if (!lwi_reserve(room->memory, &room->parents, &room->parent_capacity, (int)nodes, sizeof *room->parents))
    return false;
  for (uint32_t i = 0; i < nodes; i++) room->parents[i] = i;
  for (uint32_t i = 0; i < opening_count; i++) labels[i] = i;
  for (uint32_t edge = 0; edge < count; edge++)
    if (!join_edge(&work, edge, &next)) return false;
  join_inside(&work);
  /* Gap i comes behind opening i. From there the way along the capsules comes out behind the gap before that belongs to
     the same ones: the opening that follows it lies in the same bay. */
  for (uint32_t i = 0; i < opening_count; i++) {
    uint32_t own = root_of(room->parents, walls + i), before = i;
    do before = (before + opening_count - 1) % opening_count;
    while (root_of(room->parents, walls + before) != own);
    join(labels, i, (before + 1) % opening_count);
  }
  for (uint32_t i = 0; i < opening_count; i++) labels[i] = root_of(labels, i);
  return true;
}
