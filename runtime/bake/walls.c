/* Upright facets are grouped by plane: from the largest on, facets that touch and lie in its plane join it.
   Facets of a wall may overlap, meet in T-junctions or face opposite directions; cover_segments.c resolves
   that. */
#include "bake/walls.h"

#include "core/vec3.h"
#include "mesh/mesh.h"

#include <stdlib.h>

/* Facets that lean by more than 30 degrees hide too little of an agent. [sine] */
#define LEAN_MAX 0.5f
/* Smaller facets count as edges. [m2] */
#define AREA_MIN 1e-4f
/* How far apart facets of a wall may be, across its plane and within it. [m] */
#define PLANE_SLACK 0.02
#define TOUCH_SLACK 0.05f
/* The greatest angle between facets of a wall. [cosine] */
#define TURN_MIN 0.996f
/* Facets in a leaf of the tree. */
#define LEAF 4
/* Points of a facet by which the tree is split. One would not do: it is the same for walls that cross there. */
#define MARKS 3
/* Bounds the rounding of marks and distances, as a part of the greatest coordinate. */
#define ROUNDING 4e-6

/* The mean of a facet's corners, and the first and the last corner by x, z and y. */
typedef struct wall_marks {
  lw_vec3 at[MARKS];
} wall_marks;

typedef struct wall_node {
  lw_box box, marks[MARKS]; /* about its facets, and about each of their marks */
  int first, end;           /* range in `items` */
  int left;                 /* facets without a wall */
} wall_node;

/* A binary tree whose node i has the children 2i + 1 and 2i + 2. */
typedef struct wall_tree {
  int node_count, leaf_first;
  wall_node *nodes;
  int *items;        /* [facet_count] */
  int *leaves;       /* [facet_count] the leaf of each facet */
  wall_marks *marks; /* [facet_count] */
  double slack;      /* how far a mark of a facet may be off the plane of its wall [m] */
} wall_tree;

/* The wall being collected: `order` up to `end` is the queue. */
typedef struct wall_flood {
  lwi_walls *walls;
  wall_tree *tree;
  const lwi_wall_facet *seed, *from;
  int end;
} wall_flood;

static bool touch(const lw_box *a, const lw_box *b) {
  const float slack = TOUCH_SLACK;
  return a->min.x <= b->max.x + slack && b->min.x <= a->max.x + slack && a->min.y <= b->max.y + slack &&
         b->min.y <= a->max.y + slack && a->min.z <= b->max.z + slack && b->min.z <= a->max.z + slack;
}

bool lwi_wall_facet_read(const lwi_occluder_facet *facet, lwi_wall_facet *out) {
  lwi_wall_facet wall = {.count = facet->count, .kind = facet->kind, .box = lwi_box_empty()};
  lw_vec3 sum = {0, 0, 0};
  for (int i = 0; i < facet->count; i++) {
    wall.corners[i] = facet->corners[i];
    wall.box = lwi_box_add(wall.box, facet->corners[i]);
    if (i >= 2)
      sum = lwi_add(sum, lwi_cross(lwi_sub(facet->corners[i - 1], facet->corners[0]),
                                   lwi_sub(facet->corners[i], facet->corners[0])));
  }
  float length = lwi_length(sum);
  wall.area = length / 2;
  if (!(wall.area > AREA_MIN)) return false;
  wall.normal = lwi_scale(sum, 1 / length);
  *out = wall;
  return fabsf(wall.normal.y) <= LEAN_MAX;
}

static bool add_facet(lwi_walls *walls, const lwi_occluder_facet *facet) {
  lwi_wall_facet wall;
  if (!lwi_wall_facet_read(facet, &wall)) return true;
  if (!lwi_reserve(walls->memory, &walls->facets, &walls->facet_capacity, walls->facet_count + 1, sizeof wall))
    return false;
  walls->facets[walls->facet_count++] = wall;
  return true;
}

/* The greatest angle between two facets of a wall: twice that from its seed, and rounding. [cosine] */
#define APART_MIN 0.983f

bool lwi_facets_may_share_wall(const lwi_wall_facet *a, const lwi_wall_facet *b) {
  return a->kind == b->kind && touch(&a->box, &b->box) && fabsf(lwi_dot(a->normal, b->normal)) >= APART_MIN;
}

