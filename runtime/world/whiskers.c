/* What agents see on their whiskers of the obstacles of a world, and what the whiskers of an agent saw. */
#include "agent/steering.h"
#include "agent/whiskers.h"
#include "core/vec3.h"
#include "world/world.h"

#include <math.h>

/* An obstacle that is cut out within this of where it is does not count, unless it moves. [m, and rad] */
#define SAME_POSE 1e-3f
/* [m/s] */
#define MOVES 1e-3f

/* --- obstacles -------------------------------------------------------------------------------------------- */

static bool is_hazard(const lwi_obstacle *obstacle, lwi_pose now, lw_vec3 velocity) {
  if (obstacle->is_removed || !obstacle->def.blocks) return false;
  return !obstacle->is_cut || lwi_length(velocity) > MOVES ||
         lwi_distance(now.at, obstacle->cut.at) > SAME_POSE || fabsf(now.yaw - obstacle->cut.yaw) > SAME_POSE;
}

/* @return false: no memory. */
static bool list(lw_world *world, const lwi_obstacle *obstacle, lw_agent_id carrier) {
  const lwi_pose now = lwi_obstacle_pose(world, obstacle);
  const lw_vec3 velocity = lwi_obstacle_velocity(world, obstacle);
  if (!is_hazard(obstacle, now, velocity)) return true;
  const lwi_footprint footprint = lwi_obstacle_footprint(&obstacle->def, now, 0);
  lwi_vec2 corners[LWI_HAZARD_SIDES];
  if (footprint.count < 3 || footprint.count > LWI_HAZARD_SIDES) return true; /* too narrow for floats */
  for (int i = 0; i < footprint.count; i++)
    corners[i] = lwi_vec2_of((float)footprint.sides[i].corner.x, (float)footprint.sides[i].corner.z);
  lwi_hazard hazard = {.kind = LW_WHISKER_OBSTACLE,
                       .agent = carrier,
                       .navmesh = -1,
                       .low = footprint.low,
                       .high = footprint.high,
                       .velocity = {velocity.x, velocity.z}};
  lwi_hazard_set_outline(&hazard, corners, footprint.count);
  return lwi_hazards_add(&world->agents.crowd.hazards, &world->memory, &hazard);
}

bool lwi_world_list_hazards(lw_world *world) {
  const lwi_obstacles *obstacles = &world->obstacles;
  lwi_crowd *crowd = &world->agents.crowd;
  bool good = true;
  lwi_hazards_clear(&crowd->hazards);
  if (crowd->count == 0) return true;
  for (int i = 0; i < obstacles->active_count && good; i++) {
    const lwi_obstacle *head = lwi_obstacle_at(world, obstacles->active[i]);
    good = list(world, head, head->agent);
    for (uint32_t k = head->first_attached; k != LWI_NO_SLOT && good;
         k = lwi_obstacle_at(world, k)->next_attached)
      good = list(world, lwi_obstacle_at(world, k), head->agent);
  }
  /* Vehicles move before the others, and look at where obstacles are now. */
  if (good && crowd->vehicle_count > 0) good = lwi_hazards_index(&crowd->hazards, &world->memory, 0);
  return good;
}

/* --- what was seen ---------------------------------------------------------------------------------------- */

const char *lw_whisker_hit_name(lw_whisker_hit hit) {
  static const char *const names[LW_WHISKER_HIT_COUNT] = {"free", "wall", "obstacle", "agent", "link"};
  return (unsigned)hit < LW_WHISKER_HIT_COUNT ? names[hit] : "unknown";
}

/* It meets nothing but walls. @return false: it does not want to go anywhere. */
static bool look_at_nothing(const lwi_agent *agent, lwi_whisker_view *view) {
  const lw_whiskers *whiskers = &agent->profile->def.body.whiskers;
  const lw_vec3 desired = agent->route.motion.desired;
  const float speed = hypotf(desired.x, desired.z);
  if (!(speed > 0)) return false;
  *view = (lwi_whisker_view){
      .direction = {desired.x / speed, desired.z / speed}, .speed = speed, .count = (uint8_t)whiskers->rays};
  for (int i = 0; i < whiskers->rays; i++) view->free[i] = whiskers->seconds;
  return true;
}

static lw_whisker whisker_of(const lw_world *world, const lwi_agent *agent, const lwi_whisker_view *view,
                             int number) {
  const float turn = lwi_whisker_turn(&agent->profile->def.body.whiskers, number), c = cosf(turn),
              s = sinf(turn);
  const float x = view->direction.x * c + view->direction.z * s,
              z = view->direction.z * c - view->direction.x * s;
  const lw_vec3 at = agent->at.point;
  const float far = view->speed * view->free[number];
  lw_whisker whisker = {.from = at,
                        .to = lwi_add(at, lwi_vec3(x * far, 0, z * far)),
                        .seconds = view->free[number],
                        .hit = (lw_whisker_hit)view->hits[number]};
  lw_raycast wall;
  if (lw_navmesh_raycast(world->scene.meshes[agent->navmesh], agent->at, whisker.to,
                         &agent->profile->prices.filter, &wall) != LW_OK)
    return whisker;
  whisker.to = wall.at.point;
  whisker.seconds *= wall.t;
  if (wall.hit) whisker.hit = LW_WHISKER_WALL;
  return whisker;
}

int lw_agent_whiskers(const lw_world *world, lw_agent_id id, lw_whisker *whiskers) {
  if (!world || !whiskers) return 0;
  const lwi_agent *agent = lwi_world_agent(world, id);
  if (!agent || agent->move != LW_MOVE_WALKING || agent->link.active) return 0;
  if (agent->profile->def.body.avoidance == LW_AVOID_NONE || lwi_is_vehicle(agent->profile)) return 0;
  lwi_whisker_view view = agent->route.motion.whiskers;
  if (!agent->route.motion.whiskers.is_evading && !look_at_nothing(agent, &view)) return 0;
  for (int i = 0; i < view.count; i++) whiskers[i] = whisker_of(world, agent, &view, i);
  return view.count;
}
