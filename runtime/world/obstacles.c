/* Obstacles: they are added, moved and removed, and before each step it is found out which of them are cut out of the
   navmeshes, and where. Only those that something has happened to are looked at. */
#include "core/status.h"
#include "world/swap.h"

#include <math.h>

/* An obstacle that has turned by this is cut again. [rad] */
#define TURN 0.1f
/* An obstacle that is not moved for this long rests. [s] */
#define REST_AFTER 0.25
/* What is slower rests. [m/s] */
#define REST_SPEED 1e-3f
/* A resting obstacle that lies where it was cut, but for this, is not cut again. [m, and rad] */
#define SAME_POSE 1e-3f

/* --- poses ------------------------------------------------------------------------------------------------ */

/* Where something is whose offset from a pose is known. */
static lwi_pose from_offset(lwi_pose head, lwi_pose offset) {
  return (lwi_pose){lwi_add(head.at, lwi_turned(offset.at, head.yaw)), head.yaw + offset.yaw};
}
static lwi_pose offset_of(lwi_pose head, lwi_pose pose) {
  return (lwi_pose){lwi_turned(lwi_sub(pose.at, head.at), -head.yaw), pose.yaw - head.yaw};
}
static bool is_same_pose(lwi_pose a, lwi_pose b) {
  return lwi_distance(a.at, b.at) <= SAME_POSE && fabsf(a.yaw - b.yaw) <= SAME_POSE;
}

/* --- adding, moving, removing ----------------------------------------------------------------------------- */

bool lwi_obstacle_is_hidden(const lwi_obstacle *obstacle) {
  return obstacle->is_removed || obstacle->permutation != 0;
}

uint32_t lwi_obstacle_find(const lw_world *world, lw_obstacle_id id) {
  const uint32_t slot = LWI_FIND(&world->obstacles.ids, id);
  return slot == LWI_NO_SLOT || lwi_obstacle_is_hidden(lwi_obstacle_at(world, slot)) ? LWI_NO_SLOT : slot;
}

/* The next step looks at it. The list has space for all. */
static void activate(lw_world *world, uint32_t slot) {
  lwi_obstacles *obstacles = &world->obstacles;
  lwi_obstacle *obstacle = lwi_obstacle_at(world, slot);
  if (obstacle->head != LWI_NO_SLOT) {
    slot = obstacle->head;
    obstacle = lwi_obstacle_at(world, slot);
  }
  if (obstacle->is_active) return;
  obstacle->is_active = true;
  obstacles->active[obstacles->active_count++] = slot;
}

static bool reserve(lw_world *world, int count) {
  lwi_obstacles *obstacles = &world->obstacles;
  return lwi_reserve(&world->memory, &obstacles->items, &obstacles->capacity, count,
                     sizeof *obstacles->items) &&
         lwi_reserve(&world->memory, &obstacles->active, &obstacles->active_capacity, count,
                     sizeof *obstacles->active);
}

/* Where a carrier takes it. */
static lwi_pose pose_of_carrier(const lwi_agent *agent, const lwi_obstacle *obstacle) {
  return (lwi_pose){agent->at.point, agent->heading + obstacle->def.yaw};
}

lwi_pose lwi_obstacle_pose(const lw_world *world, const lwi_obstacle *obstacle) {
  const lwi_obstacle *head = obstacle->head == LWI_NO_SLOT ? obstacle : lwi_obstacle_at(world, obstacle->head);
  const lwi_agent *agent = lwi_world_agent(world, head->agent);
  if (!agent) return obstacle->now;
  const lwi_pose pose = pose_of_carrier(agent, head);
  return head == obstacle ? pose : from_offset(pose, obstacle->offset);
}

/* What it is carried by and attached to. */
static void tie(lw_world *world, uint32_t slot, lwi_agent *carrier, uint32_t head) {
  lwi_obstacle *obstacle = lwi_obstacle_at(world, slot);
  if (carrier) {
    obstacle->agent = carrier->id;
    obstacle->next_carried = carrier->ground.first_carried;
    carrier->ground.first_carried = slot;
    obstacle->now = pose_of_carrier(carrier, obstacle);
  }
  obstacle->head = head;
  if (head == LWI_NO_SLOT) return;
  lwi_obstacle *to = lwi_obstacle_at(world, head);
  obstacle->next_attached = to->first_attached;
  to->first_attached = slot;
  obstacle->offset = offset_of(lwi_obstacle_pose(world, to), obstacle->now);
}

