#include "bake/occluder_patch.h"

#include "core/vec3.h"

#include <string.h>

/* Vertices stay when their facets go. With more vertices than this a facet, and these besides, the BVH is built again. */
#define VERTICES_A_FACET 8
#define SPARE_VERTICES 4096
#define BLOCKS_MAX (UINT16_MAX + 1u)

/* --- boxes ------------------------------------------------------------------------------------------------ */

static lwi_occluder_lattice_box unite(lwi_occluder_lattice_box a, lwi_occluder_lattice_box b) {
  for (int axis = 0; axis < 3; axis++) {
    if (b.min[axis] < a.min[axis]) a.min[axis] = b.min[axis];
    if (b.max[axis] > a.max[axis]) a.max[axis] = b.max[axis];
  }
  return a;
}

static lwi_occluder_lattice_box node_box(const lwi_occluder_node *node) {
  lwi_occluder_lattice_box box = {{INT32_MAX, INT32_MAX, INT32_MAX}, {INT32_MIN, INT32_MIN, INT32_MIN}};
  for (int i = 0; i < 4; i++)
    if (node->children[i] != LWI_OCCLUDER_NONE) box = unite(box, lwi_occluder_child_lattice(node, i));
  return box;
}

static double half_surface(lwi_occluder_lattice_box box) {
  const double x = (double)box.max[0] - box.min[0], y = (double)box.max[1] - box.min[1],
               z = (double)box.max[2] - box.min[2];
  return x * y + y * z + z * x;
}

/* Give a node's children their boxes, rounded outwards. */
static void place_children(lwi_occluder_node *node, const lwi_occluder_lattice_box boxes[4]) {
  lwi_occluder_lattice_box whole = {{INT32_MAX, INT32_MAX, INT32_MAX}, {INT32_MIN, INT32_MIN, INT32_MIN}};
  for (int i = 0; i < 4; i++)
    if (node->children[i] != LWI_OCCLUDER_NONE) whole = unite(whole, boxes[i]);
  memcpy(node->origin, whole.min, sizeof node->origin);
  for (int axis = 0; axis < 3; axis++) {
    const int64_t size = (int64_t)whole.max[axis] - whole.min[axis],
                  step = size > UINT8_MAX ? (size + UINT8_MAX - 1) / UINT8_MAX : 1;
    node->step[axis] = (uint16_t)step;
    for (int i = 0; i < 4; i++) {
      const bool is_there = node->children[i] != LWI_OCCLUDER_NONE;
      const int64_t low = (int64_t)boxes[i].min[axis] - whole.min[axis],
                    high = (int64_t)boxes[i].max[axis] - whole.min[axis];
      node->min[axis][i] = (uint8_t)(is_there ? low / step : UINT8_MAX);
      node->max[axis][i] = (uint8_t)(is_there ? (high + step - 1) / step : 0);
    }
  }
}

/* --- copying ---------------------------------------------------------------------------------------------- */

/* One of the two trees that are copied. */
typedef struct source_tree {
  const lwi_occluders *of;
  uint32_t first_block;
  bool has_gone; /* facets of it may be among those that go */
} source_tree;

typedef struct patching {
  const lwi_occluder_patch *patch;
  source_tree base, added;
  lwi_occluder_lattice_box added_box;
  lwi_occluders *out;
  int next_gone;
  bool is_too_deep;
  size_t node_size, leaf_size, number_size; /* of the arrays of `out` [bytes] */
} patching;

static uint32_t leaf_end(const lwi_occluders *of, uint32_t leaf) {
  return leaf + 1 < of->leaf_count ? of->leaves[leaf + 1] : of->number_count;
}

static bool is_next_gone(const patching *p, uint32_t leaf) {
  return p->next_gone < p->patch->gone_count && p->patch->gone[p->next_gone].leaf == leaf;
}

