/* Where an agent is put that can no longer stand where it is: aside along the ground, or down where it falls. */
#include "world/placement.h"

#include "core/status.h"
#include "core/vec3.h"

#include <math.h>

/* Places of as many polygons are tried for large agents, which may not fit at the nearest one or near by. */
#define PLACES_MAX 16

bool lwi_agent_find_same_place(const lw_navmesh *mesh, const lwi_agent *agent, lw_location *at) {
  const lw_vec3 snap = {LWI_SAME_PLACE, LWI_SAME_HEIGHT, LWI_SAME_PLACE};
  lw_location found;
  if (lw_navmesh_nearest(mesh, at->point, snap, &agent->profile->prices.filter, &found) != LW_OK) return false;
  if (lwi_distance_xz(found.point, at->point) > LWI_SAME_PLACE) return false;
  *at = found;
  return true;
}

float lwi_agent_keep(const lwi_nav *nav, const lwi_agent *agent) {
  return lwi_clearance_extra(nav->mesh, &agent->profile->prices.filter);
}

/* --- along the ground, and by a fall ------------------------------------------------------------------------------ */

typedef struct near_place {
  lw_location at;
  float distance;
} near_place;

typedef struct looking {
  const lw_navmesh *mesh;
  const lwi_agent *agent;
  lw_vec3 from;
  float highest; /* ground above is not looked at, but where it rises from there on the way */
  float reach;   /* places from that distance on do not matter */
  bool any;      /* there is ground that the agent may enter, perhaps too high or too far off */
  int count, wanted;
  near_place places[PLACES_MAX]; /* [count] The nearest of as many polygons, nearest first. */
} looking;

/* @param wanted  How many places. [1..PLACES_MAX] */
static looking look_from(const lw_navmesh *mesh, const lwi_agent *agent, lw_vec3 from, float reach,
                         int wanted) {
  return (looking){.mesh = mesh,
                   .agent = agent,
                   .from = from,
                   .highest = from.y + agent->profile->def.climb,
                   .reach = reach,
                   .wanted = wanted};
}

static void note_place(looking *of, lw_location place, float distance) {
  int at = of->count < of->wanted ? of->count++ : of->wanted - 1;
  for (; at > 0 && of->places[at - 1].distance > distance; at--) of->places[at] = of->places[at - 1];
  of->places[at] = (near_place){place, distance};
  if (of->count == of->wanted) of->reach = of->places[of->count - 1].distance;
}

/* Is the place not too high? Ground that rises on the way to it is walked up; a deck is above the agent, and one walks up to it
   from out of the circle. @param radius  Of the circle that the place's polygon was found with. [m] */
static bool is_level(const looking *of, lw_vec3 place, float radius) {
  const float flat = lwi_distance_xz(place, of->from);
  return place.y <= of->highest || (flat >= radius - LWI_SAME_PLACE && place.y <= of->highest + flat);
}

/* The nearest places on the parts of a polygon of the base. @param radius  As of is_level(); infinity: of no circle. */
static void look_on(looking *of, uint32_t polygon, float radius) {
  const lw_vec3 reach = {of->reach, 0, of->reach};
  lwi_part_walk walk = lwi_parts_near(of->mesh, polygon, lwi_sub(of->from, reach), lwi_add(of->from, reach));
  for (uint32_t i; lwi_next_part(&walk, &i);) {
    if (!lwi_passes(of->mesh, &of->agent->profile->prices.filter, i)) continue;
    const lwi_polygon part = lwi_polygon_get(of->mesh, i);
    lw_vec3 nearest;
    of->any = true;
    lwi_polygon_closest(&part, of->from, &nearest);
    if (lwi_distance_xz(nearest, of->from) >= of->reach) continue;
    nearest.y = lwi_polygon_height(of->mesh, i, nearest.x, nearest.z);
    const float distance = lwi_distance(nearest, of->from);
    if (distance < of->reach && is_level(of, nearest, radius))
      note_place(of, (lw_location){nearest, lwi_poly_id(of->mesh, i)}, distance);
  }
}

