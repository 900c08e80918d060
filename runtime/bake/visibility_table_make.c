/* Each pair is decided in steps. One line between the centres excludes one answer: if it is free, the pair
   is visible or mixed; if it is blocked, hidden or mixed. A few more lines find most mixed pairs. What still
   seems hidden must be proved (surface.h), by halves where it cannot be proved at once. */
#include "bake/visibility_table_make.h"

#include "core/parallel.h"
#include "core/vec3.h"
#include "bake/surface.h"

#include <string.h>

/* Lines between corners that must be blocked before a proof by halves is tried. */
#define LINES 24
/* The greatest number of proofs for one pair, and how deep regions are cut. */
#define PROOFS 150
#define DEPTH 12
/* Regions are not cut smaller than this. [m] */
#define SIZE_MIN 0.3
/* Pairs found before they are packed. */
#define BATCH (1 << 20)

typedef struct table_job {
  const lw_navmesh *mesh;
  const lwi_visibility_table_def *def;
  lwi_surface surface;
  lwi_prism *prisms;   /* [polygon_count] */
  lwi_hull *hulls;     /* [polygon_count] */
  lw_box *boxes;       /* [polygon_count] */
  int first_row, rows; /* of the current batch */
  uint8_t *codes;      /* [rows * polygon_count] */
  lwi_mutex lock;
  int scratch_count;
  lwi_surface_scratch *scratches; /* [threads] the first scratch_count are free */
} table_job;

/* --- a pair ----------------------------------------------------------------------------------------------- */

typedef struct two_regions {
  lwi_hull a, b;
  int depth;
} two_regions;

/* Cut the region that looks larger. @return false: both are too small. */
static bool cut(const two_regions *whole, two_regions halves[2]) {
  lwi_dvec3 view =
      lwi_dvec3_sub(lwi_dvec3_of(lwi_hull_middle(&whole->b)), lwi_dvec3_of(lwi_hull_middle(&whole->a)));
  lwi_hull_cut at_a = lwi_hull_find_cut(&whole->a, view), at_b = lwi_hull_find_cut(&whole->b, view);
  const bool cut_a = at_a.size >= at_b.size;
  lwi_hull parts[2];
  if (whole->depth == DEPTH || fmax(at_a.size, at_b.size) < SIZE_MIN) return false;
  if (!lwi_hull_split(cut_a ? &whole->a : &whole->b, cut_a ? &at_a : &at_b, parts)) return false;
  for (int i = 0; i < 2; i++) {
    halves[i] = *whole;
    halves[i].depth++;
    *(cut_a ? &halves[i].a : &halves[i].b) = parts[i];
  }
  return true;
}

static lw_vec3 corner_of(const lwi_hull *hull, uint32_t number) {
  lwi_dvec3 at = lwi_hull_corner(hull, (int)(number / 2 % (uint32_t)hull->count), number % 2 != 0);
  return (lw_vec3){(float)at.x, (float)at.y, (float)at.z};
}

/* Is any of a few lines between corners free? */
static bool sees_a_corner(const table_job *m, const lwi_hull *a, const lwi_hull *b) {
  uint32_t corners_a = 2 * (uint32_t)a->count, corners_b = 2 * (uint32_t)b->count;
  for (uint32_t i = 0; i < LINES; i++)
    if (lwi_lines_see(m->def->lines, corner_of(a, i * corners_a / LINES + i), corner_of(b, i * 5 % corners_b),
                      false))
      return true;
  return false;
}

/* All tested lines are blocked, but the whole pair could not be proved at once. */
static lwi_pair_visibility prove_by_halves(const table_job *m, const lwi_hull *a, const lwi_hull *b,
                                           lwi_surface_scratch *scratch) {
  two_regions stack[DEPTH + 2];
  int depth = 0, proofs = 0;
  stack[depth++] = (two_regions){*a, *b, 0};
  while (depth > 0) {
    two_regions halves[2];
    if (!cut(&stack[--depth], halves)) return LWI_VISIBILITY_MIXED;
    for (int i = 0; i < 2; i++) {
      if (++proofs > PROOFS) return LWI_VISIBILITY_MIXED;
      lwi_sure view = lwi_surface_view(&m->surface, &halves[i].a, &halves[i].b, scratch);
      if (view == LWI_SURE_SEEN) return LWI_VISIBILITY_MIXED;
      if (view == LWI_SURE_UNSURE) stack[depth++] = halves[i];
    }
  }
  return LWI_VISIBILITY_HIDDEN;
}

