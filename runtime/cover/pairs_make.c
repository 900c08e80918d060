/* Pair by pair. A line between the middles says at once which way it can be: if it is free, either all is visible or it is
   mixed; if it is blocked, either all is hidden or it is mixed. A few more lines soon find most that are mixed. What is
   still thought to be hidden must be proved (surface.h), by halves where all of it cannot be at once. */
#include "cover/pairs.h"

#include "core/parallel.h"
#include "core/vec3.h"
#include "cover/surface.h"

#include <string.h>

/* Lines between corners that must be blocked before a proof is tried by halves. */
#define LINES 24
/* Proofs of parts of one pair, at most; and how many cuts deep. */
#define PROOFS 150
#define DEPTH 12
/* Regions are not cut to less than this. [m] */
#define LEAST 0.3
/* Pairs that are made before they are packed. */
#define BATCH (1 << 20)

typedef struct making {
  const lw_navmesh *mesh;
  const lwi_pairs_def *def;
  lwi_surface surface;
  lwi_prism *prisms;   /* [polygon_count] */
  lwi_region *regions; /* [polygon_count] */
  lw_box *boxes;       /* [polygon_count] */
  int first_row, rows; /* of the batch */
  uint8_t *codes;      /* [rows * polygon_count] */
  pthread_mutex_t lock;
  int room_count;
  lwi_surface_room *rooms; /* [threads] Those that no thread has stand first. */
} making;

/* --- a pair -------------------------------------------------------------------------------------------------------- */

typedef struct two_regions {
  lwi_region a, b;
  int depth;
} two_regions;

/* Cut the one that looks larger. @return false: they are as small as they get. */
static bool cut(const two_regions *whole, two_regions halves[2]) {
  lwi_dvec3 view =
      lwi_dvec3_sub(lwi_dvec3_of(lwi_region_middle(&whole->b)), lwi_dvec3_of(lwi_region_middle(&whole->a)));
  lwi_region_cut at_a = lwi_region_find_cut(&whole->a, view), at_b = lwi_region_find_cut(&whole->b, view);
  const bool cut_a = at_a.size >= at_b.size;
  lwi_region parts[2];
  if (whole->depth == DEPTH || fmax(at_a.size, at_b.size) < LEAST) return false;
  if (!lwi_region_split(cut_a ? &whole->a : &whole->b, cut_a ? &at_a : &at_b, parts)) return false;
  for (int i = 0; i < 2; i++) {
    halves[i] = *whole;
    halves[i].depth++;
    *(cut_a ? &halves[i].a : &halves[i].b) = parts[i];
  }
  return true;
}

static lw_vec3 corner_of(const lwi_region *region, uint32_t number) {
  lwi_dvec3 at = lwi_region_corner(region, (int)(number / 2 % (uint32_t)region->count), number % 2 != 0);
  return (lw_vec3){(float)at.x, (float)at.y, (float)at.z};
}

/* Is any of a few lines between corners free? */
static bool sees_a_corner(const making *m, const lwi_region *a, const lwi_region *b) {
  uint32_t corners_a = 2 * (uint32_t)a->count, corners_b = 2 * (uint32_t)b->count;
  for (uint32_t i = 0; i < LINES; i++)
    if (lwi_lines_see(m->def->lines, corner_of(a, i * corners_a / LINES + i), corner_of(b, i * 5 % corners_b),
                      false))
      return true;
  return false;
}

/* All lines between the two are blocked, but it could not be proved at once. */
static lwi_pair prove_by_halves(const making *m, const lwi_region *a, const lwi_region *b,
                                lwi_surface_room *room) {
  two_regions stack[DEPTH + 2];
  int depth = 0, proofs = 0;
  stack[depth++] = (two_regions){*a, *b, 0};
  while (depth > 0) {
    two_regions halves[2];
    if (!cut(&stack[--depth], halves)) return LWI_PAIR_MIXED;
    for (int i = 0; i < 2; i++) {
      if (++proofs > PROOFS) return LWI_PAIR_MIXED;
      lwi_sure view = lwi_surface_view(&m->surface, &halves[i].a, &halves[i].b, room);
      if (view == LWI_SURE_SEEN) return LWI_PAIR_MIXED;
      if (view == LWI_SURE_UNSURE) stack[depth++] = halves[i];
    }
  }
  return LWI_PAIR_HIDDEN;
}

