/* The planner: a fixed amount of work for paths in each step, shared among agents that were sent and paths that were asked
   for. One search at a time is in progress, and goes on in the next step where the work does not suffice for it; threads
   search beside each other for those that follow (plan_lanes.c). */
#include "agent/driving.h"
#include "core/hash.h"
#include "core/status.h"
#include "world/driving.h"

#include <string.h>

/* --- the search in progress ----------------------------------------------------------------------------------- */

/* @return false: no memory. */
static bool make_search(lw_world *world) {
  return lwi_plan_lane_open(world, &world->planner.lanes[world->planner.lane]);
}

/* Go on as in a step also between two: what is asked for there counts as if it were in one. */
static bool step_search(lw_world *world) {
  lwi_planner *planner = &world->planner;
  lw_search *search = lwi_planner_search(planner);
  const uint64_t before = search->work;
  search->from.crowd.step = world->steps;
  const bool was_stepping = lwi_world_begin_as_step(world);
  const bool is_current = lwi_sliced_search_step(search, (uint64_t)planner->left);
  planner->left -= (int64_t)(search->work - before);
  if (!lwi_world_end_as_step(world, was_stepping)) search->status = LW_OUT_OF_MEMORY;
  return is_current;
}

void lwi_planner_drop_search(lwi_planner *planner) {
  if (planner->is_searching) lwi_sliced_search_drop(lwi_planner_search(planner));
  planner->is_searching = false;
}

/* The result of a search that has ended. */
static lw_status take_found(lwi_planner *planner, lw_path **path, lw_drive **drive) {
  lw_search *search = lwi_planner_search(planner);
  const lw_status status =
      search->drive.is_begun ? lwi_drive_job_outcome(&search->drive.job, search->status) : search->status;
  *path = search->path;
  *drive = search->drive.found;
  search->path = NULL;
  search->drive.found = NULL;
  planner->is_searching = false;
  if (status == LW_OK || status == LW_PARTIAL) return status;
  lw_path_destroy(*path);
  lw_drive_destroy(*drive);
  *path = NULL;
  *drive = NULL;
  return status;
}

/* --- agents --------------------------------------------------------------------------------------------------- */

bool lwi_planner_let_wait(lw_world *world, lwi_agent *agent, bool is_to_halt) {
  lwi_agent_route *route = &agent->route;
  const bool was_blocked = route->driving.is_blocked;
  const lwi_vehicle_lead lead = lwi_vehicle_detach_lead(agent);
  is_to_halt |= lwi_is_vehicle(agent->profile);
  if (route->staleness != LWI_WAITING) route->waits_since = world->steps;
  if (is_to_halt || agent->move != LW_MOVE_WALKING || !route->path) {
    lw_path *path = lwi_path_of_place(lwi_agent_footing(agent), lwi_agent_footing_navmesh(agent),
                                      world->scene.meshes[0]->areas, &world->memory.allocator);
    if (!path) {
      lw_drive_destroy(lead.drive);
      return false;
    }
    lwi_agent_follow(agent, path, world->time);
    if (lead.drive) lwi_vehicle_drive_lead(agent, &lead);
    if (!lwi_agent_note_corridor(world, agent)) return false;
  }
  route->driving.is_blocked = was_blocked;
  route->version += 1; /* a search in progress for an earlier goal is not for this one */
  route->staleness = LWI_WAITING;
  world->planner.any_waiting = true;
  return true;
}

static lwi_plan_mark mark_of(const lwi_agent *agent) {
  return (lwi_plan_mark){agent->id, agent->route.version};
}

/* @return NULL: it does not wait for that any more. */
static lwi_agent *waiting_agent(const lw_world *world, lwi_plan_mark mark) {
  lwi_agent *agent = lwi_world_agent(world, mark.agent);
  return agent && agent->route.version == mark.version && lwi_agent_waits(agent) ? agent : NULL;
}