/* Append the facets of a leaf that stay. @return false: none does. */
static bool copy_facets(patching *p, const lwi_occluders *from, uint32_t leaf, uint8_t *numbers) {
  const uint8_t *at = numbers, *source = from->numbers + from->leaves[leaf] + LWI_BVH_LEAF_HEAD;
  uint8_t *last = NULL;
  numbers += LWI_BVH_LEAF_HEAD;
  for (uint32_t offset = 0, end = leaf_end(from, leaf) - from->leaves[leaf] - LWI_BVH_LEAF_HEAD;
       offset < end;) {
    const uint32_t size = 1 + (source[offset] & LWI_FACET_COUNT);
    if (is_next_gone(p, leaf) && p->patch->gone[p->next_gone].at == offset) {
      p->next_gone += 1;
    } else {
      last = numbers;
      memcpy(numbers, source + offset, size);
      *numbers = (uint8_t)(*numbers & ~LWI_FACET_LAST);
      numbers += size;
      p->out->facet_count += 1;
    }
    offset += size;
  }
  if (!last) return false;
  *last |= LWI_FACET_LAST;
  p->out->number_count += (uint32_t)(numbers - at);
  return true;
}

static void count_facets(patching *p, const uint8_t *at) {
  for (bool last = false; !last; at += 1 + (*at & LWI_FACET_COUNT)) {
    last = (*at & LWI_FACET_LAST) != 0;
    p->out->facet_count += 1;
  }
}

/* @return The leaf's child, or LWI_OCCLUDER_NONE: all of its facets go. */
static uint32_t copy_leaf(patching *p, const source_tree *tree, uint32_t leaf) {
  const lwi_occluders *from = tree->of;
  lwi_occluders *out = p->out;
  const uint8_t *head = from->numbers + from->leaves[leaf];
  uint8_t *numbers = out->numbers + out->number_count;
  const uint32_t begin = out->number_count, block = LWI_BVH_LEAF_BLOCK(head) + tree->first_block,
                 size = leaf_end(from, leaf) - from->leaves[leaf];
  if (tree->has_gone && is_next_gone(p, leaf)) {
    memcpy(numbers, head, LWI_BVH_LEAF_HEAD);
    if (!copy_facets(p, from, leaf, numbers)) return LWI_OCCLUDER_NONE;
  } else {
    memcpy(numbers, head, size);
    out->number_count += size;
    count_facets(p, head + LWI_BVH_LEAF_HEAD);
  }
  numbers[0] = (uint8_t)block;
  numbers[1] = (uint8_t)(block >> 8);
  out->leaves[out->leaf_count] = begin;
  return LWI_OCCLUDER_BVH_LEAF | out->leaf_count++;
}

static uint32_t copy_node(patching *p, const source_tree *tree, uint32_t number, int level);

static uint32_t copy_child(patching *p, const source_tree *tree, uint32_t child, int level) {
  if (child == LWI_OCCLUDER_NONE) return child;
  return child & LWI_OCCLUDER_BVH_LEAF ? copy_leaf(p, tree, child & ~LWI_OCCLUDER_BVH_LEAF)
                                       : copy_node(p, tree, child, level);
}

static void forget_child(lwi_occluder_node *node, int child) {
  for (int axis = 0; axis < 3; axis++) {
    node->min[axis][child] = UINT8_MAX;
    node->max[axis][child] = 0;
  }
}

/* @return The number of the copy, or LWI_OCCLUDER_NONE: all of its facets go. */
static uint32_t copy_node(patching *p, const source_tree *tree, uint32_t number, int level) {
  lwi_occluder_node node = tree->of->nodes[number];
  const uint32_t own = p->out->node_count++;
  bool any = false;
  if (level >= LWI_OCCLUDER_LEVELS) {
    p->is_too_deep = true;
    return own;
  }
  for (int i = 0; i < 4; i++) {
    if (node.children[i] == LWI_OCCLUDER_NONE) continue;
    node.children[i] = copy_child(p, tree, node.children[i], level + 1);
    if (node.children[i] == LWI_OCCLUDER_NONE) forget_child(&node, i);
    any |= node.children[i] != LWI_OCCLUDER_NONE;
  }
  if (!any) {
    p->out->node_count = own;
    return LWI_OCCLUDER_NONE;
  }
  p->out->nodes[own] = node;
  return own;
}

/* --- adding ----------------------------------------------------------------------------------------------- */

