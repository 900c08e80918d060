/* What changed navmeshes mean for agents: an agent under which ground was cut away is moved, an agent whose path leads
   over ground that was cut away searches again, and so does, after a while, an agent whose path could be cheaper over
   ground that is back. */
#include "core/status.h"
#include "world/placement.h"

#include <math.h>

/* A path is searched again for ground that is back if one that leads there could cost this part of it or less... */
#define GAIN 0.9f
/* ...once it is this old... [s] */
#define PATIENCE 1.0
/* ...and up to this time later, so that agents that were stopped by the same door do not all search in one step. [s] */
#define SPREAD 1.0

/* --- what it carries -------------------------------------------------------------------------------------------- */

/* Does it carry something that is cut out, or has something attached that is? */
static bool carries_cut(const lw_world *world, const lwi_agent *agent) {
  for (uint32_t i = agent->ground.first_carried; i != LWI_NO_SLOT; i = lwi_obstacle_at(world, i)->next_carried)
    if (lwi_obstacle_at(world, i)->is_cut) return true;
  return false;
}

/* Does it carry the obstacle of that number, itself or attached to one that it carries? */
static bool carries(const lw_world *world, const lwi_agent *agent, uint32_t number) {
  for (uint32_t i = agent->ground.first_carried; i != LWI_NO_SLOT;
       i = lwi_obstacle_at(world, i)->next_carried) {
    const lwi_obstacle *head = lwi_obstacle_at(world, i);
    if (head->number == number) return true;
    for (uint32_t k = head->first_attached; k != LWI_NO_SLOT; k = lwi_obstacle_at(world, k)->next_attached)
      if (lwi_obstacle_at(world, k)->number == number) return true;
  }
  return false;
}

/* Is its place no ground because of what it carries, and of nothing else? */
static bool is_parked(const lw_world *world, const lwi_nav *nav, const lwi_agent *agent) {
  const lw_vec3 snap = {LWI_SAME_PLACE, LWI_SAME_HEIGHT, LWI_SAME_PLACE};
  lw_location whole;
  if (agent->link.active || !carries_cut(world, agent) ||
      lw_navmesh_nearest(nav->base, agent->at.point, snap, NULL, &whole) != LW_OK)
    return false;
  const uint32_t polygon = lwi_poly_index(nav->base, whole.poly);
  const float height = agent->profile->prices.filter.height;
  int i = 0;
  for (uint32_t by; (by = lwi_live_next_cut_at(nav->live, polygon, whole.point, height, &i)) != LWI_NONE;)
    if (!carries(world, agent, by)) return false;
  return true;
}

static void trap(lw_world *world, lwi_agent *agent) {
  if (agent->ground.is_trapped) return;
  agent->ground.is_trapped = true;
  lwi_agent_fail_move(world, agent, LW_TRAPPED);
  lwi_agent_wake(world, agent);
}

static void search_again(lw_world *world, lwi_agent *agent) {
  if (agent->move != LW_MOVE_WALKING) return;
  lwi_agent_doubt_path(agent, LWI_BLOCKED);
  world->planner.any_stale = true;
}

/* Ground is back under it. */
static void release(lw_world *world, lwi_agent *agent) {
  agent->ground.is_parked = agent->ground.is_trapped = false;
  if (agent->move != LW_MOVE_FAILED || agent->failure != LW_TRAPPED) return;
  lwi_agent_halt(agent, LW_MOVE_IDLE, LW_OK);
  lwi_agent_wake(world, agent);
}

/* --- places ------------------------------------------------------------------------------------------------------ */

/* Begin to iterate over discs of a list near a place. */
static lwi_rectangle_walk discs_near(const lwi_disc_list *list, lw_vec3 at, float within) {
  const lwi_rectangle about = {at.x - within, at.z - within, at.x + within, at.z + within};
  return lwi_rectangle_walk_box(&list->tree, about);
}

static bool any_disc_near(const lwi_disc_list *list, lw_vec3 at, float within) {
  lwi_rectangle_walk walk = discs_near(list, at, within);
  for (uint32_t i; (i = lwi_rectangle_walk_next(&walk)) != LWI_NONE;)
    if (lwi_distance_xz(list->items[i].shape.from, at) <= list->items[i].shape.radius + within) return true;
  return false;
}

/* Is a large agent that stands on ground too near to something that was put in and that it does not carry? A trapped agent
   is squeezed until the ground changes near by. */
