#include "world/world.h"

#include "core/hash.h"
#include "core/log.h"
#include "core/status.h"
#include "geometry/geometry.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

lw_world_def lw_world_def_default(void) {
  lw_world_def def = {.seed = 1, .depth_maps = 16, .stuck_seconds = 2, .cookie = LWI_COOKIE};
  def.death_danger = lw_danger_def_default();
  def.death_danger.value = 0;
  return def;
}

static lw_status check_navmeshes(const lw_world_def *def, lw_error *error) {
  if (def->navmesh && def->navmeshes)
    return lwi_fail(error, LW_INVALID, "navmesh and navmeshes: expected one of them");
  if (!def->navmeshes) return def->navmesh ? LW_OK : lwi_fail(error, LW_INVALID, "navmesh is missing");
  if (def->navmesh_count < 1 || def->navmesh_count > LW_NAVMESHES_MAX)
    return lwi_fail(error, LW_INVALID, "navmesh_count is %d: expected 1 to %d", def->navmesh_count,
                    LW_NAVMESHES_MAX);
  for (int i = 0; i < def->navmesh_count; i++) {
    const lw_navmesh *navmesh = def->navmeshes[i];
    if (!navmesh) return lwi_fail(error, LW_INVALID, "navmeshes: number %d is NULL", i + 1);
    if (navmesh->areas != def->navmeshes[0]->areas)
      return lwi_fail(error, LW_INVALID, "navmeshes: number %d has another area table than the first", i + 1);
    for (int k = 0; k < i; k++)
      if (def->navmeshes[k] == navmesh)
        return lwi_fail(error, LW_INVALID, "navmeshes: number %d is number %d again", i + 1, k + 1);
  }
  return LW_OK;
}

static lw_status check_links(const lw_world_def *def, lw_error *error) {
  const lw_navmesh *first = def->navmeshes ? def->navmeshes[0] : def->navmesh;
  if (def->link_count < 0 || (def->link_count > 0 && !def->links))
    return lwi_fail(error, LW_INVALID, "link_count is %d: expected as many as there are links",
                    def->link_count);
  for (int i = 0; i < def->link_count; i++) {
    char name[32];
    snprintf(name, sizeof name, "link %d", i + 1);
    lw_status status = lwi_link_check(&def->links[i], first->areas, name, error);
    if (status != LW_OK) return status;
  }
  return LW_OK;
}

static lw_status check_death(const lw_world_def *def, lw_error *error) {
  lw_error wrong;
  if (def->death_danger.value == 0 || lwi_danger_check(&def->death_danger, &wrong) == LW_OK) return LW_OK;
  return lwi_fail(error, LW_INVALID, "death_danger: %s", wrong.text);
}

static lw_status check_def(const lw_world_def *def, lw_error *error) {
  lw_status status = lwi_check_cookie(def->cookie, "lw_world_def", error);
  if (status != LW_OK) return status;
  status = check_navmeshes(def, error);
  if (status == LW_OK) status = check_links(def, error);
  if (status == LW_OK) status = check_death(def, error);
  if (status != LW_OK) return status;
  if (def->depth_maps < 0 || def->depth_maps > LWI_EYE_MAPS_MAX)
    return lwi_fail(error, LW_INVALID, "depth_maps is %d: expected 0 to %d", def->depth_maps, LWI_EYE_MAPS_MAX);
  if (!(def->stuck_seconds > 0 && isfinite(def->stuck_seconds)))
    return lwi_fail(error, LW_INVALID, "stuck_seconds is %g: expected more than 0", (double)def->stuck_seconds);
  return LW_OK;
}

lw_status lw_world_create(const lw_world_def *def, lw_world **out, lw_error *error) {
  *out = NULL;
  lw_status status = check_def(def, error);
  if (status != LW_OK) return status;
  lwi_memory memory = lwi_memory_make(&def->allocator);
  lw_world *world = lwi_alloc_zero(&memory, sizeof *world);
  if (!world) return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  world->memory = memory;
  world->def = *def;
  world->random = lwi_random_make(def->seed, 0);
  world->free_slot = -1;
  world->visibility = 1;
  lwi_prices_plain(&world->plain);
  world->path_room.memory = &world->memory;
  if (!lwi_grounds_init(world) || !lwi_world_links_init(world) || !lwi_world_cover_init(world)) {
    lw_world_destroy(world);
    return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  }
  lwi_world_note_areas(world);
  *out = world;
  return LW_OK;
}

