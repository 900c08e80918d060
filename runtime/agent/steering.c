/* Where an agent would go if it were alone: along its path, fast enough to be in time and slow enough for its turns. What
   the others make of that is avoidance (crowd.c). */
#include "agent/steering.h"

#include "core/vec3.h"

#include <math.h>

/* A point of the path counts as reached within this distance. [m] */
#define POINT_REACHED 1e-3f
/* From here on it goes on even if it does not see the point behind: just short of a corner a wall may stop it. [m] */
#define POINT_AT 1e-6f
/* Behind a point of the path, or so near to it, the agent goes on to the next one as soon as it sees it. [m] */
#define POINT_NEAR 0.1f
/* Points further away are not passed without having been there: the path leads round something. [m] */
#define POINT_MISSED 6.0f
/* The same for an agent in a formation, which may be so wide. [m] */
#define POINT_MISSED_FORMED 12.0f
/* An agent that is further from its path's line looks whether it still sees the point that it goes to, so far. [m] */
#define OFF_LINE 0.25f
/* This distance in place of that for an agent that is slower than CRAWL, if nobody blocks it or it comes to a bottleneck.
   [m, m/s] */
#define ON_LINE 1e-6f
#define CRAWL 0.3f
#define LOOK_MAX 12.0f
/* Out of sight of that point it goes back to a point of the line so far ahead. [m] */
#define BACK_AHEAD 1.0f
/* How far a turn may lead from the path. [m] */
#define SWING 0.4f
/* Limit on the steepness of a piece of a path: a step is climbed, not walked. [metres per metre in xz] */
#define STEEPNESS_MAX 2.0f
/* Of its deceleration: steps are not exact. */
#define BRAKING 0.9f
/* Of its speed, while it turns round from where it looked. */
#define TURNING 0.4f
#define TURNED_AWAY 1.8f /* [rad] */
/* A cautious agent slows within this distance of a wall. [m] */
#define NEAR_WALL 0.4f
/* From where an agent may begin a link. [m] */
#define LINK_REACHED 1e-3f
#define LINK_NEAR 0.3f
/* An agent that waits for a link and is pushed further away goes back. [m] */
#define LINK_LEFT 0.6f
/* How fast an agent goes nearer to its place in a formation, by the distance from it. [1/s] */
#define PLACE_GAIN 2.0f

const lwi_pace_style lwi_pace_styles[LW_PACE_COUNT] = {
    [LW_CALM] = {.acceleration = 0.6f, .lateral = 0.6f, .caution = 0.3f, .spacing = 0.15f, .share = 1.5f},
    [LW_NORMAL] = {.acceleration = 1, .lateral = 1, .share = 1},
    [LW_FAST] = {.acceleration = 1.3f, .lateral = 1.3f, .share = 0.6f},
};

float lwi_agent_speed(const lwi_agent *agent, const lw_navmesh *mesh) {
  uint32_t index = lwi_poly_index(mesh, agent->at.poly);
  const lw_profile *profile = agent->profile;
  const lw_stance *stance = &profile->def.stances[lwi_agent_stance(agent, mesh)];
  float factor = index == LWI_NONE ? 1 : profile->speed_factor[mesh->polygons.areas[index]];
  return profile->def.speed[lwi_agent_pace(agent)] * factor * stance->speed * (1 + agent->route.station.haste);
}

static float caution_of(const lwi_agent *agent) {
  return fminf(1, agent->profile->def.body.caution + lwi_pace_styles[lwi_agent_pace(agent)].caution);
}

/* --- the point to go to ----------------------------------------------------------------------------------- */

static bool is_last(const lwi_agent *agent) {
  return agent->route.next_point + 1 >= agent->route.path->point_count;
}

/* Does a link begin at the next point? */
static bool link_begins(const lwi_agent *agent) {
  return lwi_path_link_at(agent->route.path, agent->route.next_point) != NULL;
}

static bool sees(const lwi_agent *agent, const lw_navmesh *mesh, lw_vec3 to) {
  lw_raycast ray;
  const float far = lwi_distance_xz(agent->at.point, to);
  if (far > LOOK_MAX) to = lwi_lerp(agent->at.point, to, LOOK_MAX / far);
  return lw_navmesh_raycast(mesh, agent->at, to, &agent->profile->prices.filter, &ray) == LW_OK && !ray.hit;
}

/* Is the agent past the line through the next point that halves the angle of the turn there? */
static bool is_past(const lwi_agent *agent) {
  const lw_vec3 *at = &agent->route.path->points[agent->route.next_point];
  lw_vec3 in = lwi_sub(at[0], at[-1]), out = lwi_sub(at[1], at[0]);
  in.y = out.y = 0;
  const lw_vec3 across = lwi_add(lwi_direction(in), lwi_direction(out)), here = lwi_sub(agent->at.point, at[0]);
  return across.x * here.x + across.z * here.z >= 0;
}

