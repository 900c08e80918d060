#include "search/interval_search.h"

#include "mesh/reduction.h"
#include "search/link_cost.h"
#include "search/search.h"

/* Nodes for each portal, after which the search gives up: far more than any level takes. */
#define NODES_A_PORTAL 64
/* An interval is compared with at most that number of known ones of its portal, the newest first. */
#define COMPARED 16
/* Another path to a link must be shorter by this part to count. */
#define BETTER 0.999999F

typedef struct lwi_interval_run {
  lwi_uniform_run common;
  lwi_interval_scratch *scratch;
  lwi_point2 to;
  float best;        /* the shortest path to the goal so far [m] */
  bool asks_corners; /* tables do not know all corners */
} lwi_interval_run;

/* As many steps along a corridor, and paths are compared with those that came there before. */
#define STEPS_UNCOMPARED 16

static bool is_link(const lwi_interval_node *node) {
  return node->portal >= LWI_UNIFORM_LINK;
}

/* --- memory ----------------------------------------------------------------------------------------------- */

void lwi_interval_scratch_free(lwi_interval_scratch *scratch, lwi_memory *memory) {
  lwi_free(memory, scratch->nodes, (size_t)scratch->node_capacity * sizeof *scratch->nodes);
  lwi_free(memory, scratch->entries, scratch->entry_count * sizeof *scratch->entries);
  lwi_uniform_scratch_free(&scratch->common, memory);
  lwi_free(memory, scratch->run, sizeof *scratch->run);
  *scratch = (lwi_interval_scratch){0};
}

/* --- bounds ----------------------------------------------------------------------------------------------- */

/* Lower bound on the length of the whole path through an interval of a node's portal. [m] */
static float bound(const lwi_interval_run *run, const lwi_interval_node *node, const lwi_end_lengths *lengths) {
  const lwi_taut_interval *at = &node->at;
  const double direct = at->g + (lengths->left > at->g || lengths->right > at->g
                                     ? lwi_interval_bound(at, run->to)
                                     : lwi_point2_distance(at->root, run->to)); /* from the end of a link */
  if (!run->common.goal.landmarks || is_link(node)) return (float)direct;
  const lwi_portal *portal = &run->common.graph->portals[node->portal];
  lw_vec3 left, right;
  lwi_search_portal_ends(run->common.graph, node->from, portal, &left, &right);
  const lw_vec3 middle = lwi_lerp(left, right, 0.5F);
  const float rest = lwi_landmark_left(&run->common.goal, node->portal, portal->to, middle);
  /* A path to a point of the interval is shorter than that to an end by no more than what lies between them, and what is
     left from the point than from the middle likewise. */
  const lwi_point2 from = lwi_point2_of(middle);
  const double before = lwi_smaller(lengths->left - lwi_point2_distance(at->left, from),
                                    lengths->right - lwi_point2_distance(at->right, from));
  return (float)lwi_larger(direct, before + (double)rest);
}

/* --- nodes ------------------------------------------------------------------------------------------------ */

/* A new node. @return LWI_NONE: no memory. */
static uint32_t add_node(lwi_interval_run *run, const lwi_interval_node *node) {
  lwi_interval_scratch *scratch = run->scratch;
  if (scratch->node_count == scratch->node_capacity &&
      !lwi_reserve(run->common.search->memory, &scratch->nodes, &scratch->node_capacity,
                   scratch->node_count + scratch->node_count / 2 + 16, sizeof *scratch->nodes)) {
    run->common.failed = true;
    return LWI_NONE;
  }
  scratch->nodes[scratch->node_count] = *node;
  return (uint32_t)scratch->node_count++;
}

static lwi_interval_entry *entry_of(const lwi_interval_run *run, uint32_t k) {
  return &run->scratch->entries[k];
}

/* Let intervals that come later be compared with a node. */
static void list_node(lwi_interval_run *run, uint32_t index) {
  lwi_interval_node *node = &run->scratch->nodes[index];
  if (is_link(node)) return;
  lwi_interval_entry *entry = entry_of(run, node->portal);
  node->before = entry->newest;
  entry->newest = index;
}

