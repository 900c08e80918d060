/* What an agent with a body tries when others keep it from getting on, in this order: it passes them on a side
   (agent/sidestep.c), lets them push as it would (agent/blocker.c), has its path searched past them, backs off
   (agent/retreat.c), settles for a place near its goal (agent/crowd.c), and fails at last (world.c), where nothing helps after a
   while (agent/late.c). */
#include "agent/crowd.h"
#include "core/vec3.h"
#include "world/remedies.h"
#include "world/world.h"

#include <math.h>

/* Once an agent has been held for that time, its path is searched past the others; after twice that it backs off, and where it
   is wedged at once. [s] */
#define SEARCH_AFTER 2.0f
/* The same in a circle, which may dissolve. [s] */
#define SEARCH_IN_CIRCLE 5.0f
/* A search for a place that is nearer than that to one of an earlier search would find the same. [m] */
#define SAME_PLACE 1.0f
/* Agents that are nearer to such a place, and slower, stand in the way. [m, m/s] */
#define NEAR 6.0f
#define STILL 0.1f
/* A path pays as many metres as the agent walks in that time: past one that stays, and past one that waits itself. [s] */
#define PRICE_STAYS 60.0f
#define PRICE_WAITS 5.0f
/* One that fails names no agent that is further away than this, between their surfaces. [m] */
#define BARRING_REACH 3.0f
/* Less than the distance at which two would touch, so that a path may pass close by. [m] */
#define TOUCH 0.02f
/* Of what a path pays for. [m] */
#define RADIUS_MIN 0.05f

const char *lw_remedy_name(lw_remedy remedy) {
  static const char *const names[LW_REMEDY_COUNT] = {"sidesteps", "pushes", "detours", "back_offs", "settled"};
  return (unsigned)remedy < LW_REMEDY_COUNT ? names[remedy] : "";
}

/* --- searching past those that stand there ------------------------------------------------------------------------- */

typedef struct gathering {
  const lwi_agent *own;
  lw_vec3 at;
  lwi_blocker_list *list;
  float gaps[LWI_BLOCKERS_MAX]; /* from `at`, in order */
  uint64_t serials[LWI_BLOCKERS_MAX];
} gathering;

static bool is_listed(const gathering *to, uint64_t serial) {
  for (int i = 0; i < to->list->count; i++)
    if (to->serials[i] == serial) return true;
  return false;
}

static bool may_bar(const lwi_agent *own, const lwi_agent *other, lw_vec3 at) {
  const lw_vec3 v = other->velocity;
  return other != own && other->navmesh == own->navmesh && other->profile->has_body &&
         !other->removal.pending && !other->link.active && !other->ground.is_parked &&
         other->profile->def.body.avoidance == LW_AVOID_FULL && v.x * v.x + v.z * v.z < STILL * STILL &&
         lwi_distance(other->at.point, at) < NEAR;
}

static lwi_blocker blocker_for(const lwi_agent *own, const lwi_agent *other) {
  const float apart = lwi_distance_xz(own->at.point, other->at.point),
              touch = own->profile->def.radius + other->profile->def.radius;
  const bool waits = other->move == LW_MOVE_WALKING;
  const float speed = own->profile->def.speed[lwi_agent_pace(own)];
  return (lwi_blocker){.at = other->at.point,
                       .radius = fmaxf(RADIUS_MIN, fminf(touch, apart) - TOUCH),
                       .price = speed * (waits ? PRICE_WAITS : PRICE_STAYS)};
}

/* The nearest count; of two that are equally near the older one. */
static void add_blockers(void *user, lwi_agent *other) {
  gathering *to = user;
  if (!may_bar(to->own, other, to->at) || is_listed(to, other->serial)) return;
  lwi_blocker_list *list = to->list;
  const float gap = lwi_distance(other->at.point, to->at);
  int at = list->count < LWI_BLOCKERS_MAX ? list->count++ : LWI_BLOCKERS_MAX;
  for (; at > 0 && (to->gaps[at - 1] > gap || (to->gaps[at - 1] == gap && to->serials[at - 1] > other->serial));
       at--) {
    if (at == LWI_BLOCKERS_MAX) continue;
    to->gaps[at] = to->gaps[at - 1];
    to->serials[at] = to->serials[at - 1];
    list->items[at] = list->items[at - 1];
  }
  if (at == LWI_BLOCKERS_MAX) return;
  to->gaps[at] = gap;
  to->serials[at] = other->serial;
  list->items[at] = blocker_for(to->own, other);
}

void lwi_agent_list_blockers(const lw_world *world, const lwi_agent *agent, lwi_blocker_list *list) {
  const lwi_remedy *remedy = &agent->route.remedy;
  gathering to = {.own = agent, .list = list};
  list->count = 0;
  for (int i = remedy->place_count - 1; i >= 0; i--) { /* where it is blocked now comes first */
    to.at = remedy->places[i];
    lwi_world_visit_near(world, to.at, NEAR, add_blockers, &to);
    for (int k = 0; k < list->count; k++)
      to.gaps[k] = 0; /* those stay, and only those of the rest may be left out */
  }
}

