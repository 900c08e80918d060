#include "bake/facets.h"

#include "core/dvec3.h"
#include "core/hash.h"
#include "core/hash_index.h"

#include <limits.h>
#include <string.h>

/* --- cutting ---------------------------------------------------------------------------------------------- */

/* How many more pieces than 5/4 of the triangles are few. [pieces] */
#define MORE_PIECES 10000
/* The first margin to try. [m] */
#define MARGIN_MAX 4096.0f
/* The size of a level that the BVH can hold. [quanta] */
#define LEVEL_QUANTA (255.0 * LWI_QUANTA_MAX)

static float longest_side(lw_box box) {
  return fmaxf(box.max.x - box.min.x, fmaxf(box.max.y - box.min.y, box.max.z - box.min.z));
}

/* The longest edge, by its first corner, if it is longer than the limit along some axis. @return -1: none
   is. */
static int find_long_edge(const lw_vec3 corners[3], float limit) {
  int longest = -1;
  for (int i = 0; i < 3; i++) {
    const lw_vec3 edge = lwi_sub(corners[(i + 1) % 3], corners[i]);
    const float side = fmaxf(fabsf(edge.x), fmaxf(fabsf(edge.y), fabsf(edge.z)));
    if (!(side > limit)) continue;
    limit = side;
    longest = i;
  }
  return longest;
}

/* Both halves of a triangle cut at the middle of an edge. */
static void halve(const lw_vec3 corners[3], int edge, lw_vec3 halves[2][3]) {
  const lw_vec3 middle = lwi_scale(lwi_add(corners[edge], corners[(edge + 1) % 3]), 0.5f);
  for (int i = 0; i < 3; i++) halves[0][i] = halves[1][i] = corners[i];
  halves[0][(edge + 1) % 3] = middle;
  halves[1][edge] = middle;
}

static bool is_far(const lwi_facet_cut *cut, const lw_vec3 corners[3]) {
  lw_box box = lwi_box_empty();
  for (int k = 0; k < 3; k++) box = lwi_box_add(box, corners[k]);
  return !lwi_box_overlaps(box, cut->region);
}

lwi_facet_piece lwi_facet_cut_piece(const lwi_facet_cut *cut, const lw_vec3 corners[3], lw_vec3 halves[2][3]) {
  if (is_far(cut, corners)) return LWI_PIECE_FAR;
  const int edge = find_long_edge(corners, cut->limit);
  if (edge < 0) return LWI_PIECE_WHOLE;
  halve(corners, edge, halves);
  return LWI_PIECE_CUT;
}

/* @param[in,out] left  How many more pieces are allowed; counting ends below zero. */
static void count_pieces(const lwi_facet_cut *cut, const lw_vec3 corners[3], int *left) {
  lw_vec3 halves[2][3];
  const lwi_facet_piece piece = *left < 0 ? LWI_PIECE_FAR : lwi_facet_cut_piece(cut, corners, halves);
  if (piece == LWI_PIECE_WHOLE) *left -= 1;
  if (piece != LWI_PIECE_CUT) return;
  count_pieces(cut, halves[0], left);
  count_pieces(cut, halves[1], left);
}

/* @return Whether there are few enough. */
static bool has_few_pieces(const lwi_occluder_source *source, lwi_facet_cut *cut) {
  const int limit = source->triangle_count + source->triangle_count / 4 + MORE_PIECES;
  int left = limit;
  for (int i = 0; i < source->triangle_count && left >= 0; i++) {
    lw_vec3 corners[3];
    lwi_source_corners(source, i, corners);
    if (lwi_source_kind(source, i) != LW_COVER_NONE) count_pieces(cut, corners, &left);
  }
  cut->pieces = limit - left;
  return left >= 0;
}

/* The lattice is as fine as two limits allow: pieces span at most LWI_QUANTA_MAX / 2, the level
   LEVEL_QUANTA. Merged facets are checked one by one. @param whole  The bounds of all triangles. */
