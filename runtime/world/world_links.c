/* Off-mesh links from one of a world's navmeshes to another: their ends moved onto the navmeshes, or refused with a reason. */
#include "core/status.h"
#include "world/world.h"

/* --- judging ------------------------------------------------------------------------------------------------------ */

/* An end of a link. */
typedef struct link_end {
  int navmesh; /* -1: none is near */
  lw_location at;
  float distance;
} link_end;

/* The nearest place on one navmesh within a box, if it is nearer than what was found. */
static void look_on(const lw_world *world, int navmesh, lw_vec3 p, float half, link_end *end) {
  lw_location found;
  if (lw_navmesh_nearest(world->meshes[navmesh], p, lwi_vec3(half, half, half), NULL, &found) != LW_OK) return;
  float distance = lwi_distance(found.point, p);
  if (end->navmesh < 0 || distance < end->distance) *end = (link_end){navmesh, found, distance};
}

/* Of all navmeshes but one. */
static link_end nearest_but(const lw_world *world, int other, lw_vec3 p, float half) {
  link_end end = {-1, {.point = p}, 0};
  for (int i = 0; i < world->ground_count; i++)
    if (i != other) look_on(world, i, p, half, &end);
  return end;
}

/* Further than any place is from the point. */
static float far_from(const lw_world *world, lw_vec3 p) {
  float far = 0;
  for (int i = 0; i < world->ground_count; i++) {
    lw_box box = world->meshes[i]->bounds;
    far = fmaxf(far, lwi_distance(p, box.min) + lwi_distance(box.min, box.max));
  }
  return 1.01f * far + 100; /* details rise above the corners */
}

/* The nearest place, within the radius or not. What is within it lies within the box, so the second look is for refused
   ends only. */
static link_end find_end(const lw_world *world, lw_vec3 p, float radius) {
  link_end end = nearest_but(world, -1, p, radius);
  if (end.navmesh >= 0 && end.distance <= radius) return end;
  return nearest_but(world, -1, p, far_from(world, p));
}

static void set_ends(lw_world_link *link, const link_end *from, const link_end *to) {
  lw_link *inner = &link->link;
  inner->from = from->at;
  inner->to = to->at;
  inner->from_distance = from->distance;
  inner->to_distance = to->distance;
  inner->length = inner->def.length >= 0 ? inner->def.length : lwi_distance(from->at.point, to->at.point);
  link->from_navmesh = from->navmesh;
  link->to_navmesh = to->navmesh;
}

static lw_link_state judge(const link_end *from, const link_end *to, float radius) {
  bool starts = from->navmesh >= 0 && from->distance <= radius,
       ends = to->navmesh >= 0 && to->distance <= radius;
  if (!starts || !ends) return starts ? LW_LINK_NO_END : ends ? LW_LINK_NO_START : LW_LINK_NO_ENDS;
  return from->navmesh == to->navmesh ? LW_LINK_ONE_NAVMESH : LW_LINK_JOINED;
}

static lw_world_link own_link(const lw_world *world, const lw_link_def *def) {
  lw_world_link link = {.link = {.def = *def}, .asked_navmesh = -1};
  link_end from = find_end(world, def->from, def->radius), to = find_end(world, def->to, def->radius);
  set_ends(&link, &from, &to);
  link.link.state = judge(&from, &to, def->radius);
  return link;
}

/* One that a navmesh refused, with its missing end looked for on the others. @return Whether it is there. */
static bool adopt(const lw_world *world, int navmesh, int index, lw_world_link *link) {
  *link = (lw_world_link){.asked_navmesh = navmesh};
  lw_navmesh_get_link(world->meshes[navmesh], index, &link->link);
  bool no_start = link->link.state == LW_LINK_NO_START;
  if (!no_start && link->link.state != LW_LINK_NO_END) return false;
  const lw_link_def *def = &link->link.def;
  link_end from = {navmesh, link->link.from, link->link.from_distance};
  link_end to = {navmesh, link->link.to, link->link.to_distance};
  link_end found = nearest_but(world, navmesh, no_start ? def->from : def->to, def->radius);
  if (found.navmesh < 0 || found.distance > def->radius) return false;
  *(no_start ? &from : &to) = found;
  set_ends(link, &from, &to);
  link->link.state = LW_LINK_JOINED;
  return true;
}

/* --- the list ----------------------------------------------------------------------------------------------------- */

