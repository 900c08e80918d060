#include "mesh/region.h"

#include "core/hash.h"

#include <stdlib.h>

/* Shorter free intervals are left out. [m] */
#define SHORTEST 1e-3
/* Capsules this near to each other on the outline meet: rounding at corners. [m] */
#define MEET_SLACK 1e-4

/* The part of a line within a capsule, in metres from the line's beginning. */
typedef struct lwi_blocked_part {
  double from, to;
  uint32_t barrier; /* index into lwi_barriers.near */
} blocked_part;

void lwi_region_scratch_free(lwi_region_scratch *scratch) {
  if (!scratch->memory) return;
  lwi_free(scratch->memory, scratch->blocked, (size_t)scratch->blocked_capacity * sizeof *scratch->blocked);
  lwi_free(scratch->memory, scratch->parents, (size_t)scratch->parent_capacity * sizeof *scratch->parents);
  lwi_free(scratch->memory, scratch->free_intervals,
           (size_t)scratch->free_interval_capacity * sizeof *scratch->free_intervals);
  lwi_free(scratch->memory, scratch->half_intervals,
           (size_t)scratch->half_interval_capacity * sizeof *scratch->half_intervals);
  lwi_free(scratch->memory, scratch->half_items,
           (size_t)scratch->half_item_capacity * sizeof *scratch->half_items);
  lwi_free(scratch->memory, scratch->half_labels,
           (size_t)scratch->half_label_capacity * sizeof *scratch->half_labels);
  lwi_free(scratch->memory, scratch->around, (size_t)scratch->around_capacity * sizeof *scratch->around);
  lwi_free(scratch->memory, scratch->walls, (size_t)scratch->wall_capacity * sizeof *scratch->walls);
  lwi_hash_index_free(&scratch->listed, scratch->memory);
  *scratch = (lwi_region_scratch){.memory = scratch->memory};
}

/* --- a list of polygons ----------------------------------------------------------------------------------- */

static uint64_t hash_of(uint32_t polygon) {
  return lwi_hash(LWI_HASH_SEED, &polygon, sizeof polygon);
}

void lwi_region_begin_list(lwi_region_scratch *scratch) {
  scratch->around_count = 0;
  lwi_hash_index_clear(&scratch->listed);
}

bool lwi_region_is_listed(const lwi_region_scratch *scratch, uint32_t polygon) {
  uint32_t item = lwi_hash_index_first(&scratch->listed, hash_of(polygon));
  while (item != LWI_NO_ITEM && scratch->around[item] != polygon)
    item = lwi_hash_index_next(&scratch->listed, item);
  return item != LWI_NO_ITEM;
}

bool lwi_region_list(lwi_region_scratch *scratch, uint32_t polygon) {
  const int count = scratch->around_count;
  if (lwi_region_is_listed(scratch, polygon)) return true;
  if (!lwi_reserve(scratch->memory, &scratch->around, &scratch->around_capacity, count + 1,
                   sizeof *scratch->around) ||
      !lwi_hash_index_add(&scratch->listed, scratch->memory, hash_of(polygon), (uint32_t)count))
    return false;
  scratch->around[scratch->around_count++] = polygon;
  return true;
}

/* --- blocked parts of lines ------------------------------------------------------------------------------- */

/* A line of that length and direction. */
typedef struct ray {
  lwi_point2 from;
  double ux, uz, length;
} ray;

static ray ray_of(lwi_point2 a, lwi_point2 b) {
  double length = lwi_point2_distance(a, b), scale = length > 0 ? 1 / length : 0;
  return (ray){a, (b.x - a.x) * scale, (b.z - a.z) * scale, length};
}

static void widen(blocked_part *part, double from, double to) {
  if (!(from <= to && from > -INFINITY)) return;
  part->from = lwi_smaller(part->from, from);
  part->to = lwi_larger(part->to, to);
}

/* A point as a line sees it. */
typedef struct ray_offset {
  double dx, dz;     /* from its beginning [m] */
  double along, off; /* the line: ahead, and to its right [m] */
} ray_offset;

static ray_offset offset_from(const ray *line, double x, double z) {
  const double dx = x - line->from.x, dz = z - line->from.z;
  return (ray_offset){dx, dz, dx * line->ux + dz * line->uz, dx * line->uz - dz * line->ux};
}

static void block_disc(ray_offset center, double radius, blocked_part *part) {
  const double half2 = radius * radius - center.off * center.off;
  if (!(half2 > 0)) return;
  const double half = sqrt(half2);
  widen(part, center.along - half, center.along + half);
}

/* Cut [*from, *to] down to where low < origin + slope * s < high. */
static void clip(double origin, double slope, double low, double high, double *from, double *to) {
  if (fabs(slope) < 1e-12) {
    if (origin <= low || origin >= high) *to = -INFINITY;
    return;
  }
  const double first = (low - origin) / slope, second = (high - origin) / slope;
  *from = lwi_larger(*from, lwi_smaller(first, second));
  *to = lwi_smaller(*to, lwi_larger(first, second));
}

