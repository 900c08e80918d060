/* A* (Hart, Nilsson, Raphael 1968) over portals. Each portal is crossed where the straight line from its parent
   to the goal crosses it, or at the end nearest to that line: on open ground this follows the straight line,
   where edge midpoints zigzag. The point depends on the parent, so a closed node is opened again when a cheaper
   path to it is found. Where the price of a metre changes, the straight line is a poor guess: there the portal
   may also be crossed at the point nearest to the parent and at either end, which lets a path run along the
   border on its cheaper side. */
#include "search/search.h"
#include "search/watched_search.h"

#include "mesh/clearance.h"
#include "search/link_cost.h"

#include <string.h>

/* A path must be cheaper by more than rounding, or two nodes could open each other again for ever. */
#define BETTER 0.99999f
/* Prices that differ by no more than this part refract a path so little that one crossing point of a portal is
   enough: openness differs from polygon to polygon, and four points cost far more time than they save in
   cost. */
#define ALIKE 0.2f
/* The two sides of a portal differ in height, so that the triangle inequality holds up to this alone. [m] */
#define DOMINATED_SLACK 1e-3f

/* Polygons sampled for the average price of a metre. */
#define PRICE_SAMPLES 24
/* A fast search weights its heuristic (weighted A*, Pohl 1970): a metre that is left counts as the lowest price
   plus this many times the difference to the average one. */
#define FAST_WEIGHT 1.8f

#define GOAL 0

/* Limits on the dangers that paths out of one region are led round, by a search and by a fast one. */
#define MAX_ENTERED 32
#define FEW_ENTERED 4

/* Limit on the work of one search beside lanes: expansions that look for turning points, times the lanes in the
   polygon. Past it paths pay for the lanes that they cross. */
#define MAX_LANE_WORK 400000

/* The work for dangers and lanes, in lwi_cost_looks(), from which on a search is_frugal(). */
#define FRUGAL_FROM 200000

typedef struct lwi_expansion {
  lwi_search *search;
  const lwi_search_query *query;
  lwi_cost_model cost_model;
  bool costs_vary;   /* lwi_cost_varies() */
  bool use_estimate; /* lwi_cost_has_estimate() */
  bool fast;         /* closed nodes stay closed, for the heuristic may overestimate */
  float cost_limit;  /* paths that cost as much are dropped */
  /* Turning points that cost as much are dropped: `cost_limit` until a path reaches the goal, then the lowest
     cost of such paths below `cost_limit`; infinity while there is none. */
  float turn_limit;
  float heuristic_price; /* of each metre that is left [metre-equivalents] */
  bool failed;           /* out of memory */
  /* Past a limit on the work for dangers and lanes a search begins again without turning points round them, and
     crosses each portal at one point. */
  bool turns;
  bool gave_up;           /* past that limit */
  bool meets_regions;     /* there are dangers or lanes */
  uint64_t looks, pieces; /* lwi_cost_looks() and lwi_cost_pieces() when this search began */
  /* Where the path is likely to lead from the region that is being left; then the points to pass a danger ahead
     on its left and on its right. */
  uint32_t aim_count;
  lw_vec3 aims[3];
  bool few_turns; /* a fast search goes round few dangers, and does not aim past those ahead */
  int entered_count, max_entered;
  uint32_t entered[MAX_ENTERED]; /* outlines of the dangers that straight lines out of this region enter */
  bool enters_lane;              /* a straight line out of this region runs in a lane */
  int lane_work;                 /* see MAX_LANE_WORK */
  lwi_near_lanes near;
} expansion;

void lwi_search_free(lwi_search *search) {
  if (!search->memory) return;
  lwi_heap_free(&search->open, search->memory);
  lwi_shortcuts_free(&search->shortcuts, search->memory);
  lwi_hash_index_free(&search->numbers, search->memory);
  lwi_corridor_free(&search->corridor, search->memory);
  lwi_taut_scratch_free(&search->taut, search->memory);
  lwi_interval_scratch_free(&search->intervals, search->memory);
  lwi_point_scratch_free(&search->points, search->memory);
  lwi_watched_search_free(&search->watched);
  lwi_free(search->memory, search->nodes, search->node_count * sizeof *search->nodes);
  lwi_free(search->memory, search->entries, search->entry_count * sizeof *search->entries);
  lwi_free(search->memory, search->run, sizeof *search->run);
  *search = (lwi_search){0};
}

