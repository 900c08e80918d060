/* A polygon's BVH leaves are chosen greedily (set cover; Feige 1998): rays run from viewpoints over the
   polygon to targets all over the mesh; for each hidden pair the leaves that hide it are noted; then the
   leaf that hides most pairs not hidden by chosen leaves is chosen, and so on. The first leaves hide most
   pairs, so they are chosen early and tested first. Other criteria (lw_cover_map_criteria) count beside how many
   pairs a leaf hides. */
#include "bake/cover_map_make.h"

#include "bake/openness.h"
#include "core/parallel.h"
#include "core/random.h"
#include "core/vec3.h"

#include <stdlib.h>
#include <string.h>

#define VIEWPOINTS 96
#define TARGETS 20
#define PAIRS (VIEWPOINTS * TARGETS)
#define WORDS (PAIRS / 64)
/* Heights of eyes and bodies above the ground. [m] */
#define EYE_LOW 0.9f
#define EYE_HIGH 1.7f
#define BODY_LOW 0.5f
#define BODY_HIGH 1.7f
/* The number of targets to draw from, and the distance beyond which targets are drawn more rarely. [m] */
#define POOL 4096
#define FAR 40.0f
/* After every BATCH viewpoints, leaves that hide at least SURE noted pairs are chosen: pairs that these hide
   need not be noted any more. */
#define BATCH 6
#define SURE 8
/* At this distance from the polygon, what is near counts half. [m] */
#define NEARNESS 10
#define PIERCED_MAX 128
#define SEED 27
#define CHUNK 8 /* polygons */

/* A leaf that hides some noted pair. */
typedef struct candidate {
  uint32_t leaf;
  int gain;            /* upper bound of the open pairs that it hides */
  lwi_map_place place; /* if it counts */
  uint64_t hides[WORDS];
} candidate;

typedef struct map_job {
  lwi_memory *memory;
  const lw_cover_map_criteria *by;
  lw_vec3 middle;      /* of the polygon */
  uint32_t directions; /* that chosen leaves lie in, a bit each */
  const lwi_sight_lines *lines;
  const lw_navmesh *mesh;
  const lw_vec3 *pool; /* [POOL] */
  lwi_map_bytes *out;
  int *numbers; /* [leaf_count] 1 + its candidate, 0: none */
  candidate *candidates;
  int count, capacity;
  uint64_t open[WORDS];                /* pairs that no chosen leaf hides */
  int noted, open_count, hidden_count; /* pairs noted; still open; hidden at all */
  uint32_t taken[LWI_MAP_LEAVES];      /* in the order of choice: leaves that hide most come first */
  int taken_count;
} map_job;

/* The fractional parts of multiples of these numbers fill a cube evenly (Roberts 2018, "R3"). */
static double spread(int i, int axis) {
  static const double steps[] = {0.8191725133961645, 0.6710436067037893, 0.5497004779019703};
  double x = 0.5 + i * steps[axis];
  return x - floor(x);
}

static lw_vec3 draw_target(const map_job *m, lw_vec3 eye, lw_random *random) {
  lw_vec3 at = eye;
  for (int tries = 0; tries < 8; tries++) {
    at = m->pool[lwi_random_bits(random) % POOL];
    if (lwi_random_unit(random) * lwi_distance(at, eye) <= FAR) break;
  }
  at.y += BODY_LOW + (BODY_HIGH - BODY_LOW) * lwi_random_unit(random);
  return at;
}

static bool counts_places(const lw_cover_map_criteria *by) {
  return by->direction > 0 || by->distance > 0;
}

static bool note(map_job *m, uint32_t leaf) {
  if (m->numbers[leaf] == 0) {
    if (!lwi_reserve(m->memory, &m->candidates, &m->capacity, m->count + 1, sizeof *m->candidates))
      return false;
    candidate *added = &m->candidates[m->count++];
    memset(added, 0, sizeof *added);
    added->leaf = leaf;
    m->numbers[leaf] = m->count;
    if (counts_places(m->by)) added->place = lwi_map_place_of(lwi_occluders_of(m->mesh), leaf, m->middle);
  }
  candidate *found = &m->candidates[m->numbers[leaf] - 1];
  found->hides[m->noted / 64] |= (uint64_t)1 << m->noted % 64;
  found->gain += 1;
  return true;
}

/* Note the leaves that hide the target, unless a chosen leaf does. */
static bool look_at(map_job *m, lw_vec3 eye, lw_vec3 target, bool soft) {
  uint32_t leaves[PIERCED_MAX];
  if (lwi_lines_hide(m->lines, m->taken, m->taken_count, eye, target, soft)) {
    m->hidden_count += 1;
    return true;
  }
  int count = lwi_lines_pierce(m->lines, eye, target, soft, leaves, PIERCED_MAX);
  if (count == 0) return true;
  for (int i = 0; i < count; i++)
    if (!note(m, leaves[i])) return false;
  m->open[m->noted / 64] |= (uint64_t)1 << m->noted % 64;
  m->noted += 1;
  m->open_count += 1;
  m->hidden_count += 1;
  return true;
}