/* Does all of a capsule lie to one side of the line, before it or behind it? */
static bool is_beside(const ray *line, ray_offset a, ray_offset b, double keep) {
  return (a.off > keep && b.off > keep) || (a.off < -keep && b.off < -keep) ||
         (a.along < -keep && b.along < -keep) ||
         (a.along > line->length + keep && b.along > line->length + keep);
}

/* A capsule is two discs and a rectangle. A line crosses each of them in an interval, whose union is one
   interval. */
static bool blocked_of(const ray *line, const lwi_barrier *barrier, double keep, blocked_part *part) {
  const ray_offset a = offset_from(line, barrier->ax, barrier->az),
                   b = offset_from(line, barrier->bx, barrier->bz);
  if (is_beside(line, a, b, keep)) return false;
  double wx = (double)barrier->bx - barrier->ax, wz = (double)barrier->bz - barrier->az;
  const double width = sqrt(wx * wx + wz * wz);
  part->from = INFINITY;
  part->to = -INFINITY;
  block_disc(a, keep, part);
  block_disc(b, keep, part);
  if (width > 0) {
    wx /= width;
    wz /= width;
    double from = -INFINITY, to = INFINITY;
    clip(-a.dx * wx - a.dz * wz, line->ux * wx + line->uz * wz, 0, width, &from, &to);
    clip(-a.dx * wz + a.dz * wx, line->ux * wz - line->uz * wx, -keep, keep, &from, &to);
    widen(part, from, to);
  }
  part->from = lwi_larger(part->from, 0);
  part->to = lwi_smaller(part->to, line->length);
  return part->from <= part->to;
}

static int compare_blocked(const void *left, const void *right) {
  const blocked_part *a = left, *b = right;
  if (a->from != b->from) return a->from < b->from ? -1 : 1;
  return (a->barrier > b->barrier) - (a->barrier < b->barrier);
}

/* Sort by `from`; nearly always there are few. */
static void sort_blocked(blocked_part *parts, int count) {
  if (count > 32) {
    qsort(parts, (size_t)count, sizeof *parts, compare_blocked);
    return;
  }
  for (int i = 1; i < count; i++) {
    blocked_part moved = parts[i];
    int at = i;
    for (; at > 0 && compare_blocked(&moved, &parts[at - 1]) < 0; at--) parts[at] = parts[at - 1];
    parts[at] = moved;
  }
}

/* @return How many; -1: no memory. */
static int find_blocked(lwi_region_scratch *scratch, const lwi_barriers *barriers, const ray *line) {
  if (!lwi_reserve(scratch->memory, &scratch->blocked, &scratch->blocked_capacity, (int)barriers->count + 1,
                   sizeof *scratch->blocked))
    return -1;
  int count = 0;
  for (uint32_t i = 0; i < barriers->count; i++) {
    scratch->blocked[count].barrier = i;
    count += blocked_of(line, &barriers->all[barriers->near[i]], barriers->keep, &scratch->blocked[count]);
  }
  sort_blocked(scratch->blocked, count);
  return count;
}

static bool add_interval(lwi_region_scratch *scratch, uint32_t edge, double from, double to, double length) {
  if (to - from < SHORTEST) return true;
  if (!lwi_reserve(scratch->memory, &scratch->free_intervals, &scratch->free_interval_capacity,
                   scratch->free_interval_count + 1, sizeof *scratch->free_intervals))
    return false;
  scratch->free_intervals[scratch->free_interval_count++] =
      (lwi_edge_interval){edge, from / length, to / length};
  return true;
}

bool lwi_region_free(lwi_region_scratch *scratch, const lwi_barriers *barriers, const lwi_point2 line[2],
                     uint32_t edge, double t0, double t1) {
  ray along = ray_of(line[0], line[1]);
  int count = find_blocked(scratch, barriers, &along);
  if (count < 0) return false;
  double at = t0 * along.length, end = t1 * along.length;
  for (int i = 0; i < count && at < end; i++) {
    if (!add_interval(scratch, edge, at, lwi_smaller(end, scratch->blocked[i].from), along.length))
      return false;
    at = lwi_larger(at, scratch->blocked[i].to);
  }
  return add_interval(scratch, edge, at, end, along.length);
}

/* --- distances -------------------------------------------------------------------------------------------- */

/* The pair of nearest points so far. */
typedef struct nearest_pair {
  double distance2;
  lwi_point2 a, b;
} nearest_pair;