lw_status lwi_world_check_area(const lw_world *world, const lw_obstacle_def *def, lw_error *error) {
  const int count = lw_area_table_count(world->scene.meshes[0]->areas);
  if (def->blocks || (def->area != LW_AREA_NONE && def->area <= count)) return LW_OK;
  if (def->area == LW_AREA_NONE && (def->cost > 0 || lwi_obstacle_cover(def) != LW_COVER_NONE)) return LW_OK;
  return lwi_fail(error, LW_INVALID,
                  "area is %d, expected 1 to %d, or a cost or a cover, for an obstacle that does not block",
                  (int)def->area, count);
}

static lw_status check_ties(const lw_world *world, const lw_obstacle_def *def, lwi_agent **carrier,
                            uint32_t *head, lw_error *error) {
  *carrier = lw_agent_id_is_none(def->carrier) ? NULL : lwi_world_agent(world, def->carrier);
  *head = LWI_NO_SLOT;
  if (!lw_agent_id_is_none(def->carrier) && (!*carrier || (*carrier)->removal.pending))
    return lwi_fail(error, LW_STALE, "carrier is gone, expected an agent of this world");
  if (lw_obstacle_id_is_none(def->attached_to)) return LW_OK;
  if (*carrier) return lwi_fail(error, LW_INVALID, "carrier and attached_to are given, expected one of them");
  *head = lwi_obstacle_find(world, def->attached_to);
  if (*head == LWI_NO_SLOT)
    return lwi_fail(error, LW_STALE, "attached_to is gone, expected an obstacle of this world");
  if (lwi_obstacle_at(world, *head)->head == LWI_NO_SLOT) return LW_OK;
  return lwi_fail(error, LW_INVALID, "attached_to is itself attached, expected what it is attached to");
}

/* Without its ties. @return Its slot, or LWI_NO_SLOT: no memory. */
static uint32_t list(lw_world *world, const lw_obstacle_def *def) {
  lwi_obstacles *obstacles = &world->obstacles;
  lwi_obstacle added = {.def = *def,
                        .now = {def->at, def->yaw},
                        .moved = world->time,
                        .from = def->at,
                        .from_time = world->time,
                        .agent = lw_agent_id_none(),
                        .next_carried = LWI_NO_SLOT,
                        .head = LWI_NO_SLOT,
                        .first_attached = LWI_NO_SLOT,
                        .next_attached = LWI_NO_SLOT};
  added.def.cover = lwi_obstacle_cover(def);
  if (!reserve(world, obstacles->ids.slot_count + 1) || !lwi_obstacle_own_points(&world->memory, &added.def))
    return LWI_NO_SLOT;
  added.number = lwi_number_set_take(&obstacles->numbers, &world->memory);
  const uint32_t slot =
      added.number == UINT32_MAX ? LWI_NO_SLOT : lwi_id_pool_add(&obstacles->ids, &world->memory);
  if (slot != LWI_NO_SLOT) {
    added.serial = ++obstacles->created;
    obstacles->items[slot] = added;
    return slot;
  }
  if (added.number != UINT32_MAX) lwi_number_set_give_back(&obstacles->numbers, added.number);
  lwi_obstacle_free_points(&world->memory, &added.def);
  return LWI_NO_SLOT;
}

lw_status lw_obstacle_add(lw_world *world, const lw_obstacle_def *def, lw_obstacle_id *id, lw_error *error) {
  if (!id) return lwi_fail_null(error, "obstacle");
  *id = lw_obstacle_id_none();
  if (!world) return lwi_fail_null(error, "world");
  if (!def) return lwi_fail_null(error, "def");
  lwi_agent *carrier;
  uint32_t head;
  lw_status status = lwi_obstacle_check(def, error);
  if (status == LW_OK) status = lwi_world_check_area(world, def, error);
  if (status == LW_OK) status = check_ties(world, def, &carrier, &head, error);
  if (status != LW_OK) return status;
  const uint32_t slot = list(world, def);
  if (slot == LWI_NO_SLOT) return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  tie(world, slot, carrier, head);
  activate(world, slot);
  *id = (lw_obstacle_id)LWI_ID(&world->obstacles.ids, slot);
  return LW_OK;
}

