#include "world/driving.h"
#include "world/remedies.h"
#include "world/world.h"

#include "agent/driving.h"
#include "behavior/tree.h"
#include "core/hash.h"
#include "core/status.h"
#include "geometry/geometry.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

lw_world_def lw_world_def_default(void) {
  lw_world_def def = {.seed = 1,
                      .depth_maps = 16,
                      .cache_bytes = (size_t)64 << 20,
                      .stuck_seconds = 2,
                      .sight_budget = 4000,
                      .search_work = 10000,
                      .threads = 1,
                      .walk_ahead = true,
                      .history = 32,
                      .cookie = LWI_COOKIE};
  def.death_danger = lw_danger_def_default();
  def.death_danger.value = 0;
  return def;
}

static lw_status check_navmeshes(const lw_world_def *def, lw_error *error) {
  if (def->navmesh && def->navmeshes)
    return lwi_fail(error, LW_INVALID, "navmesh and navmeshes are given, expected one of them");
  if (!def->navmeshes) return def->navmesh ? LW_OK : lwi_fail_null(error, "navmesh");
  if (def->navmesh_count < 1 || def->navmesh_count > LW_NAVMESHES_MAX)
    return lwi_fail(error, LW_INVALID, "navmesh_count is %d, expected 1 to %d", def->navmesh_count,
                    LW_NAVMESHES_MAX);
  const int count = def->navmesh_count;
  for (int i = 0; i < count; i++) {
    const lw_navmesh *navmesh = def->navmeshes[i];
    if (!navmesh)
      return lwi_fail(error, LW_INVALID, "navmesh %d of %d is NULL, expected a navmesh", i + 1, count);
    if (navmesh->areas != def->navmeshes[0]->areas)
      return lwi_fail(error, LW_INVALID,
                      "navmesh %d of %d: its area table is not that of navmesh 1, expected the same", i + 1,
                      count);
    for (int k = 0; k < i; k++)
      if (def->navmeshes[k] == navmesh)
        return lwi_fail(error, LW_INVALID, "navmesh %d of %d is navmesh %d again, expected another", i + 1,
                        count, k + 1);
  }
  return LW_OK;
}

