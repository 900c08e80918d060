/* Places behind cover that agents keep for themselves. */
#include "core/hash.h"
#include "core/status.h"
#include "core/vec3.h"
#include "query/cover_search.h"
#include "world/world.h"

#include <math.h>

/* An agent that comes so near to its place is there. [m] */
#define THERE 1.0f

/* --- by place ----------------------------------------------------------------------------------------------------- */

/* Places are found by square cells in xz of this size: an agent's width or two. [m] */
#define CELL 2.0f

typedef struct cell {
  int32_t x, z;
} cell;

static int32_t cell_along(float at) {
  return (int32_t)fmaxf(-1e9f, fminf(1e9f, floorf(at / CELL)));
}

static cell cell_of(lw_vec3 at) {
  return (cell){cell_along(at.x), cell_along(at.z)};
}

static uint64_t hash_of(cell at) {
  return lwi_hash(LWI_HASH_SEED, &at, sizeof at);
}

/* The places that may be within a distance of a point, in xz, one after the other. */
typedef struct nearby {
  const lw_world *world;
  cell low, high, at;
  uint32_t item;
  bool all; /* there are fewer places than cells: look at all agents */
} nearby;

static nearby nearby_of(const lw_world *world, lw_vec3 at, float distance) {
  const cell low = cell_of((lw_vec3){at.x - distance, 0, at.z - distance}),
             high = cell_of((lw_vec3){at.x + distance, 0, at.z + distance});
  const double cells = ((double)high.x - low.x + 1) * ((double)high.z - low.z + 1);
  return (nearby){.world = world,
                  .low = low,
                  .high = high,
                  .at = low,
                  .item = lwi_hash_index_first(&world->reserved.index, hash_of(low)),
                  .all = cells > world->agents.ids.count};
}

/* @return false: there are no more cells. */
static bool next_cell(nearby *near) {
  near->at.x += 1;
  if (near->at.x > near->high.x) near->at = (cell){near->low.x, near->at.z + 1};
  if (near->at.z > near->high.z) return false;
  near->item = lwi_hash_index_first(&near->world->reserved.index, hash_of(near->at));
  return true;
}

static const lwi_agent *next_in_cells(nearby *near) {
  for (;;) {
    while (near->item != LWI_NO_ITEM) {
      const lwi_agent *agent = near->world->agents.items[near->item];
      const cell at = cell_of(agent->cover.at);
      near->item = lwi_hash_index_next(&near->world->reserved.index, near->item);
      if (at.x == near->at.x && at.z == near->at.z) return agent;
    }
    if (!next_cell(near)) return NULL;
  }
}

/* The next agent that has such a place. @param before  The one before it, NULL to begin. */
static const lwi_agent *next_nearby(nearby *near, const lwi_agent *before) {
  if (near->world->reserved.index.count == 0) return NULL;
  const lwi_agent *agent = before;
  do agent = near->all ? lwi_next_agent(near->world, agent) : next_in_cells(near);
  while (agent && (!agent->cover.active || agent->removal.pending));
  return agent;
}

/* --- finding one -------------------------------------------------------------------------------------------------- */

static float radius_of(const lw_profile *profile) {
  return profile ? profile->def.radius : 0;
}

/* What other agents have reserved within the circle of the query. @return false: no memory. */
static bool find_taken(const lw_world *world, lw_workspace *workspace, const lw_cover_query *query,
                       const lwi_agent *asker, int *count) {
  lwi_cover_scratch *scratch = &workspace->cover;
  nearby near =
      nearby_of(world, query->around, query->radius + radius_of(query->profile) + world->reserved.widest);
  *count = 0;
  for (const lwi_agent *agent = NULL; (agent = next_nearby(&near, agent));) {
    if (agent == asker) continue;
    if (!lwi_reserve(&workspace->memory, &scratch->taken, &scratch->taken_capacity, *count + 1,
                     sizeof *scratch->taken))
      return false;
    scratch->taken[(*count)++] = (lwi_cover_taken){agent->cover.at, agent->profile->def.radius};
  }
  return true;
}

lw_status lw_cover_find(const lw_world *world, lw_workspace *workspace, const lw_cover_query *query,
                        lw_cover_point *points, int capacity, int *count) {
  if (count) *count = 0;
  if (!world || !query || !points || !count) return LW_INVALID;
  lw_workspace *own = lwi_workspace_of(&world->scene, workspace);
  if (!own || capacity < 1 || lwi_cover_search_check(&world->scene, query) != LW_OK) return LW_INVALID;
  const lwi_agent *agent = lwi_world_agent(world, query->agent);
  if (!lw_agent_id_is_none(query->agent) && !agent) return LW_STALE;
  lw_cover_query asked = *query;
  if (agent && !asked.team) asked.team = agent->team;
  const lwi_cover_results results = {points, capacity, count};
  int taken;
  if (!find_taken(world, own, &asked, agent, &taken)) return LW_OUT_OF_MEMORY;
  const lw_status status = lwi_cover_search(own, &asked, own->cover.taken, taken, &results);
  if (status != LW_OK) *count = 0;
  return status;
}

