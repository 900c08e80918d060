/* What the agents in a world's file are about: where they are on their paths, what they know, what they keep. */
#include "core/hash.h"
#include "world/saved.h"

#include <math.h>

/* An agent that was spawned so near to where it was is where it was. [m] */
#define SAME_PLACE 0.05f

/* All that decides which path is the best for it, whatever the areas' ids are. */
static uint64_t number_of(const lw_profile *profile, const lw_area_id *areas, int count) {
  const lwi_prices *prices = &profile->prices;
  const float numbers[] = {profile->def.radius, profile->def.danger_cost, profile->def.cover_bias, prices->swim,
                           (float)prices->filter.links};
  uint64_t hash = lwi_hash(LWI_HASH_SEED, numbers, sizeof numbers);
  for (int i = 0; i < count; i++) {
    const lw_area_id id = areas[i];
    const float of_area[] = {prices->per_metre[id], prices->exposure[id], prices->deep_water[id],
                             prices->waypoint[id], prices->between[id]};
    hash = lwi_hash(hash, of_area, sizeof of_area);
  }
  return hash;
}

/* --- writing ------------------------------------------------------------------------------------------------------ */

static void put_poly(lwi_bytes *to, const lw_world *world, int navmesh, lw_poly_id poly) {
  lwi_put_u32(to, lwi_poly_index(world->meshes[navmesh], poly));
}

static void put_link(lwi_bytes *to, const lw_world *world, const lwi_agent *agent) {
  const lwi_traverse *link = &agent->link;
  lwi_put_u32(to, link->active);
  if (!link->active) return;
  lwi_put_u32(to, (uint32_t)link->kind);
  lwi_put_vec3(to, link->from);
  lwi_put_vec3(to, link->to.point);
  put_poly(to, world, lwi_agent_footing_navmesh(agent), link->to.poly);
  lwi_put_u32(to, (uint32_t)(link->navmesh + 1));
  lwi_put_float(to, link->straight);
  lwi_put_float(to, link->done);
  lwi_put_float(to, link->counted);
}

static void put_move(lwi_bytes *to, const lw_world *world, const lwi_agent *agent) {
  lwi_put_u32(to, (uint32_t)agent->navmesh);
  lwi_put_vec3(to, agent->at.point);
  put_poly(to, world, agent->navmesh, agent->at.poly);
  lwi_put_vec3(to, agent->velocity);
  lwi_put_u32(to, (uint32_t)agent->move);
  lwi_put_u32(to, (uint32_t)agent->failure);
  lwi_put_u32(to, (uint32_t)agent->next_point);
  lwi_put_float(to, agent->remaining);
  lwi_put_float(to, agent->best_remaining);
  lwi_put_double(to, agent->best_time);
  lwi_put_u32(to, (uint32_t)agent->replans_left);
  lwi_put_u32(to, (uint32_t)agent->stale);
  lwi_put_float(to, agent->visibility);
  put_link(to, world, agent);
  if (agent->move == LW_MOVE_WALKING) lwi_saved_put_path(to, world, agent->path);
}

static void put_beliefs(lwi_bytes *to, const lwi_beliefs *beliefs) {
  lwi_put_u32(to, (uint32_t)beliefs->count);
  for (int i = 0; i < beliefs->count; i++) lwi_saved_put_threat(to, &beliefs->threats[i]);
}

static void put_mind(lwi_bytes *to, const lwi_agent *agent) {
  lwi_put_u32(to, (uint32_t)agent->learnt_count);
  for (int i = 0; i < agent->learnt_count; i++) lwi_put_u64(to, agent->learnt[i]);
  put_beliefs(to, &agent->own);
  put_beliefs(to, &agent->told);
  lwi_put_u32(to, agent->has_cover);
  lwi_put_vec3(to, agent->cover);
  lwi_put_float(to, agent->leash);
  lwi_put_u32(to, agent->was_there);
  lwi_put_text(to, agent->reason);
  lwi_put_double(to, agent->stats.walked);
  const int counts[] = {agent->stats.goals_reached, agent->stats.replans, agent->stats.searches,
                        agent->stats.stuck, agent->stats.off_mesh};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) lwi_put_u32(to, (uint32_t)counts[i]);
}