uint32_t lwi_world_create_obstacle(lw_world *world, const lw_obstacle_def *def, int permutation) {
  const uint32_t slot = list(world, def);
  if (slot == LWI_NO_SLOT) return slot;
  lwi_obstacle_at(world, slot)->permutation = permutation;
  world->obstacles.hidden_count += permutation != 0;
  activate(world, slot);
  return slot;
}

static void move_attached(lw_world *world, const lwi_obstacle *head) {
  for (uint32_t i = head->first_attached; i != LWI_NO_SLOT; i = lwi_obstacle_at(world, i)->next_attached) {
    lwi_obstacle *obstacle = lwi_obstacle_at(world, i);
    obstacle->now = from_offset(head->now, obstacle->offset);
  }
}

/* What would be faster did not move, but was put elsewhere. [m/s] */
#define SPEED_MAX 60.0

/* Its velocity is that since it was moved before, however many steps ago: a game's bodies may move at another rate. Moved
   again before the world steps, the last place counts. */
static void note_move(const lw_world *world, lwi_obstacle *obstacle, lw_vec3 to) {
  if (world->time > obstacle->moved) {
    obstacle->from = obstacle->now.at;
    obstacle->from_time = obstacle->moved;
    obstacle->moved = world->time;
  }
  const double elapsed = obstacle->moved - obstacle->from_time;
  const bool moves = (double)lwi_distance(obstacle->from, to) < SPEED_MAX * elapsed;
  obstacle->velocity = lwi_scale(lwi_sub(to, obstacle->from), moves ? (float)(1 / elapsed) : 0);
}

lw_status lw_obstacle_move(lw_world *world, lw_obstacle_id id, lw_vec3 at, float yaw, const lw_vec3 *velocity) {
  const lwi_pose pose = {at, yaw};
  if (!world || !lwi_pose_is_good(pose) || (velocity && !lwi_finite(*velocity))) return LW_INVALID;
  const uint32_t slot = lwi_obstacle_find(world, id);
  if (slot == LWI_NO_SLOT) return LW_STALE;
  lwi_obstacle *obstacle = lwi_obstacle_at(world, slot);
  if (!lw_agent_id_is_none(obstacle->agent)) return LW_INVALID;
  note_move(world, obstacle, at);
  obstacle->now = pose;
  if (velocity) obstacle->velocity = *velocity;
  if (obstacle->head != LWI_NO_SLOT)
    obstacle->offset =
        offset_of(lwi_obstacle_pose(world, lwi_obstacle_at(world, obstacle->head)), obstacle->now);
  move_attached(world, obstacle);
  activate(world, slot);
  return LW_OK;
}

/* The footprint stays until changes are applied. */
static void mark_removed(lw_world *world, uint32_t slot) {
  lwi_obstacle *obstacle = lwi_obstacle_at(world, slot);
  if (obstacle->is_removed) return;
  activate(world, slot);
  world->obstacles.hidden_count += !lwi_obstacle_is_hidden(obstacle);
  obstacle->is_removed = true;
}

void lwi_world_discard_obstacle(lw_world *world, uint32_t slot) {
  mark_removed(world, slot);
  for (uint32_t i = lwi_obstacle_at(world, slot)->first_attached; i != LWI_NO_SLOT;
       i = lwi_obstacle_at(world, i)->next_attached)
    mark_removed(world, i);
}

/* It only hides what is behind it, or was saved with an area that is no more. */
static bool marks_nothing(const lwi_obstacle *obstacle) {
  return !obstacle->def.blocks && obstacle->def.area == LW_AREA_NONE && !(obstacle->def.cost > 0);
}

static void drop_carrier(lw_world *world, lwi_obstacle *obstacle, uint32_t slot) {
  lwi_agent *agent = lwi_world_agent(world, obstacle->agent);
  if (!agent) return;
  uint32_t *link = &agent->ground.first_carried;
  while (*link != slot) link = &lwi_obstacle_at(world, *link)->next_carried;
  *link = obstacle->next_carried;
  obstacle->agent = lw_agent_id_none();
}

lw_status lw_obstacle_remove(lw_world *world, lw_obstacle_id id) {
  if (!world) return LW_INVALID;
  const uint32_t slot = lwi_obstacle_find(world, id);
  if (slot == LWI_NO_SLOT) return LW_STALE;
  lwi_obstacle *obstacle = lwi_obstacle_at(world, slot);
  drop_carrier(world, obstacle, slot);
  lwi_world_discard_obstacle(world, slot);
  return LW_OK;
}

