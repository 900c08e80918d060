/* A* (Hart, Nilsson, Raphael 1968) over portals. Each portal is crossed where the way from its parent to the goal
   would cross it, or at its nearest end: on open ground this follows the straight line, where edge midpoints zigzag.
   The point depends on the parent, so a node is opened again when a later way to it is cheaper. Where the price of a
   metre changes, the straight line is a poor guess: there the portal may also be crossed at the point nearest to the
   parent and at either end, which lets a way run along the border on its cheaper side. */
#include "search/search.h"

#include "mesh/berth.h"
#include "search/near_lanes.h"

#include <string.h>

/* A better way must be better by more than rounding, or two nodes could reopen each other for ever. */
#define BETTER 0.99999f
/* Prices that differ by no more than this part bend a way so little that it crosses where it would anyway: ground that lies
   more or less open differs from polygon to polygon. Four places to cross at in place of one saved 0.5 % at most, and took
   two to three times as long. */
#define ALIKE 0.2f
/* Heights of a portal seen from its two sides differ, so the triangle inequality holds but for this. [m] */
#define IDLE_SLACK 1e-3f

/* Polygons looked at for what a metre costs on the average. */
#define PRICE_SAMPLES 24
/* One in a hurry takes a metre to be dearer still than the cheapest one, so that the way goes on where it has come to. */
#define HURRY 1.8f

#define GOAL 0

bool lwi_search_init(lwi_search *search, lwi_memory *memory, const lw_navmesh *mesh) {
  *search = (lwi_search){.memory = memory, .graph = lwi_graph_of(mesh)};
  search->node_count = 1 + mesh->link_count + mesh->portal_count;
  search->entry_count = mesh->polygon_count + 1;
  search->nodes = lwi_alloc_zero(memory, search->node_count * sizeof *search->nodes);
  search->entries = lwi_alloc_zero(memory, search->entry_count * sizeof *search->entries);
  return search->nodes && search->entries;
}

void lwi_search_free(lwi_search *search) {
  if (!search->memory) return;
  lwi_heap_free(&search->open, search->memory);
  lwi_shortcuts_free(&search->shortcuts, search->memory);
  lwi_free(search->memory, search->corridor, (size_t)search->corridor_capacity * sizeof *search->corridor);
  lwi_free(search->memory, search->nodes, search->node_count * sizeof *search->nodes);
  lwi_free(search->memory, search->entries, search->entry_count * sizeof *search->entries);
  *search = (lwi_search){0};
}

static bool grow_nodes(lwi_search *search, uint32_t count) {
  if (search->node_count >= count) return true;
  lwi_node *nodes =
      lwi_resize(search->memory, search->nodes, search->node_count * sizeof *nodes, count * sizeof *nodes);
  if (!nodes) return false;
  memset(nodes + search->node_count, 0, (count - search->node_count) * sizeof *nodes);
  search->nodes = nodes;
  search->node_count = count;
  return true;
}

/* Room for so many points of every portal. */
static bool add_points(lwi_search *search, uint32_t points) {
  return grow_nodes(search, 1 + search->graph.mesh->link_count + search->graph.portal_count * points);
}

/* Room for the places round dangers, behind all points of the portals. */
static bool add_places(lwi_search *search, const lwi_search_query *query) {
  search->place_base = search->lane_base = LWI_NONE;
  if (!query->dangers && !query->lanes) return true;
  if (!add_points(search, LWI_DANGER_POINTS)) return false;
  const lwi_rings *dangers = query->dangers ? query->dangers->rings : NULL,
                  *lanes = query->lanes ? query->lanes->rings : NULL;
  uint32_t base = 1 + search->graph.mesh->link_count + search->graph.portal_count * LWI_DANGER_POINTS,
           lane_base = base + (dangers ? (uint32_t)dangers->place_count : 0);
  if (!grow_nodes(search, lane_base + (lanes ? (uint32_t)lanes->place_count : 0))) return false;
  search->place_base = base;
  search->lane_base = lane_base;
  search->places = dangers ? dangers->places : NULL;
  search->lane_places = lanes ? lanes->places : NULL;
  return true;
}

