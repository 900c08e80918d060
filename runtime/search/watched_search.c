#include "search/watched_search.h"

#include "mesh/landmarks.h"
#include "mesh/live.h"
#include "search/link_cost.h"

#include <math.h>
#include <string.h>

/* A path must be cheaper by more than rounding. */
#define BETTER 0.99999f
/* A straight line replaces lattice steps where it costs no more but for rounding. */
#define STRAIGHTER 1.0005f
/* Lattices within which the cost of a metre differs by no more than this part are left out. */
#define WORTH 0.15f
/* Of the lower bound (weighted A*, Pohl 1970). */
#ifndef WEIGHT
#define WEIGHT 1.05f
#endif

/* In place of a point. */
#define GOAL (LWI_NONE - 1)

typedef struct lwi_watched_run {
  lwi_watched_graph *watched;
  lwi_search *search;
  const lwi_graph *graph;
  const lwi_search_query *query;
  const lwi_watch *watch;
  const lwi_prices *prices;
  lwi_landmark_goal goal;
  float cost_limit;
  float goal_cost;      /* of the best path to the goal [metre-equivalents] */
  uint32_t goal_parent; /* the point before it */
  bool failed;          /* out of memory */
} watched_run;

/* A place that is being left. */
typedef struct departure {
  uint32_t region, point; /* LWI_NONE: the start */
  lw_vec3 at;
  float g, rest, price;
} departure;

/* --- costs ------------------------------------------------------------------------------------------------ */

static bool enter(watched_run *run, departure *from, lwi_watched_ground **ground) {
  *ground = lwi_watched_graph_ground(run->watched, run->graph, from->region);
  from->price = lwi_price_in(run->prices, run->graph, from->region);
  return *ground != NULL;
}

static float straight_cost(const watched_run *run, const departure *from, lw_vec3 to) {
  const float seen = lwi_watch_seen(run->watch, lwi_region_polygon(run->graph, from->region), from->at, to);
  return lwi_distance(from->at, to) * from->price + run->watch->factor * seen;
}

/* Lower bound on the cost from a place to the goal by the straight line. */
static float rest_at(const watched_run *run, lw_vec3 at) {
  return lwi_shortcuts_bound(&run->search->shortcuts, at) * run->prices->lowest;
}

static bool opens(const watched_run *run, uint32_t node) {
  if (node == LWI_NODE_INNER) return true;
  if (node == LWI_NONE) return false;
  const lwi_portal *portal = lwi_node_portal(run->graph, node);
  return !portal || lwi_price_behind(run->prices, run->graph, portal) < INFINITY;
}

static lw_vec3 middle_of(const watched_run *run, const lwi_transition *of) {
  const lwi_watched_point *points = &run->watched->points[of->first];
  return lwi_lerp(points[0].at, points[of->count - 1].at, 0.5F);
}

/* Lower bound on the length from the middle of a portal to the goal, by landmarks. [m] */
static float left_of(const watched_run *run, const lwi_transition *of) {
  const uint32_t base = 1 + run->graph->mesh->links.count;
  if (!run->goal.landmarks || of->nodes[0] < base || of->nodes[0] == LWI_NODE_INNER) return 0;
  return lwi_landmark_left(&run->goal, of->nodes[0] - base, of->regions[0], middle_of(run, of));
}

/* What is known of a transition in this search. */
static inline lwi_watched_transition *transition_at(const watched_run *run, uint32_t index) {
  lwi_watched_transition *transition = &run->watched->transitions[index];
  if (transition->stamp == run->watched->stamp) return transition;
  transition->stamp = run->watched->stamp;
  for (int i = 0; i < 2; i++) transition->is_open[i] = opens(run, transition->of.nodes[i]);
  transition->left = left_of(run, &transition->of);
  return transition;
}

/* Lower bound on the cost from a point to the goal. Points of lattices are many: theirs follows from that of the place
   from which they are first reached. */
static float rest_of(const watched_run *run, const departure *from, const lwi_watched_point *point) {
  const float straight = rest_at(run, point->at);
  if (!run->goal.landmarks) return straight;
  const lwi_watched_transition *on = transition_at(run, point->transition);
  if (on->of.nodes[0] == LWI_NODE_INNER)
    return lwi_max(straight, from->rest - lwi_distance(from->at, point->at) * run->prices->lowest);
  const float left = on->left - lwi_distance_xz(point->at, middle_of(run, &on->of));
  return lwi_max(straight, left * run->prices->lowest);
}

/* --- points ----------------------------------------------------------------------------------------------- */