void lwi_agent_drop_obstacles(lw_world *world, lwi_agent *agent) {
  while (agent->ground.first_carried != LWI_NO_SLOT) {
    const uint32_t slot = agent->ground.first_carried;
    lwi_obstacle *obstacle = lwi_obstacle_at(world, slot);
    obstacle->now = pose_of_carrier(agent, obstacle);
    move_attached(world, obstacle);
    obstacle->velocity = lwi_vec3(0, 0, 0);
    agent->ground.first_carried = obstacle->next_carried;
    obstacle->next_carried = LWI_NO_SLOT;
    obstacle->agent = lw_agent_id_none();
    activate(world, slot);
  }
}

/* --- rules of motion -------------------------------------------------------------------------------------- */

/* No corner of a footprint is further from the place of the obstacle: grown by a radius, corners are further out by at
   most 1.42 times that. [m] */
static float grown_reach(const lw_world *world, const lwi_obstacle *obstacle) {
  float radius = 0;
  for (int i = 0; i < world->scene.nav_count; i++) radius = fmaxf(radius, world->scene.meshes[i]->agent.radius);
  return lwi_obstacle_reach(&obstacle->def) + 1.5f * radius;
}

/* What is cut at a place, or no longer, changes the cover that ground beside it is for. */
static void touch_cover(lw_world *world, const lwi_obstacle *obstacle, lw_vec3 at) {
  const float reach = grown_reach(world, obstacle);
  lwi_screens_touch(&world->scene.sight.screens,
                    (lwi_rectangle){at.x - reach, at.z - reach, at.x + reach, at.z + reach});
}

/* Agents are to know that its footprint was put in, or taken out. @return false: no memory. */
static bool note_ground(lw_world *world, const lwi_obstacle *obstacle, lw_vec3 at, bool is_put_in) {
  const lwi_changed_disc disc = {.shape = {.from = at, .to = at, .radius = grown_reach(world, obstacle)},
                                 .number = obstacle->number,
                                 .is_price = !obstacle->def.blocks};
  lwi_obstacles *obstacles = &world->obstacles;
  if (marks_nothing(obstacle)) return true;
  if (is_put_in && !lwi_world_note_ground(world, &obstacles->closed, &disc)) return false;
  /* Ground with another price may be cheaper, too. */
  return (is_put_in && !disc.is_price) || lwi_world_note_ground(world, &obstacles->opened, &disc);
}

/* @return false: no memory. */
static bool take_out(lw_world *world, uint32_t slot) {
  lwi_obstacle *obstacle = lwi_obstacle_at(world, slot);
  if (!obstacle->is_cut) return true;
  if (!note_ground(world, obstacle, obstacle->cut.at, false)) return false;
  lwi_link_arcs_note(world, slot, false);
  for (int i = 0; i < world->scene.nav_count; i++)
    lwi_live_set(world->scene.navs[i].live, obstacle->number, NULL);
  touch_cover(world, obstacle, obstacle->cut.at);
  obstacle->is_cut = false;
  world->scene.area_notes[obstacle->def.area].marks -= 1;
  return true;
}

static lwi_footprint footprint_on(const lwi_obstacle *obstacle, lwi_pose pose, const lw_navmesh *base) {
  const double grow = obstacle->def.blocks ? (double)base->agent.radius : 0;
  lwi_footprint footprint = lwi_obstacle_footprint(&obstacle->def, pose, grow);
  footprint.order = obstacle->serial;
  return footprint;
}

/* @return false: no memory; then it is not cut. */
static bool cut(lw_world *world, uint32_t slot, lwi_pose pose) {
  lwi_obstacle *obstacle = lwi_obstacle_at(world, slot);
  if (!take_out(world, slot) || !note_ground(world, obstacle, pose.at, true)) return false;
  obstacle->cut = pose;
  obstacle->is_cut = true;
  touch_cover(world, obstacle, pose.at);
  world->scene.area_notes[obstacle->def.area].marks += 1; /* that of LW_AREA_NONE does not matter */
  if (marks_nothing(obstacle)) return true;
  world->obstacles.any_marked |= obstacle->def.area != LW_AREA_NONE;
  for (int i = 0; i < world->scene.nav_count; i++) {
    const lwi_nav *nav = &world->scene.navs[i];
    const lwi_footprint footprint = footprint_on(obstacle, pose, nav->base);
    if (footprint.count == 0 || lwi_live_set(nav->live, obstacle->number, &footprint)) continue;
    while (i-- > 0) lwi_live_set(world->scene.navs[i].live, obstacle->number, NULL);
    obstacle->is_cut = false;
    world->scene.area_notes[obstacle->def.area].marks -= 1;
    return false;
  }
  lwi_link_arcs_note(world, slot, true);
  return true;
}

