/* Where an agent is put that can no longer stand where it is: aside along the ground, or down where it falls. */
#include "world/placement.h"

#include "core/status.h"
#include "core/vec3.h"

#include <math.h>

/* Polygons of the base about an agent that are looked at. */
#define AROUND_MAX 512
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
  float highest; /* ground above is not looked at */
  float reach;   /* places from that distance on do not matter */
  int count, wanted;
  near_place places[PLACES_MAX]; /* [count] The nearest of as many polygons, nearest first. */
} looking;

/* @param wanted  How many places. [1..PLACES_MAX] */
static looking look_from(const lw_navmesh *mesh, const lwi_agent *agent, lw_vec3 from, int wanted) {
  return (looking){.mesh = mesh,
                   .agent = agent,
                   .from = from,
                   .highest = from.y + agent->profile->def.climb,
                   .reach = LWI_PUSH_MAX,
                   .wanted = wanted};
}

static void note_place(looking *of, lw_location place, float distance) {
  int at = of->count < of->wanted ? of->count++ : of->wanted - 1;
  for (; at > 0 && of->places[at - 1].distance > distance; at--) of->places[at] = of->places[at - 1];
  of->places[at] = (near_place){place, distance};
  if (of->count == of->wanted) of->reach = of->places[of->count - 1].distance;
}

/* The nearest places on the parts of a polygon of the base. */
static void look_on(looking *of, uint32_t polygon) {
  const lw_vec3 reach = {of->reach, 0, of->reach};
  lwi_part_walk walk = lwi_parts_near(of->mesh, polygon, lwi_sub(of->from, reach), lwi_add(of->from, reach));
  for (uint32_t i; lwi_next_part(&walk, &i);) {
    if (!lwi_passes(of->mesh, &of->agent->profile->prices.filter, i)) continue;
    const lwi_polygon part = lwi_polygon_get(of->mesh, i);
    lw_vec3 nearest;
    lwi_polygon_closest(&part, of->from, &nearest);
    if (lwi_distance_xz(nearest, of->from) >= of->reach) continue;
    nearest.y = lwi_polygon_height(of->mesh, i, nearest.x, nearest.z);
    const float distance = lwi_distance(nearest, of->from);
    if (distance < of->reach && nearest.y <= of->highest)
      note_place(of, (lw_location){nearest, lwi_poly_id(of->mesh, i)}, distance);
  }
}

/* Look at all ground near by, whatever is between. */
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
        look_on(of, grid->references[r].polygon);
    }
}

/* Look along the ground as it was baked. @return false: it is no longer part of the level there. */
static bool look_along(looking *of, const lw_navmesh *base) {
  lw_poly_id around[AROUND_MAX];
  lw_circle circle = {.radius = LWI_PUSH_MAX};
  const lw_vec3 snap = {LWI_SAME_PLACE, LWI_SAME_HEIGHT, LWI_SAME_PLACE};
  int count = 0;
  if (lw_navmesh_nearest(base, of->from, snap, NULL, &circle.center) != LW_OK) return false;
  const lw_status status = lw_navmesh_polygons_around(base, circle, NULL, around, AROUND_MAX, &count);
  if (status != LW_OK && status != LW_LIMIT) return true;
  for (int i = 0; i < count; i++) look_on(of, lwi_poly_index(base, around[i]));
  return true;
}

void lwi_agent_look_beside(const lw_world *world, lwi_agent *agent) {
  const lwi_nav *nav = &world->scene.navs[agent->navmesh];
  looking beside = look_from(nav->mesh, agent, agent->at.point, 1);
  if (!look_along(&beside, nav->base)) look_about(&beside);
  agent->ground.beside = beside.count > 0 ? beside.places[0].at.point : agent->at.point;
}

/* --- places of large agents --------------------------------------------------------------------------------------- */

/* The place near `at` where a large agent keeps its distance from walls. @param from  Where it is now. */
static bool find_clear_place(const lw_world *world, const lwi_nav *nav, const lwi_agent *agent, lw_vec3 from,
                             lw_location *at) {
  const lw_vec3 half = {LWI_PUSH_MAX, LWI_PUSH_MAX, LWI_PUSH_MAX};
  if (!(lwi_agent_keep(nav, agent) > 0)) return true;
  lwi_nav_scratch *scratch = lwi_workspace_nav(world->scene.own, nav);
  const lwi_reach *reach =
      scratch ? lwi_workspace_reach(world->scene.own, nav, &agent->profile->prices.filter) : NULL;
  lw_location place = *at;
  uint32_t region;
  if (!reach || lwi_placement_start(reach, &scratch->region, at->point, half, &place, &region) != LW_OK ||
      lwi_distance(place.point, from) >= LWI_PUSH_MAX)
    return false;
  *at = place;
  return true;
}

/* --- both --------------------------------------------------------------------------------------------------------- */

/* Take the nearest place found that is wide enough, if it is nearer than the best so far. */
static void take_nearer(const lw_world *world, const lwi_nav *nav, const looking *found, float *best,
                        lw_location *at) {
  for (int i = 0; i < found->count && found->places[i].distance < *best; i++) {
    lw_location place = found->places[i].at;
    if (!find_clear_place(world, nav, found->agent, found->from, &place)) continue;
    const float distance = lwi_distance(place.point, found->from);
    if (distance >= *best) continue;
    *best = distance;
    *at = place;
  }
}

bool lwi_agent_find_place(const lw_world *world, const lwi_nav *nav, const lwi_agent *agent, bool is_on_ground,
                          lw_location *at) {
  const lw_vec3 from = at->point;
  if (is_on_ground && find_clear_place(world, nav, agent, from, at)) return true;
  float best = LWI_PUSH_MAX;
  looking along = look_from(nav->mesh, agent, from, lwi_agent_keep(nav, agent) > 0 ? PLACES_MAX : 1),
          below = along;
  if (!look_along(&along, nav->base)) look_about(&along);
  take_nearer(world, nav, &along, &best, at);
  if (is_on_ground) return best < LWI_PUSH_MAX;
  below.highest = from.y - agent->profile->def.climb;
  look_about(&below);
  take_nearer(world, nav, &below, &best, at);
  return best < LWI_PUSH_MAX;
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
