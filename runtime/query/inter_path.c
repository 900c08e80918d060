/* Paths over several navmeshes: A* (Hart, Nilsson, Raphael 1968) over the links between them. What lies between two such
   links is a leg, a path over one navmesh, which is searched only when its lower bound makes it the most promising of all. */
#include "core/hash.h"
#include "core/status.h"
#include "core/vec3.h"
#include "mesh/clearance.h"
#include "mesh/link_fits.h"
#include "query/path_query.h"
#include "search/reach.h"

#include <math.h>
#include <string.h>

/* Lower bounds hold but for rounding. */
#define BOUND 0.999999f
/* As lwi_leg.from: the leg begins at the start. */
#define START (-1)

/* A place where legs begin and end. */
typedef struct stop {
  int navmesh;
  lw_location at;
  uint32_t region; /* LWI_NONE: too near to a wall for a way out of the polygon */
} stop;

typedef struct inter_run {
  const lwi_path_run *path;
  const lwi_scene *scene;
  lwi_memory *memory;
  lwi_inter_scratch *scratch;
  const lwi_reach *reaches[LW_NAVMESHES_MAX]; /* NULL: not asked for yet */
  stop start, goal;
  bool has_goal; /* false: there is no navmesh at the goal */
  bool partial;
  bool reduced;     /* a leg was searched with less detail */
  bool failed;      /* no memory */
  float short_ends; /* the bound distance of a short link's end to the goal [m] */
  float upper;      /* the cost of a path that was found; infinity: none */
  int nodes;        /* expanded so far */
  int goal_leg;     /* by which the goal was reached */
} inter_run;

/* --- links as the query sees them --------------------------------------------------------------------------------- */

static const lwi_reach *reach_of(inter_run *run, int navmesh) {
  const lwi_reach **reach = &run->reaches[navmesh];
  if (!*reach) {
    lwi_shared *shared = run->scene->navs[navmesh].shared;
    *reach = lwi_components_acquire(&shared->components, &run->path->prices->filter);
  }
  if (!*reach) run->failed = true;
  return *reach;
}

static void release_reaches(inter_run *run) {
  for (int i = 0; i < run->scene->nav_count; i++)
    lwi_components_release(&run->scene->navs[i].shared->components, run->reaches[i]);
}

static lwi_region_scratch *region_scratch(inter_run *run, int navmesh) {
  lwi_nav_scratch *scratch = lwi_workspace_nav(run->path->workspace, &run->scene->navs[navmesh]);
  if (!scratch) run->failed = true;
  return scratch ? &scratch->region : NULL;
}

/* The region of a link's end. LWI_NONE where the agent is too near to a wall to stand, and so the link cannot be taken. */
static uint32_t region_of(inter_run *run, int navmesh, lw_location at) {
  const lwi_reach *reach = reach_of(run, navmesh);
  lwi_region_scratch *scratch = region_scratch(run, navmesh);
  if (!reach || !scratch) return LWI_NONE;
  const uint32_t polygon = lwi_poly_index(reach->graph.mesh, at.poly);
  uint32_t region = polygon;
  if (reach->clearance && !lwi_clearance_region(reach->clearance, scratch, polygon, at.point, &region))
    run->failed = true;
  return region;
}

static lwi_edge edge_of(const inter_run *run, const lwi_inter_link *link) {
  const lw_navmesh *from = run->scene->meshes[link->from], *to = run->scene->meshes[link->to];
  uint32_t start = lwi_poly_index(from, link->start.poly), end = lwi_poly_index(to, link->end.poly);
  return (lwi_edge){link->kind, link->area, from, to, start, end, link->kind == LW_LINK_TELEPORT, 0};
}

/* What threats, dangers and lanes cost on the link. @param exposed_to  NULL: not wanted. */
static lwi_piece_cost extras_of(inter_run *run, const lwi_inter_link *link, float *exposed_to) {
  lwi_piece_cost extras;
  const lwi_edge edge = edge_of(run, link);
  run->failed |= !lwi_inter_link_extras(run->path, link, &edge, exposed_to, &extras);
  return extras;
}