static lw_status check_links(const lw_world_def *def, lw_error *error) {
  const lw_navmesh *first = def->navmeshes ? def->navmeshes[0] : def->navmesh;
  if (def->link_count < 0 || (def->link_count > 0 && !def->links))
    return lwi_fail(error, LW_INVALID, "link_count is %d, expected 0 or more, and that many links",
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

static lw_status check_jobs(const lw_world_def *def, lw_error *error) {
  if (!def->jobs.enqueue && !def->jobs.finish) return LW_OK;
  if (!def->jobs.enqueue || !def->jobs.finish)
    return lwi_fail_null(error, def->jobs.enqueue ? "jobs.finish" : "jobs.enqueue");
  if (def->threads == 1)
    return lwi_fail(error, LW_INVALID,
                    "threads is 1 with jobs, expected 2 or more: how many tasks there are at once");
  return LW_OK;
}

static lw_status check_def(const lw_world_def *def, lw_error *error) {
  lw_status status = lwi_check_cookie(def->cookie, "lw_world_def", error);
  if (status != LW_OK) return status;
  status = check_navmeshes(def, error);
  if (status == LW_OK) status = check_links(def, error);
  if (status == LW_OK) status = check_death(def, error);
  if (status == LW_OK) status = check_jobs(def, error);
  if (status != LW_OK) return status;
  if (def->depth_maps < 0 || def->depth_maps > LWI_EYE_MAPS_MAX)
    return lwi_fail(error, LW_INVALID, "depth_maps is %d, expected 0 to %d", def->depth_maps, LWI_EYE_MAPS_MAX);
  if (def->sight_budget < 1)
    return lwi_fail(error, LW_INVALID, "sight_budget is %d, expected 1 or more", def->sight_budget);
  if (def->search_work < 1)
    return lwi_fail(error, LW_INVALID, "search_work is %d, expected 1 or more", def->search_work);
  if (def->threads < 1 || def->threads > LW_THREADS_MAX)
    return lwi_fail(error, LW_INVALID, "threads is %d, expected 1 to %d", def->threads, LW_THREADS_MAX);
  if (def->history < 0 || def->history > LW_HISTORY_MAX)
    return lwi_fail(error, LW_INVALID, "history is %d, expected 0 to %d", def->history, LW_HISTORY_MAX);
  if (!(def->stuck_seconds > 0 && isfinite(def->stuck_seconds)))
    return lwi_fail(error, LW_INVALID, "stuck_seconds is %g, expected a number above 0",
                    (double)def->stuck_seconds);
  return LW_OK;
}

static bool init_scene(lw_world *world) {
  lw_world_def *def = &world->def;
  const lwi_scene_def scene = {.meshes = def->navmeshes ? def->navmeshes : &def->navmesh,
                               .mesh_count = def->navmeshes ? def->navmesh_count : 1,
                               .links = def->links,
                               .link_count = def->link_count,
                               .depth_maps = def->depth_maps,
                               .cache_bytes = def->cache_bytes};
  const bool good = lwi_scene_init(&world->scene, &scene, &world->memory) && lwi_world_links_init(world);
  world->scene.may_use_tables = lwi_plan_tables_may_be_used;
  def->navmeshes = NULL; /* these lists were lent for the call */
  def->links = NULL;
  return good;
}

lw_status lw_world_create(const lw_world_def *def, lw_world **out, lw_error *error) {
  if (!out) return lwi_fail_null(error, "world");
  *out = NULL;
  if (!def) return lwi_fail_null(error, "def");
  lw_status status = check_def(def, error);
  if (status != LW_OK) return status;
  lwi_memory memory = lwi_memory_make(&def->allocator);
  lw_world *world = lwi_alloc_zero(&memory, sizeof *world);
  if (!world) return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  world->memory = memory;
  world->def = *def;
  world->random = lwi_random_make(def->seed, 0);
  const uint16_t number = lwi_world_number();
  world->reconsider = INFINITY;
  world->agents.poses.step = 1;
  world->restored = UINT64_MAX;
  world->agents.ids = lwi_id_pool_make(number);
  world->obstacles.ids = lwi_id_pool_make(number);
  world->planner.ids = lwi_id_pool_make(number);
  world->links.ids = lwi_id_pool_make(number);
  world->threats.ids = lwi_id_pool_make(number);
  world->agents.groups.ids = lwi_id_pool_make(number);
  world->threats.learning_ids = lwi_id_pool_make(number);
  for (int kind = 0; kind < LWI_TIMED_KINDS; kind++) world->scene.timed[kind].ids = lwi_id_pool_make(number);
  if (!init_scene(world) || !lwi_world_planner_init(world)) {
    lw_world_destroy(world);
    return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  }
  *out = world;
  return LW_OK;
}

static void free_world(lw_world *world) {
  lwi_memory *memory = &world->memory;
  lwi_world_enter(world); /* a leaf that is aborted here may destroy the world again */
  lwi_world_agents_free(world);
  lwi_world_groups_free(world);
  lwi_world_planner_free(world);
  lwi_world_trees_free(world);
  lwi_world_senses_free(world);
  lwi_world_threats_free(world);
  lwi_world_regions_free(world);
  lwi_world_obstacles_free(world);
  lwi_world_permutations_free(world);
  lwi_world_links_free(world);
  lwi_scene_free(&world->scene, memory);
  lwi_compositions_free(world); /* which the scene has used */
  lwi_memory last = world->memory;
  lwi_free(&last, world, sizeof *world);
}

bool lwi_world_leave(lw_world *world) {
  world->calls -= 1;
  if (world->calls > 0 || !world->closing) return true;
  free_world(world);
  return false;
}

void lw_world_destroy(lw_world *world) {
  if (!world) return;
  world->closing = true;
  if (world->calls == 0) free_world(world);
}

/* Stuck: try another path, as often as allowed; then say so. */
static void unstick(lw_world *world, lwi_agent *agent, bool is_late) {
  if (lwi_vehicle_is_let_pass(world, agent)) {
    agent->route.best_time = world->time;
    return;
  }
  agent->stats.stuck += 1;
  lw_status status = LW_STUCK;
  const bool was_searched = agent->route.motion.blocking.is_barred && agent->route.remedy.place_count > 0;
  if (agent->route.replans_left > 0 && !was_searched && !is_late) {
    agent->route.replans_left -= 1;
    agent->stats.replans += 1;
    lwi_vehicle_note_detour(world, agent);
    status = lwi_world_search_path(world, agent);
    if (status == LW_OK) return;
  }
  if (status == LW_STUCK && agent->profile->has_body)
    agent->route.motion.blocking.barred_by = lwi_agent_barred_by(world, agent);
  lwi_agent_give_up(world, agent, status);
}

/* An agent that is out of sight of its path searches again, but not more often than that. [s] */
#define LOST_REST 0.5

/* Let an agent with a body go on along a link. */
static void travel(lw_world *world, lwi_agent *agent, float dt) {
  agent->route.motion.before = agent->at.point;
  agent->route.motion.heading_before = agent->heading;
  agent->route.motion.has_travelled = agent->route.motion.is_off_path = agent->route.motion.is_advancing =
      agent->route.motion.is_crowded_out = agent->route.motion.whiskers.is_evading = false;
  if (agent->ground.is_parked || agent->ground.is_trapped) {
    if (agent->ground.is_parked && agent->move == LW_MOVE_WALKING) agent->route.best_time = world->time;
    agent->velocity = lwi_vec3(0, 0, 0);
    return;
  }
  const lwi_link_host host = lwi_link_host_of(world);
  if (!agent->link.active && agent->move != LW_MOVE_WALKING) return;
  agent->route.motion.has_travelled = lwi_agent_travel(agent, world->scene.meshes, &host, dt);
}

void lwi_agent_arrive(lw_world *world, lwi_agent *agent) {
  agent->stats.goals_reached += 1;
  if (agent->route.motion.is_crowded_out && agent->route.remaining > agent->route.within)
    lwi_agent_count_remedy(agent, LW_REMEDY_SETTLE);
  lwi_history_note_place(world, agent, LW_HISTORY_ARRIVED, agent->route.goal);
  lwi_agent_halt(agent, LW_MOVE_ARRIVED, LW_OK);
  lwi_agent_wake(world, agent);
}

static void note_progress(lw_world *world, lwi_agent *agent, lwi_progress progress) {
  if (agent->route.staleness == LWI_WAITING) { /* what it walks is not the path to its goal */
    agent->route.best_time = world->time;
    return;
  }
  switch (progress) {
  case LWI_ARRIVED: lwi_agent_arrive(world, agent); break;
  case LWI_STUCK: unstick(world, agent, false); break;
  case LWI_LATE: unstick(world, agent, true); break;
  case LWI_WALKS: break;
  }
}

/* @return Whether it is off the navmesh. */
static bool note_place(lw_world *world, lwi_agent *agent) {
  lwi_agent_note_place(world, agent);
  lwi_agent_keep_cover(world, agent);
  const bool is_off =
      !agent->ground.is_parked && !agent->ground.is_trapped && !lwi_agent_on_mesh(agent, world->scene.meshes);
  if (is_off) agent->stats.off_mesh += 1;
  return is_off;
}

/* After it has moved: has it arrived, or does it not get on? */
static void settle(lw_world *world, lwi_agent *agent) {
  lwi_agent_seek_remedy(world, agent);
  if (agent->move == LW_MOVE_WALKING && !agent->ground.is_parked)
    note_progress(world, agent, lwi_agent_progress(agent, world->time, world->def.stuck_seconds));
  if (agent->route.motion.is_off_path && agent->move == LW_MOVE_WALKING &&
      world->time - agent->route.searched > LOST_REST) {
    lwi_agent_doubt_path(agent, LWI_BLOCKED); /* it was pushed out of sight of its path */
    world->planner.any_stale = true;
  }
  const bool is_off = note_place(world, agent);
  lwi_motion *motion = &agent->route.motion;
  const bool has_moved =
      !lwi_equal(agent->at.point, motion->before) || agent->velocity.x != 0 || agent->velocity.z != 0;
  motion->is_resting = !is_off && !has_moved && agent->move != LW_MOVE_WALKING && !agent->link.active &&
                       !agent->cover.active && motion->heading_before == agent->heading;
}

/* Let an agent without a body go on. */
static void walk(lw_world *world, lwi_agent *agent, float dt) {
  const lw_navmesh *const *meshes = world->scene.meshes;
  const lwi_link_host host = lwi_link_host_of(world);
  if (agent->ground.is_parked) {
    agent->route.best_time = world->time;
  } else if (agent->move == LW_MOVE_WALKING) {
    note_progress(world, agent,
                  lwi_agent_walk(agent, meshes, &host, dt, world->time, world->def.stuck_seconds));
  } else {
    lwi_agent_land(agent, meshes, &host, dt);
  }
  note_place(world, agent);
}

/* Let all agents go on up to `end`: first, in the order in which they were spawned, those without
   bodies, and those on links; then the others, at once. @return false: no memory. */
static bool move_agents(lw_world *world, const lwi_agent *end, float dt) {
  const bool listed = lwi_world_list_hazards(world);
  for (lwi_agent *agent = NULL; agent != end && !world->closing;) {
    agent = lwi_next_agent(world, agent);
    const bool rests = agent->profile->has_body && agent->route.motion.is_resting;
    if (agent->removal.pending || rests) continue;
    lwi_agent_pose_begin(agent, &world->agents.poses);
    if (!agent->profile->has_body)
      walk(world, agent, dt);
    else if (lwi_is_vehicle(agent->profile))
      lwi_world_drive(world, agent, dt);
    else
      travel(world, agent, dt);
  }
  lwi_crowd *crowd = &world->agents.crowd;
  if (world->closing || crowd->count == 0) return true;
  const lwi_crowd_step run = {.crowd = crowd,
                              .meshes = world->scene.meshes,
                              .steps = world->steps,
                              .now = world->time,
                              .dt = dt,
                              .poses = &world->agents.poses,
                              .memory = &world->memory};
  const bool moved = lwi_crowd_move(&run);
  for (int i = 0; i < crowd->count; i++) {
    lwi_agent *agent = crowd->bodies[i].agent;
    if (agent->profile->has_body && !agent->removal.pending && !agent->route.motion.is_resting)
      settle(world, agent);
  }
  return listed && moved;
}

/* List the agents with bodies in the order in which they were spawned. @return false: no memory. */
static bool list_crowd(lw_world *world) {
  lwi_crowd *crowd = &world->agents.crowd;
  if (!crowd->is_stale) return true;
  int count = 0;
  for (lwi_agent *agent = NULL; (agent = lwi_next_agent(world, agent));) count += agent->profile->has_body;
  if (count > 0 && !lwi_crowd_reserve(crowd, &world->memory, count)) return false;
  crowd->count = 0;
  crowd->widest = crowd->farthest = 0;
  crowd->vehicle_count = 0;
  crowd->vehicle_reach = 0;
  for (lwi_agent *agent = NULL; (agent = lwi_next_agent(world, agent));)
    if (agent->profile->has_body) {
      crowd->bodies[crowd->count++] = (lwi_crowd_body){.agent = agent};
      if (!lwi_is_vehicle(agent->profile)) continue;
      crowd->vehicle_count += 1;
      crowd->vehicle_reach = lwi_max(crowd->vehicle_reach, lwi_vehicle_reach(agent->profile));
    }
  crowd->is_stale = false;
  return true;
}

/* Decide which eyes have depth maps, by what was asked since the last step. @return false: no memory. */
static bool settle_depth_maps(lw_world *world) {
  bool good = lwi_workspaces_count(&world->scene, false);
  for (int i = 0; i < 2 && good; i++) good = lwi_depth_cache_settle(&world->scene.sight.caches[i]);
  return good;
}

/* The time after a step. Of steps of equal length it is a multiple, not a sum, which would drift: 600 of 1/60 s are 10 s.
   Nothing but the time counts for that, so that it is the same in a saved game. */
static double time_after(double time, float dt) {
  const double per_second = floor(1 / (double)dt + 0.5);
  if ((float)(1 / per_second) == dt) { /* the float that is nearest to it */
    const double steps = floor(time * per_second + 0.5);
    return steps / per_second == time ? (steps + 1) / per_second : time + 1 / per_second;
  }
  const double steps = floor(time / (double)dt + 0.5);
  return steps * (double)dt == time ? (steps + 1) * (double)dt : time + (double)dt;
}

/* @return LW_OK or LW_OUT_OF_MEMORY. */
static lw_status step(lw_world *world, float dt) {
  world->scene.stepping = true;
  lwi_world_permuted(world);
  lwi_world_move_eye_threats(world);
  const bool looked = lwi_world_look(world, dt);
  lwi_world_plan(world);
  lwi_world_groups_search(world);
  lwi_world_search_stale(world);
  const lwi_agent *end = lwi_last_agent(world); /* those that leaves spawn now wait for the next step */
  lwi_world_tick_trees(world);
  lwi_world_check_waiting(world);
  world->time = time_after(world->time, dt);
  world->steps += 1;
  lwi_world_step_groups(world, dt);
  const bool moved = move_agents(world, end, dt);
  world->agents.poses = (lwi_pose_clock){world->agents.poses.step + 1, dt};
  lwi_path_requests_tell(world);
  lwi_world_flush_removed(world); /* its leaves, too, run inside the step */
  world->scene.stepping = false;
  const bool counted = lwi_workspaces_count(&world->scene, true);
  lwi_world_regions_step(world);
  return counted && looked && moved ? LW_OK : LW_OUT_OF_MEMORY;
}

lw_status lw_world_step(lw_world *world, float dt) {
  if (!world) return LW_INVALID;
  if (!(dt > 0 && dt <= 1) || lwi_world_is_busy(world)) return LW_INVALID;
  if (!list_crowd(world) || !settle_depth_maps(world) || !lwi_world_apply(world) ||
      !lwi_world_list_senses(world))
    return LW_OUT_OF_MEMORY;
  lwi_world_enter(world);
  const lw_status status = step(world, dt);
  return lwi_world_leave(world) ? status : LW_STALE;
}

double lw_world_time(const lw_world *world) {
  return world ? world->time : 0;
}
uint32_t lw_world_number(const lw_world *world) {
  return world ? world->agents.ids.world : 0;
}
uint64_t lw_world_steps(const lw_world *world) {
  return world ? world->steps : 0;
}
size_t lw_world_memory(const lw_world *world) {
  if (!world) return 0;
  size_t bytes = world->memory.bytes + lwi_scene_memory(&world->scene) + lwi_planner_memory(world) +
                 lwi_groups_memory(world);
  for (const lwi_agent *agent = NULL; (agent = lwi_next_agent(world, agent));) {
    if (agent->route.path) bytes += agent->route.path->memory.bytes;
    if (agent->route.driving.drive) bytes += agent->route.driving.drive->memory.bytes;
    bytes += lwi_tree_run_memory(agent->run) + lwi_tree_run_memory(agent->mind.next.run);
  }
  return bytes;
}
int lw_world_agent_count(const lw_world *world) {
  return world ? world->agents.ids.count - world->agents.removed_count : 0;
}
lw_random *lw_world_random_stream(lw_world *world) {
  return world ? &world->random : NULL;
}

void lw_world_log(const lw_world *world, lw_log_level level, const char *format, ...) {
  if (!world || !format) return;
  va_list arguments;
  va_start(arguments, format);
  lwi_log(&world->def.logger, level, format, arguments);
  va_end(arguments);
}

/* Field by field: structs have gaps. */
static uint64_t hash_link(uint64_t hash, const lwi_traverse *link, uint64_t place) {
  const float numbers[] = {link->from.x,     link->from.y,   link->from.z, link->to.point.x, link->to.point.y,
                           link->to.point.z, link->straight, link->done,   link->counted};
  const uint64_t words[] = {(uint64_t)link->kind, place};
  if (link->navmesh >= 0) hash = lwi_hash(hash, &link->navmesh, sizeof link->navmesh);
  return lwi_hash(lwi_hash(hash, numbers, sizeof numbers), words, sizeof words);
}

static uint64_t hash_agent(uint64_t hash, const lw_world *world, const lwi_agent *agent) {
  const lw_navmesh *const *meshes = world->scene.meshes;
  const float numbers[] = {
      agent->at.point.x,   agent->at.point.y,           agent->at.point.z,   agent->velocity.x,
      agent->velocity.y,   agent->velocity.z,           agent->heading,      agent->route.goal.x,
      agent->route.goal.y, agent->route.goal.z,         agent->route.within, agent->route.remaining,
      (float)agent->pace,  agent->route.best_remaining,
  };
  const uint64_t words[] = {
      (uint64_t)agent->navmesh,
      lwi_poly_place(meshes[agent->navmesh], agent->at.poly),
      agent->random.stream,
      agent->random.counter,
      (uint64_t)agent->move,
      (uint64_t)agent->failure,
      (uint64_t)agent->route.next_point,
      (uint64_t)agent->stance,
      (uint64_t)agent->route.replans_left,
      (uint64_t)agent->stats.goals_reached,
      (uint64_t)agent->ground.is_parked,
      (uint64_t)agent->ground.is_trapped,
      agent->run ? lw_tree_run_hash(agent->run) : 0,
  };
  if (agent->link.active && (agent->link.is_held || agent->link.is_finished)) {
    const uint32_t holds[] = {agent->link.is_held, agent->link.is_finished};
    hash = lwi_hash(hash, holds, sizeof holds);
  }
  if (!lw_link_id_is_none(agent->route.wait.link))
    hash = lwi_hash(hash, &agent->route.wait.ticket, sizeof agent->route.wait.ticket);
  if (agent->link.active)
    hash = hash_link(hash, &agent->link,
                     lwi_poly_place(meshes[lwi_agent_footing_navmesh(agent)], agent->link.to.poly));
  lwi_staleness stale = lwi_world_staleness(world, agent);
  if (stale != LWI_FRESH) hash = lwi_hash(hash, &stale, sizeof stale);
  hash = lwi_agent_threats_hash(hash, world, agent);
  hash = lwi_agent_journey_hash(hash, agent);
  hash = lwi_agent_values_hash(world, agent, hash);
  if (agent->knowledge.senses) hash = lwi_senses_hash(agent->knowledge.senses, hash);
  if (agent->cover.active) {
    hash = lwi_hash(hash, &agent->cover.at, sizeof agent->cover.at);
    hash = lwi_hash(hash, &agent->cover.leash, sizeof agent->cover.leash);
    hash = lwi_hash(hash, &agent->cover.reached, sizeof agent->cover.reached);
    if (agent->cover.obstacle) hash = lwi_hash(hash, &agent->cover.obstacle, sizeof agent->cover.obstacle);
  }
  if (agent->cover.lost) hash = lwi_hash(hash, &agent->cover.lost, sizeof agent->cover.lost);
  hash = lwi_hash(hash, numbers, sizeof numbers);
  hash = lwi_hash(hash, words, sizeof words);
  hash = lwi_hash(hash, &agent->route.best_time, sizeof agent->route.best_time);
  hash = lwi_hash(hash, &agent->route.reconsider, sizeof agent->route.reconsider);
  if (agent->route.excess > 0 && agent->route.excess < INFINITY) /* it was mended */
    hash = lwi_hash(hash, &agent->route.excess, sizeof agent->route.excess);
  if (agent->profile->has_body) hash = lwi_motion_hash(hash, &agent->route.motion);
  hash = lwi_remedy_hash(hash, &agent->route.remedy);
  if (lwi_is_vehicle(agent->profile)) hash = lwi_driving_hash(hash, &agent->route.driving);
  if (agent->route.path)
    hash = lwi_hash(hash, agent->route.path->points,
                    (size_t)agent->route.path->point_count * sizeof *agent->route.path->points);
  return hash;
}

uint64_t lw_world_hash(const lw_world *world) {
  if (!world) return 0;
  const uint64_t words[] = {world->steps, world->spawned, world->random.stream, world->random.counter};
  uint64_t hash = lwi_hash(LWI_HASH_SEED, words, sizeof words);
  hash = lwi_hash(hash, &world->time, sizeof world->time);
  const lwi_agent *turn = lwi_world_agent(world, world->planner.stale_turn);
  const uint32_t turn_serial = turn ? (uint32_t)turn->serial : 0;
  if (lwi_world_any_stale(world)) hash = lwi_hash(hash, &turn_serial, sizeof turn_serial);
  if (world->planner.stale_until > world->steps)
    hash = lwi_hash(hash, &world->planner.stale_until, sizeof world->planner.stale_until);
  hash = lwi_world_threats_hash(hash, world);
  if (world->scene.visibility < 1)
    hash = lwi_hash(hash, &world->scene.visibility, sizeof world->scene.visibility);
  for (int i = 0; i < world->scene.team_count; i++) {
    const lwi_team *team = &world->scene.teams[i];
    if (!(team->visibility < 1)) continue;
    hash = lwi_hash(hash, team->name, strlen(team->name));
    hash = lwi_hash(hash, &team->visibility, sizeof team->visibility);
  }
  for (const lwi_agent *agent = NULL; (agent = lwi_next_agent(world, agent));)
    hash = hash_agent(hash, world, agent);
  hash = lwi_depth_cache_hash(&world->scene.sight.caches[1], hash);
  hash = lwi_world_obstacles_hash(world, hash);
  hash = lwi_world_permutations_hash(world, hash);
  hash = lwi_world_links_hash(world, hash);
  for (int i = 0; i < world->scene.nav_count; i++) {
    const lw_navmesh *next = world->scene.navs[i].next;
    const uint64_t identity = next ? lwi_navmesh_identity(next) : 0;
    if (next) hash = lwi_hash(hash, &identity, sizeof identity);
  }
  hash = lwi_world_planner_hash(world, hash);
  hash = lwi_crowd_hash(hash, &world->agents.crowd);
  hash = lwi_world_groups_hash(world, hash);
  hash = lwi_world_senses_hash(world, hash);
  hash = lwi_world_values_hash(world, hash);
  return lwi_world_regions_hash(world, hash);
}

/* --- its navmeshes ------------------------------------------------------------------------------------------------ */

const lw_navmesh *lw_world_navmesh(const lw_world *world) {
  return world ? world->scene.meshes[0] : NULL;
}
int lw_world_navmesh_count(const lw_world *world) {
  return world ? world->scene.nav_count : 0;
}
const lw_navmesh *lw_world_navmesh_at(const lw_world *world, int index) {
  return world && index >= 0 && index < world->scene.nav_count ? world->scene.meshes[index] : NULL;
}
int lw_world_navmesh_index(const lw_world *world, const lw_navmesh *navmesh) {
  for (int i = 0; world && i < world->scene.nav_count; i++)
    if (world->scene.navs[i].own == navmesh || world->scene.navs[i].base == navmesh ||
        world->scene.meshes[i] == navmesh)
      return i;
  return -1;
}

int lw_world_link_count(const lw_world *world) {
  return world ? world->scene.links.link_count : 0;
}

lw_status lw_world_get_link(const lw_world *world, int index, lw_world_link *link) {
  if (link)
    *link = (lw_world_link){
        .link = {.def = lw_link_def_default()}, .from_navmesh = -1, .to_navmesh = -1, .requested_by = -1};
  if (!world || !link) return LW_INVALID;
  const lwi_inter_links *links = &world->scene.links;
  if (index < 0 || index >= links->link_count) return LW_NOT_FOUND;
  *link = links->links[index];
  return LW_OK;
}

lw_status lw_world_find_navmesh(const lw_world *world, lw_vec3 point, lw_vec3 snap, const lw_profile *profile,
                                int *navmesh, lw_location *at) {
  if (navmesh) *navmesh = -1;
  if (at) *at = (lw_location){.point = point};
  if (!world) return LW_INVALID;
  const lwi_place_query query = {LW_NAVMESH_FITTING, point, snap, profile};
  const lwi_nav *nav;
  lw_location found;
  lw_status status = lwi_scene_place(&world->scene, &query, &nav, &found);
  if (navmesh) *navmesh = nav ? lwi_scene_index(&world->scene, nav) : -1;
  if (at) *at = found;
  return status;
}