static bool add_entries(lwi_search *search) {
  uint32_t count = search->graph.room_count + 1;
  if (search->entry_count >= count) return true;
  lwi_entry *entries = lwi_resize(search->memory, search->entries, search->entry_count * sizeof *entries,
                                  count * sizeof *entries);
  if (!entries) return false;
  memset(entries + search->entry_count, 0, (count - search->entry_count) * sizeof *entries);
  search->entries = entries;
  search->entry_count = count;
  return true;
}

/* Where the straight way from `from` to `to` crosses the portal in xz, or the end that it passes nearest. */
static lw_vec3 crossing(lw_vec3 from, lw_vec3 to, lw_vec3 left, lw_vec3 right) {
  double side_left = lwi_turn(from, to, left), side_right = lwi_turn(from, to, right);
  if (side_left > 0 && side_right < 0)
    return lwi_lerp(right, left, (float)(side_right / (side_right - side_left)));
  float by_left = lwi_distance(from, left) + lwi_distance(left, to);
  float by_right = lwi_distance(from, right) + lwi_distance(right, to);
  return by_left < by_right ? left : right;
}

/* Dangers that ways out of one room are led round at most. */
#define MAX_ENTERED 32

/* From so many places a search looks for ways along lanes, times the lanes about each; a hundred lanes on an open field take a
   quarter of that. Behind those places a way pays for the lanes that it meets. */
#define MAX_ALONG 400000

typedef struct expansion {
  lwi_search *search;
  const lwi_search_query *query;
  /* Where the way is likely to lead from the room that is being left, and past a danger on the way there, on its left and
     on its right. */
  uint32_t aim_count;
  lw_vec3 aims[3];
  lwi_charges charges;
  bool by_place; /* what these are */
  bool by_guess;
  bool hurried; /* nodes that were expanded stay as they are, for `metre` may be too much */
  float most;   /* no way that costs so much is wanted */
  float metre;  /* what a metre of what is left is taken to cost [metre-equivalents] */
  bool failed;  /* no memory to see by */
  int entered_count;
  uint32_t entered[MAX_ENTERED]; /* rings of dangers that straight ways out of this room enter */
  bool enters_lane;              /* one of these does; then one looks at: */
  int along; /* places from which ways along lanes were looked for, times those about each */
  lwi_near_lanes near;
} expansion;

static lwi_node *touch(lwi_search *search, uint32_t index) {
  lwi_node *node = &search->nodes[index];
  if (node->stamp != search->stamp)
    *node = (lwi_node){.stamp = search->stamp, .parent = LWI_NONE, .g = INFINITY, .f = INFINITY};
  return node;
}

static bool is_banned(const expansion *run, uint32_t from, uint32_t to) {
  const lwi_graph *graph = &run->search->graph;
  for (int i = 0; i < run->query->ban_count; i++)
    if (run->query->bans[i].from == lwi_node_first(graph, from) &&
        run->query->bans[i].to == lwi_node_first(graph, to))
      return true;
  return false;
}

static bool relax(expansion *run, uint32_t index, uint32_t parent, lw_vec3 point, float g) {
  lwi_node *node = touch(run->search, index);
  float f = g + lwi_shortcuts_bound(&run->search->shortcuts, point) * run->metre;
  if (!(f < node->f * BETTER) || !(f < run->most) || (node->closed && run->hurried)) return true;
  if (run->query->ban_count > 0 && is_banned(run, parent, index)) return true;
  node->parent = parent;
  node->g = g;
  node->f = f;
  node->point = point;
  node->closed = false;
  return lwi_heap_push(&run->search->open, run->search->memory, f, index);
}

/* Is entering room `index` at `point` for `g` no better than how it was entered before? */
static bool is_idle(const expansion *run, uint32_t index, lw_vec3 point, float g) {
  const lwi_entry *entry = &run->search->entries[index];
  if (entry->stamp != run->search->stamp) return false;
  float length = lwi_distance(entry->point, point) - IDLE_SLACK;
  return g >= entry->g + lwi_charge_most(&run->charges, lwi_room_polygon(&run->search->graph, index), length);
}