/* What is known of a node; NULL: nothing. */
static lwi_node *node_at(const lwi_search *search, uint32_t index) {
  if (index < search->place_base) return &search->nodes[index];
  const uint32_t number = lwi_hash_index_find(&search->numbers, index - search->place_base);
  return number == LWI_NO_ITEM ? NULL : &search->nodes[search->place_base + number];
}

/* The node of a turning point of which nothing is known. @return NULL: no memory. */
static lwi_node *make_node(lwi_search *search, uint32_t index) {
  const uint32_t number = (uint32_t)search->numbers.count, at = search->place_base + number;
  if (at >= search->node_count && !lwi_search_grow(search, at + number / 2 + 64)) return NULL;
  return lwi_hash_index_add(&search->numbers, search->memory, index - search->place_base, number)
             ? &search->nodes[at]
             : NULL;
}

/* --- relaxing a node -------------------------------------------------------------------------------------- */

/* Where the straight line crosses the portal in xz, or the end by which the detour is shortest. */
static lw_vec3 crossing(lw_vec3 from, lw_vec3 to, lw_vec3 left, lw_vec3 right) {
  double side_left = lwi_turn(from, to, left), side_right = lwi_turn(from, to, right);
  if (side_left > 0 && side_right < 0)
    return lwi_lerp(right, left, (float)(side_right / (side_right - side_left)));
  float by_left = lwi_distance(from, left) + lwi_distance(left, to);
  float by_right = lwi_distance(from, right) + lwi_distance(right, to);
  return by_left < by_right ? left : right;
}

static bool is_known(const lwi_search *search, const lwi_node *node) {
  return node && node->stamp >= search->stamp;
}
static bool is_closed(const lwi_search *search, const lwi_node *node) {
  return node->stamp > search->stamp;
}

static inline float estimate(const expansion *run, float g, lw_vec3 point) {
  return g + lwi_shortcuts_bound(&run->search->shortcuts, point) * run->heuristic_price;
}

/* The estimate of a known node is worked out again rather than stored: that keeps nodes small, and few are met
   twice. */
static bool relax(expansion *run, uint32_t index, uint32_t parent, lw_vec3 point, float g) {
  lwi_node *node = node_at(run->search, index);
  float f = estimate(run, g, point);
  if (is_known(run->search, node) &&
      (!(f < estimate(run, node->g, node->point) * BETTER) || (run->fast && is_closed(run->search, node))))
    return true;
  if (!(f < run->cost_limit)) return true;
  if (!node) node = make_node(run->search, index);
  if (!node) return false;
  *node = (lwi_node){.stamp = run->search->stamp, .parent = parent, .g = g, .point = point};
  return lwi_heap_push(&run->search->open, run->search->memory, f, index);
}

/* Whether entering the region at `point` for `g` is no better than how it was entered before: see lwi_entry. */
static bool is_dominated(const expansion *run, uint32_t index, lw_vec3 point, float g) {
  const lwi_entry *entry = &run->search->entries[index];
  if (entry->stamp != run->search->stamp) return false;
  float length = lwi_distance(entry->point, point) - DOMINATED_SLACK;
  return g >= entry->g + lwi_cost_upper_bound(&run->cost_model, lwi_region_polygon(&run->search->graph, index),
                                              length);
}

/* --- leaving a region ------------------------------------------------------------------------------------- */

/* A region that is being left. */
typedef struct departure {
  uint32_t region, node; /* `node`: by which it was entered */
  uint32_t came_from;    /* the region before it; LWI_NONE: it was entered over a link */
  bool at_place;         /* the node is a turning point */
  lw_vec3 point;         /* where it was entered */
  float g, price;
  bool costs_vary; /* lwi_cost_varies_in() */
} departure;

static void note_outline(expansion *run, uint32_t part) {
  for (int i = 0; i < run->entered_count; i++)
    if (run->entered[i] == part) return;
  if (run->entered_count < run->max_entered)
    run->entered[run->entered_count++] = part;
  else if (!run->few_turns)
    run->search->reduced = true;
}

