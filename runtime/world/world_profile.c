/* Another profile for an agent that lives: what was edited while it was on its way. */
#include "world/world.h"

/* Searches anew in one step may do so much work, in nodes looked at: where a thousand agents get another profile at once,
   those that are left wait for the next step, and walk on meanwhile. */
#define WORK_A_STEP 150000
/* Of a search, beside its nodes. */
#define WORK_A_SEARCH 20

/* Does the path that was the cheapest for `before` stay so? It does where nothing has become cheaper or opened, and
   nothing that it goes over dearer. */
static bool stays_best(const lwi_agent *agent, const lw_navmesh *mesh, const lw_profile *before,
                       const lw_profile *after) {
  const float *old = before->prices.per_metre, *new = after->prices.per_metre;
  if (lwi_path_crosses(agent->path)) return false;
  if (before->prices.filter.links != after->prices.filter.links || before->def.radius != after->def.radius)
    return false;
  for (int id = 1; id <= LW_AREA_MAX; id++)
    if (new[id] < old[id]) return false;
  for (int i = 0; i < agent->path->corridor_count; i++) {
    uint32_t index = lwi_poly_index(mesh, agent->path->corridor[i]);
    if (index == LWI_NONE || new[mesh->poly_areas[index]] > old[mesh->poly_areas[index]]) return false;
  }
  return true;
}

/* @return The work that it took. */
static int search_anew(lw_world *world, lwi_agent *agent) {
  lw_path *path = NULL;
  agent->stats.replans += 1;
  lw_status status = lwi_world_agent_path(world, agent, agent->goal, &path);
  if (status == LW_OK) {
    lwi_agent_follow(agent, path, world->time);
    return WORK_A_SEARCH + path->nodes;
  }
  lwi_agent_halt(agent, LW_MOVE_FAILED, status);
  if (agent->run) lw_tree_run_wake(agent->run);
  return WORK_A_SEARCH;
}

void lwi_world_search_stale(lw_world *world) {
  int left = WORK_A_STEP;
  world->any_stale = false;
  for (int i = 0; i < world->agent_count; i++) {
    lwi_agent *agent = world->agents[i];
    if (!agent->stale || agent->doomed) continue;
    if (left <= 0) {
      world->any_stale = true;
      return;
    }
    left -= search_anew(world, agent);
  }
}

bool lwi_world_find_footing(const lw_world *world, lwi_agent *agent) {
  const lw_navmesh *mesh = world->meshes[lwi_agent_footing_navmesh(agent)];
  const lw_filter *filter = &agent->profile->prices.filter;
  lw_location at = lwi_agent_footing(agent);
  uint32_t index = lwi_poly_index(mesh, at.poly);
  if (index != LWI_NONE && lw_filter_passes(filter, mesh->poly_areas[index])) return true;
  if (agent->link.active) return false; /* it lands first */
  if (lw_navmesh_nearest(mesh, at.point, lw_path_query_default().snap, filter, &at) != LW_OK) return false;
  agent->at = at;
  return true;
}

lw_status lw_agent_set_profile(lw_world *world, lw_agent_id id, const lw_profile *profile) {
  lwi_agent *agent = lwi_world_agent(world, id);
  if (!agent) return LW_STALE;
  if (!profile || world->stepping) return LW_INVALID;
  const lw_profile *before = agent->profile;
  agent->profile = profile;
  int stance = lw_profile_find_stance(profile, lw_profile_get_stance(before, agent->stance)->name);
  agent->stance = stance < 0 ? LW_STAND : stance;
  lwi_world_find_footing(world, agent);
  if (agent->move == LW_MOVE_WALKING &&
      (agent->stale || !stays_best(agent, world->grounds[agent->navmesh].mesh, before, profile)))
    agent->stale = world->any_stale = true;
  return LW_OK;
}