static lw_vec3 nearest_on(lw_vec3 point, lw_vec3 left, lw_vec3 right) {
  return lwi_lerp(right, left, fminf(1, fmaxf(0, lwi_part_along_xz(right, left, point))));
}

/* A room that is being left. */
typedef struct room_exit {
  uint32_t room, came_from, node; /* `node`: by which it was entered */
  bool at_place;                  /* which is a place within it */
  lw_vec3 point;                  /* and where */
  float g, price;
  bool by_place; /* the price of a way through it depends on where it runs */
} room_exit;

static void note(expansion *run, uint32_t ring) {
  for (int i = 0; i < run->entered_count; i++)
    if (run->entered[i] == ring) return;
  if (run->entered_count < MAX_ENTERED) run->entered[run->entered_count++] = ring;
}

/* Remember dangers and lanes on the straight way to `at`, to try the ways round them. */
static void note_entered(expansion *run, const room_exit *from, uint32_t polygon, lw_vec3 at) {
  const lwi_dangers *dangers = run->charges.dangers;
  const lwi_lanes *lanes = run->charges.lanes;
  if (run->search->place_base == LWI_NONE) return;
  for (uint32_t i = lwi_rings_first(dangers, polygon); i != LWI_NONE; i = dangers->rings->rings[i].next)
    if (lwi_disc_enters(&dangers->discs[dangers->rings->rings[i].danger], from->point, at)) note(run, i);
  run->enters_lane = run->enters_lane || lwi_lanes_price(lanes, polygon, from->point, at) > 0;
}

/* The price of going straight to `at` within the room. */
static float leg_by_place(expansion *run, const room_exit *from, lw_vec3 at) {
  uint32_t polygon = lwi_room_polygon(&run->search->graph, from->room);
  float cost = run->by_guess ? lwi_charge_guess(&run->charges, polygon, from->point, at)
                             : lwi_charge_sum(&run->charges, polygon, from->point, at);
  run->failed = run->failed || cost < 0;
  if (run->charges.lanes)
    run->search->lane_looks +=
        (uint64_t)(run->charges.lanes->only ? run->charges.lanes->only_count : run->charges.lanes->count);
  if (cost > lwi_charge_least(&run->charges, polygon, lwi_distance(from->point, at)))
    note_entered(run, from, polygon, at);
  return cost;
}
static inline float leg(expansion *run, const room_exit *from, lw_vec3 at) {
  return from->by_place ? leg_by_place(run, from, at) : lwi_distance(from->point, at) * from->price;
}
/* May going there still be better than what was found, were it not seen on the way? */
static inline bool may_better(expansion *run, const room_exit *from, uint32_t index, lw_vec3 at) {
  const lwi_node *node = &run->search->nodes[index];
  if (node->stamp != run->search->stamp) return true;
  return from->g + lwi_distance(from->point, at) * from->price < node->g;
}

/* May one go straight? Of who keeps off walls, ways between portals are made clear of them later, those from and to places are
   not. */
static bool is_clear(const expansion *run, const room_exit *from, lw_vec3 to) {
  return lwi_berth_clear(run->query->berth, lwi_room_polygon(&run->search->graph, from->room), from->point, to,
                         LWI_CLEAR_SLACK);
}

/* May a way over there still be better than the one to the goal that was found? */
static bool may_lead_on(expansion *run, const room_exit *from, lw_vec3 at) {
  const lwi_node *goal = &run->search->nodes[GOAL];
  float most = goal->stamp == run->search->stamp ? goal->f : run->most;
  return from->g + lwi_distance(from->point, at) * from->price +
             lwi_shortcuts_bound(&run->search->shortcuts, at) * run->metre <
         most;
}

static bool cross_at(expansion *run, const room_exit *from, uint32_t portal, uint32_t which, lw_vec3 at) {
  const lwi_graph *graph = &run->search->graph;
  if (from->at_place && !is_clear(run, from, at)) return true;
  uint32_t node = 1 + graph->mesh->link_count + which * graph->portal_count + portal;
  if (run->by_guess && !may_better(run, from, node, at)) return true;
  if (run->charges.lanes && !(may_better(run, from, node, at) && may_lead_on(run, from, at))) return true;
  float g = from->g + leg(run, from, at);
  if (is_idle(run, graph->portals[portal].to, at, g)) return true;
  return relax(run, node, from->node, at, g);
}