void lwi_saved_put_walks(lwi_bytes *to, const lw_world *world) {
  lw_area_id areas[LW_AREA_MAX];
  const int count = lw_area_table_count(world->meshes[0]->areas);
  for (int i = 0; i < count; i++) areas[i] = (lw_area_id)(i + 1);
  for (int i = 0; i < world->agent_count; i++) {
    const lwi_agent *agent = world->agents[i];
    lwi_put_u64(to, number_of(agent->profile, areas, count));
    put_move(to, world, agent);
    put_mind(to, agent);
  }
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

static bool is_length(float length) {
  return length >= 0 && isfinite(length);
}

static bool read_link(lwi_reader *from, lwi_agent *as) {
  lwi_traverse *link = &as->link;
  uint32_t active = lwi_get_u32(from);
  if (active == 0) return true;
  uint32_t kind = lwi_get_u32(from);
  link->from = lwi_get_vec3(from);
  link->to.point = lwi_get_vec3(from);
  link->to.poly = lwi_get_u32(from);
  uint32_t navmesh = lwi_get_u32(from);
  link->straight = lwi_get_float(from);
  link->done = lwi_get_float(from);
  link->counted = lwi_get_float(from);
  if (active > 1 || kind >= LW_LINK_NONE || !lwi_finite(link->from) || !lwi_finite(link->to.point) ||
      navmesh > LW_NAVMESHES_MAX || !is_length(link->straight) || !is_length(link->done) ||
      !(link->done <= link->straight) || !is_length(link->counted))
    return false;
  link->active = true;
  link->kind = (lw_link_kind)kind;
  link->navmesh = (int)navmesh - 1;
  return true;
}

/* @return false: what it says makes no sense. */
static bool read_numbers(lwi_reader *from, lwi_agent *as) {
  uint32_t navmesh = lwi_get_u32(from);
  as->at.point = lwi_get_vec3(from);
  as->at.poly = lwi_get_u32(from);
  as->velocity = lwi_get_vec3(from);
  uint32_t move = lwi_get_u32(from), failure = lwi_get_u32(from), next = lwi_get_u32(from);
  as->remaining = lwi_get_float(from);
  as->best_remaining = lwi_get_float(from);
  as->best_time = lwi_get_double(from);
  uint32_t replans = lwi_get_u32(from), stale = lwi_get_u32(from);
  as->visibility = lwi_get_float(from);
  if (navmesh >= LW_NAVMESHES_MAX || !lwi_finite(as->at.point) || !lwi_finite(as->velocity) ||
      move > LW_MOVE_FAILED || failure >= LW_STATUS_COUNT || next > INT32_MAX || !is_length(as->remaining) ||
      !is_length(as->best_remaining) || !isfinite(as->best_time) || replans > LWI_MAX_REPLANS ||
      stale > LWI_STALE || !(as->visibility >= 0 && as->visibility <= 1))
    return false;
  as->navmesh = (int)navmesh;
  as->move = (lw_move_state)move;
  as->failure = (lw_status)failure;
  as->next_point = (int)next;
  as->replans_left = (int)replans;
  as->stale = (lwi_staleness)stale;
  return read_link(from, as);
}

static const char *read_move(lw_saved *saved, lwi_reader *from, lwi_agent *as) {
  const char *wrong = read_numbers(from, as) ? NULL : "one is none";
  if (wrong || from->failed || as->move != LW_MOVE_WALKING) return wrong;
  wrong = lwi_saved_read_path(saved, from, &as->path);
  if (wrong || from->failed) return wrong;
  return as->next_point >= 1 && as->next_point <= as->path->point_count ? NULL : "one is none";
}

static bool is_known(const lw_saved *saved, lw_threat_id id) {
  uint32_t slot = (uint32_t)id - 1; /* 0 wraps and is out of range */
  return slot < (uint32_t)saved->threat_count && saved->threats[slot].used &&
         saved->threats[slot].generation == id >> 32;
}

static const char *read_learnt(lw_saved *saved, lwi_reader *from, lwi_agent *as) {
  uint32_t count = lwi_get_u32(from);
  for (uint32_t i = 0; i < count && !from->failed; i++) {
    lw_threat_id id = lwi_get_u64(from);
    if (from->failed || !is_known(saved, id)) return "one knows of a threat that is none";
    if (!lwi_reserve(&saved->memory, &as->learnt, &as->learnt_capacity, as->learnt_count + 1, sizeof id))
      return "";
    as->learnt[as->learnt_count++] = id;
  }
  return NULL;
}

static const char *read_beliefs(lw_saved *saved, lwi_reader *from, lwi_beliefs *beliefs) {
  uint32_t count = lwi_get_u32(from);
  for (uint32_t i = 0; i < count && !from->failed; i++) {
    lw_threat threat = lwi_saved_get_threat(from);
    if (from->failed || !lwi_threat_check(&threat, false)) return "one believes in a threat that is none";
    if (!lwi_reserve(&saved->memory, &beliefs->threats, &beliefs->capacity, beliefs->count + 1, sizeof threat))
      return "";
    beliefs->threats[beliefs->count++] = threat;
  }
  return NULL;
}

static const char *read_rest(lwi_reader *from, lwi_agent *as) {
  char reason[256];
  uint32_t has_cover = lwi_get_u32(from);
  as->cover = lwi_get_vec3(from);
  as->leash = lwi_get_float(from);
  uint32_t was_there = lwi_get_u32(from), counts[5];
  lwi_get_text(from, reason);
  as->stats.walked = lwi_get_double(from);
  for (int i = 0; i < 5; i++) counts[i] = lwi_get_u32(from) & INT32_MAX;
  if (has_cover > 1 || was_there > 1 || !lwi_finite(as->cover) || !(as->leash >= 0) ||
      strlen(reason) >= sizeof as->reason || !isfinite(as->stats.walked))
    return "one is none";
  as->has_cover = has_cover == 1;
  as->was_there = was_there == 1;
  memcpy(as->reason, reason, strlen(reason) + 1);
  as->stats.goals_reached = (int)counts[0];
  as->stats.replans = (int)counts[1];
  as->stats.searches = (int)counts[2];
  as->stats.stuck = (int)counts[3];
  as->stats.off_mesh = (int)counts[4];
  return NULL;
}

const char *lwi_saved_read_walks(lw_saved *saved, lwi_reader *from) {
  const char *wrong = NULL;
  if (saved->agent_count > 0 && !lwi_reserve(&saved->memory, &saved->walks, &saved->walk_capacity,
                                             saved->agent_count, sizeof *saved->walks))
    return "";
  while (saved->walk_count < saved->agent_count && !from->failed && !wrong) {
    lwi_saved_walk *walk = &saved->walks[saved->walk_count++];
    *walk = (lwi_saved_walk){.profile = lwi_get_u64(from)};
    wrong = read_move(saved, from, &walk->as);
    if (!wrong) wrong = read_learnt(saved, from, &walk->as);
    if (!wrong) wrong = read_beliefs(saved, from, &walk->as.own);
    if (!wrong) wrong = read_beliefs(saved, from, &walk->as.told);
    if (!wrong) wrong = read_rest(from, &walk->as);
  }
  return from->failed && (!wrong || *wrong) ? NULL : wrong; /* the caller says that they are cut short */
}

void lwi_saved_walks_free(lw_saved *saved) {
  for (int i = 0; i < saved->walk_count; i++) {
    lwi_agent *as = &saved->walks[i].as;
    lw_path_destroy(as->path);
    lwi_free(&saved->memory, as->learnt, (size_t)as->learnt_capacity * sizeof *as->learnt);
    lwi_free(&saved->memory, as->own.threats, (size_t)as->own.capacity * sizeof(lw_threat));
    lwi_free(&saved->memory, as->told.threats, (size_t)as->told.capacity * sizeof(lw_threat));
  }
  lwi_free(&saved->memory, saved->walks, (size_t)saved->walk_capacity * sizeof *saved->walks);
}

/* --- giving it to an agent ---------------------------------------------------------------------------------------- */

/* @return false: no memory. */
static bool restore_mind(lw_world *world, lwi_agent *agent, const lwi_agent *as) {
  if (!lwi_reserve(&world->memory, &agent->learnt, &agent->learnt_capacity, as->learnt_count,
                   sizeof *as->learnt) ||
      !lwi_beliefs_set(&world->memory, &agent->own, as->own.threats, as->own.count) ||
      !lwi_reserve(&world->memory, &agent->told.threats, &agent->told.capacity, as->own.count,
                   sizeof *as->told.threats) ||
      !lwi_beliefs_set(&world->memory, &agent->told, as->told.threats, as->told.count))
    return false;
  if (as->learnt_count > 0) memcpy(agent->learnt, as->learnt, (size_t)as->learnt_count * sizeof *as->learnt);
  agent->learnt_count = as->learnt_count;
  memcpy(agent->reason, as->reason, sizeof as->reason);
  agent->stats = as->stats;
  return true;
}

/* A place of the file on the navmesh that it says. @return false: it is not there. */
static bool find_place(const lw_world *world, int navmesh, lw_location *at) {
  if (navmesh >= world->ground_count || at->poly >= world->meshes[navmesh]->polygon_count) return false;
  at->poly = lwi_poly_id(world->meshes[navmesh], (uint32_t)at->poly);
  return true;
}

/* The same as it was, with all that is borrowed from this world. @return false: it would not stand on navmesh. */
static bool find_state(const lw_world *world, const lwi_agent *agent, const lwi_agent *as, lwi_agent *now) {
  *now = *agent;
  now->navmesh = as->navmesh;
  now->at = as->at;
  now->link = as->link;
  if (!find_place(world, now->navmesh, &now->at)) return false;
  if (!now->link.active) return lwi_agent_on_mesh(now, world->meshes);
  lwi_agent landed = *agent;
  if (!find_place(world, lwi_agent_footing_navmesh(now), &now->link.to)) return false;
  landed.at = now->link.to;
  landed.navmesh = lwi_agent_footing_navmesh(now);
  landed.link.active = false;
  return lwi_agent_on_mesh(&landed, world->meshes);
}

static bool is_where_it_was(const lwi_agent *agent, const lwi_saved_agent *from) {
  return agent->navmesh == from->navmesh && lwi_distance(agent->at.point, from->at) <= SAME_PLACE;
}

static bool is_who_it_was(const lw_world *world, const lwi_agent *agent, const lw_saved *saved,
                          uint64_t profile) {
  lw_area_id areas[LW_AREA_MAX];
  for (int i = 0; i < saved->area_count; i++)
    areas[i] = lwi_saved_area(saved, world->meshes[0]->areas, (lw_area_id)(i + 1));
  return number_of(agent->profile, areas, saved->area_count) == profile;
}

static void restore_move(lwi_agent *agent, const lwi_agent *as, const lwi_agent *now) {
  agent->navmesh = now->navmesh;
  agent->at = now->at;
  agent->link = now->link;
  agent->velocity = as->velocity;
  agent->move = as->move;
  agent->failure = as->failure;
  agent->next_point = as->next_point;
  agent->remaining = as->remaining;
  agent->best_remaining = as->best_remaining;
  agent->best_time = as->best_time;
  agent->replans_left = as->replans_left;
  agent->stale = as->stale;
  agent->visibility = as->visibility;
}

static void restore_cover(lwi_agent *agent, const lwi_agent *as) {
  agent->has_cover = as->has_cover;
  agent->cover = as->cover;
  agent->leash = as->leash;
  agent->was_there = as->was_there;
}

lw_status lwi_saved_walk_on(lw_world *world, lwi_agent *agent, const lw_saved *saved, int index) {
  const lwi_saved_agent *from = &saved->agents[index];
  const lwi_saved_walk *walk = index < saved->walk_count ? &saved->walks[index] : NULL;
  lwi_agent now;
  lw_status status = LW_OK;
  if (walk && !restore_mind(world, agent, &walk->as)) return LW_OUT_OF_MEMORY;
  bool is_same = walk && is_where_it_was(agent, from) && find_state(world, agent, &walk->as, &now);
  agent->goal = from->goal;
  agent->within = from->within;
  if (is_same) restore_move(agent, &walk->as, &now);
  if (is_same && walk->as.path && is_who_it_was(world, agent, saved, walk->profile))
    agent->path = lwi_saved_open_path(world, saved, walk->as.path);
  if (agent->path) {
    world->any_stale |= agent->stale != LWI_FRESH;
  } else if (from->walking || agent->move == LW_MOVE_WALKING) {
    lwi_agent_halt(agent, LW_MOVE_IDLE, LW_OK);
    status = lw_agent_move_to(world, agent->id, from->goal, from->within);
  }
  if (walk) restore_cover(agent, &walk->as);
  return status;
}
