/* The looks of agents at each other. Each agent looks four times a second, in the order in which they were spawned; what a step
   looks at is bounded by a count of lines of sight. */
#include "world/senses.h"

#include "core/hash.h"
#include "core/vec3.h"
#include "query/path_query.h"
#include "world/world.h"

#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#define PERIOD 0.25  ///< Between two looks of an agent. [s]
#define RECHECK 0.5  ///< An agent that was noticed is in sight for so long without another look at it. [s]
#define CELL 16.0f   ///< Of the map, at least. [m]
#define MAP_CELLS 64 ///< It has up to one cell an agent, and half of these.

/* --- lines of sight --------------------------------------------------------------------------------------- */

static lw_vec3 eye_of(const lw_world *world, const lwi_agent *agent) {
  lw_vec3 eye = agent->at.point;
  eye.y += lwi_world_body(world, agent)->eye;
  return eye;
}

/* Is any of two heights of a body seen from the eye? What its agent carries never hides it.
   @param[in,out] budget  Lines of sight are taken from it. */
static bool sees(const lw_world *world, lw_vec3 eye, const lwi_sight_target *target, uint32_t leaves[2],
                 int *budget) {
  const lwi_scene_sight *sight = &world->scene.sight;
  for (int i = 1; i >= 0; i--) { /* the head shows more often */
    const lw_vec3 at = {target->at.x, target->at.y + target->body[i], target->at.z};
    *budget -= 1;
    if (!lwi_is_place(eye) || !lwi_is_place(at)) continue;
    if (lwi_sets_see_again(sight->sets, sight->count, eye, at, true, &leaves[i]) &&
        lwi_screens_see(&sight->screens, eye, at, true, target->slot + 1))
      return true;
  }
  return false;
}

bool lw_agent_is_seen_from(const lw_world *world, lw_agent_id id, lw_vec3 eye, bool shots) {
  const lwi_agent *agent = world ? lwi_world_agent(world, id) : NULL;
  if (!agent) return false;
  const lw_stance *body = lwi_world_body(world, agent);
  for (int i = 0; i < 2; i++) {
    lw_vec3 at = agent->at.point;
    at.y += body->body[i];
    if (lwi_scene_sees(&world->scene, eye, at, shots, id.slot + 1)) return true;
  }
  return false;
}

bool lw_agent_sees(const lw_world *world, lw_agent_id id, lw_agent_id other) {
  const lwi_agent *agent = world ? lwi_world_agent(world, id) : NULL;
  return agent && lw_agent_is_seen_from(world, other, eye_of(world, agent), false);
}

/* An agent that looks. */
typedef struct looking {
  lw_world *world;
  lwi_agent *agent;
  const lw_sight *sight;
  lw_vec3 eye;
  float cosine, ahead_x, ahead_z; /* of its angle; its heading */
  lwi_sight_hint *hints;          /* [LWI_SIGHT_HINTS] */
  int *budget;
  bool missed; /* there was no memory */
} looking;

static looking look_from(lw_world *world, const lwi_perceiver *perceiver, int *budget) {
  lwi_agent *agent = perceiver->agent;
  const ptrdiff_t number = perceiver - world->agents.senses.list;
  const lw_sight *sight = &lwi_agent_senses(agent)->sight;
  return (looking){.world = world,
                   .agent = agent,
                   .sight = sight,
                   .eye = eye_of(world, agent),
                   .cosine = sight->half_angle < 3.14159f ? cosf(sight->half_angle) : -2,
                   .ahead_x = cosf(agent->heading),
                   .ahead_z = -sinf(agent->heading),
                   .hints = &world->agents.senses.hints[number * LWI_SIGHT_HINTS],
                   .budget = budget};
}

static bool sees_with_hint(const looking *by, const lwi_sight_target *target) {
  lwi_sight_hint *hint = &by->hints[target->slot % LWI_SIGHT_HINTS];
  return sees(by->world, by->eye, target, hint->leaves, by->budget);
}