static bool read_facets(lwi_walls *walls, const lwi_occluders *occluders) {
  lwi_occluder_cursor at = {0};
  lwi_occluder_facet facet;
  while (lwi_occluders_next(occluders, &at, &facet))
    if (!add_facet(walls, &facet)) return false;
  return true;
}

/* --- by place --------------------------------------------------------------------------------------------- */

static float coordinate(lw_vec3 point, int axis) {
  return axis == 0 ? point.x : axis == 1 ? point.y : point.z;
}

/* By which mark, and along which axis, facets are furthest apart. */
typedef struct wall_axis {
  int mark, axis;
} wall_axis;

static wall_axis longest_axis(const wall_node *node) {
  wall_axis longest = {0, 0};
  float max = -1;
  for (int mark = 0; mark < MARKS; mark++) {
    const lw_vec3 size = lwi_sub(node->marks[mark].max, node->marks[mark].min);
    for (int axis = 0; axis < 3; axis++) {
      if (coordinate(size, axis) <= max) continue;
      max = coordinate(size, axis);
      longest = (wall_axis){mark, axis};
    }
  }
  return longest;
}

static float place_of(const wall_tree *tree, int item, wall_axis by) {
  return coordinate(tree->marks[tree->items[item]].at[by.mark], by.axis);
}

/* Order items[low..high] so that none before `half` is behind it. */
static void split(const wall_tree *tree, int low, int high, int half, wall_axis by) {
  int *items = tree->items;
  while (low < high) {
    const float pivot = place_of(tree, (low + high) / 2, by);
    int i = low, k = high;
    while (i <= k) {
      while (place_of(tree, i, by) < pivot) i++;
      while (place_of(tree, k, by) > pivot) k--;
      if (i > k) break;
      const int swap = items[i];
      items[i++] = items[k];
      items[k--] = swap;
    }
    if (half <= k)
      high = k;
    else if (half >= i)
      low = i;
    else
      return;
  }
}

static void fill_node(const lwi_walls *walls, wall_tree *tree, int at) {
  wall_node *node = &tree->nodes[at];
  node->left = node->end - node->first;
  node->box = lwi_box_empty();
  for (int mark = 0; mark < MARKS; mark++) node->marks[mark] = lwi_box_empty();
  for (int i = node->first; i < node->end; i++) {
    const int f = tree->items[i];
    node->box = lwi_box_add(lwi_box_add(node->box, walls->facets[f].box.min), walls->facets[f].box.max);
    for (int mark = 0; mark < MARKS; mark++)
      node->marks[mark] = lwi_box_add(node->marks[mark], tree->marks[f].at[mark]);
  }
  if (at >= tree->leaf_first) {
    for (int i = node->first; i < node->end; i++) tree->leaves[tree->items[i]] = at;
    return;
  }
  const int half = (node->first + node->end) / 2;
  split(tree, node->first, node->end - 1, half, longest_axis(node));
  tree->nodes[2 * at + 1].first = node->first;
  tree->nodes[2 * at + 1].end = tree->nodes[2 * at + 2].first = half;
  tree->nodes[2 * at + 2].end = node->end;
}

static bool is_before(lw_vec3 a, lw_vec3 b) {
  if (a.x != b.x) return a.x < b.x;
  return a.z != b.z ? a.z < b.z : a.y < b.y;
}

static wall_marks marks_of(const lwi_wall_facet *facet) {
  lw_vec3 sum = {0, 0, 0}, first = facet->corners[0], last = first;
  for (int i = 0; i < facet->count; i++) {
    const lw_vec3 corner = facet->corners[i];
    sum = lwi_add(sum, corner);
    if (is_before(corner, first)) first = corner;
    if (is_before(last, corner)) last = corner;
  }
  return (wall_marks){{lwi_scale(sum, 1 / (float)facet->count), first, last}};
}

static double greatest_coordinate(const lw_box *box) {
  const float x = fmaxf(fabsf(box->min.x), fabsf(box->max.x)), y = fmaxf(fabsf(box->min.y), fabsf(box->max.y));
  return (double)fmaxf(fmaxf(x, y), fmaxf(fabsf(box->min.z), fabsf(box->max.z)));
}