bool lwi_world_cut_out_of(const lw_world *world, lwi_live *live, const lw_navmesh *base) {
  const lwi_id_pool *ids = &world->obstacles.ids;
  for (uint32_t i = ids->first; i != LWI_NO_SLOT; i = lwi_id_pool_next(ids, i)) {
    const lwi_obstacle *obstacle = lwi_obstacle_at(world, i);
    if (!obstacle->is_cut || marks_nothing(obstacle)) continue;
    const lwi_footprint footprint = footprint_on(obstacle, obstacle->cut, base);
    if (footprint.count > 0 && !lwi_live_set(live, obstacle->number, &footprint)) return false;
  }
  return true;
}

/* Those of a head and all that is attached to it. */
typedef struct group_motion {
  bool is_fast; /* too fast for one of them */
  bool rests;
  bool has_moved; /* one of them has to be cut again */
} group_motion;

static void add_motion(const lw_world *world, lwi_obstacle *obstacle, group_motion *motion) {
  if (world->time - obstacle->moved >= REST_AFTER) obstacle->velocity = lwi_vec3(0, 0, 0);
  const float speed = lwi_length(obstacle->velocity);
  const lwi_pose now = obstacle->now, cut_at = obstacle->cut;
  motion->is_fast |= speed > obstacle->def.max_speed;
  motion->rests &= speed <= REST_SPEED;
  motion->has_moved |=
      !obstacle->is_cut || fabsf(now.yaw - cut_at.yaw) >= TURN ||
      (lwi_distance(now.at, cut_at.at) >= obstacle->def.min_move && !is_same_pose(now, cut_at));
}

/* Is the carrier at rest, so that what it carries is in the way? */
static bool is_set_down(const lw_world *world, const lwi_obstacle *obstacle) {
  const lwi_agent *agent = lwi_world_agent(world, obstacle->agent);
  return !agent || (agent->move != LW_MOVE_WALKING && !agent->link.active);
}

static bool renew(lw_world *world, uint32_t slot, const group_motion *motion, bool is_out) {
  lwi_obstacle *obstacle = lwi_obstacle_at(world, slot);
  if (is_out || obstacle->is_removed) return take_out(world, slot);
  const bool differs = motion->rests && !(obstacle->is_cut && is_same_pose(obstacle->now, obstacle->cut));
  return motion->has_moved || differs ? cut(world, slot, obstacle->now) : true;
}

/* Drop those that were removed from the list of what is attached to a head, and free them. */
static void free_removed(lw_world *world, uint32_t *first) {
  for (uint32_t *link = first; *link != LWI_NO_SLOT;) {
    const uint32_t slot = *link;
    lwi_obstacle *obstacle = lwi_obstacle_at(world, slot);
    if (!obstacle->is_removed) {
      link = &obstacle->next_attached;
      continue;
    }
    *link = obstacle->next_attached;
    lwi_number_set_give_back(&world->obstacles.numbers, obstacle->number);
    lwi_obstacle_free_points(&world->memory, &obstacle->def);
    lwi_id_pool_remove(&world->obstacles.ids, slot);
    world->obstacles.hidden_count -= 1;
  }
}

static group_motion motion_of(lw_world *world, uint32_t head) {
  group_motion motion = {.rests = true};
  lwi_obstacle *obstacle = lwi_obstacle_at(world, head);
  const lwi_agent *agent = lwi_world_agent(world, obstacle->agent);
  if (agent) obstacle->now = pose_of_carrier(agent, obstacle);
  if (agent) obstacle->velocity = lwi_vec3(0, 0, 0);
  if (agent) move_attached(world, obstacle);
  add_motion(world, obstacle, &motion);
  for (uint32_t i = obstacle->first_attached; i != LWI_NO_SLOT; i = lwi_obstacle_at(world, i)->next_attached)
    add_motion(world, lwi_obstacle_at(world, i), &motion);
  return motion;
}

