/* Paths and random points in a world: snap to the mesh, ask whether it can be reached, search. */
#include "core/clock.h"
#include "core/status.h"
#include "leeward/query.h"
#include "world/world.h"

#include <math.h>

static bool check_snap(lw_vec3 snap) {
  return lwi_finite(snap) && snap.x > 0 && snap.y > 0 && snap.z > 0;
}

/* The reachable place nearest the goal, for paths that may be partial. */
static lw_location nearest_reachable(const lw_navmesh *mesh, const lwi_reach *reach, uint32_t label,
                                     lw_vec3 goal) {
  lw_location best = {0};
  float distance = INFINITY;
  for (uint32_t i = 0; i < mesh->polygon_count; i++) {
    if (!lwi_reaches(reach, label, reach->labels[i])) continue;
    lwi_polygon polygon = lwi_polygon_get(mesh, i);
    lw_vec3 point;
    lwi_polygon_closest(&polygon, goal, &point);
    if (lwi_distance_xz(point, goal) >= distance) continue;
    point.y = lwi_polygon_height(mesh, i, point.x, point.z);
    if (lwi_distance(point, goal) >= distance) continue;
    distance = lwi_distance(point, goal);
    best = (lw_location){point, lwi_poly_id(mesh, i)};
  }
  return best;
}

/* From one place on the mesh to another. */
static lw_status find_between(lw_world *world, lwi_ground *ground, lw_location from, lw_location to,
                              const lw_path_query *query, const lwi_prices *prices, lw_path **path) {
  const lw_navmesh *mesh = ground->mesh;
  const lwi_reach *reach = lwi_components_get(&ground->components, &prices->filter);
  if (!reach) return LW_OUT_OF_MEMORY;
  bool partial = false;
  uint32_t label = reach->labels[lwi_poly_index(mesh, from.poly)];
  if (!lwi_reaches(reach, label, reach->labels[lwi_poly_index(mesh, to.poly)])) {
    if (!query->allow_partial) return LW_NO_PATH;
    to = nearest_reachable(mesh, reach, label, to.point);
    partial = true;
  }
  lwi_graph graph = lwi_graph_of(mesh);
  lwi_search_query search = {
      .graph = &graph,
      .from = from.point,
      .to = to.point,
      .from_room = lwi_poly_index(mesh, from.poly),
      .to_room = lwi_poly_index(mesh, to.poly),
      .prices = prices,
      .max_nodes = query->max_nodes,
  };
  lw_status status = lwi_search_run(&ground->search, &search);
  if (status == LW_OK)
    status = lwi_path_build(&ground->search, &search, &world->path_room, &world->memory.allocator, path);
  if (status != LW_OK) return status;
  (*path)->navmesh = (int)(ground - world->grounds);
  (*path)->partial = partial;
  return partial ? LW_PARTIAL : LW_OK;
}

static bool check_navmesh(const lw_world *world, int navmesh) {
  return navmesh >= LW_NAVMESH_FITTING && navmesh < world->ground_count;
}

lw_status lw_path_find(lw_world *world, const lw_path_query *query, lw_path **path) {
  *path = NULL;
  if (query->cookie != LWI_COOKIE || !lwi_finite(query->from) || !lwi_finite(query->to) ||
      !check_snap(query->snap) || query->max_nodes < 1 || !check_navmesh(world, query->navmesh))
    return LW_INVALID;
  const lwi_prices *prices = query->profile ? &query->profile->prices : &world->plain;
  lwi_ground *ground;
  lw_location from, to;
  if (lwi_world_place(world, query->navmesh, query->from, query->snap, query->profile, &ground, &from) != LW_OK)
    return LW_NO_START;
  lw_status status = lw_navmesh_nearest(ground->mesh, query->to, query->snap, &prices->filter, &to);
  if (status != LW_OK) {
    if (!query->allow_partial) return LW_NO_GOAL;
    /* Nothing there at all: then as near as the agent can come, from no place in particular. */
    const lwi_reach *reach = lwi_components_get(&ground->components, &prices->filter);
    if (!reach) return LW_OUT_OF_MEMORY;
    to = nearest_reachable(ground->mesh, reach, reach->labels[lwi_poly_index(ground->mesh, from.poly)],
                           query->to);
    status = find_between(world, ground, from, to, query, prices, path);
    if (status == LW_OK) (*path)->partial = true;
    return status == LW_OK ? LW_PARTIAL : status;
  }
  return find_between(world, ground, from, to, query, prices, path);
}

lw_status lwi_world_agent_path(lw_world *world, lwi_agent *agent, lw_vec3 goal, lw_path **path) {
  lw_path_query query = lw_path_query_default();
  const lwi_prices *prices = &agent->profile->prices;
  lwi_ground *ground = &world->grounds[agent->navmesh];
  lw_location to;
  *path = NULL;
  double began = lwi_clock();
  lw_status status = lw_navmesh_nearest(ground->mesh, goal, query.snap, &prices->filter, &to);
  status = status == LW_OK ? find_between(world, ground, lwi_agent_footing(agent), to, &query, prices, path)
                           : LW_NO_GOAL;
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
  if (lw_navmesh_nearest(ground->mesh, query->to, query->snap, &prices->filter, &to) != LW_OK)
    return LW_NO_GOAL;
  const lwi_reach *reach = lwi_components_get(&ground->components, &prices->filter);
  if (!reach) return LW_OUT_OF_MEMORY;
  *connected = lwi_reaches(reach, reach->labels[lwi_poly_index(ground->mesh, from.poly)],
                           reach->labels[lwi_poly_index(ground->mesh, to.poly)]);
  return LW_OK;
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
static const lw_navmesh *draw_navmesh(lw_world *world, const lw_random_point_query *query,
                                      const lw_filter *filter, lwi_random *random) {
  double areas[LW_NAVMESHES_MAX] = {0}, total = 0;
  int last = -1, fitting = 0;
  for (int i = 0; i < world->ground_count; i++) {
    if (!lwi_ground_fits(world, &world->grounds[i], query->profile)) continue;
    fitting += 1;
    last = i;
  }
  if (fitting == 1) return world->grounds[last].mesh;
  for (int i = 0; i < world->ground_count; i++)
    if (lwi_ground_fits(world, &world->grounds[i], query->profile))
      total += areas[i] = area_passing(world->grounds[i].mesh, filter);
  double pick = lwi_random_unit_double(random) * total;
  const lw_navmesh *drawn = NULL;
  for (int i = 0; i < world->ground_count && pick >= 0; i++) {
    if (!(areas[i] > 0)) continue;
    drawn = world->grounds[i].mesh;
    pick -= areas[i];
  }
  return drawn;
}

static lw_status draw_anywhere(lw_world *world, const lw_random_point_query *query, const lw_filter *filter,
                               lwi_random *random, lw_location *location) {
  const lw_navmesh *mesh = query->navmesh >= 0        ? world->grounds[query->navmesh].mesh
                           : world->ground_count == 1 ? world->grounds[0].mesh
                                                      : draw_navmesh(world, query, filter, random);
  return mesh ? lwi_random_anywhere(mesh, filter, random, location) : LW_NO_POINT;
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
  uint32_t label = reach->labels[lwi_poly_index(ground->mesh, center.poly)];
  return lwi_random_in_circle(ground->mesh, query->around, query->radius, reach, label, random,
                              &ground->random_scratch, location);
}
