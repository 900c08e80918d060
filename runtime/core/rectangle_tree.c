#include "core/rectangle_tree.h"

static float smaller(float a, float b) {
  return a < b ? a : b;
}
static float larger(float a, float b) {
  return a > b ? a : b;
}

static lwi_rectangle join(const lwi_rectangle *a, const lwi_rectangle *b) {
  return (lwi_rectangle){smaller(a->min_x, b->min_x), smaller(a->min_z, b->min_z), larger(a->max_x, b->max_x),
                         larger(a->max_z, b->max_z)};
}

static float half_girth(const lwi_rectangle *box) {
  return box->max_x - box->min_x + (box->max_z - box->min_z);
}

/* --- nodes ------------------------------------------------------------------------------------------------- */

static bool is_leaf(const lwi_rectangle_tree_node *node) {
  return node->children[0] == 0;
}

/* Space for a leaf and the node that joins it to another. */
static bool reserve(lwi_rectangle_tree *tree, lwi_memory *memory, uint32_t item) {
  if (!lwi_reserve(memory, &tree->leaves, &tree->leaf_capacity, (int)item + 1, sizeof *tree->leaves))
    return false;
  return lwi_reserve(memory, &tree->nodes, &tree->node_capacity, tree->node_count + 3, sizeof *tree->nodes);
}

static uint32_t take_node(lwi_rectangle_tree *tree) {
  uint32_t index = tree->free;
  if (index != 0) {
    tree->free = tree->nodes[index].parent;
  } else {
    if (tree->node_count == 0) tree->node_count = 1;
    index = (uint32_t)tree->node_count++;
  }
  tree->nodes[index] = (lwi_rectangle_tree_node){0};
  return index;
}

static void give_back(lwi_rectangle_tree *tree, uint32_t index) {
  tree->nodes[index] = (lwi_rectangle_tree_node){.parent = tree->free};
  tree->free = index;
}

/* Box and height from the children. */
static void update(lwi_rectangle_tree *tree, uint32_t index) {
  lwi_rectangle_tree_node *node = &tree->nodes[index];
  const lwi_rectangle_tree_node *a = &tree->nodes[node->children[0]], *b = &tree->nodes[node->children[1]];
  node->box = join(&a->box, &b->box);
  node->height = 1 + (a->height > b->height ? a->height : b->height);
}

/* Put a node in the place of another below that one's parent. */
static void replace(lwi_rectangle_tree *tree, uint32_t parent, uint32_t old, uint32_t new) {
  tree->nodes[new].parent = parent;
  if (parent == 0)
    tree->root = new;
  else
    tree->nodes[parent].children[tree->nodes[parent].children[1] == old] = new;
}

/* Lift the higher child into the place of its parent, which takes over the lower one of its children.
   @return What stands there now. */
static uint32_t rotate(lwi_rectangle_tree *tree, uint32_t index, int higher) {
  lwi_rectangle_tree_node *node = &tree->nodes[index];
  const uint32_t lifted = node->children[higher];
  lwi_rectangle_tree_node *top = &tree->nodes[lifted];
  const int low = tree->nodes[top->children[0]].height > tree->nodes[top->children[1]].height;
  const uint32_t moved = top->children[low];
  replace(tree, node->parent, index, lifted);
  top->children[low] = index;
  node->parent = lifted;
  node->children[higher] = moved;
  tree->nodes[moved].parent = index;
  update(tree, index);
  update(tree, lifted);
  return lifted;
}

/* From a node upwards. */
static void mend(lwi_rectangle_tree *tree, uint32_t index) {
  while (index != 0) {
    const lwi_rectangle_tree_node *node = &tree->nodes[index];
    const int more = tree->nodes[node->children[1]].height - tree->nodes[node->children[0]].height;
    if (more > 1 || more < -1)
      index = rotate(tree, index, more > 1);
    else
      update(tree, index);
    index = tree->nodes[index].parent;
  }
}

/* --- adding and removing ------------------------------------------------------------------------------------ */

/* The node beside which the new leaf makes the boxes above it grow least, going down greedily. */
static uint32_t find_sibling(const lwi_rectangle_tree *tree, const lwi_rectangle *box) {
  uint32_t index = tree->root;
  while (!is_leaf(&tree->nodes[index])) {
    const lwi_rectangle_tree_node *node = &tree->nodes[index];
    const lwi_rectangle both = join(&node->box, box);
    const float here = 2 * half_girth(&both), inherited = 2 * (half_girth(&both) - half_girth(&node->box));
    float costs[2];
    for (int i = 0; i < 2; i++) {
      const lwi_rectangle_tree_node *child = &tree->nodes[node->children[i]];
      const lwi_rectangle joined = join(&child->box, box);
      costs[i] = half_girth(&joined) - (is_leaf(child) ? 0 : half_girth(&child->box)) + inherited;
    }
    if (here < costs[0] && here < costs[1]) break;
    index = node->children[costs[1] < costs[0]];
  }
  return index;
}

