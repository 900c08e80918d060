/* Fixed points on portals (Steiner points: Lanthier, Maheshwari and Sack 1997), in the regions near a found
   path alone: there its cost is a tight bound on what is worth expanding. Where exactly the path crosses each
   portal is settled later by the taut path; the points need only be dense enough to choose the right
   portals. */
#include "search/refinement.h"

#include "mesh/clearance.h"
#include "search/link_cost.h"

#include <math.h>
#include <string.h>

/* --- memory ----------------------------------------------------------------------------------------------- */

/* Regions up to this number of portals off the path are searched, or more while they are few. */
#define LAYERS 2
#define MAX_LAYERS 7
#define FEW_REGIONS 120
/* From point to point of a portal [m], and the limit on those between its ends; there is at least one. */
#define SPACING 1.5f
/* The same where dangers and lanes make the search long: past the first of these limits on lwi_cost_looks() it
   begins again with fewer points, past the second it gives up. */
#define WIDE_SPACING 6.0f
#define LOOKS_LIMIT 500000
#define WIDE_LOOKS_LIMIT 600000
#define POINTS_MAX 9
/* A path must be cheaper by more than rounding. */
#define BETTER 0.99999f
/* A straight line replaces lattice steps where it costs no more but for rounding. */
#define STRAIGHTER 1.0005f

#define GOAL 0

static void free_arrays(lwi_refinement *refinement) {
  lwi_memory *memory = refinement->memory;
  lwi_heap_free(&refinement->open, memory);
  lwi_free(memory, refinement->layers, refinement->region_count * sizeof *refinement->layers);
  lwi_free(memory, refinement->known, refinement->arc_count * sizeof *refinement->known);
  lwi_free(memory, refinement->transition_of, refinement->arc_count * sizeof *refinement->transition_of);
  lwi_free(memory, refinement->looked_in, refinement->region_count * sizeof *refinement->looked_in);
  lwi_free(memory, refinement->inside_of, refinement->region_count * sizeof *refinement->inside_of);
  lwi_free(memory, refinement->insides, (size_t)refinement->inside_capacity * sizeof *refinement->insides);
  lwi_free(memory, refinement->queue, (size_t)refinement->queue_capacity * sizeof *refinement->queue);
  lwi_free(memory, refinement->transitions,
           (size_t)refinement->transition_capacity * sizeof *refinement->transitions);
  lwi_free(memory, refinement->points, (size_t)refinement->point_capacity * sizeof *refinement->points);
  *refinement = (lwi_refinement){.memory = memory, .run = refinement->run};
}

static bool make_numbers(lwi_memory *memory, uint32_t **numbers, uint32_t count) {
  *numbers = lwi_alloc_zero(memory, count * sizeof **numbers);
  return *numbers != NULL;
}

static bool make_stamps(lwi_refinement *refinement, uint32_t regions, uint32_t arcs) {
  if (refinement->region_count >= regions && refinement->arc_count >= arcs) return true;
  free_arrays(refinement);
  lwi_memory *memory = refinement->memory;
  refinement->region_count = regions;
  refinement->arc_count = arcs;
  if (make_numbers(memory, &refinement->layers, regions) &&
      make_numbers(memory, &refinement->looked_in, regions) &&
      make_numbers(memory, &refinement->inside_of, regions) && make_numbers(memory, &refinement->known, arcs) &&
      make_numbers(memory, &refinement->transition_of, arcs))
    return true;
  free_arrays(refinement);
  return false;
}

static bool begin(lwi_refinement *refinement, const lwi_graph *graph) {
  uint32_t step = MAX_LAYERS + 1;
  const uint32_t arcs = graph->portal_count + graph->mesh->links.count;
  if (!make_stamps(refinement, graph->region_count, arcs > 0 ? arcs : 1))
    return false; /* a single region has no arc */
  if (refinement->stamp > UINT32_MAX - 2 * step) {
    memset(refinement->layers, 0, refinement->region_count * sizeof *refinement->layers);
    memset(refinement->known, 0, refinement->arc_count * sizeof *refinement->known);
    memset(refinement->looked_in, 0, refinement->region_count * sizeof *refinement->looked_in);
    refinement->stamp = 0;
  }
  refinement->stamp += step;
  refinement->transition_count = refinement->point_count = refinement->inside_count = refinement->open.count =
      0;
  return true;
}