void lwi_planner_note_outdated(lw_world *world, const lwi_agent *agent, int begins) {
  world->planner.outdated = (lwi_plan_outdated){mark_of(agent), begins};
}

lwi_agent *lwi_planner_outdated(const lw_world *world) {
  return waiting_agent(world, world->planner.outdated.of);
}

int lwi_planner_begin_outdated(lw_world *world, const lwi_agent *agent) {
  lwi_planner *planner = &world->planner;
  if (lwi_planner_outdated(world) != agent) return 0;
  planner->outdated.of.agent = lw_agent_id_none();
  return planner->outdated.begins;
}

/* Begin a search whose start is found. */
static lw_status begin_found(lw_world *world, const lwi_agent_search *search) {
  if (!make_search(world)) return LW_OUT_OF_MEMORY;
  lw_search *to = lwi_planner_search(&world->planner);
  return lwi_sliced_search_begin(to, &search->query, &search->from) ? LW_OK : LW_OUT_OF_MEMORY;
}

/* Let a search begin where the vehicle's next drive does. @return false: no ground is there. */
static bool begin_at_drive(const lw_world *world, const lwi_agent *agent, lwi_agent_search *search,
                           float *heading) {
  if (!lwi_vehicle_start(world, agent, &search->footing, heading)) return false;
  search->from.at = search->footing;
  search->query.from = search->footing.point;
  return true;
}

/* The search for a vehicle also finds its drive. */
static lw_status begin_for_vehicle(lw_world *world, lwi_agent *agent, const lwi_plan_resume *from,
                                   lwi_agent_search *search) {
  float heading = agent->heading;
  if (!from && !begin_at_drive(world, agent, search, &heading)) return LW_NO_START;
  const lw_status status = lwi_agent_search_from(search);
  if (status != LW_OK) return status;
  lwi_drive_job job = lwi_world_drive_job(world, agent, search->footing, heading);
  if (from) lwi_plan_resume_drive(from, &job);
  search->from.drive = &job;
  const lw_status begun = begin_found(world, search);
  search->from.drive = NULL;
  return begun;
}

static lw_status begin_for_walker(lw_world *world, lwi_agent_search *search) {
  const lw_status status = lwi_agent_search_from(search);
  return status == LW_OK ? begin_found(world, search) : status;
}

/* Begin the search for an agent. @param from  Of a saved game: where. NULL: where it is. @return LW_OK, or why there is none. */
static lw_status begin_for_agent(lw_world *world, lwi_agent *agent, const lwi_plan_resume *from,
                                 bool is_of_crowd) {
  lwi_planner *planner = &world->planner;
  lwi_agent_search search;
  lw_status status =
      from ? lwi_agent_search_resume(world, agent, &search) : lwi_agent_search_begin(world, agent, &search);
  if (status == LW_OK && from) lwi_plan_resume_search(world, agent, from, &search);
  if (status == LW_OK) search.from.crowd = lwi_plan_crowd_use(world, agent, is_of_crowd);
  if (status == LW_OK)
    status = lwi_is_vehicle(agent->profile) ? begin_for_vehicle(world, agent, from, &search)
                                            : begin_for_walker(world, &search);
  if (status != LW_OK) return status;
  lwi_planner_search(planner)->begins = lwi_planner_begin_outdated(world, agent);
  planner->is_searching = true;
  planner->client = (lwi_plan_client){.agent = agent->id,
                                      .version = agent->route.version,
                                      .request = LWI_NO_SLOT,
                                      .heard = from ? from->heard : world->news,
                                      .is_doubtful = from && from->is_doubtful,
                                      .footing = search.footing,
                                      .navmesh = lwi_scene_index(&world->scene, search.from.nav),
                                      .is_steady = search.is_steady};
  return LW_OK;
}