/* Infinity: these agents cannot take it, or the ground at one of its ends is cut away. */
static float cost_of(inter_run *run, const lwi_inter_link *link) {
  const lwi_edge edge = edge_of(run, link);
  if (edge.from == LWI_NONE || edge.to == LWI_NONE ||
      !lwi_link_id_fits(run->scene->meshes[link->from], link->id, &run->path->prices->filter))
    return INFINITY;
  const float price = lwi_edge_price(run->path->prices, &edge);
  if (price == INFINITY) return INFINITY;
  if (run->path->final_prices) return link->length * price; /* the extras count in the end */
  const lwi_piece_cost extras = extras_of(run, link, NULL);
  return link->length * price + link->cost + lwi_piece_cost_sum(&extras);
}

/* What is known of a link, found out when it is first asked for. */
static lwi_inter_node *node_of(inter_run *run, int index) {
  lwi_inter_node *node = &run->scratch->nodes[index];
  if (node->stamp == run->scratch->stamp) return node;
  const lwi_inter_link *link = &run->scene->links.items[index];
  *node = (lwi_inter_node){.stamp = run->scratch->stamp,
                           .start_region = LWI_NONE,
                           .end_region = LWI_NONE,
                           .cost = cost_of(run, link),
                           .leg = -1};
  if (node->cost == INFINITY) return node;
  node->start_region = region_of(run, link->from, link->start);
  node->end_region = region_of(run, link->to, link->end);
  return node;
}

static int goal_of(const inter_run *run) {
  return run->scene->links.count;
}

static stop start_of(inter_run *run, int index) {
  const lwi_inter_link *link = &run->scene->links.items[index];
  return (stop){link->from, link->start, node_of(run, index)->start_region};
}

static stop end_of(inter_run *run, int index) {
  const lwi_inter_link *link = &run->scene->links.items[index];
  return (stop){link->to, link->end, node_of(run, index)->end_region};
}

static stop leg_begin(inter_run *run, int from) {
  return from == START ? run->start : end_of(run, from);
}

static stop leg_end(inter_run *run, int to) {
  return to == goal_of(run) ? run->goal : start_of(run, to);
}

/* --- what can be reached ------------------------------------------------------------------------------------------ */

/* Is there a path from one to the other over their navmesh alone? */
static bool is_open(inter_run *run, const stop *from, const stop *to) {
  if (from->navmesh != to->navmesh) return false;
  const lwi_reach *reach = reach_of(run, from->navmesh);
  if (!reach) return false;
  if (from->region == LWI_NONE || to->region == LWI_NONE)
    return lwi_placement_straight(reach, from->at, to->at);
  return lwi_reaches(reach, reach->labels[from->region], reach->labels[to->region]);
}

static uint32_t label_of(inter_run *run, const stop *place) {
  return run->reaches[place->navmesh]->labels[place->region];
}

static bool is_same_part(inter_run *run, const stop *a, const stop *b) {
  if (a->navmesh != b->navmesh || a->region == LWI_NONE || b->region == LWI_NONE) return false;
  return label_of(run, a) == label_of(run, b);
}

static uint64_t hash_of_part(inter_run *run, const stop *place) {
  const uint32_t part[] = {(uint32_t)place->navmesh, label_of(run, place)};
  return lwi_hash(LWI_HASH_SEED, part, sizeof part);
}

/* Has what can be reached from there been queued already? */
static bool is_queued(inter_run *run, const stop *place) {
  if (place->region == LWI_NONE) return false;
  if (is_same_part(run, &run->start, place)) return true;
  const lwi_hash_index *queued = &run->scratch->queued;
  uint32_t item = lwi_hash_index_first(queued, hash_of_part(run, place));
  for (; item != LWI_NO_ITEM; item = lwi_hash_index_next(queued, item)) {
    const stop end = end_of(run, run->scratch->queue[item]);
    if (is_same_part(run, &end, place)) return true;
  }
  return false;
}

