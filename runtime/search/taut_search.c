#include "search/taut_search.h"

#include "mesh/intervals.h"
#include "mesh/reduction.h"
#include "search/search.h"
#include "search/link_cost.h"
#include "search/taut_funnel.h"

/* Nodes for each portal, after which the search gives up: far more than any level takes. */
#define NODES_A_PORTAL 64
/* Another corridor to a portal must be shorter by this part to count. */
#define BETTER 0.9999F
/* As many regions with one exit are passed before a corridor is compared with those that came there before. */
#define STEPS_UNCOMPARED 256

typedef struct lwi_taut_run {
  lwi_uniform_run common;
  lwi_taut_scratch *scratch;
  lw_vec3 to;
  float slack2;             /* of funnels [m2] */
  float best;               /* the shortest path to the goal so far [m] */
  lwi_taut_target *targets; /* [target_count] rising by region. NULL: the goal alone */
  int target_count;
  int looked_at;    /* nodes that `nearest` is one of */
  uint32_t nearest; /* from where the least is left to the goal, LWI_NONE: the start */
  float left;       /* that is left from there, by bound [m] */
} taut_run;

static bool is_link(const lwi_taut_node *node) {
  return node->portal >= LWI_UNIFORM_LINK;
}

/* --- memory ----------------------------------------------------------------------------------------------- */

void lwi_taut_scratch_free(lwi_taut_scratch *scratch, lwi_memory *memory) {
  lwi_free(memory, scratch->nodes, (size_t)scratch->node_capacity * sizeof *scratch->nodes);
  lwi_free(memory, scratch->corners, (size_t)scratch->corner_capacity * sizeof *scratch->corners);
  lwi_free(memory, scratch->entries, scratch->entry_count * sizeof *scratch->entries);
  lwi_uniform_scratch_free(&scratch->common, memory);
  lwi_free(memory, scratch->run, sizeof *scratch->run);
  *scratch = (lwi_taut_scratch){0};
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
  if (!run->common.goal_distances) return length;
  const uint32_t origin = lwi_origin_of(run->common.mesh, polygon);
  const lw_vec3 middle = middle_of(run->common.mesh, origin);
  const float width = lwi_distance_xz(left, right);
  /* No point of the portal is nearer to the apex than this. */
  const float near = 0.5F * (lwi_distance_xz(apex->at, left) + lwi_distance_xz(apex->at, right) - width);
  const float off = sqrtf(lwi_max(distance2_xz(left, middle), distance2_xz(right, middle)));
  return lwi_max(length, apex->g + lwi_max(0, near) +
                             lwi_landmark_bound(run->common.tables, origin, run->common.goal_distances) -
                             run->common.goal_loss - off);
}

/* --- nodes ------------------------------------------------------------------------------------------------ */

/* Whether a corridor to a portal is shorter to neither end than one before. Else it is noted. */
static bool is_beaten(const taut_run *run, const lwi_taut_node *node) {
  lwi_taut_entry *entry = &run->scratch->entries[node->portal];
  const float left = run->scratch->corners[node->funnel.left].g,
              right = run->scratch->corners[node->funnel.right].g;
  if (entry->stamp != run->scratch->common.stamp) {
    *entry = (lwi_taut_entry){run->scratch->common.stamp, left, right};
    return false;
  }
  if (left >= entry->left * BETTER && right >= entry->right * BETTER) return true;
  entry->left = lwi_min(entry->left, left);
  entry->right = lwi_min(entry->right, right);
  return false;
}

/* Make space for more nodes, and for the two corners that each may add to the start's. Corners come first: while there is
   space for a node there is for its corners. */
static bool grow_nodes(taut_run *run) {
  lwi_taut_scratch *scratch = run->scratch;
  const int nodes = scratch->node_capacity + scratch->node_capacity / 2 + 16;
  if (nodes < INT32_MAX / 4 &&
      lwi_reserve(run->common.search->memory, &scratch->corners, &scratch->corner_capacity, 2 * nodes + 1,
                  sizeof *scratch->corners) &&
      lwi_reserve(run->common.search->memory, &scratch->nodes, &scratch->node_capacity, nodes,
                  sizeof *scratch->nodes))
    return true;
  run->common.failed = true;
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
  lwi_search_portal_ends(run->common.graph, region, &run->common.graph->portals[k], &left, &right);
  lwi_taut_funnel_lead(scratch->corners, &corner_count, &funnel, left, right, run->slack2);
  scratch->corner_count = corner_count;
  lwi_taut_node *node = &scratch->nodes[scratch->node_count];
  *node = (lwi_taut_node){.funnel = funnel, .parent = parent, .portal = k, .from = region};
  return node;
}

