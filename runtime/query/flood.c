/* Dijkstra from a place over points of portals, half a metre apart or less. Within a room of one price the straight way is
   the cheapest, so what is entered at a point for so much reaches every other point of the room for the distance more:
   an entry that another could have come to through the room itself finds nothing new. Ways that bend at every portal are
   too long: where the straight way from the place of the last bend is cheaper, it is taken (Theta*, Nash et al. 2007). */
#include "query/flood.h"

#include "search/shortcuts.h"

#include <string.h>

/* Points on a portal. */
#define SPACING 0.5f
#define MIN_PIECES 2
#define MAX_PIECES 24
/* A straight way is tried where it could save more than this part of the cost. */
#define WORTH_TRYING 0.9995f
/* Rooms that a straight way is followed through. */
#define MAX_STRAIGHT 1024
/* Heights of a portal seen from its two sides differ, so the triangle inequality holds but for this. [m] */
#define IDLE_SLACK 1e-3f

void lwi_flood_free(lwi_flood *flood) {
  if (!flood->memory) return;
  lwi_heap_free(&flood->open, flood->memory);
  lwi_free(flood->memory, flood->nodes, (size_t)flood->node_capacity * sizeof *flood->nodes);
  lwi_free(flood->memory, flood->slots, flood->slot_count * sizeof *flood->slots);
  lwi_free(flood->memory, flood->entries, (size_t)flood->entry_capacity * sizeof *flood->entries);
  lwi_free(flood->memory, flood->last, flood->room_capacity * sizeof *flood->last);
  lwi_free(flood->memory, flood->rooms, (size_t)flood->reached_capacity * sizeof *flood->rooms);
  *flood = (lwi_flood){0};
}

typedef struct flood_run {
  lwi_flood *flood;
  const lwi_graph *graph;
  const lwi_prices *prices;
  float max_cost;
} flood_run;

/* --- nodes by key ------------------------------------------------------------------------------------------------- */

static uint32_t *find_slot(lwi_flood *flood, uint64_t key) {
  uint32_t slot = (uint32_t)(key * 0x9e3779b97f4a7c15ULL >> 32) & (flood->slot_count - 1);
  while (flood->slots[slot] != 0 && flood->nodes[flood->slots[slot] - 1].key != key)
    slot = (slot + 1) & (flood->slot_count - 1);
  return &flood->slots[slot];
}

static bool grow_slots(lwi_flood *flood) {
  uint32_t count = flood->slot_count ? flood->slot_count * 2 : 1024;
  uint32_t *slots = lwi_alloc_zero(flood->memory, count * sizeof *slots);
  if (!slots) return false;
  lwi_free(flood->memory, flood->slots, flood->slot_count * sizeof *slots);
  flood->slots = slots;
  flood->slot_count = count;
  for (int i = 0; i < flood->node_count; i++) *find_slot(flood, flood->nodes[i].key) = (uint32_t)i + 1;
  return true;
}

/* @return The node, new ones at infinite cost; NULL: no memory. */
static lwi_flood_node *find_node(lwi_flood *flood, uint64_t key) {
  if ((uint32_t)flood->node_count >= flood->slot_count / 2 && !grow_slots(flood)) return NULL;
  uint32_t *slot = find_slot(flood, key);
  if (*slot) return &flood->nodes[*slot - 1];
  if (!lwi_reserve(flood->memory, &flood->nodes, &flood->node_capacity, flood->node_count + 1,
                   sizeof *flood->nodes))
    return NULL;
  flood->nodes[flood->node_count] = (lwi_flood_node){.key = key, .cost = INFINITY};
  *slot = (uint32_t)++flood->node_count;
  return &flood->nodes[flood->node_count - 1];
}

/* --- entries ------------------------------------------------------------------------------------------------------ */

static float price_of(const flood_run *run, uint32_t room) {
  return lwi_price_in(run->prices, run->graph, room);
}

/* Could another entry of the room have come here through the room for no more? */
static bool is_idle(const flood_run *run, uint32_t room, lw_vec3 point, float cost) {
  const lwi_flood *flood = run->flood;
  float price = price_of(run, room);
  for (uint32_t i = flood->last[room]; i != LWI_NONE; i = flood->entries[i].before) {
    const lwi_flood_entry *entry = &flood->entries[i];
    if (cost >= entry->cost + (lwi_distance(entry->point, point) - IDLE_SLACK) * price) return true;
  }
  return false;
}

