/* Journeys of agents: what was asked for one of them, from a move to its end. */
#include "behavior/tree.h"
#include "core/hash.h"
#include "core/status.h"
#include "world/driving.h"
#include "world/trees.h"
#include "world/world.h"

#include <math.h>
#include <stdlib.h>

#define WITHIN 0.3f /* m */

lw_move_options lw_move_options_default(void) {
  return (lw_move_options){
      .within = WITHIN, .heading = NAN, .threat_count = -1, .pace = LW_PACE_COUNT, .cookie = LWI_COOKIE};
}

static bool check_options(const lw_move_options *options) {
  if (options->cookie != LWI_COOKIE || !(options->within >= 0 && isfinite(options->within)) ||
      (unsigned)options->quality >= LW_QUALITY_COUNT || (unsigned)options->path_style >= LW_PATH_STYLE_COUNT ||
      (unsigned)options->pace > LW_PACE_COUNT || abs(options->priority) > LW_PRIORITY_MAX ||
      isinf(options->heading) || options->threat_count < -1 || (options->threat_count > 0 && !options->threats))
    return false;
  for (int i = 0; i < options->threat_count; i++)
    if (!lwi_threat_check(&options->threats[i], false)) return false;
  return true;
}

/* @return false: no memory, and nothing is changed. */
static bool set_journey(lw_world *world, lwi_agent *agent, const lw_move_options *options) {
  lwi_journey *journey = &agent->route.journey;
  const int count = options->threat_count > 0 ? options->threat_count : 0;
  if (!lwi_beliefs_set(&world->memory, &journey->threats, options->threats, count)) return false;
  journey->profile = options->profile;
  journey->quality = options->quality;
  journey->path_style = options->path_style;
  lwi_vehicle_note_blocker(agent, NULL);
  agent->route.driving.is_blocked = false;
  agent->route.driving.yielding = (lwi_yielding){.kind = LWI_YIELD_NONE};
  journey->has_heading = !isnan(options->heading);
  journey->heading = journey->has_heading ? options->heading : 0;
  journey->priority = options->priority;
  journey->pace = options->pace < LW_PACE_COUNT ? 1 + (int)options->pace : 0;
  journey->has_threats = options->threat_count >= 0;
  return true;
}

/* Search for a new goal, or begin once the agent is no longer parked. */
static lw_status set_out(lw_world *world, lwi_agent *agent) {
  if (!agent->ground.is_parked) return lwi_world_send(world, agent);
  return lwi_agent_depart(world, agent) ? LW_OK : LW_OUT_OF_MEMORY;
}

void lwi_agent_fail_move(lw_world *world, lwi_agent *agent, lw_status status) {
  lwi_history_note_failed_move(world, agent, status);
  lwi_agent_halt(agent, LW_MOVE_FAILED, status);
}

void lwi_agent_stop_walk(lw_world *world, lwi_agent *agent) {
  if (!agent->ground.is_trapped)
    lwi_agent_halt(agent, LW_MOVE_IDLE, LW_OK);
  else if (agent->move != LW_MOVE_FAILED || agent->failure != LW_TRAPPED)
    lwi_agent_fail_move(world, agent, LW_TRAPPED);
}

void lwi_agent_give_up(lw_world *world, lwi_agent *agent, lw_status status) {
  if (lwi_vehicle_gives_way_elsewhere(world, agent, status)) return;
  lwi_agent_fail_move(world, agent, status);
  lwi_agent_wake(world, agent);
}

bool lwi_agent_begin_journey(lw_world *world, lwi_agent *agent, lw_vec3 goal, const lw_move_options *options) {
  lwi_agent_leave_cover(world, agent, goal);
  agent->route.goal = goal;
  agent->route.within = options->within;
  agent->route.replans_left = lwi_is_vehicle(agent->profile) ? LWI_MAX_REPLANS_OF_VEHICLE : LWI_MAX_REPLANS;
  agent->route.remedy = (lwi_remedy){.place_count = 0};
  agent->route.motion.gain = (lwi_gain){.nearest = INFINITY};
  return set_journey(world, agent, options);
}

lw_status lwi_agent_walk_alone(lw_world *world, lwi_agent *agent) {
  const lw_status status = set_out(world, agent);
  if (status != LW_OK) lwi_agent_fail_move(world, agent, status);
  return status;
}

lw_status lw_agent_move_with(lw_world *world, lw_agent_id id, lw_vec3 goal, const lw_move_options *options) {
  const lw_move_options plain = lw_move_options_default();
  if (!world) return LW_INVALID;
  lwi_agent *agent = lwi_world_agent(world, id);
  if (!agent) return LW_STALE;
  if (!options) options = &plain;
  if (!lwi_finite(goal) || !check_options(options)) return LW_INVALID;
  lwi_agent_leave_formation(agent);
  if (lwi_agent_begin_journey(world, agent, goal, options)) return lwi_agent_walk_alone(world, agent);
  lwi_agent_fail_move(world, agent, LW_OUT_OF_MEMORY);
  return LW_OUT_OF_MEMORY;
}

lw_status lw_agent_move_to(lw_world *world, lw_agent_id id, lw_vec3 goal, float within) {
  lw_move_options options = lw_move_options_default();
  options.within = within;
  return lw_agent_move_with(world, id, goal, &options);
}

lw_status lw_agent_stop(lw_world *world, lw_agent_id id) {
  if (!world) return LW_INVALID;
  lwi_agent *agent = lwi_world_agent(world, id);
  if (!agent) return LW_STALE;
  const bool walked = agent->move == LW_MOVE_WALKING;
  lwi_agent_leave_formation(agent);
  lwi_agent_stop_walk(world, agent);
  /* Its tree may wait for the walk's end. A leaf that stops its own agent knows. */
  if (walked && !(agent->run && lwi_tree_run_is_calling(agent->run))) lwi_agent_wake(world, agent);
  return LW_OK;
}

const lw_filter *lwi_agent_limits(const lwi_agent *agent) {
  return agent->route.journey.profile ? &agent->profile->prices.filter : NULL;
}

void lwi_agent_journey_free(lw_world *world, lwi_agent *agent) {
  lwi_beliefs *threats = &agent->route.journey.threats;
  lwi_free(&world->memory, threats->threats, (size_t)threats->capacity * sizeof *threats->threats);
}

uint64_t lwi_agent_journey_hash(uint64_t hash, const lwi_agent *agent) {
  const lwi_journey *journey = &agent->route.journey;
  const uint32_t words[] = {journey->profile != NULL,         (uint32_t)journey->quality,
                            (uint32_t)journey->pace,          journey->has_threats,
                            (uint32_t)journey->threats.count, (uint32_t)journey->path_style};
  bool is_plain = true;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) is_plain &= words[i] == 0;
  is_plain &= !journey->has_heading;
  if (is_plain) return hash;
  hash = lwi_hash(hash, words, (journey->path_style ? 6 : 5) * sizeof *words); /* taut ones hash as ever */
  if (journey->has_heading) hash = lwi_hash(hash, &journey->heading, sizeof journey->heading);
  for (int i = 0; i < journey->threats.count; i++) hash = lwi_threat_hash(hash, &journey->threats.threats[i]);
  return hash;
}