/* Cast rays from one viewpoint over the polygon. Soft cover counts for every other ray, so that the leaves
   serve shots, too. */
static bool look_from(map_job *m, uint32_t polygon, int place, lw_random *random) {
  lw_vec3 eye = lwi_place_in(m->mesh, polygon, spread(place, 0), spread(place, 1));
  eye.y += (float)(EYE_LOW + (EYE_HIGH - EYE_LOW) * spread(place, 2));
  for (int t = 0; t < TARGETS; t++)
    if (!look_at(m, eye, draw_target(m, eye, random), t % 2 == 0)) return false;
  return true;
}

/* --- choice ----------------------------------------------------------------------------------------------- */

static int count_gain(const map_job *m, const candidate *of) {
  int gain = 0;
  for (int i = 0; i < (m->noted + 63) / 64; i++) gain += __builtin_popcountll(of->hides[i] & m->open[i]);
  return gain;
}

/* The score of a leaf that hides `gain` open pairs. */
static double score_of(const map_job *m, const candidate *of, int gain) {
  if (!counts_places(m->by)) return gain;
  const int directions = __builtin_popcount(of->place.directions & ~m->directions);
  return (double)m->by->occlusion * gain / m->hidden_count +
         (double)m->by->direction * directions / LWI_MAP_DIRECTIONS +
         (double)m->by->distance * NEARNESS / (NEARNESS + (double)of->place.distance);
}

/* Scores only shrink while no pairs are added, so a candidate whose score by its last known gain is below the best
   one's need not be counted again. */
static candidate *find_best(map_job *m, int min_gain) {
  candidate *best = NULL;
  double top = 0;
  for (int i = 0; i < m->count; i++) {
    candidate *one = &m->candidates[i];
    if (one->gain < min_gain || (best && score_of(m, one, one->gain) <= top)) continue;
    one->gain = count_gain(m, one);
    const double score = score_of(m, one, one->gain);
    if (one->gain < min_gain || (best && score <= top)) continue;
    best = one;
    top = score;
  }
  return best;
}

/* As it was written: floats are a little off. */
static double exact(float target) {
  return round((double)target * 1e6) / 1e6;
}

/* Choose leaves that hide at least `min_gain` open pairs, until few pairs are open. */
static void choose(map_job *m, int min_gain) {
  const int enough = (int)((1 - exact(m->by->target)) * m->hidden_count);
  while (m->taken_count < m->by->cap && m->open_count > enough) {
    candidate *best = find_best(m, min_gain);
    if (!best) break;
    for (int i = 0; i < (m->noted + 63) / 64; i++) m->open[i] &= ~best->hides[i];
    m->open_count -= best->gain;
    best->gain = 0;
    m->directions |= best->place.directions;
    m->taken[m->taken_count++] = best->leaf;
  }
}

/* Cast rays in batches and choose leaves between them: pairs that chosen leaves hide are then tested
   quickly. Where it counts where leaves are, all pairs are noted first. */
static bool look_and_choose(map_job *m, uint32_t polygon) {
  lw_random random = lwi_random_make(SEED, polygon);
  memset(m->open, 0, sizeof m->open);
  m->count = m->noted = m->open_count = m->hidden_count = m->taken_count = 0;
  m->directions = 0;
  m->middle = lwi_place_in(m->mesh, polygon, 0.5, 0.5);
  for (int e = 0; e < VIEWPOINTS; e++) {
    if (e > 0 && e % BATCH == 0 && !counts_places(m->by)) choose(m, SURE);
    if (!look_from(m, polygon, e, &random)) return false;
  }
  choose(m, 1);
  return true;
}

static int compare_leaves(const void *left, const void *right) {
  const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  return (a > b) - (a < b);
}

static bool write(lwi_memory *memory, lwi_map_bytes *out, const uint32_t *leaves, int count) {
  if (!lwi_reserve(memory, &out->items, &out->capacity, out->count + 5 * count, 1)) return false;
  uint32_t before = UINT32_MAX;
  for (int i = 0; i < count; i++) {
    uint32_t skip = leaves[i] - before - 1;
    for (; skip >= 0x80; skip >>= 7) out->items[out->count++] = (uint8_t)(skip | 0x80);
    out->items[out->count++] = (uint8_t)skip;
    before = leaves[i];
  }
  return true;
}