/* @param place  Where the link ends. */
static void enqueue(inter_run *run, int index, const stop *place) {
  lwi_inter_scratch *scratch = run->scratch;
  const uint32_t item = (uint32_t)scratch->queue_count;
  if (!lwi_reserve(run->memory, &scratch->queue, &scratch->queue_capacity, scratch->queue_count + 1,
                   sizeof *scratch->queue) ||
      (place->region != LWI_NONE &&
       !lwi_hash_index_add(&scratch->queued, run->memory, hash_of_part(run, place), item))) {
    run->failed = true;
    return;
  }
  scratch->queue[scratch->queue_count++] = index;
}

/* Queue the ends of links that can be taken from a place, one for each part of a navmesh. */
static void explore_from(inter_run *run, const stop *from) {
  const int *first = run->scene->links.first;
  for (int i = first[from->navmesh]; i < first[from->navmesh + 1] && !run->failed; i++) {
    lwi_inter_node *node = node_of(run, i);
    if (node->explored || node->cost == INFINITY) continue;
    const stop start = start_of(run, i), end = end_of(run, i);
    if (!is_open(run, from, &start)) continue;
    node->explored = true;
    if (!is_queued(run, &end)) enqueue(run, i, &end);
  }
}

/* Visit every part of the navmeshes that can be reached, the start's first, until `visit` returns true.
   @return Whether it did. */
static bool explore(inter_run *run, bool (*visit)(inter_run *run, const stop *place, void *user), void *user) {
  run->scratch->queue_count = 0;
  lwi_hash_index_clear(&run->scratch->queued);
  for (int i = 0; i < run->scene->links.count; i++)
    if (run->scratch->nodes[i].stamp == run->scratch->stamp) run->scratch->nodes[i].explored = false;
  stop place = run->start;
  for (int next = 0;; next++) {
    if (visit(run, &place, user)) return true;
    explore_from(run, &place);
    if (run->failed || next >= run->scratch->queue_count) return false;
    place = end_of(run, run->scratch->queue[next]);
  }
}

static bool opens_goal(inter_run *run, const stop *place, void *user) {
  (void)user;
  return is_open(run, place, &run->goal);
}

static bool is_connected(inter_run *run) {
  return explore(run, opens_goal, NULL);
}

/* The nearest place that was found, of all that can be reached. */
typedef struct nearest {
  lw_vec3 to;
  float distance;
  stop found;
  lw_status status;
} nearest;

static bool look_nearer(inter_run *run, const stop *place, void *user) {
  nearest *best = user;
  const lwi_reach *reach = reach_of(run, place->navmesh);
  lwi_region_scratch *scratch = region_scratch(run, place->navmesh);
  stop found = {.navmesh = place->navmesh};
  if (!reach || !scratch) return true;
  if (place->region == LWI_NONE) return false;
  lw_status status =
      lwi_placement_nearest(reach, scratch, reach->labels[place->region], best->to, &found.at, &found.region);
  if (status == LW_NO_POINT) return false;
  best->status = status;
  if (status != LW_OK) return true;
  if (lwi_distance(found.at.point, best->to) >= best->distance) return false;
  best->distance = lwi_distance(found.at.point, best->to);
  best->found = found;
  return false;
}

/* The place nearest to the goal that can be reached becomes the goal. */
static lw_status go_nearest(inter_run *run) {
  nearest best = {.to = run->has_goal ? run->goal.at.point : run->path->query->to, .distance = INFINITY};
  explore(run, look_nearer, &best);
  run->partial = true;
  if (run->failed || best.status != LW_OK) return LW_OUT_OF_MEMORY;
  if (best.distance == INFINITY) return LW_NO_PATH;
  run->goal = best.found;
  return LW_OK;
}

/* --- both ends ---------------------------------------------------------------------------------------------------- */

static lw_status place_stop(inter_run *run, lw_vec3 about, lw_vec3 snap, stop *place) {
  const lwi_reach *reach = reach_of(run, place->navmesh);
  lwi_region_scratch *scratch = region_scratch(run, place->navmesh);
  if (!reach || !scratch) return LW_OUT_OF_MEMORY;
  return lwi_placement_start(reach, scratch, about, snap, &place->at, &place->region);
}