/* Note the dangers and lanes on the straight line to `at`, whose cost was asked for last, to try paths round them. */
static void note_entered(expansion *run, const departure *from, uint32_t polygon, lw_vec3 at) {
  const lwi_timed_costs *dangers = run->cost_model.dangers, *lanes = run->cost_model.lanes;
  if (!run->search->turned) return;
  if (lwi_timed_first(dangers, polygon) != LWI_NONE)
    for (int i = 0; i < dangers->scratch->entered_count; i++) note_outline(run, dangers->scratch->met[i]);
  run->enters_lane = run->enters_lane || lwi_lanes_price(lanes, polygon, from->point, at) > 0;
}

/* The cost of the straight line to `at` within the region. */
static float varying_cost_to(expansion *run, const departure *from, lw_vec3 at) {
  uint32_t polygon = lwi_region_polygon(&run->search->graph, from->region);
  float cost = run->use_estimate ? lwi_cost_estimate(&run->cost_model, polygon, from->point, at)
                                 : lwi_cost_of_piece_sum(&run->cost_model, polygon, from->point, at);
  run->failed = run->failed || cost < 0;
  if (cost > lwi_cost_lower_bound(&run->cost_model, polygon, lwi_distance(from->point, at)))
    note_entered(run, from, polygon, at);
  return cost;
}
static inline float cost_to(expansion *run, const departure *from, lw_vec3 at) {
  return from->costs_vary ? varying_cost_to(run, from, at) : lwi_distance(from->point, at) * from->price;
}
/* Whether the node's cost may improve, going by the price of the ground alone. */
static inline bool may_improve(expansion *run, const departure *from, uint32_t index, lw_vec3 at) {
  const lwi_node *node = node_at(run->search, index);
  if (!is_known(run->search, node)) return true;
  return from->g + lwi_distance(from->point, at) * from->price < node->g;
}

/* Whether the straight line keeps clear of walls. Lines between portals are cleared later, those to turning
   points are not. */
static bool is_clear(const expansion *run, const departure *from, lw_vec3 to) {
  return lwi_clearance_is_free(run->query->clearance, lwi_region_polygon(&run->search->graph, from->region),
                               from->point, to, LWI_CLEAR_SLACK);
}

/* Whether a path over there may still cost less than the limit. */
static bool may_lead_on(expansion *run, const departure *from, lw_vec3 at) {
  return estimate(run, from->g + lwi_distance(from->point, at) * from->price, at) < run->turn_limit;
}

/* Whether to ask for the costs of just those lines that may matter. Others count while there is little work: what
   they enter is noted, too. */
static bool is_frugal(const expansion *run) {
  return run->cost_model.dangers &&
         (!run->turns || run->few_turns || lwi_cost_looks(&run->cost_model) - run->looks > FRUGAL_FROM);
}

static bool cross_at(expansion *run, const departure *from, uint32_t portal, uint32_t which, lw_vec3 at) {
  const lwi_graph *graph = &run->search->graph;
  if (from->at_place && !is_clear(run, from, at)) return true;
  uint32_t node = 1 + graph->mesh->links.count + which * graph->portal_count + portal;
  if (run->use_estimate && !may_improve(run, from, node, at)) return true;
  if (run->meets_regions && (run->cost_model.lanes || is_frugal(run)) &&
      !(may_improve(run, from, node, at) && may_lead_on(run, from, at)))
    return true;
  float g = from->g + cost_to(run, from, at);
  if (is_dominated(run, graph->portals[portal].to, at, g)) return true;
  return relax(run, node, from->node, at, g);
}

/* At its nearest point, at its ends, and where costs vary at points between them. */
static bool cross_elsewhere(expansion *run, const departure *from, uint32_t k, bool costs_vary, lw_vec3 left,
                            lw_vec3 right) {
  if (!lwi_search_add_points(run->search, costs_vary ? LWI_WATCHED_POINTS : LWI_POINTS)) return false;
  if (!cross_at(run, from, k, 1, lwi_nearest_on(right, left, from->point)) ||
      !cross_at(run, from, k, 2, left) || !cross_at(run, from, k, 3, right))
    return false;
  for (uint32_t which = LWI_POINTS; which < LWI_WATCHED_POINTS && costs_vary; which++)
    if (!cross_at(run, from, k, which, lwi_lerp(left, right, 0.25f * (float)(which - LWI_POINTS + 1))))
      return false;
  return true;
}

/* The start may lie on the portal, or by rounding just behind it. */
static lw_vec3 nearest_at_start(lw_vec3 start, lw_vec3 at, lw_vec3 left, lw_vec3 right) {
  lw_vec3 nearest = lwi_nearest_on(right, left, start);
  return lwi_distance_xz(nearest, start) <= lwi_rounding(start) ? nearest : at;
}

