/* Ways over several navmeshes: A* (Hart, Nilsson, Raphael 1968) over the links between them. What lies between two such
   links is a path over one navmesh, searched only when its lower bound makes it the most promising of all. */
#include "core/status.h"
#include "mesh/berth_place.h"
#include "search/stand.h"
#include "world/world.h"

/* Lower bounds hold but for rounding. */
#define BOUND 0.9999f

/* A place where legs begin and end, and the room it lies in; LWI_NONE: shut in between walls. */
typedef struct stop {
  int navmesh;
  lw_location at;
  uint32_t room;
} stop;

typedef struct crossing_query {
  lw_world *world;
  lwi_bridge_room *room; /* the world's */
  const lw_path_query *query;
  const lwi_prices *prices;
  const lwi_prices *account; /* as in lwi_pricing */
  const lwi_reach *reaches[LW_NAVMESHES_MAX];
  stop start, goal;
  bool has_goal; /* false: there is no navmesh at the goal */
  bool partial;
  int nodes;    /* expanded so far */
  int goal_leg; /* by which the goal was reached */
} crossing_query;

#define START (-1)

static int goal_of(const crossing_query *run) {
  return run->world->bridge_count;
}

static lwi_region_room *work_of(const crossing_query *run, int navmesh) {
  return &run->world->grounds[navmesh].components.region;
}

static stop start_of(const crossing_query *run, int bridge) {
  const lwi_bridge *b = &run->world->bridges[bridge];
  return (stop){b->from, b->start, run->room->nodes[bridge].start_room};
}

static stop end_of(const crossing_query *run, int bridge) {
  const lwi_bridge *b = &run->world->bridges[bridge];
  return (stop){b->to, b->end, run->room->nodes[bridge].end_room};
}

static stop leg_begin(const crossing_query *run, int from) {
  return from == START ? run->start : end_of(run, from);
}

static stop leg_end(const crossing_query *run, int to) {
  return to == goal_of(run) ? run->goal : start_of(run, to);
}

/* --- what can be reached ------------------------------------------------------------------------------------------ */

static bool is_open(const crossing_query *run, const stop *from, const stop *to) {
  if (from->navmesh != to->navmesh) return false;
  const lwi_reach *reach = run->reaches[from->navmesh];
  if (from->room == LWI_NONE || to->room == LWI_NONE) return lwi_stand_straight(reach, from->at, to->at);
  return lwi_reaches(reach, reach->labels[from->room], reach->labels[to->room]);
}

/* @return What a leg costs at least; infinity: there is no way. */
static float bound_of(const crossing_query *run, const stop *from, const stop *to) {
  if (!is_open(run, from, to)) return INFINITY;
  if (run->world->grounds[from->navmesh].has_short_links) return 0;
  return BOUND * lwi_distance(from->at.point, to->at.point) * run->prices->lowest;
}

/* The room of a bridge's end; LWI_NONE also where it is too near to a wall to stand, and so nothing is open. */
static bool find_room(const crossing_query *run, int navmesh, lw_location at, uint32_t *room) {
  const lwi_reach *reach = run->reaches[navmesh];
  *room = lwi_poly_index(reach->graph.mesh, at.poly);
  return !reach->berth || lwi_berth_room(reach->berth, work_of(run, navmesh), *room, at.point, room);
}

/* What dangers cost that lie where it ends. */
static float danger_of(const crossing_query *run, const lwi_bridge *bridge) {
  const lwi_ground *ground = &run->world->grounds[bridge->to];
  lwi_dangers dangers;
  if (!lwi_world_dangers(run->world, ground, run->query->profile, &dangers)) return 0;
  return lwi_dangers_landed(&dangers, lwi_poly_index(ground->mesh, bridge->end.poly), bridge->start.point,
                            bridge->end.point);
}

static lwi_edge edge_of(const crossing_query *run, const lwi_bridge *bridge) {
  const lw_navmesh *from = run->world->meshes[bridge->from], *to = run->world->meshes[bridge->to];
  uint32_t start = lwi_poly_index(from, bridge->start.poly), end = lwi_poly_index(to, bridge->end.poly);
  return (lwi_edge){bridge->kind, bridge->area, from, to, start, end};
}