/* The goal's own navmesh cannot be reached: is the start's as near to it? */
static bool try_own_navmesh(inter_run *run) {
  const lw_navmesh *mesh = run->scene->meshes[run->start.navmesh];
  const lw_path_query *query = run->path->query;
  const lw_vec3 snap = lwi_path_run_goal_snap(run->path);
  const stop before = run->goal;
  stop other = {.navmesh = run->start.navmesh};
  if (other.navmesh == before.navmesh ||
      lw_navmesh_nearest(mesh, query->to, snap, &run->path->prices->filter, &other.at) != LW_OK ||
      lwi_distance(other.at.point, query->to) > lwi_distance(before.at.point, query->to) + mesh->agent.climb ||
      place_stop(run, query->to, snap, &other) != LW_OK)
    return false;
  run->goal = other;
  if (is_connected(run)) return true;
  run->goal = before;
  return false;
}

static lw_status place_goal(inter_run *run) {
  const lw_path_query *query = run->path->query;
  const lw_vec3 snap = lwi_path_run_goal_snap(run->path);
  const lwi_place_query place = {LW_NAVMESH_FITTING, query->to, snap, query->profile};
  const lwi_nav *nav;
  lw_status status = lwi_scene_place(run->scene, &place, &nav, &run->goal.at);
  if (status == LW_OK) {
    run->goal.navmesh = lwi_scene_index(run->scene, nav);
    status = place_stop(run, query->to, snap, &run->goal);
    run->has_goal = status == LW_OK;
  }
  return status == LW_NO_POINT ? LW_NO_GOAL : status;
}

/* New nodes for all links. @return false: no memory. */
static bool begin_nodes(inter_run *run) {
  lwi_inter_scratch *scratch = run->scratch;
  const int count = run->scene->links.count;
  if (scratch->node_count < count) { /* links may have been added */
    lwi_inter_node *nodes = lwi_alloc_zero(run->memory, (size_t)count * sizeof *nodes);
    if (!nodes) return false;
    lwi_free(run->memory, scratch->nodes, (size_t)scratch->node_count * sizeof *nodes);
    scratch->nodes = nodes;
    scratch->node_count = count;
    scratch->stamp = 0;
  }
  scratch->stamp += 1;
  if (scratch->stamp == 0) {
    memset(scratch->nodes, 0, (size_t)count * sizeof *scratch->nodes);
    scratch->stamp = 1;
  }
  return true;
}

/* Everything that is known without a search. @return LW_OK: there is a path, unless it is too narrow. */
static lw_status prepare(inter_run *run, const lwi_nav *nav, lw_location from) {
  const lw_path_query *query = run->path->query;
  if (!begin_nodes(run)) return LW_OUT_OF_MEMORY;
  run->start = (stop){lwi_scene_index(run->scene, nav), from, LWI_NONE};
  lw_status status = place_stop(run, query->from, query->snap, &run->start);
  if (status != LW_OK) return status == LW_NO_POINT ? LW_NO_START : status;
  status = place_goal(run);
  if (status != LW_OK && (status != LW_NO_GOAL || !query->allow_partial)) return status;
  if (!run->has_goal) return go_nearest(run);
  if (is_open(run, &run->start, &run->goal) || is_connected(run) || try_own_navmesh(run)) return LW_OK;
  if (run->failed) return LW_OUT_OF_MEMORY;
  return query->allow_partial ? go_nearest(run) : LW_NO_PATH;
}

/* --- lower bounds ------------------------------------------------------------------------------------------------- */

/* The short link whose rest is the bound of those that are not settled, or -1. */
static int nearest_rest(const inter_run *run, const bool *settled) {
  int bound = -1;
  for (int i = 0; i < run->scene->short_count; i++)
    if (!settled[i] && (bound < 0 || run->scratch->rests[i] < run->scratch->rests[bound])) bound = i;
  return bound;
}

