/* The dangers of a world: they come, decay and go, and agents that they concern search anew. */
#include "core/hash.h"
#include "core/status.h"
#include "world/world.h"

#include <string.h>

static bool reserve(lw_world *world, int count) {
  lwi_dangers_of_world *list = &world->dangers;
  return lwi_reserve(&world->memory, &list->items, &list->item_capacity, count, sizeof *list->items) &&
         lwi_reserve(&world->memory, &list->discs, &list->disc_capacity, count, sizeof *list->discs);
}

static int index_of(const lw_world *world, lw_danger_id id) {
  int low = 0, high = world->dangers.count; /* ids grow */
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (world->dangers.items[middle].id < id)
      low = middle + 1;
    else
      high = middle;
  }
  bool is_there = low < world->dangers.count && world->dangers.items[low].id == id;
  return is_there && !world->dangers.items[low].gone ? low : -1;
}

/* --- agents on their way ---------------------------------------------------------------------------------------- */

/* Does what it still has to walk enter the disc? */
static bool leads_into(const lwi_agent *agent, const lwi_disc *disc) {
  const lw_path *path = agent->path;
  lw_vec3 from = lwi_agent_footing(agent).point;
  for (int i = agent->next_point; i < path->point_count; i++) {
    lw_vec3 to = path->points[i];
    bool is_link = lwi_path_link_at(path, i - 1) != NULL;
    if (is_link ? lwi_disc_holds(disc, to) && !lwi_disc_holds(disc, from) : lwi_disc_enters(disc, from, to))
      return true;
    from = to;
  }
  return false;
}

/* Could a way over the disc be cheaper than its path? None is shorter than straight to it and on to the goal. */
static bool could_gain(const lwi_agent *agent, const lwi_disc *disc) {
  float to = lwi_distance_xz(lwi_agent_footing(agent).point, disc->at),
        on = lwi_distance_xz(disc->at, agent->goal);
  return to + on - 2 * disc->radius < agent->path->cost;
}

static void tell_agents(lw_world *world, const lwi_disc *disc,
                        bool (*concerns)(const lwi_agent *agent, const lwi_disc *disc)) {
  for (int i = 0; i < world->agent_count; i++) {
    lwi_agent *agent = world->agents[i];
    if (agent->move != LW_MOVE_WALKING || agent->stale || !(agent->profile->def.danger_cost > 0)) continue;
    if (concerns(agent, disc)) {
      agent->stale = LWI_ALARMED;
      world->any_stale = true;
    }
  }
}

/* --- coming and going ------------------------------------------------------------------------------------------- */

static bool add_rings(lw_world *world, uint32_t danger, const lwi_disc *disc) {
  const lwi_outline outline = lwi_disc_outline(disc);
  for (int i = 0; i < world->ground_count; i++) {
    if (lwi_rings_add(&world->grounds[i].rings, danger, &outline)) continue;
    while (i-- > 0) lwi_rings_remove(&world->grounds[i].rings, danger);
    return false;
  }
  return true;
}

/* From now on it counts. */
static void admit(lw_world *world, int index) {
  lwi_dangers_of_world *list = &world->dangers;
  list->discs[index].value = lwi_danger_left(&list->items[index].def, world->time - list->items[index].since);
  tell_agents(world, &list->discs[index], leads_into);
}

bool lwi_world_danger_put_back(lw_world *world, const lwi_danger *danger) {
  lwi_dangers_of_world *list = &world->dangers;
  const lwi_disc disc = {danger->def.at, danger->def.radius, danger->def.height, 0};
  if (!reserve(world, list->count + 1) || !add_rings(world, (uint32_t)list->count, &disc)) return false;
  list->items[list->count] = *danger;
  list->discs[list->count++] = disc;
  if (!world->stepping) admit(world, list->count - 1);
  return true;
}

lw_status lw_danger_add(lw_world *world, const lw_danger_def *def, lw_danger_id *danger, lw_error *error) {
  *danger = 0;
  lw_status status = lwi_danger_check(def, error);
  if (status != LW_OK) return status;
  const lwi_danger added = {.id = world->dangers.made + 1, .def = *def, .since = world->time};
  if (!lwi_world_danger_put_back(world, &added)) return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  *danger = world->dangers.made = added.id;
  return LW_OK;
}

