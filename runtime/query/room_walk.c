/* What it costs to walk within a room: Dijkstra over its regions, with the last turn of each route and what is seen from there,
   as in a funnel. */
#include "query/room_graph.h"

#include <math.h>

bool lwi_room_walk_init(lwi_room_walk *walk, lwi_memory *memory, const lw_room_graph *graph,
                        const lwi_room_costs *costs, const lwi_reach *reach) {
  *walk = (lwi_room_walk){.memory = memory,
                          .graph = graph,
                          .costs = costs,
                          .reach = reach,
                          .room = LWI_NONE,
                          .found = lwi_alloc(memory, costs->largest * sizeof *walk->found)};
  return costs->largest == 0 || walk->found;
}

void lwi_room_walk_free(lwi_room_walk *walk) {
  lwi_free(walk->memory, walk->found, walk->costs->largest * sizeof *walk->found);
  lwi_heap_free(&walk->heap, walk->memory);
}

void lwi_room_walk_begin(lwi_room_walk *walk, uint32_t room) {
  walk->room = room;
  for (uint32_t i = 0; i < walk->costs->by_room[room].region_count; i++) walk->found[i].cost = INFINITY;
}

static bool enter(lwi_room_walk *walk, uint32_t region, const lwi_room_reach *found) {
  lwi_room_reach *known = &walk->found[walk->costs->locals[region]];
  if (!(found->cost < known->cost)) return true;
  *known = *found;
  return lwi_heap_push(&walk->heap, walk->memory, found->cost, region);
}

bool lwi_room_walk_from(lwi_room_walk *walk, uint32_t region, lw_vec3 at, float cost) {
  const float price = lwi_price_in(&walk->graph->prices, &walk->reach->graph, region);
  return enter(walk, region,
               &(lwi_room_reach){
                   .cost = cost, .at = at, .turn = at, .turn_cost = cost, .price = price, .is_open = true});
}

/* What a metre costs in the mean once the route goes on to `to` through ground of that price. */
static float mean_price(const lwi_room_reach *from, lw_vec3 to, float price) {
  const float before = lwi_distance(from->turn, from->at), more = lwi_distance(from->at, to);
  return before + more > 0 ? (from->price * before + price * more) / (before + more) : price;
}

/* Turn at a place that was seen last. */
static void turn_at(lwi_room_reach *next, lw_vec3 corner) {
  next->turn_cost += next->price * lwi_distance(next->turn, corner);
  next->turn = corner;
  next->is_open = true;
}

/* Go on through a portal: straight where it can be seen from the last turn, else round the corner that hides it. */
static lwi_room_reach pass(const lwi_room_reach *from, lw_vec3 left, lw_vec3 right, float price) {
  lwi_room_reach next = *from;
  next.price = mean_price(from, lwi_nearest_on(left, right, from->at), price);
  if (!next.is_open && lwi_turn(next.turn, next.left, right) >= 0)
    turn_at(&next, next.left); /* all of it lies left of what is seen */
  else if (!next.is_open && lwi_turn(next.turn, next.right, left) <= 0)
    turn_at(&next, next.right);
  const bool was_open = next.is_open;
  if (was_open || lwi_turn(next.turn, next.left, left) <= 0) next.left = left;
  if (was_open || lwi_turn(next.turn, next.right, right) >= 0) next.right = right;
  next.is_open = false;
  next.at = lwi_nearest_on(next.left, next.right, next.turn);
  next.at = lwi_nearest_on(left, right, next.at);
  next.cost = fmaxf(from->cost, next.turn_cost + next.price * lwi_distance(next.turn, next.at));
  return next;
}

static bool relax(lwi_room_walk *walk, uint32_t region) {
  const lwi_graph *graph = &walk->reach->graph;
  const lwi_prices *prices = &walk->graph->prices;
  const lwi_room_reach from = walk->found[walk->costs->locals[region]];
  const float price = lwi_price_in(prices, graph, region);
  for (uint32_t k = graph->first_portal[region]; k < graph->end_portal[region]; k++) {
    const lwi_portal *portal = &graph->portals[k];
    if (walk->costs->rooms[portal->to] != walk->room) continue;
    if (!(lwi_price_behind(prices, graph, portal) < INFINITY)) continue;
    lw_vec3 left, right;
    lwi_graph_points(graph, region, portal, &left, &right);
    const lwi_room_reach next = pass(&from, left, right, price);
    if (!enter(walk, portal->to, &next)) return false;
  }
  return true;
}

bool lwi_room_walk_run(lwi_room_walk *walk) {
  lwi_heap_entry next;
  while (lwi_heap_pop(&walk->heap, &next)) {
    if (next.key > walk->found[walk->costs->locals[next.item]].cost) continue;
    if (!relax(walk, next.item)) return false;
  }
  return true;
}

float lwi_room_walk_at(const lwi_room_walk *walk, uint32_t region, lw_vec3 at) {
  if (walk->costs->rooms[region] != walk->room) return INFINITY;
  lwi_room_reach found = walk->found[walk->costs->locals[region]];
  if (!(found.cost < INFINITY)) return INFINITY;
  found.price = mean_price(&found, at, lwi_price_in(&walk->graph->prices, &walk->reach->graph, region));
  if (!found.is_open && lwi_turn(found.turn, found.left, at) > 0) turn_at(&found, found.left);
  if (!found.is_open && lwi_turn(found.turn, found.right, at) < 0) turn_at(&found, found.right);
  return found.turn_cost + found.price * lwi_distance(found.turn, at);
}

float lwi_room_walk_to(const lwi_room_walk *walk, const lwi_room_node *node, int side) {
  float lowest = INFINITY;
  for (uint32_t i = 0; i < node->piece_count; i++) {
    const lwi_room_piece *piece = &walk->costs->pieces[node->first_piece + i];
    lowest = fminf(lowest, lwi_room_walk_at(walk, piece->regions[side], node->at[side]));
  }
  return lowest;
}

uint32_t lwi_room_region_at(const lwi_reach *reach, const lw_navmesh *mesh, lw_location at) {
  const uint32_t polygon = lwi_poly_index(mesh, at.poly);
  if (polygon == LWI_NONE) return LWI_NONE;
  for (uint32_t r = polygon; r != LWI_NONE; r = lwi_next_region(&reach->graph, r))
    if (reach->labels[r] != LWI_NONE) return r;
  return LWI_NONE;
}
