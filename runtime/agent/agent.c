#include "agent/agent.h"

#include "agent/driving.h"
#include "agent/steering.h"
#include "core/vec3.h"
#include "links/jump_arc.h"

#include <math.h>

/* --- off-mesh links --------------------------------------------------------------------------------------- */

lwi_traverse lwi_traverse_begin(const lw_path *path, const lwi_path_link *link) {
  lw_vec3 from = path->points[link->point], to = path->points[link->point + 1];
  return (lwi_traverse){
      .active = true,
      .kind = link->kind,
      .from = from,
      .to = {to, link->to},
      .navmesh = link->navmesh,
      .straight = lwi_distance(from, to),
      .counted = link->length,
      .id = link->id,
  };
}

float lwi_traverse_progress(const lwi_traverse *traverse) {
  return traverse->straight > 0 ? traverse->done / traverse->straight : 1;
}

static lw_vec3 point_on(const lwi_traverse *traverse) {
  float t = lwi_traverse_progress(traverse);
  const lw_vec3 from = traverse->from, to = traverse->to.point;
  if (traverse->kind == LW_LINK_DROP) return lwi_drop_point(from, to, t);
  if (traverse->kind == LW_LINK_JUMP) return lwi_jump_point(from, to, lwi_jump_rise(from, to), t);
  return lwi_lerp(from, to, t);
}

bool lwi_traverse_go(lwi_traverse *traverse, float *budget, lw_location *at) {
  if (traverse->is_finished) traverse->done = traverse->straight;
  if (traverse->is_held && !traverse->is_finished) {
    *budget = 0;
    return false;
  }
  float left = traverse->kind == LW_LINK_TELEPORT ? 0 : traverse->straight - traverse->done;
  if (left > *budget) {
    traverse->done += *budget;
    *budget = 0;
    at->point = point_on(traverse);
    return false;
  }
  *budget -= left;
  *at = traverse->to;
  traverse->done = traverse->straight;
  traverse->active = false;
  return true;
}

/* --- following a path ------------------------------------------------------------------------------------- */

/* A point of the path counts as reached within this distance. [m] */
#define POINT_REACHED 1e-3f
/* Less progress than this within the time allowed counts as none. [m] */
#define PROGRESS 0.05f
/* Limit on the steepness of a piece of a path: a step is climbed, not walked. [metres per metre in xz] */
#define STEEPNESS_MAX 2.0f
/* The head of a convoy that may be no faster waits for others. [m/s] */
#define SLOW 0.1f
/* An agent with a body that walks for longer than its path takes by this factor, and these seconds, is stuck. */
#define SLACK_FACTOR 2
#define SLACK_SECONDS 5
/* Slack for rounding at a polygon's edge and on its surface. [m] */
#define ON_MESH_SLACK 0.01

/* What is left to go differs with the path: that is neither progress nor its loss. */
static void change_nearest(lwi_agent *agent, const lw_path *path) {
  agent->route.motion.gain.nearest =
      agent->route.path ? agent->route.motion.gain.nearest + path->length - agent->route.remaining : INFINITY;
}

void lwi_agent_follow(lwi_agent *agent, lw_path *path, double now) {
  change_nearest(agent, path);
  lw_path_destroy(agent->route.path);
  lwi_driving_begin(&agent->route.driving, NULL);
  agent->route.path = path;
  agent->route.version += 1;
  agent->route.polygon_count = 0;
  agent->route.next_point = 1;
  agent->route.staleness = LWI_FRESH;
  agent->route.ahead = LWI_AHEAD_NONE;
  agent->move = LW_MOVE_WALKING;
  agent->failure = LW_OK;
  agent->route.remaining = agent->route.best_remaining = path->length;
  agent->route.motion.probed = INFINITY;
  agent->route.motion.narrow = (lwi_narrow){.exit = path->length};
  agent->route.motion.is_resting = agent->route.motion.is_off_path = false;
  agent->route.motion.blocking.barred_by = lw_agent_id_none();
  agent->route.best_time = agent->route.searched = now;
  agent->route.reconsider = INFINITY;
  agent->route.excess = INFINITY;
}

