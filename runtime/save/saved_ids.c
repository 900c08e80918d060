/* What has ids in a world's file, in order of creation: dangers, fire lanes, threats; obstacles have a file of their
   own. */
#include "save/saved.h"

#include <math.h>

/* --- ids -------------------------------------------------------------------------------------------------- */

void lwi_saved_put_ids(lwi_bytes *to, const lwi_id_pool *ids) {
  lwi_put_u32(to, (uint32_t)ids->slot_count);
  for (int i = 0; i < ids->slot_count; i++) {
    lwi_put(to, ids->slots[i].generation, 3);
    lwi_put(to, ids->slots[i].newest, 3);
  }
  lwi_put_u32(to, (uint32_t)ids->count);
  for (uint32_t i = ids->first; i != LWI_NO_SLOT; i = lwi_id_pool_next(ids, i)) lwi_put_u32(to, i);
}

static const char *read_states(lw_saved *saved, lwi_reader *from, lwi_saved_ids *ids) {
  uint32_t slots = lwi_get_u32(from);
  if (slots > LWI_MAX_SLOTS) return "it has more slots than ids can name";
  for (uint32_t i = 0; i < slots && !from->failed; i++) {
    lwi_id_state state = {.generation = (uint32_t)lwi_get(from, 3), .newest = (uint32_t)lwi_get(from, 3)};
    if (state.generation > state.newest) return "an id is newer than all";
    if (!lwi_reserve(&saved->memory, &ids->states, &ids->state_capacity, ids->slot_count + 1, sizeof state))
      return "";
    ids->states[ids->slot_count++] = state;
  }
  return NULL;
}

const char *lwi_saved_read_ids(lw_saved *saved, lwi_reader *from, lwi_saved_ids *ids) {
  const char *wrong = read_states(saved, from, ids);
  uint32_t count = lwi_get_u32(from);
  for (uint32_t i = 0; i < count && !from->failed && !wrong; i++) {
    uint32_t slot = lwi_get_u32(from);
    if (from->failed) break;
    if (!lwi_saved_has_id(ids, slot) || ids->states[slot].listed) return "an id is unknown or there twice";
    if (!lwi_reserve(&saved->memory, &ids->order, &ids->order_capacity, ids->count + 1, sizeof slot)) return "";
    ids->states[slot].listed = true;
    ids->order[ids->count++] = slot;
  }
  for (int i = 0; i < ids->slot_count && !from->failed && !wrong; i++)
    if (ids->states[i].generation > 0 && !ids->states[i].listed) wrong = "an id is missing";
  return wrong;
}

void lwi_saved_free_ids(lw_saved *saved, lwi_saved_ids *ids) {
  lwi_free(&saved->memory, ids->states, (size_t)ids->state_capacity * sizeof *ids->states);
  lwi_free(&saved->memory, ids->order, (size_t)ids->order_capacity * sizeof *ids->order);
}

/* --- timed regions ---------------------------------------------------------------------------------------- */

static void put_regions(lwi_bytes *to, const lw_world *world, lwi_timed_kind kind) {
  const lwi_timed_set *set = &world->scene.timed[kind];
  lwi_saved_put_ids(to, &set->ids);
  for (uint32_t i = set->ids.first; i != LWI_NO_SLOT; i = lwi_id_pool_next(&set->ids, i)) {
    const lwi_timed_region *item = &world->regions.of[kind].items[i];
    const lwi_timed_shape *shape = &set->shapes[i];
    lwi_put_double(to, item->since);
    lwi_put_vec3(to, shape->from);
    lwi_put_vec3(to, shape->to);
    lwi_put_float(to, shape->radius);
    lwi_put_float(to, shape->height);
    lwi_put_float(to, item->strength);
    lwi_put_float(to, item->seconds);
  }
}

void lwi_saved_put_dangers(lwi_bytes *to, const lw_world *world) {
  put_regions(to, world, LWI_DANGER);
}

void lwi_saved_put_lanes(lwi_bytes *to, const lw_world *world) {
  put_regions(to, world, LWI_FIRE_LANE);
}