static float toll_of(const crossing_query *run, const lwi_bridge *bridge) {
  const lwi_edge edge = edge_of(run, bridge);
  float price = lwi_edge_price(run->prices, &edge);
  return price == INFINITY ? INFINITY : bridge->length * price + (run->account ? 0 : danger_of(run, bridge));
}

static bool find_tolls(const crossing_query *run) {
  for (int i = 0; i < run->world->bridge_count; i++) {
    const lwi_bridge *bridge = &run->world->bridges[i];
    lwi_bridge_node *node = &run->room->nodes[i];
    *node = (lwi_bridge_node){.start_room = LWI_NONE, .end_room = LWI_NONE, .leg = -1};
    node->toll = toll_of(run, bridge);
    if (node->toll == INFINITY) continue;
    if (!find_room(run, bridge->from, bridge->start, &node->start_room) ||
        !find_room(run, bridge->to, bridge->end, &node->end_room))
      return false;
  }
  return true;
}

/* The bridge whose rest is the least of those that are not settled, or -1. */
static int least_rest(const crossing_query *run) {
  int least = -1;
  for (int i = 0; i < run->world->bridge_count; i++) {
    const lwi_bridge_node *node = &run->room->nodes[i];
    if (node->settled || node->rest == INFINITY) continue;
    if (least < 0 || node->rest < run->room->nodes[least].rest) least = i;
  }
  return least;
}

/* Dijkstra from the goal backwards, with lower bounds for the legs. */
static void find_rests(const crossing_query *run) {
  int count = run->world->bridge_count;
  for (int i = 0; i < count; i++) {
    lwi_bridge_node *node = &run->room->nodes[i];
    stop end = end_of(run, i);
    node->settled = false;
    node->rest = node->toll < INFINITY ? bound_of(run, &end, &run->goal) : INFINITY;
  }
  for (int next = least_rest(run); next >= 0; next = least_rest(run)) {
    lwi_bridge_node *behind = &run->room->nodes[next];
    stop start = start_of(run, next);
    behind->settled = true;
    for (int i = 0; i < count; i++) {
      lwi_bridge_node *node = &run->room->nodes[i];
      stop end = end_of(run, i);
      if (node->settled || node->toll == INFINITY) continue;
      node->rest = fminf(node->rest, bound_of(run, &end, &start) + behind->toll + behind->rest);
    }
  }
}

static bool is_connected(const crossing_query *run) {
  if (is_open(run, &run->start, &run->goal)) return true;
  for (int i = 0; i < run->world->bridge_count; i++) {
    stop start = start_of(run, i);
    if (run->room->nodes[i].rest < INFINITY && is_open(run, &run->start, &start)) return true;
  }
  return false;
}

/* --- the ends ----------------------------------------------------------------------------------------------------- */

static lw_status stand(const crossing_query *run, lw_vec3 about, stop *place) {
  return lwi_stand(run->reaches[place->navmesh], work_of(run, place->navmesh), &run->prices->filter, about,
                   run->query->snap, &place->at, &place->room);
}

/* Where the goal's own navmesh cannot be reached: is the start's as near to it? */
static bool try_own_navmesh(crossing_query *run) {
  const lw_navmesh *mesh = run->world->meshes[run->start.navmesh];
  stop before = run->goal, other = {.navmesh = run->start.navmesh};
  lw_vec3 to = run->query->to;
  if (other.navmesh == before.navmesh ||
      lw_navmesh_nearest(mesh, to, run->query->snap, &run->prices->filter, &other.at) != LW_OK ||
      lwi_distance(other.at.point, to) > lwi_distance(before.at.point, to) + mesh->agent.climb ||
      stand(run, to, &other) != LW_OK)
    return false;
  run->goal = other;
  find_rests(run);
  if (is_connected(run)) return true;
  run->goal = before;
  return false;
}