/* What is known of a point in this search. */
static inline lwi_watched_point *point_of(watched_run *run, const departure *from, uint32_t index) {
  lwi_watched_point *point = &run->watched->points[index];
  if (point->stamp == run->watched->stamp) return point;
  point->stamp = run->watched->stamp;
  point->g = INFINITY;
  point->parent = LWI_NONE;
  point->is_closed = point->from_second = false;
  point->rest = rest_of(run, from, point);
  return point;
}

/* May agents cross the transition out of that region? @param[out] second  It is its second. */
static inline bool is_open(const watched_run *run, uint32_t index, uint32_t region, bool *second) {
  const lwi_watched_transition *transition = transition_at(run, index);
  *second = transition->of.regions[0] != region;
  return transition->is_open[*second];
}

/* Lattices have many paths of equal cost. Which is first must depend on where its points lie, and not on the order of
   portals, which tells of the changes of the ground before. @return At least 1, by a millionth or two. */
static inline float order_of(lw_vec3 at) {
  uint32_t bits[2];
  memcpy(&bits[0], &at.x, sizeof bits[0]);
  memcpy(&bits[1], &at.z, sizeof bits[1]);
  const uint32_t mixed = (bits[0] * 0x9e3779b1U ^ bits[1]) * 0x85ebca6bU;
  return 1 + (float)(mixed >> 27) * 1.2e-7F;
}

static inline void relax(watched_run *run, const departure *from, uint32_t index, float g, bool second) {
  lwi_watched_point *point = &run->watched->points[index];
  if (point->is_closed || !(g < point->g * BETTER) || !(g + point->rest < run->cost_limit)) return;
  point->g = g;
  point->parent = from->point;
  point->from_second = second;
  if (!lwi_heap_push(&run->watched->open, run->watched->memory,
                     (g + WEIGHT * point->rest) * order_of(point->at), index))
    run->failed = true;
}

/* Could the point be reached cheaper so, and lead to the goal, if nothing were seen? */
static inline bool may_improve(watched_run *run, const departure *from, uint32_t index, float length) {
  const lwi_watched_point *point = point_of(run, from, index);
  const float bound = from->g + length * from->price;
  return !point->is_closed && bound < point->g && bound + point->rest < run->cost_limit;
}

/* --- leaving a region ------------------------------------------------------------------------------------- */

static void follow(watched_run *run, const departure *from, lwi_watched_arc *arc) {
  bool second;
  if (!may_improve(run, from, arc->to, arc->length)) return;
  const lwi_watched_point *to = &run->watched->points[arc->to];
  if (!is_open(run, to->transition, from->region, &second)) return;
  if (arc->seen < 0)
    arc->seen = lwi_watch_seen(run->watch, lwi_region_polygon(run->graph, from->region), from->at, to->at);
  relax(run, from, arc->to, from->g + arc->length * from->price + run->watch->factor * arc->seen, second);
}

/* Up to this number of points a lattice costs little. */
#define FEW_INSIDE 16

/* Does the lattice pay for these agents? */
static bool has_lattice(watched_run *run, const departure *from, lwi_watched_ground *ground) {
  const int points = ground->columns * ground->rows;
  if (points <= FEW_INSIDE) return points > 0;
  lwi_watched_graph_measure(run->watched, run->watch, lwi_region_polygon(run->graph, from->region), ground);
  const float factor = run->watch->factor;
  return (ground->high - ground->low) * factor > WORTH * (ground->low * factor + from->price);
}

/* The point's place among the members of its region; LWI_NONE: nothing leads back through its portal. */
static uint32_t member_of(const watched_run *run, const departure *from) {
  const lwi_watched_point *point = &run->watched->points[from->point];
  const lwi_transition *of = &run->watched->transitions[point->transition].of;
  return point->members[of->regions[0] == from->region ? 0 : 1];
}

static void follow_all(watched_run *run, const departure *from, const lwi_watched_ground *ground,
                       bool lattice) {
  lwi_watched_graph *watched = run->watched;
  const uint32_t *row = &watched->rows[ground->first_row + member_of(run, from)];
  for (uint32_t i = row[0]; i < row[1] && !run->failed; i++)
    if (lattice || ground->columns == 0 || watched->arcs[i].to < ground->first_inner ||
        watched->arcs[i].to >= ground->first_inner + (uint32_t)(ground->columns * ground->rows))
      follow(run, from, &watched->arcs[i]);
}

static void go_to(watched_run *run, const departure *from, uint32_t index) {
  const lwi_watched_point *to = &run->watched->points[index];
  bool second;
  if (to->is_outside || !may_improve(run, from, index, lwi_distance(from->at, to->at)) ||
      !is_open(run, to->transition, from->region, &second))
    return;
  relax(run, from, index, from->g + straight_cost(run, from, to->at), second);
}

