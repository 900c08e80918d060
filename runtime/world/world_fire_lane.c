/* The fire lanes of a world: they come, end, and agents that they concern search anew. */
#include "core/hash.h"
#include "core/status.h"
#include "world/world.h"

#include <string.h>

static int index_of(const lw_world *world, lw_fire_lane_id id) {
  const lwi_lanes_of_world *list = &world->lanes;
  for (int i = 0; i < list->count; i++)
    if (list->items[i].id == id) return list->items[i].gone ? -1 : i;
  return -1;
}

/* Does what the agent still has to walk lead through the lane? */
static bool leads_through(const lwi_agent *agent, const lwi_lane *lane) {
  const lw_path *path = agent->path;
  lw_vec3 from = lwi_agent_footing(agent).point;
  for (int i = agent->next_point; i < path->point_count; i++) {
    if (!lwi_path_link_at(path, i - 1) && lwi_lane_metres(lane, from, path->points[i]) > 0) return true;
    from = path->points[i];
  }
  return false;
}

static void tell_agents(lw_world *world, const lwi_lane *lane) {
  for (int i = 0; i < world->agent_count; i++) {
    lwi_agent *agent = world->agents[i];
    if (agent->move != LW_MOVE_WALKING || agent->stale || !(agent->profile->def.cover_bias > 1)) continue;
    if (leads_through(agent, lane)) {
      agent->stale = LWI_ALARMED;
      world->any_stale = true;
    }
  }
}

static bool add_rings(lw_world *world, uint32_t number, const lwi_lane *lane) {
  const lwi_outline outline = lwi_lane_outline(lane);
  for (int i = 0; i < world->ground_count; i++) {
    if (lwi_rings_add(&world->grounds[i].lane_rings, number, &outline)) continue;
    while (i-- > 0) lwi_rings_remove(&world->grounds[i].lane_rings, number);
    return false;
  }
  return true;
}

/* From now on it counts. */
static void admit(lw_world *world, int index) {
  lwi_lanes_of_world *list = &world->lanes;
  list->lanes[index].weight = list->items[index].def.weight;
  tell_agents(world, &list->lanes[index]);
}

bool lwi_world_lane_put_back(lw_world *world, const lwi_fire_lane *saved) {
  lwi_lanes_of_world *list = &world->lanes;
  const lwi_lane lane = {saved->def.from, saved->def.to, saved->def.radius, 0};
  if (!lwi_reserve(&world->memory, &list->items, &list->item_capacity, list->count + 1, sizeof *list->items) ||
      !lwi_reserve(&world->memory, &list->lanes, &list->lane_capacity, list->count + 1, sizeof *list->lanes) ||
      !add_rings(world, (uint32_t)list->count, &lane))
    return false;
  list->items[list->count] = *saved;
  list->lanes[list->count++] = lane;
  if (!world->stepping) admit(world, list->count - 1);
  return true;
}

lw_status lw_fire_lane_add(lw_world *world, const lw_fire_lane_def *def, lw_fire_lane_id *id, lw_error *error) {
  *id = 0;
  lw_status status = lwi_lane_check(def, error);
  if (status != LW_OK) return status;
  const lwi_fire_lane added = {.id = world->lanes.made + 1, .def = *def, .since = world->time};
  if (!lwi_world_lane_put_back(world, &added)) return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  *id = world->lanes.made = added.id;
  return LW_OK;
}

static void drop(lw_world *world, int index) {
  lwi_lanes_of_world *list = &world->lanes;
  size_t behind = (size_t)(list->count - index - 1);
  for (int i = 0; i < world->ground_count; i++)
    lwi_rings_remove(&world->grounds[i].lane_rings, (uint32_t)index);
  memmove(list->items + index, list->items + index + 1, behind * sizeof *list->items);
  memmove(list->lanes + index, list->lanes + index + 1, behind * sizeof *list->lanes);
  list->count -= 1;
}

lw_status lw_fire_lane_remove(lw_world *world, lw_fire_lane_id id) {
  int index = index_of(world, id);
  if (index < 0) return LW_STALE;
  world->lanes.items[index].gone = true;
  if (!world->stepping) drop(world, index);
  return LW_OK;
}

static double left_of(const lw_world *world, const lwi_fire_lane *lane) {
  return (double)lane->def.seconds - (world->time - lane->since);
}

void lwi_world_lanes_clear(lw_world *world) {
  while (world->lanes.count > 0) drop(world, world->lanes.count - 1);
}

void lwi_world_lanes_step(lw_world *world) {
  for (int i = world->lanes.count - 1; i >= 0; i--) {
    const lwi_fire_lane *lane = &world->lanes.items[i];
    if (lane->gone || left_of(world, lane) <= 0)
      drop(world, i);
    else if (world->lanes.lanes[i].weight == 0)
      admit(world, i);
  }
}

void lwi_world_lanes_free(lw_world *world) {
  lwi_lanes_of_world *list = &world->lanes;
  lwi_free(&world->memory, list->items, (size_t)list->item_capacity * sizeof *list->items);
  lwi_free(&world->memory, list->lanes, (size_t)list->lane_capacity * sizeof *list->lanes);
}

bool lwi_world_lanes(const lw_world *world, const lwi_ground *ground, const lw_profile *profile,
                     lwi_lanes *lanes) {
  *lanes = (lwi_lanes){.rings = &ground->lane_rings,
                       .lanes = world->lanes.lanes,
                       .count = world->lanes.count,
                       .factor = profile ? profile->def.cover_bias - 1 : 0};
  return lanes->factor > 0 && ground->lane_rings.ring_count > 0;
}

uint64_t lwi_world_lanes_hash(const lw_world *world, uint64_t hash) {
  const lwi_lanes_of_world *list = &world->lanes;
  for (int i = 0; i < list->count; i++) {
    const lwi_fire_lane *lane = &list->items[i];
    const lw_fire_lane_def *def = &lane->def;
    const float numbers[] = {def->from.x, def->from.y, def->from.z,  def->to.x,   def->to.y,
                             def->to.z,   def->radius, def->seconds, def->weight, (float)lane->gone};
    hash = lwi_hash(hash, &lane->since, sizeof lane->since);
    hash = lwi_hash(hash, numbers, sizeof numbers);
  }
  return hash;
}

lw_status lw_fire_lane_get_state(const lw_world *world, lw_fire_lane_id id, lw_fire_lane_state *state) {
  int index = index_of(world, id);
  if (index < 0) return LW_STALE;
  const lwi_fire_lane *lane = &world->lanes.items[index];
  *state = (lw_fire_lane_state){lane->def, lane->since, (float)left_of(world, lane)};
  return LW_OK;
}

lw_fire_lane_id lw_fire_lane_next(const lw_world *world, lw_fire_lane_id id) {
  int i = id ? index_of(world, id) : -1;
  if (id && i < 0) return 0;
  for (i += 1; i < world->lanes.count; i++)
    if (!world->lanes.items[i].gone) return world->lanes.items[i].id;
  return 0;
}

int lw_fire_lane_count(const lw_world *world) {
  int count = 0;
  for (int i = 0; i < world->lanes.count; i++) count += !world->lanes.items[i].gone;
  return count;
}