bool lwi_rectangle_tree_add(lwi_rectangle_tree *tree, lwi_memory *memory, uint32_t item, lwi_rectangle box) {
  if (!reserve(tree, memory, item)) return false;
  const uint32_t leaf = take_node(tree);
  tree->leaves[item] = leaf;
  tree->nodes[leaf].box = box;
  tree->nodes[leaf].item = item;
  if (tree->root == 0) {
    tree->root = leaf;
    return true;
  }
  const uint32_t sibling = find_sibling(tree, &box), parent = take_node(tree);
  replace(tree, tree->nodes[sibling].parent, sibling, parent);
  tree->nodes[parent].children[0] = sibling;
  tree->nodes[parent].children[1] = leaf;
  tree->nodes[sibling].parent = tree->nodes[leaf].parent = parent;
  mend(tree, parent);
  return true;
}

void lwi_rectangle_tree_remove(lwi_rectangle_tree *tree, uint32_t item) {
  const uint32_t leaf = tree->leaves[item], parent = tree->nodes[leaf].parent;
  give_back(tree, leaf);
  if (parent == 0) {
    tree->root = 0;
    return;
  }
  const uint32_t above = tree->nodes[parent].parent;
  const uint32_t sibling = tree->nodes[parent].children[tree->nodes[parent].children[0] == leaf];
  replace(tree, above, parent, sibling);
  give_back(tree, parent);
  mend(tree, above);
}

void lwi_rectangle_tree_clear(lwi_rectangle_tree *tree) {
  tree->node_count = 0;
  tree->root = tree->free = 0;
}

void lwi_rectangle_tree_free(lwi_rectangle_tree *tree, lwi_memory *memory) {
  lwi_free(memory, tree->nodes, (size_t)tree->node_capacity * sizeof *tree->nodes);
  lwi_free(memory, tree->leaves, (size_t)tree->leaf_capacity * sizeof *tree->leaves);
  *tree = (lwi_rectangle_tree){0};
}

static const char *validate_node(const lwi_rectangle_tree *tree, uint32_t index) {
  const lwi_rectangle_tree_node *node = &tree->nodes[index];
  if (is_leaf(node)) {
    if (node->height != 0 || node->children[1] != 0) return "a leaf has a height or a child";
    return tree->leaves[node->item] == index ? NULL : "a leaf is not the one of its item";
  }
  const lwi_rectangle_tree_node *a = &tree->nodes[node->children[0]], *b = &tree->nodes[node->children[1]];
  if (a->parent != index || b->parent != index) return "a child has another parent";
  if (a->height - b->height > 1 || b->height - a->height > 1) return "the halves of a node differ in height";
  if (node->height != 1 + (a->height > b->height ? a->height : b->height)) return "a height is wrong";
  const lwi_rectangle box = join(&a->box, &b->box);
  if (box.min_x != node->box.min_x || box.min_z != node->box.min_z || box.max_x != node->box.max_x ||
      box.max_z != node->box.max_z)
    return "a box is not that of its children";
  const char *wrong = validate_node(tree, node->children[0]);
  return wrong ? wrong : validate_node(tree, node->children[1]);
}

const char *lwi_rectangle_tree_validate(const lwi_rectangle_tree *tree) {
  if (tree->root == 0) return NULL;
  if (tree->nodes[tree->root].parent != 0) return "the root has a parent";
  if (tree->nodes[tree->root].height > LWI_RECTANGLE_TREE_HEIGHT) return "the tree is too high";
  return validate_node(tree, tree->root);
}

/* --- walking ------------------------------------------------------------------------------------------------ */

/* How far the box is; below 0: the place is in it. [m] */
static double distance_to(const lwi_rectangle_walk *walk, const lwi_rectangle *box) {
  const double before_x = (double)box->min_x - walk->x, behind_x = walk->x - (double)box->max_x;
  const double before_z = (double)box->min_z - walk->z, behind_z = walk->z - (double)box->max_z;
  const double beside_x = before_x > behind_x ? before_x : behind_x;
  const double beside_z = before_z > behind_z ? before_z : behind_z;
  if (beside_x <= 0 && beside_z <= 0) return -INFINITY;
  if (beside_x <= 0 || beside_z <= 0) return beside_x > beside_z ? beside_x : beside_z;
  return sqrt(beside_x * beside_x + beside_z * beside_z);
}

static bool meets(const lwi_rectangle_walk *walk, const lwi_rectangle *box) {
  if (box->min_x > walk->box.max_x || box->max_x < walk->box.min_x || box->min_z > walk->box.max_z ||
      box->max_z < walk->box.min_z)
    return false;
  if (walk->axis_count == 0) return true;
  const double half_x = ((double)box->max_x - box->min_x) / 2, half_z = ((double)box->max_z - box->min_z) / 2;
  const double x = box->min_x + half_x - walk->x, z = box->min_z + half_z - walk->z;
  for (int i = 0; i < walk->axis_count; i++) {
    const lwi_rectangle_axis *axis = &walk->axes[i];
    const double at = x * axis->x + z * axis->z, half = half_x * fabs(axis->x) + half_z * fabs(axis->z);
    if (at + half < axis->low || at - half > axis->high) return false;
  }
  return true;
}