/* Keep a node, unless no path by way of it is shorter than a known one. Bounds on the way to it do not count: a path may
   come back round its root to where another one leads straight. */
static void keep_node(lwi_interval_run *run, const lwi_interval_node *node, const lwi_end_lengths *lengths) {
  const float key = bound(run, node, lengths);
  if (!(key < run->best)) return;
  const uint32_t index = add_node(run, node);
  if (index == LWI_NONE) return;
  list_node(run, index);
  lwi_uniform_offer(&run->common, key, index);
}

/* Was an interval reached before, or one of the same root that it lies in? Past a crack of no width paths of equal length
   lead on both sides: each would double the number of intervals behind it. */
static bool is_known(const lwi_interval_run *run, uint32_t k, const lwi_portal_line *line,
                     const lwi_taut_interval *at, const lwi_end_lengths *lengths) {
  lwi_interval_entry *entry = entry_of(run, k);
  if (entry->met.stamp != run->scratch->common.stamp) entry->newest = LWI_NONE;
  uint32_t other = entry->newest;
  for (int i = 0; i < COMPARED && other != LWI_NONE; i++) {
    const lwi_interval_node *node = &run->scratch->nodes[other];
    if (lwi_interval_lies_in(at, &node->at)) return true;
    other = node->before;
  }
  return lwi_portal_meet(&entry->met, run->scratch->common.stamp, line, at, lengths);
}

static void reach_goal(lwi_interval_run *run, uint32_t node, const lwi_view *view) {
  const float key = (float)lwi_view_reach(view, run->to);
  if (!(key < run->best)) return;
  run->best = key;
  lwi_uniform_offer(&run->common, key, LWI_AT_GOAL | node);
}

/* --- portals ---------------------------------------------------------------------------------------------- */

static inline lwi_portal_line line_of(const lwi_interval_run *run, uint32_t region, uint32_t k) {
  lw_vec3 left, right;
  lwi_search_portal_ends(run->common.graph, region, &run->common.graph->portals[k], &left, &right);
  /* Whether the others are corners is asked where it counts: is_corner(). */
  const unsigned turns = run->asks_corners ? LWI_TURNS_LEFT | LWI_TURNS_RIGHT : run->common.tables->turns[k];
  return (lwi_portal_line){lwi_point2_of(left), lwi_point2_of(right), (turns & LWI_TURNS_LEFT) != 0,
                           (turns & LWI_TURNS_RIGHT) != 0};
}

/* --- leaving a region ------------------------------------------------------------------------------------- */

/* From a point, through all portals of its region. @param parent  The node of the link that ends there; LWI_NONE: it is the
   start. */
static void leave_point(lwi_interval_run *run, uint32_t region, const lwi_taut_interval *start,
                        uint32_t parent) {
  const lwi_graph *graph = run->common.graph;
  for (uint32_t k = graph->first_portal[region]; k < graph->end_portal[region] && !run->common.failed; k++) {
    if (!lwi_uniform_may_enter(&run->common, region, k)) continue;
    const lwi_portal_line line = line_of(run, region, k);
    const lwi_interval_node node = {
        .at = {start->root, line.left, line.right, start->g, line.turns_left, line.turns_right, 0},
        .parent = parent,
        .portal = k,
        .from = region};
    const lwi_end_lengths lengths = lwi_interval_lengths(&node.at);
    if (!is_known(run, k, &line, &node.at, &lengths)) keep_node(run, &node, &lengths);
  }
}