/* Where a metre costs this many times the cheapest, a detour of the crossings may hide a better path: all points are tried. */
#define COSTLY 1.5f

static bool cross_portal(expansion *run, const departure *from, uint32_t k) {
  const lwi_graph *graph = &run->search->graph;
  const lwi_portal *portal = &graph->portals[k];
  float behind = lwi_price_behind(run->query->cost_model.prices, graph, portal);
  if (behind == INFINITY) return true;
  bool costs_vary =
      run->costs_vary &&
      (from->costs_vary || lwi_cost_varies_in(&run->cost_model, lwi_region_polygon(graph, portal->to)));
  /* Back to the region before pays only where that is costlier ground to cross, or where costs vary. */
  if (portal->to == from->came_from && behind <= from->price * (1 + ALIKE) && !costs_vary) return true;
  lw_vec3 left, right;
  lwi_graph_points(graph, from->region, portal, &left, &right);
  for (uint32_t i = 0; i < run->aim_count; i++) {
    lw_vec3 at = crossing(from->point, run->aims[i], left, right);
    if (from->node == LWI_NONE) at = nearest_at_start(from->point, at, left, right);
    if (!cross_at(run, from, k, i == 0 ? 0 : LWI_WATCHED_POINTS - 1 + i, at)) return false;
  }
  bool alike = fabsf(behind - from->price) <= ALIKE * fminf(behind, from->price);
  run->search->prices_differ = run->search->prices_differ || behind != from->price || costs_vary;
  costs_vary = costs_vary && run->turns;
  if (alike && !costs_vary && from->price <= run->query->cost_model.prices->lowest * COSTLY) return true;
  return run->fast || cross_elsewhere(run, from, k, costs_vary && !run->use_estimate, left, right);
}

static bool take_link(expansion *run, const departure *from, uint32_t k) {
  const lwi_graph *graph = &run->search->graph;
  const lwi_link *link = &graph->mesh->links.items[k];
  const uint32_t to = lwi_region_over_link(run->query->cost_model.prices, graph, from->region, k);
  if (to == LWI_NONE) return true;
  if (from->at_place && !is_clear(run, from, link->start)) return true;
  float g = from->g + cost_to(run, from, link->start);
  const lwi_node *node = node_at(run->search, 1 + k);
  if (is_known(run->search, node) && g + lwi_cost_of_link_bound(&run->cost_model, link) >= node->g) return true;
  const float cost = lwi_cost_of_link(&run->cost_model, link);
  run->failed = run->failed || cost < 0;
  g += cost;
  if (is_dominated(run, to, link->end, g)) return true;
  return relax(run, 1 + k, from->node, link->end, g);
}

static bool take_links(expansion *run, const departure *from) {
  const lw_navmesh *mesh = run->search->graph.mesh;
  if (!mesh->links.first) return true;
  uint32_t polygon = lwi_region_polygon(&run->search->graph, from->region);
  for (uint32_t k = mesh->links.first[polygon]; k < mesh->links.end[polygon]; k++)
    if (!take_link(run, from, k)) return false;
  return true;
}

/* Whether a large agent can turn there. Turning points belong to polygons, and a polygon may hold several
   regions. */
static bool is_free_region(const expansion *run, const lwi_outline_point *place) {
  return place->portal == LWI_NONE && lwi_next_region(&run->search->graph, place->polygon) == LWI_NONE;
}

/* To a turning point. The cost of the line to it is expensive, so that it is asked for only where it may
   matter. */
static bool turn_at(expansion *run, const departure *from, uint32_t node) {
  const lwi_outline_point *place = lwi_node_place(run->search, node);
  if (!may_improve(run, from, node, place->point) || !may_lead_on(run, from, place->point)) return true;
  if (run->query->clearance && !(is_free_region(run, place) && is_clear(run, from, place->point))) return true;
  float g = from->g + cost_to(run, from, place->point);
  if (place->portal != LWI_NONE) {
    const lwi_portal *portal = &run->search->graph.portals[place->portal];
    if (lwi_price_behind(run->query->cost_model.prices, &run->search->graph, portal) == INFINITY) return true;
    if (is_dominated(run, portal->to, place->point, g)) return true;
  }
  return relax(run, node, from->node, place->point, g);
}

