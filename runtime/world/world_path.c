/* Paths and random points in a world: snap to the mesh, ask whether it can be reached, search. */
#include "core/clock.h"
#include "core/status.h"
#include "leeward/query.h"
#include "mesh/berth_place.h"
#include "search/stand.h"
#include "world/world.h"

#include <math.h>

/* Points drawn before it is said that a large agent can stand at none of them. */
#define MAX_DRAWS 1000

static bool check_snap(lw_vec3 snap) {
  return lwi_finite(snap) && snap.x > 0 && snap.y > 0 && snap.z > 0;
}

/* Both ends of a way, where the agents can stand, and in which rooms. */
typedef struct way_ends {
  lw_location from, to;
  uint32_t from_room, to_room;
  bool partial;
} way_ends;

/* @param goal  Where it would have liked to go. */
static lw_status end_nearest(lwi_ground *ground, const lwi_reach *reach, const lw_filter *filter, lw_vec3 goal,
                             way_ends *ends) {
  ends->partial = true;
  if (ends->from_room == LWI_NONE) return LW_NO_PATH;
  lw_status status = lwi_stand_nearest(reach, &ground->components.region, filter,
                                       reach->labels[ends->from_room], goal, &ends->to, &ends->to_room);
  return status == LW_NO_POINT ? LW_NO_PATH : status;
}

/* Move start and goal to where the agents can stand, and see whether the one can be reached from the other.
   @param has_goal  false: there is no navmesh at the goal. */
static lw_status find_ends(lwi_ground *ground, const lwi_reach *reach, const lw_path_query *query,
                           const lw_filter *filter, bool has_goal, way_ends *ends) {
  lwi_region_room *work = &ground->components.region;
  lw_status status = lwi_stand(reach, work, filter, query->from, query->snap, &ends->from, &ends->from_room);
  if (status != LW_OK) return status == LW_NO_POINT ? LW_NO_START : status;
  if (!has_goal) return end_nearest(ground, reach, filter, query->to, ends);
  status = lwi_stand(reach, work, filter, query->to, query->snap, &ends->to, &ends->to_room);
  if (status == LW_NO_POINT && query->allow_partial) return end_nearest(ground, reach, filter, query->to, ends);
  if (status != LW_OK) return status == LW_NO_POINT ? LW_NO_GOAL : status;
  if ((ends->from_room == LWI_NONE || ends->to_room == LWI_NONE) &&
      lwi_stand_straight(reach, ends->from, ends->to)) { /* shut in together */
    ends->from_room = ends->to_room = lwi_poly_index(ground->mesh, ends->from.poly);
    return LW_OK;
  }
  if (ends->from_room != LWI_NONE && ends->to_room != LWI_NONE &&
      lwi_reaches(reach, reach->labels[ends->from_room], reach->labels[ends->to_room]))
    return LW_OK;
  return query->allow_partial ? end_nearest(ground, reach, filter, ends->to.point, ends) : LW_NO_PATH;
}

static bool check_threats(const lw_path_query *query) {
  lw_exposure_query exposure = lw_exposure_query_default();
  exposure.threats = query->threats;
  exposure.threat_count = query->threat_count;
  exposure.height_count = query->height_count;
  exposure.accuracy = query->accuracy;
  if (query->height_count < 1 || query->height_count > LW_BODY_HEIGHTS_MAX) return false;
  for (int i = 0; i < query->height_count; i++) exposure.heights[i] = query->heights[i];
  return lwi_exposure_check(&exposure);
}