/* --- which regions ---------------------------------------------------------------------------------------- */

static bool is_in(const lwi_refinement *refinement, uint32_t region) {
  return refinement->layers[region] >= refinement->stamp;
}

static bool add_region(lwi_refinement *refinement, uint32_t region, uint32_t layer, int *count) {
  if (is_in(refinement, region)) return true;
  if (!lwi_reserve(refinement->memory, &refinement->queue, &refinement->queue_capacity, *count + 1,
                   sizeof *refinement->queue))
    return false;
  refinement->layers[region] = refinement->stamp + layer;
  refinement->queue[(*count)++] = region;
  return true;
}

static bool add_regions(lwi_refinement *refinement, const lwi_search *search, const lwi_search_query *query) {
  const lwi_graph *graph = &search->graph;
  int count = 0;
  if (!add_region(refinement, query->from_region, 0, &count)) return false;
  for (int i = 0; i < search->corridor.count; i++)
    if (!add_region(refinement, search->corridor.steps[i].region, 0, &count)) return false;
  for (int i = 0; i < count; i++) {
    uint32_t region = refinement->queue[i], layer = refinement->layers[region] - refinement->stamp;
    if (layer == MAX_LAYERS || (layer >= LAYERS && count >= FEW_REGIONS)) break;
    for (uint32_t k = graph->first_portal[region]; k < graph->end_portal[region]; k++) {
      uint32_t to = graph->portals[k].to;
      if (lwi_price_behind(query->cost_model.prices, graph, &graph->portals[k]) < INFINITY &&
          !add_region(refinement, to, layer + 1, &count))
        return false;
    }
  }
  return true;
}

/* --- transitions ------------------------------------------------------------------------------------------ */

typedef struct lwi_refinement_run {
  lwi_refinement *refinement;
  lwi_search *search;
  const lwi_graph *graph;
  const lwi_search_query *query;
  lwi_cost_model cost_model;
  bool costs_vary;   /* lwi_cost_varies() */
  bool use_estimate; /* lwi_cost_has_estimate() */
  bool failed;       /* out of memory */
  float cost_limit;
  float spacing; /* of the points on portals [m] */
  uint64_t looks_limit;
  bool gave_up; /* at that limit on the work for dangers and lanes */
} refinement_run;

void lwi_refinement_free(lwi_refinement *refinement) {
  if (!refinement->memory) return;
  free_arrays(refinement);
  lwi_free(refinement->memory, refinement->run, sizeof *refinement->run);
  refinement->run = NULL;
}

static bool add_point(lwi_refinement *refinement, lw_vec3 at, uint32_t transition) {
  if (!lwi_reserve(refinement->memory, &refinement->points, &refinement->point_capacity,
                   refinement->point_count + 1, sizeof *refinement->points))
    return false;
  refinement->points[refinement->point_count++] =
      (lwi_refinement_point){at, INFINITY, LWI_NONE, transition, false, false};
  return true;
}

/* @return Its index; LWI_NONE: no memory. */
static uint32_t add_transition(lwi_refinement *refinement, const lwi_transition *transition) {
  if (!lwi_reserve(refinement->memory, &refinement->transitions, &refinement->transition_capacity,
                   refinement->transition_count + 1, sizeof *refinement->transitions))
    return LWI_NONE;
  refinement->transitions[refinement->transition_count] = *transition;
  return (uint32_t)refinement->transition_count++;
}

static void set_known(lwi_refinement *refinement, uint32_t arc, uint32_t transition) {
  refinement->known[arc] = refinement->stamp;
  refinement->transition_of[arc] = transition;
}

