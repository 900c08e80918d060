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
  const lw_allocator *allocator;
  lw_path **path; /* the cheapest so far */
  int expanded;   /* nodes, by all searches */
} watched_search;

/* What the way in the corridor costs along the ground where the search crosses it, or for who keeps off walls once it is clear
   of them. @return Negative: no memory. */
static float charge_corridor(const watched_search *run) {
  const lwi_search *search = run->search;
  const lwi_search_query *query = run->query;
  const lwi_charges charges = lwi_query_charges(query);
  if (query->berth) return lwi_berth_charge(search, query, run->room->berth, &charges);
  lw_vec3 at = query->from;
  uint32_t room = query->from_room;
  float sum = 0;
  for (int i = 0; i <= search->corridor_count; i++) {
    bool is_last = i == search->corridor_count;
    const lwi_link *link = is_last ? NULL : lwi_search_link(search, i);
    lw_vec3 to = is_last ? query->to : link ? link->start : lwi_search_crossing(search, i);
    float cost = lwi_charge_over_ground(&charges, lwi_room_polygon(&search->graph, room), at, to);
    if (cost < 0) return cost;
    sum += cost;
    if (link) sum += lwi_charge_link(&charges, link);
    if (is_last) break;
    at = search->corridor[i].point;
    room = search->corridor[i].room;
  }
  return sum;
}

static bool keep_corridor(const watched_search *run) {
  const lwi_search *search = run->search;
  lwi_path_room *room = run->room;
  room->corridor_count = search->corridor_count;
  if (room->corridor_count == 0) return true;
  if (!lwi_reserve(room->memory, &room->corridor, &room->corridor_capacity, room->corridor_count,
                   sizeof *room->corridor))
    return false;
  memcpy(room->corridor, search->corridor, (size_t)room->corridor_count * sizeof *room->corridor);
  return true;
}

static void take_kept(const watched_search *run) {
  run->search->corridor_count = run->room->corridor_count; /* which it has room for: it was there */
  if (run->room->corridor_count > 0)
    memcpy(run->search->corridor, run->room->corridor,
           (size_t)run->room->corridor_count * sizeof *run->room->corridor);
}

/* Search for the way that would be the cheapest if nobody saw it, and charge it for being seen. */
static lw_status find_unwatched(watched_search *run) {
  const lwi_charges charges = lwi_query_charges(run->query);
  lwi_search_query query = *run->query;
  query.watch = NULL;
  query.account = &charges;
  lw_status status = lwi_corridor_find(run->search, &query, run->room);
  run->expanded = run->search->expanded;
  if (status == LW_OK && !keep_corridor(run)) status = LW_OUT_OF_MEMORY;
  if (status == LW_OK) status = lwi_path_build(run->search, &query, run->room, run->allocator, run->path);
  return status;
}

static bool is_seen(const lw_path *path) {
  for (int i = 0; i < path->point_count; i++)
    if (path->tallies[i].seen > 0) return true;
  return false;
}

/* Look for a cheaper way anywhere, and keep its corridor. By guesses a longer search finds nothing better. */
static lw_status find_watched(watched_search *run) {
  lwi_search_query query = *run->query;
  const lwi_charges charges = lwi_query_charges(&query);
  query.most = (*run->path)->cost * DOUBT;
  query.max_nodes -= run->expanded;
  if (lwi_charges_by_guess(&charges)) query.quality = LW_QUALITY_FAST;
  if (query.max_nodes < 1) return LW_OK;
  lw_status status = lwi_corridor_find(run->search, &query, run->room);
  run->expanded += run->search->expanded;
  if (status == LW_NO_PATH || status == LW_OUT_OF_NODES) return LW_OK;
  if (status != LW_OK) return status;
  float cost = charge_corridor(run);
  if (cost < 0 || (cost < (*run->path)->cost && !keep_corridor(run))) return LW_OUT_OF_MEMORY;
  return LW_OK;
}

/* Bend the way in the corridor, and take it if it is the cheapest. */
static lw_status build_bent(const watched_search *run) {
  lw_path *other = NULL;
  lw_status status = lwi_corridor_widen(run->search, run->query, run->room);
  if (status == LW_OK) status = lwi_path_build(run->search, run->query, run->room, run->allocator, &other);
  if (status == LW_OUT_OF_MEMORY) return status;
  *run->path = lwi_path_cheaper(*run->path, other);
  return LW_OK;
}

/* Look for a cheaper way near the found one, more closely. */
static lw_status look_closer(const watched_search *run) {
  run->room->sleeve.memory = run->room->memory;
  take_kept(run);
  lw_status status = lwi_sleeve_search(&run->room->sleeve, run->search, run->query, (*run->path)->cost * DOUBT);
  if (status == LW_NO_PATH) return LW_OK;
  return status == LW_OK ? build_bent(run) : status;
}

static lw_status search_watched(watched_search *run) {
  const lwi_charges charges = lwi_query_charges(run->query);
  lw_status status = find_unwatched(run);
  if (status != LW_OK || (!is_seen(*run->path) && !run->search->uneven)) return status;
  status = find_watched(run);
  if (status != LW_OK) return status;
  take_kept(run);
  status = build_bent(run);
  if (status != LW_OK || run->query->quality == LW_QUALITY_FAST || !lwi_charges_by_guess(&charges))
    return status;
  return look_closer(run);
}

lw_status lwi_path_search_watched(lwi_search *search, const lwi_search_query *query, lwi_path_room *room,
                                  const lw_allocator *allocator, lw_path **path) {
  watched_search run = {.search = search, .query = query, .room = room, .allocator = allocator, .path = path};
  lw_status status = search_watched(&run);
  if (*path) (*path)->nodes = run.expanded;
  if (status == LW_OK) return LW_OK;
  lw_path_destroy(*path);
  *path = NULL;
  return status;
}