void lwi_agent_halt(lwi_agent *agent, lw_move_state move, lw_status failure) {
  lw_path_destroy(agent->route.path);
  lwi_driving_begin(&agent->route.driving, NULL);
  agent->route.path = NULL;
  agent->route.version += 1;
  agent->route.staleness = LWI_FRESH;
  agent->route.ahead = LWI_AHEAD_NONE;
  agent->route.reconsider = INFINITY;
  agent->route.journey = (lwi_journey){
      .threats = {agent->route.journey.threats.threats, 0, agent->route.journey.threats.capacity}};
  agent->route.station.kind = LWI_STATION_NONE;
  agent->route.station.haste = 0;
  agent->move = move;
  agent->failure = failure;
  agent->route.remaining = 0;
  agent->route.motion.narrow = (lwi_narrow){0};
  agent->route.motion.turn = agent->route.motion.turn_goal = agent->route.motion.blocked = 0;
  agent->route.motion.right_of_way = LWI_NO_RIGHT_OF_WAY;
  agent->route.motion.is_resting = false;
  agent->route.remedy.is_searching = agent->route.remedy.retreat.is_on = false;
  agent->route.remedy.barred = 0;
  agent->route.driving.yielding.kind = LWI_YIELD_NONE;
  if (!agent->profile->has_body) agent->velocity = lwi_vec3(0, 0, 0); /* a body brakes */
}

/* Metres over the surface per metre in xz, on the piece of the path that ends at `next`. */
static float steepness(const lw_path *path, int next) {
  lw_vec3 from = path->points[next - 1], to = path->points[next];
  float flat = lwi_distance_xz(from, to);
  return flat > 0 ? fminf(STEEPNESS_MAX, lwi_distance(from, to) / flat) : 1;
}

/* Walk towards the path's next point. @param[in, out] budget  What is walked is taken from it. [metres over the
   surface]
   @return Whether the point is reached. Just short of it is not reached: just before a corner there is still
   wall. */