/* From one place on the mesh to another. @param to  NULL: there is none at the goal. */
static lw_status find_between(lw_world *world, lwi_ground *ground, lw_location from, const lw_location *to,
                              const lw_path_query *query, const lwi_pricing *pricing, lw_path **path) {
  const lwi_prices *prices = pricing->search;
  const lwi_reach *reach = lwi_components_get(&ground->components, &prices->filter);
  if (!reach) return LW_OUT_OF_MEMORY;
  way_ends ends = {.from = from, .to = to ? *to : from};
  lw_status status = find_ends(ground, reach, query, &prices->filter, to != NULL, &ends);
  if (status != LW_OK) return status;
  lwi_watch watch;
  const lwi_watch *watched = query->threat_count > 0 ? &watch : NULL;
  if (watched) status = lwi_world_watch(world, ground, query, &watch);
  if (status != LW_OK) return status;
  lwi_dangers dangers;
  bool minds_dangers = lwi_world_dangers(world, ground, query->profile, &dangers);
  lwi_lanes lanes;
  bool minds_lanes = lwi_world_lanes(world, ground, query->profile, &lanes);
  const lwi_charges account = {.mesh = ground->mesh,
                               .prices = pricing->account,
                               .watch = watched,
                               .dangers = minds_dangers ? &dangers : NULL,
                               .lanes = minds_lanes ? &lanes : NULL};
  lwi_search_query search = {
      .graph = &reach->graph,
      .from = ends.from.point,
      .to = ends.to.point,
      .from_room = ends.from_room,
      .to_room = ends.to_room,
      .prices = prices,
      .max_nodes = query->max_nodes,
      .quality = query->quality,
      .berth = reach->berth,
      .watch = pricing->account ? NULL : watched,
      .account = pricing->account ? &account : NULL,
      .dangers = minds_dangers && !pricing->account ? &dangers : NULL,
      .lanes = minds_lanes && !pricing->account ? &lanes : NULL,
  };
  status = lwi_path_search(&ground->search, &search, &world->path_room, &world->memory.allocator, path);
  if (status != LW_OK) return status;
  (*path)->navmesh = (int)(ground - world->grounds);
  (*path)->partial = ends.partial;
  return ends.partial ? LW_PARTIAL : LW_OK;
}

static bool check_navmesh(const lw_world *world, int navmesh) {
  return navmesh >= LW_NAVMESH_FITTING && navmesh < world->ground_count;
}

/* May the way lead over several navmeshes? */
static bool may_cross(const lw_world *world, int navmesh) {
  return world->bridge_count > 0 && navmesh == LW_NAVMESH_FITTING;
}

lw_status lwi_world_find(lw_world *world, const lw_path_query *query, const lwi_pricing *pricing,
                         lw_path **path) {
  lwi_ground *ground;
  lw_location from, to;
  if (lwi_world_place(world, query->navmesh, query->from, query->snap, query->profile, &ground, &from) != LW_OK)
    return LW_NO_START;
  if (may_cross(world, query->navmesh)) return lwi_bridges_find(world, ground, from, query, pricing, path);
  lw_status status = lw_navmesh_nearest(ground->mesh, query->to, query->snap, &pricing->search->filter, &to);
  /* Nothing there at all: then as near as the agent can come, from no place in particular. */
  if (status != LW_OK && !query->allow_partial) return LW_NO_GOAL;
  return find_between(world, ground, from, status == LW_OK ? &to : NULL, query, pricing, path);
}

lw_status lwi_path_query_check(const lw_world *world, const lw_path_query *query) {
  if (query->cookie != LWI_COOKIE || !lwi_finite(query->from) || !lwi_finite(query->to) ||
      !check_snap(query->snap) || query->max_nodes < 1 || !check_navmesh(world, query->navmesh) ||
      (int)query->quality < 0 || query->quality >= LW_QUALITY_COUNT || !check_threats(query) ||
      !(query->visibility == -1 || (query->visibility >= 0 && query->visibility <= 1)))
    return LW_INVALID;
  return lwi_world_check_accuracy(world, query->accuracy);
}

lw_status lw_path_find(lw_world *world, const lw_path_query *query, lw_path **path) {
  *path = NULL;
  lw_status status = lwi_path_query_check(world, query);
  if (status != LW_OK) return status;
  const lwi_pricing pricing = {lwi_world_prices(world, query->profile, lwi_world_visibility_for(world, query)),
                               NULL};
  return lwi_world_find(world, query, &pricing, path);
}

static lw_status find_from(lw_world *world, lwi_ground *ground, lw_location from, const lw_path_query *query,
                           const lwi_pricing *pricing, lw_path **path) {
  lw_location to;
  if (may_cross(world, query->navmesh)) return lwi_bridges_find(world, ground, from, query, pricing, path);
  if (lw_navmesh_nearest(ground->mesh, query->to, query->snap, &pricing->search->filter, &to) != LW_OK)
    return LW_NO_GOAL;
  return find_between(world, ground, from, &to, query, pricing, path);
}