/* At its nearest point, at its ends, and if the price depends on the place at points between them. */
static bool cross_elsewhere(expansion *run, const room_exit *from, uint32_t k, bool by_place, lw_vec3 left,
                            lw_vec3 right) {
  if (!add_points(run->search, by_place ? LWI_WATCHED_POINTS : LWI_POINTS)) return false;
  if (!cross_at(run, from, k, 1, nearest_on(from->point, left, right)) || !cross_at(run, from, k, 2, left) ||
      !cross_at(run, from, k, 3, right))
    return false;
  for (uint32_t which = LWI_POINTS; which < LWI_WATCHED_POINTS && by_place; which++)
    if (!cross_at(run, from, k, which, lwi_lerp(left, right, 0.25f * (float)(which - LWI_POINTS + 1))))
      return false;
  return true;
}

/* The start may lie on the portal, or by rounding a hair behind it. */
static lw_vec3 nearest_at_start(lw_vec3 start, lw_vec3 at, lw_vec3 left, lw_vec3 right) {
  lw_vec3 nearest = nearest_on(start, left, right);
  return lwi_distance_xz(nearest, start) <= lwi_rounding(start) ? nearest : at;
}

static bool cross_portal(expansion *run, const room_exit *from, uint32_t k) {
  const lwi_graph *graph = &run->search->graph;
  const lwi_portal *portal = &graph->portals[k];
  float behind = lwi_price_in(run->query->prices, graph, portal->to);
  if (behind == INFINITY) return true;
  bool by_place =
      run->by_place &&
      (from->by_place || lwi_charges_by_place_in(&run->charges, lwi_room_polygon(graph, portal->to)));
  /* Back to where it came from only leads anywhere when that was dearer ground to go along, or seen. */
  if (portal->to == from->came_from && behind <= from->price * (1 + ALIKE) && !by_place) return true;
  lw_vec3 left, right;
  lwi_graph_points(graph, from->room, portal, &left, &right);
  for (uint32_t i = 0; i < run->aim_count; i++) {
    lw_vec3 at = crossing(from->point, run->aims[i], left, right);
    if (from->node == LWI_NONE) at = nearest_at_start(from->point, at, left, right);
    if (!cross_at(run, from, k, i == 0 ? 0 : LWI_WATCHED_POINTS - 1 + i, at)) return false;
  }
  bool alike = fabsf(behind - from->price) <= ALIKE * fminf(behind, from->price);
  run->search->uneven = run->search->uneven || behind != from->price || by_place;
  if (alike && !by_place) return true;
  return run->hurried || cross_elsewhere(run, from, k, by_place && !run->by_guess, left, right);
}

static bool take_link(expansion *run, const room_exit *from, uint32_t k) {
  const lwi_graph *graph = &run->search->graph;
  const lwi_link *link = &graph->mesh->links[k];
  lwi_link_rooms rooms = lwi_graph_link_rooms(graph, k);
  if (rooms.from != from->room || rooms.to == LWI_NONE ||
      lwi_link_price(graph->mesh, link, run->query->prices) == INFINITY)
    return true;
  if (from->at_place && !is_clear(run, from, link->start)) return true;
  float g = from->g + leg(run, from, link->start) + lwi_charge_link(&run->charges, link);
  if (is_idle(run, rooms.to, link->end, g)) return true;
  return relax(run, 1 + k, from->node, link->end, g);
}

static bool take_links(expansion *run, const room_exit *from) {
  const lw_navmesh *mesh = run->search->graph.mesh;
  if (!mesh->first_link) return true;
  uint32_t polygon = lwi_room_polygon(&run->search->graph, from->room);
  for (uint32_t k = mesh->first_link[polygon]; k < mesh->first_link[polygon + 1]; k++)
    if (!take_link(run, from, k)) return false;
  return true;
}

/* Can a large agent turn at a place? Places are of the mesh's polygons, and one may be several rooms. */
static bool is_free_room(const expansion *run, const lwi_ring_place *place) {
  return place->portal == LWI_NONE &&
         lwi_next_room(&run->search->graph, place->polygon, place->polygon) == LWI_NONE;
}