/* Keep the newest node, unless it is of no use. @param lower  No path by way of it is shorter. [m]
   @param corners  As many as there were before it. */
static void keep_node(taut_run *run, const lwi_taut_node *node, float lower, uint32_t corners) {
  if (!is_beaten(run, node)) {
    const float key = lwi_max(lower, bound(run, node, run->common.graph->portals[node->portal].to));
    if (key < run->best) {
      lwi_uniform_offer(&run->common, key, (uint32_t)run->scratch->node_count++);
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
  lwi_uniform_offer(&run->common, key, LWI_AT_GOAL | node);
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
  if (!run->targets) return region == run->common.query->to_region;
  const int at = first_target(run, region);
  return at < run->target_count && run->targets[at].region == region;
}

static void reach_targets(const taut_run *run, uint32_t node, uint32_t region) {
  for (int i = first_target(run, region); i < run->target_count && run->targets[i].region == region; i++)
    run->targets[i].length = lwi_min(run->targets[i].length, length_to(run, node, run->targets[i].at));
}

/* --- leaving a region ------------------------------------------------------------------------------------- */

/* From a corner, through all portals of its region. @param link  The node of the link that ends there; LWI_NONE: it is the
   start. */
static void leave_point(taut_run *run, uint32_t region, uint32_t corner, uint32_t link, float lower) {
  const lwi_graph *graph = run->common.graph;
  const lwi_taut_funnel funnel = {corner, corner, corner};
  for (uint32_t k = graph->first_portal[region]; k < graph->end_portal[region]; k++) {
    if (!lwi_uniform_may_enter(&run->common, region, k)) continue;
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
  const lw_navmesh *mesh = run->common.mesh;
  const lwi_link *link = &mesh->links.items[number];
  const lwi_search_query *query = run->common.query;
  if (!lwi_is_there(mesh, link->to) || lwi_link_price(mesh, link, query->cost_model.prices) == INFINITY) return;
  const float before =
      node == LWI_NONE ? lwi_distance(query->from, link->start) : length_to(run, node, link->start);
  const float g = before + lwi_cost_of_link(&query->cost_model, link) / run->common.price;
  lwi_taut_entry *entry = &run->scratch->entries[run->common.graph->portal_count + number];
  if (entry->stamp == run->scratch->common.stamp && g >= entry->left * BETTER) return;
  *entry = (lwi_taut_entry){run->scratch->common.stamp, g, g};
  if (!reserve_node(run)) return;
  const uint32_t index = (uint32_t)run->scratch->node_count, corner = put_corner(run, link->end, g);
  lwi_taut_node *at = &run->scratch->nodes[index];
  *at = (lwi_taut_node){.funnel = {corner, corner, corner},
                        .parent = node,
                        .portal = LWI_UNIFORM_LINK | number,
                        .from = LWI_NONE};
  const float key = lwi_max(lower, bound(run, at, link->to));
  if (!(key < run->best)) {
    run->scratch->corner_count = corner;
    return;
  }
  run->scratch->node_count += 1;
  lwi_uniform_offer(&run->common, key, index);
}

/* Take the links that leave a region. @param node  By which it was entered; LWI_NONE: it is that of the start. */
static void take_links(taut_run *run, uint32_t region, uint32_t node, float lower) {
  const lw_navmesh *mesh = run->common.mesh;
  if (!mesh->links.first) return;
  for (uint32_t i = mesh->links.first[region]; i < mesh->links.end[region]; i++) take_link(run, i, node, lower);
}

/* The first two portals that lead on from a region. LWI_NONE: there is none. */
typedef struct exits {
  uint32_t first, second;
} exits;

static inline exits exits_of(const taut_run *run, const lwi_taut_node *node, uint32_t region) {
  const uint32_t begin = run->common.graph->first_portal[region];
  const uint32_t first = lwi_uniform_next_exit(&run->common, node->from, region, begin);
  if (first == LWI_NONE) return (exits){LWI_NONE, LWI_NONE};
  return (exits){first, lwi_uniform_next_exit(&run->common, node->from, region, first + 1)};
}

static void leave_by_all(taut_run *run, uint32_t index, uint32_t region, exits by, float lower) {
  const uint32_t from = run->scratch->nodes[index].from;
  const lwi_taut_funnel funnel = run->scratch->nodes[index].funnel;
  uint32_t k = by.first, next = by.second;
  while (k != LWI_NONE && !run->common.failed) {
    const uint32_t corners = run->scratch->corner_count;
    const lwi_taut_node *node = make_node(run, &funnel, index, region, k);
    if (node) keep_node(run, node, lower, corners);
    k = next;
    if (k != LWI_NONE) next = lwi_uniform_next_exit(&run->common, from, region, k + 1);
  }
}

/* Leave the region behind a node. While there is but one exit, it is taken at once, and not compared with others. */
static void leave(taut_run *run, uint32_t index, float lower) {
  const uint32_t begin = index;
  float key = lower;
  int steps = 0;
  exits by = {LWI_NONE, LWI_NONE};
  while (!run->common.failed) {
    const lwi_taut_node *node = &run->scratch->nodes[index];
    const uint32_t region = lwi_uniform_region(&run->common, node->portal);
    if (is_link(node)) break; /* it is left from where the link ends */
    by = exits_of(run, node, region);
    const bool is_only = by.first != LWI_NONE && by.second == LWI_NONE;
    if (!is_only || is_goal(run, region) || lwi_uniform_has_links(&run->common, region)) break;
    if (steps++ == STEPS_UNCOMPARED) break; /* it may lead round and round */
    if (make_node(run, &node->funnel, index, region, by.first)) index = (uint32_t)run->scratch->node_count++;
  }
  if (run->common.failed) return;
  const lwi_taut_node *node = &run->scratch->nodes[index];
  const uint32_t region = lwi_uniform_region(&run->common, node->portal);
  if (index != begin) key = lwi_max(lower, bound(run, node, region));
  if (index != begin && !lwi_uniform_is_next(&run->common, key)) {
    lwi_uniform_offer(&run->common, key, index);
    return;
  }
  if (run->targets)
    reach_targets(run, index, region);
  else if (region == run->common.query->to_region)
    reach_goal(run, index, key);
  if (is_link(node))
    leave_point(run, region, node->funnel.apex, index, key);
  else
    leave_by_all(run, index, region, by, key);
  take_links(run, region, index, key);
}

/* --- the search ------------------------------------------------------------------------------------------- */

static lwi_step step_of(const taut_run *run, const lwi_taut_node *node) {
  const uint32_t number =
      is_link(node) ? 1 + (node->portal & ~LWI_UNIFORM_LINK) : 1 + run->common.mesh->links.count + node->portal;
  const lwi_taut_corner *corners = run->scratch->corners;
  const lw_vec3 middle = lwi_lerp(corners[node->funnel.left].at, corners[node->funnel.right].at, 0.5F);
  return (lwi_step){number, lwi_uniform_region(&run->common, node->portal), middle};
}

static lw_status collect(taut_run *run, uint32_t last) {
  lwi_search *search = run->common.search;
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

/* Lower bound on what is left to the goal from a place in a region. [m] */
static float left_from(const taut_run *run, uint32_t region, lw_vec3 at) {
  const float straight = lwi_distance(at, run->to);
  if (!run->common.goal_distances) return straight;
  const uint32_t origin = lwi_origin_of(run->common.mesh, region);
  return lwi_max(straight, lwi_landmark_bound(run->common.tables, origin, run->common.goal_distances));
}

lw_status lwi_taut_search_nearest(lwi_search *search, lwi_search_query *query) {
  taut_run *run = search->taut.run;
  if (run->looked_at == 0) run->left = left_from(run, query->from_region, query->from);
  for (; run->looked_at < run->scratch->node_count; run->looked_at++) {
    const lwi_step step = step_of(run, &run->scratch->nodes[run->looked_at]);
    const float left = left_from(run, step.region, step.point);
    if (!(left < run->left)) continue;
    run->left = left;
    run->nearest = (uint32_t)run->looked_at;
  }
  if (run->nearest == LWI_NONE) return LW_NO_PATH;
  const lwi_step last = step_of(run, &run->scratch->nodes[run->nearest]);
  query->to = last.point;
  query->to_region = last.region;
  return collect(run, run->nearest);
}

static lw_status search_on(taut_run *run) {
  lwi_search *search = run->common.search;
  lwi_heap_entry entry;
  while (!lwi_search_is_due(search)) {
    if (!lwi_uniform_take(&run->common, &entry)) return run->common.failed ? LW_OUT_OF_MEMORY : LW_NO_PATH;
    if (entry.item & LWI_AT_GOAL) return collect(run, entry.item & ~LWI_AT_GOAL);
    if (search->expanded >= run->common.query->max_nodes) return LW_OUT_OF_NODES;
    if ((uint32_t)search->expanded / NODES_A_PORTAL > search->graph.portal_count) return LW_NO_PATH;
    search->expanded += 1;
    search->spent += 1;
    leave(run, entry.item, entry.key);
    if (run->common.failed) return LW_OUT_OF_MEMORY;
  }
  return LW_UNFINISHED;
}

/* Get ready. @return false: no memory. */
static bool begin_run(taut_run *run, lwi_search *search, const lwi_search_query *query) {
  lwi_taut_scratch *scratch = &search->taut;
  void *items = scratch->entries;
  const lwi_uniform_entries entries = {&scratch->common, &items, &scratch->entry_count,
                                       sizeof *scratch->entries};
  *run = (taut_run){.scratch = scratch,
                    .to = query->to,
                    .slack2 = lwi_taut_funnel_slack2(query->graph->mesh),
                    .best = INFINITY,
                    .nearest = LWI_NONE};
  const bool is_ready = lwi_uniform_begin(&run->common, search, query, &entries);
  scratch->entries = items;
  scratch->node_count = 0;
  scratch->corner_count = 0;
  run->common.has_limits = run->common.prices->terms || run->common.prices->by_length;
  return is_ready;
}

static void leave_start(taut_run *run) {
  if (!reserve_node(run)) return;
  leave_point(run, run->common.query->from_region, put_corner(run, run->common.query->from, 0), LWI_NONE, 0);
  take_links(run, run->common.query->from_region, LWI_NONE, 0);
}

lw_status lwi_taut_search_run(lwi_search *search, const lwi_search_query *query) {
  lwi_taut_scratch *scratch = &search->taut;
  if (!scratch->run) scratch->run = lwi_alloc(search->memory, sizeof *scratch->run);
  taut_run *run = scratch->run;
  if (!run || !begin_run(run, search, query)) return LW_OUT_OF_MEMORY;
  if (query->from_region == query->to_region) return LW_OK;
  lwi_uniform_mark_goal(&run->common, query->to_region);
  lwi_uniform_begin_landmarks(&run->common);
  leave_start(run);
  return run->common.failed ? LW_OUT_OF_MEMORY : search_on(run);
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
  while (lwi_uniform_take(&run->common, &entry)) {
    if (entry.key >= limit) limit = find_longest(run);
    next = entry.key;
    if (entry.key >= limit || run->common.search->expanded >= run->common.query->max_nodes) break;
    run->common.search->expanded += 1;
    leave(run, entry.item, entry.key);
    if (run->common.failed) return false;
    next = INFINITY;
  }
  for (int i = 0; i < run->target_count; i++) run->targets[i].length = lwi_min(run->targets[i].length, next);
  return !run->common.failed;
}

bool lwi_taut_search_bound(lwi_search *search, const lwi_search_query *query, lwi_taut_target *targets,
                           int count) {
  taut_run run;
  if (!begin_run(&run, search, query)) return false;
  run.common.price = query->cost_model.prices->lowest;
  run.targets = targets;
  run.target_count = count;
  for (int i = 0; i < count; i++) {
    const bool is_here = targets[i].region == query->from_region;
    targets[i].length = is_here ? lwi_distance(query->from, targets[i].at) : INFINITY;
    lwi_uniform_mark_goal(&run.common, targets[i].region);
  }
  leave_start(&run);
  return spread_to_targets(&run);
}