lw_path_query lwi_agent_query(const lwi_agent *agent, lw_vec3 from, lw_vec3 goal) {
  lw_path_query query = lw_path_query_default();
  const lw_stance *stance = lw_profile_get_stance(agent->profile, agent->stance);
  query.from = from;
  query.to = goal;
  query.profile = agent->profile;
  query.heights[0] = stance->body[0];
  query.heights[1] = stance->body[1];
  query.height_count = 2;
  query.team = agent->team;
  return query;
}

lw_status lwi_world_agent_path(lw_world *world, lwi_agent *agent, lw_vec3 goal, lw_path **path) {
  agent->visibility = lw_world_get_visibility(world, agent->team);
  const lwi_pricing pricing = {lwi_world_prices(world, agent->profile, agent->visibility), NULL};
  lwi_ground *ground = &world->grounds[lwi_agent_footing_navmesh(agent)];
  *path = NULL;
  if (!lwi_world_find_footing(world, agent)) return LW_NO_START;
  double began = lwi_clock();
  lw_path_query query = lwi_agent_query(agent, lwi_agent_footing(agent).point, goal);
  if (!lwi_world_fill_threats(world, agent, &query)) return LW_OUT_OF_MEMORY;
  lwi_agent_note_beliefs(agent);
  lw_status status = find_from(world, ground, lwi_agent_footing(agent), &query, &pricing, path);
  if (status == LW_OK && !lwi_path_lead_in(*path, lwi_agent_footing(agent), ground->mesh, pricing.search)) {
    lw_path_destroy(*path);
    *path = NULL;
    status = LW_OUT_OF_MEMORY;
  }
  double took = lwi_clock() - began;
  agent->stats.searches += 1;
  agent->stats.search_seconds += took;
  agent->stats.search_worst = fmax(agent->stats.search_worst, took);
  return status;
}

lw_connected_query lw_connected_query_default(void) {
  return (lw_connected_query){.snap = {2, 4, 2}, .navmesh = LW_NAVMESH_FITTING, .cookie = LWI_COOKIE};
}

lw_status lw_connected(lw_world *world, const lw_connected_query *query, bool *connected) {
  *connected = false;
  const lwi_prices *prices = query->profile ? &query->profile->prices : &world->plain;
  if (query->cookie != LWI_COOKIE || !lwi_finite(query->from) || !lwi_finite(query->to) ||
      !check_snap(query->snap) || !check_navmesh(world, query->navmesh))
    return LW_INVALID;
  lwi_ground *ground;
  lw_location from, to;
  if (lwi_world_place(world, query->navmesh, query->from, query->snap, query->profile, &ground, &from) != LW_OK)
    return LW_NO_START;
  lw_path_query ends_query = lw_path_query_default();
  ends_query.from = query->from;
  ends_query.to = query->to;
  ends_query.snap = query->snap;
  ends_query.profile = query->profile;
  if (may_cross(world, query->navmesh))
    return lwi_bridges_connect(world, ground, from, &ends_query, prices, connected);
  if (lw_navmesh_nearest(ground->mesh, query->to, query->snap, &prices->filter, &to) != LW_OK)
    return LW_NO_GOAL;
  const lwi_reach *reach = lwi_components_get(&ground->components, &prices->filter);
  if (!reach) return LW_OUT_OF_MEMORY;
  way_ends ends = {.from = from, .to = to};
  lw_status status = find_ends(ground, reach, &ends_query, &prices->filter, true, &ends);
  *connected = status == LW_OK;
  return status == LW_NO_PATH ? LW_OK : status;
}

static lwi_random *random_of(lw_world *world, uint64_t agent_id) {
  if (agent_id == 0) return &world->random;
  lwi_agent *agent = lwi_world_agent(world, agent_id);
  return agent ? &agent->random : NULL;
}

static double area_passing(const lw_navmesh *mesh, const lw_filter *filter) {
  double area = 0;
  for (uint32_t i = 0; i < mesh->polygon_count; i++)
    if (lw_filter_passes(filter, mesh->poly_areas[i])) area += lwi_area_of(mesh, i);
  return area;
}

