/* Lists of cover segments. Segments that continue each other nearly straight at about equal height are
   joined: walls of several facets that are not quite in one plane, pillars with many sides. */
#include "bake/cover_segments.h"

#include "bake/wall_ground.h"
#include "core/vec3.h"

#include <stdlib.h>
#include <string.h>

#define NEAR LWI_SEGMENTS_NEAR
/* How far the points where segments were joined may lie beside the line from end to end, and over or under
   it. [m] */
#define BESIDE 0.05f
#define STRAY 0.15f
/* The greatest turn between joined segments. [cosine] */
#define TURN_MIN 0.9f
/* How much heights of joined segments may differ; heights above TALL may differ in any case. [m] */
#define HEIGHT_SLACK 0.1f
#define TALL 2.6f
/* Size of the squares by which segments are ordered. [m] */
#define SQUARE 4.0f

/* A segment by the x of its start. */
typedef struct start {
  float x;
  int segment;
} start;

/* FOLLOWS: it continues another segment. DONE: it is part of a finished chain. */
enum { FOLLOWS = 1, DONE = 2 };

typedef struct joining {
  const lwi_cover_segment *segments;
  int count;
  start *starts;  /* [count] sorted */
  int *next;      /* [count] the segment that continues it; -1: none */
  uint8_t *state; /* [count] */
} joining;

static bool as_high(const lwi_cover_segment *a, const lwi_cover_segment *b) {
  float top_a = fminf(a->top - a->a.y, TALL), top_b = fminf(b->top - b->a.y, TALL);
  float bottom_a = a->bottom - a->a.y, bottom_b = b->bottom - b->a.y;
  return fabsf(top_a - top_b) <= HEIGHT_SLACK && fabsf(bottom_a - bottom_b) <= HEIGHT_SLACK;
}

bool lwi_segments_go_on(const lwi_cover_segment *a, const lwi_cover_segment *b) {
  if (a->kind != b->kind || lwi_distance_xz(a->b, b->a) > NEAR ||
      fabsf(a->b.y - b->a.y) > LWI_SEGMENTS_NEAR_HEIGHT)
    return false;
  return lwi_dot(lwi_segment_along(a), lwi_segment_along(b)) >= TURN_MIN && as_high(a, b);
}

static float distance_to_line(lw_vec3 a, lw_vec3 b, lw_vec3 p) {
  float length = lwi_distance_xz(a, b);
  return length > 0 ? (float)(fabs(lwi_turn(a, b, p)) / (double)length) : lwi_distance_xz(a, p);
}

/* The ground's height at p over or under the line from a to b. */
static float height_off(lw_vec3 a, lw_vec3 b, lw_vec3 p) {
  float length = lwi_distance_xz(a, b), at = length > 0 ? lwi_distance_xz(a, p) / length : 0;
  return fabsf(a.y + (b.y - a.y) * at - p.y);
}

static lwi_cover_segment united(const lwi_cover_segment *a, const lwi_cover_segment *b) {
  lwi_cover_segment one = *a;
  one.b = b->b;
  /* On level ground heights are the walls' own, exactly. */
  float sunk = a->a.y == a->b.y && a->a.y == b->a.y && b->a.y == b->b.y ? 0 : a->a.y - b->a.y;
  one.top = fminf(a->top, b->top + sunk);
  one.bottom = fmaxf(a->bottom, b->bottom + sunk);
  return one;
}

static int compare_starts(const void *left, const void *right) {
  const start *a = left, *b = right;
  if (a->x != b->x) return a->x < b->x ? -1 : 1;
  return a->segment - b->segment;
}

/* The nearest segment that continues this one and follows no other. */
static int find_next(const joining *j, int i) {
  const lwi_cover_segment *of = &j->segments[i];
  int low = 0, high = j->count, best = -1;
  float nearest = INFINITY;
  while (low < high) {
    int half = (low + high) / 2;
    if (j->starts[half].x < of->b.x - NEAR)
      low = half + 1;
    else
      high = half;
  }
  for (; low < j->count && j->starts[low].x <= of->b.x + NEAR; low++) {
    int k = j->starts[low].segment;
    float far = lwi_distance(of->b, j->segments[k].a);
    if (k == i || (j->state[k] & FOLLOWS) || far >= nearest || !lwi_segments_go_on(of, &j->segments[k]))
      continue;
    nearest = far;
    best = k;
  }
  return best;
}