/* Take a link from the region behind a node. @param g  Length of the path to where it begins. [m] */
static void take_link(lwi_interval_run *run, uint32_t number, uint32_t parent, double to_start) {
  const lwi_link *link = &run->common.mesh->links.items[number];
  const lwi_search_query *query = run->common.query;
  if (!lwi_is_there(run->common.mesh, link->to) ||
      lwi_link_price(run->common.mesh, link, query->cost_model.prices) == INFINITY)
    return;
  const double g = to_start + (double)(lwi_cost_of_link(&query->cost_model, link) / run->common.price);
  lwi_portal_entry *entry = &entry_of(run, run->common.graph->portal_count + number)->met;
  if (entry->stamp == run->scratch->common.stamp && (float)g >= entry->left * BETTER) return;
  *entry = (lwi_portal_entry){.stamp = run->scratch->common.stamp, .left = (float)g};
  const lwi_point2 end = lwi_point2_of(link->end);
  const lwi_interval_node node = {.at = {.root = end, .left = end, .right = end, .g = g},
                                  .parent = parent,
                                  .portal = LWI_UNIFORM_LINK | number,
                                  .from = LWI_NONE};
  const lwi_end_lengths lengths = {g, g};
  keep_node(run, &node, &lengths);
}

/* Take the links that leave a region. @param node  By which it was entered. @param view  From there. */
static void take_links(lwi_interval_run *run, uint32_t region, uint32_t node, const lwi_view *view) {
  const lwi_mesh_links *links = &run->common.mesh->links;
  if (!links->first) return;
  for (uint32_t i = links->first[region]; i < links->end[region] && !run->common.failed; i++)
    take_link(run, i, node, lwi_view_reach(view, lwi_point2_of(links->items[i].start)));
}

/* Keep those of the intervals of a portal that may be better than what came there before. */
static void keep_intervals(lwi_interval_run *run, uint32_t parent, uint32_t k, const lwi_portal_line *line,
                           const lwi_taut_interval *all, int count) {
  const uint32_t region = lwi_uniform_region(&run->common, run->scratch->nodes[parent].portal);
  for (int i = 0; i < count && !run->common.failed; i++) {
    const lwi_end_lengths lengths = lwi_interval_lengths(&all[i]);
    if (is_known(run, k, line, &all[i], &lengths)) continue;
    const lwi_interval_node node = {.at = all[i], .parent = parent, .portal = k, .from = region};
    keep_node(run, &node, &lengths);
  }
}

/* Leave a region by the end of a link. */
static void leave_link(lwi_interval_run *run, uint32_t index, uint32_t region) {
  const lwi_view view = {.from = run->scratch->nodes[index].at, .free_left = true, .free_right = true};
  if (region == run->common.query->to_region) reach_goal(run, index, &view);
  leave_point(run, region, &view.from, index);
  take_links(run, region, index, &view);
}

static bool is_known_node(lwi_interval_run *run, const lwi_interval_node *node,
                          const lwi_end_lengths *lengths) {
  const lwi_portal_line line = line_of(run, node->from, node->portal);
  return is_known(run, node->portal, &line, &node->at, lengths);
}