static void set_margin(lwi_facet_cut *cut, const lwi_occluder_source *source, lw_box whole, float margin) {
  *cut = (lwi_facet_cut){.margin = margin, .region = whole};
  if (margin < INFINITY) cut->region = lwi_box_grow(*source->place, margin);
  /* Pieces reach beyond the region by their length. */
  const float out = fmaxf(100, longest_side(cut->region) / 100);
  const lw_box kept = lwi_box_common(whole, lwi_box_grow(cut->region, out));
  double quantum = (double)LWI_CUT_QUANTUM_MIN;
  if (source->triangle_count > 0) quantum = fmax(quantum, (double)longest_side(kept) / LEVEL_QUANTA);
  cut->origin = kept.min;
  cut->quantum = (float)quantum;
  cut->limit = (float)(quantum * (LWI_QUANTA_MAX / 2));
}

/* On the lattice of what is finished, triangles are cut as finely as that asks for. */
static lwi_facet_cut keep_lattice(const lwi_occluder_source *source) {
  lwi_facet_cut cut = {.region = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}},
                       .margin = INFINITY,
                       .limit = source->quantum * (LWI_QUANTA_MAX / 2),
                       .quantum = source->quantum,
                       .origin = source->origin};
  int left = INT_MAX;
  for (int i = 0; i < source->triangle_count; i++) {
    lw_vec3 corners[3];
    lwi_source_corners(source, i, corners);
    count_pieces(&cut, corners, &left);
  }
  cut.pieces = INT_MAX - left;
  return cut;
}

lwi_facet_cut lwi_facet_cut_choose(const lwi_occluder_source *source) {
  lwi_facet_cut cut;
  if (source->quantum > 0) return keep_lattice(source);
  lw_box whole = lwi_box_empty();
  for (int i = 0; i < 3 * source->triangle_count; i++)
    whole = lwi_box_add(whole, source->vertices[source->indices[i]]);
  set_margin(&cut, source, whole, INFINITY);
  bool few = has_few_pieces(source, &cut);
  for (float margin = MARGIN_MAX; source->place && margin >= LWI_CUT_MARGIN_MIN; margin /= 2) {
    if (few && cut.quantum <= LWI_CUT_QUANTUM_MIN) return cut;
    set_margin(&cut, source, whole, margin);
    few = has_few_pieces(source, &cut);
  }
  while (!few) {
    cut.limit *= 2;
    cut.quantum = cut.limit / (LWI_QUANTA_MAX / 2);
    few = has_few_pieces(source, &cut);
  }
  return cut;
}

/* --- merging ---------------------------------------------------------------------------------------------- */

/* Two facets that share an edge are merged while the result is convex and flat, longest edges first (Hertel
   and Mehlhorn 1983, applied to the facets of a surface). */

/* How far corners of a facet may lie from its plane. [m] */
#define FLAT_SLACK 0.01
/* Corners closer than this to the line between their neighbours are left out. [m] */
#define LINE_SLACK 1e-3

typedef struct facet_edge {
  int facet;     /* -1: a free slot */
  uint8_t index; /* the corner where it begins */
  int next;      /* the same edge of the next facet, in `more`; -1: none */
} facet_edge;

/* Edges with the same ends and direction. */
typedef struct edge_slot {
  uint32_t low, high;
  facet_edge first;
  int last;     /* in `more`; -1: the first is the only one */
  bool forward; /* they run from low to high */
  bool met;     /* the first has met an edge that runs the other way */
} edge_slot;

typedef struct facet_pair {
  double length2;
  int facet[2];
  uint8_t index[2];
} facet_pair;

/* --- lattice ---------------------------------------------------------------------------------------------- */

static uint32_t hash_point(const int32_t point[3]) {
  uint32_t hash = 0;
  for (int i = 0; i < 3; i++) {
    hash = (hash ^ (uint32_t)point[i]) * 0x9e3779b1u;
    hash ^= hash >> 15;
  }
  return hash;
}

typedef struct lattice {
  lwi_facets *facets;
  const lwi_facet_cut *cut;
  uint32_t *slots, mask; /* 1 + the point's number; 0: free */
  lwi_hash_index index;  /* of the facets */
} lattice;