/* Join the chain that begins with segment `i`; a closed chain goes all round. */
static bool walk_chain(const joining *j, int i, lwi_segment_list *out) {
  lwi_cover_segment one = j->segments[i];
  float beside = 0, stray = 0;
  for (int k = j->next[i], left = j->count; k >= 0 && k != i && left > 0; k = j->next[k], left--) {
    const lwi_cover_segment *other = &j->segments[k];
    lwi_cover_segment both = united(&one, other);
    float off = distance_to_line(both.a, both.b, one.b) + beside;
    float up = height_off(both.a, both.b, one.b) + stray;
    bool joins = off <= BESIDE && up <= STRAY && as_high(&one, other) &&
                 lwi_distance_xz(both.a, both.b) > NEAR && both.top - both.bottom >= LWI_COVER_SOLID_MIN;
    if (!joins && !lwi_segments_add(out, &one)) return false;
    one = joins ? both : *other;
    beside = joins ? off : 0;
    stray = joins ? up : 0;
    j->state[k] |= DONE;
  }
  j->state[i] |= DONE;
  return lwi_segments_add(out, &one);
}

static bool join_all(joining *j, lwi_segment_list *out) {
  for (int i = 0; i < j->count; i++) j->starts[i] = (start){j->segments[i].a.x, i};
  qsort(j->starts, (size_t)j->count, sizeof *j->starts, compare_starts);
  for (int i = 0; i < j->count; i++) {
    j->next[i] = find_next(j, i);
    if (j->next[i] >= 0) j->state[j->next[i]] |= FOLLOWS;
  }
  for (int i = 0; i < j->count; i++)
    if (!(j->state[i] & FOLLOWS) && !walk_chain(j, i, out)) return false;
  for (int i = 0; i < j->count; i++)
    if (!(j->state[i] & DONE) && !walk_chain(j, i, out)) return false;
  return true;
}

bool lwi_segments_join(lwi_segment_list *list) {
  if (list->count == 0) return true;
  lwi_memory *memory = list->memory;
  size_t count = (size_t)list->count;
  lwi_segment_list out = {.memory = memory};
  joining j = {.segments = list->items,
               .count = list->count,
               .starts = lwi_alloc(memory, count * sizeof *j.starts),
               .next = lwi_alloc(memory, count * sizeof *j.next),
               .state = lwi_alloc_zero(memory, count)};
  bool done = j.starts && j.next && j.state && join_all(&j, &out);
  lwi_free(memory, j.starts, count * sizeof *j.starts);
  lwi_free(memory, j.next, count * sizeof *j.next);
  lwi_free(memory, j.state, count);
  if (done) {
    lwi_segments_free(list);
    *list = out;
  } else {
    lwi_segments_free(&out);
  }
  return done;
}

void lwi_segments_drop(lwi_segment_list *list, float length) {
  int count = 0;
  for (int i = 0; i < list->count; i++)
    if (lwi_distance_xz(list->items[i].a, list->items[i].b) >= length) list->items[count++] = list->items[i];
  list->count = count;
}

/* --- order ------------------------------------------------------------------------------------------------ */

/* Spread bits for Morton's curve, which keeps near squares together. */
static uint64_t spread_bits(uint32_t number) {
  uint64_t x = number;
  x = (x | x << 16) & 0x0000ffff0000ffff;
  x = (x | x << 8) & 0x00ff00ff00ff00ff;
  x = (x | x << 4) & 0x0f0f0f0f0f0f0f0f;
  x = (x | x << 2) & 0x3333333333333333;
  return (x | x << 1) & 0x5555555555555555;
}

typedef struct ordered {
  uint64_t square;
  const lwi_cover_segment *segment;
} ordered;

static lw_vec3 corner_of(const lwi_cover_segment *segments, uint32_t count) {
  lw_box box = lwi_box_empty();
  for (uint32_t i = 0; i < count; i++) box = lwi_box_add(lwi_box_add(box, segments[i].a), segments[i].b);
  return box.min;
}

static int compare_numbers(const float *a, const float *b, int count) {
  for (int i = 0; i < count; i++)
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  return 0;
}

/* Within a square by their numbers, so that the order does not depend on how they were found. */
static int compare_places(const void *left, const void *right) {
  const ordered *a = left, *b = right;
  if (a->square != b->square) return a->square < b->square ? -1 : 1;
  const lwi_cover_segment *one = a->segment, *other = b->segment;
  const float here[] = {one->a.x, one->a.y, one->a.z, one->b.x, one->b.y, one->b.z, one->bottom, one->top};
  const float there[] = {other->a.x, other->a.y, other->a.z,    other->b.x,
                         other->b.y, other->b.z, other->bottom, other->top};
  const int order = compare_numbers(here, there, 8);
  return order != 0 ? order : one->kind - other->kind;
}

