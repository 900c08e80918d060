#include "search/taut_search.h"

#include "mesh/intervals.h"
#include "mesh/reduction.h"
#include "search/search.h"
#include "search/link_cost.h"
#include "search/taut_funnel.h"

#include <string.h>

/* Heap items from here on are ends at the goal: this, plus the number of the node before it. */
#define AT_GOAL 0x80000000U
/* lwi_taut_node.portal from here on is an off-mesh link: this, plus its number. */
#define A_LINK 0x80000000U
/* Nodes for each portal, after which the search gives up: far more than any level takes. */
#define NODES_A_PORTAL 64
/* Another corridor to a portal must be shorter by this part to count. */
#define BETTER 0.9999F

typedef struct lwi_taut_run {
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
  bool has_limits;                /* some ground may not be entered, or some portals not be crossed */
  const uint16_t *goal_distances; /* from landmarks; NULL: there are none */
  float goal_loss;                /* how far the goal is from the middle of its polygon [m] */
  lwi_taut_target *targets;       /* [target_count] rising by region. NULL: the goal alone */
  int target_count;
  lwi_heap_entry next; /* the best of the last entries, beside the heap. item LWI_NONE: none */
  bool failed;         /* out of memory */
} taut_run;

static bool is_link(const lwi_taut_node *node) {
  return node->portal >= A_LINK;
}

/* The region behind a node. */
static inline uint32_t region_of(const taut_run *run, const lwi_taut_node *node) {
  if (is_link(node)) return lwi_graph_link_regions(&run->search->graph, node->portal & ~A_LINK).to;
  return run->search->graph.portals[node->portal].to;
}

/* --- memory ----------------------------------------------------------------------------------------------- */

void lwi_taut_scratch_free(lwi_taut_scratch *scratch, lwi_memory *memory) {
  lwi_free(memory, scratch->nodes, (size_t)scratch->node_capacity * sizeof *scratch->nodes);
  lwi_free(memory, scratch->corners, (size_t)scratch->corner_capacity * sizeof *scratch->corners);
  lwi_free(memory, scratch->entries, scratch->entry_count * sizeof *scratch->entries);
  lwi_free(memory, scratch->marks, scratch->mark_count * sizeof *scratch->marks);
  lwi_heap_free(&scratch->open, memory);
  lwi_free(memory, scratch->run, sizeof *scratch->run);
  *scratch = (lwi_taut_scratch){0};
}

static bool begin(lwi_taut_scratch *scratch, lwi_memory *memory, const lwi_graph *graph) {
  void *entries = scratch->entries, *marks = scratch->marks;
  const bool grown =
      lwi_grow_zeroed(memory, &entries, &scratch->entry_count, graph->portal_count + graph->mesh->links.count,
                      sizeof *scratch->entries) &&
      lwi_grow_zeroed(memory, &marks, &scratch->mark_count, lwi_base_count(graph->mesh),
                      sizeof *scratch->marks);
  scratch->entries = entries;
  scratch->marks = marks;
  scratch->node_count = 0;
  scratch->corner_count = 0;
  scratch->open.count = 0;
  scratch->stamp += 1;
  if (!grown || scratch->stamp > 0) return grown;
  memset(scratch->entries, 0, scratch->entry_count * sizeof *scratch->entries);
  memset(scratch->marks, 0, scratch->mark_count * sizeof *scratch->marks);
  scratch->stamp = 1;
  return true;
}

/* --- bounds ----------------------------------------------------------------------------------------------- */

/* Lower bound on the length of the path through a portal to the goal, from the apex on: the goal lies on the near side of
   the portal, so that the path comes back. */
static float bound_back(const lwi_taut_corner *apex, lw_vec3 left, lw_vec3 right, lw_vec3 to) {
  const lwi_taut_interval at = {
      .root = lwi_point2_of(apex->at), .left = lwi_point2_of(left), .right = lwi_point2_of(right)};
  return apex->g + (float)lwi_interval_bound(&at, lwi_point2_of(to));
}

/* Lower bound on the length of the path to a portal. [m] */
static float bound_of_portal(const lwi_taut_corner *apex, lw_vec3 left, lw_vec3 right) {
  const float t = lwi_equal(left, right) ? 0 : lwi_part_along(left, right, apex->at);
  return apex->g + lwi_distance(apex->at, lwi_lerp(left, right, lwi_max(0, lwi_min(1, t))));
}