/* Dijkstra from the goal backwards over a few short links, with straight lines between them. */
static void find_rests(inter_run *run) {
  const lwi_short_link *shorts = run->scene->shorts;
  bool settled[LWI_FEW_SHORT_LINKS] = {false};
  float *rests = run->scratch->rests;
  const int count = run->scene->short_count;
  for (int i = 0; i < count; i++)
    rests[i] = shorts[i].length + lwi_scene_distance(run->scene, shorts[i].end, run->goal.at.point);
  for (int next = nearest_rest(run, settled); next >= 0; next = nearest_rest(run, settled)) {
    settled[next] = true;
    for (int i = 0; i < count; i++)
      rests[i] =
          fminf(rests[i], shorts[i].length + lwi_scene_distance(run->scene, shorts[i].end, shorts[next].start) +
                              rests[next]);
  }
}

/* A link that counts for less than the distance of its ends breaks the straight line as a lower bound. With a few such links
   the shortest path over them is found. With many, a path takes none of them, or goes on from the end of one to the goal.
   @return false: no memory. */
static bool begin_bounds(inter_run *run) {
  lwi_inter_scratch *scratch = run->scratch;
  const int count = run->scene->short_count;
  run->short_ends = INFINITY;
  for (int i = 0; i < count; i++)
    run->short_ends =
        fminf(run->short_ends, lwi_scene_distance(run->scene, run->scene->shorts[i].end, run->goal.at.point));
  if (count == 0 || count > LWI_FEW_SHORT_LINKS) return true;
  if (!lwi_reserve(run->memory, &scratch->rests, &scratch->rest_capacity, count, sizeof *scratch->rests))
    return false;
  find_rests(run);
  return true;
}

/* @return No path from the point to the goal costs less. */
static float bound_from(const inter_run *run, lw_vec3 point) {
  const int count = run->scene->short_count;
  float bound = lwi_scene_distance(run->scene, point, run->goal.at.point);
  if (count > LWI_FEW_SHORT_LINKS) bound = fminf(bound, run->short_ends);
  for (int i = 0; i < count && count <= LWI_FEW_SHORT_LINKS; i++)
    bound = fminf(bound,
                  lwi_scene_distance(run->scene, point, run->scene->shorts[i].start) + run->scratch->rests[i]);
  return BOUND * bound * run->path->prices->lowest;
}

/* @return No leg from one to the other costs less. */
static float bound_between(const inter_run *run, const stop *from, const stop *to) {
  const lwi_nav *nav = &run->scene->navs[from->navmesh];
  if ((run->scene->bounds_in_xz ? nav->short_links_in_xz : nav->short_links) > 0) return 0;
  return BOUND * lwi_scene_distance(run->scene, from->at.point, to->at.point) * run->path->prices->lowest;
}

static float rest_of(const inter_run *run, int to) {
  return to == goal_of(run) ? 0 : bound_from(run, run->scene->links.items[to].end.point);
}

/* --- the search --------------------------------------------------------------------------------------------------- */

/* A region to search from or to: where there is none, its polygon. */
static uint32_t search_region(const inter_run *run, const stop *place) {
  return lwi_poly_index(run->scene->meshes[place->navmesh], place->at.poly);
}

static lw_status search_leg(inter_run *run, lwi_leg *leg) {
  const stop from = leg_begin(run, leg->from), to = leg_end(run, leg->to);
  const bool enclosed = from.region == LWI_NONE || to.region == LWI_NONE;
  const lwi_path_ends ends = {from.at, to.at, enclosed ? search_region(run, &from) : from.region,
                              enclosed ? search_region(run, &to) : to.region};
  const lwi_nav *nav = &run->scene->navs[from.navmesh];
  const int max_nodes = run->path->query->max_nodes - run->nodes;
  if (max_nodes < 1) return LW_OUT_OF_NODES;
  lw_status status =
      lwi_path_run_search(run->path, nav, reach_of(run, from.navmesh), &ends, max_nodes, &leg->path);
  run->nodes += leg->path ? leg->path->nodes : run->path->workspace->navs[from.navmesh].search.expanded;
  if (status != LW_OK) return status;
  run->reduced = run->reduced || leg->path->reduced;
  /* A path whose cost follows other prices was searched by its length. */
  leg->g += (run->path->final_prices ? leg->path->length : leg->path->cost) +
            (leg->to == goal_of(run) ? 0 : node_of(run, leg->to)->cost);
  return LW_OK;
}

