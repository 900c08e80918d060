/* The search for a path: the first look, past what proves too narrow, then a closer one. */
#include "core/status.h"
#include "search/berth_path.h"

/* Searches for one path: each of the others found a way that was too narrow after all. */
#define MAX_SEARCHES 16

static bool make_berth_room(lwi_path_room *room) {
  if (room->berth) return true;
  room->berth = lwi_alloc_zero(room->memory, sizeof *room->berth);
  if (room->berth) room->berth->memory = room->memory;
  return room->berth != NULL;
}

/* Build the path along the corridor, once it is known to be wide enough. */
static lw_status build(lwi_search *search, const lwi_search_query *query, lwi_path_room *room,
                       const lw_allocator *allocator, lw_path **path) {
  lw_status status = LW_OK;
  if (query->berth) status = lwi_berth_widen(query->berth, search, query, room->berth);
  return status == LW_OK ? lwi_path_build(search, query, room, allocator, path) : status;
}

/* @param bans  [MAX_SEARCHES] Written. */
static lw_status find(lwi_search *search, lwi_search_query *query, lwi_ban *bans, lwi_path_room *room,
                      const lw_allocator *allocator, lw_path **path) {
  lw_status status = LW_NO_PATH;
  query->bans = bans;
  for (query->ban_count = 0; query->ban_count < MAX_SEARCHES; query->ban_count++) {
    status = lwi_search_run(search, query);
    if (status != LW_OK) return status;
    status = build(search, query, room, allocator, path);
    if (status != LW_NO_PATH) return status;
    bans[query->ban_count] = room->berth->rejected;
  }
  return status;
}

/* Take the cheaper of the found path and what is found near it. */
static lw_status look_closer(lwi_search *search, const lwi_search_query *query, lwi_path_room *room,
                             const lw_allocator *allocator, lw_path **path) {
  lw_path *found = *path, *other = NULL;
  room->sleeve.memory = room->memory;
  lw_status status = lwi_sleeve_search(&room->sleeve, search, query, found->cost);
  if (status == LW_OK) status = build(search, query, room, allocator, &other);
  if (status == LW_OUT_OF_MEMORY) return status;
  bool is_better = status == LW_OK && other->cost < found->cost;
  lw_path_destroy(is_better ? found : other);
  *path = is_better ? other : found;
  return LW_OK;
}

lw_status lwi_path_search(lwi_search *search, const lwi_search_query *query, lwi_path_room *room,
                          const lw_allocator *allocator, lw_path **path) {
  lwi_ban bans[MAX_SEARCHES];
  lwi_search_query next = *query;
  *path = NULL;
  if (query->watch && query->watch->rough.maps && !query->berth)
    return lwi_path_search_watched(search, query, room, allocator, path);
  if (query->berth && !make_berth_room(room)) return LW_OUT_OF_MEMORY;
  lw_status status = find(search, &next, bans, room, allocator, path);
  bool is_rough = search->uneven && query->quality != LW_QUALITY_FAST && !query->account &&
                  (!query->watch || query->watch->rough.maps);
  if (status != LW_OK || !is_rough) return status;
  status = look_closer(search, &next, room, allocator, path);
  if (status == LW_OK) return LW_OK;
  lw_path_destroy(*path);
  *path = NULL;
  return status;
}
