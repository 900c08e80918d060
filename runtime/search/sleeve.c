/* Fixed points on portals (Lanthier, Maheshwari and Sack 1997: Steiner points), in the rooms near a found way alone: a
   good guess of where to look, and a tight bound on what is worth looking at. Where exactly the way crosses each portal is
   settled by the pull; points need only be close enough to choose the right portals. */
#include "search/sleeve.h"

#include "mesh/berth.h"

#include <string.h>

/* Rooms are looked at that are so many portals from the way, or more while there are few. */
#define RINGS 2
#define RINGS_MAX 7
#define FEW_ROOMS 120
/* From point to point of a portal [m], and how many lie between its ends at most; one always does. */
#define SPACING 1.5f
#define POINTS_MAX 9
/* A better way must be better by more than rounding. */
#define BETTER 0.99999f
/* Straight on is better where it costs no more but for rounding. */
#define STRAIGHTER 1.0005f

#define GOAL 0

void lwi_sleeve_free(lwi_sleeve *sleeve) {
  lwi_memory *memory = sleeve->memory;
  if (!memory) return;
  lwi_heap_free(&sleeve->open, memory);
  lwi_free(memory, sleeve->rings, sleeve->room_count * sizeof *sleeve->rings);
  lwi_free(memory, sleeve->known, sleeve->door_count * sizeof *sleeve->known);
  lwi_free(memory, sleeve->passage_of, sleeve->door_count * sizeof *sleeve->passage_of);
  lwi_free(memory, sleeve->looked_in, sleeve->room_count * sizeof *sleeve->looked_in);
  lwi_free(memory, sleeve->inside_of, sleeve->room_count * sizeof *sleeve->inside_of);
  lwi_free(memory, sleeve->insides, (size_t)sleeve->inside_capacity * sizeof *sleeve->insides);
  lwi_free(memory, sleeve->queue, (size_t)sleeve->queue_capacity * sizeof *sleeve->queue);
  lwi_free(memory, sleeve->passages, (size_t)sleeve->passage_capacity * sizeof *sleeve->passages);
  lwi_free(memory, sleeve->points, (size_t)sleeve->point_capacity * sizeof *sleeve->points);
  *sleeve = (lwi_sleeve){.memory = memory};
}

/* Zeros. */
static bool make_numbers(lwi_memory *memory, uint32_t **numbers, uint32_t count) {
  *numbers = lwi_alloc_zero(memory, count * sizeof **numbers);
  return *numbers != NULL;
}

static bool make_stamps(lwi_sleeve *sleeve, uint32_t rooms, uint32_t doors) {
  if (sleeve->room_count >= rooms && sleeve->door_count >= doors) return true;
  lwi_sleeve_free(sleeve);
  lwi_memory *memory = sleeve->memory;
  sleeve->room_count = rooms;
  sleeve->door_count = doors;
  if (make_numbers(memory, &sleeve->rings, rooms) && make_numbers(memory, &sleeve->looked_in, rooms) &&
      make_numbers(memory, &sleeve->inside_of, rooms) && make_numbers(memory, &sleeve->known, doors) &&
      make_numbers(memory, &sleeve->passage_of, doors))
    return true;
  lwi_sleeve_free(sleeve);
  return false;
}

static bool begin(lwi_sleeve *sleeve, const lwi_graph *graph) {
  uint32_t step = RINGS_MAX + 1;
  const uint32_t doors = graph->portal_count + graph->mesh->link_count;
  if (!make_stamps(sleeve, graph->room_count, doors > 0 ? doors : 1)) return false; /* a single room has none */
  if (sleeve->stamp > UINT32_MAX - 2 * step) {
    memset(sleeve->rings, 0, sleeve->room_count * sizeof *sleeve->rings);
    memset(sleeve->known, 0, sleeve->door_count * sizeof *sleeve->known);
    memset(sleeve->looked_in, 0, sleeve->room_count * sizeof *sleeve->looked_in);
    sleeve->stamp = 0;
  }
  sleeve->stamp += step;
  sleeve->passage_count = sleeve->point_count = sleeve->inside_count = sleeve->open.count = 0;
  return true;
}