/* Of several navmeshes that fit equally well, each counts by what of it may be entered. @return NULL: there is nothing. */
static lwi_ground *draw_ground(lw_world *world, const lw_random_point_query *query, const lw_filter *filter,
                               lwi_random *random) {
  double areas[LW_NAVMESHES_MAX] = {0}, total = 0;
  int last = -1, fitting = 0;
  for (int i = 0; i < world->ground_count; i++) {
    if (!lwi_ground_fits(world, &world->grounds[i], query->profile)) continue;
    fitting += 1;
    last = i;
  }
  if (fitting == 1) return &world->grounds[last];
  for (int i = 0; i < world->ground_count; i++)
    if (lwi_ground_fits(world, &world->grounds[i], query->profile))
      total += areas[i] = area_passing(world->grounds[i].mesh, filter);
  double pick = lwi_random_unit_double(random) * total;
  lwi_ground *drawn = NULL;
  for (int i = 0; i < world->ground_count && pick >= 0; i++) {
    if (!(areas[i] > 0)) continue;
    drawn = &world->grounds[i];
    pick -= areas[i];
  }
  return drawn;
}

static lw_status draw_anywhere(lw_world *world, const lw_random_point_query *query, const lw_filter *filter,
                               lwi_random *random, lw_location *location) {
  lwi_ground *ground = query->navmesh >= 0        ? &world->grounds[query->navmesh]
                       : world->ground_count == 1 ? &world->grounds[0]
                                                  : draw_ground(world, query, filter, random);
  if (!ground) return LW_NO_POINT;
  if (!(lwi_berth_keep(ground->mesh, filter) > 0))
    return lwi_random_anywhere(ground->mesh, filter, random, location);
  const lwi_reach *reach = lwi_components_get(&ground->components, filter);
  if (!reach) return LW_OUT_OF_MEMORY;
  for (int i = 0; i < MAX_DRAWS; i++) {
    lw_status status = lwi_random_anywhere(ground->mesh, filter, random, location);
    if (status != LW_OK) return status;
    if (lwi_stand_straight(reach, *location, *location)) return LW_OK;
  }
  *location = (lw_location){0};
  return LW_NO_POINT;
}

lw_status lw_random_point_find(lw_world *world, const lw_random_point_query *query, lw_location *location) {
  *location = (lw_location){0};
  const lwi_prices *prices = query->profile ? &query->profile->prices : &world->plain;
  lwi_random *random = random_of(world, query->agent);
  if (!random) return LW_STALE;
  if (query->cookie != LWI_COOKIE || !check_navmesh(world, query->navmesh)) return LW_INVALID;
  if (query->anywhere) return draw_anywhere(world, query, &prices->filter, random, location);
  if (!lwi_finite(query->around) || !check_snap(query->snap) || !(query->radius > 0 && isfinite(query->radius)))
    return LW_INVALID;
  lwi_ground *ground;
  lw_location center;
  if (lwi_world_place(world, query->navmesh, query->around, query->snap, query->profile, &ground, &center) !=
      LW_OK)
    return LW_NO_START;
  const lwi_reach *reach = lwi_components_get(&ground->components, &prices->filter);
  if (!reach) return LW_OUT_OF_MEMORY;
  uint32_t room;
  lw_status status =
      lwi_stand(reach, &ground->components.region, &prices->filter, query->around, query->snap, &center, &room);
  if (status != LW_OK) return status == LW_NO_POINT ? LW_NO_START : status;
  if (room == LWI_NONE) return LW_NO_POINT;
  uint32_t label = reach->labels[room];
  for (int i = 0; i < MAX_DRAWS; i++) {
    status = lwi_random_in_circle(ground->mesh, query->around, query->radius, reach, label, random,
                                  &ground->random_scratch, location);
    if (status != LW_OK || !reach->berth) return status;
    uint32_t polygon = lwi_poly_index(ground->mesh, location->poly);
    if (!lwi_berth_room(reach->berth, &ground->components.region, polygon, location->point, &room))
      return LW_OUT_OF_MEMORY;
    if (room != LWI_NONE && lwi_reaches(reach, label, reach->labels[room])) return LW_OK;
  }
  *location = (lw_location){0};
  return LW_NO_POINT;
}