/* A node over a child of the base and what is added. @return Its number. */
static uint32_t pair_up(patching *p, uint32_t child, lwi_occluder_lattice_box box, int level) {
  const uint32_t own = p->out->node_count++;
  lwi_occluder_lattice_box boxes[4] = {box, p->added_box, p->added_box, p->added_box};
  lwi_occluder_node node = {.zero = 0};
  for (int i = 0; i < 4; i++) node.children[i] = LWI_OCCLUDER_NONE;
  node.children[0] = copy_child(p, &p->base, child, level + 1);
  node.children[1] = copy_node(p, &p->added, 0, level + 1);
  place_children(&node, boxes);
  p->out->nodes[own] = node;
  return own;
}

/* The child that grows by the smallest surface when the added facets join it; a missing child is best. */
static int choose_child(const patching *p, const lwi_occluder_node *node) {
  int best = 0;
  double smallest = INFINITY;
  for (int i = 0; i < 4; i++) {
    if (node->children[i] == LWI_OCCLUDER_NONE) return i;
    const lwi_occluder_lattice_box box = lwi_occluder_child_lattice(node, i);
    const double growth = half_surface(unite(box, p->added_box)) - half_surface(box);
    if (growth >= smallest) continue;
    smallest = growth;
    best = i;
  }
  return best;
}

static uint32_t add_below(patching *p, uint32_t number, int level);

static uint32_t add_to_child(patching *p, uint32_t child, lwi_occluder_lattice_box box, int level) {
  if (child == LWI_OCCLUDER_NONE) return copy_node(p, &p->added, 0, level);
  return child & LWI_OCCLUDER_BVH_LEAF ? pair_up(p, child, box, level) : add_below(p, child, level);
}

/* Copy a node of the base with what is added somewhere below it. @return Its number. */
static uint32_t add_below(patching *p, uint32_t number, int level) {
  lwi_occluder_node node = p->base.of->nodes[number];
  const uint32_t own = p->out->node_count++;
  const int chosen = choose_child(p, &node);
  lwi_occluder_lattice_box boxes[4];
  if (level >= LWI_OCCLUDER_LEVELS) {
    p->is_too_deep = true;
    return own;
  }
  for (int i = 0; i < 4; i++) {
    const bool is_there = node.children[i] != LWI_OCCLUDER_NONE;
    boxes[i] = is_there ? lwi_occluder_child_lattice(&node, i) : p->added_box;
    if (i == chosen) {
      node.children[i] = add_to_child(p, node.children[i], boxes[i], level + 1);
      boxes[i] = unite(boxes[i], p->added_box);
    } else {
      node.children[i] = copy_child(p, &p->base, node.children[i], level + 1);
    }
  }
  place_children(&node, boxes);
  p->out->nodes[own] = node;
  return own;
}

static void copy_all(patching *p) {
  const lwi_occluders *base = p->base.of, *added = p->added.of;
  if (added->node_count == 0) {
    copy_node(p, &p->base, 0, 0);
    return;
  }
  p->added_box = node_box(&added->nodes[0]);
  const lwi_occluder_lattice_box whole = node_box(&base->nodes[0]);
  if (half_surface(p->added_box) * 2 < half_surface(whole))
    add_below(p, 0, 0);
  else
    pair_up(p, 0, whole, 0);
}

/* --- arrays ----------------------------------------------------------------------------------------------- */

static bool make_arrays(patching *p, lwi_memory *memory) {
  const lwi_occluders *base = p->base.of, *added = p->added.of;
  lwi_occluders *out = p->out;
  const uint32_t vertices = base->vertex_count + added->vertex_count;
  p->node_size = (base->node_count + added->node_count + 1) * sizeof *out->nodes;
  p->leaf_size = (base->leaf_count + added->leaf_count) * sizeof *out->leaves;
  p->number_size = base->number_count + added->number_count;
  out->nodes = lwi_alloc(memory, p->node_size);
  out->leaves = lwi_alloc(memory, p->leaf_size);
  out->numbers = lwi_alloc(memory, p->number_size);
  out->blocks = lwi_alloc(memory, (base->block_count + added->block_count) * sizeof *out->blocks);
  out->vertices = lwi_alloc(memory, (size_t)lwi_occluder_vertex_numbers(vertices) * sizeof *out->vertices);
  return out->nodes && out->leaves && out->blocks && out->numbers && out->vertices;
}

