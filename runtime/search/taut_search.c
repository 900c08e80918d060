#include "search/taut_search.h"

#include "mesh/intervals.h"
#include "mesh/reduction.h"
#include "search/taut_run.h"
#include "search/link_cost.h"
#include "search/taut_funnel.h"
#include "search/taut_portals.h"

/* Nodes for each portal, after which the search gives up: far more than any level takes. */
#define NODES_A_PORTAL 64
/* Among obstacles the bound on what is left has up to this much more weight than 1 (weighted A*, Pohl 1970): it is far below
   what is left there. Paths may be longer by this part, but mostly are by a tenth of it, and take half the nodes. */
#define MORE_WEIGHT 0.05F
/* It has all of that weight where this part of the portals lies between pieces that obstacles have left. */
#define WEIGHTED_PORTALS 0.25F
/* The length of another corridor to a portal must be below this part of the known one, for all that lies behind the portal is
   searched again... */
#define BETTER 0.9999F
/* ...which is smaller by this much of the weight beyond 1. */
#define BETTER_BY_WEIGHT 0.04F
/* A turn that makes a path longer by less than this part may be due to rounding. */
#define TURNED 1.001F
/* As many regions with one exit are passed before a corridor is compared with those that came there before. */
#define STEPS_UNCOMPARED 256

typedef lwi_taut_run taut_run;

/* --- memory ----------------------------------------------------------------------------------------------- */

