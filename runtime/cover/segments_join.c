/* Segments that go on from one to the next, nearly straight and about as high, become one: walls of several facets that are
   not quite in one plane, pillars with many sides. And their order. */
#include "cover/segments.h"

#include "core/vec3.h"
#include "cover/beside.h"

#include <stdlib.h>

/* How far ends of two may be apart: in the plane and in height. [m] */
#define NEAR 0.03f
#define NEAR_HEIGHT 0.25f
/* How far places where two met may be beside the line from end to end, and over or under it. [m] */
#define BESIDE 0.05f
#define STRAY 0.15f
/* Cosine of how much the way may bend where two meet. */
#define BEND_LEAST 0.9f
/* How much their heights may differ; above this height over the ground they may in any way. [m] */
#define HEIGHT_SLACK 0.1f
#define TALL 2.6f
/* Segments within a square of this size stand together. [m] */
#define SQUARE 4.0f

/* Where a segment begins. */
typedef struct start {
  float x;
  int segment;
} start;

/* It goes on from another; it is in a chain that has been walked. */
enum { FOLLOWS = 1, DONE = 2 };

typedef struct joining {
  const lwi_cover_segment *segments;
  int count;
  start *starts;  /* [count] In order. */
  int *next;      /* [count] Which goes on where it ends; -1: none. */
  uint8_t *state; /* [count] */
} joining;

static bool as_high(const lwi_cover_segment *a, const lwi_cover_segment *b) {
  float top_a = fminf(a->top - a->a.y, TALL), top_b = fminf(b->top - b->a.y, TALL);
  float bottom_a = a->bottom - a->a.y, bottom_b = b->bottom - b->a.y;
  return fabsf(top_a - top_b) <= HEIGHT_SLACK && fabsf(bottom_a - bottom_b) <= HEIGHT_SLACK;
}

static bool goes_on(const lwi_cover_segment *a, const lwi_cover_segment *b) {
  if (a->kind != b->kind || lwi_distance_xz(a->b, b->a) > NEAR || fabsf(a->b.y - b->a.y) > NEAR_HEIGHT)
    return false;
  return lwi_dot(lwi_segment_along(a), lwi_segment_along(b)) >= BEND_LEAST && as_high(a, b);
}

static float distance_to_line(lw_vec3 a, lw_vec3 b, lw_vec3 p) {
  float length = lwi_distance_xz(a, b);
  return length > 0 ? (float)(fabs(lwi_turn(a, b, p)) / (double)length) : lwi_distance_xz(a, p);
}

/* How far from the line from end to end the ground is there. */
static float height_off(lw_vec3 a, lw_vec3 b, lw_vec3 p) {
  float length = lwi_distance_xz(a, b), at = length > 0 ? lwi_distance_xz(a, p) / length : 0;
  return fabsf(a.y + (b.y - a.y) * at - p.y);
}

static lwi_cover_segment united(const lwi_cover_segment *a, const lwi_cover_segment *b) {
  lwi_cover_segment one = *a;
  one.b = b->b;
  /* Over level ground heights are the walls' own, exactly. */
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

/* The nearest that goes on where it ends, and is not taken. */
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
    if (k == i || (j->state[k] & FOLLOWS) || far >= nearest || !goes_on(of, &j->segments[k])) continue;
    nearest = far;
    best = k;
  }
  return best;
}

/* A chain from segment `i` on; of a ring, all round. */
static bool walk_chain(const joining *j, int i, lwi_segment_list *out) {
  lwi_cover_segment one = j->segments[i];
  float beside = 0, stray = 0;
  for (int k = j->next[i], left = j->count; k >= 0 && k != i && left > 0; k = j->next[k], left--) {
    const lwi_cover_segment *other = &j->segments[k];
    lwi_cover_segment both = united(&one, other);
    float off = distance_to_line(both.a, both.b, one.b) + beside;
    float up = height_off(both.a, both.b, one.b) + stray;
    bool joins = off <= BESIDE && up <= STRAY && as_high(&one, other) &&
                 lwi_distance_xz(both.a, both.b) > NEAR && both.top - both.bottom >= LWI_COVER_SOLID_LEAST;
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

/* --- order --------------------------------------------------------------------------------------------------------- */

/* Squares along a curve that stays near (Morton's). */
static uint64_t spread_bits(uint32_t number) {
  uint64_t x = number;
  x = (x | x << 16) & 0x0000ffff0000ffff;
  x = (x | x << 8) & 0x00ff00ff00ff00ff;
  x = (x | x << 4) & 0x0f0f0f0f0f0f0f0f;
  x = (x | x << 2) & 0x3333333333333333;
  return (x | x << 1) & 0x5555555555555555;
}

typedef struct place {
  uint64_t square;
  const lwi_cover_segment *segment;
} place;

static int compare_numbers(const float *a, const float *b, int count) {
  for (int i = 0; i < count; i++)
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  return 0;
}

/* In a square by what they are, whichever was found first. */
static int compare_places(const void *left, const void *right) {
  const place *a = left, *b = right;
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

bool lwi_segments_sort(lwi_segment_list *list) {
  if (list->count == 0) return true;
  size_t count = (size_t)list->count;
  place *places = lwi_alloc(list->memory, count * sizeof *places);
  lwi_cover_segment *items = lwi_alloc(list->memory, count * sizeof *items);
  bool done = places && items;
  lw_box box = lwi_box_empty();
  for (int i = 0; i < list->count; i++) box = lwi_box_add(lwi_box_add(box, list->items[i].a), list->items[i].b);
  for (int i = 0; i < list->count && done; i++)
    places[i] = (place){square_of(&list->items[i], box.min), &list->items[i]};
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

void lwi_segments_blocks(const lwi_cover_segment *segments, uint32_t count, lw_box *blocks) {
  for (uint32_t i = 0; i < count; i++) {
    lw_box *block = &blocks[i / LWI_COVER_BLOCK];
    if (i % LWI_COVER_BLOCK == 0) *block = lwi_box_empty();
    *block = lwi_box_add(lwi_box_add(*block, segments[i].a), segments[i].b);
  }
}
