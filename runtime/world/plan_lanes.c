/* Searches of the planner beside each other. Each thread has a lane. They take the entries in the order of their turns and
   search them with at most the work that is left, as far as is known; nothing in the world changes meanwhile. Then, in the
   same order, each takes its turn, with the work that is left by then. A result that took more is dropped and searched for
   again, so that all is as if one had been searched after the other. */
#include "core/status.h"
#include "world/world.h"

#include <stdatomic.h>
#include <string.h>

/* What came of an entry. */
typedef enum piece_state {
  PIECE_WAITS,   /* nothing was begun */
  PIECE_SKIPPED, /* it takes its turn later */
  PIECE_ALONE,   /* the agent is to be moved before it is searched for, or a distance field is to be computed */
  PIECE_PAUSED,  /* the search is in its lane, which has ended */
  PIECE_DONE
} piece_state;

typedef struct piece {
  piece_state state;
  lw_status status;
  lw_path *path;
  uint64_t limit; /* the work that it was searched with */
  uint64_t work, pausable;
  double seconds;
  bool is_steady;
  int lane, first_ask, ask_count;
  lwi_crowd_field *field; /* that its path was led along */
  bool is_far;            /* lwi_crowd_note_led() */
} piece;

typedef struct batch {
  const lw_world *world;
  lwi_plan_lane *lanes;
  const lwi_plan_entry *entries;
  int count;
  uint64_t limit;
  atomic_int next;           /* the entry to begin with next */
  atomic_uint_fast64_t work; /* of the pieces that have ended */
  atomic_bool is_full;       /* nothing behind what has begun takes its turn in this step */
  piece pieces[LWI_PLAN_BESIDE_MAX];
} batch;

bool lwi_plan_lane_open(lw_world *world, lwi_plan_lane *lane) {
  if (lane->is_ready) return true;
  lane->is_ready = lwi_sliced_search_init(&lane->search, &world->scene, NULL);
  if (!lane->is_ready) lwi_sliced_search_free(&lane->search);
  return lane->is_ready;
}

/* --- on any thread -------------------------------------------------------------------------------------------- */

static lwi_crowd_use crowd_use(const lw_world *world, const lwi_plan_entry *entry) {
  lwi_crowd_use use = lwi_plan_crowd_use(world, entry->agent, lwi_plan_entry_is_of_crowd(world, entry));
  use.is_beside = true;
  return use;
}

static lw_status begin_for_agent(const lw_world *world, lwi_plan_lane *lane, const lwi_plan_entry *entry,
                                 piece *of) {
  const lwi_agent *agent = entry->agent;
  lwi_agent_search asked;
  lw_status status = lwi_agent_search_ask(world, lane->search.workspace, agent, &asked);
  if (status == LW_OK) status = lwi_agent_search_from(&asked);
  if (status != LW_OK) return status;
  of->is_steady = asked.is_steady;
  asked.from.crowd = crowd_use(world, entry);
  if (!lwi_sliced_search_begin(&lane->search, &asked.query, &asked.from)) return LW_OUT_OF_MEMORY;
  if (lwi_planner_outdated(world) == agent) lane->search.begins = world->planner.outdated.begins;
  return LW_OK;
}

static lw_status begin_request(const lw_world *world, lwi_plan_lane *lane, const lwi_plan_entry *entry) {
  const lw_path_query query = lwi_path_request_query(&world->planner.requests[entry->request]);
  const lwi_plan_need need = lwi_request_plan_need(world, &world->planner.requests[entry->request]);
  const lwi_sliced_from from = {.is_cold = !lwi_plan_tables_are_ready(world, &need),
                                .crowd = crowd_use(world, entry)};
  return lwi_sliced_search_begin(&lane->search, &query, &from) ? LW_OK : LW_OUT_OF_MEMORY;
}

/* What the search asked about threats counts when it takes its turn. @return false: no memory. */
static bool keep_asks(lwi_plan_lane *lane, piece *of) {
  lwi_depth_asks *asks = &lane->search.workspace->asks[1];
  of->first_ask = lane->ask_count;
  of->ask_count = 0;
  if (asks->count == 0) return true;
  const bool is_kept = lwi_reserve(&lane->search.memory, &lane->asks, &lane->ask_capacity,
                                   lane->ask_count + asks->count, sizeof *lane->asks);
  if (is_kept) {
    memcpy(lane->asks + lane->ask_count, asks->items, (size_t)asks->count * sizeof *asks->items);
    of->ask_count = asks->count;
    lane->ask_count += asks->count;
  }
  lwi_depth_asks_clear(asks);
  return is_kept;
}

