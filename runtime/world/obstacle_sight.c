/* What obstacles hide: each is a screen where it was when changes were last applied. What one begins to hide, or ceases to,
   is news to agents that mind threats; a place at its side is nobody's any more when it moves away. */
#include "core/status.h"
#include "world/world.h"

#include <math.h>

/* What it hides is news when it has moved by this, or by its `min_move` if that is more [m], or has turned by this. [rad] */
#define MOVED 1.0f
#define TURNED 0.1f
/* Resting, it lies where it was announced but for this. [m, and rad] */
#define SAME_POSE 1e-3f

/* --- news ------------------------------------------------------------------------------------------------- */

static uint32_t carrier_of(const lw_world *world, const lwi_obstacle *obstacle) {
  const lwi_obstacle *head = obstacle->head == LWI_NO_SLOT ? obstacle : lwi_obstacle_at(world, obstacle->head);
  return lw_agent_id_is_none(head->agent) ? 0 : head->agent.slot + 1;
}

/* @return false: no memory. */
static bool add_change(lw_world *world, lw_vec3 at, float reach, uint32_t carrier) {
  lwi_sight_changes *changes = &world->obstacles.sight_changes;
  if (world->agents.ids.count == 0) return true;
  const lwi_rectangle box = {at.x - reach, at.z - reach, at.x + reach, at.z + reach};
  if (!lwi_reserve(&world->memory, &changes->items, &changes->capacity, changes->count + 1,
                   sizeof *changes->items) ||
      !lwi_rectangle_tree_add(&changes->tree, &world->memory, (uint32_t)changes->count, box))
    return false;
  changes->items[changes->count++] = (lwi_sight_change){at, reach, carrier};
  return true;
}

static bool note_change(lw_world *world, const lwi_obstacle *obstacle, lw_vec3 at) {
  const float reach = lwi_obstacle_reach(&obstacle->def) + LWI_RECTANGLE_MARGIN;
  return add_change(world, at, reach, carrier_of(world, obstacle));
}

bool lwi_world_note_sight(lw_world *world, const lw_box *box) {
  const lw_vec3 at = lwi_lerp(box->min, box->max, 0.5f);
  const float reach = lwi_distance_xz(box->min, box->max) / 2 + LWI_RECTANGLE_MARGIN;
  return add_change(world, at, reach, 0);
}

static bool is_far(lwi_pose a, lwi_pose b, float moved, float turned) {
  return lwi_distance(a.at, b.at) > moved || fabsf(a.yaw - b.yaw) > turned;
}

/* Announce what the obstacle hides now, if that is news. @return false: no memory. */
static bool announce(lw_world *world, lwi_obstacle *obstacle, bool rests) {
  const float moved = rests ? SAME_POSE : fmaxf(MOVED, obstacle->def.min_move);
  const float turned = rests ? SAME_POSE : TURNED;
  const bool known = obstacle->is_announced, shown = obstacle->is_shown;
  if (known && shown && !is_far(obstacle->announced, obstacle->shown, moved, turned)) return true;
  world->threats.version += known || shown;
  if (known && !note_change(world, obstacle, obstacle->announced.at)) return false;
  obstacle->is_announced = false;
  if (shown && !note_change(world, obstacle, obstacle->shown.at)) return false;
  obstacle->is_announced = shown;
  if (shown) obstacle->announced = obstacle->shown;
  return true;
}

/* Has anything changed between a threat and a path, but for what the agent carries? */
static bool meets_change(const lw_world *world, const lwi_agent *agent, lwi_rectangle_walk walk) {
  for (uint32_t item; (item = lwi_rectangle_walk_next(&walk)) != UINT32_MAX;)
    if (world->obstacles.sight_changes.items[item].carrier != (uint32_t)agent->id.slot + 1) return true;
  return false;
}

/* What is left of the agent's path. */
static lw_box box_of_path(const lwi_agent *agent) {
  lw_box box = lwi_box_add(lwi_box_empty(), lwi_agent_footing(agent).point);
  for (int i = agent->route.next_point; i < agent->route.path->point_count; i++)
    box = lwi_box_add(box, agent->route.path->points[i]);
  return box;
}

static bool concerns_threat(const lw_world *world, const lwi_agent *agent, lw_box box, lw_vec3 eye) {
  const lwi_rectangle_tree *tree = &world->obstacles.sight_changes.tree;
  const lw_path *path = agent->route.path;
  lw_vec3 from = lwi_agent_footing(agent).point;
  box = lwi_box_add(box, eye);
  const lwi_rectangle about = {box.min.x, box.min.z, box.max.x, box.max.z};
  if (!lwi_rectangle_tree_may_meet(tree, &about) ||
      !meets_change(world, agent, lwi_rectangle_walk_box(tree, about)))
    return false;
  for (int i = agent->route.next_point; i < path->point_count; from = path->points[i++]) {
    const lw_vec3 corners[] = {eye, from, path->points[i]};
    if (meets_change(world, agent, lwi_rectangle_walk_triangle(tree, corners))) return true;
  }
  return false;
}

