/* The search for a path that threats watch. What a threat sees is dear to ask, so a way is looked for by guesses, and only what
   is found is charged exactly. A guess may err by much where an eye looks along a wall, and a way that keeps to the edge of
   a shadow may be seen all along: so of the ways that are found the one counts that is cheapest exactly, and the way that
   would be the cheapest unseen is one of them. */
#include "search/berth_path.h"

#include <string.h>

/* What the guess may be off by where it decides what is looked for. */
#define DOUBT 1.05f

typedef struct watched_search {
  lwi_search *search;
  const lwi_search_query *query;
  lwi_path_room *room;
  float cost;  /* of the cheapest way so far, which the room keeps */
  bool failed; /* no memory */
} watched_search;

/* What the way in the corridor costs where the search crosses it, or for who keeps off walls once it is clear of them. */
static float charge_corridor(watched_search *run, const lwi_charges *charges) {
  const lwi_search *search = run->search;
  if (run->query->berth) {
    float cost = lwi_berth_charge(search, run->query, run->room->berth, charges);
    run->failed = run->failed || cost < 0;
    return cost;
  }
  const lwi_search_query *query = run->query;
  lw_vec3 at = query->from;
  uint32_t room = query->from_room;
  float sum = 0;
  for (int i = 0; i <= search->corridor_count; i++) {
    bool is_last = i == search->corridor_count;
    const lwi_link *link = is_last ? NULL : lwi_search_link(search, i);
    lw_vec3 to = is_last ? query->to : link ? link->start : lwi_search_crossing(search, i);
    float cost = lwi_charge_sum(charges, lwi_room_polygon(&search->graph, room), at, to);
    run->failed = run->failed || cost < 0;
    sum += cost;
    if (link) sum += lwi_charge_link(charges, link);
    if (is_last) break;
    at = search->corridor[i].point;
    room = search->corridor[i].room;
  }
  return sum;
}

/* Lay it over the ground. Of who keeps off walls that is done once it is clear of them. */
static bool lay(const watched_search *run) {
  return run->query->berth || lwi_lay_corridor(run->search, run->query, run->room);
}

/* Keep the way in the corridor if it is the cheapest so far. */
static void keep_cheaper(watched_search *run) {
  lwi_path_room *room = run->room;
  const lwi_search *search = run->search;
  const lwi_charges charges = lwi_query_charges(run->query);
  run->failed = run->failed || !lay(run);
  float cost = charge_corridor(run, &charges);
  if (cost >= run->cost) return;
  run->cost = cost;
  room->corridor_count = search->corridor_count;
  if (room->corridor_count == 0) return;
  if (!lwi_reserve(room->memory, &room->corridor, &room->corridor_capacity, room->corridor_count,
                   sizeof *room->corridor))
    run->failed = true;
  else
    memcpy(room->corridor, search->corridor, (size_t)room->corridor_count * sizeof *room->corridor);
}

static void take_kept(watched_search *run) {
  run->search->corridor_count = run->room->corridor_count; /* which it has room for: it was there */
  if (run->room->corridor_count > 0)
    memcpy(run->search->corridor, run->room->corridor,
           (size_t)run->room->corridor_count * sizeof *run->room->corridor);
}

/* Look for a cheaper way anywhere. */
static lw_status find_watched(watched_search *run) {
  lwi_search_query query = *run->query;
  int expanded = run->search->expanded;
  query.most = run->cost * DOUBT;
  query.quality = LW_QUALITY_FAST; /* by guesses a longer search finds nothing better */
  lw_status status = lwi_corridor_find(run->search, &query, run->room);
  run->search->expanded += expanded;
  if (status == LW_OK) keep_cheaper(run);
  return status == LW_NO_PATH ? LW_OK : status;
}

/* Look for a cheaper way near the found path's, more closely. */
static lw_status look_closer(watched_search *run, const lw_allocator *allocator, lw_path **path) {
  lw_path *found = *path, *other = NULL;
  run->room->sleeve.memory = run->room->memory;
  take_kept(run);
  lw_status status = lwi_sleeve_search(&run->room->sleeve, run->search, run->query, found->cost * DOUBT);
  if (status == LW_OK && !lay(run)) status = LW_OUT_OF_MEMORY;
  if (status == LW_OK) status = lwi_corridor_widen(run->search, run->query, run->room);
  if (status == LW_NO_PATH) return LW_OK;
  if (status == LW_OK) status = lwi_path_build(run->search, run->query, run->room, allocator, &other);
  if (status != LW_OK) return status;
  bool is_better = other->cost < found->cost;
  lw_path_destroy(is_better ? found : other);
  *path = is_better ? other : found;
  return LW_OK;
}

lw_status lwi_path_search_watched(lwi_search *search, const lwi_search_query *query, lwi_path_room *room,
                                  const lw_allocator *allocator, lw_path **path) {
  watched_search run = {.search = search, .query = query, .room = room, .cost = INFINITY};
  lwi_search_query unwatched = *query;
  unwatched.watch = NULL;
  lw_status status = lwi_corridor_find(search, &unwatched, room);
  if (status != LW_OK) return status;
  keep_cheaper(&run);
  /* Where nobody sees it, nothing else is looked for. */
  const lwi_charges unseen = lwi_query_charges(&unwatched);
  const bool is_best = !search->uneven && run.cost <= charge_corridor(&run, &unseen);
  if (!is_best) status = find_watched(&run);
  if (status != LW_OK) return status;
  if (run.failed) return LW_OUT_OF_MEMORY;
  take_kept(&run);
  status = lwi_corridor_widen(search, query, room);
  if (status == LW_OK) status = lwi_path_build(search, query, room, allocator, path);
  if (status != LW_OK || is_best || query->quality == LW_QUALITY_FAST) return status;
  status = look_closer(&run, allocator, path);
  if (status == LW_OK) return LW_OK;
  lw_path_destroy(*path);
  *path = NULL;
  return status;
}