/* Whether paths may turn at an end of a node's portal. */
static bool is_corner(const lwi_interval_run *run, const lwi_interval_node *node, bool is_left) {
  const unsigned turns = is_left ? LWI_TURNS_LEFT : LWI_TURNS_RIGHT;
  if (node->portal < run->common.base_portals && (run->common.tables->turns[node->portal] & turns)) return true;
  return lwi_reduction_is_corner(run->common.mesh, &run->common.query->cost_model.prices->filter, node->from,
                                 node->portal, is_left);
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
  for (int steps = 0; !run->common.failed; steps++) {
    const lwi_interval_node *node = &run->scratch->nodes[index];
    const uint32_t region = lwi_uniform_region(&run->common, node->portal), from = node->from;
    if (is_link(node)) {
      leave_link(run, index, region);
      return;
    }
    const lwi_view view = view_from(run, node);
    const bool is_special =
        region == run->common.query->to_region || lwi_uniform_has_links(&run->common, region);
    const lwi_exits exits = lwi_uniform_exits(&run->common, from, node->portal, region);
    uint32_t k = exits.first, next = exits.second;
    const bool is_corridor = next == LWI_NONE && !is_special;
    if (steps > 0 && (!is_corridor || steps % STEPS_UNCOMPARED == 0)) {
      const lwi_end_lengths lengths = lwi_interval_lengths(&node->at);
      if (is_known_node(run, node, &lengths)) return;
      const float key = bound(run, node, &lengths);
      if (!(key < run->best)) return;
      list_node(run, index);
      if (!lwi_uniform_is_next(&run->common, key)) {
        lwi_uniform_offer(&run->common, key, index);
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
    if (region == run->common.query->to_region) reach_goal(run, index, &view);
    while (k != LWI_NONE && !run->common.failed) {
      const lwi_portal_line line = line_of(run, region, k);
      keep_intervals(run, index, k, &line, out, lwi_view_spread(&view, &line, out));
      k = next;
      if (k != LWI_NONE) next = lwi_uniform_next_exit(&run->common, from, region, k + 1);
    }
    take_links(run, region, index, &view);
    return;
  }
}

/* --- the search ------------------------------------------------------------------------------------------- */

static lwi_step step_of(const lwi_interval_run *run, const lwi_interval_node *node) {
  const uint32_t number =
      is_link(node) ? 1 + (node->portal & ~LWI_UNIFORM_LINK) : 1 + run->common.mesh->links.count + node->portal;
  lw_vec3 left, right;
  if (is_link(node))
    return (lwi_step){number, lwi_uniform_region(&run->common, node->portal),
                      run->common.mesh->links.items[number - 1].end};
  lwi_search_portal_ends(run->common.graph, node->from, &run->common.graph->portals[node->portal], &left,
                         &right);
  return (lwi_step){number, lwi_uniform_region(&run->common, node->portal), lwi_lerp(left, right, 0.5F)};
}

static lw_status collect(lwi_interval_run *run, uint32_t last) {
  lwi_search *search = run->common.search;
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

static lw_status search_on(lwi_interval_run *run) {
  lwi_search *search = run->common.search;
  lwi_heap_entry entry;
  while (!lwi_search_is_due(search)) {
    if (!lwi_uniform_take(&run->common, &entry)) return run->common.failed ? LW_OUT_OF_MEMORY : LW_NO_PATH;
    if (entry.item & LWI_AT_GOAL) return collect(run, entry.item & ~LWI_AT_GOAL);
    if (search->expanded >= run->common.query->max_nodes) return LW_OUT_OF_NODES;
    if ((uint32_t)search->expanded / NODES_A_PORTAL > lwi_uniform_portals(&run->common)) return LW_NO_PATH;
    search->expanded += 1;
    search->spent += 1;
    leave(run, entry.item);
    if (run->common.failed) return LW_OUT_OF_MEMORY;
  }
  return LW_UNFINISHED;
}

/* Get ready. @return false: no memory. */
static bool begin_run(lwi_interval_run *run, lwi_search *search, const lwi_search_query *query) {
  lwi_interval_scratch *scratch = &search->intervals;
  void *items = scratch->entries;
  const lwi_uniform_entries entries = {&scratch->common, &items, &scratch->entry_count,
                                       sizeof *scratch->entries};
  *run = (lwi_interval_run){.scratch = scratch, .to = lwi_point2_of(query->to), .best = INFINITY};
  const bool is_ready = lwi_uniform_begin(&run->common, search, query, &entries);
  scratch->entries = items;
  scratch->node_count = 0;
  /* What is cut may have become what may not be entered, too. */
  run->common.has_limits = !query->is_open || lwi_uniform_is_cut(&run->common);
  run->asks_corners = run->common.has_limits;
  return is_ready;
}

static void leave_start(lwi_interval_run *run) {
  const uint32_t region = run->common.query->from_region;
  const lwi_point2 from = lwi_point2_of(run->common.query->from);
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
  lwi_uniform_set_goal(&run->common, query->to_region, query->to);
  leave_start(run);
  return run->common.failed ? LW_OUT_OF_MEMORY : search_on(run);
}

lw_status lwi_interval_search_go_on(lwi_search *search) {
  return search_on(search->intervals.run);
}