/* A lane may be entered and left anywhere: it costs by the metre. */
static bool turn_along(expansion *run, const departure *from, const lwi_outline_part *part) {
  for (uint32_t i = part->first_place; i < part->first_place + part->place_count; i++)
    if (!turn_at(run, from, run->search->lane_base + i)) return false;
  return true;
}

/* To the turning points beside the nearest lanes. */
static bool go_along(expansion *run, const departure *from) {
  const lwi_timed_costs *lanes = run->cost_model.lanes;
  uint32_t polygon = lwi_region_polygon(&run->search->graph, from->region);
  const int count = lwi_near_lanes_find(&run->near, lanes, polygon, from->point);
  run->lane_work += count;
  run->search->reduced = run->search->reduced || count > run->near.count;
  run->cost_model.lanes = lwi_near_lanes_crossed(&run->near, lanes, polygon, from->point);
  bool good = true;
  for (int i = 0; i < run->near.count && good; i++)
    good = turn_along(run, from, &lanes->outlines->parts[run->near.parts[i]]);
  run->cost_model.lanes = lanes;
  return good;
}

/* Round the dangers that straight lines enter, to either side, and along lanes. The lines to the turning points
   may enter others, which are noted on the way. */
static bool go_round(expansion *run, const departure *from) {
  const bool goes_along = run->enters_lane && run->lane_work < MAX_LANE_WORK;
  run->search->reduced = run->search->reduced || goes_along != run->enters_lane;
  if (goes_along && !go_along(run, from)) return false;
  for (int i = 0; i < run->entered_count; i++) {
    uint32_t turns[2];
    lwi_danger_turns(run->cost_model.dangers, run->entered[i], from->point, turns);
    for (int side = 0; side < 2; side++)
      if (turns[side] != LWI_NONE && !turn_at(run, from, run->search->place_base + turns[side])) return false;
  }
  return true;
}

/* What is noted of dangers and lanes while a region is left, and where to aim at to pass a danger ahead. */
static void begin_turns(expansion *run, const departure *from) {
  const lwi_timed_costs *dangers = run->query->cost_model.dangers;
  run->entered_count = 0;
  run->enters_lane = false;
  if (dangers && run->turns && !run->few_turns)
    run->aim_count = lwi_dangers_pass(dangers, from->point, run->aims[0], run->aims + 1) ? 3 : 1;
}

static bool reach_goal(expansion *run, const departure *from) {
  const lw_vec3 to = run->query->to;
  if (from->at_place && !is_clear(run, from, to)) return true;
  if (!relax(run, GOAL, from->node, to, from->g + cost_to(run, from, to))) return false;
  const lwi_node *goal = &run->search->nodes[GOAL];
  run->turn_limit = is_known(run->search, goal) ? estimate(run, goal->g, goal->point) : INFINITY;
  return true;
}

/* Relax every portal, link and turning point out of the region. */
static bool expand(expansion *run, departure from) {
  const lwi_graph *graph = &run->search->graph;
  const lwi_search_query *query = run->query;
  if (is_dominated(run, from.region, from.point, from.g)) return true;
  run->search->entries[from.region] = (lwi_entry){run->search->stamp, from.g, from.point};
  from.price = lwi_price_in(query->cost_model.prices, graph, from.region);
  from.costs_vary =
      run->costs_vary && lwi_cost_varies_in(&run->cost_model, lwi_region_polygon(graph, from.region));
  if (run->search->shortcuts.count > 0)
    run->aims[0] = lwi_shortcuts_aim(&run->search->shortcuts, from.point,
                                     graph->mesh->graph.islands[lwi_region_polygon(graph, from.region)]);
  if (run->meets_regions) begin_turns(run, &from);
  if (from.region == query->to_region && !reach_goal(run, &from)) return false;
  for (uint32_t k = graph->first_portal[from.region]; k < graph->end_portal[from.region]; k++)
    if (!cross_portal(run, &from, k)) return false;
  return take_links(run, &from) && (!run->meets_regions || go_round(run, &from)) && !run->failed;
}

/* --- the search ------------------------------------------------------------------------------------------- */

/* @param inner_places  Turning points become steps inside their regions, as paths that keep clear of walls take
   them. */
