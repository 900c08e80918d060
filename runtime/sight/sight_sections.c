/* The sections of occluders, cover map and visibility table, and the checks of their numbers. */
#include "sight/sight_sections.h"

#include "sight/cover_map.h"
#include "sight/occluder.h"
#include "sight/visibility_table.h"

/* --- occluders -------------------------------------------------------------------------------------------- */

enum { NODES, LEAVES, BLOCKS, NUMBERS, VERTICES, OCCLUDER_SECTIONS };

static const lwi_section occluder_arrays[OCCLUDER_SECTIONS] = {
    [NODES] = LWI_SECTION("occluder nodes", lwi_occluders, nodes),
    [LEAVES] = LWI_SECTION("occluder leaves", lwi_occluders, leaves),
    [BLOCKS] = LWI_SECTION("occluder blocks", lwi_occluders, blocks),
    [NUMBERS] = LWI_SECTION("occluder numbers", lwi_occluders, numbers),
    [VERTICES] = LWI_SECTION("occluder vertices", lwi_occluders, vertices),
};

static uint64_t count_occluders(const lw_navmesh *mesh, const void *group, int section) {
  (void)mesh;
  const lwi_occluders *of = group;
  switch (section) {
  case NODES: return of->node_count;
  case LEAVES: return of->leaf_count;
  case BLOCKS: return of->block_count;
  case NUMBERS: return of->number_count;
  default: return lwi_occluder_vertex_numbers(of->vertex_count);
  }
}

/* A leaf's numbers: a block, a vertex, and facets of 3 to 8 vertices up to one with the flag LWI_FACET_LAST.
   @param[out] end  Where the next leaf begins. */
static const char *check_occluder_leaf(const lwi_occluders *of, uint64_t at, uint64_t *end) {
  const uint8_t *head = of->numbers + at;
  if (at + LWI_BVH_LEAF_HEAD > of->number_count || LWI_BVH_LEAF_BLOCK(head) >= of->block_count)
    return "a leaf's block is out of range";
  const uint64_t vertices = of->vertex_count - of->blocks[LWI_BVH_LEAF_BLOCK(head)].first;
  at += LWI_BVH_LEAF_HEAD;
  bool last = false;
  for (int left = LWI_BVH_LEAF_FACETS; !last; left--) {
    if (at >= of->number_count || left == 0) return "a leaf's facets do not end";
    uint32_t first = of->numbers[at++], count = first & LWI_FACET_COUNT;
    if (count < 3 || count > LWI_OCCLUDER_CORNERS) return "a facet has fewer than 3 or more than 8 corners";
    if (at + count > of->number_count) return "a facet's corners are out of range";
    for (uint32_t i = 0; i < count; i++)
      if (LWI_BVH_LEAF_FIRST(head) + (uint64_t)of->numbers[at + i] >= vertices)
        return "a facet's corner is out of range";
    at += count;
    last = (first & LWI_FACET_LAST) != 0;
  }
  *end = at;
  return NULL;
}

static bool check_occluder_blocks(const lwi_occluders *of) {
  for (uint32_t b = 0; b < of->block_count; b++)
    for (int axis = 0; axis < 3; axis++)
      if (of->blocks[b].first > of->vertex_count || of->blocks[b].origin[axis] > INT32_MAX - UINT16_MAX)
        return false;
  return true;
}

static const char *check_occluder_head(const void *group) {
  const lwi_occluders *of = group;
  const float places[] = {of->origin.x, of->origin.y, of->origin.z, of->quantum};
  if (!lwi_check_finite(places, 4) || !(of->quantum > 0)) return "the origin or the quantum is not finite";
  return of->facet_count <= of->number_count ? NULL : "there are more facets than numbers of them";
}

