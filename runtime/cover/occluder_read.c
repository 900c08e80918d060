#include "cover/occluder.h"

#include "core/vec3.h"
#include "cover/leaf.h"

#include <string.h>

/* @param vertex  Of the block. */
static lw_vec3 corner(const lwi_occluders *of, const lwi_occluder_block *block, uint32_t vertex) {
  const uint16_t *at = of->vertices + 3 * ((size_t)block->first + vertex);
  const double quantum = (double)of->quantum;
  return lwi_vec3((float)((block->origin[0] + at[0]) * quantum), (float)((block->origin[1] + at[1]) * quantum),
                  (float)((block->origin[2] + at[2]) * quantum));
}

bool lwi_occluders_next(const lwi_occluders *occluders, lwi_occluder_cursor *cursor,
                        lwi_occluder_facet *facet) {
  if (cursor->leaf == occluders->leaf_count) return false;
  const uint8_t *leaf = occluders->numbers + occluders->leaves[cursor->leaf];
  const uint8_t *at = leaf + LWI_LEAF_HEAD + cursor->at;
  const uint32_t count = at[0] & LWI_FACET_COUNT;
  facet->count = (uint8_t)count;
  facet->kind = (uint8_t)LWI_FACET_KIND(at[0]);
  for (uint32_t i = 0; i < count; i++)
    facet->corners[i] =
        corner(occluders, &occluders->blocks[LWI_LEAF_BLOCK(leaf)], LWI_LEAF_FIRST(leaf) + at[1 + i]);
  if (at[0] & LWI_FACET_LAST)
    *cursor = (lwi_occluder_cursor){cursor->leaf + 1, 0};
  else
    cursor->at += 1 + count;
  return true;
}

/* --- some of the leaves --------------------------------------------------------------------------------------------- */

typedef struct thinning {
  const lwi_occluders *from;
  lwi_occluders *to;
  uint32_t *kept; /* [vertex_count] 1 + the vertex's number in the copy, 0: it is not used */
} thinning;

/* The numbers of a leaf begin here, and end before those of the next. */
static uint32_t leaf_end(const lwi_occluders *of, uint32_t leaf) {
  return leaf + 1 < of->leaf_count ? of->leaves[leaf + 1] : of->number_count;
}

/* What the leaf's corners count from. */
static uint32_t first_vertex(const lwi_occluders *of, uint32_t leaf) {
  const uint8_t *numbers = of->numbers + of->leaves[leaf];
  return of->blocks[LWI_LEAF_BLOCK(numbers)].first + LWI_LEAF_FIRST(numbers);
}

static void mark_vertices(const thinning *t, uint32_t leaf) {
  const uint32_t first = first_vertex(t->from, leaf);
  for (uint32_t at = t->from->leaves[leaf] + LWI_LEAF_HEAD; at < leaf_end(t->from, leaf);) {
    const uint32_t count = t->from->numbers[at++] & LWI_FACET_COUNT;
    t->to->facet_count += 1;
    for (uint32_t i = 0; i < count; i++) t->kept[first + t->from->numbers[at++]] = 1;
  }
}

/* Vertices that are used move up, block by block. */
static void copy_vertices(const thinning *t) {
  const lwi_occluders *from = t->from;
  uint32_t used = 0;
  for (uint32_t b = 0; b < from->block_count; b++) {
    const uint32_t end = b + 1 < from->block_count ? from->blocks[b + 1].first : from->vertex_count;
    t->to->blocks[b] = from->blocks[b];
    t->to->blocks[b].first = used;
    for (uint32_t v = from->blocks[b].first; v < end; v++) {
      if (!t->kept[v]) continue;
      memcpy(t->to->vertices + 3 * (size_t)used, from->vertices + 3 * (size_t)v, 3 * sizeof *from->vertices);
      t->kept[v] = ++used;
    }
  }
  t->to->vertices[3 * (size_t)used] = 0;
}