/* As lwi_polygon_middle(). */
static inline lw_vec3 middle_of(const lw_navmesh *mesh, uint32_t index) {
  const lwi_polygon polygon = lwi_polygon_get(mesh, index);
  const float *x = polygon.at, *z = polygon.at + polygon.count;
  const uint32_t half = polygon.count / 2;
  return (lw_vec3){0.5F * (x[0] + x[half]), 0, 0.5F * (z[0] + z[half])};
}

static inline float distance2_xz(lw_vec3 a, lw_vec3 b) {
  const float dx = b.x - a.x, dz = b.z - a.z;
  return dx * dx + dz * dz;
}

/* Lower bound on the length of the whole path through a portal into a polygon. [m] */
static float bound(const taut_run *run, const lwi_taut_node *node, uint32_t polygon) {
  const lwi_taut_corner *corners = run->scratch->corners, *apex = &corners[node->funnel.apex];
  const lw_vec3 left = corners[node->funnel.left].at, right = corners[node->funnel.right].at;
  if (run->targets) return bound_of_portal(apex, left, right);
  const bool is_behind = lwi_taut_funnel_turn(right, left, run->to) <= 0;
  float length = is_behind ? lwi_taut_funnel_reach(corners, &node->funnel, run->to)
                           : bound_back(apex, left, right, run->to);
  if (!run->goal_distances) return length;
  const uint32_t origin = lwi_origin_of(run->mesh, polygon);
  const lw_vec3 middle = middle_of(run->mesh, origin);
  const float width = lwi_distance_xz(left, right);
  /* No point of the portal is nearer to the apex than this. */
  const float near = 0.5F * (lwi_distance_xz(apex->at, left) + lwi_distance_xz(apex->at, right) - width);
  const float off = sqrtf(lwi_max(distance2_xz(left, middle), distance2_xz(right, middle)));
  return lwi_max(length, apex->g + lwi_max(0, near) +
                             lwi_landmark_bound(run->tables, origin, run->goal_distances) - run->goal_loss -
                             off);
}

/* --- nodes ------------------------------------------------------------------------------------------------ */

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
  const float left = run->scratch->corners[node->funnel.left].g,
              right = run->scratch->corners[node->funnel.right].g;
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

/* Make space for more nodes, and for the two corners that each may add to the start's. Corners come first: while there is
   space for a node there is for its corners. */
static bool grow_nodes(taut_run *run) {
  lwi_taut_scratch *scratch = run->scratch;
  const int nodes = scratch->node_capacity + scratch->node_capacity / 2 + 16;
  if (nodes < INT32_MAX / 4 &&
      lwi_reserve(run->search->memory, &scratch->corners, &scratch->corner_capacity, 2 * nodes + 1,
                  sizeof *scratch->corners) &&
      lwi_reserve(run->search->memory, &scratch->nodes, &scratch->node_capacity, nodes, sizeof *scratch->nodes))
    return true;
  run->failed = true;
  return false;
}

/* Let there be space for one more node and its corners. @return false: no memory. */
static inline bool reserve_node(taut_run *run) {
  return run->scratch->node_count < run->scratch->node_capacity || grow_nodes(run);
}

/* A new node at a portal of the region behind a funnel. @return NULL: no memory. */
static lwi_taut_node *make_node(taut_run *run, const lwi_taut_funnel *before, uint32_t parent, uint32_t region,
                                uint32_t k) {
  lwi_taut_scratch *scratch = run->scratch;
  lwi_taut_funnel funnel = *before;
  uint32_t corner_count = scratch->corner_count;
  lw_vec3 left, right;
  if (!reserve_node(run)) return NULL;
  lwi_search_portal_ends(&run->search->graph, region, &run->search->graph.portals[k], &left, &right);
  lwi_taut_funnel_lead(scratch->corners, &corner_count, &funnel, left, right);
  scratch->corner_count = corner_count;
  lwi_taut_node *node = &scratch->nodes[scratch->node_count];
  *node = (lwi_taut_node){.funnel = funnel, .parent = parent, .portal = k, .from = region};
  return node;
}

/* Keep the newest node, unless it is of no use. @param lower  No path by way of it is shorter. [m]
   @param corners  As many as there were before it. */