/* May the agent go on to the point behind the next one? */
static bool may_pass(const lwi_agent *agent, const lw_navmesh *mesh) {
  const lw_vec3 *at = &agent->route.path->points[agent->route.next_point];
  const float away = lwi_distance_xz(agent->at.point, at[0]);
  if (away <= POINT_AT || (away <= POINT_REACHED && (is_last(agent) || link_begins(agent)))) return true;
  const float missed = agent->route.station.kind == LWI_STATION_PLACE ? POINT_MISSED_FORMED : POINT_MISSED;
  if (is_last(agent) || link_begins(agent) || away > missed || (away > POINT_NEAR && !is_past(agent)))
    return false;
  return sees(agent, mesh, at[1]);
}

/* A link may begin near its start where others are in the way. */
static bool reaches_link(const lwi_agent *agent) {
  if (!link_begins(agent)) return false;
  const float away = lwi_distance_xz(agent->at.point, agent->route.path->points[agent->route.next_point]);
  const lwi_motion *motion = &agent->route.motion;
  return away <= LINK_REACHED || (away <= LINK_NEAR && (motion->blocked > 0 || motion->is_external));
}

/* Pushed away from where a link begins, while it waits for that. */
static void return_to_link(lwi_agent *agent) {
  const int point = agent->route.next_point - 1;
  if (!lwi_path_link_at(agent->route.path, point) || point < 1) return;
  if (lwi_distance_xz(agent->at.point, agent->route.path->points[point]) > LINK_LEFT)
    agent->route.next_point = point;
}

void lwi_agent_pass_points(lwi_agent *agent, const lw_navmesh *mesh) {
  while (agent->route.next_point < agent->route.path->point_count) {
    if (!may_pass(agent, mesh) && !reaches_link(agent)) return;
    agent->route.next_point += 1;
    if (lwi_path_link_at(agent->route.path, agent->route.next_point - 1))
      return; /* it begins in the next step */
  }
}

/* The point that the agent walks to: the path's next one, or, out of its sight, one of the line that leads there. */
static lw_vec3 aim_of(lwi_agent *agent, const lw_navmesh *mesh) {
  const lw_vec3 *at = &agent->route.path->points[agent->route.next_point], from = at[-1], to = at[0];
  const float along = lwi_part_along_xz(from, to, agent->at.point), length = lwi_distance_xz(from, to);
  const lw_vec3 foot = lwi_lerp(from, to, fminf(1, fmaxf(0, along)));
  const float away = lwi_distance_xz(foot, agent->at.point);
  /* It may press against the wall beside a corner. */
  const lwi_motion *motion = &agent->route.motion;
  const bool presses = (motion->blocked <= 0 || motion->narrow.number != 0) &&
                       hypotf(agent->velocity.x, agent->velocity.z) < CRAWL;
  agent->route.motion.is_off_path = false;
  if (away <= (presses ? ON_LINE : OFF_LINE) || sees(agent, mesh, to)) return to;
  const lw_vec3 back = length > 0 ? lwi_lerp(from, to, fminf(1, fmaxf(0, along) + BACK_AHEAD / length)) : to;
  if (sees(agent, mesh, back)) return back;
  const bool sees_foot = sees(agent, mesh, foot);
  agent->route.motion.is_off_path = !sees_foot;
  return presses && sees_foot ? foot : back;
}

/* --- how fast --------------------------------------------------------------------------------------------- */

/* Metres over the surface per metre in xz, on the piece of the path that ends at `next`. */
static float steepness(const lw_path *path, int next) {
  lw_vec3 from = path->points[next - 1], to = path->points[next];
  float flat = lwi_distance_xz(from, to);
  return flat > 0 ? fminf(STEEPNESS_MAX, lwi_distance(from, to) / flat) : 1;
}

static float lateral_of(const lwi_agent *agent) {
  return lwi_body_limit(agent->profile->def.body.lateral_acceleration) *
         lwi_pace_styles[lwi_agent_pace(agent)].lateral;
}

/* The speed at which the agent can turn at a point of its path without leaving it by more than a little. */
static float turning_speed(const lwi_agent *agent, int point) {
  const lw_vec3 *at = &agent->route.path->points[point];
  lw_vec3 in = lwi_sub(at[0], at[-1]), out = lwi_sub(at[1], at[0]);
  in.y = out.y = 0;
  const float turn = 1 - lwi_dot(lwi_direction(in), lwi_direction(out)); /* 1 - cos */
  const float swing = SWING * (1 - 0.6f * caution_of(agent));
  return sqrtf(lateral_of(agent) * swing / fmaxf(turn, 1e-3f));
}

/* The speed at which it can walk the piece of its path that ends at a point: on an arc, that of its circle. */
static float arc_speed(const lwi_agent *agent, int point) {
  const lw_path_arc *arc = lwi_path_arc_at(agent->route.path, point);
  return arc ? sqrtf(lateral_of(agent) * arc->radius) : INFINITY;
}

