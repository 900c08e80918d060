#include "search/taut_search.h"

#include "mesh/intervals.h"
#include "mesh/reduction.h"
#include "search/search.h"
#include "search/link_cost.h"

#include <string.h>

/* Heap items from here on are ends at the goal: this, plus the number of the node before it. */
#define AT_GOAL 0x80000000U
/* lwi_taut_node.portal from here on is an off-mesh link: this, plus its number. */
#define A_LINK 0x80000000U
/* Nodes for each portal, after which the search gives up: far more than any level takes. */
#define NODES_A_PORTAL 64
/* Another corridor to a portal must be shorter by this part to count. */
#define BETTER 0.9999F

typedef struct taut_run {
  lwi_search *search;
  lwi_taut_scratch *scratch;
  const lwi_search_query *query;
  const lw_navmesh *mesh;
  const lwi_reduction *tables;
  lw_vec3 to;
  float best; /* the shortest path to the goal so far [m] */
  uint32_t
      base_portals; /* portals below this number are those of the navmesh as it was baked, of polygons that are whole */
  float price;                    /* of each metre [metre-equivalents] */
  bool has_prices;                /* some ground may not be entered */
  const uint16_t *goal_distances; /* from landmarks; NULL: there are none */
  float goal_loss;                /* how far the goal is from the middle of its polygon [m] */
  lwi_heap_entry next;            /* the best of the last entries, beside the heap. item LWI_NONE: none */
  bool failed;                    /* out of memory */
} taut_run;

static bool is_link(const lwi_taut_node *node) {
  return node->portal >= A_LINK;
}

/* The region behind a node. */
static uint32_t region_of(const taut_run *run, const lwi_taut_node *node) {
  if (is_link(node)) return lwi_graph_link_regions(&run->search->graph, node->portal & ~A_LINK).to;
  return run->search->graph.portals[node->portal].to;
}

/* --- memory ----------------------------------------------------------------------------------------------- */

void lwi_taut_scratch_free(lwi_taut_scratch *scratch, lwi_memory *memory) {
  lwi_free(memory, scratch->nodes, (size_t)scratch->node_capacity * sizeof *scratch->nodes);
  lwi_free(memory, scratch->chain, (size_t)scratch->chain_capacity * sizeof *scratch->chain);
  lwi_free(memory, scratch->entries, scratch->entry_count * sizeof *scratch->entries);
  lwi_free(memory, scratch->marks, scratch->mark_count * sizeof *scratch->marks);
  lwi_heap_free(&scratch->open, memory);
  *scratch = (lwi_taut_scratch){0};
}

static bool grow(lwi_memory *memory, void **items, uint32_t *count, uint32_t needed, size_t size) {
  if (*count >= needed) return true;
  void *more = lwi_resize(memory, *items, *count * size, needed * size);
  if (!more) return false;
  memset((char *)more + *count * size, 0, (needed - *count) * size);
  *items = more;
  *count = needed;
  return true;
}

static bool begin(lwi_taut_scratch *scratch, lwi_memory *memory, const lwi_graph *graph) {
  void *entries = scratch->entries, *marks = scratch->marks;
  const bool grown =
      grow(memory, &entries, &scratch->entry_count, graph->portal_count + graph->mesh->links.count,
           sizeof *scratch->entries) &&
      grow(memory, &marks, &scratch->mark_count, lwi_base_count(graph->mesh), sizeof *scratch->marks);
  scratch->entries = entries;
  scratch->marks = marks;
  scratch->node_count = 0;
  scratch->open.count = 0;
  scratch->stamp += 1;
  if (!grown || scratch->stamp > 0) return grown;
  memset(scratch->entries, 0, scratch->entry_count * sizeof *scratch->entries);
  memset(scratch->marks, 0, scratch->mark_count * sizeof *scratch->marks);
  scratch->stamp = 1;
  return true;
}

/* --- funnels ---------------------------------------------------------------------------------------------- */

static bool is_same(lw_vec3 a, lw_vec3 b) {
  const float dx = b.x - a.x, dz = b.z - a.z;
  return dx * dx + dz * dz < 1e-10F;
}

/* > 0: c is left of a -> b. */
static float turn(lw_vec3 a, lw_vec3 b, lw_vec3 c) {
  return (b.z - a.z) * (c.x - a.x) - (b.x - a.x) * (c.z - a.z);
}