/* From a place that is no point of the graph. */
static void go_to_all(watched_run *run, const departure *from, const lwi_watched_ground *ground, bool lattice) {
  uint32_t next[16];
  for (uint32_t i = 0; i < ground->portal_members && !run->failed; i++)
    go_to(run, from, run->watched->members[ground->first_member + i]);
  const int count = lattice ? lwi_watched_graph_about(ground, from->at, next) : 0;
  for (int i = 0; i < count; i++) go_to(run, from, next[i]);
}

static void reach_goal(watched_run *run, const departure *from) {
  const float bound = from->g + lwi_distance(from->at, run->query->to) * from->price;
  if (!(bound < run->goal_cost * BETTER) || !(bound < run->cost_limit)) return;
  const float g = from->g + straight_cost(run, from, run->query->to);
  if (!(g < run->goal_cost * BETTER) || !(g < run->cost_limit)) return;
  run->goal_cost = g;
  run->goal_parent = from->point;
  if (!lwi_heap_push(&run->watched->open, run->watched->memory, g, GOAL)) run->failed = true;
}

static void take_link(watched_run *run, const departure *from, uint32_t k) {
  const lwi_graph *graph = run->graph;
  const lwi_link *link = &graph->mesh->links.items[k];
  if (lwi_region_over_link(run->prices, graph, from->region, k) == LWI_NONE) return;
  const uint32_t index = lwi_watched_graph_link(run->watched, graph, k);
  if (index == LWI_NONE) {
    run->failed = true;
    return;
  }
  const lwi_watched_point *end = point_of(run, from, index);
  const float bound = from->g + lwi_distance(from->at, link->start) * from->price;
  if (end->is_closed || !(bound < end->g) || !(bound + rest_at(run, link->start) < run->cost_limit)) return;
  const float cost = lwi_cost_of_link(&run->query->cost_model, link);
  run->failed = run->failed || cost < 0;
  relax(run, from, index, from->g + straight_cost(run, from, link->start) + cost, false);
}

static void take_links(watched_run *run, const departure *from) {
  const lwi_mesh_links *links = &run->graph->mesh->links;
  if (!links->first) return;
  const uint32_t polygon = lwi_region_polygon(run->graph, from->region);
  for (uint32_t k = links->first[polygon]; k < links->end[polygon] && !run->failed; k++)
    take_link(run, from, k);
}

/* Every point of a convex region is reached in a straight line, so that a path that enters one leaves it at the next
   step, or turns at points of its lattice. @param is_member  The place is a point of the region. */
static bool leave(watched_run *run, departure from, bool is_member) {
  lwi_watched_ground *ground;
  if (!enter(run, &from, &ground)) return false;
  const bool lattice = has_lattice(run, &from, ground);
  if (from.region == run->query->to_region) reach_goal(run, &from);
  if (is_member && member_of(run, &from) != LWI_NONE)
    follow_all(run, &from, ground, lattice);
  else
    go_to_all(run, &from, ground, lattice);
  take_links(run, &from);
  return !run->failed;
}

/* --- the corridor ----------------------------------------------------------------------------------------- */

static const lwi_transition *transition_of(const watched_run *run, uint32_t index) {
  return &run->watched->transitions[run->watched->points[index].transition].of;
}

static bool is_inner(const watched_run *run, uint32_t index) {
  return index < GOAL && transition_of(run, index)->nodes[0] == LWI_NODE_INNER;
}

static bool is_link(const watched_run *run, uint32_t index) {
  return index < GOAL && !is_inner(run, index) &&
         lwi_node_link(run->graph, transition_of(run, index)->nodes[0]);
}

static uint32_t region_behind(const watched_run *run, uint32_t index) {
  if (index == LWI_NONE) return run->query->from_region;
  return transition_of(run, index)->regions[!run->watched->points[index].from_second];
}

static float cost_at(const watched_run *run, uint32_t index) {
  return index == LWI_NONE ? 0 : run->watched->points[index].g;
}

/* Skip lattice points where the straight line past them costs no more. @param trail  [count] From the start, LWI_NONE, to
   the goal. @return How many are left. */
static int shorten(const watched_run *run, uint32_t *trail, int count) {
  int left = 1;
  for (int i = 0, next; i + 1 < count; i = next) {
    int end = i + 1;
    while (end + 1 < count && is_inner(run, trail[end])) end += 1;
    if ((trail[end] == GOAL || is_link(run, trail[end])) && end > i + 1)
      end -= 1; /* the last piece before the goal or a link stays as it was searched */
    departure from = {.region = region_behind(run, trail[i]),
                      .at = i == 0 ? run->query->from : run->watched->points[trail[i]].at};
    from.price = lwi_price_in(run->prices, run->graph, from.region);
    for (next = end; next > i + 1; next--) {
      const float along = cost_at(run, trail[next]) - cost_at(run, trail[i]);
      if (straight_cost(run, &from, run->watched->points[trail[next]].at) <= along * STRAIGHTER) break;
    }
    trail[left++] = trail[next];
  }
  return left;
}