static bool make_tree(const lwi_walls *walls, wall_tree *tree) {
  const size_t count = (size_t)walls->facet_count;
  int leaves = 1;
  while (leaves < (walls->facet_count + LEAF - 1) / LEAF) leaves *= 2;
  tree->leaf_first = leaves - 1;
  tree->node_count = 2 * leaves - 1;
  tree->nodes = lwi_alloc(walls->memory, (size_t)tree->node_count * sizeof *tree->nodes);
  tree->items = lwi_alloc(walls->memory, count * sizeof *tree->items);
  tree->leaves = lwi_alloc(walls->memory, count * sizeof *tree->leaves);
  tree->marks = lwi_alloc(walls->memory, count * sizeof *tree->marks);
  if (!tree->nodes || !tree->items || !tree->leaves || !tree->marks) return false;
  for (int f = 0; f < walls->facet_count; f++) {
    tree->items[f] = f;
    tree->marks[f] = marks_of(&walls->facets[f]);
  }
  tree->nodes[0].first = 0;
  tree->nodes[0].end = walls->facet_count;
  for (int i = 0; i < tree->node_count; i++) fill_node(walls, tree, i);
  tree->slack = PLANE_SLACK + ROUNDING * greatest_coordinate(&tree->nodes[0].box);
  return true;
}

static void free_tree(wall_tree *tree, int facet_count, lwi_memory *memory) {
  const size_t count = (size_t)facet_count;
  lwi_free(memory, tree->nodes, (size_t)tree->node_count * sizeof *tree->nodes);
  lwi_free(memory, tree->items, count * sizeof *tree->items);
  lwi_free(memory, tree->leaves, count * sizeof *tree->leaves);
  lwi_free(memory, tree->marks, count * sizeof *tree->marks);
}

/* --- by plane --------------------------------------------------------------------------------------------- */

static bool in_plane(const lwi_wall_facet *seed, const lwi_wall_facet *facet) {
  if (fabsf(lwi_dot(seed->normal, facet->normal)) < TURN_MIN) return false;
  for (int i = 0; i < facet->count; i++)
    if (fabs((double)lwi_dot(seed->normal, lwi_sub(facet->corners[i], seed->corners[0]))) > PLANE_SLACK)
      return false;
  return true;
}

static bool meets_plane(const lwi_wall_facet *seed, const lw_box *box, double slack) {
  const lw_vec3 n = seed->normal, p = seed->corners[0];
  const double x = ((double)box->min.x + box->max.x) / 2 - p.x;
  const double y = ((double)box->min.y + box->max.y) / 2 - p.y;
  const double z = ((double)box->min.z + box->max.z) / 2 - p.z;
  const double reach = fabs((double)n.x) * ((double)box->max.x - box->min.x) +
                       fabs((double)n.y) * ((double)box->max.y - box->min.y) +
                       fabs((double)n.z) * ((double)box->max.z - box->min.z);
  return fabs((double)n.x * x + (double)n.y * y + (double)n.z * z) <= reach / 2 + slack;
}

/* May facets of the node lie in the plane? Walls that only cross it have marks elsewhere. */
static bool may_lie_in_plane(const wall_flood *flood, const wall_node *node) {
  for (int mark = 0; mark < MARKS; mark++)
    if (!meets_plane(flood->seed, &node->marks[mark], flood->tree->slack)) return false;
  return true;
}

static void take(wall_flood *flood, int facet) {
  flood->walls->facets[facet].taken = true;
  flood->walls->order[flood->end++] = facet;
  for (int i = flood->tree->leaves[facet]; i > 0; i = (i - 1) / 2) flood->tree->nodes[i].left--;
  flood->tree->nodes[0].left--;
}

/* Queue the facets of a node that join the wall next to facet `from`. */
static void flood_node(wall_flood *flood, int at) {
  const wall_node *node = &flood->tree->nodes[at];
  const lwi_wall_facet *from = flood->from;
  if (node->left == 0 || !touch(&from->box, &node->box) || !may_lie_in_plane(flood, node)) return;
  if (at < flood->tree->leaf_first) {
    flood_node(flood, 2 * at + 1);
    flood_node(flood, 2 * at + 2);
    return;
  }
  for (int i = node->first; i < node->end; i++) {
    const lwi_wall_facet *to = &flood->walls->facets[flood->tree->items[i]];
    if (to->taken || to->kind != from->kind || !touch(&from->box, &to->box) || !in_plane(flood->seed, to))
      continue;
    take(flood, flood->tree->items[i]);
  }
}

