#include "search/interval_search.h"

#include "mesh/reduction.h"
#include "search/link_cost.h"
#include "search/search.h"

#include <string.h>

/* Heap items from here on are ends at the goal: this, plus the number of the node before it. */
#define AT_GOAL 0x80000000U
/* lwi_interval_node.portal from here on is an off-mesh link: this, plus its number. */
#define A_LINK 0x80000000U
/* Nodes for each portal, after which the search gives up: far more than any level takes. */
#define NODES_A_PORTAL 64
/* Another path to a link must be shorter by this part to count. */
#define BETTER 0.999999F

typedef struct lwi_interval_run {
  lwi_search *search;
  lwi_interval_scratch *scratch;
  const lwi_search_query *query;
  const lw_navmesh *mesh;
  const lwi_reduction *tables;
  lwi_point2 to;
  float best;                     /* the shortest path to the goal so far [m] */
  uint32_t base_portals;          /* portals below this number are those of the navmesh as it was baked */
  float price;                    /* of each metre [metre-equivalents] */
  bool has_limits;                /* some ground may not be entered, or some portals not be crossed */
  bool asks_corners;              /* tables do not know all corners */
  const uint16_t *goal_distances; /* from landmarks; NULL: there are none */
  float goal_loss;                /* how far the goal is from the middle of its polygon [m] */
  lwi_heap_entry next;            /* the best of the last entries, beside the heap. item LWI_NONE: none */
  bool failed;                    /* out of memory */
} lwi_interval_run;

/* As many steps along a corridor, and paths are compared with those that came there before. */
#define STEPS_UNCOMPARED 16

static bool is_link(const lwi_interval_node *node) {
  return node->portal >= A_LINK;
}

/* The region behind a node. */
static inline uint32_t region_of(const lwi_interval_run *run, const lwi_interval_node *node) {
  if (is_link(node)) return lwi_graph_link_regions(&run->search->graph, node->portal & ~A_LINK).to;
  return run->search->graph.portals[node->portal].to;
}

/* --- memory ----------------------------------------------------------------------------------------------- */

void lwi_interval_scratch_free(lwi_interval_scratch *scratch, lwi_memory *memory) {
  lwi_free(memory, scratch->nodes, (size_t)scratch->node_capacity * sizeof *scratch->nodes);
  lwi_free(memory, scratch->entries, scratch->entry_count * sizeof *scratch->entries);
  lwi_free(memory, scratch->marks, scratch->mark_count * sizeof *scratch->marks);
  lwi_heap_free(&scratch->open, memory);
  lwi_free(memory, scratch->run, sizeof *scratch->run);
  *scratch = (lwi_interval_scratch){0};
}