static bool is_squeezed(const lw_world *world, const lwi_nav *nav, const lwi_agent *agent, lw_vec3 at) {
  const lwi_disc_list *closed = &world->obstacles.closed;
  const double keep = (double)lwi_agent_keep(nav, agent) - LWI_CLEAR_SLACK;
  if (!(keep > 0)) return false;
  if (agent->ground.is_trapped || world->ground_missed) return true;
  const lwi_ground_path place = {.from = at, .height = agent->profile->prices.filter.height};
  lwi_rectangle_walk walk = discs_near(closed, at, (float)keep);
  for (uint32_t i; (i = lwi_rectangle_walk_next(&walk)) != LWI_NONE;) {
    const uint32_t number = closed->items[i].number;
    if (number != LWI_NONE && lwi_live_comes_near(nav->live, number, keep, &place) &&
        !carries(world, agent, number))
      return true;
  }
  return false;
}

/* May a trapped agent get away now? Where its ground is gone that took all there was, so that any that is back counts. */
static bool may_be_released(const lw_world *world, const lwi_nav *nav, const lwi_agent *agent,
                            bool is_on_ground, lw_vec3 at) {
  const lwi_disc_list *opened = &world->obstacles.opened;
  if (world->ground_missed || world->obstacles.any_marked) return true;
  if (!is_on_ground) return opened->count > 0;
  return any_disc_near(opened, at, lwi_agent_keep(nav, agent) + LWI_PUSH_MAX);
}

static void settle_place(lw_world *world, lwi_agent *agent) {
  agent->route.motion.is_resting = false;
  const int navmesh = lwi_agent_footing_navmesh(agent);
  const lwi_nav *nav = &world->scene.navs[navmesh];
  lw_location *at = agent->link.active ? &agent->link.to : &agent->at;
  if (lwi_poly_index(world->scene.meshes[agent->navmesh], agent->at.poly) == LWI_NONE) agent->at.poly = 0;
  const bool is_on_ground =
      lwi_poly_index(nav->mesh, at->poly) != LWI_NONE || lwi_agent_find_same_place(nav->mesh, agent, at);
  if (is_on_ground && !is_squeezed(world, nav, agent, at->point)) {
    release(world, agent);
    return;
  }
  const bool parked = !is_on_ground && is_parked(world, nav, agent);
  if (parked) release(world, agent); /* ground may be back under what it carries */
  agent->ground.is_parked = parked;
  if (parked) {
    lwi_agent_look_beside(world, agent);
  } else if (agent->ground.is_trapped && !may_be_released(world, nav, agent, is_on_ground, at->point)) {
    return;
  } else if (lwi_agent_find_place(world, nav, agent, is_on_ground, at)) {
    release(world, agent);
    search_again(world, agent);
  } else if (!agent->link.active) {
    trap(world, agent);
  }
}

bool lwi_agent_lacks_landing(const lw_world *world, const lwi_agent *agent) {
  const lw_navmesh *mesh = world->scene.meshes[lwi_agent_footing_navmesh(agent)];
  return agent->link.active && lwi_poly_index(mesh, agent->link.to.poly) == LWI_NONE;
}

void lwi_agent_landed(lw_world *world, lwi_agent *agent) {
  const bool failed = agent->move == LW_MOVE_FAILED && agent->failure == LW_TRAPPED;
  if (failed || lwi_poly_index(world->scene.meshes[agent->navmesh], agent->at.poly) == LWI_NONE)
    settle_place(world, agent);
}

/* --- paths ------------------------------------------------------------------------------------------------ */

bool lwi_agent_note_corridor(lw_world *world, lwi_agent *agent) {
  const lw_path *path = agent->route.path;
  lwi_agent_route *route = &agent->route;
  if (!lwi_reserve(&world->memory, &route->polygons, &route->polygon_capacity, path->corridor_count,
                   sizeof *route->polygons))
    return false;
  route->polygon_count = path->corridor_count;
  route->found = world->scene.changes;
  for (int i = 0; i < path->corridor_count; i++) {
    const int navmesh = path->link_count > 0 ? lw_path_corridor_navmesh(path, i) : path->navmesh;
    const lw_navmesh *mesh = world->scene.meshes[navmesh];
    const uint32_t index = lwi_poly_index(mesh, path->corridor[i]);
    route->polygons[i] =
        (lwi_route_polygon){index == LWI_NONE ? LWI_NONE : lwi_origin_of(mesh, index), navmesh};
  }
  return true;
}

/* Iterate over the lines that are left of the path, from link to link. @param[in, out] line  `points` is NULL: begin.
   @return false: there are no more. */