/* Look at all ground less than `reach` away, which is finite, whatever is between. */
static void look_about(looking *of) {
  const lw_vec3 from = of->from;
  const float reach = of->reach;
  const lwi_grid *grid = &of->mesh->grid;
  lwi_cells cells;
  if (!lwi_grid_cells(grid, from.x - reach, from.z - reach, from.x + reach, from.z + reach, &cells)) return;
  for (int z = cells.z0; z <= cells.z1; z++)
    for (int x = cells.x0; x <= cells.x1; x++) {
      const size_t cell = (size_t)z * (size_t)grid->width + (size_t)x;
      for (uint32_t r = grid->first[cell]; r < grid->first[cell + 1]; r++)
        look_on(of, grid->references[r].polygon, INFINITY);
    }
}

/* --- along the ground as it was baked ----------------------------------------------------------------------------- */

/* Has it been found that agents of that profile have no ground left on the island? All of them would look at all of it. */
static bool is_bare(const lwi_bare_islands *bare, const lw_world *world, uint32_t island,
                    const lw_profile *profile) {
  const bool is_now = bare->changes == world->scene.changes && bare->steps == world->steps;
  for (int i = 0; is_now && i < bare->count; i++)
    if (bare->items[i].island == island && bare->items[i].profile == profile) return true;
  return false;
}

static void note_bare(lwi_bare_islands *bare, const lw_world *world, uint32_t island,
                      const lw_profile *profile) {
  if (bare->changes != world->scene.changes || bare->steps != world->steps) bare->count = 0;
  bare->changes = world->scene.changes;
  bare->steps = world->steps;
  if (bare->count == LWI_BARE_ISLANDS_MAX) return;
  bare->items[bare->count].island = island;
  bare->items[bare->count++].profile = profile;
}

/* Look outwards along the ground as it was baked. @return false: it is no longer part of the level there. */
static bool look_along(const lw_world *world, const lwi_nav *nav, looking *of) {
  const lw_vec3 snap = {LWI_SAME_PLACE, LWI_SAME_HEIGHT, LWI_SAME_PLACE};
  const lw_profile *profile = of->agent->profile;
  lw_location at;
  if (lw_navmesh_nearest(nav->base, of->from, snap, NULL, &at) != LW_OK) return false;
  lwi_nav_scratch *scratch = lwi_workspace_nav(world->scene.own, nav);
  const uint32_t island = nav->base->graph.islands[lwi_poly_index(nav->base, at.poly)];
  if (!scratch || is_bare(&scratch->bare, world, island, profile)) return true;
  lwi_outwards *walk = &scratch->outwards;
  at.point = of->from;
  if (!lwi_outwards_begin(walk, nav->base, at)) return true;
  float radius = 0;
  uint32_t polygon;
  while ((polygon = lwi_outwards_next(walk, &radius)) != LWI_NONE && radius < of->reach)
    look_on(of, polygon, radius);
  if (polygon == LWI_NONE && !of->any) note_bare(&scratch->bare, world, island, profile);
  return true;
}

/* The same, or where that ground is gone, near by. @return How far off places may be. [m] */
static float look(const lw_world *world, const lwi_nav *nav, looking *of) {
  const float limit = of->reach;
  if (look_along(world, nav, of)) return limit;
  of->reach = fminf(of->reach, LWI_PUSH_MAX);
  look_about(of);
  return fminf(limit, LWI_PUSH_MAX);
}

void lwi_agent_look_beside(const lw_world *world, lwi_agent *agent) {
  const lwi_nav *nav = &world->scene.navs[agent->navmesh];
  looking beside = look_from(nav->mesh, agent, agent->at.point, INFINITY, 1);
  look(world, nav, &beside);
  agent->ground.beside = beside.count > 0 ? beside.places[0].at.point : agent->at.point;
}

/* --- places of large agents --------------------------------------------------------------------------------------- */

/* The place near `at` where a large agent keeps its distance from walls. */
static bool find_clear_place(const lw_world *world, const lwi_nav *nav, const lwi_agent *agent,
                             lw_location *at) {
  const lw_vec3 half = {LWI_PUSH_MAX, LWI_PUSH_MAX, LWI_PUSH_MAX};
  if (!(lwi_agent_keep(nav, agent) > 0)) return true;
  lwi_nav_scratch *scratch = lwi_workspace_nav(world->scene.own, nav);
  const lwi_reach *reach =
      scratch ? lwi_workspace_reach(world->scene.own, nav, &agent->profile->prices.filter) : NULL;
  lw_location place = *at;
  uint32_t region;
  if (!reach || lwi_placement_push(reach, &scratch->region, half, &place, &region) != LW_OK) return false;
  *at = place;
  return true;
}