static void copy_vertices(patching *p) {
  const lwi_occluders *base = p->base.of, *added = p->added.of;
  lwi_occluders *out = p->out;
  out->block_count = base->block_count + added->block_count;
  out->vertex_count = base->vertex_count + added->vertex_count;
  memcpy(out->blocks, base->blocks, base->block_count * sizeof *out->blocks);
  for (uint32_t i = 0; i < added->block_count; i++) {
    out->blocks[base->block_count + i] = added->blocks[i];
    out->blocks[base->block_count + i].first += base->vertex_count;
  }
  memcpy(out->vertices, base->vertices, 3 * (size_t)base->vertex_count * sizeof *out->vertices);
  if (added->vertex_count > 0)
    memcpy(out->vertices + 3 * (size_t)base->vertex_count, added->vertices,
           3 * (size_t)added->vertex_count * sizeof *out->vertices);
  out->vertices[3 * (size_t)out->vertex_count] = 0;
}

static bool trim_array(lwi_memory *memory, void *array, size_t *size, size_t now) {
  void *block;
  memcpy(&block, array, sizeof block);
  if (*size == now) return true;
  block = lwi_resize(memory, block, *size, now);
  if (!block) return false;
  memcpy(array, &block, sizeof block);
  *size = now;
  return true;
}

/* Shrink the arrays to their contents. */
static bool trim(patching *p, lwi_memory *memory) {
  lwi_occluders *out = p->out;
  return trim_array(memory, &out->nodes, &p->node_size, out->node_count * sizeof *out->nodes) &&
         trim_array(memory, &out->leaves, &p->leaf_size, out->leaf_count * sizeof *out->leaves) &&
         trim_array(memory, &out->numbers, &p->number_size, out->number_count);
}

static void free_arrays(patching *p, lwi_memory *memory) {
  const lwi_occluders *base = p->base.of, *added = p->added.of;
  lwi_occluders *out = p->out;
  const size_t blocks = (base->block_count + added->block_count) * sizeof *out->blocks,
               vertices = (size_t)lwi_occluder_vertex_numbers(base->vertex_count + added->vertex_count) *
                          sizeof *out->vertices;
  lwi_free(memory, out->nodes, out->nodes ? p->node_size : 0);
  lwi_free(memory, out->leaves, out->leaves ? p->leaf_size : 0);
  lwi_free(memory, out->numbers, out->numbers ? p->number_size : 0);
  lwi_free(memory, out->blocks, out->blocks ? blocks : 0);
  lwi_free(memory, out->vertices, out->vertices ? vertices : 0);
  *out = (lwi_occluders){.quantum = 1};
}

static bool is_worn(const lwi_occluder_patch *patch) {
  const uint64_t facets = (uint64_t)patch->base->facet_count - (uint64_t)patch->gone_count +
                          patch->added->facet_count,
                 vertices = (uint64_t)patch->base->vertex_count + patch->added->vertex_count;
  return patch->base->node_count == 0 || 2 * (uint64_t)patch->gone_count > patch->base->facet_count ||
         patch->base->block_count + patch->added->block_count > BLOCKS_MAX ||
         vertices > VERTICES_A_FACET * facets + SPARE_VERTICES;
}

lw_status lwi_occluders_patch(const lwi_occluder_patch *patch, lwi_memory *memory, lwi_occluders *result) {
  *result = (lwi_occluders){.origin = patch->base->origin, .quantum = patch->base->quantum};
  if (is_worn(patch)) return LW_LIMIT;
  patching p = {.patch = patch,
                .base = {patch->base, 0, true},
                .added = {patch->added, patch->base->block_count, false},
                .out = result};
  bool done = make_arrays(&p, memory);
  if (done) {
    copy_vertices(&p);
    copy_all(&p);
  }
  if (done && !p.is_too_deep && trim(&p, memory)) return LW_OK;
  free_arrays(&p, memory);
  return done && p.is_too_deep ? LW_LIMIT : LW_OUT_OF_MEMORY;
}