static void restart(lwi_taut_node *funnel, lw_vec3 corner, uint32_t node) {
  funnel->g += lwi_distance(funnel->root, corner);
  funnel->root = funnel->left = funnel->right = corner;
  funnel->left_node = funnel->right_node = node;
}

/* Lead a funnel through a portal, that of `node`. @return false: it turned at a corner, whose node is `left_node`, and is to
   be led through the portals behind that. */
static bool lead(lwi_taut_node *funnel, lw_vec3 left, lw_vec3 right, uint32_t node) {
  if (turn(funnel->root, funnel->right, right) >= 0) {
    if (is_same(funnel->root, funnel->right) || turn(funnel->root, funnel->left, right) < 0) {
      funnel->right = right;
      funnel->right_node = node;
    } else {
      restart(funnel, funnel->left, funnel->left_node);
      return false;
    }
  }
  if (turn(funnel->root, funnel->left, left) <= 0) {
    if (is_same(funnel->root, funnel->left) || turn(funnel->root, funnel->right, left) > 0) {
      funnel->left = left;
      funnel->left_node = node;
    } else {
      restart(funnel, funnel->right, funnel->right_node);
      return false;
    }
  }
  return true;
}

/* Lead a funnel from behind the corner that it turned at through the rest of the corridor: the portals up to node `last`,
   then another one. */
static void lead_again(taut_run *run, lwi_taut_node *funnel, uint32_t last, lw_vec3 left, lw_vec3 right,
                       uint32_t node) {
  lwi_taut_scratch *scratch = run->scratch;
  int count = 0;
  if (funnel->left_node == node) return;
  for (uint32_t at = last; at != funnel->left_node; at = scratch->nodes[at].parent) {
    if (!lwi_reserve(run->search->memory, &scratch->chain, &scratch->chain_capacity, count + 1,
                     sizeof *scratch->chain)) {
      run->failed = true;
      return;
    }
    scratch->chain[count++] = at;
  }
  for (int i = count; i >= 0;) {
    const uint32_t at = i > 0 ? scratch->chain[i - 1] : node;
    const lwi_taut_node *portal = i > 0 ? &scratch->nodes[at] : NULL;
    if (lead(funnel, portal ? portal->portal_left : left, portal ? portal->portal_right : right, at)) {
      i -= 1;
      continue;
    }
    /* It turned again, at a corner on a portal before this one. */
    for (i = count; i > 0 && scratch->chain[i - 1] != funnel->left_node;) i -= 1;
    i -= 1;
  }
}

/* Length of the shortest path to an end of the last portal, beside which that side of the funnel runs. [m] */
static float reach_end(const lwi_taut_node *funnel, lw_vec3 side, lw_vec3 end) {
  const float to_side = lwi_distance(funnel->root, side);
  return funnel->g + to_side + (lwi_equal(side, end) ? 0 : lwi_distance(side, end));
}

/* Length of the shortest path to a point beside the funnel, or within. [m] */
static float reach(const lwi_taut_node *funnel, lw_vec3 point) {
  if (!is_same(funnel->root, funnel->left) && turn(funnel->root, funnel->left, point) > 0)
    return funnel->g + lwi_distance(funnel->root, funnel->left) + lwi_distance(funnel->left, point);
  if (!is_same(funnel->root, funnel->right) && turn(funnel->root, funnel->right, point) < 0)
    return funnel->g + lwi_distance(funnel->root, funnel->right) + lwi_distance(funnel->right, point);
  return funnel->g + lwi_distance(funnel->root, point);
}

/* --- bounds ----------------------------------------------------------------------------------------------- */

/* Lower bound by landmarks on the path from the middle of a polygon to the middle of the goal's. [m] */
static float landmark_bound(const taut_run *run, uint32_t polygon) {
  const uint16_t *here = run->tables->distances + (size_t)polygon * LWI_LANDMARKS;
  int max = 0;
  for (int i = 0; i < LWI_LANDMARKS; i++) {
    const int apart = here[i] - run->goal_distances[i], size = apart < 0 ? -apart : apart;
    max = size > max ? size : max;
  }
  return (float)(max - 1) * run->tables->unit;
}

/* Lower bound on the length of the path through a portal to the goal, from the root on: the goal lies on the near side of
   the portal, so that the path comes back. */
