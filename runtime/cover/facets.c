/* Triangles to convex polygons: two that share an edge become one while the result is convex and flat, longest edges
   first (Hertel and Mehlhorn 1983, over facets of a surface). */
#include "core/vec3.h"
#include "cover/facet_cut.h"

#include <string.h>

/* Corners of a facet may stray this far from its plane. [m] */
#define FLAT_SLACK 0.01
/* Corners between edges that bend by less are left out. [m] */
#define LINE_SLACK 1e-3

typedef struct facet_edge {
  uint32_t low, high;
  int facet;     /* -1: none */
  uint8_t index; /* from this corner to the next */
  bool forward;  /* from low to high */
} facet_edge;

typedef struct facet_pair {
  double length2;
  int facet[2];
  uint8_t index[2];
} facet_pair;

/* --- lattice ------------------------------------------------------------------------------------------------------- */

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
  uint32_t *slots, mask; /* number + 1; 0: free */
} lattice;

static bool add_point(lattice *of, lw_vec3 v, uint32_t *number) {
  lwi_facets *facets = of->facets;
  const double quantum = (double)facets->quantum;
  int32_t point[3] = {(int32_t)lrint(((double)v.x - facets->origin.x) / quantum),
                      (int32_t)lrint(((double)v.y - facets->origin.y) / quantum),
                      (int32_t)lrint(((double)v.z - facets->origin.z) / quantum)};
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

/* --- planes -------------------------------------------------------------------------------------------------------- */

typedef struct dvec3 {
  double x, y, z;
} dvec3;

static dvec3 between(const lwi_facets *facets, uint32_t a, uint32_t b) {
  const int32_t *p = facets->points[a], *q = facets->points[b];
  const double quantum = (double)facets->quantum;
  return (dvec3){(q[0] - (double)p[0]) * quantum, (q[1] - (double)p[1]) * quantum,
                 (q[2] - (double)p[2]) * quantum};
}
static dvec3 cross(dvec3 a, dvec3 b) {
  return (dvec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static double dot(dvec3 a, dvec3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* Twice the area, along the normal (Newell). */
static dvec3 facet_normal(const lwi_facets *facets, const lwi_facet *facet) {
  dvec3 sum = {0, 0, 0};
  for (int i = 2; i < facet->count; i++) {
    dvec3 n = cross(between(facets, facet->corners[0], facet->corners[i - 1]),
                    between(facets, facet->corners[0], facet->corners[i]));
    sum = (dvec3){sum.x + n.x, sum.y + n.y, sum.z + n.z};
  }
  return sum;
}

static bool is_flat(const lwi_facets *facets, const lwi_facet *facet, dvec3 normal, double length) {
  double low = 0, high = 0;
  for (int i = 1; i < facet->count; i++) {
    double off = dot(normal, between(facets, facet->corners[0], facet->corners[i])) / length;
    low = fmin(low, off);
    high = fmax(high, off);
  }
  return high - low <= FLAT_SLACK;
}

/* Does the outline turn left at every corner, seen against the normal? */
static bool is_convex(const lwi_facets *facets, const lwi_facet *facet, dvec3 normal, double length) {
  for (int i = 0; i < facet->count; i++) {
    uint32_t a = facet->corners[i], b = facet->corners[(i + 1) % facet->count];
    dvec3 ab = between(facets, a, b), bc = between(facets, b, facet->corners[(i + 2) % facet->count]);
    double bend = dot(cross(ab, bc), normal) / length;
    if (bend < -LINE_SLACK * sqrt(fmax(dot(ab, ab), dot(bc, bc)))) return false;
    if (dot(ab, bc) < 0 && bend <= 0) return false; /* folds back */
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
    if (high - low > LWI_MOST_QUANTA) return false;
  }
  return true;
}

/* --- merging ------------------------------------------------------------------------------------------------------- */

/* Leave out a corner that lies on the line between its neighbours. @return How many are left. */
static int drop_if_straight(const lwi_facets *facets, uint32_t *ring, int count, uint32_t corner) {
  for (int i = 0; i < count && count > 3; i++) {
    if (ring[i] != corner) continue;
    uint32_t before = ring[(i + count - 1) % count], after = ring[(i + 1) % count];
    dvec3 ac = between(facets, before, after), n = cross(between(facets, before, corner), ac);
    if (dot(n, n) > LINE_SLACK * LINE_SLACK * dot(ac, ac)) return count;
    memmove(ring + i, ring + i + 1, (size_t)(count - i - 1) * sizeof *ring);
    return count - 1;
  }
  return count;
}

/* The outline of both without the edge between them. @return false: too many corners. */
static bool splice(const lwi_facets *facets, const facet_pair *pair, lwi_facet *merged) {
  const lwi_facet *a = &facets->facets[pair->facet[0]], *b = &facets->facets[pair->facet[1]];
  uint32_t ring[2 * LWI_OCCLUDER_CORNERS];
  int count = 0;
  for (int i = 1; i <= a->count; i++) ring[count++] = a->corners[(pair->index[0] + i) % a->count];
  for (int i = 2; i < b->count; i++) ring[count++] = b->corners[(pair->index[1] + i) % b->count];
  if (count > LWI_OCCLUDER_CORNERS + 2) return false;
  uint32_t ends[2] = {a->corners[pair->index[0]], a->corners[(pair->index[0] + 1) % a->count]};
  for (int k = 0; k < 2; k++) count = drop_if_straight(facets, ring, count, ends[k]);
  lwi_facet made = {.kind = a->kind};
  if (count > LWI_OCCLUDER_CORNERS) return false;
  memcpy(made.corners, ring, (size_t)count * sizeof *ring);
  made.count = (uint8_t)count;
  *merged = made;
  return true;
}

static bool try_merge(lwi_facets *facets, const facet_pair *pair) {
  lwi_facet *a = &facets->facets[pair->facet[0]], *b = &facets->facets[pair->facet[1]], merged;
  if (a->kind != b->kind || !splice(facets, pair, &merged)) return false;
  dvec3 normal = facet_normal(facets, &merged), na = facet_normal(facets, a), nb = facet_normal(facets, b);
  double length = sqrt(dot(normal, normal));
  if (!(length > 0) || dot(na, nb) <= 0) return false;
  if (!is_flat(facets, &merged, normal, length) || !is_convex(facets, &merged, normal, length)) return false;
  if (!fits_in_16_bits(facets, &merged)) return false;
  *a = merged;
  b->count = 0;
  return true;
}

typedef struct merge_room {
  facet_edge *edges;   /* [most_slots] Open addressing by their ends */
  uint32_t most_slots; /* powers of two */
  uint32_t slots;      /* of this round */
  facet_pair *pairs;   /* [3 * triangles] */
  facet_pair *swap;    /* [3 * triangles] Where they are sorted to, and back. */
  int *starts;         /* [triangles + 1] */
  bool *fresh, *taken; /* [triangles] Made in the last round; joined with another in this one. */
} merge_room;

static uint32_t hash_edge(uint32_t low, uint32_t high) {
  uint32_t hash = (low * 0x9e3779b1u ^ high) * 0x85ebca6bu;
  return hash ^ hash >> 15;
}

/* Put an edge of a facet where others of the same ends can find it. @return One that waits for it, or NULL. */
static const facet_edge *meet_edge(merge_room *room, const facet_edge *edge) {
  uint32_t slot = hash_edge(edge->low, edge->high) & (room->slots - 1);
  for (; room->edges[slot].facet >= 0; slot = (slot + 1) & (room->slots - 1)) {
    const facet_edge *other = &room->edges[slot];
    if (other->low == edge->low && other->high == edge->high && other->forward != edge->forward) return other;
  }
  room->edges[slot] = *edge;
  return NULL;
}

static uint32_t slots_for(size_t edges) {
  uint32_t slots = 16;
  while (slots < 2 * edges) slots *= 2;
  return slots;
}

/* --- in order: the longest edge first, then by facets. Linear, since nearly all of the time went into comparing them. ---- */

/* Stably by their first facet: by the second they are in order as they are found. */
static void sort_by_facet(merge_room *room, int pairs, int facets) {
  memset(room->starts, 0, ((size_t)facets + 1) * sizeof *room->starts);
  for (int i = 0; i < pairs; i++) room->starts[room->pairs[i].facet[0] + 1] += 1;
  for (int f = 0; f < facets; f++) room->starts[f + 1] += room->starts[f];
  for (int i = 0; i < pairs; i++) room->swap[room->starts[room->pairs[i].facet[0]]++] = room->pairs[i];
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

static void sort_pairs(merge_room *room, int pairs, int facets) {
  sort_by_facet(room, pairs, facets);
  facet_pair *from = room->swap, *to = room->pairs;
  for (int shift = 0; shift < 64; shift += 8) {
    if (!sort_by_digit(from, pairs, shift, to)) continue;
    facet_pair *swap = from;
    from = to;
    to = swap;
  }
  room->pairs = from;
  room->swap = to;
}

/* Facets that share an edge, if one of them is new: the others were tried before. */
static int find_pairs(const lwi_facets *facets, merge_room *room) {
  int pairs = 0;
  size_t edges = 0;
  for (int f = 0; f < facets->count; f++) edges += facets->facets[f].count;
  room->slots = slots_for(edges);
  for (uint32_t i = 0; i < room->slots; i++) room->edges[i].facet = -1;
  for (int f = 0; f < facets->count; f++) {
    const lwi_facet *facet = &facets->facets[f];
    for (int i = 0; i < facet->count; i++) {
      uint32_t a = facet->corners[i], b = facet->corners[i + 1 < facet->count ? i + 1 : 0];
      facet_edge edge = {a < b ? a : b, a < b ? b : a, f, (uint8_t)i, a < b};
      const facet_edge *other = meet_edge(room, &edge);
      if (!other || other->facet == f || !(room->fresh[f] || room->fresh[other->facet])) continue;
      dvec3 along = between(facets, a, b);
      room->pairs[pairs++] = (facet_pair){dot(along, along), {other->facet, f}, {other->index, edge.index}};
    }
  }
  sort_pairs(room, pairs, facets->count);
  return pairs;
}

/* @return How many pairs were merged. */
static int merge_round(lwi_facets *facets, merge_room *room) {
  int merged = 0, count = 0, pairs = find_pairs(facets, room);
  memset(room->taken, 0, (size_t)facets->count * sizeof *room->taken);
  memset(room->fresh, 0, (size_t)facets->count * sizeof *room->fresh);
  for (int i = 0; i < pairs; i++) {
    const facet_pair *pair = &room->pairs[i];
    if (room->taken[pair->facet[0]] || room->taken[pair->facet[1]]) {
      /* Its edges are no longer what they were: next time. */
      room->fresh[pair->facet[0]] = room->fresh[pair->facet[1]] = true;
      continue;
    }
    if (!try_merge(facets, pair)) continue;
    room->taken[pair->facet[0]] = room->taken[pair->facet[1]] = true;
    room->fresh[pair->facet[0]] = true;
    merged++;
  }
  for (int f = 0; f < facets->count; f++) {
    if (facets->facets[f].count == 0) continue;
    room->fresh[count] = room->fresh[f];
    facets->facets[count++] = facets->facets[f];
  }
  facets->count = count;
  return merged;
}

static bool merge_all(lwi_facets *facets) {
  lwi_memory *memory = facets->memory;
  size_t triangles = (size_t)facets->count;
  if (triangles == 0) return true;
  merge_room room = {.most_slots = slots_for(3 * triangles)};
  room.edges = lwi_alloc(memory, room.most_slots * sizeof *room.edges);
  room.pairs = lwi_alloc(memory, 3 * triangles * sizeof *room.pairs);
  room.swap = lwi_alloc(memory, 3 * triangles * sizeof *room.swap);
  room.starts = lwi_alloc(memory, (triangles + 1) * sizeof *room.starts);
  room.fresh = lwi_alloc(memory, triangles * sizeof *room.fresh);
  room.taken = lwi_alloc(memory, triangles * sizeof *room.taken);
  bool made = room.edges && room.pairs && room.swap && room.starts && room.fresh && room.taken;
  if (made) memset(room.fresh, 1, triangles * sizeof *room.fresh);
  while (made && merge_round(facets, &room) > 0) continue;
  lwi_free(memory, room.edges, room.most_slots * sizeof *room.edges);
  lwi_free(memory, room.pairs, 3 * triangles * sizeof *room.pairs);
  lwi_free(memory, room.swap, 3 * triangles * sizeof *room.swap);
  lwi_free(memory, room.starts, (triangles + 1) * sizeof *room.starts);
  lwi_free(memory, room.fresh, triangles * sizeof *room.fresh);
  lwi_free(memory, room.taken, triangles * sizeof *room.taken);
  return made;
}

/* --- all of it ----------------------------------------------------------------------------------------------------- */

/* A triangle, in pieces if it is large. */
static bool add_triangle(lattice *of, const lw_vec3 corners[3], uint8_t kind) {
  lwi_facets *facets = of->facets;
  lwi_facet facet = {.count = 3, .kind = kind};
  lw_vec3 halves[2][3];
  const lwi_piece piece = lwi_facet_cut_piece(of->cut, corners, halves);
  if (piece == LWI_PIECE_CUT) return add_triangle(of, halves[0], kind) && add_triangle(of, halves[1], kind);
  if (piece == LWI_PIECE_FAR) return true;
  for (int k = 0; k < 3; k++)
    if (!add_point(of, corners[k], &facet.corners[k])) return false;
  dvec3 normal = facet_normal(facets, &facet);
  if (!(dot(normal, normal) > 0)) return true; /* a sliver hides nothing */
  if (!lwi_reserve(facets->memory, &facets->facets, &facets->capacity, facets->count + 1, sizeof facet))
    return false;
  facets->facets[facets->count++] = facet;
  return true;
}

bool lwi_facets_make(lwi_facets *facets, const lwi_occluder_source *source, lwi_memory *memory) {
  const lwi_facet_cut cut = lwi_facet_cut_choose(source);
  lattice of = {.facets = facets, .cut = &cut, .mask = 15};
  *facets = (lwi_facets){.memory = memory, .quantum = cut.quantum};
  if (source->triangle_count > 0) facets->origin = cut.origin;
  while (of.mask < 6 * (uint32_t)cut.pieces) of.mask = 2 * of.mask + 1;
  size_t size = ((size_t)of.mask + 1) * sizeof *of.slots;
  of.slots = lwi_alloc_zero(memory, size);
  bool done = of.slots != NULL;
  for (int i = 0; i < source->triangle_count && done; i++) {
    const lw_cover_kind kind = lwi_source_kind(source, i);
    lw_vec3 corners[3];
    lwi_source_corners(source, i, corners);
    if (kind != LW_COVER_NONE) done = add_triangle(&of, corners, (uint8_t)kind);
  }
  lwi_free(memory, of.slots, size);
  return done && merge_all(facets);
}

void lwi_facets_free(lwi_facets *facets) {
  lwi_free(facets->memory, facets->points, (size_t)facets->point_capacity * sizeof *facets->points);
  lwi_free(facets->memory, facets->facets, (size_t)facets->capacity * sizeof *facets->facets);
}
