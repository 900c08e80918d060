/* Paths that were asked for. Of equal requests that wait, the first is searched, and the others get its answer. */
#include "core/hash.h"
#include "core/status.h"
#include "world/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

lw_path_query lwi_path_request_query(const lwi_path_request *request) {
  lw_path_query query = request->query;
  if (query.team) query.team = request->team;
  query.threats = request->threats;
  query.goals = request->goals;
  return query;
}

/* --- equal requests --------------------------------------------------------------------------------------------- */

static uint64_t hash_of(const lw_path_query *query) {
  const float numbers[] = {query->from.x, query->from.y, query->from.z, query->to.x,   query->to.y,
                           query->to.z,   query->snap.x, query->snap.y, query->snap.z, query->visibility};
  const int words[] = {query->navmesh,      (int)query->quality, query->max_nodes,     query->allow_partial,
                       query->threat_count, query->height_count, (int)query->accuracy, (int)query->path_style};
  uint64_t hash = lwi_hash(LWI_HASH_SEED, numbers, sizeof numbers);
  hash = lwi_hash(hash, words, sizeof words);
  hash = lwi_hash(hash, query->heights, (size_t)query->height_count * sizeof *query->heights);
  hash = lwi_hash(hash, &query->profile, sizeof query->profile);
  for (int i = 0; i < query->threat_count; i++) hash = lwi_threat_hash(hash, &query->threats[i]);
  hash = lwi_hash(hash, query->goals, (size_t)query->goal_count * sizeof *query->goals);
  return query->team ? lwi_hash(hash, query->team, strlen(query->team)) : hash;
}