/* To a place round a danger or a lane. What is on the way there is dear to ask, so that it is not where it does not matter. */
static bool turn_at(expansion *run, const room_exit *from, uint32_t node) {
  const lwi_ring_place *place = lwi_node_place(run->search, node);
  if (!may_better(run, from, node, place->point) || !may_lead_on(run, from, place->point)) return true;
  if (run->query->berth && !(is_free_room(run, place) && is_clear(run, from, place->point))) return true;
  float g = from->g + leg(run, from, place->point);
  if (place->portal != LWI_NONE) {
    uint32_t to = run->search->graph.portals[place->portal].to;
    if (lwi_price_in(run->query->prices, &run->search->graph, to) == INFINITY) return true;
    if (is_idle(run, to, place->point, g)) return true;
  }
  return relax(run, node, from->node, place->point, g);
}

/* In and out of a lane anywhere: one pays by the metre. */
static bool turn_along(expansion *run, const room_exit *from, const lwi_ring *ring) {
  for (uint32_t i = ring->first_place; i < ring->first_place + ring->place_count; i++)
    if (!turn_at(run, from, run->search->lane_base + i)) return false;
  return true;
}

/* Along the nearest lanes, if there are any on straight ways. */
static bool go_along(expansion *run, const room_exit *from) {
  const lwi_lanes *lanes = run->charges.lanes;
  uint32_t polygon = lwi_room_polygon(&run->search->graph, from->room);
  run->along += lwi_near_lanes_find(&run->near, lanes, polygon, from->point);
  run->charges.lanes = lwi_near_lanes_crossed(&run->near, lanes, polygon, from->point);
  bool good = true;
  for (int i = 0; i < run->near.count && good; i++)
    good = turn_along(run, from, &lanes->rings->rings[run->near.rings[i]]);
  run->charges.lanes = lanes;
  return good;
}

/* Round the dangers that straight ways enter, to either side, and along lanes; on the way to where to turn there may be
   others. */
static bool go_round(expansion *run, const room_exit *from) {
  if (run->enters_lane && run->along < MAX_ALONG && !go_along(run, from)) return false;
  for (int i = 0; i < run->entered_count; i++) {
    uint32_t turns[2];
    lwi_ring_turns(run->charges.dangers, run->entered[i], from->point, turns);
    for (int side = 0; side < 2; side++)
      if (turns[side] != LWI_NONE && !turn_at(run, from, run->search->place_base + turns[side])) return false;
  }
  return true;
}

/* Relax every portal and every link out of the room. */
static bool expand(expansion *run, room_exit from) {
  const lwi_graph *graph = &run->search->graph;
  const lwi_search_query *query = run->query;
  if (is_idle(run, from.room, from.point, from.g)) return true;
  run->search->entries[from.room] = (lwi_entry){run->search->stamp, from.g, from.point};
  from.price = lwi_price_in(query->prices, graph, from.room);
  run->entered_count = 0;
  run->enters_lane = false;
  from.by_place = run->by_place && lwi_charges_by_place_in(&run->charges, lwi_room_polygon(graph, from.room));
  if (from.room == query->to_room && (!from.at_place || is_clear(run, &from, query->to)) &&
      !relax(run, GOAL, from.node, query->to, from.g + leg(run, &from, query->to)))
    return false;
  if (run->search->shortcuts.count > 0)
    run->aims[0] = lwi_shortcuts_aim(&run->search->shortcuts, from.point,
                                     graph->mesh->islands[lwi_room_polygon(graph, from.room)]);
  if (query->dangers)
    run->aim_count = lwi_dangers_pass(query->dangers, from.point, run->aims[0], run->aims + 1) ? 3 : 1;
  for (uint32_t k = graph->first_portal[from.room]; k < graph->first_portal[from.room + 1]; k++)
    if (!cross_portal(run, &from, k)) return false;
  return take_links(run, &from) && go_round(run, &from) && !run->failed;
}