/* --- which rooms ------------------------------------------------------------------------------------------------- */

static bool is_in(const lwi_sleeve *sleeve, uint32_t room) {
  return sleeve->rings[room] >= sleeve->stamp;
}

static bool add_room(lwi_sleeve *sleeve, uint32_t room, uint32_t ring, int *count) {
  if (is_in(sleeve, room)) return true;
  if (!lwi_reserve(sleeve->memory, &sleeve->queue, &sleeve->queue_capacity, *count + 1, sizeof *sleeve->queue))
    return false;
  sleeve->rings[room] = sleeve->stamp + ring;
  sleeve->queue[(*count)++] = room;
  return true;
}

static bool add_rooms(lwi_sleeve *sleeve, const lwi_search *search, const lwi_search_query *query) {
  const lwi_graph *graph = &search->graph;
  int count = 0;
  if (!add_room(sleeve, query->from_room, 0, &count)) return false;
  for (int i = 0; i < search->corridor_count; i++)
    if (!add_room(sleeve, search->corridor[i].room, 0, &count)) return false;
  for (int i = 0; i < count; i++) {
    uint32_t room = sleeve->queue[i], ring = sleeve->rings[room] - sleeve->stamp;
    if (ring == RINGS_MAX || (ring >= RINGS && count >= FEW_ROOMS)) break;
    for (uint32_t k = graph->first_portal[room]; k < graph->first_portal[room + 1]; k++) {
      uint32_t to = graph->portals[k].to;
      if (lwi_price_in(query->prices, graph, to) < INFINITY && !add_room(sleeve, to, ring + 1, &count))
        return false;
    }
  }
  return true;
}

/* --- passages ---------------------------------------------------------------------------------------------------- */

typedef struct sleeve_run {
  lwi_sleeve *sleeve;
  const lwi_search *search;
  const lwi_graph *graph;
  const lwi_search_query *query;
  lwi_charges charges;
  bool by_place; /* what these are */
  bool by_guess;
  bool failed; /* no memory */
  float most;
} sleeve_run;

static bool add_point(lwi_sleeve *sleeve, lw_vec3 at, uint32_t passage) {
  if (!lwi_reserve(sleeve->memory, &sleeve->points, &sleeve->point_capacity, sleeve->point_count + 1,
                   sizeof *sleeve->points))
    return false;
  sleeve->points[sleeve->point_count++] = (lwi_sleeve_point){at, INFINITY, LWI_NONE, passage, false, false};
  return true;
}

/* @return Its index; LWI_NONE: no memory. */
static uint32_t add_passage(lwi_sleeve *sleeve, const lwi_passage *passage) {
  if (!lwi_reserve(sleeve->memory, &sleeve->passages, &sleeve->passage_capacity, sleeve->passage_count + 1,
                   sizeof *sleeve->passages))
    return LWI_NONE;
  sleeve->passages[sleeve->passage_count] = *passage;
  return (uint32_t)sleeve->passage_count++;
}

static void know(lwi_sleeve *sleeve, uint32_t door, uint32_t passage) {
  sleeve->known[door] = sleeve->stamp;
  sleeve->passage_of[door] = passage;
}

/* The portal from the other side; LWI_NONE: none leads back. Two polygons rarely share more than one. */
static uint32_t find_twin(const lwi_graph *graph, uint32_t room, uint32_t k, lw_vec3 left, lw_vec3 right) {
  uint32_t to = graph->portals[k].to, found = LWI_NONE;
  float nearest = INFINITY;
  for (uint32_t i = graph->first_portal[to]; i < graph->first_portal[to + 1]; i++) {
    if (graph->portals[i].to != room) continue;
    lw_vec3 back_left, back_right;
    lwi_graph_points(graph, to, &graph->portals[i], &back_left, &back_right);
    float off = lwi_distance(back_left, right) + lwi_distance(back_right, left);
    if (off >= nearest) continue;
    nearest = off;
    found = i;
  }
  return found;
}