static lwi_pair find_pair(const making *m, uint32_t p, uint32_t q, lwi_surface_room *room) {
  const lwi_region *a = &m->regions[p], *b = &m->regions[q];
  switch (p == q ? LWI_SURE_SEEN : lwi_surface_view(&m->surface, a, b, room)) {
  case LWI_SURE_HIDDEN: return LWI_PAIR_HIDDEN;
  case LWI_SURE_SEEN: return lwi_surface_touches(&m->surface, a, b) ? LWI_PAIR_MIXED : LWI_PAIR_VISIBLE;
  default: return sees_a_corner(m, a, b) ? LWI_PAIR_MIXED : prove_by_halves(m, a, b, room);
  }
}

/* --- rows ---------------------------------------------------------------------------------------------------------- */

static float gap(float low, float high, float other_low, float other_high) {
  return lwi_most(0, lwi_most(low - other_high, other_low - high));
}

static bool in_range(const making *m, uint32_t p, uint32_t q) {
  const lw_box *a = &m->boxes[p], *b = &m->boxes[q];
  lw_vec3 apart = {gap(a->min.x, a->max.x, b->min.x, b->max.x), gap(a->min.y, a->max.y, b->min.y, b->max.y),
                   gap(a->min.z, a->max.z, b->min.z, b->max.z)};
  return lwi_dot(apart, apart) <= m->def->range * m->def->range;
}

/* Not known, for it is too far. */
#define FAR_OFF 4

/* Runs on any thread: rooms are all that threads share. */
static bool make_row(void *user, int piece) {
  making *m = user;
  const uint32_t count = m->mesh->polygon_count, row = (uint32_t)(m->first_row + piece);
  uint8_t *codes = m->codes + (size_t)piece * count;
  pthread_mutex_lock(&m->lock);
  lwi_surface_room room = m->rooms[--m->room_count];
  pthread_mutex_unlock(&m->lock);
  for (uint32_t q = row; q < count; q++)
    codes[q] = in_range(m, row, q) ? (uint8_t)find_pair(m, row, q, &room) : FAR_OFF;
  pthread_mutex_lock(&m->lock);
  m->rooms[m->room_count++] = room;
  pthread_mutex_unlock(&m->lock);
  return true;
}

/* What is known of two places, each weighed by its polygon's area. */
typedef struct tally {
  double known[3], all;
} tally;

static void tally_row(const making *m, uint32_t row, const uint8_t *codes, tally *sums) {
  double area = lwi_area_of(m->mesh, row);
  for (uint32_t q = row; q < m->mesh->polygon_count; q++) {
    if (codes[q] == FAR_OFF) continue;
    double weight = area * lwi_area_of(m->mesh, q) * (q == row ? 1 : 2);
    sums->known[codes[q]] += weight;
    sums->all += weight;
  }
}

/* --- packing ------------------------------------------------------------------------------------------------------- */

/* Arrays as they grow. */
typedef struct packing {
  lwi_memory *memory;
  lwi_pair_group *groups;
  uint32_t *words, *rows; /* rows: [polygon_count + 1] */
  int group_count, group_capacity, word_count, word_capacity;
} packing;

/* The pairs with polygons from `first` on; those before `row` are mixed. */
static uint32_t pack_word(const uint8_t *codes, uint32_t row, uint32_t first, uint32_t count) {
  uint32_t word = 0;
  for (uint32_t i = 0; i < LWI_PAIR_WORD && first + i < count; i++)
    if (first + i >= row && codes[first + i] != FAR_OFF) word |= (uint32_t)codes[first + i] << 2 * i;
  return word;
}