bool lwi_planner_has_news(const lw_world *world, const lwi_agent *agent, uint64_t heard) {
  lwi_agent then = *agent;
  then.knowledge.heard = heard;
  return lwi_world_is_alarmed(world, &then) || lwi_world_has_dimmed(world, &then) ||
         lwi_world_regions_may_concern(world, agent, heard);
}

void lwi_planner_hear(lw_world *world) {
  lwi_planner *planner = &world->planner;
  const lwi_agent *searching = lwi_planner_agent(world), *resumed = lwi_planner_resumed(world);
  if (searching && lwi_planner_has_news(world, searching, planner->client.heard))
    planner->client.is_doubtful = true;
  if (resumed && lwi_planner_has_news(world, resumed, planner->resume.heard))
    planner->resume.is_doubtful = true;
}

/* The path that was found takes in what was known when its search began. */
static void hear_as_begun(lw_world *world, lwi_agent *agent) {
  const lwi_plan_client *client = &world->planner.client;
  agent->knowledge.heard = client->heard;
  if (!client->is_doubtful) return;
  lwi_agent_doubt_path(agent, LWI_ALARMED);
  world->planner.any_stale = true;
}

static lw_status end_for_agent(lw_world *world, lwi_agent *agent) {
  lwi_planner *planner = &world->planner;
  const lwi_plan_client *client = &planner->client;
  lw_path *path;
  lw_drive *drive;
  lw_status status = take_found(planner, &path, &drive);
  if (status == LW_OK && lwi_planner_is_ahead(world, agent)) {
    status = lwi_planner_join(world, agent, path);
    if (status == LW_OK) hear_as_begun(world, agent);
    lw_path_destroy(path);
    return status;
  }
  if (!drive)
    status = lwi_agent_search_end(world, agent, lwi_planner_search(planner)->run.prices, status, &path);
  if (status != LW_OK) return status;
  status =
      lwi_agent_take_path(world, agent, path, drive, client->is_steady && path->link_count == 0 ? 0 : INFINITY);
  hear_as_begun(world, agent);
  return status;
}

/* Search for an agent with the work that is left.
   @return LW_UNFINISHED: the search goes on in the next step; else as of its move. */
static lw_status search_for_agent(lw_world *world, lwi_agent *agent, bool is_of_crowd) {
  const double began = lwi_clock();
  lw_status status = begin_for_agent(world, agent, NULL, is_of_crowd);
  if (status == LW_OK) {
    step_search(world);
    status = lwi_planner_search(&world->planner)->status == LW_UNFINISHED ? LW_UNFINISHED
                                                                          : end_for_agent(world, agent);
  }
  lwi_agent_note_search(agent, lwi_clock() - began);
  return status;
}

/* That no path leads to its goal is known at once. */
static lw_status check_agent(lw_world *world, lwi_agent *agent) {
  lwi_agent_search search;
  lwi_path_start start;
  lw_status status = lwi_agent_search_begin(world, agent, &search);
  if (status == LW_OK) status = lwi_agent_search_from(&search);
  if (status != LW_OK || lwi_path_run_may_cross(&search.run)) return status;
  status = lwi_path_run_reach_ends(&search.run, search.from.nav, search.from.at, &start);
  return status == LW_NO_START && agent->ground.is_trapped ? LW_TRAPPED : status;
}

lw_status lwi_world_send(lw_world *world, lwi_agent *agent) {
  lwi_planner *planner = &world->planner;
  agent->route.ahead = LWI_AHEAD_NONE;
  const lwi_plan_need need = lwi_agent_plan_need(world, agent);
  lwi_plan_tables_want(world, &need, agent->serial, false);
  const bool is_free = planner->left > 0 && !lwi_planner_is_busy(planner);
  const bool is_of_crowd = lwi_plan_is_of_crowd(world, agent) && is_free;
  const lw_status status = is_free ? search_for_agent(world, agent, is_of_crowd) : check_agent(world, agent);
  if (is_free && status != LW_UNFINISHED) {
    planner->stats.at_once += status == LW_OK;
    return status;
  }
  if (status != LW_OK && status != LW_UNFINISHED) return status;
  const bool waits =
      is_free ? lwi_planner_wait_in_search(world, agent, true) : lwi_planner_let_wait(world, agent, false);
  return waits ? LW_OK : LW_OUT_OF_MEMORY;
}