/* Collect a wall: `order` from `first` on is the queue. @return Its end. */
static int collect(lwi_walls *walls, wall_tree *tree, int seed, int first) {
  wall_flood flood = {.walls = walls, .tree = tree, .seed = &walls->facets[seed], .end = first};
  take(&flood, seed);
  for (int i = first; i < flood.end; i++) {
    flood.from = &walls->facets[walls->order[i]];
    flood_node(&flood, 0);
  }
  return flood.end;
}

static bool add_wall(lwi_walls *walls, int seed, int first, int end) {
  const lwi_wall_facet *facet = &walls->facets[seed];
  double nx = (double)facet->normal.x, ny = (double)facet->normal.y, nz = (double)facet->normal.z;
  double level = sqrt(nx * nx + nz * nz);
  double offset = nx * facet->corners[0].x + ny * facet->corners[0].y + nz * facet->corners[0].z;
  if (!lwi_reserve(walls->memory, &walls->walls, &walls->wall_capacity, walls->wall_count + 1,
                   sizeof *walls->walls))
    return false;
  walls->walls[walls->wall_count++] = (lwi_wall_plane){.hx = nx / level,
                                                       .hz = nz / level,
                                                       .place = offset / level,
                                                       .lean = -ny / level,
                                                       .first_facet = first,
                                                       .end = end,
                                                       .kind = facet->kind};
  return true;
}

int lwi_wall_seeds_compare(const lwi_wall_facet *a, const lwi_wall_facet *b) {
  if (a->area != b->area) return a->area > b->area ? -1 : 1;
  if (a->count != b->count) return a->count - b->count;
  for (int i = 0; i < a->count; i++) {
    const lw_vec3 p = a->corners[i], q = b->corners[i];
    if (p.x != q.x) return p.x < q.x ? -1 : 1;
    if (p.y != q.y) return p.y < q.y ? -1 : 1;
    if (p.z != q.z) return p.z < q.z ? -1 : 1;
  }
  return a->kind - b->kind;
}

static int compare_seeds(const void *left, const void *right) {
  return lwi_wall_seeds_compare(*(const lwi_wall_facet *const *)left, *(const lwi_wall_facet *const *)right);
}

static bool group(lwi_walls *walls, wall_tree *tree, const lwi_wall_facet **seeds) {
  int first = 0;
  for (int f = 0; f < walls->facet_count; f++) seeds[f] = &walls->facets[f];
  qsort(seeds, (size_t)walls->facet_count, sizeof *seeds, compare_seeds);
  for (int i = 0; i < walls->facet_count; i++) {
    const int seed = (int)(seeds[i] - walls->facets);
    if (walls->facets[seed].taken) continue;
    int end = collect(walls, tree, seed, first);
    if (!add_wall(walls, seed, first, end)) return false;
    first = end;
  }
  return true;
}

static bool find(lwi_walls *walls, lwi_memory *memory) {
  if (walls->facet_count == 0) return true;
  size_t count = (size_t)walls->facet_count;
  wall_tree tree = {0};
  const lwi_wall_facet **seeds = lwi_alloc(memory, count * sizeof *seeds);
  walls->order = lwi_alloc(memory, count * sizeof *walls->order);
  bool done = seeds && walls->order && make_tree(walls, &tree) && group(walls, &tree, seeds);
  free_tree(&tree, walls->facet_count, memory);
  lwi_free(memory, seeds, count * sizeof *seeds);
  return done;
}

bool lwi_walls_find(lwi_walls *walls, const lwi_occluders *occluders, lwi_memory *memory) {
  *walls = (lwi_walls){.memory = memory};
  return read_facets(walls, occluders) && find(walls, memory);
}

bool lwi_walls_find_some(lwi_walls *walls, const lwi_occluder_facet *facets, int count, lwi_memory *memory) {
  *walls = (lwi_walls){.memory = memory};
  for (int i = 0; i < count; i++)
    if (!add_facet(walls, &facets[i])) return false;
  return find(walls, memory);
}

void lwi_walls_free(lwi_walls *walls) {
  lwi_free(walls->memory, walls->order, (size_t)walls->facet_count * sizeof *walls->order);
  lwi_free(walls->memory, walls->facets, (size_t)walls->facet_capacity * sizeof *walls->facets);
  lwi_free(walls->memory, walls->walls, (size_t)walls->wall_capacity * sizeof *walls->walls);
}