static lw_status collect(watched_run *run) {
  lwi_watched_graph *watched = run->watched;
  lwi_search *search = run->search;
  int count = 2;
  for (uint32_t at = run->goal_parent; at != LWI_NONE; at = watched->points[at].parent) count += 1;
  if (!lwi_reserve(search->memory, &search->corridor.steps, &search->corridor.capacity, count,
                   sizeof *search->corridor.steps) ||
      !lwi_reserve(watched->memory, &watched->trail, &watched->capacities.trail, count, sizeof *watched->trail))
    return LW_OUT_OF_MEMORY;
  uint32_t *trail = watched->trail, at = run->goal_parent;
  trail[0] = LWI_NONE;
  trail[count - 1] = GOAL;
  for (int i = count - 2; i > 0; i--, at = watched->points[at].parent) trail[i] = at;
  count = shorten(run, trail, count);
  search->corridor.count = count - 2;
  for (int i = 0; i < count - 2; i++) {
    const lwi_watched_point *point = &watched->points[trail[i + 1]];
    search->corridor.steps[i] = (lwi_step){transition_of(run, trail[i + 1])->nodes[point->from_second],
                                           region_behind(run, trail[i + 1]), point->at};
  }
  return LW_OK;
}

/* --- the search ------------------------------------------------------------------------------------------- */

/* What a node takes, in nodes of a search without threats: whether what threats see there is kept does not count, for a
   run must not depend on what was asked before. */
#define WORK_A_NODE 3
#define THREATS_A_WORK 4

static lw_status search_on(watched_run *run) {
  lwi_search *search = run->search;
  lwi_watched_graph *watched = run->watched;
  lwi_heap_entry entry;
  while (watched->open.count > 0) {
    if (lwi_search_is_due(search)) return LW_UNFINISHED;
    lwi_heap_pop(&watched->open, &entry);
    if (entry.item == GOAL) return collect(run);
    lwi_watched_point *point = &watched->points[entry.item];
    if (point->is_closed) continue; /* it had a lower key since this entry was pushed */
    if (search->expanded >= run->query->max_nodes) return LW_OUT_OF_NODES;
    point->is_closed = true;
    search->expanded += 1;
    search->spent += WORK_A_NODE + (uint64_t)run->query->cost_model.watch->query.threat_count / THREATS_A_WORK;
    const departure from = {.region = region_behind(run, entry.item),
                            .point = entry.item,
                            .at = point->at,
                            .g = point->g,
                            .rest = point->rest};
    if (!leave(run, from, !is_link(run, entry.item))) return LW_OUT_OF_MEMORY;
  }
  return LW_NO_PATH;
}

void lwi_watched_search_free(lwi_watched_graph *watched) {
  if (watched->memory) lwi_free(watched->memory, watched->run, sizeof *watched->run);
  lwi_watched_graph_free(watched);
}

lw_status lwi_watched_search_run(lwi_search *search, const lwi_search_query *query) {
  lwi_watched_graph *watched = &search->watched;
  if (!watched->run) watched->run = lwi_alloc_zero(watched->memory, sizeof *watched->run);
  watched_run *run = watched->run;
  if (!run) return LW_OUT_OF_MEMORY;
  *run = (watched_run){.watched = watched,
                       .search = search,
                       .graph = &search->graph,
                       .query = query,
                       .watch = query->cost_model.watch,
                       .prices = query->cost_model.prices,
                       .cost_limit = query->cost_limit > 0 ? query->cost_limit : INFINITY,
                       .goal_cost = INFINITY,
                       .goal_parent = LWI_NONE};
  search->graph = *query->graph;
  search->corridor.count = 0;
  search->prices_differ = true;
  search->turned = false;
  search->place_base = search->lane_base = LWI_NONE;
  search->expanded = 1;
  if (!lwi_watched_graph_begin(watched, run->graph, run->watch) ||
      !lwi_shortcuts_begin(&search->shortcuts, search->memory, run->graph->mesh, run->prices, query->to,
                           lwi_region_polygon(run->graph, query->to_region)))
    return LW_OUT_OF_MEMORY;
  if (query->has_landmarks) run->goal = lwi_landmark_goal_of(run->graph->mesh, query->to_region, query->to);
  const departure start = {
      .region = query->from_region, .point = LWI_NONE, .at = query->from, .rest = rest_at(run, query->from)};
  return leave(run, start, false) ? search_on(run) : LW_OUT_OF_MEMORY;
}

lw_status lwi_watched_search_go_on(lwi_search *search) {
  watched_run *run = search->watched.run;
  lwi_watched_graph_go_on(run->watched, run->watch);
  return search_on(run);
}