/* Let the nearest place that can be reached from a stop be the goal, if it is nearer than `best`. */
static lw_status look_nearer(crossing_query *run, const stop *from, lw_vec3 goal, float *best) {
  const lwi_reach *reach = run->reaches[from->navmesh];
  stop found = {.navmesh = from->navmesh};
  if (from->room == LWI_NONE) return LW_OK;
  lw_status status = lwi_stand_nearest(reach, work_of(run, from->navmesh), &run->prices->filter,
                                       reach->labels[from->room], goal, &found.at, &found.room);
  if (status == LW_NO_POINT) return LW_OK;
  if (status != LW_OK || lwi_distance(found.at.point, goal) >= *best) return status;
  *best = lwi_distance(found.at.point, goal);
  run->goal = found;
  return LW_OK;
}

/* Were the places that can be reached from there looked at already? */
static bool is_known(const crossing_query *run, int first, const stop *from) {
  const uint32_t *labels = run->reaches[from->navmesh]->labels;
  if (from->room == LWI_NONE) return false;
  if (run->start.navmesh == from->navmesh && run->start.room != LWI_NONE &&
      labels[run->start.room] == labels[from->room])
    return true;
  for (int i = first; i >= 0; i = run->room->nodes[i].next) {
    stop end = end_of(run, i);
    if (end.navmesh == from->navmesh && end.room != LWI_NONE && labels[end.room] == labels[from->room])
      return true;
  }
  return false;
}

/* The place nearest to the goal that can be reached over whatever bridges becomes the goal. */
static lw_status go_nearest(crossing_query *run) {
  lw_vec3 goal = run->has_goal ? run->goal.at.point : run->query->to;
  lwi_bridge_node *nodes = run->room->nodes;
  float best = INFINITY;
  int first = -1, *last = &first;
  for (int i = 0; i < run->world->bridge_count; i++) nodes[i].settled = false;
  stop from = run->start;
  for (int at = START;;) {
    lw_status status = look_nearer(run, &from, goal, &best);
    if (status != LW_OK) return status;
    for (int i = 0; i < run->world->bridge_count; i++) {
      stop start = start_of(run, i), end = end_of(run, i);
      if (nodes[i].settled || nodes[i].toll == INFINITY || !is_open(run, &from, &start)) continue;
      nodes[i].settled = true;
      if (is_known(run, first, &end)) continue;
      nodes[i].next = -1;
      *last = i;
      last = &nodes[i].next;
    }
    at = at == START ? first : nodes[at].next;
    if (at < 0) break;
    from = end_of(run, at);
  }
  run->partial = true;
  if (best == INFINITY) return LW_NO_PATH;
  find_rests(run);
  return LW_OK;
}

static lw_status find_goal(crossing_query *run, const lw_profile *profile) {
  lwi_ground *ground;
  lw_status status = lwi_world_place(run->world, LW_NAVMESH_FITTING, run->query->to, run->query->snap, profile,
                                     &ground, &run->goal.at);
  run->has_goal = false;
  if (status == LW_OK) {
    run->goal.navmesh = (int)(ground - run->world->grounds);
    status = stand(run, run->query->to, &run->goal);
    run->has_goal = status == LW_OK;
  }
  return status == LW_NO_POINT ? LW_NO_GOAL : status;
}

/* Everything that is known without a search. @return LW_OK: there is a way, though it may be too narrow. */
static lw_status prepare(crossing_query *run, int navmesh, lw_location from) {
  for (int i = 0; i < run->world->ground_count; i++) {
    run->reaches[i] = lwi_components_get(&run->world->grounds[i].components, &run->prices->filter);
    if (!run->reaches[i]) return LW_OUT_OF_MEMORY;
  }
  run->start = (stop){navmesh, from, LWI_NONE};
  lw_status status = stand(run, run->query->from, &run->start);
  if (status != LW_OK) return status == LW_NO_POINT ? LW_NO_START : status;
  status = find_goal(run, run->query->profile);
  if (status != LW_OK && (status != LW_NO_GOAL || !run->query->allow_partial)) return status;
  if (!find_tolls(run)) return LW_OUT_OF_MEMORY;
  if (!run->has_goal) return go_nearest(run);
  find_rests(run);
  if (is_connected(run) || try_own_navmesh(run)) return LW_OK;
  return run->query->allow_partial ? go_nearest(run) : LW_NO_PATH;
}