static uint32_t add_portal(const refinement_run *run, uint32_t region, uint32_t k) {
  lwi_refinement *refinement = run->refinement;
  const lwi_graph *graph = run->graph;
  lw_vec3 left, right;
  lwi_graph_points(graph, region, &graph->portals[k], &left, &right);
  uint32_t twin = lwi_graph_twin(graph, region, k, left, right), base = 1 + graph->mesh->links.count;
  int steps = (int)fminf(POINTS_MAX + 1, fmaxf(2, ceilf(lwi_distance(left, right) / run->spacing)));
  lwi_transition transition = {.regions = {region, graph->portals[k].to},
                               .nodes = {base + k, twin == LWI_NONE ? LWI_NONE : base + twin},
                               .first = (uint32_t)refinement->point_count,
                               .count = (uint32_t)steps + 1};
  uint32_t index = add_transition(refinement, &transition), polygon = lwi_region_polygon(graph, region);
  for (int i = 0; i <= steps && index != LWI_NONE; i++) {
    lw_vec3 at = lwi_lerp(left, right, (float)i / (float)steps);
    at.y = lwi_polygon_height(graph->mesh, polygon, at.x, at.z);
    if (!add_point(refinement, at, index)) return LWI_NONE;
  }
  if (index == LWI_NONE) return LWI_NONE;
  set_known(refinement, k, index);
  if (twin != LWI_NONE) set_known(refinement, twin, index);
  return index;
}

static uint32_t add_link(lwi_refinement *refinement, const lwi_graph *graph, uint32_t k) {
  lwi_link_regions regions = lwi_graph_link_regions(graph, k);
  lwi_transition transition = {.regions = {regions.from, regions.to},
                               .nodes = {1 + k, LWI_NONE},
                               .first = (uint32_t)refinement->point_count,
                               .count = 1};
  uint32_t index = add_transition(refinement, &transition);
  if (index == LWI_NONE || !add_point(refinement, graph->mesh->links.items[k].end, index)) return LWI_NONE;
  set_known(refinement, graph->portal_count + k, index);
  return index;
}

/* The transition of an arc, added when it is first asked for. NULL: no memory. */
static const lwi_transition *transition_of(refinement_run *run, uint32_t region, uint32_t arc) {
  lwi_refinement *refinement = run->refinement;
  const lwi_graph *graph = run->graph;
  uint32_t index = refinement->transition_of[arc];
  if (refinement->known[arc] != refinement->stamp)
    index = arc < graph->portal_count ? add_portal(run, region, arc)
                                      : add_link(refinement, graph, arc - graph->portal_count);
  run->failed = run->failed || index == LWI_NONE;
  return index == LWI_NONE ? NULL : &refinement->transitions[index];
}

/* Whether the straight line keeps clear of walls. Lines between portals are cleared later; those from or to
   lattice points are not. */
static bool is_clear(const refinement_run *run, uint32_t region, lw_vec3 from, lw_vec3 to) {
  return lwi_clearance_is_free(run->query->clearance, lwi_region_polygon(run->graph, region), from, to,
                               LWI_CLEAR_SLACK);
}

static bool add_inside(refinement_run *run, uint32_t region, const lwi_lattice *inside) {
  lwi_refinement *refinement = run->refinement;
  int count = inside->columns * inside->rows;
  if (!lwi_reserve(refinement->memory, &refinement->insides, &refinement->inside_capacity,
                   refinement->inside_count + 1, sizeof *refinement->insides))
    return false;
  lwi_transition transition = {.regions = {region, region},
                               .nodes = {LWI_NODE_INNER, LWI_NODE_INNER},
                               .first = (uint32_t)refinement->point_count,
                               .count = (uint32_t)count};
  refinement->insides[refinement->inside_count++] = (lwi_inner_region){*inside, transition.first};
  uint32_t index = add_transition(refinement, &transition);
  for (int i = 0; i < count && index != LWI_NONE; i++) {
    lw_vec3 at;
    bool is_in = lwi_lattice_point(inside, i, &at);
    if (!add_point(refinement, at, index)) return false;
    refinement->points[refinement->point_count - 1].closed = !is_in || !is_clear(run, region, at, at);
  }
  return index != LWI_NONE;
}

/* The lattice of a region, added when it is first asked for. NULL: it has none, or no memory. */
static const lwi_inner_region *inside_of(refinement_run *run, uint32_t region) {
  lwi_refinement *refinement = run->refinement;
  if (!run->use_estimate) return NULL;
  if (refinement->looked_in[region] != refinement->stamp) {
    const lwi_lattice inside = lwi_lattice_of(&run->cost_model, lwi_region_polygon(run->graph, region),
                                              lwi_distance(run->query->from, run->query->to));
    refinement->looked_in[region] = refinement->stamp;
    refinement->inside_of[region] = inside.columns > 0 ? (uint32_t)refinement->inside_count : LWI_NONE;
    if (inside.columns > 0 && !add_inside(run, region, &inside)) run->failed = true;
  }
  return run->failed || refinement->inside_of[region] == LWI_NONE
             ? NULL
             : &refinement->insides[refinement->inside_of[region]];
}

