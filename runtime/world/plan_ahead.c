/* What agents do whose search has paused: they walk the path that it has come to so far. It goes on from where they stood
   when it began; when it ends, they go on along its path from where they are. */
#include "world/driving.h"

#include "core/status.h"

#include <math.h>

/* With less than that left of what it walks, an agent takes the path that its search has come to by then. [m] */
#define LITTLE_LEFT 2.0f
/* A path so far is worth walking if it is longer than that, or than what is left of the one before by that. [m] */
#define WORTH 1.0f

/* Follow a path, and wait all the same. */
static bool walk(lw_world *world, lwi_agent *agent, lw_path *path) {
  const uint64_t since = agent->route.staleness == LWI_WAITING ? agent->route.waits_since : world->steps;
  lwi_agent_follow(agent, path, world->time);
  agent->route.staleness = LWI_WAITING;
  agent->route.waits_since = since;
  agent->route.ahead = LWI_AHEAD_WALKS;
  world->planner.any_waiting = true;
  return lwi_agent_note_corridor(world, agent);
}

/* How much more a path may cost that is joined than what is left of it from the nearest place on it: this part of all
   of it. */
#define JOINED_MORE 0.03f

/* The point of a path behind the place that is nearest. */
static int next_point_at(const lw_path *path, lw_vec3 at) {
  float nearest = INFINITY;
  int next = 1;
  for (int i = 1; i < path->point_count; i++) {
    const lw_vec3 from = path->points[i - 1], to = path->points[i];
    const float part = lwi_equal(from, to) ? 0 : lwi_part_along(from, to, at);
    const float apart = lwi_distance(at, lwi_lerp(from, to, fmaxf(0, fminf(1, part))));
    if (!(apart < nearest)) continue;
    nearest = apart;
    next = i;
  }
  return next;
}

/* Has the agent left the place where the search in progress began? */
static bool has_left(const lw_world *world, const lwi_agent *agent) {
  return !lwi_equal(lwi_agent_footing(agent).point, world->planner.client.footing.point);
}

/* Lead a path from where the agent is. @param[out] joined  NULL but on LW_OK.
   @return LW_OK; LW_OUT_OF_MEMORY; any other status: it does not pass there. */
static lw_status rejoin(lw_world *world, lwi_agent *agent, const lw_path *path, lw_path **joined) {
  lwi_agent_search asked;
  *joined = NULL;
  if (agent->link.active) return LW_NO_PATH;
  lw_status status = lwi_agent_search_begin(world, agent, &asked);
  if (status == LW_OK) status = lwi_agent_search_from(&asked);
  if (status != LW_OK) return status;
  asked.run.blockers = NULL; /* the path was searched past them */
  const int next = next_point_at(path, asked.from.at.point);
  const lwi_mend whole = {.path = path,
                          .next_point = 1,
                          .at = asked.from.at.poly,
                          .limit =
                              lwi_path_cost_from(path, next, asked.from.at.point) + JOINED_MORE * path->cost};
  status = lwi_path_run_rejoin(&asked.run, asked.from.nav, asked.from.at, &whole, joined);
  return lwi_agent_search_end(world, agent, asked.run.prices, status, joined);
}

/* The path that the search in progress has come to, from where the agent is.
   @param longer  It is to be longer than that. [m] @return NULL: there is none such. */
static lw_path *find_path(lw_world *world, lwi_agent *agent, float longer) {
  lw_search *search = lwi_planner_search(&world->planner);
  lw_path *path, *joined = NULL;
  if (lwi_sliced_search_so_far(search, &path) != LW_OK) return NULL;
  if (path->link_count == 0 && has_left(world, agent)) {
    rejoin(world, agent, path, &joined);
    lw_path_destroy(path);
    path = joined;
  } else if (path->link_count > 0 ||
             lwi_agent_search_end(world, agent, search->run.prices, LW_OK, &path) != LW_OK) {
    lw_path_destroy(path);
    path = NULL;
  }
  if (!path || path->length > longer) return path;
  lw_path_destroy(path);
  return NULL;
}

/* Does what it walks, if it does, still last for a while? */
static bool walks_on(const lwi_agent *agent) {
  return agent->route.ahead == LWI_AHEAD_WALKS && agent->route.remaining >= LITTLE_LEFT;
}

/* A vehicle on its way drives on until it stands: the search begins again where that will be, or where it then is. */
static bool wait_in_vehicle(lw_world *world, lwi_agent *agent, bool has_begun) {
  const bool was_led = lwi_vehicle_is_led(agent), rolls = agent->route.driving.speed != 0;
  if (!has_begun) return true;
  const bool good = was_led || lwi_planner_let_wait(world, agent, true);
  world->planner.client.version = agent->route.version;
  if (!was_led && rolls) lwi_planner_drop_search(&world->planner);
  return good;
}

bool lwi_planner_wait_in_search(lw_world *world, lwi_agent *agent, bool has_begun) {
  if (lwi_is_vehicle(agent->profile)) return wait_in_vehicle(world, agent, has_begun);
  const lwi_ahead ahead = agent->route.ahead;
  bool good = true;
  if (agent->route.remedy.is_searching && ahead == LWI_AHEAD_NONE) { /* it goes on along the path that it has */
    world->planner.client.version = agent->route.version;
    return true;
  }
  if (!has_begun && (ahead == LWI_AHEAD_HALTS || walks_on(agent))) return true;
  const float left = !has_begun && ahead == LWI_AHEAD_WALKS ? agent->route.remaining : 0;
  const bool may_walk = world->def.walk_ahead && ahead != LWI_AHEAD_HALTS && !agent->link.active;
  lw_path *path = may_walk ? find_path(world, agent, left + WORTH) : NULL;
  if (path) {
    good = walk(world, agent, path);
  } else if (has_begun) {
    good = lwi_planner_let_wait(world, agent, true);
    if (ahead == LWI_AHEAD_HALTS) agent->route.ahead = ahead;
  }
  world->planner.client.version = agent->route.version;
  return good;
}

bool lwi_planner_is_ahead(const lw_world *world, const lwi_agent *agent) {
  return (agent->route.ahead == LWI_AHEAD_WALKS || agent->route.remedy.is_searching) && has_left(world, agent);
}

lw_status lwi_planner_join(lw_world *world, lwi_agent *agent, const lw_path *path) {
  lw_path *joined;
  const lw_status status = rejoin(world, agent, path, &joined);
  if (status == LW_OK) return lwi_agent_take_path(world, agent, joined, NULL, INFINITY);
  if (status == LW_OUT_OF_MEMORY || !lwi_planner_let_wait(world, agent, true)) return LW_OUT_OF_MEMORY;
  agent->route.ahead = LWI_AHEAD_HALTS;
  return LW_UNFINISHED;
}