/* Take the result of a search that has ended. */
static void take_result(const batch *of, lwi_plan_lane *lane, const lwi_agent *agent, piece *result) {
  lw_search *search = &lane->search;
  result->state = PIECE_DONE;
  result->status = search->status;
  result->path = search->path;
  search->path = NULL;
  if (result->status != LW_OK && result->status != LW_PARTIAL) {
    lw_path_destroy(result->path);
    result->path = NULL;
  }
  if (agent)
    result->status = lwi_agent_search_end(of->world, agent, search->run.prices, result->status, &result->path);
}

static void search_on(batch *of, lwi_plan_lane *lane, const lwi_agent *agent, piece *result) {
  lw_search *search = &lane->search;
  lwi_sliced_search_step(search, result->limit);
  result->work = search->work;
  result->pausable = search->pausable;
  result->field = search->field.led;
  result->is_far = search->nav_search.search.is_far;
  if (!keep_asks(lane, result)) search->status = LW_OUT_OF_MEMORY;
  if (search->field.is_alone)
    result->state = PIECE_ALONE;
  else if (search->status == LW_UNFINISHED)
    result->state = PIECE_PAUSED;
  else
    take_result(of, lane, agent, result);
}

/* @return false: nothing behind this entry takes its turn before it, or in this step. */
static bool run_piece(batch *of, int lane_index, int i) {
  lwi_plan_lane *lane = &of->lanes[lane_index];
  const lwi_agent *agent = of->entries[i].agent;
  piece *result = &of->pieces[i];
  const double began = lwi_clock();
  const uint64_t done = i > 0 ? atomic_load(&of->work) : 0;
  if (done >= of->limit) return false;
  result->limit = of->limit - done;
  result->lane = lane_index;
  if (agent && (agent->ground.is_parked || lwi_agent_lacks_landing(of->world, agent))) {
    result->state = PIECE_SKIPPED;
    return true;
  }
  if (agent && (lwi_is_vehicle(agent->profile) || !lwi_agent_has_footing(of->world, agent))) {
    result->state = PIECE_ALONE;
    return false;
  }
  result->status = agent ? begin_for_agent(of->world, lane, &of->entries[i], result)
                         : begin_request(of->world, lane, &of->entries[i]);
  if (result->status == LW_OK)
    search_on(of, lane, agent, result);
  else
    result->state = PIECE_DONE;
  result->seconds = lwi_clock() - began;
  if (result->state == PIECE_PAUSED || result->state == PIECE_ALONE) return false;
  atomic_fetch_add(&of->work, result->work);
  return true;
}

/* Where a search pauses in a lane, that ends: its search may be the one that goes on in the next step. */
static void run_lane(void *user, int lane) {
  batch *of = user;
  while (!atomic_load(&of->is_full)) {
    const int i = atomic_fetch_add(&of->next, 1);
    if (i >= of->count) return;
    if (run_piece(of, lane, i)) continue;
    atomic_store(&of->is_full, true);
    return;
  }
}

/* --- in turn -------------------------------------------------------------------------------------------------- */

/* Count what its search has asked. @return false: no memory. */
static bool count_asks(const batch *of, const piece *result) {
  const lwi_scene *scene = &of->world->scene;
  const lwi_depth_ask *asks = of->lanes[result->lane].asks;
  bool good = true;
  for (int i = 0; i < result->ask_count; i++)
    good =
        lwi_depth_asks_put(&scene->own->asks[1], &scene->sight.caches[1], &asks[result->first_ask + i]) && good;
  return good;
}

static void answer_agent(lw_world *world, lwi_agent *agent, piece *result) {
  lw_status status = result->status;
  lwi_planner_begin_outdated(world, agent);
  lwi_agent_search_note(world, agent);
  lwi_agent_note_search(agent, result->seconds);
  if (status == LW_OK) {
    const bool is_steady = result->is_steady && result->path->link_count == 0;
    status = lwi_agent_take_path(world, agent, result->path, NULL, is_steady ? 0 : INFINITY);
    agent->knowledge.heard = world->news;
  }
  lwi_planner_answer_agent(world, agent, status);
}

static void note_field(lw_world *world, const piece *result) {
  if (result->field)
    lwi_crowd_note_led(&world->planner.crowds.fields, result->field, world->steps, result->is_far);
}

/* Let a search that has ended take its turn. */
static void take_turn(lw_world *world, const batch *of, int i, piece *result) {
  const lwi_plan_entry *entry = &of->entries[i];
  world->planner.left -= (int64_t)result->work;
  note_field(world, result);
  if (!count_asks(of, result)) {
    lw_path_destroy(result->path);
    result->path = NULL;
    result->status = LW_OUT_OF_MEMORY;
  }
  if (entry->agent)
    answer_agent(world, entry->agent, result);
  else
    lwi_path_request_answer(world, entry->request, result->status, result->path);
  result->path = NULL;
}