/* What all pairs of a word are, if they are alike. Those before the row and behind the last polygon may be anything. */
static uint32_t kind_of(const uint8_t *codes, uint32_t row, uint32_t first, uint32_t count) {
  uint32_t kind = LWI_PAIR_UNLIKE;
  for (uint32_t q = first < row ? row : first; q < first + LWI_PAIR_WORD && q < count; q++) {
    uint32_t code = codes[q] == FAR_OFF ? LWI_PAIR_MIXED : codes[q];
    if (kind != LWI_PAIR_UNLIKE && kind != code) return LWI_PAIR_UNLIKE;
    kind = code;
  }
  return kind == LWI_PAIR_UNLIKE ? LWI_PAIR_MIXED : kind;
}

static bool pack_group(packing *to, const uint8_t *codes, uint32_t row, uint32_t first, uint32_t count) {
  lwi_pair_group group = {0, (uint32_t)to->word_count};
  for (uint32_t i = 0; i < LWI_PAIR_GROUP / LWI_PAIR_WORD; i++) {
    uint32_t at = first + i * LWI_PAIR_WORD, kind = kind_of(codes, row, at, count);
    group.kinds |= kind << 2 * i;
    if (kind != LWI_PAIR_UNLIKE) continue;
    if (!lwi_reserve(to->memory, &to->words, &to->word_capacity, to->word_count + 1, sizeof *to->words))
      return false;
    to->words[to->word_count++] = pack_word(codes, row, at, count);
  }
  if (!lwi_reserve(to->memory, &to->groups, &to->group_capacity, to->group_count + 1, sizeof *to->groups))
    return false;
  to->groups[to->group_count++] = group;
  return true;
}

/* Up to the last pair that something is known of. */
static bool pack_row(packing *to, const uint8_t *codes, uint32_t row, uint32_t count) {
  uint32_t end = count;
  while (end > row && (codes[end - 1] == LWI_PAIR_MIXED || codes[end - 1] == FAR_OFF)) end--;
  to->rows[row] = (uint32_t)to->group_count;
  for (uint32_t first = row / LWI_PAIR_GROUP * LWI_PAIR_GROUP; end > row && first < end;
       first += LWI_PAIR_GROUP)
    if (!pack_group(to, codes, row, first, count)) return false;
  return true;
}

static bool make_rows(making *m, packing *to, tally *sums) {
  const uint32_t count = m->mesh->polygon_count;
  const int most = 1 + (int)(BATCH / count);
  size_t size = (size_t)most * count;
  m->codes = lwi_alloc(to->memory, size);
  bool done = m->codes != NULL;
  for (uint32_t row = 0; row < count && done; row += (uint32_t)m->rows) {
    m->first_row = (int)row;
    m->rows = count - row < (uint32_t)most ? (int)(count - row) : most;
    lwi_parallel run = {.count = m->rows, .threads = m->def->threads, .work = make_row, .user = m};
    lwi_parallel_run(&run);
    for (int i = 0; i < m->rows && done; i++) {
      const uint8_t *codes = m->codes + (size_t)i * count;
      tally_row(m, row + (uint32_t)i, codes, sums);
      done = pack_row(to, codes, row + (uint32_t)i, count);
    }
  }
  lwi_free(to->memory, m->codes, size);
  return done;
}

/* --- all of it ----------------------------------------------------------------------------------------------------- */

static lw_box box_of(const lwi_region *region) {
  lw_box box = lwi_box_empty();
  for (int i = 0; i < 2 * region->count; i++) box = lwi_box_add(box, corner_of(region, (uint32_t)i));
  return box;
}