/* Places are of the mesh: of who keeps off walls they are spots in the way like any other. */
static lw_status collect(lwi_search *search, bool by_spots) {
  int count = 0;
  for (uint32_t at = search->nodes[GOAL].parent; at != LWI_NONE; at = search->nodes[at].parent) count += 1;
  if (!lwi_reserve(search->memory, &search->corridor, &search->corridor_capacity, count,
                   sizeof *search->corridor))
    return LW_OUT_OF_MEMORY;
  search->corridor_count = count;
  for (uint32_t at = search->nodes[GOAL].parent; at != LWI_NONE; at = search->nodes[at].parent)
    search->corridor[--count] = (lwi_step){by_spots && lwi_node_place(search, at) ? LWI_SPOT : at,
                                           lwi_search_room(search, at), search->nodes[at].point};
  return LW_OK;
}

/* The room on the other side of the portal that the node came in by; LWI_NONE: it came over a link. */
static uint32_t room_before(const lwi_search *search, const lwi_search_query *query, uint32_t node) {
  uint32_t parent = search->nodes[node].parent;
  if (lwi_node_link(&search->graph, node)) return LWI_NONE;
  return parent == LWI_NONE ? query->from_room : lwi_search_room(search, parent);
}

static void begin(lwi_search *search) {
  search->open.count = 0;
  search->corridor_count = 0;
  search->expanded = 0;
  search->uneven = false;
  search->stamp += 1;
  if (search->stamp > 0) return;
  memset(search->nodes, 0, search->node_count * sizeof *search->nodes);
  memset(search->entries, 0, search->entry_count * sizeof *search->entries);
  search->stamp = 1;
}

/* The harmonic mean over some of the polygons: half of them cheap is cheap. */
static float usual_price(const lwi_graph *graph, const lwi_prices *prices) {
  uint32_t count = graph->mesh->polygon_count, step = count / PRICE_SAMPLES + 1;
  float sum = 0, samples = 0;
  for (uint32_t i = 0; i < count; i += step) {
    float price = lwi_price_on(prices, graph->mesh, i);
    sum += price < INFINITY ? 1 / price : 0;
    samples += price < INFINITY ? 1 : 0;
  }
  return samples > 0 ? samples / sum : prices->lowest;
}

lw_status lwi_search_run(lwi_search *search, const lwi_search_query *query) {
  search->graph = *query->graph;
  if (!add_points(search, 1) || !add_places(search, query) || !add_entries(search)) return LW_OUT_OF_MEMORY;
  begin(search);
  expansion run = {.search = search,
                   .query = query,
                   .aim_count = 1,
                   .aims = {query->to},
                   .charges = lwi_query_charges(query)};
  run.hurried = query->quality == LW_QUALITY_FAST;
  run.most = query->most > 0 ? query->most : INFINITY;
  run.metre = query->prices->lowest;
  if (run.hurried) run.metre += HURRY * (usual_price(&search->graph, query->prices) - run.metre);
  run.by_place = lwi_charges_by_place(&run.charges);
  run.by_guess = lwi_charges_by_guess(&run.charges);
  if (!lwi_shortcuts_begin(&search->shortcuts, search->memory, search->graph.mesh, query->prices, query->to,
                           lwi_room_polygon(&search->graph, query->to_room)))
    return LW_OUT_OF_MEMORY;
  room_exit start = {.room = query->from_room, .came_from = LWI_NONE, .node = LWI_NONE, .point = query->from};
  if (!expand(&run, start)) return LW_OUT_OF_MEMORY;
  search->expanded = 1;
  lwi_heap_entry entry;
  while (lwi_heap_pop(&search->open, &entry)) {
    lwi_node *node = &search->nodes[entry.item];
    if (node->closed || entry.key > node->f) continue; /* a cheaper way was found since */
    if (entry.item == GOAL) return collect(search, query->berth != NULL);
    if (search->expanded >= query->max_nodes) return LW_OUT_OF_NODES;
    node->closed = true;
    search->expanded += 1;
    room_exit from = {
        .room = lwi_search_room(search, entry.item),
        .came_from = room_before(search, query, entry.item),
        .node = entry.item,
        .at_place = lwi_node_place(search, entry.item) != NULL,
        .point = node->point,
        .g = node->g,
    };
    if (!expand(&run, from)) return LW_OUT_OF_MEMORY;
  }
  return LW_NO_PATH;
}