void lw_world_destroy(lw_world *world) {
  if (!world) return;
  while (world->agent_count > 0) lw_agent_despawn(world, world->agents[world->agent_count - 1]->id);
  lwi_memory *memory = &world->memory;
  lwi_free(memory, world->agents, (size_t)world->agent_capacity * sizeof(lwi_agent *));
  lwi_free(memory, world->slots, (size_t)world->slot_capacity * sizeof *world->slots);
  lwi_world_threats_free(world);
  lwi_free(memory, world->teams, (size_t)world->team_capacity * sizeof *world->teams);
  lwi_path_room_free(&world->path_room);
  lwi_world_cover_free(world);
  lwi_world_links_free(world);
  lwi_world_dangers_free(world);
  lwi_world_lanes_free(world);
  lwi_grounds_free(world);
  lwi_memory last = world->memory;
  lwi_free(&last, world, sizeof *world);
}

static void wake(lwi_agent *agent) {
  if (agent->run) lw_tree_run_wake(agent->run);
}

/* Stuck: try another path, as often as allowed; then say so. */
static void unstick(lw_world *world, lwi_agent *agent) {
  agent->stats.stuck += 1;
  lw_status status = LW_STUCK;
  if (agent->replans_left > 0) {
    agent->replans_left -= 1;
    agent->stats.replans += 1;
    lw_path *path = NULL;
    status = lwi_world_agent_path(world, agent, agent->goal, &path);
    if (status == LW_OK) {
      lwi_agent_follow(agent, path, world->time);
      return;
    }
  }
  lwi_agent_halt(agent, LW_MOVE_FAILED, status);
  wake(agent);
}

static void walk(lw_world *world, lwi_agent *agent, float dt) {
  const lw_navmesh *const *meshes = world->meshes;
  if (agent->move == LW_MOVE_WALKING) {
    switch (lwi_agent_walk(agent, meshes, dt, world->time, world->def.stuck_seconds)) {
    case LWI_ARRIVED:
      agent->stats.goals_reached += 1;
      lwi_agent_halt(agent, LW_MOVE_ARRIVED, LW_OK);
      wake(agent);
      break;
    case LWI_STUCK: unstick(world, agent); break;
    case LWI_WALKS: break;
    }
  } else {
    lwi_agent_land(agent, meshes, dt);
  }
  lwi_agent_keep_cover(agent);
  if (!lwi_agent_on_mesh(agent, meshes)) agent->stats.off_mesh += 1;
}

lw_status lw_world_step(lw_world *world, float dt) {
  if (!(dt > 0 && dt <= 1) || world->stepping) return LW_INVALID;
  for (int i = 0; i < 2; i++)
    if (!lwi_eyes_settle(&world->eyes[i])) return LW_OUT_OF_MEMORY;
  lwi_guides_settle(&world->guides);
  world->stepping = true;
  lwi_world_move_eyes(world);
  if (world->any_stale) lwi_world_search_stale(world);
  /* A leaf may spawn: the newcomers wait for the next step. */
  int count = world->agent_count;
  for (int i = 0; i < count; i++) {
    lwi_agent *agent = world->agents[i];
    if (!agent->run || agent->doomed || lw_tree_run_wake_time(agent->run) > world->time) continue;
    lwi_tree_user user = {world, agent};
    lw_tree_host host = lwi_tree_host_of(&user);
    lw_tree_run_tick(agent->run, &host);
  }
  world->time += (double)dt;
  world->steps += 1;
  for (int i = 0; i < count; i++)
    if (!world->agents[i]->doomed) walk(world, world->agents[i], dt);
  world->stepping = false;
  lwi_world_dangers_step(world);
  lwi_world_lanes_step(world);
  lwi_world_bury(world);
  return LW_OK;
}