/* --- requests ------------------------------------------------------------------------------------------------- */

static lw_status begin_request(lw_world *world, uint32_t slot, bool is_of_crowd) {
  lwi_planner *planner = &world->planner;
  const lw_path_query query = lwi_path_request_query(&planner->requests[slot]);
  const lwi_plan_need need = lwi_request_plan_need(world, &planner->requests[slot]);
  const lwi_sliced_from from = {.is_cold = !lwi_plan_tables_are_ready(world, &need),
                                .crowd = lwi_plan_crowd_use(world, NULL, is_of_crowd)};
  if (!make_search(world) || !lwi_sliced_search_begin(lwi_planner_search(planner), &query, &from))
    return LW_OUT_OF_MEMORY;
  planner->is_searching = true;
  planner->client = (lwi_plan_client){.request = slot};
  return LW_OK;
}

/* --- in a step ------------------------------------------------------------------------------------------------ */

void lwi_planner_note_answer(lw_world *world, uint64_t since) {
  lw_planner_stats *stats = &world->planner.stats;
  const uint64_t steps =
      world->steps > since ? world->steps - since : 0; /* an earlier game was loaded meanwhile */
  stats->answered += 1;
  stats->waited += steps;
  if (steps > (uint64_t)stats->waited_max) stats->waited_max = (int)steps;
}

/* The agent that the search in progress is for, if it still waits for that. */
lwi_agent *lwi_planner_agent(const lw_world *world) {
  const lwi_plan_client *client = &world->planner.client;
  if (!world->planner.is_searching || client->request != LWI_NO_SLOT) return NULL;
  return waiting_agent(world, (lwi_plan_mark){client->agent, client->version});
}

void lwi_planner_answer_agent(lw_world *world, lwi_agent *agent, lw_status status) {
  lwi_planner_note_answer(world, agent->route.waits_since);
  if (status == LW_OK) return;
  lwi_agent_give_up(world, agent, status);
}

static void want_request_tables(lw_world *world, uint32_t slot) {
  const lwi_plan_need need = lwi_request_plan_need(world, &world->planner.requests[slot]);
  lwi_plan_tables_want(world, &need, 0, true);
}

/* Go on with the search in progress. @return false: it has not ended. */
static bool go_on(lw_world *world) {
  lwi_planner *planner = &world->planner;
  const uint32_t slot = planner->client.request;
  lwi_agent *agent = slot == LWI_NO_SLOT ? lwi_planner_agent(world) : NULL;
  if (slot == LWI_NO_SLOT && !agent) return lwi_planner_drop_search(planner), true;
  if (!agent) want_request_tables(world, slot);
  const double began = lwi_clock();
  if (!step_search(world)) { /* the agent takes its turn again */
    if (agent) lwi_planner_note_outdated(world, agent, lwi_planner_search(planner)->begins);
    lwi_planner_drop_search(planner);
    return true;
  }
  if (agent) agent->stats.search_seconds += lwi_clock() - began;
  const bool has_paused = lwi_planner_search(planner)->status == LW_UNFINISHED;
  if (agent && has_paused) lwi_planner_wait_in_search(world, agent, false);
  if (has_paused) return false;
  if (agent) {
    const lw_status status = end_for_agent(world, agent);
    if (status != LW_UNFINISHED) lwi_planner_answer_agent(world, agent, status);
    return true;
  }
  lw_path *path;
  lw_drive *none;
  const lw_status status = take_found(planner, &path, &none);
  lwi_path_request_answer(world, slot, status, path);
  return true;
}