static lwi_pair_visibility find_pair(const table_job *m, uint32_t p, uint32_t q, lwi_surface_scratch *scratch) {
  const lwi_hull *a = &m->hulls[p], *b = &m->hulls[q];
  switch (p == q ? LWI_SURE_SEEN : lwi_surface_view(&m->surface, a, b, scratch)) {
  case LWI_SURE_HIDDEN: return LWI_VISIBILITY_HIDDEN;
  case LWI_SURE_SEEN:
    return lwi_surface_touches(&m->surface, a, b) ? LWI_VISIBILITY_MIXED : LWI_VISIBILITY_VISIBLE;
  default: return sees_a_corner(m, a, b) ? LWI_VISIBILITY_MIXED : prove_by_halves(m, a, b, scratch);
  }
}

/* --- rows ------------------------------------------------------------------------------------------------- */

static float gap(float low, float high, float other_low, float other_high) {
  return lwi_max(0, lwi_max(low - other_high, other_low - high));
}

static bool in_range(const table_job *m, uint32_t p, uint32_t q) {
  const lw_box *a = &m->boxes[p], *b = &m->boxes[q];
  lw_vec3 apart = {gap(a->min.x, a->max.x, b->min.x, b->max.x), gap(a->min.y, a->max.y, b->min.y, b->max.y),
                   gap(a->min.z, a->max.z, b->min.z, b->max.z)};
  return lwi_dot(apart, apart) <= m->def->range * m->def->range;
}

/* The pair is out of range. */
#define FAR_OFF 4

/* Runs on any thread. Threads share only `scratches`, under the lock. */
static bool make_row(void *user, int piece) {
  table_job *m = user;
  const uint32_t count = m->mesh->polygons.count, row = (uint32_t)(m->first_row + piece);
  uint8_t *codes = m->codes + (size_t)piece * count;
  lwi_mutex_lock(&m->lock);
  lwi_surface_scratch scratch = m->scratches[--m->scratch_count];
  lwi_mutex_unlock(&m->lock);
  for (uint32_t q = row; q < count; q++)
    codes[q] = in_range(m, row, q) ? (uint8_t)find_pair(m, row, q, &scratch) : FAR_OFF;
  lwi_mutex_lock(&m->lock);
  m->scratches[m->scratch_count++] = scratch;
  lwi_mutex_unlock(&m->lock);
  return true;
}

/* Areas of pairs by what is known of them: the probability for two random points. */
typedef struct known_sums {
  double known[3], all;
} known_sums;

static void sum_row(const table_job *m, uint32_t row, const uint8_t *codes, known_sums *sums) {
  double area = lwi_area_of(m->mesh, row);
  for (uint32_t q = row; q < m->mesh->polygons.count; q++) {
    if (codes[q] == FAR_OFF) continue;
    double weight = area * lwi_area_of(m->mesh, q) * (q == row ? 1 : 2);
    sums->known[codes[q]] += weight;
    sums->all += weight;
  }
}

/* --- packing ---------------------------------------------------------------------------------------------- */

/* The table's arrays as they grow. */
typedef struct packing {
  lwi_memory *memory;
  lwi_visibility_group *groups;
  uint32_t *words, *rows; /* rows: [polygon_count + 1] */
  int group_count, group_capacity, word_count, word_capacity;
} packing;

/* Pack the pairs from polygon `first` on; those before `row` are mixed. */
static uint32_t pack_word(const uint8_t *codes, uint32_t row, uint32_t first, uint32_t count) {
  uint32_t word = 0;
  for (uint32_t i = 0; i < LWI_VISIBILITY_WORD && first + i < count; i++)
    if (first + i >= row && codes[first + i] != FAR_OFF) word |= (uint32_t)codes[first + i] << 2 * i;
  return word;
}