/* Is the place within range and angle? */
static bool is_in_view(const looking *by, lw_vec3 at, float visibility) {
  const lw_vec3 from = by->agent->at.point;
  const float x = at.x - from.x, y = at.y - from.y, z = at.z - from.z, flat = x * x + z * z;
  const float range = by->sight->range * visibility;
  if (!(flat + y * y <= range * range)) return false;
  return by->cosine < -1 || by->ahead_x * x + by->ahead_z * z >= by->cosine * sqrtf(flat);
}

static lwi_sight_target target_of(const lw_world *world, const lwi_agent *agent) {
  const lwi_scene *scene = &world->scene;
  const float *body = lwi_world_body(world, agent)->body;
  return (lwi_sight_target){.at = agent->at.point,
                            .body = {body[0], body[1]},
                            .visibility = scene->team_count > 0 ? lwi_scene_visibility(scene, agent->team)
                                                                : scene->visibility,
                            .team = agent->knowledge.team_number,
                            .slot = agent->id.slot};
}

/* --- percepts ------------------------------------------------------------------------------------- */

static void note_sight(const looking *by, lwi_percept *percept, const lwi_agent *other) {
  percept->is_in_view = true;
  percept->seen = by->world->time;
  percept->at = other->at.point;
  percept->eye = lwi_world_body(by->world, other)->eye;
  percept->velocity = other->velocity;
  const uint32_t own = by->agent->knowledge.team_number, its = other->knowledge.team_number;
  percept->is_enemy = own != 0 && its != 0 && own != its;
}

static void begin_sight(looking *by, const lwi_agent *other) {
  lwi_percept *percept =
      lwi_senses_add(by->agent->knowledge.senses, &by->world->memory, other->id, other->serial);
  if (!percept) {
    by->missed = true;
    return;
  }
  percept->since = by->world->time;
  note_sight(by, percept, other);
}

/* Another agent is in view. @param known  1 + the index of the percept of it; 0: there is none. */
static void consider(looking *by, const lwi_sight_target *target, uint32_t known) {
  lwi_percept *percept = known ? &by->agent->knowledge.senses->percepts[known - 1] : NULL;
  if (percept && percept->is_seen && by->world->time - percept->seen < RECHECK - 1e-6) {
    percept->is_in_view = true;
    return;
  }
  if (!sees_with_hint(by, target)) return;
  const lwi_agent *other = by->world->agents.items[target->slot];
  if (percept)
    note_sight(by, percept, other);
  else
    begin_sight(by, other);
}

static bool is_for(const looking *by, const lwi_sight_target *target) {
  const uint32_t team = by->agent->knowledge.team_number;
  if (target->slot == by->agent->id.slot) return false;
  if (target->team == team && team != 0 && !by->sight->friends) return false;
  return is_in_view(by, target->at, target->visibility);
}

static int cell_along(float at, float begin, float cell, int count) {
  const float number = (at - begin) / cell;
  return number < 0 ? 0 : number >= (float)count ? count - 1 : (int)number;
}

/* Consider all that are in view. */
static void look_around(looking *by) {
  const lwi_sight_map *map = &by->world->agents.senses.map;
  const lw_vec3 at = by->agent->at.point;
  const float range = by->sight->range;
  const int low = cell_along(at.x - range, map->x, map->cell, map->columns),
            high = cell_along(at.x + range, map->x, map->cell, map->columns),
            last = cell_along(at.z + range, map->z, map->cell, map->rows);
  for (int row = cell_along(at.z - range, map->z, map->cell, map->rows); row <= last; row++) {
    const int end = map->starts[row * map->columns + high + 1];
    for (int i = map->starts[row * map->columns + low]; i < end; i++)
      if (is_for(by, &map->targets[i]))
        consider(by, &map->targets[i], by->world->agents.senses.marks[map->targets[i].slot]);
  }
}