static lw_status collect(lwi_search *search, bool inner_places) {
  int count = 0;
  for (uint32_t at = search->nodes[GOAL].parent; at != LWI_NONE; at = node_at(search, at)->parent) count += 1;
  if (!lwi_reserve(search->memory, &search->corridor.steps, &search->corridor.capacity, count,
                   sizeof *search->corridor.steps))
    return LW_OUT_OF_MEMORY;
  search->corridor.count = count;
  for (uint32_t at = search->nodes[GOAL].parent; at != LWI_NONE; at = node_at(search, at)->parent)
    search->corridor.steps[--count] =
        (lwi_step){inner_places && lwi_node_place(search, at) ? LWI_NODE_INNER : at,
                   lwi_search_region(search, at), node_at(search, at)->point};
  return LW_OK;
}

/* The region before the node; LWI_NONE: it is a link. */
static uint32_t region_before(const lwi_search *search, const lwi_search_query *query, uint32_t node,
                              uint32_t parent) {
  if (lwi_node_link(&search->graph, node)) return LWI_NONE;
  return parent == LWI_NONE ? query->from_region : lwi_search_region(search, parent);
}

static void begin(lwi_search *search) {
  search->open.count = 0;
  search->corridor.count = 0;
  lwi_hash_index_clear(&search->numbers);
  search->prices_differ = false;
  search->stamp += 2;
  if (search->stamp > 0) return;
  memset(search->nodes, 0, search->node_count * sizeof *search->nodes);
  memset(search->entries, 0, search->entry_count * sizeof *search->entries);
  search->stamp = 2;
}

/* The harmonic mean over some of the polygons, so that half of them cheap counts as cheap. */
static float average_price(const lwi_graph *graph, const lwi_prices *prices) {
  uint32_t count = lwi_base_count(graph->mesh), step = count / PRICE_SAMPLES + 1;
  float sum = 0, samples = 0;
  for (uint32_t i = 0; i < count; i += step) {
    lwi_part_walk walk = lwi_parts_of(graph->mesh, i);
    uint32_t part;
    float price = lwi_next_part(&walk, &part) ? lwi_price_on(prices, graph->mesh, part) : INFINITY;
    sum += price < INFINITY ? 1 / price : 0;
    samples += price < INFINITY ? 1 : 0;
  }
  return samples > 0 ? samples / sum : prices->lowest;
}

static expansion make_expansion(lwi_search *search, const lwi_search_query *query, bool turns) {
  expansion run = {
      .search = search,
      .query = query,
      .aim_count = 1,
      .aims = {query->to},
      .cost_model = query->cost_model,
      .turns = turns,
  };
  run.fast = query->quality == LW_QUALITY_FAST;
  run.cost_limit = run.turn_limit = query->cost_limit > 0 ? query->cost_limit : INFINITY;
  run.heuristic_price = query->cost_model.prices->lowest;
  if (run.fast)
    run.heuristic_price +=
        FAST_WEIGHT * (average_price(&search->graph, query->cost_model.prices) - run.heuristic_price);
  run.few_turns = run.fast && !query->cost_model.watch;
  run.max_entered = run.few_turns ? FEW_ENTERED : MAX_ENTERED;
  run.costs_vary = lwi_cost_varies(&run.cost_model);
  run.use_estimate = lwi_cost_has_estimate(&run.cost_model);
  run.meets_regions = run.cost_model.dangers || run.cost_model.lanes;
  run.looks = lwi_cost_looks(&run.cost_model);
  run.pieces = lwi_cost_pieces(&run.cost_model);
  return run;
}

/* What it takes to expand a node besides, in lwi_cost_looks(). */
#define LOOKS_A_NODE 100
/* The mean work for a piece of the path, in lwi_cost_looks(), where some and where many regions overlap. */
#define SOME 40
#define MANY 100

/* The limit on the work for dangers and lanes. The more dangers overlap, the less it helps to turn round one. */
static uint64_t limit_of_work(const expansion *run, uint64_t looks) {
  const uint64_t pieces = lwi_cost_pieces(&run->cost_model) - run->pieces;
  if (!run->cost_model.dangers) return looks > MANY * pieces ? 300000 : 1200000;
  if (looks > MANY * pieces) return 80000;
  return looks > SOME * pieces ? 420000 : 700000;
}