/* @param origin  Of the lattice, in the coordinates of the point. */
static bool add_point(lattice *of, lw_vec3 v, lw_vec3 origin, uint32_t *number) {
  lwi_facets *facets = of->facets;
  const double quantum = (double)facets->quantum;
  int32_t point[3] = {(int32_t)lrint(((double)v.x - origin.x) / quantum),
                      (int32_t)lrint(((double)v.y - origin.y) / quantum),
                      (int32_t)lrint(((double)v.z - origin.z) / quantum)};
  uint32_t slot = hash_point(point) & of->mask;
  for (; of->slots[slot] != 0; slot = (slot + 1) & of->mask)
    if (memcmp(facets->points[of->slots[slot] - 1], point, sizeof point) == 0) {
      *number = of->slots[slot] - 1;
      return true;
    }
  if (!lwi_reserve(facets->memory, &facets->points, &facets->point_capacity, facets->point_count + 1,
                   sizeof *facets->points))
    return false;
  memcpy(facets->points[facets->point_count], point, sizeof point);
  *number = (uint32_t)facets->point_count++;
  of->slots[slot] = *number + 1;
  return true;
}

/* --- planes ----------------------------------------------------------------------------------------------- */

static lwi_dvec3 between(const lwi_facets *facets, uint32_t a, uint32_t b) {
  const int32_t *p = facets->points[a], *q = facets->points[b];
  const double quantum = (double)facets->quantum;
  return (lwi_dvec3){(q[0] - (double)p[0]) * quantum, (q[1] - (double)p[1]) * quantum,
                     (q[2] - (double)p[2]) * quantum};
}

/* The normal, of twice the area's length (Newell). */
static lwi_dvec3 facet_normal(const lwi_facets *facets, const lwi_facet *facet) {
  lwi_dvec3 sum = {0, 0, 0};
  for (int i = 2; i < facet->count; i++) {
    lwi_dvec3 n = lwi_dvec3_cross(between(facets, facet->corners[0], facet->corners[i - 1]),
                                  between(facets, facet->corners[0], facet->corners[i]));
    sum = (lwi_dvec3){sum.x + n.x, sum.y + n.y, sum.z + n.z};
  }
  return sum;
}

static bool is_flat(const lwi_facets *facets, const lwi_facet *facet, lwi_dvec3 normal, double length) {
  double low = 0, high = 0;
  for (int i = 1; i < facet->count; i++) {
    double off = lwi_dvec3_dot(normal, between(facets, facet->corners[0], facet->corners[i])) / length;
    low = fmin(low, off);
    high = fmax(high, off);
  }
  return high - low <= FLAT_SLACK;
}

/* Does the outline turn left at every corner, seen against the normal? */
static bool is_convex(const lwi_facets *facets, const lwi_facet *facet, lwi_dvec3 normal, double length) {
  for (int i = 0; i < facet->count; i++) {
    uint32_t a = facet->corners[i], b = facet->corners[(i + 1) % facet->count];
    lwi_dvec3 ab = between(facets, a, b), bc = between(facets, b, facet->corners[(i + 2) % facet->count]);
    double bend = lwi_dvec3_dot(lwi_dvec3_cross(ab, bc), normal) / length;
    if (bend < -LINE_SLACK * sqrt(fmax(lwi_dvec3_dot(ab, ab), lwi_dvec3_dot(bc, bc)))) return false;
    if (lwi_dvec3_dot(ab, bc) < 0 && bend <= 0) return false; /* the outline folds back */
  }
  return true;
}

static bool fits_in_16_bits(const lwi_facets *facets, const lwi_facet *facet) {
  for (int axis = 0; axis < 3; axis++) {
    int64_t low = INT64_MAX, high = INT64_MIN;
    for (int i = 0; i < facet->count; i++) {
      int64_t at = facets->points[facet->corners[i]][axis];
      low = at < low ? at : low;
      high = at > high ? at : high;
    }
    if (high - low > LWI_QUANTA_MAX) return false;
  }
  return true;
}

/* --- merging ---------------------------------------------------------------------------------------------- */

/* Remove a corner that lies on the line between its neighbours. @return How many corners are left. */
static int drop_if_straight(const lwi_facets *facets, uint32_t *outline, int count, uint32_t corner) {
  for (int i = 0; i < count && count > 3; i++) {
    if (outline[i] != corner) continue;
    uint32_t before = outline[(i + count - 1) % count], after = outline[(i + 1) % count];
    lwi_dvec3 ac = between(facets, before, after), n = lwi_dvec3_cross(between(facets, before, corner), ac);
    if (lwi_dvec3_dot(n, n) > LINE_SLACK * LINE_SLACK * lwi_dvec3_dot(ac, ac)) return count;
    memmove(outline + i, outline + i + 1, (size_t)(count - i - 1) * sizeof *outline);
    return count - 1;
  }
  return count;
}