/* The numbers of leaves follow each other. */
static const char *check_occluder_leaves(const lwi_occluders *of) {
  if (!check_occluder_blocks(of)) return "a block's vertices are out of range";
  uint64_t at = 0;
  for (uint32_t l = 0; l < of->leaf_count; l++) {
    if (of->leaves[l] != at) return "a leaf is not where its numbers are";
    const char *wrong = check_occluder_leaf(of, at, &at);
    if (wrong) return wrong;
  }
  return at == of->number_count ? NULL : "there are numbers of no leaf";
}

/* The boxes of its children lie within what numbers hold. */
static bool check_occluder_box(const lwi_occluder_node *node) {
  for (int axis = 0; axis < 3; axis++)
    if (node->origin[axis] > INT32_MAX - (int64_t)UINT8_MAX * node->step[axis]) return false;
  return true;
}

/* Nodes and leaves are numbered as a descent meets them, so that each has one parent.
   @param[in,out] node, leaf  The numbers that come next. */
static const char *check_occluder_node(const lwi_occluders *of, int level, uint32_t *node, uint32_t *leaf) {
  if (level == LWI_OCCLUDER_LEVELS) return "its nodes are nested too deeply";
  if (*node >= of->node_count) return "a child is out of range";
  const lwi_occluder_node *parent = &of->nodes[(*node)++];
  if (!check_occluder_box(parent)) return "the boxes of a node's children are out of range";
  for (int i = 0; i < 4; i++) {
    const uint32_t child = parent->children[i];
    if (child == LWI_OCCLUDER_NONE) continue;
    if (child & LWI_OCCLUDER_BVH_LEAF) {
      if (*leaf >= of->leaf_count || child != (LWI_OCCLUDER_BVH_LEAF | *leaf))
        return "a leaf is not in its place";
      *leaf += 1;
      continue;
    }
    if (child != *node) return "a child is not in its place";
    const char *wrong = check_occluder_node(of, level + 1, node, leaf);
    if (wrong) return wrong;
  }
  return NULL;
}

static const char *check_occluder_nodes(const lwi_occluders *of) {
  uint32_t node = 0, leaf = 0;
  if (of->node_count == 0) return NULL;
  const char *wrong = check_occluder_node(of, 0, &node, &leaf);
  if (wrong) return wrong;
  return node == of->node_count && leaf == of->leaf_count ? NULL : "there are nodes or leaves without a parent";
}

static const char *check_occluders(const lw_navmesh *mesh, const void *group, int section) {
  (void)mesh;
  if (section == NODES) return check_occluder_nodes(group);
  return section == LEAVES ? check_occluder_leaves(group) : NULL; /* the leaves' check covers what they name */
}

/* Occluders do not depend on polygons. */
static void carry_occluders(const void *from, void *to) {
  lwi_occluders *occluders = to;
  *occluders = *(const lwi_occluders *)from;
  occluders->nodes = NULL;
  occluders->leaves = NULL;
  occluders->blocks = NULL;
  occluders->numbers = NULL;
  occluders->vertices = NULL;
}

static void add_occluder_stats(const lw_navmesh *mesh, const void *group, lw_navmesh_stats *stats) {
  (void)mesh;
  stats->occluders = (int)((const lwi_occluders *)group)->facet_count;
}

static const lwi_occluders no_occluders = {.quantum = 1};

_Static_assert(offsetof(lwi_occluders, nodes) == 40, "the numbers of lwi_occluders have no gaps");
const lwi_section_group lwi_occluder_sections = {.name = "occluders",
                                                 .sections = occluder_arrays,
                                                 .section_count = OCCLUDER_SECTIONS,
                                                 .size = sizeof(lwi_occluders),
                                                 .head_size = offsetof(lwi_occluders, nodes),
                                                 .defaults = &no_occluders,
                                                 .count = count_occluders,
                                                 .check_head = check_occluder_head,
                                                 .check = check_occluders,
                                                 .carry = carry_occluders,
                                                 .add_stats = add_occluder_stats};

/* --- cover map -------------------------------------------------------------------------------------------- */

enum { MAP_RANGES, MAP_LEAVES, MAP_SECTIONS };

