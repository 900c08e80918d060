/* Another profile for an agent that lives: what was edited while it was on its way. */
#include "world/world.h"

/* Is what is seen of it another, or what that costs it, and does it know of anyone who sees?
   @param body  What was seen of it. */
static bool minds_threats(const lw_world *world, const lwi_agent *agent, const lw_profile *before,
                          const lw_stance *body) {
  const lw_stance *now = lw_profile_get_stance(agent->profile, agent->stance);
  bool same = before->def.cover_bias == agent->profile->def.cover_bias && body->body[0] == now->body[0] &&
              body->body[1] == now->body[1];
  return !same && lw_agent_get_threats(world, agent->id, NULL, 0) > 0;
}

/* Does the path that was the cheapest for `before` stay so? It does where nothing has become cheaper or opened, and
   nothing that it goes over dearer. */
static bool stays_best(const lwi_agent *agent, const lw_navmesh *mesh, const lw_profile *before,
                       const lw_profile *after) {
  const lwi_prices *old = &before->prices, *new = &after->prices;
  if (lwi_path_crosses(agent->path)) return false;
  if (before->prices.filter.links != after->prices.filter.links || before->def.radius != after->def.radius)
    return false;
  for (int id = 1; id <= LW_AREA_MAX; id++)
    if (new->per_metre[id] < old->per_metre[id] || new->exposure[id] < old->exposure[id] ||
        new->waypoint[id] < old->waypoint[id] || new->between[id] < old->between[id])
      return false;
  if (new->swim < old->swim || agent->path->link_count > 0) return false;
  for (int i = 0; i < agent->path->corridor_count; i++) {
    uint32_t index = lwi_poly_index(mesh, agent->path->corridor[i]);
    if (index == LWI_NONE || lwi_price_on(new, mesh, index) > lwi_price_on(old, mesh, index)) return false;
  }
  return true;
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
  const lw_stance *body = lw_profile_get_stance(before, agent->stance);
  int stance = lw_profile_find_stance(profile, body->name);
  agent->stance = stance < 0 ? LW_STAND : stance;
  lwi_world_find_footing(world, agent);
  if (agent->move != LW_MOVE_WALKING) return LW_OK;
  if (agent->stale || minds_threats(world, agent, before, body) ||
      !stays_best(agent, world->grounds[agent->navmesh].mesh, before, profile)) {
    agent->stale = LWI_STALE;
    world->any_stale = true;
  }
  return LW_OK;
}