static bool keeps(const lw_world *world, const lwi_agent *agent, const lwi_percept *percept) {
  if (percept->is_in_view) return true;
  return percept->is_noticed && world->time - percept->seen <= (double)lwi_agent_senses(agent)->memory;
}

/* Tell the agent what has changed since its last look. */
static void settle_look(looking *by) {
  lwi_senses *senses = by->agent->knowledge.senses;
  const double now = by->world->time;
  for (int i = 0; i < senses->count; i++) {
    lwi_percept *percept = &senses->percepts[i];
    if (!percept->is_in_view) {
      if (percept->is_seen) lwi_percept_lose(by->world, by->agent, percept);
    } else if (percept->is_noticed ? !percept->is_seen : now - percept->since >= (double)by->sight->notice) {
      lwi_percept_notice(by->world, by->agent, percept);
    } else if (percept->is_seen) {
      lwi_percept_moved(by->world, by->agent, percept);
    }
  }
  lwi_senses_keep(by->world, by->agent, keeps);
  lwi_senses_refocus(by->world, by->agent);
}

static double next_due(const lwi_senses *senses, const lw_sight *sight) {
  double due = INFINITY;
  for (int i = 0; i < senses->count; i++)
    if (!senses->percepts[i].is_noticed) due = fmin(due, senses->percepts[i].since + (double)sight->notice);
  return due;
}

/* Let the agent look about. @return false: no memory for some of what it sees. */
static bool look(lw_world *world, lwi_perceiver *perceiver, int *budget) {
  lwi_senses *senses = perceiver->agent->knowledge.senses;
  looking by = look_from(world, perceiver, budget);
  lwi_senses_age(world, by.agent);
  for (int i = 0; i < senses->count; i++) {
    senses->percepts[i].is_in_view = false;
    world->agents.senses.marks[senses->percepts[i].agent.slot] = (uint32_t)i + 1;
  }
  const int known = senses->count;
  if (by.sight->range > 0) look_around(&by);
  for (int i = 0; i < known; i++) world->agents.senses.marks[senses->percepts[i].agent.slot] = 0;
  settle_look(&by);
  perceiver->due = next_due(senses, by.sight);
  return !by.missed;
}

/* Those that have been in sight for long enough, if they are still. */
static void notice_due(lw_world *world, lwi_perceiver *perceiver, int *budget) {
  lwi_senses *senses = perceiver->agent->knowledge.senses;
  looking by = look_from(world, perceiver, budget);
  for (int i = 0; i < senses->count; i++) {
    lwi_percept *percept = &senses->percepts[i];
    percept->is_in_view = true;
    if (percept->is_noticed || percept->since + (double)by.sight->notice > world->time) continue;
    const lwi_agent *other = world->agents.items[percept->agent.slot];
    const lwi_sight_target target = target_of(world, other);
    percept->is_in_view = is_in_view(&by, target.at, target.visibility) && sees_with_hint(&by, &target);
    if (!percept->is_in_view) continue;
    note_sight(&by, percept, other);
    lwi_percept_notice(world, by.agent, percept);
  }
  lwi_senses_keep(world, by.agent, keeps);
  lwi_senses_refocus(world, by.agent);
  perceiver->due = next_due(senses, by.sight);
}

/* --- the map ---------------------------------------------------------------------------------------------- */

static void list_targets(lw_world *world, lw_vec3 *low, lw_vec3 *high) {
  lwi_sight_map *map = &world->agents.senses.map;
  /* A listener to permutations may have spawned more since there was memory for all. */
  const int limit =
      map->unsorted_capacity < map->target_capacity ? map->unsorted_capacity : map->target_capacity;
  map->count = 0;
  *low = *high = world->agents.senses.list[0].agent->at.point;
  for (const lwi_agent *agent = NULL; map->count < limit && (agent = lwi_next_agent(world, agent));) {
    const lw_vec3 at = agent->at.point;
    if (agent->removal.pending || agent->id.slot >= (uint32_t)world->agents.senses.mark_capacity) continue;
    map->unsorted[map->count++] = target_of(world, agent);
    low->x = lwi_min(low->x, at.x), low->z = lwi_min(low->z, at.z);
    high->x = lwi_max(high->x, at.x), high->z = lwi_max(high->z, at.z);
  }
}