/* The common visibility of a word's pairs, or LWI_VISIBILITY_UNLIKE. Pairs before the row and behind the
   last polygon count as any. */
static uint32_t kind_of(const uint8_t *codes, uint32_t row, uint32_t first, uint32_t count) {
  uint32_t kind = LWI_VISIBILITY_UNLIKE;
  for (uint32_t q = first < row ? row : first; q < first + LWI_VISIBILITY_WORD && q < count; q++) {
    uint32_t code = codes[q] == FAR_OFF ? LWI_VISIBILITY_MIXED : codes[q];
    if (kind != LWI_VISIBILITY_UNLIKE && kind != code) return LWI_VISIBILITY_UNLIKE;
    kind = code;
  }
  return kind == LWI_VISIBILITY_UNLIKE ? LWI_VISIBILITY_MIXED : kind;
}

static bool pack_group(packing *to, const uint8_t *codes, uint32_t row, uint32_t first, uint32_t count) {
  lwi_visibility_group group = {0, (uint32_t)to->word_count};
  for (uint32_t i = 0; i < LWI_VISIBILITY_GROUP / LWI_VISIBILITY_WORD; i++) {
    uint32_t at = first + i * LWI_VISIBILITY_WORD, kind = kind_of(codes, row, at, count);
    group.kinds |= kind << 2 * i;
    if (kind != LWI_VISIBILITY_UNLIKE) continue;
    if (!lwi_reserve(to->memory, &to->words, &to->word_capacity, to->word_count + 1, sizeof *to->words))
      return false;
    to->words[to->word_count++] = pack_word(codes, row, at, count);
  }
  if (!lwi_reserve(to->memory, &to->groups, &to->group_capacity, to->group_count + 1, sizeof *to->groups))
    return false;
  to->groups[to->group_count++] = group;
  return true;
}

/* Pack a row up to its last decided pair. */
static bool pack_row(packing *to, const uint8_t *codes, uint32_t row, uint32_t count) {
  uint32_t end = count;
  while (end > row && (codes[end - 1] == LWI_VISIBILITY_MIXED || codes[end - 1] == FAR_OFF)) end--;
  to->rows[row] = (uint32_t)to->group_count;
  for (uint32_t first = row / LWI_VISIBILITY_GROUP * LWI_VISIBILITY_GROUP; end > row && first < end;
       first += LWI_VISIBILITY_GROUP)
    if (!pack_group(to, codes, row, first, count)) return false;
  return true;
}

static bool make_rows(table_job *m, packing *to, known_sums *sums) {
  const uint32_t count = m->mesh->polygons.count;
  const int max_rows = 1 + (int)(BATCH / count);
  size_t size = (size_t)max_rows * count;
  m->codes = lwi_alloc(to->memory, size);
  bool done = m->codes != NULL;
  for (uint32_t row = 0; row < count && done; row += (uint32_t)m->rows) {
    m->first_row = (int)row;
    m->rows = count - row < (uint32_t)max_rows ? (int)(count - row) : max_rows;
    lwi_parallel run = {.count = m->rows, .threads = m->def->threads, .work = make_row, .user = m};
    lwi_parallel_run(&run);
    for (int i = 0; i < m->rows && done; i++) {
      const uint8_t *codes = m->codes + (size_t)i * count;
      sum_row(m, row + (uint32_t)i, codes, sums);
      done = pack_row(to, codes, row + (uint32_t)i, count);
    }
  }
  lwi_free(to->memory, m->codes, size);
  return done;
}

/* --- all of it -------------------------------------------------------------------------------------------- */

static lw_box box_of(const lwi_hull *hull) {
  lw_box box = lwi_box_empty();
  for (int i = 0; i < 2 * hull->count; i++) box = lwi_box_add(box, corner_of(hull, (uint32_t)i));
  return box;
}