float lwi_agent_braking_speed(const lwi_agent *agent, float then, float distance) {
  return sqrtf(then * then +
               2 * BRAKING * lwi_body_limit(agent->profile->def.body.deceleration) * fmaxf(0, distance));
}

/* By the turns within the distance that it takes to stop, and the goal. */
static float path_speed(const lwi_agent *agent, float speed, float to_next) {
  const lw_path *path = agent->route.path;
  const float to_stop = speed * speed / (2 * BRAKING * lwi_body_limit(agent->profile->def.body.deceleration));
  float distance = to_next;
  speed = fminf(speed, arc_speed(agent, agent->route.next_point));
  for (int i = agent->route.next_point; distance < to_stop; i++) {
    if (lwi_path_link_at(path, i)) return speed; /* links are taken at the agent's speed */
    if (i + 1 >= path->point_count) return fminf(speed, lwi_agent_braking_speed(agent, 0, distance));
    const float then = fminf(turning_speed(agent, i), arc_speed(agent, i + 1));
    speed = fminf(speed, lwi_agent_braking_speed(agent, then, distance));
    distance += lwi_distance(path->points[i], path->points[i + 1]);
  }
  return speed;
}

static float wall_factor(const lwi_agent *agent) {
  const float caution = caution_of(agent);
  float nearest = NEAR_WALL;
  if (caution <= 0) return 1;
  for (int i = 0; i < agent->route.motion.walls.count; i++) {
    const lwi_wall *wall = &agent->route.motion.walls.items[i];
    nearest = fminf(nearest, lwi_wall_distance(wall, agent->at.point.x, agent->at.point.z));
  }
  return 1 - 0.5f * caution * (1 - nearest / NEAR_WALL);
}

/* To a place that moves: along with it, and nearer to it the faster the further it is away. */
static void steer_to_place(lwi_agent *agent, const lw_navmesh *mesh, float dt) {
  lwi_motion *motion = &agent->route.motion;
  const lwi_station *station = &agent->route.station;
  const float dx = station->at.x - agent->at.point.x, dz = station->at.z - agent->at.point.z;
  const float away = sqrtf(dx * dx + dz * dz);
  const int last = agent->route.path->point_count - 1,
            next = agent->route.next_point < last ? agent->route.next_point : last;
  const float steep = next > 0 ? steepness(agent->route.path, next) : 1;
  const float limit = lwi_agent_speed(agent, mesh) * wall_factor(agent) / steep;
  const float nearer = fminf(fminf(PLACE_GAIN * away, lwi_agent_braking_speed(agent, 0, away)), away / dt);
  float vx = station->velocity.x, vz = station->velocity.z;
  if (away > 0) vx += dx / away * nearer, vz += dz / away * nearer;
  const float speed = sqrtf(vx * vx + vz * vz);
  if (speed > limit) vx *= limit / speed, vz *= limit / speed;
  motion->desired = lwi_vec3(vx, 0, vz);
  motion->aim_x = station->at.x;
  motion->aim_z = station->at.z;
}

void lwi_agent_steer(lwi_agent *agent, const lw_navmesh *mesh, float dt) {
  lwi_motion *motion = &agent->route.motion;
  motion->desired = lwi_vec3(0, 0, 0);
  motion->stops_at_aim = false;
  if (agent->move != LW_MOVE_WALKING) return;
  return_to_link(agent);
  lwi_agent_pass_points(agent, mesh);
  const lwi_agent_route *route = &agent->route;
  if (route->station.kind == LWI_STATION_PLACE) {
    steer_to_place(agent, mesh, dt);
    return;
  }
  if (route->next_point >= route->path->point_count || lwi_path_link_at(route->path, route->next_point - 1))
    return;
  const lw_vec3 aim = aim_of(agent, mesh);
  const float dx = aim.x - agent->at.point.x, dz = aim.z - agent->at.point.z, flat = sqrtf(dx * dx + dz * dz);
  motion->aim_x = aim.x;
  motion->aim_z = aim.z;
  motion->stops_at_aim = link_begins(agent);
  if (flat <= 0) return;
  const float steep = steepness(route->path, route->next_point);
  float speed = lwi_agent_speed(agent, mesh);
  speed = path_speed(agent, speed, flat * steep) * wall_factor(agent);
  const float turn = fabsf(lwi_angle_between(agent->heading, atan2f(-dz, dx)));
  if (turn > TURNED_AWAY && speed > 0) speed *= TURNING;
  if (route->station.kind == LWI_STATION_TRAIL) speed = fminf(speed, route->station.speed);
  speed = fminf(speed / steep, flat / dt);
  motion->desired = lwi_vec3(dx / flat * speed, 0, dz / flat * speed);
}