/* The outline of both facets without their common edge. @return false: too many corners. */
static bool splice(const lwi_facets *facets, const facet_pair *pair, lwi_facet *merged) {
  const lwi_facet *a = &facets->facets[pair->facet[0]], *b = &facets->facets[pair->facet[1]];
  uint32_t outline[2 * LWI_OCCLUDER_CORNERS];
  int count = 0;
  for (int i = 1; i <= a->count; i++) outline[count++] = a->corners[(pair->index[0] + i) % a->count];
  for (int i = 2; i < b->count; i++) outline[count++] = b->corners[(pair->index[1] + i) % b->count];
  if (count > LWI_OCCLUDER_CORNERS + 2) return false;
  uint32_t ends[2] = {a->corners[pair->index[0]], a->corners[(pair->index[0] + 1) % a->count]};
  for (int k = 0; k < 2; k++) count = drop_if_straight(facets, outline, count, ends[k]);
  lwi_facet result = {.kind = a->kind};
  if (count > LWI_OCCLUDER_CORNERS) return false;
  memcpy(result.corners, outline, (size_t)count * sizeof *outline);
  result.count = (uint8_t)count;
  *merged = result;
  return true;
}

static bool try_merge(lwi_facets *facets, const facet_pair *pair) {
  lwi_facet *a = &facets->facets[pair->facet[0]], *b = &facets->facets[pair->facet[1]], merged;
  if (a->kind != b->kind || !splice(facets, pair, &merged)) return false;
  lwi_dvec3 normal = facet_normal(facets, &merged), na = facet_normal(facets, a), nb = facet_normal(facets, b);
  double length = sqrt(lwi_dvec3_dot(normal, normal));
  if (!(length > 0) || lwi_dvec3_dot(na, nb) <= 0) return false;
  if (!is_flat(facets, &merged, normal, length) || !is_convex(facets, &merged, normal, length)) return false;
  if (!fits_in_16_bits(facets, &merged)) return false;
  *a = merged;
  b->count = 0;
  return true;
}

typedef struct merge_scratch {
  edge_slot *edges; /* [slot_limit] open addressing by the edges' ends */
  facet_edge *more; /* [3 * triangles] edges but the first of each slot */
  int more_count;
  uint32_t slot_limit; /* a power of two, as `slots` */
  uint32_t slots;      /* used in this round */
  facet_pair *pairs;   /* [3 * triangles] */
  facet_pair *swap;    /* [3 * triangles] for sorting */
  int *starts;         /* [triangles + 1] */
  bool *fresh, *taken; /* [triangles] merged in the last round; merged in this one */
} merge_scratch;

static uint32_t hash_edge(uint32_t low, uint32_t high) {
  uint32_t hash = (low * 0x9e3779b1u ^ high) * 0x85ebca6bu;
  return hash ^ hash >> 15;
}

static edge_slot *slot_of(const merge_scratch *scratch, uint32_t low, uint32_t high) {
  uint32_t slot = hash_edge(low, high) & (scratch->slots - 1);
  while (scratch->edges[slot].first.facet >= 0 &&
         (scratch->edges[slot].low != low || scratch->edges[slot].high != high))
    slot = (slot + 1) & (scratch->slots - 1);
  return &scratch->edges[slot];
}

static void add_edge(merge_scratch *scratch, edge_slot *slot, facet_edge edge) {
  const int number = scratch->more_count++;
  scratch->more[number] = edge;
  *(slot->last < 0 ? &slot->first.next : &scratch->more[slot->last].next) = number;
  slot->last = number;
}

/* An edge meets those that run the other way: the first of them; and the first that has met none, so that of many
   at one place all find another in one round. @return How many. */