/* The first vertex of a leaf in the copy: not all before it are used, so its others are no further from it than they were. */
static uint32_t first_kept(const thinning *t, uint32_t leaf) {
  const uint32_t first = first_vertex(t->from, leaf);
  uint32_t kept = UINT32_MAX;
  for (uint32_t at = t->from->leaves[leaf] + LWI_LEAF_HEAD; at < leaf_end(t->from, leaf);) {
    const uint32_t count = t->from->numbers[at++] & LWI_FACET_COUNT;
    for (uint32_t i = 0; i < count; i++) {
      const uint32_t number = t->kept[first + t->from->numbers[at++]] - 1;
      if (number < kept) kept = number;
    }
  }
  return kept;
}

/* @return Where the next leaf's numbers go. */
static uint32_t copy_leaf(const thinning *t, uint32_t leaf, uint32_t to) {
  const lwi_occluders *from = t->from;
  const uint8_t *head = from->numbers + from->leaves[leaf];
  const uint32_t first = first_vertex(from, leaf), kept = first_kept(t, leaf),
                 off = kept - t->to->blocks[LWI_LEAF_BLOCK(head)].first;
  uint8_t *numbers = t->to->numbers;
  numbers[to++] = head[0];
  numbers[to++] = head[1];
  numbers[to++] = (uint8_t)off;
  numbers[to++] = (uint8_t)(off >> 8);
  for (uint32_t at = from->leaves[leaf] + LWI_LEAF_HEAD; at < leaf_end(from, leaf);) {
    const uint32_t count = from->numbers[at] & LWI_FACET_COUNT;
    numbers[to++] = from->numbers[at++];
    for (uint32_t i = 0; i < count; i++)
      numbers[to++] = (uint8_t)(t->kept[first + from->numbers[at++]] - 1 - kept);
  }
  return to;
}

static bool make_arrays(const thinning *t, lwi_memory *memory) {
  lwi_occluders *to = t->to;
  for (uint32_t v = 0; v < t->from->vertex_count; v++) to->vertex_count += t->kept[v];
  to->block_count = t->from->block_count;
  to->leaves = lwi_alloc(memory, to->leaf_count * sizeof *to->leaves);
  to->blocks = lwi_alloc(memory, to->block_count * sizeof *to->blocks);
  to->numbers = lwi_alloc(memory, to->number_count * sizeof *to->numbers);
  to->vertices =
      lwi_alloc(memory, (size_t)lwi_occluder_vertex_numbers(to->vertex_count) * sizeof *to->vertices);
  return to->leaves && to->blocks && to->numbers && to->vertices;
}

static bool thin_out(const thinning *t, const uint32_t *numbers, lwi_memory *memory) {
  for (uint32_t i = 0; i < t->from->leaf_count; i++) {
    if (numbers[i] == UINT32_MAX) continue;
    t->to->leaf_count += 1;
    t->to->number_count += leaf_end(t->from, i) - t->from->leaves[i];
    mark_vertices(t, i);
  }
  if (t->to->leaf_count == 0) return true;
  if (!make_arrays(t, memory)) return false;
  copy_vertices(t);
  for (uint32_t i = 0, at = 0; i < t->from->leaf_count; i++) {
    if (numbers[i] == UINT32_MAX) continue;
    t->to->leaves[numbers[i]] = at;
    at = copy_leaf(t, i, at);
  }
  return true;
}

bool lwi_occluders_thin(const lwi_occluders *occluders, const uint32_t *numbers, lwi_memory *memory,
                        lwi_occluders *thin) {
  const size_t size = occluders->vertex_count * sizeof(uint32_t);
  *thin = (lwi_occluders){.origin = occluders->origin, .quantum = occluders->quantum};
  if (occluders->leaf_count == 0) return true;
  const thinning t = {occluders, thin, lwi_alloc_zero(memory, size)};
  bool done = t.kept && thin_out(&t, numbers, memory);
  lwi_free(memory, t.kept, size);
  if (!done) lwi_occluders_free(thin, memory);
  return done;
}