static bool prepare(table_job *m, lwi_memory *memory) {
  const uint32_t count = m->mesh->polygons.count;
  m->prisms = lwi_alloc(memory, count * sizeof *m->prisms);
  m->hulls = lwi_alloc(memory, count * sizeof *m->hulls);
  m->boxes = lwi_alloc(memory, count * sizeof *m->boxes);
  m->scratches = lwi_alloc_zero(memory, (size_t)m->def->threads * sizeof *m->scratches);
  if (!m->prisms || !m->hulls || !m->boxes || !m->scratches) return false;
  for (uint32_t p = 0; p < count; p++) {
    m->prisms[p] = lwi_prism_of(m->mesh, p);
    m->hulls[p] = lwi_hull_of(m->mesh, p, &m->prisms[p]);
    m->boxes[p] = box_of(&m->hulls[p]);
  }
  for (; m->scratch_count < m->def->threads; m->scratch_count++)
    if (!lwi_surface_scratch_make(&m->scratches[m->scratch_count], &m->surface, memory)) return false;
  return true;
}

static void free_all(table_job *m, packing *to, lwi_memory *memory) {
  const size_t count = m->mesh->polygons.count, threads = (size_t)m->def->threads;
  for (size_t i = 0; m->scratches && i < threads; i++)
    lwi_surface_scratch_free(&m->scratches[i], &m->surface, memory);
  lwi_free(memory, m->scratches, threads * sizeof *m->scratches);
  lwi_free(memory, m->prisms, count * sizeof *m->prisms);
  lwi_free(memory, m->hulls, count * sizeof *m->hulls);
  lwi_free(memory, m->boxes, count * sizeof *m->boxes);
  lwi_free(memory, to->rows, (count + 1) * sizeof *to->rows);
  lwi_free(memory, to->groups, (size_t)to->group_capacity * sizeof *to->groups);
  lwi_free(memory, to->words, (size_t)to->word_capacity * sizeof *to->words);
  lwi_surface_free(&m->surface);
}

/* @return false: out of memory. */
static bool copy(lwi_memory *memory, const void *from, size_t size, void *pointer) {
  void *block = lwi_alloc(memory, size);
  if (block) memcpy(block, from, size);
  memcpy(pointer, &block, sizeof block);
  return block || size == 0;
}

static bool put(const table_job *m, const packing *from, const known_sums *sums, lw_navmesh *mesh) {
  const size_t count = mesh->polygons.count;
  lwi_memory *memory = &mesh->memory;
  lwi_visibility_table *pairs = lwi_visibility_edit(mesh);
  *pairs = (lwi_visibility_table){.has = 1,
                                  .group_count = (uint32_t)from->group_count,
                                  .word_count = (uint32_t)from->word_count,
                                  .range = m->def->range};
  if (sums->all > 0) {
    pairs->hidden = (float)(sums->known[LWI_VISIBILITY_HIDDEN] / sums->all);
    pairs->visible = (float)(sums->known[LWI_VISIBILITY_VISIBLE] / sums->all);
  }
  return copy(memory, m->prisms, count * sizeof *m->prisms, &pairs->prisms) &&
         copy(memory, from->rows, (count + 1) * sizeof *from->rows, &pairs->rows) &&
         copy(memory, from->groups, pairs->group_count * sizeof *from->groups, &pairs->groups) &&
         copy(memory, from->words, pairs->word_count * sizeof *from->words, &pairs->words);
}

bool lwi_visibility_table_make(lw_navmesh *mesh, const lwi_visibility_table_def *def, lwi_memory *memory) {
  const uint32_t count = mesh->polygons.count;
  table_job m = {.mesh = mesh, .def = def};
  packing to = {.memory = memory};
  known_sums sums = {0};
  if (count == 0) return true;
  if (!lwi_mutex_init(&m.lock)) return false;
  to.rows = lwi_alloc(memory, ((size_t)count + 1) * sizeof *to.rows);
  bool done = to.rows && lwi_surface_make(&m.surface, lwi_occluders_of(mesh), def->lines, memory) &&
              prepare(&m, memory) && make_rows(&m, &to, &sums);
  if (done) {
    to.rows[count] = (uint32_t)to.group_count;
    done = put(&m, &to, &sums, mesh);
  }
  free_all(&m, &to, memory);
  lwi_mutex_destroy(&m.lock);
  return done;
}