static bool show_group(lw_world *world, uint32_t head, bool rests) {
  bool done = lwi_obstacle_show(world, head, rests);
  for (uint32_t i = lwi_obstacle_at(world, head)->first_attached; i != LWI_NO_SLOT && done;
       i = lwi_obstacle_at(world, i)->next_attached)
    done = lwi_obstacle_show(world, i, rests);
  return done;
}

/* @return false: no memory; then it is looked at again. */
static bool renew_group(lw_world *world, uint32_t head, bool *stays) {
  const group_motion motion = motion_of(world, head);
  lwi_obstacle *obstacle = lwi_obstacle_at(world, head);
  const bool is_out = motion.is_fast || !is_set_down(world, obstacle);
  bool done = renew(world, head, &motion, is_out);
  for (uint32_t i = obstacle->first_attached; i != LWI_NO_SLOT && done;
       i = lwi_obstacle_at(world, i)->next_attached)
    done = renew(world, i, &motion, is_out);
  done = done && show_group(world, head, motion.rests && !is_out);
  *stays = !done || !motion.rests || !lw_agent_id_is_none(obstacle->agent) || obstacle->awaits != 0;
  return done;
}

static bool renew_all(lw_world *world) {
  lwi_obstacles *obstacles = &world->obstacles;
  bool done = true;
  int kept = 0;
  for (int i = 0; i < obstacles->active_count; i++) {
    const uint32_t slot = obstacles->active[i];
    bool stays = true;
    done = done && renew_group(world, slot, &stays);
    lwi_obstacle *head = lwi_obstacle_at(world, slot);
    if (done) free_removed(world, &head->first_attached);
    head->is_active = stays && !(done && head->is_removed);
    if (head->is_active) obstacles->active[kept++] = slot;
    uint32_t own = slot;
    if (done && head->is_removed) {
      head->next_attached = LWI_NO_SLOT;
      free_removed(world, &own);
    }
  }
  obstacles->active_count = kept;
  return done;
}

bool lwi_world_apply(lw_world *world) {
  const uint64_t before = world->scene.changes;
  lwi_planner_take_up(world);
  if (!lwi_world_swap(world)) return false;
  bool renewed = renew_all(world);
  renewed &= lwi_link_arcs_settle(world); /* what was renewed may stand in the arcs of links */
  renewed &= lwi_world_links_apply(world);
  const bool applied = lwi_scene_apply(&world->scene, &world->memory);
  if (!applied) {
    world->ground_missed = true;
    return false;
  }
  if (world->ground_missed || world->scene.changes != before) lwi_world_ground_changed(world);
  world->ground_missed = false;
  lwi_world_forget_ground(world);
  lwi_world_links_forget(world);
  lwi_world_sight_changed(world);
  return renewed;
}

lw_status lw_world_apply_changes(lw_world *world) {
  if (!world || lwi_world_is_busy(world) || world->closing) return LW_INVALID;
  if (!lwi_world_apply(world)) return LW_OUT_OF_MEMORY;
  lwi_world_enter(world);
  world->scene.stepping = true; /* what is called is inside */
  lwi_world_permuted(world);
  world->scene.stepping = false;
  return lwi_world_leave(world) ? LW_OK : LW_STALE;
}

/* --- restoring and freeing -------------------------------------------------------------------------------- */

static void clear(lw_world *world) {
  lwi_obstacles *obstacles = &world->obstacles;
  while (obstacles->ids.count > 0) {
    const uint32_t slot = obstacles->ids.first;
    const lwi_obstacle *obstacle = lwi_obstacle_at(world, slot);
    for (int i = 0; i < world->scene.nav_count && obstacle->is_cut; i++)
      lwi_live_set(world->scene.navs[i].live, obstacle->number, NULL);
    world->scene.area_notes[obstacle->def.area].marks -= obstacle->is_cut;
    lwi_obstacle_free_points(&world->memory, &obstacle->def);
    lwi_id_pool_remove(&obstacles->ids, slot);
  }
  for (lwi_agent *agent = NULL; (agent = lwi_next_agent(world, agent));)
    agent->ground.first_carried = LWI_NO_SLOT;
  lwi_number_set_clear(&obstacles->numbers);
  lwi_link_arcs_forget(world);
  lwi_screens_clear(&world->scene.sight.screens);
  obstacles->active_count = obstacles->hidden_count = 0;
}

