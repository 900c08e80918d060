/* Following a path over the surface, and noticing when that does not work. */
#include "agent/agent.h"

#include <math.h>

/* A point of the path counts as reached this near. [m] */
#define POINT_REACHED 1e-3f
/* Progress smaller than this within the time allowed is none. [m] */
#define PROGRESS 0.05f
/* No piece of a path counts as steeper than this: a step is climbed, not walked. [metres a metre in plan] */
#define STEEPEST 2.0f
/* Rounding at a polygon's edge and on its surface. [m] */
#define ON_MESH_SLACK 0.01

void lwi_agent_follow(lwi_agent *agent, lw_path *path, double now) {
  lw_path_destroy(agent->path);
  agent->path = path;
  agent->next_point = 1;
  agent->stale = LWI_FRESH;
  agent->move = LW_MOVE_WALKING;
  agent->failure = LW_OK;
  agent->remaining = agent->best_remaining = path->length;
  agent->best_time = now;
}

void lwi_agent_halt(lwi_agent *agent, lw_move_state move, lw_status failure) {
  lw_path_destroy(agent->path);
  agent->path = NULL;
  agent->stale = LWI_FRESH;
  agent->move = move;
  agent->failure = failure;
  agent->remaining = 0;
  agent->velocity = lwi_vec3(0, 0, 0);
}

static float speed_of(const lwi_agent *agent, const lw_navmesh *const *meshes) {
  const lw_navmesh *mesh = meshes[agent->navmesh];
  uint32_t index = lwi_poly_index(mesh, agent->at.poly);
  float factor = index == LWI_NONE ? 1 : agent->profile->speed_factor[mesh->poly_areas[index]];
  return agent->profile->def.speed[agent->pace] * factor * agent->profile->def.stances[agent->stance].speed;
}

/* Metres over the surface to a metre in plan, on the piece of the path that ends at `next`. */
static float steepness(const lw_path *path, int next) {
  lw_vec3 from = path->points[next - 1], to = path->points[next];
  float flat = lwi_distance_xz(from, to);
  return flat > 0 ? fminf(STEEPEST, lwi_distance(from, to) / flat) : 1;
}

/* Walk towards the path's next point, taking what it walks from `budget`, in metres over the surface.
   @return Whether it got there. Short of it by a hair is not there: a hair before a corner there is still wall. */
static bool advance(lwi_agent *agent, const lw_navmesh *mesh, float *budget) {
  lw_vec3 target = agent->path->points[agent->next_point];
  float flat = lwi_distance_xz(agent->at.point, target),
        whole = flat * steepness(agent->path, agent->next_point);
  bool enough = whole <= *budget;
  lw_vec3 to = enough ? target : lwi_lerp(agent->at.point, target, *budget / whole);
  lw_location end;
  if (lw_navmesh_move(mesh, agent->at, to, &agent->profile->prices.filter, &end) != LW_OK) return false;
  float walked = lwi_distance(agent->at.point, end.point);
  agent->stats.walked += (double)walked;
  agent->at = end;
  *budget = enough ? *budget - whole : 0;
  return enough && lwi_distance_xz(end.point, target) <= POINT_REACHED;
}

/* @param[out] skipped  Grows by what a teleport moves it. @return Whether it is over the link. */
static bool traverse(lwi_agent *agent, float *budget, lw_vec3 *skipped) {
  float before = *budget;
  lw_vec3 from = agent->at.point;
  bool over = lwi_traverse_go(&agent->link, budget, &agent->at);
  agent->stats.walked += (double)(before - *budget);
  if (over && agent->link.navmesh >= 0) agent->navmesh = agent->link.navmesh;
  if (agent->link.kind == LW_LINK_TELEPORT) *skipped = lwi_add(*skipped, lwi_sub(agent->at.point, from));
  return over;
}

/* To the path's next point, over the ground or over a link. @return Whether it got there. */
static bool step(lwi_agent *agent, const lw_navmesh *const *meshes, float *budget, lw_vec3 *skipped) {
  const lwi_path_link *link = lwi_path_link_at(agent->path, agent->next_point - 1);
  if (!link && !advance(agent, meshes[agent->navmesh], budget)) return false;
  agent->next_point += 1;
  if (!link) return true;
  agent->link = lwi_traverse_begin(agent->path, link);
  return traverse(agent, budget, skipped);
}

