/* A polygon's leaves, greedily (Feige 1998, set cover): from eyes in it, look at targets all over the mesh; of those that are
   hidden, note which leaves hide them; take the leaf that hides most of what no taken one does, and so on. */
#include "cover/map.h"

#include "core/random.h"
#include "core/vec3.h"

#include <string.h>

#define EYES 64
#define TARGETS 24
#define PAIRS (EYES * TARGETS)
#define WORDS (PAIRS / 64)
/* Where eyes and bodies are, above the ground. [m] */
#define EYE_LOW 0.9f
#define EYE_HIGH 1.7f
#define BODY_LOW 0.5f
#define BODY_HIGH 1.7f
/* Targets to choose from, and from where on those further away are taken more rarely. [m] */
#define POOL 4096
#define FAR 40.0f
/* Enough is hidden. */
#define ENOUGH 0.99
#define PIERCED_MOST 128
#define SEED 27
#define MEASURED 1000 /* pairs of an eye and a way */

/* A leaf that hides some pair. */
typedef struct candidate {
  uint32_t leaf;
  int gain; /* pairs that it hides and none before, at most */
  uint64_t hides[WORDS];
} candidate;

typedef struct making {
  lwi_memory *memory;
  const lwi_occluders *occluders;
  const lw_navmesh *mesh;
  lwi_map_list *out;
  lw_vec3 *pool; /* [POOL] */
  int *numbers;  /* [leaf_count] 1 + its candidate, 0: none */
  candidate *candidates;
  int count, capacity;
  uint64_t hidden[WORDS]; /* by some leaf; then, by none that was taken */
  int hidden_count;
} making;

/* --- places -------------------------------------------------------------------------------------------------------- */

static float between(lwi_random *random, float low, float high) {
  return low + (high - low) * lwi_random_unit(random);
}

/* Uniform by area: a triangle of the fan, then a place in it. */
static lw_vec3 place_in(const lw_navmesh *mesh, uint32_t polygon, lwi_random *random) {
  lwi_polygon corners = lwi_polygon_get(mesh, polygon);
  lw_vec3 first = lwi_corner(&corners, 0);
  double left = lwi_random_unit_double(random) * lwi_polygon_area2(&corners);
  uint32_t i = 1;
  for (; i + 2 < corners.count; i++) {
    double area = lwi_turn(first, lwi_corner(&corners, i), lwi_corner(&corners, i + 1));
    if (left < area) break;
    left -= area;
  }
  float u = lwi_random_unit(random), v = lwi_random_unit(random);
  if (u + v > 1) u = 1 - u, v = 1 - v;
  lw_vec3 b = lwi_sub(lwi_corner(&corners, i), first), c = lwi_sub(lwi_corner(&corners, i + 1), first);
  lw_vec3 at = lwi_add(first, lwi_add(lwi_scale(b, u), lwi_scale(c, v)));
  at.y = lwi_polygon_height(mesh, polygon, at.x, at.z);
  return at;
}

/* By its area. */
static uint32_t draw_polygon(const lw_navmesh *mesh, lwi_random *random) {
  uint32_t slot = (uint32_t)(lwi_random_unit_double(random) * mesh->polygon_count);
  const lwi_alias *alias = &mesh->aliases[slot];
  return lwi_random_unit(random) < alias->chance ? slot : alias->other;
}

static lw_vec3 draw_target(const making *m, lw_vec3 eye, lwi_random *random) {
  lw_vec3 at = eye;
  for (int tries = 0; tries < 8; tries++) {
    at = m->pool[lwi_random_bits(random) % POOL];
    if (lwi_random_unit(random) * lwi_distance(at, eye) <= FAR) break;
  }
  at.y += between(random, BODY_LOW, BODY_HIGH);
  return at;
}

/* --- pairs --------------------------------------------------------------------------------------------------------- */

static bool note(making *m, uint32_t leaf, int pair) {
  if (m->numbers[leaf] == 0) {
    if (!lwi_reserve(m->memory, &m->candidates, &m->capacity, m->count + 1, sizeof *m->candidates))
      return false;
    candidate *made = &m->candidates[m->count++];
    memset(made, 0, sizeof *made);
    made->leaf = leaf;
    m->numbers[leaf] = m->count;
  }
  candidate *found = &m->candidates[m->numbers[leaf] - 1];
  found->hides[pair / 64] |= (uint64_t)1 << pair % 64;
  found->gain += 1;
  return true;
}

