/* Plans by rooms: Dijkstra over doors and links. */
#include "query/room_graph.h"

#include "core/status.h"

#include <math.h>
#include <string.h>

/* Rounds in which the places of a plan are moved along their doors. */
#define ROUNDS 4

lw_room_plan_query lw_room_plan_query_default(void) {
  return (lw_room_plan_query){.snap = {2, 4, 2}, .cookie = LWI_COOKIE};
}

typedef struct plan_end {
  lw_vec3 at;
  uint32_t region, room;
} plan_end;

typedef struct room_plan {
  lwi_memory memory;
  const lw_room_graph *graph;
  const lwi_room_costs *costs;
  const lwi_reach *reach;
  plan_end from, to;
  bool *avoids;       /* [room_count] */
  float *g;           /* [2 * node_count] Up to a node, by the side on which the plan goes on. */
  uint32_t *previous; /* [2 * node_count] LWI_NONE: the start */
  float *to_goal;     /* [ends of the goal's room] From there to the goal. */
  lwi_heap open;
  lwi_room_walk walk;
  float best; /* the cheapest plan so far */
  uint32_t last;
} room_plan;

static lw_status find_end(const room_plan *plan, lw_vec3 point, lw_vec3 snap, plan_end *end) {
  lw_location at;
  const lw_status status =
      lw_navmesh_nearest(plan->graph->nav->mesh, point, snap, &plan->graph->prices.filter, &at);
  if (status != LW_OK) return status;
  end->at = at.point;
  end->region = lwi_room_region_at(plan->reach, plan->graph->nav->mesh, at);
  end->room = end->region == LWI_NONE ? LWI_NONE : plan->costs->rooms[end->region];
  return end->room == LWI_NONE ? LW_NO_POINT : LW_OK;
}

/* What it costs to walk from a place to each node of its room. @param costs  [nodes of the room] */
static bool walk_from(room_plan *plan, const plan_end *end, float *costs) {
  const lwi_room_ends *room = &plan->costs->by_room[end->room];
  lwi_room_walk_begin(&plan->walk, end->room);
  if (!lwi_room_walk_from(&plan->walk, end->region, end->at, 0) || !lwi_room_walk_run(&plan->walk))
    return false;
  for (uint32_t i = 0; i < room->count; i++) {
    const lwi_room_node *node = &plan->costs->nodes[plan->costs->ends[room->first + i]];
    costs[i] = lwi_room_walk_to(&plan->walk, node, node->rooms[0] == end->room ? 0 : 1);
  }
  return true;
}

static bool is_link(const lwi_room_node *node) {
  return !lw_link_id_is_none(node->link);
}

/* Offer a cost up to a node, which is come to in a room. The state is the node with the side on which the plan goes on. */
static bool offer(room_plan *plan, uint32_t n, uint32_t room, float cost, uint32_t previous) {
  const lwi_room_node *node = &plan->costs->nodes[n];
  const uint32_t side = node->rooms[0] == room ? 1 : 0;
  if (side == 0 && is_link(node)) return true; /* it begins in the other room */
  const uint32_t state = 2 * n + side;
  cost += node->price;
  if (!(cost < plan->g[state])) return true;
  if (plan->avoids[node->rooms[side]] && node->rooms[side] != plan->to.room) return true;
  plan->g[state] = cost;
  plan->previous[state] = previous;
  return lwi_heap_push(&plan->open, &plan->memory, cost, state);
}

static float cost_between(const room_plan *plan, const lwi_room_node *node, uint32_t side, uint32_t i) {
  const uint32_t room = node->rooms[side];
  const lwi_room_ends *of = &plan->costs->by_room[room];
  if (node->first_cost[side] != LWI_NONE) return plan->costs->costs[node->first_cost[side] + i];
  const lwi_room_node *other = &plan->costs->nodes[plan->costs->ends[of->first + i]];
  return of->price * lwi_distance(node->at[side], other->at[other->rooms[0] == room ? 0 : 1]);
}

static bool expand(room_plan *plan, uint32_t state) {
  const lwi_room_node *node = &plan->costs->nodes[state / 2];
  const uint32_t side = state % 2, room = node->rooms[side];
  const lwi_room_ends *of = &plan->costs->by_room[room];
  const float g = plan->g[state];
  for (uint32_t i = 0; i < of->count; i++) {
    const uint32_t n = plan->costs->ends[of->first + i];
    if (n == state / 2) {
      if (room == plan->to.room && g + plan->to_goal[i] < plan->best) {
        plan->best = g + plan->to_goal[i];
        plan->last = state;
      }
      continue;
    }
    if (!offer(plan, n, room, g + cost_between(plan, node, side, i), state)) return false;
  }
  return true;
}