void lwi_taut_scratch_free(lwi_taut_scratch *scratch, lwi_memory *memory) {
  lwi_free(memory, scratch->nodes, (size_t)scratch->node_capacity * sizeof *scratch->nodes);
  lwi_free(memory, scratch->corners, (size_t)scratch->corner_capacity * sizeof *scratch->corners);
  lwi_free(memory, scratch->entries, scratch->entry_count * sizeof *scratch->entries);
  lwi_free(memory, scratch->portals, scratch->portal_count * sizeof *scratch->portals);
  lwi_uniform_scratch_free(&scratch->common, memory);
  lwi_band_free(&scratch->band, memory);
  lwi_free(memory, scratch->line, (size_t)scratch->line_capacity * sizeof *scratch->line);
  lwi_free(memory, scratch->staged, sizeof *scratch->staged);
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

/* Lower bounds on lengths of paths through a portal into a region. */
typedef struct taut_bounds {
  float whole, left; /* of all of the path, and from the portal to the goal [m] */
} taut_bounds;

/* A path to a point of the portal is shorter than that to an end by no more than what lies between them, and what is left from
   the point than from the middle likewise. */
static float bound_at_ends(const lwi_taut_corner *left, const lwi_taut_corner *right) {
  return lwi_min(left->g, right->g) - 0.5F * lwi_distance(left->at, right->at);
}

/* Where a link may be shorter than the straight line. */
static taut_bounds bounds_over_links(const taut_run *run, const lwi_taut_corner *left,
                                     const lwi_taut_corner *right) {
  const lw_vec3 middle = lwi_lerp(left->at, right->at, 0.5F);
  const float rest = lwi_shortcuts_bound(&run->common.search->shortcuts, middle);
  return (taut_bounds){bound_at_ends(left, right) + rest, rest};
}

static taut_bounds bounds_of(const taut_run *run, const lwi_taut_node *node, uint32_t region) {
  const lwi_taut_corner *corners = run->scratch->corners, *apex = &corners[node->funnel.apex];
  const lwi_taut_corner *left = &corners[node->funnel.left], *right = &corners[node->funnel.right];
  if (run->has_short_links) return bounds_over_links(run, left, right);
  if (run->targets) return (taut_bounds){bound_of_portal(apex, left->at, right->at), 0};
  const bool is_behind = lwi_taut_funnel_turn(right->at, left->at, run->to) <= 0;
  const float length = is_behind ? lwi_taut_funnel_reach(corners, &node->funnel, run->to)
                                 : bound_back(apex, left->at, right->at, run->to);
  const lw_vec3 middle = lwi_lerp(left->at, right->at, 0.5F);
  const float straight = run->more_weight > 0 ? lwi_distance(middle, run->to) : 0;
  if (!run->common.goal.landmarks || lwi_taut_is_link(node)) return (taut_bounds){length, straight};
  const float rest = lwi_taut_rest(run, node->portal, region, middle);
  return (taut_bounds){lwi_max(length, bound_at_ends(left, right) + rest), lwi_max(straight, rest)};
}

/* The key of a node in the heap. @param lower  Without weight: no path by way of the node is shorter. [m] */
static float key_of(const taut_run *run, const lwi_taut_node *node, uint32_t region, float lower) {
  const taut_bounds bounds = bounds_of(run, node, region);
  return run->more_weight > 0 ? bounds.whole + run->more_weight * bounds.left : lwi_max(lower, bounds.whole);
}

/* --- nodes ------------------------------------------------------------------------------------------------ */

static inline bool is_no_shorter(const taut_run *run, lwi_taut_ends ends, lwi_taut_ends known) {
  return ends.left >= known.left * run->better && ends.right >= known.right * run->better;
}

/* Whether a corridor to a portal is shorter to neither end than a corridor before. Else it is noted. Between the ends it
   may be the shortest even where it is longer than one to this end, than another to that. On cut ground, where many
   corridors lead past each obstacle, these two count as one. */
static bool is_beaten(const taut_run *run, const lwi_taut_node *node) {
  const lwi_taut_corner *corners = run->scratch->corners;
  lwi_taut_entry *entry = &run->scratch->entries[node->portal];
  const lwi_taut_ends ends = {corners[node->funnel.left].g, corners[node->funnel.right].g};
  if (entry->stamp != run->scratch->common.stamp) {
    *entry = (lwi_taut_entry){run->scratch->common.stamp, ends, ends};
    return false;
  }
  const lwi_taut_ends best = {entry->by_left.left, entry->by_right.right};
  if (run->is_cut ? is_no_shorter(run, ends, best)
                  : is_no_shorter(run, ends, entry->by_left) || is_no_shorter(run, ends, entry->by_right))
    return true;
  if (ends.left < entry->by_left.left) entry->by_left = ends;
  if (ends.right < entry->by_right.right) entry->by_right = ends;
  return false;
}

/* Do paths to an end of a portal turn at the apex? An end that is the apex counts as one that they turn to: all
   other places of the portal then lie towards its other end. */
static inline bool turns_towards(const lwi_taut_corner *before, const lwi_taut_corner *apex, lw_vec3 end) {
  return lwi_equal(end, apex->at) || lwi_distance(before->at, apex->at) + lwi_distance(apex->at, end) >
                                         lwi_distance(before->at, end) * TURNED;
}

/* Do all paths through a portal turn at a place where no wall is? Then shorter ones lead past its other side. */
static bool turns_beside_no_wall(const taut_run *run, const lwi_taut_funnel *funnel) {
  const lwi_taut_corner *corners = run->scratch->corners, *apex = &corners[funnel->apex];
  if (apex->may_turn || apex->before == LWI_NONE) return false;
  const lwi_taut_corner *before = &corners[apex->before];
  return turns_towards(before, apex, corners[funnel->left].at) &&
         turns_towards(before, apex, corners[funnel->right].at);
}

/* Let there be space for the two corners that a portal may add. @return false: no memory. */
static inline bool reserve_corners(taut_run *run) {
  lwi_taut_scratch *scratch = run->scratch;
  const bool good = lwi_reserve(run->common.memory, &scratch->corners, &scratch->corner_capacity,
                                (int)scratch->corner_count + 2, sizeof *scratch->corners);
  run->common.failed = run->common.failed || !good;
  return good;
}

/* Let there be space for one more node and its corners. @return false: no memory. */
static inline bool reserve_node(taut_run *run) {
  lwi_taut_scratch *scratch = run->scratch;
  const bool good = lwi_reserve(run->common.memory, &scratch->nodes, &scratch->node_capacity,
                                scratch->node_count + 1, sizeof *scratch->nodes);
  run->common.failed = run->common.failed || !good;
  return good && reserve_corners(run);
}

/* Where paths may turn at the ends of a portal. */
static inline unsigned turns_of(const taut_run *run, uint32_t k) {
  return run->knows_corners ? run->common.tables->turns[k] : LWI_TURNS_LEFT | LWI_TURNS_RIGHT;
}

/* Lead a funnel through a portal of a region. There is space for two more corners. */
static inline __attribute__((always_inline)) void lead(taut_run *run, lwi_taut_funnel *funnel, uint32_t region,
                                                       uint32_t k) {
  lwi_taut_scratch *scratch = run->scratch;
  lw_vec3 left, right;
  lwi_taut_ends_of(run, region, k, &left, &right);
  uint32_t corner_count = scratch->corner_count;
  lwi_taut_funnel_lead(scratch->corners, &corner_count, funnel, left, right, run->slack2);
  scratch->corner_count = corner_count;
  const unsigned turns = turns_of(run, k);
  scratch->corners[funnel->left].may_turn |= (turns & LWI_TURNS_LEFT) != 0;
  scratch->corners[funnel->right].may_turn |= (turns & LWI_TURNS_RIGHT) != 0;
}

/* A new node at a portal of the region behind a funnel. @return NULL: no memory. */
static lwi_taut_node *make_node(taut_run *run, const lwi_taut_funnel *before, uint32_t parent, uint32_t region,
                                uint32_t k) {
  if (!reserve_node(run)) return NULL;
  lwi_taut_funnel funnel = *before;
  lead(run, &funnel, region, k);
  lwi_taut_node *node = &run->scratch->nodes[run->scratch->node_count];
  *node = (lwi_taut_node){
      .funnel = funnel, .parent = parent, .portal = k, .from = region, .first = k, .first_from = region};
  return node;
}

static bool is_in_band(const taut_run *run, const lwi_taut_node *node) {
  const lwi_taut_corner *corners = run->scratch->corners;
  return lwi_band_meets(run->band, corners[node->funnel.left].at, corners[node->funnel.right].at);
}

/* Keep the newest node, unless it is of no use. @param lower  No path by way of it is shorter. [m]
   @param corners  As many as there were before it. */
static void keep_node(taut_run *run, const lwi_taut_node *node, float lower, uint32_t corners) {
  if (!turns_beside_no_wall(run, &node->funnel) && !is_beaten(run, node)) {
    float key = key_of(run, node, run->common.graph->portals[node->portal].to, lower);
    if (run->band && key < run->best && !is_in_band(run, node)) key += run->beside;
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
  const float length = length_to(run, node, run->to),
              key = run->more_weight > 0 ? length : lwi_max(lower, length);
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
  run->scratch->corners[run->scratch->corner_count] = (lwi_taut_corner){.at = at, .g = g, .before = LWI_NONE};
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
  if (entry->stamp == run->scratch->common.stamp && g >= entry->by_left.left * BETTER) return;
  *entry = (lwi_taut_entry){run->scratch->common.stamp, {g, g}, {g, g}};
  if (!reserve_node(run)) return;
  const uint32_t index = (uint32_t)run->scratch->node_count, corner = put_corner(run, link->end, g);
  lwi_taut_node *at = &run->scratch->nodes[index];
  *at = (lwi_taut_node){.funnel = {corner, corner, corner},
                        .parent = node,
                        .portal = LWI_UNIFORM_LINK | number,
                        .from = LWI_NONE,
                        .first = LWI_UNIFORM_LINK | number,
                        .first_from = LWI_NONE};
  const float key = key_of(run, at, link->to, lower);
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

/* Does but one portal lead on from the region behind a portal, where paths neither end nor take links?
   @param[out] by  The exits of the region. */
static bool has_one_exit(const taut_run *run, uint32_t from, uint32_t portal, uint32_t region, lwi_exits *by) {
  *by = lwi_uniform_exits(&run->common, from, portal, region);
  return by->first != LWI_NONE && by->second == LWI_NONE && !lwi_uniform_has_links(&run->common, region) &&
         !is_goal(run, region);
}

/* Lead a funnel through a portal of a region that is passed: only corners of walls constrain it there.
   @return false: it does not end at the portal. */
static bool lead_past(taut_run *run, lwi_taut_funnel *funnel, uint32_t region, uint32_t k) {
  const unsigned both = LWI_TURNS_LEFT | LWI_TURNS_RIGHT;
  const unsigned turns = turns_of(run, k) & both;
  if (turns == both) {
    lead(run, funnel, region, k);
    return true;
  }
  if (turns == 0) return false;
  lwi_taut_scratch *scratch = run->scratch;
  lw_vec3 left, right;
  lwi_taut_ends_of(run, region, k, &left, &right);
  uint32_t count = scratch->corner_count;
  if (turns == LWI_TURNS_LEFT) {
    funnel->left = lwi_taut_funnel_lead_side(scratch->corners, &count, funnel, true, left, run->slack2);
    scratch->corners[funnel->left].may_turn = true;
  } else {
    funnel->right = lwi_taut_funnel_lead_side(scratch->corners, &count, funnel, false, right, run->slack2);
    scratch->corners[funnel->right].may_turn = true;
  }
  scratch->corner_count = count;
  return false;
}

/* Lead a node on while there is but one exit. It is not compared with others on the way. @param[out] by  The
   exits of the region that it then leads into. @return false: no memory. */
static bool lead_on(taut_run *run, lwi_taut_node *node, lwi_exits *by) {
  bool is_there = true;
  uint32_t region = lwi_uniform_region(&run->common, node->portal);
  for (int steps = 0; has_one_exit(run, node->from, node->portal, region, by); steps++) {
    if (steps == STEPS_UNCOMPARED) break; /* it may lead round and round */
    if (!reserve_corners(run)) return false;
    is_there = lead_past(run, &node->funnel, region, by->first);
    node->portal = by->first;
    node->from = region;
    node->passed += 1;
    region = run->common.graph->portals[by->first].to;
  }
  if (is_there) return true;
  if (!reserve_corners(run)) return false;
  lead(run, &node->funnel, node->from, node->portal);
  return true;
}

static void leave_by_all(taut_run *run, uint32_t index, uint32_t region, lwi_exits by, float lower) {
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

/* Leave the region behind a node. */
static void leave(taut_run *run, uint32_t index, float lower) {
  lwi_taut_node *node = &run->scratch->nodes[index];
  const uint32_t begin = node->portal;
  float key = lower;
  lwi_exits by;
  if (!lwi_taut_is_link(node) && !lead_on(run, node, &by)) return; /* links are left from where they end */
  const uint32_t region = lwi_uniform_region(&run->common, node->portal);
  if (node->portal != begin) {
    key = key_of(run, node, region, lower);
    if (!lwi_uniform_is_next(&run->common, key)) {
      lwi_uniform_offer(&run->common, key, index);
      return;
    }
  }
  if (run->targets)
    reach_targets(run, index, region);
  else if (region == run->common.query->to_region)
    reach_goal(run, index, key);
  if (lwi_taut_is_link(node))
    leave_point(run, region, node->funnel.apex, index, key);
  else
    leave_by_all(run, index, region, by, key);
  take_links(run, region, index, key);
}

/* --- the search ------------------------------------------------------------------------------------------- */

/* The step over a portal of a region, or over a link. */
static lwi_step step_over(const taut_run *run, uint32_t from, uint32_t portal) {
  const uint32_t links = run->common.mesh->links.count, region = lwi_uniform_region(&run->common, portal);
  if (portal >= LWI_UNIFORM_LINK) {
    const uint32_t number = portal & ~LWI_UNIFORM_LINK;
    return (lwi_step){1 + number, region, run->common.mesh->links.items[number].end};
  }
  lw_vec3 left, right;
  lwi_taut_ends_of(run, from, portal, &left, &right);
  return (lwi_step){1 + links + portal, region, lwi_lerp(left, right, 0.5F)};
}

/* The steps to a node from its parent. @param[out] steps  [node->passed + 1] */
static void collect_to(const taut_run *run, const lwi_taut_node *node, lwi_step *steps) {
  uint32_t from = node->first_from, portal = node->first;
  lwi_exits by;
  for (int i = 0; i < node->passed; i++) {
    steps[i] = step_over(run, from, portal);
    has_one_exit(run, from, portal, steps[i].region, &by);
    from = steps[i].region;
    portal = by.first;
  }
  steps[node->passed] = step_over(run, from, portal);
}

lw_status lwi_taut_collect(const lwi_taut_run *run, uint32_t last) {
  lwi_search *search = run->common.search;
  const lwi_taut_node *nodes = run->scratch->nodes;
  int count = 0;
  for (uint32_t at = last; at != LWI_NONE; at = nodes[at].parent) count += 1 + nodes[at].passed;
  if (!lwi_reserve(search->memory, &search->corridor.steps, &search->corridor.capacity, count,
                   sizeof *search->corridor.steps))
    return LW_OUT_OF_MEMORY;
  search->corridor.count = count;
  for (uint32_t at = last; at != LWI_NONE; at = nodes[at].parent) {
    count -= 1 + nodes[at].passed;
    collect_to(run, &nodes[at], search->corridor.steps + count);
  }
  return LW_OK;
}

/* Lower bound on what is left to the goal from a place in a region. [m] */
static float left_from(const taut_run *run, uint32_t region, lw_vec3 at) {
  const float straight = lwi_distance(at, run->to);
  const lwi_landmarks *landmarks = run->common.goal.landmarks;
  if (!landmarks) return straight;
  const lwi_landmark_place from =
      lwi_landmark_place_of(run->common.mesh, lwi_origin_of(run->common.mesh, region), at);
  return lwi_max(straight, lwi_landmark_bound_between(landmarks, &from, &run->common.goal.place));
}

lw_status lwi_taut_search_nearest(lwi_search *search, lwi_search_query *query) {
  if (search->taut.staged->stage == LWI_TAUT_BAKED) return LW_NO_PATH; /* its places are not of this navmesh */
  taut_run *run = &search->taut.staged->run;
  if (run->looked_at == 0) run->left = left_from(run, query->from_region, query->from);
  for (; run->looked_at < run->scratch->node_count; run->looked_at++) {
    const lwi_taut_node *node = &run->scratch->nodes[run->looked_at];
    const lwi_step step = step_over(run, node->from, node->portal);
    const float left = left_from(run, step.region, step.point);
    if (!(left < run->left)) continue;
    run->left = left;
    run->nearest = (uint32_t)run->looked_at;
  }
  if (run->nearest == LWI_NONE) return LW_NO_PATH;
  const lwi_taut_node *nearest = &run->scratch->nodes[run->nearest];
  const lwi_step last = step_over(run, nearest->from, nearest->portal);
  query->to = last.point;
  query->to_region = last.region;
  return lwi_taut_collect(run, run->nearest);
}

lw_status lwi_taut_search_on(lwi_taut_run *run, int nodes) {
  lwi_search *search = run->common.search;
  lwi_heap_entry entry;
  while (!lwi_search_is_due(search) && search->expanded < nodes) {
    if (!lwi_uniform_take(&run->common, &entry)) return run->common.failed ? LW_OUT_OF_MEMORY : LW_NO_PATH;
    run->last = entry.item & ~LWI_AT_GOAL;
    if (entry.item & LWI_AT_GOAL) return LW_OK;
    if (search->expanded >= run->common.query->max_nodes) return LW_OUT_OF_NODES;
    if ((uint32_t)search->expanded / NODES_A_PORTAL > lwi_uniform_portals(&run->common)) return LW_NO_PATH;
    search->expanded += 1;
    search->spent += 1;
    leave(run, entry.item, entry.key);
    if (run->common.failed) return LW_OUT_OF_MEMORY;
  }
  return LW_UNFINISHED;
}

static float more_weight_of(const lwi_uniform_run *run) {
  const float own = (float)run->mesh->live.own_portals, all = (float)lwi_uniform_portals(run);
  return own > 0 ? MORE_WEIGHT * lwi_min(1, own / (WEIGHTED_PORTALS * all)) : 0;
}

bool lwi_taut_begin(lwi_taut_run *run, lwi_search *search, const lwi_search_query *query) {
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
  run->is_cut = lwi_uniform_is_cut(&run->common);
  run->more_weight = more_weight_of(&run->common);
  run->better = BETTER - BETTER_BY_WEIGHT * run->more_weight;
  run->knows_corners = query->is_open && !run->is_cut;
  return is_ready && (!run->is_cut || lwi_taut_reserve_portals(run));
}

static void leave_start(taut_run *run) {
  if (!reserve_node(run)) return;
  leave_point(run, run->common.query->from_region, put_corner(run, run->common.query->from, 0), LWI_NONE, 0);
  take_links(run, run->common.query->from_region, LWI_NONE, 0);
}

bool lwi_taut_leave(lwi_taut_run *run) {
  const lwi_search_query *query = run->common.query;
  lwi_search *search = run->common.search;
  lwi_uniform_set_goal(&run->common, query->to_region, query->to);
  run->has_short_links = query->has_short_links;
  if (run->has_short_links &&
      !lwi_shortcuts_begin(&search->shortcuts, search->memory, run->common.mesh, run->common.prices, query->to,
                           lwi_region_polygon(run->common.graph, query->to_region)))
    return false;
  leave_start(run);
  return !run->common.failed;
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
  if (!lwi_taut_begin(&run, search, query)) return false;
  run.more_weight = 0;
  run.better = BETTER;
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