static bool next_line(const lwi_agent *agent, lwi_ground_path *line) {
  const lw_path *path = agent->route.path;
  int next = agent->route.next_point;
  if (line->points) {
    next = (int)(line->points - path->points) + line->count;
    if (next >= path->point_count) return false;
    line->from = path->points[next++]; /* where the link ends */
  }
  line->points = path->points + next;
  for (line->count = 0; next + line->count < path->point_count; line->count++)
    if (path->link_count > 0 && lwi_path_link_at(path, next + line->count - 1)) break;
  return true;
}

static lwi_ground_path begin_line(const lw_world *world, const lwi_agent *agent) {
  return (lwi_ground_path){.from = lwi_agent_footing(agent).point,
                           .all = world->ground_missed,
                           .height = agent->profile->prices.height};
}

/* Does what is left of the path lead through something that is cut out of that polygon? */
static bool crosses(const lw_world *world, const lwi_agent *agent, lwi_route_polygon at) {
  const lwi_live *live = world->scene.navs[at.navmesh].live;
  for (lwi_ground_path line = begin_line(world, agent); next_line(agent, &line);)
    if (lwi_live_crosses(live, at.polygon, &line)) return true;
  return false;
}

/* Find the polygons again where links end. @return false: one of them ends where ground was cut away. */
static bool renew_links(const lw_world *world, const lwi_agent *agent) {
  const lw_path *path = agent->route.path;
  int navmesh = path->navmesh;
  bool all = true;
  for (int i = 0; i < path->link_count; i++) {
    lwi_path_link *link = &path->links[i];
    if (link->navmesh >= 0) navmesh = link->navmesh;
    const lw_navmesh *mesh = world->scene.meshes[navmesh];
    if (link->point + 1 < agent->route.next_point || lwi_poly_index(mesh, link->to) != LWI_NONE) continue;
    lw_location to = {path->points[link->point + 1], link->to};
    const bool is_there = lwi_agent_find_same_place(mesh, agent, &to);
    link->to = is_there ? to.poly : 0;
    all = all && is_there;
  }
  return all;
}

static bool is_blocked(const lw_world *world, const lwi_agent *agent) {
  const lwi_agent_route *route = &agent->route;
  const uint64_t since = world->ground_missed ? route->found : world->scene.changes - 1;
  bool changed = false;
  for (int i = 0; i < route->polygon_count; i++) {
    const lwi_route_polygon at = route->polygons[i];
    if (at.polygon == LWI_NONE) continue;
    if (!lwi_nav_has_changed(&world->scene.navs[at.navmesh], at.polygon, since)) continue;
    changed = true;
    if (crosses(world, agent, at)) return true;
  }
  return changed && !renew_links(world, agent);
}

/* Does the rest of the path come that near to the disc in xz? */
static bool passes(const lwi_agent *agent, const lwi_timed_shape *disc, float keep) {
  const lw_path *path = agent->route.path;
  lw_vec3 from = lwi_agent_footing(agent).point;
  for (int i = agent->route.next_point; i < path->point_count; from = path->points[i++]) {
    const lw_vec3 nearest = lwi_nearest_on(from, path->points[i], disc->from);
    if (lwi_distance_xz(nearest, disc->from) <= disc->radius + keep) return true;
  }
  return false;
}

/* Begin to iterate over discs of a list about what is left of the path. */
static lwi_rectangle_walk discs_about(const lwi_disc_list *list, const lwi_agent *agent, float keep) {
  const lw_path *path = agent->route.path;
  lw_box box = lwi_box_add(lwi_box_empty(), lwi_agent_footing(agent).point);
  for (int i = agent->route.next_point; i < path->point_count; i++) box = lwi_box_add(box, path->points[i]);
  const lwi_rectangle about = {box.min.x - keep, box.min.z - keep, box.max.x + keep, box.max.z + keep};
  return lwi_rectangle_walk_box(&list->tree, about);
}

/* The next disc of such a walk that the rest of the path comes that near to. @return NULL: there are no more. */
static const lwi_changed_disc *next_passed(const lwi_disc_list *list, const lwi_agent *agent, float keep,
                                           lwi_rectangle_walk *walk) {
  for (uint32_t i; (i = lwi_rectangle_walk_next(walk)) != LWI_NONE;)
    if (passes(agent, &list->items[i].shape, keep)) return &list->items[i];
  return NULL;
}