void lwi_plan_entry_want_tables(lw_world *world, const lwi_plan_entry *entry) {
  if (!entry->agent) {
    want_request_tables(world, entry->request);
    return;
  }
  const lwi_plan_need need = lwi_agent_plan_need(world, entry->agent);
  lwi_plan_tables_want(world, &need, entry->agent->serial, true);
}

/* @return false: the search goes on in the next step, or must wait for it. */
static bool take_turn(lw_world *world, const lwi_plan_entry *entry) {
  if (!entry->agent) {
    lwi_plan_entry_want_tables(world, entry);
    if (begin_request(world, entry->request, lwi_plan_entry_is_of_crowd(world, entry)) == LW_OK)
      return go_on(world);
    lwi_path_request_answer(world, entry->request, LW_OUT_OF_MEMORY, NULL);
    return true;
  }
  lwi_agent *agent = entry->agent;
  if (agent->ground.is_parked || lwi_agent_lacks_landing(world, agent) || lwi_vehicle_must_stop(world, agent))
    return true; /* later */
  lwi_plan_entry_want_tables(world, entry);
  const lw_status status = search_for_agent(world, agent, lwi_plan_entry_is_of_crowd(world, entry));
  if (status != LW_UNFINISHED) {
    lwi_planner_answer_agent(world, agent, status);
    return true;
  }
  lwi_planner_wait_in_search(world, agent, true);
  return false;
}

/* Does any of those that were listed still wait, also one that was passed over until it stands? */
static bool any_waits(const lw_world *world, const lwi_plan_queue *queue) {
  for (int i = 0; i < queue->count; i++) {
    const lwi_plan_entry *entry = &queue->entries[i];
    if (entry->agent ? lwi_agent_waits(entry->agent)
                     : world->planner.requests[entry->request].status == LW_UNFINISHED)
      return true;
  }
  return false;
}

/* Let all take their turns while there is work left: as many beside each other as there are threads for. */
static void take_turns(lw_world *world) {
  lwi_planner *planner = &world->planner;
  lwi_plan_queue *queue = &planner->queue;
  const int beside = planner->lane_count > 1 ? LWI_PLAN_BESIDE_MAX : 1;
  if (!lwi_plan_queue_fill(world)) return;
  lwi_plan_count_crowds(world);
  int i = 0;
  while (i < queue->count && planner->left > 0) {
    lwi_plan_turns turns = {.is_alone = true};
    lwi_plan_queue_order(queue, i + beside);
    if (queue->ordered - i > 1) turns = lwi_plan_beside(world, &queue->entries[i], queue->ordered - i);
    i += turns.count;
    if (planner->is_searching) break;
    if (!turns.is_alone || planner->left <= 0) continue;
    if (!take_turn(world, &queue->entries[i])) break;
    i += 1;
  }
  planner->any_waiting = any_waits(world, queue);
}

/* The work of any step, with this one. */
static int used_max(const lwi_planner *planner) {
  const int used = (int)(planner->granted - planner->left);
  return used > planner->stats.used_max ? used : planner->stats.used_max;
}

static void begin_step(lw_world *world) {
  lwi_planner *planner = &world->planner;
  planner->stats.used_max = used_max(planner);
  /* What one step took too much, the next ones have less: but not for longer than that. */
  const int64_t debt = planner->left < 0 ? -planner->left : 0,
                max = (int64_t)LWI_REST_MAX * world->def.search_work;
  planner->granted = planner->left = world->def.search_work - (debt < max ? debt : max);
  planner->crowds.sent = 0;
  lwi_crowd_fields_expire(&planner->crowds.fields, &world->scene, world->steps);
  lwi_plan_tables_begin_step(world);
}

lwi_agent *lwi_planner_resumed(const lw_world *world) {
  return waiting_agent(world, world->planner.resumed);
}