static void try_point(nearest_pair *best, lwi_point2 point, lwi_point2 a, lwi_point2 b) {
  double dx = b.x - a.x, dz = b.z - a.z, length2 = dx * dx + dz * dz;
  double t = length2 > 0 ? ((point.x - a.x) * dx + (point.z - a.z) * dz) / length2 : 0;
  lwi_point2 foot = lwi_point2_lerp(a, b, lwi_smaller(1, lwi_larger(0, t)));
  double ex = foot.x - point.x, ez = foot.z - point.z, distance2 = ex * ex + ez * ez;
  if (distance2 < best->distance2) *best = (nearest_pair){distance2, point, foot};
}

static nearest_pair nearest_of(lwi_point2 a, lwi_point2 b, lwi_point2 c, lwi_point2 d) {
  double side_c = lwi_point2_turn(a, b, c), side_d = lwi_point2_turn(a, b, d);
  double side_a = lwi_point2_turn(c, d, a), side_b = lwi_point2_turn(c, d, b);
  if (side_c * side_d < 0 && side_a * side_b < 0) {
    lwi_point2 crossing = lwi_point2_lerp(a, b, side_a / (side_a - side_b));
    return (nearest_pair){0, crossing, crossing};
  }
  nearest_pair best = {INFINITY, a, a};
  try_point(&best, a, c, d);
  try_point(&best, b, c, d);
  try_point(&best, c, a, b);
  try_point(&best, d, a, b);
  return best;
}

static lwi_point2 begin_of(const lwi_barrier *barrier) {
  return (lwi_point2){barrier->ax, barrier->az};
}
static lwi_point2 end_of(const lwi_barrier *barrier) {
  return (lwi_point2){barrier->bx, barrier->bz};
}

double lwi_barrier_distance(const lwi_barrier *barrier, lwi_point2 a, lwi_point2 b) {
  return sqrt(nearest_of(begin_of(barrier), end_of(barrier), a, b).distance2);
}

/* Are the rectangles about two lines further apart than that in x or in z? */
static bool are_apart(lwi_point2 a, lwi_point2 b, lwi_point2 c, lwi_point2 d, double distance) {
  return lwi_smaller(a.x, b.x) > lwi_larger(c.x, d.x) + distance ||
         lwi_smaller(c.x, d.x) > lwi_larger(a.x, b.x) + distance ||
         lwi_smaller(a.z, b.z) > lwi_larger(c.z, d.z) + distance ||
         lwi_smaller(c.z, d.z) > lwi_larger(a.z, b.z) + distance;
}

bool lwi_barrier_is_near(const lwi_barrier *barrier, lwi_point2 a, lwi_point2 b, double distance) {
  const lwi_point2 begin = begin_of(barrier), end = end_of(barrier);
  return !are_apart(begin, end, a, b, distance) && nearest_of(begin, end, a, b).distance2 < distance * distance;
}

void lwi_region_nearest(const lwi_barriers *barriers, lwi_point2 a, lwi_point2 b, lwi_point2 *at,
                        lwi_point2 *wall) {
  double nearest2 = INFINITY;
  *at = *wall = a;
  for (uint32_t i = 0; i < barriers->count; i++) {
    const lwi_barrier *barrier = &barriers->all[barriers->near[i]];
    nearest_pair pair = nearest_of(begin_of(barrier), end_of(barrier), a, b);
    if (pair.distance2 >= nearest2) continue;
    nearest2 = pair.distance2;
    bool swapped =
        lwi_barrier_distance(barrier, pair.a, pair.a) > lwi_barrier_distance(barrier, pair.b, pair.b);
    *at = swapped ? pair.a : pair.b;
    *wall = swapped ? pair.b : pair.a;
  }
}

bool lwi_region_clear(const lwi_barriers *barriers, lwi_point2 a, lwi_point2 b, double slack) {
  double keep = barriers->keep - slack;
  for (uint32_t i = 0; keep > 0 && i < barriers->count; i++)
    if (lwi_barrier_is_near(&barriers->all[barriers->near[i]], a, b, keep)) return false;
  return true;
}

double lwi_outline_exit(const lwi_point2 *corners, uint32_t count, lwi_point2 point, lwi_point2 direction,
                        lwi_point2 *where) {
  lwi_point2 ahead = {point.x + direction.x, point.z + direction.z};
  double exit = 0, furthest = -INFINITY;
  for (uint32_t i = 0; i < count; i++) {
    lwi_point2 a = corners[i], b = corners[i + 1 < count ? i + 1 : 0];
    double side_a = lwi_point2_turn(point, ahead, a), side_b = lwi_point2_turn(point, ahead, b);
    if (!(side_a <= 0 && side_b > 0)) continue; /* the line leaves by an edge from its right to its left */
    double t = side_a / (side_a - side_b);
    lwi_point2 on = lwi_point2_lerp(a, b, t);
    double along = (on.x - point.x) * direction.x + (on.z - point.z) * direction.z;
    if (along <= furthest) continue;
    furthest = along;
    exit = i + t;
    *where = on;
  }
  return exit;
}