static bool is_same_team(const char *a, const char *b) {
  return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool is_same_threat(const lw_threat *a, const lw_threat *b) {
  return lwi_equal(a->at, b->at) && lwi_equal(a->facing, b->facing) && a->half_angle == b->half_angle &&
         a->range == b->range && a->weight == b->weight;
}

static bool is_same(const lw_path_query *a, const lw_path_query *b) {
  if (!lwi_equal(a->from, b->from) || !lwi_equal(a->to, b->to) || !lwi_equal(a->snap, b->snap) ||
      a->profile != b->profile || a->navmesh != b->navmesh || a->quality != b->quality ||
      a->path_style != b->path_style || a->max_nodes != b->max_nodes || a->allow_partial != b->allow_partial ||
      a->threat_count != b->threat_count || a->goal_count != b->goal_count ||
      a->height_count != b->height_count || a->accuracy != b->accuracy || a->visibility != b->visibility ||
      !is_same_team(a->team, b->team))
    return false;
  for (int i = 0; i < a->height_count; i++)
    if (a->heights[i] != b->heights[i]) return false;
  for (int i = 0; i < a->goal_count; i++)
    if (!lwi_equal(a->goals[i], b->goals[i])) return false;
  for (int i = 0; i < a->threat_count; i++)
    if (!is_same_threat(&a->threats[i], &b->threats[i])) return false;
  return true;
}

/* The request that waits for the same answer as the one in `slot`, and is searched; LWI_NO_SLOT: none. */
static uint32_t find_leader(const lwi_planner *planner, uint32_t slot) {
  const lwi_path_request *request = &planner->requests[slot];
  const lw_path_query query = lwi_path_request_query(request);
  for (uint32_t i = lwi_hash_index_first(&planner->leaders, request->hash); i != LWI_NO_ITEM;
       i = lwi_hash_index_next(&planner->leaders, i)) {
    const lw_path_query other = lwi_path_request_query(&planner->requests[i]);
    if (planner->requests[i].hash == request->hash && is_same(&query, &other)) return i;
  }
  return LWI_NO_SLOT;
}

/* @return false: no memory. */
static bool join_leader(lw_world *world, uint32_t slot) {
  lwi_planner *planner = &world->planner;
  lwi_path_request *request = &planner->requests[slot];
  const uint32_t leader = find_leader(planner, slot);
  if (leader == LWI_NO_SLOT) return lwi_hash_index_add(&planner->leaders, &world->memory, request->hash, slot);
  lwi_path_request *first = &planner->requests[leader];
  request->is_follower = true;
  request->previous = leader;
  request->next = first->next;
  if (first->next != LWI_NO_SLOT) planner->requests[first->next].previous = slot;
  first->next = slot;
  if (request->priority > first->priority) first->priority = request->priority;
  return true;
}

/* A request leaves those that are equal to it. */
static void leave(lw_world *world, uint32_t slot) {
  lwi_planner *planner = &world->planner;
  lwi_path_request *request = &planner->requests[slot];
  if (request->status != LW_UNFINISHED) return;
  const uint32_t next = request->next;
  if (request->is_follower) planner->requests[request->previous].next = next;
  if (next != LWI_NO_SLOT) planner->requests[next].previous = request->previous;
  if (request->is_follower) return;
  lwi_hash_index_remove(&planner->leaders, request->hash, slot);
  if (next == LWI_NO_SLOT) return;
  planner->requests[next].is_follower = false;
  /* Its entry has memory since a slot below or above it was added: what was removed makes it free. */
  lwi_hash_index_add(&planner->leaders, &world->memory, request->hash, next);
}

/* --- requests --------------------------------------------------------------------------------------------------- */

static lwi_path_request *find_request(const lw_world *world, lw_request_id id) {
  const uint32_t slot = LWI_FIND(&world->planner.ids, id);
  return slot == LWI_NO_SLOT ? NULL : &world->planner.requests[slot];
}

static void clear_request(lw_world *world, lwi_path_request *request) {
  lwi_free(&world->memory, request->threats, (size_t)request->query.threat_count * sizeof *request->threats);
  lwi_free(&world->memory, request->goals, (size_t)request->query.goal_count * sizeof *request->goals);
  lw_path_destroy(request->path);
  *request = (lwi_path_request){.path = NULL};
}

/* @return false: no memory. */
static bool fill_request(lw_world *world, lwi_path_request *request, const lw_path_query *query, int priority) {
  const size_t size = (size_t)query->threat_count * sizeof *query->threats,
               goals = (size_t)query->goal_count * sizeof *query->goals;
  *request = (lwi_path_request){.query = *query,
                                .hash = hash_of(query),
                                .next = LWI_NO_SLOT,
                                .previous = LWI_NO_SLOT,
                                .priority = priority,
                                .since = world->steps,
                                .status = LW_UNFINISHED};
  request->query.threats = NULL;
  request->query.goals = NULL;
  if (query->team) snprintf(request->team, sizeof request->team, "%s", query->team);
  if (size > 0) request->threats = lwi_alloc(&world->memory, size);
  if (goals > 0) request->goals = lwi_alloc(&world->memory, goals);
  if (request->threats) memcpy(request->threats, query->threats, size);
  if (request->goals) memcpy(request->goals, query->goals, goals);
  return (size == 0 || request->threats) && (goals == 0 || request->goals);
}

/* @return LWI_NO_SLOT: no memory. */
static uint32_t add_request(lw_world *world, const lw_path_query *query, int priority) {
  lwi_planner *planner = &world->planner;
  if (!lwi_reserve(&world->memory, &planner->requests, &planner->request_capacity, planner->ids.slot_count + 1,
                   sizeof *planner->requests) ||
      !lwi_reserve(&world->memory, &planner->answered.items, &planner->answered.capacity,
                   planner->answered.count + planner->ids.count + 1, sizeof *planner->answered.items))
    return LWI_NO_SLOT;
  const uint32_t slot = lwi_id_pool_add(&planner->ids, &world->memory);
  if (slot == LWI_NO_SLOT) return LWI_NO_SLOT;
  lwi_path_request *request = &planner->requests[slot];
  if (fill_request(world, request, query, priority)) {
    if (join_leader(world, slot)) return slot;
    clear_request(world, request);
  }
  lwi_id_pool_remove(&planner->ids, slot);
  return LWI_NO_SLOT;
}

lw_status lw_path_request(lw_world *world, const lw_path_query *query, int priority, lw_request_id *request) {
  if (request) *request = lw_request_id_none();
  if (!world || !query || !request || priority < -LW_PRIORITY_MAX || priority > LW_PRIORITY_MAX)
    return LW_INVALID;
  const lw_status status = lwi_path_query_check(&world->scene, query);
  if (status != LW_OK) return status;
  const uint32_t slot = add_request(world, query, priority);
  if (slot == LWI_NO_SLOT) return LW_OUT_OF_MEMORY;
  world->planner.any_waiting = true;
  *request = (lw_request_id)LWI_ID(&world->planner.ids, slot);
  return LW_OK;
}

static void remove_request(lw_world *world, lwi_path_request *request) {
  lwi_planner *planner = &world->planner;
  const uint32_t slot = (uint32_t)(request - planner->requests);
  if (planner->is_searching && planner->client.request == slot) lwi_planner_drop_search(planner);
  leave(world, slot);
  clear_request(world, request);
  lwi_id_pool_remove(&planner->ids, slot);
}

lw_status lw_path_request_status(const lw_world *world, lw_request_id id) {
  const lwi_path_request *request = world ? find_request(world, id) : NULL;
  return !world ? LW_INVALID : request ? request->status : LW_STALE;
}

lw_status lw_path_request_take(lw_world *world, lw_request_id id, lw_path **path) {
  if (path) *path = NULL;
  if (!world || !path) return LW_INVALID;
  lwi_path_request *request = find_request(world, id);
  if (!request) return LW_STALE;
  const lw_status status = request->status;
  if (status == LW_UNFINISHED) return status;
  *path = request->path;
  request->path = NULL;
  remove_request(world, request);
  return status;
}

lw_status lw_path_request_cancel(lw_world *world, lw_request_id id) {
  if (!world) return LW_INVALID;
  lwi_path_request *request = find_request(world, id);
  if (!request) return LW_STALE;
  remove_request(world, request);
  return LW_OK;
}

static void answer(lw_world *world, lwi_path_request *request, lw_status status, lw_path *path) {
  lwi_planner *planner = &world->planner;
  const uint32_t slot = (uint32_t)(request - planner->requests);
  if (world->def.answered)
    planner->answered.items[planner->answered.count++] = (lw_request_id)LWI_ID(&planner->ids, slot);
  request->status = status;
  request->path = path;
  lwi_planner_note_answer(world, request->since);
}

void lwi_path_request_answer(lw_world *world, uint32_t slot, lw_status status, lw_path *path) {
  lwi_planner *planner = &world->planner;
  lwi_path_request *request = &planner->requests[slot];
  lwi_hash_index_remove(&planner->leaders, request->hash, slot);
  answer(world, request, status, path);
  for (uint32_t at = request->next; at != LWI_NO_SLOT; at = planner->requests[at].next) {
    lw_path *copy = path ? lwi_path_copy(path, &world->memory.allocator) : NULL;
    planner->stats.shared += 1;
    answer(world, &planner->requests[at], path && !copy ? LW_OUT_OF_MEMORY : status, copy);
  }
}

void lwi_path_requests_tell(lw_world *world) {
  lwi_planner *planner = &world->planner;
  for (int i = 0; i < planner->answered.count && !world->closing; i++) {
    const lw_request_id id = planner->answered.items[i]; /* the list may move */
    if (find_request(world, id)) world->def.answered(world->def.user, world, id);
  }
  planner->answered.count = 0;
}

void lwi_path_requests_free(lw_world *world) {
  lwi_planner *planner = &world->planner;
  for (uint32_t slot = planner->ids.first; slot != LWI_NO_SLOT; slot = lwi_id_pool_next(&planner->ids, slot))
    clear_request(world, &planner->requests[slot]);
  lwi_free(&world->memory, planner->requests, (size_t)planner->request_capacity * sizeof *planner->requests);
  lwi_free(&world->memory, planner->answered.items,
           (size_t)planner->answered.capacity * sizeof *planner->answered.items);
  lwi_hash_index_free(&planner->leaders, &world->memory);
  lwi_id_pool_free(&planner->ids, &world->memory);
}