static uint32_t add_portal(lwi_sleeve *sleeve, const lwi_graph *graph, uint32_t room, uint32_t k) {
  lw_vec3 left, right;
  lwi_graph_points(graph, room, &graph->portals[k], &left, &right);
  uint32_t twin = find_twin(graph, room, k, left, right), base = 1 + graph->mesh->link_count;
  int steps = (int)fminf(POINTS_MAX + 1, fmaxf(2, ceilf(lwi_distance(left, right) / SPACING)));
  lwi_passage passage = {.rooms = {room, graph->portals[k].to},
                         .nodes = {base + k, twin == LWI_NONE ? LWI_NONE : base + twin},
                         .first = (uint32_t)sleeve->point_count,
                         .count = (uint32_t)steps + 1};
  uint32_t index = add_passage(sleeve, &passage), polygon = lwi_room_polygon(graph, room);
  for (int i = 0; i <= steps && index != LWI_NONE; i++) {
    lw_vec3 at = lwi_lerp(left, right, (float)i / (float)steps);
    at.y = lwi_polygon_height(graph->mesh, polygon, at.x, at.z);
    if (!add_point(sleeve, at, index)) return LWI_NONE;
  }
  if (index == LWI_NONE) return LWI_NONE;
  know(sleeve, k, index);
  if (twin != LWI_NONE) know(sleeve, twin, index);
  return index;
}

static uint32_t add_link(lwi_sleeve *sleeve, const lwi_graph *graph, uint32_t k) {
  lwi_link_rooms rooms = lwi_graph_link_rooms(graph, k);
  lwi_passage passage = {.rooms = {rooms.from, rooms.to},
                         .nodes = {1 + k, LWI_NONE},
                         .first = (uint32_t)sleeve->point_count,
                         .count = 1};
  uint32_t index = add_passage(sleeve, &passage);
  if (index == LWI_NONE || !add_point(sleeve, graph->mesh->links[k].end, index)) return LWI_NONE;
  know(sleeve, graph->portal_count + k, index);
  return index;
}

/* The passage of a portal or a link, made when it is first asked for. NULL: no memory. */
static const lwi_passage *passage_of(sleeve_run *run, uint32_t room, uint32_t door) {
  lwi_sleeve *sleeve = run->sleeve;
  const lwi_graph *graph = run->graph;
  uint32_t index = sleeve->passage_of[door];
  if (sleeve->known[door] != sleeve->stamp)
    index = door < graph->portal_count ? add_portal(sleeve, graph, room, door)
                                       : add_link(sleeve, graph, door - graph->portal_count);
  run->failed = run->failed || index == LWI_NONE;
  return index == LWI_NONE ? NULL : &sleeve->passages[index];
}

/* May one go straight? Ways between portals are made clear of walls later; those to and from places inside rooms are not. */
static bool is_clear(const sleeve_run *run, uint32_t room, lw_vec3 from, lw_vec3 to) {
  return lwi_berth_clear(run->query->berth, lwi_room_polygon(run->graph, room), from, to, LWI_CLEAR_SLACK);
}

static bool add_inside(sleeve_run *run, uint32_t room, const lwi_inside *inside) {
  lwi_sleeve *sleeve = run->sleeve;
  int count = inside->columns * inside->rows;
  if (!lwi_reserve(sleeve->memory, &sleeve->insides, &sleeve->inside_capacity, sleeve->inside_count + 1,
                   sizeof *sleeve->insides))
    return false;
  lwi_passage passage = {.rooms = {room, room},
                         .nodes = {LWI_SPOT, LWI_SPOT},
                         .first = (uint32_t)sleeve->point_count,
                         .count = (uint32_t)count};
  sleeve->insides[sleeve->inside_count++] = (lwi_inside_room){*inside, passage.first};
  uint32_t index = add_passage(sleeve, &passage);
  for (int i = 0; i < count && index != LWI_NONE; i++) {
    lw_vec3 at;
    bool is_in = lwi_inside_place(inside, i, &at);
    if (!add_point(sleeve, at, index)) return false;
    sleeve->points[sleeve->point_count - 1].closed = !is_in || !is_clear(run, room, at, at);
  }
  return index != LWI_NONE;
}

