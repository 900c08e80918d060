/* The BVH over the facets: split by the surface area heuristic (Goldsmith and Salmon 1987; in bins: Wald
   2007), two levels at a time, so that the boxes of four children are tested together. */
#include "bake/occluder_tree.h"

#include "core/simd.h"
#include "core/vec3.h"

#include <string.h>

#define BINS 16
#define VERTICES_MAX 65000

/* In quanta. */
typedef struct lattice_box {
  int32_t min[3], max[3];
} lattice_box;

/* x, y, z; the fourth element is 0. */
typedef struct simd_box {
  lwi_float4 min, max;
} simd_box;

typedef struct tree_work {
  lwi_memory *memory;
  const lwi_facets *facets;
  simd_box *boxes;       /* [facets] relative to the origin */
  void *box_block;       /* the allocation that holds them */
  lattice_box *lattices; /* [facets] the same in quanta */
  uint32_t *order;
  lwi_occluders *out;
  int node_capacity, leaf_capacity, block_capacity, number_capacity,
      vertex_capacity; /* vertex_capacity: in numbers */
  int node_count, leaf_count, block_count, number_count, vertex_count;
  uint32_t *vertices; /* [points] a point's vertex in the block that `blocks` says */
  int *blocks;        /* [points] 1 + the block in which it has a vertex */
  bool too_many;
} tree_work;

static lwi_float4 point_at(const lwi_facets *facets, uint32_t number) {
  const int32_t *p = facets->points[number];
  const double quantum = (double)facets->quantum;
  return lwi_make4((float)(p[0] * quantum), (float)(p[1] * quantum), (float)(p[2] * quantum), 0);
}

static simd_box empty_box(void) {
  return (simd_box){lwi_splat4(INFINITY), lwi_splat4(-INFINITY)};
}

static inline simd_box unite(simd_box a, simd_box b) {
  return (simd_box){lwi_min4(a.min, b.min), lwi_max4(a.max, b.max)};
}

static double half_surface(simd_box box) {
  const lwi_float4 size = lwi_sub4(box.max, box.min);
  double x = (double)lwi_get4(size, 0), y = (double)lwi_get4(size, 1), z = (double)lwi_get4(size, 2);
  return lwi_get4(box.min, 0) <= lwi_get4(box.max, 0) ? x * y + y * z + z * x : 0;
}

static inline lwi_float4 middle(const simd_box *box) {
  return lwi_mul4(lwi_add4(box->min, box->max), lwi_splat4(0.5f));
}

static simd_box box_of(const tree_work *work, uint32_t first, uint32_t count) {
  simd_box box = empty_box();
  for (uint32_t i = first; i < first + count; i++) box = unite(box, work->boxes[work->order[i]]);
  return box;
}

typedef struct tree_split {
  int axis, bin; /* bins below `bin` go to the left */
  float low, scale;
  double cost;
} tree_split;

static int bin_of(const tree_split *split, float at) {
  int bin = (int)((at - split->low) * split->scale);
  return bin < 0 ? 0 : bin >= BINS ? BINS - 1 : bin;
}

/* @param middles  The bounds of the centres of the range's boxes. */
static void try_axis(const tree_work *work, uint32_t first, uint32_t count, const simd_box *middles, int axis,
                     tree_split *best) {
  const float low = lwi_get4(middles->min, axis), high = lwi_get4(middles->max, axis);
  if (!(high > low)) return;
  tree_split split = {.axis = axis, .low = low, .scale = BINS / (high - low)};
  simd_box boxes[BINS], right = empty_box();
  uint32_t counts[BINS] = {0}, below = 0, above = 0;
  double costs[BINS];
  for (int b = 0; b < BINS; b++) boxes[b] = right;
  for (uint32_t i = first; i < first + count; i++) {
    const simd_box *box = &work->boxes[work->order[i]];
    int bin = bin_of(&split, lwi_get4(middle(box), axis));
    boxes[bin] = unite(boxes[bin], *box);
    counts[bin] += 1;
  }
  for (int b = BINS - 1; b > 0; b--) {
    right = unite(right, boxes[b]);
    above += counts[b];
    costs[b] = half_surface(right) * above;
  }
  simd_box left = empty_box();
  for (int b = 1; b < BINS; b++) {
    left = unite(left, boxes[b - 1]);
    below += counts[b - 1];
    double cost = half_surface(left) * below + costs[b];
    if (below == 0 || below == count || cost >= best->cost) continue;
    split.cost = cost;
    split.bin = b;
    *best = split;
  }
}