static int meet_edge(merge_scratch *scratch, uint32_t a, uint32_t b, facet_edge edge,
                     const facet_edge *met[2]) {
  const bool forward = a < b;
  edge_slot *slot = slot_of(scratch, forward ? a : b, forward ? b : a);
  if (slot->first.facet < 0) {
    *slot = (edge_slot){forward ? a : b, forward ? b : a, edge, -1, forward, false};
    return 0;
  }
  if (slot->forward == forward) {
    add_edge(scratch, slot, edge);
    return 0;
  }
  met[0] = &slot->first;
  if (!slot->met || slot->first.next < 0) {
    slot->met = true;
    return 1;
  }
  met[1] = &scratch->more[slot->first.next];
  slot->first.next = met[1]->next;
  if (slot->first.next < 0) slot->last = -1;
  return 2;
}

static uint32_t slots_for(size_t edges) {
  uint32_t slots = 16;
  while (slots < 2 * edges) slots *= 2;
  return slots;
}

/* --- in order: the longest edge first, then by facets. Linear, since nearly all of the time went into comparing them.  */

/* Stably by their first facet: by the second they are in order as they are found. */
static void sort_by_facet(merge_scratch *scratch, int pairs, int facets) {
  memset(scratch->starts, 0, ((size_t)facets + 1) * sizeof *scratch->starts);
  for (int i = 0; i < pairs; i++) scratch->starts[scratch->pairs[i].facet[0] + 1] += 1;
  for (int f = 0; f < facets; f++) scratch->starts[f + 1] += scratch->starts[f];
  for (int i = 0; i < pairs; i++)
    scratch->swap[scratch->starts[scratch->pairs[i].facet[0]]++] = scratch->pairs[i];
}

/* Doubles that are not negative are in order as their bits are. */
static uint8_t digit_of(const facet_pair *pair, int shift) {
  uint64_t bits;
  memcpy(&bits, &pair->length2, sizeof bits);
  return (uint8_t) ~(bits >> shift); /* the largest first */
}

/* Stably by one byte of their length. @return false: that is the same for all, nothing was done. */
static bool sort_by_digit(const facet_pair *from, int pairs, int shift, facet_pair *to) {
  int starts[257] = {0};
  for (int i = 0; i < pairs; i++) starts[digit_of(&from[i], shift) + 1] += 1;
  for (int d = 0; d < 256; d++) {
    if (starts[d + 1] == pairs) return false;
    starts[d + 1] += starts[d];
  }
  for (int i = 0; i < pairs; i++) to[starts[digit_of(&from[i], shift)]++] = from[i];
  return true;
}

static void sort_pairs(merge_scratch *scratch, int pairs, int facets) {
  sort_by_facet(scratch, pairs, facets);
  facet_pair *from = scratch->swap, *to = scratch->pairs;
  for (int shift = 0; shift < 64; shift += 8) {
    if (!sort_by_digit(from, pairs, shift, to)) continue;
    facet_pair *swap = from;
    from = to;
    to = swap;
  }
  scratch->pairs = from;
  scratch->swap = to;
}

/* Facets that share an edge, if one of them is new: the others were tried before. */
static int find_pairs(const lwi_facets *facets, merge_scratch *scratch) {
  int pairs = 0;
  size_t edges = 0;
  for (int f = 0; f < facets->count; f++) edges += facets->facets[f].count;
  scratch->slots = slots_for(edges);
  for (uint32_t i = 0; i < scratch->slots; i++) scratch->edges[i].first.facet = -1;
  scratch->more_count = 0;
  for (int f = 0; f < facets->count; f++) {
    const lwi_facet *facet = &facets->facets[f];
    for (int i = 0; i < facet->count; i++) {
      uint32_t a = facet->corners[i], b = facet->corners[i + 1 < facet->count ? i + 1 : 0];
      const facet_edge *met[2];
      int count = meet_edge(scratch, a, b, (facet_edge){f, (uint8_t)i, -1}, met);
      for (int k = 0; k < count; k++) {
        const facet_edge *other = met[k];
        if (other->facet == f || !(scratch->fresh[f] || scratch->fresh[other->facet])) continue;
        lwi_dvec3 along = between(facets, a, b);
        scratch->pairs[pairs++] =
            (facet_pair){lwi_dvec3_dot(along, along), {other->facet, f}, {other->index, (uint8_t)i}};
      }
    }
  }
  sort_pairs(scratch, pairs, facets->count);
  return pairs;
}