static bool prepare(making *m, lwi_memory *memory) {
  const uint32_t count = m->mesh->polygon_count;
  m->prisms = lwi_alloc(memory, count * sizeof *m->prisms);
  m->regions = lwi_alloc(memory, count * sizeof *m->regions);
  m->boxes = lwi_alloc(memory, count * sizeof *m->boxes);
  m->rooms = lwi_alloc_zero(memory, (size_t)m->def->threads * sizeof *m->rooms);
  if (!m->prisms || !m->regions || !m->boxes || !m->rooms) return false;
  for (uint32_t p = 0; p < count; p++) {
    m->prisms[p] = lwi_prism_of(m->mesh, p);
    m->regions[p] = lwi_region_of(m->mesh, p, &m->prisms[p]);
    m->boxes[p] = box_of(&m->regions[p]);
  }
  for (; m->room_count < m->def->threads; m->room_count++)
    if (!lwi_surface_room_make(&m->rooms[m->room_count], &m->surface, memory)) return false;
  return true;
}

static void free_all(making *m, packing *to, lwi_memory *memory) {
  const size_t count = m->mesh->polygon_count, threads = (size_t)m->def->threads;
  for (size_t i = 0; m->rooms && i < threads; i++) lwi_surface_room_free(&m->rooms[i], &m->surface, memory);
  lwi_free(memory, m->rooms, threads * sizeof *m->rooms);
  lwi_free(memory, m->prisms, count * sizeof *m->prisms);
  lwi_free(memory, m->regions, count * sizeof *m->regions);
  lwi_free(memory, m->boxes, count * sizeof *m->boxes);
  lwi_free(memory, to->rows, (count + 1) * sizeof *to->rows);
  lwi_free(memory, to->groups, (size_t)to->group_capacity * sizeof *to->groups);
  lwi_free(memory, to->words, (size_t)to->word_capacity * sizeof *to->words);
  lwi_surface_free(&m->surface);
}

/* @return false: no memory. */
static bool copy(lwi_memory *memory, const void *from, size_t size, void *pointer) {
  void *made = lwi_alloc(memory, size);
  if (made) memcpy(made, from, size);
  memcpy(pointer, &made, sizeof made);
  return made || size == 0;
}

static bool put(const making *m, const packing *from, const tally *sums, lw_navmesh *mesh) {
  const size_t count = mesh->polygon_count;
  lwi_memory *memory = &mesh->memory;
  lwi_pairs *pairs = &mesh->pairs;
  *pairs = (lwi_pairs){.has = 1,
                       .group_count = (uint32_t)from->group_count,
                       .word_count = (uint32_t)from->word_count,
                       .range = m->def->range};
  if (sums->all > 0) {
    pairs->hidden = (float)(sums->known[LWI_PAIR_HIDDEN] / sums->all);
    pairs->visible = (float)(sums->known[LWI_PAIR_VISIBLE] / sums->all);
  }
  return copy(memory, m->prisms, count * sizeof *m->prisms, &pairs->prisms) &&
         copy(memory, from->rows, (count + 1) * sizeof *from->rows, &pairs->rows) &&
         copy(memory, from->groups, pairs->group_count * sizeof *from->groups, &pairs->groups) &&
         copy(memory, from->words, pairs->word_count * sizeof *from->words, &pairs->words);
}

bool lwi_pairs_make(lw_navmesh *mesh, const lwi_pairs_def *def, lwi_memory *memory) {
  const uint32_t count = mesh->polygon_count;
  making m = {.mesh = mesh, .def = def};
  packing to = {.memory = memory};
  tally sums = {0};
  if (count == 0) return true;
  if (pthread_mutex_init(&m.lock, NULL)) return false;
  to.rows = lwi_alloc(memory, ((size_t)count + 1) * sizeof *to.rows);
  bool done = to.rows && lwi_surface_make(&m.surface, &mesh->occluders, def->lines, memory) &&
              prepare(&m, memory) && make_rows(&m, &to, &sums);
  if (done) {
    to.rows[count] = (uint32_t)to.group_count;
    done = put(&m, &to, &sums, mesh);
  }
  free_all(&m, &to, memory);
  pthread_mutex_destroy(&m.lock);
  return done;
}