static float bound_back(const lwi_taut_node *node, lw_vec3 to) {
  const lwi_taut_interval at = {.root = lwi_point2_of(node->root),
                                .left = lwi_point2_of(node->portal_left),
                                .right = lwi_point2_of(node->portal_right)};
  return node->g + (float)lwi_interval_bound(&at, lwi_point2_of(to));
}

/* Lower bound on the length of the whole path through a portal into a polygon. [m] */
static float bound(const taut_run *run, const lwi_taut_node *node, uint32_t polygon) {
  const bool is_behind = turn(node->portal_right, node->portal_left, run->to) <= 0;
  float length = is_behind ? reach(node, run->to) : bound_back(node, run->to);
  if (!run->goal_distances) return length;
  const uint32_t origin = lwi_origin_of(run->mesh, polygon);
  const lwi_point2 at = lwi_polygon_middle(run->mesh, origin);
  const lw_vec3 middle = {(float)at.x, 0, (float)at.z};
  const float width = lwi_distance_xz(node->portal_left, node->portal_right);
  /* No point of the portal is nearer to the root than this. */
  const float near = 0.5F * (lwi_distance_xz(node->root, node->portal_left) +
                             lwi_distance_xz(node->root, node->portal_right) - width);
  const float off =
      lwi_max(lwi_distance_xz(node->portal_left, middle), lwi_distance_xz(node->portal_right, middle));
  return lwi_max(length, node->g + lwi_max(0, near) + landmark_bound(run, origin) - run->goal_loss - off);
}

/* --- nodes ------------------------------------------------------------------------------------------------ */

/* The ends of a portal as seen on leaving a region by it. */
static inline void portal_ends(const taut_run *run, uint32_t region, uint32_t k, lw_vec3 *left,
                               lw_vec3 *right) {
  const lwi_portal *portal = &run->search->graph.portals[k];
  if (portal->interval != 0) {
    lwi_graph_points(&run->search->graph, region, portal, left, right);
    return;
  }
  const lwi_polygon polygon = lwi_polygon_get(run->mesh, region);
  *right = lwi_corner(&polygon, portal->edge);
  *left = lwi_corner(&polygon, lwi_next_corner(&polygon, portal->edge));
}

static void push(taut_run *run, float key, uint32_t item) {
  if (!lwi_heap_push(&run->scratch->open, run->search->memory, key, item)) run->failed = true;
}

/* Let the best of the new entries wait beside the heap: mostly it is the next one. */
static void offer(taut_run *run, float key, uint32_t item) {
  if (run->next.item == LWI_NONE || key < run->next.key) {
    if (run->next.item != LWI_NONE) push(run, run->next.key, run->next.item);
    run->next = (lwi_heap_entry){key, item};
  } else {
    push(run, key, item);
  }
}

/* Whether a corridor to a portal is shorter to neither end than one before. Else it is noted. */
static bool is_beaten(const taut_run *run, const lwi_taut_node *node) {
  lwi_taut_entry *entry = &run->scratch->entries[node->portal];
  const float left = reach_end(node, node->left, node->portal_left),
              right = reach_end(node, node->right, node->portal_right);
  if (entry->stamp != run->scratch->stamp) {
    *entry = (lwi_taut_entry){run->scratch->stamp, left, right};
    return false;
  }
  if (left >= entry->left * BETTER && right >= entry->right * BETTER) return true;
  entry->left = lwi_min(entry->left, left);
  entry->right = lwi_min(entry->right, right);
  return false;
}

static bool is_better(const taut_run *run, float key) {
  const lwi_heap *open = &run->scratch->open;
  return !(run->next.item != LWI_NONE && run->next.key < key) &&
         !(open->count > 0 && open->entries[0].key < key);
}

/* A new node at the portal behind that of `parent`, which may move. @return NULL: no memory. */
static lwi_taut_node *make_node(taut_run *run, uint32_t parent, uint32_t region, uint32_t k) {
  lwi_taut_scratch *scratch = run->scratch;
  const uint32_t number = (uint32_t)scratch->node_count;
  if (!lwi_reserve(run->search->memory, &scratch->nodes, &scratch->node_capacity, scratch->node_count + 1,
                   sizeof *scratch->nodes)) {
    run->failed = true;
    return NULL;
  }
  lwi_taut_node *node = &scratch->nodes[number];
  const lwi_taut_node *before = &scratch->nodes[parent];
  node->root = before->root;
  node->left = before->left;
  node->right = before->right;
  node->g = before->g;
  node->left_node = before->left_node;
  node->right_node = before->right_node;
  node->parent = parent;
  node->portal = k;
  node->from = region;
  portal_ends(run, region, k, &node->portal_left, &node->portal_right);
  if (!lead(node, node->portal_left, node->portal_right, number))
    lead_again(run, node, parent, node->portal_left, node->portal_right, number);
  return node;
}