static int cell_of(const lwi_sight_map *map, const lwi_sight_target *target) {
  return cell_along(target->at.z, map->z, map->cell, map->rows) * map->columns +
         cell_along(target->at.x, map->x, map->cell, map->columns);
}

/* Sort all agents into cells. Its memory was taken before the step. */
static void draw_map(lw_world *world) {
  lwi_sight_map *map = &world->agents.senses.map;
  lw_vec3 low, high;
  list_targets(world, &low, &high);
  const double width = (double)high.x - (double)low.x, depth = (double)high.z - (double)low.z;
  double cell = (double)CELL; /* by the count of agents alone, as the order of what is seen depends on it */
  while ((floor(width / cell) + 1) * (floor(depth / cell) + 1) > map->count + MAP_CELLS / 2) cell *= 2;
  map->x = low.x, map->z = low.z, map->cell = (float)cell;
  map->columns = (int)floor(width / cell) + 1, map->rows = (int)floor(depth / cell) + 1;
  const int cells = map->columns * map->rows;
  memset(map->starts, 0, (size_t)(cells + 1) * sizeof *map->starts);
  for (int i = 0; i < map->count; i++) map->starts[cell_of(map, &map->unsorted[i])] += 1;
  for (int i = 0, sum = 0; i <= cells; i++) {
    sum += map->starts[i];
    map->starts[i] = sum; /* where the cell ends: it is filled from there */
  }
  for (int i = map->count - 1; i >= 0; i--)
    map->targets[--map->starts[cell_of(map, &map->unsorted[i])]] = map->unsorted[i];
}

/* --- turns ------------------------------------------------------------------------------------------------ */

/* The first one behind that serial number; behind the last one the first. */
static int next_in_turn(const lwi_world_senses *all) {
  int low = 0, high = all->count;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (all->list[middle].serial <= all->turn)
      low = middle + 1;
    else
      high = middle;
  }
  return low < all->count ? low : 0;
}

static bool is_there(const lw_world *world, const lwi_agent *agent, const lwi_percept *percept) {
  (void)agent;
  return lwi_world_agent(world, percept->agent) != NULL;
}

static void drop_gone(lw_world *world) {
  lwi_world_senses *all = &world->agents.senses;
  all->any_gone = false;
  for (int i = 0; i < all->count; i++) {
    if (lwi_senses_keep(world, all->list[i].agent, is_there)) lwi_senses_refocus(world, all->list[i].agent);
  }
}

bool lwi_world_look(lw_world *world, float dt) {
  lwi_world_senses *all = &world->agents.senses;
  int budget = world->def.sight_budget;
  bool good = true;
  if (all->count == 0) return true;
  if (all->any_gone) drop_gone(world);
  for (int i = 0; i < all->count; i++)
    if (all->list[i].due <= world->time) notice_due(world, &all->list[i], &budget);
  all->credit = fmin(all->credit + all->count * (double)dt / PERIOD, all->count);
  if (!(all->credit >= 1)) return true;
  draw_map(world);
  for (int i = next_in_turn(all); all->credit >= 1 && budget > 0; i = i + 1 < all->count ? i + 1 : 0) {
    good = look(world, &all->list[i], &budget) && good;
    all->turn = all->list[i].serial;
    all->credit -= 1;
  }
  return good;
}

/* --- the list --------------------------------------------------------------------------------------------- */

static bool reserve_hints(lw_world *world) {
  lwi_world_senses *all = &world->agents.senses;
  const int had = all->hint_capacity;
  if (all->count > INT_MAX / LWI_SIGHT_HINTS || !lwi_reserve(&world->memory, &all->hints, &all->hint_capacity,
                                                             all->count * LWI_SIGHT_HINTS, sizeof *all->hints))
    return false;
  if (all->hint_capacity > had)
    memset(all->hints + had, 0, (size_t)(all->hint_capacity - had) * sizeof *all->hints);
  return true;
}

