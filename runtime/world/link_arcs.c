#include "world/link_arcs.h"

#include "core/vec3.h"
#include "links/link_arc.h"
#include "world/world.h"

#include <math.h>

/* --- shapes ----------------------------------------------------------------------------------------------- */

lwi_link_arc lwi_link_arc_placed(const lw_world *world, const lwi_link_entry *entry) {
  const lw_world_link placed = lwi_link_placed(world, entry);
  if (placed.link.state != LW_LINK_JOINED) return (lwi_link_arc){.parts = 0};
  return lwi_link_arc_of(placed.link.def.kind, placed.link.from.point, placed.link.to.point);
}

static void enclose(const lwi_nav *nav, lwi_arc_body *body) {
  const lw_navmesh_agent agent = lw_navmesh_get_agent(nav->base);
  body->radius = fmaxf(body->radius, agent.radius);
  body->height = fmaxf(body->height, agent.height);
  body->step = fminf(body->step, fminf(agent.climb, agent.height / 2));
}

lwi_arc_body lwi_link_arc_body(const lw_world *world, const lwi_link_entry *entry) {
  lwi_arc_body body = {.step = INFINITY};
  const lw_world_link placed = lwi_link_placed(world, entry);
  const uint64_t meshes = entry->added ? entry->added->meshes : 0;
  enclose(&world->scene.navs[placed.from_navmesh], &body);
  enclose(&world->scene.navs[placed.to_navmesh], &body);
  for (int i = 0; meshes >> i > 1; i++)
    if (meshes >> i & 1) enclose(&world->scene.navs[i], &body);
  return body;
}

static lwi_rectangle rectangle_of(const lwi_link_arc *arc) {
  const float margin = LWI_RECTANGLE_MARGIN;
  return (lwi_rectangle){arc->box.min.x - margin, arc->box.min.z - margin, arc->box.max.x + margin,
                         arc->box.max.z + margin};
}

/* Grown by any radius: as in note_ground(). */
static lwi_rectangle rectangle_about(const lw_world *world, const lwi_obstacle *obstacle) {
  float radius = 0;
  for (int i = 0; i < world->scene.nav_count; i++) radius = fmaxf(radius, world->scene.meshes[i]->agent.radius);
  const float reach = lwi_obstacle_reach(&obstacle->def) + 1.5f * radius + LWI_RECTANGLE_MARGIN;
  const lw_vec3 at = obstacle->cut.at;
  return (lwi_rectangle){at.x - reach, at.z - reach, at.x + reach, at.z + reach};
}

static bool is_in_air(const lwi_obstacle *obstacle) {
  return obstacle->is_cut && obstacle->def.blocks;
}

static bool bars(const lw_world *world, const lwi_link_entry *entry, const lwi_obstacle *obstacle) {
  if (entry->is_removed) return false;
  const lwi_link_arc arc = lwi_link_arc_placed(world, entry);
  const lwi_arc_body body = lwi_link_arc_body(world, entry);
  const lwi_footprint footprint = lwi_obstacle_footprint(&obstacle->def, obstacle->cut, (double)body.radius);
  return footprint.count > 0 && lwi_link_arc_meets(&arc, &body, &footprint);
}

/* --- counting --------------------------------------------------------------------------------------------- */

static void count(lw_world *world, lwi_link_entry *entry, bool more) {
  entry->blocked += more ? 1 : UINT32_MAX; /* -1 */
  world->links.arcs.any_blocked |= more;
  if (entry->blocked == more) lwi_link_note_change(world, entry);
}

/* Count an obstacle for the links near by. */
static void count_obstacle(lw_world *world, const lwi_obstacle *obstacle, bool more) {
  lwi_rectangle_walk walk = lwi_rectangle_walk_box(&world->links.arcs.links, rectangle_about(world, obstacle));
  for (uint32_t slot; (slot = lwi_rectangle_walk_next(&walk)) != UINT32_MAX;)
    if (bars(world, lwi_link_at(world, slot), obstacle)) count(world, lwi_link_at(world, slot), more);
}

static void count_link(lw_world *world, lwi_link_entry *entry, lwi_rectangle box) {
  lwi_rectangle_walk walk = lwi_rectangle_walk_box(&world->links.arcs.obstacles, box);
  for (uint32_t slot; (slot = lwi_rectangle_walk_next(&walk)) != UINT32_MAX;)
    if (bars(world, entry, lwi_obstacle_at(world, slot))) count(world, entry, true);
}

/* --- by place --------------------------------------------------------------------------------------------- */