static void keep_node(taut_run *run, const lwi_taut_node *node, float lower, uint32_t corners) {
  if (!is_beaten(run, node)) {
    const float key = lwi_max(lower, bound(run, node, run->search->graph.portals[node->portal].to));
    if (key < run->best) {
      offer(run, key, (uint32_t)run->scratch->node_count++);
      return;
    }
  }
  run->scratch->corner_count = corners;
}

/* Length of the shortest path through a node's corridor to a point of the region behind. [m] */
static float length_to(const taut_run *run, uint32_t node, lw_vec3 point) {
  return lwi_taut_funnel_reach(run->scratch->corners, &run->scratch->nodes[node].funnel, point);
}

static void reach_goal(taut_run *run, uint32_t node, float lower) {
  const float key = lwi_max(lower, length_to(run, node, run->to));
  if (!(key < run->best)) return;
  run->best = key;
  offer(run, key, AT_GOAL | node);
}

/* The first of the targets in a region, or behind it. */
static int first_target(const taut_run *run, uint32_t region) {
  int low = 0, high = run->target_count;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (run->targets[middle].region < region)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Is it in that region that paths end? */
static bool is_goal(const taut_run *run, uint32_t region) {
  if (!run->targets) return region == run->query->to_region;
  const int at = first_target(run, region);
  return at < run->target_count && run->targets[at].region == region;
}

static void reach_targets(const taut_run *run, uint32_t node, uint32_t region) {
  for (int i = first_target(run, region); i < run->target_count && run->targets[i].region == region; i++)
    run->targets[i].length = lwi_min(run->targets[i].length, length_to(run, node, run->targets[i].at));
}

/* --- leaving a region ------------------------------------------------------------------------------------- */

/* Whether the polygon behind a portal is a dead end that the goal does not lie in. What is cut may be
   joined again. */
static inline bool is_dead_end(const taut_run *run, uint32_t from, uint32_t k, uint32_t to) {
  if (k < run->base_portals) {
    if (!(run->tables->turns[k] & LWI_INTO_DEAD_END)) return false;
  } else {
    if (from >= lwi_base_count(run->mesh) || !lwi_is_whole(run->mesh, from) ||
        run->tables->parents[lwi_origin_of(run->mesh, to)] != from)
      return false;
  }
  return run->scratch->marks[lwi_origin_of(run->mesh, to)] != run->scratch->stamp;
}

static inline __attribute__((always_inline)) bool may_enter(const taut_run *run, uint32_t from, uint32_t k) {
  const lwi_graph *graph = &run->search->graph;
  const lwi_portal *portal = &graph->portals[k];
  return !is_dead_end(run, from, k, portal->to) &&
         (!run->has_limits || lwi_price_behind(run->query->cost_model.prices, graph, portal) < INFINITY);
}

/* From a corner, through all portals of its region. @param link  The node of the link that ends there; LWI_NONE: it is the
   start. */
static void leave_point(taut_run *run, uint32_t region, uint32_t corner, uint32_t link, float lower) {
  const lwi_graph *graph = &run->search->graph;
  const lwi_taut_funnel funnel = {corner, corner, corner};
  for (uint32_t k = graph->first_portal[region]; k < graph->end_portal[region]; k++) {
    if (!may_enter(run, region, k)) continue;
    const uint32_t corners = run->scratch->corner_count;
    lwi_taut_node *node = make_node(run, &funnel, link, region, k);
    if (!node) return;
    const lwi_taut_corner *all = run->scratch->corners;
    if (lwi_taut_funnel_is_on(all[corner].at, all[node->funnel.left].at, all[node->funnel.right].at)) {
      node->funnel = funnel;
      run->scratch->corner_count = corners;
    }
    keep_node(run, node, lower, corners);
  }
}

/* A corner that is reached by no other one. */
static uint32_t put_corner(taut_run *run, lw_vec3 at, float g) {
  run->scratch->corners[run->scratch->corner_count] = (lwi_taut_corner){at, g, LWI_NONE};
  return run->scratch->corner_count++;
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
  if (!reserve_node(run)) return;
  const uint32_t index = (uint32_t)run->scratch->node_count, corner = put_corner(run, link->end, g);
  lwi_taut_node *at = &run->scratch->nodes[index];
  *at = (lwi_taut_node){
      .funnel = {corner, corner, corner}, .parent = node, .portal = A_LINK | number, .from = LWI_NONE};
  const float key = lwi_max(lower, bound(run, at, link->to));
  if (!(key < run->best)) {
    run->scratch->corner_count = corner;
    return;
  }
  run->scratch->node_count += 1;
  offer(run, key, index);
}

/* Take the links that leave a region. @param node  By which it was entered; LWI_NONE: it is that of the start. */
static void take_links(taut_run *run, uint32_t region, uint32_t node, float lower) {
  const lw_navmesh *mesh = run->mesh;
  if (!mesh->links.first) return;
  for (uint32_t i = mesh->links.first[region]; i < mesh->links.end[region]; i++) take_link(run, i, node, lower);
}

/* The next portal that leads on from a region, from portal `k` on. @param from  The region that it was entered from.
   @return LWI_NONE: there is none. */
static inline uint32_t next_exit(const taut_run *run, uint32_t from, uint32_t region, uint32_t k) {
  const lwi_graph *graph = &run->search->graph;
  for (; k < graph->end_portal[region]; k++)
    if (graph->portals[k].to != from && may_enter(run, region, k)) return k;
  return LWI_NONE;
}

/* The first two portals that lead on from a region. LWI_NONE: there is none. */
typedef struct exits {
  uint32_t first, second;
} exits;

static inline exits exits_of(const taut_run *run, const lwi_taut_node *node, uint32_t region) {
  const lwi_graph *graph = &run->search->graph;
  exits by = {LWI_NONE, LWI_NONE};
  for (uint32_t k = graph->first_portal[region]; k < graph->end_portal[region]; k++) {
    if (graph->portals[k].to == node->from || !may_enter(run, region, k)) continue;
    if (by.first != LWI_NONE) {
      by.second = k;
      break;
    }
    by.first = k;
  }
  return by;
}

static void leave_by_all(taut_run *run, uint32_t index, uint32_t region, exits by, float lower) {
  const uint32_t from = run->scratch->nodes[index].from;
  const lwi_taut_funnel funnel = run->scratch->nodes[index].funnel;
  uint32_t k = by.first, next = by.second;
  while (k != LWI_NONE && !run->failed) {
    const uint32_t corners = run->scratch->corner_count;
    const lwi_taut_node *node = make_node(run, &funnel, index, region, k);
    if (node) keep_node(run, node, lower, corners);
    k = next;
    if (k != LWI_NONE) next = next_exit(run, from, region, k + 1);
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
  exits by = {LWI_NONE, LWI_NONE};
  while (!run->failed) {
    const lwi_taut_node *node = &run->scratch->nodes[index];
    const uint32_t region = region_of(run, node);
    if (is_link(node)) break; /* it is left from where the link ends */
    by = exits_of(run, node, region);
    const bool is_only = by.first != LWI_NONE && by.second == LWI_NONE;
    if (!is_only || is_goal(run, region) || has_links(run, region)) break;
    if (run->scratch->node_count - (int)begin > (int)run->search->graph.portal_count)
      return; /* round and round */
    if (make_node(run, &node->funnel, index, region, by.first)) index = (uint32_t)run->scratch->node_count++;
  }
  if (run->failed) return;
  const lwi_taut_node *node = &run->scratch->nodes[index];
  const uint32_t region = region_of(run, node);
  if (index != begin) key = lwi_max(lower, bound(run, node, region));
  if (index != begin && !is_better(run, key)) {
    offer(run, key, index);
    return;
  }
  if (run->targets)
    reach_targets(run, index, region);
  else if (region == run->query->to_region)
    reach_goal(run, index, key);
  if (is_link(node))
    leave_point(run, region, node->funnel.apex, index, key);
  else
    leave_by_all(run, index, region, by, key);
  take_links(run, region, index, key);
}

/* --- the search ------------------------------------------------------------------------------------------- */

/* Mark the path out of the dead end that a goal lies in. */
static void mark_goal(taut_run *run, uint32_t region) {
  uint32_t at = lwi_origin_of(run->mesh, region);
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
  const lwi_taut_corner *corners = run->scratch->corners;
  const lw_vec3 middle = lwi_lerp(corners[node->funnel.left].at, corners[node->funnel.right].at, 0.5F);
  return (lwi_step){number, region_of(run, node), middle};
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
  while (!lwi_search_is_due(search)) {
    if (!take_next(run, &entry)) return run->failed ? LW_OUT_OF_MEMORY : LW_NO_PATH;
    if (entry.item & AT_GOAL) return collect(run, entry.item & ~AT_GOAL);
    if (search->expanded >= run->query->max_nodes) return LW_OUT_OF_NODES;
    if ((uint32_t)search->expanded / NODES_A_PORTAL > search->graph.portal_count) return LW_NO_PATH;
    search->expanded += 1;
    search->spent += 1;
    leave(run, entry.item, entry.key);
    if (run->failed) return LW_OUT_OF_MEMORY;
  }
  return LW_UNFINISHED;
}

/* Get ready. @return false: no memory. */
static bool begin_run(taut_run *run, lwi_search *search, const lwi_search_query *query) {
  *run = (taut_run){.search = search,
                    .scratch = &search->taut,
                    .query = query,
                    .mesh = query->graph->mesh,
                    .tables = lwi_reduction_of(query->graph->mesh),
                    .to = query->to,
                    .base_portals = lwi_base_of(query->graph->mesh)->graph.portal_count,
                    .has_limits = query->cost_model.prices->terms || query->cost_model.prices->by_length,
                    .price = lwi_price_in(query->cost_model.prices, query->graph, query->from_region),
                    .best = INFINITY,
                    .next = {0, LWI_NONE}};
  search->graph = *query->graph;
  search->corridor.count = 0;
  search->prices_differ = search->turned = false;
  search->place_base = search->lane_base = LWI_NONE;
  search->expanded = 1;
  return begin(run->scratch, search->memory, &search->graph);
}

static void leave_start(taut_run *run) {
  if (!reserve_node(run)) return;
  leave_point(run, run->query->from_region, put_corner(run, run->query->from, 0), LWI_NONE, 0);
  take_links(run, run->query->from_region, LWI_NONE, 0);
}

lw_status lwi_taut_search_run(lwi_search *search, const lwi_search_query *query) {
  lwi_taut_scratch *scratch = &search->taut;
  if (!scratch->run) scratch->run = lwi_alloc(search->memory, sizeof *scratch->run);
  taut_run *run = scratch->run;
  if (!run || !begin_run(run, search, query)) return LW_OUT_OF_MEMORY;
  if (query->from_region == query->to_region) return LW_OK;
  mark_goal(run, query->to_region);
  begin_landmarks(run);
  leave_start(run);
  return run->failed ? LW_OUT_OF_MEMORY : search_on(run);
}

lw_status lwi_taut_search_go_on(lwi_search *search) {
  return search_on(search->taut.run);
}

/* --- many goals ------------------------------------------------------------------------------------------- */

static float find_longest(const taut_run *run) {
  float max = 0;
  for (int i = 0; i < run->target_count; i++) max = lwi_max(max, run->targets[i].length);
  return max;
}

/* The nearest portals first, until no target can be reached by a shorter path than is known. What is not reached by then is
   as far as the next portal at least. */
static bool spread_to_targets(taut_run *run) {
  lwi_heap_entry entry;
  float limit = 0, next = INFINITY;
  while (take_next(run, &entry)) {
    if (entry.key >= limit) limit = find_longest(run);
    next = entry.key;
    if (entry.key >= limit || run->search->expanded >= run->query->max_nodes) break;
    run->search->expanded += 1;
    leave(run, entry.item, entry.key);
    if (run->failed) return false;
    next = INFINITY;
  }
  for (int i = 0; i < run->target_count; i++) run->targets[i].length = lwi_min(run->targets[i].length, next);
  return !run->failed;
}

bool lwi_taut_search_bound(lwi_search *search, const lwi_search_query *query, lwi_taut_target *targets,
                           int count) {
  taut_run run;
  if (!begin_run(&run, search, query)) return false;
  run.price = query->cost_model.prices->lowest;
  run.targets = targets;
  run.target_count = count;
  for (int i = 0; i < count; i++) {
    const bool is_here = targets[i].region == query->from_region;
    targets[i].length = is_here ? lwi_distance(query->from, targets[i].at) : INFINITY;
    mark_goal(&run, targets[i].region);
  }
  leave_start(&run);
  return spread_to_targets(&run);
}