/* May the path lead through something that was put in, on whichever floor? Most do not: that takes little to find out. */
static bool may_be_blocked(const lw_world *world, const lwi_agent *agent) {
  const lwi_disc_list *closed = &world->obstacles.closed;
  if (world->ground_missed || agent->route.path->link_count > 0) return true;
  lwi_rectangle_walk walk = discs_about(closed, agent, 0);
  return next_passed(closed, agent, 0, &walk) != NULL;
}

/* Does what is left of a large agent's path come too near to that footprint? */
static bool is_too_near(const lw_world *world, const lwi_agent *agent, const lwi_changed_disc *disc) {
  for (int n = 0; n < world->scene.nav_count; n++) {
    const lwi_nav *nav = &world->scene.navs[n];
    const double keep = (double)lwi_agent_keep(nav, agent) - LWI_CLEAR_SLACK;
    if (!(keep > 0)) continue;
    for (lwi_ground_path line = begin_line(world, agent); next_line(agent, &line);)
      if (line.count > 0 && lwi_live_comes_near(nav->live, disc->number, keep, &line)) return true;
  }
  return false;
}

static float greatest_keep(const lw_world *world, const lwi_agent *agent) {
  float keep = 0;
  for (int n = 0; n < world->scene.nav_count; n++)
    keep = fmaxf(keep, lwi_agent_keep(&world->scene.navs[n], agent));
  return keep;
}

/* Is what is left of a large agent's path too narrow beside something that was put in? Where tiles came that is not
   known. */
static bool is_too_narrow(const lw_world *world, const lwi_agent *agent) {
  const lwi_disc_list *closed = &world->obstacles.closed;
  const float keep = greatest_keep(world, agent);
  if (!(keep > 0)) return false;
  if (world->ground_missed) return true;
  lwi_rectangle_walk walk = discs_about(closed, agent, keep);
  for (const lwi_changed_disc *disc; (disc = next_passed(closed, agent, keep, &walk));)
    if (disc->number == LWI_NONE || is_too_near(world, agent, disc)) return true;
  return false;
}

static void settle_path(lw_world *world, lwi_agent *agent) {
  if (agent->move != LW_MOVE_WALKING || agent->ground.is_parked) return;
  const lwi_staleness by_links = lwi_world_links_concern(world, agent);
  if (by_links > agent->route.staleness) {
    lwi_agent_doubt_path(agent, by_links);
    world->planner.any_stale = true;
  }
  if ((may_be_blocked(world, agent) && is_blocked(world, agent)) || is_too_narrow(world, agent))
    search_again(world, agent);
}

/* --- ground that is back ---------------------------------------------------------------------------------- */

bool lwi_world_note_ground(lw_world *world, lwi_disc_list *list, const lwi_changed_disc *disc) {
  if (world->agents.ids.count == 0) return true;
  if (!lwi_reserve(&world->memory, &list->items, &list->capacity, list->count + 1, sizeof *list->items))
    return false;
  if (!lwi_rectangle_tree_add(&list->tree, &world->memory, (uint32_t)list->count,
                              lwi_timed_rectangle(&disc->shape)))
    return false;
  list->radius = fmaxf(list->radius, disc->shape.radius);
  list->items[list->count++] = *disc;
  return true;
}

static void forget(lwi_disc_list *list) {
  list->count = 0;
  list->radius = 0;
  lwi_rectangle_tree_clear(&list->tree);
}

void lwi_world_forget_ground(lw_world *world) {
  forget(&world->obstacles.opened);
  forget(&world->obstacles.closed);
  world->obstacles.any_marked = false;
}

void lwi_disc_list_free(lwi_disc_list *list, lwi_memory *memory) {
  lwi_rectangle_tree_free(&list->tree, memory);
  lwi_free(memory, list->items, (size_t)list->capacity * sizeof *list->items);
}

/* Could a path over ground that is back cost less? */
static bool over_discs(const lwi_disc_list *opened, lw_vec3 from, lw_vec3 goal, float cost) {
  if (cost <= lwi_distance_xz(from, goal)) return false; /* none is shorter than the straight line */
  lwi_rectangle_walk walk =
      lwi_rectangle_walk_box(&opened->tree, lwi_discs_within(from, goal, cost, opened->radius));
  for (uint32_t i; (i = lwi_rectangle_walk_next(&walk)) != LWI_NONE;)
    if (lwi_bound_over_disc(from, goal, &opened->items[i].shape) < cost) return true;
  return false;
}