static void drop(lw_world *world, int index) {
  lwi_dangers_of_world *list = &world->dangers;
  lwi_disc disc = list->discs[index];
  size_t behind = (size_t)(list->count - index - 1);
  for (int i = 0; i < world->ground_count; i++) lwi_rings_remove(&world->grounds[i].rings, (uint32_t)index);
  memmove(list->items + index, list->items + index + 1, behind * sizeof *list->items);
  memmove(list->discs + index, list->discs + index + 1, behind * sizeof *list->discs);
  list->count -= 1;
  tell_agents(world, &disc, could_gain);
}

lw_status lw_danger_remove(lw_world *world, lw_danger_id danger) {
  int index = index_of(world, danger);
  if (index < 0) return LW_STALE;
  world->dangers.items[index].gone = true;
  if (!world->stepping) drop(world, index);
  return LW_OK;
}

void lwi_world_dangers_clear(lw_world *world) {
  while (world->dangers.count > 0) drop(world, world->dangers.count - 1);
}

void lwi_world_dangers_step(lw_world *world) {
  lwi_dangers_of_world *list = &world->dangers;
  for (int i = list->count - 1; i >= 0; i--) {
    lwi_danger *danger = &list->items[i];
    float before = list->discs[i].value, left = lwi_danger_left(&danger->def, world->time - danger->since);
    if (danger->gone || left == 0)
      drop(world, i);
    else if (before == 0)
      admit(world, i);
    else
      list->discs[i].value = left;
  }
}

void lwi_world_dangers_free(lw_world *world) {
  lwi_dangers_of_world *list = &world->dangers;
  lwi_free(&world->memory, list->items, (size_t)list->item_capacity * sizeof *list->items);
  lwi_free(&world->memory, list->discs, (size_t)list->disc_capacity * sizeof *list->discs);
}

bool lwi_world_dangers(const lw_world *world, const lwi_ground *ground, const lw_profile *profile,
                       lwi_dangers *dangers) {
  *dangers = (lwi_dangers){&ground->rings, world->dangers.discs, world->dangers.count,
                           profile ? profile->def.danger_cost : 0};
  return dangers->cost > 0 && ground->rings.ring_count > 0;
}

uint64_t lwi_world_dangers_hash(const lw_world *world, uint64_t hash) {
  const lwi_dangers_of_world *list = &world->dangers;
  for (int i = 0; i < list->count; i++) {
    const lwi_danger *danger = &list->items[i];
    const lw_danger_def *def = &danger->def;
    const float numbers[] = {def->at.x,   def->at.y,  def->at.z,      def->radius,
                             def->height, def->value, def->half_life, (float)danger->gone};
    hash = lwi_hash(hash, &danger->since, sizeof danger->since);
    hash = lwi_hash(hash, numbers, sizeof numbers);
  }
  return hash;
}

/* --- what there is ---------------------------------------------------------------------------------------------- */

lw_status lw_danger_get_state(const lw_world *world, lw_danger_id danger, lw_danger_state *state) {
  int index = index_of(world, danger);
  if (index < 0) return LW_STALE;
  const lwi_danger *item = &world->dangers.items[index];
  *state = (lw_danger_state){item->def, item->since, lwi_danger_left(&item->def, world->time - item->since)};
  return LW_OK;
}

lw_danger_id lw_danger_next(const lw_world *world, lw_danger_id danger) {
  int i = 0;
  if (danger) {
    i = index_of(world, danger);
    if (i < 0) return 0;
    i += 1;
  }
  while (i < world->dangers.count && world->dangers.items[i].gone) i += 1;
  return i < world->dangers.count ? world->dangers.items[i].id : 0;
}

int lw_danger_count(const lw_world *world) {
  int count = 0;
  for (int i = 0; i < world->dangers.count; i++) count += !world->dangers.items[i].gone;
  return count;
}

/* --- death ------------------------------------------------------------------------------------------------------ */

lw_status lw_agent_kill(lw_world *world, lw_agent_id id) {
  lwi_agent *agent = lwi_world_agent(world, id);
  if (!agent || agent->doomed) return LW_STALE;
  lw_danger_def def = world->def.death_danger;
  def.at = agent->at.point;
  lw_danger_id danger;
  lw_status status = def.value > 0 ? lw_danger_add(world, &def, &danger, NULL) : LW_OK;
  lw_agent_despawn(world, id);
  return status;
}
