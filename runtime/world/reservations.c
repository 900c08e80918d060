/* Places behind cover that agents keep for themselves. */
#include "core/status.h"
#include "core/vec3.h"
#include "query/cover_search.h"
#include "world/world.h"

#include <math.h>

/* An agent that comes so near to its place is there. [m] */
#define THERE 1.0f

/* --- finding one -------------------------------------------------------------------------------------------------- */

/* What other agents have reserved. @return false: no memory. */
static bool find_taken(const lw_world *world, lw_workspace *workspace, const lwi_agent *asker, int *count) {
  lwi_cover_scratch *scratch = &workspace->cover;
  *count = 0;
  for (const lwi_agent *agent = NULL; (agent = lwi_next_agent(world, agent));) {
    if (!agent->cover.active || agent->removal.pending || agent == asker) continue;
    if (!lwi_reserve(&workspace->memory, &scratch->taken, &scratch->taken_capacity, *count + 1,
                     sizeof *scratch->taken))
      return false;
    scratch->taken[(*count)++] = (lwi_cover_taken){agent->cover.at, agent->profile->def.radius};
  }
  return true;
}

lw_status lw_cover_find(const lw_world *world, lw_workspace *workspace, const lw_cover_query *query,
                        lw_cover_point *points, int capacity, int *count) {
  if (count) *count = 0;
  if (!world || !query || !points || !count) return LW_INVALID;
  lw_workspace *own = lwi_workspace_of(&world->scene, workspace);
  if (!own || capacity < 1 || lwi_cover_search_check(&world->scene, query) != LW_OK) return LW_INVALID;
  const lwi_agent *agent = lwi_world_agent(world, query->agent);
  if (!lw_agent_id_is_none(query->agent) && !agent) return LW_STALE;
  lw_cover_query asked = *query;
  if (agent && !asked.team) asked.team = agent->team;
  const lwi_cover_results results = {points, capacity, count};
  int taken;
  if (!find_taken(world, own, agent, &taken)) return LW_OUT_OF_MEMORY;
  const lw_status status = lwi_cover_search(own, &asked, own->cover.taken, taken, &results);
  if (status != LW_OK) *count = 0;
  return status;
}

/* --- keeping one -------------------------------------------------------------------------------------------------- */

static bool is_on_navmesh(const lw_world *world, const lwi_agent *agent, lw_vec3 at) {
  const lwi_place_query query = {LW_NAVMESH_FITTING, at, lw_cover_query_default().snap, agent->profile};
  const lwi_nav *nav;
  lw_location place;
  return lwi_scene_place(&world->scene, &query, &nav, &place) == LW_OK;
}

lw_status lw_agent_reserve_cover(lw_world *world, lw_agent_id id, lw_vec3 at, float leash) {
  if (!world) return LW_INVALID;
  lwi_agent *agent = lwi_world_agent(world, id);
  if (!agent) return LW_STALE;
  if (!lwi_finite(at) || !(leash >= 0)) return LW_INVALID; /* infinity is one */
  if (!is_on_navmesh(world, agent, at)) return LW_NO_POINT;
  for (const lwi_agent *other = NULL; (other = lwi_next_agent(world, other));) {
    if (other == agent || !other->cover.active || other->removal.pending) continue;
    if (lwi_distance(other->cover.at, at) < other->profile->def.radius + agent->profile->def.radius)
      return LW_TAKEN;
  }
  agent->cover.active = true;
  agent->cover.reached = false;
  agent->cover.at = at;
  agent->cover.leash = leash;
  return LW_OK;
}

lw_status lw_agent_release_cover(lw_world *world, lw_agent_id id) {
  if (!world) return LW_INVALID;
  lwi_agent *agent = lwi_world_agent(world, id);
  if (!agent) return LW_STALE;
  agent->cover.active = false;
  return LW_OK;
}

lw_status lw_agent_get_cover(const lw_world *world, lw_agent_id id, lw_vec3 *at, float *leash) {
  if (at) *at = (lw_vec3){0};
  if (leash) *leash = 0;
  if (!world || !at) return LW_INVALID;
  const lwi_agent *agent = lwi_world_agent(world, id);
  if (!agent) return LW_STALE;
  if (!agent->cover.active) return LW_EMPTY;
  *at = agent->cover.at;
  if (leash) *leash = agent->cover.leash;
  return LW_OK;
}

void lwi_agent_keep_cover(lwi_agent *agent) {
  if (!agent->cover.active) return;
  float away = lwi_distance(agent->at.point, agent->cover.at);
  if (away <= fminf(THERE, agent->cover.leash)) agent->cover.reached = true;
  if (agent->cover.reached && away > agent->cover.leash) agent->cover.active = false;
}

void lwi_agent_leave_cover(lwi_agent *agent, lw_vec3 goal) {
  if (agent->cover.active && lwi_distance(goal, agent->cover.at) > agent->cover.leash)
    agent->cover.active = false;
}