static bool make_polygon(map_job *m, uint32_t polygon) {
  if (!look_and_choose(m, polygon)) return false;
  for (int i = 0; i < m->count; i++) m->numbers[m->candidates[i].leaf] = 0;
  qsort(m->taken, (size_t)m->taken_count, sizeof *m->taken, compare_leaves);
  return write(m->memory, m->out, m->taken, m->taken_count);
}

/* --- all polygons ----------------------------------------------------------------------------------------- */

/* Each piece writes the lists of some polygons. */
typedef struct work {
  const lwi_sight_lines *lines;
  const lw_navmesh *mesh;
  lwi_memory memory; /* counts nothing yet: what pieces start from */
  lw_vec3 *pool;     /* [POOL] */
  int piece_count;
  lwi_map_bytes *pieces; /* [piece_count] */
  int *sizes;            /* [polygon_count] bytes of their lists */
} work;

static bool make_piece(void *user, int piece) {
  work *w = user;
  lwi_memory memory = w->memory;
  const size_t leaves = w->lines->leaf_count;
  const uint32_t first = (uint32_t)piece * CHUNK, end = first + CHUNK;
  map_job m = {.memory = &memory,
               .by = &lwi_cover_map_of(w->mesh)->criteria,
               .lines = w->lines,
               .mesh = w->mesh,
               .pool = w->pool,
               .out = &w->pieces[piece]};
  m.numbers = lwi_alloc_zero(&memory, leaves * sizeof *m.numbers);
  bool done = m.numbers != NULL;
  for (uint32_t p = first; p < end && p < w->mesh->polygons.count && done; p++) {
    const int before = m.out->count;
    done = make_polygon(&m, p);
    w->sizes[p] = m.out->count - before;
  }
  lwi_free(&memory, m.numbers, leaves * sizeof *m.numbers);
  lwi_free(&memory, m.candidates, (size_t)m.capacity * sizeof *m.candidates);
  return done;
}

static bool join(const work *w, lwi_map_list *map) {
  for (int i = 0; i < w->piece_count; i++) map->bytes.count += w->pieces[i].count;
  map->bytes.capacity = map->bytes.count;
  map->bytes.items = lwi_alloc(map->memory, (size_t)map->bytes.capacity);
  if (!map->bytes.items && map->bytes.count > 0) return false;
  uint32_t at = 0;
  for (uint32_t p = 0; p < w->mesh->polygons.count; p++) {
    map->first[p] = at;
    at += (uint32_t)w->sizes[p];
  }
  map->first[w->mesh->polygons.count] = at;
  for (int i = 0, to = 0; i < w->piece_count; to += w->pieces[i++].count)
    if (w->pieces[i].count > 0) memcpy(map->bytes.items + to, w->pieces[i].items, (size_t)w->pieces[i].count);
  return true;
}

static bool make_all(work *w, lwi_map_list *map, int threads) {
  lw_random random = lwi_random_make(SEED, UINT32_MAX);
  for (int i = 0; i < POOL; i++)
    w->pool[i] = lwi_draw_place(w->mesh, lwi_draw_polygon(w->mesh, &random), &random);
  lwi_parallel pieces = {.count = w->piece_count, .threads = threads, .work = make_piece, .user = w};
  return lwi_parallel_run(&pieces) && join(w, map);
}

static bool make_in(work *w, lwi_map_list *map, int threads) {
  lwi_memory *memory = map->memory;
  const size_t polygons = w->mesh->polygons.count, pieces = (size_t)w->piece_count;
  map->first = lwi_alloc(memory, (polygons + 1) * sizeof *map->first);
  w->pool = lwi_alloc(memory, POOL * sizeof *w->pool);
  w->pieces = lwi_alloc_zero(memory, pieces * sizeof *w->pieces);
  w->sizes = lwi_alloc(memory, polygons * sizeof *w->sizes);
  bool done = map->first && w->pool && w->pieces && w->sizes && make_all(w, map, threads);
  for (size_t i = 0; i < pieces && w->pieces; i++)
    lwi_free(&w->memory, w->pieces[i].items, (size_t)w->pieces[i].capacity);
  lwi_free(memory, w->pool, POOL * sizeof *w->pool);
  lwi_free(memory, w->pieces, pieces * sizeof *w->pieces);
  lwi_free(memory, w->sizes, polygons * sizeof *w->sizes);
  return done;
}

bool lwi_map_make(lwi_map_list *map, const lwi_sight_lines *lines, const lw_navmesh *mesh, int threads) {
  work w = {.lines = lines, .mesh = mesh, .piece_count = (int)((mesh->polygons.count + CHUNK - 1) / CHUNK)};
  lwi_memory_guard guard;
  if (mesh->polygons.count == 0 || lines->leaf_count == 0) return true;
  if (!lwi_memory_guard_open(&guard, &map->memory->allocator, &w.memory)) return false;
  bool done = make_in(&w, map, threads);
  lwi_memory_guard_close(&guard);
  return done;
}