/* --- the search --------------------------------------------------------------------------------------------------- */

/* A room to search from or to: who is shut in has his polygon. */
static uint32_t room_of(const crossing_query *run, const stop *place) {
  return lwi_poly_index(run->world->meshes[place->navmesh], place->at.poly);
}

static lw_status search_leg(crossing_query *run, lwi_leg *leg) {
  stop from = leg_begin(run, leg->from), to = leg_end(run, leg->to);
  lwi_ground *ground = &run->world->grounds[from.navmesh];
  const lwi_reach *reach = run->reaches[from.navmesh];
  bool shut_in = from.room == LWI_NONE || to.room == LWI_NONE;
  lwi_watch watch;
  lw_status status = lwi_world_watch(run->world, ground, run->query, &watch);
  if (status != LW_OK) return status;
  const lwi_watch *watched = run->query->threat_count > 0 ? &watch : NULL;
  lwi_dangers dangers;
  bool minds_dangers = lwi_world_dangers(run->world, ground, run->query->profile, &dangers);
  lwi_lanes lanes;
  bool minds_lanes = lwi_world_lanes(run->world, ground, run->query->profile, &lanes);
  const lwi_charges account = {.mesh = ground->mesh,
                               .prices = run->account,
                               .watch = watched,
                               .dangers = minds_dangers ? &dangers : NULL,
                               .lanes = minds_lanes ? &lanes : NULL};
  lwi_search_query search = {
      .graph = &reach->graph,
      .from = from.at.point,
      .to = to.at.point,
      .from_room = shut_in ? room_of(run, &from) : from.room,
      .to_room = shut_in ? room_of(run, &to) : to.room,
      .prices = run->prices,
      .max_nodes = run->query->max_nodes - run->nodes,
      .quality = run->query->quality,
      .berth = reach->berth,
      .watch = run->account ? NULL : watched,
      .account = run->account ? &account : NULL,
      .dangers = minds_dangers && !run->account ? &dangers : NULL,
      .lanes = minds_lanes && !run->account ? &lanes : NULL,
  };
  if (search.max_nodes < 1) return LW_OUT_OF_NODES;
  status = lwi_path_search(&ground->search, &search, &run->world->path_room, &run->world->memory.allocator,
                           &leg->path);
  run->nodes += ground->search.expanded;
  if (status != LW_OK) return status;
  leg->path->navmesh = from.navmesh;
  /* Charged by other prices, it was searched by its length. */
  leg->g += (run->account ? leg->path->length : leg->path->cost) +
            (leg->to == goal_of(run) ? 0 : run->room->nodes[leg->to].toll);
  return LW_OK;
}

static float rest_of(const crossing_query *run, int to) {
  return to == goal_of(run) ? 0 : run->room->nodes[to].rest;
}

/* @param g  Price up to where it begins. */
static bool push_leg(crossing_query *run, int from, int to, float g) {
  lwi_bridge_room *room = run->room;
  lwi_memory *memory = &run->world->memory;
  stop begin = leg_begin(run, from), end = leg_end(run, to);
  float bound = bound_of(run, &begin, &end);
  if (bound == INFINITY) return true;
  if (!lwi_reserve(memory, &room->legs, &room->leg_capacity, room->leg_count + 1, sizeof *room->legs))
    return false;
  float toll = to == goal_of(run) ? 0 : room->nodes[to].toll;
  room->legs[room->leg_count] = (lwi_leg){from, to, g, NULL};
  return lwi_heap_push(&room->open, memory, g + bound + toll + rest_of(run, to), (uint32_t)room->leg_count++);
}

static bool push_legs(crossing_query *run, int from, float g) {
  for (int i = 0; i < run->world->bridge_count; i++) {
    const lwi_bridge_node *node = &run->room->nodes[i];
    if (node->leg >= 0 || node->rest == INFINITY) continue;
    if (!push_leg(run, from, i, g)) return false;
  }
  return push_leg(run, from, goal_of(run), g);
}