/* Keep the newest node, unless it is of no use. @param lower  No path by way of it is shorter. [m] */
static void keep_node(taut_run *run, const lwi_taut_node *node, float lower) {
  if (is_beaten(run, node)) return;
  const float key = lwi_max(lower, bound(run, node, run->search->graph.portals[node->portal].to));
  if (key < run->best) offer(run, key, (uint32_t)run->scratch->node_count++);
}

/* Length of the shortest path through a node's corridor to a point of the region behind. [m] */
static float length_to(taut_run *run, uint32_t node, lw_vec3 point) {
  const uint32_t number = (uint32_t)run->scratch->node_count;
  lwi_taut_node funnel = run->scratch->nodes[node];
  if (!lead(&funnel, point, point, number)) lead_again(run, &funnel, node, point, point, number);
  return funnel.g + lwi_distance(funnel.root, point);
}

static void reach_goal(taut_run *run, uint32_t node, float lower) {
  const float key = lwi_max(lower, length_to(run, node, run->to));
  if (!(key < run->best)) return;
  run->best = key;
  offer(run, key, AT_GOAL | node);
}

/* --- leaving a region ------------------------------------------------------------------------------------- */

/* Whether the polygon behind a portal is a dead end that the goal does not lie in. What is cut may be
   joined again. */
static bool is_dead_end(const taut_run *run, uint32_t from, uint32_t k, uint32_t to) {
  if (k < run->base_portals) {
    if (!(run->tables->turns[k] & LWI_INTO_DEAD_END)) return false;
  } else {
    if (from >= lwi_base_count(run->mesh) || !lwi_is_whole(run->mesh, from) ||
        run->tables->parents[lwi_origin_of(run->mesh, to)] != from)
      return false;
  }
  return run->scratch->marks[lwi_origin_of(run->mesh, to)] != run->scratch->stamp;
}

static bool may_enter(const taut_run *run, uint32_t from, uint32_t k) {
  const uint32_t to = run->search->graph.portals[k].to;
  return !is_dead_end(run, from, k, to) &&
         (!run->has_prices || lwi_price_in(run->query->cost_model.prices, &run->search->graph, to) < INFINITY);
}

/* A node that nothing is known of but its number. @return NULL: no memory. */
static lwi_taut_node *next_node(taut_run *run) {
  lwi_taut_scratch *scratch = run->scratch;
  if (lwi_reserve(run->search->memory, &scratch->nodes, &scratch->node_capacity, scratch->node_count + 1,
                  sizeof *scratch->nodes))
    return &scratch->nodes[scratch->node_count];
  run->failed = true;
  return NULL;
}

/* From a point, through all portals of its region. @param link  The node of the link that ends there; LWI_NONE: it is the
   start. */
static void leave_point(taut_run *run, uint32_t region, lw_vec3 point, float g, uint32_t link, float lower) {
  const lwi_graph *graph = &run->search->graph;
  for (uint32_t k = graph->first_portal[region]; k < graph->end_portal[region]; k++) {
    if (!may_enter(run, region, k)) continue;
    lwi_taut_node *node = next_node(run);
    if (!node) return;
    const uint32_t number = (uint32_t)run->scratch->node_count;
    *node = (lwi_taut_node){.root = point, .g = g, .parent = link, .portal = k, .from = region};
    portal_ends(run, region, k, &node->portal_left, &node->portal_right);
    node->left = node->portal_left;
    node->right = node->portal_right;
    node->left_node = node->right_node = number;
    keep_node(run, node, lower);
  }
}