static bool begin(lwi_interval_scratch *scratch, lwi_memory *memory, const lwi_graph *graph) {
  void *entries = scratch->entries, *marks = scratch->marks;
  const bool grown =
      lwi_grow_zeroed(memory, &entries, &scratch->entry_count, graph->portal_count + graph->mesh->links.count,
                      sizeof *scratch->entries) &&
      lwi_grow_zeroed(memory, &marks, &scratch->mark_count, lwi_base_count(graph->mesh),
                      sizeof *scratch->marks);
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

/* --- bounds ----------------------------------------------------------------------------------------------- */

/* Lower bound on the length of the whole path through an interval into a polygon. [m] */
static float bound(const lwi_interval_run *run, const lwi_taut_interval *at, const lwi_end_lengths *lengths,
                   uint32_t polygon) {
  const double direct = at->g + (lengths->left > at->g || lengths->right > at->g
                                     ? lwi_interval_bound(at, run->to)
                                     : lwi_point2_distance(at->root, run->to)); /* from the end of a link */
  if (!run->goal_distances) return (float)direct;
  const uint32_t origin = lwi_origin_of(run->mesh, polygon);
  const double beyond = lwi_landmark_bound(run->tables, origin, run->goal_distances) - (double)run->goal_loss;
  if (lwi_smaller(lengths->left, lengths->right) + beyond <= direct) return (float)direct;
  const lwi_point2 middle = lwi_polygon_middle(run->mesh, origin);
  /* No point of the interval is nearer to the root than this. */
  const double near =
      0.5 * (lengths->left + lengths->right - 2 * at->g - lwi_point2_distance(at->left, at->right));
  const double off =
      sqrt(lwi_larger(lwi_point2_apart2(at->left, middle), lwi_point2_apart2(at->right, middle)));
  return (float)lwi_larger(direct, at->g + lwi_larger(0, near) + beyond - off);
}

/* --- nodes ------------------------------------------------------------------------------------------------ */

static void push(lwi_interval_run *run, float key, uint32_t item) {
  if (!lwi_heap_push(&run->scratch->open, run->search->memory, key, item)) run->failed = true;
}

/* Let the best of the new entries wait beside the heap: mostly it is the next one. */
static void offer(lwi_interval_run *run, float key, uint32_t item) {
  if (run->next.item == LWI_NONE || key < run->next.key) {
    if (run->next.item != LWI_NONE) push(run, run->next.key, run->next.item);
    run->next = (lwi_heap_entry){key, item};
  } else {
    push(run, key, item);
  }
}

static bool is_better(const lwi_interval_run *run, float key) {
  const lwi_heap *open = &run->scratch->open;
  return !(run->next.item != LWI_NONE && run->next.key < key) &&
         !(open->count > 0 && open->entries[0].key < key);
}

/* A new node. @return LWI_NONE: no memory. */
static uint32_t add_node(lwi_interval_run *run, const lwi_interval_node *node) {
  lwi_interval_scratch *scratch = run->scratch;
  if (scratch->node_count == scratch->node_capacity &&
      !lwi_reserve(run->search->memory, &scratch->nodes, &scratch->node_capacity,
                   scratch->node_count + scratch->node_count / 2 + 16, sizeof *scratch->nodes)) {
    run->failed = true;
    return LWI_NONE;
  }
  scratch->nodes[scratch->node_count] = *node;
  return (uint32_t)scratch->node_count++;
}

/* Keep a node, unless no path by way of it is shorter than a known one. Bounds on the way to it do not count: a path may
   come back round its root to where another one leads straight. */
static void keep_node(lwi_interval_run *run, const lwi_interval_node *node, const lwi_end_lengths *lengths) {
  const float key = bound(run, &node->at, lengths, region_of(run, node));
  if (!(key < run->best)) return;
  const uint32_t index = add_node(run, node);
  if (index != LWI_NONE) offer(run, key, index);
}

static void reach_goal(lwi_interval_run *run, uint32_t node, const lwi_view *view) {
  const float key = (float)lwi_view_reach(view, run->to);
  if (!(key < run->best)) return;
  run->best = key;
  offer(run, key, AT_GOAL | node);
}

/* --- portals ---------------------------------------------------------------------------------------------- */

static inline lwi_portal_line line_of(const lwi_interval_run *run, uint32_t region, uint32_t k) {
  lw_vec3 left, right;
  lwi_search_portal_ends(&run->search->graph, region, &run->search->graph.portals[k], &left, &right);
  /* Whether the others are corners is asked where it counts: is_corner(). */
  const unsigned turns = run->asks_corners ? LWI_TURNS_LEFT | LWI_TURNS_RIGHT : run->tables->turns[k];
  return (lwi_portal_line){lwi_point2_of(left), lwi_point2_of(right), (turns & LWI_TURNS_LEFT) != 0,
                           (turns & LWI_TURNS_RIGHT) != 0};
}

/* Whether the polygon behind a portal is a dead end that the goal does not lie in. What is cut may be
   joined again. */
static inline bool is_dead_end(const lwi_interval_run *run, uint32_t from, uint32_t k, uint32_t to) {
  if (k < run->base_portals) {
    if (!(run->tables->turns[k] & LWI_INTO_DEAD_END)) return false;
  } else {
    if (from >= lwi_base_count(run->mesh) || !lwi_is_whole(run->mesh, from) ||
        run->tables->parents[lwi_origin_of(run->mesh, to)] != from)
      return false;
  }
  return run->scratch->marks[lwi_origin_of(run->mesh, to)] != run->scratch->stamp;
}

static inline bool may_enter(const lwi_interval_run *run, uint32_t from, uint32_t k) {
  const lwi_graph *graph = &run->search->graph;
  const lwi_portal *portal = &graph->portals[k];
  return !is_dead_end(run, from, k, portal->to) &&
         (!run->has_limits || lwi_price_behind(run->query->cost_model.prices, graph, portal) < INFINITY);
}

/* The next portal that leads on from a region, from portal `k` on. @param from  The region that it was entered from.
   @return LWI_NONE: there is none. */
static inline uint32_t next_exit(const lwi_interval_run *run, uint32_t from, uint32_t region, uint32_t k) {
  const lwi_graph *graph = &run->search->graph;
  for (; k < graph->end_portal[region]; k++)
    if (graph->portals[k].to != from && may_enter(run, region, k)) return k;
  return LWI_NONE;
}

/* --- leaving a region ------------------------------------------------------------------------------------- */

/* From a point, through all portals of its region. @param parent  The node of the link that ends there; LWI_NONE: it is the
   start. */
static void leave_point(lwi_interval_run *run, uint32_t region, const lwi_taut_interval *start,
                        uint32_t parent) {
  const lwi_graph *graph = &run->search->graph;
  for (uint32_t k = graph->first_portal[region]; k < graph->end_portal[region] && !run->failed; k++) {
    if (!may_enter(run, region, k)) continue;
    const lwi_portal_line line = line_of(run, region, k);
    const lwi_interval_node node = {
        .at = {start->root, line.left, line.right, start->g, line.turns_left, line.turns_right, 0},
        .parent = parent,
        .portal = k,
        .from = region};
    const lwi_end_lengths lengths = lwi_interval_lengths(&node.at);
    if (!lwi_portal_meet(&run->scratch->entries[k], run->scratch->stamp, &line, &node.at, &lengths))
      keep_node(run, &node, &lengths);
  }
}

/* Take a link from the region behind a node. @param g  Length of the path to where it begins. [m] */
static void take_link(lwi_interval_run *run, uint32_t number, uint32_t parent, double to_start) {
  const lwi_link *link = &run->mesh->links.items[number];
  const lwi_search_query *query = run->query;
  if (!lwi_is_there(run->mesh, link->to) ||
      lwi_link_price(run->mesh, link, query->cost_model.prices) == INFINITY)
    return;
  const double g = to_start + (double)(lwi_cost_of_link(&query->cost_model, link) / run->price);
  lwi_portal_entry *entry = &run->scratch->entries[run->search->graph.portal_count + number];
  if (entry->stamp == run->scratch->stamp && (float)g >= entry->left * BETTER) return;
  *entry = (lwi_portal_entry){.stamp = run->scratch->stamp, .left = (float)g};
  const lwi_point2 end = lwi_point2_of(link->end);
  const lwi_interval_node node = {.at = {.root = end, .left = end, .right = end, .g = g},
                                  .parent = parent,
                                  .portal = A_LINK | number,
                                  .from = LWI_NONE};
  const lwi_end_lengths lengths = {g, g};
  keep_node(run, &node, &lengths);
}

/* Take the links that leave a region. @param node  By which it was entered. @param view  From there. */
static void take_links(lwi_interval_run *run, uint32_t region, uint32_t node, const lwi_view *view) {
  const lwi_mesh_links *links = &run->mesh->links;
  if (!links->first) return;
  for (uint32_t i = links->first[region]; i < links->end[region] && !run->failed; i++)
    take_link(run, i, node, lwi_view_reach(view, lwi_point2_of(links->items[i].start)));
}

static bool has_links(const lwi_interval_run *run, uint32_t region) {
  const lwi_mesh_links *links = &run->mesh->links;
  return links->first && links->first[region] < links->end[region];
}

/* Keep those of the intervals of a portal that may be better than what came there before. */
static void keep_intervals(lwi_interval_run *run, uint32_t parent, uint32_t k, const lwi_portal_line *line,
                           const lwi_taut_interval *all, int count) {
  const uint32_t region = region_of(run, &run->scratch->nodes[parent]);
  for (int i = 0; i < count && !run->failed; i++) {
    const lwi_end_lengths lengths = lwi_interval_lengths(&all[i]);
    if (lwi_portal_meet(&run->scratch->entries[k], run->scratch->stamp, line, &all[i], &lengths)) continue;
    const lwi_interval_node node = {.at = all[i], .parent = parent, .portal = k, .from = region};
    keep_node(run, &node, &lengths);
  }
}

/* Leave a region by the end of a link. */
static void leave_link(lwi_interval_run *run, uint32_t index, uint32_t region) {
  const lwi_view view = {.from = run->scratch->nodes[index].at, .free_left = true, .free_right = true};
  if (region == run->query->to_region) reach_goal(run, index, &view);
  leave_point(run, region, &view.from, index);
  take_links(run, region, index, &view);
}

static bool is_known_node(lwi_interval_run *run, const lwi_interval_node *node,
                          const lwi_end_lengths *lengths) {
  const lwi_portal_line line = line_of(run, node->from, node->portal);
  return lwi_portal_meet(&run->scratch->entries[node->portal], run->scratch->stamp, &line, &node->at, lengths);
}

/* Whether paths may turn at an end of a node's portal. */
static bool is_corner(const lwi_interval_run *run, const lwi_interval_node *node, bool is_left) {
  const unsigned turns = is_left ? LWI_TURNS_LEFT : LWI_TURNS_RIGHT;
  if (node->portal < run->base_portals && (run->tables->turns[node->portal] & turns)) return true;
  return lwi_reduction_is_corner(run->mesh, &run->query->cost_model.prices->filter, node->from, node->portal,
                                 is_left);
}

/* What an interval's root sees behind it. */
static lwi_view view_from(const lwi_interval_run *run, const lwi_interval_node *node) {
  lwi_view view = lwi_view_of(&node->at);
  if (!run->asks_corners) return view;
  if (view.from.turns_left && !view.free_left) view.from.turns_left = is_corner(run, node, true);
  if (view.from.turns_right && !view.free_right) view.from.turns_right = is_corner(run, node, false);
  return view;
}

/* Leave the region behind a node. While one interval leads on, it is taken at once. */
static void leave(lwi_interval_run *run, uint32_t index) {
  lwi_taut_interval out[3];
  for (int steps = 0; !run->failed; steps++) {
    const lwi_interval_node *node = &run->scratch->nodes[index];
    const uint32_t region = region_of(run, node), from = node->from;
    if (is_link(node)) {
      leave_link(run, index, region);
      return;
    }
    const lwi_view view = view_from(run, node);
    uint32_t k = next_exit(run, from, region, run->search->graph.first_portal[region]);
    uint32_t next = k == LWI_NONE ? k : next_exit(run, from, region, k + 1);
    const bool is_special = region == run->query->to_region || has_links(run, region);
    const bool is_corridor = next == LWI_NONE && !is_special;
    if (steps > 0 && (!is_corridor || steps % STEPS_UNCOMPARED == 0)) {
      const lwi_end_lengths lengths = lwi_interval_lengths(&node->at);
      if (is_known_node(run, node, &lengths)) return;
      const float key = bound(run, &node->at, &lengths, region);
      if (!(key < run->best)) return;
      if (!is_better(run, key)) {
        offer(run, key, index);
        return;
      }
    }
    if (is_corridor) {
      if (k == LWI_NONE) return;
      const lwi_portal_line line = line_of(run, region, k);
      const int count = lwi_view_spread(&view, &line, out);
      if (count != 1) {
        keep_intervals(run, index, k, &line, out, count);
        return;
      }
      const lwi_interval_node ahead = {.at = out[0], .parent = index, .portal = k, .from = region};
      index = add_node(run, &ahead);
      continue;
    }
    if (region == run->query->to_region) reach_goal(run, index, &view);
    while (k != LWI_NONE && !run->failed) {
      const lwi_portal_line line = line_of(run, region, k);
      keep_intervals(run, index, k, &line, out, lwi_view_spread(&view, &line, out));
      k = next;
      if (k != LWI_NONE) next = next_exit(run, from, region, k + 1);
    }
    take_links(run, region, index, &view);
    return;
  }
}

/* --- the search ------------------------------------------------------------------------------------------- */

/* Mark the path out of the dead end that a goal lies in. */
static void mark_goal(lwi_interval_run *run, uint32_t region) {
  uint32_t at = lwi_origin_of(run->mesh, region);
  for (; at != LWI_NONE && run->scratch->marks[at] != run->scratch->stamp; at = run->tables->parents[at])
    run->scratch->marks[at] = run->scratch->stamp;
}

static void begin_landmarks(lwi_interval_run *run) {
  const lwi_reduction *tables = run->tables;
  if (tables->landmark_count == 0) return;
  const uint32_t goal = lwi_origin_of(run->mesh, run->query->to_region);
  run->goal_distances = tables->distances + (size_t)goal * LWI_LANDMARKS;
  run->goal_loss =
      (float)lwi_point2_distance(lwi_point2_of(run->query->to), lwi_polygon_middle(run->mesh, goal));
}

static lwi_step step_of(const lwi_interval_run *run, const lwi_interval_node *node) {
  const uint32_t number =
      is_link(node) ? 1 + (node->portal & ~A_LINK) : 1 + run->mesh->links.count + node->portal;
  lw_vec3 left, right;
  if (is_link(node)) return (lwi_step){number, region_of(run, node), run->mesh->links.items[number - 1].end};
  lwi_search_portal_ends(&run->search->graph, node->from, &run->search->graph.portals[node->portal], &left,
                         &right);
  return (lwi_step){number, region_of(run, node), lwi_lerp(left, right, 0.5F)};
}

static lw_status collect(lwi_interval_run *run, uint32_t last) {
  lwi_search *search = run->search;
  const lwi_interval_node *nodes = run->scratch->nodes;
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
static bool take_next(lwi_interval_run *run, lwi_heap_entry *entry) {
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

static lw_status search_on(lwi_interval_run *run) {
  lwi_search *search = run->search;
  lwi_heap_entry entry;
  while (!lwi_search_is_due(search)) {
    if (!take_next(run, &entry)) return run->failed ? LW_OUT_OF_MEMORY : LW_NO_PATH;
    if (entry.item & AT_GOAL) return collect(run, entry.item & ~AT_GOAL);
    if (search->expanded >= run->query->max_nodes) return LW_OUT_OF_NODES;
    if ((uint32_t)search->expanded / NODES_A_PORTAL > search->graph.portal_count) return LW_NO_PATH;
    search->expanded += 1;
    search->spent += 1;
    leave(run, entry.item);
    if (run->failed) return LW_OUT_OF_MEMORY;
  }
  return LW_UNFINISHED;
}

/* Get ready. @return false: no memory. */
static bool begin_run(lwi_interval_run *run, lwi_search *search, const lwi_search_query *query) {
  *run = (lwi_interval_run){.search = search,
                            .scratch = &search->intervals,
                            .query = query,
                            .mesh = query->graph->mesh,
                            .tables = lwi_reduction_of(query->graph->mesh),
                            .to = lwi_point2_of(query->to),
                            .base_portals = lwi_base_of(query->graph->mesh)->graph.portal_count,
                            .has_limits = !query->is_open,
                            .asks_corners =
                                !query->is_open || query->graph->mesh->graph.portal_count >
                                                       lwi_base_of(query->graph->mesh)->graph.portal_count,
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

static void leave_start(lwi_interval_run *run) {
  const uint32_t region = run->query->from_region;
  const lwi_point2 from = lwi_point2_of(run->query->from);
  const lwi_view view = {
      .from = {.root = from, .left = from, .right = from}, .free_left = true, .free_right = true};
  leave_point(run, region, &view.from, LWI_NONE);
  take_links(run, region, LWI_NONE, &view);
}

lw_status lwi_interval_search_run(lwi_search *search, const lwi_search_query *query) {
  lwi_interval_scratch *scratch = &search->intervals;
  if (!scratch->run) scratch->run = lwi_alloc(search->memory, sizeof *scratch->run);
  lwi_interval_run *run = scratch->run;
  if (!run || !begin_run(run, search, query)) return LW_OUT_OF_MEMORY;
  if (query->from_region == query->to_region) return LW_OK;
  mark_goal(run, query->to_region);
  begin_landmarks(run);
  leave_start(run);
  return run->failed ? LW_OUT_OF_MEMORY : search_on(run);
}

lw_status lwi_interval_search_go_on(lwi_search *search) {
  return search_on(search->intervals.run);
}