static bool begin(room_plan *plan) {
  const lwi_room_ends *from = &plan->costs->by_room[plan->from.room];
  for (int i = 0; i < 2 * plan->costs->node_count; i++) plan->g[i] = INFINITY;
  if (!walk_from(plan, &plan->to, plan->to_goal)) return false;
  float *starts = lwi_alloc(&plan->memory, from->count * sizeof *starts);
  bool done = (starts || from->count == 0) && walk_from(plan, &plan->from, starts);
  plan->last = LWI_NONE;
  plan->best = done ? lwi_room_walk_at(&plan->walk, plan->to.region, plan->to.at) : INFINITY;
  if (done && plan->from.region == plan->to.region)
    plan->best = lwi_distance(plan->from.at, plan->to.at) *
                 lwi_price_in(&plan->graph->prices, &plan->reach->graph, plan->from.region);
  for (uint32_t i = 0; done && i < from->count; i++)
    if (starts[i] < INFINITY)
      done = offer(plan, plan->costs->ends[from->first + i], plan->from.room, starts[i], LWI_NONE);
  lwi_free(&plan->memory, starts, from->count * sizeof *starts);
  return done;
}

static bool run(room_plan *plan) {
  lwi_heap_entry next;
  if (!begin(plan)) return false;
  while (lwi_heap_pop(&plan->open, &next)) {
    if (next.key >= plan->best) break;
    if (next.key > plan->g[next.item]) continue;
    if (!expand(plan, next.item)) return false;
  }
  return true;
}

/* --- the steps ---------------------------------------------------------------------------------------------------- */

static int count_steps(const room_plan *plan) {
  int count = 1;
  for (uint32_t state = plan->last; state != LWI_NONE; state = plan->previous[state]) count++;
  return count;
}

static void fill_step(const room_plan *plan, uint32_t state, lw_room_step *step) {
  if (state == LWI_NONE) {
    *step = (lw_room_step){.room = (int)plan->from.room, .door = -1, .at = plan->from.at};
    return;
  }
  const lwi_room_node *node = &plan->costs->nodes[state / 2];
  *step = (lw_room_step){.room = (int)node->rooms[state % 2],
                         .door = node->door,
                         .link = node->link,
                         .at = node->at[state % 2],
                         .cost = plan->g[state]};
}

/* Move the place of a step along its door to where the route from the place before to the place after is shortest, about. */
static void move_place(const room_plan *plan, uint32_t state, lw_vec3 before, lw_vec3 after, lw_vec3 *at) {
  const lwi_room_node *node = &plan->costs->nodes[state / 2];
  float best = lwi_distance(before, *at) + lwi_distance(*at, after);
  if (is_link(node)) return;
  for (uint32_t i = 0; i < node->piece_count; i++) {
    const lwi_room_piece *piece = &plan->costs->pieces[node->first_piece + i];
    float low = 0, high = 1; /* the sum of two distances is convex along a segment */
    for (int k = 0; k < 12; k++) {
      const float a = low + (high - low) / 3, b = high - (high - low) / 3;
      const lw_vec3 p = lwi_lerp(piece->left, piece->right, a), q = lwi_lerp(piece->left, piece->right, b);
      if (lwi_distance(before, p) + lwi_distance(p, after) < lwi_distance(before, q) + lwi_distance(q, after))
        high = b;
      else
        low = a;
    }
    const lw_vec3 place = lwi_lerp(piece->left, piece->right, (low + high) / 2);
    const float sum = lwi_distance(before, place) + lwi_distance(place, after);
    if (sum >= best) continue;
    best = sum;
    *at = place;
  }
}

static void fill_steps(const room_plan *plan, lw_room_step *steps, int count) {
  uint32_t state = plan->last;
  for (int i = count - 1; i >= 0; i--) {
    fill_step(plan, state, &steps[i]);
    if (i > 0) state = plan->previous[state];
  }
  for (int round = 0; round < ROUNDS; round++) {
    state = plan->last;
    lw_vec3 after = plan->to.at;
    for (int i = count - 1; i > 0; i--) {
      move_place(plan, state, steps[i - 1].at, after, &steps[i].at);
      after = is_link(&plan->costs->nodes[state / 2]) ? plan->costs->nodes[state / 2].at[0] : steps[i].at;
      state = plan->previous[state];
    }
  }
}