double lw_world_time(const lw_world *world) {
  return world->time;
}
uint64_t lw_world_steps(const lw_world *world) {
  return world->steps;
}
size_t lw_world_memory(const lw_world *world) {
  return world->memory.bytes;
}
int lw_world_agent_count(const lw_world *world) {
  return world->agent_count;
}
float lw_world_random(lw_world *world) {
  return lwi_random_unit(&world->random);
}

void lw_world_log(const lw_world *world, lw_log_level level, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  lwi_log(&world->def.logger, level, format, arguments);
  va_end(arguments);
}

/* Field by field: structs have gaps. */
static uint64_t hash_link(uint64_t hash, const lwi_traverse *link) {
  const float numbers[] = {link->from.x,     link->from.y,   link->from.z, link->to.point.x, link->to.point.y,
                           link->to.point.z, link->straight, link->done,   link->counted};
  const uint64_t words[] = {(uint64_t)link->kind, link->to.poly};
  if (link->navmesh >= 0) hash = lwi_hash(hash, &link->navmesh, sizeof link->navmesh);
  return lwi_hash(lwi_hash(hash, numbers, sizeof numbers), words, sizeof words);
}

static uint64_t hash_agent(uint64_t hash, const lwi_agent *agent) {
  const float numbers[] = {
      agent->at.point.x, agent->at.point.y, agent->at.point.z,  agent->velocity.x,     agent->velocity.y,
      agent->velocity.z, agent->heading,    agent->goal.x,      agent->goal.y,         agent->goal.z,
      agent->within,     agent->remaining,  (float)agent->pace, agent->best_remaining,
  };
  const uint64_t words[] = {
      (uint64_t)agent->navmesh,
      agent->at.poly,
      agent->random.stream,
      agent->random.counter,
      (uint64_t)agent->move,
      (uint64_t)agent->failure,
      (uint64_t)agent->next_point,
      (uint64_t)agent->stance,
      (uint64_t)agent->replans_left,
      (uint64_t)agent->stats.goals_reached,
      agent->run ? lw_tree_run_hash(agent->run) : 0,
  };
  if (agent->link.active) hash = hash_link(hash, &agent->link);
  if (agent->stale) hash = lwi_hash(hash, &agent->stale, sizeof agent->stale);
  hash = lwi_agent_threats_hash(hash, agent);
  if (agent->has_cover) {
    hash = lwi_hash(hash, &agent->cover, sizeof agent->cover);
    hash = lwi_hash(hash, &agent->leash, sizeof agent->leash);
    hash = lwi_hash(hash, &agent->was_there, sizeof agent->was_there);
  }
  hash = lwi_hash(hash, numbers, sizeof numbers);
  hash = lwi_hash(hash, words, sizeof words);
  hash = lwi_hash(hash, &agent->best_time, sizeof agent->best_time);
  if (agent->path)
    hash = lwi_hash(hash, agent->path->points, (size_t)agent->path->point_count * sizeof *agent->path->points);
  return hash;
}

uint64_t lw_world_hash(const lw_world *world) {
  const uint64_t words[] = {world->steps, world->spawned, world->random.stream, world->random.counter};
  uint64_t hash = lwi_hash(LWI_HASH_SEED, words, sizeof words);
  hash = lwi_hash(hash, &world->time, sizeof world->time);
  if (world->any_stale) hash = lwi_hash(hash, &world->stale_turn, sizeof world->stale_turn);
  if (world->stale_until > world->steps) hash = lwi_hash(hash, &world->stale_until, sizeof world->stale_until);
  hash = lwi_world_threats_hash(hash, world);
  if (world->visibility < 1) hash = lwi_hash(hash, &world->visibility, sizeof world->visibility);
  for (int i = 0; i < world->team_count; i++) {
    const lwi_team *team = &world->teams[i];
    if (!(team->visibility < 1)) continue;
    hash = lwi_hash(hash, team->name, strlen(team->name));
    hash = lwi_hash(hash, &team->visibility, sizeof team->visibility);
  }
  for (int i = 0; i < world->agent_count; i++) hash = hash_agent(hash, world->agents[i]);
  hash = lwi_eyes_hash(&world->eyes[1], hash);
  return lwi_world_lanes_hash(world, lwi_world_dangers_hash(world, hash));
}