static bool add_leg(inter_run *run, lwi_leg leg, float key) {
  lwi_inter_scratch *scratch = run->scratch;
  if (!lwi_reserve(run->memory, &scratch->legs, &scratch->leg_capacity, scratch->leg_count + 1,
                   sizeof *scratch->legs))
    return false;
  scratch->legs[scratch->leg_count] = leg;
  return lwi_heap_push(&scratch->open, run->memory, key, (uint32_t)scratch->leg_count++);
}

/* @param begin  Where `from` ends. @param g  Cost up to there. */
static bool push_goal(inter_run *run, int from, const stop *begin, float g) {
  if (!is_open(run, begin, &run->goal)) return !run->failed;
  const float key = g + bound_between(run, begin, &run->goal);
  return key > run->upper || add_leg(run, (lwi_leg){from, goal_of(run), g, NULL}, key);
}

/* Legs to all links that leave the navmesh there. Those that cannot be part of a better path than the one known are left out
   before more is asked about them. */
static bool push_links(inter_run *run, int from, const stop *begin, float g) {
  const lwi_inter_links *links = &run->scene->links;
  for (int i = links->first[begin->navmesh]; i < links->first[begin->navmesh + 1]; i++) {
    const stop place = {links->items[i].from, links->items[i].start, LWI_NONE};
    const float bound = g + bound_between(run, begin, &place) + rest_of(run, i);
    if (bound > run->upper) continue;
    const lwi_inter_node *node = node_of(run, i);
    if (node->leg >= 0 || node->cost == INFINITY || bound + node->cost > run->upper) continue;
    const stop end = start_of(run, i);
    if (!is_open(run, begin, &end)) continue;
    if (!add_leg(run, (lwi_leg){from, i, g, NULL}, bound + node->cost)) return false;
  }
  return !run->failed;
}

/* Search the leg of a heap's entry and push it again by what it costs. */
static lw_status measure_leg(inter_run *run, int index) {
  lwi_leg *leg = &run->scratch->legs[index];
  const int to = leg->to;
  lw_status status = search_leg(run, leg);
  if (status == LW_NO_PATH) return LW_OK; /* too narrow after all */
  if (status != LW_OK) return status;
  if (to == goal_of(run)) run->upper = fminf(run->upper, leg->g);
  const float key = leg->g + rest_of(run, to);
  return lwi_heap_push(&run->scratch->open, run->memory, key, (uint32_t)index) ? LW_OK : LW_OUT_OF_MEMORY;
}

static lw_status search_legs(inter_run *run) {
  lwi_inter_scratch *scratch = run->scratch;
  lwi_heap_entry entry;
  while (lwi_heap_pop(&scratch->open, &entry)) {
    const lwi_leg leg = scratch->legs[entry.item];
    const int index = (int)entry.item;
    if (leg.to != goal_of(run) && node_of(run, leg.to)->leg >= 0) continue;
    if (!leg.path) {
      lw_status status = measure_leg(run, index);
      if (status != LW_OK) return status;
      continue;
    }
    if (leg.to == goal_of(run)) {
      run->goal_leg = index;
      return LW_OK;
    }
    node_of(run, leg.to)->leg = index;
    const stop begin = end_of(run, leg.to);
    if (!push_goal(run, leg.to, &begin, leg.g) || !push_links(run, leg.to, &begin, leg.g))
      return LW_OUT_OF_MEMORY;
  }
  return LW_NO_PATH;
}

/* The leg straight from start to goal has the bound bound of all, so it is measured first: what it costs leaves out most
   links before anything is asked about them. */
static lw_status search_all(inter_run *run) {
  run->upper = INFINITY;
  if (!begin_bounds(run) || !push_goal(run, START, &run->start, 0)) return LW_OUT_OF_MEMORY;
  lwi_heap_entry entry;
  if (lwi_heap_pop(&run->scratch->open, &entry)) {
    lw_status status = measure_leg(run, (int)entry.item);
    if (status != LW_OK) return status;
  }
  return push_links(run, START, &run->start, 0) ? search_legs(run) : LW_OUT_OF_MEMORY;
}