/* Does the path lead over ground that got another price? Then it may cost more than it is known to. */
static bool leads_over_price(const lw_world *world, const lwi_agent *agent) {
  const lwi_disc_list *opened = &world->obstacles.opened;
  lwi_rectangle_walk walk = discs_about(opened, agent, 0);
  for (const lwi_changed_disc *disc; (disc = next_passed(opened, agent, 0, &walk));)
    if (disc->is_price) return true;
  return false;
}

/* Could a path over ground that is back, or over links that were opened, be much cheaper than what is left of the agent's? */
static bool could_gain(const lw_world *world, const lwi_agent *agent) {
  const lwi_agent_route *route = &agent->route;
  const lw_path *path = route->path;
  const lw_vec3 from = lwi_agent_footing(agent).point;
  if (!(path->length > 0)) return false;
  const float cost = GAIN * path->cost * route->remaining / path->length;
  if (lwi_world_links_gain(world, from, route->goal, cost)) return true;
  return world->obstacles.opened.count > 0 &&
         (over_discs(&world->obstacles.opened, from, route->goal, cost) || leads_over_price(world, agent));
}

/* The agent's part of SPREAD, the same in each run: multiples of the golden ratio, whose fractions lie evenly. */
static double spread_of(const lwi_agent *agent) {
  return SPREAD * (double)((uint32_t)agent->serial * 2654435769u) / 4294967296.0;
}

static void settle_gain(lw_world *world, lwi_agent *agent) {
  lwi_agent_route *route = &agent->route;
  if (agent->move != LW_MOVE_WALKING || route->reconsider < INFINITY || !could_gain(world, agent)) return;
  route->reconsider = fmax(world->time, route->searched + PATIENCE) + spread_of(agent);
  world->reconsider = fmin(world->reconsider, route->reconsider);
}

void lwi_world_reconsider(lw_world *world) {
  if (world->time < world->reconsider) return;
  world->reconsider = INFINITY;
  for (lwi_agent *agent = NULL; (agent = lwi_next_agent(world, agent));) {
    lwi_agent_route *route = &agent->route;
    if (route->reconsider > world->time) {
      world->reconsider = fmin(world->reconsider, route->reconsider);
      continue;
    }
    route->reconsider = INFINITY;
    if (route->staleness != LWI_FRESH) continue;
    lwi_agent_doubt_path(agent, LWI_STALE);
    world->planner.any_stale = true;
  }
}

/* Could there now be a path that costs less than all there were? Then what is left of the agent's says nothing of the
   best. */
static void settle_excess(const lw_world *world, lwi_agent *agent) {
  const lwi_disc_list *opened = &world->obstacles.opened;
  lwi_agent_route *route = &agent->route;
  if (!(route->excess < INFINITY)) return;
  const lw_vec3 from = lwi_agent_footing(agent).point;
  bool is_known = !world->ground_missed && !world->obstacles.any_marked && world->links.opened_count == 0 &&
                  !world->links.all_opened && agent->move == LW_MOVE_WALKING;
  if (is_known && opened->count > 0) {
    const float cost = lwi_path_cost_from(route->path, route->next_point, from) - route->excess;
    is_known = !lwi_world_has_short_links(world) && !over_discs(opened, from, route->goal, cost);
  }
  if (!is_known) route->excess = INFINITY;
}

/* What was put in may lie over the place at cover that the agent holds. */
static void settle_cover(lw_world *world, lwi_agent *agent) {
  if (!agent->cover.active || agent->ground.is_parked) return;
  const bool may_be_gone = world->ground_missed || any_disc_near(&world->obstacles.closed, agent->cover.at,
                                                                 agent->profile->def.radius + LWI_COVER_BESIDE);
  if (may_be_gone && !lwi_agent_cover_is_there(world, agent)) lwi_agent_lose_cover(world, agent);
}

/* --- all of it -------------------------------------------------------------------------------------------- */

void lwi_world_ground_changed(lw_world *world) {
  for (lwi_agent *agent = NULL; (agent = lwi_next_agent(world, agent));) {
    settle_excess(world, agent);
    settle_place(world, agent);
    settle_cover(world, agent);
    settle_path(world, agent);
    if (world->obstacles.opened.count > 0 || world->links.opened_count > 0 || world->links.all_opened)
      settle_gain(world, agent);
  }
}

bool lwi_agent_depart(lw_world *world, lwi_agent *agent) {
  lw_path *path =
      lwi_path_of_place(agent->at, agent->navmesh, world->scene.meshes[0]->areas, &world->memory.allocator);
  if (!path) return false;
  lwi_agent_follow(agent, path, world->time);
  agent->route.staleness = LWI_STALE;
  world->planner.any_stale = true;
  return true;
}