/* --- the search ------------------------------------------------------------------------------------------- */

/* A point that is being left for the others of its region. */
typedef struct departure {
  uint32_t region, point; /* LWI_NONE: the start */
  bool inside;            /* a lattice point */
  lw_vec3 at;
  float g, price;
} departure;

static uint32_t node_of(const lwi_refinement *refinement, uint32_t point) {
  if (point == LWI_NONE) return LWI_NONE;
  if (point == GOAL) return 0;
  const lwi_refinement_point *of = &refinement->points[point];
  return refinement->transitions[of->transition].nodes[of->from_second];
}

static void relax(refinement_run *run, const departure *from, uint32_t index, float g, bool second) {
  lwi_refinement_point *point = &run->refinement->points[index];
  if (point->closed || !(g < point->g * BETTER)) return;
  float f = g + lwi_shortcuts_bound(&run->search->shortcuts, point->at) * run->query->cost_model.prices->lowest;
  if (!(f < run->cost_limit)) return;
  point->g = g;
  point->parent = from->point;
  point->from_second = second;
  run->failed = !lwi_heap_push(&run->refinement->open, run->refinement->memory, f, index) || run->failed;
}

static float cost_to(refinement_run *run, const departure *from, lw_vec3 to) {
  if (!run->costs_vary) return lwi_distance(from->at, to) * from->price;
  uint32_t polygon = lwi_region_polygon(run->graph, from->region);
  if (run->use_estimate) return lwi_cost_estimate(&run->cost_model, polygon, from->at, to);
  float cost = lwi_cost_of_piece_sum(&run->cost_model, polygon, from->at, to);
  run->failed = run->failed || cost < 0;
  return cost;
}

static void go_to(refinement_run *run, const departure *from, uint32_t index, uint32_t node, bool second) {
  const lwi_refinement_point *point = &run->refinement->points[index];
  if (point->closed || from->g + lwi_distance(from->at, point->at) * from->price >= point->g) return;
  if ((from->inside || node == LWI_NODE_INNER) && !is_clear(run, from->region, from->at, point->at)) return;
  relax(run, from, index, from->g + cost_to(run, from, point->at), second);
}

/* @param reach  Limit on the distance to a point. [m] */
static void cross_portals(refinement_run *run, const departure *from, float reach) {
  const lwi_graph *graph = run->graph;
  for (uint32_t k = graph->first_portal[from->region]; k < graph->end_portal[from->region]; k++) {
    if (!is_in(run->refinement, graph->portals[k].to) ||
        !lwi_climbs_over(graph, run->query->cost_model.prices->filter.climb, &graph->portals[k]))
      continue;
    const lwi_transition *transition = transition_of(run, from->region, k);
    if (!transition) return;
    bool second = transition->regions[1] == from->region;
    if (transition->nodes[second] == LWI_NONE) continue;
    for (uint32_t i = transition->first; i < transition->first + transition->count; i++)
      if (lwi_distance_xz(from->at, run->refinement->points[i].at) <= reach)
        go_to(run, from, i, transition->nodes[second], second);
  }
}

/* To the lattice points around. */
static void turn_inside(refinement_run *run, const departure *from, const lwi_inner_region *inner) {
  int next[16];
  int count = from->inside ? lwi_lattice_next(&inner->lattice, (int)(from->point - inner->first), next)
                           : lwi_lattice_about(&inner->lattice, from->at, next);
  for (int i = 0; i < count; i++) go_to(run, from, inner->first + (uint32_t)next[i], LWI_NODE_INNER, false);
}

static void take_link(refinement_run *run, const departure *from, uint32_t k) {
  const lwi_graph *graph = run->graph;
  const lwi_link *link = &graph->mesh->links.items[k];
  const uint32_t to = lwi_region_over_link(run->query->cost_model.prices, graph, from->region, k);
  if (to == LWI_NONE || !is_in(run->refinement, to)) return;
  if (from->inside && !is_clear(run, from->region, from->at, link->start)) return;
  const lwi_transition *transition = transition_of(run, from->region, graph->portal_count + k);
  if (!transition) return;
  lwi_cost_model cost_model = run->cost_model;
  cost_model.approximate = run->use_estimate;
  const float cost = lwi_cost_of_link(&cost_model, link);
  run->failed = run->failed || cost < 0;
  float g = from->g + cost_to(run, from, link->start) + cost;
  relax(run, from, transition->first, g, false);
}