static bool list_obstacles(lw_world *world) {
  lwi_link_arcs *arcs = &world->links.arcs;
  const lwi_id_pool *ids = &world->obstacles.ids;
  for (uint32_t i = ids->first; i != LWI_NO_SLOT; i = lwi_id_pool_next(ids, i)) {
    const lwi_obstacle *obstacle = lwi_obstacle_at(world, i);
    if (is_in_air(obstacle) &&
        !lwi_rectangle_tree_add(&arcs->obstacles, &world->memory, i, rectangle_about(world, obstacle)))
      return false;
  }
  arcs->has_links = true;
  return true;
}

/* @param[out] box  Of its arc. @return false: no memory. */
static bool list_link(lw_world *world, uint32_t slot, lwi_rectangle *box) {
  lwi_link_arcs *arcs = &world->links.arcs;
  lwi_link_entry *entry = lwi_link_at(world, slot);
  const lwi_link_arc arc = lwi_link_arc_placed(world, entry);
  if (arc.parts == 0 || entry->is_removed) return true;
  if (!arcs->has_links && !list_obstacles(world)) return false;
  *box = rectangle_of(&arc);
  entry->has_arc = lwi_rectangle_tree_add(&arcs->links, &world->memory, slot, *box);
  return entry->has_arc;
}

bool lwi_link_arcs_add(lw_world *world, uint32_t slot) {
  lwi_link_entry *entry = lwi_link_at(world, slot);
  lwi_rectangle box;
  if (!world->links.arcs.is_known || entry->has_arc) return true;
  if (!list_link(world, slot, &box)) {
    lwi_link_arcs_forget(world);
    return false;
  }
  if (entry->has_arc) count_link(world, entry, box);
  return true;
}

void lwi_link_arcs_remove(lw_world *world, uint32_t slot) {
  lwi_link_entry *entry = lwi_link_at(world, slot);
  if (entry->has_arc) lwi_rectangle_tree_remove(&world->links.arcs.links, slot);
  entry->has_arc = false;
}

void lwi_link_arcs_note(lw_world *world, uint32_t slot, bool is_put_in) {
  lwi_link_arcs *arcs = &world->links.arcs;
  const lwi_obstacle *obstacle = lwi_obstacle_at(world, slot);
  if (!arcs->is_known || !arcs->has_links || !is_in_air(obstacle)) return;
  count_obstacle(world, obstacle, is_put_in);
  lwi_link_clearances_note(world, rectangle_about(world, obstacle));
  if (!is_put_in)
    lwi_rectangle_tree_remove(&arcs->obstacles, slot);
  else if (!lwi_rectangle_tree_add(&arcs->obstacles, &world->memory, slot, rectangle_about(world, obstacle)))
    lwi_link_arcs_forget(world);
}

/* --- all of it -------------------------------------------------------------------------------------------- */

void lwi_link_arcs_forget(lw_world *world) {
  world->links.arcs.is_known = false;
  lwi_link_clearances_forget(world);
}

static void clear(lw_world *world) {
  lwi_link_arcs *arcs = &world->links.arcs;
  const lwi_id_pool *ids = &world->links.ids;
  lwi_rectangle_tree_clear(&arcs->links);
  lwi_rectangle_tree_clear(&arcs->obstacles);
  arcs->has_links = arcs->any_blocked = false;
  for (uint32_t i = ids->first; i != LWI_NO_SLOT; i = lwi_id_pool_next(ids, i)) {
    lwi_link_entry *entry = lwi_link_at(world, i);
    if (entry->blocked > 0) lwi_link_note_change(world, entry);
    entry->has_arc = false;
    entry->blocked = 0;
  }
}

/* Forget clearances that were measured before obstacles were listed, of links near one. */
static void forget_clearances_near_obstacles(lw_world *world) {
  const lwi_id_pool *ids = &world->obstacles.ids;
  for (uint32_t i = ids->first; i != LWI_NO_SLOT; i = lwi_id_pool_next(ids, i)) {
    const lwi_obstacle *obstacle = lwi_obstacle_at(world, i);
    if (is_in_air(obstacle)) lwi_link_clearances_note(world, rectangle_about(world, obstacle));
  }
}

bool lwi_link_arcs_settle(lw_world *world) {
  lwi_link_arcs *arcs = &world->links.arcs;
  const lwi_id_pool *ids = &world->links.ids;
  if (arcs->is_known || (world->obstacles.ids.count == 0 && !arcs->any_blocked)) return true;
  clear(world);
  arcs->is_known = true;
  for (uint32_t i = ids->first; i != LWI_NO_SLOT; i = lwi_id_pool_next(ids, i))
    if (!lwi_link_arcs_add(world, i)) return false;
  forget_clearances_near_obstacles(world);
  return true;
}

void lwi_link_arcs_free(lw_world *world) {
  lwi_rectangle_tree_free(&world->links.arcs.links, &world->memory);
  lwi_rectangle_tree_free(&world->links.arcs.obstacles, &world->memory);
}