static lw_status search_all(crossing_query *run) {
  lwi_bridge_room *room = run->room;
  if (!push_legs(run, START, 0)) return LW_OUT_OF_MEMORY;
  lwi_heap_entry entry;
  while (lwi_heap_pop(&room->open, &entry)) {
    int index = (int)entry.item;
    lwi_leg *leg = &room->legs[index];
    int to = leg->to;
    if (to != goal_of(run) && room->nodes[to].leg >= 0) continue;
    if (!leg->path) {
      lw_status status = search_leg(run, leg);
      if (status == LW_NO_PATH) continue; /* too narrow after all */
      if (status != LW_OK) return status;
      if (!lwi_heap_push(&room->open, &run->world->memory, leg->g + rest_of(run, to), entry.item))
        return LW_OUT_OF_MEMORY;
      continue;
    }
    if (to == goal_of(run)) {
      run->goal_leg = index;
      return LW_OK;
    }
    room->nodes[to].leg = index;
    if (!push_legs(run, to, leg->g)) return LW_OUT_OF_MEMORY;
  }
  return LW_NO_PATH;
}

/* --- the path ----------------------------------------------------------------------------------------------------- */

static int leg_before(const crossing_query *run, int leg) {
  int from = run->room->legs[leg].from;
  return from == START ? -1 : run->room->nodes[from].leg;
}

static lwi_path_part part_of(const crossing_query *run, const lwi_leg *leg) {
  lwi_path_part part = {.path = leg->path, .kind = LW_LINK_NONE};
  if (leg->to == goal_of(run)) return part;
  const lwi_bridge *bridge = &run->world->bridges[leg->to];
  const lwi_edge edge = edge_of(run, bridge);
  part.kind = bridge->kind;
  part.length = bridge->length;
  part.area = bridge->area != LW_AREA_NONE ? bridge->area : edge.from_mesh->poly_areas[edge.from];
  part.to = bridge->end.poly;
  part.run = lwi_run_link(run->account ? run->account : run->prices, &edge);
  part.danger = danger_of(run, bridge);
  return part;
}

static lw_status join_legs(crossing_query *run, lw_path **path) {
  lwi_bridge_room *room = run->room;
  int count = 0;
  for (int leg = run->goal_leg; leg >= 0; leg = leg_before(run, leg)) count += 1;
  if (!lwi_reserve(&run->world->memory, &room->parts, &room->part_capacity, count, sizeof *room->parts))
    return LW_OUT_OF_MEMORY;
  int at = count;
  for (int leg = run->goal_leg; leg >= 0; leg = leg_before(run, leg))
    room->parts[--at] = part_of(run, &room->legs[leg]);
  *path = lwi_path_join(room->parts, count, &run->world->memory.allocator);
  if (!*path) return LW_OUT_OF_MEMORY;
  (*path)->cost = run->account ? lwi_path_accounted(*path) : room->legs[run->goal_leg].g;
  (*path)->nodes = run->nodes;
  (*path)->partial = run->partial;
  return run->partial ? LW_PARTIAL : LW_OK;
}

lw_status lwi_bridges_find(lw_world *world, lwi_ground *ground, lw_location from, const lw_path_query *query,
                           const lwi_pricing *pricing, lw_path **path) {
  lwi_bridge_room *room = &world->bridge_room;
  crossing_query run = {
      .world = world, .room = room, .query = query, .prices = pricing->search, .account = pricing->account};
  lw_status status = prepare(&run, (int)(ground - world->grounds), from);
  if (status != LW_OK) return status;
  room->leg_count = 0;
  room->open.count = 0;
  status = search_all(&run);
  if (status == LW_OK) status = join_legs(&run, path);
  for (int i = 0; i < room->leg_count; i++) lw_path_destroy(room->legs[i].path);
  room->leg_count = 0;
  return status;
}

lw_status lwi_bridges_connect(lw_world *world, lwi_ground *ground, lw_location from, const lw_path_query *query,
                              const lwi_prices *prices, bool *connected) {
  crossing_query run = {.world = world, .room = &world->bridge_room, .query = query, .prices = prices};
  lw_status status = prepare(&run, (int)(ground - world->grounds), from);
  *connected = status == LW_OK;
  return status == LW_NO_PATH ? LW_OK : status;
}