/* Take a link from the region behind a node. @param node  LWI_NONE: from that of the start. */
static void take_link(taut_run *run, uint32_t number, uint32_t node, float lower) {
  const lw_navmesh *mesh = run->mesh;
  const lwi_link *link = &mesh->links.items[number];
  const lwi_search_query *query = run->query;
  if (!lwi_is_there(mesh, link->to) || lwi_link_price(mesh, link, query->cost_model.prices) == INFINITY) return;
  const float before =
      node == LWI_NONE ? lwi_distance(query->from, link->start) : length_to(run, node, link->start);
  const float g = before + lwi_cost_of_link(&query->cost_model, link) / run->price;
  lwi_taut_entry *entry = &run->scratch->entries[run->search->graph.portal_count + number];
  if (entry->stamp == run->scratch->stamp && g >= entry->left * BETTER) return;
  *entry = (lwi_taut_entry){run->scratch->stamp, g, g};
  lwi_taut_node *at = next_node(run);
  if (!at) return;
  const uint32_t index = (uint32_t)run->scratch->node_count;
  *at = (lwi_taut_node){.root = link->end,
                        .left = link->end,
                        .right = link->end,
                        .portal_left = link->end,
                        .portal_right = link->end,
                        .g = g,
                        .left_node = index,
                        .right_node = index,
                        .parent = node,
                        .portal = A_LINK | number,
                        .from = LWI_NONE};
  const float key = lwi_max(lower, bound(run, at, link->to));
  if (!(key < run->best)) return;
  run->scratch->node_count += 1;
  offer(run, key, index);
}

/* Take the links that leave a region. @param node  By which it was entered; LWI_NONE: it is that of the start. */
static void take_links(taut_run *run, uint32_t region, uint32_t node, float lower) {
  const lw_navmesh *mesh = run->mesh;
  if (!mesh->links.first) return;
  for (uint32_t i = mesh->links.first[region]; i < mesh->links.end[region]; i++) take_link(run, i, node, lower);
}

/* The only portal that leads on from a node. @return LWI_NONE: there are several, or none. */
static uint32_t only_exit(const taut_run *run, const lwi_taut_node *node, uint32_t region) {
  const lwi_graph *graph = &run->search->graph;
  uint32_t only = LWI_NONE;
  for (uint32_t k = graph->first_portal[region]; k < graph->end_portal[region]; k++) {
    if (graph->portals[k].to == node->from || !may_enter(run, region, k)) continue;
    if (only != LWI_NONE) return LWI_NONE;
    only = k;
  }
  return only;
}

static void leave_by_all(taut_run *run, uint32_t index, uint32_t region, float lower) {
  const lwi_graph *graph = &run->search->graph;
  const uint32_t from = run->scratch->nodes[index].from;
  for (uint32_t k = graph->first_portal[region]; k < graph->end_portal[region] && !run->failed; k++) {
    if (graph->portals[k].to == from || !may_enter(run, region, k)) continue;
    const lwi_taut_node *node = make_node(run, index, region, k);
    if (node) keep_node(run, node, lower);
  }
}

static bool has_links(const taut_run *run, uint32_t region) {
  const lwi_mesh_links *links = &run->mesh->links;
  return links->first && links->first[region] < links->end[region];
}

/* Leave the region behind a node. While there is but one exit, it is taken at once. */
static void leave(taut_run *run, uint32_t index, float lower) {
  const uint32_t begin = index;
  float key = lower;
  while (!run->failed) {
    const lwi_taut_node *node = &run->scratch->nodes[index];
    const uint32_t region = region_of(run, node);
    const bool is_plain = region != run->query->to_region && !is_link(node) && !has_links(run, region);
    const uint32_t only = is_plain ? only_exit(run, node, region) : LWI_NONE;
    if (only == LWI_NONE) break;
    if (run->scratch->node_count - (int)begin > (int)run->search->graph.portal_count)
      return; /* round and round */
    if (make_node(run, index, region, only)) index = (uint32_t)run->scratch->node_count++;
  }
  if (run->failed) return;
  const lwi_taut_node *node = &run->scratch->nodes[index];
  const uint32_t region = region_of(run, node);
  if (index != begin) key = lwi_max(lower, bound(run, node, region));
  if (index != begin && !is_better(run, key)) {
    offer(run, key, index);
    return;
  }
  if (region == run->query->to_region) reach_goal(run, index, key);
  if (is_link(node))
    leave_point(run, region, node->root, node->g, index, key);
  else
    leave_by_all(run, index, region, key);
  take_links(run, region, index, key);
}

/* --- the search ------------------------------------------------------------------------------------------- */