/* Take the search of a saved game as far as it was. What it looks at was counted then. */
static void resume(lw_world *world) {
  lwi_planner *planner = &world->planner;
  lwi_agent *agent = lwi_planner_resumed(world);
  const int64_t left = planner->left;
  planner->resumed.agent = lw_agent_id_none();
  if (!agent || planner->is_searching || begin_for_agent(world, agent, &planner->resume, false) != LW_OK)
    return;
  lw_search *search = lwi_planner_search(planner);
  search->begins = planner->resume.begins - 1; /* it begins once more, now */
  planner->left = (int64_t)planner->resume.work - LWI_WORK_A_SEARCH;
  search->from.crowd.is_resumed = true;
  if (planner->left >= 0) step_search(world);
  search->from.crowd.is_resumed = false;
  planner->left = left;
  lwi_depth_asks_clear(&search->workspace->asks[1]);
}

void lwi_planner_take_up(lw_world *world) {
  lwi_crowd_fields_settle(&world->planner.crowds.fields, &world->scene);
  if (lw_agent_id_is_none(world->planner.resumed.agent)) return;
  const bool is_stepping = world->scene.stepping;
  world->scene.stepping = true; /* what it asks counts as in a step */
  resume(world);
  world->scene.stepping = is_stepping;
}

void lwi_world_plan(lw_world *world) {
  lwi_planner *planner = &world->planner;
  begin_step(world);
  if (planner->is_searching && planner->left > 0 && !go_on(world)) return;
  if (planner->any_waiting && planner->left > 0) take_turns(world);
}

void lwi_planner_reset(lw_world *world, int64_t left, bool is_busy) {
  lwi_planner *planner = &world->planner;
  lwi_planner_drop_search(planner);
  planner->granted = planner->left = left;
  planner->any_waiting = is_busy || planner->ids.first != LWI_NO_SLOT; /* requests stay */
  planner->resumed.agent = planner->outdated.of.agent = lw_agent_id_none();
  lwi_crowd_fields_forget(&planner->crowds.fields);
  planner->tables.count = 0;
  planner->tables.granted = 0;
}

void lwi_planner_resume(lw_world *world, const lwi_agent *agent, const lwi_plan_resume *from) {
  lwi_planner *planner = &world->planner;
  lwi_beliefs threats = planner->resume.threats;
  if (from->work == 0 ||
      !lwi_beliefs_set(&world->memory, &threats, from->threats.threats, from->threats.count)) {
    lwi_planner_note_outdated(world, agent, from->begins); /* it begins again */
    return;
  }
  planner->resumed = mark_of(agent);
  planner->resume = *from;
  planner->resume.threats = threats;
  planner->resume.heard = world->news;
}

/* --- the planner ---------------------------------------------------------------------------------------------- */

lw_status lw_world_get_planner_stats(const lw_world *world, lw_planner_stats *stats) {
  if (stats) *stats = (lw_planner_stats){.budget = 0};
  if (!world || !stats) return LW_INVALID;
  const lwi_planner *planner = &world->planner;
  *stats = planner->stats;
  stats->budget = world->def.search_work;
  stats->threads = world->def.threads;
  stats->used = (int)(planner->granted - planner->left);
  stats->used_max = used_max(planner);
  stats->fields_opened = planner->crowds.fields.opened;
  stats->field_paths = planner->crowds.fields.paths;
  stats->fields = lwi_crowd_fields_count(&planner->crowds.fields, &world->scene);
  for (const lwi_agent *agent = NULL; (agent = lwi_next_agent(world, agent));)
    stats->waiting_agents += lwi_agent_waits(agent);
  for (uint32_t slot = planner->ids.first; slot != LWI_NO_SLOT; slot = lwi_id_pool_next(&planner->ids, slot))
    stats->waiting_requests += planner->requests[slot].status == LW_UNFINISHED;
  return LW_OK;
}

lw_status lw_world_set_search_work(lw_world *world, int work) {
  if (!world || work < 1) return LW_INVALID;
  world->def.search_work = work;
  return LW_OK;
}