static bool is_known(const lwi_remedy *remedy, lw_vec3 at) {
  for (int i = 0; i < remedy->place_count; i++)
    if (lwi_distance(remedy->places[i], at) < SAME_PLACE) return true;
  return false;
}

/* The agent goes on along its path meanwhile. */
static void search_past(lw_world *world, lwi_agent *agent, lw_vec3 at) {
  lwi_remedy *remedy = &agent->route.remedy;
  if (!lwi_planner_let_wait(world, agent, false)) return;
  remedy->places[remedy->place_count++] = at;
  remedy->is_searching = true;
  lwi_agent_count_remedy(agent, LW_REMEDY_DETOUR);
}

/* --- in a step ----------------------------------------------------------------------------------------------------- */

static void end_retreat(lwi_agent *agent) {
  agent->route.remedy.retreat.is_on = false;
  agent->route.motion.held = agent->route.motion.blocked = 0;
  agent->route.best_remaining = agent->route.remaining;
}

static void back_off(lw_world *world, lwi_agent *agent, lw_vec3 from) {
  if (!lwi_agent_back_off(agent, world->scene.meshes[agent->navmesh], from, world->time)) return;
  lwi_agent_count_remedy(agent, LW_REMEDY_BACK_OFF);
}

void lwi_agent_seek_remedy(lw_world *world, lwi_agent *agent) {
  lwi_remedy *remedy = &agent->route.remedy;
  const lwi_blocking *blocking = &agent->route.motion.blocking;
  if (agent->move != LW_MOVE_WALKING || lwi_is_vehicle(agent->profile)) return;
  if (remedy->retreat.is_on) {
    agent->route.best_time = world->time;
    if (world->time >= remedy->retreat.until) end_retreat(agent);
    return;
  }
  const lwi_agent *other = lwi_world_agent(world, blocking->by);
  const float after = blocking->is_circle ? SEARCH_IN_CIRCLE : SEARCH_AFTER;
  if (!other || blocking->held < after || agent->route.staleness == LWI_WAITING || agent->link.active ||
      agent->route.station.kind != LWI_STATION_NONE)
    return;
  if (!blocking->is_wedged && remedy->place_count < LWI_DETOURS_MAX && !is_known(remedy, other->at.point)) {
    search_past(world, agent, other->at.point);
    return;
  }
  if ((!blocking->is_wedged && blocking->held < 2 * after) || agent->route.motion.is_external ||
      remedy->tried[LW_REMEDY_BACK_OFF] > 0)
    return;
  if (!blocking->is_circle || blocking->is_lightest) back_off(world, agent, other->at.point);
}

/* --- failing ------------------------------------------------------------------------------------------------------- */

typedef struct barring {
  const lwi_agent *own, *nearest;
  float gap; /* [m] */
} barring;

/* One that stands behind it counts as further away. */
static void look_at(void *user, lwi_agent *other) {
  barring *of = user;
  const lwi_agent *own = of->own;
  if (other == own || other->navmesh != own->navmesh || !other->profile->has_body || other->removal.pending ||
      other->link.active || other->profile->def.body.avoidance == LW_AVOID_NONE)
    return;
  const lw_vec3 off = lwi_sub(other->at.point, own->at.point), desired = own->route.motion.desired;
  const float away = lwi_length(off) - own->profile->def.radius - other->profile->def.radius;
  const float gap = off.x * desired.x + off.z * desired.z > 0 ? away : away + BARRING_REACH / 2;
  if (gap > of->gap || (gap == of->gap && of->nearest && of->nearest->serial < other->serial)) return;
  of->nearest = other;
  of->gap = gap;
}

lw_agent_id lwi_agent_barred_by(const lw_world *world, const lwi_agent *agent) {
  barring of = {.own = agent, .gap = BARRING_REACH};
  if (lwi_world_agent(world, agent->route.motion.blocking.by)) return agent->route.motion.blocking.by;
  const float reach = agent->profile->def.radius + world->agents.crowd.widest + BARRING_REACH;
  lwi_world_visit_near(world, agent->at.point, reach, look_at, &of);
  return of.nearest ? of.nearest->id : lw_agent_id_none();
}

/* --- statistics ---------------------------------------------------------------------------------------------------- */

/* Others count as waited for from then on. [s] */
#define WAITS_AFTER 1.0f

lw_status lw_world_get_crowd_stats(const lw_world *world, lw_crowd_stats *stats) {
  if (stats) *stats = (lw_crowd_stats){.waiting = 0};
  if (!world || !stats) return LW_INVALID;
  for (const lwi_agent *agent = NULL; (agent = lwi_next_agent(world, agent));) {
    float seconds;
    if (agent->removal.pending) continue;
    const bool is_blocked = !lw_agent_id_is_none(lwi_agent_blocker(agent, &seconds));
    stats->waiting += is_blocked && seconds >= WAITS_AFTER;
    stats->backing_off += agent->route.remedy.retreat.is_on;
    stats->stuck += agent->stats.stuck;
    for (int i = 0; i < LW_REMEDY_COUNT; i++) stats->remedies[i] += agent->stats.remedies[i];
  }
  return LW_OK;
}