/* Soft cover counts every other time, so that shots find what is behind it. */
static bool look(making *m, uint32_t polygon) {
  lwi_random random = lwi_random_make(SEED, polygon);
  uint32_t leaves[PIERCED_MOST];
  memset(m->hidden, 0, sizeof m->hidden);
  m->count = m->hidden_count = 0;
  for (int e = 0; e < EYES; e++) {
    lw_vec3 eye = place_in(m->mesh, polygon, &random);
    eye.y += between(&random, EYE_LOW, EYE_HIGH);
    for (int t = 0; t < TARGETS; t++) {
      int pair = e * TARGETS + t;
      int count = lwi_occluders_pierce(m->occluders, eye, draw_target(m, eye, &random), t % 2 == 0, leaves,
                                       PIERCED_MOST);
      for (int i = 0; i < count; i++)
        if (!note(m, leaves[i], pair)) return false;
      if (count == 0) continue;
      m->hidden[pair / 64] |= (uint64_t)1 << pair % 64;
      m->hidden_count += 1;
    }
  }
  return true;
}

/* --- choice -------------------------------------------------------------------------------------------------------- */

static int count_gain(const making *m, const candidate *of) {
  int gain = 0;
  for (int i = 0; i < WORDS; i++) gain += __builtin_popcountll(of->hides[i] & m->hidden[i]);
  return gain;
}

/* Gains only shrink: who has less than the best so far, as it was last known, need not be counted anew. */
static candidate *find_best(making *m) {
  candidate *best = NULL;
  for (int i = 0; i < m->count; i++) {
    candidate *one = &m->candidates[i];
    if (one->gain == 0 || (best && one->gain <= best->gain)) continue;
    one->gain = count_gain(m, one);
    if (one->gain > 0 && (!best || one->gain > best->gain)) best = one;
  }
  return best;
}

static int choose(making *m, uint32_t leaves[LWI_MAP_LEAVES]) {
  int count = 0, left = m->hidden_count, enough = (int)((1 - ENOUGH) * m->hidden_count);
  while (count < LWI_MAP_LEAVES && left > enough) {
    candidate *best = find_best(m);
    if (!best) break;
    for (int i = 0; i < WORDS; i++) m->hidden[i] &= ~best->hides[i];
    left -= best->gain;
    best->gain = 0;
    int at = count++;
    for (; at > 0 && leaves[at - 1] > best->leaf; at--) leaves[at] = leaves[at - 1];
    leaves[at] = best->leaf;
  }
  return count;
}

static bool write(lwi_map_list *out, const uint32_t *leaves, int count) {
  if (!lwi_reserve(out->memory, &out->bytes, &out->capacity, out->count + 5 * count, 1)) return false;
  uint32_t before = UINT32_MAX;
  for (int i = 0; i < count; i++) {
    uint32_t skip = leaves[i] - before - 1;
    for (; skip >= 0x80; skip >>= 7) out->bytes[out->count++] = (uint8_t)(skip | 0x80);
    out->bytes[out->count++] = (uint8_t)skip;
    before = leaves[i];
  }
  return true;
}

static bool make_polygon(making *m, uint32_t polygon) {
  uint32_t leaves[LWI_MAP_LEAVES];
  if (!look(m, polygon)) return false;
  for (int i = 0; i < m->count; i++) m->numbers[m->candidates[i].leaf] = 0;
  m->out->first[polygon] = (uint32_t)m->out->count;
  return write(m->out, leaves, choose(m, leaves));
}

static bool make_all(making *m) {
  lwi_random random = lwi_random_make(SEED, UINT32_MAX);
  for (int i = 0; i < POOL; i++) m->pool[i] = place_in(m->mesh, draw_polygon(m->mesh, &random), &random);
  for (uint32_t p = 0; p < m->mesh->polygon_count; p++)
    if (!make_polygon(m, p)) return false;
  m->out->first[m->mesh->polygon_count] = (uint32_t)m->out->count;
  return true;
}