size_t lwi_planner_memory(const lw_world *world) {
  const lwi_planner *planner = &world->planner;
  size_t bytes = 0;
  for (int i = 0; i < planner->lane_count; i++) bytes += planner->lanes[i].search.memory.bytes;
  for (uint32_t slot = planner->ids.first; slot != LWI_NO_SLOT; slot = lwi_id_pool_next(&planner->ids, slot))
    if (planner->requests[slot].path) bytes += planner->requests[slot].path->memory.bytes;
  return bytes;
}

bool lwi_world_planner_init(lw_world *world) {
  lwi_planner *planner = &world->planner;
  const int lanes = world->def.threads;
  planner->granted = planner->left = world->def.search_work;
  planner->crowds.fields.memory = &world->memory;
  if (!lwi_jobs_init(&planner->jobs, lanes, &world->def.jobs, &world->memory)) return false;
  planner->lanes = lwi_alloc_zero(&world->memory, (size_t)lanes * sizeof *planner->lanes);
  if (planner->lanes) planner->lane_count = lanes;
  return planner->lanes != NULL;
}

static void free_lane(lwi_plan_lane *lane) {
  lwi_free(&lane->search.memory, lane->asks, (size_t)lane->ask_capacity * sizeof *lane->asks);
  lwi_sliced_search_free(&lane->search);
}

void lwi_world_planner_free(lw_world *world) {
  lwi_planner *planner = &world->planner;
  lwi_path_requests_free(world);
  lwi_plan_crowds_free(world);
  lwi_jobs_free(&planner->jobs, &world->memory);
  for (int i = 0; i < planner->lane_count; i++) free_lane(&planner->lanes[i]);
  lwi_free(&world->memory, planner->lanes, (size_t)planner->lane_count * sizeof *planner->lanes);
  lwi_free(&world->memory, planner->queue.entries,
           (size_t)planner->queue.capacity * sizeof *planner->queue.entries);
  lwi_free(&world->memory, planner->resume.threats.threats,
           (size_t)planner->resume.threats.capacity * sizeof(lw_threat));
}

/* Where the search of an agent that walks ahead began, also that of a saved game. NULL: there is none such. */
static const lw_location *start_behind(const lw_world *world) {
  const lwi_planner *planner = &world->planner;
  const lwi_agent *searching = lwi_planner_agent(world), *resumed = lwi_planner_resumed(world);
  const lwi_agent *agent = searching ? searching : resumed;
  if (!agent || (agent->route.ahead != LWI_AHEAD_WALKS && !agent->route.remedy.is_searching)) return NULL;
  if (searching && lwi_sliced_search_is_outdated(lwi_planner_search(planner)))
    return NULL; /* it begins again */
  return searching ? &planner->client.footing : &planner->resume.footing;
}

uint64_t lwi_world_planner_hash(const lw_world *world, uint64_t hash) {
  const int search_work = world->def.search_work;
  if (search_work != lw_world_def_default().search_work)
    hash = lwi_hash(hash, &search_work, sizeof search_work);
  for (const lwi_agent *agent = NULL; (agent = lwi_next_agent(world, agent));) {
    if (!lwi_agent_waits(agent)) continue;
    const uint64_t words[] = {agent->serial, agent->route.waits_since, (uint64_t)agent->route.journey.priority};
    const int ahead = (int)agent->route.ahead;
    hash = lwi_hash(hash, words, sizeof words);
    if (ahead != LWI_AHEAD_NONE) hash = lwi_hash(hash, &ahead, sizeof ahead);
  }
  hash = lwi_plan_tables_hash(world, hash);
  const uint64_t fields = lwi_crowd_fields_hash(&world->planner.crowds.fields, &world->scene);
  if (fields != 0) hash = lwi_hash(hash, &fields, sizeof fields);
  const lw_location *start = start_behind(world);
  return start ? lwi_hash(hash, &start->point, sizeof start->point) : hash;
}