/* @return How many pairs were merged. */
static int merge_round(lwi_facets *facets, merge_scratch *scratch) {
  int merged = 0, count = 0, pairs = find_pairs(facets, scratch);
  memset(scratch->taken, 0, (size_t)facets->count * sizeof *scratch->taken);
  memset(scratch->fresh, 0, (size_t)facets->count * sizeof *scratch->fresh);
  for (int i = 0; i < pairs; i++) {
    const facet_pair *pair = &scratch->pairs[i];
    if (scratch->taken[pair->facet[0]] || scratch->taken[pair->facet[1]]) {
      /* Its edges have changed: tried again in the next round. */
      scratch->fresh[pair->facet[0]] = scratch->fresh[pair->facet[1]] = true;
      continue;
    }
    if (!try_merge(facets, pair)) continue;
    scratch->taken[pair->facet[0]] = scratch->taken[pair->facet[1]] = true;
    scratch->fresh[pair->facet[0]] = true;
    merged++;
  }
  for (int f = 0; f < facets->count; f++) {
    if (facets->facets[f].count == 0) continue;
    scratch->fresh[count] = scratch->fresh[f];
    facets->facets[count++] = facets->facets[f];
  }
  facets->count = count;
  return merged;
}

static bool merge_all(lwi_facets *facets) {
  lwi_memory *memory = facets->memory;
  size_t triangles = (size_t)facets->count;
  if (triangles == 0) return true;
  merge_scratch scratch = {.slot_limit = slots_for(3 * triangles)};
  scratch.edges = lwi_alloc(memory, scratch.slot_limit * sizeof *scratch.edges);
  scratch.more = lwi_alloc(memory, 3 * triangles * sizeof *scratch.more);
  scratch.pairs = lwi_alloc(memory, 3 * triangles * sizeof *scratch.pairs);
  scratch.swap = lwi_alloc(memory, 3 * triangles * sizeof *scratch.swap);
  scratch.starts = lwi_alloc(memory, (triangles + 1) * sizeof *scratch.starts);
  scratch.fresh = lwi_alloc(memory, triangles * sizeof *scratch.fresh);
  scratch.taken = lwi_alloc(memory, triangles * sizeof *scratch.taken);
  bool allocated = scratch.edges && scratch.more && scratch.pairs && scratch.swap && scratch.starts &&
                   scratch.fresh && scratch.taken;
  if (allocated) memset(scratch.fresh, 1, triangles * sizeof *scratch.fresh);
  while (allocated && merge_round(facets, &scratch) > 0) continue;
  lwi_free(memory, scratch.edges, scratch.slot_limit * sizeof *scratch.edges);
  lwi_free(memory, scratch.more, 3 * triangles * sizeof *scratch.more);
  lwi_free(memory, scratch.pairs, 3 * triangles * sizeof *scratch.pairs);
  lwi_free(memory, scratch.swap, 3 * triangles * sizeof *scratch.swap);
  lwi_free(memory, scratch.starts, (triangles + 1) * sizeof *scratch.starts);
  lwi_free(memory, scratch.fresh, triangles * sizeof *scratch.fresh);
  lwi_free(memory, scratch.taken, triangles * sizeof *scratch.taken);
  return allocated;
}

/* --- all of it -------------------------------------------------------------------------------------------- */

/* A triangle's corners from the lowest on, in the same order. */
static void turn_corners(const lwi_facet *facet, uint32_t corners[3]) {
  int first = 0;
  for (int k = 1; k < 3; k++)
    if (facet->corners[k] < facet->corners[first]) first = k;
  for (int k = 0; k < 3; k++) corners[k] = facet->corners[(first + k) % 3];
}