static bool add_entry(flood_run *run, uint32_t room, lw_vec3 point, float cost, uint32_t root) {
  lwi_flood *flood = run->flood;
  if (!lwi_reserve(flood->memory, &flood->entries, &flood->entry_capacity, flood->entry_count + 1,
                   sizeof *flood->entries))
    return false;
  if (flood->last[room] == LWI_NONE) {
    if (!lwi_reserve(flood->memory, &flood->rooms, &flood->reached_capacity, flood->reached_count + 1,
                     sizeof *flood->rooms))
      return false;
    flood->rooms[flood->reached_count++] = room;
  }
  flood->entries[flood->entry_count] =
      (lwi_flood_entry){room, lwi_room_polygon(run->graph, room), cost, point, flood->last[room], root};
  flood->last[room] = (uint32_t)flood->entry_count++;
  return true;
}

/* A place to enter a room at. */
typedef struct step {
  uint64_t key;
  uint32_t room, came_from, root;
  lw_vec3 point;
  float cost;
} step;

static bool relax(flood_run *run, const step *to) {
  lwi_flood *flood = run->flood;
  if (!(to->cost <= run->max_cost) || is_idle(run, to->room, to->point, to->cost)) return true;
  lwi_flood_node *node = find_node(flood, to->key);
  if (!node) return false;
  if (to->cost >= node->cost) return true;
  *node = (lwi_flood_node){to->key, to->cost, to->room, to->came_from, to->root, to->point};
  return lwi_heap_push(&flood->open, flood->memory, to->cost, (uint32_t)(node - flood->nodes));
}

/* --- leaving a room ------------------------------------------------------------------------------------------------ */

typedef struct room_exit {
  uint32_t room, came_from, root;
  lw_vec3 point;
  float cost, price;
  uint32_t entry; /* the room was entered by */
} room_exit;

/* The portal by which the straight way from `from` to `to` leaves a room, behind parameter `t`, and where. */
static const lwi_portal *straight_exit(const flood_run *run, uint32_t room, lw_vec3 from, lw_vec3 to, float *t,
                                       lw_vec3 *at) {
  const uint32_t *first = run->graph->first_portal;
  for (uint32_t k = first[room]; k < first[room + 1]; k++) {
    lw_vec3 left, right;
    lwi_graph_points(run->graph, room, &run->graph->portals[k], &left, &right);
    double side_left = lwi_turn(from, to, left), side_right = lwi_turn(from, to, right);
    if (!(side_left >= 0 && side_right <= 0 && side_left > side_right)) continue;
    *at = lwi_lerp(right, left, (float)(side_right / (side_right - side_left)));
    float length = lwi_distance_xz(from, to), reached = length > 0 ? lwi_distance_xz(from, *at) / length : 1;
    if (reached < *t - 1e-4f || reached > 1) continue;
    *t = reached;
    return &run->graph->portals[k];
  }
  return NULL;
}

/* What the straight way from an entry to a point of room `end` costs; INFINITY: there is none, or more than `most`. */
static float straight_cost(const flood_run *run, const lwi_flood_entry *from, lw_vec3 to, uint32_t end,
                           float most) {
  float cost = from->cost, t = 0;
  lw_vec3 at = from->point;
  uint32_t room = from->room, before = LWI_NONE;
  for (int steps = 0; cost < most && steps < MAX_STRAIGHT; steps++) {
    float price = price_of(run, room);
    if (room == end) return cost + lwi_distance(at, to) * price;
    lw_vec3 next;
    const lwi_portal *portal = straight_exit(run, room, from->point, to, &t, &next);
    if (!portal || portal->to == before || price_of(run, portal->to) == INFINITY) break;
    cost += lwi_distance(at, next) * price;
    at = next;
    before = room;
    room = portal->to;
  }
  return INFINITY;
}

static float straighten(const flood_run *run, const room_exit *from, step *to) {
  if (from->root == LWI_NONE) return to->cost;
  const lwi_flood_entry *root = &run->flood->entries[from->root];
  float least = root->cost + lwi_distance(root->point, to->point) * run->prices->lowest;
  if (least > to->cost * WORTH_TRYING || least > run->max_cost) return to->cost;
  float cost = straight_cost(run, root, to->point, from->room, to->cost);
  if (cost >= to->cost) return to->cost;
  to->root = from->root;
  return cost;
}