/* Reorder the range. @return How many go to the left. */
static uint32_t split_range(const tree_work *work, uint32_t first, uint32_t count) {
  tree_split best = {.cost = INFINITY};
  simd_box middles = empty_box();
  for (uint32_t i = first; i < first + count; i++) {
    const lwi_float4 at = middle(&work->boxes[work->order[i]]);
    middles = unite(middles, (simd_box){at, at});
  }
  for (int axis = 0; axis < 3; axis++) try_axis(work, first, count, &middles, axis, &best);
  if (!(best.cost < INFINITY)) return count / 2; /* all centres coincide */
  uint32_t left = first, end = first + count;
  for (uint32_t i = first; i < end; i++) {
    uint32_t facet = work->order[i];
    if (bin_of(&best, lwi_get4(middle(&work->boxes[facet]), best.axis)) >= best.bin) continue;
    work->order[i] = work->order[left];
    work->order[left++] = facet;
  }
  return left - first;
}

/* --- writing ---------------------------------------------------------------------------------------------- */

static bool add_numbers(tree_work *work, const uint8_t *numbers, int count) {
  if (!lwi_reserve(work->memory, &work->out->numbers, &work->number_capacity, work->number_count + count,
                   sizeof *numbers))
    return false;
  memcpy(work->out->numbers + work->number_count, numbers, (size_t)count * sizeof *numbers);
  work->number_count += count;
  return true;
}

/* The point's vertex in the last block, counted from the leaf's first vertex. A point whose vertex lies
   before that gets another one. */
static bool add_vertex(tree_work *work, uint32_t point, uint32_t leaf_first, uint8_t *vertex) {
  const lwi_occluder_block *block = &work->out->blocks[work->block_count - 1];
  if (work->blocks[point] != work->block_count || work->vertices[point] < leaf_first) {
    if (!lwi_reserve(work->memory, &work->out->vertices, &work->vertex_capacity, 3 * work->vertex_count + 4,
                     sizeof *work->out->vertices))
      return false;
    uint16_t *at = work->out->vertices + 3 * (size_t)work->vertex_count;
    for (int axis = 0; axis < 3; axis++)
      at[axis] = (uint16_t)(work->facets->points[point][axis] - block->origin[axis]);
    at[3] = 0;
    work->blocks[point] = work->block_count;
    work->vertices[point] = (uint32_t)work->vertex_count++ - block->first;
  }
  *vertex = (uint8_t)(work->vertices[point] - leaf_first);
  return true;
}

static bool add_facet(tree_work *work, const lwi_facet *facet, uint32_t leaf_first, bool last) {
  uint8_t numbers[1 + LWI_OCCLUDER_CORNERS];
  numbers[0] = (uint8_t)(facet->count | (unsigned)facet->kind << 4 | (last ? LWI_FACET_LAST : 0));
  for (int i = 0; i < facet->count; i++)
    if (!add_vertex(work, facet->corners[i], leaf_first, &numbers[1 + i])) return false;
  return add_numbers(work, numbers, 1 + facet->count);
}

static lattice_box empty_lattice(void) {
  return (lattice_box){{INT32_MAX, INT32_MAX, INT32_MAX}, {INT32_MIN, INT32_MIN, INT32_MIN}};
}

static void bound_point(lattice_box *box, const int32_t low[3], const int32_t high[3]) {
  for (int axis = 0; axis < 3; axis++) {
    if (low[axis] < box->min[axis]) box->min[axis] = low[axis];
    if (high[axis] > box->max[axis]) box->max[axis] = high[axis];
  }
}