/* May threats see more or less of what is left of the agent's path than before? */
static bool concerns(const lw_world *world, const lwi_agent *agent) {
  lw_path_query query = lw_path_query_default();
  if (!lwi_world_fill_threats(world, world->scene.own, agent, &query)) return true;
  const lw_box box = query.threat_count > 0 ? box_of_path(agent) : lwi_box_empty();
  for (int i = 0; i < query.threat_count; i++)
    if (concerns_threat(world, agent, box, query.threats[i].at)) return true;
  return false;
}

void lwi_world_sight_changed(lw_world *world) {
  lwi_sight_changes *changes = &world->obstacles.sight_changes;
  if (changes->count == 0) return;
  for (lwi_agent *agent = NULL; (agent = lwi_next_agent(world, agent));)
    if (agent->move == LW_MOVE_WALKING && agent->route.staleness == LWI_FRESH &&
        lwi_agent_payer(agent)->def.cover_bias > 1 && agent->route.path && concerns(world, agent))
      lwi_world_alarm(world, agent);
  changes->count = 0;
  lwi_rectangle_tree_clear(&changes->tree);
}

/* --- screens ----------------------------------------------------------------------------------------------- */

bool lwi_obstacle_offers_cover(const lw_world *world, const lwi_obstacle *obstacle) {
  const lwi_screen *screen = lwi_screens_get(&world->scene.sight.screens, obstacle->number);
  return obstacle->is_shown && screen && screen->rests;
}

/* @return Count 0: it is too narrow for floats there. */
static lwi_screen screen_of(const lw_world *world, uint32_t slot, lwi_pose pose, bool offers) {
  const lwi_obstacle *obstacle = lwi_obstacle_at(world, slot);
  const lwi_footprint footprint = lwi_obstacle_footprint(&obstacle->def, pose, 0);
  lwi_screen screen = {.count = footprint.count,
                       .low = footprint.low,
                       .high = footprint.high,
                       .kind = (uint8_t)obstacle->def.cover,
                       .rests = offers,
                       .carrier = carrier_of(world, obstacle),
                       .id = lw_obstacle_id_none()};
  for (int i = 0; i < footprint.count; i++) screen.sides[i] = footprint.sides[i];
  if (obstacle->permutation == 0) screen.id = (lw_obstacle_id)LWI_ID(&world->obstacles.ids, slot);
  return screen;
}

static void hide(lw_world *world, lwi_obstacle *obstacle) {
  if (lwi_obstacle_offers_cover(world, obstacle)) lwi_world_drop_cover_at(world, obstacle);
  lwi_screens_remove(&world->scene.sight.screens, obstacle->number);
  obstacle->is_shown = false;
}

static bool is_equal_pose(lwi_pose a, lwi_pose b) {
  return lwi_equal(a.at, b.at) && a.yaw == b.yaw;
}

/* @return false: no memory. */
static bool put(lw_world *world, uint32_t slot, bool offers) {
  lwi_obstacle *obstacle = lwi_obstacle_at(world, slot);
  const lwi_screen *known = lwi_screens_get(&world->scene.sight.screens, obstacle->number);
  const bool stays = obstacle->is_shown && known && is_equal_pose(obstacle->shown, obstacle->now);
  if (stays && known->rests == offers && known->carrier == carrier_of(world, obstacle)) return true;
  const lwi_screen screen = screen_of(world, slot, obstacle->now, offers);
  if (screen.count == 0) {
    hide(world, obstacle);
    return true;
  }
  const bool ceases = lwi_obstacle_offers_cover(world, obstacle) && !(stays && offers);
  if (!lwi_screens_set(&world->scene.sight.screens, &world->memory, obstacle->number, &screen)) return false;
  if (ceases) lwi_world_drop_cover_at(world, obstacle);
  obstacle->is_shown = true;
  obstacle->shown = obstacle->now;
  return true;
}

bool lwi_obstacle_show(lw_world *world, uint32_t slot, bool rests) {
  lwi_obstacle *obstacle = lwi_obstacle_at(world, slot);
  if (obstacle->def.cover == LW_COVER_NONE) return true;
  const bool offers = rests && obstacle->is_cut && !is_far(obstacle->now, obstacle->cut, SAME_POSE, SAME_POSE);
  const bool offered = lwi_obstacle_offers_cover(world, obstacle);
  if (obstacle->is_removed) {
    if (obstacle->is_shown) hide(world, obstacle);
  } else if (!put(world, slot, offers)) {
    return false;
  }
  world->threats.version += lwi_obstacle_offers_cover(world, obstacle) != offered;
  return announce(world, obstacle, rests);
}

bool lwi_obstacle_restore_sight(lw_world *world, uint32_t slot, bool offers) {
  lwi_obstacle *obstacle = lwi_obstacle_at(world, slot);
  if (!obstacle->is_shown) return true;
  const lwi_screen screen = screen_of(world, slot, obstacle->shown, offers);
  obstacle->is_shown = screen.count > 0;
  return !obstacle->is_shown ||
         lwi_screens_set(&world->scene.sight.screens, &world->memory, obstacle->number, &screen);
}