static void push(lwi_rectangle_walk *walk, uint32_t index, double distance) {
  if (distance > (double)walk->limit + (double)LWI_RECTANGLE_MARGIN) return;
  walk->stack[walk->depth++] = index;
}

/* Both children that are met, the nearer one on top. */
static void push_children(lwi_rectangle_walk *walk, const lwi_rectangle_tree_node *node) {
  const lwi_rectangle_tree_node *nodes = walk->tree->nodes;
  const uint32_t a = node->children[0], b = node->children[1];
  const bool meets_a = meets(walk, &nodes[a].box), meets_b = meets(walk, &nodes[b].box);
  const bool by_distance = walk->limit < INFINITY;
  walk->nodes += 2;
  const double to_a = meets_a && by_distance ? distance_to(walk, &nodes[a].box) : 0;
  const double to_b = meets_b && by_distance ? distance_to(walk, &nodes[b].box) : 0;
  const bool a_first = to_a <= to_b;
  if (a_first ? meets_b : meets_a) push(walk, a_first ? b : a, a_first ? to_b : to_a);
  if (a_first ? meets_a : meets_b) push(walk, a_first ? a : b, a_first ? to_a : to_b);
}

static lwi_rectangle_walk walk_of(const lwi_rectangle_tree *tree, lwi_rectangle box) {
  lwi_rectangle_walk walk = {.tree = tree, .box = box, .limit = INFINITY};
  return walk;
}

static void begin(lwi_rectangle_walk *walk) {
  if (walk->tree->root == 0 || !meets(walk, &walk->tree->nodes[walk->tree->root].box)) return;
  walk->stack[walk->depth++] = walk->tree->root;
}

lwi_rectangle_walk lwi_rectangle_walk_line(const lwi_rectangle_tree *tree, lw_vec3 from, lw_vec3 to) {
  const lwi_rectangle box = {smaller(from.x, to.x), smaller(from.z, to.z), larger(from.x, to.x),
                             larger(from.z, to.z)};
  lwi_rectangle_walk walk = walk_of(tree, box);
  walk.axis_count = 1;
  walk.axes[0] = (lwi_rectangle_axis){.x = (double)to.z - from.z, .z = (double)from.x - to.x};
  walk.x = (double)from.x;
  walk.z = (double)from.z;
  begin(&walk);
  return walk;
}

/* Across the side of a triangle from one corner to the next. @param third  The corner opposite. */
static lwi_rectangle_axis axis_across(const lwi_rectangle_walk *walk, lw_vec3 from, lw_vec3 to, lw_vec3 third) {
  lwi_rectangle_axis axis = {.x = (double)to.z - from.z, .z = (double)from.x - to.x};
  const double side = (from.x - walk->x) * axis.x + (from.z - walk->z) * axis.z,
               opposite = (third.x - walk->x) * axis.x + (third.z - walk->z) * axis.z;
  axis.low = side < opposite ? side : opposite;
  axis.high = side < opposite ? opposite : side;
  return axis;
}

lwi_rectangle_walk lwi_rectangle_walk_triangle(const lwi_rectangle_tree *tree, const lw_vec3 *corners) {
  const lw_vec3 a = corners[0], b = corners[1], c = corners[2];
  const lwi_rectangle box = {smaller(a.x, smaller(b.x, c.x)), smaller(a.z, smaller(b.z, c.z)),
                             larger(a.x, larger(b.x, c.x)), larger(a.z, larger(b.z, c.z))};
  lwi_rectangle_walk walk = walk_of(tree, box);
  walk.x = (double)a.x;
  walk.z = (double)a.z;
  walk.axis_count = 3;
  walk.axes[0] = axis_across(&walk, a, b, c);
  walk.axes[1] = axis_across(&walk, b, c, a);
  walk.axes[2] = axis_across(&walk, c, a, b);
  begin(&walk);
  return walk;
}

lwi_rectangle_walk lwi_rectangle_walk_box(const lwi_rectangle_tree *tree, lwi_rectangle box) {
  lwi_rectangle_walk walk = walk_of(tree, box);
  begin(&walk);
  return walk;
}

lwi_rectangle_walk lwi_rectangle_walk_near(const lwi_rectangle_tree *tree, lw_vec3 at) {
  lwi_rectangle_walk walk = walk_of(tree, (lwi_rectangle){-INFINITY, -INFINITY, INFINITY, INFINITY});
  walk.x = (double)at.x;
  walk.z = (double)at.z;
  walk.limit = 3e38f; /* any, but distances count */
  begin(&walk);
  return walk;
}

uint32_t lwi_rectangle_walk_next(lwi_rectangle_walk *walk) {
  while (walk->depth > 0) {
    const lwi_rectangle_tree_node *node = &walk->tree->nodes[walk->stack[--walk->depth]];
    if (walk->limit < INFINITY &&
        distance_to(walk, &node->box) > (double)walk->limit + (double)LWI_RECTANGLE_MARGIN)
      continue;
    if (is_leaf(node)) return node->item;
    push_children(walk, node);
  }
  return UINT32_MAX;
}