static lattice_box bound(const tree_work *work, uint32_t first, uint32_t count) {
  lattice_box box = empty_lattice();
  for (uint32_t i = first; i < first + count; i++) {
    const lattice_box *facet = &work->lattices[work->order[i]];
    bound_point(&box, facet->min, facet->max);
  }
  return box;
}

/* Do all corners lie within 16 bits of one point, and are they few enough for a block? */
static bool fits_block(const tree_work *work, uint32_t first, uint32_t count) {
  lattice_box box = bound(work, first, count);
  for (int axis = 0; axis < 3; axis++)
    if ((int64_t)box.max[axis] - box.min[axis] > UINT16_MAX) return false;
  return (uint64_t)count * LWI_OCCLUDER_CORNERS <= VERTICES_MAX;
}

static bool add_block(tree_work *work, uint32_t first, uint32_t count) {
  if (work->block_count > UINT16_MAX) {
    work->too_many = true;
    return false;
  }
  if (!lwi_reserve(work->memory, &work->out->blocks, &work->block_capacity, work->block_count + 1,
                   sizeof *work->out->blocks))
    return false;
  lattice_box box = bound(work, first, count);
  lwi_occluder_block *block = &work->out->blocks[work->block_count++];
  memcpy(block->origin, box.min, sizeof block->origin);
  block->first = (uint32_t)work->vertex_count;
  return true;
}

static bool fits_leaf(const tree_work *work, uint32_t first, uint32_t count) {
  return count <= 1 || (count <= LWI_BVH_LEAF_FACETS && fits_block(work, first, count));
}

static bool add_leaf(tree_work *work, uint32_t first, uint32_t count, uint32_t *child) {
  /* Vertices of the leaf are numbered in a byte from here, with space for all that the leaf may add. */
  const uint32_t block = (uint32_t)work->block_count - 1, scratch = LWI_BVH_LEAF_FACETS * LWI_OCCLUDER_CORNERS,
                 next = (uint32_t)work->vertex_count - work->out->blocks[block].first,
                 leaf_first = next + scratch > UINT8_MAX + 1 ? next + scratch - UINT8_MAX - 1 : 0;
  const uint8_t head[LWI_BVH_LEAF_HEAD] = {(uint8_t)block, (uint8_t)(block >> 8), (uint8_t)leaf_first,
                                           (uint8_t)(leaf_first >> 8)};
  if (!lwi_reserve(work->memory, &work->out->leaves, &work->leaf_capacity, work->leaf_count + 1,
                   sizeof *work->out->leaves))
    return false;
  work->out->leaves[work->leaf_count] = (uint32_t)work->number_count;
  *child = LWI_OCCLUDER_BVH_LEAF | (uint32_t)work->leaf_count++;
  if (!add_numbers(work, head, LWI_BVH_LEAF_HEAD)) return false;
  for (uint32_t i = first; i < first + count; i++)
    if (!add_facet(work, &work->facets->facets[work->order[i]], leaf_first, i + 1 == first + count))
      return false;
  return true;
}

typedef struct tree_range {
  uint32_t first, count;
  double surface; /* half the surface of its bounding box */
} tree_range;

static tree_range range_of(const tree_work *work, uint32_t first, uint32_t count) {
  return (tree_range){first, count, half_surface(box_of(work, first, count))};
}

/* Do the levels below `level` only just suffice for as many facets? */
static bool is_deep(int level, uint32_t count) {
  int needed = 0;
  for (uint64_t held = 1; held < count; held *= 4) needed++;
  return level + needed >= LWI_OCCLUDER_LEVELS;
}

/* Cut the range into at most four parts. Parts that fit a leaf are not cut.
   @param evenly  By count in place of surface, so that no part has more than a quarter of the facets. */