static bool is_region(lwi_timed_kind kind, const lwi_timed_region *item, const lwi_timed_shape *shape) {
  if (kind == LWI_DANGER) {
    lw_danger_def def = lw_danger_def_default();
    def.at = shape->from;
    def.radius = shape->radius;
    def.height = shape->height;
    def.value = item->strength;
    def.half_life = item->seconds;
    return lwi_equal(shape->from, shape->to) && lwi_danger_check(&def, NULL) == LW_OK;
  }
  lw_fire_lane_def def = lw_fire_lane_def_default();
  def.from = shape->from;
  def.to = shape->to;
  def.radius = shape->radius;
  def.seconds = item->seconds;
  def.weight = item->strength;
  return shape->height == 0 && lwi_fire_lane_check(&def, NULL) == LW_OK;
}

static const char *read_regions(lw_saved *saved, lwi_reader *from, lwi_timed_kind kind) {
  lwi_saved_regions *regions = &saved->regions[kind];
  const char *wrong = lwi_saved_read_ids(saved, from, &regions->ids);
  if (wrong || from->failed) return wrong;
  int slots = regions->ids.slot_count;
  if (!lwi_reserve(&saved->memory, &regions->items, &regions->item_capacity, slots, sizeof *regions->items) ||
      !lwi_reserve(&saved->memory, &regions->shapes, &regions->shape_capacity, slots, sizeof *regions->shapes))
    return "";
  for (int i = 0; i < regions->ids.count; i++) {
    lwi_timed_region item = {.since = lwi_get_double(from)};
    lwi_timed_shape shape = {.from = lwi_get_vec3(from)};
    shape.to = lwi_get_vec3(from);
    shape.radius = lwi_get_float(from);
    shape.height = lwi_get_float(from);
    item.strength = lwi_get_float(from);
    item.seconds = lwi_get_float(from);
    if (from->failed) break;
    const bool has_begun = item.since >= 0 && item.since <= saved->clock.time;
    if (!has_begun || !is_region(kind, &item, &shape)) return "a number is out of range";
    regions->items[regions->ids.order[i]] = item;
    regions->shapes[regions->ids.order[i]] = shape;
  }
  return NULL;
}

const char *lwi_saved_read_dangers(lw_saved *saved, lwi_reader *from) {
  return read_regions(saved, from, LWI_DANGER);
}

const char *lwi_saved_read_lanes(lw_saved *saved, lwi_reader *from) {
  return read_regions(saved, from, LWI_FIRE_LANE);
}

bool lwi_saved_restore_regions(lw_world *world, const lw_saved *saved) {
  for (int kind = 0; kind < LWI_TIMED_KINDS; kind++) {
    const lwi_saved_regions *of = &saved->regions[kind];
    const lwi_timed_state state = {.states = of->ids.states,
                                   .items = of->items,
                                   .shapes = of->shapes,
                                   .slot_count = of->ids.slot_count,
                                   .order = of->ids.order,
                                   .count = of->ids.count};
    if (!lwi_world_regions_restore(world, (lwi_timed_kind)kind, &state)) return false;
  }
  return true;
}

/* --- threats ---------------------------------------------------------------------------------------------- */

void lwi_saved_put_threat(lwi_bytes *to, const lw_threat *threat) {
  lwi_put_vec3(to, threat->at);
  lwi_put_vec3(to, threat->facing);
  lwi_put_float(to, threat->half_angle);
  lwi_put_float(to, threat->range);
  lwi_put_float(to, threat->weight);
}

lw_threat lwi_saved_get_threat(lwi_reader *from) {
  lw_threat threat = lw_threat_default();
  threat.at = lwi_get_vec3(from);
  threat.facing = lwi_get_vec3(from);
  threat.half_angle = lwi_get_float(from);
  threat.range = lwi_get_float(from);
  threat.weight = lwi_get_float(from);
  return threat;
}