/* Add a triangle, unless there is the same: it would hide nothing more. */
static bool add_facet(lattice *of, const lwi_facet *facet) {
  lwi_facets *facets = of->facets;
  uint32_t corners[3], others[3];
  turn_corners(facet, corners);
  const uint64_t hash = lwi_hash(facet->kind, corners, sizeof corners);
  for (uint32_t i = lwi_hash_index_first(&of->index, hash); i != LWI_NO_ITEM;
       i = lwi_hash_index_next(&of->index, i)) {
    turn_corners(&facets->facets[i], others);
    if (facets->facets[i].kind == facet->kind && memcmp(corners, others, sizeof corners) == 0) return true;
  }
  if (!lwi_reserve(facets->memory, &facets->facets, &facets->capacity, facets->count + 1, sizeof *facet) ||
      !lwi_hash_index_add(&of->index, facets->memory, hash, (uint32_t)facets->count))
    return false;
  facets->facets[facets->count++] = *facet;
  return true;
}

/* Add a triangle, cut into pieces if it is large. */
static bool add_triangle(lattice *of, const lw_vec3 corners[3], uint8_t kind) {
  lwi_facets *facets = of->facets;
  lwi_facet facet = {.count = 3, .kind = kind};
  lw_vec3 halves[2][3];
  const lwi_facet_piece piece = lwi_facet_cut_piece(of->cut, corners, halves);
  if (piece == LWI_PIECE_CUT) return add_triangle(of, halves[0], kind) && add_triangle(of, halves[1], kind);
  if (piece == LWI_PIECE_FAR) return true;
  for (int k = 0; k < 3; k++)
    if (!add_point(of, corners[k], of->facets->origin, &facet.corners[k])) return false;
  lwi_dvec3 normal = facet_normal(facets, &facet);
  return !(lwi_dvec3_dot(normal, normal) > 0) || add_facet(of, &facet); /* or it is a sliver without area */
}

static bool add_finished(lattice *of, const lwi_occluder_facet *from) {
  lwi_facets *facets = of->facets;
  lwi_facet facet = {.count = from->count, .kind = from->kind};
  for (int k = 0; k < from->count; k++)
    if (!add_point(of, from->corners[k], (lw_vec3){0, 0, 0}, &facet.corners[k])) return false;
  if (!lwi_reserve(facets->memory, &facets->facets, &facets->capacity, facets->count + 1, sizeof facet))
    return false;
  facets->facets[facets->count++] = facet;
  return true;
}

/* @return false: no memory. */
static bool add_all(lattice *of, const lwi_occluder_source *source) {
  for (int i = 0; i < source->finished_count; i++)
    if (!add_finished(of, &source->finished[i])) return false;
  for (int i = 0; i < source->triangle_count; i++) {
    const lw_cover_kind kind = lwi_source_kind(source, i);
    lw_vec3 corners[3];
    lwi_source_corners(source, i, corners);
    if (kind != LW_COVER_NONE && !add_triangle(of, corners, (uint8_t)kind)) return false;
  }
  return true;
}

/* Merge facets from the one of that number on. @return false: no memory. */
static bool merge_from(lwi_facets *facets, int first) {
  lwi_facets rest = *facets;
  rest.facets = facets->facets ? facets->facets + first : NULL;
  rest.count = facets->count - first;
  if (!merge_all(&rest)) return false;
  facets->count = first + rest.count;
  return true;
}

bool lwi_facets_make(lwi_facets *facets, const lwi_occluder_source *source, lwi_memory *memory) {
  const lwi_facet_cut cut = lwi_facet_cut_choose(source);
  lattice of = {.facets = facets, .cut = &cut, .mask = 15};
  uint64_t corners = 3 * (uint64_t)cut.pieces;
  for (int i = 0; i < source->finished_count; i++) corners += source->finished[i].count;
  *facets = (lwi_facets){.memory = memory, .quantum = cut.quantum};
  if (source->triangle_count > 0 || source->quantum > 0) facets->origin = cut.origin;
  while (of.mask < 2 * corners) of.mask = 2 * of.mask + 1;
  size_t size = ((size_t)of.mask + 1) * sizeof *of.slots;
  of.slots = lwi_alloc_zero(memory, size);
  const bool done = of.slots && add_all(&of, source);
  lwi_free(memory, of.slots, size);
  lwi_hash_index_free(&of.index, memory);
  return done && merge_from(facets, source->finished_count);
}

void lwi_facets_free(lwi_facets *facets) {
  lwi_free(facets->memory, facets->points, (size_t)facets->point_capacity * sizeof *facets->points);
  lwi_free(facets->memory, facets->facets, (size_t)facets->capacity * sizeof *facets->facets);
}