/* --- keeping one -------------------------------------------------------------------------------------------------- */

void lwi_agent_widen_cover(lw_world *world, const lwi_agent *agent) {
  if (agent->cover.active) world->reserved.widest = fmaxf(world->reserved.widest, agent->profile->def.radius);
}

/* The obstacle whose side is the nearest cover to the place. @return 1 + its number; 0: the level offers it. */
static uint32_t obstacle_at(const lw_world *world, const lwi_agent *agent, lw_vec3 at) {
  lw_cover_segment_query query = lw_cover_segment_query_default();
  lw_cover_segment nearest;
  int count = 0;
  if (world->scene.sight.screens.count == 0) return 0;
  query.around = at;
  query.radius = agent->profile->def.radius + LWI_COVER_BESIDE;
  query.profile = agent->profile;
  const lwi_segment_search search = {.query = &query, .spared = agent->id.slot + 1};
  if (lwi_cover_segment_find(&world->scene, &search, &nearest, 1, &count) != LW_OK || count == 0) return 0;
  return nearest.offered_by;
}

static void unlist(lw_world *world, lwi_agent *agent) {
  if (!agent->cover.active) return;
  lwi_hash_index_remove(&world->reserved.index, hash_of(cell_of(agent->cover.at)), agent->id.slot);
  agent->cover.active = false;
}

static void note_change(lw_world *world, const lwi_agent *agent, const lwi_reservation *before) {
  if (before->active && lwi_equal(before->at, agent->cover.at)) return;
  if (before->active) lwi_history_note_place(world, agent, LW_HISTORY_COVER_LEFT, before->at);
  lwi_history_note_place(world, agent, LW_HISTORY_COVER_TAKEN, agent->cover.at);
}

bool lwi_agent_hold_cover(lw_world *world, lwi_agent *agent, lw_vec3 at, float leash) {
  lwi_reserved *reserved = &world->reserved;
  const lwi_reservation before = agent->cover;
  unlist(world, agent);
  /* What was removed can be added again without memory. */
  const bool held = lwi_hash_index_add(&reserved->index, &world->memory, hash_of(cell_of(at)), agent->id.slot);
  if (held)
    agent->cover = (lwi_reservation){.active = true,
                                     .at = at,
                                     .leash = leash,
                                     .obstacle = obstacle_at(world, agent, at),
                                     .stance = before.stance,
                                     .stance_before = before.stance_before};
  else if (before.active)
    agent->cover.active =
        lwi_hash_index_add(&reserved->index, &world->memory, hash_of(cell_of(before.at)), agent->id.slot);
  agent->route.motion.is_resting = false;
  lwi_agent_widen_cover(world, agent);
  if (held) note_change(world, agent, &before);
  return held;
}

/* Take the stance again from before that of the cover, unless another was set meanwhile. */
static void leave_stance(lw_world *world, lwi_agent *agent) {
  const int before = agent->cover.stance_before - 1;
  const bool is_in_it = agent->cover.stance > 0 && agent->stance == agent->cover.stance - 1;
  agent->cover.stance = agent->cover.stance_before = 0;
  if (!is_in_it || before == agent->stance || agent->removal.pending) return;
  agent->stance = before;
  lwi_world_alarm(world, agent);
}

void lwi_agent_drop_cover(lw_world *world, lwi_agent *agent) {
  if (agent->cover.active) lwi_history_note_place(world, agent, LW_HISTORY_COVER_LEFT, agent->cover.at);
  unlist(world, agent);
  leave_stance(world, agent);
}

lw_status lw_agent_set_cover_stance(lw_world *world, lw_agent_id id, const char *name) {
  if (!world || !name) return LW_INVALID;
  lwi_agent *agent = lwi_world_agent(world, id);
  if (!agent) return LW_STALE;
  if (!agent->cover.active) return LW_EMPTY;
  const int before = agent->cover.stance > 0 ? agent->cover.stance_before : agent->stance + 1;
  const lw_status status = lw_agent_set_stance(world, id, name);
  if (status != LW_OK) return status;
  agent->cover.stance = agent->stance + 1;
  agent->cover.stance_before = before;
  return LW_OK;
}

/* The stance of the same name; LW_STAND: there is none. */
static int stance_of(const lw_profile *profile, const lw_profile *before, int stance) {
  const int same = lw_profile_find_stance(profile, lw_profile_get_stance(before, stance)->name);
  return same < 0 ? LW_STAND : same;
}