static uint64_t square_of(const lwi_cover_segment *segment, lw_vec3 corner) {
  float x = (segment->a.x + segment->b.x) / 2 - corner.x, z = (segment->a.z + segment->b.z) / 2 - corner.z;
  return spread_bits((uint32_t)(fmaxf(x, 0) / SQUARE)) | spread_bits((uint32_t)(fmaxf(z, 0) / SQUARE)) << 1;
}

static bool sort_from(lwi_segment_list *list, lw_vec3 corner) {
  if (list->count == 0) return true;
  const size_t count = (size_t)list->count;
  ordered *places = lwi_alloc(list->memory, count * sizeof *places);
  lwi_cover_segment *items = lwi_alloc(list->memory, count * sizeof *items);
  const bool done = places && items;
  for (size_t i = 0; i < count && done; i++)
    places[i] = (ordered){square_of(&list->items[i], corner), &list->items[i]};
  if (done) {
    qsort(places, count, sizeof *places, compare_places);
    for (size_t i = 0; i < count; i++) items[i] = *places[i].segment;
    lwi_segments_free(list);
    list->items = items;
    list->count = list->capacity = (int)count;
  } else {
    lwi_free(list->memory, items, count * sizeof *items);
  }
  lwi_free(list->memory, places, count * sizeof *places);
  return done;
}

bool lwi_segments_sort(lwi_segment_list *list) {
  return sort_from(list, corner_of(list->items, (uint32_t)list->count));
}

/* Both are in order: put the ones between the others, from the end on. */
static void put_between(lwi_segment_list *list, const lwi_segment_list *added, lw_vec3 corner) {
  int from = list->count, to = list->count + added->count;
  list->count = to;
  for (int i = added->count; i-- > 0;) {
    const ordered own = {square_of(&added->items[i], corner), &added->items[i]};
    while (from > 0) {
      const ordered other = {square_of(&list->items[from - 1], corner), &list->items[from - 1]};
      if (compare_places(&other, &own) <= 0) break;
      list->items[--to] = list->items[--from];
    }
    list->items[--to] = added->items[i];
  }
}

bool lwi_segments_merge(lwi_segment_list *list, lwi_segment_list *added, const lwi_cover *before) {
  const int count = list->count + added->count;
  if (count == 0) return true;
  const lw_vec3 was = corner_of(before->segments, before->segment_count),
                kept = corner_of(list->items, (uint32_t)list->count),
                come = corner_of(added->items, (uint32_t)added->count),
                corner = {fminf(kept.x, come.x), fminf(kept.y, come.y), fminf(kept.z, come.z)};
  if (!sort_from(added, corner) ||
      !lwi_reserve(list->memory, &list->items, &list->capacity, count, sizeof *list->items))
    return false;
  if (list->count == 0 || (was.x == corner.x && was.z == corner.z)) {
    put_between(list, added, corner);
    return true;
  }
  for (int i = 0; i < added->count; i++) list->items[list->count++] = added->items[i];
  return sort_from(list, corner);
}

void lwi_segments_blocks(const lwi_cover_segment *segments, uint32_t count, lw_box *blocks) {
  for (uint32_t i = 0; i < count; i++) {
    lw_box *block = &blocks[i / LWI_COVER_BLOCK];
    if (i % LWI_COVER_BLOCK == 0) *block = lwi_box_empty();
    *block = lwi_box_add(lwi_box_add(*block, segments[i].a), segments[i].b);
  }
}

/* --- what designers say ----------------------------------------------------------------------------------- */

/* Shorter pieces are dropped. [m] */
#define PIECE_MIN 0.25f
/* Tolerance: a wall's face may lie this far outside of a box drawn about it. [m] */
#define OUTSIDE 0.02
/* Distance between tests for ground along an added segment. [m] */
#define STEP 0.25f

/* Part of a segment, in parameters 0..1. */
typedef struct part {
  double from, to;
} part;

/* Keep the part where a linear function with values a and b at the segment's ends is not negative. */
static void keep(part *of, double a, double b) {
  if (a < 0 && b < 0) of->to = of->from;
  if (a < 0 && b >= 0) of->from = fmax(of->from, a / (a - b));
  if (b < 0 && a >= 0) of->to = fmin(of->to, a / (a - b));
}

/* The part inside the excluded volume: within its polygon, which is convex and counter-clockwise, and where
   the heights that hide an agent overlap its heights. @param height  Of the agent. [m] */