static bool cross_portal(flood_run *run, const room_exit *from, uint32_t k) {
  const lwi_portal *portal = &run->graph->portals[k];
  float behind = price_of(run, portal->to);
  if (behind == INFINITY) return true;
  /* Back to where it came from only leads anywhere when that was dearer ground to go along. */
  if (portal->to == from->came_from && behind <= from->price) return true;
  lw_vec3 left, right;
  lwi_graph_points(run->graph, from->room, portal, &left, &right);
  float pieces = fminf(MAX_PIECES, fmaxf(MIN_PIECES, ceilf(lwi_distance(left, right) / SPACING)));
  for (uint32_t i = 0; (float)i <= pieces; i++) {
    lw_vec3 point = lwi_lerp(left, right, (float)i / pieces);
    step to = {((uint64_t)k + 1) << 8 | i,
               portal->to,
               from->room,
               from->entry,
               point,
               from->cost + lwi_distance(from->point, point) * from->price};
    to.cost = straighten(run, from, &to);
    if (!relax(run, &to)) return false;
  }
  return true;
}

static bool take_link(flood_run *run, const room_exit *from, uint32_t k) {
  const lwi_link *link = &run->graph->mesh->links[k];
  lwi_link_rooms rooms = lwi_graph_link_rooms(run->graph, k);
  float price = lwi_link_price(run->graph->mesh, link, run->prices);
  if (rooms.from != from->room || rooms.to == LWI_NONE || price == INFINITY) return true;
  float cost = from->cost + lwi_distance(from->point, link->start) * from->price + link->length * price;
  uint64_t key = ((uint64_t)run->graph->portal_count + 1 + k) << 8;
  return relax(run, &(step){key, rooms.to, LWI_NONE, LWI_NONE, link->end, cost});
}

static bool take_links(flood_run *run, const room_exit *from) {
  const lw_navmesh *mesh = run->graph->mesh;
  uint32_t polygon = lwi_room_polygon(run->graph, from->room);
  if (!mesh->first_link) return true;
  for (uint32_t k = mesh->first_link[polygon]; k < mesh->first_link[polygon + 1]; k++)
    if (!take_link(run, from, k)) return false;
  return true;
}

static bool expand(flood_run *run, room_exit from) {
  if (is_idle(run, from.room, from.point, from.cost)) return true;
  from.entry = (uint32_t)run->flood->entry_count;
  if (!add_entry(run, from.room, from.point, from.cost, from.root)) return false;
  from.price = price_of(run, from.room);
  const uint32_t *first = run->graph->first_portal;
  for (uint32_t k = first[from.room]; k < first[from.room + 1]; k++)
    if (!cross_portal(run, &from, k)) return false;
  return take_links(run, &from);
}

/* Forget the last run. */
static bool begin(lwi_flood *flood, const lwi_graph *graph) {
  if (flood->room_capacity < graph->room_count) {
    size_t size = graph->room_count * sizeof *flood->last;
    uint32_t *last = lwi_resize(flood->memory, flood->last, flood->room_capacity * sizeof *flood->last, size);
    if (!last) return false;
    memset(last, 0xff, size);
    flood->last = last;
    flood->room_capacity = graph->room_count;
  }
  for (int i = 0; i < flood->reached_count; i++) flood->last[flood->rooms[i]] = LWI_NONE;
  if (flood->slot_count) memset(flood->slots, 0, flood->slot_count * sizeof *flood->slots);
  flood->open.count = flood->node_count = flood->entry_count = flood->reached_count = 0;
  return true;
}

lw_status lwi_flood_run(lwi_flood *flood, const lwi_graph *graph, lw_vec3 from, uint32_t from_room,
                        const lwi_prices *prices, float max_cost) {
  flood_run run = {flood, graph, prices, max_cost};
  if (!begin(flood, graph) || !expand(&run, (room_exit){from_room, LWI_NONE, LWI_NONE, from, 0, 0, 0}))
    return LW_OUT_OF_MEMORY;
  lwi_heap_entry next;
  while (lwi_heap_pop(&flood->open, &next)) {
    const lwi_flood_node *node = &flood->nodes[next.item];
    if (next.key > node->cost) continue; /* a cheaper way was found since */
    if (!expand(&run, (room_exit){node->room, node->came_from, node->root, node->point, node->cost, 0, 0}))
      return LW_OUT_OF_MEMORY;
  }
  return LW_OK;
}