void lwi_agent_translate_stances(lwi_agent *agent, const lw_profile *before) {
  lwi_reservation *cover = &agent->cover;
  agent->stance = stance_of(agent->profile, before, agent->stance);
  if (cover->stance == 0) return;
  cover->stance = 1 + stance_of(agent->profile, before, cover->stance - 1);
  cover->stance_before = 1 + stance_of(agent->profile, before, cover->stance_before - 1);
}

void lwi_agent_lose_cover(lw_world *world, lwi_agent *agent) {
  lwi_agent_drop_cover(world, agent);
  agent->cover.lost = true;
  lwi_agent_wake(world, agent);
}

void lwi_world_drop_cover_at(lw_world *world, const lwi_obstacle *obstacle) {
  const float reach = lwi_obstacle_reach(&obstacle->def) + world->reserved.widest + LWI_COVER_BESIDE;
  nearby near = nearby_of(world, obstacle->shown.at, reach);
  for (const lwi_agent *agent = NULL; (agent = next_nearby(&near, agent));) {
    lwi_agent *holder = world->agents.items[agent->id.slot];
    if (holder->cover.obstacle == obstacle->number + 1) lwi_agent_lose_cover(world, holder);
  }
}

static bool is_on_navmesh(const lw_world *world, const lwi_agent *agent, lw_vec3 at, lw_vec3 snap) {
  const lwi_place_query query = {LW_NAVMESH_FITTING, at, snap, agent->profile};
  const lwi_nav *nav;
  lw_location place;
  return lwi_scene_place(&world->scene, &query, &nav, &place) == LW_OK;
}

/* A place that was found stays within reach of rounding and of how ground is cut. [m] */
#define NEAR_PLACE 0.25f

bool lwi_agent_cover_is_there(const lw_world *world, const lwi_agent *agent) {
  return is_on_navmesh(world, agent, agent->cover.at,
                       (lw_vec3){NEAR_PLACE, agent->profile->def.height, NEAR_PLACE});
}

lw_status lw_agent_reserve_cover(lw_world *world, lw_agent_id id, lw_vec3 at, float leash) {
  if (!world) return LW_INVALID;
  lwi_agent *agent = lwi_world_agent(world, id);
  if (!agent) return LW_STALE;
  if (!lwi_finite(at) || !(leash >= 0)) return LW_INVALID; /* infinity is one */
  if (!is_on_navmesh(world, agent, at, lw_cover_query_default().snap)) return LW_NO_POINT;
  const float radius = agent->profile->def.radius;
  nearby near = nearby_of(world, at, radius + world->reserved.widest);
  for (const lwi_agent *other = NULL; (other = next_nearby(&near, other));)
    if (other != agent && lwi_distance(other->cover.at, at) < other->profile->def.radius + radius)
      return LW_TAKEN;
  return lwi_agent_hold_cover(world, agent, at, leash) ? LW_OK : LW_OUT_OF_MEMORY;
}

lw_status lw_agent_release_cover(lw_world *world, lw_agent_id id) {
  if (!world) return LW_INVALID;
  lwi_agent *agent = lwi_world_agent(world, id);
  if (!agent) return LW_STALE;
  lwi_agent_drop_cover(world, agent);
  agent->cover.lost = false;
  return LW_OK;
}

bool lw_agent_lost_cover(const lw_world *world, lw_agent_id id) {
  const lwi_agent *agent = world ? lwi_world_agent(world, id) : NULL;
  return agent && agent->cover.lost;
}

lw_status lw_agent_get_cover(const lw_world *world, lw_agent_id id, lw_vec3 *at, float *leash) {
  if (at) *at = (lw_vec3){0};
  if (leash) *leash = 0;
  if (!world || !at) return LW_INVALID;
  const lwi_agent *agent = lwi_world_agent(world, id);
  if (!agent) return LW_STALE;
  if (!agent->cover.active) return LW_EMPTY;
  *at = agent->cover.at;
  if (leash) *leash = agent->cover.leash;
  return LW_OK;
}

void lwi_agent_keep_cover(lw_world *world, lwi_agent *agent) {
  if (!agent->cover.active) return;
  float away = lwi_distance(agent->at.point, agent->cover.at);
  if (away <= fminf(THERE, agent->cover.leash)) agent->cover.reached = true;
  if (agent->cover.reached && away > agent->cover.leash) lwi_agent_drop_cover(world, agent);
}

void lwi_agent_leave_cover(lw_world *world, lwi_agent *agent, lw_vec3 goal) {
  if (agent->cover.active && lwi_distance(goal, agent->cover.at) > agent->cover.leash)
    lwi_agent_drop_cover(world, agent);
}