/* Mark the path out of the dead end that the goal lies in. */
static void mark_goal(taut_run *run) {
  uint32_t at = lwi_origin_of(run->mesh, run->query->to_region);
  for (; at != LWI_NONE && run->scratch->marks[at] != run->scratch->stamp; at = run->tables->parents[at])
    run->scratch->marks[at] = run->scratch->stamp;
}

static void begin_landmarks(taut_run *run) {
  const lwi_reduction *tables = run->tables;
  if (tables->landmark_count == 0) return;
  const uint32_t goal = lwi_origin_of(run->mesh, run->query->to_region);
  run->goal_distances = tables->distances + (size_t)goal * LWI_LANDMARKS;
  run->goal_loss = (float)lwi_point2_distance(lwi_point2_of(run->to), lwi_polygon_middle(run->mesh, goal));
}

static lwi_step step_of(const taut_run *run, const lwi_taut_node *node) {
  const uint32_t number =
      is_link(node) ? 1 + (node->portal & ~A_LINK) : 1 + run->mesh->links.count + node->portal;
  return (lwi_step){number, region_of(run, node), lwi_lerp(node->portal_left, node->portal_right, 0.5F)};
}

static lw_status collect(taut_run *run, uint32_t last) {
  lwi_search *search = run->search;
  const lwi_taut_node *nodes = run->scratch->nodes;
  int count = 0;
  for (uint32_t at = last; at != LWI_NONE; at = nodes[at].parent) count += 1;
  if (!lwi_reserve(search->memory, &search->corridor.steps, &search->corridor.capacity, count,
                   sizeof *search->corridor.steps))
    return LW_OUT_OF_MEMORY;
  search->corridor.count = count;
  for (uint32_t at = last; at != LWI_NONE; at = nodes[at].parent)
    search->corridor.steps[--count] = step_of(run, &nodes[at]);
  return LW_OK;
}

/* @return false: there are no more. */
static bool take_next(taut_run *run, lwi_heap_entry *entry) {
  lwi_heap *open = &run->scratch->open;
  if (run->next.item == LWI_NONE) return lwi_heap_pop(open, entry);
  if (open->count == 0 || run->next.key <= open->entries[0].key) {
    *entry = run->next;
    run->next.item = LWI_NONE;
    return true;
  }
  push(run, run->next.key, run->next.item);
  run->next.item = LWI_NONE;
  return !run->failed && lwi_heap_pop(open, entry);
}

static lw_status search_on(taut_run *run) {
  lwi_search *search = run->search;
  lwi_heap_entry entry;
  while (take_next(run, &entry)) {
    if (entry.item & AT_GOAL) return collect(run, entry.item & ~AT_GOAL);
    if (search->expanded >= run->query->max_nodes) return LW_OUT_OF_NODES;
    if ((uint32_t)search->expanded / NODES_A_PORTAL > search->graph.portal_count) return LW_NO_PATH;
    search->expanded += 1;
    leave(run, entry.item, entry.key);
    if (run->failed) return LW_OUT_OF_MEMORY;
  }
  return run->failed ? LW_OUT_OF_MEMORY : LW_NO_PATH;
}

lw_status lwi_taut_search_run(lwi_search *search, const lwi_search_query *query) {
  taut_run run = {.search = search,
                  .scratch = &search->taut,
                  .query = query,
                  .mesh = query->graph->mesh,
                  .tables = lwi_reduction_of(query->graph->mesh),
                  .to = query->to,
                  .base_portals = lwi_base_of(query->graph->mesh)->graph.portal_count,
                  .has_prices = query->cost_model.prices->terms || query->cost_model.prices->by_length,
                  .price = lwi_price_in(query->cost_model.prices, query->graph, query->from_region),
                  .best = INFINITY,
                  .next = {0, LWI_NONE}};
  search->graph = *query->graph;
  search->corridor.count = 0;
  search->prices_differ = search->turned = false;
  search->place_base = search->lane_base = LWI_NONE;
  search->expanded = 1;
  if (query->from_region == query->to_region) return LW_OK;
  if (!begin(run.scratch, search->memory, &search->graph)) return LW_OUT_OF_MEMORY;
  mark_goal(&run);
  begin_landmarks(&run);
  leave_point(&run, query->from_region, query->from, 0, LWI_NONE, 0);
  take_links(&run, query->from_region, LWI_NONE, 0);
  return run.failed ? LW_OUT_OF_MEMORY : search_on(&run);
}