static bool advance(lwi_agent *agent, const lw_navmesh *mesh, float *budget) {
  lw_vec3 target = agent->route.path->points[agent->route.next_point];
  float flat = lwi_distance_xz(agent->at.point, target),
        whole = flat * steepness(agent->route.path, agent->route.next_point);
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

void lwi_agent_enter_link(lwi_agent *agent, const lwi_path_link *link) {
  agent->route.next_point += 1;
  agent->link = lwi_traverse_begin(agent->route.path, link);
  if (!agent->profile->has_body) return;
  agent->link.from = agent->at.point; /* others may keep it from where the link begins */
  agent->link.straight = lwi_distance(agent->at.point, agent->link.to.point);
}

/* A step of an agent. */
typedef struct agent_step {
  const lw_navmesh *const *meshes;
  const lwi_link_host *host;
  float budget;    /* what is walked is taken from it [m] */
  lw_vec3 skipped; /* the distance of teleports */
} agent_step;

/* Go on along the link. @return Whether the link ends. */
static bool traverse(lwi_agent *agent, agent_step *run) {
  const float before = run->budget;
  const bool skips = agent->link.kind == LW_LINK_TELEPORT || agent->link.is_finished;
  const lw_vec3 from = agent->at.point;
  const bool over = lwi_traverse_go(&agent->link, &run->budget, &agent->at);
  agent->stats.walked += (double)(before - run->budget);
  if (over && agent->link.navmesh >= 0) agent->navmesh = agent->link.navmesh;
  if (skips) run->skipped = lwi_add(run->skipped, lwi_sub(agent->at.point, from));
  if (over) run->host->leave(run->host->user, agent);
  return over;
}

/* Go to the path's next point, over the ground or over a link. @return Whether it is reached, on the same path. */
static bool step(lwi_agent *agent, agent_step *run) {
  const lwi_path_link *link = lwi_path_link_at(agent->route.path, agent->route.next_point - 1);
  const uint32_t version = agent->route.version;
  if (!link) {
    if (!advance(agent, run->meshes[agent->navmesh], &run->budget)) return false;
    agent->route.next_point += 1;
    return true;
  }
  return run->host->enter(run->host->user, agent, link) && agent->route.version == version &&
         traverse(agent, run) && agent->route.version == version;
}

static void walk_points(lwi_agent *agent, agent_step *run) {
  const uint32_t version = agent->route.version;
  if (agent->link.active && (!traverse(agent, run) || agent->route.version != version)) return;
  while (agent->route.next_point < agent->route.path->point_count && step(agent, run)) continue;
}

float lwi_agent_remaining(const lwi_agent *agent) {
  const lw_path *path = agent->route.path;
  int next = agent->route.next_point;
  if (agent->link.active)
    return agent->link.counted * (1 - lwi_traverse_progress(&agent->link)) + path->remaining[next - 1];
  if (agent->profile->has_body && lwi_path_link_at(path, next - 1))
    next -= 1; /* it waits where a link begins */
  return next < path->point_count ? lwi_distance(agent->at.point, path->points[next]) + path->remaining[next]
                                  : 0;
}

/* The remaining length may count a link as short, so that it says little while a link is still to be taken. */
static bool link_is_ahead(const lwi_agent *agent) {
  const lw_path *path = agent->route.path;
  return agent->link.active ||
         (path->link_count > 0 && path->links[path->link_count - 1].point >= agent->route.next_point - 1);
}

/* A vehicle drives to the end of its drive, and stands there. */
static lwi_progress drive_progress(lwi_agent *agent, double now, float stuck_seconds) {
  lwi_agent_route *route = &agent->route;
  if (!route->driving.drive) return LWI_WALKS;
  route->remaining = lwi_driving_remaining(agent);
  const bool is_over = lwi_driving_is_over(&route->driving);
  if (is_over && route->driving.yielding.kind == LWI_YIELD_MOVES)
    route->driving.yielding.kind = LWI_YIELD_WAITS;
  if (route->driving.yielding.kind == LWI_YIELD_WAITS) return LWI_WALKS;
  if (is_over && route->driving.yielding.kind == LWI_YIELD_JOINS) return LWI_WALKS;
  if (is_over && route->station.kind != LWI_STATION_TRAIL) return LWI_ARRIVED; /* else its group knows */
  const bool waits = route->station.kind == LWI_STATION_LEADS && route->station.speed < SLOW;
  if (is_over || waits) route->best_time = now;
  if (route->remaining < route->best_remaining - PROGRESS || route->remaining > route->best_remaining + 1) {
    route->best_remaining = route->remaining;
    route->best_time = now;
  }
  return now - route->best_time >= (double)stuck_seconds ? LWI_STUCK : LWI_WALKS;
}

lwi_progress lwi_agent_progress(lwi_agent *agent, double now, float stuck_seconds) {
  if (agent->move != LW_MOVE_WALKING) return LWI_WALKS; /* it was stopped where a link begins or ends */
  if (lwi_is_vehicle(agent->profile)) return drive_progress(agent, now, stuck_seconds);
  agent->route.remaining = lwi_agent_remaining(agent);
  if (agent->route.station.kind != LWI_STATION_NONE) { /* its group knows when it arrives */
    agent->route.best_remaining = fminf(agent->route.best_remaining, agent->route.remaining);
    agent->route.best_time = now;
    return LWI_WALKS;
  }
  if (!link_is_ahead(agent) &&
      (agent->route.remaining <= agent->route.within || agent->route.motion.is_crowded_out ||
       agent->route.next_point >= agent->route.path->point_count))
    return LWI_ARRIVED;
  if (agent->profile->has_body && agent->route.motion.blocking.is_late) return LWI_LATE;
  /* The length that a link counts for need not be that of the motion; and an agent that others block waits. */
  if (agent->link.active || !lw_link_id_is_none(agent->route.wait.link) ||
      (agent->route.motion.blocked > 0 && !agent->route.motion.blocking.is_barred))
    agent->route.best_time = now;
  /* So does one that comes on after it was pushed back, or evades something, as long as it can still be in time. */
  const double expected =
      (double)(agent->route.path->length / agent->profile->def.speed[lwi_agent_pace(agent)]);
  if ((agent->route.motion.is_advancing || agent->route.motion.whiskers.is_evading) &&
      now - agent->route.searched < SLACK_FACTOR * expected + SLACK_SECONDS)
    agent->route.best_time = now;
  if (agent->route.remaining < agent->route.best_remaining - PROGRESS) {
    agent->route.best_remaining = agent->route.remaining;
    agent->route.best_time = now;
  }
  return now - agent->route.best_time >= (double)stuck_seconds ? LWI_STUCK : LWI_WALKS;
}

static void set_velocity(lwi_agent *agent, lw_vec3 before, float dt) {
  agent->velocity = lwi_scale(lwi_sub(agent->at.point, before), 1 / dt);
  if (hypotf(agent->velocity.x, agent->velocity.z) > 1e-3f)
    agent->heading = atan2f(-agent->velocity.z, agent->velocity.x);
}

/* To its place in a formation. */
static void walk_to_place(lwi_agent *agent, const lw_navmesh *mesh, float dt) {
  lwi_agent_steer(agent, mesh, dt);
  lw_location end;
  const lw_vec3 to = lwi_add(agent->at.point, lwi_scale(agent->route.motion.desired, dt));
  if (lw_navmesh_move(mesh, agent->at, to, &agent->profile->prices.filter, &end) != LW_OK) return;
  agent->stats.walked += (double)lwi_distance(agent->at.point, end.point);
  agent->at = end;
}

lwi_progress lwi_agent_walk(lwi_agent *agent, const lw_navmesh *const *meshes, const lwi_link_host *host,
                            float dt, double now, float stuck_seconds) {
  const lw_vec3 before = agent->at.point;
  const lwi_station *station = &agent->route.station;
  float speed = lwi_agent_speed(agent, meshes[agent->navmesh]);
  if (station->kind == LWI_STATION_TRAIL) speed = fminf(speed, station->speed);
  agent_step run = {.meshes = meshes, .host = host, .budget = speed * dt};
  if (station->kind == LWI_STATION_PLACE)
    walk_to_place(agent, meshes[agent->navmesh], dt);
  else
    walk_points(agent, &run);
  set_velocity(agent, lwi_add(before, run.skipped), dt);
  return lwi_agent_progress(agent, now, stuck_seconds);
}

/* Headroom where it stands. Where its ground is cut out, as an obstacle that it carries does, that of the ground
   as it was baked. */
static uint8_t headroom_over(const lwi_agent *agent, const lw_navmesh *mesh) {
  uint32_t index = lwi_poly_index(mesh, agent->at.poly);
  if (index != LWI_NONE) return mesh->polygons.headrooms[index];
  const lw_navmesh *base = lwi_base_of(mesh);
  lw_location at;
  const bool found = lw_navmesh_nearest(base, agent->at.point, lwi_vec3(0.1f, 1, 0.1f), NULL, &at) == LW_OK;
  index = found ? lwi_poly_index(base, at.poly) : LWI_NONE;
  return index == LWI_NONE ? LWI_HEADROOM_OPEN : base->polygons.headrooms[index];
}

int lwi_agent_stance(const lwi_agent *agent, const lw_navmesh *mesh) {
  const lwi_prices *prices = &agent->profile->prices;
  if (prices->low_count == 0) return agent->stance;
  const uint8_t headroom = headroom_over(agent, mesh);
  const float height = lwi_stance_height(&agent->profile->def, agent->stance);
  if (headroom >= prices->headroom || lwi_has_headroom(headroom, height, mesh->agent.height))
    return agent->stance;
  const lwi_low_stance *low = lwi_prices_stance(prices, headroom, mesh->agent.height);
  return low ? low->stance : agent->stance;
}

lw_location lwi_agent_footing(const lwi_agent *agent) {
  return agent->link.active ? agent->link.to : agent->at;
}

int lwi_agent_footing_navmesh(const lwi_agent *agent) {
  return agent->link.active && agent->link.navmesh >= 0 ? agent->link.navmesh : agent->navmesh;
}

int lwi_agent_next_point(const lwi_agent *agent) {
  return agent->link.active ? agent->route.next_point - 1 : agent->route.next_point;
}

void lwi_agent_land(lwi_agent *agent, const lw_navmesh *const *meshes, const lwi_link_host *host, float dt) {
  if (!agent->link.active) return;
  const lw_vec3 before = agent->at.point;
  agent_step run = {
      .meshes = meshes, .host = host, .budget = lwi_agent_speed(agent, meshes[agent->navmesh]) * dt};
  traverse(agent, &run);
  set_velocity(agent, lwi_add(before, run.skipped), dt);
  if (!agent->link.active) agent->velocity = lwi_vec3(0, 0, 0);
}

bool lwi_agent_on_mesh(const lwi_agent *agent, const lw_navmesh *const *meshes) {
  if (agent->link.active) return true;
  const lw_navmesh *mesh = meshes[agent->navmesh];
  uint32_t index = lwi_poly_index(mesh, agent->at.poly);
  if (index == LWI_NONE || !lwi_passes(mesh, &agent->profile->prices.filter, index)) return false;
  lwi_polygon polygon = lwi_polygon_get(mesh, index);
  lw_vec3 point = agent->at.point;
  return lwi_polygon_holds(&polygon, point, ON_MESH_SLACK) &&
         fabs((double)lwi_polygon_height(mesh, index, point.x, point.z) - point.y) <= ON_MESH_SLACK;
}