/* --- the question ------------------------------------------------------------------------------------------------- */

static lw_status alloc_plan(room_plan *plan, const lw_room_plan_query *query) {
  lwi_memory *memory = &plan->memory;
  const size_t states = 2 * (size_t)plan->costs->node_count, rooms = plan->costs->room_count;
  plan->avoids = lwi_alloc_zero(memory, rooms * sizeof *plan->avoids);
  plan->g = lwi_alloc(memory, states * sizeof *plan->g);
  plan->previous = lwi_alloc(memory, states * sizeof *plan->previous);
  const size_t ends = plan->costs->by_room[plan->to.room].count;
  plan->to_goal = lwi_alloc(memory, ends * sizeof *plan->to_goal);
  if (!lwi_room_walk_init(&plan->walk, memory, plan->graph, plan->costs, plan->reach)) return LW_OUT_OF_MEMORY;
  if (!plan->avoids || (states && (!plan->g || !plan->previous)) || (ends && !plan->to_goal))
    return LW_OUT_OF_MEMORY;
  for (int i = 0; i < query->avoid_count; i++) {
    if (query->avoid[i] < 0 || (size_t)query->avoid[i] >= rooms) return LW_INVALID;
    plan->avoids[query->avoid[i]] = true;
  }
  return LW_OK;
}

static void free_plan(room_plan *plan) {
  lwi_memory *memory = &plan->memory;
  const size_t states = 2 * (size_t)plan->costs->node_count;
  lwi_room_walk_free(&plan->walk);
  lwi_free(memory, plan->avoids, plan->costs->room_count * sizeof *plan->avoids);
  lwi_free(memory, plan->g, states * sizeof *plan->g);
  lwi_free(memory, plan->previous, states * sizeof *plan->previous);
  lwi_free(memory, plan->to_goal, plan->costs->by_room[plan->to.room].count * sizeof *plan->to_goal);
  lwi_heap_free(&plan->open, memory);
}

static bool check(const lw_room_graph *graph, const lw_room_plan_query *query) {
  return graph && query && query->cookie == LWI_COOKIE && query->avoid_count >= 0 &&
         (query->avoid || query->avoid_count == 0) && lwi_finite(query->from) && lwi_finite(query->to) &&
         lwi_is_snap(query->snap);
}

static lw_status find_with(room_plan *plan, const lw_room_plan_query *query, lw_room_step *steps, int capacity,
                           int *count) {
  if (find_end(plan, query->from, query->snap, &plan->from) != LW_OK) return LW_NO_START;
  if (find_end(plan, query->to, query->snap, &plan->to) != LW_OK) return LW_NO_GOAL;
  plan->walk = (lwi_room_walk){.memory = &plan->memory, .costs = plan->costs};
  lw_status status = alloc_plan(plan, query);
  if (status == LW_OK && !run(plan)) status = LW_OUT_OF_MEMORY;
  if (status == LW_OK && !(plan->best < INFINITY)) status = LW_NO_PATH;
  if (status == LW_OK) {
    const int found = count_steps(plan);
    lw_room_step *all = lwi_alloc(&plan->memory, (size_t)found * sizeof *all);
    if (all) {
      fill_steps(plan, all, found);
      for (int i = 0; i < found && i < capacity; i++) steps[i] = all[i];
      *count = found;
    } else {
      status = LW_OUT_OF_MEMORY;
    }
    lwi_free(&plan->memory, all, (size_t)found * sizeof *all);
  }
  free_plan(plan);
  return status;
}

lw_status lw_room_plan_find(const lw_room_graph *graph, const lw_room_plan_query *query, lw_room_step *steps,
                            int capacity, int *count, float *cost) {
  if (cost) *cost = INFINITY;
  if (count) *count = 0;
  if (!count || capacity < 0 || (!steps && capacity > 0) || !check(graph, query)) return LW_INVALID;
  if (lw_room_graph_is_stale(graph)) return LW_STALE;
  lwi_components *components = &graph->nav->shared->components;
  room_plan plan = {.memory = lwi_memory_make(&graph->scene->allocator),
                    .graph = graph,
                    .costs = &graph->costs,
                    .reach = lwi_components_acquire(components, &graph->prices.filter)};
  if (!plan.reach) return LW_OUT_OF_MEMORY;
  const lw_status status = find_with(&plan, query, steps, capacity, count);
  if (status == LW_OK && cost) *cost = plan.best;
  lwi_components_release(components, plan.reach);
  return status;
}