static const lwi_section map_arrays[MAP_SECTIONS] = {
    [MAP_RANGES] = LWI_SECTION("ranges of the cover map", lwi_cover_map, first),
    [MAP_LEAVES] = LWI_SECTION("cover map", lwi_cover_map, leaves),
};

static uint64_t count_map(const lw_navmesh *mesh, const void *group, int section) {
  const lwi_cover_map *map = group;
  if (section == MAP_LEAVES) return map->size;
  return map->has ? (uint64_t)mesh->polygons.count + 1 : 0;
}

static const char *check_map_head(const void *group) {
  const lwi_cover_map *map = group;
  const lw_cover_map_criteria *by = &map->criteria;
  const float weights[] = {by->direction, by->distance, by->occlusion};
  for (int i = 0; i < 3; i++)
    if (!(weights[i] >= 0 && weights[i] <= LW_COVER_MAP_WEIGHT_MAX)) return "a weight is out of range";
  if (!(by->target >= 0 && by->target <= 1)) return "its target is outside 0..1";
  if (by->cap < 1 || by->cap > LW_COVER_MAP_CAP) return "its cap is out of range";
  return map->loss >= 0 && map->loss <= 1 ? NULL : "its loss is outside 0..1";
}

/* Leaves depend on polygons, so they are chosen again. */
static void carry_map(const void *from, void *to) {
  ((lwi_cover_map *)to)->criteria = ((const lwi_cover_map *)from)->criteria;
}

/* Every polygon's list names existing leaves. */
static const char *check_map(const lw_navmesh *mesh, const lwi_cover_map *map) {
  const uint32_t leaves = lwi_occluders_of(mesh)->leaf_count;
  if (!map->has) return "there are leaves without ranges";
  for (uint32_t p = 0; p < mesh->polygons.count; p++) {
    lwi_bvh_leaf_list list = {map->leaves + map->first[p], map->leaves + map->first[p + 1]};
    for (uint32_t leaf = UINT32_MAX; lwi_bvh_leaf_list_next(&list, &leaf);)
      if (leaf >= leaves) return "a polygon names a leaf that is not there";
  }
  return NULL;
}

static const char *check_map_section(const lw_navmesh *mesh, const void *group, int section) {
  const lwi_cover_map *map = group;
  if (section == MAP_LEAVES) return check_map(mesh, map);
  return lwi_check_ranges(map->first, mesh->polygons.count, map->size)
             ? NULL
             : "ranges fall, or do not cover all elements";
}

static void add_map_stats(const lw_navmesh *mesh, const void *group, lw_navmesh_stats *stats) {
  const lwi_cover_map *map = group;
  stats->cover_map_bytes = lwi_attachment_bytes(mesh, LWI_COVER_MAP_SLOT);
  stats->cover_map_loss = map->loss;
}

static const lwi_cover_map no_map = {.criteria = LWI_COVER_MAP_CRITERIA};

_Static_assert(offsetof(lwi_cover_map, criteria) == 12 && offsetof(lwi_cover_map, first) == 32,
               "the numbers of lwi_cover_map have no gaps");
const lwi_section_group lwi_cover_map_sections = {.name = "cover map",
                                                  .sections = map_arrays,
                                                  .section_count = MAP_SECTIONS,
                                                  .size = sizeof(lwi_cover_map),
                                                  .head_size = offsetof(lwi_cover_map, first),
                                                  .old_head_size = offsetof(lwi_cover_map, criteria),
                                                  .defaults = &no_map,
                                                  .count = count_map,
                                                  .check_head = check_map_head,
                                                  .check = check_map_section,
                                                  .carry = carry_map,
                                                  .add_stats = add_map_stats};

/* --- visibility table ------------------------------------------------------------------------------------- */

enum { PRISMS, ROWS, GROUPS, WORDS, TABLE_SECTIONS };