static void take_links(refinement_run *run, const departure *from) {
  const lw_navmesh *mesh = run->graph->mesh;
  if (!mesh->links.first) return;
  uint32_t polygon = lwi_region_polygon(run->graph, from->region);
  for (uint32_t k = mesh->links.first[polygon]; k < mesh->links.end[polygon] && !run->failed; k++)
    take_link(run, from, k);
}

static bool is_inside(const lwi_refinement *refinement, uint32_t point) {
  return point != LWI_NONE && point != GOAL &&
         refinement->transitions[refinement->points[point].transition].nodes[0] == LWI_NODE_INNER;
}

/* Every point of a convex region is reached in a straight line, so that a path that enters one leaves it at the
   next step. From lattice points only what is near is relaxed: the rest is reached over other lattice
   points. */
static bool expand(refinement_run *run, departure from) {
  const lwi_inner_region *inside = inside_of(run, from.region);
  const lw_vec3 to = run->query->to;
  from.inside = is_inside(run->refinement, from.point);
  from.price = lwi_price_in(run->query->cost_model.prices, run->graph, from.region);
  if (from.region == run->query->to_region && (!from.inside || is_clear(run, from.region, from.at, to)))
    relax(run, &from, GOAL, from.g + cost_to(run, &from, to), false);
  cross_portals(run, &from, from.inside ? lwi_lattice_reach(&inside->lattice) : INFINITY);
  if (inside && !run->failed) turn_inside(run, &from, inside);
  take_links(run, &from);
  return !run->failed;
}

/* --- the corridor ----------------------------------------------------------------------------------------- */

static uint32_t region_behind(const refinement_run *run, uint32_t point) {
  if (point == LWI_NONE) return run->query->from_region;
  const lwi_refinement_point *of = &run->refinement->points[point];
  return run->refinement->transitions[of->transition].regions[!of->from_second];
}

static float cost_at(const lwi_refinement *refinement, uint32_t point) {
  return point == LWI_NONE ? 0 : refinement->points[point].g;
}

/* Skip lattice points where the straight line past them costs no more. @param trail  [count] The points of the
   path; the first is LWI_NONE, the start. @return How many are left. */
static int shorten(refinement_run *run, uint32_t *trail, int count) {
  const lwi_refinement *refinement = run->refinement;
  int left = 1;
  for (int i = 0, next; i + 1 < count; i = next) {
    int end = i + 1;
    while (end + 1 < count && is_inside(refinement, trail[end])) end += 1;
    const bool is_last = trail[end] == GOAL || lwi_node_link(run->graph, node_of(refinement, trail[end]));
    if (is_last && end > i + 1)
      end -= 1; /* the last piece before the goal or a link stays as it was searched */
    departure from = {.region = region_behind(run, trail[i]),
                      .at = i == 0 ? run->query->from : refinement->points[trail[i]].at};
    from.price = lwi_price_in(run->query->cost_model.prices, run->graph, from.region);
    for (next = end; next > i + 1; next--) {
      float along = cost_at(refinement, trail[next]) - cost_at(refinement, trail[i]);
      lw_vec3 at = refinement->points[trail[next]].at;
      if (is_clear(run, from.region, from.at, at) && cost_to(run, &from, at) <= along * STRAIGHTER) break;
    }
    trail[left++] = trail[next];
  }
  return left;
}