/* --- both --------------------------------------------------------------------------------------------------------- */

/* Take the nearest place found that is wide enough, if it is nearer than the best so far. */
static void take_nearer(const lw_world *world, const lwi_nav *nav, const looking *found, float *best,
                        lw_location *at) {
  for (int i = 0; i < found->count && found->places[i].distance < *best; i++) {
    lw_location place = found->places[i].at;
    if (!find_clear_place(world, nav, found->agent, &place)) continue;
    const float distance = lwi_distance(place.point, found->from);
    if (distance >= *best) continue;
    *best = distance;
    *at = place;
  }
}

/* Where an agent is put that is too large for where it stands. */
static bool find_wider_place(const lw_world *world, const lwi_nav *nav, const lwi_agent *agent,
                             lw_location *at) {
  looking beside = look_from(nav->mesh, agent, at->point, LWI_PUSH_MAX, PLACES_MAX);
  lw_location place = *at;
  float best = LWI_PUSH_MAX;
  if (find_clear_place(world, nav, agent, &place) && lwi_distance(place.point, at->point) < best) {
    *at = place;
    return true;
  }
  look(world, nav, &beside);
  take_nearer(world, nav, &beside, &best, at);
  return best < LWI_PUSH_MAX;
}

bool lwi_agent_find_place(const lw_world *world, const lwi_nav *nav, const lwi_agent *agent, bool is_on_ground,
                          lw_location *at) {
  if (is_on_ground) return find_wider_place(world, nav, agent, at);
  const int wanted = lwi_agent_keep(nav, agent) > 0 ? PLACES_MAX : 1;
  looking along = look_from(nav->mesh, agent, at->point, INFINITY, wanted);
  looking below = look_from(nav->mesh, agent, at->point, LWI_PUSH_MAX, wanted);
  const float limit = look(world, nav, &along);
  float best = limit;
  take_nearer(world, nav, &along, &best, at);
  const bool is_found = best < limit;
  below.highest = along.from.y - agent->profile->def.climb;
  const float deepest = below.reach = best = fminf(best, LWI_PUSH_MAX);
  look_about(&below);
  take_nearer(world, nav, &below, &best, at);
  return is_found || best < deepest;
}

/* --- goals that carry something ----------------------------------------------------------------------------------- */

/* An agent is the goal of another one if it is within this of it in xz, and this in height: it may have come to rest
   since. [m] */
#define AT_GOAL 1.0f
#define AT_GOAL_HEIGHT 4.0f

typedef struct carried_reach {
  const lw_world *world;
  lw_vec3 goal;
  float reach; /* from the goal */
} carried_reach;

static void take_reach(carried_reach *of, const lwi_obstacle *obstacle) {
  if (!obstacle->is_cut) return;
  const float reach = lwi_distance_xz(of->goal, obstacle->cut.at) + lwi_obstacle_reach(&obstacle->def);
  of->reach = fmaxf(of->reach, reach);
}

static void look_at_carrier(void *user, lwi_agent *agent) {
  carried_reach *of = user;
  const lw_vec3 at = agent->at.point;
  if (lwi_distance_xz(at, of->goal) > AT_GOAL || fabsf(at.y - of->goal.y) > AT_GOAL_HEIGHT) return;
  uint32_t i = agent->ground.first_carried;
  while (i != LWI_NO_SLOT) {
    const lwi_obstacle *head = lwi_obstacle_at(of->world, i);
    take_reach(of, head);
    for (uint32_t k = head->first_attached; k != LWI_NO_SLOT; k = lwi_obstacle_at(of->world, k)->next_attached)
      take_reach(of, lwi_obstacle_at(of->world, k));
    i = head->next_carried;
  }
}

float lwi_agent_goal_reach(const lw_world *world, const lwi_agent *agent) {
  carried_reach of = {world, agent->route.goal, 0};
  if (world->obstacles.ids.count > 0) lwi_world_visit_near(world, of.goal, AT_GOAL, look_at_carrier, &of);
  const float carried = of.reach > 0 ? of.reach + agent->profile->def.radius : 0;
  return agent->route.within + carried;
}