static part find_inside(const lwi_cover_segment *segment, const lwi_cover_veto *veto, const lw_vec3 *points,
                        float height) {
  part inside = {0, 1};
  const double rise = (double)fminf(segment->top - segment->a.y, height);
  keep(&inside, (double)segment->a.y + rise - (double)veto->bottom,
       (double)segment->b.y + rise - (double)veto->bottom);
  keep(&inside, (double)veto->top - (double)segment->a.y, (double)veto->top - (double)segment->b.y);
  for (uint32_t i = 0; i < veto->point_count && inside.from < inside.to; i++) {
    lw_vec3 p = points[i], q = points[i + 1 < veto->point_count ? i + 1 : 0];
    double slack = OUTSIDE * (double)lwi_distance_xz(p, q);
    keep(&inside, lwi_turn(p, q, segment->a) + slack, lwi_turn(p, q, segment->b) + slack);
  }
  return inside;
}

static bool add_piece(lwi_segment_list *out, const lwi_cover_segment *segment, float from, float to) {
  lwi_cover_segment piece = *segment;
  if (from > 0) piece.a = lwi_lerp(segment->a, segment->b, from);
  if (to < 1) piece.b = lwi_lerp(segment->a, segment->b, to);
  piece.top += piece.a.y - segment->a.y;
  piece.bottom += piece.a.y - segment->a.y;
  return lwi_distance_xz(piece.a, piece.b) < PIECE_MIN || lwi_segments_add(out, &piece);
}

static bool cut(lwi_segment_list *out, const lwi_cover_segment *segment, part inside) {
  if (!(inside.from < inside.to)) return lwi_segments_add(out, segment);
  return add_piece(out, segment, 0, (float)inside.from) && add_piece(out, segment, (float)inside.to, 1);
}

bool lwi_segments_veto(lwi_segment_list *list, const lwi_cover *edits, float height) {
  bool done = true;
  for (uint32_t v = 0; v < edits->veto_count && done; v++) {
    lwi_segment_list out = {.memory = list->memory};
    const lwi_cover_veto *veto = &edits->vetoes[v];
    for (int i = 0; i < list->count && done; i++) {
      const lwi_cover_segment *segment = &list->items[i];
      done = cut(&out, segment, find_inside(segment, veto, edits->veto_points + veto->first_point, height));
    }
    lwi_segments_free(list);
    *list = out;
  }
  return done;
}

/* --- asked for -------------------------------------------------------------------------------------------- */

/* Is there ground beside the segment at t? @return 1: yes; 0: no; -1: out of memory. */
static int is_ground_at(lwi_beside *beside, const lwi_cover_segment *segment, float t) {
  const lw_vec3 at = lwi_lerp(segment->a, segment->b, t), normal = lwi_segment_normal(segment);
  const lwi_wall_place place = {
      .x = at.x, .z = at.z, .hx = normal.x, .hz = normal.z, .low = at.y, .high = at.y + LWI_COVER_TOP_MIN};
  const lw_box box = lwi_beside_reach(beside, &place, lwi_box_empty());
  if (!lwi_beside_gather(beside, &box)) return -1;
  return lwi_beside_is_ground(beside, &place, at.y);
}

/* The part from the first to the last test point with ground. @return false: out of memory. */
static bool find_ground(lwi_beside *beside, const lwi_cover_segment *segment, part *found) {
  const int steps = (int)ceilf(lwi_distance_xz(segment->a, segment->b) / STEP);
  *found = (part){0, 0};
  for (int i = 0; i < steps; i++) {
    const int is_ground = is_ground_at(beside, segment, ((float)i + 0.5f) / (float)steps);
    if (is_ground < 0) return false;
    if (!is_ground) continue;
    if (found->to <= 0) found->from = (double)i / steps;
    found->to = (i + 1.0) / steps;
  }
  return true;
}

static bool add_asked(lwi_segment_list *list, lwi_beside *beside, lwi_cover_segment *asked) {
  lwi_cover_segment segment = *asked;
  const int before = list->count;
  part ground;
  if (!find_ground(beside, asked, &ground)) return false;
  segment.asked = 0;
  if (ground.from < ground.to && !add_piece(list, &segment, (float)ground.from, (float)ground.to)) return false;
  if (list->count == before) asked->asked |= LWI_ASKED_NOWHERE;
  return true;
}

bool lwi_segments_add_asked(lwi_segment_list *list, const lwi_segment_places *places, lwi_cover *edits) {
  lwi_beside beside = {list->memory, places->lines, places->mesh, places->boxes, places->has, NULL, 0, 0};
  bool done = true;
  for (uint32_t i = 0; i < edits->added_count && done; i++) done = add_asked(list, &beside, &edits->added[i]);
  lwi_beside_free(&beside);
  return done;
}