static lw_status collect(refinement_run *run, lwi_search *search) {
  lwi_refinement *refinement = run->refinement;
  const lwi_refinement_point *points = refinement->points;
  int count = 2;
  for (uint32_t at = points[GOAL].parent; at != LWI_NONE; at = points[at].parent) count += 1;
  if (!lwi_reserve(search->memory, &search->corridor.steps, &search->corridor.capacity, count,
                   sizeof *search->corridor.steps) ||
      !lwi_reserve(refinement->memory, &refinement->queue, &refinement->queue_capacity, count,
                   sizeof *refinement->queue))
    return LW_OUT_OF_MEMORY;
  uint32_t *trail = refinement->queue;
  trail[0] = LWI_NONE;
  for (uint32_t i = (uint32_t)count - 1, at = GOAL; i > 0; i--, at = points[at].parent) trail[i] = at;
  count = shorten(run, trail, count);
  search->corridor.count = count - 2;
  for (int i = 0; i < count - 2; i++)
    search->corridor.steps[i] = (lwi_step){node_of(refinement, trail[i + 1]), region_behind(run, trail[i + 1]),
                                           points[trail[i + 1]].at};
  return run->failed ? LW_OUT_OF_MEMORY : LW_OK;
}

/* Expand a point that was taken from the heap. */
static bool expand_point(refinement_run *run, uint32_t index) {
  const lwi_refinement *refinement = run->refinement;
  const lwi_watch *watch = run->cost_model.watch;
  const lwi_refinement_point *point = &refinement->points[index];
  const uint64_t looks = watch ? watch->scratch->looks : 0;
  const departure from = {.region = refinement->transitions[point->transition].regions[!point->from_second],
                          .point = index,
                          .at = point->at,
                          .g = point->g};
  const bool good = expand(run, from);
  run->search->spent += 1 + (watch ? LWI_WORK_A_LOOK * (watch->scratch->looks - looks) : 0);
  return good;
}

static lw_status search_on(refinement_run *run) {
  lwi_refinement *refinement = run->refinement;
  lwi_heap_entry entry;
  while (refinement->open.count > 0) {
    if (lwi_search_is_due(run->search)) return LW_UNFINISHED;
    lwi_heap_pop(&refinement->open, &entry);
    lwi_refinement_point *point = &refinement->points[entry.item];
    if (point->closed) continue; /* an older entry, at a higher cost */
    if (entry.item == GOAL) return collect(run, run->search);
    run->gave_up = lwi_cost_looks(&run->cost_model) > run->looks_limit;
    if (run->gave_up) return LW_NO_PATH;
    point->closed = true;
    if (!expand_point(run, entry.item)) return LW_OUT_OF_MEMORY;
  }
  return LW_NO_PATH;
}

static lw_status search_along(refinement_run *run) {
  lwi_refinement *refinement = run->refinement;
  const lwi_search_query *query = run->query;
  run->gave_up = false;
  if (!begin(refinement, run->graph) || !add_regions(refinement, run->search, query) ||
      !add_point(refinement, query->to, LWI_NONE))
    return LW_OUT_OF_MEMORY;
  const departure start = {.region = query->from_region, .point = LWI_NONE, .at = query->from};
  return expand(run, start) ? search_on(run) : LW_OUT_OF_MEMORY;
}

/* A search that gave up begins again with fewer points. */
static lw_status unless_it_gave_up(refinement_run *run, lw_status status) {
  if (!run->gave_up || run->spacing == WIDE_SPACING) return status;
  run->search->reduced = true;
  run->spacing = WIDE_SPACING;
  run->looks_limit = lwi_cost_looks(&run->cost_model) + WIDE_LOOKS_LIMIT;
  return search_along(run);
}

lw_status lwi_refine_corridor(lwi_refinement *refinement, lwi_search *search, const lwi_search_query *query,
                              float cost_limit) {
  if (!refinement->run) refinement->run = lwi_alloc(refinement->memory, sizeof *refinement->run);
  refinement_run *run = refinement->run;
  if (!run) return LW_OUT_OF_MEMORY;
  *run = (refinement_run){.refinement = refinement,
                          .search = search,
                          .graph = &search->graph,
                          .query = query,
                          .cost_model = query->cost_model,
                          .cost_limit = cost_limit,
                          .spacing = SPACING,
                          .looks_limit = lwi_cost_looks(&query->cost_model) + LOOKS_LIMIT};
  run->costs_vary = lwi_cost_varies(&run->cost_model);
  run->use_estimate = lwi_cost_has_estimate(&run->cost_model);
  return unless_it_gave_up(run, search_along(run));
}

lw_status lwi_refine_go_on(lwi_refinement *refinement) {
  refinement_run *run = refinement->run;
  return unless_it_gave_up(run, search_on(run));
}