bool lwi_map_renumber(lwi_map_list *map, const lw_navmesh *mesh, const uint32_t *numbers) {
  lwi_map_bytes out = {0};
  bool done = true;
  for (uint32_t p = 0; p < mesh->polygons.count && done; p++) {
    lwi_bvh_leaf_list list = lwi_map_list_of(map->first, map->bytes.items, p);
    uint32_t leaves[LWI_MAP_LEAVES], leaf = UINT32_MAX;
    int count = 0;
    while (count < LWI_MAP_LEAVES && lwi_bvh_leaf_list_next(&list, &leaf)) leaves[count++] = numbers[leaf];
    map->first[p] = (uint32_t)out.count; /* not read again */
    done = write(map->memory, &out, leaves, count);
  }
  lwi_free(map->memory, map->bytes.items, (size_t)map->bytes.capacity);
  map->first[mesh->polygons.count] = (uint32_t)out.count;
  map->bytes = out;
  return done;
}

void lwi_map_free(lwi_map_list *map, const lw_navmesh *mesh) {
  lwi_free(map->memory, map->first, map->first ? ((size_t)mesh->polygons.count + 1) * sizeof *map->first : 0);
  lwi_free(map->memory, map->bytes.items, (size_t)map->bytes.capacity);
  *map = (lwi_map_list){.memory = map->memory};
}

/* --- what it loses ---------------------------------------------------------------------------------------- */

/* What a map loses, measured from other viewpoints than those that it was built by, over segments within a
   polygon. */

#define MEASURE_SEED 28
/* Pairs of a viewpoint and a segment, in pieces. */
#define PIECES 50
#define MEASURED 1000
#define MEASURE_EYE 1.6f

typedef struct measuring {
  const lwi_map_list *map;
  const lwi_occluders *occluders;
  const lw_navmesh *mesh;
  lwi_memory memory; /* counts nothing yet: what pieces start from */
  double sums[PIECES];
} measuring;

/* The part of a segment that is hidden from the eye at both heights. */
static bool measure_segment(const lwi_clip_query *query, lwi_intervals hidden[3], float *part) {
  static const float heights[] = {0.9f, 1.6f};
  hidden[0].count = hidden[1].count = 0;
  if (!lwi_occluders_clip_two(query, heights, NULL, hidden)) return false;
  if (!lwi_intervals_intersect(&hidden[0], &hidden[1], &hidden[2])) return false;
  *part = fminf(1, lwi_intervals_sum(&hidden[0]));
  return true;
}

static bool measure_pair(const measuring *w, lw_random *random, lwi_intervals hidden[3], double *sum) {
  uint32_t at = lwi_draw_polygon(w->mesh, random), polygon = lwi_draw_polygon(w->mesh, random);
  lw_vec3 eye = lwi_draw_place(w->mesh, at, random), from = lwi_draw_place(w->mesh, polygon, random),
          to = lwi_draw_place(w->mesh, polygon, random);
  lwi_bvh_leaf_list list = lwi_map_list_of(w->map->first, w->map->bytes.items, at);
  float mapped, exact;
  eye.y += MEASURE_EYE;
  lwi_clip_query query = {w->occluders, NULL, eye, from, to, true};
  if (!measure_segment(&query, hidden, &exact)) return false;
  query.some = &list;
  if (!measure_segment(&query, hidden, &mapped)) return false;
  *sum += fabs((double)exact - (double)mapped);
  return true;
}

static bool measure_piece(void *user, int piece) {
  measuring *w = user;
  lwi_memory memory = w->memory;
  lw_random random = lwi_random_make(MEASURE_SEED, (uint64_t)piece);
  lwi_intervals hidden[3] = {{.memory = &memory}, {.memory = &memory}, {.memory = &memory}};
  bool done = true;
  for (int i = 0; i < MEASURED / PIECES && done; i++) done = measure_pair(w, &random, hidden, &w->sums[piece]);
  for (int i = 0; i < 3; i++) lwi_intervals_free(&hidden[i]);
  return done;
}

bool lwi_map_measure(const lwi_map_list *map, const lwi_occluders *occluders, const lw_navmesh *mesh,
                     int threads, float *loss) {
  measuring w = {.map = map, .occluders = occluders, .mesh = mesh};
  lwi_memory_guard guard;
  double sum = 0;
  if (!lwi_memory_guard_open(&guard, &map->memory->allocator, &w.memory)) return false;
  lwi_parallel pieces = {.count = PIECES, .threads = threads, .work = measure_piece, .user = &w};
  bool done = lwi_parallel_run(&pieces);
  lwi_memory_guard_close(&guard);
  for (int i = 0; i < PIECES; i++) sum += w.sums[i];
  *loss = (float)(sum / MEASURED);
  return done;
}