static const lwi_section table_arrays[TABLE_SECTIONS] = {
    [PRISMS] = LWI_SECTION("prisms of the visibility table", lwi_visibility_table, prisms),
    [ROWS] = LWI_SECTION("rows of the visibility table", lwi_visibility_table, rows),
    [GROUPS] = LWI_SECTION("groups of the visibility table", lwi_visibility_table, groups),
    [WORDS] = LWI_SECTION("visibility table", lwi_visibility_table, words),
};

static uint64_t count_table(const lw_navmesh *mesh, const void *group, int section) {
  const lwi_visibility_table *of = group;
  const uint64_t polygons = mesh->polygons.count;
  switch (section) {
  case PRISMS: return of->has ? polygons : 0;
  case ROWS: return of->has ? polygons + 1 : 0;
  case GROUPS: return of->group_count;
  default: return of->word_count;
  }
}

static const char *check_table_head(const void *group) {
  const lwi_visibility_table *of = group;
  if (!(of->hidden >= 0 && of->visible >= 0 && of->hidden + of->visible <= 1.0001f))
    return "its shares are outside 0..1";
  return of->range >= 0 && of->range < INFINITY ? NULL : "its range is no length";
}

static const char *check_prisms(const lw_navmesh *mesh, const lwi_visibility_table *of) {
  for (uint32_t p = 0; p < mesh->polygons.count; p++) {
    const lwi_prism *prism = &of->prisms[p];
    const float numbers[] = {prism->slope_x, prism->slope_z, prism->low, prism->high};
    if (!lwi_check_finite(numbers, 4) || !(prism->low <= prism->high))
      return "a prism's planes are not finite, or low is above high";
  }
  return NULL;
}

/* The words of groups follow each other. */
static const char *check_pair_groups(const lwi_visibility_table *of) {
  if (!of->has) return "there are groups without rows";
  uint64_t word = 0;
  for (uint32_t g = 0; g < of->group_count; g++) {
    if (of->groups[g].first != word) return "a group's words are out of order";
    word += (uint32_t)__builtin_popcount(lwi_visibility_unlike(of->groups[g].kinds));
  }
  return word == of->word_count ? NULL : "there are words of no group";
}

static const char *check_pairs(const lwi_visibility_table *of) {
  for (uint32_t i = 0; i < of->word_count; i++)
    if (lwi_visibility_unlike(of->words[i]) != 0) return "a pair is neither hidden, visible nor mixed";
  return of->group_count > 0 ? NULL : "there are pairs without rows";
}

static const char *check_table(const lw_navmesh *mesh, const void *group, int section) {
  const lwi_visibility_table *of = group;
  switch (section) {
  case PRISMS: return check_prisms(mesh, of);
  case ROWS:
    return lwi_check_ranges(of->rows, mesh->polygons.count, of->group_count)
               ? NULL
               : "ranges fall, or do not cover all elements";
  case GROUPS: return check_pair_groups(of);
  default: return check_pairs(of);
  }
}

static void add_table_stats(const lw_navmesh *mesh, const void *group, lw_navmesh_stats *stats) {
  const lwi_visibility_table *of = group;
  stats->visibility_table_bytes = lwi_attachment_bytes(mesh, LWI_VISIBILITY_SLOT);
  stats->visibility_table_range = of->range;
  stats->pairs_hidden = of->hidden;
  stats->pairs_visible = of->visible;
}

_Static_assert(offsetof(lwi_visibility_table, prisms) == 24,
               "the numbers of lwi_visibility_table have no gaps");
const lwi_section_group lwi_visibility_sections = {.name = "visibility table",
                                                   .sections = table_arrays,
                                                   .section_count = TABLE_SECTIONS,
                                                   .size = sizeof(lwi_visibility_table),
                                                   .head_size = offsetof(lwi_visibility_table, prisms),
                                                   .count = count_table,
                                                   .check_head = check_table_head,
                                                   .check = check_table,
                                                   .add_stats = add_table_stats};