/* The places inside a room, looked for when it is first asked. NULL: it has none, or no memory. */
static const lwi_inside_room *inside_of(sleeve_run *run, uint32_t room) {
  lwi_sleeve *sleeve = run->sleeve;
  if (!run->by_guess) return NULL;
  if (sleeve->looked_in[room] != sleeve->stamp) {
    const lwi_inside inside = lwi_inside_of(&run->charges, lwi_room_polygon(run->graph, room),
                                            lwi_distance(run->query->from, run->query->to));
    sleeve->looked_in[room] = sleeve->stamp;
    sleeve->inside_of[room] = inside.columns > 0 ? (uint32_t)sleeve->inside_count : LWI_NONE;
    if (inside.columns > 0 && !add_inside(run, room, &inside)) run->failed = true;
  }
  return run->failed || sleeve->inside_of[room] == LWI_NONE ? NULL : &sleeve->insides[sleeve->inside_of[room]];
}

/* --- the search -------------------------------------------------------------------------------------------------- */

/* A place that is being left for the others in its room. */
typedef struct place_left {
  uint32_t room, point; /* LWI_NONE: the start */
  bool inside;          /* its room, not on a portal */
  lw_vec3 at;
  float g, price;
} place_left;

static uint32_t node_of(const lwi_sleeve *sleeve, uint32_t point) {
  if (point == LWI_NONE) return LWI_NONE;
  if (point == GOAL) return 0;
  const lwi_sleeve_point *of = &sleeve->points[point];
  return sleeve->passages[of->passage].nodes[of->from_second];
}

static bool is_banned(const sleeve_run *run, uint32_t from, uint32_t node) {
  for (int i = 0; i < run->query->ban_count; i++)
    if (run->query->bans[i].from == node_of(run->sleeve, from) && run->query->bans[i].to == node) return true;
  return false;
}

static void relax(sleeve_run *run, const place_left *from, uint32_t index, float g, uint32_t node,
                  bool second) {
  lwi_sleeve_point *point = &run->sleeve->points[index];
  if (point->closed || !(g < point->g * BETTER)) return;
  float f = g + lwi_shortcuts_bound(&run->search->shortcuts, point->at) * run->query->prices->lowest;
  if (!(f < run->most) || is_banned(run, from->point, node)) return;
  point->g = g;
  point->parent = from->point;
  point->from_second = second;
  run->failed = !lwi_heap_push(&run->sleeve->open, run->sleeve->memory, f, index) || run->failed;
}

static float leg(sleeve_run *run, const place_left *from, lw_vec3 to) {
  if (!run->by_place) return lwi_distance(from->at, to) * from->price;
  uint32_t polygon = lwi_room_polygon(run->graph, from->room);
  if (run->by_guess) return lwi_charge_guess(&run->charges, polygon, from->at, to);
  float cost = lwi_charge_sum(&run->charges, polygon, from->at, to);
  run->failed = run->failed || cost < 0;
  return cost;
}

static void go_to(sleeve_run *run, const place_left *from, uint32_t index, uint32_t node, bool second) {
  const lwi_sleeve_point *point = &run->sleeve->points[index];
  if (point->closed || from->g + lwi_distance(from->at, point->at) * from->price >= point->g) return;
  if ((from->inside || node == LWI_SPOT) && !is_clear(run, from->room, from->at, point->at)) return;
  relax(run, from, index, from->g + leg(run, from, point->at), node, second);
}