static int cut_in_four(const tree_work *work, tree_range range, bool evenly, tree_range parts[4]) {
  int count = 1;
  parts[0] = range;
  while (count < 4) {
    int largest = -1;
    double largest_size = -1;
    for (int i = 0; i < count; i++) {
      const double size = evenly ? parts[i].count : parts[i].surface;
      if (size <= largest_size || fits_leaf(work, parts[i].first, parts[i].count)) continue;
      largest_size = size;
      largest = i;
    }
    if (largest < 0) break;
    tree_range *part = &parts[largest];
    uint32_t left = evenly ? part->count / 2 : split_range(work, part->first, part->count);
    parts[count++] = range_of(work, part->first + left, part->count - left);
    *part = range_of(work, part->first, left);
  }
  return count;
}

static bool add_child(tree_work *work, tree_range range, bool in_block, int level, uint32_t *child);

/* The node's origin and steps, and its children's boxes in them, rounded outwards. */
static void place_node(const tree_work *work, tree_range range, const tree_range *parts, int count,
                       lwi_occluder_node *node) {
  lattice_box whole = bound(work, range.first, range.count);
  *node = (lwi_occluder_node){0};
  memcpy(node->origin, whole.min, sizeof node->origin);
  for (int axis = 0; axis < 3; axis++) {
    int64_t size = (int64_t)whole.max[axis] - whole.min[axis];
    node->step[axis] = (uint16_t)((size + UINT8_MAX - 1) / UINT8_MAX);
    if (node->step[axis] == 0) node->step[axis] = 1;
  }
  for (int i = 0; i < 4; i++) {
    node->children[i] = LWI_OCCLUDER_NONE;
    lattice_box box = i < count ? bound(work, parts[i].first, parts[i].count) : whole;
    for (int axis = 0; axis < 3; axis++) {
      int64_t low = (int64_t)box.min[axis] - whole.min[axis], high = (int64_t)box.max[axis] - whole.min[axis];
      const int64_t step = node->step[axis];
      node->min[axis][i] = (uint8_t)(i < count ? low / step : UINT8_MAX);
      node->max[axis][i] = (uint8_t)(i < count ? (high + step - 1) / step : 0);
    }
  }
}

static bool add_node(tree_work *work, tree_range range, bool in_block, int level, uint32_t *child) {
  if (!lwi_reserve(work->memory, &work->out->nodes, &work->node_capacity, work->node_count + 1,
                   sizeof *work->out->nodes))
    return false;
  uint32_t index = (uint32_t)work->node_count++;
  tree_range parts[4];
  int count = cut_in_four(work, range, is_deep(level, range.count), parts);
  lwi_occluder_node node;
  place_node(work, range, parts, count, &node);
  for (int i = 0; i < count; i++)
    if (!add_child(work, parts[i], in_block, level + 1, &node.children[i])) return false;
  work->out->nodes[index] = node;
  *child = index;
  return true;
}

/* @param in_block  The last block holds all of the range; else a block is begun as soon as the range fits one.
   @param level  0: the root. */
static bool add_child(tree_work *work, tree_range range, bool in_block, int level, uint32_t *child) {
  if (!in_block && fits_block(work, range.first, range.count)) {
    if (!add_block(work, range.first, range.count)) return false;
    in_block = true;
  }
  if (fits_leaf(work, range.first, range.count)) return add_leaf(work, range.first, range.count, child);
  return add_node(work, range, in_block, level, child);
}

static bool fill(tree_work *work) {
  uint32_t count = (uint32_t)work->facets->count, root;
  for (uint32_t f = 0; f < count; f++) {
    const lwi_facet *facet = &work->facets->facets[f];
    work->order[f] = f;
    work->boxes[f] = empty_box();
    work->lattices[f] = empty_lattice();
    for (int i = 0; i < facet->count; i++) {
      const int32_t *point = work->facets->points[facet->corners[i]];
      const lwi_float4 at = point_at(work->facets, facet->corners[i]);
      work->boxes[f] = unite(work->boxes[f], (simd_box){at, at});
      bound_point(&work->lattices[f], point, point);
    }
  }
  if (count == 0) return true;
  const bool in_block = fits_block(work, 0, count);
  return (!in_block || add_block(work, 0, count)) &&
         add_node(work, range_of(work, 0, count), in_block, 0, &root);
}