void lwi_saved_put_threats(lwi_bytes *to, const lw_world *world) {
  const lwi_id_pool *ids = &world->threats.ids;
  lwi_put_u64(to, world->threats.created);
  lwi_saved_put_ids(to, ids);
  for (uint32_t i = ids->first; i != LWI_NO_SLOT; i = lwi_id_pool_next(ids, i)) {
    const lwi_threat *threat = lwi_threat_at(world, i);
    lwi_put_u64(to, threat->serial);
    lwi_put_u32(to, threat->awaits || !lw_agent_id_is_none(threat->agent));
    lwi_put_u32(to, threat->public);
    lwi_put_text(to, lwi_threat_team(world, threat));
    lwi_put_float(to, threat->tolerance);
    lwi_saved_put_threat(to, &threat->now);
    lwi_saved_put_threat(to, &threat->announced);
  }
}

/* @param last  The serial number of the threat before it. */
static const char *read_threat(lw_saved *saved, lwi_reader *from, uint64_t last, lwi_saved_threat *threat) {
  char team[256];
  lwi_threat *as = &threat->as;
  *threat = (lwi_saved_threat){.as.serial = lwi_get_u64(from)};
  uint32_t is_eye = lwi_get_u32(from), public = lwi_get_u32(from);
  lwi_get_text(from, team);
  as->tolerance = lwi_get_float(from);
  as->now = lwi_saved_get_threat(from);
  as->announced = lwi_saved_get_threat(from);
  if (from->failed) return NULL;
  if (as->serial <= last || as->serial > saved->threats.created || is_eye > 1 || public > 1 ||
      strlen(team) >= sizeof threat->team || !(as->tolerance >= 0 && isfinite(as->tolerance)) ||
      !lwi_threat_check(&as->now, false) || !lwi_threat_check(&as->announced, false))
    return "a number is out of range";
  as->awaits = is_eye ? LWI_AWAITS_NOBODY : 0;
  as->public = public == 1;
  memcpy(threat->team, team, strlen(team) + 1);
  return NULL;
}

const char *lwi_saved_read_threats(lw_saved *saved, lwi_reader *from) {
  saved->threats.created = lwi_get_u64(from);
  const char *wrong = lwi_saved_read_ids(saved, from, &saved->threats.ids);
  if (wrong || from->failed) return wrong;
  if (saved->threats.created > LWI_SAVED_COUNT_MAX) return "their count is out of range";
  if (!lwi_reserve(&saved->memory, &saved->threats.items, &saved->threats.capacity,
                   saved->threats.ids.slot_count, sizeof *saved->threats.items))
    return "";
  uint64_t last = 0;
  for (int i = 0; i < saved->threats.ids.count && !from->failed && !wrong; i++) {
    lwi_saved_threat *threat = &saved->threats.items[saved->threats.ids.order[i]];
    wrong = read_threat(saved, from, last, threat);
    last = threat->as.serial;
  }
  return wrong;
}

bool lwi_saved_restore_threats(lw_world *world, const lw_saved *saved) {
  const lwi_saved_ids *ids = &saved->threats.ids;
  const lwi_threats_state state = {.states = ids->states,
                                   .threats = saved->threats.items,
                                   .slot_count = ids->slot_count,
                                   .order = ids->order,
                                   .count = ids->count,
                                   .created = saved->threats.created};
  return lwi_world_threats_restore(world, &state);
}

void lwi_saved_ids_free(lw_saved *saved) {
  for (int kind = 0; kind < LWI_TIMED_KINDS; kind++) {
    lwi_saved_regions *regions = &saved->regions[kind];
    lwi_saved_free_ids(saved, &regions->ids);
    lwi_free(&saved->memory, regions->items, (size_t)regions->item_capacity * sizeof *regions->items);
    lwi_free(&saved->memory, regions->shapes, (size_t)regions->shape_capacity * sizeof *regions->shapes);
  }
  lwi_saved_free_ids(saved, &saved->threats.ids);
  lwi_free(&saved->memory, saved->threats.items,
           (size_t)saved->threats.capacity * sizeof *saved->threats.items);
}