/* @param reach  No point further away. [m] */
static void cross_portals(sleeve_run *run, const place_left *from, float reach) {
  const lwi_graph *graph = run->graph;
  for (uint32_t k = graph->first_portal[from->room]; k < graph->first_portal[from->room + 1]; k++) {
    if (!is_in(run->sleeve, graph->portals[k].to)) continue;
    const lwi_passage *passage = passage_of(run, from->room, k);
    if (!passage) return;
    bool second = passage->rooms[1] == from->room;
    if (passage->nodes[second] == LWI_NONE) continue;
    for (uint32_t i = passage->first; i < passage->first + passage->count; i++)
      if (lwi_distance_xz(from->at, run->sleeve->points[i].at) <= reach)
        go_to(run, from, i, passage->nodes[second], second);
  }
}

/* To the places inside the room next to where it is. */
static void turn_inside(sleeve_run *run, const place_left *from, const lwi_inside_room *room) {
  int next[16];
  int count = from->inside ? lwi_inside_next(&room->inside, (int)(from->point - room->first), next)
                           : lwi_inside_about(&room->inside, from->at, next);
  for (int i = 0; i < count; i++) go_to(run, from, room->first + (uint32_t)next[i], LWI_SPOT, false);
}

static void take_link(sleeve_run *run, const place_left *from, uint32_t k) {
  const lwi_graph *graph = run->graph;
  const lwi_link *link = &graph->mesh->links[k];
  lwi_link_rooms rooms = lwi_graph_link_rooms(graph, k);
  if (rooms.from != from->room || rooms.to == LWI_NONE || !is_in(run->sleeve, rooms.to)) return;
  if (lwi_link_price(graph->mesh, link, run->query->prices) == INFINITY) return;
  if (from->inside && !is_clear(run, from->room, from->at, link->start)) return;
  const lwi_passage *passage = passage_of(run, from->room, graph->portal_count + k);
  if (!passage) return;
  float g = from->g + leg(run, from, link->start) + lwi_charge_link(&run->charges, link);
  relax(run, from, passage->first, g, passage->nodes[0], false);
}

static void take_links(sleeve_run *run, const place_left *from) {
  const lw_navmesh *mesh = run->graph->mesh;
  if (!mesh->first_link) return;
  uint32_t polygon = lwi_room_polygon(run->graph, from->room);
  for (uint32_t k = mesh->first_link[polygon]; k < mesh->first_link[polygon + 1] && !run->failed; k++)
    take_link(run, from, k);
}

static bool is_inside(const lwi_sleeve *sleeve, uint32_t point) {
  return point != LWI_NONE && point != GOAL &&
         sleeve->passages[sleeve->points[point].passage].nodes[0] == LWI_SPOT;
}

/* Within a room everything can be gone to straight, so who came through it goes on into the next. From places inside it one
   goes on to what is near: what is further is come to over others of them. */
static bool expand(sleeve_run *run, place_left from) {
  const lwi_inside_room *inside = inside_of(run, from.room);
  const lw_vec3 to = run->query->to;
  from.inside = is_inside(run->sleeve, from.point);
  from.price = lwi_price_in(run->query->prices, run->graph, from.room);
  if (from.room == run->query->to_room && (!from.inside || is_clear(run, from.room, from.at, to)))
    relax(run, &from, GOAL, from.g + leg(run, &from, to), 0, false);
  cross_portals(run, &from, from.inside ? lwi_inside_reach(&inside->inside) : INFINITY);
  if (inside && !run->failed) turn_inside(run, &from, inside);
  take_links(run, &from);
  return !run->failed;
}

/* --- the way ------------------------------------------------------------------------------------------------------- */

static uint32_t room_behind(const sleeve_run *run, uint32_t point) {
  if (point == LWI_NONE) return run->query->from_room;
  const lwi_sleeve_point *of = &run->sleeve->points[point];
  return run->sleeve->passages[of->passage].rooms[!of->from_second];
}