bool lwi_map_make(lwi_map_list *map, const lwi_occluders *occluders, const lw_navmesh *mesh) {
  lwi_memory *memory = map->memory;
  size_t leaves = (size_t)occluders->leaf_count;
  if (mesh->polygon_count == 0 || leaves == 0) return true;
  making m = {.memory = memory, .occluders = occluders, .mesh = mesh, .out = map};
  map->first = lwi_alloc(memory, ((size_t)mesh->polygon_count + 1) * sizeof *map->first);
  m.pool = lwi_alloc(memory, POOL * sizeof *m.pool);
  m.numbers = lwi_alloc_zero(memory, leaves * sizeof *m.numbers);
  bool done = map->first && m.pool && m.numbers && make_all(&m);
  lwi_free(memory, m.pool, POOL * sizeof *m.pool);
  lwi_free(memory, m.numbers, leaves * sizeof *m.numbers);
  lwi_free(memory, m.candidates, (size_t)m.capacity * sizeof *m.candidates);
  return done;
}

bool lwi_map_renumber(lwi_map_list *map, const lw_navmesh *mesh, const uint32_t *numbers) {
  lwi_map_list out = {.memory = map->memory, .first = map->first};
  bool done = true;
  for (uint32_t p = 0; p < mesh->polygon_count && done; p++) {
    lwi_leaf_list list = lwi_map_list_of(map->first, map->bytes, p);
    uint32_t leaves[LWI_MAP_LEAVES], leaf = UINT32_MAX;
    int count = 0;
    while (count < LWI_MAP_LEAVES && lwi_leaf_list_next(&list, &leaf)) leaves[count++] = numbers[leaf];
    map->first[p] = (uint32_t)out.count; /* no one reads it any more */
    done = write(&out, leaves, count);
  }
  lwi_free(map->memory, map->bytes, (size_t)map->capacity);
  map->first[mesh->polygon_count] = (uint32_t)out.count;
  *map = out;
  return done;
}

/* --- loss ---------------------------------------------------------------------------------------------------------- */

/* What of a way is hidden from the eye. @param some  NULL: exactly. */
static bool measure_way(const lwi_occluders *occluders, const lwi_leaf_list *some, lw_vec3 eye, lw_vec3 from,
                        lw_vec3 to, lwi_intervals rooms[3], float *hidden) {
  static const float heights[] = {0.9f, 1.6f};
  rooms[0].count = rooms[1].count = 0;
  if (!lwi_occluders_clip_two(occluders, some, eye, from, to, heights, true, rooms)) return false;
  if (!lwi_intervals_intersect(&rooms[0], &rooms[1], &rooms[2])) return false;
  *hidden = fminf(1, lwi_intervals_sum(&rooms[0]));
  return true;
}

/* Other eyes than those that the map was made by, and ways within a polygon. */
bool lwi_map_measure(const lwi_map_list *map, const lwi_occluders *occluders, const lw_navmesh *mesh,
                     float *loss) {
  lwi_random random = lwi_random_make(SEED + 1, 0);
  lwi_intervals rooms[3] = {{.memory = map->memory}, {.memory = map->memory}, {.memory = map->memory}};
  double sum = 0;
  bool done = true;
  for (int i = 0; i < MEASURED && done; i++) {
    uint32_t at = draw_polygon(mesh, &random), way = draw_polygon(mesh, &random);
    lw_vec3 eye = place_in(mesh, at, &random), from = place_in(mesh, way, &random),
            to = place_in(mesh, way, &random);
    lwi_leaf_list list = lwi_map_list_of(map->first, map->bytes, at);
    float mapped, exact;
    eye.y += 1.6f;
    done = measure_way(occluders, NULL, eye, from, to, rooms, &exact) &&
           measure_way(occluders, &list, eye, from, to, rooms, &mapped);
    if (done) sum += fabs((double)exact - (double)mapped);
  }
  for (int i = 0; i < 3; i++) lwi_intervals_free(&rooms[i]);
  *loss = (float)(sum / MEASURED);
  return done;
}

void lwi_map_free(lwi_map_list *map, const lw_navmesh *mesh) {
  lwi_free(map->memory, map->first, map->first ? ((size_t)mesh->polygon_count + 1) * sizeof *map->first : 0);
  lwi_free(map->memory, map->bytes, (size_t)map->capacity);
  *map = (lwi_map_list){.memory = map->memory};
}