/* Let a search that has paused be the one that goes on in the next step. */
static void keep_search(lw_world *world, const batch *of, int i) {
  lwi_planner *planner = &world->planner;
  const lwi_plan_entry *entry = &of->entries[i];
  const piece *result = &of->pieces[i];
  lwi_agent *agent = entry->agent;
  note_field(world, result);
  if (!count_asks(of, result)) of->lanes[result->lane].search.status = LW_OUT_OF_MEMORY;
  planner->lane = result->lane;
  planner->is_searching = true;
  planner->left -= (int64_t)result->work;
  planner->client = (lwi_plan_client){.request = agent ? LWI_NO_SLOT : entry->request};
  if (!agent) return;
  lwi_planner_begin_outdated(world, agent);
  planner->client.agent = agent->id;
  planner->client.footing = lwi_agent_footing(agent);
  planner->client.navmesh = lwi_agent_footing_navmesh(agent);
  planner->client.heard = world->news;
  planner->client.is_steady = result->is_steady;
  lwi_agent_search_note(world, agent);
  lwi_agent_note_search(agent, result->seconds);
  lwi_planner_wait_in_search(world, agent, true);
}

/* Was it led along a field that has turned out to be of no use? */
static bool is_misled(const piece *result) {
  return result->field && lwi_crowd_field_is_useless(result->field);
}

/* Would the search have ended with the work that is left, and along its field? */
static bool fits(const piece *result, int64_t left) {
  if (is_misled(result)) return false;
  return result->pausable == 0 || result->pausable < (uint64_t)left;
}

/* The turns of those that were searched, in order. */
static lwi_plan_turns take_turns(lw_world *world, batch *of) {
  lwi_planner *planner = &world->planner;
  lwi_plan_turns turns = {.count = 0};
  for (; turns.count < of->count && planner->left > 0; turns.count++) {
    piece *result = &of->pieces[turns.count];
    if (result->state == PIECE_SKIPPED) continue;
    if (result->state == PIECE_WAITS) return turns;
    lwi_plan_entry_want_tables(world, &of->entries[turns.count]);
    if (result->state == PIECE_PAUSED && result->limit == (uint64_t)planner->left && !is_misled(result)) {
      keep_search(world, of, turns.count);
      return turns;
    }
    if (result->state != PIECE_DONE || !fits(result, planner->left)) {
      turns.is_alone = true;
      return turns;
    }
    take_turn(world, of, turns.count, result);
  }
  return turns;
}

/* Drop what did not take its turn. */
static void drop_rest(lw_world *world, batch *of, int first) {
  lwi_planner *planner = &world->planner;
  for (int i = first; i < of->count; i++) {
    const piece *result = &of->pieces[i];
    lw_path_destroy(result->path);
    if ((result->state == PIECE_PAUSED || result->state == PIECE_ALONE) &&
        !(planner->is_searching && planner->lane == result->lane))
      lwi_sliced_search_drop(&of->lanes[result->lane].search);
  }
}

/* Get a lane ready. What it has asked so far in this step counts. @return false: no memory. */
static bool open_lane(lw_world *world, lwi_plan_lane *lane) {
  if (!lwi_plan_lane_open(world, lane)) return false;
  lwi_depth_asks *asks = &lane->search.workspace->asks[1];
  lane->ask_count = 0;
  if (asks->count > 0 && !lwi_depth_asks_add(&world->scene.own->asks[1], asks)) return false;
  lwi_depth_asks_clear(asks);
  return true;
}

static bool open_lanes(lw_world *world) {
  lwi_planner *planner = &world->planner;
  bool good = true;
  for (int i = 0; i < planner->lane_count && good; i++) good = open_lane(world, &planner->lanes[i]);
  return good;
}

lwi_plan_turns lwi_plan_beside(lw_world *world, const lwi_plan_entry *entries, int count) {
  lwi_planner *planner = &world->planner;
  if (!open_lanes(world)) return (lwi_plan_turns){.is_alone = true};
  batch of = {.world = world,
              .lanes = planner->lanes,
              .entries = entries,
              .count = count < LWI_PLAN_BESIDE_MAX ? count : LWI_PLAN_BESIDE_MAX,
              .limit = (uint64_t)planner->left};
  lwi_jobs_run(&planner->jobs, planner->lane_count, run_lane, &of);
  const lwi_plan_turns turns = take_turns(world, &of);
  drop_rest(world, &of, turns.count);
  return turns;
}