static float price_at(const lwi_sleeve *sleeve, uint32_t point) {
  return point == LWI_NONE ? 0 : sleeve->points[point].g;
}

/* From places inside a room to others as far as that costs no more straight. @param way  [count] The first is LWI_NONE, the
   start. @return How many are left. */
static int shorten(sleeve_run *run, uint32_t *way, int count) {
  const lwi_sleeve *sleeve = run->sleeve;
  int left = 1;
  for (int i = 0, next; i + 1 < count; i = next) {
    int end = i + 1;
    while (end + 1 < count && is_inside(sleeve, way[end])) end += 1;
    if (lwi_node_link(run->graph, node_of(sleeve, way[end])) && end > i + 1) end -= 1;
    place_left from = {.room = room_behind(run, way[i]),
                       .at = i == 0 ? run->query->from : sleeve->points[way[i]].at};
    from.price = lwi_price_in(run->query->prices, run->graph, from.room);
    for (next = end; next > i + 1; next--) {
      float along = price_at(sleeve, way[next]) - price_at(sleeve, way[i]);
      lw_vec3 at = sleeve->points[way[next]].at;
      if (is_clear(run, from.room, from.at, at) && leg(run, &from, at) <= along * STRAIGHTER) break;
    }
    way[left++] = way[next];
  }
  return left;
}

static lw_status collect(sleeve_run *run, lwi_search *search) {
  lwi_sleeve *sleeve = run->sleeve;
  const lwi_sleeve_point *points = sleeve->points;
  int count = 2;
  for (uint32_t at = points[GOAL].parent; at != LWI_NONE; at = points[at].parent) count += 1;
  if (!lwi_reserve(search->memory, &search->corridor, &search->corridor_capacity, count,
                   sizeof *search->corridor) ||
      !lwi_reserve(sleeve->memory, &sleeve->queue, &sleeve->queue_capacity, count, sizeof *sleeve->queue))
    return LW_OUT_OF_MEMORY;
  uint32_t *way = sleeve->queue;
  way[0] = LWI_NONE;
  for (uint32_t i = (uint32_t)count - 1, at = GOAL; i > 0; i--, at = points[at].parent) way[i] = at;
  count = shorten(run, way, count);
  search->corridor_count = count - 2;
  for (int i = 0; i < count - 2; i++)
    search->corridor[i] =
        (lwi_step){node_of(sleeve, way[i + 1]), room_behind(run, way[i + 1]), points[way[i + 1]].at};
  return run->failed ? LW_OUT_OF_MEMORY : LW_OK;
}

lw_status lwi_sleeve_search(lwi_sleeve *sleeve, lwi_search *search, const lwi_search_query *query, float most) {
  sleeve_run run = {.sleeve = sleeve,
                    .search = search,
                    .graph = &search->graph,
                    .query = query,
                    .charges = lwi_query_charges(query),
                    .most = most};
  run.by_place = lwi_charges_by_place(&run.charges);
  run.by_guess = lwi_charges_by_guess(&run.charges);
  if (!begin(sleeve, run.graph) || !add_rooms(sleeve, search, query) || !add_point(sleeve, query->to, LWI_NONE))
    return LW_OUT_OF_MEMORY;
  place_left start = {.room = query->from_room, .point = LWI_NONE, .at = query->from};
  if (!expand(&run, start)) return LW_OUT_OF_MEMORY;
  lwi_heap_entry entry;
  while (lwi_heap_pop(&sleeve->open, &entry)) {
    lwi_sleeve_point *point = &sleeve->points[entry.item];
    if (point->closed) continue; /* an older, dearer way to it */
    if (entry.item == GOAL) return collect(&run, search);
    point->closed = true;
    uint32_t room = sleeve->passages[point->passage].rooms[!point->from_second];
    place_left left = {.room = room, .point = entry.item, .at = point->at, .g = point->g};
    if (!expand(&run, left)) return LW_OUT_OF_MEMORY;
  }
  return LW_NO_PATH;
}