/* Numbers, points, and what they are cut out of. @return false: no memory. */
static bool restore_items(lw_world *world, const lwi_obstacles_state *from) {
  lwi_obstacles *obstacles = &world->obstacles;
  bool good = true;
  for (int i = 0; i < from->count; i++) obstacles->items[from->order[i]] = from->items[from->order[i]];
  for (int i = 0; i < from->count; i++) {
    const uint32_t slot = from->order[i];
    lwi_obstacle *obstacle = &obstacles->items[slot];
    obstacle->is_active = obstacle->is_cut = false;
    obstacle->serial = ++obstacles->created;
    obstacle->def.area = from->areas[obstacle->def.area];
    const bool has_points = lwi_obstacle_own_points(&world->memory, &obstacle->def);
    good =
        good && has_points && lwi_number_set_take_this(&obstacles->numbers, &world->memory, obstacle->number);
    obstacles->hidden_count += lwi_obstacle_is_hidden(obstacle);
    if (good && from->items[slot].is_cut) good = cut(world, slot, obstacle->cut);
    if (good && obstacle->is_shown) good = lwi_obstacle_restore_sight(world, slot, from->offers[slot]);
    if (obstacle->head == LWI_NO_SLOT) continue;
    obstacle->next_attached = obstacles->items[obstacle->head].first_attached;
    obstacles->items[obstacle->head].first_attached = slot;
  }
  return good;
}

bool lwi_world_obstacles_restore(lw_world *world, const lwi_obstacles_state *from) {
  lwi_obstacles *obstacles = &world->obstacles;
  clear(world);
  if (!reserve(world, from->slot_count) || !lwi_id_pool_restore(&obstacles->ids, &world->memory, from->states,
                                                                from->slot_count, from->order, from->count))
    return false;
  if (!restore_items(world, from)) {
    clear(world);
    return false;
  }
  for (int i = 0; i < from->count; i++) {
    const uint32_t slot = from->order[i];
    if (from->items[slot].is_active) activate(world, slot);
    const lwi_obstacle *obstacle = lwi_obstacle_at(world, slot);
    if (marks_nothing(obstacle) && lwi_obstacle_cover(&obstacle->def) == LW_COVER_NONE)
      lwi_world_discard_obstacle(world, slot);
  }
  /* Listed in the next step, links' arcs would forget the clearances that the search in progress has measured by then. */
  return lwi_link_arcs_settle(world) && lwi_scene_apply(&world->scene, &world->memory);
}

void lwi_world_restore_carried(lw_world *world, lwi_agent *agent, int index, uint32_t slot) {
  const lwi_id_pool *ids = &world->obstacles.ids;
  if (slot >= (uint32_t)ids->slot_count || ids->slots[slot].generation == 0) return;
  lwi_obstacle *obstacle = lwi_obstacle_at(world, slot);
  if (obstacle->awaits != index + 1) return;
  obstacle->awaits = 0;
  obstacle->agent = agent->id;
  obstacle->next_carried = agent->ground.first_carried;
  agent->ground.first_carried = slot;
  for (uint32_t k = slot; k != LWI_NO_SLOT;
       k = k == slot ? obstacle->first_attached : lwi_obstacle_at(world, k)->next_attached)
    lwi_obstacle_restore_sight(world, k, lwi_obstacle_offers_cover(world, lwi_obstacle_at(world, k)));
}

void lwi_world_obstacles_free(lw_world *world) {
  lwi_obstacles *obstacles = &world->obstacles;
  lwi_memory *memory = &world->memory;
  for (uint32_t i = obstacles->ids.first; i != LWI_NO_SLOT; i = lwi_id_pool_next(&obstacles->ids, i))
    lwi_obstacle_free_points(memory, &lwi_obstacle_at(world, i)->def);
  lwi_id_pool_free(&obstacles->ids, memory);
  lwi_number_set_free(&obstacles->numbers, memory);
  lwi_disc_list_free(&obstacles->opened, memory);
  lwi_disc_list_free(&obstacles->closed, memory);
  lwi_rectangle_tree_free(&obstacles->sight_changes.tree, memory);
  lwi_free(memory, obstacles->sight_changes.items,
           (size_t)obstacles->sight_changes.capacity * sizeof *obstacles->sight_changes.items);
  lwi_free(memory, obstacles->items, (size_t)obstacles->capacity * sizeof *obstacles->items);
  lwi_free(memory, obstacles->active, (size_t)obstacles->active_capacity * sizeof *obstacles->active);
}