/* Whether the search should leave turning points out. */
static bool is_too_much(const expansion *run) {
  const uint64_t looks = lwi_cost_looks(&run->cost_model) - run->looks;
  return run->turns && looks + LOOKS_A_NODE * (uint64_t)run->search->expanded > limit_of_work(run, looks);
}

/* Expand a node that was taken from the heap. */
static bool expand_node(expansion *run, uint32_t index) {
  lwi_search *search = run->search;
  const lwi_watch *watch = run->query->cost_model.watch;
  const lwi_node *node = node_at(search, index);
  const departure from = {
      .region = lwi_search_region(search, index),
      .came_from = region_before(search, run->query, index, node->parent),
      .node = index,
      .at_place = lwi_node_place(search, index) != NULL,
      .point = node->point,
      .g = node->g,
  };
  const uint64_t looks = watch ? watch->scratch->looks : 0;
  const bool good = expand(run, from);
  search->expanded += 1;
  search->spent += 1 + (watch ? LWI_WORK_A_LOOK * (watch->scratch->looks - looks) : 0);
  return good;
}

static lw_status search_on(expansion *run) {
  lwi_search *search = run->search;
  lwi_heap_entry entry;
  while (search->open.count > 0) {
    if (lwi_search_is_due(search)) return LW_UNFINISHED;
    lwi_heap_pop(&search->open, &entry);
    lwi_node *node = node_at(search, entry.item);
    if (is_closed(search, node)) continue; /* closed: it had a lower key since this entry was pushed */
    if (entry.item == GOAL) return collect(search, run->query->clearance != NULL);
    if (search->expanded >= run->query->max_nodes) return LW_OUT_OF_NODES;
    run->gave_up = run->meets_regions && is_too_much(run);
    if (run->gave_up) return LW_OUT_OF_NODES;
    node->stamp += 1;
    if (!expand_node(run, entry.item)) return LW_OUT_OF_MEMORY;
  }
  return LW_NO_PATH;
}

static lw_status start(lwi_search *search, const lwi_search_query *query, bool turns) {
  begin(search);
  search->turned = search->place_base != LWI_NONE && turns;
  *search->run = make_expansion(search, query, turns);
  const departure from = {
      .region = query->from_region, .came_from = LWI_NONE, .node = LWI_NONE, .point = query->from};
  if (!expand(search->run, from)) return LW_OUT_OF_MEMORY;
  search->expanded += 1;
  search->spent += 1;
  return search_on(search->run);
}

/* A search that gave up begins again without turning points. */
static lw_status unless_it_gave_up(lwi_search *search, lw_status status) {
  if (!search->run->gave_up) return status;
  search->reduced = true;
  return start(search, search->run->query, false);
}

lw_status lwi_search_run(lwi_search *search, const lwi_search_query *query) {
  search->graph = *query->graph;
  search->expanded = 0;
  if (!search->run) search->run = lwi_alloc(search->memory, sizeof *search->run);
  if (!search->run || !lwi_search_reserve(search, query)) return LW_OUT_OF_MEMORY;
  if (!lwi_shortcuts_begin(&search->shortcuts, search->memory, search->graph.mesh, query->cost_model.prices,
                           query->to, lwi_region_polygon(&search->graph, query->to_region)))
    return LW_OUT_OF_MEMORY;
  return unless_it_gave_up(search, start(search, query, true));
}

lw_status lwi_search_go_on(lwi_search *search) {
  return unless_it_gave_up(search, search_on(search->run));
}

float lwi_search_corridor_cost(const lwi_search *search, const lwi_search_query *query) {
  const lwi_cost_model *cost_model = &query->cost_model;
  lw_vec3 at = query->from;
  uint32_t region = query->from_region;
  float sum = 0;
  for (int i = 0; i <= search->corridor.count; i++) {
    bool is_last = i == search->corridor.count;
    const lwi_link *link = is_last ? NULL : lwi_search_link(search, i);
    lw_vec3 to = is_last ? query->to : link ? link->start : lwi_search_crossing(search, i);
    float cost = lwi_cost_over_ground(cost_model, lwi_region_polygon(&search->graph, region), at, to);
    if (cost < 0) return cost;
    sum += cost;
    const float over = link ? lwi_cost_of_link(cost_model, link) : 0;
    if (over < 0) return over;
    sum += over;
    if (is_last) break;
    at = search->corridor.steps[i].point;
    region = search->corridor.steps[i].region;
  }
  return sum;
}
