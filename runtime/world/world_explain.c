/* Why a path goes where it goes: beside the shortest one, searched in the world as it is now. */
#include "search/explain.h"
#include "core/status.h"
#include "world/world.h"

/* What one may enter and take, and the size, are the agent's; every metre costs a metre. */
static void make_plain(const lwi_prices *own, lwi_prices *plain) {
  lwi_prices_plain(plain);
  for (int i = 0; i <= LW_AREA_MAX; i++)
    if (own->per_metre[i] == INFINITY) plain->per_metre[i] = plain->waypoint[i] = plain->between[i] = INFINITY;
  plain->filter = own->filter;
}

static lw_status find_plain(lw_world *world, const lw_path_query *query, const lw_location *lead,
                            lw_path **path) {
  const lwi_prices *own = lwi_world_prices(world, query->profile, lwi_world_visibility_for(world, query));
  lwi_prices plain;
  make_plain(own, &plain);
  const lwi_pricing pricing = {&plain, own};
  *path = NULL;
  lw_status status = lwi_world_find(world, query, &pricing, path);
  if (status == LW_PARTIAL) status = LW_OK;
  if (status != LW_OK || !lead) return status;
  const lw_navmesh *mesh = world->meshes[(*path)->navmesh];
  return lwi_path_lead_in(*path, *lead, mesh, own) ? LW_OK : LW_OUT_OF_MEMORY;
}

static lw_status check(const lw_world *world, const lw_path *path, const lw_path_query *query) {
  if (query->threat_count != path->threat_count) return LW_INVALID;
  return lwi_path_query_check(world, query);
}

/* @param lead  Where the path was led in from (lwi_path_lead_in()), or NULL. */
static lw_status explain(lw_world *world, const lw_path *path, const lw_path_query *query,
                         const lw_location *lead, lw_explanation **explanation) {
  lw_explanation *e = lwi_explain(path, &path->memory.allocator);
  *explanation = e;
  if (!e) return LW_OUT_OF_MEMORY;
  if (!world || !query) return LW_OK;
  lw_path *plain = NULL;
  lw_status status = check(world, path, query);
  if (status == LW_OK) status = find_plain(world, query, lead, &plain);
  if (status == LW_OK && !lwi_explain_beside(e, plain)) status = LW_OUT_OF_MEMORY;
  if (status != LW_OK) e->comparison.status = status;
  lw_path_destroy(plain);
  return LW_OK;
}

lw_status lw_path_explain(const lw_path *path, lw_world *world, const lw_path_query *query,
                          lw_explanation **explanation) {
  return explain(world, path, query, NULL, explanation);
}

lw_status lw_agent_explain(lw_world *world, lw_agent_id id, lw_explanation **explanation) {
  const lwi_agent *agent = lwi_world_agent(world, id);
  *explanation = NULL;
  if (!agent) return LW_STALE;
  const lw_path *path = agent->path;
  if (!path) return LW_EMPTY;
  /* Searched for another profile, it is about to be searched anew. */
  if (agent->stale) return explain(world, path, NULL, NULL, explanation);
  lw_path_query query = lwi_agent_query(agent, path->points[0], agent->goal);
  if (!lwi_world_fill_threats(world, agent, &query)) return LW_OUT_OF_MEMORY;
  const lw_vec3 near_by = {0.1f, 1, 0.1f};
  lw_location lead;
  bool led = lw_navmesh_nearest(world->meshes[path->navmesh], path->points[0], near_by,
                                &query.profile->prices.filter, &lead) == LW_OK;
  return explain(world, path, &query, led ? &lead : NULL, explanation);
}