static bool trim_array(lwi_memory *memory, void *array, int *capacity, int count, size_t size) {
  void *block;
  memcpy(&block, array, sizeof block);
  block = lwi_resize(memory, block, (size_t)*capacity * size, (size_t)count * size);
  if (!block) return false;
  memcpy(array, &block, sizeof block);
  *capacity = count;
  return true;
}

/* Shrink the arrays to their contents. */
static bool trim(tree_work *work) {
  lwi_occluders *out = work->out;
  out->node_count = (uint32_t)work->node_count;
  out->leaf_count = (uint32_t)work->leaf_count;
  out->block_count = (uint32_t)work->block_count;
  out->number_count = (uint32_t)work->number_count;
  out->vertex_count = (uint32_t)work->vertex_count;
  return trim_array(work->memory, &out->nodes, &work->node_capacity, work->node_count, sizeof *out->nodes) &&
         trim_array(work->memory, &out->leaves, &work->leaf_capacity, work->leaf_count, sizeof *out->leaves) &&
         trim_array(work->memory, &out->blocks, &work->block_capacity, work->block_count,
                    sizeof *out->blocks) &&
         trim_array(work->memory, &out->numbers, &work->number_capacity, work->number_count,
                    sizeof *out->numbers) &&
         trim_array(work->memory, &out->vertices, &work->vertex_capacity,
                    (int)lwi_occluder_vertex_numbers(out->vertex_count), sizeof *out->vertices);
}

static bool build_tree(tree_work *work) {
  const size_t count = (size_t)work->facets->count, points = (size_t)work->facets->point_count;
  work->boxes = lwi_alloc_simd(work->memory, count * sizeof *work->boxes, &work->box_block);
  work->lattices = lwi_alloc(work->memory, count * sizeof *work->lattices);
  work->order = lwi_alloc(work->memory, count * sizeof *work->order);
  work->vertices = lwi_alloc(work->memory, points * sizeof *work->vertices);
  work->blocks = lwi_alloc_zero(work->memory, points * sizeof *work->blocks);
  bool done = work->boxes && work->lattices && work->order && work->vertices && work->blocks && fill(work) &&
              trim(work);
  lwi_free_simd(work->memory, count * sizeof *work->boxes, work->box_block);
  lwi_free(work->memory, work->lattices, count * sizeof *work->lattices);
  lwi_free(work->memory, work->order, count * sizeof *work->order);
  lwi_free(work->memory, work->vertices, points * sizeof *work->vertices);
  lwi_free(work->memory, work->blocks, points * sizeof *work->blocks);
  return done;
}

lw_status lwi_occluders_build(const lwi_occluder_source *source, lwi_memory *memory, lwi_occluders *occluders) {
  lwi_facets facets;
  *occluders = (lwi_occluders){.quantum = 1};
  bool done = lwi_facets_make(&facets, source, memory);
  tree_work work = {.memory = memory, .facets = &facets, .out = occluders};
  if (done && facets.count > 0) {
    occluders->origin = facets.origin;
    occluders->quantum = facets.quantum;
    occluders->facet_count = (uint32_t)facets.count;
    done = build_tree(&work);
  }
  lwi_facets_free(&facets);
  if (done) return LW_OK;
  lwi_free(memory, occluders->nodes, (size_t)work.node_capacity * sizeof *occluders->nodes);
  lwi_free(memory, occluders->leaves, (size_t)work.leaf_capacity * sizeof *occluders->leaves);
  lwi_free(memory, occluders->blocks, (size_t)work.block_capacity * sizeof *occluders->blocks);
  lwi_free(memory, occluders->numbers, (size_t)work.number_capacity * sizeof *occluders->numbers);
  lwi_free(memory, occluders->vertices, (size_t)work.vertex_capacity * sizeof *occluders->vertices);
  *occluders = (lwi_occluders){.quantum = 1};
  return work.too_many ? LW_LIMIT : LW_OUT_OF_MEMORY;
}
