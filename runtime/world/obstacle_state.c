/* What is known of the obstacles of a world. */
#include "core/hash.h"
#include "world/world.h"

int lw_obstacle_outline(const lw_world *world, lw_obstacle_id id, lw_vec3 *corners, float *height) {
  if (height) *height = 0;
  if (!world || !corners) return 0;
  const uint32_t slot = lwi_obstacle_find(world, id);
  if (slot == LWI_NO_SLOT) return 0;
  const lwi_obstacle *obstacle = lwi_obstacle_at(world, slot);
  const lwi_footprint footprint = lwi_obstacle_footprint(&obstacle->def, lwi_obstacle_pose(world, obstacle), 0);
  for (int i = 0; i < footprint.count; i++)
    corners[i] =
        (lw_vec3){(float)footprint.sides[i].corner.x, footprint.low, (float)footprint.sides[i].corner.z};
  if (height) *height = footprint.high - footprint.low;
  return footprint.count;
}

lw_vec3 lwi_obstacle_velocity(const lw_world *world, const lwi_obstacle *obstacle) {
  const lwi_obstacle *head = obstacle->head == LWI_NO_SLOT ? obstacle : lwi_obstacle_at(world, obstacle->head);
  const lwi_agent *agent = lwi_world_agent(world, head->agent);
  if (agent) return agent->velocity;
  return head->moved > obstacle->moved ? head->velocity : obstacle->velocity;
}

/* Does it meet the ground of any navmesh? */
static bool touches(const lw_world *world, const lwi_obstacle *obstacle) {
  for (int i = 0; i < world->scene.nav_count; i++)
    if (lwi_live_meets_any(world->scene.navs[i].live, obstacle->number)) return true;
  return false;
}

lw_status lw_obstacle_get_state(const lw_world *world, lw_obstacle_id id, lw_obstacle_state *state) {
  if (state) *state = (lw_obstacle_state){.is_cut = false};
  if (!world || !state) return LW_INVALID;
  const uint32_t slot = lwi_obstacle_find(world, id);
  if (slot == LWI_NO_SLOT) return LW_STALE;
  const lwi_obstacle *obstacle = lwi_obstacle_at(world, slot);
  const lwi_pose now = lwi_obstacle_pose(world, obstacle);
  *state = (lw_obstacle_state){.def = obstacle->def,
                               .at = now.at,
                               .yaw = now.yaw,
                               .velocity = lwi_obstacle_velocity(world, obstacle),
                               .is_cut = obstacle->is_cut && touches(world, obstacle),
                               .cut_at = obstacle->cut.at,
                               .cut_yaw = obstacle->cut.yaw};
  state->def.carrier = obstacle->agent;
  state->def.attached_to = lw_obstacle_id_none();
  if (obstacle->head != LWI_NO_SLOT)
    state->def.attached_to = (lw_obstacle_id)LWI_ID(&world->obstacles.ids, obstacle->head);
  return LW_OK;
}

int lw_obstacle_count(const lw_world *world) {
  return world ? world->obstacles.ids.count - world->obstacles.hidden_count : 0;
}

lw_obstacle_id lw_obstacle_next(const lw_world *world, lw_obstacle_id id) {
  if (!world) return lw_obstacle_id_none();
  const lwi_id_pool *ids = &world->obstacles.ids;
  uint32_t slot = lwi_obstacle_find(world, id);
  if (slot == LWI_NO_SLOT && !lw_obstacle_id_is_none(id)) return lw_obstacle_id_none();
  do slot = slot == LWI_NO_SLOT ? ids->first : lwi_id_pool_next(ids, slot);
  while (slot != LWI_NO_SLOT && lwi_obstacle_is_hidden(lwi_obstacle_at(world, slot)));
  return slot == LWI_NO_SLOT ? lw_obstacle_id_none() : (lw_obstacle_id)LWI_ID(ids, slot);
}

/* Without slots: a saved world gives new obstacles other ones. */
static uint64_t hash_obstacle(const lw_world *world, uint64_t hash, const lwi_obstacle *obstacle) {
  const lwi_pose now = obstacle->now, cut_at = obstacle->cut;
  const lw_vec3 v = obstacle->velocity;
  const uint32_t head =
      obstacle->head == LWI_NO_SLOT ? LWI_NONE : lwi_obstacle_at(world, obstacle->head)->number;
  const lw_vec3 from = obstacle->from;
  const float numbers[] = {now.at.x, now.at.y, now.at.z, now.yaw,     from.x,      from.y,      from.z,
                           v.x,      v.y,      v.z,      cut_at.at.x, cut_at.at.y, cut_at.at.z, cut_at.yaw};
  const double times[] = {obstacle->moved, obstacle->from_time};
  const uint32_t words[] = {obstacle->number, obstacle->is_cut, obstacle->is_active, obstacle->is_removed,
                            head};
  hash = lwi_hash(hash, numbers, (obstacle->is_cut ? 14 : 10) * sizeof *numbers);
  if (obstacle->is_shown) {
    const lwi_pose shown = obstacle->shown, announced = obstacle->announced;
    const float poses[] = {shown.at.x,     shown.at.y,     shown.at.z,     shown.yaw,
                           announced.at.x, announced.at.y, announced.at.z, announced.yaw};
    const uint32_t sight[] = {obstacle->def.cover, lwi_obstacle_offers_cover(world, obstacle)};
    hash = lwi_hash(lwi_hash(hash, poses, sizeof poses), sight, sizeof sight);
  }
  return lwi_hash(lwi_hash(hash, times, sizeof times), words, sizeof words);
}

uint64_t lwi_world_obstacles_hash(const lw_world *world, uint64_t hash) {
  const lwi_id_pool *ids = &world->obstacles.ids;
  for (uint32_t i = ids->first; i != LWI_NO_SLOT; i = lwi_id_pool_next(ids, i))
    hash = hash_obstacle(world, hash, lwi_obstacle_at(world, i));
  return hash;
}