/* Both of one level, asked of two navmeshes that have one end each. */
static bool is_same(const lw_world_link *a, const lw_world_link *b) {
  const lw_link_def *x = &a->link.def, *y = &b->link.def;
  return a->link.state == b->link.state && a->from_navmesh == b->from_navmesh &&
         a->to_navmesh == b->to_navmesh && x->kind == y->kind && x->area == y->area &&
         x->bidirectional == y->bidirectional && x->length == y->length &&
         lwi_equal(a->link.from.point, b->link.from.point) && lwi_equal(a->link.to.point, b->link.to.point);
}

static bool is_listed(const lw_world *world, const lw_world_link *link) {
  for (int i = 0; i < world->link_count; i++)
    if (is_same(&world->links[i], link)) return true;
  return false;
}

static bool add_link(lw_world *world, int *capacity, lw_world_link link) {
  if (!lwi_reserve(&world->memory, &world->links, capacity, world->link_count + 1, sizeof *world->links))
    return false;
  world->links[world->link_count++] = link;
  return true;
}

static bool add_links(lw_world *world, int *capacity) {
  lw_world_link link;
  for (int i = 0; i < world->def.link_count; i++)
    if (!add_link(world, capacity, own_link(world, &world->def.links[i]))) return false;
  for (int i = 0; i < world->ground_count && world->ground_count > 1; i++)
    for (int k = 0; k < lw_navmesh_link_count(world->meshes[i]); k++)
      if (adopt(world, i, k, &link) && !is_listed(world, &link) && !add_link(world, capacity, link))
        return false;
  return true;
}

static void add_bridges(lw_world *world, const lw_world_link *link) {
  const lw_link *inner = &link->link;
  lwi_bridge bridge = {link->from_navmesh, link->to_navmesh, inner->from,    inner->to,
                       inner->length,      inner->def.kind,  inner->def.area};
  world->bridges[world->bridge_count++] = bridge;
  if (!inner->def.bidirectional) return;
  lwi_bridge back = bridge;
  back.from = bridge.to;
  back.to = bridge.from;
  back.start = bridge.end;
  back.end = bridge.start;
  world->bridges[world->bridge_count++] = back;
}

static bool has_short_links(const lw_navmesh *mesh) {
  for (uint32_t i = 0; i < mesh->link_count; i++)
    if (mesh->links[i].length < lwi_distance(mesh->links[i].start, mesh->links[i].end)) return true;
  return false;
}

bool lwi_world_links_init(lw_world *world) {
  bool listed = add_links(world, &world->link_capacity);
  world->def.links = NULL; /* the list was lent for the call */
  if (!listed) return false;
  size_t count = 0;
  for (int i = 0; i < world->link_count; i++)
    if (world->links[i].link.state == LW_LINK_JOINED) count += world->links[i].link.def.bidirectional ? 2 : 1;
  if (count == 0) return true;
  world->bridges = lwi_alloc(&world->memory, count * sizeof *world->bridges);
  world->bridge_room.nodes = lwi_alloc_zero(&world->memory, count * sizeof *world->bridge_room.nodes);
  world->bridge_capacity = count;
  if (!world->bridges || !world->bridge_room.nodes) return false;
  for (int i = 0; i < world->link_count; i++)
    if (world->links[i].link.state == LW_LINK_JOINED) add_bridges(world, &world->links[i]);
  for (int i = 0; i < world->ground_count; i++)
    world->grounds[i].has_short_links = has_short_links(world->meshes[i]);
  return true;
}

void lwi_world_links_free(lw_world *world) {
  lwi_bridge_room *room = &world->bridge_room;
  lwi_memory *memory = &world->memory;
  lwi_free(memory, world->links, (size_t)world->link_capacity * sizeof *world->links);
  lwi_free(memory, world->bridges, world->bridge_capacity * sizeof *world->bridges);
  lwi_free(memory, room->nodes, world->bridge_capacity * sizeof *room->nodes);
  lwi_free(memory, room->legs, (size_t)room->leg_capacity * sizeof *room->legs);
  lwi_free(memory, room->parts, (size_t)room->part_capacity * sizeof *room->parts);
  lwi_heap_free(&room->open, memory);
}

/* --- asking ------------------------------------------------------------------------------------------------------- */

int lw_world_link_count(const lw_world *world) {
  return world->link_count;
}

lw_status lw_world_get_link(const lw_world *world, int index, lw_world_link *link) {
  *link = (lw_world_link){
      .link = {.def = lw_link_def_default()}, .from_navmesh = -1, .to_navmesh = -1, .asked_navmesh = -1};
  if (index < 0 || index >= world->link_count) return LW_NOT_FOUND;
  *link = world->links[index];
  return LW_OK;
}