static bool reserve_marks(lw_world *world) {
  lwi_world_senses *all = &world->agents.senses;
  const int had = all->mark_capacity;
  if (!lwi_reserve(&world->memory, &all->marks, &all->mark_capacity, world->agents.ids.slot_count,
                   sizeof *all->marks))
    return false;
  if (all->mark_capacity > had)
    memset(all->marks + had, 0, (size_t)(all->mark_capacity - had) * sizeof *all->marks);
  return true;
}

static bool reserve_map(lw_world *world) {
  lwi_sight_map *map = &world->agents.senses.map;
  const int count = world->agents.ids.count;
  return lwi_reserve(&world->memory, &map->unsorted, &map->unsorted_capacity, count, sizeof *map->unsorted) &&
         lwi_reserve(&world->memory, &map->targets, &map->target_capacity, count, sizeof *map->targets) &&
         lwi_reserve(&world->memory, &map->starts, &map->start_capacity, count + MAP_CELLS,
                     sizeof *map->starts);
}

static bool keeps_none(const lw_world *world, const lwi_agent *agent, const lwi_percept *percept) {
  (void)world, (void)agent, (void)percept;
  return false;
}

/* @return false: no memory. */
static bool list_agent(lw_world *world, lwi_agent *agent) {
  lwi_world_senses *all = &world->agents.senses;
  if (agent->knowledge.senses && agent->knowledge.senses->count > 0 &&
      !(lwi_agent_senses(agent)->sight.range > 0)) {
    lwi_senses_keep(world, agent, keeps_none); /* it has lost its sight */
    lwi_senses_refocus(world, agent);
  }
  if (!lwi_agent_has_senses(agent)) return true;
  if (!lwi_agent_make_senses(world, agent) ||
      !lwi_reserve(&world->memory, &all->list, &all->capacity, all->count + 1, sizeof *all->list))
    return false;
  all->list[all->count++] =
      (lwi_perceiver){agent, agent->serial, next_due(agent->knowledge.senses, &lwi_agent_senses(agent)->sight)};
  return true;
}

bool lwi_world_list_senses(lw_world *world) {
  lwi_world_senses *all = &world->agents.senses;
  if (all->is_stale) {
    lwi_world_resolve_senses(world);
    all->count = 0;
    for (lwi_agent *agent = NULL; (agent = lwi_next_agent(world, agent));)
      if (!list_agent(world, agent)) return false;
    all->is_stale = false;
  }
  return all->count == 0 || (reserve_hints(world) && reserve_marks(world) && reserve_map(world));
}

void lwi_world_senses_free(lw_world *world) {
  lwi_world_senses *all = &world->agents.senses;
  lwi_memory *memory = &world->memory;
  lwi_free(memory, all->list, (size_t)all->capacity * sizeof *all->list);
  lwi_free(memory, all->map.unsorted, (size_t)all->map.unsorted_capacity * sizeof *all->map.unsorted);
  lwi_free(memory, all->map.targets, (size_t)all->map.target_capacity * sizeof *all->map.targets);
  lwi_free(memory, all->map.starts, (size_t)all->map.start_capacity * sizeof *all->map.starts);
  lwi_free(memory, all->marks, (size_t)all->mark_capacity * sizeof *all->marks);
  lwi_free(memory, all->hints, (size_t)all->hint_capacity * sizeof *all->hints);
}

uint64_t lwi_world_senses_hash(const lw_world *world, uint64_t hash) {
  const lwi_world_senses *all = &world->agents.senses;
  if (all->turn > 0) hash = lwi_hash(hash, &all->turn, sizeof all->turn);
  if (all->credit > 0) hash = lwi_hash(hash, &all->credit, sizeof all->credit);
  return hash;
}