/* --- the path ----------------------------------------------------------------------------------------------------- */

static int leg_before(inter_run *run, int leg) {
  const int from = run->scratch->legs[leg].from;
  return from == START ? -1 : node_of(run, from)->leg;
}

/* @param exposed_to  [threats] Where to put what each threat sees of the link. */
static lwi_path_part part_of(inter_run *run, const lwi_leg *leg, float *exposed_to) {
  lwi_path_part part = {.path = leg->path, .kind = LW_LINK_NONE};
  if (leg->to == goal_of(run)) return part;
  const lwi_inter_link *link = &run->scene->links.items[leg->to];
  const lwi_edge edge = edge_of(run, link);
  part.kind = link->kind;
  part.length = link->length;
  part.area = link->area != LW_AREA_NONE ? link->area : edge.from_mesh->polygons.areas[edge.from];
  part.to = link->end.poly;
  part.run = lwi_run_link(run->path->final_prices ? run->path->final_prices : run->path->prices, &edge);
  part.exposed_to = exposed_to;
  for (int k = 0; k < run->path->query->threat_count; k++) exposed_to[k] = 0;
  part.extras = extras_of(run, link, exposed_to);
  part.cost = link->cost;
  part.id = link->id;
  return part;
}

static lw_status join_legs(inter_run *run, lw_path **path) {
  lwi_inter_scratch *scratch = run->scratch;
  int count = 0;
  for (int leg = run->goal_leg; leg >= 0; leg = leg_before(run, leg)) count += 1;
  if (!lwi_reserve(run->memory, &scratch->parts, &scratch->part_capacity, count, sizeof *scratch->parts))
    return LW_OUT_OF_MEMORY;
  const int threats = run->path->query->threat_count;
  if (threats > 0 && count >= INT32_MAX / threats) return LW_OUT_OF_MEMORY;
  if (!lwi_reserve(run->memory, &scratch->seen, &scratch->seen_capacity, count * threats + 1, sizeof(float)))
    return LW_OUT_OF_MEMORY;
  int at = count;
  for (int leg = run->goal_leg; leg >= 0; leg = leg_before(run, leg)) {
    at -= 1;
    scratch->parts[at] = part_of(run, &scratch->legs[leg], scratch->seen + at * threats);
  }
  *path = lwi_path_join(scratch->parts, count, &run->scene->allocator);
  if (!*path) return LW_OUT_OF_MEMORY;
  (*path)->cost = run->path->final_prices ? lwi_path_cost_sum(*path) : scratch->legs[run->goal_leg].g;
  (*path)->nodes = run->nodes;
  (*path)->partial = run->partial;
  (*path)->reduced = run->reduced;
  return run->partial ? LW_PARTIAL : LW_OK;
}

static inter_run begin(const lwi_path_run *path) {
  return (inter_run){.path = path,
                     .scene = path->scene,
                     .memory = &path->workspace->memory,
                     .scratch = &path->workspace->inter};
}

lw_status lwi_inter_path_find(const lwi_path_run *path_run, const lwi_nav *nav, lw_location from,
                              lw_path **path) {
  inter_run run = begin(path_run);
  lwi_inter_scratch *scratch = run.scratch;
  scratch->leg_count = scratch->open.count = 0;
  lw_status status = prepare(&run, nav, from);
  if (status == LW_OK) status = search_all(&run);
  if (status == LW_OK) status = join_legs(&run, path);
  for (int i = 0; i < scratch->leg_count; i++) lw_path_destroy(scratch->legs[i].path);
  scratch->leg_count = 0;
  release_reaches(&run);
  return run.failed ? LW_OUT_OF_MEMORY : status;
}

lw_status lwi_inter_path_exists(const lwi_path_run *path_run, const lwi_nav *nav, lw_location from,
                                bool *exists) {
  inter_run run = begin(path_run);
  lw_status status = prepare(&run, nav, from);
  release_reaches(&run);
  if (run.failed) return LW_OUT_OF_MEMORY;
  *exists = status == LW_OK;
  return status == LW_NO_PATH ? LW_OK : status;
}