/* --- joining ---------------------------------------------------------------------------------------------- */

/* Nodes of the union-find are the capsules, and behind them the gaps: gap i follows free interval i on the
   outline. */
typedef struct joining {
  lwi_region_scratch *scratch;
  const lwi_barriers *barriers;
  lwi_free_outline outline;
} joining;

/* Blocked and free parts overlap by rounding at most, so their middles decide which comes first. */
static bool lies_before(const lwi_edge_interval *free_interval, uint32_t edge, double middle) {
  return free_interval->edge == edge && (free_interval->t0 + free_interval->t1) / 2 <= middle;
}

/* Join the capsules on this edge to their gap, and to those that they meet there.
   @param[in,out] next  The first free interval on this edge or later. */
static bool join_edge(const joining *work, uint32_t edge, uint32_t *next) {
  uint32_t *parents = work->scratch->parents, walls = work->barriers->count,
           free_intervals = work->outline.free_interval_count;
  ray line =
      ray_of(work->outline.corners[edge], work->outline.corners[edge + 1 < work->outline.count ? edge + 1 : 0]);
  if (!(line.length > 0)) return true;
  int count = find_blocked(work->scratch, work->barriers, &line);
  if (count < 0) return false;
  double reach = -INFINITY;
  for (int i = 0; i < count; i++) {
    const blocked_part *part = &work->scratch->blocked[i];
    double middle = (part->from + part->to) / 2 / line.length;
    while (*next < free_intervals && lies_before(&work->outline.free_intervals[*next], edge, middle))
      *next += 1;
    lwi_unite(parents, part->barrier, walls + (*next + free_intervals - 1) % free_intervals);
    if (i > 0 && part->from <= reach + MEET_SLACK) lwi_unite(parents, part->barrier, part[-1].barrier);
    reach = lwi_larger(reach, part->to);
  }
  while (*next < free_intervals && work->outline.free_intervals[*next].edge == edge) *next += 1;
  return true;
}

static bool holds(const joining *work, lwi_point2 point) {
  for (uint32_t i = 0; i < work->outline.count; i++)
    if (lwi_point2_turn(work->outline.corners[i],
                        work->outline.corners[i + 1 < work->outline.count ? i + 1 : 0], point) < 0)
      return false;
  return true;
}

static void join_inside(const joining *work) {
  uint32_t *parents = work->scratch->parents;
  double both = 2 * work->barriers->keep;
  for (uint32_t i = 0; i < work->barriers->count; i++) {
    const lwi_barrier *a = &work->barriers->all[work->barriers->near[i]];
    for (uint32_t j = i + 1; j < work->barriers->count; j++) {
      if (lwi_root_of(parents, i) == lwi_root_of(parents, j)) continue;
      const lwi_barrier *b = &work->barriers->all[work->barriers->near[j]];
      if (are_apart(begin_of(a), end_of(a), begin_of(b), end_of(b), both)) continue;
      nearest_pair pair = nearest_of(begin_of(a), end_of(a), begin_of(b), end_of(b));
      if (pair.distance2 < both * both && holds(work, lwi_point2_lerp(pair.a, pair.b, 0.5)))
        lwi_unite(parents, i, j);
    }
  }
}

bool lwi_region_join(lwi_region_scratch *scratch, const lwi_barriers *barriers, const lwi_free_outline *outline,
                     uint32_t *labels) {
  const joining work = {scratch, barriers, *outline};
  const uint32_t free_interval_count = outline->free_interval_count;
  uint32_t walls = barriers->count, nodes = walls + free_interval_count, next = 0;
  if (free_interval_count == 0) return true;
  if (!lwi_reserve(scratch->memory, &scratch->parents, &scratch->parent_capacity, (int)nodes,
                   sizeof *scratch->parents))
    return false;
  for (uint32_t i = 0; i < nodes; i++) scratch->parents[i] = i;
  for (uint32_t i = 0; i < free_interval_count; i++) labels[i] = i;
  for (uint32_t edge = 0; edge < outline->count; edge++)
    if (!join_edge(&work, edge, &next)) return false;
  join_inside(&work);
  /* From interval i, follow the capsules of gap i: they end at the next gap before it that belongs to the same
     capsules. The interval after that gap is in the same region. */
  for (uint32_t i = 0; i < free_interval_count; i++) {
    uint32_t chain = lwi_root_of(scratch->parents, walls + i), before = i;
    do before = (before + free_interval_count - 1) % free_interval_count;
    while (lwi_root_of(scratch->parents, walls + before) != chain);
    lwi_unite(labels, i, (before + 1) % free_interval_count);
  }
  for (uint32_t i = 0; i < free_interval_count; i++) labels[i] = lwi_root_of(labels, i);
  return true;
}
