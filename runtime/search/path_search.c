/* The search for a path: the first look, past what proves too narrow, then a closer one. */
#include "core/status.h"
#include "search/berth_path.h"

static bool make_berth_room(lwi_path_room *room) {
  if (!room->berth) room->berth = lwi_alloc_zero(room->memory, sizeof *room->berth);
  if (!room->berth) return false;
  room->berth->memory = room->memory;
  room->berth->ban_count = 0;
  return true;
}

lw_status lwi_corridor_widen(const lwi_search *search, const lwi_search_query *query, lwi_path_room *room) {
  return query->berth ? lwi_berth_widen(query->berth, search, query, room->berth) : LW_OK;
}

lw_status lwi_corridor_find(lwi_search *search, lwi_search_query *query, lwi_path_room *room) {
  if (!query->berth) return lwi_search_run(search, query);
  lwi_berth_room *berth = room->berth;
  query->bans = berth->bans;
  for (;;) {
    query->ban_count = berth->ban_count;
    lw_status status = lwi_search_run(search, query);
    if (status == LW_OK)
      status = lwi_berth_widen(query->berth, search, query, berth);
    else
      return status;
    if (status != LW_NO_PATH || berth->ban_count == LWI_BANS_MAX) return status;
    berth->bans[berth->ban_count++] = berth->rejected;
  }
}

lw_path *lwi_path_cheaper(lw_path *path, lw_path *other) {
  bool is_better = other && other->cost < path->cost;
  lw_path_destroy(is_better ? path : other);
  return is_better ? other : path;
}

/* Take the cheaper of the found path and what is found near it. */
static lw_status look_closer(lwi_search *search, const lwi_search_query *query, lwi_path_room *room,
                             const lw_allocator *allocator, lw_path **path) {
  lw_path *other = NULL;
  room->sleeve.memory = room->memory;
  lw_status status = lwi_sleeve_search(&room->sleeve, search, query, (*path)->cost);
  if (status == LW_OK) status = lwi_corridor_widen(search, query, room);
  if (status == LW_OK) status = lwi_path_build(search, query, room, allocator, &other);
  if (status == LW_OUT_OF_MEMORY) return status;
  *path = lwi_path_cheaper(*path, other);
  return LW_OK;
}

lw_status lwi_path_search(lwi_search *search, const lwi_search_query *query, lwi_path_room *room,
                          const lw_allocator *allocator, lw_path **path) {
  lwi_search_query next = *query;
  *path = NULL;
  if (query->berth && !make_berth_room(room)) return LW_OUT_OF_MEMORY;
  if (query->watch && query->watch->factor > 0)
    return lwi_path_search_watched(search, query, room, allocator, path);
  lw_status status = lwi_corridor_find(search, &next, room);
  if (status == LW_OK) status = lwi_path_build(search, query, room, allocator, path);
  bool is_rough = search->uneven && query->quality != LW_QUALITY_FAST && !query->account;
  if (status != LW_OK || !is_rough) return status;
  status = look_closer(search, &next, room, allocator, path);
  if (status == LW_OK) return LW_OK;
  lw_path_destroy(*path);
  *path = NULL;
  return status;
}