/* @return What teleports moved it. */
static lw_vec3 walk_points(lwi_agent *agent, const lw_navmesh *const *meshes, float dt) {
  float budget = speed_of(agent, meshes) * dt;
  lw_vec3 skipped = {0, 0, 0};
  if (agent->link.active && !traverse(agent, &budget, &skipped)) return skipped;
  while (agent->next_point < agent->path->point_count && step(agent, meshes, &budget, &skipped)) continue;
  return skipped;
}

static float remaining_of(const lwi_agent *agent) {
  const lw_path *path = agent->path;
  int next = agent->next_point;
  if (agent->link.active)
    return agent->link.counted * (1 - lwi_traverse_progress(&agent->link)) + path->remaining[next - 1];
  return next < path->point_count ? lwi_distance(agent->at.point, path->points[next]) + path->remaining[next]
                                  : 0;
}

/* Near the goal along the path is not near it while a link is still to be taken. */
static bool link_is_ahead(const lwi_agent *agent) {
  const lw_path *path = agent->path;
  return agent->link.active ||
         (path->link_count > 0 && path->links[path->link_count - 1].point >= agent->next_point - 1);
}

static void set_velocity(lwi_agent *agent, lw_vec3 before, float dt) {
  agent->velocity = lwi_scale(lwi_sub(agent->at.point, before), 1 / dt);
  if (hypotf(agent->velocity.x, agent->velocity.z) > 1e-3f)
    agent->heading = atan2f(-agent->velocity.z, agent->velocity.x);
}

lwi_progress lwi_agent_walk(lwi_agent *agent, const lw_navmesh *const *meshes, float dt, double now,
                            float stuck_seconds) {
  lw_vec3 before = agent->at.point;
  lw_vec3 skipped = walk_points(agent, meshes, dt);
  set_velocity(agent, lwi_add(before, skipped), dt);
  agent->remaining = remaining_of(agent);
  if (!link_is_ahead(agent) &&
      (agent->remaining <= agent->within || agent->next_point >= agent->path->point_count))
    return LWI_ARRIVED;
  if (agent->link.active) agent->best_time = now; /* a link may count for less than it takes */
  if (agent->remaining < agent->best_remaining - PROGRESS) {
    agent->best_remaining = agent->remaining;
    agent->best_time = now;
  }
  return now - agent->best_time >= (double)stuck_seconds ? LWI_STUCK : LWI_WALKS;
}

lw_location lwi_agent_footing(const lwi_agent *agent) {
  return agent->link.active ? agent->link.to : agent->at;
}

int lwi_agent_footing_navmesh(const lwi_agent *agent) {
  return agent->link.active && agent->link.navmesh >= 0 ? agent->link.navmesh : agent->navmesh;
}

int lwi_agent_next_point(const lwi_agent *agent) {
  return agent->link.active ? agent->next_point - 1 : agent->next_point;
}

void lwi_agent_land(lwi_agent *agent, const lw_navmesh *const *meshes, float dt) {
  if (!agent->link.active) return;
  lw_vec3 before = agent->at.point, skipped = {0, 0, 0};
  float budget = speed_of(agent, meshes) * dt;
  traverse(agent, &budget, &skipped);
  set_velocity(agent, lwi_add(before, skipped), dt);
  if (!agent->link.active) agent->velocity = lwi_vec3(0, 0, 0);
}

bool lwi_agent_on_mesh(const lwi_agent *agent, const lw_navmesh *const *meshes) {
  if (agent->link.active) return true;
  const lw_navmesh *mesh = meshes[agent->navmesh];
  uint32_t index = lwi_poly_index(mesh, agent->at.poly);
  if (index == LWI_NONE || !lw_filter_passes(&agent->profile->prices.filter, mesh->poly_areas[index]))
    return false;
  lwi_polygon polygon = lwi_polygon_get(mesh, index);
  lw_vec3 point = agent->at.point;
  return lwi_polygon_holds(&polygon, point, ON_MESH_SLACK) &&
         fabs((double)lwi_polygon_height(mesh, index, point.x, point.z) - point.y) <= ON_MESH_SLACK;
}
